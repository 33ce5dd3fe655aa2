"""A file that was read: its data, its exact text, and the position of every value."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from rulewright.errors import UserError
from rulewright.files.yaml_scalars import scalar
from rulewright.version import __version__

T = TypeVar("T")
FieldPath = Sequence[str | int]

MAX_BYTES = 1 << 20
MAX_DEPTH = 40
MAX_NODES = 50_000
WIDTH = 100


class Node:
    """The position of one value in the text: character offsets, line and column (from 0), and its children."""

    __slots__ = ("children", "column", "end", "keys", "line", "names", "start", "style")

    def __init__(self, start: int, line: int, column: int, end: int, style: str) -> None:
        self.start, self.line, self.column, self.end, self.style = start, line, column, end, style
        self.keys: list[Node] = []
        self.names: list[str] = []
        self.children: list[Node] = []


class Document(msgspec.Struct, frozen=True, eq=False):
    """A file that was read: its plain data, its exact text, and the position of every value."""

    path: Path
    data: Any
    text: str
    root: Any

    def place(self, field: FieldPath = ()) -> tuple[int, int]:
        """Line and column, from 1, of a field (its name) or list entry; of its nearest parent if it is not in the file."""
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

    @property
    def version(self) -> tuple[int, ...]:
        """The version that wrote the file, from its first lines; empty if they do not say."""
        match = STAMPED.search(self.text[:2_000])
        return tuple(map(int, match["version"].split("."))) if match is not None else ()

    def wrong(self, field: FieldPath, what: str) -> UserError:
        """An error about one field of this file, with file, line and column. It mentions if a later version wrote the file."""
        line, column = self.place(field)
        if self.version > tuple(map(int, __version__.split(".")[:3])):
            later = ".".join(map(str, self.version))
            what = f"{what}; Rulewright {later} wrote the file and may know it, but this is {__version__}"
        return wrong_at(self.path, line, column, field, what)


STAMPED = re.compile(r"\A(?:#[^\n]*\n)*?# Rulewright (?P<version>\d{1,4}\.\d{1,4}\.\d{1,4})[ \t\r]*$", re.MULTILINE)
"""The comment line at the top of a file that names the version that wrote it."""


def stamped(text: str) -> str:
    """The text of a file with the present version at the top, replacing an earlier one."""
    match = STAMPED.search(text[:2_000])
    if match is not None:
        return f"{text[: match.start('version')]}{__version__}{text[match.end('version') :]}"
    return f"# Rulewright {__version__}\n{text}"


class Header(msgspec.Struct, frozen=True):
    """The fields at the top of every file: the game, the kind of content, and its name."""

    system: Annotated[str, msgspec.Meta(min_length=1)]
    kind: Annotated[str, msgspec.Meta(min_length=1)]
    name: Annotated[str, msgspec.Meta(min_length=1)]


def dotted(field: FieldPath) -> str:
    """A field's path as people write it: `weapons.0.name`."""
    return ".".join(shortened(str(part)) for part in field)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint about an unknown name: the nearest known ones, or all if they are few, or nothing."""
    names = [str(name) for name in known]
    close = nearest_names(word, names)
    if close:
        return "; did you mean " + " or ".join(quoted(name) for name in close) + "?"
    if names and len(names) <= 12:
        return "; known here: " + ", ".join(shortened(name) for name in names)
    return ""


def nearest_names(word: str, names: Sequence[str]) -> list[str]:
    """At most two known names similar to the word, ignoring case and separators."""
    if len(word) > 80 or len(names) > 5000:
        return []
    from difflib import get_close_matches

    def normalized(name: str) -> str:
        return re.sub(r"[\s_-]+", "_", name.strip().lower())

    name_by_form = {normalized(name): name for name in reversed(names) if len(name) <= 80}
    close = get_close_matches(normalized(word), list(name_by_form), n=2, cutoff=0.6)
    if len(normalized(word)) > 2 and normalized(word) not in name_by_form:  # a part of a name suggests that name
        partial = [name for name in name_by_form if normalized(word) in name]
        close = (partial + [name for name in close if normalized(word) not in name])[:2]
    return [name_by_form[name] for name in (close[:1] if close[:1] == [normalized(word)] else close)]


def shortened(text: str, most: int = 60) -> str:
    """Text for one line of a message: unprintable characters escaped, long text cut."""
    cut = text[:most] + ("…" if len(text) > most else "")
    return cut if cut.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def quoted(value: object) -> str:
    return f'"{shortened(value)}"' if isinstance(value, str) else shortened(scalar(value))


def wrong_at(path: Path | str, line: int, column: int, field: FieldPath, what: str) -> UserError:
    where = f"{shortened(str(path), 400)}:{line}:{column}: "
    return UserError(where + (f"{dotted(field)}: " if field else "") + shortened(what, 1000))
