"""Active sensors: sweeps, boosted ranges, arrays of large vehicles and towed arrays (book lines 4736-4778)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll, Scale, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_most, divided, limited, rounded_down, row, term, times, total
from rulewright.systems.silhouette.detection.concealment import DAY, STEALTH, Light, Watched, Watcher, concealment, in_water
from rulewright.systems.silhouette.detection.line_of_sight import Lay
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.resolution.tests import DIE, Figure, Mod, Pool, Test, action_test

_ACTIVE, _RANGE, _ARRAY, _STEALTH = "sil-5.3.2-active-sensors", "sil-5.3.2-sensor-range", "sil-5.3.2-towed-array", "sil-5.3.2-stealth"
MOST_DOUBLINGS = 20


class ActiveRow(TableRow, frozen=True):
    """A modifier of active sensors: to the roll or to the Threshold."""

    name: str
    value: int
    to: Literal["roll", "threshold"]


ACTIVE = Table(_ACTIVE, ActiveRow)
RANGE = Table(_RANGE, Figure)
TOWED = Table(_ARRAY, Figure)

SWEEPING = Scale(("not found", "found"), ("found",), "finds it", "stays hidden")
"""The possible results of a sweep."""


class Swept(Struct, frozen=True):
    """The result of a sweep: whether the target was found, the test, and what jamming added to its Concealment."""

    found: bool
    test: Test
    jammed: int = 0


@rule(_ACTIVE)
def sweep_pool(rules: Ruleset, watcher: Watcher, target: Watched, bands: int = 0, array: int = 0, more: tuple[Mod, ...] = ()) -> Pool:
    """The pool of a sweep: Information Warfare, the Sensor rating and a large array, -1 for every doubling of the range, +2 for every
    doubling that the target used this round, and its emissions."""
    if watcher.sensors is None:
        raise UserError("an active search needs sensors")
    far = ACTIVE.get(rules, "each band beyond the Base Range").value * bands
    loud = ACTIVE.get(rules, "each band that the target boosted").value * target.boosted
    return Pool(watcher.information_warfare, hero=False).plus(
        Mod("Sensor rating", watcher.sensors, _ACTIVE),
        Mod("boosted range", far, _RANGE),
        Mod("large array", array, _RANGE),
        Mod("the target's own signals", loud, _ACTIVE),
        Mod("trackable emissions", target.emissions, "sil-e-negative-features"),
        *more,
    )


@rule(_ACTIVE, _STEALTH)
def sweep_threshold(rules: Ruleset, lay: Lay, target: Watched, light: Light = DAY) -> Derived[int]:
    """The Threshold of active sensors: the target's Concealment against sensors, less 1 for every hex it moved (for every point of thrust
    in space; for every five air hexes of a stealthy flyer) and 1 for every weapon it fired; at least 0."""
    hidden = concealment(rules, lay, target, light, "sensors", active=True)
    terms: list[Reason] = [term("Concealment", hidden)]
    if light.space:
        terms += _for_each(rules, "each point of thrust", target.thrust)
    elif target.flying and target.stealth:
        slow = STEALTH.get(rules, "air hexes for each point").value
        lost = total("moved", term("air hexes", target.moved), divided("hexes for each point", slow), rounded_down(), times("each", -1))
        terms += [term("moved", lost, rule=_STEALTH)] if lost.value else []
    else:
        terms += _for_each(rules, "each hex moved", target.moved)
    terms += _for_each(rules, "each weapon fired", target.fired)
    return limited("Threshold", *terms, limit=Reason("minimum", 0, "at least", _ACTIVE), rule=_ACTIVE)


def _for_each(rules: Ruleset, name: str, times_done: int) -> list[Reason]:
    if not times_done:
        return []
    counted = total(name, term("number", times_done), times("each", ACTIVE.get(rules, name).value))
    return [term(name, counted, rule=_ACTIVE)]


@rule(_ACTIVE, "sil-d-sensors")
def sweep(
    rules: Ruleset,
    watcher: Watcher,
    lay: Lay,
    target: Watched,
    light: Light = DAY,
    bands: int = 0,
    array: int = 0,
    jam: int | None = None,
    by: str = "",
    unseen: bool = False,
) -> Play[Swept]:
    """Roll an active search for one target: a success finds it, a draw does not. Defective sensors are tested with a die
    first. Under jamming the same roll must beat the jammer first; the Margin of Failure is added to the Concealment (ruling)."""
    more: tuple[Mod, ...] = ()
    if watcher.defective:
        die = yield from Roll(DIE, by, "defective sensors", unseen, unseen)
        more = (Mod("defective sensors", -watcher.defective if die <= watcher.defective else 0, "sil-d-sensors"),)
    threshold = sweep_threshold(rules, in_water(rules, lay, watcher, target), target, light).value
    return (yield from sub(sweep_test, rules, sweep_pool(rules, watcher, target, bands, array, more), threshold, jam, by, unseen))


def sweep_test(rules: Ruleset, pool: Pool, threshold: int, jam: int | None, by: str = "", unseen: bool = False) -> Play[Swept]:
    """The roll of a sweep, against the jammer and against the target's Concealment."""
    test = yield from action_test(rules, pool, threshold, by, "active sensors", unseen)
    jammed = max(0, jam - test.total) if jam is not None and test.total <= jam else 0
    if jam is not None and test.fumble:  # 4794: failed or fumbled
        jammed = max(jammed, 1)
    return Swept(test.total > test.threshold + jammed and not test.fumble, test, jammed)  # 4740: a draw, failure or fumble finds nothing


# --- ranges -------------------------------------------------------------------------------------------------------------------


@cached(1024, typed=True)
@rule(_RANGE)
def boosted_range(rules: Ruleset, base: Number, doublings: int = 0, array: Number = 0, horizon: Number | None = None) -> Derived[Number]:
    """The range of sensors or communications in kilometres: the Base Range, doubled for an action each time, plus a towed array; on the
    ground no farther than the horizon, unless a relay or a friend who sees the target helps."""
    if not 0 <= doublings <= MOST_DOUBLINGS:
        raise UserError(f"a range can be doubled 0 to {MOST_DOUBLINGS} times, not {doublings}")
    terms = [term("Base Range", base), *[times("doubled", 2) for _ in range(doublings)]]
    terms += [term("towed array", array, rule=_ARRAY)] if array else []
    if horizon is None:
        return total("kilometres", *terms, rule=_RANGE)
    return limited("kilometres", *terms, limit=at_most(horizon, "the horizon", rule=_RANGE), rule=_RANGE)


@rule(_RANGE)
def bands_beyond(base: Number, kilometres: Number) -> int:
    """How many doublings of the Base Range reach so far."""
    if base <= 0:
        raise UserError(f"the Base Range must be above 0, not {base}")
    doublings = 0
    while base * 2**doublings < kilometres:
        doublings += 1
        if doublings > MOST_DOUBLINGS:
            raise UserError(f"{kilometres:g} km cannot be reached from a Base Range of {base:g} km")
    return doublings


MOST_STEPS = 100
"""More than any crew has actions for."""


@rule(_RANGE)
def array_actions(step: int) -> Derived[int]:
    """Actions for so many steps of a large vehicle's array: one for the first, two more for the second, three more for the third."""
    if not 0 <= step <= MOST_STEPS:
        raise UserError(f"an array has 0 to {MOST_STEPS} steps, not {step}")
    return total("actions", *[term(f"step {index}", index) for index in range(1, step + 1)], rule=_RANGE)


@cached(1024, typed=True)
@rule(_RANGE)
def array_bonus(rules: Ruleset, size: Number, step: int = 1) -> Derived[int]:
    """The bonus of a large vehicle's array: for every step one for each full 30 points of Size; or the step itself, limited by
    that (ruling "large-arrays")."""
    number = RANGE.get(rules, "Size for each step of an array").value
    full = total("full measures of Size", term("Size", size), divided("points of Size", number), rounded_down())
    if rules.word("large-arrays") == "capped":
        return total("array", term("step", step), at_most(full.value, "full measures of Size"), rule=_RANGE)
    return total("array", term("full measures of Size", full), times("step", step), rule=_RANGE)


# --- towed arrays -------------------------------------------------------------------------------------------------------------

Medium = Literal["naval", "submarine", "air", "space"]


@rule(_ARRAY)
def longest_array(rules: Ruleset, base: Number, medium: Medium) -> Derived[Number]:
    """The longest towed array in kilometres: the Base Range of the sensors in water and space, one kilometre in the air."""
    if medium == "air":
        limit = TOWED.get(rules, "kilometres in the air").value
        return total("kilometres", row("in the air", limit), rule=_ARRAY)
    return total("kilometres", term("Base Range", base), rule=_ARRAY)


@rule(_ARRAY)
def rounds_to_trail(rules: Ruleset, kilometres: Number) -> Derived[Number]:
    """Rounds to let out or haul in an array: ten minutes a kilometre."""
    return total(
        "rounds", term("kilometres", kilometres), times("rounds each", TOWED.get(rules, "rounds for each kilometre").value), rule=_ARRAY
    )


@rule(_ARRAY)
def array_lost(rules: Ruleset, top_speed: bool = False, reverse: bool = False, hexsides: int = 0) -> str:
    """Returns what tears an array off: Top Speed or Overthrust, backing up, turning by more than one hexside; empty otherwise."""
    if top_speed:
        return "at Top Speed"
    if reverse:
        return "backing up"
    if hexsides > TOWED.get(rules, "hexsides that it bears").value:
        return f"turning by {60 * hexsides} degrees"
    return ""
