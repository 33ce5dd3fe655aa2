"""All ways of computing one number agree: solved, walked through tables, compiled, drawn, stepped, played with the same luck."""

from collections import Counter
from typing import Any

import pytest

from rulewright.lab import Variant, compare, sample, solve
from rulewright.lab.examples.coins import Coins, Lives
from rulewright.lab.results import End
from rulewright.lab.solver.state_graph import explore
from rulewright.play import Player, Seeded, first_option
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.scumm import SYSTEM
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear

from .lab_scenes import Archers, Bout, Field, Pools

np = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")

NEVER = 1e-5
"""How unlikely counts may be before the ways to get them are held to differ."""


def duel() -> Any:
    """A S.C.U.M.M. duel of two beginners, one round of it."""
    rules = SYSTEM.book.ruleset()
    gun = Character("Gun", attributes=Attributes(alertness=-1, body=-1), skills={"pistols": 1}, gear=Gear(guns=(".45 pistol",)))
    scenario = Scenario("scumm", "scenario", "test", {"us": [], "them": []}, rounds=1)
    members = [Placed(gun, "Ann", "us", None, {}), Placed(gun, "Bob", "them", (5.0, 0.0), {})]
    return SYSTEM.scene(rules), SYSTEM.begin(rules, scenario, members), SYSTEM.tactics["duellist"], 1


SCENES = {
    "coins": (Coins(), Lives(3, 2), first_option, None),
    "pools": (Pools(), Bout((3, 2), (2, 3), rounds=12), first_option, None),
    "archers": (Archers(2), Field(2, 2), first_option, 9),
    "scumm": duel(),
}


def likely(found: Counter[End], truth: dict[End, float]) -> bool:
    """Whether counts may have come from these chances (chi-squared, rare ends taken together)."""
    n = sum(found.values())
    assert found.keys() <= truth.keys()
    often = [end for end, chance in truth.items() if chance * n >= 5]
    counts = [found[end] for end in often]
    chances = [truth[end] for end in often]
    rest = 1 - sum(chances)
    if rest * n >= 1:
        counts.append(n - sum(counts))
        chances.append(rest)
    if len(counts) < 2:
        return True
    expected = np.array(chances) / sum(chances) * sum(counts)
    return float(stats.chisquare(counts, expected).pvalue) > NEVER


@pytest.mark.parametrize("name", SCENES)
def test_every_way_gives_the_same_distribution(name: str) -> None:
    scene, state, decide, rounds = SCENES[name]
    asked = {"question": "losses", "rounds": rounds}
    solved = solve(scene, state, decide, **asked)
    assert solved.exact
    truth = {end: chance for end, chance in solved.ends.items() if chance > 0}
    ways: dict[str, Counter[End]] = {
        "tables": Counter(sample(scene, state, decide, 20_000, seed=1, tables=True, **asked).counts),
        "drawn": Counter(sample(scene, state, decide, 1_500, seed=2, tables=False, **asked).counts),
        "two workers": Counter(sample(scene, state, decide, 1_200, seed=3, tables=False, workers=2, **asked).counts),
        "tables and steps": Counter(sample(scene, state, decide, 3_000, seed=4, **asked).counts),
        "the same luck": Counter(
            compare(*[Variant(scene, state, decide, rounds)] * 2, 1_000, exact=False, question="losses", seed=5).first.counts  # type: ignore[union-attr]
        ),
    }
    for way, counts in ways.items():
        assert likely(counts, truth), way
    chances = solved.sides
    played = Counter(scene.result(Player(Seeded(seed), decide).run(run(scene, state))) for seed in range(600)) if rounds is None else {}
    if played:
        wins: Counter[Any] = Counter()
        for result, count in played.items():
            wins[result.winner if result else None] += count
        for side, chance in chances.items():
            assert stats.binomtest(wins[side], 600, chance.chance).pvalue > NEVER, side


def test_the_compiled_walk_agrees_too() -> None:
    pytest.importorskip("numba")
    from rulewright.lab.sampling.transition_tables import Walks

    scene, state, decide, rounds = SCENES["archers"]
    chain = explore(scene, state, decide, "losses")
    walks = Walks(chain, rounds, 1_000)
    plain = walks.batch(11, 20_000)
    walks.compile()
    compiled = walks.batch(11, 20_000)
    assert plain == compiled
    truth = solve(scene, state, decide, question="losses", rounds=rounds)
    assert likely(Counter(compiled[0]), truth.ends)
