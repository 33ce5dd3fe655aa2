"""Conversion of people between any two games by equal odds.

Both games describe people with shared words (`build.portrait`). A rating becomes the value whose odds on the other game's ordinary tasks,
against those of an ordinary person there, lie nearest to what they were. A weapon becomes the one of its kind whose chance to fell an
ordinary person, against the usual weapon of that kind, lies nearest. Nothing here knows a game.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from msgspec import Struct, to_builtins

from rulewright.build.audit import Audit
from rulewright.build.portrait import ARMOUR, FIGHTING, WEAPONS, Item, Portrait, Portrayal, Rating
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play.cache import cached
from rulewright.play.odds import Budget, exact
from rulewright.rules import Ruleset
from rulewright.system import System, find

LEAST_CHANCE = 0.005
"""Chances nearer to 0 and 1 count as this: nobody notices the difference at a table."""
SECONDS = 5.0


class Row(Struct, frozen=True):
    """One rating of the converted person: what it was, what it is, and the chance on ordinary tasks in each game."""

    name: str
    value: int
    chance: float
    sources: tuple[tuple[str, int, float], ...] = ()
    """The ratings that it comes from, each with its value and chance."""
    by_book: bool = False
    """Whether the book gives the value."""
    fitted: bool = False
    """Whether duels moved it away from the nearest value."""


class Swap(Struct, frozen=True):
    """A weapon or armour and what stands for it: the chance to fell, or the share that is stopped, in each game."""

    name: str
    worth: float
    to: str
    to_worth: float
    armour: bool = False


class Converted(Struct, frozen=True):
    """A person in another game, with everything that changed on the way."""

    result: Any
    rows: tuple[Row, ...]
    swaps: tuple[Swap, ...]
    lost: tuple[str, ...]
    assumed: tuple[str, ...]
    audit: Audit
    fighting: int = 0
    """The steps by which duels moved the fighting skills."""

    @property
    def costs(self) -> tuple[str, ...]:
        """What keeps the result from being legal for a beginner, in a sentence each: budgets that are overspent, limits, permissions."""
        return tuple([problem.message for problem in self.audit.problems if not problem.warning])


class Side(NamedTuple):
    """One of the two games, with its rules and what it can say about people."""

    system: System
    rules: Ruleset
    portrayal: Portrayal


class _Told(NamedTuple):
    """What a source rating says about a shared ability."""

    rating: Rating
    value: int
    odds: float


def side_of(system: System, rules: Ruleset) -> Side:
    """A game as one side of a conversion; an error if it takes no part."""
    if system.portrayal is None:
        raise UserError(f"{system.name} does not take part in conversion between games")
    return Side(system, rules, system.portrayal)


def convert(thing: Any, source: Side, target: Side, fighting: int = 0) -> Converted:
    """Convert a person from one game to another. `fighting` adds so many steps to the skills that decide fights (`lab.conversion_fit`)."""
    kinds = source.system.kinds
    kind = next((kind for kind, saved in kinds.items() if isinstance(thing, saved)), "")
    if kind != source.portrayal.kind:
        raise UserError(f"only people are converted between games: give a {source.portrayal.kind}, not a {kind or 'file of another game'}")
    portrait = source.portrayal.read(source.rules, thing)
    return _Conversion(source, target, portrait, fighting).converted()


def described(converted: Converted) -> dict[str, Any]:
    """A conversion as plain data for other programs."""
    rows = [
        {
            "name": row.name,
            "value": row.value,
            "chance": row.chance,
            "from": [{"name": name, "value": value, "chance": chance} for name, value, chance in row.sources],
            "by_book": row.by_book,
            "fitted": row.fitted,
        }
        for row in converted.rows
    ]
    swaps = [
        {"name": swap.to, "worth": swap.to_worth, "from": swap.name, "from_worth": swap.worth, "armour": swap.armour}
        for swap in converted.swaps
    ]
    return {
        "result": to_builtins(converted.result),
        "ratings": rows,
        "items": swaps,
        "lost": list(converted.lost),
        "assumed": list(converted.assumed),
        "legal": converted.audit.legal,
        "costs": list(converted.costs),
    }


def chance(side: Side, rating: Rating, ratings: Mapping[str, int]) -> float:
    """The mean chance of a rating on the ordinary tasks of its game."""
    tasks = side.portrayal.tasks(side.rules, rating, ratings)
    return sum(_chance(side.rules, side.system.id, task) for task in tasks) / len(tasks)


def odds(side: Side, rating: Rating, ratings: Mapping[str, int]) -> float:
    """The logarithm of the odds of a rating against those of an ordinary person of its game: 0 for an ordinary one."""
    return _log_odds(chance(side, rating, ratings)) - _ordinary_odds(side.rules, side.system.id, rating)


def _log_odds(chance: float) -> float:
    bounded = min(1 - LEAST_CHANCE, max(LEAST_CHANCE, chance))
    return log(bounded / (1 - bounded))


@cached(50_000)
def _chance(rules: Ruleset, system: str, notation: str) -> float:
    game = find(system)
    outcomes = exact(game.test(rules, notation), budget=Budget(seconds=SECONDS))
    return outcomes.chance(lambda outcome: game.show(outcome).verdict == "success")[0]


@cached(4_000)
def _ordinary_odds(rules: Ruleset, system: str, rating: Rating) -> float:
    """The log-odds of a rating for somebody who is ordinary in everything."""
    side = side_of(find(system), rules)
    return _log_odds(chance(side, rating, {known.key: known.ordinary for known in side.portrayal.ratings(rules)}))


class _Conversion:
    """One person on the way."""

    def __init__(self, source: Side, target: Side, portrait: Portrait, fighting: int) -> None:
        self.source, self.target, self.portrait, self.fighting = source, target, portrait, fighting
        own = source.portrayal.ratings(source.rules)
        values = {**{rating.key: rating.ordinary for rating in own if rating.attribute}, **portrait.ratings}
        self.told: dict[str, list[_Told]] = {}
        self.source_chances: dict[str, float] = {}
        for rating in own:
            if rating.key not in values or not rating.covers:
                continue
            self.source_chances[rating.key] = chance(source, rating, values)
            told = _Told(rating, values[rating.key], odds(source, rating, values))
            for ability in rating.covers:
                self.told.setdefault(ability, []).append(told)
        self.values: dict[str, int] = {}
        self.rows: list[Row] = []
        self.lost, self.assumed = list(portrait.lost), list(target.portrayal.assumed(target.rules))

    def converted(self) -> Converted:
        """The result: attributes first, then the skills that rest on them, then belongings."""
        side = self.target
        ratings = side.portrayal.ratings(side.rules)
        by_book = side.portrayal.by_book(side.rules, self.source.system.id, self.portrait.ratings)
        for rating in [rating for rating in ratings if rating.attribute]:
            self._set_attribute(rating, by_book.get(rating.key))
        for rating in [rating for rating in ratings if not rating.attribute and rating.written]:
            self._set_skill(rating)
        self._list_lost_skills(ratings)
        weapons = [self._swap(name, armour=False) for name in self.portrait.weapons]
        armour = [self._swap(name, armour=True) for name in self.portrait.armour]
        swaps = [swap for swap in (*weapons, *armour) if swap is not None]
        portrait = Portrait(
            self.portrait.name,
            self.portrait.concept,
            self.values,
            tuple(dict.fromkeys(swap.to for swap in swaps if not swap.armour)),
            tuple(dict.fromkeys(swap.to for swap in swaps if swap.armour)),
            self.portrait.other,
            player=self.portrait.player,
        )
        result = side.portrayal.build(side.rules, portrait)
        audit = side.system.audit(side.rules, result)
        lost, assumed = tuple(dict.fromkeys(self.lost)), tuple(dict.fromkeys(self.assumed))
        return Converted(result, tuple(self.rows), tuple(swaps), lost, assumed, audit, self.fighting)

    def _set_attribute(self, rating: Rating, by_book: int | None) -> None:
        told = [self._best(ability) for ability in rating.covers if ability in self.told]
        if by_book is not None:
            self._put(rating, by_book, told, by_book=True)
        elif told:
            self._nearest(rating, told)
        else:
            self.values[rating.key] = rating.ordinary
            if rating.covers:
                self.assumed.append(f"{rating.name} {rating.ordinary}, the average: {self.source.system.name} does not say it")

    def _set_skill(self, rating: Rating) -> None:
        told = [self._best(ability) for ability in rating.covers if ability in self.told]
        if told:
            self._nearest(rating, told)

    def _best(self, ability: str) -> _Told:
        """The best of several ratings for one ability: a person with two ways uses the better one."""
        return max(self.told[ability], key=lambda told: told.odds)

    def _nearest(self, rating: Rating, told: list[_Told]) -> None:
        """Give a rating the value whose odds lie nearest to the mean of what the source says."""
        goal = sum(source.odds for source in told) / len(told)
        values = range(rating.low, max(rating.low, self.target.portrayal.highest(self.target.rules, rating, self.values)) + 1)
        odds_by_value = {value: odds(self.target, rating, {**self.values, rating.key: value}) for value in values}
        value = min(values, key=lambda value: (round(abs(odds_by_value[value] - goal), 6), abs(value - rating.ordinary)))
        if self.fighting and not rating.attribute and set(rating.covers) & set(FIGHTING):
            most = max(values[-1], rating.in_play)
            self._put(rating, min(most, max(values[0], value + self.fighting)), told, fitted=True)
            return
        self._put(rating, value, told)
        reached = sorted(set(odds_by_value.values()))
        if goal > reached[-1] + _half_step(reached[-2:]):
            self.lost.append(f"{_named(told)}: {rating.name} cannot be higher than {value} in {self.target.system.name}")
        elif goal < reached[0] - _half_step(reached[:2]):
            self.lost.append(f"{_named(told)}: {rating.name} cannot be lower than {value} in {self.target.system.name}")

    def _put(self, rating: Rating, value: int, told: list[_Told], *, by_book: bool = False, fitted: bool = False) -> None:
        self.values[rating.key] = value
        sources = {
            source.rating.key: (source.rating.name, source.value, round(self.source_chances[source.rating.key], 4)) for source in told
        }
        now = chance(self.target, rating, self.values)
        self.rows.append(Row(rating.name, value, round(now, 4), tuple(sources.values()), by_book, fitted))

    def _list_lost_skills(self, ratings: Iterable[Rating]) -> None:
        """List the skills of the source that no skill of the target stands for."""
        covered = {ability for rating in ratings if rating.written for ability in rating.covers}
        skills = {told.rating.key: told for several in self.told.values() for told in several if not told.rating.attribute}
        for told in skills.values():
            if not covered & set(told.rating.covers):
                self.lost.append(f"{told.rating.name} {told.value}: {self.target.system.name} has no such skill")

    def _swap(self, name: str, *, armour: bool) -> Swap | None:
        """What stands for a weapon or suit of armour, if anything does."""
        mine, theirs = (
            (side.portrayal.armour(side.rules) if armour else side.portrayal.weapons(side.rules)) for side in (self.source, self.target)
        )
        own = next((item for item in mine if item.name == name), None)
        if own is None:
            self.lost.append(f"{name}: no other game has its like")
            return None
        other = _likest(own, mine, theirs, ARMOUR if armour else WEAPONS)
        if other is None:
            self.lost.append(f"{name}: {self.target.system.name} has nothing of the kind")
            return None
        if other.kind != own.kind:
            self.assumed.append(f"{other.name} for {name}: {self.target.system.name} has no {own.kind}")
        return Swap(name, round(own.worth, 4), other.name, round(other.worth, 4), armour)


def _likest(own: Item, mine: Iterable[Item], theirs: Iterable[Item], kinds: Mapping[str, tuple[str, ...]]) -> Item | None:
    """The item of the same kind, or of the likest kind that there is, whose odds against the usual item of its kind are nearest.

    A game may be deadlier than another throughout; a light pistol is still a light one there.
    """
    listed = tuple(theirs)
    goal = _log_odds(own.worth) - _usual(item for item in mine if item.kind == own.kind)
    for kind in (own.kind, *kinds.get(own.kind, ())):
        same = [item for item in listed if item.kind == kind]
        if same:
            usual = _usual(same)
            return min(same, key=lambda item: (item.name != own.name, round(abs(_log_odds(item.worth) - usual - goal), 6)))
    return None


def _usual(items: Iterable[Item]) -> float:
    """The mean log-odds of items."""
    worths = [_log_odds(item.worth) for item in items]
    return sum(worths) / len(worths)


def _half_step(ends: Sequence[float]) -> float:
    """Half the difference that the last step of a rating makes, at one end: what rounding alone may cost."""
    return (ends[-1] - ends[0]) / 2


def _named(told: Iterable[_Told]) -> str:
    return join(list(dict.fromkeys(f"{source.rating.name} {source.value}" for source in told)))
