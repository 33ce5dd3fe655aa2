"""Who pays with Genre Points in a fight: one's own, with what others give, or out of a common pool (book lines 6120-6196)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.encounter import GAMEMASTER
from rulewright.play import Choice, Option, Play, Range, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.fighters import Fight, Fighter, Moment, Situation
from rulewright.systems.silhouette.genre import drawn_freely
from rulewright.systems.silhouette.telling import happened

_YES_NO: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes", True))


class Purses:
    """Everybody's Genre Points while a step of a fight is played. The rules of the fight are shown what each could raise; what was
    really spent is kept here, and the state learns of it when the step is over."""

    def __init__(self, rules: Ruleset, fight: Fight) -> None:
        self.rules, self.fight = rules, fight
        self.genre: frozenset[str] = frozenset([effect for f in fight.fighters for effect in f.body.genre])
        self.own = {f.name: f.body.genre_points for f in fight.fighters if f.body.genre}
        self.pooled = bool(self.own) and rules.on("genre-pool")
        self.shares = self.pooled or "group effort" in self.genre

    def left(self, name: str) -> int:
        """What somebody could raise now."""
        return self.own.get(name, 0) + (sum([self.own[other.name] for other in self._others(name)]) if self.shares else 0)

    def _others(self, name: str) -> Iterator[Fighter]:
        """Who might give something: everybody else of the side who has any."""
        if name not in self.own:
            return
        side = self.fight.fighter(name).side
        for fighter in self.fight.fighters:
            if fighter.side == side and fighter.name != name and self.own.get(fighter.name, 0) > 0:
                yield fighter

    def shown(self, fight: Fight) -> Fight:
        """The fight as its rules are to see it: with what each could raise."""
        return _with_points(fight, {name: self.left(name) for name in self.own}) if self.shares else fight

    def settled(self, fight: Fight) -> Fight:
        """The fight with what everybody has left."""
        return _with_points(fight, self.own)

    # --- paying ----------------------------------------------------------------------------------------------------------------------

    def pay(self, name: str, price: int) -> Play[bool]:
        """Points are spent; where a main villain spends some against it, as many more are needed, or the effect is lost."""
        if not (yield from self._raise(name, price)):
            return False
        more = yield from self._against(name)
        if not more:
            return True
        if self.left(name) >= more:
            options = (Option("yes", f"Pay {more} more", True), Option("no", "Let it go", False))
            asked = f"It costs {more} Genre Points more now. Do you pay?"
            if (yield from self._choice(name, asked, options, "pay more")) and (yield from self._raise(name, more)):
                return True
        yield happened(self.fight, name, "spends Genre Points in vain", "bad")
        return False

    def _raise(self, name: str, price: int) -> Play[bool]:
        """Get the points together: one's own first, then what others give or the pool holds. Where that is not enough nothing is spent."""
        if self.pooled:
            start = self.fight.fighter(name).profile.genre_start
            if price > drawn_freely(self.rules, self.left(name), start):
                asked = f"{name} would draw {price} Genre Points from the pool. Does everybody agree?"
                if not (yield from self._choice(GAMEMASTER, asked, _YES_NO, "genre pool")):
                    return False
            gifts = [(other.name, self.own[other.name]) for other in self._others(name)]
        else:
            gifts = (yield from self._given(name, price - self.own[name])) if price > self.own[name] else []
        if self.own[name] + sum([points for _, points in gifts]) < price:
            return False
        for giver, points in [(name, self.own[name]), *gifts]:
            taken = min(points, price)
            self.own[giver] -= taken
            price -= taken
        return True

    def _given(self, name: str, missing: int) -> Play[list[tuple[str, int]]]:
        """Group Effort: the others are asked at once what they give for an effect that is used at once."""
        givers = list(self._others(name))
        asked = f"{name} needs {missing} Genre Points more. How many do you give?"
        questions = [
            Choice[int](f.name, asked, Range(0, self.own[f.name]), Situation(self.fight, f.name, self.rules), "group effort")
            for f in givers
        ]
        gifts = yield from Together(tuple(questions))
        return [(giver.name, points) for giver, points in zip(givers, gifts, strict=True)]

    def _against(self, name: str) -> Play[int]:
        one, more = self.fight.fighter(name), 0
        for villain in self.fight.fighters if not one.profile.villain else ():
            left = self.own.get(villain.name, 0)
            if villain.profile.villain and villain.side != one.side and villain.body.able and left > 0:
                about = Situation(self.fight, villain.name, self.rules)
                asked = f"{name} spends Genre Points. How many do you spend against it?"
                points = yield from Choice[int](villain.name, asked, Range(0, left), about, "against genre")
                self.own[villain.name] -= points
                more += points
        return more

    def _choice(self, who: str, asked: str, options: tuple[Option[bool], ...], topic: str) -> Choice[bool]:
        return Choice(who, asked, options, Situation(self.fight, who, self.rules), topic)


def _with_points(fight: Fight, points: dict[str, int]) -> Fight:
    changed = [f for f in fight.fighters if f.name in points and f.body.genre_points != points[f.name]]
    if changed:
        fight = fight.put(*[replace(f, body=replace(f.body, genre_points=points[f.name])) for f in changed])
    if any(m.body.genre_points != points.get(m.name, m.body.genre_points) for m in fight.frozen):
        moments = [Moment(m.name, replace(m.body, genre_points=points.get(m.name, m.body.genre_points))) for m in fight.frozen]
        fight = replace(fight, frozen=tuple(moments))
    return fight
