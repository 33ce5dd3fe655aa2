"""Adds a visitor's character to a table: where they have a seat, by an invite link, or by hosting a new one."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.table.commands.messages import AddCharacter
from rulewright.table.seats import Seat
from rulewright.web.pages.games import MAX_TEXT
from rulewright.web.pages.public import FORM, render, visit_of
from rulewright.web.params import FormFields, PathText, WebRequest
from rulewright.web.sheets.edits import TEXT_FIELDS, apply_edit
from rulewright.web.sheets.visitor_sheets import ROUTE, VisitorSheetEditor
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import device_of, seat_of, tables_of

BRING = "bring"
"""The field that names the character to add, as folder/name."""
_LINK = re.compile(r"/tables/(?P<table>[0-9a-f]{1,40})/join/(?P<token>[\w-]{1,200})", re.ASCII)


def open_editor(request: WebRequest, system: str, place: str) -> VisitorSheetEditor:
    """A visitor's character, by folder/name."""
    folder, _, name = place[:MAX_TEXT].partition("/")
    return VisitorSheetEditor(request, system, folder, name)


def brought_name(request: WebRequest, system: str, place: str) -> str:
    """The name of the character to add; empty if there is none."""
    with suppress(UserError):
        return open_editor(request, system, place).sheet().name if place else ""
    return ""


def add_character(request: WebRequest, seat: Seat, system: str, place: str) -> str:
    """Add a visitor's character to a table; returns its id there."""
    thing = open_editor(request, system, place).thing
    data: dict[str, Any] = msgspec.to_builtins(thing)
    action = AddCharacter(of=str(getattr(thing, "kind", "")), data=data)
    return tables_of(request).act(seat.table, seat.member, action).made


def add_and_redirect(request: WebRequest, seat: Seat, system: str, place: str) -> str:
    """Add the character, if there is one, and return the next page: its sheet, or the members of the table."""
    with suppress(UserError):
        if place and seat.role != "spectator":
            return f"/tables/{seat.table}/characters/{add_character(request, seat, system, place)}"
    return f"/tables/{seat.table}/people"


def list_own_characters(request: WebRequest, system: str) -> Mapping[str, str]:
    """The characters that a visitor built or opened for a game: names by folder/name."""
    visit = visit_of(request)
    if visit is None:
        return {}
    copies = list(visit.copies.items())
    return {f"{folder}/{name}": str(getattr(thing, "name", name)) for (owner, folder, name), thing in reversed(copies) if owner == system}


def list_seats(request: WebRequest, system: str) -> list[tuple[Seat, str]]:
    """The tables of a game at which this device has a player's seat."""
    tables = tables_of(request)
    pairs = []
    for seat, name in tables.seats(device_of(request)):
        with suppress(UserError), tables.looking(seat.table) as table:
            if table.system.id == system and seat.role != "spectator":
                pairs.append((seat, name))
    return pairs


def _page(editor: VisitorSheetEditor, wrong: str = "", typed: str = "") -> Template:
    _, folder, name = editor.spot
    return render(
        editor.request,
        "take.html",
        system=editor.system,
        sheet=editor.sheet(),
        seats=list_seats(editor.request, editor.system.id),
        host=f"/host?{urlencode({'system': editor.system.id, BRING: f'{folder}/{name}'})}",
        nameless=editor.sheet().name == editor.system.nothing(editor.sheet().kind).name,
        url=editor.url,
        wrong=wrong,
        typed=typed,
    )


@get(ROUTE + "/table", sync_to_thread=True, include_in_schema=False)
def take_page(request: WebRequest, system: PathText, folder: PathText, name: PathText) -> Template:
    """Show the tables that the character can be added to."""
    return _page(VisitorSheetEditor(request, system, folder, name))


@post(ROUTE + "/table/name", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def name_before_adding(request: WebRequest, system: PathText, folder: PathText, name: PathText, form: FormFields) -> Template | Redirect:
    """Name a nameless character or machine before it comes to a table."""
    editor = VisitorSheetEditor(request, system, folder, name)
    text = field(form, "name").strip()[: TEXT_FIELDS["name"]]
    try:
        if not text:
            raise UserError("type a name")
        editor.keep(lambda thing: apply_edit(thing, editor.full_sheet(), "name", "words", text, []))
    except UserError as error:
        return _page(editor, str(error))
    return Redirect(f"{editor.url}/table", status_code=HTTP_303_SEE_OTHER, cookies=editor.cookies)


@post(ROUTE + "/table/bring", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def add_to_table(request: WebRequest, system: PathText, folder: PathText, name: PathText, form: FormFields) -> Redirect:
    """Add the character to a table where the visitor has a seat."""
    seat = seat_of(request, field(form, "table")[:MAX_TEXT])
    made = add_character(request, seat, system, f"{folder}/{name}")
    return Redirect(f"/tables/{seat.table}/characters/{made}", status_code=HTTP_303_SEE_OTHER)


@post(ROUTE + "/table/join", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def add_by_invite(request: WebRequest, system: PathText, folder: PathText, name: PathText, form: FormFields) -> Template | Redirect:
    """Add the character to a table by its invite link; members go straight to the table."""
    editor = VisitorSheetEditor(request, system, folder, name)
    typed = field(form, "link").strip()[:1_000]
    try:
        match = _LINK.fullmatch(urlsplit(typed).path.rstrip("/"))
        if match is None:
            raise UserError("paste the invite link of your table: it contains /tables/ and /join/")
        tables = tables_of(request)
        tables.invitation(match["table"], match["token"])
        with tables.looking(match["table"]) as table:
            if table.system.id != editor.system.id:
                raise UserError(f"that table plays {table.system.name}, but this character is for {editor.system.name}")
        seat = tables.seat(match["table"], device_of(request))
        if seat is not None:
            return Redirect(add_and_redirect(request, seat, system, f"{folder}/{name}"), status_code=HTTP_303_SEE_OTHER)
    except (UserError, ValueError) as error:
        return _page(editor, str(error) if isinstance(error, UserError) else "this is not a link", typed)
    along = urlencode({BRING: f"{folder}/{name}"})
    return Redirect(f"/tables/{match['table']}/join/{match['token']}?{along}", status_code=HTTP_303_SEE_OTHER)
