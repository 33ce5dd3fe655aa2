"""Advancement with experience (book lines 747-751, 1924-1929). The book gives few prices; the Game Master sets the others."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

import msgspec

from rulewright.build.audit import Fault, short
from rulewright.build.experience import Standing as Log
from rulewright.build.experience import entered
from rulewright.grammar import count, join, plural
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, rounded_up, term, times, total
from rulewright.systems.ore.people.advantages import ADVANTAGES, parts_of
from rulewright.systems.ore.people.characters import (
    HUMAN_LIMIT,
    POWERS_BOUGHT,
    STATISTICS,
    Award,
    Character,
    Owned,
    Person,
    PowerSet,
    Purchase,
    Special,
    bought,
    same_advantage,
)
from rulewright.systems.ore.people.feats import HIGHEST_LEVEL, IDENTITIES, MOST_OF_A_KIND, feat_cost, highest_open, levels_known, paths
from rulewright.systems.ore.people.pools import openers
from rulewright.systems.ore.people.skills import (
    cash_in,
    concentration_limit,
    known_skill,
    most_promoted,
    narrow_fields,
    subject_of,
    too_many,
    written,
)
from rulewright.systems.ore.powers.catalogue import SETS, effects
from rulewright.systems.ore.powers.costs import ENERGY_PRICE, GRANDMASTER, may_become_grandmaster, most_of_power, row_cost
from rulewright.systems.ore.powers.repertoire import apprenticed

HIGHEST_SKILL = 5
MOST_ENERGY = 100
IDENTITY_LEVELS = 3
"""Levels of the path that every further identity needs (line 3528)."""


class ExperienceRow(TableRow, frozen=True):
    """Cost of an element at creation per rating, and with experience per new rating."""

    element: str
    creation: int
    experience: int


EXPERIENCE = Table("ore-3.02-advancement-discipline", ExperienceRow)


@rule("ore-3.02-advancement-discipline")
def experience_cost(rules: Ruleset, element: str = "discipline", to: int = 3, halved: bool = False) -> Derived[int]:
    """The cost in experience: twice the new rating for a Discipline, three times for a Concentration, the level for a feat; `halved` for
    a polyglot."""
    row = EXPERIENCE.get(rules, element)
    halving = [divided("half for a Polyglot", 2), rounded_up()] if halved else []
    terms = [term("each", row.experience), times("new rating", to), *halving]
    return total("Experience", *terms, rule="ore-3.02-advancement-discipline", source=row.source)


class Standing(Log[Award | Purchase]):
    """A character at one point of the log."""

    awards_rule = "ore-3.02-advancement-discipline"
    points = "points of experience"

    def __init__(self, rules: Ruleset, character: Character) -> None:
        super().__init__(rules)
        self.before = msgspec.structs.replace(character, advancement=())
        self.entries: list[Award | Purchase] = []

    def person(self) -> Person:
        """The character at this point."""
        return Person.of(self.rules, msgspec.structs.replace(self.before, advancement=tuple(self.entries)))

    def carry_out(self, entry: Award | Purchase) -> Iterable[Fault]:
        if isinstance(entry, Award):
            yield from self.award(entry.xp)
        else:
            yield from _faults(self.rules, self.person(), entry)
            yield from self._paid(entry, f"{entry.what} {entry.to}")
        self.entries.append(entry)

    def _paid(self, entry: Purchase, what: str) -> Iterator[Fault]:
        price = listed_price(self.rules, entry)
        if price is not None:
            yield from self.pay(what, price, price if entry.xp is None else entry.xp)
        elif entry.xp is not None:
            yield from self.pay(what, max(0, entry.xp), entry.xp)
        else:
            message = f"{what}: the book gives no price; the Game Master must set one"
            yield Fault(self.awards_rule, message, "pay nothing", "xp", 0)


def listed_price(rules: Ruleset, entry: Purchase) -> int | None:
    """The book's price of a purchase; None if there is none."""
    if entry.buy in ("discipline", "concentration", "feat"):
        return experience_cost(rules, entry.buy, max(0, entry.to)).value
    if entry.buy == "power effect" and entry.what in effects(rules):
        return row_cost(rules, effects(rules)[entry.what]).value
    if entry.buy == "inherent power":
        return max(0, entry.to) + max(0, entry.second)
    if entry.buy == "energy":
        return ENERGY_PRICE
    if entry.buy == "identity":
        return feat_cost(IDENTITY_LEVELS).value
    known = known_skill(rules, entry.what) if entry.buy == "skill" else None
    if known is not None and known.kind == "discipline":
        return experience_cost(rules, "discipline", max(0, entry.to)).value
    return None


def _faults(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    if entry.buy in ("discipline", "concentration") and rules.word("skill-system") != "discipline":
        message = f"this campaign has no {plural(entry.buy.capitalize())} (setting skill-system)"
        yield Fault("ore-3.02-opt-disciplines", message, "remove the purchase")
    elif entry.buy in ("skill", "discipline"):
        yield from _skill(rules, person, entry)
    elif entry.buy == "statistic":
        if entry.what not in STATISTICS:
            yield _unknown(entry.what, STATISTICS, "statistic", "ore-2.03-statistics")
        else:
            most = HUMAN_LIMIT + (1 if person.has("preternatural statistic", entry.what) else 0)
            yield from _step(entry, person.statistic(entry.what), most, "ore-2.03-statistics")
    elif entry.buy == "concentration":
        under = written(rules, entry.under)
        discipline = person.skills.get(under, 0)
        if discipline < 1:
            message = f"{entry.what}: a Concentration needs a known Discipline"
            yield Fault("ore-3.02-opt-disciplines", message, "remove the purchase")
        now = person.concentrations.get(under, {}).get(entry.what, 0)
        yield from _step(entry, now, concentration_limit(discipline), "ore-3.02-opt-disciplines")
    elif entry.buy == "feat":
        yield from _feat(rules, person, entry)
    elif entry.buy in ("expert die", "master die"):
        yield from _die(rules, person, entry)
    elif entry.buy == "advantage":
        yield from _advantage(rules, person, entry)
    elif entry.buy in POWERS_BOUGHT:
        yield from _power(rules, person, entry)
    elif entry.buy == "identity" and person.feats.get(IDENTITIES, 0) < IDENTITY_LEVELS:
        message = f"another identity needs {IDENTITIES} {IDENTITY_LEVELS} first"
        yield Fault("ore-3.09-broad-feat-list", message, "remove the purchase")
    elif entry.buy == "disadvantage" and entry.what not in person.disadvantages:
        message = f"there is no disadvantage {short(entry.what)!r} to remove"
        yield Fault("ore-2.44-disadvantages", message, "remove the purchase")


def _skill(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    if known_skill(rules, entry.what) is None:
        yield Fault("ore-3.03-skill-list", f"there is no skill {entry.what!r} in this campaign", "remove the purchase")
    name = written(rules, entry.what)
    now = person.skills.get(name, 0)
    if entry.cash_in:
        yield from _cashed_in(rules, person, entry, now)
        return
    before = {field for field, narrow in narrow_fields(rules, person.skills).items() if too_many(narrow)}
    for field, narrow in narrow_fields(rules, {**person.skills, name: max(now, entry.to)}).items():
        if field not in before and too_many(narrow):
            message = f"{entry.what}: a third Narrow Skill of {field.capitalize()} ({join(narrow)}) becomes the Broad Skill"
            yield Fault("ore-2.04-broad-narrow-skills", message, f"buy {field}", "what", field)
            return
    yield from _step(entry, now, HIGHEST_SKILL, "ore-2.04-broad-narrow-skills")


def _cashed_in(rules: Ruleset, person: Person, entry: Purchase, now: int) -> Iterator[Fault]:
    """Cashes in Narrow Skills for the Broad Skill of their field: as far as their points go, plus one step."""
    rule_id = "ore-2.04-broad-narrow-skills"
    sunk: dict[str, int] = {}
    for place, name in enumerate(entry.cash_in):
        own = written(rules, name)
        rating = 0 if own in sunk else person.skills.get(own, 0)
        if rating < 1 or not _part_of(rules, name, entry.what):
            message = f"{short(name)} is not a Narrow Skill of {short(entry.what)} and cannot be cashed in"
            yield Fault(rule_id, message, "keep it", "cash_in", [*entry.cash_in[:place], *entry.cash_in[place + 1 :]])
            return
        sunk[own] = rating
    steps = range(now, HIGHEST_SKILL + 1)
    paid = max([rating for rating in steps if cash_in(rules, tuple(sunk.values()), rating - now).to_pay == 0], default=now)
    if not now < entry.to <= min(HIGHEST_SKILL, paid + 1):
        message = f"{entry.what} {entry.to}: the skills cashed in pay for {paid}, so the highest possible is {min(HIGHEST_SKILL, paid + 1)}"
        yield Fault(rule_id, message, "remove the purchase", over=max(0, entry.to - paid - 1))


def _part_of(rules: Ruleset, name: str, of: str) -> bool:
    """Whether a Narrow Skill belongs to a Broad Skill, and to the same field."""
    narrow, broad = known_skill(rules, name), known_skill(rules, of)
    if narrow is None or broad is None or (narrow.kind, broad.kind, narrow.field) != ("narrow", "broad", broad.name):
        return False
    return not broad.named or not subject_of(name) or subject_of(of) in ("", subject_of(name))


def _feat(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    rule_id = "ore-2.06-feats-general"
    if entry.what not in paths(rules):
        yield _unknown(entry.what, paths(rules), "path of feats", "ore-3.09-broad-feat-list")
        return
    known, kind = levels_known(rules, person.feats), paths(rules)[entry.what].kind
    given_up = paths(rules).get(entry.instead_of)
    if entry.instead_of == entry.what:
        yield Fault(rule_id, f"{entry.what} cannot replace itself", "give nothing up", "instead_of", "")
    elif entry.instead_of and person.feats.get(entry.instead_of, 0) < 1:
        yield Fault(rule_id, f"there is no level of {entry.instead_of} to give up", "give nothing up", "instead_of", "")
    elif known[kind] >= MOST_OF_A_KIND and (given_up is None or given_up.kind != kind):
        message = f"{count(known[kind], f'{kind} feat')} known of at most {MOST_OF_A_KIND}; give one up"
        yield Fault(rule_id, message, "remove the purchase", over=1)
    limit = min(HIGHEST_LEVEL, highest_open(rules, openers(rules, person), entry.what))
    yield from _step(entry, person.feats.get(entry.what, 0), limit, rule_id)


def _die(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    name, skill = written(rules, entry.what), known_skill(rules, entry.what)
    rule_id, now = "ore-2.12-buying-special-dice", person.special.get(name, Special())
    most, masters = most_promoted(rules, person.skills.get(name, 0))
    if skill is not None and skill.kind == "discipline":
        message = f"{entry.what}: Special Dice come from Concentrations"
        yield Fault("ore-3.02-opt-disciplines", message, "remove the purchase")
    elif entry.buy == "expert die" and now.expert + now.master >= most:
        yield Fault(rule_id, f"{entry.what}: no other die can be promoted", "remove the purchase", over=1)
    elif entry.buy == "master die" and (now.expert < 1 or now.master >= masters):
        yield Fault(rule_id, f"{entry.what}: there is no Expert Die to promote to a Master Die", "remove the purchase", over=1)


def _power(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    """A Power Statistic, Power Skill, effect or Energy Point of an open set, or an inherent power."""
    from rulewright.systems.ore.build.audit.powers import wrong_effect

    if entry.buy == "inherent power":
        if not 1 <= entry.to <= HIGHEST_SKILL or not 0 <= entry.second <= HIGHEST_SKILL:
            yield Fault(
                "ore-5.02b-inherent",
                f"{entry.what}: the level (`to`) must be from 1 to 5 and the limit (`second`) from 0 to 5",
                "remove the purchase",
            )
        return
    name = (entry.under or entry.what).lower()
    own = person.power_set(name) or PowerSet(name)
    row, opened = SETS(rules).get(name), apprenticed(person, name)
    if opened is None:
        yield Fault("ore-5.00-power-sets", f"{short(name)!r} (`under`) needs Arcane Apprentice", "remove the purchase")
        return
    most = most_of_power(person.has(GRANDMASTER) > 0)
    if entry.buy == "power statistic":
        yield from _step(entry, own.rating, most, "ore-5.02b-developed")
    elif entry.buy == "energy":
        yield from _step(entry, own.energy, MOST_ENERGY, "ore-5.02-limit-rating")
    elif entry.buy == "power skill":
        if row is not None and entry.what.lower() not in row.skills:
            yield _unknown(entry.what, row.skills, "Power Skill", "ore-5.00-power-sets")
        else:
            yield from _step(entry, own.skill(entry.what.lower()), most, "ore-5.02b-developed")
    else:
        fault = wrong_effect(rules, person, own, entry.what, own.effects)
        if fault is not None:
            yield Fault(fault[0], fault[1], "remove the purchase", over=fault[2])


def _advantage(rules: Ruleset, person: Person, entry: Purchase) -> Iterator[Fault]:
    """A new or better advantage with a valid rating; the Game Master's own ones have their price."""
    from rulewright.systems.ore.build.audit.advantages import wrong_with

    own = bought(rules, entry)
    if own.name not in ADVANTAGES(rules):
        message = f"there is no advantage {short(own.name)!r} in the book; the Game Master must have created it"
        yield Fault("ore-2.14-advantage-list", message, "", warning=True)
        return
    for rule_id, part, message, over, value in wrong_with(rules, person, own, new=False):
        field = {"rating": "to"}.get(part, part)
        if value is None:
            yield Fault(rule_id, message, "remove the purchase", over=over)
        else:
            yield Fault(rule_id, message, f"set it to {value}", field, value, over)
        return  # one thing at a time: what is mended may mend the others
    if own.name == GRANDMASTER and not any(may_become_grandmaster(power.rating, _highest(rules, power)) for power in person.powers):
        message = "Grandmaster needs a Power Statistic of 5 and an effect of level 5"
        yield Fault("ore-5.05-grandmasters", message, "remove the purchase")
        return
    had = [_measures(rules, other) for other in person.advantages if same_advantage(other, own)]
    if any(all(now <= before for now, before in zip(_measures(rules, own), numbers, strict=True)) for numbers in had):
        yield Fault("ore-2.14-advantages-general", f"{own.name.capitalize()} already has this rating", "remove the purchase")


def _highest(rules: Ruleset, own: PowerSet) -> int:
    """The highest level of a character's effects of a set."""
    table = effects(rules)
    return max([table[name].level for name in own.effects if name in table], default=0)


def _measures(rules: Ruleset, own: Owned) -> tuple[int, ...]:
    """How much of an advantage a character has: its rating or both parts."""
    parts = ADVANTAGES(rules)[own.name].parts
    return tuple(parts_of(rules, own.name, own.rating, own.first, own.second)) if parts else (own.rating,)


def _step(entry: Purchase, now: int, most: int, rule_id: str) -> Iterator[Fault]:
    """Checks that a purchase is the next step and within the limit."""
    if entry.to <= now:
        yield Fault(rule_id, f"{entry.what} is already {now}; {entry.to} cannot be bought", "remove the purchase")
    elif now >= most:
        yield Fault(rule_id, f"{entry.what} {entry.to}: the limit is {most}", "remove the purchase", over=entry.to - most)
    elif entry.to > now + 1:
        message = f"{entry.what} {entry.to}: the next rating after {now} is {now + 1}"
        yield Fault(rule_id, message, f"buy {now + 1}", "to", now + 1, entry.to - now - 1)


def _unknown(name: str, known: Any, kind: str, rule_id: str) -> Fault:
    close = get_close_matches(name[:60], list(known), n=1)
    if close:
        return Fault(rule_id, f"there is no {kind} {name[:40]!r}", f"write {close[0]}", "what", close[0])
    return Fault(rule_id, f"there is no {kind} {name[:40]!r}", "remove the purchase")


def standing(rules: Ruleset, character: Character) -> Standing:
    """The character at the end of the log."""
    return Standing(rules, character).after(character.advancement)


@rule("ore-3.02-advancement-discipline")
def buy(rules: Ruleset, character: Character, entry: Purchase, force: bool = False) -> Character:
    """Adds a purchase to the log; refuses violations unless forced."""
    return entered(character, standing(rules, character), entry, force=force)
