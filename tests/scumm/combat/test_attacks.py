"""What is rolled against what in an attack, and what every circumstance adds."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.rules.reasons import holds
from rulewright.systems.scumm.combat.attack_calculator import attack_object, try_ambush, try_blow, try_shot, try_unwary_blow
from rulewright.systems.scumm.combat.attack_setup import close_strike, ranged_strike
from rulewright.systems.scumm.combat.attacks import (
    COMBAT,
    NO_SPECIALIZATION,
    Attacked,
    Called,
    Circumstances,
    Exposure,
    aimed_dice,
    attack_pool,
    called_dice,
    called_shot,
    extra_action_penalty,
    guard_pool,
    lower_of_stealth,
    range_band,
    several_opponents,
    situation,
    unwary_threshold,
)
from rulewright.systems.scumm.combat.fighters import Surroundings
from rulewright.systems.scumm.harm.body import AVERAGE, LimbInjury
from rulewright.systems.scumm.resolution.tests import Mod
from rulewright.systems.scumm.settings import BOOK

from ..fights import AWAKE, RULES, by, fight_of, pools, someone

PISTOL = (6, 12, 24, 48)


def pool(level=3, rules=RULES, **circumstances):
    found = attack_pool(rules, level, Mod("Alertness", 0), NO_SPECIALIZATION, Circumstances(**circumstances))
    return found.dice, found.modifier


def guard(kind="defense", level=2, body=0, rules=RULES, **exposure):
    found = guard_pool(rules, kind, level, body, NO_SPECIALIZATION, Exposure(**exposure))
    return found.dice, found.modifier


# --- the combat modifiers, row by row (book, lines 476-493) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("band", "modifier"),
    [("point blank range", 1), ("short range", 0), ("medium range", -1), ("long range", -2), ("extreme range", -3)],
)
def test_range_modifies_the_attack(band, modifier):  # lines 481-485
    assert pool(band=band) == (3, modifier)


@pytest.mark.parametrize(("cover", "modifier"), [("none", 0), ("light cover", 1), ("heavy cover", 2)])
@pytest.mark.parametrize("close", [True, False])
def test_cover_helps_the_defense(cover, modifier, close):  # lines 486-487, 422: cover counts in close combat too
    assert guard(cover=cover, close=close) == (2, modifier)


@pytest.mark.parametrize(
    ("light", "dim", "modifier"),
    [
        ("normal", -2, 0),
        ("very brightly or poorly lit", -2, -1),
        ("very dimly lit", -2, -2),
        ("very dimly lit", -3, -3),
        ("completely dark", -2, -4),
    ],
)
def test_light_modifies_the_attack(light, dim, modifier):  # lines 488-490
    assert pool(light=light, dim=dim) == (3, modifier)


@pytest.mark.parametrize("drinks", [1, 2, 3])
def test_intoxication_weighs_on_attack_and_defense(drinks):  # line 491
    assert pool(intoxicated=drinks) == (3, -drinks)
    assert guard(intoxicated=drinks) == (2, -drinks)


@pytest.mark.parametrize(("foe", "modifier"), [(0, 0), (1, 0), (2, -1), (3, -2), (4, -3), (6, -5)])
def test_every_opponent_after_the_first_costs_the_defender_one(foe, modifier):  # line 492, ruling
    assert several_opponents(RULES, foe).value == modifier
    assert guard(foe=foe) == (2, modifier)


def test_the_first_opponent_counts_where_the_campaign_says_so():  # ruling "first-opponent-counts"
    assert guard(foe=1, rules=by(first_opponent_counts="yes")) == (2, -1)
    assert guard(foe=3, rules=by(first_opponent_counts="yes")) == (2, -3)
    assert guard(foe=0, rules=by(first_opponent_counts="yes")) == (2, 0)


def test_the_penalty_for_several_opponents_can_be_given_an_end():  # ruling "most-opponents-penalty"
    assert several_opponents(by(most_opponents_penalty=3), 9).value == -3
    assert several_opponents(RULES, 9).value == -8


def test_the_off_hand_costs_one():  # line 493
    assert pool(off_hand=True) == (3, -1)


def test_modifiers_add_up():
    assert pool(band="long range", light="completely dark", intoxicated=2, off_hand=True, penalty=-3, mode="running") == (3, -14)


def test_every_row_of_the_table_is_at_work():
    used = {"multiple opponents", "intoxicated", "using off-hand"}
    for name, row in COMBAT(RULES).items():
        assert name in used or row.group in ("range", "cover", "light")
        found = situation(RULES, name)
        assert row.attack[0] <= found.attack.value <= row.attack[1]
        assert row.defense[0] <= found.defense.value <= row.defense[1]


def test_house_rules_reach_every_modifier():
    house = BOOK.ruleset(house=House(tables={"scumm-combat-modifiers": {"medium range": {"attack": [-5, -5]}}}))
    assert pool(band="medium range", rules=house) == (3, -5)


# --- movement, wounds, extra actions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "modifier"), [("normal", 0), ("prone", 0), ("crawling", -1), ("running", -2)])
def test_movement_weighs_on_actions(mode, modifier):  # lines 389-392
    assert pool(mode=mode) == (3, modifier)


@pytest.mark.parametrize("mode", ["sprinting", "climbing"])
def test_nothing_can_be_attempted_in_a_sprint_or_on_a_wall(mode):  # lines 374, 393-394
    with pytest.raises(UserError, match="nothing else"):
        pool(mode=mode)


@pytest.mark.parametrize(
    ("mode", "close", "ranged"), [("normal", 0, 0), ("prone", -3, 2), ("crawling", -2, 1), ("running", 0, 2), ("sprinting", 3, 3)]
)
def test_movement_changes_the_defense(mode, close, ranged):  # lines 387-394: running does not help in close combat
    assert guard(mode=mode, close=True) == (2, close)
    assert guard(mode=mode, close=False) == (2, ranged)


def test_extra_actions_cost_one_each():  # line 354
    assert [extra_action_penalty(extra) for extra in (0, 1, 2)] == [0, -1, -2]
    assert pool(extra_actions=2) == (3, -2)
    with pytest.raises(UserError):
        extra_action_penalty(-1)


def test_wounds_weigh_on_attack_and_defense():  # line 513
    assert pool(penalty=-2) == (3, -2)
    assert guard(penalty=-2) == (2, -2)


# --- defense ------------------------------------------------------------------------------------------------------------------


def test_defense_is_rolled_with_as_many_dice_and_no_attribute():  # line 43, ruling
    assert guard("defense", 4, body=3) == (4, 0)


def test_a_parry_and_a_block_are_skills_with_body():  # line 420
    assert guard("parry", 2, body=3) == (2, 3)
    assert guard("block", 1, body=-1) == (1, -1)


def test_a_defense_of_zero_or_less_is_unskilled():  # line 43
    played = script(try_shot(RULES, skill=2, defense=-1), [(4, 2), (6, 4)])
    assert pools(played)[1] == ("someone", 0, 0)
    assert played.rolls[1].result.total == 4  # the lower of two
    assert played.outcome.outcome == "miss"


# --- range --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "band"),
    [
        (0, "point blank range"),
        (3, "point blank range"),
        (3.1, "short range"),
        (6, "short range"),
        (6.5, "medium range"),
        (12, "medium range"),
        (24, "long range"),
        (48, "extreme range"),
        (48.5, "beyond extreme range"),
    ],
)
def test_bands_come_from_the_weapon(metres, band):  # lines 481-485, 621-637
    assert range_band(metres, PISTOL) == band


def test_point_blank_never_reaches_beyond_short_range():  # a feeble thrower's knife flies one metre
    assert range_band(2.5, (1, 2, 4, 8)) == "long range"


def test_a_distance_is_never_negative():
    with pytest.raises(UserError):
        range_band(-1, PISTOL)


def test_beyond_extreme_range_no_shot_can_be_tried():  # ruling "beyond-extreme-range"
    with pytest.raises(UserError, match="beyond extreme range"):
        script(try_shot(RULES, metres=60), [(3, 3), (2,)])
    played = script(try_shot(by(beyond_extreme_range="minus four"), metres=60), [(5, 6), (2,)])
    assert pools(played)[0] == ("attacker", 2, -4)


# --- the shot in numbers ------------------------------------------------------------------------------------------------------


def test_the_higher_total_hits_by_the_margin():  # lines 446-450, 497
    played = script(try_shot(RULES, skill=2, damage=3), [(5, 2), (4,), AWAKE])  # 5 against 4: 3 points, a Flesh wound
    assert played.outcome == Attacked("flesh wound", False, False)


@pytest.mark.parametrize("defense", [4, 5])
def test_a_tie_or_less_misses(defense):  # line 450
    assert script(try_shot(RULES, skill=2), [(4, 2), (defense,)]).outcome.outcome == "miss"


def test_alertness_range_and_aim_go_into_the_shot():
    played = script(try_shot(RULES, 2, 3, 3, 10, PISTOL, Circumstances(aim=2), 1), [(1, 1, 1, 2), (6,)])
    assert pools(played) == [("attacker", 4, 2), ("someone", 1, 0)]


def test_a_fumble_counts_with_modifiers_and_may_still_hit():  # line 311
    came = script(try_shot(RULES, skill=2, alertness=3), [(1, 1), (2,), AWAKE]).outcome
    assert came == Attacked("deep wound", True, False)


def test_the_odds_of_a_shot_are_what_counting_gives():
    odds = exact(sub(try_shot, RULES, 2, 0, 3, 5)).map(lambda came: came.outcome != "miss")
    hits = 0
    for a, b, d in product(range(1, 7), repeat=3):
        attack = 7 if a == b == 6 else max(a, b)
        hits += attack > d
    assert odds[True] == Fraction(hits, 216)


# --- unwary targets -----------------------------------------------------------------------------------------------------------


def test_the_unwary_are_hit_against_one_plus_movement_and_cover():  # lines 422, 448
    assert unwary_threshold(RULES) == 1
    assert unwary_threshold(RULES, "running", "heavy cover") == 5
    assert unwary_threshold(RULES, "running", "light cover", close=True) == 2
    assert unwary_threshold(RULES, "prone", close=True) == -2
    assert unwary_threshold(RULES, "prone") == 3


def test_a_blow_from_behind_is_rolled_with_the_lower_skill():  # line 422
    assert lower_of_stealth(RULES, 3, 2, 1, -1) == (1, Mod("Alertness (Stealth is lower)", -1))
    assert lower_of_stealth(RULES, 1, 2, 3, -1) == (1, Mod("Body", 2))
    assert lower_of_stealth(RULES, 2, 2, 2, 0) == (2, Mod("Body", 2))
    assert lower_of_stealth(by(blow_from_behind="body"), 3, 2, 1, -1) == (1, Mod("Body (Stealth is lower)", 2))  # ruling "blow-from-behind"


def test_nobody_defends_who_does_not_know():
    played = script(try_unwary_blow(RULES, skill=3, stealth=1, damage=3), [(2,), AWAKE])
    assert pools(played)[0] == ("attacker", 1, 0)
    assert played.outcome.outcome == "flesh wound"  # 2 against 1


def test_a_tie_against_the_unwary_misses():
    assert script(try_unwary_blow(RULES, skill=1, stealth=1), [(1,)]).outcome.outcome == "miss"


def test_who_notices_an_ambush_defends():  # line 448
    unnoticed = script(try_ambush(RULES), [(5,), (4,), (2, 2), AWAKE])
    assert [rolled.roll.what for rolled in unnoticed.rolls[:3]] == ["Stealth", "Notice of someone", "attack with a shot"]
    noticed = script(try_ambush(RULES), [(4,), (5,), (2, 2), (3,)])
    assert [rolled.roll.what for rolled in noticed.rolls] == ["Stealth", "Notice of someone", "attack with a shot", "defense"]


def test_range_and_conditions_weigh_on_noticing():  # line 448, ruling
    assert pools(script(try_ambush(RULES, modifier=-2), [(4,), (5,), (1, 1)]))[1] == ("gamemaster", 1, -2)


def test_a_tie_in_an_ambush_is_noticed():  # ruling "ambush-tie"
    assert len(script(try_ambush(RULES), [(4,), (4,), (2, 2), (3,)]).rolls) == 4
    assert len(script(try_ambush(by(ambush_tie="unnoticed")), [(4,), (4,), (1, 1)]).rolls) == 3


# --- objects ------------------------------------------------------------------------------------------------------------------


def test_a_thing_is_hit_against_one():  # lines 424, 448
    assert script(attack_object(RULES, 2), [(2, 1)]).outcome.margin == 1
    assert script(attack_object(RULES, 2, defense_modifiers=2), [(3, 1)]).outcome.verdict == "draw"


@pytest.mark.parametrize(("size", "dice"), [("man-sized", 4), ("torso", 3), ("limb", 2), ("head", 1)])
def test_small_things_cost_dice(size, dice):
    played = script(attack_object(RULES, 4, size=size), [(3,) * dice])
    assert pools(played)[0][1] == dice


# --- aiming and called shots --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rounds", "dice"), [(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)])
def test_every_round_of_aiming_adds_a_die_up_to_three(rounds, dice):  # line 454
    assert aimed_dice(RULES, rounds) == dice
    assert pool(aim=rounds) == (3 + dice, 0)


def test_nobody_aims_for_less_than_no_time():
    with pytest.raises(UserError):
        aimed_dice(RULES, -1)


@pytest.mark.parametrize(("location", "dice"), [("torso", -1), ("left arm", -2), ("right leg", -2), ("head", -3)])
def test_a_called_shot_costs_dice(location, dice):  # line 454
    assert called_dice(RULES, location) == dice
    assert pool(level=4, location=location) == (4 + dice, 0)


def test_at_the_head_thresholds_are_halved_and_at_a_limb_nobody_dies():  # line 456
    assert called_shot(RULES, "head", AVERAGE) == called_shot(RULES).__class__(-3, 2, 3, 5)
    assert called_shot(RULES, "left leg", AVERAGE).death is None
    assert called_shot(RULES, "torso", AVERAGE).death == 10


def test_a_shot_at_the_head_kills_where_another_would_not():
    shots = Circumstances(location="head")
    assert script(try_shot(RULES, skill=4, circumstances=shots), [(6,), (4,)]).outcome.outcome == "death"  # 6 points against 5
    assert script(try_shot(RULES, skill=1), [(6,), (4,), AWAKE]).outcome.outcome == "deep wound"


def test_no_shot_at_a_limb_kills_at_once():
    came = script(try_shot(RULES, skill=3, damage=9, circumstances=Circumstances(location="left arm")), [(6,), (1,), AWAKE]).outcome
    assert came.outcome == "deep wound"


def test_a_burst_cannot_be_aimed_at_a_part():  # line 454
    with pytest.raises(UserError, match="burst"):
        pool(level=6, location="head", burst=1)


def test_without_dice_a_shot_is_unskilled():  # ruling "no-dice-left"
    assert pool(level=2, location="head") == (-1, 0)
    with pytest.raises(UserError, match="no dice"):
        pool(level=2, location="head", rules=by(no_dice_left="impossible"))
    assert pool(level=0, rules=by(no_dice_left="impossible")) == (0, 0)  # who has no skill rolls unskilled in any case


def test_aiming_makes_up_for_a_called_shot():
    assert pool(level=2, location="head", aim=2, rules=by(no_dice_left="impossible")) == (1, 0)


def test_a_burst_leaves_a_die():  # ruling "burst-keeps-a-die"
    assert pool(level=3, burst=2) == (1, 0)
    with pytest.raises(UserError, match="no dice"):
        pool(level=2, burst=2)
    assert pool(level=2, burst=2, rules=by(burst_keeps_a_die=False)) == (0, 0)


# --- from the fight to a strike -----------------------------------------------------------------------------------------------


def test_a_shot_in_a_fight_takes_everything_into_account():
    shooter = someone(
        "Ann",
        guns=("9mm pistol",),
        pistols=2,
        alertness=1,
        special={"pistols": ("9mm pistol",)},
        wounds={"flesh": 1},
        state={"mode": "running", "intoxicated": 1, "aim": 2, "aim_at": "Bob"},
    )
    target = someone("Bob", (10, 0), alertness=1, body=1, state={"cover": "light cover", "attacked_by": ("Cyd",)}, wounds={"deep": 1})
    fight = fight_of(shooter, target, ground=Surroundings(light="very dimly lit", dim_modifier=-3))
    strike = ranged_strike(RULES, fight, shooter, target, shooter.weapon, extra=1)
    # Alertness 1, specialization 1, running -2, wound -1, extra action -1, medium range -1, starlight -3, drink -1
    assert (strike.attack.dice, strike.attack.modifier) == (4, -7)
    assert strike.defense is not None
    assert (strike.defense.dice, strike.defense.modifier) == (3, 1 - 2 - 1)


def test_aim_counts_for_the_one_aimed_at_alone():
    shooter = someone("Ann", guns=("9mm pistol",), pistols=2, state={"aim": 3, "aim_at": "Bob"})
    fight = fight_of(shooter, someone("Bob", (5, 0)), someone("Cyd", (5, 1)))
    assert ranged_strike(RULES, fight, shooter, fight.fighter("Bob"), shooter.weapon).attack.dice == 5
    assert ranged_strike(RULES, fight, shooter, fight.fighter("Cyd"), shooter.weapon).attack.dice == 2


def test_who_has_lost_the_use_of_the_right_arm_shoots_with_the_left():  # lines 493, 517
    shooter = someone("Ann", guns=("9mm pistol",), pistols=2, wounds={"limbs": (LimbInjury("right arm", 2, True),)})
    fight = fight_of(shooter, someone("Bob", (5, 0)))
    assert ranged_strike(RULES, fight, shooter, fight.fighter("Bob"), shooter.weapon).attack.modifier == -1


def test_a_thrown_knife_is_rolled_with_throw_and_flies_by_body():  # lines 446, 617
    thrower = someone("Ann", melee=("knife",), throw=3, body=1)
    fight = fight_of(thrower, someone("Bob", (4, 0)))
    strike = ranged_strike(RULES, fight, thrower, fight.fighter("Bob"), thrower.weapon, thrown=True)
    assert thrower.weapon.ranges == (2, 4, 8, 16)
    assert (strike.attack.dice, strike.attack.modifier) == (3, -1)  # medium range, no Alertness
    assert strike.multiplier == 3 + 1 + 1  # Armed Damage with Body 1, and the knife


@pytest.mark.parametrize(("special", "weapon", "bonus"), [("knives", "knife", 1), ("clubs", "nightstick", 1), ("clubs", "knife", 0)])
def test_a_specialization_counts_with_the_weapons_it_covers(special, weapon, bonus):
    fighter = someone("Ann", melee=(weapon,), special={"melee": (special,)})
    fight = fight_of(fighter, someone("Bob", (1, 0)))
    assert close_strike(RULES, fight, fighter, fight.fighter("Bob"), fighter.weapon).attack.modifier == bonus


def test_a_specialization_in_a_gun_of_the_house_counts_however_it_is_written():  # line 76: a specific model
    row = {"damage": 3, "range": [6, 12, 24, 48], "ammo": 8, "cost": 5, "skill": "pistols", "burst": False, "restricted": False}
    rules = BOOK.ruleset(house=House(tables={"scumm-guns": {"Vesper 40": row}}))
    for written in ("Vesper 40", "vesper 40"):
        fighter = someone("Ann", rules=rules, guns=("Vesper 40",), pistols=2, special={"pistols": (written,)})
        fight = fight_of(fighter, someone("Bob", (5, 0)))
        assert ranged_strike(rules, fight, fighter, fight.fighter("Bob"), fighter.weapon).attack.modifier == 1


def test_the_grappled_are_unaware_of_outsiders():  # line 430
    held = someone("Bob", (1, 0), state={"grappling": "Cyd"})
    fight = fight_of(someone("Ann", brawl=3, stealth=1), held, someone("Cyd", (1, 1), state={"grappling": "Bob"}))
    strike = close_strike(RULES, fight, fight.fighter("Ann"), held, fight.fighter("Ann").weapon)
    assert (strike.defense, strike.threshold, strike.attack.dice) == (None, 1, 1)
    assert close_strike(RULES, fight, fight.fighter("Cyd"), held, held.weapon).defense is not None


@given(dice=st.integers(1, 5), defense=st.integers(1, 5))
def test_more_cover_never_helps_the_attacker(dice, defense):
    def chance(cover):
        odds = exact(sub(try_shot, RULES, dice, 0, 3, 5.0, PISTOL, Circumstances(), defense, Exposure(cover=cover)))
        return odds.map(lambda came: came.outcome != "miss")[True]

    assert chance("none") >= chance("light cover") >= chance("heavy cover")


def test_a_blow_meets_what_the_target_chose():  # line 420
    played = script(try_blow(RULES, 2, 1, guard="parry", defense=3, defender_body=2), [(3, 2), (1, 2, 4)])
    assert pools(played) == [("attacker", 2, 1), ("someone", 3, 2)]


def test_a_blow_that_bruises_leaves_no_wound():
    assert script(try_blow(RULES, 2, damage=5, bruise=True), [(5, 1), (4,)]).outcome.outcome == "bruise"


# --- aiming without the skill, vital spots, and why ---------------------------------------------------------------------------


def test_aim_joins_the_lower_die_of_an_unskilled_shot():  # ruling "unskilled-aim"
    aimed = Circumstances(aim=2)
    missed = script(try_shot(RULES, 0, 0, 3, 5, PISTOL, aimed, 1), [(1, 5, 1, 1), (3,)])
    assert missed.outcome == Attacked("miss", True, False)  # the pair fumbled, and so did the dice of the aim
    saved = script(try_shot(RULES, 0, 0, 3, 5, PISTOL, aimed, 1), [(3, 5, 2, 6), (5,), AWAKE])
    assert saved.outcome.outcome == "flesh wound"  # 6 against 5
    skilled = script(try_shot(by(unskilled_aim="dice"), 0, 0, 3, 5, PISTOL, aimed, 1), [(1, 5), (6,)])
    assert skilled.outcome == Attacked("miss", False, False)


def test_what_a_called_shot_costs_comes_off_the_aim_of_the_unskilled():
    place = Circumstances(aim=3, location="left leg")
    assert script(try_shot(RULES, 0, 0, 3, 5, PISTOL, place, 1), [(3, 5, 4), (6,)]).outcome.outcome == "miss"


def test_vital_spots_halve_the_thresholds_and_cost_as_many_dice_as_a_head():  # lines 456, 521
    vest = replace(AVERAGE, armor=3, covers=("torso",))
    assert called_shot(RULES, "torso", vest, vitals=True) == Called(-3, 2 + 3, 3 + 3, 5 + 3)
    there = Circumstances(location="torso", vitals=True)
    assert script(try_shot(RULES, 4, 0, 5, 5, PISTOL, there, 1), [(5,), (4,)]).outcome.outcome == "death"  # 5 reaches half of 10


def test_emergency_dice_of_both_sides_can_be_told_to_the_rule():  # line 282
    played = script(try_shot(RULES, 1, 0, 3, 5, PISTOL, Circumstances(emergency=2), 1, Exposure(emergency=1)), [(1, 2, 6), (3, 5), AWAKE])
    assert played.outcome.outcome == "flesh wound"
    with pytest.raises(UserError, match="from 0 to 5"):
        script(try_shot(RULES, circumstances=Circumstances(emergency=6)), [])


def test_a_hit_says_where_its_damage_comes_from():
    played = script(try_shot(RULES, 3, 1, 3, 5, PISTOL, Circumstances(burst=1), 1), [(5, 2), (4,), AWAKE])
    damage = played.events[0].reasons()[-1]
    assert (damage.label, damage.value, damage.rule) == ("damage", 9, "scumm-damage")
    assert [(t.label, t.value, t.op) for t in damage.terms] == [("Damage Multiplier", 3, "+"), ("Margin of Success", 3, "×")]
    assert [(t.label, t.value, t.rule) for t in damage.terms[1].terms] == [("of the attack", 2, None), ("burst", 1, "scumm-burst-fire")]


def test_a_total_that_was_lifted_to_nothing_is_not_shown_as_a_higher_die():
    played = script(try_shot(RULES, 1, 0, 3, 5, PISTOL, Circumstances(penalty=-5), 1), [(3,), (2,)])
    attack = played.events[0].reasons()[0].terms[0]
    assert attack.value == 0
    assert holds(attack)
    assert not any("highest" in t.label and t.value for t in attack.terms)
    assert attack.terms[-1].label == "highest of 1 is 5 or less"


@pytest.mark.parametrize(("rolled", "rule"), [(try_unwary_blow, "scumm-close-unwary"), (try_ambush, "scumm-ranged-unwary")])
def test_the_threshold_of_the_unwary_names_its_rule(rolled, rule):
    faces = [(2,), AWAKE] if rolled is try_unwary_blow else [(4,), (2,), (1, 2), AWAKE]
    assert [t.rule for event in script(rolled(RULES), faces).events if hasattr(event, "strike") for t in event.reasons()[0].terms][
        1
    ] == rule


def test_a_sharp_eye_helps_against_an_ambush():  # line 448: Notice goes with Alertness
    noticed = script(try_ambush(RULES, watcher_alertness=1), [(4,), (3,), (2, 2), (5,)])
    assert pools(noticed)[1] == ("gamemaster", 1, 1)
    assert noticed.outcome.outcome == "miss"  # 4 against 4 is noticed, and so there is a defense


def test_aim_helps_against_things_too():  # lines 424, 448, 454
    played = script(attack_object(RULES, 1, size="head", aim=3), [(4,)])
    assert pools(played)[0][1] == 1
    assert script(attack_object(RULES, 0, aim=1), [(2, 3, 5)]).outcome.total == 5


@pytest.mark.parametrize("special", [-2, -1, 0, 1, 3])
def test_special_circumstances_are_added_to_the_threshold_of_the_unwary(special):  # book, lines 422, 448
    assert unwary_threshold(RULES, special=special) == 1 + special
    assert unwary_threshold(RULES, "running", "heavy cover", special=special) == 5 + special
