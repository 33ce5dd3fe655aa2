"""Every ready-made scenario plays as in its transcript, line by line; `make transcripts` rewrites them, for review."""

import difflib
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
_spec = importlib.util.spec_from_file_location("transcripts", ROOT / "tools" / "transcripts.py")
assert _spec is not None
assert _spec.loader is not None
transcripts = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(transcripts)


@pytest.mark.parametrize("name", transcripts.scenarios())
def test_a_scenario_is_played_as_its_transcript_says(name):
    path = transcripts.path_of(name)
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    changed = list(difflib.unified_diff(kept, transcripts.transcript(name).splitlines(), "kept", "now", n=1, lineterm=""))
    assert not changed, f"{len(changed)} lines (make transcripts writes them anew):\n" + "\n".join(changed[:40])


def test_no_transcript_is_left_of_a_scenario_that_is_gone():
    kept = {path.relative_to(transcripts.FOLDER).with_suffix("").as_posix() for path in transcripts.FOLDER.rglob("*.txt")}
    assert kept == set(transcripts.scenarios())
