"""Attacks: what is rolled against what, and what every circumstance adds (book lines 418-493)."""

from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import Wrong
from rulewright.play import Event, Play, Roll, Tell, Together, sub
from rulewright.reasons import Reason, term
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.fighters import Fight, Fighter, Profile, Weapon
from rulewright.systems.scumm.injury import Hit, damage, take_hit
from rulewright.systems.scumm.movement import movement_modifiers
from rulewright.systems.scumm.patient import LIMBS, Location, Patient
from rulewright.systems.scumm.resolution import Mod, Pool, Test, action_test, attribute_pool, opposed_test, reading

Band = Literal["point blank range", "short range", "medium range", "long range", "extreme range", "beyond extreme range"]
POINT_BLANK = 3.0
"""Metres up to which a shot is point blank: just outside melee reach (ruling)."""


class CombatModifier(TableRow, frozen=True):
    """What a situation does to attack and defense: the least and the most, where the gamemaster picks."""

    situation: str
    group: str
    attack: tuple[int, int]
    defense: tuple[int, int]
    example: str
    per: str = ""


class CalledShot(TableRow, frozen=True):
    """Dice that aiming at something small takes away."""

    target: str
    dice: int


COMBAT = Table("scumm-combat-modifiers", CombatModifier)
CALLED = Table("scumm-called-shots", CalledShot)

_MODIFIERS = "scumm-combat-modifiers"


@rule(_MODIFIERS)
def situation(rules: Ruleset, name: str, degree: int = 0) -> tuple[Mod, Mod]:
    """A situation's modifiers to attack and defense; `degree` picks within a range, 0 for the mildest."""
    row = COMBAT.get(rules, name)
    attack = max(row.attack[0], row.attack[1] - degree)
    defense = max(row.defense[0], row.defense[1] - degree)
    return Mod(name, attack, _MODIFIERS), Mod(name, defense, _MODIFIERS)


@rule(_MODIFIERS)
def several_opponents(rules: Ruleset, foes_before: int) -> Mod:
    """-1 for every foe who attacked earlier in the round; the first one is free (ruling "first-opponent-counts")."""
    each = COMBAT.get(rules, "multiple opponents").defense[1]
    foes = foes_before + (1 if rules.word("first-opponent-counts") == "yes" else 0)
    return Mod("several opponents", max(each * foes, -rules.number("most-opponents-penalty")), _MODIFIERS)


@rule("scumm-ranged-attack")
def range_band(rules: Ruleset, metres: float, short: int, medium: int, long: int, extreme: int) -> Band:
    """The weapon's range band at a distance; point blank is just outside of melee reach."""
    if metres < 0:
        raise Wrong(f"a distance cannot be {metres} m")
    if metres <= POINT_BLANK:
        return "point blank range"
    if metres <= short:
        return "short range"
    if metres <= medium:
        return "medium range"
    if metres <= long:
        return "long range"
    return "extreme range" if metres <= extreme else "beyond extreme range"


def can_reach(rules: Ruleset, band: Band) -> bool:
    """Whether a shot at this range can be tried; beyond extreme range it cannot (ruling "beyond-extreme-range")."""
    return band != "beyond extreme range" or rules.word("beyond-extreme-range") == "minus four"


def range_modifier(rules: Ruleset, band: Band) -> Mod:
    """What the range does to the attack."""
    if band == "beyond extreme range":
        if not can_reach(rules, band):
            raise Wrong("the target is beyond extreme range: no shot can be tried")
        return Mod(band, -4, "scumm-ranged-attack")
    return situation(rules, band)[0]


@rule("scumm-called-shots")
def called_dice(rules: Ruleset, location: Location) -> int:
    """How many dice aiming at a part of the body takes away: torso one, a limb two, the head three."""
    return CALLED.get(rules, "limb" if location in LIMBS else location).dice


@rule("scumm-aiming")
def aimed_dice(rounds: int) -> int:
    """One die more for every round spent aiming without moving, three at the most."""
    if rounds < 0:
        raise Wrong(f"nobody aims for {rounds} rounds")
    return min(3, rounds)


class Circumstances(NamedTuple):
    """Everything around an attack that changes its dice, as plain words and numbers."""

    band: Band | None = None
    light: str = "normal"
    dim: int = -2
    mode: str = "normal"
    penalty: int = 0
    aim: int = 0
    location: Location | None = None
    burst: int = 0
    intoxicated: int = 0
    off_hand: bool = False
    extra_actions: int = 0
    emergency: int = 0
    thrown: bool = False
    lower_of_stealth: bool = False


@lru_cache(maxsize=50_000)
def attack_pool(rules: Ruleset, profile: Profile, weapon: Weapon, c: Circumstances) -> Pool:
    """The attacker's dice: skill and attribute, then everything the circumstances add or take."""
    skill = "throw" if c.thrown else weapon.skill
    ranged = c.band is not None
    level = profile.level(skill)
    if c.lower_of_stealth:
        level = min(level, profile.stealth)
    dice = level + aimed_dice(c.aim) - c.burst
    if c.location is not None:
        dice += called_dice(rules, c.location)
    if level > 0 >= dice and rules.word("no-dice-left") == "impossible":
        raise Wrong("no dice are left for this shot: aim at something larger, or longer")
    attribute = Mod("Alertness", profile.alertness) if ranged else Mod("Body", profile.body)
    special = next((names for name, names in profile.specializations if name == skill), ())
    action = movement_modifiers(rules, c.mode).action or 0
    mods = [
        attribute,
        Mod(f"specialization: {weapon.name}", 1 if weapon.name in special else 0, "scumm-specialization"),
        Mod(c.mode, action, "scumm-movement-modifiers"),
        Mod("wounds", c.penalty, "scumm-injuries"),
        Mod("extra actions", -c.extra_actions, "scumm-multiple-actions"),
    ]
    if c.band is not None:
        mods.append(range_modifier(rules, c.band))
    if c.light != "normal":
        mods.append(situation(rules, c.light, 1 if c.dim == -3 else 0)[0])
    if c.intoxicated:
        mods.append(situation(rules, "intoxicated", c.intoxicated - 1)[0])
    if c.off_hand:
        mods.append(situation(rules, "using off-hand")[0])
    return Pool(dice, emergency=c.emergency).plus(*mods)


class Exposure(NamedTuple):
    """Everything around a target that changes its defense."""

    close: bool = False
    mode: str = "normal"
    cover: str = "none"
    penalty: int = 0
    foes_before: int = 0
    intoxicated: int = 0
    emergency: int = 0


@lru_cache(maxsize=50_000)
def exposure_mods(rules: Ruleset, e: Exposure) -> tuple[Mod, ...]:
    """What movement and cover do to a target, wary or not."""
    moving = movement_modifiers(rules, e.mode)
    value = moving.defense_close if e.close else moving.defense_ranged
    found = [Mod(e.mode, value, "scumm-movement-modifiers")]
    if e.cover != "none":
        found.append(situation(rules, e.cover)[1])
    return tuple(found)


@lru_cache(maxsize=50_000)
def defense_pool(rules: Ruleset, dice: int, attribute: Mod, e: Exposure) -> Pool:
    """The target's dice: Defense (or a parrying skill with its attribute), movement, cover, wounds, other foes."""
    mods = [attribute, *exposure_mods(rules, e), Mod("wounds", e.penalty, "scumm-injuries"), several_opponents(rules, e.foes_before)]
    if e.intoxicated:
        mods.append(situation(rules, "intoxicated", e.intoxicated - 1)[1])
    return Pool(dice, emergency=e.emergency).plus(*mods)


class Strike(Struct, frozen=True, cache_hash=True):
    """An attack with everything decided: both sides' dice, or a fixed Threshold against one who cannot defend."""

    attacker: str
    target: str
    weapon: str
    attack: Pool
    defense: Pool | None
    threshold: int
    multiplier: int
    burst: int = 0
    location: Location | None = None
    bruise: bool = False


class Exchange(Struct, frozen=True):
    """What attack and defense came to."""

    attack: Total
    defense: Total

    @property
    def margin(self) -> int:
        """Above zero is a hit; a tie misses."""
        return self.attack.total - self.defense.total


class Struck(Struct, frozen=True):
    """What an attack did to its target, and whether either side fumbled."""

    victim: Patient
    hit: bool
    fumble: bool
    defense_fumble: bool


class AttackRolled(Event, frozen=True):
    """An attack was rolled."""

    strike: Strike
    exchange: Exchange

    def headline(self) -> str:
        strike, margin = self.strike, self.exchange.margin
        how = {"fists": "strikes at", "melee": "attacks"}.get(strike.weapon, "attacks")
        came = f"hits by {margin}" if margin > 0 else "misses" if margin < 0 else "misses, a tie"
        at = f" ({strike.location})" if strike.location else ""
        return f"{strike.attacker} {how} {strike.target}{at} with {strike.weapon}: {came}"

    def reasons(self) -> tuple[Reason, ...]:
        strike, exchange = self.strike, self.exchange
        attack = Reason("attack", exchange.attack.total, "+", None, "book", rolled_terms(strike.attack, exchange.attack))
        if strike.defense is None:
            return (attack, term("Threshold of one who does not defend", -strike.threshold))
        shown = rolled_terms(strike.defense, exchange.defense)
        return (attack, Reason("defense", -exchange.defense.total, "+", None, "book", shown))

    def tone(self) -> str:
        return "good" if self.exchange.margin > 0 else "plain"


def rolled_terms(pool: Pool, total: Total) -> tuple[Reason, ...]:
    """A total as its dice and modifiers; an unskilled fumble is 1 without modifiers."""
    if total.fumble and pool.dice <= 0:
        return (Reason("fumble, unskilled", 1, "+", "scumm-unskilled-test"),)
    dice = 1 if total.fumble else max(total.total - pool.modifier, 0)
    label = "fumble" if total.fumble else f"highest of {pool.dice + pool.emergency}" if pool.dice > 0 else "lower of 2"
    return (Reason(label, dice, "+", "scumm-dice-roll"), *(mod.reason() for mod in pool.mods))


def exchange(rules: Ruleset, strike: Strike) -> Play[Exchange]:
    """Roll attack against defense at once, or against the Threshold of one who does not defend."""
    roll = Roll(reading(rules, strike.attack), strike.attacker, f"attack with {strike.weapon}")
    if strike.defense is None:
        attack = yield from roll
        came = Exchange(attack, Total(strike.threshold))
    else:
        attack, defense = yield from Together((roll, Roll(reading(rules, strike.defense), strike.target, "defense")))
        came = Exchange(attack, defense)
    yield from Tell(AttackRolled(strike, came))
    return came


def wound(rules: Ruleset, strike: Strike, margin: int, victim: Patient) -> Play[Patient]:
    """A hit does the weapon's Damage Multiplier times the margin; a burst's dice count as margin."""
    points = damage(strike.multiplier, margin + strike.burst).value
    return (yield from sub(take_hit, rules, victim, Hit(points, strike.location, strike.bruise)))


@rule("scumm-ranged-attack")
def shoot(rules: Ruleset, strike: Strike, victim: Patient) -> Play[Struck]:
    """The attacker's skill against the target's Defense: higher hits by the margin, a tie misses."""
    came = yield from exchange(rules, strike)
    after = victim
    if came.margin > 0:
        after = yield from wound(rules, strike, came.margin, victim)
    return Struck(after, came.margin > 0, came.attack.fumble, came.defense.fumble)


@rule("scumm-ranged-unwary", "scumm-close-unwary")
def unwary_threshold(rules: Ruleset, mode: str = "normal", cover: str = "none", close: bool = False) -> int:
    """One who does not know of the attack is hit against 1 plus what movement and cover add, and rolls nothing."""
    return 1 + sum(mod.value for mod in exposure_mods(rules, Exposure(close, mode, cover)))


@rule("scumm-ranged-unwary")
def ambush(rules: Ruleset, stealth: Pool, notice: Pool, ambusher: str = "ambusher", target: str = "target") -> Play[bool]:
    """Does the ambush stay unnoticed? Stealth against the target's Notice; on a tie the target, who resists, notices (ruling)."""
    test = yield from opposed_test(rules, stealth, notice, ambusher, target, "Stealth", "Notice")
    return test.margin > 0 or (test.margin == 0 and rules.word("ambush-tie") == "unnoticed")


@rule("scumm-attack-object")
def attack_object(
    rules: Ruleset,
    level: int,
    attribute: int = 0,
    modifiers: int = 0,
    size: Literal["man-sized", "torso", "limb", "head"] = "man-sized",
    defense_modifiers: int = 0,
    by: str = "",
) -> Play[Test]:
    """A thing is hit against Threshold 1 plus modifiers; one smaller than a man costs dice as a called shot does."""
    dice = level if size == "man-sized" else level + CALLED.get(rules, size).dice
    pool = Pool(dice).plus(Mod("attribute", attribute), Mod("situation", modifiers))
    return (yield from action_test(rules, pool, 1 + defense_modifiers, by, "attack on an object"))


# --- from the fight to a strike -----------------------------------------------------------------------------------------------


def circumstances(
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    band: Band | None,
    location: Location | None = None,
    burst: int = 0,
    thrown: bool = False,
    extra_actions: int = 0,
    emergency: int = 0,
    lower_of_stealth: bool = False,
) -> Circumstances:
    """The circumstances of an attack as the fight stands."""
    return Circumstances(
        band,
        fight.ground.light,
        fight.ground.dim_modifier,
        attacker.mode,
        fight.acting_body(attacker).physical_penalty,
        attacker.aim if band is not None and attacker.aim_at == target.profile.name else 0,
        location,
        burst,
        attacker.intoxicated,
        attacker.off_hand,
        extra_actions,
        emergency,
        thrown,
        lower_of_stealth,
    )


def exposure(attacker: Fighter, target: Fighter, close: bool, emergency: int = 0, free_strike: bool = False) -> Exposure:
    """How exposed a target is to this attacker; a Free Strike does not count as one more opponent."""
    foes = target.attacked_by
    before = 0 if free_strike or not foes else len(foes) - (attacker.profile.name in foes)
    return Exposure(close, target.mode, target.cover, target.body.physical_penalty, before, target.intoxicated, emergency)


def defenseless(attacker: Fighter, target: Fighter) -> bool:
    """Whether the target rolls nothing: unwary, out of it, or in a grapple with somebody else."""
    return target.unwary or not target.body.able or (target.grappling != "" and target.grappling != attacker.name)


def ranged_strike(
    rules: Ruleset,
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    location: Location | None = None,
    burst: int = 0,
    thrown: bool = False,
    extra_actions: int = 0,
    emergency: int = 0,
    defense_emergency: int = 0,
) -> Strike:
    """A shot or throw as a strike."""
    if weapon.ranges is None:
        raise Wrong(f"{weapon.name} can neither be fired nor thrown")
    band = range_band(rules, attacker.distance(target), *weapon.ranges)
    c = circumstances(fight, attacker, target, band, location, burst, thrown, extra_actions, emergency)
    e = exposure(attacker, target, False, defense_emergency)
    return _ranged_strike(rules, attacker.profile, weapon, c, target.profile, e, defenseless(attacker, target))


@lru_cache(maxsize=50_000)
def _ranged_strike(
    rules: Ruleset, attacker: Profile, weapon: Weapon, c: Circumstances, target: Profile, e: Exposure, helpless: bool
) -> "Strike":
    attack = attack_pool(rules, attacker, weapon, c)
    if helpless:
        defense, threshold = None, unwary_threshold(rules, e.mode, e.cover)
    else:
        defense, threshold = defense_pool(rules, target.defense, Mod("", 0), e), 0
    return Strike(attacker.name, target.name, weapon.name, attack, defense, threshold, weapon.damage, c.burst, c.location)


Guard = Literal["defense", "parry", "block"]


@rule("scumm-close-attack")
def guards(rules: Ruleset, target: Fighter) -> tuple[Guard, ...]:
    """What a wary target may defend with: Defense always, Melee with a weapon to parry, Brawl with bare hands."""
    found: list[Guard] = ["defense"]
    if target.weapon.skill == "melee":
        found.append("parry")
    if target.weapon.skill == "brawl":
        found.append("block")
    return tuple(found)


@rule("scumm-close-attack")
def close_strike(
    rules: Ruleset,
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    guard: Guard = "defense",
    bruise: bool = False,
    extra_actions: int = 0,
    emergency: int = 0,
    defense_emergency: int = 0,
    free_strike: bool = False,
) -> Strike:
    """A blow as a strike: Melee or Brawl against the target's Defense, parry or block; from behind, the lower of skill and Stealth."""
    helpless = defenseless(attacker, target)
    sneaking = helpless and target.unwary
    c = circumstances(fight, attacker, target, None, extra_actions=extra_actions, emergency=emergency, lower_of_stealth=sneaking)
    e = exposure(attacker, target, True, defense_emergency, free_strike)
    defense: Pool | None
    if helpless:
        defense, threshold = None, unwary_threshold(rules, target.mode, target.cover, close=True)
    else:
        dice = {"defense": target.profile.defense, "parry": target.profile.melee, "block": target.profile.brawl}[guard]
        attribute = Mod("Body", 0 if guard == "defense" else target.profile.body)
        defense, threshold = defense_pool(rules, dice, attribute, e), 0
    attack = attack_pool(rules, attacker.profile, weapon, c)
    return Strike(attacker.name, target.name, weapon.name, attack, defense, threshold, weapon.damage, bruise=bruise)


def blow(rules: Ruleset, strike: Strike, victim: Patient) -> Play[Struck]:
    """A blow that does plain damage, as a part by itself: what odds are shown for."""
    return (yield from shoot(rules, strike, victim))


def resist(rules: Ruleset, target: Fighter, with_body: bool, threshold: int, what: str) -> Play[bool]:
    """The target of a maneuver resists with Alertness or Body against the attack's total; a draw resists (ruling)."""
    value, name = (target.profile.body, "Body") if with_body else (target.profile.alertness, "Alertness")
    pool = attribute_pool(rules, value, name, (Mod("wounds", target.body.physical_penalty, "scumm-injuries"),))
    test = yield from action_test(rules, pool, threshold, target.name, what)
    return test.margin > 0 or (test.margin == 0 and rules.word("maneuver-draws") == "resisted")
