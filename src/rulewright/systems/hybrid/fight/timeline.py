"""The timeline of a fight: who is due, what they decide, and when it takes effect (book lines 804-896).

Everybody has a count. On it they decide, or what they are doing takes effect; after that initiative is rolled again and added.
"""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Play, Stands, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.hybrid.combat.fighters import Fight, Fighter, Ground, speed_of, watching
from rulewright.systems.hybrid.combat.initiative import Entry, Reactor, enter_scene
from rulewright.systems.hybrid.fight.actions.base import Chosen
from rulewright.systems.hybrid.fight.actions.moves import anywhere
from rulewright.systems.hybrid.fight.actions.registry import TOGETHER, begin, deeds, open_to, take_effect
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND, About, OnCount, react
from rulewright.systems.hybrid.harm.damage import bleed, shake_off
from rulewright.systems.hybrid.harm.events import Struck
from rulewright.systems.hybrid.resolution.tests import Check, Mod, skill_check

EMPTY = Fight(Ground(), ())
HELD = ("struggle", "pass")
"""What is left to people who are held so fast that they can do nothing else."""


# --- whose count it is --------------------------------------------------------------------------------------------------------


@rule("hyb-8-combat-sequence")
def order(rules: Ruleset, counts: tuple[int, ...] = (12, 9, 9), speeds: tuple[int, ...] = (4, 4, 6)) -> tuple[int, ...]:
    """A person who is due next, by their places in the lists: all on the lowest count, the faster ones first.

    Those on one count act together, whatever they do to each other (ruling), or one after the other.
    """
    if not counts:
        return ()
    now = min(counts)
    due = [place for place, count in enumerate(counts) if count == now]
    speed = dict(enumerate(speeds))
    return tuple(sorted(due, key=lambda place: -speed.get(place, 0)))


def _sleeps(fighter: Fighter) -> bool:
    """Whether a person is out of the fight by a shock that will end by itself."""
    body = fighter.body
    return body.shock_ends > 0 and not body.awake and not body.dead and body.pbd > 0 and body.mbd > 0


def _acting(rules: Ruleset, fight: Fight) -> list[Fighter]:
    """Everybody who has a count: who can act, or struggle at least, and whose shock ends by itself, on the count on which it does."""
    result = []
    for fighter in fight.fighters:
        if fighter.body.awake:
            result.append(fighter)
        elif _sleeps(fighter):
            result.append(replace(fighter, at=fighter.body.shock_ends))
    return result


def due_at(rules: Ruleset, fight: Fight) -> int:
    """The next count on which a person is due, now or later; the last one and one more where nobody is before the time is over."""
    return _earliest(fight, _acting(rules, fight))


def _earliest(fight: Fight, people: list[Fighter]) -> int:
    last = fight.seconds * COUNTS_A_SECOND
    return max(fight.count, min([person.at for person in people], default=last + 1))


def move_clock(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The clock moves on to the next count on which a person is due, or to the end of the time."""
    now, last = due_at(rules, fight), fight.seconds * COUNTS_A_SECOND
    if now > last:
        return (yield from _pass_time(rules, fight, last))
    if now > fight.count:
        yield from Tell(OnCount(now))
    return (yield from _pass_time(rules, fight, now))


def next_count(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next count on which a person is due, with everything that happens on it."""
    people = _acting(rules, fight)
    now = _earliest(fight, people)
    fight = yield from move_clock(rules, fight)
    if now > fight.count:
        return fight
    due = [
        people[place] for place in order(rules, tuple(person.at for person in people), tuple(speed_of(fight, person) for person in people))
    ]
    before = fight
    for waiting in due:
        fight = yield from happens(rules, before, fight, waiting.profile.name, now)
    return fight


def happens(rules: Ruleset, before: Fight, fight: Fight, name: str, now: int) -> Play[Fight]:
    """Plays the action of a person who is due on a count; `before` is how all were when the count began."""
    together = rules.word("initiative-ties") == "together"
    me = fight.fighter(name)
    if _sleeps(me) and me.body.shock_ends <= now:
        return (yield from _wake(rules, fight, name, now))
    if me.at > now:
        return fight  # met an attack on this very count, and is later for it
    if not fight.able(rules, me):
        then = before.fighter(name)
        if together and then.doing is not None and before.able(rules, then):
            return (yield from take_effect(rules, fight, name, now, then))
        if not me.body.awake:
            return fight
        if me.doing is not None and me.doing.what not in HELD:
            return (yield from react(rules, fight, name, now))  # held fast: there is no effect of what was begun
        me = fight.fighter(name)
    if me.doing is None:
        return (yield from decide(rules, fight, name, now))
    return (yield from take_effect(rules, fight, name, now, before.fighter(name) if together else me))


def _pass_time(rules: Ruleset, fight: Fight, now: int) -> Play[Fight]:
    """Wounds bleed while time passes."""
    fighters = []
    for fighter in fight.fighters:
        body = bleed(rules, fighter.body, fight.count, now) if fighter.body.bleeding else fighter.body
        if body is not fighter.body:
            yield from Tell(Happened(fighter.name, "bleeds to death" if body.dead else "bleeds on"))
        fighters.append(replace(fighter, body=body) if body is not fighter.body else fighter)
    return replace(fight, fighters=tuple(fighters), count=now)


def _wake(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    body = yield from shake_off(rules, fight.fighter(name).body, now)
    fight = fight.change(name, body=body, doing=None)
    return (yield from react(rules, fight, name, now))


@rule("hyb-8-combat-sequence")
def enter_fight(rules: Ruleset, fight: Fight = EMPTY) -> Play[Fight]:
    """Everybody who is new looks around and rolls initiative; what they failed to see they do not know of until they act."""
    for fighter in fight.fighters:
        if not fighter.entered:
            entry = yield from enter_scene(rules, reactor_of(rules, fight, fighter))
            fight = fight.put(come_in(fight, fighter, entry))
    return fight


def reactor_of(rules: Ruleset, fight: Fight, fighter: Fighter) -> Reactor:
    """A person new, as they look around."""
    watcher = watching(rules, fight, fighter)
    if fight.ground.unwary == fighter.side:
        watcher = replace(watcher, situations=(*watcher.situations, "not alert"))
    return Reactor(watcher, speed_of(fight, fighter), fighter.arm.rank is not None, fighter.waiting)


def come_in(fight: Fight, fighter: Fighter, entry: Entry) -> Fighter:
    """A person who has looked around and rolled."""
    at = fight.count + entry.count
    return replace(fighter, entered=True, aware=entry.perceived.success, at=at, points=entry.speed_points, waiting=False)


# --- deciding -----------------------------------------------------------------------------------------------------------------


def decide(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    """A person's own count: shock may pass, then they choose what to do; it takes effect when its time is over."""
    me = fight.fighter(name)
    body = yield from shake_off(rules, me.body, now)
    off = me.off_balance
    if off:
        steady = (yield from skill_check(rules, Check(body.pen), name, "finding balance")).success
        told = "finds balance again" if steady else f"is still off balance ({off})"
        yield from Tell(Struck(name, told, "hyb-8-parry-side-effects", steady, rules, mods=(Mod("Physical Endurance", body.pen),)))
        off = 0 if steady else off
    evaded = me.evading
    me = replace(me, body=body, off_balance=off, aware=True, fooled_by="", doing=None, waiting=False)
    me = replace(me, evading=False, all_out="", advancing=False, retreating=False)
    fight = fight.put(me)
    keys = open_to(rules, fight, me)
    if fight.hiding:
        yield from Tell(Stands(fight))  # a door may have opened on this count
    key = yield from Choice(name, "What do you do?", deeds(keys), About(rules, fight, name), "act", where=anywhere(rules, fight, me))
    while key in TOGETHER:
        me = replace(me, evading=me.evading or key == "weave", retreating=me.retreating or key == "give way")
        fight = fight.put(me)
        keys = tuple(text for text in keys if text not in (key, TOGETHER[key]))
        where = anywhere(rules, fight, me)
        key = yield from Choice(name, "What else do you do?", deeds(keys), About(rules, fight, name), "act", where=where)
    what, _, target = key.partition(":")
    return (yield from begin(Chosen(rules, name, now, what, target, evaded=evaded), fight))
