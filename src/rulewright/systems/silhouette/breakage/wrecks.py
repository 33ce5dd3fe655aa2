"""Destroyed machines and escapes from them (book lines 5016-5024, 5071, 5085-5091)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Event, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, divided, rounded, term, total
from rulewright.systems.silhouette.breakage.escapes import Out, drifting, escape, jump_out
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.units.units import Crew, Rider, Unit

_EJECT = "sil-5.5.3-ejection"
ONE_BY_ONE = 6
"""Up to this number of nameless crew are rolled for one by one; of more a sixth escapes (ruling, as for casualties of large crews)."""


class Escaped(Event, frozen=True):
    """How a person left a machine."""

    name: str
    machine: str
    out: Out
    system: bool
    sums: tuple[Reason, ...] = ()
    drift: int | None = None
    """In space: their drift in hexes a round."""

    def headline(self) -> str:
        if not self.out.alive:
            return f"{self.name} does not escape from {self.machine}"
        far = f", {count(self.out.hexes, 'hex')} behind it" if self.out.hexes else ""
        if self.drift is not None:
            far = f" and drifts at {count(self.drift, 'hex')} a round" if self.drift else " and does not drift"
        return f"{self.name} {'ejects' if self.system else 'escapes'} from {self.machine}{far}"

    def tone(self) -> str:
        return "plain" if self.out.alive else "bad"


def can_eject(unit: Unit) -> bool:
    """Whether it has a working ejection system."""
    return unit.has("escape system")


def overkilled(rules: Ruleset, unit: Unit) -> Play[Unit]:
    """Three times the Armor: the machine is destroyed, and everyone aboard tries to escape. A combined machine splits into its
    components instead."""
    if unit.machine.components:
        yield from Tell(Broken(unit.name, "breaks apart into its components"))
        return replace(unit, wear=replace(unit.wear, destroyed="overkill"))
    yield from Tell(Broken(unit.name, "is destroyed"))
    return (yield from sub(abandon, rules, replace(unit, wear=replace(unit.wear, destroyed="overkill"))))


def abandon(rules: Ruleset, unit: Unit) -> Play[Unit]:
    """Everyone aboard a lost machine tries to escape: with an ejection system one die for the crew, otherwise one die each."""
    system = can_eject(unit)
    riders: tuple[Rider, ...] = ()
    if system and (unit.riders or unit.crew.aboard):
        out = yield from escape(rules, True, unit.voice)
        yield from Tell(_ejection_event(rules, unit, out))
        riders = tuple([rider if out.alive else _killed(rider) for rider in unit.riders])
        return replace(
            unit, riders=riders, crew=unit.crew if out.alive else _all_lost(unit.crew), signs=replace(unit.signs, ejected=out.alive)
        )
    for rider in unit.riders:
        out = yield from escape(rules, False, rider.name)
        yield from Tell(Escaped(rider.name, unit.name, out, False, out.sums()))
        riders = (*riders, rider if out.alive else _killed(rider))
    return replace(unit, riders=riders, crew=(yield from _escape_nameless(rules, unit)))


def _ejection_event(rules: Ruleset, unit: Unit, out: Out) -> Escaped:
    """How the crew left by its ejection system; in space they keep the machine's vector, 4 slower."""
    if unit.way != "space" or not out.alive:
        return Escaped(_who(unit), unit.name, out, True, out.sums())
    drift = drifting(rules, Vector(*unit.course.vector).speed)
    return Escaped(_who(unit), unit.name, out, True, (*out.sums(), drift.reason), int(drift.value))


def _who(unit: Unit) -> str:
    return ", ".join([rider.name for rider in unit.riders]) or "the crew"


def _killed(rider: Rider) -> Rider:
    return rider if rider.body.dead else replace(rider, body=replace(rider.body, dead=True))


def _all_lost(crew: Crew) -> Crew:
    return replace(crew, lost=crew.hands, lost_passengers=crew.passengers, dead=crew.hands + crew.passengers)


def _escape_nameless(rules: Ruleset, unit: Unit) -> Play[Crew]:
    """Nameless crew escape one by one as long as there are few of them."""
    crew = unit.crew
    aboard = crew.aboard
    sums: tuple[Reason, ...] = ()
    if not aboard:
        return crew
    if aboard > ONE_BY_ONE:
        saved = total("escape", term("aboard", aboard), divided("one in six", 6), rounded(), rule=_EJECT, source="ruling")
        alive, sums = int(saved.value), (saved.reason,)
    else:
        alive = 0
        for _ in range(aboard):
            out = yield from escape(rules, False, unit.name)
            alive, sums = alive + out.alive, (*sums, *out.sums())
    escapes = "escapes" if alive <= 1 else "escape"
    words = "nobody aboard escapes" if not alive else f"{alive} of {aboard} aboard {escapes}"
    yield from Tell(Broken(unit.name, words, sums, "bad" if alive < aboard else "plain"))
    gone = aboard - alive
    hands = min(gone, max(0, crew.hands - crew.lost))
    return replace(crew, lost=crew.lost + hands, lost_passengers=crew.lost_passengers + gone - hands, dead=crew.dead + gone)


def eject(rules: Ruleset, unit: Unit) -> Play[Unit]:
    """Everyone leaves a machine voluntarily, with its ejection system."""
    out = yield from jump_out(rules, can_eject(unit), unit.voice)
    yield from Tell(_ejection_event(rules, unit, out))
    return replace(unit, signs=replace(unit.signs, ejected=True))
