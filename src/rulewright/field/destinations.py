"""Destinations on a map: behind covers, up to people, to doors, out of sight, away.

Every game offers them as options besides any other place; their names and costs are the game's own.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Protocol

from msgspec import Struct

from rulewright.field.field import AT_HAND, Field, Spot
from rulewright.field.ground import Ground
from rulewright.field.pathfinding import WALKER, Mover, Way, way
from rulewright.field.places import at_wall, behind, doorstep, out_of_sight, pushed, towards
from rulewright.field.revealed import known
from rulewright.play.cache import cached

Foes = tuple[tuple[str, float, float], ...]
"""Names and places of enemies."""
AT_A_DOOR = 1.5
"""Distance from which a door can be opened, in metres (ruling: no book has doors; arm's reach and a step)."""
NO_STEP = 0.5
"""Distance that is not worth a move, in metres."""


class Somewhere(Protocol):
    """A person or thing at a place."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def x(self) -> float:
        """Its x coordinate."""

    @property
    def y(self) -> float:
        """Its y coordinate."""


class Shelter(Somewhere, Protocol):
    """A single-place cover."""

    @property
    def cover(self) -> str:
        """The game's word for its protection."""


class Goal(Struct, frozen=True):
    """A destination: the rest of a key and of a label after the pace, the path there, and what it gives."""

    key: str
    label: str
    way: Way
    cover: str = ""
    """The cover taken there, if it is stored with the person."""
    foe: str = ""


class Door(Struct, frozen=True):
    """A door to open or shut."""

    name: str
    opens: bool

    @property
    def key(self) -> str:
        """Its key as an answer."""
        return f"{'open' if self.opens else 'shut'} {self.name}"

    @property
    def label(self) -> str:
        """Its label."""
        return f"{'Open' if self.opens else 'Shut'} the {self.name.removeprefix('the ')}"

    @property
    def told(self) -> str:
        """Its sentence for the log."""
        return f"{'opens' if self.opens else 'shuts'} the {self.name.removeprefix('the ')}"


def _known_map(ground: Field) -> Ground:
    """The part of the map that players may know; only that is offered."""
    return known(ground.ground, ground.changes)


def doors_at_hand(ground: Field, at: Spot) -> tuple[Door, ...]:
    """Doors that can be opened or shut from a place, except locked and secret ones."""
    near = [wall for wall in _known_map(ground).walls if wall.door in ("open", "closed") and at_wall(ground, wall, at) <= AT_A_DOOR]
    return tuple([Door(wall.name, ground.standing(wall)) for wall in near])


def doors_to_try(ground: Field, at: Spot) -> tuple[str, ...]:
    """The names of doors in the order in which a person who seeks enemies tries them: shut ones first, then nearest first."""
    doors = [wall for wall in _known_map(ground).walls if wall.door in ("open", "closed")]
    return tuple([wall.name for wall in sorted(doors, key=lambda wall: (not ground.standing(wall), at_wall(ground, wall, at)))])


def covers_near(ground: Field, at: Spot) -> tuple[str, ...]:
    """The names of the covers on the map, nearest first."""
    near = sorted(_known_map(ground).covers, key=lambda item: (item.middle[0] - at[0]) ** 2 + (item.middle[1] - at[1]) ** 2)
    return tuple([cover.name for cover in near])


def taken(spots: tuple[Shelter, ...], spot: Spot) -> Shelter | None:
    """The single-place cover that a person takes at a place."""
    return next((shelter for shelter in spots if hypot(shelter.x - spot[0], shelter.y - spot[1]) <= AT_HAND), None)


@cached(20_000)
def goals(
    ground: Field,
    at: Spot,
    foes: Foes,
    most: float,
    spots: tuple[Shelter, ...] = (),
    reach: float = 2.0,
    short: float = 1.0,
    mover: Mover = WALKER,
) -> tuple[Goal, ...]:
    """All destinations within `most` metres. Enemies within `reach` are left out; others are approached up to `short` metres."""
    return (
        *_to_covers(ground, at, foes, spots, most, mover),
        *_to_foes(ground, at, foes, most, reach, short, mover),
        *_to_doors(ground, at, most, mover),
        *_away(ground, at, foes, most, mover),
    )


def _to_covers(ground: Field, at: Spot, foes: Foes, spots: tuple[Shelter, ...], most: float, mover: Mover) -> Iterator[Goal]:
    for spot in spots:
        path = way(ground, at, (spot.x, spot.y), mover, most)
        if path is not None and path.cost > NO_STEP:
            yield Goal(f"to {spot.name}", f"to {spot.name} ({spot.cover})", path, spot.cover)
    for cover in _known_map(ground).covers:
        place = behind(ground, cover, [(x, y) for _, x, y in foes], at)
        path = way(ground, at, place, mover, most) if place is not None else None
        if path is not None and path.cost > NO_STEP:
            yield Goal(f"to {cover.name}", f"behind {cover.name} ({cover.cover})", path)


def _to_foes(ground: Field, at: Spot, foes: Foes, most: float, reach: float, short: float, mover: Mover) -> Iterator[Goal]:
    for name, x, y in foes:
        metres = hypot(x - at[0], y - at[1])
        goal = towards(ground, at, (x, y), mover, most, short) if metres > reach or not ground.sight(at, (x, y)).open else None
        path = way(ground, at, goal, mover, most) if goal is not None else None
        if path is not None and path.cost > 0:
            yield Goal(f"to {name}", f"towards {name} ({metres:.0f} m)", path, foe=name)


def to_people(ground: Field, at: Spot, people: Foes, most: float, reach: float = 2.0, short: float = 1.0) -> tuple[Goal, ...]:
    """The destinations next to people, such as comrades who need help."""
    return tuple(_to_foes(ground, at, people, most, reach, short, WALKER))


def _to_doors(ground: Field, at: Spot, most: float, mover: Mover) -> Iterator[Goal]:
    for wall in _known_map(ground).walls:
        if wall.door in ("", "secret"):
            continue
        place = doorstep(ground, wall, at)
        goal = towards(ground, at, place, mover, most) if place is not None else None
        path = way(ground, at, goal, mover, most) if goal is not None else None
        if path is not None and path.cost > NO_STEP:
            yield Goal(f"to {wall.name}", f"to the {wall.name.removeprefix('the ')}", path)


def _away(ground: Field, at: Spot, foes: Foes, most: float, mover: Mover) -> Iterator[Goal]:
    if not foes:
        return
    hidden = out_of_sight(ground, at, tuple([(x, y) for _, x, y in foes]), mover, most)
    path = way(ground, at, hidden, mover, most) if hidden is not None else None
    if path is not None and path.cost > 0:
        yield Goal("out of sight", f"out of sight ({path.cost:.0f} m)", path)
    _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - at[0], foe[2] - at[1]))
    metres = hypot(at[0] - near_x, at[1] - near_y)
    to_x, to_y = ((at[0] - near_x) / metres, (at[1] - near_y) / metres) if metres else (1.0, 0.0)
    away = pushed(ground, at, (at[0] + to_x * most, at[1] + to_y * most))
    path = way(ground, at, away, mover, most)
    if path is not None and path.cost > NO_STEP:
        yield Goal("away", f"away ({path.cost:.0f} m)", path)


# --- what a place would mean --------------------------------------------------------------------------------------------------


def what_it_means(there: Somewhere, foes: Sequence[Somewhere], sheltered: Iterable[tuple[str, str | None]]) -> tuple[str, ...]:
    """Describes a place for a person who stands there: the distance of the nearest known enemy, and the cover against each.

    A cover is the game's word, empty in the open, and None if one is not seen.
    """
    names_by_words: dict[str, list[str]] = {}
    for name, cover in sheltered:
        words = "out of sight of" if cover is None else f"{cover} from" if cover else "in the open before"
        names_by_words.setdefault(words, []).append(name)
    sentences = [f"{words} {', '.join(names)}" for words, names in names_by_words.items()]
    if foes:
        metres, nearest = min([(hypot(foe.x - there.x, foe.y - there.y), foe.name) for foe in foes])
        sentences.insert(0, f"{metres:.1f} m from {nearest}")
    return tuple(sentences)
