"""All actions of a fight by their kind, in the order in which they are offered."""

from rulewright.errors import Wrong
from rulewright.rules import nearest
from rulewright.systems.ore.combat.fighters import Act, Plan
from rulewright.systems.ore.fight.actions import (
    afield,
    blows,
    defences,
    guns,
    hands,
    helping,
    knacks,
    moves,
    others,
    powers,
    presence,
    wrestling,
)
from rulewright.systems.ore.fight.actions.base import Action

ACTIONS: dict[str, Action] = {
    action.kind: action
    for action in (
        moves.Stand(),
        moves.KipUp(),
        hands.PutOut(),
        wrestling.Escape(),
        wrestling.Strangle(),
        wrestling.LetGo(),
        blows.Attack(),
        blows.CalledShot(),
        blows.Slash(),
        blows.Thrust(),
        blows.Throw(),
        blows.Feint(),
        blows.Aim(),
        wrestling.Trip(),
        wrestling.Tackle(),
        wrestling.Disarm(),
        wrestling.Turn(),
        wrestling.Push(),
        wrestling.Grapple(),
        wrestling.CloseIn(),
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
        hands.Draw(),
        hands.DrawSecond(),
        hands.PickUp(),
        hands.Reload(),
        helping.Treat(),
        helping.Douse(),
        powers.PowerAt(),
        powers.TouchPower(),
        powers.Invoke(),
        powers.CounterPower(),
        powers.TurnBack(),
        powers.Innate(),
        powers.Steel(),
        powers.ShakeOff(),
        powers.Gather(),
        powers.Fly(),
        powers.StaticTouch(),
        powers.AnalgesicTouch(),
        powers.Release(),
        powers.LetFall(),
        powers.AsTold(),
        knacks.Mark(),
        knacks.SizeUp(),
        knacks.Assess(),
        knacks.WaterDance(),
        knacks.Ward(),
        knacks.WallOfLead(),
        knacks.Clinch(),
        knacks.Unlock(),
        knacks.BreakLock(),
        knacks.Bullseye(),
        knacks.ChargeUp(),
        knacks.ShakeBattery(),
        knacks.RepeatShot(),
        presence.Threaten(),
        presence.Rack(),
        presence.Freeze(),
        presence.Crush(),
        presence.Riot(),
        presence.Instruct(),
        presence.Staunch(),
        presence.Resuscitate(),
        presence.Overrun(),
        presence.Kick(),
        presence.UseFeat(),
        presence.FeatTest(),
        others.Skill(),
        others.GetBearings(),
        others.Speak(),
        others.Pass(),
        afield.RunTo(),
        afield.ThrowAt(),
        afield.TurnDoor(),
    )
}


def action_of(act: Act) -> Action:
    """The action of which this is one."""
    try:
        return ACTIONS[act.kind]
    except KeyError:
        raise Wrong(f"there is no action {act.kind!r}{nearest(act.kind, ACTIONS)}") from None


def rolled(plan: Plan) -> tuple[Act, ...]:
    """What somebody declared that needs dice."""
    return tuple([act for act in plan.acts if action_of(act).rolled])


def in_one_roll(plan: Plan) -> tuple[Act, ...]:
    """What of it is served by one roll: all but what has dice of its own."""
    return tuple([act for act in rolled(plan) if not action_of(act).own_dice])


def urgent() -> tuple[str, ...]:
    """What any tactic does first, where it is offered."""
    return tuple([kind for kind, action in ACTIONS.items() if action.urgent])
