"""All actions of a fight by kind, in the order of their options."""

from rulewright.errors import UserError
from rulewright.rules import nearest
from rulewright.systems.ore.combat.fighters import Act, Plan
from rulewright.systems.ore.fight.actions import (
    aid,
    attacks,
    defences,
    feat_attacks,
    feat_presence,
    grapples,
    guns,
    item_handling,
    map_actions,
    moves,
    tasks,
)
from rulewright.systems.ore.fight.actions.base import Action
from rulewright.systems.ore.fight.actions.powers import actions

ACTIONS: dict[str, Action] = {
    action.kind: action
    for action in (
        moves.Stand(),
        moves.KipUp(),
        item_handling.PutOut(),
        grapples.Escape(),
        grapples.Strangle(),
        grapples.LetGo(),
        attacks.Attack(),
        attacks.CalledShot(),
        attacks.Slash(),
        attacks.Thrust(),
        attacks.Throw(),
        attacks.Feint(),
        attacks.Aim(),
        grapples.Trip(),
        grapples.Tackle(),
        grapples.Disarm(),
        grapples.Turn(),
        grapples.Push(),
        grapples.Grapple(),
        grapples.CloseIn(),
        guns.Suppress(),
        moves.Charge(),
        defences.Dodge(),
        moves.Dive(),
        defences.Parry(),
        defences.Hold(),
        defences.FendOff(),
        moves.Run(),
        moves.Move(),
        moves.TakeCover(),
        item_handling.Draw(),
        item_handling.DrawSecond(),
        item_handling.PickUp(),
        item_handling.Reload(),
        aid.Treat(),
        aid.Douse(),
        actions.PowerAt(),
        actions.TouchPower(),
        actions.Invoke(),
        actions.CounterPower(),
        actions.TurnBack(),
        actions.Innate(),
        actions.Steel(),
        actions.ShakeOff(),
        actions.Gather(),
        actions.Fly(),
        actions.StaticTouch(),
        actions.AnalgesicTouch(),
        actions.Release(),
        actions.LetFall(),
        actions.AsTold(),
        feat_attacks.Mark(),
        feat_attacks.SizeUp(),
        feat_attacks.Assess(),
        feat_attacks.WaterDance(),
        feat_attacks.Ward(),
        feat_attacks.WallOfLead(),
        feat_attacks.Clinch(),
        feat_attacks.Unlock(),
        feat_attacks.BreakLock(),
        feat_attacks.Bullseye(),
        feat_attacks.ChargeUp(),
        feat_attacks.ShakeBattery(),
        feat_attacks.RepeatShot(),
        feat_presence.Threaten(),
        feat_presence.Rack(),
        feat_presence.Freeze(),
        feat_presence.Crush(),
        feat_presence.Riot(),
        feat_presence.Instruct(),
        feat_presence.Staunch(),
        feat_presence.Resuscitate(),
        feat_presence.Overrun(),
        feat_presence.Kick(),
        feat_presence.UseFeat(),
        feat_presence.FeatTest(),
        tasks.Skill(),
        tasks.GetBearings(),
        tasks.Speak(),
        tasks.Surrender(),
        tasks.Parley(),
        tasks.Pass(),
        map_actions.RunTo(),
        map_actions.ThrowAt(),
        map_actions.TurnDoor(),
    )
}


def action_of(act: Act) -> Action:
    """The action of an act."""
    try:
        return ACTIONS[act.kind]
    except KeyError:
        raise UserError(f"there is no action {act.kind!r}{nearest(act.kind, ACTIONS)}") from None


def rolled(plan: Plan) -> tuple[Act, ...]:
    """Declared actions that need a roll."""
    return tuple([act for act in plan.acts if action_of(act).rolled])


def in_one_roll(plan: Plan) -> tuple[Act, ...]:
    """Declared actions that share one roll."""
    return tuple([act for act in rolled(plan) if not action_of(act).own_dice])


def urgent() -> tuple[str, ...]:
    """Actions that every tactic does first."""
    return tuple([kind for kind, action in ACTIONS.items() if action.urgent])
