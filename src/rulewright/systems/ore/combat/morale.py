"""Morale Attacks: what frightens mooks away, and takes dice from everybody else (book lines 5461-5479)."""

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.gear.weapons import SIX
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

MOST_MORALE = 20


@rule("ore-4.20-morale-mooks")
def frightened(rules: Ruleset, width: int = 4, height: int = 5, threat: int = 2, mooks: int = 10) -> int:
    """How many mooks run: as many as the Morale Attack is wide, if it is as wide as their Threat Rating; nobody otherwise. Where mooks are
    simplified one that is wide or high enough does it (ruling: either, as with attacks)."""
    enough = max(width, height) if width > 0 and rules.on("simple-mooks") else width
    return min(width, mooks) if enough >= threat else 0


@rule("ore-4.20-morale-characters")
def morale_attack(rules: Ruleset, attack: int = 5, focus: Pool = SIX, by: str = "") -> Play[int]:
    """Psyche and Focus take their Width from a Morale Attack, whatever the Heights (ruling); what is left costs a die a point.

    A view of Morale Attacks in fights.
    """
    if not 0 <= attack <= MOST_MORALE:
        raise UserError(f"a Morale Attack goes from 0 to {MOST_MORALE}, not {attack}")
    outcome = yield from make_test(rules, focus, by=by, what="morale")
    return morale_left(attack, outcome.width)


@rule("ore-4.20-morale-characters")
def morale_left(attack: int = 5, width: int = 2) -> int:
    """What is left of a Morale Attack after the Width of Psyche and Focus."""
    return max(0, attack - width)


@rule("ore-4.20-morale-characters")
def fear_dice(attack: int = 5, rounds: int = 0) -> Mod:
    """What a Morale Attack that got through costs: a die a point, and it loses a point each round.

    A view of what hinders every roll in fights.
    """
    return Mod("morale", -max(0, attack - rounds), "ore-4.20-morale-characters")
