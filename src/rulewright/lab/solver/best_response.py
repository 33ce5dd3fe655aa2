"""Best response: the best play of one side, and the value of each of its options, against fixed tactics of the others.

The states are those of the chain. A step is a small tree of rolls and of that side's decisions (`game_tree`); its value is the weighted
mean over rolls and the maximum over decisions. Value iteration gives the values of all states. The side is assumed to know the whole
state.
"""

from array import array
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import Fate
from rulewright.lab.solver.exact import Solved, read
from rulewright.lab.solver.game_tree import Decision, Forest, Leaf, Node, Rolls, decisions_below, goes_on, has_unknown, leaves_below
from rulewright.lab.solver.markov import flow
from rulewright.lab.solver.state_graph import MOST_LINKS, Chain, Report, _Stop
from rulewright.play import Given, Tactic, first_option
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

AIMS = ("win", "last", "survive", "spare")
"""win: win; last: win or draw; survive: the share of its own members who are not out at the end; spare: win with as many supplies left as
possible, as a share of those at the start (0 without a win)."""

MOST_STATES = 20_000
"""The default limit of states; each costs more than in a chain, because every option is tried."""

SWEEPS = 2_000
CLOSE = 1e-10

DECISIONS_SHOWN = 12


class Worth(Struct, frozen=True):
    """An option and its value under best play afterwards."""

    key: Given
    label: str
    worth: tuple[float, float]
    """Lower and upper bound; equal if everything is explored."""
    then: str = ""
    """The best answer when the same question comes next, on the likeliest path."""


class Advice(Struct, frozen=True):
    """A decision, how often it is reached under best play, and its options with their values, the best first."""

    who: str
    question: str
    round: int
    reached: float
    usual: str
    """The answer of the tactic."""
    options: tuple[Worth, ...]

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        options = [
            {"key": o.key, "label": o.label, "worth": o.worth[0], "interval": list(o.worth), "then": o.then or None} for o in self.options
        ]
        return {
            "who": self.who,
            "question": self.question,
            "round": self.round,
            "reached": self.reached,
            "usual": self.usual,
            "options": options,
        }


class Best(Struct, frozen=True):
    """Best play of a side for its aim: the value of best play and of its tactic, advice, and the results of both."""

    side: str
    aim: str
    value: tuple[float, float]
    """The value of best play: lower and upper bound."""
    usual_value: float
    """The value of its tactic: the lower bound. The upper bound is `usual_most`; they are equal if all is settled."""
    states: int
    advice: tuple[Advice, ...]
    solved: Solved
    """The result under best play."""
    usual: Solved
    """The result under its tactic."""
    stopped: str = ""
    usual_most: float = 1.0

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result = {
            "side": self.side,
            "aim": self.aim,
            "exact": self.value[1] - self.value[0] < 1e-6,
            "value": {"chance": self.value[0], "interval": list(self.value)},
            "usual": {"chance": self.usual_value, "interval": [self.usual_value, self.usual_most]},
            "states": self.states,
            "decisions": [advice.public() for advice in self.advice],
            "outlook": self.solved.public(),
        }
        if self.stopped:
            result["stopped"] = self.stopped
        return result


def best(
    scene: Scene[S],
    state: S,
    decide: Tactic = first_option,
    *,
    side: str,
    aim: str = "win",
    among: Sequence[Tactic] | None = None,
    rounds: int | None = None,
    states: int = MOST_STATES,
    seconds: float | None = None,
    progress: Report | None = None,
) -> Best:
    """Find the best play of a side against the tactics of the others, and the value of each option.

    With `among`, only the answers of these tactics are tried at each decision, which keeps a game with many options small; without it,
    every allowed answer is tried. The answer of `decide` is always tried. `states` and `seconds` limit the work; if they run out, values
    have bounds. `rounds` ends the scene after that many: the results respect it, the advice does not.

    >>> from rulewright.lab.examples.dares import Dares, Pot
    >>> best_play = best(Dares(), Pot(3, 3), side="bold")
    >>> [f"{option.label}: {option.worth[0]:.4f}" for option in best_play.advice[0].options]
    ['throw one die: 0.5513', 'throw two dice: 0.5504']
    """
    if aim not in AIMS:
        raise UserError(f"there is no aim {aim!r}; give one of {', '.join(AIMS)}")
    if states < 1:
        raise UserError(f"give at least 1 state, not {states}")
    chain = Chain(scene, state, {"survive": "losses", "spare": "all"}.get(aim, "win"))
    if side not in chain.sides:
        raise UserError(f"there is no side {side!r}; there are {', '.join(chain.sides)}")
    if aim == "spare" and not any(scene.tally(state).get(side, {}).get(what) for what in scene.supplies):
        raise UserError(f"the aim 'spare' needs supplies, and {side} has none that are counted")
    forest = Forest(chain, decide, chain.sides[side], among, states, _Stop(None, seconds), progress)
    forest.grow()
    return _Judge(forest, side, aim).answer(rounds)


class _Judge:
    """Calculates the values of all states, the advice and the results."""

    def __init__(self, forest: Forest[Any], side: str, aim: str) -> None:
        self.forest = forest
        self.chain = forest.chain
        self.side = side
        self.aim = aim
        self.rewards = [self._reward(fate) for fate in self.chain.fates]
        size = len(self.chain.states)
        self.low = [0.0] * size
        self.high = [1.0] * size
        self.usual = [0.0] * size
        self.usual_high = [1.0] * size

    def _reward(self, fate: Fate) -> float:
        winner, losses = fate
        if self.aim == "win":
            return float(winner == self.side)
        if self.aim == "last":
            return float(winner in (self.side, None))
        sides = list(self.chain.sides)
        if self.aim == "spare":
            return self._spared(losses[len(sides) :]) if winner == self.side else 0.0
        place = sides.index(self.side)
        return 1.0 - losses[place] / len(self.chain.sides[self.side])

    def _spared(self, tallies: tuple[int, ...]) -> float:
        """The supplies left, as a share of those at the start; at most 1."""
        scene, first = self.chain.scene, self.chain.states[0] if self.chain.states else None
        if first is None:
            return 1.0
        had = scene.tally(first)[self.side]
        left = dict(zip(self.chain.counted, tallies, strict=True))
        total = sum(had[what] for what in scene.supplies if what in had)
        return min(1.0, sum(left[self.side, what] for what in scene.supplies if what in had) / total)

    def answer(self, rounds: int | None) -> Best:
        """The complete result."""
        chain, start = self.chain, self.chain.start
        complete = not chain.stopped and chain.explored == len(chain.states) and not any(map(has_unknown, self.forest.trees.values()))
        self._iterate(self.low, partial(self._value, self.low, unknown=0.0))
        for tree in self.forest.trees.values():
            self._settle(tree)
        self._iterate(self.usual, partial(self._value, self.usual, unknown=0.0, usual=True))
        if complete:
            self.high, self.usual_high = self.low, self.usual
        else:
            self._iterate(self.usual_high, partial(self._value, self.usual_high, unknown=1.0, usual=True))
            self._iterate(self.high, partial(self._value, self.high, unknown=1.0))
        played, usual = (self._solved(pick, rounds, complete) for pick in (_best, _usual))
        value = (self.low[start], self.high[start]) if start >= 0 else (self.rewards[-1 - start],) * 2
        least, most = (self.usual[start], self.usual_high[start]) if start >= 0 else value
        return Best(self.side, self.aim, value, least, chain.explored, tuple(self._advice()), played, usual, chain.stopped, most)

    def _iterate(self, values: list[float], value: Callable[[Node], float]) -> None:
        order = sorted(self.forest.trees, reverse=True)  # states met last mostly come last in a fight
        trees = [(number, self.forest.trees[number]) for number in order]
        for _ in range(SWEEPS):
            moved = 0.0
            for number, tree in trees:
                new = value(tree)
                moved = max(moved, abs(new - values[number]))
                values[number] = new
            if moved < CLOSE:
                break

    def _value(self, values: list[float], node: Node, unknown: float, usual: bool = False) -> float:
        """The value of a node, under best play or under the tactic."""
        if isinstance(node, Leaf):
            target = node.target
            return values[target] if target >= 0 else self.rewards[-1 - target]
        if isinstance(node, Rolls):
            known = [c * self._value(values, child, unknown, usual) for c, child in zip(node.chances, node.children, strict=True)]
            return sum(known, node.loose * unknown)
        if isinstance(node, Decision):
            if usual:
                return self._value(values, node.children[node.usual], unknown, usual)
            return max([self._value(values, child, unknown) for child in node.children])
        return unknown

    def _settle(self, node: Node) -> None:
        """Store the best answer of every decision; the tactic's answer if no other is better."""
        if isinstance(node, Rolls | Decision):
            for child in node.children:
                self._settle(child)
        if isinstance(node, Decision):
            worth = [self._value(self.low, child, 0.0) for child in node.children]
            top = max(worth)
            node.best = node.usual if worth[node.usual] >= top - 1e-9 else worth.index(top)

    def _solved(self, pick: Callable[[Decision], int], rounds: int | None, complete: bool) -> Solved:
        """The result under a choice function, from a chain made of the trees."""
        played: Chain[Any] = Chain.__new__(Chain)
        played.__dict__.update(self.chain.__dict__)
        size = len(self.chain.states)
        played.first, played.last = array("q", [-1] * size), array("q", [-1] * size)
        played.loose, played.targets, played.rounds, played.chances = array("d", [0.0] * size), array("i"), array("i"), array("d")
        seen, waiting = {self.chain.start}, [self.chain.start] if self.chain.start >= 0 else []
        while waiting and len(played.targets) < MOST_LINKS:
            number = waiting.pop()
            links: dict[tuple[int, int], float] = {}
            for leaf, chance in leaves_below(self.forest.trees.get(number), 1.0, pick):
                links[leaf.target, leaf.rounds] = links.get((leaf.target, leaf.rounds), 0.0) + chance
                if leaf.target >= 0 and leaf.target not in seen and leaf.target in self.forest.trees:
                    seen.add(leaf.target)
                    waiting.append(leaf.target)
            played.first[number] = len(played.targets)
            played.targets.extend([target for target, _ in links])
            played.rounds.extend([at for _, at in links])
            played.chances.extend(links.values())
            played.last[number] = len(played.targets)
            loose = 1.0 - sum(links.values())
            played.loose[number] = loose if loose > 1e-12 else 0.0
        reached = seen | {target for target in played.targets if target >= 0}
        if all(played.first[number] >= 0 for number in reached if number >= 0) and not any(played.loose):
            played.stopped = ""
            for number in range(size):  # states that are never reached do not matter
                if played.first[number] < 0:
                    played.first[number] = played.last[number] = len(played.targets)
            played.explored = size
        return read(played, flow(played, rounds))

    def _advice(self) -> list[Advice]:
        """The most frequent decisions under best play."""
        pairs: list[tuple[float, Advice]] = []
        for number, reached in self._visits().items():
            tree = self.forest.trees.get(number)
            for decision, chance in decisions_below(tree, reached):
                pairs.append((chance, self._advise(number, decision, chance)))
        start = self.forest.trees.get(self.chain.start)
        first = [(chance, self._advise(self.chain.start, decision, chance)) for decision, chance in decisions_below(start, 1.0)]
        listed: list[Advice] = []
        for _, advice in [*first, *sorted(pairs, key=lambda item: -item[0])]:
            if not any(advice.who == a.who and advice.question == a.question and advice.options == a.options for a in listed):
                listed.append(advice)
            if len(listed) >= DECISIONS_SHOWN:
                break
        return listed

    def _advise(self, number: int, decision: Decision, reached: float) -> Advice:
        options = []
        for place, (key, label) in enumerate(zip(decision.keys, decision.labels, strict=True)):
            child = decision.children[place]
            worth = (self._value(self.low, child, 0.0), self._value(self.high, child, 1.0))
            options.append((place != decision.best, -worth[0], Worth(key, label, worth, self._then(child, decision, label))))
        options.sort(key=lambda option: option[:2])
        at = self.chain.scene.round(self.chain.states[number])
        ordered = tuple([worth for _, _, worth in options])
        return Advice(decision.who, decision.question, at, min(1.0, reached), decision.labels[decision.usual], ordered)

    def _then(self, node: Node, asked: Decision, label: str) -> str:
        """The best answer when the same question comes next, on the likeliest path; empty if it is the same."""
        for _ in range(40):
            if isinstance(node, Decision):
                if (node.who, node.topic) == (asked.who, asked.topic):
                    return "" if node.labels[node.best] == label else node.labels[node.best]
                node = node.children[node.best]
            elif isinstance(node, Rolls) and node.children:
                going = [(chance, place) for place, chance in enumerate(node.chances) if goes_on(node.children[place])]
                if not going:
                    return ""
                node = node.children[max(going)[1]]
            elif isinstance(node, Leaf) and node.target >= 0:
                node = self.forest.trees.get(node.target)
            else:
                return ""
        return ""

    def _visits(self) -> dict[int, float]:
        """The expected number of visits of each state under best play, at most 1."""
        visits: dict[int, float] = {}
        mass = {self.chain.start: 1.0} if self.chain.start >= 0 else {}
        for _ in range(200):
            after: dict[int, float] = {}
            for number, chance in mass.items():
                if chance < 1e-5:
                    continue
                visits[number] = visits.get(number, 0.0) + chance
                for leaf, share in leaves_below(self.forest.trees.get(number), chance, _best):
                    if leaf.target >= 0:
                        after[leaf.target] = after.get(leaf.target, 0.0) + share
            mass = after
            if not mass:
                break
        return visits


def _best(decision: Decision) -> int:
    return decision.best


def _usual(decision: Decision) -> int:
    return decision.usual
