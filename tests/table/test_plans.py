"""Plans at a table: activities with a roll, several at once, travel, what they change, and undoing it."""

import pytest
from msgspec.structs import astuple

from rulewright.errors import UserError
from rulewright.table import campaign_view
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.storage import migrate_full
from table.group import Group, gather


class Party(Group):
    """A group with two characters."""

    vesna: str = ""
    teodor: str = ""


@pytest.fixture
def group(kept):
    party = Party(*astuple(gather(kept, "scumm")))
    party.vesna = party.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    party.teodor = party.act("cleo", a.AddCharacter(of="character", name="Teodor")).made
    party.act("bea", c.StartClock("3 March 1931 20:00"))
    party.act("bea", c.SetLocation("archive", {}))
    return party


LEDGER = {"aim": "the ledger", "unit": "1 day", "test": "investigation", "against": "1", "total": "3"}


def plan(group, character):
    with group.tables.looking(group.table) as table:
        return table.campaign.plan(character)


def data(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).data


def now(group):
    with group.tables.looking(group.table) as table:
        shown = campaign_view.campaign_shown(table, table.members[group.bea])
    return f"{shown.date}, {shown.time}"


def texts(group, who):
    return [line.text for line in group.log(who)] + [detail.text for line in group.log(who) for detail in line.details]


def test_something_else_needs_its_units_and_leaves_the_plan_when_it_is_done(group):
    group.act("ana", c.PlanActivity(group.vesna, "something else", {"aim": "the ledger", "unit": "16 hours", "total": "3"}, 16))
    group.act("bea", c.PassTime("30 hours"))
    assert data(group, group.vesna)["condition"]["runs"] == [
        {"of": "something else", "about": "the ledger", "spent": 6 * 3600, "data": [1, 1]}
    ]
    group.act("bea", c.PassTime("1 week"))
    assert plan(group, group.vesna).doing == ()
    assert data(group, group.vesna)["condition"]["runs"] == []
    assert any("the ledger: done" in text for text in texts(group, "cleo"))
    group.act("bea", c.TurnBack())
    assert [line.aim for line in plan(group, group.vesna).doing] == ["the ledger"]


def test_a_roll_at_the_end_of_each_unit_decides_what_counts(group):
    group.act("ana", c.PlanActivity(group.vesna, "something else", LEDGER))
    group.act("bea", c.PassTime("1 month"))
    rolls = [text for text in texts(group, "ana") if "the ledger:" in text and "rolls" in text]
    assert len(rolls) >= 3
    assert "the ledger: done" in rolls[0] or "the ledger: done" in rolls[-1]


def test_going_somewhere_changes_the_location_and_waits_for_nobody(group):
    group.act("ana", c.PlanActivity(group.vesna, "go to", {"to": "archive", "takes": "3 hours"}))
    group.act("bea", c.PassTime("2 hours"))
    assert plan(group, group.vesna).location == ""
    group.act("bea", c.PassTime("2 hours"))
    assert plan(group, group.vesna).location == "archive"
    assert plan(group, group.vesna).doing == ()
    group.act("bea", c.TurnBack())
    assert plan(group, group.vesna).location == ""


def test_no_hour_is_given_twice(group):
    for number in range(3):
        group.act("ana", c.PlanActivity(group.vesna, "something else", {"aim": f"task {number}", "unit": "8 hours"}, 8))
    group.act("bea", c.PassTime("1 day"))
    assert [line.aim for line in plan(group, group.vesna).doing] == ["task 2"]
    group.act("bea", c.PassTime("1 day"))
    assert plan(group, group.vesna).doing == ()


def test_plans_are_checked(group):
    def refused(words, activity="something else", given=None, hours=None, who="ana"):
        with pytest.raises(UserError, match=words):
            group.act(who, c.PlanActivity(group.vesna, activity, given or {"aim": "x"}, hours))

    refused("no activity 'sumthing else'; did you mean", "sumthing else")
    refused("there is no 'unti'; did you mean", given={"aim": "x", "unti": "1 day"})
    refused("is not a span of time", given={"aim": "x", "unit": "soon"})
    refused("What it is about must be given", given={"unit": "1 day"})
    refused("the sheet has no test 'investigatoin'; did you mean", given={"aim": "x", "test": "investigatoin"})
    refused("there is no location 'attic'", "go to", {"to": "attic"})
    refused("0 to 16 hours a day", hours=17)
    refused("takes time", hours=0)
    refused("How many are needed is a number from 1 to 1000", given={"aim": "x", "total": "0"})
    with pytest.raises(Forbidden):
        group.act("cleo", c.PlanActivity(group.vesna, "something else", {"aim": "x"}))
    with pytest.raises(UserError, match="has no activity 'something else y'"):
        group.act("ana", c.DropActivity(group.vesna, "something else", "y"))


def test_progress_survives_a_change_of_plans_and_a_full_table(group):
    group.act("ana", c.PlanActivity(group.vesna, "something else", {"aim": "x", "unit": "8 hours", "total": "5"}, 24))
    group.act("bea", c.PassTime("20 hours"))
    group.act("ana", c.DropActivity(group.vesna, "something else", "x"))
    group.act("bea", c.PassTime("1 week"))
    kept = data(group, group.vesna)["condition"]["runs"]
    assert kept == [{"of": "something else", "about": "x", "spent": 4 * 3600, "data": [2, 2]}]
    group.act("ana", c.PlanActivity(group.vesna, "something else", {"aim": "x", "unit": "8 hours", "total": "5"}, 24))
    with group.tables.looking(group.table) as table:
        changes = migrate_full._campaign_changes(table)
    assert any(getattr(change, "doing", ()) for change in changes)
    group.act("bea", c.PassTime("20 hours"))
    assert plan(group, group.vesna).doing == ()
