"""Bad air between scenes: a room without fresh oxygen, a leak, vacuum (book lines 5491-5556)."""

from collections.abc import Mapping
from typing import cast, get_args

from msgspec.structs import replace

from rulewright.campaign.calendar import MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.downtime.survivors import BREATHLESS, Survivor
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.hazards.atmosphere import (
    BRAIN_DEATH,
    DROPS,
    EACH,
    FIRST,
    ROOM_OXYGEN,
    STAGES,
    Location,
    bear_thin_air,
    breach,
    check_minds,
    fade,
    gasp,
    hole_class,
    loss_time,
    rounds_awake,
    stage_times,
    starved,
    time_factor,
    wall_armor,
)
from rulewright.systems.silhouette.hazards.hazard_damage import perish, suffer_wound

Now = Case[Survivor]
STIFLED, LEAK, VACUUM = BREATHLESS
OXYGEN = Figure("oxygen", "Oxygen in percent", low=1, high=100, default=ROOM_OXYGEN, rule="sil-6.2.1-atmosphere-oxygen")
VOLUME = Figure("volume", "Volume in percent of a standard room", low=1, high=10_000_000, default=100, rule="sil-6.2.1-atmosphere-oxygen")


def out_cold(body: Patient) -> Patient:
    """A body that is unconscious until it gets air again, and then at most a minute longer (ruling: the book says nothing)."""
    return body if body.dead or body.coma or body.unconscious else replace(body, unconscious=1)


class Stifled(Begun[Survivor]):
    """A room without fresh oxygen, until the gamemaster ends it: after ten minutes the mind dulls every two, after twenty the brain fades.

    Its data are oxygen, volume, how many drops there were, and the six mental attributes once the brain fades (the lowest first).
    """

    name = STIFLED
    label = "take away the oxygen"
    rules = ("sil-6.2.1-atmosphere-oxygen",)
    arguments = (OXYGEN, VOLUME)

    def about(self, given: Mapping[str, Value]) -> str:
        return ""

    def factor(self, effect: OngoingEffect) -> float:
        """How much longer everything takes in this room."""
        return time_factor(int(effect.data[0]), int(effect.data[1]) / 100)

    def drops(self, effect: OngoingEffect) -> int:
        """How often the mental attributes have dropped so far."""
        return int(effect.data[2]) if len(effect.data) > 2 else 0

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        if len(effect.data) > 3:
            return SECONDS
        drops = self.drops(effect)
        minutes = EACH if 0 < drops <= DROPS else FIRST
        return round(minutes * self.factor(effect) * MINUTE)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        given, drops, body = effect.data[:2], self.drops(effect), case.life.body
        if len(effect.data) > 3:
            minds = check_minds(tuple(int(value) for value in effect.data[3:]))
            minds = yield from fade(case.name, minds)
            body = (yield from perish(body, "lack of oxygen")) if min(minds) <= BRAIN_DEATH else out_cold(body)
            return Change(case.life.with_body(body), again(effect, *given, drops, *minds))
        if drops < DROPS:
            yield from Tell(Recovers(case.name, f"can hardly think for lack of air (-{drops + 1} on mental attributes)", "bad"))
            awake = body.unconscious == 0 and (yield from gasp(rules, body.fitness, drops + 1, case.name))
            if not awake and not body.unconscious:
                body = yield from _faints(body)
            return Change(case.life.with_body(body), again(effect, *given, drops + 1))
        if not body.unconscious:
            body = yield from _faints(body)
        return Change(case.life.with_body(body), again(effect, *given, drops, *starved(rules, case.life.minds, drops)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if len(effect.data) > 3:
            return "the brain fades for lack of oxygen"
        return f"no fresh oxygen{f', -{self.drops(effect)} on mental attributes' if self.drops(effect) else ''}"


def _faints(body: Patient) -> Play[Patient]:
    yield from Tell(Recovers(body.name, "loses consciousness for lack of air", "bad"))
    return out_cold(body)


class FreshAir(Begun[Survivor]):
    """The gamemaster lets air in again: everything that takes the breath ends, and the unconscious come round."""

    name = "fresh air"
    label = "let air in again"
    rules = ("sil-6.2.1-atmosphere-oxygen",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        yield from Tell(Recovers(case.name, "breathes again" if not case.life.body.dead else "lies in fresh air", "good"))
        ended = tuple((run.of, run.about) for kind in BREATHLESS for run in case.running(kind))
        return Change(case.life, ended=ended)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "fresh air"


# --- leaks --------------------------------------------------------------------------------------------------------------------

PLACE = Figure("place", "Place", get_args(Location), rule="sil-6.2.1-pressurized-areas")
HOLE = Figure("hole", "Hole", ("leak", "fist", "man", "vehicle", "ship", "by damage"), rule="sil-6.2.1-atmosphere-loss-table")
DAMAGE = Figure("damage", "Damage, for a hole by damage", low=0, high=100_000, rule="sil-6.2.1-breach-size")
PART = Figure("part", "What the damage hits", ("wall", "door", "bulkhead"), rule="sil-6.2.1-pressurized-areas")
OUTSIDE = Figure("outside", "Outside is", ("vacuum", "thin air"), rule="sil-6.2.1-pressure-loss")


class Leak(Begun[Survivor]):
    """A hole in the hull: at three quarters, half and a quarter of the pressure a test of Fitness, then no oxygen, and at the end vacuum.

    Its data are the arguments, and how many stages there were.
    """

    name = LEAK
    label = "open a leak"
    rules = (
        *("sil-6.2.1-pressure-loss", "sil-6.2.1-breach-size", "sil-6.2.1-pressurized-areas", "sil-6.2.1-atmosphere-loss-table"),
        "sil-6.2.1-vacuum-exposure",
    )
    arguments = (HOLE, PLACE, DAMAGE, PART, OUTSIDE)

    def about(self, given: Mapping[str, Value]) -> str:
        return ""

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        place = cast(Location, given[PLACE.name])
        hole = str(given[HOLE.name])
        if hole == "by damage":
            hole = hole_by(rules, int(given[DAMAGE.name]), place, str(given[PART.name]))
        return OngoingEffect(self.name, "", 0, (hole, place, given[OUTSIDE.name], 0))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        hole, place, stage = str(effect.data[0]), cast(Location, effect.data[1]), int(effect.data[3])
        if case.life.body.dead:
            return None
        moments = (0.0, *stage_times(rules, hole, place), float(loss_time(rules, hole, place)))
        return round(moments[stage + 1] - moments[stage])

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        hole, place, outside, stage = str(effect.data[0]), cast(Location, effect.data[1]), effect.data[2], int(effect.data[3])
        life, body = case.life, case.life.body
        explosive = not loss_time(rules, hole, place)
        if stage < STAGES and not explosive:
            left = ("three quarters", "half", "a quarter")[stage]
            yield from Tell(Recovers(case.name, f"has {left} of the pressure left (-{stage + 1} on mental attributes)", "bad"))
            if not body.unconscious and not (yield from bear_thin_air(rules, body.fitness, stage + 1, case.name)):
                life = life.with_body((yield from _faints(body)))
            stifled = stage + 1 == STAGES and not case.running(STIFLED)
            runs = (OngoingEffect(STIFLED, "", 0, (ROOM_OXYGEN, 100)),) if stifled else ()
            return Change(life, again(effect, hole, place, outside, stage + 1), runs)
        if outside == "thin air":
            return Change(life)
        yield from Tell(Recovers(case.name, "is in vacuum", "bad"))
        stifling = tuple((run.of, run.about) for run in case.running(STIFLED))
        return Change(life, runs=(OngoingEffect(VACUUM, "", 0, (0, 0)),), ended=stifling)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"pressure falls through a hole ({effect.data[0]})"


def hole_by(rules: Ruleset, damage: int, place: Location, part: str) -> str:
    """The class of the hole that damage makes in a part of a place."""
    area = "station" if place == "colony" else place
    known = wall_armor(rules, area, "door" if part == "door" else "bulkhead" if part == "bulkhead" else "wall")
    side = breach(damage, known).value
    if not side:
        raise UserError(f"damage of {damage} does not penetrate the {part} of the {place} (Armor {known})")
    return hole_class(rules, side * side)


# --- vacuum -------------------------------------------------------------------------------------------------------------------

BREATH = Figure("breath", "Breath", ("exhales", "holds it"), rule="sil-6.2.1-vacuum-exposure")
KILLED_AFTER = 180
"""Seconds of vacuum that always kill, if the campaign says so."""


class Vacuum(Begun[Survivor]):
    """Naked exposure to vacuum, until the gamemaster ends it.

    Its data are whether the breath is held (-1: that has counted), the seconds so far, and the mental attributes once the brain fades.
    """

    name = VACUUM
    label = "expose to vacuum"
    rules = ("sil-6.2.1-vacuum-exposure",)
    arguments = (BREATH,)

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        return OngoingEffect(self.name, "", 0, (int(given[BREATH.name] == "holds it"), 0))

    def moments(self, rules: Ruleset, case: Now) -> tuple[int, int]:
        """The seconds until cold and heat wound, and until consciousness ends."""
        awake = rounds_awake(rules, case.life.body.fitness, case.life.body.willpower).value
        return (60 // SECONDS + 1) * SECONDS, awake * SECONDS

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        breath, so_far = int(effect.data[0]), int(effect.data[1])
        if breath == 1:
            return 0
        ahead = [moment for moment in self.moments(rules, case) if moment > so_far]
        fades = SECONDS if len(effect.data) > 2 else None
        return min([moment - so_far for moment in ahead] + ([fades] if fades else []), default=SECONDS)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        breath, so_far, body = int(effect.data[0]), int(effect.data[1]), case.life.body
        if breath == 1:
            body = yield from suffer_wound(rules, body, "deep", "holding their breath")
            body = yield from stay_out(rules, body)
            return Change(case.life.with_body(body), again(effect, -1, *effect.data[1:]))
        now = so_far + effect.spent
        wounded, faints = self.moments(rules, case)
        if now == wounded:
            body = yield from suffer_wound(rules, body, "flesh", "heat and cold")
            body = yield from stay_out(rules, body)
        minds: tuple[int, ...] = tuple(int(value) for value in effect.data[2:])
        if minds and not body.dead:
            minds = yield from fade(case.name, check_minds(minds))
            if min(minds) <= BRAIN_DEATH or (now >= KILLED_AFTER and rules.on("vacuum-kills-in-three-minutes")):
                body = yield from perish(body, "the vacuum")
        elif now >= faints and not body.dead:
            body, minds = (yield from _faints(body)) if not body.unconscious else out_cold(body), check_minds(case.life.minds)
        return Change(case.life.with_body(body), again(effect, breath, now, *minds))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"in vacuum for {effect.data[1]} seconds"
