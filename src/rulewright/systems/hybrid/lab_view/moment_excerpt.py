"""Moment excerpts: the part of a fight that one decision or blow depends on, and merging the result back.

Many fights hold the same decision: a person with this weapon in hand, shaken or not, next to a person like that. And the same blow:
what hinders both, how they stand, with what it is met. How the wound goes depends on all that was suffered before: it is played.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scene import someone_of
from rulewright.systems.hybrid.combat.attack_setup import strike
from rulewright.systems.hybrid.combat.attacks import Parried, landing
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, Ground, Profile, Way, condition_of, hindered
from rulewright.systems.hybrid.fight.actions.registry import done
from rulewright.systems.hybrid.fight.defences import as_met, getting_away, lands, meet
from rulewright.systems.hybrid.fight.timeline import decide
from rulewright.systems.hybrid.harm.damage import SOUND, Blow, Body
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.people.movement import Mode
from rulewright.systems.hybrid.resolution.modifiers import Condition

ANYBODY = Profile("", "", ())
ANYWHERE = Fight(Ground(), ())
FAR_OFF = 1_000_000.0
"""Metres that nobody covers before their next initiative."""


# --- decisions ----------------------------------------------------------------------------------------------------------------


class Deciding(Struct, frozen=True, cache_hash=True):
    """What a decision depends on: who decides, and the nearest enemy.

    What is left out cannot matter to how long a blow takes: others, wounds and weariness, the count. Of wounds a tactic that is local
    may ask whether more than half of the body is gone, and of the way to the nearest enemy whether they are within reach, and no more.
    """

    ground: Ground
    me: Profile
    in_hand: int
    lost: tuple[int, ...]
    points: int
    off_balance: int
    evading: bool
    prone: bool
    shock: str
    shock_mental: bool
    pen: int
    men: int
    mind: Energy
    """What is left for spells."""
    hurt: bool
    foe: Profile
    wields: int
    near: bool
    pace: Mode
    bound: bool


def deciding(rules: Ruleset, ground: Ground, me: Fighter, foe: Fighter, near: bool = True) -> Deciding:
    """The decision of a person whose nearest enemy is within reach, or not: then wounds tell in getting up to speed."""
    body, profile = me.body, nameless(me.profile)
    hurt = 2 * body.pbd < body.pbd_full
    if not near:
        shown = replace(_hurt("", hurt), mind=body.mind)
        less = hinders(rules, replace(body, shock=""), "no move") - hinders(rules, shown, "no move")
        profile = replace(profile, running=profile.running.plus(df=less))
    return Deciding(
        ground,
        profile,
        me.in_hand,
        me.lost,
        me.points,
        off_balance=me.off_balance,
        evading=me.evading,
        prone=body.prone,
        shock=body.shock,
        shock_mental=body.shock_mental,
        pen=body.pen,
        men=body.men,
        mind=body.mind,
        hurt=hurt,
        foe=nameless(foe.profile),
        wields=foe.in_hand,
        near=near,
        pace=me.pace,
        bound=bool(me.bound_with),
    )


def _hurt(name: str, hurt: bool) -> Body:
    """A body of which more than half is gone, or one that is sound."""
    return Body(name, pbd=1 if hurt else SOUND.pbd)


def decided(rules: Ruleset, small: Deciding) -> Play[Fighter]:
    """The person who decides, after the decision, on a clock that starts with it; people out of reach are as far away as possible."""
    me = Fighter(
        small.me,
        replace(
            _hurt(small.me.name, small.hurt),
            mind=small.mind,
            pen=small.pen,
            men=small.men,
            shock=small.shock,
            shock_mental=small.shock_mental,
            prone=small.prone,
        ),
        pace=small.pace,
        points=small.points,
        in_hand=small.in_hand,
        lost=small.lost,
        entered=True,
        aware=True,
        evading=small.evading,
        off_balance=small.off_balance,
        bound_with=small.foe.name if small.bound else "",
    )
    away = 1.0 if small.near else FAR_OFF
    foe = Fighter(small.foe, Body(small.foe.name), x=away, at=1, in_hand=small.wields, entered=True, aware=True)
    after = yield from decide(rules, Fight(small.ground, (me, foe)), me.name, 0)
    return after.fighters[0]


def put_back(fight: Fight, me: Fighter, foe: Fighter, after: Fighter) -> Fight:
    """The whole fight after the decision."""
    doing = after.doing
    assert doing is not None
    body, now = me.body, fight.count
    if after.body.shock != body.shock:
        body = replace(body, shock=after.body.shock, shock_ends=after.body.shock_ends)
    return fight.put(
        replace(
            after,
            profile=me.profile,
            body=body,
            x=me.x,
            y=me.y,
            at=now + after.at,
            late=me.late,
            lies=me.lies,
            inside=me.inside,
            bound_with=me.bound_with,
            ward=me.ward,
            ward_ends=me.ward_ends,
            strain=me.strain,
            doing=replace(doing, target=foe.profile.name if doing.target else "", began=now + doing.began),
        )
    )


# --- blows --------------------------------------------------------------------------------------------------------------------


class Onset(Struct, frozen=True, cache_hash=True):
    """Everything that decides whether a blow lands: attacker and defender, each with one total modifier."""

    ground: Ground
    me: Profile
    arm: int
    ways: tuple[Way, ...]
    called: str
    share: tuple[int, int]
    hindered: int
    stance: tuple[bool, bool, bool]
    """Whether they evade, press, give way."""
    foe: Profile
    wields: int
    lost: tuple[int, ...]
    bears: int
    stands: tuple[bool, bool, bool]
    all_out: Literal["", "body", "mind"]
    prone: bool
    bound: bool
    fooled: bool
    inside: bool
    ward: int


class Came(Struct, frozen=True):
    """How a blow was met, what that took in counts, and the blow that lands where it does."""

    way: str
    took: int
    moved: bool
    blow: Blow | None
    parried: Parried | None


def onset(rules: Ruleset, fight: Fight, me: Fighter, foe: Fighter) -> Onset:
    name, doing = me.profile.name, me.doing
    assert doing is not None
    return Onset(
        fight.ground,
        nameless(me.profile),
        doing.arm,
        doing.ways,
        doing.called,
        share=doing.share,
        hindered=hinders(rules, me.body, me.pace) + me.off_balance,
        stance=(me.evading, me.advancing, me.retreating),
        foe=nameless(foe.profile),
        wields=foe.in_hand,
        lost=foe.lost,
        bears=hinders(rules, foe.body, foe.pace) + foe.off_balance,
        stands=(foe.evading, foe.advancing, foe.retreating),
        all_out=foe.all_out,
        prone=foe.body.prone,
        bound=bool(foe.bound_with),
        fooled=foe.fooled_by == name,
        inside=name in foe.inside,
        ward=foe.ward if fight.count < foe.ward_ends else 0,
    )


def came_of(rules: Ruleset, small: Onset) -> Play[Came]:
    """A blow until it lands or does not."""
    attacker, target = small.me.name, small.foe.name
    first, *others = small.ways or ("",)
    doing = Doing("attack", target, 0, first, small.called, arm=small.arm, share=small.share, also=tuple(others))
    evading, advancing, retreating = small.stance
    me = Fighter(
        small.me,
        Body(attacker),
        doing=doing,
        in_hand=small.arm,
        entered=True,
        aware=True,
        evading=evading,
        advancing=advancing,
        retreating=retreating,
        off_balance=small.hindered,
    )
    evading, advancing, retreating = small.stands
    foe = Fighter(
        small.foe,
        Body(target, prone=small.prone),
        x=1.0,
        in_hand=small.wields,
        lost=small.lost,
        entered=True,
        aware=True,
        evading=evading,
        all_out=small.all_out,
        advancing=advancing,
        retreating=retreating,
        inside=(attacker,) if small.inside else (),
        bound_with=attacker if small.bound else "",
        off_balance=small.bears,
        fooled_by=attacker if small.fooled else "",
        ward=small.ward,
        ward_ends=1,
    )
    fight, arm = Fight(small.ground, (me, foe)), me.arm
    comes = strike(rules, fight, me, foe, doing=doing, arm=arm, now=0)
    met = yield from meet(rules, fight, attacker, target, now=0, arm=arm)
    result = yield from landing(rules, as_met(rules, comes, met, target, now=0, arm=arm), met.answer)
    return Came(met.way, 0 if met.moved else met.fight.fighter(target).at, met.moved, result.blow, result.parried)


def land(rules: Ruleset, fight: Fight, me: Fighter, foe: Fighter, item: Came) -> Play[Fight]:
    """The outcome of a blow, for both: what it took to meet it, the wound, and the next initiative."""
    now, name, doing = fight.count, me.profile.name, me.doing
    assert doing is not None
    if item.moved:
        fight = fight.put(getting_away(rules, foe, now, item.way))
    elif item.took:
        fight = fight.put(replace(foe, at=foe.at + item.took))
    arm = me.profile.arms[doing.arm]
    fight = yield from lands(rules, fight, name, doing.target, now=now, arm=arm, way=item.way, blow=item.blow, parried=item.parried)
    return (yield from done(rules, fight, name, now, doing))


# --- what both look at --------------------------------------------------------------------------------------------------------


def bleeds(number: int, body: Body, count: int, now: int) -> bool:
    """Whether a wound bleeds on between two counts, which it does after so many each."""
    return any((now - since) // number != (count - since) // number for since in body.bleeding)


def next_bleeding(number: int, since: int, count: int) -> int:
    """The first count after this one on which a wound bleeds on that was struck then."""
    return since + ((count - since) // number + 1) * number


@cached(1_000)
def nameless(profile: Profile) -> Profile:
    name = someone_of(profile.side)
    return replace(profile, name=name, watcher=replace(profile.watcher, name=name), senses=replace(profile.senses, name=name))


def hinders(rules: Ruleset, body: Body, pace: Mode) -> int:
    """The penalty of attacker or defender for wounds, shock and pace, without balance and surroundings."""
    return _weighs(rules, condition_of(body), body.shock, pace)


@cached(50_000)
def _weighs(rules: Ruleset, condition: Condition, shock: str, pace: Mode) -> int:
    energy, mind = [replace(SOUND.energy, exhaustion=left) for left in (condition.pex, condition.mex)]
    body = Body(
        pbd=condition.pbd,
        pbd_full=condition.pbd_full,
        energy=energy,
        mbd=condition.mbd,
        mbd_full=condition.mbd_full,
        mind=mind,
        shock=shock,
    )
    return hindered(rules, ANYWHERE, Fighter(ANYBODY, body, pace=pace))
