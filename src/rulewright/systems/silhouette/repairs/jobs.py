"""Repair jobs: the damages of a machine, their costs, and the repaired machine."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.scenes.scenarios import numbered
from rulewright.systems.silhouette.breakage.repairs import labor_needed, repair_threshold
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.design.trait_costs import label, price
from rulewright.systems.silhouette.machines.vehicle import Design
from rulewright.systems.silhouette.units.forms import in_form
from rulewright.systems.silhouette.units.units import TURRET, Unit, auxiliaries, mounts
from rulewright.systems.silhouette.units.wear import BEYOND_REPAIR, Wear

_REINFORCED = "reinforced "
WORN = "worn "
BOOSTER = "power booster"
BACK = "change back into "
"""Reverting a one-way change of form (book line 3965): an overhaul (ruling)."""


class Job(Struct, frozen=True, cache_hash=True, kw_only=True):
    """One damage: its row of the table, its part, and its points."""

    machine: str
    effect: str
    part: str = ""
    points: Figure = 1

    @property
    def key(self) -> str:
        """Its key in questions and records."""
        return f"{self.effect}{f' {self.part}' if self.part else ''}"

    @property
    def words(self) -> str:
        """The damage in words."""
        return _WORDS[self.effect](self)


_WORDS: dict[str, Callable[[Job], str]] = {
    "armor": lambda job: f"{job.points:g} Armor{f', {job.part}' if job.part else ''}",
    "movement points": lambda job: f"{job.points:g} MP of {job.part} movement",
    "maneuver": lambda job: f"{job.points:g} Maneuver",
    "accuracy": lambda job: (
        f"{job.points:g} damage of the {job.part.removeprefix(WORN)}"
        if job.part.startswith(WORN)
        else f"{job.points:g} Accuracy of the {job.part}"
    ),
    "system destroyed": lambda job: f"the {job.part}",
    "power transfer": lambda job: f"the power transfer to {job.part} movement",
    "crew compartment": lambda job: "the crew compartment",
    "structural failure": lambda job: f"the {job.part}, by an overhaul" if job.part else "the structure",
    "auxiliary": lambda job: f"the {job.part}",
}

LOCATION = {
    "armor": "structure",
    "movement points": "movement",
    "maneuver": "movement",
    "accuracy": "fire control",
    "system destroyed": "fire control",
    "power transfer": "movement",
    "crew compartment": "crew",
    "structural failure": "structure",
    "auxiliary": "auxiliary",
}
"""The location of a damage, for machines with parts that are easy or difficult to modify."""


def prices_of(rules: Ruleset, vehicle: Design) -> tuple[tuple[str, Figure], ...]:
    """The prices of a machine's Perks, by the names of its auxiliary systems."""
    price_by_name: dict[str, Figure] = {}
    for perk in vehicle.perks:
        worth = price(rules, perk, vehicle).value
        for name in (label(perk), perk.name):
            price_by_name.setdefault(name, worth)
    return tuple(price_by_name.items())


def _price(prices: tuple[tuple[str, Figure], ...], name: str) -> Figure:
    """The price of an auxiliary system: of the Perk with its name, numbered among identical ones; a turret has none."""
    exact = dict(prices).get(name)
    if exact is not None:
        return exact
    return max(((known, worth) for known, worth in prices if name.startswith(known)), default=("", 0), key=lambda pair: len(pair[0]))[1]


def jobs_of(unit: Unit, prices: tuple[tuple[str, Figure], ...] = ()) -> tuple[Job, ...]:
    """All repair jobs of a machine; none if it is scrap. A combined machine broken apart by an Overkill is rejoined like a failed
    structure; a power booster takes an overhaul of the same kind, including everything it left worse; wear by parrying counts point
    for point like Accuracy (rulings)."""
    wear, name = unit.wear, unit.name
    if wear.destroyed in BEYOND_REPAIR and not (wear.destroyed == "overkill" and unit.machine.components):
        return ()
    jobs = [Job(machine=name, effect="structural failure")] if wear.destroyed else []
    if unit.machine.change == "one-way" and unit.primary and unit.machine.name != unit.primary:
        jobs.append(Job(machine=name, effect="structural failure", part=f"{BACK}{unit.primary}"))
    jobs += [Job(machine=name, effect="crew compartment")] if wear.compartment else []
    jobs += [Job(machine=name, effect="power transfer", part=way) for way in wear.failed]
    jobs += [
        Job(machine=name, effect="movement points", part=candidate.type, points=max(candidate.combat, candidate.top))
        for candidate in wear.slowed
    ]
    jobs += [Job(machine=name, effect="maneuver", points=wear.maneuver)] if wear.maneuver else []
    jobs += _system_jobs(unit)
    for at, system in enumerate(numbered(auxiliaries(unit.machine))):
        if wear.auxiliaries and wear.auxiliaries[at]:
            jobs.append(Job(machine=name, effect="auxiliary", part=system, points=_price(prices, system)))
    for part, _ in wear.absorbed:
        named = f"{_REINFORCED}{part}"
        jobs.append(Job(machine=name, effect="auxiliary", part=named, points=_price(prices, named)))
    jobs += [Job(machine=name, effect="structural failure", part=BOOSTER)] if wear.burnt or wear.overburnt else []
    jobs += [Job(machine=name, effect="armor", points=wear.armor)] if wear.armor else []
    jobs += [Job(machine=name, effect="armor", part=f"ablative, {arc}", points=gone) for arc, gone in wear.ablated if gone]
    return tuple(jobs)


def _system_jobs(unit: Unit) -> list[Job]:
    jobs = []
    for at, (name, _) in enumerate(mounts(unit.machine)):
        arm = unit.arms[at]
        if arm.broken:
            jobs.append(Job(machine=unit.name, effect="system destroyed", part=name))
        elif arm.accuracy:
            jobs.append(Job(machine=unit.name, effect="accuracy", part=name, points=arm.accuracy))
        if arm.worn and not arm.broken:
            jobs.append(Job(machine=unit.name, effect="accuracy", part=f"{WORN}{name}", points=arm.worn))
        if arm.redundant:
            jobs.append(Job(machine=unit.name, effect="auxiliary", part=f"spare parts of the {name}", points=0))
    return jobs


def needed(rules: Ruleset, unit: Unit, job: Job, size_paid: bool = False) -> Derived[int]:
    """Labor Points of an attempt at a damage."""
    return labor_needed(rules, job.effect, unit.machine.size, job.points, size_paid)


def threshold(rules: Ruleset, job: Job) -> Derived[int]:
    """The Threshold of an attempt."""
    return repair_threshold(rules, job.effect, job.points)


def mended(unit: Unit, job: Job) -> Unit:
    """The machine without one of its damages."""
    if job.part.startswith(BACK):
        return in_form(unit, job.part.removeprefix(BACK))
    if job.effect in ("accuracy", "system destroyed") or job.part.startswith("spare parts of the "):
        return _repair_arm(unit, job)
    return replace(_free_turret(unit, job), wear=_repaired_wear(unit, job))


def _repair_arm(unit: Unit, job: Job) -> Unit:
    name = job.part.removeprefix("spare parts of the ").removeprefix(WORN)
    at = next(place for place, (text, _) in enumerate(mounts(unit.machine)) if text == name)
    arm = unit.arms[at]
    if job.effect == "auxiliary":
        return unit.with_arm(at, replace(arm, redundant=0))
    if job.part.startswith(WORN):
        return unit.with_arm(at, replace(arm, worn=0))
    worn = 0 if arm.broken else arm.worn  # a new one is undamaged
    return unit.with_arm(at, replace(arm, accuracy=0, broken=False, worn=worn))


def _free_turret(unit: Unit, job: Job) -> Unit:
    if job.effect != "auxiliary" or not job.part.startswith(TURRET):
        return unit
    at = next(place for place, (text, _) in enumerate(mounts(unit.machine)) if text == job.part.removeprefix(TURRET))
    return unit.with_arm(at, replace(unit.arms[at], frozen=None))


def _repaired_wear(unit: Unit, job: Job) -> Wear:
    wear = unit.wear
    if job.effect == "structural failure":
        return replace(wear, burnt=0, overburnt=()) if job.part else replace(wear, destroyed="")
    if job.effect == "crew compartment":
        return replace(wear, compartment=False)
    if job.effect == "power transfer":
        return replace(wear, failed=tuple([way for way in wear.failed if way != job.part]))
    if job.effect == "movement points":
        return replace(wear, slowed=tuple([candidate for candidate in wear.slowed if candidate.type != job.part]))
    if job.effect == "maneuver":
        return replace(wear, maneuver=0)
    if job.effect == "armor" and job.part:
        arc = job.part.removeprefix("ablative, ")
        return replace(wear, ablated=tuple([pair for pair in wear.ablated if pair[0] != arc]))
    if job.effect == "armor":
        return replace(wear, armor=0)
    if job.part.startswith(_REINFORCED):
        part = job.part.removeprefix(_REINFORCED)
        return replace(wear, absorbed=tuple([pair for pair in wear.absorbed if pair[0] != part]))
    names = numbered(auxiliaries(unit.machine))
    left = tuple([0 if names[at] == job.part else lost for at, lost in enumerate(wear.auxiliaries)])
    return replace(wear, auxiliaries=left if any(left) else ())
