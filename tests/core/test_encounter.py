"""The live encounter: answers, the gamemaster's edits, newcomers, undo and redo, and its log."""

import msgspec
import pytest

from core.scenes import STANDOFF, VOLLEY, Group, Happened, Person, Standoff, Volley
from rulewright.dice import Sum
from rulewright.errors import UserError
from rulewright.play import Roll, Rolled, Seeded, Tell, first_option, play
from rulewright.scenes.encounter import Decided, Encounter, Logged
from rulewright.scenes.record import Answered, Begun, Overruled, Redone, Undone
from rulewright.scenes.scene import Result, Scene, run

START = Group((Person("a", "left", 2), Person("b", "right", 2), Person("c", "left", 2)))
scene = Standoff(STANDOFF)


@pytest.fixture
def encounter():
    return Encounter.begin(scene, START, "a test")


def kinds(encounter):
    return [type(entry).__name__ for entry in encounter.entries]


def struck(encounter):
    return [line.what for line in encounter.log if line.undone]


# --- answers --------------------------------------------------------------------------------------------------------------------


def test_an_encounter_begins_with_a_snapshot_and_the_first_question(encounter):
    begun = encounter.entries[0]
    assert isinstance(begun, Begun)
    assert (begun.by, begun.name, begun.system) == ("gamemaster", "a test", "standoff")
    assert msgspec.convert(begun.state, Group) == START
    assert [request.who for _, request in encounter.open] == ["a"]
    assert encounter.between_steps
    assert encounter.result is None


def test_an_answer_is_recorded_with_its_author_and_the_mark_of_its_question(encounter):
    mark = encounter.open[0][1].fingerprint()
    encounter.give("wait")
    assert encounter.entries[-1] == Answered("a", mark, "wait", 0)
    encounter.give("wait", by="b's brother")
    assert encounter.entries[-1].by == "b's brother"


@pytest.mark.parametrize(
    ("given", "at", "message"),
    [
        ("fly", 0, "your turn: 'fly' is not allowed; choose one of wait, strike b"),
        ((3,), 0, "is not allowed"),
        ("wait", 1, "there is no open question at place 1"),
        ("wait", -1, "there is no open question at place -1"),
    ],
)
def test_an_answer_that_is_not_allowed_is_refused_and_changes_nothing(encounter, given, at, message):
    with pytest.raises(UserError, match=message):
        encounter.give(given, at)
    assert kinds(encounter) == ["Begun"]
    encounter.give("wait")


@pytest.mark.parametrize(
    ("given", "message"), [("six", "this question needs the faces of dice, not 'six'"), ((7,), "a d6 cannot show 7"), ((), "needs 1 face")]
)
def test_faces_that_cannot_fall_are_refused_and_change_nothing(encounter, given, message):
    encounter.give("strike b")
    with pytest.raises(UserError, match=message):
        encounter.give(given)
    assert len(encounter.entries) == 2
    encounter.give((6,))
    assert encounter.state["b"].health == 1


def test_an_ended_scene_has_nothing_to_answer():
    encounter = Encounter.begin(scene, Group((Person("a", "left"), Person("b", "right"))))
    encounter.give("strike b")
    encounter.give((6,))
    assert encounter.result == Result("left", "the others are down")
    assert encounter.open == []
    with pytest.raises(UserError, match="the scene has ended"):
        encounter.give("wait")
    assert not encounter.advance(Seeded(1), first_option)


def test_advance_leaves_open_what_nobody_decides(encounter):
    assert not encounter.advance(Seeded(1), lambda choice: None)
    assert encounter.advance(Seeded(1), lambda choice: "strike b")
    assert encounter.advance(Seeded(1), lambda choice: None)
    assert encounter.open[0][1].who == "b"
    assert encounter.play_out(Seeded(1), lambda choice: None) is None


# --- the record says where it does not fit --------------------------------------------------------------------------------------


def entries_of(*given):
    encounter = Encounter.begin(scene, Group((Person("a", "left", 2), Person("c", "left", 2), Person("b", "right", 2))))
    for one in given:
        encounter.give(one)
    return encounter.entries


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda e: [], "entry 1 of the record must begin a scene"),
        (lambda e: e[1:], "entry 1 of the record must begin a scene"),
        (
            lambda e: [*e[:2], msgspec.structs.replace(e[2], question="q00000000"), *e[3:]],
            "entry 3 of the record does not fit: it answers another",
        ),
        (lambda e: [*e[:2], msgspec.structs.replace(e[2], given="fly"), *e[3:]], "entry 3 of the record does not fit: your turn: 'fly'"),
        (lambda e: [*e[:3], msgspec.structs.replace(e[3], given=3)], "entry 4 of the record does not fit: this question needs"),
        (
            lambda e: [*e[:3], msgspec.structs.replace(e[3], at=4)],
            "entry 4 of the record does not fit: there is no open question at place 4",
        ),
        (lambda e: [*e, Redone("a")], "entry 5 of the record does not fit: there is nothing to redo"),
        (lambda e: [*e, Undone("a", 7)], "entry 5 of the record does not fit: entry 8 cannot be undone, because it is not in force"),
        (lambda e: [*e, Undone("a", 0)], "entry 5 of the record does not fit: entry 1 cannot be undone"),
        (lambda e: [*e, e[0]], "entry 5 of the record does not fit: it begins another scene"),
        (lambda e: [*e, Overruled("a", (("people.0.health", "low"),))], "entry 5 of the record does not fit: Expected `int`"),
        (
            lambda e: [*e[:3], Overruled("a", (("turn", 0),))],
            "entry 4 of the record does not fit: values can only be edited between steps",
        ),
        (
            lambda e: [msgspec.structs.replace(e[0], state={"people": 3}), *e[1:]],
            "entry 1 of the record: the snapshot does not fit this version",
        ),
        (
            lambda e: [msgspec.structs.replace(e[0], system="chess"), *e[1:]],
            "entry 1 of the record begins a scene of chess, not of standoff",
        ),
        (lambda e: [msgspec.structs.replace(e[0], ruleset="00"), *e[1:]], "entry 1 of the record uses other settings"),
    ],
)
def test_a_record_that_does_not_fit_says_at_which_entry_and_why(spoil, message):
    entries = spoil(entries_of("wait", "strike b", (3,)))
    with pytest.raises(UserError, match=message):
        Encounter(scene, entries)


def test_only_new_entries_are_handed_to_the_keeper():
    kept = []
    encounter = Encounter.begin(scene, START, keep=kept.append)
    encounter.give("wait")
    assert kept == encounter.entries
    more = []
    again = Encounter(scene, kept, more.append)
    assert more == []
    again.give("wait")
    assert more == again.entries[2:]


# --- the gamemaster -------------------------------------------------------------------------------------------------------------


def test_the_gamemaster_changes_the_state_between_two_steps(encounter):
    encounter.give("wait")
    encounter.overrule(("people.1.health", 5), ("people.0.waiting", False), why="a potion")
    assert encounter.state["b"].health == 5
    assert not encounter.state["a"].waiting
    assert encounter.entries[-1] == Overruled("gamemaster", (("people.1.health", 5), ("people.0.waiting", False)), "a potion")
    assert encounter.log[-1].what == encounter.entries[-1]
    assert encounter.open[0][1].about["b"].health == 5


def test_numbers_typed_by_hand_are_taken_as_numbers(encounter):
    encounter.overrule(("people.1.health", "4"))
    assert encounter.state["b"].health == 4


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("people.1.health", "plenty", "Expected `int`"),
        ("people.1.helth", 3, 'people.1.helth: unknown field; did you mean "health"'),
        ("people.9.health", 3, "people.9: expected the number of an entry"),
        ("turns", 3, 'turns: unknown field; did you mean "turn"'),
        ("turn", None, "Expected `int`"),
    ],
)
def test_an_overruling_that_does_not_fit_the_state_is_refused_and_changes_nothing(encounter, field, value, message):
    with pytest.raises(UserError, match=message):
        encounter.overrule((field, value))
    assert encounter.state == START
    assert kinds(encounter) == ["Begun"]


def test_within_a_step_the_gamemaster_waits(encounter):
    encounter.give("strike b")
    assert not encounter.between_steps
    with pytest.raises(UserError, match="between steps"):
        encounter.overrule(("turn", 2))
    with pytest.raises(UserError, match="between steps"):
        encounter.join(Person("d", ""), "right")
    encounter.give((1,))
    encounter.overrule(("turn", 2))
    assert encounter.open[0][1].who == "c"


def test_an_overruling_can_end_a_scene_and_undoing_it_opens_the_scene_again(encounter):
    encounter.overrule(("people.1.health", 0))
    assert encounter.result is not None
    assert encounter.open == []
    encounter.undo()
    assert encounter.result is None
    assert encounter.state == START
    assert struck(encounter) == [encounter.entries[1]]
    encounter.redo()
    assert encounter.result is not None
    assert struck(encounter) == []


def test_a_newcomer_joins_between_two_steps_and_is_gone_when_that_is_undone(encounter):
    encounter.give("wait")
    encounter.join(Person("d", "", 3), "right")
    assert scene.sides(encounter.state) == {"left": ("a", "c"), "right": ("b", "d")}
    assert encounter.entries[-1].why == "d joins"
    encounter.give("wait")
    encounter.give("strike d")
    assert Encounter(scene, encounter.entries).state == encounter.state
    encounter.undo(to=2)
    assert scene.sides(encounter.state) == {"left": ("a", "c"), "right": ("b",)}


class Loaded(Standoff):
    """A standoff in which a skill of 99 means more dice than allowed."""

    def step(self, state):
        me = state.people[state.turn]
        yield from Tell(Happened(f"{me.name} is up"))
        if me.skill == 99:
            Sum((6,) * 1000)
        return (yield from super().step(state))


def test_an_overruling_from_which_the_rules_cannot_go_on_is_refused_as_if_it_had_never_been():
    encounter = Encounter.begin(Loaded(STANDOFF), START)
    log = list(encounter.log)
    with pytest.raises(UserError, match="the number of dice must be"):
        encounter.overrule(("people.0.skill", 99))
    assert kinds(encounter) == ["Begun"]
    assert encounter.log == log
    assert encounter.state == START
    encounter.give("wait")
    assert encounter.open[0][1].who == "b"


def test_an_answer_from_which_the_rules_cannot_go_on_is_refused_as_if_it_had_never_been():
    kept = []
    start = START.changed("b", skill=99)
    encounter = Encounter.begin(Loaded(STANDOFF), start, keep=kept.append)
    encounter.give("strike b")
    log = list(encounter.log)
    with pytest.raises(UserError, match="the number of dice must be"):
        encounter.give((2,))
    assert encounter.log == log
    assert kept == encounter.entries
    assert len(kept) == 2
    assert encounter.open[0][1].by == "a"
    encounter.undo()
    assert encounter.state == start
    assert Encounter(Loaded(STANDOFF), kept).state == start


class Stuck(Standoff):
    def step(self, state):
        yield from Tell(Happened("nothing"))
        return state


def test_a_step_that_asks_nothing_and_changes_nothing_is_a_fault_of_the_game_and_no_hang():
    with pytest.raises(RuntimeError, match=r"Stuck\.step asks nothing and changes nothing"):
        Encounter.begin(Stuck(STANDOFF), START)


class Counting(Standoff):
    longest = 5

    def step(self, state):
        yield from Tell(Happened(f"round {state.round}"))
        return msgspec.structs.replace(state, round=state.round + 1)


def test_steps_without_questions_follow_each_other_until_the_end():
    encounter = Encounter.begin(Counting(STANDOFF), START)
    assert encounter.result == Result(None, "everybody is tired")
    assert [line.what.headline() for line in encounter.log] == [f"round {n}" for n in range(1, 6)]


# --- undo and redo --------------------------------------------------------------------------------------------------------------


def test_undo_goes_back_before_the_last_decision_and_takes_the_rolls_since_then_along(encounter):
    encounter.give("strike b")
    encounter.give((6,))
    encounter.undo()
    assert encounter.state == START
    assert kinds(encounter) == ["Begun", "Answered", "Answered", "Undone"]
    assert encounter.entries[-1] == Undone("gamemaster", 1)
    assert encounter.open[0][1].who == "a"


def test_undo_to_an_entry_keeps_the_answers_of_the_same_step_before_it(encounter):
    encounter.give("strike b")
    encounter.give((6,))
    encounter.undo(to=2)
    assert isinstance(encounter.open[0][1], Roll)
    encounter.give((1,))
    assert encounter.state["b"].health == 2


def test_there_is_nothing_to_undo_at_the_start_and_nothing_to_redo_without_an_undo(encounter):
    with pytest.raises(UserError, match="nothing to undo"):
        encounter.undo()
    with pytest.raises(UserError, match="nothing to redo"):
        encounter.redo()
    encounter.give("wait")
    with pytest.raises(UserError, match="cannot be undone, because it is not in force"):
        encounter.undo(to=5)
    encounter.give("wait")
    encounter.undo()
    with pytest.raises(UserError, match="entry 3 cannot be undone, because it is not in force"):
        encounter.undo(to=2)


def test_undone_entries_stay_in_the_record_and_are_struck_in_the_log(encounter):
    encounter.give("strike b")
    encounter.give((6,))
    encounter.give("wait")
    assert [type(line.what) for line in encounter.log] == [Decided, Happened, Rolled, Happened, Decided, Happened]
    encounter.undo()
    assert [line.undone for line in encounter.log] == [False] * 4 + [True] * 2
    assert encounter.log[4].what == Decided("b", "your turn", "wait")
    encounter.undo()
    assert all(line.undone for line in encounter.log)
    encounter.give("wait")
    assert [line.undone for line in encounter.log] == [True] * 6 + [False] * 2
    assert len(encounter.entries) == 7


def test_redo_takes_undos_back_one_by_one_the_last_first(encounter):
    encounter.give("wait")
    encounter.give("wait")
    encounter.give("wait")
    states = [encounter.state]
    for _ in range(3):
        encounter.undo()
        states.append(encounter.state)
    for expected in reversed(states[:-1]):
        encounter.redo()
        assert encounter.state == expected
    assert struck(encounter) == []


def test_a_new_answer_or_overruling_clears_what_could_be_redone(encounter):
    encounter.give("wait")
    encounter.undo()
    encounter.give("strike b")
    with pytest.raises(UserError, match="nothing to redo"):
        encounter.redo()
    encounter.undo()
    encounter.overrule(("turn", 1))
    with pytest.raises(UserError, match="nothing to redo"):
        encounter.redo()


def test_undo_of_a_redo_and_redo_of_it_again(encounter):
    encounter.give("wait")
    after = encounter.state
    for _ in range(3):
        encounter.undo()
        assert encounter.state == START
        encounter.redo()
        assert encounter.state == after
    assert Encounter(scene, encounter.entries).state == after
    assert Encounter(scene, encounter.entries).log == encounter.log


def test_overrulings_answers_and_undos_in_any_order_replay_from_the_record(encounter):
    encounter.give("wait")
    encounter.overrule(("people.1.health", 3))
    encounter.give("strike a")
    encounter.give("interrupt")
    encounter.give((2,), 1)
    encounter.undo()
    encounter.undo()
    encounter.undo()
    assert encounter.state["b"].health == 2
    encounter.redo()
    assert encounter.state["b"].health == 3
    encounter.redo()
    encounter.give("pass")
    encounter.give((6,))
    again = Encounter(scene, encounter.entries)
    assert (again.state, again.log, again.open) == (encounter.state, encounter.log, again.open)
    assert [request.question() for _, request in again.open] == [request.question() for _, request in encounter.open]


def test_the_answers_of_several_people_come_in_any_order_and_mean_the_same():
    start = Group((Person("a", "left", 2, 3), Person("b", "right", 2, 3)))

    def after(order):
        encounter = Encounter.begin(Volley(VOLLEY), start)
        encounter.give("strike b")
        encounter.give("strike a")
        faces = {0: (5, 5, 1), 1: (9, 8, 9)}
        for at in order:
            encounter.give(faces[at], at)
        with pytest.raises(UserError, match="no open question at place 1"):
            encounter.give((1, 1, 1), 1)
        assert Encounter(Volley(VOLLEY), encounter.entries).state == encounter.state
        return encounter.state

    assert after((0, 1)) == after((1, 0))


def test_a_question_answered_twice_by_the_same_person_is_refused():
    start = Group((Person("a", "left", 2, 3), Person("b", "right", 2, 3)))
    encounter = Encounter.begin(Volley(VOLLEY), start)
    encounter.give("strike b")
    encounter.give("strike a")
    encounter.give((1, 1, 1), 1)
    with pytest.raises(UserError, match="no open question at place 1"):
        encounter.give((2, 2, 2), 1)


# --- what the log hides ---------------------------------------------------------------------------------------------------------


def test_a_secret_roll_is_seen_by_the_gamemaster_and_by_whoever_rolled():
    secret = Logged(1, Rolled(Roll(Sum((6,)), "ana", "stealth", secret=True), (3,), 3))
    plain = Logged(1, Rolled(Roll(Sum((6,)), "ana", "stealth"), (3,), 3))
    assert [secret.hidden_from(who) for who in (None, "ana", "ben")] == [False, False, True]
    assert [plain.hidden_from(who) for who in (None, "ana", "ben")] == [False, False, False]


def test_a_roll_behind_the_screen_is_not_even_seen_by_whom_it_is_for():
    unseen = Roll(Sum((6,)), "ana", "sensing danger", secret=True, unseen=True)
    assert unseen.hand == "gamemaster"
    assert [Logged(1, Rolled(unseen, (3,), 3)).hidden_from(who) for who in (None, "ana", "ben")] == [False, True, True]


def test_a_decision_is_logged_with_the_words_of_the_option(encounter):
    encounter.give("strike b")
    assert encounter.log[0].what == Decided("a", "your turn", "strike b")


# --- the loop -------------------------------------------------------------------------------------------------------------------


def test_run_stops_at_the_end_or_after_so_many_steps():
    short = play(run(scene, START, most=2), dice=Seeded(1))
    assert short.outcome.turn == 2
    whole = play(run(scene, START), dice=Seeded(1), decide=lambda choice: choice.keys()[-1])
    assert scene.result(whole.outcome) is not None


def test_a_scene_must_bring_its_own_rules():
    bare = Scene(STANDOFF)
    assert bare.lens(START, "win") is START
    for call in (bare.step, bare.result, bare.sides, bare.out):
        with pytest.raises(NotImplementedError):
            call(START)


# --- what was decided -----------------------------------------------------------------------------------------------------------


def past_of(encounter, **most):
    return [(number, moment.who, given) for number, moment, given in encounter.past(**most).decisions()]


def test_what_was_decided_can_be_gone_through_again_with_the_question_as_it_was_open(encounter):
    asked = []
    dice = Seeded(4)
    while encounter.result is None and len(asked) < 6:
        at, request = encounter.open[0]
        if isinstance(request, Roll):
            encounter.give(dice.faces(request), at)
        else:
            asked.append((encounter.moment(at), request.keys()[-1]))
            encounter.give(request.keys()[-1], at)
    again = sorted(encounter.past().decisions(), key=lambda each: each[0])
    assert [(moment.who, given) for _, moment, given in again] == [(moment.who, given) for moment, given in asked]
    for (number, moment, given), (then, _) in zip(again, asked, strict=True):
        entry = encounter.entries[number]
        assert entry.given == given
        assert entry.question == moment.requests[moment.at].fingerprint()
        assert (moment.state, moment.given, moment.together, moment.at) == (then.state, then.given, then.together, then.at)


def test_what_was_undone_or_overruled_is_not_among_it_and_the_last_step_is_told_first(encounter):
    encounter.give("wait")
    encounter.give("wait")
    encounter.overrule(("people.0.health", 1))
    encounter.give("wait")
    assert [who for _, who, _ in past_of(encounter)] == ["c", "b", "a"]
    encounter.undo()
    assert [number for number, _, _ in past_of(encounter)] == [2, 1]
    assert past_of(encounter, most=1) == [(2, "b", "wait")]
    assert list(encounter.past().decisions({1, 2})) == []
