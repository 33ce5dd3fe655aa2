"""Run every measurement, or those of the rooms that are named: `python -m benchmarks [ROOM]...`.

Rows go into docs/benchmarks.json and the table in docs/benchmarks.md, each beside what the version before reached; what was not run
stays as it was. Fails when a floor is not reached. `strength`, `memory` and `beside` are commands of their own.
"""

import json
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import ROOMS, what
from rulewright import __version__

DOCS = Path(__file__).resolve().parent.parent / "docs"


def seconds(value: float) -> str:
    """A time that people can read."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} µs"


def beside(row: dict[str, Any], last: list[dict[str, Any]]) -> dict[str, Any]:
    """A row with what the version before reached: the last figures, where they are of another version, else what stood beside them."""
    was = next((old for old in last if what(old) == what(row) and old["peer"] == row["peer"]), None)
    if was is None:
        return {**row, "version": __version__, "before": None}
    return {**row, "version": __version__, "before": was.get("before") if was.get("version") == __version__ else was["ratio"]}


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| what | ours | against | theirs | times as fast | the version before | at least |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        floor = "" if row["floor"] is None else f"{row['floor']:.3g}"
        before = "" if row.get("before") is None else f"{row['before']:.3g}"
        times = f"{seconds(row['ours'])} | {row['peer']} | {seconds(row['theirs'])} | {row['ratio']:.3g}"
        lines.append(f"| {row['name']} | {times} | {before} | {floor} |")
    return "\n".join(lines)


def main() -> int:
    """The command."""
    if sys.argv[1:2] == ["strength"]:
        from benchmarks import strength

        return strength.main(sys.argv[2:])
    if sys.argv[1:2] == ["memory"]:
        from benchmarks import memory

        return memory.main(sys.argv[2:])
    if sys.argv[1:2] == ["beside"]:
        from benchmarks import beside as side_by_side

        return side_by_side.main(sys.argv[2:])
    unknown = [room for room in sys.argv[1:] if room not in ROOMS]
    if unknown:
        print(f"there is no {unknown[0]!r} to measure; there are {', '.join(ROOMS)}; and strength, memory, beside", file=sys.stderr)
        return 2
    kept = DOCS.joinpath("benchmarks.json")
    last: list[dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []
    result = list(last) if sys.argv[1:] else []
    short = False
    for room in sys.argv[1:] or ROOMS:
        rows = []
        for measured in import_module(f"benchmarks.{room}").rows():
            row = {"room": room, **beside(measured, last)}
            rows.append(row)
            missed = row["floor"] is not None and row["ratio"] < row["floor"]
            short = short or missed
            before = "" if row["before"] is None else f", before {row['before']:.3g}"
            print(
                f"{'SHORT ' if missed else ''}{row['name']}: {row['ratio']:.3g} times {row['peer']} (at least {row['floor']}{before})",
                flush=True,
            )
        done = {what(row) for row in rows}
        result = [old for old in result if old.get("room") != room and what(old) not in done] + rows
        write(sorted(result, key=lambda row: ROOMS.index(row["room"]) if row.get("room") in ROOMS else len(ROOMS)))
    return int(short)


def write(rows: list[dict[str, Any]]) -> None:
    """Keep the rows."""
    DOCS.joinpath("benchmarks.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    text = (
        "# Measurements\n\nMade by `make bench`, each against a named baseline in the same run; "
        "times are processor time, the ratio is what counts. "
        f"Python {platform.python_version()} on two cores.\n\n{table(rows)}\n"
    )
    DOCS.joinpath("benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
