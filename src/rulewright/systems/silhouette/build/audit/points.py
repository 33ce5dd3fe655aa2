"""Spending of Character Points and Skill Points, and the change that saves the excess (book lines 943-1614)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, Saving, cheapest, short, with_key, without_place
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.genres.profiles import cybernetic_points, wealth_of_an_agency
from rulewright.systems.silhouette.people.characters import (
    HIGHEST_COMPLEXITY,
    HIGHEST_LEVEL,
    SPECIALIZATION_POINTS,
    Character,
    attributes_cost,
    character_points,
    skill_cost,
    skill_points,
    specialization_points,
)
from rulewright.systems.silhouette.people.races import Race, pools_of
from rulewright.systems.silhouette.people.traits import FLAW_PRICES, Kind, Trait, flaw_value, perk_cost


class Points:
    """How a beginner spent Character Points and Skill Points."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.cp, skills = character_points(rules, character.role).value, skill_points(rules, character.role).value
        if character.race is not None:
            self.cp, skills = _with_race(rules, character.race, self.cp, skills)
        self.cp += cybernetic_points(rules, character.attributes)
        self.cp_spent = attributes_cost(rules, character.attributes).value
        self.left = self.cp - self.cp_spent
        self.dice = min(max(0, character.emergency_dice), max(0, self.left))
        self.moved = max(0, self.left - self.dice)
        self.skills = {name: _priced(rules, character, name) for name in character.skills}
        special = specialization_points(sum(map(len, character.specializations.values()))).value
        self.each_perk = [_worth(rules, "perk", perk) for perk in character.perks]
        agency = sum([_worth(rules, "flaw", flaw) for flaw in character.flaws if flaw.name == "obligation"])
        wealth = sum([worth for perk, worth in zip(character.perks, self.each_perk, strict=True) if perk.name == "wealthy"])
        self.perks = sum(self.each_perk) - wealth_of_an_agency(rules, agency, wealth)
        self.flaws = sum(counted_flaws(rules, character.flaws))
        self.sp = skills + self.moved + self.flaws
        self.sp_spent = sum(self.skills.values()) + special + self.perks

    @property
    def over(self) -> int:
        """Returns the Skill Points overspent; negative for points left."""
        return self.sp_spent - self.sp


def _with_race(rules: Ruleset, race: Race, cp: int, sp: int) -> tuple[int, int]:
    """Returns both pools of a character with a race; an unpriceable race is reported separately."""
    try:
        return pools_of(rules, race, cp, sp)
    except UserError:
        return cp, sp


def _priced(rules: Ruleset, character: Character, name: str) -> int:
    """Returns the price of a skill; beyond the limits it stays at the limit's price, since that is reported separately."""
    level = min(HIGHEST_LEVEL, max(0, character.skills[name]))
    depth = min(HIGHEST_COMPLEXITY, max(1, character.complexity.get(name, 1)))
    return _cost(rules, level, depth if level else 1)


@cached(1024)
def _cost(rules: Ruleset, level: int, depth: int) -> int:
    return skill_cost(rules, level, depth).value


def _worth(rules: Ruleset, kind: Kind, trait: Trait) -> int:
    try:
        return (perk_cost if kind == "perk" else flaw_value)(rules, trait).value
    except UserError:  # reported by itself
        return 0


def counted_flaws(rules: Ruleset, flaws: Sequence[Trait]) -> list[int]:
    """Returns the points of each Flaw; only the first two Quirks count."""
    seen: dict[str, int] = {}
    values = []
    for flaw in flaws:
        seen[flaw.name] = seen.get(flaw.name, 0) + 1
        row = FLAW_PRICES(rules).get(flaw.name)
        counts = row is None or not row.counted or seen[flaw.name] <= row.counted
        values.append(_worth(rules, "flaw", flaw) if counts else 0)
    return values


@rule("sil-2.0-creation-sequence")
def points_left(rules: Ruleset, character: Character) -> Derived[int]:
    """Returns the Skill Points left; all must be spent, and they never become Emergency Dice."""
    points = Points(rules, character)
    terms = (
        term("Skill Points", skill_points(rules, character.role)),
        term("leftover Character Points", points.moved),
        term("Flaws", points.flaws),
        term("skills", points.sp_spent - points.perks, "−"),
        term("Perks", points.perks, "−"),
    )
    return total("Skill Points left", *terms, rule="sil-2.0-creation-sequence")


def skill_point_problems(character: Character, points: Points) -> Iterator[Problem]:
    """Yields overspent and unspent Skill Points."""
    if points.over > 0:
        message = f"{points.sp_spent} of {points.sp} Skill Points spent"
        ways = list(_savings(character, points))
        if all(way.points < points.over for way in ways) and (together := _lower_several(character, points.over)):
            repair = together
        else:
            cheaper = cheapest(ways, points.over)
            repair = cheaper() if cheaper else Repair("remove a Perk")
        yield Problem("sil-2.2.1-skill-points", "skills", message, points.over, repair)
    elif points.over < 0:
        message = f"{-points.over} of {points.sp} Skill Points are unspent; they cannot become Emergency Dice"
        yield Problem("sil-2.0-creation-sequence", "skills", message, warning=True)


def _savings(character: Character, points: Points) -> Iterator[Saving[Callable[[], Repair]]]:
    for skill, names in character.specializations.items():
        if names:
            yield Saving(SPECIALIZATION_POINTS, 1, _drop_specialization(character, skill, names))
    for skill, depth in character.complexity.items():
        depth = min(depth, HIGHEST_COMPLEXITY)
        for lower in range(depth - 1, 0, -1):
            saved = depth * depth - (lower * lower if lower > 1 else 0)
            if character.skills.get(skill, 0) > 0:
                yield Saving(saved, 1, _lower_skill(character.complexity, "complexity", skill, depth, lower=lower, saved=saved))
    for skill, level in character.skills.items():
        level = min(level, HIGHEST_LEVEL)
        for lower in range(level - 1, _lowest_level(character, skill) - 1, -1):
            saved = level * level - lower * lower
            yield Saving(saved, 2 if lower else 3, _lower_skill(character.skills, "skills", skill, level, lower=lower, saved=saved))
    for place, worth in enumerate(points.each_perk[:MOST_REPAIRS]):
        if worth:
            yield Saving(worth, 4, _drop_perk(character, place))


def _lower_several(character: Character, over: int) -> Repair | None:
    """Returns a repair that lowers several levels, the most expensive first, if no single change is enough."""
    levels = {skill: min(level, HIGHEST_LEVEL) for skill, level in character.skills.items()}
    least = {skill: _lowest_level(character, skill) for skill in levels}
    steps = [(2 * lower + 1, skill) for skill, level in levels.items() for lower in range(least[skill], level)]
    for saved, skill in sorted(steps, reverse=True):
        if saved >= over:
            saved, skill = min([(2 * now - 1, result) for result, now in levels.items() if now > least[result] and 2 * now - 1 >= over])
        levels[skill] -= 1
        over -= saved
        if over <= 0:
            break
    else:
        return None
    changed = [(skill, level, levels[skill]) for skill, level in character.skills.items() if levels[skill] < level]
    text = ", ".join([f"{short(skill).capitalize()} from {now} to {lower}" for skill, now, lower in changed])
    return Repair(f"lower {text}", "skills", {**character.skills, **{skill: lower for skill, _, lower in changed}})


def _lowest_level(character: Character, skill: str) -> int:
    """Returns the lowest level a skill can drop to: 1 if a specialization or Complexity depends on it."""
    return 1 if character.specializations.get(skill) or character.complexity.get(skill, 1) > 1 else 0


def _drop_specialization(character: Character, skill: str, names: Sequence[str]) -> Callable[[], Repair]:
    def repair() -> Repair:
        text = f"drop the {short(skill).capitalize()} specialization {short(names[-1])} ({SPECIALIZATION_POINTS} points)"
        everything = {result: list(those) for result, those in character.specializations.items()}
        return Repair(text, *with_key("specializations", everything, skill, list(names[:-1])))

    return repair


def _lower_skill(values: Mapping[str, int], part: str, skill: str, now: int, *, lower: int, saved: int) -> Callable[[], Repair]:
    def repair() -> Repair:
        what = " Complexity" if part == "complexity" else ""
        text = f"lower {short(skill).capitalize()}{what} from {now} to {lower} ({count(saved, 'point')})"
        return Repair(text, *with_key(part, values, skill, lower))

    return repair


def _drop_perk(character: Character, place: int) -> Callable[[], Repair]:
    def repair() -> Repair:
        name = character.perks[place].label()
        return Repair(f"remove {name}", *without_place("perks", msgspec.to_builtins(character.perks), place))

    return repair
