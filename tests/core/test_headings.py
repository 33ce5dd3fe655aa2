"""Rules of books without numbered sections name their chapter and heading."""

import pytest

from rulewright.show import replies
from rulewright.system import find
from rulewright.web.pages.rule_book import find_in_book


@pytest.mark.parametrize("game", ["scumm", "foresight"])
def test_every_rule_of_a_book_without_numbers_has_a_short_heading(game):
    index = find(game).book.index()
    assert all(entry.heading for entry in index.values())
    assert max(len(entry.heading) for entry in index.values()) <= 80


@pytest.mark.parametrize(
    ("game", "rule", "heading"),
    [
        ("scumm", "scumm-attributes", "Character Creation, Attributes"),
        ("scumm", "scumm-derived-attributes", "Character Creation, Derived Attributes"),
        ("foresight", "fs-instant-npc", "Characters, Instant Non-Player Characters, page 48"),
    ],
)
def test_a_rule_names_the_heading_it_stands_under(game, rule, heading):
    assert find_in_book(find(game), rule) == heading
    assert find(game).book.rule(rule).public()["heading"] == heading


def test_a_rule_is_found_by_the_words_of_its_heading():
    found = replies.searched(find("foresight").book.rules(), "Instant Non-Player")
    assert "fs-instant-npc" in [info.id for info in found]
