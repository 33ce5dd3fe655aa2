"""The few places that mean something on ground with something on it: behind covers, up to people, to doors, out of sight, away.

Every game offers them as options beside any other place; what it calls them and what they cost is its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import hypot
from typing import Protocol

from msgspec import Struct

from rulewright.field.field import AT_HAND, Field, Spot
from rulewright.field.ground import Ground
from rulewright.field.pathfinding import WALKER, Mover, Way, way
from rulewright.field.places import at_wall, behind, doorstep, out_of_sight, pushed, towards
from rulewright.field.revealed import known

Foes = tuple[tuple[str, float, float], ...]
"""Names and places of those to be reckoned with."""
AT_A_DOOR = 1.5
"""Metres from which one can open a door (ruling: no book has doors; arm's reach and a step)."""
NO_STEP = 0.5
"""Metres that are not worth going."""


class Somewhere(Protocol):
    """Somebody or something at a place."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def x(self) -> float:
        """Where it is."""

    @property
    def y(self) -> float:
        """Where it is."""


class Shelter(Somewhere, Protocol):
    """A cover that is a bare place."""

    @property
    def cover(self) -> str:
        """What it is worth, in the game's word."""


class Goal(Struct, frozen=True):
    """A place to go to: the rest of a key and of a label after the way of going, the way there, and what comes with it."""

    key: str
    label: str
    way: Way
    cover: str = ""
    """What is taken as cover there, where that is kept with whoever takes it."""
    foe: str = ""


class Door(Struct, frozen=True):
    """A door that somebody opens or shuts."""

    name: str
    opens: bool

    @property
    def key(self) -> str:
        """As an answer."""
        return f"{'open' if self.opens else 'shut'} {self.name}"

    @property
    def label(self) -> str:
        """For people."""
        return f"{'Open' if self.opens else 'Shut'} the {self.name.removeprefix('the ')}"

    @property
    def told(self) -> str:
        """What is told of it."""
        return f"{'opens' if self.opens else 'shuts'} the {self.name.removeprefix('the ')}"


def _told(ground: Field) -> Ground:
    """What of it is known to those who are told no secrets: only that is worth going to."""
    return known(ground.ground, ground.changes)


def doors_at_hand(ground: Field, at: Spot) -> tuple[Door, ...]:
    """Doors that can be opened or shut from a place; one that is locked stays so, and nobody knows of a secret one."""
    near = [wall for wall in _told(ground).walls if wall.door in ("open", "closed") and at_wall(ground, wall, at) <= AT_A_DOOR]
    return tuple([Door(wall.name, ground.standing(wall)) for wall in near])


def doors_to_try(ground: Field, at: Spot) -> tuple[str, ...]:
    """The names of doors in the order in which somebody tries them who seeks an enemy: shut ones first, of those the nearest."""
    doors = [wall for wall in _told(ground).walls if wall.door in ("open", "closed")]
    return tuple([wall.name for wall in sorted(doors, key=lambda wall: (not ground.standing(wall), at_wall(ground, wall, at)))])


def covers_near(ground: Field, at: Spot) -> tuple[str, ...]:
    """The names of the covers on the ground, the nearest first."""
    near = sorted(_told(ground).covers, key=lambda item: (item.middle[0] - at[0]) ** 2 + (item.middle[1] - at[1]) ** 2)
    return tuple([cover.name for cover in near])


def taken(spots: tuple[Shelter, ...], spot: Spot) -> Shelter | None:
    """The cover that is a bare place and that somebody takes who comes to a place."""
    return next((shelter for shelter in spots if hypot(shelter.x - spot[0], shelter.y - spot[1]) <= AT_HAND), None)


@lru_cache(maxsize=20_000)
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
    """All of them within so many metres; who is within reach need not be gone to, others are neared until so `short` of them."""
    return (
        *_to_covers(ground, at, foes, spots, most, mover),
        *_to_foes(ground, at, foes, most, reach, short, mover),
        *_to_doors(ground, at, most, mover),
        *_out_of_it(ground, at, foes, most, mover),
    )


def _to_covers(ground: Field, at: Spot, foes: Foes, spots: tuple[Shelter, ...], most: float, mover: Mover) -> Iterator[Goal]:
    for spot in spots:
        result = way(ground, at, (spot.x, spot.y), mover, most)
        if result is not None and result.cost > NO_STEP:
            yield Goal(f"to {spot.name}", f"to {spot.name} ({spot.cover})", result, spot.cover)
    for cover in _told(ground).covers:
        place = behind(ground, cover, [(x, y) for _, x, y in foes], at)
        result = way(ground, at, place, mover, most) if place is not None else None
        if result is not None and result.cost > NO_STEP:
            yield Goal(f"to {cover.name}", f"behind {cover.name} ({cover.cover})", result)


def _to_foes(ground: Field, at: Spot, foes: Foes, most: float, reach: float, short: float, mover: Mover) -> Iterator[Goal]:
    for name, x, y in foes:
        metres = hypot(x - at[0], y - at[1])
        goal = towards(ground, at, (x, y), mover, most, short) if metres > reach or not ground.sight(at, (x, y)).open else None
        result = way(ground, at, goal, mover, most) if goal is not None else None
        if result is not None and result.cost > 0:
            yield Goal(f"to {name}", f"towards {name} ({metres:.0f} m)", result, foe=name)


def _to_doors(ground: Field, at: Spot, most: float, mover: Mover) -> Iterator[Goal]:
    for wall in _told(ground).walls:
        if wall.door in ("", "secret"):
            continue
        place = doorstep(ground, wall, at)
        goal = towards(ground, at, place, mover, most) if place is not None else None
        result = way(ground, at, goal, mover, most) if goal is not None else None
        if result is not None and result.cost > NO_STEP:
            yield Goal(f"to {wall.name}", f"to the {wall.name.removeprefix('the ')}", result)


def _out_of_it(ground: Field, at: Spot, foes: Foes, most: float, mover: Mover) -> Iterator[Goal]:
    if not foes:
        return
    hidden = out_of_sight(ground, at, tuple([(x, y) for _, x, y in foes]), mover, most)
    result = way(ground, at, hidden, mover, most) if hidden is not None else None
    if result is not None and result.cost > 0:
        yield Goal("out of sight", f"out of sight ({result.cost:.0f} m)", result)
    _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - at[0], foe[2] - at[1]))
    metres = hypot(at[0] - near_x, at[1] - near_y)
    to_x, to_y = ((at[0] - near_x) / metres, (at[1] - near_y) / metres) if metres else (1.0, 0.0)
    away = pushed(ground, at, (at[0] + to_x * most, at[1] + to_y * most))
    result = way(ground, at, away, mover, most)
    if result is not None and result.cost > NO_STEP:
        yield Goal("away", f"away ({result.cost:.0f} m)", result)


# --- what a place would mean --------------------------------------------------------------------------------------------------


def what_it_means(there: Somewhere, foes: Sequence[Somewhere], sheltered: Iterable[tuple[str, str | None]]) -> tuple[str, ...]:
    """What it would mean to be somewhere: how near the nearest of those is whom one knows of, and what shelters against whom.

    What shelters is the game's word, nothing where one stands in the open, and None where one is not seen.
    """
    said: dict[str, list[str]] = {}
    for name, cover in sheltered:
        words = "out of sight of" if cover is None else f"{cover} from" if cover else "in the open before"
        said.setdefault(words, []).append(name)
    told = [f"{words} {', '.join(names)}" for words, names in said.items()]
    if foes:
        metres, nearest = min([(hypot(foe.x - there.x, foe.y - there.y), foe.name) for foe in foes])
        told.insert(0, f"{metres:.1f} m from {nearest}")
    return tuple(told)
