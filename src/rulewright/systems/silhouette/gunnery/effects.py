"""Systems with other effects than damage: paint, illumination, designators, fire, snares (book lines 9437-9560)."""

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Event, Play, Scale, Verdict
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, less, rounded_up, term, total
from rulewright.systems.silhouette.breakage.damage import damage_of
from rulewright.systems.silhouette.breakage.environment import fire_on_machine
from rulewright.systems.silhouette.detection.sight import UNSEEN, tell_of
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, attack_test, defense_pool, weighed
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_PERKS = "sil-f-system-perks"
EFFECTS = ("target designator", "paint", "illumination", "incendiary", "entangle")
"""Perks with an effect instead of damage."""
MARKING = Scale(("miss", "hit"), ("hit",), "hits", "spared")


class Affected(Event, frozen=True):
    """An attack with another effect than damage."""

    by: str
    attacker: str
    target: str
    struck: str
    weapon: str
    what: str
    sums: tuple[Reason, ...] = ()
    hit: bool = False

    def headline(self) -> str:
        return f"{self.attacker} uses {the(self.weapon)} on {self.struck}{f': {self.what}' if self.hit else ' and misses'}"

    def tone(self) -> str:
        return "bad" if self.hit else "plain"

    def verdict(self) -> Verdict:
        return Verdict("hit" if self.hit else "miss", MARKING, self.by, self.target)


def effect_of(version: Version) -> str:
    """The effect of a system instead of damage; empty for a plain weapon."""
    return next((name for name in EFFECTS if version.perk(name) is not None), "")


@rule(_PERKS)
def snare_threshold(margin: int, damage: Figure, size: Figure) -> Derived[int]:
    """The Threshold to break free of a snare: the margin, plus the system's damage less the target's Size."""
    return total("Threshold", term("Margin of Success", margin), term("Damage Multiplier", damage), less("Size", size), rule=_PERKS)


@rule(_PERKS)
def day_lasts(damage: Figure) -> Derived[int]:
    """Rounds of illumination: a tenth of the damage, rounded up."""
    return total("rounds", term("Damage Multiplier", damage), divided("ten", 10), rounded_up(), rule=_PERKS)


def lasting_attack(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[Battle]:
    """Resolve an attack with such a system: the normal test, and on a hit its effect; a flash blinds if it would do Light Damage."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    exchange = yield from attack_test(
        rules, attack_pool(rules, battle, shot), defense_pool(rules, battle, shot), attacker.voice, target.voice
    )
    words, sums, hit = "", exchange.sums, exchange.margin > 0
    if hit and effect_of(version) == "illumination":
        bright = damage_of(exchange.margin, shot.damage)
        severity, against = weighed(rules, battle, target, shot, bright.value)
        sums, hit = (*sums, bright.reason, *against), severity != "none"
    if hit:
        after, words = _apply_effect(target, attacker, shot, version, exchange.margin)
        battle = battle.put(after)
    event = Affected(attacker.voice, attacker.name, target.voice, target.name, shot.weapon, words, sums, hit)
    yield from tell_of(rules, battle, event, attacker, target, attacker=UNSEEN, by="")
    return battle


def _apply_effect(target: Unit, attacker: Unit, shot: Shot, version: Version, margin: int) -> tuple[Unit, str]:
    signs, effect = target.signs, effect_of(version)
    if effect == "target designator":
        return replace(target, signs=replace(signs, tagged=(*signs.tagged, attacker.side))), "it is designated for guided weapons"
    if effect == "paint":
        return replace(target, signs=replace(signs, painted=max(signs.painted, margin))), f"Concealment -{max(signs.painted, margin)}"
    if effect == "illumination":
        return replace(target, signs=replace(signs, blinded=margin + 1)), f"it is blinded for {count(margin, 'round')}"
    if effect == "entangle":
        highest = max(1, snare_threshold(margin, shot.damage, target.machine.size).value)
        return replace(target, signs=replace(signs, held=max(signs.held, highest))), f"it is caught and must beat {highest} to break free"
    fire = fire_on_machine(
        margin, int(shot.damage), target.machine.has("fire resistant") is not None, target.machine.has("highly flammable") is not None
    )
    sticks = margin if version.perk("persistent") is not None else 1
    burning = replace(signs, burning=max(signs.burning, fire.value), sticks=max(signs.sticks, sticks))
    return replace(target, signs=burning), f"it burns at Intensity {fire.value}"
