"""Silhouette's time at a table: hidden exposure, and a machine that its technician repairs."""

import pytest
from msgspec.structs import astuple

from rulewright.table import campaign_view
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from table.group import Group, gather


class Party(Group):
    """A group with a character and a machine."""

    mara: str = ""
    heron: str = ""


@pytest.fixture
def group(kept):
    party = Party(*astuple(gather(kept, "silhouette")))
    party.mara = party.act("ana", a.AddCharacter(of="character", name="Mara")).made
    party.heron = party.act("bea", a.AddCharacter(of="vehicle", name="Heron", archetype="street-runabout")).made
    party.act("bea", c.StartClock("3 March 1931 20:00"))
    return party


def shown(group, member):
    with group.tables.looking(group.table) as table:
        return campaign_view.campaign_shown(table, table.members[member])


def data(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).data


def test_an_exposure_is_the_gamemasters_until_it_shows(group):
    group.act("bea", c.BeginEffect(group.mara, "irradiation", {"rads": "400"}))
    assert "rads" not in str(data(group, group.mara).get("condition", {}))
    group.act("bea", c.PassTime("1 minute", tactics=True))
    players = {person.name: person for person in shown(group, group.ana).people}
    leads = {person.name: person for person in shown(group, group.bea).people}
    assert any("rads" in what for what, _ in leads["Mara"].due)
    assert not any("rad" in what for what, _ in players["Mara"].due)
    assert data(group, group.mara).get("condition", {}).get("taken_in.rads", 0) == 0


def test_a_machine_is_driven_and_its_range_is_kept_in_its_file(group):
    group.act("bea", c.SetLocation("ford", {}))
    group.act("ana", c.PlanActivity(group.mara, "drive", {"machine": "Heron", "to": "ford", "kilometres": "5"}))
    group.act("bea", c.PassTime("1 day", tactics=True))
    people = {person.name: person for person in shown(group, group.bea).people}
    assert {people["Mara"].location, people["Heron"].location} == {"ford"}
    fuel = data(group, group.heron)["condition"]["fuel"]
    assert fuel["Deployment Range"] > 0
    assert any("of" in words and "Deployment Range" in words for words in people["Heron"].state)
    group.act("bea", c.TurnBack())
    assert "fuel" not in data(group, group.heron).get("condition", {})
