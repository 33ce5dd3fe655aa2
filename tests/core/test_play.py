"""Requests, and the drivers that answer them one after another."""

import pytest
from msgspec import Struct

from rulewright.dice import HighestDie, Sum, Total, sum_of
from rulewright.errors import UserError
from rulewright.play import (
    Answer,
    Choice,
    Entropy,
    Event,
    Option,
    Paused,
    Range,
    Roll,
    Seeded,
    Sub,
    Tell,
    Together,
    TypedFaces,
    first_option,
    play,
    replay,
    requests,
    script,
    sub,
)

D6 = Sum((6,))
D20 = Sum((20,))


class Said(Event, frozen=True):
    text: str

    def headline(self):
        return self.text


def colour(who="ana"):
    return Choice(who, "which colour", (Option("red", "Red", 1), Option("blue", "Blue", 2)))


def everything(bonus):
    """A procedure with one of every request."""
    first = yield from Roll(D6, "ana", "first")
    yield from Tell(Said(f"ana has {first}"))
    picked = yield from colour()
    number = yield from Choice("ben", "how many", Range(0, 10, 5))
    both = yield from Together((Roll(D6, "ana", "left"), Roll(D20, "ben", "right")))
    inner = yield from sub(part, bonus)
    return first, picked, number, both, inner


def part(bonus):
    """Dice and messages inside a sub-procedure."""
    rolled = yield from Roll(Sum((6, 6), bonus), "ben", "inner")
    yield from Tell(Said(f"inner {rolled}"))
    return rolled


FACES = [(4,), (1,), (17,), (2, 3)]


def test_a_script_answers_every_kind_of_request_with_its_value():
    played = script(everything(10), FACES, ["blue", 5])
    assert played.outcome == (4, 2, 5, (1, 17), 15)
    assert [event.headline() for event in played.events] == ["ana has 4", "inner 15"]
    assert [(rolled.roll.by, rolled.faces, rolled.result) for rolled in played.rolls] == [
        ("ana", (4,), 4),
        ("ana", (1,), 1),
        ("ben", (17,), 17),
        ("ben", (2, 3), 15),
    ]
    assert [answer.given for answer in played.record] == [(4,), "blue", 5, (1,), (17,), (2, 3)]


def test_a_part_is_played_in_line_and_its_answers_stand_in_the_one_record():
    def alone():
        return (yield from sub(part, 0))

    assert script(alone(), [(6, 6)]).record == script(part(0), [(6, 6)]).record


def test_a_request_gives_its_answer_through_yield_from():
    def asks():
        total = yield from Roll(HighestDie(2), "ana", "test")
        return total

    assert script(asks(), [(6, 6)]).outcome == Total(7)


def test_the_places_of_the_dice_that_counted_are_known_afterwards():
    def asks():
        return (yield from Roll(HighestDie(3), "ana"))

    assert script(asks(), [(2, 5, 1)]).rolls[0].kept == (1,)


def test_the_plainest_tactic_takes_the_first_option_and_the_lowest_number():
    played = play(everything(0), dice=Seeded(1))
    assert played.outcome[1:3] == (1, 0)
    assert first_option(colour()) == "red"


def test_the_same_seed_gives_the_same_faces_and_another_seed_others():
    assert play(everything(0), dice=Seeded(3)) == play(everything(0), dice=Seeded(3))
    assert len({play(part(0), dice=Seeded(seed)).outcome for seed in range(50)}) > 5


def test_fresh_entropy_shows_every_face_and_no_other():
    def many():
        return (yield from Roll(Sum((6,) * 100)))

    faces = {face for _ in range(20) for face in play(many(), dice=Entropy()).rolls[0].faces}
    assert faces == {1, 2, 3, 4, 5, 6}


# --- real dice ------------------------------------------------------------------------------------------------------------------


def test_typed_faces_are_asked_for_one_roll_at_a_time_with_the_roll_in_sight():
    asked = []

    def ask(roll):
        asked.append((roll.by, roll.what, str(roll.reading)))
        return [6] * len(roll.reading.sides())

    assert play(everything(0), dice=TypedFaces(ask)).outcome == (6, 1, 0, (6, 6), 12)
    assert asked == [("ana", "first", "1d6"), ("ana", "left", "1d6"), ("ben", "right", "1d20"), ("ben", "inner", "2d6")]


@pytest.mark.parametrize(("faces", "message"), [((7,), "a d6 cannot show 7"), ((0,), "cannot show 0"), ((1, 2), "needs 1 face, 2 given")])
def test_typed_faces_that_the_dice_cannot_show_are_refused(faces, message):
    with pytest.raises(UserError, match=message):
        play(everything(0), dice=TypedFaces(lambda roll: faces))


# --- scripts --------------------------------------------------------------------------------------------------------------------


def test_a_script_whose_dice_end_too_early_names_the_roll_that_has_none():
    with pytest.raises(UserError, match=r"no faces are left for the roll of ben for right \(1d20\)"):
        script(everything(0), FACES[:2], ["red", 0])


def test_a_script_whose_choices_end_too_early_names_the_question():
    with pytest.raises(UserError, match=r"the script ends before the question ben: how many \[0\.\.10\]"):
        script(everything(0), FACES, ["red"])


def test_a_script_with_dice_left_over_says_how_many():
    with pytest.raises(UserError, match=r"1 roll too many: the rules asked for 4"):
        script(everything(0), [*FACES, (1,)], ["red", 0])
    with pytest.raises(UserError, match=r"2 rolls too many"):
        script(everything(0), [*FACES, (1,), (1,)], ["red", 0])


def test_a_script_with_choices_left_over_names_them():
    with pytest.raises(UserError, match=r"decisions are left over: \['red'\]"):
        script(everything(0), FACES, ["red", 0, "red"])


def test_a_script_with_an_impossible_face_says_at_which_roll():
    with pytest.raises(UserError, match=r"roll 3 \(right\): a d20 cannot show 21"):
        script(everything(0), [(4,), (1,), (21,)], ["red", 0])


# --- choices --------------------------------------------------------------------------------------------------------------------


def test_a_choice_refuses_what_is_not_allowed_and_lists_what_is():
    with pytest.raises(UserError, match="'green' is not allowed; choose one of red, blue"):
        colour().take("green")


@pytest.mark.parametrize("given", [-5, 3, 11, 15, "5", (5,)])
def test_a_range_refuses_numbers_outside_it_or_between_its_steps_and_everything_else(given):
    with pytest.raises(UserError, match="give a whole number from 0 to 10"):
        Choice("ben", "how many", Range(0, 10, 5)).take(given)


def test_a_choice_lists_its_keys_and_a_range_has_none():
    assert colour().keys() == ("red", "blue")
    assert Choice("ben", "how many", Range(0, 3)).keys() == ()


# --- together -------------------------------------------------------------------------------------------------------------------


def test_together_gives_the_answers_in_the_order_of_the_questions():
    def asks():
        return (yield from Together((Roll(D6, "a"), colour("b"), Roll(D20, "c"))))

    assert script(asks(), [(3,), (12,)], ["blue"]).outcome == (3, 2, 12)


def test_together_with_nobody_to_ask_gives_nothing_and_records_nothing():
    def asks():
        return (yield from Together(()))

    played = script(asks())
    assert played.outcome == ()
    assert played.record == ()


@pytest.mark.parametrize("request_", [sub(part, 0), Tell(Said("x")), Together(())])
def test_only_rolls_and_choices_can_be_asked_together(request_):
    with pytest.raises(TypeError, match="only rolls and choices"):
        Together((Roll(D6), request_))


# --- replay ---------------------------------------------------------------------------------------------------------------------


def test_a_replay_gives_the_same_game_bit_for_bit():
    played = play(everything(2), dice=Seeded(9))
    assert replay(everything(2), played.record) == played


def recorded():
    return list(script(everything(10), FACES, ["blue", 5]).record)


def test_a_replay_of_a_record_that_ends_early_names_the_entry_and_the_question():
    with pytest.raises(UserError, match=r"the record ends at entry 3, before the question: ana rolls 1d6"):
        replay(everything(10), recorded()[:3])


def test_a_replay_of_a_record_that_goes_on_says_after_which_entry():
    with pytest.raises(UserError, match="the record has entries after number 6"):
        replay(everything(10), [*recorded(), Answer("00000000", 1)])


def test_a_replay_under_other_rules_names_the_entry_whose_question_changed():
    with pytest.raises(UserError, match="entry 6 of the record answers another question; the rules ask: ben rolls"):
        replay(everything(11), recorded())


@pytest.mark.parametrize(
    ("entry", "given", "message"),
    [
        (1, "six", "entry 1 of the record must contain faces of dice, not 'six'"),
        (1, (7,), "entry 1 of the record: a d6 cannot show 7"),
        (2, "green", "entry 2 of the record: which colour: 'green' is not allowed"),
        (3, 7, "entry 3 of the record: how many: 7 is not allowed; give a whole number"),
        (5, (1, 2), "entry 5 of the record: 1d20 needs 1 face, 2 given"),
    ],
)
def test_a_replay_of_an_answer_that_is_not_allowed_names_the_entry(entry, given, message):
    record = recorded()
    record[entry - 1] = Answer(record[entry - 1].question, given)
    with pytest.raises(UserError, match=message):
        replay(everything(10), record)


def test_a_fingerprint_identifies_a_question_by_what_is_possible_and_not_by_its_wording():
    assert Roll(D6, "ana", "x").fingerprint() == Roll(Sum((6,)), "ana", "y").fingerprint()
    assert colour().fingerprint() == Choice("ana", "pick a colour", tuple(Option(o.key, "", 0) for o in colour().options)).fingerprint()
    marks = {
        request.fingerprint()
        for request in (
            Roll(D6, "ana", "x"),
            Roll(D6, "ben", "x"),
            Roll(Sum((6,), 1), "ana", "x"),
            Roll(Sum((6, 6)), "ana", "x"),
            colour(),
            colour("ben"),
            Choice("ana", "which colour", (Option("red", "Red", 1),)),
            Choice("ana", "which colour", (Option("red", "Red", 1),), topic="paint"),
            Choice("ana", "which colour", Range(0, 1)),
        )
    }
    assert len(marks) == 9


def test_a_fingerprint_of_an_earlier_version_matches_and_its_answer_must_still_be_allowed():
    record = [Answer("0a1b2c3d", answer.given) for answer in recorded()]
    assert replay(everything(10), record).outcome == replay(everything(10), recorded()).outcome
    record[1] = Answer("0a1b2c3d", "green")
    with pytest.raises(UserError, match="'green' is not allowed"):
        replay(everything(10), record)


# --- paused ---------------------------------------------------------------------------------------------------------------------


def test_a_paused_procedure_stops_at_every_question_and_goes_on_with_the_answer():
    told = []
    paused = Paused(everything(10), told.append)
    seen = []
    for answer in (4, 2, 5, (1, 17), 15):
        assert not paused.done
        assert paused.pending is not None
        seen.append(type(paused.pending).__name__)
        paused.answer(answer)
    assert seen == ["Roll", "Choice", "Choice", "Together", "Roll"]
    assert paused.done
    assert paused.pending is None
    assert paused.outcome == (4, 2, 5, (1, 17), 15)
    assert [event.headline() for event in told] == ["ana has 4", "inner 15"]


def test_a_paused_procedure_with_no_question_is_done_at_once():
    def nothing():
        yield from Together(())
        yield from Tell(Said("hello"))
        return 7

    told = []
    paused = Paused(nothing(), told.append)
    assert paused.done
    assert paused.outcome == 7
    assert told == [Said("hello")]
    with pytest.raises(UserError, match="there is no question to answer"):
        paused.answer(1)


def test_parts_within_parts_pause_at_the_innermost_question():
    def nested(depth):
        if depth == 0:
            return (yield from Roll(D6, "deep"))
        return 1 + (yield from Sub(nested, (depth - 1,)))

    paused = Paused(nested(30), lambda event: None)
    assert paused.pending == Roll(D6, "deep")
    paused.answer(5)
    assert paused.outcome == 35


def test_an_event_is_plain_and_open_to_all_unless_it_says_otherwise():
    event = Said("hello")
    assert (event.tone(), event.reasons(), event.hidden_from("ana"), event.hidden_from(None)) == ("plain", (), False, False)
    assert isinstance(event, Struct)


def test_a_part_can_be_played_scripted_and_replayed_by_itself():
    def two():
        first = yield from Roll(sum_of(1, 6))
        return first + (yield from Roll(sum_of(1, 6)))

    played = script(sub(two), faces=[(2,), (5,)])
    assert played.outcome == 7
    assert replay(sub(two), played.record) == played
    assert play(sub(two)).outcome in range(2, 13)


@pytest.mark.parametrize("nonsense", [5, "3d6", None, len])
def test_what_is_no_procedure_is_refused_with_an_example(nonsense):
    with pytest.raises(UserError, match=r"is not a procedure; use play\(attack\(scene\)\)"):
        play(nonsense)


def test_what_is_kept_of_a_question_is_that_of_this_question():
    """Fingerprints are cached by the options' address: the same options asked of others, or other options at the same address, differ."""
    yes_no = (Option("yes", "Yes", True), Option("no", "No", False))
    asked = [
        Choice("ana", "A?", yes_no),
        Choice("ben", "A?", yes_no),
        Choice("ana", "A?", yes_no, topic="b"),
        Choice("ana", "A?", Range(0, 2)),
    ]
    asked.append(Choice("ana", "A?", Range(0, 3)))
    assert [each.mark() for each in asked * 2] == [each.fingerprint() for each in asked * 2]
    for number in range(requests.MOST_OFFERED + 100):  # each of them is gone before the next is made
        choice = Choice("ana", "A?", (Option(f"key {number}", "", number),))
        assert choice.mark() == choice.fingerprint()
        assert choice.take(f"key {number}") == number
    for number in range(requests.MOST_MARKS + 100):
        choice = Choice("ana", "?", yes_no, topic=str(number))
        assert choice.mark() == choice.fingerprint()
    assert len(requests.offered(yes_no).marks) <= requests.MOST_MARKS


def test_of_two_options_with_one_key_the_first_is_taken_and_nothing_else_is():
    choice = Choice("ana", "A?", (Option("a", "", 1), Option("b", "", 2), Option("a", "", 3)))
    assert (choice.take("a"), choice.take("b")) == (1, 2)
    for given in ("c", 1, True, ["a"]):
        with pytest.raises(UserError, match="choose one of a, b, a"):
            choice.take(given)
