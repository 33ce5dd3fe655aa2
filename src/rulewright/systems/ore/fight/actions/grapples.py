"""Special close combat actions and escapes (book lines 4823-4841, 5350-5412)."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import action_dice
from rulewright.systems.ore.combat.attacks import Attempt, attempt
from rulewright.systems.ore.combat.close_actions import (
    TRIP_DIFFICULTY,
    Effect,
    disarm_effect,
    grapple_dice,
    grapple_effect,
    push_effect,
    strangle_effect,
    tackle_effect,
    trip_effect,
    unbalanced_dice,
)
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, facts_of
from rulewright.systems.ore.combat.reach import closing_difficulty
from rulewright.systems.ore.combat.weapon_use import wielded
from rulewright.systems.ore.fight.actions.attacks import Blow, can_strike
from rulewright.systems.ore.fight.actions.base import HELD, HOLDING, Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.drama_points import counters
from rulewright.systems.ore.fight.feats.effects import attack_help, trait
from rulewright.systems.ore.fight.resolution.strikes import applied, has_free_hand, hits
from rulewright.systems.ore.gear.weapons import BARE_HANDS
from rulewright.systems.ore.people.feat_effects import with_help
from rulewright.systems.ore.resolution.tests import Pool


class Special(Action):
    """An attack with a special effect by Width, on a named opponent."""

    verb = "special"
    brings: ClassVar["staticmethod[[int], Effect]"]

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            if can_strike(me, foe) and me.weapon.close and foe.person and self.possible(rules, me, foe):
                yield from self.on(foe)

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return True

    def on(self, foe: Foe) -> Iterable[Declarable]:
        """All options against this enemy."""
        return (self.at(foe.name),)

    def effect(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Effect:
        """The effect of a set of this Width."""
        return self.brings(width)

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        effect = self.effect(rules, fight, pending, width)
        if not effect.success:
            yield Tell(Happened(pending.act.target, f"resists {pending.who}"))
            return fight, 0
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target} with a {width}x{pending.height}"))
        return (yield from applied(rules, fight, pending, effect)), effect.set_dice


def _balance(fight: Fight, target: str) -> dict[str, bool]:
    """Whether the target pushes, tackles, or is pushed or tackled this round."""
    acts = [(plan.who, act) for plan in fight.plans for act in plan.acts]
    return {
        "pushing": any(who == target and act.kind == "push" for who, act in acts),
        "pushed": any(act.target == target and act.kind == "push" for _, act in acts),
        "tackling": any(who == target and act.kind == "tackle" for who, act in acts),
        "tackled": any(act.target == target and act.kind == "tackle" for _, act in acts),
    }


class Trip(Special):
    """The attack pool at Difficulty 2: the target loses dice and falls."""

    kind, label, did = "trip", "Trip", "trips"
    goal = "tripped"
    by_width = True
    with_weapon = True

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        pool = fighter.profile.attacks[fighter.in_hand].plus(unbalanced_dice(**_balance(fight, act.target)))
        return attempt(rules, pool, fighter.weapon, facts_of(rules, fight, fighter, act), TRIP_DIFFICULTY)

    def effect(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Effect:
        return trip_effect(rules, width)


class Disarm(Special):
    """A called shot at the weapon arm."""

    kind, label, did = "disarm", "Disarm", "disarms"
    goal = "disarmed"
    with_weapon = True

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return foe.armed

    def on(self, foe: Foe) -> Iterable[Declarable]:
        return (self.at(foe.name, Act("disarm", foe.name, foe.weapon_arm)),)

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return later.kind == "turn"

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return attempt(rules, fighter.profile.attacks[fighter.in_hand], fighter.weapon, facts_of(rules, fight, fighter, act))

    def effect(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Effect:
        done = disarm_effect(rules, width, pending.act.location or "right arm", has_free_hand(rules, fight.fighter(pending.who)))
        breaks = "breaks the weapon" in attack_help(rules, fight, pending)
        power = fight.fighter(pending.act.target).weapon.power
        return replace(done, broken=True, taken=False) if done.disarmed and breaks and pending.height >= power + 1 else done


class Turn(Blow):
    """Strikes an opponent with their own weapon after a disarm in the same round."""

    kind, label, did = "turn", "Strike with the weapon of", "turns the weapon of"
    plain, after = False, "disarm"

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (replace(self.at(foe.name), part=True),) if foe.armed and me.weapon.close else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        weapon = fight.fighter(act.target).weapon
        pool = wielded(rules, fighter.profile.training.person(), weapon).attack
        return attempt(rules, pool, BARE_HANDS, facts_of(rules, fight, fighter, act))

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        fighter, victim = fight.fighter(pending.who), fight.fighter(pending.act.target)
        names = {victim.profile.weapons[place].name for place in victim.taken}
        mine = [place for place, weapon in enumerate(fighter.profile.weapons) if weapon.name in names]
        if not mine:
            yield Tell(Happened(pending.who, f"does not have {pending.act.target}'s weapon"))
            return fight, 0
        return (yield from hits(rules, fight, replace(pending, act=replace(pending.act, weapon=mine[-1])), width))


class Wrestling(Special):
    """Base class of wrestling: Body and Close Combat or Coordination and Wrestling; not while Downed (ruling)."""

    bare = True
    close_in = True

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return not me.downed and (foe.close_in or not self.close_in)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(fighter.profile.wrestle.plus(action_dice(rules, self.kind)))  # type: ignore[arg-type]


class Tackle(Wrestling):
    """Both fighters go down."""

    kind, label, did = "tackle", "Tackle", "tackles"
    goal = "tackled"
    by_width = True
    close_in = False
    brings = staticmethod(tackle_effect)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        off_balance = unbalanced_dice(**_balance(fight, act.target), trip=False)
        return Attempt(fighter.profile.wrestle.plus(action_dice(rules, "tackle"), off_balance))


class Push(Wrestling):
    """Moves the opponent away."""

    kind, label, did = "push", "Push", "pushes"
    goal = "pushed"
    by_width = True
    brings = staticmethod(push_effect)


class Grapple(Wrestling):
    """Holds both fighters, on the floor or standing; the opponent resists with the same pool."""

    kind, label, did = "grapple", "Grapple", "grapples"
    goal = "grappled"

    def on(self, foe: Foe) -> Iterable[Declarable]:
        yield self.at(foe.name)
        act = Act("grapple", foe.name, upright=True)
        yield Declarable(f"grapple standing:{foe.name}", f"Grapple {foe.name} while standing", (act,))

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.change(act.target, held_by=fighter.name)

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return later.kind == "strangle" and later.target == act.target

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(fighter.profile.wrestle.plus(action_dice(rules, "grapple"), grapple_dice(act.upright)))

    def effect(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Effect:
        return grapple_effect(width, pending.act.upright)

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        victim = fight.fighter(pending.act.target)
        fight, left = yield from counters(rules, fight, victim.name, resisting(rules, victim), width=width, height=pending.height)
        return (yield from super().lands(rules, fight, pending, left.width))


def resisting(rules: Ruleset, victim: Fighter) -> Pool:
    """The pool to resist a grapple."""
    return with_help(victim.profile.wrestle, trait(rules, victim, "resist grapple")) if victim.profile.feats else victim.profile.wrestle


class Strangle(Special):
    """A called shot at the head of a held opponent; it repeats next round without a roll."""

    kind, label, did = "strangle", "Strangle", "strangles"
    goal = "strangled"
    bare = True
    brings = staticmethod(strangle_effect)
    when = frozenset((HOLDING,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if me.holds:
            yield self.at(me.holds, Act("strangle", me.holds, "head"))

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return attempt(rules, fighter.profile.attacks[0], BARE_HANDS, facts_of(rules, fight, fighter, act))


class LetGo(Action):
    """Releases a held opponent."""

    kind, label, did = "let go", "Let go of", "lets go of"
    verb = "special"
    rolled = False
    when = frozenset((HOLDING,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if me.holds:
            yield self.at(me.holds)

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.change(act.target, held_by="", choked=0)


class Escape(Action):
    """Breaks free of a grapple, unless the holder counters it with the same pool."""

    kind, label = "escape", "Break free"
    goal = "free"
    verb, pool = "special", "wrestle"
    targeted = False
    when = frozenset((HELD,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        fighter = fight.fighter(pending.who)
        holder = fighter.held_by
        if not holder or not fight.able(holder):
            return fight.put(replace(fighter, held_by="", choked=0)), ()
        fight, left = yield from counters(
            rules, fight, holder, fight.fighter(holder).profile.wrestle, width=pending.width, height=pending.height
        )
        yield Tell(Happened(pending.who, f"breaks free of {holder}" if left.success else f"cannot break free of {holder}"))
        return fight.put(replace(fighter, held_by="", choked=0)) if left.success else fight, ()


class CloseIn(Action):
    """Closes in on a longer weapon: Coordination and Dodge, with its Reach as Difficulty."""

    kind, label, did = "close in", "Close in on", "closes in on"
    goal = "closed in"
    by_width = True
    verb = "special"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return can_strike(me, foe) and me.weapon.close and foe.person and not foe.close_in

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, close_to=act.target))

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return later.target == act.target and later.kind in ("grapple", "push", "hold")

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        reach = fight.fighter(act.target).weapon.reach
        return Attempt(fighter.profile.dodge, max(fighter.profile.athletic_difficulty, closing_difficulty(rules, reach)))

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        yield Tell(Happened(pending.who, f"closes in on {pending.act.target}"))
        return fight.change(pending.who, close_to=pending.act.target), 0
