"""Wrapped paragraphs become one line; everything else of Markdown stays."""

import pytest

from rulewright.adventure.texts import joined_lines


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("one\ntwo\n\nthree\nfour", "one two\n\nthree four"),
        ("one  \ntwo", "one  \ntwo"),
        ("one\\\ntwo", "one\\\ntwo"),
        ("- one\n- two\n  more\n\nend", "- one\n- two more\n\nend"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("# Title\ntext\nmore", "# Title\ntext more"),
        ("> quoted\n> more", "> quoted\n> more"),
        ("```\ncode\nmore\n```\nafter\nthat", "```\ncode\nmore\n```\nafter that"),
        ("", ""),
    ],
)
def test_only_wrapped_paragraphs_are_joined(text, joined):
    assert joined_lines(text) == joined
