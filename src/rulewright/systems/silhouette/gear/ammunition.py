"""Ammunition use of bursts (book lines 2374-2377, 2400-2403)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset, rule


@rule("sil-6.4.1-woo-factor")
def endless_burst(rules: Ruleset, dice: int, modifier: int = 0, rof: int = 1, fumble: bool = False) -> tuple[int, bool]:
    """Returns the total of a burst with endless ammunition, and whether the weapon is empty: the rate of fire is subtracted from the
    dice; 1 or less, or a fumble, is an empty or jammed weapon."""
    left = dice - rof
    return max(0, left + modifier), fumble or (rof > 0 and left <= 1)  # 5978


@rule("sil-6.4.1-woo-factor")
def endless_ammunition(rules: Ruleset) -> bool:
    """Whether nobody counts shots: in a cinematic campaign with that option."""
    return rules.on("woo-factor") and rules.word("reality") == "cinematic"


class Burst(Struct, frozen=True):
    """The rate of fire that the magazine allows, and the shots it uses."""

    rof: int
    shots: int


@rule("sil-3.4.3-burst-fire")
def burst(rules: Ruleset, rof: int = 1, highest: int = 3, left: int | None = None, single: int = 1) -> Burst:
    """Returns a burst of any rate up to the weapon's: five shots per point; for rate 0 one shot, or what a single shot uses.

    A magazine with fewer shots, but at least five, is emptied and gives the rate rounded up: seven shots give +2.
    """
    if not 0 <= rof <= max(0, highest):
        raise UserError(f"this weapon's rate of fire is 0 to {max(0, highest)}, not {rof}")
    if endless_ammunition(rules):
        return Burst(rof, 0)
    if rof == 0:
        if left is not None and left < single:
            raise UserError("the magazine is empty" if left < 1 else f"a shot needs {single} rounds of ammunition, but {left} are left")
        return Burst(0, single)
    return _spent(rof, 5, 5, left, "a burst")


def _spent(rof: int, number: int, least: int, left: int | None, what: str) -> Burst:
    if left is None or left >= number * rof:
        return Burst(rof, number * rof)
    if left < least:
        raise UserError(f"{what} needs at least {count(least, 'shot')}, but the magazine holds {left}")
    return Burst(min(rof, -(-left // number)), left)


@rule("sil-3.4.3-saturation-fire")
def saturation_burst(rules: Ruleset, rof: int = 1, highest: int = 3, left: int | None = None) -> Burst:
    """Returns a burst of saturation fire: twenty shots per point of rate; a magazine with fewer, but at least ten, is emptied and gives
    the rate rounded up."""
    if not 1 <= rof <= max(0, highest):
        raise UserError(f"saturation fire with this weapon needs a rate of fire of 1 to {max(0, highest)}, not {rof}")
    return Burst(rof, 0) if endless_ammunition(rules) else _spent(rof, 20, 10, left, "saturation fire")


@rule("sil-3.4.3-burst-fire")
def loading(rof: int) -> int:
    """Returns the rounds of loading for a negative rate of fire: its absolute value (ruling)."""
    return max(0, -rof)
