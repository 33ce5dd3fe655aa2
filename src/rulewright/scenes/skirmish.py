"""The common part of all fights on a map: sides, who is out, newcomers, the ground, sight.

A game's fight is a `Skirmish` over a state on ground with `fighters`, each with a name, a side and a place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, Ladder, Pool, Track
from rulewright.errors import UserError
from rulewright.field.destinations import Shelter
from rulewright.field.field import Spot
from rulewright.field.ground import Changes, Cover, Ground
from rulewright.field.people import Ends, Gathering
from rulewright.field.placement import Standing
from rulewright.field.places import free
from rulewright.files import set_at
from rulewright.play import Choice, Happened, Option, Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import nearest
from rulewright.scenes.hidden_state import Draw, Imagine, out_of_sight, unseen_by
from rulewright.scenes.scenarios import Placed, by_place
from rulewright.scenes.scene import Leaving, Result, Scene, leaves

S = TypeVar("S", bound=Any)
F = TypeVar("F", bound=Any)


NEAR = 10.0
"""Metres within which an enemy keeps people from withdrawing."""
HALF = 0.5
WAYS_OUT: tuple[Leaving, ...] = ("withdraw", "surrender")
FIGHT_ON: Literal["fight on"] = "fight on"


class Resolve(NamedTuple):
    """The situation of a person who is asked whether they fight on."""

    fight: Any
    name: str
    rules: Any
    action: None = None
    """Nobody's action is answered."""


def lost_share(card: Card) -> float:
    """The share of health that a card shows as lost: of all tracks together, of a ladder, or of its first pool."""
    tracks = [piece for piece in card.pieces if isinstance(piece, Track) and piece.boxes]
    ladder = next((piece for piece in card.pieces if isinstance(piece, Ladder) and len(piece.levels) > 1), None)
    if tracks:
        return sum(len(track.marks) for track in tracks) / sum(track.boxes for track in tracks)
    if ladder is not None:
        return ladder.now / (len(ladder.levels) - 1)
    first = card.pieces[0] if card.pieces else None
    return 1 - first.value / first.most if isinstance(first, Pool) and first.most else 0.0


class Parting(Scene[S]):
    """A fight that its members can leave by their own will. A game adds who can act.

    A member is whatever leaves as one: a person, a machine with everybody aboard, a vehicle in a pursuit.
    """

    endings: tuple[Ends, ...] = ("to the end", "by morale")

    def simplifies(self, state: S) -> bool:
        """Not by morale: who is shaken depends on the round and on wounds that the shortcuts leave out."""
        return state.ends != "by morale"  # type: ignore[no-any-return]

    def members(self, state: S) -> Sequence[Any]:
        """All members, also those who are out."""
        return state.fighters  # type: ignore[no-any-return]

    def member(self, state: S, who: str) -> Any:
        """The member with a name, or with a person of that name aboard; None if there is none."""
        return next((member for member in self.members(state) if member.name == who), None)

    def speaker(self, state: S, member: Any) -> str:
        """The name of the person who decides for a member; empty if nobody can."""
        return member.name  # type: ignore[no-any-return]

    def able(self, state: S, fighter: Any) -> bool:
        """Whether a member can still act."""
        raise NotImplementedError

    def leave(self, state: S, who: str, how: Leaving) -> S:
        member = self.member(state, who)
        if member is None:
            raise UserError(f"there is no {who!r} here who could leave")
        if not self.able(state, member):
            raise UserError(f"{who} is out of the fight already")
        if refused := self.stays(state, member, how):
            raise UserError(refused)
        return self.departed(state, member, how)

    def stays(self, state: S, member: Any, how: Leaving) -> str:
        """Why a member cannot leave in this way; empty if it can."""
        return ""

    def departed(self, state: S, fighter: Any, how: Leaving) -> S:
        """The fight after a member left it: the field `left` of their body or of themselves says how."""
        if hasattr(fighter, "left"):
            return state.change(fighter.name, left=how)  # type: ignore[no-any-return]
        return state.change(fighter.name, body=replace(fighter.body, left=how))  # type: ignore[no-any-return]

    def resolve(self, state: S) -> Play[S] | None:
        """Asks those who are shaken whether they fight on, once a round, in a fight that ends by morale; otherwise None."""
        if state.ends != "by morale" or state.resolved >= self.round(state):
            return None
        return self._resolve(state)

    def _resolve(self, state: S) -> Play[S]:
        for name in [member.name for member in self.members(state)]:
            member = self.member(state, name)
            if self.able(state, member) and self.speaker(state, member) and self.shaken(state, member):
                question = self.question_of_resolve(state, member)
                how: Leaving | Literal["fight on"] = (yield from question) if len(question.keys()) > 1 else FIGHT_ON
                if how != FIGHT_ON:
                    state = self.departed(state, member, how)
                    yield from Tell(Happened(name, leaves(name, how, self.event), "bad"))
                if self.result(state) is not None:
                    break
        return replace(state, resolved=self.round(state))

    def question_of_resolve(self, state: S, fighter: Any) -> Choice[Any]:
        """Asks whether a member fights on. The wise answer comes first."""
        keys = self.wise_answers(state, fighter)
        ways = [key for key in keys if key == FIGHT_ON or not self.stays(state, fighter, key)]  # type: ignore[arg-type]
        situation = Resolve(state, fighter.name, self.rules)
        who = self.speaker(state, fighter)
        return Choice(who, "You are shaken. Do you fight on?", tuple([self._answer(key) for key in ways]), situation, "morale")

    def _answer(self, key: str) -> Option[Any]:
        return Option(key, f"Withdraw from the {self.event}" if key == "withdraw" else key.capitalize(), key)

    def wise_answers(self, state: S, fighter: Any) -> tuple[str, ...]:
        """The answers of a shaken member, the wisest first: to withdraw if no enemy is near, else to surrender."""
        foes = [foe for foe in self.members(state) if foe.side != fighter.side and self.able(state, foe)]
        near = any(self.distance(state, fighter, foe) < NEAR for foe in foes)
        return ("surrender", "withdraw", FIGHT_ON) if near else ("withdraw", "surrender", FIGHT_ON)

    def shaken(self, state: S, fighter: Any) -> bool:
        """Whether a member has reason to leave: badly hurt, or at most half of their side is left against more enemies."""
        members = self.members(state)
        ours = [friend for friend in members if friend.side == fighter.side]
        left = sum([self.able(state, friend) for friend in ours])
        foes = sum([self.able(state, foe) for foe in members if foe.side != fighter.side])
        return (2 * left <= len(ours) and foes > left) or self.badly_hurt(state, fighter)

    def badly_hurt(self, state: S, fighter: Any) -> bool:
        """Whether a member has lost half of what its card shows as health."""
        card = next((card for card in self.view(state, None).cards if card.name == fighter.name), None)
        return card is not None and lost_share(card) >= HALF

    def distance(self, state: S, fighter: Any, other: Any) -> float:
        """The distance of two members, in metres."""
        return fighter.distance(other)  # type: ignore[no-any-return]


class Skirmish(Parting[S]):
    """A fight of people in places. A game adds who can act, the step, and what can be seen of a fighter."""

    takes_maps = True

    def shelters(self, state: S) -> tuple[Shelter, ...]:
        """Covers that are single places besides those of the map."""
        return ()

    lurking: Mapping[str, Any] = MappingProxyType({})
    """Assumed fields of fighters whom a side does not see: not aiming, not behind anything."""

    def guessed(self, state: S, side: str, fighter: Any, draw: Draw) -> Mapping[str, Any]:
        """Guesses of what a side cannot know of an enemy, by field of a fighter: ammunition, reserves."""
        return {}

    def reordered(self, state: S, unseen: frozenset[str], draw: Draw) -> S:
        """The fight with some people's places in the order of action drawn at random; the one who acts now keeps theirs."""
        return state

    def imagining(self, state: S, side: str) -> "Imagine[S] | None":
        enemies = [fighter for fighter in state.fighters if fighter.side != side]
        unseen = frozenset(unseen_by(self, state, side))

        def imagine(draw: Draw) -> S:
            imagined = state
            for enemy in enemies:
                fields = dict(self.guessed(state, side, enemy, draw))
                if enemy.name in unseen:
                    fields |= self.lurking
                imagined = imagined.change(enemy.name, **fields) if fields else imagined
            for enemy in enemies:
                if enemy.name in unseen:
                    imagined = out_of_sight(self, imagined, side, enemy.name, draw)
            return self.reordered(imagined, unseen, draw) if unseen else imagined

        return imagine if enemies else None

    def facing(self, fighter: Any) -> int | None:
        """The direction a fighter faces, in degrees, if the rules have it."""
        return None

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]:
        names_by_side: dict[str, tuple[str, ...]] = {}
        for fighter in state.fighters:
            names_by_side[fighter.side] = (*names_by_side.get(fighter.side, ()), fighter.name)
        return names_by_side

    def out(self, state: S) -> frozenset[str]:
        return frozenset([fighter.name for fighter in state.fighters if not self.able(state, fighter)])

    def move(self, state: S, who: str, x: float, y: float) -> S:
        moved = state.change(who, x=x, y=y)
        refuse_place(moved, moved.fighter(who))
        return moved  # type: ignore[no-any-return]

    def ground(self, state: S) -> tuple[Ground, Changes]:
        """The ground, with single-place covers included."""
        return with_spots(state.map, self.shelters(state)), state.changes

    def standing(self, state: S) -> Mapping[str, Standing]:
        return {f.name: Standing(f.x, f.y, f.side, facing=self.facing(f)) for f in state.fighters}

    def in_view(self, state: S, who: str | None) -> list[Any]:
        """The fighters that a person may know of, as far as the ground hides them (None is the gamemaster)."""
        if who is None:
            return list(state.fighters)
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), "")
        seen = self.in_sight(state, mine)
        return [fighter for fighter in state.fighters if seen is None or fighter.name in seen]


def one_side_left(standing: set[str], nobody: str = "nobody is left standing") -> Result | None:
    """The result once at most one side can still act; None while two can."""
    if not standing:
        return Result(None, nobody)
    if len(standing) == 1:
        winner = next(iter(standing))
        return Result(winner, f"only {winner} can still act")
    return None


def some_left(full: int, round_: int, draw: Draw) -> int:
    """A random guess of an enemy's ammunition: at most one shot a round was fired, and the magazine is not empty."""
    return max(1, full - int(draw() * (round_ + 1))) if full else 0


def as_spent(most: int, ours: "Iterable[tuple[int, int]]", draw: Draw) -> int:
    """A random guess of what an enemy has left of a pool: the same share as the guessing side, plus or minus a quarter.

    `ours` lists what is left, of how much.
    """
    shares = [left / full for left, full in ours if full > 0]
    share = sum(shares) / len(shares) if shares else 1.0
    return round(most * min(1.0, max(0.0, share + (draw() - 0.5) / 2)))


def one_of(names: "Iterable[str]", draw: Draw) -> str:
    """A random one of these names; empty if there are none."""
    candidates = list(names)
    return candidates[int(draw() * len(candidates))] if candidates else ""


def coming(state: Gathering[Any], newcomer: Any, side: str, bare: Spot = (0.0, 0.0)) -> tuple[Placed, Spot]:
    """A newcomer and their place; raises an error if the name is taken."""
    if any(fighter.name == newcomer.name for fighter in state.fighters):
        raise UserError(f"the name {newcomer.name} is taken in this fight; give the newcomer another one")
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
    """A fighter with the differences given in the scenario.

    The words of `hands` name what is in hand; short names reach into the body. `lists` are fields with one entry per carried weapon. `own`
    are words of the game; each gives the field and its value.
    """
    if not member.state:
        return fighter
    data, body_fields = msgspec.to_builtins(fighter), type(fighter.body).__struct_fields__
    for written, value in member.state.items():
        field = by_place(written, dict.fromkeys(lists, carried))
        head = field.partition(".")[0]
        if field in hands:
            if value not in carried:
                raise UserError(f"{member.name}: {field} {value!r} is not carried; choose one of {', '.join(carried)}")
            data = set_at(data, hands[field], carried.index(value))
        elif field in own:
            data = set_at(data, *own[field](value))
        elif head in data:
            data = set_at(data, field, value)
        elif head in body_fields:
            data = set_at(data, f"body.{field}", value)
        else:
            known = (*hands, *own, *type(fighter).__struct_fields__, *body_fields)
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
    return member.started(data, type(fighter))


def lined_up(members: Iterable[Placed], sides: Iterable[str], apart: float = 10.0) -> list[tuple[Placed, Spot]]:
    """All members with their starting places; sides without places stand `apart` metres apart, neighbours two metres."""
    placed, rows, order = [], dict[str, int](), list(sides)
    for member in members:
        row = rows[member.side] = rows.get(member.side, -1) + 1
        placed.append((member, member.at or (apart * order.index(member.side), 2.0 * row)))
    return placed


def put_at(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """The same tuple with another value at one place, such as the ammunition of one weapon."""
    return (*values[:at], value, *values[at + 1 :])


def item_names(names: Sequence[str]) -> list[str]:
    """The names of somebody's items, the second of a kind numbered.

    >>> item_names(["pistol", "knife", "pistol"])
    ['pistol', 'knife', 'pistol 2']
    """
    return [name if names.index(name) == at else f"{name} {names[: at + 1].count(name)}" for at, name in enumerate(names)]


def refuse_place(state: Gathering[Any], fighter: Any) -> None:
    """Raises an error if a fighter stands where nobody can: in a wall, off the map."""
    if not state.bare:
        try:
            state.field.refuse_standing((fighter.x, fighter.y))
        except UserError as error:
            raise UserError(f"{fighter.name}: at: {error}") from None


def refuse_muddle(state: Gathering[Any], spots: Iterable[str] = ()) -> None:
    """Raises an error if a fighter stands where nobody can, or the name of a cover is used twice."""
    for fighter in state.fighters:
        refuse_place(state, fighter)
    people = [fighter.name for fighter in state.fighters]
    covers = [*spots, *[cover.name for cover in state.map.covers]]
    for name in covers:
        if name in people or covers.count(name) > 1:
            raise UserError(f"place.covers: {name!r} is used twice; give the cover another name")


@cached(64)
def with_spots(area: Ground, spots: tuple[Shelter, ...]) -> Ground:
    """The ground with single-place covers added, for display; the protection they give is stored with the fighters."""
    if not spots:
        return area
    return replace(area, covers=(*area.covers, *[Cover(spot.name, spot.cover, spot.x, spot.y) for spot in spots]))
