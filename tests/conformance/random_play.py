"""Random play of ready-made scenarios, step by step, with everything that was asked, rolled and told."""

from functools import cache
from random import Random

from conformance.games import staged
from rulewright.play import Player, Range, Seeded, Stands


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
        if event.logged or isinstance(event, Stands):
            self.stream.append(event)


def steps_of(name, seed, most, boldness=0.0, decide=None):
    """Plays a scenario: (state before, state after, stream) of each step.

    `boldness` is the share of decisions that are random instead of the tactic's.
    """
    found, whims, dice = staged(name), Random(f"{name} {seed}"), Seeded(seed)
    scene, state, usual = found.scene, found.state, decide or found.decide

    def decided(choice):
        if isinstance(choice.options, Range) or whims.random() >= boldness:
            return usual(choice)
        return whims.choice(choice.options).key

    for _ in range(most):
        if scene.result(state) is not None:
            break
        player = Watcher(dice, decided)
        after = player.run(scene.step(state))
        yield state, after, player.stream
        state = after


@cache
def played(name, seed, most):
    """The steps of a scenario in which everybody follows their tactic."""
    return tuple(steps_of(name, seed, most))
