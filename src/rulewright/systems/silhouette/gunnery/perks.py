"""Perks and Flaws of systems in an attack: damage, modifiers, malfunctions (book lines 9437-9625)."""

from collections.abc import Iterator

from msgspec import Struct

from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, term, total
from rulewright.systems.silhouette.detection.night import blind_at_night
from rulewright.systems.silhouette.detection.sight import is_lit, sensor_rating
from rulewright.systems.silhouette.gunnery.attacks import ATTACK_MODS
from rulewright.systems.silhouette.gunnery.modifiers import BANDS
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.resolution.tests import DIE, Mod
from rulewright.systems.silhouette.units.state import Battle, Surroundings
from rulewright.systems.silhouette.units.units import Unit

_PERKS, _FLAWS = "sil-f-system-perks", "sil-g-system-flaws"
GUIDED = 2
HOMING = 2
STICKS = -1
BERSERK = 1
DEFENSIVE = -2
HOT = 2
MILDER = 5


@rule(_FLAWS)
def damage_at(version: Version, band: str) -> Derived[Figure]:
    """The Damage Multiplier of a system at a range: attenuating damage loses its level with every band beyond short; a defensive
    weapon does half, rounded down."""
    terms = [term("Damage Multiplier", version.damage)]
    flaw = version.flaw("attenuating damage")
    beyond = max(0, BANDS.index(band) - 1) if band in BANDS else 0
    if flaw is not None and beyond:
        terms += [less("attenuating damage", flaw[1] * beyond, rule=_FLAWS), at_least(0)]
    if version.flaw("defensive") is not None:
        terms += [divided("defensive weapon", 2, rule=_FLAWS), rounded_down()]
    return total("Damage Multiplier", *terms, rule=_FLAWS)


def perk_mods(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, version: Version) -> Iterator[Mod]:
    """The modifiers of Perks, Flaws and darkness to an attack roll."""
    if version.flaw("defensive") is not None:
        yield Mod("defensive weapon", DEFENSIVE, _FLAWS)
    if version.perk("adhesive") is not None:
        yield Mod("must stick to the target", STICKS, _PERKS)
    if version.melee and attacker.signs.berserk:
        yield Mod("berserk", BERSERK, "sil-d-thought-interface")
    if version.perk("energy-homing") is not None and target.signs.loud:
        yield Mod("homing on its signals", HOMING, _PERKS)
    if version.perk("guided") is not None and is_tagged(attacker, target):
        yield Mod("guided to a designated target", GUIDED, _PERKS)
    if battle.place.night and isinstance(battle, Battle) and not is_lit(rules, battle, target):
        yield blind_at_night(rules, True, sensor_rating(attacker) is not None)


ATTACK_MODS.append(perk_mods)


def is_tagged(attacker: Unit, target: Unit) -> bool:
    """Whether guided weapons of a side find a target: a designator has marked it, or it has trackable emissions."""
    return attacker.side in target.signs.tagged or target.machine.has("trackable emissions") is not None


# --- malfunctions --------------------------------------------------------------------------------------------------------------------


class Worked(Struct, frozen=True):
    """The result of using an unreliable system: whether it works, its malfunction, and the die."""

    works: bool = True
    words: str = ""
    jams: bool = False
    accuracy: int = 0
    explodes: int = 0
    """The margin with which it explodes; 0: it does not."""
    hot: int = 0
    """Rounds of overheating."""
    clearing: int = 0
    """Actions to clear it."""
    shots: int = 0
    """Shots lost in clearing it."""


@rule(_FLAWS)
def flickers(rules: Ruleset, level: int, by: str = "") -> Play[bool]:
    """Test a flickering system: it works on a die of its level or more."""
    return (yield from Roll(DIE, by, "flickering power")) >= level


@rule(_FLAWS)
def unreliable(rules: Ruleset, level: int, rof: int = 0, hot: bool = False, by: str = "") -> Play[Worked]:
    """Test an unreliable system: a die plus its level and the rate used, and 2 more while it is overheated. At 2 and 3 it works and
    overheats for one round or two, at 4 to 6 it jams, at 7 it is damaged, at 8 and more it explodes.

    A jam takes an action to clear, at 5 as many as a die shows; at 6 a die of shots is lost. There is no row for a system that
    simply works: with the milder table (setting "unreliable-systems") nothing happens up to 6, and 5 is subtracted above that.
    """
    die = yield from Roll(DIE, by, "a malfunction while overheated" if hot else "a malfunction")
    number = die + level + rof + (HOT if hot else 0)
    if rules.word("unreliable-systems") == "milder":
        number = max(0, number - MILDER) if number > MILDER + 1 else 0
    if number < 2:
        return Worked()
    if number <= 3:
        return Worked(words="overheats", hot=number - 1)
    if number <= 6:
        actions = (yield from Roll(DIE, by, "actions to clear it")) if number == 5 else 1
        shots = (yield from Roll(DIE, by, "shots lost in clearing it")) if number == 6 else 0
        return Worked(False, "jams", True, clearing=actions, shots=shots)
    if number == 7:
        return Worked(False, "is damaged: Accuracy -1", accuracy=1)
    return Worked(False, "explodes", explodes=number - 5)
