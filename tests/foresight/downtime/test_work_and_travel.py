"""Journeys, workshops, markets and power between scenes in ForeSight (lines 1304-1336, 3338-3382, 3494-3616, 3987-4263)."""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.downtime.plans import GAME, RULES, SCENE, SURE, ana, effect, learnt, person, plan, played, time, waits
from rulewright.campaign.calendar import DAY, HOUR, MINUTE, WEEK
from rulewright.campaign.downtime import OngoingEffect
from rulewright.errors import UserError
from rulewright.play import Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.foresight.downtime.journeys import METERS
from rulewright.systems.foresight.downtime.survivors import person_of, task_of
from rulewright.systems.foresight.gear.items import battery, failing_rolls
from rulewright.systems.foresight.harm.medicine import choose_treatment, diagnose
from rulewright.systems.foresight.pursuit.craft import craft_of
from rulewright.systems.foresight.pursuit.travel import leg
from rulewright.systems.foresight.resolution.tests import duration

RICH = (("svu", 1_000_000),)


def told(state, *dice):
    return [event.headline() for event in script(run(SCENE, state), [(die,) for die in dice]).events if event.headline()]


# --- journeys: lines 3338-3382 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "hours"), [(1, 120 / 80), (30, 2), (97, 4)])
def test_a_leg_takes_the_time_of_its_rating(roll, hours):
    """An automobile cruises at 60 and goes 100 km/h: their average at QR1, cruise at QR3 or QR4, half of it at QR7."""
    line = plan("travel", to="there", km="120", vehicle="Automobile")
    state = time(DAY, person(line, character=replace(AMY, skills={**AMY.skills, "Groundcraft": 5})))
    after = played(state, roll)
    assert ana(after).location == "there"
    assert ana(after).doing == ()
    before = played(replace(state, until=round(hours * HOUR) - 1), roll)
    assert ana(before).location == "here"
    assert ana(played(replace(state, until=round(hours * HOUR)), roll)).location == "there"


def test_the_odds_of_a_journey_of_one_leg_are_those_of_the_rule():
    line = plan("travel", to="there", km="120", vehicle="Jeep", terrain="plain", how="hasty", unfamiliar="yes", aid="Compass (TL5)")
    state = time(DAY, person(line))
    case = SCENE.case(state, ana(state), SCENE.activities["travel"], OngoingEffect("travel", "there"))
    life = ana(state).life
    craft = craft_of(RULES, "the Jeep", "Jeep", "plain", aboard=(life.body,))
    navigating = task_of(RULES, case, "Navigate").plus(*_aid())
    wp = person_of(RULES, life.file).attribute("WP")
    rule = exact(sub(leg, RULES, craft, 120.0, task_of(RULES, case, "Groundcraft"), wp, True, navigating))
    whole = exact(sub(run, SCENE, state))
    arrives = whole.map(lambda after: ana(after).location == "there")
    by_rule = rule.map(lambda made: made.km >= 120 and not made.stopped and not made.lost)
    assert arrives[True] == by_rule[True]
    wounds = whole.map(lambda after: ana(after).life.body.wounds)
    assert all(wounds[level] == rule.map(lambda made: made.aboard[0].wounds)[level] for level in wounds.weights)
    assert 0 < arrives[True] < 1


def _aid():
    from rulewright.systems.foresight.gear.items import navigation_aid

    return (navigation_aid(RULES, "Compass (TL5)"),)


def test_a_driver_alone_rests_between_legs_and_a_relief_drives_on():
    """A leg lasts as many hours as the driver has willpower."""
    willpower = person_of(RULES, person().life.file).attribute("WP")
    km = str(60 * willpower + 60)
    alone = time(5 * DAY, person(plan("travel", to="there", km=km, vehicle="Automobile")))
    rolls = (30, 30)
    assert ana(played(replace(alone, until=(willpower + 8 + 1) * HOUR - 1), *rolls)).location == "here"
    assert ana(played(replace(alone, until=(willpower + 8 + 1) * HOUR), *rolls)).location == "there"
    line = plan("travel", to="there", km=km, vehicle="Automobile", relief="yes", **{"with": "Ben"})
    both = time(5 * DAY, person(line), person(name="Ben"))
    after = played(replace(both, until=(willpower + 1) * HOUR), *rolls)
    assert [who.location for who in after.people] == ["there", "there"]


def test_a_mishap_stops_the_vehicle_and_hurts_everybody_aboard():
    """A botch at normal travel, then a botch against the accident: destroyed, DC10 for everybody, in the middle of the leg."""
    line = plan("travel", to="there", km="120", vehicle="Automobile", **{"with": "Ben"})
    state = time(DAY, person(line), person(name="Ben"))
    events = []
    for seed in range(4000):
        ended = script_of(state, seed)
        if any("the vehicle goes nowhere" in words for words in ended[1]):
            events.append(ended)
            if any("destroyed" in words or "wreck" in words for words in ended[1]):
                break
    assert events
    after, words = events[-1]
    assert after.now == HOUR
    assert any(run.of == "on the road" for run in ana(after).runs)
    assert "the vehicle goes nowhere" in after.stopped
    assert ana(after).location == "here"
    assert any("Ben" in line for line in words)


def script_of(state, seed):
    from rulewright.play import play

    result = play(run(SCENE, state), dice=Seeded(seed))
    return result.outcome, [event.headline() for event in result.events]


def test_who_is_lost_is_on_the_road_and_time_stops():
    line = plan("travel", to="there", km="60", vehicle="Automobile", unfamiliar="yes")
    after = played(time(DAY, person(line)), 30, 100)
    assert "lost" in after.stopped
    assert ana(after).runs[0].data[0] == 60 * METERS
    assert ana(after).doing == ()


def test_a_routine_journey_needs_no_roll():
    line = plan("travel", to="there", km="120", vehicle="Automobile", how="routine")
    assert ana(played(time(2 * HOUR, person(line)))).location == "there"
    assert ana(played(time(2 * HOUR - 1, person(line)))).location == "here"


def test_walking_goes_at_its_pace_for_eight_hours_a_day_and_tires():
    line = plan("walk", to="there", km="40")
    state = time(DAY, person(line))
    assert SCENE.exertion(state, ana(state)) == "walking"
    after = played(replace(state, until=3 * DAY), seed=2)
    assert ana(after).location == "there" or ana(after).runs
    faster = plan("walk", to="there", km="40", pace="10")
    assert dict(faster.given)["pace"] == 10


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"vehicle": "Jeap"}, "Jeap"),
        ({"vehicle": "Automobile", "terrain": "stormy water"}, "cannot enter"),
        ({"vehicle": "Jeep", "aid": "Sextan"}, "Sextan"),
        ({"vehicle": "Human (on foot)"}, "give a pace"),
    ],
)
def test_an_impossible_journey_is_refused(given, message):
    with pytest.raises(UserError, match=message):
        plan("travel", to="there", **given)


def test_a_vehicle_carries_no_more_than_its_seats():
    line = plan("travel", to="there", vehicle="Snowmobile", **{"with": "Ben, Cleo"})
    state = time(DAY, person(line), person(name="Ben"), person(name="Cleo"))
    assert waits(state) == "Snowmobile carries 1 besides the driver"
    assert waits(time(DAY, person(line), person(name="Ben"))) == "Cleo is not there"


# --- markets and money --------------------------------------------------------------------------------------------------------


def test_a_listed_thing_is_bought_at_its_price():
    """A sextant costs 250 svu and weighs 2 kg, 4.4 pounds (lines 3500-3504, 4156-4263)."""
    state = time(HOUR, person(plan("buy", item="Sextant"), means=RICH))
    after = played(state)
    assert (ana(after).amount("svu"), ana(after).amount("Sextant")) == (999_750, 1)
    assert any("2 kg (4.4 pounds)" in words for words in told(state))


def test_modifications_change_the_price_and_later_technology_lowers_it():
    """Elegant is four times as dear (line 3612); a starred price falls to half a whole level later (lines 3987-4154)."""
    elegant = played(time(HOUR, person(plan("buy", item="Sextant", modifications="Elegant"), means=RICH)))
    assert ana(elegant).amount("svu") == 1_000_000 - 1000
    crawler = person(plan("buy", item="Crawler"), means=RICH)
    crawlers = [ana(played(time(HOUR, crawler, technology=level))).amount("svu") for level in ("TL7", "TL8")]
    assert [1_000_000 - left for left in crawlers] == [20_000, 10_000]


def test_what_is_not_made_yet_or_too_dear_waits():
    assert "is built from TL7 on" in waits(time(DAY, person(plan("buy", item="Crawler"), means=RICH)))
    assert (
        waits(time(DAY, person(plan("buy", item="Phone, Satellite"), means=RICH)))
        == "Phone, Satellite is made from TL5.5 on, and this is TL5"
    )
    assert not waits(time(DAY, person(plan("buy", item="Phone, Satellite", year="2000"), means=RICH)))
    assert "are needed" in waits(time(DAY, person(plan("buy", item="Large Facility"), means=(("svu", 5),))))
    with pytest.raises(UserError, match="no list has 'Sextnt'"):
        plan("buy", item="Sextnt")


def test_work_pays_by_the_week_and_svu_begin_with_what_the_sheet_leaves():
    worker = person(plan("work for a wage", aim="docks", wage="120", weeks="2"))
    start = worker.amount("svu")
    assert start == GAME.owned(RULES, AMY)["svu"]
    after = played(time(3 * WEEK, worker))
    assert (ana(after).amount("svu"), ana(after).doing) == (start + 240, ())


def test_merit_is_an_entry_of_the_log():
    after = played(time(1, person(runs=(effect("merit", organization="Navy", points="-3", mission="the ferry"),))))
    assert learnt(after) == [("merit", {"organization": "Navy", "points": -3, "story": "the ferry"})]


# --- workshops, devices, power ------------------------------------------------------------------------------------------------


def test_the_quality_of_work_says_how_long_it_takes():
    """Lines 290-330: QR1 takes a quarter of the estimate, QR4 all of it."""
    line = plan("build or mend", hours=24, aim="the pump", test="sure", estimate="8 hours")
    state = time(2 * DAY, person(line, tests=(replace(SURE, notation="10 x 10"),)))
    for roll, qr in ((1, 1), (90, 4)):
        needed = round(duration(RULES, qr, 8 * HOUR).value)
        assert ana(played(replace(state, until=needed), roll)).doing == ()
        assert ana(played(replace(state, until=needed - 1), roll)).doing == (line,)


def test_tools_help_and_a_broken_thing_is_mended():
    broken = effect("broken", item="the pump")
    line = plan("build or mend", hours=24, aim="the pump", test="sure", tools="Advanced Facility", newer="2")
    weak = replace(SURE, notation="10 x 5")
    state = time(3 * DAY, person(line, runs=(broken,), tests=(weak,)))
    after = played(state, 80)
    assert ana(after).runs == ()
    plain = replace(state, people=(replace(ana(state), doing=(replace(line, given=(("test", "sure"),)),)),))
    assert [run.of for run in ana(played(plain, 81)).runs] == ["broken"]


def test_a_device_breaks_on_the_rolls_of_the_list():
    """A cellular phone of TL5.4 fails on 91 to 99; a sextant on 99, and only if a further d10 shows 10."""
    phone = plan("use a device", item="Phone, Cellular (TL5.4)")
    assert failing_rolls(RULES, "91-99") == tuple(range(91, 100))
    for roll, breaks in ((90, False), (91, True), (99, True), (100, False)):
        after = played(time(HOUR, person(phone)), roll)
        assert bool(ana(after).runs) is breaks
    sextant = plan("use a device", item="Sextant", test="sure")
    assert [run.about for run in ana(played(time(HOUR, person(sextant)), 99, 10)).runs] == ["Sextant"]
    assert ana(played(time(HOUR, person(sextant)), 99, 9)).runs == ()
    gone = person(sextant, runs=(OngoingEffect("broken", "Sextant", 0, ("Sextant",)),))
    assert waits(time(HOUR, gone)) == "Sextant is broken"


def test_a_battery_runs_out_and_a_generator_with_its_fuel():
    needed = battery(RULES, 25, "Battery, Alkaline", 10)
    line = plan("power something", source="Battery, Alkaline", watts="25", hours=0)
    line = replace(line, given=tuple(sorted((*line.given, ("hours", 10)))))
    state = time(11 * HOUR, person(line, means=RICH))
    after = played(state)
    assert after.stopped == "Battery, Alkaline has run out of power"
    assert after.now == round(needed.hours * 60) * MINUTE == 10 * HOUR
    assert ana(after).amount("svu") == 1_000_000 - round(needed.cost)
    reactor = plan("power something", source="Driven Fission Reactor, 1kW, 1y", watts="100")
    running = ana(played(time(DAY, person(reactor)))).runs[0]
    assert running.data == (100, 8760 * 60)
    with pytest.raises(UserError, match="gives 50 watts"):
        plan("power something", source="Solar Panel, 50W", watts="60")


# --- diagnosis: lines 2795-2817 -----------------------------------------------------------------------------------------------


def test_a_diagnosis_and_the_treatment_that_builds_on_it_have_the_odds_of_the_rules():
    state = time(2 * HOUR, person(plan("diagnose", complaint="a fever", patient="Ben")), person(name="Ben"))
    case = SCENE.case(state, ana(state), SCENE.activities["diagnose"], OngoingEffect("diagnose", "a fever"))

    def by_rule():
        seen = yield from diagnose(RULES, task_of(RULES, case, "Search"))
        return (seen.qr, (yield from choose_treatment(RULES, task_of(RULES, case, "Theory"), seen.qr)).qr) if seen.success else ()

    rule = exact(sub(by_rule))
    whole = exact(sub(run, SCENE, state)).map(lambda after: next((run.data for run in after.people[1].runs if run.of == "diagnosed"), ()))
    assert {value: whole[value] for value in whole.weights} == {value: rule[value] for value in rule.weights}
    assert waits(time(HOUR, person(plan("diagnose", complaint="a fever", patient="Ben")))) == "Ben is not there"
