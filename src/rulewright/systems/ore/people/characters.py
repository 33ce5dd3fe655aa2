"""The character file, and the resulting person (book lines 616-871).

`Character` is saved: choices at creation and the log of experience. `Person` is computed from it and never saved. Statistics are those
at the start of play, packages included.
"""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.ore.people.advantages import advantage_named, statistic_limit
from rulewright.systems.ore.people.packages import PACKAGES
from rulewright.systems.ore.people.skills import written
from rulewright.systems.ore.resolution.tests import Mod

STATISTICS = ("body", "coordination", "psyche", "insight", "command", "charm")
StatisticName = Literal["body", "coordination", "psyche", "insight", "command", "charm"]
HUMAN_LIMIT = 5
FOCUS_COST = 3


class Statistics(Struct, frozen=True, forbid_unknown_fields=True):
    """The six statistics."""

    body: int = 2
    coordination: int = 2
    psyche: int = 2
    insight: int = 2
    command: int = 2
    charm: int = 2


class Special(Struct, frozen=True, forbid_unknown_fields=True):
    """Promoted dice of a skill."""

    expert: int = 0
    master: int = 0


class Owned(Struct, frozen=True, forbid_unknown_fields=True):
    """An advantage: rating, levels or two parts; its choice; and a price if it is not in the book."""

    name: str
    rating: int = 1
    first: int = 0
    second: int = 0
    choice: str = ""
    """A statistic, skill, type of damage, weapon or other subject."""
    when: str = ""
    """The circumstance in which it helps."""
    attached: str = ""
    """The advantage that provides an Income."""
    points: int | None = None


class PowerSet(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A developed power: Power Statistic, Power Skills and effects. It needs the advantage Arcane Apprentice for its set, with Power and
    Limit Rating as its two parts."""

    set: str
    rating: int = 0
    """The Power Statistic."""
    skills: tuple[tuple[str, int], ...] | dict[str, int] = {}
    effects: tuple[str, ...] = ()
    own: tuple[tuple[str, int], ...] | dict[str, int] = {}
    """The Game Master's own effects, with levels."""
    energy: int = 0
    """Energy Points beyond the Power Statistic, for three points each."""

    def skill(self, name: str) -> int:
        """The rating of one of its skills."""
        return dict(self.skills).get(name, 0)


class Inherent(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """An inherent power: level, limit, and its pool if it needs a roll."""

    name: str
    level: int
    limit: int = 5
    does: str = ""
    statistic: str = ""
    skill: str = ""
    resist: Literal["", "nerve", "physique"] = ""


def called(rules: Ruleset, own: Owned) -> Owned:
    """The same with the name from the rules."""
    attached = advantage_named(rules, own.attached) if own.attached else ""
    return replace(own, name=advantage_named(rules, own.name), attached=attached)


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award", tag_field="entry"):
    """Experience for a session."""

    xp: int
    session: str = ""


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """A purchase with experience; `xp` is needed if the book gives no price."""

    buy: Literal[
        "statistic",
        "skill",
        "expert die",
        "master die",
        "discipline",
        "concentration",
        "feat",
        "identity",
        "advantage",
        "disadvantage",
        "power statistic",
        "power skill",
        "power effect",
        "energy",
        "inherent power",
    ]
    """identity: one more for the path Guy Incognito; disadvantage: removes it; energy: an Energy Point of a set."""
    what: str
    to: int = 1
    """The new rating or level."""
    under: str = ""
    """The Discipline of a Concentration, or the set of a Power Skill or effect."""
    instead_of: str = ""
    """The path whose highest level is given up for a feat."""
    xp: int | None = None
    story: str = ""
    first: int = 0
    second: int = 0
    """The new ratings of the two parts of an advantage."""
    choice: str = ""
    when: str = ""
    """The choice of an advantage, as on the sheet."""
    cash_in: tuple[str, ...] = ()
    """Narrow Skills given up for their Broad Skill."""


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character file."""

    name: str
    system: Literal["ore"] = "ore"
    kind: Literal["character"] = "character"
    concept: str = ""
    statistics: Statistics = Statistics()
    focuses: dict[str, str] = {}
    """A one-word Focus for a statistic."""
    skills: dict[str, int] = {}
    """Skills or Disciplines with ratings; a subject comes after a colon: `ride: camels`."""
    special: dict[str, Special] = {}
    """The promoted dice of skills."""
    concentrations: dict[str, dict[str, int]] = {}
    """By Discipline."""
    feats: dict[str, int] = {}
    """The highest level of each path."""
    identities: int = 1
    """Identities bought for the path Guy Incognito."""
    advantages: tuple[Owned, ...] = ()
    powers: tuple[PowerSet, ...] = ()
    """Developed powers, one entry per set."""
    inherent: tuple[Inherent, ...] = ()
    """Inherent powers."""
    packages: tuple[str, ...] = ()
    elements: dict[str, int] = {}
    """Element Points by chart, if characters are built from archetypes."""
    points: int | None = None
    """Points to build with, if not the default."""
    built_for: Literal["", "gritty", "action", "superhuman"] = ""
    """The Gear it was built for; by default the campaign's."""
    gear: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    """Weapons at the start of a fight, the one in hand first."""
    armour: dict[str, str] = {}
    """Armour by location: `torso: chain mail`, `all: light`, `head: AR 3 (C3-I1-P2)`, `arms: HAR 2 + LAR 1, weak`."""
    shield: Literal["", "small", "medium", "large"] = ""
    shield_arm: Literal["left arm", "right arm"] = "left arm"
    advancement: tuple[Award | Purchase, ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """Lasting results: state fields after a fight."""


class Person(Struct, frozen=True):
    """The current character: creation, packages and purchases."""

    name: str
    statistics: Statistics
    focuses: dict[str, str]
    skills: dict[str, int]
    special: dict[str, Special]
    concentrations: dict[str, dict[str, int]]
    feats: dict[str, int]
    advantages: tuple[Owned, ...]
    disadvantages: dict[str, int]
    gear: tuple[str, ...] = ()
    powers: tuple[PowerSet, ...] = ()
    inherent: tuple[Inherent, ...] = ()

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Person":
        """The person of a file."""
        grown = _Grown(rules, character)
        for entry in character.advancement:
            if isinstance(entry, Purchase):
                grown.buy(entry)
        return cls(
            character.name,
            Statistics(**grown.statistics),
            {name.lower(): focus for name, focus in character.focuses.items() if focus.strip()},
            grown.skills,
            grown.special,
            grown.concentrations,
            grown.feats,
            tuple(grown.advantages),
            grown.disadvantages,
            character.gear,
            tuple([_counted(power) for power in grown.powers]),
            tuple(grown.inherent),
        )

    def statistic(self, name: str) -> int:
        """A statistic by its name."""
        if name not in STATISTICS:
            raise UserError(f"there is no statistic {name!r}; choose {join(STATISTICS, 'or')}")
        return int(getattr(self.statistics, name))

    def power_set(self, name: str) -> PowerSet | None:
        """A developed power by the name of its set."""
        return next((power for power in self.powers if power.set.lower() == name.lower()), None)

    def has(self, advantage: str, choice: str = "") -> int:
        """The rating of an advantage (summed, for this choice if given); 0 without it."""
        return sum([own.rating for own in self.advantages if own.name == advantage and (not choice or own.choice == choice)])


POWERS_BOUGHT = ("power statistic", "power skill", "power effect", "energy", "inherent power")


class _Grown:
    """A character with all purchases applied; the audit checks prices and limits."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.statistics = {name: int(getattr(character.statistics, name)) for name in STATISTICS}
        self.skills: dict[str, int] = {}
        for name, rating in character.skills.items():
            if rating > 0:
                self.skills[written(rules, name)] = max(rating, self.skills.get(written(rules, name), 0))
        self.special = {written(rules, name): dice for name, dice in character.special.items()}
        self.concentrations = {written(rules, discipline): dict(levels) for discipline, levels in character.concentrations.items()}
        self.feats = {path: level for path, level in character.feats.items() if level > 0}
        self.advantages = [called(rules, own) for own in character.advantages]
        self.disadvantages: dict[str, int] = {}
        self.powers, self.inherent = list(character.powers), list(character.inherent)
        for row in [PACKAGES(rules)[name] for name in character.packages if name in PACKAGES(rules)]:
            self.disadvantages |= row.disadvantages
            for item in row.items:
                if item.buy == "advantage":
                    own = Owned(item.what, item.rating, item.first, item.second, item.choice, item.when, points=item.points)
                    self.advantages.append(called(rules, own))
        for name, rating in skills_brought(rules, character).items():
            self.skills[name] = max(rating, self.skills.get(name, 0))

    def buy(self, entry: Purchase) -> None:
        """Applies one purchase."""
        what, skill = entry.what, written(self.rules, entry.what)
        if entry.buy in POWERS_BOUGHT:
            self._buy_power(entry)
        elif entry.buy == "statistic":
            if what in self.statistics:
                self.statistics[what] = max(entry.to, self.statistics[what])
        elif entry.buy in ("skill", "discipline"):
            self.skills[skill] = max(entry.to, self.skills.get(skill, 0))
            for narrow in [written(self.rules, name) for name in entry.cash_in]:
                self.skills.pop(narrow, None)
                self.special.pop(narrow, None)
        elif entry.buy == "concentration":
            under = self.concentrations.setdefault(written(self.rules, entry.under), {})
            under[what] = max(entry.to, under.get(what, 0))
        elif entry.buy == "feat":
            if self.feats.get(entry.instead_of, 0) > 0:
                self.feats[entry.instead_of] -= 1
            self.feats[what] = max(entry.to, self.feats.get(what, 0))
        elif entry.buy == "advantage":
            own = bought(self.rules, entry)
            had = next((place for place, other in enumerate(self.advantages) if same_advantage(other, own)), len(self.advantages))
            self.advantages[had : had + 1] = [own]
        elif entry.buy == "disadvantage":
            self.disadvantages.pop(what, None)
        elif entry.buy in ("expert die", "master die"):
            now = self.special.get(skill, Special())
            if entry.buy == "expert die":
                self.special[skill] = Special(now.expert + 1, now.master)
            else:
                self.special[skill] = Special(max(0, now.expert - 1), now.master + 1)

    def _buy_power(self, entry: Purchase) -> None:
        """Applies a purchase of powers; a new set starts with it."""
        if entry.buy == "inherent power":
            self.inherent.append(Inherent(entry.what, entry.to, entry.second))
            return
        name = entry.under or (entry.what if entry.buy in ("power statistic", "energy") else "")
        place = next((at for at, power_set in enumerate(self.powers) if power_set.set.lower() == name.lower()), len(self.powers))
        own = self.powers[place] if place < len(self.powers) else PowerSet(name)
        if entry.buy == "power statistic":
            own = replace(own, rating=max(entry.to, own.rating))
        elif entry.buy == "energy":
            own = replace(own, energy=max(entry.to, own.energy))
        elif entry.buy == "power skill":
            own = replace(own, skills={**dict(own.skills), entry.what.lower(): max(entry.to, own.skill(entry.what.lower()))})
        elif entry.what not in own.effects:
            own = replace(own, effects=(*own.effects, entry.what))
        self.powers[place : place + 1] = [own]


def _counted(own: PowerSet) -> PowerSet:
    """The same with pairs instead of mappings, so that it is hashable."""
    skills = tuple([(name.lower(), rating) for name, rating in dict(own.skills).items()])
    return replace(own, set=own.set.lower(), skills=skills, own=tuple(dict(own.own).items()))


def bought(rules: Ruleset, entry: Purchase) -> Owned:
    """The advantage of a purchase, after it."""
    return called(rules, Owned(entry.what, entry.to, entry.first, entry.second, entry.choice, entry.when))


def same_advantage(owned: Owned, other: Owned) -> bool:
    """Whether two are the same advantage with another rating."""
    return (owned.name, owned.choice.lower(), owned.when.lower()) == (other.name, other.choice.lower(), other.when.lower())


# --- statistics ---------------------------------------------------------------------------------------------------------------


class StatisticRow(TableRow, frozen=True):
    """A statistic: domain, force or finesse, what it covers, and other names."""

    statistic: StatisticName
    domain: Literal["physical", "mental", "social"]
    side: Literal["aggressive", "subtle"]
    covers: str
    aliases: tuple[str, ...]


class GearRow(TableRow, frozen=True):
    """A Gear: the power level."""

    gear: str
    number: int
    about: str


class BudgetRow(TableRow, frozen=True):
    """Minimum and maximum points."""

    name: str
    least: int
    most: int
    gear: str = ""


class StartRow(TableRow, frozen=True):
    """Starting statistics of a Gear, limits at creation, and the value of the free start."""

    gear: str
    start: int
    highest: int
    worth: int


STATISTIC_LIST = Table("ore-2.03-statistics", StatisticRow)
STATISTIC_RATINGS = Column("ore-2.03-statistic-ratings", "rating", int, measure=str)
GEAR_LIST = Table("ore-0.03-gears", GearRow)
BUDGETS = Table("ore-2.01-point-cost", BudgetRow)
STARTS = Table("ore-2.10-starting-statistics", StartRow)


@rule("ore-2.03-statistics")
def statistic_named(rules: Ruleset, name: str = "might") -> str:
    """A statistic by name or alias; skills with similar names are not meant. By id only."""
    for row in STATISTIC_LIST(rules).values():
        if name.lower() == row.statistic or name.lower() in row.aliases:
            return row.statistic
    raise UserError(f"there is no statistic {name!r}; choose {join(STATISTICS, 'or')}")


@rule("ore-0.03-gears")
def gear_of(rules: Ruleset) -> str:
    """The campaign's Gear; the preset of its name has its recommended options."""
    return rules.word("gear")


@rule("ore-2.01-point-cost")
def points_allowed(rules: Ruleset, granted: int | None = None, built_for: str = "") -> Derived[int]:
    """Points to build with: the setting, or the minimum of the Gear."""
    if granted is not None:
        return total("Points", term("granted", granted), rule="ore-2.01-point-cost", source="house")
    if rules.number("points"):
        return total("Points", term("the campaign", rules.number("points")), rule="ore-2.01-point-cost", source="house")
    gear = built_for or gear_of(rules)
    least = BUDGETS.get(rules, gear).least
    return total("Points", term(f"minimum for {gear}", least), rule="ore-2.01-point-cost")


@rule("ore-2.10-starting-statistics")
def start(rules: Ruleset, built_for: str = "") -> StartRow:
    """The free starting value of statistics, and their limit."""
    return STARTS.get(rules, built_for or gear_of(rules))


@rule("ore-2.10-starting-statistics")
def highest_start(rules: Ruleset, from_packages: int = 0, built_for: str = "", preternatural: bool = False) -> int:
    """The highest starting statistic: the Gear's limit, plus one if preternatural."""
    return statistic_limit(rules, start(rules, built_for).highest, preternatural)


@rule("ore-2.11-opt-more-non-human")
@instead_of(highest_start, "more-non-human")
def raised_once(rules: Ruleset, from_packages: int = 0, built_for: str = "", preternatural: bool = False) -> int:
    """Each statistic is raised at most once above the race."""
    return start(rules, built_for).start + from_packages + 1


def from_packages(rules: Ruleset, character: Character, statistic: str) -> int:
    """Points of a statistic from packages."""
    rows = [PACKAGES(rules)[name] for name in character.packages if name in PACKAGES(rules)]
    return sum(item.rating for row in rows for item in row.items if item.buy == "statistic" and item.what == statistic)


def skills_brought(rules: Ruleset, character: Character) -> dict[str, int]:
    """Skills from packages; only more is paid for."""
    brought: dict[str, int] = {}
    for row in [PACKAGES(rules)[name] for name in character.packages if name in PACKAGES(rules)]:
        for item in row.items:
            if item.buy == "skill":
                name = written(rules, item.what)
                brought[name] = max(item.rating, brought.get(name, 0))
    return brought


def lowest(rules: Ruleset, character: Character, statistic: str) -> int:
    """The lowest starting value with packages; a disadvantage never takes it below 1 (line 1749)."""
    return max(1, start(rules, character.built_for).start + from_packages(rules, character, statistic))


@rule("ore-2.13-opt-statistic-focus")
def focus_mod(focus: str = "alert", relevant: bool = True) -> Mod:
    """A relevant Focus gives +1d on its statistic; it costs three points, at most one per statistic."""
    return Mod(f"focus: {focus}", int(relevant and bool(focus.strip())), "ore-2.13-opt-statistic-focus")


@rule("ore-2.13-opt-statistic-focus")
def focuses_allowed(rules: Ruleset) -> int:
    """Focuses per statistic: none without the option, otherwise one."""
    return int(rules.on("statistic-focuses"))
