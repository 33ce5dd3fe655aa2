"""Who knows of whom in a fight, as the games of the highest die have it: what one of a side sees all of it know."""

from typing import Any, TypeVar

from rulewright.field.people import Opposed

F = TypeVar("F", bound=Any)


class Fray(Opposed[F], frozen=True):
    """The state of a fight among people with bodies, some of whom may lie in wait."""

    def in_it(self, fighter: F) -> bool:
        """Whether somebody is still in the fight."""
        return fighter.body.able  # type: ignore[no-any-return]

    def standing(self) -> set[str]:
        """The sides of which somebody can act, of several the first two: asked at every step, and more decide nothing."""
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
        """Everybody able of another side whom anybody on this person's side can see."""
        if not self.hiding:
            return self.enemies(fighter)
        mates = [fighter, *[f for f in self.fighters if f.profile.side == fighter.profile.side and f.body.able]]
        return [foe for foe in self.against(fighter) if any(self.sees(mate, foe) for mate in mates)]

    def witnesses(self, name: str) -> tuple[str, ...]:
        """Everybody of all sides that see somebody; of their own side everybody."""
        result = self.fighter(name)
        sides = {f.side for f in self.fighters if f.side == result.side or (not result.hidden and f.body.able and self.sees(f, result))}
        return tuple([f.name for f in self.fighters if f.side in sides])

    def mates(self, name: str) -> tuple[str, ...]:
        """Everybody of somebody's side."""
        side = self.fighter(name).profile.side
        return tuple([f.profile.name for f in self.fighters if f.profile.side == side])

    def knowing(self, name: str) -> tuple[str, ...] | None:
        """Who may know what somebody does: everybody (None), or the own side of one who is hidden."""
        return self.mates(name) if self.fighter(name).hidden else None
