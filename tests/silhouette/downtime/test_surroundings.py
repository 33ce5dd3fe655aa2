"""Bad air, current, fire and free fall in time, against the book's figures and with the odds of its rules (lines 5491-5828)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.activities.plan_text import read_effect
from rulewright.campaign.calendar import DAY, MINUTE, MONTH
from rulewright.campaign.downtime import Downtime, Location
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.downtime.survivors import Learning
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.hazards import atmosphere, electricity, fire, gravity
from rulewright.systems.silhouette.people.conditions import TakenIn
from silhouette.downtime.people import RULES, SILHOUETTE, person

SCENE = SILHOUETTE.staging("downtime").scene(RULES)
ANA = replace(AVERAGE, name="Ana")


def effect(of, hidden=None, **given):
    return read_effect(RULES, SILHOUETTE.downtime, of, {name.replace("_", " "): value for name, value in given.items()}, hidden)


def time(seconds, *runs, life=None, stops=(), **figures):
    who = replace(person(runs=runs), location="here")
    who = replace(who, life=life or who.life)
    figures = {name.replace("_", " "): value for name, value in figures.items()}
    return Downtime(0, 0, round(seconds), (who,), (Location.of("here", **figures),), stops=stops)


def played(state, *dice):
    return script(run(SCENE, state), list(dice)).outcome


def body(state):
    return state.people[0].life.body


def to_the_end(state):
    """Time step by step, so that equal states are counted once."""
    if SCENE.result(state) is not None:
        return state
    after = yield from SCENE.step(state)
    return (yield from sub(to_the_end, replace(after, dues=0)))


def share(state, holds):
    whole = exact(sub(to_the_end, state))
    assert not whole.unsettled
    return Fraction(sum(weight for after, weight in whole.weights.items() if holds(after)), whole.total)


def chance(procedure, holds, *arguments):
    odds = exact(sub(procedure, *arguments))
    return Fraction(sum(weight for outcome, weight in odds.weights.items() if holds(outcome)), odds.total)


# --- oxygen: lines 5497-5511 --------------------------------------------------------------------------------------------------


def test_the_mind_dulls_after_ten_minutes_and_then_every_two():
    stifled = effect("no oxygen")
    assert body(played(time(10 * MINUTE - 1, stifled))).awake
    assert not body(played(time(10 * MINUTE, stifled), (4, 1))).awake
    assert body(played(time(12 * MINUTE, stifled), (6, 1), (6, 6))).awake  # 6 - 1 against 4, then 7 - 2
    assert not body(played(time(20 * MINUTE, stifled), *[(6, 6)] * 4)).awake  # 7 - 4


@pytest.mark.parametrize(("oxygen", "volume", "first"), [(20, 100, 10), (40, 100, 20), (10, 100, 5), (20, 200, 20)])
def test_more_oxygen_or_room_lengthens_all_times(oxygen, volume, first):
    state = time(DAY, effect("no oxygen", oxygen=str(oxygen), volume=str(volume)))
    assert SCENE.next_moment(SCENE.settled(state)) == first * MINUTE


@pytest.mark.parametrize("minutes", [10, 14, 18])
def test_the_chance_to_stay_awake_is_that_of_the_rule(minutes):
    in_time = share(time(minutes * MINUTE, effect("no oxygen")), lambda after: body(after).awake)
    assert in_time == chance(atmosphere.suffocate, lambda breathless: breathless.awake, RULES, 0, (0,) * 6, minutes)


def test_the_brain_dies_with_the_odds_of_the_rule():
    rounds = 6
    in_time = share(time(20 * MINUTE + rounds * 6, effect("no oxygen")), lambda after: body(after).dead)
    rule = chance(atmosphere.suffocate, lambda breathless: breathless.dead, RULES, 0, (0,) * 6, 20 + rounds / 10)
    assert in_time == rule > 0


def test_with_fresh_air_they_come_round():
    state = played(time(10 * MINUTE, effect("no oxygen")), (4, 1))
    aired = replace(state.people[0], runs=(*state.people[0].runs, effect("fresh air")))
    after = played(replace(state, until=state.now + MINUTE, people=(aired,)))
    assert body(after).awake
    assert not [run for run in after.people[0].runs if run.of == "no oxygen"]


# --- pressure: lines 5513-5556 ------------------------------------------------------------------------------------------------


def test_a_fist_sized_hole_empties_a_room_in_eight_rounds_by_stages():
    """8 turns: 12, 24 and 36 seconds to three quarters, half and a quarter; then vacuum after 48."""
    state = time(DAY, effect("leak", hole="fist", place="room"))
    assert SCENE.next_moment(SCENE.settled(state)) == 12
    after = played(replace(state, until=48), (6, 1), (6, 1), (6, 6))
    assert [run.of for run in after.people[0].runs] == ["vacuum"]
    quarter = played(replace(state, until=36), (6, 1), (6, 1), (6, 6))
    assert {run.of for run in quarter.people[0].runs} == {"no oxygen", "leak"}


def test_the_stages_have_the_odds_of_the_rule():
    in_time = share(time(36, effect("leak", hole="fist", place="room")), lambda after: body(after).awake)
    assert in_time == chance(atmosphere.decompress, lambda breathless: breathless.awake, RULES)


def test_a_ship_sized_hole_is_explosive():
    assert played(time(1, effect("leak", hole="ship", place="room"))).people[0].runs[0].of == "vacuum"


def test_damage_makes_a_hole_of_its_size():
    """35 points against Armor 10 is a hole of 3 centimetres, 9 cm² (line 5537): nearest to a leak; more damage to a fist."""
    assert effect("leak", hole="by damage", damage="35", part="door").data[0] == "leak"
    assert effect("leak", hole="by damage", damage="105", part="door").data[0] == "fist"
    with pytest.raises(UserError, match="does not penetrate"):
        effect("leak", hole="by damage", damage="10", part="door")


# --- vacuum: lines 5541-5551 --------------------------------------------------------------------------------------------------


def test_vacuum_wounds_after_a_minute_and_takes_the_senses_after_twelve_rounds():
    assert (body(played(time(65, effect("vacuum")))).flesh, body(played(time(66, effect("vacuum")), (6, 1))).flesh) == (0, 1)
    held = body(played(time(1, effect("vacuum", breath="holds it")), (6, 6)))
    assert held.deep == 1
    assert not body(played(time(72, effect("vacuum")), (6, 1))).awake


@pytest.mark.parametrize("rounds", [17, 18])
def test_vacuum_kills_with_the_odds_of_the_rule(rounds):
    in_time = share(time(rounds * 6, effect("vacuum")), lambda after: body(after).dead)
    assert in_time == chance(atmosphere.vacuum, lambda exposed: exposed.patient.dead, RULES, ANA, rounds) > 0


def test_three_minutes_always_kill():
    strong = replace(person().life, attributes=tuple((name, 14) for name in atmosphere.MENTAL))
    dice = [(6, 1), *[(1,)] * 18]
    assert not body(played(time(179, effect("vacuum"), life=strong), *dice[:-1])).dead
    assert body(played(time(180, effect("vacuum"), life=strong), *dice)).dead


# --- current and fire: lines 5686-5774 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["power mains", "large lightning"])
def test_a_round_of_current_has_the_odds_of_the_rule(source):
    state = time(1, effect("current", source=source))
    number = electricity.intensity_of(RULES, source)
    for field in ("flesh", "deep", "dead", "coma"):
        value = share(state, lambda after, field=field: bool(getattr(body(after), field)))
        assert value == chance(electricity.electrocute, lambda s, field=field: bool(getattr(s.patient, field)), RULES, ANA, number)


def test_less_than_a_round_halves_and_rounds_add_up():
    """Intensity 5: 5 × 3 is a Flesh Wound in a round, 2 × 3 is none; two rounds are two wounds."""
    assert body(played(time(1, effect("current", source="110 volt current")), (3,), (6, 1))).flesh == 1
    assert body(played(time(1, effect("current", source="110 volt current", exposure="less than a round")), (3,))).flesh == 0
    assert body(played(time(6, effect("current", intensity="5", rounds="2")), (3,), (6, 1), (3,), (6, 3))).flesh == 2


@pytest.mark.parametrize("flame", ["bonfire", "candle"])
def test_a_round_of_fire_has_the_odds_of_the_rule(flame):
    for field in ("flesh", "deep", "dead"):
        value = share(time(1, effect("fire", flame=flame)), lambda after, field=field: bool(getattr(body(after), field)))
        rule = chance(fire.burn, lambda burnt, field=field: bool(getattr(burnt.patient, field)), RULES, ANA, fire.heat_of(RULES, flame))
        assert value == rule


def test_clothes_catch_fire_with_the_odds_of_the_rule_and_burn_until_they_are_out():
    """Flammability 6 for clothes: two dice and the Intensity."""
    state = time(1, effect("fire", intensity="2", fuel="medium clothes"))
    alight = share(state, lambda after: any(run.of == "burning clothes" for run in after.people[0].runs))
    assert alight == chance(fire.ignites, bool, RULES, 2, 6)
    out = played(time(1, effect("burning clothes", fuel="light clothes", how="water, foam or vacuum")))
    assert out.people[0].runs == ()
    rolling = played(time(12, effect("burning clothes", fuel="light clothes")), (2,), (2, 1), (2, 1))  # two rounds of Intensity 4
    assert rolling.people[0].runs == ()


def test_a_source_that_no_table_has_is_refused():
    with pytest.raises(UserError, match="eel"):
        effect("current", source="eel")


# --- free fall: lines 5776-5828 -----------------------------------------------------------------------------------------------


def test_space_sickness_is_rolled_once_and_tested_every_day():
    """A total of 3 is two below 5; a day later Health against 5 ends it, with +1 the next time."""
    state = time(DAY, gravity="free fall")
    assert body(played(replace(state, until=1), (3, 2))).ill == -2
    well = played(state, (3, 2), (6, 6))
    assert (body(well).ill, well.people[0].life.taken.weightless_before) == (0, 1)
    used_to = replace(person().life, taken=TakenIn(weightless_before=2))
    assert body(played(time(1, life=used_to, gravity="free fall"), (3, 2))).ill == 0


@pytest.mark.parametrize(("drugs", "trained"), [(False, False), (True, False), (True, True)])
def test_the_chance_to_be_immune_is_that_of_the_rule(drugs, trained):
    life = replace(person().life, learning=Learning(skills=(("zero-g", 1),) if trained else ()))
    state = time(1, life=life, gravity="free fall", motion_drugs="at hand" if drugs else "none")
    assert share(state, lambda after: body(after).ill == 0) == chance(gravity.space_sickness, lambda ill: ill == 0, RULES, drugs, trained)


def test_weight_ends_the_sickness():
    sick = played(time(1, gravity="free fall"), (3, 2))
    landed = replace(sick, until=2, locations=(Location.of("here"),))
    assert body(played(landed)).ill == 0


def test_fitness_goes_after_one_two_four_and_eight_months():
    state = time(9 * MONTH, gravity="free fall", exercise=0)
    state = replace(state, people=(replace(state.people[0], life=replace(person().life, taken=TakenIn(weightless_before=9))),))
    lost, now = [], state
    while now.now < now.until:
        now = played(replace(now, stopped="", start=now.now), *([(6, 6)] if not now.now else []))
        lost += [now.stopped] if now.stopped else []
    assert [words.split(" in free fall")[0] for words in lost] == [
        "Ana has lost 1 Fitness after 1 month",
        "Ana has lost 1 Fitness and 1 Build after 2 months",
        "Ana has lost 1 Fitness after 4 months",
        "Ana has lost 1 Fitness and 1 Build after 8 months",
    ]
    fit = replace(state, locations=(Location.of("here", gravity="free fall", exercise=5),))
    assert played(replace(fit, until=9 * MONTH), (6, 6)).stopped == ""
