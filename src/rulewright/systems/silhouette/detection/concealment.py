"""Concealment against Detection, by eye and by passive sensors, on land, at night and under water (book lines 4724-4786, 5208-5216)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, rounded_up, row, term, times, total
from rulewright.systems.silhouette.detection.line_of_sight import Lay, blocked, obscurement
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.terrain import IN_SPACE
from rulewright.systems.silhouette.resolution.tests import Figure

_LOS, _CONCEALMENT, _STEALTH = "sil-5.3-los", "sil-5.3.1-concealment", "sil-5.3.2-stealth"
_WATER, _NIGHT = "sil-5.3.2-underwater-sensors", "sil-5.6.5-night"
FIGURES = Table(_CONCEALMENT, Figure)
STEALTH = Table(_STEALTH, Figure)
WATER = Table(_WATER, Figure)

By = Literal["", "eyes", "sensors"]
"""How a target is seen; empty if it is not."""


class Watcher(Struct, frozen=True, gc=False, cache_hash=True):
    """An observer: sensors, skill and range; without sensors the eyes alone."""

    information_warfare: int = 0
    sensors: int | None = None
    """The Sensor rating after damage; None without sensors."""
    reach: Number = 0
    """The present sensor range in hexes; used only with sensors."""
    aquatic: bool = False
    """Whether the sensors work only under water."""
    depth: int = 0
    defective: int = 0
    blind: bool = False
    """Blinded by light: only active sensors work."""
    no_eyes: bool = False
    """The crew cannot look outside."""


class Watched(Struct, frozen=True, gc=False, cache_hash=True):
    """A target: its Size, what hides it and what reveals it."""

    size: Number = 1
    walker: bool = False
    prone: bool = False
    hull_down: int = 0
    stealth: int = 0
    holofield: int = 0
    low_profile: bool = False
    sensor_profile: int = 0
    emissions: int = 0
    moved: int = 0
    thrust: int = 0
    fired: int = 0
    """Weapons fired this round that reveal it."""
    boosted: int = 0
    """How often it doubled the range of its sensors or communications this round."""
    flying: bool = False
    painted: int = 0
    smoke: int = 0
    """Concealment of smoke on the line."""
    hot_smoke: int = 0
    lit: bool = False
    """Whether it shines a searchlight, or is in a beam that counts for the observer."""
    swims: bool = False
    """Whether it is in the water, afloat or diving."""
    noise: int = 0
    """Concealment lost by crash-braking under water."""
    shadowed: bool = False
    """Whether it is in the shadow of a planet."""
    depth: int = 0


class Light(Struct, frozen=True, gc=False, cache_hash=True):
    """The light: day or night, air to carry sound, and the metres of a hex."""

    night: bool = False
    space: bool = False
    air: bool = True
    hex_metres: int = 50


DAY = Light()


def _rating_of(machine: Machine, name: str) -> int:
    fitted = machine.has(name)
    return (fitted.rating or 0) if fitted is not None else 0


@cached(256)
def watched_of(machine: Machine, walking: bool = False) -> Watched:
    """A machine as a target, stationary with everything off."""
    return Watched(
        size=machine.size,
        walker=walking,
        stealth=_rating_of(machine, "stealth"),
        holofield=_rating_of(machine, "holofield"),
        low_profile=machine.has("low profile") is not None,
        sensor_profile=_rating_of(machine, "large sensor profile"),
        emissions=_rating_of(machine, "trackable emissions"),
    )


def aquatic_only(machine: Machine) -> bool:
    """Whether its sensors work only under water."""
    sensors = machine.has("sensors")
    return sensors is not None and sensors.variant.startswith("aquatic")


@cached(1024)
@rule(_CONCEALMENT)
def detection(rules: Ruleset, watcher: Watcher, night: bool = False) -> Derived[int]:
    """Detection: 4 by day or 2 by night with the eyes, or the Sensor rating plus Information Warfare, whichever is higher."""
    eyes = FIGURES.get(rules, "eyes by night" if night else "eyes by day").value
    own = term("eyes by night" if night else "eyes by day", eyes)
    if watcher.sensors is None:
        return total("Detection", own, rule=_CONCEALMENT)
    by_sensors = sensing(rules, watcher)
    if by_sensors.value <= eyes:
        return total("Detection", own, rule=_CONCEALMENT)
    return total("Detection", *by_sensors.reasons, rule=_CONCEALMENT)


@cached(1024)
@rule(_CONCEALMENT, _WATER)
def sensing(rules: Ruleset, watcher: Watcher) -> Derived[int]:
    """Detection of passive sensors: Sensor rating plus Information Warfare. Under water with aquatic sensors it is at least 2."""
    if watcher.sensors is None:
        raise UserError("passive detection needs sensors")
    terms = [term("Sensor rating", watcher.sensors), term("Information Warfare", watcher.information_warfare)]
    plain = total("Detection", *terms, rule=_CONCEALMENT)
    if watcher.depth and watcher.aquatic and plain.value < (least := WATER.get(rules, "least Detection").value):
        return total("Detection", *terms, at_least(least, rule=_WATER), rule=_WATER)
    return plain


@cached(1024, typed=True)
@rule(_CONCEALMENT)
def range_bands(rules: Ruleset, hexes: int, size: Number, walker: bool = False, prone: bool = False) -> Derived[int]:
    """Concealment of distance: bands are as many hexes wide as the target's Size, twice that for a standing walker; each after the
    first adds 1."""
    if size <= 0:
        raise UserError(f"Size must be above 0, not {size}")
    if hexes < 1:
        return total("range bands", term("the same hex", 0), rule=_CONCEALMENT)
    wide = [divided("a band: the target's Size", size)]
    if walker and not prone:
        wide.append(divided("standing walker", FIGURES.get(rules, "walker bands").value))
    number = FIGURES.get(rules, "for each band").value
    more = () if number == 1 else (times("for each band", number),)
    return total("range bands", term("hexes", hexes), *wide, rounded_up(), less("the first is free", 1), *more, rule=_CONCEALMENT)


@rule(_STEALTH)
def stealth_counts(
    rules: Ruleset, rating: int, obscured: bool, night: bool = False, submerged: bool = False, burning: bool = False, hexes: int = 1
) -> Derived[int]:
    """Returns what Stealth adds to Concealment against sensors: its rating by night, and by day if anything obscures the target; under
    water always beyond point blank. A burn in space cannot be hidden."""
    counts = bool((night or obscured or submerged) and not burning)
    if submerged and hexes < 1:
        counts = False
    why = "it changed its vector" if burning else "nothing obscures it" if not counts else ""
    return total("Stealth", term("Stealth", rating) if counts else row(f"Stealth: {why or 'point blank'}", 0), rule=_STEALTH)


class Seen(Struct, frozen=True, gc=False):
    """Whether a target is seen, how, and why: the sums of both sides, or what blocks the line."""

    by: By
    concealment: Derived[int] | None = None
    detection: Derived[int] | None = None
    why: str = ""
    obscurement: int = 0
    """Obscurement for attacks: cover alone, without distance and Stealth."""

    def reasons(self) -> tuple[Reason, ...]:
        """The two sums compared."""
        if self.concealment is None or self.detection is None:
            return ()
        return self.detection.reason, replace(self.concealment.reason, op="against")


@rule(_CONCEALMENT, _STEALTH)
def concealment(rules: Ruleset, lay: Lay, target: Watched, light: Light = DAY, by: By = "eyes", active: bool = False) -> Derived[int]:
    """Concealment of a target: Obscurement, range bands, smoke, a planet's shadow; against sensors its Stealth, against
    eyes its holofield. Active sensors ignore distance (ruling "bands-for-active-sensors") and smoke that is not hot."""
    cover = obscurement(rules, lay, target.hull_down)
    terms = [term("Obscurement", cover)]
    if not active or rules.on("bands-for-active-sensors"):
        bands = range_bands(rules, lay.hexes, target.size, target.walker, target.prone)
        terms += [term("range bands", bands)] if bands.value else []
    if target.low_profile and cover.value >= 2:
        terms.append(term("low profile", 1, rule="sil-d-features"))
    smoke = target.hot_smoke + (0 if active else target.smoke)
    terms += [term("smoke", smoke, rule="sil-f-system-perks")] if smoke else []
    if target.shadowed:
        terms.append(term("in a planet's shadow", IN_SPACE.get(rules, "shadow").value, rule=_LOS))
    if target.noise:
        terms.append(less("crash-braking", target.noise, rule="sil-5.2.1-underwater"))
    if target.painted:
        terms.append(less("painted", target.painted, rule="sil-f-system-perks"))
    terms += _against_sensors(rules, lay, target, light, bool(cover.value)) if by == "sensors" else _against_eyes(target)
    return total("Concealment", *terms, rule=_CONCEALMENT)


def _against_eyes(target: Watched) -> list[Reason]:
    return [term("holofield", target.holofield, rule="sil-d-information-warfare")] if target.holofield else []


def _against_sensors(rules: Ruleset, lay: Lay, target: Watched, light: Light, obscured: bool) -> list[Reason]:
    reasons = []
    if target.stealth:
        burning = light.space and target.thrust > 0
        night = light.night and not target.lit
        hidden = stealth_counts(rules, target.stealth, obscured, night, target.depth > 0, burning, lay.hexes)
        reasons.append(term("Stealth", hidden))
    if target.sensor_profile:
        reasons.append(less("large sensor profile", target.sensor_profile, rule="sil-e-negative-features"))
    return reasons


def _is_dark(rules: Ruleset, light: Light, target: Watched) -> bool:
    """Whether it is night for an observer: by the hour, or deep under water; a searchlight reveals its owner."""
    deep = target.depth >= WATER.get(rules, "night from this depth").value
    return (light.night and not target.lit) or deep


@rule(_LOS, _CONCEALMENT, _WATER)
def seen(rules: Ruleset, watcher: Watcher, lay: Lay, target: Watched, light: Light = DAY) -> Seen:
    """Whether an observer has a line of sight without an action: no higher terrain is between, the target is within sensor range, and its
    Concealment does not exceed the Detection of eyes or passive sensors. A blinded observer sees nothing."""
    cover = obscurement(rules, lay, target.hull_down)
    stopped = blocked(rules, lay).value
    if stopped:
        return Seen("", why=stopped, obscurement=cover.value)
    if watcher.sensors is not None and lay.hexes > watcher.reach:
        return Seen("", why="beyond sensor range", obscurement=cover.value)
    if watcher.blind:
        return Seen("", why="blinded", obscurement=cover.value)
    night = _is_dark(rules, light, target)
    tries = [_see_by_eye(rules, watcher, lay, target, light=light, night=night), _see_by_sensors(rules, watcher, lay, target, light)]
    seens = [candidate for candidate in tries if candidate is not None]
    if not seens:
        return Seen("", why="out of sight", obscurement=cover.value)
    best = next((candidate for candidate in seens if candidate.by), seens[-1])
    return replace(best, obscurement=cover.value)


def _compare(by: By, hidden: Derived[int], power: Derived[int]) -> Seen:
    won = power.value >= hidden.value
    return Seen(by if won else "", hidden, power, "" if won else "too well hidden")


def _see_by_eye(rules: Ruleset, watcher: Watcher, lay: Lay, target: Watched, *, light: Light, night: bool) -> Seen | None:
    """By eye; under water only within the same hex, about twenty metres."""
    if watcher.no_eyes or ((watcher.depth or target.depth) and lay.hexes):
        return None
    power = detection(rules, replace(watcher, sensors=None), night)
    return _compare("eyes", concealment(rules, lay, target, light, "eyes"), power)


def _see_by_sensors(rules: Ruleset, watcher: Watcher, lay: Lay, target: Watched, light: Light) -> Seen | None:
    if watcher.sensors is None or (watcher.aquatic and not (target.depth or target.swims)):
        return None
    hidden = concealment(rules, in_water(rules, lay, watcher, target), target, light, "sensors")
    return _compare("sensors", hidden, sensing(rules, watcher))


@rule(_WATER)
def in_water(rules: Ruleset, lay: Lay, watcher: Watcher, target: Watched) -> Lay:
    """The terrain for sensors under water: aquatic ones ignore whatever obscures, all others treat deep water as an Obscurement
    of 4 in the target's hex."""
    if watcher.aquatic:
        return Lay(lay.level, lay.target_level, replace(lay.target, obscurement=0), (), lay.hexes)
    if not target.depth:
        return lay
    murky = max(lay.target.obscurement, WATER.get(rules, "Obscurement without aquatic sensors").value)
    return replace(lay, target=replace(lay.target, obscurement=murky, name=lay.target.name or "deep water"))


@rule(_WATER)
def heard_under_water(rules: Ruleset, base_range: Number, array: Number = 0) -> Derived[Number]:
    """The range in kilometres at which aquatic sensors hear a unit, with rough position and course: the range with a
    towed array, squared. Attacks reach no farther than the range."""
    reach = total("range", term("Base Range", base_range), *([term("towed array", array)] if array else []), rule=_WATER)
    return total("kilometres", term("range", reach), times("itself", reach.value), rule=_WATER)
