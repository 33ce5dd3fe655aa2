"""Experience and travel between scenes (lines 1924-1929, 6085-6103, 5568-5696)."""

import pytest
from msgspec.structs import replace

from ore.downtime.planned import RULES, SCENE, character, first, lasting, lived, planned, told
from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.errors import UserError
from rulewright.system import find
from rulewright.systems.ore.people.characters import Award, Person, PowerSet, Purchase
from rulewright.systems.ore.powers.costs import AVAILABILITY

DISCIPLINES = find("ore").book.ruleset(settings={"skill-system": "discipline"})
ORE = find("ore")


def waits(who):
    return SCENE.schedule(lasting(DAY, who))["Ana"][0][1]


def learns(who=None, rules=RULES, **given):
    return planned(("learn", {"time": "8 hours", "hours": 8, **given}), who=who, rules=rules)


# --- experience ---------------------------------------------------------------------------------------------------------------


def test_an_award_goes_into_the_log_and_stops_the_time():
    played = lived(DAY, planned(runs=[("award", {"session": "the docks", "xp": "4"})]))
    assert [(entry.entry, dict(entry.fields)) for entry in first(played).learnt] == [("award", {"session": "the docks", "xp": 4})]
    assert played.outcome.now == 0
    assert played.outcome.stopped == "Ana gains 4 points of experience"


@pytest.mark.parametrize(("kind", "what", "under", "price"), [("discipline", "crime", "", 6), ("concentration", "wrestling", "crime", 12)])
def test_disciplines_cost_twice_and_concentrations_three_times_the_new_rating(kind, what, under, price):
    """Lines 1926-1928: Discipline 3 is 6 points, Concentration 4 is 12."""
    skilled = character(skills={"crime": 2}, concentrations={"crime": {"wrestling": 3}}, powers=(), advantages=(), advancement=(Award(12),))
    played = lived(2 * DAY, learns(skilled, DISCIPLINES, kind=kind, what=what, under=under), rules=DISCIPLINES)
    learnt = [dict(entry.fields) for entry in first(played).learnt]
    assert [(entry["to"], entry["xp"]) for entry in learnt] == [(3 if price == 6 else 4, price)]
    assert played.outcome.now == DAY


@pytest.mark.parametrize(("availability", "price"), [("readily available", 4), ("uncommon", 8), ("restricted", 12)])
def test_effects_cost_their_intensity_by_availability(availability, price):
    """Lines 6091-6101."""
    rules = ORE.book.ruleset(settings={"effects-are": availability})
    assert AVAILABILITY.of(rules, availability) == price // 4
    psychic = character(powers=(PowerSet("meta-psychic", 4, {"redaction": 4}, ("Mending",)),), advancement=(Award(12),))
    who = learns(psychic, rules, kind="power effect", what="Metamitosis", under="meta-psychic")
    learnt = dict(first(lived(2 * DAY, who, rules=rules)).learnt[0].fields)
    assert (learnt["what"], learnt["xp"]) == ("Metamitosis", price)


def test_what_is_learnt_is_a_legal_purchase_in_the_file():
    who = learns(kind="skill", what="engineering", xp="3")
    entry = first(lived(DAY, who)).learnt[0]
    before = character()
    after = replace(before, advancement=(*before.advancement, purchase(entry)))
    faults = [[problem.message for problem in ORE.audit(RULES, thing).problems] for thing in (before, after)]
    assert faults[0] == faults[1]
    assert ORE.sheet(RULES, after).tests()["engineering"].notation == "7d"  # Psyche 3 and Engineering 4


def purchase(entry):
    return Purchase(**dict(entry.fields))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "skill", "what": "engineering"}, "the book gives no price"),
        ({"kind": "skill", "what": "engineering", "xp": "11"}, "11"),
        ({"kind": "power effect", "what": "Lacerate", "under": "meta-psychic"}, "Lacerate"),
        ({"kind": "skill", "what": "basketweaving", "xp": "1"}, "there is no skill"),
    ],
)
def test_what_cannot_be_bought_waits(given, why):
    who = learns(**given)
    assert why in waits(who)
    assert first(lived(DAY, who)).learnt == ()


def test_an_advantage_with_two_parts_grows():
    who = learns(kind="advantage", what="contacts", first="3", second="2", xp="1")
    entry = first(lived(DAY, who)).learnt[0]
    grown = Person.of(RULES, character(advancement=(Award(10), purchase(entry))))
    assert ("contacts", 3, 2) in [(own.name, own.first, own.second) for own in grown.advantages]


# --- travel -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "span"),
    [
        ({"mode": "land", "speed": "2", "kilometres": "100"}, HOUR),
        ({"mode": "sea", "speed": "1", "kilometres": "90"}, 6 * HOUR),
        ({"mode": "air", "speed": "4", "kilometres": "3000"}, 2 * HOUR),
        ({"mode": "space", "speed": "3", "kilometres": "144000000"}, 32 * MINUTE),  # a quarter of light to the Sun: about 32 minutes
        ({"mode": "stellar", "speed": "4", "takes": "5 hours"}, 5 * HOUR),
    ],
)
def test_the_time_of_a_way(given, span):
    who = planned(("travel", {"to": "there", **given}))
    assert first(lived(span - 1, who)).location == "here"
    assert first(lived(span, who)).location == "there"


def test_acceleration_is_its_own_speed_and_takes_half_the_way_to_brake():
    """9.75 metres a second squared at 1 G: 12 G are Speed 3."""
    who = planned(("travel", {"to": "there", "mode": "relativistic", "gravities": "12", "kilometres": "1000000"}))
    played = lived(DAY, who)
    seconds = 2 * (1e9 / (12 * 9.75)) ** 0.5
    arrived = next(event.at for event in played.events if hasattr(event, "at"))
    assert seconds <= arrived < seconds + 60
    assert "12 G, Speed 3" in told(played)[-1]


@pytest.mark.parametrize(
    ("mode", "speed", "said"),
    [("sea", "5", "left behind"), ("land", "2", "as fast"), ("land", "3", "there first"), ("air", "1", "there first")],
)
def test_the_mode_of_a_pursuer_counts_before_the_speed(mode, speed, said):
    given = {"to": "there", "mode": "land", "speed": "2", "pursuer": mode, "pursuing": speed}
    assert said in told(lived(DAY, planned(("travel", given))))[-1]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"mode": "stellar", "speed": "1"}, "has no figure"),
        ({"mode": "space", "speed": "1"}, "has no figure"),
        ({"mode": "land", "gravities": "3"}, "measured in G"),
        ({"mode": "relativistic", "speed": "6"}, "no acceleration"),
    ],
)
def test_ways_without_a_figure_need_one(given, why):
    with pytest.raises(UserError, match=why):
        planned(("travel", {"to": "there", **given}))


def test_a_march_tires():
    assert SCENE.exertion(lasting(DAY, planned(("march", {"to": "there"}))), planned(("march", {"to": "there"}))) == "marching"
