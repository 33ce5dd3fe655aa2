"""Decoys and counter-battery sensors (book lines 9216-9224, 9246-9250)."""

from msgspec.structs import replace

from rulewright.dice.sums import Sum
from rulewright.grammar import count
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.battle.fire.interception import Answered
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.breakage.events import Tested
from rulewright.systems.silhouette.detection.active import sweep_threshold
from rulewright.systems.silhouette.detection.concealment import in_water
from rulewright.systems.silhouette.detection.jamming import jammers as systems_of
from rulewright.systems.silhouette.detection.sight import kilometres, lay, light_of, sensor_rating, sensor_reach, watched, watcher_of
from rulewright.systems.silhouette.gunnery.attacks import ANSWERS, Answer
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.trait_effects import decoy_threshold
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, succeeds
from rulewright.systems.silhouette.units.crews import looks_closely, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_DECOY, _SENSORS = "sil-d-information-warfare", "sil-d-sensors"
NOTICE = -3
SEEKERS = ("guided", "smart", "energy-homing", "seeking")
"""Weapons that follow sensor decoys and no visual ones."""
ECHO = 50


@rule(_DECOY)
def true_target(rules: Ruleset, pool: Pool, rating: int = 1, by: str = "") -> Play[Test]:
    """Test whether an attacker hits the true target among decoys: Notice at -3, with sensors and ECCM, against the rating."""
    threshold = int(decoy_threshold(rating).value)
    return (yield from action_test(rules, pool.plus(Mod("false images", NOTICE, _DECOY)), threshold, by, "finding the true target"))


def fooled(rules: Ruleset, battle: Battle, shot: Shot, attack: int) -> Play[Answer]:
    """Check whether a hit struck a decoy; visual decoys do not deceive sensors, and sensor decoys do not deceive eyes."""
    target, attacker = battle.unit(shot.target), battle.unit(shot.attacker)
    decoy = target.machine.has("decoy system")
    if decoy is None or not decoy.rating or not target.has("decoy system") or shot.attacker == shot.target or shot.distance == 0:
        return battle, shot
    version = attacker.version(shot.arm) if shot.arm >= 0 else None
    by_itself = version is not None and any(version.perk(name) is not None for name in SEEKERS)
    if decoy.variant == "visual" and (by_itself or target.name in attacker.signs.found):
        return battle, shot
    if decoy.variant == "sensor" and not by_itself and target.name not in attacker.signs.found:
        return battle, shot
    own = sensor_rating(attacker) or 0
    eccm = max([rate for rate, _ in systems_of(attacker.machine, "eccm")], default=0)
    pool = looks_closely(rules, attacker, Mod("sensors", own, _DECOY), Mod("ECCM", eccm, _DECOY))
    rating = decoy.rating + (target.auxiliary("decoy system") or 0)
    test = yield from sub(true_target, rules, pool, max(0, rating), attacker.voice)
    true = succeeds(rules, test)
    words = f"is identified among {count(rating, 'decoy')}" if true else "was a decoy"
    name = "comes through" if true else "stopped"
    yield from Tell(Answered(target.name, words, test.sum("Notice", _DECOY), name, target.voice, attacker.voice))
    return battle, shot if true else None


ANSWERS.insert(0, fooled)


# --- counter-battery ----------------------------------------------------------------------------------------------------------------------


@rule(_SENSORS)
def echo_off(dice: int) -> Derived[int]:
    """Metres by which fire at a phantom echo deviates: three dice times fifty."""
    return total("metres off", term("three dice", dice), times("metres", ECHO), rule=_SENSORS)


def hears_battery(rules: Ruleset, battle: Battle, gun: Unit, spot: tuple[float, float]) -> Play[Battle]:
    """After indirect fire: enemies with counter-battery sensors within half their range of the impact may locate the gun."""
    for unit in battle.units:
        own = unit.machine.has("counter-battery")
        if own is None or unit.side == gun.side or not unit.able or sensor_rating(unit) is None or gun.name in unit.signs.found:
            continue
        if not unit.has("counter-battery") or kilometres(battle, unit.spot, spot) > sensor_reach(rules, battle, unit) / 2:
            continue
        pool = pool_of(rules, unit, "information warfare", Mod("sensors", sensor_rating(unit) or 0, _SENSORS))
        test = yield from action_test(rules, pool, _threshold(rules, battle, unit, gun), unit.voice, "counter-battery")
        located = succeeds(rules, test, 9290)
        words = (
            "mistakes an echo for the gun" if test.fumble else f"locates {gun.name} by its fire" if located else "does not locate the gun"
        )
        yield from Tell(Tested(unit.name, words, test, _SENSORS, "good" if located else "plain", known_to=names_of(battle, unit.side)))
        if located or test.fumble:  # 9290: a fumble is a phantom echo
            signs = replace(unit.signs, found=(*unit.signs.found, gun.name))
            signs = replace(signs, echoes=(*signs.echoes, gun.name)) if test.fumble else signs  # 9290
            battle = battle.change(unit.name, signs=signs)
    return battle


def _threshold(rules: Ruleset, battle: Battle, unit: Unit, gun: Unit) -> int:
    target = watched(rules, battle, gun, unit)
    ground = in_water(rules, lay(rules, battle, unit, gun), watcher_of(rules, battle, unit), target)
    return int(sweep_threshold(rules, ground, target, light_of(battle, gun)).value)


def echo_of(rules: Ruleset, battle: Battle, unit: Unit, target: Unit) -> Play[int]:
    """Hexes by which indirect fire at a phantom echo deviates; 0 if the target is no echo."""
    if not any(target.name in candidate.signs.echoes for candidate in battle.units if candidate.side == unit.side):
        return 0
    dice = yield from Roll(Sum((6, 6, 6)), unit.voice, "deviation of the echo")
    return round(int(echo_off(dice).value) / battle.cell)
