"""Interception: missiles are shot down, guided weapons are spoofed (book lines 4796, 4931-4953)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Choice, Event, Option, Play, Scale, Tell, Verdict
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.detection.jamming import jammers as systems_of
from rulewright.systems.silhouette.detection.jamming import spoof, spoofed
from rulewright.systems.silhouette.detection.sight import called
from rulewright.systems.silhouette.gunnery.arcs import in_arc
from rulewright.systems.silhouette.gunnery.attacks import ANSWERS, Answer, blocked
from rulewright.systems.silhouette.gunnery.bursts import burst_damage
from rulewright.systems.silhouette.gunnery.perks import damage_at
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.gunnery.special import ShotDown, anti_missile_shots, shoot_down
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_AM, _ECM = "sil-5.4.4-anti-missile", "sil-5.3.3-ecm"
STOPPING = Scale(("comes through", "thinned out", "stopped"), ("thinned out", "stopped"), "stops it", "comes through")


class Answered(Event, frozen=True):
    """An attempt to stop an incoming attack."""

    name: str
    what: str
    sums: tuple[Reason, ...]
    came: str
    by: str
    to: str

    def headline(self) -> str:
        return f"{self.name} {self.what}"

    def tone(self) -> str:
        return "good" if self.came != "comes through" else "plain"

    def verdict(self) -> Verdict:
        return Verdict(self.came, STOPPING, self.by, self.to)


def led_astray(rules: Ruleset, battle: Battle, shot: Shot, attack: int) -> Play[Answer]:
    """Test ECM in spoofing mode, a second defense against missiles and guided weapons."""
    target = battle.unit(shot.target)
    if shot.arm < 0 or not any(jammer.by == target.name and jammer.effect == "spoof" for jammer in battle.scars.jammers):
        return battle, shot
    version = battle.unit(shot.attacker).version(shot.arm)
    if version.type != "missile" and version.perk("guided") is None:
        return battle, shot
    rating = max((rate for rate, _ in systems_of(target.machine, "ecm")), default=0)
    pool = pool_of(rules, target, "information warfare", Mod("ECM", rating, _ECM), Mod("damage", target.auxiliary("ecm") or 0, _ECM))
    test = yield from spoof(rules, pool, attack, target.voice)
    is_spoofed = spoofed(test)
    words = f"spoofs {the(shot.weapon)}" if is_spoofed else f"fails to spoof {the(shot.weapon)}"
    name = "stopped" if is_spoofed else "comes through"
    yield from Tell(Answered(target.name, words, test.sum("spoofing", _ECM), name, target.voice, battle.unit(shot.attacker).voice))
    return battle, None if is_spoofed else shot


class Incoming(Struct, frozen=True):
    """The situation of a question about anti-missile fire."""

    rules: Ruleset
    battle: Battle
    unit: str
    shot: Shot


class Gun(Struct, frozen=True):
    """A system that may fire at missiles, and the rate of fire it uses."""

    arm: int = -1
    rate: int = 0


def _guns(rules: Ruleset, battle: Battle, target: Unit, shot: Shot) -> Iterator[Option[Gun]]:
    """Every ranged system of the target that bears on the attacker; against a swarm only with a burst."""
    source = battle.unit(shot.attacker).spot
    seen: set[str] = set()
    for arm, state in enumerate(target.arms):
        version, mount = target.version(arm), target.mount(arm)
        name = mount.name
        if name in seen or version.melee or not version.ranges or blocked(target, arm):
            continue
        if not in_arc(battle.field, target.spot, target.facing, mount, target=source, frozen=state.frozen):
            continue
        left = state.left[state.mode] if version.uses else None
        for rate in range(max(0, version.rate), -1, -1):
            least = anti_missile_shots(rules, 9, rate, version.type == "missile").value
            if (shot.rate and not rate) or (left is not None and left < least):
                continue
            hard = "" if version.perk("anti-missile") is not None else ", at -6"
            label = f"Fire {the(target.arm_name(arm))} at the missiles{f' in a burst of {rate}' if rate else ''}{hard}"
            seen.add(name)
            manner = (target.arm_name(arm), f"burst of {rate}" if rate else "single shot")
            yield Option(f"am {target.arm_name(arm)} {rate}", label, Gun(arm, rate), verb="guard", manner=manner)


def shot_down(rules: Ruleset, battle: Battle, shot: Shot, attack: int) -> Play[Answer]:
    """Let the target of missiles fire at them, without an action."""
    target = battle.unit(shot.target)
    if shot.arm < 0 or battle.unit(shot.attacker).version(shot.arm).type != "missile" or not target.able:
        return battle, shot
    options = tuple(_guns(rules, battle, target, shot))
    if not options:
        return battle, shot
    asked = (*_best_first(target, options), Option("no", "Hold fire", Gun()))
    question = f"Missiles from {called(rules, battle, target.side, battle.unit(shot.attacker))} are incoming. Fire at them?"
    gun = yield from Choice(target.voice, question, asked, Incoming(rules, battle, target.name, shot), "answer")
    if gun.arm < 0:
        return battle, shot
    return (yield from _fire_at_missiles(rules, battle, target, shot, gun=gun, attack=attack))


def _best_first(target: Unit, options: tuple[Option[Gun], ...]) -> tuple[Option[Gun], ...]:
    """The options ordered: anti-missile systems first, and larger bursts first."""
    return tuple(sorted(options, key=lambda option: (target.version(option.value.arm).perk("anti-missile") is None, -option.value.rate)))


def _fire_at_missiles(rules: Ruleset, battle: Battle, target: Unit, shot: Shot, *, gun: Gun, attack: int) -> Play[Answer]:
    version, state = target.version(gun.arm), target.arms[gun.arm]
    pool = pool_of(rules, target, "gunnery", Mod("Accuracy", version.accuracy, _AM), Mod("damage to the system", -state.accuracy, _AM))
    made = version.perk("anti-missile") is not None
    down: ShotDown = yield from shoot_down(rules, pool, attack, shot.rate, gun.rate, made, version.type == "missile", target.voice)
    if version.uses:
        left = (*state.left[: state.mode], max(0, state.left[state.mode] - down.shots), *state.left[state.mode + 1 :])
        battle = battle.put(target.with_arm(gun.arm, replace(state, left=left)))
    fewer = not down.destroyed and down.rate is not None and down.rate < shot.rate
    name = "stopped" if down.destroyed else "thinned out" if fewer else "comes through"
    words = {
        "stopped": "shoots the missiles down",
        "thinned out": "shoots some of the missiles down",
        "comes through": "fails to hit the missiles",
    }[name]
    sums = (*down.test.sum("anti-missile fire", _AM), Reason("shots", down.shots, "=", _AM))
    yield from Tell(Answered(target.name, words, sums, name, target.voice, battle.unit(shot.attacker).voice))
    if down.rate is None:
        return battle, None
    if not fewer:
        return battle, shot
    own = battle.unit(shot.attacker).version(shot.arm)
    damage = burst_damage(rules, damage_at(own, shot.band).value, down.rate).value
    return battle, replace(shot, rate=down.rate, damage=damage)


ANSWERS.extend([led_astray, shot_down])
