"""Shields and armour: what they stop, how they wear, and what they weigh (book lines 4539-4713).

`stopped` is the step between an attack and `body.damage`: it says how much Kill and Shock comes through. What a piece of armour stops
(`protection`), what a weapon's PEN does (`pierced`), what comes through all the same (`bruising`) and what a blow does to the armour
(`worn_down`) are steps of their own, so that the book's options can be combined.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.rules.reasons import Derived, Reason, total
from rulewright.systems.ore.harm.body import Dealt
from rulewright.systems.ore.harm.locations import ARMS, LEGS, LOCATIONS, Location

Trait = Literal["", "weak", "hardened"]
Split = tuple[tuple[str, int], ...]
"""What an armour stops of each class of damage, by its letter."""
WEARS_AT = {"weak": 3, "": 4, "hardened": 5}
"""The Width that takes a point off an armour."""


class LightHeavyRow(TableRow, frozen=True):
    """An armour by what it is made of: light (LAR) and heavy (HAR) rating."""

    armour: str
    heavy: int
    light: int


class StrongerRow(TableRow, frozen=True):
    """An armour rated from 1 to 6, and what it stops of each class of damage."""

    armour: str
    rating: int
    split: str


class BurdenRow(TableRow, frozen=True):
    """What armour on a part of the body weighs: its rating less so much (rated 1-3), or a share of it less so much (rated 1-6)."""

    location: Literal["head", "torso", "arms", "legs"]
    less: int
    six_less: int = 0
    six_divided_by: int = 1
    six_rounded: Literal["up", "down"] = "up"


class DamageClassRow(TableRow, frozen=True):
    """A class of damage."""

    code: str
    name: str
    examples: tuple[str, ...]


CLASSES = Column("ore-4.08-armour", "armour", rating=int)
"""A weight of armour and its rating."""
SHIELDS = Column("ore-4.08-shields", "shield", rating=int)
"""A shield and its rating."""
LIGHT_HEAVY = Table("ore-4.08-opt11-lar-har", LightHeavyRow)
STRONGER = Table("ore-4.08-opt12-stronger-armour", StrongerRow)
BURDENS = Table("ore-4.08-opt13-encumbrance", BurdenRow)
DAMAGE_CLASSES = Table("ore-4.08-opt14-damage-class", DamageClassRow)


class Piece(Struct, frozen=True, cache_hash=True, gc=False):
    """A piece of armour on a part of the body: its rating, what it is made of, what it stops of each class, and points it has lost."""

    location: Location
    name: str = "light"
    rating: int = 1
    light: int = 0
    heavy: int = 0
    split: Split = ()
    trait: Trait = ""
    lost: int = 0


class Protection(Struct, frozen=True, cache_hash=True, gc=False):
    """Everything that stands between a body and a blow: armour by part, and a shield with the part it covers beside its arm."""

    pieces: tuple[Piece, ...] = ()
    shield: int = 0
    shield_arm: Location = "left arm"
    covers: Location | None = None
    natural: Split = ()
    """What the body itself stops of a class of damage, wherever it is struck."""

    def piece(self, location: Location) -> Piece | None:
        """The armour on a part of the body; the torso's covers the vital part too (ruling)."""
        for piece in self.pieces:
            if piece.location == location:
                return piece
        return self.piece("torso") if location == "vital" else None

    def shielded(self, location: Location) -> int:
        """What the shield stops there."""
        return self.shield if location in (self.shield_arm, self.covers) else 0

    def put(self, piece: Piece) -> "Protection":
        """The same with one piece changed."""
        return replace(self, pieces=tuple([piece if candidate.location == piece.location else candidate for candidate in self.pieces]))


BARE = Protection()


class Hit(Struct, frozen=True, gc=False):
    """An attack that has found its mark: the damage it brings, its Width, its PEN and its class of damage."""

    kill: int
    shock: int
    width: int = 2
    pen: int = 0
    damage_class: str = "I"


class Stops(NamedTuple):
    """How much an armour takes from each form of damage."""

    kill: int = 0
    shock: int = 0


# --- what there is to wear ----------------------------------------------------------------------------------------------------

_RATED = re.compile(r"ar (\d)(?: \(([a-z]\d(?:-[a-z]\d)*)\))?")
_MADE = re.compile(r"(?:har (\d))?(?: ?\+ ?)?(?:lar (\d))?")


@lru_cache(maxsize=4_000)
def piece_of(rules: Ruleset, location: Location, written: str) -> Piece:
    """A piece of armour as a sheet has it: `light`, `chain mail`, `kevlar, hardened`, `AR 3 (C3-I1-P2)`, `HAR 2 + LAR 1`."""
    name, _, trait = (part.strip() for part in written.lower().partition(","))
    if trait not in WEARS_AT:
        raise UserError(f"armour on the {location}: {trait!r} is not a trait; choose weak or hardened")
    kind: Trait = trait  # type: ignore[assignment]
    if match := _RATED.fullmatch(name):
        rating = int(match[1])
        split = split_of(match[2]) if match[2] else ()
        return Piece(location, name, rating, *_made_of(rules, name, rating), split, kind)
    if (match := _MADE.fullmatch(name)) and (match[1] or match[2]):
        heavy, light = int(match[1] or 0), int(match[2] or 0)
        return Piece(location, name, max(heavy, light), light, heavy, (), kind)
    rating = armour_rating(rules, name)
    row = STRONGER(rules).get(name)
    split = split_of(row.split) if row is not None else ()
    if not rules.on("stronger-armour"):
        split = tuple([(code, -(-value // 2)) for code, value in split])
    return Piece(location, name, rating, *_made_of(rules, name, rating), split, kind)


def split_of(written: str) -> Split:
    """`C3-I1-P2` as letters with numbers."""
    return tuple([(part[0].upper(), int(part[1:])) for part in written.split("-")]) if written else ()


def _made_of(rules: Ruleset, name: str, rating: int) -> tuple[int, int]:
    """Light and heavy rating, twice that where armour is rated 1 to 6; what the list does not name is light if rated so (ruling)."""
    row, twice = LIGHT_HEAVY(rules).get(name), 2 if rules.on("stronger-armour") else 1
    if row is not None:
        return row.light * twice, row.heavy * twice
    return (rating, 0) if rating <= twice else (0, rating)


@rule("ore-4.08-armour")
def armour_rating(rules: Ruleset, name: str = "medium") -> int:
    """Light armour is rated 1, medium 2 and heavy 3, in pieces bought for each part of the body; a named armour has half of its
    rating from 1 to 6, rounded up (ruling: chain mail, rated 3 there, is called medium)."""
    return CLASSES.of(rules, name) if name in CLASSES(rules) else -(-_named(rules, name).rating // 2)


@rule("ore-4.08-opt12-stronger-armour")
@instead_of(armour_rating, "stronger-armour")
def stronger_rating(rules: Ruleset, name: str = "medium") -> int:
    """Armour is rated from 1 to 6 by the list, one piece for each part and none above another; light, medium and heavy are 2, 4 and 6
    (ruling)."""
    return CLASSES.of(rules, name) * 2 if name in CLASSES(rules) else _named(rules, name).rating


def _named(rules: Ruleset, name: str) -> StrongerRow:
    rows = STRONGER(rules)
    if name not in rows:
        raise UserError(f"there is no armour {name!r}{nearest(name, [*rows, *CLASSES(rules)])}")
    return rows[name]


@rule("ore-4.08-shields")
def shield_rating(rules: Ruleset, shield: str = "medium") -> int:
    """Small shields are rated 1, medium 2, large 3."""
    return SHIELDS.of(rules, shield)


def worn(rules: Ruleset, armour: dict[str, str], shield: str = "", shield_arm: str = "left arm") -> Protection:
    """What somebody wears and carries, as the file has it; `all` stands for every part of the body, `arms` and `legs` for both;
    an empty one is none."""
    pieces: dict[Location, Piece] = {}
    groups: dict[str, tuple[Location, ...]] = {
        "arms": ARMS,
        "legs": LEGS,
        "all": tuple([LOCATION for LOCATION in LOCATIONS if LOCATION != "vital"]),
    }
    for place, written in sorted(armour.items(), key=lambda item: item[0] != "all"):
        if not written:
            continue  # nothing, or what is worn everywhere
        result = groups.get(place) or tuple([LOCATION for LOCATION in LOCATIONS if place == LOCATION])
        if not result:
            raise UserError(f"armour: {place!r} is not a part of the body; choose {join([*LOCATIONS, *groups], 'or')}")
        for location in result:
            pieces[location] = piece_of(rules, location, written)
    arm: Location = "right arm" if shield_arm == "right arm" else "left arm"
    return Protection(tuple(pieces.values()), shield_rating(rules, shield) if shield else 0, arm)


# --- what is stopped ----------------------------------------------------------------------------------------------------------


@rule("ore-4.08-armour", "ore-4.08-shields")
def stopped(rules: Ruleset, hit: Hit, worn: Protection = BARE, location: Location = "torso") -> Dealt:
    """What comes through: armour and shield each take their rating from Kill and from Shock, down to nothing; they add up (ruling)."""
    return through(rules, hit, worn.piece(location), worn.shielded(location), resisted(rules, hit, worn, location))


@rule("ore-2.33-preternatural-resistance")
def resisted(rules: Ruleset, hit: Hit, worn: Protection = BARE, location: Location = "torso") -> int:
    """What Preternatural Resistance to this class of damage stops, beside whatever is worn (ruling: they add up)."""
    return dict(worn.natural).get(hit.damage_class, 0)


@rule("ore-4.08-armour", "ore-4.08-shields")
def through(rules: Ruleset, hit: Hit, piece: Piece | None = None, shield: int = 0, extra: int = 0) -> Dealt:
    """What a piece of armour, a shield and whatever else adds to the rating (cover, a body that resists: `extra`) let through.

    PEN goes through what is worn first, and what is left of it lowers the rest too (ruling).
    """
    stops = protection(rules, piece, hit) if piece is not None else Stops()
    if extra and hit.pen:
        whole = protection(rules, piece, replace(hit, pen=0)).kill if piece is not None else 0
        extra = pierced(rules, extra, max(0, hit.pen - whole))
    kill, shock = stops.kill + extra, stops.shock + extra
    if rules.word("shield-beside-armour") == "the better counts":
        kill, shock = max(kill, shield), max(shock, shield)
    else:
        kill, shock = kill + shield, shock + shield
    left = Dealt(max(0, hit.kill - kill), max(0, hit.shock - shock))
    return bruising(rules, hit, left)


@rule("ore-4.08-armour")
def protection(rules: Ruleset, piece: Piece, hit: Hit) -> Stops:
    """A piece of armour takes its rating from both forms of damage."""
    rating = pierced(rules, max(0, piece.rating - piece.lost), hit.pen)
    return Stops(rating, rating)


@rule("ore-4.08-opt11-lar-har")
@instead_of(protection, "light-and-heavy-armour")
def light_and_heavy(rules: Ruleset, piece: Piece, hit: Hit) -> Stops:
    """Heavy armour stops Kill and Shock, light armour Shock alone; PEN lowers the heavy rating only (ruling), and so does wear first."""
    heavy = pierced(rules, max(0, piece.heavy - piece.lost), hit.pen)
    light = max(0, piece.light - max(0, piece.lost - piece.heavy))
    return Stops(heavy, light + heavy)


@rule("ore-4.08-opt14-damage-class")
@instead_of(protection, "damage-classes")
def by_class(rules: Ruleset, piece: Piece, hit: Hit) -> Stops:
    """An armour stops what its split says for the class of damage; a class that is not in it is not stopped. Armour without a split
    stops all alike (ruling)."""
    if hit.damage_class not in DAMAGE_CLASSES(rules):
        raise UserError(f"there is no damage class {hit.damage_class!r}; choose {join(tuple(DAMAGE_CLASSES(rules)), 'or')}")
    whole = dict(piece.split).get(hit.damage_class, 0) if piece.split else piece.rating
    rating = pierced(rules, max(0, whole - piece.lost), hit.pen)
    return Stops(rating, rating)


@rule("ore-4.08-opt16-penetration")
def pierced(rules: Ruleset, rating: int = 3, pen: int = 2) -> int:
    """What is left of a rating against a PEN: all of it, unless the campaign plays with penetration."""
    return rating


@rule("ore-4.08-opt16-penetration")
@instead_of(pierced, "penetration")
def penetrated(rules: Ruleset, rating: int = 3, pen: int = 2) -> int:
    """PEN lowers the rating for this blow alone, down to nothing."""
    return max(0, rating - pen)


@rule("ore-4.08-opt10-minimum-damage")
def bruising(rules: Ruleset, hit: Hit, left: Dealt) -> Dealt:
    """What armour stops is gone, unless the campaign plays with minimum damage."""
    return left


@rule("ore-4.08-opt10-minimum-damage")
@instead_of(bruising, "minimum-damage")
def minimum_damage(rules: Ruleset, hit: Hit, left: Dealt) -> Dealt:
    """Kill that was stopped comes through as Shock, as much of it as the Width of the attack."""
    return Dealt(left.kill, left.shock + min(hit.kill - left.kill, hit.width))


# --- wear and weight ----------------------------------------------------------------------------------------------------------


@rule("ore-4.08-opt15-ablative")
def worn_down(rules: Ruleset, piece: Piece, width: int = 4) -> Piece:
    """Armour keeps its rating, unless the campaign plays with ablative armour."""
    return piece


@rule("ore-4.08-opt15-ablative")
@instead_of(worn_down, "ablative-armour")
def ablated(rules: Ruleset, piece: Piece, width: int = 4) -> Piece:
    """A blow of Width 4 takes a point off the armour it strikes, whatever its damage; weak armour loses it at 3, hardened at 5.

    The damage of that blow is worked out first (ruling), and no armour falls below nothing.
    """
    most = max(piece.rating, piece.light + piece.heavy)
    return replace(piece, lost=piece.lost + 1) if width >= WEARS_AT[piece.trait] and piece.lost < most else piece


def struck(rules: Ruleset, worn: Protection, location: Location, width: int) -> Protection:
    """What somebody wears after a blow of this Width on a part of the body."""
    piece = worn.piece(location)
    after = worn_down(rules, piece, width) if piece is not None else None
    return worn if after is None or after is piece else worn.put(after)


WEIGHTLESS: Derived[int] = total("Encumbrance", rule="ore-4.08-opt13-encumbrance")


@rule("ore-4.08-opt13-encumbrance")
def encumbrance(rules: Ruleset, worn: Protection) -> Derived[int]:
    """Armour weighs nothing that would matter, unless the campaign plays with encumbering armour."""
    return WEIGHTLESS


@rule("ore-4.08-opt13-encumbrance")
@instead_of(encumbrance, "encumbering-armour")
def armour_weight(rules: Ruleset, worn: Protection) -> Derived[int]:
    """Each piece weighs by its rating (the heavy one, where armour has two) and its place; both arms count once, and so do both legs
    (ruling), by the heavier piece."""
    terms = []
    for row in BURDENS(rules).values():
        places: tuple[Location, ...] = {"arms": ARMS, "legs": LEGS}.get(row.location, (row.location,))  # type: ignore[arg-type]
        pieces = [piece for piece in worn.pieces if piece.location in places]
        ratings = [piece.heavy if rules.on("light-and-heavy-armour") else piece.rating for piece in pieces]
        weight = burden(rules, row.location, max(ratings)) if ratings else 0
        if weight:
            terms.append(Reason(f"{row.location}, rating {max(ratings)}", weight, "+", "ore-4.08-opt13-encumbrance"))
    return total("Encumbrance", *terms, rule="ore-4.08-opt13-encumbrance")


@rule("ore-4.08-opt13-encumbrance")
def burden(rules: Ruleset, location: Literal["head", "torso", "arms", "legs"] = "torso", rating: int = 3) -> int:
    """What armour of a rating weighs on a part of the body: by one column where armour is rated 1-3, by the other where 1-6."""
    row = BURDENS.get(rules, location)
    if not rules.on("stronger-armour"):
        return max(0, rating - row.less)
    share = -(-rating // row.six_divided_by) if row.six_rounded == "up" else rating // row.six_divided_by
    return max(0, share - row.six_less)


@rule("ore-4.08-opt13-encumbrance")
def athletic_difficulty(encumbrance: int = 3, conditioning: int = 0) -> int:
    """The Difficulty of everything athletic (not of attacks and parries) under an encumbrance; Armour Conditioning takes off its level."""
    return min(10, max(1, encumbrance - conditioning))


@rule("ore-4.08-opt13-encumbrance")
def encumbered(encumbrance: int = 5, body: int = 3) -> bool:
    """More encumbrance than Body: nobody swims like that, and it tires like exertion."""
    return encumbrance > body
