"""Statistics: the ten primary ones, the calculated ones, and the source of every number (book lines 1268-1438, 2048-2218)."""

from fractions import Fraction
from math import floor
from typing import Literal, TypeAlias

from msgspec import Struct, field

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Column, Ruleset, SettingValue, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, Source, at_least, divided, limited, reckoned, remark, rounded, term, times, total
from rulewright.rules.reasons import row as table_row
from rulewright.systems.hybrid.resolution.tests import half_up, rounding
from rulewright.systems.hybrid.settings import PRECEDENCE

StatName = Literal["PST", "PEN", "DEX", "PAG", "PAW", "MST", "MEN", "MAG", "NRG", "MAW"]
PRIMARY: tuple[StatName, ...] = ("PST", "PEN", "DEX", "PAG", "PAW", "MST", "MEN", "MAG", "NRG", "MAW")
CALCULATED = ("PBD", "PFT", "PEX", "PMV", "MBD", "MFT", "MEX", "MMV", "ACC", "PCA", "PDF", "FCS", "MCA", "MDF")
Gender = Literal["", "male", "female"]
ALIASES = {"PSI": "NRG", "HGT": "HT", "WGT": "WT", "SPD": "PSPD"}
"""What other chapters call the same statistic."""


def stat_name(name: str) -> str:
    """A statistic's own abbreviation, whatever chapter it was taken from."""
    upper = name.strip().upper()
    return ALIASES.get(upper, upper)


class Primary(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The ten primary statistics as points were shared out; 12 is average."""

    pst: int = 12
    pen: int = 12
    dex: int = 12
    pag: int = 12
    paw: int = 12
    mst: int = 12
    men: int = 12
    mag: int = 12
    nrg: int = 12
    maw: int = 12

    def of(self, stat: str) -> int:
        """A statistic by its abbreviation."""
        return int(getattr(self, stat_name(stat).lower()))

    @property
    def total(self) -> int:
        """All points together."""
        return sum(self.of(stat) for stat in PRIMARY)


AVERAGE = Primary()


# --- peoples (lines 1303-1317, 1667-1681, 2230-2246, 2482-2508) ---------------------------------------------------------------

OF_THE_MIND = ("MST", "MEN", "MAG", "NRG", "MAW", "MCA", "MDF", "FCS")
"""Statistics of the mind; all others are of the body."""


class RaceRow(TableRow, frozen=True):
    """A race: what it adds to statistics, for everybody and by gender, and what it multiplies."""

    race: str
    mods: dict[str, int]
    male: dict[str, int] = field(default_factory=dict)
    female: dict[str, int] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    by_gamemaster: bool = False
    also: str = ""


class OtherRaceRow(TableRow, frozen=True):
    """What another chapter says of a race."""

    race: str
    chapter: int
    mods: dict[str, int]
    pools: dict[str, int] = field(default_factory=dict)


class SizeRow(TableRow, frozen=True):
    """How tall and heavy a race is, and how much that varies."""

    race: str
    height: int
    height_variation: int
    weight: int
    weight_variation: int


RACES = Table("hyb-12-races", RaceRow)
OTHER_RACES = Table("hyb-9-race", OtherRaceRow)
GENDERS = Column("hyb-9-gender", "gender", Gender, mods=dict[str, int])
"""What one gender has in every race."""
SIZES = Table("hyb-9-height-weight", SizeRow)


@rule("hyb-12-races")
def race(rules: Ruleset, name: str = "Human") -> RaceRow:
    """A race with its modifiers, as chapter 12 has them (ruling); its other name will do."""
    for row in RACES(rules).values():
        if row.also and row.also.lower() == name.lower():
            return row
    return RACES.get(rules, name)


@instead_of(race, "hairochan", "chapter 10")
def race_of_chapter_10(rules: Ruleset, name: str = "Human") -> RaceRow:
    """A race, with chapter 10's figures where it has any."""
    row = next((row for row in RACES(rules).values() if name.lower() in (row.race.lower(), row.also.lower())), None)
    row = row or RACES.get(rules, name)
    other = OTHER_RACES(rules).get(row.race)
    return row if other is None else RaceRow(race=row.race, mods=other.mods, source="house", note=f"as in chapter {other.chapter}")


@rule("hyb-9-race")
def race_modifier(rules: Ruleset, name: str = "Human", stat: str = "PBD") -> Derived[int]:
    """Returns the modifier of a race to a statistic: to a primary one at once, to a calculated one after it is worked out."""
    row = race(rules, name)
    value = row.mods.get(stat_name(stat), 0)
    return total(f"race: {row.race}", term(row.race, value, source=row.source), rule="hyb-12-races", source=row.source)


@rule("hyb-9-race")
def race_pools(rules: Ruleset, name: str = "Human") -> dict[str, int]:
    """Returns what a race adds to the pools of points: nothing in chapter 12, less wealth for the Hairochan of chapter 10."""
    other = OTHER_RACES(rules).get(race(rules, name).race)
    return dict(other.pools) if other is not None and rules.word("hairochan") == "chapter 10" else {}


@rule("hyb-9-gender")
def gender_modifier(rules: Ruleset, gender: Gender = "female", name: str = "Human", stat: str = "PCA") -> Derived[int]:
    """Returns the modifier of the race for a gender; chapter 10's general figures for women only where that option is chosen."""
    row, key = race(rules, name), stat_name(stat)
    listed = {"male": row.male, "female": row.female}.get(gender, {}).get(key, 0)
    general = GENDERS(rules)[gender].mods.get(key, 0) if rules.on("female-modifiers") and gender in GENDERS(rules) else 0
    terms = [Reason(f"{gender} {row.race}", listed, "+", "hyb-12-races", row.source)] if listed else []
    terms += [Reason(f"{gender}, by chapter 10", general, "+", "hyb-9-gender", rules.source("female-modifiers"))] if general else []
    return total(f"gender: {gender or 'none given'}", *terms, rule="hyb-9-gender")


# --- primary statistics (lines 1268-1301) -------------------------------------------------------------------------------------


class PrimaryRow(TableRow, frozen=True):
    """A primary statistic: its name, the range and average of humans, what it is about."""

    stat: StatName
    name: str
    low: int
    high: int
    average: int
    covers: str


PRIMARIES = Table("hyb-9-primary-stats", PrimaryRow)
USES = Column("hyb-12-stat-uses", "stat", StatName, uses=tuple[str, ...])
"""What a primary statistic is the basis of."""


class Background(Struct, frozen=True, cache_hash=True):
    """What changes statistics beside the points shared out: race, gender, what the gamemaster grants, what was bought."""

    race: str = "Human"
    gender: Gender = ""
    granted: tuple[tuple[str, int], ...] = ()
    granted_times: tuple[tuple[str, float], ...] = ()
    bought: tuple[tuple[str, int], ...] = ()

    def grant(self, stat: str) -> int:
        """Returns what the gamemaster grants, for a race whose figures the book leaves to him."""
        return sum(value for name, value in self.granted if stat_name(name) == stat)

    def buys(self, stat: str) -> int:
        """Returns the points bought for a statistic."""
        return sum(value for name, value in self.bought if stat_name(name) == stat)


NOBODY = Background()


def _added(rules: Ruleset, stat: str, background: Background) -> list[Reason]:
    """Race, gender, the gamemaster and purchases, as far as they change a statistic."""
    of_race, of_gender = race_modifier(rules, background.race, stat), gender_modifier(rules, background.gender, background.race, stat)
    reasons = [term(derived.reason.label, derived) for derived in (of_race, of_gender) if derived.value]
    if background.grant(stat):
        reasons.append(Reason("granted by the gamemaster", background.grant(stat), "+", "hyb-9-race", "house"))
    if background.buys(stat):
        reasons.append(Reason("bought", background.buys(stat), "+", "hyb-9-stat-costs"))
    return reasons


@rule("hyb-9-primary-stats")
def primary(rules: Ruleset, stat: StatName = "PST", points: int = 12, background: Background = NOBODY) -> Derived[int]:
    """A primary statistic: the points given to it, race, gender and purchases; not below 1 (ruling), and without an upper end."""
    row = PRIMARIES.get(rules, stat)
    terms = [term("points given", points, rule="hyb-9-primary-stats"), *_added(rules, stat, background)]
    lowest = at_least(rules.number("lowest-statistic"), "no less than the lowest", source=rules.source("lowest-statistic"))
    return limited(f"{row.name} ({stat})", *terms, limit=lowest, rule="hyb-9-primary-stats", source=row.source)


@rule("hyb-12-stat-uses")
def stat_for(rules: Ruleset, action: str = "memory") -> str:
    """The statistic that an action rests on where its task names none (ruling). By id only."""
    wanted = action.strip().lower()
    every = USES.every(rules)
    for stat, uses in every.items():
        if wanted in uses:
            return stat
    known = ", ".join(use for uses in every.values() for use in uses)
    raise UserError(f"the book ties no statistic to {action!r}; it has {known}")


# --- calculated statistics (lines 1319-1378, 2085-2145) -----------------------------------------------------------------------


class CalculatedRow(TableRow, frozen=True):
    """A calculated statistic: which primary ones it adds up and how often each, what that is divided by, whether a race multiplies it.

    `printed` names the equations, the one followed first; `rulings` the settings that chose between chapters.
    """

    stat: str
    name: str
    of: dict[StatName, int]
    printed: tuple[str, ...]
    divisor: int = 1
    race: bool = False
    decimals: int = 0
    rulings: tuple[str, ...] = ()

    @property
    def formula(self) -> str:
        """The formula as people write it."""
        parts = " + ".join(f"{often} × {stat}" if often > 1 else stat for stat, often in self.of.items())
        closed = f"({parts})" if self.divisor > 1 or self.race else parts
        return closed + (f" / {self.divisor}" if self.divisor > 1 else "") + (" × race" if self.race else "")


FORMULAS = Table("hyb-9-calculated", CalculatedRow)


@rule("hyb-9-calculated")
def calculated(rules: Ruleset, stat: str = "PBD", points: Primary = AVERAGE, background: Background = NOBODY) -> Derived[float]:
    """A calculated statistic: its formula over the primary ones, the multiplier of the race, then what race, gender and purchases add.

    Halves and thirds are rounded half up, movement keeps one decimal (ruling). The reasons name the equation followed and the
    ruling that chose between the chapters.
    """
    row = FORMULAS.get(rules, stat_name(stat))
    terms = [*_formula(rules, row, points, background), *_added(rules, row.stat, background)]
    whole = isinstance(reckoned(terms), int)
    rounds = [] if whole else [rounded(0.1) if row.decimals else rounding(rules)]
    return total(f"{row.name} ({row.stat}) = {row.formula}", *terms, *rounds, *_provenance(rules, row), rule="hyb-9-calculated")


def _formula(rules: Ruleset, row: CalculatedRow, points: Primary, background: Background) -> list[Reason]:
    """The formula of a row over a person's primary statistics."""
    terms = []
    multiplier = _multiplier(rules, row, background)
    endurance_only = row.stat == "PBD" and rules.word("body-formula") == "endurance only"
    for stat, often in row.of.items():
        below = primary(rules, stat, points.of(stat), background)
        alone = [times(f"{background.race}: multiplier of PEN alone", float(multiplier), rule="hyb-12-races")]
        alone = alone if endurance_only and stat == "PEN" else []
        several = [times("so often", often)] if often > 1 else []
        counted = term(stat, below, rule="hyb-9-primary-stats")
        if several or alone:
            counted = term(f"{often} × {stat}" if several else stat, total(stat, counted, *several, *alone, source=below.reason.source))
        terms.append(counted)
    if row.divisor > 1:
        terms.append(divided("divided by", row.divisor))
    if row.race and not endurance_only:
        terms.append(times(f"{background.race}: multiplier", float(multiplier), rule="hyb-12-races"))
    return terms


def _multiplier(rules: Ruleset, row: CalculatedRow, background: Background) -> Fraction:
    """Returns the factor of the race for a statistic: 1 unless it says otherwise."""
    if not row.race or (row.stat in ("PBD", "MBD") and not rules.on("body-multipliers")):
        return Fraction(1)
    listed = race(rules, background.race).times.get(row.stat, 1.0)
    granted = next((times for name, times in background.granted_times if stat_name(name) == row.stat), None)
    return Fraction(str(granted if granted is not None else listed))


def _provenance(rules: Ruleset, row: CalculatedRow) -> list[Reason]:
    """Lists the chapter whose equation was followed, the equations of the others, and the rulings that chose."""
    first, *others = row.printed
    also = f"; also {', '.join(others)}" if others else ""
    order = ", ".join(map(str, PRECEDENCE))
    reasons = [remark(f"chapter {first.partition('.')[0]}, equation {first}{also}", row.formula, rule="hyb-9-calculated")]
    if not row.rulings:
        reasons.append(remark("ruling: the chapters go before each other in the order", order, rule="hyb-9-process", source="ruling"))
    if row.note:
        reasons.append(remark(f"ruling: {row.note}", row.formula, rule="hyb-9-calculated", source="ruling"))
    for name in row.rulings:
        setting = rules.book.setting(name)
        reasons.append(remark(f"ruling {name}: {setting.title}", _said(rules.settings[name]), rule=setting.rule, source=rules.source(name)))
    if row.decimals:
        reasons.append(remark("ruling: kept to one decimal, halves up", "0.1", rule="hyb-9-calculated", source="ruling"))
    elif row.divisor > 1:
        reasons.append(
            remark("ruling fractions", rules.word("fractions"), rule="hyb-2-difficulty-factor", source=rules.source("fractions"))
        )
    return reasons


def _said(value: SettingValue) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def strike_value(rules: Ruleset, stat: Literal["PSE", "MSE"], points: Primary = AVERAGE, background: Background = NOBODY) -> Derived[int]:
    """PSE and MSE, which have prices and do damage but are never defined: half of PST or MST, halves up, and what was bought (stand-in)."""
    base: StatName = "PST" if stat == "PSE" else "MST"
    below, divisor = primary(rules, base, points.of(base), background), rules.number("strike-divisor")
    added = _added(rules, stat, background)
    source: Source = "house" if rules.source("strike-divisor") == "house" else "stand-in"
    chapters = remark(f"no chapter defines {stat}; chapters 9 and 12 price it, chapter 8 does damage with PSE", "", rule="hyb-9-stat-costs")
    chosen = remark("ruling strike-divisor: Strike values", str(divisor), rule="hyb-9-stat-costs", source=rules.source("strike-divisor"))
    parts = (term(base, below), divided("divided by", divisor, source="stand-in"), rounded(), *added, chapters, chosen)
    return total(f"strike value ({stat}) = {base} / {divisor}", *parts, rule="hyb-9-stat-costs", source=source)


# --- Speed, size, looks (lines 1380-1438) -------------------------------------------------------------------------------------


SPEED = Column("hyb-9-speed", "low", int, speed=int)
"""The Speed that awareness gives from here on."""
TOP_OF_SPEED = 45


@rule("hyb-9-speed")
def speed(rules: Ruleset, awareness: int = 12) -> Derived[int]:
    """Speed by awareness: Physical Speed by PAW, Mental Speed by MAW. Above 45 it stays at 10 (ruling)."""
    return _speed(rules, awareness, term("awareness", awareness))


def reaction(rules: Ruleset, stat: Literal["PSPD", "MSPD"], awareness: Derived[int], background: Background = NOBODY) -> Derived[int]:
    """Physical or Mental Speed of a person, with the awareness it comes from and the chapter whose table is read.

    What a race or the gamemaster adds comes after the table; Speed does not fall below 0, where the table begins.
    """
    name, of, tables = ("Physical Speed", "PAW", "11.3 and 12.2") if stat == "PSPD" else ("Mental Speed", "MAW", "11.2 and 12.1")
    derived = _speed(rules, awareness.value, term(of, awareness))
    printed = remark(f"chapter 9, table 9.3; also {tables}", "", rule="hyb-9-speed")
    chosen = remark(
        f"ruling: chapter 9's rows, since {tables} lost their dashes; twin rows are one", "", rule="hyb-9-speed", source="ruling"
    )
    added = _added(rules, stat, background)
    parts = (*derived.reasons, *added, printed, chosen)
    return limited(f"{name} ({stat})", *parts, limit=at_least(0), rule="hyb-9-speed", source=derived.reason.source)


def _speed(rules: Ruleset, awareness: int, basis: Reason) -> Derived[int]:
    rows = sorted(SPEED(rules).values(), key=lambda row: row.low)
    row = next((row for row in reversed(rows) if row.low <= awareness), rows[0])
    beyond = awareness - TOP_OF_SPEED
    listed = table_row(f"awareness from {row.low} on", row.speed, basis, rule="hyb-9-speed", source=row.source)
    if beyond <= 0:
        return total("Speed", listed, rule="hyb-9-speed", source=row.source)
    more = -(-beyond // 5) if rules.word("speed-beyond-45") == "rising" else 0
    above = Reason("awareness above 45", more, "+", "hyb-9-speed", rules.source("speed-beyond-45"))
    return total("Speed", listed, above, rule="hyb-9-speed", source=rules.source("speed-beyond-45"))


@rule("hyb-9-appearance")
def appearance(rules: Ruleset, bought: int = 0, name: str = "Human", gender: Gender = "", granted: int = 0) -> Derived[int]:
    """Looks within one's own race: 0, what race, gender and gamemaster add, and what was bought; usually from -5 to +5."""
    terms = _added(rules, "APP", Background(name, gender, granted=(("APP", granted),), bought=(("APP", bought),)))
    printed = remark("chapters 9, 11 and 12: 0 to begin with", "", rule="hyb-9-appearance")
    chosen = remark("ruling: chapter 12's price, since chapter 9 has none", "2 points", rule="hyb-9-stat-costs", source="ruling")
    return total("Appearance (APP)", term("base", 0), *terms, printed, chosen, rule="hyb-9-appearance")


@rule("hyb-9-height-weight")
def roll_size(rules: Ruleset, average: int = 172, variation: int = 20, by: str = "", what: str = "height") -> Play[int]:
    """Height or weight by dice: the average, and a tenth of the variation for every point of 2d10 above or below 11.

    Parts of a centimetre or kilogram are rounded, halves up (ruling "size-rounding").
    """
    off = yield from Roll(Sum((10, 10), -11), by, what)
    size = average + Fraction(off * variation, 10)
    return half_up(size) if rules.word("size-rounding") == "half up" else floor(size)


@rule("hyb-9-height-weight")
def roll_body(rules: Ruleset, name: str = "Human", by: str = "") -> Play[tuple[int, int]]:
    """Height in centimetres and weight in kilograms of a person of this race, by dice. By id only."""
    row = SIZES.get(rules, race(rules, name).race)
    height = yield from roll_size(rules, row.height, row.height_variation, by, "height")
    weight = yield from roll_size(rules, row.weight, row.weight_variation, by, "weight")
    return height, weight


Figure: TypeAlias = Derived[int] | Derived[float]
"""A statistic with its reasons; movement alone is not whole."""


def all_statistics(rules: Ruleset, points: Primary = AVERAGE, background: Background = NOBODY) -> dict[str, Figure]:
    """Every statistic of a person by its abbreviation, each with its reasons."""
    basic: dict[str, Derived[int]] = {stat: primary(rules, stat, points.of(stat), background) for stat in PRIMARY}
    return {
        **basic,
        **{stat: calculated(rules, stat, points, background) for stat in CALCULATED},
        "PSE": strike_value(rules, "PSE", points, background),
        "MSE": strike_value(rules, "MSE", points, background),
        "PSPD": reaction(rules, "PSPD", basic["PAW"], background),
        "MSPD": reaction(rules, "MSPD", basic["MAW"], background),
        "APP": appearance(rules, background.buys("APP"), background.race, background.gender, background.grant("APP")),
    }


STATISTICS = (*PRIMARY, *CALCULATED, "PSE", "MSE", "PSPD", "MSPD", "APP")
"""Every statistic by its abbreviation."""
