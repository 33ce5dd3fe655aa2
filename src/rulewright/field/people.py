"""People on ground, whatever the game: somebody with a profile that stays and a place, and all of them together.

A game's `Fighter` is `Somebody` and its `Fight` is `People`; both bring their own fields, so nothing here has any.
"""

from math import hypot
from typing import Any, Generic, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import BARE, UNCHANGED
from rulewright.field.terrain_state import OnGround
from rulewright.play.cache import Latest


class Named(Struct, frozen=True, gc=False):
    """A person as things stand: `profile` has what does not change."""

    @property
    def profile(self) -> Any:
        """Who it is, with a name and a side."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """Who it is."""
        return self.profile.name  # type: ignore[no-any-return]

    @property
    def side(self) -> str:
        """Whose side they are on."""
        return self.profile.side  # type: ignore[no-any-return]


class Somebody(Named, frozen=True):
    """Somebody who stands at a place of two coordinates."""

    @property
    def x(self) -> float:
        """Metres along one axis."""
        raise NotImplementedError

    @property
    def y(self) -> float:
        """Metres along the other."""
        raise NotImplementedError

    def distance(self, other: Self) -> float:
        """Metres between two people."""
        return hypot(self.x - other.x, self.y - other.y)


F = TypeVar("F", bound=Any)


class Gathering(OnGround, Generic[F], frozen=True):
    """The state of a fight: somebody by name, and the same fight with somebody changed."""

    @property
    def fighters(self) -> tuple[F, ...]:
        """Everybody who takes part."""
        raise NotImplementedError

    def fighter(self, name: str) -> F:
        """Somebody by name."""
        for fighter in self.fighters:
            if fighter.profile.name == name:
                return fighter
        raise UserError(f"there is no {name!r} in this fight; there are {', '.join([candidate.name for candidate in self.fighters])}")

    def put(self, *changed: F) -> Self:
        """The fight with some people changed."""
        new = {fighter.profile.name: fighter for fighter in changed}
        return replace(self, fighters=tuple([new.get(fighter.profile.name, fighter) for fighter in self.fighters]))

    def change(self, name: str, **fields: Any) -> Self:
        """The fight with some fields of one person changed."""
        return self.put(replace(self.fighter(name), **fields))


class People(Gathering[F], frozen=True):
    """The same where everybody stands at a place."""

    def sees(self, item: F, other: F) -> bool:
        """Whether nothing on the ground stands between two people."""
        if self.map is BARE and self.changes is UNCHANGED:
            return True
        return self.clear_between((item.x, item.y), (other.x, other.y))


class Opposed(People[F], frozen=True):
    """The same where people know of enemies and see them."""

    def against(self, fighter: F) -> list[F]:
        """Everybody of another side who is still in it and whom this person knows of."""
        raise NotImplementedError

    def enemies(self, fighter: F) -> list[F]:
        """Those of them whom this person can see; kept for the very same state, since a turn asks for them up to four times."""
        state, who, kept = _enemies.last
        if state is self and who is fighter:
            return kept  # type: ignore[no-any-return]  # only enemies are kept there
        result = self.against(fighter)
        if self.hiding:
            result = [foe for foe in result if self.sees(fighter, foe)]
        _enemies.last = (self, fighter, result)
        return result


_enemies = Latest()
