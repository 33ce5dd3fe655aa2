"""Every power set and effect of the book, as rows (book lines 5983-6061, 6145-7734)."""

from functools import lru_cache
from typing import Literal

from msgspec import field

from rulewright.errors import UserError
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
"""What an effect comes to in play: it changes numbers, it offers something, the Game Master is asked, or it only tells a story."""
Nature = Literal["nerves", "electricity", "light", "microwave", "heat", "cold", "flesh", "mind", "reading", "emotion", "force"]
"""What a power is made of, by which wards know it."""
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
"""The mechanism that carries an effect out."""
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
"""What is done to enemies."""


class EffectRow(TableRow, frozen=True):
    """An effect: its level and Intensity, how far it reaches, how long it lasts, and what it does."""

    effect: str
    skill: str
    level: int
    intensity: int
    """The Difficulty of using it, and its price."""
    line: int
    reach: Reach
    works: Works
    use: Use
    does: str
    set: str = "meta-psychic"
    far: int = 0
    """Metres, kilometres or light-years for each point of the Power Statistic."""
    radius: int = 0
    """Metres around, for each point of it."""
    by_print: int = 0
    """Kilometres for each point of it to somebody out of sight whose psi signature or mind print is known."""
    lasts: Lasts = "instant"
    keeps: int = 0
    """Dice that keeping it up costs every other action, where it is not the one of concentration or the two of an intense one."""
    steady: bool = False
    """Whether whoever keeps it up and is hurt needs Psyche and Focus to hold it."""
    fragile: bool = False
    """Whether it is gone as soon as its user is hurt."""
    rounds: int = 0
    kill: int | None = None
    shock: int | None = None
    """What is added to Width; a form that is not there is not dealt."""
    psi: bool = False
    """Whether the Power Statistic is added to the damage too."""
    nature: tuple[Nature, ...] = ()
    armour: bool = False
    """Whether worn armour helps against it."""
    energy: bool = False
    """Whether of worn armour only what stops energy does, where armour has classes."""
    charge: bool = False
    """Whether light must be gathered for it."""
    after: Literal["", "twitch", "cold", "pain", "spent"] = ""
    """What else it leaves behind."""
    lasting: bool = False
    """Whether the Game Master may rule that the harm never quite heals."""
    resist: Literal["", "nerve", "physique"] = ""
    """What is rolled against it: Psyche and Focus, or Body and Physique."""
    less: Literal["", "body", "psyche"] = ""
    """The statistic of the target that is taken from the dice."""
    ward: Literal["", "armour", "dice", "both"] = ""
    stops: tuple[str, ...] = ()
    """What a ward is against."""
    counter: bool = False
    """Whether its dice can be put against an attack of that kind."""
    band: bool = False
    """Whether it is tuned to one band of the spectrum."""
    wall: bool = False
    """Whether its maker cannot shoot through it either."""
    heals: Literal["", "shock", "kill", "both"] = ""
    unseen: bool = False
    """Whether the Game Master rolls it behind the screen."""
    alone: bool = False
    """Whether nothing else can be done meanwhile."""
    hard: str = ""
    """What the Game Master is asked before the roll; the answer is dice less."""
    asks: str = ""
    """What the Game Master is asked once it has worked."""
    gives: str = ""
    """What a set gives, with `{width}`, `{height}` and `{quarters}` (15 a point of Width) in their places."""
    details: bool = False
    """Whether every point of Width is one detail."""
    by_width: dict[str, str] = field(default_factory=dict)
    by_height: dict[str, str] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    """Ways to use it, each with its Difficulty, or the dice or points that it costs or adds."""
    tuning: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, int] = field(default_factory=dict)
    degrees: int = 0
    melts: bool = False
    virulence: dict[str, str] = field(default_factory=dict)
    availability: Literal["", "readily available", "uncommon", "restricted"] = ""
    """How easily it is learnt, where it is not as others are."""

    @property
    def kept(self) -> int:
        """Dice that keeping it up costs everything else its user does."""
        return self.keeps or {"concentration": 1, "intense": 2}.get(self.lasts, 0)

    @property
    def at_once(self) -> bool:
        """Whether it can be used in the rounds of a fight: what takes hours or days cannot, nor what has no use there."""
        return not self.alone and self.works not in ("sleep", "cells", "mark") and not self.unseen

    @property
    def at_others(self) -> bool:
        """Whether it is aimed at somebody who is no friend."""
        if self.works == "ask":
            return bool(self.nature or self.less or self.resist) and self.reach in ("metres", "sight", "kilometres", "touch")
        return self.works in AT_OTHERS

    @property
    def harmful(self) -> bool:
        """Whether nobody who is calm would do it."""
        return self.works in AT_OTHERS


class SetRow(TableRow, frozen=True):
    """A power set: its Power and Limit Rating, its statistic, and the skills of its effects."""

    set: str
    about: str
    power: int
    limit: int
    statistic: str
    skills: tuple[str, ...]
    line: int


class RatingRow(TableRow, frozen=True):
    """A Power Rating: what it is called, and what can be done with it."""

    rating: int
    name: str
    means: str
    calls: str = ""


class LimitRow(TableRow, frozen=True):
    """A Limit Rating: how uses are rationed."""

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
    """An inherent power of the book's example, and what it is rolled with where a roll is asked for."""

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
"""What powers of a rating are like elsewhere."""
APTITUDES = Table("ore-5.04-metapsychic", AptitudeRow)
INHERENT = Table("ore-5.02b-inherent", InherentRow)
APTITUDE_NAMES = ("clairsentience", "electrokinesis", "psychokinesis", "redaction", "telepathy")
EFFECTS = tuple([Table(f"ore-5.04-effects-{name}", EffectRow) for name in APTITUDE_NAMES])
GRANDMASTER_EFFECTS = tuple([Table(f"ore-5.04-grandmaster-{name}", EffectRow) for name in APTITUDE_NAMES])
LEARNT_BY_WARLOCKS = Table("ore-5.02b-developed", EffectRow)


@lru_cache(maxsize=64)
def effects(rules: Ruleset) -> dict[str, EffectRow]:
    """Every effect of every set, by its name."""
    tables = (*EFFECTS, *GRANDMASTER_EFFECTS, LEARNT_BY_WARLOCKS)
    return {row.effect: row for table in tables for row in table(rules).values()}


@lru_cache(maxsize=64)
def rules_of(rules: Ruleset) -> dict[str, str]:
    """The rule under which each effect stands."""
    tables = (*EFFECTS, *GRANDMASTER_EFFECTS, LEARNT_BY_WARLOCKS)
    return {row.effect: table.rule for table in tables for row in table(rules).values()}


def effect_named(rules: Ruleset, name: str) -> EffectRow:
    """An effect by its name, however it is capitalised; refuses unknown ones with the nearest."""
    known = effects(rules)
    if name in known:
        return known[name]
    for effect, effect_row in known.items():
        if effect.casefold() == name.casefold():
            return effect_row
    raise UserError(f"there is no effect {name!r}{nearest(name, known)}")


@rule("ore-5.00-power-sets")
def effects_of(rules: Ruleset, power_set: str = "meta-psychic", skill: str = "") -> tuple[str, ...]:
    """The effects that Arcane Apprentice for a set opens, of all its skills or of one. By id only."""
    SETS.get(rules, power_set)
    return tuple([row.effect for row in effects(rules).values() if row.set == power_set and skill in ("", row.skill)])


@rule("ore-5.02-power-examples")
def like_elsewhere(rules: Ruleset, rating: int = 5) -> str:
    """What powers of a Power Rating are like in tales that many know; there is nothing without power. By id only."""
    name = RATINGS.get(rules, str(rating)).name
    return EXAMPLES.of(rules, name) if rating else ""


def words_at(steps: dict[str, str], figure: int) -> str:
    """What stands at a Width or Height in a list that holds from each figure upwards; nothing below the first."""
    reached = [int(step) for step in steps if int(step) <= figure]
    return steps[str(max(reached))] if reached else ""
