"""All power sets and effects of the book, as rows (book lines 5983-6061, 6145-7734)."""

from typing import Literal

from msgspec import field

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, nearest, rule

Reach = Literal["self", "touch", "metres", "kilometres", "sight", "speech", "place", "light-years", "space"]
Lasts = Literal[
    "instant",
    "concentration",
    "intense",
    "scene",
    "rounds by width",
    "rounds by height",
    "minutes by height",
    "an hour",
    "three hours",
    "hours",
    "hours by psi",
    "hours by width",
    "hours by height",
    "days",
    "days by width",
    "days by height",
]
Use = Literal["numbers", "offers", "gamemaster", "story"]
"""The class of an effect: numbers, an offer, a question to the Game Master, or description."""
Nature = Literal["nerves", "electricity", "light", "microwave", "heat", "cold", "flesh", "mind", "reading", "emotion", "force"]
"""The nature of a power, for wards."""
Works = Literal[
    "harm",
    "hinder",
    "inflame",
    "scorch",
    "drain",
    "fire",
    "ward",
    "bend",
    "senses",
    "outside",
    "light",
    "fly",
    "fetch",
    "hands",
    "douse",
    "feed",
    "force",
    "heal",
    "cure",
    "sleep",
    "mark",
    "cells",
    "daze",
    "calm",
    "command",
    "passion",
    "mood",
    "morale",
    "unseen",
    "ask",
]
"""The mechanism of an effect."""
SPECTRUM = ("radio", "microwave", "infra-red", "visible light", "ultraviolet", "X-ray", "gamma", "cosmic waves")
HIGHEST_EFFECT, GRANDMASTER_LEVEL = 5, 6
AT_OTHERS = (
    "harm",
    "hinder",
    "inflame",
    "scorch",
    "drain",
    "fire",
    "force",
    "daze",
    "calm",
    "command",
    "passion",
    "mood",
    "morale",
    "unseen",
)
"""Mechanisms against enemies."""


class EffectRow(TableRow, frozen=True):
    """An effect: level, Intensity, range, duration and result."""

    effect: str
    skill: str
    level: int
    intensity: int
    """Its Difficulty and price."""
    line: int
    reach: Reach
    works: Works
    use: Use
    does: str
    set: str = "meta-psychic"
    far: int = 0
    """Range per point of the Power Statistic, in metres, kilometres or light-years."""
    radius: int = 0
    """Radius in metres per point."""
    by_print: int = 0
    """Kilometres per point to a person out of sight with a known signature or print."""
    lasts: Lasts = "instant"
    keeps: int = 0
    """Concentration dice, if not the usual one or two."""
    steady: bool = False
    """Whether a hurt user needs Psyche and Focus to sustain it."""
    fragile: bool = False
    """Whether it ends when its user is hurt."""
    rounds: int = 0
    kill: int | None = None
    shock: int | None = None
    """Damage bonus to Width; a missing form is not dealt."""
    psi: bool = False
    """Whether the Power Statistic adds to damage."""
    nature: tuple[Nature, ...] = ()
    armour: bool = False
    """Whether armour helps."""
    energy: bool = False
    """Whether only energy armour helps, with damage classes."""
    charge: bool = False
    """Whether light must be gathered."""
    after: Literal["", "twitch", "cold", "pain", "spent"] = ""
    """The after-effect."""
    lasting: bool = False
    """Whether the Game Master may rule permanent harm."""
    resist: Literal["", "nerve", "physique"] = ""
    """The resistance: Psyche and Focus, or Body and Physique."""
    less: Literal["", "body", "psyche"] = ""
    """The target's statistic that reduces the dice."""
    ward: Literal["", "armour", "dice", "both"] = ""
    stops: tuple[str, ...] = ()
    """What a ward stops."""
    counter: bool = False
    """Whether its dice can counter such attacks."""
    band: bool = False
    """Whether it is tuned to a band of the spectrum."""
    wall: bool = False
    """Whether its user cannot shoot through it."""
    heals: Literal["", "shock", "kill", "both"] = ""
    unseen: bool = False
    """Whether the Game Master rolls it secretly."""
    alone: bool = False
    """Whether nothing else can be done meanwhile."""
    hard: str = ""
    """A question to the Game Master before the roll; the answer is lost dice."""
    asks: str = ""
    """A question to the Game Master after success."""
    gives: str = ""
    """The result of a set, with `{width}`, `{height}` and `{quarters}` (15 per Width)."""
    details: bool = False
    """Whether every point of Width is one detail."""
    by_width: dict[str, str] = field(default_factory=dict)
    by_height: dict[str, str] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    """Variants with their Difficulty, dice or points."""
    tuning: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, int] = field(default_factory=dict)
    degrees: int = 0
    melts: bool = False
    virulence: dict[str, str] = field(default_factory=dict)
    availability: Literal["", "readily available", "uncommon", "restricted"] = ""
    """How easily it is learnt, if not as usual."""

    @property
    def kept(self) -> int:
        """Concentration dice while it is sustained."""
        return self.keeps or {"concentration": 1, "intense": 2}.get(self.lasts, 0)

    @property
    def at_once(self) -> bool:
        """Whether it works within rounds of a fight."""
        return not self.alone and self.works not in ("sleep", "cells", "mark") and not self.unseen

    @property
    def at_others(self) -> bool:
        """Whether it targets enemies."""
        if self.works == "ask":
            return bool(self.nature or self.less or self.resist) and self.reach in ("metres", "sight", "kilometres", "touch")
        return self.works in AT_OTHERS

    @property
    def harmful(self) -> bool:
        """Whether it is an aggressive effect."""
        return self.works in AT_OTHERS


class SetRow(TableRow, frozen=True):
    """A power set: Power and Limit Rating, statistic and skills."""

    set: str
    about: str
    power: int
    limit: int
    statistic: str
    skills: tuple[str, ...]
    line: int


class RatingRow(TableRow, frozen=True):
    """A Power Rating: name and scope."""

    rating: int
    name: str
    means: str
    calls: str = ""


class LimitRow(TableRow, frozen=True):
    """A Limit Rating: how uses are limited."""

    limit: int
    name: str
    way: Literal["session", "burn", "preparation", "mana", "materials", "free"]
    means: str


class AptitudeRow(TableRow, frozen=True):
    """An Aptitude of the Meta-Psychic."""

    aptitude: str
    about: str
    line: int


class InherentRow(TableRow, frozen=True):
    """An example inherent power with its pool."""

    inherent: str
    level: int
    does: str
    line: int
    statistic: str = ""
    skill: str = ""
    resist: Literal["", "nerve", "physique"] = ""


SETS = Table("ore-5.00-power-sets", SetRow)
RATINGS = Table("ore-5.01-power-rating", RatingRow)
LIMITS = Table("ore-5.02-limit-rating", LimitRow)
EXAMPLES = Column("ore-5.02-power-examples", "level", examples=str)
"""Comparable powers elsewhere, by rating."""
APTITUDES = Table("ore-5.04-metapsychic", AptitudeRow)
INHERENT = Table("ore-5.02b-inherent", InherentRow)
APTITUDE_NAMES = ("clairsentience", "electrokinesis", "psychokinesis", "redaction", "telepathy")
EFFECTS = tuple([Table(f"ore-5.04-effects-{name}", EffectRow) for name in APTITUDE_NAMES])
GRANDMASTER_EFFECTS = tuple([Table(f"ore-5.04-grandmaster-{name}", EffectRow) for name in APTITUDE_NAMES])
LEARNT_BY_WARLOCKS = Table("ore-5.02b-developed", EffectRow)


@cached(64)
def effects(rules: Ruleset) -> dict[str, EffectRow]:
    """All effects by name."""
    tables = (*EFFECTS, *GRANDMASTER_EFFECTS, LEARNT_BY_WARLOCKS)
    return {row.effect: row for table in tables for row in table(rules).values()}


@cached(64)
def rules_of(rules: Ruleset) -> dict[str, str]:
    """The rule of each effect."""
    tables = (*EFFECTS, *GRANDMASTER_EFFECTS, LEARNT_BY_WARLOCKS)
    return {row.effect: table.rule for table in tables for row in table(rules).values()}


def effect_named(rules: Ruleset, name: str) -> EffectRow:
    """An effect by name, in any case; refuses unknown ones with a suggestion."""
    known = effects(rules)
    if name in known:
        return known[name]
    for effect, effect_row in known.items():
        if effect.casefold() == name.casefold():
            return effect_row
    raise UserError(f"there is no effect {name!r}{nearest(name, known)}")


@rule("ore-5.00-power-sets")
def effects_of(rules: Ruleset, power_set: str = "meta-psychic", skill: str = "") -> tuple[str, ...]:
    """The effects of a set, of all its skills or one. By id only."""
    SETS.get(rules, power_set)
    return tuple([row.effect for row in effects(rules).values() if row.set == power_set and skill in ("", row.skill)])


@rule("ore-5.02-power-examples")
def like_elsewhere(rules: Ruleset, rating: int = 5) -> str:
    """Comparable powers of a Power Rating. By id only."""
    name = RATINGS.get(rules, str(rating)).name
    return EXAMPLES.of(rules, name) if rating else ""


def words_at(steps: dict[str, str], figure: int) -> str:
    """The entry of a list for a Width or Height, which holds from each figure upwards; empty below the first."""
    reached = [int(step) for step in steps if int(step) <= figure]
    return steps[str(max(reached))] if reached else ""
