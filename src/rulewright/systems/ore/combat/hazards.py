"""Damage without an attack: areas, continuous damage, falls and collisions (book lines 5221-5279)."""

from collections import Counter
from typing import Literal

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.play import Play, Roll, Tell, Together
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.combat.mooks import PUNKS, Mob, all_hurt
from rulewright.systems.ore.harm.body import AnyBody, Hurt, Located, damage, fresh, hurt, marked, shrugs, wounded
from rulewright.systems.ore.harm.events import AreaRolled, Suffered
from rulewright.systems.ore.harm.locations import Location, at_height
from rulewright.systems.ore.harm.over_time import burns
from rulewright.systems.ore.resolution.outcomes import sides

Form = Literal["shock", "kill"]
MOST_AREA = 20


def _dice(rules: Ruleset, rating: int, by: str, rule_id: str, width: int = 0) -> Play[tuple[int, ...]]:
    """Rolls the dice of an area one by one: its rating, and the Width of a set."""
    number = rating + width
    if not 0 <= number <= MOST_AREA:
        raise UserError(f"an area has 0 to {MOST_AREA} dice, not {number}")
    if not number:
        return ()
    faces = tuple((yield from Together(tuple([Roll(Sum((sides(rules),)), by, "area damage") for _ in range(number)]))))
    yield Tell(AreaRolled(by, faces, rule_id, width))
    return faces


# --- areas --------------------------------------------------------------------------------------------------------------------


@rule("ore-4.12-area")
def in_area(
    rules: Ruleset, body: AnyBody | None = None, rating: int = 3, form: Form = "shock", width: int = 0, height: int = 0, by: str = ""
) -> Play[AnyBody]:
    """A round inside an Area of Effect: dice equal to its rating, each deals a point to the location of its face. Armour does not help;
    the attacker's set (`width`, `height`) does not matter. It counts as one attack, so it causes at most one Wound (ruling)."""
    target = fresh(rules) if body is None else body
    if not isinstance(target, Located):
        raise UserError("this body has no hit locations; the campaign uses another damage system")
    struck = Counter([at_height(rules, face) for face in (yield from _dice(rules, rating, by, "ore-4.12-area"))])
    taken: dict[Location, tuple[int, int]] = {}
    for location, points in struck.items():
        target, shock, kill = yield from shrugs(target, *_points(form, points), by)
        yield Tell(_area_told(by, form, shock + kill, location))
        target, taken[location] = marked(rules, target, location, shock, kill), (shock, kill)
    if not taken:
        return target
    worst = max(taken, key=lambda location: sum(taken[location]))
    return wounded(rules, target, worst, *taken[worst])


@rule("ore-4.12-area")
def mooks_in_area(rules: Ruleset, mooks: Mob = PUNKS, rating: int = 3, width: int = 0, height: int = 0) -> Play[Mob]:
    """A round of mooks inside an Area of Effect: every die hits each of them, so no roll is needed (ruling)."""
    if not 0 <= rating <= MOST_AREA:
        raise UserError(f"an area has 0 to {MOST_AREA} dice, not {rating}")
    yield from ()
    return all_hurt(rules, mooks, rating)


@rule("ore-4.12-opt25-area-no-location")
@instead_of(mooks_in_area, "damage-system", "vital", "abstract")
def mooks_in_area_at_once(rules: Ruleset, mooks: Mob = PUNKS, rating: int = 3, width: int = 0, height: int = 0) -> Play[Mob]:
    """Without locations one roll counts for all (ruling): each die below the attacker's Height takes a point from everybody."""
    return all_hurt(rules, mooks, (yield from area_damage(rules, rating, width, height, mooks.name)))


def _area_told(by: str, form: Form, points: int, location: Location | None = None) -> Suffered:
    """The log entry of area damage."""
    what = "is hurt by the area" if points else "is in the area"
    return Suffered(by, what, "Area Dice", points, form.capitalize(), location, "ore-4.12-area")


def _points(form: Form, points: int) -> tuple[int, int]:
    """Shock and Kill."""
    return (points, 0) if form == "shock" else (0, points)


@rule("ore-4.12-opt25-area-no-location")
def area_damage(rules: Ruleset, rating: int = 4, width: int = 3, height: int = 6, by: str = "") -> Play[int]:
    """Without locations: roll the rating plus the attacker's Width; each die below the attacker's Height is a point. Without a set the
    rating alone is rolled against the setting area-without-a-set (stand-in)."""
    against = height if width else rules.number("area-without-a-set")
    faces = yield from _dice(rules, rating, by, "ore-4.12-opt25-area-no-location", width)
    return sum([face < against for face in faces])


@rule("ore-4.12-opt25-area-no-location")
@instead_of(in_area, "damage-system", "vital", "abstract")
def in_area_at_once(
    rules: Ruleset, body: AnyBody | None = None, rating: int = 3, form: Form = "shock", width: int = 0, height: int = 0, by: str = ""
) -> Play[AnyBody]:
    """Without locations the damage is taken at once; armour does not help (ruling)."""
    points = yield from area_damage(rules, rating, width, height, by)
    target, shock, kill = yield from shrugs(fresh(rules) if body is None else body, *_points(form, points), by)
    yield Tell(_area_told(by, form, shock + kill))
    return (yield from damage(rules, target, "torso", shock, kill, by))


# --- what lasts ---------------------------------------------------------------------------------------------------------------


@rule("ore-4.13-opt26-continuous-no-location")
@instead_of(burns, "damage-system", "vital", "abstract")
def burns_at_once(rules: Ruleset, body: AnyBody, by: str = "") -> Play[AnyBody]:
    """Without locations continuous damage deals the Width of its attack in Shock every round until remedied; with Downs and Outs it is
    compared with Body each time."""
    for width in body.burning:
        body, shock, _ = yield from shrugs(body, width, by=by)
        yield Tell(Suffered(by, "burns", "Width of the fire", shock, rule="ore-4.13-opt26-continuous-no-location"))
        body = yield from damage(rules, body, "torso", shock, 0, by)
    return body


# --- falls and collisions -----------------------------------------------------------------------------------------------------


class ImpactRow(TableRow, frozen=True):
    """Damage of an impact by fall in metres and speed in kilometres per hour."""

    damage: int
    speed: int
    fall: int | None = None


IMPACTS = Table("ore-4.14-impact", ImpactRow)


@rule("ore-4.14-impact")
def impact_damage(rules: Ruleset, metres: int = 0, speed: int = 0) -> int:
    """The damage of a fall or collision, the worse of the two. The highest row whose speed is reached counts (ruling); 72 metres is
    terminal velocity."""
    if metres < 0 or speed < 0:
        raise UserError("a fall and a speed cannot be negative")
    rows = list(IMPACTS(rules).values())
    struck = max([row.damage for row in rows if speed >= row.speed], default=0)
    if not metres:
        return struck
    falls = [row.damage for row in rows if row.fall is not None and metres <= row.fall]
    terminal = max([row.damage for row in rows if row.fall is not None], default=0) + 1
    return max(struck, min(falls, default=terminal))


@rule("ore-4.14-impact")
def impact(
    rules: Ruleset,
    body: AnyBody | None = None,
    metres: int = 0,
    speed: int = 0,
    surface: Literal["soft", "hard"] = "hard",
    by: str = "",
    resistance: int = 0,
) -> Play[AnyBody]:
    """A fall or collision hurts every location and ignores armour: Shock on a soft surface, Kill on a hard one. Only natural resistance
    to impacts (`resistance`) helps. Without locations the figure counts once (ruling). It causes at most one Wound, in the torso
    (ruling). By id only."""
    points = max(0, impact_damage(rules, metres, speed) - resistance)
    shock, kill = _points("shock" if surface == "soft" else "kill", points)
    target: AnyBody = fresh(rules) if body is None else body
    if not points:
        return target
    if not isinstance(target, Located):
        return (yield from hurt(rules, target, "torso", shock, kill, by))
    for part in target.parts:
        target, less, fewer = yield from shrugs(target, shock, kill, by)
        after: AnyBody = marked(rules, target, part.location, less, fewer)
        if part.location == "torso":
            after = wounded(rules, after, "torso", less, fewer)
        yield Tell(Hurt(by, part.location, fewer, less, target, after))
        assert isinstance(after, Located)
        target = after
    return target
