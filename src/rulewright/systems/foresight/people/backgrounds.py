"""Tables of creation: background factors, packages, species, traits, wealth, merit (book lines 559-712, 1000-1017, 1063-1300)."""

from typing import Literal

from msgspec import field

from rulewright.dice.limits import bound
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, term, times, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.attributes import AttributeName
from rulewright.systems.foresight.resolution.tests import half_up


class CompetenceRow(TableRow, frozen=True):
    """How many background factors a word for competence stands for."""

    competence: str
    lowest: int
    highest: int | None


class FactorRow(TableRow, frozen=True):
    """A background factor."""

    factor: str
    group: Literal["intrinsic", "childhood", "general", "unusual"]
    general: int
    education: int
    once: bool = False
    inherent: int = 0
    among: tuple[AttributeName, ...] = ()
    wealth: int = 0
    talent: str = ""
    languages: bool = False
    picks: int = 0
    choices: tuple[str, ...] = ()
    needs: dict[AttributeName, int] = field(default_factory=dict)


class PackageRow(TableRow, frozen=True):
    """What comes free in a setting."""

    setting: str
    fields: tuple[str, ...]
    basic: tuple[str, ...]
    environments: dict[str, int]
    free: int
    gravity: dict[str, int]
    skills: tuple[str, ...]


class AwardRow(TableRow, frozen=True):
    """What a session pays."""

    event: str
    lowest: int
    highest: int


class ModifierRow(TableRow, frozen=True):
    """A character modifier."""

    modifier: str
    original: bool
    ds: float = 1
    inherent: dict[AttributeName, int] = field(default_factory=dict)
    chance: dict[AttributeName, int] = field(default_factory=dict)
    repeatable: bool = False
    one_of: str = ""
    """What a person has only one of, where several of the list are one: a frame."""
    base_ease: int = 0
    stealth: int = 0
    stealth_in_crowds: int = 0
    ranged_target: int = 0
    tasks: dict[str, int] = field(default_factory=dict)
    skill_cost: int = 0
    """What the skills of a gift may cost together."""
    deficit: int = 0
    """What a gift takes of another attribute, where it is paid so."""


class SpeciesRow(TableRow, frozen=True):
    """A species."""

    species: str
    general: int
    education: int
    ds: float
    size: str
    ranges: dict[AttributeName, tuple[int, int]]
    factor: bool = True
    """Whether it takes a background factor."""
    traits: tuple[str, ...] = ()
    education_for: str = ""


class RankRow(TableRow, frozen=True):
    """A rank and the merit points it takes."""

    rank: int
    from_mp: int
    bureaucracy: str
    navy: str


COMPETENCE = Table("fs-character-competence", CompetenceRow)
FACTORS = Table("fs-background-factors", FactorRow)
PACKAGES = Table("fs-free-packages", PackageRow)
WEALTH = Column("fs-wealth", "level", svu=int)
"""A wealth level."""
AWARDS = Table("fs-experience-awards", AwardRow)
MODIFIERS = Table("fs-character-modifiers", ModifierRow)
SPECIES = Table("fs-species", SpeciesRow)
FEATURES = Column("fs-custom-species", "feature", points=int)
"""What a feature of a species of one's own costs."""
RANKS = Table("fs-merit-points", RankRow)
STARTING_MERIT = Figures("fs-starting-merit")


@rule("fs-character-competence")
def competence(rules: Ruleset, factors: int = 4) -> str:
    """The word for so many background factors."""
    bound("the number of background factors", factors, 1, 100)
    return next(row.competence for row in COMPETENCE(rules).values() if row.highest is None or factors <= row.highest)


@rule("fs-wealth")
def worth(rules: Ruleset, level: str = "Average", steps: int = 0) -> Derived[int]:
    """The worth of a wealth level so many steps up or down; past the last each further step is five times richer."""
    rows = list(WEALTH(rules).values())
    start = rows.index(WEALTH.get(rules, level))
    bound("the steps of wealth", steps, -len(rows), 20)
    place = max(0, start + steps)
    beyond = max(0, place - len(rows) + 1)
    row = rows[min(place, len(rows) - 1)]
    terms = [term(row.level, row.svu), *[term("a level further", 5, "×") for _ in range(beyond)]]
    return total("wealth in svu", *terms, rule="fs-wealth")


@rule("fs-merit-points")
def rank(rules: Ruleset, points: int = 0) -> int:
    """The rank that merit points bring."""
    return max([row.rank for row in RANKS(rules).values() if row.from_mp <= max(0, points)], default=0)


@rule("fs-merit-points")
def merit(rules: Ruleset, own: int, elsewhere: int = 0, counts: int = 0) -> Derived[int]:
    """Merit in an organization, with the share that another's merit counts for, in percent."""
    share = total("share", term("merit elsewhere", elsewhere), times("percent", counts), divided("of a hundred", 100), rounded_off())
    return total("merit points", term("own", own), term(f"{counts} % of {elsewhere}", share), rule="fs-merit-points")


@rule("fs-merit-points", "fs-starting-merit")
def starting_merit(rules: Ruleset, outside: tuple[int, ...] = (), inside: tuple[int, ...] = ()) -> Derived[int]:
    """Merit before play: 0 to 20 for each background factor outside the organization and 10 to 40 for each inside.

    By id only.
    """
    terms = []
    for where, brought in (("outside", outside), ("inside", inside)):
        least, most = [STARTING_MERIT.of(rules, f"{where}, at {end}") for end in ("least", "most")]
        for points in brought:
            bound(f"merit from {where}", points, least, most)
            terms.append(term(where, points))
    return total("starting merit", *terms, rule="fs-merit-points")


@rule("fs-custom-species")
def species_points(rules: Ruleset, species: SpeciesRow, other: int = 0) -> Derived[int]:
    """The worth of a species: the points it pays out and the cost of its features; 80 is the measure of a background factor."""
    terms = [term("general points", species.general), term("education points", species.education)]
    human = SPECIES.get(rules, "Human").ranges
    for name, (low, high) in species.ranges.items():
        for end, value, usual in (("minimum", low, human[name][0]), ("maximum", high, human[name][1])):
            if value != usual:
                number = FEATURES.of(rules, f"{end} {'+1' if value > usual else '-1'}")
                terms.append(term(f"{name} {end} {value - usual:+}", number * abs(value - usual)))
    steps = half_up((species.ds - 1) / 0.2)
    if steps:
        number = FEATURES.of(rules, f"damage scale {'+0.2' if steps > 0 else '-0.2'}")
        terms.append(term(f"damage scale {species.ds:g}", number * abs(steps)))
    terms += [term(trait, FEATURES.of(rules, trait), source=FEATURES.get(rules, trait).source) for trait in species.traits]
    if other:
        terms.append(term("other abilities", other))
    return total(species.species, *terms, rule="fs-custom-species")


@rule("fs-experience-awards")
def award(rules: Ruleset, in_character: int = 0, objectives: int = 0) -> Derived[int]:
    """Character points of a session: 5, 1 to 5 more for staying in character, and 1 to 5 more for hard goals reached."""
    rows = AWARDS(rules)
    terms = [term("session", rows["session"].highest)]
    for label, points in (("stayed in character", in_character), ("tough objectives", objectives)):
        if points:
            bound(label, points, rows[label].lowest, rows[label].highest)
            terms.append(term(label, points))
    rate = rules.number("experience-rate")
    if rate != 100:
        rated = times("rate in percent", rate, source=rules.source("experience-rate"))
        terms += [rated, divided("of a hundred", 100), rounded_off()]
    return total("character points", *terms, rule="fs-experience-awards")
