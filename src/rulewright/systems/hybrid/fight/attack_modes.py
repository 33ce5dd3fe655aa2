"""Attack modes: which can be combined, and what they cost in time (book lines 852-888, 916-962)."""

from functools import partial
from typing import Any, cast

from msgspec.structs import replace

from rulewright.play import Choice, Play, Range
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.arms import Arm
from rulewright.systems.hybrid.combat.attacks import lob_range, may_advance
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, Way
from rulewright.systems.hybrid.combat.initiative import rush_share, shortened
from rulewright.systems.hybrid.combat.maneuvers import manner_counts
from rulewright.systems.hybrid.fight.log_events import About
from rulewright.systems.hybrid.fight.options import options
from rulewright.systems.hybrid.harm.damage import CALLED_SHOTS

APART = (frozenset(("advance", "retreating")), frozenset(("all out", "evading")))
"""Modes that do not go together: nobody presses and gives way, or evades who makes no attempt to defend."""


def ways(rules: Ruleset, me: Fighter, foe: Fighter, arm: Arm) -> tuple[str, ...]:
    """The modes in which a weapon or a spell can be used on a person; those that need one's feet are not for the prone."""
    if arm.helps:
        return ("plain", "set up", *(["rushed"] if arm.speed > 1 else []))
    keys, up = ["plain", *([] if me.evading else ["all out"]), "set up"], not me.body.prone
    keys += [way for way, taken in (("retreating", me.retreating), ("evading", me.evading)) if up and not taken]
    keys += ["rushed"] if arm.speed > 1 else []
    keys += ["spinning", "jumping"] if arm.use != "spell" and up else []
    if arm.use == "melee":
        keys += ["advance"] if up and may_advance(rules, arm.length, foe.arm.length) and not me.retreating else []
        keys += ["both hands"] if other_hand(me) is not None else []
    if arm.use == "thrown" and me.distance(foe) <= lob_range(rules, me.body.pst).value:
        keys.append("lob")
    if not arm.mental:
        keys += [f"called {target}" for target in CALLED_SHOTS(rules)]
    return tuple(keys)


def moves_in(rules: Ruleset, me: Fighter, foe: Fighter, arm: Arm, move: str) -> tuple[str, ...]:
    """The modes in which something other than a blow can be tried; what does no harm is not spun, jumped or aimed."""
    harms, names = move in ("overbear", "throw"), ways(rules, me, foe, arm)
    left = ("both hands", *(() if harms else ("spinning", "jumping")), *(("all out",) if move == "feint" else ()))
    return tuple(way for way in names if way not in left and (harms or not way.startswith("called ")))


def combines(key: str, chosen: tuple[str, ...]) -> bool:
    """Whether a mode can be added to those chosen: none twice, one place to aim at, and nothing that contradicts another."""
    if key in chosen or any(frozenset((key, other)) in APART for other in chosen):
        return False
    return not (key.startswith("called ") and any(other.startswith("called ") for other in chosen))


def other_hand(me: Fighter) -> int | None:
    """A second hand weapon, for people who have one."""
    for place, arm in enumerate(me.profile.arms):
        if place != me.in_hand and place not in me.lost and arm.use == "melee" and not arm.natural and not arm.shield:
            return place
    return None


def asked_manners(about: About, keys: tuple[str, ...]) -> Play[tuple[str, ...]]:
    """In which modes something is tried: one after the other, as many as go together."""
    chosen: tuple[str, ...] = ()
    key = yield from Choice(about.name, "How?", options(keys), about, "way")
    while key not in ("plain", "enough"):
        chosen = (*chosen, key)
        keys = ("enough", *[text for text in keys if text != "plain" and combines(text, chosen)])
        key = yield from Choice(about.name, "Do you add another mode?", options(keys), about, "way too")
    return chosen


def timed(about: About, doing: Doing, arm: Arm, manners: tuple[str, ...]) -> Play[tuple[Fight, Doing, int]]:
    """The modes of an attack decide how long it takes, and how its doer stands meanwhile."""
    rules, fight, name = about.rules, about.fight, about.name
    me = fight.fighter(name)
    called = next((key.removeprefix("called ") for key in manners if key.startswith("called ")), "")
    ways = cast(tuple[Way, ...], tuple([key for key in manners if not key.startswith("called ")]))
    speed, share = arm.speed, (1, 1)
    if "rushed" in ways:
        asked = f"In how many of the usual {arm.speed} counts?"
        speed = yield from Choice(name, asked, Range(1, arm.speed - 1), about, "within")
        share = rush_share(rules, arm.speed, speed)
    longer = partial(manner_counts, rules, slowed=("spinning" in ways) + ("jumping" in ways), prepared="set up" in ways)
    first = rules.on("speed-points-first")
    took = shortened(rules, speed if first else longer(speed), me.points, arm.rank)
    stances: dict[str, Any] = {
        "all_out": "" if "all out" not in ways else "mind" if arm.mental else "body",
        "advancing": "advance" in ways,
        "retreating": me.retreating or "retreating" in ways,
        "evading": me.evading or "evading" in ways,
    }
    fight = fight.change(name, points=took.points, **stances)
    doing = replace(doing, way=ways[0] if ways else "", also=ways[1:], called=called, share=share)
    return fight, doing, longer(took.counts) if first else took.counts
