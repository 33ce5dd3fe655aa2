"""Weapon Reach, closing in and fending off (Combat Option 18, book lines 4823-4841)."""

from rulewright.play import Play
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.systems.ore.gear.weapons import SIX
from rulewright.systems.ore.resolution.contests import opposed
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool


@rule("ore-4.09b-opt18-reach")
def reach_dice(rules: Ruleset, own: int = 2, other: int = 3, close_in: bool = False) -> Mod:
    """The effect of Reach on attacks: none without the option."""
    return Mod("Reach", 0, "ore-4.09b-opt18-reach")


@rule("ore-4.09b-opt18-reach")
@instead_of(reach_dice, "weapon-reach")
def outreached(rules: Ruleset, own: int = 2, other: int = 3, close_in: bool = False) -> Mod:
    """The shorter weapon has -1d; when Close-In, the longer one."""
    worse = own > other if close_in else own < other
    return Mod("longer weapon at close quarters" if close_in else "shorter weapon", -int(worse), "ore-4.09b-opt18-reach")


@rule("ore-4.09b-opt18-reach")
def parry_reach_dice(rules: Ruleset, own: int = 3, other: int = 2) -> Mod:
    """The effect of Reach on parries: none without the option."""
    return Mod("Reach", 0, "ore-4.18-act-parry")


@rule("ore-4.09b-opt18-reach")
@instead_of(parry_reach_dice, "weapon-reach")
def parry_with_reach(rules: Ruleset, own: int = 3, other: int = 2) -> Mod:
    """+1d on a parry against lower Reach."""
    return Mod("longer weapon", int(own > other), "ore-4.18-act-parry")


@rule("ore-4.09b-opt18-reach")
def near_enough(rules: Ruleset, close_in: bool = False) -> bool:
    """Whether a fighter is Close-In, as grappling, holding and pushing need. Without Reach everybody in striking distance is (ruling)."""
    return True


@rule("ore-4.09b-opt18-reach")
@instead_of(near_enough, "weapon-reach")
def only_close_in(rules: Ruleset, close_in: bool = False) -> bool:
    """Only fighters who closed in are Close-In."""
    return close_in


@rule("ore-4.09b-opt18-reach")
def closes_in(rules: Ruleset, width: int = 2, height: int = 3, reach: int = 3) -> bool:
    """Whether a set closes in: still a set, and at least as high as the opponent's Reach. A view of closing in in fights."""
    return width >= 2 and height >= closing_difficulty(rules, reach)


def closing_difficulty(rules: Ruleset, reach: int) -> int:
    """The Difficulty to close in: the weapon's Reach, from 1 to 10."""
    return min(max(reach, 1), 10)


@rule("ore-4.09b-opt18-reach")
def close_in(
    rules: Ruleset, dodge: Pool = SIX, reach: int = 3, fend_off: Pool | None = None, by: str = "", against: str = ""
) -> Play[Outcome]:
    """Coordination and Dodge with the opponent's Reach as Difficulty; fending off counters it with Coordination and the weapon skill, or
    Body and Close Combat (ruling: no pool is printed). With a set left the fight is Close-In from the next round."""
    difficulty = closing_difficulty(rules, reach)
    return (yield from opposed(rules, dodge, fend_off or Pool(0), difficulty, by=by, against=against, what="Close-In"))
