"""Limits of readings, which keep every exact distribution fast and small."""

from rulewright.errors import UserError

MOST_DICE = 100
MOST_SIDES = 1000
MOST_MODIFIER = 10_000


def bound(what: str, value: int, least: int, most: int) -> None:
    """Raises an error if a number is out of bounds."""
    if not least <= value <= most:
        raise UserError(f"{what} must be from {least} to {most}, not {value}")


def bound_modifier(modifier: int) -> None:
    """Raises an error if a modifier is out of bounds."""
    bound("a modifier", modifier, -MOST_MODIFIER, MOST_MODIFIER)
