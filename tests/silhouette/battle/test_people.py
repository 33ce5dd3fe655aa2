"""People on foot among machines (book lines 7425-7451)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.battle.steered import RULES

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded, play, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.movement.movement import points_left
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.gunnery.attacks import attack, attack_pool, shot, struck
from rulewright.systems.silhouette.maneuver.course_limits import ranges_here
from rulewright.systems.silhouette.people.characters import Person
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
    assert ranges_here(RULES, battle, tank, gunner, tank.version(0))[0] == 5 * tank.version(0).ranges[0]
    missile = gunner.version(0)
    assert (missile.damage, ranges_here(RULES, battle, gunner, tank, missile)[0]) == (15.0, 15)


def test_machines_hit_people_at_minus_two_and_people_each_other_as_ever() -> None:
    battle = library.stage("silhouette/tank-hunters").state
    tank, gunner = battle.unit("Old Badger"), battle.unit("Ilse")
    for arm in range(len(tank.arms)):
        found = shot(RULES, battle, tank, gunner, arm)
        if found is not None:
            made_for_it = tank.version(arm).perk("anti-infantry") is not None
            assert any(mod.label == "person on foot" for mod in found.mods) != made_for_it
    back = shot(RULES, battle, gunner, tank, 0)
    assert back is not None
    assert not any(mod.label == "person on foot" for mod in back.mods)
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
    with pytest.raises(UserError, match="is on foot"):
        library.stage("silhouette/tank-hunters", changes={"map.cell": 50})
    with pytest.raises(UserError, match="is on foot"):
        library.stage("silhouette/tank-hunters", changes={"place": {"seconds": 30}})


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tank_hunters_play_themselves(seed: int) -> None:
    staged = library.stage("silhouette/tank-hunters")
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(seed), staged.decide)
    assert encounter.result is not None


# --- with hands, knives and grenades ------------------------------------------------------------------------------------------------


def armed_with(*weapons, at=(9.0, 9.0), foe=(9.0, 9.0)):
    """Tamsin with such weapons, the tank and Ilse where they shall be; nobody commands."""
    battle = library.stage("silhouette/tank-hunters").state
    character = library.take("silhouette/levy-rifleman", "character").thing
    gear = replace(character.gear, weapons=tuple(weapons))
    person = Person.of(RULES, replace(character, gear=gear))
    old = battle.unit("Tamsin")
    unit = people.on_foot(RULES, person, "Tamsin", "squad", group="squad", body=old.riders[0].body)
    battle = replace(battle, commands=(), phase="activation", round=1, active="Tamsin", turn="squad")
    battle = battle.put(replace(unit, x=at[0], y=at[1], pace="half"))
    return battle.change("Old Badger", x=foe[0], y=foe[1])


def does(battle, key, faces=(), choices=()):
    unit = battle.unit("Tamsin")
    deed = {option.key: option for option in options_of(RULES, battle, unit)}[key].value
    return script(action_of(deed.kind).do(RULES, battle, unit, deed), faces, choices)


def test_people_strike_machines_in_their_hex_with_their_own_skill() -> None:
    battle = armed_with("knife")
    keys = {option.key for option in options_of(RULES, battle, battle.unit("Tamsin"))}
    assert {"fire knife:Old Badger", "fire fists:Old Badger", "fire thrown knife:Old Badger"} <= keys
    assert not any(key.startswith("kick") for key in keys)
    blow = shot(RULES, battle, battle.unit("Tamsin"), battle.unit("Old Badger"), 2)
    assert blow is not None
    assert blow.skill == "melee" or blow.weapon == "fists"
    far = armed_with("knife", at=(12.0, 9.0))
    assert "fire knife:Old Badger" not in {option.key for option in options_of(RULES, far, far.unit("Tamsin"))}


def test_a_knife_wounds_somebody_and_never_a_tank() -> None:
    battle = armed_with("knife").change("Old Badger", x=2.0, y=2.0)
    enemy = replace(battle.unit("Ilse"), side="crew", x=9.0, y=9.0)
    battle = battle.put(enemy)
    outcomes = {
        play(attack(RULES, battle, blade(battle, "Ilse")), dice=Seeded(seed)).outcome.unit("Ilse").riders[0].body.flesh
        for seed in range(30)
    }
    assert max(outcomes) >= 1
    tank = armed_with("knife")
    for seed in range(30):
        assert play(attack(RULES, tank, blade(tank, "Old Badger")), dice=Seeded(seed)).outcome.unit("Old Badger").wear.armor == 0


def blade(battle, target):
    unit = battle.unit("Tamsin")
    arm = next(at for at in range(len(unit.arms)) if unit.version(at).name == "knife")
    found = shot(RULES, battle, unit, battle.unit(target), arm)
    assert found is not None
    return found


def test_a_grenade_strikes_everybody_around_and_harder_in_the_middle() -> None:
    battle = armed_with("fragmentation grenade", at=(12.0, 9.0), foe=(2.0, 2.0))
    near = replace(battle.unit("Ilse"), side="crew", x=10.0, y=9.0)
    beside = replace(battle.unit("Corwen"), x=9.0, y=9.0)
    battle = battle.put(near).put(beside)
    key = next(option.key for option in options_of(RULES, battle, battle.unit("Tamsin")) if option.key.endswith("grenade:Ilse"))
    unit = battle.unit("Tamsin")
    arm = next(at for at in range(len(unit.arms)) if "grenade" in unit.version(at).name)
    assert unit.version(arm).uses == 1
    hit = set()
    for seed in range(20):
        deed = next(option.value for option in options_of(RULES, battle, unit) if option.key == key)
        played = play(action_of("fire").do(RULES, battle, unit, deed), dice=Seeded(seed))
        hit |= {event.struck for event in played.events if isinstance(event, Struck)}
        assert played.outcome.unit("Tamsin").arms[arm].left == (0,)
    assert {"Ilse", "Corwen"} <= hit


def test_a_machine_strikes_people_and_they_are_wounded_by_the_rules_of_people() -> None:
    from silhouette.battles import unit as walker

    battle = armed_with("knife", foe=(2.0, 2.0))
    giant = replace(walker("Giant", "crew", (9, 9)), pace="combat")
    battle = replace(battle, units=(*battle.units, giant))
    keys = {option.key for option in options_of(RULES, battle, giant)}
    assert "kick:Tamsin" in keys
    deed = next(option.value for option in options_of(RULES, battle, giant) if option.key == "kick:Tamsin")
    played = [play(action_of("strike").do(RULES, battle, giant, deed), dice=Seeded(seed)).outcome.unit("Tamsin") for seed in range(20)]
    bodies = [each.riders[0].body for each in played]
    assert any(body.flesh or body.deep or body.dead for body in bodies)
    assert not any(each.wear.destroyed for each in played)


def test_a_weapon_with_an_area_wounds_people_and_breaks_no_systems_of_theirs() -> None:
    from silhouette.battle.test_system_perks import armed
    from silhouette.battles import unit as walker

    battle = armed_with("knife", foe=(2.0, 2.0))
    mortar = replace(walker("Mortar", "crew", (9, 12), design=armed("area effect 1", damage=10)), pace="combat")
    battle = replace(battle, units=(*battle.units, mortar))
    deed = next(option.value for option in options_of(RULES, battle, mortar) if option.key == "fire gun:Tamsin")
    after = play(action_of("fire").do(RULES, battle, mortar, deed), dice=Seeded(3)).outcome.unit("Tamsin")
    body = after.riders[0].body
    assert body.flesh or body.deep or body.dead
    assert after.wear == battle.unit("Tamsin").wear


def test_a_burst_at_people_adds_its_rate_to_the_margin_and_not_to_the_damage() -> None:
    """Line 4961."""
    battle = replace(library.stage("silhouette/tank-hunters").state, commands=())
    tank, target = battle.unit("Old Badger"), battle.unit("Tamsin")
    found = shot(RULES, battle, tank, target, 1)
    assert found is not None
    sums = {}
    for rate in (0, 3):
        played = play(struck(RULES, battle, replace(found, rate=rate), 1), dice=Seeded(1))
        told = next(event for event in played.events if isinstance(event, Struck))
        assert told.person
        sums[rate] = next(reason.value for reason in told.reasons() if reason.label == "damage")
    assert sums == {0: found.damage, 3: 4 * found.damage}
