"""Attacks with what is in hand, thrown weapons and spells (book lines 910-928, 1002-1065)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Happened, Play, Scale, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, total
from rulewright.systems.hybrid.combat.arms import Arm, range_modifier
from rulewright.systems.hybrid.combat.attack_setup import ATTACK, strike
from rulewright.systems.hybrid.combat.attack_terms import Tries
from rulewright.systems.hybrid.combat.attacks import off_hand
from rulewright.systems.hybrid.combat.fighters import REACH, Doing, Fight, Fighter, situation
from rulewright.systems.hybrid.combat.initiative import set_up
from rulewright.systems.hybrid.fight.actions.base import Chosen, DeedKind, Due, Keys, Moment, under_way
from rulewright.systems.hybrid.fight.attack_modes import asked_manners, other_hand, timed, ways
from rulewright.systems.hybrid.fight.defences import brought, get_inside, notice, strike_at, without
from rulewright.systems.hybrid.fight.log_events import About
from rulewright.systems.hybrid.harm.energy import affords, exert
from rulewright.systems.hybrid.resolution.modifiers import florentine
from rulewright.systems.hybrid.resolution.tests import Mod, effect, rounding, skill_check

TOO_FAR = -20
"""Nothing is thrown, shot or cast where range costs this much."""
CASTING = Scale(("in vain", "works"), ("works",), "works")


def _reaches(me: Fighter, arm: Arm, foe: Fighter) -> bool:
    return range_modifier(arm, me.distance(foe)) > TOO_FAR


class Attack(DeedKind):
    """A blow, a shot, a weapon thrown, or a spell that harms."""

    what, verb, rolled = "attack", "attack", True

    def against(self, moment: Moment, foe: Fighter, near: bool) -> Keys:
        me, arm, name = moment.me, moment.me.arm, foe.name
        if not me.bound_with and (near if arm.use == "melee" else _reaches(me, arm, foe)):
            yield from (f"attack:{name}", f"attack how:{name}")
        if not me.bound_with and arm.thrown is not None and _reaches(me, arm.hurled(), foe):
            yield from (f"hurl:{name}", f"hurl how:{name}")
        for spell in me.profile.arms:
            if spell.use == "spell" and not spell.helps and _reaches(me, spell, foe) and affords(moment.rules, me.body.mind, spell.cost):
                yield from _cast_on(spell, foe)

    def label(self, what: str, target: str) -> str:
        if what.startswith("hurl"):
            return f"throw the weapon at {target}{': choose how' if what == 'hurl how' else ''}"
        if what.startswith("cast "):
            spell = what.removeprefix("cast ").removeprefix("how ")
            return f"cast {spell} on {target}{': choose how' if what.startswith('cast how ') else ''}"
        return super().label(what, target)

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        """Where one says how, the mode is asked for."""
        rules, name, what, target = chosen.rules, chosen.name, chosen.what, chosen.target
        me = fight.fighter(name)
        how = what.startswith("cast how ") or what.endswith(" how")
        place = me.place(what.removeprefix("cast how " if how else "cast ")) if what.startswith("cast ") else me.in_hand
        doing = Doing("attack", target, chosen.now, arm=place, hurled=what.startswith("hurl"))
        arm, about = me.uses(doing), About(rules, fight, name, target)
        manners = (yield from asked_manners(about, ways(rules, me, fight.fighter(target), arm))) if how else ()
        fight, doing, took = yield from timed(about, doing, arm, manners)
        if arm.helps:
            return (
                yield from under_way(
                    rules,
                    fight,
                    name,
                    replace(doing, what="cast"),
                    took=took,
                    words=f"casts {arm.name}{'' if target == name else f' on {target}'}",
                )
            )
        words = f"throws {the(arm.name)} at {target}" if doing.hurled else f"attacks {target} with {the(arm.name)}"
        return (yield from under_way(rules, fight, name, doing, took=took, words=words))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        arm, foe = then.uses(doing), fight.fighter(doing.target)
        lost = not fight.sees(then, foe)
        if not foe.body.awake or lost or (arm.use == "melee" and then.distance(foe) > REACH):
            why = "already down" if not foe.body.awake else "out of sight" if lost else "out of reach"
            yield from Tell(Happened(name, f"finds {foe.name} {why}"))
            yield from came_to("out of reach", ATTACK, name, foe.name)
            return fight
        fight = yield from notice(rules, _paid(rules, fight, name, arm), foe.name)
        if arm.use == "melee":
            fight, inside = yield from get_inside(rules, fight, name, foe.name, now=due.now, length=arm.length)
            if not inside:
                yield from came_to("kept outside", ATTACK, name, foe.name)
                return fight
        arm = yield from brought(rules, fight, then, arm)
        fight = yield from _blow(due, fight, arm, 0)
        other = other_hand(then)
        if "both hands" in doing.ways and other is not None and fight.fighter(doing.target).body.awake:
            pair = florentine(rules)
            more = pair.second.value - pair.first.value + off_hand(rules, then.profile.ambidextrous).value
            second = yield from brought(rules, fight, then, then.profile.arms[other])
            fight = yield from _blow(due, fight, second, more)
        if arm.use != "thrown":
            return fight
        there = fight.fighter(doing.target)
        return without(fight, name, doing.arm, (there.x, there.y))


def _paid(rules: Ruleset, fight: Fight, name: str, arm: Arm) -> Fight:
    """Casting costs mental fatigue, whatever its outcome."""
    body = fight.fighter(name).body
    return fight.change(name, body=replace(body, mind=exert(rules, body.mind, arm.cost))) if arm.cost else fight


def _blow(due: Due, fight: Fight, arm: Arm, more: int) -> Play[Fight]:
    """One blow of an attack; with the second hand it costs more."""
    foe, me = fight.fighter(due.doing.target), replace(due.then, inside=fight.fighter(due.name).inside)
    comes = strike(due.rules, fight, me, foe, doing=due.doing, arm=arm, now=due.now, more=more)
    costs = (Mod("second hand", more, "hyb-2-florentine"),) if more else ()
    return (
        yield from strike_at(due.rules, fight, due.name, foe.name, now=due.now, comes=comes, arm=arm, why=(me, due.doing, arm.check, costs))
    )


def _cast_on(spell: Arm, fighter: Fighter) -> Keys:
    return f"cast {spell.name}:{fighter.name}", f"cast how {spell.name}:{fighter.name}"


def dark(fight: Fight) -> tuple[str, ...]:
    """Lists the surroundings that light would remove."""
    return tuple(name for name in fight.ground.surroundings if name.startswith("visibility"))


class Cast(DeedKind):
    """A spell that harms nobody: a ward, mended wounds, light. It begins as any spell does."""

    what, verb, rolled = "cast", "help", True

    def keys(self, moment: Moment) -> Iterator[str]:
        fight, me = moment.fight, moment.me
        for spell in me.profile.arms:
            if not spell.helps or not affords(moment.rules, me.body.mind, spell.cost):
                continue
            if spell.helps == "light":
                yield from _cast_on(spell, me) if dark(fight) else ()
                continue
            friends = [
                fighter for fighter in fight.fighters if fighter.side == me.side and not fighter.body.dead and me.distance(fighter) <= REACH
            ]
            for friend in friends:
                if spell.helps != "mend" or friend.body.pbd < friend.body.pbd_full or friend.body.bleeding:
                    yield from _cast_on(spell, friend)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        """A check of the mind, and what it does times the effect of its degree."""
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        spell = then.profile.arms[doing.arm]
        fight = _paid(rules, fight, name, spell)
        ready = set_up(rules, spell.check, spell.rank) if "set up" in doing.ways else spell.check
        check = ready.plus(df=situation(rules, fight, then, None, "mental")).shared(*doing.share)
        prepared = (Mod("set up", ready.df - spell.check.df, "hyb-7-setup"),)
        yield from Tell(
            Tries(
                name,
                f"to cast {spell.name}",
                rules,
                fight,
                then,
                base=spell.check,
                check=check,
                mods=prepared,
                offensive=None,
                kind="mental",
                arm=spell,
            )
        )
        degree = yield from skill_check(rules, check, name, f"casting {spell.name}")
        friend = fight.fighter(doing.target)
        near = then.distance(friend) <= REACH and not friend.body.dead
        yield from came_to("works" if degree.success and (near or spell.helps == "light") else "in vain", CASTING, name)
        power = int(total("power", term("effect", effect(rules, degree, spell.power)), rounding(rules)).value)
        against = power < 0 and near and (spell.helps == "mend" or friend.ward > 0)
        if not degree.success and against and rules.on("failures-work-against"):
            return (yield from _backfired(fight, name, friend, spell, -power))
        if not degree.success or not (near or spell.helps == "light"):
            yield from Tell(Happened(name, f"casts {spell.name} without effect"))
            return fight
        return (yield from _worked(due, fight, spell, power))


def _backfired(fight: Fight, name: str, friend: Fighter, spell: Arm, power: int) -> Play[Fight]:
    """A spell that helps works against its user's friend: mending wounds, and a ward takes off what is there (book lines 525-536)."""
    if spell.helps == "mend":
        lost = min(power, friend.body.pbd - 1)
        yield from Tell(Happened(name, f"fails so badly that {spell.name} wounds {friend.name} (PBD -{lost})", "bad"))
        return fight.change(friend.name, body=replace(friend.body, pbd=friend.body.pbd - lost)) if lost > 0 else fight
    yield from Tell(Happened(name, f"fails so badly that {spell.name} weakens the ward of {friend.name} by {power}", "bad"))
    return fight.change(friend.name, ward=max(0, friend.ward - power))


def _worked(due: Due, fight: Fight, spell: Arm, power: int) -> Play[Fight]:
    """Applies a spell that succeeded."""
    name, friend = due.name, fight.fighter(due.doing.target)
    if spell.helps == "ward":
        whom = "raises a ward" if friend.name == name else f"wards {friend.name}"
        yield from Tell(Happened(name, f"{whom} (armour {power}) until count {due.now + spell.lasts}"))
        return fight.change(friend.name, ward=power, ward_ends=due.now + spell.lasts)
    if spell.helps == "mend":
        given = min(power, friend.body.pbd_full - friend.body.pbd)
        whom = "their own wounds" if friend.name == name else friend.name
        yield from Tell(Happened(name, f"mends {whom} (PBD +{given})"))
        return fight.change(friend.name, body=replace(friend.body, pbd=friend.body.pbd + given, bleeding=()))
    yield from Tell(Happened(name, "makes light"))
    left = tuple(surrounding for surrounding in fight.ground.surroundings if surrounding not in dark(fight))
    return replace(fight, ground=replace(fight.ground, surroundings=left))
