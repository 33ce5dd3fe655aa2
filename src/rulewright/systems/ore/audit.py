"""Is a character legal? Every breach with its rule, the amount over and the smallest repair (book lines 616-871, 1560-1627, 2327-2340).

The order matters to whoever repairs from the top: first what is unknown or out of bounds, then what costs too much. Carrying out
the repairs one after another always ends with a legal character.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from rulewright.build import Audit, Problem, Repair
from rulewright.pieces import Budget
from rulewright.reasons import Derived, Reason, derive, term
from rulewright.rules import Ruleset, nearest, rule
from rulewright.systems.ore import combat_sheet
from rulewright.systems.ore.advancement import Standing, openers
from rulewright.systems.ore.advantages import (
    ADVANTAGES,
    DAMAGE_TYPES,
    PART_LIMIT,
    advantage_cost,
    most_income,
    most_wealth,
    parts_of,
    signature_allowed,
    statistic_limit,
)
from rulewright.systems.ore.characters import (
    FOCUS_COST,
    STATISTICS,
    Character,
    Owned,
    Person,
    Special,
    focuses_allowed,
    from_packages,
    gear_of,
    highest_start,
    points_allowed,
    start,
)
from rulewright.systems.ore.feats import HIGHEST_LEVEL, IDENTITIES, MOST_OF_A_KIND, feat_cost, highest_open, levels_known, paths
from rulewright.systems.ore.packages import ELEMENT_POINT, PACKAGES, charted_statistics, element_points, package_cost, package_elements
from rulewright.systems.ore.skills import (
    SPECIALIST,
    concentration_limit,
    element_cost,
    known_skill,
    most_promoted,
    selection,
    skill_cost,
    starting_limit,
)

MOST_ENTRIES = 200


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every problem of a character, and what was spent."""
    problems = [
        *_packages(rules, character),
        *_statistics(rules, character),
        *_focuses(rules, character),
        *_skills(rules, character),
        *_fields(rules, character),
        *_special(rules, character),
        *_concentrations(rules, character),
        *_advantages(rules, character),
        *_feats(rules, character),
        *combat_sheet.problems(rules, character),
    ]
    spent = Spent(rules, character)
    problems += _budget(rules, character, spent) if not problems or all(p.warning for p in problems) else []
    problems += _log(rules, character)
    return Audit(tuple(problems), spent.budgets())


def short(text: str, most: int = 40) -> str:
    """A text of any length, cut for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _without(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: msgspec.to_builtins(value) for name, value in mapping.items() if name != key}


def _with(mapping: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {name: value if name == key else msgspec.to_builtins(old) for name, old in mapping.items()}


# --- what stands in the file --------------------------------------------------------------------------------------------------


def _packages(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for place, name in enumerate(character.packages[:MOST_ENTRIES]):
        if name not in PACKAGES(rules) or name in character.packages[:place]:
            rest = [other for at, other in enumerate(character.packages) if at != place]
            again = name in PACKAGES(rules)
            message = f"the package {short(name)} is taken twice" if again else f"there is no package {short(name)!r}"
            repair = Repair("leave it out", "packages", rest)
            yield Problem(
                "ore-2.44-packages", f"packages.{place}", message + ("" if again else nearest(name, PACKAGES(rules))), repair=repair
            )


def limits(rules: Ruleset, character: Character, statistic: str) -> tuple[int, int]:
    """The lowest and the highest that a statistic can be at creation."""
    bonus = from_packages(rules, character, statistic)
    if rules.word("build") == "archetype":
        return 1, statistic_limit(rules, start(rules, character.built_for).highest, _preternatural(rules, character, statistic))
    highest = statistic_limit(rules, highest_start(rules, bonus, character.built_for), _preternatural(rules, character, statistic))
    return start(rules, character.built_for).start + bonus, highest


def _preternatural(rules: Ruleset, character: Character, statistic: str) -> bool:
    return Person.of(rules, msgspec.structs.replace(character, advancement=())).has("preternatural statistic", statistic) > 0


def _statistics(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for name in STATISTICS:
        value, (low, high) = int(getattr(character.statistics, name)), limits(rules, character, name)
        field = f"statistics.{name}"
        if value < low:
            message = f"{name.capitalize()} {value}: it starts at {low}"
            yield Problem("ore-2.10-starting-statistics", field, message, low - value, Repair(f"raise it to {low}", field, low))
        elif value > max(low, high):
            rule_id = "ore-2.11-opt-more-non-human" if rules.on("more-non-human") else "ore-2.10-starting-statistics"
            message = f"{name.capitalize()} {value} is above the starting limit of {high}"
            yield Problem(rule_id, field, message, value - high, Repair(f"lower it to {high}", field, max(low, high)))


def _focuses(rules: Ruleset, character: Character) -> Iterator[Problem]:
    rule_id, allowed = "ore-2.13-opt-statistic-focus", focuses_allowed(rules)
    for name, focus in list(character.focuses.items())[:MOST_ENTRIES]:
        field, drop = f"focuses.{name}", Repair("leave it out", "focuses", _without(character.focuses, name))
        if not allowed:
            yield Problem(rule_id, field, "this campaign has no Statistic Focuses (setting statistic-focuses)", 1, drop)
        elif name not in STATISTICS:
            yield Problem(rule_id, field, f"there is no statistic {short(name)!r}{nearest(name, STATISTICS)}", repair=drop)
        elif len(focus.split()) != 1:
            yield Problem(rule_id, field, f"a Focus is a single word, not {short(focus)!r}", repair=drop)


def _skills(rules: Ruleset, character: Character) -> Iterator[Problem]:
    limit = starting_limit(rules)
    seen: set[str] = set()
    for name, rating in list(character.skills.items())[:MOST_ENTRIES]:
        field, skill = f"skills.{name}", known_skill(rules, name)
        drop = Repair("leave it out", "skills", _without(character.skills, name))
        key = name.lower() if skill is None or skill.subject else skill.name
        if skill is None:
            base = name.partition(":")[0].strip().lower()
            row = SPECIALIST(rules).get(base)
            if row is not None and row.subject and ":" not in name:
                message = f"{short(name)} is bought for a subject: {base}: something"
                yield Problem("ore-3.04-specialist-skill-list", field, message, repair=drop)
            else:
                message = f"there is no skill {short(name)!r} in this campaign{nearest(base, selection(rules))}"
                yield Problem("ore-3.03-skill-list", field, message, repair=drop)
        elif key in seen:
            yield Problem("ore-3.03-skill-list", field, f"{short(name)} stands there twice", repair=drop)
        elif key != name:
            fixed = {(key if other == name else other): value for other, value in character.skills.items()}
            repair = Repair(f"write {key}", "skills", fixed) if key not in character.skills else drop
            yield Problem("ore-3.03-skill-list", field, f"{short(name)} is called {key} here", repair=repair)
        elif rating > limit:
            message = f"{name.capitalize()} {rating} is above the starting limit of {limit}"
            repair = Repair(f"lower it to {limit}", "skills", _with(character.skills, name, limit))
            yield Problem("ore-2.10-skill-cap-at-creation", field, message, rating - limit, repair)
        elif rating < 0:
            yield Problem("ore-2.04-broad-narrow-skills", field, f"{name.capitalize()}: a skill begins at 1", -rating, drop)
        seen.add(key)


def _fields(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Three Narrow Skills of one field are as dear as the Broad one, and stand for it."""
    fields: dict[str, list[str]] = {}
    for name, rating in character.skills.items():
        skill = known_skill(rules, name)
        if skill is not None and skill.kind == "narrow" and rating > 0:
            fields.setdefault(skill.field, []).append(name)
    for broad, narrow in fields.items():
        if len(narrow) > 2:
            lowest = min(narrow, key=lambda name: character.skills[name])
            rating = max(1, min(starting_limit(rules), character.skills[lowest]))
            kept = {name: value for name, value in character.skills.items() if name not in narrow}
            kept[broad] = max(rating, character.skills.get(broad, 0))
            message = f"three Narrow Skills of {broad.capitalize()} ({', '.join(narrow)}) come to the Broad Skill"
            repair = Repair(f"cash them in for {broad} {kept[broad]}", "skills", kept)
            yield Problem("ore-2.04-broad-narrow-skills", f"skills.{narrow[-1]}", message, len(narrow) - 2, repair)


def _special(rules: Ruleset, character: Character) -> Iterator[Problem]:
    rule_id = "ore-2.12-buying-special-dice"
    for name, dice in list(character.special.items())[:MOST_ENTRIES]:
        field, rating, skill = f"special.{name}", character.skills.get(name, 0), known_skill(rules, name)
        drop = Repair("leave them out", "special", _without(character.special, name))
        if skill is None or rating < 1:
            yield Problem(rule_id, field, f"{short(name)}: only dice of a skill that was bought can be promoted", repair=drop)
            continue
        if skill.kind == "discipline":
            yield Problem("ore-3.02-opt-disciplines", field, f"{short(name)}: Special Dice come from Concentrations", repair=drop)
            continue
        if min(dice.expert, dice.master) < 0 or dice == Special():
            yield Problem(rule_id, field, f"{short(name)}: {dice.expert} Expert and {dice.master} Master Dice", repair=drop)
            continue
        most, masters = most_promoted(rules, rating)
        fewer = Special(min(dice.expert, most - min(dice.master, masters, most)), min(dice.master, masters, most))
        if fewer != dice:
            over = dice.expert + dice.master - fewer.expert - fewer.master
            message = f"{name.capitalize()}: {most} of its dice can be promoted, {masters} of them to Master Dice"
            left = (
                drop
                if fewer == Special()
                else Repair("promote fewer", "special", _with(character.special, name, msgspec.to_builtins(fewer)))
            )
            yield Problem(rule_id, field, message, max(1, over), left)


def _concentrations(rules: Ruleset, character: Character) -> Iterator[Problem]:
    rule_id, limit = "ore-3.02-opt-disciplines", starting_limit(rules)
    for discipline, levels in list(character.concentrations.items())[:MOST_ENTRIES]:
        drop = Repair("leave them out", "concentrations", _without(character.concentrations, discipline))
        rating = character.skills.get(discipline, 0)
        field = f"concentrations.{discipline}"
        if rules.word("skill-system") != "discipline":
            yield Problem(rule_id, field, "this campaign has no Concentrations (setting skill-system)", repair=drop)
            continue
        if rating < 1:
            yield Problem(rule_id, field, f"{short(discipline)} is no Discipline that was bought", repair=drop)
            continue
        most = min(limit, concentration_limit(rating))
        for name, level in list(levels.items())[:MOST_ENTRIES]:
            if not 1 <= level <= most:
                put = {other: min(max(1, value), most) if other == name else value for other, value in levels.items()}
                repair = Repair(f"set it to {min(max(1, level), most)}", "concentrations", _with(character.concentrations, discipline, put))
                message = f"{short(name).capitalize()} {level}: under {discipline} {rating} a new Concentration goes from 1 to {most}"
                yield Problem(rule_id, f"{field}.{name}", message, abs(level - most), repair)


def _advantages(rules: Ruleset, character: Character) -> Iterator[Problem]:
    plain = msgspec.to_builtins(character.advantages)
    person = Person.of(rules, msgspec.structs.replace(character, advancement=()))
    for place, own in enumerate(character.advantages[:MOST_ENTRIES]):
        rest = [other for at, other in enumerate(plain) if at != place]
        for rule_id, part, message, over, value in _advantage(rules, person, own):
            field = f"advantages.{place}" + (f".{part}" if part else "")
            repair = Repair("leave it out", "advantages", rest) if value is None else Repair(f"set it to {value}", field, value)
            yield Problem(rule_id, field, message, over, repair)
            break  # one thing at a time: what is mended may mend the others
        if own.name in ONCE and any(_same(other, own) for other in character.advantages[:place]):
            repair = Repair("leave it out", "advantages", rest)
            yield Problem("ore-2.14-advantages-general", f"advantages.{place}", f"{own.name.capitalize()} is bought twice", 1, repair)


ONCE_EACH = {"preternatural statistic", "signature weapon"}
"""What can be bought again for another choice only."""
ONCE = {"lucky", "ambidextrous", "low light vision", "preternatural vision", "fast recovery", "income", "wealth", *ONCE_EACH}
"""What a second purchase adds nothing to."""


def _same(other: Owned, own: Owned) -> bool:
    return other.name == own.name and (own.name not in ONCE_EACH or other.choice.lower() == own.choice.lower())


def _advantage(rules: Ruleset, person: Person, own: Owned) -> Iterator[tuple[str, str, str, int, Any]]:
    """What is wrong with an advantage: rule, field, message, how much over, and the value that mends it (None: leave it out)."""
    label, row = short(own.name).capitalize(), ADVANTAGES(rules).get(own.name)
    if row is None:
        if own.points is None or own.points < 0:
            near = nearest(own.name, ADVANTAGES(rules))
            yield (
                "ore-2.14-advantage-list",
                "",
                f"there is no advantage {short(own.name)!r}; one of your own needs its points{near}",
                0,
                None,
            )
        return
    if own.points is not None and own.points < 0:
        yield row.rule, "points", f"{label}: an advantage costs something", -own.points, 0
    if row.parts:
        yield from _parts(rules, own, row.parts)
        return
    if not row.low <= own.rating <= row.high:
        nearest_one = min(max(own.rating, row.low), row.high)
        yield row.rule, "rating", f"{label} {own.rating}: it goes from {row.low} to {row.high}", abs(own.rating - nearest_one), nearest_one
    if own.name == "wealth" and own.rating > most_wealth(rules):
        yield (
            row.rule,
            "rating",
            f"Wealth {own.rating}: no more than {most_wealth(rules)} at creation",
            own.rating - most_wealth(rules),
            most_wealth(rules),
        )
    if own.name == "income" and own.attached:
        attached = sum(_worth(rules, other) for other in person.advantages if other.name == own.attached)
        if own.rating > most_income(attached):
            message = f"Income {own.rating} comes from {short(own.attached)}, which has {attached} points"
            yield row.rule, "rating", message, own.rating - attached, attached or None
    if own.name == "preternatural statistic" and own.choice not in STATISTICS:
        yield row.rule, "choice", f"{label}: name one of the six statistics", 0, "body"
    if own.name == "preternatural resistance" and own.choice not in DAMAGE_TYPES(rules):
        yield row.rule, "choice", f"{label}: name a type of damage ({', '.join(DAMAGE_TYPES(rules))})", 0, "impact"
    if own.name == "preternatural skill":
        yield from _gift(rules, own, row.rule, label)
    if own.name == "signature weapon":
        skill = person.skills.get(own.when.lower(), 0)
        if not signature_allowed(skill):
            message = f"{label}: the Weapon Skill (in `when`) must be 3, {short(own.when) or 'it'} is {skill}"
            yield row.rule, "when", message, 3 - skill, None
    if row.takes and not own.choice:
        yield row.rule, "choice", f"{label}: it says nothing about the {row.takes}", 0, None


def _gift(rules: Ruleset, own: Owned, rule_id: str, label: str) -> Iterator[tuple[str, str, str, int, Any]]:
    skill = known_skill(rules, own.choice)
    if skill is None:
        yield rule_id, "choice", f"{label}: there is no skill {short(own.choice)!r}", 0, None
        return
    if rules.word("skill-system") == "action":
        if own.rating not in (2, 4):
            yield "ore-2.35-preternatural-skill-action", "rating", f"{label}: it costs 2 or 4 points with these skills", 0, 2
        return
    if own.rating == 1 and not own.when:
        yield rule_id, "when", f"{label}: for one point it helps in one circumstance, which must be named", 0, None
    elif own.rating in (2, 3) and skill.kind in ("broad", "discipline"):
        yield rule_id, "rating", f"{label}: on a Broad Skill it costs 4 or 5", 0, own.rating + 2
    elif own.rating in (4, 5) and skill.kind in ("narrow", "specialist"):
        yield rule_id, "rating", f"{label}: on a Narrow Skill it costs 2 or 3", 0, own.rating - 2


def _parts(rules: Ruleset, own: Owned, names: tuple[str, ...]) -> Iterator[tuple[str, str, str, int, Any]]:
    first, second = parts_of(rules, own.name, own.rating, own.first, own.second)
    simplified = rules.on("simplified-advantages") and ADVANTAGES(rules)[own.name].simplified
    rule_id, label = ADVANTAGES(rules)[own.name].rule, short(own.name).capitalize()
    for field, part, value in (("first", names[0], first), ("second", names[1], second)):
        if not 0 <= value <= PART_LIMIT:
            where = "rating" if simplified and not own.first and not own.second else field
            yield (
                rule_id,
                where,
                f"{label}, {part} {value}: each part goes from 0 to {PART_LIMIT}",
                abs(value - PART_LIMIT),
                min(max(value, 1), PART_LIMIT),
            )
    if first + second < 1:
        yield rule_id, "first", f"{label}: neither {names[0]} nor {names[1]} was bought", 0, None


def _worth(rules: Ruleset, own: Owned) -> int:
    if own.points is not None:
        return max(0, own.points)
    if own.name not in ADVANTAGES(rules):
        return 0
    return max(0, advantage_cost(rules, own.name, own.rating, own.first, own.second).value)


def _feats(rules: Ruleset, character: Character) -> Iterator[Problem]:
    rule_id = "ore-2.06-feats-general"
    person = Person.of(rules, msgspec.structs.replace(character, advancement=()))
    for name, level in list(character.feats.items())[:MOST_ENTRIES]:
        field, drop = f"feats.{name}", Repair("leave it out", "feats", _without(character.feats, name))
        if name not in paths(rules):
            message = f"there is no path of feats {short(name)!r}{nearest(name, paths(rules))}"
            yield Problem("ore-3.09-broad-feat-list", field, message, repair=drop)
            continue
        opened = min(HIGHEST_LEVEL, highest_open(rules, openers(rules, person), name))
        if not 0 <= level <= opened:
            repair = drop if opened < 1 or level < 0 else Repair(f"lower it to {opened}", "feats", _with(character.feats, name, opened))
            by = " or ".join(dict.fromkeys(paths(rules)[name].opened_by))
            message = f"{name} {level}: {by} opens it, and only to level {opened}"
            yield Problem("ore-3.08-feat-purchase", field, message, max(0, level - opened), repair)
    for kind, number in levels_known(rules, character.feats).items():
        if number > MOST_OF_A_KIND:
            path = next(name for name in reversed(character.feats) if name in paths(rules) and paths(rules)[name].kind == kind)
            fewer = character.feats[path] - min(character.feats[path], number - MOST_OF_A_KIND)
            put = _with(character.feats, path, fewer) if fewer else _without(character.feats, path)
            message = f"{number} {kind} feats: nobody knows more than {MOST_OF_A_KIND}"
            yield Problem(rule_id, "feats", message, number - MOST_OF_A_KIND, Repair(f"give up levels of {path}", "feats", put))
    if character.identities != 1 and (character.identities < 1 or IDENTITIES not in character.feats):
        message = f"{character.identities} identities: they belong to the path {IDENTITIES}"
        yield Problem("ore-3.09-broad-feat-list", "identities", message, repair=Repair("set it to 1", "identities", 1))


# --- what it costs ------------------------------------------------------------------------------------------------------------


class Spent:
    """What a character's points went into, part by part."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.archetype = rules.word("build") == "archetype"
        low = {name: start(rules, character.built_for).start + from_packages(rules, character, name) for name in STATISTICS}
        raised = {name: max(0, int(getattr(character.statistics, name)) - low[name]) for name in STATISTICS}
        self.statistics = {name: element_cost(rules, "statistic", points).value for name, points in raised.items() if points}
        self.focuses = FOCUS_COST * len(character.focuses)
        self.skills = {name: self._skill(name, rating) for name, rating in character.skills.items()}
        self.concentrations = {
            (discipline, name): skill_cost(rules, "concentration", max(0, level)).value
            for discipline, levels in character.concentrations.items()
            for name, level in levels.items()
        }
        self.advantages = [_worth(rules, own) for own in character.advantages]
        self.feats = {name: self._feat(name, level) for name, level in character.feats.items()}
        self.packages = {name: package_cost(rules, name).value for name in character.packages if name in PACKAGES(rules)}

    def _skill(self, name: str, rating: int) -> int:
        skill = known_skill(self.rules, name)
        if skill is None or rating < 1:
            return 0
        dice = self.character.special.get(name, Special())
        if skill.kind == "discipline":
            dice = Special()
        return skill_cost(self.rules, skill.kind, rating, max(0, dice.expert), max(0, dice.master)).value

    def _feat(self, name: str, level: int) -> int:
        level = min(max(level, 0), HIGHEST_LEVEL)
        more = feat_cost(min(level, 3)).value * max(0, self.character.identities - 1) if name == IDENTITIES else 0
        return feat_cost(level).value + more

    def parts(self) -> dict[str, int]:
        """Points by part."""
        return {
            "statistics": sum(self.statistics.values()) + self.focuses,
            "skills": sum(self.skills.values()) + sum(self.concentrations.values()),
            "advantages": sum(self.advantages),
            "feats": sum(self.feats.values()),
            "packages": sum(self.packages.values()),
        }

    @property
    def total(self) -> int:
        """All points."""
        return sum(self.parts().values())

    @property
    def elements(self) -> int:
        """All Element Points: what was put into charts, and packages."""
        bought = [package_elements(self.rules, name).value for name in self.packages]
        return sum(max(0, points) for points in self.character.elements.values()) + sum(bought)

    @property
    def allowed(self) -> int:
        """The points there are."""
        return points_allowed(self.rules, self.character.points, self.character.built_for).value

    def budgets(self) -> tuple[Budget, ...]:
        """Allowed and spent."""
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
        """Part by part what its Element Points buy, and what was bought: statistics by the chart, everything else at five points each."""
        elements, parts = self.character.elements, self.parts()
        own = sum(int(getattr(self.character.statistics, name)) - from_packages(self.rules, self.character, name) for name in STATISTICS)
        found = [("statistics", charted_statistics(self.rules, elements.get("statistics", 0)).value, own)]
        return found + [(part, ELEMENT_POINT * elements.get(part, 0), parts[part]) for part in ("skills", "advantages", "feats")]


@rule("ore-2.01-point-cost")
def points_spent(rules: Ruleset, character: Character) -> Derived[int]:
    """What a character costs: statistics above their start, skills and promoted dice, advantages, feats, packages."""
    spent = Spent(rules, character)
    terms = [Reason(part.capitalize(), points) for part, points in spent.parts().items() if points]
    return derive(spent.total, "Points spent", *terms, term("of", spent.allowed, "≤"), rule="ore-2.01-point-cost")


class _Saving(NamedTuple):
    points: int
    hurts: int
    repair: Repair


def _budget(rules: Ruleset, character: Character, spent: Spent) -> list[Problem]:
    found: list[Problem] = []
    if character.points is not None:
        if character.points < 0:
            repair = Repair("take the usual", "points", None)
            return [Problem("ore-2.01-point-cost", "points", f"nobody is built with {character.points} points", 0, repair)]
        usual = points_allowed(rules, None, character.built_for).value
        if character.points != usual:
            message = f"{character.points} points instead of {usual}: the Game Master must have granted them"
            found.append(Problem("ore-2.01-point-cost", "points", message, warning=True))
    if character.built_for and character.built_for != gear_of(rules):
        message = f"built for the Gear {character.built_for}, and this campaign is {gear_of(rules)}"
        found.append(Problem("ore-0.03-gears", "built_for", message, warning=True))
    if spent.archetype:
        return found + _element_budget(rules, character, spent)
    over = spent.total - spent.allowed
    if over > 0:
        message = f"{spent.total} of {spent.allowed} points spent"
        found.append(Problem("ore-2.01-point-cost", "points", message, over, _cheaper(rules, character, spent, over)))
    return found


def _cheaper(rules: Ruleset, character: Character, spent: Spent, over: int) -> Repair | None:
    """The one change that saves what is over and as little more as possible, or else the one that saves the most."""
    ways = list(_savings(rules, character, spent))
    enough = [way for way in ways if way.points >= over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair
    return max(ways, key=lambda way: (way.points, -way.hurts)).repair if ways else None


def _savings(rules: Ruleset, character: Character, spent: Spent) -> Iterator[_Saving]:
    for name, points in spent.statistics.items():
        each = element_cost(rules, "statistic", 1).value
        value = int(getattr(character.statistics, name))
        for lower in range(1, points // each + 1):
            text = f"lower {name.capitalize()} to {value - lower} ({lower * each} points)"
            yield _Saving(lower * each, 2, Repair(text, f"statistics.{name}", value - lower))
    for place, worth in enumerate(spent.advantages):
        rest = [other for at, other in enumerate(msgspec.to_builtins(character.advantages)) if at != place]
        if worth:
            name = short(character.advantages[place].name)
            yield _Saving(worth, 3, Repair(f"do without {name} ({worth} points)", "advantages", rest))
    for name, level in character.feats.items():
        for lower in range(level - 1, -1, -1):
            saved = spent.feats[name] - feat_cost(lower).value
            put = _with(character.feats, name, lower) if lower else _without(character.feats, name)
            if saved > 0:
                yield _Saving(saved, 1, Repair(f"give up {name} above level {lower} ({saved} points)", "feats", put))
    for name in character.special:
        skill = known_skill(rules, name)
        if skill is not None and skill.kind != "discipline":
            bare = skill_cost(rules, skill.kind, character.skills.get(name, 0)).value
            saved = spent.skills.get(name, 0) - bare
            if saved > 0:
                text = f"do without the promoted dice of {short(name)} ({saved} points)"
                yield _Saving(saved, 2, Repair(text, "special", _without(character.special, name)))
    for name, cost in spent.skills.items():
        opens = {opener for path in character.feats if path in paths(rules) for opener in paths(rules)[path].opened_by}
        if cost and name not in character.special and name not in character.concentrations and name.partition(":")[0] not in opens:
            yield _Saving(cost, 4, Repair(f"do without {short(name)} ({cost} points)", "skills", _without(character.skills, name)))
    for discipline in character.concentrations:
        saved = sum(spent.concentrations[discipline, name] for name in character.concentrations[discipline])
        if saved and not character.feats:
            text = f"do without the Concentrations of {short(discipline)} ({saved} points)"
            yield _Saving(saved, 3, Repair(text, "concentrations", _without(character.concentrations, discipline)))
    for name in character.focuses:
        text = f"do without the Focus of {name} ({FOCUS_COST} points)"
        yield _Saving(FOCUS_COST, 1, Repair(text, "focuses", _without(character.focuses, name)))
    for place, name in enumerate(character.packages):
        rest = [other for at, other in enumerate(character.packages) if at != place]
        cost = spent.packages.get(name, 0)
        if cost and not any(item.buy == "statistic" for item in PACKAGES(rules)[name].items):
            yield _Saving(cost, 5, Repair(f"do without the package {name} ({cost} points)", "packages", rest))


def _element_budget(rules: Ruleset, character: Character, spent: Spent) -> list[Problem]:
    rule_id, found = "ore-2.43-opt-archetype-build", []
    allowed = element_points(spent.allowed)
    for chart, points in character.elements.items():
        if points < 0:
            message = f"{short(chart)}: {points} Element Points cannot be spent"
            found.append(
                Problem(
                    rule_id, f"elements.{chart}", message, repair=Repair("set it to 0", "elements", _with(character.elements, chart, 0))
                )
            )
    if found:
        return found
    if spent.elements > allowed:
        message = f"{spent.elements} of {allowed} Element Points spent"
        most = max(character.elements, key=lambda chart: character.elements[chart], default="")
        repair = None
        if most and character.elements[most]:
            fewer = max(0, character.elements[most] - (spent.elements - allowed))
            repair = Repair(f"put {fewer} into {most}", "elements", _with(character.elements, most, fewer))
        return [Problem(rule_id, "elements", message, spent.elements - allowed, repair)]
    for part, bought, used in spent.shares():
        if used > bought:
            message = f"{part.capitalize()}: {used} where the Element Points in it buy {bought}"
            found.append(
                Problem(rule_id, f"elements.{part}", message, used - bought, _share_repair(rules, character, spent, part, used - bought))
            )
    return found


def _share_repair(rules: Ruleset, character: Character, spent: Spent, part: str, over: int) -> Repair | None:
    each = 1 if part == "statistics" else ELEMENT_POINT
    needed = -(-over // each)
    if spent.elements + needed <= element_points(spent.allowed):
        have = character.elements.get(part, 0)
        return Repair(f"put {needed} more Element Points into {part}", "elements", {**character.elements, part: have + needed})
    if part == "statistics":
        name = max(STATISTICS, key=lambda each: int(getattr(character.statistics, each)) - from_packages(rules, character, each))
        value = int(getattr(character.statistics, name))
        return Repair(f"lower {name.capitalize()} to {value - 1}", f"statistics.{name}", value - 1) if value > 1 else None
    fields = {"skills": ("skills", "special", "concentrations"), "advantages": ("advantages",), "feats": ("feats",)}[part]
    ways = [way for way in _savings(rules, character, spent) if way.repair.field in fields]
    enough = [way for way in ways if way.points >= over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair
    return max(ways, key=lambda way: way.points).repair if ways else None


# --- the log ------------------------------------------------------------------------------------------------------------------


def _log(rules: Ruleset, character: Character) -> Iterator[Problem]:
    log, plain = Standing(rules, character), msgspec.to_builtins(character.advancement)
    for place, entry in enumerate(character.advancement[:MOST_ENTRIES]):
        for fault in log.take(entry):
            field = f"advancement.{place}" + (f".{fault.field}" if fault.field else "")
            if fault.field:
                repair = Repair(fault.repair, field, fault.value)
            else:
                repair = Repair(fault.repair, "advancement", [other for at, other in enumerate(plain) if at != place])
            yield Problem(fault.rule, field, fault.message, fault.over, repair, fault.warning)
