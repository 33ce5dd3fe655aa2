"""Exports, imports and backups: a table as one file and back, a player's copy, and a backup while the server runs."""

import random
import shutil
import sqlite3
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime

import msgspec
import pytest
import sqlalchemy as sa

from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.log.entries import Said
from rulewright.table.open_tables import NotHere
from rulewright.table.service import Tables
from rulewright.table.storage import export as exporting
from rulewright.table.storage.backup import backup, restore
from rulewright.table.storage.columns import LINES
from rulewright.table.storage.export import bring_in, export
from rulewright.table.storage.rescue import sound
from rulewright.table.storage.store import Store, checked
from table.group import duel, gather, play_on


def lively(tables):
    """A table on which much has happened."""
    group = gather(tables, preset="", settings={})
    group.act("bea", a.ChangeMap("hex", 2.0, 20, 20))
    group.act("bea", a.PlaceToken("A well", 3, 4))
    group.act("bea", a.WriteNote("The traitor", "It is the duchess."))
    group.act("ana", a.WriteNote("Diary", "I trust the duke."))
    group.act("ana", a.WriteNote("Handout", "A map.", "everyone"))
    group.act("cleo", a.Say("psst", (group.ana,)))
    group.act("cleo", a.Say("Hello everybody"))
    duel(group)
    play_on(group, 3)
    group.act("bea", a.Undo(1))
    group.act("bea", a.Redo(1))
    made = group.act("ana", a.AddCharacter(ready="bouncer")).made
    group.act("ana", a.ChangeCharacter(made, "name", "Grigor", "after the harbour", True))
    group.act("bea", a.Test("3d+1 vs 5", secret=True))
    return group


def bare(value):
    """Values without those that a new table has to replace: its id and its marks."""
    value = msgspec.to_builtins(value)
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items() if name not in ("id", "mark")}
    return [bare(part) for part in value] if isinstance(value, list | tuple) else value


def test_an_exported_table_opens_anywhere_as_the_same_table(tables, tmp_path):
    group = lively(tables)
    content = export(tables, group.table, group.bea)
    elsewhere = Tables(str(tmp_path / "elsewhere.db"))
    hosting = bring_in(elsewhere, content, "a new device")
    assert hosting.table != group.table
    assert hosting.member == group.bea
    assert elsewhere.seat(hosting.table, "a new device").role == "gamemaster"
    with pytest.raises(NotHere):
        elsewhere.join(hosting.table, group.invitation, "Eve", "e")
    elsewhere.join(hosting.table, hosting.invitation, "Eve", "e")
    elsewhere.act(hosting.table, hosting.member, a.RemoveMember("m5"))
    old, new = bare(tables.view(group.table, group.bea)), bare(elsewhere.view(hosting.table, hosting.member))
    assert new["members"] == old["members"]
    assert {**new, "members": 0, "notes": 0} == {**old, "members": 0, "notes": 0}
    log = bare([line for line in tables.log(group.table, group.bea, most=9999) if line.sort not in ("link renewed", "link revoked")])
    assert bare(elsewhere.log(hosting.table, hosting.member, most=9999))[: len(log)] == log
    play_from = elsewhere.scene(hosting.table, hosting.member, 1)
    if play_from.questions:
        question = play_from.questions[0]
        elsewhere.act(hosting.table, hosting.member, a.Decide(1, question.at, question.mark))
    again = export(elsewhere, hosting.table, hosting.member)
    third = bring_in(elsewhere, again, "third")
    assert bare(elsewhere.view(third.table, third.member)) == bare(elsewhere.view(hosting.table, hosting.member))
    elsewhere.close()


def test_the_gamemasters_file_holds_no_link_no_device_and_nothing_that_others_keep_to_themselves(kept):
    group = lively(kept)
    content = export(kept, group.table, group.bea).decode()
    for secret in ("I trust the duke", "psst", group.invitation, group.leading, "device of"):
        assert secret not in content
    for known in ("It is the duchess", "A map.", "Hello everybody"):
        assert known in content


def test_a_players_copy_is_readable_and_cannot_be_opened_as_a_table(kept):
    group = lively(kept)
    content = export(kept, group.table, group.ana)
    copy = msgspec.json.decode(content)
    assert copy["characters"]
    assert copy["table"]["me"]["name"] == "Ana"
    assert "Hello everybody" in [line["text"] for line in copy["log"]]
    assert b"duchess" not in content
    with pytest.raises(UserError, match=r"exported table|player's copy"):
        bring_in(kept, content, "e")


def test_every_byte_of_an_export_is_under_its_check(kept):
    content = export(kept, *(lambda group: (group.table, group.bea))(lively(kept)))
    lines = content.split(b"\n")
    before = len(kept.store.tables())
    tampered = [
        b"",
        b"\n",
        b"nonsense",
        b"{}",
        content[: len(content) // 2],
        content[:-30],
        b"\n".join(lines[:3] + lines[4:]),
        b"\n".join([lines[0], lines[2], lines[1], *lines[3:]]),
        content.replace(b"Hello everybody", b"Hello everybodY"),
        content.replace(b'"system":"scumm"', b'"system":"chess"'),
        content.replace(b'"format":1', b'"format":2', 1),
        content + content,
        b"\xff\xfe" + content,
        b'{"rulewright":"table","format":1,"version":"1","system":"scumm","name":"x","exported_at":1,"lines":1}\n' + b"[" * 100_000,
    ]
    for one in tampered:
        assert one != content
        with pytest.raises(UserError):
            bring_in(kept, one, "e")
    assert len(kept.store.tables()) == before


def forged(*changes, system="scumm", name="x", at=1):
    """A file with valid checksums, made by an attacker who knows how they are made."""
    from rulewright.table.log.lines import check_of

    before, lines = "", []
    for seq, change in enumerate(changes, 1):
        body = msgspec.json.encode(change)
        before = check_of(before, seq, at, "m1", "1", body)
        line = exporting.ExportedLine(seq, at, "m1", "1", before, msgspec.Raw(body))
        lines.append(msgspec.json.encode(line))
    head = exporting.Head("table", 1, "1", system, name, 1, len(lines))
    return b"\n".join([msgspec.json.encode(head), *lines]) + b"\n"


HOSTED = {"kind": "hosted", "name": "x", "system": "scumm", "gamemaster": "Eve"}


def test_a_forged_file_that_fits_its_checks_makes_no_table_that_cannot_be_opened(kept):
    hosting = bring_in(kept, forged(HOSTED), "e")
    assert kept.view(hosting.table, hosting.member).me.name == "Eve"
    for changes in (
        [],
        [{"kind": "said", "text": "no table"}],
        [HOSTED, {"kind": "unheard of"}],
        [HOSTED, {"kind": "said", "text": 5}],
        [{**HOSTED, "name": "\u202e"}],
        [{**HOSTED, "gamemaster": "x" * 1000}],
        [{**HOSTED, "system": "nothing"}],
        [HOSTED, {"kind": "left", "member": "m9"}],
        [HOSTED, {"kind": "joined", "member": "x", "name": "y", "role": "player"}],
        [HOSTED, {"kind": "joined", "member": "m2", "name": "y", "role": "king"}],
        [HOSTED, {"kind": "play", "scene": 1, "entry": {"kind": "redo", "by": "x"}}],
        [HOSTED, {"kind": "character changed", "character": "c1", "data": {}}],
        [HOSTED, {"kind": "said", "text": "x" * 100_000}],
        [HOSTED, {"kind": "role", "member": "m1", "role": "player"}],
    ):
        with pytest.raises(UserError):
            bring_in(kept, forged(*changes), "e")


TESTED = {"kind": "test", "notation": "3d", "label": "3d", "rolls": []}


@pytest.mark.parametrize(
    "reasons", [[5], ["why"], [{"label": 5}], [{"nothing": "fits"}], [{"label": "a", "value": "b", "terms": "c"}], [None], [[]]]
)
def test_reasons_that_no_log_could_show_are_refused_with_their_line(kept, reasons):
    with pytest.raises(UserError, match="line 2 of the exported table"):
        bring_in(kept, forged(HOSTED, {**TESTED, "reasons": reasons}), "e")
    with pytest.raises(UserError, match="line 2 of the exported table"):
        bring_in(kept, forged(HOSTED, {**TESTED, "reasons": reasons, "to": ["m7"]}), "e")


@pytest.mark.parametrize(("at", "taken"), [(1 << 61, False), (253_402_300_800_000_000, False), (253_402_300_799_999_999, True), (-1, True)])
def test_a_line_is_of_a_time_that_a_calendar_has(kept, at, taken):
    if taken:
        hosting = bring_in(kept, forged(HOSTED, at=at), "e")
        assert kept.log(hosting.table, hosting.member)[0].at == at
    else:
        with pytest.raises(UserError, match="line 1 of the exported table"):
            bring_in(kept, forged(HOSTED, at=at), "e")


def test_an_oversized_file_is_refused_before_it_is_read(kept):
    with pytest.raises(UserError, match="at most"):
        bring_in(kept, b"x" * (exporting.MOST_BYTES + 1), "e")


# --- backups --------------------------------------------------------------------------------------------------------------------


def test_a_backup_is_taken_while_people_play_and_brings_everything_back(opened, url, tmp_path, cluster):
    tables = opened()
    group = lively(tables)
    stop, failed = threading.Event(), []

    def talk():
        try:
            while not stop.is_set():
                group.act("ana", a.Say("still talking"))
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=talk)
    thread.start()
    file = tmp_path / "backup.db"
    kept = backup(tables.store, file)
    stop.set()
    thread.join()
    assert failed == []
    assert kept.tables == 1
    for target in (f"sqlite:///{tmp_path / 'other.db'}", cluster.database()):
        other = Store(target)
        restored = restore(other, file)
        assert (restored.tables, restored.lines) == (kept.tables, kept.lines)
        other.close()
        again = Tables(target)
        lines = again.store.lines(group.table)
        assert lines == tables.store.lines(group.table)[: len(lines)]
        assert again.signer.read(tables.signer.cookie("a device")) == "a device"
        assert again.seat(group.table, "device of Ana").member == group.ana
        again.join(group.table, group.invitation, "Eve", "e")
        again.close()


def test_restoring_loses_nothing_newer_unless_told_to(opened, tmp_path):
    tables = opened()
    group = lively(tables)
    file = tmp_path / "backup.db"
    backup(tables.store, file)
    group.act("ana", a.Say("after the backup"))
    second = gather(tables)
    assert restore(tables.store, file).tables == 0
    assert group.log("ana")[-1].text == "after the backup"
    assert restore(tables.store, file, replace=True).tables == 1
    assert [
        line for line in tables.store.lines(group.table) if isinstance(line.change, Said) and line.change.text == "after the backup"
    ] == []
    with pytest.raises(NotHere):
        opened().view(second.table, second.ana)
    group.act("ana", a.Say("a new line"))
    again = opened()
    assert again.log(group.table, group.ana)[-1].text == "a new line"
    assert "after the backup" not in [line.text for line in again.log(group.table, group.ana, most=9999)]
    assert group.everything() == group.everything(again)


def test_a_backup_is_never_written_over_and_what_is_none_is_refused(opened, tmp_path):
    tables = opened()
    gather(tables)
    file = tmp_path / "backup.db"
    backup(tables.store, file)
    with pytest.raises(UserError, match="never overwritten"):
        backup(tables.store, file)
    with pytest.raises(UserError, match="cannot be written"):
        backup(tables.store, tmp_path / "no" / "such" / "folder" / "x.db")
    (tmp_path / "text").write_text("not a database")
    sqlite3.connect(tmp_path / "empty.db").execute("CREATE TABLE x (y)").connection.close()
    for wrong in ("text", "empty.db", "missing.db", "."):
        with pytest.raises(UserError, match=r"not a backup|cannot be read"):
            restore(tables.store, tmp_path / wrong)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.endswith(".part")) == []


def test_a_damaged_backup_is_refused_and_changes_nothing(opened, tmp_path):
    tables = opened()
    group = gather(tables)
    file = tmp_path / "backup.db"
    backup(tables.store, file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE lines SET at = at + 1 WHERE seq = 2")
    connection.close()
    before = group.everything()
    with pytest.raises(UserError, match="line 2 was changed after it was written"):
        restore(tables.store, file, replace=True)
    assert group.everything() == before


def test_one_damaged_table_keeps_no_other_from_being_kept(opened, url, tmp_path, capsys):
    tables = opened()
    broken, whole = gather(tables), gather(tables)
    with tables.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE lines SET at = at + 1 WHERE seq = 2 AND table_id = :id"), {"id": broken.table})
    file, other = tmp_path / "backup.db", f"sqlite:///{tmp_path / 'other.db'}"
    assert main(["backup", str(file), "--db", url]) == 1
    assert f"table {broken.table}: line 2 was changed after it was written" in capsys.readouterr().err
    assert main(["restore", str(file), "--db", other]) == 1
    again = Tables(other)
    assert again.store.tables() == [whole.table]
    again.close()
    assert [name for _, name in opened().seats("device of Ana")] == ["Friday night"], "nor from being listed"


def damaged_at(file, chance, places):
    """Overwrites sixty bytes of each of these pages with random ones."""
    content = bytearray(file.read_bytes())
    for page in places:
        start = page * 4096 + chance.randrange(4096 - 60)
        content[start : start + 60] = chance.randbytes(60)
    file.write_bytes(content)


def plainly_readable(file):
    """The tables whose lines plain SQL can read, with the lines."""
    with closing(sqlite3.connect(file)) as connection:
        found = {}
        for table_id in TABLE_IDS[file.name]:
            with suppress(sqlite3.Error):
                rows = connection.execute("SELECT seq, mark FROM lines WHERE table_id = ? ORDER BY seq", (table_id,)).fetchall()
                connection.execute("SELECT * FROM lines WHERE table_id = ?", (table_id,)).fetchall()
                found[table_id] = rows
        return found


TABLE_IDS: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A database of sixty tables with long lines, so that they span many pages."""
    file = tmp_path_factory.mktemp("many") / "many.db"
    tables = Tables(f"sqlite:///{file}")
    for number in range(60):
        hosting = tables.host("scumm", f"Table {number}", "Bea", f"device {number}")
        for word in range(6):
            tables.act(hosting.table, hosting.member, a.Say(f"{word} " * 150))
    TABLE_IDS[file.name] = tables.store.tables()
    tables.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    return file


@pytest.mark.parametrize("seed", range(12))
def test_of_a_file_with_damaged_pages_every_table_that_plain_sql_reads_is_brought_out(many, tmp_path, capsys, seed):
    chance = random.Random(seed)
    file, kept, other = tmp_path / many.name, tmp_path / "backup.db", f"sqlite:///{tmp_path / 'other.db'}"
    shutil.copyfile(many, file)
    pages = file.stat().st_size // 4096
    damaged_at(file, chance, chance.sample(range(12, pages), 1 + seed % 3))
    marks = {table: rows for table, rows in plainly_readable(many).items() if plainly_readable(file).get(table) == rows}
    backed_up = main(["backup", str(kept), "--db", str(file)])
    assert "Traceback" not in capsys.readouterr().err
    assert backed_up in (0, 1)
    restored = main(["restore", str(kept), "--db", other])
    capsys.readouterr()
    assert restored in (0, 1)
    again = Tables(other)
    there = set(again.store.tables())
    for table in there:
        assert [(line.seq, line.check) for line in again.store.lines(table)] == plainly_readable(many)[table], "none was cut"
    again.close()
    missing = {table for table in marks if table not in there}
    for table in missing:  # all rows are there, but one of them was changed: its check says so
        with pytest.raises(UserError, match="was changed after it was written"):
            list(checked(rows_of(file, table), table, 0, ""))
    if there != set(TABLE_IDS[many.name]) or not sound(file):
        assert backed_up == 1


def rows_of(file, table):
    """A table's lines as plain SQL returns them."""
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        found = connection.execute(sa.select(LINES).where(LINES.c.table_id == table).order_by(LINES.c.seq)).all()
    engine.dispose()
    return found


def test_a_line_stored_as_something_else_is_named_and_hides_no_other_table(kept, tmp_path, capsys):
    broken, whole = gather(kept), gather(kept)
    with kept.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE lines SET body = '{}' WHERE seq = 2 AND table_id = :id"), {"id": broken.table})
    again = Tables(f"sqlite:///{tmp_path / 'kept.db'}")
    assert [seat.table for seat, _ in again.seats("device of Ana")] == [whole.table]
    again.close()
    assert main(["backup", str(tmp_path / "b.db"), "--db", str(tmp_path / "kept.db")]) == 1
    assert f"table {broken.table}: line 2 was changed after it was written" in capsys.readouterr().err


def test_a_database_that_cannot_be_opened_in_its_place_is_backed_up_with_what_was_written_ahead(tmp_path, capsys):
    """A read-only disk: SQLite cannot create its shared memory next to the file, here because something is in its way."""
    file = tmp_path / "tables.db"
    tables = Tables(f"sqlite:///{file}")
    gather(tables)
    stuck = tmp_path / "stuck"
    stuck.mkdir()
    for name in ("tables.db", "tables.db-wal"):
        shutil.copyfile(tmp_path / name, stuck / name)
    tables.close()
    (stuck / "tables.db-shm").symlink_to(stuck / "nowhere" / "shm")
    assert (stuck / "tables.db-wal").stat().st_size
    assert main(["backup", str(tmp_path / "b.db"), "--db", str(stuck / "tables.db")]) == 0
    assert "1 table, 4 lines" in capsys.readouterr().out


def test_backup_and_restore_on_the_command_line(url, tmp_path, capsys):
    tables = Tables(url)
    group = gather(tables)
    tables.close()
    file, other = str(tmp_path / "backup.db"), f"sqlite:///{tmp_path / 'other.db'}"
    assert main(["backup", file, "--db", url, "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out) == {"file": file, "tables": 1, "lines": 4, "damaged": []}
    assert main(["restore", file, "--db", other]) == 0
    assert "1 table, 4 lines" in capsys.readouterr().out
    again = Tables(other)
    assert [member.name for member in again.view(group.table, group.bea).members] == ["Bea", "Ana", "Cleo", "Dan"]
    again.close()
    assert main(["backup", file, "--db", url]) == 2
    assert main(["restore", str(tmp_path / "none"), "--db", url]) == 2
    assert main(["backup", file + "2", "--db", f"sqlite:///{tmp_path / 'none.db'}"]) == 2
    assert not (tmp_path / "none.db").exists()


def test_tables_are_restored_as_they_were_at_a_point_in_time(opened, tmp_path, capsys):
    clock = iter(range(10**15, 10**18, 60_000_000))
    tables = opened(clock=lambda: next(clock))
    group = lively(tables)
    group.act("ana", a.Say("before supper"))
    then, lines = tables.store.lines(group.table)[-1].at, tables.store.last(group.table)
    group.act("bea", a.Say("after supper"))
    later = gather(tables)
    expected = [line.text for line in group.log("ana")][:-1]
    file = tmp_path / "backup.db"
    backup(tables.store, file)
    moment = datetime.fromtimestamp(then / 1_000_000, UTC).isoformat(sep=" ")
    target = f"sqlite:///{tmp_path / 'then.db'}"
    assert main(["restore", str(file), "--db", target, "--to", moment]) == 0
    assert f"1 table, {lines} lines" in capsys.readouterr().out
    again = Tables(target, clock=lambda: next(clock))
    assert [line.text for line in again.log(group.table, group.ana, most=9999)] == expected
    with pytest.raises(NotHere):
        again.view(later.table, later.ana)
    again.act(group.table, group.ana, a.Say("another evening"))
    again.close()
    assert [line.text for line in Tables(target).log(group.table, group.ana, most=9999)] == [*expected, "another evening"]
    assert restore(tables.store, file, replace=True, to=then).tables == 1
    assert tables.store.last(group.table) == lines
    assert main(["restore", str(file), "--db", target, "--to", "yesterday"]) == 2
    assert "'yesterday' is not a time" in capsys.readouterr().err
