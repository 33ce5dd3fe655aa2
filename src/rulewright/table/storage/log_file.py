"""The log of a table as a CSV file for spreadsheets."""

import csv
from datetime import UTC, datetime
from io import StringIO

from rulewright.table import limits
from rulewright.table.service import Tables

HEADS = ("time", "scene", "by", "kind", "text", "who", "dice", "faces", "undone", "secret")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def log_csv(tables: Tables, table_id: str, member_id: str) -> bytes:
    """Every entry that a member may see, and a row below it for each of its details."""
    names = {scene.number: scene.name for scene in tables.view(table_id, member_id).scenes}
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADS)
    for line in tables.log(table_id, member_id, most=limits.LINES):
        time = datetime.fromtimestamp(line.at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        scene = names.get(line.scene, str(line.scene)) if line.scene else ""
        flags = ("yes" if line.undone else "", "yes" if line.secret else "")
        writer.writerow([cell(value) for value in (time, scene, line.by_name, line.sort, line.text, "", "", "", *flags)])
        for detail in line.details:
            faces = " ".join(str(face) for face in detail.faces)
            flags = ("yes" if detail.undone or line.undone else "", "yes" if detail.secret or line.secret else "")
            writer.writerow([cell(value) for value in (time, scene, "", detail.sort, detail.text, detail.who, detail.dice, faces, *flags)])
    return text.getvalue().encode("utf-8-sig")


def cell(text: str) -> str:
    """A text that a spreadsheet does not take for a formula.

    >>> cell("=1+1"), cell("Ana hits")
    ("'=1+1", 'Ana hits')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
