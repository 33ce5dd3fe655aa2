"""Falling: how hard, on what, and what can be done about it on the way down (book lines 2133-2152)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, rounded_up, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import Hit, hurt
from rulewright.systems.silhouette.resolution.tests import Pool, rolled

MOST_DICE = 10
MOST_METRES = 30
HEAD_FIRST = 10
"""What is added to the dice of somebody who lands head first."""


class SurfaceRow(TableRow, frozen=True):
    """What one falls on, and what it does to the metres fallen."""

    surface: str
    times: int = 1
    divided_by: int = 1

    def counted(self, metres: int) -> int:
        """The metres that count for damage."""
        return metres * self.times // self.divided_by


SURFACES = Table("sil-3.2.8-softening-and-surfaces", SurfaceRow)


class Landing(Struct, frozen=True):
    """How a fall ended: its damage, the metres that counted, and whether it was head first."""

    damage: int
    metres: int
    head_first: bool = False

    @property
    def unhurt(self) -> bool:
        """On one's feet, or as good as."""
        return self.metres == 0


@rule("sil-3.2.8-falls")
def falling_damage(dice: float, metres: float, head_first: bool = False, gravity: float = 1) -> Derived[int]:
    """What the dice show, and 10 more head first, times the metres (30 at most), times the gravity; then rounded up."""
    if metres < 0 or gravity < 0:
        raise UserError("the height of a fall and the gravity must be at least 0")
    whole = min(int(metres), MOST_METRES)
    terms = [term("dice", dice), *([term("head first", HEAD_FIRST)] if head_first else []), times("metres", whole)]
    if gravity != 1:
        terms.append(times("gravity", gravity))
    return total("falling damage", *terms, rounded_up(), rule="sil-3.2.8-falls")


@rule("sil-3.2.8-falls")
def fall(rules: Ruleset, metres: float = 4, head_first: bool = False, gravity: float = 1, name: str = "") -> Play[int]:
    """A die for each whole metre, ten at most, read as usual, and multiplied by the metres; it is no hero's roll (ruling)."""
    whole = int(metres)
    if whole < 1:
        return falling_damage(0, max(0.0, metres), head_first, gravity).value
    result = yield from rolled(rules, Pool(min(whole, MOST_DICE), hero=False), name, "damage of the fall")
    return falling_damage(result.total, whole, head_first, gravity).value


@rule("sil-3.2.8-softening-and-surfaces")
def softened(rules: Ruleset, metres: float, roll: int = 0, surface: str = "normal") -> int:
    """The metres that count: those fallen, less an Athletics roll, by the ground they end on.

    The roll is held against the metres really fallen: as many or more, and nothing happens on any ground. Then the ground
    multiplies or divides what is left (ruling "fall-order"), or first the ground and then the roll.
    """
    whole, ground = int(metres), SURFACES.get(rules, surface)
    if roll >= whole:
        return 0
    if rules.word("fall-order") == "softening first":
        return ground.counted(whole - roll)
    return max(0, ground.counted(whole) - roll)


@rule("sil-3.2.8-softening-and-surfaces")
def land(
    rules: Ruleset,
    metres: float = 4,
    athletics: Pool | None = None,
    surface: str = "normal",
    gravity: float = 1,
    head_first: bool = False,
    name: str = "",
) -> Play[Landing]:
    """A whole fall: whoever is conscious rolls Athletics to soften it; a fumble lands head first."""
    if metres < 0:
        raise UserError(f"a fall is at least 0 metres deep, not {metres}")
    roll = 0
    if athletics is not None:
        result = yield from rolled(rules, athletics, name, "softening the fall")
        roll, head_first = result.total, head_first or result.fumble
    left = softened(rules, metres, roll, surface)
    damage = (yield from fall(rules, left, head_first, gravity, name)) if left else 0
    return Landing(damage, left, head_first)


@rule("sil-3.2.8-falls")
def fall_down(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    metres: float = 4,
    athletics: Pool | None = None,
    surface: str = "normal",
    gravity: float = 1,
    head_first: bool = False,
) -> Play[Patient]:
    """A fall and what it does to somebody: its damage is held against the Wound Thresholds like that of any attack, armor and all
    (ruling "armor-against-falls").

    A view of `land`.
    """
    softening = athletics if victim.awake else None
    landing = yield from land(rules, metres, softening, surface, gravity, head_first, victim.name)
    if not landing.damage:
        return victim
    return (yield from hurt(rules, victim, Hit(landing.damage, armored=rules.on("armor-against-falls"))))
