"""Hazards between scenes in ForeSight: weather, want of air, vacuum, fire, poison and drink (lines 2404, 2691-2793)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from foresight.downtime.test_wounds import DAY, FORESIGHT, HOUR, MINUTE, RULES, body, downtime, lived, person, told
from rulewright.campaign.activities.plan_text import Around, read_assignment, read_effect
from rulewright.campaign.downtime import Location
from rulewright.errors import UserError
from rulewright.play import Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.foresight.downtime.survivors import ENVIRONMENT, Survivor
from rulewright.systems.foresight.gear.vehicles import TERRAIN
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.hazards import burn, decompression, poisoned, without_air
from rulewright.systems.foresight.people.attributes import ENVIRONMENTS

GAME = FORESIGHT.downtime


def effect(of, hidden=False, **given):
    return read_effect(RULES, GAME, of, given, hidden)


def odds(seconds, ana, of=lambda state: state.people[0].life, **more):
    """The exact odds of something about the first person."""
    scene, state = downtime(seconds, ana, **more)
    after = exact(sub(run, scene, state)).map(of)
    assert not after.unsettled
    return after


def by_rule(procedure, *arguments, of):
    return exact(sub(procedure, RULES, *arguments)).map(of)


def same(one, other):
    values = {*one.weights, *other.weights}
    return all(one[value] == other[value] for value in values)


# --- heat and cold: lines 2728-2740 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("celsius", "clothing", "minutes"),
    [(60, "none", 1), (40, "none", 10), (0, "none", 10), (-30, "none", 1), (40, "suitable", 20), (0, "suitable", 40), (-30, "suitable", 4)],
)
def test_weather_costs_stamina_at_the_printed_rate(celsius, clothing, minutes):
    """Clothing saves half in heat and three quarters in cold."""
    place = Location.of("home", temperature=celsius, clothing=clothing, shelter="not enough")
    ana = person(stamina=9, stamina_max=9)
    assert body(lived(minutes * MINUTE - 1, ana, places=(place,))).stamina == 9
    assert body(lived(minutes * MINUTE, ana, places=(place,))).stamina == 8
    assert body(lived(3 * minutes * MINUTE, ana, places=(place,))).stamina == 6


@pytest.mark.parametrize("figures", [{"temperature": 39}, {"temperature": 1}, {"temperature": 99, "clothing": "climate control"}])
def test_mild_weather_and_climate_control_cost_nothing(figures):
    place = Location.of("home", **figures)
    assert body(lived(DAY, person(stamina=9, stamina_max=9), places=(place,))).stamina == 9


def test_cold_without_end_kills_in_time():
    """Stamina below minus endurance calls for endurance rolls (lines 2554-2558)."""
    place = Location.of("home", temperature=-40, clothing="none", shelter="not enough")
    scene, state = downtime(7 * HOUR, person(endurance=3, stamina=3, stamina_max=3), places=(place,))
    assert play(run(scene, state), dice=Seeded(3)).outcome.people[0].life.body.wounds > 0


# --- air: lines 2750-2762 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prepared", "first"), [("no", 50), ("yes", 100)])
def test_without_air_the_odds_of_passing_out_are_those_of_the_rule(prepared, first):
    """Endurance 10: 50 seconds, or 100 prepared, then a roll every five."""
    ana = person(runs=(effect("no air", cause="under water", prepared=prepared),))
    assert odds(first + 4, ana, lambda state: state.people[0].life.senseless)[""] == 1
    for seconds in (first + 5, first + 14, first + 30):
        passed_out = odds(seconds, ana, lambda state: bool(state.people[0].life.senseless))
        rule = by_rule(without_air, Patient("Ana", endurance=10), seconds, prepared == "yes", of=lambda patient: patient.unconscious)
        assert same(passed_out, rule)
        assert 0 < passed_out[True] < 1


def test_who_has_passed_out_dies_after_minutes_unless_air_is_back():
    ana = person(endurance=0, runs=(effect("no air", cause="smoke"),))
    scene, state = downtime(HOUR, ana, rules=RULES)
    after = play(run(scene, state), dice=Seeded(1))
    assert body(after).dead
    out = play(run(scene, replace(state, until=5 + 3 * MINUTE)), dice=Seeded(1)).outcome
    assert out.people[0].life.senseless == "unconscious"
    assert not GAME.can_act(out.people[0].life)
    rescued = replace(out, until=out.now + 5 * MINUTE, people=(replace(out.people[0], runs=()),))
    assert play(run(scene, replace(rescued, until=out.now + 5 * MINUTE - 1)), dice=Seeded(1)).outcome.people[0].life.senseless
    assert play(run(scene, rescued), dice=Seeded(1)).outcome.people[0].life.senseless == ""


@pytest.mark.parametrize("seconds", [1, 54, 57, 60, 61])
def test_a_vacuum_is_the_rule_of_decompression(seconds):
    place = Location.of("home", pressure=0)
    lived_through = odds(seconds, person(), lambda state: _state(state.people[0].life), places=(place,))
    rule = by_rule(decompression, Patient("Ana", endurance=10), seconds, of=lambda patient: (patient.wounds, _out(patient), patient.dead))
    assert same(lived_through, rule)


def _out(patient):
    return patient.unconscious and not patient.dead


def _state(life: Survivor):
    dead = life.body.dead
    return life.body.wounds, (life.senseless == "unconscious" or life.body.unconscious) and not dead, dead


def test_what_passes_within_minutes_is_kept_in_the_file_and_cleared_in_it():
    ana = person(endurance=0, runs=(effect("no air", cause="smoke"),))
    scene, state = downtime(10, ana)
    out = play(run(scene, state), dice=Seeded(1)).outcome
    kept = scene.lasting(out, "Ana")
    assert (kept["senseless"].value, kept["drunk"].value) == ("unconscious", 0)
    again = replace(out.people[0], life=replace(out.people[0].life, senseless="", passing=True))
    assert scene.lasting(replace(out, people=(again,)), "Ana")["senseless"].value == ""


# --- fire and injuries: lines 2691-2695, 2780-2793 ----------------------------------------------------------------------------


@pytest.mark.parametrize(("contact", "flags"), [("plain", (False, False)), ("engulfed", (True, False)), ("brief", (False, True))])
def test_a_round_of_fire_is_the_rule_of_burns(contact, flags):
    ana = person(runs=(effect("burning", cause="napalm", where="left arm", contact=contact),))
    burnt = odds(1, ana, lambda state: state.people[0].life.body.wounds)
    rule = by_rule(burn, Patient("Ana", endurance=10), "napalm", ("left arm",), 1, *flags, of=lambda patient: patient.wounds)
    assert same(burnt, rule)


def test_rounds_of_fire_follow_each_other():
    ana = person(runs=(effect("burning", cause="camp fire", rounds="3"),))
    length = RULES.number("round-seconds")
    words = [sum("camp fire" in line for line in told(lived(seconds, ana))) for seconds in (1, length, 2 * length, HOUR)]
    assert words == [1, 2, 3, 3]


def test_a_heart_stopped_by_electricity_kills_within_minutes():
    ana = person()
    stopped = replace(ana, life=ana.life.with_body(replace(ana.life.body, heart_stopped=True)))
    assert not body(lived(4 * MINUTE - 1, stopped)).dead
    assert body(lived(4 * MINUTE, stopped)).dead


def test_damage_without_a_rating_and_faults():
    ana = person(runs=(effect("injury", cause="a rock fall", dc="6", where="left leg"),))
    hurt = odds(1, ana, lambda state: state.people[0].life.body.wounds)
    assert len(hurt.weights) > 2
    for of, given, message in (
        ("injury", {"cause": "x", "dc": "six"}, "damage class"),
        ("injury", {"cause": "x", "dc": "6", "where": "nose"}, "there is no location 'nose'"),
        ("burning", {"cause": "lava"}, "lava"),
        ("poison", {"poison": "brew"}, "brew"),
    ):
        with pytest.raises(UserError, match=message):
            effect(of, **given)


# --- poison and drink: lines 2404, 2742-2748 ----------------------------------------------------------------------------------


def test_rattlesnake_venom_works_every_five_minutes_for_an_hour():
    """DC 4: the odds after three doses are those of the rule; there are twelve."""
    ana = person(runs=(effect("poison", poison="rattlesnake venom"),))
    wounds = odds(15 * MINUTE + 1, ana, lambda state: state.people[0].life.body.wounds)
    rule = by_rule(poisoned, Patient("Ana", endurance=10), "rattlesnake venom", 3, of=lambda patient: min(patient.wounds, 8))
    assert same(wounds, rule)
    assert len(rule.weights) > 2
    scene, state = downtime(60 * MINUTE + 1, person(pain=20, pain_ease=15, ds=100, runs=ana.runs))
    assert play(run(scene, state), dice=Seeded(1)).outcome.people[0].runs == ()
    before = play(run(scene, replace(state, until=60 * MINUTE - 1)), dice=Seeded(1)).outcome.people[0].runs
    assert before[0].data[6] == 11


def test_a_slow_poison_is_unseen_until_a_symptom():
    """Nobody but the gamemaster learns of doses that do nothing; the first that works is told openly."""
    slow = effect("poison", hidden=True, poison="a tincture", does="damage", dc="2", every="1 day", lasts="9 days", onset="2 days")
    ana = person(runs=(slow,))
    seen = []
    for seed in range(12):
        played = lived(9 * DAY, ana, seed=seed)
        open_events = [event for event in played.events if event.logged and not event.hidden_from("Ana")]
        secret = [event for event in played.events if event.logged and event.hidden_from("Ana")]
        symptom = next(
            (index for index, event in enumerate(played.events) if "tincture" in event.headline() and not event.hidden_from("Ana")), None
        )
        quiet = [event for event in played.events[:symptom] if "no effect yet" in event.headline()]
        assert all(event.hidden_from("Ana") for event in quiet)
        assert not any("no effect yet" in event.headline() for event in open_events if symptom is None)
        assert secret
        seen.append(symptom is not None)
    assert any(seen)
    assert told(lived(3 * DAY - 1, ana)) == []


@pytest.mark.parametrize(("does", "state"), [("sleep", "unconscious"), ("paralysis", "paralysed")])
def test_some_poisons_only_paralyse_or_put_to_sleep(does, state):
    gas = effect("poison", poison="gas", does=does, every="1 minute", lasts="2 minutes")
    ana = person(pain=0, pain_ease=0, runs=(gas,))
    assert lived(MINUTE + 1, ana).outcome.people[0].life.senseless == state
    assert body(lived(MINUTE + 1, ana)).wounds == 0
    assert lived(HOUR, ana).outcome.people[0].life.senseless == ""


def test_drink_helps_against_pain_and_hinders_everything_else():
    line = read_assignment(RULES, FORESIGHT.staging("downtime").scene(RULES).activities, "drink", {"levels": "3"}, None, Around())
    ana = replace(person(), doing=(line,))
    drunk = lived(HOUR, ana).outcome.people[0]
    assert (drunk.life.body.drunk, drunk.doing, GAME.penalty(RULES, drunk.life)) == (3, (), -2)
    levels = [lived(HOUR + hours * HOUR, ana).outcome.people[0].life.body.drunk for hours in (2, 4, 6)]
    assert levels == [2, 1, 0]


def test_the_environments_of_a_location_are_those_of_the_table():
    assert sorted(ENVIRONMENT.words) == sorted(ENVIRONMENTS.every(RULES) if hasattr(ENVIRONMENTS, "every") else ENVIRONMENTS(RULES))
    assert TERRAIN(RULES)


def test_odds_are_fractions_of_the_same_whole():
    ana = person(runs=(effect("no air", cause="smoke"),))
    assert sum((odds(60, ana).map(lambda life: life.senseless)[value] for value in ("", "unconscious")), Fraction(0)) == 1
