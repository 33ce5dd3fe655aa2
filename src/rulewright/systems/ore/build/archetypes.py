"""A simple all-rounder for any rules."""

from rulewright.rules import Ruleset
from rulewright.systems.ore.people.characters import STATISTICS, Character, Statistics, points_allowed, start
from rulewright.systems.ore.people.packages import charted_statistics, element_points
from rulewright.systems.ore.people.skills import selection, skill_cost, starting_limit

_WISHES = {
    "broad and narrow": (
        "close combat",
        "perception",
        "athletics",
        "ranged combat",
        "social",
        "stealth",
        "medicine",
        "drive: cars",
        "education",
    ),
    "action": ("fight", "dodge", "spot", "shoot", "climbing", "convince", "running", "search", "lies", "drive: cars", "willpower", "art"),
    "discipline": ("close combat", "perception", "athletics", "ranged combat", "social", "stealth", "medicine", "education", "survival"),
}
"""Skills of an all-rounder in order of priority."""


def all_rounder(rules: Ruleset) -> Character:
    """A simple legal character: starting statistics, and skills while points last."""
    if rules.word("build") == "archetype":
        return _from_elements(rules)
    statistics = dict.fromkeys(STATISTICS, start(rules).start)
    skills = _learnt(rules, points_allowed(rules).value)
    return _named(Statistics(**statistics), skills, {})


def _from_elements(rules: Ruleset) -> Character:
    """Spends two fifths of the Element Points on statistics, the rest on skills."""
    points = element_points(points_allowed(rules).value)
    into = min(points * 2 // 5, 6 * (start(rules).highest - 1))
    pool = charted_statistics(rules, into).value
    statistics = dict.fromkeys(STATISTICS, 1)
    for step in range(max(0, pool - len(STATISTICS))):
        name = STATISTICS[step % len(STATISTICS)]
        if statistics[name] < start(rules).highest:
            statistics[name] += 1
    elements = {"statistics": into, "skills": points - into}
    return _named(Statistics(**statistics), _learnt(rules, 5 * (points - into)), elements)


def _learnt(rules: Ruleset, left: int) -> dict[str, int]:
    skills: dict[str, int] = {}
    for rating in range(1, starting_limit(rules) + 1):
        for wish in _WISHES[rules.word("skill-system")]:
            skill = selection(rules).get(wish.partition(":")[0])
            if skill is None:
                continue
            cost = skill_cost(rules, skill.kind, rating).value - skill_cost(rules, skill.kind, skills.get(wish, 0)).value
            if cost <= left:
                skills[wish] = rating
                left -= cost
    return skills


def _named(statistics: Statistics, skills: dict[str, int], elements: dict[str, int]) -> Character:
    concept = "an all-rounder"
    return Character("All-Rounder", concept=concept, statistics=statistics, skills=skills, elements=elements)
