"""Falls: damage, surfaces and softening (book lines 2133-2152)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, rounded_up, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import Hit, hurt
from rulewright.systems.silhouette.resolution.tests import Pool, rolled, sum_of

MOST_DICE = 10
MOST_METRES = 30
HEAD_FIRST = 10
"""Added to the dice of a fall head first."""


class SurfaceRow(TableRow, frozen=True):
    """A surface and its factor for the metres fallen."""

    surface: str
    times: int = 1
    divided_by: int = 1

    def counted(self, metres: int) -> int:
        """Returns the metres that count for damage."""
        return metres * self.times // self.divided_by


SURFACES = Table("sil-3.2.8-softening-and-surfaces", SurfaceRow)


class Landing(Struct, frozen=True):
    """Result of a fall: damage, metres that counted, and whether it was head first."""

    damage: int
    metres: int
    head_first: bool = False

    @property
    def unhurt(self) -> bool:
        """Whether the fall did no damage."""
        return self.metres == 0


@rule("sil-3.2.8-falls")
def falling_damage(dice: float, metres: float, head_first: bool = False, gravity: float = 1) -> Derived[int]:
    """Returns falling damage: the dice, +10 head first, times the metres (at most 30), times the gravity, rounded up."""
    if metres < 0 or gravity < 0:
        raise UserError("the height of a fall and the gravity must be at least 0")
    whole = min(int(metres), MOST_METRES)
    terms = [term("dice", dice), *([term("head first", HEAD_FIRST)] if head_first else []), times("metres", whole)]
    if gravity != 1:
        terms.append(times("gravity", gravity))
    return total("falling damage", *terms, rounded_up(), rule="sil-3.2.8-falls")


@rule("sil-3.2.8-falls")
def fall(rules: Ruleset, metres: float = 4, head_first: bool = False, gravity: float = 1, name: str = "") -> Play[int]:
    """Rolls the damage of a fall: one die per whole metre, at most ten, times the metres; not a hero's roll (ruling)."""
    return (yield from _roll_fall(rules, metres, head_first, gravity, name)).value


def _roll_fall(rules: Ruleset, metres: float, head_first: bool, gravity: float, name: str) -> Play[Derived[int]]:
    whole = int(metres)
    if whole < 1:
        return falling_damage(0, max(0.0, metres), head_first, gravity)
    result = yield from rolled(rules, Pool(min(whole, MOST_DICE), hero=False), name, "damage of the fall")
    return falling_damage(result.total, whole, head_first, gravity)


@rule("sil-3.2.8-softening-and-surfaces")
def softened(rules: Ruleset, metres: float, roll: int = 0, surface: str = "normal") -> int:
    """Returns the metres that count: the fall minus an Athletics roll, modified by the surface.

    If the roll is at least as high as the fall, nothing happens on any surface. The surface multiplies or divides the rest, or counts
    before the roll (ruling "fall-order").
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
    """Plays a fall: a conscious character rolls Athletics to soften it; a fumble lands head first."""
    if metres < 0:
        raise UserError(f"a fall is at least 0 metres deep, not {metres}")
    roll, sums = 0, [Reason("metres", int(metres), "=", "sil-3.2.8-falls")]
    if athletics is not None:
        result = yield from rolled(rules, athletics, name, "softening the fall")
        roll, head_first = result.total, head_first or result.fumble  # 2145
        sums.append(sum_of("softened by Athletics", athletics, result, "-", "sil-3.2.8-softening-and-surfaces"))
    left = softened(rules, metres, roll, surface)
    sums.append(Reason(f"metres that count on {surface} ground", left, "=", "sil-3.2.8-softening-and-surfaces"))
    damage = (yield from _roll_fall(rules, left, head_first, gravity, name)) if left else None
    if damage is None:
        yield from Tell(Reckoned(name or "someone", "lands unharmed", "good", tuple(sums)))
        return Landing(0, left, head_first)
    yield from Tell(Reckoned(name or "someone", f"falls and takes {damage.value} damage", "bad", (*sums, damage.reason)))
    return Landing(damage.value, left, head_first)


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
    """Plays a fall and applies its damage to the Wound Thresholds, armor included (ruling "armor-against-falls"). A view of `land`."""
    softening = athletics if victim.awake else None
    landing = yield from land(rules, metres, softening, surface, gravity, head_first, victim.name)
    if not landing.damage:
        return victim
    return (yield from hurt(rules, victim, Hit(landing.damage, armored=rules.on("armor-against-falls"))))
