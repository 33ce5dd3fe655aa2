"""Life between fights at a table: what is learnt reaches the sheet, companions travel along, and a slow poison stays unseen."""

import pytest
from msgspec.structs import astuple

from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from table.group import Group, gather


class Party(Group):
    """A group with two characters at an inn."""

    one: str = ""
    other: str = ""


def party_of(kept, system, ready):
    party = Party(*astuple(gather(kept, system)))
    party.one = party.act("ana", a.AddCharacter(ready=ready, name="Vesna")).made
    party.other = party.act("cleo", a.AddCharacter(ready=ready, name="Teodor")).made
    party.act("bea", c.StartClock("3 March 1931 20:00"))
    for place in ("inn", "dome"):
        party.act("bea", c.SetLocation(place, {}))
    for character in (party.one, party.other):
        party.act("bea", c.MakePlan(character, location="inn"))
    return party


@pytest.fixture
def foresight(kept):
    return party_of(kept, "foresight", "smuggler")


def seen(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).data, table.campaign.plan(character)


def texts(group, who):
    return [line.text for line in group.log(who)] + [detail.text for line in group.log(who) for detail in line.details]


def test_an_award_is_spent_and_reaches_the_sheet(foresight):
    foresight.act("bea", c.BeginEffect(foresight.one, "award", {"session": "the ferry", "in character": "5"}))
    foresight.act("bea", c.PassTime("1 hour"))
    sheet, _ = seen(foresight, foresight.one)
    assert sheet["experience"][-1] == {"entry": "award", "points": 10, "session": "the ferry"}
    foresight.act("ana", c.PlanActivity(foresight.one, "spend experience", {"what": "Search", "buy": "skill", "time": "8 hours"}))
    foresight.act("bea", c.PassTime("3 days"))
    sheet, plan = seen(foresight, foresight.one)
    assert (sheet["experience"][-1]["buy"], sheet["experience"][-1]["what"]) == ("skill", "Search")
    assert plan.doing == ()
    foresight.act("bea", c.TurnBack())
    assert seen(foresight, foresight.one)[0]["experience"][-1]["entry"] == "award"


def test_companions_travel_along_and_arrive_together(foresight):
    given = {"to": "dome", "km": "40", "vehicle": "Jeep", "how": "routine", "with": "Teodor"}
    foresight.act("ana", c.PlanActivity(foresight.one, "travel", given))
    foresight.act("bea", c.PassTime("1 hour"))
    assert [seen(foresight, who)[1].location for who in (foresight.one, foresight.other)] == ["dome", "dome"]


def test_a_slow_poison_is_unseen_until_a_symptom(foresight):
    given = {"poison": "tincture", "does": "damage", "dc": "1", "every": "1 day", "lasts": "5 days", "onset": "2 days"}
    foresight.act("bea", c.BeginEffect(foresight.one, "poison", given, hidden=True))
    assert not any("tincture" in text for text in texts(foresight, "ana"))
    foresight.act("bea", c.PassTime("2 days"))
    assert not any("tincture" in text for text in texts(foresight, "ana"))
    assert not any(run["of"] == "poison" for run in seen(foresight, foresight.one)[0].get("condition", {}).get("runs", ()))
    for _ in range(6):
        foresight.act("bea", c.PassTime("1 day"))
    assert any("tincture" in text for text in texts(foresight, "bea"))


def test_a_vacuum_kills_within_a_minute_or_so(foresight):
    foresight.act("bea", c.SetLocation("dome", {"pressure": 0}))
    foresight.act("bea", c.MakePlan(foresight.one, location="dome"))
    foresight.act("bea", c.PassTime("5 min"))
    assert seen(foresight, foresight.one)[0]["condition"]["dead"] is True
    assert not seen(foresight, foresight.other)[0].get("condition", {}).get("dead")


def test_training_and_a_raised_skill_reach_a_sheet_of_hybrid(kept):
    group = party_of(kept, "hybrid", "constable")
    group.act(
        "ana", c.PlanActivity(group.one, "train", {"skill": "Search", "method": "teacher", "with": "Teodor", "hours of training": "80"}, 16)
    )
    group.act("bea", c.PassTime("2 weeks"))
    sheet, _ = seen(group, group.one)
    assert sheet["advancement"][-1] == {"entry": "training", "hours": 80, "method": "teacher", "skill": "Search"}
    group.act("ana", c.PlanActivity(group.one, "march", {"to": "dome", "km": "5", "with": "Teodor"}))
    group.act("bea", c.PassTime("3 days"))
    assert [seen(group, who)[1].location for who in (group.one, group.other)] == ["dome", "dome"]
