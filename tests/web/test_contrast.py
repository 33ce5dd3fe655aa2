"""What can be read off the style sheet: text stands out enough from what is behind it, by day and by night."""

import re
from itertools import product

import pytest

from rulewright.web.app import STATIC

CSS = (STATIC / "look.css").read_text()
TEXT = ("--ink", "--soft", "--accent", "--good", "--warn", "--bad")
BEHIND = ("--paper", "--sheet")


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6})\b", block))


DAY, *NIGHTS = [_colours(block) for block in re.findall(r"color-scheme: (?:light|dark);(.*?)\}", CSS, re.S)]


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_light(one), _light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_both_ways_to_the_dark_have_the_same_colours():
    assert len(NIGHTS) == 2
    assert NIGHTS[0] == NIGHTS[1]
    assert DAY.keys() == NIGHTS[0].keys() | {name for name in DAY if name not in NIGHTS[0]}


@pytest.mark.parametrize("colours", [DAY, NIGHTS[0]], ids=["day", "night"])
def test_text_stands_out_from_what_is_behind_it(colours):
    weak = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in product(TEXT, BEHIND)}
    weak[("--accent-ink", "--accent")] = contrast(colours["--accent-ink"], colours["--accent"])
    weak[("--accent", "--accent-wash")] = contrast(colours["--accent"], colours["--accent-wash"])
    assert {pair: found for pair, found in weak.items() if found < 4.5} == {}
