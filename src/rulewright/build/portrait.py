"""What a game can say about a person, in words that every game shares: the interface that conversion between games works with.

A game lists its ratings with the shared abilities that each covers, the notations of its ordinary tasks, and its weapons and armour with
what a hit does. Nothing here knows a game; `rulewright.conversion` compares two games through this alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulewright.rules import Ruleset

ATTRIBUTES = {
    "strength": "how much somebody lifts and how hard they hit",
    "toughness": "what a body bears",
    "agility": "moving the whole body",
    "dexterity": "moving the hands",
    "perception": "noticing with the senses",
    "intuition": "noticing without them",
    "reasoning": "thinking and remembering",
    "creativity": "finding something new",
    "willpower": "holding out",
    "presence": "moving others",
    "appearance": "looks",
}
"""The shared abilities that everybody has."""

SKILLS = {
    "unarmed": "fighting with bare hands",
    "melee": "fighting with weapons of the hand",
    "pistols": "shooting from one hand",
    "rifles": "shooting from the shoulder",
    "heavy weapons": "machine guns, launchers, mortars",
    "archery": "bows",
    "throwing": "hitting with what is thrown",
    "dodging": "getting out of harm's way",
    "alertness in combat": "acting first when it matters",
    "pain": "bearing pain",
    "athletics": "running, lifting and sport",
    "acrobatics": "balance, rolls and falls",
    "climbing": "getting up and down",
    "jumping": "leaping",
    "swimming": "moving in water",
    "endurance": "keeping up an effort",
    "stealth": "moving unseen and unheard",
    "sleight of hand": "deft fingers",
    "locks": "opening what is locked",
    "noticing": "catching what others miss",
    "searching": "finding on purpose, and finding out",
    "tracking": "following a trail",
    "survival": "living in the wild",
    "navigation": "finding the way",
    "driving": "vehicles on the ground",
    "flying": "aircraft",
    "boats": "vessels",
    "spacecraft": "ships in space",
    "riding": "mounts",
    "animals": "keeping and teaching animals",
    "medicine": "treating the ill and the hurt",
    "computers": "using and breaking into computers",
    "machines": "repairing and building",
    "explosives": "charges and traps",
    "science": "knowing nature",
    "lore": "knowing facts",
    "trade": "buying, selling and running a firm",
    "persuasion": "winning agreement",
    "deception": "being believed",
    "intimidation": "being feared",
    "interrogation": "getting answers",
    "leadership": "being followed",
    "seduction": "being desired",
    "etiquette": "proper conduct",
    "streetwise": "the underworld of a city",
    "disguise": "looking like somebody else",
    "forgery": "false papers",
    "gambling": "games of chance",
    "performance": "entertaining people",
    "art": "pictures and music",
    "teaching": "passing on what one knows",
    "meditation": "a calm mind",
    "weightlessness": "moving without gravity",
    "heavy armour": "moving in armour",
}
"""The shared abilities that are learnt."""

FIGHTING = ("unarmed", "melee", "pistols", "rifles", "heavy weapons", "archery", "throwing", "dodging", "alertness in combat")
"""The shared abilities that decide fights."""

WEAPONS = {
    "fist": (),
    "knife": ("sword",),
    "sword": ("axe", "knife"),
    "axe": ("sword", "club"),
    "club": ("staff", "knife"),
    "staff": ("club", "sword"),
    "thrown blade": ("knife", "sword"),
    "bow": ("crossbow", "sling", "rifle"),
    "crossbow": ("bow", "rifle"),
    "sling": ("bow", "thrown blade", "knife"),
    "pistol": ("submachine gun", "crossbow"),
    "submachine gun": ("pistol",),
    "rifle": ("assault rifle", "shotgun"),
    "assault rifle": ("rifle", "shotgun"),
    "shotgun": ("rifle", "assault rifle"),
    "machine gun": ("assault rifle", "rifle"),
    "stun gun": ("club",),
    "energy pistol": ("pistol", "submachine gun"),
    "energy rifle": ("rifle", "assault rifle"),
}
"""Kinds of weapons, each with the kinds that stand in for it where a game has none, the likest first."""

ARMOUR = {
    "jacket": ("mail", "vest"),
    "mail": ("plate", "jacket", "vest"),
    "plate": ("mail", "vest", "jacket"),
    "vest": ("plate", "mail", "jacket"),
}
"""Kinds of armour: light clothes, old armour that bends, old armour that does not, and what is made against bullets."""


class Rating(Struct, frozen=True):
    """A number of a character that conversion reads and writes."""

    key: str
    """Its field in the file, such as `skills.pistols`."""
    name: str
    covers: tuple[str, ...]
    """The shared abilities that it stands for."""
    low: int
    """The lowest value of somebody who has it at all."""
    high: int
    """The highest value that conversion writes."""
    ordinary: int
    """The value of an ordinary person: of a skill, that of somebody who has learnt it properly."""
    attribute: bool = False
    written: bool = True
    """Whether conversion writes it; a broad skill beside narrow ones is only read."""
    in_play: int = 0
    """The highest value that experience reaches, if higher: only fitting by duels goes beyond what a beginner may have."""


class Item(Struct, frozen=True):
    """A weapon or a suit of armour of a game's own lists."""

    name: str
    kind: str
    worth: float
    """Of a weapon: the chance that a hit fells an ordinary person. Of armour: the share of an ordinary hit that it stops."""


class Portrait(Struct, frozen=True):
    """What conversion takes of a character: the ratings by key, the belongings by name, and what no shared word covers."""

    name: str
    concept: str = ""
    ratings: Mapping[str, int] = {}
    weapons: tuple[str, ...] = ()
    armour: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    """Things without rules, which any game can write down."""
    lost: tuple[str, ...] = ()
    """What the shared words do not cover, each with its reason."""
    player: bool = True


class Portrayal(ABC):
    """The interface of a game whose people can be converted."""

    kind: str = "character"
    """The kind of file that it reads and builds."""

    @abstractmethod
    def ratings(self, rules: Ruleset) -> tuple[Rating, ...]:
        """Every rating that the game shares with others: attributes and skills."""

    def highest(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> int:
        """The highest value of a rating that somebody with these ratings may have."""
        return rating.high

    @abstractmethod
    def tasks(self, rules: Ruleset, rating: Rating, ratings: Mapping[str, int]) -> tuple[str, ...]:
        """The notations of the game's ordinary tests with a rating, for somebody with these ratings; each must be able to fail."""

    @abstractmethod
    def read(self, rules: Ruleset, thing: Any) -> Portrait:
        """The portrait of a character file."""

    @abstractmethod
    def build(self, rules: Ruleset, portrait: Portrait) -> Any:
        """The character file of a portrait in the game's own ratings and items."""

    @abstractmethod
    def weapons(self, rules: Ruleset) -> tuple[Item, ...]:
        """The weapons that conversion knows."""

    @abstractmethod
    def armour(self, rules: Ruleset) -> tuple[Item, ...]:
        """The armour that conversion knows."""

    def assumed(self, rules: Ruleset) -> tuple[str, ...]:
        """What the game needs and no other game says, each with its reason."""
        return ()

    def by_book(self, rules: Ruleset, other: str, ratings: Mapping[str, int]) -> Mapping[str, int]:
        """The own ratings that the game's book derives from those of another game, by that game's id. Empty if it says nothing."""
        return {}
