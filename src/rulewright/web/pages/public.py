"""Visitors and their sheets: what all pages share, and a sheet with its tests and its log."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.datastructures import Cookie, FormMultiDict
from litestar.di import NamedDependency, Provide
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_400_BAD_REQUEST

from rulewright.build.audit import Audit
from rulewright.build.experience import log_of
from rulewright.build.sheet_parts import Sheet, Test
from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.system import System
from rulewright.web.builder.page import build_page, designer_columns, list_changes, list_rivals, nearest_rival
from rulewright.web.builder.steps import WHOLE, Place, slug
from rulewright.web.pages.games import (
    MAX_TEXT,
    Missing,
    games,
    ready_made,
)
from rulewright.web.pages.visitor_drafts import Entry, Visit, VisitStore
from rulewright.web.pages.visitor_rules import BOOK, Campaign
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.sheets import blocks as drawing
from rulewright.web.sheets.blocks import PinnedRows
from rulewright.web.sheets.edits import NESTED_ACTIONS, TEXT_FIELDS, apply_edit, apply_repair, can_repair, describe_change, text_fields
from rulewright.web.sheets.extra_fields import add_hidden_lists, build_nested_forms, list_extra_fields
from rulewright.web.sheets.list_entries import build_entry_forms
from rulewright.web.sheets.nested_forms import MAX_LONG_TEXT
from rulewright.web.sheets.test_panel import PanelInput, build_panel, compose_notation, find_test, parse_faces

COOKIE, HOST_COOKIE = "visit", "__Host-visit"
"""The cookie of a visit, over plain HTTP and over TLS."""
MAX_PINNED_LETTERS = 20_000
"""Maximum length of the field with the rows that stay in place."""
ROW = "row."
"""The prefix of form fields of a list entry."""
THEMES = ("light", "dark")


async def read_form(request: WebRequest) -> FormMultiDict:
    """The fields of a submitted form."""
    return await request.form()


def visits_of(request: WebRequest) -> VisitStore:
    """All visits."""
    visits: VisitStore = request.app.state.visits
    return visits


def visit_of(request: WebRequest) -> Visit | None:
    """The visit of a request, if there is one."""
    return visits_of(request).find(request.cookies.get(HOST_COOKIE) or request.cookies.get(COOKIE))


def ensure_visit(request: WebRequest) -> tuple[Visit, list[Cookie]]:
    """The visit of a request; a new one with its cookie if there is none."""
    visit = visit_of(request)
    if visit is not None:
        return visit, []
    visit = visits_of(request).open(request.client.host if request.client is not None else "")
    secure = request.url.scheme == "https"
    name = HOST_COOKIE if secure else COOKIE
    return visit, [Cookie(key=name, value=visit.token, httponly=True, samesite="lax", secure=secure, max_age=30 * 24 * 3600)]


def campaign_of(request: WebRequest, system: str) -> Campaign:
    """The options that a visitor plays a game by."""
    visit = visit_of(request)
    return BOOK if visit is None else visit.campaigns.get(system, BOOK)


def is_partial_request(request: WebRequest) -> bool:
    """Whether a page requests a part of itself (htmx), rather than a browser a whole page."""
    return request.headers.get("hx-request") == "true"


def render(request: WebRequest, name: str, status: int = 0, cookies: list[Cookie] | None = None, **context: Any) -> Template:
    """Render a page or a part of one. A page with an error in `wrong` has status 400 by default."""
    status = status or (HTTP_400_BAD_REQUEST if context.get("wrong") else HTTP_200_OK)
    theme = request.cookies.get("theme", "")
    defaults = {"theme": theme if theme in THEMES else "", "path": request.url.path, "games": games()}
    return Template(template_name=name, context={**defaults, **context}, status_code=status, cookies=cookies or [])


# --- a sheet ------------------------------------------------------------------------------------------------------------------


class SheetEditor:
    """A character's sheet that can be edited: its data, game, rules and log. Subclasses store it."""

    system: System
    rules: Ruleset
    by: Campaign | None = None
    url: str
    standing: str
    """Where this copy is stored, in a few words."""
    may_change = True
    changed = False
    """Whether it can be reset to its original."""
    advancing = False
    """Whether changes are advancement earned in play."""
    can_undo = False
    """Whether a change can be undone."""
    sheet_before: Sheet | None = None
    """The sheet before the last change."""
    last_change = ""
    """The last change, in a few words."""

    def __init__(self, request: WebRequest) -> None:
        self.request = request
        self.cookies: list[Cookie] = []
        self.place = Place.of(request.query_params)
        """The step of the builder, its tab and its filters."""
        self.pinned_rows: PinnedRows = {}
        """Rows that stay where the page showed them, though they moved on the sheet."""

    @property
    def thing(self) -> Any:
        """The character."""
        raise NotImplementedError

    @property
    def log(self) -> list[Entry]:
        """The tests rolled here, the latest first."""
        return []

    @property
    def context(self) -> dict[str, Any]:
        """Further template variables."""
        return {}

    def keep(self, change: Callable[[Any], Any], field: str = "") -> None:
        """Store the character after a change."""
        raise NotImplementedError

    def roll(self, sheet: Sheet, test: Test, asked: PanelInput, notation: str, typed: list[Faces] | None) -> None:
        """Roll a test, and add it to the log."""
        raise NotImplementedError

    def sheet(self) -> Sheet:
        """The sheet of the character."""
        with time_limit():
            return self.system.sheet(self.rules, self.thing)

    def full_sheet(self) -> Sheet:
        """The sheet with the advanced fields, if it can be edited."""
        return add_hidden_lists(self.thing, self.sheet()) if self.may_change else self.sheet()

    def audit(self) -> Audit:
        """Returns the audit of the character."""
        with time_limit():
            return self.system.audit(self.rules, self.thing)

    def show(self, name: str, asked: PanelInput | None, wrong: str = "", panel_wrong: str = "", status: int = HTTP_200_OK) -> Template:
        """Render the page, or a part of it."""
        sheet, audit = self.full_sheet(), self.audit()
        opened = None
        key, other = self.find_compared()
        if asked is not None and (asked.test in sheet.tests() or not wrong):
            opened = build_panel(self.system, self.rules, sheet, asked, panel_wrong)
        parts = drawing.parts(drawing.restore_pinned_rows(sheet, self.pinned_rows))
        concerns = drawing.locate_problems(parts, audit.problems)
        return render(
            self.request,
            name,
            status,
            self.cookies,
            **self.context,
            concerns=concerns,
            amiss={concern.field: concern.problem.message for concern in reversed(concerns) if concern.field},
            desk=self,
            words=text_fields(self.thing),
            most_words=TEXT_FIELDS,
            writings=build_entry_forms(self.thing, sheet) if self.may_change else {},
            more=list_extra_fields(self.thing, sheet) if self.may_change else (),
            parts_within=build_nested_forms(self.system, self.thing, sheet) if self.may_change else (),
            system=self.system,
            by=self.by,
            sheet=sheet,
            budgets=drawing.budgets(sheet),
            tally=drawing.summarize(sheet),
            last=self.describe_last_change(sheet),
            others=self.list_comparable(sheet),
            beside_key=key,
            beside_name=other.name if other is not None else "",
            versus=drawing.compare(sheet, other) if other is not None else (),
            parts=parts,
            tries=list_rivals(self.system, sheet, self.url),
            **self._layout(sheet, audit, parts, concerns),
            at=self.place.address(),
            place=self.place,
            stays=msgspec.json.encode(self.pinned_rows).decode() if self.pinned_rows else "",
            audit=audit,
            repairs=[can_repair(problem) for problem in audit.problems],
            panel=opened,
            log=self.log,
            url=self.url,
            wrong=wrong,
        )

    def _layout(
        self, sheet: Sheet, audit: Audit, parts: Sequence[drawing.Part], concerns: Sequence[drawing.LocatedProblem]
    ) -> dict[str, Any]:
        """The layout of the page: the builder, the designer of machines, or the whole sheet."""
        steps = self.system.steps.get(sheet.kind, ()) if self.may_change else ()
        if steps and not self.place.step and self.guided and self.request.method == "GET":
            self.place = Place(step=slug(steps[0].name))
        if steps and self.place.step not in ("", WHOLE):
            page = build_page(self.system, self.rules, self.thing, sheet, audit, parts, concerns, self.place)
            changes = list_changes(self.find_previous(), sheet)
            return {"body": "builder_body.html", "has_steps": True, "changes": changes, **page}
        body = "designer_body.html" if sheet.bar and self.may_change and self.place.step != WHOLE else "sheet_body.html"
        columns = designer_columns(sheet, parts) if body == "designer_body.html" else None
        return {"body": body, "has_steps": bool(steps), "step": None, "columns": columns}

    @property
    def guided(self) -> bool:
        """Whether the page begins with the first step, rather than with the whole sheet."""
        return self.may_change and self.place.step != WHOLE and self.thing.name == self.system.nothing(self.thing.kind).name

    def find_previous(self) -> Sheet | None:
        """The sheet before the last change, if it is known."""
        return self.sheet_before

    def respond(self, asked: PanelInput | None, wrong: str = "", panel_wrong: str = "") -> Template | Redirect:
        """Respond to a change: with the sheet for a page, with a redirect for a browser without scripts."""
        if is_partial_request(self.request):
            return self.show("sheet_main.html", asked, wrong, panel_wrong)
        if wrong or panel_wrong:
            return self.show("sheet.html", asked, wrong, panel_wrong, HTTP_400_BAD_REQUEST)
        if not self.place.step and self.guided:
            self.place = Place(step=WHOLE)
        pairs = [*self.place.pairs(), *(asked.query() if asked is not None else ())]
        query = f"?{urlencode(pairs)}" if pairs else ""
        return Redirect(self.url + query, status_code=HTTP_303_SEE_OTHER, cookies=self.cookies)

    @property
    def gathers(self) -> bool:
        """Whether it gains experience."""
        return log_of(type(self.thing)) is not None

    # comparison

    def list_comparable(self, sheet: Sheet) -> list[tuple[str, str]]:
        """The characters to compare with: ready-made ones of the same kind, if the sheet has a summary."""
        if not sheet.bar:
            return []
        same = [example for example in ready_made(self.system.id).values() if example.kind == sheet.kind and example.path != self.url]
        return [("", "nothing"), *((f"{example.folder}/{example.name}", example.title) for example in same)]

    def find_compared(self) -> tuple[str, Sheet | None]:
        """The character to compare with, and its sheet."""
        folder, _, name = self.compare_key.partition("/")
        example = ready_made(self.system.id).get((folder, name)) if name else None
        if example is None:
            return "", None
        with time_limit():
            return self.compare_key, self.system.sheet(self.rules, example.thing)

    @property
    def compare_key(self) -> str:
        """The key of the character to compare with; by default the one with the nearest rating."""
        query = self.request.query_params
        if self.chosen_compare_key or "beside" in query or self.request.method != "GET":
            return self.chosen_compare_key or query.get("beside", "")[:MAX_TEXT]
        return nearest_rival(self.system, self.rules, self.thing, self.url) if self.place.step != WHOLE else ""

    chosen_compare_key = ""

    def describe_last_change(self, sheet: Sheet) -> str:
        """Describes the effect of the last change on the first value of the summary."""
        if self.sheet_before is None or not sheet.bar:
            return ""
        key = sheet.bar[0]
        before, after = self.sheet_before.values().get(key), sheet.values().get(key)
        if before is None or after is None or isinstance(before.value, str) or isinstance(after.value, str):
            return ""
        return f"{self.last_change}: {after.value - before.value:+g}"

    # edits

    def change(self, form: FormMultiDict) -> Template | Redirect:
        """Change one field."""
        field, do = form_text(form, "field"), form_text(form, "do")
        value = form_text(form, "value", max(TEXT_FIELDS.values()) + 1 if do in ("words", "more") else MAX_TEXT)
        self.advancing = bool(form_text(form, "advancing"))
        self.pinned_rows = drawing.parse_pinned_rows(form_text(form, "stays", MAX_PINNED_LETTERS))
        before = drawing.restore_pinned_rows(self.sheet(), self.pinned_rows)
        values = [text[:MAX_TEXT] for text in form.getall("value", []) if isinstance(text, str)]
        texts = {name.removeprefix(ROW): text[: MAX_LONG_TEXT + 1] for name, text in _texts(form) if name.startswith(ROW)}
        self.chosen_compare_key, before = form_text(form, "beside"), self.sheet()
        try:
            self.keep(lambda thing: self._require_valid(apply_edit(thing, self.full_sheet(), field, do, value, values, texts), do), field)
            self.sheet_before, self.last_change = before, describe_change(before, field, do, value)
        except UserError as error:
            return self.respond(PanelInput.of(form), str(error))
        if is_partial_request(self.request):
            self.pinned_rows = drawing.pin_moved_rows(before, self.sheet(), self.pinned_rows)
        return self.respond(PanelInput.of(form))

    def _require_valid(self, thing: Any, do: str) -> Any:
        """Return the character if the rules accept it; typed values may be something that they do not."""
        if do in ("write", "rewrite", "more", *NESTED_ACTIONS):
            try:
                with time_limit():
                    self.system.sheet(self.rules, thing)
                    self.system.audit(self.rules, thing)
            except UserError as wrong:
                raise UserError(f"the rules do not allow this: {wrong}") from None
            except Exception as error:
                raise UserError(f"the rules do not allow this ({type(error).__name__})") from None
        return thing

    def repair(self, form: FormMultiDict) -> Template | Redirect:
        """Repair a problem."""
        rule, text = form_text(form, "rule"), form_text(form, "text", 2_000)
        self.pinned_rows = drawing.parse_pinned_rows(form_text(form, "stays", MAX_PINNED_LETTERS))
        try:
            with time_limit():
                self.keep(lambda thing: apply_repair(self.system, self.rules, thing, rule, text))
        except UserError as error:
            return self.respond(PanelInput.of(form), str(error))
        return self.respond(PanelInput.of(form))

    def roll_test(self, form: FormMultiDict) -> Template | Redirect:
        """Roll the test of the panel, with random dice or typed faces."""
        asked = PanelInput.of(form)
        if asked is None:
            raise Missing("choose a test to roll")
        self.pinned_rows = drawing.parse_pinned_rows(form_text(form, "stays", MAX_PINNED_LETTERS))
        sheet = self.sheet()
        test = find_test(sheet, asked.test)
        try:
            notation = compose_notation(self.system, test, asked)
            typed = None
            if form_text(form, "dice") == "typed":
                with time_limit():
                    typed = parse_faces(self.system, self.rules, notation, asked.faces)
            self.roll(sheet, test, asked, notation, typed)
        except UserError as error:
            return self.respond(asked, panel_wrong=str(error))
        return self.respond(asked)


FORM = {"form": Provide(read_form)}
InjectedEditor: TypeAlias = NamedDependency[SheetEditor]
"""The sheet of a request. The same handlers serve visitors' characters and those of tables."""


@get("/", sync_to_thread=True, include_in_schema=False)
def sheet_page(editor: InjectedEditor) -> Template:
    """Show a sheet, and the panel of a test if one is chosen."""
    return editor.show("sheet.html", PanelInput.of(editor.request.query_params))


@get("/test", sync_to_thread=True, include_in_schema=False)
def test_panel(editor: InjectedEditor) -> Template:
    """Show the panel of a test."""
    return editor.show("panel.html", PanelInput.of(editor.request.query_params))


@post("/change", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def change_field(editor: InjectedEditor, form: FormFields) -> Template | Redirect:
    """Change one field."""
    return editor.change(form)


@post("/repair", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def repair_problem(editor: InjectedEditor, form: FormFields) -> Template | Redirect:
    """Repair a problem."""
    return editor.repair(form)


@post("/roll", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def roll_test(editor: InjectedEditor, form: FormFields) -> Template | Redirect:
    """Roll the test of the panel."""
    return editor.roll_test(form)


def _texts(form: FormMultiDict) -> list[tuple[str, str]]:
    return [(name, text) for name, text in form.multi_items() if isinstance(text, str)]


def form_text(form: FormMultiDict, name: str, most: int = MAX_TEXT) -> str:
    """The text of a form field, cut to a maximum length."""
    value = form.get(name, "")
    return value[:most] if isinstance(value, str) else ""
