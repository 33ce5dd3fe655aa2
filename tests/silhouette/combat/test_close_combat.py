"""Reach, close attacks, techniques, narrow places and water, the unwary and things (book lines 2159-2273)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.confined_places import defense_against, in_water, level_in_water, narrow, speed_in_water
from rulewright.systems.silhouette.combat.close_combat import (
    Around,
    Blow,
    Outcome,
    ShieldUp,
    Struck,
    Technique,
    attack_object,
    blow_margin,
    blow_pool,
    body_reach,
    can_touch,
    combat_reach,
    combined,
    deceive,
    guard_against_many,
    guard_pool,
    lower_of_stealth,
    object_threshold,
    out_of_reach,
    strike,
    strikes,
    try_blow,
    unwary_threshold,
    who_is_open,
)
from rulewright.systems.silhouette.combat.throws import throw
from rulewright.systems.silhouette.gear.items import threshold_to_get_free
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, passes
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
MINDFUL = BOOK.ruleset(settings={"special-circumstances": True})
BEN = Patient("Ben")
few = settings(max_examples=40, deadline=None)


def by(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# --- reach --------------------------------------------------------------------------------------------------------------------


def test_reach_is_a_metre_for_each_complexity():
    assert [combat_reach(PLAIN, complexity).value for complexity in (1, 2, 4)] == [1, 2, 4]
    assert combat_reach(PLAIN, 1, weapon=1).value == 2
    assert combat_reach(by(combat_reach="by the body"), 4, fitness=3, build=3).value == 2
    assert combat_reach(by(combat_reach="by the body"), 4, weapon=1).value == 2


def test_the_length_of_arms():
    assert body_reach(2, 1).value == 80
    assert body_reach(-3, -3).value == 0
    assert can_touch(80, 135, fitness=2, build=1)
    assert not can_touch(80, 136, fitness=2, build=1)
    assert not can_touch(80, 225 - 1, fitness=1, build=1)
    assert can_touch(50, -135)
    assert can_touch(50, 225)


# --- pools --------------------------------------------------------------------------------------------------------------------


def test_what_is_added_to_a_blow():
    around = Around(("poor light", "mildly intoxicated", "off hand"), penalty=-2, mods=(Mod("multiple actions", -1),))
    pool = blow_pool(PLAIN, 3, 2, 1, around)
    assert (pool.dice, pool.modifier) == (3, 2 + 1 - 1 - 1 - 1 - 2 - 1)


def test_what_is_added_to_a_defense():
    around = Around(("light cover", "attacked from behind", "second opponent"), penalty=-1)
    pool = guard_pool(PLAIN, 2, 1, 1, around)
    assert (pool.dice, pool.modifier) == (2, 1 + 1 + 1 - 2 - 1 - 1)


def test_movement_counts_only_for_who_covers_ground_or_cannot_move():
    assert blow_pool(PLAIN, 2, around=Around(pace="running")).modifier == 0
    assert blow_pool(PLAIN, 2, around=Around(pace="running", covering_ground=True)).modifier == -3
    assert guard_pool(PLAIN, 2, around=Around(pace="stationary")).modifier == 0
    assert guard_pool(PLAIN, 2, around=Around(pace="running", covering_ground=True)).modifier == 2
    assert guard_pool(PLAIN, 2, around=Around(immobilised=True)).modifier == -1
    assert guard_pool(PLAIN, 2, around=Around(pace="prone")).modifier == -3
    with pytest.raises(UserError, match="sprinting"):
        blow_pool(PLAIN, 2, around=Around(pace="sprinting", covering_ground=True))


def test_only_one_of_each_kind_of_situation():
    with pytest.raises(UserError, match="light"):
        blow_pool(PLAIN, 2, around=Around(("poor light", "complete darkness")))


# --- the blow -----------------------------------------------------------------------------------------------------------------


def test_higher_hits_by_the_margin_and_a_tie_misses():
    assert [blow_margin(attack, defense) for attack, defense in ((6, 4), (4, 4), (3, 4))] == [2, 0, 0]
    hit = script(try_blow(PLAIN, 2, weapon="short sword", damage=4, defense=1, victim=BEN), [(6, 3), (4,), (5, 5)])
    assert hit.outcome == Outcome("flesh wound")  # 11 times 2 is 22, above 13 and below 25
    assert hit.events[0].headline() == "attacker hits Ben by 2 with the short sword"
    assert script(try_blow(PLAIN, 2, weapon="short sword", defense=1), [(4, 3), (4,)]).outcome == Outcome("miss")


def test_ties_stay_with_the_defender_though_other_ties_are_settled():
    """Level 5 against level 1: another contest would be the actor's."""
    advanced = by(advanced_ties=True)
    assert script(try_blow(advanced, 5, weapon="short sword", defense=1), [(4, 1, 1, 1, 1), (4,)]).outcome == Outcome("miss")


def test_three_kinds_of_test_and_three_readings_of_a_draw():
    """A draw passes a Threshold, belongs to the defender of an attack, and lands a throw."""
    assert passes(PLAIN, 4, 4)
    assert not passes(by(draws_pass=False), 4, 4)
    for rules in (PLAIN, by(draws_pass=False)):
        assert script(try_blow(rules, 1, weapon="maul", defense=1), [(4,), (4,)]).outcome == Outcome("miss")
        assert script(throw(rules, Pool(1), Pool(1)), [(4,), (4,)]).outcome.on_target
    assert not script(throw(PLAIN, Pool(1), Pool(1)), [(3,), (4,), (2,)]).outcome.on_target


def test_complexity_counts_where_both_use_one_skill():
    parried = script(
        try_blow(PLAIN, 1, weapon="short sword", complexity=3, defense=1, guard="parry", parry_weapon="club", defense_complexity=2),
        [(3,), (3,), (3, 3)],
    )
    assert [roll.result.total for roll in parried.rolls][:2] == [4, 2]  # +1 for Complexity, -1 for the club's Parry
    dodged = script(try_blow(PLAIN, 1, weapon="short sword", complexity=3, defense=1), [(3,), (3,)])
    assert [roll.result.total for roll in dodged.rolls] == [3, 3]


def test_fumbles_open_to_a_free_strike():
    assert who_is_open(True, False) == "attacker"
    assert who_is_open(False, True) == "defender"
    assert who_is_open(True, True) == "nobody"
    assert script(try_blow(PLAIN, 1, defense=1), [(1,), (4,)]).outcome == Outcome("miss", "attacker")
    assert script(try_blow(PLAIN, 1, defense=1), [(2,), (1,)]).outcome == Outcome("nothing", "defender")
    assert script(try_blow(PLAIN, 1, defense=1), [(1,), (1,)]).outcome == Outcome("miss")


def test_an_unskilled_defender_rolls_the_lower_of_two():
    assert script(try_blow(PLAIN, 1, defense=0), [(5,), (6, 1)]).outcome.open == "defender"


def test_a_parry_needs_something_to_parry_with():
    with pytest.raises(UserError, match="weapon or a shield"):
        script(try_blow(PLAIN, 1, guard="parry"), [])
    rapier = script(try_blow(PLAIN, 1, defense=1, guard="parry", parry_weapon="rapier"), [(3,), (3,)])
    assert rapier.rolls[1].result.total == 4


def test_a_shield_catches_what_beats_the_parry_by_no_more_than_its_bonus():
    """A round shield: +2 to the parry, and 13 off a blow that beats it by one or two."""
    shielded = {"guard": "parry", "shield": "round", "weapon": "battle-ax", "damage": 3, "victim": BEN}
    caught = script(try_blow(PLAIN, 2, defense=1, **shielded), [(6, 3), (2,), (5, 5)])
    assert caught.rolls[1].result.total == 4
    assert caught.outcome == Outcome("flesh wound")  # 16 times 2 is 32, less 13 is 19
    past = script(try_blow(PLAIN, 2, defense=1, **shielded), [(6, 3), (1,), (5, 5)])
    assert past.outcome == Outcome("deep wound", "defender")  # by 3: 48 in full
    blow = Blow(attack=Side(Pool(1)), multiplier=16, shield=ShieldUp(2, 13))
    assert script(strike(PLAIN, blow, BEN), [(4,), (3,)]).outcome == Struck(BEN, 1)  # 16 less 13


def test_who_is_fully_behind_heavy_cover_cannot_be_hit():
    assert out_of_reach(PLAIN, ("fully hidden by heavy cover",))
    hidden = Around(("fully hidden by heavy cover",))
    assert script(try_blow(PLAIN, 2, weapon="maul", defense=1, against=hidden), [(6, 6), (1,)]).outcome == Outcome("miss", "defender")


def test_the_odds_of_a_blow_by_counting():
    """Two dice with a sword (10 a point) against one die and Build 0; the Health test after a wound included."""
    odds = exact(lambda: try_blow(PLAIN, 2, weapon="short sword", damage=3, defense=1, victim=BEN))
    counted = {}

    def pool(faces):
        tops = faces.count(6)
        return 6 + tops - 1 if tops else max(faces)

    conscious = {}
    for penalty in (-1, -2):
        kept = 0
        for pair in product(range(1, 7), repeat=2):
            kept += pair != (1, 1) and max(0, pool(pair) + penalty) >= 1
        conscious[penalty] = Fraction(kept, 36)
    for a, b, c in product(range(1, 7), repeat=3):
        margin = max(0, pool((a, b)) - c)
        open_ = who_is_open((a, b) == (1, 1), c == 1)
        chance = Fraction(1, 216)
        damage = 10 * margin
        if not margin:
            found = {"miss": 1}
        elif damage >= 50:
            found = {"death": 1}
        elif damage >= 13:
            name, penalty = ("deep wound", -2) if damage >= 25 else ("flesh wound", -1)
            found = {name: conscious[penalty], "knocked out": 1 - conscious[penalty]}
        else:
            found = {"nothing": 1}
        for outcome, share in found.items():
            if share:
                key = Outcome(outcome, open_)
                counted[key] = counted.get(key, 0) + chance * share
    assert {outcome: odds[outcome] for outcome, _ in odds} == counted


# --- techniques ---------------------------------------------------------------------------------------------------------------


def test_fast_and_lightning_attacks_roll_once_and_are_met_each_for_itself():
    assert strikes(PLAIN, "fast") == (2, -1)
    assert strikes(PLAIN, "lightning") == (3, -2)
    played = script(
        try_blow(PLAIN, 3, weapon="short sword", damage=3, defense=1, technique=Technique("lightning"), victim=BEN),
        [(6, 6, 1), (5,), (2,), (4,), (5, 5)],
    )
    assert [roll.roll.by for roll in played.rolls][:4] == ["attacker", "Ben", "Ben", "Ben"]
    assert played.rolls[0].result.total == 5
    assert played.events[0].headline() == "attacker hits Ben by 3 and 1 with the short sword"
    assert played.outcome.outcome == "deep wound"


def test_the_margins_of_two_strikes_hurt_for_themselves():
    blow = Blow(attack=Side(Pool(2)), multiplier=13, strikes=2)
    played = script(strike(PLAIN, blow, BEN), [(5, 2), (4,), (4,), (6, 1), (6, 1)])
    assert (played.outcome.hits, played.outcome.victim.flesh) == (2, 2)


def test_dice_given_up_are_lost_to_both():
    assert deceive(4, 3, 2) == (2, 1)
    assert deceive(4, 1, 2) == (2, 0)
    with pytest.raises(UserError, match="0 to 4"):
        deceive(4, 3, 5)
    played = script(try_blow(PLAIN, 3, defense=1, technique=Technique(deception=1)), [(4, 2), (6, 3)])
    assert [len(roll.faces) for roll in played.rolls] == [2, 2]  # the defender rolls unskilled: the lower of two
    assert played.rolls[1].result.total == 3
    all_in = script(try_blow(PLAIN, 1, defense=3, technique=Technique(deception=1)), [(4, 2), (6, 3)])
    assert all_in.rolls[0].result.total == 2  # and so does an attacker who has given up everything
    with pytest.raises(UserError, match="deceive"):
        blow_pool(PLAIN, 1, technique=Technique(deception=2))


def test_one_against_three_without_the_malus():
    assert guard_against_many(PLAIN, 5, 3) == 3
    assert guard_against_many(PLAIN, 5, 1) == 5
    assert guard_against_many(PLAIN, 1, 4) == 0


def test_techniques_combine():
    assert combined(PLAIN, 5, 3, "lightning", 2) == (3, -2, 3, 1)
    pool = blow_pool(PLAIN, 5, technique=Technique("lightning", 2))
    assert (pool.dice, pool.modifier) == (3, -2)
    assert guard_pool(PLAIN, 3, deceived=2).dice == 1


@few
@given(st.integers(1, 6), st.integers(0, 6), st.integers(0, 6))
def test_deception_never_gives_dice(attack, defense, dice):
    if dice > attack:
        with pytest.raises(UserError):
            deceive(attack, defense, dice)
    else:
        mine, theirs = deceive(attack, defense, dice)
        assert mine == attack - dice
        assert theirs == max(0, defense - dice)


# --- narrow places, water, many opponents -------------------------------------------------------------------------------------


def test_narrow_places_mind_long_things_where_the_campaign_does():
    assert narrow(MINDFUL).value == -1
    assert narrow(MINDFUL, longer_than_an_arm=False).value == 0
    assert narrow(MINDFUL, unwieldy=True).value == -3
    assert narrow(PLAIN).value == 0


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"depth": "dry"}, 0),
        ({"depth": "shallow"}, 0),
        ({"depth": "hips"}, -1),
        ({"depth": "hips", "agility": False}, 0),
        ({"depth": "shoulders"}, -2),
        ({"depth": "shoulders", "swims": True}, 0),
        ({"depth": "over the head"}, -1),
        ({"depth": "over the head", "heavy": True}, -2),
        ({"depth": "over the head", "carried": True}, 0),
        ({"depth": "over the head", "carried": True, "heavy": True}, -1),
    ],
)
def test_water(arguments, value):
    assert in_water(MINDFUL, **arguments).value == value
    assert in_water(PLAIN, **arguments).value == 0


def test_over_ones_head_no_skill_is_better_than_swimming():
    assert level_in_water(MINDFUL, 4, 2) == 2
    assert level_in_water(MINDFUL, 1, 2) == 1
    assert level_in_water(MINDFUL, 4, 2, "hips") == 4
    assert level_in_water(PLAIN, 4, 2) == 4
    assert speed_in_water(MINDFUL, 10) == 5
    assert speed_in_water(MINDFUL, 10, "hips") == 10
    assert speed_in_water(PLAIN, 10) == 10


def test_opponents_are_counted_in_their_order_and_once():
    assert defense_against(PLAIN, (), "Ann") == 0
    assert defense_against(PLAIN, ("Ann",), "Ann") == 0
    assert defense_against(PLAIN, ("Ann", "Ann"), "Ben") == -1
    assert defense_against(PLAIN, ("Ann", "Ben", "Cat"), "Ben") == -1
    assert [defense_against(PLAIN, tuple("ABCDE"[:n]), "ABCDE"[n]) for n in range(5)] == [0, -1, -2, -3, -3]


# --- the unwary, and things ---------------------------------------------------------------------------------------------------


def test_the_unwary_are_struck_against_one_and_their_movement_and_cover():
    assert unwary_threshold(PLAIN, "stationary") == 0
    assert unwary_threshold(PLAIN, "walking") == 1
    assert unwary_threshold(PLAIN, "running", ("heavy cover",)) == 6
    assert unwary_threshold(PLAIN, "prone") == 0
    assert unwary_threshold(PLAIN, "walking", ("poor light", "light cover", "attacked from behind"), others=-2) == 2
    assert unwary_threshold(by(unwary_modifiers="all"), "running", ("poor light", "light cover"), others=-1) == 2


def test_the_lower_of_skill_and_stealth():
    assert (lower_of_stealth("melee", 3, 1).skill, lower_of_stealth("melee", 3, 1).level) == ("stealth", 1)
    assert lower_of_stealth("melee", 2, 2).skill == "melee"
    assert lower_of_stealth("melee", 2, 0).level == 0


def test_a_blow_at_the_unwary_is_not_opposed():
    blow = Blow(attack=Side(Pool(1)), defense=None, threshold=0, multiplier=10)
    played = script(strike(PLAIN, blow, BEN), [(2,), (5, 5)])
    assert len(played.rolls) == 2  # the attack, and staying conscious
    assert played.outcome.victim.flesh == 1
    assert script(strike(PLAIN, Blow(attack=Side(Pool(1)), defense=None, threshold=3), BEN), [(3,)]).outcome.hits == 0


def test_things_are_hit_against_one_and_small_ones_are_aimed_at():
    assert object_threshold(PLAIN) == 1
    assert object_threshold(PLAIN, 2) == 3
    assert script(attack_object(PLAIN, 2, 1), [(4, 2)]).outcome == 4
    assert script(attack_object(PLAIN, 3, size="limb"), [(4,)]).outcome == 3
    assert script(attack_object(PLAIN, 2, size="head"), [(4, 3)]).outcome == 2  # one die too few: unskilled
    assert script(attack_object(PLAIN, 1, harder=2), [(3,)]).outcome == 0


def test_getting_out_of_a_whip_or_a_bola():
    assert (threshold_to_get_free(PLAIN, "whip", 3), threshold_to_get_free(PLAIN, "bola", 3)) == (2, 3)
    with pytest.raises(UserError, match="cannot entangle"):
        threshold_to_get_free(PLAIN, "club", 3)


# --- a full attack with every kind of dice ------------------------------------------------------------------------------------


def _gritty(faces, top):
    return max(faces)


def _sixes(faces, top):
    return max(faces) + max(0, faces.count(top) - 1)


def _fives_and_sixes(faces, top):
    high = [face for face in faces if face >= top - 1]
    return max(faces) + len(high) - 1 if high else max(faces)


def _each_kind(faces, top):
    return max(faces) + max(0, faces.count(top) - 1) + max(0, faces.count(top - 1) - 1)


def _highest_again(faces, top):
    return max(faces) + faces.count(max(faces)) - 1 if max(faces) > 1 else 1


def _any_again(faces, top):
    return max(face + faces.count(face) - 1 for face in faces) if max(faces) > 1 else 1


VARIANTS = [
    ({"reality": "gritty"}, 6, _gritty),
    ({}, 6, _sixes),
    ({"reality": "cinematic"}, 6, _fives_and_sixes),
    ({"reality": "cinematic", "cinematic-dice": "table"}, 6, _each_kind),
    ({"multiples": "highest"}, 6, _highest_again),
    ({"multiples": "any"}, 6, _any_again),
    ({"dice": "d8"}, 8, _sixes),
    ({"dice": "d10"}, 10, _sixes),
    ({"dice": "d8", "margin-limit": True, "weaker-weapons": True}, 8, _sixes),
]


def test_if_both_fumble_nothing_happens():  # line 2177
    came = script(try_blow(PLAIN, 2, 3, damage=11, defense=2), [(1, 1), (1, 1)])
    assert came.outcome == Outcome("miss", "nobody")
    assert came.events[0].headline() == "attacker misses someone with the fists; both fumble"
    quick = try_blow(PLAIN, 2, 5, damage=2, defense=2, technique=Technique("fast"))  # only one of the two is met by a fumble
    assert script(quick, [(1, 1), (1, 1), (3, 2)]).events[0].margins == (2, 0)


def test_the_sum_of_a_blow_makes_its_total():
    unskilled = script(try_blow(PLAIN, 0, 3, defense=2), [(1, 5), (1, 2)]).events[0].reasons()
    assert [(reason.label, reason.value) for reason in unskilled] == [("attack", 1), ("defense", 2)]
    assert [(term.label, term.value) for term in unskilled[0].terms] == [("fumble, no modifiers", 1)]
    floored = script(try_blow(PLAIN, 1, -5, defense=1), [(3,), (2,)]).events[0].reasons()[0]
    assert [(term.label, term.value, term.op) for term in floored.terms] == [
        ("dice", 3, "+"),
        ("Fitness", -5, "+"),
        ("no less", 0, "at least"),
    ]
    hit = script(try_blow(PLAIN, 2, 1, damage=4, defense=1), [(6, 6), (2,), (6, 6)]).events[0]
    assert (hit.headline(), hit.reasons()[2].value) == ("attacker hits someone by 6 with the fists", 24)


@pytest.mark.parametrize(("chosen", "top", "read"), VARIANTS)
def test_the_odds_of_a_full_attack_with_every_kind_of_dice(chosen, top, read):
    """Two dice +1 with a mace (7 and 3 a point) against two dice, and the Health test that follows: counted face by face."""
    rules = BOOK.ruleset(settings=chosen)
    odds = exact(lambda: try_blow(rules, 2, 1, weapon="mace", damage=3, defense=2, victim=BEN))
    faces = range(1, top + 1)
    pairs = {}
    for pair in product(faces, repeat=2):
        key = (read(pair, top), pair == (1, 1))
        pairs[key] = pairs.get(key, 0) + Fraction(1, top**2)
    awake = {p: sum(chance for (total, fumble), chance in pairs.items() if not fumble and max(0, total + p) >= 1) for p in (-1, -2)}
    multiplier = -(-10 * 3 // 4) if "weaker-weapons" in chosen else 10
    counted = {}
    for (attack, attacker), mine in pairs.items():
        for (defense, defender), theirs in pairs.items():
            margin = 0 if attacker and defender else max(0, attack + 1 - defense)  # if both fumble, nothing happens
            if "margin-limit" in chosen:
                margin = min(margin, top)
            damage = multiplier * margin
            wound = "death" if damage >= 50 else "deep wound" if damage >= 25 else "flesh wound" if damage >= 13 else "nothing"
            stays = {"deep wound": awake[-2], "flesh wound": awake[-1]}.get(wound)
            shares = {"miss": 1} if not margin else {wound: 1} if stays is None else {wound: stays, "knocked out": 1 - stays}
            for name, share in shares.items():
                if share:
                    key = Outcome(name, who_is_open(attacker, defender))
                    counted[key] = counted.get(key, 0) + mine * theirs * share
    assert {outcome: odds[outcome] for outcome, _ in odds} == counted


def test_a_shield_wears_away_like_armor():  # lines 5958-5966, 8147
    wears = BOOK.ruleset(settings={"armor-wears-away": True})
    blow = Blow(attack=Side(Pool(2), "melee", 2), defense=Side(Pool(1), "melee", 1), multiplier=10, shield=ShieldUp(2, 13))
    caught = [(5, 1), (4,)]
    assert script(strike(wears, blow, Patient()), caught).outcome.shield == ShieldUp(2, 12)  # 10 less 13
    assert script(strike(PLAIN, blow, Patient()), caught).outcome.shield is None
    assert script(strike(wears, blow, Patient()), [(6, 6), (4,), (6, 5)]).outcome.shield is None  # by 3: past the shield
    hard = Blow(attack=blow.attack, defense=blow.defense, multiplier=38, shield=blow.shield)
    assert script(strike(wears, hard, Patient()), [*caught, (6, 5)]).outcome.shield == ShieldUp(2, 11)  # 25 come through: Deep
