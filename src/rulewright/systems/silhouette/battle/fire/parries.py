"""Parries and shields: an action and a new defense against an attack that would hit (book lines 9496-9514)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import figure, the
from rulewright.play import Choice, Option, Play, Tell, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.silhouette.battle.fire.interception import Answered
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.detection.sight import called
from rulewright.systems.silhouette.gunnery.arcs import in_arc
from rulewright.systems.silhouette.gunnery.areas import area_of
from rulewright.systems.silhouette.gunnery.attacks import ANSWERS, Answer, blocked, defense_pool
from rulewright.systems.silhouette.gunnery.perks import flickers
from rulewright.systems.silhouette.gunnery.shields import Shot, shield_up
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import rolled, sum_of
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_PERKS = "sil-f-system-perks"
BARRING = ("parry", "shield", "energy shield")


@rule(_PERKS)
def parried(damage: Figure, margin: int) -> Derived[Figure]:
    """Points of damage that a parry takes off: the system's Damage Multiplier plus the margin of the new defense."""
    return total("parried", term("Damage Multiplier", damage), term("margin of the parry", margin), rule=_PERKS)


class Barrier(Struct, frozen=True):
    """A system that may parry an attack, and its owner."""

    name: str = ""
    arm: int = -1


class Barring(Struct, frozen=True):
    """The situation of a question about a parry."""

    rules: Ruleset
    battle: Battle
    unit: str
    shot: Shot


def bars(unit: Unit, arm: int, shot: Shot, kind: str) -> bool:
    """Whether a system can parry an attack: plain systems parry close attacks, solid shields everything, energy shields their own kind
    of attack (ruling: a plain parry works only against close attacks)."""
    version = unit.version(arm)
    energy = version.perk("energy shield")
    if energy is not None:
        return shield_up(unit, arm) and energy[2] in ("all", "open", kind)
    if version.perk("shield") is not None:
        return True
    return version.perk("parry") is not None and shot.skill == "piloting"


def kind_of(battle: Battle, shot: Shot) -> str:
    """Returns what an attack consists of, for an energy shield; missiles and close attacks are matter."""
    if shot.arm < 0:
        return "matter"
    result = battle.unit(shot.attacker).version(shot.arm).type
    return "matter" if result == "missile" else result


def barriers(rules: Ruleset, battle: Battle, target: Unit, shot: Shot) -> Iterator[Option[Barrier]]:
    """Every system that could parry: the target's own, and energy shields of others whose area covers it."""
    source, kind = battle.unit(shot.attacker).spot, kind_of(battle, shot)
    for unit in (target, *battle.friends(target)):
        if actions_left(rules, unit) < 1:
            continue
        for arm in range(len(unit.arms)):
            version = unit.version(arm)
            if not any(version.perk(name) is not None for name in BARRING) or blocked(unit, arm) or not bars(unit, arm, shot, kind):
                continue
            if unit is not target:
                radius = area_of(version) if version.perk("energy shield") is not None else None
                if radius is None or distance(battle.field, unit.spot, target.spot) > radius:
                    continue
            if in_arc(battle.field, unit.spot, unit.facing, unit.mount(arm), target=source, frozen=unit.arms[arm].frozen):
                name = unit.arm_name(arm)
                whose = "" if unit is target else f" of {unit.name}"
                label = f"Parry with {the(name)}{whose} for an action (damage -{figure(version.damage)} and the margin)"
                yield Option(f"parry {name}{whose}", label, Barrier(unit.name, arm), verb="guard", manner=(f"{name}{whose}",))


def parries(rules: Ruleset, battle: Battle, shot: Shot, attack: int) -> Play[Answer]:
    """Let the target of a hit parry: a new defense against the same attack, which wins ties (line 655). The attack still hits, for less."""
    target = battle.unit(shot.target)
    if not target.able or target.signs.berserk or not _any_parrying_system(battle, target):
        return battle, shot
    options = tuple(barriers(rules, battle, target, shot))
    if not options:
        return battle, shot
    who = called(rules, battle, target.side, battle.unit(shot.attacker))
    question = f"{who[0].upper()}{who[1:]} would hit with {the(shot.weapon)}. Parry?"
    about = Barring(rules, battle, target.name, shot)
    chosen = yield from Choice(target.voice, question, (*options, Option("no", "Do not parry", Barrier())), about, "parry")
    return (battle, shot) if chosen.arm < 0 else (yield from _parry(rules, battle, shot, attack, chosen))


def _any_parrying_system(battle: Battle, target: Unit) -> bool:
    """Whether any unit has a parrying system; a quick check before the details."""
    return _has_parrying_system(target.machine) or any(
        _has_parrying_system(unit.machine) and unit.able for unit in battle.units if unit.side == target.side
    )


@cached(1024)
def _has_parrying_system(machine: Machine) -> bool:
    """Whether a machine has a parrying system."""
    return any(version.perk(name) is not None for system in machine.systems for version in system.versions for name in BARRING)


def _parry(rules: Ruleset, battle: Battle, shot: Shot, attack: int, chosen: Barrier) -> Play[Answer]:
    guard = battle.unit(chosen.name)
    version, name, state = guard.version(chosen.arm), guard.arm_name(chosen.arm), guard.arms[chosen.arm]
    battle = battle.put(replace(guard.with_arm(chosen.arm, replace(state, fired=state.fired + 1)), used=guard.used + 1))
    target = battle.unit(shot.target)
    flaw = version.flaw("flicker")
    if flaw is not None and not (yield from sub(flickers, rules, flaw[1], guard.voice)):
        yield from Tell(Broken(guard.name, f"{the(name)} has no power at the moment", mood="plain"))
        return battle, shot
    pool = defense_pool(rules, battle, shot)
    if pool is None:
        return battle, shot
    result = yield from rolled(rules, pool, target.voice, "parry")
    margin, by = result.total - attack, battle.unit(shot.attacker).voice
    sums: tuple[Reason, ...] = (sum_of("parry", pool, result, rule=_PERKS), Reason("attack", attack, "against", _PERKS))
    if margin < 0:
        yield from Tell(Answered(guard.name, f"fails to parry with {the(name)}", sums, "comes through", target.voice, by))
        return battle, shot
    off = parried(version.damage, margin)
    words = f"parries with {the(name)}: damage -{figure(off.value)}"
    yield from Tell(Answered(guard.name, words, (*sums, off.reason), "thinned out", target.voice, by))
    return battle, replace(shot, taken=shot.taken + off.value, guard=guard.name, guard_arm=chosen.arm)


ANSWERS.append(parries)


def shields_recover(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Restore a point to every energy shield that is switched off, up to its original rating."""
    for unit in battle.units:
        for arm, state in enumerate(unit.arms):
            if state.worn and not state.broken and unit.version(arm).perk("energy shield") is not None and not shield_up(unit, arm):
                yield from Tell(Broken(unit.name, f"{the(unit.arm_name(arm))} recovers a point", mood="good"))
                battle = battle.put(battle.unit(unit.name).with_arm(arm, replace(state, worn=state.worn - 1)))
    return battle
