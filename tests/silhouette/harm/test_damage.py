"""Damage, armor, wounds, bruises, knockouts, trauma, instant death, hit locations (book lines 2453-2584, 2653-2693)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.show.rule_calls import prepare
from rulewright.systems.silhouette.build.archetypes import all_rounder
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, LimbInjury, Patient, action_penalty, armored_thresholds, encumbrance
from rulewright.systems.silhouette.harm.damage import (
    Hit,
    armor_against_flesh_wounds,
    armor_at,
    bruise,
    bruise_penalty,
    damage,
    deep_wounds_to_shock,
    hurt,
    knockout,
    only_bruises,
    stabbing_modifier,
    take_hit,
    time_out,
    trauma_minutes,
    wound_limb,
)
from rulewright.systems.silhouette.people.characters import Injuries
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
AL = Patient("Al", 1, 15, 30, 60, 6)
"""The book's example: Stamina 30, Health +1, System Shock 6."""


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def struck(victim, hit, *faces, rules=PLAIN, choices=()):
    return script(take_hit(rules, victim, hit), faces, choices).outcome


# --- the book's examples ------------------------------------------------------------------------------------------------------


def test_a_heavy_pistol_and_a_deep_wound():  # lines 2653-2657
    assert damage(PLAIN, 15, 2).value == 30
    after = struck(AL, Hit(30), (4, 2))
    assert (after.flesh, after.deep, after.awake) == (0, 1, True)


def test_an_armored_jacket():  # lines 2659-2663; the book prints 70 for 80
    assert armored_thresholds(PLAIN, 20, 15, 30, 60) == (35, 50, 80)
    jacket = replace(AL, armor=20)
    assert struck(jacket, Hit(30)) == jacket
    assert [struck(jacket, Hit(d), *([] if d in (34, 80) else [(6, 6)])).deep for d in (34, 35, 49, 50, 79)] == [0, 0, 0, 1, 1]
    assert struck(jacket, Hit(35), (6, 6)).flesh == 1
    assert struck(jacket, Hit(80)).dead
    assert not struck(jacket, Hit(79), (6, 6)).dead


def test_two_flesh_wounds_and_a_deep_one():  # lines 2665-2669
    assert action_penalty(PLAIN, replace(AL, flesh=2, deep=1)).value == -4


def test_a_knockout_barely_avoided():  # lines 2671-2675
    hurt_al = replace(AL, flesh=2, deep=1, health=0)  # the example counts no Health
    assert script(knockout(PLAIN, hurt_al), [(5, 3)]).outcome.awake
    out = script(knockout(PLAIN, hurt_al), [(4, 3), (3, 4), (2,)]).outcome
    assert out.unconscious == 7 + 2 * 60  # two dice of minutes, one of hours
    assert script(time_out(PLAIN, "", 2, 1), [(6, 6), (6,)]).outcome == 12 + 360


def test_a_fist_and_a_real_wound():  # lines 2677-2681
    jason = Patient("Jason")
    punched = struck(jason, Hit(25, bruise=True))
    assert (punched.bruised_deep, punched.penalty, punched.awake) == (1, -1, True)
    assert struck(replace(jason, flesh=1), Hit(25, bruise=True)).penalty == -3  # as a normal wound, beside the one there was
    assert replace(jason, flesh=1, bruised_deep=1).penalty - replace(jason, flesh=1).penalty == -2


def test_a_new_deep_wound_and_six_minutes():  # lines 2689-2691
    assert trauma_minutes(6, -6).value == 6
    after = struck(replace(AL, flesh=2, deep=1), Hit(30))
    assert (after.trauma, after.penalty, after.dead, after.awake) == (6, -6, False, False)


# --- damage and thresholds ----------------------------------------------------------------------------------------------------


def test_only_the_worst_wound_counts():
    for points, expected in ((14, (0, 0)), (15, (1, 0)), (29, (1, 0)), (30, (0, 1)), (59, (0, 1))):
        after = struck(AL, Hit(points), *([] if points < 15 else [(6, 6)]))
        assert (after.flesh, after.deep) == expected
    assert struck(AL, Hit(60)).dead


def test_a_miss_does_nothing_and_negative_damage_is_refused():
    assert damage(PLAIN, 20, -3).value == 0
    assert damage(PLAIN, -5, 3).value == 0
    with pytest.raises(UserError, match="at least 0"):
        struck(AL, Hit(-1))


def test_bigger_dice_may_be_tamed():
    tame = with_settings(dice="d10", margin_limit=True, weaker_weapons=True)
    assert damage(tame, 20, 14).value == 12 * 10
    assert damage(with_settings(dice="d8"), 20, 14).value == 280


@given(st.integers(0, 200), st.integers(0, 60), st.integers(1, 80))
@settings(max_examples=60)
def test_armor_is_worth_its_points_against_every_wound(points, armor, stamina):
    bare = Patient("x", 0, -(-stamina // 2), stamina, 2 * stamina)
    clad = replace(bare, armor=armor)

    def outcome(victim, hit):
        return {(after.flesh, after.deep, after.dead) for after, _ in exact(lambda: take_hit(PLAIN, victim, hit))}

    assert outcome(clad, Hit(points + armor)) == outcome(bare, Hit(points))


def test_armor_reaches_only_so_far():  # lines 2469-2470
    clad = replace(AL, armor=20, covers=("torso",))
    assert (armor_at(clad), armor_at(clad, "torso"), armor_at(clad, "head")) == (20, 20, 0)
    assert struck(clad, Hit(30, "left arm"), (6, 6)).deep == 1
    assert struck(clad, Hit(30)) == clad


def test_encumbrance_weighs_on_physical_tests_alone():
    assert encumbrance(PLAIN, "plate", "tower") == -3
    clad = replace(AL, encumbrance=-2, flesh=1)
    assert (clad.penalty, clad.acting_penalty, clad.physical_penalty) == (-1, -1, -3)


# --- blunt and stabbing -------------------------------------------------------------------------------------------------------


def test_blunt_and_stabbing_count_only_against_flesh_wounds():  # lines 2471-2476
    on = with_settings(blunt_and_stabbing=True)
    assert [armor_against_flesh_wounds(on, 10, nature) for nature in ("plain", "blunt", "stabbing")] == [10, 15, 5]
    assert armor_against_flesh_wounds(PLAIN, 10, "blunt") == 10
    assert armor_against_flesh_wounds(on, 3, "stabbing") == 0
    assert armor_against_flesh_wounds(on, 0, "blunt") == 0
    assert armor_against_flesh_wounds(with_settings(blunt_and_stabbing=True, blunt_needs_armor=False), 0, "blunt") == 5
    clad = replace(AL, armor=10)  # 25, 40, 70
    assert struck(clad, Hit(29, nature="blunt"), rules=on) == clad
    assert struck(clad, Hit(30, nature="blunt"), (6, 6), rules=on).flesh == 1
    assert struck(clad, Hit(40, nature="blunt"), (6, 6), rules=on).deep == 1
    assert struck(clad, Hit(20, nature="stabbing"), (6, 6), rules=on).flesh == 1
    assert struck(clad, Hit(39, nature="stabbing"), (6, 6), rules=on).flesh == 1
    assert struck(clad, Hit(20, nature="stabbing"), rules=PLAIN) == clad


def test_a_stab_without_a_parry_bonus_costs_one():
    on = with_settings(blunt_and_stabbing=True)
    assert [stabbing_modifier(on, parry).value for parry in (-1, 0, 1)] == [-1, -1, 0]
    assert stabbing_modifier(PLAIN, 0).value == 0


# --- armor that wears away ----------------------------------------------------------------------------------------------------


def test_armor_wears_away_where_the_campaign_says_so():  # lines 5958-5966
    clad = replace(AL, armor=20)
    for level, light, heavy in (("gritty", 20, 19), ("adventurous", 19, 18), ("cinematic", 18, 16)):
        rules = with_settings(reality=level, armor_wears_away=True)
        assert struck(clad, Hit(35), (6, 6), rules=rules).armor == light
        assert struck(clad, Hit(50), (6, 6), rules=rules).armor == heavy
        assert struck(clad, Hit(34), rules=rules).armor == 20
    assert struck(clad, Hit(50), (6, 6)).armor == 20


# --- knockouts ----------------------------------------------------------------------------------------------------------------


def test_every_wound_may_knock_out():
    out = struck(AL, Hit(15), (1, 1))
    assert out.coma
    assert not out.unconscious
    weak = replace(AL, health=-2)
    assert struck(weak, Hit(15), (3, 2)).unconscious == OPEN_ENDED  # 3 - 2 - 1 = 0
    assert struck(weak, Hit(15), (4, 2)).awake  # a draw at 1
    assert not struck(weak, Hit(15), (4, 2), rules=with_settings(draws_pass=False)).awake


def test_hurt_says_for_how_long():
    weak = replace(AL, health=-2)
    assert script(hurt(PLAIN, weak, Hit(15)), [(3, 2), (5,)]).outcome.unconscious == 5
    assert script(hurt(PLAIN, weak, Hit(30)), [(3, 2), (5,)]).outcome.unconscious == 300


def test_the_odds_of_staying_conscious_count_every_wound():
    for health in (-2, 0, 2):
        for flesh, deep in ((1, 0), (0, 1), (2, 1)):
            victim = replace(AL, health=health, flesh=flesh, deep=deep, system_shock=20)
            odds = exact(lambda victim=victim: take_hit(PLAIN, victim, Hit(15)))
            penalty = -(flesh + 1) - 2 * deep
            faces = [(a, b) for a in range(1, 7) for b in range(1, 7)]

            def total(pair, health=health, penalty=penalty):
                return max(0, (7 if pair == (6, 6) else max(pair)) + health + penalty)

            coma = Fraction(1, 36)
            out = Fraction(sum(total(pair) < 1 and pair != (1, 1) for pair in faces), 36)
            assert Fraction(sum(w for k, w in odds if k.coma), odds.total) == coma
            assert Fraction(sum(w for k, w in odds if k.unconscious), odds.total) == out


# --- bruises ------------------------------------------------------------------------------------------------------------------


def test_what_bruises_cost():  # lines 2501-2507
    assert [bruise_penalty(boxes) for boxes in range(7)] == [0, 0, -1, -1, -2, -2, -3]
    body = Patient()
    assert bruise(PLAIN, body, "flesh").penalty == 0
    assert bruise(PLAIN, bruise(PLAIN, body, "flesh"), "deep").penalty == -1  # three boxes: the book's own case
    assert bruise(PLAIN, body, "none") == body
    assert bruise(PLAIN, body, "death").bruised_deep == 1
    house = with_settings(bruise_boxes_per_penalty=1)
    assert bruise(house, body.under(house), "deep").penalty == -2


def test_who_may_only_bruise():
    assert only_bruises(0, True)
    assert only_bruises(1)
    assert not only_bruises(1, True)


def test_bruises_never_bring_on_trauma_alone_but_fill_the_shock():
    body = Patient("x", system_shock=5, bruised_deep=2)  # four boxes
    full = struck(body, Hit(13, bruise=True), (6, 2))
    assert (full.bruise_boxes, full.trauma, full.flesh, full.awake) == (5, None, 0, True)
    assert struck(body, Hit(13, bruise=True), (2, 2)).unconscious == OPEN_ENDED  # 2 - 2 is below 1
    lenient = with_settings(bruise_knockout=False)
    assert struck(body, Hit(13, bruise=True), rules=lenient).awake
    # Full of bruises, the next blow wounds, and every bruise counts like a wound: shock, and death is near.
    after = struck(full, Hit(13, bruise=True))
    assert (after.flesh, after.shock_penalty, after.trauma) == (1, -6, 4)
    surpass = with_settings(bruises_full="surpassed")
    assert struck(full, Hit(13, bruise=True), (6, 6), rules=surpass).bruised_flesh == 2


def test_bruises_beside_wounds_count_as_wounds():
    body = replace(AL, flesh=1)
    after = struck(body, Hit(30, bruise=True))
    assert (after.bruised_deep, after.penalty, after.shock_penalty, after.trauma) == (1, -3, -3, None)
    dying = struck(replace(AL, flesh=4), Hit(30, bruise=True))
    assert dying.trauma == 12 - 6


@given(st.integers(0, 4), st.integers(0, 3), st.integers(0, 4), st.integers(0, 3))
@settings(max_examples=60)
def test_penalties_by_the_formula(flesh, deep, light, bad):
    body = Patient(flesh=flesh, deep=deep, bruised_flesh=light, bruised_deep=bad)
    boxes = light + 2 * bad
    assert body.injury_penalty == (-(flesh + 2 * deep + boxes) if flesh or deep else -(boxes // 2))
    assert body.shock_penalty == (-(flesh + 2 * deep + boxes) if flesh or deep else 0)


# --- trauma and instant death -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "penalty", "acting"), [({}, -3, -3), ({"ignored": 2}, -1, -1), ({"tough": 2}, -3, -1)])
def test_what_is_ignored_takes_off_every_penalty_and_acting_tough_off_actions_alone(given, penalty, acting):
    hurt = replace(AL, flesh=1, deep=1, **given)
    assert (hurt.penalty, hurt.acting_penalty) == (penalty, acting)


@pytest.mark.parametrize("field", ["ignored", "tough"])
def test_no_wound_becomes_a_bonus(field):
    for points in (2, 3, 4, 9):
        hurt = replace(AL, flesh=1, deep=1, **{field: points})
        assert hurt.acting_penalty == min(0, points - 3)
    assert replace(AL, flesh=1, deep=1, last_rounds=2, drugged=-1).acting_penalty == -1
    assert replace(AL, flesh=1, deep=1, last_rounds=2, drugged=-1).penalty == -1


def test_when_no_minute_is_left_trauma_kills_at_once():
    frail = Patient("x", -4, 3, 5, 10, 1)
    assert struck(frail, Hit(5)).dead  # 2 x 1 - 2 = 0
    assert struck(frail, Hit(3)).trauma == 1


def test_more_wounds_shorten_the_minutes_left():
    dying = replace(AL, flesh=2, deep=2, trauma=3)  # three of the six minutes are gone
    after = struck(dying, Hit(15))
    assert (after.trauma, after.dead) == (2, False)
    assert struck(dying, Hit(30)).trauma == 1
    assert struck(replace(dying, trauma=2), Hit(30)).dead


def test_the_dead_stay_as_they_are():
    dead = replace(AL, dead=True)
    assert struck(dead, Hit(100)) == dead


def test_instant_death_into_trauma():  # lines 2561-2564
    rules = with_settings(instant_death="trauma")
    assert deep_wounds_to_shock(rules, AL) == 3
    assert deep_wounds_to_shock(rules, replace(AL, flesh=1, deep=1)) == 2
    after = struck(replace(AL, flesh=1), Hit(60), rules=rules)
    assert (after.dead, after.flesh, after.deep, after.trauma) == (False, 1, 3, 5)
    assert struck(replace(AL, hero=False), Hit(60), rules=rules).dead
    assert struck(Patient("x", -4, 3, 5, 10, 1), Hit(10), rules=rules).trauma == 1


def test_emergency_dice_may_buy_off_death():
    rules = with_settings(instant_death="emergency dice or trauma")
    rich = replace(AL, emergency_dice=6)
    away = struck(rich, Hit(60), rules=rules, choices=["yes"])
    assert away == replace(rich, emergency_dice=1)
    assert struck(rich, Hit(60), rules=rules, choices=["no"]).trauma == 6
    assert struck(replace(AL, emergency_dice=5), Hit(60), rules=rules, choices=["yes"]) == replace(AL, emergency_dice=0)
    assert struck(replace(AL, emergency_dice=4), Hit(60), rules=rules).trauma == 6


# --- where it hits ------------------------------------------------------------------------------------------------------------


def test_vital_spots_halve_the_natural_thresholds():  # lines 2366, 2583
    odd = Patient("x", 5, 13, 25, 50, 20, armor=10, covers=("torso", "head"))
    assert struck(odd, Hit(16, "head")) == odd  # 7 + 10
    assert struck(odd, Hit(17, "head"), (6, 6)).flesh == 1
    assert struck(odd, Hit(23, "head"), (6, 6)).deep == 1  # 13 + 10
    assert struck(odd, Hit(35, "head")).dead  # 25 + 10
    assert struck(odd, Hit(7, "groin"), (6, 6)).flesh == 1  # no armor there


def test_a_shot_at_a_limb_never_kills_at_once():  # line 2368
    after = struck(AL, Hit(500, "left leg"), (6, 6))
    assert (after.dead, after.deep, after.limbs) == (False, 1, ())
    dying = struck(replace(AL, deep=2), Hit(500, "left leg"))
    assert dying.trauma == 6  # only through trauma


def test_limbs_out_of_use():  # lines 2577-2581
    rules = with_settings(hit_locations=True)
    once = struck(AL, Hit(15, "left arm"), (6, 6), rules=rules)
    assert once.limb("left arm") == LimbInjury("left arm", 1)
    twice = struck(once, Hit(15, "left arm"), (6, 6), rules=rules)
    assert twice.limb("left arm").useless
    assert twice.flesh == 2
    assert struck(twice, Hit(60, "left arm"), rules=rules) == twice  # more damage there is ignored
    assert struck(AL, Hit(30, "right leg"), (6, 6), rules=rules).limb("right leg") == LimbInjury("right leg", 0, 1, True)
    gone = struck(AL, Hit(60, "right leg"), (6, 6), rules=rules)
    assert (gone.limb("right leg").severed, gone.deep, gone.dead) == (True, 1, False)
    assert struck(AL, Hit(15, "left hand"), (6, 6), rules=rules).limb("left hand").useless
    with pytest.raises(UserError, match="not an arm"):
        wound_limb(rules, AL, "head")


def test_a_deep_wound_to_the_head_is_tested_once_and_a_bruise_there_too():  # line 2583
    rules = with_settings(hit_locations=True)
    assert struck(AL, Hit(15, "head"), (6, 6), rules=rules).deep == 1
    boxed = struck(AL, Hit(15, "head", bruise=True), (1, 1), rules=rules)
    assert boxed.coma
    assert boxed.bruised_deep == 1
    assert struck(AL, Hit(15, "head", bruise=True)).bruised_deep == 1  # without the rule a bruise asks for nothing


# --- people -------------------------------------------------------------------------------------------------------------------


def test_the_body_of_a_character():
    character = all_rounder(PLAIN)
    body = Patient.of(PLAIN, character)
    assert (body.flesh_threshold, body.death_threshold) == (-(-body.deep_threshold // 2), 2 * body.deep_threshold)
    assert body.awake
    assert body.able
    assert not body.wounded
    treated = Patient.of(PLAIN, replace(character, injuries=Injuries(2, 1, stable_flesh=1, stable_deep=1)))
    assert (treated.flesh, treated.deep, treated.stable_flesh, treated.stable_deep) == (2, 1, 1, 1)


def test_states_can_be_kept_apart_and_found_again():
    assert len({AL, replace(AL), replace(AL, flesh=1)}) == 2
    assert hit_outcome(AL, replace(AL, deep=1)) == "deep wound"
    assert hit_outcome(AL, replace(AL, trauma=3)) == "death"
    assert hit_outcome(AL, replace(AL, bruised_flesh=1)) == "bruise"


def test_what_changed_is_told_though_nobody_named_the_victim():
    call = prepare(PLAIN, BOOK.rule("sil-3.5.1-damage"), {"hit.damage": "13"}, "hurt")
    words = {call.label(after) for after, _ in exact(call.start)}
    assert words == {"flesh 1", "flesh 1, coma"}
