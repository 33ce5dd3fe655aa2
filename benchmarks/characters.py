"""Audit and sheet of a large character, compared with decoding the same character with pydantic a hundred times."""

from typing import Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict

from benchmarks.play import _row
from rulewright.system import find
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, Character, Gear, Item
from rulewright.systems.silhouette.people.skills import SKILLS
from rulewright.systems.silhouette.people.traits import Trait

DECODED = 100


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ItemModel(_Strict):
    """An item."""

    name: str
    weight: float = 0
    cost: int = 0


class GearModel(_Strict):
    """Equipment."""

    weapons: tuple[str, ...] = ()
    armor: str | None = None
    shield: str | None = None
    other: tuple[ItemModel, ...] = ()
    credits: int = 0


class InjuriesModel(_Strict):
    """Wounds."""

    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    stable_flesh: int = 0
    stable_deep: int = 0


class TraitModel(_Strict):
    """A Perk or a Flaw."""

    name: str
    variant: str = ""
    points: int = 0
    rating: int = 0
    about: str = ""


class CharacterModel(_Strict):
    """The character file as a pydantic model."""

    name: str
    system: Literal["silhouette"] = "silhouette"
    kind: Literal["character"] = "character"
    concept: str = ""
    genre: str = ""
    race: dict[str, Any] | None = None
    role: Literal["pc", "major npc", "joe average"] = "pc"
    attributes: dict[str, int] = {}
    skills: dict[str, int] = {}
    complexity: dict[str, int] = {}
    specializations: dict[str, tuple[str, ...]] = {}
    covers: dict[str, tuple[str, ...]] = {}
    favored: dict[str, str] = {}
    native: str = ""
    perks: tuple[TraitModel, ...] = ()
    flaws: tuple[TraitModel, ...] = ()
    emergency_dice: int = 0
    gear: GearModel = GearModel()
    injuries: InjuriesModel = InjuriesModel()
    spells: tuple[dict[str, Any], ...] = ()
    taken_in: dict[str, Any] = {}
    advancement: tuple[dict[str, Any], ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}


def veteran() -> Character:
    """A character with sixty skills, much equipment, Perks and Flaws."""
    rules = find("silhouette").book.ruleset()
    names = [name for name, row in SKILLS(rules).items() if not row.specific]
    specific = [name for name, row in SKILLS(rules).items() if row.specific]
    fields = ("one", "two", "three", "four", "five", "six", "seven")
    names += [f"{name} ({field})" for field in fields for name in specific]
    chosen = names[:60]
    return Character(
        "The Veteran",
        concept="has seen it all",
        attributes={name: place % 3 - 1 for place, name in enumerate(ATTRIBUTES)},
        skills={name: 1 + place % 3 for place, name in enumerate(chosen)},
        complexity={name: 2 + place % 2 for place, name in enumerate(chosen) if place % 2},
        specializations=dict.fromkeys(chosen[::5], ("first", "second")),
        perks=(Trait("ambidextrous"), Trait("acute senses", "sight"), Trait("thick-skinned"), Trait("lucky")),
        flaws=(Trait("phobia", "mild"), Trait("debt", "major boon"), Trait("quirk", about="hums"), Trait("flashbacks")),
        gear=Gear(
            ("heavy pistol", "assault rifle", "knife", "rapier", "fragmentation grenade", "long bow"),
            "futuristic composite",
            "modern riot",
            tuple([Item(f"thing {number}", 0.5, 10) for number in range(20)]),
            5000,
        ),
    )


def rows() -> list[dict[str, Any]]:
    """Audit and sheet, each compared with a hundred decodings."""
    system = find("silhouette")
    rules, character = system.book.ruleset(), veteran()
    encoded = msgspec.json.encode(character)
    assert CharacterModel.model_validate_json(encoded).name == character.name

    def decode() -> None:
        for _ in range(DECODED):
            CharacterModel.model_validate_json(encoded)

    def audit() -> None:
        system.audit(rules, character)

    def sheet() -> None:
        system.sheet(rules, character)

    peer = f"pydantic, decoding the character {DECODED} times"
    return [
        _row("audit of a Silhouette character with 60 skills", audit, peer, decode, 1.0),
        _row("sheet of a Silhouette character with 60 skills", sheet, peer, decode, 1.0),
    ]
