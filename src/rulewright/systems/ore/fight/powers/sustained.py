"""Powers that are kept up: what a blow does to them, how they end, and what somebody does whom another rules (book lines 6356-7734)."""

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Situation, apart
from rulewright.systems.ore.combat.hazards import MOST_AREA, in_area
from rulewright.systems.ore.fight.drama_points import rolls_for
from rulewright.systems.ore.fight.powers.active import COMMANDED, PASSION, bound, ended, wards_of
from rulewright.systems.ore.harm.body import hurt
from rulewright.systems.ore.harm.locations import at_height, uses_locations
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.repertoire import Working
from rulewright.systems.ore.powers.wards import ward_armour

HARDEST_TO_HOLD = 10


def let_go(fight: Fight, each: Working, why: str = "lets go of") -> Play[Fight]:
    """Somebody's power is over, and that is told; Burn that waited for the return to the body comes now."""
    yield Tell(Happened(each.by, f"{why} {each.effect}"))
    same = [one for one in fight.powers if (one.effect, one.by) == (each.effect, each.by) and one.kept == each.kept]
    return ended(fight, same)


def when_hurt(rules: Ruleset, before: Fight, fight: Fight, name: str) -> Play[Fight]:
    """Whoever was hurt loses what falls at a distraction, and holds what asks for it with Psyche and Focus, at a Difficulty that the
    Game Master names; whoever is out of the fight keeps nothing up."""
    if fight.group(name) is not None or fight.fighter(name).body == before.fighter(name).body:
        return fight
    if not fight.fighter(name).able:
        return (yield from without_users(fight))
    table = effects(rules)
    for each in [one for one in fight.powers if one.by == name and one.effect in table]:
        row = table[each.effect]
        if row.fragile:
            fight = yield from let_go(fight, each, "is distracted, and loses")
        elif row.steady and each in fight.powers:
            fight = yield from _holds(rules, fight, each)
    return fight


def _holds(rules: Ruleset, fight: Fight, each: Working) -> Play[Fight]:
    ask = f"{each.by} is hurt. How difficult is it to hold {each.effect}, from 1 to {HARDEST_TO_HOLD}?"
    need = yield from Choice[int](GAMEMASTER, ask, Range(1, HARDEST_TO_HOLD), Situation(fight, each.by, rules), "difficulty")
    fight, held = yield from rolls_for(
        rules, fight, each.by, fight.fighter(each.by).profile.nerve, difficulty=need, what=f"holding {each.effect}"
    )
    if held.success:
        yield Tell(Happened(each.by, f"holds {each.effect}", "good"))
        return fight
    return (yield from let_go(fight, each, "is distracted, and loses"))


def without_users(fight: Fight) -> Play[Fight]:
    """What nobody keeps up any longer is over."""
    for each in [one for one in fight.powers if one.kept and not fight.able(one.by)]:
        if each in fight.powers:
            fight = yield from let_go(fight, each, "can no longer keep up")
    return fight


# --- somebody else's will -----------------------------------------------------------------------------------------------------

Acts = tuple[Act, ...]


def compelled(rules: Ruleset, fight: Fight, name: str) -> Play[Acts | None]:
    """What somebody does whose body or mind another rules, or whom one feeling rules; None for whoever is free."""
    order = bound(fight, name, COMMANDED)
    if order is not None and fight.able(order.by):
        options = orders(fight, fight.fighter(name), order)
        about = Situation(fight, order.by, rules)
        acts = yield from Choice(order.by, f"{name} is yours. What does {name} do?", options, about, "command")
        yield Tell(Happened(name, f"does what {order.by} wants", "bad"))
        return acts
    ruled = bound(fight, name, PASSION)
    if ruled is None:
        return None
    feeling = ruled.word.partition(":")[2]
    yield Tell(Happened(name, f"is overwhelmed by {feeling}", "bad"))
    return driven(fight, fight.fighter(name), feeling)


def driven(fight: Fight, fighter: Fighter, feeling: str) -> Acts | None:
    """What one feeling makes somebody do: rage strikes at whoever is nearest, fear runs, anything else keeps the peace."""
    if feeling == "rage":
        others = [each for each in fight.fighters if each.name != fighter.name and each.able]
        nearest = min(others, key=lambda each: apart(each, fighter), default=None)
        return (Act("attack", nearest.name),) if nearest is not None else (Act("pass"),)
    return (Act("run", away=True),) if feeling == "fear" else None


def orders(fight: Fight, victim: Fighter, order: Working) -> tuple[Option[Acts], ...]:
    """What can be ordered, by the Width of the set: a word (2), going somewhere (3), anything at all, even to strike at a friend (4)."""
    found: list[Option[Acts]] = [Option("freeze", "Freeze", (Act("pass"),))]
    if victim.in_hand:
        found.append(Option("drop", f"Drop the {victim.weapon.name}", (Act("let fall"),)))
    if order.width >= 3:
        found.append(Option("go", "Run from here", (Act("run", away=True),)))
        found.append(Option("come", f"Walk to {order.by}", (Act("move", order.by),)))
    if order.width >= 4:
        for other in [each.name for each in fight.fighters if each.name not in (victim.name, order.by) and each.able]:
            found.append(Option(f"strike:{other}", f"Strike at {other}", (Act("as told", other, skill=order.by),)))
    return tuple(found)


# --- a round passes -----------------------------------------------------------------------------------------------------------


def powers_pass(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The end of a round: what burns on somebody hurts, a hot hand that still holds burns again, and time runs out for the rest."""
    for each in [one for one in fight.powers if one.word in ("alight", "hot")]:
        if fight.group(each.on) is None and not fight.fighter(each.on).body.dead:
            fight = yield from (_burns_on(rules, fight, each) if each.word == "alight" else _sears(rules, fight, each))
    fight = yield from without_users(fight)
    left = [replace(each, rounds=each.rounds - 1) if each.rounds > 0 else each for each in fight.powers]
    for each in [one for one in left if not one.rounds]:
        yield Tell(Happened(each.on, f"is free of {each.effect}"))
    return replace(fight, powers=tuple([each for each in left if each.rounds]))


def _burns_on(rules: Ruleset, fight: Fight, each: Working) -> Play[Fight]:
    """Somebody's clothes burn: an area of the Width, less by what wards stop of heat."""
    victim = fight.fighter(each.on)
    rating = max(0, each.width - ward_armour(rules, wards_of(rules, fight, each.on), "heat").value)
    body = yield from in_area(rules, victim.body, min(rating, MOST_AREA), "kill", each.width, each.height, each.on)
    return fight.change(each.on, body=body)


def _sears(rules: Ruleset, fight: Fight, each: Working) -> Play[Fight]:
    """A touch that is kept up: one Kill more."""
    victim = fight.fighter(each.on)
    if victim.held_by != each.by or ward_armour(rules, wards_of(rules, fight, each.on), "heat").value:
        return fight
    location = at_height(rules, each.height) if uses_locations(rules) else "torso"
    return fight.change(each.on, body=(yield from hurt(rules, victim.body, location, 0, 1, each.on)))
