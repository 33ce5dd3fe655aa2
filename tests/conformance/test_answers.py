"""Every rule that can be called by id still gives its stored answers, on both sides of each limit; see tools/answers.py."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
_spec = importlib.util.spec_from_file_location("answers", ROOT / "tools" / "answers.py")
assert _spec is not None
assert _spec.loader is not None
answers = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(answers)


@pytest.mark.slow
@pytest.mark.parametrize("room", answers.rooms())
def test_the_rules_of_a_room_answer_as_is_kept(room):
    changed = answers.changed(room)
    assert not changed, f"{len(changed)} answers (make transcripts writes them anew):\n" + "\n".join(changed[:40])


def test_an_answer_that_has_changed_is_told(monkeypatch, tmp_path):
    (tmp_path / "scumm").mkdir()
    (tmp_path / "scumm" / "harm.txt").write_text("scumm-damage:damage\n  multiplier=2, margin | -1, 0 = 0 | 2 = 5\n")
    monkeypatch.setattr(answers, "FOLDER", tmp_path)
    assert answers.changed("scumm/harm") == ["scumm-damage:damage multiplier=2 margin=2: 5 before, 4 now"]
