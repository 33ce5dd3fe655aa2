"""Small scenes whose truths can be worked out by hand. They stand in a module, so that worker processes find them too."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import HighestDie
from rulewright.dice.sums import Sum
from rulewright.play import Choice, Option, Play, Roll, Together, sub
from rulewright.rules import Book
from rulewright.scenes.scene import Result, Scene

RULES = Book("lab scenes", "tests").ruleset()


class Bout(Struct, frozen=True):
    """Two people with a pool of dice and so many wounds that each can still take."""

    dice: tuple[int, int]
    wounds: tuple[int, int]
    round: int = 1
    rounds: int = 1_000
    noise: int = 0
    """Something that does not matter to anybody."""


def exchange(mine: int, yours: int) -> Play[int]:
    """Who has the higher total: 1 for the first, -1 for the second, 0 for nobody."""
    left = yield from Roll(HighestDie(mine), "left")
    right = yield from Roll(HighestDie(yours), "right")
    return (left.total > right.total) - (left.total < right.total)


class Pools(Scene[Bout]):
    """Every round the higher total wounds the other; a tie does nothing. The lens keeps the round but not the noise."""

    state_type = Bout

    def __init__(self) -> None:
        super().__init__(RULES)

    def step(self, state: Bout) -> Play[Bout]:
        better = yield from sub(exchange, *state.dice)
        left, right = state.wounds
        wounds = (left - (better < 0), right - (better > 0))
        return replace(state, wounds=wounds, round=state.round + 1, noise=(state.noise * 31 + better + 7) % 1_000)

    def result(self, state: Bout) -> Result | None:
        left, right = state.wounds
        if left and right and state.round <= state.rounds:
            return None
        return Result("left" if not right else "right" if not left else None, "over")

    def lens(self, state: Bout, question: str) -> Bout:
        return state if question == "all" else replace(state, noise=0)

    def sides(self, state: Bout) -> Mapping[str, tuple[str, ...]]:
        return {"left": ("left",), "right": ("right",)}

    def out(self, state: Bout) -> frozenset[str]:
        return frozenset(side for side, wounds in zip(("left", "right"), state.wounds, strict=True) if not wounds)

    def round(self, state: Bout) -> int:
        return state.round


class Field(Struct, frozen=True):
    """Archers left on both sides, whose turn it is, and the round (both shoot in a round)."""

    left: int
    right: int
    turn: str = "left"
    round: int = 1
    target: int = 6
    """What a d6 must show at least; 7 never hits."""
    bows_may_break: bool = False


class Archers(Scene[Field]):
    """The sides shoot in turn, one arrow each, and a hit takes one archer out. The lens levels the round: the chain is a circle."""

    state_type = Field

    def __init__(self, many: int = 3) -> None:
        super().__init__(RULES)
        self.many = many

    def step(self, state: Field) -> Play[Field]:
        if state.bows_may_break:
            broken = yield from Roll(Sum((4,)), "fate")
            return replace(state, bows_may_break=False, target=7 if broken == 1 else state.target)
        wish = yield from Choice(state.turn, "What now?", (Option("shoot", "Shoot", True), Option("pass", "Pass", False)))
        hit = (yield from Roll(Sum((6,)), state.turn)) >= state.target if wish else False
        if state.turn == "left":
            return replace(state, right=state.right - hit, turn="right")
        return replace(state, left=state.left - hit, turn="left", round=state.round + 1)

    def result(self, state: Field) -> Result | None:
        if state.left and state.right:
            return None
        return Result("left" if state.left else "right", "nobody is left on the other side")

    def lens(self, state: Field, question: str) -> Field:
        return state if question == "all" else replace(state, round=1)

    def sides(self, state: Field) -> Mapping[str, tuple[str, ...]]:
        return {side: tuple(f"{side} {i}" for i in range(self.many)) for side in ("left", "right")}

    def out(self, state: Field) -> frozenset[str]:
        gone = [f"left {i}" for i in range(state.left, self.many)] + [f"right {i}" for i in range(state.right, self.many)]
        return frozenset(gone)

    def round(self, state: Field) -> int:
        return state.round


class Talk(Struct, frozen=True):
    """How a talk stands: nothing said, pressed, or over."""

    stage: int = 0
    won: bool = False


_HIGH_OR_LOW = (Option("high", "bid high", True), Option("low", "bid low", False))
_INSIST = (Option("yes", "insist", True), Option("no", "give in", False))


def press(who: str) -> Play[bool]:
    """A part that asks: insisting succeeds on half of all throws, giving in never does."""
    insists = yield from Choice(who, "insist?", _INSIST)
    if not insists:
        return False
    return (yield from Roll(Sum((2,)), who)) == 2


class Parley(Scene[Talk]):
    """Bids and dice at once: a high bid is taken on a 1 to 3 of four, a low one on a 4. Once taken it must be pressed, which is a part."""

    state_type = Talk

    def __init__(self) -> None:
        super().__init__(RULES)

    def step(self, state: Talk) -> Play[Talk]:
        if state.stage == 0:
            thrown, high = yield from Together((Roll(Sum((4,)), "them"), Choice("us", "high or low?", _HIGH_OR_LOW)))
            taken = (thrown <= 3) if high else (thrown == 4)
            if not taken:
                return Talk(2, False)
            return Talk(1)
        return Talk(2, (yield from sub(press, "us")))

    def result(self, state: Talk) -> Result | None:
        return None if state.stage < 2 else Result("us" if state.won else "them", "it is said")

    def sides(self, state: Talk) -> Mapping[str, tuple[str, ...]]:
        return {"us": ("us",), "them": ("them",)}

    def out(self, state: Talk) -> frozenset[str]:
        return frozenset()

    def round(self, state: Talk) -> int:
        return state.stage + 1


class Quiver(Struct, frozen=True):
    """Arrows left on the left, and wounds that the target can still take."""

    arrows: int
    wounds: int
    round: int = 1


_ARROWS = (Option("one", "one arrow", 1), Option("two", "two arrows", 2))


class Butts(Scene[Quiver]):
    """Every round one arrow or two are shot at a target that wounds nobody; each hits on a 2 of two. It is over when either runs out."""

    state_type = Quiver
    supplies = ("arrows",)

    def __init__(self) -> None:
        super().__init__(RULES)

    def step(self, state: Quiver) -> Play[Quiver]:
        arrows = yield from Choice("left", "How many?", _ARROWS[: state.arrows])
        hits = 0
        for _ in range(arrows):
            hits += (yield from Roll(Sum((2,)), "left")) == 2
        return Quiver(state.arrows - arrows, max(0, state.wounds - hits), state.round + 1)

    def result(self, state: Quiver) -> Result | None:
        if not state.wounds:
            return Result("left", "the target is down")
        return None if state.arrows else Result("right", "no arrow is left")

    def sides(self, state: Quiver) -> Mapping[str, tuple[str, ...]]:
        return {"left": ("left",), "right": ("right",)}

    def out(self, state: Quiver) -> frozenset[str]:
        return frozenset(["right"]) if not state.wounds else frozenset()

    def round(self, state: Quiver) -> int:
        return state.round

    def tally(self, state: Quiver) -> Mapping[str, Mapping[str, int]]:
        return {"left": {"arrows": state.arrows}, "right": {"wounds left": state.wounds}}
