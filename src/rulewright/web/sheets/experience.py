"""Experience awarded and spent on a sheet; an entry's effects are shown before it is saved."""

from collections.abc import Mapping
from typing import Any

from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_400_BAD_REQUEST
from msgspec import Struct, to_builtins

from rulewright.build.experience import TAG, Log, advanced, differences, log_of, newly_wrong
from rulewright.errors import UserError
from rulewright.web.pages.games import MOST_TEXT, Missing
from rulewright.web.pages.public import FORM, Desk, OnDesk, draw
from rulewright.web.params import Sent
from rulewright.web.server.security import within
from rulewright.web.sheets.blocks import budgets
from rulewright.web.sheets.list_entries import Blank, blanks_of
from rulewright.web.sheets.odds_bars import number

PREFIX = "f."
"""The prefix of an entry's form fields."""


def blanks(entry: type[Struct]) -> list[Blank]:
    """The fields of an entry that fit on a single form line."""
    return [blank for blank in blanks_of(entry) if blank.sort not in ("several", "numbers")]


class Tried(Struct, frozen=True):
    """An entry that is not saved yet: its fields as typed, what it would change, and which rules it would break."""

    tag: str
    given: Mapping[str, str]
    changed: tuple[tuple[str, str, str], ...] = ()
    wrong: tuple[str, ...] = ()
    refused: str = ""


def _log(desk: Desk) -> Log:
    log = log_of(type(desk.thing))
    if log is None:
        raise Missing(f"{desk.sheet().name} gains no experience")
    return log


def _told(entry: Any) -> str:
    """The fields of a log entry as text, without empty ones."""
    fields = to_builtins(entry).items()
    texts = [f"{name.replace('_', ' ')} {value}" for name, value in fields if name != TAG and value not in ("", None, 0, False, [], {})]
    return ", ".join(texts)


def _shown(value: Any) -> str:
    return "none" if value is None else number(value)


def _page(desk: Desk, tried: Tried | None = None) -> Template:
    log = _log(desk)
    sheet = desk.sheet()
    entries = [(to_builtins(entry)[TAG], _told(entry)) for entry in getattr(desk.thing, log.field)]
    return draw(
        desk.request,
        "advance.html",
        HTTP_400_BAD_REQUEST if tried is not None and tried.refused else HTTP_200_OK,
        desk.cookies,
        **desk.around,
        system=desk.system,
        desk=desk,
        url=desk.url,
        sheet=sheet,
        budgets=budgets(sheet),
        entries=entries,
        forms=[(tag, blanks(kind)) for tag, kind in log.entries.items()] if desk.may_change else [],
        tried=tried,
    )


@get("/advance", sync_to_thread=True, include_in_schema=False)
def advance_page(desk: OnDesk) -> Template:
    """Show the experience gained and spent."""
    return _page(desk)


@post("/advance/write", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def advance(desk: OnDesk, form: Sent) -> Template | Redirect:
    """Show what an entry would change. Save it if requested, and if it is legal or explicitly confirmed."""
    log, tag = _log(desk), str(form.get("entry", ""))[:MOST_TEXT]
    if not desk.may_change:
        raise UserError(f"you cannot change {desk.sheet().name}: the character is not yours")
    texts = {key.removeprefix(PREFIX): str(text).strip()[:MOST_TEXT] for key, text in form.multi_items() if key.startswith(PREFIX)}
    order = {name: at for at, name in enumerate(log.fields(tag) if tag in log.entries else ())}
    given = {name: texts[name] for name in sorted(texts, key=lambda name: order.get(name, len(order))) if texts[name]}
    try:
        with within():
            after = advanced(desk.thing, tag, given)
            changed = differences(desk.sheet(), desk.system.sheet(desk.rules, after))
            wrong = newly_wrong(desk.audit(), desk.system.audit(desk.rules, after))
    except UserError as refused:
        return _page(desk, Tried(tag, given, refused=str(refused)))
    except Exception as error:
        return _page(desk, Tried(tag, given, refused=f"the rules do not allow this entry ({type(error).__name__})"))
    if form.get("do") == "write" and (not wrong or form.get("anyway")):
        desk.advancing = True
        desk.keep(lambda thing: advanced(thing, tag, given), log.field)
        return Redirect(f"{desk.url}/advance", status_code=HTTP_303_SEE_OTHER, cookies=desk.cookies)
    shown = tuple([(name, _shown(old), _shown(new)) for name, old, new in changed])
    return _page(desk, Tried(tag, given, shown, tuple(wrong)))
