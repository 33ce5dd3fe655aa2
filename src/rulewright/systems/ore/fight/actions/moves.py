"""Movement: walking, running, charging, fleeing, standing up, taking cover (book lines 5340-5348, 5386-5392)."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import ride_pool, run_metres
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.cover import dive_dice
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Pending, Situation, Where
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, Names, pair
from rulewright.systems.ore.fight.feats.effects import COVERED
from rulewright.systems.ore.fight.map_positions import choose_place
from rulewright.systems.ore.fight.resolution.movement import cover_metres, goes, stands, steps_away, steps_towards, walk_metres
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.harm.body import legs

CHARGE = 5
"""Metres needed for a charge (ruling: fifteen feet, from the feat that ignores them)."""


class Move(Action):
    """Walks five metres without a roll, besides other actions."""

    kind, label, did = "move", "Walk", "walks"
    verb = "move"
    rolled, free, plain = False, True, True
    back: ClassVar[str] = "back"
    """The direction when withdrawing, for the log."""

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if not me.walk:
            return
        for foe in foes:
            if foe.metres > REACH:
                yield Declarable(f"approach:{foe.name}", f"Walk up to {foe.name}", (Act("move", foe.name),))
        yield Declarable("withdraw", "Withdraw from the enemy", (Act("move", away=True),))
        yield Declarable("move", "Walk to a place", (Act("move"),))

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        if act.target or act.away:
            return act
        if fight.fighter(name).at is not None:
            return (yield from choose_place(rules, fight, name, act, most=walk_metres(rules, fight.fighter(name)), doing="walking"))
        walk, here = walk_metres(rules, fight.fighter(name)), fight.fighter(name).metres
        about = Situation(fight, name, rules)
        ask = f"Walk to which metre? You are at {here} m."
        place = yield from Choice[int](name, ask, Range(here - walk, here + walk), about, "place")
        return replace(act, steps=place - here)

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(stands(fighter, self._steps(rules, fight, fighter, act)))

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        to = f"up to {act.target}" if act.target else self.back if act.away else ""
        return (yield from goes(fight, fighter.name, self._steps(rules, fight, fighter, act), self.did, to))

    def far(self, rules: Ruleset, fighter: Fighter, act: Act) -> int:
        """Metres covered."""
        return walk_metres(rules, fighter)

    def _steps(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Where:
        walk = self.far(rules, fighter, act)
        if act.to is not None:
            return steps_towards(fight, fighter.name, act.to, walk, 0)
        if act.target:
            return steps_towards(fight, fighter.name, fight.place_of(act.target), walk)
        return steps_away(fight, fighter.name, walk) if act.away else max(-walk, min(walk, act.steps))


class Run(Action):
    """Runs: five metres plus two per point of Width, towards the nearest enemy or away from all."""

    kind, label, did = "run", "Run at the enemy", "runs"
    verb, pool, athletic = "move", "run", True
    targeted, begins = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if me.downed or not me.walk:
            return
        if me.away:
            yield self.one()
        yield Declarable("flee", "Flee", (Act("run", away=True),))

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        most = run_metres(rules, 2, legs(fighter.body))
        return fight.put(stands(fighter, self._steps(fight, fighter, act, most)))

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return bool(later.target) and fight.distance(fighter.name, later.target) > REACH + CHARGE

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        if fighter.profile.feats and fighter.cover.any:
            fight = fight.put(replace(fighter, marks=(*fighter.marks, (COVERED, ""))))
        return (yield from self._goes(fight, fighter, act, walk_metres(rules, fighter)))

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        fighter = fight.fighter(pending.who)
        if fighter.held_by or fighter.downed:
            yield Tell(Happened(pending.who, "cannot run farther"))
            return fight, ()
        speed = legs(fighter.body)
        more = run_metres(rules, pending.width, speed) - run_metres(rules, 0, speed)
        return (yield from self._goes(fight, fighter, pending.act, more)), ()

    def _steps(self, fight: Fight, fighter: Fighter, act: Act, most: int) -> Where:
        if act.away:
            return steps_away(fight, fighter.name, most)
        if act.to is not None:
            return steps_towards(fight, fighter.name, act.to, most, 0)
        target = act.target or fight.nearest_foe(fighter.name)
        return steps_towards(fight, fighter.name, fight.place_of(target), most) if target else steps_away(fight, fighter.name, 0)

    def _goes(self, fight: Fight, fighter: Fighter, act: Act, most: int) -> Play[Fight]:
        target = act.target or fight.nearest_foe(fighter.name)
        to = "from the enemy" if act.away else "" if act.to is not None else f"towards {target}" if target else ""
        return (yield from goes(fight, fighter.name, self._steps(fight, fighter, act, most), "runs", to))


class Charge(Run):
    """A run (or ride) that adds to the damage of the following blow, which is an action of its own."""

    kind, label, did = "charge", "Charge", "charges"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            far = foe.metres >= REACH + CHARGE or "no run-up" in me.abilities
            if me.armed and foe.usable and me.weapon.close and not me.downed and me.walk and far:
                yield Declarable(
                    f"charge+attack:{foe.name}", f"Charge and attack {foe.name}", (Act("charge", foe.name), Act("attack", foe.name))
                )
                yield replace(self.at(foe.name), part=True)

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return later.target == act.target

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        if fighter.mounted:
            return Attempt(ride_pool(rules, fighter.profile.training.person()))
        return super().attempt(rules, fight, fighter, act)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, item: Pending) -> Play[tuple[Fight, Names]]:
        fight, _ = yield from super().happens(rules, before, fight, item)
        own = [candidate for candidate in fight.pending if candidate.who == item.who and candidate.needs == item.place]
        pending = [
            replace(candidate, act=replace(candidate.act, charge=item.width)) if candidate in own else candidate
            for candidate in fight.pending
        ]
        return replace(fight, pending=tuple(pending)), ()


class Stand(Action):
    """Stands up, which takes the round."""

    kind, label, did = "stand", "Stand up", "stands up"
    verb = "move"
    rolled, alone, plain, urgent = False, True, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.downed else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, downed=False))


class KipUp(Action):
    """Leaps up as one of several actions; later actions depend on it."""

    kind, label = "kip up", "Kip up"
    verb, pool, athletic = "move", "acrobatics", True
    targeted = False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if not me.downed:
            return
        yield replace(self.one(), part=True)
        for foe in foes:
            if me.armed and me.loaded and foe.usable and (foe.near or not me.weapon.close):
                yield pair("kip up", "attack", foe.name, on_second=True)

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, downed=False))

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return True

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, "leaps back to their feet"))
        return fight.change(pending.who, downed=False), ()


class TakeCover(Action):
    """Walks to cover without a roll: it protects from the next round (ruling) and counters nothing now."""

    kind, label, did = "take cover", "Walk to cover", "walks to cover"
    verb = "move"
    rolled, free, plain = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.can_dive and 0 <= me.cover_metres <= me.walk else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, diving=True))


class Dive(Action):
    """Dives for cover: counters a shot at -1d per metre and ends in cover."""

    kind, label, did = "dive", "Dive for cover", "dives"
    verb = "guard"
    counters = True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.can_dive and not me.downed else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        profile = fighter.profile
        return Attempt(profile.dodge.plus(dive_dice(cover_metres(fight, fighter))), profile.athletic_difficulty)

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return own.who == attack.act.target and not weapon.close and attack.act.kind != "power"
