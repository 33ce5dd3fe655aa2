"""Every game's scenarios: played, replayed, undone, saved; what a person may know; what `lens` may remove."""

import random
from contextlib import suppress
from functools import cache
from itertools import pairwise

import msgspec
import pytest

from conformance.games import NAMES, demos, seeds, staged, taken
from conformance.random_play import states
from rulewright.errors import UserError
from rulewright.library import take_record
from rulewright.play import Event, Player, Roll, Rolled, Seeded, play, replay
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import RecordFile, read_record
from rulewright.scenes.scene import run
from rulewright.system import find

scenarios = pytest.mark.parametrize("name", demos("scenario"))
encode = msgspec.json.Encoder(order="deterministic").encode


def begun(name, keep=None):
    found = staged(name)
    return Encounter.begin(found.scene, found.state, found.scenario.name, keep=keep)


@cache
def fought(name, seed):
    """A scenario played to its end; callers must not change it."""
    encounter = begun(name)
    encounter.play_out(Seeded(seed), staged(name).decide)
    return encounter


def partly(name, seed, most=60, keep=None):
    """A scenario after this many questions, or at its end."""
    encounter, dice = begun(name, keep), Seeded(seed)
    for _ in range(most):
        if not encounter.advance(dice, staged(name).decide):
            break
    return encounter


def undo_all(encounter):
    """Undoes everything; returns how often."""
    undone = 0
    while True:
        try:
            encounter.undo()
        except UserError as error:
            if "nothing to undo" not in str(error):
                raise
            return undone
        undone += 1


def questions(encounter):
    return [(at, request.question()) for at, request in encounter.open]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_that_fights_ships_a_scenario(name):
    assert any(one.startswith(f"{name}/") for one in demos("scenario")) == find(name).fights


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_of_a_game_is_offered_by_its_own_kind_and_tried_by_a_scenario(name):
    game = find(name)
    rules = game.book.ruleset()
    assert {kind: staging.scene(rules).kind for kind, staging in game.scenes.items()} == {kind: kind for kind in game.scenes}
    assert {taken(one).thing.scene for one in demos("scenario") if one.startswith(f"{name}/")} == set(game.scenes)
    with pytest.raises(UserError, match="no scene 'nonsense'"):
        game.staging("nonsense")


@scenarios
@seeds
def test_a_scenario_comes_to_an_end_within_its_rounds(name, seed):
    found = staged(name)
    encounter = fought(name, seed)
    assert encounter.result is not None
    assert encounter.result.why
    assert encounter.result.winner in {None, *found.scenario.sides}
    assert encounter.open == []
    assert found.scene.round(encounter.state) <= found.scenario.rounds + 1


@scenarios
@seeds
def test_replaying_a_scenario_gives_what_playing_it_gave_bit_for_bit(name, seed):
    first = fought(name, seed)
    again = Encounter(staged(name).scene, first.entries)
    assert encode(again.state) == encode(first.state)
    assert again.state == first.state
    assert encode(again.entries) == encode(first.entries)
    assert again.log == first.log
    assert again.result == first.result


@scenarios
@seeds
def test_an_encounter_and_a_plain_run_of_the_same_scene_agree_in_every_answer_and_event(name, seed):
    found, encounter = staged(name), fought(name, seed)
    played = play(run(found.scene, found.state, most=100_000), dice=Seeded(seed), decide=found.decide)
    assert played.outcome == encounter.state
    assert [(answer.question, answer.given) for answer in played.record] == [(e.question, e.given) for e in encounter.entries[1:]]
    assert list(played.events) == [line.what for line in encounter.log if isinstance(line.what, Event)]
    assert replay(run(found.scene, found.state, most=100_000), played.record) == played


@scenarios
@seeds
def test_any_sequence_undone_gives_the_start_and_redone_the_same_state_again(name, seed):
    encounter = partly(name, seed)
    start, asked = staged(name).state, questions(begun(name))
    after, asked_after, log = encode(encounter.state), questions(encounter), [line.what for line in encounter.log]
    undone = undo_all(encounter)
    assert undone
    assert encounter.state == start
    assert questions(encounter) == asked
    assert all(line.undone for line in encounter.log if line.entry)
    for _ in range(undone):
        encounter.redo()
    assert encode(encounter.state) == after
    assert questions(encounter) == asked_after
    assert [line.what for line in encounter.log] == log
    assert not any(line.undone for line in encounter.log)
    with pytest.raises(UserError, match="nothing to redo"):
        encounter.redo()


@scenarios
def test_undoing_one_decision_at_a_time_walks_back_through_the_states_that_were(name):
    encounter, dice = begun(name), Seeded(3)
    seen = [(encounter.state, questions(encounter))]
    for _ in range(30):
        if not encounter.open:
            break
        at, asked = encounter.open[0]
        encounter.give(dice.faces(asked) if isinstance(asked, Roll) else staged(name).decide(asked), at)
        seen.append((encounter.state, questions(encounter)))
    while any(line.entry and not line.undone for line in encounter.log):
        encounter.undo()
        assert (encounter.state, questions(encounter)) in seen


@scenarios
@seeds
def test_a_record_on_disk_reads_back_and_replays_to_the_same_state(name, seed, tmp_path):
    keep = RecordFile(tmp_path / "record.jsonl")
    first = partly(name, seed, 40, keep)
    first.undo()
    keep.close()
    entries = read_record(keep.path)
    assert encode(entries) == encode(first.entries)
    recorded = take_record(keep.path)
    again = Encounter(recorded.scene, recorded.entries)
    assert recorded.system.id == staged(name).system.id
    assert (again.state, questions(again)) == (first.state, questions(first))
    assert again.log == first.log


@scenarios
def test_a_record_gone_on_with_is_one_record(name, tmp_path):
    path = tmp_path / "record.jsonl"
    keep, dice, decide = RecordFile(path), Seeded(4), staged(name).decide
    first = begun(name, keep)
    for _ in range(4):
        first.advance(dice, decide)
    keep.close()
    recorded, keep = take_record(path), RecordFile(path, new=False)
    second = Encounter(recorded.scene, recorded.entries, keep)
    assert second.state == first.state
    second.play_out(dice, decide, most=40)
    keep.close()
    assert encode(read_record(path)) == encode(second.entries)
    assert Encounter(recorded.scene, read_record(path)).state == second.state


@pytest.mark.slow
@scenarios
def test_a_place_may_be_answered_wherever_one_is_asked_for_and_replays_undoes_and_redoes_like_any_answer(name):
    encounter, dice, decide = begun(name), Seeded(5), staged(name).decide
    gone = 0
    for step in range(60):
        if not encounter.open:
            break
        at, asked = encounter.open[0]
        if isinstance(asked, Roll):
            encounter.give(dice.faces(asked), at)
            continue
        places = _some_places(asked, step)
        given = places[step % len(places)] if places else decide(asked)
        gone += bool(places)
        if places:
            assert asked.where.tells(given)
            assert asked.label(given)
        encounter.give(given, at)
    again = Encounter(staged(name).scene, encounter.entries)
    assert encode(again.state) == encode(encounter.state)
    assert again.log == encounter.log
    if gone:
        before = encode(encounter.state)
        encounter.undo()
        encounter.redo()
        assert encode(encounter.state) == before


def _some_places(asked, step):
    """A few places that a question takes, within its bands; it takes everything that it shades."""
    if asked.where is None:
        return []
    found = []
    for band in asked.where.bands():
        for loop in band.outlines[:1]:
            x, y = loop[(7 * step) % len(loop)]
            found.append(f"{band.pace}@{x:.2f},{y:.2f}")
    kept = []
    for given in found:
        try:
            asked.take(given)
        except UserError:
            continue  # on the very border a place may be a hair too far, or at a wall
        kept.append(given)
    return kept


@scenarios
@seeds
def test_every_state_is_hashable_plain_and_survives_being_written_down(name, seed):
    scene = staged(name).scene
    for state in states(name, seed):
        written = msgspec.json.decode(msgspec.json.encode(state), type=scene.state_type)
        assert written == state
        assert hash(written) == hash(state)
        assert msgspec.convert(msgspec.to_builtins(state), scene.state_type) == state


@scenarios
@seeds
def test_sides_and_those_who_are_out_are_named_in_every_state(name, seed):
    found = staged(name)
    everybody = {member.name for member in found.members}
    for state in states(name, seed):
        sides = found.scene.sides(state)
        assert set(sides) == set(found.scenario.sides)
        assert {person for people in sides.values() for person in people} == everybody
        assert found.scene.out(state) <= everybody
    assert all(found.scene.round(one) <= found.scene.round(other) for one, other in pairwise(states(name, seed)))


@scenarios
@seeds
def test_a_winner_is_a_side_that_is_not_wholly_out(name, seed):
    found, last = staged(name), states(name, seed)[-1]
    result = found.scene.result(last)
    assert result is not None
    if result.winner is not None:
        assert set(found.scene.sides(last)[result.winner]) - found.scene.out(last)


@scenarios
@seeds
@pytest.mark.parametrize("question", ["win", "losses", "rounds", "all"])
def test_a_lens_keeps_the_result_and_who_is_out(name, seed, question):
    scene = staged(name).scene
    for state in states(name, seed):
        seen = scene.lens(state, question)
        assert scene.lens(seen, question) == seen
        assert hash(scene.lens(seen, question)) == hash(seen)
        assert scene.out(seen) == scene.out(state)
        before, after = scene.result(state), scene.result(seen)
        if before is None:
            assert after is None
        elif before.winner is not None:
            assert after is not None
            assert after.winner == before.winner
        if question == "all":
            assert seen == state


@scenarios
def test_a_scene_seen_through_its_lens_can_be_played_to_an_end(name):
    found = staged(name)
    scene, state = found.scene, found.state
    player = Player(Seeded(6), found.decide)
    for _ in range(20_000):
        if scene.result(state) is not None:
            break
        state = scene.lens(player.run(scene.step(state)), "losses")
    else:
        pytest.fail("the scene seen through its lens does not end")


# --- what a person may know -----------------------------------------------------------------------------------------------------


@scenarios
@seeds
def test_nobody_sees_more_than_the_gamemaster(name, seed):
    found = staged(name)
    people = [member.name for member in found.members]
    for state in states(name, seed)[:: max(1, len(states(name, seed)) // 10)]:
        everything = {card.name: card for card in found.scene.view(state, None).cards}
        assert set(people) <= set(everything)  # machines of several bodies have a card for each of these
        for who in (*people, "somebody who only looks on"):
            view = found.scene.view(state, who)
            for card in view.cards:
                assert {piece.name for piece in card.pieces} <= {piece.name for piece in everything[card.name].pieces}
            if who in people:
                assert who in {card.name for card in view.cards}


@scenarios
@seeds
def test_what_is_hidden_from_somebody_stands_in_nothing_they_can_see(name, seed):
    found, encounter = staged(name), fought(name, seed)
    for member in found.members:
        open_to_all = [line for line in encounter.log if not line.hidden_from(member.name)]
        assert not any(isinstance(line.what, Event) and line.what.hidden_from(member.name) for line in open_to_all)
        assert not any(isinstance(line.what, Rolled) and line.what.roll.secret and line.what.roll.by != member.name for line in open_to_all)
        seen = encode(found.scene.view(encounter.state, member.name)).decode()
        for line in encounter.log:
            if isinstance(line.what, Event) and line.what.hidden_from(member.name):
                assert line.what.headline() not in seen


@scenarios
@seeds
def test_nothing_is_hidden_from_the_gamemaster_but_what_the_line_before_says_in_full(name, seed):
    found, log = staged(name), fought(name, seed).log
    assert not log[0].hidden_from(None)
    full = log[0]
    for line in log:
        if not line.hidden_from(None):
            full = line
            continue
        assert isinstance(line.what, Event)
        assert line.what.again
        assert type(full.what) is type(line.what)
        assert all(reason in full.what.reasons() for reason in line.what.reasons())  # a sum may be a secret
        assert full.entry == line.entry
        assert all(full.hidden_from(member.name) or line.hidden_from(member.name) for member in found.members)


@scenarios
@seeds
def test_every_event_has_words_reasons_and_a_tone(name, seed):
    for line in fought(name, seed).log:
        if isinstance(line.what, Event):
            assert line.what.headline()
            assert "\n" not in line.what.headline()
            assert line.what.tone() in {"good", "bad", "plain"}
            assert encode(line.what.reasons())


# --- the gamemaster -------------------------------------------------------------------------------------------------------------


@scenarios
def test_a_newcomer_may_join_between_two_steps_and_leave_again_by_undo(name):
    found = staged(name)
    encounter = begun(name)
    newcomer = next(taken(one).thing for one in demos() if one.startswith(f"{found.system.id}/") and taken(one).kind in found.system.kinds)
    newcomer = msgspec.structs.replace(newcomer, name="A newcomer")
    side = next(iter(found.scenario.sides))
    encounter.join(newcomer, side)
    assert "A newcomer" in found.scene.sides(encounter.state)[side]
    encounter.play_out(Seeded(1), found.decide)
    assert encounter.result is not None
    again = Encounter(found.scene, encounter.entries)
    assert again.state == encounter.state
    encounter.undo(to=1)
    assert encounter.state == found.state


@scenarios
@seeds
def test_no_state_of_a_scene_is_refused_when_the_gamemaster_changes_something_else(name, seed):
    scene = staged(name).scene
    for state in states(name, seed):
        assert scene.checked(state) == state


def leaves(data, field=""):
    """Every value of a state, by its dotted field, except identities."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list | tuple) else ()
    if field.startswith("fighters.") and ".profile" not in field:
        yield field, data
    for key, value in inner:
        yield from leaves(value, f"{field}.{key}" if field else str(key))


def absurd(chance, value):
    if isinstance(value, list | tuple):
        return []
    return chance.choice((-1, 99, 10**9)) if isinstance(value, int | float) else "nonsense"


@scenarios
def test_whatever_the_gamemaster_writes_is_refused_in_a_sentence_or_played_on_with(name):
    found, chance = staged(name), random.Random(7)
    for seed in range(12):
        encounter = partly(name, seed, most=chance.randrange(30))
        while encounter.open and not encounter.between_steps:
            encounter.advance(Seeded(seed), found.decide)
        fields = list(leaves(msgspec.to_builtins(encounter.state)))
        if not encounter.open or not fields:
            continue
        field, value = chance.choice(fields)
        with suppress(UserError):
            encounter.overrule((field, absurd(chance, value)))
            for _ in range(30):
                if not encounter.advance(Seeded(seed), found.decide):
                    break
