"""Compare this version with another, row by row: `python -m benchmarks beside REVISION [--turns N] [MODULE ...]`.

Each version runs in its own process, the other one from a git worktree of that revision with the same libraries. They take turns after
each row, so that other load on the machine affects both. The shortest time over all turns counts. Where a row comes in slices, each slice
is compared with the other version's next slice, and the median counts. Rows that only one version has are skipped. Fails if this version
takes more than the limit times as long.
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

from benchmarks import MODULES, what

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.1
STEPPING = "stepping"
BESIDE = (*MODULES, STEPPING)
"""All benchmark modules, and `stepping`, whose only baseline is another version: both versions run this version's file."""
MEASURE = """
import json, runpy, sys
output, sys.stdout = sys.stdout, sys.stderr  # other prints must not mix with rows
sys.stdin.readline()
for row in runpy.run_path(sys.argv[1])["rows"]():
    print(json.dumps(row), file=output, flush=True)
    sys.stdin.readline()
print("null", file=output, flush=True)
"""


class Beside(NamedTuple):
    """A row of both versions: their times in seconds, and how many times as long this version takes."""

    name: str
    now: float
    then: float
    factor: float

    @classmethod
    def of(cls, name: str, now: list[float], then: list[float], sliced: bool) -> "Beside":
        """Combines the times of all turns."""
        if not sliced:
            return cls(name, min(now), min(then), min(now) / min(then))
        return cls(name, median(now), median(then), median([new / old for new, old in zip(now, then, strict=False)]))

    def __str__(self) -> str:
        return f"{self.name}: {self.factor:.2f} ({self.now:.4g} s now, {self.then:.4g} s then)"


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """A git worktree of a revision, with the built files that git does not track."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "then"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(checkout), revision], cwd=ROOT, check=True)
        try:
            vendor = Path("src/rulewright/web/static/vendor")
            if (ROOT / vendor).exists() and not (checkout / vendor).exists():
                (checkout / vendor).symlink_to(ROOT / vendor)
            yield checkout
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(checkout)], cwd=ROOT, check=False)


class Measuring:
    """A process that measures the rows of a module for one version, only while it is its turn."""

    def __init__(self, root: Path, module: str) -> None:
        self.root, self.module = root, module
        paths = os.pathsep.join([str(root / "src"), str(root)])
        own = root / "benchmarks" / f"{module}.py"
        file = own if own.exists() and module != STEPPING else ROOT / "benchmarks" / f"{module}.py"
        self.process = subprocess.Popen(
            [sys.executable, "-c", MEASURE, str(file)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def row(self) -> dict[str, Any] | None:
        """Measure and return the next row, or None at the end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"A row of {self.module} failed in {self.root}. The error is printed above.")
        row: dict[str, Any] | None = json.loads(line)
        return row

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.communicate()


class Row(NamedTuple):
    """The result of a turn: `then` or `now`, the row, its seconds, and whether it is one of several slices."""

    when: str
    name: str
    seconds: float
    slice: bool


def measured(module: str, then: Path, now: Path = ROOT) -> Iterator[Row]:
    """Yields the rows of a module, both versions in turn, until both have finished."""
    sides = {"then": Measuring(then, module), "now": Measuring(now, module)}
    try:
        while sides:
            for name, side in list(sides.items()):
                row = side.row()
                if row is not None:
                    yield Row(name, f"{module}: {what(row)}", row["ours"], row.get("slice", False))
                else:
                    sides.pop(name).end()
    finally:
        for side in sides.values():
            side.end()


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks beside", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("revision", help="the other version: any git revision")
    parser.add_argument("--turns", type=int, default=3, help="how often to measure each row (3)")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"fail if a row takes more than this times as long ({LIMIT})")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"only these modules: {', '.join(BESIDE)}")
    asked = parser.parse_intermixed_args(arguments)
    if unknown := [module for module in asked.modules if module not in BESIDE]:
        parser.error(f"There is no benchmark {unknown[0]!r}. Choose from {', '.join(BESIDE)}.")
    if subprocess.run(
        ["git", "rev-parse", "--quiet", "--verify", f"{asked.revision}^{{commit}}"], cwd=ROOT, capture_output=True
    ).returncode:
        parser.error(f"Git knows no revision {asked.revision!r} here.")
    times: dict[str, dict[str, list[float]]] = {"then": {}, "now": {}}
    sliced = set()
    with worktree(asked.revision) as then:
        for turn in range(asked.turns):
            for module in asked.modules or MODULES:
                for row in measured(module, then):
                    times[row.when].setdefault(row.name, []).append(row.seconds)
                    if row.slice:
                        sliced.add(row.name)
                    else:
                        print(f"turn {turn + 1}, {row.when}, {row.name}: {row.seconds:.4g} s", flush=True)
    print(f"\nThis version compared with {asked.revision}, {asked.turns} turns:")
    both = [name for name in times["now"] if name in times["then"]]
    comparisons = [Beside.of(name, times["now"][name], times["then"][name], name in sliced) for name in both]
    for comparison in comparisons:
        print(f"{'SLOWER ' if comparison.factor > asked.limit else ''}{comparison}")
    return int(any(comparison.factor > asked.limit for comparison in comparisons))
