"""Batch rounds: plays whole rounds of many fights, with cached attack results.

People are represented by numbers; names and places are kept apart, so that identical people are equal, and the result of an
attack between two of them can be looked up. Everything follows from the attacks of `attack_excerpt`; a
walk only caches what it has computed before. A local tactic approaches the nearest enemy and attacks the nearest then,
and sees no one else.
"""

from bisect import bisect
from math import hypot, inf
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.field import spot_at
from rulewright.play import Sub
from rulewright.play.cache import Memory, cached
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import UNSETTLED, Luck, Turn
from rulewright.scenes.batch_play import settled as unasked
from rulewright.systems.silhouette.action.rounds import cast_for_initiative
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Ground, Moment, Profile, reach_of
from rulewright.systems.silhouette.fight.moves import CLOSE_UP
from rulewright.systems.silhouette.fight.turns import refreshed, sense_of
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.lab_view.attack_excerpt import (
    Two,
    acted_in,
    alone,
    blow,
    brought_down,
    farthest,
    go_on_whole,
    meddles,
    met_in,
    named_for,
    nameless,
    plain,
    reach_in_hand,
    shown_acting,
    shown_target,
    unnamed,
)
from rulewright.systems.silhouette.resolution.tests import settled

MOST_TURNS = 100_000
"""The number of cached attacks; beyond it the cache is cleared."""

LAST = 255
"""Queue positions are numbers: the initiative in the high part, then the order of the people."""

UNKNOWN: Any = object()


class Done(Struct, frozen=True, gc=False):
    """The result of an attack for the two, wherever they stand."""

    actor: Fighter
    moved: bool
    target: Fighter
    """Before their wounds bring them down."""
    felt: Fighter
    hurt: bool
    attacked: bool
    after: Fight | None
    """What is left to do if others may strike now or the turn continues."""


class Means(NamedTuple):
    """How a fighter reaches an enemy: at once, or within how many metres of movement."""

    reach: float
    paces: tuple[float, ...]


Begun = tuple[list[float], list[tuple[int, Fighter]]]
"""The possible initiatives of a fighter, and the fighter who enters the round with it."""


Blow = tuple[Fighter, Fighter, float, int, Patient | None, Patient | None, tuple[str, str]]
"""Attacker, target, distance and earlier attackers; the body of each, if it is not their present one; and their names,
if one of them aims at someone."""
NOBODY = "", ""


class Rounds:
    """Plays rounds of fights in close combat as far as only two people interact at a time: the walk of a Silhouette fight."""

    def __init__(self, rules: Ruleset, luck: Luck) -> None:
        self.rules = rules
        self.luck = luck
        self.usual = not rules.on("stances") and not rules.on("advanced-ties")
        self.blows: Memory[Blow, Turn[Fight, Done]] = Memory(MOST_TURNS)
        self.means: Memory[tuple[Fighter, Patient | None], Means | None] = Memory(MOST_TURNS)
        self.initiative: dict[int, Memory[Fighter, Begun | None]] = {}
        """By the lowest Complexity of all who roll."""
        self.idlers: Memory[Fighter, Fighter | None] = Memory(MOST_TURNS)
        self.begun: Found | None = None
        """The last fight seen before a round: many begin in the same way."""

    def __call__(self, fight: Fight, until: int) -> Fight:
        """Play the fight as far as attacks between two decide it."""
        begun = self.begun
        if begun is None or begun.fight is not fight:
            if fight.turn is not None or fight.todo or not self._is_walkable(fight):
                return fight
            begun = _numbered_fight(self, fight)
            if not fight.queue:
                self.begun = begun
        return _Walk(self, begun).run(until)

    def _is_walkable(self, fight: Fight) -> bool:
        """Whether a fight consists only of attacks between two."""
        if not fight.bare or fight.late or fight.zones or fight.delayed or fight.ambush_open or len(fight.fighters) > LAST:
            return False
        if fight.commands or fight.swayed or fight.ground.gravity != 1 or not plain(self.rules):
            return False
        return not any(meddles(fighter) for fighter in fight.fighters)

    def blow(self, ground: Ground, between: Blow) -> Turn[Fight, Done]:
        """The turn of a fighter who attacks another."""
        actor, target, near, before, body, able, (name, foe) = between
        acting = shown_acting(actor, actor.body if body is None else body, named_for(actor.aim_at, foe))
        seen = shown_target(self.rules, target, before, near, named_for(target.aim_at, name))
        two = Two(ground, acting, seen, seen.body if able is None else unnamed(able, seen.profile.name))
        turn = Turn(Sub(blow, (self.rules, two)), _result_of, self.rules, (actor, target), two, before)
        self.blows[between] = turn
        return turn

    def idle(self, ground: Ground, actor: Fighter) -> Fighter | None:
        """A fighter after a turn without any enemy left; None if it takes dice or does not end by itself."""
        fighter: Fighter | None = self.idlers.get(actor, UNKNOWN)
        if fighter is UNKNOWN:
            after = unasked(self.luck, alone(self.rules, ground, actor))
            over = after is not UNSETTLED and after.turn is None and not after.todo
            fighter = _anonymous(after.fighters[0]) if over and (after.fighters[0].x, after.fighters[0].y) == (0, 0) else None
            self.idlers[actor] = fighter
        return fighter

    def means_of(self, actor: Fighter, body: Patient | None) -> Means | None:
        """How a fighter reaches an enemy; None if more than an attack may happen."""
        having = actor.body if body is None else body
        reach = reach_in_hand(self.rules, actor)
        result = None
        fit = having.able and having.snared is None and not having.stable_flesh and not having.stable_deep
        if reach and fit and having.emergency_dice == actor.body.emergency_dice:
            result = Means(reach, farthest(self.rules, actor.profile, having))
        self.means[actor, body] = result
        return result

    def begins(self, fighter: Fighter, lowest: int) -> Begun | None:
        """A fighter's initiative among people with this lowest Complexity; None if there is more to it."""
        pair = None
        if not _has_own_roll(fighter) and not fighter.body.emergency_dice:
            fresh = _anonymous(refreshed(fighter, False))
            sense = sense_of(self.rules, fighter)
            if sense.fixed is not None:
                pair = [1.0], [(sense.fixed, fresh)]
            else:
                pool, roll = cast_for_initiative(self.rules, sense, lowest)
                results, sums = self.luck.roll_table(roll)
                confused = _anonymous(replace(fresh, confused=True))
                totals = [settled(self.rules, pool, result) for result in results]
                pair = sums, [(candidate.total, confused if candidate.fumble else fresh) for candidate in totals]
        self.initiative[lowest][fighter] = pair
        return pair


@cached(50_000)
def _has_own_roll(fighter: Fighter) -> bool:
    """Whether a fighter has a roll of their own to make before a round begins."""
    return meddles(fighter) or fighter.asleep or fighter.body.shaken


@cached(50_000)
def _anonymous(fighter: Fighter) -> Fighter:
    """A fighter without what a walk keeps apart, so that more of them are equal: name, place, and attackers."""
    profile = nameless(fighter.profile)
    return _shared(replace(fighter, profile=profile, body=unnamed(fighter.body, profile.name), x=0.0, y=0.0, attacked_by=()))


@cached(50_000)
def _shared(fighter: Fighter) -> Fighter:
    return fighter


@cached(50_000)
def _with_name(fighter: Fighter, name: str) -> Fighter:
    """A fighter with their name again."""
    return replace(fighter, profile=replace(fighter.profile, name=name), body=unnamed(fighter.body, name))


def _result_of(rules: Ruleset, both: tuple[Fighter, Fighter], two: Two, before: int, after: Fight) -> Done:
    """The result of an attack by itself for the two in the whole fight."""
    (actor, target), (acted, met) = both, after.fighters
    fighter = _anonymous(acted_in(actor, (0.0, 0.0), two.actor, acted))
    other = _anonymous(met_in(target, two.target, met))
    hurt = other.body is not target.body
    felt = _anonymous(brought_down(rules, other)) if hurt else other
    attacked = len(met.attacked_by) > before
    return Done(fighter, acted.x != two.actor.x, other, felt, hurt, attacked, after if after.turn is not None else None)


class Found(NamedTuple):
    """A fight in a walk: everyone by number."""

    fight: Fight
    names: tuple[str, ...]
    people: list[Fighter]
    xs: list[float]
    ys: list[float]
    sides: tuple[str, ...]
    able: list[bool]
    foes: dict[str, list[int]]
    """All able enemies of each side."""
    shared: dict[int, Patient]
    attacked: list[list[int]]
    queue: list[int]
    complexities: list[int]
    usual: bool


def _numbered_fight(rounds: Rounds, fight: Fight) -> Found:
    fighters, last = fight.fighters, len(fight.queue)
    number = {fighter.profile.name: at for at, fighter in enumerate(fighters)}
    people = [_anonymous(fighter) for fighter in fighters]
    shared = {number[moment.name]: _body(people[number[moment.name]], moment.body) for moment in fight.frozen}
    queue = [((last - rank) << 8) + LAST - number[name] for rank, group in enumerate(fight.queue) for name in group]
    sides = tuple([fighter.profile.side for fighter in fighters])
    able = [shared.get(at, fighter.body).able for at, fighter in enumerate(fighters)]
    usual = rounds.usual and not (fight.ground.showdown or fight.ground.dangers or fight.fading)
    return Found(
        fight,
        tuple(number),
        people,
        xs=[fighter.x for fighter in fighters],
        ys=[fighter.y for fighter in fighters],
        sides=sides,
        able=able,
        foes={side: [at for at, other in enumerate(sides) if other != side and able[at]] for side in set(sides)},
        shared=shared,
        attacked=[[number[name] for name in fighter.attacked_by] for fighter in fighters],
        queue=sorted(queue),
        complexities=[_complexity(fighter.profile) for fighter in fighters],
        usual=usual and not any(_has_own_roll(fighter) for fighter in people),
    )


def _body(fighter: Fighter, body: Patient) -> Patient:
    """The earlier body, as the same object as the fighter's own if they are equal."""
    bare = unnamed(body, fighter.profile.name)
    return fighter.body if bare == fighter.body else bare


class _Walk:
    """One fight during its rounds."""

    def __init__(self, rounds: Rounds, item: Found) -> None:
        self.rounds = rounds
        self.fight = item.fight
        self.names = item.names
        self.people, self.able = item.people[:], item.able[:]
        self.xs, self.ys = item.xs[:], item.ys[:]
        self.complexities = item.complexities
        self.sides = item.sides
        self.foes = item.foes
        self.shared = item.shared
        self.attacked = [by[:] for by in item.attacked]
        self.queue = item.queue[:]
        self.round = item.fight.round
        self.usual = item.usual
        self.walked = False
        self.rest: tuple[int, int, Fight] | None = None

    def run(self, until: int) -> Fight:
        """Play round after round."""
        until = min(until, self.fight.rounds)
        while self._play_turns() and self.round < until and self._begin():
            pass
        return self._whole_fight() if self.walked else self.fight

    def _play_turns(self) -> bool:
        """Play the turns of a round; whether it ended with both sides standing."""
        people, able = self.people, self.able
        while self.queue:
            at = LAST - (self.queue[-1] & LAST)
            actor = people[at]
            body = self.shared.get(at) if self.shared else None
            if body is actor.body:
                body = None
            aim = self._aim(at, actor, body)
            out = self._play_attack(at, actor, body, aim) if aim is not None else self._play_idle_turn(at, actor, body)
            if out is None:
                return False
            if self.shared and not (self.queue and LAST - (self.queue[-1] & LAST) in self.shared):
                out += self._end_moment()
                self.shared = {}
            if out:
                for number in out:
                    able[number] = False
                    if _has_own_roll(people[number]):
                        self.usual = False
                self.queue = [code for code in self.queue if able[LAST - (code & LAST)]]
                self.foes = {side: [foe for foe in foes if able[foe]] for side, foes in self.foes.items()}
                if not self.shared and not all(self.foes.values()):
                    return False
            if people[at].ready is not None:
                return False
        return not self.shared

    def _play_attack(self, at: int, actor: Fighter, body: Patient | None, aim: tuple[int, float, float, float]) -> list[int] | None:
        """Play an attack: who is out by it; None if others may strike now or the turn continues."""
        rounds, people = self.rounds, self.people
        foe, near, x, y = aim
        total = self.queue.pop() >> 8
        if not self.shared and self.queue and self.queue[-1] >> 8 == total:
            self.shared = self._moment(at, total)
        shared, target, by = self.shared, people[foe], self.attacked[foe]
        before = by.index(at) if at in by else len(by)
        defends = shared.get(foe) if shared else None
        if defends is target.body:
            defends = None
        names = (self.names[at], self.names[foe]) if actor.aim_at or target.aim_at else NOBODY
        between = actor, target, near, before, body, defends, names
        turn = rounds.blows.get(between)
        if turn is None:
            turn = rounds.blow(self.fight.ground, between)
        self.walked = True
        done = turn.draw(rounds.luck)
        people[at] = done.actor
        if done.moved:
            self.xs[at], self.ys[at] = x, y
        people[foe] = done.target if foe in shared else done.felt
        if done.attacked and at not in by:
            by.append(at)
        if done.after is not None:
            self.rest = at, foe, done.after
            return None
        return [foe] if done.hurt and foe not in shared and not people[foe].body.able else []

    def _play_idle_turn(self, at: int, actor: Fighter, body: Patient | None) -> list[int] | None:
        """Play the turn of a fighter whose enemies all fell in the shared moment; None if there is more to it."""
        if body is not None or not self.shared or self.foes[self.sides[at]]:
            return None
        idle = self.rounds.idle(self.fight.ground, actor)
        if idle is None:
            return None
        self.queue.pop()
        self.people[at], self.walked = idle, True
        return []

    def _aim(self, at: int, actor: Fighter, body: Patient | None) -> tuple[int, float, float, float] | None:
        """The target, an equivalent distance, and the place of the attack; None if more may happen."""
        rounds = self.rounds
        means = rounds.means.get((actor, body), UNKNOWN)
        if means is UNKNOWN:
            means = rounds.means_of(actor, body)
        if means is None:
            return None
        x, y = self.xs[at], self.ys[at]
        foe, metres = self._nearest(at, x, y)
        if foe < 0:
            return None
        if actor.confused:  # ducks, unless that helps nobody
            target = self.people[foe]
            reach = float(reach_of(rounds.rules, target.profile, target.weapon))
            return foe, reach if metres <= reach else reach + 1, x, y
        if metres <= means.reach:
            return foe, means.reach, x, y
        for near in means.paces:
            if metres <= near:
                break
        else:
            return None
        if self.fight.ground.water != "dry" or actor.pinned:
            return None
        step = metres - CLOSE_UP
        x, y = spot_at(x + (self.xs[foe] - x) / metres * step, y + (self.ys[foe] - y) / metres * step)
        return self._nearest(at, x, y)[0], near, x, y

    def _nearest(self, at: int, x: float, y: float) -> tuple[int, float]:
        """The enemy nearest to a place, and the distance; -1 if none is left."""
        xs, ys = self.xs, self.ys
        nearest, least = -1, inf
        for foe in self.foes[self.sides[at]]:
            metres = hypot(xs[foe] - x, ys[foe] - y)
            if metres < least:
                nearest, least = foe, metres
        return nearest, least

    def _moment(self, first: int, total: int) -> dict[int, Patient]:
        """The bodies of those who act at the same time."""
        people, patient_by_number = self.people, {first: self.people[first].body}
        for code in reversed(self.queue):
            if code >> 8 != total:
                break
            at = LAST - (code & LAST)
            patient_by_number[at] = people[at].body
        return patient_by_number

    def _end_moment(self) -> list[int]:
        """End the moment: wounds bring people down, and these are out."""
        people, rules, out = self.people, self.rounds.rules, []
        for at, body in self.shared.items():
            if people[at].body is not body:
                people[at] = _anonymous(brought_down(rules, people[at]))
                if not people[at].body.able:
                    out.append(at)
        return out

    def _begin(self) -> bool:
        """Start the next round, unless there is more to it than initiative."""
        rounds, people, able = self.rounds, self.people, self.able
        if not self.usual:
            return False
        standing = [at for at, fit in enumerate(able) if fit]
        lowest = min([self.complexities[at] for at in standing], default=1)
        known, random = rounds.initiative.get(lowest), rounds.luck.random
        if known is None:
            known = rounds.initiative[lowest] = Memory(MOST_TURNS)
        begun = [known.get(people[at], UNKNOWN) for at in standing]
        if UNKNOWN in begun:
            begun = [rounds.begins(people[at], lowest) for at in standing]
        if None in begun:
            return False
        queue = []
        for at, (sums, results) in zip(standing, begun, strict=True):
            total, people[at] = results[bisect(sums, random())]
            queue.append((total << 8) + LAST - at)
        queue.sort()
        self.queue = queue
        self.attacked = [[] for _ in people]
        self.round += 1
        self.walked = True
        return True

    def _whole_fight(self) -> Fight:
        """The whole fight at present."""
        names = self.names
        fighters = [
            replace(_with_name(fighter, name), x=x, y=y, attacked_by=tuple([names[other] for other in by]))
            for fighter, name, x, y, by in zip(self.people, names, self.xs, self.ys, self.attacked, strict=True)
        ]
        groups: dict[int, list[str]] = {}
        for code in reversed(self.queue):
            at = LAST - (code & LAST)
            groups.setdefault(code if at in self.shared else code >> 8, []).append(names[at])
        fight = replace(
            self.fight,
            fighters=tuple(fighters),
            round=self.round,
            queue=tuple([tuple(group) for group in groups.values()]),
            frozen=tuple([Moment(names[at], unnamed(body, names[at])) for at, body in self.shared.items()]),
        )
        if self.rest is None:
            return fight
        at, foe, after = self.rest
        return go_on_whole(self.rounds.rules, fight, names[at], names[foe], called=after.fighters[0].profile.name, after=after)


@cached(50_000)
def _complexity(profile: Profile) -> int:
    return profile.trained("combat sense").complexity
