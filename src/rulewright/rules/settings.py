"""Settings of a campaign: optional rules, variants, and rulings where a book is unclear.

A game's settings are the rows of its `data/settings.yaml`. A file with one JSON object a line is read without the YAML parser, which a
single roll on the command line then need not load. Rows with a `preset` bundle settings under a name.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from rulewright.errors import UserError

FILE = "settings.yaml"
SettingValue = bool | int | str


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice of the campaign: an optional rule, a variant, or a ruling where the book is unclear."""

    name: str
    title: str
    text: str
    rule: str
    default: SettingValue = False
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    source: Literal["book", "ruling"] = "book"
    lines: str = ""
    excludes: tuple[tuple[SettingValue, str, SettingValue, str], ...] = ()
    """(own value, other setting, its value, why): combinations that cannot work together."""

    def allowed(self) -> str:
        """The allowed values, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"a whole number from {self.low} to {self.high}"
        return "one of " + ", ".join(self.values)

    def check(self, value: object) -> SettingValue:
        """The value, after checking that it is allowed."""
        if isinstance(self.default, bool):
            is_allowed = isinstance(value, bool)
        elif isinstance(self.default, int):
            is_allowed = (
                isinstance(value, int)
                and not isinstance(value, bool)
                and (self.low is None or value >= self.low)
                and (self.high is None or value <= self.high)
            )
        else:
            is_allowed = value in self.values
        if not is_allowed:
            raise UserError(f"setting {self.name} takes {self.allowed()}, not {value!r}")
        return cast(SettingValue, value)


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings bundled under a name; `options` turns all optional rules on or off, except those in `but`."""

    preset: str
    settings: dict[str, SettingValue] = {}
    options: bool | None = None
    but: tuple[str, ...] = msgspec.field(default=(), name="except")

    def chosen(self, settings: Iterable[Setting]) -> dict[str, SettingValue]:
        """The choices of this preset that differ from the book."""
        optional = [s for s in settings if s.source == "book" and isinstance(s.default, bool) and s.name not in self.but]
        every = {s.name: self.options for s in optional if self.options is not None and s.default is not self.options}
        return {**every, **self.settings}


def declared(package: str) -> tuple[dict[str, Setting], dict[str, dict[str, SettingValue]]]:
    """The settings and presets in a game's data file, by name; empty if it has no such file."""
    try:
        content = pkgutil.get_data(package, f"data/{FILE}") or b""
    except FileNotFoundError:
        return {}, {}
    rows = [_row(package, number, row) for number, row in enumerate(_rows(package, content), 1)]
    settings = [row for row in rows if isinstance(row, Setting)]
    presets = [row for row in rows if isinstance(row, Preset)]
    return {setting.name: setting for setting in settings}, {candidate.preset: candidate.chosen(settings) for candidate in presets}


def _rows(package: str, content: bytes) -> list[Any]:
    """The rows of the file as plain data."""
    lines = [line for line in content.splitlines() if line.strip() and not line.startswith(b"#")]
    try:
        return [msgspec.json.decode(line.removeprefix(b"- ")) for line in lines]
    except msgspec.DecodeError:
        from importlib import resources

        from rulewright.files import read_data

        rows = read_data(resources.files(package).joinpath("data", FILE))
        return rows if isinstance(rows, list) else [rows]


def _row(package: str, number: int, row: Any) -> Setting | Preset:
    """A row of the file: a setting or a preset."""
    try:
        return msgspec.convert(row, Preset) if "preset" in row else msgspec.convert(row, Setting)
    except (msgspec.ValidationError, TypeError) as error:
        named = f" ({row['name']})" if isinstance(row, dict) and "name" in row else ""
        raise ValueError(f"{package}: {FILE}, row {number}{named}: {error}") from None


def refuse_excluded(declared: Iterable[Setting], settings: Mapping[str, SettingValue]) -> None:
    """Raises an error for settings that cannot work together."""
    for setting in declared:
        for own, other, theirs, why in setting.excludes:
            if settings[setting.name] == own and settings.get(other) == theirs:
                raise UserError(f"settings {setting.name} = {own} and {other} = {theirs} cannot work together: {why}")
