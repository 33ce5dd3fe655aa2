"""Chances of a declaration after the roll: dice are evaluated only when they matter, fastest first.

Everybody rolls at the same time, but sets wait for their Speed. So sets are read only when they are applied or could counter; until then
only their upper Speed and lost dice are known. `rounds.applied_at` resolves each Speed. Equal states are merged, and people who cannot
affect the question are left out.
"""

from itertools import count
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Verdict, sub
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import watched
from rulewright.scenes.scene import Followed, Scene, Solve
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Group, Pending
from rulewright.systems.ore.drama.determination import Cast, Speed, in_time
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.forecast.accumulator import Reckoning
from rulewright.systems.ore.fight.forecast.applicability import Unseen, spends_nothing, waits_for_its_speed, ways_to_fall
from rulewright.systems.ore.fight.forecast.drama_points import rolls_against
from rulewright.systems.ore.fight.forecast.moments import Moments
from rulewright.systems.ore.fight.forecast.other_sets import ALONE, Course, NotSo, Setting, alike, course_of, lasts, without_him
from rulewright.systems.ore.fight.forecast.own_sets import Laying
from rulewright.systems.ore.fight.forecast.relevant_rolls import Rolling, Sets, Weights
from rulewright.systems.ore.fight.resolution.lost_dice import shaken
from rulewright.systems.ore.fight.resolution.sets import closed
from rulewright.systems.ore.fight.rounds import applied_at, moment, still_choking
from rulewright.systems.ore.harm.locations import ARMS
from rulewright.systems.ore.resolution.contests import spoiled_at

Learnt = tuple[Any, ...]
"""What is known of sets that have not been looked at, and what was done to them, in this order."""


_numbers = count()
MOST_WAYS = 20_000
"""Where dice can fall in more ways than this they are not gone through one by one: nobody waits so long."""
LOOKS = 50
"""After so many moments it is looked whether there is time left."""


def foretold(scene: Scene[Fight], fight: Fight, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
    """The odds of a question in a round in which everybody is about to roll; None where dice are looked at in other ways too."""
    if fight.phase != "roll":
        return None
    followed = question.acts and waits_for_its_speed(scene.rules, fight)
    spend = [fighter for fighter in fight.fighters if fighter.drama and not spends_nothing(scene.rules, fighter, solve)] if followed else []
    if followed and not spend:
        return _Round(scene, fight, question, solve).verdicts(so_far)
    laid = _Round(scene, fight, question, solve, spend[0]).laid(so_far) if len(spend) == 1 else None
    return laid or (Odds({}, 1, 1) if ways_to_fall(scene.rules, fight) > MOST_WAYS else None)


def _applied(rules: Ruleset, fight: Fight, top: Speed, question: Followed, so_far: Verdict | None) -> Play[Any]:
    """Evaluates one moment up to its verdict."""
    return (yield from watched(applied_at(rules, fight, top), question, so_far))


def _nothing(number: int) -> Play[int]:
    """Nothing: asked now and then, since what is remembered takes no time that anybody counts."""
    yield from ()
    return number


class _Node(NamedTuple):
    """How things stand: the fight with the sets that were looked at, what is known of the others, and the worst so far."""

    fight: Fight
    unseen: tuple[tuple[str, Learnt], ...]
    so_far: Verdict | None


class _Round(Rolling):
    """The round followed moment by moment, or laid against that of the others where it may be."""

    def __init__(self, scene: Scene[Fight], fight: Fight, question: Followed, solve: Solve, spender: Fighter | None = None) -> None:
        super().__init__(scene, fight, question, solve, spender)
        self.count = Reckoning[_Node]()
        self._rolled: dict[tuple[str, Learnt], Weights] = {}
        self._tops: dict[tuple[str, Learnt], tuple[Speed | None, list[tuple[Sets, int]]]] = {}
        self._masses: dict[tuple[str, Learnt], int] = {}
        self._struck: dict[tuple[str, Learnt], set[str]] = {}
        self._aimed: dict[tuple[str, Learnt], frozenset[str]] = {}
        self._goals: dict[Pending, str] = {}
        self._fresh: dict[Any, Fighter] = {}
        self.moments = Moments(self.rules, fight, question.who, self.order, solve)
        self._looks = 0

    def verdicts(self, so_far: Verdict | None) -> Odds[Any]:
        """The possible verdicts, each with its weight."""
        laid = self.laid(so_far)
        if laid is not None:
            return laid
        choking = self._choking()
        begun = replace(self.fight, phase="resolve", casts=(), pending=choking, plain="")
        nodes = {_Node(begun, (), so_far): 1}
        for cast in self.fight.casts:
            if cast.who in self.actors:
                nodes = self._with_roll(nodes, cast)
        for group in self.fight.groups:
            if self._mooks_roll(group):
                nodes = self._with_mooks(nodes, group.name)
        if self.count.late:
            return Odds({}, 1, 1)
        for node, weight in nodes.items():
            self._put(node, weight, 1)
        return self.count.run(self._at)

    def laid(self, so_far: Verdict | None) -> Odds[Any] | None:
        """The same by the shorter way, where there is one."""
        if so_far is not None or self._choking() or not self._lies_apart() or not self._told_blindly():
            return None
        try:
            return self._laid()
        except Unseen:  # who spends points looks at what there is
            return None

    def _choking(self) -> Sets:
        return tuple([pending for pending in still_choking(self.rules, self.fight) if pending.act.target in self.matter])

    def _told_blindly(self) -> bool:
        """Whether points that somebody would spend make no difference but to the sets of one of the others."""
        if self.spender is None:
            return True
        against = rolls_against(self.fight, self.spender)
        others = {cast.who for cast in self.fight.casts} - {self.who}
        return self.spender.name not in self.matter | {self.who} and len(against) <= 1 and against <= others

    def _lies_apart(self) -> bool:
        """Whether nothing that the others do before his moment depends on what the subject has declared."""
        guarded = self.guarded & {self.who, *self._goals_of(self.who)}
        if self.question.guards or self.held or guarded or self.rules.word("speed-of-a-shaken-set") != "stays":
            return False
        others = [(name, act) for name, acts in self.acts.items() if name in self.actors and name != self.who for act in acts]
        return all(self._plain(name, act) or act.kind in ALONE for name, act in others)

    def _laid(self) -> Odds[Any] | None:
        """The odds, matched with the course of the others' round; None where that cannot be followed so."""
        goals = frozenset([goal for goal in self._goals_of(self.who) if self._may_change(goal)])
        actors, matter = self._reach(self.fight, self.doing, set(goals), self.guarded)
        own = next((cast for cast in self.fight.casts if cast.who == self.who), None)
        if own is None:
            return None
        fallen = self._fallen(own)
        floor = min([self._slowest(), *[pending.speed for weights in fallen.known.values() for sets in weights for pending in sets]])
        others, fight = frozenset(actors) - {self.who}, without_him(self.fight, self.who)
        setting = Setting(fight, self.who, goals, others, frozenset(matter), frozenset(self.guarded), floor)
        odds = self.solve(sub(course_of, self.scene, setting, tuple(self.order)))
        if not odds.weights or fallen.late:
            return Odds({}, 1, 1)
        (course,) = odds.weights
        try:
            if not self._followed(course):
                return Odds({}, 1, 1)
            return Laying(self.rules, self.fight, self.question, course, self.solve).verdicts(fallen)
        except NotSo:
            return None

    def _slowest(self) -> Speed:
        """The lowest Speed that a set commonly has: the same for all options, so that they share what the others do."""
        narrowest = 1 if self.rules.on("the-run") else 2
        return {"width": (narrowest,), "height": (1, narrowest), "waste": (0,)}[self.rules.word("speed")]

    def _may_change(self, goal: str) -> bool:
        """Whether others can do something to a goal that makes a difference to what is done to it then."""
        aimed_at = any(goal in aims or "" in aims for name, aims in self.doing.items() if name != self.who)
        group = self.fight.group(goal)
        return aimed_at and not (group is not None and lasts(without_him(self.fight, self.who), group) and alike(self.rules, group))

    def _followed(self, course: Course) -> bool:
        """Whether there was time to follow the others' round to its end."""
        if not course.begun:
            rolls: dict[str, tuple[int, list[tuple[Fighter | Group, Weights]]]] = {}
            for name in course.actors:
                group = self.fight.group(name)
                if group is not None:
                    nothing: tuple[int, Weights, bool] = (1, {(): 1}, False)
                    total, weights, late = self._mooks_fallen(name) if self._mooks_roll(group) else nothing
                    rolls[name] = total, [(group, weights)]
                else:
                    cast = next((cast for cast in self.fight.casts if cast.who == name), None)
                    rolls[name], late = self._fallen_of_all(name, cast)
                if late:
                    return False
            course.begin(rolls, self._reach)
        return course.done or course.follow(self._is_late, self.solve)

    def _is_late(self) -> bool:
        """Whether there is no time left, looked at now and then."""
        self._looks += 1
        if self._looks % LOOKS == 0:
            self.count.late |= bool(self.solve(sub(_nothing, next(_numbers))).unsettled)
        return self.count.late

    def _with_roll(self, nodes: dict[_Node, int], cast: Cast) -> dict[_Node, int]:
        """One more who has rolled."""
        was, fallen = self.fight.fighter(cast.who), self._fallen(cast)
        self.count.rolls *= fallen.total
        for verdict, weight in fallen.ended.items():
            self.count.end(verdict, weight, fallen.total)
        result: dict[_Node, int] = {}
        for place, ((fighter, at_once), weights) in enumerate(fallen.known.items()):
            learnt: Learnt = (("as", place),)
            self._rolled[cast.who, learnt] = weights
            for node, weight in nodes.items():
                fight = node.fight if fighter == was else node.fight.put(fighter)
                so_far = self.question.worst(node.so_far, at_once)
                result[node._replace(fight=fight, unseen=(*node.unseen, (cast.who, learnt)), so_far=so_far)] = weight
        return result

    def _with_mooks(self, nodes: dict[_Node, int], name: str) -> dict[_Node, int]:
        """A group of mooks that has rolled."""
        total, weights, late = self._mooks_fallen(name)
        self.count.rolls *= total
        self.count.late |= late
        self._rolled[name, ()] = weights
        return {node._replace(unseen=(*node.unseen, (name, ()))): weight for node, weight in nodes.items()}

    # what is known of them

    def _weights(self, who: str, learnt: Learnt) -> Weights:
        """The sets that somebody may still have, as far as they have not been looked at."""
        known = self._rolled.get((who, learnt))
        if known is None:
            before, last = self._weights(who, learnt[:-1]), learnt[-1]
            if last == "hit":
                known = {}
                for sets, weight in before.items():
                    left = shaken(self.rules, sets, who)
                    if _waiting(left) or not self._spoils(who, sets):
                        known[left] = known.get(left, 0) + weight
            elif last[0] == "below":
                known = {sets: weight for sets, weight in before.items() if (top := _top(sets)) is None or top < last[1]}
            else:
                known = {sets: weight for sets, weight in before.items() if not self._reaches(sets, last[1])}
            self._rolled[who, learnt] = known
        return known

    def _spoils(self, who: str, sets: Sets) -> bool:
        """Whether the loss of these sets is the end of what was asked about."""
        return who == self.who and not self.question.guards and bool(_waiting(sets))

    def _mass(self, who: str, learnt: Learnt) -> int:
        if (who, learnt) not in self._masses:
            self._masses[who, learnt] = sum(self._weights(who, learnt).values())
        return self._masses[who, learnt]

    def _fastest(self, who: str, learnt: Learnt) -> Speed | None:
        """The highest Speed that somebody's sets may still have."""
        return self._first_of(who, learnt)[0]

    def _first_of(self, who: str, learnt: Learnt) -> tuple[Speed | None, list[tuple[Sets, int]]]:
        """The highest Speed that somebody's sets may still have, and those of which the first has it."""
        if (who, learnt) not in self._tops:
            tops = [(_top(sets), sets, weight) for sets, weight in self._weights(who, learnt).items()]
            highest = max([top for top, _, _ in tops if top is not None], default=None)
            self._tops[who, learnt] = highest, [(sets, weight) for top, sets, weight in tops if top == highest]
        return self._tops[who, learnt]

    def _may_strike(self, name: str, learnt: Learnt, at: str) -> bool:
        """Whether somebody may still have a set that is aimed at another, or at nobody in particular."""
        if (name, learnt) not in self._struck:
            self._struck[name, learnt] = {pending.act.target for sets in self._weights(name, learnt) for pending in _waiting(sets)}
        return bool({at, ""} & self._struck[name, learnt])

    # moment by moment

    def _put(self, node: _Node, num: int, den: int) -> None:
        """Go on with a state later, at the next Speed at which anything can happen."""
        node, num = self._narrowed(node, num)
        tops = [moment(node.fight, candidate) for candidate in _waiting(node.fight.pending)]
        tops += [top for pair in node.unseen if (top := self._fastest(*pair)) is not None]
        if not tops or self._is_over(node):
            self._settle(node, node.so_far, num, den)
            return
        self.count.wait(node, max(tops), num, den)

    def _is_over(self, node: _Node) -> bool:
        """Whether nothing can come of what was asked about any more."""
        fight, unseen = node.fight, node.unseen
        if self.scene.result(fight) is not None and not self.fight.plain:
            return True
        if self.question.guards:
            coming = any(candidate.act.target in (self.who, "") for candidate in _waiting(fight.pending))
            return not coming and not any(self._may_strike(*pair, self.who) for pair in unseen)
        return not any(who == self.who for who, _ in unseen) and not any(candidate.who == self.who for candidate in _waiting(fight.pending))

    def _settle(self, node: _Node, verdict: Verdict | None, num: int, den: int) -> None:
        """This is what it came to, whatever those have who were not looked at."""
        for pair in node.unseen:
            num *= self._mass(*pair)
        self.count.settle(verdict, num, den)

    def _at(self, node: _Node, top: Speed, num: int, den: int) -> None:
        """One moment: everybody with a set of this Speed is examined, then those whose guard it asks for, and it is applied."""
        if self.count.late:
            return
        own = [
            candidate for candidate in _waiting(node.fight.pending) if candidate.who == self.who and moment(node.fight, candidate) == top
        ]
        if own and not self.question.guards:
            node, num = self._at_last(node, own, num)
        unseen = sorted(enumerate(node.unseen), key=lambda pair: pair[1][0] != self.who)
        for place, (who, learnt) in unseen:
            if self._fastest(who, learnt) == top:
                below = (*node.unseen[:place], (who, self._slower(learnt, top)), *node.unseen[place + 1 :])
                if self._mass(*below[place]):
                    later = node._replace(unseen=below)
                    if any(moment(node.fight, candidate) == top for candidate in _waiting(node.fight.pending)) or any(
                        self._fastest(*pair) == top for pair in below
                    ):
                        self._at(later, top, num, den)
                    else:
                        self._put(later, num, den)
                for sets, weight in self._first_of(who, learnt)[1]:
                    self._at(self._seen(node, place, sets), top, num * weight, den)
                return
        if not self._guards_asked(node, top, num, den):
            self._happens(node, top, num, den)

    def _at_last(self, node: _Node, own: list[Pending], num: int) -> tuple[_Node, int]:
        """The moment of the subject has come: nothing matters any more but what is done to his goals, and what guards them."""
        goals = {candidate.act.target for candidate in own} - {""}
        if self.held:
            return node, num
        kept = []
        for who, learnt in node.unseen:
            aims = self._aims(who, learnt)
            if aims & goals or "" in aims or (who in goals and who in self.guarded):
                kept.append((who, learnt))
            else:
                num *= self._mass(who, learnt)
        pending = tuple(
            [
                candidate
                for candidate in node.fight.pending
                if candidate.who == self.who or candidate.counters or self._aim(candidate) in {*goals, ""}
            ]
        )
        if len(kept) == len(node.unseen) and len(pending) == len(node.fight.pending):
            return node, num
        return node._replace(fight=replace(node.fight, pending=pending), unseen=tuple(kept)), num

    def _slower(self, learnt: Learnt, top: Speed) -> Learnt:
        """The same, and slower than this."""
        if learnt and learnt[-1] != "hit" and learnt[-1][0] == "below":
            learnt = learnt[:-1]
        return (*learnt, ("below", top))

    def _seen(self, node: _Node, place: int, sets: Sets) -> _Node:
        """The same with the sets of one more lying open."""
        pending = sorted([*node.fight.pending, *sets], key=lambda item: self.order.index(item.who) if item.who in self.order else -1)
        fight = replace(node.fight, pending=tuple(pending))
        return node._replace(fight=fight, unseen=(*node.unseen[:place], *node.unseen[place + 1 :]))

    def _guards_asked(self, node: _Node, top: Speed, num: int, den: int) -> bool:
        """Whether somebody had to be looked at whose guard is asked for, or who may be the reason to spare some of it."""
        fight = node.fight
        now = [candidate for candidate in _waiting(fight.pending) if moment(fight, candidate) == top]
        struck = {candidate.act.target for candidate in now}
        for place, (who, learnt) in enumerate(node.unseen):
            if self.held and who in self.guarded:
                self._open(node, place, top, num, den)
                return True
            if who in struck and who in self.guarded:
                return self._guard(node, place, [candidate for candidate in now if candidate.act.target == who], top, num, den)
            guards = [name for name in struck if any(candidate.counters and candidate.who == name for candidate in fight.pending)]
            if any(self._may_strike(who, learnt, name) for name in guards):
                self._open(node, place, top, num, den)
                return True
        return False

    def _open(self, node: _Node, place: int, top: Speed, num: int, den: int) -> None:
        for sets, weight in self._weights(*node.unseen[place]).items():
            self._at(self._seen(node, place, sets), top, num * weight, den)

    def _guard(self, node: _Node, place: int, now: list[Pending], top: Speed, num: int, den: int) -> bool:
        """Somebody's guard is looked at if it reaches what comes at him now, and just enough of it."""
        who, learnt = node.unseen[place]
        attacks = tuple([(candidate.height, candidate.speed) for candidate in now])
        idle = ("idle", attacks)
        if idle in learnt:
            return False
        unseen = (*node.unseen[:place], (who, (*learnt, idle)), *node.unseen[place + 1 :])
        alone = len(now) == 1 and not any(self._may_strike(*pair, who) for pair in node.unseen)
        alone = alone and not any(candidate.act.target == who and candidate not in now for candidate in _waiting(node.fight.pending))
        if self._mass(*unseen[place]):
            self._at(node._replace(unseen=unseen), top, num, den)
        reaching: Weights = {}
        for sets, weight in self._weights(who, learnt).items():
            if self._reaches(sets, attacks):
                sets = self._enough(sets, now[0]) if alone else sets
                reaching[sets] = reaching.get(sets, 0) + weight
        for sets, weight in reaching.items():
            self._at(self._seen(node, place, sets), top, num * weight, den)
        return True

    def _reaches(self, sets: Sets, attacks: tuple[tuple[int, Speed], ...]) -> bool:
        """Whether there is a guard among somebody's sets that is high and fast enough for an attack."""
        return any(
            pending.counters and pending.height >= height and in_time(self.rules, pending.speed, speed)
            for pending in sets
            for height, speed in attacks
        )

    def _enough(self, sets: Sets, attack: Pending) -> Sets:
        """The one guard against the only blow: as wide as it is of use, and just as high."""
        if len(sets) != 1:
            return sets
        guard = sets[0]
        width = min(guard.width, max(attack.width - spoiled_at(self.rules), 1))
        return (replace(guard, width=width, height=attack.height, speed=max(attack.speed, guard.speed) if guard.speed else guard.speed),)

    def _happens(self, node: _Node, top: Speed, num: int, den: int) -> None:
        """The moment itself, and what is left of everybody after it."""
        self._is_late()
        apart = self.moments.came(node.fight, top, self._aims_of(node.fight))
        if apart is not None:
            total, result = apart
            for (fight, hits, told), weight in result:
                self._told(node._replace(fight=fight), hits, told, num * weight, den * total)
            return
        odds = self.solve(sub(_applied, self.rules, node.fight, top, self.question, node.so_far))
        self.count.late |= bool(odds.unsettled)
        for outcome, weight in odds:
            if isinstance(outcome, Verdict):
                self._settle(node, outcome, num * weight, den * odds.total)
                continue
            (fight, hits), so_far = outcome
            self._after(node._replace(fight=fight, so_far=so_far), hits, num * weight, den * odds.total)

    def _told(self, node: _Node, hits: tuple[str, ...], told: tuple[Verdict, ...], num: int, den: int) -> None:
        """A moment after which this was told of the subject."""
        so_far = node.so_far
        for verdict in told:
            if self.question.ends(verdict):
                self._settle(node, verdict, num, den)
                return
            so_far = self.question.worst(so_far, verdict)
        self._after(node._replace(so_far=so_far), hits, num, den)

    def _aims_of(self, fight: Fight) -> dict[Pending, str]:
        """Whom each set that waits can reach."""
        return {candidate: self._aim(candidate) for candidate in fight.pending if not candidate.counters}

    def _after(self, node: _Node, hits: tuple[str, ...], num: int, den: int) -> None:
        """A person who was hit and not looked at loses dice too; a person who is out has none left."""
        fight, unseen = node.fight, node.unseen
        for place, (who, learnt) in enumerate(unseen):
            group = fight.group(who)
            many = hits.count(who) if group is None or self.rules.on("mooks-lose-dice") else 0
            out = not fight.able(who)
            if not many and not out:
                continue
            before = self._weights(who, learnt) if who == self.who and not self.question.guards else {}
            rest = (*node.unseen[:place], *node.unseen[place + 1 :])
            for sets, weight in before.items():
                if not self._spoils(who, sets):
                    continue
                left = sets
                for _ in range(many):
                    left = shaken(self.rules, left, who)
                if out or not _waiting(left):
                    verdict = closed(self.rules, fight, _waiting(sets)[0], "spoiled").event.verdict()
                    self._settle(node._replace(unseen=rest), verdict, num * weight, den)
            if out:
                if who != self.who or self.question.guards:
                    self._after(node._replace(unseen=rest), hits, num * self._mass(who, learnt), den)
                return
            after = (*learnt, *["hit"] * many)
            if not self._mass(who, after):
                return
            hits = tuple([name for name in hits if name != who])
            node = node._replace(unseen=(*node.unseen[:place], (who, after), *node.unseen[place + 1 :]))
        self._put(node, num, den)

    # what makes no difference any more

    def _aims(self, who: str, learnt: Learnt) -> frozenset[str]:
        """At whom somebody may still have a set; nobody named where it is no plain blow."""
        if (who, learnt) not in self._aimed:
            self._aimed[who, learnt] = frozenset([self._aim(pending) for sets in self._weights(who, learnt) for pending in _waiting(sets)])
        return self._aimed[who, learnt]

    def _aim(self, pending: Pending) -> str:
        if pending not in self._goals:
            self._goals[pending] = self._reached_by(pending.who, pending.act)
        return self._goals[pending]

    def _narrowed(self, node: _Node, num: int) -> tuple[_Node, int]:
        """The same without the sets that can reach nothing any more which matters, and how those fare who do not."""
        fight, doing = node.fight, dict[str, frozenset[str]]()
        guards = {item.who for item in fight.pending if item.counters} | {who for who, _ in node.unseen if who in self.guarded}
        for candidate in _waiting(fight.pending):
            doing[candidate.who] = doing.get(candidate.who, frozenset()) | {self._aim(candidate)}
        for who, learnt in node.unseen:
            doing[who] = self._aims(who, learnt)
        own = [item.act.target for item in _waiting(fight.pending) if item.who == self.who]
        own += [act.target for act in self.acts.get(self.who, ()) if not action_of(act).counters] if not own else []
        if "" in doing.get(self.who, ()):
            return node, num
        actors, matter = self._reach(fight, doing | {name: doing.get(name, frozenset()) for name in guards}, {*own} - {""}, guards)
        kept = []
        for who, learnt in node.unseen:
            if who in actors:
                kept.append((who, learnt))
            else:
                num *= self._mass(who, learnt)
        aims = {goal for name, goals in doing.items() if name in actors for goal in goals}
        if "" in aims:
            return node._replace(unseen=tuple(kept)), num
        pending = tuple([item for item in fight.pending if item.who in actors])
        fighters = tuple([self._as_far_as(fighter, fighter.name in matter, fighter.name in aims) for fighter in fight.fighters])
        groups = tuple([group if group.name in matter or not group.able else self.fight.one(group.name) for group in fight.groups])
        return node._replace(fight=replace(fight, pending=pending, fighters=fighters, groups=groups), unseen=tuple(kept)), num

    def _as_far_as(self, fighter: Fighter, matters: bool, aimed_at: bool) -> Fighter:
        """Somebody as far as it matters how he is: not how he is hurt, where nothing is aimed at him any longer."""
        was = self.fight.fighter(fighter.name)
        if fighter is was or aimed_at:
            return fighter
        if not matters:
            return self._fresh.setdefault((fighter.name, fighter.able), was if was.able == fighter.able else fighter)
        arms = tuple([fighter.body.usable(arm) for arm in ARMS])
        like = (replace(fighter, body=was.body, worn=was.worn), fighter.able, arms, fighter.body.drama, fighter.body.luck)
        return self._fresh.setdefault(like, fighter)


def _waiting(sets: Sets) -> list[Pending]:
    """The sets that are applied at their Speed, and do not wait for what they can answer."""
    return [pending for pending in sets if not pending.counters]


def _top(sets: Sets) -> Speed | None:
    """The Speed of the first of somebody's sets."""
    return max([_moment(sets, pending) for pending in sets if not pending.counters], default=None)


def _moment(sets: Sets, pending: Pending) -> Speed:
    """When a set is applied, among one's own."""
    rests = next((other for other in sets if pending.needs and other.place == pending.needs), None)
    return pending.speed if rests is None else min(pending.speed, _moment(sets, rests))
