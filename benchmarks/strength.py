"""The table of strength: those who think against those who go by a tactic, in every ready-made scenario of people.

`python -m benchmarks strength [-n N] [--level good] [--every] [SCENARIO ...]` writes docs/strength.json and docs/strength.md.
"""

import argparse
import json
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from rulewright import library
from rulewright.lab.results import End
from rulewright.lab.search import LEVELS, Level, Match, Thought, level
from rulewright.lab.tournament import AS_WRITTEN, _paired
from rulewright.play import Given
from rulewright.system import HOUSE, find

ABOUT = """\
Each side of a scenario thinks in turn, against the other side as the scenario has it, or (`--every`) by each of its tactics; those who
think do not know by which. The same fights are compared, number by number: once the side thinks, once it goes by its own tactic. A draw
counts half. The interval of a gain is that of 95 percent.
"""
COLUMNS = ("scenario", "side that thinks", "against", "level", "fights", "thinking", "by its tactic", "gain", "a decision")
DOCS = Path(__file__).resolve().parent.parent / "docs"


class Timed(Match):
    """A match that keeps how long its thoughts took."""

    thoughts = 0
    left = 0

    def thought(self, thought: Thought) -> Given:
        if thought.playouts:
            self.thoughts += 1
            self.left += thought.left_the_usual
        return thought.answer


def scenarios() -> list[str]:
    """Every ready-made fight of people between two sides."""
    found = []
    for game in HOUSE:
        for path, file in find(game).demos().items():
            if path.startswith("scenarios/") and "\nscene:" not in file.read_text(encoding="utf-8"):
                found.append(f"{game}/{path.removeprefix('scenarios/').removesuffix('.yaml')}")
    return found


def won(end: End | None, side: str) -> float:
    """What an end is worth to a side."""
    return 0.5 if end is None or end.winner is None else float(end.winner == side)


def measured(name: str, side: str, against: str, how: Level, n: int, until: float) -> dict[str, Any] | None:
    """One row: a side that thinks, beside the same side by its tactic, with the same dice."""
    staged = library.stage(name)
    tactics = staged.system.staging(staged.scene.kind).tactics
    sides = staged.scene.sides(staged.state)
    other = next(each for each in sides if each != side)
    decide = _paired(staged.decide, tactics, {other: (against, sides[other])})
    rounds = staged.scenario.rounds
    thinks = dict.fromkeys(sides[side], how.counted)
    match = Timed(staged.scene, staged.state, decide, tactics, thinks, 1, rounds, "win", staged.decide)
    plain = Match(staged.scene, staged.state, decide, tactics, {}, 1, rounds, "win")
    thinking, usual, spent = [], [], 0.0
    for number in range(n):
        began = time.process_time()
        thinking.append(won(match(number), side))
        spent += time.process_time() - began
        usual.append(won(plain(number), side))
        if time.monotonic() > until and number >= 3:
            break
    played = len(thinking)
    differences = [mine - theirs for mine, theirs in zip(thinking, usual, strict=True)]
    mean = sum(differences) / played
    spread = sqrt(sum((each - mean) ** 2 for each in differences) / max(1, played - 1) / played)
    error = max(spread, 0.5 / played)  # a few fights that end alike prove little
    return {
        "scenario": name,
        "side": side,
        "against": against,
        "level": how.name,
        "n": played,
        "thinking": sum(thinking) / played,
        "usual": sum(usual) / played,
        "gain": mean,
        "error": error,
        "seconds": spent / max(1, match.thoughts),
        "thoughts": match.thoughts,
        "left": match.left,
    }


def rows(names: list[str], how: Level, n: int, seconds: float, every: bool) -> Iterator[dict[str, Any]]:
    """All rows, each within its time."""
    for name in names:
        staged = library.stage(name)
        sides = list(staged.scene.sides(staged.state))
        if len(sides) != 2:
            continue
        tactics = list(staged.system.staging(staged.scene.kind).tactics) if every else []
        for side in sides:
            for against in [AS_WRITTEN, *tactics]:
                row = measured(name, side, against, how, n, time.monotonic() + seconds)
                if row is not None:
                    yield row


def table(found: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for row in found:
        gain = f"{100 * row['gain']:+.0f} ± {196 * row['error']:.0f}"
        cells = (
            row["scenario"],
            row["side"],
            row["against"],
            row["level"],
            row["n"],
            f"{row['thinking']:.0%}",
            f"{row['usual']:.0%}",
            gain,
        )
        lines.append(f"| {' | '.join(map(str, cells))} | {row['seconds']:.2f} s |")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("-n", type=int, default=100, help="fights for each row")
    parser.add_argument("--level", default="good", choices=list(LEVELS))
    parser.add_argument("--playouts", type=int, default=None, help="so many fights played out for a decision, whatever the level says")
    parser.add_argument("--seconds", type=float, default=600.0, help="at most so long for each row")
    parser.add_argument("--every", action="store_true", help="against every tactic, not only as the scenario has it")
    given = parser.parse_args(arguments)
    how = level(given.level)
    if given.playouts is not None:
        how = Level(f"{given.playouts} playouts", given.playouts, None)
    found = []
    for row in rows(given.scenarios or scenarios(), how, given.n, given.seconds, given.every):
        found.append(row)
        print(table([row]).splitlines()[-1], flush=True)
        text = f"# Strength\n\nMade by `python -m benchmarks strength`. {ABOUT}\n{table(found)}\n"
        DOCS.joinpath("strength.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
        DOCS.joinpath("strength.md").write_text(text, encoding="utf-8")
    worse = [row for row in found if row["gain"] + 1.96 * row["error"] < 0]
    return 1 if worse else 0
