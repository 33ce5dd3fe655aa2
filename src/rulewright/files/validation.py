"""Validates data against a type, with errors that people can act on."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rulewright.errors import all_of
from rulewright.files.documents import Document, FieldPath, T, did_you_mean, dotted, nearest_names, quoted, shortened
from rulewright.files.yaml_scalars import FLOAT, INT, scalar

MOST_ERRORS = 50


def convert(document: Document, type_: type[T], *, at: FieldPath = ()) -> T:
    """The document's data, or the part at a field, as a type; the error names every problem with its position."""
    data = document.data
    for depth, part in enumerate(at):
        known = list(data) if isinstance(data, dict) else []
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            raise document.wrong(at[: depth + 1], "missing" + did_you_mean(str(part), known)) from None
    try:
        return msgspec.convert(data, type_, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        problems = sorted(_all_explained(str(error), data, type_), key=lambda problem: document.place((*at, *problem[0])))
        raise all_of([document.wrong((*at, *field), what) for field, what in problems]) from None


def _all_explained(message: str, data: Any, type_: Any) -> list[tuple[list[str | int], str]]:
    """Every problem of the data: msgspec reports the first, so each is replaced by something that fits and the rest is tried again."""
    problems: list[tuple[list[str | int], str]] = []
    while message and len(problems) < MOST_ERRORS:
        field, what = _explained(message, data, type_)
        problems.append((field, what))
        data = _mended(message, data, type_, field)
        if data is _UNMENDABLE:
            break
        following = _error(data, type_)
        if following == message and _explained(message, data, type_) == (field, what):
            break
        message = following
    return problems


_UNMENDABLE: Any = object()


def _mended(message: str, data: Any, type_: Any, field: list[str | int]) -> Any:
    """The data with one problem gone: what can be left out is left out, and anything else replaced by something that fits its type."""
    try:
        *above, last = field
        parent = _value_at(data, above)
        node = _type_at(msgspec.inspect.type_info(type_), data, above)
        if isinstance(parent, list):
            fitting = _sample(_type_at(msgspec.inspect.type_info(type_), data, field))
            return _replaced(data, field, fitting) if isinstance(last, int) and last < len(parent) else _UNMENDABLE
        if last == _tags(node)[0]:
            return _replaced(data, above, _sample(node))
        fields = {info.encode_name: info for info in getattr(node, "fields", ())}
        meant = _meant(parent, fields, str(last))
        if meant:  # a misspelt name is one problem, not an unknown field and a missing one
            return _replaced(data, above, {meant.get(key, key): value for key, value in parent.items()})
        left = {key: value for key, value in parent.items() if key != last}
        if last in fields and fields[last].required:
            left[last] = _sample(fields[last].type)
        return _replaced(data, above, left)
    except Exception:  # a type that cannot be described: the problems found so far are reported
        return _UNMENDABLE


def _meant(parent: Any, fields: Mapping[str, Any], name: str) -> dict[str, str]:
    """The unknown field and the missing one that it is probably meant for, where one of them is the problem at hand."""
    missing = [key for key, info in fields.items() if info.required and key not in parent]
    unknown = [key for key in parent if key not in fields]
    if name in unknown:
        return {name: near} if (near := next(iter(nearest_names(name, missing)), "")) else {}
    if name in missing:
        return {near: name} if (near := next(iter(nearest_names(name, unknown)), "")) else {}
    return {}


def _sample(node: Any) -> Any:
    """A value that fits a type, as plain data."""
    kinds = msgspec.inspect
    if isinstance(node, kinds.Metadata):
        return _sample(node.type)
    if isinstance(node, kinds.UnionType):
        return None if any(isinstance(member, kinds.NoneType) for member in node.types) else _sample(node.types[0])
    if allowed := _allowed(node):
        return allowed[0]
    if isinstance(node, kinds.IntType | kinds.FloatType):
        least = node.ge if node.ge is not None else node.gt + 1 if node.gt is not None else None
        most = node.le if node.le is not None else node.lt - 1 if node.lt is not None else None
        return type(node.ge or 0)(least if least is not None else min(0, most) if most is not None else 0)
    if isinstance(node, kinds.StrType):
        return "x" * (node.min_length or 0)
    if isinstance(node, kinds.TupleType):
        return [_sample(item) for item in node.item_types]
    if isinstance(node, kinds.StructType):
        required = {info.encode_name: _sample(info.type) for info in node.fields if info.required}
        return {**({node.tag_field: node.tag} if node.tag_field else {}), **required}
    if isinstance(node, kinds.BoolType):
        return False
    if isinstance(node, kinds.DictType):
        return {}
    if hasattr(node, "item_type"):
        return [_sample(node.item_type) for _ in range(getattr(node, "min_length", None) or 0)]
    return None


def explain(error: msgspec.ValidationError, data: Any, type_: Any) -> str:
    """A conversion error in plain words: the field, and what is expected there."""
    field, what = _explained(str(error), data, type_)
    return f"{dotted(field)}: {what}" if field else what


def explain_value(error: msgspec.ValidationError, value: Any) -> str:
    """A conversion error in plain words, for a known value."""
    return _in_words(str(error).partition(" - at `")[0], value, None, None)


_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")


def _explained(message: str, data: Any, type_: Any) -> tuple[list[str | int], str]:
    """The path of a msgspec error in the data, and its message in plain words."""
    body, mark, where = message.rpartition(" - at `")
    if not mark:
        body, where = message, "$`"
    in_key = where.startswith("key` in `")
    steps = _STEP.findall(where.removeprefix("key` in `").removeprefix("$").rstrip("`"))
    if in_key:
        steps.append(("", "..."))
    path: list[str | int] = []
    for name, index in steps:
        if index == "...":  # msgspec does not say which entry of a dict it was
            key, data = _failing_entry(message, data, type_, path)
            path.append(key)
        else:
            path.append(name or int(index))
    value = _value_at(data, path)
    try:
        type_node = _type_at(msgspec.inspect.type_info(type_), data, path[:-1] if in_key else path)
        parent = _type_at(msgspec.inspect.type_info(type_), data, path[:-1])
    except Exception:  # msgspec can convert this type but not describe it; the message then has no suggestions
        type_node = parent = None
    if in_key:
        return path, "this name is not allowed here: " + _in_words(body, path[-1], getattr(type_node, "key_type", None), None)
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", body, re.DOTALL):
        known = _field_names(type_node)
        unused = [name for name in known if not (isinstance(value, dict) and name in value)]
        return [*path, match[1]], "unknown field" + did_you_mean(match[1], unused if nearest_names(match[1], unused) else known)
    if match := re.fullmatch(r"Object missing required field `(.*)`", body, re.DOTALL):
        return [*path, match[1]], _missing(match[1], value, type_node, at_top=not path)
    return path, _in_words(body, value, type_node, parent)


def _failing_entry(message: str, data: Any, type_: Any, path: list[str | int]) -> tuple[str, Any]:
    """The first entry of the dict at the path that causes this error, and the data with only that entry there."""
    entries = list(_value_at(data, path).items())
    low, high = 1, len(entries)
    while low < high:
        middle = (low + high) // 2
        if _error(_replaced(data, path, dict(entries[:middle])), type_) == message:
            high = middle
        else:
            low = middle + 1
    return entries[low - 1][0], _replaced(data, path, dict([entries[low - 1]]))


def _error(data: Any, type_: Any) -> str:
    try:
        msgspec.convert(data, type_, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _value_at(data: Any, path: FieldPath) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _replaced(data: Any, path: FieldPath, value: Any) -> Any:
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy


def _type_at(node: Any, data: Any, path: FieldPath) -> Any:
    """Follows msgspec's description of a type along a path; the data decides between the members of a union."""
    node = _resolved(node, data)
    for part in path:
        following: Any = None
        if fields := getattr(node, "fields", None):
            if isinstance(part, int):
                following = fields[part].type if part < len(fields) else None
            else:
                following = next((f.type for f in fields if getattr(f, "encode_name", None) == part), None)
        elif isinstance(node, msgspec.inspect.DictType):
            following = node.value_type
        elif items := getattr(node, "item_types", None):
            following = items[part] if isinstance(part, int) and part < len(items) else None
        elif hasattr(node, "item_type"):
            following = node.item_type
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            data = None
        node = _resolved(following, data)
    return node


def _resolved(node: Any, data: Any) -> Any:
    """Unwraps annotations, and chooses the member of a union that the data can be meant for."""
    if isinstance(node, msgspec.inspect.Metadata):
        return _resolved(node.type, data)
    if not isinstance(node, msgspec.inspect.UnionType):
        return node
    members = [_resolved(member, data) for member in node.types if not isinstance(member, msgspec.inspect.NoneType)]
    if len(members) == 1:
        return members[0]
    if isinstance(data, dict):
        tagged = [m for m in members if getattr(m, "tag_field", None)]
        for member in tagged:
            if data.get(member.tag_field) == member.tag:
                return member
        shaped = [m for m in members if isinstance(m, msgspec.inspect.DictType) or hasattr(m, "fields")]
    else:
        shaped = [m for m in members if hasattr(m, "item_type") or hasattr(m, "item_types")] if isinstance(data, list) else []
    return shaped[0] if len(shaped) == 1 else node


def _field_names(node: Any) -> list[str]:
    names = [field.encode_name for field in getattr(node, "fields", ())]
    tag = getattr(node, "tag_field", None)
    return [tag, *names] if tag else names


def _tags(node: Any) -> tuple[str, list[Any]]:
    """The field that distinguishes a union's members, and its possible values."""
    members = [m for m in getattr(node, "types", (node,)) if getattr(m, "tag_field", None)]
    return (members[0].tag_field, [m.tag for m in members]) if members else ("", [])


def _allowed(node: Any) -> list[Any]:
    """The values of a field with a closed list of values."""
    if isinstance(node, msgspec.inspect.LiteralType):
        return list(node.values)
    if isinstance(node, msgspec.inspect.EnumType):
        return [member.value for member in node.cls]
    if isinstance(node, msgspec.inspect.UnionType):
        return [value for member in node.types for value in _allowed(member)]
    return []


_NAMES = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "null": "nothing",
    "array": "a list", "object": "named fields", "set": "a list", "date": "a date such as 2001-12-31", "bytes": "text",
}  # fmt: skip
_INSPECTED = {
    "IntType": "int", "FloatType": "float", "StrType": "str", "BoolType": "bool", "DictType": "object", "StructType": "object",
    "ListType": "array", "SetType": "array", "FrozenSetType": "array", "VarTupleType": "array", "TupleType": "array",
}  # fmt: skip


def kind_of(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    for type_, name in ((int, "int"), (float, "float"), (str, "str"), (list, "array"), (dict, "object")):
        if isinstance(value, type_):
            return _NAMES[name]
    return "nothing"


def _wanted(node: Any) -> str:
    """A type in plain words, for a missing field."""
    node = _resolved(node, None)
    if allowed := _allowed(node):
        return _one_of(allowed)
    if isinstance(node, msgspec.inspect.UnionType):
        return " or ".join(dict.fromkeys(word for member in node.types if (word := _wanted(member))))
    return _NAMES.get(_INSPECTED.get(type(node).__name__, ""), "")


def _one_of(allowed: Sequence[Any]) -> str:
    shown = ", ".join(quoted(value) for value in allowed[:12])
    return f"one of {shown}" + (f" and {len(allowed) - 12} more" if len(allowed) > 12 else "")


def _missing(name: str, value: Any, node: Any, *, at_top: bool) -> str:
    """Message for a missing field: what it should contain, and a similar unknown field if there is one."""
    tag_field, tags = _tags(node)
    field = next((f for f in getattr(node, "fields", ()) if f.encode_name == name), None)
    wanted = _one_of(tags) if name == tag_field else _wanted(field.type) if field else ""
    owner = getattr(getattr(node, "cls", None), "__name__", "entry")
    noun = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", owner.strip("_")).lower()
    if at_top and isinstance(value, dict):
        kind = value.get("kind")
        noun = kind if isinstance(kind, str) and kind else "file" if owner == "Header" else noun
    unknown = [key for key in value if key not in _field_names(node)] if isinstance(value, dict) else []
    near = nearest_names(name, unknown)
    return (
        f"missing: every {shortened(noun)} needs `{shortened(name)}`"
        + (f" ({wanted})" if wanted else "")
        + (f"; is {quoted(near[0])} meant?" if near else "")
    )


_LIMITS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": "exactly"}


def _in_words(body: str, value: Any, node: Any, parent: Any) -> str:
    """A msgspec message as a sentence: what was expected, what was found, what would be right."""
    got = kind_of(value) + (f" ({quoted(value)})" if isinstance(value, str | int | float) else "")
    allowed = _allowed(node)
    if body.startswith("Invalid value"):
        allowed = _tags(parent)[1]
    if allowed and body.startswith(("Invalid ", "Expected ")) and not isinstance(value, list | dict):
        texts = [str(choice) for choice in allowed]
        near = nearest_names(value, texts) if isinstance(value, str) else []
        return f"{quoted(value)} is not {_one_of(allowed)}" + (f"; did you mean {quoted(near[0])}?" if near else "")
    if match := re.fullmatch(r"Expected `(.+?)`, got `(.+)`", body):
        wanted = [_NAMES.get(name, name) for name in match[1].split(" | ")]
        return f"expected {' or '.join(dict.fromkeys(wanted))}, got {got}{_repair(match[1].split(' | '), value)}"
    if match := re.fullmatch(r"Expected `(\w+)` (<=|>=|<|>) (.+)", body):
        return f"must be {_LIMITS[match[2]]} {_number(match[3])}, got {quoted(value)}"
    if match := re.fullmatch(r"Expected `(\w+)` of length (<=|>=|==) (\d+)", body):
        if match[2] == ">=" and match[3] == "1":
            return "must not be empty"
        return f"must have {_LIMITS[match[2]]} {match[3]} {'characters' if match[1] == 'str' else 'entries'}, got {len(value)}"
    if match := re.fullmatch(r"Expected `array` of (at least length|at most length|length) (.+), got (\d+)", body):
        return f"must have {match[1].replace('length', '').strip() or 'exactly'} {match[2]} entries, got {match[3]}"
    if match := re.fullmatch(r"Expected `\w+` that's a multiple of (.+)", body):
        return f"must be a multiple of {_number(match[1])}, got {quoted(value)}"
    if match := re.fullmatch(r"Expected `str` matching regex (.+)", body, re.DOTALL):
        return f"{quoted(value)} does not have the form {match[1]}"
    return body.replace("`", "") if body.startswith(("Expected", "Invalid", "Object")) else body


def _number(text: str) -> str:
    return text.removesuffix(".0")


def _repair(wanted: list[str], value: Any) -> str:
    """Suggests what to write instead, if that is clear."""
    if isinstance(value, str):
        word = value.strip().lower()
        if "bool" in wanted and word in ("yes", "on", "y", "no", "off", "n", "true", "false"):
            meant = "true" if word in ("yes", "on", "y", "true") else "false"
            return f"; write {meant}" + (" without quotes" if word == meant else "")
        if ("int" in wanted and INT.fullmatch(word)) or ("float" in wanted and FLOAT.fullmatch(word)):
            return f"; write {shortened(word)} without quotes"
    elif "str" in wanted and isinstance(value, bool | int | float):
        return f'; put it in quotes: "{scalar(value)}"'
    elif "int" in wanted and isinstance(value, float) and value.is_integer():
        return f"; write {int(value)}"
    elif value is None:
        return (
            "; write [] if there are none"
            if "array" in wanted
            else "; write {} if there are none"
            if "object" in wanted
            else "; fill it in"
        )
    if "array" in wanted and isinstance(value, str | int | float):
        return f"; write it as a list: [{quoted(value)}]"
    return ""
