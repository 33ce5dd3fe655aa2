"""Records of earlier versions replay: every ready-made scenario as version 0.9.5 played it."""

import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.cli import rulewright

ARCHIVE = Path(__file__).parent / "old" / "records-0.9.5.tar.xz"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


with tarfile.open(ARCHIVE) as _archive:
    _file = _archive.extractfile("results.json")
    assert _file is not None
    RESULTS = json.load(_file)


@pytest.mark.parametrize("name", RESULTS)
def test_a_record_of_0_9_5_replays_to_the_same_result(records, name):
    replayed = CliRunner().invoke(rulewright, ["fight", "--replay", str(records / f"{name}.jsonl"), "--json"])
    assert replayed.exit_code == 0, replayed.output
    played = json.loads(replayed.stdout)
    assert played["rounds"] == RESULTS[name]["rounds"]
    assert played["result"]["winner"] == RESULTS[name]["result"]["winner"]
