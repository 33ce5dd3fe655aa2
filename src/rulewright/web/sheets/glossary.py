"""Explains a game's abbreviations in any text, from the game's glossary."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape


@lru_cache(maxsize=32)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of the words, alone or before a number (QR4, TL5); the longest first."""
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w&])(?:{'|'.join(map(re.escape, longest))})(?=\d*(?!\w))")


def _glossary(system: Any) -> Mapping[str, str]:
    result: Mapping[str, str] = getattr(system, "glossary", None) or {}
    return result


def mark_terms(system: Any, text: Any, focusable: bool = False) -> Markup:
    """Mark every abbreviation in a text with its meaning; `focusable` makes it reachable by keyboard."""
    known, plain = _glossary(system), escape(text)
    if not known:
        return plain
    tab = Markup(' tabindex="0"') if focusable else Markup("")

    def marked(match: re.Match[str]) -> str:
        return str(Markup('<abbr title="{}"{}>{}</abbr>').format(known[match[0]], tab, match[0]))

    return Markup(_pattern(tuple(known)).sub(marked, str(plain)))


def list_meanings(system: Any, text: Any) -> list[tuple[str, str]]:
    """The abbreviations in a text with their meanings."""
    known = _glossary(system)
    return [(word, known[word]) for word in dict.fromkeys(_pattern(tuple(known)).findall(str(text)))] if known else []
