"""Characters: the saved file, and the person that follows from it (book chapters 9 to 12).

`Character` is what is saved: the choices of creation, what was bought with which points, and the log of what happened since.
`Person` is what follows from it now; nothing of it is ever saved.
"""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, either, term, total
from rulewright.systems.hybrid.people.skills import (
    RELATIONS,
    Interaction,
    Method,
    Ranks,
    SkillKind,
    SkillType,
    Tools,
    Use,
    known,
    related_rank,
    skill_record,
)
from rulewright.systems.hybrid.people.statistics import (
    AVERAGE,
    STATISTICS,
    Background,
    Figure,
    Gender,
    Primary,
    all_statistics,
    race_pools,
    stat_name,
)
from rulewright.systems.hybrid.resolution.tests import UNRANKED, Mod

PointPool = Literal["skill", "wealth", "community"]
"""The three pools that creation is paid from; the fourth, for statistics, is `Primary`."""
Depth = Literal["low", "medium low", "medium", "medium high", "high", "very high"]


# --- what is saved ------------------------------------------------------------------------------------------------------------


class Skill(Struct, frozen=True, forbid_unknown_fields=True):
    """A skill with more to say than its rank: its kind, its components where the book does not name it, the statistics it rests on."""

    rank: int = 0
    kind: SkillKind = "specific"
    type: SkillType | None = None
    interaction: Interaction = "unassisted"
    tools: Tools = "no tools"
    stat_base: tuple[str, ...] = ()
    of: str = ""
    """The skill that a support skill backs."""
    filter: bool = False
    """Whether it caps others in the surroundings it stands for."""


class Package(Struct, frozen=True, forbid_unknown_fields=True):
    """A package of skills bought at creation: by its name in the book, or with skills and a price that the gamemaster agreed to."""

    package: str
    rank: int = 0
    skills: tuple[str, ...] = ()
    cost: int | None = None


class Year(Struct, frozen=True, forbid_unknown_fields=True):
    """What a year of a career brought, by its three rolls."""

    development: int = 0
    money: int = 0
    status: int = 0


class Career(Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of one's past; any way of life counts."""

    career: str
    years: tuple[Year, ...] = ()
    continued: bool = False
    """Whether it goes on in play: its enemies and its backing cancel out."""
    story: str = ""


class Gift(Struct, frozen=True, forbid_unknown_fields=True):
    """A character enhancement of the book's list, or one agreed with the gamemaster at a price."""

    name: str
    cost: int | None = None
    paid_from: PointPool = "skill"
    scope: int = 1
    """How many areas it applies to."""
    depth: int = 0
    """How much it gives in each."""
    story: str = ""


class Enhanced(Struct, frozen=True, forbid_unknown_fields=True):
    """A statistic that is better in one narrow area: it counts like rank there, and nowhere else."""

    stat: str
    area: str
    points: int = 1
    paid_from: PointPool = "skill"


class Heightened(Struct, frozen=True, forbid_unknown_fields=True):
    """More energy for a field of psionics or magic, or for one skill or spell of it."""

    power: Literal["psi", "magic"]
    field: str
    scope: Literal["broad", "specific"] = "broad"
    points: int = 1
    paid_from: PointPool = "skill"


class Presence(Struct, frozen=True, forbid_unknown_fields=True):
    """How strongly others notice one; below zero it is stealth, at the same price."""

    of: Literal["physical", "mental"] = "physical"
    steps: int = 1
    paid_from: PointPool = "skill"


class Limitation(Struct, frozen=True, forbid_unknown_fields=True):
    """A disadvantage and the points it gives, by the book's list or agreed with the gamemaster."""

    name: str
    gives: int | None = None
    paid_to: PointPool = "skill"
    scope: int = 1
    depth: int = 0
    story: str = ""


class Tie(Struct, frozen=True, forbid_unknown_fields=True):
    """Friends, a reputation or an income: how many people (or how much), how deep it goes, what paid for it."""

    name: str
    people: int = 1
    depth: Depth = "low"
    paid_from: PointPool = "community"
    story: str = ""


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """Points moved from one pool into another."""

    out_of: PointPool
    into: PointPool
    points: int


class Heritage(Struct, frozen=True, forbid_unknown_fields=True):
    """What the gamemaster gives a race or culture whose figures the book leaves to him."""

    mods: dict[str, int] = {}
    times: dict[str, float] = {}
    skills: tuple[str, ...] = ()
    cost: int = 0
    """What the race or the cultural template costs, in skill points."""


class Related(Struct, frozen=True, forbid_unknown_fields=True):
    """A skill that stands in for one that is lacking, and how alike the gamemaster finds the two."""

    skill: str
    relation: str = "fairly different"


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """Something owned that no table lists."""

    name: str
    cost: int = 0
    note: str = ""


class Gear(Struct, frozen=True, forbid_unknown_fields=True):
    """What is owned: weapons, armour and spells by their names in the tables, other things freely."""

    weapons: tuple[str, ...] = ()
    armour: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    other: tuple[Item, ...] = ()
    unfamiliar: dict[str, int] = {}
    """Weapons that handle differently from what their owner is used to, and how many rolls to grow familiar have succeeded."""


class Worn(Struct, frozen=True, forbid_unknown_fields=True):
    """What is missing between scenes of fatigue, exhaustion and body, of body and mind."""

    pft: int = 0
    pex: int = 0
    pbd: int = 0
    mft: int = 0
    mex: int = 0
    mbd: int = 0


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award", tag_field="entry"):
    """Experience points given by the gamemaster."""

    eep: int
    session: str = ""


class Training(Struct, frozen=True, forbid_unknown_fields=True, tag="training", tag_field="entry"):
    """Hours of training, worth experience points."""

    hours: int
    method: Method = "alone"
    skill: str = ""
    """The skill that was trained."""


class Raised(Struct, frozen=True, forbid_unknown_fields=True, tag="raised", tag_field="entry"):
    """A skill, or where the campaign has it a statistic, raised with experience points."""

    what: str
    to: int
    eep: int | None = None
    """What was paid, where the gamemaster asked for another price."""
    story: str = ""


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character file."""

    name: str
    system: Literal["hybrid"] = "hybrid"
    kind: Literal["character"] = "character"
    concept: str = ""
    race: str = "Human"
    gender: Gender = ""
    culture: str = ""
    language: str = ""
    """The language of the culture, where it is not called like the culture."""
    heritage: Heritage = Heritage()
    primary: Primary = AVERAGE
    bought: dict[str, int] = {}
    """Statistics raised with skill points, calculated ones and looks among them."""
    height: int | None = None
    weight: int | None = None
    skills: dict[str, int | Skill] = {}
    """Ranks reached at creation."""
    cultural: dict[str, dict[str, int]] = {}
    """Ranks paid from a culture's allowances, by field of allowance, where a campaign follows chapter 9 or 10."""
    related: dict[str, Related] = {}
    """Skills that are lacking, and what stands in for each."""
    packages: tuple[Package, ...] = ()
    skill_pools: dict[str, tuple[str, ...]] = {}
    """Skills that help each other, by the name of their pool."""
    careers: tuple[Career, ...] = ()
    gifts: tuple[Gift, ...] = ()
    enhanced: tuple[Enhanced, ...] = ()
    heightened: tuple[Heightened, ...] = ()
    presence: tuple[Presence, ...] = ()
    limitations: tuple[Limitation, ...] = ()
    friends: tuple[Tie, ...] = ()
    reputation: tuple[Tie, ...] = ()
    incomes: tuple[Tie, ...] = ()
    wealth: int = 0
    """Wealth points turned into plain money and goods."""
    status: int = 0
    """Community points spent on plain standing."""
    moved: tuple[Moved, ...] = ()
    gear: Gear = Gear()
    worn: Worn = Worn()
    advancement: tuple[Award | Training | Raised, ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes left: fields of a person in a fight, which go before what is `worn`."""

    def skill(self, name: str) -> Skill:
        """A skill of the file with everything it says; one that is not in it is unknown here, not unranked."""
        entry = self.skills.get(name, 0)
        return entry if isinstance(entry, Skill) else Skill(entry)


# --- pools of points (lines 1238-1242, 1655-1665, 2220-2228) ------------------------------------------------------------------


class PoolRow(TableRow, frozen=True):
    """A pool of points: what other chapters call it, the setting that says how much is in it, what it buys."""

    pool: str
    also: tuple[str, ...]
    setting: str
    buys: str


POOLS = Table("hyb-10-pools", PoolRow)


@rule("hyb-10-pools")
def starting_points(rules: Ruleset, pool: Literal["stat", "skill", "wealth", "community"] = "skill", race: str = "Human") -> Derived[int]:
    """The initial points of a pool. Skill points: 100 by chapter 12, or 10 as in other chapters where careers fill the pool (ruling)."""
    row = POOLS.get(rules, pool)
    of_race = race_pools(rules, race).get(pool, 0)
    terms = []
    if pool == "skill":
        chosen = rules.word(row.setting)
        careers = rules.on("careers")
        value = int(chosen) if chosen != "by rule" else 10 if careers else 100
        chapter = {100: "chapter 12, section on points", 10: "chapters 9 and 10"}[value]
        why = "; careers fill the pool" if chosen == "by rule" and careers else ""
        terms.append(Reason(chapter + why, value, "+", "hyb-10-pools", rules.source(row.setting)))
    else:
        value = rules.number(row.setting)
        terms.append(Reason("to start with", value, "+", "hyb-10-pools", rules.source(row.setting)))
    if of_race:
        terms.append(Reason(f"race: {race}", of_race, "+", "hyb-9-race", rules.source("hairochan")))
    return total(f"{pool} points", *terms, rule="hyb-10-pools")


# --- cultures (lines 1683-1699, 2234-2238, 2274-2285, 2510-2549) --------------------------------------------------------------


class CultureRow(TableRow, frozen=True):
    """A culture: the skills it teaches, and the race that mostly belongs to it."""

    culture: str
    skills: tuple[str, ...]
    race: str
    by_gamemaster: bool = False


class GivenRow(TableRow, frozen=True):
    """What every culture gives, `{}` standing for its name; `package` is every skill of its own package."""

    skill: str
    rank: int


class AllowanceRow(TableRow, frozen=True):
    """Points that a culture gives for a field of skills, by chapter 9."""

    field: str
    points: int
    covers: str
    kinds: tuple[str, ...] = ()
    """What the names of its skills begin with; any skill where none are named."""


class TheneanRow(TableRow, frozen=True):
    """A part of chapter 10's sample culture."""

    name: str
    points: int = 0
    template: bool = False
    pool: bool = False


CULTURES = Table("hyb-12-culture-packages", CultureRow)
GIVEN = Table("hyb-12-culture-skills", GivenRow)
ALLOWANCES = Table("hyb-9-cultural-points", AllowanceRow)
THENEAN = Table("hyb-10-thenean-template", TheneanRow)


@rule("hyb-12-culture-skills")
def culture_ranks(rules: Ruleset, culture: str = "Thenean", language: str = "", skills: tuple[str, ...] = ()) -> dict[str, Derived[int]]:
    """The ranks that a culture gives for nothing: its lore 20, its spoken language 10, every skill of its package 7.

    `skills` is the package of a culture that the book leaves to the gamemaster.
    """
    if not culture:
        return {}
    row = CULTURES.get(rules, culture)
    derived_by_name = {}
    for given in GIVEN(rules).values():
        names = (*row.skills, *skills) if given.skill == "package" else (given.skill.replace("{}", _whose(given, culture, language)),)
        for name in names:
            derived_by_name[name] = total(f"{name}, by culture", term(culture, given.rank), rule="hyb-12-culture-skills")
    return derived_by_name


@rule("hyb-12-culture-packages")
def culture_package(rules: Ruleset, culture: str = "Thenean") -> tuple[str, ...]:
    """The skills of a culture's own package; none where the book leaves them to the gamemaster. By id only."""
    return CULTURES.get(rules, culture).skills


@rule("hyb-10-thenean-template")
def thenean_template(rules: Ruleset) -> dict[str, Derived[int]]:
    """Returns the ranks that chapter 10's Theneans begin with: points in languages and lore, at 1 + rank, and the skills of the template.

    The template has neither price nor rank in print: its skills are known at rank 0 (ruling).
    """
    derived_by_name = {}
    for row in THENEAN(rules).values():
        if not row.pool:
            rank = 0 if row.template else row.points - 1
            why = Reason("the template, without a rank in print", 0, "+", "hyb-10-thenean-template", "ruling")
            points = Reason(f"{row.points} points, at 1 + rank", rank, "+", "hyb-10-thenean-template", row.source)
            derived_by_name[row.name] = total(row.name, why if row.template else points, rule="hyb-10-thenean-template")
    return derived_by_name


@rule("hyb-10-thenean-template")
def thenean_pool(rules: Ruleset, culture: str = "Thenean") -> int:
    """Returns the additional skill points of chapter 10's Theneans, where a campaign follows it."""
    if culture != "Thenean" or rules.word("culture-skills") != "chapter 10":
        return 0
    return sum(row.points for row in THENEAN(rules).values() if row.pool)


def _whose(given: GivenRow, culture: str, language: str) -> str:
    return language if language and "Language" in given.skill else culture


# --- the person ---------------------------------------------------------------------------------------------------------------


class PackageRow(TableRow, frozen=True):
    """A package of skills and its price for every rank, rank 0 included."""

    package: str
    cost: int
    skills: tuple[str, ...]


PACKAGES = Table("hyb-9-skill-packages", PackageRow)


def package_skills(rules: Ruleset, package: Package) -> tuple[str, ...]:
    """The skills of a package: its own list, or the book's."""
    if package.skills:
        return package.skills
    row = PACKAGES(rules).get(package.package)
    return row.skills if row is not None else ()


def background(character: Character) -> Background:
    """Returns what changes the statistics of a character."""
    return Background(
        character.race,
        character.gender,
        tuple(sorted(character.heritage.mods.items())),
        tuple(sorted(character.heritage.times.items())),
        tuple(sorted(character.bought.items())),
    )


def statistics_of(rules: Ruleset, character: Character) -> dict[str, Figure]:
    """Every statistic today: creation, and what experience raised where a campaign lets statistics rise."""
    beginning = background(character)
    derived_by_name = all_statistics(rules, character.primary, beginning)
    if not rules.on("statistics-rise"):
        return derived_by_name
    for entry in character.advancement:  # one after the other: what raises a primary statistic raises those worked out from it
        stat = stat_name(entry.what) if isinstance(entry, Raised) else ""
        if isinstance(entry, Raised) and stat in derived_by_name and entry.to > derived_by_name[stat].value:
            more = (stat, entry.to - int(derived_by_name[stat].value))
            beginning = replace(beginning, bought=(*beginning.bought, more))
            derived_by_name = all_statistics(rules, character.primary, beginning)
    return derived_by_name


def given_by_culture(rules: Ruleset, character: Character) -> dict[str, Reason]:
    """Returns the ranks that the culture gives: by chapter 12 fixed ranks, by 10 the sample for Theneans, by 9 what allowances paid."""
    chapter, reason_by_name = rules.word("culture-skills"), {}
    if chapter == "chapter 12":
        for skill, rank in culture_ranks(rules, character.culture, character.language, character.heritage.skills).items():
            reason_by_name[skill] = Reason(f"culture: {character.culture}", rank.value, "or", "hyb-12-culture-skills")
    elif chapter == "chapter 10" and character.culture == "Thenean":
        for skill, rank in thenean_template(rules).items():
            reason_by_name[skill] = Reason("culture: Thenean, by chapter 10", rank.value, "or", "hyb-10-thenean-template")
    else:
        for field, skills in character.cultural.items():
            for skill, reached in skills.items():
                reason_by_name[skill] = Reason(f"allowance: {field}", reached, "or", "hyb-9-cultural-points")
    return reason_by_name


def ranks_of(rules: Ruleset, character: Character) -> dict[str, Derived[int]]:
    """Every rank a character has, and where it comes from: the best of culture, packages, purchases and experience."""
    sources: dict[str, list[Reason]] = {}

    def give(skill: str, rank: int, label: str, rule_id: str) -> None:
        sources.setdefault(skill, []).append(either(label, rank, rule=rule_id))

    for skill, rank in given_by_culture(rules, character).items():
        give(skill, int(rank.value), rank.label, str(rank.rule))
    for package in character.packages:
        for skill in package_skills(rules, package):
            give(skill, package.rank, f"package: {package.package}", "hyb-9-skill-packages")
    for skill in character.skills:
        give(skill, character.skill(skill).rank, "bought", "hyb-9-skill-cost")
    for entry in character.advancement:
        if isinstance(entry, Raised) and stat_name(entry.what) not in STATISTICS:
            give(entry.what, entry.to, "experience", "hyb-3-raising-skills")
    return {skill: total(skill, *reasons, rule="hyb-3-ranks") for skill, reasons in sources.items()}


class Person(Struct, frozen=True):
    """A character in its current state: all statistics and all ranks, each with its reasons."""

    name: str
    race: str
    gender: Gender
    culture: str
    statistics: dict[str, Figure]
    ranks: dict[str, Derived[int]]
    character: Character

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Person":
        """Returns the present person of a file."""
        return cls(
            name=character.name,
            race=character.race,
            gender=character.gender,
            culture=character.culture,
            statistics=statistics_of(rules, character),
            ranks=ranks_of(rules, character),
            character=character,
        )

    def stat(self, name: str) -> int:
        """A statistic by its abbreviation, as a whole number; movement is cut to whole metres."""
        return int(self.statistics[stat_name(name)].value)

    def rank(self, skill: str) -> int | None:
        """A skill's rank; None for one without."""
        derived = self.ranks.get(skill)
        return derived.value if derived is not None else None

    def stands_in(self, rules: Ruleset, skill: str) -> int | None:
        """The rank that a related skill is good for where this one is lacking; None where there is none."""
        other = self.character.related.get(skill)
        if other is None or self.rank(skill) is not None or other.relation not in RELATIONS(rules):
            return None
        rank = self.rank(other.skill)
        return None if rank is None else related_rank(rules, rank, other.relation).value

    def good_for(self, rules: Ruleset, skill: str) -> int | None:
        """The rank with which a skill is used: its own, or that of a related one where it counts as a rank (ruling)."""
        rank = self.rank(skill)
        return rank if rank is not None or not rules.on("related-counts-as-ranked") else self.stands_in(rules, skill)

    def stats_of(self, rules: Ruleset, skill: str) -> tuple[str, ...]:
        """The statistics that a skill rests on: as the file names them, by the book's list, or Mental Strength."""
        row = known(rules, skill)
        named = tuple(stat for stat in self.character.skill(skill).stat_base if stat_name(stat) in self.statistics)
        return named or (row.stat_base if row is not None else ("MST",))

    def use(self, rules: Ruleset, skill: str, stats: tuple[str, ...] = (), difficulty: int = 0, action: str = "") -> Use:
        """A use of a skill with everything the sheet knows: stat base, ranks, support skills, the skill's own difficulty, its pool.

        A support skill counts for the one action that it is trained for (`Long Sword: Parry` when one parries); to ask for the
        support skill itself is to ask for that action.
        """
        character = self.character
        entry, row = character.skill(skill), known(rules, skill)
        backed = self._backs(rules, skill)
        if backed and backed != skill and not self._backs(rules, backed):
            return self.use(rules, backed, stats, difficulty, _action(skill, backed))
        base = stats or self.stats_of(rules, skill)
        told = isinstance(character.skills.get(skill), Skill)
        kind: SkillKind = entry.kind if told or row is None else row.kind
        own = skill_record(rules, skill).difficulty.value if row is not None else 0
        rank = self.rank(skill)
        backing = {name: reached for name, reached in self.ranks.items() if self._backs(rules, name) == skill}
        supports = tuple(reached.value for name, reached in backing.items() if _action(name, skill) == action.lower())
        ranks = Ranks(general=rank, supports=supports) if kind == "general" else Ranks(specific=rank, supports=supports)
        pool = next((names for names in character.skill_pools.values() if skill in names), ())
        pooled = tuple(number for name in pool if (number := self.rank(name)) is not None)
        mods: tuple[Mod, ...] = ()
        likened = self.stands_in(rules, skill)
        if likened is not None:
            ranks = Ranks(specific=likened, supports=supports)
            mods = () if rules.on("related-counts-as-ranked") else (Mod("unranked", UNRANKED.of(rules, "modifier"), "hyb-2-unranked"),)
        return Use(tuple(self.stat(name) for name in base), ranks, difficulty, own, pooled, modifiers=mods)

    def _backs(self, rules: Ruleset, skill: str) -> str:
        """The skill that a support skill backs; nothing for any other."""
        entry, row = self.character.skill(skill), known(rules, skill)
        return entry.of or (row.of if row is not None and row.skill == skill else "")

    def gifted(self, power: Literal["psi", "magic"], field: str, single: str = "") -> int:
        """Returns the points that gifts add to NRG in a field, or for one spell or skill of it."""
        wanted = {"broad": field.lower(), "specific": single.lower()}
        return sum(more.points for more in self.character.heightened if more.power == power and more.field.lower() == wanted[more.scope])


def _action(support: str, skill: str) -> str:
    """The one action that a support skill is trained for: what its name has beside the skill's."""
    return support.removeprefix(skill).strip(" :").lower()
