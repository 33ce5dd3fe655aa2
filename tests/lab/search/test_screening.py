"""Playouts that are cut short: positions have a value, the best answer by it is confirmed, and steps are remembered within a decision."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.lab.search.search_scenes import Climbing, Ladder
from tests.lab.search.test_planner import asked

from rulewright import library
from rulewright.dice.sums import Sum
from rulewright.lab.search import Level, Mind, level, playouts
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.playouts import Playing, Policy
from rulewright.lab.search.sequential_halving import CLEAR, OutOfTime, stays_ahead
from rulewright.lab.search.step_memory import TRIAL, StepMemory
from rulewright.play import Play, Roll, first_option
from rulewright.play.position_value import Weights, compared
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.question_snapshot import Moment
from rulewright.system import HOUSE, find

CUT = Level("test", 400, None, cut=True)


class Valued(Climbing):
    """The same climb with a value: fewer rungs for the tries that are left are better."""

    weights = Weights(weights={"even": 2.0}, near=1, far=2)

    def position(self, state: Ladder, side: str) -> Mapping[str, float]:
        return {"even": (state.tries * 2 / 3 - state.rungs) * (1 if side == "climber" else -1)}

    def elapsed(self, state: Ladder) -> float:
        return 5 - state.tries


def first_question(scene: Any, state: Any) -> Moment:
    encounter = Encounter.begin(scene, state)
    return encounter.moment(asked(encounter))


def test_a_position_is_rated_by_what_its_own_side_has_more() -> None:
    members = [("north", {"able": 1.0, "power": 3.0}), ("south", {"able": 1.0, "power": 1.0}), ("south", {"able": 1.0})]
    features = compared(members, "north", ("power",))
    assert features == {"able": -1.0, "power": 2.0, "share of power": 0.5, "own able": 1.0, "own power": 3.0}
    assert Weights(weights={"able": 1.0}).estimate({"able": 0.0, "unknown": 5.0}) == 0.5
    assert Weights().estimate({"able": 9.0}) is None


def test_short_playouts_find_the_better_way_and_stop_at_their_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []
    monkeypatch.setattr(playouts, "worth", lambda scene, state, side, winner: ends.append(state) or float(winner == side))
    thought = Mind(Valued(), {}, first_option, CUT, seed=3).think(first_question(Valued(), Ladder()))
    assert (thought.usual, thought.answer) == ("rash", "safe")
    assert not ends, "no playout came to the end"
    safe, rash = thought.options
    assert (safe.key, rash.key) == ("safe", "rash")
    assert safe.interval[0] > rash.worth


def test_a_scene_without_a_value_is_played_to_the_end_at_every_level() -> None:
    thought = Mind(Climbing(), {}, first_option, CUT, seed=3).think(first_question(Climbing(), Ladder()))
    assert thought.answer == "safe"
    assert thought.playouts > 100


def test_the_second_test_ends_early_where_the_answer_is_clear_and_tells_when_there_was_no_time() -> None:
    ahead, first, best = stays_ahead(1_000, lambda at, number: at * 0.5 + number % 3 / 10, 7)
    assert ahead
    assert len(first.values) == len(best.values) == 16
    assert CLEAR > 0

    def late(at: int, number: int) -> float:
        raise OutOfTime

    assert stays_ahead(1_000, late, 0)[0] is None
    assert stays_ahead(1_000, lambda at, number: number % 5 / 10 - at * 0.3, 0)[0] is False


@pytest.mark.parametrize("name", ["scumm/duel", "silhouette/town-duel", "ore/duel", "hybrid/duel"])
def test_remembered_steps_change_no_value(name: str) -> None:
    """The same playouts with and without the memory, with opponents whose tactics are drawn for each playout."""
    staged = library.stage(name)
    scene, sides = staged.scene, staged.scene.sides(staged.state)
    side = next(iter(sides))
    mind = Mind(scene, staged.system.staging(scene.kind).tactics, staged.decide, CUT, rounds=3)
    mind._state = staged.state
    remembering = mind.way(side, "")
    plain = Playing(scene, remembering.policy, 3, Watch())
    plain._memory.given_up = True
    for number in range(8):
        values = [playing.fight(scene.step(staged.state), side, number, 2, "start") for playing in (remembering, plain)]
        assert values[0] == values[1], number
    assert name == "hybrid/duel" or remembering._memory._known > 0, "only Hybrid's steps hardly repeat"


def test_memory_is_given_up_where_steps_do_not_repeat() -> None:
    class Rolling(Playing):
        def __init__(self) -> None:
            super().__init__(Climbing(), Policy(first_option), None, Watch())

    def step(number: int) -> Play[int]:
        return number + (yield from Roll(Sum((6,)), "somebody"))

    driver = Rolling()
    driver.begin(1)
    forgetful, useful = StepMemory(driver), StepMemory(driver)
    for number in range(TRIAL):
        forgetful.play(number, lambda number=number: step(number))  # type: ignore[misc]
        useful.play(number % 10, lambda number=number: step(number % 10))  # type: ignore[misc]
    assert forgetful.given_up
    assert not useful.given_up


def test_time_that_is_saved_is_lent_to_later_decisions_and_a_new_fight_begins_without() -> None:
    mind = Mind(Valued(), {}, first_option, level("good").counted, seed=3)
    moment = first_question(Valued(), Ladder())
    mind.think(moment)
    assert 0 < mind.saved < 0.5
    saved = mind.saved
    mind.think(moment, level=Level("other", 50, 0.1))
    assert mind.saved == saved, "hints take no time from the opponent"
    mind.begin(4)
    assert mind.saved == 0.0


def test_counted_time_gives_the_same_thoughts_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    staged = library.stage("scumm/shootout")
    moment = first_question(staged.scene, staged.state)

    def thought() -> Any:
        return Mind(staged.scene, staged.system.tactics, staged.decide, level("easy").counted, seed=5).think(moment)

    before = thought()
    monkeypatch.setattr("rulewright.lab.search.deadline.time.thread_time", lambda: 1e9)
    assert thought() == before


VALUED = [
    f"{game}/{path.removeprefix('scenarios/').removesuffix('.yaml')}"
    for game in HOUSE
    for path in find(game).demos()
    if path.startswith("scenarios/")
]


@pytest.mark.parametrize("name", VALUED)
def test_fights_and_battles_have_a_value_and_the_chances_of_both_sides_add_up(name: str) -> None:
    staged = library.stage(name)
    scene, state = staged.scene, staged.state
    sides = list(scene.sides(state))
    values = [scene.value(state, side) for side in sides]
    if scene.kind not in ("fight", "battle") or len(sides) != 2:
        return
    assert all(value is not None and 0 < value < 1 for value in values)
    assert sum(value for value in values if value is not None) == pytest.approx(1)


@pytest.mark.parametrize(
    "name", ["scumm/brawl", "silhouette/firefight", "hybrid/ambush", "ore/firefight", "foresight/brawl", "silhouette/convoy"]
)
def test_a_side_is_better_off_when_an_enemy_has_left(name: str) -> None:
    staged = library.stage(name)
    scene, state = staged.scene, staged.state
    mine, theirs = scene.sides(state)
    before = scene.value(state, mine)
    after = scene.value(scene.leave(state, scene.sides(state)[theirs][0], "surrender"), mine)
    assert before is not None
    assert after is not None
    assert after > before
