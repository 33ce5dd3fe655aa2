"""Vehicle stunts: bootlegger turns, hard turns and braking, sideswipes and avoiding hazards (lines 6910-6935)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.play import GAMEMASTER, Choice, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.rams import Ram
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.damage.environment import outright
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.gunnery.modifiers import hexes_mod
from rulewright.systems.silhouette.maneuver.piloting_tests import Piloted, a_die
from rulewright.systems.silhouette.maneuver.stunts import STUNTS, stunt_threshold, try_stunt
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

DRIVEN = ("ground", "hover", "walker")
HAZARD = "Avoid Hazard"


def _hexsides(degrees: int) -> int:
    """Hexsides that a bootlegger turns: the nearest number, at least one."""
    return max(1, round(degrees / 60))


class Stunt(Action):
    """One of the book's stunts; which one is asked when it is tried."""

    kind = "stunt"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        under_way = unit.able and unit.hexes and points_left(battle, unit) > 0
        if battle.hexes and unit.way in DRIVEN and under_way and not unit.signs.prone:
            yield Option("stunt", "Try a stunt (Piloting with Maneuver and speed)", Deed(kind=self.kind), verb="move", manner=("stunt",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        about = About(rules, battle, unit.name)
        options = tuple(self.chosen(rules, battle, unit))
        chosen = yield from Choice(unit.voice, "Which stunt?", options, about, "stunt")
        stunt = chosen.what
        if stunt == HAZARD:
            rows = [name for name in STUNTS(rules) if name.startswith(HAZARD)]
            sizes = tuple([Option(name, f"{name} ({stunt_threshold(rules, name)})", name) for name in rows])
            stunt = yield from Choice(GAMEMASTER, f"What is in {unit.name}'s way?", sizes, about, "hazard")
        piloted = yield from self.tried(rules, battle, unit, stunt)
        return (yield from self.done(rules, battle, unit, replace(chosen, what=stunt), piloted))

    def chosen(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        """The stunts that make sense now."""
        for name, row in STUNTS(rules).items():
            words = f"{name} ({row.threshold})"
            if row.turn or name == "Hard Turn":
                for side, where in ((-1, "left"), (1, "right")):
                    yield Option(f"{name} {where}", f"{words} to the {where}", Deed(kind=self.kind, what=name, number=side))
            elif name == "Hard Brake" and unit.speed == "top":
                yield Option(name, words, Deed(kind=self.kind, what=name))
            elif name == "Sideswipe":
                for option in Ram().options(rules, battle, unit):
                    target = option.value.target
                    yield Option(f"{name}:{target}", f"{words}: {target}", Deed(kind=self.kind, what=name, target=target), target=target)
        yield Option(HAZARD, "Dodge an obstacle", Deed(kind=self.kind, what=HAZARD))

    def tried(self, rules: Ruleset, battle: Battle, unit: Unit, stunt: str) -> Play[Piloted]:
        """Roll the test: Piloting with Maneuver and the defense modifier of its speed."""
        speed = hexes_mod(rules, unit.hexes).value
        pilot = pool_of(rules, unit, "piloting")
        return (yield from try_stunt(rules, stunt, pilot, maneuver_of(battle, unit).value, speed, unit.voice))

    def done(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed, piloted: Piloted) -> Play[Battle]:
        """Apply the result: the stunt, or a stop on the spot, and on a fumble a crash (ruling)."""
        if not piloted.passed:
            return (yield from self.failed(rules, battle, unit, piloted))
        all_of_it = points_of(battle, unit)
        row = STUNTS.get(rules, deed.what)
        if row.turn:
            facing = (unit.facing + deed.number * _hexsides(row.turn)) % 6
            after = replace(unit, facing=facing, spent=max(unit.spent, all_of_it), points=all_of_it, shifting=_slows(unit))
            yield from Tell(_moved_event(rules, battle, unit, f"swings round, stops, and faces {hexes.DIRECTIONS[facing]}"))
            return battle.put(after)
        if deed.what == "Hard Turn":
            facing = (unit.facing + 2 * deed.number) % 6
            yield from Tell(_moved_event(rules, battle, unit, f"turns hard and faces {hexes.DIRECTIONS[facing]}"))
            return battle.put(replace(unit, facing=facing, turned=False))
        if deed.what == "Hard Brake":
            yield from Tell(_moved_event(rules, battle, unit, "brakes hard and is back at Combat Speed"))
            return battle.put(replace(unit, shifting="combat", spent=max(unit.spent, all_of_it), points=all_of_it))
        if deed.what == "Sideswipe":
            return (yield from self.swiped(rules, battle, unit, deed.target))
        yield from Tell(_moved_event(rules, battle, unit, "dodges the obstacle"))
        return battle

    def failed(self, rules: Ruleset, battle: Battle, unit: Unit, piloted: Piloted) -> Play[Battle]:
        """Apply a failed stunt: the machine stops; a fumble crashes it, with Light or Heavy Damage as after a lost turn."""
        after = replace(unit, spent=max(unit.spent, points_of(battle, unit)), points=points_of(battle, unit), shifting=_slows(unit))
        yield from Tell(_moved_event(rules, battle, unit, "loses control and stops"))
        battle = battle.put(after)
        if not piloted.fumble:  # 4439: a failed and fumbled turn crashes
            return battle
        heavy = (yield from a_die(unit.voice, "the crash")) > 3
        return (yield from outright(rules, battle, after, "heavy" if heavy else "light", what="crashes"))

    def swiped(self, rules: Ruleset, battle: Battle, unit: Unit, target: str) -> Play[Battle]:
        """Resolve a sideswipe: a ram from the side, after which the other driver must keep the course or is pushed a hex aside."""
        battle = yield from Ram().do(rules, battle, unit, Deed(kind="ram", target=target))
        foe = battle.unit(target)
        if not foe.able:
            return battle
        pilot = pool_of(rules, foe, "piloting")
        piloted = yield from try_stunt(
            rules, "Hard Turn", pilot, maneuver_of(battle, foe).value, hexes_mod(rules, foe.hexes).value, foe.voice
        )
        if piloted.passed:
            return battle
        side = (hexes.towards((int(unit.x), int(unit.y)), (int(foe.x), int(foe.y))) if foe.spot != unit.spot else unit.facing) % 6
        x, y = hexes.neighbour((int(foe.x), int(foe.y)), side)
        yield from Tell(_moved_event(rules, battle, foe, "is pushed aside"))
        free = battle.field.on_map((x, y))
        return battle.put(replace(foe, x=float(x), y=float(y))) if free else battle


def _slows(unit: Unit) -> str:
    return "combat" if unit.speed == "top" else unit.shifting


def _moved_event(rules: Ruleset, battle: Battle, unit: Unit, what: str) -> Moved:
    return Moved(unit.name, what, known_to=witnesses(rules, battle, unit))


STUNT_ACTIONS: tuple[Action, ...] = (Stunt(),)
