"""Limits on everything a table stores, and validation of names and texts. All input from people passes through here."""

import unicodedata

import msgspec

from rulewright.errors import UserError

NAME = 60
CHAT = 4_000
NOTE = 20_000
CHARACTER_BYTES = 100_000
LINE_BYTES = 2_000_000
"""Size of one line of the log; a scene's snapshot is the largest."""
HOUSE_BYTES = 200_000
MEMBERS = 60
CHARACTERS = 300
NOTES = 5_000
TOKENS = 400
OF_ONE = {"notes": 200, "characters": 40, "markers": 40, "pictures": 12}
"""How many of each a member other than the gamemaster can have."""
FOR_THE_GAMEMASTER = {"characters": 100, "markers": 100}
"""How many of the places are reserved for the gamemaster."""
PICTURES, PICTURE_BYTES = 60, 30_000_000
"""Pictures of one table, and their total size."""
PICTURES_OF_OTHERS, PICTURE_BYTES_OF_OTHERS = 40, 10_000_000
"""The share of these that everybody but the gamemaster can use together."""
PICTURE_SIDES = {"portrait": 512, "handout": 2_000, "map": 6_000}
"""Maximum width and height in pixels, by what a picture is for."""
MAPS = 24
DRAFTS = 40
"""Prepared scenes stored at once."""
OPEN_SCENES = 8
LINES = 250_000
"""Lines of one table; at one line a second this is three days without a break."""
LINES_OF_ONE = {"spectator": 20_000, "player": 100_000}
"""Lines that one member can write."""
LAST_LINES = 2_000
"""The last lines of a table are reserved for the gamemaster."""
TABLE_BYTES = 64_000_000
"""Total size of all lines of a table."""
WHY = 400
"""Length of an AI player's explanation."""
KEY = 80
"""Length of the idempotency key that a client sends with a request, so that it is not carried out twice."""
RUN_ON = 400
"""Automatic answers that may follow one answer of a person."""
RUN_ON_IN_TIME = 1_500
"""Automatic answers that one action gives at most while time passes: enough for 500 dues with their rolls."""

_FORBIDDEN = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_INVISIBLE = frozenset("\u200b\u2060\ufeff\u00ad\u115f\u1160\u3164\uffa0")


def name(text: str, what: str = "name", most: int = NAME) -> str:
    """Validates a name and returns it in one line: not empty, no invisible characters, at most `most` long."""
    cleaned = " ".join(unicodedata.normalize("NFC", text[: 4 * most]).split())
    if not cleaned:
        raise UserError(f"the {what} is empty")
    if len(cleaned) > most or len(text) > 4 * most:
        raise UserError(f"the {what} has {len(text)} characters; at most {most} are allowed")
    for character in cleaned:
        if unicodedata.category(character) in _FORBIDDEN or character in _DIRECTION or character in _INVISIBLE:
            raise UserError(f"the {what} contains an invisible character (U+{ord(character):04X}); remove it")
    return cleaned


def prose(text: str, what: str, most: int) -> str:
    """Validates a longer text; line breaks stay, other control characters are removed."""
    if len(text) > most:
        raise UserError(f"the {what} has {len(text)} characters; at most {most} are allowed")
    allowed = [char for char in text if char in "\n\t" or (unicodedata.category(char) not in _FORBIDDEN and char not in _DIRECTION)]
    cleaned = "".join(allowed).strip()
    if not cleaned:
        raise UserError(f"the {what} is empty")
    return cleaned


def small(value: object, what: str, most: int) -> None:
    """Raises an error if plain data is larger than `most` bytes."""
    if len(msgspec.json.encode(value)) > most:
        raise UserError(f"the {what} is too large; at most {most // 1000} kB are allowed")


def folded(text: str) -> str:
    """A name for comparison, ignoring case and compatible forms of characters."""
    return unicodedata.normalize("NFKC", text).casefold()
