"""A database whose file is damaged in any way: its continuous copy brings back everything that was acknowledged."""

import random
import shutil
import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from msgspec import to_builtins
from PIL import Image

from rulewright.table.commands import messages as a
from rulewright.table.service import Tables
from rulewright.table.storage import continuous_copy, pictures
from rulewright.table.storage.backup import backup, rescue_of, restore
from rulewright.table.storage.continuous_copy import folder_of, read_copy
from rulewright.table.storage.store import Store

TABLES = 12


def acknowledged(tables):
    """Everything that the tables hold: lines with their checksums, seats, links and pictures."""
    store = tables.store
    return {
        table_id: (
            [to_builtins(line) for line in store.lines(table_id)],
            sorted((device.hash, device.member) for device in store.devices(table_id)),
            {name: store.link(table_id, name) for name in store.links(table_id)},
            {digest: pictures.raw(tables, table_id, digest) for digest, _ in store.picture_owners(table_id)},
        )
        for table_id in store.tables()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a database and its copy, and what was acknowledged."""
    folder = tmp_path_factory.mktemp("whole")
    tables = Tables(f"sqlite:///{folder / 'tables.db'}")
    chance = random.Random(5)
    drawn = BytesIO()
    Image.effect_noise((60, 40), 80).save(drawn, "PNG")
    for number in range(TABLES):
        made = tables.host("scumm", f"Table {number}", "Bea", f"device {number}")
        tables.join(made.table, made.invitation, "Ana", f"ana {number}")
        tables.act(made.table, made.member, a.BeginScene(ready="brawl"))
        for line in range(chance.randrange(40)):
            tables.act(made.table, made.member, a.Say(f"line {line} {'x' * chance.randrange(900)}") if line % 2 else a.Decide(1))
        tables.act(made.table, made.member, a.RenewLink("invitation"))
        if number % 3 == 0:
            pictures.keep(tables, made.table, made.member, drawn.getvalue())
    known = acknowledged(tables)
    tables.store.copy_all()
    tables.close()
    with closing(sqlite3.connect(folder / "tables.db")) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    return folder, known


def rescued(folder, to):
    """What the file that `rescue` writes holds, and its messages."""
    fresh = to / "fresh.db"
    fresh.unlink(missing_ok=True)
    shutil.rmtree(folder_of(fresh), ignore_errors=True)
    kept = rescue_of(folder / "tables.db", fresh)
    tables = Tables(f"sqlite:///{fresh}")
    try:
        return acknowledged(tables), kept
    finally:
        tables.close()


def zero(start, end):
    return lambda content: (
        content[: int(start * len(content))]
        + bytes(int(end * len(content)) - int(start * len(content)))
        + content[int(end * len(content)) :]
    )


def random_pages(content):
    chance, spoilt = random.Random(7), bytearray(content)
    for page in chance.sample(range(len(content) // 4096), len(content) // 4096 // 3):
        spoilt[page * 4096 : page * 4096 + 4096] = chance.randbytes(4096)
    return bytes(spoilt)


DAMAGE = {
    "first page": lambda content: bytes(4096) + content[4096:],
    "header overwritten": lambda content: b"junk" * 25 + content[100:],
    "first half": zero(0, 0.5),
    "second half": zero(0.5, 1),
    "everything": zero(0, 1),
    "cut off in the middle": lambda content: content[: len(content) // 2],
    "cut off within a page": lambda content: content[: 3 * len(content) // 4 + 1234],
    "empty": lambda content: b"",
    "a third of the pages": random_pages,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_was_acknowledged_is_rescued_from_the_copy(whole, tmp_path, damage):
    folder, known = whole
    shutil.copytree(folder, tmp_path / "d")
    file = tmp_path / "d" / "tables.db"
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    found, kept = rescued(tmp_path / "d", tmp_path)
    assert found == known
    assert kept.tables == TABLES
    assert all("the file is damaged" in message for message in kept.damaged), kept.damaged


def test_a_lost_file_is_rescued_from_its_copy(whole, tmp_path):
    folder, known = whole
    shutil.copytree(folder, tmp_path / "d")
    (tmp_path / "d" / "tables.db").unlink()
    assert rescued(tmp_path / "d", tmp_path)[0] == known


def test_what_the_copy_has_lost_comes_from_the_database(whole, tmp_path):
    """Database and copy lose different halves: lines of one table come from both."""
    folder, known = whole
    for attempt in range(5):
        place = tmp_path / str(attempt)
        shutil.copytree(folder, place)
        chance = random.Random(attempt)
        file = place / "tables.db"
        spoilt = bytearray(file.read_bytes())
        for page in chance.sample(range(1, len(spoilt) // 4096), 4):
            spoilt[page * 4096 : page * 4096 + 4096] = bytes(4096)
        file.write_bytes(spoilt)
        hit = 0
        for copied in sorted(folder_of(file).glob("*/*.jsonl")):
            records = copied.read_bytes().split(b"\n")
            if chance.random() < 0.4:
                records[chance.randrange(len(records) - 1)] = b"\x00" * 200
                hit += 1
            copied.write_bytes(b"\n".join(records))
        found, kept = rescued(place, tmp_path)
        assert hit
        assert all(found[table_id][0] == known[table_id][0] for table_id in found)
        missing = set(known) - set(found)
        assert len(missing) <= hit
        assert all(any(table_id in message for message in kept.damaged) for table_id in missing), "what is missing is said"


def test_without_damage_nothing_is_added(whole, tmp_path):
    found, kept = rescued(whole[0], tmp_path)
    assert found == whole[1]
    assert kept.damaged == ()


def test_a_copy_that_is_behind_is_completed(tmp_path):
    """Another program wrote to the database, the copy was lost, or its last record is incomplete."""
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    made = tables.host("scumm", "T", "Bea", "device")
    copy = folder_of(tmp_path / "tables.db")
    (file,) = copy.glob("*/*.jsonl")

    def numbers():
        (copied,) = read_copy(copy)
        return [row[1] for row in continuous_copy.longest_log(copied.lines)]

    for spoil in (
        lambda: shutil.rmtree(copy),
        lambda: file.write_bytes(file.read_bytes()[:-20]),
        lambda: file.write_bytes(b""),
        lambda: file.write_bytes(file.read_bytes() + b'{"is":"line","seq":99'),
    ):
        for through in ("the next act", "the start of a server"):
            spoil()
            tables.close()
            tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
            if through == "the next act":
                tables.act(made.table, made.member, a.Say("hello"))
            else:
                assert tables.store.copy_all() == 1
                assert tables.store.copy_all() == 0
            assert numbers() == list(range(1, tables.store.last(made.table) + 1)), through
    tables.close()


def test_deleted_tables_leave_the_copy(tmp_path):
    from rulewright.table.storage import admin

    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    made = [tables.host("scumm", "T", "Bea", f"device {number}") for number in range(3)]
    copy = folder_of(tmp_path / "tables.db")
    admin.delete(tables, made[0].table)
    assert {copied.id for copied in read_copy(copy)} == {made[1].table, made[2].table}
    backup(tables.store, tmp_path / "b.db")
    more = tables.host("scumm", "T", "Bea", "another")
    tables.close()
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    restore(store, tmp_path / "b.db", replace=True)
    store.close()
    assert more.table not in {copied.id for copied in read_copy(copy)}


def test_a_database_restored_to_an_earlier_state_is_not_mixed_with_its_later_one(tmp_path):
    database = tmp_path / "tables.db"
    tables = Tables(f"sqlite:///{database}")
    made = tables.host("scumm", "T", "Bea", "device")
    backup(tables.store, tmp_path / "b.db")
    tables.act(made.table, made.member, a.Say("a mistake"))
    tables.act(made.table, made.member, a.Say("and another"))
    tables.close()
    shutil.copyfile(tmp_path / "b.db", database)
    tables = Tables(f"sqlite:///{database}")
    tables.act(made.table, made.member, a.Say("what counts"))
    known = acknowledged(tables)
    tables.close()
    assert rescued(tmp_path, tmp_path)[0] == known
    database.write_bytes(b"")
    assert rescued(tmp_path, tmp_path)[0] == known


def test_a_copy_that_cannot_be_written_refuses_no_act(tmp_path, caplog):
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    made = tables.host("scumm", "T", "Bea", "device")
    copy = folder_of(tmp_path / "tables.db")
    shutil.rmtree(copy)
    copy.write_text("in the way")
    tables.act(made.table, made.member, a.Say("hello"))
    assert "cannot be written" in caplog.text
    copy.unlink()
    tables.act(made.table, made.member, a.Say("hello again"))
    (copied,) = read_copy(copy)
    assert len(continuous_copy.longest_log(copied.lines)) == tables.store.last(made.table)
    tables.close()


def test_only_the_owner_may_read_the_copy(whole):
    folder = folder_of(whole[0] / "tables.db")
    assert folder.stat().st_mode & 0o77 == 0
    assert all(file.stat().st_mode & 0o77 == 0 for file in folder.rglob("*") if file.is_file())


def test_the_command_names_what_it_restored(whole, tmp_path, capsys):
    from rulewright.cli import main

    shutil.copytree(whole[0], tmp_path / "d")
    file: Path = tmp_path / "d" / "tables.db"
    file.write_bytes(bytes(file.stat().st_size))
    assert main(["tables", "--db", str(file)]) == 2
    assert "rulewright rescue" in capsys.readouterr().err
    assert main(["rescue", str(file), str(tmp_path / "out.db")]) == 1
    assert f"{TABLES} tables" in capsys.readouterr().out
