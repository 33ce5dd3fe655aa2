"""An attack of one machine on another: whether it is possible, its dice and its result (book lines 4804-4887)."""

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.field.field import Spot
from rulewright.play import Choice, Option, Play, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, limited, rounded_down, term, total
from rulewright.systems.silhouette.breakage.damage import Nature, Severity, pierced, severity_of
from rulewright.systems.silhouette.breakage.events import Seeks, Struck
from rulewright.systems.silhouette.breakage.systems import Blow, burn_away, lose_armor, systems_damage
from rulewright.systems.silhouette.breakage.wrecks import overkilled
from rulewright.systems.silhouette.detection.messages import ordered
from rulewright.systems.silhouette.detection.sight import UNSEEN, called, tell_of
from rulewright.systems.silhouette.gunnery.arcs import signed
from rulewright.systems.silhouette.gunnery.bursts import burst_margin
from rulewright.systems.silhouette.gunnery.lines import line_of
from rulewright.systems.silhouette.gunnery.modifiers import (
    attackers_mod,
    moving_mods,
    other_mod,
    pace_mod,
    range_mod,
    side_mod,
)
from rulewright.systems.silhouette.gunnery.people import at_a_person, wound_of, wounded
from rulewright.systems.silhouette.gunnery.scales import across_scales, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot, armor_here, dealt_by, guarded, veiled
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.course_limits import strange_place
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, gravity_maneuver, half_speed, pace_of, top_speed
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, settled, sum_of
from rulewright.systems.silhouette.resolution.tests import roll_of as dice_for
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.people import WIELDED, is_person
from rulewright.systems.silhouette.units.state import Battle, Place, Site, Surroundings
from rulewright.systems.silhouette.units.units import Pace, Unit

_TEST, _ATTACK, _DEFENSE = "sil-5.4-attack-test", "sil-5.4.1-attacker-modifiers", "sil-5.4.2-defender-modifiers"
LIMBS = ("manipulator arm", "battle arm", "tool arm")


# --- whether it is possible ----------------------------------------------------------------------------------------------------------


def blocked(unit: Unit, arm: int) -> str:
    """Why a system cannot be used at all; empty if it can."""
    return _blocked_reasons(unit)[arm]


@cached(1024)
def _blocked_reasons(unit: Unit) -> tuple[str, ...]:
    return tuple([_why_blocked(unit, arm) for arm in range(len(unit.arms))])


def _why_blocked(unit: Unit, arm: int) -> str:
    state, mount, version = unit.arms[arm], unit.mount(arm), unit.version(arm)
    if state.broken:
        return "it is destroyed"
    if arm in unit.signs.jammed:
        return "it is jammed"
    flaw = version.flaw("power-hungry")
    if flaw is not None and dict(unit.signs.charged).get(arm, 0) < flaw[1] - 1:
        return "it is not charged"
    if version.uses and not state.left[state.mode]:
        return "it has no ammunition left"
    if not state.switched and (hidden := version.perk("concealed")) is not None and hidden[2] != "pop-up":
        return "it is folded in"
    if version.perk("energy shield") is None and veiled(unit):
        return "the energy shield blocks its own fire"
    if mount.mount == "hand-held" and limb_penalty(unit) is None:
        return "no arm is left to hold it"
    return ""


def limb_penalty(unit: Unit) -> int | None:
    """The penalty of the best arm left; None without any. A machine without arms has its weapons mounted."""
    limbs = [limb for limb in LIMBS if unit.machine.has(limb) is not None]
    if not limbs:
        return 0
    numbers = [lost for limb in limbs if (lost := unit.auxiliary(limb)) is not None]
    return max(numbers) if numbers else None


Answer = tuple[Battle, "Shot | None"]
ANSWERS: "list[Callable[[Ruleset, Battle, Shot, int], Play[Answer]]]" = []
"""What may still stop or weaken an attack that would hit, by the attack's total: anti-missile fire, spoofing, parries. Each returns
the battle and the changed attack; None: it is stopped."""


class Follow(Protocol):
    """A possible consequence of a hit."""

    def __call__(self, rules: Ruleset, battle: Battle, shot: Shot, /, *, margin: int, damage: Figure, severity: Severity) -> Play[Battle]:
        """The battle after it."""


FOLLOWS: list[Follow] = []
"""Further consequences of a hit, by its margin, damage and severity: falls, floods, fires."""


class AttackMods(Protocol):
    """Modifiers of one kind."""

    def __call__(
        self, rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, /, *, arm: int, version: Version
    ) -> Iterable[Mod]:
        """The modifiers of one attack."""


ATTACK_MODS: list[AttackMods] = [strange_place, at_a_person, across_scales]
"""Further modifiers of an attack with a system. Each is called with attacker, target, the system's index and its version. By day it gets
no other unit."""


def shot(
    rules: Ruleset, battle: Battle, attacker: Unit, target: Unit, arm: int, *, interrupts: bool = False, hidden: int | None = None
) -> Shot | None:
    """The attack of a unit on another with one of its systems; None if arc, range, sight or the system forbid it.

    Indirect fire needs no line of sight: `hidden` is the target's Obscurement for it.
    """
    stretched = attacker.shape.stretched or target.shape.stretched
    if battle.place.night or stretched or attacker.part is not None or target.part is not None:  # others, or the hull, matter too
        return _compute_shot(rules, battle, attacker, target, arm=arm, interrupts=interrupts, hidden=hidden)
    return _shot(rules, battle.site, attacker, target, arm, interrupts, hidden)


@cached(2_000)
def _shot(rules: Ruleset, site: Site, attacker: Unit, target: Unit, arm: int, interrupts: bool, hidden: int | None) -> Shot | None:
    """The same by day for machines of one body: options, tactics and fire ask for the same attack one after another."""
    return _compute_shot(rules, site, attacker, target, arm=arm, interrupts=interrupts, hidden=hidden)


def _compute_shot(
    rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, interrupts: bool, hidden: int | None
) -> Shot | None:
    if blocked(attacker, arm):
        return None
    line = line_of(rules, battle, attacker, target)
    band = line.aim(arm, attacker.version(arm), attacker.arms[arm].frozen)
    if not band:
        return None
    if hidden is not None:
        result = aimed(rules, battle, attacker, target, arm, band=band, side=line.side, hidden=hidden)
        return replace(result, distance=line.far, interrupts=interrupts, direct=False)
    hidden = line.hidden()
    if hidden is None:
        return None
    result = aimed(rules, battle, attacker, target, arm, band=band, side=line.side, hidden=hidden)
    return replace(result, distance=line.far, interrupts=interrupts)


def aimed(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, arm: int, *, band: str, side: str, hidden: int) -> Shot:
    """An attack with a system at a range, on a side and through cover."""
    version = attacker.version(arm)
    mods = list(system_mods(attacker, arm, band))
    for more in ATTACK_MODS:
        mods.extend(more(rules, battle, attacker, target, arm=arm, version=version))
    only = version.perk("location-specific")
    return Shot(
        attacker=attacker.name,
        target=target.name,
        arm=arm,
        weapon=version.name,
        distance=0,
        band=band,
        side=side,
        hidden=hidden,
        skill=wielded[2] if (wielded := version.perk(WIELDED)) is not None else "piloting" if version.melee else "gunnery",
        damage=version.damage,
        scaled=scaled(rules, attacker, target),
        nature=nature_of(version),
        location=only[2] if only is not None else "",
        mods=tuple([mod for mod in mods if mod.value]),
    )


def system_mods(unit: Unit, arm: int, band: str) -> tuple[Mod, ...]:
    """The modifiers of a system itself at a range: Accuracy, damage to it and to the arm that holds it, sniper, minimum range."""
    mount, version = unit.mount(arm), unit.version(arm)
    mods = [Mod("Accuracy", version.accuracy, _ATTACK), Mod("damage to the system", -unit.arms[arm].accuracy, _ATTACK)]
    if mount.mount == "hand-held":
        mods.append(Mod("damaged arm", limb_penalty(unit) or 0, "sil-5.5.2-extra-damage"))
    if mount.sniper and band in ("long", "extreme"):
        mods.append(Mod("sniper", 1, "sil-4.1.10-otv"))
    if band == "short" and (flaw := version.flaw("minimum range")) is not None:
        mods.append(Mod("minimum range", -flaw[1], "sil-g-system-flaws"))
    return tuple([mod for mod in mods if mod.value])


@cached(1024)
def nature_of(version: Version) -> Nature:
    """Returns the special effects of a weapon on Armor."""
    return Nature(
        piercing=version.perk("armor-piercing") is not None,
        crushing=version.perk("armor-crushing") is not None,
        heat=version.flaw("heat") is not None,
        liquid=version.perk("liquid") is not None,
    )


# --- dice ----------------------------------------------------------------------------------------------------------------------------


def pace_now(battle: Battle, unit: Unit) -> Pace:
    """The speed that a unit counts as when it attacks: as declared, or as it has moved so far; an emplacement never moves. A section
    has the speed of its hull."""
    return _pace(battle.bearer(unit) if unit.part is not None else unit, battle.place)


@cached(1024)
def _pace(unit: Unit, place: Place) -> Pace:
    if unit.machine.build == "emplacement" or not unit.machine.ways:
        return "stationary"
    if unit.shifting == "top" or (unit.speed == "top" and unit.shifting != "combat"):
        return "top"
    if unit.pace:
        return unit.pace
    if unit.points is None and not unit.moved:
        return "stationary" if unit.speed == "stationary" else "combat"
    return pace_of(unit.spent, combat_speed(unit, place), unit.speed == "top")


def maneuver_of(battle: Battle, unit: Unit) -> Mod:
    """Maneuver with the present movement type, after damage and gravity."""
    way = unit.moving
    base = way.maneuver if way is not None else unit.machine.maneuver
    hampered = unit.signs.clumsy + (bool(unit.signs.floods) or any(section.signs.floods for section in battle.sections(unit)))
    base += unit.surge("maneuver") - unsteady(unit)
    return Mod("Maneuver", base - unit.wear.maneuver - hampered + int(gravity_maneuver(battle.place.gravity).value), _DEFENSE)


def unsteady(unit: Unit) -> int:
    """The penalty of an unstable machine at Top Speed, or on terrain that costs more than a Movement Point."""
    if unit.machine.has("unstable") is None:
        return 0
    return int(unit.speed == "top" or unit.shifting == "top" or unit.signs.rough)


def allotted(battle: Battle, unit: Unit) -> int:
    """The Movement Points that a unit may use this round, by its speed or declared speed."""
    combat = combat_speed(unit, battle.place)
    if unit.pace == "stationary":
        return 0
    if unit.pace == "half":
        return int(half_speed(combat).value)
    if unit.points is not None:
        return unit.points
    return top_speed(unit, battle.place) if unit.speed == "top" else combat


@rule("sil-5.1.2-interrupt")
def interrupted_movement(rules: Ruleset, allocation: int, covered: int = 0) -> Derived[int]:
    """The hexes for the defense of a unit attacked during its move: one for each Movement Point of its allocation, even if it will
    cover fewer, and never less than it has covered already."""
    if rules.word("interrupted-defense") == "hexes so far":
        return total("hexes", term("covered so far", covered), rule="sil-5.1.2-interrupt", source="ruling")
    return limited(
        "hexes", term("Movement Points allocated", allocation), limit=at_least(covered, "covered already"), rule="sil-5.1.2-interrupt"
    )


def hexes_for_defense(rules: Ruleset, battle: Battle, unit: Unit, interrupted: bool) -> int:
    """The hexes that count for a defense: those moved this round, or in the last one if it has not moved yet; during its move the
    whole allocation."""
    if interrupted:
        return int(interrupted_movement(rules, allotted(battle, unit), unit.hexes).value)
    return unit.hexes if unit.moved else unit.last


def attack_pool(rules: Ruleset, battle: Battle, shot: Shot) -> Pool:
    """The attacker's pool."""
    unit = battle.unit(shot.attacker)
    return pool_of_attack(rules, unit, pace_now(battle, unit), shot)


def pool_of_attack(rules: Ruleset, unit: Unit, pace: Pace, shot: Shot) -> Pool:
    """The same for an attacker at a speed."""
    mods = (*shot.mods, range_mod(rules, shot.band), pace_mod(rules, pace), Mod("Obscurement", -shot.hidden, _ATTACK))
    pool = Pool(shot.own, hero=False).plus(*mods) if shot.own else pool_of(rules, unit, shot.skill, *mods)
    return pool.with_dice(pool.dice - shot.fewer) if shot.fewer else pool


def defense_pool(rules: Ruleset, battle: Battle, shot: Shot, *more: Mod) -> Pool | None:
    """The target's pool; None for an emplacement, which always has 0."""
    unit = battle.unit(shot.target)
    if unit.machine.build == "emplacement":
        return None
    others = len([name for name in unit.hit_by if name != shot.attacker])
    if unit.part is not None or unit.machine.sections:  # other bodies matter too
        return _defense(rules, battle, unit, shot.side, others=others, interrupted=shot.interrupts, more=more)
    return single_body_defense(rules, battle.place, unit, shot.side, others, shot.interrupts, more)


@cached(1024)
def single_body_defense(
    rules: Ruleset, place: Place, unit: Unit, side: str, others: int, interrupted: bool, more: tuple[Mod, ...] = ()
) -> Pool:
    """The same for a machine of one body, by its inputs: a tactic evaluates the same target from many places."""
    return _defense(rules, Battle(units=(), place=place), unit, side, others=others, interrupted=interrupted, more=more)


def _defense(rules: Ruleset, battle: Battle, unit: Unit, side: str, *, others: int, interrupted: bool, more: tuple[Mod, ...]) -> Pool:
    flown = battle.bearer(unit) if unit.borne else unit
    hexes = hexes_for_defense(rules, battle, flown, interrupted)
    mods = (
        *moving_mods(rules, maneuver_of(battle, flown).value, hexes, flown.evading, _points_counted(rules, flown, interrupted)),
        side_mod(rules, side, unit.machine.has("all-around armor") is not None),
        attackers_mod(rules, others),
        *more,
    )
    return pool_of(rules, flown, "piloting", *mods, defends=True)


def _points_counted(rules: Ruleset, unit: Unit, interrupted: bool) -> str:
    """Says whether the Movement Points that count for a defense were spent or allotted; empty if hexes count."""
    if unit.way == "space":
        return "spent"
    return "allotted" if interrupted and rules.word("interrupted-defense") == "allocation" else ""


# --- results -------------------------------------------------------------------------------------------------------------------------


class Exchange(Struct, frozen=True):
    """Both totals of an attack, with their sums."""

    attack: Total
    defense: Total
    sums: tuple[Reason, ...] = ()

    @property
    def margin(self) -> int:
        """The attack above the defense."""
        return self.attack.total - self.defense.total


@rule(_TEST)
def attack_test(rules: Ruleset, attack: Pool, defense: Pool | None = None, by: str = "", against: str = "") -> Play[Exchange]:
    """Attacker and defender roll; only a total above the defense hits, by the difference. A target that cannot dodge has a defense of 0."""
    if defense is None:
        result = settled(rules, attack, (yield from dice_for(rules, attack, by, "attack")))
        return Exchange(result, Total(0), (sum_of("attack", attack, result), Reason("defense", 0, "against", _TEST)))
    pair = yield from Together((dice_for(rules, attack, by, "attack"), dice_for(rules, defense, against, "defense")))
    result, outcome = settled(rules, attack, pair[0]), settled(rules, defense, pair[1])
    return Exchange(result, outcome, (sum_of("attack", attack, result, rule=_TEST), sum_of("defense", defense, outcome, "against", _TEST)))


def attack(rules: Ruleset, battle: Battle, shot: Shot) -> Play[Battle]:
    """Resolve an attack from the first die to the last effect; the caller pays the action and the ammunition."""
    battle, more = yield from spend_on_defense(rules, battle, shot)
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    pools = attack_pool(rules, battle, shot), defense_pool(rules, battle, shot, *more)
    exchange = yield from attack_test(rules, *pools, attacker.voice, target.voice)
    if exchange.margin <= 0 and seeks(attacker, shot):
        event = Seeks(attacker.name, target.name, shot.weapon, exchange.sums)
        yield from tell_of(rules, battle, event, attacker, target, attacker=UNSEEN)
        exchange = yield from attack_test(rules, *pools, attacker.voice, target.voice)
    if exchange.margin <= 0:
        yield from miss_of(rules, battle, shot, exchange.sums)
        return battle
    return (yield from comes_in(rules, battle, shot, exchange))


def comes_in(rules: Ruleset, battle: Battle, shot: Shot, exchange: Exchange) -> Play[Battle]:
    """Resolve an attack that would hit: everything that may still stop it, then its effect."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    for answer in ANSWERS:
        battle, left = yield from answer(rules, battle, shot, exchange.attack.total)
        if left is None:
            yield from miss_of(rules, battle, replace(shot, where=f"{shot.where}, which is intercepted,"), exchange.sums)
            return battle
        shot = left
    hit_by = battle.unit(shot.target).hit_by
    hits = hit_by if attacker.name in hit_by else (*hit_by, attacker.name)
    return (yield from struck(rules, battle.change(target.name, hit_by=hits), shot, exchange.margin, exchange.sums))


def seeks(attacker: Unit, shot: Shot) -> bool:
    """Whether a missed weapon turns and tries once more."""
    return shot.arm >= 0 and attacker.version(shot.arm).perk("seeking") is not None


def miss_of(rules: Ruleset, battle: Battle, shot: Shot, sums: tuple[Reason, ...] = ()) -> Play[None]:
    """Tell a missed attack."""
    yield from told(rules, battle, as_told(battle, shot, False, sums=sums))


def struck(rules: Ruleset, battle: Battle, shot: Shot, margin: int, sums: tuple[Reason, ...] = ()) -> Play[Battle]:
    """Resolve a hit by some margin: damage against Armor, and its consequences."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    if shot.rate and is_person(target):
        more = burst_margin(rules, margin, shot.rate)
        margin, sums = int(more.value), (*sums, more.reason)
    dealt = dealt_by(margin, shot)
    severity, met = weighed(rules, battle, target, shot, dealt.value)
    sums = (*sums, dealt.reason, *met)
    yield from told(rules, battle, as_told(battle, shot, True, severity=severity, sums=sums))
    if shot.guard and severity != "overkill":
        return (yield from guarded(battle, shot, severity))
    after = yield from suffer(
        rules,
        target,
        severity,
        dealt.value,
        shot=shot,
        blow=Blow(heavy=severity == "heavy", margin=margin, by=attacker.voice, to=target.voice, location=shot.location),
    )
    battle = battle.put(after)
    for follows in FOLLOWS:
        battle = yield from follows(rules, battle, shot, margin=margin, damage=dealt.value, severity=severity)
    return battle


def weighed(rules: Ruleset, battle: Battle, target: Unit, shot: Shot, damage: Figure) -> tuple[Severity, tuple[Reason, ...]]:
    """The severity of some damage, and what it is compared with: the Armor of a machine, the wound thresholds of a person on foot."""
    if is_person(target):
        severity, _, wound, needed = wound_of(rules, target, damage, shot.nature.piercing)
        return severity, (wound.reason, Reason("Flesh Wound Threshold, with armor", needed, "against"))
    armor = armor_here(battle, target, shot)
    if shot.nature.inside:
        armor = total("Armor", term("Armor", armor), divided("internal explosion", 2, rule="sil-g-system-flaws"), rounded_down())
    met = pierced(armor.value) if shot.nature.piercing else armor
    return severity_of(damage, armor.value, shot.nature.piercing), (replace(term("Armor", met), op="against"),)


def suffer(rules: Ruleset, target: Unit, severity: Severity, damage: Figure, *, shot: Shot, blow: Blow) -> Play[Unit]:
    """Apply a hit to a machine: it bounces off, breaks something and costs Armor, or destroys it. A person on foot is wounded."""
    if is_person(target):
        return (yield from wounded(rules, target, wound_of(rules, target, damage, shot.nature.piercing)[1]))
    if target.machine.has("ablative armor") is not None:
        target = yield from burn_away(target, shot.side, damage)
    if severity == "overkill":
        return (yield from overkilled(rules, target))
    target = yield from lose_armor(rules, target, severity, shot.nature, damage)
    if severity == "none":
        return target
    return (yield from sub(systems_damage, rules, target, blow))


def told(rules: Ruleset, battle: Battle, event: Struck) -> Play[None]:
    """Tell an attack; sides that have not found the attacker do not hear its name."""
    attacker, target = battle.unit(event.attacker), battle.unit(event.struck)
    yield from tell_of(rules, battle, event, attacker, target, attacker=UNSEEN, by="")


def as_told(
    battle: Battle, shot: Shot, hit: bool, *, severity: Severity = "none", sums: tuple[Reason, ...] = (), aimed: bool = True
) -> Struck:
    """The result of an attack for the log; units that were not aimed at were only in its area."""
    attacker, target = battle.unit(shot.attacker), battle.unit(shot.target)
    return Struck(
        by=attacker.voice if aimed else "",
        attacker=attacker.name,
        target=target.voice,
        struck=target.name,
        weapon=shot.weapon,
        hit=hit,
        severity=severity,
        sums=sums,
        where=shot.where if aimed else " in its area",
        person=is_person(target),
    )


_SPEND: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Spend a Command Point: +2", True))


def spend_on_defense(rules: Ruleset, battle: Battle, shot: Shot) -> Play[tuple[Battle, tuple[Mod, ...]]]:
    """Let the target of an attack spend a Command Point of its side on the defense, if there is one and the radio works."""
    target = battle.unit(shot.target)
    if not can_command(battle, target) or target.machine.build == "emplacement":
        return battle, ()
    attacker = called(rules, battle, target.side, battle.unit(shot.attacker))
    question = f"{attacker[0].upper()}{attacker[1:]} attacks. Spend a Command Point on defense?"
    if not (yield from Choice(target.voice, question, _SPEND, Aimed(rules, battle, target.name, shot), "guard")):
        return battle, ()
    through = yield from ordered(rules, battle, target)
    return spend_point(battle, target), (other_mod(rules, "Command Point"),) if through else ()


class Aimed(Struct, frozen=True):
    """The situation of a question about a defense."""

    rules: Ruleset
    battle: Battle
    unit: str
    shot: Shot


def can_command(battle: Battle, unit: Unit) -> bool:
    """Whether a Command Point can be used for a unit: its side has one for it, and its radio works.

    The commander's own machine may use Tactical Points only.
    """
    if not battle.commands or unit.auxiliary("communications") is None or one_way(unit) == "emitter":
        return False
    command = battle.command(unit.side)
    own = command.commander == unit.name
    if command.tactical <= 0 and (own or command.leadership <= 0):
        return False
    return own or unit.received < most_points(battle, unit.side)


def one_way(unit: Unit) -> str:
    """Whether a radio only receives or only sends; empty if it does both."""
    flaw = unit.machine.has("one way")
    return flaw.variant if flaw is not None else ""


def most_points(battle: Battle, side: str) -> int:
    """Command Points that one unit may get in a turn: as many as the commander's level of Leadership (ruling: that skill)."""
    command = battle.command(side)
    if not command.commander:
        return 0
    commander = battle.unit(command.commander)
    levels = [rider.skill("leadership").level for rider in commander.able_riders]
    return max([commander.crew.skill("leadership").level if commander.crew.able else 0, *levels])


def spend_point(battle: Battle, unit: Unit) -> Battle:
    """Spend a Command Point: one of Leadership first, since it is lost at the end of the round."""
    command = battle.command(unit.side)
    own = command.commander == unit.name
    if command.leadership > 0 and not own:
        command = replace(command, leadership=command.leadership - 1)
    else:
        command = replace(command, tactical=command.tactical - 1)
    return battle.put_command(command).change(unit.name, received=unit.received + 1)


def pointed(battle: Battle, unit: Unit, arm: int, target: Spot) -> Unit:
    """A unit whose turret points where it fired."""
    seen = battle.field.off_front(unit.spot, unit.facing, target)
    return unit.with_arm(arm, replace(unit.arms[arm], bearing=round(signed(seen))))
