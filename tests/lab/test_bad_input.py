"""What makes no sense is refused with a clear word, and what has no end is bounded, whichever way the lab is asked."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from rulewright.errors import UserError
from rulewright.lab import Variant, balance, best, compare, sample, solve
from rulewright.play import Choice, Given

from .lab_scenes import Archers, Field


class Deserted(Archers):
    """One side has nobody on it."""

    def sides(self, state: Field) -> Mapping[str, tuple[str, ...]]:
        return {**super().sides(state), "right": ()}


def rude(choice: Choice[Any]) -> Given:
    return "surrender"


Ask = Callable[..., object]
ASKED: list[Ask] = [
    lambda scene, state, decide: solve(scene, state, decide),
    lambda scene, state, decide: sample(scene, state, decide, 100),
    lambda scene, state, decide: sample(scene, state, decide, 100, tables=True),
    lambda scene, state, decide: best(scene, state, decide, side="left"),
    lambda scene, state, decide: compare(Variant(scene, state, decide), Variant(scene, state, decide), 50, exact=False),
    lambda scene, state, decide: balance(lambda quality, number: Variant(scene, state, decide), side="left", between=(0.4, 0.6)),
]
NAMES = ["solve", "sample", "tables", "best", "compare", "balance"]


def first(choice: Choice[Any]) -> Given:
    return choice.keys()[0]


@pytest.mark.parametrize("ask", ASKED, ids=NAMES)
def test_a_side_without_members_is_refused(ask: Ask) -> None:
    with pytest.raises(UserError, match="side 'right' has no members: add one or leave the side out"):
        ask(Deserted(1), Field(1, 1), first)


@pytest.mark.parametrize("ask", ASKED, ids=NAMES)
def test_a_tactic_that_names_an_impossible_action_is_refused(ask: Ask) -> None:
    with pytest.raises(UserError, match="'surrender' is not allowed; choose one of"):
        ask(Archers(1), Field(1, 1), rude)


def test_a_fight_that_can_never_end_is_bounded() -> None:
    never = Field(1, 1, target=7)
    assert solve(Archers(1), never).endless == 1.0
    assert solve(Archers(1), never, rounds=20).draw.chance == 1.0
    cut = sample(Archers(1), never, n=20, seed=1, steps=200, tables=False)
    assert (cut.cut, cut.sides["left"].interval) == (20, (0.0, 1.0))
    walked = sample(Archers(1), never, n=20, seed=1, steps=200, tables=True)
    assert walked.cut == 20
    both = compare(Variant(Archers(1), never), Variant(Archers(1), never), 10, exact=False, seed=1, steps=100)
    assert both.differences["left"].interval == (-1.0, 1.0)
    found = best(Archers(1), never, side="left")
    assert found.value == (0.0, 0.0)
    assert found.solved.endless == 1.0
