"""Teleporters and machines that grow and shrink (book lines 9254-9268, 9312-9318)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.play import Option, Play, Scale, Stands, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.collisions import run_into
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes, witnesses
from rulewright.systems.silhouette.breakage.events import Tested
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.gunnery.shields import veiled
from rulewright.systems.silhouette.machines.design.trait_effects import figure, grown, materializing
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance
from rulewright.systems.silhouette.resolution.tests import action_test, succeeds
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-d-teleporters"
ARRIVING = Scale(("collision", "arrived"), ("arrived",), "arrives", "collides")


def _rating(unit: Unit, name: str) -> int:
    own = unit.machine.has(name)
    lost = unit.auxiliary(name) if own is not None and unit.has(name) else None
    return max(0, (own.rating or 0) + (lost or 0)) if own is not None and unit.has(name) else 0


def _around(battle: Battle, middle: Spot, facing: int) -> Iterator[tuple[str, Spot]]:
    """Places behind, beside and in front of a unit, with their names."""
    at = (int(middle[0]), int(middle[1]))
    for words, side in (("behind", 3), ("beside", 2), ("before", 0)):
        x, y = hexes.neighbour(at, (facing + side) % 6)
        yield words, (float(x), float(y))


def _is_free(rules: Ruleset, battle: Battle, unit: Unit, spot: Spot) -> bool:
    here = (int(spot[0]), int(spot[1]))
    if not battle.hexes or not battle.field.on_map(here):
        return False
    ground = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere)[battle.field.terrain(spot)]
    return ground is not None and holds(battle, replace(unit, x=spot[0], y=spot[1]), spot)


def arrive(rules: Ruleset, battle: Battle, name: str, spot: Spot, facing: int) -> Play[Battle]:
    """Place an arriving unit: if others are there it needs a test, and failure is a collision."""
    unit = replace(battle.unit(name), x=spot[0], y=spot[1], facing=facing)
    there = [
        candidate
        for candidate in battle.units
        if candidate.spot == spot and candidate.name != name and not candidate.gone and not candidate.destroyed
    ]
    battle = battle.put(unit)
    yield from Tell(Stands(battle))
    if not there:
        return battle
    threshold = materializing([candidate.machine.size for candidate in there])
    test = yield from action_test(
        rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), int(threshold.value), unit.voice, "arriving"
    )
    clear = succeeds(rules, test)
    yield from Tell(
        Tested(name, "arrives safely among others" if clear else "arrives on top of another unit", test, _ID, "plain" if clear else "bad")
    )
    yield from came_to("arrived" if clear else "collision", ARRIVING, unit.voice)
    return battle if clear else (yield from run_into(rules, battle, unit, there[0]))


class TeleportSelf(Action):
    """Teleports the machine itself, with any facing, instead of moving: two actions."""

    kind = "teleport"

    def costs(self, rules: Ruleset) -> int:
        return int(figure(rules, "teleport self", "actions"))

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        far = _rating(unit, "teleport self")
        if not far or not battle.hexes or unit.hexes or actions_left(rules, unit) < self.costs(rules):
            return
        for foe in sorted(known_foes(rules, battle, unit), key=lambda item: distance(battle.field, unit.spot, item.spot))[:3]:
            for words, spot in _around(battle, foe.spot, foe.facing):
                if distance(battle.field, unit.spot, spot) <= far and _is_free(rules, battle, unit, spot):
                    towards = hexes.towards((int(spot[0]), int(spot[1])), (int(foe.x), int(foe.y)))
                    deed = Deed(kind=self.kind, target=foe.name, spot=spot, facing=towards, what=words)
                    label = f"Teleport to {hexes.label((int(spot[0]), int(spot[1])))}, {words} {foe.name}"
                    yield Option(f"teleport {words} {foe.name}", label, deed, verb="move", target=foe.name, manner=("teleport", words))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        far = distance(battle.field, unit.spot, deed.spot)
        sums = (Reason("hexes", far, "=", _ID), Reason("reach", _rating(unit, "teleport self"), "against", _ID))
        where = hexes.label((int(deed.spot[0]), int(deed.spot[1])))
        gone = replace(unit, used=unit.used + self.costs(rules), moved=True, points=unit.spent, turned=True)
        yield from Tell(Announced(unit.name, f"teleports to {where}", sums, known_to=witnesses(rules, battle, unit)))
        return (yield from arrive(rules, battle.put(gone), unit.name, deed.spot, deed.facing or 0))


class TeleportOther(Action):
    """Teleports another unit of no greater Size than the rating, within reach. At rest it reaches a thousand times as far, for one
    more action."""

    kind = "teleport other"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        far = _rating(unit, "teleport others")
        if not far or not battle.hexes or actions_left(rules, unit) < self.costs(rules):
            return
        field = battle.field
        foes = sorted(known_foes(rules, battle, unit), key=lambda item: distance(field, unit.spot, item.spot))[:3]
        for other in (*battle.friends(unit), *foes):
            if other.machine.size > far or distance(field, unit.spot, other.spot) > far:
                continue
            prepared = not unit.hexes and not veiled(unit) and actions_left(rules, unit) >= 2 * self.costs(rules)
            for words, spot in self._destinations(battle, unit, other, foes):
                near = distance(field, unit.spot, spot) <= far
                if (near or prepared) and spot != other.spot and _is_free(rules, battle, other, spot):
                    deed = Deed(kind=self.kind, target=other.name, spot=spot, what=words, number=1 if near else 2)
                    label = f"Teleport {other.name} to {hexes.label((int(spot[0]), int(spot[1])))}, {words}"
                    yield Option(
                        f"teleport {other.name} {words}", label, deed, verb="special", target=other.name, manner=("teleport", words)
                    )

    def _destinations(self, battle: Battle, unit: Unit, other: Unit, foes: list[Unit]) -> Iterator[tuple[str, Spot]]:
        """Where a unit may be sent: friends behind an enemy or to the teleporter's side, enemies to the far edge."""
        if other.side == unit.side:
            for foe in foes:
                yield f"behind {foe.name}", next(iter(_around(battle, foe.spot, foe.facing)))[1]
            yield "to its side", next(iter(_around(battle, unit.spot, unit.facing)))[1]
            return
        size = battle.map.size
        if size is not None:
            corners = [(1.0, 1.0), (size[0], 1.0), (1.0, size[1]), (size[0], size[1])]
            yield "as far off as can be", max(corners, key=lambda spot: battle.field.distance(unit.spot, (float(spot[0]), float(spot[1]))))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        other = battle.unit(deed.target)
        battle = battle.change(unit.name, used=unit.used + deed.number * self.costs(rules))
        where = hexes.label((int(deed.spot[0]), int(deed.spot[1])))
        sums = (Reason("Size", other.machine.size, "=", _ID), Reason("rating", _rating(unit, "teleport others"), "against", _ID))
        yield from Tell(Announced(unit.name, f"teleports {other.name} to {where}", sums))
        return (yield from arrive(rules, battle, other.name, (float(deed.spot[0]), float(deed.spot[1])), other.facing))


class Grow(Action):
    """Changes the Size of a machine with dimensional mass, by at most five a round."""

    kind = "grow"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        own = unit.machine.has("dimensional mass")
        if own is None or unit.switched:
            return
        most = min(5, own.rating or 0)
        room, less_room = (own.rating or 0) - unit.signs.grown, (own.rating or 0) + unit.signs.grown
        if room > 0:
            more = min(most, room)
            yield Option("grow", f"Grow by {more} in Size", Deed(kind=self.kind, number=more), verb="special", manner=("grow",))
        if less_room > 0 and unit.machine.size > 1:
            fewer = min(most, less_room, int(unit.machine.size) - 1)
            yield Option("shrink", f"Shrink by {fewer} in Size", Deed(kind=self.kind, number=-fewer), verb="special", manner=("shrink",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        own = unit.machine.has("dimensional mass")
        size = grown(unit.machine.size, (own.rating or 0) if own is not None else 0, deed.number)
        machine = replace(unit.machine, size=size.value)
        words = f"{'grows' if deed.number > 0 else 'shrinks'} to Size {size.value:g}"
        yield from Tell(Announced(unit.name, words, (size.reason,), known_to=witnesses(rules, battle, unit)))
        signs = replace(unit.signs, grown=unit.signs.grown + deed.number)
        return battle.put(replace(unit, machine=machine, switched=True, signs=signs))
