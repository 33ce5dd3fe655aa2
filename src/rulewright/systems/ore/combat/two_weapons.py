"""Off-hand, Twinned sets and two weapons (book lines 5281-5313)."""

from typing import Literal

from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.gear.weapons import CLOSE, SIX, Kind
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

Hand = Literal["primary", "off", "both"]
OFF_HAND, BOTH_HANDS = 2, 1
A_SET: Set = (3, 5)


@rule("ore-4.15-off-hand")
def hand_dice(hand: Hand = "off", ambidextrous: bool = False) -> Mod:
    """The off-hand costs two dice, both hands three in total; ambidextrous fighters only lose one for both."""
    off = 0 if ambidextrous else OFF_HAND
    cost = {"primary": 0, "off": off, "both": off + BOTH_HANDS}[hand]
    return Mod("both hands" if hand == "both" else "off-hand", -cost, "ore-4.15-off-hand")


@rule("ore-4.16-twinned-sets")
def twinned(one: Set = A_SET) -> tuple[Set, Set]:
    """A Twinned action happens twice with the same set."""
    if one[0] < 1:
        raise UserError("there is no set to Twin")
    return one, one


@rule("ore-4.17-two-weapons")
def twins(kind: Kind = "close", skill: int = 3, opponent: int = 2) -> bool:
    """Whether two weapons strike twice: in close combat only against a lower skill (or Threat Rating), with ranged weapons always."""
    return skill > opponent if kind in CLOSE else True


@rule("ore-4.17-two-weapons")
def two_weapon_attack(
    rules: Ruleset,
    pool: Pool = SIX,
    kind: Kind = "close",
    skill: int = 3,
    opponent: int = 2,
    ambidextrous: bool = False,
    difficulty: int = 1,
    by: str = "",
) -> Play[tuple[Set, ...]]:
    """Two weapons cost -1d, plus -2d for the off-hand; the set is Twinned against the same opponent if the skill allows. A view of two
    weapons in fights."""
    outcome = yield from make_test(rules, pool.plus(hand_dice("both", ambidextrous)), difficulty, by=by, what="two weapons")
    if not outcome.success:
        return ()
    struck = (outcome.width, outcome.height)
    return twinned(struck) if twins(kind, skill, opponent) else (struck,)
