"""Careers: yearly rolls that fill the pools, an option (book lines 1951-1957, 2001-2003).

The format of a career is missing in print; it is that of an older edition of the author.
"""

from rulewright.play import Event, Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, derive, remark, term, total
from rulewright.systems.hybrid.people.characters import Career, Year
from rulewright.systems.hybrid.people.traits import CAREERS, VARIATIONS
from rulewright.systems.hybrid.resolution.tests import Check, Degree, skill_check

DISASTERS = (Degree.NOTABLE_FAILURE, Degree.VERY_NOTABLE_FAILURE, Degree.AMAZING_FAILURE)
"""The failures that undo as much as a success brings: what the older edition calls critical (ruling)."""
A_CAREER = Career("Law Enforcement Officer", (Year(8, 3000, 1), Year(8, 0, 1), Year(0, 3000, 1)))


class YearPassed(Event, frozen=True):
    """What a year brought."""

    name: str
    career: str
    year: Year

    def headline(self) -> str:
        brought = f"{self.year.development:+} points, {self.year.money} in money, {self.year.status:+} status"
        return f"{self.name or 'somebody'}: a year as {self.career}, {brought}"

    def tone(self) -> str:
        return "bad" if self.year.development < 0 else "good" if self.year.development else "plain"


@rule("hyb-11-careers")
def career_year(rules: Ruleset, career: str = "Law Enforcement Officer", paw: int = 12, maw: int = 12, by: str = "") -> Play[Year]:
    """A year in a career: three rolls on the better awareness for development, wealth and status, each at the career's modifier.

    A success brings the career's points, its money, or one of status; a disaster on the first roll costs the points instead."""
    row = CAREERS.get(rules, career)
    got = []
    for what, modifier in zip(("personal development", "wealth", "status"), row.rolls, strict=True):
        got.append((yield from skill_check(rules, Check(max(paw, maw) + modifier), by, f"{career}: {what}")))
    first, second, third = got
    development = row.points if first.success else -row.points if first in DISASTERS else 0
    year = Year(development, row.money if second.success else 0, int(third.success))
    yield from Tell(YearPassed(by, career, year))
    return year


@rule("hyb-11-careers")
def career_gains(rules: Ruleset, career: Career = A_CAREER) -> dict[str, Derived[int]]:
    """Sums all years of a career: its points for the skill pool, its money, and its points for the community pool.

    Money stays money (ruling): no rate between it and wealth points is printed.
    """
    sums = {
        "skill": sum(year.development for year in career.years),
        "money": sum(year.money for year in career.years),
        "community": sum(year.status for year in career.years),
    }
    years = remark(f"{len(career.years)} years as {career.career}", rule="hyb-11-careers", source="stand-in")
    return {
        what: total(f"{career.career}: {what}", term("all years", value), years, rule="hyb-11-careers", source="stand-in")
        for what, value in sums.items()
    }


@rule("hyb-11-careers")
def career_title(rules: Ruleset, career: str = "Law Enforcement Officer", status: int = 5) -> str:
    """The rank that so much status in a career has brought; nothing for a beginner or an unlisted career."""
    row = CAREERS(rules).get(career)
    reached = [(needs, title) for title, needs in (row.ranks if row is not None else {}).items() if needs <= status]
    return max(reached)[1] if reached else ""


@rule("hyb-11-variations")
def variation_in_play(rules: Ruleset, variation: str = "moving points between pools") -> Derived[bool]:
    """Whether a variant that the book only names is in play: moving points is, unless set to 0; the others have no content.

    By id only.
    """
    setting = VARIATIONS.of(rules, variation)
    if not setting:
        return derive(False, variation, remark("no content in print", rule="hyb-11-variations"), rule="hyb-11-variations")  # noqa: FBT003
    value = rules.settings[setting]
    why = remark(f"setting {setting}", str(value), rule="hyb-10-pools", source=rules.source(setting))
    return derive(bool(value), variation, why, rule="hyb-11-variations", source=rules.source(setting))
