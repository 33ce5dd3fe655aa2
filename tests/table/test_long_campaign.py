"""A campaign of twenty downtimes and ten fights replays bit for bit, is exported and imported, and survives a kill at any line."""

import shutil
from time import sleep

import pytest
from msgspec.structs import astuple

from rulewright.table.commands import campaign_messages as c
from rulewright.table.service import Tables
from rulewright.table.storage.export import bring_in, export
from table.group import Group
from table.killing import CONTEXT
from table.long_campaign import DOWNTIMES, SORTED, begin, everything, opened, play_on, serve

GAMES = ("scumm", "ore")
EVERY = 11
"""After so many actions the database is copied as a kill would leave it."""

KILLS, MORE = 4, 30
"""How often a process is killed, each time after so many more lines."""

pytestmark = pytest.mark.slow


class Told:
    """A campaign that was played to its end, with what everybody saw, and copies of its database on the way."""

    def __init__(self, folder, game):
        self.folder = folder / "whole"
        self.folder.mkdir()
        self.tables = opened(self.folder)
        self.group, self.people = begin(self.tables, game)
        self.copies = []
        for number, _ in enumerate(play_on(self.tables, self.group, self.people)):
            if number % EVERY == 0:
                killed = folder / f"killed {number}"
                shutil.copytree(self.folder, killed)
                self.copies.append((killed, everything(self.tables, self.group, self.people)))
        self.end = everything(self.tables, self.group, self.people)


@pytest.fixture(scope="module", params=GAMES)
def told(request, tmp_path_factory):
    campaign = Told(tmp_path_factory.mktemp("campaign"), request.param)
    yield campaign
    campaign.tables.close()


def as_of(group, tables):
    return Group(tables, *astuple(group)[1:])


def test_it_has_ten_fights_and_twenty_downtimes_and_secrets(told):
    with told.tables.looking(told.group.table) as table:
        downtimes = [stage for stage in table.scenes.values() if stage.downtime]
        assert (len(downtimes), len(table.scenes) - len(downtimes)) == (DOWNTIMES, 10)
        assert table.campaign.now > 30 * 86_400
        assert any(table.characters[key].data["condition"] for key in told.people)
        assert "the plot" not in str([line.text for line in told.group.log("ana")])


def test_it_replays_bit_for_bit(told):
    again = Tables(f"sqlite:///{told.folder / 'tables.db'}", clock=lambda: 10**15)
    assert everything(again, as_of(told.group, again), told.people) == told.end
    with told.tables.looking(told.group.table) as live, again.looking(told.group.table) as read:
        assert live.check == read.check
        assert live.campaign == read.campaign
        for number, stage in live.scenes.items():
            assert stage.encounter.state == read.scenes[number].encounter.state
            assert stage.took == read.scenes[number].took
    again.close()


def test_it_survives_a_kill_at_any_line(told, tmp_path):
    """The database as a kill leaves it after an action: it opens as it was, and goes on to the same end."""
    assert len(told.copies) >= 5
    for number, (killed, seen) in enumerate(told.copies):
        tables = opened(shutil.copytree(killed, tmp_path / str(number)))
        assert everything(tables, as_of(told.group, tables), told.people) == seen
        if number % 4 == 0:
            for _ in play_on(tables, as_of(told.group, tables), told.people):
                pass
            assert everything(tables, as_of(told.group, tables), told.people) == told.end
        tables.close()


def test_a_process_that_is_killed_again_and_again_comes_to_the_same_end(told, tmp_path):
    folder = tmp_path / "killed"
    shutil.copytree(told.copies[0][0], folder)
    watcher = opened(folder)
    killed = 0
    while True:
        wanted = watcher.store.last(told.group.table) + MORE
        process = CONTEXT.Process(target=serve, args=(folder, astuple(told.group)[1:], told.people), daemon=True)
        process.start()
        while killed < KILLS and process.is_alive() and watcher.store.last(told.group.table) < wanted:
            sleep(0.01)
        if killed == KILLS or not process.is_alive():
            break
        process.kill()
        process.join()
        killed += 1
    process.join()
    assert process.exitcode == 0
    assert killed >= 2
    watcher.close()
    tables = opened(folder)
    assert everything(tables, as_of(told.group, tables), told.people) == told.end
    tables.close()


def test_it_is_exported_and_imported_and_goes_on(told, tmp_path):
    content = export(told.tables, told.group.table, told.group.bea)
    other = opened(tmp_path)
    made = bring_in(other, content, "device")
    group = Group(other, made.table, *astuple(told.group)[2:])
    with told.tables.looking(told.group.table) as before, other.looking(made.table) as after:
        assert before.campaign == after.campaign
        sheets = [SORTED.encode({key: kept.data for key, kept in table.characters.items()}) for table in (before, after)]
        assert sheets[0] == sheets[1]
        for number, stage in before.scenes.items():
            assert stage.encounter.state == after.scenes[number].encounter.state
    again = export(other, made.table, made.member)
    with other.looking(made.table) as after:
        assert again.count(b"\n") == after.seq + 1
    other.act(made.table, group.bea, c.PassTime("1 day", tactics=True))
    with other.looking(made.table) as after, told.tables.looking(told.group.table) as before:
        assert after.campaign.now > before.campaign.now
    other.close()
