"""What needs no dice in a round: aiming, feints, standing up, drawing, walking up to the enemy (book lines 5330-5392)."""

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.cover import OPEN
from rulewright.systems.ore.combat.fighters import DEFENCES, REACH, WITHOUT_ROLL, Act, Fight, Fighter
from rulewright.systems.ore.fight.gunfire import reloads
from rulewright.systems.ore.fight.initialisation import take_initiative
from rulewright.systems.ore.harm.body import legs
from rulewright.systems.ore.harm.lasting import remedied


def without_roll(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """What needs no dice: aiming, feints, standing up, drawing, beating out a fire, looking round; and walking up to the enemy."""
    for plan in fight.plans:
        if fight.group(plan.who) is not None:
            continue
        for act in plan.acts:
            if act.kind in WITHOUT_ROLL:
                fight = just_happens(rules, fight, fight.fighter(plan.who), act)
                if act.kind == "get bearings":
                    fight = yield from take_initiative(rules, fight, (plan.who,))
                if act.kind != "pass":
                    yield Tell(Happened(plan.who, f"{_SAID[act.kind]} {act.target}".rstrip()))
        fighter = fight.fighter(plan.who)
        hides = fighter.cover.any and all(act.kind in WITHOUT_ROLL or act.kind in DEFENCES for act in plan.acts)
        if fighter.weapon.close and not hides:
            fight = approaches(rules, fight, fighter, 0)
    return fight


_SAID = {
    "aim": "aims at",
    "feint": "feints at",
    "stand": "stands up",
    "draw": "takes another weapon in hand",
    "reload": "reloads",
    "get bearings": "looks round",
    "put out the fire": "puts out the fire",
    "let go": "lets go of",
}


def just_happens(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
    """An action without a roll."""
    if act.kind == "aim":
        aim = fighter.aim if fighter.against == act.target else 0
        fighter = replace(fighter, aim=min(2, aim + 1), feints=0, against=act.target)
    elif act.kind == "feint":
        feints = fighter.feints if fighter.against == act.target else 0
        fighter = replace(fighter, feints=min(2, feints + 1), aim=0, against=act.target)
    elif act.kind == "stand":
        fighter = replace(fighter, downed=False)
    elif act.kind == "draw":
        fighter = replace(fighter, in_hand=act.weapon, lost=tuple([place for place in fighter.lost if place != act.weapon]))
    elif act.kind == "reload":
        fighter = reloads(rules, fighter)
    elif act.kind == "put out the fire":
        fighter = replace(fighter, body=remedied(fighter.body))
    elif act.kind == "let go":
        fight = fight.change(act.target, held_by="", choked=0)
    return fight.put(fighter)


def approaches(rules: Ruleset, fight: Fight, fighter: Fighter, width: int) -> Fight:
    """Somebody moves towards the nearest enemy: five metres for nothing, and more with a run; not while held or on the ground."""
    foes = [fight.fighter(name) for name in fight.foes(fighter.side) if fight.group(name) is None]
    if not foes or fighter.held_by or fighter.downed:
        return fight
    nearest = min(foes, key=lambda foe: abs(foe.metres - fighter.metres))
    gap = nearest.metres - fighter.metres
    steps = min(run_metres(rules, width, legs(fighter.body)), max(0, abs(gap) - REACH))
    if not steps:
        return fight
    return fight.put(replace(fighter, metres=fighter.metres + (steps if gap > 0 else -steps), cover=OPEN))  # out of whatever hid him
