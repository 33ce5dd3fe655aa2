"""Short words are explained where they stand: on sheets, cards, in sums and in the log, in our own language."""

from html import unescape
from typing import ClassVar

import pytest

from rulewright.system import HOUSE, find
from rulewright.systems.hybrid.people.statistics import FORMULAS, PRIMARIES
from rulewright.web.sheets.glossary import list_meanings, mark_terms


class Told:
    """A game with three short words."""

    glossary: ClassVar = {"QR": "quality rating", "QR1": "the best there is", "IN": "wits & memory"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("QR1", '<abbr title="the best there is">QR1</abbr>'),
        ("fails (QR7)", 'fails (<abbr title="quality rating">QR</abbr>7)'),
        ("IN -1", '<abbr title="wits &amp; memory">IN</abbr> -1'),
        ("INN, SIN, QRS, in", "INN, SIN, QRS, in"),
        ("<b>IN</b> & co", '&lt;b&gt;<abbr title="wits &amp; memory">IN</abbr>&lt;/b&gt; &amp; co'),
    ],
)
def test_a_short_word_is_marked_by_itself_or_before_a_number_and_text_stays_text(text, shown):
    assert mark_terms(Told, text) == shown


def test_a_game_without_a_glossary_marks_nothing():
    assert mark_terms({"id": "scumm"}, "QR <1>") == "QR &lt;1&gt;"
    assert list_meanings({"id": "scumm"}, "QR") == []


@pytest.mark.parametrize("game", HOUSE)
def test_every_game_explains_its_short_words_on_the_page_of_its_rules(client, game):
    words = find(game).glossary
    assert words
    page = unescape(client.get(f"/rules/{game}").text)
    for word, meaning in words.items():
        assert f"<b>{word}</b> <span>{meaning}</span>" in page


def test_every_statistic_of_hybrid_is_explained():
    rules = find("hybrid").book.ruleset()
    assert {*PRIMARIES(rules), *FORMULAS(rules), "DF", "PSE", "PSPD"} <= set(find("hybrid").glossary)


@pytest.mark.parametrize(
    ("game", "word"),
    [("silhouette", "TV"), ("silhouette", "AGI"), ("hybrid", "PBD"), ("ore", "BVR"), ("foresight", "QR4"), ("foresight", "WP")],
)
def test_what_stands_on_sheets_and_in_logs_has_a_meaning(game, word):
    assert find(game).glossary[word]


def test_a_sheet_explains_the_tracks_of_hybrid(client):
    page = unescape(client.get("/games/hybrid/characters/smith").text)
    assert "PFT" in page
    assert find("hybrid").glossary["PFT"].partition(":")[2].strip() in page
