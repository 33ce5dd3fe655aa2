"""A tournament of tactics: the win chance of every tactic of one side against every tactic of the other."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import Chance, sides_of
from rulewright.lab.sampling.sample import sample
from rulewright.lab.solver.state_graph import Progress, Report
from rulewright.play import Choice, Given, Tactic, is_local
from rulewright.play.intervals import wilson
from rulewright.scenes.scene import Scene, someone_of

FIGHTS = 100
"""The default number of fights for each pair of tactics."""
AS_WRITTEN = "as written"
"""The tactics of the scenario itself."""


class BySide:
    """A tactic that delegates to the tactic of the member who is asked."""

    def __init__(self, usual: Tactic, tactics: Mapping[str, Tactic]) -> None:
        self.usual = usual
        self.tactics = dict(tactics)
        self.local = all(is_local(tactic) for tactic in [usual, *tactics.values()])

    def __call__(self, choice: Choice[Any]) -> Given:
        return self.tactics.get(choice.who, self.usual)(choice)


class Standing(Struct, frozen=True):
    """The win chance of a tactic against each tactic of the other side, and on average."""

    side: str
    tactic: str
    against: dict[str, Chance]
    average: float

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        against = {other: chance.public() for other, chance in self.against.items()}
        return {"side": self.side, "tactic": self.tactic, "average": self.average, "against": against}


class Tournament(Struct, frozen=True):
    """All tactics of both sides, the best first. A draw counts half for both."""

    sides: tuple[str, str]
    n: int
    standings: tuple[Standing, ...]
    interrupted: bool = False

    def of(self, side: str) -> tuple[Standing, ...]:
        """The tactics of one side."""
        return tuple([standing for standing in self.standings if standing.side == side])

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = {"sides": list(self.sides), "n": self.n, "standings": [standing.public() for standing in self.standings]}
        if self.interrupted:
            result["stopped"] = "interrupted"
        return result


def tournament(
    scene: Scene[Any],
    state: Any,
    decide: Tactic,
    tactics: Mapping[str, Tactic],
    n: int = FIGHTS,
    *,
    rounds: int | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Report | None = None,
) -> Tournament:
    """Play every tactic of one side against every tactic of the other, n fights each. `decide` is the tactic of the scenario.

    Ctrl-C returns the results so far.
    """
    sides = sides_of(scene, state)
    if len(sides) != 2:
        raise UserError(f"a tournament needs two sides, not {len(sides)}")
    if not tactics:
        raise UserError("this scene has no tactics to compare")
    first, second = sides
    names = [AS_WRITTEN, *tactics]
    met: dict[tuple[str, str], Chance] = {}
    interrupted = False
    try:
        for mine in names:
            for theirs in names:
                met[mine, theirs] = _met(
                    scene,
                    state,
                    _paired(decide, tactics, {first: (mine, sides[first]), second: (theirs, sides[second])}),
                    n,
                    first,
                    second,
                    rounds,
                    seed,
                    workers,
                )
                if progress is not None and progress(Progress("pairs of tactics", len(met), len(names) ** 2, 0.0)) is False:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        interrupted = True
    standings = [_standing(first, mine, {theirs: met[mine, theirs] for theirs in names if (mine, theirs) in met}) for mine in names]
    mirrored = {pair: _mirrored(chance) for pair, chance in met.items()}
    standings += [_standing(second, theirs, {mine: mirrored[mine, theirs] for mine in names if (mine, theirs) in met}) for theirs in names]
    known = [standing for standing in standings if standing.against]
    known.sort(key=lambda standing: (standing.side != first, -standing.average))
    return Tournament((first, second), n, tuple(known), interrupted)


def _paired(decide: Tactic, tactics: Mapping[str, Tactic], chosen: Mapping[str, tuple[str, tuple[str, ...]]]) -> Tactic:
    """A tactic in which each side follows a named tactic, or that of the scenario."""
    by_name: dict[str, Tactic] = {}
    for side, (name, members) in chosen.items():
        if name != AS_WRITTEN:
            by_name |= dict.fromkeys((*members, someone_of(side)), tactics[name])
    return BySide(decide, by_name) if by_name else decide


def _met(
    scene: Scene[Any], state: Any, decide: Tactic, n: int, first: str, second: str, rounds: int | None, seed: int, workers: int
) -> Chance:
    sampled = sample(scene, state, decide, n, question="win", rounds=rounds, seed=seed, tables=False, workers=workers)
    if sampled.interrupted:
        raise KeyboardInterrupt
    won = sum(count * (1.0 if end.winner == first else 0.5 if end.winner != second else 0.0) for end, count in sampled.counts.items())
    won += sampled.cut / 2
    low, high = wilson(int(won), n)[0], wilson(min(n, int(won + 0.5)), n)[1]
    return Chance(won / n, (low, high))


def _mirrored(chance: Chance) -> Chance:
    return Chance(1 - chance.chance, (1 - chance.interval[1], 1 - chance.interval[0]))


def _standing(side: str, tactic: str, against: dict[str, Chance]) -> Standing:
    return Standing(side, tactic, against, sum(chance.chance for chance in against.values()) / len(against) if against else 0.0)
