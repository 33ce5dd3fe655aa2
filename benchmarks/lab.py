"""Whole fights solved and sampled, compared with the same fights played step by step, for every game.

Stepping is what the play driver does: every rule runs, every die is rolled and recorded. All sides use the scenario's tactics. Times are
processor time, so that a busy machine affects both; only two workers against one are measured by the clock.
"""

import multiprocessing
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Any

from rulewright.errors import UserError
from rulewright.play import Player, Seeded
from rulewright.scenes.scene import run

DUELS = {
    "scumm": ("S.C.U.M.M.", "scumm/duel"),
    "silhouette": ("Silhouette", "silhouette/duel"),
    "hybrid": ("Hybrid", "hybrid/knife-fight"),
    "ore": ("ORE", "ore/duel"),
    "foresight": ("ForeSight", "foresight/gunslingers"),
}
FLOORS = {"scumm": 20, "silhouette": 20, "hybrid": 8, "ore": 40, "foresight": 8}
"""Required speed-up over stepping when sampling four against four."""
MACHINES, BATTLE, FIREFIGHT = "silhouette/town-duel", "silhouette/river-line", "silhouette/firefight"
BATTLES, WITHIN = 60, 5
"""Battles for the memory benchmark; steps of the people's firefight that one step of machines may take."""
UNCOUNTED, COUNTED, FILLED = 12, 12, 12
"""Battles of twelve machines a side: not counted, counted, and played to fill the caches."""
WHOLE = ("scumm", "silhouette")
"""The games whose duel is solved completely and sampled through tables alone."""

STEPPED_SECONDS, SOLVED_SECONDS = 2.0, 10.0
SOLVED_AGAINST = 50_000
SAMPLED, SAMPLED_WHOLE = 20_000, 100_000_000
GROUP = 24_000
BATCHES = 9
"""Batches measured after the first, pooled: within seconds only about ten fights can be stepped, long and short ones."""
LEARNED_SECONDS = 20.0
"""How long a batch of four against four would take to step. Long runs learn from batches of thousands."""
GROWTH = ((1, 1), (2, 2), (4, 4), (8, 8), (20, 4))
MINUTE, CLOSE = 60.0, 0.01
"""Time limit and precision for solving two against two."""
MEMORY = 300
"""Megabytes above the idle process that ten million duels may take."""


def rows() -> Iterator[dict[str, Any]]:
    """All benchmarks of this module; games that are missing are skipped."""
    for game, (name, duel) in DUELS.items():
        try:
            from rulewright.library import stage

            staged = stage(duel)
            several = crowd(duel, 4, 4)
        except (ImportError, UserError):
            continue
        fight = seconds_a_fight(staged)
        yield solved(name, staged, fight, game in WHOLE)
        yield sampled(name, staged, fight, game in WHOLE)
        yield grouped(name, several, FLOORS[game])
        if game == "scumm":
            yield from long_runs(name, staged, several)
            yield from growth(name, duel)
            yield closed(name, duel)
        if game == "silhouette":
            yield sampled("Silhouette machines'", stage(MACHINES), seconds_a_fight(stage(MACHINES)), False, floor=5)
            yield from battles(stage(BATTLE), stage(FIREFIGHT))


def crowd(duel: str, left: int, right: int) -> Any:
    """A duel's scenario with several copies of the people on each side."""
    from rulewright.library import stage, take

    sides = {}
    for (side, members), count in zip(take(duel, "scenario").thing.sides.items(), (left, right), strict=True):
        member = members[0]
        sides[side] = [{"character": member.character, "tactic": member.tactic, "state": member.state, "count": count}]
    return stage(duel, changes={"sides": sides})


def seconds_a_fight(staged: Any, first: int = 0, seconds: float = STEPPED_SECONDS) -> float:
    """Seconds of one stepped fight; `first` is the first seed, so that no fight is played twice."""
    run_one(staged, first)
    began, done = process_time(), 0
    while process_time() - began < seconds:
        done += 1
        run_one(staged, first + done)
    return (process_time() - began) / done


def run_one(staged: Any, seed: int) -> None:
    """Play one fight step by step."""
    Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))


def _row(name: str, ours: float, peer: str, theirs: float, floor: float | None) -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": peer, "theirs": theirs, "ratio": theirs / ours, "floor": floor}


def solved(name: str, staged: Any, fight: float, whole: bool) -> dict[str, Any]:
    """The duel solved, completely or within some seconds."""
    from rulewright.lab import solve

    began = process_time()
    budget = None if whole else SOLVED_SECONDS
    result = solve(staged.scene, staged.state, staged.decide, rounds=staged.scenario.rounds, seconds=budget)
    ours = process_time() - began
    first = next(iter(result.sides))
    low, high = result.sides[first].interval
    bounds = f"{first} {low:.2%}" if result.exact else f"{first} {low:.2%} to {high:.2%}"
    label = f"{name} duel solved: {result.states:,} states, {result.settled:.2%} settled, {bounds}"
    return _row(label, ours, f"{SOLVED_AGAINST:,} stepped fights", fight * SOLVED_AGAINST, 1 if whole else None)


def sampled(name: str, staged: Any, fight: float, whole: bool, floor: float = 2) -> dict[str, Any]:
    """Seconds of a sampled duel, including all preparation, compared with fights stepped before and after."""
    from rulewright.lab import sample

    count = SAMPLED_WHOLE if whole else SAMPLED
    began = process_time()
    result = sample(staged.scene, staged.state, staged.decide, count, question="win", seed=1, rounds=staged.scenario.rounds)
    ours = (process_time() - began) / count
    fight = fmean((fight, seconds_a_fight(staged, 1_000_000)))
    label = f"{name} duel sampled, a fight of {count:,} ({result.how}, {result.states or 0:,} states)"
    return _row(label, ours, "stepping", fight, 1000 if whole else floor)


def grouped(name: str, staged: Any, floor: float) -> dict[str, Any]:
    """Seconds of a fight of four against four, after the first batch has filled the caches."""
    from rulewright.lab.sampling.batches import LARGE_BATCH, Stepping

    fight = seconds_a_fight(staged)
    stepping = Stepping(staged.scene, staged.state, staged.decide, "win", 1, 10**9, staged.scenario.rounds, 10_000)
    stepping.size = size = max(20, min(LARGE_BATCH, int(LEARNED_SECONDS / fight)))
    stepping(0)
    times = []
    for number in range(1, BATCHES + 1):
        before = seconds_a_fight(staged, number * 1_000_000, STEPPED_SECONDS / 2)
        began = process_time()
        stepping(number)
        ours = (process_time() - began) / size
        after = seconds_a_fight(staged, number * 1_000_000 + 500_000, STEPPED_SECONDS / 2)
        times.append((ours, fmean((before, after))))  # stepping before and after: other load affects both
    ours, theirs = [fmean(column) for column in zip(*times, strict=True)]
    return _row(f"{name} 4 v 4 sampled, a fight after the first batch of {size:,}", ours, "stepping", theirs, floor)


def battles(machines: Any, people: Any) -> Iterator[dict[str, Any]]:
    """Twelve machines a side: a step compared with steps of people, and the memory of many battles.

    Caches are bounded, so memory is the same after a few hundred battles and after ten thousand.
    """
    for recorded in (False, True):
        ours, theirs = steps_by_turns(machines, people, recorded)
        label = "Silhouette 12 v 12 machines, a step" + (", all options made and written down" if recorded else "")
        yield _row(label, ours, f"{WITHIN} steps of the people's firefight", WITHIN * theirs, None)
    used, taken = _apart(_memory, machines, BATTLES)
    label = f"Silhouette 12 v 12 machines, {BATTLES} battles: {used:.0f} MB over the idle process, of {MEMORY} MB"
    yield _row(label, taken, "the memory allowed", taken * MEMORY / used, 1)
    most, taken = _apart(_bounded, machines)
    label = f"Silhouette 12 v 12 machines, everything remembered filled to its bound: {most:.0f} MB, of {MEMORY} MB"
    yield _row(label, taken, "the memory allowed", taken * MEMORY / most, 1)


def steps_by_turns(machines: Any, people: Any, recorded: bool) -> tuple[float, float]:
    """Seconds of a step of machines and of a step of people: the median of some battles, after a warm-up. Both take turns."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(UNCOUNTED + COUNTED):
        for times, staged, fights in ((taken[0], machines, 1), (taken[1], people, 8)):
            began = process_time()
            steps = sum([steps_of(staged, number * fights + fight, recorded) for fight in range(fights)])
            times.append((process_time() - began) / steps)
    return median(taken[0][UNCOUNTED:]), median(taken[1][UNCOUNTED:])


def steps_of(staged: Any, seed: int, recorded: bool = False) -> int:
    """The number of steps of one fight. If recorded, every option of every question is created for its fingerprint."""
    player, state, steps = Player(Seeded(seed), staged.decide), staged.state, 0
    while staged.scene.result(state) is None:
        state, steps = player.run(staged.scene.step(state)), steps + 1
        if recorded:
            assert player.record
    return steps


def long_runs(name: str, duel: Any, several: Any) -> Iterator[dict[str, Any]]:
    """Two workers compared with one, and the memory of ten million duels."""
    from rulewright.lab import sample

    taken: dict[int, list[float]] = {1: [], 2: []}
    for workers in (1, 2) * 3:  # in turn, the best of three, because the clock also counts other load
        began = perf_counter()
        sample(several.scene, several.state, several.decide, GROUP, seed=1, rounds=several.scenario.rounds, tables=False, workers=workers)
        taken[workers].append(perf_counter() - began)
    yield _row(f"{name} 4 v 4, {GROUP:,} fights on two workers, by the clock", min(taken[2]), "one worker", min(taken[1]), 1.7)
    for count in (100_000, 10_000_000):
        used, seconds = _apart(_memory, duel, count)
        label = f"{name} duel, {count:,} fights: {used:.0f} MB over the idle process, of {MEMORY} MB"
        yield {
            "name": label,
            "ours": seconds,
            "peer": "the memory allowed",
            "theirs": seconds * MEMORY / used,
            "ratio": MEMORY / used,
            "floor": 1,
        }


def growth(name: str, duel: str) -> Iterator[dict[str, Any]]:
    """States, time, memory and settled share as the scene grows, each solved for some seconds."""
    for left, right in GROWTH:
        staged = crowd(duel, left, right)
        fight = seconds_a_fight(staged)
        (states, settled, low, high, seconds), used = _apart(_solved, staged)
        bounds = f"{low:.1%} to {high:.1%}" if high - low > 1e-6 else f"{low:.1%}"
        label = f"{name} {left} v {right} solved: {states:,} states, {settled:.1%} settled, {bounds}, {used:.0f} MB"
        yield _row(label, seconds, f"{SOLVED_AGAINST:,} stepped fights", fight * SOLVED_AGAINST, None)


def closed(name: str, duel: str) -> dict[str, Any]:
    """Two against two, solved until every chance is known within one percent."""
    (states, settled, low, high, seconds), used = _apart(_solved, crowd(duel, 2, 2), 3 * MINUTE, CLOSE)
    label = f"{name} 2 v 2 solved to ±{CLOSE:.0%}: {states:,} states, {settled:.1%} settled, {low:.1%} to {high:.1%}, {used:.0f} MB"
    return _row(label, seconds if high - low <= 2 * CLOSE else 3 * MINUTE, "a minute", MINUTE, 1)


def _apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """Run work in a new process with fresh memory."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_called, (work, *_sent(arguments)))


def _sent(arguments: tuple[Any, ...]) -> tuple[bytes]:
    from rulewright.lab.sampling.processes import pack

    return (pack(*arguments),)


def _called(work: Callable[..., Any], packed: bytes) -> Any:
    import pickle

    return work(*pickle.loads(packed))


def _megabytes() -> float:
    """The peak memory of this process. `getrusage` would include the peak of its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return float(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024


def _memory(staged: Any, count: int) -> tuple[float, float]:
    from rulewright.lab import sample

    idle, began = _megabytes(), process_time()
    sample(staged.scene, staged.state, staged.decide, count, question="win", seed=1, rounds=staged.scenario.rounds)
    return max(1.0, _megabytes() - idle), process_time() - began


def _bounded(staged: Any) -> tuple[float, float]:
    """The megabytes that all caches can take, including the sampler's own, estimated from entries after a few battles."""
    from benchmarks.remembered import MEGABYTE, kept, size_of
    from rulewright.lab.sampling.batches import Stepping

    began = process_time()
    stepping = Stepping(staged.scene, staged.state, staged.decide, "win", 1, FILLED, staged.scenario.rounds, 10_000)
    stepping(0)
    met = stepping.driver._met
    own = stepping.driver._remember * size_of([met]) / len(met) / MEGABYTE
    return own + sum([cache.at_most for cache in kept()]), process_time() - began


def _solved(
    staged: Any, most: float = SOLVED_SECONDS, precision: float | None = None
) -> tuple[tuple[int, float, float, float, float], float]:
    from rulewright.lab import solve

    idle, began = _megabytes(), process_time()
    result = solve(staged.scene, staged.state, staged.decide, rounds=staged.scenario.rounds, seconds=most, precision=precision)
    low, high = next(iter(result.sides.values())).interval
    return (result.states, result.settled, low, high, process_time() - began), max(1.0, _megabytes() - idle)
