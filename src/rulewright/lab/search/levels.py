"""How well somebody plays who plays by themselves: how many fights are played out before an answer, for how long at most, how steadily."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import nearest


class Level(Struct, frozen=True):
    """A way to play: at most so many fights played out to find an answer, and as many to be sure of it; at most so many seconds for a
    decision; and how far worse an answer may tempt.

    `temperature` is a difference in worth at which an answer is still taken about a third as often as the best; 0 takes the best.
    Without `seconds` an answer depends on the seed and the situation alone.
    """

    name: str
    playouts: int
    seconds: float | None
    temperature: float = 0.0

    @property
    def counted(self) -> "Level":
        """The same by the number of fights alone, so that a seed gives the same answer on any machine."""
        return Level(self.name, self.playouts, None, self.temperature)


LEVELS: dict[str, Level] = {
    "easy": Level("easy", 48, 0.3, 0.08),
    "good": Level("good", 320, 1.0),
    "best": Level("best", 2_000, 5.0),
}
"""From a beginner to the best there is here."""


def who_plays(sides: Mapping[str, Iterable[str]], said: Mapping[str, str]) -> dict[str, Level]:
    """The level of everybody who plays by themselves: `said` names sides or people, a person's own goes before their side's."""
    people = {name: side for side, names in sides.items() for name in names}
    for who in said:
        if who not in sides and who not in people:
            known = f"; the sides are {', '.join(sides)}"
            raise UserError(f"nobody here is called {who[:60]!r}{nearest(who, [*sides, *people]) or known}")
    levels = {who: level(name) for who, name in said.items()}
    return {name: levels[name] if name in levels else levels[side] for name, side in people.items() if name in levels or side in levels}


def level(name: str) -> Level:
    """A level by its name."""
    if name not in LEVELS:
        raise UserError(f"nobody plays {name[:40]!r}{nearest(name, LEVELS) or '; there are ' + ', '.join(LEVELS)}")
    return LEVELS[name]
