"""How much a reading takes: bounds that keep every exact distribution quick and small."""

from rulewright.errors import UserError

MOST_DICE = 100
MOST_SIDES = 1000
MOST_MODIFIER = 10_000


def bound(what: str, value: int, least: int, most: int) -> None:
    """Refuse a number outside its bounds, and say what they are."""
    if not least <= value <= most:
        raise UserError(f"{what} must be from {least} to {most}, not {value}")


def bound_modifier(modifier: int) -> None:
    """Refuse a modifier that no game could mean."""
    bound("a modifier", modifier, -MOST_MODIFIER, MOST_MODIFIER)
