"""What the lab has to say about a scene: chances with their intervals, the number of rounds, the losses on each side.

Whether a scene was solved or sampled, the answer is one table: how it can end (who carried it, who was lost, in which round)
and how likely, or how often, that is. Everything else follows from the table.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

QUESTIONS = ("win", "rounds", "losses", "all")
"""What can be asked. Each goes to the game's lens: the less is asked, the more states fall together.

- win: who carries it, and in which round it ends. The lens may level all but that.
- rounds: in which round it ends. The lens may level the winner too, so none is told.
- losses: as win, and how many of each side are out in the end. The lens keeps how many are out on each side.
- all: nothing is levelled that anybody could ask for.

A lens may level the number of the round under every question: the lab counts rounds by how far each step advances them.
"""

MOST_ROUNDS_LISTED = 200
"""How many rounds `public` lists one by one; what comes later stands together under `later`."""


Fate = tuple[str | None, tuple[int, ...]]
"""How it ended as far as the question goes: the winner, and the losses where they were asked for."""


class End(NamedTuple):
    """A way for the scene to end: who carried it (None for nobody), how many of each side are out, and the round it ended in."""

    winner: str | None
    losses: tuple[int, ...]
    round: int

    @classmethod
    def of(cls, fate: Fate, at: int) -> "End":
        """A fate, met in a round."""
        return cls(fate[0], fate[1], at)


class Chance(Struct, frozen=True):
    """A chance, and the interval that it lies in."""

    chance: float
    interval: tuple[float, float]

    def public(self) -> dict[str, Any]:
        """What other programs get to see."""
        return {"chance": self.chance, "interval": list(self.interval)}


class Spread(Struct, frozen=True):
    """How a number is distributed: its mean, the interval of the mean where one is known, and the chance of each value.

    While something is unsettled the chances are what is known of each, and add up to what is settled; the mean is that of the
    settled part, and nobody's guess (None in `public`, 0 here) where nothing is settled.
    """

    mean: float
    chance: dict[int, float]
    interval: tuple[float, float] | None = None
    later: float = 0.0
    """The chance of values beyond those listed."""

    def public(self) -> dict[str, Any]:
        """What other programs get to see."""
        first = dict(list(self.chance.items())[:MOST_ROUNDS_LISTED])
        later = self.later + sum(self.chance.values()) - sum(first.values())
        result: dict[str, Any] = {"mean": self.mean if self.chance or self.later else None}
        if self.interval is not None:
            result["interval"] = list(self.interval)
        result["chance"] = listed(first)
        if len(first) < len(self.chance) or self.later:
            result["later"] = later
        return result


class Outlook(Protocol):
    """What is known of a scene, whether it was solved or sampled."""

    @property
    def question(self) -> str: ...
    @property
    def sides(self) -> Mapping[str, Chance]: ...
    @property
    def draw(self) -> Chance: ...
    @property
    def rounds(self) -> Spread: ...
    @property
    def losses(self) -> Mapping[str, Spread]: ...
    @property
    def tallies(self) -> Mapping[str, Mapping[str, Spread]]: ...
    def by_round(self, winner: str | None, /) -> Mapping[int, float]: ...


def public_of(outlook: Outlook) -> dict[str, Any]:
    """The answers that other programs get to see."""
    result: dict[str, Any] = {}
    if outlook.question != "rounds":
        result["sides"] = {side: chance.public() for side, chance in outlook.sides.items()}
        result["draw"] = outlook.draw.public()
    result["rounds"] = outlook.rounds.public()
    if outlook.losses:
        result["losses"] = {side: spread.public() for side, spread in outlook.losses.items()}
    if outlook.tallies:
        result["tallies"] = {side: {what: spread.public() for what, spread in by.items()} for side, by in outlook.tallies.items()}
    if outlook.question != "rounds":
        result["by_round"] = {side or "nobody": listed(outlook.by_round(side)) for side in (*outlook.sides, None)}
    return result


def asked(question: str) -> str:
    """The question, if it is one."""
    if question not in QUESTIONS:
        raise UserError(f"the lab does not know the question {question!r}; ask for one of {', '.join(QUESTIONS)}")
    return question


def sides_of(scene: Scene[S], state: S) -> dict[str, tuple[str, ...]]:
    """The sides that meet; refuses a scene without any, or with one that nobody stands on."""
    sides = dict(scene.sides(state))
    if not sides:
        raise UserError("the scene has no sides: somebody has to meet somebody")
    for side, members in sides.items():
        if not members:
            raise UserError(f"side {side!r} has no members: put somebody on it or leave it out")
    return sides


def lost_by(scene: Scene[S], question: str, sides: Mapping[str, tuple[str, ...]]) -> Callable[[S], tuple[int, ...]]:
    """A function that counts who is out on each side, in their order; nobody is counted where the question does not ask.

    Where all is asked for, what the scene tallies comes after the losses, in the order of `tallied`.
    """
    members = [frozenset(names) for names in sides.values()] if question in ("losses", "all") else []

    def lost(state: S) -> tuple[int, ...]:
        if not members:
            return ()
        out = scene.out(state)
        losses = [len(names & out) for names in members]
        if question == "all":
            losses += [count for side in scene.tally(state).values() for count in side.values()]
        return tuple(losses)

    return lost


def tallied(scene: Scene[S], state: S, question: str) -> tuple[tuple[str, str], ...]:
    """What is counted beside the losses: side and name of each, in order."""
    if question != "all":
        return ()
    return tuple([(side, name) for side, counts in scene.tally(state).items() for name in counts])


def ending(scene: Scene[S], question: str, sides: Mapping[str, tuple[str, ...]]) -> Callable[[S], Fate | None]:
    """A function that tells how a state ended, as far as the question goes; None while it goes on."""
    lost = lost_by(scene, question, sides)
    with_winner = question != "rounds"

    def ended(state: S) -> Fate | None:
        result = scene.result(state)
        return None if result is None else (result.winner if with_winner else None, lost(state))

    return ended


def summed(ends: Mapping[End, float], key: "Callable[[End], Any]") -> dict[Any, float]:
    """The table added up by something that follows from an end, in rising order."""
    result: dict[Any, float] = {}
    for end, amount in ends.items():
        of = key(end)
        result[of] = result.get(of, 0.0) + amount
    return result


def in_order(values: Mapping[int, float]) -> dict[int, float]:
    """The values from the least to the greatest."""
    return dict(sorted(values.items()))


def listed(chances: Mapping[int, float]) -> dict[str, float]:
    """Chances by number as other programs get to see them, not too many of them."""
    return {str(value): chance for value, chance in list(chances.items())[:MOST_ROUNDS_LISTED]}


def mean_of(values: Mapping[int, float]) -> float:
    """The mean of weighted numbers; 0 where there are none."""
    total = sum(values.values())
    return sum(value * amount for value, amount in values.items()) / total if total else 0.0


def winners(sides: Iterable[str], ends: Mapping[End, float]) -> list[str]:
    """Everybody who could carry it: all sides, and whoever else a game lets win."""
    result = dict.fromkeys(sides)
    result.update(dict.fromkeys(end.winner for end in ends if end.winner is not None))
    return list(result)
