"""Attacks: what is rolled, where it lands, called shots, aiming and volleys."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.attacks import (
    Attacked,
    Attempt,
    Facts,
    aim_dice,
    at_number,
    attack,
    attack_mods,
    attack_on,
    attempt,
    called_number,
    called_shot,
    can_use,
    display_dice,
    feint_dice,
    land,
    later_speeds,
    volley,
    with_set_die,
)
from rulewright.systems.ore.combat.cover import Cover
from rulewright.systems.ore.gear.armour import worn
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Blow, blow
from rulewright.systems.ore.harm.body import fresh
from rulewright.systems.ore.resolution.contests import spoiled_at
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.readings import countered
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def arm(written, by=RULES):
    return weapon_named(by, written)


def dice(weapon, by=RULES, **facts):
    return {mod.label: mod.dice for mod in attack_mods(by, arm(weapon, by), Facts(**facts))}


# --- what is given and taken --------------------------------------------------------------------------------------------------


def test_aiming_counts_twice_at_most():  # line 5330
    assert [aim_dice(aims).dice for aims in (0, 1, 2, 3)] == [0, 1, 2, 2]
    assert aim_dice(2, ranged=False).dice == 0
    assert dice("m-16", metres=150, aims=2) == {"aim": 2}
    assert dice("broadsword", aims=2) == {}
    with pytest.raises(UserError):
        aim_dice(-1)


def test_feints_count_twice_at_most():  # lines 5366-5368
    assert [feint_dice(feints).dice for feints in (0, 1, 2, 5)] == [0, 1, 2, 2]
    assert dice("broadsword", feints=1) == {"feint": 1}
    with pytest.raises(UserError):
        feint_dice(-1)


def test_a_display_move_impresses_once():  # line 5362
    assert display_dice().dice == 1
    assert display_dice(success=False).dice == display_dice(seen=False).dice == display_dice(first_attack=False).dice == 0
    assert dice("broadsword", display=True) == {"Display Move": 1}


def test_range_recoil_spray_and_hands():
    assert dice(".44 magnum", body=2, metres=20) == {"short range": 1, "Recoil": -1}
    assert dice(".44 magnum", body=3, metres=100) == {"long range": -1}
    assert dice("uzi 9mm", body=3, metres=40, mode="burst") == {"Spray Rating": 3}
    assert dice("uzi 9mm", body=2, metres=40, mode="burst", metres_between=2) == {"Spray Rating": 1, "Recoil": -1}
    assert dice("dagger", hand="off") == {"off-hand": -2}
    assert dice("dagger", hand="both", ambidextrous=True, free_hand=False) == {"both hands": -1}
    assert dice("m-16", by=rules(powerless=True), body=1, metres=150, mode="burst") == {"Spray Rating": 4}


def test_reach_and_half_swording():
    assert dice("shortsword", by=rules(weapon_reach=True), reach=3) == {"shorter weapon": -1}
    assert dice("shortsword", reach=3) == {}
    assert dice("hand & half", body=3) == {"half-swording in one hand": 1}
    assert dice("hand & half", body=3, grip="two hands") == {}
    assert dice("hand & half", body=3, free_hand=False) == {}


def test_what_cannot_be_done_is_refused():
    for weapon, facts, match in (
        ("zweihander", {"body": 2}, "too heavy"),
        ("zweihander", {"body": 3, "free_hand": False}, "both hands"),
        ("staff", {"body": 5, "free_hand": False}, "both hands"),
        (".38 special", {"metres": 101}, "out of range"),
        ("uzi 9mm", {"metres": 10, "mode": "burst", "aims": 1}, "neither aiming"),
        ("uzi 9mm", {"metres": 10, "mode": "burst", "called": "head"}, "neither aiming"),
        (".38 special", {"metres": 10, "mode": "burst"}, "cannot use"),
        ("longbow: pull 4", {"body": 3, "metres": 10}, "cannot draw"),
    ):
        assert not can_use(RULES, arm(weapon), Facts(**facts))
        with pytest.raises(UserError, match=match):
            attack_mods(RULES, arm(weapon), Facts(**facts))
    assert can_use(RULES, arm("zweihander"), Facts(body=3))


def test_cover_is_a_difficulty_where_the_option_says_so():
    hidden = Facts(metres=10, cover=Cover("75% left"))
    assert attempt(RULES, Pool(6), arm(".38 special"), hidden).difficulty == 1
    assert attempt(rules(cover_difficulty=True), Pool(6), arm(".38 special"), hidden).difficulty == 6
    assert attempt(rules(cover_difficulty=True), Pool(6), arm("dagger"), hidden).difficulty == 1


# --- called shots -------------------------------------------------------------------------------------------------------------


def test_a_called_shot_rolls_two_dice_less_and_sets_one():  # line 5338
    tried = attempt(RULES, Pool(7), BARE_HANDS, Facts(called="right arm", number=5))
    assert (tried.number, tried.difficulty) == (5, 1)
    assert with_set_die(RULES, tried).dice == 5
    assert script(at_number(RULES, tried), [(5, 1, 2, 3, 4)]).outcome == Outcome(2, 5)
    assert script(at_number(RULES, tried), [(6, 6, 6, 6, 6)]).outcome == Outcome()
    assert script(at_number(RULES, tried), [(5, 5, 1, 1, 4)]).outcome == Outcome(3, 5)
    assert script(called_shot(RULES, Pool(7), "right arm", 6), [(6, 6, 1, 1, 4)]).outcome == Outcome(3, 6)


def test_the_number_must_strike_the_part():
    assert called_number(RULES, "right arm") == 5
    assert called_number(RULES, "right arm", 6) == 6
    assert called_number(RULES, "head") == 10
    with pytest.raises(UserError, match="not on 4"):
        called_number(RULES, "right arm", 4)
    with pytest.raises(UserError, match="needs the number"):
        script(at_number(RULES, Attempt(Pool(5))))


def test_too_few_dice_for_a_called_shot():
    assert script(at_number(RULES, Attempt(Pool(0), number=10))).outcome == Outcome()
    assert script(at_number(RULES, Attempt(Pool(1), number=10)), [()]).outcome == Outcome()


def test_the_odds_of_a_called_shot():
    """A pool of seven: five dice are rolled, and one of them must show the number."""
    low, high = exact(sub(called_shot, RULES, Pool(7), "head")).chance(lambda one: one.success)
    assert low == high == pytest.approx(1 - 0.9**5)


def test_an_aimed_arm_without_locations():  # line 4508: 3x5 with +1 Kill and +0 Shock becomes 4 Kill and 5 Shock
    vital = rules(damage_system="vital")
    epee = arm("epee", vital)
    body = fresh(vital, 3)
    landed = script(land(vital, blow(vital, epee, 3), 5, body, aimed="right arm")).outcome
    assert (landed.body.kill_lost, landed.body.vital_lost, landed.body.shock) == (3, 1, 5)
    plain = script(land(vital, blow(vital, epee, 3), 5, body)).outcome
    assert plain.body.shock == 3


# --- landing ------------------------------------------------------------------------------------------------------------------


def test_a_blow_through_armour():  # line 4701: 4x5 with a broadsword on heavy armour
    sword = arm("broadsword")
    plate = worn(RULES, {"right arm": "heavy"})
    landed = script(land(RULES, blow(RULES, sword, 4), 5, fresh(RULES, 3), plate)).outcome
    part = landed.body.part("right arm")
    assert (landed.location, part.kill, part.shock) == ("right arm", 3, 1)
    ablative = rules(ablative_armour=True)
    rent = script(land(ablative, blow(ablative, sword, 4), 5, fresh(ablative, 3), plate)).outcome
    assert rent.worn.piece("right arm").lost == 1


def test_cover_stops_a_shot_and_not_a_blow():
    half = Cover("50% right")
    shot = script(land(RULES, Blow(3, 3, 3), 5, fresh(RULES, 3), cover=half, ranged=True)).outcome
    assert (shot.hit, shot.covered, shot.body) == (False, True, fresh(RULES, 3))
    assert script(land(RULES, Blow(3, 3, 3), 5, fresh(RULES, 3), cover=half)).outcome.hit
    assert script(land(RULES, Blow(3, 3, 3), 10, fresh(RULES, 3), cover=half, ranged=True)).outcome.location == "head"


def test_material_is_armour_with_the_option():
    remix = rules(cover_difficulty=True)
    wall = Cover("complete", "2 inch wooden wall")
    landed = script(land(remix, Blow(3, 5, 3), 8, fresh(remix, 3), cover=wall, ranged=True)).outcome
    part = landed.body.part("torso")
    assert (part.kill, part.shock) == (2, 0)


def test_a_slash_counts_towards_a_wound():  # line 4537: a falchion's 3x3 against AR 2 and a threshold of 3
    wounds = rules(wounds=True)
    falchion = arm("falchion: narrow blade 3", wounds)
    mail = worn(wounds, {"left arm": "medium"})
    slashed = script(land(wounds, blow(wounds, falchion, 3, "slash"), 3, fresh(wounds, 3), mail)).outcome
    part = slashed.body.part("left arm")
    assert (part.kill, part.shock, len(slashed.body.wounds)) == (0, 1, 1)
    plain = script(land(wounds, blow(wounds, falchion, 3), 3, fresh(wounds, 3), mail)).outcome
    assert len(plain.body.wounds) == 0


def test_a_slashing_weapon_wounds_sooner():  # line 4782
    wounds = rules(wounds=True)
    for written, number in (("scimitar", 1), ("shortsword", 0)):
        landed = script(land(wounds, blow(wounds, arm(written, wounds), 3), 7, fresh(wounds, 4))).outcome  # 4 Kill, 3 Shock, threshold 4
        assert len(landed.body.wounds) == 0
        weak = script(land(wounds, Blow(3, 2, 3, wound_shock=number), 7, fresh(wounds, 3))).outcome  # threshold 3
        assert len(weak.body.wounds) == number


# --- whole attacks ------------------------------------------------------------------------------------------------------------


def test_an_attack_hits_unless_it_is_countered():
    hit = script(attack_on(RULES, Pool(4), "broadsword", body=fresh(RULES, 3)), [(7, 7, 7, 1)]).outcome
    assert (hit.location, hit.body.part("torso").kill, hit.body.part("torso").shock) == ("torso", 5, 3)
    assert not script(attack_on(RULES, Pool(4), "broadsword"), [(7, 8, 9, 1)]).outcome.hit
    parried = script(attack_on(RULES, Pool(4), "broadsword", defence=Pool(2)), [(7, 7, 7, 1), (8, 8)]).outcome
    assert not parried.hit
    low = script(attack_on(RULES, Pool(4), "broadsword", defence=Pool(2)), [(7, 7, 7, 1), (6, 6)]).outcome
    assert low.hit


def test_an_attack_asked_for_by_its_id_answers_in_a_few_words():
    assert script(attack(RULES, Pool(3), "broadsword"), [(10, 10, 10)]).outcome == Attacked("hit", "head", 5, 3, "dead")
    assert script(attack(RULES, Pool(3), "broadsword"), [(1, 2, 3)]).outcome == Attacked("miss")
    hidden = Facts(metres=10, cover=Cover("complete"))
    assert script(attack(RULES, Pool(2), ".38 special", hidden), [(1, 1, 3)]).outcome == Attacked("cover")
    odds = exact(sub(attack, RULES, Pool(5), "dagger"))
    assert odds.chance(lambda one: one.outcome == "miss") == pytest.approx((0.3024, 0.3024))


def test_half_swording_in_two_hands_kills_more():
    two = Facts(body=3, grip="two hands")
    hit = script(attack_on(RULES, Pool(2), "hand & half", two), [(7, 7)]).outcome
    assert hit.body.part("torso").kill == 2 + 2 + 1
    one = script(attack_on(RULES, Pool(2), "hand & half", Facts(body=3)), [(7, 7, 1)]).outcome
    assert one.body.part("torso").kill == 2 + 2


def test_a_called_shot_lands_where_it_was_aimed():
    hit = script(attack_on(RULES, Pool(5), "dagger", Facts(called="head")), [(10, 1, 2)]).outcome
    assert hit.location == "head"
    dodged = script(attack_on(RULES, Pool(5), "dagger", Facts(called="head"), defence=Pool(2)), [(10, 1, 2), (10, 10)]).outcome
    assert not dodged.hit


def test_three_shots_at_one_target():
    gun = ".44 magnum"
    facts = Facts(body=4, metres=50, mode="semi-automatic", shots=3)
    landed = script(volley(RULES, Pool(7), gun, facts), [(1, 1, 5, 5, 9, 9, 3)]).outcome
    assert [landed.body.part(where).kill for where in ("torso", "right arm", "left leg")] == [4, 4, 4]
    assert not script(volley(RULES, Pool(3), gun, facts), [(1, 2, 3)]).outcome.hit
    behind = Facts(body=4, metres=50, mode="semi-automatic", shots=3, cover=Cover("complete"))
    saved = script(volley(RULES, Pool(4), gun, behind), [(1, 1, 5, 5)]).outcome
    assert (saved.hit, saved.covered) == (False, True)


def test_a_burst_is_one_set_with_more_dice():
    uzi = "uzi 9mm"
    burst = exact(sub(volley, RULES, Pool(4), uzi, Facts(body=3, metres=40, mode="burst"))).chance(lambda one: one.hit)
    single = exact(sub(volley, RULES, Pool(4), uzi, Facts(body=3, metres=40))).chance(lambda one: one.hit)
    assert burst > single


def test_a_volley_without_dice_may_get_lucky():
    """Two dice against a Recoil of three above Body: a Luck die, whose 10 is a single die on the head."""
    facts = Facts(body=1, metres=50, mode="semi-automatic", shots=3)
    landed = script(volley(rules(getting_lucky=True), Pool(2), ".44 magnum", facts), [(10,)]).outcome
    assert (landed.location, landed.body.part("head").kill) == ("head", 3)
    assert not script(volley(RULES, Pool(2), ".44 magnum", facts)).outcome.hit


def test_waiting():  # line 5414
    assert later_speeds(4, (5, 3, 2, 3, 4)) == (3, 2)
    assert later_speeds(2, (5, 3, 2)) == ()


def test_counter_dice_on_the_table():
    assert not countered((3, 5), (2, 5), spoiled_at(RULES))
    assert countered((3, 5), (2, 5), spoiled_at(rules(set_for_a_set=True))) == (1, 5)
    assert countered((3, 5), (2, 4), spoiled_at(RULES)) == (3, 5)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.integers(1, 10), st.integers(0, 3), st.sampled_from(["locations", "vital"]))
def test_more_armour_never_hurts_more(width, height, rating, system):
    each = rules(damage_system=system)
    bare = script(land(each, Blow(width, width + 1, width), height, fresh(each, 3))).outcome.body
    names = ("", "light", "medium", "heavy")
    covered = worn(each, {"all": names[rating]}) if rating else worn(each, {})
    clad = script(land(each, Blow(width, width + 1, width), height, fresh(each, 3), covered)).outcome.body

    def total(body):
        return (
            sum(part.kill + part.shock for part in body.parts) if system == "locations" else body.kill_lost + body.vital_lost + body.shock
        )

    assert total(clad) <= total(bare)
