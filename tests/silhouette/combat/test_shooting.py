"""Attacks from afar, aiming, ambushes, bursts, walking and saturation fire, endless ammunition (book lines 2303-2403, 5972-5980)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.combat.bursts import (
    Bystander,
    Walk,
    burst_margin,
    dare_to_move,
    enter_zone,
    saturate,
    spread,
    stray,
    walking_fire,
)
from rulewright.systems.silhouette.combat.ranged_attacks import (
    OFF_BALANCE,
    Circumstances,
    Exchange,
    Exposure,
    Firearm,
    Shot,
    attack_attribute,
    attack_pool,
    cannot_be_hit,
    defense_pool,
    exchange,
    hidden_target_modifier,
    notices,
    object_threshold,
    range_band,
    shoot,
    try_shot,
    unwary_threshold,
)
from rulewright.systems.silhouette.gear.ammunition import Burst, burst, endless_burst, loading, saturation_burst
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.called_shots import aimed_dice, size_of, vital_thresholds
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
BODY = Patient("Bo")


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def shot(attack, defense=None, **more):
    return Shot(attacker="Al", target="Bo", weapon="pistol", attack=attack, defense=defense, **more)


# --- dice ---------------------------------------------------------------------------------------------------------------------


def test_higher_hits_by_the_margin_and_a_tie_misses():  # lines 2309, 2317
    pistol = shot(Pool(2), Pool(2))
    assert script(exchange(PLAIN, pistol), [(5, 2), (3, 3)]).outcome == Exchange(2)
    assert script(exchange(PLAIN, pistol), [(5, 2), (5, 3)]).outcome == Exchange(0)
    assert script(exchange(PLAIN, pistol), [(2, 2), (5, 3)]).outcome == Exchange(0)


def test_fumbles_jam_the_weapon_and_trip_the_defender():  # line 2318
    pistol = shot(Pool(2), Pool(2))
    assert script(exchange(PLAIN, pistol), [(1, 1), (3, 3)]).outcome == Exchange(0, jammed=True)
    assert script(exchange(PLAIN, pistol), [(5, 1), (1, 1)]).outcome == Exchange(4, off_balance=True)
    assert OFF_BALANCE.value == -3
    assert script(exchange(PLAIN, replace(pistol, aimed=True)), [(1, 1), (3, 3)]).outcome == Exchange(0)


def test_a_shot_from_the_dice_to_the_wound():
    struck = script(shoot(PLAIN, shot(Pool(2), Pool(1), multiplier=15), BODY), [(5, 2), (3,), (6, 2)]).outcome
    assert (struck.hit, struck.margin, struck.victim.deep) == (True, 2, 1)
    burst_shot = shot(Pool(2), Pool(1), multiplier=15, burst=2)
    assert script(shoot(PLAIN, burst_shot, BODY), [(5, 2), (3,)]).outcome.victim.dead  # (2 + 2) x 15
    assert not script(shoot(PLAIN, burst_shot, BODY), [(3, 2), (3,)]).outcome.hit  # a burst does not help to hit


def test_what_is_added_to_an_attack():
    seen = Circumstances("medium range", ("poor light", "mildly intoxicated"), "walking", -2)
    pool = attack_pool(PLAIN, 3, 1, 1, seen)
    assert (pool.dice, pool.modifier) == (3, 1 + 1 - 1 - 1 - 1 - 1 - 2)
    assert {mod.label for mod in pool.mods} >= {"Agility", "Accuracy", "medium range", "poor light", "walking", "action penalty"}
    with pytest.raises(UserError, match="sprinting"):
        attack_pool(PLAIN, 3, 0, 0, Circumstances(pace="sprinting"))
    with pytest.raises(UserError, match="only one situation"):
        attack_pool(PLAIN, 3, 0, 0, Circumstances(situations=("poor light", "complete darkness")))


def test_the_attribute_behind_a_shot():  # lines 8156 and following: the skills' own descriptions
    found = [attack_attribute(PLAIN, skill) for skill in ("small arms", "heavy weapons", "archery", "throwing")]
    assert found == ["agility", "perception", "agility", "agility"]
    assert attack_attribute(PLAIN, "small arms", sniping=True) == "perception"
    assert [attack_attribute(PLAIN, "archery", band) for band in ("long range", "extreme range")] == ["agility", "perception"]


def test_what_is_added_to_a_defense():
    guard = defense_pool(PLAIN, 2, 1, Exposure(("light cover", "poor light"), "running", -1))
    assert (guard.dice, guard.modifier) == (2, 1 + 1 - 1 + 2 - 1)
    assert defense_pool(PLAIN, 2).modifier == -1  # standing still


def test_cover_weighs_on_shots_out_of_it_or_at_it():  # lines 2345-2348
    hidden = ("fully hidden by light cover",)
    assert attack_pool(PLAIN, 2, 0, 0, Circumstances(situations=hidden)).modifier == -1
    assert hidden_target_modifier(PLAIN, hidden).value == 0
    other = with_settings(cover_and_attack="shots at it")
    assert attack_pool(other, 2, 0, 0, Circumstances(situations=hidden)).modifier == 0
    assert hidden_target_modifier(other, hidden).value == -1
    assert cannot_be_hit(PLAIN, ("fully hidden by heavy cover",))
    assert not cannot_be_hit(PLAIN, ("heavy cover",))


def test_nobody_is_hit_behind_full_heavy_cover():
    wall = shot(Pool(5), Pool(1), safe=True)
    assert all(not came.margin for came, _ in exact(lambda: exchange(PLAIN, wall)))


def test_ranges_double():  # lines 2330-2334, each band twice the one before
    bands = [range_band(PLAIN, metres, 6) for metres in (0, 2, 2.5, 6, 6.1, 12, 24, 24.5, 48)]
    short, medium, far = ["short range"], ["medium range"], ["long range"]
    assert bands == ["point blank"] * 2 + short * 2 + medium * 2 + far + ["extreme range"] * 2
    with pytest.raises(UserError, match="extreme range ends"):
        range_band(PLAIN, 48.1, 6)
    assert range_band(with_settings(point_blank=4), 4, 6) == "point blank"
    with pytest.raises(UserError, match="minimum range is 150"):
        range_band(PLAIN, 100, 150, 150)


def test_weapons_of_the_tables():
    smg = Firearm.of(PLAIN, "medium smg")
    assert (smg.skill, smg.damage, smg.short, smg.rof, smg.ammo) == ("small arms", 18, 25, 2, 30)
    assert Firearm.of(PLAIN, "crossbow").reload == 3
    assert Firearm.of(PLAIN, "chaingun").ammo is None
    assert Firearm.of(PLAIN, "taser pistol").bruises
    assert [loading(rof) for rof in (2, 0, -1, -3)] == [0, 0, 1, 3]
    with pytest.raises(UserError, match="cannot shoot"):
        Firearm.of(PLAIN, "club")


# --- aiming -------------------------------------------------------------------------------------------------------------------


def test_aiming_adds_dice_and_small_marks_take_them():  # lines 2354-2364
    assert [aimed_dice(PLAIN, 2, rounds) for rounds in (0, 1, 2, 3)] == [2, 3, 4, 4]
    assert aimed_dice(PLAIN, 0, 3) == 0
    assert [aimed_dice(PLAIN, 3, 0, size) for size in ("none", "torso", "limb", "head", "finger")] == [3, 2, 1, 0, -1]
    assert aimed_dice(PLAIN, 3, 2, "head") == 2
    assert [size_of(PLAIN, spot) for spot in ("torso", "left arm", "head", "throat")] == ["torso", "limb", "head", "finger"]
    assert vital_thresholds(13, 25, 50) == (7, 13, 25)
    with pytest.raises(UserError, match="cannot aim while walking"):
        attack_pool(PLAIN, 2, 0, 0, Circumstances(pace="walking", aim=1))
    with pytest.raises(UserError, match="cannot aim a burst"):
        script(shoot(PLAIN, shot(Pool(2), Pool(1), burst=1, location="head"), BODY))


def test_too_few_dice_are_rolled_unskilled_and_a_fumble_there_is_ignored_too():
    blind = shot(attack_pool(PLAIN, 2, 2, 0, Circumstances(size="head")), Pool(1), aimed=True)
    assert blind.attack.dice == -1
    assert script(exchange(PLAIN, blind), [(5, 3), (2,)]).outcome == Exchange(3)  # lower of two, and Agility
    assert script(exchange(PLAIN, blind), [(5, 1), (2,)]).outcome == Exchange(0)  # worth 1, but nothing jams


def test_emergency_dice_on_a_shot_that_fell_to_unskilled():
    blind = shot(Pool(-1).with_emergency(2), Pool(1))
    assert script(exchange(PLAIN, blind), [(2, 5, 6, 6), (1,)]).outcome == Exchange(6, off_balance=True)  # 2 joins 6 and 6: 7
    assert script(exchange(PLAIN, blind), [(1, 5, 1, 1), (3,)]).outcome == Exchange(0, jammed=True)
    assert not script(exchange(PLAIN, blind), [(1, 5, 2, 1), (3,)]).outcome.jammed


# --- the unwary ---------------------------------------------------------------------------------------------------------------


def test_the_unwary_are_hit_against_one_and_their_modifiers():  # lines 2313-2314
    assert unwary_threshold(PLAIN) == 0  # stands still
    assert unwary_threshold(PLAIN, "walking") == 1
    assert unwary_threshold(PLAIN, "running", ("light cover", "poor light")) == 4  # light is not the target's own doing
    assert unwary_threshold(PLAIN, "climbing") == 0
    assert object_threshold(PLAIN, 2) == 3
    still = shot(Pool(2), None, threshold=1)
    assert script(exchange(PLAIN, still), [(4, 2)]).outcome == Exchange(3)
    assert script(exchange(PLAIN, replace(still, threshold=4)), [(4, 2)]).outcome == Exchange(0)  # a tie misses
    bigger = with_settings(dice="d8")
    assert script(exchange(bigger, replace(still, threshold=4)), [(7, 2)]).outcome == Exchange(2)  # 4 is 5 on d8


def test_an_ambush_is_noticed_or_not():
    notice, stealth = Side(Pool(2), "notice"), Side(Pool(2), "stealth")
    assert script(notices(PLAIN, notice, stealth), [(5, 2), (4, 2)]).outcome.verdict == "success"
    assert script(notices(PLAIN, notice, stealth), [(4, 2), (4, 2)]).outcome.verdict == "draw"
    far = script(notices(PLAIN, notice, stealth, "long range", ("poor light",)), [(6, 2), (4, 2)]).outcome
    assert far.margin == 6 - (4 + 3)
    other = with_settings(ambush_modifiers="hinder who hides")
    assert script(notices(other, notice, stealth, "long range", ("poor light",)), [(6, 2), (4, 2)]).outcome.margin == 6 - 1


# --- exact odds of a whole attack ---------------------------------------------------------------------------------------------

VARIANTS = {
    "gritty": {"reality": "gritty"},
    "gritty, all sixes": {"reality": "gritty", "gritty_emergency_dice": "all sixes"},
    "adventurous": {},
    "cinematic": {"reality": "cinematic"},
    "cinematic, as printed": {"reality": "cinematic", "cinematic_dice": "table"},
    "equal highest": {"multiples": "highest"},
    "equal dice": {"multiples": "any"},
    "d8": {"dice": "d8"},
    "d10": {"dice": "d10", "margin_limit": True, "weaker_weapons": True},
}


def by_hand(variant, dice, own, hero=True):
    """The result of faces, read by hand; `own` of them are the pool's, the others are Emergency Dice."""
    top = {"d8": 8, "d10": 10}.get(variant, 6)
    high = max(dice)
    if high == 1:
        return 1
    if variant == "equal highest":
        return high + dice.count(high) - 1
    if variant == "equal dice":
        return max(face + dice.count(face) - 1 for face in dice)
    if variant == "gritty" or (variant == "gritty, all sixes" and len(dice) == own):
        sixes = min(1, dice[:own].count(top)) + dice[own:].count(top)
        return high + max(0, sixes - 1)
    if variant.startswith("cinematic") and hero:
        if high < top - 1:
            return high
        if variant == "cinematic":
            return high + sum(face >= top - 1 for face in dice) - 1
        return high + max(0, dice.count(top) - 1) + max(0, dice.count(top - 1) - 1)
    return high + max(0, dice.count(top) - 1)


@cache
def counted(variant, pool):
    """Every roll of a pool, one by one: total and fumble, and how many rolls gave it."""
    top = {"d8": 8, "d10": 10}.get(variant, 6)
    own = max(1, pool.dice)
    found = Counter()
    for faces in product(range(1, top + 1), repeat=(pool.dice if pool.dice > 0 else 2) + pool.emergency):
        read = faces if pool.dice > 0 else (min(faces[:2]), *faces[2:])
        height = by_hand(variant, read, own, pool.hero)
        modifier = 0 if pool.dice <= 0 and height == 1 else pool.modifier
        found[max(0, height + modifier), height == 1] += 1
    return found


def expected(variant, attack, defense, multiplier, body, burst=0):
    """The chances of every wound, jam and slip by counting all rolls of both sides."""
    found = Counter()
    faces = counted(variant, attack).total() * counted(variant, defense).total()
    for (total, jam), ways in counted(variant, attack).items():
        for (held, slip), others in counted(variant, defense).items():
            margin = max(0, total - held)
            if variant == "d10":
                margin = min(10, margin + burst if margin else 0)
                points = -(-multiplier * 3 // 5) * margin
            else:
                points = multiplier * (margin + burst if margin else 0)
            wound = "none"
            for name, threshold in (("flesh", body.flesh_threshold), ("deep", body.deep_threshold), ("dead", body.death_threshold)):
                wound = name if points >= threshold else wound
            found[wound, jam, slip] += Fraction(ways * others, faces)
    return found


POOLS = (
    Pool(1),
    Pool(2, (Mod("x", -1),)),
    Pool(3, (Mod("x", 1),), 0, False),
    Pool(0, (Mod("x", 2),)),
    Pool(-1, (), 2),
    Pool(2, (), 2),
    Pool(3),
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_attack_against_counting_every_roll(variant):
    rules = with_settings(**VARIANTS[variant])
    body = replace(BODY, health=30)  # nobody is knocked out: the dice of the shot are what is counted
    for attack in POOLS:
        for defense in (Pool(2, (Mod("x", -1),)), Pool(0), Pool(1, (), 1)):
            came = Counter()
            odds = exact(lambda a=attack, d=defense: shoot(rules, shot(a, d, multiplier=12, burst=1), body))
            for struck, weight in odds:
                hurt = struck.victim
                wound = "dead" if hurt.dead else "deep" if hurt.deep else "flesh" if hurt.flesh else "none"
                coma = hurt.coma  # a double 1 on the Health test is the only knockout left; both fall together here
                came[wound, struck.jammed, struck.off_balance] += Fraction(weight, odds.total)
                assert not (coma and wound == "none")
            assert came == expected(variant, attack, defense, 12, body, 1)


def test_five_dice_a_side_against_counting_every_roll():
    for variant in ("gritty", "adventurous", "cinematic"):
        rules = with_settings(**VARIANTS[variant])
        attack, defense = Pool(5, (Mod("x", -2),)), Pool(4)
        odds = exact(lambda r=rules, a=attack, d=defense: exchange(r, shot(a, d)))
        margins = Counter()
        for (total, jam), ways in counted(variant, attack).items():
            for (held, slip), others in counted(variant, defense).items():
                margins[Exchange(max(0, total - held), jam, slip)] += ways * others
        assert {came: Fraction(weight, odds.total) for came, weight in odds} == {
            came: Fraction(ways, margins.total()) for came, ways in margins.items()
        }


@pytest.mark.parametrize(("variant", "own", "others"), [("adventurous", 7, 6), ("cinematic", 6, 8), ("equal highest", 7, 6), ("d10", 6, 6)])
def test_larger_pools_against_icepool(variant, own, others):
    rules = with_settings(**VARIANTS[variant])
    die = icepool.d({"d8": 8, "d10": 10}.get(variant, 6))

    def totals(dice):
        found = Counter()
        for faces, ways in die.pool(dice).expand().items():
            found[by_hand(variant, tuple(faces), dice)] += ways
        return icepool.Die(found)

    margin = (totals(own) - totals(others)).map(lambda difference: max(0, difference))
    odds = exact(lambda: exchange(rules, shot(Pool(own), Pool(others)))).map(lambda came: came.margin)
    for value in range(8):
        assert odds[value] == Fraction(margin.probability("==", value))


@given(st.integers(-2, 4), st.integers(-2, 4), st.integers(-3, 3), st.integers(0, 2))
@settings(max_examples=40)
def test_a_modifier_never_hurts_who_has_it(dice, other, modifier, emergency):
    def hits(plus):
        pool = Pool(dice, (Mod("x", modifier + plus),), emergency)
        return exact(lambda: exchange(PLAIN, shot(pool, Pool(other)))).chance(lambda came: came.margin > 0)[0]

    assert hits(1) >= hits(0)


def test_in_numbers():
    pistol = Firearm.of(PLAIN, "heavy pistol")
    came = script(try_shot(PLAIN, 3, weapon=pistol, metres=10, defense=2, victim=BODY), [(6, 6, 1), (3, 2)]).outcome
    assert came.outcome == "death"  # 7 - 1 at medium range, against 3 - 1 standing still: 4 x 24
    with pytest.raises(UserError, match="bursts of 0 to 0"):
        script(try_shot(PLAIN, 3, weapon=pistol, burst=1))
    cinema, thug = with_settings(reality="cinematic"), replace(BODY, hero=False)
    assert script(try_shot(cinema, 1, defense=2, victim=thug), [(6,), (5, 5), (4, 4)]).outcome.outcome == "deep wound"  # 6 against 5 - 1
    assert script(try_shot(cinema, 1, defense=2, victim=BODY), [(6,), (5, 5), (4, 4)]).outcome.outcome == "flesh wound"  # 6 against 6 - 1
    hidden = Exposure(("fully hidden by heavy cover",))
    odds = exact(lambda: try_shot(PLAIN, 3, weapon=pistol, exposure=hidden))
    assert {came.outcome for came, _ in odds} == {"nothing"}
    assert hit_outcome(BODY, BODY) == "nothing"


# --- bursts -------------------------------------------------------------------------------------------------------------------


def test_ammunition_for_a_burst():  # lines 2376-2377
    assert burst(PLAIN, 3, 3, 40) == Burst(3, 15)
    assert burst(PLAIN, 3, 3, 7) == Burst(2, 7)  # the book's own seven rounds
    assert burst(PLAIN, 1, 3, 7) == Burst(1, 5)
    assert burst(PLAIN, 3, 3, 5) == Burst(1, 5)
    assert burst(PLAIN, 0, 3, 7) == Burst(0, 1)
    assert burst(PLAIN, 2, 2, None) == Burst(2, 10)
    with pytest.raises(UserError, match="at least 5"):
        burst(PLAIN, 1, 3, 4)
    with pytest.raises(UserError, match="rate of fire is 0 to 2"):
        burst(PLAIN, 3, 2, 40)
    with pytest.raises(UserError, match="empty"):
        burst(PLAIN, 0, 3, 0)
    assert burst(PLAIN, 0, 0, 36, Firearm.of(PLAIN, "laser pistol, high").shots) == Burst(0, 9)
    with pytest.raises(UserError, match="needs 9"):
        burst(PLAIN, 0, 0, 8, 9)
    assert [burst_margin(PLAIN, margin, 2).value for margin in (-1, 0, 1)] == [0, 0, 3]


@given(st.integers(1, 6), st.integers(5, 60))
@settings(max_examples=60)
def test_a_short_magazine_is_emptied(rof, left):
    used = burst(PLAIN, rof, 6, left)
    assert used.shots == min(left, 5 * rof)
    assert 5 * (used.rof - 1) < used.shots <= 5 * used.rof


def test_walking_fire_spreads():  # lines 2384-2386
    assert spread(PLAIN, 3, (1, 1)) == Walk(3, 1)
    assert spread(PLAIN, 3, (2,)) == Walk(3, 1)  # the metre between takes a place, and costs one of the rate (ruling)
    assert spread(with_settings(walking_fire_gaps="cost targets only"), 3, (2,)) == Walk(3, 2)
    assert spread(PLAIN, 2, ()) == Walk(1, 2)
    with pytest.raises(UserError, match="covers 3 metres"):
        spread(PLAIN, 2, (1, 1, 1))
    with pytest.raises(UserError, match="at least"):
        spread(PLAIN, 0, ())


def test_walking_fire_on_two_and_somebody_in_the_way():  # lines 2380-2388
    shots = (shot(Pool(2), Pool(1), multiplier=10), replace(shot(Pool(2), Pool(1), multiplier=10), target="Cy"))
    bodies = (BODY, Patient("Cy"))
    passer = Bystander("Di", Pool(1), Patient("Di"))
    faces = [(6, 3, 2), (4,), (6, 6), (5, 1), (3,), (6, 6), (2, 2), (4,)]
    came = script(walking_fire(PLAIN, shots, bodies, 2, 10, (1,), (passer,)), faces).outcome
    assert (came.bystanders[0].margin, came.bystanders[0].victim.flesh) == (2, 1)  # three dice against one: 2 x 10
    assert (came.targets[0].margin, came.targets[0].victim.deep) == (3, 1)  # 2 and the 1 that is left of the burst
    assert not came.targets[1].hit
    assert came.hits == 2


def test_nobody_favors_stray_shots():
    cinema = with_settings(reality="cinematic")
    passer = Bystander("Di", None, Patient("Di"), 0)
    came = script(stray(cinema, shot(Pool(2), Pool(1), multiplier=2), 2, passer), [(5, 5, 6)]).outcome
    assert came.margin == 6  # a hero would have 8


def test_no_more_hits_than_shots():
    shots = (shot(Pool(2), Pool(1), multiplier=10),)
    passer = Bystander("Di", None, Patient("Di"))
    came = script(walking_fire(PLAIN, shots, (BODY,), 1, 1, (), (passer,)), [(4, 2), (6, 6)]).outcome
    assert came.bystanders[0].hit
    assert not came.targets[0].hit
    assert not script(stray(PLAIN, shots[0], 1, passer, 0)).outcome.hit
    with pytest.raises(UserError, match="twice in a round"):
        script(walking_fire(PLAIN, shots * 2, (BODY, BODY), 2, 10))
    with pytest.raises(UserError, match="a body for each"):
        script(walking_fire(PLAIN, shots, (), 2, 10))


def test_where_no_gaps_are_given_the_targets_are_neighbours():  # line 2382: a metre apart
    shots = (shot(Pool(2), Pool(1), multiplier=10), replace(shot(Pool(2), Pool(1), multiplier=10), target="Cy"))
    bodies = (BODY, Patient("Cy"))
    faces = [(5, 1), (3,), (6, 6), (2, 2), (4,)]
    assert (
        script(walking_fire(PLAIN, shots, bodies, 1, 10), faces).outcome
        == script(walking_fire(PLAIN, shots, bodies, 1, 10, (1,)), faces).outcome
    )


def test_saturation_fire():  # lines 2394-2403
    zone = script(saturate(PLAIN, Pool(2), 2), [(5, 3)]).outcome
    assert (zone.threshold, zone.width, zone.jammed) == (7, 5, False)
    wide = script(saturate(PLAIN, Pool(2), 2, True), [(5, 3)]).outcome
    assert (wide.threshold, wide.width) == (4, 10)  # half of 7, rounded up
    with pytest.raises(UserError, match="reaches medium range"):
        script(saturate(PLAIN, Pool(2), 1, metres=20, medium=12))
    hit = script(enter_zone(PLAIN, 7, 10, Pool(2), BODY), [(5, 3), (6, 6)]).outcome
    assert (hit.margin, hit.victim.flesh) == (2, 1)  # 2 x 10
    assert not script(enter_zone(PLAIN, 7, 10, Pool(2), BODY), [(6, 6)]).outcome.hit  # a tie is safe
    assert script(dare_to_move(PLAIN, 1, 2), [(3, 2)]).outcome.verdict == "draw"  # Willpower against 2 + 2


def test_ammunition_for_saturation_fire():  # line 2402
    assert saturation_burst(PLAIN, 2, 3, 100) == Burst(2, 40)
    assert saturation_burst(PLAIN, 3, 3, 30) == Burst(2, 30)
    assert saturation_burst(PLAIN, 3, 3, 10) == Burst(1, 10)
    with pytest.raises(UserError, match="at least 10"):
        saturation_burst(PLAIN, 1, 3, 9)
    with pytest.raises(UserError, match="rate of fire of 1 to 3"):
        saturation_burst(PLAIN, 0, 3, 100)


# --- endless ammunition -------------------------------------------------------------------------------------------------------


def test_endless_ammunition_belongs_to_the_cinema():  # lines 5974-5980
    woo = with_settings(reality="cinematic", woo_factor=True)
    assert burst(with_settings(woo_factor=True), 3, 3, 40) == Burst(3, 15)
    assert burst(woo, 3, 3, 0) == Burst(3, 0)
    assert saturation_burst(woo, 3, 3, 0) == Burst(3, 0)
    assert endless_burst(woo, 6, 1, 2) == (5, False)
    assert endless_burst(woo, 3, 4, 2) == (5, True)  # the dice came to 1
    assert endless_burst(woo, 1, 4, 0) == (5, False)
    spray = shot(Pool(2, (Mod("x", 1),)), Pool(1), burst=2, multiplier=10)
    assert script(exchange(woo, spray), [(5, 4), (2,)]).outcome == Exchange(5 - 2 + 1 - 2)
    assert script(exchange(woo, spray), [(3, 2), (1,)]).outcome == Exchange(1, True, True)
    assert script(exchange(woo, replace(spray, burst=1)), [(5, 4), (2,)]).rolls[0].roll.reading.modifier == 0  # the bare dice
    assert script(exchange(woo, replace(spray, burst=0)), [(1, 1), (3,)]).outcome.jammed
    assert script(shoot(woo, spray, BODY), [(6, 4), (2,), (6, 6)]).outcome.margin == 3  # no bonus on top
    usual = with_settings(reality="cinematic", woo_factor=True, woo_bursts="usual bonus")
    assert script(shoot(usual, spray, BODY), [(6, 4), (2,)]).outcome.margin == 5


@pytest.mark.parametrize(("rof", "faces", "came"), [(1, (1, 5), 0), (2, (1, 5), 0), (2, (4, 5), 5)])
def test_an_unskilled_fumble_with_a_burst_on_endless_ammunition_has_no_modifiers(rof, faces, came):
    woo = with_settings(reality="cinematic", woo_factor=True)
    spray = shot(Pool(0, (Mod("x", 3),)), threshold=0, burst=rof, multiplier=1)
    played = script(exchange(woo, spray), [faces])
    (told,) = played.events
    cost = Mod("burst", -rof, "sil-6.4.1-woo-factor")
    assert (played.outcome.margin, told.attack.total) == (came, came)
    assert told.pool == (Pool(1, (cost,)) if 1 in faces else spray.attack.plus(cost))


def test_a_burst_walked_over_several_costs_its_whole_rate_on_endless_ammunition():
    woo = with_settings(reality="cinematic", woo_factor=True)
    shots = (shot(Pool(2), Pool(1), multiplier=1), replace(shot(Pool(2), Pool(1), multiplier=1), target="Cy"))
    came = script(walking_fire(woo, shots, (BODY, Patient("Cy")), 2, 10), [(6, 4), (3,), (3, 2), (2,)]).outcome
    assert (came.targets[0].margin, came.targets[1].jammed) == (1, True)  # 6 - 2 against 3; 3 - 2 is empty


def test_a_weapon_beyond_its_user_weighs_on_the_shot():  # lines 531-538
    odd = Firearm("blaster", complexity=3)

    def roll(settings=PLAIN, complexity=1, weapon=odd):
        return script(try_shot(settings, 2, weapon=weapon, complexity=complexity), [(3, 2), (6,)]).rolls[0].roll.reading.modifier

    assert (roll(), roll(complexity=2), roll(complexity=4), roll(weapon=Firearm())) == (-2, -1, 0, 0)
    assert roll(with_settings(tool_complexity_against_others="in full"), 4) == 1
    assert roll(with_settings(tool_complexity_against_others="ignored")) == 0
