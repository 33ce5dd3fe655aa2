"""Weapons in and out of hand, first aid, skills, rest and waiting (book lines 838-888)."""

from math import hypot

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Scale, Tell, came_to
from rulewright.systems.hybrid.combat.attack_terms import Tries
from rulewright.systems.hybrid.combat.fighters import REACH, Doing, Fight, Fighter, situation, watching
from rulewright.systems.hybrid.combat.initiative import draw, preset_cost, shortened
from rulewright.systems.hybrid.fight.actions.base import Chosen, DeedKind, Due, Keys, Moment, under_way
from rulewright.systems.hybrid.fight.defences import without
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND, SIMPLE_COUNTS, About
from rulewright.systems.hybrid.harm.energy import Rest as Resting
from rulewright.systems.hybrid.harm.energy import exert, rest
from rulewright.systems.hybrid.harm.treatment import treat
from rulewright.systems.hybrid.people.perception import perceive
from rulewright.systems.hybrid.resolution.tests import Degree, Mod, skill_check

TREATMENT = Scale(("bleeds on", "stopped"), ("stopped",), "stops the blood")
TASK = Scale(("failure", "success"), ("success",), "succeeds", "fails")
HARDEST = 40
"""How far the gamemaster may make a task harder or easier."""


class Draw(DeedKind):
    """A weapon comes to hand, in twice its speed or with a roll in its speed."""

    what, verb = "draw", "gear"

    def label(self, what: str, target: str) -> str:
        return f"{what} {the(target)}"

    def keys(self, moment: Moment) -> Keys:
        me = moment.me
        for place, other in enumerate(me.profile.arms):
            if place != me.in_hand and place not in me.lost and not other.natural and not other.shield:
                yield from (f"draw:{other.name}", f"fast draw:{other.name}")

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        rules, name, me = chosen.rules, chosen.name, fight.fighter(chosen.name)
        place = me.place(chosen.target)
        arm = me.profile.arms[place]
        check = arm.by("fast draw").plus(df=situation(rules, fight, me))
        counts = yield from draw(rules, arm.speed, chosen.what == "fast draw", check, name)
        took = shortened(rules, max(1, counts), me.points)
        doing = Doing("draw", "", chosen.now, arm=place)
        return (
            yield from under_way(
                rules, fight.change(name, points=took.points), name, doing, took=took.counts, words=f"draws {the(chosen.target)}"
            )
        )

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        """One decides again on the same count."""
        yield from Tell(Happened(due.name, f"has {the(due.then.profile.arms[due.doing.arm].name)} in hand"))
        return fight.change(due.name, in_hand=due.doing.arm, doing=None, at=due.now)


class DropWeapon(DeedKind):
    """What is in hand falls to the ground."""

    what, verb, words, at_once, takes = "drop weapon", "gear", "drop the weapon", True, 1

    def keys(self, moment: Moment) -> Keys:
        return () if moment.me.arm.natural else ("drop weapon",)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        then = due.then
        if then.arm.natural or then.in_hand in fight.fighter(due.name).lost:  # knocked away meanwhile
            return fight
        yield from Tell(Happened(due.name, f"drops {the(then.arm.name)}"))
        return without(fight, due.name, then.in_hand)


class PickUp(DeedKind):
    """A weapon of one's own that lies within reach."""

    what, verb = "pick up", "gear"

    def label(self, what: str, target: str) -> str:
        return f"{what} {the(target)}"

    def keys(self, moment: Moment) -> Keys:
        me = moment.me
        return dict.fromkeys([f"pick up:{me.profile.arms[place].name}" for place in _within_reach(me)]) if me.arm.natural else ()

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        me, thing = fight.fighter(due.name), due.doing.target
        number = next((place for place in _within_reach(me) if me.profile.arms[place].name == thing), None)
        if number is None or not me.arm.natural:
            yield from Tell(Happened(due.name, f"does not get hold of {the(thing)}", "bad"))
            return fight
        yield from Tell(Happened(due.name, f"picks up {the(thing)}"))
        lies = tuple(lie for lie in me.lies if lie[0] != number)
        return fight.change(due.name, in_hand=number, lost=tuple(place for place in me.lost if place != number), lies=lies)


def _within_reach(me: Fighter) -> list[int]:
    """The weapons of one's own that lie within reach."""
    return [place for place, x, y in me.lies if hypot(x - me.x, y - me.y) <= REACH]


class Treat(DeedKind):
    """First aid: a wound bleeds until it is treated, and this is how (ruling: a simple action, and one success for all wounds)."""

    what, verb, rolled = "treat", "help", True

    def keys(self, moment: Moment) -> Keys:
        me = moment.me
        for fighter in moment.fight.fighters:
            if fighter.body.bleeding and fighter.side == me.side and not fighter.body.dead and me.distance(fighter) <= REACH:
                yield f"treat:{fighter.name}"

    def label(self, what: str, target: str) -> str:
        return f"stop the blood of {target}"

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, friend = due.rules, due.name, due.then, fight.fighter(due.doing.target)
        if friend.body.dead or then.distance(friend) > REACH:
            return fight
        own = then.profile.first_aid
        check = own.plus(df=situation(rules, fight, then, None, "mental"))
        made = then.profile.made_of("first aid")
        tries = Tries(name, f"to treat {friend.name}", rules, fight, then, base=own, check=check, offensive=None, kind="mental", made=made)
        yield from Tell(tries)
        degree = yield from skill_check(rules, check, name, "first aid")
        treated = treat(rules, friend.body, degree, due.now)
        yield from Tell(Happened(name, f"{treated.words} of {friend.name}", "good" if treated.stopped else "bad"))
        yield from came_to("stopped" if treated.stopped else "bleeds on", TREATMENT, name, friend.name)
        return fight.change(friend.name, body=treated.body) if treated.stopped or treated.worse else fight


class UseSkill(DeedKind):
    """A skill used for something that is no fighting: a check as hard as the gamemaster says, in a simple action's time."""

    what, rolled, words = "skill", True, "use a skill: the gamemaster sets the difficulty"

    def keys(self, moment: Moment) -> Keys:
        return ("skill",) if moment.me.profile.skills else ()

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        rules, name = chosen.rules, chosen.name
        about = About(rules, fight, name)
        named = tuple([Option(trained.skill, trained.skill, trained.skill) for trained in fight.fighter(name).profile.skills])
        skill = yield from Choice(name, "Which skill do you use?", named, about, "skill")
        asked = f"{name} uses {skill}. What is the task's modifier to the Difficulty Factor (negative is harder)?"
        hard = yield from Choice[int](GAMEMASTER, asked, Range(-HARDEST, HARDEST), about, "difficulty")
        took = shortened(rules, SIMPLE_COUNTS, fight.fighter(name).points)
        doing = Doing("skill", "", chosen.now, skill=skill, difficulty=hard)
        return (yield from under_way(rules, fight.change(name, points=took.points), name, doing, took=took.counts))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, then, doing = due.rules, due.name, due.then, due.doing
        used = next(trained for trained in then.profile.skills if trained.skill == doing.skill)
        check = used.check.plus(df=situation(rules, fight, then, None, used.kind) + doing.difficulty)
        hard = (Mod("difficulty of the task", doing.difficulty, "hyb-2-difficulty-factor"),)
        yield from Tell(
            Tries(
                name,
                f"to use {used.skill}",
                rules,
                fight,
                then,
                base=used.check,
                check=check,
                mods=hard,
                offensive=None,
                kind=used.kind,
                made=used.made,
            )
        )
        degree = yield from skill_check(rules, check, name, used.skill)
        yield from Tell(Happened(name, f"uses {used.skill}: {degree.value}", "good" if degree.success else "bad"))
        yield from came_to("success" if degree.success else "failure", TASK, name)
        return fight


class Rest(DeedKind):
    """Fatigue comes back by the second to people who sit or lie and do nothing."""

    what, words = "rest", "rest for a second: recover a point of fatigue"

    def keys(self, moment: Moment) -> Keys:
        energy, mind = moment.me.body.energy, moment.me.body.mind
        return ("rest",) if energy.fatigue < energy.most_fatigue or mind.fatigue < mind.most_fatigue else ()

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        yield from Tell(Happened(due.name, "rests"))
        how: Resting = "resting" if due.then.body.prone else "sitting"
        body, seconds = fight.fighter(due.name).body, SIMPLE_COUNTS // COUNTS_A_SECOND
        energy, mind = rest(due.rules, body.energy, how, seconds), rest(due.rules, body.mind, how, seconds, mind=True)
        return fight.change(due.name, body=replace(body, energy=energy, mind=mind))


LOOKING = Scale(("notices nothing", "notices"), ("notices",), "notices something")
EXACTLY = (Degree.AMAZING_SUCCESS, Degree.VERY_NOTABLE_SUCCESS, Degree.NOTABLE_SUCCESS, Degree.SOLID_SUCCESS)
"""The degrees of perception that tell exactly what happens."""


class Look(DeedKind):
    """Looking around: a perception roll, which takes eight counts and tells what enemies in sight are about to do (book line 701)."""

    what, rolled, takes, words = "look", True, 8, "look around: a perception roll"

    def keys(self, moment: Moment) -> Keys:
        return ("look",)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name = due.rules, due.name
        me = fight.fighter(name)
        degree = yield from perceive(rules, watching(rules, fight, me))
        yield from came_to("notices" if degree.success else "notices nothing", LOOKING, name)
        if not degree.success:
            return fight
        mates = tuple([fighter.name for fighter in fight.fighters if fighter.side == me.side])
        for foe in fight.enemies(rules, me):
            if foe.doing is not None:
                ways = (*foe.doing.ways, f"called: {foe.doing.called}") if foe.doing.called and foe.doing.what != "wait" else foe.doing.ways
                how = f" ({', '.join(ways)})" if ways and degree in EXACTLY else ""
                told = f"sees that {foe.name} is about to {foe.doing.words()}{how}, at count {foe.at}"
                yield from Tell(Happened(name, told, known_to=mates))
        return fight.change(name, aware=True)


class Wait(DeedKind):
    """Waiting for one certain thing: to be attacked, or for a weapon to be drawn."""

    what, verb = "wait", "guard"

    def keys(self, moment: Moment) -> Keys:
        return ("wait", "wait draw")

    def label(self, what: str, target: str) -> str:
        return f"wait {self.until(what.removeprefix('wait').strip())} (preset)"

    def until(self, trigger: str) -> str:
        """Names in words the trigger that it waits for."""
        return "for a weapon to be drawn" if trigger == "draw" else "to be attacked"

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        name, me = chosen.name, fight.fighter(chosen.name)
        trigger = chosen.what.removeprefix("wait").strip()
        known = tuple(candidate.name for candidate in fight.fighters if candidate.side == me.side)
        yield from Tell(Happened(name, f"waits {self.until(trigger)}", known_to=known))
        doing = Doing("wait", "", chosen.now, called=trigger)
        return fight.change(name, waiting=True, doing=doing, at=chosen.now + 2 * me.profile.mst)

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        """Nothing came: holding on has cost its mental fatigue."""
        me = fight.fighter(due.name)
        cost = preset_cost(due.rules, me.profile.mst, due.now - due.doing.began).value
        if cost:
            yield from Tell(Happened(due.name, f"waits in vain (mental fatigue -{cost})"))
        return fight.change(due.name, body=replace(me.body, mind=exert(due.rules, me.body.mind, cost)), waiting=False)

    def ends(self, due: Due, fight: Fight) -> Play[Fight]:
        yield from ()
        return fight.change(due.name, doing=None, at=due.now + 1)


class Pass(DeedKind):
    """Nothing at all, for a second."""

    what, words = "pass", "do nothing for a second"

    def keys(self, moment: Moment) -> Keys:
        return ("pass",)
