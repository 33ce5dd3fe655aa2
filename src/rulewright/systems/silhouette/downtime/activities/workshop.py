"""Work on machines between scenes: repairs by the day, buying and building with lemons (book lines 3360-3485, 5085-5120)."""

from typing import cast

import msgspec
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, WEEK
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, Figure, again
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.activities.awards import CREDITS
from rulewright.systems.silhouette.downtime.activities.machines import (
    MACHINE,
    bench_of,
    machine_at,
    missing_machine,
    vehicle_of,
    with_wear,
)
from rulewright.systems.silhouette.downtime.survivors import WORKSHOP, Survivor
from rulewright.systems.silhouette.machines.design.costs import final_cost
from rulewright.systems.silhouette.machines.lemons import lemon_roll
from rulewright.systems.silhouette.machines.vehicle import DEFECTS
from rulewright.systems.silhouette.repairs.scene import (
    Shop,
    Work,
    Workshop,
    by_cost,
    by_urgency,
    labor,
    points_of,
    work_on,
)

Now = Case[Survivor]
RULE = "sil-5.5.4-repairs"
ORDER = Figure("order", "What first", ("urgent", "cheapest", "ask me"), rule=RULE)


class Repair(Activity[Survivor]):
    """A day of Labor Points on a machine: every damage that is fully paid is tried. It ends when nothing is left to repair.

    Its data are the jobs begun: for each its key, the Labor Points needed and paid, and the progress kept.
    """

    name = "repair a machine"
    label = "repair a machine"
    rules = (RULE,)
    arguments = (MACHINE, ORDER)
    hours = 8

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return missing_machine(case)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(8 * HOUR)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        state, name = self.shop(rules, case, effect), case.name
        before = state.benches[0].unit
        while state.jobs and state.technician(name).points > 0 and not state.technician(name).resting:
            if case.argument(ORDER) == "ask me":
                state = yield from labor(rules, state, name)
            else:
                rank = by_urgency if case.argument(ORDER) == "urgent" else by_cost
                job = min(state.jobs, key=lambda job: rank(rules, state, job))
                state = yield from work_on(rules, state, name, job)
        unit, machine = state.benches[0].unit, machine_at(case)
        life = with_wear(machine.life, unit) if unit != before else machine.life
        begun = [value for work in state.works for value in (work.job.key, work.needed, work.paid, work.kept)]
        if not state.jobs:
            left = f", but it is {unit.wear.destroyed}" if unit.wear.destroyed else ""
            yield from Tell(Recovers(name, f"has nothing left to repair on {machine.name}{left}", "good"))
        return Change(case.life, again(effect, *begun) if state.jobs else None, partner=(machine.name, life))

    def shop(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Workshop:
        """The workshop on this day: one technician, one machine, and what was begun."""
        lacks = str(case.figure(WORKSHOP))
        place = Shop(1, lacks not in ("no parts", "neither"), lacks not in ("no tools", "neither"))
        person = replace(case.life.technician, name=case.name)
        bench = bench_of(rules, vehicle_of(case), machine_at(case).name)
        empty = Workshop(shop=place, technicians=(person,), benches=(bench,))
        jobs, works = {job.key: job for job in empty.jobs}, []
        for key, needed, paid, kept in _fours(effect.data):
            if key in jobs:
                work = Work(job=jobs[str(key)], needed=int(needed), paid=int(paid), hands=(case.name,), kept=int(kept))
                works.append(work)
        fresh = replace(person, points=points_of(place, person).value)
        return replace(empty, technicians=(fresh,), works=tuple(works))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a day of repairs on {effect.about}"


def _fours(data: tuple[Value, ...]) -> list[tuple[Value, Value, Value, Value]]:
    """Data in groups of four."""
    return [cast(tuple[Value, Value, Value, Value], data[at : at + 4]) for at in range(0, len(data), 4)]


HOW = Figure("how", "How", ("buy", "build a new model"), rule="sil-4.1.12-production-type")
TIME = Figure("time", "Time it takes (the book prints none)", takes="span", default=WEEK)


class Acquire(Activity[Survivor]):
    """Buying a machine at its Final Cost, or building the first of its model: then its lemon dice fall, and its defects stay with it."""

    name = "acquire a machine"
    label = "buy or build a machine"
    rules = (
        *("sil-4.1.11-default-size-cost", "sil-4.1.12-production-type", "sil-4.1.12-lemon-rolls", "sil-4.1.12-lemon-defects"),
        *("sil-4.1.12-annoyances", "sil-4.1.14-final-cost", "sil-4.3.10-extras"),
    )
    arguments = (MACHINE, HOW, TIME)
    hours = 8

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return missing_machine(case)

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        return () if missing_machine(case) else ((CREDITS, final_cost(rules, vehicle_of(case)).value),)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)) or DAY)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        machine, vehicle = machine_at(case), vehicle_of(case)
        new_model = case.argument(HOW) != "buy"
        yield from Tell(Recovers(case.name, f"{'builds' if new_model else 'buys'} {machine.name}", "good"))
        defects = vehicle.all_defects[len(vehicle.defects) :]
        for model in (True, False) if new_model else (False,):
            defects += (yield from lemon_roll(rules, vehicle, model)).defects
        kept = msgspec.to_builtins(defects)
        words = f"{len(defects)} defects of its own" if len(defects) != 1 else "1 defect of its own"
        changed = tuple(sorted({**dict(machine.life.changed), DEFECTS: words}.items()))
        life = replace(machine.life, machine=replace(vehicle, condition={**vehicle.condition, DEFECTS: kept}), changed=changed)
        return Change(case.life, partner=(machine.name, life))
