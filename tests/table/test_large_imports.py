"""Large tables are imported in pieces, with progress: others play meanwhile, and an import that was killed leaves nothing."""

import pytest
import sqlalchemy as sa

from rulewright.cli import main
from rulewright.table.commands import messages as a
from rulewright.table.log import entries as e
from rulewright.table.service import Tables
from rulewright.table.storage import store as storing
from rulewright.table.storage.columns import TABLES
from rulewright.table.storage.continuous_copy import read_copy
from rulewright.table.storage.export import bring_in, export
from rulewright.table.storage.store import PIECE, Store, Writing

LINES = 3 * PIECE + 7


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A table with many lines, exported."""
    tables = Tables(f"sqlite:///{tmp_path_factory.mktemp('old') / 'tables.db'}")
    made = tables.host("scumm", "A long campaign", "Bea", "device")
    tables.act(made.table, made.member, a.BeginScene(ready="brawl"))
    with tables.looking(made.table) as table:
        before = table.seq
    tables.write(made.table, made.member, [e.Said(f"line {number}") for number in range(LINES - before)])
    content = export(tables, made.table, made.member)
    tables.close()
    return content


def test_a_large_table_is_imported_in_pieces_and_goes_on(exported, url):
    tables, other = Tables(url), Tables(url)
    small = other.host("scumm", "Another table", "Zoe", "z")
    shares = []

    def play(share):
        shares.append(share)
        other.act(small.table, small.member, a.Say(f"at {share}"))
        assert other.store.tables() == [small.table], "nobody sees a table before all of it is there"

    made = bring_in(tables, exported, "device", play)
    assert shares == sorted(shares)
    assert len(shares) >= 6
    assert 0 < shares[0] < shares[-1] < 1
    assert len(tables.store.lines(made.table)) >= LINES
    assert set(other.store.tables()) == {small.table, made.table}
    tables.act(made.table, made.member, a.Say("and on it goes"))
    tables.act(made.table, made.member, a.Decide(1))
    if tables.store.copy is not None:
        (copied,) = [copied for copied in read_copy(tables.store.copy.folder) if copied.id == made.table]
        assert len(copied.lines) == tables.store.last(made.table)
    again = export(tables, made.table, made.member)
    third = bring_in(other, again, "device")
    assert other.store.last(third.table) >= LINES
    for each in (tables, other):
        each.close()


def test_an_import_that_fails_or_is_killed_leaves_nothing(exported, url, monkeypatch):
    tables = Tables(url)

    def fail(share):
        if share > 0.8:
            raise OSError("killed")

    with pytest.raises(OSError, match="killed"):
        bring_in(tables, exported, "device", fail)
    assert tables.store.rows(sa.select(TABLES.c.id)) == []
    # A process that is killed cannot clean up: the next import does, a day later.
    delete = Store.delete
    monkeypatch.setattr(Store, "delete", lambda store, table_id: None)
    with pytest.raises(OSError, match="killed"):
        bring_in(tables, exported, "device", fail)
    monkeypatch.setattr(Store, "delete", delete)
    assert len(tables.store.rows(sa.select(TABLES.c.id))) == 1
    assert tables.store.tables() == []
    assert tables.store.sizes() == []
    kept = bring_in(tables, exported, "device")
    assert len(tables.store.rows(sa.select(TABLES.c.id))) == 2, "it may still be under way"
    monkeypatch.setattr(storing, "UNFINISHED", 0)
    last = bring_in(tables, exported, "device")
    assert {table_id for (table_id,) in tables.store.rows(sa.select(TABLES.c.id))} == {kept.table, last.table}
    tables.close()


def test_a_small_table_is_written_at_once(kept):
    made = kept.host("scumm", "T", "Bea", "device")
    with kept.looking(made.table) as table:
        lines = list(table.lines)
    kept.store.create("0" * 16, "scumm", Writing(lines), lambda share: pytest.fail("there is one piece"))
    assert "0" * 16 in kept.store.tables()


def test_progress_is_told_and_forgotten(kept):
    assert kept.store.progress("a" * 32) is None
    for share in (0.25, 0.5):
        kept.store.set_progress("a" * 32, share)
        assert kept.store.progress("a" * 32) == share
    kept.store.forget_progress("a" * 32)
    assert kept.store.progress("a" * 32) is None


def test_the_command_imports_with_a_progress_bar(exported, tmp_path, capsys):
    file, db = tmp_path / "table.jsonl", ["--db", str(tmp_path / "tables.db")]
    file.write_bytes(exported)
    Tables(f"sqlite:///{tmp_path / 'tables.db'}").close()
    assert main(["tables", "import", str(file), *db]) == 0
    printed = capsys.readouterr().out
    assert "imported as table" in printed
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    (table,) = tables.store.tables()
    assert tables.store.devices(table) == []
    token = printed.partition("/lead/")[2].partition(" ")[0]
    assert tables.lead(table, token, "my device").table == table
    tables.close()
    assert main(["tables", "import", str(tmp_path / "none.jsonl"), *db]) == 2
    assert main(["tables", "import", *db]) == 2
