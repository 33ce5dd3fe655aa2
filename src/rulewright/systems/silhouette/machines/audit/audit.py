"""The audit of a machine: every breach with its rule, the amount and the smallest repair (book lines 2825-4113)."""

from collections.abc import Iterator

from rulewright.build.audit import Audit, Problem, Repair, amiss
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.audit.bodies import bodies_together
from rulewright.systems.silhouette.machines.audit.hull import hull
from rulewright.systems.silhouette.machines.audit.systems import armament
from rulewright.systems.silhouette.machines.audit.traits import fittings
from rulewright.systems.silhouette.machines.tables import EXTRAS
from rulewright.systems.silhouette.machines.vehicle import Design, Vehicle


def audit(rules: Ruleset, vehicle: Vehicle) -> Audit:
    """Every breach of the rules in a vehicle's file; a machine has a price, but no budget."""
    problems: list[Problem] = []
    for prefix, body in parts(vehicle):
        problems.extend(hull(rules, vehicle, body, prefix))
        problems.extend(fittings(rules, vehicle, body, prefix))
        problems.extend(armament(rules, vehicle, body, prefix))
    problems.extend(bodies_together(rules, vehicle))
    problems.extend(_check_extras(rules, vehicle))
    return Audit(tuple(problems), ())


def parts(vehicle: Vehicle) -> Iterator[tuple[str, Design]]:
    """Every body with the prefix of its fields."""
    yield "", vehicle
    for name in ("sections", "forms", "components"):
        for place, body in enumerate(getattr(vehicle, name)):
            yield f"{name}.{place}.", body


def _check_extras(rules: Ruleset, vehicle: Vehicle) -> Iterator[Problem]:
    rows = EXTRAS(rules)
    for place, extra in enumerate(vehicle.extras):
        row = rows.get(extra.name)
        if row is None:
            left = [result for at, result in enumerate(vehicle.extras) if at != place]
            mended = Repair("remove it", "extras", [{"name": candidate.name, "amount": candidate.amount} for candidate in left])
            yield Problem(EXTRAS.rule, f"extras.{place}.name", f"there is no extra {extra.name!r}", 0, mended)
        elif row.most and extra.amount > row.most:
            most, field = f"{row.most} {row.unit}", f"extras.{place}.amount"
            yield amiss(EXTRAS.rule, field, f"{extra.name} allows at most {most}", extra.amount - row.most, most, row.most)
