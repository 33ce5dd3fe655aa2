"""Getting tired: exertion, and what it takes out of somebody (Combat Option 19, book lines 4843-4879)."""

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
"""Dice lost with so many Endurance Boxes crossed off; the box reached counts alone, and a depleted one keeps the last (ruling)."""
MOST_DIFFICULTY = 10
RESTS, AT_EASE = 1, 3
"""Units of the Time Factor at rest, and then within tolerance, that give everything back."""


TIME_FACTORS = Column("ore-4.09b-opt19-endurance", "unit", Unit, examples=tuple[str, ...])
"""A Time Factor and what exerts somebody so fast."""


class Stamina(Struct, frozen=True, cache_hash=True, gc=False):
    """How tired somebody is: Exertion Tests passed, Endurance Boxes crossed off, and points of Body lost since."""

    body: int = 3
    passed: int = 0
    boxes: int = 0
    body_lost: int = 0
    elapsed: int = 0
    """Units of the Time Factor since the last test."""
    rested: int = 0
    """Units of the Time Factor without exertion."""

    @property
    def state(self) -> str:
        """Within tolerance, or the last box that was crossed off."""
        return BOXES[self.boxes - 1] if self.boxes else "within tolerance"

    @property
    def body_left(self) -> int:
        """Body as it stands."""
        return max(0, self.body - self.body_lost)

    @property
    def dead(self) -> bool:
        """Whether all Body is gone."""
        return self.body_left == 0

    @property
    def difficulty(self) -> int:
        """The Difficulty of the next Exertion Test: none at first (ruling), and 1 more for each that was passed."""
        return 1 + self.passed


FRESH = Stamina()
SIX_DICE = Pool(6)


@rule("ore-4.09b-opt19-endurance")
def exertion_test(rules: Ruleset, endurance: Pool = SIX_DICE, tired: Stamina = FRESH, by: str = "") -> Play[Stamina]:
    """Body and Endurance: whoever succeeds only makes the next test harder by 1, whoever fails crosses off an Endurance Box.

    With all three gone every failure costs a point of Body, and the last one life. A Difficulty above 10 fails (ruling).
    """
    if tired.difficulty > MOST_DIFFICULTY:
        return exerted(tired)
    outcome = yield from make_test(rules, exertion_pool(endurance, tired), tired.difficulty, by=by, what="exertion")
    return exerted(tired, outcome.success)


@rule("ore-4.09b-opt19-endurance")
def exertion_pool(endurance: Pool = SIX_DICE, tired: Stamina = FRESH) -> Pool:
    """What is rolled for an Exertion Test: Body and Endurance, less the points of Body that are gone."""
    return endurance.plus(Mod("Body lost", -tired.body_lost, "ore-4.09b-opt19-endurance"))


@rule("ore-4.09b-opt19-endurance")
def exerted(tired: Stamina = FRESH, success: bool = False) -> Stamina:
    """What an Exertion Test comes to: a harder one next time, or an Endurance Box, or a point of Body."""
    if success:
        return replace(tired, passed=tired.passed + 1, elapsed=0)
    if tired.boxes < len(BOXES):
        return replace(tired, boxes=tired.boxes + 1, elapsed=0)
    return replace(tired, body_lost=tired.body_lost + 1, elapsed=0)


@rule("ore-4.09b-opt19-endurance")
def due(body: int = 3, units: int = 3) -> bool:
    """An Exertion Test is due each time that as many units of the Time Factor have passed as Body has points."""
    return body > 0 and units > 0 and units % body == 0


@rule("ore-4.09b-opt19-endurance")
def exert(rules: Ruleset, endurance: Pool = SIX_DICE, tired: Stamina = FRESH, by: str = "") -> Play[Stamina]:
    """A unit of the Time Factor passes for somebody who exerts himself, and when Body units have, an Exertion Test is made.

    A view of growing tired in fights.
    """
    now = strains(rules, tired)
    return (yield from exertion_test(rules, endurance, now, by)) if must_test(rules, now) else now


@rule("ore-4.09b-opt19-endurance")
def strains(rules: Ruleset, tired: Stamina = FRESH) -> Stamina:
    """A unit of the Time Factor with exertion: nothing comes of it unless the campaign counts endurance."""
    return tired


@instead_of(strains, "getting-tired")
def strains_counted(rules: Ruleset, tired: Stamina = FRESH) -> Stamina:
    """A unit passes."""
    return tired if tired.dead else replace(tired, elapsed=tired.elapsed + 1, rested=0)


def must_test(rules: Ruleset, tired: Stamina) -> bool:
    """Whether an Exertion Test is due after a unit of exertion."""
    return rules.on("getting-tired") and not tired.dead and tired.elapsed >= tired.body_left


@rule("ore-4.09b-opt19-endurance")
def tired_dice(rules: Ruleset, boxes: int = 1) -> Mod:
    """What being tired costs: nothing, unless the campaign counts endurance."""
    return Mod("tired", 0, "ore-4.09b-opt19-endurance")


@rule("ore-4.09b-opt19-endurance")
@instead_of(tired_dice, "getting-tired")
def tired_dice_counted(rules: Ruleset, boxes: int = 1) -> Mod:
    """Strained costs a die of every action, suffering and depleted two."""
    if not 0 <= boxes <= len(BOXES):
        raise UserError(f"a body has {len(BOXES)} Endurance Boxes")
    return Mod(BOXES[boxes - 1] if boxes else "tired", -PENALTIES[boxes], "ore-4.09b-opt19-endurance")


@rule("ore-4.09b-opt19-endurance")
def recuperate(tired: Stamina = FRESH, rest: int = 1, tolerance: int = 3) -> Stamina:
    """Once the cause is remedied, a unit of the Time Factor at rest and three within tolerance give all Endurance Boxes back.

    Anything less gives nothing; points of Body come back with the boxes (ruling: the book does not say).
    """
    return Stamina(tired.body) if rest >= RESTS and tolerance >= AT_EASE else tired


@rule("ore-4.09b-opt19-endurance")
def rests(tired: Stamina = FRESH) -> Stamina:
    """A unit of the Time Factor without exertion: after one at rest and three within tolerance the boxes come back."""
    if tired == Stamina(tired.body) or tired.dead:
        return tired
    rested = tired.rested + 1
    return recuperate(replace(tired, rested=rested), min(rested, RESTS), rested - RESTS)


def perished(body: AnyBody) -> AnyBody:
    """A body without a point of Body left: dead, whatever its damage system."""
    if isinstance(body, Located):
        return body.put(replace(body.part("torso"), kill=body.part("torso").boxes, shock=0))
    if isinstance(body, Vital):
        return replace(body, vital_lost=body.vital_boxes)
    return replace(body, down_boxes=3)
