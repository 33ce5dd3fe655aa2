"""Attacks with a machine's systems: a single system, a link of several, and switching ammunition."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Option, Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.agents import agent_of
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.fire.modes import discharge, in_manner
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.gunnery.attacks import attack, blocked, pointed, shot
from rulewright.systems.silhouette.gunnery.effects import effect_of
from rulewright.systems.silhouette.gunnery.lines import line_of
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.machine import Link, Version
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit, mounts
from rulewright.systems.silhouette.units.wear import Arm


@cached(1024)
def distinct(unit: Unit) -> tuple[int, ...]:
    """The indices of a unit's usable systems; of identical ones only the first."""
    seen: set[tuple[str, Arm]] = set()
    numbers = []
    for at, arm in enumerate(unit.arms):
        alike = (unit.mount(at).name, arm)
        if alike not in seen and not blocked(unit, at):
            seen.add(alike)
            numbers.append(at)
    return tuple(numbers)


def harmless(unit: Unit, arm: int) -> bool:
    """Whether a system does no damage by itself: smoke, light, paint and the like."""
    return _is_harmless(unit.version(arm))


HARMLESS = (
    "smoke",
    "hot smoke",
    "aerosol",
    "illumination",
    "paint",
    "fire-fighting",
    "target designator",
    "winch",
    "biological",
    "chemical",
    "minebuster",
)


@cached(1024)
def _is_harmless(version: Version) -> bool:
    if version.perk("anti-missile") is not None and version.damage <= 1:
        return True
    return any(version.perk(name) is not None for name in HARMLESS)


def used(unit: Unit, arm: int, actions: int = 1, uses: int = 1) -> Unit:
    """A unit after using a system: actions and counted ammunition are spent."""
    state, version = unit.arms[arm], unit.version(arm)
    left = state.left
    if version.uses:
        left = (*left[: state.mode], max(0, left[state.mode] - uses), *left[state.mode + 1 :])
    charged = tuple([pair for pair in unit.signs.charged if pair[0] != arm])
    signs = replace(unit.signs, charged=charged) if charged != unit.signs.charged else unit.signs
    return replace(unit.with_arm(arm, replace(state, left=left, fired=state.fired + 1)), used=unit.used + actions, signs=signs)


class Fire(Action):
    """Fires one system at one target."""

    kind = "fire"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        arms = weapons(unit) if actions_left(rules, unit) >= self.costs(rules) else ()
        smart = _smart_systems(unit)
        if arms or smart:
            for foe in known_foes(rules, battle, unit):
                yield from self.at(rules, battle, unit, foe, arms, False, smart)

    def against(self, rules: Ruleset, battle: Battle, unit: Unit, target: Unit) -> Iterator[Option[Deed]]:
        arms = weapons(unit) if actions_left(rules, unit) >= self.costs(rules) else ()
        yield from self.at(rules, battle, unit, target, arms, True, _smart_systems(unit))

    def at(
        self,
        rules: Ruleset,
        battle: Battle,
        unit: Unit,
        target: Unit,
        arms: tuple[int, ...],
        interrupts: bool,
        smart: tuple[tuple[int, int], ...] = (),
    ) -> Iterator[Option[Deed]]:
        """Lists the shots at one target, by the crew or by smart systems: in sight, in range, in the arc, and with an effect."""
        if not (arms or smart) or unit.signs.hull_down > 1:
            return
        line = line_of(rules, battle, unit, target)
        for arm, level in (*[(arm, 0) for arm in arms], *smart):
            band = line.aim(arm, unit.version(arm), unit.arms[arm].frozen)
            if band:
                if line.hidden() is None:  # asked last, since it takes longest
                    return
                yield _option(unit, target, arm, line.far, band=band, interrupts=interrupts, level=level)

    def may_interrupt(self, rules: Ruleset, unit: Unit) -> bool:
        """Whether it has an action left, or a smart system."""
        return actions_left(rules, unit) >= self.costs(rules) or bool(_smart_systems(unit))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        return (yield from fire(rules, battle, unit.name, deed, self.costs(rules)))


@cached(1024)
def weapons(unit: Unit) -> tuple[int, ...]:
    """The indices of the systems that can be fired and have an effect; of identical ones only the first."""
    return tuple([arm for arm in distinct(unit) if not harmless(unit, arm) or effect_of(unit.version(arm)) or agent_of(unit.version(arm))])


def _smart_systems(unit: Unit) -> tuple[tuple[int, int], ...]:
    """The smart systems that can still fire by themselves this round, each with its own skill. Each does so once a round."""
    if unit.evading or not unit.able:
        return ()
    pairs = [(arm, unit.version(arm).perk("smart")) for arm in weapons(unit) if not unit.arms[arm].fired]
    return tuple([(arm, perk[1]) for arm, perk in pairs if perk is not None])


def _option(unit: Unit, target: Unit, arm: int, far: int, *, band: str, interrupts: bool, level: int = 0) -> Option[Deed]:
    name = unit.arm_name(arm)
    itself = " by itself" if level else ""
    label = f"Fire {the(name)}{itself} at {target.name} ({'same hex' if far == 0 else count(far, 'hex')}, {band})"
    deed = Deed(kind="fire", target=target.name, arm=arm, what="interrupt" if interrupts else "", number=level)
    return Option(f"fire {name}{itself}:{target.name}", label, deed, verb="attack", target=target.name, manner=(f"{name}{itself}",))


def fire(rules: Ruleset, battle: Battle, name: str, deed: Deed, actions: int = 1) -> Play[Battle]:
    """Fire a system: spend the action and the ammunition, then make the attack."""
    unit, target = battle.unit(name), battle.unit(deed.target)
    result = shot(rules, battle, unit, target, deed.arm, interrupts=deed.what == "interrupt")
    actions = 0 if deed.number else actions  # a smart system has an action of its own
    if result is None:
        return battle.put(used(unit, deed.arm, actions))
    result = replace(result, own=deed.number)
    result, shots = yield from in_manner(rules, battle, unit, result)
    battle = battle.put(used(battle.unit(name), deed.arm, actions, shots))
    battle = battle.put(pointed(battle, battle.unit(name), deed.arm, target.spot))
    return (yield from discharge(rules, battle, result))


class FireLink(Action):
    """Fires linked systems with one action. Each is rolled separately; after the first miss all others miss too."""

    kind = "link"
    activity = "use one linked set of systems"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for link in unit.machine.links:
            for foe in known_foes(rules, battle, unit):
                if len(_linked_shots(rules, battle, unit, foe, link)) > 1:
                    label = f"Fire the linked {link.name} at {foe.name}"
                    deed = Deed(kind=self.kind, target=foe.name, what=link.name)
                    yield Option(f"link {link.name}:{foe.name}", label, deed, verb="attack", target=foe.name, manner=(f"link {link.name}",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit = battle.unit(unit.name)
        link = next(item for item in unit.machine.links if item.name == deed.what)
        shots = _linked_shots(rules, battle, unit, battle.unit(deed.target), link)
        battle = battle.change(unit.name, used=unit.used + self.costs(rules))
        missed = False
        for candidate in shots:
            battle = battle.put(used(battle.unit(unit.name), candidate.arm, 0))
            if missed or not battle.unit(deed.target).able:
                continue
            before = battle.unit(deed.target)
            battle = yield from attack(rules, battle, candidate)
            missed = battle.unit(deed.target) == before
        return battle


def _linked_shots(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, link: Link) -> list[Shot]:
    """The attacks of a link, at its worst Accuracy."""
    shots = []
    for at, (_, system) in enumerate(mounts(unit.machine)):
        if system.name in link.systems and (result := shot(rules, battle, unit, foe, at)) is not None:
            worse = link.accuracy - unit.version(at).accuracy
            mods = tuple([replace(mod, value=mod.value + worse) if mod.label == "Accuracy" else mod for mod in result.mods])
            shots.append(replace(result, mods=mods))
    return shots


class SwitchMode(Action):
    """Switches a system to other ammunition or another mode."""

    kind = "switch"
    activity = "switch weapon mode or ammunition feed"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for at, arm in enumerate(unit.arms):
            for mode, version in enumerate(unit.mount(at).versions):
                if mode != arm.mode and not arm.broken and (not version.uses or arm.left[mode]):
                    mode_name = "its standard mode" if version.name == unit.mount(at).name else version.name
                    label = f"Switch {the(unit.arm_name(at))} to {mode_name}"
                    deed = Deed(kind=self.kind, arm=at, number=mode)
                    yield Option(f"switch {unit.arm_name(at)} to {version.name}", label, deed, verb="gear", target=unit.arm_name(at))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        after = replace(unit.with_arm(deed.arm, replace(unit.arms[deed.arm], mode=deed.number)), used=unit.used + self.costs(rules))
        yield from Tell(Announced(unit.name, f"switches {the(unit.arm_name(deed.arm))} to {after.version(deed.arm).name}"))
        return battle.put(after)
