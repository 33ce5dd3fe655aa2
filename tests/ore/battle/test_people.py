"""People aboard: bailing out, hits on where they sit, wrecks, seats, skills, and what they take along (book lines 5875, 5973-5981)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.ore.battle.actions.registry import ACTIONS
from rulewright.systems.ore.battle.combatants import Order, Plan, Post
from rulewright.systems.ore.battle.declarations import offers_for
from rulewright.systems.ore.battle.harm import hurt_inside, killed_outright
from rulewright.systems.ore.battle.rounds import thrown_out
from rulewright.systems.ore.battle.scene import BattleScene, fights_on
from rulewright.systems.ore.harm.body import fresh
from rulewright.systems.ore.machines.structure import Hull
from rulewright.systems.ore.settings import BOOK

from .meeting import PLAIN, aboard, battle, car, duel, jet, pilot, played, under_way

ANN, BOB = Post("Ann", "One", "pilot"), Post("Bob", "Two", "pilot")
SAFE = BOOK.ruleset(settings={"aboard-a-wreck": "unhurt"})


def crowded(**more):
    people = [
        (pilot("Ann"), "Ann", aboard("One")),
        (pilot("Cy"), "Cy", aboard("One", "co-pilot")),
        (pilot("Di"), "Di", aboard("One", "passenger")),
    ]
    return under_way(
        battle([(jet(passengers=2, gunners=1, **more), "One"), *people], [(jet(), "Two"), (pilot("Bob"), "Bob", aboard("Two"))])
    )


def keys(state, post, rules=PLAIN):
    return {offer.key for offer in offers_for(rules, state, post)}


# --- getting out --------------------------------------------------------------------------------------------------------------


def test_bailing_out_by_hand_takes_coordination_and_athletics():
    tried = ACTIONS["bail out"].attempt(PLAIN, under_way(duel()), ANN, Order("bail out"))
    assert tried.parts == (("coordination", 3), ("athletics", 2))
    after, _ = played(under_way(duel()), ["bail out", "pass"], [[8, 8, 1, 2, 3]])
    assert after.somebody("Ann").craft == ""
    after, _ = played(under_way(duel()), ["bail out", "pass"], [[8, 7, 1, 2, 3]])
    assert after.somebody("Ann").craft == "One"


def test_the_damage_of_the_vehicle_is_no_matter_to_somebodys_own_legs_but_a_jammed_door_is():
    state = under_way(duel()).change("One", hull=Hull(2, 4))
    assert ACTIONS["bail out"].attempt(PLAIN, state, ANN, Order("bail out")).sum_of_dice(PLAIN).value == 5
    state = state.change("One", hull=Hull(2, 0, (("access", 1),)))
    assert ACTIONS["bail out"].attempt(PLAIN, state, ANN, Order("bail out")).sum_of_dice(PLAIN).value == 4
    assert "bail out" not in keys(state.change("One", hull=Hull(2, 0, (("access", 2),))), ANN)


def test_an_ejection_seat_needs_no_dice_but_has_a_speed_of_two():
    state = under_way(duel(SAFE, us=jet(ejects=True, size=1)))
    after, told = played(state, ["bail out", "pass"], [], SAFE)
    assert after.somebody("Ann").craft == ""
    assert "Ann bails out of One" in told
    after, told = played(state, ["bail out", "attack:One"], [[4, 4, 4, 1, 2, 3]], SAFE)
    assert after.craft("One").hull.destroyed
    assert after.somebody("Ann").craft == "One"  # the faster set came first


@pytest.mark.parametrize(("speed", "faster"), [("width", (2,)), ("height", (10, 2)), ("waste", (0,))])
def test_an_ejection_seat_is_a_set_of_two_tens_without_a_waste_die(speed, faster):
    rules = BOOK.ruleset(settings={"speed": speed})
    state = replace(under_way(duel(rules, us=jet(ejects=True))), plans=(Plan(ANN, (Order("bail out"),)),))
    assert [(each.width, each.height, each.speed) for each in thrown_out(rules, state)] == [(2, 10, faster)]


def test_what_stands_still_is_simply_left():
    after, _ = played(under_way(duel()).change("One", speed=0), ["bail out", "pass"])
    assert after.somebody("Ann").craft == ""


def test_a_person_in_the_open_is_killed_outright_by_a_vehicle_weapon():
    state = under_way(duel())
    state = state.put(replace(state.somebody("Ann"), craft=""))
    assert "attack:Ann" in keys(state, BOB)
    after, told = played(state, ["attack:Ann"], [[4, 4, 1, 2, 3, 5]])
    assert after.somebody("Ann").fighter.body.dead
    assert "Two hits Ann directly and kills them" in told


@pytest.mark.parametrize("system", ["locations", "vital", "abstract"])
def test_a_direct_hit_kills_under_every_damage_system(system):
    rules = BOOK.ruleset(settings={} if system == "locations" else {"damage-system": system})
    assert killed_outright(fresh(rules)).dead


# --- hits inside --------------------------------------------------------------------------------------------------------------


def test_a_hit_on_the_cockpit_is_an_area_attack_on_the_pilot_of_the_width_of_the_set_line_5979():
    after, _told = played(crowded(), ["pass", "pass", "pass", "attack:One"], [[10, 10, 1, 2, 3, 5], [1], [5]])
    kill = {part.location: part.kill for part in after.somebody("Ann").fighter.body.parts if part.kill}
    assert kill == {"left leg": 1, "right arm": 1} or sum(kill.values()) == 2
    assert not any(part.kill for part in after.somebody("Cy").fighter.body.parts)
    assert after.craft("One").hull.hits_on("cockpit") == 1


def test_height_nine_finds_the_co_pilot_and_one_and_two_the_passengers():
    after, _ = played(crowded(), ["pass", "pass", "pass", "attack:One"], [[9, 9, 1, 2, 3, 5], [1], [5]])
    assert sum(part.kill for part in after.somebody("Cy").fighter.body.parts) == 2
    after, _ = played(crowded(), ["pass", "pass", "pass", "attack:One"], [[2, 2, 1, 8, 3, 5], [1], [5]])
    assert sum(part.kill for part in after.somebody("Di").fighter.body.parts) == 2


def test_crew_damage_is_kill_or_shock_as_the_campaign_says():
    hurt = script(hurt_inside(PLAIN, fresh(PLAIN), 3, 8), [[10], [10], [10]]).outcome
    assert (hurt.part("head").kill, hurt.part("head").shock) == (3, 0)
    mild = BOOK.ruleset(settings={"crew-damage": "shock"})
    hurt = script(hurt_inside(mild, fresh(mild), 3, 8), [[10], [10], [10]]).outcome
    assert (hurt.part("head").kill, hurt.part("head").shock) == (0, 3)


@pytest.mark.parametrize(
    ("fate", "faces", "dead"), [("unhurt", [], False), ("death", [], True), ("area attack", [[1], [1], [1], [1]], False)]
)
def test_what_becomes_of_those_aboard_a_wreck_is_a_setting(fate, faces, dead):
    rules = BOOK.ruleset(settings={"aboard-a-wreck": fate})
    state = under_way(duel(rules), Two=(2, 1))
    after, _told = played(state, ["pass", "attack:One"], [[4, 4, 4, 4, 1, 2], *faces], rules)
    assert after.craft("One").hull.destroyed
    assert after.somebody("Ann").fighter.body.dead == dead
    kill = sum(part.kill for part in after.somebody("Ann").fighter.body.parts)
    assert (kill == 4) == (fate == "area attack")


def test_wounds_cost_dice_at_the_controls_too():
    state = under_way(duel())
    hurt = replace(state.somebody("Ann").fighter, tripped=1)
    state = state.put(replace(state.somebody("Ann"), fighter=hurt))
    assert ACTIONS["jink"].attempt(PLAIN, state, ANN, Order("jink")).sum_of_dice(PLAIN).value == 5


# --- seats --------------------------------------------------------------------------------------------------------------------


def test_somebody_takes_the_wheel_when_the_pilot_cannot():
    state = crowded()
    assert "take seat:pilot" not in keys(state, Post("Cy", "One", "co-pilot"))
    dead = replace(state.somebody("Ann").fighter, body=killed_outright(state.somebody("Ann").fighter.body))
    state = state.put(replace(state.somebody("Ann"), fighter=dead))
    assert "take seat:pilot" in keys(state, Post("Cy", "One", "co-pilot"))
    after, told = played(state, ["take seat:pilot", "take seat:pilot", "pass"])
    assert after.somebody("Cy").seat == "pilot"
    assert after.somebody("Di").seat == "passenger"
    assert "Di finds the seat taken by Cy" in told
    assert after.somebody("Ann").seat == "passenger"


def test_a_passenger_takes_a_free_gunners_seat():
    after, _ = played(crowded(), ["pass", "pass", "take seat:gunner", "pass"])
    assert after.somebody("Di").seat == "gunner"


def test_any_other_skill_is_used_against_a_difficulty_that_the_game_master_names():
    state = under_way(duel())
    _after, told = played(state, ["skill", "athletics", 4, "pass"], [[4, 4, 1, 2, 3, 3, 3]])
    assert "Ann succeeds with athletics: 2x4" in told
    _, told = played(state, ["skill", "athletics", 4, "pass"], [[3, 3, 1, 2, 4, 3, 3]])
    assert "Ann rolls no set for a test of athletics" in told


def test_a_vehicle_that_nobody_can_drive_or_fire_is_out_of_it():
    state = under_way(duel())
    assert fights_on(PLAIN, state, state.craft("One"))
    dead = replace(state.somebody("Ann").fighter, body=killed_outright(state.somebody("Ann").fighter.body))
    state = state.put(replace(state.somebody("Ann"), fighter=dead))
    assert not fights_on(PLAIN, state, state.craft("One"))
    scene = BattleScene(PLAIN)
    assert scene.result(state).winner == "them"
    assert {"One", "Ann"} <= scene.out(state)


# --- what outlasts it ---------------------------------------------------------------------------------------------------------


def test_wounds_of_people_and_damage_of_vehicles_outlast_a_battle_and_begin_the_next():
    scene = BattleScene(PLAIN)
    after, _ = played(crowded(), ["pass", "pass", "pass", "attack:One"], [[10, 10, 1, 2, 3, 5], [1], [1]])
    craft = {field: lasts.value for field, lasts in scene.lasting(after, "One").items()}
    assert craft == {"marked": 2, "hits": [["cockpit", 1]], "spent": []}
    person = {field: lasts.value for field, lasts in scene.lasting(after, "Ann").items()}
    assert person["parts.left leg.kill"] == 2 or person["parts.right leg.kill"] == 2
    again = battle(
        [(jet(), "One", craft), (pilot("Ann"), "Ann", {**aboard("One"), **person})], [(jet(), "Two"), (pilot("Bob"), "Bob", aboard("Two"))]
    )
    assert again.craft("One").hull == after.craft("One").hull
    assert again.somebody("Ann").fighter.body == after.somebody("Ann").fighter.body


def test_newcomers_join_a_vehicle_or_bring_one():
    scene, state = BattleScene(PLAIN), under_way(duel())
    joined = scene.join(state, Placed(pilot("Eve"), "Eve", "us", None, {}), "us")
    assert (joined.somebody("Eve").craft, joined.somebody("Eve").seat) == ("One", "passenger")
    joined = scene.join(joined, Placed(car(), "Three", "us", None, {"mode": "land"}), "us")
    assert joined.craft("Three").machine.mode == "land"
