"""Shots, bursts, throws, jams, balance and movement in a fight (book lines 3255-3298, 3332-3336, 3642-3664)."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from foresight.fights import Table, drive, fight_of, someone
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import sub
from rulewright.play.odds import exact, sample
from rulewright.systems.foresight.combat.fighters import UNJAMMED, Action, Area, CoverSpot, Ground, enter
from rulewright.systems.foresight.combat.gun_actions import clear, discard, draw, fire, fire_options, fired_so, reload, rounds_of
from rulewright.systems.foresight.combat.moves import after_action, change_stance, lose_balance, meters_of, motion_of, moved
from rulewright.systems.foresight.combat.reflexes import duck_options, pull_trigger
from rulewright.systems.foresight.combat.shots import (
    Shot,
    burst_actions,
    burst_class,
    burst_hits,
    clear_jam,
    fire_actions,
    jam,
    shoot,
    shot_body,
    shot_task,
)
from rulewright.systems.foresight.fight.actions.moves import where_options
from rulewright.systems.foresight.fight.actions.registry import action_options, can_spend, do, spend_action
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.people.characters import Arm, Character
from rulewright.systems.foresight.resolution.damage_classes import parse_dc
from rulewright.systems.foresight.resolution.tests import Task

GUN = "SL Pistol (TL5)"
RIFLE = "SL Rifle"
REVOLVER = "Revolver (TL4.5)"
AUTO = Arm("SL Rifle", ("Auto Long Burst",), name="auto rifle")


def pair(at=(2.0, 0.0), ann=None, bob=None, ground=None):
    ann = someone("Ann", (0.0, 0.0), **{"handguns": 9, "guns": (GUN,), "weapon": GUN, **(ann or {})})
    bob = someone("Bob", at, **{"hth": 5, **(bob or {})})
    return fight_of(ann, bob, ground=ground or Ground()).change("Ann", focus="Bob").change("Bob", focus="Ann")


def task_of(fight, weapon=1, **how):
    return shot_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), weapon, **how)


def rifle(**state):
    return {"guns": (RIFLE,), "weapon": RIFLE, "longarms": 9, "state": state}


# --- modifiers ----------------------------------------------------------------------------------------------------------------


def test_a_plain_shot_within_three_meters():
    assert task_of(pair()).modifier == 1
    assert task_of(pair((7.0, 0.0))).modifier == -2  # 3660


def test_everything_about_the_firer():  # 3265-3291
    fight = pair()
    changes = [
        ({"balanced": False}, -2),
        ({"stance": "prone"}, 1),
        ({"braced": True}, 1),
        ({"shots": 2}, -2),
        ({"aim": 3, "aim_at": "Bob"}, 3),
        ({"aim": 3, "aim_at": "Cat"}, 0),
        ({"aim": 9, "aim_at": "Bob"}, 5),
        ({"just_hit": "Bob"}, 2),
        ({"aim": 5, "aim_at": "Bob", "just_hit": "Bob"}, 6),
        ({"hand": 0, "off": 1}, -2),
    ]
    for state, value in changes:
        assert task_of(fight.change("Ann", **state)).modifier == 1 + value, state
    both = pair(ann={"handed": "both"}).change("Ann", hand=0, off=1)
    assert task_of(both).modifier == 1


def test_everything_about_the_target():  # 3274-3288
    fight = pair()
    changes = [
        ({"stance": "kneeling"}, -1),
        ({"stance": "squatting"}, -1),
        ({"stance": "prone"}, -3),
        ({"motion": "quick"}, -2),
        ({"motion": "evasive"}, -4),
        ({"unaware_of": ("Ann",)}, 1),
        ({"cuffed": True}, 2),
    ]
    for state, value in changes:
        assert task_of(fight.change("Bob", **state)).modifier == 1 + value, state
    assert task_of(pair(bob={"body": {"stunned": True}})).modifier == 2


def test_light_cover_and_places():
    assert task_of(pair(ground=Ground(light="poor", dimness=5))).modifier == 1 - 5
    assert task_of(pair(ground=Ground(light="dark"))).modifier == 1 - 6
    for cover, value in (("1/3 cover", -1), ("2/3 cover", -3), ("almost perfect cover", -6)):
        ground = Ground(covers=(CoverSpot("a wall", 2, 0, cover, bare=("head",)),))
        fight = pair(ground=ground).change("Bob", cover="a wall")
        assert task_of(fight).modifier == 1 + value
        assert task_of(fight, aimed="head").modifier == 1 - 4  # what stays bare is not covered
    aims = ("head", "torso", "legs", "left arm")
    assert [task_of(pair(), aimed=aimed).modifier for aimed in aims] == [1 - 4, 1, 1 - 2, 1 - 3]
    armed = pair(bob={"guns": (RIFLE,), "weapon": RIFLE})
    assert task_of(armed, way="weapon").modifier == 1 - 5
    assert task_of(armed.change("Bob", facing=90), way="weapon").modifier == 1 - 3  # a rifle from the side
    assert [task_of(pair(), guess=guess).modifier for guess in (-2, -6)] == [1 - 2, 1 - 6]


def test_a_longarm_in_one_hand():  # 3291
    fight = pair(ann={**rifle(), "blades": ("Dagger",)})
    assert task_of(fight, 2).modifier == 1
    assert task_of(fight.change("Ann", off=1), 2).modifier == 1 - 2


def test_recoil_adds_up_until_one_aims_or_recovers():  # 3644
    fight = pair(ann={"guns": (REVOLVER,), "weapon": REVOLVER, "state": {"ready": (1,)}})
    assert [task_of(fight.change("Ann", shots=shots)).modifier - 1 for shots in (0, 1, 2)] == [0, -2, -4]
    fired = fight.change("Ann", shots=1, just_hit="Bob", acts=3)
    aimed = drive(do(RULES, fired, "Ann", Action("aim", "Bob", 1))).outcome.fighter("Ann")
    assert (aimed.shots, aimed.aim, aimed.just_hit) == (0, 1, "")  # no recoil, and no bonus for having hit
    recovered = drive(do(RULES, fired, "Ann", Action("recover"))).outcome.fighter("Ann")
    assert (recovered.shots, recovered.just_hit) == (0, "")


def test_the_wounded_arm_counts_double():
    hurt = pair(ann={"body": {"wounds": 1, "hurt": ("right arm",)}})
    assert task_of(hurt).modifier == 1 - 2


# --- firing -------------------------------------------------------------------------------------------------------------------


def shot(fight, *lines, rules=RULES, **how):
    return drive(fire(rules, fight, "Ann", Action("fire", "Bob", 1, **how)), *lines)


def test_a_shot_from_its_beginning_to_its_end():
    done = shot(pair().change("Ann", aim=2, aim_at="Bob"), ("Bob", "nothing"), ("Ann", "QR3"), ("Bob", 5), ("Bob", "QR4"))
    ann, bob = done.outcome.fighters
    assert bob.body.wounds == 2  # 6i at half
    assert (ann.ammo, ann.shots, ann.aim, ann.just_hit) == ((0, 11), 1, 0, "Bob")
    missed = shot(pair(), ("Bob", "nothing"), ("Ann", "QR7")).outcome.fighter("Ann")
    assert (missed.just_hit, missed.shots) == ("", 1)


def test_the_target_may_drop_before_the_shot_is_known():  # 3092-3100
    done = shot(pair(), ("Bob", "drop"), ("Ann", "QR7"))
    bob = done.outcome.fighter("Bob")
    assert (bob.stance, bob.balanced, bob.sudden) == ("prone", False, False)
    assert done.rolls[-1][2].limits[3] == 18  # Handguns 18 at 3 + 1 - 3


def test_one_sudden_movement_a_round():  # 3110
    done = shot(pair(), ("Bob", "squat"), ("Bob", "nothing"), ("Ann", "QR7"))
    bob = done.outcome.fighter("Bob")
    assert (bob.stance, bob.sudden, bob.balanced) == ("squatting", True, False)
    keys = {option.key for option in duck_options(pair(), replace(bob, stance="standing"), done.outcome.fighter("Ann"))}
    assert keys == {"nothing", "drop"}


def test_stepping_behind_cover():
    ground = Ground(covers=(CoverSpot("a door", 2, 1, "almost perfect cover"),))
    done = shot(pair(ground=ground), ("Bob", "step"), ("Bob", "nothing"), ("Ann", "QR7"))
    assert done.outcome.fighter("Bob").cover == "a door"


@pytest.mark.parametrize(("y", "near"), [(1.5, True), (1.51, False)])
def test_cover_is_a_step_away_up_to_a_meter_and_a_half(y, near):
    fight = pair(ground=Ground(covers=(CoverSpot("a door", 2, y, "almost perfect cover"),)))
    keys = {option.key for option in duck_options(fight, fight.fighter("Bob"), fight.fighter("Ann"))}
    assert ("step" in keys) is near


def test_pulling_the_trigger_on_reflex():  # 3108
    fight = pair(bob={"guns": (GUN,), "weapon": GUN, "handguns": 9})
    blind = drive(pull_trigger(RULES, fight, "Bob", "Ann"), ("Bob", "QR7"))
    assert blind.rolls[0][2].limits[3] == 0  # ease factor 3, +1 so near, -6 for the guess
    trained = drive(pull_trigger(RULES, fight.change("Bob", aim=3, aim_at="Ann"), "Bob", "Ann"), ("Bob", "QR7"))
    assert trained.rolls[0][2].limits[3] == 18 * 4  # no aim counts, and no guess costs
    for apart, limit in ((1.4, 18 * 4), (1.5, 0)):  # held against the target, or just not
        near = pair((apart, 0.0), bob={"guns": (GUN,), "weapon": GUN, "handguns": 9})
        assert drive(pull_trigger(RULES, near, "Bob", "Ann"), ("Bob", "QR7")).rolls[0][2].limits[3] == limit
    done = shot(fight, ("Bob", "trigger"), ("Bob", "QR7"), ("Bob", "nothing"), ("Ann", "QR7"))
    assert (done.outcome.fighter("Bob").ammo[1], done.outcome.fighter("Bob").sudden) == (11, True)


def test_a_weapon_shot_out_of_the_hand():
    armed = pair(bob={"guns": (GUN,), "weapon": GUN})
    done = shot(armed, ("Bob", "nothing"), ("Ann", "QR3"), way="weapon")
    assert (done.outcome.fighter("Bob").hand, done.outcome.fighter("Bob").body.wounds) == (0, 0)


def test_whoever_fires_is_known():
    fight = pair().change("Bob", unaware_of=("Ann",), awareness=-4).change("Ann", awareness=4)
    done = shot(fight, ("Ann", "QR7"))
    ann, bob = done.outcome.fighters
    assert (bob.unaware_of, bob.awareness, ann.awareness) == ((), 0, 0)


# --- what has to be readied ---------------------------------------------------------------------------------------------------


def test_some_weapons_take_two_fire_actions():  # 3658
    assert [fire_actions(RULES, prepare) for prepare in (False, True)] == [1, 2]
    fight = pair(ann={"guns": (REVOLVER,), "weapon": REVOLVER})
    cocked = drive(fire(RULES, fight, "Ann", Action("fire", "Bob", 1))).outcome
    assert (cocked.fighter("Ann").ready, cocked.fighter("Ann").ammo) == ((1,), (0, 6))
    fired = shot(cocked, ("Bob", "nothing"), ("Ann", "QR7")).outcome
    assert (fired.fighter("Ann").ready, fired.fighter("Ann").ammo) == ((), (0, 5))
    keys = {option.key for option in action_options(RULES, fight, "Ann")}
    assert "ready" in keys
    assert "fire:Bob" not in keys


def test_bows_and_throws_made_ready_are_lost_with_balance_and_guns_are_not():  # 3658
    ann = someone("Ann", guns=("Bow", "Thrown Dagger", REVOLVER), state={"ready": (1, 2, 3)})
    assert lose_balance(RULES, ann).ready == (3,)


def test_throwing():
    fight = pair(ann={"guns": ("Thrown Dagger",), "weapon": "Thrown Dagger", "throw": 9, "state": {"ready": (1,), "windups": 1}})
    strike = fired_so(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), Action("throw", "Bob", 1))
    assert strike.dc == "4m"  # UCDC 2, +1, one wind-up
    after = drive(fire(RULES, fight, "Ann", Action("throw", "Bob", 1)), ("Bob", "nothing"), ("Ann", "QR7")).outcome.fighter("Ann")
    assert (after.hand, after.gone[1], after.windups) == (0, "away", 0)


def test_what_was_thrown_can_be_fetched_back():  # 3648
    fight = pair(ann={"guns": ("Thrown Dagger",), "weapon": "Thrown Dagger", "throw": 9, "state": {"ready": (1,)}})
    bob = fight.fighter("Bob")
    thrown = drive(fire(RULES, fight, "Ann", Action("throw", "Bob", 1)), ("Bob", "nothing"), ("Ann", "QR7")).outcome
    assert thrown.fighter("Ann").lying == ((1, bob.x, bob.y),)
    assert thrown.fighter("Ann").ammo[1] == 0
    assert "draw:Thrown Dagger" not in [option.key for option in action_options(RULES, thrown, "Ann")]
    assert "weapon:Thrown Dagger" not in [option.key for option in where_options(fight, "Ann", "move")]
    way = next(option.value for option in where_options(thrown, "Ann", "move") if option.key == "weapon:Thrown Dagger")
    there = thrown
    while not there.fighter("Ann").within_reach(1):
        there = drive(do(RULES, there, "Ann", way)).outcome
    assert thrown.fighter("Ann").distance(bob) > 1.5 > there.fighter("Ann").distance(bob)
    assert "draw:Thrown Dagger" in [option.key for option in action_options(RULES, there, "Ann")]
    again = drive(draw(there, "Ann", 1)).outcome.fighter("Ann")
    assert (again.hand, again.gone[1], again.ammo[1], again.lying) == (1, "", 1, ())


def test_what_was_thrown_before_lies_where_it_was():
    daggers = ("Thrown Dagger", "Thrown Dagger")
    fight = pair(ann={"guns": daggers, "weapon": "Thrown Dagger", "throw": 9, "state": {"ready": (1, 2)}})
    for weapon in (1, 2):
        fight = fight.change("Ann", hand=weapon)
        fight = drive(fire(RULES, fight, "Ann", Action("throw", "Bob", weapon)), ("Bob", "nothing"), ("Ann", "QR7")).outcome
    assert fight.fighter("Ann").lying == ((1, 2.0, 0.0), (2, 2.0, 0.0))


def test_drawing_and_tossing():
    fight = pair(ann={"weapon": ""})
    half = drive(draw(fight, "Ann", 1)).outcome
    assert (half.fighter("Ann").drawn, half.fighter("Ann").hand) == (1, 0)
    whole = drive(draw(half, "Ann", 1)).outcome
    assert whole.fighter("Ann").hand == 1
    tossed = drive(discard(whole, "Ann", 1)).outcome
    assert (tossed.fighter("Ann").hand, tossed.fighter("Ann").gone[1]) == (0, "at hand")
    assert drive(draw(tossed, "Ann", 1)).outcome.fighter("Ann").hand == 1  # one action to take it up again


def test_a_holster_makes_drawing_slower():  # 3616
    from rulewright.systems.foresight.gear.items import HIDING

    holster = next(name for name, row in HIDING(RULES).items() if row.kind == "holster" and row.draw)
    plain = someone("Ann", guns=(GUN,)).profile.weapons[1].draw
    assert someone("Ann", guns=(Arm(GUN, carried=holster),)).profile.weapons[1].draw == plain + HIDING(RULES)[holster].draw


def test_reloading():  # 3662
    each = pair(ann={"guns": ("Revolver (TL4.25)",), "weapon": "Revolver (TL4.25)", "state": {"ammo": (0, 2)}})
    assert drive(reload(each, "Ann", 1)).outcome.fighter("Ann").ammo == (0, 3)
    fight = pair(ann={"state": {"ammo": (0, 0)}})
    for done in (1, 2):
        fight = drive(reload(fight, "Ann", 1)).outcome
        assert (fight.fighter("Ann").reloaded, fight.fighter("Ann").ammo) == (done, (0, 0))
    assert drive(reload(fight, "Ann", 1)).outcome.fighter("Ann").ammo == (0, 12)


def test_power_cells():  # 3259, 3648
    assert someone("Ann", guns=("Laser Pistol (TL7)",)).profile.weapons[1].ammo == 20
    assert someone("Ann", guns=("Laser Pistol (TL7)",), rules=under(power_cell=50)).profile.weapons[1].ammo == 5


# --- jams ---------------------------------------------------------------------------------------------------------------------


def test_a_weapon_jams_on_its_failure_range():  # 3664
    fight = pair(ann={"guns": ("Cartridge Laser Pistol",), "weapon": "Cartridge Laser Pistol"})  # reliability D: 50 and 99
    done = shot(fight, ("Bob", "nothing"), ("Ann", 50), ("Ann", 3))
    ann = done.outcome.fighter("Ann")
    assert (ann.jams[1], ann.just_hit, ann.ammo[1]) == (3, "", 3)
    assert done.outcome.fighter("Bob").body.wounds == 0
    assert "clear" in {option.key for option in action_options(RULES, done.outcome, "Ann")}
    assert "fire:Bob" not in {option.key for option in action_options(RULES, done.outcome, "Ann")}


def test_the_very_reliable_fail_only_on_a_further_ten():
    assert drive(shoot(RULES, Shot("Ann", jam="B"), Patient("Bob")), ("Ann", 99), ("Ann", 10)).outcome.jammed
    assert not drive(shoot(RULES, Shot("Ann", jam="B"), Patient("Bob")), ("Ann", 99), ("Ann", 9)).outcome.jammed


def test_clearing_a_jam():  # 3664: so many concentrate actions, then a dexterity roll
    assert drive(jam(RULES, "Ann"), ("Ann", 7)).outcome == 7
    assert drive(clear_jam(RULES, 3)).outcome == 2
    assert drive(clear_jam(RULES, 1, by="Ann"), ("Ann", "QR7")).outcome == 1
    assert drive(clear_jam(RULES, 1, by="Ann"), ("Ann", "QR4")).outcome == UNJAMMED
    fight = pair(ann={"state": {"jams": (UNJAMMED, 2)}})
    fight = drive(clear(RULES, fight, "Ann", 1)).outcome
    assert fight.fighter("Ann").jams[1] == 1
    assert drive(clear(RULES, fight, "Ann", 1), ("Ann", "QR4")).outcome.fighter("Ann").jams[1] == UNJAMMED
    with pytest.raises(UserError, match="not jammed"):
        drive(clear(RULES, pair(), "Ann", 1))


def test_how_badly_it_is_jammed_is_a_secret():
    fight = pair(ann={"guns": ("Cartridge Laser Pistol",), "weapon": "Cartridge Laser Pistol"})
    table = Table(replace(fight, turn="Ann"))
    table.play(("Ann", "fire:Bob"), ("Bob", "nothing"), ("Ann", 50))
    (_, request), *_ = table.encounter.open
    assert request.secret
    table.play(("Ann", 3))
    card = next(card for card in table.encounter.scene.view(table.fight, "Ann").cards if card.name == "Ann")
    assert "jammed" in {piece.name for piece in card.pieces}
    assert not any("3" in piece.effect for piece in card.pieces if hasattr(piece, "effect"))


# --- bursts -------------------------------------------------------------------------------------------------------------------


def test_bursts():  # 3316-3318, 3794
    assert [burst_hits(RULES, 6, qr) for qr in (1, 2, 3, 4, 7)] == [6, 5, 3, 2, 0]
    assert str(burst_class(RULES, "9i2p", 3)) == "12i2p"
    assert str(burst_class(RULES, "9i2p", 3, area=True)) == "9i2p"
    with pytest.raises(UserError, match="rounds"):
        burst_hits(RULES, 0)


def test_a_burst_at_one_target_is_one_hit_of_a_higher_class():
    fight = pair(ann={"guns": (AUTO,), "weapon": "auto rifle", "longarms": 9})
    done = shot(fight, ("Bob", "nothing"), ("Ann", "QR3"), ("Bob", 5), ("Bob", "QR4"), way="burst")
    assert done.outcome.fighter("Bob").body.wounds == 3  # 12i at half
    assert done.outcome.fighter("Ann").ammo[1] == 4
    single = shot(fight, ("Bob", "nothing"), ("Ann", "QR3"), ("Bob", 5), ("Bob", "QR4"))
    assert single.outcome.fighter("Bob").body.wounds == 2  # 9i at half


def test_a_burst_may_cost_two_fire_actions():
    rules = under(burst_fire_actions=2)
    assert (burst_actions(RULES), burst_actions(rules)) == (1, 2)
    fight = pair(ann={"guns": (AUTO,), "weapon": "auto rifle", "longarms": 9})
    begun = drive(fire(rules, fight, "Ann", Action("fire", "Bob", 1, "burst"))).outcome
    assert (begun.fighter("Ann").ready, begun.fighter("Ann").ammo[1]) == ((1,), 10)
    fired = drive(fire(rules, begun, "Ann", Action("fire", "Bob", 1, "burst")), ("Bob", "nothing"), ("Ann", "QR7")).outcome
    assert fired.fighter("Ann").ammo[1] == 4


def test_area_fire_needs_no_sight_and_goes_through_walls():
    ground = Ground(covers=(CoverSpot("a wall", 2, 0, "out of sight", barriers=("3", "3")),))
    fight = pair(ann={"guns": (AUTO,), "weapon": "auto rifle", "longarms": 9}, ground=ground).change("Bob", cover="a wall")
    keys = {option.key for option in action_options(RULES, fight, "Ann")}
    assert "fire:Bob" not in keys
    assert "fire how:Bob" in keys
    action = Action("fire", "Bob", 1, "area burst", "torso", guess=-2)
    lines = [("Ann", "QR4"), ("Bob", 5), ("Bob", 5), ("Bob", "QR4"), ("Bob", 5), ("Bob", 5), ("Bob", "QR4")]
    done = drive(fire(RULES, fight, "Ann", action), *lines)
    assert done.outcome.fighter("Bob").body.wounds == 2  # two rounds of 9 - 4 at half: 1 each
    assert done.outcome.fighter("Ann").ammo[1] == 4


# --- balance, stance, movement ------------------------------------------------------------------------------------------------


def test_losing_and_regaining_balance():  # 3332-3336
    ann = someone("Ann", guns=(RIFLE,), weapon=RIFLE, state={"shouldered": True, "braced": True})
    off = after_action(RULES, ann, "move")
    assert (off.balanced, off.shouldered, off.braced) == (False, False, False)
    back = after_action(RULES, off, "recover")
    assert (back.balanced, back.shouldered) == (True, True)  # a longarm is shouldered with it
    for action in ("step", "pivot", "squat", "aim", "draw"):
        assert after_action(RULES, ann, action).balanced
    for action in ("move", "dash", "evade", "turn", "rise", "attack", "feint", "drop", "kneel"):
        assert not after_action(RULES, ann, action).balanced


def test_balance_does_not_matter_to_blows():  # 3336
    from rulewright.systems.foresight.combat.melee import attack_task

    fight = fight_of(someone("Ann", hth=5), someone("Bob", (1.0, 0.0)))
    plain = attack_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), weapon=0)
    off = fight.change("Ann", balanced=False)
    assert attack_task(RULES, off, off.fighter("Ann"), off.fighter("Bob"), weapon=0) == plain


def test_a_longarm_is_aimed_from_the_shoulder():
    low = pair(ann=rifle())
    assert "aim:Bob" not in {option.key for option in action_options(RULES, low, "Ann")}
    assert "shoulder" in {option.key for option in action_options(RULES, low, "Ann")}
    high = low.change("Ann", shouldered=True)
    assert "aim:Bob" in {option.key for option in action_options(RULES, high, "Ann")}


def test_getting_up():  # 3046
    ann = someone("Ann", state={"stance": "prone"})
    stances = []
    for _ in range(3):
        ann = change_stance(RULES, ann, "rise")
        stances.append(ann.stance)
    assert stances == ["prone", "squatting", "standing"]
    knees = change_stance(RULES, someone("Ann", state={"stance": "kneeling"}), "rise")
    assert (knees.stance, change_stance(RULES, knees, "rise").stance) == ("kneeling", "standing")
    with pytest.raises(UserError, match="cannot rise"):
        change_stance(RULES, someone("Ann"), "rise")


def test_how_far_a_movement_goes():  # 3038-3049
    ann = someone("Ann")
    assert {kind: meters_of(RULES, ann, kind) for kind in ("move", "dash", "evade", "dive", "step", "roll")} == {
        "move": 5,
        "dash": 3,
        "evade": 3,
        "dive": 5,
        "step": 1,
        "roll": 0,
    }
    flat = replace(ann, stance="prone")
    assert [meters_of(RULES, flat, kind) for kind in ("move", "evade", "roll", "dash")] == [2, 1, 1, 0]
    assert meters_of(RULES, replace(ann, stance="kneeling"), "move") == 0
    assert [motion_of(RULES, kind) for kind in ("move", "dash", "step")] == ["quick", "evasive", ""]


@pytest.mark.parametrize(
    ("apart", "how", "x"),
    [(9, "close", 9), (9, "to", 8), (9, "reach", 7), (2, "reach", 0), (1.5, "reach", -0.5), (1, "to", 0), (0.5, "to", -0.5)],
)
def test_whoever_goes_up_to_somebody_stops_where_their_weapon_reaches(apart, how, x):
    """Right up to them, a meter off, or two meters off; who stands nearer steps back."""
    fight = pair((apart, 0.0))
    assert moved(fight, fight.fighter("Ann"), f"{how}:Bob", 20).x == x


@pytest.mark.parametrize(("meters", "y", "behind"), [(3, 3, ""), (4.9, 4.9, ""), (5, 5, "a wall"), (6, 5, "a wall")])
def test_whoever_goes_to_a_cover_or_an_area_gets_right_there_if_the_meters_reach(meters, y, behind):
    ground = Ground(covers=(CoverSpot("a wall", 0.0, 5.0),), areas=(Area("the yard", 0.0, 5.0),))
    fight = pair((9.0, 0.0), ground=ground)
    ann = fight.fighter("Ann")
    there = moved(fight, ann, "cover:a wall", meters)
    assert (there.x, there.y, there.cover) == (0, y, behind)
    assert there.facing == ann.facing
    yard = moved(fight, ann, "area:the yard", meters)
    assert (yard.x, yard.y, yard.cover) == (0, y, "")


def test_places_are_told_to_the_centimeter():
    fight = pair((3.0, 4.0))
    there = moved(fight, fight.fighter("Ann"), "away:Bob", 1.23)
    assert (there.x, there.y) == (-0.74, -0.98)
    turned = pair((4.0, 3.0))
    there = moved(turned, turned.fighter("Ann"), "away:Bob", 1.23)
    assert (there.x, there.y) == (-0.98, -0.74)


def test_moving():
    fight = pair((9.0, 0.0))
    ann = fight.fighter("Ann")
    assert moved(fight, ann, "to:Bob", 5).x == 5.0
    assert moved(fight, ann, "to:Bob", 20).x == 8.0
    assert moved(fight, ann, "close:Bob", 20).x == 9.0
    assert moved(fight, ann, "reach:Bob", 20).x == 7.0
    assert moved(fight, ann, "reach:Bob", 6).x == 6.0
    assert moved(fight, ann, "away:Bob", 5).x == -5.0
    done = drive(do(RULES, fight, "Ann", Action("dive", to="to:Bob"))).outcome.fighter("Ann")
    assert (done.x, done.stance, done.motion, done.balanced) == (5.0, "prone", "evasive", False)
    rested = drive(do(RULES, fight.put(done), "Ann", Action("aim", "Bob", 1))).outcome.fighter("Ann")
    assert rested.motion == ""  # who does something else is not moving any more
    with pytest.raises(UserError, match="no cover"):
        moved(fight, ann, "cover:a tank", 5)
    with pytest.raises(UserError, match="cannot move"):
        moved(fight, ann, "sideways:Bob", 5)


def test_turning():
    fight = pair().change("Ann", facing=100)
    keys = {option.key for option in action_options(RULES, fight, "Ann")}
    assert {"pivot:Bob", "turn:Bob"} <= keys
    assert "pivot:Bob" not in {option.key for option in action_options(RULES, fight.change("Ann", facing=180), "Ann")}  # 120 at most
    assert "pivot:Bob" not in {option.key for option in action_options(RULES, fight.change("Ann", stance="kneeling"), "Ann")}
    turned = drive(do(RULES, fight, "Ann", Action("turn", "Bob"))).outcome.fighter("Ann")
    assert (turned.facing, turned.balanced) == (0, False)
    assert drive(do(RULES, fight, "Ann", Action("pivot", "Bob"))).outcome.fighter("Ann").balanced


def test_a_laser_sight_aims_once_a_round_for_nothing():  # 3794
    ann = someone("Ann", guns=("Laser Pistol (TL7)",), weapon="Laser Pistol (TL7)", state={"acts": 0})
    aim = Action("aim", "Bob", 1)
    assert can_spend(ann, aim)
    spent = spend_action(ann, aim)
    assert (spent.sighted, can_spend(spent, aim)) == (True, False)
    with pytest.raises(UserError, match="no action left"):
        spend_action(spent, aim)


def test_aims_end_with_any_other_action_and_outlast_waiting():
    fight = pair().change("Ann", aim=2, aim_at="Bob")
    assert drive(do(RULES, fight, "Ann", Action("squat"))).outcome.fighter("Ann").aim == 0
    table = Table(replace(fight, turn="Ann"))
    table.play(("Ann", "wait"))
    assert table.fighter("Ann").aim == 2


def test_rolling_over_bracing_and_the_like():
    ground = Ground(covers=(CoverSpot("a wall", 0, 0),))
    fight = pair(ground=ground).change("Ann", cover="a wall")
    braced = drive(do(RULES, fight, "Ann", Action("brace"))).outcome.fighter("Ann")
    assert braced.braced
    assert "brace" in {option.key for option in action_options(RULES, fight, "Ann")}
    flat = fight.change("Ann", stance="prone")
    assert drive(do(RULES, flat, "Ann", Action("roll over"))).outcome.fighter("Ann").stance == "lying"
    wound_up = drive(do(RULES, fight, "Ann", Action("wind-up"))).outcome.fighter("Ann")
    assert wound_up.windups == 1
    assert drive(do(RULES, fight.put(wound_up), "Ann", Action("squat"))).outcome.fighter("Ann").windups == 0
    assert drive(do(RULES, fight, "Ann", Action("feint", "Bob"))).outcome.fighter("Ann").feints == 1


# --- odds ---------------------------------------------------------------------------------------------------------------------


def test_exact_odds_of_a_shot_equal_brute_force_and_sampling():
    aimed = Shot("Ann", "Bob", Task(15, 4), "6i", "torso", jam="D")
    part = sub(shoot, RULES, aimed, Patient("Bob"))
    odds = exact(part)
    expected = Counter()
    ladder = [0, 0.25, 0.5, *range(1, 16)]
    for d100, d10, pain in product(range(1, 101), range(1, 11), range(1, 101)):
        qr = 1 if d100 <= 6 else 2 if d100 <= 12 else 3 if d100 <= 30 else 4 if d100 <= 60 else 7
        if d100 in (50, 99) or qr == 7:
            expected[(d100 in (50, 99), 0, False)] += 1
            continue
        levels = int(6 * {1: 1, 2: 0.75, 3: 0.5, 4: 0.25}[qr] / 2 + 0.5)
        steps = 7 - levels - (1 if d10 <= 4 and levels else 0)
        chance = int(9 * ladder[max(0, steps)] + 0.5)
        expected[(False, levels, pain > chance)] += 1
    found = Counter()
    for fired, weight in odds.weights.items():
        found[(fired.jammed, fired.body.wounds, fired.body.stunned)] += weight
    assert {key: weight / odds.total for key, weight in found.items()} == pytest.approx(
        {key: count / 100_000 for key, count in expected.items()}
    )
    n = 4_000
    drawn = sample(part, n, seed=5)
    for wounds in range(4):
        chance = odds.chance(lambda fired, wounds=wounds: fired.body.wounds == wounds)[0]
        seen = sum(count for fired, count in drawn.items() if fired.body.wounds == wounds) / n
        assert abs(seen - chance) < 4 * (chance * (1 - chance) / n) ** 0.5 + 1e-9


def test_a_shot_as_its_victim_feels_it():
    aimed = Shot("Ann", "Bob", Task(15, 4), "6i", "torso")
    bodies = exact(sub(shot_body, RULES, aimed, Patient("Bob")))
    whole = exact(sub(shoot, RULES, aimed, Patient("Bob"))).map(lambda fired: fired.body)
    assert bodies.map(lambda body: body.wounds).weights.keys() == whole.map(lambda body: body.wounds).weights.keys()
    assert bodies.chance(lambda body: body.stunned)[0] == pytest.approx(whole.chance(lambda body: body.stunned)[0])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 100), st.sampled_from((1, 2, 3, 4, 7, 10)))
def test_never_more_rounds_hit_than_were_fired(rounds, qr):
    hits = burst_hits(RULES, rounds, qr)
    assert 0 <= hits <= rounds
    assert hits == int(rounds * {1: 100, 2: 75, 3: 50, 4: 25}.get(qr, 0) / 100 + 0.5)


@settings(max_examples=60, deadline=None)
@given(st.floats(-50, 50), st.floats(-50, 50), st.sampled_from(("to", "close", "reach", "away")), st.sampled_from((1, 2, 3, 5)))
def test_nobody_moves_farther_than_allowed(x, y, how, meters):
    fight = pair((round(x, 2), round(y, 2)))
    ann = fight.fighter("Ann")
    there = moved(fight, ann, f"{how}:Bob", meters)
    assert ((there.x - ann.x) ** 2 + (there.y - ann.y) ** 2) ** 0.5 <= meters + 0.02


# --- those who look on ----------------------------------------------------------------------------------------------------------


def three(**cat):
    """Ann shoots at Bob, and Cat, on his side, looks on."""
    ann = someone("Ann", (0.0, 0.0), guns=(GUN,), weapon=GUN, handguns=9, state={"focus": "Bob"})
    bob = someone("Bob", (2.0, 0.0), side="them", state={"focus": "Ann"})
    return replace(fight_of(ann, bob, someone("Cat", (3.0, 2.0), side="them", **cat)).change("Cat", focus="Ann"), turn="Ann")


def test_who_looks_on_may_drop_when_somebody_is_shot_at():  # 3092
    table = Table(three())
    table.play(("Ann", "fire:Bob"))
    assert table.asks() == [("Cat", "reflex")]
    table.play(("Cat", "drop"), ("Bob", "nothing"), ("Ann", "QR7"))
    cat = table.fighter("Cat")
    assert (cat.stance, cat.balanced) == ("prone", False)
    elsewhere = Table(three().change("Cat", focus="Bob"))
    elsewhere.play(("Ann", "fire:Bob"))
    assert elsewhere.asks() == [("Bob", "duck")]  # out of focus


def test_a_gun_trained_on_somebody_goes_off_at_anything():  # 3108
    armed = {"guns": (GUN,), "weapon": GUN, "handguns": 12}
    table = Table(three(**armed).change("Cat", aim=1, aim_at="Ann"))
    table.play(("Ann", "squat"))
    assert table.asks() == [("Cat", "reflex")]
    table.play(("Cat", "trigger"), ("Cat", "QR1"), ("Ann", 5), ("Ann", "QR7"))
    assert table.fighter("Ann").body.stunned
    assert table.fighter("Ann").stance == "standing"  # committed to before the deed is done, and it never was
    assert table.fighter("Cat").sudden
    idle = Table(three(**armed))
    idle.play(("Ann", "squat"))
    assert idle.asks() == [("Ann", "act")]


def test_sizes():  # 3276-3279
    fight = pair()
    for size, degree, value in (("small", 1, -1), ("large", 1, 1), ("tiny", 1, -2), ("tiny", 5, -6), ("huge", 1, 2), ("huge", 5, 6)):
        assert task_of(fight.change("Bob", size=size, size_degree=degree)).modifier == 1 + value
    from rulewright.systems.foresight.combat.melee import attack_task

    near = fight_of(someone("Ann", hth=1), someone("Bob", (1.0, 0.0)))
    for size, degree, value in (("small", 1, 0), ("tiny", 1, -1), ("tiny", 5, -3), ("huge", 3, 2)):
        sized = near.change("Bob", size=size, size_degree=degree)
        assert attack_task(RULES, sized, sized.fighter("Ann"), sized.fighter("Bob"), weapon=0).modifier == value


def test_concentrating_on_a_job_of_ones_own():  # 3051
    table = Table(replace(pair(), turn="Ann"))
    table.play(("Ann", "concentrate"))
    assert table.fighter("Ann").concentrated == 1
    assert drive(do(RULES, table.fight, "Ann", Action("squat"))).outcome.fighter("Ann").concentrated == 0


def test_a_powered_frame():  # 3958-3985
    plain = someone("Ann", ST=9, hth=12, handguns=12, guns=(GUN, "Bow"), blades=("Dagger",))
    powered = someone("Ann", ST=9, hth=12, handguns=12, guns=(GUN, "Bow"), blades=("Dagger",), frames=5, frame="Combat (TL6)")
    assert (powered.profile.st, powered.profile.strength.score) == (15, 15)
    assert (powered.profile.muscle, powered.profile.unarmed) == (4, 8)  # UCDC of 15, and +4 for its fists
    assert powered.profile.weapons[0].normal == (0, 8.0, 0)
    assert powered.profile.weapons[1].normal == (-1, 6.0, 0)  # a dagger gains by strength alone
    assert (powered.profile.weapons[3].dc, plain.profile.weapons[3].dc) == ("5i", "3i")
    assert powered.profile.hth.score == powered.profile.weapons[2].task.score == 14  # the lower: Armor/Exoskeleton 9 + 5
    assert powered.profile.agility.score == 9
    assert [meters_of(RULES, powered, kind) for kind in ("move", "dash")] == [7, 3]
    assert plain.profile.hth.score == 21


def test_the_left_handed():
    fight = pair(ann={"handed": "left", "body": {"wounds": 1, "hurt": ("left arm",)}})
    assert (fight.fighter("Ann").main_arm, fight.fighter("Ann").off_arm) == ("left arm", "right arm")
    assert task_of(fight).modifier == 1 - 2


def test_what_a_cover_leaves_bare_may_have_parts():
    ground = Ground(covers=(CoverSpot("a fence", 2, 0, "2/3 cover", bare=("chest", "abdomen", "left leg")),))
    fight = pair(ground=ground).change("Bob", cover="a fence")
    assert task_of(fight, aimed="torso").modifier == 1
    assert task_of(fight, aimed="legs").modifier == 1 - 3 - 2  # one leg is hidden
    assert task_of(fight).modifier == 1 - 3


def test_night_vision_sees_by_starlight():  # 1143: as well as humans by a clouded day
    for light in ("poor", "dark"):
        fight = pair(ground=Ground(light=light, dimness=4))
        ann = fight.fighter("Ann")
        elf = fight.put(replace(ann, profile=replace(ann.profile, night_vision=True)))
        assert task_of(elf).modifier == 1
        assert task_of(fight).modifier < 0
        cave = replace(elf, ground=replace(elf.ground, starlight=False))
        assert task_of(cave).modifier == task_of(fight).modifier
    assert enter(RULES, Character("Elf", species="Elf"), "Elf", "elves").profile.night_vision
    assert not enter(RULES, Character("Ann"), "Ann", "others").profile.night_vision


def test_armor_piercing_rounds_in_a_fight():  # 3634
    loaded = someone("Ann", guns=(Arm("SL Pistol (TL5)", ammunition="armor-piercing"),))
    plain = someone("Ann", guns=("SL Pistol (TL5)",))
    assert parse_dc(loaded.profile.weapons[1].dc) == replace(parse_dc(plain.profile.weapons[1].dc).plus(-1), pierces=2)


def test_both_bursts_of_a_gun_are_offered():  # 3782-3783
    rifle = Arm("SL Rifle", ("Auto Short Burst", "Auto Long Burst"), name="rifle")
    fight = fight_of(someone("Ann", guns=(rifle,), weapon="rifle"), someone("Bob", (5.0, 0.0)))
    offered = {option.key: option.value for option in fire_options(RULES, fight, *fight.fighters, 1)}
    ann = fight.fighter("Ann")
    assert [rounds_of(ann, 1, way) for way in ("burst", "short burst", "")] == [6, 3, 1]
    plain = parse_dc(ann.profile.weapons[1].dc).amount
    shots = [fired_so(RULES, fight, *fight.fighters, offered[key]) for key in ("plain", "short burst", "burst")]
    assert [parse_dc(shot.dc).amount - plain for shot in shots] == [0, 2, 3]


def test_a_gun_in_the_off_hand_is_aimed_at_and_only_its_own_shot_gains():  # 3030, 3290-3291
    fight = fight_of(someone("Ann", guns=(GUN, Arm(GUN, name="other")), weapon=GUN, state={"off": 2}), someone("Bob", (5.0, 0.0)))
    keys = {option.key for option in action_options(RULES, fight, "Ann")}
    assert {"aim:Bob", "aim:Bob with other"} <= keys
    aimed = drive(do(RULES, fight, "Ann", Action("aim", "Bob", 2))).outcome
    ann, bob = aimed.fighters
    assert (ann.aim, ann.aim_at, ann.aim_off) == (1, "Bob", True)
    gained = [
        shot_task(RULES, aimed, ann, bob, at).modifier - shot_task(RULES, fight, fight.fighters[0], bob, at).modifier for at in (1, 2)
    ]
    assert gained == [0, 1]
    again = drive(do(RULES, aimed, "Ann", Action("aim", "Bob", 1))).outcome.fighter("Ann")
    assert (again.aim, again.aim_off) == (1, False)  # with another weapon it begins again
