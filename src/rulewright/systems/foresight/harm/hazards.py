"""Hazards: weather, poison, asphyxiation, falls, burns (book lines 2728-2793)."""

from math import floor
from typing import Literal

from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Play, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, rounded_down, term, times, total
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition, endurance_task, pain_task, worse
from rulewright.systems.foresight.harm.damage import Blow, be_hit, bear_pain, strike
from rulewright.systems.foresight.harm.events import Landed
from rulewright.systems.foresight.resolution.damage_classes import damage, parse_dc
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.tests import BARELY, Mod, Quality, Task, attempt, random_quality, weighed

MOST_METERS = 10_000
SHORTEST_FALL = 1
"""Meters of damage class 0; a shorter fall is below it and does nothing."""
MOST_CLASS = 9999
"""A damage class past all survival; a higher one does the same."""
MOST_ROUNDS = 100
GASP = 5
"""Seconds between the rolls of somebody without air."""


# --- heat and cold ------------------------------------------------------------------------------------------------------------


class ExposureRow(TableRow, frozen=True):
    """A degree of heat or cold: from which temperature on, minutes to a point of stamina, and the percent that clothing saves."""

    exposure: str
    celsius: float
    minutes: int
    clothing: int


EXPOSURES = Table("fs-exposure", ExposureRow)
Clothing = Literal["none", "suitable", "climate control"]


@rule("fs-exposure")
def exposure_cost(rules: Ruleset, celsius: float = 40, minutes: int = 60, clothing: Clothing = "none") -> Derived[int]:
    """Stamina lost to heat or cold: clothing saves half of it in heat and three quarters in cold, climate control all."""
    rows = EXPOSURES(rules)
    hot = [row for row in (rows["extreme heat"], rows["heat"]) if celsius >= row.celsius]
    cold = [row for row in (rows["extreme cold"], rows["cold"]) if celsius <= row.celsius]
    exposure_row = next(iter(hot + cold), None)
    if exposure_row is None or clothing == "climate control":
        return total("stamina lost", term(clothing if exposure_row else "neither heat nor cold", 0), rule="fs-exposure")
    share = (100 - exposure_row.clothing) / 100 if clothing == "suitable" else 1.0
    minutes_each = divided(f"{exposure_row.exposure}: one every so many", exposure_row.minutes, rule="fs-exposure")
    worn = times(f"clothing: {clothing}", share)
    return total("stamina lost", term("minutes", minutes), minutes_each, worn, rounded_down(), rule="fs-exposure")


# --- poison -------------------------------------------------------------------------------------------------------------------


PoisonEffect = Literal["damage", "paralysis", "sleep"]


class PoisonRow(TableRow, frozen=True):
    """A poison: damage class, minutes between its doses, how long it works, and what it does."""

    poison: str
    dc: float
    every_minutes: float
    minutes: float
    effect: PoisonEffect


POISONS = Table("fs-poison", PoisonRow)
MOST_DOSES = 60


@rule("fs-poison")
def dose(rules: Ruleset, patient: Patient = SOMEBODY, dc: float = 4, effect: PoisonEffect = "damage") -> Play[Patient]:
    """One dose at work: damage with a random rating that no armor stops, then a Pain Resistance roll or stun.

    Poisons that only paralyse or put to sleep ask for the roll alone.
    """
    if patient.dead:
        return patient
    strength = yield from strength_of_dose(rules, patient, dc, effect)
    return (yield from suffer_dose(rules, patient, dc, effect, strength)) if strength else patient


def strength_of_dose(rules: Ruleset, patient: Patient, dc: float, effect: PoisonEffect) -> Play[int]:
    """How a dose strikes a body, as a quality rating; 0 for one that does nothing."""
    if effect != "damage":
        rolled = yield from attempt(rules, pain_task(rules, patient), patient.name, "Pain Resistance")
        return 0 if rolled.success else rolled.qr
    qr = yield from random_quality(rules, patient.name, "poison")
    harm = damage(rules, dc, qr, patient.ds)
    return qr if harm.levels or harm.stuns else 0


def suffer_dose(rules: Ruleset, patient: Patient, dc: float, effect: PoisonEffect, qr: int) -> Play[Patient]:
    """What a dose that does something does."""
    if effect != "damage":
        return replace(patient, unconscious=True) if effect == "sleep" else replace(patient, stunned=True)
    harm = damage(rules, dc, qr, patient.ds)
    hurt = worse(patient, harm.levels) if harm.levels else patient
    return hurt if hurt.dead else (yield from sub(bear_pain, rules, hurt, "chest"))


@rule("fs-poison")
def poisoned(rules: Ruleset, patient: Patient = SOMEBODY, poison: str = "rattlesnake venom", doses: int | None = None) -> Play[Patient]:
    """A poison runs its course (or so many doses of it); minutes lie between, so that a stun has worn off by the next (ruling).

    By id only.
    """
    row = POISONS.get(rules, poison)
    number = floor(row.minutes / row.every_minutes) if doses is None else doses
    bound("the number of doses", number, 0, MOST_DOSES)
    return (yield from sub(_course, rules, patient, row.dc, row.effect, number, row.every_minutes >= 1))


def _course(rules: Ruleset, patient: Patient, dc: float, effect: PoisonEffect, left: int, wears_off: bool) -> Play[Patient]:
    if left <= 0 or patient.dead:
        return patient
    fresh = replace(patient, stunned=False) if wears_off and effect == "damage" and not patient.stun else patient
    after = yield from sub(dose, rules, fresh, dc, effect)
    return (yield from sub(_course, rules, after, dc, effect, left - 1, wears_off))


# --- want of air --------------------------------------------------------------------------------------------------------------


@rule("fs-asphyxiation")
def breath(rules: Ruleset, endurance: int = 9, prepared: bool = False) -> Derived[int]:
    """How many seconds a breath lasts: five for each point of endurance, ten for a person who is prepared."""
    number = 10 if prepared else 5
    return total("seconds of breath", term("EN", endurance), times("seconds", number), rule="fs-asphyxiation")


@rule("fs-asphyxiation")
def without_air(rules: Ruleset, patient: Patient = SOMEBODY, seconds: int = 60, prepared: bool = False) -> Play[Patient]:
    """Without air past one's breath an endurance roll is due every five seconds; failure is unconsciousness, and soon death."""
    bound("seconds", seconds, 0, 3600)
    rolls = max(0, seconds - breath(rules, patient.endurance, prepared).value) // GASP
    for _ in range(rolls):
        flag = yield from sub(gasp, rules, patient)
        if not flag:
            return replace(patient, unconscious=True)
    return patient


def gasp(rules: Ruleset, patient: Patient) -> Play[bool]:
    """The roll that is due every five seconds without air: whether one holds out."""
    rolled = yield from attempt(rules, endurance_task(rules, patient, *condition(rules, patient)), patient.name, "holding out without air")
    return rolled.success


@rule("fs-decompression")
def decompression(rules: Ruleset, patient: Patient = SOMEBODY, seconds: int = 0) -> Play[Patient]:
    """Sudden vacuum: DC6 to the chest with a random rating, whatever is worn; then the breath counts as let out.

    Who is not back in some pressure after half a minute to a minute dies (ruling, setting vacuum-seconds)."""
    bound("seconds", seconds, 0, 3600)
    qr = yield from random_quality(rules, patient.name, "decompression")
    bare = replace(patient, covers=())
    hit = yield from strike(rules, bare, parse_dc("6"), qr, "chest", side="front", barriers=())
    after = replace(hit, covers=patient.covers)
    if after.dead or not seconds:
        return after
    limit = rules.number("vacuum-seconds")
    gasping = yield from without_air(rules, after, min(seconds, limit))
    return replace(gasping, dead=True, unconscious=True) if seconds > limit else gasping


# --- falls --------------------------------------------------------------------------------------------------------------------


class LandingRow(TableRow, frozen=True):
    """A way to land: meters taken off, less the rating, and which abilities serve."""

    technique: str
    reduction: int
    abilities: tuple[str, ...]
    soft: int


LANDINGS = Table("fs-falling", LandingRow)
Landing = Literal["none", "controlled fall", "acrobatic landing", "dive into water"]


@rule("fs-falling")
def fall_class(rules: Ruleset, meters: float = 10, ds: float = 1, gravity: float = 1) -> Derived[float]:
    """The damage class of a fall: the height less one meter, times gravity and the square of the damage scale."""
    terms = (term("height", meters), term("less one", -1), times("damage scale squared", ds * ds), times("gravity", gravity), at_least(0))
    return total("damage class of the fall", *terms, rule="fs-falling")


@rule("fs-falling")
def landing(rules: Ruleset, technique: Landing = "none", qr: int = 7, soft: float = 0) -> Derived[float]:
    """Meters that a landing takes off the fall: 5, 7 or 8 less the rating, and what the ground gives; a failed roll gives nothing."""
    if technique == "none":
        return total("meters taken off", term("soft ground", soft), rule="fs-falling")
    row = LANDINGS.get(rules, technique)
    skill = row.reduction - qr if qr <= BARELY or rules.word("failed-landing") == "formula" else 0
    terms = (term(technique, max(0, skill)), term("soft ground", soft), term("what the landing gives", row.soft))
    return total("meters taken off", *terms, rule="fs-falling", source=rules.source("failed-landing"))


@rule("fs-falling")
def fall(
    rules: Ruleset,
    patient: Patient = SOMEBODY,
    meters: float = 10,
    technique: Landing = "none",
    score: float = 0,
    ease: float = 5,
    modifier: int = 0,
    soft: float = 0,
    gravity: float = 1,
) -> Play[Patient]:
    """A fall: one technique may take meters off, then damage falls on a random place with a random rating; armor does not help (ruling).

    A fall of exactly one meter has damage class 0, which wounds nobody but may stun; a shorter one has no effect.
    """
    if not 0 <= meters <= MOST_METERS:
        raise UserError(f"a fall is of 0 to {MOST_METERS} meters, not {meters:g}")
    landed = Quality(7)
    if technique != "none":
        mods = (Mod("modifiers", modifier), *condition(rules, patient, agility=True))
        task = Task(score, ease).plus(*mods)
        landed = yield from attempt(rules, task, patient.name, technique)
        eased = landing(rules, technique, landed.qr, soft)
        yield from Tell(Landed(of=weighed(rules, task), name=patient.name, how=technique, qr=landed.qr, meters=meters, eased=eased))
    left = meters - landing(rules, technique, landed.qr, soft).value
    if left < SHORTEST_FALL:
        return patient
    dc = min(MOST_CLASS, fall_class(rules, left, patient.ds, gravity).value)
    bare = replace(patient, covers=())
    after = yield from be_hit(rules, bare, Blow(f"{dc:.4f}".rstrip("0").rstrip("."), 0))
    return replace(after, covers=patient.covers)


# --- burns --------------------------------------------------------------------------------------------------------------------


class BurnRow(TableRow, frozen=True):
    """Something that burns."""

    source_of_burn: str
    dc: float
    kind: Literal["fire", "hot", "corrosive", "cold", "electric"]


BURNS = Table("fs-burn", BurnRow)


@rule("fs-burn")
def burn_class(rules: Ruleset, what: str = "camp fire", engulfed: bool = False, brief: bool = False) -> Derived[float]:
    """The damage class of a burn, for each exposed location each round: doubled where engulfed, halved for a brief or small contact."""
    row = BURNS.get(rules, what)
    terms = [term(what, row.dc)]
    if engulfed:
        terms.append(times("engulfed", 2))
    if brief:
        terms.append(term("brief", 2, "÷"))
    return total("damage class of the burn", *terms, rule="fs-burn")


@rule("fs-burn")
def burn(
    rules: Ruleset,
    patient: Patient = SOMEBODY,
    what: str = "camp fire",
    exposed: tuple[Location, ...] = ("right arm",),
    rounds: int = 1,
    engulfed: bool = False,
    brief: bool = False,
    soaked: bool = False,
) -> Play[Patient]:
    """Burning: beam damage with a random rating to every exposed location each round. Long contact (soaked) defeats armor.

    After a shock of electricity a botched Pain Resistance roll stops the heart."""
    bound("rounds", rounds, 1, MOST_ROUNDS)
    dc = f"{burn_class(rules, what, engulfed, brief).value:g}b"
    electric = BURNS.get(rules, what).kind == "electric"
    covers, patient = patient.covers, replace(patient, covers=()) if soaked else patient
    for _ in range(rounds):
        for location in exposed:
            if not patient.dead:
                patient = yield from be_hit(rules, patient, Blow(dc, 0, location, electric=electric))
    return replace(patient, covers=covers)
