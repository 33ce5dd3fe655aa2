"""Turns, hard turns at Top Speed and jumps (book lines 4435-4445, 4455-4460)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, less, row, term, times, total
from rulewright.systems.silhouette.resolution.tests import Pool, Test, action_test, passes

_TURN, _JUMP = "sil-5.2.1-turning", "sil-5.2.1-jumping"
FREE = 1
AT_EASE = 3
"""Hexsides that a unit at Top Speed turns without a test."""
HARD = 3


@rule(_TURN)
def turn_cost(hexsides: int) -> Derived[int]:
    """Movement Points of a turn: none for one hexside, one for more, up to a full spin. Before the next turn it must move a hex forward.

    A view of `reached`, which counts it on every path.
    """
    if not 0 <= hexsides <= 6:
        raise UserError(f"a turn is 0 to 6 hexsides, not {hexsides}")
    cost = 0 if hexsides <= FREE else 1
    return total("Movement Points", row(f"{count(hexsides, 'hexside')}", cost), rule=_TURN)


def hexsides(number: int, other: int) -> int:
    """The hexsides between two facings."""
    apart = abs(number - other) % 6
    return min(apart, 6 - apart)


class Held(Struct, frozen=True):
    """The result of a hard turn: held, a skid of a hex straight ahead, or a crash."""

    outcome: Literal["held", "skids", "crashes"]
    test: Test


@rule(_TURN)
def hard_turn(rules: Ruleset, pilot: Pool, terrain: int = 1, by: str = "") -> Play[Held]:
    """Roll a turn of more than three hexsides at Top Speed: Piloting against 3 plus the terrain's cost.

    A failure skids a hex straight ahead; a fumble crashes, which ends the move, and a die decides Light or Heavy Damage.
    """
    test = yield from action_test(rules, pilot, HARD + terrain, by, "holding the turn")
    if test.fumble:  # 4439: a fumble crashes
        return Held("crashes", test)
    return Held("held" if passes(rules, test.total, test.threshold) else "skids", test)


# --- jumping -----------------------------------------------------------------------------------------------------------------------


class JumpRow(TableRow, frozen=True):
    """A jump angle: its Threshold and the divisor of its distance."""

    angle: int
    threshold: int
    divisor: int


JUMPS = Table(_JUMP, JumpRow)


@rule(_JUMP)
def jump_distance(rules: Ruleset, speed: int, angle: Literal[15, 30, 45] = 45, gravity: float = 1.0, thrust: float = 0.0) -> Derived[float]:
    """Metres of a jump: its speed squared, divided by the angle's divisor and by gravity, reduced by thrust in g."""
    pull = gravity - thrust
    if speed < 0:
        raise UserError(f"the speed of a jump must be 0 or more, not {speed}")
    if pull <= 0:
        raise UserError(f"a thrust of {thrust:g} g against {gravity:g} g flies instead of jumping")
    terms = [
        term("jump speed", speed),
        times("itself", speed),
        divided(f"at {angle} degrees", JUMPS.get(rules, str(angle)).divisor, rule=_JUMP),
    ]
    if pull != 1:
        weight = total("remaining gravity", term("gravity in g", gravity), *([less("thrust", thrust)] if thrust else []))
        terms.append(divided("remaining gravity", weight))
    return total("Metres", *terms, rule=_JUMP)


class Jumped(Struct, frozen=True):
    """A jump: its test, speed and distance."""

    test: Test
    speed: int
    metres: float


@rule(_JUMP)
def jump(
    rules: Ruleset, pilot: Pool, points: int, angle: Literal[15, 30, 45] = 45, gravity: float = 1.0, thrust: float = 0.0, by: str = ""
) -> Play[Jumped]:
    """Roll a jump: Piloting against the angle's Threshold; its speed is the Movement Points used this round plus the margin.

    A draw or failure adds nothing (ruling).
    """
    test = yield from action_test(rules, pilot, JUMPS.get(rules, str(angle)).threshold, by, "jumping")
    speed = points + max(0, test.margin)
    metres = float(jump_distance(rules, speed, angle, gravity, thrust).value)
    return Jumped(test, speed, metres)
