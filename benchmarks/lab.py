"""Whole fights solved and sampled, against the same fights stepped one by one.

Stepping is what the play driver does: every rule runs, every die is rolled and recorded. All sides decide by the scenario's
tactics. Times are the processor's, so that a busy machine disturbs both sides alike.
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

from rulewright.encounter import run
from rulewright.errors import Wrong
from rulewright.play import Player, Seeded

DUEL = "scumm/duel"
STEPPED = 2_000
SOLVED_AGAINST = 50_000
SAMPLED = 1_000_000
PRECISION = 0.01


def rows() -> Iterator[dict[str, Any]]:
    """All comparisons, one row each; none where the game or its duel is not there."""
    try:
        from rulewright.shelf import stage

        staged = stage(DUEL)
    except (ImportError, Wrong):
        return
    fight = seconds_a_fight(staged)
    yield solved(staged, fight)
    yield sampled(staged, fight)


def seconds_a_fight(staged: Any) -> float:
    """What one fight takes when it is stepped."""
    run_one(staged, 0)
    began = process_time()
    for seed in range(1, STEPPED + 1):
        run_one(staged, seed)
    return (process_time() - began) / STEPPED


def run_one(staged: Any, seed: int) -> None:
    """One fight, stepped."""
    Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))


def solved(staged: Any, fight: float) -> dict[str, Any]:
    """The duel solved until every chance is certain within the precision."""
    from rulewright.lab import solve

    began = process_time()
    found = solve(staged.scene, staged.state, staged.decide, rounds=staged.scenario.rounds, precision=PRECISION)
    ours = process_time() - began
    name = f"S.C.U.M.M. duel solved to ± {PRECISION * 100:g} % ({found.states:,} states, {found.settled:.2%} settled)"
    theirs = fight * SOLVED_AGAINST
    return {"name": name, "ours": ours, "peer": f"{SOLVED_AGAINST:,} stepped fights", "theirs": theirs, "ratio": theirs / ours, "floor": 1}


def sampled(staged: Any, fight: float) -> dict[str, Any]:
    """A million duels sampled, by the fight."""
    from rulewright.lab import sample

    began = process_time()
    found = sample(staged.scene, staged.state, staged.decide, SAMPLED, seed=1, rounds=staged.scenario.rounds)
    ours = (process_time() - began) / SAMPLED
    name = f"S.C.U.M.M. duel sampled, a fight of {SAMPLED:,} ({found.how}, {found.states or 0:,} states)"
    return {"name": name, "ours": ours, "peer": "stepping", "theirs": fight, "ratio": fight / ours, "floor": 10}
