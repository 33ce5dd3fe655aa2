"""Fits the value of positions: `python -m benchmarks positions [--fights N] [GAME/KIND ...]`.

Plays the ready-made scenarios of each kind of scene by random tactics with some random answers, and fits a logistic regression of the
winner on the features of the positions in between (`Scene.position`). It prints the error on fights that the fit did not see, and writes
the weights into the game's package. It also measures how many steps a search plays in a second.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from benchmarks.strength import scenarios
from rulewright import library
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.opponent_model import said
from rulewright.lab.search.playouts import Playing, Policy
from rulewright.play import Choice, Driver, Given, Player, Range, Roll, Seeded
from rulewright.play.position_value import FILE, OWN, Weights, weights_by_kind

STRAY = 0.08
"""The share of answers that are drawn at random, so that positions that no tactic seeks come up too."""
HELD_OUT = 5
"""Every so many fights one is not fitted."""
RIDGE = 2.0
"""The penalty of large weights, in standard deviations of a feature."""
MOST_STEPS = 3_000
MOST_ROUNDS = 40
SEED = 20


class Seen(NamedTuple):
    """A position of a fight: its features, who won in the end (0.5: nobody), and which fight it was."""

    scenario: str
    fight: int
    features: dict[str, float]
    won: float


class _Straying(Driver):
    """Answers by a tactic of each side, and now and then at random."""

    def __init__(self, staged: library.Staged, draw: random.Random) -> None:
        self.draw = draw
        self.dice = Player(Seeded(draw.getrandbits(60)), staged.decide)
        self.usual = staged.decide
        tactics = list(staged.system.staging(staged.scene.kind).tactics.values())
        sides = staged.scene.sides(staged.state)
        own = {side: draw.choice([staged.decide, *tactics]) for side in sides}
        self.tactic_by_name = {name: own[side] for side, names in sides.items() for name in names}

    def roll(self, roll: Roll[Any]) -> Any:
        return self.dice.roll(roll)

    def choose(self, choice: Choice[Any]) -> Any:
        return choice.take(self._given(choice))

    def _given(self, choice: Choice[Any]) -> Given:
        if self.draw.random() < STRAY and not isinstance(choice.options, Range) and len(choice.options) > 1:
            return self.draw.choice(choice.options).key
        return said(self.tactic_by_name.get(choice.who, self.usual), choice, self.usual)


@cache
def kinds() -> dict[tuple[str, str], list[str]]:
    """The scenarios of each game and kind of scene whose positions have features."""
    names: dict[tuple[str, str], list[str]] = {}
    for name in scenarios():
        staged = library.stage(name)
        if staged.scene.position(staged.state, next(iter(staged.scene.sides(staged.state)))) is not None:
            names.setdefault((name.partition("/")[0], staged.scene.kind), []).append(name)
    return names


def positions(name: str, fights: int) -> Iterator[Seen]:
    """The positions of some fights of a scenario, about one a round, for the first side."""
    staged = library.stage(name)
    scene, side = staged.scene, next(iter(staged.scene.sides(staged.state)))
    for number in range(fights):
        driver = _Straying(staged, random.Random(seed_of(SEED, f"{name}/{number}")))
        state, last = staged.state, scene.elapsed(staged.state)
        features: list[dict[str, float]] = []
        result = scene.result(state)
        for _ in range(MOST_STEPS):
            result = scene.result(state)
            if result is not None or scene.round(state) > staged.scenario.rounds:
                break
            if scene.elapsed(state) >= last + 1 and len(features) < MOST_ROUNDS:
                last = scene.elapsed(state)
                features.append(dict(scene.position(state, side) or {}))
            state = driver.run(scene.step(state))
        won = 0.5 if result is None or result.winner is None else float(result.winner == side)
        yield from [Seen(name, number, numbers, won) for numbers in features]


def fitted(rows: Sequence[Seen]) -> dict[str, float]:
    """The weights of a logistic regression with a penalty, without a constant: both sides are rated by the same figures."""
    names = sorted({name for row in rows for name in row.features if not name.startswith(OWN)})
    x, y, weight = _matrix(rows, names)
    scale = np.sqrt((weight[:, None] * x**2).sum(0) / weight.sum()) + 1e-9
    z, beta = x / scale, np.zeros(len(names))
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(z @ beta, -30, 30)))
        gradient = z.T @ (weight * (p - y)) + RIDGE * beta
        curve = (z * (weight * p * (1 - p))[:, None]).T @ z + RIDGE * np.eye(len(names))
        step = np.linalg.solve(curve, gradient)
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    return {name: round(float(value), 4) for name, value in zip(names, beta / scale, strict=True)}


def _matrix(rows: Sequence[Seen], names: list[str]) -> tuple[Any, Any, Any]:
    """Features, results, and the weight of each position: all positions of a fight together count as one fight and a half."""
    counts: dict[tuple[str, int], int] = {}
    for row in rows:
        counts[row.scenario, row.fight] = counts.get((row.scenario, row.fight), 0) + 1
    x = np.array([[row.features.get(name, 0.0) for name in names] for row in rows])
    y = np.array([row.won for row in rows])
    return x, y, np.array([1.5 / counts[row.scenario, row.fight] for row in rows])


def error(rows: Sequence[Seen], weights: Weights, averages: Mapping[str, float]) -> tuple[float, float, float]:
    """The mean squared error of the estimate, that of each scenario's average, and the correlation within scenarios."""
    estimate = np.array([weights.estimate(row.features) for row in rows])
    won, average = np.array([row.won for row in rows]), np.array([averages[row.scenario] for row in rows])
    scenario = np.array([row.scenario for row in rows])
    within, other = estimate.copy(), won.copy()
    for name in set(scenario):
        these = scenario == name
        within[these] -= estimate[these].mean()
        other[these] -= won[these].mean()
    spread = math.sqrt(float((within**2).sum() * (other**2).sum()))
    correlation = float((within * other).sum()) / spread if spread else 0.0
    return float(((estimate - won) ** 2).mean()), float(((average - won) ** 2).mean()), correlation


def pace(names: Sequence[str], near: float) -> int:
    """Steps, rolls and decisions a second of playouts that are cut short."""
    steps, seconds = 0, 0.0
    for name in names:
        staged = library.stage(name)
        side = next(iter(staged.scene.sides(staged.state)))
        watch = Watch()
        playing = Playing(staged.scene, Policy(staged.decide), staged.scenario.rounds, watch)
        watch.begin()
        began, number = time.thread_time(), 0
        while time.thread_time() < began + 0.3:
            playing.fight(staged.scene.step(staged.state), side, number, near, "start")
            number += 1
        steps, seconds = steps + watch._steps, seconds + time.thread_time() - began
    return max(100, int(round(steps / seconds, -2)))


def fit(game: str, kind: str, names: Sequence[str], fights: int) -> Weights:
    """Fit one kind of scene, print the held-out error, and return the weights."""
    began = time.process_time()
    rows = [row for name in names for row in positions(name, fights)]
    seen, unseen = [row for row in rows if row.fight % HELD_OUT], [row for row in rows if not row.fight % HELD_OUT]
    before = weights_by_kind(library.stage(names[0]).scene.rules.book.package).get(kind, Weights())
    held_out = Weights(weights=fitted(seen))
    averages = {name: float(np.mean([row.won for row in seen if row.scenario == name] or [0.5])) for name in names}
    ours, average, correlation = error(unseen, held_out, averages)
    print(f"{game}/{kind}: {len(rows)} positions of {fights * len(names)} fights, {time.process_time() - began:.0f} s")
    print(f"  held-out mean squared error {ours:.3f}, by the scenario's average {average:.3f}, correlation within {correlation:.2f}")
    for name in names:
        own = error([row for row in unseen if row.scenario == name] or unseen, held_out, averages)
        print(f"    {name:<28} {own[0]:.3f} against {own[1]:.3f}, correlation {own[2]:.2f}", flush=True)
    return Weights(weights=fitted(rows), near=before.near, far=before.far, steps_a_second=pace(names, before.near))


def write(game: str, kind: str, weights: Weights) -> None:
    """Put the weights of a kind of scene into the game's table."""
    package = library.stage(kinds()[game, kind][0]).scene.rules.book.package
    file = resources.files(package).joinpath(FILE)
    table = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    about = {"near": weights.near, "far": weights.far, "steps_a_second": weights.steps_a_second}
    table[kind] = {**about, "weights": weights.weights}
    with open(str(file), "w", encoding="utf-8") as out:
        out.write(json.dumps(table, indent=1) + "\n")


def main(arguments: list[str]) -> int:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks positions")
    parser.add_argument("kinds", nargs="*", metavar="GAME/KIND")
    parser.add_argument("--fights", type=int, default=150, help="fights of each scenario")
    given = parser.parse_args(arguments)
    for (game, kind), names in kinds().items():
        if not given.kinds or f"{game}/{kind}" in given.kinds or game in given.kinds:
            write(game, kind, fit(game, kind, names, given.fights))
    return 0
