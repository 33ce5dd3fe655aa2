"""People on foot among machines (book lines 7425-7451)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.battle.steered import RULES

from rulewright import library
from rulewright.errors import Wrong
from rulewright.play import Seeded, play
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.battle.moving import points_left
from rulewright.systems.silhouette.gunnery.attacks import attack, attack_pool, shot
from rulewright.systems.silhouette.maneuver.courses import ranges_here
from rulewright.systems.silhouette.settings import BOOK
from rulewright.systems.silhouette.units import people
from rulewright.systems.silhouette.units.crews import actions_of


def test_the_figures_of_the_dragon() -> None:
    """Lines 7437-7444: Flight 5 is 250 metres a turn, Walker 2 is 20, Armor 6/12/18 is 60/120/180."""
    assert people.metres_a_round(5, flying=True).value == 250
    assert people.metres_a_round(2).value == 20
    assert [people.among_people(figure).value for figure in (6, 12, 18)] == [60, 120, 180]
    assert people.range_among_people(3).value == 150
    assert (people.against_person(), people.against_person(anti_infantry=True)) == (-2, 0)
    assert people.persons_size() == 1


def test_a_gritty_campaign_halves_a_machines_actions() -> None:
    half = BOOK.ruleset(settings={"character-scale-actions": "half"})
    assert [people.actions_among_people(half, actions).value for actions in (1, 2, 3, 5)] == [1, 1, 1, 2]
    assert people.actions_among_people(RULES, 3).value == 3
    tank = library.stage("silhouette/tank-hunters", settings={"character-scale-actions": "half"}).state.unit("Old Badger")
    whole = library.stage("silhouette/tank-hunters").state.unit("Old Badger")
    assert actions_of(half, tank).value == actions_of(RULES, whole).value // 2


def test_a_movement_point_is_ten_metres_and_a_point_of_range_fifty() -> None:
    battle = library.stage("silhouette/tank-hunters").state
    tank, gunner = battle.unit("Old Badger"), battle.unit("Ilse")
    assert points_left(battle, tank) == int(tank.machine.ways[0].combat)
    assert ranges_here(battle, tank, gunner, tank.version(0))[0] == 5 * tank.version(0).ranges[0]
    missile = gunner.version(0)
    assert (missile.damage, ranges_here(battle, gunner, tank, missile)[0]) == (15.0, 15)


def test_machines_hit_people_at_minus_two_and_people_each_other_as_ever() -> None:
    battle = library.stage("silhouette/tank-hunters").state
    tank, gunner = battle.unit("Old Badger"), battle.unit("Ilse")
    for arm in range(len(tank.arms)):
        found = shot(RULES, battle, tank, gunner, arm)
        if found is not None:
            made_for_it = tank.version(arm).perk("anti-infantry") is not None
            assert any(mod.label == "somebody on foot" for mod in found.mods) != made_for_it
    back = shot(RULES, battle, gunner, tank, 0)
    assert back is not None
    assert not any(mod.label == "somebody on foot" for mod in back.mods)
    assert attack_pool(RULES, battle, back).dice == 3  # Heavy Weapons


def test_somebody_on_foot_is_wounded_as_people_are() -> None:
    battle = library.stage("silhouette/tank-hunters").state
    battle = replace(battle, commands=())
    tank, target = battle.unit("Old Badger"), battle.unit("Ilse")
    body = target.riders[0].body
    found = next(one for arm in range(len(tank.arms)) if (one := shot(RULES, battle, tank, target, arm)) is not None)
    weak = replace(found, damage=body.flesh_threshold / 10 + 3, mods=(), nature=replace(found.nature, piercing=False))
    pool = attack_pool(RULES, battle, weak)
    hurt = None
    for seed in range(40):
        after = play(attack(RULES, battle, weak), dice=Seeded(seed)).outcome.unit("Ilse").riders[0].body
        if after.flesh or after.deep or after.dead:
            hurt = after
            break
    assert pool.dice > 0
    assert hurt is not None
    assert not battle.unit("Ilse").wear.destroyed


def test_on_foot_needs_a_map_and_rounds_for_it() -> None:
    with pytest.raises(Wrong, match="is on foot"):
        library.stage("silhouette/tank-hunters", changes={"map.cell": 50})
    with pytest.raises(Wrong, match="is on foot"):
        library.stage("silhouette/tank-hunters", changes={"place": {"seconds": 30}})


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tank_hunters_play_themselves(seed: int) -> None:
    staged = library.stage("silhouette/tank-hunters")
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(seed), staged.decide)
    assert encounter.result is not None
