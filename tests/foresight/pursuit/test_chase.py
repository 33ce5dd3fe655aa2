"""A pursuit as a scene: order, bids, turns, shots, crashes, what is seen and how it ends."""

import pytest
from msgspec.structs import replace

from foresight.rules_for_tests import RULES
from rulewright.errors import UserError
from rulewright.lab.sampling.sample import sample
from rulewright.lab.solver.exact import solve
from rulewright.library import fetch, stage
from rulewright.play import Player, Seeded, script
from rulewright.rules.reasons import holds
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.system import find
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.pursuit.actions import About, Deed, act, pursuit_options, shot_at
from rulewright.systems.foresight.pursuit.pursuers import Place, begin, levelled
from rulewright.systems.foresight.pursuit.rules import Gap
from rulewright.systems.foresight.pursuit.scene import PursuitScene, declare_speeds, finish_turn, next_turn, roll_initiative, take_turn
from rulewright.systems.foresight.pursuit.tactics import TACTICS

SYSTEM = find("foresight")
SCENE = PursuitScene(RULES)


def chase(ines=None, odile=None, others=(), place=None, who=None):
    """Ines in a car before Odile in a car, and whoever else is named as (side, name, state)."""
    people = [("smugglers", "Ines", "smuggler", ines or {}), ("customs", "Odile", "investigator", odile or {})]
    people += [(side, name, (who or {}).get(name, "investigator"), state) for side, name, state in others]
    members = [Placed(fetch(SYSTEM, who), name, side, None, state) for side, name, who, state in people]
    sides = {side: [Member("x")] for side in dict.fromkeys(side for side, *_ in people)}
    return begin(RULES, Scenario("foresight", "scenario", "chase", sides, scene="pursuit", place=place or {}, rounds=9), members)


def ordered(state, *places):
    return replace(state, phase="turns", order=tuple(Place(*place) for place in places))


def keys(state, number=0, seat=0):
    return [option.key for option in pursuit_options(About(RULES, state, number, seat))]


def gap(state, number=1):
    return state.runners[number].gap


def moved(state, number, **changes):
    return state.put(number, replace(state.runners[number], **changes))


def bare(state, number, seat):
    """The pursuit with one rider who owns no weapons."""
    profile = state.runners[number].riders[seat].profile
    return state.put(number, state.runners[number].with_rider(seat, profile=replace(profile, weapons=profile.weapons[:1])))


# --- initiative and bids ------------------------------------------------------------------------------------------------------


def test_everybody_rolls_and_the_better_acts_first():  # 2962-2968, 3434
    after = script(roll_initiative(RULES, chase()), [(50,), (1,)]).outcome
    assert after.order == (Place(1, 0, 2), Place(0, 0, 2))
    assert after.phase == "bids"
    tied = script(roll_initiative(RULES, chase()), [(1,), (1,)]).outcome
    scores = [runner.riders[0].profile.initiative.score for runner in chase().runners]
    assert scores[1] > scores[0]
    assert [place.runner for place in tied.order] == [1, 0]


def test_a_turn_has_a_line_with_everybodys_initiative_and_its_sum():
    told = script(roll_initiative(RULES, chase()), [(50,), (1,)]).events[-1]
    assert told.headline() == "Turn 1. Initiative: Odile QR1, Ines QR4"
    assert [reason.label for reason in told.reasons()] == ["Odile: success chance", "Ines: success chance"]
    assert all(holds(reason) for reason in told.reasons())


def test_running_costs_stamina():  # 1709, 2531, 2538: a point for five seconds, and a turn on foot is ten
    runs = {"vehicle": "Human (on foot)"}
    state = chase(runs, runs, place={"scale": "foot"})
    after = script(finish_turn(RULES, state)).outcome
    spent = [before.body(0).stamina - now.body(0).stamina for before, now in zip(state.runners, after.runners, strict=True)]
    burdens = [runner.riders[0].profile.burden for runner in state.runners]
    assert spent == [2 * burden for burden in burdens]
    rides = script(finish_turn(RULES, chase())).outcome
    assert [runner.body(0).stamina for runner in rides.runners] == [runner.body(0).stamina for runner in chase().runners]
    weary = state.put(0, state.runners[0].with_body(0, replace(state.runners[0].body(0), stamina=1)))
    told = [event.headline() for event in script(finish_turn(RULES, weary)).events]
    assert told == ["Ines is exhausted"]


def test_a_failed_initiative_leaves_one_action_and_a_botch_none():  # 2964
    surprised = chase({"awareness": "surprised"}, {"awareness": "surprised"})
    after = script(roll_initiative(RULES, surprised), [(98,), (100,)]).outcome
    assert after.order == (Place(0, 0, 1), Place(1, 0, 0))


def test_passengers_take_part_who_have_something_to_do():  # 3434, 3456: every character receives two actions
    three = chase(others=[("customs", "Cleo", {"aboard": "Odile"})])
    assert script(roll_initiative(RULES, three), [(1,), (1,), (1,)]).outcome.order[-1] == Place(0, 0, 2)
    empty = bare(three, 1, 1)
    assert len(script(roll_initiative(RULES, empty), [(1,), (1,)]).outcome.order) == 2  # nothing at hand, nothing to draw, a closed car
    beside = moved(empty, 1, craft=replace(empty.runners[1].craft, open=True))
    assert len(script(roll_initiative(RULES, beside), [(1,), (1,), (1,)]).outcome.order) == 3  # who can be struck can strike
    armed = chase(ines={"weapon": "SL Pistol (TL5)"})
    assert armed.quarry.riders[0].weapon.name == "SL Pistol (TL5)"


def test_bids_are_declared_from_the_worst_initiative_to_the_best():  # 3442-3446
    state = replace(chase(), phase="bids", order=(Place(1, 0, 2), Place(0, 0, 2)))
    asked = []

    def decide(choice):
        if choice.topic == "focus":
            return "nothing"
        asked.append((choice.who, choice.about.chase.quarry.bid))
        return -1 if choice.who == "Ines" else 0

    after = Player(Seeded(1), decide).run(declare_speeds(RULES, state))
    assert asked == [("Ines", 0), ("Odile", -1)]  # Odile knows what Ines bid
    assert (after.quarry.bid, after.runners[1].bid, gap(after).range) == (-1, 0, 3)


def test_awareness_changes_the_initiative_roll():  # 3436
    plain, blind = chase(), chase(odile={"awareness": "poor grasp"})
    task = [state.runners[1].riders[0].profile.initiative for state in (plain, blind)]
    assert task[1].modifier == task[0].modifier - 2
    with pytest.raises(UserError, match="no awareness"):
        chase(odile={"awareness": "asleep"})


# --- turns --------------------------------------------------------------------------------------------------------------------


def test_the_operator_drives_first_and_has_one_action_left():  # 3456
    state = ordered(chase(), (0, 0, 2), (1, 0, 2))
    played = script(take_turn(RULES, state, Place(0, 0, 2)), [(1,), (1,)], ["quick turn"])
    assert [rolled.roll.what for rolled in played.rolls] == ["operate", "quick turn"]
    assert gap(played.outcome).missed == "ahead"


def test_with_one_action_the_operator_only_drives_and_with_none_nobody_does():
    state = ordered(chase(), (0, 0, 1))
    played = script(take_turn(RULES, state, Place(0, 0, 1)), [(1,)])
    assert [rolled.roll.what for rolled in played.rolls] == ["operate"]
    frozen = script(take_turn(RULES, state, Place(0, 0, 0)), [(1,)])
    assert [rolled.roll.what for rolled in frozen.rolls] == ["safety"]


def test_a_senseless_driver_crashes():
    state = chase()
    asleep = state.put(0, state.quarry.with_body(0, replace(state.quarry.body(0), unconscious=True)))
    begun = script(roll_initiative(RULES, asleep), [(1,)]).outcome
    assert begun.order[-1] == Place(0, 0, 0)
    after = script(take_turn(RULES, asleep, Place(0, 0, 0)), [(6,), (5,)]).outcome
    assert after.quarry.craft.stopped
    assert SCENE.result(after).winner == "customs"


def test_a_stunned_driver_tries_to_recover_and_the_car_goes_its_own_way():
    state = chase()
    dazed = state.put(0, state.quarry.with_body(0, replace(state.quarry.body(0), stunned=True)))
    played = script(take_turn(RULES, dazed, Place(0, 0, 2)), [(1,), (1,)])
    assert [rolled.roll.what for rolled in played.rolls] == ["recovery from stun", "safety"]
    assert not played.outcome.quarry.body(0).stunned


def test_an_autopilot_leaves_both_actions():  # 3456
    state = ordered(chase(ines={"autopilot": True}), (0, 0, 2))
    played = script(take_turn(RULES, state, Place(0, 0, 2)), [(1,)], ["quick turn", "wait"])
    assert [rolled.roll.what for rolled in played.rolls] == ["quick turn"]


def test_a_turn_that_is_not_followed_is_the_wrong_way():  # 3467
    state = moved(chase(), 1, gap=Gap(1))
    turned = script(act(RULES, state, 0, 0, Deed("quick turn")), [(1,)]).outcome
    assert keys(turned, 1)[:2] == ["quick turn", "reverse"]
    followed = script(act(RULES, turned, 1, 0, Deed("quick turn")), [(1,)]).outcome
    assert gap(followed) == Gap(1)
    missed = script(finish_turn(RULES, turned), []).outcome
    assert (gap(missed).range, gap(missed).wrong_way, missed.round) == (4, True, 2)


def test_what_is_offered_to_whom():
    state = bare(bare(chase(place={"tricks": [{"name": "jump"}]}), 0, 0), 1, 0)
    assert keys(state, 0) == ["quick turn", "reverse", "trick:jump", "wait"]
    assert keys(state, 1) == ["trick:jump", "wait"]
    beside = bare(bare(moved(chase(), 1, gap=Gap(0)), 0, 0), 1, 0)
    assert keys(beside, 0) == ["quick turn", "reverse", "force:Odile", "wait"]
    assert keys(beside, 1) == ["force:Ines", "wait"]
    flying = bare(chase({"vehicle": "Air Car"}, {"vehicle": "Air Car"}, place={"medium": "air", "scale": "plane"}), 0, 0)
    assert keys(flying, 0) == ["quick turn", "reverse", "climb", "dive", "wait"]


def test_tricks_gain_what_the_place_says():  # 3470
    state = chase(place={"tricks": [{"name": "jump", "gains": 2, "modifier": -1, "acc": True, "man": False, "size": True}]})
    assert gap(script(act(RULES, state, 0, 0, Deed("trick", trick=0)), [(1,)]).outcome).range == 4
    assert gap(script(act(RULES, state, 1, 0, Deed("trick", trick=0)), [(1,)]).outcome).range == 0
    failed = script(act(RULES, state, 0, 0, Deed("trick", trick=0)), [(100,), (1,)]).outcome
    assert gap(failed).range == 2


def test_diving_away():
    flying = chase({"vehicle": "Air Car"}, {"vehicle": "Air Car"}, place={"medium": "air", "scale": "plane"})
    after = script(act(RULES, flying, 0, 0, Deed("dive")), [(1,)]).outcome
    assert gap(after) == Gap(3, -2)


def test_forcing_the_other_off_the_road():
    beside = moved(chase(), 1, gap=Gap(0))
    after = script(act(RULES, beside, 1, 0, Deed("force", 0)), [(1,), (99,), (6,), (5,), (1,)]).outcome
    assert after.quarry.craft.stopped
    assert not after.runners[1].craft.stopped
    assert SCENE.result(after).why == "Ines's Automobile is stopped"


def test_a_quick_turn_far_away_loses_those_who_do_not_see_it():
    far = moved(chase(), 1, gap=Gap(4))
    lost = script(act(RULES, far, 0, 0, Deed("quick turn")), [(1,), (99,)]).outcome
    assert gap(lost).lost
    assert SCENE.result(lost).winner == "smugglers"
    kept = script(act(RULES, far, 0, 0, Deed("quick turn")), [(1,), (1,)]).outcome
    assert not gap(kept).lost


def test_a_turn_of_the_quarry_touches_every_pursuer_by_its_own_range():
    state = chase(others=[("customs", "Cleo", {"range": 4})])
    state = moved(state, 1, gap=Gap(1))
    turned = script(act(RULES, state, 0, 0, Deed("quick turn")), [(1,), (1,)]).outcome  # Cleo searches and sees it
    assert (gap(turned, 1).missed, gap(turned, 2)) == ("sudden", Gap(4))
    away = script(act(RULES, state, 0, 0, Deed("reverse")), [(1,)]).outcome
    assert [gap(away, number).range for number in (1, 2)] == [0, 0]


def test_one_pursuer_out_is_not_the_end_of_it():
    state = chase(others=[("customs", "Cleo", {"range": 4})])
    state = moved(state, 1, gap=Gap(7))
    assert SCENE.result(state) is None
    assert SCENE.out(state) == {"Odile"}
    assert {place.runner for place in script(roll_initiative(RULES, state), [(1,), (1,)]).outcome.order} == {0, 2}
    stopped = moved(state, 0, craft=replace(state.quarry.craft, level=4))
    assert SCENE.result(stopped).winner == "customs"


def test_a_passenger_shoots_while_the_driver_drives():
    state = chase(others=[("smugglers", "Cleo", {"aboard": "Ines", "weapon": "SL Pistol (TL5)"})], who={"Cleo": "smuggler"})
    order = script(roll_initiative(RULES, state), [(1,), (1,), (1,)]).outcome.order
    assert {(place.runner, place.seat) for place in order} == {(0, 0), (0, 1), (1, 0)}
    assert keys(state, 0, 1) == ["fire:Odile", "aim:Odile", "wait"]  # nothing to steer
    ready = ordered(moved(state, 1, gap=Gap(0)), (0, 1, 2))
    played = script(take_turn(RULES, ready, Place(0, 1, 2)), [(1,), (1,)], ["aim:Odile", "fire:Odile"])
    assert [rolled.roll.what for rolled in played.rolls] == ["shot", "vehicle hit location"]
    assert played.outcome.runners[1].craft.level > 0


# --- weapons ------------------------------------------------------------------------------------------------------------------

PISTOL = {"weapon": "SL Pistol (TL5)"}


def test_a_shot_at_a_moving_car():  # 3268-3298, 3431
    state = chase(ines=PISTOL)
    weapon = state.quarry.riders[0].weapon
    task, meters = shot_at(RULES, state, 0, 0, 1)
    assert meters == 50
    expected = weapon.pm - int(50 // weapon.increment) - 2 + 2  # moving quickly, car-sized
    assert task.modifier - weapon.task.modifier == expected
    assert {"fire:Odile", "aim:Odile"} <= set(keys(state))
    aimed = script(act(RULES, state, 0, 0, Deed("aim", 1)), []).outcome
    assert shot_at(RULES, aimed, 0, 0, 1)[0].modifier == task.modifier + 1


def test_what_aims_and_hits_are_worth_is_gone_after_anything_else():  # 3030, 3269-3271
    state = moved(chase(ines={**PISTOL, "autopilot": True}), 1, gap=Gap(0))
    recoil = state.quarry.riders[0].weapon.recoil
    plain = shot_at(RULES, state, 0, 0, 1)[0].modifier
    aimed = script(act(RULES, state, 0, 0, Deed("aim", 1)), []).outcome
    turned = script(act(RULES, aimed, 0, 0, Deed("quick turn")), [(1,)]).outcome
    assert (aimed.quarry.riders[0].aim, turned.quarry.riders[0].aim) == (1, 0)
    hit = script(act(RULES, state, 0, 0, Deed("fire", 1)), [(1,), (1,)]).outcome
    assert shot_at(RULES, hit, 0, 0, 1)[0].modifier == plain + 2 - recoil
    missed = script(act(RULES, state, 0, 0, Deed("fire", 1)), [(98,)]).outcome
    assert shot_at(RULES, missed, 0, 0, 1)[0].modifier == plain - recoil
    assert script(act(RULES, hit, 0, 0, Deed("reload")), []).outcome.quarry.riders[0].just_hit == ""


def test_a_hurt_arm_shoots_worse():  # 2706
    state = chase(ines=PISTOL)
    body = replace(state.quarry.body(0), wounds=2, hurt=("right arm",))
    hurt = state.put(0, state.quarry.with_body(0, body))
    assert shot_at(RULES, hurt, 0, 0, 1)[0].modifier == shot_at(RULES, state, 0, 0, 1)[0].modifier - 4


def test_shots_damage_the_vehicle_and_use_up_rounds():
    state = moved(chase(ines=PISTOL), 1, gap=Gap(0))
    before = state.quarry.riders[0]
    after = script(act(RULES, state, 0, 0, Deed("fire", 1)), [(1,), (1,)]).outcome
    assert after.quarry.riders[0].ammo == before.ammo - 1
    assert after.runners[1].craft.level > 0
    missed = script(act(RULES, state, 0, 0, Deed("fire", 1)), [(98,)]).outcome
    assert missed.runners[1].craft.level == 0


def test_a_burst_from_a_moving_car():  # 3261, 3458
    passenger = ("smugglers", "Cleo", {"aboard": "Ines", "weapon": "automatic rifle"})
    state = moved(chase(others=[passenger], who={"Cleo": "gunman"}), 1, gap=Gap(0))
    rider = state.quarry.riders[1]
    assert rider.weapon.burst == 6
    assert {"fire:Odile", "burst:Odile"} <= set(keys(state, 0, 1))
    fired = script(act(RULES, state, 0, 1, Deed("fire", 1)), [(1,), (1,)]).outcome
    burst = script(act(RULES, state, 0, 1, Deed("fire", 1, burst=True)), [(1,), (1,)]).outcome
    assert (fired.quarry.riders[1].ammo, burst.quarry.riders[1].ammo) == (rider.ammo - 1, rider.ammo - 6)
    assert burst.runners[1].craft.level > fired.runners[1].craft.level  # three damage classes more
    nearly = state.put(0, state.quarry.with_rider(1, ammo=5))
    assert "burst:Odile" not in keys(nearly, 0, 1)
    slow = SYSTEM.book.ruleset(None, {"burst-fire-actions": 2})
    first = script(act(slow, state, 0, 1, Deed("fire", 1, burst=True)), []).outcome
    assert (first.quarry.riders[1].begun, first.quarry.riders[1].ammo) == (True, rider.ammo)
    second = script(act(slow, first, 0, 1, Deed("fire", 1, burst=True)), [(1,), (1,)]).outcome
    assert (second.quarry.riders[1].begun, second.quarry.riders[1].ammo) == (False, rider.ammo - 6)


def test_an_empty_weapon_is_reloaded():
    state = chase(ines=PISTOL)
    empty = state.put(0, state.quarry.with_rider(0, ammo=0))
    assert "fire:Odile" not in keys(empty)
    weapon = empty.quarry.riders[0].weapon
    for _ in range(max(1, weapon.reload)):
        assert empty.quarry.riders[0].ammo == 0
        empty = script(act(RULES, empty, 0, 0, Deed("reload")), []).outcome
    assert empty.quarry.riders[0].ammo > 0


def test_a_jam_takes_actions_to_clear():  # 3664
    state = moved(chase(ines=PISTOL), 1, gap=Gap(0))
    jammed = state.put(0, state.quarry.with_rider(0, jam=2))
    assert keys(jammed)[-2:] == ["clear", "wait"]
    once = script(act(RULES, jammed, 0, 0, Deed("clear")), []).outcome
    assert once.quarry.riders[0].jam == 1
    free = script(act(RULES, once, 0, 0, Deed("clear")), [(1,)]).outcome
    assert "fire:Odile" in keys(free)


def test_somebody_on_foot_is_hit_and_not_a_vehicle():
    foot = {"vehicle": "Human (on foot)"}
    state = moved(chase({**PISTOL, **foot}, foot, place={"scale": "foot"}), 1, gap=Gap(0))
    after = script(act(RULES, state, 0, 0, Deed("fire", 1)), [(1,), (5,), (99,)]).outcome
    assert after.runners[1].craft.level == 0
    assert after.runners[1].body(0).wounds > 0


# --- the scene ----------------------------------------------------------------------------------------------------------------


def test_how_a_pursuit_ends():
    state = chase()
    assert SCENE.result(state) is None
    assert SCENE.result(moved(state, 1, gap=Gap(7))).why == "contact is lost"
    wreck = moved(state, 1, craft=replace(state.runners[1].craft, level=4))
    assert SCENE.result(wreck).why == "nobody can follow any more"
    assert SCENE.result(replace(state, round=10)).winner is None
    assert SCENE.out(wreck) == {"Odile"}


def test_the_last_turn_of_a_stopped_quarry_does_not_let_the_others_drift_away():
    state = ordered(moved(chase(), 1, gap=Gap(5, missed="wrong way", owes=2, steps=3)), (0, 0, 2))
    crashed = script(next_turn(RULES, state), [(99,), (99,), (6,), (5,), (1,)]).outcome
    assert SCENE.result(crashed).winner == "customs"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"place": {"scale": "rocket"}}, "rocket"),
        ({"place": {"flees": "nobody"}}, "no side"),
        ({"place": {"range": 6}}, "range 0 to 5"),
        ({"place": {"nonsense": 1}}, "place: .*nonsense"),
        ({"odile": {"aboard": "Carl"}}, "nobody called 'Carl'"),
        ({"odile": {"aboard": "Ines"}}, "another side"),
        ({"others": [("smugglers", "Cleo", {})]}, "2 flee and 1 pursue"),
        ({"ines": {"weapon": "cannon"}}, "no 'cannon' to use"),
        ({"ines": {"wheels": 3}}, "Ines: state: .*wheels"),
    ],
)
def test_what_cannot_begin_says_why(more, message):
    with pytest.raises(UserError, match=message):
        chase(**more)


def test_vehicles_are_compared_in_the_quarrys_medium_unless_another_is_named():  # 3394-3411
    boats = chase({"vehicle": "Motorboat"}, {"vehicle": "Motorboat"})
    assert boats.course.medium == "water"
    assert [(runner.craft.acc, runner.craft.man) for runner in boats.runners] == [(0, 1), (0, 1)]
    copter = chase(odile={"vehicle": "Helicopter"})  # Acc -2, Man +3, Safe 0 on the ground's scale: A+3, M-3, S-3
    assert copter.course.medium == "ground"
    assert (copter.runners[1].craft.acc, copter.runners[1].craft.man, copter.runners[1].craft.safe) == (1, 0, -3)


def test_a_newcomer_rides_along_or_brings_a_vehicle():
    state = chase()
    cleo = fetch(SYSTEM, "surgeon")
    aboard = SCENE.join(state, Placed(cleo, "Cleo", "customs", None, {}), "customs")
    assert [rider.name for rider in aboard.runners[1].riders] == ["Odile", "Cleo"]
    third = SCENE.join(state, Placed(cleo, "Cleo", "customs", None, {"vehicle": "Jeep", "range": 4}), "customs")
    assert (third.runners[2].name, gap(third, 2)) == ("Cleo", Gap(4))
    with pytest.raises(UserError, match="already"):
        SCENE.join(state, Placed(cleo, "Ines", "customs", None, {}), "customs")


def test_a_lens_forgets_those_who_are_out():
    wreck = moved(chase(), 1, craft=replace(chase().runners[1].craft, level=9, aboard=(Patient("Odile", wounds=5),)))
    assert levelled(wreck.runners[1]).craft.level == 4
    assert levelled(chase().quarry) == chase().quarry


@pytest.mark.slow
def test_the_chase_that_ships_is_solved_as_far_as_is_asked_and_sampling_agrees():
    staged = stage("foresight/chase")
    solved = solve(staged.scene, staged.state, staged.decide, rounds=staged.scenario.rounds, states=600)
    assert 0.5 < solved.settled < 1
    drawn = sample(staged.scene, staged.state, staged.decide, n=2000, seed=3, rounds=staged.scenario.rounds)
    for side, chance in solved.sides.items():
        least, most = chance.interval
        low, high = drawn.sides[side].interval
        assert low <= most
        assert least <= high


@pytest.mark.parametrize("tactic", TACTICS)
def test_every_tactic_comes_to_an_end(tactic):
    state = chase({"vehicle": "Air Car", **PISTOL}, {"vehicle": "Air Car"}, place={"medium": "air", "scale": "plane"})
    encounter = Encounter.begin(SCENE, state)
    assert encounter.play_out(Seeded(5), TACTICS[tactic]) is not None
