"""Drama Points: what they cost, what they do, and Editing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.drama.points import (
    EFFECTS,
    Dramatic,
    Turned,
    can_spend,
    determined,
    dice_lost,
    dramatic_test,
    editing,
    effects_allowed,
    hell_bent,
    ignored,
    inspired,
    slip_up,
    spend,
)
from rulewright.systems.ore.drama.rerolls import Turnable, rerolled
from rulewright.systems.ore.harm.body import Dealt
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.readings import BestFor, Thrown
from rulewright.systems.ore.resolution.tests import Pool, make_test
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
DRAMA = BOOK.ruleset(settings={"drama-points": "drama points"})
EDITING = BOOK.ruleset(settings={"drama-points": "drama points and editing"})


def test_ten_effects_and_their_prices():  # lines 5487-5499
    assert {row.name: row.cost for row in EFFECTS(RULES).values()} == {
        "determined": 1,
        "inspired": 1,
        "lucky": 1,
        "slip up": 1,
        "unflinching": 1,
        "blessed": 2,
        "hell-bent": 2,
        "unwavering": 2,
        "editing": 3,
        "the hand of god": 3,
    }


def test_what_a_campaign_allows():
    assert effects_allowed(RULES) == ()
    assert len(effects_allowed(DRAMA)) == 9
    assert set(effects_allowed(EDITING)) - set(effects_allowed(DRAMA)) == {"editing"}
    with pytest.raises(UserError, match="is not allowed"):
        spend(RULES, 9, "lucky")
    with pytest.raises(UserError, match="is not allowed"):
        spend(DRAMA, 9, "editing")


def test_points_are_gone_and_each_effect_serves_a_roll_once():  # lines 5485, 5501
    assert spend(DRAMA, 3, "lucky") == 2
    assert spend(DRAMA, 3, "the hand of god") == 0
    with pytest.raises(UserError, match="costs 2 Drama Points, but only 1 is left"):
        spend(DRAMA, 1, "blessed")
    with pytest.raises(UserError, match="already"):
        spend(DRAMA, 3, "lucky", ("lucky",))
    assert spend(DRAMA, 3, "blessed", ("lucky",)) == 1
    assert can_spend(DRAMA, 2, "blessed")
    assert not can_spend(DRAMA, 1, "blessed")


def test_the_determined_promote_a_die():
    assert determined(Pool(5)) == Pool(4, 1, several=True)
    assert determined(Pool(4, 1)) == Pool(4, 0, 1, several=True)
    assert determined(Pool(4, 1), "ordinary die") == Pool(3, 2, several=True)
    with pytest.raises(UserError, match="no die to promote"):
        determined(Pool(0))
    expert, master = Pool(4, 1), determined(Pool(4, 1))
    assert exact(sub(make_test, DRAMA, expert)).chance(lambda one: one.success) < (1, 1)
    assert exact(sub(make_test, DRAMA, master)).chance(lambda one: one.success) == (1, 1)


def test_hell_bent_and_slip_up():
    assert hell_bent(DRAMA, 2, 5, "width") == Outcome(3, 5)
    assert hell_bent(DRAMA, 2, 5, "height") == Outcome(2, 7)
    assert hell_bent(DRAMA, 2, 9, "height") == Outcome(2, 10)
    assert hell_bent(DRAMA, 0, 0, "width") == Outcome()
    assert slip_up(DRAMA, 3, 5, "width") == Outcome(2, 5)
    assert slip_up(DRAMA, 3, 5, "height") == Outcome(3, 3)
    assert slip_up(DRAMA, 2, 5, "width") == Outcome()
    assert slip_up(DRAMA, 3, 2, "height") == Outcome()
    assert slip_up(DRAMA, 3, 5, "height", 4) == Outcome()
    assert slip_up(DRAMA, 1, 5, "height") == Outcome(1, 3)  # a Run
    gentle = BOOK.ruleset(settings={"drama-points": "drama points", "set-for-a-set": True})
    assert slip_up(gentle, 2, 5, "width") == Outcome(1, 5)
    assert slip_up(gentle, 1, 5, "width") == Outcome()


def test_what_happens_to_somebody_who_is_hit():
    assert (dice_lost(unflinching=True), dice_lost(unflinching=False)) == (0, 1)
    assert ignored(3, 2, unwavering=True) == Dealt(3, 0)
    assert ignored(3, 2, hand_of_god=True) == Dealt(0, 2)
    assert ignored(3, 2, True, True) == Dealt(0, 0)
    assert ignored(3, 2) == Dealt(3, 2)


# --- a roll with Drama Points -------------------------------------------------------------------------------------------------


def test_without_points_it_is_a_plain_test():
    assert script(dramatic_test(DRAMA, Pool(3), 0), [(4, 4, 1)]).outcome == Dramatic(Outcome(2, 4), 0)
    assert script(dramatic_test(RULES, Pool(3), 9), [(4, 4, 1)]).outcome == Dramatic(Outcome(2, 4), 9)


def test_the_lucky_roll_again():
    played = script(dramatic_test(DRAMA, Pool(3), 1), [(1, 2, 3), (7, 7, 2)], ["no", "yes"])
    assert played.outcome == Dramatic(Outcome(2, 7), 0)
    assert script(dramatic_test(DRAMA, Pool(3), 1), [(1, 2, 3)], ["no", "no"]).outcome == Dramatic(Outcome(), 1)
    assert script(dramatic_test(DRAMA, Pool(3), 1), [(4, 4, 3)], ["no"]).outcome == Dramatic(Outcome(2, 4), 1)


def test_the_blessed_roll_what_stands_in_no_set():
    played = script(dramatic_test(DRAMA, Pool(5), 2), [(4, 4, 1, 2, 3), (4, 4, 9)], ["no", "no", "yes"])
    assert played.outcome == Dramatic(Outcome(4, 4), 0)
    kept = script(dramatic_test(DRAMA, Pool(5), 2), [(4, 4, 1, 2, 3), (8, 8, 8)], ["no", "no", "yes"])
    assert kept.outcome == Dramatic(Outcome(3, 8), 0)


def test_several_effects_on_one_roll():
    played = script(
        dramatic_test(DRAMA, Pool(4), 6),
        [(1, 2, 3), (5, 6, 7), (9, 9, 4)],
        ["yes", "width", "yes", "yes"],
    )  # an Expert Die, hell-bent on Width, lucky, then blessed
    assert played.outcome == Dramatic(Outcome(3, 9), 0)


def test_hell_bent_on_nothing_is_lost():
    assert script(dramatic_test(DRAMA, Pool(2), 2), [(1, 2)], ["no", "height"]).outcome == Dramatic(Outcome(), 0)


def test_no_dice_nothing_to_reroll():
    assert script(dramatic_test(DRAMA, Pool(0), 1)).outcome == Dramatic(Outcome(), 1)


def test_the_odds_of_a_second_chance():
    """One point for luck: failing twice is the square of failing."""

    def always(choice):
        return "yes" if "Lucky" in choice.ask_for else "no"

    once = exact(sub(make_test, DRAMA, Pool(3))).weights[Outcome()] / 1000
    twice = exact(sub(dramatic_test, DRAMA, Pool(3), 1), decide=always)
    low, high = twice.chance(lambda one: not one.outcome.success)
    assert low == high == pytest.approx(once**2)


@pytest.mark.parametrize(
    "thrown",
    [
        Thrown(4, (0,) * 6),
        Thrown(4, (0,) * 6, 3),
        Thrown(4, (0, 0, 0, 0, 0, 1)),
        Thrown(4, (1,) * 6),
        Thrown(4, (0, 0, 0, 0, 1, 1)),
        Thrown(3, (0,) * 6, 1, True),
    ],
)
@pytest.mark.parametrize("aim", ["widest", "highest"])
def test_rerollable_weights_are_those_of_every_roll(thrown, aim):
    reading = Turnable(BestFor(thrown, aim))
    assert dict(reading.weights()) == count_every_roll(reading)


def test_a_single_die_that_a_master_die_matches_stands_in_the_set():
    reading = Turnable(BestFor(Thrown(3, (1,) * 10)))
    assert reading.read((2, 5, 9)) == ((2, 9), ((1, 9),))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 10), min_size=1, max_size=8))
def test_no_die_is_lost_or_won_by_rolling_again(faces):
    thrown = Thrown(len(faces))
    _, sets = Turnable(BestFor(thrown)).read(tuple(faces))
    again = rerolled(thrown, sets)
    assert again.dice + sum(again.lent) == len(faces)


# --- beyond the dice ----------------------------------------------------------------------------------------------------------


def test_editing_has_the_game_masters_last_word():  # lines 5511-5517
    assert script(editing(EDITING, 3), choices=["granted"]).outcome == Turned("granted", 0)
    assert script(editing(EDITING, 4), choices=["changed"]).outcome == Turned("changed", 1)
    assert script(editing(EDITING, 3), choices=["refused"]).outcome == Turned("refused", 3)
    with pytest.raises(UserError, match="cannot undo a roll"):
        script(editing(EDITING, 3, undoes_a_roll=True))
    with pytest.raises(UserError, match="is not allowed"):
        script(editing(DRAMA, 3))


def test_a_hint_costs_a_point():  # lines 5505-5509
    assert inspired(DRAMA, 1) == 0
    with pytest.raises(UserError, match="are left"):
        inspired(DRAMA, 0)
