"""What redaction heals (book lines 6983-6995, 7054-7060, 7098-7104)."""

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
    """A body after healing, and the points that found nothing to heal."""

    body: AnyBody
    left: int


@rule("ore-5.04-effects-redaction")
def mended(body: AnyBody, points: int = 2, location: Location = "torso") -> Mended:
    """Mending takes its Width in Shock from one part of the body; without parts, from all of it."""
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
    """What Mending has left over takes away dice that injuries cost, one for one and no more than there are, for Psi hours."""
    return Mod("Mending", min(left, penalty), "ore-5.04-effects-redaction")


@rule("ore-5.04-effects-redaction")
def again_dice(times: int = 1) -> Mod:
    """Every further Metamitosis on the same patient has one die less."""
    return Mod("treated before", -times, "ore-5.04-effects-redaction")


@rule("ore-5.04-effects-redaction")
def heals(rules: Ruleset, body: AnyBody | None = None, points: int = 2, what: Healed = "kill", by: str = "") -> Play[Mended]:
    """Points of healing, wherever they are wanted: Shock in one part of the body (Mending), Kill anywhere (Metamitosis), or all Shock and
    then Kill (Regeneration). Without parts of the body the same is taken from its boxes, from its Outs and from its Downs."""
    patient = fresh(rules) if body is None else body
    left = points
    for form in ("shock", "kill") if what == "both" else (what,):
        patient, left = yield from _form(patient, left, form, by, whole=what == "both" or form == "kill")
    return Mended(patient, left)


def _form(body: AnyBody, points: int, form: str, by: str, whole: bool) -> Play[tuple[AnyBody, int]]:
    """One form of harm is healed: of a body with parts in one of them, or in as many as points last for (`whole`)."""
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
    """A body of Kill, Vital and Shock Boxes: Kill Boxes come back before Vital ones (ruling)."""
    if form == "shock":
        return mended(body, points)
    kill = min(points, body.kill_lost)
    vital = min(points - kill, body.vital_lost)
    return replace(body, kill_lost=body.kill_lost - kill, vital_lost=body.vital_lost - vital), points - kill - vital
