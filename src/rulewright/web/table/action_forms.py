"""Parses the fields of a form into an action at a table."""

import json
import re
from typing import Any, get_args

import msgspec
from litestar.datastructures import FormMultiDict
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.files import parse
from rulewright.scenes.record import FIGHT
from rulewright.show.replies import faces
from rulewright.table.commands import messages as a
from rulewright.table.commands.campaign_messages import KeepRequest
from rulewright.table.commands.messages import Placing
from rulewright.table.commands.scenes import PLAYS
from rulewright.table.log.entries import Readers
from rulewright.web.campaign.downtime_form import parse_clock, parse_location, parse_pass_time
from rulewright.web.campaign.plan_form import parse_effect, parse_generator, parse_plan
from rulewright.web.campaign.roll_request_form import parse_roll_request

MAX_FIELD = 100_000
"""Size limit of a form field; the longest is a character's file."""

_ACTIONS = {str(kind.__struct_config__.tag): kind for kind in a.Action.__subclasses__()}
_ROLL = re.compile(r"/(?P<how>roll|r|secret)\s+(?P<notation>[^=]+?)\s*(?:=\s*(?P<faces>[\d,/ ]+))?$", re.IGNORECASE)
_WHISPER = re.compile(r"/(?:w|whisper)\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL)
COMMANDS = "chat commands: /roll 2d6+1 (or /r) rolls, /secret 2d6 rolls for the gamemaster only, /w and a name whispers"


def field(form: FormMultiDict, name: str) -> str:
    """A field of a form; empty if there is none."""
    value = form.get(name, "")
    return value[:MAX_FIELD] if isinstance(value, str) else ""


class ChatContext(Struct, frozen=True):
    """What chat needs to know: an example test of the game, and the members that can be whispered to, by name."""

    example: str = ""
    people: dict[str, str] = {}


def parse_action(form: FormMultiDict, speaking: ChatContext | None = None) -> a.Action:
    """The action that a form requests."""
    do = field(form, "do")
    match do:
        case "answer":
            scene, at = _parse_whole_number(form, "scene"), _parse_whole_number(form, "at")
            always, alike = (field(form, name) == "true" for name in ("always", "alike"))
            return a.Answer(scene, _parse_answer(form), at, field(form, "question"), always, alike)
        case "say":
            return _parse_chat(form, speaking or ChatContext())
        case "overrule":
            change = (field(form, "field").strip(), _parse_value(field(form, "value")))
            return a.Overrule(_parse_whole_number(form, "scene"), (change,), field(form, "why"))
        case "begin scene" if not field(form, "ready"):
            return _parse_scene(form)
        case "pass time":
            return parse_pass_time(form)
        case "set location":
            return parse_location(form)
        case "plan activity":
            return parse_plan(form)
        case "begin effect":
            return parse_effect(form)
        case "generate note":
            return parse_generator(form)
        case "start clock":
            return parse_clock(form)
        case "ask for a roll":
            return parse_roll_request(form)
        case "keep request":
            return KeepRequest(field(form, "keep_as"), parse_roll_request(form))
        case "write note":
            return _parse_note(form)
    kind = _ACTIONS.get(do)
    if kind is None:
        raise UserError(f"unknown action {do[:40]!r}")
    fields = {name: field(form, name) for name in kind.__struct_fields__ if name in form}
    try:
        action: a.Action = msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{do}: {error}") from None
    return action


def _parse_whole_number(form: FormMultiDict, name: str) -> int:
    text = field(form, name).strip() or "0"
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise UserError(f"{name}: {text[:40]!r} is not a whole number")
    return int(text)


def _parse_answer(form: FormMultiDict) -> int | str | tuple[int, ...]:
    """The answer to a question: an option's key, a number, or the faces of real dice."""
    if "number" in form:
        return _parse_whole_number(form, "number")
    if field(form, "faces").strip():
        rolls = faces(field(form, "faces")[:2_000])
        if len(rolls) != 1:
            raise UserError("enter the faces of one roll, as in 2,6,4")
        return rolls[0]
    return field(form, "given")


def _parse_chat(form: FormMultiDict, speaking: ChatContext) -> a.Say | a.Test:
    """A chat message or a roll.

    `/roll 3d+1 vs 5` or `/r 2d6` rolls, `/roll 2d6 = 2,6` enters real dice, `/secret` rolls for the gamemaster only, `/w Ana` whispers. A
    roll goes to the same people as the message would.
    """
    text = field(form, "text").strip()
    to = tuple(value for value in form.getall("to", []) if isinstance(value, str) and value)
    whisper = _WHISPER.fullmatch(text)
    if whisper is not None:
        member, text = _split_whisper(whisper["rest"], speaking.people)
        to = (member,)
    roll = _ROLL.fullmatch(text)
    if roll is not None:
        secret = roll["how"].lower() == "secret"
        return a.Test(roll["notation"], faces=(roll["faces"] or "").strip(), secret=secret, to=() if secret else to)
    if text.startswith("/"):
        example = f"; a test of this game: /roll {speaking.example}" if speaking.example else ""
        raise UserError(f"{COMMANDS}{example}; enter the faces of your own dice after =")
    return a.Say(text, to)


def _parse_note(form: FormMultiDict) -> a.WriteNote:
    """A note; `to` names its readers if it is for some."""
    readers: Any = field(form, "readers") or "me"
    if readers not in get_args(Readers):
        raise UserError(f"readers: {readers[:40]!r} is unknown; choose me, gamemaster, everyone or some")
    to = tuple(value[:80] for value in form.getall("to", []) if isinstance(value, str) and value)
    return a.WriteNote(field(form, "title"), field(form, "text"), readers, field(form, "note"), to)


def _split_whisper(text: str, people: dict[str, str]) -> tuple[str, str]:
    """The member a whisper is for, by the longest name that it begins with, and its text."""
    for name in sorted(people, key=len, reverse=True):
        rest = text[len(name) :]
        if text[: len(name)].casefold() == name.casefold() and rest[:1].strip() in ("", ",", ":") and rest.strip(" ,:"):
            return people[name], rest.lstrip(" ,:")
    others = ", ".join(people) or "nobody else is here"
    raise UserError(f"write /w, the name of a member and your message; members: {others}")


def _parse_value(text: str) -> Any:
    """A value as people type it: a number, true, null or a list as in JSON, anything else as text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _parse_npc_control(form: FormMultiDict) -> Any:
    """Returns who controls unassigned characters."""
    control = field(form, "npcs")
    return control if control == "tactics" or control in PLAYS else "gamemaster"


def _parse_scene(form: FormMultiDict) -> a.BeginScene:
    """A scene from the form for browsers without scripts.

    `side.<character>` names a side, `count.<character>` a number, `x.<character>` and `y.<character>` a place in metres.
    """
    if field(form, "draft").strip():
        return parse_draft(form)
    if field(form, "yaml").strip():
        return a.BeginScene(yaml=field(form, "yaml"), npcs=_parse_npc_control(form))
    sides: dict[str, list[Placing]] = {}
    for name, value in form.items():  # in the order of the page, which is the order of sides and characters
        if name.startswith("side.") and isinstance(value, str) and value.strip():
            who = name.removeprefix("side.")
            count = _parse_whole_number(form, f"count.{who}") or 1
            placing = Placing(who[:200], count=max(1, min(count, 100)), at=_parse_place(form, who))
            sides.setdefault(value.strip()[:60], []).append(placing)
    if len(sides) < 2:
        raise UserError("put at least one character on each of two sides")
    placed = {side: tuple(members) for side, members in sides.items()}
    return a.BeginScene(
        name=field(form, "name").strip() or "New scene",
        sides=placed,
        npcs=_parse_npc_control(form),
        scene=field(form, "kind").strip() or FIGHT,
        about=field(form, "about"),
        like=field(form, "like").strip(),
        place=_parse_place_settings(field(form, "place")),
        rounds=_parse_whole_number(form, "rounds") or 50,
        map=field(form, "map").strip()[:40],
    )


def parse_draft(form: FormMultiDict) -> a.BeginScene:
    """The scene that the board sends, with the settings of the place typed by hand."""
    try:
        scene = msgspec.json.decode(field(form, "draft"), type=a.BeginScene)
    except msgspec.DecodeError as error:
        raise UserError(f"this is not a scene from the scene board: {error}") from None
    if "more" in form:
        scene = msgspec.structs.replace(scene, place={**scene.place, **_parse_place_settings(field(form, "more"))})
    return scene


def _parse_place(form: FormMultiDict, who: str) -> tuple[float, float] | None:
    """The place of a character in metres; None if no place was typed."""
    across, down = (field(form, f"{axis}.{who}").strip().replace(",", ".") for axis in ("x", "y"))
    if not across and not down:
        return None
    try:
        return float(across or 0), float(down or 0)
    except ValueError:
        raise UserError("a place is two numbers in metres: x and y") from None


def _parse_place_settings(text: str) -> dict[str, Any]:
    """Settings of the place, as a scenario file writes them."""
    if not text.strip():
        return {}
    settings = parse(text[:MAX_FIELD], "the place").data
    if not isinstance(settings, dict):
        raise UserError("write the place as in a scenario file, one setting a line, as in light: dim")
    return settings
