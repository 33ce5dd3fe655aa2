"""Best play against a hand-made recursion, and what its numbers promise."""

from functools import cache

import pytest

from rulewright.errors import UserError
from rulewright.lab import best, solve
from rulewright.lab.examples.coins import Coins, Lives
from rulewright.lab.examples.dares import Dares, Pot
from rulewright.play import Choice, Given

from .lab_scenes import Parley, Talk


def by_hand(bold: int, meek: int) -> dict[tuple[int, int], float]:
    """The chance of bold, to throw, when both play: bold its best, meek one die. The recursion is written without the lab."""
    value: dict[tuple[int, int], float] = {}

    @cache
    def outcomes(dice: int) -> tuple[tuple[float, int, int], ...]:
        if dice == 1:
            return ((0.25, 1, 0), (0.75, 0, 0))
        pairs = [(a, b) for a in range(1, 5) for b in range(1, 5)]
        return tuple((1 / 16, pair.count(4), int(max(pair) < 3)) for pair in pairs)

    def ended(left: int, right: int) -> float | None:
        return 1.0 if left <= 0 < right else 0.0 if right <= 0 else None

    for left in range(1, bold + 1):
        for right in range(1, meek + 1):
            value[left, right] = 0.0
    for _ in range(3_000):
        for left, right in value:
            options = []
            for dice in (1, 2):
                total = 0.0
                for chance, mine, yours in outcomes(dice):
                    now = (left - mine, right - yours)
                    end = ended(*now)
                    if now[0] <= 0 and now[1] <= 0:
                        end = 0.0
                    total += chance * (end if end is not None else after_meek(value, *now))
                options.append(total)
            value[left, right] = max(options)
    return value


def after_meek(value: dict[tuple[int, int], float], left: int, right: int) -> float:
    return 0.25 * (0.0 if right == 1 else value[left, right - 1]) + 0.75 * value[left, right]


def test_best_play_is_what_a_recursion_by_hand_says() -> None:
    truth = by_hand(3, 3)
    for left in (1, 2, 3):
        for right in (1, 2, 3):
            found = best(Dares(), Pot(left, right), side="bold")
            assert found.value[0] == found.value[1] == pytest.approx(truth[left, right], abs=1e-8)
            assert found.solved.sides["bold"].chance == pytest.approx(truth[left, right], abs=1e-8)


def always(key: str) -> object:
    def decide(choice: Choice[object]) -> Given:
        return key if choice.who == "bold" else "one"

    return decide


def test_no_tactic_does_better_and_the_tactic_is_told_as_solving_has_it() -> None:
    for key in ("one", "two"):
        decide = always(key)
        found = best(Dares(), Pot(3, 2), decide, side="bold")  # type: ignore[arg-type]
        usual = solve(Dares(), Pot(3, 2), decide).sides["bold"].chance  # type: ignore[arg-type]
        assert found.usual_value == pytest.approx(usual, abs=1e-8)
        assert found.usual.sides["bold"].chance == pytest.approx(usual, abs=1e-8)
        assert found.value[0] >= usual - 1e-9
        assert best(Dares(), Pot(3, 2), decide, side="bold", among=[]).value[0] == pytest.approx(usual, abs=1e-8)  # type: ignore[arg-type]


def test_options_are_listed_with_the_best_first_and_what_comes_then() -> None:
    found = best(Dares(), Pot(3, 3), side="bold")
    first = found.advice[0]
    assert (first.who, first.round, first.reached) == ("bold", 1, 1.0)
    assert first.options[0].worth[0] == pytest.approx(found.value[0], abs=1e-8)
    for advice in found.advice:
        assert [worth.worth[0] for worth in advice.options] == sorted([worth.worth[0] for worth in advice.options], reverse=True)
    assert any(worth.then for advice in found.advice for worth in advice.options)
    public = found.public()
    assert public["exact"] is True
    assert {"who", "question", "round", "reached", "usual", "options"} == set(public["decisions"][0])


def test_a_budget_gives_bounds_that_hold() -> None:
    truth = best(Dares(), Pot(4, 4), side="bold").value[0]
    rough = best(Dares(), Pot(4, 4), side="bold", states=6)
    assert rough.stopped == "states"
    assert rough.value[0] - 1e-9 <= truth <= rough.value[1] + 1e-9
    assert rough.value[1] - rough.value[0] > 0.01
    assert rough.solved.settled < 1
    stopped = best(Dares(), Pot(9, 9), side="bold", progress=lambda told: False)
    assert stopped.stopped in ("interrupted", "")


def test_decisions_inside_parts_and_of_several_at_once_are_found() -> None:
    """A part that asks is followed into; who is asked together with dice decides before they fall."""
    found = best(Parley(), Talk(), side="us")
    asked = {advice.question for advice in found.advice}
    assert asked == {"high or low?", "insist?"}
    assert found.value[0] == pytest.approx(3 / 4 * 1 / 2)


def test_aims_differ() -> None:
    coins = Lives(2, 2)
    win, last, survive = (best(Coins(), coins, side="left", aim=aim) for aim in ("win", "last", "survive"))
    solved = solve(Coins(), coins, question="losses")
    assert win.value[0] == pytest.approx(solved.sides["left"].chance)
    assert last.value[0] == pytest.approx(solved.sides["left"].chance + solved.draw.chance)
    assert survive.value[0] == pytest.approx(solved.losses["left"].chance[0])
    assert win.advice == ()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"side": "bald"}, "no side 'bald'; there are bold, meek"),
        ({"side": "bold", "aim": "wine"}, "aim 'wine'"),
        ({"side": "bold", "states": 0}, "at least 1 state"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        best(Dares(), Pot(1, 1), **wrong)  # type: ignore[arg-type]
