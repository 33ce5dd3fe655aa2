"""Scenes solved exactly, against truths worked out by hand."""

import random
from fractions import Fraction as F
from typing import Any

import pytest

from lab.lab_scenes import Archers, Bout, Field, Pools
from rulewright.errors import UserError
from rulewright.lab import End, Progress, solve
from rulewright.lab.examples.coins import Coins, Lives
from rulewright.lab.solver import markov as flow_module
from rulewright.lab.solver.markov import flow
from rulewright.lab.solver.state_graph import explore
from rulewright.play import Choice, Given, first_option
from rulewright.scenes.scene import Result

# Two dice against one: of 216 rolls 126 are better for the two, 55 for the one, 35 are ties (counted by hand, table by table).
BETTER, WORSE, TIE = F(126, 216), F(55, 216), F(35, 216)


def near(value: float, truth: F | float, within: float = 1e-11) -> bool:
    return abs(value - float(truth)) < within


@pytest.fixture(params=["plain Python", "scipy"])
def flows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Both ways to let probability flow."""
    if request.param == "scipy":
        pytest.importorskip("scipy")
        monkeypatch.setattr(flow_module, "SMALL", -1)
    else:
        monkeypatch.setattr(flow_module, "SMALL", 10**9)
    return request.param


@pytest.mark.usefixtures("flows")
def test_a_duel_of_pools_comes_out_as_worked_out_by_hand() -> None:
    solved = solve(Pools(), Bout((2, 1), (2, 2)))
    decisive = BETTER / (BETTER + WORSE)
    truth = decisive**2 * (1 + 2 * (1 - decisive))
    assert solved.exact
    assert solved.settled == 1.0
    assert not solved.stopped
    assert near(solved.sides["left"].chance, truth)
    assert near(solved.sides["right"].chance, 1 - truth)
    assert solved.draw.chance < 1e-12
    assert solved.sides["left"].interval == (solved.sides["left"].chance,) * 2


@pytest.mark.usefixtures("flows")
def test_the_distribution_of_rounds_is_exact_whether_or_not_the_lens_keeps_the_round() -> None:
    solved = solve(Pools(), Bout((2, 1), (1, 1)))
    ended = 1 - TIE
    assert all(near(solved.rounds.chance[at], TIE ** (at - 1) * ended) for at in range(1, 12))
    assert near(solved.rounds.mean, 1 / ended)
    circle = solve(Archers(1), Field(1, 1))
    assert circle.states == 2
    assert all(near(circle.rounds.chance[at], F(25, 36) ** (at - 1) * F(11, 36)) for at in range(1, 40))
    assert near(circle.rounds.mean, F(36, 11))


@pytest.mark.usefixtures("flows")
def test_a_circle_of_misses_is_solved_and_the_first_to_shoot_has_six_chances_in_eleven() -> None:
    solved = solve(Archers(1), Field(1, 1))
    assert near(solved.sides["left"].chance, F(6, 11))
    assert near(solved.by_round("left")[2], F(25, 36) * F(1, 6))


@pytest.mark.usefixtures("flows")
def test_losses_are_told_for_each_side() -> None:
    solved = solve(Archers(2), Field(2, 1), question="losses")
    assert near(solved.sides["left"].chance, F(96, 121))
    lost = solved.losses["left"].chance
    assert near(lost[0], F(6, 11))
    assert near(lost[1], F(30, 121))
    assert near(lost[2], F(25, 121))
    assert near(solved.losses["left"].mean, F(30 + 50, 121))
    assert near(sum(solved.losses["right"].chance.values()), 1)
    assert solve(Archers(2), Field(2, 1), question="win").losses == {}


@pytest.mark.usefixtures("flows")
def test_a_limit_of_rounds_makes_a_draw_whether_the_scene_or_the_lab_counts_them() -> None:
    by_lab = solve(Archers(1), Field(1, 1), rounds=2, question="losses")
    assert near(by_lab.draw.chance, F(25, 36) ** 2)
    assert near(by_lab.by_round(None)[2], F(25, 36) ** 2)
    assert near(by_lab.losses["left"].chance[0], F(1, 6) * F(36 + 25, 36) + F(25, 36) ** 2)
    by_scene = solve(Pools(), Bout((2, 1), (1, 1), rounds=3))
    assert near(by_scene.draw.chance, TIE**3)
    assert near(by_scene.by_round(None)[3], TIE**3)
    assert max(by_scene.rounds.chance) == 3


@pytest.mark.usefixtures("flows")
def test_a_scene_that_never_ends_is_a_draw_and_says_so() -> None:
    solved = solve(Archers(1), Field(1, 1, target=7))
    assert solved.endless == 1.0
    assert solved.exact
    assert solved.draw.chance == 1.0
    assert solved.public()["endless"] == 1.0
    perhaps = solve(Archers(1), Field(1, 1, bows_may_break=True))
    assert near(perhaps.endless, 0.25)
    assert near(perhaps.sides["left"].chance, F(3, 4) * F(6, 11))
    assert near(perhaps.draw.chance, 0.25)
    bounded = solve(Archers(1), Field(1, 1, target=7), rounds=20)
    assert bounded.endless == 0.0
    assert near(bounded.draw.chance, 1)


def test_what_is_left_after_many_rounds_is_solved_as_a_linear_system(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.setattr(flow_module, "SMALL", -1)
    monkeypatch.setattr(flow_module, "SPARSE_WORK", 5_000)
    solved = solve(Archers(2), Field(2, 1), question="losses")
    assert near(solved.sides["left"].chance, F(96, 121))
    assert near(solved.losses["left"].chance[1], F(30, 121))
    assert 0.1 < solved.rounds.later < 0.9
    assert near(sum(solved.rounds.chance.values()) + solved.rounds.later, 1)
    monkeypatch.setattr(flow_module, "SPARSE_WORK", 10**10)
    assert near(solved.rounds.mean, solve(Archers(2), Field(2, 1)).rounds.mean, 1e-9)


def test_plain_python_that_would_take_too_long_gives_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_module, "PLAIN_WORK", 20)
    monkeypatch.setattr(flow_module, "find_spec", lambda name: None)
    solved = solve(Archers(1), Field(1, 1))
    assert not solved.exact
    assert solved.stopped == "rounds"
    assert solved.sides["left"].interval[0] < 6 / 11 < solved.sides["left"].interval[1]


def test_a_question_that_asks_less_has_fewer_states_and_the_same_answer() -> None:
    bout = Bout((2, 1), (2, 2), rounds=6)
    win, everything = solve(Pools(), bout), solve(Pools(), bout, question="all")
    assert win.states < everything.states / 3
    assert all(near(everything.ends.get(End(end.winner, lost, end.round), 0) if len(lost) else 0, chance)
               for end, chance in win.ends.items()
               for lost in [{"left": (0, 1), "right": (1, 0), None: (0, 0)}[end.winner]])  # fmt: skip
    rounds = solve(Pools(), bout, question="rounds")
    assert {at: round(chance, 12) for at, chance in rounds.rounds.chance.items()} == {
        at: round(chance, 12) for at, chance in win.rounds.chance.items()
    }
    assert "sides" not in rounds.public()


@pytest.mark.parametrize("states", [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
def test_bounds_hold_the_truth_when_the_budget_of_states_is_cut(states: int) -> None:
    bout = Bout((2, 1), (4, 3), rounds=40)
    truth = solve(Pools(), bout, question="losses")
    cut = solve(Pools(), bout, question="losses", states=states)
    assert cut.states <= states
    assert cut.budget_reached
    assert cut.stopped == "states"
    assert not cut.exact
    for side in ("left", "right"):
        low, high = cut.sides[side].interval
        assert low - 1e-12 <= truth.sides[side].chance <= high + 1e-12
        assert low <= cut.sides[side].chance <= high
        low, high = cut.losses[side].interval or (0, 1)
        assert low - 1e-12 <= truth.losses[side].mean <= high + 1e-12
    low, high = cut.draw.interval
    assert low - 1e-12 <= truth.draw.chance <= high + 1e-12
    assert all(cut.ends[end] <= truth.ends[end] + 1e-12 for end in cut.ends)
    assert near(cut.settled + cut.unsettled, 1)


def test_more_states_settle_more_and_the_heaviest_come_first() -> None:
    bout = Bout((2, 1), (4, 3), rounds=40)
    settled = [solve(Pools(), bout, states=states).settled for states in (10, 20, 40, 80, 160)]
    assert settled == sorted(settled)
    assert settled[-1] > 0.999 > settled[0]
    assert solve(Pools(), bout).states > 300


def test_budgets_of_paths_and_seconds_give_bounds_too() -> None:
    bout = Bout((9, 8), (4, 3), rounds=40)
    paths = solve(Pools(), bout, paths=60)
    assert paths.stopped == "paths"
    assert 0 <= paths.settled < 1
    seconds = solve(Pools(), bout, seconds=0.0)
    assert seconds.stopped == "seconds"
    assert seconds.budget_reached
    assert 0 <= seconds.settled < 1


def test_a_precision_ends_the_work_when_every_chance_is_certain_within_it() -> None:
    bout = Bout((2, 1), (4, 3), rounds=40)
    truth = solve(Pools(), bout)
    near_enough = solve(Pools(), bout, precision=0.005)
    assert near_enough.states < truth.states / 2
    assert near_enough.stopped == "precision"
    assert not near_enough.budget_reached
    low, high = near_enough.sides["left"].interval
    assert high - low <= 0.01
    assert low <= truth.sides["left"].chance <= high
    with pytest.raises(UserError, match="give a precision between 0 and 1"):
        solve(Pools(), bout, precision=0)


def test_ctrl_c_gives_what_is_known_so_far_with_bounds_that_hold() -> None:
    class Tired(Pools):
        calls = 0

        def step(self, state: Bout) -> Any:
            Tired.calls += 1
            if Tired.calls > 60:
                raise KeyboardInterrupt
            return super().step(state)

    bout = Bout((2, 1), (4, 3), rounds=40)
    solved = solve(Tired(), bout)
    assert solved.interrupted
    assert not solved.budget_reached
    assert solved.public()["stopped"] == "interrupted"
    assert 0 < solved.settled < 1
    low, high = solved.sides["left"].interval
    assert low <= solve(Pools(), bout).sides["left"].chance <= high


def test_a_progress_that_says_no_stops_the_work() -> None:
    told: list[Progress] = []

    def enough(progress: Progress) -> bool:
        told.append(progress)
        return progress.done < 50

    bout = Bout((2, 1), (60, 60), rounds=100_000)
    solved = solve(Pools(), bout, progress=enough, seconds=60)
    assert solved.interrupted
    assert told[-1].what == "states"
    assert told[-1].done == solved.states
    assert 0 <= (told[-1].settled or 0) <= 1


def test_a_state_that_takes_long_tells_of_its_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    from itertools import count

    from rulewright.lab.solver import state_graph as states

    clock = count(step=0.1)
    monkeypatch.setattr(states.time, "monotonic", lambda: next(clock))
    told: list[Progress] = []
    explore(Pools(), Bout((7, 7), (2, 2), rounds=3), first_option, states=1, paths=2_000, progress=told.append)
    assert {each.what for each in told} >= {"paths"}
    assert [each.done for each in told if each.what == "paths"] == sorted(each.done for each in told if each.what == "paths")


def test_a_scene_that_is_over_is_told_as_it_is() -> None:
    solved = solve(Pools(), Bout((1, 1), (0, 1), round=4), question="losses")
    assert solved.ends == {End("right", (1, 0), 4): 1.0}
    assert solved.states == 0
    assert solved.exact
    assert solved.rounds.mean == 4


def test_decisions_come_from_the_tactic() -> None:
    def only_right_shoots(choice: Choice[Any]) -> Given:
        return "shoot" if choice.who == "right" else "pass"

    solved = solve(Archers(1), Field(1, 1), only_right_shoots)
    assert near(solved.sides["right"].chance, 1)
    assert near(solved.rounds.mean, 6)


def test_a_tactic_that_names_what_is_not_allowed_is_refused_with_what_is() -> None:
    with pytest.raises(UserError, match=r"'surrender' is not allowed; choose one of shoot, pass"):
        solve(Archers(1), Field(1, 1), lambda choice: "surrender")


def test_a_side_without_members_is_refused() -> None:
    with pytest.raises(UserError, match="side 'left' has no members"):
        solve(Archers(0), Field(1, 1))


def test_an_unknown_question_is_refused_with_those_there_are() -> None:
    with pytest.raises(UserError, match=r"'who'; give one of win, rounds, losses, all"):
        solve(Coins(), Lives(1, 1), question="who")
    with pytest.raises(UserError, match="give at least 1 state, not 0"):
        solve(Coins(), Lives(1, 1), states=0)


def test_somebody_who_is_no_side_can_win_too() -> None:
    class Thief(Coins):
        def result(self, state: Lives) -> Result | None:
            return Result("the thief", "while they fight") if state.left + state.right < 2 else None

    assert solve(Thief(), Lives(1, 1)).sides["the thief"].chance == 1.0


def test_both_ways_to_let_probability_flow_agree_on_random_scenes() -> None:
    pytest.importorskip("scipy")
    pick = random.Random(5)
    for _ in range(10):
        bout = Bout((pick.randint(1, 4), pick.randint(1, 4)), (pick.randint(1, 3), pick.randint(1, 3)), rounds=pick.randint(1, 12))
        chain = explore(Pools(), bout, first_option, "losses", states=pick.choice([7, 1_000]))
        plain, sparse = flow(chain, plain=True), flow(chain, plain=False)
        assert plain.ends.keys() == sparse.ends.keys()
        assert all(near(plain.ends[end], sparse.ends[end], 1e-13) for end in plain.ends)
        assert near(plain.unsettled, sparse.unsettled)


def test_the_public_shape_is_the_one_that_is_promised() -> None:
    public = solve(Coins(), Lives(1, 1), question="losses").public()
    assert list(public) == ["exact", "n", "states", "settled", "sides", "draw", "rounds", "losses", "by_round"]
    assert public["by_round"]["left"]["1"] == pytest.approx(1 / 4)
    assert public["exact"] is True
    assert public["n"] is None
    assert public["states"] == 1
    assert public["settled"] == 1.0
    assert public["sides"]["left"] == {"chance": pytest.approx(1 / 3), "interval": [pytest.approx(1 / 3)] * 2}
    assert public["draw"] == {"chance": pytest.approx(1 / 3), "interval": [pytest.approx(1 / 3)] * 2}
    assert public["rounds"]["mean"] == pytest.approx(4 / 3)
    assert public["rounds"]["chance"]["1"] == pytest.approx(0.75)
    assert public["losses"]["right"]["chance"] == {"0": pytest.approx(1 / 3), "1": pytest.approx(2 / 3)}


def test_rounds_beyond_the_first_two_hundred_are_told_together() -> None:
    slow = solve(Archers(14), Field(14, 14)).public()
    assert len(slow["rounds"]["chance"]) == 200
    assert 0 < slow["rounds"]["later"] < 1
    assert near(sum(slow["rounds"]["chance"].values()) + slow["rounds"]["later"], 1)
    assert "later" not in solve(Coins(), Lives(1, 1)).public()["rounds"]


def test_the_chain_keeps_to_the_room_it_is_given() -> None:
    chain = explore(Pools(), Bout((2, 1), (30, 30), rounds=10_000), first_option, "all", states=50)
    assert chain.explored == 50
    assert len(chain.states) <= 250
    assert chain.stopped == "states"
