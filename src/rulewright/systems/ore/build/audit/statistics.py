"""Audit of packages, statistics and Statistic Focuses (book lines 616-760)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, short, without_key, without_place
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.build.audit.entries import MOST_ENTRIES
from rulewright.systems.ore.people.advantages import statistic_limit
from rulewright.systems.ore.people.characters import (
    STATISTICS,
    Character,
    Person,
    focuses_allowed,
    from_packages,
    highest_start,
    lowest,
    start,
)
from rulewright.systems.ore.people.packages import PACKAGES


def packages(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks that packages exist and are taken once."""
    for place, name in enumerate(character.packages[:MOST_ENTRIES]):
        if name not in PACKAGES(rules) or name in character.packages[:place]:
            again = name in PACKAGES(rules)
            message = f"the package {short(name)} is taken twice" if again else f"there is no package {short(name)!r}"
            repair = Repair("remove it", *without_place("packages", character.packages, place))
            yield Problem(
                "ore-2.44-packages", f"packages.{place}", message + ("" if again else nearest(name, PACKAGES(rules))), repair=repair
            )


def limits(rules: Ruleset, character: Character, statistic: str, born: Person) -> tuple[int, int]:
    """The lowest and highest starting value of a statistic."""
    bonus, gifted = from_packages(rules, character, statistic), born.has("preternatural statistic", statistic) > 0
    if rules.word("build") == "archetype":
        return max(1, 1 + bonus), statistic_limit(rules, start(rules, character.built_for).highest, gifted)
    return lowest(rules, character, statistic), highest_start(rules, bonus, character.built_for, gifted)


def as_created(rules: Ruleset, character: Character) -> Person:
    """The character before experience."""
    return Person.of(rules, msgspec.structs.replace(character, advancement=()))


def statistics(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks the starting values of statistics."""
    born = as_created(rules, character)
    for name in STATISTICS:
        value, (low, high) = int(getattr(character.statistics, name)), limits(rules, character, name, born)
        field = f"statistics.{name}"
        if value < low:
            message = f"{name.capitalize()} {value}: it must be at least {low}"
            yield Problem("ore-2.10-starting-statistics", field, message, low - value, Repair(f"raise it to {low}", field, low))
        elif value > max(low, high):
            rule_id = "ore-2.11-opt-more-non-human" if rules.on("more-non-human") else "ore-2.10-starting-statistics"
            message = f"{name.capitalize()} {value} is above the starting limit of {high}"
            yield Problem(rule_id, field, message, value - high, Repair(f"lower it to {high}", field, max(low, high)))


def focuses(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks the one-word Focuses of statistics."""
    rule_id, allowed = "ore-2.13-opt-statistic-focus", focuses_allowed(rules)
    for name, focus in list(character.focuses.items())[:MOST_ENTRIES]:
        field, drop = f"focuses.{name}", Repair("remove it", *without_key("focuses", character.focuses, name))
        if not allowed:
            yield Problem(rule_id, field, "this campaign has no Statistic Focuses (setting statistic-focuses)", 1, drop)
        elif name not in STATISTICS:
            yield Problem(rule_id, field, f"there is no statistic {short(name)!r}{nearest(name, STATISTICS)}", repair=drop)
        elif len(focus.split()) != 1:
            yield Problem(rule_id, field, f"a Focus is a single word, not {short(focus)!r}", repair=drop)
