"""Melee between vehicles side by side (book lines 3114-3189, 3386-3390, 3458)."""

from msgspec.structs import replace

from rulewright.play import Choice, Play, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.attack_exchange import attack_weapons, force_taken, struck_so
from rulewright.systems.foresight.combat.events import Asked
from rulewright.systems.foresight.combat.fighters import UNJAMMED, Action, Fight, Fighter, Ground, put_away
from rulewright.systems.foresight.combat.melee import Struck, strike_at
from rulewright.systems.foresight.combat.reflexes import NOTHING, Answer, can_react, guard_options, notices, tire
from rulewright.systems.foresight.pursuit.pursuers import Chase, Rider, Runner

ON_THE_SPOT = ("nothing", "dodge", "parry")
"""What can be done about a blow without giving ground, which a saddle does not allow (ruling)."""


def as_fighter(runner: Runner, seat: int, at: float, facing: int, watched: str) -> Fighter:
    """A rider as one of two who fight side by side."""
    rider = runner.riders[seat]
    count = len(rider.profile.weapons)
    used = tuple([rider.blows * (weapon == rider.hand) for weapon in range(count)])
    return Fighter(
        rider.profile,
        runner.body(seat),
        at,
        0.0,
        facing,
        hand=rider.hand,
        **{**put_away(count), "attacks": used},
        focus=watched,
        dodges=rider.dodges,
        parries=rider.parries,
        bonus=rider.bonus,
        bonuses=rider.bonuses,
        feints=rider.feints,
        windups=rider.windups,
        power=rider.profile.power,
    )


def side_by_side(chase: Chase, number: int, seat: int, target: int, other: int) -> Fight:
    """Two riders within reach of each other: a meter apart, or two where a weapon is too long for one."""
    runner, beside = chase.runners[number], chase.runners[target]
    rider, foe = runner.riders[seat], beside.riders[other]
    apart = 2.0 if rider.hand and rider.profile.weapons[rider.hand].normal is None else 1.0
    fighter = as_fighter(runner, seat, 0.0, 0, foe.name if rider.focus == beside.name else "")
    two = as_fighter(beside, other, apart, 180, rider.name if foe.focus == runner.name else "")
    return Fight(Ground(environment=chase.course.environment, gravity=chase.course.gravity), (fighter, two), 1)


def strikes(rules: Ruleset, chase: Chase, number: int, seat: int, target: int) -> list[int]:
    """The seats of a vehicle beside whose riders can be struck at: both must be open, and neither above the other."""
    runner, beside, gap = chase.runners[number], chase.runners[target], chase.between(number, target)
    if gap is None or (gap.range, gap.height) != (0, 0) or not (runner.craft.open and beside.craft.open):
        return []
    result = []
    for other, body in enumerate(beside.craft.aboard):
        fight = side_by_side(chase, number, seat, target, other)
        if not body.dead and attack_weapons(fight, *fight.fighters):
            result.append(other)
    return result


def strike(rules: Ruleset, chase: Chase, number: int, seat: int, *, target: int, other: int) -> Play[Chase]:
    """A blow at a person beside, who may dodge or parry it on the spot if aware of it."""
    fight = side_by_side(chase, number, seat, target, other)
    result, foe = fight.fighters
    weapon = attack_weapons(fight, result, foe)[0]
    aware = yield from notices(rules, fight, foe, result)
    answer = (yield from _guard(rules, fight, result, foe, weapon)) if aware and can_react(fight, foe) else NOTHING
    blow = struck_so(rules, fight, result, foe, Action("attack", foe.name, weapon), answer=answer, aware=aware)
    struck: Struck = yield from sub(strike_at, rules, blow, foe.body)
    fight = fight.harm(foe.name, struck.body)
    fight = yield from force_taken(rules, fight, foe.name, weapon, strike=blow, answer=answer, met=struck.met)
    fight = yield from tire(rules, fight, result.name)
    if answer.guard:
        fight = yield from tire(rules, fight, foe.name)
    mine, theirs = chase.runners[number], chase.runners[target]
    mine = mine.with_body(seat, fight.fighter(result.name).body).with_rider(seat, blows=mine.riders[seat].blows + 1, feints=0, windups=0)
    after, before = fight.fighter(foe.name), theirs.riders[other]
    lost = (*before.lost, before.hand) if before.hand and not after.hand else before.lost
    theirs = theirs.with_body(other, after.body).with_rider(other, hand=after.hand, lost=lost, **_guarded(before, answer))
    return chase.put(number, mine).put(target, theirs)


def _guarded(rider: Rider, answer: Answer) -> dict[str, int]:
    """The changes by which a dodge or parry is paid for: a bonus one where there is one, and else the next is harder."""
    if not answer.guard:
        return {}
    if rider.bonuses and rider.bonus == ("dodge" if answer.guard == "dodges" else "parry"):
        return {"bonuses": rider.bonuses - 1}
    return {"dodges": rider.dodges + 1} if answer.guard == "dodges" else {"parries": rider.parries + 1}


def in_reach(chase: Chase, number: int) -> bool:
    """Whether a person in another open vehicle is side by side, so that blows can be struck."""
    open_ones = [at for at, runner in enumerate(chase.runners) if at != number and runner.craft.open and not runner.out]
    gaps = [chase.between(number, at) for at in open_ones] if chase.runners[number].craft.open else []
    return any(gap is not None and not gap.lost and (gap.range, gap.height) == (0, 0) for gap in gaps)


def _guard(rules: Ruleset, fight: Fight, fighter: Fighter, foe: Fighter, weapon: int) -> Play[Answer]:
    group = fighter.profile.weapons[weapon].group
    offered = guard_options(rules, fight, foe, fighter, group)
    options = tuple([option for option in offered if option.key.partition(":")[0] in ON_THE_SPOT])
    about = Asked(fight, foe.name, rules, actor=fighter.name)
    return (yield from Choice(foe.name, f"{fighter.name} strikes at you. What do you do?", options, about, "guard"))


def disarmed(runner: Runner) -> Runner:
    """A vehicle whose riders have let go of what a hurt arm held; in a pursuit that is lost (ruling)."""
    for seat, body in enumerate(runner.craft.aboard):
        if body.dropped or body.prone:
            rider = runner.riders[seat]
            main = "left arm" if rider.profile.left_handed else "right arm"
            lost = rider.hand and main in body.dropped
            runner = runner.with_body(seat, replace(body, dropped=(), prone=False))
            gone = (*rider.lost, rider.hand)
            runner = runner.with_rider(seat, hand=0, lost=gone, ammo=0, aim=0, aim_at="", jam=UNJAMMED) if lost else runner
    return runner
