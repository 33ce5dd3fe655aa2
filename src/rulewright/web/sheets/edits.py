"""Edits of a visitor's copy: only fields that its sheet shows, and only values that the sheet allows."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from rulewright.build.audit import Problem, change, repair
from rulewright.build.sheet_parts import AnyPiece, Pick, PickMany, Rows, Sheet, Stepper
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.system import System
from rulewright.web.pages.games import shorten
from rulewright.web.sheets.extra_fields import write_extra_field, write_nested
from rulewright.web.sheets.list_entries import EntryField, build_entry_form, entry_of, is_single, parse_entry, rows_of, value_at
from rulewright.web.sheets.nested_forms import parse_path

MAX_ROWS = 100
TEXT_FIELDS = {"name": 60, "concept": 200, "notes": 4_000}
"""The free-text fields of a character, and their maximum lengths."""
NESTED_ACTIONS = {"set in": "set", "add in": "add", "give in": "give", "take in": "take"}
"""Actions on nested structures."""


def apply_edit(
    thing: Any, sheet: Sheet, field: str, do: str, value: str, values: list[str], texts: Mapping[str, str] = MappingProxyType({})
) -> Any:
    """Change one field: its text, a step up or down, one or several picks, a list entry added, written or removed, or an advanced field.

    `texts` holds the fields of a list entry.
    """
    if do == "words":
        if field not in text_fields(thing):
            raise UserError(f"this sheet has no text field {shorten(field)!r}")
        return change(thing, field, _parse_text(field, value))
    if do == "more":
        return write_extra_field(thing, sheet, field, value)
    if do in NESTED_ACTIONS:
        return write_nested(thing, field, NESTED_ACTIONS[do], texts)
    piece = _find_piece(sheet, field)
    match piece, do:
        case Stepper(), "step":
            return change(thing, field, _step(piece, value))
        case Pick(), "pick":
            _require_offered(piece.name, value, {option.key for option in piece.options})
            return change(thing, field, value)
        case PickMany(), "pick":
            known = {option.key for option in piece.options} | set(piece.values)
            for text in values:
                _require_offered(piece.name, text, known)
            return change(thing, field, list(dict.fromkeys(values)))
        case Rows(), "add":
            _require_offered(piece.name, value, {option.key for option in piece.addable})
            return _add_offered(thing, piece, value)
        case Rows(), "write":
            return _set_rows(thing, field, [*_rows_with_room(thing, piece), parse_entry(_entry_fields(thing, piece), texts, {})])
        case Rows(), "rewrite":
            rows = rows_of(thing, field)
            place = _parse_row_number(piece, value, len(rows), "changed")
            rows[place] = parse_entry(_entry_fields(thing, piece), texts, rows[place])
            return _set_rows(thing, field, rows)
        case Rows(), "remove":
            entries = value_at(thing, field)
            entries = entries if isinstance(entries, dict) and not is_single(type(thing), field) else rows_of(thing, field)
            place = _parse_row_number(piece, value, len(entries), "removed")
            if isinstance(entries, dict):
                return change(thing, field, {key: value for at, (key, value) in enumerate(entries.items()) if at != place})
            return _set_rows(thing, field, [row for at, row in enumerate(entries) if at != place])
    raise UserError(f"{piece.name}: {shorten(do)!r} is not possible here")


def _add_offered(thing: Any, piece: Rows, key: str) -> Any:
    """Add an offered entry: a bare name, an entry of that name, or one more of something counted."""
    entries, entry = value_at(thing, piece.field), entry_of(type(thing), piece.field)
    if isinstance(entries, dict) and not is_single(type(thing), piece.field):
        return change(thing, piece.field, {**entries, key: entries.get(key, 0) + 1})
    rows = _rows_with_room(thing, piece)
    offered = next((option.entry for option in piece.addable if option.key == key), None)
    if offered is not None:
        return _set_rows(thing, piece.field, [*rows, offered])
    return _set_rows(thing, piece.field, [*rows, key if entry is None else {msgspec.structs.fields(entry)[0].encode_name: key}])


def _set_rows(thing: Any, field: str, rows: list[Any]) -> Any:
    """Set the entries of a field; of a field for a single entry, that one or none."""
    if not is_single(type(thing), field):
        return change(thing, field, rows)
    return change(thing, field, rows[0] if rows else None)


def _rows_with_room(thing: Any, piece: Rows) -> list[Any]:
    """The entries of a list with room for one more."""
    rows, most = rows_of(thing, piece.field), 1 if is_single(type(thing), piece.field) else MAX_ROWS
    if len(rows) >= most:
        raise UserError(f"{piece.name} has {count(most, 'entry')} already, which is the limit")
    return rows


def _parse_row_number(piece: Rows, text: str, many: int, done: str) -> int:
    if not piece.keys or not text.isascii() or not text.isdecimal() or len(text) > 4 or int(text) >= many:
        raise UserError(f"{piece.name} has no entry {shorten(text)!r} that can be {done}")
    return int(text)


def _entry_fields(thing: Any, piece: Rows) -> tuple[EntryField, ...]:
    form = build_entry_form(thing, piece)
    if form is None:
        raise UserError(f"the entries of {piece.name} cannot be written here")
    return form.blanks


def describe_change(sheet: Sheet, field: str, do: str, value: str) -> str:
    """Describe a change in a few words: the name of the field, and what was chosen or added."""
    for section in sheet.sections:
        for piece in section.pieces:
            if isinstance(piece, Stepper | Pick | PickMany | Rows) and piece.field == field:
                verb = {"add": f"+ {value}", "remove": "one removed", "pick": value}.get(do, "")
                return shorten(f"{piece.name} {verb}".strip())
    return shorten(" ".join(str(text).replace("_", " ") for text in parse_path(field)) if do in NESTED_ACTIONS else field)


def text_fields(thing: Any) -> dict[str, str]:
    """The free-text fields of a character with their texts."""
    return {field: getattr(thing, field) for field in TEXT_FIELDS if isinstance(getattr(thing, field, None), str)}


def _parse_text(field: str, text: str) -> str:
    lines = text.splitlines() if field == "notes" else [text]
    words = "\n".join(" ".join(line.split()) for line in lines).strip()
    least = 1 if field == "name" else 0
    if not least <= len(words) <= TEXT_FIELDS[field] or not words.replace("\n", "").isprintable():
        raise UserError(f"{field}: write {'up' if least == 0 else f'from {least}'} to {TEXT_FIELDS[field]:,} printable characters")
    return words


def _find_piece(sheet: Sheet, field: str) -> Stepper | Pick | PickMany | Rows:
    pieces: list[AnyPiece] = [piece for section in sheet.sections for piece in section.pieces]
    for piece in pieces:
        if isinstance(piece, Stepper | Pick | PickMany | Rows) and piece.field == field:
            return piece
    raise UserError(f"this sheet has no field {shorten(field)!r} to change")


def _step(piece: Stepper, by: str) -> int:
    if by not in ("1", "-1"):
        raise UserError(f"{piece.name} changes in steps of {piece.step}")
    after = piece.value + int(by) * piece.step
    if (after > piece.high and by == "1") or (after < piece.low and by == "-1"):
        raise UserError(f"{piece.name} ranges from {piece.low} to {piece.high}")
    return after


def _require_offered(name: str, key: str, known: set[str]) -> None:
    if key not in known:
        raise UserError(f"{name} has no option {shorten(key)!r}")


def apply_repair(system: System, rules: Ruleset, thing: Any, rule: str, text: str) -> Any:
    """Apply the repair that an audit offers for this rule with this text."""
    for problem in system.audit(rules, thing).problems:
        if problem.rule == rule and can_repair(problem) and problem.repair is not None and problem.repair.text == text:
            return repair(thing, problem)
    raise UserError("this problem is no longer there; it may be repaired already")


def can_repair(problem: Problem) -> bool:
    """Whether a single change repairs the problem."""
    return problem.repair is not None and bool(problem.repair.field)
