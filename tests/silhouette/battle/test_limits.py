"""Where each printed limit of a battle lies: at it, one below, one above (book lines 5081-5085, 9434-9545, 9568-9612)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import Ground
from rulewright.play import script
from rulewright.systems.silhouette.battle.damage.consequences import (
    circuits_burn,
    clinging,
    dissolves,
    goes_on,
    is_pushed,
    recoils,
    splashes,
    unmade,
    vents,
    water_rises,
)
from rulewright.systems.silhouette.battle.damage.fuses import fuses_burn, goes_off
from rulewright.systems.silhouette.battle.movement.winches import haul_on
from rulewright.systems.silhouette.breakage import events
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.gunnery.attacks import shot
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.maneuver.terrain import between, distance
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.people import on_foot
from rulewright.systems.silhouette.units.visible_traits import Fire, Fuse, Mined
from silhouette.battle.test_system_perks import armed, do, offers, pair
from silhouette.battles import COMMS, RULES, battle, by, unit, vehicle

STICKY = Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0), target="Two", hold=8)


def aimed(scene):
    return shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)


def after_hit(follow, scene, margin=1, damage=10, severity="light", faces=()):
    """What one consequence of a hit makes of a battle."""
    return script(follow(RULES, scene, aimed(scene), margin=margin, damage=damage, severity=severity), faces)


def dealt(played):
    """The damage of every blow that was told."""
    return [reason.value for event in played.events for reason in event.reasons() if reason.label == "damage"]


def burning_down(scene, *fuses):
    return replace(scene, scars=replace(scene.scars, fuses=fuses))


# --- fuses and what sticks (lines 9434-9436, 9517, 9612) ---------------------------------------------------------------------------


@pytest.mark.parametrize(("used", "offered"), [(0, True), (1, True), (2, False)])
def test_whoever_has_one_action_left_may_tear_off_what_sticks_to_them_or_set_off_what_they_laid(used, offered):
    scene = pair(armed("remote"), vehicle(), first={"used": 0}, second={"used": 0})
    both = burning_down(scene, STICKY, Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0)))
    allowed = {name: actions_left(RULES, both.unit(name)) for name in ("One", "Two")}
    for name, key in (("One", "set off gun"), ("One", "loosen gun"), ("Two", "tear off gun")):
        spent = both.change(name, used=both.unit(name).used + allowed[name] - 2 + used)
        assert (key in offers(spent, name)) is offered


def test_only_what_sticks_to_oneself_is_torn_off():
    scene = pair(armed("remote"))
    lies = burning_down(scene, replace(STICKY, target="", hold=0))
    elsewhere = burning_down(scene, replace(STICKY, target="One"))
    seeking = burning_down(scene, replace(STICKY, hold=0, seeks=True))
    for other in (lies, elsewhere, seeking):
        assert "tear off gun" not in offers(other, "Two")
    assert "tear off gun" in offers(burning_down(scene, STICKY), "Two")


@pytest.mark.parametrize(("rating", "hand"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_half_the_largest_hand_rounded_up_helps_to_tear_off(rating, hand):
    arms = (Fitted("manipulator arm", rating), Fitted("manipulator arm", 1)) if rating else ()
    scene = burning_down(pair(armed("adhesive"), vehicle(perks=(COMMS, *arms))), STICKY)
    played = do(scene, "Two", "tear off gun", [(6, 5)])
    test = next(event.test for event in played.events if isinstance(event, events.Tested))
    bare = do(burning_down(pair(armed("adhesive")), STICKY), "Two", "tear off gun", [(6, 5)])
    plain = next(event.test for event in bare.events if isinstance(event, events.Tested))
    assert test.total - plain.total == hand
    assert test.threshold == 8


def test_an_arm_rated_nothing_is_no_help_to_tear_off():
    design = vehicle(perks=(COMMS, Fitted("manipulator arm", 0)))
    stays = do(burning_down(pair(armed("adhesive"), design), STICKY), "Two", "tear off gun", [(6, 5)])
    bare = do(burning_down(pair(armed("adhesive")), STICKY), "Two", "tear off gun", [(6, 5)])
    assert [event.test.total for event in stays.events if isinstance(event, events.Tested)] == [
        event.test.total for event in bare.events if isinstance(event, events.Tested)
    ]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_fuse_of_some_rounds_goes_off_at_the_end_of_the_last_of_them(rounds):
    scene = burning_down(pair(armed(flaws=("time delay",), damage=2)), replace(STICKY, hold=3, rounds=rounds))
    for left in range(rounds - 1, 0, -1):
        scene = script(fuses_burn(RULES, scene)).outcome
        assert [fuse.rounds for fuse in scene.scars.fuses] == [left]
    last = script(fuses_burn(RULES, scene))
    assert last.outcome.scars.fuses == ()
    assert any(isinstance(event, Struck) for event in last.events)


@pytest.mark.parametrize(("hold", "margin"), [(4, 1), (5, 2), (6, 3)])
def test_what_sticks_strikes_with_the_margin_with_which_it_stuck(hold, margin):
    scene = pair(armed("adhesive", damage=3))
    assert dealt(script(goes_off(RULES, scene, replace(STICKY, hold=hold)))) == [3 * margin]


# --- winches and gravity (lines 9482-9486, 9568-9570) -------------------------------------------------------------------------------


@pytest.mark.parametrize(("winch", "pulled", "metres"), [(5, "One", 8), (6, "Two", 10), (7, "Two", 8), (12, "Two", 5), (3, "One", 5)])
def test_a_target_of_the_winchs_size_or_less_is_dragged_and_a_larger_one_draws_the_winch(winch, pulled, metres):
    scene = pair(armed("winch", damage=winch))
    held = scene.change("Two", signs=replace(scene.unit("Two").signs, held=4, hauled=("One", 0, 50 - metres)))
    moved = script(haul_on(RULES, held)).outcome
    spots = {"One": (5.0, 9.0), "Two": (5.0, 5.0)}
    expected = {**spots, pulled: (5.0, 8.0) if pulled == "One" else (5.0, 6.0)}
    assert {name: moved.unit(name).spot for name in spots} == expected
    assert moved.unit("Two").signs.hauled == ("One", 0, 0)
    short = held.change("Two", signs=replace(held.unit("Two").signs, hauled=("One", 0, 49 - metres)))
    stays = script(haul_on(RULES, short)).outcome
    assert {name: stays.unit(name).spot for name in spots} == spots
    assert stays.unit("Two").signs.hauled == ("One", 0, 49)


def test_on_open_ground_the_metres_of_a_winch_add_up_and_nobody_steps_from_hex_to_hex():
    ground = Ground(size=(2000, 2000), terrain="clear")
    one, two = unit("One", at=(500, 900), design=armed("winch", damage=6)), unit("Two", "blue", (500, 500))
    scene = battle(one, replace(two, signs=replace(two.signs, held=4, hauled=("One", 0, 45))), ground=ground)
    moved = script(haul_on(RULES, scene)).outcome.unit("Two")
    assert (moved.spot, moved.signs.hauled) == ((500.0, 500.0), ("One", 0, 55))


@pytest.mark.parametrize(("arm", "spot"), [(1, (5.0, 6.0)), (-2, (5.0, 4.0))])
def test_what_is_pulled_or_pushed_is_so_by_the_system_that_caught_it(arm, spot):
    """The second of two systems, rated 12 against a Size of 6: 5 metres a round."""
    weak, strong = (Device(name, damage=rated, range=3, perks=("gravitic double",)) for name, rated in (("weak", 1), ("strong", 12)))
    scene = pair(vehicle(systems=(weak, strong)))
    held = scene.change("Two", signs=replace(scene.unit("Two").signs, held=4, hauled=("One", arm, 45)))
    assert script(haul_on(RULES, held)).outcome.unit("Two").spot == spot


# --- what follows a hit (lines 5081-5085, 9471-9537) --------------------------------------------------------------------------------


@pytest.mark.parametrize(("lost", "dust"), [(0, False), (1, False), (249, False), (250, True), (251, True)])
def test_two_hundred_and_fifty_burn_points_lost_at_once_make_a_cloud_of_the_one_hex(lost, dust):
    scene = pair(armed())
    leaking = scene.change("Two", signs=replace(scene.unit("Two").signs, vented=lost))
    after = after_hit(vents, leaking).outcome
    around = {(x, y): after.field.terrain((x, y)) for x in range(3, 8) for y in range(3, 8)}
    assert [spot for spot, terrain in around.items() if terrain == "dust"] == ([(5, 5)] if dust else [])
    assert after.unit("Two").signs.vented == 0


@pytest.mark.parametrize("margin", [1, 2, 3, 4])
def test_a_persistent_attack_lasts_as_many_rounds_as_its_margin_a_point_less_each(margin):
    """Line 9513: a margin of 4 counts as 3, 2 and 1 in the rounds after the first."""
    scene = after_hit(goes_on, pair(armed("persistent", damage=2)), margin).outcome
    told = []
    for _ in range(6):
        if not scene.unit("Two").signs.clings:
            break
        played = script(clinging(RULES, scene))
        told += dealt(played)
        scene = played.outcome
    assert told == [2 * each for each in range(margin - 1, 0, -1)]


@pytest.mark.parametrize(("size", "threshold"), [(7, 12), (8, 11), (9, 10), (10, 9)])
def test_knockback_is_tested_against_damage_and_margin_by_the_difference_to_the_size(size, threshold):
    """Line 9501: x8 against a Size of 10 lowers the Threshold by 2; here with a margin of 3."""
    scene = pair(armed("knockback", damage=8), vehicle(size=size))
    played = after_hit(is_pushed, scene, margin=3, faces=[(2, 1)])
    assert next(event.test for event in played.events if isinstance(event, events.Tested)).threshold == threshold


@pytest.mark.parametrize(("die", "over"), [(1, False), (5, False), (6, True)])
def test_what_does_not_walk_is_overturned_by_knockback_on_a_six(die, over):
    tracked = vehicle(movement=(Movement("ground", 8),))
    played = after_hit(is_pushed, pair(armed("knockback", damage=8), tracked), margin=3, faces=[(2, 1), (die,)])
    assert played.outcome.unit("Two").signs.prone is over


@pytest.mark.parametrize(("die", "over"), [(1, False), (5, False), (6, True)])
def test_what_does_not_walk_is_overturned_by_recoil_on_a_six(die, over):
    tracked = replace(armed(flaws=("recoil",)), movement=(Movement("ground", 8),))
    scene = pair(tracked, first={"hexes": 1})
    assert script(recoils(RULES, scene, "One", 0), [(die,)]).outcome.unit("One").signs.prone is over


@pytest.mark.parametrize(("flaws", "more"), [((), 1), (("vulnerable to haywire",), 2)])
def test_haywire_has_two_rolls_for_systems_damage_and_three_on_what_is_vulnerable_to_it(flaws, more):
    """Lines 9400 and 9495: the first of them is that of the hit itself."""
    scene = pair(armed("haywire"), vehicle(flaws=tuple(Fitted(name) for name in flaws)))
    played = after_hit(circuits_burn, scene, faces=[(3,)] * more)
    assert len([event for event in played.events if "hits its circuits" in event.headline()]) == more


@pytest.mark.parametrize(("draws", "faces", "minutes"), [(True, (5, 1), 0), (False, (5, 1), 1), (True, (4, 1), 1), (True, (3, 1), 2)])
def test_whoever_is_on_foot_stands_a_shock_of_damage_and_margin_or_is_out_as_long_as_they_fall_short(draws, faces, minutes):
    """A Damage Multiplier of 3 and a margin of 2 are an Intensity of 5; where a draw is no success it knocks out for the least time."""
    ann = on_foot(RULES, Person.of(RULES, Character("Ann")), "Two", "blue", group="blue", body=Patient("Ann"))
    scene = battle(unit("One", at=(5, 9), design=armed("haywire", damage=3)), replace(ann, x=5.0, y=5.0))
    played = script(unmade(by(draws_pass=draws), scene, aimed(scene), margin=2, damage=0, severity="none"), [faces])
    assert played.outcome.unit("Two").riders[0].body.unconscious == minutes


@pytest.mark.parametrize(
    ("damage", "severity", "armor", "destroyed"), [(0, "none", 0, False), (1, "none", 1, False), (14, "none", 14, False)]
)
def test_a_disintegrator_below_light_damage_takes_a_point_of_armor_for_each_of_damage(damage, severity, armor, destroyed):
    after = after_hit(dissolves, pair(armed("disintegrator")), damage=damage, severity=severity).outcome.unit("Two")
    assert (after.wear.armor, bool(after.destroyed)) == (armor, destroyed)


@pytest.mark.parametrize(("damage", "multiplier", "splashed"), [(9, 10, None), (10, 10, 2), (12, 4, 3), (19, 4, 4), (40, 10, 10)])
def test_a_liquid_splashes_from_ten_points_on_with_a_quarter_of_its_damage_line_9505(damage, multiplier, splashed):
    scene = pair(armed("liquid", damage=multiplier))
    scene = battle(*scene.units, unit("Near", "blue", (5, 5)), unit("Far", "blue", (5, 4)))
    played = after_hit(splashes, scene, damage=damage)
    assert dealt(played) == ([splashed] if splashed else [])
    assert ["Near" in event.headline() for event in played.events] == ([True] if splashed else [])


# --- water (lines 5087-5089) ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("floods", "left", "sunk"), [((3,), (2,), ""), ((2,), (1,), ""), ((1,), (), "sunk"), ((2, 1), (1,), "sunk")])
def test_a_vessel_of_one_body_sinks_when_its_rounds_are_over(floods, left, sunk):
    boat = unit("Boat", design=vehicle(movement=(Movement("naval", 8),)))
    scene = battle(replace(boat, signs=replace(boat.signs, floods=floods)), unit("Two", "blue", (9, 9)))
    after = script(water_rises(RULES, scene)).outcome.unit("Boat")
    assert after.wear.destroyed == sunk
    assert after.signs.floods == left


# --- mines and fires (lines 9481, 9493) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threshold", "left"), [(4, []), (5, []), (6, [1]), (9, [4])])
def test_what_is_rolled_against_mines_comes_off_their_threshold(threshold, left):
    """A 6 at short range, less 1 for an Accuracy of -1."""
    field = Mined(name="mines", spot=(5.0, 7.0), threshold=threshold, damage=8)
    scene = pair(armed("minebuster", accuracy=-1))
    scene = replace(scene, scars=replace(scene.scars, mines=(field,)))
    after = do(scene, "One", "clear mines 1 gun", [(6, 1)]).outcome
    assert [each.threshold for each in after.scars.mines] == left


@pytest.mark.parametrize(("intensity", "left"), [(6, 0), (7, 0), (8, 1)])
def test_fire_loses_what_the_dice_of_foam_say(intensity, left):
    """6 (7 on oneself) times a Damage Multiplier of 2 is more than 10: two dice, here 3 and 4."""
    scene = pair(armed("fire-fighting", damage=2))
    own = scene.change("One", signs=replace(scene.unit("One").signs, burning=intensity, sticks=2))
    doused = do(own, "One", "put out gun:One", [(6, 1), (3, 4)]).outcome.unit("One").signs
    assert (doused.burning, doused.sticks) == (left, 2 if left else 0)
    lit = replace(scene, scars=replace(scene.scars, fires=(Fire(spot=(5.0, 7.0), intensity=intensity),)))
    key = next(each for each in offers(lit, "One") if each.startswith("put out gun"))
    fires = do(lit, "One", key, [(6, 1), (3, 4)]).outcome.scars.fires
    assert [each.intensity for each in fires] == ([left] if left else [])


# --- open ground ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "places"),
    [(0, []), (49, []), (50, []), (51, [25.5]), (100, [50.0]), (101, [33.67, 67.33]), (150, [50.0, 100.0])],
)
def test_on_open_ground_a_line_is_looked_at_every_fifty_metres(metres, places):
    field = battle(unit(), ground=Ground(size=(2000, 2000), terrain="clear")).field
    for turned in (False, True):
        far = (10.0, 20.0 + metres) if turned else (10.0 + metres, 20.0)
        expected = [((10.0, 20.0 + at),) if turned else ((10.0 + at, 20.0),) for at in places]
        assert list(between(field, (10.0, 20.0), far)) == expected


@pytest.mark.parametrize(("metres", "apart"), [(0, 0), (25, 0), (26, 1), (74, 1), (76, 2), (124, 2), (126, 3)])
def test_on_open_ground_fifty_metres_are_a_hex_and_twenty_five_the_same(metres, apart):
    field = battle(unit(), ground=Ground(size=(2000, 2000), terrain="clear")).field
    assert distance(field, (10.0, 20.0), (10.0 + metres, 20.0)) == apart
    assert distance(field, (10.0, 20.0), (10.0, 20.0 + metres)) == apart


# --- who is caught, and who is not --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("came", "hold"), [((3, 1), 0), ((4, 1), 3), ((5, 1), 4), ((6, 1), 5)])
def test_only_an_attack_above_the_defense_catches_and_holds_by_its_margin_damage_and_size(came, hold):
    """Lines 9477 and 9486: the margin, and the Damage Multiplier of 8 less the Size of 6.

    Medium range takes 1 off the attack, standing still 3 off the defense.
    """
    scene = pair(armed("gravitic double", damage=8))
    even = do(scene, "One", "pull gun:Two", [(3, 1), (5, 1)])
    assert even.outcome.unit("Two").signs.hauled is None
    played = do(scene, "One", "push gun:Two", [came, (5, 1)])
    signs = played.outcome.unit("Two").signs
    assert (signs.held, signs.hauled) == ((hold, ("One", -1, 0)) if hold else (0, None))
    assert actions_left(RULES, played.outcome.unit("One")) == actions_left(RULES, scene.unit("One")) - 1


@pytest.mark.parametrize("at", [(4, 8), (4, 9), (5, 8), (5, 10), (6, 8), (6, 9)])
def test_whoever_is_pushed_goes_straight_away_and_whoever_is_pulled_comes(at):
    scene = pair(armed("gravitic double", damage=12))
    field = scene.field
    scene = scene.change("Two", x=float(at[0]), y=float(at[1]))
    assert field.distance((5.0, 9.0), scene.unit("Two").spot) == 1
    for arm, apart in ((-1, 2), (0, 0)):
        held = scene.change("Two", signs=replace(scene.unit("Two").signs, held=4, hauled=("One", arm, 45)))
        moved = script(haul_on(RULES, held)).outcome.unit("Two")
        assert field.distance((5.0, 9.0), moved.spot) == apart


@pytest.mark.parametrize(("wide", "left"), [(None, [(5.0, 6.0), (5.0, 5.0)]), (1, [(5.0, 5.0)]), (2, [])])
def test_mines_are_cleared_as_far_as_the_area_reaches(wide, left):
    mines = tuple([Mined(spot=(5.0, float(y)), threshold=4) for y in (7, 7, 6, 5)])
    scene = pair(armed("minebuster", *([f"area effect {wide}"] if wide is not None else [])))
    scene = replace(scene, scars=replace(scene.scars, mines=mines))
    after = do(scene, "One", "clear minefield 1 gun", [(6, 1)]).outcome
    assert [each.spot for each in after.scars.mines] == left


def test_a_roll_below_nothing_clears_no_mine_and_puts_out_no_fire():
    scene = pair(armed("minebuster", accuracy=-2))
    scene = replace(scene, scars=replace(scene.scars, mines=(Mined(spot=(5.0, 7.0), threshold=4),)))
    after = do(scene, "One", "clear minefield 1 gun", [(1, 1)]).outcome
    assert [each.threshold for each in after.scars.mines] == [4]
    wet = pair(armed("fire-fighting", accuracy=-3))
    wet = wet.change("One", signs=replace(wet.unit("One").signs, burning=20))
    assert do(wet, "One", "put out gun:One", [(1, 1)]).outcome.unit("One").signs.burning == 20


def test_fires_are_fought_for_ones_own_side_with_dice_of_six():
    scene = pair(armed("fire-fighting", damage=2))
    foe = scene.change("Two", signs=replace(scene.unit("Two").signs, burning=9))
    assert not [key for key in offers(foe, "One") if key.startswith("put out")]
    own = scene.change("One", signs=replace(scene.unit("One").signs, burning=20))
    with pytest.raises(UserError):
        do(own, "One", "put out gun:One", [(6, 1), (3, 7)])
    assert do(own, "One", "put out gun:One", [(6, 1), (6, 6)]).outcome.unit("One").signs.burning == 8


def test_armor_that_dissolves_is_told_and_never_more_than_there_is():
    scene = pair(armed("disintegrator"))
    worn = scene.change("Two", wear=replace(scene.unit("Two").wear, armor=2))
    played = after_hit(dissolves, worn, damage=3, severity="none")
    assert [event.headline() for event in played.events] == ["Two loses 3 Armor to the disintegrator"]
    assert after_hit(dissolves, worn, damage=99, severity="none").outcome.unit("Two").wear.armor == 15
    assert not after_hit(dissolves, worn, damage=0, severity="none").events


@pytest.mark.parametrize(("margin", "words"), [(2, "stays active for 1 more round"), (3, "stays active for 2 more rounds")])
def test_how_long_a_persistent_attack_goes_on_is_told(margin, words):
    played = after_hit(goes_on, pair(armed("persistent")), margin)
    assert [event.headline() for event in played.events] == [f"Two: the gun {words}"]


@pytest.mark.parametrize(("came", "sticks"), [((3, 1), False), ((4, 1), True)])
def test_only_an_attack_above_the_defense_sticks(came, sticks):
    """An Accuracy of 1 makes up for the point that sticking costs."""
    scene = pair(armed("adhesive", flaws=("time delay",), accuracy=1, damage=3))
    laid = do(scene, "One", "fire gun:Two", [came, (5, 1)], ["single", 1]).outcome
    assert [(fuse.rounds, fuse.hold, fuse.target) for fuse in laid.scars.fuses] == ([(1, 4, "Two")] if sticks else [])


def test_a_fuse_is_set_for_one_to_ten_rounds():
    scene = pair(armed(flaws=("time delay",)))
    for rounds in (1, 10):
        assert [fuse.rounds for fuse in do(scene, "One", "fire gun:Two", [], ["single", rounds]).outcome.scars.fuses] == [rounds]
    for rounds in (0, 11):
        with pytest.raises(UserError):
            do(scene, "One", "fire gun:Two", [], ["single", rounds])


@pytest.mark.parametrize("level", [2, 3, 4])
def test_what_seeks_over_several_rounds_attacks_in_each_of_them(level):
    """Line 9521: over two rounds is Seeking-2. Each try may be rolled again."""
    scene = pair(armed(f"seeking {level}"))
    miss = [(2, 1), (6, 5)] * 2
    scene = do(scene, "One", "fire gun:Two", miss, ["single"]).outcome
    again = 0
    while scene.scars.fuses and again < 9:
        scene = script(fuses_burn(RULES, scene), miss).outcome
        again += 1
    assert again == level - 1


def test_what_lies_in_a_hex_strikes_everybody_there_and_nobody_beside_it():
    lies = Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0))
    scene = pair(armed("remote", damage=2))
    scene = battle(*scene.units, unit("Near", "blue", (5, 5)), unit("Far", "blue", (5, 4)))
    played = script(goes_off(RULES, scene, lies), [(5, 1), (2, 1)] * 2)
    assert sorted(event.struck for event in played.events if isinstance(event, Struck)) == ["Near", "Two"]
    sticky = script(goes_off(RULES, scene, STICKY))
    assert [event.struck for event in sticky.events if isinstance(event, Struck)] == ["Two"]


def test_what_lies_in_a_hex_and_has_an_area_is_one_attack_on_everybody_in_it():
    lies = Fuse(by="One", arm=0, weapon="gun", spot=(5.0, 5.0))
    scene = pair(armed("remote", "area effect 0", damage=2))
    played = script(goes_off(RULES, scene, lies), [(5, 1), (2, 1)])
    assert [event.struck for event in played.events if isinstance(event, Struck)] == ["Two"]


@pytest.mark.parametrize(
    ("name", "key", "faces"), [("One", "set off gun", [(6,)]), ("One", "loosen gun", []), ("Two", "tear off gun", [(2, 1)])]
)
def test_setting_off_loosening_and_tearing_off_cost_an_action_each(name, key, faces):
    scene = burning_down(pair(armed("remote", damage=1)), replace(STICKY, hold=9))
    after = do(scene, name, key, faces).outcome
    assert actions_left(RULES, after.unit(name)) == actions_left(RULES, scene.unit(name)) - 1
    assert len(after.scars.fuses) == (1 if name == "Two" else 0)


@pytest.mark.parametrize(
    ("rating", "accuracy", "die", "heard"),
    [(0, 0, 1, False), (0, 0, 2, True), (-1, 0, 2, False), (-1, 0, 3, True), (0, -1, 2, False), (0, -1, 3, True)],
)
def test_a_signal_is_information_warfare_against_two_with_accuracy_and_the_set(rating, accuracy, die, heard):
    design = replace(armed("remote", damage=1, accuracy=accuracy), perks=(Fitted("communications", rating, amount=10),))
    scene = burning_down(pair(design), replace(STICKY, hold=9))
    assert bool(do(scene, "One", "set off gun", [(die,)]).outcome.scars.fuses) is not heard


@pytest.mark.parametrize(("rating", "lost", "heard"), [(1, 0, True), (1, 1, False), (3, 1, True), (3, 5, False), (None, 0, False)])
def test_a_set_that_is_damaged_helps_a_signal_less_and_one_that_is_gone_no_more(rating, lost, heard):
    """A 2 on the die and an Accuracy of -1: the set must make up for a point."""
    perks = (Fitted("communications", rating, amount=10),) if rating is not None else ()
    scene = burning_down(pair(replace(armed("remote", damage=1, accuracy=-1), perks=perks)), replace(STICKY, hold=9))
    scene = scene.change("One", wear=replace(scene.unit("One").wear, auxiliaries=(lost,) if lost else ()))
    assert bool(do(scene, "One", "set off gun", [(2,)]).outcome.scars.fuses) is not heard
