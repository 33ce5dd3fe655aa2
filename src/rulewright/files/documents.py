"""What a file that was read is: its data, its exact text, and where in the text every value stands."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from rulewright import __version__
from rulewright.errors import UserError
from rulewright.files.yaml_scalars import scalar

T = TypeVar("T")
FieldPath = Sequence[str | int]

MAX_BYTES = 1 << 20
MAX_DEPTH = 40
MAX_NODES = 50_000
WIDTH = 100


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

    @property
    def version(self) -> tuple[int, ...]:
        """The version that wrote the file, as its first lines say; nothing where they do not."""
        match = STAMPED.search(self.text[:2_000])
        return tuple(map(int, match["version"].split("."))) if match is not None else ()

    def wrong(self, field: FieldPath, what: str) -> UserError:
        """The exception that says what is wrong with one field of this file, with file, line and column; of a file of a later version
        that it is one, which may be all that is wrong with it."""
        line, column = self.place(field)
        if self.version > tuple(map(int, __version__.split(".")[:3])):
            later = ".".join(map(str, self.version))
            what = f"{what}; the file was written by Rulewright {later}, and this is {__version__}: a later version may know it"
        return wrong_at(self.path, line, column, field, what)


STAMPED = re.compile(r"\A(?:#[^\n]*\n)*?# Rulewright (?P<version>\d{1,4}\.\d{1,4}\.\d{1,4})[ \t\r]*$", re.MULTILINE)
"""The line, among the first comments of a file, that says which version wrote it."""


def stamped(text: str) -> str:
    """The text of a file with the version that writes it on top; in the place of an earlier one."""
    match = STAMPED.search(text[:2_000])
    if match is not None:
        return f"{text[: match.start('version')]}{__version__}{text[match.end('version') :]}"
    return f"# Rulewright {__version__}\n{text}"


class Header(msgspec.Struct, frozen=True):
    """What stands on top of every file people keep: which game, what sort of thing, and what it is called."""

    system: Annotated[str, msgspec.Meta(min_length=1)]
    kind: Annotated[str, msgspec.Meta(min_length=1)]
    name: Annotated[str, msgspec.Meta(min_length=1)]


def dotted(field: FieldPath) -> str:
    """A field's path as people write it: `weapons.0.name`."""
    return ".".join(shortened(str(part)) for part in field)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known ones, or all if they are few, or nothing."""
    names = [str(name) for name in known]
    close = nearest_names(word, names)
    if close:
        return "; did you mean " + " or ".join(quoted(name) for name in close) + "?"
    if names and len(names) <= 12:
        return "; known here: " + ", ".join(shortened(name) for name in names)
    return ""


def nearest_names(word: str, names: Sequence[str]) -> list[str]:
    """At most two known names that look like the word, letter case and joining marks aside."""
    if len(word) > 80 or len(names) > 5000:
        return []
    from difflib import get_close_matches

    def bare(name: str) -> str:
        return re.sub(r"[\s_-]+", "_", name.strip().lower())

    by_bare = {bare(name): name for name in reversed(names) if len(name) <= 80}
    close = get_close_matches(bare(word), list(by_bare), n=2, cutoff=0.6)
    if len(bare(word)) > 2 and bare(word) not in by_bare:  # a part of a name is meant as that name
        close = ([name for name in by_bare if bare(word) in name] + [name for name in close if bare(word) not in name])[:2]
    return [by_bare[name] for name in (close[:1] if close[:1] == [bare(word)] else close)]


def shortened(text: str, most: int = 60) -> str:
    """Text fit for one line of a message: unprintable characters escaped, long text cut."""
    cut = text[:most] + ("…" if len(text) > most else "")
    return cut if cut.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def quoted(value: object) -> str:
    return f'"{shortened(value)}"' if isinstance(value, str) else shortened(scalar(value))


def wrong_at(path: Path | str, line: int, column: int, field: FieldPath, what: str) -> UserError:
    where = f"{shortened(str(path), 400)}:{line}:{column}: "
    return UserError(where + (f"{dotted(field)}: " if field else "") + shortened(what, 1000))
