"""Small scenes with secrets."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.build.pieces import Card, SceneView, Tag
from rulewright.dice.sums import Sum
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Book
from rulewright.scenes.imagining import Draw, Imagine
from rulewright.scenes.scene import Result, Scene

RULES = Book("search scenes", "tests").ruleset()
_GUESS = (Option("low", "1 to 3", False), Option("high", "4 to 6", True))


class Cup(Struct, frozen=True):
    """What lies under the cup, and what was guessed."""

    under: int = 0
    guessed: bool | None = None


class Guessing(Scene[Cup]):
    """The keeper hides a die under a cup (in secret, in the same step or before), the guesser says whether it is high."""

    state_type = Cup

    def __init__(self, at_once: bool = False, draws: bool = True) -> None:
        super().__init__(RULES)
        self.at_once = at_once
        self.draws = draws

    def step(self, state: Cup) -> Play[Cup]:
        under = state.under or (yield from Roll(Sum((6,)), "keeper", "what lies under the cup", secret=True))
        if not state.under and not self.at_once:
            return Cup(under)
        high = yield from Choice("guesser", "High or low?", _GUESS)
        return Cup(under, high)

    def result(self, state: Cup) -> Result | None:
        if state.guessed is None:
            return None
        return Result("guesser" if state.guessed == (state.under > 3) else "keeper", "the cup is lifted")

    def view(self, state: Cup, who: str | None) -> SceneView:
        seen = (Tag(name=str(state.under)),) if who != "guesser" else ()
        return SceneView("Cup", "", (Card("keeper", "keeper", seen, False), Card("guesser", "guesser", (), False)))

    def imagining(self, state: Cup, side: str) -> "Imagine[Cup] | None":
        if not self.draws:
            return super().imagining(state, side)

        def imagine(draw: Draw) -> Cup:
            return Cup(1 + int(draw() * 6), state.guessed) if state.under else state

        return imagine if side == "guesser" else None

    def sides(self, state: Cup) -> Mapping[str, tuple[str, ...]]:
        return {"keeper": ("keeper",), "guesser": ("guesser",)}

    def out(self, state: Cup) -> frozenset[str]:
        return frozenset()

    def round(self, state: Cup) -> int:
        return 1
