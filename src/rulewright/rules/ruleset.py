"""A game's book, and rulesets: book, settings and house rules combined."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any, Generic

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import settings as campaign
from rulewright.rules.reasons import Source
from rulewright.rules.registry import DISABLED, alternatives, belongs, functions, key_of
from rulewright.rules.settings import Setting, SettingValue
from rulewright.rules.tables import Fewer, RawTable, Row, TableRow, nearest, row_types

INDEX = "index.yaml"
ADVICE = "advice"
"""The kind of a rule that is advice, with nothing to compute."""
OPTION = "option"
_reading = Lock()
"""Held while data files are read, since pages answer from several threads."""


class IndexEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule's place in the book, and its content in our words."""

    id: str
    title: str
    kind: str
    area: str
    lines: str
    text: str = ""
    heading: str = ""
    """The book's chapter and heading, and the page if the book's contents name one."""
    missing: str = ""
    """The part of the rule that is not implemented yet; such a rule does not count as implemented, though its tables may be in use."""


class RuleInfo(Struct, frozen=True):
    """An implemented rule in the registry."""

    id: str
    title: str
    text: str
    kind: str
    book: str
    code: str
    callable: bool
    functions: tuple[Callable[..., Any], ...] = ()
    table: RawTable | None = None
    heading: str = ""

    @property
    def only_advice(self) -> bool:
        """Whether it is only to be read: nothing to call, nothing to look up."""
        return self.kind == ADVICE and not self.callable and self.table is None

    def public(self) -> dict[str, object]:
        """The rule as plain data for other programs."""
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "kind": self.kind,
            "book": self.book,
            **({"heading": self.heading} if self.heading else {}),
            "code": self.code,
            "callable": self.callable,
        }


class House(Struct, frozen=True):
    """A campaign's house rules: settings, and rows of tables changed, added (whole rows) or removed (null)."""

    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}


class Book:
    """A game's rules as in its book: its settings, presets and data.

    Settings and presets are in the package's `data/settings.yaml`; a small game may give them here instead.
    """

    def __init__(
        self,
        system: str,
        package: str,
        settings: Iterable[Setting] = (),
        presets: Mapping[str, Mapping[str, SettingValue]] | None = None,
    ) -> None:
        self.system = system
        self.package = package
        kept, bundled = campaign.declared(package)
        self.settings: dict[str, Setting] = {**kept, **{setting.name: setting for setting in settings}}
        self.presets: dict[str, dict[str, SettingValue]] = {**bundled, **{name: dict(chosen) for name, chosen in (presets or {}).items()}}
        self._tables: dict[str, RawTable] | None = None
        self._unread: list[Any] | None = None
        self._index: dict[str, IndexEntry] | None = None
        self._plain: Ruleset | None = None
        self._loaded = False

    def ruleset(
        self, preset: str | None = None, settings: Mapping[str, SettingValue] | None = None, house: House | None = None
    ) -> "Ruleset":
        """The rules of a campaign: the book, a preset, the house rules, and settings on top."""
        if preset is None and not settings and house is None:
            if self._plain is None:
                self._plain = Ruleset(self, {}, {})
            return self._plain
        chosen: dict[str, SettingValue] = {}
        if preset is not None:
            if preset not in self.presets:
                raise UserError(f"{self.system} has no preset {preset!r}; it has {', '.join(self.presets) or 'none'}")
            chosen.update(self.presets[preset])
        if house is not None:
            chosen.update(house.settings)
        chosen.update(settings or {})
        return Ruleset(self, chosen, house.tables if house is not None else {})

    def setting(self, name: str) -> Setting:
        """A declared setting by name; the error for an unknown name suggests the nearest one."""
        setting = self.settings.get(name)
        if setting is None:
            raise UserError(
                f"{self.system} has no setting {name!r}{nearest(name, self.settings) or f'; `rulewright systems {self.system}` lists them'}"
            )
        return setting

    def raw(self, rule_id: str) -> RawTable:
        """A table as the book prints it; only data files that name it are read."""
        raw_table = (self._tables or {}).get(rule_id) or self._read_tables(rule_id).get(rule_id)
        if raw_table is None:
            raise UserError(f"{self.system} has no table {rule_id!r}{nearest(rule_id, self.tables())}")
        return raw_table

    def tables(self) -> dict[str, RawTable]:
        """All data tables, by rule id."""
        return self._read_tables()

    def index(self) -> dict[str, IndexEntry]:
        """Title, kind and place in the book of every rule."""
        if self._index is None:
            from rulewright.files import read_data

            listed = [entry for file in self._files() if file.name == INDEX for entry in msgspec.convert(read_data(file), list[IndexEntry])]
            self._index = {entry.id: entry for entry in listed}
        return self._index

    def _files(self) -> list[Any]:
        """All data files, sorted by path."""
        from importlib import resources

        files, folders = [], [resources.files(self.package).joinpath("data")]
        while folders:
            for entry in folders.pop().iterdir():
                if entry.is_dir():
                    folders.append(entry)
                elif entry.name.endswith(".yaml") and entry.name != campaign.FILE:
                    files.append(entry)
        return sorted(files, key=str)

    def file_of(self, rule_id: str) -> str:
        """The data file with a rule's table; empty if there is none."""
        mark = f"rule: {rule_id}"
        return next((str(file) for file in self._files() if file.name != INDEX and mark in file.read_text("utf-8")), "")

    def _read_tables(self, wanted: str = "") -> dict[str, RawTable]:
        """The tables known so far, plus those of unread files that name the wanted table."""
        with _reading:
            if self._unread is None:
                self._unread = [file for file in self._files() if file.name != INDEX] if self._tables is None else []
            wanted_files = [file for file in self._unread if wanted in file.read_text("utf-8")]
            if self._tables is None or wanted_files:
                self._tables = self._with_tables_of(wanted_files)
                self._unread = [file for file in self._unread if file not in wanted_files]
            return self._tables

    def _with_tables_of(self, files: list[Any]) -> dict[str, RawTable]:
        from rulewright.files import read_data

        tables = dict(self._tables or {})
        for file in files:
            for table in msgspec.convert(read_data(file), list[RawTable]):
                if table.rule in tables:
                    raise ValueError(f"{file.name}: {table.rule} has two tables")
                tables[table.rule] = RawTable(table.rule, table.key, []) if table.rule in DISABLED else table
        return tables

    def load(self) -> None:
        """Imports every module of the game, so that all its rules are registered."""
        if self._loaded:
            return
        package = importlib.import_module(self.package)
        for module in pkgutil.walk_packages(package.__path__, self.package + "."):
            importlib.import_module(module.name)
        self._loaded = True

    def rules(self) -> list[RuleInfo]:
        """Every implemented rule, in the order of the book's index, including advice."""
        self.load()
        known = self.index()
        own = {rule_id for rule_id, candidates in functions.items() if any(belongs(f, self.package) for f in candidates)}
        infos = [self._implemented(rule_id) for rule_id in (*known, *sorted((own | set(self.tables())) - set(known)))]
        return [info for info in infos if info is not None]

    def _implemented(self, rule_id: str) -> RuleInfo | None:
        """A rule with its implementation; None if it has none."""
        entry = self.index().get(rule_id) or IndexEntry(rule_id, rule_id, "core", "", "")
        implementing = tuple(f for f in functions.get(rule_id, ()) if belongs(f, self.package))
        table = self.tables().get(rule_id)
        if entry.missing or (not implementing and table is None and entry.kind != ADVICE):
            return None
        if entry.kind == OPTION:
            implementing = _option_first(implementing)
        first = implementing[0] if implementing else None
        text = entry.text or ((first.__doc__ or "").strip() if first is not None else "")
        code = key_of(first) if first is not None else f"{self.package}:data"
        book = f"lines {entry.lines}" if entry.lines else ""
        is_callable = bool(implementing)
        return RuleInfo(rule_id, entry.title, text, entry.kind, book, code, is_callable, implementing, table, entry.heading)

    def rule(self, rule_id: str) -> RuleInfo:
        """One implemented rule; the error for an unknown id suggests the nearest one."""
        self.load()
        info = self._implemented(rule_id)
        if info is None:
            raise UserError(f"{self.system} has no rule {rule_id!r}{nearest(rule_id, [other.id for other in self.rules()])}")
        return info


def _option_first(steps: tuple[Callable[..., Any], ...]) -> tuple[Callable[..., Any], ...]:
    """The functions of an option, each before the one that it replaces, so that the option's id refers to the replacement."""
    ordered = list(steps)
    for step in steps:
        others = {key_of(other) for _, _, other in alternatives.get(key_of(step), ())}
        for replacement in [function for function in steps if key_of(function) in others and ordered.index(function) > ordered.index(step)]:
            ordered.remove(replacement)
            ordered.insert(ordered.index(step), replacement)
    return tuple(ordered)


class Ruleset:
    """The frozen combination of book, settings and house rules. Equal rulesets have equal digests."""

    __slots__ = ("_hash", "_rows", "book", "changes", "chosen", "digest", "settings", "steps")

    def __init__(self, book: Book, chosen: Mapping[str, SettingValue], changes: Mapping[str, Mapping[str, dict[str, Any] | None]]) -> None:
        self.book = book
        settings = {name: setting.default for name, setting in book.settings.items()}
        for name, value in chosen.items():
            settings[name] = book.setting(name).check(value)
        self.settings = settings
        self.chosen = {name: value for name, value in settings.items() if value != book.settings[name].default}
        self.changes = {rule_id: dict(rows) for rule_id, rows in changes.items()}
        campaign.refuse_excluded(book.settings.values(), settings)
        if self.chosen or self.changes:
            book.load()
        self.steps: dict[str, Callable[..., Any]] = {}
        for key, replacements in alternatives.items():
            for setting, value, function in replacements:
                if setting in self.chosen and self.chosen[setting] == value and belongs(function, book.package):
                    self.steps[key] = function
        described = msgspec.json.encode([book.system, sorted(self.chosen.items()), self.changes], order="sorted")
        self.digest = _digest(described)
        self._hash = hash(self.digest)
        self._rows: dict[str, Mapping[str, Any]] = {}
        for rule_id in self.changes:
            self.rows(rule_id, row_types.get(rule_id, TableRow))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ruleset) and other.digest == self.digest)

    def __repr__(self) -> str:
        return f"<rules of {self.book.system}, {self.digest}>"

    @property
    def system(self) -> str:
        """The game's id."""
        return self.book.system

    def on(self, name: str) -> bool:
        """Whether an optional rule is on."""
        return bool(self.settings[name])

    def number(self, name: str) -> int:
        """The value of a numeric setting."""
        return int(self.settings[name])

    def word(self, name: str) -> str:
        """The value of a setting that is one of several words."""
        return str(self.settings[name])

    def source(self, name: str) -> Source:
        """The source of a setting's value: the campaign, the book or a ruling."""
        return "house" if name in self.chosen else self.book.settings[name].source

    def rows(self, rule_id: str, row_type: type[Row]) -> Mapping[str, Row]:
        """A table's rows by key, with house rules applied."""
        rows = self._rows.get(rule_id)
        if rows is None:
            rows = self._rows[rule_id] = self._convert(rule_id, row_type)
        return rows

    def _convert(self, rule_id: str, row_type: type[Row]) -> Mapping[str, Row]:
        table = self.book.raw(rule_id)
        rows = {str(row[table.key]): row for row in table.rows}
        printed = frozenset(rows)
        for key, change in self.changes.get(rule_id, {}).items():
            if change is None:
                if rows.pop(key, None) is None:
                    raise UserError(f"house rules: {rule_id} has no row {key!r}{nearest(key, rows)}")
            else:
                rows[key] = {table.key: key, **rows.get(key, {}), **change, "source": "house"}
        removed = [key for key, change in self.changes.get(rule_id, {}).items() if change is None]
        row_by_key: dict[str, Row] = Fewer(rule_id, removed) if removed else {}
        for key, row in rows.items():
            try:
                row_by_key[key] = msgspec.convert(row, row_type, strict=key in printed)  # the key of an added row may represent a number
            except msgspec.ValidationError as error:
                raise UserError(
                    f"{'house rules: ' if key in self.changes.get(rule_id, {}) else ''}{rule_id}, row {key!r}: {error}"
                ) from None
        return row_by_key


def _digest(content: bytes) -> str:
    from hashlib import blake2b

    return blake2b(content, digest_size=8).hexdigest()


class Table(Generic[Row]):
    """A table of the book with typed rows: `GUNS(rules)["9mm pistol"]`."""

    def __init__(self, rule_id: str, row_type: type[Row]) -> None:
        self.rule = rule_id
        self.row_type = row_type
        row_types[rule_id] = row_type

    def __call__(self, rules: Ruleset) -> Mapping[str, Row]:
        return rules.rows(self.rule, self.row_type)

    def get(self, rules: Ruleset, key: str) -> Row:
        """One row, ignoring case; the error for an unknown key suggests the nearest one."""
        rows = rules.rows(self.rule, self.row_type)
        if key in rows:
            return rows[key]
        for known, row in rows.items():
            if known.casefold() == key.casefold():
                return row
        raise UserError(f"{self.rule} has no row {key!r}{nearest(key, rows)}")
