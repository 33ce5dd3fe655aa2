"""A walk through a fight comes to the same, die for die, as the fight stepped count by count."""

import pytest
from msgspec.structs import replace
from tests.hybrid.lab_view.test_moment_excerpt import fought, knives

from rulewright import library
from rulewright.play import Player, Seeded
from rulewright.systems.hybrid.fight.scene import TACTICS
from rulewright.systems.hybrid.lab_view.batch_counts import Counts


class Dice(Player):
    """Luck of which nothing is learned: every part is played with the next dice."""

    def learned(self, part):
        return None


def walked(staged, state, seed, until=10_000):
    """The fight after a walk, after it has been seen that steps with the same dice come there too; and how many steps that took."""
    alone, whole = Dice(Seeded(seed), staged.decide), Player(Seeded(seed), staged.decide)
    after, came, steps = Counts(staged.scene.rules, alone)(state, until), state, 0
    while came != after or len(whole.rolls) != len(alone.rolls):
        assert staged.scene.result(came) is None
        assert len(whole.rolls) <= len(alone.rolls)
        came, steps = whole.run(staged.scene.step(came)), steps + 1
    assert [rolled.faces for rolled in whole.rolls] == [rolled.faces for rolled in alone.rolls]
    return after, steps


@pytest.mark.parametrize("tactic", ["fencer", "reckless", "careful"])
@pytest.mark.parametrize("settings", [{}, {"initiative-ties": "higher speed first"}], ids=str)
def test_the_same_dice_do_the_same_as_steps(tactic, settings):
    staged, total = knives(tactic, 3, settings=settings), 0
    for state in list(fought(staged, 1, 90))[1::30]:
        while staged.scene.result(state) is None:
            after, steps = walked(staged, state, state.count)
            total += steps
            state = after if after is not state else Player(Seeded(1), staged.decide).run(staged.scene.step(state))
    assert total > 100


@pytest.mark.parametrize("scenario", ["hybrid/ambush", "hybrid/arrest", "hybrid/duel"])
def test_it_is_so_with_bows_spells_and_holds(scenario):
    staged = replace(library.stage(scenario), tactics={}, usual=TACTICS["fencer"])
    for state in list(fought(staged, 2, 120))[::12]:
        walked(staged, state, 3)


def test_no_second_begins_after_the_last():
    staged = knives("careful", 2)
    for state in list(fought(staged, 3, 60))[5::9]:
        at = staged.scene.round(state)
        assert staged.scene.round(walked(staged, state, 4, at)[0]) == at
