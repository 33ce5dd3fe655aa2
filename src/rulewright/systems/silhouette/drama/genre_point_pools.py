"""Payment of Genre Points in a scene: own points, gifts or a shared pool (book lines 6120-6196)."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from rulewright.grammar import count
from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate
from rulewright.systems.silhouette.people.genre import drawn_freely

S = TypeVar("S")
_YES_NO: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes", True))


class Purses(Generic[S]):
    """Everybody's Genre Points during a step. The rules see what each could raise; real spending is kept here and written to the state
    after the step."""

    def __init__(self, rules: Ruleset, company: Company[S]) -> None:
        self.rules, self.company = rules, company
        self.genre: frozenset[str] = frozenset([effect for fate in company.fates for effect in fate.genre])
        self.own = {fate.name: fate.points for fate in company.fates if fate.genre}
        self.pooled = bool(self.own) and rules.on("genre-pool")
        self.shares = self.pooled or "group effort" in self.genre

    def left(self, name: str) -> int:
        """Returns the points a character could raise now."""
        return self.own.get(name, 0) + (sum([self.own[other.name] for other in self._possible_givers(name)]) if self.shares else 0)

    def _possible_givers(self, name: str) -> Iterator[Fate]:
        """Returns others on the same side with points."""
        result = self.company.fate(name)
        if result is None or name not in self.own:
            return
        for other in self.company.fates:
            if other.side == result.side and other.name != name and self.own.get(other.name, 0) > 0:
                yield other

    def shown(self, state: S) -> S:
        """Returns the scene as its rules see it: with the points each could raise."""
        return self.company.with_points(state, {name: self.left(name) for name in self.own}) if self.shares else state

    def settled(self, state: S) -> S:
        """Returns the scene with the points each has left."""
        return self.company.with_points(state, self.own)

    # --- paying ----------------------------------------------------------------------------------------------------------------------

    def pay(self, name: str, price: int) -> Play[bool]:
        """Spends points; if a main villain spends against it, as many more are needed, or the effect is lost."""
        if not (yield from self._raise_points(name, price)):
            return False
        more = yield from self._ask_villains(name)
        if not more:
            return True
        if self.left(name) >= more:
            options = (Option("yes", f"Pay {count(more, 'more point')}", True), Option("no", "Cancel the effect", False))
            asked = f"The effect now costs {count(more, 'more Genre Point')}. Do you pay?"
            if (yield from self._choice(name, asked, options, "pay more")) and (yield from self._raise_points(name, more)):
                return True
        yield self.company.tell(name, "spends Genre Points in vain", "bad")
        return False

    def _raise_points(self, name: str, price: int) -> Play[bool]:
        """Raises points: own first, then gifts or the pool. If they are not enough, nothing is spent."""
        if self.pooled:
            result = self.company.fate(name)
            if price > drawn_freely(self.rules, self.left(name), result.start if result is not None else 0):
                asked = f"{name} wants to draw {count(price, 'Genre Point')} from the pool. Does everybody agree?"
                if not (yield from self._choice(GAMEMASTER, asked, _YES_NO, "genre pool")):
                    return False
            gifts = [(other.name, self.own[other.name]) for other in self._possible_givers(name)]
        else:
            gifts = (yield from self._ask_for_gifts(name, price - self.own[name])) if price > self.own[name] else []
        if self.own[name] + sum([points for _, points in gifts]) < price:
            return False
        for giver, points in [(name, self.own[name]), *gifts]:
            taken = min(points, price)
            self.own[giver] -= taken
            price -= taken
        return True

    def _ask_for_gifts(self, name: str, missing: int) -> Play[list[tuple[str, int]]]:
        """Asks others how much they give for an effect used at once (Group Effort)."""
        givers = list(self._possible_givers(name))
        asked = f"{name} needs {count(missing, 'more Genre Point')}. How many do you give?"
        questions = [
            Choice[int](giver.name, asked, Range(0, self.own[giver.name]), self.company.about(giver.name), "group effort")
            for giver in givers
        ]
        gifts = yield from Together(tuple(questions))
        return [(giver.name, points) for giver, points in zip(givers, gifts, strict=True)]

    def _ask_villains(self, name: str) -> Play[int]:
        result, more = self.company.fate(name), 0
        for villain in self.company.fates if result is not None and not result.villain else ():
            left = self.own.get(villain.name, 0)
            if villain.villain and result is not None and villain.side != result.side and villain.able and left > 0:
                asked = f"{name} spends Genre Points. How many do you spend against it?"
                points = yield from Choice[int](villain.name, asked, Range(0, left), self.company.about(villain.name), "against genre")
                self.own[villain.name] -= points
                more += points
        return more

    def _choice(self, who: str, asked: str, options: tuple[Option[bool], ...], topic: str) -> Choice[bool]:
        return Choice(who, asked, options, self.company.about(who), topic)
