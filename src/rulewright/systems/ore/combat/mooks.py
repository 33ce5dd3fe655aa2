"""Mooks: unnamed opponents who fight as one pool (book lines 5416-5459)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sets import Set, Sets
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Roll
from rulewright.rules import Column, Ruleset, instead_of, rule
from rulewright.rules.reasons import Derived, at_most, term, times, total
from rulewright.systems.ore.combat.morale import frightened
from rulewright.systems.ore.gear.armour import Hit, piece_of, through
from rulewright.systems.ore.gear.armoury import ranges_of
from rulewright.systems.ore.gear.missiles import range_dice
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Blow, Class, Weapon
from rulewright.systems.ore.resolution.outcomes import sides
from rulewright.systems.ore.resolution.salvos import thinned
from rulewright.systems.ore.resolution.tests import Mod

MOST_ROLLED = 15
MOST_MOOKS = 200
MOST_THREAT = 5
WITHIN_REACH = 2
"""Metres within close combat reach."""


THREATS = Column("ore-4.19-mooks", "threat", int, examples=tuple[str, ...])
"""A Threat Rating with examples."""


class Mob(Struct, frozen=True, cache_hash=True, gc=False):
    """A group of mooks: Threat Rating, the rest of each (strongest first), armour and weapons."""

    name: str = "mooks"
    threat: int = 2
    ratings: tuple[int, ...] = ()
    room: int | None = None
    """How many have room to attack; None for all."""
    armour: int = 0
    kill: int = 0
    shock: int = 0
    """What their weapons add to Width."""
    damage_class: Class = "I"
    weapon: Weapon = BARE_HANDS
    """How they fight: in close combat, or at this range."""

    def __post_init__(self) -> None:
        if not 1 <= self.threat <= MOST_THREAT:
            raise UserError(f"a Threat Rating goes from 1 to {MOST_THREAT}, not {self.threat}")
        if len(self.ratings) > MOST_MOOKS or any(not 1 <= left <= self.threat for left in self.ratings):
            raise UserError(f"a group has at most {MOST_MOOKS} mooks, each with a Threat Rating from 1 to {self.threat}")
        if min(self.kill, self.shock) < 0 or not 0 <= self.armour <= 9:
            raise UserError("the weapons of mooks add 0 or more to Width, and their armour is rated from 0 to 9")

    @property
    def number(self) -> int:
        """How many are still in the fight."""
        return len(self.ratings)

    @property
    def out(self) -> bool:
        """Whether nobody is left."""
        return not self.ratings

    def left(self, ratings: list[int]) -> "Mob":
        """The same group with these ratings."""
        return replace(self, ratings=tuple(sorted([rating for rating in ratings if rating > 0], reverse=True)))


def mob(
    threat: int = 2, number: int = 7, name: str = "mooks", room: int | None = None, *, armour: int = 0, kill: int = 0, shock: int = 0
) -> Mob:
    """A fresh group."""
    return Mob(name, threat, (threat,) * number, room, armour, kill, shock)


PUNKS = mob()
"""The default of seven mooks."""


# --- their attack -------------------------------------------------------------------------------------------------------------


@rule("ore-4.19-mooks")
def mook_pool(rules: Ruleset, threat: int = 2, mooks: int = 7) -> Derived[int]:
    """Every mook that can attack adds its Threat Rating to one pool; at most 15 dice are rolled. A view of the dice of mooks in fights."""
    THREATS.get(rules, str(threat))
    most = at_most(MOST_ROLLED, rule="ore-4.19-mooks")
    return total("Dice", term("mooks that can attack", mooks), times("Threat Rating", threat), most, rule="ore-4.19-mooks")


@rule("ore-4.19-mooks")
def pool_left(mooks: Mob = PUNKS) -> int:
    """The whole pool, even above 15: the ratings of those with room to attack, strongest first."""
    return sum(mooks.ratings[: mooks.room] if mooks.room is not None else mooks.ratings)


@rule("ore-4.19-mooks")
def mook_dice(mooks: Mob = PUNKS, more: int = 0) -> int:
    """The dice of a group: its pool, at most 15. `more` is the modifier for range."""
    return max(0, min(MOST_ROLLED, pool_left(mooks) + more))


@rule("ore-4.19-mooks", "ore-4.09c-range")
def mook_range(rules: Ruleset, mooks: Mob = PUNKS, metres: int = 10) -> Mod | None:
    """The modifier for the distance to the nearest target; None if too far (ruling: mooks shoot as far as a Body of 3 and fight within
    two metres)."""
    weapon = mooks.weapon
    ranges = ranges_of(rules, weapon) if not weapon.close else None
    if ranges is None:
        return Mod("hand to hand", 0) if metres <= WITHIN_REACH else None
    return range_dice(rules, metres, ranges) if metres <= ranges.long else None


@rule("ore-4.19-mooks")
def mook_attack(rules: Ruleset, mooks: Mob = PUNKS, by: str = "", more: int = 0) -> Play[tuple[Set, ...]]:
    """One roll for the group: every set is an attack, widest first. `more` is the modifier for range."""
    dice = mook_dice(mooks, more)
    if dice == 0:
        return ()
    fell = yield from Roll(Sets(dice, sides(rules)), by or mooks.name, "an attack of mooks")
    return mook_sets(rules, fell, mooks.threat)


@rule("ore-4.19-mook-tuning")
def mook_sets(rules: Ruleset, sets: tuple[Set, ...] = ((5, 7), (2, 3)), threat: int = 2) -> tuple[Set, ...]:
    """Breaks up sets wider than the Threat Rating with as few wasted dice as possible, never below two (ruling; setting
    mook-width-limit)."""
    return thinned(sets, threat) if rules.on("mook-width-limit") else tuple(sets)


@rule("ore-4.19-mooks", "ore-4.19-mook-tuning")
def mook_blow(mooks: Mob = PUNKS, width: int = 2) -> Blow:
    """A mook's attack deals its Width in Kill and Shock, plus its weapon."""
    return Blow(width, width + mooks.kill, width + mooks.shock, damage_class=mooks.damage_class)


# --- taking them out ----------------------------------------------------------------------------------------------------------


@rule("ore-4.19-mook-damage")
def hit_mook(rules: Ruleset, mooks: Mob, hit: Hit, height: int = 5, which: int = 0, cover: int = 0) -> Mob:
    """Each point of Kill or Shock after armour (ruling: summed) takes one from a mook's Threat Rating; at 0 it is out. The rest is lost.
    `which` counts from the strongest, and `cover` is armour."""
    _there(mooks, which)
    number = came_through(rules, mooks, hit, cover)
    ratings = list(mooks.ratings)
    ratings[which] -= number
    return mooks.left(ratings)


@rule("ore-4.19-mook-damage", "ore-4.19-mook-tuning")
def came_through(rules: Ruleset, mooks: Mob, hit: Hit, cover: int = 0) -> int:
    """Kill and Shock together that get through the mooks' armour."""
    piece = piece_of(rules, "torso", f"ar {mooks.armour}") if mooks.armour else None
    return sum(through(rules, hit, piece, extra=cover))


@rule("ore-4.19-opt27-simple-mooks")
@instead_of(hit_mook, "simple-mooks")
def take_out(rules: Ruleset, mooks: Mob, hit: Hit, height: int = 5, which: int = 0, cover: int = 0) -> Mob:
    """A mook is out if the Width or Height of one attack reaches its Threat Rating; otherwise it is unharmed."""
    _there(mooks, which)
    ratings = list(mooks.ratings)
    if max(hit.width, height) >= ratings[which]:
        del ratings[which]
    return mooks.left(ratings)


@rule("ore-4.19-mook-damage")
def all_hurt(rules: Ruleset, mooks: Mob = PUNKS, points: int = 1) -> Mob:
    """Takes an amount from the Threat Rating of every mook, ignoring armour."""
    return mooks.left([left - max(0, points) for left in mooks.ratings])


@rule("ore-4.19-opt27-simple-mooks")
@instead_of(all_hurt, "simple-mooks")
def all_taken_out(rules: Ruleset, mooks: Mob = PUNKS, points: int = 1) -> Mob:
    """Simplified mooks: an amount takes out all whose Threat Rating it reaches (ruling)."""
    return mooks.left([left for left in mooks.ratings if points < left])


def _there(mooks: Mob, which: int) -> None:
    if not 0 <= which < mooks.number:
        raise UserError(f"there is no mook {which}, only {count(mooks.number, 'mook')}")


@rule("ore-4.20-morale-mooks")
def flee(rules: Ruleset, mooks: Mob = PUNKS, width: int = 4, height: int = 5) -> Mob:
    """A Morale Attack makes Width mooks flee if it reaches their Threat Rating; the weakest first (ruling)."""
    ratings = list(mooks.ratings)
    run = [left for left in ratings if frightened(rules, width, height, left, 1)]
    for left in sorted(run)[:width]:
        ratings.remove(left)
    return mooks.left(ratings)
