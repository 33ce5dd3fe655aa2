"""All actions with vehicles by kind, in the order of their options."""

from rulewright.systems.ore.battle.actions import evasion, maneuvers, people, weapons, wings
from rulewright.systems.ore.battle.actions.base import ACTIONS, VehicleAction, action_of
from rulewright.systems.ore.battle.combatants import Battle, Order, Post

_LISTED: tuple[VehicleAction, ...] = (
    weapons.Attack(),
    weapons.LockOn(),
    wings.Fight(),
    wings.Defend(),
    maneuvers.TakePosition(),
    evasion.Jink(),
    evasion.Swerve(),
    evasion.Evasive(),
    weapons.Sideswipe(),
    weapons.Ram(),
    maneuvers.Chase(),
    maneuvers.Escape(),
    maneuvers.Brake(),
    maneuvers.Hover(),
    maneuvers.Land(),
    maneuvers.TakeOff(),
    people.TakeSeat(),
    people.BailOut(),
    people.UseSkill(),
    people.Pass(),
)
ACTIONS.update({action.kind: action for action in _LISTED})


def is_volley(battle: Battle, post: Post, order: Order) -> bool:
    """Whether every set of the roll counts: shots of a ship of the line, and rolls of a wing."""
    return order.kind == "fight" or (order.kind in ("attack", "lock-on") and battle.unit(post.craft).machine.of_the_line)


__all__ = ["ACTIONS", "action_of", "is_volley"]
