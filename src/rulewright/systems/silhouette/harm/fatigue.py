"""Fatigue: causes, penalties and recovery (book lines 2585-2610)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_most, term, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient

_ID = "sil-3.5.8-fatigue"
COLLAPSE = -5
"""The penalty at which people collapse."""


class StrainRow(TableRow, frozen=True):
    """Fatigue of a strain per hours, days or nights."""

    strain: str
    penalty: int
    each: float
    unit: Literal["hours", "days", "nights"]


class RestRow(TableRow, frozen=True):
    """Fatigue removed by a kind of rest, and whether it is sleep."""

    rest: str
    removes: int
    sleep: bool = False


STRAINS = Table(_ID, StrainRow)
RESTS = Table("sil-3.5.8-fatigue-recovery", RestRow)


class Weariness(Struct, frozen=True, cache_hash=True):
    """Fatigue from effort and from lost nights; both zero or negative."""

    effort: int = 0
    sleep: int = 0

    @property
    def total(self) -> int:
        """Returns all fatigue before Fitness."""
        return self.effort + self.sleep


RESTED = Weariness()


@rule(_ID)
def strain(
    rules: Ruleset,
    strain: str = "hard work",
    amount: float = 8,
    extreme_weather: bool = False,
    armored: bool = False,
    insomniac: bool = False,
) -> Derived[int]:
    """Returns the fatigue of hours, days or nights (as the row says) of a strain, by whole units. A very hot or cold day costs 1 more,
    and armor worn in it another; a night with less than four hours of sleep costs an insomniac 1 more."""
    row = STRAINS.get(rules, strain)
    if amount < 0:
        raise UserError(f"the time must be at least 0 {row.unit}, not {amount:g}")
    times = int(amount // row.each)
    more = -times if insomniac and strain == "missed sleep" else 0
    weather = -1 if extreme_weather and times else 0
    armor = -1 if armored and weather else 0
    terms = (
        term(f"{strain}, each {row.each:g} {row.unit}", row.penalty * times),
        term("insomnia", more, rule="sil-c-flaws"),
        term("heat or cold", weather),
        term("armor in heat or cold", armor),
    )
    return total("fatigue", *[reason for reason in terms if reason.value], rule=_ID)


@rule(_ID)
def fatigue_penalty(rules: Ruleset, gathered: int, fitness: int = 0) -> Derived[int]:
    """Returns the fatigue penalty on every test: all fatigue plus Fitness; never a bonus, and none when rested (ruling)."""
    if gathered >= 0 or not rules.on("fatigue"):
        return total("fatigue penalty", term("rested", 0), rule=_ID)
    return total("fatigue penalty", term("gathered", gathered), term("Fitness", fitness), at_most(0), rule=_ID)


@rule(_ID)
def collapses(rules: Ruleset, gathered: int, fitness: int = 0) -> bool:
    """Whether a character collapses: at a penalty of 5 or worse, until all fatigue is gone."""
    return fatigue_penalty(rules, gathered, fitness).value <= COLLAPSE


@rule(_ID)
def short_fight(minutes: float = 5) -> tuple[int, float]:
    """Returns the penalty after a fight of up to five minutes: 1, for as long as the fight lasted. Longer ones count as several
    (ruling).

    By id only.
    """
    if minutes <= 0:
        return 0, 0.0
    return -int(-(-minutes // 5)), minutes


@rule(_ID)
def tire(
    rules: Ruleset, patient: Patient = AVERAGE, weary: Weariness = RESTED, strain_name: str = "hard work", cost: int = -1
) -> tuple[Patient, Weariness]:
    """Adds fatigue to a body; too much causes a collapse."""
    if not rules.on("fatigue") or cost >= 0:
        return patient, weary
    now = replace(weary, sleep=weary.sleep + cost) if strain_name == "missed sleep" else replace(weary, effort=weary.effort + cost)
    down = patient.collapsed or collapses(rules, now.total, patient.fitness)
    return replace(patient, fatigue=now.total, collapsed=down), now


@rule("sil-3.5.8-fatigue-recovery")
def rest(
    rules: Ruleset,
    weary: Weariness = RESTED,
    kind: Literal["half an hour of quiet", "a night of rest", "a night of sound sleep"] = "a night of sound sleep",
    times: int = 1,
) -> Weariness:
    """Removes fatigue: half an hour of quiet 1, but not that of lost sleep (ruling "rest-removes"), a night of rest 2, a night of sound
    sleep 3; never below none."""
    row = RESTS.get(rules, kind)
    if times < 0:
        raise UserError(f"the number of rests must be at least 0, not {times}")
    left = row.removes * times
    effort = min(0, weary.effort + left)
    left -= effort - weary.effort
    sleeps = row.sleep or rules.word("rest-removes") == "all"
    return Weariness(effort, min(0, weary.sleep + left) if sleeps else weary.sleep)


@rule("sil-3.5.8-fatigue-recovery")
def rested(patient: Patient = AVERAGE, weary: Weariness = RESTED) -> Patient:
    """Returns the body after a rest: it wakes from a collapse when all fatigue is gone."""
    return replace(patient, fatigue=weary.total, collapsed=patient.collapsed and weary.total < 0)
