"""Every roll of a battle is followed by a line whose sums hold its result."""

import random

import pytest
from conformance.games import demos, staged, taken

from rulewright.play import Player, Range, Seeded

SCENARIOS = [name for name in demos("scenario") if taken(name).system.id == "silhouette" and taken(name).thing.scene == "battle"]
MOST_STEPS = 120


def any_answer(seed, usual):
    """Answers at random, and in part as usual, so that battles go on."""
    draw = random.Random(seed)

    def decide(choice):
        if draw.random() < 0.35:
            return usual(choice)
        if isinstance(choice.options, Range):
            return draw.randint(choice.options.low, choice.options.high)
        return draw.choice(choice.options).key

    return decide


def untold(rolls, events):
    """The rolls whose result no sum of any line holds."""
    values = {term.value for event in events for reason in event.reasons() for _, term in reason.walk()}
    return [rolled.roll.what for rolled in rolls if getattr(rolled.result, "total", rolled.result) not in values]


def test_a_roll_without_a_line_is_found():
    asked = staged(SCENARIOS[0])
    player = Player(Seeded(1), asked.decide)
    player.run(asked.scene.step(asked.state))
    assert untold(player.rolls, ())
    assert not untold(player.rolls, player.events)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_roll_of_a_battle_is_told_with_its_sum(name):
    scene, state = staged(name).scene, staged(name).state
    decide, dice, silent = any_answer(name, staged(name).decide), Seeded(1), []
    for _ in range(MOST_STEPS):
        if scene.result(state) is not None:
            break
        player = Player(dice, decide)
        state = player.run(scene.step(state))
        silent += untold(player.rolls, player.events)
    assert silent == []
