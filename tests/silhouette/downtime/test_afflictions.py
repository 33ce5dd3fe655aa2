"""Drugs, habits, illness and radiation in time, against the book's figures and with the odds of its rules (lines 5533-5684, 5830-5916)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.calendar import DAY, HOUR, MINUTE, WEEK, YEAR
from rulewright.campaign.downtime import Downtime, Location, OngoingEffect
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.hazards import addiction, disease, drugs, radiation
from rulewright.systems.silhouette.people.conditions import Bout, Habit, Infection, TakenIn
from silhouette.downtime.people import RULES, SILHOUETTE, person

SCENE = SILHOUETTE.staging("downtime").scene(RULES)
ANA = replace(AVERAGE, name="Ana")


def effect(of, hidden=None, **given):
    return read_effect(RULES, SILHOUETTE.downtime, of, given, hidden)


def plan(do, **given):
    return read_assignment(RULES, SCENE.activities, do, given, None, Around())


def time(seconds, *runs, doing=(), taken=None, means=(), rules=RULES, attributes=(), **figures):
    who = replace(person(runs=runs), location="here", doing=doing, means=means)
    life = replace(who.life, taken=taken or TakenIn(), attributes=attributes)
    return Downtime(0, 0, round(seconds), (replace(who, life=life),), (Location.of("here", **figures),))


def played(state, *dice, answers=None):
    return script(run(SCENE, state), list(dice)).outcome


def ana(state):
    return state.people[0]


def ran(state, of):
    return next((run for run in ana(state).runs if run.of == of), None)


def chance(procedure, holds, *arguments):
    odds = exact(sub(procedure, *arguments))
    return Fraction(sum(weight for outcome, weight in odds.weights.items() if holds(outcome)), odds.total)


# --- drugs: lines 5535-5591, 6234 ---------------------------------------------------------------------------------------------


def test_alcohol_works_after_its_onset_and_fades_by_a_point_an_hour():
    """Potency 6, onset 15 minutes: a total of 3 fails by 3, so it works after 5 minutes."""
    state = time(5 * MINUTE, effect("drug", drug="alcohol"))
    assert ana(played(replace(state, until=5 * MINUTE - 1), (3, 2))).life.body.drugged == 0
    body = ana(played(state, (3, 2))).life.body
    assert (body.drugged, body.ignored) == (-3, 3)
    later = [ana(played(replace(state, until=5 * MINUTE + hours * HOUR), (3, 2))).life.body.drugged for hours in (1, 2, 3, 4)]
    assert later == [-2, -1, 0, 0]


def test_sleep_comes_before_the_penalty_fades():
    """Barbiturates, Potency 10: a failure by 6 is sleep for an hour, and the penalty of 4 begins to fall after it."""
    state = time(10 * HOUR, effect("drug", drug="barbiturates"))
    onset = 20 * MINUTE // 6
    asleep = ana(played(replace(state, until=onset + 59 * MINUTE), (4, 2))).life.body
    assert (asleep.unconscious, asleep.drugged) == (60, -4)
    assert [ana(played(replace(state, until=onset + hours * HOUR), (4, 2))).life.body.drugged for hours in (1, 2, 3, 5)] == [-4, -3, -2, 0]


@pytest.mark.parametrize("drug", ["alcohol", "pcp", "cannabis", "barbiturates"])
def test_the_chances_of_a_drug_are_those_of_its_rule(drug):
    state = time(31 * MINUTE, effect("drug", drug=drug))
    whole = exact(sub(run, SCENE, state))
    rule = exact(sub(drugs.take_drug, RULES, ANA, drug))
    for value in range(-5, 1):
        in_time = Fraction(sum(weight for after, weight in whole.weights.items() if ana(after).life.body.drugged == value), whole.total)
        assert in_time == Fraction(sum(weight for dosed, weight in rule.weights.items() if dosed.patient.drugged == value), rule.total)


def test_a_poison_of_ones_own_is_hidden_until_it_works():
    """A fatal toxin deals Potency times the margin: a failure by 4 is 40, a Deep Wound."""
    poison = effect("drug", drug="night root", potency="10", effect="fatal", onset="6 minutes")
    assert poison.known == ()
    rolled = script(run(SCENE, time(2 * MINUTE, poison)), [(6, 1), (6, 6)])
    body = rolled.outcome.people[0].life.body
    assert (body.deep, body.flesh) == (1, 0)
    assert not any(
        event.headline().startswith("Ana does not resist night root") and not event.hidden_from("Ana") for event in rolled.events
    )


def test_a_drug_that_nobody_knows_is_refused():
    with pytest.raises(UserError, match="alcohl"):
        effect("drug", drug="alcohl")


# --- habits: lines 5593-5658 --------------------------------------------------------------------------------------------------


def test_two_weeks_of_alcohol_test_dependence_and_three_addiction():
    """Alcohol: 2-4 weeks against 3 for dependence, 3-6 weeks against 3 for addiction, in continual use."""
    state = time(2 * WEEK - 1, doing=(plan("keep using", drug="alcohol"),))
    assert ana(played(state)).life.taken.habits == ()
    hooked = ana(played(replace(state, until=2 * WEEK), (2, 1))).life.taken.habit("alcohol")
    assert (hooked.dependent, hooked.addicted) == (True, False)
    both = ana(played(replace(state, until=3 * WEEK), (2, 1), (1, 2))).life.taken.habit("alcohol")
    assert (both.dependent, both.addicted) == (True, True)
    assert ana(played(replace(state, until=4 * WEEK), (6, 1), (6, 2), (6, 1))).life.taken.habits == ()


def test_occasional_use_takes_years_and_pcp_counts_doses():
    yearly = time(2 * YEAR - DAY, doing=(plan("keep using", drug="alcohol", use="occasional"),))
    assert SCENE.next_moment(SCENE.settled(replace(yearly, until=9 * YEAR))) == 2 * 365 * DAY
    doses = time(5 * WEEK, doing=(plan("keep using", drug="pcp", uses="1"),))
    assert SCENE.next_moment(SCENE.settled(replace(doses, until=9 * YEAR))) == 5 * WEEK


@pytest.mark.parametrize("clinic", [0, 3])
def test_a_day_without_the_drug_has_the_odds_of_its_rule(clinic):
    habit = Habit("alcohol", True, True)
    whole = exact(sub(run, SCENE, time(DAY, taken=TakenIn(habits=(habit,)), clinic=clinic)))
    rule = exact(sub(addiction.clean_day, RULES, ANA, habit, clinic, "none"))
    for bout in {day.habit.bout for day in rule.weights}:
        in_time = sum(weight for after, weight in whole.weights.items() if ana(after).life.taken.habit("alcohol").bout == bout)
        by_rule = sum(weight for day, weight in rule.weights.items() if day.habit.bout == bout)
        assert Fraction(in_time, whole.total) == Fraction(by_rule, rule.total)


def test_a_bout_is_felt_as_a_penalty_and_taking_the_drug_ends_it():
    shaking = TakenIn(habits=(Habit("alcohol", False, True, bout=Bout(0, 0, -3)),))
    state = time(DAY, taken=shaking)
    state = replace(state, people=(replace(ana(state), life=ana(state).life.penalized(0, -3)),))
    assert ana(played(state)).life.body.ill == -2
    drinks = replace(ana(state), doing=(plan("take a drug", drug="alcohol"),))
    after = ana(played(replace(state, until=1, people=(drinks,)), (6, 6)))
    assert (after.life.body.ill, after.life.taken.habit("alcohol").bout) == (0, Bout())


def test_eight_days_in_a_row_end_an_addiction_to_alcohol():
    state = time(8 * DAY, taken=TakenIn(habits=(Habit("alcohol", False, True),)))
    strong = replace(ana(state), life=Survivor(replace(ANA, health=3), taken=TakenIn(habits=(Habit("alcohol", False, True),))))
    state = replace(state, people=(strong,))
    week = played(replace(state, until=7 * DAY), *[(6, 6)] * 7)
    assert ana(week).life.taken.habit("alcohol").clean_days == 7
    assert ana(played(state, *[(6, 6)] * 8)).life.taken.habits == ()


def test_who_cannot_resist_takes_it_or_suffers_by_the_hour():
    """A failure by 5 to 9 costs 2, which falls by 1 each hour."""
    state = time(1, effect("temptation", drug="barbiturates"), taken=TakenIn(habits=(Habit("barbiturates", True),)))
    refused = script(run(SCENE, state), [(1, 1)], ["refuse"]).outcome
    assert (ana(refused).life.body.ill, ran(refused, "craving").data) == (-3, (-3,))  # a fumble counts as a failure by 10
    assert [ana(played(replace(refused, until=hours * HOUR))).life.body.ill for hours in (1, 2, 3)] == [-2, -1, 0]
    gave_in = script(run(SCENE, state), [(2, 1), (6, 6)], ["take"]).outcome
    assert ana(gave_in).life.body.ill == 0


def test_a_year_without_it_ends_a_dependence():
    state = time(YEAR - 1, taken=TakenIn(habits=(Habit("cannabis", True),)))
    assert ana(played(state)).life.taken.habit("cannabis").dependent
    assert ana(played(replace(state, until=YEAR))).life.taken.habits == ()


# --- illness: lines 5660-5684 -------------------------------------------------------------------------------------------------


def test_influenza_incubates_in_secret_and_then_shows():
    """Contagion 9: a total of 6 fails by 3, so a week becomes 56 hours, and Virulence 9 rises to 12."""
    state = time(56 * HOUR, effect("exposure", illness="mutant influenza"))
    quiet = script(run(SCENE, replace(state, until=56 * HOUR - 1)), [(6, 1)])
    assert ran(quiet.outcome, "exposure").data == ("mutant influenza", 12, 56 * HOUR)
    assert all(event.hidden_from("Ana") for event in quiet.events if event.logged)
    assert [len(SCENE.view(quiet.outcome, who).cards[0].pieces) for who in ("Ana", None)] == [1, 2]
    ill = script(run(SCENE, state), [(6, 1), (5, 4)])
    assert ana(ill.outcome).life.taken.infections == (Infection("mutant influenza", 0, 0, 0, 3, -4),)
    assert any("must stay in bed" in event.headline() for event in ill.events if event.logged and not event.hidden_from("Ana"))


def test_who_is_in_bed_neither_works_nor_treats_and_recovers_by_the_day():
    bedridden = TakenIn(infections=(Infection("mutant influenza", 0, 0, 0, 2, -2),))
    state = time(4 * DAY, taken=bedridden, doing=(plan("something else", aim="the ledger"),))
    assert "cannot act" in SCENE.schedule(SCENE.settled(state))["Ana"][0][1]
    assert ana(played(replace(state, until=4 * DAY))).life.taken.infections == ()


def test_the_odds_of_an_infection_and_of_its_course_are_those_of_the_rules():
    whole = exact(sub(run, SCENE, time(1, effect("exposure", illness="mutant influenza"), hygiene=2)))
    infected = Fraction(sum(weight for after, weight in whole.weights.items() if ran(after, "exposure")), whole.total)
    assert infected == chance(disease.catch, lambda infection: infection is not None, RULES, ANA, "mutant influenza", 2)
    incubating = OngoingEffect("exposure", "mutant influenza", 0, ("mutant influenza", 12, HOUR), ())
    whole = exact(sub(run, SCENE, time(HOUR, incubating)))
    rule = exact(sub(disease.break_out, RULES, ANA, Infection("mutant influenza", 12)))
    for infection in rule.weights:
        kept = () if infection.over else (infection,)
        in_time = sum(weight for after, weight in whole.weights.items() if ana(after).life.taken.infections == kept)
        assert Fraction(in_time, whole.total) == Fraction(rule.weights[infection], rule.total)


@pytest.mark.parametrize(("care", "deaths"), [("constant", 0), ("none", 2)])
def test_a_day_of_fever_kills_without_care(care, deaths):
    """Two chances in six without any attention, none with proper attention (line 5680)."""
    state = time(DAY, taken=TakenIn(infections=(Infection("mutant influenza", 0, 0, 1, 4, -4),)), care=care)
    whole = exact(sub(run, SCENE, state))
    died = Fraction(sum(weight for after, weight in whole.weights.items() if ana(after).life.body.dead), whole.total)
    assert died == Fraction(deaths, 6)


# --- radiation: lines 5830-5916 -----------------------------------------------------------------------------------------------


def test_a_burst_is_kept_apart_until_the_sickness_shows():
    """300 rads: Threshold 9. A total of 6 fails by 3; a Health roll of 5 is five hours until a penalty of 3 shows."""
    burst = effect("irradiation", rads="300")
    quiet = script(run(SCENE, time(5 * HOUR - 1, burst)), [(6, 1), (5, 1)])
    assert ana(quiet.outcome).life.taken == TakenIn()
    assert ran(quiet.outcome, "rads").data == (300_000, 300_000)
    assert all(event.hidden_from("Ana") for event in quiet.events if event.logged)
    sick = ana(played(time(5 * HOUR, burst), (6, 1), (5, 1)))
    assert (sick.life.body.ill, sick.life.taken.rads, sick.life.taken.worst_irradiation) == (-3, 300, 3)
    assert [ana(played(time((5 + 12 * half) * HOUR, burst), (6, 1), (5, 1))).life.body.ill for half in (1, 2, 3)] == [-2, -1, 0]


@pytest.mark.parametrize("rads", [60, 300, 700])
def test_the_secret_test_has_the_odds_of_its_rule(rads):
    whole = exact(sub(run, SCENE, time(1, effect("irradiation", rads=str(rads)))))
    rule = exact(sub(radiation.rads_tell, RULES, ANA, float(rads)))
    passed = sum(
        weight for after, weight in whole.weights.items() if not ran(after, "radiation sickness") and not ran(after, "radiation strike")
    )
    assert Fraction(passed, whole.total) == Fraction(sum(weight for told, weight in rule.weights.items() if told.passed), rule.total)


def test_lingering_sickness_comes_days_later_and_takes_days_to_leave():
    """A failure by 6: first -4; after a Health roll of days -1 and a test of Health against 4 a day; then 10 - 5 days to full health."""
    burst = effect("irradiation", rads="1000")  # Threshold 16
    state = time(9 * DAY, burst)
    dice = [(6, 1), (1, 2)]  # a failure by 10, two hours
    first = played(replace(state, until=2 * HOUR), *dice, (3, 1))
    assert ana(first).life.body.ill == -4
    worse = ana(played(replace(state, until=2 * HOUR + 3 * DAY), *dice, (3, 1)))
    assert (worse.life.taken.rad_sickness, worse.life.body.ill) == (10, -3)


def test_rads_are_purged_by_the_week_down_to_a_tenth():
    """Line 5834; treatment multiplies what is purged."""
    for factor in (1, 8):
        state = time(2 * WEEK, taken=TakenIn(100, 100), purging=factor)
        whole = exact(sub(run, SCENE, state))
        rule = exact(sub(radiation.weeks_later, RULES, ANA, TakenIn(100, 100), 2, factor))
        for left in {after.rads for after in rule.weights}:
            in_time = sum(weight for after, weight in whole.weights.items() if ana(after).life.taken.rads == left)
            assert Fraction(in_time, whole.total) == Fraction(sum(w for after, w in rule.weights.items() if after.rads == left), rule.total)
    assert ana(played(time(9 * WEEK, taken=TakenIn(10, 100)))).life.taken.rads == 10


def test_a_source_gives_its_rate_less_the_protection():
    """Fallout after a day: 7 rads an hour; a suit of 5 lets 2 an hour through."""
    name = next(row.radiates for row in radiation.RAD_SOURCES(RULES).values() if row.per_hour == (7, 7))
    after = played(time(3 * HOUR, effect("irradiation", hidden=False, source=name, time="3 hours", protection="5")))
    assert ana(after).life.taken.rads == 6


def test_a_radiating_place_is_tested_once_a_day():
    state = time(2 * DAY, rads=40)
    after = played(state, (6, 1))  # 80 rads on the second day, Threshold 6
    assert (ana(after).life.taken.rads, ran(after, "radiation sickness")) == (80, None)


def test_the_years_after_bring_cancer_by_the_rule():
    state = time(YEAR, taken=TakenIn(worst_irradiation=9))
    whole = exact(sub(run, SCENE, state))
    ill = Fraction(sum(weight for after, weight in whole.weights.items() if "cancer" in after.stopped), whole.total)
    assert ill == chance(radiation.year, lambda fine: not fine, RULES, ANA, 9)
    assert 0 < ill < 1
    assert OngoingEffect("late effects of radiation", data=("cancer",)) in ana(played(state, (2, 1))).runs
