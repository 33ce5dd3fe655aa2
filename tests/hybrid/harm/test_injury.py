"""Where blows land and what they do (book lines 930-942, 1002-1065, 1135-1139)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.hybrid.harm.damage import (
    UNCONSCIOUS,
    Blow,
    Body,
    Plate,
    apply_damage,
    armour_at,
    bleed,
    called_modifier,
    damage_done,
    hit_location,
    knocks_back,
    resist_bleeding,
    resist_knockback,
    roll_with_blow,
    secondary_effects,
    shake_off,
    shock_modifier,
    system_shock,
    wound,
)
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.resolution.tests import Degree
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
BO = Body("Bo", energy=Energy.full(36, 60))
TIRED = replace(BO, energy=Energy(0, 60, 36, 60))


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


@pytest.mark.parametrize(
    ("roll", "location"),
    [
        (1, "Head"),
        (6, "Head"),
        (7, "Chest"),
        (31, "Abdomen"),
        (56, "Groin"),
        (57, "Upper Leg"),
        (84, "Lower Leg"),
        (86, "Foot"),
        (92, "Upper Arm"),
        (98, "Lower Arm"),
        (99, "Hand"),
        (100, "Hand"),
    ],
)
def test_a_d100_says_where_a_hit_lands(roll, location):  # table 8.2
    assert script(hit_location(RULES), [(roll,)]).outcome == location


def test_a_called_shot_lands_where_it_was_called_unless_the_campaign_rolls_for_every_hit():
    assert script(hit_location(RULES, "head")).outcome == "Head"
    assert script(hit_location(under(called_shots_land=False), "head"), [(50,)]).outcome == "Groin"


def test_what_called_shots_cost():  # table 8.1
    found = {target: called_modifier(RULES, target).value for target in ("eye", "hand", "head", "leg", "arm", "chest")}
    assert found == {"eye": -18, "hand": -15, "head": -12, "leg": -9, "arm": -9, "chest": -6}


def test_damage_goes_through_armour_then_fatigue_then_body():  # 1025
    clad = replace(BO, armour=(Plate("vest", ("Chest",), (("piercing", 4),)),), energy=Energy(5, 60, 36, 60))
    hurt = apply_damage(RULES, clad, 12)
    assert (hurt.armour, hurt.fatigue, hurt.flesh) == (4, 5, 3)
    assert (hurt.body.pbd, hurt.body.energy.fatigue) == (21, 0)
    assert apply_damage(RULES, clad, 12, location="Head").armour == 0
    assert armour_at(RULES, clad, "cutting").value == 0
    with pytest.raises(UserError, match="0 or more"):
        apply_damage(RULES, BO, -1)


def test_mental_damage_goes_to_the_mind_and_past_armour():
    hurt = apply_damage(RULES, replace(BO, mind=Energy(2, 60, 36, 60)), 5, mental=True)
    assert (hurt.fatigue, hurt.flesh, hurt.body.mbd, hurt.body.pbd) == (2, 3, 21, 24)


def test_a_body_at_0_is_dead_or_by_setting_only_unconscious():
    assert apply_damage(RULES, TIRED, 30).body.dead
    spared = apply_damage(under(death_at_zero=False), TIRED, 30).body
    assert not spared.dead
    assert spared.shock == UNCONSCIOUS
    assert not spared.awake


def test_the_degree_multiplies_damage_unless_the_campaign_says_no():
    assert damage_done(RULES, 10, Degree.VERY_NOTABLE_SUCCESS).value == 20
    assert damage_done(under(damage_by_degree=False), 10, Degree.VERY_NOTABLE_SUCCESS).value == 10
    assert damage_done(RULES, 7, Degree.SUCCESS, (3, 2)).value == 11


def test_knockback_takes_more_than_half_the_fatigue_or_a_quarter_of_the_body():  # 1046
    assert not knocks_back(RULES, BO, 18)
    assert knocks_back(RULES, BO, 19)
    assert not knocks_back(RULES, BO, 0, 6)
    assert knocks_back(RULES, BO, 0, 7)
    assert not knocks_back(RULES, BO, 36, 20, "cutting")
    assert knocks_back(RULES, BO, 0, 0, "explosive")
    half = replace(BO, energy=Energy(10, 60, 36, 60))
    assert not knocks_back(RULES, half, 6)
    assert knocks_back(under(knockback_share="current"), half, 6)


def test_knockback_is_resisted_with_the_better_of_strength_and_agility_at_2_less():
    strong = replace(BO, pst=14)
    assert not script(resist_knockback(RULES, strong), [(52,)]).outcome.prone
    assert script(resist_knockback(RULES, strong), [(53,)]).outcome.prone


def test_bleeding_costs_a_point_every_twenty_counts():  # 1050
    assert script(resist_bleeding(RULES, BO), [(43,)]).outcome.bleeding == ()
    cut = script(resist_bleeding(RULES, BO), [(44,)]).outcome
    assert cut.bleeding == (0,)
    assert bleed(RULES, cut, 0, 19).energy.fatigue == 36
    assert bleed(RULES, cut, 0, 100).energy.fatigue == 31
    assert bleed(RULES, replace(TIRED, bleeding=(0, 0)), 19, 20).pbd == 22


def test_every_wound_bleeds_by_its_own_twenty_counts():  # 1050
    cut = script(resist_bleeding(RULES, BO, 39), [(44,)]).outcome
    assert [bleed(RULES, cut, 39, now).energy.fatigue for now in (40, 58, 59, 78, 79)] == [36, 36, 35, 35, 34]
    assert bleed(RULES, bleed(RULES, cut, 39, 50), 50, 59).energy.fatigue == 35
    assert bleed(RULES, cut, 59, 59) is cut


@pytest.mark.parametrize(
    ("roll", "effect", "df"), [(52, "", 0), (53, "jolted", -2), (76, "jolted", -2), (77, "stunned", -4), (100, "stunned", -4)]
)
def test_shock_by_how_far_the_roll_fails(roll, effect, df):  # table 8.3
    assert script(system_shock(RULES, BO), [(roll,)]).outcome.shock == effect
    assert shock_modifier(RULES, effect).value == df


def test_hits_to_the_head_shock_harder():
    assert script(system_shock(RULES, BO, "Head"), [(100,)]).outcome.shock == "badly stunned"
    assert script(system_shock(RULES, replace(BO, pen=5), "Head"), [(100,)]).outcome.shock == UNCONSCIOUS


def test_shock_ends_by_a_roll_at_the_own_initiative_or_after_a_time():
    stunned = replace(BO, shock="stunned")
    assert script(shake_off(RULES, stunned), [(52,)]).outcome.shock == ""
    assert script(shake_off(RULES, stunned), [(53,)]).outcome.shock == "stunned"
    timed = under(shock_ends="2d6+45 counts")
    struck = script(system_shock(timed, BO, now=10), [(80,), (3, 4)]).outcome
    assert struck.shock_ends == 62
    assert script(shake_off(timed, struck, 61)).outcome.shock == "stunned"
    over = script(shake_off(timed, struck, 62)).outcome
    assert (over.shock, over.shock_ends) == ("", 0)
    assert script(shake_off(timed, replace(struck, pbd=1), 62)).outcome.shock == ""
    for spent in (0, -1):  # with no body points left nobody comes to
        assert script(shake_off(timed, replace(struck, pbd=spent), 62)).outcome.shock == "stunned"


def test_rolling_with_the_blow_needs_success_unless_the_campaign_is_kind():
    assert script(roll_with_blow(RULES), [(52,)]).outcome.shock == 5
    failed = script(roll_with_blow(RULES), [(53,)]).outcome
    assert (failed.spared, failed.shock) == (False, 0)
    assert script(roll_with_blow(under(rolling_needs_success=False)), [(53,)]).outcome.shock == 5


def test_types_of_damage_decide_what_follows():
    assert secondary_effects(RULES, "cutting") == ("bleeding",)
    assert secondary_effects(RULES, "energy") == ("shock",)
    assert secondary_effects(RULES, "laser") == ()
    assert secondary_effects(RULES, "explosive") == ("knockback",)


def test_a_wound_from_place_to_shock():
    played = script(wound(RULES, TIRED, Blow((6,), 3)), [(20,), (4,), (60,), (90,)])
    assert (played.outcome.pbd, played.outcome.bleeding, played.outcome.shock) == (17, (0,), "stunned")
    assert [event.headline() for event in played.events] == ["Bo takes 7 damage to the chest (PBD -7)", "Bo bleeds", "Bo is stunned"]


def test_the_unconscious_bleed_too_but_roll_with_nothing():  # 1050: whoever is cut; 1139: only who is aware of the blow
    out = replace(TIRED, shock=UNCONSCIOUS)
    played = script(wound(RULES, out, Blow((6,), 3, rolled_with=True)), [(20,), (4,), (60,), (90,)])
    assert [rolled.roll.what for rolled in played.rolls] == ["hit location", "damage", "bleeding", "system shock"]
    assert (played.outcome.bleeding, played.outcome.shock) == ((0,), UNCONSCIOUS)


def test_an_energy_weapon_shocks_without_a_wound():
    assert script(wound(RULES, BO, Blow((), 4, "energy")), [(20,), (60,)]).outcome.shock == "jolted"


def test_the_odds_of_a_wound_add_up():
    odds = exact(lambda: wound(RULES, TIRED))
    assert odds.unsettled == 0
    assert sum(odds.weights.values()) == odds.total
