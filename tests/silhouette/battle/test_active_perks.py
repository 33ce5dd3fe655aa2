"""Perks and Flaws of systems and machines that change a battle by themselves (book lines 9028-9625)."""

import pytest
from msgspec.structs import replace

from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.damage.agents import at_random, dice_of_foam, knocked_out, lost_to_stunning, sickness
from rulewright.systems.silhouette.battle.damage.fuses import fuses_burn, sticks
from rulewright.systems.silhouette.battle.damage.strain import (
    autopilots,
    cables_drag,
    cut_off,
    feedback,
    feeds_back,
    heat_builds,
    minds_link,
    overheats,
    rating_of,
    shutdowns,
    unsnag,
)
from rulewright.systems.silhouette.battle.damage.zones import entered, fires_burn
from rulewright.systems.silhouette.battle.fire.decoys import echo_of, echo_off, hears_battery
from rulewright.systems.silhouette.battle.fire.interception import Answered
from rulewright.systems.silhouette.battle.fire.parries import parried, shields_recover
from rulewright.systems.silhouette.battle.forms.boosters import boost, points_left
from rulewright.systems.silhouette.battle.movement.movement import points_of
from rulewright.systems.silhouette.battle.movement.winches import dragged, haul_on
from rulewright.systems.silhouette.battle.rounds import begin_round, end_round
from rulewright.systems.silhouette.breakage import events
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.gunnery.areas import doom, in_the_angle, spread_damage
from rulewright.systems.silhouette.gunnery.attacks import can_command, maneuver_of, shot
from rulewright.systems.silhouette.gunnery.lines import farther
from rulewright.systems.silhouette.gunnery.shields import armor_here, shield_armor, worn_to
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.maneuver.speeds import top_speed
from rulewright.systems.silhouette.units.crews import actions_left, actions_of, pool_of
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.units import Rider
from rulewright.systems.silhouette.units.visible_traits import Cloud, Fire, Mined
from silhouette.battle.test_system_perks import armed, do, fire, mods, offers, pair
from silhouette.battles import COMMS, RULES, battle, hexes, unit, vehicle

GUN = Device("gun", damage=10, range=3, uses=10)


def machine_with(*perks, flaws=(), **changes):
    return vehicle(perks=(COMMS, *perks), flaws=tuple(flaws), **changes)


def guarded_by(*perks, damage=8, **changes):
    """A machine with a gun, and something to parry with."""
    return vehicle(systems=(GUN, Device("guard", damage=damage, melee=True, perks=perks, **changes)))


def struck(played):
    return next(event for event in played.events if isinstance(event, Struck))


# --- parries and shields (lines 9496-9514) ----------------------------------------------------------------------------------------


def test_a_solid_shield_parries_and_takes_its_damage_and_the_margin_off():
    scene = pair(armed(damage=10), guarded_by("shield"))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (6, 6)], ["single", "parry guard"])
    answer = next(event for event in hit.events if isinstance(event, Answered))
    assert answer.headline() == "Two parries with the guard: damage -9"
    assert struck(hit).severity == "light"  # 3 × 10 less 9 is 21, against 15
    assert hit.outcome.unit("Two").wear == scene.unit("Two").wear
    assert hit.outcome.unit("Two").version(1).damage == 4
    assert hit.outcome.unit("Two").used == 1


def test_a_heavy_blow_destroys_the_system_that_parried_it_and_spares_the_machine():
    scene = pair(armed(damage=15), guarded_by("shield", damage=4))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (6, 6)], ["single", "parry guard"])
    assert struck(hit).severity == "heavy"  # 45 less 5
    two = hit.outcome.unit("Two")
    assert (two.arms[1].broken, two.wear.armor) == (True, 0)


def test_an_overkill_goes_through_a_parry():
    scene = pair(armed(damage=25), guarded_by("shield", damage=4))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (6, 6), (3,)], ["single", "parry guard"])
    assert hit.outcome.unit("Two").destroyed


def test_a_failed_parry_costs_the_action_all_the_same():
    scene = pair(armed(damage=10), guarded_by("shield"))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (5, 1), (3,)], ["single", "parry guard"])
    assert (hit.outcome.unit("Two").used, hit.outcome.unit("Two").wear.armor) == (1, 1)


@pytest.mark.parametrize(("die", "came"), [(4, []), (5, ["thinned out"])])
def test_a_flickering_shield_parries_from_its_level_on(die, came):
    scene = pair(armed(damage=10), guarded_by("shield", flaws=("flicker 5",)))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (die,), (6, 6) if came else (3,)], ["single", "parry guard"])
    assert [event.came for event in hit.events if isinstance(event, Answered)] == came


def test_a_plain_parry_is_for_blows():
    scene = pair(armed(damage=10), guarded_by("parry"))
    shot_at = do(scene, "One", "fire gun:Two", [(5, 1), (2, 1), (3,)], ["single"])
    assert not [event for event in shot_at.events if isinstance(event, Answered)]
    close = battle(unit("One", pace="combat"), unit("Two", "blue", design=guarded_by("parry")))
    kick = do(close, "One", "kick:Two", [(2, 1), (4, 1), (6, 6)], ["parry guard"])
    assert [event.came for event in kick.events if isinstance(event, Answered)] == ["thinned out"]


def test_a_shield_at_rest_adds_a_third_of_its_damage_to_armor_in_its_arc():
    assert shield_armor(8).value == 2
    scene = pair(armed(), guarded_by("shield"))
    found = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    assert armor_here(scene, scene.unit("Two"), found).value == 17
    assert armor_here(scene, scene.unit("Two"), replace(found, guard="Two", guard_arm=1)).value == 15
    turned = scene.change("Two", facing=0)
    behind = shot(RULES, turned, turned.unit("One"), turned.unit("Two"), 0)
    assert armor_here(turned, turned.unit("Two"), behind).value == 15


def test_an_energy_shield_stops_what_it_is_made_against_while_it_is_on():
    for made, kind, stops in (("energy", "energy", True), ("matter", "energy", False), ("all", "energy", True)):
        scene = pair(armed(damage=10, type=kind), guarded_by(f"energy shield {made}"))
        on = do(scene, "Two", "switch on guard").outcome.change("Two", used=0)
        choices = ["single", "parry guard"] if stops else ["single"]
        faces = [(4, 1), (3, 1), (6, 6)] if stops else [(4, 1), (3, 1), (3,)]
        played = do(on, "One", "fire gun:Two", faces, choices)
        assert bool([event for event in played.events if isinstance(event, Answered)]) == stops


def test_nothing_goes_out_through_an_energy_shield_unless_it_is_open():
    closed = pair(guarded_by("energy shield all"))
    assert "fire gun:Two" in offers(closed, "One")
    on = do(closed, "One", "switch on guard").outcome.change("One", used=0)
    assert "fire gun:Two" not in offers(on, "One")
    opened = pair(guarded_by("energy shield open"))
    assert "fire gun:Two" in offers(opened, "One")
    assert "switch off guard" in offers(opened, "One")


def test_an_energy_shield_switched_off_gains_a_point_a_round():
    scene = pair(armed(), guarded_by("energy shield all"))
    two = scene.unit("Two")
    worn = scene.put(two.with_arm(1, replace(two.arms[1], worn=3)))
    assert script(shields_recover(RULES, worn)).outcome.unit("Two").version(1).damage == 6
    on = worn.put(worn.unit("Two").with_arm(1, replace(worn.unit("Two").arms[1], switched=True)))
    assert script(shields_recover(RULES, on)).outcome == on


def test_an_energy_shield_with_an_area_covers_others():
    ward = unit("Three", "blue", (6, 5), facing=3, design=guarded_by("energy shield all", "area effect 1"))
    scene = battle(*pair(armed(damage=10)).units, ward)
    on = do(scene, "Three", "switch on guard").outcome.change("Three", used=0)
    hit = do(on, "One", "fire gun:Two", [(4, 1), (3, 1), (6, 6)], ["single", "parry guard of Three"])
    assert hit.outcome.unit("Three").used == 1
    assert hit.outcome.unit("Two").wear.armor == 0


def test_what_a_parry_takes_off_and_what_it_costs():
    assert (parried(8, 3).value, worn_to(7).value) == (11, 3)


# --- what it spreads over (lines 9445-9463, 9491, 9519, 9535) ---------------------------------------------------------------------


def test_a_salvo_spread_out_does_half_the_damage_a_hex_wider():
    assert spread_damage(9).value == 4
    scene = battle(*pair(armed("scatter", damage=9)).units, unit("Three", "blue", (5, 5), facing=3))
    both = do(scene, "One", "fire gun:Two", [(2, 1), (5, 1), (5, 1)], ["spread"])
    assert {event.struck for event in both.events if isinstance(event, Struck)} == {"Two", "Three"}
    one = do(scene, "One", "fire gun:Two", [(2, 1), (5, 1)], ["single"])
    assert {event.struck for event in one.events if isinstance(event, Struck)} == {"Two"}


@pytest.mark.parametrize(("hexes_off", "expected"), [(0, 80), (2, 80), (3, 40), (4, 40), (5, 8), (8, 8), (9, 0)])
def test_mass_destruction_has_three_rings(hexes_off, expected):
    assert doom(8, hexes_off).value == expected


def test_mass_destruction_strikes_everybody_within_its_reach():
    far = unit("Three", "blue", (5, 12), facing=3)
    scene = battle(*pair(armed("mass destruction", damage=4)).units, far)
    played = do(scene, "One", "fire gun:Two", [(2, 1), (5, 1), (5, 1), (3,)], ["single"])
    hit = {event.struck: event.severity for event in played.events if isinstance(event, Struck)}
    assert hit["Two"] == "heavy"  # 10 × 4 though it missed
    assert "Three" not in hit


def test_a_wide_angle_is_rolled_against_everybody_in_it():
    beside = unit("Three", "blue", (6, 5), facing=3)
    behind = unit("Four", "blue", (5, 13), facing=0)
    scene = battle(*pair(armed("wide angle 60", damage=4)).units, beside, behind)
    names = {each.name for each in in_the_angle(scene, scene.unit("One"), scene.unit("Two"), 60, 24)}
    assert names == {"Two", "Three"}
    played = do(scene, "One", "fire gun:Two", [(2, 1), (5, 1), (5, 1)], ["single"])
    assert {event.struck: event.hit for event in played.events if isinstance(event, Struck)} == {"Two": False, "Three": False}


def test_a_liquid_meets_twice_the_armor_and_splashes():
    scene = battle(*pair(armed("liquid", damage=12)).units, unit("Three", "blue", (5, 5), facing=3))
    found = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    assert armor_here(scene, scene.unit("Two"), found).value == 30
    wet = fire(scene, (4, 1), (5, 1))
    assert wet.outcome.unit("Three") == scene.unit("Three")  # a quarter of the damage does nothing to Armor 15
    headlines = [event.headline() for event in wet.events if event.logged]
    assert "Three: the gun splashes it" in headlines


def test_mist_makes_energy_weapons_reach_less_far():
    assert farther("short") == "medium"
    assert farther("five times extreme") == ""
    scene = pair(armed(type="energy"))
    before = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0).band
    misty = replace(scene, scars=replace(scene.scars, clouds=(Cloud(spot=(5.0, 7.0), kind="aerosol"),)))
    assert (before, shot(RULES, misty, misty.unit("One"), misty.unit("Two"), 0).band) == ("medium", "long")
    solid = replace(pair(armed()), scars=misty.scars)
    assert shot(RULES, solid, solid.unit("One"), solid.unit("Two"), 0).band == "medium"


# --- people and not steel (lines 9460-9463, 9600-9604) ----------------------------------------------------------------------------


def test_agents_strike_those_who_breathe_the_air():
    assert [sickness(margin, 8).value for margin in (1, 2, 6)] == [0, 1, 4]
    closed = fire(pair(armed("chemical")), (6, 1), (2, 1)).outcome
    assert closed.unit("Two").signs.sick == 0
    exposed = vehicle(flaws=(Fitted("exposed crew", amount=1),))
    open_one = pair(armed("chemical", damage=10), exposed)
    ill = fire(open_one, (4, 1), (4, 1)).outcome
    assert ill.unit("Two").signs.sick == 2
    assert pool_of(RULES, ill.unit("Two"), "gunnery").modifier == -2
    out = fire(ill.change("One", used=0), (6, 1), (3, 1)).outcome
    assert not out.unit("Two").able
    for before, second, words in ((2, 1, "everyone aboard acts at -4"), (3, 6, "everyone there is incapacitated")):
        weak = open_one.change("Two", signs=replace(open_one.unit("Two").signs, sick=before))
        last = fire(weak, (4, 1), (6, second))  # by 2 again: what makes ill makes the defense harder too
        assert last.outcome.unit("Two").signs.sick == before + 2
        assert last.outcome.unit("Two").able == (before == 2)
        assert any(words in event.headline() for event in last.events if event.logged)


def test_what_only_knocks_out_does_nothing_through_armor():
    scene = pair(armed(flaws=("non-lethal",)))
    played = fire(scene, (6, 1), (2, 1))
    assert played.outcome.unit("Two") == scene.unit("Two")
    exposed = pair(armed(flaws=("non-lethal",), damage=20), vehicle(flaws=(Fitted("exposed crew", amount=1),)))
    hit = fire(exposed, (5, 1), (3, 1), (3,), (5,)).outcome  # half of 40 is Light; the crew; one is out
    assert not hit.unit("Two").able
    assert hit.unit("Two").crew.dead == 0
    spared = fire(exposed, (5, 1), (3, 1), (3,), (2,)).outcome
    assert spared.unit("Two").able


@pytest.mark.parametrize(
    ("die", "minutes", "flesh", "deep", "coma"), [((6, 2), 0, 0, 0, False), ((4, 1), 2, 0, 0, False), ((1, 2), 4, 0, 0, False)]
)
def test_who_is_knocked_out_is_out_for_as_long_as_the_test_failed_by(die, minutes, flesh, deep, coma):
    came = script(knocked_out(RULES, Patient(), 4, 2), [die]).outcome
    assert (came.unconscious, came.flesh, came.deep, came.coma) == (minutes, flesh, deep, coma)


def test_of_those_knocked_out_few_are_dead():
    odds = exact(lambda: lost_to_stunning(RULES, 1))
    chance = {came: weight * 6 // odds.total for came, weight in odds.weights.items()}
    assert chance == {(0, 0): 2, (1, 0): 3, (1, 1): 1}


# --- later and from afar (lines 9439-9443, 9517, 9523, 9612) ----------------------------------------------------------------------


def test_a_time_delay_goes_off_by_itself():
    scene = pair(armed(flaws=("time delay",)))
    laid = do(scene, "One", "fire gun:Two", [], ["single", 2])
    assert [fuse.rounds for fuse in laid.outcome.scars.fuses] == [2]
    later = script(fuses_burn(RULES, laid.outcome)).outcome
    gone = script(fuses_burn(RULES, later), [(5, 1), (2, 1), (3,)])
    assert struck(gone).struck == "Two"
    assert gone.outcome.scars.fuses == ()


def test_what_sticks_goes_off_on_its_target_unless_it_is_torn_off():
    assert sticks(3, 10).value == 13
    scene = pair(armed("adhesive", flaws=("time delay",), damage=3))
    assert mods(scene)["must stick to the target"] == -1
    stuck = do(scene, "One", "fire gun:Two", [(6, 1), (2, 1)], ["single", 1]).outcome
    moved = stuck.change("Two", x=9.0)
    assert struck(script(fuses_burn(RULES, moved), [])).struck == "Two"
    free = do(stuck, "Two", "tear off gun", [(6, 6)]).outcome
    assert free.scars.fuses == ()
    still = do(stuck, "Two", "tear off gun", [(2, 1)]).outcome
    assert len(still.scars.fuses) == 1


def test_a_remote_system_is_left_and_set_off_with_a_signal():
    scene = pair(armed("remote"))
    left = do(scene, "One", "fire gun:Two", [], ["left there"]).outcome.change("One", used=0)
    silent = do(left, "One", "set off gun", [(1,)]).outcome
    assert len(silent.scars.fuses) == 1
    bang = do(left, "One", "set off gun", [(4,), (5, 1), (5, 1), (3,)])
    assert struck(bang).struck == "Two"
    assert bang.outcome.scars.fuses == ()


def test_what_seeks_for_several_rounds_turns_back():
    scene = pair(armed("seeking 2"))
    missed = fire(scene, (2, 1), (6, 5), (2, 1), (6, 5)).outcome
    assert [fuse.seeks for fuse in missed.scars.fuses] == [True]
    again = script(fuses_burn(RULES, missed), [(6, 1), (2, 1), (3,)])
    assert struck(again).hit
    assert again.outcome.scars.fuses == ()


def test_a_random_system_may_be_worse_this_time():
    odds = exact(lambda: at_random(RULES, 3))
    assert odds.weights[0] * 36 // odds.total == 27  # the better of two dice is 4 or more in 27 cases of 36
    scene = pair(armed(flaws=("random 3 damage",)))
    weak = fire(scene, (2, 2), (2, 1), (6, 1))
    assert "One: the gun is erratic and loses 2 damage" in [event.headline() for event in weak.events if event.logged]
    short = pair(armed(flaws=("random 3 range",), range=1))
    assert not struck(fire(short, (1, 2))).hit


# --- caught (lines 9475, 9482, 9541) ----------------------------------------------------------------------------------------------


def test_a_snare_may_be_used_to_harm():
    scene = pair(armed("entangle", damage=6))
    harmed = do(scene, "One", "fire gun:Two", [(5, 1), (2, 1), (3,)], ["to harm"]).outcome
    assert harmed.unit("Two").signs.held == 0
    assert harmed.unit("Two").wear.armor == 1


def test_a_winch_drags_by_the_ratio_of_sizes():
    assert dragged(3, 6).value == 5
    assert dragged(6, 6).value == 10
    assert dragged(12, 6).value == 5
    scene = pair(armed("winch", damage=8))
    caught = do(scene, "One", "pull gun:Two", [(6, 1), (2, 1)]).outcome
    assert caught.unit("Two").signs.hauled == ("One", 0, 0)
    near = script(haul_on(RULES, caught.change("Two", signs=replace(caught.unit("Two").signs, hauled=("One", 0, 45))))).outcome
    assert near.unit("Two").spot == (5.0, 6.0)
    free = caught.change("Two", signs=replace(caught.unit("Two").signs, held=0))
    assert script(haul_on(RULES, free)).outcome.unit("Two").signs.hauled is None


def test_gravity_pushes_too_where_it_was_built_to():
    single, double = pair(armed("gravitic single", damage=8)), pair(armed("gravitic double", damage=8))
    assert "push gun:Two" not in offers(single, "One")
    assert "pull gun:Two" in offers(single, "One")
    pushed = do(double, "One", "push gun:Two", [(6, 1), (2, 1)]).outcome
    away = script(haul_on(RULES, pushed.change("Two", signs=replace(pushed.unit("Two").signs, hauled=("One", -1, 45))))).outcome
    assert away.unit("Two").spot == (5.0, 4.0)


def test_a_concealed_system_is_folded_out_first_and_safe_from_a_hit_until_then():
    scene = pair(armed("concealed"))
    assert "fire gun:Two" not in offers(scene, "One")
    out = do(scene, "One", "fold out gun").outcome.change("One", used=0)
    assert "fire gun:Two" in offers(out, "One")
    assert "fold in gun" in offers(out, "One")
    assert "fire gun:Two" in offers(pair(armed("concealed pop-up")), "One")
    hit = fire(pair(armed(), armed("concealed")), (5, 1), (5, 1), (1,), (4,)).outcome
    assert (hit.unit("Two").arms[0].broken, hit.unit("Two").arms[0].redundant) == (False, 1)


# --- ground (lines 9413, 9481, 9493) ----------------------------------------------------------------------------------------------


def test_mines_strike_from_below_and_are_cleared():
    soft = vehicle(flaws=(Fitted("weak underbelly"),))
    field = Mined(spot=(5.0, 5.0), threshold=5, damage=5)
    for design, armor in ((None, 15), (soft, 8)):
        scene = battle(unit("One"), unit("Two", "blue", (9, 9), design=design))
        scene = replace(scene, scars=replace(scene.scars, mines=(field,))).change("Two", x=5.0, y=5.0)
        played = script(entered(RULES, scene, "Two"), [(6, 1), (3,)] if armor == 8 else [(6, 1)])
        said = next(event for event in played.events if "minefield" in event.headline())
        assert said.headline() == f"Two runs into the minefield: {'light damage' if armor == 8 else 'no effect'}"
    cleaner = pair(armed("minebuster"))
    mined = replace(cleaner, scars=replace(cleaner.scars, mines=(field,)))
    thinner = do(mined, "One", "clear minefield 1 gun", [(3, 1)]).outcome
    assert [each.threshold for each in thinner.scars.mines] == [3]
    assert do(mined, "One", "clear minefield 1 gun", [(6, 6)]).outcome.scars.mines == ()


def test_a_persistent_attack_on_an_area_lies_there_like_mines():
    scene = pair(armed("persistent", "area effect 0", damage=4))
    lies = do(scene, "One", "fire gun:Two", [(5, 1), (5, 1)]).outcome
    assert [(each.threshold, each.rounds) for each in lies.scars.mines] == [(4, 4)]
    later = script(fires_burn(RULES, lies), [(6, 1)]).outcome
    assert [each.rounds for each in later.scars.mines] == [3]


def test_foam_takes_dice_of_intensity_off_a_fire():
    assert [dice_of_foam(total, 5).value for total in (0, 1, 4, 5)] == [0, 1, 2, 3]
    scene = pair(armed("fire-fighting", damage=5))
    burning = scene.change("One", signs=replace(scene.unit("One").signs, burning=6, sticks=2))
    less_hot = do(burning, "One", "put out gun:One", [(4, 1), (1, 1, 2)]).outcome
    assert less_hot.unit("One").signs.burning == 2
    hot = replace(scene, scars=replace(scene.scars, fires=(Fire(spot=(5.0, 7.0), intensity=3),)))
    key = next(key for key in offers(hot, "One") if key.startswith("put out"))
    assert do(hot, "One", key, [(4, 1), (6, 6)]).outcome.scars.fires == ()


# --- information warfare (lines 9216-9250) ----------------------------------------------------------------------------------------


def test_decoys_are_struck_in_place_of_the_target():
    scene = pair(armed(), machine_with(Fitted("decoy system", 3, variant="visual")))
    fooled = fire(scene, (5, 1), (2, 1), (3, 1))
    assert fooled.outcome.unit("Two").wear == scene.unit("Two").wear
    assert [event.came for event in fooled.events if isinstance(event, Answered)] == ["stopped"]
    true = fire(scene, (5, 1), (5, 1), (6, 1), (3,))
    assert true.outcome.unit("Two").wear.armor == 1
    seen = scene.change("One", signs=replace(scene.unit("One").signs, found=("Two",)))
    assert not [event for event in fire(seen, (5, 1), (2, 1), (3,)).events if isinstance(event, Answered)]
    homing = pair(armed("guided"), machine_with(Fitted("decoy system", 3, variant="sensor")))
    assert [event.came for event in fire(homing, (5, 1), (2, 1), (2, 1)).events if isinstance(event, Answered)] == ["stopped"]


@pytest.mark.parametrize(("lost", "images"), [(0, "3 decoys"), (1, "2 decoys"), (2, "1 decoy")])
def test_a_damaged_decoy_system_makes_so_many_images_less(lost, images):
    scene = pair(armed(), machine_with(Fitted("decoy system", 3, variant="visual")))
    hurt = scene.change("Two", wear=replace(scene.unit("Two").wear, auxiliaries=(0, lost)))
    answer = next(event for event in fire(hurt, (5, 1), (5, 1), (6, 1), (3,)).events if isinstance(event, Answered))
    assert answer.headline() == f"Two is identified among {images}"


def test_a_decoy_system_rated_nothing_deceives_nobody():
    scene = pair(armed(), machine_with(Fitted("decoy system", 0, variant="visual")))
    assert not [event for event in fire(scene, (5, 1), (5, 1), (3,)).events if isinstance(event, Answered)]


def test_counter_battery_sensors_find_a_gun_by_its_fire():
    assert echo_off(10).value == 500
    watcher = machine_with(Fitted("sensors", 2, variant="standard", amount=5), Fitted("counter-battery", 0))
    hill = hexes(Region(terrain="clear", level=3, box=(1, 7, 20, 1)))
    scene = battle(unit("Gun", at=(5, 12)), unit("Eye", "blue", (5, 3), design=watcher), ground=hill)
    heard = script(hears_battery(RULES, scene, scene.unit("Gun"), (5.0, 3.0)), [(6,)])
    assert heard.outcome.unit("Eye").signs.found == ("Gun",)
    echo = script(hears_battery(RULES, scene, scene.unit("Gun"), (5.0, 3.0)), [(1,)])
    assert echo.outcome.unit("Eye").signs.echoes == ("Gun",)


@pytest.mark.parametrize(("row", "heard"), [(12, [4]), (13, [4]), (14, [])])
def test_counter_battery_sensors_hear_what_strikes_within_half_their_range(row, heard):
    """A kilometre of range, and ten hexes of 50 metres to the thirteenth row; a rating of 0 adds nothing to a 4."""
    watcher = machine_with(Fitted("sensors", 0, variant="standard", amount=1), Fitted("counter-battery", 0))
    scene = battle(unit("Gun", at=(5, 12)), unit("Eye", "blue", (5, 3), design=watcher))
    played = script(hears_battery(RULES, scene, scene.unit("Gun"), (5.0, float(row))), [(4,)] if heard else [])
    assert [event.test.total for event in played.events if isinstance(event, events.Tested)] == heard


def test_fire_at_an_echo_goes_three_dice_of_fifty_metres_astray():
    scene = pair(armed())
    scene = scene.change("One", signs=replace(scene.unit("One").signs, echoes=("Two",)))
    odds = exact(lambda: echo_of(RULES, scene, scene.unit("One"), scene.unit("Two")))
    assert (odds.total, min(odds.weights), max(odds.weights)) == (6**3, 3, 18)


def test_a_set_that_only_emits_hears_no_orders_and_one_that_only_receives_gives_no_coordinates():
    for variant, commands in (("emitter", False), ("receiver", True)):
        scene = pair(armed(), machine_with(Fitted("one way", variant=variant)))
        points = scene.put_command(replace(scene.command("blue"), commander="Two", tactical=1))
        assert can_command(points, points.unit("Two")) == commands


# --- power and strain (lines 9061-9110, 9286-9380) --------------------------------------------------------------------------------


def declare(scene, key, *others):
    return script(begin_round(RULES, replace(scene, phase="declaration")), [], [key, *others]).outcome


def test_a_power_booster_is_declared_and_burns_out():
    assert (boost(2).value, boost(2, True).value) == (2, 4)
    scene = pair(machine_with(Fitted("power booster", 3)))
    quick = declare(scene, "boost actions 1", "as usual")
    assert actions_left(RULES, quick.unit("One")) == 3
    assert actions_of(RULES, quick.unit("One")).value == 3
    assert quick.unit("One").wear.burnt == 1
    nimble = declare(scene, "boost maneuver 3", "as usual")
    assert maneuver_of(nimble, nimble.unit("One")).value == 3
    fast = declare(scene, "boost top speed 3", "as usual")
    assert top_speed(fast.unit("One")) == 11
    hard = declare(scene, "boost damage 3", "as usual")
    assert hard.unit("One").version(0).damage == 13
    far = declare(scene, "boost range 1", "as usual")
    assert far.unit("One").version(0).ranges == (4, 8, 16, 32)
    after = script(end_round(RULES, hard)).outcome
    assert after.unit("One").version(0).damage == 10
    assert after.unit("One").wear.burnt == 3


@pytest.mark.parametrize(
    ("boosters", "burnt", "left"), [((3,), 0, 3), ((3,), 1, 2), ((3, 3), 0, 12), ((3, 0), 4, 2), ((2,), 4, 0), ((0,), 0, 0)]
)
def test_all_boosters_together_have_their_ratings_in_points_less_what_is_burnt(boosters, burnt, left):
    one = unit("One", design=machine_with(*[Fitted("power booster", rating, count=len(boosters)) for rating in boosters]))
    assert points_left(replace(one, wear=replace(one.wear, burnt=burnt))) == left


def test_an_overburnt_booster_does_twice_as_much_and_leaves_its_figure_worse():
    scene = pair(machine_with(Fitted("power booster", 2)))
    burnt = declare(scene, "overburn damage 2", "as usual")
    assert burnt.unit("One").version(0).damage == 14
    assert script(end_round(RULES, burnt)).outcome.unit("One").version(0).damage == 9


def test_a_teleporter_puts_a_machine_behind_its_enemy_for_two_actions():
    scene = pair(machine_with(Fitted("teleport self", 9), crew=4))
    behind = do(scene, "One", "teleport behind Two").outcome
    assert behind.unit("One").used == 2
    found = shot(RULES, behind, behind.unit("One"), behind.unit("Two"), 0)
    assert (found.side, found.distance) == ("rear", 1)
    tired = scene.change("One", used=actions_left(RULES, scene.unit("One")) - 1)
    assert not [key for key in offers(tired, "One") if key.startswith("teleport")]
    assert not [key for key in offers(pair(machine_with(Fitted("teleport self", 2), crew=4)), "One") if key.startswith("teleport")]


def test_a_teleporter_moves_others_of_no_more_than_its_size():
    scene = pair(machine_with(Fitted("teleport others", 6), crew=4))
    key = "teleport Two as far off as can be"
    away = do(scene, "One", key).outcome
    assert away.unit("Two").spot == (20.0, 20.0)
    assert away.unit("One").used == 2
    assert key not in offers(pair(machine_with(Fitted("teleport others", 5), crew=4)), "One")


def test_dimensional_mass_grows_and_shrinks_by_five_a_round():
    scene = pair(machine_with(Fitted("dimensional mass", 7)))
    large = do(scene, "One", "grow").outcome
    assert large.unit("One").machine.size == 11
    assert "grow" not in offers(large, "One")
    larger = do(large.change("One", switched=False), "One", "grow").outcome
    assert larger.unit("One").machine.size == 13
    assert do(scene, "One", "shrink").outcome.unit("One").machine.size == 1


def test_a_machine_given_to_it_shuts_down():
    scene = pair(machine_with(flaws=(Fitted("random shutdown", 3),)))
    still = script(shutdowns(RULES, scene), [(3, 1), (2,)]).outcome
    assert actions_left(RULES, still.unit("One")) == 0
    assert points_of(still, still.unit("One")) == 0
    assert script(shutdowns(RULES, scene), [(4, 1)]).outcome == scene
    over = script(end_round(RULES, script(end_round(RULES, still)).outcome)).outcome
    assert actions_left(RULES, over.unit("One")) == 2


def test_a_machine_overheats_after_rounds_of_strain_on_end():
    assert [overheats(RULES, rounds) for rounds in (1, 2, 3, 4, 5)] == ["none", "none", "light", "none", "heavy"]
    assert [overheats(RULES, rounds, True) for rounds in (1, 2, 3)] == ["light", "none", "heavy"]
    scene = pair(machine_with(flaws=(Fitted("overheating", variant="normal"),)))
    one = scene.unit("One")
    hot = replace(one.with_arm(0, replace(one.arms[0], fired=1)), hexes=2, signs=replace(one.signs, strained=2))
    burnt = script(heat_builds(RULES, scene.put(hot)), [(3,)]).outcome.unit("One")
    assert (burnt.signs.strained, burnt.wear.armor) == (3, 1)
    assert script(heat_builds(RULES, scene.put(replace(hot, hexes=0)))).outcome.unit("One").signs.strained == 0


def test_inefficient_controls_take_an_action_to_move():
    scene = replace(pair(machine_with(flaws=(Fitted("inefficient controls"),))).change("One", pace=""), active="One")
    key = next(key for key, option in offers(scene, "One").items() if option.value.kind == "move")
    moved = do(scene, "One", key, [], ["let it pass"]).outcome
    assert moved.unit("One").used == 1


def test_an_unstable_machine_is_worse_at_top_speed_and_on_hard_ground():
    wood = hexes(Region(terrain="swamp", box=(5, 9, 1, 1)))
    scene = pair(machine_with(flaws=(Fitted("unstable"),)), ground=wood)
    assert maneuver_of(scene, scene.unit("One")).value == 0
    assert maneuver_of(scene, replace(scene.unit("One"), speed="top")).value == -1
    rough = script(entered(RULES, scene, "One")).outcome
    assert maneuver_of(rough, rough.unit("One")).value == -1


def test_a_machine_on_a_cable_may_be_snagged_on_hard_ground():
    swamp = hexes(Region(terrain="swamp", box=(5, 9, 1, 1)))
    scene = pair(machine_with(flaws=(Fitted("external power", variant="wire"),)), ground=swamp, first={"hexes": 2})
    stuck = script(cables_drag(RULES, scene), [(1, 2)]).outcome
    assert stuck.unit("One").signs.snagged
    assert points_of(stuck, stuck.unit("One")) == 0
    assert not script(unsnag(RULES, stuck)).outcome.unit("One").signs.snagged
    severed = script(cables_drag(RULES, scene), [(1, 1)]).outcome
    assert severed.unit("One").wear.failed == ("walker",)


@pytest.mark.parametrize("terrain", ["clear", "deep water"])
def test_a_cable_is_safe_on_ground_that_costs_a_point_and_where_nothing_walks_at_all(terrain):
    ground = hexes(Region(terrain=terrain, box=(5, 9, 1, 1)))
    scene = pair(machine_with(flaws=(Fitted("external power", variant="wire"),)), ground=ground, first={"hexes": 2})
    assert script(cables_drag(RULES, scene)).outcome == scene


def test_a_beamed_machine_stands_still_without_its_collector():
    design = machine_with(flaws=(Fitted("external power", variant="beamed"),))
    scene = pair(design)
    one = scene.unit("One")
    assert one.has("external power")
    wear = replace(one.wear, auxiliaries=(0, 5))
    found = shot(RULES, scene, scene.unit("Two"), one, 0)
    dark = script(
        cut_off(RULES, scene.change("One", wear=wear), replace(found, target="One"), margin=1, damage=20, severity="light")
    ).outcome
    assert actions_left(RULES, dark.unit("One")) == 0


def test_life_support_that_fails_in_a_vacuum_takes_everybody_out():
    scene = pair(machine_with(Fitted("life support", variant="full")), place=Place(atmosphere=0.0))
    one = scene.unit("One")
    hit = scene.change("One", wear=replace(one.wear, auxiliaries=(0, 5)))
    found = replace(shot(RULES, scene, scene.unit("Two"), one, 0), target="One")
    assert not script(cut_off(RULES, hit, found, margin=1, damage=20, severity="light")).outcome.unit("One").able
    breathing = replace(hit, place=Place())
    assert script(cut_off(RULES, breathing, found, margin=1, damage=20, severity="light")).outcome.unit("One").able


def test_an_autopilot_goes_straight_on_without_its_crew():
    scene = pair(machine_with(Fitted("autopilot")))
    dead = scene.change("One", crew=replace(scene.unit("One").crew, lost=1))
    assert script(autopilots(RULES, dead)).outcome.unit("One").spot == (5.0, 6.0)
    assert script(autopilots(RULES, scene)).outcome == scene
    free = dead.change("Two", x=9.0)  # nobody in the way: all its Combat Speed, four hexes
    assert script(autopilots(RULES, free)).outcome.unit("One").spot == (5.0, 5.0)


@pytest.mark.parametrize(
    ("terrain", "spot"), [("clear", (9.0, 7.0)), ("jungle", (8.0, 7.0)), ("swamp", (7.0, 8.0)), ("deep water", (7.0, 8.0))]
)
def test_an_autopilot_spends_the_last_point_and_stops_before_what_it_cannot_pay(terrain, spot):
    """Four points to the upper right: jungle in the third hex takes the last two, swamp would take three."""
    ground = hexes(Region(terrain=terrain, box=(8, 1, 1, 19)))
    scene = pair(machine_with(Fitted("autopilot")), ground=ground, first={"facing": 1})
    dead = scene.change("One", crew=replace(scene.unit("One").crew, lost=1))
    assert script(autopilots(RULES, dead)).outcome.unit("One").spot == spot


def test_emergency_medicine_undoes_one_stunned_crew_and_keeps_people_awake():
    scene = pair(armed(), machine_with(Fitted("emergency medical")))
    once = fire(scene, (5, 1), (5, 1), (3,)).outcome
    assert once.unit("Two").stunned + once.unit("Two").owed == 0
    twice = fire(once.change("One", used=0), (5, 1), (5, 1), (3,)).outcome
    assert twice.unit("Two").stunned + twice.unit("Two").owed == 1
    rider = Rider(name="Ada", body=Patient(name="Ada"))
    manned = scene.change("Two", riders=(rider,))
    awake = fire(manned, (5, 1), (5, 1), (3,), (2, 1)).outcome
    assert awake.unit("Two").riders[0].body.awake


def test_mining_equipment_strikes_in_close_combat():
    for variant, damage, accuracy in (("light", 5, -2), ("heavy", 20, -3)):
        close = battle(unit("One", design=machine_with(Fitted("mining equipment", variant=variant)), pace="combat"), unit("Two", "blue"))
        option = offers(close, "One")["tools:Two"]
        assert f"×{damage}" in option.label
        played = do(close, "One", "tools:Two", [(2, 1), (6, 5)])
        tree = str(struck(played).reasons())
        assert str(accuracy) in tree


# --- minds (lines 9270-9310) ------------------------------------------------------------------------------------------------------


LINKED = Fitted("thought interface", amount=1)


def test_a_mind_link_is_held_every_round_or_gives_no_actions():
    scene = pair(machine_with(LINKED, Fitted("mind link", 4)))
    assert actions_left(RULES, scene.unit("One")) == 4
    lost = script(minds_link(RULES, scene), [(3, 1)]).outcome
    assert actions_left(RULES, lost.unit("One")) == 2
    assert actions_left(RULES, script(minds_link(RULES, scene), [(5, 1)]).outcome.unit("One")) == 4


@pytest.mark.parametrize(("perk", "total"), [("mind link", 7), ("invasive interface", 4)])
def test_a_mind_link_is_held_by_the_willpower_and_an_invasive_one_by_the_psyche_of_who_is_at_the_controls(perk, total):
    aboard = (
        Rider(name="Pax", seat="passenger", body=Patient(name="Pax", willpower=4), psyche=4),
        Rider(name="Ada", body=Patient(name="Ada", willpower=2), psyche=-1),
    )
    scene = pair(machine_with(LINKED, Fitted(perk, 4))).change("One", riders=aboard)
    played = script(minds_link(RULES, scene), [(5, 1)])
    assert [event.test.total for event in played.events if isinstance(event, events.Tested)] == [total]


def test_what_is_rated_nothing_or_not_there_asks_for_nothing():
    assert rating_of(unit(design=machine_with(LINKED, Fitted("mind link", 0))), "mind link") == 0
    assert rating_of(unit(), "mind link") == 0


def test_an_invasive_interface_overwhelms_a_weak_mind():
    scene = pair(machine_with(LINKED, Fitted("invasive interface", 4)))
    fades = script(minds_link(RULES, scene), [(3, 1), (2,)]).outcome
    assert fades.unit("One").signs.fading == 2
    gone = script(minds_link(RULES, script(minds_link(RULES, replace(fades, round=2))).outcome)).outcome
    assert not gone.unit("One").able
    assert not script(minds_link(RULES, scene), [(1, 1)]).outcome.unit("One").able


def test_damage_surges_back_through_an_unshielded_interface():
    assert (feedback("light").value, feedback("heavy", 1).value) == (-1, -3)
    rider = Rider(name="Ada", body=Patient(name="Ada"))
    scene = pair(armed(), machine_with(LINKED, Fitted("unshielded interface"))).change("Two", riders=(rider,))
    found = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    out = script(feeds_back(RULES, scene, found, margin=2, damage=40, severity="heavy"), [(2, 1)]).outcome
    assert not out.unit("Two").riders[0].body.awake


def test_a_sentient_machine_that_is_hurt_goes_for_whoever_hurt_it():
    scene = pair(armed(), machine_with(LINKED, Fitted("sentient interface", 4)))
    found = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    wild = script(feeds_back(RULES, scene, found, margin=2, damage=20, severity="light"), [(3, 1)]).outcome
    assert wild.unit("Two").signs.berserk == "One"
    kinds = {option.value.kind for option in options_of(RULES, wild, wild.unit("Two"))}
    assert kinds == {"move"}
    tame = script(feeds_back(RULES, scene, found, margin=2, damage=20, severity="light"), [(5, 1)]).outcome
    assert not tame.unit("Two").signs.berserk
    close = wild.change("Two", x=5.0, y=9.0)
    strike = action_of("strike").blow(RULES, close, close.unit("Two"), close.unit("One"), "kick")
    assert {mod.label: mod.value for mod in strike.mods}["berserk"] == 1


def test_movement_of_a_machine_is_what_it_was_designed_with():
    slow = vehicle(movement=(Movement("ground", 8), Movement("walker", 6)), flaws=(Fitted("decreased maneuver", 2, on="walker"),))
    one = unit("One", design=slow, way="walker")
    assert maneuver_of(battle(one, unit("Two", "blue")), one).value == -2
