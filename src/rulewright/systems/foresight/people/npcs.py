"""Instant NPCs: a competence, adjectives, a calling (book lines 1188-1261)."""

import re
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.foresight.people.attributes import ATTRIBUTES, AttributeName, Attributes
from rulewright.systems.foresight.resolution.tests import written_score


class CallingRow(TableRow, frozen=True):
    """A calling: skills by rank, best attributes, fields."""

    archetype: str
    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    other: tuple[str, ...]
    best: tuple[AttributeName, ...]
    fields: tuple[str, ...]


class AdjectiveRow(TableRow, frozen=True):
    """An adjective and what it adds."""

    modifier: str
    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    other: tuple[str, ...]
    best: tuple[AttributeName, ...]
    fields: tuple[str, ...]


class CompetenceRow(TableRow, frozen=True):
    """What a word for competence gives: raw scores by rank, attributes, and how well fields are known."""

    competence: str
    primary: int
    secondary: int
    other: int | None
    best: int
    others: int
    fields: str


CALLINGS = Table("fs-npc-archetypes", CallingRow)
ADJECTIVES = Table("fs-npc-modifiers", AdjectiveRow)
COMPETENCES = Table("fs-npc-competence", CompetenceRow)

_SUGGESTED = re.compile(r"(weapon|vehicle) \((.*)\)")
Rank = Literal["primary", "secondary", "other"]
RANKS: tuple[Rank, ...] = ("primary", "secondary", "other")


class Extra(Struct, frozen=True):
    """An instant character: raw scores of skills, attributes, and fields known so well."""

    name: str
    attributes: Attributes
    skills: dict[str, int]
    fields: tuple[str, ...]
    known: str

    def written(self, rules: Ruleset) -> dict[str, str]:
        """The scores as people write them."""
        return {skill: written_score(rules, score) for skill, score in self.skills.items()}


USUAL = {"weapon": ("Handguns", "Longarms"), "vehicle": ("Groundcraft", "Motorcycles")}
"""What a weapon or vehicle stands for where nobody names or suggests one; a second one in the same row is another."""


def _suggested(name: str) -> tuple[str, str]:
    """Whether a skill stands for a weapon or vehicle, and which one is suggested."""
    match = _SUGGESTED.fullmatch(name)
    return (match[1], match[2]) if match else (name if name in USUAL else "", "")


def _skills(row: CallingRow | AdjectiveRow, calling: CallingRow, given: dict[str, str]) -> list[tuple[Rank, str]]:
    """The skills of a row by rank. Weapons and vehicles are the one given, the one suggested or the calling's own, each only once."""
    own = [_suggested(name) for rank in RANKS for name in getattr(calling, rank)]
    pairs: list[tuple[Rank, str]] = []
    taken: set[str] = set()
    for rank in RANKS:
        for name in getattr(row, rank):
            kind, usual = _suggested(name)
            if kind:
                others = [suggestion for of_kind, suggestion in own if of_kind == kind]
                name = next(
                    candidate for candidate in (given[kind], usual, *others, *USUAL[kind], name) if candidate and candidate not in taken
                )
                taken.add(name)
            pairs.append((rank, name))
    return pairs


@rule("fs-instant-npc")
def extra(
    rules: Ruleset,
    competence: str = "Competent",
    archetype: str = "Detective",
    adjectives: tuple[str, ...] = (),
    weapon: str = "",
    vehicle: str = "",
) -> Extra:
    """A competence, a calling and adjectives make a character; where a skill is named twice the better rank counts."""
    level, calling = COMPETENCES.get(rules, competence), CALLINGS.get(rules, archetype)
    rows: list[CallingRow | AdjectiveRow] = [calling, *[ADJECTIVES.get(rules, word) for word in adjectives]]
    scores: dict[Rank, int | None] = {"primary": level.primary, "secondary": level.secondary, "other": level.other}
    skills: dict[str, int] = {}
    named = [pair for row in rows for pair in _skills(row, calling, {"weapon": weapon, "vehicle": vehicle})]
    for rank, skill in sorted(named, key=lambda pair: RANKS.index(pair[0])):
        score = scores[rank]
        if score is not None:
            skills.setdefault(skill, score)
    best = {name for row in rows for name in row.best}
    values = {name: level.best if name in best else level.others for name in ATTRIBUTES}
    fields = tuple(dict.fromkeys([field for row in rows for field in row.fields]))
    name = " ".join([competence, *adjectives, archetype]).lower()
    return Extra(name, Attributes(**values), skills, fields, level.fields)


@rule("fs-instant-npc")
def described(rules: Ruleset, words: str = "competent educated detective") -> Extra:
    """The same from a phrase: the competence first, then adjectives, the calling last."""
    competences = {name.lower(): name for name in COMPETENCES(rules)}
    callings = {name.lower(): name for name in CALLINGS(rules)}
    adjectives = {name.lower(): name for name in ADJECTIVES(rules)}
    text = " ".join(words.lower().split())
    calling = next((name for name in callings if text.endswith(name)), None)
    if calling is None:
        raise UserError(f"{words!r} does not end with a calling; there are {', '.join(callings)}")
    rest = text.removesuffix(calling).split()
    unknown = [word for word in rest if word not in competences and word not in adjectives]
    if unknown:
        raise UserError(f"{', '.join(unknown)}: neither a competence nor an adjective of the tables")
    names = [word for word in rest if word in competences]
    return extra(
        rules, competences[names[0]] if names else "Competent", callings[calling], tuple([adjectives[w] for w in rest if w in adjectives])
    )
