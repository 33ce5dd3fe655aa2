"""Pursuit rules: speed bids, maneuvers, and the gap between two vehicles (book lines 3415-3471)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.gear.vehicles import CONTACT_LOST, MANEUVERS, ManeuverRow, range_after_bids
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.events import OfARoll
from rulewright.systems.foresight.pursuit.craft import A_CAR, Craft
from rulewright.systems.foresight.pursuit.safety import A_DRIVER, crash, safety_roll, safety_rolls, too_fast
from rulewright.systems.foresight.resolution.tests import FAILURE, Mod, Task, attempt, compare, weighed

Maneuver = Literal["operate", "force", "quick turn", "reverse", "trick", "climb", "dive"]
Missed = Literal["no", "sudden", "ahead", "due", "wrong way"]
"""A turn of the quarry that a pursuer has yet to follow: just now under the nose, further ahead, due this turn, or missed."""


class Gap(Struct, frozen=True):
    """How a pursuer stands to the quarry: range number, height of the quarry above it, and a turn that it has yet to follow."""

    range: int = 2
    height: int = 0
    missed: Missed = "no"
    owes: int = 0
    """Quick turns needed to go the right way again; a reverse does the work of two."""
    steps: int = 0
    """Steps by which the range grows each turn while going the wrong way."""
    sight: bool = True

    @property
    def lost(self) -> bool:
        """Whether the pursuer has lost contact: too far away in either direction, or out of sight."""
        return self.range >= CONTACT_LOST or abs(self.height) >= CONTACT_LOST or not self.sight

    @property
    def wrong_way(self) -> bool:
        """Whether the pursuer is going in the wrong direction."""
        return self.missed == "wrong way"


BESIDE, NEAR, FAR = Gap(0), Gap(2), Gap(4)
"""Gaps for rules that are asked without naming one."""


class Steered(OfARoll, frozen=True):
    """A maneuver and how it went."""

    name: str
    maneuver: str
    qr: int

    def headline(self) -> str:
        return f"{self.name}: {self.maneuver} {'succeeds' if self.qr < FAILURE else 'fails'} (QR{self.qr})"

    def tone(self) -> str:
        return "plain" if self.qr < FAILURE else "bad"


class Searched(OfARoll, frozen=True):
    """A look for a quarry that has turned off."""

    name: str
    qr: int
    against: int
    seen: bool

    def headline(self) -> str:
        sight = "keeps the quarry in sight" if self.seen else "loses sight of the quarry"
        return f"{self.name} {sight} (QR{self.qr} against QR{self.against})"

    def tone(self) -> str:
        return "plain" if self.seen else "bad"


# --- the driving roll ---------------------------------------------------------------------------------------------------------


def _row(rules: Ruleset, maneuver: Maneuver) -> ManeuverRow:
    return MANEUVERS.get(rules, "climb or dive" if maneuver in ("climb", "dive") else maneuver)


def bulk(craft: Craft) -> float:
    """The bulk of a vehicle pressed against another: size, half the damage scale, and acceleration."""
    return craft.size + craft.ds / 2 + craft.acc


@rule("fs-pursuit-actions")
def ratings(
    rules: Ruleset, maneuver: Maneuver = "operate", craft: Craft = A_CAR, target: Craft | None = None, sized: bool = False
) -> Derived[int]:
    """The vehicle's ratings in a driving roll: acceleration, maneuver or both; forcing compares bulk. A trick may count size too."""
    row = _row(rules, maneuver)
    if row.bulk:
        other = target or A_CAR
        terms = [term("size, half the damage scale, acceleration", bulk(craft)), term(f"those of {other.name}", -bulk(other))]
    else:
        terms = [term("acceleration", craft.acc)] if row.acc else []
        terms += [term("maneuver", craft.man)] if row.man else []
        terms += [term("size", -craft.size)] if sized else []
    return total("ratings of the vehicle", *terms, rounded_off(), rule="fs-pursuit-actions")


def steer(
    rules: Ruleset, maneuver: Maneuver, craft: Craft, driving: Task, *, bid: int, by: str, target: Craft | None = None, more: int = 0
) -> Play[int]:
    """The driving roll of a maneuver, at the speed bid and with the ratings of the vehicle: its quality rating."""
    added = ratings(rules, maneuver, craft, target).value + more
    task = driving.plus(Mod("speed bid", bid, "fs-pursuit-speed-bids"), Mod("vehicle", added, "fs-pursuit-actions"))
    rolled = yield from attempt(rules, task, by, maneuver)
    yield from Tell(Steered(name=craft.name, maneuver=maneuver, qr=rolled.qr, of=weighed(rules, task)))
    return rolled.qr


@rule("fs-pursuit-actions")
def operate(rules: Ruleset, craft: Craft = A_CAR, driving: Task = A_DRIVER, bid: int = 0, by: str = "") -> Play[Craft]:
    """Every turn the operator drives at the speed bid and the vehicle's acceleration; failure calls for a safety roll.

    A speed beyond what is safe calls for another, whatever the driving roll was and the first safety roll did.
    """
    qr = yield from steer(rules, "operate", craft, driving, bid=bid, by=by)
    rolls = int(qr >= FAILURE) + too_fast(rules, bid, craft.safe)
    return (yield from safety_rolls(rules, craft, driving, bid, by=by, count=rolls)) if rolls else craft


@rule("fs-pursuit-actions")
def uncontrolled(rules: Ruleset, craft: Craft = A_CAR, driving: Task | None = A_DRIVER, bid: int = 0, by: str = "") -> Play[Craft]:
    """A vehicle that nobody steers this turn: a safety roll by an operator who can still catch it, or a crash (ruling)."""
    if driving is None or rules.word("uncontrolled-vehicle") == "crash":
        return (yield from crash(rules, craft, FAILURE, bid))
    return (yield from safety_roll(rules, craft, driving, bid, by))


class Forced(Struct, frozen=True):
    """Two vehicles after one tried to force the other off its way: the rating, damage levels, and those aboard."""

    qr: int
    level: int
    target_level: int
    aboard: tuple[Patient, ...] = ()
    target_aboard: tuple[Patient, ...] = ()


@rule("fs-pursuit-actions")
def force(
    rules: Ruleset,
    craft: Craft = A_CAR,
    driving: Task = A_DRIVER,
    bid: int = 0,
    target: Craft = A_CAR,
    target_driving: Task | None = A_DRIVER,
    target_bid: int = 0,
    gap: Gap = BESIDE,
    by: str = "",
    against: str = "",
) -> Play[Forced]:
    """Colliding or threatening to, side by side: success calls for a safety roll of the other, failure for one's own."""
    low, high = _row(rules, "force").ranges
    if not low <= gap.range <= high or gap.height:
        raise UserError(f"only somebody side by side can be forced (range 0), not at range {gap.range} and height {gap.height}")
    qr = yield from steer(rules, "force", craft, driving, bid=bid, by=by, target=target)
    if qr >= FAILURE:
        craft = yield from safety_roll(rules, craft, driving, bid, by)
    elif target_driving is None:
        target = yield from crash(rules, target, FAILURE, target_bid)
    else:
        target = yield from safety_roll(rules, target, target_driving, target_bid, against)
    return Forced(qr, craft.level, target.level, craft.aboard, target.aboard)


class Turned(Struct, frozen=True):
    """A maneuver made: its rating, the vehicle's damage level afterwards, and those aboard."""

    qr: int
    level: int
    aboard: tuple[Patient, ...] = ()

    @property
    def success(self) -> bool:
        """Whether it came off."""
        return self.qr < FAILURE


@rule("fs-pursuit-actions")
def maneuver(
    rules: Ruleset,
    kind: Maneuver = "quick turn",
    craft: Craft = A_CAR,
    driving: Task = A_DRIVER,
    bid: int = 0,
    modifier: int = 0,
    by: str = "",
) -> Play[Turned]:
    """A quick turn, reverse, trick, climb or dive: a driving roll with the ratings it counts; failure calls for a safety roll."""
    if kind in ("operate", "force"):
        raise UserError(f"{kind} is a rule of its own")
    if _row(rules, kind).ceiling and not craft.climbs:
        raise UserError(f"{craft.name} has no ceiling and cannot {kind}")
    qr = yield from steer(rules, kind, craft, driving, bid=bid, by=by, more=modifier)
    if qr >= FAILURE:
        craft = yield from safety_roll(rules, craft, driving, bid, by)
    return Turned(qr, craft.level, craft.aboard)


# --- what maneuvers do to the gap ---------------------------------------------------------------------------------------------


@rule("fs-pursuit-actions")
def after_reverse(rules: Ruleset, gap: Gap = NEAR, qr: int = 3) -> Gap:
    """The quarry turns round: at once both are side by side, and then three steps apart more each turn until it is followed.

    Failed, it only lets the pursuers come near: range 1, or 0 from there.
    """
    if qr >= FAILURE:
        return replace(gap, range=1 if gap.range > 1 else 0)
    back = _row(rules, "reverse")
    return replace(gap, range=0, missed="wrong way", owes=back.turns, steps=back.steps)


@rule("fs-pursuit-actions")
def after_quick_turn(rules: Ruleset, gap: Gap = NEAR, qr: int = 3, shortcut: bool = False) -> Gap:
    """The quarry turns off. At range 0 and 1 a pursuer must turn at once or go the wrong way; at 2 and 3 a turn later, or by a
    shortcut where there is one. From 4 on it is a matter of being seen (see `keep_sight`)."""
    if qr >= FAILURE or gap.wrong_way or gap.range > 3:
        return gap
    if gap.range <= 1:
        return replace(gap, missed="sudden", owes=1)
    return gap if shortcut or gap.missed != "no" else replace(gap, missed="ahead", owes=1)


@rule("fs-pursuit-actions")
def keep_sight(rules: Ruleset, gap: Gap = FAR, qr: int = 3, search: Task = A_DRIVER, by: str = "") -> Play[Gap]:
    """From range 4 on a quick turn is only seen by a Search roll that is not worse than it; otherwise contact is lost."""
    if qr >= FAILURE or gap.range <= 3 or gap.lost:
        return gap
    quality = yield from attempt(rules, search, by, "keeping the quarry in sight")
    seen = compare(rules, quality.qr, qr).winner != 2
    yield from Tell(Searched(name=by, qr=quality.qr, against=qr, seen=seen, of=weighed(rules, search)))
    return replace(gap, sight=seen)


@rule("fs-pursuit-actions")
def after_answer(rules: Ruleset, gap: Gap = NEAR, kind: Maneuver = "quick turn", qr: int = 3) -> Gap:
    """A pursuer follows: a quick turn where the quarry has just turned; one reverse or two quick turns when going the wrong way."""
    if qr >= FAILURE or gap.missed == "no":
        return gap
    left = gap.owes - _row(rules, kind).turns
    return replace(gap, owes=left) if left > 0 else replace(gap, missed="no", owes=0, steps=0)


@rule("fs-pursuit-actions")
def after_climb(rules: Ruleset, gap: Gap = NEAR, kind: Literal["climb", "dive"] = "climb", qr: int = 3, quarry: bool = True) -> Gap:
    """One step of height, two at QR1 or QR2. Climbing loses a step of distance and diving gains one, for the vehicle that does it."""
    if qr >= FAILURE:
        return gap
    up, steps = kind == "climb", 2 if qr <= 2 else 1
    height = gap.height + (steps if up == quarry else -steps)
    return replace(gap, height=height, range=_bounded(gap.range + (-1 if up == quarry else 1)))


def _bounded(number: int) -> int:
    return max(0, min(CONTACT_LOST, number))


@rule("fs-pursuit-speed-bids")
def after_bids(rules: Ruleset, gap: Gap = NEAR, quarry: int = -1, pursuer: int = 0) -> Gap:
    """The gap after two speed bids; a person who is going the wrong way gets no nearer by speed (ruling)."""
    after = range_after_bids(rules, gap.range, quarry, pursuer)
    return gap if gap.wrong_way else replace(gap, range=after)


@rule("fs-pursuit-actions")
def end_of_turn(rules: Ruleset, gap: Gap = NEAR) -> Gap:
    """When the turn ends, vehicles that go the wrong way fall back; a turn not followed in time becomes the wrong way."""
    if gap.missed == "ahead":
        return replace(gap, missed="due")
    if gap.missed in ("sudden", "due"):
        gap = replace(gap, missed="wrong way", owes=_row(rules, "reverse").turns, steps=rules.number("wrong-way-steps"))
    return replace(gap, range=_bounded(gap.range + gap.steps)) if gap.wrong_way else gap
