"""Actions with special effects: charges, disarming, grapples, pushes, trips (book lines 5340-5412).

Each action has an effect by Width, which a fight applies at its Speed, and a procedure that rolls for it.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from msgspec import Struct

from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.ore.combat.attacks import called_shot
from rulewright.systems.ore.combat.cover import can_dodge, dive_dice
from rulewright.systems.ore.combat.reach import near_enough, parry_reach_dice
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.gear.weapons import SIX, Kind
from rulewright.systems.ore.harm.locations import ARMS, Location, uses_locations
from rulewright.systems.ore.resolution.contests import Beaten, beat, opposed, shared_pool
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.salvos import several
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

STRANGLED = 10
"""The Height of automatic strangling: the head."""


class Effect(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """The effect of an action besides or instead of a blow."""

    success: bool = False
    hit: Hit | None = None
    """Damage reduced by armour."""
    shock: int = 0
    """Shock to each of these parts, ignoring armour (ruling); to the whole body without locations."""
    parts: tuple[Location, ...] = ()
    set_dice: int = 0
    """Dice the victim loses from a waiting set."""
    next_round: int = 0
    """Dice the victim loses next round."""
    downed: bool = False
    attacker_downed: bool = False
    immobile: bool = False
    """Whether both are held."""
    metres: int = 0
    """Metres the victim is pushed, or the weapon flies."""
    disarmed: bool = False
    taken: bool = False
    """Whether the attacker may take the weapon."""
    broken: bool = False
    """Whether the weapon is destroyed."""
    ends_close_in: bool = False
    again: Set | None = None
    """The set that hits again next round without a roll, unless the victim breaks free."""


NOTHING = Effect()


class ChargeRow(TableRow, frozen=True):
    """The bonus of a charge by Width."""

    width: int
    shock: int
    kill: int


class DisarmRow(TableRow, frozen=True):
    """The effect of disarming by Width."""

    width: int
    shock: int
    taken: bool


class TripRow(TableRow, frozen=True):
    """The effect of tripping by Width."""

    width: int
    set_dice: int
    next_round: int
    downed: bool = False
    shock: int = 0


CHARGES = Table("ore-4.18-act-charge", ChargeRow)
DISARMS = Table("ore-4.18-act-disarm", DisarmRow)
TRIPS = Table("ore-4.18-act-trip", TripRow)


Row = TypeVar("Row", ChargeRow, DisarmRow, TripRow)


def _at(rows: Mapping[str, Row], width: int) -> Row:
    """The row for a Width; the last row covers all wider sets."""
    return rows[str(min(width, max([row.width for row in rows.values()])))]


# --- charge -------------------------------------------------------------------------------------------------------------------


class Charged(NamedTuple):
    """The attack at the end of a charge, and the bonus of the charge."""

    attack: Outcome
    kill: int = 0
    shock: int = 0


@rule("ore-4.18-act-charge")
def charge(rules: Ruleset, athletics: Pool = SIX, attack: Pool = SIX, by: str = "") -> Play[Charged]:
    """A charge and a blow are two actions of one roll: of two sets the wider strikes, the other charges. With one set the charge
    succeeds and the blow fails (ruling)."""
    read = several(rules, shared_pool(rules, (athletics, attack)), 2)
    sets = (yield from Roll(read, by, "charge")) if read is not None else ()
    if len(sets) < 2:
        return Charged(Outcome())
    return Charged(Outcome(*sets[0]), *charge_bonus(rules, sets[1][0]))


@rule("ore-4.18-act-charge")
def charge_bonus(rules: Ruleset, width: int = 3) -> tuple[int, int]:
    """Kill and Shock that a charge adds to its attack, by Width."""
    if width < 2:
        return 0, 0
    row = _at(CHARGES(rules), width)
    return row.kill, row.shock


# --- dodging, parrying, holding -----------------------------------------------------------------------------------------------


@rule("ore-4.18-act-dodge")
def dodge(
    rules: Ruleset,
    pool: Pool = SIX,
    width: int = 2,
    height: int = 5,
    kind: Kind = "close",
    coordination: int = 3,
    metres: int | None = None,
    by: str = "",
) -> Play[Beaten]:
    """A dodge counters a set on the table: what is left of it."""
    return (yield from beat(rules, dodge_pool(rules, pool, kind, coordination, metres), width, height, by=by))


@rule("ore-4.18-act-dodge")
def dodge_pool(rules: Ruleset, dodge: Pool = SIX, kind: Kind = "close", coordination: int = 3, metres: int | None = None) -> Pool:
    """The pool of a dodge: Coordination and Dodge. A shot needs a dive for cover (`metres` away), unless the fighter can dodge it."""
    if can_dodge(rules, kind, coordination):
        return dodge
    if metres is None:
        raise UserError("a shot cannot be dodged; give the metres to cover for a dive")
    return dodge.plus(dive_dice(metres))


@rule("ore-4.18-act-parry")
def parry(
    rules: Ruleset, pool: Pool = SIX, width: int = 2, height: int = 5, kind: Kind = "close", reach: int = 0, other: int = 0, by: str = ""
) -> Play[Beaten]:
    """A parry counters only close combat attacks; +1d against a shorter weapon if Reach counts."""
    if kind not in ("unarmed", "close"):
        raise UserError("only close combat attacks can be parried")
    return (yield from beat(rules, pool.plus(parry_reach_dice(rules, reach, other)), width, height, by=by))


@rule("ore-4.18-act-hold")
def hold(rules: Ruleset, pool: Pool = SIX, width: int = 2, height: int = 5, close_in: bool = True, by: str = "") -> Play[Beaten]:
    """A Close-In fighter grabs a limb; the set counters its action: what is left of it."""
    must_be_close_in(rules, close_in, "hold")
    return (yield from beat(rules, pool, width, height, by=by))


def must_be_close_in(rules: Ruleset, close_in: bool, action: str) -> None:
    """Refuses actions that need to be Close-In."""
    if not near_enough(rules, close_in):
        raise UserError(f"{action} needs to be Close-In first")


# --- disarm -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.18-act-disarm")
def disarm(rules: Ruleset, pool: Pool = SIX, arm: Location = "right arm", free_hand: bool = True, by: str = "") -> Play[Effect]:
    """A called shot at the weapon arm, without damage except by Width. A view of disarming in fights."""
    outcome = yield from called_shot(rules, pool, arm, by=by)
    return disarm_effect(rules, outcome.width, arm, free_hand)


@rule("ore-4.18-act-disarm")
def disarm_effect(rules: Ruleset, width: int = 2, arm: Location = "right arm", free_hand: bool = True) -> Effect:
    """The weapon flies Width metres; wider sets hurt the arm, and the widest let an attacker with a free hand take it."""
    if width < 2:
        return NOTHING
    row = _at(DISARMS(rules), width)
    taken = row.taken and free_hand
    parts = (arm,) if row.shock else ()
    return Effect(success=True, shock=row.shock, parts=parts, set_dice=1, metres=width, disarmed=True, taken=taken)


# --- grapple, strangle, push, tackle ------------------------------------------------------------------------------------------


@rule("ore-4.18-act-grapple")
def grapple(
    rules: Ruleset,
    pool: Pool = SIX,
    resists: Pool = SIX,
    standing: bool = False,
    against_wall: bool = False,
    close_in: bool = True,
    by: str = "",
    against: str = "",
) -> Play[Effect]:
    """Body and Close Combat or Coordination and Wrestling, countered by the same: with a set left, both are held. Both go down unless it
    is done standing or against a wall. A view of grappling in fights."""
    must_be_close_in(rules, close_in, "grapple")
    outcome = yield from opposed(rules, pool.plus(grapple_dice(standing)), resists, by=by, against=against, what="grapple")
    return grapple_effect(outcome.width, standing or against_wall)


@rule("ore-4.18-act-grapple")
def grapple_dice(standing: bool = False) -> Mod:
    """Staying on their feet costs a grappler a die; the floor or a wall costs nothing."""
    return Mod("stays standing", -int(standing), "ore-4.18-act-grapple")


@rule("ore-4.18-act-grapple")
def grapple_effect(width: int = 2, upright: bool = False) -> Effect:
    """Both are immobile until release or escape; on the floor unless the grappler stays upright."""
    if width < 1:
        return NOTHING
    return Effect(success=True, immobile=True, downed=not upright, attacker_downed=not upright)


@rule("ore-4.18-act-grapple")
def escape(rules: Ruleset, pool: Pool = SIX, holds: Pool = SIX, by: str = "", against: str = "") -> Play[Outcome]:
    """A grappled fighter escapes with the same roll, countered by the holder (ruling: the book gives no other)."""
    return (yield from opposed(rules, pool, holds, by=by, against=against, what="escape"))


@rule("ore-4.18-act-strangle")
def strangle(rules: Ruleset, pool: Pool = SIX, grappled: bool = True, by: str = "") -> Play[Effect]:
    """A called shot at the head of a grappled opponent. A view of strangling in fights."""
    if not grappled:
        raise UserError("only a grappled opponent can be strangled")
    outcome = yield from called_shot(rules, pool, "head", by=by)
    return strangle_effect(outcome.width)


@rule("ore-4.18-act-strangle")
def strangle_effect(width: int = 2) -> Effect:
    """Width in Shock to the head, and the same next round at Height 10 unless the victim breaks free."""
    if width < 2:
        return NOTHING
    return Effect(success=True, shock=width, parts=("head",), set_dice=1, again=(width, STRANGLED))


@rule("ore-4.18-act-push")
def push(rules: Ruleset, pool: Pool = SIX, close_in: bool = True, by: str = "") -> Play[Effect]:
    """Pushes an opponent away while Close-In. A view of pushing in fights."""
    must_be_close_in(rules, close_in, "push")
    outcome = yield from make_test(rules, pool, by=by, what="push")
    return push_effect(outcome.width)


@rule("ore-4.18-act-push")
def push_effect(width: int = 2) -> Effect:
    """Moves the target 1 metre per Width and ends Close-In."""
    return Effect(success=True, metres=width, ends_close_in=True) if width > 0 else NOTHING


@rule("ore-4.18-act-tackle")
def tackle(rules: Ruleset, pool: Pool = SIX, unbalanced: bool = False, by: str = "") -> Play[Effect]:
    """Body and Close Combat or Coordination and Wrestling at -1d; +1d against an opponent who pushes or was pushed. A view of tackling
    in fights."""
    outcome = yield from make_test(rules, pool.plus(tackle_dice(), unbalanced_dice(pushed=unbalanced)), by=by, what="tackle")
    return tackle_effect(outcome.width)


@rule("ore-4.18-act-tackle")
def tackle_dice() -> Mod:
    """A tackle costs a die."""
    return Mod("tackle", -1, "ore-4.18-act-tackle")


@rule("ore-4.18-act-tackle")
def tackle_effect(width: int = 2) -> Effect:
    """Width in Shock, no Kill, and both are Downed."""
    if width < 1:
        return NOTHING
    return Effect(success=True, hit=Hit(0, width, width), set_dice=1, downed=True, attacker_downed=True)


# --- trip ---------------------------------------------------------------------------------------------------------------------

TRIP_DIFFICULTY = 2


@rule("ore-4.18-act-trip")
def trip(rules: Ruleset, pool: Pool = SIX, unbalanced: bool = False, by: str = "") -> Play[Effect]:
    """The attack pool at Difficulty 2; +1d against an opponent who is pushing, pushed, tackling or tackled."""
    outcome = yield from make_test(rules, pool.plus(unbalanced_dice(pushed=unbalanced)), TRIP_DIFFICULTY, by=by, what="trip")
    return trip_effect(rules, outcome.width)


@rule("ore-4.18-act-trip")
def trip_effect(rules: Ruleset, width: int = 2) -> Effect:
    """The victim loses a die of a set and a die next round; at Width 3 also Downed, at 4 both arms are hurt. Without locations the Shock
    counts once, doubled."""
    if width < 2:
        return NOTHING
    row = _at(TRIPS(rules), width)
    if uses_locations(rules):
        shock, parts = row.shock, ARMS if row.shock else ()
    else:
        shock, parts = 2 * row.shock, ()
    return Effect(success=True, shock=shock, parts=parts, set_dice=row.set_dice, next_round=row.next_round, downed=row.downed)


@rule("ore-4.18-act-push", "ore-4.18-act-trip")
def unbalanced_dice(pushing: bool = False, pushed: bool = False, tackling: bool = False, tackled: bool = False, trip: bool = True) -> Mod:
    """+1d to trip or tackle an opponent who pushes or was pushed, and to trip one who tackles or is tackled; once at most (ruling)."""
    unsteady = pushing or pushed or (trip and (tackling or tackled))
    return Mod("off balance", int(unsteady), "ore-4.18-act-push")
