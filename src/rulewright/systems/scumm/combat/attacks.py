"""Attack rolls: dice, modifiers and thresholds (book lines 43, 418-456, 476-493)."""

from typing import Literal, NamedTuple

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.highest_die.harm import OUTCOMES, hit_outcome
from rulewright.play import GAMEMASTER, Event, Play, Roll, Scale, Tell, Together, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Reason, less, term, total
from rulewright.systems.scumm.action.movement import Movement, movement_modifiers
from rulewright.systems.scumm.combat.fighters import Cover, Light, Ranges
from rulewright.systems.scumm.harm.body import AVERAGE, LIMBS, Location, Patient
from rulewright.systems.scumm.harm.damage import Hit, damage, take_hit, thresholds_at
from rulewright.systems.scumm.people.characters import defense_pool
from rulewright.systems.scumm.resolution.tests import Mod, Pool, reading, rolled_total, skill_pool

Band = Literal["point blank range", "short range", "medium range", "long range", "extreme range", "beyond extreme range"]
Guard = Literal["defense", "parry", "block"]
POINT_BLANK = 3.0
"""Metres up to which a shot is point blank: just outside melee reach (ruling)."""
PISTOL: Ranges = (6, 12, 24, 48)
"""What a rule is asked about when nobody names a weapon."""
NO_SPECIALIZATION = Mod("specialization", 0)
SPECIALIZED = Mod("specialization", 1, "scumm-specialization")


class CombatModifier(TableRow, frozen=True):
    """What a situation does to attack and defense: the least and the most, where the gamemaster picks."""

    situation: str
    group: str
    attack: tuple[int, int]
    defense: tuple[int, int]
    example: str
    per: str = ""


COMBAT = Table("scumm-combat-modifiers", CombatModifier)
CALLED = Column("scumm-called-shots", "target", dice=int)
"""Dice that aiming at something small takes away."""

_MODIFIERS = "scumm-combat-modifiers"


class Circumstances(NamedTuple):
    """Everything around an attack that changes its dice, as plain words and numbers."""

    band: Band | None = None
    light: Light = "normal"
    dim: int = -2
    mode: Movement = "normal"
    penalty: int = 0
    aim: int = 0
    location: Location | None = None
    burst: int = 0
    intoxicated: int = 0
    off_hand: bool = False
    extra_actions: int = 0
    vitals: bool = False
    emergency: int = 0
    specialized: bool = False
    special: int = 0
    """What special circumstances do to the attack, as the gamemaster judges them (line 478)."""


class Exposure(NamedTuple):
    """Everything around a target that changes its defense. `foe` says which opponent of the round this is; 0 counts for none."""

    close: bool = False
    mode: Movement = "normal"
    cover: Cover = "none"
    penalty: int = 0
    foe: int = 1
    intoxicated: int = 0
    emergency: int = 0
    specialized: bool = False
    special: int = 0
    """What special circumstances do to the defense."""


class Strike(Struct, frozen=True, cache_hash=True, gc=False):
    """An attack with everything decided: both sides' dice, or a fixed Threshold against a person who cannot defend."""

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
    vitals: bool = False
    close: bool = False


class Exchange(Struct, frozen=True):
    """What attack and defense came to. `spoilt` is an exchange of blows in which both fumbled: it has no effect."""

    attack: Total
    defense: Total
    spoilt: bool = False

    @property
    def margin(self) -> int:
        """The attack's total less what it is compared with."""
        return self.attack.total - self.defense.total

    @property
    def hits(self) -> bool:
        """Above zero is a hit; a tie misses, and so do blows that both fumble."""
        return self.attack.total > self.defense.total and not self.spoilt


class Struck(Struct, frozen=True):
    """What an attack did to its target, and whether either side fumbled."""

    victim: Patient
    hit: bool
    fumble: bool
    defense_fumble: bool


class Attacked(Struct, frozen=True):
    """The outcome of an attack, in a word, and whether either side fumbled."""

    outcome: str
    fumble: bool
    defense_fumble: bool


PLAINLY = Circumstances()
STANDING = Exposure()


# --- modifiers ----------------------------------------------------------------------------------------------------------------


class Modifiers(NamedTuple):
    """What a situation does to attack and to defense."""

    attack: Mod
    defense: Mod


@rule(_MODIFIERS)
def situation(rules: Ruleset, name: str = "medium range", degree: int = 0) -> Modifiers:
    """A situation's modifiers to attack and defense; `degree` picks within a range, 0 for the mildest."""
    row = COMBAT.get(rules, name)
    attack = max(row.attack[0], row.attack[1] - degree)
    defense = max(row.defense[0], row.defense[1] - degree)
    return Modifiers(Mod(name, attack, _MODIFIERS), Mod(name, defense, _MODIFIERS))


@rule(_MODIFIERS)
def several_opponents(rules: Ruleset, foe: int = 2) -> Mod:
    """-1 for every enemy who attacked earlier in the round; the first one is free (ruling "first-opponent-counts")."""
    result = COMBAT.get(rules, "multiple opponents").defense[1]
    counted = foe if rules.word("first-opponent-counts") == "yes" else foe - 1
    return Mod("several opponents", max(result * max(0, counted), -rules.number("most-opponents-penalty")), _MODIFIERS)


def range_band(metres: float, ranges: Ranges) -> Band:
    """The weapon's range band at a distance; point blank is just outside of melee reach, and never beyond short range."""
    if metres < 0:
        raise UserError(f"a distance cannot be {metres} m")
    short, medium, long, extreme = ranges
    if metres <= short:
        return "point blank range" if metres <= POINT_BLANK else "short range"
    if metres <= medium:
        return "medium range"
    if metres <= long:
        return "long range"
    return "extreme range" if metres <= extreme else "beyond extreme range"


def can_reach(rules: Ruleset, band: Band) -> bool:
    """Whether a shot at this range can be tried; beyond extreme range it cannot (ruling "beyond-extreme-range")."""
    return band != "beyond extreme range" or rules.word("beyond-extreme-range") == "minus four"


def range_modifier(rules: Ruleset, band: Band) -> Mod:
    """The modifier of the range to the attack."""
    if band == "beyond extreme range":
        if not can_reach(rules, band):
            raise UserError("the target is beyond extreme range: no shot can be tried")
        return Mod(band, -4, "scumm-ranged-attack")
    return situation(rules, band).attack


class Called(Struct, frozen=True):
    """What aiming at a part of the body means: dice, the thresholds there (armor included), and whether it can kill at once."""

    dice: int
    flesh: int
    deep: int
    death: int | None


@rule("scumm-called-shots")
def called_shot(rules: Ruleset, location: Location = "head", victim: Patient = AVERAGE, vitals: bool = False) -> Called:
    """Aiming at a part costs dice; at the head thresholds are halved, rounded up, and a limb cannot be the death of anybody.

    Another vital spot (`vitals`: throat, groin) is as small as a head and halves them as well.

    A view of `called_dice`.
    """
    there = thresholds_at(rules, victim, location, vitals)
    death = None if location in LIMBS else there.death + there.armor
    return Called(called_dice(rules, location, vitals), there.flesh + there.armor, there.deep + there.armor, death)


@rule("scumm-called-shots")
def called_dice(rules: Ruleset, location: Location = "torso", vitals: bool = False) -> int:
    """How many dice aiming at a part of the body takes away: torso one, a limb two, the head or a vital spot (ruling) three."""
    return CALLED.of(rules, "head" if vitals else "limb" if location in LIMBS else location)


@rule("scumm-aiming")
def aimed_dice(rules: Ruleset, rounds: int = 1) -> int:
    """One die more for every round spent aiming without moving, three at the most."""
    if rounds < 0:
        raise UserError(f"aiming takes 0 rounds or more, not {rounds}")
    return min(3, rounds)


@rule("scumm-multiple-actions")
def extra_action_penalty(extra: int = 1) -> int:
    """Every extra action costs -1 on all actions of the round."""
    if extra < 0:
        raise UserError(f"the number of extra actions is 0 or more, not {extra}")
    return -extra


def dice_left(rules: Ruleset, level: int, aim: int = 0, location: Location | None = None, *, burst: int = 0, vitals: bool = False) -> int:
    """The dice of a shot: the skill's, those that aiming adds, and those that a called shot or a burst gives up."""
    return level + aimed_dice(rules, aim) - burst + (called_dice(rules, location, vitals) if location is not None else 0)


@rule("scumm-aiming")
def aimed_unskilled(rules: Ruleset, dice: int = 1) -> tuple[int, int]:
    """The dice of an aimed shot without the skill, and those that join its lower die as Emergency Dice do (ruling "unskilled-aim")."""
    return (0, max(0, dice)) if rules.word("unskilled-aim") == "joins" else (dice, 0)


def enough_dice(rules: Ruleset, level: int, dice: int, burst: bool) -> bool:
    """A burst leaves a die (ruling "burst-keeps-a-die"); otherwise a roll without dice is unskilled (ruling "no-dice-left")."""
    if dice > 0:
        return True
    if burst and rules.on("burst-keeps-a-die"):
        return False
    return level <= 0 or rules.word("no-dice-left") == "unskilled"


def refuse_no_dice(rules: Ruleset, level: int, dice: int, burst: bool) -> None:
    """Refuse an attack for which no dice are left."""
    if not enough_dice(rules, level, dice, burst):
        raise UserError("no dice are left for this attack: give up fewer, aim at something larger, or aim longer")


# --- the dice of both sides ---------------------------------------------------------------------------------------------------


@cached(50_000)
def attack_pool(rules: Ruleset, level: int, attribute: Mod, special: Mod, c: Circumstances) -> Pool:
    """The attacker's dice: skill and attribute, then everything the circumstances add or take."""
    action = movement_modifiers(rules, c.mode).action
    if action is None:
        raise UserError(f"nothing else can be done while {c.mode}")
    if c.burst and c.location is not None:
        raise UserError("a burst cannot be aimed at a part of the body")
    dice = dice_left(rules, level, c.aim, c.location, burst=c.burst, vitals=c.vitals)
    refuse_no_dice(rules, level, dice, c.burst > 0)
    dice, joins = (dice, 0) if level > 0 else aimed_unskilled(rules, dice)
    mods = [
        SPECIALIZED if c.specialized else special,
        Mod(c.mode, action, "scumm-movement-modifiers"),
        Mod("wounds", c.penalty, "scumm-injuries"),
        Mod("extra actions", extra_action_penalty(c.extra_actions), "scumm-multiple-actions"),
        Mod("special circumstances", c.special, _MODIFIERS),
    ]
    if c.band is not None:
        mods.append(range_modifier(rules, c.band))
    if c.light != "normal":
        mods.append(situation(rules, c.light, 1 if c.dim == -3 else 0).attack)
    if c.intoxicated:
        mods.append(situation(rules, "intoxicated", c.intoxicated - 1).attack)
    if c.off_hand:
        mods.append(situation(rules, "using off-hand").attack)
    return skill_pool(rules, level, attribute.value, attribute.label, tuple(mods)).with_dice(dice, c.emergency, joins)


@cached(50_000)
def exposure_mods(rules: Ruleset, close: bool, mode: Movement, cover: Cover) -> tuple[Mod, ...]:
    """Returns the modifiers of movement and cover to a target, wary or not."""
    moving = movement_modifiers(rules, mode)
    mods = [Mod(mode, moving.defense_close if close else moving.defense_ranged, "scumm-movement-modifiers")]
    if cover != "none":
        mods.append(situation(rules, cover).defense)
    return tuple(mods)


@cached(50_000)
def guard_pool(rules: Ruleset, guard: Guard, level: int, body: int, special: Mod, e: Exposure) -> Pool:
    """The target's dice: Defense, or a parrying or blocking skill with Body; then movement, cover, wounds, other enemies."""
    mods = [
        SPECIALIZED if e.specialized and guard != "defense" else special,
        *exposure_mods(rules, e.close, e.mode, e.cover),
        Mod("wounds", e.penalty, "scumm-injuries"),
        several_opponents(rules, e.foe) if e.foe else Mod("several opponents", 0),
        Mod("special circumstances", e.special, _MODIFIERS),
    ]
    if e.intoxicated:
        mods.append(situation(rules, "intoxicated", e.intoxicated - 1).defense)
    if guard == "defense":
        return defense_pool(rules, level, tuple(mods)).with_dice(level, e.emergency)
    return skill_pool(rules, level, body, "Body", tuple(mods)).with_dice(level, e.emergency)


@rule("scumm-ranged-unwary", "scumm-close-unwary")
def unwary_threshold(rules: Ruleset, mode: Movement = "normal", cover: Cover = "none", close: bool = False, special: int = 0) -> int:
    """A person who does not know of the attack is hit against 1 plus what movement, cover and special circumstances add, and rolls
    nothing."""
    return 1 + sum(mod.value for mod in exposure_mods(rules, close, mode, cover)) + special


@rule("scumm-close-unwary")
def lower_of_stealth(rules: Ruleset, skill: int, body: int = 0, stealth: int = 0, alertness: int = 0) -> tuple[int, Mod]:
    """The skill and attribute of a blow at a person unwary: the lower of Stealth and attack skill, each with its own attribute (ruling)."""
    if stealth >= skill:
        return skill, Mod("Body", body)
    own = rules.word("blow-from-behind") == "own attribute"
    return stealth, Mod("Alertness (Stealth is lower)", alertness) if own else Mod("Body (Stealth is lower)", body)


@rule("scumm-ranged-unwary")
def ambush(rules: Ruleset, stealth: Pool, notice: Pool, ambusher: str = "ambusher", target: str = "target") -> Play[bool]:
    """Does the ambush stay unnoticed? Stealth against the target's Notice, each rolled once and in secret."""
    lurked, watched = yield from Together(
        (
            Roll(reading(rules, stealth), ambusher, "Stealth", secret=True),
            secret_notice(rules, notice, target),
        )
    )
    return stays_hidden(rules, lurked.total, watched.total)


def secret_notice(rules: Ruleset, notice: Pool, target: str) -> Roll[Total]:
    """A person's Notice against an ambush. The gamemaster makes the roll: who is asked for it, or sees it, would know (ruling)."""
    return Roll(reading(rules, notice), GAMEMASTER, f"Notice of {target}", secret=True)


@rule("scumm-ranged-unwary")
def stays_hidden(rules: Ruleset, stealth: int = 1, notice: int = 1) -> bool:
    """Whether a Stealth total keeps a person hidden from a Notice total; on a tie the target, who resists, notices (ruling)."""
    return stealth > notice or (stealth == notice and rules.word("ambush-tie") == "unnoticed")


class Mishap(Struct, frozen=True):
    """What fumbles in ranged combat bring: a jammed weapon, and a modifier to the target's next initiative test."""

    jams: bool
    initiative: int


@rule("scumm-ranged-fumbles")
def mishap(attacker_fumbles: bool = True, defender_fumbles: bool = False) -> Mishap:
    """A fumbled shot jams the weapon until a standard action clears it; a fumbled defense costs 3 on the next initiative test."""
    return Mishap(attacker_fumbles, -3 if defender_fumbles else 0)


# --- an attack is rolled ------------------------------------------------------------------------------------------------------


class AttackRolled(Event, frozen=True):
    """An attack was rolled."""

    strike: Strike
    exchange: Exchange

    def headline(self) -> str:
        strike, exchange = self.strike, self.exchange
        if exchange.spoilt:
            text = "both fumble, no effect"
        else:
            text = f"hits by {exchange.margin}" if exchange.hits else "misses" if exchange.margin else "a tie, misses"
        at = " (a vital spot)" if strike.vitals else f" ({strike.location})" if strike.location else ""
        burst = f", a burst (+{strike.burst})" if strike.burst else ""
        return f"{strike.attacker} attacks {strike.target}{at} with {the(strike.weapon)}{burst}: {text}"

    def reasons(self) -> tuple[Reason, ...]:
        strike, exchange = self.strike, self.exchange
        attack = term("attack", rolled_total("attack", strike.attack, exchange.attack))
        if strike.defense is None:
            unwary = "scumm-close-unwary" if strike.close else "scumm-ranged-unwary"
            met = less("Threshold of one who does not defend: 1 with movement and cover", strike.threshold, rule=unwary)
        else:
            met = less("defense", rolled_total("defense", strike.defense, exchange.defense))
        margin = total("margin", attack, met).reason
        if not exchange.hits:
            return (margin,)
        return (margin, damage(strike.multiplier, exchange.margin + strike.burst, strike.burst).reason)

    def tone(self) -> str:
        return "good" if self.exchange.hits else "plain"


def exchange(rules: Ruleset, strike: Strike) -> Play[Exchange]:
    """Roll attack against defense at once, or against the Threshold of a person who does not defend."""
    rolls = rolls_of(rules, strike)
    if strike.defense is None:
        result = Exchange((yield rolls), Total(strike.threshold))
    else:
        attack, defense = yield rolls
        result = Exchange(attack, defense, strike.close and spoils(attack.fumble, defense.fumble))
    yield Tell(AttackRolled(strike, result))
    return result


@rule("scumm-close-fumbles")
def spoils(attacker_fumbles: bool = True, defender_fumbles: bool = True) -> bool:
    """Where both fumble in close combat ineffective blows are exchanged, whatever the totals are."""
    return attacker_fumbles and defender_fumbles


@cached(50_000)
def rolls_of(rules: Ruleset, strike: Strike) -> Roll[Total] | Together[Total]:
    """The dice of an attack: both sides' at once, or the attacker's alone."""
    roll = Roll(reading(rules, strike.attack), strike.attacker, f"attack with {the(strike.weapon)}")
    if strike.defense is None:
        return roll
    return Together((roll, Roll(reading(rules, strike.defense), strike.target, "defense")))


def wound(rules: Ruleset, strike: Strike, margin: int, victim: Patient) -> Play[Patient]:
    """A hit does the weapon's Damage Multiplier times the margin; a burst's dice count as margin."""
    points = damage(strike.multiplier, margin + strike.burst).value
    return (yield from sub(take_hit, rules, victim, Hit(points, strike.location, strike.bruise, strike.vitals)))


@rule("scumm-ranged-attack", "scumm-close-attack")
def shoot(rules: Ruleset, strike: Strike, victim: Patient) -> Play[Struck]:
    """The attacker's roll against the target's: higher hits by the margin, a tie misses. Fumbles count with what they come to, but
    there is no effect of blows that both fumble."""
    result = yield from exchange(rules, strike)
    after = victim
    if result.hits:
        after = yield from wound(rules, strike, result.margin, victim)
    return Struck(after, result.hits, result.attack.fumble, result.defense.fumble)


def tried(rules: Ruleset, strike: Strike, victim: Patient) -> Play[Attacked]:
    """An attack and its outcome in a word."""
    struck = yield from shoot(rules, strike, victim)
    return Attacked(in_a_word(victim, struck), struck.fumble, struck.defense_fumble)


MANEUVERED = ("kept", "shoved", "knocked prone", "disarmed", "grappled")
ATTACK = Scale(("miss", OUTCOMES[0], *MANEUVERED, *OUTCOMES[1:]), (*MANEUVERED[1:], *OUTCOMES[1:]), "has an effect", "unharmed", harms=True)
"""The possible results of an attack, from nothing to worst."""


@cached(50_000)
def attack_came_to(word: str, by: str, to: str) -> Tell:
    """The result of an attack, for the chances beside options."""
    return came_to(word, ATTACK, by, to)


def in_a_word(before: Patient, struck: Struck) -> str:
    """The worst that an attack did: a miss, or one of the words for what a hit can do."""
    return hit_outcome(before, struck.victim) if struck.hit else "miss"
