"""Random bytes in a database of many tables: every table that plain SQL can read is rescued, and the others are named."""

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.log.lines import check_of
from rulewright.table.service import Tables
from rulewright.table.storage.backup import rescue_of
from rulewright.table.storage.store import Store

TABLES, TIMES = 60, 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A database of many tables with a few lines each, in one file."""
    file = tmp_path_factory.mktemp("whole") / "tables.db"
    tables = Tables(f"sqlite:///{file}")
    for number in range(TABLES):
        made = tables.host("scumm", f"Table {number}", "Bea", f"device {number}")
        for line in range(8):
            tables.act(made.table, made.member, a.Say(f"line {line} {'x' * (20 * number)}"))
    tables.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    return file


def readable(file: Path) -> set[str]:
    """The tables of which plain SQL reads every line, unchanged."""
    found: set[str] = set()
    ids: list[str] = []
    with closing(sqlite3.connect(file)) as connection:
        with suppress(sqlite3.Error, UnicodeError):
            ids = [one for (one,) in connection.execute("SELECT id FROM tables")]
        for one in ids:
            with suppress(sqlite3.Error, TypeError, UnicodeError):
                last = connection.execute("SELECT last FROM tables WHERE id = ?", (one,)).fetchone()
                rows = connection.execute("SELECT * FROM lines WHERE table_id = ? ORDER BY seq", (one,)).fetchall()
                before, fits = "", last is not None and len(rows) == last[0]
                for place, (_, seq, at, who, _, version, body, mark) in enumerate(rows, 1):
                    before = check_of(before, seq, at, who, version, body)
                    fits = fits and seq == place and mark == before
                if fits:
                    found.add(one)
    return found


def rescued(file: Path) -> set[str]:
    """The tables that open completely from a rescued file."""
    store = Store(f"sqlite:///{file}")
    try:
        found = set()
        for one in store.tables():
            with suppress(UserError):
                store.lines(one)
                found.add(one)
        return found
    finally:
        store.close()


@pytest.mark.slow
def test_every_table_that_plain_sql_can_read_is_rescued_fifty_times(whole, tmp_path):
    content, random_bytes = whole.read_bytes(), random.Random(21)
    damaged_times = 0
    for time in range(TIMES):
        spoilt = bytearray(content)
        # The first page says what the file is: without it plain SQL reads nothing either.
        at = random_bytes.randrange(4_096, len(spoilt) - 200)
        for place in range(at, at + random_bytes.choice((1, 20, 60, 200))):
            spoilt[place] = random_bytes.randrange(256)
        file = tmp_path / f"damaged-{time}.db"
        file.write_bytes(spoilt)
        expected = readable(file)
        fresh = tmp_path / f"fresh-{time}.db"
        kept = rescue_of(file, fresh)
        found = rescued(fresh)
        assert expected <= found, (time, at, expected - found, kept.damaged)
        if len(found) < TABLES:
            damaged_times += 1
            assert kept.damaged, "what is missing is said"
        assert file.read_bytes() == bytes(spoilt), "the damaged file stays as it is"
        for each in (file, fresh):
            each.unlink()
    assert damaged_times > 5, "the bytes hit something"


def test_a_tail_that_was_cut_off_is_noticed_and_said(whole, tmp_path):
    file = tmp_path / "cut.db"
    file.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(file)) as connection:
        one = connection.execute("SELECT id FROM tables").fetchone()[0]
        connection.execute("DELETE FROM lines WHERE table_id = ? AND seq > 5", (one,))
        connection.commit()
    kept = rescue_of(file, tmp_path / "fresh.db")
    (said,) = kept.damaged
    assert f"table {one}: lines 6 to 9 are missing" in said
    assert len(rescued(tmp_path / "fresh.db")) == TABLES - 1
    tables = Tables(f"sqlite:///{file}")
    with pytest.raises(UserError, match="lines 6 to"):
        tables.view(one, "m1")
    tables.close()


def test_the_command_brings_out_what_can_be_read_and_says_what_not(whole, tmp_path, capsys):
    from rulewright.cli import main

    file = tmp_path / "cut.db"
    file.write_bytes(whole.read_bytes())
    assert main(["rescue", str(file), str(tmp_path / "whole.db")]) == 0
    assert f"{TABLES} tables" in capsys.readouterr().out
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE lines SET body = '{}' WHERE seq = 3 AND table_id = (SELECT min(id) FROM tables)")
        connection.commit()
    assert main(["rescue", str(file), str(tmp_path / "most.db")]) == 1
    assert "line 3 was changed after it was written" in capsys.readouterr().err
    assert main(["rescue", str(tmp_path / "none.db"), str(tmp_path / "x.db")]) == 2
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "junk.db").write_bytes(b"junk" * 5_000)
    assert main(["rescue", str(tmp_path / "junk.db"), str(tmp_path / "y.db")]) == 2


def test_tables_are_listed_closed_exported_and_deleted_by_whoever_runs_the_server(tmp_path, capsys, monkeypatch):
    from rulewright.cli import main

    monkeypatch.chdir(tmp_path)
    db = ["--db", str(tmp_path / "tables.db")]
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    made = tables.host("scumm", "Friday night", "Bea", "device")
    assert main(["tables", *db]) == 0
    said = capsys.readouterr().out
    assert made.table in said
    assert "Friday night" in said
    assert "1 table" in said
    assert main(["tables", "close", made.table, *db]) == 0
    with pytest.raises(UserError, match="the server administrator closed"):
        tables.act(made.table, made.member, a.Say("hello"))
    assert main(["tables", "open", made.table, *db]) == 0
    tables.act(made.table, made.member, a.Say("hello"))
    assert main(["tables", "export", made.table, *db, "-o", "t.jsonl"]) == 0
    assert main(["tables", "export", made.table, *db, "-o", "t.jsonl"]) == 2
    assert main(["tables", "delete", made.table, *db]) == 2
    assert "will be deleted" in capsys.readouterr().err
    assert main(["tables", "delete", made.table, *db, "--yes"]) == 0
    with pytest.raises(UserError):
        tables.view(made.table, made.member)
    assert main(["tables", "close", made.table, *db]) == 2
    assert main(["tables", "close", *db]) == 2
    assert main(["tables", "--db", str(tmp_path / "no.db")]) == 2
    tables.close()
