"""How sides and empty lists are spoken of."""

import pytest

from rulewright.play import Seeded, play
from rulewright.scenes.scenarios import agrees
from rulewright.systems.silhouette.battle.rounds import initiative
from silhouette.battles import RULES, battle, unit


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raiders", "raiders win"),
        ("red", "red wins"),
        ("the Watchers", "the Watchers win"),
        ("convoy", "convoy wins"),
        ("House Tibus", "House Tibus wins"),
        ("the Mess", "the Mess wins"),
        ("", " wins"),
    ],
)
def test_a_verb_agrees_with_the_name_of_a_side(name, said):
    assert agrees(name, "wins", "win") == said


def test_the_log_of_a_battle_speaks_of_sides_in_their_number():
    scene = battle(unit("One", "raiders"), unit("Two", "raiders", (6, 6)), unit("Three", "walls", (9, 9)), phase="initiative")
    said = [event.headline() for event in play(initiative(RULES, scene), dice=Seeded(2)).events if event.logged]
    assert all(" wins " not in line and " plays " not in line for line in said)
    assert any(" win the " in line for line in said)
