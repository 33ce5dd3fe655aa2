"""Blows by themselves: of a whole fight, the part that one person's attack at arm's length depends on, and what it changes put back.

Many fights hold the same blow: somebody with these skills, as wounded, strikes at somebody like that. Seen by itself, without names
and places, it comes again and again, so that its odds can be remembered. What is left out cannot matter to it: who they are, how they
come within reach, allies, other enemies (of those who attacked the target before, their number is kept), and what a guard against
several opponents at once would cost, which no local tactic takes.
"""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Play
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


@lru_cache(maxsize=50_000)
def brought_down(rules: Ruleset, fighter: Fighter) -> Fighter:
    """Somebody brought down by what befell them, if it was bad enough."""
    after = fighter.with_body(rules, fighter.body)
    return fighter if after == fighter else after


@lru_cache(maxsize=100)
def plain(rules: Ruleset) -> bool:
    """Whether a turn begins without Special Effects and acting tough, and nobody cares who is at whose back."""
    return rules.word("reality") != "cinematic" and not rules.on("acting-tough-anywhere") and not by_the_map(rules)


@lru_cache(maxsize=50_000)
def meddles(fighter: Fighter) -> bool:
    """Whether somebody might come in between, or has a roll of their own to make first."""
    body = fighter.body
    if fighter.profile.plan.beast or fighter.profile.plan.ways:
        return True
    if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.left_for_dead or fighter.eased != (0, 0):
        return True
    return body.unconscious == OPEN_ENDED or body.acted_tough or bool(body.genre or fighter.exposed_to)


@lru_cache(maxsize=50_000)
def reach_in_hand(rules: Ruleset, actor: Fighter) -> float:
    """How far somebody strikes who can do nothing better than that with what is in hand; 0 for all others."""
    weapon, at = actor.weapon, actor.in_hand
    if not at or weapon.fires is not None or weapon.magazine or not weapon.close or "dropped" in actor.gone:
        return 0.0
    if actor.pace == "climbing" or actor.ordered or (actor.confused and (actor.aim or actor.unready[at])):
        return 0.0
    return float(reach_of(rules, actor.profile, weapon))


@lru_cache(maxsize=10_000)
def farthest(rules: Ruleset, profile: Profile, body: Patient) -> tuple[float, ...]:
    """How far off somebody may be whom one walks up to, and whom one goes up to as fast as one can short of a sprint, in one turn."""
    gaits = [gait for gait in gaits_of(rules, profile, body) if gait != "sprinting"]
    slow = profile.sprint / 3 + CLOSE_UP  # a short way is walked
    if "walking" not in gaits or rate_of(rules, profile, "walking") + CLOSE_UP < slow:
        return ()
    return slow, rate_of(rules, profile, max(gaits, key=GAITS.index)) + CLOSE_UP


# --- the two of them ----------------------------------------------------------------------------------------------------------


class Two(Struct, frozen=True, cache_hash=True, gc=False):
    """A blow by itself: who strikes, at whom, and the body that the target defends with; that of a moment ago, where it shares one."""

    ground: Ground
    actor: Fighter
    target: Fighter
    able: Patient


def blow(rules: Ruleset, two: Two) -> Play[Fight]:
    """The turn of the first of two, until the other is down or others may strike because of it.

    Nobody falls in it: that comes afterwards, as soon as the moment is over.
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
    """The turn of somebody of whom nobody is left to strike at."""
    fight = yield from begin_turn(rules, Fight(ground, (actor,), 1, 50), actor.profile.name)
    while fight.turn is not None and not fight.todo:
        fight = yield from go_on(rules, fight, fight.turn)
    return fight


@lru_cache(maxsize=1_000)
def nameless(profile: Profile) -> Profile:
    """What somebody is, whatever they are called."""
    return replace(profile, name=someone_of(profile.side))


@lru_cache(maxsize=50_000)
def _one(fighter: Fighter) -> Fighter:
    """The same person as one object wherever it comes from: what is remembered of it is then found without comparing every field."""
    return fighter


@lru_cache(maxsize=50_000)
def unnamed(body: Patient, name: str) -> Patient:
    """A body of somebody without a name of their own."""
    return replace(body, name=name)


@lru_cache(maxsize=50_000)
def shown_acting(actor: Fighter, body: Patient, aim_at: str) -> Fighter:
    """Who strikes, with the body of the moment: nothing but Emergency Dice changes about it in one's own turn."""
    profile = nameless(actor.profile)
    return _one(
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
    """What is kept of whom somebody aims at."""
    return "" if not name else "the target" if name == target else "somebody else"


@lru_cache(maxsize=50_000)
def shown_target(rules: Ruleset, target: Fighter, others: int, metres: float, aim_at: str) -> Fighter:
    """The target with as many opponents before this one as there were, for whom the defense gives way."""
    profile = nameless(target.profile)
    footwork = close_combat_pace(target.pace, target.covering_ground) == "walking" and not defends_openly(rules, target.stance)
    return _one(
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
    """A body out of the fight, in one way for all: which wounds brought it down does not matter to anybody's blow."""
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


# --- back into the whole fight ------------------------------------------------------------------------------------------------


def go_on_whole(rules: Ruleset, fight: Fight, name: str, foe: str, *, called: str, after: Fight) -> Fight:
    """The whole fight after a blow because of which others may strike, or after which the turn goes on."""
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


@lru_cache(maxsize=50_000)
def acted_in(before: Fighter, goal: tuple[float, float], acting: Fighter, acted: Fighter) -> Fighter:
    """Who struck, back in the whole fight."""
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
def met_in(before: Fighter, seen: Fighter, met: Fighter) -> Fighter:
    """Who was struck at, back in the whole fight."""
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
    return before if after == before else _one(after)


def _profile(before: Fighter, small: Fighter, after: Fighter) -> Profile:
    """A shield that was hewn at is the only thing about a profile that a blow changes."""
    same = after.profile == small.profile
    return before.profile if same else replace(before.profile, shield=after.profile.shield)
