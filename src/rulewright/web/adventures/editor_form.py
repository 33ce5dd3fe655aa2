"""What the forms of the editor say: changes of a node, of the whole adventure, and of its files."""

from collections.abc import Mapping
from typing import Any

from litestar.datastructures import FormMultiDict

from rulewright import files
from rulewright.adventure.format import MAIN
from rulewright.adventure.package import TEXTS
from rulewright.errors import UserError, all_of
from rulewright.web.adventures.own import OwnAdventure
from rulewright.web.table.action_forms import field

TEXT_FIELDS = ("read", "lead", "otherwise")
NODE_PARTS = ("requests", "actions", "enter", "fight", "downtime")
"""The parts of a node that are edited as YAML."""
WHOLE_PARTS = ("clues", "handouts", "tallies", "dates", "people", "maps", "settings")
"""The parts of the adventure that are edited as YAML."""
MOST_WAYS = 24
PLACES = 5_000
"""How far from the corner a card may lie."""

Data = dict[str, Any]


def as_yaml(data: Mapping[str, Any], part: str) -> str:
    """A part of the data as YAML, with its name; empty if there is none."""
    return files.render({part: data[part]}) if data.get(part) else ""


def text_of(own: OwnAdventure, value: str) -> str:
    """A text: written in place, or the content of its file."""
    return own.files[value].decode("utf-8", "replace") if value.endswith(".md") and value in own.files else value


def changed_node(own: OwnAdventure, key: str, form: FormMultiDict) -> dict[str, bytes]:
    """The files with a node as the form says."""
    changed = dict(own.files)
    node = dict(own.document.data["nodes"][key])
    node["name"] = field(form, "name").strip() or key
    for name in TEXT_FIELDS:
        _set_text(node, name, field(form, name), changed)
    _set(node, "here", [name.strip() for name in form.getall("here", []) if isinstance(name, str) and name.strip()])
    for name in ("map", "ending"):
        _set(node, name, field(form, name).strip())
    _set(node, "ways", _ways(node.get("ways", []), form))
    faults: list[UserError] = []
    for part in NODE_PARTS:
        _set_part(node, part, field(form, f"yaml.{part}"), faults)
    _refuse(faults)
    data = {**own.document.data, "nodes": {**own.document.data["nodes"], key: node}}
    return {**changed, MAIN: files.rewritten(own.document, data).text.encode()}


def _ways(before: list[Data], form: FormMultiDict) -> list[Data]:
    """The ways as the form says; what it does not show stays. A way without a target is removed."""
    ways = []
    for number in range(MOST_WAYS):
        target = field(form, f"way.{number}.to").strip()
        if not target:
            continue
        way = dict(before[number]) if number < len(before) else {}
        way["to"] = target
        for name in ("label", "takes", "after", "before"):
            _set(way, name, field(form, f"way.{number}.{name}").strip())
        for name in ("needs", "unless"):
            _set(way, name, [part.strip() for part in field(form, f"way.{number}.{name}").split(";") if part.strip()])
        ways.append(way)
    return ways


def changed_whole(own: OwnAdventure, form: FormMultiDict) -> dict[str, bytes]:
    """The files with the fields of the whole adventure as the form says."""
    changed, data, faults = dict(own.files), dict(own.document.data), list[UserError]()
    for name in ("name", "about", "about_safety", "players", "pace"):
        _set(data, name, " ".join(field(form, name).split()), required=name in ("name", "about"))
    _set_text(data, "lead", field(form, "lead"), changed)
    hours = field(form, "hours").strip().replace(",", ".")
    try:
        _set(data, "hours", float(hours) if hours else "")
    except ValueError:
        faults.append(UserError("hours is a number, such as 3 or 2.5"))
    start = {"node": field(form, "start").strip()}
    _set(start, "clock", field(form, "clock").strip())
    data["start"] = start
    for part in WHOLE_PARTS:
        _set_part(data, part, field(form, f"yaml.{part}"), faults)
    _refuse(faults)
    return {**changed, MAIN: files.rewritten(own.document, data).text.encode()}


def with_node(own: OwnAdventure, key: str, name: str) -> Data:
    """The data with one node more."""
    nodes = own.document.data["nodes"]
    if not key or len(key) > 60 or key in nodes:
        raise UserError(f"there is a node {key[:60]!r} already" if key in nodes else "give the node a short name of its own")
    return {**own.document.data, "nodes": {**nodes, key: {"name": name or key, "read": "What is read aloud here?"}}}


def without_node(own: OwnAdventure, key: str) -> Data:
    """The data without a node. Ways that led to it are errors that the page lists."""
    return {**own.document.data, "nodes": {name: node for name, node in own.document.data["nodes"].items() if name != key}}


def moved_node(own: OwnAdventure, key: str, form: FormMultiDict) -> Data:
    """The data with the card of a node at another place."""
    try:
        place = [min(max(round(float(field(form, axis))), 0), PLACES) for axis in ("x", "y")]
    except (ValueError, OverflowError):
        raise UserError("a place is two numbers") from None
    nodes = own.document.data["nodes"]
    return {**own.document.data, "nodes": {**nodes, key: {**nodes[key], "at": place}}}


def changed_file(own: OwnAdventure, form: FormMultiDict) -> dict[str, bytes]:
    """The files with a text as the form says; a file without a text is removed."""
    name, text = field(form, "file").strip(), field(form, "text")
    if not name.endswith(TEXTS):
        raise UserError(f"{name[:60]!r} is no text; write a file that ends in .yaml or .md, or send a picture")
    changed = {known: content for known, content in own.files.items() if known != name}
    if form.get("remove") != "true":
        changed[name] = text.replace("\r\n", "\n").encode()
    elif name == MAIN:
        raise UserError(f"an adventure needs its {MAIN}")
    return changed


def with_person(own: OwnAdventure, name: str, text: str, ready: bool) -> dict[str, bytes]:
    """The files with one of the game's characters as a file of its own: one of the party, or somebody else."""
    folder = "ready" if ready else "people"
    file = f"{folder}/{name}.yaml"
    if file in own.files:
        raise UserError(f"there is a file {file} already")
    data = dict(own.document.data)
    if ready:
        data["ready"] = [*data.get("ready", []), file]
    else:
        data["people"] = {**data.get("people", {}), name.replace("-", " "): file}
    return {**own.files, file: text.encode(), MAIN: files.rewritten(own.document, data).text.encode()}


def _set(data: Data, name: str, value: Any, required: bool = False) -> None:
    """Set a field, or remove one that is empty."""
    if value or required:
        data[name] = value
    else:
        data.pop(name, None)


def _set_text(data: Data, name: str, text: str, changed: dict[str, bytes]) -> None:
    """Set a text: in its file if it has one, otherwise in place."""
    clean, before = text.replace("\r\n", "\n").strip(), str(data.get(name, ""))
    if before.endswith(".md") and before in changed:
        if clean != changed[before].decode("utf-8", "replace").strip():
            changed[before] = f"{clean}\n".encode()
    elif clean != before.strip():
        _set(data, name, clean, required=name == "read")


def _set_part(data: Data, part: str, text: str, faults: list[UserError]) -> None:
    """Set a part from its YAML, with its name at the top."""
    clean = text.replace("\r\n", "\n")
    if not clean.strip():
        data.pop(part, None)
        return
    try:
        parsed = files.parse(clean, f"the field {part}")
    except UserError as error:
        faults.append(error)
        return
    unknown = [name for name in parsed.data if name != part]
    if unknown or part not in parsed.data:
        faults.append(parsed.wrong((unknown[0],) if unknown else (), f"this field begins with `{part}:` and says nothing else"))
        return
    if parsed.data[part] != data.get(part):
        _set(data, part, parsed.data[part])


def _refuse(faults: list[UserError]) -> None:
    if faults:
        raise all_of(faults)
