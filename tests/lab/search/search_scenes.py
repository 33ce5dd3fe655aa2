"""Small scenes with secrets."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.build.sheet_parts import Card, SceneView, Tag
from rulewright.dice.sums import Sum
from rulewright.play import Choice, Option, Play, Roll, Together
from rulewright.rules import Book
from rulewright.scenes.hidden_state import Draw, Imagine
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


class Ladder(Struct, frozen=True):
    """How many rungs are left to climb, and how many tries."""

    rungs: int = 3
    tries: int = 5


class Climbing(Scene[Ladder]):
    """A rung takes 3 or more on a die in the safe way, 5 or more in the rash one; the ladder wins when no tries are left."""

    state_type = Ladder

    def __init__(self) -> None:
        super().__init__(RULES)

    def step(self, state: Ladder) -> Play[Ladder]:
        least = yield from Choice("climber", "How?", (Option("rash", "jump", 5), Option("safe", "climb", 3)), topic="act")
        rolled = yield from Roll(Sum((6,)), "climber")
        return Ladder(state.rungs - (rolled >= least), state.tries - 1)

    def result(self, state: Ladder) -> Result | None:
        if state.rungs and state.tries:
            return None
        return Result("ladder" if state.rungs else "climber", "the climb is over")

    def sides(self, state: Ladder) -> Mapping[str, tuple[str, ...]]:
        return {"climber": ("climber",), "ladder": ("ladder",)}

    def out(self, state: Ladder) -> frozenset[str]:
        return frozenset()

    def round(self, state: Ladder) -> int:
        return 1


class Meeting(Struct, frozen=True):
    """How often the seeker came where the shy one was, and how often not; what the shy one carries is nobody's business."""

    met: int = 0
    missed: int = 0
    carries: int = 1


_WHERE = (Option("left", "left", "left"), Option("right", "right", "right"))


class Crossing(Scene[Meeting]):
    """Both say at once where they go. Who comes where the other is has met them; the first of five decides it."""

    state_type = Meeting

    def __init__(self) -> None:
        super().__init__(RULES)

    def step(self, state: Meeting) -> Play[Meeting]:
        shy: str
        seeker: str
        both = Together((Choice("shy", "Where to?", _WHERE, state), Choice("seeker", "Where to?", _WHERE, state, topic="act")))
        shy, seeker = yield from both
        return Meeting(state.met + (shy == seeker), state.missed + (shy != seeker), state.carries)

    def result(self, state: Meeting) -> Result | None:
        if max(state.met, state.missed) < 5:
            return None
        return Result("seeker" if state.met > state.missed else "shy", "they part")

    def view(self, state: Meeting, who: str | None) -> SceneView:
        seen = (Tag(name=str(state.carries)),) if who != "seeker" else ()
        return SceneView("Crossing", "", (Card("shy", "shy", seen, False), Card("seeker", "seeker", (), False)))

    def imagining(self, state: Meeting, side: str) -> "Imagine[Meeting] | None":
        if side != "seeker":
            return None
        return lambda draw: Meeting(state.met, state.missed, 1 + int(draw() * 2))

    def sides(self, state: Meeting) -> Mapping[str, tuple[str, ...]]:
        return {"shy": ("shy",), "seeker": ("seeker",)}

    def out(self, state: Meeting) -> frozenset[str]:
        return frozenset()

    def round(self, state: Meeting) -> int:
        return 1 + state.met + state.missed
