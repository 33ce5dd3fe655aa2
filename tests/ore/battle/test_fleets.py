"""Fighters without names, and ships of the line (book lines 5911-5963)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.rules.reasons import term, total
from rulewright.systems.ore.battle.combatants import Order, Plan, Post, Wing
from rulewright.systems.ore.battle.declarations import gun_offers
from rulewright.systems.ore.battle.events import FighterHit
from rulewright.systems.ore.battle.harm import Blow, strikes
from rulewright.systems.ore.battle.rounds import begin_round, make_ready
from rulewright.systems.ore.fight.penalties import height_lost
from rulewright.systems.ore.machines.structure import Hull
from rulewright.systems.ore.machines.vehicle import Gun, Hands
from rulewright.systems.ore.resolution.tests import dice_in
from rulewright.systems.ore.settings import BOOK

from .meeting import PLAIN, aboard, battle, jet, pilot, played, under_way, warship

FIGHTER = jet("Wasp", armour=3, speeds={"relativistic": 3}, weapons=(Gun("guns", 2),), hands=Hands(2, 2))


def swarm(many=2, them=None, **place):
    fighters = [(FIGHTER, f"Wasp {number}") for number in range(1, many + 1)] if many > 1 else [(FIGHTER, "Wasp")]
    return under_way(battle(fighters, them or [(warship(), "Ship")], mode="relativistic", **place))


# --- fighters -----------------------------------------------------------------------------------------------------------------


def test_armed_fighters_with_nobody_aboard_are_one_wing_with_a_threat_rating():
    wing = swarm(3).wings[0]
    assert (wing.name, wing.members, wing.threat, wing.ratings) == ("Wasp", ("Wasp 1", "Wasp 2", "Wasp 3"), 5, (5, 5, 5))


def test_a_fighter_with_a_pilot_is_no_mook_nor_one_that_the_scenario_calls_crewed():
    state = battle(
        [(FIGHTER, "One"), (pilot("Ann"), "Ann", aboard("One")), (FIGHTER, "Two", {"crewed": True})],
        [(warship(), "Ship")],
        mode="relativistic",
    )
    assert not state.wings
    assert [craft.name for craft in state.crafts] == ["One", "Two", "Ship"]


def test_fighters_have_no_state_of_their_own():
    with pytest.raises(UserError, match="no state except"):
        battle([(FIGHTER, "One", {"marked": 1})], [(warship(), "Ship")], mode="relativistic")


def test_a_wing_rolls_its_threat_ratings_and_every_set_attacks_or_defends():
    state = swarm(2)
    after, told = played(state, ["fight", "hold fire", "pass", "attack:Ship", "defend"], [[7, 7, 7, 3, 3, 1, 2, 4, 5, 6]])
    assert "Wasp has 10 dice for the fight" in told
    assert after.craft("Ship").hull.marked == 4
    assert after.craft("Ship").hull.hits_on("fuel") == 1


def test_no_more_than_fifteen_dice_are_rolled_for_a_wing():
    plan = Plan(Post("Wasp 1", "Wasp", "wing"), (Order("fight"),))
    ready = script(make_ready(PLAIN, replace(swarm(4), plans=(plan,)))).outcome
    assert dice_in(PLAIN, ready.volleys[0].pool) == 15


def test_a_hit_on_a_wing_takes_points_from_one_threat_rating_and_what_is_more_is_lost():
    state = swarm(2).change("Ship", position=(3, 3))
    state = state.change("Wasp", position=(2, 1))
    after, told = played(state, ["pass", "attack:Wasp", "pass"], [[8, 8, 8, 8, 1, 2, 3, 4, 5]])
    assert after.wings[0].ratings == (5,)  # 6 less (3 - 2) armour is 5
    assert "Ship hits a Wasp: it is shot down" in told
    after, _ = played(state, ["pass", "attack:Wasp", "pass"], [[8, 8, 8, 7, 1, 2, 3, 4, 5]])
    assert after.wings[0].ratings == (5, 2)


@pytest.mark.parametrize(
    ("damage", "ratings", "came"),
    [
        (0, (5, 3, 2), "armour holds"),
        (1, (5, 3, 1), "damaged"),
        (2, (5, 3), "destroyed"),
        (3, (5, 2), "destroyed"),
        (4, (5, 2), "destroyed"),
        (5, (3, 2), "destroyed"),
        (9, (3, 2), "destroyed"),
    ],
)
def test_a_hit_takes_out_the_strongest_fighter_it_can_and_else_weakens_the_weakest(damage, ratings, came):
    said = []

    def close(battle, outcome):
        said.append(outcome)
        yield from ()
        return battle

    state = swarm(3).change("Wasp", ratings=(5, 3, 2))
    blow = Blow(by="Ship", how="fires", damage=total("damage", term("damage", damage)), width=2, height=5, pen=9)
    played = script(strikes(PLAIN, state, "Wasp", blow, close))
    assert (played.outcome.wings[0].ratings, said) == (ratings, [came])
    hit = next(event for event in played.events if isinstance(event, FighterHit))
    assert (hit.left, hit.down) == ((0, True) if came == "destroyed" else (1, False) if damage else (2, False))


def test_what_a_vehicle_did_to_evade_is_over_with_the_round():
    state = swarm(1).change("Ship", erratic=2, turned=1)
    after = script(begin_round(PLAIN, replace(state, round=1, phase="begin"))).outcome
    assert (after.craft("Ship").erratic, after.craft("Ship").turned, after.round) == (0, 0, 2)


def test_a_set_kept_to_defend_counters_another_fighters_attack_and_a_lock_on():
    rival = [
        (jet(speeds={"relativistic": 3}, weapons=(Gun("cannon", 4), Gun("missiles", 4, "BVR"))), "Red"),
        (pilot("Bob"), "Bob", aboard("Red")),
    ]
    state = swarm(1, rival)
    for attack in ("attack:Wasp", "lock-on:Wasp"):
        after, told = played(state, ["fight", attack, "defend"], [[8, 8, 1, 2, 3, 4], [9, 9, 1, 2, 3]])
        assert after.wings[0].ratings == (5,)
        assert "Wasp defends the side with 1 of 2 dice" in told


def test_fighters_do_not_defend_against_the_guns_of_a_ship_of_the_line():
    state = swarm(1).change("Ship", position=(3, 3))
    after, _ = played(state, ["fight", "attack:Wasp", "pass", "defend"], [[9, 9, 1, 2, 3], [8, 8, 1, 2, 3, 4, 5, 6, 7]])
    assert after.wings[0].ratings == (4,)


def test_a_wing_can_jockey_for_position_close_in_or_break_off_like_anybody():
    after, _ = played(swarm(1, range="BVR"), ["chase:Ship", "hold fire", "pass"], [[8, 8, 1, 2, 3]])
    assert after.range_of("Wasp", "Ship") == "VR"
    after, _ = played(swarm(1), ["position", "hold fire", "pass"], [[8, 8, 1, 2, 3]])
    assert after.unit("Wasp").position == (2, 8)
    after, _ = played(swarm(1, range="ER"), ["escape", "hold fire", "pass"], [[8, 8, 1, 2, 3]])
    assert after.unit("Wasp").gone


def test_a_wing_that_cannot_be_is_refused():
    with pytest.raises(UserError):
        Wing(swarm(1).wings[0].machine, ("Wasp 1",), 5, (6,))


# --- ships of the line --------------------------------------------------------------------------------------------------------


def line(us=None, them=None, **place):
    return under_way(battle([(us or warship(), "Lion")], [(them or warship(), "Bear")], mode="relativistic", **place))


def test_the_battleship_of_line_5945_all_guns_at_one_target_are_nine_dice():
    _, told = played(line(), ["attack:Bear", "pass", "hold fire", "pass"], [[1, 2, 3, 4, 5, 6, 7, 8, 9]])
    assert "Lion has 9 dice for an attack on Bear" in told


def test_or_it_fires_at_several_targets_with_its_firepower_divided_one_for_each_gunner():
    them = [(warship(), "Bear"), (warship(), "Wolf")]
    state = under_way(battle([(warship(), "Lion")], them, mode="relativistic"))
    choices = ["split fire", "attack:Bear", 4, "attack:Wolf", 2, "pass", "hold fire", "pass", "hold fire", "pass"]
    _, told = played(state, choices, [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5]])
    assert "Lion has 7 dice for an attack on Bear" in told
    assert "Lion has 5 dice for an attack on Wolf" in told


def test_every_set_of_a_ship_of_the_line_counts_for_damage():
    after, told = played(line(), ["attack:Bear", "pass", "hold fire", "pass"], [[7, 7, 7, 3, 3, 1, 1, 4, 5]])
    assert after.craft("Bear").hull == Hull(3, 4 + 2 + 2, (("fuel", 1), ("weapons", 1), ("cargo", 1)))
    assert len([line for line in told if line.startswith("Lion hits Bear")]) == 3


def test_indirect_weapons_are_fired_with_sensors_and_gunnery_beyond_visual_range_too():
    lances = warship(weapons=(Gun("guns", 2), Gun("lances", 4, "BVR", 6)))
    state = line(us=lances, range="BVR")
    assert [offer.key for offer in gun_offers(PLAIN, state, Post("Lion", "Lion", "crew"), 6)] == ["lock-on:Bear"]
    after, told = played(state, ["lock-on:Bear", "pass", "hold fire", "pass"], [[7, 7, 3, 3, 1]])
    assert "Lion has 5 dice for a lock-on to Bear" in told
    assert after.craft("Bear").hull.marked == 4
    assert after.craft("Lion").spent == ((1, 1),)


def test_a_turned_hull_takes_height_from_other_ships_of_the_line_and_dice_from_its_own_gunners():
    state = under_way(line(), Lion=(0, 0), Bear=(2, 2))
    choices = ["attack:Bear", "pass", "attack:Lion", "turn the hull", 2, "pass"]
    after, told = played(state, choices, [[7, 7, 7, 2, 2, 1, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]])
    assert "Lion has 9 dice for an attack on Bear, Height -2" in told
    assert "Bear has 7 dice for an attack on Lion" in told
    assert after.craft("Bear").hull == Hull(3, 4, (("sensors", 1),))  # 3x7 is 3x5, and 2x2 is nothing


def test_what_wounds_take_from_a_gunners_height_comes_on_top_of_a_turned_hull():
    by = BOOK.ruleset(settings={"damage-system": "vital"})
    people = [(pilot("Pell"), "Pell", aboard("Lion", "gunner"))]
    state = under_way(battle([(warship(gunners=1), "Lion"), *people], [(warship(), "Bear")], by, mode="relativistic"))
    pell = state.somebody("Pell")
    hurt = replace(pell.fighter, body=replace(pell.fighter.body, shock=pell.fighter.body.statistic))
    state = state.put(replace(pell, fighter=hurt)).change("Bear", turned=2)
    lost = height_lost(by, hurt)
    assert lost > 0
    plan = Plan(Post("Pell", "Lion", "gunner"), (Order("attack", "Bear", share=6),))
    ready = script(make_ready(by, replace(state, plans=(plan,)))).outcome
    assert ready.volleys[0].height == 2 + lost


def test_a_turned_hull_is_no_help_against_fighters():
    state = under_way(battle([(FIGHTER, "Wasp"), (warship(), "Lion")], [(warship(), "Bear")], mode="relativistic"))
    choices = ["fight", "hold fire", "pass", "hold fire", "turn the hull", 3, "pass", "attack:Bear"]
    after, _ = played(state, choices, [[7, 7, 7, 1, 2]])
    assert after.craft("Bear").hull.hits_on("fuel") == 1


def test_a_named_gunner_says_how_much_of_the_firepower_is_his_and_the_rest_is_for_the_others():
    people = [(pilot("Pell"), "Pell", aboard("Lion", "gunner"))]
    state = under_way(battle([(warship(), "Lion"), *people], [(warship(), "Bear")], mode="relativistic"))
    _, told = played(state, ["attack:Bear", 4, "attack:Bear", "pass", "hold fire", "pass"], [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5]])
    assert "Pell has 7 dice for an attack on Bear" in told
    assert "Lion has 5 dice for an attack on Bear" in told


def test_more_than_ten_dice_are_rolled_and_no_more_than_fifteen():
    _, told = played(
        line(us=warship(firepower=10)), ["attack:Bear", "pass", "hold fire", "pass"], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 1, 1]]
    )
    assert "Lion has 13 dice for an attack on Bear" in told
    _, told = played(
        line(us=warship(firepower=20)), ["attack:Bear", "pass", "hold fire", "pass"], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5]]
    )
    assert "Lion has 15 dice for an attack on Bear" in told
