"""The forty-four skills: names, fields, what they are tested with and what is special (book lines 1190-1345, 8149-8646)."""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.resolution.dice_options import reality
from rulewright.systems.silhouette.resolution.tests import Mod, covered

AttributeName = Literal[
    "agility", "appearance", "build", "creativity", "fitness", "influence", "knowledge", "perception", "psyche", "willpower"
]


class SkillRow(TableRow, frozen=True):
    """A skill by its name, and whether it is bought for a field."""

    skill: str
    specific: bool = False
    also: tuple[str, ...] = ()
    """Other names, mostly of an older age."""
    fields: tuple[str, ...] = ()
    doubles: bool = False
    """Whether every Complexity doubles the fields that one purchase covers."""
    specialize_above: int = 0
    """A level or Complexity above this needs a specialization; 0 where none is needed."""


class UseRow(TableRow, frozen=True):
    """What a skill is for: attributes by task, the most usual first."""

    skill: str
    attributes: dict[AttributeName, str]
    specializations: tuple[str, ...]
    special: str
    unfamiliar: int | None = None
    """What a foreign field costs, where the book names it."""


SKILLS = Table("sil-2.2.4-skill-list", SkillRow)
USES = Table("sil-a-skills", UseRow)


class Named(Struct, frozen=True):
    """A skill as a file writes it: `craft (cooking)` is the skill craft in the field cooking."""

    skill: str
    field: str = ""

    @property
    def key(self) -> str:
        """The name to keep it under."""
        return f"{self.skill} ({self.field})" if self.field else self.skill


_WRITTEN = re.compile(r"([^()]*[^()\s])\s*(?:\(([^()]*)\))?\s*")


@lru_cache(maxsize=4096)
@rule("sil-2.2.4-skill-list")
def named(rules: Ruleset, name: str) -> Named:
    """The skill that a name stands for, with its field; other names are understood, unknown ones refused."""
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
    """The attribute that most tests of a skill use; the gamemaster may call for any other."""
    return next(iter(USES.get(rules, named(rules, skill).skill).attributes))


@rule("sil-2.2.4-specific-skills")
def unfamiliar(rules: Ruleset, skill: str) -> Mod:
    """What a specific skill costs outside the field it was bought for: -2 as a rule, where no figure is printed by ruling."""
    base = named(rules, skill).skill
    if not SKILLS.get(rules, base).specific:
        return Mod("unfamiliar field", 0, "sil-2.2.4-specific-skills")
    printed = USES.get(rules, base).unfamiliar
    return Mod("unfamiliar field", rules.number("unfamiliar-field") if printed is None else printed, "sil-2.2.4-specific-skills")


@rule("sil-2.2.4-specific-skills")
@instead_of(unfamiliar, "reality", "cinematic")
def familiar_with_everything(rules: Ruleset, skill: str) -> Mod:
    """Cinematic characters master every field of what they know."""
    named(rules, skill)
    return Mod("unfamiliar field", 0, "sil-2.2.4-specific-skills")


@rule("sil-2.2.4-specific-skills")
def needs_field(rules: Ruleset, skill: str) -> bool:
    """Whether a skill must be bought for a field; cinematic campaigns waive that."""
    return SKILLS.get(rules, named(rules, skill).skill).specific and reality(rules).fields


@rule("sil-2.2.4-specific-skills")
def fields_covered(rules: Ruleset, skill: str, complexity: int = 1) -> int:
    """How many fields one purchase covers: one, or for languages, arts and lands twice as many with every Complexity."""
    return covered(complexity) if SKILLS.get(rules, named(rules, skill).skill).doubles else 1


@rule("sil-2.2-folded-skills")
def folded(complexity: int, old_level: int) -> int:
    """A character of an earlier edition adds the level of a skill that was merged to the Complexity of the one it went into.

    By id only.
    """
    return complexity + old_level


FOLDED = Column("sil-2.2-folded-skills", "old", now=str)
"""A skill of earlier editions and where it went."""


# --- what some skills do ------------------------------------------------------------------------------------------------------


@rule("sil-a-skills")
def groomed(appearance: int, margin: int) -> Derived[int]:
    """Grooming, a craft: the margin of a test against 5 is added to Appearance; a failure does no harm (ruling). By id only."""
    return total("Appearance", term("Appearance", appearance), term("grooming", max(0, margin)), rule="sil-a-skills")


@rule("sil-a-skills")
def concealed(threshold: int, margin: int) -> Derived[int]:
    """Disguise and Stealth: the margin is added to the Threshold of seeing through it. By id only."""
    return total("Threshold", term("Threshold", threshold), term("concealment", max(0, margin)), rule="sil-a-skills")


@rule("sil-a-skills")
def discount(margin: int) -> Derived[int]:
    """Negotiation: at most five percent for every point of margin. By id only."""
    return total(
        "largest discount, percent",
        term("Margin of Success", max(0, margin)),
        times("percent", 5),
        rule="sil-a-skills",
    )


@rule("sil-a-skills")
def social_level(level: int, language: int) -> int:
    """In a foreign language a social skill is no higher than the language. By id only."""
    return min(level, language)


@rule("sil-a-skills")
def weightless_level(level: int, zero_g: int) -> int:
    """Without weight a fighting skill is no higher than Zero-G. By id only."""
    return min(level, zero_g)


@rule("sil-2.0-creation-sequence")
def native_tongue(knowledge: int = 0) -> int:
    """Everybody speaks their native language for nothing, at level 2, or 3 with Knowledge of +1 or more."""
    return 3 if knowledge >= 1 else 2
