"""Overruling by touch: what of somebody's card the gamemaster can change, in the game's own words.

No game says here which of its fields stands behind a box on a card. Each field of a combatant is tried with the values next to its own,
and what can be seen to change on the card is what the change is called.
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
    """A change to one field of a combatant: what is seen of it on the card."""

    words: str
    field: str
    value: Any
    piece: str = ""
    """The piece of the card that changes."""
    shows: str = ""
    """What the piece shows afterwards."""


def touches(stage: Stage, who: str, numbers: tuple[int, ...] = ()) -> tuple[Touch, ...]:
    """Everything about a combatant that one change of the gamemaster's makes look different on the card, each way of it once.

    Of numbers those near the present one are tried, and `numbers`.
    """
    if not stage.encounter.between_steps:
        raise UserError("a step is under way: overrule when it is done, or undo it")
    scene, state = stage.encounter.scene, stage.encounter.state
    data = _whole(state)
    before = scene.view(state, None)
    card = next((card for card in before.cards if card.name == who), None)
    if card is None:
        raise UserError(f"there is no {who[:40]!r} in this scene")
    boxes = [f"no more {piece.name}" for piece in card.pieces if isinstance(piece, Track | Ladder)]
    touch_by_name: dict[str, Touch] = {}
    for count, (field, value) in enumerate(_candidates(data, scene.state_type, who, numbers)):
        if count >= MOST_TRIED:
            break
        after = _tried(scene, data, field, value)
        if after is None:
            continue
        changes = seen_to_change(before, scene.view(after, None))
        if not changes or any(name != who for name, _ in changes):
            continue
        words = "; ".join(change for _, change in changes)
        if words in touch_by_name or any(_no_touch(change) or change in boxes for _, change in changes):
            continue
        piece, shows = _piece(before.cards, scene.view(after, None).cards, who)
        touch_by_name[words] = Touch(words, field, value, piece, shows)
    return tuple(touch_by_name.values())


def _no_touch(words: str) -> bool:
    """Whether a change is one of how much there can be at all, or gives more than that, or names nobody whom it is about (aiming at):
    nothing that a touch means."""
    if words.endswith(" at"):
        return True
    told = re.search(r"(\d+) of (\d+)(?: marked[^,]*)?(?:, was \d+ of (\d+))?", words)
    return told is not None and (int(told[1]) > int(told[2]) or (told[3] is not None and told[2] != told[3]))


def wanted(stage: Stage, who: str, piece: str, shows: str) -> Touch:
    """The change after which a piece of somebody's card shows this; `marked 3` stands for any three marks, `off` for a tag that goes."""
    numbers = tuple(int(number) for number in re.findall(r"\d{1,4}", shows))
    offers = [candidate for candidate in touches(stage, who, numbers) if candidate.piece == piece and _fits(candidate.shows, shows)]
    if not offers:
        raise UserError(f"{piece} of {who} cannot be changed to that by a touch")
    return min(offers, key=lambda touch: len(touch.words))


def _fits(shown: str, asked: str) -> bool:
    """Whether what a piece shows is what was asked for: the same words, or a number of marks."""
    return shown == asked or (asked.startswith("marked ") and shown.startswith(f"{asked.removeprefix('marked ')} of "))


def _tried(scene: Scene[Any], data: Any, field: str, value: Any) -> Any:
    """The state with one field changed; None where the game refuses it."""
    try:
        return scene.checked(msgspec.convert(set_at(data, field, value), scene.state_type, strict=False))
    except (UserError, msgspec.ValidationError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _piece(before: tuple[Card, ...], after: tuple[Card, ...], who: str) -> tuple[str, str]:
    """Which piece of the card changes, and what it shows then; `off` where it goes."""
    old, new = (next(card.fares() for card in cards if card.name == who) for cards in (before, after))
    for name, shows in new.items():
        if old.get(name) != shows:
            return name, shows
    return next(((name, "off") for name in old if name not in new), ("", ""))


# --- the fields -----------------------------------------------------------------------------------------------------------------


def _candidates(data: Any, state_type: Any, who: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    """Every field of a combatant with values that it could have instead, those next to its own first."""
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


def _whole(value: Any) -> Any:
    """A state as plain data in which no field is left out for being as usual."""
    if isinstance(value, Struct):
        shape = value.__struct_config__
        tag = {shape.tag_field: shape.tag} if shape.tag_field else {}
        fields = {name: _whole(getattr(value, name)) for name in value.__struct_fields__}
        return [*tag.values(), *fields.values()] if shape.array_like else {**tag, **fields}
    if isinstance(value, dict):
        return {name: _whole(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(part) for part in value]
    return msgspec.to_builtins(value)


def _named(data: Any, who: str, path: str = "") -> Iterator[tuple[str, Any]]:
    """Where in a state somebody of this name stands: the entry of a list that has the name, itself or on the sheet within."""
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
    """The words that a field may hold, where its type lists them."""
    for part in path.split("."):
        kind = _part(kind, part)
        if kind is None:
            return ()
    return tuple(word for word in _literals(kind) if isinstance(word, str))


def _part(kind: Any, name: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = typing.get_type_hints(kind)
        if name.isdecimal() and int(name) < len(kind.__struct_fields__):  # a structure that is kept as a list
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
