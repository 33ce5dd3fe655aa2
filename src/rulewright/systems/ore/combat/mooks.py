"""Mooks: foes without names, who fight as one pool of dice (book lines 5416-5459)."""

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
"""Metres within which blows can be exchanged."""


THREATS = Column("ore-4.19-mooks", "threat", int, examples=tuple[str, ...])
"""A Threat Rating and who has it."""


class Mob(Struct, frozen=True, cache_hash=True, gc=False):
    """A group of mooks: their Threat Rating, what is left of each one's, the strongest first, and what they wear and carry."""

    name: str = "mooks"
    threat: int = 2
    ratings: tuple[int, ...] = ()
    room: int | None = None
    """How many of them have room to attack; all, where nothing is said."""
    armour: int = 0
    kill: int = 0
    shock: int = 0
    """What their weapons add to Width."""
    damage_class: Class = "I"
    weapon: Weapon = BARE_HANDS
    """How they fight: hand to hand, or from as far as this carries."""

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
        """The same group with these ratings left."""
        return replace(self, ratings=tuple(sorted([rating for rating in ratings if rating > 0], reverse=True)))


def mob(
    threat: int = 2, number: int = 7, name: str = "mooks", room: int | None = None, *, armour: int = 0, kill: int = 0, shock: int = 0
) -> Mob:
    """A group that has not been touched."""
    return Mob(name, threat, (threat,) * number, room, armour, kill, shock)


PUNKS = mob()
"""Seven of them, where nobody says more."""


# --- their attack -------------------------------------------------------------------------------------------------------------


@rule("ore-4.19-mooks")
def mook_pool(rules: Ruleset, threat: int = 2, mooks: int = 7) -> Derived[int]:
    """Every mook that can attack adds its Threat Rating to one pool, however large; 15 dice of it are rolled.

    A view of the dice of mooks in fights.
    """
    THREATS.get(rules, str(threat))
    most = at_most(MOST_ROLLED, rule="ore-4.19-mooks")
    return total("Dice", term("mooks that can attack", mooks), times("Threat Rating", threat), most, rule="ore-4.19-mooks")


@rule("ore-4.19-mooks")
def pool_left(mooks: Mob = PUNKS) -> int:
    """The whole pool, also what is above 15: what is left of the ratings of those who have room to attack, the strongest first."""
    return sum(mooks.ratings[: mooks.room] if mooks.room is not None else mooks.ratings)


@rule("ore-4.19-mooks")
def mook_dice(mooks: Mob = PUNKS, more: int = 0) -> int:
    """The dice that a group rolls: its pool, and never more than 15; the excess only counts once enough of them are gone.

    `more` is what range gives or takes.
    """
    return max(0, min(MOST_ROLLED, pool_left(mooks) + more))


@rule("ore-4.19-mooks", "ore-4.09c-range")
def mook_range(rules: Ruleset, mooks: Mob = PUNKS, metres: int = 10) -> Mod | None:
    """What the distance to the nearest of those whom they attack gives or takes; None where it is too far (ruling: mooks carry as far as
    somebody of Body 3, and fight hand to hand within two metres)."""
    weapon = mooks.weapon
    ranges = ranges_of(rules, weapon) if not weapon.close else None
    if ranges is None:
        return Mod("hand to hand", 0) if metres <= WITHIN_REACH else None
    return range_dice(rules, metres, ranges) if metres <= ranges.long else None


@rule("ore-4.19-mooks")
def mook_attack(rules: Ruleset, mooks: Mob = PUNKS, by: str = "", more: int = 0) -> Play[tuple[Set, ...]]:
    """One roll for the whole group: every set is an attack on somebody, the widest first. `more` is what range gives or takes."""
    dice = mook_dice(mooks, more)
    if dice == 0:
        return ()
    fell = yield from Roll(Sets(dice, sides(rules)), by or mooks.name, "an attack of mooks")
    return mook_sets(rules, fell, mooks.threat)


@rule("ore-4.19-mook-tuning")
def mook_sets(rules: Ruleset, sets: tuple[Set, ...] = ((5, 7), (2, 3)), threat: int = 2) -> tuple[Set, ...]:
    """Sets wider than the mooks' Threat Rating are broken up into smaller ones, as few dice wasted as can be; never below two (ruling).

    A campaign can let them stand (setting mook-width-limit).
    """
    return thinned(sets, threat) if rules.on("mook-width-limit") else tuple(sets)


@rule("ore-4.19-mooks", "ore-4.19-mook-tuning")
def mook_blow(mooks: Mob = PUNKS, width: int = 2) -> Blow:
    """A mook's attack does its Width in Kill and in Shock, and whatever their weapons add."""
    return Blow(width, width + mooks.kill, width + mooks.shock, damage_class=mooks.damage_class)


# --- taking them out ----------------------------------------------------------------------------------------------------------


@rule("ore-4.19-mook-damage")
def hit_mook(rules: Ruleset, mooks: Mob, hit: Hit, height: int = 5, which: int = 0, cover: int = 0) -> Mob:
    """Every point of Kill or Shock that gets through armour (ruling: both are summed) takes one from a mook's Threat Rating.

    At nothing it is out. What is more is lost: an attack takes one mook out at most. `which` counts from the strongest, and `cover`
    is armour that they hide behind.
    """
    _there(mooks, which)
    number = came_through(rules, mooks, hit, cover)
    ratings = list(mooks.ratings)
    ratings[which] -= number
    return mooks.left(ratings)


@rule("ore-4.19-mook-damage", "ore-4.19-mook-tuning")
def came_through(rules: Ruleset, mooks: Mob, hit: Hit, cover: int = 0) -> int:
    """Kill and Shock together that get through the mooks' armour, by whatever rules armour has in the campaign."""
    piece = piece_of(rules, "torso", f"ar {mooks.armour}") if mooks.armour else None
    return sum(through(rules, hit, piece, extra=cover))


@rule("ore-4.19-opt27-simple-mooks")
@instead_of(hit_mook, "simple-mooks")
def take_out(rules: Ruleset, mooks: Mob, hit: Hit, height: int = 5, which: int = 0, cover: int = 0) -> Mob:
    """A mook keeps its whole Threat Rating until one attack is as wide or as high as that; then it is out. Nothing less harms it."""
    _there(mooks, which)
    ratings = list(mooks.ratings)
    if max(hit.width, height) >= ratings[which]:
        del ratings[which]
    return mooks.left(ratings)


@rule("ore-4.19-mook-damage")
def all_hurt(rules: Ruleset, mooks: Mob = PUNKS, points: int = 1) -> Mob:
    """What hurts every mook of a group takes so much from each one's Threat Rating, whatever they wear."""
    return mooks.left([left - max(0, points) for left in mooks.ratings])


@rule("ore-4.19-opt27-simple-mooks")
@instead_of(all_hurt, "simple-mooks")
def all_taken_out(rules: Ruleset, mooks: Mob = PUNKS, points: int = 1) -> Mob:
    """Where a mook is out or unhurt, so much at once takes those out whose whole Threat Rating it reaches (ruling)."""
    return mooks.left([left for left in mooks.ratings if points < left])


def _there(mooks: Mob, which: int) -> None:
    if not 0 <= which < mooks.number:
        raise UserError(f"there is no mook {which}, only {count(mooks.number, 'mook')}")


@rule("ore-4.20-morale-mooks")
def flee(rules: Ruleset, mooks: Mob = PUNKS, width: int = 4, height: int = 5) -> Mob:
    """A Morale Attack drives as many mooks away as it is wide, of those whose Threat Rating it reaches; the weakest run first (ruling)."""
    ratings = list(mooks.ratings)
    run = [left for left in ratings if frightened(rules, width, height, left, 1)]
    for left in sorted(run)[:width]:
        ratings.remove(left)
    return mooks.left(ratings)
