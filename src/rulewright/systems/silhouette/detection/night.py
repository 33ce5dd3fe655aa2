"""Night: sounds, slower movement and searchlights (book lines 5208-5216, 9088-9090)."""

from typing import Literal

from rulewright.field.geometry.hexes import Bearing
from rulewright.rules import Ruleset, Table, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, row, term, total
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.machines.tables import ARC_PRICES
from rulewright.systems.silhouette.resolution.tests import Figure, Mod

_NIGHT = "sil-5.6.5-night"
NIGHT = Table(_NIGHT, Figure)


@rule(_NIGHT)
def heard_at(
    rules: Ruleset, what: Literal["vehicle", "person", "naval"] = "vehicle", stealth: int = 0, speed: Number = 0, air: bool = True
) -> Derived[Number]:
    """How far a unit is heard by night, in metres: vehicles 2,000, people 300, ships 1,000 unless slower than 2 MP; Stealth
    divides that by its rating. Without air nothing is heard."""
    if not air:
        return total("metres", row("no air to carry sound", 0), rule=_NIGHT)
    if what == "naval" and speed < NIGHT.get(rules, "quiet below").value:
        return total("metres", row("too slow to be heard", 0), rule=_NIGHT)
    terms = [term(f"a {what}", NIGHT.get(rules, f"{what} heard").value)]
    terms += [divided("Stealth", stealth)] if stealth > 1 else []
    return total("metres", *terms, rule=_NIGHT)


@rule(_NIGHT)
def blind_at_night(rules: Ruleset, night: bool, sensors: bool, night_vision: bool = False) -> Mod:
    """The modifier of darkness to fire: -1 without sensors or night vision. Such a unit also moves at half speed."""
    blind = night and not (sensors or night_vision)
    return Mod("in the dark", NIGHT.get(rules, "fire without sensors").value if blind else 0, _NIGHT)


@rule(_NIGHT)
def speed_at_night(points: Number, night: bool, sensors: bool, night_vision: bool = False) -> Derived[Number]:
    """Movement Points in the dark: half, rounded down, without sensors or night vision."""
    if night and not (sensors or night_vision):
        return total("Movement Points", term("by day", points), divided("in the dark", 2), rounded_down(), rule=_NIGHT)
    return total("Movement Points", term("by day", points), rule=_NIGHT)


def searchlight_arc(rules: Ruleset, machine: Machine) -> tuple[int, int] | None:
    """The arc of a machine's searchlight: degrees off the front and width; straight ahead unless it swivels."""
    lamp = machine.has("searchlight")
    if lamp is None:
        return None
    named = (lamp.on or "forward") if lamp.variant == "swivel" else "fixed forward"
    arc = ARC_PRICES(rules).get(named) or ARC_PRICES(rules)["forward"]
    return arc.faces, arc.degrees


@rule(_NIGHT)
def lit(bearing: Bearing, faces: int, degrees: int) -> bool:
    """Whether a target is in the beam of a searchlight, including its borders."""
    if degrees >= 360:
        return True
    off = bearing.degrees if bearing.right else -bearing.degrees
    turned = (off - faces + 180) % 360 - 180
    return abs(turned) <= degrees / 2 + 1e-9
