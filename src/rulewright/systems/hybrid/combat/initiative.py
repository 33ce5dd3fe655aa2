"""Timing: counts, initiative and speeds of actions (book lines 285-289, 305-313, 804-888)."""

from fractions import Fraction
from math import ceil
from typing import Literal

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Event, Play, Reckoned, Roll, Tell
from rulewright.play.cache import cached
from rulewright.rules import Column, Figures, Ruleset, rule
from rulewright.rules.reasons import (
    Derived,
    Reason,
    at_least,
    at_most,
    divided,
    less,
    limited,
    remark,
    rounded_down,
    rounded_up,
    term,
    times,
    total,
)
from rulewright.systems.hybrid.people.perception import SITUATIONS, SOMEONE, Watcher, perceive
from rulewright.systems.hybrid.resolution.modifiers import unranked_initiative
from rulewright.systems.hybrid.resolution.tests import ORDINARY, Check, Degree, Mod, chance_of, skill_check, success_chance

INITIATIVE, PREPARING = Figures("hyb-7-initiative"), Figures("hyb-7-setup")
SIMPLE = 10
SLOWEST = 1_000_000


# --- time (lines 285-289, 307-309) --------------------------------------------------------------------------------------------


UNITS = Column("hyb-1-time-scale", "unit", counts=int)
"""A unit of time in counts."""
Unit = Literal["count", "pulse", "second", "minute", "hour", "day"]
LongUnit = Literal["count", "pulse", "second", "minute", "hour", "day", "week"]


@rule("hyb-1-time-scale")
def counts(rules: Ruleset, amount: float = 1, unit: Unit = "second") -> Derived[float]:
    """So much time in counts, roughly ten to a second; a pulse is a count (ruling)."""
    return total("counts", term(f"{unit}s", amount), times("counts each", UNITS.of(rules, unit)), rule="hyb-1-time-scale")


@rule("hyb-1-time-scale")
def clock(rules: Ruleset, passed: int = 30, unit: Unit = "second") -> Derived[float]:
    """How long so many counts took, roughly; the gamemaster may rule another time. By id only."""
    return total(f"{unit}s", term("counts", passed), divided("counts each", UNITS.of(rules, unit)), rule="hyb-1-time-scale")


# --- initiative (lines 816-836) -----------------------------------------------------------------------------------------------


def _half(rules: Ruleset) -> tuple[Reason, Reason]:
    return divided("half of it", 2), rounded_up() if rules.word("half-speed") == "up" else rounded_down()


@rule("hyb-7-initiative")
def roll_initiative(
    rules: Ruleset,
    speed: int = 4,
    perceived: bool = True,
    ranked: bool = True,
    preset: bool = False,
    modifier: int = 0,
    by: str = "",
) -> Play["Initiative"]:
    """2d6 + 8 less the reaction speed, 5 more where perception failed: the count on which a person acts, low ones first."""
    count = yield from Roll(initiative_dice(rules, speed, perceived, ranked, preset, modifier=modifier), by, "initiative")
    initiative = settle(rules, count)
    why = Timing(rules, count, speed, perceived, ranked, preset=preset, modifier=modifier)
    yield from Tell(Reacts(by, initiative.count, initiative.speed_points, why))
    return initiative


@rule("hyb-7-initiative")
def reaction_speed(rules: Ruleset, speed: int = 4, preset: bool = False) -> Derived[int]:
    """Half of Speed, rounded down (ruling): Physical Speed, or Mental Speed where minds clash. A triggered preset has all of it."""
    whole = term("Speed", speed)
    if preset:
        return total("reaction speed", whole, rule="hyb-7-preset")
    return total("reaction speed", whole, *_half(rules), rule="hyb-7-initiative")


@rule("hyb-7-initiative")
def initiative_bonus(
    rules: Ruleset, speed: int = 4, perceived: bool = True, ranked: bool = True, preset: bool = False, modifier: int = 0
) -> Derived[int]:
    """Returns the bonus that is added to the 2d6."""
    reaction = reaction_speed(rules, speed, preset and perceived)
    late = INITIATIVE.of(rules, "perception failed") if not perceived else 0
    slow = unranked_initiative(rules, 0 if ranked else None)
    terms = [term("base", INITIATIVE.of(rules, "base")), less("reaction speed", reaction)]
    terms += [term("perception failed", late)] if late else []
    terms += [slow.reason()] if slow.value else []
    terms += [term("situation", modifier)] if modifier else []
    return total("added to 2d6", *terms, rule="hyb-7-initiative")


@cached(4_096)
def initiative_dice(
    rules: Ruleset, speed: int = 4, perceived: bool = True, ranked: bool = True, preset: bool = False, modifier: int = 0
) -> Sum:
    """The two dice of initiative with everything that is added."""
    return Sum((6, 6), initiative_bonus(rules, speed, perceived, ranked, preset, modifier=modifier).value)


class Initiative(Struct, frozen=True, gc=False):
    """The count on which a person acts, and speed points left over."""

    count: int
    speed_points: int = 0


class Timing(Struct, frozen=True, gc=False):
    """An initiative roll with the terms behind it."""

    rules: Ruleset
    rolled: int
    speed: int = 4
    perceived: bool = True
    ranked: bool = True
    preset: bool = False
    modifier: int = 0

    def counts(self) -> Derived[int]:
        """The counts until a person is ready."""
        added = initiative_bonus(self.rules, self.speed, self.perceived, self.ranked, self.preset, modifier=self.modifier)
        dice = term("2d6", self.rolled - added.value)
        return limited(
            "initiative", dice, term("added to 2d6", added), limit=at_least(1, rule="hyb-7-speed-points"), rule="hyb-7-initiative"
        )


class Reacts(Event, frozen=True):
    """When a person is ready to act."""

    name: str
    count: int
    speed_points: int
    why: Timing | None = None

    def reasons(self) -> tuple[Reason, ...]:
        return (self.why.counts().reason,) if self.why is not None else ()

    def headline(self) -> str:
        left = f", with {count(self.speed_points, 'speed point')}" if self.speed_points else ""
        return f"{self.name or 'somebody'} reacts at count {self.count}{left}"


@rule("hyb-7-speed-points")
def settle(rules: Ruleset, count: int = 0) -> Initiative:
    """Initiative below 1 becomes 1, and what it was below becomes speed points (ruling)."""
    return Initiative(max(1, count), max(0, 1 - count))


@rule("hyb-7-speed-points")
def rank_speed(rules: Ruleset, rank: int | None = 4) -> Derived[int]:
    """Half the rank of the skill in use, rounded down (ruling), as speed points for that use alone."""
    return total("speed points by rank", term("rank", rank or 0), *_half(rules), rule="hyb-7-speed-points")


@rule("hyb-7-speed-points")
def hurried(rules: Ruleset, speed: int = SIMPLE, points: int = 2) -> Derived[int]:
    """An action shortened with speed points, a count each (ruling), at no cost to its chance; never below one count."""
    if points < 0:
        raise UserError(f"speed points cannot be below 0: {points}")
    saved = points * rules.number("speed-point-counts")
    source = rules.source("speed-point-counts")
    parts = [term("speed of the action", speed)]
    if speed > 0:
        parts += [less("speed points", saved, rule="hyb-7-speed-points", source=source), at_least(1)]
    return total("counts", *parts, rule="hyb-7-speed-points")


class Shortened(Struct, frozen=True, gc=False):
    """How long an action takes in the end, and the speed points left for others."""

    counts: int
    points: int = 0


@rule("hyb-7-speed-points")
def shortened(rules: Ruleset, speed: int = SIMPLE, points: int = 2, rank: int | None = None) -> Shortened:
    """An action with all that speeds it up: first what the rank gives for this use, then as many of the own points as it can use.

    The rest stays for other actions.
    """
    return _shortened(rules, speed, points, rank)


@cached(20_000)
def _shortened(rules: Ruleset, speed: int, points: int, rank: int | None) -> Shortened:
    took = hurried(rules, speed, rank_speed(rules, rank).value).value
    needed = ceil(Fraction(max(0, took - 1), rules.number("speed-point-counts")))
    spent = min(max(0, points), needed)
    return Shortened(hurried(rules, took, spent).value, points - spent)


# --- presets (lines 838-842) --------------------------------------------------------------------------------------------------


@rule("hyb-7-preset")
def preset_bonus(rules: Ruleset) -> Mod:
    """Waiting for one certain thing makes it easier to notice. A view of what `perceive` adds."""
    return Mod("preset", SITUATIONS.of(rules, "preset"), "hyb-7-preset")


@rule("hyb-7-preset")
def preset_cost(rules: Ruleset, mst: int = 12, units: int = 12) -> Derived[int]:
    """Mental fatigue for holding a preset: free for MST units of the time scale, then 1, and again for every further MST (ruling)."""
    if mst < 1 or units < 0:
        raise UserError("holding takes a Mental Strength of at least 1 and a time of at least 0")
    stretches = max(0, ceil(Fraction(units, mst)) - 1)
    once = [] if rules.on("preset-cost-repeats") else [at_most(1, "paid once")]
    return total(
        "mental fatigue",
        term("units held", units),
        divided("stretches of Mental Strength", mst),
        rounded_up(),
        less("the first is free", 1),
        at_least(0),
        *once,
        rule="hyb-7-preset",
        source=rules.source("preset-cost-repeats") if stretches > 1 else "book",
    )


# --- entering a scene (lines 804-814) -----------------------------------------------------------------------------------------


class Reactor(Struct, frozen=True, cache_hash=True, gc=False):
    """A person who comes into a scene: how well they look, how fast they are, and whether they wait for just this."""

    watcher: Watcher = SOMEONE
    speed: int = 4
    ranked: bool = True
    preset: bool = False
    modifier: int = 0


ANYONE = Reactor()


class Entry(Struct, frozen=True, gc=False):
    """How a person came into a scene: what was perceived, and when they act."""

    perceived: Degree
    count: int
    speed_points: int = 0


@rule("hyb-7-action-cycle")
def enter_scene(rules: Ruleset, reactor: Reactor = ANYONE) -> Play[Entry]:
    """Perceive, then react: a perception roll, then initiative, later where the first failed and sooner where a preset was triggered."""
    watcher = reactor.watcher
    degree = yield from perceive(rules, watcher, reactor.preset)
    ready = yield from roll_initiative(
        rules, reactor.speed, degree.success, reactor.ranked, reactor.preset, modifier=reactor.modifier, by=watcher.name
    )
    return Entry(degree, ready.count, ready.speed_points)


# --- how long actions take (lines 844-888) ------------------------------------------------------------------------------------


SPEEDS = Column("hyb-7-action-timing", "action", speed=int)
"""How many counts a simple action takes."""


@rule("hyb-7-action-timing")
def takes_effect(rules: Ruleset, initiative: int = 10, action: str = "simple", speed: int | None = None) -> Derived[int]:
    """The count on which an action takes effect: initiative and its speed, ten counts where it has none of its own.

    A view of `under_way`, which adds the counts of an action to those of its doer.
    """
    row = SPEEDS.get(rules, action) if speed is None else None
    length = row.speed if row is not None else int(speed or 0)
    bound("the speed of an action", length, 0, SLOWEST)
    took = Reason(f"speed: {action}", length, "+", "hyb-7-action-timing", row.source if row is not None else "book")
    return total("takes effect at count", term("initiative", initiative), took, rule="hyb-7-action-timing")


@rule("hyb-7-rushing")
def rushed(rules: Ruleset, df: int = 12, speed: int = SIMPLE, within: int = 5, percent: int = 0) -> Derived[int]:
    """The chance of an action done within fewer counts than it takes: the same share of it. A view of `rush_share`."""
    share = rush_share(rules, speed, within)
    left = success_chance(rules, df, percent, share)
    return total(
        "Success Chance", *left.reasons, remark(f"{min(within, speed)} of {speed} counts", rule="hyb-7-rushing"), rule="hyb-7-rushing"
    )


@rule("hyb-7-rushing")
def rush_share(rules: Ruleset, speed: int = SIMPLE, within: int = 5) -> tuple[int, int]:
    """The share of the chance that is left: the time taken out of the time it takes."""
    if not within > 0 or speed < 1:
        raise UserError(f"an action of {speed} counts cannot be done within {within}")
    left = Fraction(min(within, speed), speed)
    return left.numerator, left.denominator


@rule("hyb-7-drawing")
def draw(rules: Ruleset, weapon_speed: int = 3, fast: bool = False, check: Check = ORDINARY, by: str = "") -> Play[int]:
    """Counts until a weapon is in hand: twice its speed, or its speed once where a fast draw with the weapon's skill succeeds."""
    quick = False
    if fast:
        quick = (yield from skill_check(rules, check, by, "fast draw")).success
    took = weapon_speed if quick else 2 * weapon_speed
    words, sums = f"{'draws fast' if quick else 'draws'} in {count(took, 'count')}", chance_of(rules, check) if fast else ()
    yield from Tell(Reckoned(by or "somebody", words, sums=sums))
    return took


@rule("hyb-7-setup")
def setup_bonus(rules: Ruleset, rank: int | None = 0) -> Mod:
    """Percents that preparing adds to the chance: 20, and 2 for every rank."""
    return Mod("set up", PREPARING.of(rules, "percent") + PREPARING.of(rules, "percent a rank") * (rank or 0), "hyb-7-setup")


@rule("hyb-7-setup")
def setup_counts(rules: Ruleset, speed: int = SIMPLE, scale: LongUnit = "count") -> Derived[int]:
    """How long preparing takes: as long again as the action, a quarter where that takes many minutes, hours, days or weeks.

    Many minutes are more than ten (ruling).
    """
    long = scale in ("hour", "day", "week") or (scale == "minute" and speed > PREPARING.of(rules, "few minutes"))
    share = (divided("a quarter of it", 4), rounded_down()) if long else ()
    return total(f"{scale}s of preparation", term(f"{scale}s of the action", speed), *share, rule="hyb-7-setup")


@rule("hyb-7-setup")
def set_up(rules: Ruleset, check: Check = ORDINARY, rank: int | None = 0) -> Check:
    """A check that was prepared: its percents join the chance after the look-up (ruling)."""
    percent = setup_bonus(rules, rank).value
    return check.plus(percent=percent) if rules.on("setup-after-look-up") else check.plus(df=percent // 5)
