"""An attack before its test, and shields: what parries take off, and what shields add to Armor (book lines
9496-9514)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, limited, rounded_down, term, times, total
from rulewright.systems.silhouette.breakage.damage import Nature, Severity, armor_met, damage_of
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.gunnery.arcs import in_arc
from rulewright.systems.silhouette.gunnery.scales import SAME, Scaled, at_scale
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit, mounts

_PERKS = "sil-f-system-perks"


class Shot(Struct, frozen=True, gc=False, kw_only=True):
    """An attack before its test: attacker, target, system, distance and side of the target."""

    attacker: str
    target: str
    arm: int
    """The index of the attacker's system; -1 for an attack without one."""
    weapon: str
    distance: int
    band: str
    side: str
    hidden: int = 0
    """Obscurement."""
    skill: str = "gunnery"
    damage: Figure = 1
    nature: Nature = Nature()
    location: str = ""
    """The location of a called shot, or the only one that the weapon hits."""
    fewer: int = 0
    """Dice less on the attack, as for a called shot."""
    mods: tuple[Mod, ...] = ()
    """Further modifiers of the attack."""
    interrupts: bool = False
    """Whether the target is moving."""
    where: str = ""
    """Text for the log: where the target was hit."""
    rate: int = 0
    """The rate of fire used."""
    tiny: str = ""
    """Something tiny that a called shot is aimed at: a searchlight."""
    direct: bool = True
    """Whether it flies straight; otherwise it comes from above."""
    own: int = 0
    """The skill of a smart system that fires by itself; 0: the crew fires."""
    taken: Figure = 0
    """Points of damage that a parry takes off."""
    guard: str = ""
    """The owner of the system that parried it; empty: none."""
    guard_arm: int = -1
    manner: str = ""
    """Its manner of use if there are several: spread, to hold, left as a charge."""
    below: bool = False
    """Whether it hits from below, as mines do."""
    scaled: Scaled = SAME
    """The scales that it crosses, and the damage factor."""


# --- energy shields --------------------------------------------------------------------------------------------------------------


def shield_up(unit: Unit, arm: int) -> bool:
    """Whether an energy shield is switched on. One that lets its own fire out is on from the start, others are off (ruling)."""
    perk = unit.version(arm).perk("energy shield")
    return perk is not None and not unit.arms[arm].broken and (perk[2] == "open") != unit.arms[arm].switched


def veiled(unit: Unit) -> bool:
    """Whether an energy shield blocks a unit's own systems."""
    shields = [unit.version(arm).perk("energy shield") for arm in _energy_shields(unit.machine) if shield_up(unit, arm)]
    return any(perk is not None and perk[2] != "open" for perk in shields)


@cached(1024)
def _energy_shields(machine: Machine) -> tuple[int, ...]:
    """The indices of a machine's energy shields."""
    return tuple([at for at, (_, system) in enumerate(mounts(machine)) if system.versions[0].perk("energy shield") is not None])


# --- Armor and parries -----------------------------------------------------------------------------------------------------------


def dealt_by(margin: int, shot: Shot) -> Derived[Figure]:
    """The damage of a hit, less what a parry takes off."""
    plain = at_scale(damage_of(margin, shot.damage), shot.scaled)
    if not shot.taken:
        return plain
    return limited("damage", term("damage", plain), less("parried", shot.taken, rule=_PERKS), limit=at_least(0), rule=_PERKS)


def armor_here(battle: Battle, target: Unit, shot: Shot) -> Derived[Figure]:
    """Armor against an attack, with a solid shield that does not parry it."""
    return armor_with(target, shot, _shield_terms(battle, target, shot) if solid(target.machine) and not shot.below else [])


def armor_with(target: Unit, shot: Shot, shields: list[Reason]) -> Derived[Figure]:
    """Armor against an attack: by side, location and kind, with shields; doubled against a liquid."""
    armor, more = armor_met(target.machine, target.wear, shot.side, shot.location, shot.nature.heat, shot.below), shields
    if shot.nature.liquid:
        more.append(times("a liquid", 2, rule=_PERKS))
    return total("Armor", term("Armor", armor), *more, rule=_PERKS) if more else armor


def _shield_terms(battle: Battle, target: Unit, shot: Shot) -> list[Reason]:
    """Lists what the solid shields of a unit add to its Armor against an attack: a third of the damage each, in the arc."""
    source = battle.unit(shot.attacker).spot
    reasons = []
    for arm in solid(target.machine):
        idle = not target.arms[arm].broken and not (shot.guard == target.name and shot.guard_arm == arm)
        if idle and in_arc(battle.field, target.spot, target.facing, target.mount(arm), target=source, frozen=target.arms[arm].frozen):
            reasons.append(term(target.arm_name(arm), shield_armor(target.version(arm).damage), rule=_PERKS))
    return reasons


@rule(_PERKS)
def shield_armor(damage: Figure) -> Derived[int]:
    """Returns what a solid shield that does not parry adds to Armor in its arc: a third of its Damage Multiplier, rounded down."""
    return total("Armor", term("Damage Multiplier", damage), divided("a third", 3), rounded_down(), rule=_PERKS)


@cached(1024)
def solid(machine: Machine) -> tuple[int, ...]:
    """The indices of a machine's solid shields."""
    return tuple([at for at, (_, system) in enumerate(mounts(machine)) if system.versions[0].perk("shield") is not None])


def guarded(battle: Battle, shot: Shot, severity: Severity) -> Play[Battle]:
    """Damage the system that parried, instead of the target: Light Damage halves it, Heavy Damage destroys it."""
    guard = battle.unit(shot.guard)
    if severity == "none":
        return battle
    arm, name = guard.arms[shot.guard_arm], guard.arm_name(shot.guard_arm)
    if severity == "heavy":
        yield from Tell(Broken(guard.name, f"{the(name)} is destroyed by the attack that it parried"))
        return battle.put(guard.with_arm(shot.guard_arm, replace(arm, broken=True)))
    left = worn_to(guard.version(shot.guard_arm).damage)
    lost = int(guard.version(shot.guard_arm).damage) - left.value
    yield from Tell(Broken(guard.name, f"{the(name)} is reduced to ×{left.value} by the attack that it parried", (left.reason,)))
    return battle.put(guard.with_arm(shot.guard_arm, replace(arm, worn=arm.worn + lost)))


@rule(_PERKS)
def worn_to(damage: Figure) -> Derived[int]:
    """The remaining Damage Multiplier of a system after Light Damage from a parried attack: half, rounded down."""
    return total("Damage Multiplier", term("Damage Multiplier", damage), divided("half", 2), rounded_down(), rule=_PERKS)
