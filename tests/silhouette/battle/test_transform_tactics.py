"""Tactics change form, combine, teleport and burn boosters where that is plainly wise, and only there."""

import pytest
from msgspec.structs import replace

from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.registry import options_of
from rulewright.systems.silhouette.battle.declarations import options_for
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.battle.tactics.evaluation import nearest_foes
from rulewright.systems.silhouette.battle.tactics.transform import wise_boost, wise_change
from rulewright.systems.silhouette.machines.vehicle import Body, Component, Device, Fitted, Movement
from silhouette.battles import COMMS, RULES, battle, unit, vehicle

GUN = Device("gun", damage=20, range=3, uses=10)
FOE = unit("Two", "blue", (5, 3), facing=3)
WALKS = (Movement("walker", 8),)


def chosen(state, name="One"):
    one = state.unit(name)
    return wise_change(RULES, state, one, nearest_foes(RULES, state, one), options_of(RULES, state, one))


def test_a_form_that_can_fire_is_taken_where_this_one_cannot():
    armed = Body(name="armed", size=6, armor=15, movement=WALKS, systems=(GUN,))
    bare = vehicle(systems=(), forms=(armed,))
    assert chosen(battle(unit("One", design=bare), FOE)) == "change into armed"
    both = vehicle(systems=(GUN,), forms=(armed,))
    assert chosen(battle(unit("One", design=both), FOE)) is None


def test_a_form_that_walks_is_taken_where_this_one_is_lame():
    wheels = Body(name="wheels", size=6, armor=15, movement=(Movement("ground", 8),))
    one = unit("One", design=vehicle(systems=(GUN,), forms=(wheels,)))
    lame = replace(one, wear=replace(one.wear, failed=("walker",)))
    assert chosen(battle(lame, FOE)) == "change into wheels"


@pytest.mark.parametrize(("damage", "key"), [(60, "combine into Giant"), (1, None)])
def test_components_combine_where_the_whole_strikes_harder_than_all_of_them(damage, key):
    places = (("crew", "structure"), ("movement", "fire control", "auxiliary"))
    small = (replace(GUN, damage=6),)
    parts = tuple([Component(name=f"part {at}", size=5, armor=9, movement=WALKS, systems=small, locations=places[at]) for at in range(2)])
    giant = vehicle(name="Giant", crew=2, systems=(replace(GUN, damage=damage),), components=parts)
    member = Placed(name="Giant", side="red", character=giant, at=(5, 5), state={"facing": 0, "split": True})
    assert chosen(placed(RULES, battle(FOE), member, ("blue", "red")), "Giant's part 0") == key


def test_who_has_no_shot_teleports_to_where_there_is_a_good_one():
    jumper = vehicle(
        crew=2, systems=(Device("blade", damage=30, melee=False, range=1, uses=9),), perks=(COMMS, Fitted("teleport self", 12))
    )
    far = battle(unit("One", at=(5, 14), facing=3, design=jumper), FOE)
    assert (chosen(far) or "").startswith("teleport ")
    near = battle(unit("One", at=(5, 4), design=jumper), FOE)
    assert chosen(near) is None


def test_a_booster_is_burnt_for_a_good_shot_and_never_overburnt():
    design = vehicle(systems=(GUN,), perks=(COMMS, Fitted("power booster", 3)))
    near = battle(unit("One", design=design), FOE)
    keys = [option.key for option in options_for(RULES, near, near.unit("One"))]
    assert wise_boost(RULES, near, near.unit("One"), keys) == "boost damage 3"
    away = battle(unit("One", design=design, facing=3), FOE)
    assert wise_boost(RULES, away, away.unit("One"), keys) is None
