"""Random scenes, random calls of rules and random edits of files still give their stored results; see tools/walks.py."""

import importlib.util
from pathlib import Path

import pytest

from rulewright.system import HOUSE

ROOT = Path(__file__).resolve().parent.parent.parent
_spec = importlib.util.spec_from_file_location("walks", ROOT / "tools" / "walks.py")
assert _spec is not None
assert _spec.loader is not None
walks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(walks)

ANEW = "if that was meant, make transcripts writes the marks anew"


@pytest.mark.slow
@pytest.mark.parametrize("name", walks.scenarios())
def test_a_scene_is_walked_as_before(name):
    found = walks.changed_walk(name)
    assert not found, f"{ANEW}:\n{found}"


@pytest.mark.slow
@pytest.mark.parametrize("name", walks.rooms())
def test_the_rules_of_a_room_answer_random_calls_as_before(name):
    found = walks.changed_calls(name)
    assert not found, f"{ANEW}:\n{found}"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for game in HOUSE for name in walks.files_of(game)])
def test_a_shipped_file_edited_at_random_is_audited_and_drawn_as_before(name):
    found = walks.changed_file(name)
    assert not found, f"{ANEW}:\n{found}"


@pytest.mark.slow
def test_nothing_is_kept_of_what_is_gone():
    kept = {path.relative_to(walks.FOLDER).with_suffix("").as_posix() for path in walks.FOLDER.rglob("*.txt")}
    assert kept <= set(walks.names())


def test_a_step_that_has_changed_is_told_with_its_scenario_and_seed(monkeypatch, tmp_path):
    name, folder = "scumm/scenes/duel", tmp_path / "scumm" / "scenes"
    first = walks.Line.read(walks.kept(name)[0])
    folder.mkdir(parents=True)
    (folder / "duel.txt").write_text(f"{first._replace(marks=[*first.marks[:3], 'zzz'])}\n")
    monkeypatch.setattr(walks, "FOLDER", tmp_path)
    assert walks.changed_walk(name).startswith("scumm/scenes/duel, seed 1, settings of the book, step 3: now there is told\n")


def test_a_mark_passes_over_the_order_of_a_set_and_the_last_digits_of_a_fraction():
    assert walks.mark({"b", "a"}, 0.1 + 0.2) == walks.mark({"a", "b"}, 0.3)
    assert walks.mark(0.3) != walks.mark(0.31)
