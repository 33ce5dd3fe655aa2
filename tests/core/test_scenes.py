"""Steps of the hardest rounds: interrupts within interrupts, and declarations resolved by speed."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from core.scenes import STANDOFF, VOLLEY, Group, Happened, Person, Rounds, Standoff, Volley, wary
from rulewright.play import Event, Given, Roll, Seeded, first_option, replay, script, sub
from rulewright.play.odds import exact, sample
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scene import run

standoff = Standoff(STANDOFF)
volley = Volley(VOLLEY)

STANDOFF_START = Group((Person("a", "left"), Person("b", "right", 2), Person("c", "left")))
# a and b wait; c strikes at b, b interrupts, and a interrupts the interrupt.
STANDOFF_PLAYED: list[tuple[Given, str]] = [
    ("wait", "a: your turn"),
    ("wait", "b: your turn"),
    ("strike b", "c: your turn"),
    ("interrupt", "b: c is about to strike b"),
    ((3,), "c rolls quickness"),
    ((5,), "b rolls quickness"),
    # b is quicker and strikes c: a, who waits, interrupts the interrupt
    ("interrupt", "a: b is about to strike c"),
    ((2,), "b rolls quickness"),
    ((6,), "a rolls quickness"),
    # a is quicker still: a strikes b, whom nobody else can help
    ((4,), "a rolls strike"),
    # b is hurt but stands, and goes on with the interrupt
    ((6,), "b rolls strike"),
    # c is down: what c declared comes to nothing. Round 2, a's turn: b no longer waits
    ("strike b", "a: your turn"),
    ((1,), "a rolls strike"),
    ("strike a", "b: your turn"),
    ((5,), "b rolls strike"),
]
STANDOFF_TOLD = [
    "a waits",
    "b waits",
    "c is about to strike b",
    "b is quicker than c",
    "b is about to strike c",
    "a is quicker than b",
    "a is about to strike b",
    "a hits b",
    "b hits c",
    "c comes to nothing",
    "a is about to strike b",
    "a misses b",
    "b is about to strike a",
    "b hits a",
]

VOLLEY_START = Group((Person("a", "left", 2, 3), Person("b", "right", 2, 5), Person("c", "left", 1, 4)))
VOLLEY_PLAYED: list[tuple[Given, str]] = [
    ("strike b", "a: what will you do"),
    ("strike b", "c: what will you do"),
    ("strike c", "b: what will you do"),
    ((7, 7, 2), "a rolls strike"),
    ((3, 3, 3, 9), "c rolls strike"),
    ((10, 10, 4, 4, 4), "b rolls strike"),
    # widths 2, 3 and 3; b's 3x4 beats c's 3x3, so c falls; a's 2x7 still hits b
    ("strike b", "a: what will you do"),
    ("stand", "b: what will you do"),
    ((1, 1, 1), "a rolls strike"),
]
VOLLEY_TOLD = ["b hits c with 3x4", "a hits b with 2x7", "a hits b with 3x1"]

SCENES: dict[str, tuple[Rounds, Group, list[tuple[Given, str]], list[str], str]] = {
    "standoff": (standoff, STANDOFF_START, STANDOFF_PLAYED, STANDOFF_TOLD, "right"),
    "volley": (volley, VOLLEY_START, VOLLEY_PLAYED, VOLLEY_TOLD, "left"),
}


@pytest.fixture(params=list(SCENES))
def mini(request: pytest.FixtureRequest) -> Any:
    return SCENES[request.param]


def headlines(events: Any) -> list[str]:
    return [event.headline() for event in events]


def asked(request: Any) -> str:
    return f"{request.by} rolls {request.what}" if isinstance(request, Roll) else f"{request.who}: {request.ask_for}"


def played(
    scene: Rounds, start: Group, answers: list[tuple[Given, str]], watch: Callable[[Any], None] = lambda _: None
) -> Encounter[Group]:
    """Answers one by one, each time the first open question, and compares the question with the script."""
    encounter = Encounter.begin(scene, start, "mini")
    for given, question in answers:
        at, request = encounter.open[0]
        assert asked(request) == question
        watch(encounter)
        encounter.give(given, at)
    return encounter


def test_a_miniature_scene_plays_out_number_by_number(mini):
    scene, start, answers, told, winner = mini
    encounter = played(scene, start, answers)
    assert encounter.open == []
    assert encounter.result is not None
    assert encounter.result.winner == winner
    assert headlines(line.what for line in encounter.log if isinstance(line.what, Event)) == told


def test_a_script_of_the_whole_scene_gives_what_the_encounter_gives(mini):
    scene, start, answers, told, _ = mini
    faces = [given for given, _ in answers if isinstance(given, tuple)]
    choices = [given for given, _ in answers if not isinstance(given, tuple)]
    scripted = script(run(scene, start), faces, choices)
    assert scripted.outcome == played(scene, start, answers).state
    assert headlines(scripted.events) == told
    assert replay(run(scene, start), scripted.record) == scripted


def test_the_record_of_a_miniature_scene_replays_to_the_same_state_and_log(mini):
    scene, start, answers, _, _ = mini
    first = played(scene, start, answers)
    again = Encounter(scene, first.entries)
    assert again.state == first.state
    assert again.entries == first.entries
    assert again.log == first.log


def test_undoing_at_every_entry_gives_the_state_and_question_before_it_and_redo_brings_the_end_back(mini):
    scene, start, answers, _, _ = mini
    seen: list[tuple[Group, list[str]]] = []
    encounter = played(scene, start, answers, lambda now: seen.append((now.state, [asked(r) for _, r in now.open])))
    end, log = encounter.state, list(map(msgspec.structs.replace, encounter.log))
    for entry in range(len(answers), 0, -1):
        encounter.undo(to=entry)
        state, questions = seen[entry - 1]
        assert encounter.state == state
        assert [asked(request) for _, request in encounter.open] == questions
        assert [line for line in encounter.log if line.undone] == [line for line in encounter.log if line.entry >= entry]
        encounter.redo()
        assert encounter.state == end
        assert encounter.log == log


def test_undoing_again_and_again_gives_the_start_and_redoing_gives_the_end(mini):
    scene, start, answers, _, _ = mini
    encounter = played(scene, start, answers)
    end, undone = encounter.state, 0
    while encounter.state != start or not encounter.between_steps:
        encounter.undo()
        undone += 1
    assert asked(encounter.open[0][1]) == answers[0][1]
    for _ in range(undone):
        encounter.redo()
    assert encounter.state == end
    assert encounter.result is not None
    reopened = Encounter(scene, encounter.entries)
    assert (reopened.state, reopened.log) == (end, encounter.log)


@pytest.mark.parametrize(
    ("scene", "start", "decide"),
    [
        (standoff, Group((Person("a", "left"), Person("b", "right", 2, 5), Person("c", "left"))), wary),
        (volley, Group((Person("a", "left", 1, 3), Person("b", "right", 2, 2))), first_option),
    ],
    ids=["standoff", "volley"],
)
def test_exact_odds_of_a_whole_miniature_scene_agree_with_sampling_it(scene, start, decide):
    def winner(state, steps):
        ended = scene.result(state)
        if ended is not None or steps == 0:
            return ended.winner if ended is not None else "still going"
        after = yield from sub(scene.step, state)
        return (yield from sub(winner, after, steps - 1))

    whole = sub(winner, start, 8)
    odds = exact(whole, decide=decide)
    assert odds.unsettled == 0
    assert sum(odds.weights.values()) == odds.total
    n = 4_000
    counted = sample(whole, n, seed=11, decide=decide)
    for outcome, weight in odds:
        chance = weight / odds.total
        assert abs(counted.get(outcome, 0) / n - chance) <= 4.5 * (chance * (1 - chance) / n) ** 0.5 + 1e-9
    assert set(counted) <= set(odds.weights)


# --- the standoff, point by point -----------------------------------------------------------------------------------------------


def waiting_for_a(*watchers: str) -> Encounter[Group]:
    """a is about to act, and the others wait."""
    people = [Person("a", "left", 3)] + [Person(name, "right", 2, waiting=True) for name in watchers]
    return Encounter.begin(standoff, Group(tuple(people)))


def test_all_who_wait_are_asked_at_once_and_may_answer_in_any_order():
    encounter = waiting_for_a("b", "c", "d")
    encounter.give("strike b")
    assert [request.who for _, request in encounter.open] == ["b", "c", "d"]
    encounter.give("pass", at=2)
    encounter.give("interrupt", at=0)
    assert [(at, request.who) for at, request in encounter.open] == [(1, "c")]
    encounter.give("interrupt", at=1)
    assert [(at, request.by) for at, request in encounter.open] == [(0, "a"), (1, "b"), (2, "c")]
    assert Encounter(standoff, encounter.entries).open[0][1] == encounter.open[0][1]


def test_whoever_passes_until_something_happens_is_asked_again_only_after_it_happened():
    encounter = waiting_for_a("b", "c")
    encounter.give("strike b")
    encounter.give("pass until something happens", at=1)
    encounter.give("pass", at=0)
    encounter.give((3,))
    assert encounter.state["c"].quiet
    encounter.overrule(("turn", 0))
    encounter.give("strike b")
    assert [request.who for _, request in encounter.open] == ["b"]
    encounter.give("pass")
    encounter.give((4,))
    assert not encounter.state["c"].quiet
    encounter.overrule(("turn", 0))
    encounter.give("strike b")
    assert [request.who for _, request in encounter.open] == ["b", "c"]


def test_a_slower_interrupter_strikes_after_the_declared_strike_and_a_fallen_one_not_at_all():
    encounter = waiting_for_a("b", "c")
    encounter.overrule(("people.1.health", 1))
    encounter.give("strike b")
    encounter.give("interrupt", at=0)
    encounter.give("interrupt", at=1)
    for at, face in enumerate((4, 2, 4)):
        encounter.give((face,), at)
    assert asked(encounter.open[0][1]) == "a rolls strike"
    encounter.give((6,))
    assert encounter.open[0][1].by == "c"
    told = headlines(line.what for line in encounter.log if isinstance(line.what, Happened))
    assert told[-3:] == ["a hits b", "c is too late", "c is about to strike a"]
    encounter.give((1,))
    told = headlines(line.what for line in encounter.log if isinstance(line.what, Happened))
    assert told[-2:] == ["c misses a", "b is too late"]


def test_an_answer_half_given_to_several_people_is_undone_alone():
    encounter = waiting_for_a("b", "c")
    encounter.give("strike b")
    encounter.give("interrupt", at=1)
    encounter.undo()
    assert [at for at, _ in encounter.open] == [0, 1]
    encounter.redo()
    assert [at for at, _ in encounter.open] == [0]


# --- the volley, point by point -------------------------------------------------------------------------------------------------


def test_whoever_is_hit_before_acting_loses_a_die_and_with_a_pair_the_whole_set():
    start = Group((Person("a", "left", 2, 2), Person("b", "right", 2, 3)))
    after = script(volley.step(start), [(9, 9), (1, 1, 1)], ["strike b", "strike a"])
    assert headlines(after.events) == ["b hits a with 3x1", "a loses the set"]
    assert [person.health for person in after.outcome.people] == [1, 2]


def test_a_set_of_three_that_loses_a_die_still_strikes_as_a_pair():
    start = Group((Person("a", "left", 2, 3), Person("b", "right", 2, 3)))
    after = script(volley.step(start), [(2, 2, 2), (8, 8, 8)], ["strike b", "strike a"])
    assert headlines(after.events) == ["b hits a with 3x8", "a hits b with 2x2"]


def test_everybody_declares_before_anybody_rolls_and_the_wiser_hear_what_the_duller_said():
    start = Group((Person("a", "left", 2, 5), Person("b", "right", 2, 2), Person("c", "right", 2, 3)))
    encounter = Encounter.begin(volley, start)
    heard = []
    for _ in range(3):
        _, request = encounter.open[0]
        heard.append((request.who, request.about[1]))
        encounter.give(request.options[0].key)
    assert heard == [("b", {}), ("c", {"b": "a"}), ("a", {"b": "a", "c": "a"})]
    assert [request.by for _, request in encounter.open] == ["b", "c", "a"]


def test_seeded_scenes_come_out_the_same_twice():
    def winner():
        encounter = Encounter.begin(standoff, STANDOFF_START)
        return encounter.play_out(Seeded(5), wary), encounter.entries

    assert winner() == winner()
