"""Writes a transcript of every ready-made scenario, with rolls and sums: tests/transcripts/<game>/<scenario>.txt.

`make transcripts` rewrites them; the tests report changed lines. Reviewers compare them with the book.
"""

import sys
from pathlib import Path

import click

from rulewright import library
from rulewright.cli.play.log import ending, log_lines
from rulewright.play import Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.system import HOUSE, find

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "transcripts"
SEED = 1
MOST_LINES = 1_500
"""Longer transcripts are cut here."""


def scenarios() -> list[str]:
    """`game/name` of every scenario that ships with a built-in game."""
    return [f"{name}/{path[10:-5]}" for name in HOUSE for path in find(name).demos() if path.startswith("scenarios/")]


def transcript(name: str) -> str:
    """A scenario played by its tactics, always with the same dice."""
    staged = library.stage(name)
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(SEED), staged.decide)
    log = [line for entry in encounter.log if not entry.hidden_from(None) for line in log_lines(entry, with_reasons=True, with_rolls=True)]
    cut = [] if len(log) <= MOST_LINES else [f"... {len(log) - MOST_LINES} more lines"]
    lines = [f"{name}, seed {SEED}", *log[:MOST_LINES], *cut, *ending(encounter)]
    return "\n".join(click.unstyle(line).rstrip() for line in lines) + "\n"


def path_of(name: str) -> Path:
    """The file of a scenario's transcript."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Write the named transcripts, or all."""
    for name in sys.argv[1:] or scenarios():
        path_of(name).parent.mkdir(parents=True, exist_ok=True)
        path_of(name).write_text(transcript(name), encoding="utf-8")
        print(path_of(name).relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
