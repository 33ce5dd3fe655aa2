"""Penalties on every roll (book lines 4357, 4435, 4529, 4867-4871, 5401, 5473)."""

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Fighter
from rulewright.systems.ore.harm.body import hindered
from rulewright.systems.ore.harm.endurance import tired_dice
from rulewright.systems.ore.resolution.tests import Mod, dice_in


def hindering(rules: Ruleset, fighter: Fighter) -> tuple[Mod, ...]:
    """Penalty dice from injuries, trips, fear and tiredness."""
    entry = (
        Mod("hurt", -hindered(rules, fighter.body).dice, "ore-4.07-kill-and-shock"),
        Mod("tripped", -fighter.tripped, "ore-4.18-act-trip"),
        Mod("afraid", -fighter.afraid, "ore-4.20-morale-characters"),
        tired_dice(rules, fighter.stamina.boxes),
    )
    return tuple([mod for mod in entry if mod.dice])


@cached(50_000)
def attack_dice(rules: Ruleset, fighter: Fighter) -> int:
    """The dice of a plain attack with the weapon in hand after lasting injuries. Fewer than two never show a set."""
    hurt = Mod("hurt", -hindered(rules, fighter.body).dice, "ore-4.07-kill-and-shock")
    return dice_in(rules, fighter.profile.attacks[fighter.in_hand].plus(hurt))


def height_lost(rules: Ruleset, fighter: Fighter) -> int:
    """Height lost by every set."""
    return hindered(rules, fighter.body).height
