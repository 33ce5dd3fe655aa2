"""Experience awarded and spent on a sheet; an entry's effects are shown before it is saved."""

from collections.abc import Mapping
from typing import Any

from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_400_BAD_REQUEST
from msgspec import Struct, structs, to_builtins

from rulewright.build.experience import TAG, Log, advanced, differences, log_of, newly_wrong
from rulewright.errors import UserError
from rulewright.show import prose
from rulewright.web.builder.experience_steps import build_experience
from rulewright.web.pages.games import MAX_TEXT, Missing
from rulewright.web.pages.public import FORM, InjectedEditor, SheetEditor, render
from rulewright.web.params import FormFields
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.blocks import budgets
from rulewright.web.sheets.list_entries import EntryField, entry_fields
from rulewright.web.sheets.odds_bars import format_number

PREFIX = "f."
"""The prefix of an entry's form fields."""


def single_line_fields(entry: type[Struct]) -> list[EntryField]:
    """The fields of an entry that fit on a single form line."""
    return [blank for blank in entry_fields(entry) if blank.sort not in ("several", "numbers")]


class EntryPreview(Struct, frozen=True):
    """An entry that is not saved yet: its fields as typed, what it would change, and which rules it would break."""

    tag: str
    given: Mapping[str, str]
    changed: tuple[tuple[str, str, str], ...] = ()
    wrong: tuple[str, ...] = ()
    refused: str = ""


def _experience_log(editor: SheetEditor) -> Log:
    log = log_of(type(editor.thing))
    if log is None:
        raise Missing(f"{editor.sheet().name} gains no experience")
    return log


_SUBJECTS = ("what", "name", "skill", "field", "attribute", "organization")
_POINTS = {"xp": "XP", "eep": "EEP", "points": "point", "dice": "Emergency Die", "hours": "hour"}
_MANY = {"point": "points", "Emergency Die": "Emergency Dice", "hour": "hours"}
_STORIES = ("session", "story", "on", "adventure")


def _describe_entry(entry: Any) -> str:
    """A log entry in plain words: what changed, for how much, and why. Fields with their default are left out."""
    usual = {field.name: field.default for field in structs.fields(entry)}
    values = {name: value for name, value in to_builtins(entry).items() if name != TAG and value not in ("", None, 0, False, [], {})}
    values = {name: value for name, value in values.items() if value != usual.get(name)}
    subject = " ".join(str(values.pop(name)) for name in _SUBJECTS if name in values)
    bought = str(values.pop("buy", ""))
    change = f"{subject} ({bought})" if subject and bought else subject or bought
    if "to" in values:
        change = f"{change} to {values.pop('to')}"
    points = [_count_points(name, values.pop(name)) for name in _POINTS if name in values]
    stories = [str(values.pop(name)) for name in _STORIES if name in values]
    rest = [prose.describe({name: value}) for name, value in values.items()]
    told = ", ".join(part for part in (change[:1].upper() + change[1:], *points, *rest) if part)
    return ": ".join(part for part in (told, "; ".join(stories)) if part)


def _count_points(name: str, value: int) -> str:
    unit = _POINTS[name]
    return f"{value} {unit if value == 1 else _MANY.get(unit, unit)}"


def _format_value(value: Any) -> str:
    return "none" if value is None else format_number(value)


def _page(editor: SheetEditor, tried: EntryPreview | None = None) -> Template:
    log = _experience_log(editor)
    sheet = editor.sheet()
    entries = [(to_builtins(entry)[TAG], _describe_entry(entry)) for entry in getattr(editor.thing, log.field)]
    return render(
        editor.request,
        "advance.html",
        HTTP_400_BAD_REQUEST if tried is not None and tried.refused else HTTP_200_OK,
        editor.cookies,
        **editor.context,
        system=editor.system,
        desk=editor,
        url=editor.url,
        sheet=sheet,
        budgets=budgets(sheet),
        entries=entries,
        state=build_experience(editor.system, editor.rules, editor.thing, sheet) if editor.may_change and editor.system.raised_by else None,
        forms=[(tag, single_line_fields(kind)) for tag, kind in log.entries.items()] if editor.may_change else [],
        tried=tried,
    )


def _parse_place(text: str, entries: int) -> int:
    """The place of a log entry."""
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < entries):
        raise UserError(f"the log of experience has no entry {text[:20]!r}")
    return int(text)


def _without_entry(thing: Any, field: str, place: int) -> Any:
    """The character without one log entry."""
    entries = getattr(thing, field)
    return structs.replace(thing, **{field: (*entries[:place], *entries[place + 1 :])})


@get("/advance", sync_to_thread=True, include_in_schema=False)
def advance_page(editor: InjectedEditor) -> Template:
    """Show the experience gained and spent."""
    return _page(editor)


@post("/advance/write", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def advance(editor: InjectedEditor, form: FormFields) -> Template | Redirect:
    """Show what an entry would change. Save it if requested, and if it is legal or explicitly confirmed."""
    log, tag = _experience_log(editor), str(form.get("entry", ""))[:MAX_TEXT]
    if not editor.may_change:
        raise UserError(f"you cannot change {editor.sheet().name}: the character is not yours")
    if form.get("do") == "take back":
        place = _parse_place(str(form.get("place", "")), len(getattr(editor.thing, log.field)))
        editor.keep(lambda thing: _without_entry(thing, log.field, place), log.field)
        return Redirect(f"{editor.url}/advance", status_code=HTTP_303_SEE_OTHER, cookies=editor.cookies)
    texts = {key.removeprefix(PREFIX): str(text).strip()[:MAX_TEXT] for key, text in form.multi_items() if key.startswith(PREFIX)}
    order = {name: at for at, name in enumerate(log.fields(tag) if tag in log.entries else ())}
    given = {name: texts[name] for name in sorted(texts, key=lambda name: order.get(name, len(order))) if texts[name]}
    try:
        with time_limit():
            after = advanced(editor.thing, tag, given)
            changed = differences(editor.sheet(), editor.system.sheet(editor.rules, after))
            wrong = newly_wrong(editor.audit(), editor.system.audit(editor.rules, after))
    except UserError as refused:
        return _page(editor, EntryPreview(tag, given, refused=str(refused)))
    except Exception as error:
        return _page(editor, EntryPreview(tag, given, refused=f"the rules do not allow this entry ({type(error).__name__})"))
    if form.get("do") == "write" and (not wrong or form.get("anyway")):
        editor.advancing = True
        editor.keep(lambda thing: advanced(thing, tag, given), log.field)
        return Redirect(f"{editor.url}/advance", status_code=HTTP_303_SEE_OTHER, cookies=editor.cookies)
    shown = tuple([(name, _format_value(old), _format_value(new)) for name, old, new in changed])
    return _page(editor, EntryPreview(tag, given, shown, tuple(wrong)))
