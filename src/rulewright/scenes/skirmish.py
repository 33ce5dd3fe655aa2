"""What all fights of people in places have in common, whatever the game: sides, who is out, who comes in, the ground, who sees whom.

A game's fight is a `Skirmish` over a state that stands on ground and has `fighters`, each with a name, a side and a place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.destinations import Shelter
from rulewright.field.field import Spot
from rulewright.field.ground import Changes, Cover, Ground
from rulewright.field.people import Gathering
from rulewright.field.placement import Standing
from rulewright.field.places import free
from rulewright.files import set_at
from rulewright.rules import nearest
from rulewright.scenes.hidden_state import Draw, Imagine, out_of_sight, unseen_by
from rulewright.scenes.scenarios import Placed, by_place
from rulewright.scenes.scene import Result, Scene

S = TypeVar("S", bound=Any)
F = TypeVar("F", bound=Any)


class Skirmish(Scene[S]):
    """People in places who fight. A game says who is able, how a step goes, what can be seen of somebody."""

    takes_maps = True

    def able(self, state: S, fighter: Any) -> bool:
        """Whether somebody can still act."""
        raise NotImplementedError

    def shelters(self, state: S) -> tuple[Shelter, ...]:
        """Covers that are bare places and stand beside the ground."""
        return ()

    lurking: Mapping[str, Any] = MappingProxyType({})
    """What those are taken to be about whom a side does not see, by the fields of a fighter: not aiming, not behind anything."""

    def guessed(self, state: S, side: str, fighter: Any, draw: Draw) -> Mapping[str, Any]:
        """What a side cannot know of an enemy, as it might be, by the fields of a fighter: ammunition, reserves."""
        return {}

    def reordered(self, state: S, unseen: frozenset[str], draw: Draw) -> S:
        """The fight with the places of some people in the order of action drawn anew; whoever acts at this very moment keeps theirs."""
        return state

    def imagining(self, state: S, side: str) -> "Imagine[S] | None":
        foes = [fighter for fighter in state.fighters if fighter.side != side]
        unseen = frozenset(unseen_by(self, state, side))

        def imagine(draw: Draw) -> S:
            result = state
            for foe in foes:
                fields = dict(self.guessed(state, side, foe, draw))
                if foe.name in unseen:
                    fields |= self.lurking
                result = result.change(foe.name, **fields) if fields else result
            for foe in foes:
                if foe.name in unseen:
                    result = out_of_sight(self, result, side, foe.name, draw)
            return self.reordered(result, unseen, draw) if unseen else result

        return imagine if foes else None

    def facing(self, fighter: Any) -> int | None:
        """Which way somebody looks, in degrees, where the book has it."""
        return None

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]:
        result: dict[str, tuple[str, ...]] = {}
        for fighter in state.fighters:
            result[fighter.side] = (*result.get(fighter.side, ()), fighter.name)
        return result

    def out(self, state: S) -> frozenset[str]:
        return frozenset([fighter.name for fighter in state.fighters if not self.able(state, fighter)])

    def move(self, state: S, who: str, x: float, y: float) -> S:
        moved = state.change(who, x=x, y=y)
        refuse_place(moved, moved.fighter(who))
        return moved  # type: ignore[no-any-return]

    def ground(self, state: S) -> tuple[Ground, Changes]:
        """The ground with the covers of the place, which are bare spots."""
        return with_spots(state.map, self.shelters(state)), state.changes

    def standing(self, state: S) -> Mapping[str, Standing]:
        return {f.name: Standing(f.x, f.y, f.side, facing=self.facing(f)) for f in state.fighters}

    def in_view(self, state: S, who: str | None) -> list[Any]:
        """Those of whom somebody may know that they are there, as far as the ground goes (None is the gamemaster)."""
        if who is None:
            return list(state.fighters)
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), "")
        seen = self.in_sight(state, mine)
        return [fighter for fighter in state.fighters if seen is None or fighter.name in seen]


def one_side_left(standing: set[str], nobody: str = "nobody is left standing") -> Result | None:
    """How a fight ended in which at most one side can still act; None while two can."""
    if not standing:
        return Result(None, nobody)
    if len(standing) == 1:
        winner = next(iter(standing))
        return Result(winner, f"only {winner} can still act")
    return None


def some_left(full: int, round_: int, draw: Draw) -> int:
    """Ammunition that a foe may have left of a full magazine: at most one shot a round was fired, and it is not empty."""
    return max(1, full - int(draw() * (round_ + 1))) if full else 0


def as_spent(most: int, ours: "Iterable[tuple[int, int]]", draw: Draw) -> int:
    """What a foe may have left of a pool: as large a share as those have who imagine it (what is left, of how much), give or take a
    quarter. They have fought for as long."""
    shares = [left / full for left, full in ours if full > 0]
    share = sum(shares) / len(shares) if shares else 1.0
    return round(most * min(1.0, max(0.0, share + (draw() - 0.5) / 2)))


def one_of(names: "Iterable[str]", draw: Draw) -> str:
    """One of these people, or nobody where there are none."""
    among = list(names)
    return among[int(draw() * len(among))] if among else ""


def coming(state: Gathering[Any], newcomer: Any, side: str, bare: Spot = (0.0, 0.0)) -> tuple[Placed, Spot]:
    """Somebody who comes in, and where; refused with the name of somebody who is there."""
    if any(fighter.name == newcomer.name for fighter in state.fighters):
        raise UserError(f"there is a {newcomer.name} in this fight already: give the newcomer another name")
    placed = Placed.coming(newcomer, side)
    return placed, placed.at or (free(state.field) if not state.bare else bare)


def as_described(
    member: Placed,
    fighter: F,
    carried: Sequence[str],
    *,
    lists: Iterable[str] = (),
    hands: Mapping[str, str] = MappingProxyType({"weapon": "in_hand"}),
    own: Mapping[str, Callable[[Any], tuple[str, Any]]] = MappingProxyType({}),
) -> F:
    """A fighter with what the scenario says is different: the words of `hands` name what is in hand, short names reach into the body.

    `lists` are the fields with an entry for each weapon carried. `own` are words of the game: each gives the field meant, and its value.
    """
    if not member.state:
        return fighter
    data, of_the_body = msgspec.to_builtins(fighter), type(fighter.body).__struct_fields__
    for written, value in member.state.items():
        field = by_place(written, dict.fromkeys(lists, carried))
        head = field.partition(".")[0]
        if field in hands:
            if value not in carried:
                raise UserError(f"{member.name}: {field} {value!r} is not carried; there are {', '.join(carried)}")
            data = set_at(data, hands[field], carried.index(value))
        elif field in own:
            data = set_at(data, *own[field](value))
        elif head in data:
            data = set_at(data, field, value)
        elif head in of_the_body:
            data = set_at(data, f"body.{field}", value)
        else:
            known = (*hands, *own, *type(fighter).__struct_fields__, *of_the_body)
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
    return member.started(data, type(fighter))


def lined_up(members: Iterable[Placed], sides: Iterable[str], apart: float = 10.0) -> list[tuple[Placed, Spot]]:
    """Everybody and where they begin; sides without places stand so many metres apart, two metres between neighbours."""
    pairs, rows, order = [], dict[str, int](), list(sides)
    for member in members:
        row = rows[member.side] = rows.get(member.side, -1) + 1
        pairs.append((member, member.at or (apart * order.index(member.side), 2.0 * row)))
    return pairs


def refuse_place(state: Gathering[Any], fighter: Any) -> None:
    """Refuse somebody who stands where nobody can: in a wall, off the map."""
    if not state.bare:
        try:
            state.field.refuse_standing((fighter.x, fighter.y))
        except UserError as error:
            raise UserError(f"{fighter.name}: at: {error}") from None


def refuse_muddle(state: Gathering[Any], spots: Iterable[str] = ()) -> None:
    """Refuse a beginning where somebody stands where nobody can, or a cover is called like another or like a person."""
    for fighter in state.fighters:
        refuse_place(state, fighter)
    people = [fighter.name for fighter in state.fighters]
    covers = [*spots, *[cover.name for cover in state.map.covers]]
    for name in covers:
        if name in people or covers.count(name) > 1:
            raise UserError(f"place.covers: {name!r} is the name of something else too; give the cover another")


@lru_cache(maxsize=64)
def with_spots(area: Ground, spots: tuple[Shelter, ...]) -> Ground:
    """Ground with covers that are bare places, for looking at; what they shelter is kept with whoever took them."""
    if not spots:
        return area
    return replace(area, covers=(*area.covers, *[Cover(spot.name, spot.cover, spot.x, spot.y) for spot in spots]))
