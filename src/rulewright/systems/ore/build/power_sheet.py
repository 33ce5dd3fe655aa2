"""Powers on the sheet: sets, effects with tests, Attunement, inherent powers."""

from collections.abc import Iterator
from typing import Protocol

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Choosable, Modifier, PickMany, Rows, Stepper, Tag, Test, Value
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.ore.build.audit.powers import wrong_effect
from rulewright.systems.ore.people.characters import Character, Person, PowerSet
from rulewright.systems.ore.people.feat_effects import Try, feats_of, helps
from rulewright.systems.ore.people.pools import rated, skill_pool
from rulewright.systems.ore.people.skills import starting_limit
from rulewright.systems.ore.powers.attunement import attunement, sensing_range
from rulewright.systems.ore.powers.catalogue import LIMITS, SETS, EffectRow, SetRow, effects
from rulewright.systems.ore.powers.costs import GRANDMASTER, inherent_cost, most_of_power, rank_in, row_cost, set_cost
from rulewright.systems.ore.powers.repertoire import apprenticed, known_of, limit_for, rule_for
from rulewright.systems.ore.powers.usage import energy_points
from rulewright.systems.ore.resolution.tests import Pool

PSI = "meta-psychic"


class Tests(Protocol):
    """Makes a test for the sheet."""

    def __call__(
        self, key: str, name: str, pool: Pool, made_of: str, rule: str, chips: tuple[Modifier, ...] = (), note: str = ""
    ) -> Test: ...


def power_pieces(rules: Ruleset, person: Person, character: Character, test: Tests) -> Iterator[AnyPiece]:
    """All pieces about powers, starting with the available sets."""
    yield Rows(
        name="Power sets",
        rule="ore-5.00-power-sets",
        field="powers",
        heads=("set", "rating", "effects"),
        rows=tuple([(own.set, str(own.rating), ", ".join((*own.effects, *dict(own.own)))) for own in person.powers]),
        keys=tuple(str(at) for at in range(len(character.powers))),
        addable=tuple([_openable(rules, person, row) for row in SETS(rules).values() if person.power_set(row.set) is None]),
    )
    for place, own in enumerate(person.powers):
        yield from _set(rules, person, character, own, place)
    for known in known_of(rules, person) if person.powers or person.inherent else ():
        if known.rolled:
            row = known.row(rules)
            made_of = f"{known.effect}, {known.pool.size} dice, Difficulty {row.intensity}"
            notation = test(f"power.{known.effect}", known.effect, known.pool, made_of, rule_for(rules, known.effect), note=row.does)
            yield _hard(notation, row.intensity)
    if person.power_set(PSI) is not None:
        yield from _psychic(rules, person, test)
    yield from _inherent(rules, person, character)


def _openable(rules: Ruleset, person: Person, row: SetRow) -> Choosable:
    """A power set that can be opened with Arcane Apprentice."""
    barred = "" if apprenticed(person, row.set) is not None else f"needs Arcane Apprentice ({row.power}/{row.limit}) for {row.set}"
    price = f"{count(set_cost(rules, row.set).value, 'point')} for Arcane Apprentice"
    return Choosable(row.set, row.set.capitalize(), price, barred, row.source, note=row.about, entry={"set": row.set})


def _hard(test: Test, difficulty: int) -> Test:
    """A test with a Difficulty."""
    return replace(test, notation=f"{test.notation} diff {difficulty}") if difficulty > 1 else test


def _set(rules: Ruleset, person: Person, character: Character, own: PowerSet, place: int) -> Iterator[AnyPiece]:
    row, field = SETS(rules).get(own.set), f"powers.{place}"
    created = character.powers[place] if place < len(character.powers) else None
    limit = LIMITS.get(rules, str(limit_for(rules, person, own.set)))
    yield Tag(limit.means, name=f"{own.set.capitalize()}: {limit.name}", rule="ore-5.02-limit-rating")
    most = most_of_power(person.has(GRANDMASTER) > 0)
    if created is not None:
        name = row.statistic.capitalize() if row is not None else f"Power Statistic of {own.set}"
        yield Stepper(
            name=name,
            rule="ore-5.02b-developed",
            note=row.about if row is not None else "",
            field=f"{field}.rating",
            value=created.rating,
            low=0,
            high=most,
            price="5 points each",
            grown=own.rating,
        )
        for skill in row.skills if row is not None else tuple(dict(own.skills)):
            yield Stepper(
                name=skill.capitalize(),
                rule="ore-5.04-metapsychic" if own.set == PSI else "ore-5.02b-developed",
                note=_rank(rules, person, own, skill),
                field=f"{field}.skills.{skill}",
                value=dict(created.skills).get(skill, 0),
                low=0,
                high=starting_limit(rules),
                price="1 point each",
                grown=own.skill(skill),
            )
        yield PickMany(
            name=f"Effects of {own.set}",
            rule="ore-5.00-power-sets",
            field=f"{field}.effects",
            values=tuple(created.effects),
            options=tuple([_choosable(rules, person, own, effect) for effect in effects(rules).values() if effect.set == own.set]),
        )
    if limit.way == "mana":
        left = energy_points(own.rating, own.energy)
        yield Value(name="Energy Points", rule="ore-5.02-limit-rating", key=f"energy_{own.set}", value=left.value, reasons=left.reasons)


def _rank(rules: Ruleset, person: Person, own: PowerSet, skill: str) -> str:
    table = effects(rules)
    highest = max([table[name].level for name in own.effects if name in table and table[name].skill == skill], default=0)
    return rank_in(own.rating, own.skill(skill), highest, person.has(GRANDMASTER) > 0)


def _choosable(rules: Ruleset, person: Person, own: PowerSet, row: EffectRow) -> Choosable:
    """An effect to buy, with its price or the reason against it."""
    wrong = wrong_effect(rules, person, own, row.effect, ()) if row.effect not in own.effects else None
    points = row_cost(rules, row).value
    return Choosable(
        row.effect,
        f"{row.effect} ({row.level})",
        count(points, "point"),
        barred=wrong[1] if wrong is not None else "",
        source=row.source,
        group=row.skill,
        note=row.does,
    )


def _psychic(rules: Ruleset, person: Person, test: Tests) -> Iterator[AnyPiece]:
    """The senses of every Meta-Psychic."""
    own = person.power_set(PSI)
    assert own is not None
    focus = max([rated(rules, person, name).rating for name in ("focus", "willpower")])
    feat = "clairsentience adds" in helps(rules, feats_of(person.feats), Try(on=("attunement",))).flags
    tuned = attunement(own.rating, focus, own.skill("clairsentience"), feat)
    yield Value(name="Attunement", rule="ore-5.04-attunement", key="attunement", value=tuned.value, reasons=tuned.reasons)
    reach = sensing_range(rules, min(20, tuned.value))
    yield Value(
        name="Attunement range in metres", rule="ore-5.04-attunement", key="attunement_metres", value=reach.value, reasons=reach.reasons
    )
    pool = skill_pool(rules, person, "focus", "insight")
    yield test("signature", "Read a psi signature", pool, "Insight and Focus, Difficulty 1 to 5", "ore-5.04-psi-signatures")


def _inherent(rules: Ruleset, person: Person, character: Character) -> Iterator[AnyPiece]:
    if not person.inherent:
        return
    rows = []
    for own in person.inherent:
        worth = str(inherent_cost(rules, own.level, own.limit).value) if 1 <= own.level <= 5 and 0 <= own.limit <= 5 else "?"
        rows.append((own.name, own.does, str(own.level), LIMITS(rules)[str(own.limit)].name if 0 <= own.limit <= 5 else "?", worth))
    yield Rows(
        name="Inherent powers",
        rule="ore-5.02b-inherent",
        field="inherent",
        heads=("power", "what it does", "level", "limit", "points"),
        rows=tuple(rows),
        keys=tuple(str(at) for at in range(len(character.inherent))),
    )
