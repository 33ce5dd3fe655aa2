"""Genre profiles: suitable rules and limits for characters (book lines 7042-7397)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, field_of, short, without_place
from rulewright.grammar import join
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.people.characters import Character, attribute_cost, known
from rulewright.systems.silhouette.people.genre_profiles import IDS, ProfileRow
from rulewright.systems.silhouette.people.genre_profiles import profile as profile
from rulewright.systems.silhouette.people.traits import Trait, perk_cost

SCIENCES = ("natural sciences", "social sciences", "technical sciences", "medicine")


def effects_of(rules: Ruleset) -> tuple[str, ...]:
    """Returns the Genre Effects for the campaign's genre and reality level; none without a genre."""
    row = profile(rules)
    if row is None:
        return ()
    return row.gritty_effects if row.gritty_effects and rules.word("reality") == "gritty" else row.effects


@rule("sil-7.5.8-cybernetics")
def cybernetic_points(rules: Ruleset, attributes: dict[str, int]) -> int:
    """Returns the extra Character Points of cyberpunk: ten, for physical attributes only and as far as these cost more than average
    (ruling: physical Perks are bought with credits)."""
    if rules.word("genre") != "cyberpunk":
        return 0
    return min(
        10, sum([max(0, attribute_cost(attributes.get(name, 0)).value - 1) for name in ("agility", "appearance", "build", "fitness")])
    )


@rule("sil-7.5.11-espionage")
def wealth_of_an_agency(rules: Ruleset, obligation: int = 1, wealth: int = 1) -> int:
    """Returns the Skill Points of Wealth that an agency pays in spy games: those of as many levels as the Obligation."""
    return min(obligation, wealth) if rules.word("genre") == "espionage" else 0


def genre_problems(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields what the campaign's genre does not allow a character to have."""
    row = profile(rules)
    if row is None:
        return
    named = IDS[row.genre]
    if row.realities and rules.word("reality") not in row.realities:
        message = f"the genre {row.genre} is {join(row.realities, 'or')}, but the campaign is {rules.word('reality')}"
        yield Problem(named, "genre", message, warning=True)
    yield from _skills(rules, row, named, character)
    yield from _perks(rules, row, named, character.perks)
    if row.needs_flaw and not character.flaws and not character.taken_in.habits:
        yield Problem(named, "flaws", f"every character in {row.genre} has at least one Flaw or Addiction", warning=True)


def _skills(rules: Ruleset, row: ProfileRow, named: str, character: Character) -> Iterator[Problem]:
    for name, value in character.complexity.items():
        if row.complexity is not None and value > row.complexity:
            repair = Repair(f"set it to {row.complexity}", "complexity", {**character.complexity, name: row.complexity})
            message = f"Complexity is limited to {row.complexity} in {row.genre}; {short(name)} has {value}"
            yield Problem(named, field_of("complexity", name), message, value - row.complexity, repair)
    for name, level in character.skills.items():
        base = known(rules, name).partition(" (")[0]
        if row.science is not None and base in SCIENCES and level > row.science:
            repair = Repair(f"set it to {row.science}", "skills", {**character.skills, name: row.science})
            message = f"sciences and medicine are limited to {row.science} in {row.genre}; {short(name)} has {level}"
            yield Problem(named, field_of("skills", name), message, level - row.science, repair)
        elif base in row.barred and level > 0:
            left = {text: value for text, value in character.skills.items() if text != name}
            repair = Repair("leave it out", "skills", left)
            yield Problem(named, field_of("skills", name), f"the skill {base} does not exist in {row.genre}", level, repair)


def _perks(rules: Ruleset, row: ProfileRow, named: str, perks: tuple[Trait, ...]) -> Iterator[Problem]:
    plain, count = msgspec.to_builtins(perks), 0
    for place, perk in enumerate(perks):
        barred = perk.name == "wealthy" and not row.wealth
        over = perk.name == "property" and row.property is not None and perk_cost(rules, perk).value > row.property
        if barred or over:
            repair = Repair("remove it", *without_place("perks", plain, place, count))
            limit = "is not available" if barred or not row.property else f"is limited to {row.property} points"
            yield Problem(named, f"perks.{place}", f"{perk.name.capitalize()} {limit} in {row.genre}", repair=repair)
            count += 1
        elif perk.name == "property" and row.noble_property is not None and perk_cost(rules, perk).value > row.noble_property:
            yield Problem(
                named, f"perks.{place}", "so much Property makes a character noble: the title may require Authority or Rank", warning=True
            )
