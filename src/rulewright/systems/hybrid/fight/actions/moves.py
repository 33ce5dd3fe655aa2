"""Movement actions: going to a place, doors, getting down and up, evading and retreating (book lines 768-802, 1077-1119)."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, hypot
from typing import cast

from msgspec.structs import replace

from rulewright.field.destinations import Door, Goal, doors_at_hand, goals, what_it_means
from rulewright.field.field import NOTHING, Spot
from rulewright.field.pathfinding import WALKER, way
from rulewright.field.places import Anywhere, Going, Pace, towards, written
from rulewright.field.revealed import known_field
from rulewright.grammar import figure
from rulewright.play import Happened, Play, Scale, Stands, Tell, came_to
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.attack_terms import Tries
from rulewright.systems.hybrid.combat.attacks import PRONE, dodge_counts, recover_from_dodge, rising
from rulewright.systems.hybrid.combat.fighters import NEXT_TO, REACH, Doing, Fight, Fighter, Way, hindered, situation, speed_of
from rulewright.systems.hybrid.combat.initiative import Timing, shortened
from rulewright.systems.hybrid.fight.actions.base import Chosen, DeedKind, Due, Keys, Moment, under_way
from rulewright.systems.hybrid.fight.defences import step_back
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND, Ready, ready_after
from rulewright.systems.hybrid.fight.options import LABELS
from rulewright.systems.hybrid.harm.energy import Activity, keep_up
from rulewright.systems.hybrid.people.movement import MODES, PACES, Mode, Motion, accelerate, distance

LANDING = Scale(("on the ground", "on the feet"), ("on the feet",), "lands on the feet")
ACTIVITIES: dict[Mode, Activity] = {"crawl": "crawling", "walk": "walking", "jog": "jogging", "run": "running", "dash": "dash"}
"""What each pace is in the table of energy."""
FAR = 40.0
"""Metres within which a person looks for a way to something."""
AHEAD = 5
"""Seconds that a person plans a way for."""
_GOING: dict[Mode, str] = {"crawl": "crawling", "walk": "walking", "jog": "jogging", "run": "running", "dash": "dashing"}


# --- places -------------------------------------------------------------------------------------------------------------------


def goals_of(rules: Ruleset, fight: Fight, me: Fighter) -> tuple[Goal, ...]:
    """The places that mean something to a person on ground with something on it."""
    foes = tuple([(foe.name, foe.x, foe.y) for foe in fight.known_enemies(rules, me)])
    return goals(fight.field, (me.x, me.y), foes, FAR)


def anywhere(rules: Ruleset, fight: Fight, me: Fighter) -> Anywhere[str] | None:
    """Any place that a person may set out for, at every pace; how far they get by their next initiative is another matter."""
    if me.holding or me.bound_with or fight.holder(me.name) is not None:
        return None
    bare = fight.bare
    return Anywhere(
        NOTHING if bare else fight.field,
        (me.x, me.y),
        _paces(rules, me.profile.pmv, me.body.prone),
        _set_out,
        "crawl" if me.body.prone else "walk",
        means=partial(_means, rules, fight, me),
        seen=None if bare else known_field(fight.map, fight.changes),
    )


@cached(2_000)
def _paces(rules: Ruleset, pmv: float, prone: bool) -> tuple[Pace, ...]:
    modes: tuple[Mode, ...] = ("crawl",) if prone else ("walk", "jog", "run", "dash")
    return tuple([Pace(mode, _GOING[mode], distance(rules, pmv, mode, AHEAD).value) for mode in modes])


def _set_out(going: Going) -> str:
    return f"go:{going.pace}@{'>'.join([f'{x:g},{y:g}' for x, y in going.bends[1:]])}"


def _means(rules: Ruleset, fight: Fight, me: Fighter, going: Going) -> tuple[str, ...]:
    """How near the nearest enemy would be, and who would not see one there."""
    there = replace(me, x=going.spot[0], y=going.spot[1])
    foes = fight.known_enemies(rules, me)
    return what_it_means(there, foes, [(foe.name, "" if fight.sees(foe, there) else None) for foe in foes])


def metres_a_count(rules: Ruleset, me: Fighter) -> float:
    """How far a person gets in a count at the pace they have reached."""
    return me.profile.pmv * _of_the_rate(rules, me.pace) / COUNTS_A_SECOND


@cached(2_000)
def _of_the_rate(rules: Ruleset, pace: Mode) -> float:
    """The share of the rate of movement that a pace is."""
    return float(Fraction(*PACES.of(rules, pace)))


def counts_there(rules: Ruleset, me: Fighter, metres: float, ready: int) -> int:
    """The counts until a person is so many metres on, or until their next initiative where that comes first."""
    value = metres_a_count(rules, me)
    return min(ready, max(1, ceil(round(metres / value, 6)))) if value else ready


def way_to(fight: Fight, me: Fighter, spot: Spot) -> float:
    """How far it is to a place on foot; where no way leads there, as the crow flies."""
    result = way(fight.field, (me.x, me.y), spot, WALKER, 200.0)
    return result.cost if result is not None else fight.field.distance((me.x, me.y), spot)


# --- going --------------------------------------------------------------------------------------------------------------------


class OnFoot(DeedKind):
    """What takes a person from one place to another, until they are there or their next initiative comes."""

    verb, on_the_move = "move", True

    def set_out(self, chosen: Chosen, fight: Fight, metres: float, goal: Mode) -> Play[tuple[Fighter, int]]:
        """A person at the pace that they come to, and the counts until they are there, or until their next initiative."""
        rules, me = chosen.rules, fight.fighter(chosen.name)
        still = replace(me, pace="no move", evading=False)
        check = me.profile.running.plus(df=hindered(rules, fight, still))
        if MODES.index(me.pace) < MODES.index(goal):
            made, words = me.profile.made_of("running"), f"to reach a {goal}"
            yield Tell(Tries(me.name, words, rules, fight, still, base=me.profile.running, check=check, offensive=None, made=made))
        motion = yield from accelerate(rules, Motion(me.pace, goal), check, me.name)
        ready = yield from ready_after(rules, fight, me.name)
        why = Timing(rules, ready.count - ready.speed_points, speed_of(fight, me), ranked=me.arm.rank is not None)
        yield from Tell(Ready(me.name, chosen.now + ready.count, chosen.now, 0, why))
        me = replace(me, pace=motion.mode, points=me.points + ready.speed_points)
        return me, counts_there(rules, me, metres, ready.count)

    def tired(self, due: Due, fight: Fight) -> Fight:
        """The fight after a person has been on the move for so long."""
        me = fight.fighter(due.name)
        if me.pace == "no move":
            return fight
        tired = keep_up(due.rules, me.body.energy, ACTIVITIES[me.pace], due.now - due.doing.began, me.strain)
        return fight.change(due.name, body=replace(me.body, energy=tired.energy), strain=tired.strain)


class Approach(OnFoot):
    """Running or dashing up to a person: a roll to get moving at the pace below, and at the next initiative one for the pace itself."""

    what = "approach"

    def against(self, moment: Moment, foe: Fighter, near: bool) -> Keys:
        me = moment.me
        return () if near or me.body.prone or me.holding else self.to(foe)

    def to(self, foe: Fighter) -> Keys:
        """Both paces at which a person can be run up to."""
        return f"approach:{foe.name}", f"dash:{foe.name}"

    def label(self, what: str, target: str) -> str:
        return f"{'run' if what == 'approach' else 'dash'} up to {target}"

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        me, foe = fight.fighter(chosen.name), fight.fighter(chosen.target)
        metres = max(0.0, (me.distance(foe) if fight.bare else way_to(fight, me, (foe.x, foe.y))) - NEXT_TO)
        me, took = yield from self.set_out(chosen, fight, metres, "run" if chosen.what == "approach" else "dash")
        words = (
            f"approaches {foe.name} at a {me.pace}" if me.pace != "no move" else f"tries to approach {foe.name}, but does not start moving"
        )
        doing = Doing("approach", foe.name, chosen.now)
        return (yield from under_way(chosen.rules, fight.put(me), me.name, doing, took=took, words=words))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        me, foe = fight.fighter(due.name), fight.fighter(due.doing.target)
        metres, far = me.distance(foe), metres_a_count(due.rules, me) * (due.now - due.doing.began)
        x, y = me.x, me.y
        if not fight.bare:
            x, y = towards(fight.field, (x, y), (foe.x, foe.y), WALKER, far, short=NEXT_TO) or (x, y)
        elif metres > NEXT_TO:
            covered = min(metres - NEXT_TO, far)
            x, y = round(x + (foe.x - x) * covered / metres, 1), round(y + (foe.y - y) * covered / metres, 1)
        fight = self.tired(due, fight.change(me.name, x=x, y=y))
        left = fight.fighter(me.name).distance(foe)
        yield from Tell(Happened(me.name, f"has run up to {foe.name}" if left <= REACH else f"is {left:.1f} m from {foe.name}"))
        if left <= REACH:
            fight = fight.change(me.name, pace="no move")
        yield Tell(Stands(fight))
        return fight

    def ends(self, due: Due, fight: Fight) -> Play[Fight]:
        if fight.fighter(due.name).distance(fight.fighter(due.doing.target)) > REACH:
            return fight.change(due.name, doing=None, at=due.now)  # this was the next initiative: on at once, and faster
        return (yield from super().ends(due, fight))


APPROACH = Approach()


class Go(OnFoot):
    """To a place of one's own choosing, at a pace of one's own choosing, or at a run to one that means something."""

    what = "go"

    def keys(self, moment: Moment) -> Keys:
        """Enemies whom only others see, and places to head for."""
        rules, fight, me = moment.rules, moment.fight, moment.me
        if fight.bare or me.body.prone or moment.tied:
            return
        for foe in fight.known_enemies(rules, me):
            if foe not in moment.foes:
                yield from APPROACH.to(foe)
        people = {f"to {fighter.name}" for fighter in fight.fighters}
        for goal in goals_of(rules, fight, me):
            if goal.key not in people:
                yield f"head for:{goal.key.removeprefix('to ')}"

    def label(self, what: str, target: str) -> str:
        return f"run {target}" if target in ("away", "out of sight") else f"run to the {target.removeprefix('the ')}"

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        rules, target, me = chosen.rules, chosen.target, fight.fighter(chosen.name)
        if chosen.what == "head for":
            key = target if target in ("away", "out of sight") else f"to {target}"
            result = next(goal for goal in goals_of(rules, fight, me) if goal.key == key)
            route, metres, pace = result.way.bends[1:], result.way.cost, "run"
        else:
            pace, route, _ = written(target)
            metres = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(((me.x, me.y), *route)))
        me, took = yield from self.set_out(chosen, fight, metres, cast(Mode, pace))
        words = f"moves at a {me.pace}" if me.pace != "no move" else "tries to move, but does not start moving"
        doing = Doing("go", "", chosen.now, route=route)
        return (yield from under_way(rules, fight.put(me), me.name, doing, took=took, words=words))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        """As far as pace and time allow; a person who is there stands still."""
        me = fight.fighter(due.name)
        left, at, there = metres_a_count(due.rules, me) * (due.now - due.doing.began), (me.x, me.y), True
        for spot in due.doing.route:
            goal = towards(fight.field, at, spot, WALKER, left) if left > 0 else None
            if goal is None:
                there = False
                break
            left -= fight.field.distance(at, goal)
            at = goal
            if goal != spot:
                there = False
                break
        fight = self.tired(due, fight.change(me.name, x=at[0], y=at[1]))
        if at != (me.x, me.y):
            yield from Tell(Happened(me.name, f"{'arrives' if there else 'is on the way'} at {figure(at[0])}, {figure(at[1])}"))
        if there:
            fight = fight.change(me.name, pace="no move")
        yield Tell(Stands(fight))
        return fight

    def ends(self, due: Due, fight: Fight) -> Play[Fight]:
        if fight.fighter(due.name).pace != "no move":
            return fight.change(due.name, doing=None, at=due.now)
        return (yield from super().ends(due, fight))


class TurnDoor(DeedKind):
    """A door at hand is opened or shut."""

    what, verb = "open", "move"

    def keys(self, moment: Moment) -> Keys:
        if moment.fight.bare:
            return ()
        return [door.key.replace(" ", ":", 1) for door in doors_at_hand(moment.fight.field, (moment.me.x, moment.me.y))]

    def label(self, what: str, target: str) -> str:
        return f"{what} the {target.removeprefix('the ')}"

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        door = Door(due.doing.target, due.doing.what == "open")
        if door not in doors_at_hand(fight.field, (due.then.x, due.then.y)):
            return fight
        yield from Tell(Happened(due.name, door.told))
        return fight.with_door(door)


# --- standing and getting away ------------------------------------------------------------------------------------------------


class Rise(DeedKind):
    """Up from the ground."""

    what, verb, words = "rise", "move", "get up (30 counts)"

    def keys(self, moment: Moment) -> Keys:
        return ("rise",) if moment.me.body.prone else ()

    def counts(self, rules: Ruleset, me: Fighter) -> tuple[int, int]:
        sped = shortened(rules, rising(rules), me.points)
        return sped.counts, sped.points

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        yield from Tell(Happened(due.name, "is up again"))
        return fight.change(due.name, body=replace(fight.fighter(due.name).body, prone=False))


class Evade(DeedKind):
    """Weaving, until the next decision."""

    what, verb, words = "evade", "guard", "evade: double defense until the next decision"

    def keys(self, moment: Moment) -> Keys:
        return () if moment.me.body.prone else ("evade",)

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        return super().begin(chosen, fight.change(chosen.name, evading=True))


class Dodge(DeedKind):
    """Throwing oneself out of the way."""

    what, verb, rolled, words = "dodge", "guard", True, LABELS["dodge"]

    def keys(self, moment: Moment) -> Keys:
        return () if moment.me.body.prone or moment.tied else ("dodge",)

    def counts(self, rules: Ruleset, me: Fighter) -> tuple[int, int]:
        return dodge_counts(rules), me.points

    def way(self, chosen: Chosen) -> Way:
        return "evading" if chosen.evaded else ""

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        rules, name, skill = due.rules, due.name, due.then.profile.acrobatics
        me = fight.fighter(name)
        check = skill.plus(df=situation(rules, fight, me, offensive=False)) if skill is not None else None
        if skill is not None and check is not None:
            made = me.profile.made_of("acrobatics")
            yield from Tell(Tries(name, "to land on the feet", rules, fight, me, base=skill, check=check, offensive=False, made=made))
        feet = yield from recover_from_dodge(rules, check, name)
        yield from came_to("on the feet" if feet else "on the ground", LANDING, name)
        fight = fight.change(name, body=replace(me.body, prone=not feet), inside=())
        for candidate in fight.fighters:  # out of the area: nobody is inside their reach any more
            if name in candidate.inside:
                fight = fight.put(replace(candidate, inside=tuple(text for text in candidate.inside if text != name)))
        return fight


class Retreat(DeedKind):
    """Falling back from the nearest enemy."""

    what, verb, words = "retreat", "move", "fall back"

    def keys(self, moment: Moment) -> Keys:
        return () if moment.me.body.prone or moment.tied else ("retreat",)

    def begin(self, chosen: Chosen, fight: Fight) -> Play[Fight]:
        return super().begin(chosen, fight.change(chosen.name, retreating=True))

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        me = fight.fighter(due.name)
        foes = sorted(fight.enemies(due.rules, me), key=me.distance)
        yield from Tell(Happened(due.name, "falls back"))
        return step_back(fight, due.name, foes[0].name) if foes else fight


class DropProne(DeedKind):
    """Down to the ground, where something pulls one there."""

    what, verb, words = "drop prone", "guard", LABELS["drop prone"]

    def keys(self, moment: Moment) -> Keys:
        return () if moment.me.body.prone or moment.fight.ground.weightless else ("drop prone",)

    def counts(self, rules: Ruleset, me: Fighter) -> tuple[int, int]:
        return PRONE.of(rules, "counts"), me.points

    def effect(self, due: Due, fight: Fight) -> Play[Fight]:
        yield from Tell(Happened(due.name, "is prone"))
        return fight.change(due.name, body=replace(fight.fighter(due.name).body, prone=True))
