"""Fire modes: single shots, bursts, called shots and special uses; then whether the system works and what it hits (book lines
4955-4981)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Choice, Option, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.damage.agents import agent_attack, agent_of, at_random, stunning_attack
from rulewright.systems.silhouette.battle.damage.consequences import recoils
from rulewright.systems.silhouette.battle.damage.fuses import LEFT, laid, seeks_on, waits
from rulewright.systems.silhouette.breakage.damage import PLAIN
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.breakage.systems import LOCATIONS
from rulewright.systems.silhouette.gunnery.areas import (
    SPREAD,
    area_attack,
    area_of,
    mass_destruction,
    radius_of,
    spread_damage,
    wide_attack,
)
from rulewright.systems.silhouette.gunnery.attacks import attack, miss_of, struck
from rulewright.systems.silhouette.gunnery.bursts import burst_damage, burst_shots, largest_burst
from rulewright.systems.silhouette.gunnery.effects import effect_of, lasting_attack
from rulewright.systems.silhouette.gunnery.modifiers import band_of
from rulewright.systems.silhouette.gunnery.perks import damage_at, flickers, unreliable
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.gunnery.special import SPECIAL
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.course_limits import ranges_here
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

AIM = "aim"
HARM = "to harm"
LAMP = "searchlight"
_FLAWS = "sil-g-system-flaws"


class Manner(Struct, frozen=True):
    """A way to fire: the rate used, or a called shot."""

    rate: int = 0
    aims: bool = False
    how: str = ""
    """A special use: spread, to harm instead of to hold, or left as a charge."""


def left_of(unit: Unit, arm: int) -> int | None:
    """Uses left of a system in its mode; None if unlimited."""
    return unit.arms[arm].left[unit.arms[arm].mode] if unit.version(arm).uses else None


def _rates(rules: Ruleset, unit: Unit, arm: int) -> Iterator[int]:
    """The rates of fire that a system can use, the most sensible first: all of it, unless too little is left for a second time."""
    version, left = unit.version(arm), left_of(unit, arm)
    missile = version.type == "missile"
    most = largest_burst(rules, version.rate, left, missile)
    plenty = left is None or left >= 2 * burst_shots(rules, most, missile).value
    if most and plenty:
        yield most
    yield 0
    yield from [rate for rate in range(most, 0, -1) if rate != most or not plenty]


def _rate_option(rules: Ruleset, version: Version, rate: int) -> Option[Manner]:
    if not rate:
        return Option("single", "A single shot", Manner(), verb="attack", manner=("single",))
    shots = burst_shots(rules, rate, version.type == "missile").value
    label = (
        f"{count(shots, 'missile')} at once: damage +{rate}"
        if version.type == "missile"
        else f"A burst of {count(shots, 'shot')}: damage +{rate}"
    )
    return Option(f"burst {rate}", label, Manner(rate), verb="attack", manner=(f"burst {rate}",))


def in_manner(rules: Ruleset, battle: Battle, unit: Unit, shot: Shot) -> Play[tuple[Shot, int]]:
    """Ask how a system is fired: returns the attack and the shots that it takes."""
    version = unit.version(shot.arm)
    missile = version.type == "missile"
    options = [_rate_option(rules, version, rate) for rate in _rates(rules, unit, shot.arm)]
    about = About(rules, battle, unit.name)
    question = f"How do you fire {the(unit.arm_name(shot.arm))} at {shot.target}?"
    if not shot.location and area_of(version) is None and not version.melee:
        options.append(
            Option(AIM, "Called shot at a location, with one die less", Manner(aims=True), verb="attack", manner=("called shot",))
        )
    plain = tuple(options)
    options += _other_manners(version)
    chosen = Manner()
    if len(options) > 1:
        chosen = yield from Choice(unit.voice, question, tuple(options), about, "manner")
    if chosen.aims:
        shot = yield from _called_shot(rules, battle, unit, shot, about)
        if len(plain) > 2:
            chosen = yield from Choice(unit.voice, question, plain[:-1], about, "manner")
    plain_damage = damage_at(version, shot.band).value
    at_machine = not is_person(battle.unit(shot.target))  # among people the rate adds to the margin instead
    damage = burst_damage(rules, plain_damage, chosen.rate).value if at_machine else plain_damage
    if chosen.how == SPREAD:
        damage = spread_damage(damage).value
    return replace(shot, damage=damage, rate=chosen.rate, manner=chosen.how), int(burst_shots(rules, chosen.rate, missile).value)


def _other_manners(version: Version) -> list[Option[Manner]]:
    """The special uses of some systems: a spread salvo, a snare used to harm, a charge for remote detonation."""
    options = []
    if version.perk("scatter") is not None:
        label = "Spread the salvo: half the damage, one hex wider"
        options.append(Option(SPREAD, label, Manner(how=SPREAD), verb="attack", manner=(SPREAD,)))
    if version.perk("entangle") is not None:
        options.append(Option(HARM, "Use it to harm instead of to hold", Manner(how=HARM), verb="attack", manner=(HARM,)))
    if version.perk("remote") is not None and version.flaw("time delay") is None:
        options.append(Option(LEFT, "Leave it there for remote detonation", Manner(how=LEFT), verb="special", manner=(LEFT,)))
    return options


def _called_shot(rules: Ruleset, battle: Battle, unit: Unit, shot: Shot, about: About) -> Play[Shot]:
    """Ask for a called shot's target: a location, or something tiny on the machine."""
    target = battle.unit(shot.target)
    options = [Option(f"at {name}", name.capitalize(), name, verb="attack", manner=(name,)) for name in LOCATIONS]
    if target.signs.searchlight:
        options.append(Option(f"at {LAMP}", "The searchlight, with a margin of 3", LAMP, verb="attack", manner=(LAMP,)))
    where = yield from Choice(unit.voice, f"Which location of {target.name}?", tuple(options), about, "location")
    fewer = -SPECIAL.get(rules, "dice of a called shot").value
    if where == LAMP:
        return replace(shot, location="auxiliary", tiny=LAMP, fewer=fewer, where=f" at the {LAMP}")
    return replace(shot, location=where, fewer=fewer, where=f" at {where}")


# --- firing --------------------------------------------------------------------------------------------------------------------------


def discharge(rules: Ruleset, battle: Battle, shot: Shot) -> Play[Battle]:
    """Fire a system, if it works: at one target, at everything in its area, or with a special effect."""
    unit = battle.unit(shot.attacker)
    version = unit.version(shot.arm)
    battle, works = yield from _check_function(rules, battle, shot, version)
    if not works:
        return battle
    if version.flaw("clumsy") is not None:
        signs = battle.unit(unit.name).signs
        battle = battle.change(unit.name, signs=replace(signs, clumsy=signs.clumsy + 1))
    battle = yield from recoils(rules, battle, unit.name, shot.arm)
    result = yield from _weaken_at_random(rules, battle, shot, version)
    if result is None:
        yield from miss_of(rules, battle, shot)
        return battle
    return (yield from _apply_system(rules, battle, result, version))


def _apply_system(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[Battle]:
    """Apply a working system by its Perks: at once or later, to one or several targets, as damage or another effect."""
    spot = battle.unit(shot.target).spot
    if waits(version, shot):
        return (yield from laid(rules, battle, shot, version))
    if agent_of(version):
        return (yield from agent_attack(rules, battle, shot, version))
    if version.flaw("non-lethal") is not None:
        return (yield from stunning_attack(rules, battle, shot))
    if effect_of(version) and shot.manner != HARM:
        return (yield from lasting_attack(rules, battle, shot, version))
    if version.perk("mass destruction") is not None:
        return (yield from mass_destruction(rules, battle, shot, spot))
    wide = version.perk("wide angle")
    if wide is not None:
        reach = ranges_here(rules, battle, battle.unit(shot.attacker), battle.unit(shot.target), version)
        return (yield from wide_attack(rules, battle, shot, wide[1], reach[-1] if reach else 0))
    radius = radius_of(version, shot)
    if radius is not None:
        return (yield from area_attack(rules, battle, shot, radius, spot))
    before = battle.unit(shot.target).hit_by
    battle = yield from attack(rules, battle, shot)
    seeks = version.perk("seeking")
    if seeks is not None and seeks[1] > 1 and battle.unit(shot.target).hit_by == before and battle.unit(shot.target).able:
        return seeks_on(battle, shot, seeks[1])
    return battle


def _weaken_at_random(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[Shot | None]:
    """Reduce a random system's Accuracy, damage or range this time; None if it falls short of the target."""
    flaw, unit = version.flaw("random"), battle.unit(shot.attacker)
    if flaw is None:
        return shot
    psyche = max((rider.psyche for rider in unit.able_riders), default=0)
    lost = yield from sub(at_random, rules, flaw[1], psyche, unit.voice)
    if not lost:
        return shot
    what = flaw[2] or "accuracy"
    yield from Tell(
        Broken(unit.name, f"{the(shot.weapon)} is erratic and loses {lost} {what}", (Reason(what, lost, "-", _FLAWS),), "plain")
    )
    if what == "accuracy":
        return replace(shot, mods=(*shot.mods, Mod("at random", -lost, _FLAWS)))
    if what == "damage":
        return replace(shot, damage=max(0, shot.damage - lost))
    reach = tuple([max(0, number - lost * factor) for number, factor in zip(version.ranges, (1, 2, 4, 8), strict=False)])
    short = replace(version, ranges=reach)
    band = band_of(rules, shot.distance, ranges_here(rules, battle, unit, battle.unit(shot.target), short))
    return replace(shot, band=band) if band else None


def _check_function(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[tuple[Battle, bool]]:
    unit = battle.unit(shot.attacker)
    name = unit.arm_name(shot.arm)
    flaw = version.flaw("flicker")
    if flaw is not None and not (yield from sub(flickers, rules, flaw[1], unit.voice)):
        yield from Tell(Broken(unit.name, f"{the(name)} has no power at the moment", mood="plain"))
        return battle, False
    flaw = version.flaw("unreliable")
    if flaw is None:
        return battle, True
    signs, arm = unit.signs, unit.arms[shot.arm]
    worked = yield from sub(unreliable, rules, flaw[1], shot.rate, shot.arm in dict(signs.hot), unit.voice)
    if worked.words:
        yield from Tell(Broken(unit.name, f"{the(name)} {worked.words}"))
    if worked.hot:
        cooler = [pair for pair in signs.hot if pair[0] != shot.arm]
        unit = replace(unit, signs=replace(signs, hot=(*cooler, (shot.arm, worked.hot))))
    if worked.jams:
        longer = ((shot.arm, worked.clearing, worked.shots),) if worked.clearing > 1 or worked.shots else ()
        unit = replace(unit, signs=replace(signs, jammed=(*signs.jammed, shot.arm), clearing=(*signs.clearing, *longer)))
    elif worked.accuracy:
        unit = unit.with_arm(shot.arm, replace(arm, accuracy=arm.accuracy + worked.accuracy))
    elif worked.explodes:
        unit = unit.with_arm(shot.arm, replace(arm, broken=True))
        blast = replace(
            shot, target=unit.name, side="front", damage=version.damage, nature=replace(PLAIN, inside=True), location="", where=""
        )
        return (yield from struck(rules, battle.put(unit), blast, worked.explodes)), False
    return battle.put(unit), worked.works
