"""Write a transcript of every ready-made scenario, with its rolls and sums: tests/transcripts/<game>/<scenario>.txt.

`make transcripts` writes them anew; the test suite says which lines have changed. A transcript is read in review beside the book.
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
"""A long scene is cut there: what is told after that is more of the same."""


def scenarios() -> list[str]:
    """`game/name` of every scenario that ships with a game of the house."""
    return [f"{name}/{path[10:-5]}" for name in HOUSE for path in find(name).demos() if path.startswith("scenarios/")]


def transcript(name: str) -> str:
    """A scenario played out by its tactics, always with the same dice."""
    staged = library.stage(name)
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(SEED), staged.decide)
    told = [line for entry in encounter.log if not entry.hidden_from(None) for line in log_lines(entry, with_reasons=True, with_rolls=True)]
    cut = [] if len(told) <= MOST_LINES else [f"... {len(told) - MOST_LINES} more lines"]
    lines = [f"{name}, seed {SEED}", *told[:MOST_LINES], *cut, *ending(encounter)]
    return "\n".join(click.unstyle(line).rstrip() for line in lines) + "\n"


def path_of(name: str) -> Path:
    """Where a scenario's transcript lies."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Write those that are named, or all."""
    for name in sys.argv[1:] or scenarios():
        path_of(name).parent.mkdir(parents=True, exist_ok=True)
        path_of(name).write_text(transcript(name), encoding="utf-8")
        print(path_of(name).relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
