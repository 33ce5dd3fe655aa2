"""How settings are written down: options of the book, and our rulings as switches, numbers and words."""

from rulewright.rules import Setting


def option(name: str, rule: str, lines: str, title: str, text: str) -> Setting:
    """An optional rule of the book, off unless a campaign wants it."""
    return Setting(name, title, text, rule, default=False, lines=lines)


def ruling(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    """A reading of an unclear passage that is taken or not."""
    return Setting(name, title, text, rule, default=default, source="ruling", lines=lines)


def number(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    """A number that the book leaves open."""
    return Setting(name, title, text, rule, default=default, low=low, high=high, source="ruling", lines=lines)


def word(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    """A choice between readings; the first is ours."""
    return Setting(name, title, text, rule, default=values[0], values=values, source="ruling", lines=lines)
