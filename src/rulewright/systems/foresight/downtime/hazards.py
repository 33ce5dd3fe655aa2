"""Hazards between scenes: weather, want of air, vacuum, fire and other injuries (book lines 2728-2793, 3106-3116)."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from rulewright.campaign.calendar import MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, EffectKind, Figure, again
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.survivors import CLOTHING, PRESSURE, TEMPERATURE, Recovers, Survivor
from rulewright.systems.foresight.harm.body import Patient, wound_row
from rulewright.systems.foresight.harm.damage import Blow, be_hit
from rulewright.systems.foresight.harm.hazards import (
    BURNS,
    GASP,
    MOST_ROUNDS,
    Clothing,
    breath,
    burn,
    decompression,
    exposure_cost,
    gasp,
)
from rulewright.systems.foresight.harm.stamina import spend
from rulewright.systems.foresight.resolution.damage_classes import parse_dc
from rulewright.systems.foresight.resolution.locations import LOCATIONS, Location

Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]
NO_AIR = "no air"
LONGEST_POINT = 1000
"""Minutes after which weather that costs nothing costs nothing at all."""


def calmed(body: Patient) -> Patient:
    """A body once the seconds of a shock are over."""
    return replace(body, stunned=False, prone=False, dropped=())


def told_wounds(rules: Ruleset, name: str, before: Patient, after: Patient, cause: str) -> Play[None]:
    """Tells what a cause did to a body; a death is told by the rule itself or here."""
    if after.dead:
        words = f"dies ({cause})"
    elif after.heart_stopped and not before.heart_stopped:
        words = f"has no heartbeat left ({cause})"
    elif after.wounds != before.wounds:
        words = f"is now {wound_row(rules, after.wounds).name.lower()} ({cause})"
    else:
        words = f"takes no wound ({cause})"
    yield from Tell(Happened(name, words, "plain" if after == before else "bad"))


# --- heat and cold ------------------------------------------------------------------------------------------------------------


@cached(256)
def minutes_to_a_point(rules: Ruleset, celsius: int, clothing: Clothing) -> int | None:
    """After how many minutes of this weather a point of stamina is lost; None if it costs nothing."""
    if not exposure_cost(rules, celsius, LONGEST_POINT, clothing).value:
        return None
    return next(minutes for minutes in range(1, LONGEST_POINT + 1) if exposure_cost(rules, celsius, minutes, clothing).value)


class Exposure(EffectKind[Survivor]):
    """Heat and cold cost stamina, a point at a time, as long as somebody is in them."""

    name = "exposure"
    rules = ("fs-exposure",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if not case.life.body.dead and self._minutes(rules, case) is not None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return (self._minutes(rules, case) or 1) * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = yield from sub(spend, rules, case.life.body, 1)
        words = f"has {body.stamina} of {body.stamina_max} stamina ({case.figure(TEMPERATURE)} °C)"
        yield from Tell(Recovers(case.name, words, "bad"))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{case.figure(TEMPERATURE)} °C cost a point of stamina"

    def _minutes(self, rules: Ruleset, case: Now) -> int | None:
        return minutes_to_a_point(rules, int(case.figure(TEMPERATURE)), cast(Clothing, case.figure(CLOTHING)))


# --- want of air --------------------------------------------------------------------------------------------------------------


class NoAir(Begun[Survivor]):
    """No air to breathe, until the gamemaster ends it: the breath, a roll every five seconds, and minutes later death.

    Its data are the cause and whether the breath was drawn in, then the seconds so far and whether somebody has passed out.
    """

    name = NO_AIR
    label = "take away the air (smoke, water)"
    rules = ("fs-asphyxiation",)
    prepared = Figure("prepared", "Breath drawn in", ("no", "yes"), rule="fs-asphyxiation")
    arguments = (Figure("cause", "Cause, such as under water", takes="text", needed=True), prepared)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        passed, out = _progress(effect)
        if case.life.body.dead:
            return None
        if out:
            return rules.number("asphyxiation-minutes") * MINUTE
        return max(breath(rules, case.life.body.endurance, effect.data[1] == "yes").value + GASP - passed, GASP)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        passed, out = _progress(effect)
        cause, prepared = effect.data[:2]
        if out:
            body = replace(case.life.body, dead=True)
            yield from Tell(Happened(case.name, f"dies ({cause})", "bad"))
            return case.life.with_body(body), None
        holds = yield from sub(gasp, rules, case.life.body)
        passed += effect.spent
        yield from Tell(Happened(case.name, "holds out without air" if holds else f"passes out ({cause})", "plain" if holds else "bad"))
        life = case.life if holds else replace(case.life, senseless="unconscious")
        return life, again(effect, cause, prepared, passed, int(not holds))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{'dies' if _progress(effect)[1] else 'a roll to hold out'} ({effect.data[0]})"


def _progress(effect: OngoingEffect) -> tuple[int, bool]:
    """The seconds without air at the last roll, and whether the person has passed out."""
    return (int(effect.data[-2]), bool(effect.data[-1])) if len(effect.data) == 4 else (0, False)


class Vacuum(EffectKind[Survivor]):
    """A place without pressure: the shock at once, then rolls as without air, and death when the seconds of the book are over.

    Its data are the seconds so far, and whether the person has passed out.
    """

    name = "vacuum"
    rules = ("fs-decompression", "fs-asphyxiation")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if not case.figure(PRESSURE) and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return self._next(rules, case, effect) - int(effect.data[0]) if effect.data else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        life, body = case.life, case.life.body
        if not effect.data:
            hit = calmed((yield from sub(decompression, rules, body, 0)))
            yield from told_wounds(rules, case.name, body, hit, "explosive decompression")
            return life.with_body(hit), again(effect, 0, 0)
        now, out = self._next(rules, case, effect), bool(effect.data[1])
        if now > rules.number("vacuum-seconds"):
            yield from Tell(Happened(case.name, "dies in the vacuum", "bad"))
            return life.with_body(replace(body, dead=True)), None
        holds = yield from sub(gasp, rules, body)
        yield from Tell(
            Happened(case.name, "holds out in the vacuum" if holds else "passes out in the vacuum", "plain" if holds else "bad")
        )
        return (life if holds else replace(life, senseless="unconscious")), again(effect, now, int(out or not holds))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if not effect.data:
            return "explosive decompression"
        last = self._next(rules, case, effect) > rules.number("vacuum-seconds")
        return "dies in the vacuum" if last else "a roll to hold out in the vacuum"

    def _next(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        """The second at which something happens next."""
        passed, out = int(effect.data[0]), bool(effect.data[1])
        limit = rules.number("vacuum-seconds")
        roll = max(breath(rules, case.life.body.endurance).value, passed) + GASP
        return limit + 1 if out or roll > limit else roll


class Waking(EffectKind[Survivor]):
    """Somebody comes round some minutes after the cause has ended: air is back, or a poison no longer works."""

    name = "waking"
    rules = ("fs-asphyxiation",)
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        life = case.life
        lasts = not case.figure(PRESSURE) or case.running(NO_AIR) or case.running("poison")
        return ("",) if life.senseless and not lasts and not life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return rules.number("waking-minutes") * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        yield from Tell(Happened(case.name, f"is no longer {case.life.senseless}", "good"))
        return replace(case.life, senseless=""), None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"no longer {case.life.senseless}"


# --- fire and injuries --------------------------------------------------------------------------------------------------------

PLACES = Figure("where", "Locations of the body, such as right arm, head", takes="text")


def _places(text: str) -> tuple[Location, ...]:
    """Locations of the body, separated by commas."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in LOCATIONS:
            raise UserError(f"there is no location {name[:40]!r}; use {', '.join(LOCATIONS)}")
    return cast(tuple[Location, ...], tuple(names))


class Burning(Begun[Survivor]):
    """Fire, acid, cold or current, round by round. Its data are the arguments, with the rounds that are left, and 1 after the first."""

    name = "burning"
    label = "burn"
    rules = ("fs-burn", "fs-damage-without-qr")
    contact = Figure("contact", "Contact", ("plain", "engulfed", "brief"), rule="fs-burn")
    arguments = (
        Figure("cause", "What burns, such as camp fire or mains", takes="text", needed=True, rule="fs-burn"),
        PLACES,
        Figure("rounds", "Rounds", low=1, high=MOST_ROUNDS, default=1, rule="fs-burn"),
        contact,
    )

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        BURNS.get(rules, str(given["cause"]))
        _places(str(given[PLACES.name]))
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return rules.number("round-seconds") if len(effect.data) > len(self.arguments) else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        cause, where, rounds, contact = effect.data[: len(self.arguments)]
        exposed = _places(str(where)) or ("chest",)
        before = case.life.body
        body = yield from sub(burn, rules, before, str(cause), exposed, 1, contact == "engulfed", contact == "brief")
        body = calmed(body)
        yield from told_wounds(rules, case.name, before, body, str(cause))
        left = int(rounds) - 1
        goes_on = left > 0 and not body.dead
        data = (cause, where, left, contact, 1)
        return case.life.with_body(body), again(effect, *data) if goes_on else None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a round of {effect.data[0]}"


class Injury(Begun[Survivor]):
    """An injury whose attack nobody rolled: damage with a random rating, as accidents and falling things do it."""

    name = "injury"
    label = "injure (damage without a quality rating)"
    rules = ("fs-damage-without-qr",)
    arguments = (
        Figure("cause", "Cause", takes="text", needed=True),
        Figure("dc", "Damage class, such as 6 or 4i", takes="text", needed=True, rule="fs-damage-without-qr"),
        Figure("where", "Location of the body (empty: random)", takes="text"),
    )

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        parse_dc(str(given["dc"]))
        if len(_places(str(given["where"]))) > 1:
            raise UserError("one injury is at one location")
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if case.life.body.dead else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        cause, dc, where = (str(value) for value in effect.data)
        aimed: Any = where.strip().lower()
        before = case.life.body
        body = calmed((yield from sub(be_hit, rules, before, Blow(dc, 0, aimed))))
        yield from told_wounds(rules, case.name, before, body, cause)
        return case.life.with_body(body), None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"an injury: {effect.data[0]}"


class StoppedHeart(EffectKind[Survivor]):
    """A heart that electricity has stopped kills within minutes, unless the gamemaster sees to it."""

    name = "stopped heart"
    rules = ("fs-burn",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.heart_stopped and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return rules.number("asphyxiation-minutes") * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        yield from Tell(Happened(case.name, "dies of a stopped heart", "bad"))
        return case.life.with_body(replace(case.life.body, dead=True)), None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "dies of a stopped heart"


HAZARDS: tuple[EffectKind[Any], ...] = (Exposure(), NoAir(), Vacuum(), Burning(), Injury(), StoppedHeart(), Waking())
