"""Battles from files: what cannot be is refused in a sentence, and what is broken outlasts the battle."""

import msgspec
import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.ground import Region
from rulewright.play import Player, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import begin
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Movement
from silhouette.battles import RULES, hexes, vehicle

SEA = hexes(Region(terrain="deep water", box=(1, 1, 3, 20)), size=(12, 8))


def staged(*members, ground=SEA, **place):
    sides = {side: [Member("x")] for side in dict.fromkeys(member.side for member in members)}
    scenario = Scenario("silhouette", "scenario", "Test", sides, scene="battle", map=ground, place=place, rounds=20)
    return begin(RULES, scenario, members)


def placed(name="One", side="red", at=(6, 4), design=None, **state):
    return Placed(design or vehicle(), name, side, at, state)


FOE = placed("Two", "blue", (10, 4))


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ((placed(at=(2, 3)), FOE), "deep water at 0203 does not allow walker movement"),
        ((placed(at=(40, 3)), FOE), "off the map"),
        ((placed(at=(6.5, 3)), FOE), "whole column and row"),
        ((placed(design=vehicle(size=20)), placed("Three", design=vehicle(size=20)), FOE), "0604 is full"),
        ((placed(crew=0), FOE), "has no crew"),
        ((placed(way="air"), FOE), "no air movement"),
        ((placed(level=99), FOE), "must be 0 to 12"),
        ((placed(nonsense=1), FOE), "no field 'nonsense'"),
        ((placed(**{"arms.cannon": {"accuracy": 1}}), FOE), "no system 'cannon'"),
        ((placed(**{"wear.armor": 99}), FOE), "must be 0 to 15"),
        ((placed(speed="warp"), FOE), "speed"),
        ((placed(), placed(side="blue", at=(10, 4))), "two units named One"),
        ((placed(design=vehicle(movement=(Movement("naval", 6),))), FOE), "does not allow naval movement"),
        ((placed(at=(0, 0)), FOE), "off the map"),
        ((placed(crew=9), FOE), "seats for 1, not for 9"),
        ((placed(speed="fast"), FOE), "speed: 'fast' is not one of stationary, combat, top"),
        ((placed(group=5), FOE), "group: expected text, got a whole number"),
        ((placed(**{"signs.hull_down": 3}), FOE), "hull_down must be 0 to 2"),
        ((placed(tows="One"), FOE), "must be another machine of the same side"),
        ((placed(tows="Two"), FOE), "must be another machine of the same side"),
        ((placed(tows="Nobody"), FOE), "there is no unit 'Nobody'"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_in_a_sentence(members, why):
    with pytest.raises(UserError, match=why):
        staged(*members)


def test_words_of_the_place_that_name_nobody_are_refused():
    for place, why in (
        ({"commanders": {"red": "Nobody"}}, "not on the side"),
        ({"commanders": {"green": "One"}}, "no side 'green'"),
        ({"objectives": [{"side": "green"}]}, "no side 'green'"),
        ({"zones": [{"side": "green", "box": [1, 1, 2, 2]}]}, "no side 'green'"),
        ({"gravity": -1}, "0 or more"),
        ({"weather": "fine"}, "weather"),
        ({"night": "sometimes"}, "place: night: expected true or false"),
        ({"objectives": [{"side": "red", "edge": "up"}]}, "place: objectives.0.edge: .*north"),
        ({"objectives": [{"side": "red", "units": 0}]}, "must be 1 or more"),
        ({"mines": [{"at": [40, 2]}]}, "mines: minefield: at: 40, 2 is off the map, which is 12 columns of 8 rows"),
        ({"structures": [{"name": "house", "at": [0, 2], "capacity": 5}]}, "structures: house: at: 0, 2 is off the map"),
        ({"objects": [{"name": "barrel", "at": [2, 9]}]}, "objects: barrel: at: 2, 9 is off the map"),
        ({"zones": [{"side": "red", "box": [13, 1, 2, 2]}]}, "the zone of red is off the map"),
    ):
        with pytest.raises(UserError, match=why):
            staged(placed(), FOE, **place)


def test_who_finds_no_place_on_the_map_hears_whether_it_is_full_or_the_wrong_ground():
    with pytest.raises(UserError, match="One: no hex on the map allows walker movement"):
        staged(placed(at=None), FOE, ground=hexes(Region(terrain="deep water", box=(1, 1, 12, 8)), size=(12, 8)))
    with pytest.raises(UserError, match="One: no hex in the zone of red allows walker movement"):
        staged(placed(at=None), FOE, zones=[{"side": "red", "box": [1, 1, 2, 2]}])
    big = vehicle(size=20)
    with pytest.raises(UserError, match="Three: there is no room left on the map"):
        staged(placed(design=big, at=None), placed("Three", design=big, at=None), FOE, ground=hexes(size=(1, 1)))


def test_what_is_refused_of_somebody_is_told_with_their_line_of_the_file(tmp_path):
    file = tmp_path / "wrong.yaml"
    text = """system: silhouette
kind: scenario
scene: battle
name: Wrong
sides:
  red:
    - {character: vehicles/bastion-tank, name: Tank, count: 2, at: [3, 3]}
    - {character: vehicles/bastion-tank, name: Sunk, at: [6, 6]}
  blue: [{character: vehicles/heron-walker, name: Foe, at: [9, 9]}]
map: {grid: hexes, cell: 50, size: [12, 12], regions: [{terrain: water, box: [6, 6, 1, 1]}]}
"""
    file.write_text(text)
    with pytest.raises(UserError, match=r"wrong.yaml:8:7: sides.red.1: Sunk: at: water at 0606 does not allow ground movement"):
        library.stage(file)
    file.write_text(text.replace("at: [6, 6]", "at: [5, 5]") + "place: {night: perhaps}\n")
    with pytest.raises(UserError, match=r"wrong.yaml:11:1: place: night: expected true or false"):
        library.stage(file)


def test_a_character_goes_aboard_and_a_machine_is_crewed_by_them():
    pilot = library.take("silhouette/characters/mecha-wrangler").thing
    scene = staged(placed(), Placed(pilot, "Pim", "red", None, {"aboard": "One"}), FOE)
    one = scene.unit("One")
    assert (one.crew.hands, one.manned, one.voice) == (0, 1, "Pim")
    skills = {skill.name: (skill.level, skill.attribute) for skill in one.riders[0].skills}
    assert skills["piloting"] == (3, 2)
    assert skills["gunnery"] == (2, 1)
    wheels = staged(placed(design=vehicle(movement=(Movement("ground", 8),))), Placed(pilot, "Pim", "red", None, {"aboard": "One"}), FOE)
    assert wheels.unit("One").riders[0].skill("piloting").strange == -2
    for state, why in (({}, "on foot"), ({"aboard": "Nobody"}, "no machine 'Nobody'")):
        with pytest.raises(UserError, match=why):
            staged(placed(), Placed(pilot, "Pim", "red", None, state), FOE)
    with pytest.raises(UserError, match="no free seat"):
        staged(placed(), *[Placed(pilot, name, "red", None, {"aboard": "One"}) for name in ("Pim", "Pam")], FOE)


def test_damage_stands_in_the_file_of_the_machine_and_the_next_battle_begins_with_it():
    scene = staged(placed(**{"wear.armor": 3, "arms.gun": {"left": [4], "accuracy": 1}}), FOE)
    left = {field: lasts.value for field, lasts in BattleScene(RULES).lasting(scene, "One").items()}
    kept = msgspec.convert(msgspec.to_builtins(replace(vehicle(), condition=left)), type(vehicle()))
    again = staged(placed(design=kept), FOE).unit("One")
    assert (again.wear.armor, again.arms[0].left, again.arms[0].accuracy) == (3, (4,), 1)


def test_what_befell_a_machine_changes_nothing_that_is_reckoned_from_its_design():
    hurt = replace(vehicle(), condition={"wear.armor": 3})
    assert hash(hurt) == hash(vehicle())
    assert machine(RULES, hurt) == machine(RULES, vehicle())


@pytest.mark.parametrize("tactic", BATTLE_TACTICS)
def test_every_tactic_plays_to_an_end_with_and_without_a_map(tactic):
    for ground in (None, hexes(Region(terrain="woodland", box=(6, 2, 3, 4)), size=(14, 8))):
        at = ((0, 0), (400, 0)) if ground is None else ((2, 4), (13, 4))
        first = staged(placed(at=at[0]), placed("Two", "blue", at[1]), ground=ground)
        scene = BattleScene(RULES)
        last = Player(Seeded(2), BATTLE_TACTICS[tactic]).run(run(scene, first, 3_000))
        assert scene.result(last) is not None
        assert last.round <= 21


def test_those_who_advance_bring_a_battle_to_a_decision():
    scene, won = BattleScene(RULES), 0
    first = staged(placed(at=(2, 4)), placed("Two", "blue", (13, 4)), ground=hexes(size=(14, 8)))
    for seed in range(12):
        last = Player(Seeded(seed), BATTLE_TACTICS["advance"]).run(run(scene, first, 3_000))
        won += scene.result(last).winner is not None
    assert won >= 10


def test_whoever_gets_enough_units_over_the_edge_has_won():
    ground = hexes(size=(14, 8))
    first = staged(
        placed("Runner", at=(10, 4), design=vehicle(systems=())),
        placed("Far", "blue", (1, 1)),
        ground=ground,
        objectives=[{"side": "red", "units": 1, "edge": "east"}],
    )
    scene = BattleScene(RULES)
    tactics = {"Runner": BATTLE_TACTICS["escape"], "Far": BATTLE_TACTICS["hold"]}
    last = Player(Seeded(1), lambda choice: tactics[choice.who](choice)).run(run(scene, first, 500))
    assert scene.result(last).winner == "red"
    assert last.unit("Runner").gone


def test_groups_are_placed_in_their_zones_by_turns():
    first = staged(placed(at=None), placed("Two", "blue", None), ground=hexes(size=(14, 8)), zones=[{"side": "red", "box": [1, 1, 3, 8]}])
    encounter = Encounter.begin(BattleScene(RULES), first)
    dice = Seeded(2)
    while not any("Where does" in getattr(asked, "ask_for", "") for _, asked in encounter.open):
        encounter.advance(dice, lambda choice: choice.keys()[0])
    _, asked = encounter.open[0]
    with pytest.raises(UserError, match="zone"):
        asked.take("@9,4")
    encounter.give("@2,5/2")
    encounter.give("top")
    assert (encounter.state.unit("One").spot, encounter.state.unit("One").facing, encounter.state.unit("One").speed) == (
        (2.0, 5.0),
        2,
        "top",
    )
