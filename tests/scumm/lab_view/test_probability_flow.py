"""A fight followed in all its ways at once comes to the very chances that solving it state by state comes to."""

from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from rulewright.lab.results import End
from rulewright.lab.solver import probability_flow
from rulewright.lab.solver.exact import read, solve
from rulewright.lab.solver.markov import flow
from rulewright.lab.solver.probability_flow import carry
from rulewright.lab.solver.state_graph import explore
from rulewright.library import stage, take

CLOSE = 1e-9
NO_BUDGET: dict[str, Any] = {"states": 10**6, "seconds": None, "precision": None, "progress": None}


class Crowd(NamedTuple):
    """People about to fight."""

    scene: Any
    state: Any
    decide: Any


def crowd(left: int, right: int, rounds: int = 30, **body: int) -> Crowd:
    """The people of the duel, so many on each side, as hurt as that."""
    sides = {}
    for (side, members), count in zip(take("scumm/duel", "scenario").thing.sides.items(), (left, right), strict=True):
        sides[side] = [{"character": members[0].character, "count": count}]
    staged = stage("scumm/duel", changes={"sides": sides, "rounds": rounds})
    hurt = [replace(fighter, body=replace(fighter.body, **body)) for fighter in staged.state.fighters]
    return Crowd(staged.scene, replace(staged.state, fighters=tuple(hurt)), staged.decide)


def followed(crowd: Crowd, question: str, rounds: int) -> dict[End, float]:
    """The ends by following all ways at once."""
    found = carry(*crowd, question, rounds=rounds, **NO_BUDGET)
    assert found is not None
    assert found.unsettled == 0.0
    return found.ends


def solved(crowd: Crowd, question: str, rounds: int) -> dict[End, float]:
    """The ends by solving state by state."""
    chain = explore(*crowd, question)
    found = read(chain, flow(chain, rounds))
    assert found.exact
    return found.ends


@pytest.mark.parametrize("question", ["win", "losses"])
@pytest.mark.parametrize(("left", "right", "body"), [(1, 1, {"deep": 2}), (1, 1, {"deep": 1, "flesh": 4}), (2, 1, {"deep": 2, "flesh": 4})])
def test_all_ways_at_once_come_to_the_chances_of_state_by_state(question: str, left: int, right: int, body: dict[str, int]) -> None:
    people = crowd(left, right, **body)
    one, other = followed(people, question, 3), solved(people, question, 3)
    assert {end for end, chance in other.items() if chance > CLOSE} <= set(one)
    for end, chance in one.items():
        assert chance == pytest.approx(other[end], abs=CLOSE)


def test_a_scene_that_ends_after_its_rounds_ends_there() -> None:
    people = crowd(1, 1, 2, deep=2)
    assert followed(people, "win", 30) == pytest.approx(solved(people, "win", 2), abs=CLOSE)


def test_a_budget_leaves_bounds_and_says_what_ran_out() -> None:
    staged = crowd(2, 2, deep=1)
    found = solve(*staged, rounds=30, states=30)
    assert 0 < found.unsettled < 1
    assert found.stopped == "states"
    assert found.budget_reached
    low, high = found.sides["north"].interval
    assert high - low == pytest.approx(found.unsettled)


def test_the_work_ends_at_the_precision_that_was_asked_for() -> None:
    staged = crowd(2, 1, deep=2)
    found = solve(*staged, rounds=30, precision=0.15)
    assert found.stopped == "precision"
    assert found.unsettled <= 0.3


def test_somebody_who_stops_the_work_gets_what_is_known() -> None:
    staged = crowd(2, 2)
    found = solve(*staged, rounds=30, progress=lambda told: False)
    assert found.interrupted


def test_where_there_is_no_room_the_lightest_are_let_go_and_stay_unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probability_flow, "MOST_WAITING", 300)
    people = crowd(2, 1, deep=2)
    found = carry(*people, "win", rounds=3, **NO_BUDGET)
    assert found is not None
    assert 0 < found.unsettled < 0.5
    assert found.stopped == "states"
    assert sum(found.ends.values()) + found.unsettled == pytest.approx(1.0)


def test_six_who_can_act_are_not_followed_at_once() -> None:
    assert carry(*crowd(3, 3), "win", rounds=30, **NO_BUDGET) is None
    assert carry(*crowd(3, 2), "win", rounds=30, **{**NO_BUDGET, "seconds": 0.0}) is not None


def test_when_the_time_is_over_not_one_turn_more_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(10**6))
    monkeypatch.setattr("rulewright.lab.solver.probability_flow.time.monotonic", lambda: float(next(seconds)))
    found = carry(*crowd(2, 2), "win", rounds=30, **{**NO_BUDGET, "seconds": 40.0})
    assert found is not None
    assert found.stopped == "seconds"
    assert next(seconds) < 60
