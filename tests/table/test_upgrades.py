"""Tables of earlier versions open: from a snapshot if old entries no longer replay, with a message."""

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from pebbles import duel
from pebbles.game import SYSTEM

from rulewright.play import Choice, Option, Seeded
from rulewright.table.commands import messages as a
from rulewright.table.log import told
from rulewright.table.log.entries import SceneEnded, SceneResumed, Snapshot
from rulewright.table.scenes import live_scene
from rulewright.table.service import Tables
from rulewright.table.storage.export import bring_in
from table.group import gather

encode = msgspec.json.Encoder(order="sorted").encode


@pytest.fixture
def played(url, monkeypatch):
    """A duel of pebbles in its second or a later round, with a snapshot every few entries; the group and its database."""
    monkeypatch.setattr(live_scene, "SNAPSHOT_EVERY", 5)
    tables = Tables(url, dice=Seeded(2))
    group = gather(tables, "pebbles")
    sides = {"north": (a.Placing("wilma"),), "south": (a.Placing("oskar"),)}
    group.act("bea", a.BeginScene(name="A long duel", sides=sides))
    for turn in range(40):
        question = group.scene("bea").questions[0]
        if state_of(group).round >= 4 and turn % 2:
            break
        given = "gather" if question.options else 0
        group.act("bea", a.Answer(1, given, question.at, question.mark))
    with tables.looking(group.table) as table:
        assert table.scene(1).snapshots
        assert any(isinstance(line.change, Snapshot) for line in table.lines)
    yield group
    tables.close()


def state_of(group, tables=None):
    with (tables or group.tables).looking(group.table) as table:
        return table.scene(1).encounter.state


def changes(tables, group, kind):
    return [line.change for line in tables.store.lines(group.table) if isinstance(line.change, kind)]


def test_a_scene_whose_answers_no_longer_fit_goes_on_from_its_latest_snapshot(played, url, monkeypatch):
    with played.tables.looking(played.table) as table:
        entries, snapshot = table.scene(1).snapshots[-1]
        behind = len(table.scene(1).entries) - (entries - 1)
    monkeypatch.setattr(duel, "ACT", (Option("hurl", "hurl pebbles", "throw"), Option("collect", "collect pebbles", "gather")))
    tables = Tables(url)
    assert encode(state_of(played, tables)) == encode(snapshot)
    (resumed,) = changes(tables, played, SceneResumed)
    assert resumed.dropped == behind
    assert resumed.again == 0
    assert "record does not fit" in resumed.why
    assert any("resumes from a snapshot" in notice for notice in tables.view(played.table, played.bea).notices)
    assert any(line.sort == "scene resumed" for line in tables.log(played.table, played.ana))
    scene = tables.scene(played.table, played.bea, 1)
    tables.act(played.table, played.bea, a.Answer(1, "collect", 0, scene.questions[0].mark))
    tables.act(played.table, played.bea, a.Undo(1))
    tables.act(played.table, played.bea, a.Redo(1))
    again = Tables(url)
    assert played.everything(again) == played.everything(tables)
    assert len(changes(again, played, SceneResumed)) == 1, "said once, not at every opening"
    for one in (tables, again):
        one.close()


def test_entries_after_the_snapshot_that_still_replay_are_kept(played, url, monkeypatch):
    before, real = state_of(played), duel.turn

    def turn(rules, state):
        if state.round == 1:
            yield from Choice(state.cairns[0].name, "a question of the new version", duel.ACT)
        return (yield from real(rules, state))

    monkeypatch.setattr(duel, "turn", turn)
    tables = Tables(url)
    assert state_of(played, tables) == before
    (resumed,) = changes(tables, played, SceneResumed)
    assert resumed.dropped == 0
    assert resumed.again > 0
    with tables.looking(played.table) as table:
        stage = table.scene(1)
        assert [table.lines[seq - 1].seq for seq in stage.seqs] == stage.seqs
        assert len(stage.seqs) == 1 + len(stage.entries) == len(stage.encounter.entries)
    tables.act(played.table, played.bea, a.Undo(1))
    again = Tables(url)
    assert played.everything(again) == played.everything(tables)
    for one in (tables, again):
        one.close()


def test_a_snapshot_that_an_undo_went_back_behind_is_not_gone_on_from(played, url, monkeypatch):
    played.act("bea", a.Undo(1, 2))
    with played.tables.looking(played.table) as table:
        assert table.scene(1).snapshots == []
        start = table.scene(1).begun.state
    monkeypatch.setattr(duel, "ACT", (Option("hurl", "hurl pebbles", "throw"),))
    tables = Tables(url)
    assert encode(state_of(played, tables)) == encode(start)
    tables.close()


def test_a_scene_of_which_no_snapshot_can_be_read_is_closed_and_everything_else_stands(played, url, monkeypatch):
    class Duel(Struct, frozen=True):
        tides: int

    played.act("ana", a.Say("before the flood"))
    monkeypatch.setattr(duel.Rounds, "state_type", Duel)
    tables = Tables(url)
    view = tables.view(played.table, played.bea)
    assert view.scenes == ()
    (ended,) = changes(tables, played, SceneEnded)
    assert "cannot continue in this version" in ended.why
    log = tables.log(played.table, played.cleo, most=9999)
    assert "before the flood" in [line.text for line in log]
    tables.act(played.table, played.ana, a.Say("after the flood"))
    tables.close()


def test_rules_that_stumble_over_an_old_state_are_caught_like_any_other_misfit(played, url, monkeypatch):
    real = duel.turn

    def turn(rules, state):
        if state.round == 1:
            raise KeyError("a field that old states do not have")
        return real(rules, state)

    monkeypatch.setattr(duel, "turn", turn)
    tables = Tables(url)
    tables.view(played.table, played.ana)
    (resumed,) = changes(tables, played, SceneResumed)
    assert resumed.why.startswith("KeyError")
    tables.close()


def test_settings_that_are_gone_are_left_out_and_said(played, url, monkeypatch):
    name = "gentle-topple"
    played.act("bea", a.ChangeHouse(settings={name: True}))
    played.act("bea", a.BeginScene(ready="on-the-beach"))
    monkeypatch.setattr(SYSTEM.book, "settings", {key: one for key, one in SYSTEM.book.settings.items() if key != name})
    monkeypatch.setattr(SYSTEM.book, "_plain", None)
    tables = Tables(url)
    with tables.looking(played.table) as table:
        assert name not in table.rules.settings
    view = tables.view(played.table, played.bea)
    assert any("house rules do not fit" in notice for notice in view.notices)
    assert len(view.scenes) == 2, "the scene that was begun with it goes on without it"
    tables.close()


def test_a_character_that_this_version_cannot_read_stays_and_says_so(played, url, monkeypatch):
    class Thrower(Struct, frozen=True, forbid_unknown_fields=True):
        system: str
        kind: str
        name: str
        tides: int

    made = played.act("ana", a.AddCharacter(ready="wilma")).made
    monkeypatch.setattr(type(SYSTEM), "kinds", {"character": Thrower})
    tables = Tables(url)
    assert [character.name for character in tables.view(played.table, played.ana).characters] == ["Wilma"]
    with pytest.raises(Exception, match="cannot be read by this version"):
        tables.sheet(played.table, played.ana, made)
    tables.close()


def test_lines_remember_the_version_that_wrote_them(played):
    from rulewright import __version__

    assert {line.version for line in played.tables.store.lines(played.table)} == {__version__}


def story(group, tables, who):
    """What a member reads of a scene: every line with its details."""
    lines = tables.log(group.table, getattr(group, who), most=9999)
    return [(line.text, [detail.text for detail in line.details]) for line in lines if line.sort in ("play", "scene begun", "undo")]


def test_the_log_reads_as_it_was_told_when_the_words_change(played, url, monkeypatch):
    """The record replays in the new version, which has other words for everything."""
    played.act("bea", a.Undo(1))
    before = {who: story(played, played.tables, who) for who in ("bea", "ana", "cleo")}
    monkeypatch.setattr(told, "sentence", lambda line: "in other words")
    tables = Tables(url)
    assert {who: story(played, tables, who) for who in before} == before
    assert not changes(tables, played, SceneResumed)
    played.tables = tables
    for _ in range(6):
        if played.scene("bea").questions:
            played.act("bea", a.Decide(1))
    assert any("in other words" in texts for _, texts in story(played, tables, "bea")), "what is told from now on has the new words"
    tables.close()


def test_what_does_not_replay_any_more_is_still_read_by_those_who_read_it_then(played, url, monkeypatch):
    before = {who: story(played, played.tables, who) for who in ("bea", "ana", "cleo")}
    monkeypatch.setattr(duel, "ACT", (Option("hurl", "hurl pebbles", "throw"), Option("collect", "collect pebbles", "gather")))
    tables = Tables(url)
    assert changes(tables, played, SceneResumed) == []
    for who, lines in before.items():
        read = [text for _, texts in story(played, tables, who) for text in texts]
        assert changes(tables, played, SceneResumed)
        assert [text for _, texts in lines for text in texts] == read
    tables.close()


OLD = sorted((Path(__file__).parent / "old").glob("*.jsonl"), key=lambda path: path.name)


@pytest.mark.parametrize("file", OLD, ids=lambda path: path.stem)
def test_a_table_exported_by_an_earlier_version_opens(kept, file):
    """These files stay as they were written, one for every version: whatever the rules are then, they open."""
    hosting = bring_in(kept, file.read_bytes(), "a device")
    view = kept.view(hosting.table, hosting.member)
    assert view.name == "Friday night"
    assert {character.name for character in view.characters} == {"Vesna Roth", "Teodor"}
    assert {note.title for note in view.notes} >= {"Handout", "Plot"}
    assert (view.map.grid, {token.name for token in view.tokens}) == ("hex", {"A well", "A trap"})
    assert [scene.name for scene in view.scenes] == ["Closing time"]
    texts = [line.text for line in kept.log(hosting.table, hosting.member, most=9999)]
    assert {"Hello", "Notice: success by 2", "A duel ends: dinner"} <= set(texts)
    for character in view.characters:
        assert kept.sheet(hosting.table, hosting.member, character.id).sheet.name == character.name
    scene = view.scenes[0]
    if scene.questions:
        question = scene.questions[0]
        action = a.Decide(2, question.at) if question.sort == "choice" else a.RollDice(2, question.at)
        kept.act(hosting.table, hosting.member, action)


@pytest.mark.parametrize("file", sorted((Path(__file__).parent / "old" / "0.9.5").glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_fight_exported_in_the_middle_by_0_9_5_goes_on_where_it_was(kept, file):
    hosting = bring_in(kept, file.read_bytes(), "a device")
    scene = kept.view(hosting.table, hosting.member).scenes[0]
    assert not any(line.sort == "scene resumed" for line in kept.log(hosting.table, hosting.member, most=9999)), "every answer replays"
    if scene.result is None:
        question = scene.questions[0]
        action = a.Decide(1, question.at) if question.sort == "choice" else a.RollDice(1, question.at)
        kept.act(hosting.table, hosting.member, action)
