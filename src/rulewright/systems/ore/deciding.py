"""The five ways in which a campaign of the One Roll Engine decides something; every setting of the game is declared with one of them."""

from rulewright.rules import Setting, SettingValue

Excluded = tuple[tuple[SettingValue, str, SettingValue, str], ...]
"""(own value, other setting, its value, why): what cannot work together."""


def option(name: str, rule: str, lines: str, title: str, text: str, excludes: Excluded = ()) -> Setting:
    """An optional rule of the book, off unless the campaign wants it."""
    return Setting(name, title, text, rule, default=False, lines=lines, excludes=excludes)


def variant(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str, excludes: Excluded = ()) -> Setting:
    """One of several ways that the book offers; the first is the standard."""
    return Setting(name, title, text, rule, default=values[0], values=values, lines=lines, excludes=excludes)


def ruling(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    """A passage that is unclear, settled with yes or no."""
    return Setting(name, title, text, rule, default=default, source="ruling", lines=lines)


def word(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    """A passage that is unclear, settled with one of several readings; the first is ours."""
    return Setting(name, title, text, rule, default=values[0], values=values, source="ruling", lines=lines)


def number(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    """A passage that is unclear, settled with a number."""
    return Setting(name, title, text, rule, default=default, low=low, high=high, source="ruling", lines=lines)
