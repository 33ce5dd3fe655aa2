"""Strict YAML reader: processes the parser's events once, so that nothing dangerous (aliases, tags, nesting) is ever composed."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from rulewright.errors import UserError
from rulewright.files.documents import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Document,
    FieldPath,
    Header,
    Node,
    nearest_names,
    quoted,
    shortened,
    wrong_at,
)
from rulewright.files.validation import convert, kind_of
from rulewright.files.yaml_scalars import plain_scalar


def read(path: str | Path) -> Document:
    """Reads a YAML file of a user; errors are one line with file, line and column."""
    return parse(_bytes_of(Path(path)), str(path))


def parse(text: str | bytes, name: str) -> Document:
    """Reads text from elsewhere, such as an upload; `name` is used in messages."""
    clean = _decoded(text, name)
    data, root = _Builder(clean, name).build()
    if not isinstance(data, dict):
        raise wrong_at(name, root.line + 1, root.column + 1, (), f"expected named fields such as `name: Ana`, got {kind_of(data)}")
    return Document(Path(name), data, clean, root)


def parse_value(text: str, name: str = "value") -> Any:
    """Reads one value, from a command line or a form: `2`, `true`, `[1, 2]`, `{flesh: 2}` or text."""
    return _Builder(_decoded(text, name), name, empty_is_text=True).build()[0]


class Readable(Protocol):
    """A path or a package resource."""

    def read_bytes(self) -> bytes: ...


def read_data(source: str | Readable) -> Any:
    """Loads YAML from our own package, without the limits for users' files: keys may be numbers, anchors may be used."""
    readable = Path(source) if isinstance(source, str) else source
    return _Builder(readable.read_bytes().decode("utf-8-sig"), str(source), trusted=True).build()[0]


def header(document: Document) -> Header:
    """The three fields at the top of every file: `system`, `kind` and `name`."""
    return convert(document, Header)


def _bytes_of(path: Path) -> bytes:
    shown = shortened(str(path), 400)
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise UserError(f"{shown}: is a directory; name a file in it")
        if not stat.S_ISREG(mode):
            raise UserError(f"{shown}: is not a regular file")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(f"{shown}: no such file{_near_file(path)}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{shown}: cannot be read: {reason_of(error)}") from None


def _near_file(path: Path) -> str:
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(2000), strict=False)]
    except (OSError, ValueError):
        return f"; there is no directory {quoted(str(path.parent))}"
    close = nearest_names(path.name, names)
    return "; did you mean " + " or ".join(quoted(name) for name in close) + "?" if close else ""


def reason_of(error: Exception) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


# Characters that YAML does not allow; a file with them is not a text file.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|[\ud800-\udfff]|[\ufffe\uffff]")


def _decoded(text: str | bytes, name: str) -> str:
    """The text, after checking its size, encoding and characters; without a byte order mark."""
    if len(text) > MAX_BYTES or (isinstance(text, str) and len(text) * 4 > MAX_BYTES and len(text.encode(errors="replace")) > MAX_BYTES):
        raise wrong_at(name, 1, 1, (), "the file is too large; at most 1 MiB can be read")
    if isinstance(text, bytes):
        if b"\0" in text:
            raise wrong_at(name, 1, 1, (), "this is not a text file: expected YAML in UTF-8")
        raw = text
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            line, column = _line_and_column(raw[: error.start].decode(), error.start)
            byte = f"byte {error.start + 1} is 0x{raw[error.start]:02x}"
            raise wrong_at(name, line, column, (), f"this is not UTF-8 text ({byte}): save the file as UTF-8") from None
    text = text.removeprefix("\ufeff")
    if match := _FORBIDDEN.search(text):
        line, column = _line_and_column(text, match.start())
        raise wrong_at(name, line, column, (), f"the character U+{ord(match[0]):04X} is not allowed in a text file; remove it")
    return text


def _line_and_column(text: str, index: int) -> tuple[int, int]:
    before = text[:index]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _events(text: str, name: str) -> Iterator[Any]:
    """The parser's events, from the C parser if it is installed; syntax errors are explained in our words."""
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
        raise wrong_at(name, line, column, (), _malformed(error, text)) from None
    except YAMLError as error:
        raise wrong_at(name, 1, 1, (), "this is not YAML: " + " ".join(str(error).split())) from None


def _malformed(error: Any, text: str) -> str:
    """The most common meaning of a YAML syntax error, and how to correct it."""
    problem = " ".join((error.problem or "").split())
    context = " ".join((error.context or "").split())
    on_line = f" on line {error.context_mark.line + 1}" if error.context_mark else ""
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
        return f"the list that opens with [{on_line} is not closed: expected , or ]"
    if "flow mapping" in context:
        return f"the fields that open with {{{on_line} are not closed: expected , or }}"
    if "quoted scalar" in context and "end of stream" in problem:
        return f"the quotation mark{on_line} is never closed"
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
        return "this does not fit the lines above it: check the indentation and the quotation marks"
    return "this is not YAML: " + " ".join(f"{context}: {problem}".strip(": ").split())


class _Builder:
    """Turns events into plain values and their positions, and rejects what users' files must not contain."""

    def __init__(self, text: str, name: str, *, trusted: bool = False, empty_is_text: bool = False) -> None:
        self.name, self.trusted, self.empty_is_text = name, trusted, empty_is_text
        self.events = _events(text, name)
        self.text = text
        self.path: list[str | int] = []
        self.anchors: dict[str, Any] = {}
        self.nodes = 0

    def wrong(self, event: Any, what: str, field: FieldPath | None = None) -> UserError:
        mark = event.start_mark
        return wrong_at(self.name, mark.line + 1, mark.column + 1, self.path if field is None else field, what)

    def build(self) -> tuple[Any, Node]:
        from ruamel.yaml.events import DocumentStartEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent, StreamEndEvent

        self.scalar, self.mapping, self.sequence = ScalarEvent, MappingStartEvent, SequenceStartEvent
        built: tuple[Any, Node] | None = None
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                if built is not None:
                    raise self.wrong(event, "a second document begins here; a file has one document, without ---")
                built = self.value(next(self.events), 0)
            elif isinstance(event, StreamEndEvent):
                break
        if built is None:
            if self.empty_is_text:
                return self.text, Node(0, 0, 0, 0, "")
            raise wrong_at(self.name, 1, 1, (), "the file is empty: expected named fields such as `name: Ana`")
        return built

    def value(self, event: Any, depth: int) -> tuple[Any, Node]:
        self.nodes += 1
        kind = type(event)
        if not self.trusted:
            if self.nodes > MAX_NODES:
                raise self.wrong(event, f"the file has too many values; at most {MAX_NODES:,} can be read")
            if depth > MAX_DEPTH:
                raise self.wrong(event, f"nested too deep; at most {MAX_DEPTH} levels can be read", self.path[:3])
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
            what = f"tags such as {shortened(tag)} are not supported here: remove it, or put text that starts with ! in quotes"
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
            return plain_scalar(event.value)
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
                raise self.wrong(event, f"this name occurs twice, first on line {first}; keep one of them", [*self.path, str(name)])
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
        """A field's name is text as written, so `1:` and `on:` are names too; our own tables may have numbers."""
        if type(event) is not self.scalar:
            if getattr(event, "anchor", None) is not None:
                self.value(event, 0)
            raise self.wrong(event, "the name of a field must be one word or text in quotes, not a list or fields")
        if not event.style and event.value in ("", "<<"):
            no_merge = "merge keys (<<) are not supported here: write the fields out"
            raise self.wrong(event, no_merge if event.value else "a name is missing before the `:`")
        if self.trusted and not event.style:
            return self.scalar_value(event)
        return event.value
