"""Experience and lessons between scenes in ForeSight (lines 786-797, 1061-1103, 1939-1951, 2248-2250)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.downtime.plans import GAME, RULES, SCENE, ana, effect, learnt, person, plan, played, time, waits, with_log
from foresight.downtime.test_wounds import FORESIGHT
from rulewright.build.experience import advanced
from rulewright.campaign.activities.plan_text import Around, read_assignment
from rulewright.campaign.calendar import DAY, HOUR, MONTH
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.foresight.downtime.survivors import person_of, task_of
from rulewright.systems.foresight.people.advancement import Standing, standing
from rulewright.systems.foresight.people.attributes import attribute_task
from rulewright.systems.foresight.people.characters import Award, Known, Person, Purchase, Study
from rulewright.systems.foresight.people.skills import skill_price, skill_row
from rulewright.systems.foresight.people.social import teach, teaching_hours
from rulewright.systems.foresight.people.study import studied, train
from rulewright.systems.foresight.resolution.tests import attempt

MEDIC = replace(AMY, fields=(*AMY.fields, Known("Medicine", "basic")))


@pytest.mark.parametrize(("in_character", "objectives", "points"), [("0", "0", 5), ("3", "0", 8), ("5", "5", 15)])
def test_an_award_has_the_figures_of_the_book(in_character, objectives, points):
    after = played(time(DAY, person(runs=(effect("award", session="the ferry", in_character=in_character, objectives=objectives),))))
    assert learnt(after) == [("award", {"points": points, "session": "the ferry"})]


def test_the_points_of_an_award_are_studied_as_amy_studies_medicine():
    """Lines 1084: 8 points and QR3 make 4 education points; 8 points stand for 4.8 months, or 9.6 part time."""
    amy = with_log(Award(8), character=MEDIC)
    state = time(MONTH * 12, person(plan("study", field="Medicine"), character=amy))
    months = 8 * 3 / 5
    assert not learnt(played(replace(state, until=round(months * MONTH) - 1)))
    qr3 = next(roll for roll in range(1, 100) if _rating_of_study(amy, roll) == 3)
    after = played(replace(state, until=MONTH * 20), qr3)
    assert after.now == round(months * MONTH)
    assert learnt(after) == [("study", {"points": 8, "field": "Medicine", "qr": 3})]
    entry = dict(ana(after).learnt[0].fields)
    now = standing(RULES, advanced(amy, "study", entry))
    assert (now.general, now.education) == (standing(RULES, amy).general - 4, {"Medicine": 4})


def _rating_of_study(character, roll):
    value = Person.of(RULES, character).attribute("IN")
    return script(attempt(RULES, attribute_task(RULES, "IN", value)), [(roll,)]).outcome.qr


def test_nothing_is_studied_without_points_of_an_award():
    assert "points of an award are needed" in waits(time(DAY, person(plan("study", field="Medicine"))))
    amy = with_log(Award(5))
    assert "9 points of an award are needed, 5 can be studied" in waits(
        time(DAY, person(plan("study", field="Medicine", points="9"), character=amy))
    )
    with pytest.raises(UserError, match="Medicne"):
        plan("study", field="Medicne")


@pytest.mark.parametrize(("hours", "months"), [(8, 3), (4, 6)])
def test_a_quarter_of_training_takes_three_months_or_six_part_time(hours, months):
    """Lines 1086, 1096: five points; the work of a quarter is spread over the hours that it gets."""
    line = plan("train", hours=hours, rolls="no")
    after = played(time(MONTH * 40, person(line)), seed=1)
    assert learnt(after) == [("award", {"points": 5, "months": 3})]
    assert after.now == months * MONTH


def test_the_odds_of_training_are_those_of_the_rule():
    """Line 1096: a willpower roll to keep at it, then an intelligence roll for a field."""
    state = time(4 * MONTH, person(plan("train", field="Medicine"), character=MEDIC))
    whole = exact(sub(run, SCENE, state)).map(lambda after: _trained(after))
    who = Person.of(RULES, MEDIC)
    rule = exact(sub(train, RULES, 3, who.attribute("WP"), who.attribute("IN"))).map(lambda trained: (trained.points, trained.education))
    assert {value: whole[value] for value in whole.weights} == {value: rule[value] for value in rule.weights}
    assert len(rule.weights) > 2


def _trained(state):
    entries = dict(learnt(state))
    points = entries.get("award", {}).get("points", 0)
    return points, studied(RULES, points, entries["study"]["qr"]).value if "study" in entries else 0


def test_a_campaign_without_down_time_refuses_to_train():
    with pytest.raises(UserError, match="gives nothing for down-time"):
        read_assignment(FORESIGHT.book.ruleset(), SCENE.activities, "train", {}, None, Around())


def test_points_buy_one_step_at_the_price_of_the_book():
    amy = with_log(Award(10))
    level = Person.of(RULES, amy).level("Search")
    after = played(time(3 * DAY, person(plan("spend experience", what="Search", buy="skill", hours=24), character=amy)))
    assert learnt(after) == [("purchase", {"buy": "skill", "what": "Search", "to": level + 1})]
    sheet = advanced(amy, "purchase", dict(ana(after).learnt[0].fields))
    assert standing(RULES, sheet).general < standing(RULES, amy).general
    assert person_of(RULES, ana(after).life.file).level("Search") == level + 1
    assert not list(Standing(RULES, amy).after(amy.experience).carry_out(Purchase("skill", "Search", to=level + 1)))


@pytest.mark.parametrize(
    ("what", "buy", "why"),
    [("Search", "skill", "points of 0 in hand"), ("Serch", "skill", "there is no skill"), ("Philosophy", "favored field", "not known")],
)
def test_what_cannot_be_bought_waits_and_says_why(what, buy, why):
    poor = replace(AMY, experience=())
    assert why in waits(time(DAY, person(plan("spend experience", what=what, buy=buy), character=poor)))


def test_no_ability_rises_twice_at_a_time():
    amy = with_log(Award(20))
    lines = (plan("spend experience", what="Search", buy="skill", time="1 hour"),)
    bought = played(time(3 * DAY, person(*lines, character=amy)))
    again = replace(ana(bought), doing=lines, learnt=())
    assert "no ability rises twice" in waits(time(DAY, again))


def test_a_similar_skill_begins_at_a_part_of_the_level():
    """Line 2003: from a level of 12 a similar skill may begin at 3 to 9."""
    known, new = "Musical Instrument: harpsichord", "Musical Instrument: piano"
    amy = with_log(Award(20), character=replace(AMY, skills={**AMY.skills, known: 12}))
    after = played(time(3 * DAY, person(plan("learn a similar skill", skill=new, like=known, percent="75"), character=amy)))
    assert learnt(after) == [("purchase", {"buy": "skill", "what": new, "to": 9, "like": known})]
    sheet = advanced(amy, "purchase", dict(ana(after).learnt[0].fields))
    assert Person.of(RULES, sheet).level(new) == 9
    assert standing(RULES, sheet).general == standing(RULES, amy).general - skill_price(RULES, new).value
    dear = Standing(RULES, amy).after(amy.experience).carry_out(Purchase("skill", new, to=10, like=known))
    assert "begins at level 3 to 9, not 10" in next(iter(dear)).message
    with pytest.raises(UserError, match="25 to 75"):
        plan("learn a similar skill", skill=new, like=known, percent="80")


def test_a_language_costs_half_among_its_speakers():
    """Line 2250: basic knowledge of a language is 5 points, so 3 with half points up; that is 1.8 months by the rule of thumb."""
    amy = with_log(Award(8), Study(8, "Language: Khmer", 1))
    after = played(time(MONTH * 10, person(plan("learn a language", language="Khmer"), character=amy)))
    assert learnt(after) == [("purchase", {"buy": "field", "what": "Language: Khmer", "level": "basic", "immersed": True})]
    assert after.now == round(1.8 * MONTH)
    sheet = advanced(amy, "purchase", dict(ana(after).learnt[0].fields))
    assert standing(RULES, sheet).education["Language: Khmer"] == standing(RULES, amy).education["Language: Khmer"] - 3


# --- lessons ------------------------------------------------------------------------------------------------------------------

PUPIL = replace(AMY, skills={name: level for name, level in AMY.skills.items() if name != "Aircraft"}, experience=(Award(10),))


def test_a_skill_is_learnt_by_using_it_at_qr3():
    """Lines 1090-1092: at QR3 or better it may be bought at level 0 on the spot."""
    state = time(HOUR, person(plan("use an unlearnt skill", skill="Aircraft", modifier="20"), character=PUPIL))
    after = played(state, 1)
    assert learnt(after) == [("purchase", {"buy": "skill", "what": "Aircraft"})]
    assert learnt(played(state, 98)) == []
    known = person_of(RULES, ana(after).life.file)
    assert known.level("Aircraft") == 0
    again = replace(ana(after), doing=ana(state).doing)
    assert "knows Aircraft already" in waits(time(HOUR, again))


def test_lessons_take_the_cost_of_the_skill_in_hours_and_the_odds_of_the_teacher():
    """Lines 1943-1945."""
    teacher = replace(AMY, skills={**AMY.skills, "Aircraft": 4, "Teach": 3})
    line = plan("take lessons", hours=24, subject="Aircraft", teacher="Ben")
    state = time(2 * HOUR, person(line, character=PUPIL), person(character=teacher, name="Ben"))
    assert teaching_hours(RULES, "Aircraft") == skill_row(RULES, "Aircraft").cost
    case = SCENE.case(state, state.people[0], SCENE.activities["take lessons"])
    rule = exact(sub(teach, RULES, task_of(RULES, case, "Teach", state.people[1].life)))
    late = teaching_hours(RULES, "Aircraft") * HOUR
    whole = exact(sub(run, SCENE, replace(state, until=late))).map(lambda after: bool(ana(after).learnt))
    assert Fraction(whole[True]) == Fraction(rule[True])
    assert 0 < rule[True] < 1
    early = exact(sub(run, SCENE, replace(state, until=late - 1))).map(lambda after: bool(ana(after).learnt))
    assert early[True] == 0


def test_a_teacher_teaches_what_they_know_and_must_be_there():
    ignorant = replace(AMY, skills={name: level for name, level in AMY.skills.items() if name != "Aircraft"})
    line = plan("take lessons", subject="Aircraft", teacher="Ben")
    state = time(DAY, person(line, character=PUPIL), person(character=ignorant, name="Ben"))
    assert waits(state) == "Ben does not know Aircraft"
    assert waits(time(DAY, person(line, character=PUPIL))) == "Ben is not there"


def test_what_is_explained_is_kept():
    line = plan("take lessons", subject="the status lights", teacher="Ben", kind="knowledge for a task", time="5 min")
    state = time(8 * HOUR, person(line, character=PUPIL), person(character=replace(AMY, skills={**AMY.skills, "Teach": 15}), name="Ben"))
    after = played(state, 1)
    assert [(run.of, run.about) for run in ana(after).runs] == [("taught", "the status lights")]


def test_the_penalty_of_a_body_counts_what_the_sheet_does_not():
    hurt = replace(AMY, injuries=replace(AMY.injuries, wounds=2, hurt=("chest",)))
    assert GAME.penalty(RULES, person(character=hurt).life) == 0
    worse = person(character=replace(hurt, condition={"wounds": 3}))
    assert GAME.penalty(RULES, worse.life) == -1
