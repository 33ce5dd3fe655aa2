"""Healing by redaction (book lines 6983-6995, 7054-7060, 7098-7104)."""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, Part, Vital, fresh
from rulewright.systems.ore.harm.locations import Location
from rulewright.systems.ore.recovery.medicine import taken_off
from rulewright.systems.ore.resolution.tests import Mod

Healed = Literal["shock", "kill", "both"]


class Mended(NamedTuple):
    """A body after healing, and the points left over."""

    body: AnyBody
    left: int


@rule("ore-5.04-effects-redaction")
def mended(body: AnyBody, points: int = 2, location: Location = "torso") -> Mended:
    """Mending heals Width in Shock in one location, or in the whole body."""
    if isinstance(body, Located):
        part, left = _without_shock(body.part(location), points)
        return Mended(body.put(part), left)
    if isinstance(body, Vital):
        gone = min(points, body.shock)
        return Mended(replace(body, shock=body.shock - gone), points - gone)
    return Mended(body, points)


def _without_shock(part: Part, points: int) -> tuple[Part, int]:
    gone = min(points, part.shock)
    return (replace(part, shock=part.shock - gone) if gone else part), points - gone


@rule("ore-5.04-effects-redaction")
def soothed_dice(left: int = 2, penalty: int = 3) -> Mod:
    """Points left over from Mending offset injury penalties for Psi hours."""
    return Mod("Mending", min(left, penalty), "ore-5.04-effects-redaction")


@rule("ore-5.04-effects-redaction")
def again_dice(times: int = 1) -> Mod:
    """Every further Metamitosis on a patient has -1d."""
    return Mod("treated before", -times, "ore-5.04-effects-redaction")


@rule("ore-5.04-effects-redaction")
def heals(rules: Ruleset, body: AnyBody | None = None, points: int = 2, what: Healed = "kill", by: str = "") -> Play[Mended]:
    """Heals points: Shock in one location (Mending), Kill anywhere (Metamitosis), or Shock then Kill (Regeneration); without locations
    from boxes, Outs and Downs."""
    patient = fresh(rules) if body is None else body
    left = points
    for form in ("shock", "kill") if what == "both" else (what,):
        patient, left = yield from _form(patient, left, form, by, whole=what == "both" or form == "kill")
    return Mended(patient, left)


def _form(body: AnyBody, points: int, form: str, by: str, whole: bool) -> Play[tuple[AnyBody, int]]:
    """Heals one form of damage, in one location or in several (`whole`)."""
    if isinstance(body, Abstract):
        marks: Literal["outs", "downs"] = "outs" if form == "shock" else "downs"
        there = sum([getattr(injury, marks) for injury in body.injuries if not injury.penalty])
        return (yield from taken_off(body, min(points, there), marks, by)), points - min(points, there)
    if isinstance(body, Vital):
        return _boxes(body, points, form)
    while points:
        hurt = [part for part in body.parts if getattr(part, form)]
        if not hurt:
            break
        part = hurt[0]
        if len(hurt) > 1:
            options = tuple(
                [
                    Option(candidate.location, f"{candidate.location.capitalize()}: {getattr(candidate, form)} {form}", candidate)
                    for candidate in hurt
                ]
            )
            part = yield from Choice(by, f"Where do you heal {count(points, 'point')}?", options, body, "heal part")
        gone = min(points, getattr(part, form))
        body, points = body.put(replace(part, **{form: getattr(part, form) - gone})), points - gone
        if not whole:
            break
    return body, points


def _boxes(body: Vital, points: int, form: str) -> tuple[AnyBody, int]:
    """Heals a Vital body: Kill Boxes before Vital Boxes (ruling)."""
    if form == "shock":
        return mended(body, points)
    kill = min(points, body.kill_lost)
    vital = min(points - kill, body.vital_lost)
    return replace(body, kill_lost=body.kill_lost - kill, vital_lost=body.vital_lost - vital), points - kill - vital
