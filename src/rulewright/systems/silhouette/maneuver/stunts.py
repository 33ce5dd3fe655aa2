"""Vehicle stunts (book lines 6910-6935)."""

from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, Piloted, handling, steer
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

_ID = "sil-7.4.2-vehicle-stunts"


class StuntRow(TableRow, frozen=True):
    """A stunt: its Piloting Threshold and its description."""

    stunt: str
    threshold: int
    example: str = ""
    turn: int = 0
    """The degrees of a bootlegger turn."""


STUNTS = Table(_ID, StuntRow)


@rule(_ID)
def stunt_threshold(rules: Ruleset, stunt: str) -> int:
    """The Threshold of a stunt."""
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
    """Roll a stunt: Piloting with the machine's Maneuver and the modifier of its speed, against the stunt's Threshold."""
    better = handling(maneuver), Mod("speed", speed_modifier, "sil-5.4.2-defender-modifiers"), *mods
    threshold = stunt_threshold(rules, stunt)
    return (yield from steer(rules, pilot, threshold, name, what=stunt.lower(), rule=_ID, mods=better, closes=True))
