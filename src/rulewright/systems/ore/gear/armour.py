"""Shields and armour: protection, wear and weight (book lines 4539-4713).

`stopped` is the step between an attack and `body.damage`: how much Kill and Shock comes through. Protection of a piece (`protection`),
PEN (`pierced`), minimum damage (`bruising`) and wear (`worn_down`) are separate steps, so that the book's options combine.
"""

import re
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, nearest, rule
from rulewright.rules.reasons import Derived, Reason, total
from rulewright.systems.ore.harm.body import Dealt
from rulewright.systems.ore.harm.locations import ARMS, LEGS, LOCATIONS, Location

Trait = Literal["", "weak", "hardened"]
Split = tuple[tuple[str, int], ...]
"""Protection by damage class letter."""
WEARS_AT = {"weak": 3, "": 4, "hardened": 5}
"""The Width that takes a point off armour."""


class LightHeavyRow(TableRow, frozen=True):
    """Armour by material: light (LAR) and heavy (HAR) rating."""

    armour: str
    heavy: int
    light: int


class StrongerRow(TableRow, frozen=True):
    """Armour rated from 1 to 6, with protection by damage class."""

    armour: str
    rating: int
    split: str


class BurdenRow(TableRow, frozen=True):
    """The weight of armour on a location: rating minus a number (rated 1-3), or a share of it minus a number (rated 1-6)."""

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
    """A piece of armour on a location: rating, material, protection by class, and lost points."""

    location: Location
    name: str = "light"
    rating: int = 1
    light: int = 0
    heavy: int = 0
    split: Split = ()
    trait: Trait = ""
    lost: int = 0


class Protection(Struct, frozen=True, cache_hash=True, gc=False):
    """All protection of a body: armour by location, and a shield with its second location."""

    pieces: tuple[Piece, ...] = ()
    shield: int = 0
    shield_arm: Location = "left arm"
    covers: Location | None = None
    natural: Split = ()
    """Natural protection against a damage class, everywhere."""

    def piece(self, location: Location) -> Piece | None:
        """The armour of a location; the torso's covers the vital part too (ruling)."""
        for piece in self.pieces:
            if piece.location == location:
                return piece
        return self.piece("torso") if location == "vital" else None

    def shielded(self, location: Location) -> int:
        """Protection by the shield at a location."""
        return self.shield if location in (self.shield_arm, self.covers) else 0

    def put(self, piece: Piece) -> "Protection":
        """The same with one changed piece."""
        return replace(self, pieces=tuple([piece if candidate.location == piece.location else candidate for candidate in self.pieces]))


BARE = Protection()


class Hit(Struct, frozen=True, gc=False):
    """A hit: damage, Width, PEN and damage class."""

    kill: int
    shock: int
    width: int = 2
    pen: int = 0
    damage_class: str = "I"


class Stops(NamedTuple):
    """Protection against each form of damage."""

    kill: int = 0
    shock: int = 0


# --- what there is to wear ----------------------------------------------------------------------------------------------------

_RATED = re.compile(r"ar (\d)(?: \(([a-z]\d(?:-[a-z]\d)*)\))?")
_MADE = re.compile(r"(?:har (\d))?(?: ?\+ ?)?(?:lar (\d))?")


@cached(4_000)
def piece_of(rules: Ruleset, location: Location, written: str) -> Piece:
    """A piece of armour from its notation: `light`, `chain mail`, `kevlar, hardened`, `AR 3 (C3-I1-P2)`, `HAR 2 + LAR 1`."""
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
    """Light and heavy rating, doubled if armour is rated 1 to 6; unlisted armour is light if rated so (ruling)."""
    row, twice = LIGHT_HEAVY(rules).get(name), 2 if rules.on("stronger-armour") else 1
    if row is not None:
        return row.light * twice, row.heavy * twice
    return (rating, 0) if rating <= twice else (0, rating)


@rule("ore-4.08-armour")
def armour_rating(rules: Ruleset, name: str = "medium") -> int:
    """Light armour is 1, medium 2, heavy 3, by location; a named armour has half its rating from 1 to 6, rounded up (ruling: chain mail,
    rated 3, is medium)."""
    return CLASSES.of(rules, name) if name in CLASSES(rules) else -(-_named(rules, name).rating // 2)


@rule("ore-4.08-opt12-stronger-armour")
@instead_of(armour_rating, "stronger-armour")
def stronger_rating(rules: Ruleset, name: str = "medium") -> int:
    """Armour from 1 to 6 by the list, one piece per location; light, medium and heavy are 2, 4 and 6 (ruling)."""
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
    """The armour and shield of a file; `all` means every location, `arms` and `legs` both."""
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
    """The damage that comes through: armour and shield reduce Kill and Shock and add up (ruling)."""
    return through(rules, hit, worn.piece(location), worn.shielded(location), resisted(rules, hit, worn, location))


@rule("ore-2.33-preternatural-resistance")
def resisted(rules: Ruleset, hit: Hit, worn: Protection = BARE, location: Location = "torso") -> int:
    """Protection by Preternatural Resistance against this class, added to armour (ruling)."""
    return dict(worn.natural).get(hit.damage_class, 0)


@rule("ore-4.08-armour", "ore-4.08-shields")
def through(rules: Ruleset, hit: Hit, piece: Piece | None = None, shield: int = 0, extra: int = 0) -> Dealt:
    """The damage through armour, shield and other protection (cover, natural resistance: `extra`). PEN reduces worn armour first, then
    the rest (ruling)."""
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
    """A piece of armour reduces both forms of damage by its rating."""
    rating = pierced(rules, max(0, piece.rating - piece.lost), hit.pen)
    return Stops(rating, rating)


@rule("ore-4.08-opt11-lar-har")
@instead_of(protection, "light-and-heavy-armour")
def light_and_heavy(rules: Ruleset, piece: Piece, hit: Hit) -> Stops:
    """Heavy armour stops Kill and Shock, light armour only Shock; PEN and wear reduce the heavy rating first (ruling)."""
    heavy = pierced(rules, max(0, piece.heavy - piece.lost), hit.pen)
    light = max(0, piece.light - max(0, piece.lost - piece.heavy))
    return Stops(heavy, light + heavy)


@rule("ore-4.08-opt14-damage-class")
@instead_of(protection, "damage-classes")
def by_class(rules: Ruleset, piece: Piece, hit: Hit) -> Stops:
    """Armour stops what its split says for the class, and nothing of other classes. Armour without a split stops all alike (ruling)."""
    if hit.damage_class not in DAMAGE_CLASSES(rules):
        raise UserError(f"there is no damage class {hit.damage_class!r}; choose {join(tuple(DAMAGE_CLASSES(rules)), 'or')}")
    whole = dict(piece.split).get(hit.damage_class, 0) if piece.split else piece.rating
    rating = pierced(rules, max(0, whole - piece.lost), hit.pen)
    return Stops(rating, rating)


@rule("ore-4.08-opt16-penetration")
def pierced(rules: Ruleset, rating: int = 3, pen: int = 2) -> int:
    """The rating left after PEN: unchanged without the option."""
    return rating


@rule("ore-4.08-opt16-penetration")
@instead_of(pierced, "penetration")
def penetrated(rules: Ruleset, rating: int = 3, pen: int = 2) -> int:
    """PEN reduces the rating for this blow, down to 0."""
    return max(0, rating - pen)


@rule("ore-4.08-opt10-minimum-damage")
def bruising(rules: Ruleset, hit: Hit, left: Dealt) -> Dealt:
    """Damage that passes armour anyway: none without the option."""
    return left


@rule("ore-4.08-opt10-minimum-damage")
@instead_of(bruising, "minimum-damage")
def minimum_damage(rules: Ruleset, hit: Hit, left: Dealt) -> Dealt:
    """Stopped Kill becomes Shock, up to the Width of the attack."""
    return Dealt(left.kill, left.shock + min(hit.kill - left.kill, hit.width))


# --- wear and weight ----------------------------------------------------------------------------------------------------------


@rule("ore-4.08-opt15-ablative")
def worn_down(rules: Ruleset, piece: Piece, width: int = 4) -> Piece:
    """Wear of armour: none without the option."""
    return piece


@rule("ore-4.08-opt15-ablative")
@instead_of(worn_down, "ablative-armour")
def ablated(rules: Ruleset, piece: Piece, width: int = 4) -> Piece:
    """A blow of Width 4 takes a point off the armour it hits; weak armour at 3, hardened at 5. The damage is computed first (ruling)."""
    most = max(piece.rating, piece.light + piece.heavy)
    return replace(piece, lost=piece.lost + 1) if width >= WEARS_AT[piece.trait] and piece.lost < most else piece


def struck(rules: Ruleset, worn: Protection, location: Location, width: int) -> Protection:
    """The protection after a blow of this Width on a location."""
    piece = worn.piece(location)
    after = worn_down(rules, piece, width) if piece is not None else None
    return worn if after is None or after is piece else worn.put(after)


WEIGHTLESS: Derived[int] = total("Encumbrance", rule="ore-4.08-opt13-encumbrance")


@rule("ore-4.08-opt13-encumbrance")
def encumbrance(rules: Ruleset, worn: Protection) -> Derived[int]:
    """Encumbrance: none without the option."""
    return WEIGHTLESS


@rule("ore-4.08-opt13-encumbrance")
@instead_of(encumbrance, "encumbering-armour")
def armour_weight(rules: Ruleset, worn: Protection) -> Derived[int]:
    """The weight of each piece by rating (the heavy one of two) and location; both arms and both legs count once (ruling), by the
    heavier piece."""
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
    """The weight of armour of a rating on a location."""
    row = BURDENS.get(rules, location)
    if not rules.on("stronger-armour"):
        return max(0, rating - row.less)
    share = -(-rating // row.six_divided_by) if row.six_rounded == "up" else rating // row.six_divided_by
    return max(0, share - row.six_less)


@rule("ore-4.08-opt13-encumbrance")
def athletic_difficulty(encumbrance: int = 3, conditioning: int = 0) -> int:
    """The Difficulty of athletic actions (not attacks and parries) under encumbrance; Armour Conditioning reduces it."""
    return min(10, max(1, encumbrance - conditioning))


@rule("ore-4.08-opt13-encumbrance")
def encumbered(encumbrance: int = 5, body: int = 3) -> bool:
    """Encumbrance above Body: no swimming, and it tires like exertion."""
    return encumbrance > body
