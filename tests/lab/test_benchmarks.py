"""What the bench measures against still reads what it is given: a new field of a file is one of the peer's too."""

from pathlib import Path

import msgspec
import pytest
from benchmarks import beside
from benchmarks.characters import CharacterModel, veteran
from benchmarks.machines import VehicleModel, dreadnought


def test_the_peer_reads_a_character_of_today():
    assert CharacterModel.model_validate_json(msgspec.json.encode(veteran())).name == veteran().name


def test_the_peer_reads_a_machine_of_today():
    assert VehicleModel.model_validate_json(msgspec.json.encode(dreadnought())).name == dreadnought().name


def test_two_versions_are_set_beside_each_other_row_by_row(tmp_path: Path) -> None:
    """Both have a room with rows; the older one took half as long for the first, and has nothing of the second."""
    for name, rows in (("then", [("a row", 1.0), ("another: 3", 4.0)]), ("now", [("a row", 2.0), ("new", 9.0), ("another: 5", 4.0)])):
        folder = tmp_path / name / "benchmarks"
        folder.mkdir(parents=True)
        listed = [{"name": row, "ours": ours, "peer": "", "theirs": 1.0, "ratio": 1.0, "floor": None} for row, ours in rows]
        (folder / "made.py").write_text(f"def rows():\n    yield from {listed}\n")
    assert list(beside.measured("made", tmp_path / "then", tmp_path / "now")) == [
        ("then", "made: a row", 1.0, False),
        ("now", "made: a row", 2.0, False),
        ("then", "made: another", 4.0, False),
        ("now", "made: new", 9.0, False),
        ("now", "made: another", 4.0, False),
    ]
    assert str(beside.Beside.of("a row", [2.0, 3.0], [1.0, 1.5], sliced=False)) == "a row: 2.00 (2 s now, 1 s then)"
    assert str(beside.Beside.of("another", [4.0], [4.0], sliced=False)) == "another: 1.00 (4 s now, 4 s then)"


def test_of_a_row_in_slices_each_stands_beside_the_others_next_to_it() -> None:
    """The machine went at half its speed for one pair, and something fell into one slice alone: neither changes what is found."""
    found = beside.Beside.of("sliced", [1.1, 2.2, 1.1, 9.0, 1.1], [1.0, 2.0, 1.0, 1.0, 1.0], sliced=True)
    assert found == ("sliced", 1.1, 1.0, pytest.approx(1.1))
