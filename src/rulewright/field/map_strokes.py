"""Drawing on a map: a stroke adds, changes or removes one thing, or changes the map itself; and changes in words.

A stroke is plain data, so that a log can contain it. Its result is validated like a file.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import Cover, Ground, Light, Region, Wall
from rulewright.field.placement import FieldShown

On = Literal["sheet", "regions", "walls", "covers", "lights"]
KINDS: dict[str, type[Region | Wall | Cover | Light]] = {"regions": Region, "walls": Wall, "covers": Cover, "lights": Light}
SHEET = ("grid", "cell", "size", "terrain", "picture")
"""The properties of the map itself, besides the things on it."""


class GroundWords(Struct, frozen=True):
    """The words of a game that a map may use: terrains, covers, lights."""

    terrains: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    lights: tuple[str, ...] = ()


class GroundEffect(Struct, frozen=True):
    """What a word for the ground does in a game: a sentence, and the rule that says so."""

    text: str
    rule: str


class Stroke(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One stroke: the layer, the index of the thing to change (None: a new one), and the thing (None: removed)."""

    on: On
    at: int | None = None
    thing: dict[str, Any] | None = None


def drawn(ground: Ground, stroke: Stroke, words: GroundWords | None = None) -> Ground:
    """The map after a stroke; raises an error if the result is invalid. `words` are those that the game knows."""
    try:
        after = _with_properties(ground, stroke) if stroke.on == "sheet" else _with_thing(ground, stroke)
    except (msgspec.ValidationError, ValueError) as error:
        raise UserError(f"this cannot be drawn: {error}") from None
    return after.understood(words.terrains, words.covers, words.lights) if words is not None else after


def _with_properties(ground: Ground, stroke: Stroke) -> Ground:
    given = stroke.thing or {}
    unknown = [name for name in given if name not in SHEET]
    if unknown or stroke.at is not None:
        raise UserError(f"unknown property {', '.join(unknown) or 'at'} of a map; it has {', '.join(SHEET)}")
    plain = {**msgspec.to_builtins(ground), **given}
    return msgspec.convert({name: value for name, value in plain.items() if value is not None}, Ground)


def _with_thing(ground: Ground, stroke: Stroke) -> Ground:
    items: tuple[Any, ...] = getattr(ground, stroke.on)
    at = len(items) if stroke.at is None else stroke.at
    if not 0 <= at < len(items) + (stroke.at is None) or (stroke.at is None and stroke.thing is None):
        raise UserError(f"there is nothing at index {at} of the {len(items)} {stroke.on}; the map may have changed meanwhile")
    new = () if stroke.thing is None else (msgspec.convert(stroke.thing, KINDS[stroke.on]),)
    return replace(ground, **{stroke.on: (*items[:at], *new, *items[at + 1 :])})


def named(thing: Any) -> str:
    """A thing on the map in a few words."""
    if isinstance(thing, Wall):
        kind = "door" if thing.door else {"all": "wall", "sight": "curtain", "move": "low wall"}[thing.stops]
        return f"{thing.name} ({kind})" if thing.name and thing.name != kind else f"a {kind}"
    if isinstance(thing, Cover):
        return f"{thing.name} ({thing.cover})"
    if isinstance(thing, Light):
        return f"a light of {thing.radius:g} ({thing.light})"
    if isinstance(thing, Region):
        plain = thing.terrain or (f"height {thing.level}" if thing.level is not None else thing.look or "an area")
        kind = "a hidden area" if thing.veiled else "label" if thing.mark else plain
        return f"{thing.name} ({kind.removeprefix('a ')})" if thing.name else kind
    return "something"


def seen_changes(before: FieldShown, after: FieldShown) -> tuple[str, ...]:
    """The differences between two views of the map that one viewer can see, in words."""
    sentences = []
    for layer in KINDS:
        old, new = getattr(before.ground, layer), getattr(after.ground, layer)
        sentences += [f"{named(thing)} is on the map" for thing in new if thing not in old]
        sentences += [f"{named(thing)} is gone from the map" for thing in old if thing not in new]
    if any(getattr(before.ground, name) != getattr(after.ground, name) for name in SHEET):
        sentences.append("the map is replaced")
    was_shut = {wall.name: field(before.ground, before.changes).standing(wall) for wall in before.ground.walls if wall.door}
    for wall in after.ground.walls:
        is_shut = field(after.ground, after.changes).standing(wall)
        if wall.door and wall.name in was_shut and was_shut[wall.name] != is_shut:
            sentences.append(f"{wall.name} is {'shut' if is_shut else 'opened'}")
    shown = [name for name in after.changes.shown if name not in before.changes.shown] if after.whole else []
    hidden = [name for name in before.changes.shown if name not in after.changes.shown] if after.whole else []
    return (*sentences, *[f"{name} is shown" for name in shown], *[f"{name} is hidden again" for name in hidden])
