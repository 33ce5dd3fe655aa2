"""Melee: the attack, the dodge or parry, and the damage (book lines 3114-3189, 3022-3024)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Play, Tell, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.events import Attacked
from rulewright.systems.foresight.combat.fighters import BARE, UNUSED, Fight, Fighter, Light, Range
from rulewright.systems.foresight.gear.armor import ARMOR
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition
from rulewright.systems.foresight.harm.damage import WOUNDING, Blow, be_hit, outcome_of
from rulewright.systems.foresight.people.skills import favor, favor_in_defense, off_hand
from rulewright.systems.foresight.resolution.damage_classes import Aimed, Cover
from rulewright.systems.foresight.resolution.locations import ARMS, LEGS, Location, Side
from rulewright.systems.foresight.resolution.situations import (
    ATTACK,
    DODGE,
    PARRY,
    UNARMED_FIELDS,
    Situation,
    attack_modifiers,
    dodge_modifiers,
    outweighed,
    parry_modifiers,
    situation_mod,
    special_attack,
)
from rulewright.systems.foresight.resolution.tests import BARELY, Mod, Task, attempt, chance_of, oppose, weighed

Guard = Literal["", "dodges", "parries"]
Footwork = Literal["", "back", "squat", "back and squat", "far"]
"""How one dodges: on the spot, giving a meter, dropping to a squat, both, or desperately giving two."""
SOMEBODY_FIGHTING = Task(12, 3)
"""A fighter of some skill, for rules that are asked without naming anybody."""


class Strike(Struct, frozen=True, cache_hash=True, gc=False):
    """A blow with everything decided: both tasks, the damage class, where it is aimed and from which side it comes."""

    attacker: str = "attacker"
    target: str = "target"
    attack: Task = SOMEBODY_FIGHTING
    defense: Task | None = None
    guard: Guard = ""
    dc: str = "5m"
    aimed: Aimed = ""
    side: Side = "front"
    covers: tuple[Cover, ...] = ()
    """What a shield covers besides armor."""
    how: str = "attacks"
    known_to: tuple[str, ...] | None = None
    """People who may know of it; None is everybody."""
    special: bool = False
    """Whether it is after something else than a wound."""


A_BLOW = Strike()


class Met(Struct, frozen=True):
    """An attack's rating, the defense's (0: there was none), and the rating that got through."""

    attack: int
    defense: int
    through: int


class Struck(Struct, frozen=True):
    """What a blow did: the ratings, and the body afterwards."""

    met: Met
    body: Patient


@rule("fs-melee-resolution")
def struck_body(rules: Ruleset, strike: Strike = A_BLOW, victim: Patient = SOMEBODY) -> Play[Patient]:
    """A blow as its victim feels it: what became of the body, whatever the ratings were."""
    return (yield from strike_at(rules, strike, victim)).body


@rule("fs-melee-resolution")
def exchange(rules: Ruleset, strike: Strike = A_BLOW) -> Play[Met]:
    """Both roll at once what they chose before: a defense as good stops the attack, a lesser one weakens it."""
    if strike.defense is None:
        rolled = yield from attempt(rules, strike.attack, strike.attacker, "attack")
        met = Met(rolled.qr, 0, rolled.qr)
    else:
        resists = "parry" if strike.guard == "parries" else "dodge"
        both = yield from oppose(rules, strike.attack, strike.defense, strike.attacker, strike.target, what="attack", resists=resists)
        met = Met(both.attack, both.defense, both.through)
    yield from Tell(
        Attacked(
            attacker=strike.attacker,
            target=strike.target,
            how=strike.how,
            attack=met.attack,
            defense=met.defense,
            guard=strike.guard,
            through=met.through,
            special=strike.special,
            attack_of=weighed(rules, strike.attack),
            defense_of=None if strike.defense is None else weighed(rules, strike.defense),
            known_to=strike.known_to,
        )
    )
    return met


@rule("fs-melee-resolution")
def strike_at(rules: Ruleset, strike: Strike = A_BLOW, victim: Patient = SOMEBODY) -> Play[Struck]:
    """A blow and the wound that follows: what gets through decides how much of the damage class is done."""
    met = yield from exchange(rules, strike)
    body = yield from sub(wound, rules, strike, met.through, victim)
    if met.through > BARELY:
        outcome = "stopped" if met.attack <= BARELY else "miss"
    else:
        outcome = outcome_of(victim, body)
    yield from came_to(outcome, WOUNDING, strike.attacker, strike.target)
    return Struck(met, body)


def wound(rules: Ruleset, strike: Strike, through: int, victim: Patient) -> Play[Patient]:
    """Wounds a body by a rating that got through."""
    if through > BARELY:
        return victim
    shielded = replace(victim, covers=victim.covers + strike.covers) if strike.covers else victim
    after = yield from be_hit(rules, shielded, Blow(strike.dc, through, strike.aimed, strike.side))
    return replace(after, covers=victim.covers) if strike.covers else after


# --- the tasks ----------------------------------------------------------------------------------------------------------------


@cached(4096)
def dim(light: Light, dimness: int, table: str) -> tuple[Situation, ...]:
    """Poor light in one of the tables: five degrees for a shot, half as many for a blow, the worst ones alone for a dodge (ruling)."""
    if light == "normal":
        return ()
    if light == "dark":
        return (Situation("dark"),)
    degree = max(1, min(5, dimness))
    worst = {"fs-ranged-modifiers": -degree, DODGE.rule: 0 if degree <= 2 else -1}.get(table, -1 if degree <= 2 else -2)
    return (Situation("poor light", pick=worst),)


def dimmed(fight: Fight, fighter: Fighter, table: str, seen: Fighter | None = None) -> tuple[Situation, ...]:
    """The modifier for the light on a target; people with night vision see by starlight as others on a clouded day,
    if stars there are."""
    ground = fight.ground
    if fighter.profile.night_vision and ground.starlight:
        return ()
    return dim(fight.light_on(seen or fighter), ground.dimness, table)


BY_LEG = ("kick", "trip")
BY_HEAD = ("headbutt",)
"""Ways to strike with the bare body that take no arm."""


def limbs_of(fight: Fight, fighter: Fighter, weapon: int, way: str = "") -> tuple[Location, ...]:
    """The parts of the body that strike a blow: the arms of the weapon, or a leg, or the head."""
    return _without_arms(fighter, weapon, way) or arms_in_use(fight, fighter, weapon)


def _without_arms(fighter: Fighter, weapon: int, way: str) -> tuple[Location, ...]:
    if weapon == BARE and way in BY_LEG:
        return ("left leg",) if fighter.profile.left_handed else ("right leg",)
    return ("head",) if weapon == BARE and way in BY_HEAD else ()


def open_arms(fight: Fight, fighter: Fighter) -> tuple[Location, ...]:
    """The arms that are free to do something: nothing in the hand, nobody held with it, and nobody's grip on it but a loose one.

    Those that nobody holds at all come first.
    """
    empty = fighter.empty_arms()
    if not empty:
        return ()
    if fighter.pins:
        busy = len([pin for pin in fighter.pins if pin.limb != "legs"])
        empty = empty[: max(0, len(empty) - busy)]
    grips: dict[str, bool] = {pin.limb: pin.grip == "loose" for pin in fight.pinned(fighter.name)}
    return tuple(sorted([arm for arm in empty if grips.get(arm, True)], key=lambda arm: arm in grips)) if grips else empty


def firmly_held(fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    """The limbs that a person's grip keeps from being used."""
    return tuple([pin.limb for pin in fight.pinned(fighter.name) if pin.grip != "loose"])


def arms_in_use(fight: Fight, fighter: Fighter, weapon: int) -> tuple[Location, ...]:
    """The arms that a weapon is used with in their current state: where one is held fast the other does it alone, if it can."""
    if weapon == BARE:
        return open_arms(fight, fighter)[:1] or fighter.arms_of(BARE)
    arms = fighter.arms_of(weapon)
    if len(arms) < 2 or fighter.profile.weapons[weapon].hands != "1-2":
        return arms
    names = firmly_held(fight, fighter)
    return tuple([arm for arm in arms if arm not in names]) or arms if names else arms


def limbs_free(fight: Fight, fighter: Fighter, weapon: int, way: str = "") -> Mod:
    """The modifier for loose grips on the arms; firm ones bar their use altogether."""
    arms = limbs_of(fight, fighter, weapon, way)
    pins = [pin for pin in fight.pinned(fighter.name) if pin.limb in arms and pin.grip == "loose"]
    return Mod("pinned arm", -4 if pins else 0, "fs-close-quarters-pins")


def arm_usable(fight: Fight, fighter: Fighter, weapon: int) -> bool:
    """Whether no grip keeps the arms of a weapon from being used; a blow without one takes an arm that is free."""
    if weapon == BARE and not open_arms(fight, fighter):
        return False
    pinned = fight.pinned(fighter.name)
    arms = arms_in_use(fight, fighter, weapon) if pinned else ()
    for pin in pinned:
        if pin.grip == "restrained" or (pin.limb in arms and pin.grip != "loose"):
            return False
        if pin.limb in ARMS and fighter.profile.weapons[weapon].hands == "2":
            return False
    return True


def style_against(rules: Ruleset, me: Fighter, foe: Fighter, offensive: bool) -> Mod:
    """The modifier of the enemy's exotic style until one knows it: offensive ones hinder dodges and parries, defensive ones attacks."""
    armed = bool(foe.hand or foe.off) and not rules.on("styles-with-weapons")
    if not foe.profile.styles or not foe.style or armed:
        return Mod("style", 0)
    style = foe.profile.styles[foe.style - 1]
    if (style.kind == "offensive") != offensive:
        return Mod("style", 0)
    times = next((count for name, count in me.faced if name == foe.name), 0)
    return style_modifier(rules, style.kind, times >= rules.number("style-familiarity"), foe.body.drunk)


@rule("fs-unarmed-fields")
def style_modifier(
    rules: Ruleset, kind: Literal["offensive", "defensive", "drunken"] = "defensive", familiar: bool = False, drunk: int = 0
) -> Mod:
    """An exotic style's modifier for opponents: 1 until they are used to it. The drunken one works only drunk, 2 at first and then 1."""
    worth = UNARMED_FIELDS.get(rules, f"{kind} style").modifier
    if kind == "drunken":
        value = 0 if not drunk else worth + 1 if familiar else worth
    else:
        value = 0 if familiar else worth
    return Mod(f"{kind} style", value, "fs-unarmed-fields")


def attack_task(
    rules: Ruleset,
    fight: Fight,
    fighter: Fighter,
    other: Fighter,
    *,
    weapon: int,
    way: str = "",
    aimed: Aimed = "",
    aware: bool = True,
    extra: tuple[Mod, ...] = (),
) -> Task:
    """The task of a melee attack in the current state of the fight."""
    at = fighter.at(other)
    owned = fighter.profile.weapons[weapon]
    bite = owned.bite(at) if at is not None else None
    if at is None or (bite is None and way not in ("kick", "headbutt", "lethal strike")):
        raise UserError(f"{owned.name} does not reach {other.name}")
    limbs = limbs_of(fight, fighter, weapon, way)
    both = len(limbs) == 2
    plus = int(both and owned.hands == "1-2" and at != "close")
    pm = bite[0] + plus if bite is not None and way not in ("kick", "headbutt", "lethal strike") else 0
    mods = [
        Mod(f"{owned.name} at {at}", pm, "fs-melee-weapons"),
        Mod("too heavy", owned.heavy[int(both)], "fs-melee-strength"),
        favor(rules, fighter.profile.favored, owned.group),
        limbs_free(fight, fighter, weapon, way),
        style_against(rules, fighter, other, offensive=False),
        Mod("numbed", -1 if any(limb in fighter.numb for limb in limbs) else 0, "fs-special-melee-attacks"),
        *_special_mod(rules, fighter, way),
        *attack_modifiers(rules, tuple(_attack_situations(fight, fighter, other, weapon, aimed=aimed, aware=aware))),
        *extra,
    ]
    if weapon and limbs == (fighter.off_arm,):
        usual = situation_mod(rules, ATTACK.rule, Situation("off-hand")).value
        mods.append(off_hand(rules, fighter.profile.ambidextrous, -1 if owned.group == "shields" else usual))
    return owned.task.plus(*condition(rules, fighter.body, limbs, agility=True), *mods)  # Hand-to-Hand Combat is a matter of agility


def _special_mod(rules: Ruleset, fighter: Fighter, way: str) -> tuple[Mod, ...]:
    if not way:
        return ()
    field = {"strangle": "Capture", "throw as an attack": "Throws", "lethal strike": "Lethal"}.get(way)
    return (special_attack(rules, way, field is None or fighter.profile.knows(field))[0],)


def _attack_situations(fight: Fight, fighter: Fighter, other: Fighter, weapon: int, *, aimed: Aimed, aware: bool) -> list[Situation]:
    situations = list(dimmed(fight, fighter, ATTACK.rule, other))
    stance = {"kneeling": "attacker kneeling", "squatting": "attacker squatting", "prone": "attacker prone", "lying": "attacker prone"}
    if fighter.stance in stance:
        situations.append(Situation(stance[fighter.stance]))
    if other.stance != "standing":
        situations.append(Situation("defender kneeling, squatting or prone"))
    if other.side_of(fighter) == "behind":
        situations.append(Situation("behind the defender"))
    if not aware:
        situations.append(Situation("defender unaware"))
    if other.body.stunned:
        situations.append(Situation("defender stunned"))
    if still(fight, other):
        situations.append(Situation("defender completely still"))
    if other.motion:
        situations.append(Situation("defender moving quickly", pick=-1 if other.motion == "quick" else -3))
    spot = fight.cover_from(fighter, other)
    if spot is not None and not spot.leaves_bare(aimed):
        situations.append(Situation("defender with 1/3 cover" if spot.cover == "1/3 cover" else "defender with 2/3 cover"))
    if other.size in ("tiny", "huge"):
        degree = (other.size_degree + 1) // 2
        situations.append(
            Situation("defender dog-sized to tiny", pick=-degree)
            if other.size == "tiny"
            else Situation("defender horse-sized to enormous", pick=degree)
        )
    if fighter.last_used not in (UNUSED, weapon):
        situations.append(Situation("other weapon just used"))
    if fighter.attacks[weapon]:
        situations.append(Situation("attack before with this weapon", fighter.attacks[weapon]))
    where = aim_word(aimed)
    if where:
        situations.append(Situation(where))
    return situations


def aim_word(aimed: Aimed) -> str:
    """The situation that aiming at a part of the body is."""
    if not aimed:
        return ""
    if aimed == "legs" or aimed in LEGS:
        return "aimed at legs"
    if aimed in ARMS:
        return "aimed at an arm"
    return "aimed at head" if aimed == "head" else "aimed at torso"


def still(fight: Fight, fighter: Fighter) -> bool:
    """Whether a person cannot move at all: senseless, cuffed, or restrained this turn (ruling)."""
    return fighter.out or any(pin.grip == "restrained" for pin in fight.pinned(fighter.name))


def dodge_task(
    rules: Ruleset,
    fight: Fight,
    fighter: Fighter,
    other: Fighter,
    *,
    ground: Footwork = "",
    group: str = "unarmed",
    extra: tuple[Mod, ...] = (),
    by: str = "",
) -> Task:
    """A dodge against an attacker: agility, Hand-to-Hand Combat or Acrobatics, the best of them unless one is named."""
    shared = [
        *dodge_modifiers(rules, tuple(_dodge_situations(fight, fighter, other, ground))),
        Mod("feints", -other.feints, "fs-actions-list"),
        style_against(rules, fighter, other, offensive=True),
        *extra,
        *condition(rules, fighter.body, agility=True),
    ]
    ways = {
        "AG": fighter.profile.agility,
        "Hand-to-Hand Combat": fighter.profile.hth.plus(favor_in_defense(rules, fighter.profile.favored, group)),
        "Acrobatics": fighter.profile.acrobatics.plus(*dodge_modifiers(rules, (Situation("by Acrobatics"),))),
    }
    if by:
        return ways[by].plus(*shared)
    return max([task.plus(*shared) for task in ways.values()], key=lambda task: chance_of(rules, task))


def _dodge_situations(fight: Fight, fighter: Fighter, other: Fighter, ground: Footwork) -> list[Situation]:
    situations = list(dimmed(fight, fighter, DODGE.rule))
    side = fighter.side_of(other)
    if side != "front":
        situations.append(Situation("attack from the side" if side == "side" else "attack from behind"))
    if fighter.stance == "kneeling":
        situations.append(Situation("defender kneeling"))
    if "back" in ground:
        situations.append(Situation("giving ground"))
    if "squat" in ground:
        situations.append(Situation("dropping to a squat"))
    if ground == "far":
        situations.append(Situation("giving ground desperately"))
    if fighter.dodges and not (fighter.bonus == "dodge" and fighter.bonuses):
        situations.append(Situation("dodge before", fighter.dodges))
    return situations


def parry_task(
    rules: Ruleset,
    fight: Fight,
    fighter: Fighter,
    other: Fighter,
    *,
    weapon: int = BARE,
    dc: float = 0,
    group: str = "unarmed",
    extra: tuple[Mod, ...] = (),
) -> Task:
    """A parry with a weapon or a bare arm against a blow of this damage class."""
    owned = fighter.profile.weapons[weapon]
    if owned.parry is None:
        raise UserError(f"{owned.name} cannot parry")
    at = fighter.at(other)
    bite = owned.bite(at) if at is not None else None
    own = bite[1] if bite is not None else max([entry[1] for entry in (owned.close, owned.normal, owned.reach) if entry is not None])
    arms = arms_in_use(fight, fighter, weapon)
    both = len(arms) == 2
    mods = [
        Mod(owned.name, owned.parry, "fs-melee-weapons"),
        Mod("too heavy", owned.heavy[int(both)], "fs-melee-strength"),
        favor_in_defense(rules, fighter.profile.favored, group, owned.group),
        outweighed(rules, dc, own + int(both and owned.hands == "1-2")),
        limbs_free(fight, fighter, weapon),
        Mod("feints", -other.feints, "fs-actions-list"),
        style_against(rules, fighter, other, offensive=True),
        Mod("numbed", -1 if any(arm in fighter.numb for arm in arms) else 0, "fs-special-melee-attacks"),
        *parry_modifiers(rules, tuple(_parry_situations(fight, fighter, other, weapon))),
        *extra,
    ]
    if weapon and arms == (fighter.off_arm,):
        which = Situation("off-hand shield" if owned.group == "shields" else "off-hand weapon")
        mods.append(off_hand(rules, fighter.profile.ambidextrous, situation_mod(rules, PARRY.rule, which).value))
    return owned.task.plus(*condition(rules, fighter.body, arms, agility=True), *mods)


def _parry_situations(fight: Fight, fighter: Fighter, other: Fighter, weapon: int) -> list[Situation]:
    situations = list(dimmed(fight, fighter, PARRY.rule))
    lower = {"kneeling": "kneeling", "squatting": "squatting", "prone": "prone", "lying": "prone"}
    if fighter.stance in lower:
        situations.append(Situation(f"defender {lower[fighter.stance]}"))
    if other.stance in lower:
        situations.append(Situation(f"attacker {lower[other.stance]}"))
    if fighter.side_of(other) == "behind":
        situations.append(Situation("attacker behind"))
    if fighter.last_used not in (UNUSED, weapon):
        situations.append(Situation("other weapon just used"))
    if fighter.parries and not (fighter.bonus == "parry" and fighter.bonuses):
        situations.append(Situation("parry before", fighter.parries))
    return situations


def damage_of(
    rules: Ruleset, fighter: Fighter, at: Range, weapon: int, *, way: str = "", limbs: tuple[Location, ...] = ()
) -> tuple[float, int]:
    """The damage class of a blow and what it pierces: unarmed damage class, weapon, second hand, wind-ups, numbness."""
    limbs = limbs or _without_arms(fighter, weapon, way) or fighter.arms_of(weapon)
    owned = fighter.profile.weapons[weapon]
    bite = owned.bite(at)
    numb = any(limb in fighter.numb for limb in limbs)
    if way in ("kick", "headbutt", "lethal strike"):
        amount, pierces = fighter.profile.unarmed + special_attack(rules, way, trained=True)[1], 0
    else:
        plus = int(len(limbs) == 2 and owned.hands == "1-2")
        amount, pierces = (bite[1] + plus, bite[2]) if bite is not None else (fighter.profile.unarmed, 0)
    return amount + fighter.windups - int(numb), pierces


def written_dc(amount: float, pierces: int = 0) -> str:
    """A melee damage class as it is written."""
    return f"{amount:g}m{f'{pierces}p' if pierces else ''}"


@rule("fs-melee-weapons")
def shield_covers(rules: Ruleset, one: Fighter, against: Fighter | None = None) -> tuple[Cover, ...]:
    """The cover that a shield in hand gives to arm, torso, legs and head, from the front and its own side; wood protects as chainmail."""
    for number in (one.hand, one.off):
        limb, torso, rest = one.profile.weapons[number].covers
        if limb:
            row, arm = ARMOR.get(rules, one.profile.weapons[number].shield), one.arms_of(number)[0]
            if against is not None and one.side_of(against) == "side" and one.flank_of(against) != arm:
                torso = rest = 0
            places = [(arm, limb), ("chest", torso), ("abdomen", torso)]
            places += [(place, rest) for place in ("left leg", "right leg", "head") if rest]
            return tuple([Cover(where, tenths, row.melee, row.impact, row.beam, behind=0) for where, tenths in places])
    return ()
