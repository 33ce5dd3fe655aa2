"""Genre Effects at work (book lines 6120-6170)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.silhouette.action.recovery import recover
from rulewright.systems.silhouette.drama.genre_effects import (
    Standing,
    black_out,
    bring_into_the_story,
    burst_of_angst,
    buy_insight,
    do_it_again,
    donate,
    escape_impending_death,
    inner_well,
    insightful,
    last_hurrah,
    mimic_skill,
    mortal_strike,
    next_round,
    pay,
    return_of,
    scene_ends,
    seize_opportunity,
    session_ends,
    soften,
    sweeten,
)
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import Hit, take_hit
from rulewright.systems.silhouette.harm.healing import degenerate, exert
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
BODY = Patient("Zoe", 0, 15, 30, 60, 6)
ZOE = Standing("Zoe", 9, BODY, 1)


def test_points_are_spent_at_once_and_never_short():
    assert pay(PLAIN, ZOE, "insight", 4).points == 5
    assert pay(PLAIN, ZOE, "insight", 4, cancelled=2).points == 3  # a villain made it dearer
    assert pay(PLAIN, ZOE, "group effort").points == 9
    with pytest.raises(UserError, match="costs 10"):
        pay(PLAIN, ZOE, "insight", 10)
    with pytest.raises(UserError, match="does not use"):
        pay(PLAIN, ZOE, "insight", 1, ("lucky break",))
    poor, rich = donate(ZOE, replace(ZOE, name="Yan", points=0), 4)
    assert (poor.points, rich.points) == (5, 4)
    with pytest.raises(UserError, match="can give"):
        donate(ZOE, ZOE, 10)


def test_the_story_effects_have_their_prices():
    assert bring_into_the_story(PLAIN, ZOE, "accessorize", "a jet pack", 3).bought == (("accessorize", "a jet pack"),)
    assert bring_into_the_story(PLAIN, ZOE, "dramatic editing", "the trap jams", 2).points == 7
    assert bring_into_the_story(PLAIN, ZOE, "goad villain", "a duel", 6).points == 3
    assert bring_into_the_story(PLAIN, ZOE, "goad villain", "a duel", 1).points == 6  # never below 3
    assert bring_into_the_story(PLAIN, ZOE, "get a clue", "", 2).points == 7
    assert bring_into_the_story(PLAIN, ZOE, "creative stunt", "", 1).points == 8


def test_left_for_dead_until_the_fight_is_over():
    down = black_out(PLAIN, ZOE)
    assert (down.left_for_dead, down.patient.awake, down.points) == (True, False, 8)
    up = scene_ends(down)
    assert (up.left_for_dead, up.patient.awake) == (False, True)


def test_wounds_that_stop_getting_worse():
    dying = replace(ZOE, patient=replace(BODY, flesh=2, deep=2, trauma=3))
    held = escape_impending_death(PLAIN, dying)
    assert (held.points, held.patient.trauma, held.patient.unconscious, held.patient.spared) == (6, None, OPEN_ENDED, True)
    assert script(degenerate(PLAIN, held.patient)).outcome == held.patient
    assert script(exert(PLAIN, replace(held.patient, stable_deep=1), "heavy")).outcome.trauma is None
    more = script(take_hit(PLAIN, held.patient, Hit(15))).outcome
    assert (more.spared, more.trauma) == (False, 12 - 7)
    with pytest.raises(UserError, match="already dead"):
        escape_impending_death(PLAIN, replace(ZOE, patient=replace(BODY, dead=True)))


def test_one_wound_a_round_is_ignored():
    hurt = replace(ZOE, patient=replace(BODY, flesh=1, deep=1))
    once = inner_well(PLAIN, hurt, "deep")
    assert (once.points, once.patient.penalty, once.patient.shock_penalty) == (6, -1, -3)
    with pytest.raises(UserError, match="one wound per round"):
        inner_well(PLAIN, once, "flesh")
    whole = inner_well(PLAIN, next_round(once), "flesh")
    assert (whole.points, whole.patient.penalty) == (5, 0)
    with pytest.raises(UserError, match="no other flesh wound"):
        inner_well(PLAIN, next_round(whole), "flesh")
    assert scene_ends(whole).patient.penalty == -3


def test_a_last_hurrah():
    slain = replace(ZOE, points=4, patient=replace(BODY, flesh=1, dead=True))
    burning = last_hurrah(PLAIN, slain, 2)
    assert (burning.points, burning.patient.able, burning.patient.acting_penalty) == (0, True, 0)
    shot = script(take_hit(PLAIN, burning.patient, Hit(60))).outcome
    assert (shot.able, shot.penalty) == (True, 0)
    later = next_round(replace(burning, patient=shot))
    assert later.patient.able
    assert next_round(later).patient.dead
    assert scene_ends(burning).patient.dead
    assert last_hurrah(PLAIN, replace(slain, points=1)).points == 0  # a single point is enough
    with pytest.raises(UserError, match="no fatal wound"):
        last_hurrah(PLAIN, ZOE)
    with pytest.raises(UserError, match="has none"):
        last_hurrah(PLAIN, replace(slain, points=0))
    with pytest.raises(UserError, match="1 to 5 rounds"):
        last_hurrah(PLAIN, slain, 20)


def test_a_lucky_break():
    assert script(soften(PLAIN, BODY, Hit(60), 3), [(6, 6)]).outcome.deep == 1
    assert script(soften(PLAIN, BODY, Hit(60), 6), [(6, 6)]).outcome.flesh == 1
    assert script(soften(PLAIN, BODY, Hit(60), 9)).outcome == BODY
    assert script(soften(PLAIN, BODY, Hit(15), 3)).outcome == BODY
    with pytest.raises(UserError, match="costs"):
        script(soften(PLAIN, BODY, Hit(60), 12))


def test_a_mortal_strike():
    victim = replace(BODY, flesh=1, stable_flesh=1)
    paid, doomed = mortal_strike(PLAIN, ZOE, victim)
    assert (paid.points, doomed.doomed, doomed.dead) == (3, True, False)
    assert recover(PLAIN, doomed, 100, "constant").value.flesh == 1
    assert mortal_strike(PLAIN, ZOE, victim, at_once=True)[1].dead
    with pytest.raises(UserError, match="no wound"):
        mortal_strike(PLAIN, ZOE, BODY)


def test_the_return_of():
    dead = replace(ZOE, patient=replace(BODY, dead=True))
    assert [return_of(PLAIN, dead, points).returns for points in (9, 6, 3)] == [
        "in the next scene",
        "in a few adventures",
        "at the end of the campaign",
    ]
    with pytest.raises(UserError, match="not dead"):
        return_of(PLAIN, ZOE)


def test_a_burst_of_angst():
    raging = burst_of_angst(PLAIN, burst_of_angst(PLAIN, ZOE, "agility", 2), "willpower", 1)
    assert (raging.shifted("agility"), raging.shifted("willpower"), raging.shifted("psyche"), raging.points) == (2, 1, -3, 6)
    assert raging.shifted("fitness") == 0
    assert scene_ends(raging).shifted("agility") == 0
    with pytest.raises(UserError, match="Build"):
        burst_of_angst(PLAIN, ZOE, "build")
    with pytest.raises(UserError, match="below -5"):
        burst_of_angst(PLAIN, replace(ZOE, psyche=-4), "agility", 2)


def test_actions_and_dice():
    assert seize_opportunity(PLAIN, ZOE).extra_actions == 1
    keen = buy_insight(PLAIN, ZOE, 3)
    after, pool = insightful(keen, Pool(2, (), 5))
    assert (after.insight, pool) == (0, Pool(5, (), 5))
    assert insightful(ZOE, Pool(2)) == (ZOE, Pool(2))
    paid, pool = mimic_skill(PLAIN, ZOE, 0, 2, Pool(0, (Mod("Agility", 1),)))
    assert (paid.points, pool.dice, pool.modifier) == (7, 2, 1)
    with pytest.raises(UserError, match="do not have"):
        mimic_skill(PLAIN, ZOE, 1)
    assert sweeten(PLAIN, ZOE, 4, 2) == (replace(ZOE, points=7), 6)


def test_do_it_again():  # lines 6128-6142
    pool = Pool(2, (Mod("x", -1),))
    paid, total = script(do_it_again(PLAIN, ZOE, pool, 4), [(3, 2)], ["first"]).outcome
    assert (paid.points, total) == (8, 3)
    assert script(do_it_again(PLAIN, ZOE, pool, 4), [(6, 6)], ["second"]).outcome[1] == 6
    foe, low = script(do_it_again(PLAIN, ZOE, pool, 6, own=False), [(3, 3)], ["second"]).outcome
    assert (foe.points, low) == (6, 2)
    assert script(do_it_again(PLAIN, ZOE, pool, 2), [(1, 1)]).outcome[1] == 2  # both poor: 3, less 1


def test_fortune_favors_the_bold():
    assert session_ends(PLAIN, ZOE, 4).patient.emergency_dice == 4
    assert session_ends(PLAIN, ZOE, 4).points == 5
    assert session_ends(PLAIN, ZOE) == ZOE
