"""Lists and tables as CSV files for spreadsheets, or as JSON."""

import csv
import json
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
"""The kinds of files, with their media types."""


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV: its heads, then its rows.

    >>> print(csv_text(["name", "price"], [["rope, 20 m", 4], ["=1+1", None]]), end="")
    name,price
    "rope, 20 m",4
    '=1+1,
    """
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([cell(head) for head in heads])
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: Any) -> Any:
    """A value that a spreadsheet does not take for a formula; numbers stay numbers.

    >>> cell("=1+1"), cell("Ana hits"), cell(-2)
    ("'=1+1", 'Ana hits', -2)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) and not _is_number(value) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def file_of(kind: str, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """A table as a file of one of the `KINDS`. A CSV file begins with the mark by which spreadsheets know its letters."""
    if kind == "json":
        records = [dict(zip(heads, row, strict=True)) for row in rows]
        return (json.dumps(records, ensure_ascii=False, indent=2) + "\n").encode()
    return csv_text(heads, rows).encode("utf-8-sig")
