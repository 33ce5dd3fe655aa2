"""How the dice of a fight fall: every reading against all rolls there are."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.reading import weights_of
from rulewright.systems.ore.drama.round_readings import AimedSwiftly, AtNumber, EverySet, Laid, Swiftest, TwoWidths, arranged, broken, swift
from rulewright.systems.ore.resolution.readings import Thrown, Trades

LENT = st.sampled_from([(0,) * 6, (0, 0, 0, 0, 0, 1), (1,) * 6])
TRADES = st.sampled_from([Trades(), Trades(full_house=True), Trades(squash=True, squish=True)])
DICE = st.builds(Thrown, st.integers(0, 4), LENT, st.integers(1, 3), st.booleans(), trades=TRADES)


@given(
    DICE,
    st.sampled_from(
        [
            TwoWidths,
            Swiftest,
            Laid,
            EverySet,
            lambda dice: AtNumber(dice, 5),
            lambda dice: Swiftest(dice, True),
            lambda dice: AimedSwiftly(dice, 5),
        ]
    ),
)
@settings(max_examples=60, deadline=None)
def test_weights_are_those_of_all_rolls(dice, of):
    reading = of(dice)
    counted = {}
    for faces in product(range(1, 7), repeat=dice.dice):
        found = reading.read(faces)
        counted[found] = counted.get(found, 0) + 1
    assert {outcome: weight for outcome, weight in weights_of(reading).items() if weight} == counted


def test_two_sets_of_one():
    assert [broken(two) for two in ((3, 2), (3, 0), (4, 0), (5, 0), (0, 0))] == [(3, 2), (3, 0), (2, 2), (3, 2), (0, 0)]


def test_the_third_player_breaks_up_her_eights_to_be_fast_enough():
    """2, 3, 6, 6, 8, 8: she keeps the sixes and gives up an eight for a Speed of 8."""
    reading = Swiftest(Thrown(6))
    ways = reading.read((2, 3, 6, 6, 8, 8))
    assert (2, 6, 8) in ways
    assert ways == ((2, 6, 8), (2, 8, 6))
    assert Swiftest(Thrown(3)).read((6, 6, 6)) == ((2, 6, 6), (3, 6, 0))
    assert Swiftest(Thrown(2)).read((6, 6)) == ((2, 6, 0),)
    assert swift(((), (9,))) == ()


def test_several_actions_have_a_waste_die_each():
    assert arranged((((3, 5), (2, 8)), (9, 4)), 2) == ((3, 5, 9), (2, 8, 4))
    assert arranged((((3, 5), (2, 8)), ()), 1) == ((3, 5, 8),)  # the other set is broken up
    assert arranged((((4, 5),), (7,)), 2) == ((2, 5, 7), (2, 5, 0))
    assert arranged(((), (7,)), 2) == ()


def test_a_lower_set_can_be_wanted_for_where_it_strikes():
    assert EverySet(Thrown(5)).read((10, 10, 7, 7, 7)) == ((3, 7), (2, 10))
    assert EverySet(Thrown(5)).read((10, 10, 10, 7, 7)) == ((3, 10), (2, 7))
    assert Swiftest(Thrown(5)).read((10, 10, 10, 7, 7)) == ((2, 10, 10), (3, 10, 7))
    assert Swiftest(Thrown(5), True).read((10, 10, 10, 7, 7)) == ((2, 10, 10), (2, 7, 10), (3, 10, 7))


# --- waste dice that decide Speed ---------------------------------------------------------------------------------------------


def test_a_special_die_in_no_set_is_a_waste_die():
    expert, master, nudged = (0,) * 9 + (1,), (1,) * 10, (0,) * 7 + (1,) * 3
    assert Swiftest(Thrown(4, expert)).read((3, 3, 5, 6)) == ((2, 3, 10),)
    assert Swiftest(Thrown(4, expert)).read((3, 3, 10, 6)) == ((2, 3, 10), (2, 10, 6))
    assert Swiftest(Thrown(4, master)).read((3, 3, 5, 6)) == (
        (2, 3, 10),
        (3, 3, 6),
        (2, 5, 6),
        (2, 6, 5),
    )  # it joins the threes, or is given up
    assert Swiftest(Thrown(4, nudged)).read((3, 3, 5, 8)) == ((2, 3, 10), (2, 8, 5))
    assert Swiftest(Thrown(4, failsafe=True)).read((3, 3, 5, 6)) == ((2, 3, 10),)
    assert Swiftest(Thrown(4, failsafe=True)).read((3, 3, 10, 10)) == ((2, 3, 10), (2, 10, 9))
    assert AimedSwiftly(Thrown(3, (0, 0, 1, 0, 0, 0, 0, 0, 0, 1)), 3).read((3, 5, 6)) == (2, 10)
    assert AimedSwiftly(Thrown(3, (0, 0, 1, 0, 0, 0, 0, 0, 0, 0)), 3).read((3, 5, 6)) == (2, 6)
    assert AimedSwiftly(Thrown(3, (0,) * 9 + (2,)), 10).read((10, 5, 6)) == (3, 6)


def test_a_run_has_its_speed_too():
    runs = Thrown(5, run=True)
    assert Swiftest(runs).read((2, 3, 4, 8, 9)) == ((1, 4, 9),)
    assert Swiftest(runs).read((2, 3, 4, 6, 8)) == ((1, 4, 8),)
    assert Swiftest(Thrown(3, run=True)).read((2, 3, 4)) == ((1, 4, 0),)
    assert Swiftest(Thrown(3, run=True, failsafe=True)).read((2, 3, 7)) == ((1, 4, 7),)  # the Failsafe Die is the 4
    assert Swiftest(Thrown(3, run=True, failsafe=True)).read((2, 3, 4)) == ((1, 5, 2),)


def test_trades_and_what_is_left_to_be_waste():
    house = Thrown(5, trades=Trades(full_house=True))
    assert (3, 7, 1) in Swiftest(house).read((1, 4, 4, 7, 7))  # the fours are gone
    assert (3, 5, 0) in Swiftest(Thrown(2, trades=Trades(squash=True))).read((7, 7))
