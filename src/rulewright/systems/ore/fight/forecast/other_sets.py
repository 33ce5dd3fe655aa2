"""The round of all others up to the asked fighter's action, computed once for all options.

Until that action is applied, the declaration does not change what others do, unless it is a defence. So their round is followed without
it, Speed by Speed (`rounds.applied_at`), and the state between Speeds is kept: hits taken, damage to fighter and targets, and who
attacks these. Sets and bodies are numbers here, and irrelevant differences are merged.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, sub
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import overheard
from rulewright.scenes.scene import Scene, Solve
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Group, Pending, Plan
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.resolution.lost_dice import shaken
from rulewright.systems.ore.fight.resolution.sets import resolved
from rulewright.systems.ore.fight.rounds import still_armed
from rulewright.systems.ore.harm.locations import ARMS

Sets = tuple[Pending, ...]
Weights = dict[Sets, int]
Dist = int
"""The number of a distribution of sets that somebody may still have."""
One = int
"""The number of somebody as he is."""
Lost = tuple[tuple[Speed, int], ...]
"""At which Speeds hits have cost somebody how many dice."""

Reach = Callable[[Fight, dict[str, frozenset[str]], set[str], set[str]], tuple[set[str], set[str]]]

BEFORE: Speed = (1_000_000,)
"""Before the first moment."""
AFTER: Speed = ()
"""After the last."""
LATE = Act("pass", "nobody in time")
"""What a set does that comes too late to change anything."""


class State(NamedTuple):
    """How things stand between two moments: what those may still have who are in it, how everybody is who matters, and when hits have cost
    the subject how many dice."""

    dists: tuple[Dist, ...]
    ones: tuple[One, ...]
    lost: "Lost"


class Known(NamedTuple):
    """The fastest sets that somebody may still have: their Speed, each with what waits after it, and what there is if they are slower."""

    top: Speed | None
    now: tuple[tuple[Sets, Dist, int], ...]
    slower: Dist
    factor: int


class Gone(NamedTuple):
    """Those who have come to an end: the subject is out, or the fight is over."""

    at: Speed
    lost: Lost
    out: bool


class Stood(NamedTuple):
    """How things stood for a set: dice lost, the subject and his goals, and who strikes at these just then."""

    lost: Lost
    own: One
    goals: tuple[One, ...]
    sets: Sets
    strikers: tuple[One, ...]
    den: int


class Setting(NamedTuple):
    """Which round of others: the fight without what the subject declared, his goals, and who is in it."""

    fight: Fight
    who: str
    goals: frozenset[str]
    actors: frozenset[str]
    matter: frozenset[str]
    guarded: frozenset[str]
    floor: Speed
    """No set of his is slower than this."""


class Late(Exception):
    """There was no time left in the middle of a moment."""


class NotSo(Exception):
    """Something happened in the round that is not followed here."""


def without_him(fight: Fight, who: str) -> Fight:
    """The fight in which it does not matter what somebody declared."""
    bare = fight.bare and not fight.fighter(who).cover.any
    plans = tuple([Plan(who, (Act("pass"),), exposed=plan.exposed and not bare) if plan.who == who else plan for plan in fight.plans])
    marks = tuple([mark for mark in fight.fighter(who).marks if not mark[1]])  # those about others count for what he does himself
    fight = fight.change(who, aim=0, feints=0, against="", impresses=False, marks=marks)
    return replace(fight, plans=plans, casts=tuple([cast for cast in fight.casts if cast.who != who]))


def lasts(fight: Fight, group: Group) -> bool:
    """Whether more mooks are in a group than blows of others are aimed at it, each of which takes out one at most."""
    return group.mob.number > len([act for plan in fight.plans for act in plan.acts if act.target == group.name])


def alike(rules: Ruleset, group: Group) -> bool:
    """Whether a blow takes a mook out or leaves it unhurt: then what others do to them makes no difference to the next blow."""
    return rules.on("simple-mooks") or group.mob.threat == 1


ALONE = ("run", "skill")
"""What changes nothing but something about the person who does it."""


def struck_by(pending: Pending) -> str:
    """To whom a set does something: its target, or himself."""
    return pending.who if pending.act.kind in ALONE else pending.act.target


def one_blow(rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fighter | Group, int] | None]:
    """The target after a single blow, and the number of dice it loses; None where the blow did anything else."""
    target = struck_by(pending)
    (after, hits), _ = yield from overheard(resolved(rules, before, fight, still_armed(before, fight, pending)))
    struck: Fighter | Group = after.one(target)
    if after.put_one(fight.one(target)) != fight or any(name != target for name in hits):
        return None
    return struck, len(hits)


def course_of(scene: Scene[Fight], setting: Setting, order: tuple[str, ...]) -> Play["Course"]:
    """The round of the others, from its beginning: asked for as a part, so that all options of a question have the same."""
    yield from ()
    return Course(scene, setting, order)


class Course:
    """The round of the others."""

    def __init__(self, scene: Scene[Fight], setting: Setting, order: tuple[str, ...]) -> None:
        self.scene, self.rules, self.fight, self.who = scene, scene.rules, setting.fight, setting.who
        self.goals, self.order, self.floor, self._guarded = setting.goals, order, setting.floor, setting.guarded
        self.actors = [name for name in order if name in setting.actors and name != self.who]
        self.tracked = [*sorted(setting.matter)]
        self.place = {name: place for place, name in enumerate(self.tracked)}
        self.whole = 1
        """In how many ways the dice of the others can fall."""
        self.done = False
        self.spans: dict[tuple[Speed, Speed], dict[tuple[State, int], int]] = {}
        """States by the moment after which they stand, and the next that comes."""
        self.gone: dict[tuple[Gone, int], int] = {}
        self._begun = False
        self._open: dict[Speed, dict[tuple[State, int], int]] = {}
        self._ones: list[Fighter | Group] = []
        self._able: list[bool] = []
        self._one_of: dict[tuple[str, Fighter | Group], One] = {}
        self._dists: list[tuple[tuple[Sets, int], ...]] = []
        self._dist_of: dict[tuple[tuple[Sets, int], ...], Dist] = {}
        self._firsts: dict[Dist, Known] = {}
        self._masses: list[int] = []
        self._aimed: list[frozenset[str]] = []
        self._hit: dict[tuple[Dist, str], tuple[Dist, int]] = {}
        self._blows: dict[tuple[One, Pending, One], tuple[int, list[tuple[One, int, int]]]] = {}
        self._strikers: dict[One, One] = {}
        self._hims: dict[One, One] = {}
        self._plainer: dict[tuple[One, bool], One] = {}
        self._reached: dict[Any, tuple[tuple[bool, ...], tuple[bool, ...], tuple[bool, ...]]] = {}
        self._over: dict[tuple[One, ...], bool] = {}
        self._levelled: dict[One, One] = {}
        self._stood: dict[Speed, dict[Stood, int]] = {}
        self.nothing = self.dist({(): 1})[0]
        self._fixed = {group.name for group in self.fight.groups if group.name not in self.goals and lasts(self.fight, group)}

    # numbers for sets and bodies

    def one(self, fighter: Fighter | Group) -> One:
        """The number of somebody as he is."""
        key = fighter.name, fighter
        if key not in self._one_of:
            self._one_of[key] = len(self._ones)
            self._ones.append(fighter)
            self._able.append(fighter.able)
        return self._one_of[key]

    def as_is(self, number: One) -> Fighter | Group:
        """Somebody by his number."""
        return self._ones[number]

    def dist(self, weights: Weights) -> tuple[Dist, int]:
        """The number of a distribution, and by how much all its weights are larger than they need be."""
        factor = math.gcd(*weights.values())
        key = tuple(sorted([(sets, weight // factor) for sets, weight in weights.items()], key=_by_hash))
        number = self._dist_of.get(key)
        if number is None:
            number = self._dist_of[key] = len(self._dists)
            self._dists.append(key)
            self._masses.append(sum([weight for _, weight in key]))
            self._aimed.append(frozenset([struck_by(pending) for sets, _ in key for pending in sets if not pending.counters]))
        return number, factor

    def mass(self, dists: Iterable[Dist]) -> int:
        """In how many ways the dice may have fallen that were not looked at."""
        result = 1
        for dist in dists:
            result *= self._masses[dist]
        return result

    def first(self, dist: Dist) -> Known:
        """The fastest sets of a distribution."""
        known = self._firsts.get(dist)
        if known is None:
            known = self._firsts[dist] = self._first(dist)
        return known

    def _first(self, dist: Dist) -> Known:
        sets = self._dists[dist]
        top = max([pending.speed for lie, _ in sets for pending in lie if not pending.counters], default=None)
        if top is None:
            return Known(None, (), dist, 1)
        now: dict[Sets, Weights] = {}
        slower: Weights = {}
        for lie, weight in sets:
            first = tuple([pending for pending in lie if pending.speed == top and not pending.counters])
            rest = tuple([pending for pending in lie if pending.speed != top or pending.counters])
            into = now.setdefault(first, {}) if first else slower
            into[rest] = into.get(rest, 0) + weight
        entries = []
        for first, weights in now.items():
            after, factor = self.dist(weights)
            entries.append((first, after, factor))
        below, factor = self.dist(slower) if slower else (-1, 0)
        return Known(top, tuple(entries), below, factor)

    def _shaken(self, dist: Dist, who: str) -> tuple[Dist, int]:
        """The distribution of sets after a hit."""
        result = self._hit.get((dist, who))
        if result is None:
            weights: Weights = {}
            for sets, weight in self._dists[dist]:
                left = shaken(self.rules, sets, who)
                weights[left] = weights.get(left, 0) + weight
            result = self._hit[dist, who] = self.dist(weights)
        return result

    # the round

    def begin(self, rolls: "dict[str, tuple[int, list[tuple[Fighter | Group, Weights]]]]", reach: Reach) -> None:
        """Everybody else has rolled: who may have what, out of how many rolls. `reach` says whose sets matter to whom."""
        self._begun, self._reach = True, reach
        states: list[tuple[tuple[Dist, ...], dict[str, One], int]] = [((), {}, 1)]
        for name in self.actors:
            total, ways = rolls[name]
            self.whole *= total
            more = []
            for fighter, weights in ways:
                dist, factor = self.dist(self._in_time(weights, self._loses_dice(name)))
                more += [((*dists, dist), ones | {name: self.one(fighter)}, num * factor) for dists, ones, num in states]
            states = more
        for dists, ones, num in states:
            begun = tuple([ones.get(name, self.one(self.fight.one(name))) for name in self.tracked])
            self._put(State(dists, begun, ()), BEFORE, num, 1)

    def _loses_dice(self, name: str) -> bool:
        """Whether hits can cost somebody dice."""
        return self.fight.group(name) is None or self.rules.on("mooks-lose-dice")

    def _in_time(self, weights: Weights, loses: bool) -> Weights:
        """The sets that come before the subject has acted, or strike at his goals just then. Others change nothing, but a hit
        may take its die from one of them."""
        result: Weights = {}
        for sets, weight in weights.items():
            late = [pending.counters or (pending.speed <= self.floor and not self._just_then(pending)) for pending in sets]
            kept = [pending for pending, is_late in zip(sets, late, strict=True) if not is_late]
            if kept and loses and any(late):
                kept = [replace(pending, act=LATE) if is_late else pending for pending, is_late in zip(sets, late, strict=True)]
            result[tuple(kept)] = result.get(tuple(kept), 0) + weight
        return result

    def _just_then(self, pending: Pending) -> bool:
        """Whether a set strikes at one of his goals when his own slowest is applied."""
        return pending.speed == self.floor and struck_by(pending) in self.goals

    @property
    def begun(self) -> bool:
        """Whether everybody else has rolled."""
        return self._begun

    def follow(self, late: Callable[[], bool], solve: Solve) -> bool:
        """Go on to the end of the round; false where there is no time left, and it can be gone on with later."""
        self.solve = solve
        while self._open:
            top = max(self._open)
            bucket = self._open[top]
            while bucket:
                if late():
                    return False
                state, den = next(iter(bucket))
                try:
                    self._moment(state, top, bucket[state, den], den)
                except Late:
                    return False
                del bucket[state, den]
            del self._open[top]
        self.done = True
        return True

    def _put(self, state: State, at: Speed, num: int, den: int) -> None:
        """Keep how things stand after a moment, and go on with it at the next."""
        state, factor = self._narrowed(state)
        num *= factor
        tops = [top for dist in state.dists if (top := self.first(dist).top) is not None]
        then = max(tops, default=AFTER)
        span = self.spans.setdefault((at, then), {})
        span[state, den] = span.get((state, den), 0) + num
        if tops:
            bucket = self._open.setdefault(then, {})
            bucket[state, den] = bucket.get((state, den), 0) + num

    def _moment(self, state: State, top: Speed, num: int, den: int) -> None:
        """All sets of this Speed are applied; then those who were hit lose dice."""
        nobody = (0,) * len(self.tracked)
        number_by_entry: dict[tuple[tuple[Dist, ...], tuple[One, ...], tuple[int, ...], int], int] = {
            (state.dists, state.ones, nobody, den): num
        }
        for place, dist in enumerate(state.dists):
            known = self.first(dist)
            if known.top != top:
                continue
            more: dict[tuple[tuple[Dist, ...], tuple[One, ...], tuple[int, ...], int], int] = {}
            for (dists, ones, hits, under), weight in number_by_entry.items():
                head, tail = dists[:place], dists[place + 1 :]
                if known.factor:
                    key = ((*head, known.slower, *tail), ones, hits, under)
                    more[key] = more.get(key, 0) + weight * known.factor
                for sets, rest, ways in known.now:
                    left = (*head, rest, *tail)
                    for after, struck, chance, out_of in self._applied(state, self.actors[place], sets, ones, hits):
                        key = (left, after, struck, under * out_of)
                        more[key] = more.get(key, 0) + weight * ways * chance
            number_by_entry = more
        for (dists, ones, hits, under), weight in number_by_entry.items():
            self._after(state, dists, ones, hits, top, weight, under)

    def _applied(
        self, state: State, who: str, sets: Sets, ones: tuple[One, ...], hits: tuple[int, ...]
    ) -> list[tuple[tuple[One, ...], tuple[int, ...], int, int]]:
        """Somebody's sets of one moment: how everybody is then, who was hit how often, and with which chance."""
        entries = [(ones, hits, 1, 1)]
        for pending in sets:
            target = self.place.get(struck_by(pending), -1)
            if target < 0 or not self._able[state.ones[target]]:
                continue  # who was out before this moment is struck in vain
            if pending.act.target in self._guarded:
                raise NotSo  # how he guards himself is not followed here
            more = []
            for now, struck, chance, out_of in entries:
                total, ways = self._blow(now[target], pending, self._striker(who, state))
                for number, dice, weight in ways:
                    then = (*now[:target], number, *now[target + 1 :])
                    by = (*struck[:target], struck[target] + dice, *struck[target + 1 :]) if dice else struck
                    more.append((then, by, chance * weight, out_of * total))
            entries = more
        return entries

    def _after(
        self, state: State, dists: tuple[Dist, ...], ones: tuple[One, ...], hits: tuple[int, ...], top: Speed, num: int, den: int
    ) -> None:
        """The end of a moment: who is out has nothing left, and who was hit has lost dice."""
        able = [self._able[number] for number in ones]
        left = list(dists)
        for place, name in enumerate(self.actors):
            at = self.place[name]
            if left[place] == self.nothing:
                continue
            if not able[at]:
                num *= self._masses[left[place]]
                left[place] = self.nothing
                continue
            for _ in range(hits[at] if isinstance(self._ones[ones[at]], Fighter) or self.rules.on("mooks-lose-dice") else 0):
                left[place], factor = self._shaken(left[place], name)
                num *= factor
        dice = hits[self.place[self.who]]
        lost = (*state.lost, (top, dice)) if dice else state.lost
        if not able[self.place[self.who]]:
            self._ends(Gone(top, lost, out=True), num * self.mass(left), den)
        elif ones != state.ones and not all(able) and self._is_over(self._as_able(ones)):
            self._ends(Gone(top, lost, out=False), num * self.mass(left), den)
        else:
            self._put(State(tuple(left), ones, lost), top, num, den)

    def _ends(self, gone: Gone, num: int, den: int) -> None:
        self.gone[gone, den] = self.gone.get((gone, den), 0) + num

    def _is_over(self, ones: tuple[One, ...]) -> bool:
        """Whether one side alone is left."""
        if ones not in self._over:
            self._over[ones] = self.scene.result(self.as_stands(ones)) is not None and not self.fight.plain
        return self._over[ones]

    def _as_able(self, ones: tuple[One, ...]) -> tuple[One, ...]:
        """Everybody as at the beginning of the round if they are as able as then, otherwise as they are."""
        levelled = self._levelled
        return tuple([levelled[number] if number in levelled else self._level(number) for number in ones])

    def _level(self, number: One) -> One:
        was = self.fight.one(self._ones[number].name)
        level = self._levelled[number] = self.one(was) if was.able == self._able[number] else number
        return level

    def as_stands(self, ones: Iterable[One]) -> Fight:
        """The fight with these as they are."""
        fight = self.fight
        for number in ones:
            fight = fight.put_one(self._ones[number])
        return replace(fight, phase="resolve", casts=(), pending=(), plain="")

    # a blow

    def _blow(self, target: One, pending: Pending, striker: One) -> tuple[int, list[tuple[One, int, int]]]:
        """The target after a blow with the dice lost, each with its weight, and the total weight."""
        key = target, pending, striker
        known = self._blows.get(key)
        if known is None:
            name = struck_by(pending)
            fight = self.as_stands((striker, target) if pending.who != name else (target,))
            before = fight.put_one(self.fight.one(name)) if pending.who != name else fight
            odds = self.solve(sub(one_blow, self.rules, before, fight, pending))
            if odds.unsettled:
                raise Late
            if None in odds.weights:
                raise NotSo
            known = self._blows[key] = (odds.total, [(self._kept(result[0]), result[1], weight) for result, weight in odds])
        return known

    def _kept(self, fighter: Fighter | Group) -> One:
        """Somebody after a blow; a group of which always enough are left is as it was."""
        return self.one(self.fight.one(fighter.name) if fighter.name in self._fixed else fighter)

    def _striker(self, who: str, state: State) -> One:
        """Somebody as far as it matters to a blow of his: not how he is hurt, but which arms he can use."""
        number = state.ones[self.place[who]]
        result = self._strikers.get(number)
        if result is None:
            fighter, was = self._ones[number], self.fight.one(who)
            if isinstance(fighter, Fighter) and isinstance(was, Fighter):
                alike = all(fighter.body.usable(arm) == was.body.usable(arm) for arm in ARMS)
                fighter = replace(fighter, body=was.body) if alike else fighter
            result = self._strikers[number] = self.one(fighter)
        return result

    # what makes no difference any more

    def _narrowed(self, state: State) -> tuple[State, int]:
        """The same without the sets that can reach nothing any more which matters, and how those fare who do not."""
        aims = tuple([self._aimed[dist] for dist in state.dists])
        key = aims, self._as_able(state.ones)
        known = self._reached.get(key)
        if known is None:
            known = self._reached[key] = self._who_matters(*key)
        acts, matter, aimed_at = known
        factor, dists, ones = 1, list(state.dists), list(state.ones)
        for place, kept in enumerate(acts):
            if not kept and dists[place] != self.nothing:
                factor *= self._masses[dists[place]]
                dists[place] = self.nothing
        for place, number in enumerate(ones):
            if not aimed_at[place]:
                ones[place] = self._as_far_as(number, matter[place])
        return State(tuple(dists), tuple(ones), state.lost), factor

    def _who_matters(
        self, aims: tuple[frozenset[str], ...], ones: tuple[One, ...]
    ) -> tuple[tuple[bool, ...], tuple[bool, ...], tuple[bool, ...]]:
        """The flags of those whose sets still matter, of those who matter, and of those at whom such sets are aimed."""
        doing = {name: aim for name, aim in zip(self.actors, aims, strict=True) if aim}
        actors, matter = self._reach(self.as_stands(ones), doing | {self.who: self.goals}, set(self.goals), set())
        struck = {goal for name, goals in doing.items() if name in actors for goal in goals} | self.goals
        return (
            tuple([name in actors for name in self.actors]),
            tuple([name in matter for name in self.tracked]),
            tuple([name in struck for name in self.tracked]),
        )

    def _as_far_as(self, number: One, matters: bool) -> One:
        """Somebody as far as it matters how he is, where nothing is aimed at him any longer."""
        plain = self._plainer.get((number, matters))
        if plain is None:
            plain = self._plainer[number, matters] = self._plain(number, matters)
        return plain

    def _plain(self, number: One, matters: bool) -> One:
        fighter = self._ones[number]
        was = self.fight.one(fighter.name)
        if isinstance(fighter, Group) or isinstance(was, Group):
            return number if not fighter.able else self.one(was)
        if fighter.able == was.able and not matters:
            return self.one(was)
        if fighter.able and all(fighter.body.usable(arm) == was.body.usable(arm) for arm in ARMS):
            body = replace(was.body, drama=fighter.body.drama, luck=fighter.body.luck)
            return self.one(replace(fighter, body=body, worn=was.worn))
        return number

    # how things stood

    def _himself(self, number: One) -> One:
        """The subject, once his moment has come: what is aimed at him then comes too late. What luck and points he has is known
        from his own roll."""
        result = self._hims.get(number)
        if result is None:
            outcome, was = self._ones[self._as_far_as(number, matters=True)], self.fight.fighter(self.who)
            assert isinstance(outcome, Fighter)
            body = replace(outcome.body, drama=was.body.drama, luck=was.body.luck)
            result = self._hims[number] = self.one(replace(outcome, body=body))
        return result

    def before(self, at: Speed) -> dict[Stood, int]:
        """How things stood for a set of that Speed."""
        result = self._stood.get(at)
        if result is None:
            result = self._stood[at] = {}
            own, goals = self.place[self.who], [self.place[goal] for goal in sorted(self.goals)]
            for (since, then), span in self.spans.items():
                for (state, den), num in span.items() if since > at >= then else ():
                    ones = tuple([state.ones[goal] for goal in goals])
                    for sets, weight in self._striking(state) if then == at else (((), self.mass(state.dists)),):
                        strikers = tuple([self._striker(pending.who, state) for pending in sets])
                        stood = Stood(state.lost, self._himself(state.ones[own]), ones, sets, strikers, den)
                        result[stood] = result.get(stood, 0) + num * weight
        return result

    def _striking(self, state: State) -> list[tuple[Sets, int]]:
        """The sets that strike at the goals in the moment that comes next, with the weights."""
        at = max([top for dist in state.dists if (top := self.first(dist).top) is not None])
        pairs: list[tuple[Sets, int]] = [((), 1)]
        for dist in state.dists:
            known = self.first(dist)
            if known.top != at or not self.goals & self._aimed[dist]:
                pairs = [(sets, weight * self._masses[dist]) for sets, weight in pairs]
                continue
            more: Weights = {}
            for sets, weight in pairs:
                if known.factor:
                    more[sets] = more.get(sets, 0) + weight * known.factor * self._masses[known.slower]
                for now, rest, ways in known.now:
                    both = (*sets, *[pending for pending in now if struck_by(pending) in self.goals])
                    more[both] = more.get(both, 0) + weight * ways * self._masses[rest]
            pairs = list(more.items())
        return pairs


def _by_hash(pair: tuple[Sets, int]) -> int:
    return hash(pair[0])
