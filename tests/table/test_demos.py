"""Demos: a player's seat against tactics, with hints on the way."""

import pytest

from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.scenes import demos
from rulewright.table.service import Tables

SHOWN = [(game.id, name) for game in demos.playable() for name in demos.scenarios(game.id)]


@pytest.fixture
def tables(tmp_path):
    opened = Tables(str(tmp_path / "tables.db"), dice=Seeded(5))
    yield opened
    opened.close()


def play_on(tables, hosting, member, most):
    """Answer for the guest as tactics do; return the number of answers."""
    for turn in range(most):
        scene = tables.scene(hosting.table, member, 1)
        question = next((one for one in scene.questions if one.mine), None)
        if question is None:
            assert scene.result is not None, "nobody answers"
            return turn
        roll = question.sort == "roll"
        tables.act(hosting.table, member, a.RollDice(1, question.at) if roll else a.Decide(1, question.at, question.mark))
    return most


def test_a_guest_has_the_seat_of_a_player_and_plays_one_side(tables):
    hosting = demos.demonstrate(tables, "scumm", "a device", "duel", role="player")
    seat = tables.seat(hosting.table, "a device")
    assert seat.role == "player"
    hands = {hand.who: hand.member for hand in tables.scene(hosting.table, seat.member, 1).hands}
    assert hands["Vesna"] == seat.member
    assert hands["Teodor"] == hosting.member


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), SHOWN)
def test_every_demo_can_be_played_from_the_seat_of_a_player(tables, game, name):
    hosting = demos.demonstrate(tables, game, "a device", name, role="player")
    play_on(tables, hosting, tables.seat(hosting.table, "a device").member, 12)


def test_the_questions_of_an_absent_gamemaster_are_answered(tables):
    hosting = demos.demonstrate(tables, "silhouette", "a device", "firefight", role="player")
    assert play_on(tables, hosting, tables.seat(hosting.table, "a device").member, 6) == 6


def test_hints_follow_the_decisions_of_the_guest(tables):
    hosting = demos.demonstrate(tables, "scumm", "a device", "shootout", role="player")
    member = tables.seat(hosting.table, "a device").member
    seen = [tables.view(hosting.table, member).hint]
    for _ in range(9):
        play_on(tables, hosting, member, 1)
        seen.append(tables.view(hosting.table, member).hint)
    numbers = [hint.number for hint in seen if hint is not None and not hint.over]
    assert numbers[0] == 1
    assert numbers == sorted(numbers)
    assert max(numbers) > 1
    assert seen[0].of == 3


@pytest.mark.parametrize("game", [game.id for game in demos.playable()])
def test_the_first_demo_of_each_game_has_three_hints_and_a_side_to_play(game):
    first = next(iter(demos.scenarios(game).values()))
    assert len(first.demo.hints) == 3
    assert first.seat in first.sides
    assert first.minutes > 0
