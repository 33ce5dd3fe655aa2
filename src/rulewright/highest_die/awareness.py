"""Who knows of whom in a fight of the highest die: what one person sees, their whole side knows."""

from typing import Any, TypeVar

from rulewright.field.people import Opposed

F = TypeVar("F", bound=Any)


class Fray(Opposed[F], frozen=True):
    """The state of a fight among people with bodies, some of whom may be hidden."""

    def in_it(self, fighter: F) -> bool:
        """Whether a person is still in the fight."""
        return fighter.body.able  # type: ignore[no-any-return]

    def standing(self) -> set[str]:
        """The sides that can act, at most two of them; it is computed at every step, and more would decide nothing."""
        first = None
        for fighter in self.fighters:
            if fighter.body.able:
                side = fighter.profile.side
                if first is None:
                    first = side
                elif side != first:
                    return {first, side}
        return set() if first is None else {first}

    def against(self, fighter: F) -> list[F]:
        side = fighter.profile.side
        return [f for f in self.fighters if f.profile.side != side and self.in_it(f) and not f.hidden]

    def known_enemies(self, fighter: F) -> list[F]:
        """All able enemies whom anybody on this person's side can see."""
        if not self.hiding:
            return self.enemies(fighter)
        mates = [fighter, *[f for f in self.fighters if f.profile.side == fighter.profile.side and f.body.able]]
        return [foe for foe in self.against(fighter) if any(self.sees(mate, foe) for mate in mates)]

    def witnesses(self, name: str) -> tuple[str, ...]:
        """Everybody on the sides that see a person, including their own side."""
        seen = self.fighter(name)
        sides = {f.side for f in self.fighters if f.side == seen.side or (not seen.hidden and f.body.able and self.sees(f, seen))}
        return tuple([f.name for f in self.fighters if f.side in sides])

    def mates(self, name: str) -> tuple[str, ...]:
        """Everybody on a person's side."""
        side = self.fighter(name).profile.side
        return tuple([f.profile.name for f in self.fighters if f.profile.side == side])

    def knowing(self, name: str) -> tuple[str, ...] | None:
        """Names the people who may know what a person does: everybody (None), or only the own side of a hidden person."""
        return self.mates(name) if self.fighter(name).hidden else None
