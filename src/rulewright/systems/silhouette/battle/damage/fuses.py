"""Delayed weapons: time fuses, remote detonation, charges that stick to their target, and weapons that turn back for another try
(book lines 9439-9443, 9521-9528, 9612)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.grammar import count, the
from rulewright.play import Choice, Option, Play, Range, Scale, Tell, came_to
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.damage.zones import blow_of
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of, side_sees, witnesses
from rulewright.systems.silhouette.breakage.events import Tested
from rulewright.systems.silhouette.detection.line_of_sight import blocked
from rulewright.systems.silhouette.detection.sight import ground_between, height_of
from rulewright.systems.silhouette.gunnery.areas import area_attack, area_of
from rulewright.systems.silhouette.gunnery.attacks import attack, attack_pool, attack_test, defense_pool, maneuver_of, miss_of, struck
from rulewright.systems.silhouette.gunnery.scales import scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, succeeds
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Fuse

_PERKS, _FLAWS = "sil-f-system-perks", "sil-g-system-flaws"
LEFT = "left there"
"""The manner of using a system that is set off later."""
LONGEST = 10
FREEING = Scale(("it sticks", "it is off"), ("it is off",), "gets it off", "it sticks")
SETTING_OFF = Scale(("nothing happens", "set off"), ("set off",), "sets it off", "nothing happens")
REMOTE = 2
ARMS = ("manipulator arm",)


@rule(_PERKS)
def sticks(margin: int, damage: Figure) -> Derived[int]:
    """The Threshold for Piloting to remove a sticking charge: the margin of the attack plus its Damage Multiplier."""
    return total("Threshold", term("Margin of Success", margin), term("Damage Multiplier", damage), rule=_PERKS)


@rule(_PERKS)
def set_off(rules: Ruleset, pool: Pool, by: str = "") -> Play[Test]:
    """Test whether a signal sets a charge off: Information Warfare, with its Accuracy and the set's rating, against 2."""
    return (yield from action_test(rules, pool, REMOTE, by, "setting it off"))


def waits(version: Version, shot: Shot) -> bool:
    """Whether a system has no effect yet when used: it has a fuse, or is left to be set off."""
    return version.flaw("time delay") is not None or shot.manner == LEFT


def laid(rules: Ruleset, battle: Battle, shot: Shot, version: Version) -> Play[Battle]:
    """Lay a charge that goes off later: in the hex of the target, or on the target if it sticks."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    rounds = 0
    if version.flaw("time delay") is not None:
        about = About(rules, battle, attacker.name)
        rounds = yield from Choice[int](
            attacker.voice, f"After how many rounds does {the(shot.weapon)} go off?", Range(1, LONGEST), about, "fuse"
        )
    hold, stuck = 0, ""
    if version.perk("adhesive") is not None:
        exchange = yield from attack_test(
            rules, attack_pool(rules, battle, shot), defense_pool(rules, battle, shot), attacker.voice, target.voice
        )
        if exchange.margin <= 0:
            yield from miss_of(rules, battle, shot, exchange.sums)
            return battle
        hold, stuck = sticks(exchange.margin, shot.damage).value, target.name
    fuse = Fuse(by=attacker.name, arm=shot.arm, weapon=shot.weapon, spot=target.spot, target=stuck, rounds=rounds, hold=int(hold))
    where = f"sticks to {target.name}" if stuck else f"lies in {_hex_name(battle, target.spot)}"
    when = f"goes off after {count(rounds, 'round')}" if rounds else "waits for a signal"
    yield from Tell(
        Announced(attacker.name, f"uses {the(shot.weapon)}: it {where} and {when}", known_to=witnesses(rules, battle, attacker))
    )
    return replace(battle, scars=replace(battle.scars, fuses=(*battle.scars.fuses, fuse)))


def seeks_on(battle: Battle, shot: Shot, level: int) -> Battle:
    """Let a missed seeker attack again in the next round, without an action."""
    spot, rounds = battle.unit(shot.target).spot, level - 1
    fuse = Fuse(by=shot.attacker, arm=shot.arm, weapon=shot.weapon, spot=spot, target=shot.target, rounds=rounds, seeks=True)
    return replace(battle, scars=replace(battle.scars, fuses=(*battle.scars.fuses, fuse)))


def _hex_name(battle: Battle, spot: Spot) -> str:
    return hexes.label((int(spot[0]), int(spot[1]))) if battle.hexes else "its place"


def fuses_burn(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Shorten every fuse at the end of a round; those that run out go off, and seekers try again."""
    for fuse in battle.scars.fuses:
        if fuse not in battle.scars.fuses or not (fuse.rounds or fuse.seeks):
            continue
        others = tuple([candidate for candidate in battle.scars.fuses if candidate != fuse])
        battle = replace(battle, scars=replace(battle.scars, fuses=others))
        if fuse.seeks:
            battle = yield from _attack_again(rules, battle, fuse)
        elif fuse.rounds > 1:
            battle = replace(battle, scars=replace(battle.scars, fuses=(*others, replace(fuse, rounds=fuse.rounds - 1))))
        else:
            battle = yield from goes_off(rules, battle, fuse)
    return battle


def _attack_again(rules: Ruleset, battle: Battle, fuse: Fuse) -> Play[Battle]:
    target = battle.unit(fuse.target)
    if not target.able:
        return battle
    shot = _shot_of(rules, battle, fuse, target)
    before = battle.unit(fuse.target)
    battle = yield from attack(rules, battle, replace(shot, where=", which turned back,"))
    if battle.unit(fuse.target).hit_by == before.hit_by and fuse.rounds > 1:
        battle = replace(battle, scars=replace(battle.scars, fuses=(*battle.scars.fuses, replace(fuse, rounds=fuse.rounds - 1))))
    return battle


def _shot_of(rules: Ruleset, battle: Battle, fuse: Fuse, target: Unit) -> Shot:
    version = battle.unit(fuse.by).version(fuse.arm)
    mods = (Mod("Accuracy", version.accuracy, "sil-5.4.1-attacker-modifiers"),) if version.accuracy else ()
    blow = blow_of(target, fuse.by, fuse.weapon, version.damage)
    by = scaled(rules, battle.unit(fuse.by), target)
    return replace(blow, arm=fuse.arm, skill="gunnery", mods=mods, direct=False, scaled=by)


def goes_off(rules: Ruleset, battle: Battle, fuse: Fuse) -> Play[Battle]:
    """Set a charge off where it lies, or on the unit that it sticks to, where it cannot miss."""
    version = battle.unit(fuse.by).version(fuse.arm)
    spot = battle.unit(fuse.target).spot if fuse.target else fuse.spot
    where = f"on {fuse.target}" if fuse.target else f"in {_hex_name(battle, spot)}"
    weapon = the(fuse.weapon)
    yield from Tell(Announced("", f"{weapon[0].upper()}{weapon[1:]} {where} goes off"))
    there = [unit for unit in battle.units if unit.spot == spot and not unit.destroyed and not unit.gone]
    if fuse.target and battle.unit(fuse.target).able:
        margin = max(1, fuse.hold - int(version.damage))
        sums = (Reason("margin of the attack that laid it", margin, "=", _PERKS),)
        battle = yield from struck(rules, battle, _shot_of(rules, battle, fuse, battle.unit(fuse.target)), margin, sums)
        there = [unit for unit in there if unit.name != fuse.target]
    radius = area_of(version)
    if radius is not None and there:
        return (yield from area_attack(rules, battle, _shot_of(rules, battle, fuse, there[0]), radius, spot))
    for unit in there if not fuse.target else ():
        battle = yield from attack(rules, battle, _shot_of(rules, battle, fuse, battle.unit(unit.name)))
    return battle


class TearOff(Action):
    """Removes a sticking charge: Piloting, with half the rating of the largest manipulator."""

    kind = "tear off"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.scars.fuses or actions_left(rules, unit) < self.costs(rules):
            return
        for at, fuse in enumerate(battle.scars.fuses):
            if fuse.target == unit.name and fuse.hold:
                label = f"Tear off {the(fuse.weapon)} (Piloting against {fuse.hold})"
                yield Option(f"tear off {fuse.weapon}", label, Deed(kind=self.kind, number=at), verb="special", manner=("tear off",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        fuse = battle.scars.fuses[deed.number]
        hands = [perk.rating or 0 for perk in unit.machine.perks if perk.name in ARMS and unit.auxiliary(perk.name) is not None]
        pool = pool_of(
            rules, unit, "piloting", maneuver_of(battle, unit), Mod("half the largest manipulator", -(-max(hands, default=0) // 2), _PERKS)
        )
        test = yield from action_test(rules, pool, fuse.hold, unit.voice, "tearing it off")
        off = succeeds(rules, test)
        words = f"tears off {the(fuse.weapon)}" if off else f"fails to tear off {the(fuse.weapon)}"
        yield from Tell(Tested(unit.name, words, test, _PERKS, "good" if off else "bad"))
        yield from came_to("it is off" if off else "it sticks", FREEING, unit.voice)
        battle = battle.change(unit.name, used=unit.used + self.costs(rules))
        return without(battle, fuse) if off else battle


class LetOff(Action):
    """Sets off a charge by remote control, or releases one that sticks."""

    kind = "set off"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.scars.fuses or actions_left(rules, unit) < self.costs(rules):
            return
        for at, fuse in enumerate(battle.scars.fuses):
            if fuse.by != unit.name:
                continue
            if not fuse.rounds and not fuse.seeks and self._signal_reaches(rules, battle, unit, fuse):
                label = f"Set off {the(fuse.weapon)}{f' on {fuse.target}' if fuse.target else ''}"
                deed = Deed(kind=self.kind, number=at, what="off")
                yield Option(f"set off {fuse.weapon}", label, deed, verb="attack", target=fuse.target, manner=("set off",))
            if fuse.hold:
                deed = Deed(kind=self.kind, number=at, what="loose")
                yield Option(f"loosen {fuse.weapon}", f"Release {the(fuse.weapon)} from {fuse.target}", deed, verb="special")

    def _signal_reaches(self, rules: Ruleset, battle: Battle, unit: Unit, fuse: Fuse) -> bool:
        """Whether a signal reaches the charge: by a clear line, a satellite, or a friendly unit that sees the place."""
        if unit.machine.has("satellite uplink") is not None:
            return True
        if fuse.target:
            return side_sees(rules, battle, unit.side, battle.unit(fuse.target))
        levels = (height_of(rules, battle, unit), battle.field.level(fuse.spot))
        return not blocked(rules, ground_between(rules, battle, unit.spot, fuse.spot, levels=levels)).value

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        fuse = battle.scars.fuses[deed.number]
        battle = battle.change(unit.name, used=unit.used + self.costs(rules))
        if deed.what == "loose":
            yield from Tell(Announced(unit.name, f"releases {the(fuse.weapon)} from {fuse.target}"))
            return without(battle, fuse)
        comms, left = unit.machine.comms, unit.auxiliary("communications")
        rating = comms.rating + left if comms is not None and left is not None else 0
        pool = pool_of(
            rules, unit, "information warfare", Mod("Accuracy", unit.version(fuse.arm).accuracy, _PERKS), Mod("set", rating, _PERKS)
        )
        test = yield from set_off(rules, pool, unit.voice)
        heard = succeeds(rules, test, 9539)
        words = f"sets off {the(fuse.weapon)}" if heard else f"signals {the(fuse.weapon)}, but nothing happens"
        yield from Tell(Tested(unit.name, words, test, _PERKS, "plain", known_to=None if heard else names_of(battle, unit.side)))
        if not heard:
            yield from came_to("nothing happens", SETTING_OFF, unit.voice, fuse.target)
            return battle
        return (yield from goes_off(rules, without(battle, fuse), fuse))


def without(battle: Battle, fuse: Fuse) -> Battle:
    """The battle without one of its fuses."""
    return replace(battle, scars=replace(battle.scars, fuses=tuple([candidate for candidate in battle.scars.fuses if candidate != fuse])))
