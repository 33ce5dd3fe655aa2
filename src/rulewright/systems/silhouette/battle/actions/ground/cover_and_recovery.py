"""Cover and recovery: going hull-down, getting up, clearing jams, charging, breaking free, smoke, fire and ejection (book lines
5085-5091, 5141-5180)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count, the
from rulewright.play import Option, Play, Scale, Stands, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, used
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.zones import fed, terrain_burns
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes, names_of, witnesses
from rulewright.systems.silhouette.breakage.environment import hull_down_cost, ignition, may_hide
from rulewright.systems.silhouette.breakage.events import Tested
from rulewright.systems.silhouette.breakage.wrecks import can_eject, eject
from rulewright.systems.silhouette.gunnery.areas import area_of
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.gunnery.effects import day_lasts
from rulewright.systems.silhouette.gunnery.lines import in_reach
from rulewright.systems.silhouette.resolution.tests import Mod, action_test, succeeds
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Cloud

CLOUDS = ("hot smoke", "smoke", "aerosol")
ARMS = ("manipulator arm", "battle arm", "tool arm")
FREEING = Scale(("still caught", "free"), ("free",), "gets free", "still caught")


def paid(battle: Battle, unit: Unit, points: int) -> Unit:
    """A unit that has spent Movement Points without moving."""
    begun = points_of(battle, unit) if unit.points is None else unit.points
    return replace(unit, points=begun, spent=unit.spent + points, moved=True)


def lies_down(unit: Unit, deed: Deed) -> bool:
    """Whether a walker that goes hull-down hits the dirt."""
    return unit.way == "walker" and deed.what != "standing"


class HullDown(Action):
    """Takes cover within the hex for Movement Points: hull-down or fully hull-down, which allows only indirect fire."""

    kind = "hull down"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not rules.on("hull-down") or unit.signs.hull_down == 2 or unit.speed == "top" or unit.machine.build == "emplacement":
            return
        for prone in (True, False) if unit.way == "walker" else (False,):
            cost = self._cost(rules, battle, unit, prone)
            if cost is None or cost.value > points_left(battle, unit) or (unit.signs.prone and not prone):
                continue
            for depth, words in (
                (1, "Go hull-down: Obscurement 1"),
                (2, "Go fully hull-down: Obscurement 2, and only indirect fire is possible"),
            ):
                if depth == unit.signs.hull_down:
                    continue
                key, how = "hull-down" if depth == 1 else "fully hull-down", ""
                if unit.way == "walker":
                    how = ", prone" if prone else ", standing"
                    words = f"{words}{', prone: 1 MP to get up' if prone else ', standing'}"
                deed = Deed(kind=self.kind, number=depth, what="" if prone else "standing")
                manner = (key, how.removeprefix(", ")) if how else (key,)
                yield Option(f"{key}{how if not prone else ''}", f"{words} ({cost.value} MP)", deed, verb="guard", manner=manner)

    def cost(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Derived[int] | None:
        """The Movement Points that it costs; None if there is no cover."""
        return self._cost(rules, battle, unit, lies_down(unit, deed))

    def _cost(self, rules: Ruleset, battle: Battle, unit: Unit, prone: bool) -> Derived[int] | None:
        way = unit.moving
        flying = unit.way == "air" and unit.altitude > 0
        if not may_hide(flying, way.stall if way is not None else 0, unit.machine.has("nap-of-earth flyer") is not None):
            return None
        field, spot = battle.field, (int(unit.x), int(unit.y))
        edge = battle.hexes and any(field.on_map(near) and field.level(near) < field.level(spot) for near in hexes.neighbours(spot))
        terrain = field.terrain(unit.spot) or "clear"
        return hull_down_cost(rules, terrain, edge, prone, unit.machine.way("submarine") is not None)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        prone, cost = lies_down(unit, deed), self.cost(rules, battle, unit, deed)
        assert cost is not None
        after = paid(battle, unit, int(cost.value))
        battle = battle.put(replace(after, signs=replace(unit.signs, hull_down=deed.number, prone=prone)))
        words = "goes hull-down" if deed.number == 1 else "goes fully hull-down"
        words += ", prone" if prone else ""
        yield from Tell(Announced(unit.name, words, (cost.reason,), known_to=witnesses(rules, battle, unit)))
        yield from Tell(Stands(battle))
        return battle


class Rise(Action):
    """A fallen walker gets up for a Movement Point."""

    kind = "get up"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.signs.prone and points_left(battle, unit) >= 1:
            yield Option("get up", "Get up (1 MP)", Deed(kind=self.kind), verb="move", manner=("get up",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        after = paid(battle, unit, 1)
        battle = battle.put(replace(after, signs=replace(unit.signs, prone=False, hull_down=0)))
        yield from Tell(Announced(unit.name, "gets up", known_to=witnesses(rules, battle, unit)))
        return battle


class ClearJam(Action):
    """Clears a jammed system for one or more actions, by the jam. It may jam again at the next use (ruling)."""

    kind = "clear"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) >= self.costs(rules):
            for arm in unit.signs.jammed:
                name = unit.arm_name(arm)
                yield Option(f"clear {name}", f"Clear the jam of {the(name)}", Deed(kind=self.kind, arm=arm), verb="gear", target=name)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        name, signs = unit.arm_name(deed.arm), unit.signs
        unit = replace(unit, used=unit.used + self.costs(rules))
        others = tuple([entry for entry in signs.clearing if entry[0] != deed.arm])
        _, actions, shots = next((entry for entry in signs.clearing if entry[0] == deed.arm), (deed.arm, 1, 0))
        if actions > 1:
            yield from Tell(Announced(unit.name, f"works on {the(name)}: {count(actions - 1, 'more action')} to clear it"))
            return battle.put(replace(unit, signs=replace(signs, clearing=(*others, (deed.arm, actions - 1, shots)))))
        state, version = unit.arms[deed.arm], unit.version(deed.arm)
        lost = min(shots, state.left[state.mode]) if version.uses else 0
        loss = f" and loses {count(lost, 'shot')}" if lost else ""
        yield from Tell(Announced(unit.name, f"clears {the(name)}{loss}"))
        left = (*state.left[: state.mode], state.left[state.mode] - lost, *state.left[state.mode + 1 :])
        jammed = tuple([arm for arm in signs.jammed if arm != deed.arm])
        unit = replace(unit.with_arm(deed.arm, replace(state, left=left)), signs=replace(signs, jammed=jammed, clearing=others))
        return battle.put(unit)


class Charge(Action):
    """Charges a system that needs several actions, over as many rounds as it takes."""

    kind = "charge"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for arm, state in enumerate(unit.arms):
            flaw = unit.version(arm).flaw("power-hungry")
            so_far = dict(unit.signs.charged).get(arm, 0)
            if flaw is not None and not state.broken and so_far < flaw[1] - 1:
                name = unit.arm_name(arm)
                label = f"Charge {the(name)} ({so_far + 1} of {flaw[1] - 1})"
                yield Option(f"charge {name}", label, Deed(kind=self.kind, arm=arm), verb="gear", target=name)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        charged = dict(unit.signs.charged)
        charged[deed.arm] = charged.get(deed.arm, 0) + 1
        yield from Tell(Announced(unit.name, f"charges {the(unit.arm_name(deed.arm))}", known_to=names_of(battle, unit.side)))
        signs = replace(unit.signs, charged=tuple(sorted(charged.items())))
        return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=signs))


class BreakFree(Action):
    """Breaks free of a snare: Piloting against its hold, with half the rating of the largest arm."""

    kind = "break free"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.signs.held and actions_left(rules, unit) >= self.costs(rules):
            label = f"Break free (Piloting against {unit.signs.held})"
            yield Option("break free", label, Deed(kind=self.kind), verb="move", manner=("break free",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        arms = [perk.rating or 0 for perk in unit.machine.perks if perk.name in ARMS and unit.auxiliary(perk.name) is not None]
        help_of_arm = Mod("half the largest arm", -(-max(arms, default=0) // 2), "sil-f-system-perks")
        pool = pool_of(rules, unit, "piloting", maneuver_of(battle, unit), help_of_arm)
        test = yield from action_test(rules, pool, unit.signs.held, unit.voice, "breaking free")
        free = succeeds(rules, test)
        yield from Tell(
            Tested(unit.name, "breaks free" if free else "is still caught", test, "sil-f-system-perks", "good" if free else "bad")
        )
        yield from came_to("free" if free else "still caught", FREEING, unit.voice)
        number = 0 if free else unit.signs.held
        return battle.put(replace(unit, used=unit.used + self.costs(rules), signs=replace(unit.signs, held=number)))


class LayCloud(Action):
    """Lays smoke, hot smoke, aerosol or illumination over its own hex, or between it and an enemy."""

    kind = "cloud"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            kind = self.kind_of(unit, arm)
            if not kind:
                continue
            name = unit.arm_name(arm)
            words = "Light up" if kind == "light" else f"Lay {kind} over"
            if kind != "light":
                deed = Deed(kind=self.kind, arm=arm, spot=unit.spot)
                yield Option(f"lay {name} here", f"{words} its own hex", deed, verb="guard", manner=(name,))
            for foe in known_foes(rules, battle, unit)[:3]:
                if in_reach(rules, battle, unit, foe, arm):
                    deed = Deed(kind=self.kind, arm=arm, spot=foe.spot, target=foe.name)
                    yield Option(
                        f"lay {name}:{foe.name}", f"{words} the hex of {foe.name}", deed, verb="special", target=foe.name, manner=(name,)
                    )

    def kind_of(self, unit: Unit, arm: int) -> str:
        """Returns what a system lays over a hex; empty for a weapon."""
        version = unit.version(arm)
        if version.perk("illumination") is not None and area_of(version) is not None:
            return "light"
        return next((kind for kind in CLOUDS if version.perk(kind) is not None), "")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        kind, version = self.kind_of(unit, deed.arm), unit.version(deed.arm)
        rounds = int(day_lasts(version.damage).value) if kind == "light" else 2
        cloud = Cloud(spot=deed.spot, kind=kind, radius=area_of(version) or 0, rounds=rounds)
        battle = battle.put(used(unit, deed.arm, self.costs(rules)))
        battle = replace(battle, scars=replace(battle.scars, clouds=(*battle.scars.clouds, cloud)))
        where = hexes.label((int(deed.spot[0]), int(deed.spot[1]))) if battle.hexes else "there"
        yield from Tell(Announced(unit.name, f"lays {kind} over {where}"))
        yield from Tell(Stands(battle))
        return battle


class SetFire(Action):
    """Pours fire into a hex until it burns, without an attack roll."""

    kind = "set fire"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not rules.on("firestarting") or not battle.hexes or actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            if unit.version(arm).perk("incendiary") is None:
                continue
            for foe in known_foes(rules, battle, unit)[:3]:
                if in_reach(rules, battle, unit, foe, arm) and terrain_burns(rules, battle, foe.spot):
                    where, name = hexes.label((int(foe.x), int(foe.y))), unit.arm_name(arm)
                    deed = Deed(kind=self.kind, arm=arm, spot=foe.spot)
                    yield Option(
                        f"set fire {name}:{where}", f"Set {where} on fire with {the(name)}", deed, verb="special", manner=(name, "set fire")
                    )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        version = unit.version(deed.arm)
        points = ignition(rules, int(version.damage), version.perk("persistent") is not None)
        battle = battle.put(used(unit, deed.arm, self.costs(rules)))
        battle, fire = fed(rules, battle, deed.spot, int(points.value))
        where = hexes.label((int(deed.spot[0]), int(deed.spot[1])))
        state = f"it burns at Intensity {fire.intensity}" if fire.intensity else f"{count(fire.points, 'fire point')} so far"
        yield from Tell(Announced(unit.name, f"pours fire into {where}: {state}", (points.reason,)))
        return battle


class Eject(Action):
    """Ejects the whole crew with the ejection system."""

    kind = "eject"
    activity = "voluntary ejection"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if (
            can_eject(unit)
            and actions_left(rules, unit) >= self.costs(rules)
            and (unit.wear.armor or unit.signs.floods or unit.signs.burning)
        ):
            yield Option("eject", "Eject and abandon the machine", Deed(kind=self.kind), verb="other")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        unit = replace(unit, used=unit.used + self.costs(rules), done=True, moved=True)
        unit = yield from eject(rules, unit)
        yield from Tell(Announced(unit.name, "is abandoned", known_to=names_of(battle, unit.side)))
        return battle.put(unit)
