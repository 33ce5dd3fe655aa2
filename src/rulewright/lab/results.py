"""Results of simulations: win chances with intervals, the number of rounds, the losses of each side.

A solved and a sampled scene have the same kind of result: a table of ends (winner, losses, round) with the probability or the count of
each. Everything else follows from this table.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

QUESTIONS = ("win", "rounds", "losses", "all")
"""What to calculate. The game's lens uses the question to merge states: a smaller question merges more of them.

- win: the winner, and the round of the end. The lens may merge states that differ in anything else.
- rounds: the round of the end. The lens may also merge states with different winners, so the winner is unknown.
- losses: as win, and how many members of each side are out at the end.
- all: everything that a game counts.

A lens may merge states of different rounds under every question: the lab counts rounds by how far each step advances them.
"""

MOST_ROUNDS_LISTED = 200
"""How many rounds `public` lists; later rounds are summed under `later`."""


Fate = tuple[str | None, tuple[int, ...]]
"""An end without its round: the winner, and the losses if the question includes them."""


class End(NamedTuple):
    """An end of a scene: the winner (None for a draw), how many of each side are out, and the round."""

    winner: str | None
    losses: tuple[int, ...]
    round: int

    @classmethod
    def of(cls, fate: Fate, at: int) -> "End":
        """An end from a fate and its round."""
        return cls(fate[0], fate[1], at)


class Chance(Struct, frozen=True):
    """A chance with its interval."""

    chance: float
    interval: tuple[float, float]

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        return {"chance": self.chance, "interval": list(self.interval)}


class Spread(Struct, frozen=True):
    """The distribution of a number: its mean, the interval of the mean if it is known, and the chance of each value.

    If part of the probability is unsettled, the chances add up to the settled part, and the mean is that of the settled part. If nothing
    is settled, the mean is 0 (None in `public`).
    """

    mean: float
    chance: dict[int, float]
    interval: tuple[float, float] | None = None
    later: float = 0.0
    """The chance of values beyond those listed."""

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
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
    """The result of a scene, solved or sampled."""

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
    """The result as plain data."""
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
    """Check a question; raises UserError if it is unknown."""
    if question not in QUESTIONS:
        raise UserError(f"there is no question {question!r}; give one of {', '.join(QUESTIONS)}")
    return question


def sides_of(scene: Scene[S], state: S) -> dict[str, tuple[str, ...]]:
    """The sides of a scene; raises UserError if there are none, or one has no members."""
    sides = dict(scene.sides(state))
    if not sides:
        raise UserError("the scene has no sides; give at least one with members")
    for side, members in sides.items():
        if not members:
            raise UserError(f"side {side!r} has no members: add one or leave the side out")
    return sides


def lost_by(scene: Scene[S], question: str, sides: Mapping[str, tuple[str, ...]]) -> Callable[[S], tuple[int, ...]]:
    """A function that counts the members of each side who are out; empty if the question does not include losses.

    For the question "all", the scene's tallies follow the losses, in the order of `tallied`.
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
    """The tallies beside the losses: side and name of each, in order."""
    if question != "all":
        return ()
    return tuple([(side, name) for side, counts in scene.tally(state).items() for name in counts])


def ending(scene: Scene[S], question: str, sides: Mapping[str, tuple[str, ...]]) -> Callable[[S], Fate | None]:
    """A function that gives the fate of a state; None while the fight goes on."""
    lost = lost_by(scene, question, sides)
    with_winner = question != "rounds"

    def ended(state: S) -> Fate | None:
        result = scene.result(state)
        return None if result is None else (result.winner if with_winner else None, lost(state))

    return ended


def summed(ends: Mapping[End, float], key: "Callable[[End], Any]") -> dict[Any, float]:
    """Sum the table of ends by a key."""
    totals: dict[Any, float] = {}
    for end, amount in ends.items():
        group = key(end)
        totals[group] = totals.get(group, 0.0) + amount
    return totals


def in_order(values: Mapping[int, float]) -> dict[int, float]:
    """Sort by value, ascending."""
    return dict(sorted(values.items()))


def listed(chances: Mapping[int, float]) -> dict[str, float]:
    """Chances by number as plain data, at most MOST_ROUNDS_LISTED."""
    return {str(value): chance for value, chance in list(chances.items())[:MOST_ROUNDS_LISTED]}


def mean_of(values: Mapping[int, float]) -> float:
    """The mean of weighted numbers; 0 if there are none."""
    total = sum(values.values())
    return sum(value * amount for value, amount in values.items()) / total if total else 0.0


def winners(sides: Iterable[str], ends: Mapping[End, float]) -> list[str]:
    """All possible winners: the sides, and any other winner in the table."""
    names = dict.fromkeys(sides)
    names.update(dict.fromkeys(end.winner for end in ends if end.winner is not None))
    return list(names)
