"""Morale Attacks on mooks and characters (book lines 5461-5479)."""

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.gear.weapons import SIX
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

MOST_MORALE = 20


@rule("ore-4.20-morale-mooks")
def frightened(rules: Ruleset, width: int = 4, height: int = 5, threat: int = 2, mooks: int = 10) -> int:
    """How many mooks flee: Width, if the Width reaches their Threat Rating. With simplified mooks Width or Height is enough (ruling)."""
    enough = max(width, height) if width > 0 and rules.on("simple-mooks") else width
    return min(width, mooks) if enough >= threat else 0


@rule("ore-4.20-morale-characters")
def morale_attack(rules: Ruleset, attack: int = 5, focus: Pool = SIX, by: str = "") -> Play[int]:
    """Psyche and Focus reduce a Morale Attack by their Width, whatever the Heights (ruling); the rest costs a die per point. A view of
    Morale Attacks in fights."""
    if not 0 <= attack <= MOST_MORALE:
        raise UserError(f"a Morale Attack goes from 0 to {MOST_MORALE}, not {attack}")
    outcome = yield from make_test(rules, focus, by=by, what="morale")
    return morale_left(attack, outcome.width)


@rule("ore-4.20-morale-characters")
def morale_left(attack: int = 5, width: int = 2) -> int:
    """The rest of a Morale Attack after Psyche and Focus."""
    return max(0, attack - width)


@rule("ore-4.20-morale-characters")
def fear_dice(attack: int = 5, rounds: int = 0) -> Mod:
    """The penalty of a Morale Attack: a die per point, one point less each round. A view of penalties in fights."""
    return Mod("morale", -max(0, attack - rounds), "ore-4.20-morale-characters")
