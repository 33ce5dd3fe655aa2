"""Limits of each member, hidden counts, signing out, and full tables."""

import msgspec
import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.table import limits, open_tables
from rulewright.table.commands import messages as a
from rulewright.table.log import entries as e
from rulewright.table.log.lines import check_of, encode
from rulewright.table.open_tables import Full, NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.storage import admin, migrate_full
from rulewright.table.storage import export as exporting
from rulewright.table.storage.export import bring_in, export
from table.group import duel, gather


def read_back(content: bytes) -> list[dict]:
    return [msgspec.json.decode(line) for line in content.splitlines()[1:]]


def sealed(changes: list[dict]) -> bytes:
    """An exported table of these changes, with valid checksums."""
    before, found = "", []
    for seq, change in enumerate(changes, 1):
        body = msgspec.json.encode(change)
        before = check_of(before, seq, 1_700_000_000_000_000, "m1", "1", body)
        found.append(msgspec.json.encode(exporting.ExportedLine(seq, 1_700_000_000_000_000, "m1", "1", before, msgspec.Raw(body))))
    head = exporting.Head("table", 1, "1", "scumm", "x", 1, len(changes))
    return b"\n".join([msgspec.json.encode(head), *found]) + b"\n"


# --- limits of each member ------------------------------------------------------------------------------------------------------


def test_one_member_cannot_fill_the_notes_of_the_others(kept, monkeypatch):
    monkeypatch.setitem(limits.OF_ONE, "notes", 3)
    monkeypatch.setattr(limits, "NOTES", 5)
    group = gather(kept)
    for _ in range(3):
        group.act("dan", a.WriteNote("mine", "text"))
    with pytest.raises(UserError, match="one person has at most 3 notes"):
        group.act("dan", a.WriteNote("mine", "text"))
    group.act("ana", a.WriteNote("hers", "text"))
    group.act("cleo", a.WriteNote("hers", "text"))
    with pytest.raises(UserError, match="the gamemaster can clear what a former member left"):
        group.act("cleo", a.WriteNote("hers", "text"))
    for _ in range(5):
        group.act("bea", a.WriteNote("the gamemaster's", "text"))
    group.act("bea", a.RemoveMember(group.dan))
    group.act("bea", a.ClearLeft(group.dan))
    with kept.looking(group.table) as table:
        assert {note.author for note in table.notes.values()} == {group.ana, group.cleo, group.bea}


def test_markers_and_characters_are_limited_for_each_and_places_are_kept_for_the_gamemaster(kept, monkeypatch):
    monkeypatch.setitem(limits.OF_ONE, "markers", 2)
    monkeypatch.setattr(limits, "TOKENS", 6)
    monkeypatch.setitem(limits.FOR_THE_GAMEMASTER, "markers", 3)
    monkeypatch.setitem(limits.OF_ONE, "characters", 1)
    group = gather(kept)
    for place in range(2):
        group.act("ana", a.PlaceToken("stone", place, 0))
    with pytest.raises(UserError, match="one person has at most 2 markers"):
        group.act("ana", a.PlaceToken("stone", 3, 0))
    group.act("cleo", a.PlaceToken("stone", 3, 0))
    with pytest.raises(UserError, match="this table has no room for more markers"):
        group.act("cleo", a.PlaceToken("stone", 4, 0))
    for place in range(3):
        group.act("bea", a.PlaceToken("rock", place, 1))
    with pytest.raises(UserError, match="a table holds at most 6 markers"):
        group.act("bea", a.PlaceToken("rock", 9, 9))
    group.act("ana", a.AddCharacter(ready="hired-gun"))
    with pytest.raises(UserError, match="one person has at most 1 characters"):
        group.act("ana", a.AddCharacter(ready="hired-gun"))


def test_lines_are_limited_for_each_and_the_last_are_the_gamemasters(kept, monkeypatch):
    monkeypatch.setitem(limits.LINES_OF_ONE, "spectator", 3)
    group = gather(kept)
    for _ in range(2):
        group.act("dan", a.Say("hm"))
    with pytest.raises(UserError, match="your share"):
        group.act("dan", a.Say("hm"))
    group.act("ana", a.Say("hello"))
    with kept.looking(group.table) as table:
        monkeypatch.setattr(limits, "LINES", table.seq + limits.LAST_LINES)
    with pytest.raises(UserError, match="the last lines are reserved for the gamemaster"):
        group.act("ana", a.Say("hello"))
    group.act("bea", a.Say("the end is near"))


def test_the_gamemaster_clears_what_somebody_left_and_nothing_else(kept):
    group = gather(kept)
    hers = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    given = group.act("ana", a.AddCharacter(ready="hired-gun", name="Teodor")).made
    group.act("ana", a.WriteNote("secret", "text"))
    group.act("ana", a.PlaceToken("stone", 1, 1))
    group.act("cleo", a.WriteNote("hers", "text"))
    group.act("bea", a.RemoveMember(group.ana))
    group.act("bea", a.ClaimCharacter(given, group.cleo))
    with pytest.raises(Forbidden):
        group.act("cleo", a.ClearLeft(group.ana))
    group.act("bea", a.ClearLeft(group.ana))
    with kept.looking(group.table) as table:
        assert set(table.characters) == {given}
        assert hers in table.gone
        assert [note.author for note in table.notes.values()] == [group.cleo]
        assert not table.tokens
    assert group.log("cleo")[-1].text == "Bea clears the notes, markers and unclaimed characters of Ana"


# --- nothing to count -----------------------------------------------------------------------------------------------------------


def test_ids_of_notes_characters_and_markers_do_not_tell_how_many_others_there_are(kept):
    group = gather(kept)
    told = {}
    for hidden in (0, 3):
        for _ in range(hidden):
            group.act("bea", a.WriteNote("secret", "text"))
            group.act("bea", a.AddCharacter(ready="hired-gun", hidden=True))
            group.act("bea", a.PlaceToken("trap", 0, 0, hidden=True))
        note, character = group.act("ana", a.WriteNote("a", "b")).made, group.act("ana", a.AddCharacter(ready="hired-gun")).made
        told[hidden] = (note, character, group.act("ana", a.PlaceToken("x", 1, 1)).made)
    for before, after in zip(*told.values(), strict=True):
        distance = abs(int(after[1:]) - int(before[1:]))
        assert distance > 100, "two ids lie as far apart as chance has it, not as many as were made between"
        assert len(before) == len(after) == 10


def test_what_hidden_people_do_moves_no_mark_and_changes_no_look(kept):
    group = gather(kept)
    hidden = group.act("bea", a.AddCharacter(ready="hired-gun", name="Sunniva", hidden=True)).made
    seen = group.act("bea", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    other = group.act("bea", a.AddCharacter(ready="hired-gun", name="Mirko", hidden=True)).made
    sides = {"north": (a.Placing(hidden, at=(0.0, 0.0)), a.Placing(other, at=(1.0, 0.0))), "south": (a.Placing(seen, at=(60.0, 0.0)),)}
    group.act("bea", a.BeginScene(name="Ambush", sides=sides))
    unnoticed = 0
    for _ in range(12):
        scene = group.scene("bea")
        if not scene.questions:
            break
        question = scene.questions[0]
        before = kept.heard(group.table, {(group.ana, "")})[group.ana, ""]
        shown = group.view("ana")
        group.act(
            "bea", a.Decide(1, question.at, question.mark) if question.sort == "choice" else a.RollDice(1, question.at, question.mark)
        )
        after = kept.heard(group.table, {(group.ana, "")})[group.ana, ""]
        lines = kept.since(group.table, group.ana, before.mark)[1]
        if not lines and replace(group.view("ana"), mark="") == replace(shown, mark=""):
            unnoticed += 1
            assert (after.mark, after.look) == (before.mark, before.look), "nothing to be seen, so nothing to be heard"
        else:
            assert (after.mark, after.look) != (before.mark, before.look)
    assert unnoticed, "somebody hidden decided something"


# --- devices --------------------------------------------------------------------------------------------------------------------


def test_the_gamemaster_sees_all_devices_and_signs_them_out_and_others_their_own(kept):
    group = gather(kept)
    seat = group.act("ana", a.RenewLink(f"seat:{group.ana}")).secret
    kept.take_seat(group.table, group.ana, seat, "a lost telephone")
    kept.noticed(group.table, "a lost telephone", "Firefox on Android")
    assert len(kept.devices(group.table, group.bea, "device of Bea")) == 5
    own = kept.devices(group.table, group.ana, "device of Ana")
    assert [(one.about, one.mine) for one in own if not one.mine] == [("Firefox on Android", False)]
    lost = next(one for one in own if not one.mine)
    with pytest.raises(Forbidden):
        group.act("cleo", a.SignOut(group.ana, lost.id))
    with pytest.raises(UserError, match="there is no such device"):
        group.act("ana", a.SignOut(group.ana, ""))
    with pytest.raises(UserError, match="there is no such device"):
        group.act("bea", a.SignOut(group.cleo, lost.id))
    group.act("ana", a.SignOut(group.ana, lost.id))
    assert kept.seat(group.table, "a lost telephone") is None
    assert kept.seat(group.table, "device of Ana") is not None
    group.act("bea", a.SignOut(group.ana, own[0].id if own[0].mine else own[1].id))
    assert kept.seat(group.table, "device of Ana") is None
    assert group.log("bea")[-1].text == "A device of Ana is signed out"
    assert group.log("cleo")[-1].text != "A device of Ana is signed out"


def test_an_exchanged_device_sits_at_all_its_tables_and_the_old_one_at_none(tables):
    group, other = gather(tables), gather(tables)
    fresh = tables.exchange("device of Ana")
    for one in (group, other):
        assert tables.seat(one.table, fresh).member == one.ana
        assert tables.seat(one.table, "device of Ana") is None


def test_revoking_the_gamemasters_link_signs_the_gamemasters_other_devices_out(kept):
    group = gather(kept)
    kept.lead(group.table, group.leading, "a thief's telephone")
    kept.act(group.table, group.bea, a.RevokeLink("gamemaster"), device="device of Bea")
    assert kept.seat(group.table, "a thief's telephone") is None
    assert kept.seat(group.table, "device of Bea") is not None


# --- full ---------------------------------------------------------------------------------------------------------------------


def test_what_is_read_in_holds_no_more_than_what_is_played(kept):
    group = gather(kept)
    group.act("bea", a.BeginScene(ready="duel"))
    changes = [line["change"] for line in read_back(export(kept, group.table, group.bea))]
    begun = next(change for change in changes if change["kind"] == "scene begun")
    flood = [*changes, *({**begun, "scene": number} for number in range(2, 40))]
    with pytest.raises(UserError, match="39 scenes in progress; at most 8 are allowed"):
        bring_in(kept, sealed(flood), "a stranger")
    notes = [{"kind": "note", "note": f"n{number}", "title": "t", "text": "x", "readers": "me"} for number in range(limits.NOTES + 1)]
    with pytest.raises(UserError, match="5001 notes; at most 5000"):
        bring_in(kept, sealed([*changes[:1], *notes]), "a stranger")


def test_tables_in_memory_are_bounded_by_their_size(kept, monkeypatch):
    groups = [gather(kept) for _ in range(4)]
    with kept.looking(groups[0].table) as table:
        monkeypatch.setattr(open_tables, "MOST_OPEN_BYTES", int(table.bytes * 2.5))
        assert table.bytes == sum(len(encode(line.change)) for line in table.lines)
    last = gather(kept)
    assert 1 <= kept.held <= 3
    for group in (*groups, last):
        assert group.view("ana").name == "Friday night"


def test_a_server_without_room_opens_no_new_tables_and_old_ones_go_on(kept):
    group = gather(kept)
    content = export(kept, group.table, group.bea)
    kept.most_space = 1
    for opening in (lambda: gather(kept), lambda: bring_in(kept, content, "b"), lambda: migrate_full.go_on(kept, group.table, group.bea)):
        with pytest.raises(Full, match="no room for new tables"):
            opening()
    group.act("ana", a.Say("we go on"))


def test_a_full_table_goes_on_in_a_new_one_with_everybody_and_everything(tables, monkeypatch):
    group = gather(tables)
    duel(group)
    group.act("bea", a.EndScene(1))
    group.act("bea", a.ChangeHouse(settings={}))
    group.act("ana", a.WriteNote("hers", "text"))
    group.act("bea", a.AddCharacter(ready="hired-gun", name="Sunniva", hidden=True))
    group.act("bea", a.HandOver(group.cleo))
    group.act("dan", a.Leave())
    with tables.looking(group.table) as table:
        monkeypatch.setattr(limits, "LINES", table.seq)
    with pytest.raises(UserError, match="can continue in a new one"):
        group.act("cleo", a.Say("full"))
    with pytest.raises(Forbidden):
        migrate_full.go_on(tables, group.table, group.bea)
    monkeypatch.setattr(limits, "LINES", 1000)
    made = migrate_full.go_on(tables, group.table, group.cleo)
    for name in ("Ana", "Bea", "Cleo"):
        seat = tables.seat(made.table, f"device of {name}")
        assert seat.name == name
        assert seat.role == ("gamemaster" if name == "Cleo" else "player")
    seen = tables.view(made.table, tables.seat(made.table, "device of Ana").member)
    assert {one.name: one.mine for one in seen.characters} == {"Vesna": True, "Teodor": False}
    assert [note.title for note in seen.notes] == ["hers"]
    assert {one.name for one in tables.view(made.table, made.member).characters} == {"Vesna", "Teodor", "Sunniva"}
    with pytest.raises(UserError, match="continues in a new one"):
        group.act("cleo", a.Say("still here"))
    with pytest.raises(UserError, match="continues in a new one already"):
        migrate_full.go_on(tables, group.table, group.cleo)
    assert tables.view(group.table, group.ana).went_on == made.table
    assert tables.join(made.table, made.invitation, "Eva", "device of Eva").name == "Eva"
    assert tables.lead(made.table, made.gamemaster_link, "another device of Cleo").name == "Cleo"


def test_the_export_of_a_full_table_can_be_read_in(kept, monkeypatch):
    group = gather(kept)
    text = "x" * limits.CHAT
    for _ in range(60):
        group.act("bea", a.Say(text))
    monkeypatch.setattr(limits, "LINES", 64)
    with pytest.raises(UserError, match="this table is full"):
        group.act("bea", a.Say("one more"))
    content = export(kept, group.table, group.bea)
    assert tables_of(bring_in(kept, content, "elsewhere"), kept).name == "Friday night"
    # The most that lines take, and what stands around each of the most lines, fit into what is read in.
    around = len(content.splitlines()[2]) - len(encode(e.Said(text)))
    assert limits.TABLE_BYTES + 250_000 * (around + 20) < exporting.MOST_BYTES


def tables_of(hosting, tables):
    return tables.view(hosting.table, hosting.member)


# --- whoever runs the server ----------------------------------------------------------------------------------------------------


def test_tables_are_listed_closed_opened_exported_and_deleted(tables):
    group, other = gather(tables), gather(tables)
    group.act("ana", a.WriteNote("private", "only mine"))
    found = admin.listed(tables)
    assert [one.id for one in found] == [group.table, other.table]
    assert [(one.name, one.people, one.system) for one in found] == [("Friday night", 4, "scumm")] * 2
    assert all(one.bytes > 100 and one.lines >= 4 for one in found)
    admin.close(tables, group.table, True)
    with pytest.raises(UserError, match="the server administrator closed this table"):
        group.act("bea", a.Say("hello"))
    with pytest.raises(UserError, match="the server administrator closed this table"):
        migrate_full.go_on(tables, group.table, group.bea)
    assert group.view("ana").name == "Friday night"
    admin.close(tables, group.table, False)
    group.act("bea", a.Say("hello"))
    content = admin.taken(tables, group.table)
    assert b"only mine" not in content
    admin.delete(tables, group.table)
    assert [one.id for one in admin.listed(tables)] == [other.table]
    assert tables.seat(group.table, "device of Ana") is None
    with pytest.raises(NotHere):
        group.view("bea")
    with pytest.raises(NotHere):
        admin.delete(tables, group.table)
    bring_in(tables, content, "somewhere else")
