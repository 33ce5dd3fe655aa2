"""This version beside another, row by row in turn: `python -m benchmarks beside REVISION [--turns N] [ROOM ...]`.

Both run in processes of their own, the other one from a worktree of that revision with the same libraries. After each row the turn is
the other's, so that whatever else the machine does meets both; over several turns the least time of each counts. Of a row that comes in
slices each stands beside the other version's next to it, and the middle of all these counts. A row that only one of them has is left out.
Fails where this version takes more than the limit times as long.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks import ROOMS, what

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.1
STEPPING = "stepping"
BESIDE = (*ROOMS, STEPPING)
"""What can be measured so: the rooms, and what has nothing but another version to stand against; of that all run the same file."""
MEASURE = """
import json, runpy, sys
telling, sys.stdout = sys.stdout, sys.stderr  # what a row says beside is no row
sys.stdin.readline()
for row in runpy.run_path(sys.argv[1])["rows"]():
    print(json.dumps(row), file=telling, flush=True)
    sys.stdin.readline()
print("null", file=telling, flush=True)
"""


class Beside(NamedTuple):
    """A row of both: the seconds of each that count over all turns, and how many times as long it takes now."""

    name: str
    now: float
    then: float
    factor: float

    @classmethod
    def of(cls, name: str, now: list[float], then: list[float], sliced: bool) -> "Beside":
        """What all turns come to."""
        if not sliced:
            return cls(name, min(now), min(then), min(now) / min(then))
        return cls(name, median(now), median(then), median([value / other for value, other in zip(now, then, strict=False)]))

    def __str__(self) -> str:
        return f"{self.name}: {self.factor:.2f} ({self.now:.4g} s now, {self.then:.4g} s then)"


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """The project as it was, in a folder of its own; what is built and not kept in git comes along."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "then"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(there), revision], cwd=ROOT, check=True)
        try:
            vendor = Path("src/rulewright/web/static/vendor")
            if (ROOT / vendor).exists() and not (there / vendor).exists():
                (there / vendor).symlink_to(ROOT / vendor)
            yield there
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(there)], cwd=ROOT, check=False)


class Measuring:
    """One of the two at the rows of a room; it measures only while it is its turn."""

    def __init__(self, root: Path, room: str) -> None:
        self.root, self.room = root, room
        paths = os.pathsep.join([str(root / "src"), str(root)])
        own = root / "benchmarks" / f"{room}.py"
        file = own if own.exists() and room != STEPPING else ROOT / "benchmarks" / f"{room}.py"
        self.process = subprocess.Popen(
            [sys.executable, "-c", MEASURE, str(file)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def row(self) -> dict[str, Any] | None:
        """Its turn: the next row, or nothing at the end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a row of {self.room} broke off in {self.root}; why is said above")
        result: dict[str, Any] | None = json.loads(line)
        return result

    def end(self) -> None:
        """Whatever is left of it is not wanted."""
        self.process.kill()
        self.process.communicate()


class Row(NamedTuple):
    """What a turn came to: `then` or `now`, which row, the seconds it took, and whether it is a slice of several."""

    when: str
    name: str
    seconds: float
    slice: bool


def measured(room: str, then: Path, now: Path = ROOT) -> Iterator[Row]:
    """Row after row of the room; by turns, as long as either has one."""
    sides = {"then": Measuring(then, room), "now": Measuring(now, room)}
    try:
        while sides:
            for name, side in list(sides.items()):
                row = side.row()
                if row is not None:
                    yield Row(name, f"{room}: {what(row)}", row["ours"], row.get("slice", False))
                else:
                    sides.pop(name).end()
    finally:
        for side in sides.values():
            side.end()


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks beside", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("revision", help="the other version, as git knows it")
    parser.add_argument("--turns", type=int, default=3, help="how often each row is measured (3)")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"how many times as long is too long ({LIMIT})")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"only these of {', '.join(BESIDE)}")
    asked = parser.parse_intermixed_args(arguments)
    if unknown := [room for room in asked.rooms if room not in BESIDE]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(BESIDE)}")
    if subprocess.run(
        ["git", "rev-parse", "--quiet", "--verify", f"{asked.revision}^{{commit}}"], cwd=ROOT, capture_output=True
    ).returncode:
        parser.error(f"git knows no version {asked.revision!r} here")
    taken: dict[str, dict[str, list[float]]] = {"then": {}, "now": {}}
    sliced = set()
    with worktree(asked.revision) as then:
        for turn in range(asked.turns):
            for room in asked.rooms or ROOMS:
                for row in measured(room, then):
                    taken[row.when].setdefault(row.name, []).append(row.seconds)
                    if row.slice:
                        sliced.add(row.name)
                    else:
                        print(f"turn {turn + 1}, {row.when}, {row.name}: {row.seconds:.4g} s", flush=True)
    print(f"\nThis version beside {asked.revision}, {asked.turns} turns:")
    both = [name for name in taken["now"] if name in taken["then"]]
    besides = [Beside.of(name, taken["now"][name], taken["then"][name], name in sliced) for name in both]
    for beside in besides:
        print(f"{'SLOWER ' if beside.factor > asked.limit else ''}{beside}")
    return int(any(beside.factor > asked.limit for beside in besides))
