"""Chases, races and obstacles (book lines 2079-2104, 2641-2645)."""

from fractions import Fraction
from itertools import product

import pytest

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.chase import (
    Hurdled,
    Moved,
    Runner,
    chase_ends,
    chase_margin,
    chase_round,
    gap_sum,
    new_gap,
    obstacle_threshold,
    slalom_defense,
    take_obstacle,
)
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
CROWD = ("heavy foot traffic", "minor obstacles")


def test_al_runs_for_the_door():
    """All three at the same speed and Complexity, -3 for the crowd and the furniture: Al has 2 and the others 0, so the lead of 3 m
    may grow to 5 (the book names the wrong man and gives no new gap)."""
    al, bubba, steve = Runner("Al", Pool(2)), Runner("Bubba", Pool(2)), Runner("Steve", Pool(2))
    played = script(chase_round(PLAIN, al, (bubba, steve), (3.0, 3.0), CROWD), [(5, 1), (2, 1), (3, 2)], ["open", "open"])
    assert [roll.result.total for roll in played.rolls] == [2, 0, 0]
    assert [moved.gap for moved in played.outcome] == [5.0, 5.0]
    assert [event.headline() for event in played.events] == [
        "Running: Al 22, Bubba 20, Steve 20",
        "The gap between Al and Bubba grows by 2 m to 5 m",
        "The gap between Al and Steve grows by 2 m to 5 m",
    ]


def test_jason_is_run_down():
    """The first chapter's runners: Complexity gives Jason 1, Fitness the thugs; 5 against 6 and 8 (book line 901)."""
    jason, one, two = Runner("Jason", Pool(2), 2), *[Runner(name, Pool(2).plus(Mod("Fitness", 1))) for name in ("one", "two")]
    played = script(chase_round(PLAIN, jason, (one, two), (2.0, 2.0)), [(3, 4), (2, 5), (6, 6)], ["close", "close"])
    assert [roll.result.total for roll in played.rolls] == [5, 6, 8]
    assert [(moved.margin, moved.gap) for moved in played.outcome] == [(-1, 1.0), (-3, 0.0)]
    assert chase_ends(played.outcome[1].gap) == "caught"


def test_speed_is_added_to_the_roll():
    fast, slow = Runner("Ann", Pool(1), speed=30), Runner("Ben", Pool(1), speed=24)
    assert script(chase_round(PLAIN, fast, (slow,), (4.0,)), [(2,), (5,)], ["open"]).outcome == (Moved("Ben", 3, 7.0),)
    left_out = BOOK.ruleset(settings={"speed-in-a-chase": "left out"})
    assert script(chase_round(left_out, fast, (slow,), (4.0,)), [(2,), (5,)], ["close"]).outcome == (Moved("Ben", -3, 1.0),)
    assert chase_margin(PLAIN, 3, 3, 20, 25) == -5


def test_the_winner_says_what_becomes_of_the_gap():
    ann, ben = Runner("Ann", Pool(1)), Runner("Ben", Pool(1))
    for change, gap in (("open", 12.0), ("close", 8.0), ("leave", 10.0)):
        assert script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(5,), (3,)], [change]).outcome[0].gap == gap
        assert script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(3,), (5,)], [change]).outcome[0].gap == gap
    assert script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(4,), (4,)]).outcome[0].gap == 10.0


def test_fumbles_cost_a_die_of_metres():
    ann, ben = Runner("Ann", Pool(1)), Runner("Ben", Pool(1))
    prey = script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(1,), (3,), (4,)], ["close"])
    assert prey.outcome == (Moved("Ben", -2, 4.0, -4),)
    pursuer = script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(3,), (1,), (6,)], ["open"])
    assert pursuer.outcome == (Moved("Ben", 2, 18.0, 6),)
    both = script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(1,), (1,), (4,), (6,)])
    assert both.outcome == (Moved("Ben", 0, 12.0, 2),)


def test_no_gap_is_below_zero():
    assert new_gap(2, 5, "close") == 0
    assert new_gap(2, -5, "open") == 7
    assert [chase_ends(gap, 50) for gap in (0, 1, 49, 50)] == ["caught", "goes on", "goes on", "lost"]


def test_the_ground_of_one_and_of_all():
    ann, ben = Runner("Ann", Pool(1), conditions=("slalom",)), Runner("Ben", Pool(1))
    played = script(chase_round(PLAIN, ann, (ben,), (10.0,), ("winding path",)), [(6,), (5,)])
    assert [roll.result.total for roll in played.rolls] == [2, 2]
    assert slalom_defense(PLAIN, ("slalom", "winding path")) == 1
    with pytest.raises(UserError, match="pursuer"):
        script(chase_round(PLAIN, ann, (), ()), [])


def test_a_persons_athletics_fitness_and_speed():
    ann = Person.of(PLAIN, Character("Ann", attributes={"fitness": 1}, skills={"athletics": 2}, complexity={"athletics": 3}))
    runner = Runner.of(PLAIN, ann, "sprinting", penalty=-1)
    assert (runner.athletics.dice, runner.athletics.modifier, runner.complexity, runner.speed) == (2, 0, 3, 35)


def test_the_odds_of_a_round_by_counting():
    ann, ben = Runner("Ann", Pool(1)), Runner("Ben", Pool(1), speed=22)

    def favourable(choice):
        return choice.keys()[0]

    odds = exact(lambda: chase_round(PLAIN, ann, (ben,), (3.0,)), decide=favourable).map(lambda moved: moved[0].gap)
    counted = {}
    for mine, theirs in product(range(1, 7), repeat=2):
        lost = range(1, 7) if mine == 1 else (0,)
        gained = range(1, 7) if theirs == 1 else (0,)
        for less, more in product(lost, gained):
            gap = max(0.0, 3 + (mine - theirs - 2) - less + more)
            counted[gap] = counted.get(gap, 0) + Fraction(1, 36 * len(lost) * len(gained))
    assert {gap: odds[gap] for gap, _ in odds} == counted


# --- obstacles ----------------------------------------------------------------------------------------------------------------


def test_the_three_obstacles():
    assert [obstacle_threshold(PLAIN, each) for each in ("low fence", "bench or bins thrown down", "tall fence")] == [2, 4, 6]


def over(prey, pursuer, *choices, gap=10.0, obstacle="bench or bins thrown down", **fields):
    ann, ben = Runner("Ann", Pool(2), speed=20), Runner("Ben", Pool(2), speed=25)
    return script(take_obstacle(PLAIN, ann, ben, gap, obstacle, **fields), [prey, pursuer], choices).outcome


def test_the_higher_total_moves_the_gap():
    assert over((6, 2), (4, 4), "open") == Hurdled(12.0, True)
    assert over((4, 2), (6, 6), "close") == Hurdled(7.0, True)
    assert over((5, 2), (5, 1)) == Hurdled(10.0, True)


def test_who_fails_where_the_prey_passed_is_left_behind():
    assert over((4, 2), (3, 2)) == Hurdled(11.0, False)
    assert over((3, 2), (2, 2), "open") == Hurdled(11.0, True, prey_over=False)  # the prey did not get over either


def test_a_crash_gives_the_other_side_a_round_of_movement():
    assert over((1, 1), (4, 2), gap=40.0) == Hurdled(15.0, True, prey_crashed=True, prey_over=False)
    assert over((1, 1), (4, 2)) == Hurdled(0.0, True, prey_crashed=True, prey_over=False)
    assert over((4, 2), (1, 1)) == Hurdled(30.0, True, pursuer_crashed=True)
    assert over((1, 1), (1, 1)) == Hurdled(10.0, True, True, True, False)


def test_whoever_does_not_follow_has_lost_the_prey():
    ann, ben = Runner("Ann"), Runner("Ben")
    assert script(take_obstacle(PLAIN, ann, ben, 10.0, follows=False), [(5,)]).outcome == Hurdled(10.0, False)
    alone = script(take_obstacle(PLAIN, ann, ben, 10.0, "tall fence", follows=False), [(2,)])  # the prey is tested all the same
    assert alone.outcome == Hurdled(10.0, False, prey_over=False)


def test_a_prey_that_fails_is_not_told_to_get_over():  # lines 2085-2093
    ann, ben = Runner("Ann"), Runner("Ben")
    played = script(take_obstacle(PLAIN, ann, ben, 10.0, "tall fence"), [(2,), (4,)], ["leave"])
    assert [event.headline() for event in played.events][:2] == [
        "Ann does not clear the tall fence",
        "Ben does not clear the tall fence",
    ]
    assert not played.outcome.prey_over
    assert [(reason.label, reason.value) for reason in played.events[0].reasons()] == [("Athletics test", 2), ("Threshold", 6)]


def test_the_prey_tests_an_obstacle_once_for_all_pursuers():
    ann, ben = Runner("Ann"), Runner("Ben")
    came = script(take_obstacle(PLAIN, ann, ben, 10.0, taken=Total(5)), [(3,)], ["open"])
    assert came.outcome == Hurdled(12.0, True)
    assert [fell.roll.by for fell in came.rolls] == ["Ben"]


def test_a_round_of_a_chase_has_its_sums():
    ann, ben = Runner("Ann", Pool(2), speed=20), Runner("Ben", Pool(2), speed=25)
    ran, gap = script(chase_round(PLAIN, ann, (ben,), (10.0,)), [(4, 2), (6, 3)], ["close"]).events
    assert [(reason.label, reason.value) for reason in ran.reasons()] == [("Ann", 24), ("Ben", 31)]
    assert [(term.label, term.value) for term in gap.reasons()[0].terms] == [("gap before", 10), ("winner's margin", -7)]
    assert gap.reasons()[0].value == 3


def test_complexity_counts_against_an_obstacle():
    """The obstacle is a test against a Threshold: both add what they know above the simplest, not only what the other lacks."""
    ann, ben = Runner("Ann", Pool(1), 3, 20), Runner("Ben", Pool(1), 3, 20)
    rolls = script(take_obstacle(PLAIN, ann, ben, 10.0, "tall fence"), [(4,), (3,)]).rolls
    assert [each.roll.reading.modifier for each in rolls] == [2, 2]


@pytest.mark.parametrize(
    ("gap", "margin", "change", "stumbled", "came", "terms"),
    [
        (10, 3, "open", 0, 13, [10, 3]),
        (10, -3, "open", 0, 13, [10, 3]),
        (10, 3, "close", 0, 7, [10, -3]),
        (10, 3, "leave", 0, 10, [10]),
        (10, 3, "close", -4, 3, [10, -3, -4]),
        (10, 3, "close", -7, 0, [10, -3, -7]),
        (10, 3, "close", -8, 0, [10, -3, -8, 0]),  # no gap is below nothing
        (0, 0, "open", 5, 5, [0, 5]),
    ],
)
def test_why_a_gap_is_what_it_is(gap, margin, change, stumbled, came, terms):
    reason = gap_sum(gap, margin, change, stumbled)
    assert (reason.value, [term.value for term in reason.terms]) == (came, terms)
