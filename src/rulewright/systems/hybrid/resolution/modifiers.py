"""Modifiers of checks: condition, movement, surroundings, simultaneous actions (book lines 456-515)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, total
from rulewright.systems.hybrid.resolution.tests import UNRANKED, Mod

Kind = Literal["physical", "mental"]
Pace = Literal["no move", "crawl", "walk", "jog", "run", "dash", "vehicle"]


# --- unranked (lines 460-462) -------------------------------------------------------------------------------------------------


@rule("hyb-2-unranked")
def unranked(rules: Ruleset, rank: int | None = None) -> Mod:
    """No rank in the skill, not even 0: 15 off the Difficulty Factor. A view of `difficulty_factor`, which takes the same off."""
    return Mod("unranked", UNRANKED.of(rules, "modifier") if rank is None else 0, "hyb-2-unranked")


@rule("hyb-2-unranked")
def unranked_initiative(rules: Ruleset, rank: int | None = None) -> Mod:
    """The unranked react two counts later (ruling: the printed -2 would make them faster)."""
    return Mod("unranked", rules.number("unranked-initiative") if rank is None else 0, "hyb-2-unranked")


# --- two things at once (lines 464-470) ---------------------------------------------------------------------------------------


class FlorentineRow(TableRow, frozen=True):
    """What two actions at once cost the first, the second, and the perception of who does them."""

    combination: str
    primary: int
    secondary: int
    awareness: int


FLORENTINE = Table("hyb-2-florentine", FlorentineRow)


class Florentine(Struct, frozen=True):
    """The modifiers of two simultaneous actions in the order given, and of awareness meanwhile."""

    first: Mod
    second: Mod
    awareness: Mod


@rule("hyb-2-florentine")
def florentine(rules: Ruleset, first: Kind = "physical", second: Kind = "physical") -> Florentine:
    """Two actions at the same time: the first named goes first where both are of a kind, the physical one otherwise."""
    swapped = (first, second) == ("mental", "physical")
    row = FLORENTINE.get(rules, "physical and mental" if first != second else f"{first} and {second}")
    number, other = (row.secondary, row.primary) if swapped else (row.primary, row.secondary)
    at_once = "two things at once"
    return Florentine(*(Mod(at_once, value, "hyb-2-florentine") for value in (number, other, row.awareness)))


# --- condition (lines 472-489) ------------------------------------------------------------------------------------------------


class ConditionRow(TableRow, frozen=True):
    """A state of body or mind and what it does to actions: reached by so many percent lost, or by exhaustion."""

    condition: str
    track: Literal["body", "mind"]
    physical: int
    mental: int
    lost: int = 0
    exhausted: bool = False
    awareness: int = 0


CONDITIONS = Table("hyb-2-condition-modifiers", ConditionRow)


class Condition(Struct, frozen=True, cache_hash=True, gc=False):
    """How body and mind stand: what is left of PBD, MBD, PEX and MEX, of how much."""

    pbd: int = 24
    pbd_full: int = 24
    mbd: int = 24
    mbd_full: int = 24
    pex: int = 60
    mex: int = 60


FRESH = Condition()


@rule("hyb-2-condition-modifiers")
def conditions(rules: Ruleset, condition: Condition = FRESH) -> tuple[str, ...]:
    """The rows that apply: the worst wound of body and of mind (ruling), and exhaustion where nothing of it is left."""
    names: list[str] = []
    for track, left, full, reserve in (
        ("body", condition.pbd, condition.pbd_full, condition.pex),
        ("mind", condition.mbd, condition.mbd_full, condition.mex),
    ):
        if full < 1:
            raise UserError(f"a {track} has at least 1 point, not {full}")
        rows = [row for row in CONDITIONS(rules).values() if row.track == track]
        names += [row.condition for row in rows if row.exhausted and reserve <= 0]
        wounds = [row for row in rows if not row.exhausted and 100 * (full - left) >= row.lost * full]
        wounds.sort(key=lambda row: row.lost)
        names += [row.condition for row in (wounds if rules.on("wound-levels-add") else wounds[-1:])]
    return tuple(names)


@rule("hyb-2-condition-modifiers")
def condition_modifier(rules: Ruleset, condition: Condition = FRESH, kind: Kind = "physical", awareness: bool = False) -> Derived[int]:
    """The penalty of wounds and exhaustion to an action of body or mind; people who use their awareness pay for exhaustion once more."""
    return _condition_modifier(rules, condition, kind, awareness)


@cached(20_000)
def _condition_modifier(rules: Ruleset, condition: Condition, kind: Kind, awareness: bool) -> Derived[int]:
    terms = []
    for name in conditions(rules, condition):
        row = CONDITIONS.get(rules, name)
        terms.append(Reason(name, row.physical if kind == "physical" else row.mental, "+", "hyb-2-condition-modifiers", row.source))
        if awareness and row.awareness:
            terms.append(Reason(f"{name}: awareness", row.awareness, "+", "hyb-2-condition-modifiers", row.source))
    return total("condition", *terms, rule="hyb-2-condition-modifiers")


# --- movement and surroundings (lines 491-515) --------------------------------------------------------------------------------


class MovingRow(TableRow, frozen=True):
    """What moving so costs actions."""

    movement: str
    physical: int
    mental: int


MOVING = Table("hyb-2-movement-modifiers", MovingRow)


@rule("hyb-2-movement-modifiers")
def moving_modifier(rules: Ruleset, movement: Pace = "run", kind: Kind = "physical") -> Mod:
    """The penalty of acting faster than at a walk. For the mind the column as printed (ruling), not half of the other."""
    row = MOVING(rules).get(movement)
    if row is None:
        return Mod(f"at a {movement}", 0, "hyb-2-movement-modifiers")
    mental = -(-row.physical // 2) if rules.word("moving-mind") == "half" else row.mental
    return Mod(f"moving: {movement}", row.physical if kind == "physical" else mental, "hyb-2-movement-modifiers")


class EnvironmentRow(TableRow, frozen=True):
    """What strange surroundings cost physical actions."""

    condition: str
    physical: int
    mental: int = 0


ENVIRONMENT = Table("hyb-2-environment-modifiers", EnvironmentRow)


@rule("hyb-2-environment-modifiers")
def environment_modifiers(
    rules: Ruleset, surroundings: tuple[str, ...] = ("visibility reduced 50%",), kind: Kind = "physical"
) -> tuple[Mod, ...]:
    """Every way in which the surroundings differ from those one grew up in; sight and gravity each by their worse row."""
    worst: dict[str, EnvironmentRow] = {}
    for name in surroundings:
        row = ENVIRONMENT.get(rules, name)
        matter = name.split()[0]
        if matter not in worst or row.physical < worst[matter].physical:
            worst[matter] = row
    return tuple(
        Mod(row.condition, row.physical if kind == "physical" else row.mental, "hyb-2-environment-modifiers") for row in worst.values()
    )
