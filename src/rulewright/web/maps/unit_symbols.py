"""Symbols of tokens and cards: what a combatant is, read from the words on its card. People without a symbol show their initials."""

import re

from rulewright.build.sheet_parts import Card, Tag

SYMBOLS = ("walker", "tank", "hover", "plane", "ship", "submarine", "train", "craft")
"""Each is a `<symbol>` of templates/field_symbols.html."""
_BY_MOVEMENT = {
    "walker": "walker",
    "ground": "tank",
    "hover": "hover",
    "air": "plane",
    "naval": "ship",
    "submarine": "submarine",
    "rail": "train",
    "space": "craft",
}
_MOVEMENT = re.compile(rf"({'|'.join(_BY_MOVEMENT)}) MP")
_WORDS = {
    "plane": re.compile(r"\b(plane|jet|fighter|aircraft|copter|airspeed|altitude)\b", re.IGNORECASE),
    "craft": re.compile(r"\b(spacecraft|shuttle|vector)\b", re.IGNORECASE),
    "submarine": re.compile(r"\bdepth level\b", re.IGNORECASE),
    "ship": re.compile(r"\b(ship|boat)\b", re.IGNORECASE),
}


def find_symbol(card: Card) -> str:
    """The symbol of a combatant; empty for people."""
    tags = [piece.name for piece in card.pieces if isinstance(piece, Tag)]
    if "on foot" in tags:
        return ""
    for tag in tags:
        movement = _MOVEMENT.fullmatch(tag)
        if movement is not None:
            return _BY_MOVEMENT[movement[1]]
    words = " ".join(tags)
    return next((symbol for symbol, pattern in _WORDS.items() if pattern.search(words)), "")
