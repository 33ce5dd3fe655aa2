"""Game trees: for every explored state, a tree of all rolls and all decisions of one side in one step."""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

from msgspec import Struct

from rulewright.lab.solver.state_graph import ROOM, Chain, Progress, Report, _Solver, _Stop
from rulewright.play import Choice, Given, Range, Roll, Sub, Tactic, Tell, Together
from rulewright.play.odds import Odds, _branches_of

S = TypeVar("S", bound=Hashable)

MOST_PATHS = 5_000
"""The limit of paths through one step; paths beyond it are unknown."""

MOST_NUMBERS = 12
"""How many evenly spread numbers of a range are tried."""


class Leaf(Struct, frozen=True):
    """The end of a path: a state (or a fate, below 0), and the number of rounds passed."""

    target: int
    rounds: int


class Rolls(Struct):
    """A roll. `loose` is the chance of unknown results."""

    chances: list[float]
    children: list[Any]
    loose: float = 0.0


class Decision(Struct):
    """A decision of the side. `usual` is the index of the tactic's answer."""

    who: str
    question: str
    topic: str
    keys: list[Given]
    labels: list[str]
    usual: int
    children: list[Any]
    best: int = 0


Node = Leaf | Rolls | Decision | None
"""None is a path that was not followed."""


class _Ours(Exception):
    """A sub-procedure contains a decision of the side: it cannot be solved alone."""


class Forest(Struct, Generic[S], eq=False):
    """The trees of all explored states, the most probable states first."""

    chain: Chain[S]
    decide: Tactic
    ours: tuple[str, ...]
    among: Sequence[Tactic] | None
    most: int
    budget: _Stop
    progress: Report | None
    trees: dict[int, Node] = {}
    inline: set[Sub[Any]] = set()
    solver: Any = None

    def __post_init__(self) -> None:
        self.solver = _Solver(self.chain.scene, self.chain.question, self._others, self.budget)

    def _others(self, choice: Choice[Any]) -> Given:
        if choice.who in self.ours and len(self.answers(choice)[0]) > 1:
            raise _Ours
        return self.decide(choice)

    def grow(self) -> None:
        """Explore until everything is explored or the budget runs out."""
        chain = self.chain
        told = self.budget.began
        waiting: list[tuple[float, int]] = []
        weight: dict[int, float] = {}
        if chain.start >= 0:
            heappush(waiting, (-1.0, chain.start))
            weight[chain.start] = 1.0
        try:
            while waiting and not chain.stopped:
                arrived, number = heappop(waiting)
                if number in self.trees:
                    continue
                tree = self.trees[number] = self.tree(number)
                chain.first[number] = 0
                chain.explored += 1
                for target, share in targets_below(tree, -arrived):
                    if target >= 0 and target not in self.trees and share > weight.get(target, 0.0):
                        weight[target] = share
                        heappush(waiting, (-share, target))
                now = time.monotonic()
                if self.budget.out_of_time():
                    chain.stopped = "seconds"
                elif chain.explored >= self.most and waiting:
                    chain.stopped = "states"
                if self.progress is not None and now - told > 0.1:
                    told = now
                    if self.progress(Progress("states", chain.explored, None, now - self.budget.began)) is False:
                        chain.stopped = "interrupted"
        except KeyboardInterrupt:
            chain.stopped = "interrupted"

    def answers(self, choice: Choice[Any]) -> tuple[list[Given], int]:
        """The answers to try at a decision, and the index of the tactic's answer."""
        usual = self.decide(choice)
        choice.take(usual)
        if self.among is not None:
            tried = dict.fromkeys([usual])
            for tactic in self.among:
                tried[tactic(choice)] = None
            result = list(tried)
        elif isinstance(choice.options, Range):
            span = choice.options
            numbers = range(span.low, span.high + 1, span.step)
            spread = -(-len(numbers) // MOST_NUMBERS)
            result = list(dict.fromkeys([*numbers[::spread], usual]))
        else:
            result = [option.key for option in choice.options]
        return result, result.index(usual)

    def tree(self, number: int) -> Node:
        """The tree of a step, over all rolls and all tried decisions."""
        chain = self.chain
        begin = partial(chain.scene.step, chain.states[number])
        begins = chain.scene.round(chain.states[number])
        root: list[Node] = [None]
        open_ends: list[tuple[list[Any], list[Any], int]] = [([], root, 0)]
        paths = 0
        while open_ends and paths < MOST_PATHS:
            paths += 1
            given, into, place = open_ends.pop()
            self._follow(begin(), given, into, place, open_ends, begins)
        return root[0]

    def _follow(self, play: Any, given: list[Any], into: list[Any], place: int, open_ends: list[Any], begins: int) -> None:
        """Run one path to its end; branches are put on `open_ends`."""
        chain = self.chain
        stack = [play]
        known = list(reversed(given))
        path = list(given)
        answer: Any = None
        while True:
            try:
                request = stack[-1].send(answer)
            except StopIteration as done:
                stack.pop()
                answer = done.value
                if stack:
                    continue
                target = chain.find(chain.lens(answer, chain.question), self.most * ROOM)
                if target is not None:
                    into[place] = Leaf(target, max(0, chain.scene.round(answer) - begins) if target >= 0 else 0)
                return
            if isinstance(request, Sub) and self._holds_ours(request):
                stack.append(request.start())
                answer = None
                continue
            members = request.requests if isinstance(request, Together) else (request,)
            replies: list[Any] = [None] * len(members)
            order = sorted(range(len(members)), key=lambda at: not isinstance(members[at], Choice))  # decisions come before rolls
            for at in order:
                member = members[at]
                if isinstance(member, Tell):
                    continue
                if isinstance(member, Choice):
                    if member.who not in self.ours:
                        replies[at] = member.take(self.decide(member))
                        continue
                    keys, usual = self.answers(member)
                    if len(keys) == 1:
                        replies[at] = member.take(keys[0])
                        continue
                if known:
                    replies[at] = known.pop()
                    continue
                if isinstance(member, Choice):
                    node, results = _decision(member, keys, usual)
                else:
                    assert isinstance(member, Roll | Sub)
                    node, results = self._rolled(member)
                children = node.children
                into[place] = node
                if not results:
                    return
                for other in range(len(results) - 1, 0, -1):
                    open_ends.append(([*path, results[other]], children, other))
                path.append(results[0])
                replies[at] = results[0]
                into, place = children, 0
            answer = tuple(replies) if isinstance(request, Together) else replies[0]

    def _rolled(self, request: Roll[Any] | Sub[Any]) -> tuple[Rolls | Decision, list[Any]]:
        """The node of a roll, without children, and the results that lead to them."""
        total, branches = self._branches(request)
        loose = 1.0 - sum([weight for _, weight in branches]) / total
        weights = [weight / total for _, weight in branches]
        return Rolls(weights, [None] * len(branches), loose if loose > 1e-12 else 0.0), [result for result, _ in branches]

    def _branches(self, request: Roll[Any] | Sub[Any]) -> tuple[int, list[tuple[Any, int]]]:
        if isinstance(request, Roll):
            return _branches_of(request)
        odds: Odds[Any] = self.solver.part(request)
        return odds.total, list(odds.weights.items())

    def _holds_ours(self, part: Sub[Any]) -> bool:
        """Whether a sub-procedure contains a decision of the side."""
        if part in self.inline:
            return True
        try:
            self.solver.part(part)
        except _Ours:
            self.inline.add(part)
            return True
        return False


def _decision(choice: Choice[Any], keys: list[Given], usual: int) -> tuple[Rolls | Decision, list[Any]]:
    """The node of a decision, without children, and the values that lead to them."""
    labels = [_label(choice, key) for key in keys]
    children: list[Any] = [None] * len(keys)
    return Decision(choice.who, choice.ask_for, choice.topic, keys, labels, usual, children), [choice.take(key) for key in keys]


def _label(choice: Choice[Any], key: Given) -> str:
    if isinstance(choice.options, tuple):
        for option in choice.options:
            if option.key == key:
                return option.label
    return str(key)


def targets_below(node: Node, weight: float) -> Iterator[tuple[int, float]]:
    """The targets below a node with their weights; the tactic's answer gets the most weight at decisions."""
    if isinstance(node, Leaf):
        yield node.target, weight
    elif isinstance(node, Rolls):
        for chance, child in zip(node.chances, node.children, strict=True):
            yield from targets_below(child, weight * chance)
    elif isinstance(node, Decision):
        for place, child in enumerate(node.children):
            yield from targets_below(child, weight if place == node.usual else weight / 2)


def goes_on(node: Node) -> bool:
    """Whether the scene goes on there."""
    return not (isinstance(node, Leaf) and node.target < 0) and node is not None


def has_unknown(node: Node) -> bool:
    """Whether any path below was not followed."""
    if isinstance(node, Rolls | Decision):
        return (isinstance(node, Rolls) and node.loose > 0) or any(map(has_unknown, node.children))
    return node is None


def leaves_below(node: Node, chance: float, pick: Callable[[Decision], int]) -> Iterator[tuple[Leaf, float]]:
    """The leaves reached under a choice function."""
    if isinstance(node, Leaf):
        yield node, chance
    elif isinstance(node, Rolls):
        for share, child in zip(node.chances, node.children, strict=True):
            yield from leaves_below(child, chance * share, pick)
    elif isinstance(node, Decision):
        yield from leaves_below(node.children[pick(node)], chance, pick)


def decisions_below(node: Node, chance: float) -> Iterator[tuple[Decision, float]]:
    """The decisions below a node that best play reaches."""
    if isinstance(node, Rolls):
        for share, child in zip(node.chances, node.children, strict=True):
            yield from decisions_below(child, chance * share)
    elif isinstance(node, Decision):
        yield node, chance
        yield from decisions_below(node.children[node.best], chance)
