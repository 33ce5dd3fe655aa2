"""Rams need movement, and skids cost what they cover (book lines 4437-4439, 4850, 4905)."""

import pytest
from msgspec.structs import replace

from rulewright.play import Choice, Player, ScriptedFaces
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.actions.registry import action_of, offered
from rulewright.systems.silhouette.battle.movement.movement import go, points_left
from rulewright.systems.silhouette.units.visible_traits import Signs

from ..battles import RULES, battle, unit

NEAR = unit("Two", "blue", (5, 4), facing=3, used=9)


def rams(scene) -> list[str]:
    return [option.key for option in offered(RULES, scene, "One").of("ram")]


@pytest.mark.parametrize(
    ("state", "offers"),
    [
        ({}, True),
        ({"pace": "stationary"}, False),
        ({"pace": "half", "spent": 2, "points": 4, "hexes": 2}, False),
        ({"spent": 4, "points": 4, "hexes": 4}, False),
        ({"signs": Signs(prone=True)}, False),
        ({"signs": Signs(held=3)}, False),
    ],
)
def test_a_ram_is_offered_only_to_who_can_move(state, offers):
    assert bool(rams(battle(unit("One", **state), NEAR))) == offers


def test_in_the_same_hex_only_who_has_moved_rams():
    there = replace(NEAR, y=5.0)
    assert not rams(battle(unit("One"), there))
    assert rams(battle(unit("One", hexes=1, spent=1, points=4), there))


def test_a_rammer_never_counts_as_standing_still():
    """Every speed that it may declare allows the ram, and no roll has the bonus for standing still."""
    scene = battle(unit("One"), NEAR)
    paces = []

    def decide(choice: Choice):
        if choice.topic == "pace":
            paces.extend(choice.keys())
        return choice.keys()[0]

    player = Player(ScriptedFaces([(6, 5), (1, 1), *[(3,)] * 8]), decide)
    after = player.run(action_of("ram").do(RULES, scene, scene.unit("One"), Deed(kind="ram", target="Two")))
    labels = [term.label for event in player.events for reason in event.reasons() for term in reason.terms]
    assert paces == ["half", "combat"]
    assert "standing still" not in labels
    assert (after.unit("One").spent, after.unit("One").hexes) == (1, 1)


@pytest.mark.parametrize("spent", range(3))
def test_a_skid_costs_what_it_covers(spent):
    fast = unit("One", at=(5, 9), speed="top", turns=3, points=8, spent=spent)
    scene = battle(fast, unit("Two", "blue", (15, 15), used=9))
    player = Player(ScriptedFaces([(2, 2)]), lambda choice: choice.keys()[0])
    after = player.run(go(RULES, scene, scene.unit("One"), Deed(kind="move", spot=(7.0, 4.0))))
    one = after.unit("One")
    assert points_left(after, one) == points_left(scene, fast) - one.hexes
    assert one.hexes > 0
    assert any(event.headline() == "One skids straight ahead for 1 Movement Point" for event in player.events)


def test_who_has_nothing_left_cannot_skid_again_and_again():
    fast = unit("One", speed="top", turns=4, facing=3, points=8, spent=8)
    scene = battle(fast, unit("Two", "blue", (15, 15), used=9))
    player = Player(ScriptedFaces([(2, 2)]), lambda choice: choice.keys()[0])
    after = player.run(go(RULES, scene, scene.unit("One"), Deed(kind="move", spot=fast.spot, facing=4)))
    assert after.unit("One").spot == (5.0, 6.0)
    assert not offered(RULES, after, "One").of("move")


def test_a_crash_tells_its_die():
    fast = unit("One", at=(5, 9), speed="top", turns=3)
    scene = battle(fast, unit("Two", "blue", (15, 15), used=9))
    player = Player(ScriptedFaces([(1, 1), (4,), (3,), *[(3,)] * 4]), lambda choice: choice.keys()[0])
    player.run(go(RULES, scene, scene.unit("One"), Deed(kind="move", spot=(7.0, 4.0))))
    crash = next(event for event in player.events if "in the crash" in event.headline())
    assert crash.headline() == "One takes heavy damage in the crash"
    assert crash.reasons()[0].value == 4
