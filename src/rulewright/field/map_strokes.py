"""Drawing on ground: one stroke adds, changes or takes away one thing, or lays the sheet itself; and the same in words.

A stroke is plain data, so that a log can hold it. Whatever it makes is refused as it would be in a file.
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
"""What the sheet itself has: everything but what lies on it."""


class GroundWords(Struct, frozen=True):
    """The words of a game that a ground may have: its terrains, its covers, its lights."""

    terrains: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    lights: tuple[str, ...] = ()


class Stroke(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One stroke: on what, the place in its list of what is changed (none: something new), and what is there then (nothing: it goes)."""

    on: On
    at: int | None = None
    thing: dict[str, Any] | None = None


def drawn(ground: Ground, stroke: Stroke, words: GroundWords | None = None) -> Ground:
    """The ground after a stroke; refused with what is wrong where it cannot be. `words` are those that the game knows."""
    try:
        made = _laid(ground, stroke) if stroke.on == "sheet" else _changed(ground, stroke)
    except (msgspec.ValidationError, ValueError) as error:
        raise UserError(f"this cannot be drawn: {error}") from None
    return made.understood(words.terrains, words.covers, words.lights) if words is not None else made


def _laid(ground: Ground, stroke: Stroke) -> Ground:
    given = stroke.thing or {}
    unknown = [name for name in given if name not in SHEET]
    if unknown or stroke.at is not None:
        raise UserError(f"a sheet has {', '.join(SHEET)}, and no {', '.join(unknown) or 'place in a list'}")
    plain = {**msgspec.to_builtins(ground), **given}
    return msgspec.convert({name: value for name, value in plain.items() if value is not None}, Ground)


def _changed(ground: Ground, stroke: Stroke) -> Ground:
    there: tuple[Any, ...] = getattr(ground, stroke.on)
    at = len(there) if stroke.at is None else stroke.at
    if not 0 <= at < len(there) + (stroke.at is None) or (stroke.at is None and stroke.thing is None):
        raise UserError(f"there is nothing at place {at} of the {stroke.on}, which are {len(there)}: look again")
    made = () if stroke.thing is None else (msgspec.convert(stroke.thing, KINDS[stroke.on]),)
    return replace(ground, **{stroke.on: (*there[:at], *made, *there[at + 1 :])})


def named(thing: Any) -> str:
    """A thing of the ground in a few words."""
    if isinstance(thing, Wall):
        kind = "door" if thing.door else {"all": "wall", "sight": "curtain", "move": "low wall"}[thing.stops]
        return f"{thing.name} ({kind})" if thing.name and thing.name != kind else f"a {kind}"
    if isinstance(thing, Cover):
        return f"{thing.name} ({thing.cover})"
    if isinstance(thing, Light):
        return f"a light of {thing.radius:g} ({thing.light})"
    if isinstance(thing, Region):
        kind = "a hidden area" if thing.veiled else thing.terrain or (f"height {thing.level}" if thing.level is not None else "an area")
        return f"{thing.name} ({kind.removeprefix('a ')})" if thing.name else kind
    return "something"


def seen_changes(before: FieldShown, after: FieldShown) -> tuple[str, ...]:
    """In what the ground differs that one looker knew and knows, thing by thing, in words."""
    names = []
    for field_name in KINDS:
        old, new = getattr(before.ground, field_name), getattr(after.ground, field_name)
        names += [f"{named(candidate)} is on the map" for candidate in new if candidate not in old]
        names += [f"{named(candidate)} is gone from the map" for candidate in old if candidate not in new]
    if any(getattr(before.ground, name) != getattr(after.ground, name) for name in SHEET):
        names.append("the map is laid anew")
    stood = {wall.name: field(before.ground, before.changes).standing(wall) for wall in before.ground.walls if wall.door}
    for wall in after.ground.walls:
        stands = field(after.ground, after.changes).standing(wall)
        if wall.door and wall.name in stood and stood[wall.name] != stands:
            names.append(f"{wall.name} is {'shut' if stands else 'opened'}")
    shown = [name for name in after.changes.shown if name not in before.changes.shown] if after.whole else []
    hidden = [name for name in before.changes.shown if name not in after.changes.shown] if after.whole else []
    return (*names, *[f"{name} is shown" for name in shown], *[f"{name} is hidden again" for name in hidden])
