"""Pools of a person for skills, statistics and advantages."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.ore.people.advantages import skill_gift, with_extra_die
from rulewright.systems.ore.people.characters import Owned, Person, Special, focus_mod
from rulewright.systems.ore.people.skills import (
    CONCENTRATIONS,
    applicable,
    concentration_on,
    known_skill,
    selection,
    subject_of,
    written,
)
from rulewright.systems.ore.resolution.tests import Mod, Pool, after_modifiers, special_dice


class Rated(Struct, frozen=True):
    """The skill used, its rating and promoted dice."""

    skill: str
    rating: int
    special: Special = Special()


def rated(rules: Ruleset, person: Person, skill: str) -> Rated:
    """The better of a Narrow and its Broad Skill; promoted dice break ties."""
    known, subject = known_skill(rules, skill), subject_of(skill)
    narrow = _best(person, [written(rules, skill)])
    if known is None or known.subject:
        return narrow
    if known.named:
        narrow = _best(person, _bought(person, known.name, subject))
    if known.kind != "narrow":
        return narrow
    broad = _best(person, _bought(person, known.field, subject) if selection(rules)[known.field].named else [known.field])
    best = applicable(broad.rating, narrow.rating)
    return _better([candidate for candidate in (narrow, broad) if candidate.rating == best])


def _bought(person: Person, skill: str, subject: str) -> list[str]:
    """The names under which a skill with fields was bought."""
    names = [name for name in person.skills if name.partition(":")[0] == skill]
    return [name for name in names if not subject or subject_of(name) in ("", subject)] or [skill]


def _best(person: Person, names: list[str]) -> Rated:
    return _better([Rated(name, person.skills.get(name, 0), person.special.get(name, Special())) for name in names])


def _better(rateds: list[Rated]) -> Rated:
    return max(rateds, key=lambda item: (item.rating, item.special.master, item.special.expert))


def _gifts(rules: Ruleset, person: Person, skill: str, when: str) -> tuple[int, int]:
    """Ordinary and Expert Dice from preternatural gifts."""
    known = known_skill(rules, skill)
    dice = expert = 0
    for own in person.advantages:
        if own.name != "preternatural skill" or (own.when and own.when != when):
            continue
        choice = known_skill(rules, own.choice)
        named = choice is not None and known is not None and choice.name in (known.name, known.field)
        if own.choice.lower() == skill.lower() or (named and subject_of(own.choice) in ("", subject_of(skill))):
            try:
                gift = skill_gift(rules, own.rating)
            except UserError:  # the audit says so; a sheet is still to be read
                continue
            dice, expert = dice + gift.dice, expert + gift.expert
    return dice, expert


def skill_pool(
    rules: Ruleset,
    person: Person,
    skill: str,
    statistic: str | None = None,
    modifiers: tuple[Mod, ...] = (),
    *,
    focus: bool = False,
    when: str = "",
    concentration: str = "",
) -> Pool:
    """Statistic plus skill with promoted dice, advantages and modifiers. Any statistic can be given. `focus` means a relevant Focus,
    `when` names the circumstance."""
    known = known_skill(rules, skill)
    name = statistic or (known.statistic if known is not None else "body")
    has = rated(rules, person, skill)
    promoted = min(has.rating, has.special.expert + has.special.master)
    dice, expert = _gifts(rules, person, skill, when)
    level = person.concentrations.get(has.skill, {}).get(concentration, 0)
    row = CONCENTRATIONS(rules).get(str(level))
    pool = Pool(
        person.statistic(name) + has.rating - promoted,
        has.special.expert + expert + (row.expert if row else 0),
        has.special.master + (row.master if row else 0),
        several=expert > 0 or level > 0,
    )
    return _with_statistic(
        rules, person, name, pool.plus(Mod("preternatural skill", dice, "ore-2.35-preternatural-skill"), *modifiers), focus
    )


def usable_pool(rules: Ruleset, pool: Pool) -> Pool:
    """A pool with only allowed Special Dice; the others become ordinary dice."""
    ready = after_modifiers(rules, pool)
    try:
        special_dice(rules, ready.expert, ready.master, pool.several)
    except UserError:
        if ready.master:
            master = min(1, ready.master) if rules.word("special-dice") != "failsafe" else 0
            return replace(pool, dice=pool.dice + pool.expert + pool.master - master, expert=0, master=master)
        return replace(pool, dice=pool.dice + pool.expert - 1, expert=1, master=0)
    return pool


def statistic_pool(rules: Ruleset, person: Person, statistic: str, modifiers: tuple[Mod, ...] = (), *, focus: bool = False) -> Pool:
    """A statistic by itself."""
    return _with_statistic(rules, person, statistic, Pool(person.statistic(statistic)).plus(*modifiers), focus)


def _with_statistic(rules: Ruleset, person: Person, statistic: str, pool: Pool, focus: bool) -> Pool:
    if focus and statistic in person.focuses:
        pool = pool.plus(focus_mod(person.focuses[statistic]))
    return with_extra_die(rules, pool, "preternatural statistic") if person.has("preternatural statistic", statistic) else pool


def advantage_pool(rules: Ruleset, person: Person, own: Owned, statistic: str, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """The pool to call on a two-part advantage."""
    from rulewright.systems.ore.people.advantages import parts_of

    first, _ = parts_of(rules, own.name, own.rating, own.first, own.second)
    return _with_statistic(rules, person, statistic, Pool(person.statistic(statistic) + first).plus(*modifiers), focus=False)


def openers(rules: Ruleset, person: Person) -> dict[str, int]:
    """Skills and Concentrations with ratings, for paths of feats."""
    result = dict(person.skills)
    for levels in person.concentrations.values() if rules.word("skill-system") == "discipline" else ():
        for name, level in levels.items():
            on = concentration_on(rules, name)
            result[on] = max(level, result.get(on, 0))
    for own in person.powers:
        result |= dict(own.skills)
    return result
