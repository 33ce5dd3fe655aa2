"""Exact odds compared with enumeration; sampling compared with exact odds."""

import itertools
import time
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dice import HighestDie, Sum, sum_of
from rulewright.errors import UserError
from rulewright.play import Choice, Event, Option, Range, Roll, Sub, Tell, Together, script, sub
from rulewright.play.odds import DEEPEST, PATIENCE, Budget, Exact, Odds, exact, sample

D2, D3, D4, D6 = (Sum((n,)) for n in (2, 3, 4, 6))


class Said(Event, frozen=True):
    number: int


def two_dice():
    first = yield from Roll(D6)
    second = yield from Roll(D6)
    return first + second


def test_the_sum_of_two_dice_has_the_weights_everybody_knows():
    odds = exact(two_dice)
    assert odds.weights == {n: 6 - abs(n - 7) for n in range(2, 13)}
    assert (odds.total, odds.unsettled, odds.settled) == (36, 0, 1.0)
    assert odds[7] == Fraction(1, 6)
    assert odds[13] == 0


def test_weights_keep_their_natural_total_and_are_never_reduced():
    def even():
        return (yield from Roll(D6)) % 2 == 0

    odds = exact(even)
    assert odds.weights == {True: 3, False: 3}
    assert odds.total == 6
    assert exact(lambda: (yield from Roll(sum_of(3, 6)))).total == 216


def test_paths_of_different_length_are_weighed_on_the_least_common_total():
    def again_on_one():
        first = yield from Roll(D2)
        return first if first > 1 else 10 + (yield from Roll(D3))

    odds = exact(again_on_one)
    assert odds.total == 6
    assert odds.weights == {2: 3, 11: 1, 12: 1, 13: 1}


def test_dice_rolled_together_are_as_independent_as_dice_rolled_in_turn():
    def together():
        return sum((yield from Together((Roll(D6, "a"), Roll(D6, "b")))))

    assert exact(together).weights == exact(two_dice).weights


def test_what_is_told_does_not_keep_equal_outcomes_apart():
    def chatty():
        rolled = yield from Roll(D6)
        yield from Tell(Said(rolled))
        return rolled > 3

    assert exact(chatty).weights == {True: 3, False: 3}


def test_a_procedure_without_dice_is_certain():
    def sure():
        yield from Tell(Said(1))
        yield from Together(())
        return "sure"

    odds = exact(sure)
    assert (odds.weights, odds.total) == ({"sure": 1}, 1)


def test_decisions_are_taken_by_the_tactic_given():
    def deciding():
        rolled = yield from Roll(D6)
        more = yield from Choice("ana", "more?", (Option("stop", "stop", False), Option("more", "more", True)), rolled)
        extra = yield from Choice("ana", "how many", Range(0, 3))
        return rolled + extra + ((yield from Roll(D6)) if more else 0)

    def bold(choice):
        if isinstance(choice.options, Range):
            return 3
        return "more" if choice.about < 3 else "stop"

    assert exact(deciding).weights == dict.fromkeys(range(1, 7), 1)
    # a 1 or a 2 is rolled on: 1 + 3 + 1..6 and 2 + 3 + 1..6; the others stop at 6, 7, 8 and 9
    more = [first + 3 + second for first in (1, 2) for second in range(1, 7)]
    assert exact(deciding, decide=bold).weights == {n: more.count(n) + 6 * (6 <= n <= 9) for n in range(5, 12)}


def test_a_tactic_that_gives_what_is_not_allowed_is_refused():
    def deciding():
        return (yield from Choice("ana", "more?", (Option("stop", "stop", False),)))

    with pytest.raises(UserError, match="'go' is not allowed"):
        exact(deciding, decide=lambda choice: "go")


# --- parts ----------------------------------------------------------------------------------------------------------------------


def test_a_part_is_solved_once_for_the_same_arguments():
    begun = []

    def inner(sides):
        begun.append(sides)
        first = yield from Roll(Sum((sides,)))
        second = yield from Roll(Sum((sides,)))
        return first == second

    def outer():
        before = yield from Roll(D6)
        doubles = yield from sub(inner, 4 if before < 6 else 8)
        again = yield from sub(inner, 4)
        return doubles, again

    odds = exact(outer)
    assert begun.count(4) == 16
    assert begun.count(8) == 64
    assert odds[(True, True)] == (Fraction(5, 6) * Fraction(1, 4) + Fraction(1, 6) * Fraction(1, 8)) * Fraction(1, 4)
    assert odds.unsettled == 0


def test_asking_for_a_part_itself_is_asking_for_its_procedure():
    def inner(sides):
        return (yield from Roll(Sum((sides,)))) > 2

    assert exact(sub(inner, 6)) == exact(lambda: inner(6))


def test_a_solver_remembers_parts_from_one_question_to_the_next():
    begun = []

    def inner():
        begun.append(1)
        return (yield from Roll(D6))

    solver = Exact()
    assert solver.part(sub(inner)).weights == solver.part(sub(inner)).weights
    assert len(begun) == 6


def test_a_part_that_leads_back_to_itself_is_refused_rather_than_followed_forever():
    def endless(n):
        rolled = yield from Roll(D6)
        return rolled if rolled < 6 else (yield from Sub(endless, (n,)))

    with pytest.raises(UserError, match="endless calls itself with the same arguments"):
        exact(sub(endless, 1))


def test_parts_that_nest_too_deep_leave_a_little_unsettled_and_come_to_an_end():
    def longer(n):
        """Two branches at every depth: without a cache, every level doubles the work."""
        rolled = yield from Roll(D4)
        if rolled > 2:
            return "done"
        if rolled == 2:
            yield from Roll(D2)
        return (yield from sub(longer, n + 1))

    odds = exact(sub(longer, 0))
    assert 0 < odds.unsettled * 2 ** (DEEPEST - 1) <= odds.total
    assert odds.chance(lambda outcome: outcome == "done")[1] == 1.0


def test_totals_beyond_what_a_float_can_hold_do_not_matter():
    def huge():
        totals = yield from Together(tuple(Roll(HighestDie(100, 0, 100), str(n)) for n in range(2)))
        return totals[0].total > totals[1].total

    def larger():
        one = yield from sub(huge)
        two = yield from sub(huge)
        return one, two

    odds = exact(sub(larger), decide=lambda choice: 0, budget=Budget(40_000))
    assert odds.total > 10**400
    assert odds.chance(lambda pair: pair[0] == pair[1])[0] > 0.4
    assert odds.mean(lambda pair: float(pair[0])) == pytest.approx(odds.chance(lambda pair: pair[0])[0])
    counted = sample(larger, 50, seed=1)
    assert sum(counted.values()) == 50


# --- budgets --------------------------------------------------------------------------------------------------------------------


def lopsided():
    """A long procedure with one likely path and many unlikely ones."""
    for length in range(1, 5):
        if (yield from Roll(HighestDie(3))).total < 4:
            return length
    return 0


def test_the_heaviest_path_is_followed_first():
    ends = []

    def watched():
        first = yield from Roll(Sum((2, 2)))  # 3 twice as often as 2 and 4
        second = yield from Roll(Sum((2, 2)))
        ends.append((first, second))
        return first, second

    exact(watched)
    weight = {2: 1, 3: 2, 4: 1}
    weights = [weight[first] * weight[second] for first, second in ends]
    assert ends[0] == (3, 3)
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("paths", [0, 1, 5, 50, 500])
def test_a_budget_gives_bounds_that_contain_the_truth(paths):
    truth = exact(lopsided)
    odds = exact(lopsided, budget=Budget(paths))
    assert sum(odds.weights.values()) + odds.unsettled == odds.total
    assert odds.paths <= paths
    for outcome in truth.weights:
        low, high = odds.chance(lambda found, outcome=outcome: found == outcome)
        assert low - 1e-12 <= truth[outcome] <= high + 1e-12
    assert (odds.unsettled == 0) == (odds == truth)


def test_a_budget_spent_within_a_part_leaves_bounds_of_the_whole():
    def outer():
        before = yield from Roll(D6)
        return before, (yield from sub(lopsided))

    truth, odds = exact(outer), exact(outer, budget=Budget(30))
    assert 0 < odds.unsettled < odds.total
    assert sum(odds.weights.values()) + odds.unsettled == odds.total
    for outcome, weight in odds:
        assert Fraction(weight, odds.total) <= truth[outcome]


def test_more_budget_never_settles_less():
    settled = [exact(lopsided, budget=Budget(paths)).settled for paths in range(0, 200, 20)]
    assert settled == sorted(settled)
    assert settled[0] == 0


def test_a_budget_of_seconds_holds_for_a_question_and_all_its_parts(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: next(looks) / 100)  # every look at the clock takes a hundredth

    def inner(n):
        total = 0
        for _ in range(8):
            total += yield from Roll(D6)
        return total + n

    def outer():
        numbers = []
        for n in range(20):
            numbers.append((yield from sub(inner, n)))
        return sum(numbers)

    odds = exact(outer, budget=Budget(seconds=0.2))
    assert next(looks) < 60  # each of twenty parts with a fifth of a second for itself would look 400 times
    assert odds.unsettled > 0
    assert sum(odds.weights.values()) + odds.unsettled == odds.total


def looks_at(monkeypatch, processor, wall):
    """How often clocks that advance by a fixed step are read before a budget of a second is spent."""
    looked = itertools.count()
    ticks = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: next(looked) * processor)
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) * wall)
    budget = Budget(seconds=1)
    while budget.spend():
        pass
    return budget.used


def test_a_machine_that_is_busy_with_other_things_counts_as_much_only_later(monkeypatch):
    assert looks_at(monkeypatch, 0.01, 0.01) == looks_at(monkeypatch, 0.01, 0.03) == 100


def test_nobody_waits_more_than_a_few_times_as_long_as_is_counted(monkeypatch):
    assert looks_at(monkeypatch, 0.0, 0.1) == 10 * PATIENCE


def test_a_part_that_there_was_no_time_for_is_solved_when_there_is():
    def outer():
        return (yield from sub(two_dice))

    solver = Exact(budget=Budget(3))
    assert solver.solve(outer).unsettled
    solver.budget = Budget()
    assert not solver.solve(outer).unsettled


@pytest.mark.parametrize("nth", [1, 2, 7, 20])
def test_an_interruption_gives_the_bounds_found_so_far(nth):
    begun = []

    def interrupted():
        begun.append(1)
        if len(begun) == nth:
            raise KeyboardInterrupt
        return (yield from two_dice())

    odds = exact(interrupted)
    assert odds.interrupted
    assert sum(odds.weights.values()) + odds.unsettled == odds.total
    assert odds.unsettled > 0
    for outcome, weight in odds:
        assert Fraction(weight, odds.total) <= exact(two_dice)[outcome]


def test_an_interruption_within_a_part_ends_the_whole_question_cleanly():
    begun = []

    def inner():
        begun.append(1)
        if len(begun) == 4:
            raise KeyboardInterrupt
        return (yield from Roll(D6))

    def outer():
        first = yield from Roll(D6)
        return first, (yield from sub(inner))

    odds = exact(outer)
    assert odds.interrupted
    assert len(begun) == 4
    assert 0 < odds.unsettled < odds.total
    assert sum(odds.weights.values()) + odds.unsettled == odds.total


# --- what can be asked of odds --------------------------------------------------------------------------------------------------


def test_odds_of_something_that_follows_are_summed_over_the_outcomes():
    odds = exact(two_dice)
    assert odds.map(lambda n: n > 9).weights == {True: 6, False: 30}
    assert odds.chance(lambda n: n > 9) == (6 / 36, 6 / 36)
    assert odds.mean(float) == pytest.approx(7)
    assert dict(odds) == odds.weights


def test_odds_are_equal_when_every_chance_is():
    assert Odds({"a": 1, "b": 1}, 2) == Odds({"b": 18, "a": 18}, 36)
    assert Odds({"a": 1}, 2, 1) == Odds({"a": 2}, 4, 2)
    assert Odds({"a": 1}, 2, 1) != Odds({"a": 1, "b": 1}, 2)
    assert Odds({"a": 1}, 1) != {"a": 1}


def test_odds_of_which_nothing_is_settled_have_no_mean():
    odds = exact(two_dice, budget=Budget(0))
    assert odds.settled == 0
    assert odds.mean(float) != odds.mean(float)
    assert odds.chance(lambda n: True) == (0, 1)


# --- any little procedure -------------------------------------------------------------------------------------------------------


trees = st.recursive(
    st.integers(0, 3),
    lambda inner: st.tuples(st.sampled_from(("roll", "sub", "both")), st.integers(2, 3), st.lists(inner, min_size=2, max_size=3)),
    max_leaves=8,
)


def freeze(tree):
    return tree if isinstance(tree, int) else (tree[0], tree[1], tuple(freeze(below) for below in tree[2]))


def walk(tree):
    """A procedure that rolls at every fork of a tree: inline, as a sub-procedure, or two dice at once."""
    if isinstance(tree, int):
        return tree
    kind, sides, below = tree
    if kind == "both":
        first, second = yield from Together((Roll(Sum((sides,)), "x"), Roll(D2, "y")))
        at = first + second
    else:
        at = yield from Roll(Sum((sides,)))
    chosen = below[at % len(below)]
    return (yield from sub(walk, chosen)) if kind == "sub" else (yield from walk(chosen))


def brute(tree):
    """The same by walking the tree with fractions."""
    if isinstance(tree, int):
        return {tree: Fraction(1)}
    kind, sides, below = tree
    rolls = [first + second for first, second in product(range(1, sides + 1), (1, 2))] if kind == "both" else list(range(1, sides + 1))
    found: dict[int, Fraction] = {}
    for at in rolls:
        for outcome, chance in brute(below[at % len(below)]).items():
            found[outcome] = found.get(outcome, Fraction(0)) + chance / len(rolls)
    return found


@given(trees)
def test_exact_odds_of_any_little_procedure_are_what_going_through_it_gives(tree):
    tree = freeze(tree)
    odds = exact(lambda: walk(tree))
    assert {outcome: odds[outcome] for outcome in odds.weights} == brute(tree)
    assert sum(odds.weights.values()) == odds.total


@given(trees, st.integers(0, 12))
def test_bounds_of_any_little_procedure_contain_what_going_through_it_gives(tree, paths):
    tree = freeze(tree)
    odds = exact(lambda: walk(tree), budget=Budget(paths))
    truth = brute(tree)
    slack = Fraction(odds.unsettled, odds.total)
    assert all(truth[outcome] - slack <= odds[outcome] <= truth[outcome] for outcome in odds.weights)
    assert sum(odds.weights.values()) + odds.unsettled == odds.total


# --- sampling -------------------------------------------------------------------------------------------------------------------


def close(counted, odds, n):
    """Every count is within four and a half standard deviations of the expected one."""
    for outcome in set(counted) | set(odds.weights):
        chance = float(odds[outcome])
        assert abs(counted.get(outcome, 0) - n * chance) <= 4.5 * (n * chance * (1 - chance)) ** 0.5 + 1e-9


def test_sampling_a_procedure_agrees_with_its_exact_odds():
    close(sample(two_dice, 20_000, seed=1), exact(two_dice), 20_000)
    close(sample(lopsided, 20_000, seed=2), exact(lopsided), 20_000)


def test_a_part_that_comes_again_is_drawn_from_what_is_known_of_it():
    begun = []

    def inner(n):
        begun.append(n)
        total = 0
        for _ in range(n):
            total += yield from Roll(D2)
        return total

    def outer():
        return (yield from sub(inner, 4)) + (yield from sub(inner, 4))

    counted = sample(outer, 5_000, seed=3)
    assert len(begun) <= 1 + 2**4
    close(counted, exact(outer), 5_000)


def test_a_part_that_is_too_large_to_solve_is_played_in_line():
    def inner():
        heads = 0
        for _ in range(14):
            heads += (yield from Roll(D2)) == 2
        return heads

    def outer():
        return (yield from sub(inner))

    counted = sample(outer, 3_000, seed=4)
    close(counted, Odds({heads: comb(14, heads) for heads in range(15)}, 2**14), 3_000)


def test_the_same_seed_samples_the_same_and_no_seed_samples_too():
    assert sample(two_dice, 100, seed=5) == sample(two_dice, 100, seed=5)
    assert sum(sample(sub(two_dice), 100).values()) == 100


def test_sampling_takes_decisions_by_the_tactic_given():
    def deciding():
        return (yield from Choice("ana", "how many", Range(1, 9)))

    assert sample(deciding, 10, decide=lambda choice: choice.options.high) == {9: 10}


def test_one_play_by_script_is_one_of_the_outcomes_that_exact_lists():
    assert script(two_dice(), [(2,), (5,)]).outcome in exact(two_dice).weights


def test_a_die_that_explodes_has_odds_although_it_may_do_so_for_ever():
    def exploding():
        total = 0
        while True:
            face = yield from Roll(D2)
            total += face
            if face < 2:
                return total

    odds = exact(exploding)
    assert odds[3] == Fraction(1, 4)
    assert odds.mean(float) == pytest.approx(3)
    assert 0 < Fraction(odds.unsettled, odds.total) < Fraction(1, 10**100)


def test_a_run_that_was_begun_already_is_refused_with_what_to_write():
    for given_by_mistake in (two_dice(), lambda: two_dice):
        with pytest.raises(UserError, match=r"exact\(lambda: attack\(scene\)\)"):
            exact(given_by_mistake)
