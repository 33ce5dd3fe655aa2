"""The sheets of visitors: ready-made, new or opened characters, with the changes of one visitor."""

from collections.abc import Callable
from typing import Any

from litestar import post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK

from rulewright.build.sheet_parts import Sheet, Test
from rulewright.dice.reading import Faces
from rulewright.web.builder.steps import WHOLE
from rulewright.web.pages.games import NEW, OWN, Missing, ReadyMade, create_blank, game, get_ready_made, shorten
from rulewright.web.pages.public import FORM, SheetEditor, campaign_of, ensure_visit, form_text, visit_of
from rulewright.web.pages.visitor_drafts import Entry, Visit
from rulewright.web.params import FormFields, PathText, WebRequest
from rulewright.web.server import bounded_replies
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.test_panel import PanelInput, create_log_entry

ROUTE = "/games/{system:str}/{folder:str}/{name:str}"


class VisitorSheetEditor(SheetEditor):
    """A ready-made, new or opened character, with the changes of this visitor."""

    def __init__(self, request: WebRequest, system: PathText, folder: PathText, name: PathText) -> None:
        super().__init__(request)
        self.system = game(system)
        chosen = campaign_of(request, system)
        self.by = chosen
        self.rules = chosen.rules(self.system)
        self.spot = (system, folder, name)
        self.visit: Visit | None = visit_of(request)
        self.ready: ReadyMade = self._ready(*self.spot)
        self.url = self.ready.path

    def _ready(self, system: str, folder: str, name: str) -> ReadyMade:
        """The character before this visitor's changes: ready-made, new, or as opened from a file."""
        if folder == NEW:
            return create_blank(system, name, self.rules)
        if folder == OWN:
            thing = None if self.visit is None else self.visit.copies.get(self.spot)
            if thing is None:
                raise Missing(f"{shorten(name)} is no longer open: open its file again")
            return ReadyMade(system, folder, name, str(getattr(thing, "kind", "")), name, "", thing)
        return get_ready_made(system, folder, name)

    @property
    def thing(self) -> Any:
        """The visitor's copy, or the original."""
        return self.ready.thing if self.visit is None else self.visit.copies.get(self.spot, self.ready.thing)

    @property
    def changed(self) -> bool:  # type: ignore[override]
        """Whether the visitor's copy differs from the original."""
        return bool(self.thing != self.ready.thing)

    @property
    def standing(self) -> str:  # type: ignore[override]
        """Where this copy is stored."""
        if self.ready.folder != NEW and self.ready.folder != OWN and not self.changed:
            return "ready-made, unchanged"
        return "stored until you leave; save it as a file"

    @property
    def can_undo(self) -> bool:  # type: ignore[override]
        """Whether this visitor can undo a change."""
        return self.visit is not None and bool(self.visit.history.get(self.spot))

    def undo(self, form: FormMultiDict) -> Template | Redirect:
        """Undo the last change."""
        self.chosen_compare_key = form_text(form, "beside")
        if self.visit is not None:
            before = self.sheet()
            with self.visit.changing():
                self.visit.back(self.spot)
            self.sheet_before, self.last_change = before, "Undo"
        return self.respond(PanelInput.of(form))

    @property
    def guided(self) -> bool:
        """Whether the page begins with the first step: for every new character."""
        return self.place.step != WHOLE and self.ready.folder == NEW

    def find_previous(self) -> Sheet | None:
        """The sheet before the last change."""
        before = self.visit.history.get(self.spot) if self.visit is not None else None
        if self.sheet_before is not None or not before:
            return self.sheet_before
        with time_limit():
            return self.system.sheet(self.rules, before[-1])

    @property
    def log(self) -> list[Entry]:
        """The tests of this visitor, the latest first."""
        return [] if self.visit is None else list(reversed(self.visit.log))

    def open(self) -> Visit:
        """The visit to store something in; a new one if there is none."""
        if self.visit is None:
            self.visit, self.cookies = ensure_visit(self.request)
        return self.visit

    def keep(self, change: Callable[[Any], Any], field: str = "") -> None:
        """Store a changed copy for this visitor."""
        visit = self.open()
        with visit.changing():
            changed = change(self.thing)
            visit.remember(self.spot, self.thing)
            visit.keep(self.spot, changed)

    def roll(self, sheet: Sheet, test: Test, asked: PanelInput, notation: str, typed: list[Faces] | None) -> None:
        """Roll into this visitor's log."""
        thrown = bounded_replies.throw(self.system, self.rules, notation, typed)
        visit = self.open()
        with visit.changing():
            visit.rolled += 1
            visit.log.append(create_log_entry(self.system, visit.rolled, sheet.name, test, asked, thrown, typed is not None))


@post(ROUTE + "/undo", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def undo(request: WebRequest, system: PathText, folder: PathText, name: PathText, form: FormFields) -> Template | Redirect:
    """Undo the last change."""
    return VisitorSheetEditor(request, system, folder, name).undo(form)


@post(ROUTE + "/reset", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def reset(request: WebRequest, system: PathText, folder: PathText, name: PathText, form: FormFields) -> Template | Redirect:
    """Reset a character to its original."""
    editor = VisitorSheetEditor(request, system, folder, name)
    if editor.visit is not None:
        with editor.visit.changing():
            editor.visit.forget(editor.spot)
    return editor.respond(PanelInput.of(form))
