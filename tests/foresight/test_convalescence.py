"""Wounds over weeks as a scene: visits, crises, days of rest, and what they come to."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from foresight.rules_for_tests import RULES
from rulewright.encounter import Encounter, run
from rulewright.errors import Wrong
from rulewright.lab.exact import solve
from rulewright.odds import exact
from rulewright.play import Seeded, script, sub
from rulewright.scenarios import Member, Placed, Scenario
from rulewright.shelf import fetch, stage
from rulewright.system import find
from rulewright.systems.foresight.convalescence import (
    TACTICS,
    ConvalescenceScene,
    begin,
    crisis,
    day_of_rest,
    rest_of_day,
    surgeon,
    treat,
    treatments,
    visit,
)
from rulewright.systems.foresight.patient import Patient
from rulewright.systems.foresight.recovery import DAY, NO_CARE, Care, convalesce

SYSTEM = find("foresight")
SCENE = ConvalescenceScene(RULES)
BODY = Patient("Ann", endurance=10)
"""Endurance 10 at an ease factor of 7: 70 percent, less 10 for each wound level at its worst."""


def ward(wounds=4, place=None, doctors=("surgeon",), days=30, **state):
    people = [Placed(fetch(SYSTEM, "security-officer"), "Ann", "wounded", None, {"wounds": wounds, "endurance": 10, **state})]
    people += [Placed(fetch(SYSTEM, doctor), doctor, "clinic", None, {}) for doctor in doctors]
    sides = {side: [Member("x")] for side in dict.fromkeys(person.side for person in people)}
    scenario = Scenario("foresight", "scenario", "ward", sides, scene="convalescence", place=place or {"quality": 0}, rounds=days)
    return begin(RULES, scenario, people)


def body(state):
    return state.beds[0].body


def offered(state, doctor=0):
    return [option.key for option in treatments(RULES, state, state.doctors[doctor], state.beds[0])]


# --- treatment ----------------------------------------------------------------------------------------------------------------


def test_what_a_surgeon_can_do_and_when():
    store = {"quality": 0, "store": {"infusion": 1, "whole blood": 0}}
    assert offered(ward(6, store)) == ["bandage", "infusion", "operate", "rest"]
    assert offered(ward(4, store)) == ["infusion", "operate", "rest"]
    assert offered(ward(2, store, worst=4)) == ["operate", "rest"]
    assert offered(ward(2, store)) == ["rest"]
    assert offered(ward(6, store, doctors=("smuggler",))) == ["bandage", "rest"]  # no medicine: neither blood nor surgery


def test_blood_is_used_up():
    state = ward(6, {"store": {"infusion": 1}})
    after = script(treat(RULES, state, state.doctors[0], 0, "infusion"), []).outcome
    assert (body(after).wounds, body(after).worst, after.store) == (5, 6, (("infusion", 0),))
    assert "infusion" not in offered(after)


def test_an_operation_lowers_the_worst_level_and_is_tried_once_a_day():
    state = ward(4)
    after = script(treat(RULES, state, state.doctors[0], 0, "operate"), [(50,), (1,)]).outcome
    assert (body(after).wounds, body(after).worst, body(after).operated) == (4, 0, True)
    assert "operate" not in offered(after)
    tomorrow = script(day_of_rest(RULES, after), [(99,)]).outcome
    assert not tomorrow.beds[0].cut


def test_a_visit_goes_on_until_the_doctor_lets_the_patient_rest():
    state = ward(6, {"quality": 0, "store": {"infusion": 2}})
    seen = script(visit(RULES, state), [(1,), (1,)], ["bandage", "infusion", "infusion", "rest"]).outcome
    assert (body(seen).wounds, body(seen).bandaged, seen.store) == (4, 4, (("infusion", 0),))
    failed = script(visit(RULES, state), [(99,)], ["bandage", "rest"]).outcome  # no second try at the same visit
    assert body(failed) == body(state)


# --- time ---------------------------------------------------------------------------------------------------------------------


def test_a_crisis_goes_from_roll_to_roll():  # 2585-2592
    dying = ward(6, doctors=())
    # -6 and care of +1: 70 - 50 = 20 percent at BEF 7 - 5
    worse = script(crisis(RULES, dying), [(21,)]).outcome
    assert (body(worse).wounds, worse.minutes, worse.day) == (7, 5, 1)
    assert script(crisis(RULES, worse), [(99,)]).outcome.minutes == 6
    dead = script(crisis(RULES, worse), [(99,)]).outcome
    assert SCENE.result(dead).why == "nobody was saved"
    assert SCENE.out(dead) == {"Ann"}


def test_a_day_of_rest_stops_where_a_crisis_begins():
    # incapacitated: a recovery roll a day; a botch makes it critical
    hurt = replace(BODY, wounds=4, worst=4)
    assert script(rest_of_day(RULES, hurt, DAY, NO_CARE), [(40,)]).outcome.wounds == 5
    assert script(rest_of_day(RULES, hurt, DAY, NO_CARE), [(30,)]).outcome.wounds == 3
    calm = script(rest_of_day(RULES, replace(BODY, wounds=3, worst=3), DAY, NO_CARE), []).outcome
    assert (calm.wounds, calm.clock) == (3, DAY)


def test_a_faster_clinic_rolls_more_often_in_a_day():
    light = replace(BODY, wounds=1, worst=1)
    rolls = [(99,)] * 10
    assert script(rest_of_day(RULES, light, DAY, Care(0, 10)), rolls).outcome.wounds == 1


def test_every_step_is_a_day_or_a_moment_of_crisis():
    calm = script(SCENE.step(ward(3, doctors=())), []).outcome
    assert (calm.day, body(calm).clock) == (2, DAY)
    moment = script(SCENE.step(ward(5, doctors=())), [(50,), (50,)]).outcome
    assert (moment.day, moment.minutes) == (1, 30)


# --- what it comes to ---------------------------------------------------------------------------------------------------------


def test_a_light_wound_against_the_arithmetic():
    """Worst level 1 and care +1: 70 percent a day, 30 percent nothing but that 3 of 100 are botches, which make it level 2."""
    state = ward(1, doctors=(), days=3)
    assert state.care == Care(1, 100)
    odds = exact(lambda: run(SCENE, state), decide=surgeon).map(lambda after: body(after).wounds)
    stays = Fraction(27, 100)  # 30 failures, of which 80, 90 and 100 are botches
    healed = Fraction(70, 100) * (1 + stays + stays**2)
    assert odds[0] == healed


@pytest.mark.parametrize(("wounds", "days"), [(1, 4), (2, 12), (3, 21)])
def test_days_as_steps_give_what_the_days_as_one_procedure_give(wounds, days):
    """As long as no crisis can come, the scene is nothing but `convalesce` in slices."""
    care = Care(1, 100)
    hurt = replace(BODY, wounds=wounds, worst=wounds)
    whole = exact(sub(convalesce, RULES, hurt, days * DAY, care)).map(lambda after: min(after.wounds, 4))
    state = replace(ward(wounds, doctors=(), days=days), care=care)
    state = state.put(0, replace(state.beds[0], body=hurt))
    sliced = exact(lambda: run(SCENE, state), decide=surgeon).map(lambda after: min(body(after).wounds, 4))
    if wounds < 3:
        assert {level: sliced[level] for level in range(4)} == {level: whole[level] for level in range(4)}
    else:  # a botch at level 3 leads to 4 on the twentieth day, where the next roll is a day later
        assert {level: sliced[level] for level in range(3)} == {level: whole[level] for level in range(3)}


def test_the_month_is_solved_exactly_where_one_long_procedure_is_not():
    """At TL8 a month of healing takes a week."""
    dying = ward(6, {"tl": 8, "quality": 0, "store": {"artificial blood": 1}}, days=8)
    solved, idle = [solve(SCENE, dying, TACTICS[tactic], question="losses") for tactic in ("surgeon", "idle")]
    assert solved.settled == idle.settled == pytest.approx(1)
    assert solved.sides["wounded"].chance > idle.sides["wounded"].chance + 0.3
    assert idle.losses["wounded"].mean > solved.losses["wounded"].mean


def test_a_lens_forgets_what_no_roll_asks_for():
    state = ward(5)
    other = state.put(0, replace(state.beds[0], body=replace(body(state), hurt=("head",), unconscious=True)))
    assert SCENE.lens(other, "win") == SCENE.lens(state, "win")
    assert SCENE.lens(replace(state, minutes=35), "losses") == SCENE.lens(state, "losses")


# --- the scene ----------------------------------------------------------------------------------------------------------------


def test_how_it_ends():
    state = ward(1, doctors=())
    well = state.put(0, replace(state.beds[0], body=replace(body(state), wounds=0)))
    assert (SCENE.result(well).winner, SCENE.result(well).why) == ("wounded", "the wounds have healed")
    assert SCENE.result(replace(state, day=31)).why == "30 days have passed, Ann at wound level 1"
    assert SCENE.result(state) is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"wounds": 0}, "nobody here is wounded"),
        ({"wounds": 8}, "from 0 to 7"),
        ({"place": {"quality": 2}}, "from 0, the worst"),
        ({"place": {"store": {"artificial blood": 1}}}, "none before TL6"),
        ({"place": {"beds": 3}}, "place: .*beds"),
        ({"wunds": 3}, "no field 'wunds'"),
        ({"clock": "late"}, "Ann: state"),
    ],
)
def test_what_cannot_begin_says_why(more, message):
    with pytest.raises(Wrong, match=message):
        ward(**more)


def test_newcomers_are_patients_or_doctors():
    state = ward(3)
    person = fetch(SYSTEM, "guard")
    sick = SCENE.join(state, Placed(person, "Ben", "wounded", None, {"wounds": 2}), "wounded")
    assert [bed.name for bed in sick.beds] == ["Ann", "Ben"]
    assert len(SCENE.join(state, Placed(person, "Ben", "clinic", None, {}), "clinic").doctors) == 2
    with pytest.raises(Wrong, match="already"):
        SCENE.join(state, Placed(person, "Ann", "clinic", None, {}), "clinic")


def test_two_in_crisis_share_the_clock():
    state = SCENE.join(ward(6, doctors=()), Placed(fetch(SYSTEM, "guard"), "Ben", "wounded", None, {"wounds": 7}), "wounded")
    first = script(crisis(RULES, state), [(1,), (99,)]).outcome
    assert first.minutes == 1
    assert (first.beds[0].body.clock, first.beds[1].body.wounds) == (1, 6)


@pytest.mark.parametrize("tactic", TACTICS)
def test_every_tactic_comes_to_an_end(tactic):
    staged = stage("foresight/month")
    assert Encounter.begin(staged.scene, staged.state).play_out(Seeded(2), TACTICS[tactic]) is not None
