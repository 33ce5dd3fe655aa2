"""Sustained powers: distraction, end, and control of others (book lines 6356-7734)."""

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Situation, apart
from rulewright.systems.ore.combat.hazards import MOST_AREA, in_area
from rulewright.systems.ore.fight.drama_points import rolls_for
from rulewright.systems.ore.fight.powers.active import COMMANDED, PASSION, bound, ended, wards_of
from rulewright.systems.ore.fight.powers.burn import burns_on_return
from rulewright.systems.ore.harm.body import hurt
from rulewright.systems.ore.harm.locations import at_height, uses_locations
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.repertoire import Working
from rulewright.systems.ore.powers.wards import ward_armour

HARDEST_TO_HOLD = 10


def let_go(fight: Fight, working: Working, why: str = "releases") -> Play[Fight]:
    """Ends a power."""
    yield Tell(Happened(working.by, f"{why} {working.effect}"))
    same = [power for power in fight.powers if (power.effect, power.by) == (working.effect, working.by) and power.kept == working.kept]
    return ended(fight, same)


def when_hurt(rules: Ruleset, before: Fight, fight: Fight, name: str) -> Play[Fight]:
    """A hurt user loses fragile powers and rolls Psyche and Focus for steady ones, at a Difficulty set by the Game Master; a user out of
    the fight loses all."""
    if fight.group(name) is not None or fight.fighter(name).body == before.fighter(name).body:
        return fight
    if not fight.fighter(name).able:
        return (yield from without_users(fight))
    table = effects(rules)
    for working in [power for power in fight.powers if power.by == name and power.effect in table]:
        row = table[working.effect]
        if row.fragile:
            fight = yield from let_go(fight, working, "is distracted and loses")
        elif row.steady and working in fight.powers:
            fight = yield from _hold_or_lose(rules, fight, working)
    return (yield from burns_on_return(rules, fight, name))


def _hold_or_lose(rules: Ruleset, fight: Fight, working: Working) -> Play[Fight]:
    ask = f"{working.by} is hurt. What is the Difficulty to keep up {working.effect}, from 1 to {HARDEST_TO_HOLD}?"
    need = yield from Choice[int](GAMEMASTER, ask, Range(1, HARDEST_TO_HOLD), Situation(fight, working.by, rules), "difficulty")
    fight, outcome = yield from rolls_for(
        rules, fight, working.by, fight.fighter(working.by).profile.nerve, difficulty=need, what=f"keeping up {working.effect}"
    )
    if outcome.success:
        yield Tell(Happened(working.by, f"keeps up {working.effect}", "good"))
        return fight
    return (yield from let_go(fight, working, "is distracted and loses"))


def without_users(fight: Fight) -> Play[Fight]:
    """Ends powers without a user."""
    for working in [power for power in fight.powers if power.kept and not fight.able(power.by)]:
        if working in fight.powers:
            fight = yield from let_go(fight, working, "can no longer keep up")
    return fight


# --- somebody else's will -----------------------------------------------------------------------------------------------------

Acts = tuple[Act, ...]


def compelled(rules: Ruleset, fight: Fight, name: str) -> Play[Acts | None]:
    """The actions of a fighter controlled by another or by a feeling; None if free."""
    order = bound(fight, name, COMMANDED)
    if order is not None and fight.able(order.by):
        options = orders(fight, fight.fighter(name), order)
        about = Situation(fight, order.by, rules)
        acts = yield from Choice(order.by, f"You control {name}. What does {name} do?", options, about, "command")
        yield Tell(Happened(name, f"obeys {order.by}", "bad"))
        return acts
    ruled = bound(fight, name, PASSION)
    if ruled is None:
        return None
    feeling = ruled.word.partition(":")[2]
    yield Tell(Happened(name, f"is overwhelmed by {feeling}", "bad"))
    return driven(fight, fight.fighter(name), feeling)


def driven(fight: Fight, fighter: Fighter, feeling: str) -> Acts | None:
    """The actions that a feeling causes: rage attacks the nearest, fear runs, others keep the peace."""
    if feeling == "rage":
        others = [candidate for candidate in fight.fighters if candidate.name != fighter.name and candidate.able]
        nearest = min(others, key=lambda item: apart(item, fighter), default=None)
        return (Act("attack", nearest.name),) if nearest is not None else (Act("pass"),)
    return (Act("run", away=True),) if feeling == "fear" else None


def orders(fight: Fight, victim: Fighter, order: Working) -> tuple[Option[Acts], ...]:
    """Possible commands by Width: a word (2), going somewhere (3), anything, even attacking a friend (4)."""
    options: list[Option[Acts]] = [Option("freeze", "Freeze", (Act("pass"),))]
    if victim.in_hand:
        options.append(Option("drop", f"Drop {the(victim.weapon.name)}", (Act("let fall"),)))
    if order.width >= 3:
        options.append(Option("go", "Run away", (Act("run", away=True),)))
        options.append(Option("come", f"Walk to {order.by}", (Act("move", order.by),)))
    if order.width >= 4:
        for other in [fighter.name for fighter in fight.fighters if fighter.name not in (victim.name, order.by) and fighter.able]:
            options.append(Option(f"strike:{other}", f"Strike at {other}", (Act("as told", other, skill=order.by),)))
    return tuple(options)


# --- a round passes -----------------------------------------------------------------------------------------------------------


def powers_pass(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The end of a round: burning targets are hurt, hot touches burn again, and durations run down."""
    for working in [power for power in fight.powers if power.word in ("alight", "hot")]:
        if fight.group(working.on) is None and not fight.fighter(working.on).body.dead:
            fight = yield from (_burn_clothes(rules, fight, working) if working.word == "alight" else _burn_by_touch(rules, fight, working))
    fight = yield from without_users(fight)
    left = [replace(power, rounds=power.rounds - 1) if power.rounds > 0 else power for power in fight.powers]
    for working in [candidate for candidate in left if not candidate.rounds]:
        yield Tell(Happened(working.on, f"is free of {working.effect}"))
    return replace(fight, powers=tuple([candidate for candidate in left if candidate.rounds]))


def _burn_clothes(rules: Ruleset, fight: Fight, working: Working) -> Play[Fight]:
    """Burning clothes: an area of the Width, reduced by wards against heat."""
    victim = fight.fighter(working.on)
    rating = max(0, working.width - ward_armour(rules, wards_of(rules, fight, working.on), "heat").value)
    body = yield from in_area(rules, victim.body, min(rating, MOST_AREA), "kill", working.width, working.height, working.on)
    return fight.change(working.on, body=body)


def _burn_by_touch(rules: Ruleset, fight: Fight, working: Working) -> Play[Fight]:
    """A sustained hot touch: one more Kill."""
    victim = fight.fighter(working.on)
    if victim.held_by != working.by or ward_armour(rules, wards_of(rules, fight, working.on), "heat").value:
        return fight
    location = at_height(rules, working.height) if uses_locations(rules) else "torso"
    return fight.change(working.on, body=(yield from hurt(rules, victim.body, location, 0, 1, working.on)))
