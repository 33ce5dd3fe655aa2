"""Levels of AI players: playouts for a decision, time limit, and how often they err."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import nearest


class Level(Struct, frozen=True):
    """A level: the most playouts to find an answer (and as many to confirm it), the time limit in seconds, and the temperature.

    At a difference in value of `temperature`, an answer is taken about a third as often as the best; 0 always takes the best. Without
    `seconds`, an answer depends only on the seed and the situation.
    """

    name: str
    playouts: int
    seconds: float | None
    temperature: float = 0.0

    @property
    def counted(self) -> "Level":
        """The level without a time limit: a seed then gives the same answer on any machine."""
        return Level(self.name, self.playouts, None, self.temperature)


LEVELS: dict[str, Level] = {
    "easy": Level("easy", 48, 0.3, 0.08),
    "good": Level("good", 320, 1.0),
    "best": Level("best", 2_000, 5.0),
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
