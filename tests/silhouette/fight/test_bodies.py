"""Bodies that are not human in a fight: limbs, wings, fins, claws, eyes all round (book lines 5450-5481)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.fights import RULES, act, by, fight_of, keys, someone, take_turn, told

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.attacks.attack_setup import level_in, wetness
from rulewright.systems.silhouette.combat.fighters import Ground, Zone
from rulewright.systems.silhouette.fight.ambush import _sides
from rulewright.systems.silhouette.fight.moves import FLIGHT, move_options
from rulewright.systems.silhouette.fight.passive_events import out_of_the_air
from rulewright.systems.silhouette.fight.scene import FightScene
from rulewright.systems.silhouette.people.body_plan import BodyPlan
from rulewright.systems.silhouette.people.races import Ability, Race, body_of


def _of(plan: BodyPlan, name: str = "Ann", **fields):
    fighter = someone(name, **fields)
    sprint = 20 if plan.ways else 0
    return replace(fighter, profile=replace(fighter.profile, plan=plan, human_sprint=sprint))


def test_what_an_ability_is_about_says_which_way_it_moves() -> None:
    winged = Race("winged", abilities=(Ability("extra way to move", "fly"), Ability("extra limb", "a tail that grasps")))
    assert body_of(RULES, winged) == BodyPlan(limbs=1, ways=("fly",))
    with pytest.raises(UserError, match="fly, swim or burrow"):
        body_of(RULES, Race("odd", abilities=(Ability("extra way to move", "hop"),)))


# --- limbs ----------------------------------------------------------------------------------------------------------------------


def test_a_third_hand_keeps_what_the_others_would_let_fall() -> None:
    two = someone("Ann", weapons=("rapier", "light pistol"), melee=1, small_arms=1)
    three = replace(two, profile=replace(two.profile, plan=BodyPlan(limbs=1)))
    for fighter, lost in ((two, "dropped"), (three, "")):
        fight = fight_of(fighter, someone("Ben", (9.0, 0.0)))
        played = act(fight, "Ann", "draw:light pistol")
        assert played.outcome.fighter("Ann").gone[1] == lost
        assert ("drops the rapier" in told(played)[0]) == bool(lost)


def test_a_third_hand_holds_a_shield_beside_a_weapon_for_two() -> None:
    plain = someone("Ann", weapons=("battle-ax",), shield="round", melee=1)
    assert not plain.shield_up
    assert "shield" not in keys(fight_of(plain, someone("Ben", (9.0, 0.0))), "Ann")
    third = replace(plain, profile=replace(plain.profile, plan=BodyPlan(limbs=1)))
    assert "shield" in keys(fight_of(third, someone("Ben", (9.0, 0.0))), "Ann")


# --- ways to move -----------------------------------------------------------------------------------------------------------------


def test_who_flies_is_out_of_reach_and_shot_at_over_the_height() -> None:
    ann = _of(BodyPlan(ways=("fly",)), weapons=("rapier",), melee=2)
    ben = someone("Ben", (1.0, 0.0), weapons=("rapier",), melee=2)
    fight = take_turn(fight_of(ann, ben), "1", "rise", "pass", of="Ann").outcome
    up = fight.fighter("Ann")
    assert (up.height, up.distance(ben)) == (FLIGHT, pytest.approx((1 + FLIGHT**2) ** 0.5))
    assert "strike:Ann" not in keys(fight, "Ben")
    down = take_turn(fight, "1", "fly to Ben", "pass", of="Ann")
    assert down.outcome.fighter("Ann").height == 0
    assert "Ann flies 0 m to Ben and lands" in told(down)
    assert "strike:Ann" in keys(down.outcome, "Ben")


def test_who_flies_goes_at_human_rates_and_on_foot_at_its_own() -> None:
    ann = _of(BodyPlan(ways=("fly",), speed_times=0.5))
    ann = replace(ann, profile=replace(ann.profile, sprint=10))
    goes = {option.key: option.value for option in move_options(RULES, fight_of(ann, someone("Ben", (90.0, 0.0))), ann)}
    assert goes["sprint to Ben"].x == 10
    assert goes["fly to Ben"].x == pytest.approx(20 * 2 / 3, abs=0.01)


def test_who_is_struck_out_of_the_air_falls() -> None:
    ann = replace(_of(BodyPlan(ways=("fly",))), height=FLIGHT)
    ben = someone("Ben", (5.0, 0.0), small_arms=2, weapons=("light pistol",))
    fight = fight_of(replace(ann, body=replace(ann.body, unconscious=5)), ben)
    scene = FightScene(RULES)

    played = script(out_of_the_air(RULES, fight), [(1, 1, 2, 3, 2)])
    assert played.outcome.fighter("Ann").height == 0
    assert told(played)[0] == "Ann falls to the ground and takes 15 damage"
    assert all(holds(reason) for event in played.events for reason in event.reasons())
    assert scene.view(fight, None).cards[0].name == "Ann"


def test_who_is_made_for_swimming_does_not_mind_water() -> None:
    rules = by(special_circumstances=True)
    deep = Ground(water="over the head")
    swimmer, other = _of(BodyPlan(ways=("swim",)), "Ann", melee=3), someone("Ben", (5.0, 0.0), melee=3)
    fight = fight_of(swimmer, other, ground=deep)
    assert (level_in(rules, 3, swimmer.profile, "over the head"), level_in(rules, 3, other.profile, "over the head")) == (3, 0)
    assert (wetness(rules, fight, swimmer).value, wetness(rules, fight, other).value) == (0, -1)
    assert "swim to Ben" in {option.key for option in move_options(rules, fight, swimmer)}
    assert "swim to Ben" not in {option.key for option in move_options(rules, fight_of(swimmer, other), swimmer)}


def test_who_burrows_goes_below_the_fire() -> None:
    ann, ben = _of(BodyPlan(ways=("burrow",))), someone("Ben", (14.0, 0.0))
    fire = Zone("Ben", 7.0, 0.0, 4.0, 9, 10)
    fight = replace(fight_of(ann, ben), zones=(fire,))
    after = take_turn(fight, "1", "burrow to Ben", "pass", of="Ann").outcome
    assert (after.fighter("Ann").x, after.zones) == (13.1, (fire,))


# --- sight ------------------------------------------------------------------------------------------------------------------------


def test_whoever_sees_all_round_is_harder_to_surprise() -> None:

    lurker, plain = someone("Lurk", stealth=2), someone("Ben", (9.0, 0.0))
    watcher = _of(BodyPlan(sight=360), "Ben", at=(9.0, 0.0))
    fight = fight_of(lurker, plain)
    assert _sides(RULES, fight, watcher, lurker)[1].pool.modifier == _sides(RULES, fight, plain, lurker)[1].pool.modifier - 1
