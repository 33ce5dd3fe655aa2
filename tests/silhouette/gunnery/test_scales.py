"""Attacks between machines of different scales (book lines 3838-3852)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.battle.actions.attacks.close_combat import blow_at
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, shot, struck
from rulewright.systems.silhouette.machines.vehicle import Device
from silhouette.battles import RULES, battle, unit, vehicle

BIG_GUN = Device("great gun", damage=15, range=2, uses=50)


def ship(name, scale, side="red", at=(5, 5), **changes):
    return unit(name, side, at, design=vehicle(scale=scale, systems=(BIG_GUN,), **changes))


def meeting(own, other, far=1, **changes):
    return battle(ship("One", own), ship("Two", other, "blue", (5, 5 - far), **changes))


def found(state):
    return shot(RULES, state, state.unit("One"), state.unit("Two"), 0)


@pytest.mark.parametrize(
    ("own", "other", "modifier", "factor"),
    [
        ("vehicle", "vehicle", 0, 1),
        ("very large", "very large", 0, 1),
        ("very large", "vehicle", -2, 10),
        ("gigantic", "very large", -2, 100),
        ("gigantic", "vehicle", -4, 1000),
        ("vehicle", "very large", 0, 0.1),
    ],
)
def test_against_a_smaller_scale_an_attack_is_at_two_less_a_step_and_strikes_as_much_harder(own, other, modifier, factor):
    state = meeting(own, other)
    aimed = found(state)
    assert sum(mod.value for mod in aimed.mods if "scale" in mod.label) == modifier
    assert aimed.scaled[1] == factor
    pool = attack_pool(RULES, state, aimed)
    assert ("scale against" in str(pool.mods)) == (modifier != 0)


def test_a_very_large_gun_of_fifteen_does_a_hundred_and_fifty_for_each_point_and_says_why():
    """The book's battleship: x15 is x150 against a vehicle."""
    state = meeting("very large", "vehicle", armor=200)
    told = script(struck(RULES, state, found(state), 1)).events
    hit = next(event for event in told if event.logged)
    damage = next(reason for reason in hit.reasons() if reason.label == "damage")
    assert damage.value == 150
    assert [(term.label, term.value, term.op) for term in damage.terms][1] == ("very large scale against vehicle scale", 10, "×")


def test_ranges_grow_down_the_scale_and_shrink_up_it():
    far = meeting("very large", "vehicle", far=15)
    assert found(far).band == "short"
    assert found(meeting("vehicle", "vehicle", far=15)).band == "extreme"
    assert found(meeting("vehicle", "very large", far=1)).band == "extreme"
    assert found(meeting("vehicle", "very large", far=15)) is None


def test_a_point_of_area_is_added_to_every_system_of_a_very_large_machine_and_five_to_a_gigantic_ones():
    assert [ship("One", scale).version(0).perk("area effect") for scale in ("vehicle", "very large", "gigantic")] == [
        None,
        ("area effect", 1, ""),
        ("area effect", 5, ""),
    ]
    wide = vehicle(scale="very large", systems=(Device("bombard", damage=5, range=2, perks=("area effect 2",)),))
    assert unit("One", design=wide).version(0).perk("area effect")[1] == 3


def test_blows_and_rams_are_weighed_by_the_scales_too():
    state = meeting("very large", "vehicle", far=0)
    one, two = state.unit("One"), state.unit("Two")
    down, up = (blow_at(RULES, state, by, at, weapon="foot", damage=6) for by, at in ((one, two), (two, one)))
    assert (down.scaled[1], [mod.value for mod in down.mods]) == (10, [-2])
    assert (up.scaled[1], up.mods) == (0.1, ())


def test_an_attack_up_the_scale_does_a_tenth_of_the_damage():
    state = meeting("vehicle", "very large", armor=40)
    ended = script(struck(RULES, state, found(state), 1))
    sums = [reason for event in ended.events if event.logged for reason in event.reasons() if reason.label == "damage"]
    assert [(sum_.value, sum_.terms[-1].op, sum_.terms[-1].value) for sum_ in sums] == [(1.5, "÷", 10)]


def test_against_somebody_on_foot_a_very_large_machine_is_at_four_less():
    state = meeting("very large", "vehicle")
    walker = state.unit("Two")
    state = state.put(replace(walker, machine=replace(walker.machine, build="person")))
    assert sum(mod.value for mod in found(state).mods) == -4
