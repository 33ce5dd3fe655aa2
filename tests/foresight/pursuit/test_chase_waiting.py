"""Focus, waiting and blows in a pursuit (book lines 2966-2994, 3008-3018, 3114-3189, 3434-3467)."""

import pytest
from msgspec.structs import replace

from foresight.pursuit.test_chase import PISTOL, SCENE, chase, gap, keys, moved, ordered
from foresight.rules_for_tests import RULES, under
from rulewright.play import Player, Seeded, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.foresight.pursuit.actions import Deed, act
from rulewright.systems.foresight.pursuit.melee import side_by_side, strikes
from rulewright.systems.foresight.pursuit.pursuers import Place
from rulewright.systems.foresight.pursuit.rules import Gap
from rulewright.systems.foresight.pursuit.scene import declare_speeds, finish_turn, roll_initiative, take_turn
from rulewright.systems.foresight.pursuit.tactics import TACTICS
from rulewright.systems.foresight.pursuit.wait_actions import forgotten, perform, waiting_for

FOOT = {"vehicle": "Human (on foot)"}
REVOLVER = {"weapon": "Revolver (TL4.5)"}


def rider(state, number=1, seat=0):
    return state.runners[number].riders[seat]


def watching(state, number, seat=0, **changes):
    """A rider who watches the other vehicle, with what else is said."""
    focus = state.runners[0 if number else 1].name
    return state.put(number, state.runners[number].with_rider(seat, focus=focus, **changes))


# --- focus --------------------------------------------------------------------------------------------------------------------


def test_focus_is_declared_with_the_bids_from_the_worst_to_the_best():  # 3442
    state = replace(chase(), phase="bids", order=(Place(1, 0, 2), Place(0, 0, 2)))
    asked = []

    def decide(choice):
        asked.append((choice.who, choice.topic))
        if choice.topic == "focus":
            return choice.keys()[1]
        return 0

    after = Player(Seeded(1), decide).run(declare_speeds(RULES, state))
    assert asked == [("Ines", "focus"), ("Ines", "bid"), ("Odile", "focus"), ("Odile", "bid")]
    assert (rider(after, 0).focus, rider(after, 1).focus) == ("Odile", "Ines")


def test_who_freezes_declares_no_focus():  # 2964
    state = replace(chase(), phase="bids", order=(Place(1, 0, 0), Place(0, 0, 0)))
    played = script(declare_speeds(RULES, state), [], [0, 0])
    assert (rider(played.outcome, 0).focus, rider(played.outcome, 1).focus) == ("", "")


def test_ratings_that_nobody_asks_about_are_forgotten():
    rolled = script(roll_initiative(RULES, chase()), [(50,), (1,)]).outcome
    assert (rider(rolled, 0).qr, rider(rolled, 1).qr) == (4, 1)
    assert [rider(forgotten(rolled), number).qr for number in (0, 1)] == [0, 0]
    watched = watching(rolled, 1)
    assert [rider(forgotten(watched), number).qr for number in (0, 1)] == [4, 1]


# --- waiting ------------------------------------------------------------------------------------------------------------------


def test_only_one_who_watches_somebody_can_wait_for_them():
    state = chase()
    assert "hold" not in keys(state, 1)
    assert "hold" in keys(watching(state, 1), 1)
    held = script(take_turn(RULES, watching(state, 1, qr=2), Place(1, 0, 2)), [(1,)], ["hold"])
    assert rider(held.outcome).held == 1  # the other action went into driving
    assert held.events[-1].headline() == "Odile waits until Ines acts"


@pytest.mark.parametrize(
    ("mine", "theirs", "acted", "topics"),
    [(2, 3, False, ["first", "now"]), (2, 3, True, ["now"]), (3, 3, False, ["now"]), (4, 3, False, ["now"])],
)
def test_a_strictly_better_rating_comes_first_with_the_first_action_of_a_turn(mine, theirs, acted, topics):  # 2980, 2992
    state = watching(moved(chase(odile=REVOLVER), 1, gap=Gap(1)), 1, qr=mine, held=1, acted=acted)
    state = state.put(0, state.quarry.with_rider(0, qr=theirs))
    asked = []

    def decide(choice):
        asked.append(choice.topic)
        return choice.keys()[0]

    Player(Seeded(1), decide).run(perform(RULES, state, 0, 0, Deed("quick turn")))
    assert asked == topics


def test_a_shot_that_comes_first_may_end_the_maneuver():
    state = watching(moved(chase(odile=REVOLVER, ines=FOOT, place={"medium": "ground"}), 1, gap=Gap(0)), 1, qr=1, held=1)
    state = state.put(0, state.quarry.with_rider(0, qr=4))
    lines = [(1,), (10,), (99,)]  # the shot, the head, Pain Resistance
    played = script(perform(RULES, state, 0, 0, Deed("quick turn")), lines, ["first", "fire:Ines"])
    assert played.outcome.quarry.body(0).unconscious
    assert [rolled.roll.what for rolled in played.rolls] == ["shot", "hit location", "Pain Resistance"]  # no turn was driven
    assert (rider(played.outcome).held, rider(played.outcome).spent) == (0, 1)


def test_who_waits_follows_a_sudden_turn_at_once():  # 3467: unless they can quickly respond
    state = watching(moved(chase(), 1, gap=Gap(1)), 1, qr=3, held=1)
    state = state.put(0, state.quarry.with_rider(0, qr=3))
    after = script(perform(RULES, state, 0, 0, Deed("quick turn")), [(1,), (1,)], ["now", "quick turn"]).outcome
    assert gap(after) == Gap(1)
    missed = script(perform(RULES, state, 0, 0, Deed("quick turn")), [(1,)], ["wait"]).outcome
    assert gap(missed).missed == "sudden"
    assert rider(missed).held == 1


def test_waiting_goes_on_into_the_next_turn_with_the_old_rating():  # 2974
    state = watching(chase(odile=REVOLVER), 1, qr=2, held=1)
    ended = script(finish_turn(RULES, ordered(state))).outcome
    assert (rider(ended).held, rider(ended).qr, rider(ended).focus) == (1, 2, "Ines")
    rolled = script(roll_initiative(RULES, ended), [(1,), (100,)]).outcome
    assert (rider(rolled).qr, rider(rolled).rolled, rider(rolled).held) == (2, 7, 1)
    assert waiting_for(rolled, 0) == [(1, 0)]
    turn = script(take_turn(RULES, rolled, Place(1, 0, 1)), [(1,)]).outcome
    assert (rider(turn).qr, rider(turn).rolled, rider(turn).held) == (7, 0, 0)


def test_what_was_done_before_the_own_turn_is_missing_in_it():
    state = watching(chase(odile={**REVOLVER, "autopilot": True}), 1, qr=2, spent=1)
    played = script(take_turn(RULES, state, Place(1, 0, 2)), [], ["wait"])
    assert played.outcome.runners[1].riders[0].spent == 1
    driving = watching(chase(), 1, qr=2, spent=1)
    steered = script(take_turn(RULES, driving, Place(1, 0, 1)), [(1,)])  # the wheel comes before everything
    assert [rolled.roll.what for rolled in steered.rolls] == ["operate"]


def test_the_stunned_wait_for_nothing():
    state = watching(chase(), 1, qr=2, held=1)
    dazed = state.put(1, state.runners[1].with_body(0, replace(state.runners[1].body(0), stunned=True)))
    assert waiting_for(dazed, 0) == []
    assert waiting_for(state, 0) == [(1, 0)]


# --- blows --------------------------------------------------------------------------------------------------------------------


def runners(**more):
    return moved(chase({**FOOT, **more.get("ines", {})}, {**FOOT, **more.get("odile", {})}, place={"scale": "foot"}), 1, gap=Gap(0))


def test_runners_strike_each_other_and_cars_do_not():
    assert strikes(RULES, runners(), 1, 0, 0) == [0]
    assert "strike:Ines" in keys(runners(), 1)
    cars = moved(chase(), 1, gap=Gap(0))
    assert strikes(RULES, cars, 1, 0, 0) == []
    convertible = moved(chase({"open": True}, {"open": True}), 1, gap=Gap(0))
    assert strikes(RULES, convertible, 1, 0, 0) == [0]
    assert strikes(RULES, moved(runners(), 1, gap=Gap(1)), 1, 0, 0) == []
    assert strikes(RULES, moved(runners(), 1, gap=Gap(0, 1)), 1, 0, 0) == []
    riders = moved(chase({"vehicle": "Horse"}, {"vehicle": "Horse"}), 1, gap=Gap(0))
    assert strikes(RULES, riders, 0, 0, 1) == [0]


def test_a_blow_is_dodged_by_one_who_watches():
    state = watching(runners(), 0)
    played = script(act(RULES, state, 1, 0, Deed("strike", 0)), [(99,), (1,)], ["dodge"])
    assert [rolled.roll.what for rolled in played.rolls] == ["attack", "dodge"]
    assert (rider(played.outcome, 1).blows, rider(played.outcome, 0).dodges) == (1, 1)
    stamina = [played.outcome.runners[at].body(0).stamina - state.runners[at].body(0).stamina for at in (0, 1)]
    assert stamina == [-1, -1]
    again = side_by_side(played.outcome, 1, 0, 0, 0)
    assert (again.fighter("Odile").attacks[0], again.fighter("Ines").dodges) == (1, 1)
    assert rider(script(finish_turn(RULES, ordered(played.outcome))).outcome, 0).dodges == 0


def test_a_blow_out_of_focus_has_to_be_noticed_first():  # 3092
    played = script(act(RULES, runners(), 1, 0, Deed("strike", 0)), [(99,), (100,)])
    assert [rolled.roll.what for rolled in played.rolls] == ["noticing", "attack"]
    blind = under(noticing_out_of_focus="not at all")
    assert [rolled.roll.what for rolled in script(act(blind, runners(), 1, 0, Deed("strike", 0)), [(100,)]).rolls] == ["attack"]


def test_a_blade_from_the_saddle():
    blind = under(noticing_out_of_focus="not at all")
    state = runners(ines={"weapon": "Dagger"})
    assert rider(state, 0).weapon.name == "Dagger"
    wounds = script(act(blind, state, 0, 0, Deed("strike", 1)), [(1,), (5,), (99,)]).outcome.runners[1].body(0)
    assert wounds.wounds > 0
    assert wounds.stunned


def test_a_hurt_arm_lets_go():
    state = runners(ines={"weapon": "Dagger"})
    hurt = state.put(0, state.quarry.with_body(0, replace(state.quarry.body(0), dropped=("right arm",), prone=True)))
    after = script(finish_turn(RULES, ordered(hurt))).outcome.quarry
    assert (after.riders[0].hand, after.body(0).dropped, after.body(0).prone) == (0, (), False)


def test_the_watchful_wait_and_answer():
    encounter = Encounter.begin(SCENE, chase(ines=PISTOL, odile=REVOLVER))
    assert encounter.play_out(Seeded(2), TACTICS["watchful"]) is not None
    told = [getattr(line.what, "headline", str)() for line in encounter.log if hasattr(line.what, "headline")]
    assert "Odile waits until Ines acts" in told
