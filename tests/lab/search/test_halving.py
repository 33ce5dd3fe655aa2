"""Sequential halving: who is dropped, what a gain is, and that nobody plays more than was told."""

from rulewright.lab.search.halving import OutOfTime, Tried, beyond_error, gain, halve


def test_the_budget_is_never_exceeded_and_mostly_spent() -> None:
    for candidates in (2, 3, 5, 9, 16):
        for budget in (32, 100, 333):
            played = []
            halve(candidates, budget, lambda at, number: float(played.append((at, number)) or 0))  # noqa: B023
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


def test_when_the_time_is_out_before_everybody_had_a_turn_what_was_tried_is_kept() -> None:
    def value(at: int, number: int) -> float:
        if at == 3:
            raise OutOfTime
        return float(at == 2)

    tried, left = halve(6, 60, value)
    assert [len(one.values) for one in tried] == [1, 1, 1, 0, 0, 0]
    assert left == [0, 1, 2]
