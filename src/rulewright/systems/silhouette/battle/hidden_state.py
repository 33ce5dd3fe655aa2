"""A battle as one side may imagine it: units that it has not found lie elsewhere, and what only their own side knows is guessed."""

from msgspec.structs import replace

from rulewright.scenes.hidden_state import Draw
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit, fresh_arms


def guessed(unit: Unit, draw: Draw) -> Unit:
    """A unit of which only the outside is known: armor that has lost something or not, full magazines, no plans that were not announced."""
    wear = unit.wear
    if unit.able:
        wear = replace(wear, armor=int(draw() * (int(unit.machine.armor) // 2 + 1)) if wear.armor else int(draw() * 2))
    full = fresh_arms(unit.machine)
    arms = tuple([replace(arm, left=full[at].left) if at < len(full) else arm for at, arm in enumerate(unit.arms)])
    return replace(unit, wear=wear, arms=arms, evading=draw() < 0.5 if unit.able else False, extra=0)


def unfound(battle: Battle, name: str) -> Battle:
    """A unit that was not found gives no sign of what it is about."""
    return battle.change(
        name, facing=0, hexes=0, last=0, spent=0, points=None, turned=False, turns=0, backed=False, moved=False, done=False
    )
