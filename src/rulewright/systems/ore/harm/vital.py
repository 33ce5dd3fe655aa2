"""The Vital damage system: Kill, Vital and Shock Boxes (book lines 4349-4394)."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.harm.body import AnyBody, Hindrance, Vital, damage, fresh, shock_to, system_hindrance, wounded
from rulewright.systems.ore.harm.locations import Location


class ShockRow(TableRow, frozen=True):
    """Penalties of lost Shock Boxes: Height and dice, as negative numbers."""

    lost: int
    height: int
    dice: int


SHOCK_BOXES = Table("ore-4.07-opt06-vital", ShockRow)


@rule("ore-4.07-opt06-vital")
@instead_of(fresh, "damage-system", "vital")
def fresh_vital(rules: Ruleset, statistic: int = 2, size: int = 0) -> AnyBody:
    """Five Vital Boxes at normal size (setting vital-boxes; `size` is a difference), as many Shock Boxes, and a Kill Box per point of
    Body."""
    return Vital(statistic=statistic, vital_boxes=max(1, rules.number("vital-boxes") + size))


@rule("ore-4.07-opt06-vital")
@instead_of(damage, "damage-system", "vital")
def vital_damage(
    rules: Ruleset, body: AnyBody | None = None, location: Location = "torso", shock: int = 0, kill: int = 0, by: str = "", slash: int = 0
) -> Play[AnyBody]:
    """Kill takes Kill Boxes, then Vital Boxes. Every Body points of Shock cost a Shock Box; after the last each point takes a Vital Box
    (ruling)."""
    yield from ()
    return wounded(rules, _hurt(_vital(fresh(rules) if body is None else body), shock, kill), location, shock, kill, slash)


def _vital(body: AnyBody) -> Vital:
    if not isinstance(body, Vital):
        raise UserError("this body has no Vital Boxes; the campaign uses another damage system")
    return body


def _hurt(body: Vital, shock: int, kill: int) -> Vital:
    if min(shock, kill) < 0:
        raise UserError("damage cannot be negative")
    counted = min(shock, max(0, (body.statistic + body.steadier) * body.vital_boxes - body.shock))
    stopped = min(kill, body.kill_boxes - body.kill_lost)
    lost = min(body.vital_boxes, body.vital_lost + shock - counted + kill - stopped)
    return replace(body, shock=body.shock + counted, kill_lost=body.kill_lost + stopped, vital_lost=lost)


@instead_of(shock_to, "damage-system", "vital")
def shock_to_vital(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 1) -> AnyBody:
    """Adds Shock."""
    return _hurt(_vital(body), shock, 0)


@rule("ore-4.07-opt06-vital")
@instead_of(system_hindrance, "damage-system", "vital")
def vital_hindrance(rules: Ruleset, body: AnyBody) -> Hindrance:
    """A die per lost Vital Box, plus the table for Shock Boxes; beyond it odd boxes take a point of Height and even ones a die (ruling)."""
    hurt = _vital(body)
    height, dice = shock_penalty(rules, hurt.shock_lost)
    return Hindrance(hurt.vital_lost + dice, height)


@rule("ore-4.07-opt06-vital")
def shock_penalty(rules: Ruleset, lost: int = 2) -> tuple[int, int]:
    """Height and dice lost to Shock Boxes, as positive numbers."""
    rows = SHOCK_BOXES(rules)
    if lost <= 0:
        return 0, 0
    if str(lost) in rows:
        return -rows[str(lost)].height, -rows[str(lost)].dice
    return (lost + 1) // 2, lost // 2
