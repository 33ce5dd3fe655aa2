"""Activities and effects between scenes: drugs, habits, illness, tasks and growth, with the book's figures and exact odds."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.calendar import DAY, HOUR, WEEK
from rulewright.campaign.downtime import Assignment, Downtime, Location, OngoingEffect, Participant, SheetTest
from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.scumm.downtime.habits import read_addiction
from rulewright.systems.scumm.downtime.survivors import Survivor
from rulewright.systems.scumm.harm.body import AVERAGE
from rulewright.systems.scumm.harm.disease import FEVER, catch, run_course
from rulewright.systems.scumm.harm.drugs import day_without, dose, known_drug

SCUMM = find("scumm")
RULES = SCUMM.book.ruleset(settings={"addiction": True})
SCENE = SCUMM.staging("downtime").scene(RULES)
GAME = SCUMM.downtime
LEVELS = (("disguise", 2), ("forgery", 2), ("persuasion", 2), ("tinker", 3))
TINKER = SheetTest("tinker", "Tinker", "3d")


def person(*doing, runs=(), means=(), owned=(), skills=LEVELS, body=AVERAGE):
    life = Survivor(replace(body, name="Ana"), skills=skills)
    return Participant("Ana", life, runs=runs, doing=doing, means=means, owned=owned, tests=(TINKER,), location="here")


def time(who, span, stops=(), **figures):
    return Downtime(0, 0, span, (who,), (Location.of("here", **figures),), stops=stops)


def plan(do, hours=None, **given):
    return read_assignment(RULES, SCENE.activities, do, given, hours, Around((), ("here", "there"), {"tinker": "tinker"}))


def effect(of, hidden=False, **given):
    return read_effect(RULES, GAME, of, given, hidden)


def played(state, *dice, seed=None):
    """The downtime played to its end with these dice, in order."""
    procedure = run(SCENE, state)
    return Player(Seeded(seed)).run(procedure) if seed is not None else script(procedure, list(dice)).outcome


def ana(state):
    return state.people[0]


# --- drugs: lines 650-690 -----------------------------------------------------------------------------------------------------


def test_a_drug_works_after_its_onset_and_fades_by_a_point_an_hour():
    # Alcohol: Potency 6, onset 15 minutes. A total of 3 fails by 3, so it works after 5 minutes (lines 652, 686).
    state = time(person(runs=(effect("drug", drug="alcohol"),)), 4 * 60)
    assert ana(played(state, (3, 2))).life.body.influences == ()
    after = played(replace(state, until=5 * 60), (3, 2))
    assert {(influence.effect, influence.points) for influence in ana(after).life.body.influences} >= {("sedative", 3), ("analgesic", 3)}
    later = played(replace(state, until=5 * 60 + HOUR), (3, 2))
    assert {influence.points for influence in ana(later).life.body.influences} == {2}
    assert ana(played(replace(state, until=4 * HOUR), (3, 2))).life.body.influences == ()


def test_what_a_drug_does_is_what_the_rule_does():
    drug = known_drug(RULES, "barbiturates")
    state = time(person(runs=(effect("drug", drug="barbiturates", doses="2"),)), HOUR)
    rolled = script(dose(RULES, drug, replace(AVERAGE, name="Ana"), 2), [(2, 3)])
    seconds, fresh = rolled.outcome.onset_seconds, rolled.outcome.patient
    at_onset = ana(played(replace(state, until=seconds), (2, 3))).life.body
    assert (at_onset.unconscious, at_onset.influences) == (fresh.unconscious, fresh.influences)


def test_the_chance_of_resisting_is_that_of_the_rule():
    state = time(person(runs=(effect("drug", drug="cannabis"),)), 1)
    whole = exact(sub(run, SCENE, state))
    rule = exact(sub(dose, RULES, known_drug(RULES, "cannabis"), replace(AVERAGE, name="Ana")))
    resists = Fraction(sum(weight for after, weight in whole.weights.items() if not ana(after).runs), whole.total)
    assert resists == Fraction(sum(weight for after, weight in rule.weights.items() if not after.margin), rule.total)
    assert 0 < resists < 1


def test_doses_come_from_the_stock_and_never_below_nothing():
    line = plan("take a drug", drug="alcohol", doses="2")
    state = time(person(line, means=(("alcohol", 3),)), HOUR)
    after = played(state, (6, 6))
    assert ana(after).amount("alcohol") == 1
    assert ana(after).doing == ()
    short = time(person(line, means=(("alcohol", 1),)), DAY)
    after = played(short)
    assert (ana(after).amount("alcohol"), ana(after).doing) == (1, (line,))
    assert SCENE.schedule(short)["Ana"][0][1] == "1 dose of alcohol left"


def test_a_second_dose_while_the_first_has_not_worked_yet_is_another():
    lines = (plan("take a drug", drug="alcohol"), replace(plan("take a drug", drug="alcohol"), aim="another"))
    after = played(time(person(*lines), 1), (3, 2), (2, 1))
    assert sorted(run.about for run in ana(after).runs if run.of == "drug") == ["alcohol", "alcohol 2"]


# --- habits: lines 692-708 ----------------------------------------------------------------------------------------------------


def test_three_weeks_of_alcohol_call_for_a_test_against_3():
    line = plan("keep using", drug="alcohol")
    state = time(person(line), 3 * WEEK)
    assert not played(replace(state, until=3 * WEEK - 1)).people[0].runs[0].data
    assert [run.of for run in ana(played(state, (4, 1))).runs] == ["keep using"]
    after = played(state, (2, 1))
    assert read_addiction(next(run for run in ana(after).runs if run.of == "addiction")).rating == 5


def test_an_addict_who_keeps_using_has_no_withdrawal():
    state = time(person(plan("keep using", drug="alcohol"), runs=(effect("addiction", drug="alcohol"),)), 30 * DAY)
    after = played(state)
    assert read_addiction(next(run for run in ana(after).runs if run.of == "addiction")).streak == 0


def test_days_without_are_those_of_the_rule_and_a_clinic_helps():
    for figures in ({}, {"clinic": 3}):
        state = time(person(runs=(effect("addiction", drug="alcohol"),)), DAY, **figures)
        whole, start = exact(sub(run, SCENE, state)), read_addiction(effect("addiction", drug="alcohol"))
        rule = exact(sub(day_without, RULES, start, replace(AVERAGE, name="Ana"), figures.get("clinic", 0)))
        streaks = {
            streak: sum(w for after, w in whole.weights.items() if read_addiction(addicted(after)).streak == streak) for streak in (0, 1)
        }
        by_rule = {streak: sum(w for after, w in rule.weights.items() if after.streak == streak) for streak in (0, 1)}
        assert Fraction(streaks[1], whole.total) == Fraction(by_rule[1], rule.total)


def addicted(state):
    return next(run for run in ana(state).runs if run.of == "addiction")


def test_five_days_in_a_row_end_an_addiction_to_alcohol():
    state = time(person(runs=(effect("addiction", drug="alcohol"),)), 5 * DAY)
    after = played(state, *[(6, 6)] * 5)
    assert ana(after).runs == ()
    assert ana(after).life.body.influences == ()


def test_a_drug_ends_the_symptoms_and_the_count():
    runs = (replace(effect("addiction", drug="alcohol"), data=(5, 3, 0, 1, 2, 0, 0)),)
    after = played(time(person(plan("take a drug", drug="alcohol"), runs=runs), 1), (6, 6))
    assert addicted(after).data == (5, 0, 1, 0, 0, 0, 0)


def test_a_campaign_without_addiction_refuses_habits():
    with pytest.raises(UserError, match="leaves addiction out"):
        read_assignment(SCUMM.book.ruleset(), SCENE.activities, "keep using", {"drug": "alcohol"}, None, Around())


# --- illness: lines 710-716 ---------------------------------------------------------------------------------------------------


def ill(**given):
    return effect("illness", hidden=True, name="fever", **given)


def test_an_illness_incubates_in_secret_and_shows_when_it_breaks_out():
    # Contagiousness 5 missed by 2, so 72 hours are divided by 2, and the Virulence of 4 rises to 6 (line 712).
    state = time(person(runs=(ill(),)), 36 * HOUR)
    quiet = played(replace(state, until=36 * HOUR - 1), (3, 1))
    assert ana(quiet).runs[0].known == ()
    assert ana(quiet).runs[0].data[5:] == (6, 36 * HOUR)
    after = played(state, (3, 1), (2, 1))
    assert (ana(after).runs[0].known, ana(after).runs[0].data[5:]) == (None, (6, -1))
    assert ana(played(state, (3, 1), (6, 6))).runs == ()


def test_nothing_hidden_is_told_before_the_outbreak():
    state = time(person(runs=(ill(),)), 36 * HOUR)
    events = script(run(SCENE, state), [(3, 1), (2, 1)]).events
    told = [event.headline() for event in events if event.logged and not event.hidden_from("Ana")]
    assert not any("catches" in words for words in told)
    assert any("suffers complications" in words for words in told)


def test_the_odds_of_an_illness_are_those_of_the_rule():
    state = time(person(runs=(ill(),)), 200 * HOUR, hygiene=1)
    whole = exact(sub(run, SCENE, state))
    complications = Fraction(sum(weight for after, weight in whole.weights.items() if ana(after).runs), whole.total)

    def by_rule():
        infection = yield from catch(RULES, FEVER, replace(AVERAGE, name="Ana"), 1)
        return infection is not None and (yield from run_course(RULES, FEVER, infection, replace(AVERAGE, name="Ana")))

    rule = exact(sub(by_rule))
    assert complications == Fraction(rule.weights[True], rule.total)


# --- tasks --------------------------------------------------------------------------------------------------------------------


def test_a_long_task_gathers_margins_until_the_total():
    line = plan("long task", hours=24, aim="the engine", test="tinker", threshold="3", total="5", unit="4 hours")
    state = time(person(line), DAY)
    after = played(state, (5, 2, 1), (2, 2, 1), (6, 1, 2))  # margins 2, -1 and 3
    assert ana(after).doing == ()
    assert after.now == DAY
    part = played(replace(state, until=8 * HOUR), (5, 2, 1), (2, 2, 1))
    assert ana(part).runs[0].data == (2, 2)


@pytest.mark.parametrize(("how", "hours", "total"), [("average", 1, 5), ("high", 20, 7)])
def test_taking_time_is_certain_and_high_takes_twenty_times_as_long(how, hours, total):
    # Tinker 3: 2 or 4 plus the level (lines 333-340).
    line = plan("take time", aim="the lock", skill="tinker", how=how, time="1 hour", threshold=str(total))
    procedure = script(run(SCENE, time(person(line), hours * HOUR)), [])
    assert ana(procedure.outcome).doing == ()
    assert any(f"{total} against {total}, success" in event.headline() for event in procedure.events)
    assert ana(played(time(person(line), hours * HOUR - 1))).doing == (line,)
    with_none = time(person(line, skills=()), DAY)
    assert "unskilled test is always rolled" in SCENE.schedule(with_none)["Ana"][0][1]


def test_a_gadget_works_until_it_is_pushed_too_far():
    made = played(time(person(plan("jury-rig", aim="radio", threshold="4", time="1 hour")), HOUR), (5, 1, 1))
    assert ana(made).runs == (OngoingEffect("gadget", "radio", 0, (4, "works")),)
    pushed = replace(made, until=made.now + 60, people=(replace(ana(made), doing=(plan("handle a gadget", aim="radio"),)),))
    assert ana(played(pushed, (5, 2, 1))).runs[0].data == (4, "works")
    broken = played(pushed, (2, 2, 1))
    assert ana(broken).runs[0].data == (4, "malfunctions")
    fixed = replace(
        broken, until=broken.now + 60, people=(replace(ana(broken), doing=(plan("handle a gadget", aim="radio", what="fix it"),)),)
    )
    assert ana(played(fixed)).runs[0].data == (4, "works")
    assert ana(played(pushed, (1, 1, 1))).runs == ()


def test_a_disguise_raises_the_threshold_of_onlookers_by_its_margin():
    worn = played(time(person(plan("disguise", aim="a waiter", threshold="3", time="1 hour")), HOUR), (5, 1))
    assert ana(worn).runs == (OngoingEffect("disguised", "a waiter", 0, (2,)),)
    looked = effect("disguised", aim="a waiter", margin="2", notice="2", threshold="2")
    seen = time(person(runs=(looked,)), 1)
    assert ana(played(seen, (5, 1))).runs == ()
    assert ana(played(seen, (3, 1))).runs[0].data == (2,)


def test_a_deal_brings_wealth_points_and_a_failure_none():
    line = plan("deal", aim="the boat", target="easy", gain="3", time="1 hour")
    state = time(person(line, owned=(("Wealth Points", 4),)), HOUR)
    assert ana(played(state, (6, 2))).amount("Wealth Points") == 7
    assert ana(played(state, (1, 1))).amount("Wealth Points") == 4


@pytest.mark.parametrize(("modifier", "verdict"), [("2", "3 against 3, fumble, draw"), ("1", "2 against 3, fumble, failure by 1")])
def test_a_fumble_counts_one_plus_modifiers_line_307(modifier, verdict):
    line = plan("forge", aim="a pass", threshold="3", modifier=modifier, time="1 hour")
    events = script(run(SCENE, time(person(line), HOUR)), [(1, 1)]).events
    assert verdict in " ".join(event.headline() for event in events)


@pytest.mark.parametrize(("familiar", "done"), [("familiar", True), ("unfamiliar", False)])
def test_an_unfamiliar_field_costs_two(familiar, done):
    line = plan("forge", aim="a pass", threshold="4", familiar=familiar, time="1 hour")
    events = script(run(SCENE, time(person(line), HOUR)), [(5, 1)]).events
    assert any(("success" if done else "failure") in event.headline() for event in events)


# --- growth -------------------------------------------------------------------------------------------------------------------


def test_learning_costs_experience_and_stops_the_time_for_the_sheet():
    line = (
        plan("learn a skill", skill="tinker", time="1 week", hours=24) if False else plan("learn a skill", skill="tinker", time="8 hours")
    )
    state = time(person(line, owned=(("Experience Points", 30),)), 30 * DAY)
    after = played(state)
    assert after.now == DAY
    assert dict(ana(after).learnt[0].fields) == {"buy": "skill", "what": "tinker", "to": 4}
    assert "reaches tinker 4" in after.stopped
    poor = time(person(line, owned=(("Experience Points", 1),)), DAY)
    assert "are needed, 1 are left" in SCENE.schedule(poor)["Ana"][0][1]


def test_an_award_is_the_average_of_the_book_unless_said():
    for xp, gained in (("0", None), ("7", 7)):
        after = played(time(person(runs=(effect("award", session="the ferry", xp=xp),)), 1))
        fields = dict(ana(after).learnt[0].fields)
        assert fields["xp"] == gained or (gained is None and fields["xp"] > 0)


def test_buying_needs_the_wealth_and_gives_stock():
    line = plan("buy", aim="alcohol", cost="2", number="6", time="1 hour")
    after = played(time(person(line, owned=(("Wealth Points", 5),)), HOUR))
    assert (ana(after).amount("Wealth Points"), ana(after).amount("alcohol")) == (3, 6)
    poor = played(time(person(line, owned=(("Wealth Points", 1),)), HOUR))
    assert (ana(poor).amount("Wealth Points"), ana(poor).doing) == (1, (line,))


def test_work_pays_by_the_week_and_tires():
    line = plan("work for a wage", aim="docks", wage="2", weeks="2")
    tired = SCUMM.book.ruleset(settings={"fatigue": True})
    scene = SCUMM.staging("downtime").scene(tired)
    state = time(person(line), 15 * DAY)
    after = Player(Seeded(1)).run(run(scene, state))
    assert ana(after).amount("Wealth Points") == 4
    assert ana(after).doing == ()
    assert scene.exertion(state, ana(state)) == "hard work"
    assert scene.exertion(after, ana(after)) == ""


def test_walking_changes_the_place():
    after = played(time(replace(person(plan("march", to="there", takes="6 hours"))), 6 * HOUR))
    assert ana(after).location == "there"
    assert SCENE.exertion(time(person(Assignment("march", "there")), DAY), person(Assignment("march", "there"))) == "walking"
