"""All actions by their key: which are offered, how they begin and what they do."""

from collections.abc import Iterator

from rulewright.play import Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter
from rulewright.systems.hybrid.fight.actions import attacks, gear_and_aid, maneuvers, moves
from rulewright.systems.hybrid.fight.actions.base import Chosen, DeedKind, Due, Moment

SHORT = 50
"""Centimetres up to which a weapon can be used on a person who holds one."""
TOGETHER = {"weave": "evade", "give way": "retreat"}
"""What can be done together with any other action, and the action that it is by itself."""
TOGETHER_LABELS = {
    "weave": "evade while doing something else: double defense, penalty for two actions at once",
    "give way": "give way while doing something else: +6 to defense, -6 to attack",
}
ATTACK, STRUGGLE = attacks.Attack(), maneuvers.Struggle()
CLOSE: tuple[DeedKind, ...] = (maneuvers.Overbear(), maneuvers.Throw())
AT_HAND: tuple[DeedKind, ...] = (gear_and_aid.Draw(), gear_and_aid.DropWeapon())
"""What can be done by people who are held."""
AT_FOES: tuple[DeedKind, ...] = (
    ATTACK,
    moves.APPROACH,
    maneuvers.Feint(),
    maneuvers.Disarm(),
    *CLOSE,
    maneuvers.Grapple(),
)
"""The options offered against each enemy in turn."""
FIRST: tuple[DeedKind, ...] = (
    moves.TurnDoor(),
    moves.Go(),
    gear_and_aid.Treat(),
    attacks.Cast(),
    maneuvers.Tighten(),
    maneuvers.Free(),
    *AT_HAND,
    gear_and_aid.PickUp(),
    gear_and_aid.UseSkill(),
    moves.Rise(),
    moves.Evade(),
    moves.Dodge(),
    moves.Retreat(),
)
LAST: tuple[DeedKind, ...] = (gear_and_aid.Look(), gear_and_aid.Rest(), moves.DropProne(), gear_and_aid.Wait(), gear_and_aid.Pass())
"""The options that do not depend on nearby people, before and after those that combine with another action."""
DEEDS: dict[str, DeedKind] = {deed_kind.what: deed_kind for deed_kind in (*AT_FOES, *FIRST, *LAST, STRUGGLE, maneuvers.LetGo())}
HEADS: dict[str, DeedKind] = {
    **DEEDS,
    "hurl": ATTACK,
    "dash": DEEDS["approach"],
    "head for": DEEDS["go"],
    "shut": DEEDS["open"],
    "fast draw": DEEDS["draw"],
    "wait draw": DEEDS["wait"],
}
"""The actions by what keys begin with."""


def deed_of(what: str) -> DeedKind:
    """The action that a key names; every spell begins like an attack."""
    return ATTACK if what.startswith("cast ") else HEADS[what.removesuffix(" how")]


def doing_of(doing: Doing) -> DeedKind:
    """The action that a person is doing."""
    return HEADS[doing.what]


# --- the options offered ------------------------------------------------------------------------------------------------------


def open_to(rules: Ruleset, fight: Fight, me: Fighter) -> tuple[str, ...]:
    """The keys of everything a person may do, in the order in which they stand in records."""
    moment, holder = Moment.of(rules, fight, me), fight.holder(me.name)
    if holder is not None:
        return ("struggle", *(_in_a_hold(moment, holder) if holder in moment.near and fight.able(rules, me) else ()), "pass")
    keys: list[str] = []
    for foe in moment.foes:
        for kind in AT_FOES:
            keys.extend(kind.against(moment, foe, foe in moment.near))
    for kind in FIRST:
        keys.extend(kind.keys(moment))
    if not me.body.prone:
        keys.extend(TOGETHER)
    for kind in LAST:
        keys.extend(kind.keys(moment))
    return tuple(dict.fromkeys(keys))


def _in_a_hold(moment: Moment, holder: Fighter) -> Iterator[str]:
    """Lists the other actions of a person who is held: strike the holder, with a long weapon as with a club, bear them down, throw them, or
    take a shorter weapon (book line 908); or nothing but strike with a short one (ruling in-a-hold)."""
    me = moment.me
    free = moment.rules.word("in-a-hold") == "arm's length"
    if me.arm.use == "melee" and not me.bound_with and (free or me.arm.length <= SHORT):
        yield f"attack:{holder.name}"
    if not free:
        return
    for kind in CLOSE:
        yield from kind.against(moment, holder, near=True)
    for kind in AT_HAND:
        yield from kind.keys(moment)


@cached(20_000)
def deeds(keys: tuple[str, ...]) -> tuple[Option[str], ...]:
    """The keys of actions as options."""
    return tuple([_option(key) for key in keys])


def _option(key: str) -> Option[str]:
    if key in TOGETHER:
        return Option(key, TOGETHER_LABELS[key], key, verb="guard")
    what, _, target = key.partition(":")
    kind = deed_of(what)
    return Option(key, kind.label(what, target), key, verb=kind.verb)


# --- doing it -----------------------------------------------------------------------------------------------------------------


def begin(chosen: Chosen, fight: Fight) -> Play[Fight]:
    """Begin a chosen action; a person who does not move stands still."""
    kind = deed_of(chosen.what)
    return kind.begin(chosen, fight if kind.on_the_move else fight.change(chosen.name, pace="no move"))


def take_effect(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter) -> Play[Fight]:
    """Applies the action that a person was in; `then` is how they were when the count began."""
    assert then.doing is not None
    fight = yield from doing_of(then.doing).effect(Due(rules, name, now, then, then.doing), fight)
    return (yield from done(rules, fight, name, now, then.doing))


def done(rules: Ruleset, fight: Fight, name: str, now: int, doing: Doing) -> Play[Fight]:
    """End an action, unless the person has started another one meanwhile."""
    me = fight.fighter(name)
    if me.doing != doing:
        return fight
    if not me.body.awake:
        return fight.change(name, doing=None)
    return (yield from doing_of(doing).ends(Due(rules, name, now, me, doing), fight))
