"""Before the first blow: threats that frighten, and displays that impress (book lines 5358-5362, 5404)."""

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import pool_for
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Situation
from rulewright.systems.ore.combat.mooks import flee
from rulewright.systems.ore.combat.morale import morale_left
from rulewright.systems.ore.fight.heroics import rolls_for
from rulewright.systems.ore.people.characters import usable_pool

_NOTHING: Option[str] = Option("nothing", "Say nothing", "")
_DISPLAY: Option[str] = Option("display", "Show what you can do", "display")


def before_combat(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody may threaten somebody or show off once, before the first round, in the order in which they came."""
    for name in [fighter.name for fighter in fight.fighters if fighter.able]:
        foes = fight.foes(fight.fighter(name).side)
        if not foes:
            continue
        options = (_NOTHING, _DISPLAY, *[Option(f"threaten:{foe}", f"Threaten {foe}", foe) for foe in foes])
        chosen = yield from Choice(name, "Before it comes to blows?", options, Situation(fight, name, rules), "parley")
        if chosen == "display":
            fight = yield from _displays(rules, fight, fight.fighter(name))
        elif chosen:
            fight = yield from _threatens(rules, fight, fight.fighter(name), chosen)
    return fight


def _displays(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[Fight]:
    """A set impresses everybody who sees it: a die more on the first attack."""
    pool = usable_pool(rules, pool_for(rules, fighter.profile.training.person(), "display move", fighter.weapon))
    fight, shown = yield from rolls_for(rules, fight, fighter.name, pool, what="display move")
    yield Tell(Happened(fighter.name, "puts on a show that nobody forgets" if shown.success else "puts on a poor show"))
    return fight.change(fighter.name, impresses=shown.success)


def _threatens(rules: Ruleset, fight: Fight, fighter: Fighter, foe: str) -> Play[Fight]:
    """The set of a threat is a Morale Attack: mooks run from it, and everybody else has fewer dice for a while."""
    fight, threat = yield from rolls_for(rules, fight, fighter.name, fighter.profile.threat, what="threat")
    if not threat.success:
        yield Tell(Happened(fighter.name, f"threatens {foe}, who does not care"))
        return fight
    yield Tell(Happened(fighter.name, f"threatens {foe}"))
    return (yield from morale_attack_on(rules, fight, foe, threat.width, threat.height))


def morale_attack_on(rules: Ruleset, fight: Fight, foe: str, width: int, height: int) -> Play[Fight]:
    """A Morale Attack on mooks, who run, or on somebody with a name, who holds Psyche and Focus against it."""
    group = fight.group(foe)
    if group is not None:
        mob = flee(rules, group.mob, width, height)
        yield Tell(Happened(foe, f"are frightened: {group.mob.number - mob.number} of them run", "bad"))
        return fight.put_group(replace(group, mob=mob))
    fight, held = yield from rolls_for(rules, fight, foe, fight.fighter(foe).profile.nerve, what="morale")
    left = morale_left(width, held.width)
    what = f"is afraid, with {left} {'die' if left == 1 else 'dice'} less" if left else "is not to be frightened"
    yield Tell(Happened(foe, what, "bad" if left else "good"))
    return fight.change(foe, afraid=max(left, fight.fighter(foe).afraid))


def frightens_when_unaware(rules: Ruleset, fight: Fight, victim: str, width: int, height: int) -> Play[Fight]:
    """A shot out of nowhere is a Morale Attack on the rest, if the Game Master says that nobody was aware of it."""
    ask = f"Was the one of {victim} who fell unaware of the shot? Then it is a Morale Attack of {width}x{height}."
    if not (yield from Choice(GAMEMASTER, ask, _UNAWARE, Situation(fight, victim, rules), "unaware")):
        return fight
    side = fight.side_of(victim)
    for name in [group.name for group in fight.groups if group.side == side and group.able]:
        fight = yield from morale_attack_on(rules, fight, name, width, height)
    return fight


_UNAWARE: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes, it came out of nowhere", True))
_FRIGHTENS: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes, it frightens them", True))


def after_a_devastating_strike(rules: Ruleset, fight: Fight, victim: str, width: int, height: int) -> Play[Fight]:
    """The Game Master says whether what a blow has done is a Morale Attack of its set on the others of that side."""
    side = fight.side_of(victim)
    others = [each.name for each in fight.fighters if each.side == side and each.able and each.name != victim]
    others += [group.name for group in fight.groups if group.side == side and group.able]
    ask = f"Does what happened to {victim} frighten the others: {width}x{height}?"
    if not others or not (yield from Choice(GAMEMASTER, ask, _FRIGHTENS, Situation(fight, victim, rules), "morale")):
        return fight
    for name in others:
        fight = yield from morale_attack_on(rules, fight, name, width, height)
    return fight
