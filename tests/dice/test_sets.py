from collections import Counter

import icepool
import pytest
from hypothesis import given
from hypothesis.strategies import booleans, composite, integers, lists, sampled_from

from rulewright.dice import BestSet, Sets, count_every_roll
from rulewright.errors import UserError


@composite
def small_pools(draw):
    """Dice, sides and fixed dice, few enough to roll every combination."""
    die = draw(integers(2, 10))
    most = {2: 8, 3: 6, 4: 5, 5: 4, 6: 4}.get(die, 3)
    fixed = tuple(draw(lists(integers(1, die), max_size=4)))
    return draw(integers(0 if fixed else 1, most)), die, fixed


@given(pool=small_pools(), loose=booleans())
def test_set_weights_are_what_counting_gives(pool, loose):
    reading = Sets(*pool, loose)
    assert reading.weights() == count_every_roll(reading)


@given(pool=small_pools(), by=sampled_from(["width", "height"]), difficulty=integers(1, 10))
def test_best_set_weights_are_what_counting_gives(pool, by, difficulty):
    reading = BestSet(*pool, by, min(difficulty, pool[1]))
    assert reading.weights() == count_every_roll(reading)


@given(dice=integers(1, 20), die=integers(2, 10), by=sampled_from(["width", "height"]), difficulty=integers(1, 10))
def test_best_set_weights_add_up_to_all_rolls(dice, die, by, difficulty):
    assert sum(BestSet(dice, die, (), by, min(difficulty, die)).weights().values()) == die**dice


@given(dice=integers(1, 9), fixed=lists(integers(1, 10), max_size=3), by=sampled_from(["width", "height"]), difficulty=integers(1, 10))
def test_the_best_set_is_the_best_of_all_sets(dice, fixed, by, difficulty):
    best: Counter[object] = Counter()
    for sets, rolls in Sets(dice, 10, tuple(fixed)).weights().items():
        high = [one for one in sets if one[1] >= difficulty]
        best[max(high, key=lambda one: one if by == "width" else one[::-1], default=None)] += rolls
    assert BestSet(dice, 10, tuple(fixed), by, difficulty).weights() == best


class AllSets(icepool.MultisetEvaluator):
    def __init__(self, least):
        self.least = least

    def next_state(self, state, order, outcome, count):
        state = state or ()
        return (*state, (count, outcome)) if count >= self.least else state

    def final_outcome(self, final_state, *_):
        return tuple(sorted(final_state or (), reverse=True))


class Best(icepool.MultisetEvaluator):
    """The best set, or (0, 0); by height it is reversed."""

    def __init__(self, by, difficulty):
        self.by, self.difficulty = by, difficulty

    def next_state(self, state, order, outcome, count):
        one = (count, outcome) if self.by == "width" else (outcome, count)
        return max(state or (0, 0), one) if count > 1 and outcome >= self.difficulty else state or (0, 0)

    def final_outcome(self, final_state, *_):
        return final_state if self.by == "width" else final_state[::-1]


def test_all_sets_of_ten_dice_are_icepools():
    ours = Sets(10).weights()
    assert len(ours) == 8_953
    assert ours == dict(AllSets(2).evaluate(icepool.d(10).pool(10)))


def test_all_sets_with_fixed_dice_are_icepools():
    pool = icepool.Pool([*[icepool.d(10)] * 7, 10, 10, 3])
    assert Sets(7, fixed=(10, 10, 3)).weights() == dict(AllSets(2).evaluate(pool))


def test_all_sets_with_loose_dice_are_icepools():
    assert Sets(7, loose=True).weights() == dict(AllSets(1).evaluate(icepool.d(10).pool(7)))


@pytest.mark.parametrize(("by", "difficulty"), [("width", 1), ("height", 1), ("width", 6), ("height", 6)])
def test_the_best_set_of_fifteen_dice_is_icepools(by, difficulty):
    ours = {best or (0, 0): rolls for best, rolls in BestSet(15, by=by, difficulty=difficulty).weights().items()}
    assert ours == dict(Best(by, difficulty).evaluate(icepool.d(10).pool(15)))


def test_the_best_set_with_fixed_dice_is_icepools():
    pool = icepool.Pool([*[icepool.d(10)] * 9, 10, 10, 3])
    ours = {best or (0, 0): rolls for best, rolls in BestSet(9, fixed=(10, 10, 3), difficulty=4).weights().items()}
    assert ours == dict(Best("width", 4).evaluate(pool))


def test_sets_come_widest_first_and_of_these_the_highest():
    assert Sets(9).read((2, 7, 7, 2, 2, 9, 9, 1, 4)) == ((3, 2), (2, 9), (2, 7))


def test_loose_dice_are_sets_of_width_one_if_asked_for():
    assert Sets(4, loose=True).read((5, 8, 5, 1)) == ((2, 5), (1, 8), (1, 1))
    assert Sets(4).read((5, 8, 5, 1)) == ((2, 5),)


def test_a_pool_without_matching_dice_has_no_sets():
    assert Sets(3).read((1, 2, 3)) == ()
    assert Sets(1).weights() == {(): 10}


def test_fixed_dice_match_the_rolled_ones():
    assert Sets(2, fixed=(10,)).read((10, 3)) == ((2, 10),)
    assert Sets(1, fixed=(4, 4)).read((9,)) == ((2, 4),)


def test_fixed_dice_alone_need_no_roll():
    assert Sets(0, fixed=(7, 7, 2)).weights() == {((2, 7),): 1}
    assert BestSet(0, fixed=(7, 7, 2)).weights() == {(2, 7): 1}
    assert BestSet(0, fixed=(7, 7)).read(()) == (2, 7)


def test_the_best_set_is_the_widest_or_the_highest():
    faces = (2, 2, 2, 9, 9, 5, 5)
    assert BestSet(7).read(faces) == (3, 2)
    assert BestSet(7, by="height").read(faces) == (2, 9)


def test_ties_in_width_go_to_the_higher_set():
    assert BestSet(4).read((9, 5, 5, 9)) == (2, 9)


def test_sets_below_the_difficulty_do_not_count():
    assert BestSet(5, difficulty=5).read((2, 2, 2, 5, 5)) == (2, 5)
    assert BestSet(5, difficulty=6).read((2, 2, 2, 5, 5)) is None


def test_kept_are_the_dice_that_stand_in_a_set():
    assert Sets(5).kept((3, 8, 3, 8, 1)) == (0, 1, 2, 3)
    assert Sets(2, fixed=(8,)).kept((3, 8)) == (1,)
    assert BestSet(5).kept((3, 8, 3, 8, 1)) == (1, 3)
    assert BestSet(3).kept((3, 8, 1)) == ()


def test_sets_leave_their_explanation_to_the_game():
    assert Sets(2).explain((3, 3)) == ()


@pytest.mark.parametrize("reading", [Sets, BestSet])
def test_a_pool_of_sets_needs_a_die(reading):
    with pytest.raises(UserError, match="from 1 to"):
        reading(0)
    with pytest.raises(UserError, match="from 0 to"):
        reading(-1, fixed=(3, 3))


@pytest.mark.parametrize(
    ("reading", "most", "options"), [(Sets, 15, {}), (Sets, 12, {"loose": True}), (BestSet, 20, {}), (BestSet, 20, {"by": "height"})]
)
def test_a_pool_of_sets_takes_so_many_dice_and_no_more(reading, most, options):
    reading(most, **options)
    reading(most - 1, fixed=(1,), **options)
    with pytest.raises(UserError, match=f"to {most}"):
        reading(most + 1, **options)
    with pytest.raises(UserError, match=f"from 1 to {most}"):
        reading(most, fixed=(1,), **options)


@pytest.mark.parametrize("reading", [Sets, BestSet])
@pytest.mark.parametrize("die", [1, 11])
def test_dice_for_sets_have_two_to_ten_sides(reading, die):
    with pytest.raises(UserError, match="from 2 to 10"):
        reading(3, die)


@pytest.mark.parametrize("face", [0, 7])
def test_a_fixed_die_shows_a_face_that_it_has(face):
    with pytest.raises(UserError, match="a fixed face of a d6 must be from 1 to 6"):
        Sets(3, 6, (face,))


@pytest.mark.parametrize("difficulty", [0, 11])
def test_a_difficulty_is_a_face_of_the_die(difficulty):
    with pytest.raises(UserError, match="the difficulty must be from 1 to 10"):
        BestSet(3, difficulty=difficulty)


def test_the_best_set_goes_by_width_or_height_and_nothing_else():
    with pytest.raises(UserError, match="by width or by height, not by 'luck'"):
        BestSet(3, by="luck")
