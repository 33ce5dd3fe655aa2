"""Genre profiles: the figures of each genre, and how fast wounds heal in it (book lines 7042-7397)."""

from collections.abc import Mapping
from typing import Literal

from rulewright.rules import Ruleset, Table, TableRow, rule

HealingRate = Literal["as treated", "constant aid", "a quarter of constant aid"]
Healing = Literal["as treated", "constant aid", "constant aid unless gritty", "constant aid where cinematic", "a quarter of constant aid"]


class ProfileRow(TableRow, frozen=True):
    """A genre: reality levels, the most likely first, Genre Effects, uses of experience, healing, and limits."""

    genre: str
    realities: tuple[str, ...]
    effects: tuple[str, ...]
    gritty_effects: tuple[str, ...] = ()
    experience: str = "as usual"
    healing: Healing = "as treated"
    complexity: int | None = None
    science: int | None = None
    """The highest level of sciences and medicine."""
    property: int | None = None
    """Maximum points of the Perk Property."""
    noble_property: int | None = None
    """Points of Property above which a character is noble."""
    wealth: bool = True
    barred: tuple[str, ...] = ()
    """Skills that do not exist."""
    needs_flaw: bool = False
    period: bool = False
    """Whether the period sets further limits, which the gamemaster decides."""


IDS = {
    "heavy gear": "sil-7.5.2-heavy-gear",
    "jovian chronicles": "sil-7.5.3-jovian-chronicles",
    "tribe 8": "sil-7.5.4-tribe-8",
    "gear krieg": "sil-7.5.5-gear-krieg",
    "core command": "sil-7.5.6-core-command",
    "fantasy": "sil-7.5.7-fantasy",
    "cyberpunk": "sil-7.5.8-cyberpunk",
    "horror": "sil-7.5.9-horror",
    "western": "sil-7.5.10-western",
    "espionage": "sil-7.5.11-espionage",
    "modern": "sil-7.5.12-modern",
    "comedy": "sil-7.5.13-comedy",
    "anime": "sil-7.5.14-anime",
    "historical": "sil-7.5.15-historical",
}
PROFILES: Mapping[str, Table[ProfileRow]] = {genre: Table(rule_id, ProfileRow) for genre, rule_id in IDS.items()}


def profile(rules: Ruleset) -> ProfileRow | None:
    """Returns the genre profile of the campaign, if any."""
    genre = rules.word("genre")
    return None if genre == "none" else PROFILES[genre].get(rules, genre)


@rule("sil-7.5-genres")
def healing_rate(rules: Ruleset) -> HealingRate:
    """Returns how fast wounds heal: as the setting says, or as the genre does (line 7149 and the like).

    In some genres this depends on the reality level; without a genre, wounds heal as they are treated.
    """
    word = rules.word("healing-rate")
    if word != "by genre":
        return word  # type: ignore[return-value]
    row = profile(rules)
    if row is None:
        return "as treated"
    if row.healing == "constant aid unless gritty":
        return "as treated" if rules.word("reality") == "gritty" else "constant aid"
    if row.healing == "constant aid where cinematic":
        return "constant aid" if rules.word("reality") == "cinematic" else "as treated"
    return row.healing
