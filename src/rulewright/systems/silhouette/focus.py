"""A blow by itself: of a whole fight, the part that one person's attack at arm's length depends on, and what it changes put back.

Many fights hold the same blow: somebody with these skills, as wounded, strikes at somebody like that. Seen by itself, without names
and places, it comes again and again, so that its odds can be remembered.
"""

from functools import lru_cache, partial
from math import hypot

from msgspec.structs import replace

from rulewright.encounter import Focus, someone_of
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.blows import land, strikers
from rulewright.systems.silhouette.facing import by_the_map
from rulewright.systems.silhouette.fighters import Closing, Fight, Fighter, Landing, Moment, Opening, Profile, Todo, gaits_of, reach_of
from rulewright.systems.silhouette.injury import OPEN_ENDED, Patient
from rulewright.systems.silhouette.movement import DOWN
from rulewright.systems.silhouette.moving import CLOSE_UP, rate_of
from rulewright.systems.silhouette.turns import begin_turn, end_turn, go_on_or_end


def focus(rules: Ruleset, fight: Fight) -> Focus[Fight] | None:
    """The next turn with nobody but the one who acts and the nearest enemy, up to where others may have a part in it.

    None where more than a blow may come of it. What is left out cannot matter to a blow: who they are, how they come within reach,
    allies, other enemies (of those who attacked the target before, their number is kept), and what a guard against several opponents
    at once would cost, which no local tactic takes.
    """
    if not fight.queue or fight.turn is not None or fight.todo or fight.late or fight.zones or fight.delayed or fight.ambush_open:
        return None
    if fight.commands or fight.swayed or rules.word("reality") == "cinematic" or rules.on("acting-tough-anywhere") or by_the_map(rules):
        return None
    group, rest = fight.queue[0], fight.queue[1:]
    if len(group) > 1:  # as when their first turn begins
        frozen = fight.frozen or tuple([Moment(name, fight.fighter(name).body) for name in group])
        fight = replace(fight, frozen=frozen, queue=(*[(each,) for each in group[1:]], *rest))
    else:
        fight = replace(fight, queue=rest)
    actor = fight.fighter(group[0])
    weapon = actor.weapon
    if not actor.in_hand or weapon.fires is not None or weapon.magazine or not weapon.close or "dropped" in actor.gone:
        return None
    if actor.pace in DOWN or actor.pace == "climbing" or actor.confused or actor.ordered or not fight.acting_body(actor).able:
        return None
    reach = reach_of(rules, actor.profile, weapon)
    found = _nearest(fight, actor)
    if found is None:
        return None
    target, metres = found
    near, goal = float(reach), (actor.x, actor.y)
    if metres > reach:
        shift = _closing_in(rules, fight, actor, target, metres)
        if shift is None:
            return None
        near, goal = shift
    body = fight.acting_body(actor)
    if body.snared is not None or body.stable_flesh or body.stable_deep:
        return None
    if body.emergency_dice != actor.body.emergency_dice:
        return None
    shown = _acting(actor, body, target.profile.name), _standing(target, actor.profile.name, near)
    called, foe = shown[0].profile.name, shown[1].profile.name
    moments = [Moment(foe, replace(m.body, name=foe)) for m in fight.frozen if m.name == target.profile.name]
    small = Fight(fight.ground, shown, 1, 50, ((foe,), (called,)), tuple(moments))
    return Focus(small, partial(_blow, rules), lambda after: _put_back(rules, fight, actor, goal, target, small, after))


def _closing_in(rules: Ruleset, fight: Fight, actor: Fighter, target: Fighter, metres: float) -> tuple[float, tuple[float, float]] | None:
    """A distance as good as the true one to walk or run up to somebody, and where that leads.

    None where the way is too far or wet, or where somebody else is nearer in the end.
    """
    if fight.ground.water != "dry" or actor.pinned:
        return None
    farthest = _farthest(rules, actor.profile, fight.acting_body(actor))
    near = next((far for far in farthest if metres <= far), None)
    if near is None:
        return None
    step = metres - CLOSE_UP
    x = round(actor.x + (target.x - actor.x) / metres * step, 2)
    y = round(actor.y + (target.y - actor.y) / metres * step, 2)
    left = hypot(target.x - x, target.y - y) + 0.1
    side = actor.profile.side
    for other in fight.fighters:
        if other is not target and other.profile.side != side and hypot(other.x - x, other.y - y) <= left:
            return None
    return near, (x, y)


@lru_cache(maxsize=10_000)
def _farthest(rules: Ruleset, profile: Profile, body: Patient) -> tuple[float, ...]:
    """How far off somebody may be whom one walks up to, and whom one runs up to, in one turn; where both are less than that, neither."""
    gaits = gaits_of(rules, profile, body)
    if "running" not in gaits:
        return ()
    walk, run = rate_of(rules, profile, "walking") + CLOSE_UP, rate_of(rules, profile, "running") + CLOSE_UP
    return (min(walk, profile.sprint / 3 + 0.9), run) if walk >= profile.sprint / 3 + 0.9 else ()


def _nearest(fight: Fight, actor: Fighter) -> tuple[Fighter, float] | None:
    """The nearest enemy and how far off, if nobody is there who might come in between."""
    nearest, least = None, 0.0
    side, x, y = actor.profile.side, actor.x, actor.y
    for fighter in fight.fighters:
        body = fighter.body
        if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.left_for_dead or fighter.eased != (0, 0):
            return None
        if body.unconscious == OPEN_ENDED or body.acted_tough or body.genre or fighter.exposed_to:
            return None
        if fighter.profile.side != side and fight.in_it(fighter):
            metres = hypot(fighter.x - x, fighter.y - y)
            if nearest is None or metres < least:
                nearest, least = fighter, metres
    return (nearest, least) if nearest is not None else None


def _blow(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The turn of the first of two, until its blow has landed: what comes after that may be for others too."""
    fight = yield from begin_turn(rules, fight, fight.fighters[0].profile.name)
    while fight.todo and isinstance(fight.todo[0], Landing):
        fight = yield from land(rules, replace(fight, todo=fight.todo[1:]), fight.todo[0])
    return fight


# --- the two of them ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1_000)
def _nameless(profile: Profile) -> Profile:
    return replace(profile, name=someone_of(profile.side))


@lru_cache(maxsize=50_000)
def _acting(actor: Fighter, body: Patient, target: str) -> Fighter:
    """Who strikes, with the body of the moment: nothing but Emergency Dice changes about it in one's own turn."""
    profile = _nameless(actor.profile)
    return replace(
        actor,
        profile=profile,
        body=replace(body, name=profile.name),
        x=0.0,
        y=0.0,
        pace="stationary",
        covering_ground=False,
        aim_at=_called(actor.aim_at, target),
        attacked_by=(),
        struck_freely=False,
    )


def _called(name: str, target: str) -> str:
    return "" if not name else "the target" if name == target else "somebody else"


@lru_cache(maxsize=50_000)
def _standing(target: Fighter, actor: str, metres: float) -> Fighter:
    """The target with as many opponents before this one as there were, for whom the defense gives way."""
    profile = _nameless(target.profile)
    before = target.attacked_by
    others = tuple([f"opponent {at}" for at in range(before.index(actor) if actor in before else len(before))])
    return replace(
        target,
        profile=profile,
        body=replace(target.body, name=profile.name),
        x=metres,
        y=0.0,
        aim_at=_called(target.aim_at, actor),
        attacked_by=others,
        confused=False,
        struck_freely=False,
        refocused=False,
        pinned=0,
        ordered=0,
    )


# --- back into the whole fight ------------------------------------------------------------------------------------------------


def _put_back(
    rules: Ruleset, fight: Fight, actor: Fighter, goal: tuple[float, float], target: Fighter, small: Fight, after: Fight
) -> Fight:
    """The whole fight after what the two of them did: the turn is over, unless others may strike because of it."""
    name, foe = actor.profile.name, target.profile.name
    one = _acted(actor, goal, small.fighters[0], after.fighters[0])
    other = _met(target, small.fighters[1], after.fighters[1], name)
    fighters = tuple([one if f is actor else other if f is target else f for f in fight.fighters])
    if after.turn is None:
        return end_turn(rules, replace(fight, fighters=fighters), name)
    fight = replace(fight, fighters=fighters, turn=replace(after.turn, name=name))
    todo: list[Todo] = []
    for item in after.todo:
        if isinstance(item, Opening):
            opening = replace(item, who=name if item.who == small.fighters[0].profile.name else foe)
            if strikers(rules, fight, opening):
                todo.append(opening)
        elif todo:
            todo.append(item)
        else:
            assert isinstance(item, Closing)
            return go_on_or_end(rules, fight, item.kind)
    return replace(fight, todo=tuple(todo))


@lru_cache(maxsize=50_000)
def _acted(before: Fighter, goal: tuple[float, float], acting: Fighter, acted: Fighter) -> Fighter:
    if acted is acting and before.pace == "stationary" and not before.covering_ground:
        return before
    body, dice = before.body, acted.body.emergency_dice
    x, y = (before.x, before.y) if acted.x == acting.x else goal
    return replace(
        acted,
        profile=_profile(before, acting, acted),
        body=body if body.emergency_dice == dice else replace(body, emergency_dice=dice),
        x=x,
        y=y,
        aim_at=before.aim_at if acted.aim_at else "",
        attacked_by=before.attacked_by,
        struck_freely=before.struck_freely,
    )


@lru_cache(maxsize=50_000)
def _met(before: Fighter, standing: Fighter, met: Fighter, attacker: str) -> Fighter:
    if met == standing:
        return before
    attacked = len(met.attacked_by) > len(standing.attacked_by) and attacker not in before.attacked_by
    return replace(
        met,
        profile=_profile(before, standing, met),
        body=before.body if met.body == standing.body else replace(met.body, name=before.body.name),
        x=before.x,
        y=before.y,
        aim_at=before.aim_at if met.aim_at else "",
        attacked_by=(*before.attacked_by, attacker) if attacked else before.attacked_by,
        confused=before.confused,
        struck_freely=before.struck_freely,
        refocused=before.refocused,
        pinned=before.pinned,
        ordered=before.ordered,
    )


def _profile(before: Fighter, small: Fighter, after: Fighter) -> Profile:
    """A shield that was hewn at is the only thing about a profile that a blow changes."""
    same = after.profile == small.profile
    return before.profile if same else replace(before.profile, shield=after.profile.shield)
