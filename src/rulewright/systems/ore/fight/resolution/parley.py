"""Before the fight: threats and displays (book lines 5358-5362, 5404)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import pool_for
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Situation
from rulewright.systems.ore.combat.mooks import flee
from rulewright.systems.ore.combat.morale import morale_left
from rulewright.systems.ore.fight.drama_points import rolls_for
from rulewright.systems.ore.fight.feats.effects import in_formation, squad_feats, trait
from rulewright.systems.ore.log_phrases import verb
from rulewright.systems.ore.people.feat_effects import RULE, Try, helps, known, with_help
from rulewright.systems.ore.people.pools import usable_pool
from rulewright.systems.ore.resolution.tests import Mod, Pool

WARNED = "has warned"


def counter_dice(rules: Ruleset, fighter: Fighter) -> int:
    """The Counter Dice of a warning."""
    doess = [candidate.does for candidate in known(rules, fighter.profile.feats) if candidate.does.counter_dice]
    return max([does.counter_dice for does in doess], default=0)


PARLEYED = "spoke before the fight"
PARLEY = "parley"
"""The kind of an act that happens before the fight, as part of the first declaration."""


def may_parley(fight: Fight, name: str) -> bool:
    """Whether a fighter can still threaten or show off: before the first declaration, if there was no time before."""
    if not fight.edition or fight.round != 1 or fight.ground.parley or fight.powers:
        return False
    return (PARLEYED, "") not in fight.fighter(name).marks and fight.fighter(name).able


def parley_acts(rules: Ruleset, fight: Fight, name: str) -> tuple[Option[tuple[Act, ...]], ...]:
    """The threats and displays beside the first declaration."""
    options = _parley_options(fight.known_foes(name), counter_dice(rules, fight.fighter(name)) > 0)[1:]
    return tuple([Option(f"{PARLEY}:{option.key}", option.label, (Act(PARLEY, skill=option.value),), verb="special") for option in options])


def speaks_first(rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Fight]:
    """A threat or display beside the first declaration, once for everybody."""
    fighter = fight.fighter(name)
    fight = fight.put(replace(fighter, marks=(*fighter.marks, (PARLEYED, ""))))
    return (yield from _parley(rules, fight, name, act.skill))


def _parley(rules: Ruleset, fight: Fight, name: str, chosen: str) -> Play[Fight]:
    """A display, a warning or a threat."""
    fighter = fight.fighter(name)
    if chosen == "display":
        return (yield from _display(rules, fight, fighter))
    if chosen.startswith("warn:"):
        yield Tell(Happened(name, f"warns {chosen[5:]}"))
        return fight.put(replace(fighter, marks=(*fighter.marks, (WARNED, chosen[5:]))))
    return (yield from _threaten(rules, fight, fighter, chosen)) if chosen else fight


_NOTHING: Option[str] = Option("nothing", "Say nothing", "")
_DISPLAY: Option[str] = Option("display", "Show what you can do", "display")


def before_combat(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody may threaten or show off once before the first round."""
    for name in [fighter.name for fighter in fight.fighters if fighter.able]:
        foes = fight.foes(fight.fighter(name).side)
        if not foes:
            continue
        options = _parley_options(tuple(foes), counter_dice(rules, fight.fighter(name)) > 0)
        chosen = yield from Choice(name, "What do you do before the fight?", options, Situation(fight, name, rules), "parley")
        fight = yield from _parley(rules, fight, name, chosen)
    return fight


@cached(2_000)
def _parley_options(foes: tuple[str, ...], warns: bool) -> tuple[Option[str], ...]:
    """The options before a fight, cached."""
    warnings = [Option(f"warn:{foe}", f"Warn {foe}", f"warn:{foe}") for foe in foes] if warns else []
    return (_NOTHING, _DISPLAY, *[Option(f"threaten:{foe}", f"Threaten {foe}", foe) for foe in foes], *warnings)


def _display(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[Fight]:
    """A set impresses all witnesses: +1d on the first attack."""
    pool = usable_pool(rules, pool_for(rules, fighter.profile.training.person(), "display move", fighter.weapon))
    fight, shown = yield from rolls_for(rules, fight, fighter.name, pool, what="display move")
    yield Tell(Happened(fighter.name, "makes an impressive display" if shown.success else "makes a poor display"))
    return fight.change(fighter.name, impresses=shown.success)


def _threaten(rules: Ruleset, fight: Fight, fighter: Fighter, foe: str) -> Play[Fight]:
    """A threat is a Morale Attack: mooks flee, others lose dice for a while."""
    pool = with_help(fighter.profile.threat, trait(rules, fighter, "threaten")) if fighter.profile.feats else fighter.profile.threat
    fight, threat = yield from rolls_for(rules, fight, fighter.name, pool, what="threat")
    if not threat.success:
        yield Tell(Happened(fighter.name, f"threatens {foe} without effect"))
        return fight
    yield Tell(Happened(fighter.name, f"threatens {foe}"))
    return (yield from morale_attack_on(rules, fight, foe, threat.width, threat.height))


def morale_attack_on(rules: Ruleset, fight: Fight, foe: str, width: int, height: int) -> Play[Fight]:
    """A Morale Attack on mooks, who flee, or on a person, who resists with Psyche and Focus."""
    group = fight.group(foe)
    if group is not None:
        rallied = _morale_reduction(rules, fight, group.side)
        mob = flee(rules, group.mob, width + rallied, height) if width + rallied > 0 else group.mob
        fled = group.mob.number - mob.number
        words = f"{verb(foe, 'is', 'are')} frightened: {count(fled, 'mook')} {'flees' if fled == 1 else 'flee'}"
        yield Tell(Happened(foe, words, "bad"))
        return fight.put_group(replace(group, mob=mob))
    given = trait(rules, fight.fighter(foe), "morale")
    if "fearless" in given:
        yield Tell(Happened(foe, "is immune to fear", "good"))
        return fight
    pool = with_help(_nerve_pool(rules, fight, foe), given)
    fight, outcome = yield from rolls_for(rules, fight, foe, pool, what="morale")
    left = morale_left(width, outcome.width)
    what = f"is afraid: -{left}d" if left else "resists the fear"
    yield Tell(Happened(foe, what, "bad" if left else "good"))
    return fight.change(foe, afraid=max(left, fight.fighter(foe).afraid))


def _morale_reduction(rules: Ruleset, fight: Fight, side: str) -> int:
    """The reduction of Morale Attacks on mooks by their leaders."""
    leaders = [fighter for fighter in fight.fighters if fighter.side == side and fighter.able and fighter.profile.feats]
    return min([trait(rules, fighter, "morale of mooks").amount("morale") for fighter in leaders], default=0)


def _nerve_pool(rules: Ruleset, fight: Fight, name: str) -> Pool:
    """The pool against fear; in a squad the highest Command may replace Psyche."""
    fighter = fight.fighter(name)
    if not fight.with_feats or not in_formation(rules, fight, fighter):
        return fighter.profile.nerve
    team = helps(rules, squad_feats(fight, fighter), Try(on=("morale",), when=("in formation",)))
    if "highest command of the squad" not in team:
        return fighter.profile.nerve
    squad = [
        candidate.profile.training.statistics.command for candidate in fight.fighters if candidate.side == fighter.side and candidate.able
    ]
    more = max(squad) - fighter.profile.psyche
    return fighter.profile.nerve.plus(Mod(team.by[0], max(0, more), RULE))


def frightens_when_unaware(rules: Ruleset, fight: Fight, victim: str, width: int, height: int) -> Play[Fight]:
    """A surprise shot is a Morale Attack on the others if the Game Master agrees."""
    ask = f"Was the mook unaware of the shot? If so, it is a {width}x{height} Morale Attack on {victim}."
    if not (yield from Choice(GAMEMASTER, ask, _UNAWARE, Situation(fight, victim, rules), "unaware")):
        return fight
    side = fight.side_of(victim)
    for name in [group.name for group in fight.groups if group.side == side and group.able]:
        fight = yield from morale_attack_on(rules, fight, name, width, height)
    return fight


_UNAWARE: tuple[Option[bool], ...] = (Option("no", "No", value=False), Option("yes", "Yes, it was a surprise", value=True))
_FRIGHTENS: tuple[Option[bool], ...] = (Option("no", "No", value=False), Option("yes", "Yes, it frightens them", value=True))


def after_a_devastating_strike(rules: Ruleset, fight: Fight, victim: str, width: int, height: int) -> Play[Fight]:
    """Asks the Game Master whether a devastating blow is a Morale Attack on the others."""
    side = fight.side_of(victim)
    others = [fighter.name for fighter in fight.fighters if fighter.side == side and fighter.able and fighter.name != victim]
    others += [group.name for group in fight.groups if group.side == side and group.able]
    ask = f"Does the blow to {victim} frighten the others? It would be a {width}x{height} Morale Attack."
    if not others or not (yield from Choice(GAMEMASTER, ask, _FRIGHTENS, Situation(fight, victim, rules), "morale")):
        return fight
    for name in others:
        fight = yield from morale_attack_on(rules, fight, name, width, height)
    return fight
