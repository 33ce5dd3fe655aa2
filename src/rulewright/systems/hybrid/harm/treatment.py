"""First aid and the healing of wounds."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.hybrid.harm.damage import Body, bleeding_counts
from rulewright.systems.hybrid.resolution.tests import Check, Checked, Degree, effect, skill_check

Track = Literal["PBD", "MBD"]
TEARS_OPEN = -1.0
"""First aid that fails so far that its effect is fully against the user opens another wound (ruling "failures-work-against")."""


class Healing(TableRow, frozen=True):
    """How wounds heal: a roll every so many hours, on what, at which modifier, and how much each success heals."""

    track: Track
    stat: str
    df: int
    hours: int
    heals: int


HEALING = Table("hyb-x-healing", Healing)


@rule("hyb-x-healing")
def heal(rules: Ruleset, track: Track = "PBD", endurance: int = 12, rolls_before: int = 0, by: str = "") -> Play[int]:
    """One healing roll on endurance, due after the hours of the table and 1 easier for each roll before; gives the points that return."""
    row = HEALING.get(rules, track)
    if rolls_before < 0:
        raise UserError(f"the rolls before this one are 0 or more, not {rolls_before}")
    check = Check(endurance + row.df + rolls_before)
    healed = (yield from skill_check(rules, check, by, f"healing of {track}")).success
    yield from Tell(Checked(by, f"healing of {track} after {count(row.hours, 'hour')}", healed, rules, check))
    return row.heals if healed else 0


class Treated(Struct, frozen=True):
    """A body after first aid, and whether the blood was stopped or another wound opened."""

    body: Body
    stopped: bool
    worse: bool

    @property
    def words(self) -> str:
        """The result in words, without the name of the person treated."""
        worse = "makes it worse: another wound opens, and " if self.worse else ""
        return "stops the blood" if self.stopped else f"{worse}cannot stop the blood"


def treat(rules: Ruleset, body: Body, degree: Degree, now: int = 0) -> Treated:
    """The result of a check of first aid: one success stops all bleeding (ruling)."""
    if degree.success:
        return Treated(replace(body, bleeding=()), stopped=True, worse=False)
    worse = rules.on("failures-work-against") and effect(rules, degree).value <= TEARS_OPEN
    opened = replace(body, bleeding=(*body.bleeding, now % bleeding_counts(rules)))
    return Treated(opened if worse else body, stopped=False, worse=worse)
