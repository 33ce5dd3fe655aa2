"""Copies of a table for other programs, read by independent readers: Markdown pages, a spreadsheet, a calendar."""

import csv
import re
from datetime import datetime
from io import BytesIO, StringIO
from urllib.parse import unquote
from zipfile import ZipFile

import icalendar
import pytest
from markdown_it import MarkdownIt

from rulewright.errors import UserError
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.storage.calendar_file import calendar_file
from rulewright.table.storage.journal import journal
from rulewright.table.storage.log_file import log_csv
from table.group import duel, gather, play_on

SECRET = "the bridge is mined"


@pytest.fixture
def group(kept):
    group = gather(kept)
    duel(group)
    play_on(group, 12)
    group.act("bea", a.WriteNote(title="Secret: plans?", text=f"{SECRET} [x](y)", readers="gamemaster"))
    group.act("bea", a.WriteNote(title="The quay", text="A *cold* place.", readers="everyone"))
    group.act("ana", a.Say("=1+1 is **two**"))
    return group


def pages(group, who: str) -> dict[str, str]:
    with ZipFile(BytesIO(journal(group.tables, group.table, getattr(group, who)))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".md")}


def test_every_link_of_the_pages_leads_to_a_page(group):
    found = pages(group, "bea")
    home = next(text for name, text in found.items() if name.endswith("/Home.md"))
    links = [
        unquote(token.attrs["href"]) for block in MarkdownIt().parse(home) for token in block.children or () if token.type == "link_open"
    ]
    assert len(links) == len(found) - 1
    assert {f"Friday night/{link}" for link in links} == set(found) - {"Friday night/Home.md"}


def test_pages_hold_sheets_the_story_and_notes(group):
    found = pages(group, "ana")
    assert "Wound" in found["Friday night/Characters/Vesna.md"]
    assert "| Name | Value |" in found["Friday night/Characters/Vesna.md"]
    assert found["Friday night/Characters/Teodor.md"] == "# Teodor\n"  # another player's sheet
    assert "A *cold* place." in found["Friday night/Notes/The quay.md"]
    story = found["Friday night/Scenes/001 A duel.md"]
    assert len(re.findall(r"^- ", story, re.MULTILINE)) >= 10
    assert not any(SECRET in text for text in found.values())
    assert any(SECRET in text for text in pages(group, "bea").values())


def test_the_spreadsheet_holds_every_entry_and_no_formula(group):
    rows = list(csv.DictReader(StringIO(log_csv(group.tables, group.table, group.ana).decode("utf-8-sig"))))
    assert [row["text"] for row in rows if row["kind"] == "said"] == ["'=1+1 is **two**"]
    log = group.log("ana")
    assert len(rows) == sum(1 + len(line.details) for line in log)
    assert not any(value.startswith(("=", "+", "-", "@")) for row in rows for value in row.values())


def test_equal_tables_give_equal_files(group):
    assert journal(group.tables, group.table, group.ana) == journal(group.tables, group.table, group.ana)


def test_the_calendar_holds_the_dates_that_a_member_may_know(group):
    with pytest.raises(UserError, match="no clock"):
        calendar_file(group.tables, group.table, group.ana)
    group.act("bea", c.StartClock("13 March 1931 09:00"))
    group.act("bea", c.SetDate(on="28 March 1931, 20:00", what="The ferry leaves"))
    group.act("bea", c.SetDate(on="29 March 1931", what=SECRET, known="gamemaster"))
    events = {
        who: {str(event["summary"]): event["dtstart"].dt for event in icalendar.Calendar.from_ical(file).walk("VEVENT")}
        for who in ("ana", "bea")
        if (file := calendar_file(group.tables, group.table, getattr(group, who)))
    }
    assert events["ana"]["The ferry leaves"] == datetime(1931, 3, 28, 20)
    assert SECRET not in events["ana"]
    assert events["bea"][SECRET] == datetime(1931, 3, 29)
    assert events["ana"]["Now"] >= datetime(1931, 3, 13, 9)
