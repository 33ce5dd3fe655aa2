"""Loads an adventure with all of its files: characters, maps, scenarios and texts. An error lists everything that is wrong."""

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright import files, library
from rulewright.adventure.format import ADVENTURE, MAIN, Action, Adventure, Handout, Node, Request
from rulewright.adventure.package import read_package
from rulewright.adventure.references import is_file, wrong_references
from rulewright.adventure.texts import joined_lines
from rulewright.errors import UserError, all_of
from rulewright.files.documents import quoted
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import MapFile, Scenario
from rulewright.system import System, find, names

PARTY = "party"
"""The side of a scenario with the places of the party, and the character of each place."""


class Opened(Struct, frozen=True, eq=False):
    """An adventure with everything in its folder, ready to be checked and played. All texts are read."""

    source: str
    system: System
    rules: Ruleset
    adventure: Adventure
    document: files.Document
    content: Mapping[str, bytes]
    ready: Mapping[str, Any]
    """The ready-made characters by file."""
    people: Mapping[str, Any]
    """Everybody else by name."""
    maps: Mapping[str, MapFile]
    scenarios: Mapping[str, library.Kept]
    """The scenarios of fights by file, with their maps."""

    @property
    def party(self) -> tuple[Any, ...]:
        """The ready-made characters in order."""
        return tuple(self.ready.values())


def starters(system: System) -> dict[str, dict[str, bytes]]:
    """The files of the adventures that ship with a game, by the adventure's name."""
    folder = resources.files(system.book.package).joinpath("demos", "adventures")
    if not folder.is_dir():
        return {}
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return {entry.name: dict(_contents(entry, "")) for entry in entries if entry.is_dir() and entry.joinpath(MAIN).is_file()}


def _contents(folder: Any, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda candidate: str(candidate.name)):
        if entry.is_dir():
            yield from _contents(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()


def open_adventure(source: str | Path) -> Opened:
    """Load an adventure from a folder or a zip file, or one that ships with a game, as `scumm/glass-ferry`."""
    game, slash, name = str(source).partition("/")
    if slash and game in names() and not Path(source).exists():
        return open_content(starter(find(game), name), str(source))
    return open_content(read_package(source), str(source))


def starter(system: System, name: str) -> dict[str, bytes]:
    """The files of an adventure that ships with a game."""
    known = starters(system)
    if name not in known:
        hint = files.did_you_mean(name[:60], known) if known else "; it has none"
        raise UserError(f"{system.name} has no ready-made adventure {quoted(name)}{hint}")
    return known[name]


def open_content(content: Mapping[str, bytes], source: str) -> Opened:
    """Load an adventure from the files of its folder."""
    home = source.rstrip("/").removesuffix(f"/{MAIN}")
    document = files.parse(content[MAIN], f"{home}/{MAIN}")
    header = files.header(document)
    if header.kind != ADVENTURE:
        raise document.wrong(("kind",), f"an adventure is needed here, and this is {header.kind}")
    try:
        system = find(header.system)
    except UserError as error:
        raise document.wrong(("system",), str(error)) from None
    adventure = files.convert(document, Adventure)
    return _Loading(home, system, document, adventure, content).opened()


class _Loading:
    """Collects the faults of all files, so that one run reports them all."""

    def __init__(self, home: str, system: System, document: files.Document, adventure: Adventure, content: Mapping[str, bytes]) -> None:
        self.home, self.system, self.document, self.adventure, self.content = home, system, document, adventure, content
        self.faults = wrong_references(adventure, document, content)

    def opened(self) -> Opened:
        adventure = self.adventure
        rules = self._rules()
        ready = {file: self._character(("ready", number), file) for number, file in enumerate(adventure.ready) if file in self.content}
        people = {name: self._character(("people", name), file) for name, file in adventure.people.items()}
        maps = {name: self._map(("maps", name), file) for name, file in adventure.maps.items()}
        scenarios = {}
        for key, node in adventure.nodes.items():
            if node.fight is not None and node.fight.scenario in self.content and node.fight.scenario not in scenarios:
                kept = self._file(("nodes", key, "fight", "scenario"), node.fight.scenario, "scenario")
                if kept is not None:
                    scenarios[node.fight.scenario] = self._with_map(kept, maps)
        texts = self._with_texts()
        if self.faults:
            raise all_of(self.faults)
        return Opened(self.home, self.system, rules, texts, self.document, self.content, ready, people, maps, scenarios)

    def _rules(self) -> Ruleset:
        try:
            return library.ruleset(self.system, self.adventure.preset or None, self.adventure.settings)
        except UserError as error:
            self.faults.append(self.document.wrong(("settings" if self.adventure.settings else "preset",), str(error)))
            return self.system.book.ruleset()

    def _character(self, field: tuple[Any, ...], file: str) -> Any:
        if file in self.content:
            kept = self._file(field, file, *self.system.kinds)
            return kept.thing if kept is not None else None
        if "/" in file or "." in file:
            return None  # a missing file is reported as a reference
        try:
            return library.fetch(self.system, file)
        except UserError as error:
            self.faults.append(self.document.wrong(field, str(error)))
            return None

    def _map(self, field: tuple[Any, ...], file: str) -> Any:
        if file in self.content:
            kept = self._file(field, file, "map")
            return kept.thing if kept is not None else None
        return None

    def _file(self, field: tuple[Any, ...], name: str, *kinds: str) -> library.Kept | None:
        """A file of the folder; None if it cannot be used."""
        try:
            kept = library.opened(files.parse(self.content[name], f"{self.home}/{name}"), name)
        except UserError as error:
            self.faults.append(error)
            return None
        if kept.kind not in kinds:
            self.faults.append(self.document.wrong(field, f"{name} is a file of the kind {kept.kind}, not {kinds[0]}"))
        elif kept.system.id != self.system.id:
            self.faults.append(self.document.wrong(field, f"{name} belongs to {kept.system.name}, not to {self.system.name}"))
        else:
            return kept
        return None

    def _with_map(self, kept: library.Kept, maps: Mapping[str, Any]) -> library.Kept:
        scenario: Scenario = kept.thing
        if not isinstance(scenario.map, str):
            return kept
        drawn = maps.get(scenario.map) or self._map((), scenario.map)
        if drawn is None:
            known = list(self.adventure.maps)
            words = f"there is no map {quoted(scenario.map)} in `maps` of {MAIN}{files.did_you_mean(scenario.map, known)}"
            self.faults.append(kept.document.wrong(("map",), words))
            return kept
        return replace(kept, thing=replace(scenario, map=drawn.map))

    # --- texts

    def _with_texts(self) -> Adventure:
        """The adventure with the content of text files in place of their names."""
        adventure = self.adventure
        handouts = {name: replace(handout, text=self._text(handout.text)) for name, handout in adventure.handouts.items()}
        nodes = {key: self._node(node) for key, node in adventure.nodes.items()}
        return replace(adventure, lead=self._text(adventure.lead), handouts=handouts, nodes=nodes)

    def _node(self, node: Node) -> Node:
        def read(part: Action | Request | Handout) -> Any:
            return replace(part, text=self._text(part.text))

        return replace(
            node,
            read=self._text(node.read),
            lead=self._text(node.lead),
            otherwise=self._text(node.otherwise),
            actions=[read(action) for action in node.actions],
            requests=[read(request) for request in node.requests],
        )

    def _text(self, text: str) -> str:
        if not is_file(text) or text not in self.content:
            return text
        try:
            return joined_lines(self.content[text].decode("utf-8-sig").strip())
        except UnicodeDecodeError as error:
            self.faults.append(UserError(f"{self.home}/{text}: the text is not UTF-8 (byte {error.start})"))
            return ""
