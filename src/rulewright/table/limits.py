"""How much of everything a table holds, and what a name looks like. What comes from people is hostile until it went through here."""

import unicodedata

import msgspec

from rulewright.errors import UserError

NAME = 60
CHAT = 4_000
NOTE = 20_000
CHARACTER_BYTES = 100_000
LINE_BYTES = 2_000_000
"""One line of the log; a scene's snapshot is the largest."""
HOUSE_BYTES = 200_000
MEMBERS = 60
CHARACTERS = 300
NOTES = 5_000
TOKENS = 400
OF_ONE = {"notes": 200, "characters": 40, "markers": 40, "pictures": 12}
"""What one member who does not lead can have of each."""
FOR_THE_GAMEMASTER = {"characters": 100, "markers": 100}
"""So many of all places nobody takes but who leads."""
PICTURES, PICTURE_BYTES = 60, 30_000_000
"""Pictures of one table, and their bytes together."""
PICTURES_OF_OTHERS, PICTURE_BYTES_OF_OTHERS = 40, 10_000_000
"""Those of all who do not lead."""
PICTURE_SIDES = {"portrait": 512, "handout": 2_000, "map": 6_000}
"""What a picture is for, and how many pixels a side it has at most."""
MAPS = 24
DRAFTS = 40
"""Prepared scenes that are kept at once."""
OPEN_SCENES = 8
LINES = 250_000
"""Lines of one table; at one a second that is three days without a break."""
LINES_OF_ONE = {"spectator": 20_000, "player": 100_000}
"""Lines that one member can fill."""
LAST_LINES = 2_000
"""The last lines of a table are the gamemaster's."""
TABLE_BYTES = 64_000_000
"""All lines of a table together."""
WHY = 400
"""Signs of what is told about a thought."""
KEY = 80
"""Characters of the mark that a client puts on a request, so that it is not carried out twice."""
RUN_ON = 400
"""Answers that may follow by themselves from one that somebody gave."""

_FORBIDDEN = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_INVISIBLE = frozenset("\u200b\u2060\ufeff\u00ad\u115f\u1160\u3164\uffa0")


def name(text: str, what: str = "name", most: int = NAME) -> str:
    """A name as it is kept: one line, nothing unseen in it, not empty, not too long."""
    result = " ".join(unicodedata.normalize("NFC", text[: 4 * most]).split())
    if not result:
        raise UserError(f"the {what} is empty")
    if len(result) > most or len(text) > 4 * most:
        raise UserError(f"the {what} is longer than {most} characters")
    for sign in result:
        if unicodedata.category(sign) in _FORBIDDEN or sign in _DIRECTION or sign in _INVISIBLE:
            raise UserError(f"the {what} holds a sign that cannot be seen (U+{ord(sign):04X})")
    return result


def prose(text: str, what: str, most: int) -> str:
    """Longer text: line breaks stay, other control characters go."""
    if len(text) > most:
        raise UserError(f"the {what} is longer than {most} characters")
    kept = "".join(sign for sign in text if sign in "\n\t" or (unicodedata.category(sign) not in _FORBIDDEN and sign not in _DIRECTION))
    if not kept.strip():
        raise UserError(f"the {what} is empty")
    return kept.strip()


def small(value: object, what: str, most: int) -> None:
    """Refuse plain data that takes more room than this."""
    if len(msgspec.json.encode(value)) > most:
        raise UserError(f"the {what} is larger than {most // 1000} kB")


def folded(text: str) -> str:
    """A name for comparison: two that look alike in another case are the same."""
    return unicodedata.normalize("NFKC", text).casefold()
