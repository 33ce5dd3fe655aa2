"""The forty-four skills: names, fields, attributes and special rules (book lines 1190-1345, 8149-8646)."""

import re
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.resolution.dice_options import reality
from rulewright.systems.silhouette.resolution.tests import Mod, covered

AttributeName = Literal[
    "agility", "appearance", "build", "creativity", "fitness", "influence", "knowledge", "perception", "psyche", "willpower"
]


class SkillRow(TableRow, frozen=True):
    """A skill and whether it needs a field."""

    skill: str
    specific: bool = False
    also: tuple[str, ...] = ()
    """Other names, mostly of earlier eras."""
    fields: tuple[str, ...] = ()
    doubles: bool = False
    """Whether every Complexity doubles the fields that one purchase covers."""
    specialize_above: int = 0
    """A level or Complexity above this needs a specialization; 0 where none is needed."""


class UseRow(TableRow, frozen=True):
    """Uses of a skill: attributes by task, the most usual first."""

    skill: str
    attributes: dict[AttributeName, str]
    specializations: tuple[str, ...]
    special: str
    unfamiliar: int | None = None
    """Modifier of an unfamiliar field, if the book gives one."""


SKILLS = Table("sil-2.2.4-skill-list", SkillRow)
USES = Table("sil-a-skills", UseRow)


class Named(Struct, frozen=True):
    """A skill as a file writes it: `craft (cooking)` is the skill craft in the field cooking."""

    skill: str
    field: str = ""

    @property
    def key(self) -> str:
        """Returns the name to store it under."""
        return f"{self.skill} ({self.field})" if self.field else self.skill


_WRITTEN = re.compile(r"([^()]*[^()\s])\s*(?:\(([^()]*)\))?\s*")


@cached(4096)
@rule("sil-2.2.4-skill-list")
def named(rules: Ruleset, name: str) -> Named:
    """Returns the skill and field of a name; refuses unknown ones."""
    match = _WRITTEN.fullmatch(name.strip().lower())
    base, field = (match[1], (match[2] or "").strip()) if match else (name, "")
    known = SKILLS(rules)
    if base in known:
        return Named(base, field)
    for row in known.values():
        if base in row.also:
            return Named(row.skill, field)
    raise UserError(f"there is no skill {name[:60]!r}{nearest(base, [*known, *[also for row in known.values() for also in row.also]])}")


@rule("sil-a-skills")
def attribute_of(rules: Ruleset, skill: str) -> AttributeName:
    """Returns the usual attribute of a skill; the gamemaster may call for another."""
    return next(iter(USES.get(rules, named(rules, skill).skill).attributes))


@rule("sil-2.2.4-specific-skills")
def unfamiliar(rules: Ruleset, skill: str) -> Mod:
    """Returns the modifier of an unfamiliar field: -2 by default (ruling if not printed)."""
    base = named(rules, skill).skill
    if not SKILLS.get(rules, base).specific:
        return Mod("unfamiliar field", 0, "sil-2.2.4-specific-skills")
    printed = USES.get(rules, base).unfamiliar
    return Mod("unfamiliar field", rules.number("unfamiliar-field") if printed is None else printed, "sil-2.2.4-specific-skills")


@rule("sil-2.2.4-specific-skills")
@instead_of(unfamiliar, "reality", "cinematic")
def familiar_with_everything(rules: Ruleset, skill: str) -> Mod:
    """Cinematic characters know every field of their skills."""
    named(rules, skill)
    return Mod("unfamiliar field", 0, "sil-2.2.4-specific-skills")


@rule("sil-2.2.4-specific-skills")
def needs_field(rules: Ruleset, skill: str) -> bool:
    """Whether a skill needs a field; not in cinematic campaigns."""
    return SKILLS.get(rules, named(rules, skill).skill).specific and reality(rules).fields


@rule("sil-2.2.4-specific-skills")
def fields_covered(rules: Ruleset, skill: str, complexity: int = 1) -> int:
    """Returns how many fields one purchase covers: one, or doubled with every Complexity for languages, arts and lands."""
    return covered(complexity) if SKILLS.get(rules, named(rules, skill).skill).doubles else 1


@rule("sil-2.2-folded-skills")
def folded(complexity: int, old_level: int) -> int:
    """Adds the level of a merged skill of an earlier edition to the Complexity of its replacement.

    By id only.
    """
    return complexity + old_level


FOLDED = Column("sil-2.2-folded-skills", "old", now=str)
"""Skills of earlier editions and their replacements."""


# --- what some skills do ------------------------------------------------------------------------------------------------------


@rule("sil-a-skills")
def groomed(appearance: int, margin: int) -> Derived[int]:
    """Returns Appearance after grooming, a craft: the margin of a test against 5 is added; a failure does no harm (ruling). By id only."""
    return total("Appearance", term("Appearance", appearance), term("grooming", max(0, margin)), rule="sil-a-skills")


@rule("sil-a-skills")
def concealed(threshold: int, margin: int) -> Derived[int]:
    """Returns the Threshold to see through Disguise or Stealth: the margin is added. By id only."""
    return total("Threshold", term("Threshold", threshold), term("concealment", max(0, margin)), rule="sil-a-skills")


@rule("sil-a-skills")
def discount(margin: int) -> Derived[int]:
    """Returns the largest discount of Negotiation: five percent per margin point. By id only."""
    return total(
        "largest discount, percent",
        term("Margin of Success", max(0, margin)),
        times("percent", 5),
        rule="sil-a-skills",
    )


@rule("sil-a-skills")
def social_level(level: int, language: int) -> int:
    """Limits a social skill in a foreign language to the language's level. By id only."""
    return min(level, language)


@rule("sil-a-skills")
def weightless_level(level: int, zero_g: int) -> int:
    """Limits a fighting skill without gravity to the level of Zero-G. By id only."""
    return min(level, zero_g)


@rule("sil-2.0-creation-sequence")
def native_tongue(knowledge: int = 0) -> int:
    """Returns the free level of the native language: 2, or 3 with Knowledge +1 or more."""
    return 3 if knowledge >= 1 else 2
