"""Fatigue, stances, Skill Applications, Command Points, Special Effects, acting tough (book lines 2585-2610, 5994-6108, 6947-6957)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.combat.command import (
    Member,
    defense_bonus,
    form_group,
    give_orders,
    hand_out,
    leadership_pool,
    may_use_tactical,
    new_round,
    spend,
    tactical_points,
)
from rulewright.systems.silhouette.combat.effects import Stunts, act_tough, after_the_fight, special_effect, villain_effect, with_stunt
from rulewright.systems.silhouette.combat.stances import defends_openly, focus, in_stance, stance_dice
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.fatigue import Weariness, collapses, fatigue_penalty, rest, rested, short_fight, strain, tire
from rulewright.systems.silhouette.resolution.applications import Applied, Use, applied, apply, deceived, effect, may_apply
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, reading
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


TIRING = with_settings(fatigue=True)
STYLISH = with_settings(stances=True, skill_applications=True, command_points=True)
CINEMA = with_settings(reality="cinematic", special_effects=True)


# --- fatigue ------------------------------------------------------------------------------------------------------------------


def test_what_tires():  # lines 2591-2604
    assert strain(PLAIN, "missed sleep", 3).value == -3  # the book's three nights
    assert [strain(PLAIN, "hard work", hours).value for hours in (7, 8, 16)] == [0, -1, -2]
    assert strain(PLAIN, "walking", 2).value == -2
    assert strain(PLAIN, "climbing", 4).value == strain(PLAIN, "swimming", 4).value == strain(PLAIN, "running", 7).value == -1
    assert strain(PLAIN, "heavy load", 1).value == -1
    assert [strain(PLAIN, "full load", days).value for days in (0.5, 1)] == [-1, -2]
    assert strain(PLAIN, "hard work", 8, extreme_weather=True).value == -2
    assert strain(PLAIN, "hard work", 8, extreme_weather=True, armored=True).value == -3
    assert strain(PLAIN, "hard work", 8, armored=True).value == -1
    assert strain(PLAIN, "missed sleep", 2, insomniac=True).value == -4
    assert short_fight(3) == (-1, 3)
    assert short_fight(12)[0] == -3
    with pytest.raises(UserError, match="at least 0"):
        strain(PLAIN, "walking", -1)
    with pytest.raises(UserError, match="did you mean"):
        strain(PLAIN, "hard wrk", 1)


def test_fitness_is_added_and_never_makes_a_bonus():  # line 2589
    assert [fatigue_penalty(TIRING, -3, fitness).value for fitness in (-1, 0, 2, 5)] == [-4, -3, -1, 0]
    assert fatigue_penalty(TIRING, 0, -2).value == 0
    assert fatigue_penalty(PLAIN, -3).value == 0  # optional
    assert [collapses(TIRING, gathered, 1) for gathered in (-5, -6)] == [False, True]


def test_a_body_carries_its_fatigue():
    body = Patient("x", fitness=1, flesh=1)
    tired, weary = tire(TIRING, body, Weariness(), "hard work", -3)
    assert (tired.fatigue_penalty, tired.penalty, weary) == (-2, -3, Weariness(-3))
    down, more = tire(TIRING, tired, weary, "missed sleep", -3)
    assert (down.collapsed, down.awake, more) == (True, False, Weariness(-3, -3))
    assert tire(PLAIN, body, Weariness(), "hard work", -3) == (body, Weariness())
    # Who has collapsed wakes when all of it is gone, not when it is less than five.
    half = rest(TIRING, more, "a night of sound sleep")
    assert rested(down, half).collapsed
    assert rested(down, rest(TIRING, half, "a night of sound sleep")).awake


def test_rest_removes_and_is_never_saved_up():  # lines 2607-2608
    weary = Weariness(-4, -2)
    assert rest(PLAIN, weary, "half an hour of quiet", 3) == Weariness(-1, -2)
    assert rest(PLAIN, weary, "half an hour of quiet", 9) == Weariness(0, -2)  # no rest is a night's sleep
    assert rest(with_settings(rest_removes="all"), weary, "half an hour of quiet", 5) == Weariness(0, -1)
    assert rest(PLAIN, weary, "a night of rest") == Weariness(-2, -2)
    assert rest(PLAIN, Weariness(-1, -1), "a night of sound sleep") == Weariness()


@given(st.integers(-9, 0), st.integers(-9, 0), st.integers(0, 8))
@settings(max_examples=60)
def test_nights_take_what_there_is(effort, sleep, nights):
    after = rest(PLAIN, Weariness(effort, sleep), "a night of sound sleep", nights)
    assert after.total == min(0, effort + sleep + 3 * nights)


# --- stances ------------------------------------------------------------------------------------------------------------------


def test_four_stances():  # lines 6016-6024
    table = {
        stance: [stance_dice(STYLISH, stance, test) for test in ("task", "attack", "defense", "initiative")]
        for stance in ("neutral", "offensive", "defensive", "focused")
    }
    assert table == {"neutral": [0] * 4, "offensive": [1, 1, -1, -1], "defensive": [-1, -1, 1, 1], "focused": [0] * 4}
    assert focus(STYLISH).value == 2
    assert focus(STYLISH, tool=False).value == 0
    assert focus(STYLISH, "offensive").value == 0
    assert defends_openly(STYLISH)
    assert not defends_openly(STYLISH, "defensive")
    assert stance_dice(PLAIN, "offensive") == 0
    assert not defends_openly(PLAIN)


def test_a_stance_changes_the_dice_down_to_unskilled():
    beginner = Pool(1, (Mod("x", 2),))
    assert in_stance(STYLISH, beginner, "offensive", "attack").dice == 2
    unsure = in_stance(STYLISH, beginner, "offensive", "defense")
    assert unsure.dice == 0
    assert reading(STYLISH, unsure).read((4, 3)).total == 5
    assert in_stance(STYLISH, beginner, "focused", "attack").modifier == 4
    assert in_stance(STYLISH, beginner, "focused", "defense").modifier == 2


# --- applications -------------------------------------------------------------------------------------------------------------


def test_dice_given_up():  # lines 6002-6012
    assert effect(STYLISH, Use("acting blind", 4, -4)) == Applied(4, 4)
    assert effect(STYLISH, Use("acting fast", 2)) == Applied(2, faster=4)
    assert effect(STYLISH, Use("acting fast", 3)).faster == 8
    assert effect(STYLISH, Use("acting while burdened", 2, -2)) == Applied(2, 2)
    assert effect(STYLISH, Use("acting while disadvantaged", 1, -2)) == Applied(1, 1)
    assert effect(STYLISH, Use("deception attack", 2)) == Applied(2, others_dice=2)
    assert effect(STYLISH, Use("defending against multiple attackers", 2, -2, 2)) == Applied(2, 2)
    assert effect(STYLISH, Use("defending against multiple attackers", 3, -3, 3)) == Applied(3, 3)
    for use, why in (
        (Use("acting blind", 3, -2), "too many"),
        (Use("acting blind", 0, -2), "at least one"),
        (Use("defending against multiple attackers", 1, -2, 2), "per further opponent"),
    ):
        with pytest.raises(UserError, match=why):
            effect(STYLISH, use)


def test_as_many_different_ones_as_complexity():  # line 6000
    blind, fast = Use("acting blind", 1, -2), Use("acting fast", 1)
    assert apply(STYLISH, (blind, fast), 2) == Applied(2, 1, 0, 2)
    with pytest.raises(UserError, match="Complexity 1"):
        apply(STYLISH, (blind, fast), 1)
    with pytest.raises(UserError, match="Complexity 1"):
        apply(STYLISH, (blind,), 1, ("deception attack",))
    assert apply(STYLISH, (blind,), 1, ("acting blind",)).dice == 1  # the same one again
    with pytest.raises(UserError, match="once per test"):
        apply(STYLISH, (blind, blind), 3)
    with pytest.raises(UserError, match="no Skill Applications"):
        apply(PLAIN, (blind,), 3)
    assert may_apply(PLAIN, 3)
    assert not may_apply(PLAIN, 3, ("acting blind",))


def test_giving_up_all_dice_is_an_unskilled_roll():  # line 5998
    fighter = Pool(3, (Mod("complete darkness", -4),))
    blind = applied(STYLISH, fighter, (Use("acting blind", 4, -4),), 1)
    assert (blind.dice, blind.modifier) == (-1, 0)
    assert reading(STYLISH, blind).read((5, 2)).total == 2
    assert deceived(Pool(2), 2).dice == 0
    assert applied(STYLISH, fighter, ()) == fighter


def test_everything_that_takes_dice_stacks():
    """A stance, an application and a called shot on a veteran: down to unskilled, where Emergency Dice still join."""
    pool = in_stance(STYLISH, Pool(4, (Mod("poor light", -1),)), "defensive", "attack")
    pool = applied(STYLISH, pool, (Use("acting blind", 1, -1), Use("deception attack", 1)), 2)
    pool = pool.with_dice(pool.dice - 3)  # a head
    assert (pool.dice, pool.modifier) == (-2, 0)
    odds = exact(lambda: action_test(STYLISH, pool.with_emergency(2), 4))
    ways = sum(max(min(a, b), c, d) >= 4 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) for d in range(1, 7))
    assert Fraction(sum(w for k, w in odds if k.margin >= 0), odds.total) == Fraction(ways, 6**4)


# --- command points -----------------------------------------------------------------------------------------------------------

MALACHI, ORION = Member("Malachi", 2), Member("Orion", 0)


def test_malachi_and_orion():  # lines 6070-6082
    group = form_group(STYLISH, "Malachi", (MALACHI, ORION), 2, 3)
    assert group.tactical == 2
    assert may_use_tactical(group, "Malachi")
    assert not may_use_tactical(group, "Orion")  # no Combat Sense
    malus = (Mod("two actions", -1),)
    pool = leadership_pool(STYLISH, 3, 0, 3, 1, ("leader in close combat",), malus)
    assert (pool.dice, pool.modifier) == (3, -2)
    led = script(give_orders(STYLISH, pool, group), [(2, 4, 5)]).outcome
    assert led.leadership == 2
    ordered = hand_out(led, "Orion", 2)
    assert (ordered.leadership, ordered.member("Orion").orders) == (0, 2)
    with pytest.raises(UserError, match="their own Leadership Points"):
        hand_out(led, "Malachi")
    with pytest.raises(UserError, match="points left"):
        hand_out(led, "Orion", 3)


def test_caps_and_the_end_of_the_pool():
    group = form_group(STYLISH, "Malachi", (MALACHI, ORION), 3, 1)
    once = spend(STYLISH, group, "Malachi")
    twice = spend(STYLISH, once, "Malachi", "defense", enemy_active=True)
    assert twice.tactical == 1
    with pytest.raises(UserError, match="may use 2 Tactical Points"):
        spend(STYLISH, twice, "Malachi", "out of sequence")
    third = spend(STYLISH, new_round(twice), "Malachi", "change stance")
    assert third.tactical == 0
    with pytest.raises(UserError, match="the group has 0"):
        spend(STYLISH, third, "Malachi")
    with pytest.raises(UserError, match="may use no"):
        spend(STYLISH, group, "Orion")
    led = hand_out(replace(group, leadership=2), "Orion")
    with pytest.raises(UserError, match="at most 1 Leadership Point per"):
        hand_out(led, "Orion")
    assert spend(STYLISH, led, "Orion", "free action", "leadership").member("Orion").orders == 0
    with pytest.raises(UserError, match="Orion has 0"):
        spend(STYLISH, group, "Orion", "free action", "leadership")
    assert new_round(led).leadership == 0
    assert new_round(led).member("Orion").orders == 0
    assert defense_bonus(STYLISH).value == 2


def test_a_lone_fighter_leads_nobody():
    assert tactical_points(3, 1) == 0
    assert tactical_points(3, 2) == 3
    alone = form_group(STYLISH, "Malachi", (MALACHI,), 2, 3)
    assert alone.tactical == 0
    with pytest.raises(UserError, match="at least one follower"):
        script(give_orders(STYLISH, Pool(3), alone))
    assert form_group(PLAIN, "Malachi", (MALACHI, ORION), 2).tactical == 0
    with pytest.raises(UserError, match="no Command Points"):
        script(give_orders(PLAIN, Pool(3), form_group(PLAIN, "Malachi", (MALACHI, ORION), 2)))
    with pytest.raises(UserError, match="must be a member"):
        form_group(STYLISH, "Zed", (MALACHI, ORION))
    assert leadership_pool(STYLISH, 2, 1, followers=7, situations=("well played",)).modifier == 1 - 2 + 1


def test_a_bad_order_gives_nothing():
    group = form_group(STYLISH, "Malachi", (MALACHI, ORION), 2, 3)
    assert script(give_orders(STYLISH, Pool(1, (Mod("x", -4),)), group), [(3,)]).outcome.leadership == 0


# --- special effects ----------------------------------------------------------------------------------------------------------


def test_three_levels():  # lines 6090-6098
    found = [special_effect(CINEMA, level).dice for level in ("basic", "advanced", "complex")]
    assert found == [1, 2, 3]
    assert [special_effect(CINEMA, level, take="free actions").free_actions for level in ("advanced", "complex")] == [1, 2]
    with pytest.raises(UserError, match="no free action"):
        special_effect(CINEMA, "basic", take="free actions")
    for rules in (PLAIN, with_settings(special_effects=True), with_settings(reality="cinematic")):
        with pytest.raises(UserError, match="no Special Effects"):
            special_effect(rules)
    assert with_stunt(Pool(2), special_effect(CINEMA, "complex")).dice == 5
    assert with_stunt(Pool(-1), special_effect(CINEMA)).dice == 1


def test_no_effect_twice_in_a_session():
    once = special_effect(CINEMA, "basic", "I swing from the chandelier")
    with pytest.raises(UserError, match="describe another"):
        special_effect(CINEMA, "complex", "i  swing from the Chandelier", session=once.session)
    assert special_effect(CINEMA, "basic", "over the table", session=once.session).dice == 1


def test_villains():  # lines 6102-6108
    once = villain_effect(CINEMA, "Count", level="advanced")
    assert once.dice == 2
    with pytest.raises(UserError, match="already used a Special Effect"):
        villain_effect(CINEMA, "Count", session=once.session)
    assert villain_effect(CINEMA, "Duke", session=once.session).dice == 1
    with pytest.raises(UserError, match="only main villains"):
        villain_effect(CINEMA, "thug", main=False)
    pooled = with_settings(reality="cinematic", special_effects=True, villain_effects="pool")
    with pytest.raises(UserError, match="empty"):
        villain_effect(pooled, "Count")
    grown = special_effect(pooled, "basic", "one", session=Stunts()).session
    assert grown.pool == 1
    assert villain_effect(pooled, "Count", session=grown).session.pool == 0


# --- acting tough -------------------------------------------------------------------------------------------------------------


def test_acting_tough():  # lines 6949-6957
    hurt = Patient("x", 1, flesh=2, deep=1, system_shock=9, willpower=2)
    cinema = with_settings(reality="cinematic")
    brave = script(act_tough(cinema, hurt, 2), [(6, 6, 6, 6)]).outcome  # 9 + 2 - 4 = 7: two over
    assert (brave.tough, brave.acting_penalty, brave.penalty) == (2, -2, -4)
    with pytest.raises(UserError, match="already"):
        script(act_tough(cinema, brave))
    # A failure by 4 asks for a Health test with 4 more against it.
    fails = script(act_tough(cinema, hurt), [(3, 2), (6, 6)]).outcome  # 3 + 2 - 4 = 1 against 5; then 7 + 1 - 4 - 4 = 0
    assert (fails.tough, fails.unconscious) == (0, OPEN_ENDED)
    with pytest.raises(UserError, match="only in cinematic"):
        script(act_tough(PLAIN, hurt))
    heroic = with_settings(acting_tough_anywhere=True)
    assert script(act_tough(heroic, hurt, 2), [(6, 6, 6, 1)]).outcome.tough == 1  # 8 + 2 - 4


def test_the_bill_comes_after_the_fight():
    brave = Patient("x", 1, flesh=2, deep=1, system_shock=9, tough=2, acted_tough=True)
    over = script(after_the_fight(PLAIN, brave), [(3, 2)]).outcome  # 3 + 1 - 4
    assert (over.tough, over.acted_tough, over.unconscious) == (0, False, OPEN_ENDED)
    assert script(after_the_fight(PLAIN, replace(brave, acted_tough=False, tough=0))).outcome.awake
    assert script(after_the_fight(PLAIN, brave), [(4, 2)]).outcome.awake
