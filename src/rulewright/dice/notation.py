"""Notation of tests of the highest die: `3d+1 vs 5`, `3d+1 vs 2d`, `unskilled-1 vs 4`, `2d+3ed vs 6` with Emergency Dice."""

import re
from typing import NamedTuple

from rulewright.errors import UserError

_DICE = re.compile(r"(?:(\d{1,6})d|unskilled)((?:\s*[+-]\s*\d{1,6}(?:ed)?)*)", re.ASCII)
_TERM = re.compile(r"([+-])\s*(\d+)(ed)?")
MOST_TEXT = 200
HELP = "write 3d+1 vs 5, 3d+1 vs 2d, unskilled-1 vs 4, or 2d+3ed vs 6 (ed: Emergency Dice)"


class WrittenDice(NamedTuple):
    """Parsed dice; 0 dice are unskilled."""

    dice: int
    modifier: int = 0
    emergency: int = 0

    def __str__(self) -> str:
        dice = f"{self.dice}d" if self.dice > 0 else "unskilled"
        modifier = f"{self.modifier:+}" if self.modifier else ""
        return f"{dice}{modifier}" + (f"+{self.emergency}ed" if self.emergency else "")


def parse_test(text: str) -> tuple[WrittenDice, WrittenDice | int | None]:
    """Parses a notation: the dice, and what they are compared with. Raises an error for anything left over."""
    if len(text) > MOST_TEXT:
        raise UserError(f"the test is too long ({len(text)} characters): {HELP}")
    left, vs, right = text.strip().lower().partition("vs")
    dice = _dice(left.strip(), text)
    if not vs:
        return dice, None
    right = right.strip()
    return dice, int(right) if re.fullmatch(r"\d{1,6}", right, re.ASCII) else _dice(right, text)


def _dice(text: str, whole: str) -> WrittenDice:
    match = _DICE.fullmatch(text)
    if match is None:
        raise UserError(f"cannot read {whole!r}: {HELP}")
    dice = int(match[1]) if match[1] is not None else 0
    if match[1] is not None and dice == 0:
        raise UserError(f"cannot read {whole!r}: without dice write unskilled")
    modifier = emergency = 0
    for sign, number, ed in _TERM.findall(match[2]):
        if ed and sign == "-":
            raise UserError(f"cannot read {whole!r}: Emergency Dice can only be added")
        if ed:
            emergency += int(number)
        else:
            modifier += int(sign + number)
    return WrittenDice(dice, modifier, emergency)
