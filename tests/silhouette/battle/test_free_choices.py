"""What the book leaves to the player is offered: any facing, hull-down standing or prone, any hex, several boosts."""

import pytest

from rulewright.errors import UserError
from rulewright.field.geometry import hexes as grid
from rulewright.field.ground import Ground, Region
from rulewright.play import Choice, Player, ScriptedFaces, Seeded
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.actions.registry import action_of, offered
from rulewright.systems.silhouette.battle.declarations import options_for
from rulewright.systems.silhouette.battle.forms.boosters import boosted
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement

from ..battles import COMMS, RULES, battle, by, hexes, unit, vehicle

FAR = unit("Two", "blue", (19, 19), used=9)
BURST = Device("burst gun", damage=10, range=3, rate=2, uses=100)
WOODS = hexes(Region(terrain="woodland", box=(1, 1, 20, 20)))


def keys(scene, kind: str, rules=RULES) -> list[str]:
    return [option.key for option in offered(rules, scene, "One").of(kind)]


def do(scene, key: str, kind: str, decide=None, rules=RULES, seed: int = 1):
    option = next(option for option in offered(rules, scene, "One").of(kind) if option.key == key)
    player = Player(Seeded(seed), decide or (lambda choice: choice.keys()[0]))
    return player, player.run(action_of(kind).do(rules, scene, scene.unit("One"), option.value))


@pytest.mark.parametrize("ground", [hexes(), Ground(size=(2000, 2000), terrain="clear")])
def test_every_other_facing_can_be_chosen_without_an_enemy_in_sight(ground):
    """Lines 4435-4437: one hexside is free, more cost a point; before the next turn a hex forward."""
    scene = battle(unit("One", at=(10, 10)), FAR, ground=ground)
    options = offered(RULES, scene, "One").of("face")
    sides = 6 if scene.hexes else 360
    assert sorted({option.value.facing for option in options} | {0}) == list(range(0, sides, sides // 6))
    for option in options:
        _, after = do(scene, option.key, "face")
        one = after.unit("One")
        assert (one.facing, one.spot) == (option.value.facing, (10, 10))
        assert one.spent == int(one.turns > 1)
        assert not keys(after, "face")


def test_turning_on_the_spot_does_not_keep_a_turn_open():
    scene = battle(unit("One", used=9, points=4, spent=4, moved=True, hexes=4, shifting="top"), FAR, ground=WOODS)
    assert keys(scene, "face")
    assert offered(RULES, scene, "One").only_done


@pytest.mark.parametrize(
    ("way", "key", "cost", "prone"),
    [("walker", "hull-down", 1, True), ("walker", "hull-down, standing", 2, False), ("ground", "hull-down", 2, False)],
)
def test_a_walker_goes_hull_down_standing_or_prone(way, key, cost, prone):
    """Line 5165: a walker may hit the dirt for a point less."""
    rules = by(hull_down=True)
    scene = battle(unit("One", design=vehicle(movement=(Movement(way, 8),))), FAR, ground=WOODS)
    _, after = do(scene, key, "hull down", rules=rules)
    one = after.unit("One")
    assert (one.spent, one.signs.prone, one.signs.hull_down) == (cost, prone, 1)
    assert (f"{key}, standing" in keys(scene, "hull down", rules)) == (way == "walker" and prone)


def saturating(spot: str):
    asked: list[Choice] = []

    def decide(choice: Choice):
        if choice.topic == "hex":
            asked.append(choice)
            return spot
        return choice.keys()[0]

    return asked, decide


def test_any_hex_in_arc_sight_and_medium_range_can_be_saturated():
    """Line 4969: with no enemy in sight too; its sum names the rate of fire."""
    scene = battle(unit("One", at=(10, 10), design=vehicle(systems=(BURST,))), FAR)
    _, decide = saturating("@10,6")
    player, after = do(scene, "saturate burst gun", "saturate", decide)
    (zone,) = after.scars.zones
    assert zone.spot == (10.0, 6.0)
    told = next(event for event in player.events if "saturates" in event.headline())
    assert ("rate of fire", 2) in [(term.label, term.value) for term in told.reasons()[0].terms]
    assert after.unit("One").arms[0].left == (80,)


@pytest.mark.parametrize("spot", ["@10,10", "@10,3", "@10,14", "@10,99", "@10.5,6"])
def test_a_hex_out_of_arc_or_range_is_refused(spot):
    scene = battle(unit("One", at=(10, 10), design=vehicle(systems=(BURST,))), FAR)
    _, decide = saturating(spot)
    with pytest.raises(UserError):
        do(scene, "saturate burst gun", "saturate", decide)


def test_suggested_hexes_are_allowed():
    scene = battle(unit("One", at=(10, 10), design=vehicle(systems=(BURST,))), FAR)
    asked, decide = saturating("@10,8")
    do(scene, "saturate burst gun", "saturate", decide)
    for option in asked[0].options:
        at = f"@{option.value[0]:g},{option.value[1]:g}"
        assert asked[0].where.take(at) == option.value
        assert grid.distance((10, 10), (int(option.value[0]), int(option.value[1]))) == 1
    assert asked[0].where.bands()[0].outlines


def test_booster_points_go_into_several_figures_at_once():
    """Line 9060: each point spent raises one of the figures."""
    strong = vehicle(perks=(COMMS, Fitted("power booster", 3)))
    scene = battle(unit("One", design=strong), FAR)
    assert "boost several" in [option.key for option in options_for(RULES, scene, scene.unit("One"))]
    share = {"maneuver": 2, "actions": 1}
    player = Player(ScriptedFaces([]), lambda choice: share.get(choice.ask_for.removeprefix("How many points for ")[:-1], 0))
    after = player.run(boosted(RULES, scene, scene.unit("One"), Deed(kind="boost", what="several", number=3)))
    one = after.unit("One")
    assert (one.surge("maneuver"), one.surge("actions"), one.surge("damage"), one.wear.burnt) == (2, 1, 0, 3)
