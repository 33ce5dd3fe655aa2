"""The gamemaster rolls on a table of the game and gets a note that nobody else sees."""

import pytest

from rulewright.errors import UserError
from rulewright.table.commands.campaign_messages import GenerateNote
from rulewright.table.permissions import Forbidden
from table.group import gather


@pytest.fixture
def group(kept):
    return gather(kept, "silhouette")


def notes(group, member):
    with group.tables.looking(group.table) as table:
        return [note for note in table.notes.values() if note.author == member]


def test_a_note_is_made_and_only_its_author_reads_it(group):
    made = group.act("bea", GenerateNote("plot mover", {"title": "home front"})).made
    (note,) = notes(group, group.bea)
    assert (note.title, note.readers, bool(made)) == ("Home front", "me", True)
    assert "home" in note.text or "family" in note.text
    assert not any("Home front" in line.text for line in group.log("ana"))


def test_players_cannot_and_unknown_names_are_refused(group):
    with pytest.raises(Forbidden):
        group.act("ana", GenerateNote("plot mover"))
    with pytest.raises(UserError, match="did you mean"):
        group.act("bea", GenerateNote("plot movr"))
    with pytest.raises(UserError, match="Stereotype"):
        group.act("bea", GenerateNote("somebody", {"stereotype": "baker"}))
    assert notes(group, group.bea) == []
