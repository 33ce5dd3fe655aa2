"""Close attacks: reach, pools, techniques and damage (book lines 2159-2273)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import join, the
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import Event, Happened, Play, Roll, Tell, Together, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, rounded_up, term, total
from rulewright.systems.silhouette.action.movement import Pace, close_combat_modifiers, pace_modifiers
from rulewright.systems.silhouette.combat.ranged_attacks import Size, aimed_dice
from rulewright.systems.silhouette.gear.items import MELEE, SHIELDS, after_shield, shield_catches, snare_threshold
from rulewright.systems.silhouette.harm.body import AVERAGE, Location, Patient
from rulewright.systems.silhouette.harm.damage import HURTING, SNARING, Hit, Nature, damage, take_hit
from rulewright.systems.silhouette.people.genre import armor_loss
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, situation_modifier
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, opposed_complexity, roll_of, settled, sum_of

_ATTACK, _TABLE = "sil-3.3-close-attack", "sil-3.3.2-close-modifiers"
Guard = Literal["dodge", "parry", "block"]
Open = Literal["nobody", "attacker", "defender"]

GUARDS: dict[Guard, tuple[str, str]] = {
    "dodge": ("defense", "agility"),
    "parry": ("melee", "fitness"),
    "block": ("hand-to-hand", "fitness"),
}
"""Skill and attribute of each defense (appendix A)."""
STRIKING = {"melee": "agility", "hand-to-hand": "fitness"}
"""Attribute of a blow by its skill (appendix A)."""


class Around(Struct, frozen=True, cache_hash=True):
    """Circumstances of an attacker or defender in close combat. `situations` are rows of the close modifiers."""

    situations: tuple[str, ...] = ()
    pace: Pace = "walking"
    covering_ground: bool = False
    immobilised: bool = False
    penalty: int = 0
    dice: int = 0
    """Dice added or removed by stances, applications and techniques."""
    mods: tuple[Mod, ...] = ()


class TechniqueRow(TableRow, frozen=True):
    """Number of strikes per roll, and the modifier."""

    technique: str
    strikes: int
    modifier: int


TECHNIQUES = Table("sil-3.3.4-fast-attacks", TechniqueRow)
Speed = Literal["plain", "fast", "lightning"]


class Technique(Struct, frozen=True):
    """Technique of a blow: speed, and the dice given up to deceive."""

    speed: Speed = "plain"
    deception: int = 0


FACE_TO_FACE, PLAIN = Around(), Technique()
ONE_DIE = Side(Pool(1), "hand-to-hand", 1)
DODGE = Side(Pool(1), "defense", 1)


# --- reach --------------------------------------------------------------------------------------------------------------------


@rule("sil-3.3.1-reach")
def combat_reach(rules: Ruleset, complexity: int = 1, weapon: int = 0, fitness: int = 0, build: int = 0) -> Derived[int]:
    """Returns reach in metres: 1, +1 for each Complexity above 1, + the weapon's.

    A campaign may measure arms instead, rounded up to a metre (ruling "combat-reach").
    """
    if rules.word("combat-reach") == "by the body":
        own: tuple[Reason, ...] = (
            term("arm's reach, centimetres", body_reach(fitness, build)),
            divided("centimetres per metre", 100),
            rounded_up(),
        )
    else:
        own = (term("Complexity", complexity), at_least(1))
    return total("reach, metres", *own, term("weapon", weapon), rule="sil-3.3.1-reach")


@rule("sil-3.3.1-reach")
def body_reach(fitness: int = 0, build: int = 0) -> Derived[int]:
    """Returns arm's reach in centimetres: 50 + 10 for each point of Fitness and Build; at least 0."""
    return total(
        "reach, centimetres",
        term("base", 50),
        term("Fitness, 10 each", 10 * fitness),
        term("Build, 10 each", 10 * build),
        at_least(0),
        rule="sil-3.3.1-reach",
    )


@rule("sil-3.3.1-reach")
def can_touch(centimetres: int = 50, degrees: int = 0, fitness: int = 0, build: int = 0) -> bool:
    """Whether a character can touch something at this distance and angle: arms reach 135 degrees to either side.

    By id only.
    """
    return centimetres <= body_reach(fitness, build).value and abs((degrees + 180) % 360 - 180) <= 135


# --- dice and what is added to them -------------------------------------------------------------------------------------------


def _situations(rules: Ruleset, situations: tuple[str, ...], side: Literal["attack", "defense"]) -> list[Mod]:
    situation_modifier(rules, situations, side)  # refuses what cannot hold together
    rows = [CLOSE.get(rules, text) for text in situations]
    return [Mod(row.situation, row.attack if side == "attack" else row.defense, _TABLE) for row in rows]


@rule(_ATTACK)
def blow_pool(
    rules: Ruleset,
    level: int,
    attribute: int = 0,
    accuracy: int = 0,
    around: Around = FACE_TO_FACE,
    technique: Technique = PLAIN,
    attribute_name: str = "Agility",
) -> Pool:
    """Returns the pool of a blow: Melee with Agility or Hand-to-Hand with Fitness, plus Accuracy, light, drink, wounds and technique."""
    action, _ = close_combat_modifiers(rules, around.pace, around.covering_ground, around.immobilised)
    if action is None:
        raise UserError(f"you cannot strike while {around.pace}")
    if not 0 <= technique.deception <= max(0, level):
        raise UserError(f"you can give up 0 to {max(0, level)} dice to deceive, not {technique.deception}")
    mods = (
        Mod(attribute_name, attribute, "sil-1.2.4-skill-test"),
        Mod("Accuracy", accuracy, _ATTACK),
        *_situations(rules, around.situations, "attack"),
        Mod(around.pace, action, "sil-3.2.3-movement-modifiers"),
        Mod(f"{technique.speed} attack", TECHNIQUES.get(rules, technique.speed).modifier, "sil-3.3.4-fast-attacks"),
        Mod("action penalty", around.penalty, "sil-3.5.2-action-penalties"),
        *around.mods,
    )
    return Pool(level + around.dice - technique.deception).plus(*mods)


@rule(_ATTACK)
def guard_pool(
    rules: Ruleset,
    level: int,
    attribute: int = 0,
    parry: int = 0,
    around: Around = FACE_TO_FACE,
    deceived: int = 0,
    attribute_name: str = "Agility",
) -> Pool:
    """Returns the pool of a defense: Defense with Agility, Melee or Hand-to-Hand with Fitness, plus parry rating, movement, cover,
    position and wounds."""
    _, moving = close_combat_modifiers(rules, around.pace, around.covering_ground, around.immobilised)
    mods = (
        Mod(attribute_name, attribute, "sil-1.2.4-skill-test"),
        Mod("Parry", parry, _ATTACK),
        *_situations(rules, around.situations, "defense"),
        Mod(around.pace, moving, "sil-3.2.3-movement-in-close-combat"),
        Mod("action penalty", around.penalty, "sil-3.5.2-action-penalties"),
        *around.mods,
    )
    return Pool(level + around.dice - deceived).plus(*mods)


@rule(_TABLE)
def out_of_reach(rules: Ruleset, situations: tuple[str, ...] = ()) -> bool:
    """Whether a target cannot be hit: fully hidden by heavy cover."""
    return any(CLOSE.get(rules, situation).safe for situation in situations)


# --- techniques ---------------------------------------------------------------------------------------------------------------


@rule("sil-3.3.4-fast-attacks")
def strikes(rules: Ruleset, speed: Speed = "fast") -> tuple[int, int]:
    """Returns the strikes per attack roll and the modifier: two at -1, three at -2. Each is defended against separately."""
    row = TECHNIQUES.get(rules, speed)
    return row.strikes, row.modifier


@rule("sil-3.3.4-deception")
def deceive(attack: int, defense: int, dice: int = 1) -> tuple[int, int]:
    """Returns the dice of attacker and defender after a deception; a pool without dice is unskilled."""
    if not 0 <= dice <= max(0, attack):
        raise UserError(f"you can give up 0 to {max(0, attack)} dice to deceive, not {dice}")
    return max(0, attack - dice), max(0, defense - dice)


@rule("sil-3.3.4-defend-multiple")
def guard_against_many(rules: Ruleset, level: int, opponents: int = 2) -> int:
    """Returns the dice of a defender who cancels the penalty for being outnumbered: one fewer for each opponent beyond the first.

    A view of what `choose_guard` offers.
    """
    return max(0, level - max(0, opponents - 1))


@rule("sil-3.3.4-combinations")
def combined(rules: Ruleset, level: int, defense: int, speed: Speed = "lightning", deception: int = 1) -> tuple[int, int, int, int]:
    """Combines techniques: strikes, attack penalty, and dice of attack and defense."""
    number, modifier = strikes(rules, speed)
    return (number, modifier, *deceive(level, defense, deception))


# --- the blow -----------------------------------------------------------------------------------------------------------------


class ShieldUp(Struct, frozen=True):
    """A shield used to parry."""

    parry: int
    armor: int


class Blow(Struct, frozen=True, cache_hash=True, kw_only=True, gc=False):
    """A complete blow. Without a defense it is against a Threshold: the target is unwary or an object."""

    attacker: str = "attacker"
    target: str = "defender"
    weapon: str = "fists"
    attack: Side = ONE_DIE
    defense: Side | None = DODGE
    threshold: int = 1
    multiplier: int = 3
    strikes: int = 1
    bruise: bool = False
    nature: Nature = "plain"
    location: Location | None = None
    shield: ShieldUp | None = None
    safe: bool = False
    """Whether no blow can hit the target."""
    waits: bool = False
    """Whether the target was slightly slower and stays conscious until the end of the round."""
    snare: int | None = None
    """To entangle instead of hurting: the value added to the margin for the Threshold to get free."""


class Clash(Struct, frozen=True, gc=False):
    """Result of the rolls: the margin of every strike (0 for a miss), and who dropped the guard."""

    margins: tuple[int, ...]
    open: Open = "nobody"


class Struck(Struct, frozen=True):
    """Result of a blow: the target, the number of hits, and who is open to a Free Strike."""

    victim: Patient
    hits: int
    open: Open = "nobody"
    shield: ShieldUp | None = None
    """The shield used to parry after the blow, if it wore away."""


class Struggle(Event, frozen=True):
    """A blow with the rolls of both sides, the margin of every strike and the damage of the hits."""

    attacker: str
    target: str
    weapon: str
    pool: Pool
    attack: Total
    guard: Pool | None
    defenses: tuple[Total, ...]
    threshold: int
    margins: tuple[int, ...]
    damages: tuple[Derived[int], ...] = ()
    open: Open = "nobody"
    safe: bool = False

    def headline(self) -> str:
        hits = [margin for margin in self.margins if margin > 0]
        words = f"hits {self.target} by {join([str(margin) for margin in hits])}" if hits else f"misses {self.target}"
        both = self.attack.fumble and not hits and any(defense.fumble for defense in self.defenses)  # 2177: if both fumble, nothing happens
        opened = {"nobody": "", "attacker": f"; {self.attacker} stumbles", "defender": f"; {self.target} slips"}[self.open]
        opened = "; both fumble" if both and self.open == "nobody" else opened
        hidden = ", who is fully hidden" if self.safe else ""
        return f"{self.attacker} {words} with {the(self.weapon)}{hidden}{opened}"

    def reasons(self) -> tuple[Reason, ...]:
        attack = sum_of("attack", self.pool, self.attack, "=", _ATTACK)
        if self.guard is None:
            met: tuple[Reason, ...] = (Reason("Threshold", self.threshold, "against", "sil-3.3-unwary-target"),)
        else:
            met = tuple([sum_of("defense", self.guard, defense, "against", _ATTACK) for defense in self.defenses])
        return (attack, *met, *[done.reason for done in self.damages])

    def tone(self) -> str:
        return "bad" if any(self.margins) else "plain"


@rule(_ATTACK)
def who_is_open(attacker_fumbles: bool = True, defender_fumbles: bool = False) -> Open:
    """Returns who is open to a Free Strike: a fighter who fumbles, unless both do."""
    if attacker_fumbles == defender_fumbles:
        return "nobody"
    return "attacker" if attacker_fumbles else "defender"


@rule(_ATTACK, "sil-3.3-advanced-ties-combat")
def blow_margin(attack: int, defense: int) -> int:
    """Returns the margin of a hit; a tie always goes to the defender."""
    return max(0, attack - defense)


def clash(rules: Ruleset, blow: Blow) -> Play[Clash]:
    """Rolls a blow: one attack and a defense against each strike, all at once."""
    attack = blow.attack.pool
    if blow.defense is None:
        rolls: tuple[Roll[Total], ...] = (roll_of(rules, attack, blow.attacker, "attack"),)
        defense = None
    else:
        defense = blow.defense.pool
        if blow.attack.skill and blow.attack.skill == blow.defense.skill:
            attack = attack.plus(opposed_complexity(rules, blow.attack.complexity, blow.defense.complexity)[0])
        guards = [roll_of(rules, defense, blow.target, "defense") for _ in range(blow.strikes)]
        rolls = (roll_of(rules, attack, blow.attacker, "attack"), *guards)
    totals = yield from Together(rolls)
    struck = settled(rules, attack, totals[0])
    met = tuple([settled(rules, defense, candidate) for candidate in totals[1:]]) if defense is not None else ()
    threshold = converted(rules, blow.threshold)
    against = [candidate.total for candidate in met] if met else [threshold] * blow.strikes
    fumbled = struck.fumble and blow.location is None  # 2358: ignored while aiming
    open_ = who_is_open(fumbled, any(candidate.fumble for candidate in met))
    idle = [fumbled and candidate.fumble for candidate in met] or [False] * blow.strikes  # 2177
    margins = [0 if blow.safe or nothing else blow_margin(struck.total, number) for number, nothing in zip(against, idle, strict=True)]
    margins.sort(reverse=True)
    done = (
        () if blow.snare is not None else tuple([blow_damage(rules, blow.multiplier, margin, blow.shield) for margin in margins if margin])
    )
    told = Struggle(
        blow.attacker,
        blow.target,
        blow.weapon,
        attack,
        struck,
        defense,
        met,
        threshold,
        tuple(margins),
        done,
        open_,
        blow.safe,
    )
    yield Tell(told)
    return Clash(tuple(margins), open_)


@rule(_ATTACK)
def strike(rules: Ruleset, blow: Blow, victim: Patient) -> Play[Struck]:
    """Plays a whole blow: the higher total wins, and each hit does the Damage Multiplier times its margin."""
    result = yield from sub(clash, rules, blow)
    hits, shield, unhurt = 0, blow.shield, victim
    if blow.snare is not None:
        if result.margins[0] > 0:
            victim, hits = (yield from entangle(victim, snare_threshold(blow.snare, result.margins[0]))), 1
        yield came_to("entangled" if hits else "miss", SNARING, blow.attacker, blow.target)
        return Struck(victim, hits, result.open)
    for margin in result.margins:
        if margin > 0:
            before = victim
            victim = yield from sub(land_blow, rules, replace(blow, shield=shield), margin, victim)
            shield = worn_shield(rules, shield, margin, "heavy" if victim.deep > before.deep or victim.dead else "light")
            hits += 1
    yield came_to(hit_outcome(unhurt, victim) if hits else "miss", HURTING, blow.attacker, blow.target)
    return Struck(victim, hits, result.open, shield if shield != blow.shield else None)


def entangle(victim: Patient, threshold: int) -> Play[Patient]:
    """Entangles a fighter, who can neither move nor fight until free; a second entanglement does not loosen the first."""
    yield from Tell(Happened(victim.name, f"is entangled (Threshold {threshold} to get free)", "bad"))
    return replace(victim, snared=max(threshold, victim.snared or 0))


@rule("sil-6.4.1-rdf-armor-loss", "sil-a-shields")
def worn_shield(rules: Ruleset, shield: ShieldUp | None, margin: int = 1, damage: Literal["light", "heavy"] = "light") -> ShieldUp | None:
    """Returns a shield after it caught a blow: it loses few points where armor wears away, or more if a Deep Wound or worse came through
    (ruling)."""
    if shield is None or not rules.on("armor-wears-away") or not shield_catches(shield.parry, margin):
        return shield
    return replace(shield, armor=max(0, shield.armor + armor_loss(rules, damage)))


@cached(10_000)
def blow_damage(rules: Ruleset, multiplier: int, margin: int, shield: ShieldUp | None = None) -> Derived[int]:
    """Returns the damage of a hit, after a shield that parried may have absorbed some."""
    done = damage(rules, multiplier, margin)
    if shield is None or not shield_catches(shield.parry, margin):
        return done
    caught = after_shield(done.value, shield.armor)
    return total("damage", term("blow", done), term("caught by the shield", caught - done.value), rule="sil-a-shields")


def land_blow(rules: Ruleset, blow: Blow, margin: int, victim: Patient) -> Play[Patient]:
    """Applies a hit to its victim."""
    done = blow_damage(rules, blow.multiplier, margin, blow.shield).value
    return (yield from take_hit(rules, victim, Hit(done, blow.location, blow.bruise, blow.nature, waits=blow.waits)))


class Outcome(Struct, frozen=True):
    """Result of an attack in one word."""

    outcome: str
    open: Open = "nobody"


@rule(_ATTACK)
def try_blow(
    rules: Ruleset,
    skill: int = 2,
    attribute: int = 0,
    weapon: str = "",
    damage: int = 3,
    complexity: int = 1,
    defense: int = 1,
    defense_attribute: int = 0,
    guard: Guard = "dodge",
    parry_weapon: str = "",
    shield: str = "",
    defense_complexity: int = 1,
    around: Around = FACE_TO_FACE,
    against: Around = FACE_TO_FACE,
    technique: Technique = PLAIN,
    victim: Patient = AVERAGE,
    bruise: bool = False,
) -> Play[Outcome]:
    """Plays a close attack: Melee or Hand-to-Hand against dodge, parry or block. The higher total hits by the margin, a tie misses, a
    fumble allows a Free Strike.

    `damage` is the attacker's Armed or Unarmed Damage; a weapon adds to it. A parry needs a weapon or a shield.

    A view of `strike`.
    """
    row = MELEE.get(rules, weapon) if weapon else None
    mine, theirs = "melee" if row else "hand-to-hand", GUARDS[guard][0]
    up = SHIELDS.get(rules, shield) if shield and guard == "parry" else None
    parry = 0
    if guard == "parry":
        if not parry_weapon and up is None:
            raise UserError("a parry needs a weapon or a shield")
        parry = max([*([MELEE.get(rules, parry_weapon).parry] if parry_weapon else []), *([up.parry] if up else [])])
    attack = blow_pool(rules, skill, attribute, row.accuracy if row else 0, around, technique, STRIKING[mine].capitalize())
    defends = guard_pool(rules, defense, defense_attribute, parry, against, technique.deception, GUARDS[guard][1].capitalize())
    blow = Blow(
        target=victim.name,
        weapon=weapon or "fists",
        attack=Side(attack, mine, skill, complexity, attribute),
        defense=Side(defends, theirs, defense, defense_complexity, defense_attribute),
        multiplier=damage + (row.damage if row else 0),
        strikes=strikes(rules, technique.speed)[0],
        bruise=bruise,
        shield=ShieldUp(up.parry, up.armor) if up else None,
        safe=out_of_reach(rules, against.situations),
    )
    struck = yield from strike(rules, blow, victim)
    return Outcome(hit_outcome(victim, struck.victim) if struck.hits else "miss", struck.open)


# --- targets that do not defend -----------------------------------------------------------------------------------------------


class Lower(Struct, frozen=True):
    """Which of two skills counts from behind."""

    skill: str
    level: int


@rule("sil-3.3-unwary-target", "sil-3.1.2-surprise")
def lower_of_stealth(skill: str = "melee", level: int = 2, stealth: int = 1) -> Lower:
    """Returns the lower of the fighting skill and Stealth, which counts against an unwary target."""
    return Lower("stealth", stealth) if stealth < level else Lower(skill, level)


@rule("sil-3.3-unwary-target", "sil-3.1.2-surprise")
def unwary_threshold(rules: Ruleset, pace: Pace = "stationary", situations: tuple[str, ...] = (), others: int = 0) -> int:
    """Returns the Threshold to hit a target that does not defend: 1 + movement and cover; at least 0.

    A campaign may count all the target's modifiers, including light, position and wounds (ruling "unwary-modifiers").
    """
    everything = rules.word("unwary-modifiers") == "all"
    rows = [CLOSE.get(rules, situation) for situation in situations]
    counted = sum([row.defense for row in rows if everything or row.group == "cover"])
    return max(0, 1 + pace_modifiers(rules, pace).defense_close + counted + (others if everything else 0))


@rule("sil-3.3-object")
def object_threshold(rules: Ruleset, modifiers: int = 0) -> int:
    """Returns the Threshold to hit an object: 1 + modifiers."""
    return max(0, 1 + modifiers)


@rule("sil-3.3-object")
def attack_object(
    rules: Ruleset, level: int = 2, attribute: int = 0, modifiers: int = 0, harder: int = 0, size: Size = "none", by: str = ""
) -> Play[int]:
    """Rolls a blow at an object; returns the margin, 0 for a miss. Small objects need aiming, with fewer dice; then no fumble counts.

    `modifiers` change the roll, `harder` the Threshold.

    By id only.
    """
    pool = Pool(aimed_dice(rules, level, 0, size)).plus(Mod("attribute", attribute, "sil-1.2.4-skill-test"), Mod("situation", modifiers))
    roll = yield from roll_of(rules, pool, by, "attack")
    return blow_margin(roll.total, converted(rules, object_threshold(rules, harder)))
