"""Sickness, poison and powers at leisure (lines 2181-2182, 6010-6091, 6990-7032, 7054-7104)."""

import pytest
from msgspec.structs import replace

from ore.downtime.planned import ORE, RULES, SCENE, chances, chances_of, character, first, lasting, lived, planned, told
from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.errors import UserError
from rulewright.scenes.scenarios import CONDITION
from rulewright.systems.ore.people.characters import Inherent, Owned, PowerSet, Statistics
from rulewright.systems.ore.people.skills import vigor_test
from rulewright.systems.ore.powers.usage import use_effect

FAILED, PASSED = (1, 2, 3), (9, 9, 1)  # Body 3 without Vigor


def sick(**given):
    runs = [("sickness", {"name": "marsh fever", "virulence": "3", "onset": "2 days", "interval": "1 day", **given})]
    return planned(runs=runs)


# --- sickness -----------------------------------------------------------------------------------------------------------------


def test_a_sickness_incubates_unseen_and_shows_at_the_first_test():
    who = sick()
    assert [run.known for run in who.runs if run.of == "sickness"] == [()]
    assert told(lived(2 * DAY - 1, who)) == []
    played = lived(2 * DAY, who, faces=[FAILED])
    assert [event.hidden_from("Ana") for event in played.events if "marsh fever" in event.headline()] == [False]
    body = first(played).life.body
    assert sum(part.shock for part in body.parts) == 1


def test_enough_successes_end_it_and_the_last_test_too():
    assert [run for run in first(lived(2 * DAY, sick(), faces=[PASSED])).runs if run.of == "sickness"] == []
    twice = sick(needed="2")
    assert [run.data[-2:] for run in first(lived(3 * DAY, twice, faces=[PASSED, FAILED])).runs if run.of == "sickness"] == [(1, 2)]
    assert [run for run in first(lived(4 * DAY, twice, faces=[PASSED, FAILED, PASSED])).runs if run.of == "sickness"] == []
    poison = sick(tests="1", kill="2", shock="0")
    after = first(lived(2 * DAY, poison, faces=[FAILED]))
    assert [run for run in after.runs if run.of == "sickness"] == []
    assert sum(part.kill for part in after.life.body.parts) == 2


def test_the_chance_of_falling_ill_is_that_of_the_rule():
    ill = chances(lasting(2 * DAY, sick()), lambda person: any(run.of == "sickness" for run in person.runs))
    rule = chances_of(vigor_test, RULES, 3, 0, 3, of=lambda outcome: not outcome.success)
    assert ill == rule


# --- powers -------------------------------------------------------------------------------------------------------------------


def power(name, who=None, runs=(), others=(), **given):
    return planned(("use a power", {"power": name, **given}), who=who, runs=runs, others=others)


def test_the_odds_of_a_power_are_those_of_the_rule():
    """Psi 3 and Redaction 3 against an Intensity of 3; Burn is one Shock for each waste die below it."""
    by_rule = chances_of(use_effect, RULES, "Antitoxin", 3, 3, of=lambda used: (used.burnt, used.outcome.success))
    assert chances(lasting(MINUTE, power("Antitoxin")), lambda who: (shock(who), any(run.of == "antitoxin" for run in who.runs))) == by_rule
    assert len(by_rule) > 6


def shock(person):
    return sum(part.shock for part in person.life.body.parts)


BARE = {"powers": (), "advantages": ()}
NO_BURN, AT_HEIGHT_9 = (4, 5, 6, 7, 8, 9), (9, 9, 4, 5, 6, 7)


def test_mending_a_companion_heals_its_width_in_shock():
    hurt = planned(who=character("Bo", **BARE, condition={"parts.torso.shock": 5}))
    played = lived(MINUTE, power("Mending", others=[character("Bo")], on="Bo"), hurt, faces=[AT_HEIGHT_9])
    assert shock(played.outcome.people[1]) == 3
    assert told(played)[-1] == "Ana mends Bo: Shock, torso 3, was 5"


def test_every_further_metamitosis_costs_a_die_for_a_day():
    """Lines 7054-7060: Width in Kill, and one die less each time."""
    hurt = planned(who=character("Bo", **BARE, condition={"parts.torso.kill": 8}))
    ana = power("Metamitosis", others=[character("Bo")], on="Bo")
    once = lived(MINUTE, ana, hurt, faces=[AT_HEIGHT_9])
    assert once.outcome.people[1].life.body.part("torso").kill == 6
    assert OngoingEffect("treated by a power", "Bo", 0, (1,)) in first(once).runs
    again = replace(once.outcome, until=2 * MINUTE, people=(replace(first(once), doing=ana.doing), once.outcome.people[1]))
    five = chances(again, lambda who: any(run.data == (2,) for run in who.runs))
    rule = chances_of(use_effect, RULES, "Metamitosis", 3, 3, 1, of=lambda used: used.outcome.success)
    assert five == rule
    rested = first(lived(DAY + MINUTE, replace(first(once), since=0), replace(once.outcome.people[1], since=0)))
    assert all(run.of != "treated by a power" for run in rested.runs)


def test_antitoxin_weakens_a_sickness_and_ends_it_at_0():
    """Line 7017."""
    ana = power("Antitoxin", runs=[("sickness", {"name": "fever", "virulence": "3", "onset": "5 days"})])
    weaker = first(lived(MINUTE + 1, ana, faces=[AT_HEIGHT_9]))
    assert [run.data[0] for run in weaker.runs if run.of == "sickness"] == [1]
    cured = first(lived(MINUTE + 1, ana, faces=[(9, 9, 9, 4, 5, 6)]))
    assert [run for run in cured.runs if run.of == "sickness"] == []


def test_antitoxin_in_advance_adds_its_width_for_three_hours_a_point_of_psi():
    """Line 7030."""
    ana = power("Antitoxin")
    safe = first(lived(MINUTE + 1, ana, faces=[AT_HEIGHT_9]))
    assert [run.data for run in safe.runs if run.of == "antitoxin"] == [(2, 3, 9 * HOUR)]
    fever = OngoingEffect("sickness", "fever", 0, (3, HOUR, DAY, 1, 0, 1, 0, 0, 0), ())
    state = lasting(HOUR, replace(safe, since=0, runs=(*safe.runs, fever)))
    rule = chances_of(vigor_test, RULES, 3, 2, 3, of=lambda outcome: not outcome.success)
    assert chances(state, lambda person: any(run.of == "sickness" for run in person.runs)) == rule
    over = first(lived(9 * HOUR, replace(safe, since=0)))
    assert all(run.of != "antitoxin" for run in over.runs)


def test_a_power_lasts_as_long_as_it_says():
    glow = first(lived(MINUTE, power("Healthy Glow"), faces=[AT_HEIGHT_9]))
    assert [run.data for run in glow.runs if run.of == "power"] == [(HOUR,)]
    assert [run for run in first(lived(HOUR, replace(glow, since=0))).runs if run.of == "power"] == []


def mage(limit, *effects, **own):
    apprentice = Owned("arcane apprentice", first=5, second=limit, choice="sorcery")
    spells = PowerSet("sorcery", 3, {"magic": 3}, own={"Spark": 2, **own})
    return character(advantages=(apprentice, Owned("wealth", 1)), powers=(spells,), statistics=Statistics())


def test_energy_points_are_spent_and_come_back_after_a_day():
    """A Limit of 3 gives Psi in Energy Points, and an effect costs its level."""
    once = first(lived(MINUTE, power("Spark", mage(3)), faces=[AT_HEIGHT_9]))
    assert once.life.reserve.energy == (("sorcery", 2),)
    again = replace(once, doing=power("Spark", mage(3)).doing)
    assert SCENE.schedule(lasting(1, again))["Ana"][0][1] == "2 Energy Points are needed, 1 are left"
    assert first(lived(DAY, replace(once, since=0))).life.reserve.energy == ()
    kept = SCENE.lasting(lasting(1, once), "Ana")
    assert kept["reserve.energy"].value == [["sorcery", 2]]
    read = replace(mage(3), **{CONDITION: {field: lasts.value for field, lasts in kept.items()}})
    assert ORE.downtime.of(RULES, read, "Ana") == once.life


def test_materials_are_paid_by_level():
    """Limit 4: the pounds of materials for a level, times the level."""
    costly = power("Spark", mage(4))
    assert costly.amount("Pounds") == 1_000
    after = first(lived(MINUTE, costly, faces=[AT_HEIGHT_9]))
    assert after.amount("Pounds") == 1_000 - 2 * RULES.number("materials-pounds")


def test_once_a_session_and_again_in_the_next():
    once = first(lived(MINUTE, power("Spark", mage(0)), faces=[NO_BURN]))
    again = replace(once, doing=power("Spark", mage(0)).doing)
    assert SCENE.schedule(lasting(1, again))["Ana"][0][1] == "Spark was used this session already"
    fresh = first(lived(1, replace(once, since=0, runs=(OngoingEffect("new session"),))))
    assert fresh.life.reserve.used == ()


def test_inherent_powers_need_no_roll():
    born = character(powers=(), advantages=(), inherent=(Inherent("Scales", 2),))
    assert told(lived(MINUTE, power("Scales", born)))[-1] == "Ana uses Scales"


def test_unknown_powers_wait_and_others_must_be_there():
    nobody = power("Telekinesis")
    assert SCENE.schedule(lasting(1, nobody))["Ana"][0][1] == "Ana does not have the power Telekinesis"
    alone = power("Mending", others=[character("Bo")], on="Bo")
    assert SCENE.schedule(lasting(1, alone))["Ana"][0][1] == "Bo is not there"
    with pytest.raises(UserError):
        power(" ")
