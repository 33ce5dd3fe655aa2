"""Run every measurement, write docs/benchmarks.json and the table in docs/benchmarks.md; fails when a floor is not reached."""

import json
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOMS = ("dice", "play", "lab", "characters", "machines", "field", "table", "browsers")
DOCS = Path(__file__).resolve().parent.parent / "docs"


def seconds(value: float) -> str:
    """A time that people can read."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} µs"


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | ours | against | theirs | times as fast | at least |", "|---|---|---|---|---|---|"]
    for row in rows:
        floor = "" if row["floor"] is None else f"{row['floor']:.3g}"
        lines.append(
            f"| {row['name']} | {seconds(row['ours'])} | {row['peer']} | {seconds(row['theirs'])} | {row['ratio']:.3g} | {floor} |"
        )
    return "\n".join(lines)


def main() -> int:
    if sys.argv[1:2] == ["strength"]:
        from benchmarks import strength

        return strength.main(sys.argv[2:])
    rows = []
    chosen = sys.argv[1:] or ROOMS
    for room in chosen:
        for row in import_module(f"benchmarks.{room}").rows():
            rows.append(row)
            short = row["floor"] is not None and row["ratio"] < row["floor"]
            print(f"{'SHORT ' if short else ''}{row['name']}: {row['ratio']:.3g} times {row['peer']} (at least {row['floor']})", flush=True)
    if not sys.argv[1:]:
        DOCS.joinpath("benchmarks.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
        text = (
            "# Measurements\n\nMade by `make bench`, each against a named baseline in the same run; "
            "times are processor time, the ratio is what counts. "
            f"Python {platform.python_version()} on two cores.\n\n{table(rows)}\n"
        )
        DOCS.joinpath("benchmarks.md").write_text(text, encoding="utf-8")
    return 1 if any(row["floor"] is not None and row["ratio"] < row["floor"] for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
