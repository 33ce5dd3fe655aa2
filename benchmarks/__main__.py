"""Run all benchmarks, or those of the named modules: `python -m benchmarks [MODULE]...`.

Writes the rows to docs/benchmarks.json and docs/benchmarks.md, each with the result of the previous version. Rows that were not run
stay unchanged. Fails if a row is below its floor. `strength`, `positions`, `memory` and `beside` are separate commands.
"""

import json
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import MODULES, what
from rulewright import __version__

DOCS = Path(__file__).resolve().parent.parent / "docs"


def seconds(value: float) -> str:
    """A duration with a suitable unit."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} µs"


def beside(row: dict[str, Any], last: list[dict[str, Any]]) -> dict[str, Any]:
    """Adds the ratio of the previous version: from the last rows, or from what these had if they are of this version."""
    previous = next((old for old in last if what(old) == what(row) and old["peer"] == row["peer"]), None)
    if previous is None:
        return {**row, "version": __version__, "before": None}
    return {
        **row,
        "version": __version__,
        "before": previous.get("before") if previous.get("version") == __version__ else previous["ratio"],
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| task | Rulewright | baseline | baseline time | times as fast | previous version | required |",
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
    if sys.argv[1:2] == ["positions"]:
        from benchmarks import positions

        return positions.main(sys.argv[2:])
    if sys.argv[1:2] == ["memory"]:
        from benchmarks import memory

        return memory.main(sys.argv[2:])
    if sys.argv[1:2] == ["beside"]:
        from benchmarks import beside as side_by_side

        return side_by_side.main(sys.argv[2:])
    unknown = [module for module in sys.argv[1:] if module not in MODULES]
    if unknown:
        print(
            f"There is no benchmark {unknown[0]!r}. Choose from {', '.join(MODULES)}, strength, positions, memory, beside.", file=sys.stderr
        )
        return 2
    file = DOCS.joinpath("benchmarks.json")
    last: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    all_rows = list(last) if sys.argv[1:] else []
    failed = False
    for module in sys.argv[1:] or MODULES:
        rows = []
        for measured in import_module(f"benchmarks.{module}").rows():
            row = {"room": module, **beside(measured, last)}
            rows.append(row)
            missed = row["floor"] is not None and row["ratio"] < row["floor"]
            failed = failed or missed
            before = "" if row["before"] is None else f", before {row['before']:.3g}"
            print(
                f"{'TOO SLOW ' if missed else ''}{row['name']}: {row['ratio']:.3g} times {row['peer']} (required {row['floor']}{before})",
                flush=True,
            )
        done = {what(row) for row in rows}
        all_rows = [old for old in all_rows if old.get("room") != module and what(old) not in done] + rows
        write(sorted(all_rows, key=lambda row: MODULES.index(row["room"]) if row.get("room") in MODULES else len(MODULES)))
    return int(failed)


def write(rows: list[dict[str, Any]]) -> None:
    """Write the rows to both files."""
    DOCS.joinpath("benchmarks.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    text = (
        "# Benchmarks\n\nThis page compares the speed of Rulewright with named baselines. `make bench` measures both in the same run and "
        "writes this page. Times are processor time unless a row says otherwise; the ratio is what matters. "
        f"Python {platform.python_version()} on two cores.\n\n{table(rows)}\n"
    )
    DOCS.joinpath("benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
