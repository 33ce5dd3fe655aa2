"""Throwing, where things land, and grenades (book lines 2404-2452)."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.combat.throws import (
    Blast,
    Caught,
    Landing,
    Missile,
    caught_at,
    caught_in_blast,
    explode,
    ground_threshold,
    hands_needed,
    lob,
    throw,
    throw_at,
    throwing_band,
    thrown_multiplier,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
BODY = Patient("Bo")


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def test_how_far_things_fly():  # lines 2406, 2418-2434
    assert throwing_band(PLAIN, 5) == "short range"
    assert throwing_band(PLAIN, 10) == "medium range"
    assert throwing_band(PLAIN, 40) == "extreme range"
    assert throwing_band(PLAIN, 3, 1, 2) == "short range"
    assert throwing_band(PLAIN, 6, 1, 1.5) == "medium range"
    assert throwing_band(PLAIN, 1, -3, 5) == "short range"
    with pytest.raises(UserError, match="one metre at most"):
        throwing_band(PLAIN, 2, -3, 5)
    with pytest.raises(UserError, match="extreme range ends"):
        throwing_band(PLAIN, 41)


def test_hands_and_damage():  # lines 2406, 2416
    assert hands_needed(PLAIN, 15, 80) == 1
    assert hands_needed(PLAIN, 20.5, 80) == 2
    assert hands_needed(PLAIN, 20, 80) == 1
    assert hands_needed(PLAIN, 60, build=0) == 2
    assert thrown_multiplier(1, 5).value == 6
    assert thrown_multiplier(0.4, 5, 2).value == 8
    assert thrown_multiplier(3, 5).value == 8
    javelin = Missile.of(PLAIN, "javelin", 2)
    assert (javelin.bonus, javelin.short, javelin.nature) == (6, 9, "stabbing")
    assert Missile.of(PLAIN, "knife").accuracy == -1
    assert Missile.of(PLAIN, "bola").kilograms == javelin.kilograms == 0  # their weight is in their damage
    with pytest.raises(UserError, match="not made to be thrown"):
        Missile.of(PLAIN, "maul")


def test_equal_or_higher_lands_on_the_mark():  # line 2408: here a tie hits
    assert ground_threshold(PLAIN) == 1
    assert ground_threshold(with_settings(spot_threshold=0)) == 0
    assert script(throw(PLAIN, Pool(2), None, 0), [(2, 1)]).outcome == Landing(True, 2)
    assert script(throw(PLAIN, Pool(2), Pool(2)), [(4, 1), (4, 2)]).outcome == Landing(True, 0)
    assert script(throw(PLAIN, Pool(2), Pool(2)), [(4, 1), (6, 2), (3,)]).outcome == Landing(False, -2, 2, 120)
    assert script(throw(PLAIN, Pool(2), Pool(2)), [(1, 1), (4, 2)]).outcome == Landing(False, -3, 3, 180, True)  # back, without a die
    assert script(throw(PLAIN, Pool(2), None, 0, at="Bo"), [(1, 1)]).outcome == Landing(True, 1, fumble=True)  # hits all the same


def test_a_fumble_at_a_spot_deviates_by_a_metre_at_least():  # lines 2412-2414
    assert script(throw(PLAIN, Pool(2), None, 0), [(1, 1)]).outcome == Landing(False, -1, 1, 180, True)
    by_margin = with_settings(fumbled_throws="by the margin")
    assert script(throw(by_margin, Pool(2), None, 0), [(1, 1)]).outcome == Landing(True, 1, fumble=True)


def test_a_grenade_can_miss_its_spot():  # lines 2408-2414: with a Threshold of 0 no malus whatever made anybody miss
    hopeless = exact(lambda: lob(PLAIN, Pool(1, (Mod("far", -12),))))
    assert not any(came.landing.on_target for came, _ in hopeless)
    fumbled = [came.landing for came, _ in exact(lambda: lob(PLAIN)) if came.landing.fumble]
    assert fumbled
    assert {(landing.direction, landing.metres) for landing in fumbled} == {(180, 1)}


def test_a_throw_that_ties_is_told_as_on_target_and_makes_its_sum():
    played = script(throw_at(PLAIN, Pool(2, (Mod("far", -1),)), Pool(1), 0, 7, BODY), [(5, 2), (4,)])
    assert played.events[0].headline() == "the thrower throws and hits Bo without force"
    hit = script(throw_at(PLAIN, Pool(2, (Mod("far", -1),)), Pool(1), 0, 7, BODY), [(5, 2), (1,), (6, 6)]).events[0]
    assert "by 3" in hit.headline()
    assert [(reason.label, reason.value) for reason in hit.reasons()] == [("throw", 4), ("defense", 1), ("damage", 21)]
    assert [(term.label, term.value) for term in hit.reasons()[0].terms] == [("dice", 5), ("far", -1)]


def test_who_is_fully_hidden_is_neither_hit_nor_told_to_be():
    played = script(throw_at(PLAIN, Pool(3), None, 0, 30, BODY, safe=True), [(6, 6, 6)])
    assert played.outcome.victim == BODY
    assert [event.headline() for event in played.events] == ["the thrower throws at Bo and misses: the target is fully hidden"]


@pytest.mark.parametrize(("place", "metres"), [((6, 9), 5), ((0, 1), 5), ((3, 5), 0), ((4, 5), 1), ((4, 6), 1.414)])
def test_whoever_is_caught_by_a_blast_is_as_far_from_it_as_they_stand(place, metres):
    one = Caught(BODY, 99, None, 3)
    assert caught_at(one, place, (3, 5)) == Caught(BODY, metres, None, 3)


def test_directions_go_clockwise_in_sixths():  # lines 2412-2414
    turned = [script(throw(PLAIN, Pool(1), None, 6), [(4,), (face,)]).outcome for face in range(1, 7)]
    assert [each.direction for each in turned] == [0, 60, 120, 180, 240, 300]
    ahead, right = turned[0].point((0, 0), (0, 10)), turned[1].point((0, 0), (0, 10))
    assert ahead == pytest.approx((0, 12))
    assert right == pytest.approx((2 * 0.8660254, 11))
    assert turned[3].point((0, 0), (0, 10)) == pytest.approx((0, 8))
    back = Landing(False, -4, 4, 180, True)
    assert back.point((0, 0), (30, 40)) == pytest.approx((27.6, 36.8))
    assert Landing(True).point((0, 0), (3, 4)) == (3, 4)


@pytest.mark.parametrize(("direction", "off"), [(0, (3, 4)), (90, (4, -3)), (180, (-3, -4)), (270, (-4, 3))])
def test_directions_are_seen_from_where_the_thrower_stands(direction, off):  # lines 2412-2414
    landed = Landing(False, -5, 5, direction).point((20, 10), (26, 18))
    assert landed == pytest.approx((26 + off[0], 18 + off[1]))
    assert Landing(False, -5, 5, direction).point((26, 18), (26, 18))[1] == pytest.approx({0: 23, 180: 13}.get(direction, 18))


@given(st.integers(0, 6), st.floats(-50, 50), st.floats(-50, 50), st.integers(1, 8))
@settings(max_examples=60)
def test_what_deviates_lands_so_far_from_the_mark(sixth, east, north, metres):
    at = Landing(False, -metres, metres, 60 * (sixth % 6)).point((0, 0), (east, north))
    assert ((at[0] - east) ** 2 + (at[1] - north) ** 2) ** 0.5 == pytest.approx(metres)


def test_a_stone_at_somebody():
    came = script(throw_at(PLAIN, Pool(2), Pool(1), 0, 7, BODY), [(5, 2), (3,), (6, 6)]).outcome
    assert (came.landing.margin, came.victim.flesh) == (2, 1)
    assert script(throw_at(PLAIN, Pool(2), Pool(1), 0, 7, BODY), [(3, 2), (3,)]).outcome.victim == BODY


def test_the_odds_of_a_throw_by_counting():
    odds = exact(lambda: throw(PLAIN, Pool(2), Pool(1)))
    counted = Counter()
    for a in range(1, 7):
        for b in range(1, 7):
            for d in range(1, 7):
                total = 7 if a == b == 6 else max(a, b)
                off = max(0, d - total)
                if not off:
                    counted["on"] += 6
                elif a == b == 1:
                    counted["back", off] += 6
                else:
                    for face in range(6):
                        counted[60 * face, off] += 1
    came = Counter()
    for landing, weight in odds:
        key = "on" if landing.on_target else ("back" if landing.fumble else landing.direction, landing.metres)
        came[key] += Fraction(weight, odds.total)
    assert came == {key: Fraction(ways, 6**4) for key, ways in counted.items()}


# --- grenades -----------------------------------------------------------------------------------------------------------------


def test_who_is_in_reach_of_which_part():  # lines 2447, 8117-8119
    frag = Blast.of(PLAIN, "fragmentation grenade")
    assert frag.multipliers(0) == (26, 14)
    assert frag.multipliers(8) == (26, 14)
    assert frag.multipliers(8.1) == (14,)
    assert frag.multipliers(30.1) == ()
    assert Blast.of(PLAIN, "concussion").multipliers(9) == (30,)
    assert Blast.of(PLAIN, "concussion").multipliers(9.1) == ()


def test_timing_against_defense():
    frag = Blast("test", 10, 5, 6, 20)
    near, far = Caught(BODY, 2, Pool(1)), Caught(Patient("Cy"), 12, Pool(1))
    came = script(explode(PLAIN, Pool(2), frag, (near, far)), [(6, 3), (4,), (6, 6), (4,)]).outcome
    assert (came.timing, came.dud, came.defended) == (6, False, ("Bo", "Cy"))
    assert (came.victims[0].flesh, came.victims[0].deep) == (1, 0)  # 2 x 10 is a wound, 2 x 6 is not
    assert came.victims[1] == far.victim  # 6 against 4 + 1: 1 x 6
    worse = script(explode(PLAIN, Pool(2), frag, (near,)), [(5, 2), (1,), (6, 6), (6, 6)]).outcome
    assert (worse.victims[0].flesh, worse.victims[0].deep) == (1, 1)  # 4 x 10 and 4 x 6


def test_each_multiplier_is_a_hit_of_its_own():
    twice = script(caught_in_blast(PLAIN, 5, Blast("test", 13, 5, 13, 20), Caught(BODY, 1, Pool(1))), [(4,), (6, 6), (6, 6)]).outcome
    assert (twice.flesh, twice.deep) == (2, 0)  # 13 and 13, not 26 at once
    assert script(caught_in_blast(PLAIN, 4, Blast("test", 13, 5, 13, 20), Caught(BODY, 1, Pool(1))), [(4,)]).outcome == BODY


def test_the_unaware_do_not_defend():
    unaware = Caught(BODY, 1, None, 1)
    came = script(explode(PLAIN, Pool(1), Blast("test", 13, 5, 0, 0), (unaware,)), [(2,), (6, 6)]).outcome
    assert came.victims[0].flesh == 1
    assert came.defended == ()
    assert script(caught_in_blast(PLAIN, 9, Blast(), Caught(BODY, 31, Pool(3)))).outcome == BODY


def test_duds():  # line 2451
    dud = script(explode(PLAIN, Pool(2), Blast(), (Caught(BODY, 1),)), [(1, 1)]).outcome
    assert dud.dud
    assert dud.victims == (BODY,)
    keen = with_settings(dud_grenades=False)
    assert not script(explode(keen, Pool(2), Blast("test", 13, 5, 0, 0), (Caught(BODY, 1, None, 0),)), [(1, 1), (6, 6)]).outcome.dud


def test_two_rolls_of_the_same_dice():  # lines 2445-2447
    people = ((Caught(BODY, 0, Pool(1)), (0.0, 10.0)), (Caught(Patient("Cy"), 0, Pool(1)), (0.0, 60.0)))
    came = script(lob(PLAIN, Pool(2), Blast("test", 13, 5, 6, 20), people=people), [(3, 1), (5, 2), (4,), (6, 6)]).outcome
    assert came.landing.on_target
    assert came.blast.victims[0].flesh == 1
    assert came.blast.victims[1] == Patient("Cy")
    assert came.blast.defended == ("Bo",)
    assert replace(BODY, flesh=1) == came.blast.victims[0]


def test_throws_stay_behind_the_screen_too():
    hidden = BOOK.ruleset(settings={"running-tests": "behind the screen"})
    assert [each.roll.secret for each in script(throw(hidden, Pool(2), Pool(1)), [(5, 2), (3,)]).rolls] == [True, True]
