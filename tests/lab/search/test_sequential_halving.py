"""Sequential halving: who is dropped, what a gain is, and that nobody plays more than was told."""

from random import Random

from rulewright.lab.search.planner import _best
from rulewright.lab.search.sequential_halving import FEWEST, OutOfTime, Tried, beyond_error, gain, halve, holds


def test_the_budget_is_never_exceeded_and_mostly_spent() -> None:
    for candidates in (2, 3, 5, 9, 16):
        for budget in (32, 100, 333):
            played = []
            halve(candidates, budget, lambda at, number: float(played.append((at, number)) or at))  # noqa: B023
            assert budget * 0.7 <= len(played) <= budget, (candidates, budget, len(played))


def test_the_best_of_many_is_among_those_left_and_the_first_always_is() -> None:
    tried, left = halve(8, 400, lambda at, number: at / 8 + ((number * 7919) % 100) / 1000)
    assert 0 in left
    assert 7 in left
    assert max(left, key=lambda at: tried[at].mean) == 7


def test_those_left_have_met_the_same_luck() -> None:
    met: dict[int, list[int]] = {}

    def value(at: int, number: int) -> float:
        met.setdefault(at, []).append(number)
        return float(at == 2)

    _, left = halve(4, 100, value)
    assert len({tuple(met[at]) for at in left}) == 1


def test_out_of_time_keeps_what_is_known() -> None:
    def value(at: int, number: int) -> float:
        if number == 5 and at == 1:
            raise OutOfTime
        return 1.0

    tried, left = halve(2, 100, value)
    assert [len(tried[at].values) for at in left] == [5, 5]


def test_a_gain_counts_only_beyond_its_error() -> None:
    even = Tried([0.0, 1.0] * 20)
    better = Tried([1.0, 1.0] * 20)
    assert gain(better, even)[0] == 0.5
    assert beyond_error(better, even)
    assert not beyond_error(Tried([1.0, 0.0] * 20), even), "as good with other luck"
    assert not beyond_error(Tried([1.0] * 4), Tried([0.0] * 4)), "four playouts prove nothing"


def test_who_was_ahead_by_luck_does_not_stay_ahead_with_other_luck() -> None:
    lucky = [Tried([0.0, 1.0] * 8), Tried([1.0, 1.0] * 8)]
    seen = []

    def value(at: int, number: int) -> float:
        seen.append((at, number))
        return float(number % 2)

    assert not holds(lucky, 1, 48, value)
    assert seen == [(at, number) for number in range(16, 40) for at in (0, 1)], "luck that nobody has met, and the same for both"
    better = [Tried([0.0, 1.0] * 8), Tried([1.0, 1.0] * 8)]
    assert holds(better, 1, 48, lambda at, number: float(number % 2 or at))


def test_nobody_is_looked_at_again_who_is_hardly_ahead_or_of_whom_little_is_known() -> None:
    def never(at: int, number: int) -> float:
        raise AssertionError

    assert not holds([Tried([0.0, 1.0, 0.0, 1.0] * 4), Tried([1.0, 0.0, 0.0, 1.0] * 4)], 1, 48, never)
    assert not holds([Tried([0.0] * 4), Tried([1.0] * 4)], 1, 48, never)


def test_without_time_for_a_second_look_the_first_must_be_beyond_error() -> None:
    def late(at: int, number: int) -> float:
        raise OutOfTime

    assert holds([Tried([0.0] * 8), Tried([1.0] * 8)], 1, 48, late)
    assert not holds([Tried([0.0] * 8), Tried([1.0] + [0.0] * 7)], 1, 48, late)


def test_when_the_time_is_out_before_everybody_had_a_turn_what_was_tried_is_kept() -> None:
    def value(at: int, number: int) -> float:
        if at == 3:
            raise OutOfTime
        return float(at == 2)

    tried, left = halve(6, 60, value)
    assert [len(one.values) for one in tried] == [1, 1, 1, 0, 0, 0]
    assert left == [0, 1, 2]


def chosen(chances: list[float], budget: int, seed: int) -> int:
    """Which candidate is taken when each wins so often, and all of them meet the same luck."""

    def value(at: int, number: int) -> float:
        return float(Random(f"{seed}/{number}/{at}").random() < chances[at])

    tried, left = halve(len(chances), budget, value)
    return _best(tried, left, budget, value)


def test_one_answer_that_is_much_better_among_seven_that_are_not_is_found_nine_times_in_ten() -> None:
    chances = [0.4, 0.3, 0.3, 0.3, 0.7, 0.3, 0.3, 0.3]
    found = [chosen(chances, 320, seed) for seed in range(60)]
    assert found.count(4) >= 54
    hasty = [chosen(chances, 64, seed) for seed in range(60)]
    assert 15 <= hasty.count(4) < found.count(4), "with a fifth of the playouts it is found less often, but not never"


def test_the_usual_answer_is_kept_nine_times_in_ten_where_nothing_is_better() -> None:
    worse = [chosen([0.5, 0.4, 0.4, 0.3], 320, seed) for seed in range(60)]
    assert worse.count(0) >= 54
    alike = [chosen([0.5, 0.5], 320, seed) for seed in range(60)]
    assert alike.count(0) >= 48


def test_where_nobody_is_ahead_of_the_usual_answer_the_rest_is_spared_unless_all_is_to_be_known() -> None:
    tried, _ = halve(4, 400, lambda at, number: 1.0 - at / 10)
    assert sum(len(one.values) for one in tried) == 4 * 50, "one round of two"
    tried, _ = halve(4, 400, lambda at, number: 1.0 - at / 10, to_the_end=True)
    assert sum(len(one.values) for one in tried) > 380
    tried, _ = halve(4, 400, lambda at, number: 1.0 + at / 10)
    assert sum(len(one.values) for one in tried) > 380


def test_too_few_playouts_spare_nothing() -> None:
    tried, _ = halve(16, 64, lambda at, number: 1.0 - at / 100)
    assert len(tried[0].values) >= FEWEST
