"""Luck and Drama Points on every roll that somebody makes in a fight (book lines 1329-1332, 5481-5501)."""

import pytest

from rulewright.dice.reading import count_every_roll
from rulewright.play import script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.drama.points import Dramatic, Fortune, dramatic_test
from rulewright.systems.ore.drama.rerolls import Turnable, TurnableOrFaces, again, standing
from rulewright.systems.ore.drama.round_readings import AimedSwiftly, AtNumber, EverySet, Laid, Swiftest, TwoWidths
from rulewright.systems.ore.fight.resolution.gunfire import loaded
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.scene import begin
from rulewright.systems.ore.harm.body import Abstract, Injury, Located, Wound, hurt
from rulewright.systems.ore.harm.endurance import Stamina
from rulewright.systems.ore.harm.over_time import a_round_passes, bleeds
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.resolution.dice_assignment import OnTable
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


RULES = rules()
DRAMA = rules(drama_points="drama points")
LUCKY, HERO = Owned("lucky", 1), Owned("action hero", 2)


def somebody(name, *owned, insight=1, body=2, weapons=(), **skills):
    named = {each.replace("_", " "): rating for each, rating in skills.items()} or {"close combat": 2}
    statistics = Statistics(body=body, insight=insight, coordination=3)
    return Character(name, statistics=statistics, skills=named, advantages=owned, weapons=weapons)


def fight(by, ana, ben, **place):
    """Ana declares first, then Ben."""
    people = (enter(by, ana, "Ana", "a"), enter(by, ben, "Ben", "b", place.get("metres", 0)))
    return Fight(Ground(**place), people)


def a_round(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return script(go(state), faces, choices).outcome


# --- dice that may be rolled again --------------------------------------------------------------------------------------------

SIX_SIDES = (0,) * 6
READINGS = [
    Fronts(Thrown(4, SIX_SIDES, 2)),
    EverySet(Thrown(4, (1,) * 6)),
    AtNumber(Thrown(4, (0, 0, 1, 0, 0, 0)), 3),
    AimedSwiftly(Thrown(4, (0, 0, 1, 0, 0, 0), 2), 3),
    Swiftest(Thrown(4, SIX_SIDES), True),
    Laid(Thrown(4, SIX_SIDES, 3)),
    TwoWidths(Thrown(5, SIX_SIDES, 2)),
    OnTable(Thrown(4, SIX_SIDES), keep="lowest"),
    OnTable(Thrown(4, (1,) * 6), (tuple(range(1, 7)),)),
]


@pytest.mark.parametrize("reading", READINGS, ids=lambda one: type(one).__name__)
def test_the_weights_are_those_of_every_roll(reading):
    turnable = Turnable(reading)
    assert dict(turnable.weights()) == count_every_roll(turnable)


@pytest.mark.parametrize("reading", [one for one in READINGS if not isinstance(one, Laid | TwoWidths)], ids=lambda one: type(one).__name__)
def test_where_a_feat_helps_too_the_weights_are_those_of_every_roll(reading):
    both = TurnableOrFaces(reading)
    assert dict(both.weights()) == count_every_roll(both)


@pytest.mark.parametrize("reading", READINGS, ids=lambda one: type(one).__name__)
def test_what_stands_and_what_is_rolled_again_are_all_the_dice(reading):
    for faces in ((3, 3, 3, 3, 3), (3, 3, 5, 5, 6), (2, 3, 4, 5, 6)):
        shown = faces[: len(reading.sides())]
        sets = standing(reading, shown)
        assert len(again(reading, sets).sides()) + sum(width for width, _ in sets) == len(shown)


def test_which_dice_stand_in_a_set():
    assert standing(Fronts(Thrown(5)), (7, 7, 3, 3, 1)) == ((2, 3), (2, 7))
    assert standing(Fronts(Thrown(3, (0,) * 9 + (1,))), (10, 2, 3)) == ((1, 10),)  # beside an Expert Die
    assert standing(Fronts(Thrown(3, (1,) * 10)), (9, 2, 3)) == ((1, 9),)  # a Master Die is set to 9
    assert standing(OnTable(Thrown(3, (2,) * 10), (tuple(range(1, 11)),) * 2), (9, 2, 3)) == ((1, 3), (1, 9))
    assert standing(AtNumber(Thrown(4, (0,) * 9 + (1,)), 10), (10, 7, 7, 7)) == ((1, 10),)


# --- a test by itself ---------------------------------------------------------------------------------------------------------


def test_luck_and_points_on_one_test():
    assert script(dramatic_test(RULES, Pool(3), 0, luck=1), [(1, 2, 3), (4, 4, 1)], ["yes"]).outcome == Dramatic(Outcome(2, 4), 0, 0)
    assert script(dramatic_test(RULES, Pool(3), 0, luck=1), [(4, 4, 1)]).outcome == Dramatic(Outcome(2, 4), 0, 1)
    assert script(dramatic_test(RULES, Pool(0), 0, luck=1)).outcome == Dramatic(Outcome(), 0, 1)
    both = script(dramatic_test(DRAMA, Pool(3), 1, luck=1), [(1, 2, 3), (1, 2, 3), (5, 5, 1)], ["no", "yes", "yes"])
    assert both.outcome == Dramatic(Outcome(2, 5), 0, 0)


def test_a_set_that_is_too_low_to_serve_is_still_a_set():
    low = script(dramatic_test(RULES, Pool(3), 0, luck=1, at_least=7), [(4, 4, 1)])
    assert low.outcome == Dramatic(Outcome(), 0, 1)
    other = script(dramatic_test(RULES, Pool(4), 0, luck=1, at_least=7), [(4, 4, 8, 8)])
    assert other.outcome == Dramatic(Outcome(2, 8), 0, 1)


def test_hell_bent_lifts_a_set_that_would_not_reach():
    came = script(dramatic_test(DRAMA, Pool(5), 2, at_least=7), [(4, 4, 4, 5, 5)], ["no", "height"])
    assert came.outcome == Dramatic(Outcome(2, 7), 0)
    assert Fortune(1, 2) == (1, 2)


# --- rolls that nobody declared -----------------------------------------------------------------------------------------------


def test_luck_helps_to_resist_a_grapple_and_to_hold_on():
    ana, ben = somebody("Ana"), somebody("Ben", LUCKY, insight=2)
    state = fight(RULES, ana, ben)
    caught = a_round(RULES, state, [(8, 8, 1, 2), (1, 2, 3, 4)], ["grapple:Ben", "pass", "no"])
    assert (caught.fighter("Ben").held_by, caught.fighter("Ben").luck) == ("Ana", 1)
    free = a_round(RULES, state, [(8, 8, 1, 2), (1, 2, 3, 4), (9, 9, 3, 4)], ["grapple:Ben", "pass", "yes"])
    assert (free.fighter("Ben").held_by, free.fighter("Ben").luck) == ("", 0)
    low = a_round(RULES, state, [(8, 8, 1, 2), (5, 5, 3, 4)], ["grapple:Ben", "pass"])  # a set, though too low
    assert (low.fighter("Ben").held_by, low.fighter("Ben").luck) == ("Ana", 1)

    held = fight(RULES, ana, ben).change("Ana", held_by="Ben")
    kept = a_round(RULES, held, [(8, 8, 1, 2), (1, 2, 3, 4), (9, 9, 3, 4)], ["escape", "pass", "yes"])
    assert (kept.fighter("Ana").held_by, kept.fighter("Ben").luck) == ("Ben", 0)


def test_luck_helps_before_the_first_round():
    state = fight(RULES, somebody("Ana", LUCKY), somebody("Ben", LUCKY, insight=2), parley=True)
    # Ana shows off (four dice), Ben threatens (two dice of Command), Ana holds (two of Psyche); then nobody does anything
    faces = [(1, 2, 3, 4), (6, 6, 1, 2), (1, 2), (5, 5), (3, 4)]
    after = a_round(RULES, state, faces, ["display", "yes", "threaten:Ana", "yes", "pass", "pass"])
    assert (after.fighter("Ana").impresses, after.fighter("Ana").luck, after.fighter("Ben").luck) == (True, 0, 0)
    assert after.fighter("Ana").afraid == 1  # two at first
    saved = a_round(RULES, state, [(1, 2), (5, 5), (3, 4), (7, 7)], ["nothing", "threaten:Ana", "yes", "yes", "pass", "pass"])
    assert (saved.fighter("Ana").afraid, saved.fighter("Ana").luck) == (0, 0)


def test_luck_helps_with_initiative():
    by = rules(random_initiative=True)
    state = fight(by, somebody("Ana", LUCKY), somebody("Ben", insight=2))
    faces = [(1, 2, 3, 4), (1, 2, 3), (9, 9, 9)]
    after = a_round(by, state, faces, ["yes", "pass", "pass"])  # Ben, without a set, declares first
    assert (after.fighter("Ana").initiative, after.fighter("Ana").luck) == ((3, 9), 0)


def test_luck_helps_with_exertion():
    by = rules(getting_tired=True)
    state = fight(by, somebody("Ana", LUCKY), somebody("Ben", insight=2)).change("Ana", stamina=Stamina(2, elapsed=1))
    after = a_round(by, state, [(1, 2, 3, 4), (1, 2), (5, 5)], ["attack:Ben", "pass", "no", "yes"])
    assert (after.fighter("Ana").stamina.boxes, after.fighter("Ana").stamina.passed, after.fighter("Ana").luck) == (0, 1, 0)


def under_fire(by, *owned):
    ana = somebody("Ana", weapons=("uzi 9mm",), small_arms=2)
    people = [Placed(ana, "Ana", "a", None, {}), Placed(somebody("Ben", *owned, insight=5), "Ben", "b", None, {})]
    place = {"metres": 10, "cover": "50% right", "cover_metres": 1}
    return begin(by, Scenario("ore", "scenario", "f", {"a": [], "b": []}, place=place), people)


def test_luck_helps_under_fire():
    state = under_fire(RULES, LUCKY)
    fire = tuple(range(1, 7))[: 2 + state.fighter("Ana").weapon.spray]
    dived = a_round(RULES, state, [fire, (1, 2, 3, 4), (5, 5, 1, 2)], ["suppress", "pass", "dive", "yes"])
    assert (dived.fighter("Ben").cover.any, dived.fighter("Ben").luck) == (True, 0)


def test_unwavering_under_fire_and_in_a_strangler_grip():
    state = under_fire(DRAMA, HERO)
    fire = tuple([7] * (2 + state.fighter("Ana").weapon.spray))
    dive = (1, 2, 3, 4)
    choices = ["suppress", "pass", "dive", "no", "no", "no", "no", "yes"]
    after = a_round(DRAMA, state, [fire, dive, (7, 1, 2, 3, 4, 5)[: len(fire)]], choices)
    torso = after.fighter("Ben").body.part("torso")
    assert (torso.shock, torso.kill > 0, after.fighter("Ben").drama) == (0, True, 0)

    held = fight(DRAMA, somebody("Ana"), somebody("Ben", HERO, insight=2)).change("Ben", held_by="Ana")
    choked = a_round(DRAMA, held, [(10, 10)], ["strangle:Ben", "pass", "no", "yes"])
    assert (choked.fighter("Ben").body.part("head").shock, choked.fighter("Ben").drama, choked.fighter("Ben").choked) == (0, 0, 3)


def test_luck_helps_a_body_that_tests_for_itself():
    by = rules(damage_system="abstract")
    body = Abstract(statistic=2, luck=1)
    one = script(hurt(by, body, "torso", 0, 3, "Ana"), [(1, 2, 3, 4, 5, 6), (7, 7, 7, 7, 1, 2)], ["yes"]).outcome
    assert (one.record(), one.luck) == ("unhurt", 0)
    no = script(hurt(by, body, "torso", 0, 3, "Ana"), [(1, 2, 3, 4, 5, 6)], ["no"]).outcome
    assert (no.down_boxes, no.luck) == (1, 1)
    both = script(hurt(by, body, "torso", 3, 3, "Ana"), [(1, 2, 3, 4, 5, 6), (7, 7, 7, 8, 8, 8)], ["yes"]).outcome
    assert (both.injuries, both.down_boxes, both.out_boxes, both.luck) == ((Injury(1, 1),), 0, 0, 0)
    by = rules(damage_system="abstract", drama_points="drama points")
    hero = Abstract(statistic=2, drama=2)
    blessed = script(hurt(by, hero, "torso", 3, 3, "Ana"), [(7, 7, 7, 7, 1, 2), (8, 8)], ["yes"]).outcome
    assert (blessed.injuries, blessed.drama) == ((Injury(0, 0, 1),), 0)


@pytest.mark.parametrize(("marks", "rolls"), [(9, True), (10, True), (11, False)])
def test_a_luck_die_serves_half_a_test_up_to_a_difficulty_of_ten(marks, rolls):  # lines 375-379, 4419-4424
    by = rules(damage_system="abstract", getting_lucky=True)
    body = Abstract(statistic=2, luck=1, injuries=(Injury(5, marks - 5, 6),))
    after = script(hurt(by, body, "torso", 3, 3, "Ana"), [(10,)] if rolls else []).outcome
    assert (after.down_boxes, after.out_boxes, after.penalty) == ((0, 1, 7) if rolls else (1, 1, 6))


# --- what Hard To Kill ignores ------------------------------------------------------------------------------------------------


def test_bleeding_is_ignored():
    by = rules(wounds=True)
    body = enter(by, somebody("Ana", Owned("hard to kill", 1)), "Ana", "a").body
    wounded = Located(statistic=1, parts=body.parts, wounds=(Wound("torso"),), ignores=1)
    after = script(bleeds(by, wounded, "Ana"), [], ["1 shock"]).outcome
    assert (after.part("torso").shock, after.ignores) == (0, 0)
    again_ = script(a_round_passes(by, after, "Ana"), [], []).outcome
    assert again_.part("torso").shock == 1
    kept = script(bleeds(by, wounded, "Ana"), [], ["no"]).outcome
    assert (kept.part("torso").shock, kept.ignores) == (1, 1)


def test_recoil_is_ignored():
    gun = "hand cannon: pistol 5 semi-automatic"
    for owned, choices, shock in (((), [], 1), ((Owned("hard to kill", 1),), ["1 shock"], 0)):
        ana = somebody("Ana", *owned, body=1, weapons=(gun,), small_arms=4)
        state = fight(RULES, ana, somebody("Ben", insight=2), metres=10)
        after = a_round(RULES, state, [(1, 2, 3, 4)], ["attack:Ben", "pass", *choices])
        assert after.fighter("Ana").body.part("right arm").shock == shock
        assert after.fighter("Ana").body.ignores == 0


# --- Blessed, whatever was declared -------------------------------------------------------------------------------------------


def heroes(by, *weapons, **more):
    ana = somebody("Ana", HERO, weapons=weapons, close_combat=2, small_arms=3)
    return fight(by, ana, somebody("Ben", insight=2), **more)


def test_blessed_on_several_actions():
    state = heroes(DRAMA)  # three dice for an attack and a dodge
    ben = (7, 7, 1, 2)
    after = a_round(DRAMA, state, [(8, 8, 1), ben, (8,)], ["attack+dodge:Ben", "no", "attack:Ana", "yes", "3x8"])
    assert after.fighter("Ben").body.part("torso").kill == 3  # and so fast that Ben does nothing any more
    assert (after.fighter("Ana").drama, after.fighter("Ana").body.record()) == (0, "unhurt")
    kept = a_round(DRAMA, state, [(8, 8, 1), ben], ["attack+dodge:Ben", "no", "attack:Ana", "no", "none", "no"])
    assert (kept.fighter("Ben").body.record(), kept.fighter("Ana").body.record()) == ("unhurt", "unhurt")


def test_blessed_on_a_called_shot():
    state = heroes(DRAMA)
    after = a_round(DRAMA, state, [(10, 7), (10,)], ["called shot:Ben:head", "no", "pass", "yes"])
    assert after.fighter("Ben").body.part("head").kill == 3


def test_blessed_on_several_shots_and_their_bullets():
    by = rules(drama_points="drama points", waste_ammunition=True)
    pistol = "pistol: pistol 9mm semi-automatic magazine 12"
    state = heroes(by, pistol, metres=5)  # Coordination 3, Small Arms 3, and a die for short range
    faces = [(7, 7, 1, 2, 3, 4, 5), (8, 8, 6, 9, 10)]
    after = a_round(by, state, faces, ["2 shots:Ben", "no", "pass", "yes", "2x8"])
    assert after.fighter("Ben").body.part("torso").kill == 4
    assert loaded(after.fighter("Ana")) == 12 - (6 + 1)  # the lowest waste die that lies there in the end, and one more


def test_blessed_where_waste_dice_are_speed():
    by = rules(drama_points="drama points", speed="waste")
    faces = [(7, 7, 1, 2), (8, 8, 3, 6)]
    ana = somebody("Ana", Owned("action hero", 2))
    state = fight(by, ana, somebody("Ben", insight=2))
    slow = a_round(by, state, faces, ["attack:Ben", "no", "attack:Ana", "no", "no", "no", "no"])  # Speed 2 and Speed 6
    assert (slow.fighter("Ben").body.record(), slow.fighter("Ana").body.part("torso").kill) == ("unhurt", 2)
    fast = a_round(by, state, [*faces, (9, 3)], ["attack:Ben", "no", "attack:Ana", "yes"])  # a waste die of 9
    assert (fast.fighter("Ben").body.part("torso").kill, fast.fighter("Ana").body.record()) == (2, "unhurt")
