"""Attack excerpts: the part of a fight that one close attack depends on, and the merging of its result.

Many fights contain the same attack: someone with these skills and wounds attacks someone like that. Without names
and places it recurs often, so that its odds can be cached. What is left out cannot matter: who they are, how they
come within reach, allies, other enemies (the number of earlier attackers of the target is kept), and the cost of a guard against
several opponents at once, which no local tactic uses.
"""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scene import someone_of
from rulewright.systems.silhouette.action.movement import DOWN, GAITS, close_combat_pace
from rulewright.systems.silhouette.attacks.close_attacks import land, strikers
from rulewright.systems.silhouette.attacks.facing import by_the_map
from rulewright.systems.silhouette.combat.fighters import (
    Closing,
    Fight,
    Fighter,
    Ground,
    Landing,
    Moment,
    Opening,
    Profile,
    Todo,
    gaits_of,
    reach_of,
)
from rulewright.systems.silhouette.combat.stances import defends_openly
from rulewright.systems.silhouette.fight.moves import CLOSE_UP, rate_of
from rulewright.systems.silhouette.fight.turns import begin_turn, go_on, go_on_or_end
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient


@cached(50_000)
def brought_down(rules: Ruleset, fighter: Fighter) -> Fighter:
    """The fighter, brought down if the wounds were bad enough."""
    after = fighter.with_body(rules, fighter.body)
    return fighter if after == fighter else after


@cached(100)
def plain(rules: Ruleset) -> bool:
    """Whether a turn begins without Special Effects and acting tough, and nobody's back matters."""
    return rules.word("reality") != "cinematic" and not rules.on("acting-tough-anywhere") and not by_the_map(rules)


@cached(50_000)
def meddles(fighter: Fighter) -> bool:
    """Whether a fighter might intervene, or has a roll of their own to make first."""
    body = fighter.body
    if fighter.profile.plan.beast or fighter.profile.plan.ways:
        return True
    if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.left_for_dead or fighter.eased != (0, 0):
        return True
    return body.unconscious == OPEN_ENDED or body.acted_tough or bool(body.genre or fighter.exposed_to)


@cached(50_000)
def reach_in_hand(rules: Ruleset, actor: Fighter) -> float:
    """The reach of a fighter whose best option is to strike with the weapon in hand; 0 for all others."""
    weapon, at = actor.weapon, actor.in_hand
    if not at or weapon.fires is not None or weapon.magazine or not weapon.close or "dropped" in actor.gone:
        return 0.0
    if actor.pace == "climbing" or actor.ordered or (actor.confused and (actor.aim or actor.unready[at])):
        return 0.0
    return float(reach_of(rules, actor.profile, weapon))


@cached(10_000)
def farthest(rules: Ruleset, profile: Profile, body: Patient) -> tuple[float, ...]:
    """The distances that a fighter can walk up to, and go up to as fast as possible without sprinting, in one turn."""
    gaits = [gait for gait in gaits_of(rules, profile, body) if gait != "sprinting"]
    slow = profile.sprint / 3 + CLOSE_UP  # a short distance is walked
    if "walking" not in gaits or rate_of(rules, profile, "walking") + CLOSE_UP < slow:
        return ()
    return slow, rate_of(rules, profile, max(gaits, key=GAITS.index)) + CLOSE_UP


# --- the excerpt --------------------------------------------------------------------------------------------------------------


class Two(Struct, frozen=True, cache_hash=True, gc=False):
    """An attack by itself: attacker, target, and the body that the target defends with; that of the moment's start if it shares one."""

    ground: Ground
    actor: Fighter
    target: Fighter
    able: Patient


def blow(rules: Ruleset, two: Two) -> Play[Fight]:
    """The turn of the first of two, until the other is down or others may strike because of it.

    Nobody falls in it: that comes when the moment is over.
    """
    called, foe = two.actor.profile.name, two.target.profile.name
    fight = Fight(two.ground, (two.actor, two.target), 1, 50, ((foe,), (called,)), (Moment(foe, two.able),))
    fight = yield from begin_turn(rules, fight, called)
    while fight.turn is not None:
        if not fight.todo:
            if not fight.fighters[1].body.able:
                break
            fight = yield from go_on(rules, fight, fight.turn)
            continue
        item, rest = fight.todo[0], replace(fight, todo=fight.todo[1:])
        if isinstance(item, Landing):
            fight = yield from land(rules, rest, item)
        elif isinstance(item, Closing):
            fight = go_on_or_end(rules, rest, item.kind)
        else:
            break
    return fight


def alone(rules: Ruleset, ground: Ground, actor: Fighter) -> Play[Fight]:
    """The turn of a fighter without any enemy left."""
    fight = yield from begin_turn(rules, Fight(ground, (actor,), 1, 50), actor.profile.name)
    while fight.turn is not None and not fight.todo:
        fight = yield from go_on(rules, fight, fight.turn)
    return fight


@cached(1_000)
def nameless(profile: Profile) -> Profile:
    """A profile without its name."""
    return replace(profile, name=someone_of(profile.side))


@cached(50_000)
def _shared(fighter: Fighter) -> Fighter:
    """The same fighter as one shared object, so that cache lookups need not compare every field."""
    return fighter


@cached(50_000)
def unnamed(body: Patient, name: str) -> Patient:
    """A body without a name of its own."""
    return replace(body, name=name)


@cached(50_000)
def shown_acting(actor: Fighter, body: Patient, aim_at: str) -> Fighter:
    """The attacker, with the body of the moment: only Emergency Dice change in one's own turn."""
    profile = nameless(actor.profile)
    return _shared(
        replace(
            actor,
            profile=profile,
            body=unnamed(body, profile.name),
            x=0.0,
            y=0.0,
            pace="prone" if actor.pace in DOWN else "stationary",
            covering_ground=False,
            aim_at=aim_at,
            attacked_by=(),
            struck_freely=False,
        )
    )


def named_for(name: str, target: str) -> str:
    """Returns "the target" or "somebody else" in place of the name of the person aimed at; empty if there is none."""
    return "" if not name else "the target" if name == target else "somebody else"


@cached(50_000)
def shown_target(rules: Ruleset, target: Fighter, others: int, metres: float, aim_at: str) -> Fighter:
    """The target with the number of earlier attackers, which lowers its defense."""
    profile = nameless(target.profile)
    footwork = close_combat_pace(target.pace, target.covering_ground) == "walking" and not defends_openly(rules, target.stance)
    return _shared(
        replace(
            target,
            profile=profile,
            body=unnamed(target.body if target.body.able else put_out(target.body), profile.name),
            x=metres,
            y=0.0,
            pace="stationary" if footwork else target.pace,
            aim_at=aim_at,
            attacked_by=tuple([f"opponent {at}" for at in range(others)]),
            confused=False,
            struck_freely=False,
            refocused=False,
            pinned=0,
            ordered=0,
        )
    )


def put_out(body: Patient) -> Patient:
    """A canonical body out of the fight: which wounds brought it down does not matter to any attack."""
    return replace(
        body,
        flesh=0,
        deep=0,
        stable_flesh=0,
        stable_deep=0,
        bruised_flesh=0,
        bruised_deep=0,
        limbs=(),
        unconscious=1,
        coma=False,
        trauma=None,
        dead=False,
        doomed=False,
        spared=False,
        shaken=False,
    )


# --- merging the result -------------------------------------------------------------------------------------------------------


def go_on_whole(rules: Ruleset, fight: Fight, name: str, foe: str, *, called: str, after: Fight) -> Fight:
    """The whole fight after an attack because of which others may strike, or after which the turn continues."""
    assert after.turn is not None
    fight = replace(fight, turn=replace(after.turn, name=name))
    todo: list[Todo] = []
    for item in after.todo:
        if isinstance(item, Opening):
            opening = replace(item, who=name if item.who == called else foe)
            if strikers(rules, fight, opening):
                todo.append(opening)
        elif todo:
            todo.append(item)
        else:
            assert isinstance(item, Closing)
            return go_on_or_end(rules, fight, item.kind)
    return replace(fight, todo=tuple(todo))


@cached(50_000)
def acted_in(before: Fighter, goal: tuple[float, float], acting: Fighter, acted: Fighter) -> Fighter:
    """The attacker, merged into the whole fight."""
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


@cached(50_000)
def met_in(before: Fighter, seen: Fighter, met: Fighter) -> Fighter:
    """The target, merged into the whole fight."""
    after = replace(
        met,
        profile=_profile(before, seen, met),
        body=before.body if met.body == seen.body else replace(met.body, name=before.body.name),
        x=before.x,
        y=before.y,
        pace=before.pace if met.pace == seen.pace else met.pace,
        aim_at=before.aim_at if met.aim_at else "",
        attacked_by=before.attacked_by,
        confused=before.confused,
        struck_freely=before.struck_freely,
        refocused=before.refocused,
        pinned=before.pinned,
        ordered=before.ordered,
    )
    return before if after == before else _shared(after)


def _profile(before: Fighter, small: Fighter, after: Fighter) -> Profile:
    """The profile after an attack: only a damaged shield can change."""
    same = after.profile == small.profile
    return before.profile if same else replace(before.profile, shield=after.profile.shield)
