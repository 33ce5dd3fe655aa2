"""New entries of a log as a page shows them, drawn once for all who see them alike.

An entry differs between two people in nothing but its mark, unless one of them leads or sees more; so it is drawn with a place for the
mark, and everybody's own is put there.
"""

from collections.abc import Sequence

import msgspec
from jinja2 import Environment
from msgspec import Struct
from msgspec.structs import replace

from rulewright.system import System
from rulewright.table.views import LogShown
from rulewright.web.table import log_lines

MARK = "0mark0mark0mark0"
"""Stands for the mark while an entry is drawn; a true one has digits and the letters a to f."""


class _Scene(Struct, frozen=True):
    """As much of a scene as an entry needs."""

    number: int


class LogDrawing:
    """Draws entries for everybody at a table who hears of them at the same moment."""

    def __init__(self, environment: Environment, table_id: str, system: System) -> None:
        self._template = environment.get_template("log_entries.html")
        self._url = f"/tables/{table_id}"
        self._system = system
        self._drawn: dict[tuple[bytes, bool], str] = {}

    def drawn(self, lines: Sequence[LogShown], leads: bool) -> str:
        """Entries for one member."""
        return "".join(self._one(line, leads).replace(MARK, line.mark) for line in lines)

    def _one(self, line: LogShown, leads: bool) -> str:
        bare = replace(line, mark=MARK)
        key = (msgspec.json.encode(bare), leads)
        if key not in self._drawn:
            around = {"url": self._url, "system": self._system, "leads": leads, "scene": _Scene(line.scene) if line.scene else None}
            self._drawn[key] = self._template.render(log=log_lines.entries([bare]), **around)
        return self._drawn[key]
