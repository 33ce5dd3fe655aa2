"""Point costs of a character, and repairs that save points (book lines 616-646, 2327-2340)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, Saving, cheapest, short, without_key, without_place
from rulewright.build.sheet_parts import Budget
from rulewright.grammar import count
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, total
from rulewright.systems.ore.build.audit.advantages import worth_of
from rulewright.systems.ore.build.audit.entries import changed
from rulewright.systems.ore.people.advantages import ADVANTAGES, advantage_cost, advantage_named
from rulewright.systems.ore.people.characters import (
    BUDGETS,
    FOCUS_COST,
    STATISTICS,
    Character,
    Owned,
    PowerSet,
    Special,
    from_packages,
    gear_of,
    lowest,
    points_allowed,
    skills_brought,
)
from rulewright.systems.ore.people.feats import HIGHEST_LEVEL, IDENTITIES, feat_cost, opened_by, paths
from rulewright.systems.ore.people.packages import (
    CHARTS,
    ELEMENT_POINT,
    PACKAGES,
    charted_statistics,
    element_points,
    package_cost,
    package_elements,
)
from rulewright.systems.ore.people.skills import element_cost, known_skill, skill_cost, written
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.costs import ENERGY_PRICE, row_cost
from rulewright.systems.ore.powers.repertoire import APPRENTICE

SIGNATURE = "signature weapon"


class Spent:
    """Points spent by category."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.archetype = rules.word("build") == "archetype"
        low = {name: lowest(rules, character, name) for name in STATISTICS}
        raised = {name: max(0, int(getattr(character.statistics, name)) - low[name]) for name in STATISTICS}
        self.statistics = {name: element_cost(rules, "statistic", points).value for name, points in raised.items() if points}
        self.focuses = FOCUS_COST * len(character.focuses)
        self.brought = skills_brought(rules, character)
        ratings = {**{name: 0 for name in character.special if written(rules, name) in self.brought}, **character.skills}
        self.skills = {name: self._skill(name, rating) for name, rating in ratings.items()}
        self.concentrations = {
            (discipline, name): skill_cost(rules, "concentration", max(0, level)).value
            for discipline, levels in character.concentrations.items()
            for name, level in levels.items()
        }
        self.advantages = [worth_of(rules, own) for own in character.advantages]
        self.feats = {name: self._feat(name, level) for name, level in character.feats.items()}
        self.powers = {place: powers_worth(rules, own) for place, own in enumerate(character.powers)}
        self.inherent = {place: own.level + own.limit for place, own in enumerate(character.inherent)}
        self.packages = {name: package_cost(rules, name).value for name in character.packages if name in PACKAGES(rules)}

    def _skill(self, name: str, rating: int) -> int:
        """The cost of a skill beyond its package, with promoted dice."""
        skill, brought = known_skill(self.rules, name), self.brought.get(written(self.rules, name), 0)
        if skill is None or max(rating, brought) < 1:
            return 0
        dice = self.character.special.get(name, Special())
        if skill.kind == "discipline":
            dice = Special()
        return skill_cost(self.rules, skill.kind, max(0, rating - brought), max(0, dice.expert), max(0, dice.master)).value

    def _feat(self, name: str, level: int) -> int:
        level = min(max(level, 0), HIGHEST_LEVEL)
        more = feat_cost(min(level, 3)).value * max(0, self.character.identities - 1) if name == IDENTITIES else 0
        return feat_cost(level).value + more

    def parts(self) -> dict[str, int]:
        """Points by category."""
        return {
            "statistics": sum(self.statistics.values()) + self.focuses,
            "skills": sum(self.skills.values()) + sum(self.concentrations.values()),
            "advantages": sum(self.advantages),
            "feats": sum(self.feats.values()),
            "powers": sum(self.powers.values()) + sum(max(0, points) for points in self.inherent.values()),
            "packages": sum(self.packages.values()),
        }

    @property
    def total(self) -> int:
        """All points."""
        return sum(self.parts().values())

    @property
    def elements(self) -> int:
        """Element Points spent on charts and packages."""
        bought = [package_elements(self.rules, name).value for name in self.packages]
        return sum(max(0, points) for points in self.character.elements.values()) + sum(bought)

    @property
    def allowed(self) -> int:
        """Points allowed."""
        return points_allowed(self.rules, self.character.points, self.character.built_for).value

    def budgets(self) -> tuple[Budget, ...]:
        """The budgets."""
        if not self.archetype:
            return (Budget(name="Points", rule="ore-2.01-point-cost", allowed=self.allowed, spent=self.total),)
        shares = tuple(
            Budget(name=f"{part.capitalize()} from Element Points", rule="ore-2.43-opt-archetype-build", allowed=allowed, spent=spent)
            for part, allowed, spent in self.shares()
        )
        whole = Budget(
            name="Element Points", rule="ore-2.43-opt-archetype-build", allowed=element_points(self.allowed), spent=self.elements
        )
        return (whole, *shares)

    def shares(self) -> list[tuple[str, int, int]]:
        """For each category what its Element Points buy and what was bought: statistics by the chart, everything else at five points
        each. The chart has no Focuses and powers; they count as advantages (ruling)."""
        elements, parts = self.character.elements, self.parts()
        parts["advantages"] += self.focuses + parts["powers"]
        own = sum(int(getattr(self.character.statistics, name)) - from_packages(self.rules, self.character, name) for name in STATISTICS)
        entries = [("statistics", charted_statistics(self.rules, elements.get("statistics", 0)).value, own)]
        return entries + [(part, ELEMENT_POINT * elements.get(part, 0), parts[part]) for part in ("skills", "advantages", "feats")]


@rule("ore-2.01-point-cost")
def points_spent(rules: Ruleset, character: Character) -> Derived[int]:
    """The total cost of a character: statistics, skills, promoted dice, advantages, feats, powers, packages."""
    spent = Spent(rules, character)
    terms = [Reason(part.capitalize(), points) for part, points in spent.parts().items() if points]
    return total("Points spent", *terms, rule="ore-2.01-point-cost")


def budget(rules: Ruleset, character: Character, spent: Spent) -> list[Problem]:
    """Checks points spent against points allowed."""
    problems: list[Problem] = []
    if character.points is not None:
        if character.points < 0:
            repair = Repair("use the default", "points", None)
            return [Problem("ore-2.01-point-cost", "points", f"{character.points} points are too few", 0, repair)]
        usual = points_allowed(rules, None, character.built_for).value
        most = usual if rules.number("points") else BUDGETS.get(rules, character.built_for or gear_of(rules)).most
        if not usual <= character.points <= most:
            between = f"{usual}" if usual == most else f"{usual} to {most}"
            message = f"{character.points} points instead of {between}; the Game Master must allow this"
            problems.append(Problem("ore-2.01-point-cost", "points", message, warning=True))
    if character.built_for and character.built_for != gear_of(rules):
        message = f"built for the Gear {character.built_for}, but this campaign uses {gear_of(rules)}"
        problems.append(Problem("ore-0.03-gears", "built_for", message, warning=True))
    if spent.archetype:
        return problems + _element_budget(rules, character, spent)
    over = spent.total - spent.allowed
    if over > 0:
        message = f"{spent.total} of {spent.allowed} points spent"
        problems.append(Problem("ore-2.01-point-cost", "points", message, over, cheapest(_savings(rules, character, spent, over), over)))
    return problems


def _worth(points: int) -> str:
    return count(points, "point")


def _savings(rules: Ruleset, character: Character, spent: Spent, over: int) -> Iterator[Saving[Repair]]:
    for name, points in spent.statistics.items():
        number = element_cost(rules, "statistic", 1).value
        value = int(getattr(character.statistics, name))
        lower = min(points // number, -(-over // number))  # as many as it takes, or all there are
        if lower > 0:
            text = f"lower {name.capitalize()} to {value - lower} ({_worth(lower * number)})"
            yield Saving(lower * number, 2, Repair(text, f"statistics.{name}", value - lower))
    plain = msgspec.to_builtins(character.advantages)
    for place, worth in enumerate(spent.advantages):
        if worth and not _opens_powers(rules, character, place):
            text = f"remove {short(character.advantages[place].name)} ({_worth(worth)})"
            yield Saving(worth, 3, Repair(text, *without_place("advantages", plain, place)))
            yield from _less_of(rules, character.advantages[place], place, over)
    for name, level in character.feats.items():
        for lower in range(min(level, HIGHEST_LEVEL) - 1, -1, -1):
            saved = spent.feats[name] - feat_cost(lower).value
            put = ("feats", changed(character.feats, name, lower)) if lower else without_key("feats", character.feats, name)
            if saved > 0:
                yield Saving(saved, 1, Repair(f"give up {name} above level {lower} ({_worth(saved)})", *put))
    yield from _fewer_powers(rules, character, spent)
    for name in character.special:
        skill = known_skill(rules, name)
        if skill is not None and skill.kind != "discipline":
            above = character.skills.get(name, 0) - spent.brought.get(written(rules, name), 0)
            saved = spent.skills.get(name, 0) - skill_cost(rules, skill.kind, max(0, above)).value
            if saved > 0:
                text = f"remove the promoted dice of {short(name)} ({_worth(saved)})"
                yield Saving(saved, 2, Repair(text, *without_key("special", character.special, name)))
    yield from _lower_skills(rules, character, spent, over)
    for discipline in character.concentrations:
        saved = sum(spent.concentrations[discipline, name] for name in character.concentrations[discipline])
        if saved and not character.feats:
            text = f"remove the Concentrations of {short(discipline)} ({_worth(saved)})"
            yield Saving(saved, 3, Repair(text, *without_key("concentrations", character.concentrations, discipline)))
    for name in character.focuses:
        text = f"remove the Focus of {name} ({_worth(FOCUS_COST)})"
        yield Saving(FOCUS_COST, 1, Repair(text, *without_key("focuses", character.focuses, name)))
    for place, name in enumerate(character.packages):
        cost = spent.packages.get(name, 0)
        if cost:  # what it brought of statistics stays, and must be paid for
            stays = sum(
                element_cost(rules, "statistic", item.rating).value for item in PACKAGES(rules)[name].items if item.buy == "statistic"
            )
            if cost > stays:
                text = f"remove the package {name} ({_worth(cost - stays)})"
                yield Saving(cost - stays, 5, Repair(text, *without_place("packages", character.packages, place)))


def _opens_powers(rules: Ruleset, character: Character, place: int) -> bool:
    """Whether powers depend on an advantage; they are removed first."""
    own = character.advantages[place]
    names = {powers.set.lower() for powers in character.powers}
    return advantage_named(rules, own.name) == APPRENTICE and (own.choice.lower() in names or (not own.choice and bool(names)))


def powers_worth(rules: Ruleset, own: PowerSet) -> int:
    """The cost of a developed power without Arcane Apprentice."""
    table = effects(rules)
    skills = sum(element_cost(rules, "power skill", max(0, rating)).value for rating in dict(own.skills).values())
    bought = sum(row_cost(rules, table[name]).value for name in own.effects if name in table)
    statistic = element_cost(rules, "power statistic", max(0, own.rating)).value
    return statistic + skills + bought + sum(max(0, level) for level in dict(own.own).values()) + ENERGY_PRICE * max(0, own.energy)


def _fewer_powers(rules: Ruleset, character: Character, spent: Spent) -> Iterator[Saving[Repair]]:
    """Savings on powers: effects, whole sets and inherent powers."""
    plain, table = msgspec.to_builtins(character.powers), effects(rules)
    for place, own in enumerate(character.powers):
        for at, name in enumerate(own.effects):
            if name in table:
                saved, put = row_cost(rules, table[name]).value, without_place(f"powers.{place}.effects", own.effects, at)
                yield Saving(saved, 2, Repair(f"remove {name} ({_worth(saved)})", *put))
        if saved := spent.powers[place]:
            text = f"remove the powers of {short(own.set)} ({_worth(saved)})"
            yield Saving(saved, 5, Repair(text, *without_place("powers", plain, place)))
    born = msgspec.to_builtins(character.inherent)
    for place, points in spent.inherent.items():
        if points > 0:
            text = f"remove {short(character.inherent[place].name)} ({_worth(points)})"
            yield Saving(points, 3, Repair(text, *without_place("inherent", born, place)))


def _less_of(rules: Ruleset, own: Owned, place: int, over: int) -> Iterator[Saving[Repair]]:
    """Savings on advantages with levels or sums of money."""
    row = ADVANTAGES(rules).get(advantage_named(rules, own.name))
    if row is None or own.points is not None or not (row.levels or row.advantage in ("income", "wealth")):
        return
    number = advantage_cost(rules, own.name).value
    lower = min(own.rating - row.low, -(-over // number))
    if lower > 0:
        text = f"lower {short(own.name)} to {own.rating - lower} ({_worth(lower * number)})"
        yield Saving(lower * number, 2, Repair(text, f"advantages.{place}.rating", own.rating - lower))


def _lower_skills(rules: Ruleset, character: Character, spent: Spent, over: int) -> Iterator[Saving[Repair]]:
    """Savings on skills, as far as other things do not depend on them."""
    for name, rating in character.skills.items():
        skill = known_skill(rules, name)
        if skill is None or not spent.skills[name]:
            continue
        number = skill_cost(rules, skill.kind, 1).value
        lower = min(rating - _resting_on(rules, character, spent, name), -(-over // number))
        if lower > 0:
            left = rating - lower
            put = ("skills", changed(character.skills, name, left)) if left else without_key("skills", character.skills, name)
            text = f"lower {short(name)} to {left}" if left else f"remove {short(name)}"
            yield Saving(lower * number, 2 if left else 4, Repair(f"{text} ({_worth(lower * number)})", *put))


def _resting_on(rules: Ruleset, character: Character, spent: Spent, name: str) -> int:
    """The minimum rating of a skill, because of packages, promoted dice, Concentrations, feats and a Signature Weapon."""
    dice, base = character.special.get(name, Special()), name.partition(":")[0].strip().lower()
    opened = [level for path, level in character.feats.items() if path in paths(rules) and base in opened_by(rules, path)]
    focused = [level - 2 for level in character.concentrations.get(name, {}).values()]
    signature = [3 for own in character.advantages if own.when.lower() == name.lower() and advantage_named(rules, own.name) == SIGNATURE]
    brought = spent.brought.get(written(rules, name), 0)
    return max(brought, dice.expert + dice.master, int(name in character.concentrations), *opened, *focused, *signature, 0)


def _element_budget(rules: Ruleset, character: Character, spent: Spent) -> list[Problem]:
    rule_id, problems = "ore-2.43-opt-archetype-build", []
    allowed, charted = element_points(spent.allowed), max(row.points for row in CHARTS(rules).values())
    for chart, points in character.elements.items():
        most = charted if chart == "upbringing" else allowed
        if points < 0 or (chart == "upbringing" and points > most):
            nearest_one = min(max(0, points), most)
            message = f"{short(chart)}: it is not possible to spend {count(points, 'Element Point')}"
            repair = Repair(f"set it to {nearest_one}", "elements", changed(character.elements, chart, nearest_one))
            problems.append(Problem(rule_id, f"elements.{chart}", message, abs(points - nearest_one), repair))
    if problems:
        return problems
    if spent.elements > allowed:
        message = f"{spent.elements} of {allowed} Element Points spent"
        dearest = max(character.elements, key=lambda chart: character.elements[chart], default="")
        less = (
            Repair(f"remove the package {short(character.packages[-1])}", "packages", list(character.packages[:-1]))
            if spent.packages
            else None
        )
        if dearest and character.elements[dearest]:
            fewer = max(0, character.elements[dearest] - (spent.elements - allowed))
            less = Repair(f"put {fewer} into {dearest}", "elements", changed(character.elements, dearest, fewer))
        return [Problem(rule_id, "elements", message, spent.elements - allowed, less)]
    for part, bought, used in spent.shares():
        if used > bought:
            message = f"{part.capitalize()} cost {used}, but its Element Points pay for {bought}"
            problems.append(
                Problem(rule_id, f"elements.{part}", message, used - bought, _share_repair(rules, character, spent, part, used - bought))
            )
    return problems


def _share_repair(rules: Ruleset, character: Character, spent: Spent, part: str, over: int) -> Repair | None:
    number = 1 if part == "statistics" else ELEMENT_POINT
    needed = -(-over // number)
    if spent.elements + needed <= element_points(spent.allowed):
        have = character.elements.get(part, 0)
        return Repair(f"put {needed} more Element Points into {part}", "elements", {**character.elements, part: have + needed})
    if part == "statistics":
        name = max(STATISTICS, key=lambda text: int(getattr(character.statistics, text)) - from_packages(rules, character, text))
        value = int(getattr(character.statistics, name))
        lower = max(1, value - over)
        return Repair(f"lower {name.capitalize()} to {lower}", f"statistics.{name}", lower) if value > 1 else None
    fields = {
        "skills": ("skills", "special", "concentrations"),
        "advantages": ("advantages", "focuses", "powers", "inherent"),
        "feats": ("feats",),
    }[part]
    result = cheapest([way for way in _savings(rules, character, spent, over) if way.repair.field.partition(".")[0] in fields], over)
    return result or (_whatever_it_opens(character, spent) if part == "skills" else None)


def _whatever_it_opens(character: Character, spent: Spent) -> Repair | None:
    """Removes the most expensive skill or Concentrations, even if something depends on it."""
    costs = {name: cost for name, cost in spent.skills.items() if cost and name in character.skills}
    if costs:
        dearest = max(costs, key=lambda name: costs[name])
        return Repair(f"remove {short(dearest)} ({_worth(costs[dearest])})", *without_key("skills", character.skills, dearest))
    for discipline in character.concentrations:
        return Repair(
            f"remove the Concentrations of {short(discipline)}", *without_key("concentrations", character.concentrations, discipline)
        )
    return None
