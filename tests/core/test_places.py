"""Places as answers to a choice, with every driver; and the view in the middle of a step."""

from typing import Any

import msgspec
import pytest
from msgspec import Struct

from core.scenes import STANDOFF
from rulewright.build.sheet_parts import Card, SceneView
from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import Changes, Ground, read_ground
from rulewright.field.placement import Standing
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.play import Choice, Happened, Option, Play, Stands, Tell, play, replay, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scene import Result, Scene

WALLED = read_ground({"size": [20, 20], "walls": [{"along": [[10, 0], [10, 15]]}]})
STAY: "Option[Any]" = Option("stay", "Stay", Going("", (0.0, 0.0), 0.0, ()))


class Walk(Struct, frozen=True):
    """Two people on a map, one of whom walks."""

    x: float = 5.0
    y: float = 5.0
    steps: int = 0
    other: tuple[float, float] = (15.0, 5.0)
    ground: Ground = Ground()


def question(state: Walk) -> "Choice[Any]":
    paces = (Pace("walk", "walking", 6.0), Pace("run", "running", 12.0))
    where: Anywhere[Any] = Anywhere(field(state.ground), (state.x, state.y), paces, lambda going: going, "walk")
    return Choice("a", "Where do you go?", (STAY,), state, "move", where=where)


class Walking(Scene[Walk]):
    state_type = Walk

    def step(self, state: Walk) -> Play[Walk]:
        going: Going = yield question(state)
        if going.bends:
            state = msgspec.structs.replace(state, x=going.spot[0], y=going.spot[1])
        yield Tell(Stands(state))
        yield Tell(Happened("a", "looks around"))
        yield from Choice("a", "And now?", (Option("go on", "Go on", None),))
        return msgspec.structs.replace(state, steps=state.steps + 1)

    def result(self, state: Walk) -> Result | None:
        return Result(None, "enough") if state.steps >= 3 else None

    def sides(self, state: Walk) -> dict[str, tuple[str, ...]]:
        return {"ours": ("a",), "theirs": ("b",)}

    def out(self, state: Walk) -> frozenset[str]:
        return frozenset()

    def round(self, state: Walk) -> int:
        return state.steps

    def ground(self, state: Walk) -> tuple[Ground, Changes]:
        return state.ground, Changes()

    def standing(self, state: Walk) -> dict[str, Standing]:
        return {"a": Standing(state.x, state.y, "ours"), "b": Standing(*state.other, "theirs")}

    def view(self, state: Walk, who: str | None) -> SceneView:
        return SceneView("", f"{state.x:g}, {state.y:g}", (Card("a", "ours", ()),), field=self.field_shown(state, who))


def walked(state: Walk) -> Play[tuple[float, float]]:
    going: Going = yield question(state)
    return going.spot


scene = Walking(STANDOFF)


def test_a_place_is_taken_where_no_option_has_that_key() -> None:
    asked = question(Walk())
    assert asked.take("run@12,5").cost == 7
    assert asked.take("stay") is STAY.value
    with pytest.raises(UserError, match="walking you get 6 m at most"):
        asked.take("@12,5")
    with pytest.raises(UserError, match="choose one of stay"):
        asked.take("fly")


def test_a_choice_without_places_refuses_one() -> None:
    with pytest.raises(UserError, match="choose one of stay"):
        Choice("a", "Well?", (STAY,)).take("@1,1")


def test_on_bare_ground_places_do_not_change_the_fingerprint() -> None:
    assert question(Walk()).fingerprint() == Choice("a", "Where do you go?", (STAY,), topic=question(Walk()).topic).fingerprint()
    assert question(Walk(ground=WALLED)).fingerprint() != question(Walk()).fingerprint()
    assert question(Walk(ground=WALLED)).fingerprint() != question(Walk(ground=WALLED, x=6)).fingerprint()


def test_a_tactic_a_script_and_a_replay_give_a_place_as_they_give_a_key() -> None:
    played = play(walked(Walk()), decide=lambda choice: "@8,5")
    assert played.outcome == (8, 5)
    assert replay(walked(Walk()), played.record) == played
    assert script(walked(Walk(ground=WALLED)), choices=["run@9.5,5"]).outcome == (9.5, 5)


def test_exact_odds_follow_a_tactic_that_goes_to_a_place() -> None:
    odds = exact(sub(walked, Walk()), decide=lambda choice: "run@12,5")
    assert dict(odds) == {(12.0, 5.0): odds.total}


def test_views_are_drawn_from_now_and_rules_go_on_from_the_beginning_of_the_step() -> None:
    encounter = Encounter.begin(scene, Walk())
    assert encounter.now is encounter.state
    encounter.give("run@12,5")
    assert (encounter.state.x, encounter.now.x) == (5, 12)
    encounter.undo()
    assert encounter.now.x == 5
    encounter.redo()
    assert encounter.now.x == 12
    encounter.give("go on")
    assert encounter.now is encounter.state
    assert encounter.state.x == 12


def test_how_things_stand_is_told_to_nobody() -> None:
    encounter = Encounter.begin(scene, Walk())
    encounter.give("@8,5")
    assert [line.what for line in encounter.log if isinstance(line.what, Stands)] == []
    played = play(scene.step(Walk()), decide=lambda choice: "@8,5" if choice.topic == "move" else "go on")
    assert [type(event) for event in played.events] == [Happened]


def test_the_log_says_where_somebody_went_in_words() -> None:
    encounter = Encounter.begin(scene, Walk())
    encounter.give("run@12,5")
    assert encounter.log[0].what.answer == "Running to 12, 5 (7.0 m)"


def test_a_record_with_places_replays_bit_for_bit() -> None:
    encounter = Encounter.begin(scene, Walk(ground=WALLED))
    encounter.give("run@9.5,12")
    encounter.give("go on")
    again = Encounter(scene, encounter.entries)
    assert again.state == encounter.state
    assert again.log == encounter.log


def test_what_happens_out_of_sight_is_known_to_ones_own_side_alone() -> None:
    encounter = Encounter.begin(scene, Walk(ground=WALLED))
    encounter.give("run@9.5,14")
    decided, told = encounter.log
    assert decided.known_to == ("a",)
    assert told.known_to == ("a",)
    assert decided.hidden_from("b")
    assert not decided.hidden_from("a")
    assert not decided.hidden_from(None)


def test_what_was_seen_stays_known_when_whoever_did_it_is_gone() -> None:
    encounter = Encounter.begin(scene, Walk(x=10.0, y=17.0, ground=WALLED, other=(15.0, 17.0)))
    encounter.give("run@9.5,8")
    decided, told = encounter.log
    assert decided.known_to == ("a", "b")  # seen to set out
    assert told.known_to == ("a",)  # and then no more


def test_where_nothing_hides_anybody_nothing_is_kept_from_anybody() -> None:
    encounter = Encounter.begin(scene, Walk())
    encounter.give("@8,5")
    assert {line.known_to for line in encounter.log} == {None}
    assert scene.in_sight(Walk(), "ours") is None
    assert scene.in_sight(Walk(ground=WALLED), "ours") == {"a"}
    assert scene.witnesses(Walk(ground=WALLED), "b") == ("b",)


def test_a_side_is_shown_where_it_does_not_see_to_and_the_gamemaster_everything() -> None:
    mine, whole = scene.view(Walk(ground=WALLED), "a").field, scene.view(Walk(ground=WALLED), None).field
    assert mine is not None
    assert whole is not None
    assert mine.fog
    assert whole.whole
    assert not whole.fog
