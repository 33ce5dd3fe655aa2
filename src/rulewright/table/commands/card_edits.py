"""Editing a combatant by clicking on their card, in the game's own words.

Games do not say which state field is behind a box on a card. This module tries the neighbouring values of each field of a combatant and
describes each by the difference that it makes on the card.
"""

import re
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.build.sheet_parts import Card, Ladder, Track, seen_to_change
from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.scenes.scene import Scene
from rulewright.table.scenes.live_scene import Stage

MOST_TRIED = 1_500


class Touch(Struct, frozen=True):
    """One possible edit: a new value for a field, and how it shows on the card."""

    words: str
    field: str
    value: Any
    piece: str = ""
    """The piece of the card that changes."""
    shows: str = ""
    """What the piece shows after the edit."""


def touches(stage: Stage, who: str, numbers: tuple[int, ...] = ()) -> tuple[Touch, ...]:
    """All single edits of a combatant that change something on their card.

    Of numeric fields, the values near the present one are tried, and `numbers`.
    """
    if not stage.encounter.between_steps:
        raise UserError("values can only be edited between steps; finish or undo the current step first")
    scene, state = stage.encounter.scene, stage.encounter.state
    data = _with_defaults(state)
    before = scene.view(state, None)
    card = next((card for card in before.cards if card.name == who), None)
    if card is None:
        raise UserError(f"there is no {who[:40]!r} in this scene")
    boxes = [f"no more {piece.name}" for piece in card.pieces if isinstance(piece, Track | Ladder)]
    edit_by_words: dict[str, Touch] = {}
    for tried, (field, value) in enumerate(_candidates(data, scene.state_type, who, numbers)):
        if tried >= MOST_TRIED:
            break
        after = _with_value(scene, data, field, value)
        if after is None:
            continue
        changes = seen_to_change(before, scene.view(after, None))
        if not changes or any(name != who for name, _ in changes):
            continue
        words = "; ".join(change for _, change in changes)
        if words in edit_by_words or any(_is_no_edit(change) or change in boxes for _, change in changes):
            continue
        piece, shows = _piece(before.cards, scene.view(after, None).cards, who)
        edit_by_words[words] = Touch(words, field, value, piece, shows)
    return tuple(edit_by_words.values())


def _is_no_edit(words: str) -> bool:
    """Whether no click can mean this change: it changes a maximum, exceeds it, or describes an incomplete condition (aiming at nobody)."""
    if words.endswith(" at"):
        return True
    amounts = re.search(r"(\d+) of (\d+)(?: marked[^,]*)?(?:, was \d+ of (\d+))?", words)
    return amounts is not None and (int(amounts[1]) > int(amounts[2]) or (amounts[3] is not None and amounts[2] != amounts[3]))


def wanted(stage: Stage, who: str, piece: str, shows: str) -> Touch:
    """The edit after which a piece of a card shows this: `marked 3` means any three marks, `off` removes a tag."""
    numbers = tuple(int(number) for number in re.findall(r"\d{1,4}", shows))
    offers = [candidate for candidate in touches(stage, who, numbers) if candidate.piece == piece and _fits(candidate.shows, shows)]
    if not offers:
        raise UserError(f"{piece} of {who} cannot be set to {shows!r} on the card")
    return min(offers, key=lambda touch: len(touch.words))


def _fits(shown: str, requested: str) -> bool:
    """Whether a piece shows what was requested: the same text, or the same number of marks."""
    return shown == requested or (requested.startswith("marked ") and shown.startswith(f"{requested.removeprefix('marked ')} of "))


def _with_value(scene: Scene[Any], data: Any, field: str, value: Any) -> Any:
    """The state with one field changed; None if the game refuses it."""
    try:
        return scene.checked(msgspec.convert(set_at(data, field, value), scene.state_type, strict=False))
    except (UserError, msgspec.ValidationError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _piece(before: tuple[Card, ...], after: tuple[Card, ...], who: str) -> tuple[str, str]:
    """Returns the piece of the card that changes, and what it shows afterwards; `off` if it disappears."""
    old, new = (next(card.fares() for card in cards if card.name == who) for cards in (before, after))
    for name, shows in new.items():
        if old.get(name) != shows:
            return name, shows
    return next(((name, "off") for name in old if name not in new), ("", ""))


# --- the fields -----------------------------------------------------------------------------------------------------------------


def _candidates(data: Any, state_type: Any, who: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    """Every field of a combatant with alternative values, nearest first."""
    own = next(_named(data, who), None)
    if own is None:
        return
    path, fighter = own
    for leaf, value in _leaves(fighter, path):
        if isinstance(value, bool):
            yield leaf, not value
        elif isinstance(value, int):
            near = [value + by for by in (1, -1, 2, -2, 3, -3) if value + by >= 0 or value < 0]
            yield from ((leaf, number) for number in dict.fromkeys((*near, 0, *numbers)) if number != value)
        elif isinstance(value, str):
            yield from ((leaf, other) for other in _allowed(state_type, leaf) if other != value)
        elif value is None:
            yield from ((leaf, other) for other in (1, 0, True))


def _with_defaults(value: Any) -> Any:
    """A state as plain data, including the fields that have their default value."""
    if isinstance(value, Struct):
        shape = value.__struct_config__
        tag = {shape.tag_field: shape.tag} if shape.tag_field else {}
        fields = {name: _with_defaults(getattr(value, name)) for name in value.__struct_fields__}
        return [*tag.values(), *fields.values()] if shape.array_like else {**tag, **fields}
    if isinstance(value, dict):
        return {name: _with_defaults(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_defaults(part) for part in value]
    return msgspec.to_builtins(value)


def _named(data: Any, who: str, path: str = "") -> Iterator[tuple[str, Any]]:
    """The paths and entries in a state whose name, or whose sheet's name, is `who`."""
    if isinstance(data, dict):
        for name, part in data.items():
            yield from _named(part, who, f"{path}.{name}" if path else str(name))
    elif isinstance(data, list):
        for at, entry in enumerate(data):
            if isinstance(entry, dict) and who in (
                entry.get("name"),
                *(part.get("name") for part in entry.values() if isinstance(part, dict)),
            ):
                yield f"{path}.{at}", entry
            else:
                yield from _named(entry, who, f"{path}.{at}")


def _leaves(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(data, dict):
        for name, part in data.items():
            if name not in ("name", "side", "profile") and "." not in str(name):
                yield from _leaves(part, f"{path}.{name}")
    elif isinstance(data, list | tuple):
        for at, part in enumerate(data):
            yield from _leaves(part, f"{path}.{at}")
    else:
        yield path, data


def _allowed(kind: Any, path: str) -> tuple[str, ...]:
    """The strings that a field accepts, if its type is a Literal."""
    for part in path.split("."):
        kind = _part(kind, part)
        if kind is None:
            return ()
    return tuple(word for word in _literals(kind) if isinstance(word, str))


def _part(kind: Any, name: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = typing.get_type_hints(kind)
        if name.isdecimal() and int(name) < len(kind.__struct_fields__):  # a structure stored as a list
            name = kind.__struct_fields__[int(name)]
        return hints.get(name)
    inner = [candidate for candidate in typing.get_args(kind) if candidate not in (type(None), Ellipsis)]
    if name.isdecimal():
        return inner[0] if inner else None
    return next((part for candidate in inner if (part := _part(candidate, name)) is not None), None)


def _literals(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) is typing.Literal:
        return typing.get_args(kind)
    return tuple(word for candidate in typing.get_args(kind) for word in _literals(candidate))
