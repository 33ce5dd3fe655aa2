"""Carrying capacity, an option (book lines 569-580)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.people.characters import Person
from rulewright.systems.scumm.resolution.tests import Mod

Band = Literal["none", "light", "heavy", "deadlift", "too much"]


class Capacity(TableRow, frozen=True):
    """The most kilograms of every band at one Body."""

    body: int
    none: int
    light: int
    heavy: int
    deadlift: int


CAPACITIES = Table("scumm-carrying-capacity", Capacity)
OVERLOADED = -3
BAND_PENALTY: dict[Band, int] = {"none": 0, "light": -1, "heavy": -2, "deadlift": OVERLOADED, "too much": 0}


class Load(Struct, frozen=True):
    """How a load weighs on a person: its band, the action penalty, and whether it can be walked with or lifted at all."""

    band: Band
    penalty: int
    carried: bool
    lifted: bool
    overhead: bool
    dragged: bool


@rule("scumm-carrying-capacity")
def load(rules: Ruleset, kilograms: float, body: int = 0) -> Load:
    """Light loads cost 1 on actions and heavy ones 2.

    A load of the deadlift band can be lifted but not carried (ruling); half the most that can be lifted can be held overhead
    for a while, twice of it dragged.
    """
    if kilograms < 0:
        raise UserError(f"a load cannot weigh {kilograms} kg")
    row = capacity(rules, body)
    bands: tuple[tuple[Band, int], ...] = (("none", row.none), ("light", row.light), ("heavy", row.heavy), ("deadlift", row.deadlift))
    band: Band = next((name for name, most in bands if kilograms <= most), "too much")
    carried = band in ("none", "light", "heavy") or (band == "deadlift" and rules.on("carry-deadlift"))
    penalty = BAND_PENALTY[band] if carried else 0
    return Load(band, penalty, carried, band != "too much", 2 * kilograms <= row.deadlift, kilograms <= 2 * row.deadlift)


@rule("scumm-carrying-capacity")
def capacity(rules: Ruleset, body: int = 0) -> Capacity:
    """Returns the weights that a person with this Body can carry and lift."""
    row = CAPACITIES(rules).get(str(body))
    if row is None:
        raise UserError(f"the carrying table has no row for Body {body}; house rules can add one")
    return row


@rule("scumm-carrying-capacity")
def burden(rules: Ruleset, kilograms: float, body: int = 0) -> Mod:
    """The modifier of a load, where the campaign uses carrying capacity; a person who has more on him than he can carry acts at -3
    (ruling)."""
    if not kilograms or not rules.on("carrying-capacity"):
        return Mod("load", 0, "scumm-carrying-capacity")
    result = load(rules, kilograms, body)
    return Mod("load", result.penalty if result.carried else OVERLOADED, "scumm-carrying-capacity")


def weight_carried(person: Person) -> float:
    """Kilograms of everything whose weight the file gives; the book's own tables give none."""
    return sum(item.weight for item in person.gear.other)
