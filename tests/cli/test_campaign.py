"""The command `campaign`: a file, its record beside it, and every command on it."""

import json

import pytest

from rulewright import files
from rulewright.table.storage import export

PLACES = """
locations:
  hospital: {care: constant}
  his room: {care: none}
dates:
  - {on: 28 March 1931, what: the ferry is sold, known: gamemaster}
"""


@pytest.fixture
def drowned(run, tmp_path):
    """A campaign with Ana, who is hurt, and Bruno."""
    for name, condition in (("Ana", {"flesh": 1, "deep": 1}), ("Bruno", {})):
        path = tmp_path / f"{name.lower()}.yaml"
        assert run("new", "scumm", "detective", "-o", str(path), "--name", name).status == 0
        document = files.read(path)
        files.write(path, {**document.data, "condition": condition})
    path = tmp_path / "drowned.yaml"
    people = [str(tmp_path / "ana.yaml"), str(tmp_path / "bruno.yaml")]
    made = run("campaign", "new", "scumm", str(path), *people, "--start", "3 March 1931 20:00")
    assert "2 characters" in made.out
    path.write_text(path.read_text() + PLACES)
    return path


def test_a_campaign_from_its_file_to_the_end_of_the_healing(run, drowned):
    shown = run("campaign", str(drowned), "calendar").out
    assert "Tuesday 3 March 1931, 20:00" in shown
    assert "the ferry is sold" in shown
    assert not drowned.with_suffix(".jsonl").exists(), "looking writes nothing"
    passed = run("campaign", str(drowned), "pass", "3 weeks", "--seed", "1")
    assert "Ana recovers: a Flesh wound healed" in passed.out
    assert "Tuesday 24 March 1931, 20:00" in passed.out
    assert "recovers" in run("campaign", str(drowned), "log").out
    assert "Tuesday 3 March 1931, 20:00 again" in run("campaign", str(drowned), "undo").out
    assert "1 Deep wound, 1 Flesh wound" in run("campaign", str(drowned), "calendar").out


def test_asking_shows_the_chance_and_passes_the_time(run, drowned):
    odds = run("campaign", str(drowned), "ask", "Ana,Bruno", "notice", "--against", "4", "--joined", "any", "--odds")
    assert odds.out.count("%") >= 3
    asked = run("campaign", str(drowned), "ask", "Bruno", "notice", "--against", "4", "--minutes", "30", "--dice", "6,2")
    assert "Bruno rolls Notice against 4: success by 4" in asked.out
    assert "20:30" in run("campaign", str(drowned), "calendar").out
    assert run("campaign", str(drowned), "ask", "Brno", "notice").status == 2
    taken = run("campaign", str(drowned), "ask", "Bruno", "notice", "--against", "2", "--minutes", "1", "--take", "Taking Average")
    assert "Taking Average" in taken.out


def test_hospital_or_his_room(run, drowned):
    run("campaign", str(drowned), "plan", "Ana", "--at", "his room")
    answer = json.loads(run("campaign", str(drowned), "odds", "Ana no wounds", "--versus", "Ana.location=hospital", "--json").out)
    here, there = answer["plans"]["as planned"], answer["plans"]["Ana: hospital"]
    assert (here["chance"], here["exact"], there["exact"]) == (1.0, True, True)
    assert here["by"]["95%"] == "Thursday 9 April 1931, 20:00"
    assert there["by"]["95%"] == "Friday 20 March 1931, 20:00"
    assert "100.00%" in run("campaign", str(drowned), "odds", "Ana no wounds", "--by", "1 May 1931").out
    assert "is no other plan" in run("campaign", str(drowned), "odds", "Ana well", "--versus", "Ana").err


def test_plans_are_made_shown_and_dropped(run, drowned):
    ledger = ("something else", "aim=the ledger", "unit=1 day", "total=3", "test=notice", "against=2")
    made = run("campaign", str(drowned), "plan", "Bruno", *ledger, "--hours", "6")
    assert "the ledger, 0 of 3" in made.out
    assert "done in 1 week and 5 days" in made.out
    stopped = run("campaign", str(drowned), "pass", "--stop-for", "asked", "--seed", "1")
    assert "Time stops: Bruno had to roll or decide" in stopped.out
    assert "Saturday 7 March 1931, 20:00" in stopped.out
    done = run("campaign", str(drowned), "pass", "--until", "Bruno done the ledger", "--seed", "1", "--no-stops")
    assert "the ledger: done" in done.out
    assert "no activity" in run("campaign", str(drowned), "plan", "Bruno", "something else", "aim=the ledger", "--drop").err


def test_the_record_is_a_table_and_a_damaged_one_is_refused(run, drowned, tmp_path):
    run("campaign", str(drowned), "pass", "1 day")
    record = drowned.with_suffix(".jsonl")
    table = export.open_lines(record.read_bytes())
    assert table.campaign.now == 86_400
    later = tmp_path / "later.yaml"
    assert "2 characters" in run("campaign", str(drowned), "save", str(later)).out
    assert "Wednesday 4 March 1931, 20:00" in run("campaign", str(later), "calendar").out
    record.write_bytes(record.read_bytes().replace(b"Bruno", b"Bruna"))
    broken = run("campaign", str(drowned), "calendar")
    assert (broken.status, "damaged" in broken.err) == (2, True)


def test_time_and_people_that_are_not_there(run, drowned):
    for words, said in (
        (("pass", "3 wks"), "is not a span of time"),
        (("pass", "--until", "1 Frebruary 1931"), "is no month"),
        (("pass", "--until", "Ana flies"), "there is no milestone"),
        (("pass", "1 day", "--stop-for", "rain"), "time cannot stop for"),
        (("undo",), "nothing has happened"),
    ):
        refused = run("campaign", str(drowned), *words)
        assert (refused.status, said in refused.err) == (2, True), refused.err
    assert "exists already" in run("campaign", "new", "scumm", str(drowned)).err


def test_the_schema_describes_the_file(run):
    schema = json.loads(run("schema", "scumm", "campaign").out)
    assert "CampaignFile" in json.dumps(schema)
