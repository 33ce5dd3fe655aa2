"""Determinization of a battle for one side: unseen units are placed elsewhere, and the enemy's secrets are guessed."""

from msgspec.structs import replace

from rulewright.scenes.hidden_state import Draw
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit, fresh_arms


def guessed(unit: Unit, draw: Draw) -> Unit:
    """A unit with guessed hidden values: random Armor loss, full magazines, no unannounced plans."""
    wear = unit.wear
    if unit.able:
        wear = replace(wear, armor=int(draw() * (int(unit.machine.armor) // 2 + 1)) if wear.armor else int(draw() * 2))
    full = fresh_arms(unit.machine)
    arms = tuple([replace(arm, left=full[at].left) if at < len(full) else arm for at, arm in enumerate(unit.arms)])
    return replace(unit, wear=wear, arms=arms, evading=draw() < 0.5 if unit.able else False, extra=0)


def unfound(battle: Battle, name: str) -> Battle:
    """The battle without signs of what an unseen unit is doing."""
    return battle.change(
        name, facing=0, hexes=0, last=0, spent=0, points=None, turned=False, turns=0, backed=False, moved=False, done=False
    )
