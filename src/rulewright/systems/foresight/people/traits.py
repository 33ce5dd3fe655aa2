"""Physical traits: frames, lost limbs, sunlight, powered frames (book lines 1107-1171, 3960)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Ruleset, nearest, rule
from rulewright.systems.foresight.people.backgrounds import MODIFIERS, ModifierRow
from rulewright.systems.foresight.resolution.tests import Mod

SUNLIGHT = "sunlight"
"""The trait of species that suffer from it."""
IN_SUNLIGHT = -1
NIGHT_VISION = "night vision"
"""The trait of species to whom starlight is as a clouded day."""


ONE_LEGGED, ONE_ARMED = "One Legged", "One Armed"


def _rows(rules: Ruleset, traits: tuple[str, ...]) -> list[ModifierRow]:
    known = MODIFIERS(rules)
    return [known[trait] for trait in traits if trait in known]


@rule("fs-character-modifiers")
def frame_stealth(rules: Ruleset, traits: tuple[str, ...] = ("Tiny Frame",), in_a_crowd: bool = False) -> Mod:
    """The modifier of a frame for Stealth: the tiny are stealthier everywhere and vanish in crowds, where the enormous stand out."""
    value = sum([row.stealth + (row.stealth_in_crowds if in_a_crowd else 0) for row in _rows(rules, traits)])
    return Mod("frame", value, "fs-character-modifiers")


@rule("fs-character-modifiers")
def lost_limb(rules: Ruleset, trait: str = "One Legged", use: str = "legs, with prosthetic") -> Mod:
    """The modifier of a lost limb for a task, by how much the task needs it and what replaces it."""
    row = MODIFIERS.get(rules, trait)
    if use not in row.tasks:
        raise UserError(f"{trait} costs nothing on {use!r}{nearest(use, row.tasks)}; it costs on {', '.join(row.tasks) or 'nothing'}")
    return Mod(f"{trait.lower()}: {use}", row.tasks[use], "fs-character-modifiers")


def of_limbs(rules: Ruleset, traits: tuple[str, ...], aided: tuple[str, ...]) -> tuple[Mod, Mod, Mod]:
    """The modifiers for lost limbs: on tasks of the legs, on what is usually done with two hands, and on what needs both."""
    legs = usual = both = Mod("limbs", 0)
    if ONE_LEGGED in traits:
        legs = lost_limb(rules, ONE_LEGGED, f"legs, {'with prosthetic' if ONE_LEGGED in aided else 'without'}")
    if ONE_ARMED in traits:
        usual = lost_limb(rules, ONE_ARMED, f"usually two-handed{', adapted gear' if ONE_ARMED in aided else ''}")
        both = lost_limb(rules, ONE_ARMED, "needs two hands")
    return legs, usual, both


def is_narrow(deficit: str) -> bool:
    """Whether the deficit of a unique gift is the want of any other interest: its words say so."""
    return "interest" in deficit.lower() or "narrow" in deficit.lower()


@rule("fs-character-modifiers")
def narrow_interest(rules: Ruleset, within: bool = False, in_peril: bool = False) -> Mod:
    """The modifier for one who cares only for a unique gift: -1 to everything outside it, save where life is at stake."""
    return Mod("no interest in it", 0 if within or in_peril else -1, "fs-character-modifiers")


@rule("fs-character-modifiers")
def frame_as_target(rules: Ruleset, traits: tuple[str, ...] = ("Enormous Frame",)) -> Mod:
    """The modifier of a frame for shots at a person."""
    return Mod("frame", sum([row.ranged_target for row in _rows(rules, traits)]), "fs-character-modifiers")


def size_as_target(rules: Ruleset, size: str, traits: tuple[str, ...]) -> Literal["small", "large", ""]:
    """Whether a person is remarkably small or large for a human adult: by species, or by frame."""
    frame = frame_as_target(rules, traits).value
    if size == "small" or frame < 0:
        return "small"
    return "large" if frame > 0 else ""


@rule("fs-species")
def in_sunlight(rules: Ruleset, traits: tuple[str, ...] = (SUNLIGHT,)) -> Mod:
    """Species that sunlight pains are at -1 to everything in it."""
    return Mod("sunlight", IN_SUNLIGHT if SUNLIGHT in traits else 0, "fs-species")


@rule("fs-exoskeletons")
def exoskeleton_score(rules: Ruleset, score: float, armor_skill: float) -> float:
    """In a powered frame a task of agility or dexterity uses the lower of its own score and Armor/Exoskeleton."""
    return min(score, armor_skill)
