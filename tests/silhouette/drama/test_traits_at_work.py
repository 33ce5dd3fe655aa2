"""Perks and Flaws at work in scenes: bonds, walls, the blind, sleepers, medics and nights without sleep (book lines 8651-9026)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.silhouette.action.climbing import Climber
from rulewright.systems.silhouette.combat.arms import weapons_of
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.drama.traits_in_play import escape_modifiers
from rulewright.systems.silhouette.fight.scene import begin
from rulewright.systems.silhouette.harm.healing import Medic, treatment_pool
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.people.characters import Character, Gear, Person, skill_test
from rulewright.systems.silhouette.people.traits import Trait

from ..fights import RULES, act, by, fight_of, pools, someone
from .test_genre_points_in_scenes import person, staged

LAME, BLIND, ONE_ARMED = Trait("lame", "permanent"), Trait("poor senses", "blind", 8), Trait("one-armed", "permanent")
DOUBLE_JOINTED = (Trait("double jointed"),)


def test_the_double_jointed_slip_out_of_whips_and_bonds():
    held = {"wounds": {"snared": 3}, "side": "them", "athletics": 2}
    foe = someone("Ann", side="us")
    for attribute in ("athletics", "agility", "fitness"):
        rules = by(getting_free=attribute)
        for perks, more in (((), 0), (DOUBLE_JOINTED, 1)):
            fight = fight_of(foe, someone("Ben", (1, 0), perks=perks, rules=rules, **held))
            assert pools(act(fight, "Ben", "get free", faces=[(2, 2)], rules=rules)) == [("Ben", 2, more)]
    ed = Person.of(RULES, Character("Ed", perks=DOUBLE_JOINTED, skills={"sleight-of-hand": 1}))
    assert [mod.value for mod in escape_modifiers(RULES, DOUBLE_JOINTED)] == [1]
    assert skill_test(RULES, ed, "sleight-of-hand", when=("escaping",)).modifier == skill_test(RULES, ed, "sleight-of-hand").modifier + 1


def test_bad_legs_climb_badly():
    able, lame = [Person.of(RULES, Character("Ed", skills={"athletics": 2}, flaws=flaws)) for flaws in ((), (LAME,))]
    assert Climber.of(RULES, lame).athletics.modifier == Climber.of(RULES, able).athletics.modifier - 1


def test_bad_legs_are_no_matter_of_getting_free_by_an_attribute():
    character = Character("Ben", flaws=(LAME,), skills={"athletics": 2})
    for rules, modifier in ((RULES, -1), (by(getting_free="agility"), 0)):
        ben = enter(rules, character, "Ben", "them")
        fight = fight_of(someone("Ann", (1, 0), side="us"), replace(ben, body=replace(ben.body, snared=3)))
        assert pools(act(fight, "Ben", "get free", faces=[(2, 2)], rules=rules))[0][2] == modifier


def test_the_blind_neither_shoot_nor_throw():
    gear = Gear(weapons=("medium pistol", "throwing knife", "fragmentation grenade", "short sword"))
    sees, blind = [Person.of(RULES, Character("Ed", gear=gear, flaws=flaws)) for flaws in ((), (BLIND,))]
    assert [weapon.name for weapon in weapons_of(RULES, sees)] == ["fists", *gear.weapons]
    left = weapons_of(RULES, blind)
    assert [weapon.name for weapon in left] == ["fists", "throwing knife", "short sword"]
    assert not any(weapon.thrown for weapon in left)


def test_a_medic_with_one_arm():
    ed = Character("Ed", skills={"medicine": 2}, flaws=(ONE_ARMED,))
    medic = Medic.of(RULES, Person.of(RULES, ed))
    assert treatment_pool(RULES, medic).modifier == treatment_pool(RULES, replace(medic, traits=())).modifier - 1
    hurt = person("Lou", injuries={"flesh": 1})
    _, state = staged("wilderness", {"all": [ed, hurt]}, place={"days": 2})
    assert [mod.value for mod in state.who("Ed").medic.traits] == [-1]


def test_a_night_without_sleep_costs_an_insomniac_double():
    people = [person("Kim", flaws=(Trait("insomniac"),)), person("Lou")]
    scene, state = staged("wilderness", {"all": people}, place={"days": 2}, rules=by(fatigue=True))
    night = script(scene.step(replace(state, round=2)), [], ["march"]).outcome
    assert [night.who(name).weary.total for name in ("Kim", "Lou")] == [-2, -1]


# --- sleepers -----------------------------------------------------------------------------------------------------------------


def camp(perks=(), flaws=(), **skills):
    """Ann comes upon Ben, who sleeps."""
    ann = Character("Ann", skills={"melee": 2, "combat sense": 1}, gear=Gear(weapons=("knife",)))
    ben = Character("Ben", skills={"defense": 2, "combat sense": 1, **skills}, perks=perks, flaws=flaws)
    scenario = Scenario("silhouette", "scenario", "test", {"us": [], "them": []})
    placed = [Placed(ann, "Ann", "us", None, {}), Placed(ben, "Ben", "them", None, {"asleep": True})]
    return FightScene(RULES), begin(RULES, scenario, placed)


def test_a_sleeper_is_unwary_until_a_test_wakes_him():
    scene, fight = camp(notice=2)
    ben = fight.fighter("Ben")
    assert (ben.asleep, ben.unwary, ben.pace) == (True, True, "prone")
    on = script(scene.step(fight), [(3, 2), (5,)])  # Notice 3 against 4, and only Ann rolls initiative
    assert on.outcome.queue == (("Ann",),)
    assert (on.outcome.fighter("Ben").asleep, on.outcome.fighter("Ben").unwary) == (True, True)
    woken = script(scene.step(fight), [(4, 2), (5,), (3,)])
    assert (woken.outcome.fighter("Ben").asleep, woken.outcome.fighter("Ben").unwary) == (False, False)
    assert woken.outcome.queue == (("Ann",), ("Ben",))
    still = script(scene.step(replace(on.outcome, queue=())), [(3, 3), (5,)]).outcome  # and again in the next round
    assert still.fighter("Ben").unwary


def test_perception_wakes_who_never_learnt_to_notice():
    scene, fight = camp()
    assert not script(scene.step(fight), [(4, 1), (5,), (3,)]).outcome.fighter("Ben").asleep  # the higher of two dice


def test_a_heavy_sleeper_wakes_hardly_ever():
    scene, fight = camp(flaws=(Trait("heavy sleeper"),), notice=2)
    played = script(scene.step(fight), [(6, 5), (5,)])
    assert pools(played)[0] == ("Ben", 2, -3)
    assert played.outcome.fighter("Ben").asleep
    assert not script(scene.step(fight), [(6, 6), (5,), (3,)]).outcome.fighter("Ben").asleep  # 7 - 3


def test_a_light_sleeper_is_never_surprised():
    scene, fight = camp(perks=(Trait("light sleeper"),))
    ben = fight.fighter("Ben")
    assert (ben.asleep, ben.unwary, ben.pace) == (True, False, "prone")
    up = script(scene.step(fight), [(5,), (3,)]).outcome
    assert (up.queue, up.fighter("Ben").asleep) == ((("Ann",), ("Ben",)), False)
    ambushed = replace(fight, ground=replace(fight.ground, ambush="us"), ambush_open=True).change("Ann", hidden=True)
    sprung = script(scene.step(ambushed)).outcome  # line 8735: not even by those who lie in wait
    assert not sprung.fighter("Ben").unwary
    assert script(scene.step(sprung), [(5,), (3,)]).outcome.queue == (("Ann",), ("Ben",))


def test_an_attack_wakes():
    scene, fight = camp(notice=2)
    attacked = fight.change("Ben", unwary=False)
    assert not script(scene.step(attacked), [(5,), (3,)]).outcome.fighter("Ben").asleep


def test_sleepers_notice_no_ambush():
    scene, fight = camp(notice=2)
    fight = replace(fight, ground=replace(fight.ground, ambush=fight.fighter("Ann").side), ambush_open=True).change("Ann", hidden=True)
    sprung = script(scene.step(fight)).outcome
    assert (sprung.ambush_open, sprung.fighter("Ben").unwary, sprung.fighter("Ann").hidden) == (False, True, True)


@pytest.mark.parametrize("who", [None, "Ben"])
def test_everybody_sees_who_sleeps(who):
    scene, fight = camp()
    card = next(card for card in scene.view(fight, who).cards if card.name == "Ben")
    assert "asleep" in [piece.name for piece in card.pieces]
