"""Abbreviations and terms of ForeSight on sheets, cards and in logs, each with a short explanation."""

from collections.abc import Mapping

from rulewright.play.cache import cached
from rulewright.systems.foresight.people.glossary import TERMS
from rulewright.systems.foresight.settings import BOOK

WORDS = {
    "QR": "quality rating: how well it went, 1 the best and 7 or more a failure",
    "WL": "wound level: how bad a wound is, 1 the lightest",
    "ZG": "zero gravity: next to no weight",
    "NW": "nearly weightless: up to a tenth of normal gravity",
    "LT": "light gravity: up to half of normal",
    "NL": "normal gravity",
    "HY": "heavy gravity: up to twice normal",
    "EX": "extreme gravity: beyond twice normal",
}


@cached(1)
def glossary() -> Mapping[str, str]:
    """The terms of the book's table that are written in capitals, and the rest."""
    rows = [row for row in TERMS(BOOK.ruleset()).values() if row.term.isupper() and len(row.term) > 1]
    ratings = {row.term: f"quality rating {row.term[2:]}: {row.meaning}" for row in rows if row.term.startswith("QR")}
    return {**{row.term: row.meaning for row in rows}, **WORDS, **ratings}
