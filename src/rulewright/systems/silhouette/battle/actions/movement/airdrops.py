"""Airdrops: machines dropped by parachute or pulled out low over the ground (book lines 5133-5139)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.breakage.environment import drop_refused, ready_after, winch_lifts
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

LOW = 1
"""The altitude level for low-level extraction."""


def cargo_of(battle: Battle, unit: Unit) -> list[Unit]:
    """The machines that an aircraft carries."""
    return [candidate for candidate in battle.units if candidate.signs.carrier == unit.name and not candidate.destroyed]


class Drop(Action):
    """Drops a machine from an aircraft: by parachute if it was built for that, otherwise low and slow."""

    kind = "drop"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.way != "air" or unit.altitude < LOW or actions_left(rules, unit) < self.costs(rules):
            return
        for cargo in cargo_of(battle, unit):
            if not self._refused(rules, battle, unit, cargo):
                how = "by low-level extraction" if unit.altitude == LOW else "by parachute"
                rounds = ready_after(rules, cargo.machine.size, _is_walker(cargo)).value
                label = f"Drop {cargo.name} {how}, ready after {count(rounds, 'round')}"
                deed = Deed(kind=self.kind, target=cargo.name)
                yield Option(f"drop {cargo.name}", label, deed, verb="special", target=cargo.name, manner=("drop",))

    def _refused(self, rules: Ruleset, battle: Battle, unit: Unit, cargo: Unit) -> str:
        """Why it cannot be dropped here and now; empty if it can."""
        low = unit.altitude == LOW
        if not low and cargo.machine.has("airdroppable") is None:
            return "it is not built for airdrops"
        ground = cost_table(rules, cargo.machine, cargo.way, battle.place.atmosphere)[battle.field.terrain(unit.spot)]
        if ground is None or not holds(battle, replace(cargo, gone=False), unit.spot, cargo.facing):
            return "it cannot stand on this terrain"
        speed = unit.hexes if unit.moved else unit.last
        return drop_refused(rules, unit.altitude, speed, cargo.machine.size, low)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        cargo = battle.unit(deed.target)
        ready = ready_after(rules, cargo.machine.size, _is_walker(cargo))
        landed = replace(cargo, gone=False, x=unit.x, y=unit.y, altitude=0, done=True, moved=True)
        landed = replace(landed, signs=replace(landed.signs, carrier="", ready=int(ready.value)))
        battle = battle.put(landed).change(unit.name, used=unit.used + self.costs(rules))
        words = f"drops {cargo.name}, which is ready after {count(ready.value, 'round')}"
        yield from Tell(Announced(unit.name, words, (ready.reason,), known_to=witnesses(rules, battle, landed)))
        yield from Tell(Stands(battle))
        return battle


def _is_walker(unit: Unit) -> bool:
    return unit.machine.way("walker") is not None


class Winch(Action):
    """Lifts a machine of its side with the winch of an aircraft hovering at level 0, or lowers one, without landing."""

    kind = "winch"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        winch, way = unit.machine.has("airlift winch"), unit.moving
        if winch is None or unit.way != "air" or way is None or way.stall or actions_left(rules, unit) < self.costs(rules):
            return
        aboard = cargo_of(battle, unit)
        for other in (*aboard, *battle.friends(unit)):
            here = other in aboard or other.spot == unit.spot
            if here and winch_lifts(winch.rating or 0, unit.altitude, unit.hexes, 0, other.machine.size):
                down = other in aboard
                label = f"Lower {other.name} with the winch" if down else f"Lift {other.name} with the winch"
                deed = Deed(kind=self.kind, target=other.name, what="down" if down else "up")
                yield Option(f"winch {deed.what} {other.name}", label, deed, verb="special", target=other.name, manner=("winch",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        other, down = battle.unit(deed.target), deed.what == "down"
        after = replace(other, gone=not down, x=unit.x, y=unit.y, done=True, signs=replace(other.signs, carrier="" if down else unit.name))
        battle = battle.put(after).change(unit.name, used=unit.used + self.costs(rules))
        words = f"lowers {other.name}" if down else f"lifts {other.name} aboard"
        yield from Tell(Announced(unit.name, words, known_to=witnesses(rules, battle, unit)))
        yield from Tell(Stands(battle))
        return battle
