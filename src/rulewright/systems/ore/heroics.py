"""Drama Points in a fight: asked before the roll, after it, and when somebody is hit (book lines 5481-5501); and plain luck."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.dice.sets import Set
from rulewright.play import Choice, Option, Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.determination import Cast, Determined, Timed, determine, dice_of, speed_of, waste_counts
from rulewright.systems.ore.drama import Effect, Gain, can_spend, determined, hell_bent, ignored, rerolled, slip_up, spend
from rulewright.systems.ore.fighters import DEFENCES, Act, Fight, Fighter, Pending, Plan, Situation
from rulewright.systems.ore.readings import BestFor
from rulewright.systems.ore.telling import Happened
from rulewright.systems.ore.weapons import Blow

_YES_NO: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes", True))
_BEFORE: dict[str, Option[tuple[bool, Gain | None]]] = {
    "no": Option("no", "No Drama Points", (False, None)),
    "determined": Option("determined", "Determined: a die is promoted (1)", (True, None)),
    "hell-bent width": Option("hell-bent width", "Hell-Bent: a point of Width (2)", (False, "width")),
    "hell-bent height": Option("hell-bent height", "Hell-Bent: two points of Height (2)", (False, "height")),
    "both width": Option("both width", "Determined, and Hell-Bent for a point of Width (3)", (True, "width")),
    "both height": Option("both height", "Determined, and Hell-Bent for two points of Height (3)", (True, "height")),
}


def _can(rules: Ruleset, fighter: Fighter, effect: Effect) -> bool:
    return fighter.drama > 0 and can_spend(rules, fighter.drama, effect)


def _paid(rules: Ruleset, fight: Fight, name: str, effect: Effect) -> Play[Fight]:
    fighter = fight.fighter(name)
    yield Tell(Happened(name, f"spends Drama Points: {effect}"))
    return fight.put(replace(fighter, drama=spend(rules, fighter.drama, effect)))


# --- before the roll ----------------------------------------------------------------------------------------------------------


def before_the_roll(rules: Ruleset, fight: Fight, name: str, acts: tuple[Act, ...]) -> Play[tuple[Fight, Plan]]:
    """What somebody declared, with what Drama Points add to the roll: a promoted die, a wider or higher set, or both."""
    plan, fighter = Plan(name, acts), fight.fighter(name)
    keys = ["no"]
    keys += ["determined"] if _can(rules, fighter, "determined") else []
    keys += ["hell-bent width", "hell-bent height"] if _can(rules, fighter, "hell-bent") else []
    if {"determined", "hell-bent width"} <= {*keys} and can_spend(rules, spend(rules, fighter.drama, "determined"), "hell-bent"):
        keys += ["both width", "both height"]
    if len(keys) == 1 or all(act.kind in _NO_ROLL for act in acts):
        return fight, plan
    options = tuple([_BEFORE[key] for key in keys])
    promoted, gain = yield from Choice(name, "Drama Points before the roll?", options, Situation(fight, name, rules), "drama before")
    if promoted:
        fight = yield from _paid(rules, fight, name, "determined")
    if gain is not None:
        fight = yield from _paid(rules, fight, name, "hell-bent")
    return fight, replace(plan, determined=promoted, gain=gain or "")


_NO_ROLL = frozenset(("aim", "feint", "stand", "draw", "reload", "get bearings", "put out the fire", "let go", "pass", "suppress"))


def heroic_cast(rules: Ruleset, fight: Fight, cast: Cast, plan: Plan) -> Cast:
    """What a hero rolls: with a promoted die, and so that the rest of the dice can be rolled again where there are points for it."""
    if plan.determined and cast.pool.expert + cast.pool.dice:
        cast = replace(cast, pool=determined(cast.pool))
    simple = cast.actions == 1 and not cast.number and not cast.waste and not waste_counts(rules)
    return replace(cast, blessed=True) if simple and _can(rules, fight.fighter(cast.who), "blessed") else cast


# --- after the roll -----------------------------------------------------------------------------------------------------------


class Fell(NamedTuple):
    """What somebody's dice came to: the sets, the lowest waste die where bullets are counted by it, and all that lies on the table."""

    sets: tuple[Timed, ...]
    waste: int = 0
    lying: tuple[Set, ...] = ()


def after_the_roll(rules: Ruleset, fight: Fight, cast: Cast, plan: Plan, fell: Fell) -> Play[tuple[Fight, Fell]]:
    """A roll without a set may be made again, the Blessed roll what stands in none again, and whoever was Hell-Bent has a better set."""
    if not fell.sets and fight.fighter(cast.who).luck:
        fight, fell = yield from lucky(rules, fight, cast, fell)
    if not fell.sets and _can(rules, fight.fighter(cast.who), "lucky"):
        again = yield from Choice(cast.who, "No set. Lucky: roll again?", _YES_NO, Situation(fight, cast.who, rules), "drama lucky")
        if again:
            fight = yield from _paid(rules, fight, cast.who, "lucky")
            fell = yield from _once_more(rules, fight, cast)
    sets, waste, lying = fell
    if cast.blessed and _can(rules, fight.fighter(cast.who), "blessed"):
        fight, sets = yield from _blessed(rules, fight, cast, sets, lying)
    if sets and plan.gain:
        best = hell_bent(rules, sets[0].width, sets[0].height, plan.gain)
        speed = sets[0].speed if waste_counts(rules) else speed_of(rules, best.width, best.height)
        sets = (Timed(best.width, best.height, speed), *sets[1:])
    return fight, Fell(sets, waste, lying)


@rule("ore-2.31-lucky")
def lucky(rules: Ruleset, fight: Fight, cast: Cast, fell: Fell) -> Play[tuple[Fight, Fell]]:
    """Once a session the Lucky roll all dice again that showed no set; where there was no die to roll, there is none to roll again.

    Sets that do not count for what was tried (below the Difficulty, or beside the number of a called shot) are none (ruling).
    """
    dice = dice_of(rules, cast)
    if dice is None or not dice.dice:
        return fight, fell
    if not (yield from Choice(cast.who, "No set. You are Lucky: roll again?", _YES_NO[::-1], Situation(fight, cast.who, rules), "lucky")):
        return fight, fell
    yield Tell(Happened(cast.who, "is lucky, and rolls again"))
    fight = fight.change(cast.who, luck=fight.fighter(cast.who).luck - 1)
    return fight, (yield from _once_more(rules, fight, cast))


def _once_more(rules: Ruleset, fight: Fight, cast: Cast) -> Play[Fell]:
    """The same dice, rolled anew."""
    found: Determined = yield from sub(determine, rules, (cast,), fight.plain)
    return Fell(found.sets[0], found.waste[0], found.lying[0])


def _blessed(
    rules: Ruleset, fight: Fight, cast: Cast, sets: tuple[Timed, ...], lying: tuple[Set, ...]
) -> Play[tuple[Fight, tuple[Timed, ...]]]:
    """Every die that stands in no set may be rolled again; the widest set of all counts then."""
    dice = dice_of(rules, cast)
    loose = dice.dice - sum([width for width, _ in lying]) if dice is not None else 0
    if dice is None or not loose:
        return fight, sets
    ask = f"Blessed: roll {loose} {'die' if loose == 1 else 'dice'} again that {'stands' if loose == 1 else 'stand'} in no set?"
    if not (yield from Choice(cast.who, ask, _YES_NO, Situation(fight, cast.who, rules), "drama blessed")):
        return fight, sets
    fight = yield from _paid(rules, fight, cast.who, "blessed")
    best = yield from Roll(BestFor(rerolled(dice, lying)), cast.who, f"{cast.what}, blessed")
    if best is None:
        return fight, ()
    width, height = best[0], best[1] - cast.height
    return fight, (Timed(width, height, speed_of(rules, width, height)),)


def slips(rules: Ruleset, fight: Fight, pending: tuple[Pending, ...]) -> Play[tuple[Fight, tuple[Pending, ...]]]:
    """Everybody with a Drama Point may let one set that is aimed at him slip: a point of Width less, or two of Height."""
    for name in [fighter.name for fighter in fight.fighters if fighter.able]:
        coming = [each for each in pending if each.act.target == name and each.act.kind not in DEFENCES and not each.lying]
        if not coming or not _can(rules, fight.fighter(name), "slip up"):
            continue
        options: list[Option[tuple[int, Gain] | None]] = [Option("no", "No", None)]
        for place, each in enumerate(coming, 1):
            words = f"{each.who}'s {each.width}x{each.height}"
            options.append(Option(f"{place} width", f"{words}: a point of Width less", (place - 1, "width")))
            options.append(Option(f"{place} height", f"{words}: two points of Height less", (place - 1, "height")))
        about = Situation(replace(fight, pending=pending), name, rules)
        chosen = yield from Choice(name, "Slip Up: does an attack on you slip?", tuple(options), about, "drama slip")
        if chosen is not None:
            fight = yield from _paid(rules, fight, name, "slip up")
            slipped = coming[chosen[0]]
            pending = _slipped(rules, pending, slipped, chosen[1])
    return fight, pending


def _slipped(rules: Ruleset, pending: tuple[Pending, ...], one: Pending, loss: Gain) -> tuple[Pending, ...]:
    left = slip_up(one.width, one.height, loss)
    if not left.success:
        return tuple([each for each in pending if each is not one])
    speed = one.speed if waste_counts(rules) else speed_of(rules, left.width, left.height)
    return tuple([replace(each, width=left.width, height=left.height, speed=speed) if each is one else each for each in pending])


# --- when hit -----------------------------------------------------------------------------------------------------------------


def when_hit(rules: Ruleset, fight: Fight, name: str, dealt: Blow) -> Play[tuple[Fight, Blow]]:
    """Whoever is hit may ignore all Shock of the attack, or all its Kill."""
    kill = shock = False
    fighter, about = fight.fighter(name), Situation(fight, name, rules)
    if dealt.kill and _can(rules, fighter, "the hand of god"):
        kill = yield from Choice(name, f"{dealt.kill} Kill are coming. The Hand of God?", _YES_NO, about, "drama kill")
        if kill:
            fight = yield from _paid(rules, fight, name, "the hand of god")
    if dealt.shock and _can(rules, fight.fighter(name), "unwavering"):
        shock = yield from Choice(name, f"{dealt.shock} Shock are coming. Unwavering?", _YES_NO, about, "drama shock")
        if shock:
            fight = yield from _paid(rules, fight, name, "unwavering")
    left = ignored(dealt.kill, dealt.shock, shock, kill)
    return fight, replace(dealt, kill=left.kill, shock=left.shock) if kill or shock else dealt


def flinches(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, bool]]:
    """Whether a hit costs a die of a set that waits; the unflinching keep it."""
    waits = any(each.who == name for each in fight.pending)
    if fight.group(name) is not None or not waits or not _can(rules, fight.fighter(name), "unflinching"):
        return fight, True
    about = Situation(fight, name, rules)
    if (yield from Choice(name, "You were hit. Unflinching?", _YES_NO, about, "drama flinch")):
        return (yield from _paid(rules, fight, name, "unflinching")), False
    return fight, True
