"""Tables of every released version, in every game, with their logs as they read then: they open, replay and go on.

`old/tables.tar.xz` holds exports in the middle of a fight, made by each version itself. Those called "told" are of the first version that
stores the sentences of play; from then on a log reads the same for ever.
"""

import json
import tarfile
from pathlib import Path

import pytest

from rulewright.errors import UserError
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.log.entries import SceneResumed
from rulewright.table.storage.export import bring_in, export

ARCHIVE = Path(__file__).parent / "old" / "tables.tar.xz"
VERSIONS = ("0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0", "0.9.1", "0.9.2", "0.9.3", "0.9.4", "told")
GAMES = ("scumm", "silhouette", "hybrid", "ore", "foresight")


@pytest.fixture(scope="module")
def old():
    """The files of the archive by name."""
    with tarfile.open(ARCHIVE) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive.getmembers()}


def story(tables, hosting):
    """The log: each line with its details; without the line that tells of the import."""
    log = tables.log(hosting.table, hosting.member, most=9999)
    return [[line.text, [detail.text for detail in line.details]] for line in log if line.sort != "imported"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_table_of_an_old_version_replays_and_goes_on(kept, old, version, game):
    told = json.loads(old[f"{version}-{game}.log.json"])
    hosting = bring_in(kept, old[f"{version}-{game}.jsonl"], "a device")
    assert not any(isinstance(line.change, SceneResumed) for line in kept.store.lines(hosting.table)), "every answer replays"
    read = story(kept, hosting)
    assert len(read) == len(told), "no line is lost or added"
    assert [text for text, _ in read if text == "Hello"] == [text for text, _ in told if text == "Hello"]
    if version == "told":
        assert read == told, "the log reads as it was told"
    scene = kept.scene(hosting.table, hosting.member, 1)
    for _ in range(3):
        if scene.result is None and scene.questions:
            kept.act(hosting.table, hosting.member, a.Decide(1))
            scene = kept.scene(hosting.table, hosting.member, 1)
    again = bring_in(kept, export(kept, hosting.table, hosting.member), "another device")
    assert story(kept, again)[: len(read)] == read


def test_a_file_of_a_later_version_is_refused_with_its_name(kept, old):
    head, _, rest = old["told-scumm.jsonl"].partition(b"\n")
    later = {**json.loads(head), "format": 99, "version": "7.0.0"}
    with pytest.raises(UserError, match=r"Rulewright 7\.0\.0"):
        bring_in(kept, json.dumps(later).encode() + b"\n" + rest, "a device")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("version", [VERSIONS[0], VERSIONS[-2]])
def test_a_table_of_an_old_version_has_no_clock_until_one_is_started(kept, old, version, game):
    hosting = bring_in(kept, old[f"{version}-{game}.jsonl"], "a device")
    view = kept.view(hosting.table, hosting.member)
    assert not view.campaign.started
    for scene in view.scenes:
        kept.act(hosting.table, hosting.member, a.EndScene(scene.number))
    for offer in kept.view(hosting.table, hosting.member).offers:
        kept.act(hosting.table, hosting.member, a.LeaveBehind(offer.scene))
    kept.act(hosting.table, hosting.member, c.StartClock("3 March 1931 20:00"))
    kept.act(hosting.table, hosting.member, c.PassTime("1 day", tactics=True, stops=False))
    shown = kept.view(hosting.table, hosting.member).campaign
    assert (shown.date, shown.time) == ("Wednesday 4 March 1931", "20:00")
