"""The smallest fight: every round both sides throw a coin, and heads costs the other side a life."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.dice.sums import Sum
from rulewright.play import Play, Roll, Together
from rulewright.rules import Book
from rulewright.scenes.scene import Result, Scene


class Lives(Struct, frozen=True):
    """The lives left on both sides, and the round."""

    left: int
    right: int
    round: int = 1


class Coins(Scene[Lives]):
    """Heads is 2. Only the last life ends the fight, so it has no fixed length."""

    state_type = Lives

    def __init__(self) -> None:
        super().__init__(Book("coins", "rulewright.lab").ruleset())

    def step(self, state: Lives) -> Play[Lives]:
        """Both sides throw at once."""
        left, right = yield from Together((Roll(Sum((2,)), "left"), Roll(Sum((2,)), "right")))
        return Lives(state.left - (right == 2), state.right - (left == 2), state.round + 1)

    def result(self, state: Lives) -> Result | None:
        if state.left and state.right:
            return None
        winner = "left" if state.left else "right" if state.right else None
        return Result(winner, "the other has no life left" if winner else "no life is left")

    def lens(self, state: Lives, question: str) -> Lives:
        """Merge all rounds: the round does not matter."""
        return state if question == "all" else Lives(state.left, state.right)

    def sides(self, state: Lives) -> Mapping[str, tuple[str, ...]]:
        return {"left": ("left",), "right": ("right",)}

    def out(self, state: Lives) -> frozenset[str]:
        return frozenset(side for side, lives in (("left", state.left), ("right", state.right)) if not lives)

    def round(self, state: Lives) -> int:
        return state.round
