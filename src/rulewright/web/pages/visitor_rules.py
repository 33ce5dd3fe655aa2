"""The options that a visitor plays a game by: a preset, and settings that differ from it."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from rulewright import library
from rulewright.grammar import count
from rulewright.rules import Ruleset, Setting, SettingValue
from rulewright.system import System
from rulewright.web.pages.games import game


class Campaign(Struct, frozen=True):
    """A preset, and each setting that differs from it, as typed."""

    preset: str | None = None
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, system: System, preset: str | None, texts: Mapping[str, str]) -> "Campaign":
        """A campaign from a preset and typed settings; refuses combinations that cannot be played."""
        usual = system.book.ruleset(preset or None).settings
        typed = library.typed(system, texts)
        kept = preset if preset and system.book.presets[preset] else None  # a preset that chooses nothing is the book
        chosen = cls(kept, tuple((name, format_setting(value)) for name, value in typed.items() if value != usual[name]))
        chosen.rules(system)
        return chosen

    def rules(self, system: System) -> Ruleset:
        """The ruleset of this campaign."""
        return _rules(system.id, self)

    def query(self) -> list[tuple[str, str]]:
        """The campaign as query parameters."""
        preset = [("preset", self.preset)] if self.preset is not None else []
        return [*preset, *(("set", f"{name}={value}") for name, value in self.settings)]

    def words(self) -> str:
        """The campaign in a few words."""
        number = len(self.settings)
        changed = [f"{count(number, 'option')} changed"] if number else []
        return ", ".join([*([self.preset] if self.preset is not None else []), *changed]) or "by the book"


BOOK = Campaign()


@lru_cache(maxsize=256)
def _rules(system: str, campaign: Campaign) -> Ruleset:
    """The ruleset of a campaign, shared by all who play by it."""
    return library.ruleset(game(system), campaign.preset, dict(campaign.settings))


def format_setting(value: SettingValue) -> str:
    """The value of a setting as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def list_presets(system: System, campaign: Campaign) -> list[tuple[str, str, bool]]:
    """The presets of a game and the book itself: the form value, the name, and whether it is the current one."""
    presets = system.book.presets
    plain = [] if any(not chosen for chosen in presets.values()) else [("", "by the book")]
    named = [*plain, *((name, name) for name in presets)]
    return [(sent, name, campaign == Campaign(sent if presets.get(sent) else None)) for sent, name in named]


class SettingChoice(Struct, frozen=True):
    """A setting with its value, and whether that differs from the book."""

    setting: Setting
    value: str
    changed: bool
    choices: tuple[tuple[str, str], ...]


def list_settings(system: System, campaign: Campaign, typed: Mapping[str, str]) -> list[tuple[str, list[SettingChoice]]]:
    """All settings of a game under their headings; `typed` values replace the current ones."""
    current = campaign.rules(system).settings
    pairs = []
    for source, title in (("book", "Options of the book"), ("ruling", "Rulings where the book is unclear")):
        chosen = [setting for setting in system.book.settings.values() if setting.source == source]
        if chosen:
            pairs.append(
                (title, [_setting_choice(setting, typed.get(setting.name, format_setting(current[setting.name]))) for setting in chosen])
            )
    return pairs


def _setting_choice(setting: Setting, value: str) -> SettingChoice:
    choices = (("false", "no"), ("true", "yes")) if isinstance(setting.default, bool) else tuple((text, text) for text in setting.values)
    return SettingChoice(setting, value, value != format_setting(setting.default), choices)
