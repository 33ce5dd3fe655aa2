"""Weather, poison, want of air, falls, burns (book lines 2728-2793)."""

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import play, script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.hazards import (
    BURNS,
    EXPOSURES,
    LANDINGS,
    POISONS,
    breath,
    burn,
    burn_class,
    decompression,
    dose,
    exposure_cost,
    fall,
    fall_class,
    landing,
    poisoned,
    without_air,
)
from rulewright.systems.foresight.resolution.tests import random_quality
from rulewright.systems.foresight.settings import BOOK

BODY = Patient("somebody", endurance=10)
AMYS_BODY = Patient.of(RULES, AMY)


@pytest.mark.parametrize(
    ("celsius", "clothing", "points"),
    [
        (60, "none", 60),
        (40, "none", 6),
        (40, "suitable", 3),
        (20, "none", 0),
        (0, "none", 6),
        (-30, "none", 60),
        (-30, "suitable", 15),
        (70, "climate control", 0),
    ],
)
def test_exposure_costs_stamina(celsius, clothing, points):  # 2730-2737
    assert exposure_cost(RULES, celsius, 60, clothing).value == points
    assert len(EXPOSURES(RULES)) == 4


def test_a_dose_of_venom():  # 2741: DC4
    assert script(dose(RULES, BODY, 4), [(1,), (1,)]).outcome.wounds == 2
    assert script(dose(RULES, BODY, 4), [(6,), (99,)]).outcome.stunned
    assert script(dose(RULES, AMYS_BODY, 4), [(1,), (1,)]).outcome.wounds == 2  # no armor helps
    assert script(dose(RULES, BODY, 4, "sleep"), [(99,)]).outcome.unconscious
    assert script(dose(RULES, BODY, 4, "paralysis"), [(99,)]).outcome.stunned
    assert script(dose(RULES, BODY, 4, "paralysis"), [(1,)]).outcome == BODY


def test_rattlesnake_venom_works_twelve_times_an_hour():  # 2741
    row = POISONS(RULES)["rattlesnake venom"]
    assert (row.dc, row.every_minutes, row.minutes) == (4, 5, 60)
    bitten = script(poisoned(RULES, BODY, doses=2), [(6,), (99,), (6,), (1,)]).outcome
    assert (bitten.wounds, bitten.stunned) == (2, False)
    assert exact(sub(poisoned, RULES, BODY, "rattlesnake venom", 3)).unsettled == 0
    with pytest.raises(UserError, match="doses"):
        play(poisoned(RULES, BODY, doses=100))


@pytest.mark.parametrize(("every", "stunned"), [(1, False), (0.5, True)])
def test_a_stun_wears_off_in_the_minute_between_two_doses(every, stunned):
    venom = {"poison": "cobra venom", "dc": 4, "every_minutes": every, "minutes": 10, "effect": "damage"}
    rules = BOOK.ruleset(house=House(tables={"fs-poison": {"cobra venom": venom}}))
    bitten = script(poisoned(rules, BODY, "cobra venom", doses=2), [(6,), (99,), (6,), (1,)]).outcome
    assert (bitten.wounds, bitten.stunned) == (2, stunned)


def test_a_breath():  # 2749
    assert breath(RULES, 7).value == 35
    assert breath(RULES, 7, prepared=True).value == 70


def test_without_air_endurance_is_rolled_every_five_seconds():  # 2749
    assert script(without_air(RULES, BODY, 50)).outcome == BODY
    assert script(without_air(RULES, BODY, 60), [(70,), (71,)]).outcome.unconscious
    assert not script(without_air(RULES, BODY, 60), [(70,), (70,)]).outcome.unconscious
    odds = exact(sub(without_air, RULES, BODY, 65))
    assert odds.chance(lambda after: not after.unconscious)[0] == pytest.approx(0.7**3)


def test_decompression_hits_the_chest_whatever_is_worn():  # 2755-2757
    out = script(decompression(RULES, AMYS_BODY), [(3,), (1,)]).outcome
    assert (out.wounds, out.hurt, out.covers) == (2, ("chest",), AMYS_BODY.covers)
    assert script(decompression(RULES, BODY, 55), [(6,), (1,), (61,)]).outcome.unconscious


@given(meters=floats(1, 100), gravity=floats(0.1, 3))
def test_a_fall_is_its_height_less_one(meters, gravity):  # 2765-2769
    assert fall_class(RULES, meters).value == pytest.approx(meters - 1)
    assert fall_class(RULES, meters, 2, gravity).value == pytest.approx((meters - 1) * 4 * gravity)


@pytest.mark.parametrize(
    ("technique", "qr", "meters"),
    [
        ("controlled fall", 1, 4),
        ("controlled fall", 4, 1),
        ("acrobatic landing", 3, 4),
        ("dive into water", 2, 9),
        ("dive into water", 7, 3),
        ("none", 7, 0),
    ],
)
def test_landings_take_meters_off(technique, qr, meters):  # 2771-2779
    assert landing(RULES, technique, qr).value == meters
    assert len(LANDINGS(RULES)) == 3


def test_failed_landings_may_be_ruled_by_the_formula():
    assert landing(under(failed_landing="formula"), "dive into water", 7).value == 4
    assert landing(under(failed_landing="formula"), "controlled fall", 7).value == 0
    assert landing(RULES, "none", soft=2).value == 2


def test_a_fall_hurts_somewhere_and_armor_does_not_help():
    fallen = script(fall(RULES, AMYS_BODY, 9), [(3,), (5,), (1,)]).outcome  # DC8 at QR3
    assert (fallen.wounds, fallen.hurt, fallen.covers) == (2, ("chest",), AMYS_BODY.covers)
    rolled = script(fall(RULES, BODY, 4.5, "acrobatic landing", 12, 5), [(30,)]).outcome  # QR3: 4 m off, half a meter left
    assert rolled == BODY
    assert script(fall(RULES, BODY, 0.5)).outcome == BODY
    with pytest.raises(UserError, match="meters"):
        play(fall(RULES, BODY, -1))


@pytest.mark.parametrize(("qr", "stuns"), [(1, True), (2, True), (3, True), (4, False)])
def test_a_fall_of_one_meter_may_stun(qr, stuns):  # 2645-2650, 2765: damage class 0 is S at QR1 to QR3
    face = next(n for n in range(1, 11) if script(random_quality(RULES), [(n,)]).outcome == qr)
    fallen = script(fall(RULES, BODY, 1), [(face,), (5,), *([(100,)] if stuns else [])]).outcome
    assert (fallen.wounds, fallen.stunned) == (0, stuns)
    landed = script(fall(RULES, BODY, 5, "acrobatic landing", 12, 5), [(30,), (face,), (5,), *([(100,)] if stuns else [])]).outcome
    assert landed.stunned == stuns  # QR3: 4 m off, 1 m left


@pytest.mark.parametrize(
    ("what", "engulfed", "brief", "dc"),
    [("camp fire", False, False, 1), ("napalm", True, False, 6), ("mains", False, True, 1.5), ("molten metal", False, False, 5)],
)
def test_burns(what, engulfed, brief, dc):  # 2785-2791
    assert burn_class(RULES, what, engulfed, brief).value == dc
    assert len(BURNS(RULES)) == 16


def test_burning_is_beam_damage_to_every_exposed_place():
    burnt = script(burn(RULES, BODY, "cutting torch", ("left arm", "right arm")), [(1,), (1,), (1,), (1,)]).outcome
    assert burnt.hurt == ("left arm", "right arm")
    assert burnt.wounds == 4  # 3, then 3 more to a limb counts 1
    shocked = script(burn(RULES, BODY, "mains", ("chest",)), [(2,), (90,)]).outcome
    assert shocked.heart_stopped  # 2793
    vest = script(burn(RULES, AMYS_BODY, "camp fire", ("chest",)), [(1,), (5,), (1,)]).outcome  # 1b against 1: DC0 at QR1 stuns
    assert vest.wounds == 0
    soaked = script(burn(RULES, AMYS_BODY, "camp fire", ("chest",), soaked=True), [(1,), (1,)]).outcome
    assert (soaked.wounds, soaked.covers) == (1, AMYS_BODY.covers)


@given(rounds=integers(1, 2))
def test_more_rounds_burn_more(rounds):
    one = exact(sub(burn, RULES, BODY, "blowtorch", ("left arm",), rounds)).mean(lambda after: after.wounds)
    assert one > 0


def test_a_fall_from_orbit_is_a_fall_and_no_slip_of_the_pen():
    after = script(fall(RULES, BODY, 10_000, gravity=3), [(1,), (5,)]).outcome
    assert after.dead
