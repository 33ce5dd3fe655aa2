"""Notifications of changes: at once in one process, and from other server processes on PostgreSQL; nobody misses anything."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables
from table.group import gather


class Ear:
    """Records notifications, and wakes the thread that waits for them."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []
        self._came = threading.Condition()

    def __call__(self, table: str, seq: int) -> None:
        with self._came:
            self.heard.append((table, seq))
            self._came.notify_all()

    def waited(self, for_what) -> bool:
        with self._came:
            return self._came.wait_for(lambda: for_what in self.heard, 20)


def test_every_change_is_told_once_when_it_is_on_disk(tables):
    group, ear = gather(tables), Ear()
    stop = tables.listen(ear)
    for number in range(3):
        seq = group.act("ana", a.Say(f"{number}")).seq
        assert ear.waited((group.table, seq))
        assert tables.store.last(group.table) == seq
    assert ear.heard == sorted(set(ear.heard))
    stop()
    seq = group.act("ana", a.Say("nobody hears")).seq
    assert (group.table, seq) not in ear.heard


def test_on_postgresql_one_process_hears_of_the_changes_of_another(cluster):
    url = cluster.database()
    first, second, third = Tables(url), Tables(url), Tables(url)
    ears = [Ear(), Ear()]
    first.listen(ears[0])
    second.listen(ears[1])
    group = gather(third)
    mark = second.view(group.table, group.ana).mark
    seq = group.act("cleo", a.Say("Hello from elsewhere")).seq
    for ear in ears:
        assert ear.waited((group.table, seq))
    assert [line.text for line in second.since(group.table, group.ana, mark)[1]] == ["Hello from elsewhere"]
    seq = second.act(group.table, group.ana, a.Say("And back")).seq
    for ear in ears:
        assert ear.waited((group.table, seq))
        assert len(ear.heard) == len(set(ear.heard)), "the database says again what a process has said itself"
    for tables in (first, second, third):
        tables.close()


def test_the_ear_of_postgresql_hears_again_after_its_connection_was_cut(cluster):
    import psycopg

    url = cluster.database()
    tables, other, ear = Tables(url), Tables(url), Ear()
    tables.listen(ear)
    group = gather(other)
    with psycopg.connect(url, autocommit=True) as connection:
        listening = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        (before,) = (row[0] for row in connection.execute(listening).fetchall())
        connection.execute("SELECT pg_terminate_backend(%s)", (before,))
    assert ear.waited(("", 0)), "what was missed meanwhile has to be looked for"
    seq = group.act("ana", a.Say("still there?")).seq
    assert ear.waited((group.table, seq))
    for one in (tables, other):
        one.close()


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(["say", "whisper", "note", "test", "secret"]), st.booleans()), max_size=12), st.integers(0, 5))
def test_whoever_asks_with_the_mark_they_have_gets_every_line_once(tmp_path_factory, happenings, seed):
    """However often a member asks, the parts together are the log."""
    tables = Tables(str(tmp_path_factory.mktemp("since") / "tables.db"), dice=Seeded(seed))
    group = gather(tables)
    start = tables.view(group.table, group.ana).mark
    known, pieces = start, []
    for number, (what, asks) in enumerate(happenings):
        who = ("ana", "cleo", "bea")[number % 3]
        group.act(
            who,
            {
                "say": a.Say(f"line {number}"),
                "whisper": a.Say(f"whisper {number}", (group.bea,)),
                "note": a.WriteNote("note", f"note {number}"),
                "test": a.Test("3d"),
                "secret": a.Test("3d", secret=True),
            }[what],
        )
        if asks:
            known, lines = tables.since(group.table, group.ana, known)
            pieces += lines
    known, lines = tables.since(group.table, group.ana, known)
    pieces += lines
    at_once = tables.since(group.table, group.ana, start)
    assert at_once == (known, pieces)
    asked = [(group.ana, start), ("m99", start), (group.cleo, start)]
    found = {one: (news.mark, news.lines) for one, news in tables.heard(group.table, asked).items()}
    assert found == {(group.ana, start): at_once}, "who sits here, with a mark of theirs"
    whole = tables.log(group.table, group.ana, most=1000)
    assert whole[len(whole) - len(pieces) :] == pieces
    paged, before = [], ""
    while page := tables.log(group.table, group.ana, before=before, most=3):
        paged, before = page + paged, page[0].mark
    assert paged == whole
    tables.close()


def test_a_mark_from_the_future_is_refused(kept):
    group = gather(kept)
    future = kept.signer.mark(10_000, f"{group.table} {group.ana}")
    with pytest.raises(UserError, match="mark"):
        kept.since(group.table, group.ana, future)
