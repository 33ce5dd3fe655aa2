"""Best play: what one side should do, and what each of its options is worth, while everybody else keeps to their tactics.

The states are those of the chain. What a step can lead to is a small tree of rolls and of that side's decisions (`forest`); its value
is the weighted mean over rolls and the best over decisions. The values of all states follow by value iteration. The side is taken to
know the state as the rules know it.
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
"""win: carry it; last: carry it or have nobody carry it; survive: the share of one's own people who are not out in the end;
spare: carry it with as much of one's supplies left as possible, as a share of those at the beginning (nothing where it is not carried)."""

MOST_STATES = 20_000
"""States that are explored unless told otherwise: with every option tried each of them costs more than in a chain."""

SWEEPS = 2_000
CLOSE = 1e-10

DECISIONS_SHOWN = 12


class Worth(Struct, frozen=True):
    """An option, and what it is worth when all that follows is played as well as possible."""

    key: Given
    label: str
    worth: tuple[float, float]
    """At least and at most; the same where everything is explored."""
    then: str = ""
    """What the same person does best when asked the same thing next, along the likeliest way."""


class Advice(Struct, frozen=True):
    """A decision that comes up, how often under best play, and its options with what they are worth, the best one first."""

    who: str
    question: str
    round: int
    reached: float
    usual: str
    """What the tactic does here."""
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
    """The best that a side can do for its aim: the value of best play and of its tactic, advice, and the whole outlook of both."""

    side: str
    aim: str
    value: tuple[float, float]
    """Of best play: at least and at most."""
    usual_value: float
    """Of its tactic: at least. How much it is at most stands in `usual_most`; the same where all is settled."""
    states: int
    advice: tuple[Advice, ...]
    solved: Solved
    """The outlook when that side plays its best."""
    usual: Solved
    """The outlook when it keeps to its tactic."""
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
    """What a side does best against the others' tactics, and what each option is worth.

    With `among`, only what one of these tactics would do is tried at each decision, which keeps a game with many options small;
    without it, everything that is allowed. What `decide` does is always tried. `states` and `seconds` bound the work; where they
    run out every worth comes with its bounds. `rounds` ends the scene after that many: the advice itself does not look at the
    clock, the outlook does.

    >>> from rulewright.lab.examples.dares import Dares, Pot
    >>> found = best(Dares(), Pot(3, 3), side="bold")
    >>> [f"{worth.label}: {worth.worth[0]:.4f}" for worth in found.advice[0].options]
    ['throw one die: 0.5513', 'throw two dice: 0.5504']
    """
    if aim not in AIMS:
        raise UserError(f"the lab does not know the aim {aim!r}; aim for one of {', '.join(AIMS)}")
    if states < 1:
        raise UserError(f"the lab needs room for at least 1 state, not {states}")
    chain = Chain(scene, state, {"survive": "losses", "spare": "all"}.get(aim, "win"))
    if side not in chain.sides:
        raise UserError(f"there is no side {side!r}; there are {', '.join(chain.sides)}")
    if aim == "spare" and not any(scene.tally(state).get(side, {}).get(what) for what in scene.supplies):
        raise UserError(f"{side} has no supplies that are counted, so that there is nothing to spare")
    forest = Forest(chain, decide, chain.sides[side], among, states, _Stop(None, seconds), progress)
    forest.grow()
    return _Judge(forest, side, aim).answer(rounds)


class _Judge:
    """The values of all states, and what follows from them."""

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
        """What is left of the side's supplies, as a share of what there was; more than that counts as all of it."""
        scene, first = self.chain.scene, self.chain.states[0] if self.chain.states else None
        if first is None:
            return 1.0
        had = scene.tally(first)[self.side]
        left = dict(zip(self.chain.counted, tallies, strict=True))
        total = sum(had[what] for what in scene.supplies if what in had)
        return min(1.0, sum(left[self.side, what] for what in scene.supplies if what in had) / total)

    def answer(self, rounds: int | None) -> Best:
        """Everything there is to say."""
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
        order = sorted(self.forest.trees, reverse=True)  # what was met last is mostly what comes last
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
        """What a node is worth, at the best or as the tactic decides."""
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
        """Note the best place at every decision; where another is no better, what the tactic does."""
        if isinstance(node, Rolls | Decision):
            for child in node.children:
                self._settle(child)
        if isinstance(node, Decision):
            worth = [self._value(self.low, child, 0.0) for child in node.children]
            top = max(worth)
            node.best = node.usual if worth[node.usual] >= top - 1e-9 else worth.index(top)

    def _solved(self, pick: Callable[[Decision], int], rounds: int | None, complete: bool) -> Solved:
        """The outlook under a way to decide, from a chain made of the trees."""
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
            for number in range(size):  # states that this way to decide never comes to are no gap in it
                if played.first[number] < 0:
                    played.first[number] = played.last[number] = len(played.targets)
            played.explored = size
        return read(played, flow(played, rounds))

    def _advice(self) -> list[Advice]:
        """The decisions that come up most under best play."""
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
        """The best answer to the same question the next time it comes, along the likeliest way; nothing where it is the same."""
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
        """How often each state comes up under best play (its expected number of visits, at most 1 shown)."""
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
