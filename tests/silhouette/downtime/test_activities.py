"""Learning, awards, travel and work on machines in time, against the book's figures (lines 1619-1800, 3360-3485, 4660-4695, 5085-5120)."""

from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.calendar import DAY, HOUR, MINUTE, MONTH, WEEK
from rulewright.campaign.downtime import Downtime, Location, Participant, SheetTest
from rulewright.errors import UserError
from rulewright.files import read_data
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.breakage.repairs import labor_points
from rulewright.systems.silhouette.downtime.activities.machines import BURN, RANGE, fuel_left
from rulewright.systems.silhouette.downtime.survivors import Learning, Survivor
from rulewright.systems.silhouette.machines.design.costs import final_cost
from rulewright.systems.silhouette.machines.lemons import individual_dice
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Defect, DimensionDrive, FasterThanLight, Movement, Vehicle
from rulewright.systems.silhouette.maneuver.orbit import reach_orbit
from rulewright.systems.silhouette.people.experience import tutor_rebate
from rulewright.systems.silhouette.repairs.scene import Technician
from rulewright.systems.silhouette.units.setup import enter
from silhouette.downtime.people import RULES, SILHOUETTE, person

SCENE = SILHOUETTE.staging("downtime").scene(RULES)
XP, CREDITS = "Experience Points", "credits"
MIND = (("creativity", 1), ("psyche", 2), ("willpower", 0))
PLACES = (Location("here"), Location("there"))
PILOT = SheetTest("pilot", "Pilot", "2d+1")


def around(*people):
    return Around(people, ("here", "there"), {"pilot": "pilot", "tinker": "tinker"})


def plan(do, hours=None, **given):
    given = {name.replace("_", " "): value for name, value in given.items()}
    return read_assignment(RULES, SCENE.activities, do, given, hours, around("Mara", "Heron"))


def effect(of, **given):
    return read_effect(RULES, SILHOUETTE.downtime, of, given, None)


def learner(*doing, name="Ana", skills=(), xp=0, credits=0, runs=(), gait="walking", **learning):
    known = Learning(skills=tuple(sorted(skills)), **learning)
    life = replace(person(name=name).life, learning=known, attributes=MIND, sprint=30, gait=gait)
    owned = tuple((mean, amount) for mean, amount in ((XP, xp), (CREDITS, credits)) if amount)
    return Participant(name, life, location="here", runs=runs, doing=doing, owned=owned, tests=(PILOT,))


def vehicle(name, **more):
    file = SILHOUETTE.demos()[f"vehicles/{name}.yaml"]
    return replace(msgspec.convert(read_data(file), Vehicle), **more)


def parked(design, name="Heron"):
    return Participant(name, Survivor.of_machine(design, name), location="here")


def time(seconds, *people, places=PLACES):
    return Downtime(0, 0, round(seconds), people, places)


def played(state, *dice, seed=None):
    procedure = run(SCENE, state)
    return Player(Seeded(seed)).run(procedure) if seed is not None else script(procedure, list(dice)).outcome


def waits(state, who="Ana"):
    return SCENE.schedule(SCENE.settled(state))[who][0][1]


# --- awards: lines 1619-1690 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "gained"),
    [
        ({}, 5),
        ({"xp": "7"}, 7),
        ({"deeds": "in character with enthusiasm, in a combat, equal foes defeated"}, 4),
    ],
)
def test_an_award_is_a_number_the_average_or_the_deeds(given, gained):
    after = played(time(1, learner(runs=(effect("award", session="the ferry", **given),))))
    assert dict(after.people[0].learnt[0].fields) == {"session": "the ferry", "xp": gained}


def test_an_ogre_twice_as_strong_brings_two_and_weaker_foes_none():
    """Lines 1661-1667: one for the fight, and the power of the opponents relative to one's own."""
    for foe, gained in (("160", 3), ("80", 2), ("60", 1)):
        after = played(time(1, learner(runs=(effect("combat award", foe=foe),))))
        assert dict(after.people[0].learnt[0].fields)["xp"] == gained


def test_a_level_that_an_award_reaches_is_told():
    after = played(time(1, learner(runs=(effect("award", xp="6"),), earned=3)))
    assert after.people[0].learnt[0].words == "gains 6 Experience Points and reaches level 3"


def test_genre_points_are_those_of_the_table():
    after = played(time(1, learner(runs=(effect("genre points"),))))
    assert after.people[0].life.body.genre_points == 1


# --- learning: lines 1725-1769 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "cost"), [(0, 1), (1, 4), (2, 9)])
def test_the_next_level_costs_its_square(level, cost):
    who = learner(plan("learn a skill", skill="notice", time="8 hours"), skills=(("notice", level),) if level else (), xp=cost)
    after = played(time(2 * DAY, who))
    assert dict(after.people[0].learnt[0].fields) == {"buy": "skill", "what": "notice", "to": level + 1}
    assert f"{cost} Experience Points are needed" in waits(time(DAY, replace(who, owned=((XP, cost - 1),))))


def test_emergency_dice_come_first_where_the_campaign_wants_practice():
    """Line 1722: the next level squared."""
    rules = SILHOUETTE.book.ruleset(settings={"practice-before-levels": True})
    scene = SILHOUETTE.staging("downtime").scene(rules)
    line = plan("learn a skill", skill="notice")
    for spent, why in ((15, "notice 4: 16 Emergency Dice must be spent on it first, 15 are"), (16, "")):
        who = learner(line, skills=(("notice", 3),), xp=50, practice=(("notice", spent),))
        assert scene.schedule(scene.settled(time(DAY, who)))["Ana"][0][1] == why


def test_an_attribute_costs_fifty_and_rises_three_times():
    line = plan("raise an attribute", attribute="psyche", time="1 week", hours=24)
    who = learner(line, xp=50, attributes=(("psyche", 1),), raises=(("psyche", 2),))
    after = played(time(8 * DAY, who))
    assert dict(after.people[0].learnt[0].fields) == {"buy": "attribute", "what": "psyche", "to": 2}
    again = learner(line, xp=50, attributes=(("psyche", 1),), raises=(("psyche", 3),))
    assert "3 times" in waits(time(DAY, again))


def test_a_course_takes_months_of_150_hours_less_the_teaching():
    """Level 3 costs 9; a tutor with Teaching 2 needs 7 months of 150 hours. The fee is 4 × 4 × 1000 credits (ruling)."""
    line = plan("take lessons", skill="notice", level="4", teaching="2", hours=24)
    who = learner(line, skills=(("notice", 2),), xp=9, credits=16_000)
    whole = 7 * 150 * HOUR
    assert SCENE.next_moment(SCENE.settled(time(10 * whole, who))) == whole
    after = played(time(whole, who), (5, 1, 2, 3))
    assert dict(after.people[0].learnt[0].fields) == {"buy": "skill", "what": "notice", "to": 3, "xp": 4, "tutor": "a hired tutor"}
    assert after.people[0].amount(CREDITS) == 0
    assert "16000 credits are needed" in waits(time(DAY, replace(who, owned=((XP, 9), (CREDITS, 15_999)))))


def test_forty_hours_a_week_are_eight_a_day_of_five():
    line = plan("take lessons", skill="notice", fee="none", level="3", teaching="8")
    who = learner(line, skills=(("notice", 2),), xp=9)
    state = SCENE.settled(time(MONTH * 12, who))
    assert SCENE.next_moment(state) == 150 * HOUR * 3  # a month of 150 hours, eight hours of each day


def test_the_rebate_has_the_odds_of_its_rule_and_a_companion_takes_no_fee():
    tutor = learner(name="Mara", skills=(("notice", 3), ("teaching", 3)))
    line = plan("take lessons", skill="notice", tutor="Mara", hours=24)
    who = learner(line, skills=(("notice", 1),), xp=8)
    state = time(WEEK * 40, who, tutor)
    whole = exact(sub(run, SCENE, state))
    rule = exact(sub(tutor_rebate, RULES, 4, 2, 3, 3, 1))
    for cost in {taught.cost for taught in rule.weights}:
        in_time = sum(w for after, w in whole.weights.items() if dict(after.people[0].learnt[0].fields)["xp"] == cost)
        assert Fraction(in_time, whole.total) == Fraction(sum(w for taught, w in rule.weights.items() if taught.cost == cost), rule.total)


def test_a_tutor_must_know_more():
    line = plan("take lessons", skill="notice", level="2", fee="none")
    assert "knows no more" in waits(time(DAY, learner(line, skills=(("notice", 2),), xp=9)))


def test_a_camp_is_quicker_and_breaks_the_nerves():
    """Two months of 150 hours in each month with Teaching Complexity 1; Psyche 2 against the level taught every month."""
    line = plan("take lessons", skill="notice", level="4", teaching="1", how="camp", fee="none", hours=24)
    who = learner(line, skills=(("notice", 2),), xp=9)
    state = time(12 * MONTH, who)
    assert SCENE.next_moment(SCENE.settled(state)) == MONTH
    harder = learner(line, skills=(("notice", 3),), xp=16)
    broken = played(time(12 * MONTH, harder), (1, 1))
    assert (broken.now, broken.stopped, broken.people[0].doing) == (MONTH, "Ana has a nervous breakdown", ())
    done = played(state, (6, 1), (6, 1), (6, 1), (6, 1), (4, 1, 1, 1))
    assert (done.now, dict(done.people[0].learnt[0].fields)["xp"]) == (4 * MONTH, 5)


def test_unknown_skills_are_refused():
    with pytest.raises(UserError, match="notize"):
        plan("learn a skill", skill="notize")


# --- travel -------------------------------------------------------------------------------------------------------------------


def test_a_march_goes_at_a_walk_twelve_hours_a_day():
    """A sprint of 30 metres a round: walking is a tenth of it (lines 2025-2037)."""
    march = SCENE.activities["march"]
    who = learner(plan("march", to="there", kilometres="10"))
    state = SCENE.settled(time(9 * DAY, who))
    pace = march.pace(RULES, SCENE.case(state, state.people[0], march, state.people[0].runs[0]))
    assert pace == 10
    assert SCENE.next_moment(state) == 10_000 // 10 * 6 * 2
    after = played(time(9 * DAY, who), seed=1)
    assert after.people[0].location == "there"


def test_a_drive_takes_its_time_and_its_range():
    """Combat Speed 3 MP is 18 km/h; top speed doubles what a kilometre uses (line 2996)."""
    design = vehicle("street-runabout", movement=(Movement("ground", 6),), deployment=100, perks=(), flaws=())
    drive = plan("drive", machine="Heron", to="there", kilometres="36", hours=24)
    after = played(time(2 * HOUR, learner(drive), parked(design)))
    assert [who.location for who in after.people] == ["there", "there"]
    assert fuel_left(after.people[1].life.machine, RANGE) == 64
    fast = played(time(HOUR, learner(plan("drive", machine="Heron", to="there", kilometres="36", speed="top", hours=24)), parked(design)))
    assert (fast.now, fuel_left(fast.people[1].life.machine, RANGE)) == (HOUR, 28)
    far = plan("drive", machine="Heron", to="there", kilometres="101", hours=24)
    assert "101 km of range are needed, 100 are left" in waits(time(DAY, learner(far), parked(design)))
    again = replace(after.people[0], doing=(plan("refuel", machine="Heron"),))
    filled = played(replace(after, until=after.now + HOUR, people=(again, after.people[1])))
    assert fuel_left(filled.people[1].life.machine, RANGE) == 100


def test_an_ascent_takes_what_the_book_computes():
    design = vehicle("ember-shuttle", movement=(Movement("space", 20),), reaction_mass="chemical", burn_points=2_000, perks=(), flaws=())
    climb = reach_orbit(20, 11_200, 1, 2_000)
    line = plan("climb to orbit", machine="Heron", to="there")
    state = time(DAY, learner(line), parked(design))
    assert SCENE.next_moment(SCENE.settled(state)) == round(climb.minutes * MINUTE)
    after = played(state)
    assert fuel_left(after.people[1].life.machine, BURN) == 2_000 - climb.burn_points
    empty = vehicle("ember-shuttle", movement=(Movement("space", 20),), reaction_mass="chemical", burn_points=1, perks=(), flaws=())
    assert f"{climb.burn_points} Burn Points are needed" in waits(time(DAY, learner(line), parked(empty)))


def test_a_reentry_takes_ten_minutes_and_burns_the_unprotected_every_round():
    design = vehicle("ember-shuttle", perks=(), flaws=(), armor=200)
    line = plan("re-enter", machine="Heron", to="there", test="pilot")
    procedure = script(run(SCENE, time(10 * MINUTE, learner(line), parked(design))), [(1, 2)] * 20)
    assert procedure.outcome.people[1].location == "there"
    assert sum("deals" in event.headline() for event in procedure.events if event.logged) == 20
    brittle = vehicle("ember-shuttle", perks=(), flaws=(), armor=1)
    lost = played(time(10 * MINUTE, learner(line), parked(brittle)), seed=1)
    assert "destroyed" in lost.stopped


def test_a_star_drive_needs_its_reach_and_its_delay():
    """Four light years at a thousand times light take 1.46 days, after the delay."""
    design = vehicle(
        "cathedral-cruiser", faster_than_light=FasterThanLight(1_000, 10, "1 hour"), dimension_drive=DimensionDrive(1, "1 minute")
    )
    voyage = time(DAY * 9, learner(plan("star voyage", machine="Heron", to="there")), parked(design))
    assert SCENE.next_moment(SCENE.settled(voyage)) == HOUR + 4 * 365 * DAY // 1_000
    far = time(DAY, learner(plan("star voyage", machine="Heron", to="there", light_years="11")), parked(design))
    assert "reaches 10 light years, not 11" in waits(far)
    jump = time(DAY, learner(plan("dimension jump", machine="Heron", to="there")), parked(design))
    assert SCENE.next_moment(SCENE.settled(jump)) == MINUTE


# --- work on machines ---------------------------------------------------------------------------------------------------------


def worn(name="heron-walker", **wear):
    return vehicle(name, condition={f"wear.{field}": value for field, value in wear.items()})


def mechanic(*doing, level=3, complexity=1, **more):
    who = learner(*doing, **more)
    return replace(who, life=replace(who.life, technician=Technician(name="Ana", side="x", level=level, complexity=complexity)))


def test_a_day_of_labor_points_repairs_what_it_pays_for():
    """(Level + Complexity) × 5 Labor Points a day; lost Armor takes the Size and a point for each (lines 5087-5097)."""
    design = worn(armor=2)
    state = time(DAY * 9, mechanic(plan("repair a machine", machine="Heron")), parked(design))
    size = enter(RULES, design, "Heron", "x", state={}).machine.size
    days = -(-int(size + 2) // labor_points(3, 1).value)
    assert SCENE.next_moment(SCENE.settled(state)) == DAY
    after = played(state, (6, 5, 5))
    assert after.people[1].life.machine.condition["wear.armor"] == 0
    assert (after.people[0].doing, days) == ((), 1)
    lasting = SCENE.lasting(after, "Heron")
    assert lasting["wear.armor"].words == "no Armor lost"


def test_a_failure_is_kept_and_added_the_next_day():
    design = worn(armor=2)
    state = time(DAY, mechanic(plan("repair a machine", machine="Heron"), level=1), parked(design))
    tried = played(state, (2,))
    assert tried.people[1].life.machine.condition["wear.armor"] == 2
    assert next(run for run in tried.people[0].runs if run.of == "repair a machine").data[3] == 2


def test_nobody_repairs_what_is_not_there():
    state = time(DAY, mechanic(plan("repair a machine", machine="Heron")), replace(parked(worn(armor=2)), location="there"))
    assert "Heron is not here" in waits(state)


def test_a_machine_repairs_itself_round_by_round():
    """Rating × 5 Repair Points a round (line 4083)."""
    design = replace(worn(armor=2), self_repair=2)
    size = enter(RULES, design, "Heron", "x", state={}).machine.size
    rounds = -(-int(size + 2) // 10)
    state = time(HOUR, parked(design))
    assert SCENE.next_moment(SCENE.settled(state)) == 6 * rounds
    after = played(replace(state, until=6 * rounds), (6, 6))
    assert after.people[0].life.machine.condition["wear.armor"] == 0


def test_a_machine_is_bought_at_its_final_cost_with_its_own_lemons():
    design = vehicle("street-runabout", defects=())
    cost, dice = final_cost(RULES, design).value, individual_dice(RULES, design).value
    line = plan("acquire a machine", machine="Heron", time="8 hours")
    after = played(time(DAY, learner(line, credits=cost), parked(design)), *([(1,) * dice] if dice else []))
    assert after.people[0].amount(CREDITS) == 0
    assert after.people[1].life.machine.all_defects == ()
    assert f"{cost} credits are needed" in waits(time(DAY, learner(line, credits=cost - 1), parked(design)))


def test_a_scratch_built_machine_has_defects_that_count():
    design = vehicle("street-runabout", defects=(), production="scratch-build")
    line = plan("acquire a machine", machine="Heron", how="build a new model", time="8 hours")
    states = (played(time(DAY, learner(line, credits=10**9), parked(design)), seed=seed) for seed in range(40))
    machines = (state.people[1].life.machine for state in states)
    built = next(built for built in machines if any(defect.what == "maneuver" for defect in built.all_defects))
    lost = sum(defect.loss for defect in built.all_defects if defect.what == "maneuver")
    assert machine(RULES, built).maneuver == machine(RULES, design).maneuver - lost
    assert enter(RULES, built, "Heron", "x", state={}).machine.maneuver == machine(RULES, built).maneuver
    assert isinstance(built.all_defects[0], Defect)
