"""What a hit does: thresholds, wounds, bruises, shock, unconsciousness and death."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import OUTCOMES, hit_outcome, in_words
from rulewright.play import Played, Roll, Seeded, play, script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.scumm.action.movement import climb, fall
from rulewright.systems.scumm.harm.body import AVERAGE, LIMBS, Influence, LimbInjury, Patient, Weighing, trauma_minutes
from rulewright.systems.scumm.harm.damage import (
    Hit,
    Thresholds,
    action_penalty,
    armor_at,
    be_bruised,
    be_hit,
    bruise_penalty,
    cheat_death,
    damage,
    kills,
    knockout,
    minutes_pass,
    past_bruises,
    roll_location,
    shock_left,
    thresholds_at,
    time_out,
    wound_limb,
)
from rulewright.systems.scumm.harm.disease import expose
from rulewright.systems.scumm.harm.drugs import becomes_addicted, take, withdraw
from rulewright.systems.scumm.harm.events import Bruised
from rulewright.systems.scumm.harm.healing import save_life
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear, Injuries
from rulewright.systems.scumm.people.skills import tinker
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
AWAKE = (6, 5)
OUT = (2, 1)
FUMBLE = (1, 1)


def told(played: Played) -> list[str]:
    return [event.headline() for event in played.events]


def hit(victim: Patient, points: int, *faces: tuple[int, ...], rules=RULES, choices: tuple[str, ...] = (), **how: object) -> Patient:
    return script(be_hit(rules, victim, Hit(points, **how)), faces, choices).outcome


# --- damage and thresholds ----------------------------------------------------------------------------------------------------


def test_damage_is_multiplier_times_margin():  # book, lines 497-499
    assert damage(5, 3).value == 15
    assert [reason.value for reason in damage(5, 3).reasons] == [5, 3]


def test_a_miss_does_no_damage():
    assert damage(5, 0).value == damage(5, -2).value == 0


@given(multiplier=st.integers(0, 30), margin=st.integers(1, 20))
def test_damage_grows_by_the_multiplier_with_every_point(multiplier: int, margin: int):
    assert damage(multiplier, margin + 1).value - damage(multiplier, margin).value == multiplier


@pytest.mark.parametrize(
    ("points", "outcome"),
    [
        (0, "nothing"),
        (2, "nothing"),
        (3, "flesh wound"),
        (4, "flesh wound"),
        (5, "deep wound"),
        (9, "deep wound"),
        (10, "death"),
        (99, "death"),
    ],
)
def test_only_the_most_severe_threshold_reached_counts(points: int, outcome: str):  # book, lines 501, 511
    faces = (AWAKE,) if outcome.endswith("wound") else ()
    after = hit(AVERAGE, points, *faces)
    assert hit_outcome(AVERAGE, after) == outcome


def test_below_the_flesh_wound_threshold_nothing_happens():  # book, line 501
    played = script(be_hit(RULES, AVERAGE, Hit(2)))
    assert played.outcome == AVERAGE
    assert told(played) == ["someone takes 2 damage: only a scratch"]
    assert [(reason.label, reason.value) for reason in played.events[0].reasons()] == [("damage", 2), ("Flesh Wound Threshold", 3)]


def test_damage_is_never_negative():
    with pytest.raises(UserError, match="0 or more"):
        hit(AVERAGE, -1)


def test_armor_is_added_to_each_threshold():  # book, line 505
    vest = replace(AVERAGE, armor=5, covers=("torso",))
    for points, outcome in ((7, "nothing"), (8, "flesh wound"), (9, "flesh wound"), (10, "deep wound"), (14, "deep wound"), (15, "death")):
        faces = (AWAKE,) if outcome.endswith("wound") else ()
        assert hit_outcome(vest, hit(vest, points, *faces)) == outcome


def test_armor_helps_only_where_it_covers():  # book, line 505
    vest = replace(AVERAGE, armor=5, covers=("torso",))
    assert armor_at(RULES, vest, "torso") == armor_at(RULES, vest, None) == 5
    assert armor_at(RULES, vest, "left arm") == armor_at(RULES, vest, "head") == 0
    assert hit(vest, 3, AWAKE, location="left arm").flesh == 1
    assert hit(vest, 3, location="torso") == hit(vest, 3) == vest


def test_armor_does_not_stop_poison():
    assert hit(replace(AVERAGE, armor=5, covers=("torso",)), 5, AWAKE, cause="poison").deep == 1


def test_head_hits_halve_the_natural_thresholds_rounding_up():  # book, lines 456, 521
    at_head = thresholds_at(RULES, AVERAGE, "head")
    assert (at_head.flesh, at_head.deep, at_head.death, at_head.armor) == (2, 3, 5, 0)
    assert hit_outcome(AVERAGE, hit(AVERAGE, 5, location="head")) == "death"


def test_a_helmet_counts_in_full_at_the_head():  # book, line 521
    helmet = replace(AVERAGE, armor=4, covers=("head",))
    at_head = thresholds_at(RULES, helmet, "head")
    assert (at_head.flesh + at_head.armor, at_head.deep + at_head.armor, at_head.death + at_head.armor) == (6, 7, 9)


def test_other_vital_spots_are_as_tender_as_the_head():  # book, line 521
    vest = replace(AVERAGE, armor=3, covers=("torso",))
    groin = thresholds_at(RULES, vest, "torso", vitals=True)
    assert (groin.flesh, groin.deep, groin.death, groin.armor) == (2, 3, 5, 3)


def test_a_deep_wound_to_the_head_calls_for_one_test_by_ruling_and_for_two_by_setting():
    assert hit(AVERAGE, 3, AWAKE, location="head").deep == 1
    twice = BOOK.ruleset(settings={"second-test-for-the-head": True})
    assert hit(AVERAGE, 3, AWAKE, OUT, (4,), rules=twice, location="head").unconscious == 240
    assert hit(AVERAGE, 2, AWAKE, rules=twice, location="head").flesh == 1
    assert hit(AVERAGE, 3, OUT, (4,), rules=twice, location="head").unconscious == 240


def test_instant_death_by_reaching_or_by_surpassing():  # book, lines 501 and 549
    assert kills(RULES, 10, 10)
    above = BOOK.ruleset(settings={"instant-death": "surpasses"})
    assert not kills(above, 10, 10)
    assert kills(above, 11, 10)
    assert hit(AVERAGE, 10, AWAKE, rules=above).deep == 1
    assert hit(AVERAGE, 11, rules=above).dead


def test_the_dead_are_not_hurt_any_more():
    corpse = replace(AVERAGE, dead=True)
    assert hit(corpse, 50) == corpse


# --- wounds and what they cost ------------------------------------------------------------------------------------------------


def test_two_flesh_wounds_and_a_deep_one_cost_four():  # book, line 513
    victim = replace(AVERAGE, flesh=2, deep=1)
    assert victim.penalty == victim.wound_penalty == -4
    derived = action_penalty(RULES, victim)
    assert derived.value == -4
    assert [(reason.label, reason.value) for reason in derived.reasons] == [("Flesh wounds", -2), ("Deep wounds", -2)]


@given(flesh=st.integers(0, 9), deep=st.integers(0, 9), other=st.integers(-5, 0), numbed=st.integers(0, 12), fatigue=st.integers(-4, 0))
def test_all_penalties_add_up_and_never_become_a_bonus(flesh: int, deep: int, other: int, numbed: int, fatigue: int):
    victim = replace(AVERAGE, flesh=flesh, deep=deep, other_penalty=other, numbed=numbed, fatigue=fatigue)
    assert victim.penalty == min(0, -flesh - 2 * deep + other + fatigue + numbed) == action_penalty(RULES, victim).value
    assert victim.wound_penalty == -flesh - 2 * deep


def test_house_rules_change_what_a_wound_costs():
    gentle = BOOK.ruleset(house=House(tables={"scumm-injuries": {"deep": {"penalty": -1}}}))
    wounded = replace(AVERAGE, flesh=1, deep=2)
    assert wounded.penalty == -5
    assert action_penalty(gentle, wounded).value == wounded.under(gentle).penalty == -3
    assert shock_left(gentle, wounded).value == 2


def test_a_character_brings_its_wounds_and_armor_along():
    ana = Character(
        "Ana", attributes=Attributes(body=2, spirit=1), gear=Gear(armor="medium flak vest"), emergency_dice=6, injuries=Injuries(1, 1, 2, 0)
    )
    body = Patient.of(RULES, ana)
    assert (body.flesh_threshold, body.deep_threshold, body.death_threshold) == (4, 8, 16)
    assert (body.health, body.system_shock, body.armor, body.covers) == (2, 7, 5, ("torso",))
    assert (body.flesh, body.deep, body.bruised_flesh, body.penalty) == (1, 1, 2, -5)
    assert (body.player, body.emergency_dice) == (True, 6)


# --- limbs --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limb", LIMBS)
def test_two_flesh_wounds_put_a_limb_out_of_use(limb: str):  # book, line 519
    once = hit(AVERAGE, 3, AWAKE, location=limb)
    assert once.limb(limb) == LimbInjury(limb, 1)
    twice = hit(once, 4, AWAKE, location=limb)
    assert twice.limb(limb) == LimbInjury(limb, 2, useless=True)
    assert (twice.flesh, twice.penalty) == (2, -2)


def test_a_deep_wound_puts_a_limb_out_of_use():  # book, line 519
    after = hit(AVERAGE, 5, AWAKE, location="right arm")
    assert after.limb("right arm").useless
    assert not after.limb("right arm").severed
    assert (after.deep, after.penalty) == (1, -2)


def test_what_would_kill_severs_a_limb_as_a_deep_wound():  # book, lines 456, 519
    played = script(be_hit(RULES, AVERAGE, Hit(30, "left leg")), [AWAKE])
    after = played.outcome
    assert not after.dead
    assert after.deep == 1
    assert after.limb("left leg").severed
    assert told(played)[0] == "someone suffers a Deep wound to the left leg, which is crushed or severed"


def test_a_useless_limb_takes_no_more_damage():  # book, line 519
    useless = hit(AVERAGE, 5, AWAKE, location="right arm")
    played = script(be_hit(RULES, useless, Hit(50, "right arm")))
    assert played.outcome == useless
    assert told(played) == ["the right arm of someone is useless already, more damage to it changes nothing"]
    assert wound_limb(RULES, useless, "right arm", "deep") == useless


def test_only_limbs_are_limbs():
    with pytest.raises(UserError, match="not an arm or leg"):
        wound_limb(RULES, AVERAGE, "head", "flesh")


# --- random locations ---------------------------------------------------------------------------------------------------------

RANDOM = BOOK.ruleset(settings={"random-hit-locations": True})


@pytest.mark.parametrize(
    ("location", "chance"),  # book, lines 527-533
    [("head", 2), ("left leg", 5), ("left arm", 4), ("torso", 16), ("right arm", 4), ("right leg", 5)],
)
def test_two_dice_find_each_part_of_the_body_as_often_as_printed(location: str, chance: int):
    assert exact(sub(roll_location, RULES))[location] == Fraction(chance, 36)


def test_with_the_option_an_unaimed_hit_rolls_where_it_lands():
    assert hit(AVERAGE, 3, (6, 6), AWAKE, rules=RANDOM).deep == 1  # the head, where 3 is a Deep wound
    assert hit(AVERAGE, 3, (2, 3), AWAKE, rules=RANDOM).limb("left arm").flesh == 1
    assert hit(AVERAGE, 3, (4, 3), AWAKE, rules=RANDOM).flesh == 1


def test_an_aimed_hit_and_poison_roll_no_location():
    assert hit(AVERAGE, 3, AWAKE, rules=RANDOM, location="right leg").limb("right leg").flesh == 1
    assert hit(AVERAGE, 3, AWAKE, rules=RANDOM, cause="poison").flesh == 1


# --- knockout -----------------------------------------------------------------------------------------------------------------


def test_a_draw_keeps_the_victim_awake_and_less_does_not():  # the parent game's example: -4 and a 5 make exactly 1
    victim = replace(AVERAGE, flesh=2, deep=1)
    assert script(knockout(RULES, victim), [(5, 2)]).outcome == victim
    after = script(knockout(RULES, victim), [(4, 2), (3, 4), (5,)]).outcome
    assert after.unconscious == 7 + 5 * 60
    strict = BOOK.ruleset(settings={"draws-pass": False})
    assert script(knockout(strict, victim), [(5, 2), (1, 1), (1,)]).outcome.unconscious == 62


def test_the_new_wound_counts_in_its_own_test():  # book, line 537
    played = script(be_hit(RULES, AVERAGE, Hit(5)), [(2, 2), (6,)])
    assert played.rolls[0].result.total == 0
    assert played.outcome.unconscious == 360
    assert hit_outcome(AVERAGE, played.outcome) == "knocked out"
    assert [reason.value for reason in played.events[1].reasons()] == [0, 1]


def test_a_fumble_is_a_coma():  # book, line 537
    after = hit(AVERAGE, 3, FUMBLE)
    assert after.coma
    assert not after.awake
    assert not after.able


def test_sedation_weighs_on_the_test_and_numbness_eases_it():  # book, line 656
    sedated = replace(AVERAGE, flesh=1, influences=(Influence("sedative", 4),))
    assert script(knockout(RULES, sedated), [(5, 1), (2,)]).outcome.unconscious == 2
    assert script(knockout(RULES, replace(sedated, numbed=1)), [(5, 1)]).outcome.unconscious == 0


def test_the_unconscious_are_not_knocked_out_again_but_wounds_still_add():
    asleep = replace(AVERAGE, unconscious=30)
    after = hit(asleep, 3)
    assert (after.flesh, after.unconscious) == (1, 30)
    assert hit(replace(AVERAGE, coma=True), 5).deep == 1


@given(flesh=st.integers(0, 3), deep=st.integers(0, 1), health=st.integers(-2, 3))
def test_knockout_odds_are_what_counting_gives(flesh: int, deep: int, health: int):
    victim = replace(AVERAGE, flesh=flesh, deep=deep, health=health)
    odds = exact(sub(knockout, RULES, victim)).map(lambda after: (after.coma, after.unconscious > 0))
    counted: dict[tuple[bool, bool], int] = {}
    for pair in product(range(1, 7), repeat=2):
        best = 7 if pair == (6, 6) else max(pair)
        key = (True, False) if pair == (1, 1) else (False, max(0, best + health - flesh - 2 * deep) < 1)
        counted[key] = counted.get(key, 0) + 1
    assert {key: odds[key] for key in counted} == {key: Fraction(weight, 36) for key, weight in counted.items()}


def test_unconsciousness_lasts_a_die_of_minutes_a_flesh_wound_and_of_hours_a_deep_one():  # book, line 537
    assert script(time_out(RULES, "", 2, 1), [(3, 4), (5,)]).outcome == 307
    odds = exact(sub(time_out, RULES, "", 1, 1))
    assert odds[61] == odds[366] == Fraction(1, 36)
    assert script(time_out(RULES, "", 0, 0)).outcome == 1


# --- bruises ------------------------------------------------------------------------------------------------------------------


def test_a_flesh_bruise_is_free_and_a_deep_one_after_it_costs_one():  # book, line 543
    first = hit(AVERAGE, 3, bruise=True)
    assert (first.bruised_flesh, first.bruise_boxes, first.penalty) == (1, 1, 0)
    second = hit(first, 5, bruise=True)
    assert (second.bruised_deep, second.bruise_boxes, second.penalty) == (1, 3, -1)
    assert (second.flesh, second.deep, second.wound_penalty) == (0, 0, 0)
    assert [hit_outcome(AVERAGE, first), hit_outcome(first, second)] == ["bruise", "bruise"]


@given(flesh=st.integers(0, 8), deep=st.integers(0, 8))
def test_bruises_alone_cost_a_point_for_every_two_boxes(flesh: int, deep: int):
    victim = replace(AVERAGE, bruised_flesh=flesh, bruised_deep=deep)
    assert victim.penalty == bruise_penalty(RULES, victim).value == -((flesh + 2 * deep) // 2)
    three = BOOK.ruleset(settings={"bruise-boxes-per-penalty": 3})
    assert bruise_penalty(three, victim).value == victim.under(three).penalty == -((flesh + 2 * deep) // 3)


def test_beside_real_wounds_bruises_cost_what_wounds_cost():  # book, line 545
    victim = replace(AVERAGE, flesh=1, bruised_flesh=1, bruised_deep=1)
    assert victim.penalty == victim.wound_penalty == -4
    assert shock_left(RULES, victim).value == 1
    mild = BOOK.ruleset(settings={"bruises-beside-wounds": "as bruises"})
    assert victim.under(mild).penalty == -2
    assert shock_left(mild, victim).value == 1  # shock counts them in any case


def test_a_bruise_on_the_badly_wounded_can_bring_on_shock():  # book, line 545
    after = hit(replace(AVERAGE, flesh=1, deep=1, bruised_flesh=1), 3, bruise=True)
    assert after.trauma == 10 - 5


def test_a_blow_that_would_kill_is_a_deep_bruise():
    assert hit(AVERAGE, 40, bruise=True).bruised_deep == 1


def test_the_bruise_that_surpasses_system_shock_may_knock_out():  # book, line 545
    battered = replace(AVERAGE, bruised_flesh=1, bruised_deep=2)
    assert not past_bruises(battered)
    awake = hit(battered, 3, (6, 4), bruise=True)
    assert past_bruises(awake)
    out = hit(battered, 3, OUT, (3, 3), (2, 2), bruise=True)
    assert out.unconscious == 6 + 4 * 60
    only_wounds = BOOK.ruleset(settings={"bruise-knockout": False})
    assert hit(battered, 3, bruise=True, rules=only_wounds).awake


def test_once_bruises_surpass_system_shock_fists_do_real_damage():  # book, line 545
    battered = replace(AVERAGE, bruised_deep=3)
    after = hit(battered, 3, bruise=True)
    assert (after.flesh, after.bruised_deep) == (1, 3)
    assert after.trauma == 10 - 7
    assert hit(battered, 12, bruise=True).dead
    just_full = replace(AVERAGE, bruised_deep=2, bruised_flesh=1)
    assert hit(just_full, 3, AWAKE, bruise=True).flesh == 0


def test_bruises_do_not_disable_limbs():
    assert hit(AVERAGE, 5, bruise=True, location="left arm").limbs == ()


# --- shock, trauma, death -----------------------------------------------------------------------------------------------------


def test_wounds_cross_out_system_shock():  # book, line 55
    assert shock_left(RULES, replace(AVERAGE, flesh=2, deep=1)).value == 1
    assert shock_left(RULES, replace(AVERAGE, flesh=1, deep=2)).value == 0


def test_shock_sets_in_when_nothing_is_left_of_system_shock():  # book, line 553
    played = script(be_hit(RULES, replace(AVERAGE, flesh=1, deep=1), Hit(5)))
    after = played.outcome
    assert after.trauma == 5  # twice 5 less 5
    assert not after.dead
    assert not after.awake
    assert told(played) == ["someone suffers a Deep wound", "someone goes into shock and will be dead in 5 minutes"]
    assert played.events[1].reasons()[0].value == 5


@given(shock=st.integers(1, 8), penalty=st.integers(-20, 0))
def test_time_to_die_is_twice_system_shock_less_the_penalty(shock: int, penalty: int):
    assert trauma_minutes(shock, penalty).value == 2 * shock + penalty


def test_where_no_minute_is_left_trauma_kills_at_once():  # book, line 553
    frail = replace(AVERAGE, system_shock=1)
    played = script(be_hit(RULES, frail, Hit(5)))
    assert played.outcome.dead
    assert told(played)[-1] == "someone dies of trauma"
    assert hit_outcome(frail, played.outcome) == "death"


def test_more_wounds_shorten_the_time_of_the_dying():
    dying = replace(AVERAGE, flesh=1, deep=2, trauma=4)  # a minute has gone
    assert hit(dying, 3).trauma == 3
    assert hit(dying, 5).trauma == 2
    assert hit(replace(dying, trauma=2), 5).dead


def test_the_dying_die_when_their_minutes_are_over():
    dying = replace(AVERAGE, flesh=1, deep=2, trauma=5, unconscious=3)
    assert script(minutes_pass(RULES, dying, 4)).outcome.trauma == 1
    assert script(minutes_pass(RULES, dying, 5)).outcome.dead
    assert script(minutes_pass(RULES, replace(AVERAGE, unconscious=7, incapacitated=9), 5)).outcome == replace(
        AVERAGE, unconscious=2, incapacitated=4
    )
    with pytest.raises(UserError, match="0 minutes or more"):
        script(minutes_pass(RULES, dying, -1))


def test_sedation_and_fatigue_are_no_part_of_trauma():  # book, line 656
    victim = replace(AVERAGE, flesh=1, other_penalty=-3, fatigue=-2, influences=(Influence("sedative", 4),))
    assert victim.penalty == -10
    assert shock_left(RULES, victim).value == 4


# --- cheating death -----------------------------------------------------------------------------------------------------------

HERO = replace(AVERAGE, name="Ana", player=True, emergency_dice=6)


def test_a_player_buys_off_death_with_five_emergency_dice():  # book, line 284
    played = script(be_hit(RULES, HERO, Hit(30)), choices=["yes"])
    assert played.outcome == replace(HERO, emergency_dice=1)
    assert told(played) == ["Ana escapes death at the price of 5 Emergency Dice"]
    assert hit_outcome(HERO, played.outcome) == "nothing"


def test_a_player_may_prefer_to_die():
    assert hit(HERO, 30, choices=("no",)).dead


def test_others_and_those_without_five_dice_are_not_asked():
    assert hit(replace(HERO, emergency_dice=4), 30).dead
    assert hit(replace(HERO, player=False), 30).dead
    assert script(cheat_death(RULES, AVERAGE)).outcome is None


def test_death_from_trauma_can_be_bought_off_as_well():
    assert hit(replace(HERO, system_shock=1), 5, choices=("yes",)) == replace(HERO, system_shock=1, emergency_dice=1)
    last = script(minutes_pass(RULES, replace(HERO, deep=3, trauma=1), 1), choices=["yes"]).outcome
    assert (last.dead, last.trauma, last.resuscitated, last.emergency_dice) == (False, None, True, 1)


def test_house_rules_can_change_the_price_of_a_life():
    dear = BOOK.ruleset(house=House(tables={"scumm-emergency-dice": {"cheat death": {"value": 7}}}))
    assert hit(HERO, 30, rules=dear).dead


# --- as a whole ---------------------------------------------------------------------------------------------------------------


def test_odds_of_a_hit_by_its_outcome():
    odds = exact(sub(be_hit, RULES, AVERAGE, Hit(5))).map(lambda after: hit_outcome(AVERAGE, after))
    assert odds["knocked out"] == Fraction(4, 36)  # a coma, or nothing above 2
    assert odds["deep wound"] == Fraction(32, 36)
    assert set(odds.weights) <= set(OUTCOMES)


@given(points=st.integers(0, 12), more=st.integers(0, 5))
def test_more_damage_is_never_better_for_the_victim(points: int, more: int):
    def worst(damage: int) -> float:
        odds = exact(sub(be_hit, RULES, AVERAGE, Hit(damage)))
        return odds.mean(lambda after: OUTCOMES.index(hit_outcome(AVERAGE, after)))

    assert worst(points) <= worst(points + more)


def test_times_are_told_in_words():
    assert in_words(0) == "no time"
    assert in_words(61) == "1 hour and 1 minute"
    assert in_words(2 * 1440 + 120) == "2 days and 2 hours"


def test_the_test_is_rolled_by_the_victim():
    played = script(be_hit(RULES, HERO, Hit(3)), [AWAKE], (0,))
    assert isinstance(played.rolls[0].roll, Roll)
    assert played.rolls[0].roll.by == "Ana"


@pytest.mark.parametrize("seed", range(25))
def test_everything_that_is_told_has_words_and_sums(seed: int):
    begun = [
        be_hit(RULES, HERO, Hit(3 + seed % 9, LIMBS[seed % 4] if seed % 2 else None, bruise=seed % 5 == 0)),
        fall(RULES, seed),
        climb(RULES, metres=6),
        save_life(RULES),
        take(RULES, "pcp", doses=1 + seed % 3),
        becomes_addicted(RULES),
        withdraw(RULES),
        expose(RULES),
        tinker(RULES),
    ]
    for procedure in begun:
        for event in play(procedure, dice=Seeded(seed)).events:
            assert event.headline()
            assert event.tone() in ("good", "bad", "plain")
            assert all(reason.label for reason in event.reasons())


def test_a_gamemaster_may_rule_out_that_death_is_cheated():  # line 284: nobody dodges everything
    hero = replace(HERO, emergency_dice=5, player=True)
    gone = script(be_hit(RULES, hero, Hit(99, inescapable=True))).outcome
    assert gone.dead
    assert (gone.emergency_dice, gone.player) == (5, True)
    assert not script(be_hit(RULES, hero, Hit(99)), [], ("yes",)).outcome.dead


def test_bruises_that_cost_a_penalty_for_nothing_are_refused():
    with pytest.raises(UserError, match="at least one box"):
        Weighing(boxes_per_penalty=0)


def test_a_wound_is_told_with_the_threshold_it_passed():
    found = Thresholds(flesh=3, deep=5, death=10)
    assert [found.of(wound) for wound in ("flesh", "deep", "death")] == [3, 5, 10]


@pytest.mark.parametrize(("flesh", "deep", "cost"), [(1, 0, -1), (0, 1, -2), (2, 1, -4), (3, 2, -7)])
def test_every_wound_costs_its_points(flesh, deep, cost):
    hurt = replace(AVERAGE, flesh=flesh, deep=deep)
    assert (hurt.wound_penalty, hurt.injury_penalty) == (cost, cost)
    heavier = replace(hurt, weighs=replace(hurt.weighs, flesh=2 * hurt.weighs.flesh, deep=3 * hurt.weighs.deep))
    assert (heavier.wound_penalty, heavier.injury_penalty) == (-2 * flesh - 6 * deep,) * 2


@pytest.mark.parametrize(
    ("wound", "kind", "threshold", "how"),
    [("flesh", "flesh", 15, "lightly"), ("deep", "deep", 30, "badly"), ("death", "deep", 30, "badly")],
)
def test_a_bruise_is_told_with_the_threshold_that_it_reached(wound, kind, threshold, how):
    played = script(be_bruised(RULES, AVERAGE, wound, 70, Thresholds(15, 30, 60)))
    (told,) = [event for event in played.events if isinstance(event, Bruised)]
    assert (told.bruise, told.threshold) == (kind, threshold)
    assert f"is {how} bruised" in told.headline()
