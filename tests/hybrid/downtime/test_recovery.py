"""Time between scenes in Hybrid: bleeding (lines 1048-1050), energy (lines 724-768), and the healing rolls of the stand-in table."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import RUNS, Downtime, Location, Participant, read_runs, written_runs
from rulewright.play import Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.hybrid.downtime.convalescents import Convalescent
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.harm.treatment import heal
from rulewright.systems.hybrid.resolution.tests import Check, limits

HYBRID = find("hybrid")
RULES = HYBRID.book.ruleset()
HOME = Location("home")
TIRED = Energy(0, 20, 36, 60)


def person(name="Ana", exertion="", place=HOME, first_aid=-30, **body):
    return Participant(name, Convalescent(Body(name, **body), Check(first_aid)), exertion, place.name)


def lived(seconds, *people, places=(HOME,), seed=1):
    scene = HYBRID.staging("downtime").scene(RULES)
    return play(run(scene, Downtime(0, 0, round(seconds), people, places).checked()), dice=Seeded(seed))


def body(played, number=0):
    return played.outcome.people[number].life.body


def told(played):
    return [event.headline() for event in played.events if event.headline()]


@pytest.mark.parametrize(("hours", "exhaustion"), [(0.9, 20), (1, 25), (4, 40), (7.9, 55), (8, 60), (9, 60)])
def test_rest_gives_back_five_points_of_exhaustion_an_hour(hours, exhaustion):
    """Line 762."""
    assert body(lived(hours * HOUR, person(energy=TIRED))).energy.exhaustion == exhaustion


@pytest.mark.parametrize(("hours", "exhaustion"), [(1, 22), (10, 40)])
def test_sitting_gives_back_two(hours, exhaustion):
    """Line 760."""
    assert body(lived(hours * HOUR, person(exertion="ordinary days", energy=TIRED))).energy.exhaustion == exhaustion


def test_fatigue_is_back_after_a_second_a_point():
    """Lines 758-764: 36 points in 36 seconds, while no hour of rest has passed."""
    rested = body(lived(36, person(energy=TIRED))).energy
    assert (rested.fatigue, rested.exhaustion) == (36, 20)
    assert body(lived(35, person(energy=TIRED))).energy.fatigue == 0


def test_eight_hours_on_foot_cost_six_points_of_exhaustion_each_and_a_night_gives_them_back():
    """Lines 734-752, 764."""
    walker = person(exertion="walking", energy=Energy())
    assert body(lived(8 * HOUR, walker)).energy == Energy(0, 12, 36, 60)
    assert body(lived(DAY, walker)).energy == Energy()


def test_a_large_meal_gives_six_points_once_a_day():
    """Line 766: after work, eight hours of sitting (2 an hour) and eight of sleep (10 an hour), in pools that they cannot fill."""
    inn = Location.of("inn", meals="a large meal a day")
    pools = Energy(0, 100, 36, 400)
    hungry = body(lived(DAY, person(exertion="walking", energy=pools))).energy.exhaustion
    fed = body(lived(DAY, person(exertion="walking", place=inn, energy=pools), places=(inn,))).energy.exhaustion
    assert hungry == 100 - 8 * 6 + 8 * 2 + 8 * 10
    assert fed == hungry + 6


def test_work_of_the_mind_costs_the_mind():
    student = body(lived(8 * HOUR, person(exertion="studying", energy=TIRED, mind=Energy())))
    assert student.mind == Energy(0, 12, 36, 60)
    assert student.energy.exhaustion == 36


def test_two_wounds_bleed_two_points_every_two_seconds_until_nothing_is_left():
    """Lines 1048-1050: a point for each wound and twenty counts, of fatigue and then of the body."""
    hurt = person(bleeding=(0, 0), energy=Energy(10, 60, 36, 60), pbd=6, mbd=0)
    assert [body(lived(seconds, hurt)).energy.fatigue for seconds in (1, 2, 9, 10)] == [10, 8, 2, 0]
    assert [body(lived(seconds, hurt)).pbd for seconds in (10, 12, 14)] == [6, 4, 2]
    dead = lived(DAY, hurt)
    assert body(dead).dead
    assert told(dead)[-1] == "Ana loses 2 PBD to bleeding and dies"


def test_the_best_first_aider_who_is_awake_treats_the_wounded():
    hurt = person(bleeding=(0,), mbd=0)
    medic, novice = person("Bo", first_aid=60), person("Cy", first_aid=-20)
    played = lived(4, hurt, novice, medic)
    assert "Bo stops the blood of Ana" in told(played)
    assert body(played).bleeding == ()
    away = replace(medic, location="elsewhere")
    assert "Bo stops the blood of Ana" not in told(lived(4, hurt, novice, away, places=(HOME, Location("elsewhere"))))
    ward = Location.of("ward", **{"first aid": 60})
    assert "the staff stops the blood of Ana" in told(lived(4, replace(hurt, location="ward"), places=(ward,)))


def test_every_ten_hours_a_roll_heals_a_point_and_each_is_easier():
    """The odds after two rolls are those of the two checks: endurance 12 at -2, then at -1."""
    scene = HYBRID.staging("downtime").scene(RULES)
    state = Downtime(0, 0, 20 * HOUR, (person(pbd=10),), (HOME,))
    points = exact(sub(run, scene, state)).map(lambda after: after.people[0].life.body.pbd - 10)
    one, two = (Fraction(limits(RULES, Check(12 - 2 + before)).chance, 100) for before in (0, 1))
    assert {healed: points[healed] for healed in (0, 1, 2)} == {
        0: (1 - one) * (1 - two),
        1: one * (1 - two) + two * (1 - one),
        2: one * two,
    }


def test_the_number_of_rolls_is_kept_in_the_file():
    played = lived(25 * HOUR, person(pbd=1))
    runs = played.outcome.people[0].runs
    assert [(effect.of, effect.about, effect.data, effect.spent) for effect in runs] == [("healing", "PBD", (2,), 5 * HOUR)]
    assert read_runs({RUNS: written_runs(runs)}) == runs


def test_the_rule_by_its_id_gives_the_points():
    assert play(sub(heal, RULES, "MBD", 60, 4), dice=Seeded(1)).outcome == 1
