"""Being hit, pain, stun, and what wounds cost (book lines 2562-2714, 3318-3322)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.play import Player, Seeded, play, replay, script, sub
from rulewright.play.odds import exact, sample
from rulewright.rules.reasons import holds
from rulewright.systems.foresight.harm.body import (
    WOUNDS,
    Drink,
    Patient,
    condition,
    exhaustion,
    intoxication,
    pain_task,
    wound_penalty,
    wound_row,
)
from rulewright.systems.foresight.harm.damage import (
    OUTCOMES,
    Blow,
    Willed,
    accumulate,
    added_up,
    be_hit,
    bear_pain,
    come_round,
    outcome_of,
    pull_together,
    recover_from_stun,
    strike,
    take_stun,
)
from rulewright.systems.foresight.harm.events import Hit
from rulewright.systems.foresight.people.characters import Injuries
from rulewright.systems.foresight.resolution.damage_classes import Cover, parse_dc
from rulewright.systems.foresight.resolution.locations import LOCATIONS
from rulewright.systems.foresight.resolution.tests import Mod, chance_of

SOMEBODY = Patient("somebody")
AMYS_BODY = Patient.of(RULES, AMY)


def test_amys_body_is_what_her_file_says():
    assert (AMYS_BODY.endurance, AMYS_BODY.willpower, AMYS_BODY.pain, AMYS_BODY.stamina, AMYS_BODY.ds) == (7, 11, 9, 13, 1)
    assert [(cover.location, cover.tenths, cover.impact) for cover in AMYS_BODY.covers] == [
        ("chest", 9, "4A"),
        ("abdomen", 9, "4A"),
    ]  # 3952


@pytest.mark.parametrize(("wounds", "unconscious", "dead"), [(5, False, False), (6, True, False), (7, True, False), (8, True, True)])
def test_whoever_comes_with_six_wound_levels_is_unconscious_and_with_eight_dead(wounds, unconscious, dead):  # 2586-2588
    body = Patient.of(RULES, replace(AMY, injuries=Injuries(wounds)))
    assert (body.unconscious, body.dead) == (unconscious, dead)


# --- wounds add up -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("current", "new", "location", "level"),
    [(2, 3, "head", 5), (3, 2, "left arm", 3), (1, 2, "left arm", 2), (3, 3, "right leg", 4), (1, 3, "left leg", 3), (0, 2, "chest", 2)],
)
def test_wounds_accumulate_by_location(current, new, location, level):  # 2616-2624
    assert accumulate(RULES, current, new, location) == level


def test_without_that_option_wounds_simply_add_up():  # 2592-2594
    ours = under(wound_accumulation=False)
    assert accumulate(ours, 2, 3, "left arm") == added_up(ours, 2, 3) == 5


@given(current=integers(0, 7), new=integers(0, 8), location=sampled_from(LOCATIONS))
def test_a_wound_never_lowers_the_level_and_never_counts_for_more_than_itself(current, new, location):
    found = accumulate(RULES, current, new, location)
    assert max(current, new) <= found <= current + new


def test_wound_levels():  # 2578-2588
    rows = WOUNDS(RULES)
    assert [row.recovery for row in rows.values()] == [None, 1440, 7200, 28800, 1440, 30, None, None, None]
    assert [row.deterioration for row in rows.values()] == [None, None, None, None, None, 30, 5, 1, None]
    assert [row.name for row in rows.values()][4:8] == ["Incapacitated", "Critical", "Dying", "Near Death"]
    assert wound_row(RULES, 12).name == "Dead"


def test_wounds_are_a_penalty_on_everything_twice_for_a_hurt_limb():  # 2590, 2706, 2710
    hurt = replace(SOMEBODY, wounds=2, hurt=("left arm", "right leg"))
    assert wound_penalty(RULES, hurt).value == -2
    assert wound_penalty(RULES, hurt, ("left arm",)).value == -4
    assert wound_penalty(RULES, hurt, ("right arm",)).value == -2
    assert wound_penalty(RULES, hurt, agility=True).value == -4
    assert [mod.value for mod in condition(RULES, replace(hurt, stamina=0))] == [-2, -2]
    assert condition(RULES, SOMEBODY) == ()


def test_a_near_dead_character_has_very_little_chance():  # 2590: -7 to willpower
    from rulewright.systems.foresight.harm.body import will_task

    dying = replace(SOMEBODY, wounds=7)
    assert chance_of(RULES, will_task(RULES, dying)) == 5  # 9 x ½, rounded


# --- the hit -------------------------------------------------------------------------------------------------------------------


def test_a_bullet_through_two_walls_finds_the_gap_in_amys_vest():  # 3318: 10i2p through walls of 3 and 3 is 6i; QR3 is 2 wound levels
    shot = Blow("10i2p", 3, "torso", barriers=("3", "3"))
    hit = script(be_hit(RULES, AMYS_BODY, shot), [(8,), (10,), (99,)]).outcome  # chest, the one in ten, pain not borne
    assert (hit.wounds, hit.hurt, hit.stunned) == (2, ("chest",), True)
    assert outcome_of(AMYS_BODY, hit) == "medium wound"
    stopped = script(be_hit(RULES, AMYS_BODY, shot), [(8,), (9,), (99,)]).outcome  # the vest holds: 6 - 4 = 2 at QR3 is 1, less the A
    assert (stopped.wounds, stopped.stunned) == (0, True)


def test_a_shot_in_the_head_is_a_level_worse():  # 2705; 3322 prints 2 and 1 more for DC9 at QR4, the formula gives 1 and 1 more
    hit = script(be_hit(RULES, SOMEBODY, Blow("9b", 4, "head")), [(12,)]).outcome
    assert (hit.wounds, hit.stunned) == (2, False)
    out = script(be_hit(RULES, SOMEBODY, Blow("9b", 4, "head")), [(99,)]).outcome
    assert (out.stunned, out.unconscious) == (True, True)


def test_the_gunman_must_bear_a_heavy_wound_at_minus_three():  # 3322
    hurt = replace(SOMEBODY, wounds=3, hurt=("head",))
    assert chance_of(RULES, pain_task(RULES, hurt)) == 18
    assert not script(bear_pain(RULES, hurt, "head"), [(18,)]).outcome.stunned
    assert script(bear_pain(RULES, hurt, "head"), [(19,)]).outcome.unconscious


def test_stunned_by_a_limb_one_drops_things_or_falls():  # 2706-2710
    arm = script(be_hit(RULES, SOMEBODY, Blow("6m", 3, "left arm")), [(99,)]).outcome
    assert (arm.dropped, arm.prone, arm.wounds) == (("left arm",), False, 2)
    leg = script(be_hit(RULES, SOMEBODY, Blow("6m", 3, "right leg")), [(99,)]).outcome
    assert (leg.dropped, leg.prone) == ((), True)


def test_a_hurt_abdomen_makes_pain_harder():  # 2709
    hurt = replace(SOMEBODY, wounds=1, hurt=("abdomen",))
    assert pain_task(RULES, hurt).modifier == -2
    assert Mod("abdomen hurt", -1, "fs-hit-location") in pain_task(RULES, hurt).mods


def test_the_head_bonus_may_come_before_armor_absorbs():
    helmet = replace(
        SOMEBODY, covers=Patient.of(RULES, replace(AMY, gear=replace(AMY.gear, armor=(_worn("Silkweave", "Full Faced Helmet"),)))).covers
    )
    shot = Blow("9i", 4, "head")  # 9 - 4 = 5 at QR4: 1 level, the A takes it
    assert script(be_hit(RULES, helmet, shot), [(1,), (1,)]).outcome.wounds == 0
    assert script(be_hit(under(head_bonus="before armor"), helmet, shot), [(1,), (1,)]).outcome.wounds == 1


def _worn(armor, piece):
    from rulewright.systems.foresight.people.characters import Worn

    return Worn(armor, piece)


def test_eight_levels_are_death_and_six_are_beyond_pain():  # 2588
    dead = script(be_hit(RULES, replace(SOMEBODY, wounds=4), Blow("8i", 1, "chest"))).outcome
    assert (dead.wounds, dead.dead) == (8, True)
    dying = script(be_hit(RULES, replace(SOMEBODY, wounds=4), Blow("8i", 3, "chest"))).outcome
    assert (dying.wounds, dying.unconscious, dying.dead) == (6, True, False)
    assert outcome_of(SOMEBODY, dead) == "death"
    assert outcome_of(SOMEBODY, dying) == "dying"
    assert outcome_of(SOMEBODY, SOMEBODY) == "no wound"
    assert OUTCOMES[4] == "light wound"


def test_a_failed_attack_does_nothing_and_two_hits_are_two():
    assert script(be_hit(RULES, SOMEBODY, Blow("8i", 7))).outcome == SOMEBODY
    twice = script(be_hit(RULES, SOMEBODY, Blow("2x4b", 3)), [(5,), (1,), (6,), (1,)]).outcome
    assert twice.wounds == 2


def test_a_random_rating_may_stand_for_the_attack():
    assert script(be_hit(RULES, SOMEBODY, Blow("8", 0, "chest")), [(1,), (1,)]).outcome.wounds == 4


def test_a_botched_bearing_of_a_shock_stops_the_heart():  # 2793
    shocked = script(strike(RULES, SOMEBODY, parse_dc("3b"), 3, "chest", "front", (), True), [(90,)]).outcome
    assert shocked.heart_stopped
    assert not script(strike(RULES, SOMEBODY, parse_dc("3b"), 3, "chest", "front", ()), [(90,)]).outcome.heart_stopped


def test_vital_hits_and_harmless_hits():
    ours = under(vital_hits=True)
    assert script(be_hit(ours, SOMEBODY, Blow("4i", 4, "chest")), [(2,), (1,)]).outcome.wounds == 2
    assert script(be_hit(RULES, SOMEBODY, Blow("2i", 4, "chest", barriers=("5",)))).outcome == SOMEBODY


def test_a_played_hit_replays_and_exact_agrees_with_sampling():
    blow = Blow("9i2p", 3)
    played = play(be_hit(RULES, AMYS_BODY, blow), dice=Seeded(3))
    assert replay(be_hit(RULES, AMYS_BODY, blow), played.record) == played
    part = sub(be_hit, RULES, AMYS_BODY, blow)
    odds, counted = exact(part), sample(part, 4000, seed=2)
    assert odds.unsettled == 0
    for level in range(6):
        share = odds.chance(lambda after, level=level: after.wounds == level)[0]
        seen = sum(count for after, count in counted.items() if after.wounds == level)
        assert abs(seen - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5 + 1


def test_what_is_told_of_a_hit():
    events = script(be_hit(RULES, SOMEBODY, Blow("8i", 1, "chest")), [(99,)]).events
    assert [event.headline() for event in events] == [
        "somebody takes 4 wound levels to the chest: incapacitated",
        "somebody is stunned by the pain",
    ]
    assert events[0].reasons()[0].value == 4


# --- stun ----------------------------------------------------------------------------------------------------------------------


def test_amy_shakes_off_two_points_of_stun():  # 2681: at -2, then -1 fails, then -1 succeeds
    body = script(take_stun(RULES, AMYS_BODY, 2, "chest")).outcome
    assert (body.stun, body.stunned) == (2, True)
    chances = []
    for roll, left in ((27, 1), (37, 1), (36, 0)):
        chances.append(chance_of(RULES, pain_task(RULES, body).plus(Mod("stun points", -body.stun))))
        body = script(recover_from_stun(RULES, body), [(roll,)]).outcome
        assert body.stun == left
    assert chances == [27, 36, 36]
    assert not body.stunned


def test_stun_points_add_up_as_wounds_do():  # 2685
    one = replace(AMYS_BODY, stun=1, stunned=True)
    assert script(take_stun(RULES, one, 2, "left arm")).outcome.stun == 2
    assert script(take_stun(under(wound_accumulation=False), one, 2, "left arm")).outcome.stun == 3


def test_a_brilliant_recovery_clears_all_and_a_botch_knocks_out():  # 2687-2689
    body = replace(AMYS_BODY, stun=2, stunned=True)
    clear = script(recover_from_stun(RULES, body), [(2,)]).outcome
    assert (clear.stun, clear.stunned) == (0, False)
    assert script(recover_from_stun(RULES, body), [(90,)]).outcome.unconscious


def test_a_botch_knocks_out_those_stunned_by_pain_only_where_it_is_ruled_so():
    pained = replace(AMYS_BODY, stunned=True)
    assert not script(recover_from_stun(RULES, pained), [(90,)]).outcome.unconscious
    assert script(recover_from_stun(under(botched_recovery="any stun"), pained), [(90,)]).outcome.unconscious
    assert not script(recover_from_stun(RULES, pained), [(45,)]).outcome.stunned
    assert script(recover_from_stun(RULES, AMYS_BODY)).outcome == AMYS_BODY


def test_stun_weapons_stun_at_once():  # 2677: 5is at QR3 is 1 point
    hit = script(be_hit(RULES, SOMEBODY, Blow("5is", 3, "chest"))).outcome
    assert (hit.stun, hit.stunned, hit.wounds) == (1, True, 0)
    weak = script(be_hit(RULES, SOMEBODY, Blow("1is", 4, "chest")), [(1,)]).outcome
    assert (weak.stun, weak.stunned) == (0, False)


def test_outside_of_combat_one_tries_every_ten_seconds():  # 2568-2569
    dazed = replace(SOMEBODY, stunned=True)  # Pain Resistance 9 at 5: 45 percent
    assert not script(come_round(RULES, dazed, 30), [(46,), (99,), (45,)]).outcome.stunned
    assert script(come_round(RULES, dazed, 29), [(46,), (99,)]).outcome.stunned
    assert script(come_round(RULES, dazed, 9)).outcome == dazed
    odds = exact(sub(come_round, RULES, dazed, 30)).chance(lambda body: not body.stunned)
    assert odds[0] == pytest.approx(1 - 0.55**3)


# --- willpower, drink, exhaustion ----------------------------------------------------------------------------------------------


def test_grave_wounds_ask_for_willpower():  # 2584-2587
    fit = script(pull_together(RULES, SOMEBODY)).outcome
    assert fit == Willed(True, 0, SOMEBODY)
    four = replace(SOMEBODY, wounds=4)
    assert script(pull_together(RULES, four), [(27,)]).outcome == Willed(True, 1, four)  # 9 x (7-4) = 27
    assert not script(pull_together(RULES, four), [(28,)]).outcome.able
    five = replace(SOMEBODY, wounds=5)
    assert script(pull_together(RULES, five), [(19,)]).outcome.patient.unconscious
    assert not script(pull_together(RULES, replace(five, unconscious=True)), [(18,)]).outcome.patient.unconscious
    assert not script(pull_together(RULES, replace(SOMEBODY, wounds=6))).outcome.able
    assert not script(pull_together(RULES, replace(four, unconscious=True))).outcome.able


def test_drink():  # 2404: level 3 is +3 pain, -2 everything, -3 more on concentration
    assert intoxication(RULES, 1) == Drink(1, 0, -1)
    assert intoxication(RULES, 3) == Drink(3, -2, -3)
    drunk = replace(SOMEBODY, drunk=3)
    assert sum(mod.value for mod in condition(RULES, drunk)) == -2
    assert sum(mod.value for mod in condition(RULES, drunk, concentration=True)) == -5
    assert pain_task(RULES, drunk).modifier == 3


def test_exhaustion_costs_one_and_one_more_until_sleep():  # 2548-2552
    assert exhaustion(RULES, replace(SOMEBODY, stamina=0)).value == -2
    assert exhaustion(RULES, replace(SOMEBODY, stamina=3, was_exhausted=True)).value == -1
    assert exhaustion(RULES, SOMEBODY).value == 0


def test_whether_the_critically_wounded_lose_an_action_is_a_ruling():  # 2584-2585: said at level 4 only
    five = replace(SOMEBODY, wounds=5)
    assert script(pull_together(RULES, five), [(18,)]).outcome.lost == 1
    assert script(pull_together(under(critical_loses_action=False), five), [(18,)]).outcome.lost == 0
    four = replace(SOMEBODY, wounds=4)
    assert script(pull_together(under(critical_loses_action=False), four), [(27,)]).outcome.lost == 1


@pytest.mark.parametrize("setting", [{}, {"head_bonus": "before armor"}, {"damage_scale": "table"}, {"vital_hits": True}])
@pytest.mark.parametrize("location", ["head", "chest", "left leg"])
@pytest.mark.parametrize("armor", ["", "2", "3A", "AA"])
def test_the_sum_of_a_hit_makes_its_wound_levels(setting, location, armor):  # 2645-2705: the head's point is in it
    rules = under(**setting)
    covers = (Cover(location, 10, armor, armor, armor),) if armor else ()
    for dc, qr, ds in (("9i2p", 1, 1), ("6i", 4, 1), ("8i", 2, 1.25), ("3i", 3, 0.8), ("0i", 4, 1), ("12i", 3, 2)):
        blow, victim = Blow(dc, qr, location), replace(SOMEBODY, covers=covers, ds=ds)
        hits = [e for e in Player(Seeded(1)).play(be_hit(rules, victim, blow)).events if isinstance(e, Hit)]
        assert len(hits) == 1
        assert hits[0].reasons()[0].value == hits[0].levels
        assert holds(hits[0].reasons()[0])


def test_armor_that_stops_a_blow_is_told():
    vest = replace(SOMEBODY, covers=(Cover("chest", 10, "8", "8", "8"),))
    told = script(be_hit(RULES, vest, Blow("5i", 3, "chest"))).events
    assert [event.headline() for event in told] == ["somebody is hit in the chest, and armor stops it"]
