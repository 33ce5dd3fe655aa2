"""Aircraft, spacecraft and people on foot where a scenario has no hexes, or no map at all: hexes are laid over the ground."""

import pytest

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.ground import BARE, Ground, Region
from rulewright.play import Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import begin
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.machines.vehicle import Movement
from silhouette.battles import RULES, vehicle


def flyer(way="air"):
    return vehicle(movement=(Movement(way, 12),), reaction_mass=50) if way == "space" else vehicle(movement=(Movement(way, 12, stall=2),))


def staged(*members, ground=BARE, **place):
    sides = {side: [Member("x")] for side in dict.fromkeys(member.side for member in members)}
    return begin(RULES, Scenario("silhouette", "scenario", "Test", sides, scene="battle", map=ground, place=place, rounds=12), members)


def placed(name="One", side="red", at=None, design=None, **state):
    return Placed(design or vehicle(), name, side, at, state)


@pytest.mark.parametrize(("way", "cell"), [("air", 250), ("space", 500)])
def test_without_a_map_hexes_of_their_own_size_are_laid(way, cell):
    battle = staged(placed(design=flyer(way)), placed("Two", "blue", design=flyer(way)))
    assert (battle.map.grid, battle.map.cell) == ("hexes", cell)
    assert all(battle.field.on_map((int(unit.x), int(unit.y))) for unit in battle.units)


def test_a_flyer_over_machines_on_open_ground_has_the_hexes_of_the_ground():
    ground = Ground(size=(1000, 600), terrain="clear", regions=(Region(terrain="woodland", box=(200, 100, 100, 150)),))
    battle = staged(placed(design=flyer(), at=(50, 50)), placed("Two", "blue", (900, 500)), ground=ground)
    assert (battle.map.cell, battle.map.size) == (50, (20, 12))
    assert battle.unit("Two").spot == (19, 11)
    assert battle.field.terrain((5, 3)) == "woodland"


def test_machines_alone_keep_to_the_open_ground():
    assert staged(placed(at=(0, 0)), placed("Two", "blue", (200, 0))).map.grid == "open"


def test_people_on_foot_and_machines_meet_without_a_map():
    person = library.take("silhouette/levy-rifleman", "character").thing
    battle = staged(placed(), Placed(person, "Tamsin", "blue", None, {}), seconds=6)
    assert (battle.map.cell, battle.place.close) == (10, True)
    with pytest.raises(UserError, match="on foot"):
        staged(placed(), Placed(person, "Tamsin", "blue", None, {}))


@pytest.mark.parametrize("way", ["air", "space"])
def test_such_a_battle_plays_itself(way):
    battle = staged(placed(design=flyer(way)), placed("Two", "blue", design=flyer(way)))
    encounter = Encounter.begin(BattleScene(RULES), battle, "sky")
    encounter.play_out(Seeded(2), BATTLE_TACTICS["advance"])
    assert encounter.result is not None
