"""Wounds over weeks as a scene: visits, crises, days of rest, and what they come to."""

import random
from fractions import Fraction

import pytest
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.lab.solver.exact import solve
from rulewright.library import fetch, stage
from rulewright.play import Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.recovery import DAY, NO_CARE, Care, convalesce
from rulewright.systems.foresight.ward.scene import (
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
from rulewright.table.scenes.demos import demonstrate
from rulewright.table.service import Tables

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


@pytest.mark.parametrize(
    ("circumstance", "case"), [("known", "known cause"), ("multiple", "multiple wounds"), ("mysterious", "mysterious cause")]
)
@pytest.mark.parametrize("treatment", ["bandage", "operate"])
def test_every_search_knows_the_circumstances(treatment, circumstance, case):  # 2865: the same modifiers of every search
    searches = []
    for place in ({"quality": 0}, {"quality": 0, circumstance: True}):
        state = ward(6, place)
        told = script(treat(RULES, state, state.doctors[0], 0, treatment), [(2,), (2,)]).events[0]
        searches.append({mod.label: mod.value for mod in told.of[0].task.mods})
        assert "search QR" in told.headline()
    assert {**searches[0], case: searches[1][case]} == searches[1]
    assert searches[1][case] == (1 if circumstance == "known" else -1 if circumstance == "multiple" else -2)


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
    calm = script(SCENE.step(ward(3, doctors=())), [], ["bed"]).outcome
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
    with pytest.raises(UserError, match=message):
        ward(**more)


def test_newcomers_are_patients_or_doctors():
    state = ward(3)
    person = fetch(SYSTEM, "guard")
    sick = SCENE.join(state, Placed(person, "Ben", "wounded", None, {"wounds": 2}), "wounded")
    assert [bed.name for bed in sick.beds] == ["Ann", "Ben"]
    assert len(SCENE.join(state, Placed(person, "Ben", "clinic", None, {}), "clinic").doctors) == 2
    with pytest.raises(UserError, match="already"):
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


# --- what patients decide -----------------------------------------------------------------------------------------------------


def test_who_gets_up_does_without_care():  # 2880
    light = ward(1, {"tl": 5, "quality": 1}, doctors=())  # care +4, and worst level 1: 10 x 10; without care 10 x 6
    assert light.care == Care(4, 100)
    well = script(SCENE.step(light), [(99,)], ["bed"]).outcome
    assert body(well).wounds == 0
    up = script(SCENE.step(light), [(61,)], ["up"]).outcome
    assert (body(up).wounds, up.beds[0].up) == (1, True)
    assert script(SCENE.step(light), [(60,)], ["up"]).outcome.beds[0].healed
    back = script(SCENE.step(up), [(99,)], ["bed"])
    assert (back.outcome.beds[0].healed, back.outcome.beds[0].up) == (True, False)
    assert "goes back to bed" in " ".join(event.headline() for event in back.events)


def test_high_technology_heals_faster_only_those_in_bed():  # 2882-2889
    fast = ward(1, {"tl": 8, "quality": 0}, doctors=())  # a quarter of the interval
    assert fast.care == Care(4, 25)
    assert body(script(SCENE.step(fast), [(100,), (100,), (100,), (99,)], ["bed"]).outcome).wounds == 0
    assert body(script(SCENE.step(fast), [(60,)], ["up"]).outcome).wounds == 0


def test_patients_are_asked_when_a_new_wait_begins_and_only_if_they_can_get_up():
    asked = [script(SCENE.step(ward(wounds, doctors=())), [(65,)] * (wounds in (1, 4)), ["bed"] * (wounds < 4)) for wounds in (1, 2, 3, 4)]
    assert [body(each.outcome).wounds for each in asked] == [0, 2, 3, 4]
    waiting = asked[1].outcome
    assert script(SCENE.step(waiting), [], []).outcome.day == 3  # the second day of five: nobody asks again
    senseless = ward(3, doctors=(), unconscious=True)
    assert script(SCENE.step(senseless), [], []).outcome.day == 2
    fallen = replace(waiting, beds=(replace(waiting.beds[0], up=True, body=replace(body(waiting), wounds=4, worst=4, clock=0)),))
    assert not script(SCENE.step(fallen), [(45,)], []).outcome.beds[0].up  # the incapacitated lie


def test_nobody_is_asked_where_care_does_not_depend_on_rest():
    scene = ConvalescenceScene(under(care_without_rest="in full"))
    assert script(scene.step(ward(3, doctors=())), [], []).outcome.day == 2
    up = ward(1, {"tl": 5, "quality": 1}, doctors=())
    up = up.put(0, replace(up.beds[0], up=True))
    assert body(script(scene.step(up), [(99,)], []).outcome).wounds == 0


@pytest.mark.parametrize(
    ("place", "where"), [({"tl": 4, "quality": 0}, "up"), ({"tl": 4, "quality": 1}, "bed"), ({"tl": 6, "quality": 0}, "bed")]
)
def test_a_sensible_patient_stays_in_bed_unless_the_clinic_does_harm(place, where):  # 2882: -3 in the worst of them
    state = ward(1, place, doctors=())
    after = exact(lambda: SCENE.step(state), decide=surgeon)
    assert {each.beds[0].up for each in after.weights} == {where == "up"}


# --- what grave wounds cost ---------------------------------------------------------------------------------------------------

GRAVE = under(major_injury=True)
LONG = ConvalescenceScene(GRAVE)


def mended(deepest=6, hurt=("abdomen",), tl=4, days=2000):
    """Somebody whose last light wound is about to heal."""
    state = ward(1, {"tl": tl, "quality": 1}, doctors=(), days=days, hurt=list(hurt), willpower=9)
    return state.put(0, replace(state.beds[0], deepest=deepest))


def test_watsons_health_is_ruined_by_a_shot_to_the_abdomen():  # 2910: dying, one inherent point and three trained
    played = script(LONG.step(mended()), [(1,)], ["bed", "EN"])
    cost = played.outcome.beds[0].cost
    assert (cost.attribute, cost.inherent, cost.trained) == ("EN", 1, 3)
    assert LONG.result(played.outcome) is None
    assert "Endurance -3, 1 of it inherent" in " ".join(event.headline() for event in played.events)


def test_the_sanatorium_and_then_life():  # 2927: six months and a point, six months and none, then a year alone and a botch
    state = script(LONG.step(mended(7)), [(1,)], ["bed", "EN"]).outcome
    assert state.beds[0].cost.inherent == 2
    first = script(LONG.step(state), [(63,)], ["physiotherapy"]).outcome
    assert (first.day, first.beds[0].cost.regained) == (2 + 180, 1)
    second = script(LONG.step(first), [(64,)], ["physiotherapy"]).outcome
    assert (second.day, second.beds[0].cost.regained, LONG.result(second)) == (2 + 360, 1, None)
    third = script(LONG.step(second), [(70,)], ["self-help"]).outcome
    assert (third.day, third.beds[0].cost.ended) == (2 + 720, True)
    assert LONG.result(third).why == "the wounds have healed; Ann has lost 4 EN, 1 of 2 inherent won back"


def test_therapy_ends_with_the_days_and_with_nothing_left_to_win():
    short = script(LONG.step(mended(days=30)), [(1,)], ["bed", "EN"]).outcome
    over = script(LONG.step(short), [], ["physiotherapy"]).outcome
    assert (over.day, LONG.result(over).why) == (31, "30 days have passed, Ann has lost 3 EN, 0 of 1 inherent won back")
    quick = script(LONG.step(mended(tl=9)), [(100,)] * 9 + [(1,)], ["bed", "ST"]).outcome  # TL9: a roll every hour, healed in 2.4
    healed = script(LONG.step(quick), [(1,)], ["physiotherapy"]).outcome
    assert (healed.day, healed.minutes, healed.beds[0].cost.over) == (2, 60, True)


def test_before_there_are_therapists_nobody_is_asked():  # 2918
    state = script(LONG.step(mended(tl=3)), [(1,)], ["bed", "EN"]).outcome
    after = script(LONG.step(state), [(64,)], []).outcome
    assert (after.day, after.beds[0].cost.therapy) == (2 + 360, False)


@pytest.mark.parametrize(
    ("deepest", "hurt", "choices", "cost"),
    [
        (3, ("chest",), (), None),
        (4, ("head",), (), ("AP", 0, 1)),
        (5, ("left leg",), ("AG",), ("AG", 0, 2)),
        (6, ("left leg", "right arm"), ("DX",), ("DX", 1, 3)),
        (7, (), ("AP",), ("AP", 2, 4)),
    ],
)
def test_what_grave_wounds_cost_by_their_depth_and_place(deepest, hurt, choices, cost):  # 2901-2908
    state = script(LONG.step(mended(deepest, hurt)), [(1,)], ["bed", *choices]).outcome
    found = state.beds[0].cost
    assert (found and (found.attribute, found.inherent, found.trained)) == cost
    assert (LONG.result(state) is None) == bool(cost and cost[1])  # trained points are bought back, not trained for


def test_the_worst_level_counts_whatever_surgeons_did_about_it():  # 2901: by the severity of the wound
    people = [Placed(fetch(SYSTEM, "security-officer"), "Ann", "wounded", None, {"wounds": 6})]
    scenario = Scenario("foresight", "scenario", "ward", {"wounded": [Member("x")]}, scene="convalescence", rounds=30)
    dying = begin(GRAVE, scenario, people)
    worse = script(crisis(GRAVE, dying), [(100,)]).outcome
    assert worse.beds[0].deepest == 7
    assert begin(RULES, scenario, people).beds[0].deepest == 0  # nothing to remember where wounds cost nothing


@pytest.mark.parametrize("tactic", TACTICS)
def test_every_tactic_knows_what_a_patient_decides(tactic):
    solved = solve(LONG, mended(7, tl=7, days=60), TACTICS[tactic], question="losses")
    assert solved.settled == pytest.approx(1)
    assert solved.losses["wounded"].mean < 0.01


def test_the_guest_of_the_month_is_asked_and_can_play_it_out(tmp_path):
    """Both the surgeon and the patient are the guest's."""
    staged = stage("foresight/month")
    asked = []

    def guest(choice):
        asked.append((choice.who, choice.topic))
        return TACTICS["thorough"](choice)

    assert Encounter.begin(staged.scene, staged.state).play_out(Seeded(2), guest) is not None
    assert {topic for _, topic in asked} == {"treatment", "bed"}
    assert len({who for who, _ in asked}) == 2
    tables = Tables(f"sqlite:///{tmp_path / 'ward.db'}")
    try:
        hosting = demonstrate(tables, "foresight", "a device", "month")
        with tables.looking(hosting.table) as table:
            (scene,) = table.open_scenes()
            assert [question.request.topic for question in scene.questions()] == ["treatment"]
    finally:
        tables.close()


def test_a_lens_keeps_the_places_of_wounds_only_where_they_cost_something():
    state = mended(6)
    head = state.put(0, replace(state.beds[0], body=replace(body(state), hurt=("head",))))
    assert SCENE.lens(head, "win") == SCENE.lens(state, "win")
    assert LONG.lens(head, "win") != LONG.lens(state, "win")
    therapy = script(LONG.step(mended(7, tl=9)), [(100,)] * 9 + [(1,)], ["bed", "EN"]).outcome
    hour = script(LONG.step(therapy), [(64,)], ["physiotherapy"]).outcome
    assert (hour.minutes, LONG.lens(hour, "win").minutes) == (60, 60)


def test_before_there_is_surgery_nobody_offers_it():  # 2818, 2853: the table begins at TL4
    early = ward(4, {"tl": 3.5, "quality": 0})
    assert offered(early) == ["rest"]
    assert "operate" in offered(ward(4, {"tl": 4, "quality": 0}))
    assert Encounter.begin(SCENE, early).play_out(Seeded(1), surgeon) is not None


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_decided_a_ward_comes_to_an_end(seed):
    chance = random.Random(seed)
    rules = under(major_injury=seed % 2 == 0, deterioration_by=chance.choice(["current level", "worst level"]))
    scene, tl = ConvalescenceScene(rules), chance.choice([0, 4, 5, 7, 9])
    people = [Placed(fetch(SYSTEM, "guard"), name, "wounded", None, {"wounds": chance.randint(1, 7)}) for name in ("Ann", "Ben")]
    people.append(Placed(fetch(SYSTEM, "surgeon"), "Cleo", "clinic", None, {}))
    sides = {"wounded": [Member("x")], "clinic": [Member("x")]}
    place = {"tl": tl, "quality": 0.5, "store": {"infusion": 1} if tl >= 4.2 else {}}
    scenario = Scenario("foresight", "scenario", "ward", sides, scene="convalescence", place=place, rounds=200)
    encounter = Encounter.begin(scene, begin(rules, scenario, people))
    assert encounter.play_out(Seeded(seed), lambda choice: chance.choice(choice.keys())) is not None
    for bed in encounter.state.beds:
        assert bed.cost is None or (bed.healed and bed.cost.regained <= bed.cost.inherent <= bed.cost.trained)
    assert scene.view(encounter.state, None).cards
