"""Saves YAML files atomically. An existing file is edited only where its data changes, so that comments stay."""

import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from rulewright.errors import UserError
from rulewright.files.documents import MAX_DEPTH, Document, Node, quoted, shortened, stamped
from rulewright.files.validation import kind_of
from rulewright.files.yaml_format import entry_text, fields_text, fits, flow_item, literal, render, without_tuples
from rulewright.files.yaml_reader import parse, reason_of
from rulewright.files.yaml_scalars import in_quotes, scalar


def write(path: str | Path, data: Any, *, over: Document | None = None) -> Document:
    """Saves data as a YAML file, completely or not at all, and returns the resulting document.

    `over` is the document to change: its comments, key order and layout stay, and only what differs is replaced.
    """
    path = Path(path)
    shown = shortened(str(path), 400)
    try:
        plain = without_tuples(msgspec.to_builtins(data, str_keys=True))
    except (TypeError, RecursionError, ValueError) as error:
        raise UserError(f"{shown}: the data cannot be saved as YAML: {shortened(str(error))}") from None
    if not isinstance(plain, dict):
        raise UserError(f"{shown}: a file must contain named fields, got {kind_of(plain)}")
    document = _text_for(path, plain, over)
    put(path, document.text.encode())
    return document


def rewritten(document: Document, data: dict[str, Any]) -> Document:
    """The document with other data: its comments, key order and layout stay, and only what differs is replaced. Nothing is saved."""
    return _text_for(document.path, data, document)


def _text_for(path: Path, data: dict[str, Any], over: Document | None) -> Document:
    """The text to save, after reading it back and comparing it with the data."""
    attempts: list[Callable[[], str]] = [lambda: stamped(render(data))]
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
            text = attempt()
            document = parse(stamped(text) if over is not None and over.version else text, str(path))
        except UserError as error:
            failure = error
            continue
        except RecursionError:
            failure = UserError(f"{shortened(str(path), 400)}: nested too deep: at most {MAX_DEPTH} levels can be saved")
            continue
        if _same(document.data, data):
            return document
        failure = UserError(f"{shortened(str(path), 400)}: the data cannot be saved as YAML without changing it")
    raise failure


def _same(a: Any, b: Any) -> bool:
    """Equal, and of the same types throughout: 1, 1.0 and true differ. The order of fields does not matter."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def put(path: Path, content: bytes) -> None:
    """Replaces a file in one step, so that a crash leaves the old one or the new one."""
    shown = shortened(str(path), 400)
    temporary = ""
    try:
        target = os.path.realpath(path)
        if os.path.isdir(target):
            raise UserError(f"{shown}: is a directory; name a file in it")
        if os.path.exists(target) and not os.access(target, os.W_OK):
            raise UserError(f"{shown}: cannot be saved: the file is read-only")
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
            raise UserError(f"{shown}: cannot be saved: there is no directory {quoted(str(path.parent))}") from None
        raise UserError(f"{shown}: cannot be saved: {reason_of(error)}") from None
    finally:
        if temporary:
            os.unlink(temporary)


def _sync_directory(directory: str) -> None:
    """Syncs the directory entry; the file is safe even on systems that cannot."""
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
    """Changes the text of a document only where its data changes. `coarse` rewrites every changed top-level field as a whole."""

    def __init__(self, document: Document, newline: str, *, coarse: bool = False) -> None:
        self.document, self.text, self.newline, self.coarse = document, document.text, newline, coarse
        self.edits: list[tuple[int, int, str]] = []

    def changed(self, data: dict[str, Any]) -> str:
        root: Node = self.document.root
        if not self.change(root, self.document.data, data, in_flow=False):
            raise UserError("the layout cannot be kept")
        text, out, position = self.text, [], 0
        for start, end, new in sorted(self.edits, key=lambda edit: edit[:2]):
            if start < position:
                raise UserError("the layout cannot be kept")
            out += [text[position:start], new]
            position = end
        return "".join(out) + text[position:]

    def change(self, node: Node, old: Any, new: Any, *, in_flow: bool) -> bool:
        """Records the edits inside a value; False if the caller has to replace it as a whole."""
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
        if not in_flow and isinstance(new, str) and literal(new):
            return False
        text = scalar(new, flow=in_flow)
        if node.style and isinstance(new, str) and text == new:  # keep the quotes
            text = f"'{new}'" if node.style == "'" and "'" not in new else in_quotes(new)
        self.edits.append((node.start, node.end, text))
        return True

    def change_flow(self, node: Node, old: Any, new: Any, *, in_flow: bool) -> bool:
        """`[a, b]` and `{a: 1}`: edits inside if the structure stays, otherwise rewrites it in the same style if it fits."""
        before = len(self.edits)
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
            values = [(old[name], new[name]) for name in node.names]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            values = list(zip(old, new, strict=True))
        else:
            values = []
        if values and all(self.change(child, *pair, in_flow=True) for child, pair in zip(node.children, values, strict=True)):
            return True
        del self.edits[before:]
        text = flow_item(new)
        same_kind = (isinstance(old, list) and isinstance(new, list)) or (isinstance(old, dict) and isinstance(new, dict))
        if in_flow or node is self.document.root or (same_kind and fits(text, node.column)):
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
            elif index == 0:  # what precedes the first field, such as a dash, now precedes the first remaining one
                self.edits.append((key.start, node.keys[kept[0]].start, ""))
        added = {name: value for name, value in new.items() if name not in old}
        if added:
            where = kept[-1]
            colon = self.skip(node.keys[where].end)
            self.insert_after(self.content_end(node.children[where], colon + 1), fields_text(added, node.column))
        return True

    def change_items(self, node: Node, old: list[Any], new: list[Any]) -> bool:
        """Leaves equal entries at both ends alone, changes those between one by one, and adds or removes the rest."""
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
            lines = [line for item in added for line in entry_text(" " * node.column + "-", item, node.column)]
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
        """Rewrites a value behind its `name:` or `-`, leaving a comment at the end of the line where it is."""
        first, *rest = entry_text(" " * indent + "-" if self.text[after - 1] == "-" else " " * indent + "x:", new, indent)
        end = self.content_end(node, after)
        first = first[indent + (1 if self.text[after - 1] == "-" else 2) :]
        self.edits.append((after, end, first))
        if rest:
            self.insert_after(end, rest)

    def insert_after(self, index: int, lines: list[str]) -> None:
        end = self.line_end(index)
        self.edits.append((end, end, "".join(self.newline + line for line in lines)))

    def remove(self, start: int, end: int) -> None:
        """Removes lines with the line break before them, so that lines can still be inserted at their end."""
        self.edits.append((self.line_end(self.line_start(start) - 1), self.line_end(end), ""))

    def content_end(self, node: Node, after: int) -> int:
        """Where a value's own text ends, without the blank lines and comments behind it; `after` is the position of an empty one."""
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
        """The position of the dash of every entry of a block list."""
        positions: list[int] = []
        position = node.start
        for child in node.children:
            position = self.skip(position, over_lines=True)
            if self.text[position : position + 1] != "-":
                return None
            positions.append(position)
            position = self.content_end(child, position + 1)
        return positions

    def skip(self, index: int, *, over_lines: bool = False) -> int:
        pattern = r"(?:[ \t\r\n]|(?:(?<=\s)|^)#[^\n]*)*" if over_lines else r"[ \t]*"
        match = re.compile(pattern).match(self.text, index)
        return match.end() if match else index

    def begins_line(self, index: int, *, allow_dash: bool = False) -> bool:
        before = self.text[self.line_start(index) : index]
        return not before.strip(" -" if allow_dash else " ")

    def line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return end - 1 if end and self.text[end - 1] == "\r" else end
