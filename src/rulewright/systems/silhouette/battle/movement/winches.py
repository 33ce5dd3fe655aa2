"""Winches and gravity beams: a target is caught and dragged, or drags the machine that caught it (book lines 9482-9486,
9541-9545)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count, the
from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, term, times, total
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, used
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes, witnesses
from rulewright.systems.silhouette.detection.sight import UNSEEN, tell_of
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, attack_test, defense_pool, shot
from rulewright.systems.silhouette.gunnery.effects import Affected, snare_threshold
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_PERKS = "sil-f-system-perks"
PUSH = "push"


@rule(_PERKS)
def dragged(size: Figure, rating: Figure) -> Derived[int]:
    """Metres a round that a winch drags: ten times the smaller Size divided by the larger, rounded down; negative if the winch is drawn
    to the larger target."""
    if size <= rating:
        return total(
            "metres a round", term("Size of the target", size), divided("winch", rating), times("metres", 10), rounded_down(), rule=_PERKS
        )
    return total(
        "metres a round", term("winch", rating), divided("Size of the target", size), times("metres", 10), rounded_down(), rule=_PERKS
    )


def hauls(version: Version) -> tuple[str, ...]:
    """Lists what a system can do with a caught target: pull it, push it."""
    if version.perk("winch") is not None:
        return ("pull",)
    own = version.perk("gravitic")
    return () if own is None else ("pull", PUSH) if own[2] == "double" else ("pull",)


class Haul(Action):
    """Catches a target with a winch or by gravity; it is dragged every round until it breaks free."""

    kind = "haul"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for arm in distinct(unit):
            for way in hauls(unit.version(arm)):
                for foe in known_foes(rules, battle, unit):
                    if foe.signs.hauled is None and shot(rules, battle, unit, foe, arm) is not None:
                        name = unit.arm_name(arm)
                        label = f"{way.capitalize()} {foe.name} with {the(name)}"
                        deed = Deed(kind=self.kind, arm=arm, target=foe.name, what=way)
                        yield Option(f"{way} {name}:{foe.name}", label, deed, verb="special", target=foe.name, manner=(name, way))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit, foe = battle.unit(unit.name), battle.unit(deed.target)
        made = shot(rules, battle, unit, foe, deed.arm)
        battle = battle.put(used(unit, deed.arm, self.costs(rules)))
        if made is None:
            return battle
        exchange = yield from attack_test(rules, attack_pool(rules, battle, made), defense_pool(rules, battle, made), unit.voice, foe.voice)
        words = ""
        if exchange.margin > 0:
            hold = max(1, snare_threshold(exchange.margin, made.damage, foe.machine.size).value)
            signs = replace(
                foe.signs, held=max(foe.signs.held, hold), hauled=(unit.name, -deed.arm - 1 if deed.what == PUSH else deed.arm, 0)
            )
            battle = battle.change(foe.name, signs=signs)
            words = f"the target is caught and must beat {hold} to break free"
        event = Affected(unit.voice, unit.name, foe.voice, foe.name, made.weapon, words, exchange.sums, exchange.margin > 0)
        yield from tell_of(rules, battle, event, unit, foe, attacker=UNSEEN, by="")
        return battle


def haul_on(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Drag caught units at the end of a round; they move whole hexes as the metres add up."""
    for unit in battle.units:
        if unit.signs.hauled is None:
            continue
        by, arm, so_far = unit.signs.hauled
        winch = battle.unit(by)
        if not unit.signs.held or not winch.able or unit.destroyed or unit.gone:
            battle = battle.change(unit.name, signs=replace(unit.signs, hauled=None))
            continue
        push = arm < 0
        system = winch.version(-arm - 1 if push else arm)
        metres = dragged(unit.machine.size, system.damage)
        far = so_far + metres.value
        steps = int(far // battle.cell) if battle.hexes else 0
        heavier = unit.machine.size > system.damage
        goes, towards = (winch, unit) if heavier else (unit, winch)
        battle = battle.change(unit.name, signs=replace(unit.signs, hauled=(by, arm, far - steps * battle.cell)))
        words = f"is {'pushed' if push else 'dragged'} {count(metres.value, 'metre')} by {winch.name}'s {system.name}"
        if heavier:
            words = f"is too heavy for the {system.name}: {winch.name} is drawn {count(metres.value, 'metre')} towards it"
        yield from Tell(Announced(unit.name, words, (metres.reason,), known_to=witnesses(rules, battle, unit)))
        battle = yield from _move_towards(battle, goes.name, towards, steps, push)
    return battle


def _move_towards(battle: Battle, name: str, towards: Unit, steps: int, push: bool) -> Play[Battle]:
    for _ in range(steps):
        unit = battle.unit(name)
        here = (int(unit.x), int(unit.y))
        if unit.spot == towards.spot:
            break
        side = hexes.towards(here, (int(towards.x), int(towards.y)))
        x, y = hexes.neighbour(here, (side + 3) % 6 if push else side)
        after = replace(unit, x=float(x), y=float(y))
        if not battle.field.on_map((x, y)) or not holds(battle, after, after.spot):
            break
        battle = battle.put(after)
        yield from Tell(Stands(battle))
    return battle
