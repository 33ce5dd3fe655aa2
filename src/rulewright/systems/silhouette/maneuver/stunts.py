"""Stunts at the wheel (book lines 6910-6935)."""

from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, Piloted, handling, steer
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

_ID = "sil-7.4.2-vehicle-stunts"


class StuntRow(TableRow, frozen=True):
    """A stunt, what Piloting is held against, and what it is like."""

    stunt: str
    threshold: int
    example: str = ""
    turn: int = 0
    """Degrees by which a bootlegger turns."""


STUNTS = Table(_ID, StuntRow)


@rule(_ID)
def stunt_threshold(rules: Ruleset, stunt: str) -> int:
    """What a stunt is tested against."""
    return STUNTS.get(rules, stunt).threshold


@rule(_ID)
def try_stunt(
    rules: Ruleset,
    stunt: str = "Hard Turn",
    pilot: Pool = PILOT,
    maneuver: int = 0,
    speed_modifier: int = 0,
    name: str = "the driver",
    mods: tuple[Mod, ...] = (),
) -> Play[Piloted]:
    """A stunt: Piloting with the machine's Maneuver and what its speed gives or costs, against the stunt's Threshold."""
    better = handling(maneuver), Mod("speed", speed_modifier, "sil-5.4.2-defender-modifiers"), *mods
    threshold = stunt_threshold(rules, stunt)
    return (yield from steer(rules, pilot, threshold, name, what=stunt.lower(), rule=_ID, mods=better, closes=True))
