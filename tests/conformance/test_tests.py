"""Every game: a test in its notation plays, replays, and has odds that add up and agree with rolling."""

import msgspec
import pytest

from conformance.games import NAMES, written
from rulewright.errors import UserError
from rulewright.play import Seeded, play, replay
from rulewright.play.odds import exact, sample
from rulewright.system import find

notations = pytest.mark.parametrize(("name", "notation"), written())


@pytest.fixture
def test_of(name, notation):
    game = find(name)
    return game.test(game.book.ruleset(), notation)


@notations
def test_replaying_a_test_gives_what_playing_it_gave(test_of):
    for seed in range(5):
        played = play(test_of.start(), dice=Seeded(seed))
        assert replay(test_of.start(), played.record) == played


@notations
def test_the_same_notation_gives_the_same_test(name, notation, test_of):
    game = find(name)
    assert game.test(game.book.ruleset(), notation) == test_of
    assert hash(game.test(game.book.ruleset(), notation)) == hash(test_of)


@notations
def test_exact_weights_add_up(test_of):
    odds = exact(test_of)
    assert all(isinstance(weight, int) and weight > 0 for weight in odds.weights.values())
    assert sum(odds.weights.values()) + odds.unsettled == odds.total
    assert odds.unsettled == 0


@notations
def test_exact_odds_agree_with_sampling(test_of):
    n, odds = 4_000, exact(test_of)
    counted = sample(test_of, n, seed=42)
    assert set(counted) <= set(odds.weights)
    for outcome, weight in odds:
        chance = weight / odds.total
        assert abs(counted.get(outcome, 0) - n * chance) <= 5 * (n * chance * (1 - chance)) ** 0.5 + 1


@notations
def test_what_is_played_is_among_what_exact_lists(test_of):
    odds = exact(test_of)
    assert {play(test_of.start(), dice=Seeded(seed)).outcome for seed in range(50)} <= set(odds.weights)


@notations
def test_every_outcome_can_be_shown_and_sent(name, test_of):
    game = find(name)
    for outcome in exact(test_of).weights:
        shown = game.show(outcome)
        assert shown.label
        assert shown.short
        assert msgspec.json.decode(msgspec.json.encode(shown.value)) == shown.value
        assert msgspec.json.encode(shown.fields)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("nonsense", ["", " ", "nonsense", "3", "1" * 5000, "999999999d", "999999c", "3d 3c and more", "\x00", "3d vs"])
def test_nonsense_is_refused_in_one_line(name, nonsense):
    game = find(name)
    with pytest.raises(UserError) as refused:
        game.test(game.book.ruleset(), nonsense)
    assert str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_says_who_it_is_and_how_its_tests_are_written(name):
    game = find(name)
    assert game.id == name == game.book.system
    assert game.name
    assert game.about
    assert game.notation
