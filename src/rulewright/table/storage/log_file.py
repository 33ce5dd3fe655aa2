"""The log of a table as a CSV file for spreadsheets."""

from collections.abc import Iterator
from datetime import UTC, datetime

from rulewright.show.spreadsheet import file_of
from rulewright.table import limits
from rulewright.table.service import Tables

HEADS = ("time", "scene", "by", "kind", "text", "who", "dice", "faces", "undone", "secret")


def log_csv(tables: Tables, table_id: str, member_id: str) -> bytes:
    """Every entry that a member may see, and a row below it for each of its details."""
    return file_of("csv", HEADS, list(_rows(tables, table_id, member_id)))


def _rows(tables: Tables, table_id: str, member_id: str) -> Iterator[tuple[str, ...]]:
    names = {scene.number: scene.name for scene in tables.view(table_id, member_id).scenes}
    for line in tables.log(table_id, member_id, most=limits.LINES):
        time = datetime.fromtimestamp(line.at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        scene = names.get(line.scene, str(line.scene)) if line.scene else ""
        yield (time, scene, line.by_name, line.sort, line.text, "", "", "", "yes" if line.undone else "", "yes" if line.secret else "")
        for detail in line.details:
            faces = " ".join(str(face) for face in detail.faces)
            flags = ("yes" if detail.undone or line.undone else "", "yes" if detail.secret or line.secret else "")
            yield (time, scene, "", detail.sort, detail.text, detail.who, detail.dice, faces, *flags)
