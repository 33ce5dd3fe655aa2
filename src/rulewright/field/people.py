"""Base classes for people on a map, in any game: a person with a fixed profile and a place, and all of them together.

A game's `Fighter` is `Somebody` and its `Fight` is `People`; both bring their own fields, so nothing here has any.
"""

from math import hypot
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import BARE, UNCHANGED
from rulewright.field.terrain_state import OnGround
from rulewright.play.cache import Latest


class Named(Struct, frozen=True, gc=False):
    """A person in their present state; `profile` has what does not change."""

    @property
    def profile(self) -> Any:
        """The fixed part, with a name and a side."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The person's name."""
        return self.profile.name  # type: ignore[no-any-return]

    @property
    def side(self) -> str:
        """The person's side."""
        return self.profile.side  # type: ignore[no-any-return]


class Somebody(Named, frozen=True):
    """A person at a place with two coordinates."""

    @property
    def x(self) -> float:
        """The x coordinate, in metres."""
        raise NotImplementedError

    @property
    def y(self) -> float:
        """The y coordinate, in metres."""
        raise NotImplementedError

    def distance(self, other: Self) -> float:
        """The distance of two people, in metres."""
        return hypot(self.x - other.x, self.y - other.y)


F = TypeVar("F", bound=Any)


Ends: TypeAlias = Literal["to the end", "by morale", "by objectives"]
"""How a fight ends."""


class Gathering(OnGround, Generic[F], frozen=True, kw_only=True):
    """The state of a fight, with lookup and changes by name."""

    ends: Ends = "to the end"
    """With "by morale", people who are shaken are asked every round whether they fight on."""
    resolved: int = 0
    """The last round in which they were asked."""

    @property
    def fighters(self) -> tuple[F, ...]:
        """Everybody who takes part."""
        raise NotImplementedError

    def fighter(self, name: str) -> F:
        """A person by name; raises an error if there is none."""
        for fighter in self.fighters:
            if fighter.profile.name == name:
                return fighter
        raise UserError(f"there is no {name!r} in this fight; there are {', '.join([fighter.name for fighter in self.fighters])}")

    def put(self, *changed: F) -> Self:
        """The fight with some people changed."""
        new = {fighter.profile.name: fighter for fighter in changed}
        return replace(self, fighters=tuple([new.get(fighter.profile.name, fighter) for fighter in self.fighters]))

    def change(self, name: str, **fields: Any) -> Self:
        """The fight with some fields of one person changed."""
        return self.put(replace(self.fighter(name), **fields))


class People(Gathering[F], frozen=True):
    """The state of a fight in which everybody has a place."""

    def sees(self, viewer: F, other: F) -> bool:
        """Whether nothing on the map blocks sight between two people."""
        if self.map is BARE and self.changes is UNCHANGED:
            return True
        return self.clear_between((viewer.x, viewer.y), (other.x, other.y))


class Opposed(People[F], frozen=True):
    """The state of a fight in which people know of enemies and see them."""

    def against(self, fighter: F) -> list[F]:
        """All enemies who are still able and whom this person knows of."""
        raise NotImplementedError

    def enemies(self, fighter: F) -> list[F]:
        """The known enemies that this person can see; cached for the same state, since a turn needs them up to four times."""
        state, who, kept = _enemies.last
        if state is self and who is fighter:
            return kept  # type: ignore[no-any-return]  # only enemies are kept there
        enemies = self.against(fighter)
        if self.hiding:
            enemies = [foe for foe in enemies if self.sees(fighter, foe)]
        _enemies.last = (self, fighter, enemies)
        return enemies


_enemies = Latest("rulewright.field.people.enemies")
