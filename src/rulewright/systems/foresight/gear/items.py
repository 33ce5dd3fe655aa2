"""Items: size, technology level, reliability, variants, concealment, tools, power (book lines 3494-3616, 3827-3873, 4156-4263)."""

import re
from bisect import bisect
from typing import Literal

from msgspec import Struct

from rulewright.dice.sums import Banded
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.resolution.tests import D10, Mod


class AgeRow(TableRow, frozen=True):
    """A technology level and its time in the West."""

    tl: float
    year: int | None
    age: str
    marks: str


class FailureRow(TableRow, frozen=True):
    """A letter for reliability: on which rolls a thing fails."""

    letter: str
    name: str
    rolls: tuple[int, ...] = ()
    ends_in: tuple[int, ...] = ()
    confirm: bool = False
    always: bool = False
    useless: bool = False
    upkeep: str = ""


class VariantRow(TableRow, frozen=True):
    """A modification of a thing: factors, and what is added to technology level, performance and reliability."""

    modification: str
    size: float = 1
    kg: float = 1
    tl: float = 0
    cost: float = 1
    pm: int = 0
    fail: int = 0
    ds: float = 1


class ToolsRow(TableRow, frozen=True):
    """Tools of a quality; kilograms for things of their own technology level, one below and two below."""

    quality: str
    pm: int
    kg: tuple[float, float, float]
    cost: float
    does: str


class DeviceRow(TableRow, frozen=True):
    """A piece of communications equipment."""

    item: str
    size: str
    kg: float
    tl: float
    cost: float
    pm: int | None
    fails: str | None
    ds: float


class StorageRow(TableRow, frozen=True):
    """A battery; figures for each watt-hour."""

    storage: str
    grams: float
    tl: float
    cost: float
    output: float
    rechargeable: bool


class GeneratorRow(TableRow, frozen=True):
    """A generator; hours where its fuel is built in."""

    generator: str
    size: str
    kg: float
    tl: float
    cost: float
    pm: int | None
    fails: str | None
    watts: float
    hours: int | None
    ds: float


class AidRow(TableRow, frozen=True):
    """An aid to navigation."""

    aid: str
    size: str
    kg: float
    tl: float
    cost: float
    pm: int | None
    fails: str | None
    ds: float


class HidingRow(TableRow, frozen=True):
    """How a weight, a holster or clothing changes what is noticed; none is plain to see."""

    where: str
    kind: Literal["weight", "holster", "clothing"]
    notice: int | None
    frisk: int | None
    kg: float | None = None
    draw: int = 0


SIZES = Column("fs-item-characteristics", "size", like=str)
"""A size in words."""
AGES = Table("fs-technology-levels", AgeRow)
FAILURES = Table("fs-failure-range", FailureRow)
VARIANTS = Table("fs-item-modifications", VariantRow)
TOOLS = Table("fs-toolkits", ToolsRow)
DEVICES = Table("fs-communications", DeviceRow)
STORAGE = Table("fs-power-storage", StorageRow)
GENERATORS = Table("fs-power-generators", GeneratorRow)
AIDS = Table("fs-navigation-aids", AidRow)
HIDING = Table("fs-concealment", HidingRow)


@rule("fs-item-characteristics")
def pounds(rules: Ruleset, kg: float = 1) -> float:
    """A weight in pounds: twice the kilograms and a tenth more."""
    return kg * 2.2


@rule("fs-technology-levels")
def technology_level(rules: Ruleset, year: int = 1878) -> float:
    """The technology level of a year in the West, interpolated between the dates of the table (inferred from the examples)."""
    rows = [row for row in AGES(rules).values() if row.year is not None]
    years = [row.year or 0 for row in rows]
    place = bisect(years, year)
    if place == 0:
        return 0.0
    before = rows[place - 1]
    if place == len(rows):
        return before.tl
    after = rows[place]
    share = (year - years[place - 1]) / (years[place] - years[place - 1])
    return round(before.tl + share * (after.tl - before.tl), 2)


# --- reliability --------------------------------------------------------------------------------------------------------------


RANGE = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?\*?")
"""A failure range in figures; a star asks for a further d10."""


@rule("fs-failure-range")
def failing_rolls(rules: Ruleset, letter: str = "C") -> tuple[int, ...]:
    """The rolls of a task on which a thing of this reliability fails; a range such as 98-99 stands for itself."""
    figures = RANGE.fullmatch(letter)
    if figures is not None:
        low, high = int(figures[1]), int(figures[2] or figures[1])
        if not 1 <= low <= high <= 100:
            raise UserError(f"a failure range lies between 1 and 100, the lower figure first, not {letter!r}")
        return tuple(range(low, high + 1))
    row = FAILURES.get(rules, letter)
    if row.always:
        return tuple(range(1, 101))
    return tuple(sorted({*row.rolls, *[roll for roll in range(1, 101) if roll % 10 in row.ends_in]}))


CONFIRM = Banded(D10, ((1, 9, "holds"), (10, 10, "fails")))


@rule("fs-failure-range")
def fails(rules: Ruleset, letter: str = "C", roll: int = 99) -> Play[bool]:
    """Whether a thing fails on this roll of the task: the very reliable only if a further d10 shows 10, the dysfunctional always."""
    if letter in FAILURES(rules) and FAILURES(rules)[letter].useless:
        return True
    if roll not in failing_rolls(rules, letter):
        return False
    if letter.endswith("*") or (letter in FAILURES(rules) and FAILURES(rules)[letter].confirm):
        return (yield from Roll(CONFIRM, "", "does it really fail")) == "fails"
    return True


@rule("fs-failure-range")
def reliability(rules: Ruleset, letter: str = "C", better: int = 0) -> str:
    """A reliability so many letters better (or worse, negative), never past A or M."""
    letters = list(FAILURES(rules))
    if letter not in letters:
        raise UserError(f"a reliability is one of {', '.join(letters)}, not {letter!r}")
    return letters[max(0, min(len(letters) - 1, letters.index(letter) - better))]


class Variant(Struct, frozen=True):
    """What modifications make of a thing: factors, and what is added."""

    size: float
    kg: float
    tl: float
    cost: float
    pm: int
    fail: int
    ds: float


@rule("fs-item-modifications")
def modified(rules: Ruleset, modifications: tuple[str, ...] = ("Elegant", "Modern", "Flashy")) -> Variant:
    """Modifications together: size, weight, price and damage scale multiply, technology level, performance and reliability add."""
    size = kg = cost = ds = 1.0
    tl, pm, fail = 0.0, 0, 0
    for name in modifications:
        row = VARIANTS.get(rules, name)
        size, kg, cost, ds = size * row.size, kg * row.kg, cost * row.cost, ds * row.ds
        tl, pm, fail = tl + row.tl, pm + row.pm, fail + row.fail
    return Variant(size=size, kg=kg, tl=tl, cost=cost, pm=pm, fail=fail, ds=ds)


class Owned(Struct, frozen=True):
    """A thing with its modifications worked in: what it weighs and costs."""

    kg: float
    cost: float


def as_made(rules: Ruleset, kg: float, cost: float, modifications: tuple[str, ...]) -> Owned:
    """A thing of a plain weight and price with those of its modifications that the table has; the audit names the others."""
    known = modified(rules, tuple([name for name in modifications if name in VARIANTS(rules)]))
    return Owned(max(0, kg) * known.kg, max(0, cost) * known.cost)


# --- hiding things ------------------------------------------------------------------------------------------------------------


class Hidden(Struct, frozen=True):
    """How hard a hidden thing is to notice and to find by frisking (none: plain to see), and what hiding adds to drawing it."""

    notice: int | None
    frisk: int | None
    draw: int


@rule("fs-concealment")
def concealment(rules: Ruleset, kg: float = 1.5, holster: str = "", clothing: str = "") -> Hidden:
    """Modifiers to a perception roll that notices a hidden thing and to a search that finds it: by weight, holster and clothing."""
    rows = [row for row in HIDING(rules).values() if row.kind == "weight"]
    weight = next(row for row in rows if row.kg is None or kg <= row.kg)
    if kg < 0:
        raise UserError(f"a weight is 0 kg or more, not {kg:g}")
    others = [_hiding(rules, name, kind) for name, kind in ((holster, "holster"), (clothing, "clothing")) if name]
    notice = None if weight.notice is None else weight.notice + sum([row.notice or 0 for row in others])
    frisk = None if weight.frisk is None else weight.frisk + sum([row.frisk or 0 for row in others])
    return Hidden(notice, frisk, sum([row.draw for row in others]))


def _hiding(rules: Ruleset, name: str, kind: str) -> HidingRow:
    row = HIDING.get(rules, name)
    if row.kind != kind:
        raise UserError(
            f"{name} is not a kind of {kind}: use one of {', '.join([row.where for row in HIDING(rules).values() if row.kind == kind])}"
        )
    return row


# --- tools and power ----------------------------------------------------------------------------------------------------------


@rule("fs-toolkits")
def toolkit(rules: Ruleset, quality: str = "Standard", levels_below: int = 0, scale: float = 1) -> ToolsRow:
    """Tools for a thing so many technology levels below their own; scale is 1 for something like a car, 0.1 for a bicycle."""
    row = TOOLS.get(rules, quality)
    weight = row.kg[max(0, min(2, levels_below))] * scale
    return ToolsRow(quality=row.quality, pm=row.pm, kg=(weight, weight, weight), cost=row.cost * scale, does=row.does, source=row.source)


class Battery(Struct, frozen=True):
    """A battery for a load: watt-hours, weight, price, and how long it lasts."""

    wh: float
    kg: float
    cost: float
    hours: float


@rule("fs-power-storage")
def battery(rules: Ruleset, watts: float = 25, storage: str = "Rechargeable Battery, Lead Acid", hours: float = 0) -> Battery:
    """The battery that a load needs: enough watt-hours for its peak, or for so many hours where that is more."""
    row = STORAGE.get(rules, storage)
    if watts <= 0:
        raise UserError(f"a load draws more than 0 watts, not {watts:g}")
    wh = max(watts / row.output, watts * hours)
    return Battery(wh, wh * row.grams / 1000, wh * row.cost, wh / watts)


@rule("fs-power-generators")
def running_time(rules: Ruleset, generator: str = "Driven Fission Reactor, 1kW, 1y", watts: float = 100) -> int | None:
    """How many hours a generator runs on what is built in; None where it is fed. It refuses a load beyond its output."""
    row = GENERATORS.get(rules, generator)
    if watts > row.watts:
        raise UserError(f"{generator} gives {row.watts:g} watts, not {watts:g}")
    return row.hours


@rule("fs-navigation-aids")
def navigation_aid(rules: Ruleset, aid: str = "Sextant") -> Mod:
    """The modifier of an aid for a Navigate roll."""
    return Mod(aid, AIDS.get(rules, aid).pm or 0, "fs-navigation-aids")


@rule("fs-communications")
def device_fails(rules: Ruleset, item: str = "Phone, Cellular (TL5.5)", roll: int = 99) -> Play[bool]:
    """Whether a piece of communications equipment fails on this roll of its use."""
    text = DEVICES.get(rules, item).fails
    return False if text is None else (yield from fails(rules, text, roll))


@rule("fs-item-modifications")
def price_of(rules: Ruleset, cost: float = 100, modifications: tuple[str, ...] = ()) -> Derived[int]:
    """The cost of a modified thing, in svu. A view of `as_made`, in whole svu and with its terms."""
    steps = [term(name, VARIANTS.get(rules, name).cost, "×") for name in modifications]
    return total("price", term("base", cost), *steps, rounded_off(), rule="fs-item-modifications")
