"""Roll requests of games that keep the highest die: taking a total instead of rolling, and extended tasks by margins."""

from rulewright.campaign.roll_request import Take
from rulewright.dice.notation import parse_test
from rulewright.highest_die.tests import verdict

TIMES_HIGH = 20
"""How many times as long Taking High takes."""


def written_modifier(notation: str) -> tuple[int, int]:
    """The dice and the modifier of a notation of the sheet."""
    dice, _ = parse_test(notation)
    return dice.dice, dice.modifier


def taken(name: str, total: int, target: str, seconds: int, rule: str) -> Take:
    """A total that is taken instead of rolled, against a Threshold if there is one."""
    margin = total - int(target) if target.isdecimal() else 0
    judged = verdict(margin) if target.isdecimal() else None
    return Take(name, f"a total of {total}", seconds, rule, "", judged, total, max(0, margin))
