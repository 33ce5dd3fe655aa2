"""Campaign files: a table begins from one, is saved as one, and a file with faults changes nothing."""

import pytest

from rulewright import files
from rulewright.campaign.roll_request import WantedTest
from rulewright.errors import UserError
from rulewright.system import find
from rulewright.table import campaign_view
from rulewright.table.campaign_file import campaign_data, campaign_text
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from table.group import gather

FERRY = """
system: scumm
kind: campaign
name: The drowned accountant
people: [detective, hired-gun]
hidden: [Rosalind Vale]
calendar: {start: "3 March 1931 20:00"}
locations:
  harbour hospital: {care: constant, hygiene: -2}
plans:
  NAME: {at: harbour hospital, doing: [{do: something else, aim: the ledger, unit: 1 day, total: 3, hours: 6}]}
effects:
  NAME: [{of: illness, about: marsh fever, data: [marsh fever, 5, 4, 72, ""]}]
dates:
  - {on: 28 March 1931, what: the ferry is sold, known: gamemaster}
tallies:
  - {name: patience, of: 6, count: 2, known: exists}
requests:
  the desk: {of: [NAME], tests: [{test: notice, against: "5"}], manner: target hidden}
"""


@pytest.fixture
def group(kept):
    return gather(kept, "scumm")


def ferry():
    """The file with the names of the ready-made characters."""
    game = find("scumm")
    demos = [game.demos()[f"characters/{key}.yaml"].read_bytes() for key in ("detective", "hired-gun")]
    first, second = (files.parse(content, "demo").data["name"] for content in demos)
    return FERRY.replace("NAME", first).replace("Rosalind Vale", second), first, second


def shown(group, who="bea"):
    with group.tables.looking(group.table) as table:
        return campaign_view.campaign_shown(table, table.members[getattr(group, who)])


def test_a_table_begins_from_a_file(group):
    text, first, second = ferry()
    group.act("bea", c.BeginCampaign(text))
    campaign = shown(group)
    assert (campaign.date, campaign.time) == ("Tuesday 3 March 1931", "20:00")
    assert [(person.name, person.location) for person in campaign.people] == [(first, "harbour hospital")]
    assert [(date.what, date.hidden) for date in campaign.dates] == [("the ferry is sold", True)]
    assert [(tally.name, tally.count, tally.of) for tally in campaign.tallies] == [("patience", 2, 6)]
    with group.tables.looking(group.table) as table:
        hidden = {character.name: character.hidden for character in table.characters.values()}
        assert hidden == {first: False, second: True}
        owner = next(character for character in table.characters.values() if character.name == first)
        assert [line.aim for line in table.campaign.plan(owner.id).doing] == ["the ledger"]
        assert [run.known for run in table.campaign.secrets[owner.id]] == [()]
        assert table.campaign.requests["the desk"]["of"] == (owner.id,)
    assert shown(group, "ana").dates == ()
    group.act("bea", c.PassTime("3 days"))
    with pytest.raises(UserError, match="has a clock already"):
        group.act("bea", c.BeginCampaign(text))


def test_a_table_is_saved_as_a_file_and_begins_from_it_the_same(kept, group):
    text, *_ = ferry()
    group.act("bea", c.BeginCampaign(text))
    group.act("bea", c.PassTime("30 hours", tactics=True))
    with group.tables.looking(group.table) as table:
        first, written = campaign_data(table), campaign_text(table)
        people = {character.name: character.data for character in table.characters.values()}
    again = gather(kept, "scumm")
    again.act("bea", c.BeginCampaign(written))
    with again.tables.looking(again.table) as table:
        assert {character.name: character.data for character in table.characters.values()} == people
        second = campaign_data(table)
    assert {**second, "name": ""} == {**first, "name": ""}
    assert shown(again) == shown(group) or shown(again).people[0].due == shown(group).people[0].due
    assert first["calendar"]["start"] == "Thursday 5 March 1931, 02:00"


def test_every_fault_of_a_file_is_named_with_its_line_and_nothing_begins(group):
    text, *_ = ferry()
    wrong = (
        text.replace("28 March 1931", "28 Marz 1931")
        .replace("{at: harbour hospital", "{at: harbor hospital")
        .replace("of: 6", "of: 600")
        .replace("care: constant", "care: some")
    )
    with pytest.raises(UserError) as refused:
        group.act("bea", c.BeginCampaign(wrong))
    said = "\n".join(refused.value.parts)
    for words in ("locations.harbour hospital", "there is no location 'harbor hospital'", "dates.0", "tallies.0"):
        assert words in said
    assert not shown(group).started
    with pytest.raises(UserError, match="needed here, and this is character"):
        group.act("bea", c.BeginCampaign(files.render(files.ordered(find("scumm").new(find("scumm").book.ruleset(), "character", None)))))
    with pytest.raises(UserError, match=r"people.0: scumm has no ready-made"):
        group.act("bea", c.BeginCampaign("system: scumm\nkind: campaign\nname: x\npeople: [/etc/passwd]\n"))
    with pytest.raises(UserError, match="this campaign is for Hybrid"):
        group.act("bea", c.BeginCampaign("system: hybrid\nkind: campaign\nname: x\n"))
    with pytest.raises(Forbidden):
        group.act("ana", c.BeginCampaign(text))


def test_a_table_without_a_clock_cannot_be_saved(group):
    with pytest.raises(UserError, match="no clock yet"), group.tables.looking(group.table) as table:
        campaign_data(table)


OWN_MONTHS = "{start: 3 Frost 12, months: [{name: Frost, days: 40}, {name: Sun, days: 30}]}"


@pytest.mark.parametrize("calendar", ["{}", '{start: "Day 12, 09:40"}', OWN_MONTHS])
def test_every_calendar_survives_saving(kept, group, calendar):
    group.act("bea", c.BeginCampaign(f"system: scumm\nkind: campaign\nname: x\npeople: [detective]\ncalendar: {calendar}\n"))
    group.act("bea", c.PassTime("3 days 20 minutes"))
    again = gather(kept, "scumm")
    with group.tables.looking(group.table) as table:
        again.act("bea", c.BeginCampaign(campaign_text(table)))
    assert (shown(again).date, shown(again).time) == (shown(group).date, shown(group).time)
    again.act("bea", c.PassTime("1 week"))
    group.act("bea", c.PassTime("1 week"))
    assert (shown(again).date, shown(again).time) == (shown(group).date, shown(group).time)


def test_names_in_kept_requests_are_people_of_the_new_table(kept, group):
    group.act("bea", c.StartClock("3 March 1931"))
    person = group.act("bea", a.AddCharacter(of="character", name="Vesna")).made
    group.act("bea", c.KeepRequest("the desk", a.AskForRoll((person,), (WantedTest("alertness", "4"),))))
    again = gather(kept, "scumm")
    with group.tables.looking(group.table) as table:
        again.act("bea", c.BeginCampaign(campaign_text(table)))
    with again.tables.looking(again.table) as table:
        (only,) = table.characters
        assert table.campaign.requests["the desk"]["of"] == (only,)
