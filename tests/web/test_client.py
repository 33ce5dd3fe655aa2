"""The generated client against a real server: it fits the OpenAPI, and a table can be hosted, played and followed with it."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from rulewright_client import Client, Refused, models  # noqa: E402


def test_the_generated_modules_fit_the_server(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["client.py", "--check"])
    runpy.run_path(str(ROOT / "tools" / "client.py"), run_name="__main__")


@pytest.fixture
def bea(address):
    with Client(address) as client:
        yield client


def host(client):
    return client.host(models.ToHost(system="scumm", name="Friday", gamemaster="Bea"))


def begin(client, table):
    """Starts a ready-made scene and returns it."""
    client.act(table, models.ToAct(action=models.BeginScene(ready="shootout")))
    return client.view(table).scenes[-1]


def test_a_scene_is_played_through_the_client(bea):
    table = host(bea).table
    scene = begin(bea, table)
    for _ in range(12):
        question = next((question for question in bea.scene(table, scene.number).questions if question.mine), None)
        if question is None:
            break
        answer = models.RollDice(scene=scene.number, at=question.at, question=question.mark)
        if question.sort != "roll":
            given = question.options[0].key if question.options else question.low
            answer = models.Answer(scene=scene.number, given=given, at=question.at, question=question.mark)
        assert bea.act(table, models.ToAct(action=answer)).again is False
    decisions = [detail for line in bea.log(table, most=500) for detail in line.details if detail.sort == "decision"]
    assert decisions


def test_the_same_key_is_not_carried_out_twice(bea):
    table = host(bea).table
    said = models.ToAct(action=models.Say(text="Once."), key="a key of my own")
    assert [bea.act(table, said).again for _ in range(2)] == [False, True]
    assert [line.text for line in bea.log(table)].count("Once.") == 1


def test_a_joined_player_follows_the_stream(bea, address):
    opened = host(bea)
    with Client(address) as ana:
        ana.join(opened.table, models.ToJoin(token=opened.invitation, name="Ana"))
        again = Client(address, device=ana.device)
        assert [seat["table"] for seat in again.seats()] == [opened.table]
        again.close()
        events = ana.stream(opened.table, after=ana.view(opened.table).mark)
        bea.act(opened.table, models.ToAct(action=models.Say(text="Good evening.")))
        assert "Good evening." in [line.text for line in next(events).lines]
        bea.act(opened.table, models.ToAct(action=models.Say(text="Still here?")))
        assert [line.text for line in next(events).lines] == ["Still here?"]
        events.close()


def test_odds_rules_and_sheets_without_a_table(bea):
    assert {system["id"] for system in bea.systems()} >= {"scumm", "hybrid"}
    assert bea.odds("scumm", ["3d+1 vs 5"])
    assert bea.call("scumm", "scumm-recovery", models.ToCall(rows=True)) is not None
    name = bea.characters("scumm")[0]["id"].rpartition("/")[2]
    assert bea.audit_of("scumm", name)["legal"]
    assert bea.audit_sent("scumm", "system: scumm\nkind: character\nname: Nobody\n")["legal"] in (True, False)


def test_a_refusal_has_the_servers_words(bea):
    with pytest.raises(Refused, match="no game") as refused:
        bea.system("chess")
    assert refused.value.status == 404
    table = host(bea).table
    assert bea.export_table(table)
    with pytest.raises(Refused), Client(str(bea.http.base_url)) as stranger:
        stranger.view(table)


def test_the_example_keeps_a_journal(bea, address, tmp_path):
    opened = host(bea)
    bea.act(opened.table, models.ToAct(action=models.Say(text="The bell rings twice.")))
    keep = runpy.run_path(str(ROOT / "clients" / "python" / "examples" / "keep_journal.py"))["keep"]
    keep(address, opened.table, opened.invitation, tmp_path / "journal.md", most=0)
    assert "- The bell rings twice." in (tmp_path / "journal.md").read_text("utf-8")
