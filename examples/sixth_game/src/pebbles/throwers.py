"""Characters of Pebbles: the file, the audit, the sheet."""

from typing import Any

from msgspec import Struct

from rulewright.build.audit import Audit, Problem, Repair
from rulewright.build.sheet_parts import Budget, PickMany, Section, Sheet, Stepper, Test, Value
from rulewright.build.sheet_parts import Choosable as Trick
from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total

POINTS = 10
LIMITS = {"aim": (1, 5), "guard": (0, 4), "stones": (1, 6)}
PRICES = {"aim": 2, "guard": 2, "stones": 1}


class TrickRow(TableRow, frozen=True):
    """A row of the table of tricks."""

    name: str
    cost: int
    aim: int = 0
    guard: int = 0
    bag: int = 0


TRICKS = Table("pebbles-tricks", TrickRow)


class Thrower(Struct, frozen=True, forbid_unknown_fields=True):
    """The character file."""

    system: str
    kind: str
    name: str
    aim: int = 1
    guard: int = 0
    stones: int = 1
    tricks: tuple[str, ...] = ()
    condition: dict[str, Any] = {}
    """Results that the gamemaster kept from scenes."""


@rule("pebbles-points")
def spent(rules: Ruleset, aim: int, guard: int, stones: int, tricks: tuple[str, ...] = ()) -> Derived[int]:
    """Ten points buy Aim and Guard at two a level, stones at one each, and tricks at their price."""
    terms = [term("Aim, two a level", aim * 2), term("Guard, two a level", guard * 2), term("stones", stones)]
    terms += [term(name, TRICKS.get(rules, name).cost, rule="pebbles-tricks", source=TRICKS.get(rules, name).source) for name in tricks]
    return total("points", *terms, rule="pebbles-points")


@rule("pebbles-tricks")
def with_tricks(rules: Ruleset, thrower: Thrower, value: str) -> Derived[int]:
    """A trick adds to Aim, Guard or the bag."""
    base = 2 if value == "bag" else getattr(thrower, value)
    terms = [term(value, base)]
    for name in thrower.tricks:
        row = TRICKS.get(rules, name)
        if getattr(row, value):
            terms.append(term(name, getattr(row, value), rule="pebbles-tricks", source=row.source))
    return total(value, *terms, rule="pebbles-tricks")


def audit(rules: Ruleset, thrower: Thrower) -> Audit:
    """Checks points and limits; every problem has a repair."""
    problems = []
    for field, (low, high) in LIMITS.items():
        value = getattr(thrower, field)
        if not low <= value <= high:
            nearest = min(max(value, low), high)
            repair = Repair(f"set it to {nearest}", field, nearest)
            problems.append(Problem("pebbles-points", field, f"{field} {value} is not from {low} to {high}", abs(value - nearest), repair))
    known = tuple(name for name in thrower.tricks if name in TRICKS(rules))
    for name in thrower.tricks:
        if name not in known:
            repair = Repair(f"drop {name}", "tricks", list(known))
            problems.append(Problem("pebbles-tricks", "tricks", f"there is no trick {name!r}", 1, repair))
    cost = spent(rules, thrower.aim, thrower.guard, thrower.stones, known).value
    if cost > POINTS:
        over = cost - POINTS
        field = next((field for field, (low, _) in LIMITS.items() if getattr(thrower, field) > low), "")
        level = getattr(thrower, field) - 1 if field else 0
        repair = Repair(f"lower {field} to {level}", field, level) if field else Repair("drop a trick", "tricks", list(known[1:]))
        problems.append(Problem("pebbles-points", "points", f"{cost} of {POINTS} points spent", over, repair))
    return Audit(tuple(problems), (Budget(name="points", rule="pebbles-points", allowed=POINTS, spent=cost),))


def sheet(rules: Ruleset, thrower: Thrower) -> Sheet:
    """The character sheet."""
    steppers = [
        Stepper(name=field.title(), field=field, value=getattr(thrower, field), low=low, high=high, price=f"{PRICES[field]} a level")
        for field, (low, high) in LIMITS.items()
    ]
    tricks = tuple(Trick(name, name, f"{row.cost} points", source=row.source) for name, row in TRICKS(rules).items())
    values = []
    for key in ("aim", "guard", "bag"):
        derived = with_tricks(rules, thrower, key)
        values.append(Value(name=key.title(), key=key, value=derived.value, reasons=(derived.reason,), rule="pebbles-tricks"))
    test = Test(name="Throw", key="throw", notation=f"{values[0].value}c", against="2c", rule="pebbles-throw")
    return Sheet(
        "pebbles",
        "character",
        thrower.name,
        f"a cairn of {thrower.stones}",
        (
            Section("Points", (*audit(rules, thrower).budgets, *steppers)),
            Section("Tricks", (PickMany(name="Tricks", field="tricks", values=thrower.tricks, options=tricks),)),
            Section("In play", (*values, test)),
        ),
    )


ARCHETYPES = {
    "wall": ("a high cairn, well guarded", Thrower("pebbles", "character", "Wall", aim=1, guard=1, stones=6)),
    "sling": ("all aim and a bag full of pebbles", Thrower("pebbles", "character", "Sling", aim=3, stones=2, tricks=("deep pockets",))),
}


def new(archetype: str | None) -> Thrower:
    """A new legal character."""
    if archetype is None:
        return Thrower("pebbles", "character", "Nobody")
    if archetype not in ARCHETYPES:
        raise UserError(f"there is no {archetype!r} in Pebbles; there are {', '.join(ARCHETYPES)}")
    return ARCHETYPES[archetype][1]
