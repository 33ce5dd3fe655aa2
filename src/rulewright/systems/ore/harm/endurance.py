"""Tiredness: exertion and its effects (Combat Option 19, book lines 4843-4879)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, instead_of, rule
from rulewright.systems.ore.harm.body import AnyBody, Located, Vital
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

Unit = Literal["rounds", "minutes", "hours", "days"]
BOXES = ("strained", "suffering", "depleted")
PENALTIES = (0, 1, 2, 2)
"""Dice lost by Endurance Boxes; only the last box counts, and depleted keeps its penalty (ruling)."""
MOST_DIFFICULTY = 10
RESTS, AT_EASE = 1, 3
"""Units of rest, then within tolerance, that restore everything."""


TIME_FACTORS = Column("ore-4.09b-opt19-endurance", "unit", Unit, examples=tuple[str, ...])
"""A Time Factor with examples."""


class Stamina(Struct, frozen=True, cache_hash=True, gc=False):
    """The tiredness of a fighter: passed tests, crossed boxes, and lost Body."""

    body: int = 3
    passed: int = 0
    boxes: int = 0
    body_lost: int = 0
    elapsed: int = 0
    """Units since the last test."""
    rested: int = 0
    """Units without exertion."""

    @property
    def state(self) -> str:
        """The state: within tolerance, or the last crossed box."""
        return BOXES[self.boxes - 1] if self.boxes else "within tolerance"

    @property
    def body_left(self) -> int:
        """Remaining Body."""
        return max(0, self.body - self.body_lost)

    @property
    def dead(self) -> bool:
        """Whether all Body is lost."""
        return self.body_left == 0

    @property
    def difficulty(self) -> int:
        """The Difficulty of the next test: none at first (ruling), +1 per passed test."""
        return 1 + self.passed


FRESH = Stamina()
SIX_DICE = Pool(6)


@rule("ore-4.09b-opt19-endurance")
def exertion_test(rules: Ruleset, endurance: Pool = SIX_DICE, tired: Stamina = FRESH, by: str = "") -> Play[Stamina]:
    """Body and Endurance: success makes the next test harder by 1, failure crosses off a box. After three boxes each failure costs a
    point of Body. A Difficulty above 10 fails (ruling)."""
    if tired.difficulty > MOST_DIFFICULTY:
        return exerted(tired)
    outcome = yield from make_test(rules, exertion_pool(endurance, tired), tired.difficulty, by=by, what="exertion")
    return exerted(tired, outcome.success)


@rule("ore-4.09b-opt19-endurance")
def exertion_pool(endurance: Pool = SIX_DICE, tired: Stamina = FRESH) -> Pool:
    """The pool: Body and Endurance minus lost Body."""
    return endurance.plus(Mod("Body lost", -tired.body_lost, "ore-4.09b-opt19-endurance"))


@rule("ore-4.09b-opt19-endurance")
def exerted(tired: Stamina = FRESH, success: bool = False) -> Stamina:
    """The result of a test: a harder one next time, a box, or a point of Body."""
    if success:
        return replace(tired, passed=tired.passed + 1, elapsed=0)
    if tired.boxes < len(BOXES):
        return replace(tired, boxes=tired.boxes + 1, elapsed=0)
    return replace(tired, body_lost=tired.body_lost + 1, elapsed=0)


@rule("ore-4.09b-opt19-endurance")
def due(body: int = 3, units: int = 3) -> bool:
    """A test is due every Body units of the Time Factor."""
    return body > 0 and units > 0 and units % body == 0


@rule("ore-4.09b-opt19-endurance")
def exert(rules: Ruleset, endurance: Pool = SIX_DICE, tired: Stamina = FRESH, by: str = "") -> Play[Stamina]:
    """A unit of exertion, with a test when due. A view of tiredness in fights."""
    now = strains(rules, tired)
    return (yield from exertion_test(rules, endurance, now, by)) if must_test(rules, now) else now


@rule("ore-4.09b-opt19-endurance")
def strains(rules: Ruleset, tired: Stamina = FRESH) -> Stamina:
    """A unit of exertion: no effect without the option."""
    return tired


@instead_of(strains, "getting-tired")
def strains_counted(rules: Ruleset, tired: Stamina = FRESH) -> Stamina:
    """A unit of exertion passes."""
    return tired if tired.dead else replace(tired, elapsed=tired.elapsed + 1, rested=0)


def must_test(rules: Ruleset, tired: Stamina) -> bool:
    """Whether a test is due after a unit of exertion."""
    return rules.on("getting-tired") and not tired.dead and tired.elapsed >= tired.body_left


@rule("ore-4.09b-opt19-endurance")
def tired_dice(rules: Ruleset, boxes: int = 1) -> Mod:
    """The penalty for tiredness: none without the option."""
    return Mod("tired", 0, "ore-4.09b-opt19-endurance")


@rule("ore-4.09b-opt19-endurance")
@instead_of(tired_dice, "getting-tired")
def tired_dice_counted(rules: Ruleset, boxes: int = 1) -> Mod:
    """Strained costs a die, suffering and depleted two."""
    if not 0 <= boxes <= len(BOXES):
        raise UserError(f"a body has {len(BOXES)} Endurance Boxes")
    return Mod(BOXES[boxes - 1] if boxes else "tired", -PENALTIES[boxes], "ore-4.09b-opt19-endurance")


@rule("ore-4.09b-opt19-endurance")
def recuperate(tired: Stamina = FRESH, rest: int = 1, tolerance: int = 3) -> Stamina:
    """One unit of rest and three within tolerance restore all Endurance Boxes and lost Body (ruling); less restores nothing."""
    return Stamina(tired.body) if rest >= RESTS and tolerance >= AT_EASE else tired


@rule("ore-4.09b-opt19-endurance")
def rests(tired: Stamina = FRESH) -> Stamina:
    """A unit without exertion: one of rest and three within tolerance restore the boxes."""
    if tired == Stamina(tired.body) or tired.dead:
        return tired
    rested = tired.rested + 1
    return recuperate(replace(tired, rested=rested), min(rested, RESTS), rested - RESTS)


def perished(body: AnyBody) -> AnyBody:
    """A dead body under any damage system."""
    if isinstance(body, Located):
        return body.put(replace(body.part("torso"), kill=body.part("torso").boxes, shock=0))
    if isinstance(body, Vital):
        return replace(body, vital_lost=body.vital_boxes)
    return replace(body, down_boxes=3)
