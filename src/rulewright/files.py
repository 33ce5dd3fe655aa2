"""The YAML people keep: read strictly, checked against a type with errors a person can act on, and saved without losing a comment.

Reading walks the parser's events once and builds plain values and their places itself, so that nothing dangerous (aliases, tags,
endless nesting) is ever composed. Saving over an existing file replaces only the pieces of its text that changed, so that comments,
key order and layout stay as the person left them; whatever is about to be written is read back first and must give the same data.
"""

import errno
import math
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import msgspec

from rulewright.errors import Wrong

T = TypeVar("T")
FieldPath = Sequence[str | int]

MAX_BYTES = 1 << 20
MAX_DEPTH = 40
MAX_NODES = 50_000
MAX_DIGITS = 18
WIDTH = 100


# ---------------------------------------------------------------------------------------------------------------- documents


class Node:
    """Where one value stands in the text: character offsets, line and column (from 0), and its children."""

    __slots__ = ("children", "column", "end", "keys", "line", "names", "start", "style")

    def __init__(self, start: int, line: int, column: int, end: int, style: str) -> None:
        self.start, self.line, self.column, self.end, self.style = start, line, column, end, style
        self.keys: list[Node] = []
        self.names: list[str] = []
        self.children: list[Node] = []


class Document(msgspec.Struct, frozen=True, eq=False):
    """A file that was read: its plain data, its exact text, and where in the text every value stands."""

    path: Path
    data: Any
    text: str
    root: Any

    def place(self, field: FieldPath = ()) -> tuple[int, int]:
        """Line and column, from 1, of a field (its name) or a list entry; of its nearest parent if it is not in the file."""
        node: Node = self.root
        place = node
        for part in field:
            if part in node.names:
                index = node.names.index(str(part))
                place = node.keys[index]
            elif isinstance(part, int) and not node.keys and 0 <= part < len(node.children):
                index = part
                place = node.children[index]
            else:
                break
            node = node.children[index]
        return place.line + 1, place.column + 1

    def wrong(self, field: FieldPath, what: str) -> Wrong:
        """The exception that says what is wrong with one field of this file, with file, line and column."""
        line, column = self.place(field)
        return _wrong(self.path, line, column, field, what)


class Header(msgspec.Struct, frozen=True):
    """What stands on top of every file people keep: which game, what sort of thing, and what it is called."""

    system: Annotated[str, msgspec.Meta(min_length=1)]
    kind: Annotated[str, msgspec.Meta(min_length=1)]
    name: Annotated[str, msgspec.Meta(min_length=1)]


def dotted(field: FieldPath) -> str:
    """A field's path as people write it: `weapons.0.name`."""
    return ".".join(_shown(str(part)) for part in field)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known ones, or all if they are few, or nothing."""
    names = [str(name) for name in known]
    close = _nearest(word, names)
    if close:
        return "; did you mean " + " or ".join(_quoted(name) for name in close) + "?"
    if names and len(names) <= 12:
        return "; known here: " + ", ".join(_shown(name) for name in names)
    return ""


def _nearest(word: str, names: Sequence[str]) -> list[str]:
    """At most two known names that look like the word, letter case and joining marks aside."""
    if len(word) > 80 or len(names) > 5000:
        return []
    from difflib import get_close_matches

    def bare(name: str) -> str:
        return re.sub(r"[\s_-]+", "_", name.strip().lower())

    by_bare = {bare(name): name for name in reversed(names) if len(name) <= 80}
    close = get_close_matches(bare(word), list(by_bare), n=2, cutoff=0.6)
    return [by_bare[name] for name in (close[:1] if close[:1] == [bare(word)] else close)]


def _shown(text: str, most: int = 60) -> str:
    """Text fit for one line of a message: unprintable characters escaped, long text cut."""
    cut = text[:most] + ("…" if len(text) > most else "")
    return cut if cut.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def _quoted(value: object) -> str:
    return f'"{_shown(value)}"' if isinstance(value, str) else _shown(_scalar(value))


def _wrong(path: Path | str, line: int, column: int, field: FieldPath, what: str) -> Wrong:
    where = f"{_shown(str(path), 400)}:{line}:{column}: "
    return Wrong(where + (f"{dotted(field)}: " if field else "") + _shown(what, 1000))


# ---------------------------------------------------------------------------------------------------------------- reading


def read(path: str | Path) -> Document:
    """Read a YAML file that a person keeps; whatever is wrong with it is said in one line, with its place."""
    return parse(_bytes_of(Path(path)), str(path))


def parse(text: str | bytes, name: str) -> Document:
    """The same for text from elsewhere, such as an upload; `name` is what messages call it."""
    clean = _decoded(text, name)
    data, root = _Builder(clean, name).build()
    if not isinstance(data, dict):
        raise _wrong(name, root.line + 1, root.column + 1, (), f"expected named fields such as `name: Ana`, got {_kind(data)}")
    return Document(Path(name), data, clean, root)


def parse_value(text: str, name: str = "value") -> Any:
    """What a person wrote for one value, on a command line or in a form: `2`, `true`, `[1, 2]`, `{flesh: 2}` or text."""
    return _Builder(_decoded(text, name), name, empty_is_text=True).build()[0]


class Readable(Protocol):
    """A path or a package resource."""

    def read_bytes(self) -> bytes: ...


def read_data(source: str | Readable) -> Any:
    """Load YAML from our own package, without the limits for strangers' files: keys may be numbers, anchors may be used."""
    readable = Path(source) if isinstance(source, str) else source
    return _Builder(readable.read_bytes().decode("utf-8-sig"), str(source), trusted=True).build()[0]


def header(document: Document) -> Header:
    """The three fields on top of every file: `system`, `kind` and `name`."""
    return convert(document, Header)


def _bytes_of(path: Path) -> bytes:
    shown = _shown(str(path), 400)
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise Wrong(f"{shown}: is a directory; name a file in it")
        if not stat.S_ISREG(mode):
            raise Wrong(f"{shown}: is not a regular file")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise Wrong(f"{shown}: no such file{_near_file(path)}") from None
    except (OSError, ValueError) as error:
        raise Wrong(f"{shown}: cannot be read: {_reason(error)}") from None


def _near_file(path: Path) -> str:
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(2000), strict=False)]
    except (OSError, ValueError):
        return f"; there is no directory {_quoted(str(path.parent))}"
    close = _nearest(path.name, names)
    return "; did you mean " + " or ".join(_quoted(name) for name in close) + "?" if close else ""


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


# What YAML does not allow in a stream: it means that this is no text file.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|[\ud800-\udfff]|[\ufffe\uffff]")


def _decoded(text: str | bytes, name: str) -> str:
    """Text within the size limit, without a byte order mark, free of what no text file holds."""
    if len(text) > MAX_BYTES or (isinstance(text, str) and len(text) * 4 > MAX_BYTES and len(text.encode(errors="replace")) > MAX_BYTES):
        raise _wrong(name, 1, 1, (), "the file is too large: at most 1 MiB can be read")
    if isinstance(text, bytes):
        if b"\0" in text:
            raise _wrong(name, 1, 1, (), "this is not a text file: expected YAML in UTF-8")
        raw = text
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            line, column = _line_and_column(raw[: error.start].decode(), error.start)
            byte = f"byte {error.start + 1} is 0x{raw[error.start]:02x}"
            raise _wrong(name, line, column, (), f"this is not UTF-8 text ({byte}): save the file as UTF-8") from None
    text = text.removeprefix("\ufeff")
    if found := _FORBIDDEN.search(text):
        line, column = _line_and_column(text, found.start())
        raise _wrong(name, line, column, (), f"the character U+{ord(found[0]):04X} cannot stand in a text file: remove it")
    return text


def _line_and_column(text: str, index: int) -> tuple[int, int]:
    before = text[:index]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _events(text: str, name: str) -> Iterator[Any]:
    """The parser's events, from the C parser where it is installed; what it cannot read is said in our words."""
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        try:
            from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
        except ImportError:
            from ruamel.yaml import YAML

            yield from YAML(typ="safe", pure=True).parse(text)
            return
        parser: Any = CParser(text)
        while parser.check_event():
            yield parser.get_event()
    except MarkedYAMLError as error:
        unclosed = "end of stream" in (error.problem or "") and "quoted" in (error.context or "")
        mark: Any = error.context_mark if unclosed else error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise _wrong(name, line, column, (), _malformed(error, text)) from None
    except YAMLError as error:
        raise _wrong(name, 1, 1, (), "this is not YAML: " + " ".join(str(error).split())) from None


def _malformed(error: Any, text: str) -> str:
    """What a YAML syntax error most often means, and what would be right."""
    problem = " ".join((error.problem or "").split())
    context = " ".join((error.context or "").split())
    opened = f" on line {error.context_mark.line + 1}" if error.context_mark else ""
    at = text[error.problem_mark.index : error.problem_mark.index + 1] if error.problem_mark else ""
    if "cannot start any token" in problem:
        if at == "\t":
            return "a tab cannot be used to indent: use spaces"
        return f"text cannot start with {at}: put it in quotes"
    if "mapping values are not allowed" in problem:
        return "a `:` is not expected here: put text that contains `: ` in quotes, or correct the indentation"
    if "while parsing a flow" in context and at == "?":  # the C parser is stricter here than the standard
        return "text that contains ? must be in quotes inside [ ] or { }"
    if "flow sequence" in context:
        return f"the list that opens with [{opened} is not closed: expected , or ]"
    if "flow mapping" in context:
        return f"the fields that open with {{{opened} are not closed: expected , or }}"
    if "quoted scalar" in context and "end of stream" in problem:
        return f"the quotation mark{opened} is never closed"
    if "quoted scalar" in context and "escape" in problem:
        return "unknown escape after a backslash: write \\\\ for a backslash, or use single quotes"
    if "alias" in context or "anchor" in context:
        return "text cannot start with * or &: put it in quotes"
    if "could not find expected ':'" in problem:
        return "expected `name: value`; a `:` is missing"
    if "tag handle" in problem:
        return "tags are not supported here: remove it, or put text that starts with ! in quotes"
    if "flow node" in context:
        return "expected a value before this"
    if "block mapping" in context or "block collection" in context or "block sequence" in context or "<document start>" in problem:
        return "this does not fit what stands above it: check the indentation and the quotation marks"
    return "this is not YAML: " + " ".join(f"{context}: {problem}".strip(": ").split())


_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def _plain(text: str) -> Any:
    """What an unquoted scalar means in YAML 1.2: so `yes` and `2001-01-01` are text. ValueError says what no file should hold."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INT.fullmatch(text):
        base = 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10
        if len(text.lstrip("+-0xo")) > 24 or abs(whole := int(text, base)) >= 10**MAX_DIGITS:
            raise ValueError(f"a whole number may have at most {MAX_DIGITS} digits; put it in quotes if it is meant as text")
        return whole
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise ValueError("this number is too large")
        return number
    if _ENDLESS.fullmatch(text):
        raise ValueError("expected a finite number; put it in quotes if it is meant as text")
    return text


class _Builder:
    """Turns events into plain values and their places, refusing on the way what people's files must not hold."""

    def __init__(self, text: str, name: str, *, trusted: bool = False, empty_is_text: bool = False) -> None:
        self.name, self.trusted, self.empty_is_text = name, trusted, empty_is_text
        self.events = _events(text, name)
        self.text = text
        self.path: list[str | int] = []
        self.anchors: dict[str, Any] = {}
        self.nodes = 0

    def wrong(self, event: Any, what: str, field: FieldPath | None = None) -> Wrong:
        mark = event.start_mark
        return _wrong(self.name, mark.line + 1, mark.column + 1, self.path if field is None else field, what)

    def build(self) -> tuple[Any, Node]:
        from ruamel.yaml.events import DocumentStartEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent, StreamEndEvent

        self.scalar, self.mapping, self.sequence = ScalarEvent, MappingStartEvent, SequenceStartEvent
        built: tuple[Any, Node] | None = None
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                if built is not None:
                    raise self.wrong(event, "a second document begins here: keep one document in a file, without ---")
                built = self.value(next(self.events), 0)
            elif isinstance(event, StreamEndEvent):
                break
        if built is None:
            if self.empty_is_text:
                return self.text, Node(0, 0, 0, 0, "")
            raise _wrong(self.name, 1, 1, (), "the file is empty: expected named fields such as `name: Ana`")
        return built

    def value(self, event: Any, depth: int) -> tuple[Any, Node]:
        self.nodes += 1
        kind = type(event)
        if not self.trusted:
            if self.nodes > MAX_NODES:
                raise self.wrong(event, f"the file holds too much: at most {MAX_NODES:,} values can be read")
            if depth > MAX_DEPTH:
                raise self.wrong(event, f"nested too deep: at most {MAX_DEPTH} levels can be read", self.path[:3])
        anchor = getattr(event, "anchor", None)
        if anchor is not None:
            if not self.trusted:
                what = "aliases are not supported here: write the value out, or put text that starts with * or & in quotes"
                raise self.wrong(event, what)
            if kind not in (self.scalar, self.mapping, self.sequence):
                mark = event.start_mark
                return self.anchors[anchor], Node(mark.index, mark.line, mark.column, event.end_mark.index, "")
        if event.tag is not None:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            what = f"tags such as {_shown(tag)} are not supported here: remove it, or put text that starts with ! in quotes"
            raise self.wrong(event, what)
        mark = event.start_mark
        node = Node(mark.index, mark.line, mark.column, event.end_mark.index, "")
        value: Any
        if kind is self.scalar:
            value = self.scalar_value(event)
            node.style = event.style or ""
        elif kind is self.sequence:
            value = self.list_value(event, node, depth)
        else:
            value = self.dict_value(event, node, depth)
        if anchor is not None:
            self.anchors[anchor] = value
        return value, node

    def scalar_value(self, event: Any) -> Any:
        if event.style:
            return event.value
        try:
            return _plain(event.value)
        except ValueError as error:
            raise self.wrong(event, str(error)) from None

    def list_value(self, start: Any, node: Node, depth: int) -> list[Any]:
        node.style = "flow" if start.flow_style else "block"
        value: list[Any] = []
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                node.end = event.end_mark.index
                break
            self.path.append(len(value))
            item, child = self.value(event, depth + 1)
            self.path.pop()
            value.append(item)
            node.children.append(child)
        return value

    def dict_value(self, start: Any, node: Node, depth: int) -> dict[Any, Any]:
        node.style = "flow" if start.flow_style else "block"
        value: dict[Any, Any] = {}
        for event in self.events:
            if type(event).__name__ == "MappingEndEvent":
                node.end = event.end_mark.index
                break
            name = self.name_of(event)
            if name in value:
                first = node.keys[list(value).index(name)].line + 1
                raise self.wrong(event, f"written twice, first on line {first}: keep one of them", [*self.path, str(name)])
            _, key = self.value(event, depth + 1)
            self.path.append(name)
            item, child = self.value(next(self.events), depth + 1)
            self.path.pop()
            value[name] = item
            node.keys.append(key)
            node.names.append(str(name))
            node.children.append(child)
        return value

    def name_of(self, event: Any) -> Any:
        """A field's name is text as it is written, so `1:` and `on:` are names too; our own tables may have numbers."""
        if type(event) is not self.scalar:
            if getattr(event, "anchor", None) is not None:
                self.value(event, 0)
            raise self.wrong(event, "the name of a field must be one word or text in quotes, not a list or fields")
        if not event.style and event.value in ("", "<<"):
            merging = "merge keys (<<) are not supported here: write the fields out"
            raise self.wrong(event, merging if event.value else "a name is missing before the `:`")
        if self.trusted and not event.style:
            return self.scalar_value(event)
        return event.value


# ---------------------------------------------------------------------------------------------------------------- types


def convert(document: Document, type_: type[T], *, at: FieldPath = ()) -> T:
    """The document's data, or the part of it at a field, as a type; the first thing that does not fit is refused with its place."""
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
        field, what = _explained(str(error), data, type_)
        raise document.wrong((*at, *field), what) from None


_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")


def _explained(message: str, data: Any, type_: Any) -> tuple[list[str | int], str]:
    """Where in the data a msgspec error stands, and what it says in plain words."""
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
            key, data = _guilty_entry(message, data, type_, path)
            path.append(key)
        else:
            path.append(name or int(index))
    value = _value_at(data, path)
    try:
        type_node = _type_at(msgspec.inspect.type_info(type_), data, path[:-1] if in_key else path)
        parent = _type_at(msgspec.inspect.type_info(type_), data, path[:-1])
    except Exception:  # a type that msgspec can convert but not describe; the message then does without suggestions
        type_node = parent = None
    if in_key:
        return path, "this name cannot stand here: " + _in_words(body, path[-1], getattr(type_node, "key_type", None), None)
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", body, re.DOTALL):
        known = _field_names(type_node)
        unused = [name for name in known if not (isinstance(value, dict) and name in value)]
        return [*path, found[1]], "unknown field" + did_you_mean(found[1], unused if _nearest(found[1], unused) else known)
    if found := re.fullmatch(r"Object missing required field `(.*)`", body, re.DOTALL):
        return [*path, found[1]], _missing(found[1], value, type_node, at_top=not path)
    return path, _in_words(body, value, type_node, parent)


def _guilty_entry(message: str, data: Any, type_: Any, path: list[str | int]) -> tuple[str, Any]:
    """The first entry of the dict at the path that gives this error, and the data with only that entry left there."""
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
    """Follow msgspec's description of a type along a path; the data decides between the members of a union."""
    node = _picked(node, data)
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
        node = _picked(following, data)
    return node


def _picked(node: Any, data: Any) -> Any:
    """Unwrap what only annotates a type, and choose the member of a union that the data can be meant for."""
    if isinstance(node, msgspec.inspect.Metadata):
        return _picked(node.type, data)
    if not isinstance(node, msgspec.inspect.UnionType):
        return node
    members = [_picked(member, data) for member in node.types if not isinstance(member, msgspec.inspect.NoneType)]
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
    """The field that tells a union's members apart, and what it can say."""
    members = [m for m in getattr(node, "types", (node,)) if getattr(m, "tag_field", None)]
    return (members[0].tag_field, [m.tag for m in members]) if members else ("", [])


def _allowed(node: Any) -> list[Any]:
    """What a field with a closed list of values may say."""
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


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    for type_, name in ((int, "int"), (float, "float"), (str, "str"), (list, "array"), (dict, "object")):
        if isinstance(value, type_):
            return _NAMES[name]
    return "nothing"


def _wanted(node: Any) -> str:
    """A type in plain words, for a field that is not there yet."""
    node = _picked(node, None)
    if allowed := _allowed(node):
        return _one_of(allowed)
    if isinstance(node, msgspec.inspect.UnionType):
        return " or ".join(dict.fromkeys(word for member in node.types if (word := _wanted(member))))
    return _NAMES.get(_INSPECTED.get(type(node).__name__, ""), "")


def _one_of(allowed: Sequence[Any]) -> str:
    shown = ", ".join(_quoted(value) for value in allowed[:12])
    return f"one of {shown}" + (f" and {len(allowed) - 12} more" if len(allowed) > 12 else "")


def _missing(name: str, value: Any, node: Any, *, at_top: bool) -> str:
    """A required field is not there: what it is for, what it should hold, and whether it is only misspelt."""
    tag_field, tags = _tags(node)
    field = next((f for f in getattr(node, "fields", ()) if f.encode_name == name), None)
    wanted = _one_of(tags) if name == tag_field else _wanted(field.type) if field else ""
    owner = getattr(getattr(node, "cls", None), "__name__", "entry")
    noun = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", owner.strip("_")).lower()
    if at_top and isinstance(value, dict):
        kind = value.get("kind")
        noun = kind if isinstance(kind, str) and kind else "file" if owner == "Header" else noun
    unknown = [key for key in value if key not in _field_names(node)] if isinstance(value, dict) else []
    near = _nearest(name, unknown)
    return (
        f"missing: every {_shown(noun)} needs `{_shown(name)}`"
        + (f" ({wanted})" if wanted else "")
        + (f"; is {_quoted(near[0])} meant?" if near else "")
    )


_LIMITS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": "exactly"}


def _in_words(body: str, value: Any, node: Any, parent: Any) -> str:
    """A msgspec complaint as a sentence: what was expected, what stands there, what would be right."""
    got = _kind(value) + (f" ({_quoted(value)})" if isinstance(value, str | int | float) else "")
    allowed = _allowed(node)
    if body.startswith("Invalid value"):
        allowed = _tags(parent)[1]
    if allowed and body.startswith(("Invalid ", "Expected ")) and not isinstance(value, list | dict):
        texts = [str(choice) for choice in allowed]
        near = _nearest(value, texts) if isinstance(value, str) else []
        return f"{_quoted(value)} is not {_one_of(allowed)}" + (f"; did you mean {_quoted(near[0])}?" if near else "")
    if found := re.fullmatch(r"Expected `(.+?)`, got `(.+)`", body):
        wanted = [_NAMES.get(name, name) for name in found[1].split(" | ")]
        return f"expected {' or '.join(dict.fromkeys(wanted))}, got {got}{_repair(found[1].split(' | '), value)}"
    if found := re.fullmatch(r"Expected `(\w+)` (<=|>=|<|>) (.+)", body):
        return f"must be {_LIMITS[found[2]]} {_number(found[3])}, got {_quoted(value)}"
    if found := re.fullmatch(r"Expected `(\w+)` of length (<=|>=|==) (\d+)", body):
        if found[2] == ">=" and found[3] == "1":
            return "must not be empty"
        return f"must have {_LIMITS[found[2]]} {found[3]} {'characters' if found[1] == 'str' else 'entries'}, got {len(value)}"
    if found := re.fullmatch(r"Expected `array` of (at least length|at most length|length) (.+), got (\d+)", body):
        return f"must have {found[1].replace('length', '').strip() or 'exactly'} {found[2]} entries, got {found[3]}"
    if found := re.fullmatch(r"Expected `\w+` that's a multiple of (.+)", body):
        return f"must be a multiple of {_number(found[1])}, got {_quoted(value)}"
    if found := re.fullmatch(r"Expected `str` matching regex (.+)", body, re.DOTALL):
        return f"{_quoted(value)} does not have the form {found[1]}"
    return body.replace("`", "") if body.startswith(("Expected", "Invalid", "Object")) else body


def _number(text: str) -> str:
    return text.removesuffix(".0")


def _repair(wanted: list[str], value: Any) -> str:
    """What to write instead, where it can be told."""
    if isinstance(value, str):
        word = value.strip().lower()
        if "bool" in wanted and word in ("yes", "on", "y", "no", "off", "n", "true", "false"):
            meant = "true" if word in ("yes", "on", "y", "true") else "false"
            return f"; write {meant}" + (" without quotes" if word == meant else "")
        if ("int" in wanted and _INT.fullmatch(word)) or ("float" in wanted and _FLOAT.fullmatch(word)):
            return f"; write {_shown(word)} without quotes"
    elif "str" in wanted and isinstance(value, bool | int | float):
        return f'; put it in quotes: "{_scalar(value)}"'
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
        return f"; write it as a list: [{_quoted(value)}]"
    return ""


# ---------------------------------------------------------------------------------------------------------------- changing


def set_at(data: Any, field: str | FieldPath, value: Any, *, create: bool = False) -> Any:
    """New data in which one field, `a.b.0.c`, has another value; `create` makes the fields on the way that are missing.

    A name may itself contain dots if it is already there. The place after a list's last entry adds one.
    """
    parts = field.split(".") if isinstance(field, str) else [str(part) for part in field]
    if not parts or "" in parts:
        raise Wrong(f"{_quoted(str(field))} does not name a field: expected names joined by dots, such as skills.rifles")
    return _set(data, parts, value, create, [])


def _set(data: Any, parts: list[str], value: Any, create: bool, done: list[str | int]) -> Any:
    if not parts:
        return value
    if isinstance(data, dict):
        size = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in data), 1)
        name, rest = ".".join(parts[:size]), parts[size:]
        if name not in data and rest and not create:
            raise Wrong(f"{dotted([*done, name])}: unknown field{did_you_mean(name, data)}")
        return {**data, name: _set(data.get(name, {}), rest, value, create, [*done, name])}
    if isinstance(data, list | tuple):
        name, rest = parts[0], parts[1:]
        if not re.fullmatch(r"[0-9]{1,9}", name) or int(name) > len(data) or (int(name) == len(data) and rest and not create):
            known = f"from 0 to {len(data) - 1}" if data else "but the list is empty"
            raise Wrong(f"{dotted([*done, name])}: expected the number of an entry, {known}")
        index = int(name)
        entry = _set(data[index] if index < len(data) else {}, rest, value, create, [*done, index])
        return [*data[:index], entry, *data[index + 1 :]]
    if data is None and create:
        return _set({}, parts, value, create, done)
    raise Wrong(f"{dotted([*done, *parts])}: {dotted(done) or 'this'} is {_kind(data)} and has no fields")


def merge(base: Any, changes: Mapping[str, Any], *, create: bool = False) -> Any:
    """New data with several fields changed, each named by its dotted path."""
    for field, value in changes.items():
        base = set_at(base, field, value, create=create)
    return base


# ---------------------------------------------------------------------------------------------------------------- YAML out


def render(data: Mapping[str, Any]) -> str:
    """Plain data as YAML to be read and edited by hand."""
    return "".join(line + "\n" for line in _fields(data, 0)) or "{}\n"


def _fields(data: Mapping[str, Any], indent: int) -> list[str]:
    return [line for name, value in data.items() for line in _entry(" " * indent + _key(name) + ":", value, indent)]


def _entry(prefix: str, value: Any, indent: int) -> list[str]:
    """The lines of one field or list entry; `prefix` ends in `name:` or `-`, `indent` is the column that begins in."""
    item = prefix.endswith("-") and prefix.strip() == "-"
    if isinstance(value, dict) and value:
        if item and not any(isinstance(v, dict | list) for v in value.values()) and _fits(text := _flow(value), len(prefix)):
            return [f"{prefix} {text}"]
        lines = _fields(value, indent + 2)
        return [f"{prefix} {lines[0].lstrip(' ')}", *lines[1:]] if item else [prefix, *lines]
    if isinstance(value, list) and value:
        if not any(isinstance(v, dict | list) for v in value) and _fits(text := _flow(value), len(prefix)):
            return [f"{prefix} {text}"]
        return [prefix, *(line for v in value for line in _entry(" " * (indent + 2) + "-", v, indent + 2))]
    if isinstance(value, str) and _literal(value):
        lines = value.removesuffix("\n").split("\n")
        return [f"{prefix} |" + ("" if value.endswith("\n") else "-"), *(" " * (indent + 2) + line if line else "" for line in lines)]
    return [f"{prefix} {_flow(value)}"]


def _fits(text: str, used: int) -> bool:
    return used + 1 + len(text) <= WIDTH


def _literal(text: str) -> bool:
    """Whether a text reads well as a block of its own lines."""
    return (
        "\n" in text.removesuffix("\n")
        and text[0] not in " \n"
        and not text.endswith("\n\n")
        and all(line.isprintable() and line == line.rstrip() for line in text.split("\n"))
    )


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)}: {_flow_item(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow_item, value)) + "]"
    return _scalar(value)


def _flow_item(value: Any) -> str:
    return _scalar(value, flow=True) if isinstance(value, str) else _flow(value)


# Text that other YAML readers take for something else, beyond what ours does: yes and no, dates, times, 1_000.
_AMBIGUOUS = re.compile(r"(?i:yes|no|on|off|null|true|false)|[-+]?[0-9][-0-9_.:,]*|[-+]?[0-9.]+(e[-+]?[0-9]+)?")
_BARE = re.compile(r"[^\W]|[(/](?=.)|[-+](?=\w)")


def _scalar(value: Any, *, flow: bool = False) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    safe = (
        _BARE.match(value)
        and value.isprintable()
        and not value.endswith((" ", ":"))
        and ": " not in value
        and " #" not in value
        and not (flow and re.search(r"[,\[\]{}:?]", value))
        and not _AMBIGUOUS.fullmatch(value)
        and _is_text(value)
    )
    return value if safe else _in_quotes(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[0-9]{1,9}", name) else _scalar(name, flow=True)


def _is_text(value: str) -> bool:
    try:
        return isinstance(_plain(value), str)
    except ValueError:
        return False


def _in_quotes(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}

    def escaped(c: str) -> str:
        if c in escapes:
            return escapes[c]
        if c.isprintable():
            return c
        code = ord(c)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return '"' + "".join(map(escaped, text)) + '"'


# ---------------------------------------------------------------------------------------------------------------- saving


def write(path: str | Path, data: Any, *, over: Document | None = None) -> Document:
    """Save data as a YAML file, whole or not at all, and give the document that now stands there.

    `over` is the document that is being changed: its comments, key order and layout stay, only what differs is replaced.
    """
    path = Path(path)
    shown = _shown(str(path), 400)
    try:
        plain = _without_tuples(msgspec.to_builtins(data, str_keys=True))
    except (TypeError, RecursionError, ValueError) as error:
        raise Wrong(f"{shown}: this cannot be saved as YAML: {_shown(str(error))}") from None
    if not isinstance(plain, dict):
        raise Wrong(f"{shown}: a file must hold named fields, got {_kind(plain)}")
    document = _text_for(path, plain, over)
    _replace(path, document.text.encode())
    return document


def _without_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_tuples(item) for name, item in value.items()}
    return [_without_tuples(item) for item in value] if isinstance(value, list | tuple) else value


def _text_for(path: Path, data: dict[str, Any], over: Document | None) -> Document:
    """The text to save, read back and found equal to the data before anybody relies on it."""
    attempts: list[Callable[[], str]] = [lambda: render(data)]
    if over is not None:
        newline = "\r\n" if "\r\n" in over.text else "\n"
        comments = "".join(re.findall(r"\A(?:[ \t]*(?:#[^\n]*)?\n)+", over.text))
        attempts = [
            lambda: _Splice(over, newline).changed(data),
            lambda: _Splice(over, newline, coarse=True).changed(data),
            lambda: comments + render(data).replace("\n", newline),
        ]
    for attempt in attempts:
        try:
            document = parse(attempt(), str(path))
        except Wrong as error:
            failure = error
            continue
        except RecursionError:
            failure = Wrong(f"{_shown(str(path), 400)}: nested too deep: at most {MAX_DEPTH} levels can be saved")
            continue
        if _same(document.data, data):
            return document
        failure = Wrong(f"{_shown(str(path), 400)}: this cannot be saved as YAML without changing it")
    raise failure


def _same(a: Any, b: Any) -> bool:
    """Equal, and of the same types throughout: 1, 1.0 and true are three things. The order of fields does not matter."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def _replace(path: Path, content: bytes) -> None:
    """Put a file in place in one step, so that a crash leaves the old one or the new one."""
    shown = _shown(str(path), 400)
    temporary = ""
    try:
        target = os.path.realpath(path)
        if os.path.isdir(target):
            raise Wrong(f"{shown}: is a directory; name a file in it")
        if os.path.exists(target) and not os.access(target, os.W_OK):
            raise Wrong(f"{shown}: cannot be saved: the file is read-only")
        name = f".{os.path.basename(target)[:100]}.{os.urandom(6).hex()}.tmp"
        candidate = os.path.join(os.path.dirname(target), name)
        handle = os.open(candidate, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        temporary = candidate
        with open(handle, "wb") as file:
            if os.path.exists(target):
                os.chmod(candidate, stat.S_IMODE(os.stat(target).st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(candidate, target)
        temporary = ""
        _sync_directory(os.path.dirname(target))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOENT:
            raise Wrong(f"{shown}: cannot be saved: there is no directory {_quoted(str(path.parent))}") from None
        raise Wrong(f"{shown}: cannot be saved: {_reason(error)}") from None
    finally:
        if temporary:
            os.unlink(temporary)


def _sync_directory(directory: str) -> None:
    """Make the new name itself last; some systems cannot, and the file is safe all the same."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


class _Splice:
    """Changes the text of a document only where its data changes. `coarse` redoes every changed top field as a whole."""

    def __init__(self, document: Document, newline: str, *, coarse: bool = False) -> None:
        self.document, self.text, self.newline, self.coarse = document, document.text, newline, coarse
        self.edits: list[tuple[int, int, str]] = []

    def changed(self, data: dict[str, Any]) -> str:
        root: Node = self.document.root
        if not self.change(root, self.document.data, data, in_flow=False):
            raise Wrong("the layout cannot be kept")
        text, out, position = self.text, [], 0
        for start, end, new in sorted(self.edits, key=lambda edit: edit[:2]):
            if start < position:
                raise Wrong("the layout cannot be kept")
            out += [text[position:start], new]
            position = end
        return "".join(out) + text[position:]

    def change(self, node: Node, old: Any, new: Any, *, in_flow: bool) -> bool:
        """Note the edits inside a value; False if it has to be replaced as a whole by whoever holds it."""
        if _same(old, new):
            return True
        if self.coarse and node is not self.document.root:
            return False
        before = len(self.edits)
        done = False
        if node.style == "flow":
            done = self.change_flow(node, old, new, in_flow=in_flow)
        elif node.style == "block" and isinstance(old, dict) and isinstance(new, dict):
            done = self.change_fields(node, old, new)
        elif node.style == "block" and isinstance(old, list) and isinstance(new, list):
            done = self.change_items(node, old, new)
        elif node.style in ("", "'", '"') and node.end > node.start and not isinstance(new, dict | list):
            done = self.change_scalar(node, new, in_flow=in_flow)
        if not done:
            del self.edits[before:]
        return done

    def change_scalar(self, node: Node, new: Any, *, in_flow: bool) -> bool:
        if not in_flow and isinstance(new, str) and _literal(new):
            return False
        text = _scalar(new, flow=in_flow)
        if node.style and isinstance(new, str) and text == new:  # quoted before, quoted after
            text = f"'{new}'" if node.style == "'" and "'" not in new else _in_quotes(new)
        self.edits.append((node.start, node.end, text))
        return True

    def change_flow(self, node: Node, old: Any, new: Any, *, in_flow: bool) -> bool:
        """`[a, b]` and `{a: 1}`: edit inside if the shape stays, else write it anew in the same style where it fits."""
        before = len(self.edits)
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
            pairs = [(old[name], new[name]) for name in node.names]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            pairs = list(zip(old, new, strict=True))
        else:
            pairs = []
        if pairs and all(self.change(child, *pair, in_flow=True) for child, pair in zip(node.children, pairs, strict=True)):
            return True
        del self.edits[before:]
        text = _flow_item(new)
        same_kind = (isinstance(old, list) and isinstance(new, list)) or (isinstance(old, dict) and isinstance(new, dict))
        if in_flow or node is self.document.root or (same_kind and _fits(text, node.column)):
            self.edits.append((node.start, node.end, text))
            return True
        return False

    def change_fields(self, node: Node, old: dict[str, Any], new: dict[str, Any]) -> bool:
        kept = [index for index, name in enumerate(node.names) if name in new]
        if not kept:
            return False
        for index, (name, key, child) in enumerate(zip(node.names, node.keys, node.children, strict=True)):
            colon = self.skip(key.end)
            if self.text[colon : colon + 1] != ":" or not self.begins_line(key.start, allow_dash=index == 0):
                return False
            if name in new:
                if not self.change(child, old[name], new[name], in_flow=False):
                    self.replace_value(colon + 1, child, new[name], node.column)
            elif index > kept[0]:
                self.remove(key.start, self.content_end(child, colon + 1))
            elif index == 0:  # what stands before the first field, such as a dash, now stands before the first that stays
                self.edits.append((key.start, node.keys[kept[0]].start, ""))
        added = {name: value for name, value in new.items() if name not in old}
        if added:
            where = kept[-1]
            colon = self.skip(node.keys[where].end)
            self.insert_after(self.content_end(node.children[where], colon + 1), _fields(added, node.column))
        return True

    def change_items(self, node: Node, old: list[Any], new: list[Any]) -> bool:
        """Entries that stay at either end are left alone; those between are changed one by one, the rest added or removed."""
        if not new:
            return False
        dashes = self.dashes(node)
        if dashes is None:
            return False
        head = 0
        while head < min(len(old), len(new)) and _same(old[head], new[head]):
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and _same(old[-1 - tail], new[-1 - tail]):
            tail += 1
        for index in range(head, len(old) - tail):
            child = node.children[index]
            if index >= len(new) - tail:
                if not self.begins_line(dashes[index]):
                    return False
                self.remove(dashes[index], self.content_end(child, dashes[index] + 1))
            elif not self.change(child, old[index], new[index], in_flow=False):
                self.replace_value(dashes[index] + 1, child, new[index], node.column)
        added = new[len(old) - tail : len(new) - tail] if len(new) > len(old) else []
        if added:
            lines = [line for item in added for line in _entry(" " * node.column + "-", item, node.column)]
            previous = len(old) - tail - 1
            if previous >= 0:
                self.insert_after(self.content_end(node.children[previous], dashes[previous] + 1), lines)
            elif self.begins_line(dashes[0]):
                start = self.line_start(dashes[0])
                self.edits.append((start, start, "".join(line + self.newline for line in lines)))
            else:
                return False
        return True

    def replace_value(self, after: int, node: Node, new: Any, indent: int) -> None:
        """Write a value anew behind its `name:` or `-`, leaving a comment at the end of the line where it is."""
        first, *rest = _entry(" " * indent + "-" if self.text[after - 1] == "-" else " " * indent + "x:", new, indent)
        end = self.content_end(node, after)
        first = first[indent + (1 if self.text[after - 1] == "-" else 2) :]
        self.edits.append((after, end, first))
        if rest:
            self.insert_after(end, rest)

    def insert_after(self, index: int, lines: list[str]) -> None:
        end = self.line_end(index)
        self.edits.append((end, end, "".join(self.newline + line for line in lines)))

    def remove(self, start: int, end: int) -> None:
        """Take lines away together with the line break before them, so that lines can still be inserted at their end."""
        self.edits.append((self.line_end(self.line_start(start) - 1), self.line_end(end), ""))

    def content_end(self, node: Node, after: int) -> int:
        """Where a value's own text ends, without the blank lines and comments behind it; `after` is where an empty one stands."""
        if node.style == "block":
            child = node.children[-1]
            if node.keys:
                return self.content_end(child, self.skip(node.keys[-1].end) + 1)
            dashes = self.dashes(node)
            return self.content_end(child, dashes[-1] + 1 if dashes else child.start)
        if node.style in ("|", ">"):
            return node.start + len(self.text[node.start : node.end].rstrip())
        return node.end if node.end > node.start else after

    def dashes(self, node: Node) -> list[int] | None:
        """Where the dash of every entry of a block list stands."""
        found: list[int] = []
        position = node.start
        for child in node.children:
            position = self.skip(position, over_lines=True)
            if self.text[position : position + 1] != "-":
                return None
            found.append(position)
            position = self.content_end(child, position + 1)
        return found

    def skip(self, index: int, *, over_lines: bool = False) -> int:
        pattern = r"(?:[ \t\r\n]|(?:(?<=\s)|^)#[^\n]*)*" if over_lines else r"[ \t]*"
        found = re.compile(pattern).match(self.text, index)
        return found.end() if found else index

    def begins_line(self, index: int, *, allow_dash: bool = False) -> bool:
        before = self.text[self.line_start(index) : index]
        return not before.strip(" -" if allow_dash else " ")

    def line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return end - 1 if end and self.text[end - 1] == "\r" else end
