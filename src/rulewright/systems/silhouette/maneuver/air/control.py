"""Loss of control of an aircraft (book lines 4541-4562)."""

from typing import Literal

from msgspec import Struct

from rulewright.play import Play, Reckoned, Roll, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import less, term, total
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, a_die, steer
from rulewright.systems.silhouette.resolution.tests import DIE, Mod, Pool

_ID = "sil-5.2.2-control-loss"
SPIN = 10
"""The Piloting Threshold in a spin."""


class ControlRow(TableRow, frozen=True):
    """The effect of a control loss from a total on: actions, a slip or skid, damage to the Structure, levels, a stall, a spin."""

    low: int
    effect: str
    actions: int = 0
    sideways: Literal["", "sideslip", "skid"] = ""
    damage: Literal["", "light", "heavy"] = ""
    drop: bool = False
    stall: bool = False
    spin: bool = False


CONTROL = Table(_ID, ControlRow)


class Slip(Struct, frozen=True):
    """The effect of a control loss. `side` is -1 for left and 1 for right; a skid lasts for `hexes`."""

    total: int
    effect: str
    actions: int = 0
    sideways: Literal["", "sideslip", "skid"] = ""
    side: int = 0
    hexes: int = 0
    damage: Literal["", "light", "heavy"] = ""
    levels: int = 0
    stall: bool = False
    crash: bool = False


@rule(_ID)
def control_row(rules: Ruleset, total: int) -> ControlRow | None:
    """The row of the table for a total; None below 1 (ruling)."""
    rows = [row for row in CONTROL(rules).values() if row.low <= total]
    return max(rows, key=lambda row: row.low) if rows else None


@rule(_ID)
def lost_control(
    rules: Ruleset, failed_by: int = 1, nap_of_earth: bool = False, modifier: int = 0, pilot: Pool = PILOT, name: str = "the pilot"
) -> Play[Slip]:
    """Resolve a failed maneuver or a fumble: a die plus the Margin of Failure, two less for a nap-of-earth flyer at level 0; the
    maneuver may add a modifier. A spin crashes unless Piloting against 10 ends it."""
    face = yield from a_die(name, "losing control")
    terms = [term("die", face), term("Margin of Failure", failed_by)]
    if nap_of_earth:
        terms.append(less("nap-of-earth flyer", 2, rule="sil-d-features"))
    if modifier:
        terms.append(term("the maneuver", modifier))
    derived = total("Control loss", *terms, rule=_ID)
    result = control_row(rules, derived.value)
    effect = result.effect if result is not None else "no effect"
    yield from Tell(Reckoned(name, f"loses control: {effect}", "bad", (derived.reason,)))
    if result is None:
        return Slip(derived.value, "nothing")
    return (yield from _roll_slip(rules, result, derived.value, pilot, name))


def _roll_slip(rules: Ruleset, item: ControlRow, number: int, pilot: Pool, name: str) -> Play[Slip]:
    side, hexes, levels, crash = 0, 0, 0, False
    if item.sideways:
        side = -1 if (yield from a_die(name, "left or right")) <= 3 else 1
    if item.sideways == "skid":
        hexes = yield from a_die(name, "hexes of the skid")
    if item.drop:
        levels = yield from a_die(name, "levels lost")
    if item.spin:
        crash = not (yield from spin_ends(rules, pilot, name))
    return Slip(number, item.effect, item.actions, item.sideways, side, hexes, item.damage, levels, item.stall, crash)


@rule(_ID)
def spin_ends(rules: Ruleset, pilot: Pool = PILOT, name: str = "the pilot", mods: tuple[Mod, ...] = ()) -> Play[bool]:
    """Test whether a spin ends before the crash: Piloting against 10."""
    return (yield from steer(rules, pilot, SPIN, name, what="ending the spin", rule=_ID, mods=mods)).passed


def random_heading(name: str) -> Play[int]:
    """One of the six directions, by a die."""
    return (yield from Roll(DIE, name, "the heading")) - 1
