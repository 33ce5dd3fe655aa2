"""Chances of declared actions in a battle: dice are evaluated only when they matter, fastest first.

As in `fight/forecast/forecast.py`. Everybody rolls at the same time, but a set waits for its Speed. So sets are read only when they
apply, or when they could counter one that does; `rounds.resolve_fastest` resolves each Speed. Rolls that cannot affect the question are
left out.
"""

import math
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Roll, Verdict, sub
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.evaluation import watched
from rulewright.scenes.scene import Followed, Scene, Solve
from rulewright.systems.ore.battle.actions.registry import action_of
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Waiting, Wing
from rulewright.systems.ore.battle.rounds import fired, made_of, moment, resolve_fastest, thrown_out, volley_reading
from rulewright.systems.ore.drama.determination import Determined, Speed, determine, in_time
from rulewright.systems.ore.fight.forecast.accumulator import Reckoning

Sets = tuple[Waiting, ...]
"""The waiting sets of one roller."""
FIRE = ("attack", "lock-on")
"""Orders that affect only their target."""
IDLE = ("pass", "skill", "defend")
"""Orders that affect nobody else."""


def foretold(scene: Scene[Battle], battle: Battle, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
    """The outcomes of a question in a round before the roll; None if one roll decides the value of another."""
    if battle.phase != "roll" or not question.acts:
        return None
    orders = [order for plan in battle.plans for order in plan.orders]
    if any(action_of(order).at_once for order in orders) or any(craft.harried for craft in battle.crafts):
        return None
    return _Round(scene, battle, question, solve).verdicts(so_far)


# --- what somebody rolls ------------------------------------------------------------------------------------------------------


def _falls(rules: Ruleset, battle: Battle, number: int) -> Play[tuple[Battle, Sets]]:
    """The possible results of one roller, independent of the others."""
    post, cast = battle.casts[number]
    determined: Determined = yield from sub(determine, rules, (cast,), "")
    battle, lies = yield from made_of(rules, battle, post, determined.sets[0])
    return battle, tuple(lies)


def _flies(rules: Ruleset, battle: Battle, number: int, level: bool) -> Play[tuple[Battle, Sets]]:
    """The possible results of a volley, counted from 1."""
    volley = battle.volleys[number - 1]
    read = volley_reading(rules, volley, level)
    sets = (yield from Roll(read, volley.post.who, "")) if read is not None else ()
    return battle, tuple((yield from fired(rules, battle, number, sets)))


def _alone(rules: Ruleset, battle: Battle, roller: "_Roller", question: Followed) -> "Play[Verdict | tuple[Any, Verdict | None]]":
    """One roller: the battle and the sets, or an immediate verdict."""
    play = _falls(rules, battle, roller.number) if roller.number >= 0 else _flies(rules, battle, -roller.number, roller.level)
    return (yield from watched(play, question, None))


def _applied(rules: Ruleset, battle: Battle, question: Followed, so_far: Verdict | None) -> Play[Any]:
    """The outcomes of the fastest sets."""
    return (yield from watched(resolve_fastest(rules, battle), question, so_far))


# --- the round ----------------------------------------------------------------------------------------------------------------


class _Roller(NamedTuple):
    """One roller: its index among casts (or volleys, from -1 downwards), its purpose, and whether Height matters."""

    number: int
    post: Post
    orders: tuple[Order, ...]
    level: bool = False


class _Reach(NamedTuple):
    """Who matters, who attacks whom, who is chased, and who flees."""

    matter: frozenset[str]
    fought: set[tuple[str, str]]
    chased: set[str]
    fleeing: set[str]
    endings: set[str]
    """Units with which the battle may end this round."""


class _Unseen(NamedTuple):
    """A roller with unread sets, and what is known of them."""

    roller: _Roller
    rolled: int
    below: Speed | None = None
    idle: tuple[Waiting, ...] = ()


class _Node(NamedTuple):
    """A node of the search: the battle with the sets read so far, the unread rollers, and the worst verdict so far."""

    battle: Battle
    unseen: tuple[_Unseen, ...]
    so_far: Verdict | None


class _Round:
    """A round from the roll on, for one question."""

    def __init__(self, scene: Scene[Battle], battle: Battle, question: Followed, solve: Solve) -> None:
        self.scene, self.rules, self.question, self.solve = scene, scene.rules, question, solve
        self.battle, self.who = battle, question.who
        self.rollers = self._who_matters()
        self.count = Reckoning[_Node]()
        self._rolled: dict[tuple[_Roller, int], dict[Sets, int]] = {}
        self._weighed: dict[_Unseen, dict[Sets, int]] = {}

    # who matters

    def _who_matters(self) -> list[_Roller]:
        """Those whose sets can reach the subject, whom he reaches for, or somebody whose sets can."""
        battle, plans = self.battle, {plan.post: plan.orders for plan in self.battle.plans}
        rollers = [_Roller(number, post, plans[post]) for number, (post, _) in enumerate(battle.casts)]
        rollers += [_Roller(-number, volley.post, (volley.order,)) for number, volley in enumerate(battle.volleys, 1)]
        rolling = [roller for roller in rollers if roller.post.who == self.who]
        endings = {unit.name for unit in battle.units if self._may_end_it(rollers, unit)}
        while True:
            reach = self._reach(rolling, endings)
            more = [
                roller
                for roller in rollers
                if roller in rolling or any(self._matters(roller.post.craft, order, reach) for order in roller.orders)
            ]
            if len(more) == len(rolling):
                break
            rolling = more
        fire_alone = all(order.kind in (*FIRE, "pass") for roller in rolling for order in roller.orders)
        return [roller._replace(level=fire_alone and self._is_level(roller, rolling)) for roller in rolling]

    def _may_end_it(self, rollers: list[_Roller], unit: Craft | Wing) -> bool:
        """Whether the battle may end in this round, since everybody of a side may fall to others, or break off."""
        others = [(roller.post.craft, order) for roller in rollers if roller.post.who != self.who for order in roller.orders]
        aims = {order.target for _, order in others if action_of(order).attack}
        swarmed = {
            candidate.side
            for candidate in self.battle.units
            for craft, order in others
            if order.kind == "fight" and self._foes(craft, candidate)
        }
        fleeing = {craft: order.far for craft, order in others if order.kind == "escape"}
        apart = len({self.battle.unit(craft).side for craft in fleeing}) > 1  # who flees from each other is twice as far afterwards
        gone = {craft for craft, far in fleeing.items() if far or apart}
        side = [candidate for candidate in self.battle.units if candidate.side == unit.side and candidate.able]
        return all(candidate.name in aims or candidate.name in gone or candidate.side in swarmed for candidate in side)

    def _foes(self, craft: str, unit: Craft | Wing) -> bool:
        return self.battle.unit(craft).side != unit.side

    def _reach(self, rolling: list[_Roller], endings: set[str]) -> "_Reach":
        """The crafts and people that matter while these roll, with the fights, chases and escapes among them."""
        battle, crafts = self.battle, {roller.post.craft for roller in rolling}
        own = {plan.post.craft for plan in battle.plans if plan.post.who == self.who}
        orders = [(roller.post, order) for roller in rolling for order in roller.orders]
        goals = {order.target for post, order in orders if post.who == self.who and order.target and not self.question.guards}
        fought = {(post.craft, order.target) for post, order in orders if action_of(order).attack and order.kind != "fight"}
        for post, order in orders:
            if order.kind == "fight":
                fought |= {(post.craft, foe.name) for foe in battle.foes(battle.unit(post.craft).side)}
        matter = crafts | own | goals | endings
        aboard = {person.name for person in battle.people if person.craft in matter}
        chased = {order.target for _, order in orders if order.kind == "chase"}
        fleeing = {post.craft for post, order in orders if order.kind == "escape"}
        return _Reach(frozenset(matter | aboard), fought, chased, fleeing, endings)

    def _matters(self, craft: str, order: Order, reach: "_Reach") -> bool:
        """Whether an order can change how those fare who matter: whether they can act, reach each other, and hit."""
        involved = {name for pair in reach.fought for name in pair}
        if order.kind == "fight":
            foes = {foe.name for foe in self.battle.foes(self.battle.unit(craft).side)}
            return bool(foes & reach.matter) or any(craft != text for text, _ in reach.fought)
        if order.kind in IDLE:
            return False
        if action_of(order).attack:
            return order.target in reach.matter
        if action_of(order).counters:
            return any(other == craft for _, other in reach.fought)
        if order.kind == "position":
            return craft in involved
        if order.kind == "chase":
            return order.target in reach.fleeing or bool({(craft, order.target), (order.target, craft)} & reach.fought)
        return craft in involved | reach.chased | reach.fleeing | (reach.endings if order.kind == "escape" else set())

    def _is_level(self, roller: _Roller, rolling: list[_Roller]) -> bool:
        """Whether no Height of a volley matters: nobody can answer it, nobody is hurt by it who has a name, and nothing moves."""
        battle = self.battle
        if roller.number >= 0 or roller.post.role == "wing":
            return False
        if any(battle.aboard(order.target) for order in roller.orders):
            return False
        return not any(self._could_answer(other, order) for other in rolling for order in roller.orders)

    def _could_answer(self, roller: _Roller, order: Order) -> bool:
        """Whether somebody may have a set that can be put against such an order."""
        kinds = action_of(order).answered_by
        return any(own.kind in kinds or (own.kind == "fight" and "defend" in kinds) for own in roller.orders)

    # what they roll

    def verdicts(self, so_far: Verdict | None) -> Odds[Any]:
        """The possible verdicts, each with its weight."""
        begun = replace(self.battle, phase="roll", waiting=())
        nodes = [_Node(begun, (), so_far)]
        for roller in self.rollers:
            nodes = self._with_roll(nodes, roller)
        for node in nodes:
            ready = replace(node.battle, phase="resolve", casts=(), volleys=(), waiting=tuple(thrown_out(self.rules, node.battle)))
            self._put(node._replace(battle=ready), 1, 1)
        return self.count.run(self._at)

    def _with_roll(self, nodes: list[_Node], roller: _Roller) -> list[_Node]:
        """One more who has rolled; what it does to the vehicle at once (a Position that is lost) is known at once."""
        result: list[_Node] = []
        fell = [self.solve(sub(_alone, self.rules, node.battle, roller, self.question)) for node in nodes]
        self.count.late |= any(odds.unsettled for odds in fell)
        total = math.lcm(1, *[odds.total for odds in fell])
        self.count.rolls *= total
        for node, odds in zip(nodes, fell, strict=True):
            before = math.prod([self._mass(candidate) for candidate in node.unseen])
            by_battle: dict[tuple[Battle, Verdict | None], dict[Sets, int]] = {}
            for outcome, weight in odds:
                weight *= total // odds.total
                if isinstance(outcome, Verdict):
                    self.count.end(outcome, weight * before, self.count.rolls)
                    continue
                (battle, sets), told = outcome
                weights = by_battle.setdefault((battle, told), {})
                weights[sets] = weights.get(sets, 0) + weight
            for (battle, told), weights in by_battle.items():
                place = len(self._rolled)
                self._rolled[roller, place] = weights
                so_far = self.question.worst(node.so_far, told)
                result.append(_Node(battle, (*node.unseen, _Unseen(roller, place)), so_far))
        return result

    def _weights(self, unseen: _Unseen) -> dict[Sets, int]:
        """The sets that somebody may still have."""
        known = self._weighed.get(unseen)
        if known is None:
            known = self._rolled[unseen.roller, unseen.rolled]
            if unseen.below is not None:
                known = {sets: weight for sets, weight in known.items() if (top := _top(sets)) is None or top < unseen.below}
            if unseen.idle:
                known = {sets: weight for sets, weight in known.items() if not self._answer(sets, unseen.idle)}
            self._weighed[unseen] = known
        return known

    def _mass(self, unseen: _Unseen) -> int:
        return sum(self._weights(unseen).values())

    def _fastest(self, unseen: _Unseen) -> Speed | None:
        return max([top for sets in self._weights(unseen) if (top := _top(sets)) is not None], default=None)

    # moment by moment

    def _put(self, node: _Node, num: int, den: int) -> None:
        """Go on with a state later, at the next Speed at which anything can happen."""
        if not num:
            return
        able = [item for item in node.unseen if node.battle.can_act(item.roller.post)]
        for candidate in node.unseen:
            num *= 1 if candidate in able else self._mass(candidate)
        node = node._replace(unseen=tuple(able))
        tops = [moment(node.battle, item) for item in node.battle.waiting if not item.counters]
        tops += [top for item in node.unseen if (top := self._fastest(item)) is not None]
        if self._is_over(node):
            self._settle(node, node.so_far, num, den)
        elif not tops:
            self._happens(node, num, den)
        else:
            self.count.wait(node, max(tops), num, den)

    def _is_over(self, node: _Node) -> bool:
        """Whether nothing can come of what was asked about any more."""
        if self.scene.result(node.battle) is not None:
            return True
        if self.question.guards:
            return not self.scene.threatened(node.battle, self.who) and not any(self._may_strike(candidate) for candidate in node.unseen)
        if any(candidate.roller.post.who == self.who for candidate in node.unseen):
            return False
        return not self.scene.under_way(node.battle, self.who)

    def _may_strike(self, unseen: _Unseen) -> bool:
        """Whether somebody may still have a set that is aimed at anybody of the one who is asked about."""
        own = {post.craft for post in [plan.post for plan in self.battle.plans] if post.who == self.who} | {self.who}
        return any(waiting.order.target in own for sets in self._weights(unseen) for waiting in sets if not waiting.counters)

    def _settle(self, node: _Node, verdict: Verdict | None, num: int, den: int) -> None:
        """This is what it came to, whatever those have who were not looked at."""
        for candidate in node.unseen:
            num *= self._mass(candidate)
        self.count.settle(verdict, num, den)

    def _at(self, node: _Node, top: Speed, num: int, den: int) -> None:
        """One moment: everybody with a set of this Speed is examined, then those who may answer it, and it is applied."""
        if self.count.late:
            return
        for place, result in enumerate(node.unseen):
            if self._fastest(result) == top:
                below = result._replace(below=top)
                later = node._replace(unseen=(*node.unseen[:place], below, *node.unseen[place + 1 :]))
                if self._mass(below):
                    now = any(moment(node.battle, candidate) == top for candidate in node.battle.waiting if not candidate.counters)
                    if now or any(self._fastest(candidate) == top for candidate in later.unseen):
                        self._at(later, top, num, den)
                    else:
                        self._put(later, num, den)
                for sets, weight in self._weights(result).items():
                    if _top(sets) == top:
                        self._at(self._seen(node, place, sets), top, num * weight, den)
                return
        if not self._answered(node, top, num, den):
            self._happens(node, num, den)

    def _seen(self, node: _Node, place: int, sets: Sets) -> _Node:
        """The same with the sets of one more lying open, in the order in which they were rolled."""
        waiting = sorted([*node.battle.waiting, *sets], key=self._order)
        unseen = (*node.unseen[:place], *node.unseen[place + 1 :])
        return node._replace(battle=replace(node.battle, waiting=tuple(waiting)), unseen=unseen)

    def _order(self, waiting: Waiting) -> int:
        """Casts come first, then who is thrown out, then volleys; each in its own order."""
        for place, roller in enumerate(self.rollers):
            volley = roller.number < 0 and (roller.number == waiting.place or roller.post.role == "wing")
            if roller.post == waiting.post and (volley if waiting.place < 0 else waiting.place > 0 and roller.number >= 0):
                return place
        return len(self.battle.casts) - 1

    def _answered(self, node: _Node, top: Speed, num: int, den: int) -> bool:
        """Whether somebody had to be looked at first, since a set of his answers what is applied now, or may be the reason to spare some of
        what does."""
        asked = [candidate for candidate in node.battle.waiting if not candidate.counters and moment(node.battle, candidate) == top]
        asked = [candidate for candidate in asked if action_of(candidate.order).answered_by]
        for place, result in enumerate(node.unseen):
            new = tuple([candidate for candidate in asked if candidate not in result.idle])
            if any(self._answer(sets, new) for sets in self._weights(result)):
                idle = result._replace(idle=(*result.idle, *new))
                if self._mass(idle):
                    self._at(node._replace(unseen=(*node.unseen[:place], idle, *node.unseen[place + 1 :])), top, num, den)
                self._look(node, place, top, num, den, new)
                return True
        kinds = {candidate.order.kind for candidate in node.battle.waiting if self._answer((candidate,), tuple(asked))}
        for place, result in enumerate(node.unseen if kinds else ()):
            if any(kinds & set(action_of(candidate.order).answered_by) for sets in self._weights(result) for candidate in sets):
                self._look(node, place, top, num, den)
                return True
        return False

    def _look(self, node: _Node, place: int, top: Speed, num: int, den: int, asked: Sets = ()) -> None:
        """The sets of one more, of those that answer something where it is said."""
        for sets, weight in self._weights(node.unseen[place]).items():
            if not asked or self._answer(sets, asked):
                self._at(self._seen(node, place, sets), top, num * weight, den)

    def _answer(self, sets: Sets, asked: Sets) -> bool:
        """Whether there is a set that could be put against one of these: of such a kind, high and fast enough."""
        return any(
            own.order.kind in action_of(attack.order).answered_by
            and own.height >= attack.height
            and in_time(self.rules, own.speed, attack.speed)
            for attack in asked
            for own in sets
        )

    def _happens(self, node: _Node, num: int, den: int) -> None:
        """The moment itself."""
        odds = self.solve(sub(_applied, self.rules, node.battle, self.question, node.so_far))
        self.count.late |= bool(odds.unsettled)
        for result, weight in odds:
            if isinstance(result, Verdict):
                self._settle(node, result, num * weight, den * odds.total)
            else:
                self._put(node._replace(battle=result[0], so_far=result[1]), num * weight, den * odds.total)


def _top(sets: Sets) -> Speed | None:
    """The Speed of the first of somebody's sets that do not wait for what they can answer."""
    return max([_moment(sets, waiting) for waiting in sets if not waiting.counters], default=None)


def _moment(sets: Sets, waiting: Waiting) -> Speed:
    """When a set is applied, among one's own."""
    rests = next((other for other in sets if waiting.needs and other.place == waiting.needs), None)
    return waiting.speed if rests is None else min(waiting.speed, rests.speed)
