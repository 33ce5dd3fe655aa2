"""Crew transfers between the sections of a large machine (book lines 3808-3810)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.machines.special import crew_between
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Over(About, frozen=True, gc=False):
    """The question how many of the crew transfer: the unit and the target section."""

    to: str


class Cross(Action):
    """Transfers nameless crew to another section of the same machine: a round's limit is the smaller Size of the two sections, counting
    everyone who moves between them. They give no actions until the next round."""

    kind = "cross"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        hull = battle.bearer(unit)
        if not hull.machine.sections or hull.destroyed or not _free_crew(unit):
            return
        for other in (hull, *battle.sections(hull)):
            if other.name == unit.name or other.destroyed or other.gone:
                continue
            most = min(_free_crew(unit), crew_between(*_sizes(unit, other)).value - other.crew.crossing)
            if most > 0:
                label = f"Send some of the crew to {other.name} (up to {most})"
                deed = Deed(kind=self.kind, target=other.name, number=most)
                yield Option(f"crew to {other.name}", label, deed, verb="gear", target=other.name, manner=("crew",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        other = battle.unit(deed.target)
        many = deed.number
        if many > 1:
            question = f"How many of {unit.name}'s crew go to {other.name}?"
            many = yield from Choice(unit.voice, question, Range(1, many), Over(rules, battle, unit.name, other.name), "crew")
        most = crew_between(*_sizes(unit, other))
        words = f"sends {count(many, 'crew member')} to {other.name}"
        yield from Tell(Announced(unit.name, words, (most.reason,), known_to=names_of(battle, unit.side)))
        battle = battle.put(replace(unit, crew=replace(unit.crew, hands=unit.crew.hands - many)))
        there = replace(other.crew, hands=other.crew.hands + many, crossing=other.crew.crossing + many)
        battle = battle.change(other.name, crew=there)
        yield from Tell(Stands(battle))
        return battle


def _free_crew(unit: Unit) -> int:
    """Nameless crew who can still transfer."""
    return max(0, unit.crew.hands - unit.crew.lost - unit.crew.crossing)


def _sizes(unit: Unit, other: Unit) -> tuple[float, float]:
    return float(unit.machine.size), float(other.machine.size)
