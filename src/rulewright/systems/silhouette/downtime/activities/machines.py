"""Machines between scenes: as people of their own, with their wear, their fuel, and repairs that they make themselves."""

from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, Change, Companion, EffectKind, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.machines.special import mend, repair_cost, repair_points
from rulewright.systems.silhouette.machines.vehicle import FUEL, Vehicle
from rulewright.systems.silhouette.repairs.jobs import Job, jobs_of, mended
from rulewright.systems.silhouette.repairs.scene import Bench, benches, damage_parked
from rulewright.systems.silhouette.units.setup import unit_after
from rulewright.systems.silhouette.units.units import Unit

Now = Case[Survivor]
MACHINE = Figure("machine", "Machine that is here", takes="person", needed=True)
RANGE, BURN = "Deployment Range", "Burn Points"


def machine_at(case: Now) -> Companion[Survivor]:
    """The machine that an activity names; an error if it is not there."""
    partner = case.partner(MACHINE)
    if partner is None:
        raise UserError(f"{case.argument(MACHINE) or 'a machine'} is not here")
    if partner.life.machine is None:
        raise UserError(f"{partner.name} is not a machine")
    return partner


def vehicle_of(case: Now) -> Vehicle:
    """The design of the machine that an activity names."""
    vehicle = machine_at(case).life.machine
    assert vehicle is not None
    return vehicle


def missing_machine(case: Now) -> str:
    """Why an activity with a machine cannot be done; empty if the machine is there."""
    try:
        machine_at(case)
    except UserError as error:
        return str(error)
    return ""


def bench_of(rules: Ruleset, vehicle: Vehicle, name: str) -> Bench:
    """A machine in the workshop. Sections and components are repaired in the workshop scene."""
    return benches(rules, replace(Placed.coming(vehicle, "workshop"), name=name))[0]


def with_wear(life: Survivor, unit: Unit) -> Survivor:
    """The machine with the wear of a unit."""
    vehicle = life.machine
    assert vehicle is not None
    after = unit_after(unit)
    values: dict[str, Any] = {field: msgspec.json.decode(msgspec.json.encode(lasts.value)) for field, lasts in after.items()}
    words = {**dict(life.changed), **{field: lasts.words for field, lasts in after.items()}}
    return replace(life, machine=replace(vehicle, condition={**vehicle.condition, **values}), changed=tuple(sorted(words.items())))


def fuel_left(vehicle: Vehicle, name: str) -> int:
    """How much of its Deployment Range or Burn Points a machine has left; full where nothing is said."""
    full = int(vehicle.deployment) if name == RANGE else vehicle.burn_points
    return int(vehicle.condition.get(FUEL, {}).get(name, full))


def with_fuel(life: Survivor, name: str, amount: int) -> Survivor:
    """The machine with so much of its Deployment Range or Burn Points left."""
    vehicle = life.machine
    assert vehicle is not None
    fuel = {**vehicle.condition.get(FUEL, {}), name: amount}
    words = ", ".join(f"{left:,} {kind} left" for kind, left in sorted(fuel.items()))
    changed = tuple(sorted({**dict(life.changed), FUEL: words}.items()))
    return replace(life, machine=replace(vehicle, condition={**vehicle.condition, FUEL: fuel}), changed=changed)


class SelfRepair(EffectKind[Survivor]):
    """A machine that repairs itself gathers Repair Points round by round, and tries the first of its damages that they pay for."""

    name = "self-repair"
    rules = ("sil-4.3.9-self-repair",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        vehicle = case.life.machine
        return ("",) if vehicle is not None and vehicle.self_repair and self._job(rules, case) is not None else ()

    def _bench(self, rules: Ruleset, case: Now) -> Bench:
        assert case.life.machine is not None
        return bench_of(rules, case.life.machine, case.name)

    def _job(self, rules: Ruleset, case: Now) -> Job | None:
        bench = self._bench(rules, case)
        return next(iter(jobs_of(bench.unit, bench.prices)), None)

    def _cost(self, rules: Ruleset, case: Now) -> int:
        bench, job = self._bench(rules, case), self._job(rules, case)
        assert job is not None
        return repair_cost(rules, job.effect, bench.unit.machine.size, job.points).value

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        assert case.life.machine is not None
        points = repair_points(case.life.machine.self_repair).value
        return -(-self._cost(rules, case) // points) * SECONDS

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        bench, job, vehicle = self._bench(rules, case), self._job(rules, case), case.life.machine
        assert job is not None
        assert vehicle is not None
        cost = self._cost(rules, case)
        size = bench.unit.machine.size
        done = yield from mend(rules, vehicle.self_repair, job.effect, size, job.points, max(cost, 1), case.name)
        unit = bench.unit
        if done.mended:
            unit = mended(unit, job)
            yield from Tell(Recovers(case.name, f"repairs itself: {job.words}", "good"))
        elif done.harmed:
            unit = yield from damage_parked(rules, unit, case.name)
        return Change(with_wear(case.life, unit) if unit != bench.unit else case.life, again(effect))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        job = self._job(rules, case)
        return f"repairs itself: {job.words if job is not None else 'nothing'}"
