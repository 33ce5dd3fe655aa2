"""Play of ready-made scenarios, step by step, with everything that was asked, rolled and told.

A scenario is played once in a process; all tests look at the same play.
"""

from functools import cache
from itertools import count
from random import Random

from conformance.games import staged
from rulewright.play import Player, Range, Seeded


class Watcher(Player):
    """A player that keeps rolls, decisions (with their answers), events and states of a step in their order."""

    def __init__(self, dice, decide):
        super().__init__(dice, decide)
        self.stream = []

    def roll(self, roll):
        result = super().roll(roll)
        self.stream.append(self.rolls[-1])
        return result

    def choose(self, choice):
        given = self._decide(choice)
        self.stream.append((choice, given))
        return choice.take(given)

    def tell(self, event):
        self.stream.append(event)


def steps_of(name, seed, most=None, boldness=0.0, decide=None, found=None):
    """Plays a scenario to its end, or for so many steps: (state before, state after, stream) of each step.

    `boldness` is the share of decisions that are random instead of the tactic's; `found` is the scenario with changes.
    """
    found, whims, dice = found or staged(name), Random(f"{name} {seed}"), Seeded(seed)
    scene, state, usual = found.scene, found.state, decide or found.decide

    def decided(choice):
        if isinstance(choice.options, Range) or whims.random() >= boldness:
            return usual(choice)
        return whims.choice(choice.options).key

    for _ in count() if most is None else range(most):
        if scene.result(state) is not None:
            break
        player = Watcher(dice, decided)
        after = player.run(scene.step(state))
        yield state, after, player.stream
        state = after


@cache
def _to_the_end(name, seed):
    return tuple(steps_of(name, seed))


def played(name, seed, most=None):
    """The steps of a scenario in which everybody follows their tactic: all of them, or the first."""
    return _to_the_end(name, seed)[:most]


@cache
def states(name, seed):
    """Every state that a scenario goes through, from the first to the last."""
    return (staged(name).state, *(after for _, after, _ in played(name, seed)))
