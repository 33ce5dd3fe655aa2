"""Movement: paces, distances, acceleration and mental movement (book lines 770-802)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Event, Play, Tell
from rulewright.rules import Column, Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, rounded, term, times, total
from rulewright.systems.hybrid.resolution.tests import ORDINARY, Check, chance_of, skill_check

Mode = Literal["no move", "crawl", "walk", "jog", "run", "dash"]
MODES: tuple[Mode, ...] = ("no move", "crawl", "walk", "jog", "run", "dash")
"""From standing still to the fastest."""


PACES = Column("hyb-6-movement-rates", "mode", Mode, share=tuple[int, int])
"""A pace as a share of the dash."""


def _exact(pmv: float) -> Fraction:
    if pmv < 0:
        raise UserError(f"a movement rate is 0 metres a second or more, not {pmv}")
    return Fraction(str(pmv))


@rule("hyb-6-movement-rates")
def pace(rules: Ruleset, pmv: float = 4.8, mode: Mode = "run") -> Derived[float]:
    """Metres a second in a mode of movement: Physical Movement is the dash, and every slower pace half of the one above it."""
    share = Fraction(*PACES.of(rules, mode))
    _exact(pmv)
    return total(
        f"metres a second at a {mode}",
        term("dash", pmv),
        times("share", float(share)),
        rounded(0.1),
        rule="hyb-6-movement-rates",
    )


@rule("hyb-6-movement-rates")
def paces(rules: Ruleset, pmv: float = 4.8) -> dict[str, float]:
    """All paces of a person, the fastest first. A view of `pace`."""
    return {mode: pace(rules, pmv, mode).value for mode in reversed(MODES)}


@rule("hyb-6-movement-rates")
def distance(rules: Ruleset, pmv: float = 4.8, mode: Mode = "run", seconds: float = 15) -> Derived[float]:
    """Metres covered over a longer time: pace times time, without the time it takes to get up to speed."""
    if seconds < 0:
        raise UserError(f"movement takes 0 seconds or more, not {seconds}")
    share = Fraction(*PACES.of(rules, mode))
    return total(
        "metres",
        term(f"metres a second at a {mode}", float(_exact(pmv) * share)),
        times("seconds", seconds),
        rounded(0.1),
        rule="hyb-6-movement-rates",
    )


# --- acceleration (lines 792-798) ---------------------------------------------------------------------------------------------


class Motion(Struct, frozen=True, cache_hash=True):
    """How a person moves now, and how fast they mean to."""

    mode: Mode = "no move"
    target: Mode = "run"


AT_REST = Motion()


class Moved(Event, frozen=True):
    """A change of pace."""

    name: str
    before: Mode
    after: Mode
    rules: Ruleset | None = None
    check: Check | None = None

    def reasons(self) -> tuple[Reason, ...]:
        return chance_of(self.rules, self.check)

    def headline(self) -> str:
        name = self.name or "somebody"
        if self.before == self.after:
            return f"{name} does not start moving" if self.after == "no move" else f"{name} stays at a {self.after}"
        return f"{name} goes from {'standing' if self.before == 'no move' else f'a {self.before}'} to {self._now()}"

    def _now(self) -> str:
        return "standing" if self.after == "no move" else f"a {self.after}"

    def tone(self) -> str:
        return "good" if MODES.index(self.after) > MODES.index(self.before) else "plain"


@rule("hyb-6-acceleration")
def accelerate(rules: Ruleset, motion: Motion = AT_REST, check: Check = ORDINARY, by: str = "") -> Play[Motion]:
    """One initiative of getting up to speed: first to the pace below the one meant, then to that; a failure drops one pace.

    Slowing down, or staying as fast as meant, needs no roll (ruling: the book speaks of gaining speed only).
    """
    now, goal = MODES.index(motion.mode), MODES.index(motion.target)
    if now >= goal:
        return replace(motion, mode=motion.target)
    degree = yield from skill_check(rules, check, by, "acceleration")
    if degree.success:
        after = goal if now == goal - 1 else goal - 1
    else:
        after = max(0, now - 1)
    moved = replace(motion, mode=MODES[after])
    yield from Tell(Moved(by, motion.mode, moved.mode, rules, check))
    return moved


# --- minds (lines 800-802) ----------------------------------------------------------------------------------------------------


@rule("hyb-6-mental-movement")
def mental_distance(rules: Ruleset, mmv: float = 4.8, seconds: float = 10) -> Derived[float]:
    """How far a mind travels in psionics or a computer: Mental Movement times the time (ruling: in the same units as a body)."""
    if seconds < 0:
        raise UserError(f"movement takes 0 seconds or more, not {seconds}")
    _exact(mmv)
    return total(
        "distance of the mind",
        term("Mental Movement", mmv),
        times("seconds", seconds),
        rounded(0.1),
        rule="hyb-6-mental-movement",
        source="ruling",
    )
