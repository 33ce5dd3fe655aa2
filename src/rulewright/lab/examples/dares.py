"""A small example scene with a decision: how much to risk."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.dice.sums import Sum
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Book
from rulewright.scenes.scene import Result, Scene


class Pot(Struct, frozen=True):
    """The points that each side still needs, and whose turn it is."""

    bold: int
    meek: int
    turn: str = "bold"
    round: int = 1


_DARES = (Option("one", "throw one die", 1), Option("two", "throw two dice", 2))


class Dares(Scene[Pot]):
    """Both race to 0. On a d4 a 4 gives a point; with two dice each 4 does, but a throw of only 1s and 2s gives the other side one."""

    state_type = Pot

    def __init__(self) -> None:
        super().__init__(Book("dares", "rulewright.lab").ruleset())

    def step(self, state: Pot) -> Play[Pot]:
        """One throw."""
        me, you = (state.bold, state.meek) if state.turn == "bold" else (state.meek, state.bold)
        dice = yield from Choice(state.turn, "How many dice?", _DARES, state)
        faces = []
        for _ in range(dice):
            faces.append((yield from Roll(Sum((4,)), state.turn)))
        me -= faces.count(4)
        if dice == 2 and max(faces) < 3:
            you -= 1
        if state.turn == "bold":
            return Pot(max(0, me), max(0, you), "meek", state.round)
        return Pot(max(0, you), max(0, me), "bold", state.round + 1)

    def result(self, state: Pot) -> Result | None:
        if state.bold and state.meek:
            return None
        winner = "bold" if not state.bold and state.meek else "meek" if state.bold else None
        return Result(winner, "nothing is left to throw for")

    def lens(self, state: Pot, question: str) -> Pot:
        """Merge all rounds: the round does not matter."""
        return state if question == "all" else Pot(state.bold, state.meek, state.turn)

    def sides(self, state: Pot) -> Mapping[str, tuple[str, ...]]:
        return {"bold": ("bold",), "meek": ("meek",)}

    def out(self, state: Pot) -> frozenset[str]:
        return frozenset(side for side, other in (("bold", state.meek), ("meek", state.bold)) if not other)

    def round(self, state: Pot) -> int:
        return state.round
