"""A character of a table: its sheet and builder; its tests are rolled into the table's log."""

from collections.abc import Callable
from typing import Any

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from rulewright.build.audit import Audit
from rulewright.build.experience import advanced, log_of
from rulewright.build.sheet_parts import Sheet, Test
from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import plain_value
from rulewright.web.maps.scene_summary import award_field
from rulewright.web.pages.games import MAX_TEXT
from rulewright.web.pages.public import FORM, SheetEditor
from rulewright.web.pages.visitor_drafts import Dice, Entry
from rulewright.web.params import FormFields, PathText, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.test_panel import PanelInput
from rulewright.web.table.action_forms import field
from rulewright.web.table.table_pages import TablePage, require_gamemaster

LINES = 40
ROUTE = "/tables/{table:str}/characters/{character:str}"


class TableSheetEditor(SheetEditor):
    """A character of a table, for a member who may open it."""

    def __init__(self, request: WebRequest, table: PathText, character: PathText) -> None:
        super().__init__(request)
        self.page = TablePage(request, table)
        self.character = character
        with time_limit():
            self.opened = self.page.tables.sheet(table, self.page.seat.member, character)
        self.system = self.page.system
        self.rules = self.page.tables.rules(table)
        self.url = f"/tables/{table}/characters/{character}"
        self.may_change = self.opened.character.may_change
        owner = next((member.name for member in self.page.seen.members if member.id == self.opened.character.owner), "")
        self.carried = self.opened.character.carried
        self.picture = self.opened.character.picture
        self.carried_from = self.opened.character.carried_from
        self.standing = f"played by {owner}" if owner else "not assigned to a player"

    @property
    def thing(self) -> Any:
        """The character."""
        return self.opened.thing

    def sheet(self) -> Sheet:
        """The sheet as the table computed it."""
        return self.opened.sheet

    def audit(self) -> Audit:
        """The table's audit of the character."""
        return self.opened.audit

    @property
    def context(self) -> dict[str, Any]:
        """The template variables of the table's navigation."""
        page = self.page
        return {"room": page, "seen": page.seen, "leads": page.leads}

    @property
    def log(self) -> list[Entry]:
        """The latest tests rolled at the table, the latest first."""
        entries = []
        lines = self.page.tables.log(self.page.seen.id, self.page.seat.member, most=LINES)
        for number, line in enumerate(reversed(lines)):
            if line.sort == "test" and line.details:
                what, _, label = line.text.rpartition(": ")
                first = line.details[0]
                rolls = tuple(Dice(detail.faces, detail.kept) for detail in line.details)
                who = first.who or line.by_name
                entries.append(Entry(number, self.system.id, who, what, first.dice, label, first.tone, False, rolls, first.reasons))
        return entries

    def keep(self, change: Callable[[Any], Any], field: str = "") -> None:
        """Save a change in the table's log."""
        tables, table, member = self.page.tables, self.page.seen.id, self.page.seat.member
        after = change(self.thing)
        if after == self.thing:
            return
        data = msgspec.to_builtins(after)
        if field:
            tables.act(table, member, a.ChangeCharacter(self.character, field, plain_value(data, field), advancement=self.advancing))
        else:
            tables.act(table, member, a.ReplaceCharacter(self.character, data=data, why="repaired"))
        self.opened = tables.sheet(table, member, self.character)

    def roll(self, sheet: Sheet, test: Test, asked: PanelInput, notation: str, typed: list[Faces] | None) -> None:
        """Roll at the table, for everybody to see."""
        if not self.may_change:
            raise UserError(f"you cannot roll for {sheet.name}: the character is not yours")
        faces = "/".join(",".join(map(str, roll)) for roll in typed) if typed is not None else ""
        command = a.Test(notation, f"{test.name}", self.character, faces)
        self.page.tables.act(self.page.seen.id, self.page.seat.member, command)


MAX_AWARD = 1_000


@post("/tables/{table:str}/award", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def award_experience(request: WebRequest, table: FromPath[str], form: FormFields) -> Redirect:
    """Award experience to several characters: `award.<character>` holds the points, `session` the reason."""
    page = require_gamemaster(request, table, "awards experience")
    session = field(form, "session").strip()[:MAX_TEXT]
    for name, value in form.multi_items():
        points = str(value).strip() if isinstance(value, str) else ""
        if not name.startswith("award.") or points in ("", "0"):
            continue
        if not points.isdecimal() or int(points) > MAX_AWARD:
            raise UserError(f"experience is a whole number from 0 to {MAX_AWARD}, not {points[:40]!r}")
        editor = TableSheetEditor(request, table, name.removeprefix("award.")[:MAX_TEXT])
        log = log_of(type(editor.thing))
        if log is None or not award_field(editor.thing):
            raise UserError(f"{editor.sheet().name} gains no experience")
        editor.advancing = True
        given = {award_field(editor.thing): points, "session": session}
        editor.keep(lambda thing, given=given: advanced(thing, "award", given), log.field)  # type: ignore[misc]
    return Redirect(page.url, status_code=HTTP_303_SEE_OTHER)
