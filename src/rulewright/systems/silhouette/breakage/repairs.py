"""Repairs: Labor Points, Thresholds and accumulated progress (book lines 5093-5127, 5266-5272)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Scale
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.design.rounding import whole
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test

_REPAIR = "sil-5.5.4-repairs"

MENDING = Scale(("breaks more", "not yet", "mended"), ("mended",), "mends it", "mended")
"""The possible results of a repair."""


class RepairRow(TableRow, frozen=True):
    """What a repair takes: Labor Points besides the Size, and the Threshold, each with an amount for each point lost."""

    effect: str
    labor: Number
    each: Number
    threshold: int
    threshold_each: Number
    size: bool = False


REPAIRS = Table(_REPAIR, RepairRow)


@rule(_REPAIR)
def labor_points(level: int, complexity: int = 1, parts: bool = True, tools: bool = True) -> Derived[int]:
    """Labor Points of a technician a day: five for each point of Technical level and Complexity; half without enough parts or tools, a
    quarter without both."""
    if level < 0 or complexity < 1:
        raise UserError("level must be 0 or more and Complexity 1 or more")
    both = total("skill", term("level", level), term("Complexity", complexity))
    terms = [term("level and Complexity", both), times("points each", 5)]
    terms += [divided(f"not enough {name}", 2) for name, there in (("parts", parts), ("tools", tools)) if not there]
    return total("Labor Points", *terms, *(() if parts and tools else (rounded_down(),)), rule=_REPAIR)


@rule(_REPAIR)
def labor_needed(rules: Ruleset, effect: str, size: Number, points: Number = 1, size_paid: bool = False) -> Derived[int]:
    """Labor Points for one attempt at a damage: the machine's Size plus what the damage adds, by the points lost or the Perk's
    price. If the Size was paid already (ruling "repair-labor") only the damage counts."""
    row = REPAIRS.get(rules, effect)
    terms: list[Reason] = [] if size_paid else [term("Size", size)]
    terms += [term(effect, row.labor)] if row.labor or not row.each else []
    if row.each:
        terms.append(term(effect, total("points", term("points", points), times("each", row.each))))
    if row.size:
        terms.append(term("Size again", size))
    return whole("Labor Points needed", *terms, rule=_REPAIR, to="up")


@rule(_REPAIR)
def repair_threshold(rules: Ruleset, effect: str, points: Number = 1) -> Derived[int]:
    """The Threshold of a repair: by the damage, and for each point lost (a tenth of a Perk's price, rounded down)."""
    row = REPAIRS.get(rules, effect)
    if not row.threshold_each:
        return total("Threshold", term(effect, row.threshold), rule=_REPAIR)
    added = total("points", term("points", points), times("each", row.threshold_each), rounded_down())
    return total("Threshold", term(effect, row.threshold), term("points lost", added), rule=_REPAIR)


@rule(_REPAIR)
def common_level(levels: tuple[int, ...]) -> Derived[int]:
    """The level of several technicians who work on one damage: their average, rounded up."""
    if not levels:
        raise UserError("a repair needs at least one technician")
    terms = [term("level", level) for level in levels]
    return total("level", *terms, divided("technicians", len(levels)), rounded_up(), rule=_REPAIR)


@rule(_REPAIR)
def repair_pool(level: int, attribute: int = 0, complexity: int = 1, easy: bool = False, difficult: bool = False, machine: int = 1) -> Pool:
    """The pool of a repair: the skill with its attribute and Complexity, +2 for a machine that is easy to modify there, -1 for one
    that is difficult to modify."""
    return Pool(level).plus(
        Mod("attribute", attribute, "sil-1.2.4-skill-test"),
        Mod("Complexity", complexity - machine, "sil-1.2.2-complexity-modifier"),
        Mod("easy to modify", 2 if easy else 0, "sil-d-features"),
        Mod("difficult to modify", -1 if difficult else 0, "sil-e-negative-features"),
    )


class Attempt(Struct, frozen=True):
    """The result of an attempt: whether the damage is repaired, the progress kept, and whether something else broke."""

    mended: bool
    kept: int
    harmed: bool
    test: Test


@rule(_REPAIR)
def attempt(rules: Ruleset, pool: Pool, threshold: int, kept: int = 0, by: str = "") -> Play[Attempt]:
    """Roll an attempt at one damage: a success repairs it. A failure's total is kept as progress, and the damage is repaired once all
    progress reaches the Threshold; a fumble breaks something else, like Light Damage."""
    if kept < 0:
        raise UserError(f"the progress kept must be 0 or more, not {kept}")
    test = yield from action_test(rules, pool, threshold, by, "repair")
    if test.fumble:  # 5097: a fumble repairs nothing and breaks something else
        return Attempt(False, kept, True, test)
    mended = test.total > test.threshold or (kept > 0 and kept + test.total >= test.threshold)
    return Attempt(mended, 0 if mended else kept + test.total, False, test)


@rule(_REPAIR)
def days_needed(needed: int, available: int) -> Derived[Number]:
    """Days of a repair: the labor needed divided by the labor available; twice the points halve the time.

    A view of `labor`, which plays one day after the other.
    """
    if available < 1:
        raise UserError("a repair needs Labor Points")
    return total("days", term("Labor Points needed", needed), divided("Labor Points a day", available), rule=_REPAIR)
