"""What tactics of a battle decide."""

import pytest
from msgspec.structs import replace

from rulewright.play import Seeded, play
from rulewright.systems.silhouette.battle.rounds import act
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from silhouette.battle.steered import RULES, battle_of

SMOKE = 2
"""The first system of the Heron that does no harm by itself."""


def decided(tactic, empty):
    """What the Vanguard of the convoy does first, two hexes from an enemy: with all ammunition, or with smoke alone."""
    battle = battle_of("scenarios/convoy", "Vanguard", x=19.0, y=8.0)
    if empty:
        unit = battle.unit("Vanguard")
        arms = tuple([replace(arm, left=(0,)) if at < SMOKE else arm for at, arm in enumerate(unit.arms)])
        battle = battle.put(replace(unit, arms=arms))
    asked = []

    def decide(choice):
        given = BATTLE_TACTICS[tactic](choice)
        if choice.topic == "act":
            asked.append(given)
        return given

    play(act(RULES, battle), dice=Seeded(1), decide=decide)
    return asked[0]


@pytest.mark.parametrize("tactic", ["advance", "skirmish", "snipe", "brawl"])
def test_who_has_smoke_alone_left_makes_for_the_edge_and_who_can_fight_does_not(tactic):
    assert decided(tactic, empty=True) == "make for the edge"
    assert decided(tactic, empty=False) != "make for the edge"


def test_who_holds_a_place_holds_it_without_ammunition_too():
    assert decided("hold", empty=True) == "done"
