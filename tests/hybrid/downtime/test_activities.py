"""Activities between scenes in Hybrid: training, careers, journeys and ties (lines 653-657, 770-802, 1597-1649, 1951-1999)."""

import pytest
from msgspec.structs import replace

from rulewright.build.experience import advanced
from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.calendar import DAY, HOUR, MONTH, YEAR, write_span
from rulewright.campaign.downtime import Downtime, Location, Participant
from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.hybrid.downtime.growth import status_in
from rulewright.systems.hybrid.downtime.journeys import EFFORTS
from rulewright.systems.hybrid.harm.energy import spend
from rulewright.systems.hybrid.people.advancement import experience_left, standing
from rulewright.systems.hybrid.people.careers import career_year
from rulewright.systems.hybrid.people.characters import Award, Career, Character, Tie, Training, Year, statistics_of
from rulewright.systems.hybrid.people.movement import pace
from rulewright.systems.hybrid.people.ties import friends, income, upkeep
from rulewright.systems.hybrid.resolution.tests import Check, skill_check

HYBRID = find("hybrid")
RULES = HYBRID.book.ruleset(settings={"careers": True})
SCENE = HYBRID.staging("downtime").scene(RULES)
GAME = HYBRID.downtime
JOE = Character("Joe", culture="Merovan")


def person(*doing, character=JOE, name="Ana", runs=(), means=()):
    owned = tuple(sorted(GAME.owned(RULES, character).items()))
    return Participant(name, GAME.of(RULES, character, name), runs=runs, doing=doing, means=means, owned=owned, location="here")


def time(span, *people):
    return Downtime(0, 0, span, people, (Location("here"), Location("there")))


def plan(do, hours=None, **given):
    given = {name.replace("_", " "): value for name, value in given.items()}
    return read_assignment(RULES, SCENE.activities, do, given, hours, Around(("Ana", "Ben"), ("here", "there")))


def played(state, *dice, seed=None):
    procedure = run(SCENE, state)
    return Player(Seeded(seed)).run(procedure) if seed is not None else script(procedure, [(die,) for die in dice]).outcome


def ana(state):
    return state.people[0]


def waits(state):
    return SCENE.schedule(state)["Ana"][0][1]


def learnt(state):
    return [(entry.entry, dict(entry.fields)) for entry in ana(state).learnt]


# --- training and skills: lines 653-657 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "hours"), [("teacher", 10), ("partner", 20), ("alone", 30)])
def test_training_is_worth_a_point_for_its_hours(method, hours):
    line = plan("train", hours=8, skill="Haggling", method=method)
    state = time(60 * DAY, person(line))
    after = played(state)
    assert after.now == hours * 3 * HOUR
    assert learnt(after) == [("training", {"hours": hours, "skill": "Haggling", **({} if method == "alone" else {"method": method})})]
    sheet = advanced(JOE, "training", dict(ana(after).learnt[0].fields))
    assert experience_left(RULES, sheet).value == 1


def test_hours_too_few_for_a_point_count_on():
    """9 hours with a teacher before, and one more makes the point."""
    begun = replace(JOE, advancement=(Training(9, "teacher", "Haggling"),))
    line = plan("train", hours=24, skill="Haggling", method="teacher", hours_of_training="1")
    after = script(run(SCENE, time(DAY, person(line, character=begun))), [])
    assert any("+1 experience points" in event.headline() for event in after.events)


def test_a_teacher_at_the_place_gives_as_many_hours():
    line = plan("train", skill="Haggling", method="teacher", **{"with": "Ben"})
    busy = plan("train", hours=10, skill="Stealth")
    state = time(30 * DAY, person(line), person(busy, name="Ben"))
    assert [why for _, why in SCENE.schedule(state)["Ben"]] == ["Ben has no time for it yet"]
    assert waits(time(DAY, person(line))) == "Ben is not there"


def test_the_first_ranks_of_a_skill_of_base_cost_2_cost_four_points_each():
    """Line 653: Weapon: Fist from rank 0 to 1, and from 1 to 2."""
    rich = replace(JOE, advancement=(Award(40),))
    line = plan("raise a skill", what="Weapon: Fist", time="8 hours")
    state = time(30 * DAY, person(line, character=rich))
    costs, sheet = [], rich
    for _ in range(3):
        after = played(replace(state, people=(person(line, character=sheet),)))
        before = experience_left(RULES, sheet).value
        sheet = advanced(sheet, "raised", dict(ana(after).learnt[0].fields))
        costs.append(before - experience_left(RULES, sheet).value)
    assert costs[1:] == [4, 4]
    assert standing(RULES, sheet).ranks["Weapon: Fist"] == 2
    assert "are left" in waits(time(DAY, person(line)))


def test_an_award_is_an_entry_of_the_log():
    award = read_effect(RULES, GAME, "award", {"session": "the bell", "eep": "6"}, False)
    assert learnt(played(time(1, person(runs=(award,))))) == [("award", {"eep": 6, "session": "the bell"})]


# --- careers: lines 1647-1649, 1951-1999 --------------------------------------------------------------------------------------


def test_a_year_in_a_career_has_the_odds_of_the_rule():
    state = time(YEAR, person(plan("career", career="Soldier")))
    statistics = statistics_of(RULES, JOE)
    rule = exact(sub(career_year, RULES, "Soldier", int(statistics["PAW"].value), int(statistics["MAW"].value)))
    whole = exact(sub(run, SCENE, state)).map(
        lambda after: (
            max(0, dict(learnt(after)).get("award", {}).get("eep", 0)),
            ana(after).amount("money"),
            ana(after).amount(status_in("Soldier")),
        )
    )
    by_rule = rule.map(lambda year: (max(0, year.development), year.money, year.status))
    assert {value: whole[value] for value in whole.weights} == {value: by_rule[value] for value in by_rule.weights}
    assert len(by_rule.weights) == 8


def test_status_of_earlier_years_counts_towards_a_rank():
    served = replace(JOE, careers=(Career("Soldier", (Year(0, 0, 1),)),))
    state = time(YEAR, person(plan("career", career="Soldier"), character=served))
    procedure = script(run(SCENE, state), [(1,), (99,), (1,)])
    assert any("becomes Corporal" in event.headline() for event in procedure.events)
    with pytest.raises(UserError, match="no career rolls"):
        read_assignment(HYBRID.book.ruleset(), SCENE.activities, "career", {"career": "Soldier"}, None, Around())


def test_a_continued_career_takes_its_hours_and_gives_nothing():
    going_on = plan("continue a career", aim="Soldier")
    state = time(YEAR, person(going_on, plan("train", hours=10, skill="Haggling")))
    assert [why for _, why in SCENE.schedule(state)["Ana"]] == ["", "Ana has no time for it yet"]
    after = played(state)
    assert (after.now, ana(after).doing[0], ana(after).means) == (YEAR, going_on, ())


# --- ways: lines 770-802 ------------------------------------------------------------------------------------------------------


def test_a_march_goes_at_a_walk_for_eight_hours_a_day():
    metres_a_second = pace(RULES, float(statistics_of(RULES, JOE)["PMV"].value), "walk").value
    line = plan("march", to="there", km="10", **{"with": "Ben"})
    state = time(30 * DAY, person(line), person(name="Ben"))
    assert SCENE.exertion(state, ana(state)) == "walking"
    needed = -(-10_000 // metres_a_second) * 3
    after = played(state, seed=1)
    assert [who.location for who in after.people] == ["there", "there"]
    before = played(replace(state, until=int(needed) - 1), seed=1)
    assert [who.location for who in before.people] == ["here", "here"]


@pytest.mark.parametrize(("mode", "share"), [("dash", 1), ("run", 2), ("jog", 4), ("crawl", 16)])
def test_a_short_way_takes_the_time_of_its_pace_and_costs_energy(mode, share):
    """Line 782: each pace is half of the one above it."""
    speed = float(statistics_of(RULES, JOE)["PMV"].value) / share
    line = plan("hurry", to="there", metres="300", mode=mode)
    state = time(DAY, person(line))
    needed = -int(-300 // speed)
    assert ana(played(replace(state, until=needed + 1), seed=1)).location == "there"
    assert ana(played(replace(state, until=needed - 2), seed=1)).location == "here"
    events = [event.headline() for event in script(run(SCENE, replace(state, until=needed + 1)), []).events]
    seconds = next(seconds for seconds in range(needed - 2, needed + 2) if any(write_span(seconds) in words for words in events))
    left = spend(RULES, ana(state).life.body.energy, EFFORTS[mode], seconds)
    assert any(f"PFT {left.fatigue} and PEX {left.exhaustion} left" in words for words in events)


def test_a_mind_travels_at_mental_movement():
    speed = float(statistics_of(RULES, JOE)["MMV"].value)
    line = plan("send the mind", aim="the archive", distance="1000")
    state = time(DAY, person(line))
    assert ana(played(replace(state, until=int(1000 // speed) + 2))).doing == ()
    assert ana(played(replace(state, until=int(1000 // speed) - 1))).doing == (line,)


# --- ties: lines 1597-1645 ----------------------------------------------------------------------------------------------------

TIED = replace(
    JOE,
    incomes=(Tie("the mill", 100, "medium"),),
    friends=(Tie("old comrades", 1, "very high"),),
    reputation=(Tie("honest", 100, "medium"),),
)


def test_an_income_brings_a_third_again_and_again_as_long_as_it_is_looked_after():
    line = plan("look after an income")
    state = time(10 * MONTH, person(line, character=TIED))
    each = income(RULES, 100, "medium").value
    after = played(state)
    assert ana(after).amount("wealth points") == int(round(each * 10) * 10 // 10)
    assert ana(after).doing == (line,)
    assert "has no income" in waits(time(DAY, person(line)))


def test_managing_an_income_is_easier_by_its_depth():
    line = plan("look after an income", managing="5")
    whole = exact(sub(run, SCENE, time(MONTH, person(line, character=TIED)))).map(lambda after: bool(ana(after).amount("wealth points")))
    rule = exact(sub(skill_check, RULES, Check(5).plus(upkeep(RULES, "medium").value))).map(lambda degree: degree.success)
    assert whole[True] == rule[True]


def test_friends_help_by_their_depth():
    """Line 1981: a very high depth, DF 12, is 60 % more for aid."""
    line = plan("ask for help", difficulty="3")
    state = time(HOUR, person(line, character=TIED))
    words = [event.headline() for event in script(run(SCENE, state), [(1,)]).events]
    assert any("gets help from old comrades (+60 % by depth)" in line for line in words)
    check = Check(3).plus(friends(RULES, 1, "very high").value)
    rule = exact(sub(skill_check, RULES, check)).map(lambda degree: degree.success)
    rolls = [any("gets help" in event.headline() for event in script(run(SCENE, state), [(roll,)]).events) for roll in range(1, 101)]
    assert sum(rolls) / 100 == float(rule[True])


def test_a_reputation_is_known_or_not_and_must_be_on_the_sheet():
    state = time(1, person(plan("be recognized", reputation="honest"), character=TIED))
    told = [event.headline() for event in script(run(SCENE, state), [(1,)]).events]
    assert any("is recognized (honest)" in words for words in told)
    assert "has no reputation cruel" in waits(time(1, person(plan("be recognized", reputation="cruel"), character=TIED)))
