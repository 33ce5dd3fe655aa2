"""How the dice of a fight fall: what every roll of a round is read for, with its exact weights."""

from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.systems.ore.readings import Thrown, by_face

Widths = tuple[int, int]


class TwoWidths(Reading[Widths], frozen=True):
    """The Widths of the two widest sets, the wider first, for a test that needs both. One set alone is broken up where it can be."""

    thrown: Thrown

    def sides(self) -> tuple[int, ...]:
        return (self.thrown.top,) * self.thrown.dice

    def _go_on(self, state: Widths, face: int, rolled: int) -> Widths:
        width = rolled + self.thrown.lent[face - 1]
        return wider(state, width) if width > 1 else state

    def read(self, faces: Faces) -> Widths:
        state = (0, 0)
        for face, rolled in enumerate(self.thrown.counted(faces), self.thrown.difficulty):
            state = self._go_on(state, face, rolled)
        return broken(state)

    def weights(self) -> Weights[Widths]:
        found: dict[Widths, int] = {}
        for state, rolls in by_face(self.thrown, (0, 0), self._go_on).items():
            widths = broken(state)
            found[widths] = found.get(widths, 0) + rolls
        return found


def wider(two: Widths, width: int) -> Widths:
    """The two widest of three."""
    first, second = two
    return (width, first) if width > first else (first, max(second, width))


def broken(two: Widths) -> Widths:
    """Two sets of one, where there is no other and it has the dice."""
    first, second = two
    return (first - 2, 2) if second == 0 and first >= 4 else two
