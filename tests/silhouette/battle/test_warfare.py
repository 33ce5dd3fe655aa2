"""Sensors, jamming, special fire, close attacks, cover and fire as a battle plays them: offered, paid, rolled, told."""

import pytest
from msgspec.structs import replace

from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.actions.sensors import Sensed
from rulewright.systems.silhouette.battle.damage.consequences import water_rises
from rulewright.systems.silhouette.battle.damage.zones import fires_burn
from rulewright.systems.silhouette.battle.fire.interception import Answered
from rulewright.systems.silhouette.battle.movement.movement import go
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.sensors.jamming import electronic_warfare, searchlights
from rulewright.systems.silhouette.battle.sensors.sound import Heard, listen, trail_arrays
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.breakage.wrecks import Escaped
from rulewright.systems.silhouette.detection.messages import Electronic
from rulewright.systems.silhouette.detection.sight import UNSEEN, look, sees
from rulewright.systems.silhouette.gunnery.attacks import attack, maneuver_of, shot
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.visible_traits import Built, Cloud, Fire, Jam, Thing
from silhouette.battles import COMMS, RULES, battle, by, hexes, unit, vehicle

SENSORS = Fitted("sensors", 0, variant="standard", amount=2)
DEEP = Region(terrain="jungle", box=(1, 6, 20, 3))
SCOUT = vehicle(perks=(COMMS, SENSORS))


def pair(one=None, two=None, ground=None, place=None, **changes):
    """One at the south looking north, and Two four hexes off looking back."""
    first = unit("One", at=(5, 9), design=one, pace="combat", **changes.pop("first", {}))
    second = unit("Two", "blue", (5, 5), facing=3, design=two, **changes.pop("second", {}))
    return battle(first, second, ground=ground, place=place, **changes)


def offers(scene, name, rules=RULES):
    return {option.key: option for option in options_of(rules, scene, scene.unit(name))}


def do(scene, name, key, faces=(), choices=(), rules=RULES):
    deed = offers(scene, name, rules)[key].value
    return script(action_of(deed.kind).do(rules, scene, scene.unit(name), deed), faces, choices)


def struck(played):
    return [event for event in played.events if isinstance(event, Struck)]


def sound(played):
    return all(holds(reason) for event in played.events for reason in event.reasons())


# --- seeing -------------------------------------------------------------------------------------------------------------------


def test_who_is_too_well_hidden_is_neither_offered_as_a_target_nor_hit():
    scene = pair(ground=hexes(DEEP))
    assert not sees(RULES, scene, scene.unit("One"), scene.unit("Two"))
    assert shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0) is None
    assert not [key for key in offers(scene, "One") if key.startswith("fire")]


def test_obscurement_counts_against_the_attack_and_distance_does_not():
    scene = pair(ground=hexes(Region(terrain="woodland", box=(1, 7, 20, 2))))
    assert look(RULES, scene, scene.unit("One"), scene.unit("Two")).by == "eyes"
    assert shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0).hidden == 2


def test_a_sweep_finds_somebody_unknown_for_the_rest_of_the_round_and_the_dice_are_the_gamemasters():
    scene = pair(one=SCOUT, ground=hexes(DEEP), second={"hexes": 1})
    played = do(scene, "One", "sweep", faces=[(6,)])
    found = played.outcome
    assert found.unit("One").signs.found == ("Two",)
    assert (found.unit("One").used, found.unit("One").signs.loud) == (1, True)
    assert sees(RULES, found, found.unit("One"), found.unit("Two"))
    assert played.rolls[0].roll.unseen
    event = next(event for event in played.events if isinstance(event, Sensed))
    assert event.verdict().name == "found"
    assert sound(played)
    later = script(end_round(RULES, found)).outcome
    assert not sees(RULES, later, later.unit("One"), later.unit("Two"))


def test_a_sweep_that_finds_nobody_says_no_more_than_that():
    scene = pair(one=SCOUT, ground=hexes(DEEP))
    played = do(scene, "One", "sweep", faces=[(2,)])
    event = next(event for event in played.events if isinstance(event, Sensed))
    assert "Two" not in event.headline()
    assert event.reasons() == ()
    assert set(event.known_to) == {"One"}
    empty = pair(one=SCOUT, ground=hexes(Region(level=3, box=(1, 7, 20, 1))))
    assert next(iter(do(empty, "One", "sweep").events)).headline() == event.headline()


def test_what_moved_and_fired_is_easier_to_find():
    scene = pair(one=SCOUT, ground=hexes(DEEP), second={"hexes": 3})
    busy = scene.put(scene.unit("Two").with_arm(0, replace(scene.unit("Two").arms[0], fired=1)))
    assert do(busy, "One", "sweep", faces=[(3,)]).outcome.unit("One").signs.found == ("Two",)
    assert not do(scene.change("Two", hexes=0), "One", "sweep", faces=[(3,)]).outcome.unit("One").signs.found


def test_boosted_sensors_reach_farther_give_away_their_sender_and_may_be_saved_for():
    scene = pair(one=SCOUT)
    boosted = do(scene, "One", "boost").outcome.unit("One")
    assert (boosted.signs.boosted, boosted.used) == (1, 1)
    saved = do(scene, "One", "save boost").outcome
    later = script(end_round(RULES, saved)).outcome
    after = do(later, "One", "boost").outcome.unit("One")
    assert (after.signs.boosted, after.signs.saved, after.used) == (1, 0, 0)


def test_a_large_vehicle_switches_on_its_array_step_by_step():
    huge = vehicle(size=65, perks=(COMMS, SENSORS), crew=8)
    scene = battle(unit("One", at=(5, 9), design=huge), unit("Two", "blue", (15, 5)))
    first = do(scene, "One", "array").outcome
    second = do(first, "One", "array").outcome
    assert (second.unit("One").signs.step, second.unit("One").used) == (2, 3)


# --- jamming ------------------------------------------------------------------------------------------------------------------

JAMMER = vehicle(perks=(COMMS, SENSORS, Fitted("ecm", 1, amount=3)))
BREAKER = vehicle(perks=(COMMS, SENSORS, Fitted("eccm", 1, amount=3)))


def test_ecm_is_paid_and_rolled_at_the_beginning_of_the_round_and_gone_with_it():
    scene = pair(one=JAMMER)
    played = script(electronic_warfare(RULES, scene), [(4,)], ["degrade sensors"])
    assert played.outcome.scars.jammers == (Jam("One", "degrade sensors", 5, 3),)
    assert played.outcome.unit("One").used == 1
    assert script(electronic_warfare(RULES, played.outcome), [], ["no"]).outcome.scars.jammers == ()


def test_eccm_lowers_what_a_jammer_asks_for():
    scene = pair(one=JAMMER, two=BREAKER)
    played = script(electronic_warfare(RULES, scene), [(4,), (6,), (2,)], ["jam communications", "counteract 1"])
    assert played.outcome.scars.jammers == (Jam("One", "jam communications", 1, 3),)
    told = [event for event in played.events if isinstance(event, Electronic) and event.verdict() is not None]
    assert told[0].verdict().name == "weaker"
    assert sound(played)


def test_a_degraded_sweep_must_beat_the_jammer_first():
    scene = pair(one=SCOUT, two=JAMMER, ground=hexes(DEEP))
    jammed = replace(scene, scars=replace(scene.scars, jammers=(Jam("Two", "degrade sensors", 9, 3),)))
    strong = replace(jammed, scars=replace(scene.scars, jammers=(Jam("Two", "degrade sensors", 6, 3),)))
    seven = do(scene.change("Two", hexes=4), "One", "sweep", faces=[(6,)])
    assert seven.outcome.unit("One").signs.found == ("Two",)
    assert not do(jammed, "One", "sweep", faces=[(6,)]).outcome.unit("One").signs.found
    assert not do(strong, "One", "sweep", faces=[(5,)]).outcome.unit("One").signs.found


def test_a_command_point_that_is_jammed_is_lost():
    scene = battle(
        unit("One", at=(5, 9), pace="combat"), unit("Two", "blue", (5, 5), facing=3), unit("Chief", "blue", (6, 5)), unit("Ally", at=(6, 9))
    )
    chief = replace(scene.command("blue"), tactical=1, commander="Chief")
    scene = replace(scene.put_command(chief), scars=replace(scene.scars, jammers=(Jam("One", "jam communications", 4, 3),)))
    made = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    lost = script(attack(RULES, scene, made), [(2,), (3, 1), (6, 1)], ["yes"])
    assert lost.outcome.command("blue").tactical == 0
    assert "Command Point" not in [term.label for term in struck(lost)[0].reasons()[1].terms]
    kept = script(attack(RULES, scene, made), [(5,), (3, 1), (6, 1)], ["yes"])
    assert "Command Point" in [term.label for term in struck(kept)[0].reasons()[1].terms]


MISSILES = vehicle(systems=(Device("missiles", type="missile", damage=10, range=3, rate=2, uses=8),))


def test_ecm_that_spoofs_is_a_second_defense_against_missiles():
    scene = pair(one=MISSILES, two=vehicle(perks=(COMMS, Fitted("ecm", 1, amount=3)), systems=()))
    scene = replace(scene, scars=replace(scene.scars, jammers=(Jam("Two", "spoof", 3, 3),)))
    led = do(scene, "One", "fire missiles:Two", [(6, 1), (1, 2), (6,)], ["single"])
    assert not struck(led)[0].hit
    assert next(event for event in led.events if isinstance(event, Answered)).verdict().name == "stopped"
    straight = do(scene, "One", "fire missiles:Two", [(6, 1), (1, 2), (2,), (4,)], ["single"])
    assert struck(straight)[0].hit


# --- missiles, bursts, called shots -------------------------------------------------------------------------------------------

FLAK = vehicle(systems=(Device("flak", damage=2, range=3, rate=3, uses=40, perks=("anti-missile",)),))


def test_missiles_may_be_shot_down_without_an_action():
    scene = pair(one=MISSILES, two=FLAK)
    stopped = do(scene, "One", "fire missiles:Two", [(6, 1), (1, 2), (6, 2)], ["single", "am flak 3"])
    assert not struck(stopped)[0].hit
    target = stopped.outcome.unit("Two")
    assert (target.used, target.arms[0].left) == (0, (40 - 5,))


def test_a_swarm_is_thinned_out_point_by_point():
    """A rate of 2 from four missiles: a margin of 1 leaves a rate of 1, and so much less damage."""
    scene = pair(one=MISSILES, two=FLAK)
    played = do(scene, "One", "fire missiles:Two", [(6, 1), (1, 2), (3, 2), (4,)], ["burst 2", "am flak 3"])
    assert played.outcome.unit("One").arms[0].left == (4,)
    answer = next(event for event in played.events if isinstance(event, Answered))
    assert answer.verdict().name == "thinned out"
    multiplier = next(term for reason in struck(played)[0].reasons() for term in reason.terms if term.label == "Damage Multiplier")
    assert multiplier.value == 11


def test_a_burst_adds_to_the_damage_and_takes_five_shots_a_point():
    cannon = vehicle(systems=(Device("cannon", damage=8, range=3, rate=2, uses=12),))
    scene = pair(one=cannon)
    played = do(scene, "One", "fire cannon:Two", [(6, 2), (2, 1), (4,)], ["burst 2"])
    assert played.outcome.unit("One").arms[0].left == (2,)
    multiplier = next(term for reason in struck(played)[0].reasons() for term in reason.terms if term.label == "Damage Multiplier")
    assert multiplier.value == 10
    few = scene.put(scene.unit("One").with_arm(0, replace(scene.unit("One").arms[0], left=(6,))))
    assert script(
        action_of("fire").do(RULES, few, few.unit("One"), offers(few, "One")["fire cannon:Two"].value), [(6, 2), (2, 1), (4,)], ["burst 1"]
    )


def test_a_called_shot_has_a_die_less_and_strikes_the_location():
    scene = pair()
    played = do(scene, "One", "fire gun:Two", [(6,), (1, 2), (3,)], ["aim", "at movement"])
    assert struck(played)[0].hit
    assert " at movement" in struck(played)[0].headline()
    assert played.outcome.unit("Two").wear.slowed or played.outcome.unit("Two").destroyed


def test_a_called_shot_puts_a_searchlight_out_with_a_margin_of_three():
    lamp = vehicle(armor=60, perks=(COMMS, Fitted("searchlight", variant="fixed", amount=500)))
    scene = pair(two=lamp, place=Place(night=True))
    scene = scene.change("Two", signs=replace(scene.unit("Two").signs, searchlight=True))
    out = do(scene, "One", "fire gun:Two", [(6,), (1, 2)], ["aim", "at searchlight"])
    assert not out.outcome.unit("Two").signs.searchlight
    near = do(scene, "One", "fire gun:Two", [(4,), (3, 4)], ["aim", "at searchlight"])
    assert near.outcome.unit("Two").signs.searchlight


def test_a_searchlight_is_switched_at_the_beginning_of_a_round_and_shows_its_bearer():
    lamp = vehicle(perks=(COMMS, Fitted("searchlight", variant="fixed", amount=500)))
    dark = pair(two=lamp, ground=hexes(Region(terrain="woodland", box=(1, 6, 20, 3))), place=Place(night=True))
    assert not sees(RULES, dark, dark.unit("One"), dark.unit("Two"))
    lit = script(searchlights(RULES, dark), [], ["on"]).outcome
    assert sees(RULES, lit, lit.unit("One"), lit.unit("Two"))


def test_engines_are_heard_in_the_dark_without_a_name():
    dark = pair(ground=hexes(DEEP), place=Place(night=True))
    heard = [event for event in script(listen(RULES, dark)).events if isinstance(event, Heard)]
    assert {event.name for event in heard} == {"One", "Two"}
    assert not any("Two" in event.headline() for event in heard if event.name == "One")
    assert not script(listen(RULES, replace(dark, place=Place(night=True, atmosphere=0)))).events
    assert not script(listen(RULES, pair(ground=hexes(DEEP)))).events


# --- areas, walking and saturation fire ---------------------------------------------------------------------------------------

SHELLS = vehicle(systems=(Device("shells", damage=4, range=3, uses=9, perks=("area effect 1",)),))


def test_an_area_strikes_everybody_in_it_friends_too_and_shakes_who_got_away():
    scene = battle(
        unit("One", at=(5, 9), design=SHELLS, pace="combat"),
        unit("Two", "blue", (5, 5), facing=3, design=vehicle(armor=3)),
        unit("Ally", at=(5, 6)),
    )
    played = do(scene, "One", "fire shells:Two", [(3, 1), (6, 5), (6, 5), (3,)])
    hit = struck(played)
    assert [event.struck for event in hit] == ["Ally", "Two"]
    assert hit[-1].severity == "light"
    assert hit[-1].verdict().by == "One"
    assert hit[0].verdict().by == ""
    assert sound(played)


SWEEPER = vehicle(systems=(Device("cannon", damage=8, range=4, rate=2, uses=40),))


def test_a_burst_walks_over_neighbours_and_loses_a_point_for_each():
    scene = battle(
        unit("One", at=(5, 9), design=SWEEPER, pace="combat"),
        unit("Two", "blue", (5, 6), facing=3),
        unit("Three", "blue", (6, 6), facing=3),
    )
    key = next(key for key in offers(scene, "One") if key.startswith("walk cannon"))
    played = do(scene, "One", key, [(2, 1), (6, 1), (2, 1), (6, 1)])
    assert len(struck(played)) == 2
    after = played.outcome.unit("One")
    assert (after.used, after.arms[0].left) == (1, (30,))
    assert not [key for key in offers(played.outcome, "One") if key.startswith("walk cannon")]


def test_a_saturated_hex_hurts_whoever_is_there_and_whoever_comes_in_later():
    scene = pair(one=SWEEPER)
    key = next(key for key in offers(scene, "One") if key.startswith("saturate"))
    played = do(scene, "One", key, [(6, 2), (5, 1), (3,)])
    zone = played.outcome.scars.zones[0]
    assert zone.threshold == 8
    assert played.outcome.unit("One").arms[0].left == (20,)
    assert struck(played)[-1].struck == "Two"
    other = replace(played.outcome, units=(*played.outcome.units, unit("Late", "blue", (5, 4), facing=3)))
    moved = script(go(RULES, other, other.unit("Late"), Deed(kind="move", spot=(5.0, 5.0))), [(6, 6), (3,)], ["let it pass"])
    assert any(event.struck == "Late" for event in struck(moved))
    assert script(fires_burn(RULES, played.outcome)).outcome.scars.zones == ()


def test_saturation_reaches_no_farther_than_medium_range():
    near = vehicle(systems=(Device("cannon", damage=8, range=1, rate=2, uses=40),))
    assert not [key for key in offers(pair(one=near), "One") if key.startswith("saturate cannon:")]


# --- indirect fire ------------------------------------------------------------------------------------------------------------

MORTAR = vehicle(systems=(Device("mortar", damage=10, range=3, uses=9, perks=("indirect fire",)),))
RIDGE = Region(level=3, box=(1, 7, 20, 1))


def test_an_observer_gives_a_gun_its_target_behind_a_hill():
    scene = battle(
        unit("One", at=(5, 9), design=MORTAR, pace="combat"),
        unit("Eye", at=(8, 5), facing=4),
        unit("Two", "blue", (5, 5), facing=3),
        ground=hexes(RIDGE),
    )
    assert "fire mortar:Two" not in offers(scene, "One")
    assert "blind" in offers(scene, "One")["indirect mortar:Two"].label
    seen = do(scene, "Eye", "observe:Two").outcome
    assert seen.unit("Eye").used == 1
    assert "Eye" in offers(seen, "One")["indirect mortar:Two"].label
    played = do(seen, "One", "indirect mortar:Two", [(6, 2), (1, 2), (4,)], ["single"])
    assert struck(played)[0].hit


def test_a_blind_shot_comes_down_elsewhere():
    scene = battle(
        unit("One", at=(5, 9), design=MORTAR, pace="combat"),
        unit("Eye", at=(8, 5), facing=4),
        unit("Two", "blue", (5, 5), facing=3),
        ground=hexes(RIDGE),
    )
    astray = do(scene, "One", "indirect mortar:Two", [(3,), (1,)], ["single"])
    assert not struck(astray)
    assert astray.events[-1].verdict().name == "miss"
    straight = do(scene, "One", "indirect mortar:Two", [(1,), (1,), (6, 2), (1, 2), (4,)], ["single"])
    assert struck(straight)[0].hit


# --- close attacks ------------------------------------------------------------------------------------------------------------

FISTS = vehicle(perks=(COMMS, Fitted("manipulator arm", 6, punch=6)))


def test_fists_and_feet_reach_only_the_same_hex():
    scene = battle(unit("One", at=(5, 5), design=FISTS, pace="combat"), unit("Two", "blue", (5, 5), facing=3))
    assert {"punch:Two", "kick:Two"} <= set(offers(scene, "One"))
    assert not {"punch:Two", "kick:Two"} & set(offers(scene.change("Two", y=4.0), "One"))
    kicked = do(scene, "One", "kick:Two", [(6, 2), (1, 2), (4,)])
    multiplier = next(term for reason in struck(kicked)[0].reasons() for term in reason.terms if term.label == "Damage Multiplier")
    assert multiplier.value == 6
    assert sound(kicked)


def test_a_ram_hurts_both_by_size_and_speed():
    """Four hexes and one more into the side: Size 6 with nothing added, by the margin."""
    scene = battle(unit("One", at=(5, 6), hexes=4, spent=3, pace="combat"), unit("Two", "blue", (5, 5), facing=1))
    played = do(scene, "One", "ram:Two", [(6, 2), (3, 2), (3,), (4,)])
    told = played.events[0] if hasattr(played.events[0], "came") else next(event for event in played.events if hasattr(event, "came"))
    assert told.came.to_target == told.came.to_rammer == told.came.came.margin * 6
    assert sound(played)
    assert not [key for key in offers(scene.change("One", facing=3), "One") if key.startswith("ram")]


# --- harm -----------------------------------------------------------------------------------------------------------------------


def test_those_aboard_an_overkilled_machine_escape_on_a_six_or_with_a_system_on_anything_but_a_one():
    scene = pair()
    dead = do(scene, "One", "fire gun:Two", [(6, 6), (1, 1), (5,)], ["single"]).outcome.unit("Two")
    assert (dead.destroyed, dead.crew.dead) == (True, 1)
    lucky = do(scene, "One", "fire gun:Two", [(6, 6), (1, 1), (6,)], ["single"]).outcome.unit("Two")
    assert (lucky.destroyed, lucky.crew.dead) == (True, 0)
    seats = vehicle(perks=(COMMS, Fitted("escape system", variant="ejection seats")))
    out = do(pair(two=seats), "One", "fire gun:Two", [(6, 6), (1, 1), (2,), (4,)], ["single"])
    assert out.outcome.unit("Two").crew.dead == 0
    assert next(event for event in out.events if isinstance(event, Escaped)).out.hexes == 4


def test_a_walker_hit_for_twice_its_size_may_fall_and_must_get_up():
    rules = by(walker_knockdown=True)
    scene = pair(two=vehicle(armor=60))
    played = do(scene, "One", "fire gun:Two", [(5, 1), (2, 3), (2, 3)], ["single"], rules)
    fallen = played.outcome
    assert fallen.unit("Two").signs.prone
    assert "get up" in offers(fallen, "Two", rules)
    assert not [option for option in offers(fallen, "Two", rules).values() if option.value.kind == "move"]
    up = do(fallen, "Two", "get up", rules=rules).outcome.unit("Two")
    assert (up.signs.prone, up.spent) == (False, 1)
    assert not do(scene, "One", "fire gun:Two", [(5, 1), (2, 3)], ["single"]).outcome.unit("Two").signs.prone


SHIP = vehicle(movement=(Movement("naval", 8),))


def test_a_vessel_that_takes_heavy_damage_may_flood_and_sink():
    sea = hexes(Region(terrain="deep water", box=(1, 1, 20, 20)))
    scene = pair(one=SHIP, two=SHIP, ground=sea)
    played = do(scene, "One", "fire gun:Two", [(5, 1), (1, 2), (3,), (2,), (2,)], ["single"])
    hit = played.outcome
    assert hit.unit("Two").signs.floods == (2,)
    assert maneuver_of(hit, hit.unit("Two")).value == -1
    once = script(end_round(RULES, hit)).outcome
    assert not once.unit("Two").destroyed
    assert script(end_round(RULES, once)).outcome.unit("Two").wear.destroyed == "sunk"


# --- ground ---------------------------------------------------------------------------------------------------------------------


def test_hull_down_costs_movement_and_hides_until_one_moves():
    rules = by(hull_down=True)
    scene = pair(ground=hexes(Region(terrain="rough", box=(5, 5, 1, 1))))
    assert "hull-down" not in offers(scene, "One", rules)
    down = do(scene, "Two", "hull-down", rules=rules).outcome
    two = down.unit("Two")
    assert (two.signs.hull_down, two.spent, two.signs.prone) == (1, 1, True)
    assert shot(RULES, down, down.unit("One"), two, 0).hidden == 1
    fully = do(scene, "Two", "fully hull-down", rules=rules).outcome
    assert shot(RULES, fully, fully.unit("One"), fully.unit("Two"), 0).hidden == 2
    assert shot(RULES, fully, fully.unit("Two"), fully.unit("One"), 0) is None


def test_smoke_hides_from_eyes_and_lifts_after_the_next_round():
    scene = pair()
    smoke = Cloud(spot=(5.0, 5.0), kind="smoke", radius=2)
    dim = replace(scene, scars=replace(scene.scars, clouds=(smoke,)))
    assert sees(RULES, scene, scene.unit("One"), scene.unit("Two"))
    assert not sees(RULES, dim, dim.unit("One"), dim.unit("Two"))
    twice = script(fires_burn(RULES, script(fires_burn(RULES, dim)).outcome)).outcome
    assert twice.scars.clouds == ()


FLAMER = vehicle(systems=(Device("flamer", damage=60, range=3, uses=9, perks=("incendiary", "persistent")),))


def test_fire_is_poured_into_a_wood_until_it_burns():
    rules = by(firestarting=True)
    scene = pair(one=FLAMER, ground=hexes(Region(terrain="woodland", box=(5, 5, 1, 1))))
    key = next(key for key in offers(scene, "One", rules) if key.startswith("set fire"))
    burning = do(scene, "One", key, rules=rules).outcome
    assert burning.scars.fires == (Fire(spot=(5.0, 5.0), points=120, intensity=10),)
    later = script(fires_burn(rules, burning)).outcome
    assert later.scars.fires[0].intensity == 11
    assert not [key for key in offers(scene, "One") if key.startswith("set fire")]


def test_an_incendiary_hit_sets_a_machine_on_fire_and_the_fire_harms_it():
    scene = pair(one=FLAMER)
    played = do(scene, "One", "fire flamer:Two", [(5, 1), (2, 3)], ["single"])
    two = played.outcome.unit("Two")
    assert (two.signs.burning, two.signs.sticks) == (64, 4)
    assert not two.wear.armor
    hurt = script(fires_burn(RULES, played.outcome), [(4, 2), (3,)]).outcome.unit("Two")
    assert hurt.wear.armor == 1
    assert (hurt.signs.burning, hurt.signs.sticks) == (63, 3)


# --- arrays -----------------------------------------------------------------------------------------------------------------------


def test_an_array_is_let_out_over_rounds_and_torn_off_by_a_sharp_turn():
    boat = vehicle(movement=(Movement("naval", 8),), perks=(COMMS, Fitted("sensors", 0, variant="standard", amount=1)))
    sea = hexes(Region(terrain="deep water", box=(1, 1, 20, 20)))
    scene = pair(one=boat, two=SHIP, ground=sea)
    out = do(scene, "One", "let out array").outcome
    assert out.unit("One").signs.paying_out == 1
    assert script(trail_arrays(RULES, out)).outcome.unit("One").signs.array == pytest.approx(0.05)
    long = out.change("One", signs=replace(out.unit("One").signs, array=1.0, paying_out=0))
    torn = script(trail_arrays(RULES, long.change("One", turns=2))).outcome.unit("One")
    assert (torn.signs.array, torn.signs.torn) == (0, True)
    assert "let out array" not in offers(long.put(torn), "One")


# --- who fires unseen -------------------------------------------------------------------------------------------------------------


def test_somebody_unseen_who_fires_is_not_named_to_the_target():
    """Two sees through the wood what One does not: sensors against eyes."""
    sharp = vehicle(perks=(COMMS, Fitted("sensors", 5, variant="standard", amount=2)))
    scene = pair(two=sharp, ground=hexes(DEEP), second={"pace": "combat"})
    assert not sees(RULES, scene, scene.unit("One"), scene.unit("Two"))
    played = do(scene, "Two", "fire gun:One", [(2, 1), (6, 1)], ["single"])
    told = {event.known_to: event for event in struck(played)}
    assert told["Two",].attacker == "Two"
    assert told["One",].attacker == UNSEEN
    assert told["One",].verdict().by == ""
    assert [event.attacker for event in struck(played) if not event.hidden_from(None)] == ["Two"]  # the gamemaster reads it once


# --- throws and structures --------------------------------------------------------------------------------------------------------

STRONG = vehicle(perks=(COMMS, Fitted("manipulator arm", 20, punch=6)))
ROCK = Thing(name="the boulder", spot=(5.0, 9.0), size=2, damage=6)


def test_a_boulder_is_thrown_as_far_as_the_arm_carries_it():
    """An arm of 20 throws Size 2 with a Base Range of 36 metres: 288 at the extreme, five hexes."""
    scene = pair(one=STRONG)
    scene = replace(scene, scars=replace(scene.scars, things=(ROCK,)))
    played = do(scene, "One", "throw the boulder:Two", [(6, 4), (1, 2), (3,)])
    assert struck(played)[0].hit
    assert played.outcome.scars.things[0].spot == (5.0, 5.0)
    assert "throw the boulder:Two" not in offers(replace(scene, scars=replace(scene.scars, things=(replace(ROCK, size=15),))), "One")
    assert not [key for key in offers(pair(one=FISTS), "One") if key.startswith("throw")]


def test_a_throw_that_misses_lands_twice_its_margin_off():
    scene = pair(one=STRONG, second={"hexes": 6, "moved": True})
    scene = replace(scene, scars=replace(scene.scars, things=(ROCK,)))
    played = do(scene, "One", "throw the boulder:Two", [(2, 1), (6, 5), (4,)])
    assert not struck(played)
    assert played.events[-1].verdict().name == "miss"
    assert "beside it" in played.events[-1].headline()
    assert sound(played)


def test_a_structure_takes_damage_points_until_it_is_rubble():
    scene = pair()
    mill = Built(name="the mill", spot=(5.0, 6.0), capacity=50)
    scene = replace(scene, scars=replace(scene.scars, built=(mill,)))
    played = do(scene, "One", "demolish gun:the mill", [(4, 1)])
    assert played.outcome.scars.built[0].taken == 40
    down = do(played.outcome, "One", "demolish gun:the mill", [(4, 1)])
    assert down.outcome.scars.built[0].rubble
    assert down.outcome.field.terrain((5, 6)) == "rough"
    assert not [key for key in offers(down.outcome, "One") if key.startswith("demolish")]


def test_a_bridge_breaks_under_what_is_far_too_heavy():
    river = hexes(Region(terrain="water", along=((1, 8), (20, 8))), Region(terrain="road", along=((5, 1), (5, 20))))
    spans = Built(name="the bridge", spot=(5.0, 8.0), capacity=100, bears=3, level=1, under="water")
    tank = vehicle(size=9, movement=(Movement("ground", 8),))
    scene = pair(one=tank, ground=river, second={"used": 9})
    scene = replace(scene, scars=replace(scene.scars, built=(spans,)))
    played = script(go(RULES, scene, scene.unit("One"), Deed(kind="move", spot=(5.0, 8.0))), [(5,), (2, 1), (3,)])
    after = played.outcome
    assert after.scars.built[0].rubble
    assert after.field.terrain((5, 8)) == "water"
    light = scene.change("One", machine=replace(scene.unit("One").machine, size=3))
    assert not script(go(RULES, light, light.unit("One"), Deed(kind="move", spot=(5.0, 8.0)))).outcome.scars.built[0].taken


def test_a_road_gives_a_ground_vehicle_half_its_speed_more():
    road = hexes(Region(terrain="road", along=((5, 1), (5, 20))))
    car = vehicle(movement=(Movement("ground", 8),))
    scene = battle(unit("One", at=(5, 12), design=car), unit("Two", "blue", (15, 5), used=9), ground=road)
    far = offers(scene, "One")["road north"]
    assert "0506" in far.label
    moved = script(action_of("follow road").do(RULES, scene, scene.unit("One"), far.value)).outcome.unit("One")
    assert (moved.spot, moved.hexes) == ((5.0, 6.0), 6)
    walker = battle(unit("One", at=(5, 12)), unit("Two", "blue", (15, 5), used=9), ground=road)
    assert not [key for key in offers(walker, "One") if key.startswith("road")]
    beside = scene.change("One", x=6.0)
    assert not [key for key in offers(beside, "One") if key.startswith("road")]


# --- in space ---------------------------------------------------------------------------------------------------------------------

CRAFT = vehicle(movement=(Movement("space", 8),), burn_points=600, reaction_mass="hydrogen")


def test_a_hit_on_the_drive_of_a_spacecraft_may_go_into_its_tanks_and_make_a_cloud():
    scene = pair(one=CRAFT, two=CRAFT)
    scene = battle(*[replace(each, way="space") for each in scene.units])
    deed = next(option.value for key, option in offers(scene, "One").items() if key == "fire gun:Two")
    played = script(action_of("fire").do(RULES, scene, scene.unit("One"), deed), [(5, 1), (1, 2), (4,), (1,)], ["single", "tanks"])
    after = played.outcome
    assert after.unit("Two").course.burned == 300
    assert after.field.terrain((5, 5)) == "dust"
    kept = script(action_of("fire").do(RULES, scene, scene.unit("One"), deed), [(5, 1), (1, 2), (4,), (2,)], ["single", "movement"])
    assert kept.outcome.unit("Two").course.burned == 0
    assert kept.outcome.unit("Two").wear.slowed


def test_dust_debris_and_a_planets_shadow_hide_in_space():
    ground = hexes(Region(terrain="debris", box=(1, 7, 20, 1)), Region(terrain="dust", box=(1, 6, 20, 1)))
    ships = [replace(each, way="space") for each in pair(one=CRAFT, two=CRAFT).units]
    scene = battle(*ships, ground=ground)
    assert look(RULES, scene, scene.unit("One"), scene.unit("Two")).obscurement == 3
    dark = battle(*ships, ground=hexes(Region(terrain="shadow", box=(5, 5, 1, 1)), Region(terrain="dust", box=(1, 7, 20, 1))))
    assert not sees(RULES, dark, dark.unit("One"), dark.unit("Two"))


# --- from the air -----------------------------------------------------------------------------------------------------------------

BARGE = vehicle(name="Barge", size=20, movement=(Movement("air", 20, 0),))
PARATANK = vehicle(perks=(COMMS, Fitted("airdroppable")))


def loaded(level, speed=5):
    carried = unit("Tank", at=(5, 9), design=PARATANK, gone=True)
    carried = replace(carried, signs=replace(carried.signs, carrier="Barge"))
    barge = replace(unit("Barge", at=(5, 9), design=BARGE), altitude=level, hexes=speed, moved=True)
    return battle(barge, carried, unit("Two", "blue", (15, 5), facing=3))


def test_a_machine_is_dropped_by_parachute_and_ready_after_its_size_in_rounds():
    scene = loaded(2)
    dropped = do(scene, "Barge", "drop Tank").outcome.unit("Tank")
    assert (dropped.gone, dropped.spot, dropped.signs.ready) == (False, (5.0, 9.0), 6)
    after = do(scene, "Barge", "drop Tank").outcome
    later = script(end_round(RULES, after)).outcome
    assert later.unit("Tank").signs.ready == 5
    assert not [key for key in offers(later, "Tank") if key.startswith(("fire", "close"))]


@pytest.mark.parametrize(
    ("level", "speed", "offered"), [(2, 20, True), (2, 21, False), (41, 5, False), (1, 8, True), (1, 9, False), (0, 5, False)]
)
def test_too_fast_too_high_and_too_low_nothing_is_dropped(level, speed, offered):
    assert ("drop Tank" in offers(loaded(level, speed), "Barge")) == offered


def test_a_winch_lifts_and_lets_down_what_it_can_carry_while_hovering_still():
    crane = vehicle(name="Crane", size=20, movement=(Movement("air", 20, 0),), perks=(COMMS, Fitted("airlift winch", 6)))
    scene = battle(unit("Crane", at=(5, 9), design=crane), unit("Tank", at=(5, 9)), unit("Two", "blue", (15, 5), facing=3))
    lifted = do(scene, "Crane", "winch up Tank").outcome
    assert (lifted.unit("Tank").gone, lifted.unit("Tank").signs.carrier) == (True, "Crane")
    down = do(lifted, "Crane", "winch down Tank").outcome
    assert (down.unit("Tank").gone, down.unit("Tank").signs.carrier) == (False, "")
    assert "winch up Tank" not in offers(scene.change("Crane", hexes=1), "Crane")
    assert "winch up Tank" not in offers(scene.change("Crane", altitude=1), "Crane")


def test_flooded_sections_draw_a_vessel_down_unless_movement_points_hold_it():
    sea = hexes(Region(terrain="deep water", level=-6, box=(1, 1, 20, 20)))
    boat = vehicle(movement=(Movement("submarine", 8),))
    scene = pair(one=boat, two=boat, ground=sea)
    parts = replace(scene.unit("Two").machine, sections=(scene.unit("Two").machine,) * 2)
    two = replace(scene.unit("Two"), machine=parts, altitude=-1, signs=replace(scene.unit("Two").signs, flooded=2))
    sunk = script(water_rises(RULES, scene.put(two))).outcome.unit("Two")
    assert sunk.altitude == -3
    held = script(water_rises(RULES, scene.put(replace(two, points=4, spent=0)))).outcome.unit("Two")
    assert held.altitude == -1
    half = script(water_rises(RULES, scene.put(replace(two, points=4, spent=2)))).outcome.unit("Two")
    assert half.altitude == -2  # what is spent already holds nothing
    bed = script(water_rises(RULES, scene.put(replace(two, altitude=-5)))).outcome.unit("Two")
    assert bed.altitude == -6


def test_who_ejects_in_space_drifts_on_four_slower():
    seats = vehicle(movement=(Movement("space", 8),), burn_points=600, perks=(COMMS, Fitted("escape system", variant="ejection seats")))
    ship = replace(unit("One", design=seats), way="space", wear=replace(unit().wear, armor=1))
    ship = replace(ship, course=replace(ship.course, vector=(6, 0, 0)))
    scene = battle(ship, unit("Two", "blue", (15, 5), facing=3))
    played = do(scene, "One", "eject", [(4,)])
    event = next(event for event in played.events if isinstance(event, Escaped))
    assert event.drift == 2
    assert "drifts at 2 hexes a round" in event.headline()
    assert not played.outcome.unit("One").able
