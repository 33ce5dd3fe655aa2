"""Perks and Flaws of systems as a battle plays them (book lines 9437-9625)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.damage.consequences import clinging
from rulewright.systems.silhouette.battle.movement.movement import points_of
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.breakage.damage import Nature
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.detection.sight import watched
from rulewright.systems.silhouette.gunnery.attacks import attack, shot, weighed
from rulewright.systems.silhouette.gunnery.effects import Affected
from rulewright.systems.silhouette.gunnery.perks import Worked, damage_at, unreliable
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted
from rulewright.systems.silhouette.settings import BOOK
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.visible_traits import next_round
from silhouette.battles import COMMS, RULES, battle, unit, vehicle


def armed(*perks, flaws=(), **changes):
    given = {"damage": 10, "range": 3, "uses": 20, **changes}
    return vehicle(systems=(Device("gun", perks=tuple(perks), flaws=tuple(flaws), **given),))


def pair(one, two=None, **changes):
    first = unit("One", at=(5, 9), design=one, pace="combat", **changes.pop("first", {}))
    return battle(first, unit("Two", "blue", (5, 5), facing=3, design=two, **changes.pop("second", {})), **changes)


def offers(scene, name):
    return {option.key: option for option in options_of(RULES, scene, scene.unit(name))}


def do(scene, name, key, faces=(), choices=()):
    deed = offers(scene, name)[key].value
    return script(action_of(deed.kind).do(RULES, scene, scene.unit(name), deed), faces, choices)


def fire(scene, *faces, how="single"):
    return do(scene, "One", "fire gun:Two", faces, [how])


def mods(scene):
    return {mod.label: mod.value for mod in shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0).mods}


def test_attenuating_damage_is_lost_with_every_band_beyond_short():
    """Line 9567: ×12 with 2 is ×10 at medium, ×8 at long and ×6 at extreme range."""
    version = machine(RULES, armed(damage=12, flaws=("attenuating damage 2",))).systems[0].versions[0]
    assert [damage_at(version, band).value for band in ("point blank", "short", "medium", "long", "extreme")] == [12, 12, 10, 8, 6]


def test_what_is_made_for_defense_does_half_at_minus_two():
    scene = pair(armed(damage=7, flaws=("defensive",)))
    assert mods(scene)["defensive weapon"] == -2
    assert damage_at(scene.unit("One").version(0), "short").value == 3


def test_homing_weapons_want_signals_and_guided_ones_a_mark():
    homing = pair(armed("energy-homing"))
    assert "homing on its signals" not in mods(homing)
    loud = homing.change("Two", signs=replace(homing.unit("Two").signs, loud=True))
    assert mods(loud)["homing on its signals"] == 2
    guided = pair(armed("guided"))
    assert "guided to a designated target" not in mods(guided)
    tagged = guided.change("Two", signs=replace(guided.unit("Two").signs, tagged=("red",)))
    assert mods(tagged)["guided to a designated target"] == 2


def test_a_designator_marks_its_target_until_the_round_ends():
    scene = pair(armed("target designator"))
    played = fire(scene, (5, 1), (2, 3))
    assert played.outcome.unit("Two").signs.tagged == ("red",)
    assert played.outcome.unit("Two").wear == scene.unit("Two").wear
    event = next(event for event in played.events if isinstance(event, Affected))
    assert event.verdict().name == "hit"
    assert script(end_round(RULES, played.outcome)).outcome.unit("Two").signs.tagged == ()


def test_paint_makes_a_target_easier_to_see_and_light_blinds_it():
    painted = fire(pair(armed("paint")), (5, 1), (2, 3)).outcome
    assert watched(RULES, painted, painted.unit("Two"), painted.unit("One")).painted == 4
    blinded = fire(pair(armed("illumination")), (5, 1), (2, 3)).outcome
    assert blinded.unit("Two").signs.blinded == 5
    assert not [key for key in offers(blinded, "Two") if key.startswith("fire")]


def test_a_snare_holds_until_piloting_beats_it():
    caught = fire(pair(armed("entangle", damage=6)), (5, 1), (2, 3)).outcome
    held = caught.unit("Two").signs.held
    assert held == 4
    assert not [option for option in offers(caught, "Two").values() if option.value.kind == "move"]
    still = do(caught, "Two", "break free", [(3, 1)]).outcome
    assert still.unit("Two").signs.held == 4
    assert not do(caught, "Two", "break free", [(5, 1)]).outcome.unit("Two").signs.held


def test_a_seeking_weapon_tries_once_more():
    scene = pair(armed("seeking 1"))
    played = fire(scene, (2, 1), (6, 5), (6, 1), (4, 1), (3,))
    assert [event.hit for event in played.events if isinstance(event, Struck)] == [True]
    plain = fire(pair(armed()), (2, 1), (6, 5))
    assert [event.hit for event in plain.events if isinstance(event, Struck)] == [False]


def test_a_persistent_attack_strikes_again_with_a_point_less():
    """Lines 9516: a margin of 4 goes on with 3, 2 and 1."""
    scene = pair(armed("persistent", damage=4))
    hit = fire(scene, (5, 1), (3, 1), (3,)).outcome
    assert hit.unit("Two").signs.clings[0][3] == 3
    later = script(clinging(RULES, hit)).outcome
    assert later.unit("Two").signs.clings[0][3] == 2
    last = script(clinging(RULES, script(clinging(RULES, later)).outcome)).outcome
    assert last.unit("Two").signs.clings == ()


def test_haywire_runs_through_the_circuits_once_more_and_some_resist_it():
    twice = fire(pair(armed("haywire")), (5, 1), (5, 1), (3,), (4,)).outcome.unit("Two")
    assert (twice.owed + twice.stunned, bool(twice.wear.slowed)) == (1, True)
    tough = vehicle(perks=(COMMS, Fitted("haywire resistant")))
    once = fire(pair(armed("haywire"), tough), (5, 1), (5, 1), (3,)).outcome.unit("Two")
    assert not once.wear.slowed


def test_a_disintegrator_destroys_at_light_damage_and_eats_armor_below_it():
    gone = fire(pair(armed("disintegrator")), (5, 1), (5, 1), (3,), (2,)).outcome.unit("Two")
    assert gone.destroyed
    eaten = fire(pair(armed("disintegrator", damage=4)), (5, 1), (5, 1)).outcome.unit("Two")
    assert (eaten.destroyed, eaten.wear.armor) == (False, 8)


def test_knockback_throws_walkers_down():
    down = fire(pair(armed("knockback", damage=3)), (5, 1), (5, 1), (1, 1)).outcome.unit("Two")
    assert down.signs.prone


def test_recoil_throws_a_walker_down_that_fires_on_the_move():
    moving = fire(pair(armed(flaws=("recoil",)), first={"hexes": 2}), (2, 1), (6, 1)).outcome.unit("One")
    assert moving.signs.prone
    still = fire(pair(armed(flaws=("recoil",))), (2, 1), (6, 1)).outcome.unit("One")
    assert not still.signs.prone


def test_a_power_hungry_system_is_charged_before_it_fires():
    scene = pair(armed(flaws=("power-hungry 3",)))
    assert not [key for key in offers(scene, "One") if key.startswith("fire")]
    ready = do(do(scene, "One", "charge gun").outcome, "One", "charge gun").outcome
    again = script(end_round(RULES, ready)).outcome.change("One", pace="combat")
    shot_off = fire(again, (2, 1), (6, 5)).outcome
    assert shot_off.unit("One").signs.charged == ()
    assert not [key for key in offers(shot_off, "One") if key.startswith("fire")]


def test_a_flickering_system_works_from_its_level_on():
    scene = pair(armed(flaws=("flicker 5",)))
    assert not [event for event in fire(scene, (4,)).events if isinstance(event, Struck)]
    assert [event for event in fire(scene, (5,), (2, 1), (6, 5)).events if isinstance(event, Struck)]


@pytest.mark.parametrize(
    ("faces", "came"),
    [
        ([(1,)], Worked(words="overheats", hot=1)),
        ([(2,)], Worked(words="overheats", hot=2)),
        ([(3,)], Worked(False, "jams", True, clearing=1)),
        ([(4,), (6,)], Worked(False, "jams", True, clearing=6)),
        ([(5,), (2,)], Worked(False, "jams", True, clearing=1, shots=2)),
        ([(6,)], Worked(False, "is damaged: Accuracy -1", accuracy=1)),
    ],
)
def test_an_unreliable_system_is_tried_with_a_die(faces, came):
    """Lines 9610-9617, at level 1."""
    assert script(unreliable(RULES, 1), faces).outcome == came


def test_an_overheated_system_can_be_used_and_is_tried_two_harder_line_9606():
    assert script(unreliable(RULES, 1, 0, True), [(1,)]).outcome == Worked(False, "jams", True, clearing=1)
    scene = pair(armed(flaws=("unreliable 1",)))
    fired = fire(scene, (2,), (2, 1), (6, 5))
    assert [event for event in fired.events if isinstance(event, Struck)]
    assert fired.outcome.unit("One").signs.hot == ((0, 2),)
    once = next_round(fired.outcome.unit("One").signs)
    assert once.hot == ((0, 1),)
    assert next_round(next_round(once)).hot == ()


def test_the_milder_table_lets_a_system_work_up_to_six():
    mild = BOOK.ruleset(settings={"unreliable-systems": "milder"})
    assert [script(unreliable(mild, 2), [(face,)]).outcome.words for face in (1, 4, 5, 6)] == ["", "", "overheats", "overheats"]


def test_what_is_unreliable_and_fired_in_bursts_may_explode():
    odds = exact(lambda: unreliable(RULES, 1, 2))
    explodes = sum(weight for came, weight in odds.weights.items() if came.explodes)
    assert explodes * 3 == odds.total


@pytest.mark.parametrize(("damage", "severity"), [(6, "none"), (7, "light"), (13, "light"), (14, "heavy"), (20, "heavy"), (21, "overkill")])
def test_what_goes_off_within_meets_half_the_armor_rounded_down_line_9617(damage, severity):
    """Armor 15 is 7 from within."""
    scene = pair(armed())
    within = replace(shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0), nature=Nature(inside=True))
    assert weighed(RULES, scene, scene.unit("Two"), within, damage)[0] == severity


def test_an_unreliable_system_explodes_in_its_bearers_hands():
    """A six at level 2 is 8: three times the Damage Multiplier of 7 is an Overkill."""
    after = fire(pair(armed(flaws=("unreliable 2",), damage=7)), (6,), (1,)).outcome.unit("One")
    assert after.arms[0].broken
    assert after.destroyed


def test_a_jammed_system_is_cleared_for_as_many_actions_as_the_jam_takes():
    scene = pair(armed(flaws=("unreliable 1",)))
    jammed = fire(scene, (3,)).outcome
    assert jammed.unit("One").signs.jammed == (0,)
    assert "fire gun:Two" not in offers(jammed, "One")
    assert do(jammed, "One", "clear gun").outcome.unit("One").signs.jammed == ()
    longer = do(fire(scene, (4,), (2,)).outcome, "One", "clear gun").outcome
    assert longer.unit("One").signs.jammed == (0,)
    assert do(longer.change("One", used=0), "One", "clear gun").outcome.unit("One").signs.jammed == ()
    costly = fire(scene, (5,), (4,)).outcome
    cleared = do(costly, "One", "clear gun").outcome.unit("One")
    assert cleared.arms[0].left[0] == costly.unit("One").arms[0].left[0] - 4


def test_in_the_dark_who_has_no_sensors_is_slow_and_shoots_worse():
    scene = pair(armed(), place=Place(night=True))
    assert mods(scene)["in the dark"] == -1
    assert points_of(scene, scene.unit("Two")) == 2
    seeing = vehicle(perks=(COMMS, Fitted("sensors", 0, variant="standard", amount=2)))
    assert points_of(scene.put(unit("Two", "blue", (5, 5), design=seeing)), unit("Two", "blue", (5, 5), design=seeing)) == 4


def test_a_stealthy_weapon_does_not_give_its_bearer_away():
    loud, quiet = pair(armed()), pair(armed("stealth"))
    for scene, away in ((loud, 1), (quiet, 0)):
        fired = scene.put(scene.unit("One").with_arm(0, replace(scene.unit("One").arms[0], fired=1)))
        assert watched(RULES, fired, fired.unit("One"), fired.unit("Two")).fired == away


def test_an_attack_is_still_the_plain_one_without_any_of_this():
    scene = pair(armed())
    made = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    assert [event.hit for event in script(attack(RULES, scene, made), [(2, 1), (6, 5)]).events] == [False]
