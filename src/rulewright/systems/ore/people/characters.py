"""Characters as people keep them, and the person a character has become (book lines 616-871).

`Character` is what is saved: the choices made at creation, and the log of what experience bought since. `Person` is what follows
from it now; nothing of it is ever saved. Statistics are written as they stand when play begins, packages included.
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
    """Dice of a skill that were promoted."""

    expert: int = 0
    master: int = 0


class Owned(Struct, frozen=True, forbid_unknown_fields=True):
    """An advantage: its rating or levels, or its two parts; what was chosen for it; and a price where the book has no such advantage."""

    name: str
    rating: int = 1
    first: int = 0
    second: int = 0
    choice: str = ""
    """A statistic, a skill, a type of damage, a weapon, whatever it is for."""
    when: str = ""
    """The one circumstance in which it helps."""
    attached: str = ""
    """The advantage that an Income comes from."""
    points: int | None = None


class PowerSet(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A developed power: its Power Statistic, its Power Skills, and the effects that were bought.

    The right to it is the advantage Arcane Apprentice with the set as its choice, whose two parts are its Power and its Limit Rating.
    """

    set: str
    rating: int = 0
    """The Power Statistic."""
    skills: tuple[tuple[str, int], ...] | dict[str, int] = {}
    effects: tuple[str, ...] = ()
    own: tuple[tuple[str, int], ...] | dict[str, int] = {}
    """Effects of the Game Master's own, with their levels."""
    energy: int = 0
    """Energy Points beyond the Power Statistic, for three points each."""

    def skill(self, name: str) -> int:
        """The rating of one of its skills."""
        return dict(self.skills).get(name, 0)


class Inherent(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A power that somebody was born with: its level and limit, and what it is rolled with where a roll is asked for."""

    name: str
    level: int
    limit: int = 5
    does: str = ""
    statistic: str = ""
    skill: str = ""
    resist: Literal["", "nerve", "physique"] = ""


def called(rules: Ruleset, own: Owned) -> Owned:
    """The same under the name that the rules know it by."""
    attached = advantage_named(rules, own.attached) if own.attached else ""
    return replace(own, name=advantage_named(rules, own.name), attached=attached)


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award", tag_field="entry"):
    """Experience given at the end of a session."""

    xp: int
    session: str = ""


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """Something bought with experience; `xp` is needed where the book prints no price."""

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
    """An identity is one more for the path Guy Incognito; a disadvantage is got rid of; energy is an Energy Point of a set."""
    what: str
    to: int = 1
    """The rating or level reached."""
    under: str = ""
    """The Discipline of a Concentration, the power set of a Power Skill or an effect."""
    instead_of: str = ""
    """The path whose highest level is given up for a feat."""
    xp: int | None = None
    story: str = ""
    first: int = 0
    second: int = 0
    """What the two parts of an advantage come to."""
    choice: str = ""
    when: str = ""
    """What an advantage is for, as on the sheet."""
    cash_in: tuple[str, ...] = ()
    """Narrow Skills that are given up for their Broad one."""


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
    """Broad, Narrow and Specialist Skills, plain skills or Disciplines; subjects stand after a colon: `ride: camels`."""
    special: dict[str, Special] = {}
    """The promoted dice of skills."""
    concentrations: dict[str, dict[str, int]] = {}
    """By Discipline."""
    feats: dict[str, int] = {}
    """The highest level of each path."""
    identities: int = 1
    """How many identities the path Guy Incognito was bought for."""
    advantages: tuple[Owned, ...] = ()
    powers: tuple[PowerSet, ...] = ()
    """Developed powers, one entry a set."""
    inherent: tuple[Inherent, ...] = ()
    """Inherent powers."""
    packages: tuple[str, ...] = ()
    elements: dict[str, int] = {}
    """Element Points by chart, where characters are built from archetypes."""
    points: int | None = None
    """What the character is built with, where the Game Master grants other than the usual."""
    built_for: Literal["", "gritty", "action", "superhuman"] = ""
    """The Gear the character was built for; the campaign's where nothing is said."""
    gear: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    """The weapons a fight begins with, the one in hand first."""
    armour: dict[str, str] = {}
    """Armour by part of the body: `torso: chain mail`, `all: light`, `head: AR 3 (C3-I1-P2)`, `arms: HAR 2 + LAR 1, weak`."""
    shield: Literal["", "small", "medium", "large"] = ""
    shield_arm: Literal["left arm", "right arm"] = "left arm"
    advancement: tuple[Award | Purchase, ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes left: fields of a member's state, as a fight names them when it is over."""


class Person(Struct, frozen=True):
    """A character as it stands now: creation, packages, and everything bought since."""

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
        """What the file comes to today."""
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
        """The rating of an advantage (all of them together, for this choice where one is named); 0 without it."""
        return sum([own.rating for own in self.advantages if own.name == advantage and (not choice or own.choice == choice)])


POWERS_BOUGHT = ("power statistic", "power skill", "power effect", "energy", "inherent power")


class _Grown:
    """What somebody has of creation and packages, and with every purchase that is written into it; prices and limits are the audit's."""

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
        """Write one purchase into it."""
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
        """Write a purchase of powers into it; a set that is not there begins with it."""
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
    """The same with plain pairs for mappings, so that it can be compared and remembered."""
    skills = tuple([(name.lower(), rating) for name, rating in dict(own.skills).items()])
    return replace(own, set=own.set.lower(), skills=skills, own=tuple(dict(own.own).items()))


def bought(rules: Ruleset, entry: Purchase) -> Owned:
    """The advantage that an entry of the log buys, as it stands after it."""
    return called(rules, Owned(entry.what, entry.to, entry.first, entry.second, entry.choice, entry.when))


def same_advantage(owned: Owned, other: Owned) -> bool:
    """Whether one is the other at another rating: for the same choice and the same circumstance."""
    return (owned.name, owned.choice.lower(), owned.when.lower()) == (other.name, other.choice.lower(), other.when.lower())


# --- statistics ---------------------------------------------------------------------------------------------------------------


class StatisticRow(TableRow, frozen=True):
    """A statistic: its domain, whether it works by force or finesse, what it covers, and what it may be called instead."""

    statistic: StatisticName
    domain: Literal["physical", "mental", "social"]
    side: Literal["aggressive", "subtle"]
    covers: str
    aliases: tuple[str, ...]


class GearRow(TableRow, frozen=True):
    """A Gear: how far above ordinary people the characters stand."""

    gear: str
    number: int
    about: str


class BudgetRow(TableRow, frozen=True):
    """How many points characters are built with, at least and at most."""

    name: str
    least: int
    most: int
    gear: str = ""


class StartRow(TableRow, frozen=True):
    """Where statistics start in a Gear, how far they go at creation, and what the free start would be worth."""

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
    """The statistic of this name, or the one that a campaign may call so; names of skills that read alike are not meant here.

    By id only.
    """
    for row in STATISTIC_LIST(rules).values():
        if name.lower() == row.statistic or name.lower() in row.aliases:
            return row.statistic
    raise UserError(f"there is no statistic {name!r}; choose {join(STATISTICS, 'or')}")


@rule("ore-0.03-gears")
def gear_of(rules: Ruleset) -> str:
    """The Gear that the campaign is played in; what it recommends is bundled in the preset of its name."""
    return rules.word("gear")


@rule("ore-2.01-point-cost")
def points_allowed(rules: Ruleset, granted: int | None = None, built_for: str = "") -> Derived[int]:
    """What a character is built with: what the campaign says, or else the least that its Gear suggests."""
    if granted is not None:
        return total("Points", term("granted", granted), rule="ore-2.01-point-cost", source="house")
    if rules.number("points"):
        return total("Points", term("the campaign", rules.number("points")), rule="ore-2.01-point-cost", source="house")
    gear = built_for or gear_of(rules)
    least = BUDGETS.get(rules, gear).least
    return total("Points", term(f"minimum for {gear}", least), rule="ore-2.01-point-cost")


@rule("ore-2.10-starting-statistics")
def start(rules: Ruleset, built_for: str = "") -> StartRow:
    """Where the statistics of a new character start for nothing, and how far they can be raised."""
    return STARTS.get(rules, built_for or gear_of(rules))


@rule("ore-2.10-starting-statistics")
def highest_start(rules: Ruleset, from_packages: int = 0, built_for: str = "", preternatural: bool = False) -> int:
    """How far a statistic can be raised at creation: to the limit of the Gear, and one further where it is preternatural."""
    return statistic_limit(rules, start(rules, built_for).highest, preternatural)


@rule("ore-2.11-opt-more-non-human")
@instead_of(highest_start, "more-non-human")
def raised_once(rules: Ruleset, from_packages: int = 0, built_for: str = "", preternatural: bool = False) -> int:
    """Each statistic is raised by one at most, counted after what the race gives; a preternatural one too."""
    return start(rules, built_for).start + from_packages + 1


def from_packages(rules: Ruleset, character: Character, statistic: str) -> int:
    """How many points of a statistic the packages of a character bring."""
    rows = [PACKAGES(rules)[name] for name in character.packages if name in PACKAGES(rules)]
    return sum(item.rating for row in rows for item in row.items if item.buy == "statistic" and item.what == statistic)


def skills_brought(rules: Ruleset, character: Character) -> dict[str, int]:
    """The skills that the packages of a character bring; what is above that is paid for."""
    brought: dict[str, int] = {}
    for row in [PACKAGES(rules)[name] for name in character.packages if name in PACKAGES(rules)]:
        for item in row.items:
            if item.buy == "skill":
                name = written(rules, item.what)
                brought[name] = max(item.rating, brought.get(name, 0))
    return brought


def lowest(rules: Ruleset, character: Character, statistic: str) -> int:
    """Where a statistic begins with what packages bring; a disadvantage never takes it below 1 (line 1749)."""
    return max(1, start(rules, character.built_for).start + from_packages(rules, character, statistic))


@rule("ore-2.13-opt-statistic-focus")
def focus_mod(focus: str = "alert", relevant: bool = True) -> Mod:
    """A Focus that is relevant gives a die whenever its statistic is rolled; it costs three points, and a statistic has one at most."""
    return Mod(f"focus: {focus}", int(relevant and bool(focus.strip())), "ore-2.13-opt-statistic-focus")


@rule("ore-2.13-opt-statistic-focus")
def focuses_allowed(rules: Ruleset) -> int:
    """How many Focuses a statistic can have: none, unless the campaign plays with them, and then one."""
    return int(rules.on("statistic-focuses"))
