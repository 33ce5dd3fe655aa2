"""Actions, initiative, waiting and Free Strikes in numbers (book lines 1911-1998, 2179-2182, 2625-2639)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import GAMEMASTER, script
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.silhouette.action.rounds import (
    Account,
    Order,
    Ready,
    Sense,
    account,
    action_type,
    cannot_succeed,
    counts,
    initiative,
    lowers_guard,
    may_still,
    may_strike_freely,
    multiple_action_penalty,
    order_of,
    refocused,
    round_is_over,
    rounds_in,
    seconds,
    sets_off,
    simple_test,
    stays_ready,
    threatened_radius,
    tie_order,
    when_set_off,
)
from rulewright.systems.silhouette.resolution.tasks import Task, close_task, judged, run_test, way_of_testing
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
few = settings(max_examples=40, deadline=None)


def by(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def test_a_round_is_six_seconds():
    assert seconds(10) == 60
    assert [rounds_in(time) for time in (0, 1, 6, 7, 60)] == [0, 1, 1, 2, 10]
    assert round_is_over(("Ann", "Ben"), ("Ann",))
    assert not round_is_over(("Ann",), ("Ann", "Ben"))
    with pytest.raises(UserError):
        seconds(-1)


# --- actions ------------------------------------------------------------------------------------------------------------------


def test_the_shotgun_of_the_book():
    """Picking up a shell and loading it is the one action; with a shot it makes two, and the loading is tested at -1."""
    assert account(0, 2) == Account(1, 0, 0)
    assert account(1, 2) == Account(2, -1, 1)
    load = script(simple_test(PLAIN, 0, -1, name="Ann"), [(4, 2)])
    assert (load.outcome.total, load.outcome.threshold) == (3, 3)


@pytest.mark.parametrize(
    ("standard", "simple", "expected"),
    [
        (1, 0, (1, 0, 0)),
        (1, 1, (1, 0, 0)),
        (0, 1, (0, 0, 0)),
        (0, 3, (1, 0, 0)),
        (0, 4, (2, -1, 2)),
        (2, 0, (2, -1, 0)),
        (2, 1, (2, -1, 0)),
        (1, 3, (2, -1, 1)),
        (2, 2, (3, -2, 1)),
        (3, 5, (5, -4, 2)),
    ],
)
def test_accounts(standard, simple, expected):
    assert account(standard, simple) == Account(*expected)


@few
@given(st.integers(0, 6), st.integers(0, 8))
def test_a_turn_told_action_by_action_comes_to_the_same(standard, simple):
    used = standard + sum(counts(before) == "an action" for before in range(simple))
    assert account(standard, simple).actions == used
    assert account(standard, simple).penalty == multiple_action_penalty(used).value == -max(0, used - 1)
    assert account(standard, simple + 1).actions >= used


def test_two_shots_are_at_minus_one_each():
    assert [multiple_action_penalty(actions).value for actions in (0, 1, 2, 3)] == [0, 0, -1, -2]
    with pytest.raises(UserError):
        account(-1)


def test_kinds_of_actions():
    kinds = {"shout a warning": "automatic", "draw": "simple", "load": "simple", "attack": "standard", "refocus": "full round"}
    assert {action: action_type(PLAIN, action) for action in kinds} == kinds
    assert action_type(PLAIN, "shout a warning", complicated=True) == "simple"
    assert action_type(PLAIN, "open a door") == "simple"
    assert cannot_succeed(PLAIN, "fly by flapping one's arms")
    assert not cannot_succeed(PLAIN, "draw")
    house = BOOK.ruleset(house=House(tables={"sil-3.1.1-action-types": {"open a door": {"type": "automatic"}}}))
    assert action_type(house, "open a door") == "automatic"


def test_how_hard_a_simple_action_is_among_others_is_a_ruling():
    hard = by(simple_action_threshold=5)
    assert script(simple_test(hard, 1, -2, -1), [(6, 3)]).outcome.margin == -1


# --- initiative ---------------------------------------------------------------------------------------------------------------


def test_the_four_of_the_bar():
    """Jason 6, Al 5 and 2 for Complexity, Bubba fumbles, Steve 3: Al, Jason, Steve; Bubba does nothing but defend."""
    everyone = (Sense("Jason"), Sense("Al", complexity=3), Sense("Bubba", complexity=2), Sense("Steve"))
    played = script(initiative(PLAIN, everyone), [(6,), (5,), (1,), (3,)])
    assert played.outcome == Order((("Al",), ("Jason",), ("Steve",), ("Bubba",)), ("Bubba",))
    assert [event.headline() for event in played.events] == ["Initiative: Al 7, Jason 6, Steve 3, Bubba 2 (fumble)"]
    assert may_still() == ("duck", "nothing")
    assert may_still(long_action=True) == ("duck", "nothing", "go on")


def test_complexity_is_counted_above_the_lowest_there():
    everyone = (Sense("Ann", complexity=2), Sense("Ben", complexity=3))
    assert [roll.result.total for roll in script(initiative(PLAIN, everyone), [(3,), (3,)]).rolls] == [3, 4]


def test_refocus_sets_the_next_initiative():
    assert refocused(3).value == 7
    everyone = (Sense("Ann", fixed=refocused(2).value), Sense("Ben"))
    assert script(initiative(PLAIN, everyone), [(5,)]).outcome == Order((("Ann",), ("Ben",)))
    assert script(initiative(PLAIN, (Sense("Ann", fixed=5),)), []).outcome == Order((("Ann",),))


def test_ties_act_at_once():
    assert script(initiative(PLAIN, (Sense("Ann"), Sense("Ben"))), [(4,), (4,)]).outcome == Order((("Ann", "Ben"),))


def test_with_advanced_ties_the_better_trained_goes_first():
    ann, ben, cat = Sense("Ann", level=1, perception=3), Sense("Ben", level=2), Sense("Cat", level=2)
    assert tie_order(PLAIN, (ann, ben, cat)) == (("Ann", "Ben", "Cat"),)
    assert tie_order(by(advanced_ties=True), (ann, ben, cat)) == (("Ben", "Cat"), ("Ann",))
    better = Sense("Dan", level=2, complexity=2)
    assert tie_order(by(advanced_ties=True), (ann, ben, better)) == (("Dan",), ("Ben",), ("Ann",))


def test_the_hidden_roll_hidden():
    everyone = (Sense("Ann"), Sense("Ben", secret=True))
    played = script(initiative(PLAIN, everyone, ("Ben",)), [(4,), (5,)])
    assert [roll.roll.secret for roll in played.rolls] == [False, True]
    assert [event.hidden_from("Ann") for event in played.events] == [False, True]
    assert not any(event.hidden_from("Ben") or event.hidden_from(None) for event in played.events)
    (alone,) = script(initiative(PLAIN, everyone[1:], ("Ben",)), [(5,)]).events  # that nobody else acts would give the ambush away
    assert alone.hidden_from("Ann")


def test_the_odds_of_the_order_by_counting():
    everyone = (Sense("Ann", Pool(2)), Sense("Ben", Pool(1).plus(Mod("off balance", -3))))
    odds = exact(lambda: initiative(PLAIN, everyone))
    counted = {}
    for a, b, c in product(range(1, 7), repeat=3):
        mine = 7 if (a, b) == (6, 6) else max(a, b)
        theirs = max(0, c - 3)
        key = order_of(PLAIN, everyone, (Total(mine, (a, b) == (1, 1)), Total(theirs, c == 1)))
        counted[key] = counted.get(key, 0) + Fraction(1, 216)
    assert {order: odds[order] for order, _ in odds} == counted


# --- waiting ------------------------------------------------------------------------------------------------------------------


def test_what_sets_off_a_readied_action():
    door = Ready("shows")
    assert sets_off(door, "shows", "Ben")
    assert not sets_off(door, "acts", "Ben")
    assert sets_off(Ready("acts"), "moves", "Ben")
    assert sets_off(Ready("moves", "Ben"), "moves", "Ben")
    assert not sets_off(Ready("moves", "Ben"), "moves", "Cat")
    assert not sets_off(Ready("moves"), "acts", "Ben")


def test_readying_comes_before_and_delaying_after():
    assert when_set_off(Ready()) == "before"
    assert when_set_off(Ready(delays=True)) == "after"


def test_what_ends_the_waiting():
    assert stays_ready()
    assert not stays_ready(able=False)
    assert not stays_ready(moved_to_cover=True)
    assert not stays_ready(defended_against_grenade=True)


# --- Free Strikes -------------------------------------------------------------------------------------------------------------


def test_what_lowers_the_guard():
    opening = ("fumbled defense", "fumbled attack", "sheathe", "shoot", "pick up", "use an item", "load", "control an animal")
    assert all(lowers_guard(PLAIN, act) for act in opening)
    assert not lowers_guard(PLAIN, "ready")
    assert not lowers_guard(PLAIN, "draw")


def test_bubba_holsters_his_gun():
    """Jason has acted already, is aware and within a metre: he may strike, once."""
    assert lowers_guard(PLAIN, "sheathe")
    assert may_strike_freely(metres=1, radius=threatened_radius(1))
    assert not may_strike_freely(metres=1, radius=1, struck_before=1)
    assert not may_strike_freely(metres=1, radius=1, aware=False)
    assert not may_strike_freely(metres=1.5, radius=threatened_radius(1))
    assert may_strike_freely(metres=1.5, radius=threatened_radius(1, 0.5))


# --- tasks and how tests are run ----------------------------------------------------------------------------------------------


def test_a_task_at_arms_length():
    played = script(close_task(PLAIN, Pool(2), 4, name="Ann", what="first aid"), [(5, 2)])
    assert played.outcome == Task(True, 1)
    assert [event.headline() for event in played.events] == ["Ann succeeds at first aid by 1 (Threshold 4)"]
    assert script(close_task(PLAIN, Pool(2), 4), [(1, 1)]).outcome == Task(False, -3, fumble=True)
    assert script(close_task(PLAIN, Pool(2), 4, centimetres=60, reach=50), []).outcome == Task(False, -4)


def test_totals_told_keep_the_threshold_from_the_players():
    played = script(run_test(by(running_tests="totals told"), Pool(1), 4, "Ann", "lock"), [(5,)])
    assert [event.headline() for event in played.events] == ["Ann, lock: 5", "Ann, lock: 5 against 4, passed"]
    assert [event.hidden_from("Ann") for event in played.events] == [False, True]
    assert played.events[0].reasons() == ()


def test_behind_the_screen_nobody_sees_the_dice():
    played = script(run_test(by(running_tests="behind the screen"), Pool(1), 4, "Ann", "notice"), [(3,)])
    assert played.rolls[0].roll.secret
    assert played.rolls[0].roll.hand == GAMEMASTER
    assert [event.headline() for event in played.events if not event.hidden_from("Ann")] == ["Ann tries notice"]
    hidden = script(run_test(PLAIN, Pool(1), 4, "Ann", "notice", hidden=True), [(3,)])
    assert hidden.rolls[0].roll.hand == GAMEMASTER
    openly = script(run_test(PLAIN, Pool(1), 4, "Ann", "notice"), [(3,)])
    assert (openly.rolls[0].roll.secret, openly.rolls[0].roll.hand) == (False, "Ann")


def test_without_dice_the_gamemaster_judges():
    ours = by(running_tests="without dice")
    assert judged(ours, Pool(2).plus(Mod("Agility", 1)), 5)
    assert not judged(ours, Pool(2), 5)
    assert script(run_test(ours, Pool(2), 4, "Ann"), [], ["yes"]).outcome == Task(True, 0)
    assert script(run_test(ours, Pool(2), 4, "Ann"), [], ["no"]).outcome == Task(False, -1)
    assert way_of_testing(ours, hidden=True) == "without dice"
    asked = []

    def look(choice):
        asked.append((choice.who, choice.keys()))
        return choice.keys()[0]

    from rulewright.play import play

    assert not play(run_test(ours, Pool(1), 5), decide=look).outcome.passed
    assert asked == [(GAMEMASTER, ("no", "yes"))]


def test_behind_the_screen_every_roll_of_a_fight_is_unseen():
    from rulewright.systems.silhouette.combat.close_combat import try_blow
    from rulewright.systems.silhouette.combat.ranged_attacks import try_shot

    hidden = by(running_tests="behind the screen")
    for rules, secret in ((hidden, True), (PLAIN, False)):
        played = [
            script(try_blow(rules, 1, defense=1), [(2,), (5,)]),
            script(try_shot(rules, 1, defense=1), [(2,), (6,)]),
            script(initiative(rules, (Sense("Ann"), Sense("Ben"))), [(2,), (5,)]),
        ]
        assert {rolled.roll.secret for each in played for rolled in each.rolls} == {secret}
        assert ({rolled.roll.hand for each in played for rolled in each.rolls} == {GAMEMASTER}) == secret
