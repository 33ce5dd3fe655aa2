"""Start of a battle: vehicles, wings and people in their seats (book lines 5816-5848, 5911-5915)."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.battle.actions.maneuvers import usual_speed
from rulewright.systems.ore.battle.actions.registry import action_of
from rulewright.systems.ore.battle.combatants import Battle, Craft, Engagement, Machine, Occupant, Wing
from rulewright.systems.ore.combat.fighters import EDITION
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.entry_state import started
from rulewright.systems.ore.machines.driving_tests import skill_for
from rulewright.systems.ore.machines.speeds import is_manoeuvrable
from rulewright.systems.ore.machines.structure import Hull, map_of
from rulewright.systems.ore.machines.threat import threat_of
from rulewright.systems.ore.machines.vehicle import MODES, SEATS, Mode, Vehicle
from rulewright.systems.ore.people.characters import Character

OWN = ("mode", "speed", "position", "grounded", "marked", "hits", "spent", "crewed")
"""State fields of a vehicle in scenarios."""
AS_WRITTEN = ("handling", "size", "armour", "firepower", "gunners", "sensors", "ecm", "eccm", "ejects", "hovers", "hands")
"""Fields copied from the file of a vehicle."""


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Battle:
    """The battle at the start of a scenario. Armed Manoeuvrable vehicles without people aboard are unnamed fighters; those of one file
    and side form a wing."""
    field = scenario.ground(Engagement)
    placed = list(members)
    vehicles = [candidate for candidate in placed if isinstance(candidate.character, Vehicle)]
    people = [candidate for candidate in placed if isinstance(candidate.character, Character)]
    for vehicle in placed:
        if not isinstance(vehicle.character, Vehicle | Character):
            raise UserError(f"{vehicle.name}: only vehicles and characters can take part in a battle")
    seated = {str(person.state.get("aboard", "")) for person in people}
    battle = Battle(field, (), rounds=scenario.rounds, edition=EDITION, ends=scenario.ends)
    wings: dict[tuple[str, str, Mode], list[Placed]] = {}
    for vehicle in vehicles:
        if is_wing(vehicle, seated):
            wings.setdefault((vehicle.side, vehicle.character.name, mode_of(vehicle, field)), []).append(vehicle)
        else:
            battle = replace(battle, crafts=(*battle.crafts, craft_of(rules, vehicle, field)))
    for several in wings.values():
        battle = replace(battle, wings=(*battle.wings, wing_of(rules, several, field, [unit.name for unit in battle.units])))
    for vehicle in people:
        battle = replace(battle, people=(*battle.people, occupant_of(rules, battle, vehicle)))
    if len({unit.side for unit in battle.units}) < 2:
        raise UserError("a battle needs vehicles on at least two sides")
    return checked(battle)


def is_wing(placed: Placed, seated: set[str]) -> bool:
    """Whether a vehicle counts as an unnamed fighter."""
    vehicle = placed.character
    return is_manoeuvrable(vehicle.size) and placed.name not in seated and bool(vehicle.weapons) and not placed.state.get("crewed", False)


def mode_of(placed: Placed, field: Engagement) -> Mode:
    """The mode of a vehicle: from its state, else from the place, else its own."""
    said = placed.state.get("mode", "")
    if said and said not in MODES:
        raise UserError(f"{placed.name}: there is no mode {said!r}; choose {join(MODES, 'or')}")
    speeds = placed.character.modes
    mode: Mode = said or (field.mode if field.mode in speeds else next(iter(speeds), field.mode))
    if mode not in speeds:
        raise UserError(f"{placed.name}: {placed.character.name} has no Speed for {mode} travel, only for {join(tuple(speeds)) or 'none'}")
    return mode


def machine_of(rules: Ruleset, placed: Placed, field: Engagement) -> Machine:
    """The fixed facts of a vehicle."""
    vehicle, mode = placed.character, mode_of(placed, field)
    return Machine(
        name=placed.name,
        side=placed.side,
        speed=vehicle.speeds[mode],
        mode=mode,
        skill=skill_for(vehicle, mode),
        guns=vehicle.weapons,
        map=map_of(rules, vehicle),
        **{name: getattr(vehicle, name) for name in AS_WRITTEN},
    )


def craft_of(rules: Ruleset, placed: Placed, field: Engagement) -> Craft:
    """A vehicle with the state from the scenario or its file."""
    machine, state = machine_of(rules, placed, field), placed.state
    for name in state:
        if name not in OWN:
            raise UserError(f"{placed.name}: state has no field {name!r}{nearest(name, OWN)}")
    hull = {"size": machine.size, "marked": state.get("marked", 0), "hits": state.get("hits", [])}
    craft = Craft(machine, placed.started(hull, Hull))
    craft = replace(craft, speed=0 if state.get("grounded") else usual_speed(craft))
    given = {name: state[name] for name in ("speed", "position", "grounded", "spent") if name in state}
    craft = placed.started({**msgspec.to_builtins(craft), **given}, Craft)
    if not 0 <= craft.speed <= machine.speed:
        raise UserError(f"{placed.name}: Speed goes from 0 to {machine.speed}, not {craft.speed}")
    return craft


def wing_of(rules: Ruleset, several: list[Placed], field: Engagement, taken: list[str]) -> Wing:
    """Fighters of one file and side as a wing."""
    first = several[0]
    for placed in several:
        if set(placed.state) - {"mode"}:
            raise UserError(f"{placed.name}: unnamed fighters have no state except their mode; set `crewed` to give them a crew")
    names = tuple([placed.name for placed in several])
    base = names[0].rstrip("0123456789 ") or names[0] if len(names) > 1 else names[0]
    name = base if base not in taken else f"{base} of {first.side}"
    machine = replace(machine_of(rules, first, field), name=name)
    threat = threat_of(rules, first.character, machine.speed).value
    return Wing(machine, names, threat, (threat,) * len(names), machine.speed)


def occupant_of(rules: Ruleset, battle: Battle, placed: Placed) -> Occupant:
    """A person in the seat from the scenario, else the first free seat of the side's first vehicle."""
    state = dict(placed.state)
    aboard, seat = str(state.pop("aboard", "")), state.pop("seat", "")
    own = [craft.name for craft in battle.crafts if craft.side == placed.side]
    if not own:
        raise UserError(f"{placed.name}: {placed.side} has no vehicle with a seat")
    craft = aboard or own[0]
    if craft not in own:
        raise UserError(f"{placed.name}: {placed.side} has no vehicle {craft!r}{nearest(craft, own)}")
    if seat and seat not in SEATS:
        raise UserError(f"{placed.name}: there is no seat {seat!r}; choose {join(SEATS, 'or')}")
    if not seat:
        driven = any(person.craft == craft and person.seat == "pilot" for person in battle.people)
        seat = "passenger" if driven or not aboard else "pilot"
    fighter = started(
        enter(rules, placed.character, placed.name, placed.side), Placed(placed.character, placed.name, placed.side, None, state)
    )
    return Occupant(fighter, craft, seat)


def checked(battle: Battle) -> Battle:
    """Checks that a battle is consistent."""
    names = [unit.name for unit in battle.units]
    if len(set(names)) < len(names):
        raise UserError("two vehicles in this battle have the same name")
    for craft in battle.crafts:
        pilots = [occupant.name for occupant in battle.aboard(craft.name) if occupant.seat == "pilot"]
        if len(pilots) > 1:
            raise UserError(f"{craft.name}: only one can be the pilot, not {join(pilots)}")
        if not pilots and craft.machine.hands is None and not battle.aboard(craft.name) and battle.round == 0:
            raise UserError(f"{craft.name}: nobody is aboard; put a character there (state: aboard), or give the file a crew (hands)")
        if len(craft.machine.map) != 10:
            raise UserError(f"{craft.name}: the System Map needs a system for every Height from 1 to 10")
        for place, _ in craft.spent:
            if not 0 <= place < len(craft.machine.guns):
                raise UserError(f"{craft.name}: there is no weapon {place}; weapons are numbered from 0 to {len(craft.machine.guns) - 1}")
    for person in battle.people:
        if person.craft:
            battle.craft(person.craft)
    for first, second, _ in battle.ranges:
        battle.unit(first)
        battle.unit(second)
    for plan in battle.plans:
        battle.unit(plan.post.craft)
        for order in plan.orders:
            action_of(order)
    for waits in battle.waiting:
        battle.unit(waits.post.craft)
        action_of(waits.order)
    if battle.phase == "declare" and not battle.order:
        raise UserError("nobody is left to declare; the phase must be roll, not declare")
    return battle
