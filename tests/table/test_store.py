"""The database: unique line numbers, checksums over every line, migrations, and keys that last."""

import threading

import pytest
import sqlalchemy as sa

from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.log.entries import Said
from rulewright.table.log.lines import Line as Entry
from rulewright.table.log.lines import chained
from rulewright.table.open_tables import NotHere
from rulewright.table.storage import schema, store
from rulewright.table.storage.columns import LINES, METADATA
from rulewright.table.storage.store import Again, Conflict, Store, Writing, understood
from table.group import gather


def said(table, text, key=None, seq=None):
    line = Entry((seq or table.seq + 1), store.now(), "m1", Said(text), key)
    return Writing(chained(table.check, [line]))


def test_of_two_who_write_the_same_number_one_loses(opened):
    tables, other = opened(), opened()
    group = gather(tables)
    with tables.looking(group.table) as table, other.looking(group.table) as same:
        before, first, second = table.check, said(table, "first"), said(same, "second")
        tables.store.append(group.table, first, before)
        with pytest.raises(Conflict):
            other.store.append(group.table, second, before)
    assert [line.change.text for line in tables.store.lines(group.table) if isinstance(line.change, Said)] == ["first"]


def test_a_number_cannot_be_left_out(tables):
    group = gather(tables)
    with tables.looking(group.table) as table:
        with pytest.raises(Conflict):
            tables.store.append(group.table, said(table, "from the future", seq=table.seq + 2), table.check)
        with pytest.raises(Conflict):
            tables.store.append(group.table, said(table, "after another line"), "0" * 24)


def test_the_same_key_of_the_same_member_is_written_once(tables):
    group = gather(tables)
    with tables.looking(group.table) as table:
        tables.store.append(group.table, said(table, "once", "wish"), table.check)
    with tables.looking(group.table) as table, pytest.raises(Again):
        tables.store.append(group.table, said(table, "twice", "wish"), table.check)


def test_a_line_that_was_changed_or_taken_away_is_noticed(opened):
    tables = opened()
    group = gather(tables)
    for text in ("one", "two", "three"):
        group.act("ana", a.Say(text))
    last = tables.store.last(group.table)
    body = sa.update(LINES).where(LINES.c.table_id == group.table, LINES.c.seq == last - 1)
    with tables.store.engine.begin() as connection:
        connection.execute(body.values(body=b'{"kind":"said","text":"forged"}'))
    with pytest.raises(UserError, match=f"line {last - 1} was changed after it was written"):
        opened().view(group.table, group.ana)
    with tables.store.engine.begin() as connection:
        connection.execute(sa.delete(LINES).where(LINES.c.table_id == group.table, LINES.c.seq == last - 1))
    with pytest.raises(UserError, match=f"line {last - 1} is missing"):
        opened().view(group.table, group.ana)


def test_many_writers_in_two_processes_lose_and_double_nothing(opened):
    servers = opened(), opened()
    group = gather(servers[0])
    failed = []

    def talk(number):
        try:
            for word in range(5):
                servers[number % 2].act(group.table, group.ana, a.Say(f"{number} {word}"), f"{number} {word}")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    texts = [line.change.text for line in servers[0].store.lines(group.table) if isinstance(line.change, Said)]
    assert sorted(texts) == sorted(f"{number} {word}" for number in range(6) for word in range(5))
    assert group.everything(servers[0]) == group.everything(servers[1])


def test_an_empty_database_is_migrated_to_exactly_the_shape_that_the_code_writes(url):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    for _ in range(2):  # and what is up to date stays as it is
        opened = Store(url)
        with opened.engine.connect() as connection:
            assert schema.current(connection) == schema.head()
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        opened.close()


def test_several_servers_may_start_on_an_empty_database_at_once(url):
    opened, failed = [], []

    def start():
        try:
            opened.append(Store(url))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len({one.key("cookies") for one in opened}) == 1
    for one in opened:
        one.close()


def test_a_database_of_a_later_version_is_refused_and_left_alone(url):
    opened = Store(url)
    with opened.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '999'"))
    opened.close()
    with pytest.raises(UserError, match="of a later version"):
        Store(url)


def test_the_server_keeps_its_key_so_that_cookies_outlive_a_restart(opened):
    first, second = opened(), opened()
    cookie = first.signer.cookie("a device")
    assert second.signer.read(cookie) == "a device"


def test_sqlite_waits_for_the_disk_before_it_says_yes(tmp_path):
    opened = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    with opened.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    opened.close()


@pytest.mark.parametrize(
    ("written", "driver"),
    [
        ("tables.db", "sqlite"),
        ("sqlite:///tables.db", "sqlite"),
        ("postgresql://h/n", "postgresql+psycopg"),
        ("postgres://h/n", "postgresql+psycopg"),
    ],
)
def test_addresses_are_understood_as_people_write_them(written, driver):
    assert understood(written).drivername == driver


@pytest.mark.parametrize("written", ["mysql://h/n", "sqlite://", "://", "sqlite:///:memory:"])
def test_other_databases_are_refused_in_one_sentence(written):
    with pytest.raises(UserError):
        understood(written)


def test_a_database_that_does_not_answer_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(UserError, match="cannot be opened"):
        Store(f"postgresql:///x?host={tmp_path}")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ana, this is no database. " * 100)
    with pytest.raises(UserError, match="cannot be opened"):
        Store(str(letter))


def test_a_place_that_is_not_there_is_refused_and_not_made(tmp_path):
    with pytest.raises(UserError, match="is a folder: name a file in it"):
        Store(f"sqlite:///{tmp_path}")
    with pytest.raises(UserError, match="there is no such folder"):
        Store(str(tmp_path / "typo" / "tables.db"))
    assert not (tmp_path / "typo").exists()


@pytest.mark.parametrize("table_id", ["", "x", "0" * 16, "../../etc/passwd", "0" * 15 + "'"])
def test_a_table_that_is_not_there_is_not_told_from_one_that_cannot_be(kept, table_id):
    with pytest.raises(NotHere, match="there is no such table"):
        kept.view(table_id, "m1")
