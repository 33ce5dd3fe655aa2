"""What an action costs decides whether it is offered: with just that many left it is, with one fewer not (book lines 4271-4300)."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.visible_traits import Fuse, Mined
from silhouette.battle.steered import battle_of
from silhouette.battle.test_system_perks import armed, pair
from silhouette.battles import COMMS, RULES, vehicle

BATTLES = ("river-line", "tank-hunters", "gun-duel", "forest-ambush", "two-ships", "dogfight", "sub-hunt", "town-duel")


def offered_by_cost(scene, name):
    """What is offered to a unit with actions to spare; checked against what is offered with 0, 1 and 2 of them left."""
    found = scene.unit(name)
    plenty = scene.change(name, used=found.used - 10)
    costs = {option.key: action_of(option.value.kind).costs(RULES) for option in options_of(RULES, plenty, plenty.unit(name))}
    for left in (0, 1, 2):
        now = scene.change(name, used=found.used + actions_left(RULES, found) - left)
        assert actions_left(RULES, now.unit(name)) == left
        keys = {option.key for option in options_of(RULES, now, now.unit(name))}
        assert {key for key in costs if key in keys} == {key for key, cost in costs.items() if cost <= left}
    return costs


@pytest.mark.parametrize("scenario", BATTLES)
def test_in_every_battle_whatever_is_offered_is_so_as_long_as_its_actions_are_left(scenario):
    units = {unit.machine.name: unit.name for unit in library.stage(f"silhouette/{scenario}").state.units}
    for name in units.values():
        costs = offered_by_cost(battle_of(scenario, name), name)
        assert set(costs.values()) <= {0, 1, 2}


def _marked(scene, name, **signs):
    return scene.change(name, signs=replace(scene.unit(name).signs, **signs))


def _scarred(scene, **scars):
    return replace(scene, scars=replace(scene.scars, **scars))


SCENES = {
    "tear off gun": (_scarred(pair(armed()), fuses=(Fuse(by="Two", arm=0, weapon="gun", spot=(5.0, 9.0), target="One", hold=3),)), 1),
    "set off gun": (_scarred(pair(armed("remote")), fuses=(Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0)),)), 1),
    "loosen gun": (_scarred(pair(armed()), fuses=(Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0), target="Two", hold=3),)), 1),
    "pull gun:Two": (pair(armed("winch", damage=8)), 1),
    "push gun:Two": (pair(armed("gravitic double", damage=8)), 1),
    "clear minefield 1 gun": (_scarred(pair(armed("minebuster")), mines=(Mined(spot=(5.0, 7.0)),)), 1),
    "put out gun:One": (_marked(pair(armed("fire-fighting")), "One", burning=5), 1),
    "clear gun": (_marked(pair(armed()), "One", jammed=(0,)), 1),
    "charge gun": (pair(armed(flaws=("power-hungry 3",))), 1),
    "break free": (_marked(pair(armed()), "One", held=3), 1),
    "get up": (_marked(pair(armed()), "One", prone=True), 0),
    "teleport behind": (pair(vehicle(perks=(COMMS, Fitted("teleport self", 9)))), 2),
    "teleport Two": (pair(vehicle(perks=(COMMS, Fitted("teleport others", 30)))), 1),
    "sweep": (pair(vehicle(perks=(COMMS, Fitted("sensors", 0, amount=2, variant="standard")))), 1),
    "boost": (pair(vehicle(perks=(COMMS, Fitted("sensors", 0, amount=2, variant="standard")))), 1),
    "eject": (_marked(pair(vehicle(perks=(COMMS, Fitted("escape system", variant="ejection seats")))), "One", burning=1), 1),
}


@pytest.mark.parametrize("begins", list(SCENES))
def test_what_special_systems_can_do_is_offered_as_long_as_its_actions_are_left(begins):
    scene, cost = SCENES[begins]
    costs = offered_by_cost(scene, "One")
    assert {each for key, each in costs.items() if key.startswith(begins)} == {cost}
