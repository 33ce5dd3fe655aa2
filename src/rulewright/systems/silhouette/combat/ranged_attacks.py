"""Ranged attacks: pools, aiming and damage (book lines 2303-2371, 5972-5980)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import figure, the
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import GAMEMASTER, Event, Play, Tell, Together, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, times, total
from rulewright.systems.silhouette.gear.ammunition import endless_ammunition, endless_burst, loading
from rulewright.systems.silhouette.gear.items import Archaic, Gun, Heavy, weapon, weapon_skill
from rulewright.systems.silhouette.harm.body import AVERAGE, Location, Patient
from rulewright.systems.silhouette.harm.called_shots import Size as Size
from rulewright.systems.silhouette.harm.called_shots import aimed_dice as aimed_dice
from rulewright.systems.silhouette.harm.called_shots import size_of as size_of
from rulewright.systems.silhouette.harm.damage import HURTING, Hit, Nature, damage, take_hit
from rulewright.systems.silhouette.people.skills import attribute_of
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.modifiers import MOVEMENT, RANGED, situation_modifier
from rulewright.systems.silhouette.resolution.tests import (
    Mod,
    Opposed,
    Pool,
    Side,
    opposed_complexity,
    opposed_test,
    roll_of,
    settled,
    sum_of,
)

Band = Literal["point blank", "short range", "medium range", "long range", "extreme range"]

NOTICING, HIDING = "noticing the ambush", "hiding"
_ATTACK = "sil-3.4-ranged-attack"
_TABLE = "sil-3.4.1-ranged-modifiers"


class Firearm(Struct, frozen=True, cache_hash=True):
    """A firearm for an attack. `ammo` is the number of shots left, None if nobody counts."""

    name: str = "pistol"
    skill: str = "small arms"
    damage: int = 15
    accuracy: int = 0
    short: int = 6
    """Short range in metres; each further band doubles it."""
    rof: int = 0
    ammo: int | None = None
    shots: int = 1
    """Ammunition per single shot."""
    reload: int = 0
    """Rounds of reloading after a shot."""
    min_range: int = 0
    bruises: bool = False
    complexity: int = 1

    @classmethod
    def of(cls, rules: Ruleset, name: str) -> "Firearm":
        """Returns a gun, bow or support weapon of the book's tables."""
        row = weapon(rules, name)
        skill = weapon_skill(row)
        if isinstance(row, Gun):
            return cls(
                name, skill, row.damage, row.accuracy, row.range, row.rof, row.ammo, row.shots, loading(row.rof), bruises=row.bruises
            )
        if isinstance(row, Heavy):
            ammo = None if row.belt else row.ammo
            return cls(name, skill, row.damage, row.accuracy, row.range, row.rof, ammo, reload=loading(row.rof), min_range=row.min_range)
        if isinstance(row, Archaic) and row.range:
            return cls(name, skill, row.damage, row.accuracy, row.range, 0, row.ammo or None, reload=row.reload)
        raise UserError(f"{name} cannot shoot")


class Circumstances(Struct, frozen=True, cache_hash=True):
    """Circumstances of a ranged attack. `situations` are the shooter's rows of the table: light, drink, own cover."""

    band: Band = "short range"
    situations: tuple[str, ...] = ()
    pace: str = "stationary"
    penalty: int = 0
    aim: int = 0
    """Whole rounds spent aiming without moving."""
    size: Size = "none"
    dice: int = 0
    """Dice added or removed by stances, applications and special effects."""
    mods: tuple[Mod, ...] = ()


class Exposure(Struct, frozen=True, cache_hash=True):
    """Circumstances of a target. `situations` are the target's rows of the table."""

    situations: tuple[str, ...] = ()
    pace: str = "stationary"
    penalty: int = 0
    dice: int = 0
    mods: tuple[Mod, ...] = ()


PISTOL = Firearm()
PLAINLY = Circumstances()
STANDING = Exposure()


class Shot(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A complete shot: the dice of both sides, or a Threshold against a target that cannot defend."""

    attacker: str
    target: str
    weapon: str
    attack: Pool
    defense: Pool | None
    threshold: int = 1
    multiplier: int = 15
    burst: int = 0
    """The rate of fire used."""
    location: Location | None = None
    aimed: bool = False
    bruise: bool = False
    nature: Nature = "plain"
    safe: bool = False
    """Whether no shot can hit the target."""
    waits: bool = False
    """Whether the target was slightly slower and stays conscious until the end of the round."""
    pierces: bool = False
    """Whether armor counts half."""
    walked: int = 0
    """Rate of fire lost for damage to other targets of the same burst."""


class Exchange(Struct, frozen=True):
    """Result of an attack: its margin (0 for a miss), whether the weapon jammed or ran dry, whether the defender is off balance."""

    margin: int
    jammed: bool = False
    off_balance: bool = False


class Struck(Struct, frozen=True):
    """Result of a shot for its target; a defender off balance has -3 on the next initiative test."""

    victim: Patient
    margin: int
    jammed: bool = False
    off_balance: bool = False

    @property
    def hit(self) -> bool:
        """Whether it hit."""
        return self.margin > 0


class Outcome(Struct, frozen=True):
    """Result of an attack in one word."""

    outcome: str
    jammed: bool = False
    off_balance: bool = False


OFF_BALANCE = Mod("off balance", -3, _ATTACK)
"""Modifier of a fumbled defense on the next initiative test."""


class Fired(Event, frozen=True, kw_only=True):
    """A shot with the rolls of both sides or the Threshold, the margin, and the damage of a hit."""

    attacker: str
    target: str
    weapon: str
    pool: Pool
    attack: Total
    guard: Pool | None = None
    defense: Total | None = None
    threshold: int = 1
    margin: int = 0
    damage: Derived[int] | None = None
    safe: bool = False
    jammed: bool = False
    off_balance: bool = False

    def headline(self) -> str:
        words = f"hits {self.target} by {self.margin}" if self.margin > 0 else f"misses {self.target}"
        hidden = ", who is fully hidden" if self.safe else ""
        jam = ", and the weapon is out of action" if self.jammed else ""
        slip = f"; {self.target} is off balance" if self.off_balance else ""
        return f"{self.attacker} {words} with {the(self.weapon)}{hidden}{jam}{slip}"

    def reasons(self) -> tuple[Reason, ...]:
        result = Reason("Threshold", self.threshold, "against", "sil-3.4-unwary-target")
        if self.guard is not None and self.defense is not None:
            result = sum_of("defense", self.guard, self.defense, "against", _ATTACK)
        done = (self.damage.reason,) if self.damage is not None else ()
        return (sum_of("attack", self.pool, self.attack, "=", _ATTACK), result, *done)

    def tone(self) -> str:
        return "bad" if self.margin > 0 else "plain"


# --- the rule in numbers ------------------------------------------------------------------------------------------------------


@rule(_ATTACK)
def try_shot(
    rules: Ruleset,
    skill: int = 2,
    attribute: int = 0,
    weapon: Firearm = PISTOL,
    metres: float = 5,
    circumstances: Circumstances = PLAINLY,
    defense: int = 1,
    defense_attribute: int = 0,
    exposure: Exposure = STANDING,
    victim: Patient = AVERAGE,
    burst: int = 0,
    complexity: int = 1,
) -> Play[Outcome]:
    """Plays a shot: the attacker's skill against the target's Defense. The higher total hits by the margin, a tie misses. A fumbled
    attack jams the weapon; a fumbled defense costs 3 on the next initiative test. A weapon of more `complexity` than the user's
    penalizes the roll.

    A view of `shoot`.
    """
    band = range_band(rules, metres, weapon.short, weapon.min_range)
    hidden = hidden_target_modifier(rules, exposure.situations)
    tool = opposed_complexity(rules, complexity, 1, False, weapon.complexity)[0]
    seen = replace(circumstances, band=band, mods=(*circumstances.mods, hidden, tool))
    if not 0 <= burst <= max(0, weapon.rof):
        raise UserError(f"{weapon.name} fires bursts of 0 to {max(0, weapon.rof)}, not {burst}")
    shot = Shot(
        attacker="attacker",
        target=victim.name,
        weapon=weapon.name,
        attack=attack_pool(rules, skill, attribute, weapon.accuracy, seen),
        defense=replace(defense_pool(rules, defense, defense_attribute, exposure), hero=victim.hero),
        multiplier=weapon.damage,
        burst=burst,
        aimed=seen.aim > 0 or seen.size != "none",
        bruise=weapon.bruises,
        safe=cannot_be_hit(rules, exposure.situations),
    )
    struck = yield from shoot(rules, shot, victim)
    return Outcome(hit_outcome(victim, struck.victim), struck.jammed, struck.off_balance)


# --- dice and what is added to them -------------------------------------------------------------------------------------------


@rule(_TABLE)
def range_band(rules: Ruleset, metres: float, short: int = 6, min_range: int = 0) -> Band:
    """Returns the range band: short range is the weapon's own, and each further band doubles it, up to eight times; just beyond reach is
    point blank."""
    if metres < 0:
        raise UserError(f"a distance must be at least 0 m, not {metres}")
    if metres < min_range:
        raise UserError(f"this weapon's minimum range is {min_range} m; the target is {figure(metres)} m away")
    if metres <= min(rules.number("point-blank"), short):
        return "point blank"
    bands: tuple[tuple[Band, int], ...] = (("short range", 1), ("medium range", 2), ("long range", 4), ("extreme range", 8))
    for band, reach in bands:
        if metres <= short * reach:
            return band
    raise UserError(f"the target is {figure(metres)} m away; extreme range ends at {8 * short} m")


@rule(_ATTACK)
def attack_attribute(rules: Ruleset, skill: str = "small arms", band: Band = "short range", sniping: bool = False) -> str:
    """Returns the attribute of a shot: the skill's; Perception for snipers, and for bows at extreme range."""
    if (skill == "small arms" and sniping) or (skill == "archery" and band == "extreme range"):
        return "perception"
    return attribute_of(rules, skill)


@rule(_ATTACK)
def snipes(rules: Ruleset, aim: int = 1, band: Band = "long range") -> bool:
    """Whether a shot counts as sniping: aimed for at least one round at long or extreme range (ruling "sniping")."""
    return aim > 0 and band in ("long range", "extreme range") and rules.word("sniping") == "aimed from afar"


def _situations(rules: Ruleset, situations: tuple[str, ...], side: Literal["attack", "defense"]) -> list[Mod]:
    situation_modifier(rules, situations, side, ranged=True)  # refuses what cannot hold together
    rows = [RANGED.get(rules, text) for text in situations]
    return [Mod(row.situation, row.attack if side == "attack" else row.defense, _TABLE) for row in rows]


@rule(_ATTACK)
def attack_pool(
    rules: Ruleset,
    level: int,
    attribute: int = 0,
    accuracy: int = 0,
    circumstances: Circumstances = PLAINLY,
    attribute_name: str = "Agility",
) -> Pool:
    """Returns the attack pool: skill, attribute and Accuracy, plus range, light, drink, pace and wounds; aiming changes the dice."""
    c = circumstances
    row = MOVEMENT.get(rules, c.pace)
    if row.action is None:
        raise UserError(f"you cannot attack while {c.pace}")
    if c.aim and row.action:
        raise UserError(f"you cannot aim while {c.pace}: aiming takes whole rounds without movement")
    mods = [
        Mod(attribute_name, attribute, "sil-1.2.4-skill-test"),
        Mod("Accuracy", accuracy, _ATTACK),
        Mod(c.band, RANGED.get(rules, c.band).attack, _TABLE),
        *[
            mod
            for mod in _situations(rules, c.situations, "attack")
            if rules.word("cover-and-attack") == "shots out of it" or not _cover(rules, mod.label)
        ],
        Mod(c.pace, row.action, "sil-3.2.3-movement-modifiers"),
        Mod("action penalty", c.penalty, "sil-3.5.2-action-penalties"),
        *c.mods,
    ]
    return Pool(aimed_dice(rules, level, c.aim, c.size) + c.dice).plus(*mods)


def _cover(rules: Ruleset, situation: str) -> bool:
    return RANGED.get(rules, situation).group == "cover"


@rule(_TABLE)
def hidden_target_modifier(rules: Ruleset, situations: tuple[str, ...] = ()) -> Mod:
    """Returns the attack modifier for a fully hidden target, if the campaign reads the table that way."""
    rows = [RANGED.get(rules, situation) for situation in situations if _cover(rules, situation)]
    counts = rules.word("cover-and-attack") == "shots at it"
    return Mod("hidden target", sum([row.attack for row in rows]) if counts else 0, _TABLE)


@rule(_ATTACK)
def defense_pool(rules: Ruleset, level: int, attribute: int = 0, exposure: Exposure = STANDING, attribute_name: str = "Agility") -> Pool:
    """Returns the defense pool: Defense, or Melee if a parry is plausible, plus attribute, pace, cover, light, drink and wounds."""
    e = exposure
    mods = [
        Mod(attribute_name, attribute, "sil-1.2.4-skill-test"),
        *_situations(rules, e.situations, "defense"),
        Mod(e.pace, MOVEMENT.get(rules, e.pace).defense_ranged, "sil-3.2.3-movement-modifiers"),
        Mod("action penalty", e.penalty, "sil-3.5.2-action-penalties"),
        *e.mods,
    ]
    return Pool(level + e.dice).plus(*mods)


@rule(_TABLE)
def cannot_be_hit(rules: Ruleset, situations: tuple[str, ...] = ()) -> bool:
    """Whether a target cannot be hit: fully hidden by heavy cover."""
    return any(RANGED.get(rules, situation).safe for situation in situations)


# --- targets that do not defend -----------------------------------------------------------------------------------------------


@rule("sil-3.4-unwary-target")
def unwary_threshold(rules: Ruleset, pace: str = "stationary", situations: tuple[str, ...] = ()) -> int:
    """Returns the Threshold to hit a target that does not defend: 1 + movement and cover; at least 0 (ruling)."""
    cover = [RANGED.get(rules, situation).defense for situation in situations if _cover(rules, situation)]
    return max(0, 1 + MOVEMENT.get(rules, pace).defense_ranged + sum(cover))


@rule("sil-3.4-unwary-target")
def object_threshold(rules: Ruleset, modifiers: int = 0) -> int:
    """Returns the Threshold to hit an object: 1 + modifiers; objects smaller than a man need aiming."""
    return max(0, 1 + modifiers)


@rule("sil-3.4-unwary-target")
def notices(
    rules: Ruleset,
    notice: Side,
    stealth: Side,
    band: Band = "short range",
    situations: tuple[str, ...] = (),
    target: str = "",
    attacker: str = "",
) -> Play[Opposed]:
    """Tests whether a target notices an ambush: Notice against the attacker's Stealth; only a success notices.

    Range and light are subtracted from the Stealth test, where they help (ruling "ambush-modifiers"); the target then defends as usual.
    Both rolls are secret, and the gamemaster rolls for the target, because a player asked to roll would know (ruling).
    """
    rows = [RANGED.get(rules, text).attack for text in (band, *situations)]
    sign = -1 if rules.word("ambush-modifiers") == "help who hides" else 1
    hidden = stealth.pool.plus(Mod("distance and light", sign * sum(rows), "sil-3.4-unwary-target"))
    other = Side(hidden, stealth.skill, stealth.level, stealth.complexity, stealth.attribute)
    what = f"{NOTICING}, {target}" if target else NOTICING
    return (yield from opposed_test(rules, notice, other, GAMEMASTER, attacker, what, HIDING, secret=True))


# --- the shot -----------------------------------------------------------------------------------------------------------------


def _roll_attack(rules: Ruleset, shot: Shot, rolled: Total) -> tuple[Pool, Total, bool]:
    """Returns the attack roll, its total, and whether the weapon is jammed or empty; with aiming, no fumble counts."""
    result = settled(rules, shot.attack, rolled)
    fumbled = result.fumble and not shot.aimed  # 2317, and 2358: ignored while aiming
    if not endless_ammunition(rules) or not shot.burst:
        return shot.attack, result, fumbled
    lost = rolled.fumble and shot.attack.dice <= 0  # 683: an unskilled fumble has no modifiers
    total, empty = endless_burst(rules, result.total, 0 if lost else shot.attack.modifier, shot.burst, fumbled)
    pool = (Pool(1) if lost else shot.attack).plus(Mod("burst", -shot.burst, "sil-6.4.1-woo-factor"))
    return pool, Total(total, result.fumble).showing(result.shown()), empty


def _attack_dice(rules: Ruleset, shot: Shot) -> Pool:
    """Returns the dice to roll: bursts with endless ammunition need the bare dice."""
    pool = shot.attack
    bare = endless_ammunition(rules) and shot.burst > 0
    return Pool(pool.dice, (), pool.emergency, pool.hero, pool.favored) if bare else pool


def exchange(rules: Ruleset, shot: Shot) -> Play[Exchange]:
    """Rolls attack and defense together, or the attack against a Threshold; a tie misses."""
    attack = roll_of(rules, _attack_dice(rules, shot), shot.attacker, "attack")
    defended: Total | None = None
    if shot.defense is None or shot.safe:
        pool, result, jammed = _roll_attack(rules, shot, (yield from attack))
        number = converted(rules, shot.threshold)
    else:
        pair = yield from Together((attack, roll_of(rules, shot.defense, shot.target, "defense")))
        pool, result, jammed = _roll_attack(rules, shot, pair[0])
        defended = settled(rules, shot.defense, pair[1])
        number = defended.total
    slipped = defended is not None and defended.fumble  # 2317
    margin = 0 if shot.safe else max(0, result.total - number)
    told = Fired(
        attacker=shot.attacker,
        target=shot.target,
        weapon=shot.weapon,
        pool=pool,
        attack=result,
        guard=shot.defense,
        defense=defended,
        threshold=number,
        margin=margin,
        damage=shot_damage(rules, shot.multiplier, margin, shot.burst - shot.walked) if margin else None,
        safe=shot.safe,
        jammed=jammed,
        off_balance=slipped,
    )
    yield from Tell(told)
    return Exchange(margin, jammed, slipped)


@rule("sil-3.4.3-burst-fire")
def burst_margin(rules: Ruleset, margin: int, rof: int = 1) -> Derived[int]:
    """Returns the margin of a burst on one target: a hit adds the rate of fire; it does not help to hit."""
    more = burst_bonus(rules, rof) if margin > 0 else 0
    return total("Margin of Success", term("attack", max(0, margin)), term("burst", more), rule="sil-3.4.3-burst-fire")


@cached(10_000)
def shot_damage(rules: Ruleset, multiplier: int, margin: int, burst: int = 0) -> Derived[int]:
    """Returns the damage of a hit: the Damage Multiplier times the margin, with the burst."""
    counted = burst_margin(rules, margin, burst)
    done = damage(rules, multiplier, counted.value)
    if not burst or counted.value != done.reasons[1].value:
        return done
    return total("damage", done.reasons[0], times("Margin of Success", counted), rule="sil-3.5.1-damage")


def burst_bonus(rules: Ruleset, burst: int) -> int:
    """Returns the bonus of a burst to the margin of a hit; with endless ammunition none (ruling "woo-bursts")."""
    return 0 if endless_ammunition(rules) and rules.word("woo-bursts") == "no bonus" else burst


@rule(_ATTACK)
def shoot(rules: Ruleset, shot: Shot, victim: Patient) -> Play[Struck]:
    """Plays a shot from the dice to the wound."""
    struck = yield from one_of_many(rules, shot, victim)
    yield came_to(shot_outcome(victim, struck), HURTING, shot.attacker, shot.target)
    return struck


def shot_outcome(victim: Patient, struck: Struck) -> str:
    """Returns the result of a shot in one word."""
    return hit_outcome(victim, struck.victim) if struck.hit else "miss"


def one_of_many(rules: Ruleset, shot: Shot, victim: Patient) -> Play[Struck]:
    """Plays a shot that may be one of several in one attack."""
    if shot.burst and shot.location is not None:
        raise UserError("you cannot aim a burst at a part of the body")
    result = yield from sub(exchange, rules, shot)
    if not result.margin:
        return Struck(victim, 0, result.jammed, result.off_balance)
    rate = shot.burst - shot.walked
    done = shot_damage(rules, shot.multiplier, result.margin, rate).value
    harm = Hit(done, shot.location, shot.bruise, shot.nature, by="firearms", waits=shot.waits, pierces=shot.pierces)
    after = yield from sub(take_hit, rules, victim, harm)
    return Struck(after, burst_margin(rules, result.margin, rate).value, result.jammed, result.off_balance)
