"""Renders new log entries, once for all who see them alike.

Entries for two members differ only in the mark, unless one of them is the gamemaster or sees more. An entry is rendered with a placeholder
for the mark, which is then replaced for each member.
"""

from collections.abc import Sequence

import msgspec
from jinja2 import Environment
from msgspec import Struct
from msgspec.structs import replace

from rulewright.system import System
from rulewright.table.views import LogShown
from rulewright.web.table import log_lines

MARK_PLACEHOLDER = "0mark0mark0mark0"
"""The placeholder for the mark; a real mark consists of digits and the letters a to f."""


class _Scene(Struct, frozen=True):
    """The part of a scene that an entry needs."""

    number: int


class LogRenderer:
    """Renders log entries for all members of a table who hear of them at the same time."""

    def __init__(self, environment: Environment, table_id: str, system: System) -> None:
        self._template = environment.get_template("log_entries.html")
        self._url = f"/tables/{table_id}"
        self._system = system
        self._rendered: dict[tuple[bytes, bool], str] = {}

    def render(self, lines: Sequence[LogShown], leads: bool) -> str:
        """Render entries for one member."""
        return "".join(self._render_entry(line, leads).replace(MARK_PLACEHOLDER, line.mark) for line in lines)

    def _render_entry(self, line: LogShown, leads: bool) -> str:
        generic = replace(line, mark=MARK_PLACEHOLDER)
        key = (msgspec.json.encode(generic), leads)
        if key not in self._rendered:
            context = {"url": self._url, "system": self._system, "leads": leads, "scene": _Scene(line.scene) if line.scene else None}
            self._rendered[key] = self._template.render(log=log_lines.entries([generic]), **context)
        return self._rendered[key]
