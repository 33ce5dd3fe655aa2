"""Damage classes, armor and wound levels (book lines 2628-2726, 3628-3636, 3879-3881, 3930)."""

import re
from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.sums import Banded
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.play.cache import cached
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.foresight.resolution.locations import Location, Side
from rulewright.systems.foresight.resolution.tests import BARELY, D10, half_up, random_quality, yield_of

DamageType = Literal["", "m", "i", "b"]
"""Melee, impact, beam; none where it does not matter."""

_DC = re.compile(r"(?:dc)?\s*(?:(\d{1,2})x)?(\+)?(-?\d{1,4}(?:\.\d{1,4})?)([mib]?)(s?)(?:(\d{1,3})p)?", re.ASCII | re.IGNORECASE)
_PROTECTION = re.compile(r"(\d{1,3})?(A{0,9})", re.ASCII)


class DamageClass(Struct, frozen=True):
    """How much harm an attack can do, of which kind, and how much armor it pierces."""

    amount: float
    type: DamageType = ""
    stun: bool = False
    pierces: int = 0
    hits: int = 1
    added: bool = False
    """Whether it is added to the wielder's unarmed damage class."""

    def __str__(self) -> str:
        hits = f"{self.hits}x" if self.hits > 1 else ""
        pierces = f"{self.pierces}p" if self.pierces else ""
        return f"{hits}{'+' if self.added else ''}{self.amount:g}{self.type}{'s' if self.stun else ''}{pierces}"

    def plus(self, more: float) -> "DamageClass":
        """The same with a higher or lower class."""
        return replace(self, amount=self.amount + more)


@cached(4096)
def parse_dc(text: str) -> DamageClass:
    """A damage class as the book writes it: 6i, +3m2p, 5is, DC8b2p, 2x16b."""
    match = _DC.fullmatch(text.strip())
    if match is None:
        raise UserError(
            f"cannot read the damage class {text!r}: write 6i, +3m2p, 5is or 2x16b (m melee, i impact, b beam, s stun, 2p pierces 2)"
        )
    hits, plus, amount, kind, stun, pierces = match.groups()
    return DamageClass(
        amount=float(amount),
        type=cast(DamageType, kind.lower()),
        stun=bool(stun),
        pierces=int(pierces or 0),
        hits=int(hits or 1),
        added=bool(plus),
    )


@rule("fs-dc-notation")
def damage_class(rules: Ruleset, text: str = "6i", unarmed: float = 0) -> DamageClass:
    """A damage class as written; one with a plus in front is added to the wielder's unarmed damage class. A view of `parse_dc`."""
    result = parse_dc(text)
    return replace(result, amount=result.amount + unarmed, added=False) if result.added else result


# --- armor --------------------------------------------------------------------------------------------------------------------


class Protection(Struct, frozen=True):
    """What armor takes off: from the damage class, and wound levels absorbed outright (the As)."""

    number: int = 0
    absorbs: int = 0

    def __str__(self) -> str:
        return f"{self.number}{'A' * self.absorbs}"


NOTHING = Protection()


@cached(1024)
def parse_protection(text: str) -> Protection:
    """Protection as the book writes it: 3A, 2AA, A, 4; nothing is none."""
    match = _PROTECTION.fullmatch(text.strip())
    if match is None:
        raise UserError(f"cannot read the protection {text!r}: write a number and As, such as 3A, 2AA or 4")
    return Protection(int(match[1] or 0), len(match[2]))


@rule("fs-armor-protection")
def protection(rules: Ruleset, layers: tuple[str, ...] = ("3A",), pierces: int = 0) -> Protection:
    """The protection of layers of armor and barriers in a row: they add up, and piercing is spent once, on the number first, then on As."""
    parts = [parse_protection(layer) for layer in layers if layer]
    if not parts:
        return NOTHING
    if rules.word("layered-armor") == "best":
        whole = max(parts, key=lambda part: (part.number + 2 * part.absorbs, part.absorbs))
    else:
        whole = Protection(sum([part.number for part in parts]), sum([part.absorbs for part in parts]))
    spent = min(whole.number, pierces)
    return Protection(whole.number - spent, max(0, whole.absorbs - (pierces - spent)))


class Cover(Struct, frozen=True):
    """Protection of one location: the layer by kind of damage, and how many tenths it covers, by where the attack comes from."""

    location: Location
    tenths: int
    melee: str = ""
    impact: str = ""
    beam: str = ""
    side: int | None = None
    behind: int | None = None
    above: int | None = None

    def against(self, type: DamageType, stun: bool = False) -> str:
        """The protection against a kind of damage; stun meets the impact rating, and a kind not named the melee one."""
        if stun:
            return self.impact
        return {"m": self.melee, "i": self.impact, "b": self.beam, "": self.melee}[type]

    def coverage(self, side: Side) -> int:
        """Tenths covered from a side."""
        special = {"front": None, "side": self.side, "behind": self.behind, "above": self.above}[side]
        return self.tenths if special is None else special


@cached(64)
def coverage_reading(tenths: int) -> Banded:
    """A d10 for whether armor that covers so many tenths was hit: a roll of that or less."""
    return Banded(D10, ((1, tenths, "covered"), (tenths + 1, 10, "bare")))


@rule("fs-armor-locations")
def covered(rules: Ruleset, tenths: int = 9, by: str = "") -> Play[bool]:
    """Whether armor that covers so many tenths of a location is in the way of a blow to it: a d10 no higher."""
    if tenths >= 10 or tenths <= 0:
        return tenths >= 10
    return (yield from Roll(coverage_reading(tenths), by, "armor in the way")) == "covered"


# --- from damage class to wounds ----------------------------------------------------------------------------------------------


class Harm(Struct, frozen=True):
    """What a hit does: wound levels (or stun points), and whether it may stun."""

    levels: int
    stuns: bool

    def __str__(self) -> str:
        return str(self.levels) if self.levels else "S" if self.stuns else "–"


SCALES = Column("fs-damage-scale", "thing", ds=float)
"""The damage scale of something well known."""


@rule("fs-damage-scale")
def wound_levels(rules: Ruleset, dc: float, qr: int, ds: float = 1) -> int:
    """The yield of half the damage class, over the damage scale, to the nearest whole number."""
    if ds <= 0:
        raise UserError(f"a damage scale is more than 0, not {ds:g}")
    share = yield_of(rules, qr)
    return half_up(float(share.numerator * dc / share.denominator / (2 * ds))) if qr <= BARELY else 0


@instead_of(wound_levels, "damage-scale", "table")
def wound_levels_by_table(rules: Ruleset, dc: float, qr: int, ds: float = 1) -> int:
    """The damage class is divided by the damage scale first, rounded, and then read in the table."""
    if ds <= 0:
        raise UserError(f"a damage scale is more than 0, not {ds:g}")
    share = yield_of(rules, qr)
    return half_up(float(share.numerator * half_up(dc / ds) / share.denominator / 2)) if qr <= BARELY else 0


@rule("fs-damage-formula")
def damage(rules: Ruleset, dc: float, qr: int, ds: float = 1, number: int = 0, absorbs: int = 0) -> Harm:
    """The harm of a hit: armor's number lowers the damage class, its yield over twice the damage scale is wound levels, As absorb.

    A hit without a wound may still stun, except DC0 at QR4; below DC0 there is no effect (ruling).
    """
    if qr > BARELY:
        return Harm(0, stuns=False)
    effective = dc - number
    if effective < 0:
        return Harm(0, rules.word("below-zero-damage") == "stun")
    levels = wound_levels(rules, effective, qr, ds)
    if levels == 0:
        return Harm(0, effective > 0 or qr < BARELY)
    left = max(0, levels - absorbs)
    return Harm(left, left > 0 or rules.on("absorbed-blow-stuns"))


@rule("fs-damage-without-qr")
def random_damage(rules: Ruleset, dc: float, ds: float = 1, number: int = 0, absorbs: int = 0) -> Play[Harm]:
    """Damage that no roll decided takes the yield of a random quality rating. A view of `damage`."""
    qr = yield from random_quality(rules, "", "damage")
    return damage(rules, dc, qr, ds, number, absorbs=absorbs)


# --- where it lands -----------------------------------------------------------------------------------------------------------


class LocationRow(TableRow, frozen=True):
    """A part of the body, the rolls that hit it, and what being stunned by a blow to it does."""

    location: Location
    d10: tuple[int, int]
    vital: bool
    limb: bool
    stunned: str


HIT_LOCATIONS = Table("fs-hit-location", LocationRow)
TORSO = Banded(D10, ((1, 4, "abdomen"), (5, 10, "chest")))
"""Two in five for the abdomen and three in five for the chest, as among the rolls 3 to 7 of the table."""
LEG = Banded(D10, ((1, 5, "left leg"), (6, 10, "right leg")))
Aimed = Literal["", "torso", "legs", "head", "chest", "abdomen", "left arm", "right arm", "left leg", "right leg"]


@cached(64)
def location_reading(rules: Ruleset) -> Banded:
    """The d10 of the hit location table."""
    return Banded(D10, tuple([(row.d10[0], row.d10[1], row.location) for row in HIT_LOCATIONS(rules).values()]))


@rule("fs-hit-location")
def locate(rules: Ruleset, aimed: Aimed = "", by: str = "") -> Play[Location]:
    """Where a blow lands: what it was aimed at, or a d10. The torso is chest or abdomen as often as in the table (ruling)."""
    reading = {"": location_reading(rules), "torso": TORSO, "legs": LEG}.get(aimed)
    if reading is None:
        return aimed  # type: ignore[return-value]
    return (yield from Roll(reading, by, "hit location"))  # type: ignore[return-value]


VITAL_HIT = Figures("fs-vital-hit-extra")


@cached(64)
def vital_reading(rules: Ruleset) -> Banded:
    """The d10 that makes a wound to a vital place a level worse."""
    upto = max(0, min(10, VITAL_HIT.of(rules, "worse up to")))
    bands = ((1, upto, "worse"), (upto + 1, 10, "as it is"))
    return Banded(D10, tuple([band for band in bands if band[0] <= band[1]]))


@rule("fs-vital-hit-extra")
def vital_extra(rules: Ruleset, location: Location = "chest", levels: int = 1, by: str = "") -> Play[int]:
    """A wound to head, chest or abdomen is a level worse on 1 or 2 of a d10, where the campaign plays so."""
    if levels <= 0 or not rules.on("vital-hits") or not HIT_LOCATIONS.get(rules, location).vital:
        return levels
    return levels + ((yield from Roll(vital_reading(rules), by, "vital hit")) == "worse")
