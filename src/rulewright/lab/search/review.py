"""Looks back on a scene: the decisions that cost a player most, each with what would have been better and why."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.lab.search.levels import level
from rulewright.lab.search.planner import Mind, Thought
from rulewright.play import Choice, Given, Tactic
from rulewright.scenes.question_snapshot import Moment, Past

MOST = 3
"""How many decisions are shown."""
SECONDS = 6.0
"""The time for looking at all decisions."""
LONGEST, SHORTEST = 0.4, 0.05
"""The time for one of them."""
CLOSELY = 1.0
"""The time for each that is shown."""
LEAST = 0.03
"""A smaller loss of chance is not worth mentioning."""


class Costly(Struct, frozen=True):
    """A decision that cost chance: the round, the thought that found something better, and how much it cost."""

    round: int
    thought: Thought
    cost: float

    @property
    def sentence(self) -> str:
        """The decision in a sentence: what would have been better, with both chances and the reason."""
        return f"Round {self.round}, {self.thought.who}: {self.thought.sentence}"


class _Instead:
    """The tactic of the scene, except for one question that was answered otherwise."""

    def __init__(self, decide: Tactic, question: Any, given: Given) -> None:
        self.decide = decide
        self.question = question
        self.given = given

    def __call__(self, choice: Choice[Any]) -> Given:
        return self.given if choice is self.question else self.decide(choice)


def review(
    past: Past, people: Collection[str], tactics: Mapping[str, Tactic], decide: Tactic, seed: int = 0, *, by_steps: bool = False
) -> list[Costly]:
    """The decisions of these people that cost most, by what their side could know; the costliest first."""
    decisions = [(moment, given) for _, moment, given in past.decisions() if moment.who in people and _has_alternatives(moment, given)]
    share = max(SHORTEST, min(LONGEST, SECONDS / max(1, len(decisions))))
    losses = []
    for number, (moment, given) in enumerate(decisions):
        thought = _thought(moment, given, tactics, decide, seed + number, share, by_steps, every=False)
        losses.append((_cost(thought), number))
    worst = [number for cost, number in sorted(losses, key=lambda loss: (-loss[0], loss[1])) if cost > LEAST]
    shown = list(_closely([decisions[number] for number in worst[: 2 * MOST]], tactics, decide, seed, by_steps))
    return sorted(shown, key=lambda costly: -costly.cost)[:MOST]


def _closely(
    decisions: list[tuple[Moment, Given]], tactics: Mapping[str, Tactic], decide: Tactic, seed: int, by_steps: bool
) -> Iterator[Costly]:
    """Look at decisions again with new luck and more time, until enough have lost something."""
    costly = 0
    for number, (moment, given) in enumerate(decisions):
        if costly == MOST:
            return
        thought = _thought(moment, given, tactics, decide, seed - 1 - number, CLOSELY, by_steps, every=True)
        if _cost(thought) > LEAST:
            costly += 1
            yield Costly(moment.scene.round(moment.state), thought, _cost(thought))


def _thought(
    moment: Moment, given: Given, tactics: Mapping[str, Tactic], decide: Tactic, seed: int, seconds: float, by_steps: bool, *, every: bool
) -> Thought:
    """What a search thinks of a decision, with the answer that was given as the default one."""
    instead = _Instead(decide, moment.requests[moment.at], given)
    how = replace(level("good"), seconds=seconds, most=seconds, by_steps=by_steps)
    return Mind(moment.scene, tactics, instead, how, seed=seed).think(moment, every=every)


def _cost(thought: Thought) -> float:
    """The chance that a decision lost, beside the answer that the search prefers; 0 if it prefers none."""
    if not thought.left_the_usual:
        return 0.0
    worth_by_key = {option.key: option.worth for option in thought.options}
    return worth_by_key.get(thought.answer, 0.0) - worth_by_key.get(thought.usual, 0.0)


def _has_alternatives(moment: Moment, given: Given) -> bool:
    """Whether there was a choice, and the answer was one of its options rather than a place of one's own."""
    choice = moment.requests[moment.at]
    keys = choice.keys() if isinstance(choice, Choice) and not moment.any_order else []
    return given in keys and len(keys) > 1
