"""Fights counted by the thousand agree with what is solved exactly, on one process or several, however they are played."""

import itertools
import os
import pickle
import sys
import threading
import tracemalloc
from functools import partial, partialmethod
from pathlib import Path
from typing import Any

import pytest

from lab.lab_scenes import Archers, Bout, Field, Pools
from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.lab import End, Progress, Sampled, Solved, sample, solve
from rulewright.lab.examples.coins import Coins, Lives
from rulewright.lab.sampling.batches import Stepping
from rulewright.lab.sampling.processes import pack
from rulewright.lab.sampling.subgames import Drawing, Parts
from rulewright.lab.solver.state_graph import explore
from rulewright.lab.statistics import enough
from rulewright.play import Choice, Given, Play, Roll, first_option, local, sub
from rulewright.play.intervals import wilson
from rulewright.play.odds import exact
from rulewright.scenes.scene import Focus

sampling = sys.modules["rulewright.lab.sampling.sample"]  # the package has a function of that name


def agree(sampled: Sampled, solved: Solved) -> bool:
    """A chi-squared test of all ends at once; so generous (five standard deviations) that only an error fails it."""
    total = free = 0.0
    rare = rare_expected = 0.0
    for end, chance in solved.ends.items():
        expected = chance * sampled.n
        if expected < 10:
            rare += sampled.counts.get(end, 0)
            rare_expected += expected
        else:
            total += (sampled.counts.get(end, 0) - expected) ** 2 / expected
            free += 1
    if rare_expected >= 10:
        total += (rare - rare_expected) ** 2 / rare_expected
        free += 1
    elif rare > 60:
        return False
    assert set(sampled.counts) <= set(solved.ends)
    return total < free + 5 * (2 * free) ** 0.5 + 10


CASES: list[tuple[Any, Any]] = [
    (Pools(), Bout((2, 1), (2, 2), rounds=6)),
    (Pools(), Bout((3, 4), (3, 1))),
    (Archers(2), Field(2, 1)),
    (Coins(), Lives(3, 2)),
]


@pytest.mark.parametrize(("scene", "state"), CASES)
@pytest.mark.parametrize("tables", [True, False])
def test_all_ways_of_counting_agree_with_the_exact_answer(scene: Any, state: Any, tables: bool) -> None:
    if tables:
        pytest.importorskip("numpy")
    sampled = sample(scene, state, n=200_000 if tables else 10_000, seed=11, tables=tables)
    assert sampled.how == ("tables" if tables else "steps")
    assert agree(sampled, solve(scene, state, question="losses"))


@pytest.mark.parametrize("tables", [True, False])
def test_the_limit_of_rounds_holds_in_samples_as_in_the_exact_answer(tables: bool) -> None:
    sampled = sample(Archers(2), Field(2, 2), n=5_000, seed=3, rounds=4, tables=tables)
    assert max(end.round for end in sampled.counts) == 4
    assert agree(sampled, solve(Archers(2), Field(2, 2), rounds=4, question="losses"))


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "state", "rounds"), [(Pools(), Bout((2, 2), (3, 4)), None), (Archers(9), Field(9, 9), 40)])
def test_fights_that_leave_the_tables_are_played_to_their_end(
    scene: Any, state: Any, rounds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "TABLE_STATES", 12)
    sampled = sample(scene, state, n=10_000, seed=21, rounds=rounds)
    assert sampled.how == "tables and steps"
    assert sampled.states == 12
    assert sampled.n == 10_000
    assert agree(sampled, solve(scene, state, question="losses", rounds=rounds))
    assert sampled == sample(scene, state, n=10_000, seed=21, rounds=rounds, workers=2)


def test_more_fights_are_worth_more_tables() -> None:
    bout = Bout((2, 2), (6, 6), rounds=100)
    few, many = sample(Pools(), bout, n=1_000, seed=1), sample(Pools(), bout, n=20_000, seed=1)
    assert (few.states or 0) < (many.states or 0)


def test_intervals_hold_the_truth_about_as_often_as_they_claim() -> None:
    bout = Bout((2, 1), (2, 2), rounds=6)
    truth = solve(Pools(), bout).sides["left"].chance
    held = 0
    for seed in range(200):
        low, high = sample(Pools(), bout, n=1_000, seed=seed, tables=True).sides["left"].interval
        held += low <= truth <= high
    assert 178 <= held <= 200


def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    first = sample(Pools(), Bout((2, 1), (2, 2)), n=2_000, seed=5, tables=False)
    again = sample(Pools(), Bout((2, 1), (2, 2)), n=2_000, seed=5, tables=False)
    other = sample(Pools(), Bout((2, 1), (2, 2)), n=2_000, seed=6, tables=False)
    assert first == again
    assert first.counts != other.counts
    fresh = sample(Pools(), Bout((2, 1), (2, 2)), n=2_000)
    assert sample(Pools(), Bout((2, 1), (2, 2)), n=2_000, seed=fresh.seed) == fresh


@pytest.mark.parametrize("tables", [True, False])
def test_two_workers_give_the_same_answer_as_one(tables: bool) -> None:
    n = 600_000 if tables else 2_250
    one = sample(Pools(), Bout((2, 1), (2, 2), rounds=5), n=n, seed=9, tables=tables)
    two = sample(Pools(), Bout((2, 1), (2, 2), rounds=5), n=n, seed=9, tables=tables, workers=2)
    assert one.n == n
    assert one == two


def test_workers_also_start_where_other_threads_run() -> None:
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        two = sample(Coins(), Lives(2, 2), n=1_200, seed=9, tables=False, workers=2)
    finally:
        waiting.set()
        thread.join()
    assert two == sample(Coins(), Lives(2, 2), n=1_200, seed=9, tables=False)


class Fragile(Pools):
    """Kills the process it is played in, once."""

    def __init__(self, marker: str, parent: int) -> None:
        super().__init__()
        self.marker = marker
        self.parent = parent

    def step(self, state: Bout) -> Play[Bout]:
        if os.getpid() != self.parent and not Path(self.marker).exists():
            Path(self.marker).touch()
            os._exit(9)
        return super().step(state)


def test_a_lost_worker_does_not_change_the_answer(tmp_path: Path) -> None:
    marker = tmp_path / "was killed"
    fragile = Fragile(str(marker), os.getpid())
    sampled = sample(fragile, Bout((2, 1), (2, 2)), n=3_000, seed=4, tables=False, workers=2)
    assert marker.exists()
    assert sampled == sample(Pools(), Bout((2, 1), (2, 2)), n=3_000, seed=4, tables=False)


def test_a_tactic_that_cannot_leave_its_process_is_refused_for_several_workers() -> None:
    with pytest.raises(UserError, match="cannot be sent to other processes"):
        sample(Archers(1), Field(1, 1), lambda choice: "shoot", 2_000, tables=False, workers=2)


def test_a_scenario_of_a_game_goes_to_other_processes_with_its_rules_and_tactics() -> None:
    from rulewright.library import stage

    staged = stage("pebbles/on-the-beach")
    assert pack(staged.scene, staged.state, staged.decide)
    one = sample(staged.scene, staged.state, staged.decide, 1_200, seed=2, tables=False)
    two = sample(staged.scene, staged.state, staged.decide, 1_200, seed=2, tables=False, workers=2)
    assert one == two
    assert agree(one, solve(staged.scene, staged.state, staged.decide, question="losses"))


def test_a_precision_ends_the_counting_as_soon_as_it_is_reached() -> None:
    rough = sample(Pools(), Bout((2, 1), (2, 2)), n=5_000_000, seed=1, precision=0.01, tables=False)
    assert rough.precise
    assert rough.precision <= 0.01
    assert rough.n < 20_000
    same = sample(Pools(), Bout((2, 1), (2, 2)), n=5_000_000, seed=1, precision=0.01, tables=False, workers=2)
    assert rough == same
    fine = sample(Pools(), Bout((2, 1), (2, 2)), n=1_000, seed=1, precision=0.001)
    assert fine.precise is False
    assert enough(0.01) > 9_000
    assert wilson(enough(0.01) // 2, enough(0.01))[1] - 0.5 <= 0.01
    by_itself = sample(Pools(), Bout((2, 2), (2, 2)), seed=1, precision=0.007)
    assert by_itself.precise
    assert by_itself.n > 10_000
    assert fine.n == 1_000


@pytest.mark.parametrize("tables", [True, False])
def test_a_fight_that_goes_on_and_on_is_cut_and_the_answer_says_so(tables: bool) -> None:
    sampled = sample(Archers(1), Field(1, 1, bows_may_break=True), n=1_000, seed=8, steps=300, tables=tables)
    assert 180 < sampled.cut < 320
    assert sampled.public()["cut"] == sampled.cut
    assert sampled.settled == 1 - sampled.cut / 1_000
    low, high = sampled.sides["left"].interval
    assert high - low > 0.2
    assert low < 0.75 * 6 / 11 < 6 / 11 < high


def test_ctrl_c_gives_what_was_counted_so_far() -> None:
    class Tired(Pools):
        calls = 0

        def step(self, state: Bout) -> Play[Bout]:
            Tired.calls += 1
            if Tired.calls > 4_000:
                raise KeyboardInterrupt
            return super().step(state)

    sampled = sample(Tired(), Bout((2, 1), (2, 2)), n=100_000, seed=1, tables=False, confidence=0.9999)
    assert sampled.interrupted
    assert sampled.n == 1_000
    assert sampled.public()["stopped"] == "interrupted"
    low, high = sampled.sides["left"].interval
    assert low < solve(Pools(), Bout((2, 1), (2, 2))).sides["left"].chance < high


def test_ctrl_c_while_parts_are_solved_stops_too() -> None:
    def nervous(left: int) -> Play[int]:
        nervous.calls += 1  # type: ignore[attr-defined]
        if nervous.calls == 5:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return (yield from Roll(sum_of(2, 6)))

    nervous.calls = 0  # type: ignore[attr-defined]
    driver = Drawing(first_option)
    driver.begin(1)
    driver.run(sub(nervous, 1).start())
    driver.sub(sub(nervous, 1))
    with pytest.raises(KeyboardInterrupt):
        driver.sub(sub(nervous, 1))


def test_a_progress_that_says_no_stops_the_counting() -> None:
    told: list[Progress] = []

    def enough(progress: Progress) -> bool:
        told.append(progress)
        return False

    sampled = sample(Pools(), Bout((2, 1), (2, 2)), n=1_000_000, seed=1, tables=False, progress=enough)
    assert sampled.interrupted
    assert told[-1].what == "fights"
    assert told[-1].of == 1_000_000
    assert told[-1].done == sampled.n < 1_000_000
    assert told[-1].precision == pytest.approx(sampled.precision)


def test_a_batch_that_takes_long_is_told_of_while_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr(sampling.time, "monotonic", lambda: float(next(clock)))  # every look at the clock a second later
    told: list[Progress] = []
    sampled = sample(Pools(), Bout((2, 1), (2, 2)), n=600, seed=1, tables=False, progress=told.append)
    monkeypatch.undo()
    assert [progress.done for progress in told[:3]] == [0, 1, 2]
    assert {progress.of for progress in told} == {600}
    assert [progress.done for progress in told if progress.precision is not None] == [500, 600]
    assert sampled.counts == sample(Pools(), Bout((2, 1), (2, 2)), n=600, seed=1, tables=False).counts


def test_whoever_stops_before_the_first_fight_hears_of_a_few_all_the_same() -> None:
    few = sample(Pools(), Bout((2, 1), (60, 60), rounds=100_000), n=1_000_000, seed=1, progress=lambda told: False)
    assert few.interrupted
    assert 0 < few.n <= sampling.FIGHTS
    assert few.n == sum(few.counts.values()) + few.cut
    low, high = few.sides["left"].interval
    assert 0.0 <= low < high <= 1.0


def test_few_fights_and_large_scenes_are_stepped_and_small_scenes_become_tables() -> None:
    assert sample(Pools(), Bout((2, 1), (2, 2)), n=500, seed=1).how == "steps"
    small = sample(Archers(2), Field(2, 2), n=5_000, seed=1)
    assert small.how == "tables"
    assert small.states == solve(Archers(2), Field(2, 2), question="losses").states
    large = sample(Pools(), Bout((2, 1), (9, 9), rounds=100_000), n=1_000, seed=1)
    assert large.how == "tables and steps"
    assert 0 < (large.states or 0) < 5_000
    assert sample(Pools(), Bout((2, 1), (2, 2)), n=5_000, seed=1, tables=False).states is None


def test_without_numpy_fights_are_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "find_spec", lambda name: None)
    assert sample(Pools(), Bout((2, 1), (2, 2)), n=1_500, seed=1).how == "steps"


def test_a_scene_with_too_many_states_is_refused_where_tables_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "TABLE_STATES", 10)
    with pytest.raises(UserError, match="too many states for tables"):
        sample(Pools(), Bout((2, 1), (9, 9)), n=1_000, tables=True)


def test_numpy_and_numba_walk_the_same_fights_bit_for_bit() -> None:
    pytest.importorskip("numba")
    from rulewright.lab.sampling.transition_tables import Walks

    for scene, state, limit in (
        (Pools(), Bout((2, 1), (3, 2), rounds=7), None),
        (Archers(2), Field(2, 2), 3),
        (Archers(1), Field(1, 1), None),
    ):
        chain = explore(scene, state, first_option, "losses")
        plain, compiled = Walks(chain, limit, 20), Walks(chain, limit, 20)
        assert compiled.compile()
        assert plain.batch(12345, 20_000) == compiled.batch(12345, 20_000)


def test_memory_is_flat_in_the_number_of_fights() -> None:
    pytest.importorskip("numpy")

    def peak(n: int) -> int:
        tracemalloc.start()
        sample(Coins(), Lives(2, 2), n=n, seed=1, tables=True)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1_000)
    few, many = peak(140_000), peak(1_400_000)
    assert many < few * 1.2
    assert many < 60_000_000


def test_draws_do_not_depend_on_what_was_solved_before() -> None:
    arguments = (Pools(), Bout((3, 2), (3, 3), rounds=9), first_option, "losses", 77, 10_000, None, 1_000)
    in_turn, only_last = Stepping(*arguments), Stepping(*arguments)
    for number in range(3):
        in_turn(number)
    assert in_turn(3) == only_last(3)


def test_a_full_memory_is_begun_anew_and_changes_nothing() -> None:
    def play(remember: int) -> tuple[list[int], int]:
        driver = Drawing(first_option, remember=remember)
        found = []
        for batch in range(6):
            driver.begin(batch)
            for dice in (1, 2, 3) * 4:
                found.append(driver.sub(sub(pips, dice)))
        return found, driver.forgotten

    roomy, never = play(1_000)
    tight, often = play(3)
    assert roomy == tight
    assert never == 0
    assert often > 0


def pips(dice: int) -> Play[int]:
    return (yield from Roll(sum_of(dice, 6)))


def endless_parts(depth: int) -> Play[int]:
    """Takes far more paths than a part may have."""
    total = 0
    for _ in range(depth):
        total += yield from Roll(sum_of(1, 6))
    return total


def test_parts_whose_odds_take_too_long_are_played_instead() -> None:
    driver = Drawing(first_option, paths=100)
    driver.begin(1)
    totals = [driver.sub(sub(endless_parts, 6)) for _ in range(2_000)]
    assert 20.5 < sum(totals) / 2_000 < 21.5
    short = [driver.sub(sub(endless_parts, 2)) for _ in range(2_000)]
    odds = exact(sub(endless_parts, 2))
    assert all(abs(short.count(total) / 2_000 - weight / 36) < 0.04 for total, weight in odds)


def test_a_fight_that_is_over_is_counted_as_it_is() -> None:
    for tables in (True, False):
        sampled = sample(Pools(), Bout((1, 1), (0, 1), round=4), n=100, seed=1, tables=tables)
        assert sampled.counts == {End("right", (1, 0), 4): 100}


def test_wilsons_interval_is_the_one_in_the_textbooks() -> None:
    low, high = wilson(10, 100)
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)
    assert wilson(0, 100)[0] == 0.0
    assert wilson(100, 100)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n": 0}, "at least 1 fight"),
        ({"precision": 0.0}, "give a precision between 0 and 1"),
        ({"precision": 1.5}, "give a precision between 0 and 1"),
        ({"confidence": 1.0}, "give a confidence between 0 and 1"),
        ({"steps": 0}, "at least 1 step"),
        ({"workers": 0}, "from 1 to 1000 workers"),
        ({"question": "who"}, "give one of win"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        sample(Coins(), Lives(1, 1), **wrong)


def test_a_tactic_that_names_what_is_not_allowed_is_refused() -> None:
    def rude(choice: Choice[Any]) -> Given:
        return "surrender"

    for workers in (1, 2):
        with pytest.raises(UserError, match="'surrender' is not allowed"):
            sample(Archers(1), Field(1, 1), rude if workers == 1 else surrender, 1_001, tables=False, workers=workers)


def surrender(choice: Choice[Any]) -> Given:
    return "surrender"


def test_the_public_shape_is_the_one_that_is_promised() -> None:
    public = sample(Coins(), Lives(1, 1), n=1_000, seed=1).public()
    assert list(public)[:8] == ["exact", "n", "states", "settled", "sides", "draw", "rounds", "losses"]
    assert public["exact"] is False
    assert public["n"] == 1_000
    assert public["seed"] == 1
    low, high = public["sides"]["left"]["interval"]
    assert low < public["sides"]["left"]["chance"] < high
    assert sum(public["rounds"]["chance"].values()) == pytest.approx(1)
    assert public["rounds"]["interval"][0] < public["rounds"]["mean"] < public["rounds"]["interval"][1]
    assert set(public["losses"]["left"]["chance"]) == {"0", "1"}


def test_the_memory_of_parts_is_bounded_and_the_answer_says_when_it_was_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drawing, "__init__", partialmethod(Drawing.__init__, remember=1))
    full = sample(Pools(), Bout((2, 1), (2, 2)), n=900, seed=1, tables=False)
    assert full.full == 2
    assert full.public()["memory_full"] == 2
    monkeypatch.undo()
    assert "memory_full" not in sample(Pools(), Bout((2, 1), (2, 2)), n=900, seed=1, tables=False).public()


def test_a_step_with_too_many_outcomes_is_played_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.lab.solver.state_graph.STEP_PATHS", 3)
    sampled = sample(Coins(), Lives(2, 1), n=2_000, seed=3, confidence=0.9999)
    assert (sampled.n, sampled.states) == (2_000, 0)
    low, high = sampled.sides["left"].interval
    assert low < solve(Coins(), Lives(2, 1)).sides["left"].chance < high


def test_what_a_long_run_learns_is_the_same_whoever_does_the_batch() -> None:
    from rulewright.library import stage

    staged = stage("silhouette/duel")

    def stepping() -> Stepping:
        made = Stepping(staged.scene, staged.state, staged.decide, "win", 3, 10**9, staged.scenario.rounds, 1_000)
        made.size = 40
        return made

    one, other = stepping(), stepping()
    both = [one(number) for number in (0, 1)]
    assert one.learns
    assert other(1) == both[1]  # without having done the first
    assert other.driver._learned.keys() == one.driver._learned.keys() != set()
    again = pickle.loads(pickle.dumps(Stepping(Coins(), Lives(1, 1), first_option, "win", 3, 10, None, 1_000, learns=True)))
    assert again.learns
    assert not Stepping(Coins(), Lives(1, 1), first_option, "win", 3, 10, None, 1_000).learns


def test_learned_fights_come_to_what_is_exactly_so() -> None:
    made = Stepping(Coins(), Lives(3, 2), first_option, "win", 3, 10**9, None, 1_000)
    won = sum(count for end, count in made(0)[0].items() if end.winner == "left")
    low, high = wilson(won, made.size, 0.9999)
    assert low < 0.7037 < high


def test_a_part_that_needs_too_many_paths_is_left_at_once():
    begun = []

    def throws(sides):
        begun.append(sides)
        first = yield from Roll(sum_of(1, sides))
        return first + (yield from Roll(sum_of(1, sides)))

    parts = Parts(first_option)
    assert parts.table(sub(throws, 20), 60) is None
    assert len(begun) <= 3  # of 400 paths
    begun.clear()
    assert parts.table(sub(throws, 6), 36).need == 36
    assert parts.table(sub(throws, 6), 35) is None
    assert len(begun) == 36


class Shown(Coins):
    """Coins whose throws can be seen by themselves: as a focus, or as a procedure that does so in every other round only."""

    def __init__(self, procedure: bool) -> None:
        super().__init__()
        self.procedure = procedure

    def throw(self, small: Lives) -> Play[Lives]:
        """A throw from nothing."""
        return (yield from self.step(small))

    def focus(self, state: Lives) -> Any:
        return self.thrown(state) if self.procedure else Focus(Lives(0, 0, 0), self.throw, partial(self.back, state))

    def thrown(self, state: Lives) -> Play[Lives]:
        """The throw put back, or the very same state."""
        return self.back(state, (yield from sub(self.throw, Lives(0, 0, 0)))) if state.round % 2 else state

    def back(self, state: Lives, after: Lives) -> Lives:
        """The whole after a throw."""
        return Lives(state.left + after.left, state.right + after.right, state.round + after.round)


@pytest.mark.parametrize("procedure", [False, True])
def test_what_a_game_shows_by_itself_is_remembered_and_drawn(procedure: bool) -> None:
    scene = Shown(procedure)
    stepping = Stepping(scene, Lives(3, 2), local(lambda choice: first_option(choice)), "losses", 5, 6_000, None, 1_000, learns=True)
    stepping.size = 2_000
    counts: dict[End, int] = {}
    for number in range(3):
        for end, count in stepping(number)[0].items():
            counts[end] = counts.get(end, 0) + count
    assert len(stepping.driver._learned) == 1  # one throw is like another
    assert agree(Sampled("losses", {"left": 1, "right": 1}, 6_000, counts, 0, 5, "steps"), solve(Coins(), Lives(3, 2), question="losses"))
