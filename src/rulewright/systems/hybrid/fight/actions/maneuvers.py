"""Maneuver actions: feints, disarming, throws, holds and escapes (book lines 944-1000, 1129)."""

from typing import ClassVar, cast

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Happened, Play, Reckoned, Scale, Tell, came_to, sub
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.arms import Arm
from rulewright.systems.hybrid.combat.attack_setup import ATTACK, force, manner, tried
from rulewright.systems.hybrid.combat.attack_terms import Tries
from rulewright.systems.hybrid.combat.attacks import Strike, against_defense, release
from rulewright.systems.hybrid.combat.fighters import REACH, Deed, Doing, Fight, Fighter, defense_of, situation, watching
from rulewright.systems.hybrid.combat.initiative import set_up, shortened
from rulewright.systems.hybrid.combat.maneuvers import FEINT as FEINTING
from rulewright.systems.hybrid.combat.maneuvers import (
    THROW,
    deceive,
    disarm,
    grip,
    grip_bonus,
    overbear_strike,
    struggle,
    throw_strike,
    tighten,
)
from rulewright.systems.hybrid.fight.actions.base import Chosen, DeedKind, Due, Keys, Moment, under_way
from rulewright.systems.hybrid.fight.attack_modes import asked_manners, moves_in, timed
from rulewright.systems.hybrid.fight.defences import after_blow, brought, get_inside, meet, notice, strike_at, unbound, without
from rulewright.systems.hybrid.fight.log_events import SIMPLE_COUNTS, About, set_off
from rulewright.systems.hybrid.people.perception import perception_factor
from rulewright.systems.hybrid.resolution.tests import Check, Mod, chance_of, opposing

FEINT = Scale(("fools nobody", "fools somebody"), ("fools somebody",), "fools somebody", "sees through it")
DISARM = Scale(("kept", "disarmed"), ("disarmed",), "disarms", "keeps the weapon")
GRIP = Scale(("no hold", "held"), ("held",), "gets a hold", "stays free")
TIGHTEN = Scale(("no tighter", "tighter"), ("tighter",), "tightens")
STRUGGLE = Scale(("held", "looser", "free"), ("looser", "free"), "gets looser or free")
FREE = Scale(("bound", "free"), ("free",), "comes free", "stays bound")


class Trick(DeedKind):
    """What is tried like a blow, and in the same modes."""

    verb, rolled = "special", True
    armed: ClassVar[bool] = False
    """Whether it is done with the weapon in hand; otherwise with bare hands."""

    def against(self, moment: Moment, foe: Fighter, near: bool) -> Keys:
        return (f"{self.what}:{foe.name}", f"{self.what} how:{foe.name}") if near and self.open(moment.rules, moment.me, foe) else ()

    def open(self, rules: Ruleset, me: Fighter, foe: Fighter) -> bool:
        """Whether it can be tried against a person within reach."""
        return me.arm.use == "melee" and not me.bound_with

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        """Where one says how, the mode is asked for."""
        rules, name, target = chosen.rules, chosen.name, chosen.target
        me, move = fight.fighter(name), cast(Deed, chosen.what.removesuffix(" how"))
        arm, about = me.arm if self.armed else me.fists, About(rules, fight, name, target)
        manners: tuple[str, ...] = ()
        if chosen.what.endswith(" how"):
            manners = yield from asked_manners(about, moves_in(rules, me, fight.fighter(target), arm, move))
        fight, doing, took = yield from timed(about, Doing(move, target, chosen.now), arm, manners)
        return (yield from under_way(rules, fight, name, doing, took=took))


def _manners(rules: Ruleset, me: Fighter, doing: Doing, arm: Arm) -> tuple[Mod, ...]:
    """Returns the modifiers of an action that is no blow, from its mode and from preparing where that counts in the Difficulty Factor."""
    base = arm.by(doing.what)
    prepared = set_up(rules, base, arm.rank).df - base.df if "set up" in doing.ways else 0
    return (*manner(rules, me, doing, arm), Mod("set up", prepared, "hyb-7-setup"))


class Feint(Trick):
    """A deception roll, which everybody within reach may see through."""

    what, armed = "feint", True

    def label(self, what: str, target: str) -> str:
        return super().label(what.replace("feint", "feint at"), target)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        near = [foe for foe in fight.enemies(rules, then) if then.distance(foe) <= REACH and foe.aware]
        factors = [perception_factor(rules, watching(rules, fight, foe)) for foe in near]
        checks = tuple([Check(factor.value) for factor in factors])
        arm = yield from brought(rules, fight, then, then.arm)
        check = tried(rules, fight, then, doing, arm=arm)
        cost = FEINTING.of(rules, "modifier")
        mods = (*_manners(rules, then, doing, arm), Mod("feint", cost, "hyb-8-feint"))
        yield from Tell(
            Tries(name, "a feint", rules, fight, then, base=arm.by("feint"), check=check.plus(df=cost), mods=mods, arm=arm, action="feint")
        )
        feint = yield from sub(deceive, rules, check, checks, name)
        yield from came_to("fools somebody" if any(feint.fooled) else "fools nobody", FEINT, name, doing.target)
        for foe, factor, seen, taken_in in zip(near, factors, checks, feint.fooled, strict=True):
            if feint.success_number:
                made = f"{'falls for' if taken_in else 'sees through'} the feint of {name}"
                opposed = opposing(rules, seen, feint.success_number)
                yield from Tell(Reckoned(foe.name, made, sums=chance_of(rules, opposed, factor.reasons, feint.success_number)))
            if taken_in:
                fight = fight.change(foe.name, fooled_by=name)
                if foe.waiting:
                    fight = yield from set_off(rules, fight, foe.name, due.now)
        return fight


class Disarm(Trick):
    """An opposed roll for the other's weapon."""

    what, armed = "disarm", True

    def open(self, rules: Ruleset, me: Fighter, foe: Fighter) -> bool:
        return super().open(rules, me, foe) and not foe.arm.natural

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        foe = fight.fighter(doing.target)
        if foe.arm.natural or not foe.body.awake or then.distance(foe) > REACH:
            return fight
        fight = yield from notice(rules, fight, foe.name)
        fight, inside = yield from get_inside(rules, fight, name, foe.name, now=due.now, length=then.arm.length)
        if not inside:
            yield from came_to("kept", DISARM, name, foe.name)
            return fight
        arm = yield from brought(rules, fight, then, then.arm)
        own = tried(rules, fight, then, doing, arm=arm)
        foe = fight.fighter(doing.target)
        if foe.arm.natural:
            return fight
        other = foe.arm.check.plus(df=situation(rules, fight, foe, offensive=False))
        mods = _manners(rules, then, doing, arm)
        yield from Tell(
            Tries(name, f"to disarm {foe.name}", rules, fight, then, base=arm.by("disarm"), check=own, mods=mods, arm=arm, action="disarm")
        )
        yield from Tell(
            Tries(
                foe.name, f"to keep {the(foe.arm.name)}", rules, fight, foe, base=foe.arm.check, check=other, offensive=False, arm=foe.arm
            )
        )
        done = yield from sub(disarm, rules, own, other, name, foe.name)
        yield from Tell(Happened(foe.name, f"{'loses' if done else 'keeps'} {the(foe.arm.name)}"))
        yield from came_to("disarmed" if done else "kept", DISARM, name, foe.name)
        return without(fight, foe.name, foe.in_hand) if done else fight


class BareHanded(Trick):
    """Close in, then an attack without a weapon."""

    def open(self, rules: Ruleset, me: Fighter, foe: Fighter) -> bool:
        return me.arm.natural and not me.body.prone and me.holding in ("", foe.name)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        foe = fight.fighter(doing.target)
        if not foe.body.awake or then.distance(foe) > REACH:
            return fight
        fight = yield from notice(rules, fight, foe.name)
        fight, inside = yield from get_inside(rules, fight, name, foe.name, now=due.now, length=0)
        if not inside or not fight.fighter(name).body.awake:
            yield from came_to("kept outside", ATTACK, name, foe.name)
            return fight
        fists = yield from brought(rules, fight, then, then.fists)
        return (yield from self.lay_hands(due, fight, fists, tried(rules, fight, then, doing, arm=fists)))

    def lay_hands(self, due: Due, fight: Fight, fists: Arm, check: Check) -> Play[Fight]:
        """The attack itself, once one is there."""
        rules, then, doing = due.rules, due.then, due.doing
        foe = fight.fighter(doing.target)
        comes = self.strike(due, foe, check)
        warded = foe.ward if due.now < foe.ward_ends else 0
        comes = replace(comes, blow=replace(comes.blow, armour=warded, times=force(rules, doing, fists), called=doing.called))
        why = (then, doing, fists.by(doing.what), self.costs(rules))
        return (yield from strike_at(rules, fight, due.name, foe.name, now=due.now, comes=comes, arm=fists, why=why))

    def strike(self, due: Due, foe: Fighter, check: Check) -> Strike:
        """The attack as it comes."""
        raise NotImplementedError

    def costs(self, rules: Ruleset) -> tuple[Mod, ...]:
        """Returns the penalties of the action beside those of its mode."""
        return ()


class Down(BareHanded):
    """What brings a person to the ground who is not there yet (ruling prone-thrown)."""

    def open(self, rules: Ruleset, me: Fighter, foe: Fighter) -> bool:
        return super().open(rules, me, foe) and (not foe.body.prone or rules.on("prone-thrown"))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        foe = fight.fighter(due.doing.target)
        if foe.body.prone and not due.rules.on("prone-thrown"):
            yield from Tell(Happened(due.name, f"finds {foe.name} on the ground already"))
            yield from came_to("out of reach", ATTACK, due.name, foe.name)
            return fight
        return (yield from super().effect(due, fight))


class Overbear(Down):
    """Bearing a person down."""

    what = "overbear"

    def strike(self, due: Due, foe: Fighter, check: Check) -> Strike:
        gripped, profile = due.then.holding == foe.name, due.then.profile
        return overbear_strike(due.rules, check, defense_of(due.rules, foe, due.now), profile.pse, gripped=gripped, by=due.name)


class Throw(Down):
    """Throwing a person."""

    what = "throw"

    def strike(self, due: Due, foe: Fighter, check: Check) -> Strike:
        gripped, profile = due.then.holding == foe.name, due.then.profile
        return throw_strike(due.rules, check, defense_of(due.rules, foe, due.now), profile.pse, gripped=gripped, by=due.name)

    def costs(self, rules: Ruleset) -> tuple[Mod, ...]:
        return (Mod("throw", THROW.of(rules, "modifier"), "hyb-8-throw"),)


class Grapple(BareHanded):
    """A hand hold; it may be parried like any attack, and there is nothing in it to block or to roll with."""

    what = "grapple"

    def open(self, rules: Ruleset, me: Fighter, foe: Fighter) -> bool:
        return super().open(rules, me, foe) and not me.holding

    def lay_hands(self, due: Due, fight: Fight, fists: Arm, check: Check) -> Play[Fight]:
        rules, name, then, now, target = due.rules, due.name, due.then, due.now, due.doing.target
        met = yield from meet(rules, fight, name, target, now=now, arm=fists, blow=False)
        defense = defense_of(rules, met.fight.fighter(target), now, crouching=met.crouched)
        off = (Mod("defense", -defense, "hyb-8-normal-defense"),) if rules.word("defense-counts") != "percent" else ()
        mods, met_by = (*_manners(rules, then, due.doing, fists), *off), against_defense(rules, check, defense)
        yield from Tell(
            Tries(
                name,
                f"to grapple {target}",
                rules,
                fight,
                then,
                base=fists.by("grapple"),
                check=met_by,
                mods=mods,
                arm=fists,
                action="grapple",
            )
        )
        got = yield from grip(rules, check, defense, then.body.pst, by=name, against=target, answer=met.answer)
        body = met.fight.fighter(target).body
        yield from came_to("held" if got.hold else "no hold", GRIP, name, target)
        fight = yield from after_blow(rules, met.fight, name, target, now=now, arm=fists, way=met.way, body=body, parried=got.parried)
        return fight.change(name, holding=target, hold=got.hold) if got.hold else fight


class WithFists(DeedKind):
    """What takes as long as a blow with the fist."""

    verb, rolled = "special", True

    def counts(self, rules: Ruleset, me: Fighter) -> tuple[int, int]:
        sped = shortened(rules, me.fists.speed, me.points, me.fists.rank)
        return sped.counts, sped.points


class Tighten(WithFists):
    """A better hold."""

    what = "tighten"

    def keys(self, moment: Moment) -> Keys:
        return ("tighten", "let go") if moment.me.holding else ()

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name = due.rules, due.name
        me = fight.fighter(name)
        if not me.holding:
            return fight
        own = me.fists.by("tighten")
        check = own.plus(df=situation(rules, fight, me))
        eased = check.plus(df=grip_bonus(rules).value)
        yield from Tell(
            Tries(
                name,
                f"to tighten the hold on {me.holding}",
                rules,
                fight,
                me,
                base=own,
                check=eased,
                mods=(grip_bonus(rules),),
                arm=me.fists,
                action="tighten",
            )
        )
        hold = yield from tighten(rules, check, me.hold, me.body.pst, name, against=me.holding)
        yield from came_to("tighter" if hold > me.hold else "no tighter", TIGHTEN, name, me.holding)
        return fight.change(name, hold=hold)


class Struggle(WithFists):
    """Against a person's hold."""

    what = "struggle"

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then = due.rules, due.name, due.then
        holder = fight.holder(name)
        if holder is None:
            return fight
        check = then.fists.by("struggle").plus(df=situation(rules, fight, then))
        yield from Tell(
            Tries(
                name,
                f"to break the hold of {holder.name}",
                rules,
                fight,
                then,
                base=then.fists.by("struggle"),
                check=check,
                arm=then.fists,
                action="struggle",
            )
        )
        left = yield from struggle(rules, check, holder.hold, name)
        yield from Tell(Happened(name, "is free" if not left else f"is still held ({left})"))
        yield from came_to("free" if not left else "looser" if left < holder.hold else "held", STRUGGLE, name, holder.name)
        return fight.change(holder.name, hold=left, holding=holder.holding if left else "")


class LetGo(DeedKind):
    """The hold is given up; it is offered together with tightening it."""

    what, verb, at_once, takes = "let go", "special", True, 1

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        text = due.then.holding
        yield from Tell(Happened(due.name, f"lets go of {text}"))
        fight = fight.change(due.name, holding="", hold=0)
        return fight.change(text, at=max(fight.fighter(text).at, due.now + SIMPLE_COUNTS)) if text else fight


class Free(DeedKind):
    """A bound weapon is freed."""

    what, verb, rolled, words = "free", "special", True, "free the bound weapon"

    def keys(self, moment: Moment) -> Keys:
        return ("free",) if moment.me.bound_with else ()

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name = due.rules, due.name
        me = fight.fighter(name)
        if not me.bound_with:
            return fight
        foe = fight.fighter(me.bound_with)
        loose = not foe.body.awake
        if not loose:
            own = me.arm.by("free").plus(df=situation(rules, fight, me))
            yield from Tell(
                Tries(name, f"to free {the(me.arm.name)}", rules, fight, me, base=me.arm.by("free"), check=own, arm=me.arm, action="free")
            )
            loose = yield from sub(release, rules, own, foe.arm.check.plus(df=situation(rules, fight, foe)), name, foe.name)
        yield from Tell(Happened(name, f"{'frees' if loose else 'cannot free'} {the(me.arm.name)}"))
        yield from came_to("free" if loose else "bound", FREE, name, foe.name)
        return unbound(fight, name, foe.name) if loose else fight
