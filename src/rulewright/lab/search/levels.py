"""Levels of AI players: the time of a decision, how it is measured, and how often a player errs."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import nearest


class Level(Struct, frozen=True):
    """A level: a promise of time. A decision takes `seconds` of processor time on average and `most` seconds at most.

    A decision that takes less leaves the rest for later ones. At a difference in value of `temperature`, an answer is taken about a third
    as often as the best; 0 always takes the best. Without `seconds`, only the number of playouts limits a decision.
    """

    name: str
    playouts: int
    """The most playouts to find an answer."""
    seconds: float | None
    temperature: float = 0.0
    most: float | None = None
    """The most seconds that a decision takes with the time that earlier ones left; `seconds` if not given."""
    cut: bool = False
    """Whether playouts are cut short and valued, in scenes that have a value (`Scene.value`)."""
    by_steps: bool = False
    """Whether seconds are counted in steps, rolls and decisions instead: a seed then gives the same answer on any machine."""

    @property
    def counted(self) -> "Level":
        """The level with time counted in steps: a seed then gives the same answer on any machine."""
        return replace(self, by_steps=True)

    def allowed(self, saved: float) -> float | None:
        """The seconds of the next decision, after earlier ones saved some; None without a limit."""
        if self.seconds is None:
            return None
        return max(self.seconds, min(self.most or self.seconds, self.seconds + saved))


LEVELS: dict[str, Level] = {
    "easy": Level("easy", 400, 0.2, 0.03, 0.4, cut=True),
    "good": Level("good", 2_000, 0.5, 0.0, 0.7, cut=True),
    "best": Level("best", 10_000, 1.5, 0.0, 3.0, cut=True),
}
"""The levels, the weakest first."""


def who_plays(sides: Mapping[str, Iterable[str]], said: Mapping[str, str]) -> dict[str, Level]:
    """The level of each AI player. `said` gives levels of sides or members; that of a member overrides that of the side."""
    people = {name: side for side, names in sides.items() for name in names}
    for who in said:
        if who not in sides and who not in people:
            known = f"; the sides are {', '.join(sides)}"
            raise UserError(f"there is no side or member {who[:60]!r}{nearest(who, [*sides, *people]) or known}")
    levels = {who: level(name) for who, name in said.items()}
    return {name: levels[name] if name in levels else levels[side] for name, side in people.items() if name in levels or side in levels}


def level(name: str) -> Level:
    """A level by its name."""
    if name not in LEVELS:
        raise UserError(f"nobody plays {name[:40]!r}{nearest(name, LEVELS) or '; there are ' + ', '.join(LEVELS)}")
    return LEVELS[name]
