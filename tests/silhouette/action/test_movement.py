"""Paces, load, wounds, sharp turns, jumping and falls (book lines 2007-2078, 2133-2158, 5968-5970)."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.falls import Landing, fall, fall_down, falling_damage, land, softened
from rulewright.systems.silhouette.action.movement import (
    GAITS,
    Carried,
    Jump,
    Load,
    can_stand,
    close_combat_modifiers,
    close_combat_pace,
    fastest_of,
    is_tiring,
    jump,
    jump_distance,
    jumping_threshold,
    load,
    may_act,
    move_rate,
    pace_modifiers,
    speed_of,
    sprint,
    turn_in_a_sprint,
    turning_threshold,
    unhurt_fastest,
    with_load,
    with_wounds,
)
from rulewright.systems.silhouette.harm.body import LimbInjury, Patient
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
CINEMATIC = BOOK.ruleset("cinematic")
HIGHER = BOOK.ruleset("cinematic", settings={"run-up-for-height": True})
few = settings(max_examples=40, deadline=None)


def by(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# --- speeds -------------------------------------------------------------------------------------------------------------------


def test_an_average_person_sprints_twenty_metres_and_the_rest_are_shares_of_it():
    rates = {gait: move_rate(PLAIN, gait).value for gait in GAITS}
    assert rates == {"sprinting": 20, "running": pytest.approx(40 / 3), "jogging": 10, "walking": pytest.approx(20 / 3), "crawling": 4}


def test_fitness_and_athletics_are_worth_five_metres_each():
    assert sprint(PLAIN, fitness=2, athletics=3).value == 45
    assert sprint(PLAIN, fitness=-3).value == 5
    assert sprint(PLAIN, fitness=-5).value == 1
    assert move_rate(PLAIN, "running", 1, 2).value == pytest.approx(35 * 2 / 3)


def test_the_sprint_of_the_text_is_a_setting():
    assert sprint(by(sprint_base=25)).value == 25
    assert move_rate(by(sprint_base=25), "jogging").value == 12.5


@few
@given(st.integers(-3, 3), st.integers(0, 5))
def test_every_pace_is_slower_than_the_next(fitness, athletics):
    rates = [move_rate(PLAIN, gait, fitness, athletics).value for gait in GAITS]
    assert rates == sorted(rates)
    person = Person.of(PLAIN, Character("Ann", attributes={"fitness": fitness}, skills={"athletics": athletics}))
    assert speed_of(PLAIN, person, "walking") * 3 == Fraction(20 + 5 * (fitness + athletics))


# --- paces --------------------------------------------------------------------------------------------------------------------


def test_what_each_pace_does():
    told = {pace: pace_modifiers(PLAIN, pace) for pace in ("prone", "crawling", "stationary", "walking", "jogging", "running")}
    assert [row.action for row in told.values()] == [0, -1, 0, -1, -2, -3]
    assert [row.defense_close for row in told.values()] == [-3, -2, -1, 0, 1, 2]
    assert [row.defense_ranged for row in told.values()] == [1, 2, -1, 0, 1, 2]


def test_nothing_else_is_done_in_a_sprint_or_on_a_wall():
    assert not may_act(PLAIN, "sprinting")
    assert not may_act(PLAIN, "climbing")
    assert may_act(PLAIN, "running")
    assert [gait for gait in GAITS if is_tiring(PLAIN, gait)] == ["running", "sprinting"]


def test_turns_in_a_sprint():
    assert [turning_threshold(degrees) for degrees in (1, 45, 46, 90, 135, 180)] == [6, 6, 8, 8, 10, 12]
    with pytest.raises(UserError, match="1 to 360"):
        turning_threshold(0)
    test = script(turn_in_a_sprint(PLAIN, Pool(2).plus(Mod("Fitness", 1)), 90), [(6, 6)]).outcome
    assert (test.total, test.threshold, test.verdict) == (8, 8, "draw")


def test_footwork_is_no_movement_but_walking_to_the_defense():
    for pace in ("stationary", "walking", "jogging", "running"):
        assert close_combat_modifiers(PLAIN, pace) == (0, 0)
    assert close_combat_modifiers(PLAIN, "running", covering_ground=True) == (-3, 2)
    assert close_combat_modifiers(PLAIN, "stationary", immobilised=True) == (0, -1)
    assert close_combat_modifiers(PLAIN, "prone") == (0, -3)
    assert close_combat_modifiers(PLAIN, "crawling") == (0, -2)
    assert close_combat_modifiers(PLAIN, "prone", immobilised=True) == (0, -3)
    assert close_combat_modifiers(PLAIN, "climbing") == (None, -2)
    assert close_combat_modifiers(PLAIN, "sprinting", covering_ground=True) == (None, 3)
    assert close_combat_pace("sprinting", immobilised=True) == "stationary"


# --- load and wounds ----------------------------------------------------------------------------------------------------------


def test_load_slows_down_by_halves_and_quarters():
    lift = 60.0  # the lightest body of Build 0
    from rulewright.systems.silhouette.people.secondary_attributes import capacity

    lift = capacity(PLAIN, 0).lift
    assert with_load(PLAIN, 0, lift / 2) == "sprinting"
    assert with_load(PLAIN, 0, lift / 2 + 0.1) == "jogging"
    assert with_load(PLAIN, 0, lift * 3 / 4) == "jogging"
    assert with_load(PLAIN, 0, lift * 3 / 4 + 0.1) == "walking"
    assert with_load(PLAIN, 0, lift) == "walking"
    assert with_load(PLAIN, 0, lift + 0.1) is None


def test_awkward_things_count_double_and_things_to_be_looked_after_cost_actions():
    assert load(PLAIN, 0, (Carried(10, awkward=True), Carried(2))) == Load(22.0, "sprinting")
    assert load(PLAIN, 0, (Carried(10, hands=1),)).action == -1
    assert load(PLAIN, 0, (Carried(10, hands=2),)).action == -2
    assert load(PLAIN, 0, (Carried(0.1), Carried(0.2))).kilograms == 0.3
    heavy = capacity_of(2)
    assert load(PLAIN, 2, (Carried(heavy / 2 + 1, awkward=True),)).fastest is None


def capacity_of(strength):
    from rulewright.systems.silhouette.people.secondary_attributes import capacity

    return capacity(PLAIN, strength).lift


def test_wounds_slow_down():
    assert [with_wounds(PLAIN, flesh) for flesh in (0, 1, 3)] == ["sprinting", "jogging", "jogging"]
    assert [with_wounds(PLAIN, 0, deep) for deep in (1, 2, 3)] == ["walking", "crawling", "crawling"]
    assert with_wounds(PLAIN, 2, 1) == "walking"
    assert [can_stand(deep) for deep in (0, 1, 2)] == [True, True, False]


def test_the_other_passage_lets_the_lightly_wounded_run():
    ours = by(pace_with_flesh_wounds="running")
    assert with_wounds(ours, 1) == "running"
    assert with_wounds(ours, 1, 1) == "walking"


def test_a_body_with_a_useless_leg_crawls():
    hurt = Patient(flesh=1).with_limb(LimbInjury("left leg", flesh=2, useless=True))
    assert fastest_of(PLAIN, hurt) == "crawling"
    assert fastest_of(PLAIN, Patient(flesh=1)) == "jogging"


def test_the_lame_walk():
    lame = Person.of(PLAIN, Character("Ann", flaws=(Trait("lame", variant="permanent"),)))
    assert unhurt_fastest(PLAIN, lame, 0, 5) == "walking"
    assert unhurt_fastest(PLAIN, Person.of(PLAIN, Character("Ann")), 0, 5) == "sprinting"
    assert unhurt_fastest(PLAIN, lame, 0, 1000) is None


# --- jumping ------------------------------------------------------------------------------------------------------------------


def test_a_running_jump():
    """Two dice and Fitness +1, running (+2): a six is 9, six above 3."""
    athletics = Pool(2).plus(Mod("Fitness", 1))
    assert script(jump(PLAIN, athletics, "running"), [(6, 2)]).outcome == Jump(4.5, 1.5)
    assert script(jump(PLAIN, athletics, "walking"), [(6, 2)]).outcome == Jump(3.0, 1.0)
    assert script(jump(PLAIN, athletics, "stationary"), [(6, 2)]).outcome == Jump(2.25, 0.75)


def test_bad_ground_adds_up():
    assert jumping_threshold(PLAIN) == 3
    assert jumping_threshold(PLAIN, ("rough",)) == 6
    assert jumping_threshold(PLAIN, ("slippery", "crumbling")) == 18
    with pytest.raises(UserError, match="jumping"):
        jumping_threshold(PLAIN, ("lava",))


def test_a_failed_jump_goes_nowhere_and_a_draw_hardly():
    assert script(jump(PLAIN, Pool(1), "walking"), [(2,)]).outcome == Jump(0.0, 0.0)
    assert script(jump(PLAIN, Pool(1), "walking"), [(3,)]).outcome == Jump(0.0, 0.0)
    assert script(jump(PLAIN, Pool(1), "walking"), [(1,)]).outcome == Jump(0.0, 0.0, fumble=True)


def test_cinematic_jumps_go_twice_as_far_and_further_with_a_run_up():
    athletics = Pool(1, hero=False)
    assert script(jump(CINEMATIC, athletics, "running"), [(5,)]).outcome == Jump(6.0, 2.0)
    assert script(jump(CINEMATIC, athletics, "running", runs_up=True), [(6,), (5,)]).outcome == Jump(8.0, 2.0)
    assert script(jump(HIGHER, athletics, "running", runs_up=True), [(6,), (5,)]).outcome == Jump(8.0, 4.0)
    assert script(jump(CINEMATIC, athletics, "running", runs_up=True), [(3,), (5,)]).outcome == Jump(6.0, 2.0)
    assert script(jump(CINEMATIC, athletics, "stationary", runs_up=True), [(6,), (2,)]).outcome == Jump(0.0, 0.0)
    assert script(jump(PLAIN, athletics, "running", runs_up=True), [(5,)]).outcome == Jump(3.0, 1.0)


@few
@given(st.integers(-5, 20), st.integers(0, 5))
def test_every_point_is_worth_as_much(margin, run_up):
    far, high = jump_distance(PLAIN, margin, run_up)
    assert far == 3 * high == 0.75 * max(0, margin)
    further, higher = jump_distance(CINEMATIC, margin, run_up)
    gained = run_up if margin >= 0 else 0
    assert (further - gained, higher) == (2 * far, 2 * high)
    assert jump_distance(HIGHER, margin, run_up) == (further, higher + gained)


# --- falls --------------------------------------------------------------------------------------------------------------------


def test_the_fall_of_the_book_on_earth_and_on_the_moon():
    """Four metres with the average of four dice, 5.3 by the book: 21.2 or 22; with a sixth of the weight 4."""
    assert falling_damage(5.3, 4).value == 22
    assert falling_damage(5.3, 4, gravity=0.167).value == 4


def test_one_two_and_four_metres():
    assert script(fall(PLAIN, 1), [(5,)]).outcome == 5
    assert script(fall(PLAIN, 2), [(3, 4)]).outcome == 8
    assert script(fall(PLAIN, 4), [(6, 6, 1, 2)]).outcome == 28
    assert script(fall(PLAIN, 4.9), [(6, 6, 1, 2)]).outcome == 28


def test_no_more_than_ten_dice_and_thirty_metres():
    assert script(fall(PLAIN, 12), [(5,) * 10]).outcome == 60
    assert script(fall(PLAIN, 100), [(5,) * 10]).outcome == 150
    assert script(fall(PLAIN, 0.5), []).outcome == 0


def test_head_first_adds_ten_to_the_dice():
    assert script(fall(PLAIN, 2, head_first=True), [(3, 4)]).outcome == 28
    assert script(fall(PLAIN, 3, head_first=True, gravity=0.5), [(3, 4, 1)]).outcome == 21


def test_gravity_rounds_up_after_everything():
    assert falling_damage(3, 3, gravity=0.1).value == 1
    assert falling_damage(5, 2, gravity=1.25).value == 13
    with pytest.raises(UserError):
        falling_damage(3, -1)


def test_a_fall_is_no_heros_roll():
    assert script(fall(CINEMATIC, 2), [(5, 5)]).outcome == 10


def test_softening_takes_metres_off():
    assert softened(PLAIN, 6, 4) == 2
    assert softened(PLAIN, 4, 4) == 0
    assert script(land(PLAIN, 6, Pool(1)), [(4,), (5, 5)]).outcome == Landing(10, 2)
    assert script(land(PLAIN, 4, Pool(1)), [(4,)]).outcome == Landing(0, 0)
    assert script(land(PLAIN, 4), [(2, 3, 1, 1)]).outcome == Landing(12, 4)


def test_a_fumble_lands_head_first():
    assert script(land(PLAIN, 4, Pool(1)), [(1,), (2, 3, 1)]).outcome == Landing(39, 3, head_first=True)


@pytest.mark.parametrize(("surface", "metres"), [("hard", 14), ("normal", 7), ("soft", 3), ("deep liquid", 1), ("crash pad or net", 0)])
def test_surfaces(surface, metres):
    assert softened(PLAIN, 7, 0, surface) == metres


def test_the_roll_is_held_against_the_metres_really_fallen():
    """Three metres onto concrete with a roll of 4: unhurt, though concrete doubles."""
    assert softened(PLAIN, 3, 4, "hard") == 0
    assert softened(PLAIN, 5, 4, "hard") == 2
    surface_first = by(fall_order="surface first")
    assert softened(surface_first, 3, 4, "hard") == 0
    assert [softened(surface_first, metres, 4, "hard") for metres in (4, 5)] == [0, 6]
    assert softened(surface_first, 5, 4, "hard") == 6
    assert softened(surface_first, 8, 3, "soft") == 1
    assert softened(PLAIN, 8, 3, "soft") == 2


def test_nothing_left_is_no_damage_and_no_roll():
    assert script(land(PLAIN, 9, None, "crash pad or net"), []).outcome.unhurt


def test_the_odds_of_a_fall_by_counting():
    odds = exact(lambda: land(PLAIN, 3, Pool(1)))
    counted = {}
    for soft in range(1, 7):
        left = max(0, 3 - soft)
        for faces in (
            [()]
            if not left
            else [(a, b) for a in range(1, 7) for b in range(1, 7)][: 6**left]
            if left == 2
            else [(a,) for a in range(1, 7)]
        ):
            tops = faces.count(6)
            shown = (6 + tops - 1 if tops else max(faces)) if faces else 0
            damage = (shown + (10 if soft == 1 else 0)) * left
            key = Landing(damage, left, soft == 1)
            counted[key] = counted.get(key, 0) + Fraction(1, 6 * 6**left)
    assert {outcome: odds[outcome] for outcome, _ in odds} == counted


@few
@given(st.integers(0, 40), st.integers(0, 20), st.sampled_from(["hard", "normal", "soft", "deep liquid", "crash pad or net"]))
def test_a_better_roll_and_a_softer_ground_never_hurt_more(metres, roll, surface):
    assert softened(PLAIN, metres, roll + 1, surface) <= softened(PLAIN, metres, roll, surface)
    assert softened(PLAIN, metres, roll, surface) <= softened(PLAIN, metres, roll, "hard")
    assert falling_damage(4, metres).value == ceil(4 * min(metres, 30))


def test_a_fall_hurts_whoever_falls():
    """Six metres, softened by 2: four dice of 5 make 20, a Flesh Wound; a vest of 15 points stops it, unless falls ignore it."""
    bare, vest = Patient("Ann"), Patient("Ann", armor=15)
    faces = [(2,), (5, 4, 3, 1)]
    assert script(fall_down(PLAIN, bare, 6, Pool(1)), [*faces, (6, 5)]).outcome.flesh == 1
    assert script(fall_down(PLAIN, vest, 6, Pool(1)), faces).outcome.flesh == 0
    assert script(fall_down(by(armor_against_falls=False), vest, 6, Pool(1)), [*faces, (6, 5)]).outcome.flesh == 1


def test_the_senseless_soften_nothing():
    asleep = Patient("Ann", unconscious=5)
    assert script(fall_down(PLAIN, asleep, 2, Pool(3)), [(5, 4)]).outcome == asleep  # 10 points
