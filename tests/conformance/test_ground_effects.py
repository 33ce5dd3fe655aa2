"""What the ground does in a game: the map editor says it of every word that a map may use, with the rule."""

import pytest

from conformance.games import NAMES
from rulewright import library, system

KINDS = [(name, kind) for name in NAMES for kind, staging in system.find(name).scenes.items()]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_every_word_of_a_map_says_what_it_does_and_by_which_rule(name, kind):
    game = system.find(name)
    rules = library.ruleset(game)
    scene = game.scenes[kind].scene(rules)
    words = scene.ground_words()
    effects = scene.ground_effects()
    if not effects:
        assert name not in system.HOUSE or kind not in ("fight", "battle") or not scene.takes_maps
        return
    for word in (*words.terrains, *words.covers, *words.lights):
        assert effects[word].text.endswith("."), word
        assert effects[word].rule in game.book.index(), word


@pytest.mark.parametrize(
    ("name", "kind", "word", "text"),
    [
        ("scumm", "fight", "light cover", "Defense +1."),
        ("scumm", "fight", "very dimly lit", "Attack −3 to −2."),
        ("foresight", "fight", "2/3 cover", "Shots −3."),
        ("hybrid", "fight", "visibility reduced 75%", "Physical actions −4."),
        ("silhouette", "fight", "poor light", "Attack −1, Defense −1."),
        ("silhouette", "fight", "fully hidden by heavy cover", "Nobody behind it can be hit."),
        ("ore", "fight", "area 2 kill", "2 Area dice of Killing to everybody in it."),
    ],
)
def test_an_effect_is_the_figure_of_the_book(name, kind, word, text):
    game = system.find(name)
    assert game.scenes[kind].scene(library.ruleset(game)).ground_effects()[word].text == text
