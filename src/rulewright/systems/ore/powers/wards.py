"""Wards: what they stop and how much (book lines 6270-6278, 6356-6368, 6606-6648, 6848-6876, 7044-7052, 7216-7228, 7282-7284)."""

from msgspec import Struct

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, term, times, total
from rulewright.systems.ore.powers.catalogue import SPECTRUM, effect_named, rules_of
from rulewright.systems.ore.resolution.tests import Mod

BANDS = {"light": "visible light", "microwave": "microwave"}
SWEPT = "all of it, swept"
Against = str
"""What a ward can stop: a nature of powers, `bullet`, `impact`, or `detection`."""


class Ward(Struct, frozen=True, cache_hash=True):
    """A ward: effect, Width and band."""

    effect: str
    width: int
    band: str = ""


STATIC = (Ward("Static Shield", 3),)


@rule("ore-5.04-effects-electrokinesis", "ore-5.04-effects-psychokinesis")
def ward_armour(rules: Ruleset, wards: tuple[Ward, ...] = STATIC, against: Against = "electricity") -> Derived[int]:
    """The AR of wards against something: the Width of each that applies. A spectrum shield stops only its band, and nothing while swept."""
    terms = [term(ward.effect, ward.width, rule=rules_of(rules)[ward.effect]) for ward in wards if _armours(rules, ward, against)]
    return total("AR of wards", *terms, rule="ore-5.04-effects-electrokinesis")


def _armours(rules: Ruleset, ward: Ward, against: str) -> bool:
    row = effect_named(rules, ward.effect)
    if row.ward not in ("armour", "both") or against not in row.stops:
        return False
    if row.ward == "both" and against == "nerves":  # which it takes in dice from the roll, one for one
        return False
    return not row.band or ward.band == BANDS.get(against, "")


@rule("ore-5.04-effects-redaction", "ore-5.04-effects-telepathy", "ore-5.04-effects-electrokinesis")
def ward_dice(rules: Ruleset, wards: tuple[Ward, ...] = STATIC, effect: str = "Disruption") -> tuple[Mod, ...]:
    """Dice that wards take from an effect on the protected: the Width of each. A Static Shield takes them from effects on nerves and is
    armour against others."""
    natures = effect_named(rules, effect).nature
    mods = []
    for ward in wards:
        row = effect_named(rules, ward.effect)
        stops = ("nerves",) if row.ward == "both" else row.stops if row.ward == "dice" else ()
        if set(natures) & set(stops):
            mods.append(Mod(ward.effect, -ward.width, rules_of(rules)[ward.effect]))
    return tuple(mods)


@rule("ore-5.04-effects-clairsentience")
def cloaked_dice(width: int = 3, in_sight: bool = False) -> Mod:
    """The penalty of a Psi Cloak to find somebody by psi: a die per Width; none in plain sight. By id only."""
    return Mod("Psi Cloak", 0 if in_sight else -width, "ore-5.04-effects-clairsentience")


@rule("ore-5.04-effects-electrokinesis")
def scanner_dice(armour: int = 3) -> Mod:
    """The penalty of a Static Shield to scanners: a die per AR. By id only."""
    return Mod("Static Shield", -armour, "ore-5.04-effects-electrokinesis")


@rule("ore-5.04-effects-electrokinesis")
def contact_dice(width: int = 3, band: str = SWEPT) -> Mod:
    """The penalty of a swept E-M Shield to radio, radar and infra-red: a die per Width. By id only."""
    return Mod("E-M Shield", -width if band == SWEPT else 0, "ore-5.04-effects-electrokinesis")


def bands() -> tuple[str, ...]:
    """The bands of an E-M Shield; swept comes last."""
    return (*SPECTRUM, SWEPT)


@rule("ore-5.04-effects-clairsentience")
def hindered_senses(penalty: int = 2, psi: int = 3) -> Derived[int]:
    """Sense Mastery reduces hindrances of the senses: by one at Psi 1 or 2, by half (rounded down) at 3 or 4, completely from 5."""
    rule_id, whole = "ore-5.04-effects-clairsentience", term("hindrance", penalty)
    if psi <= 0 or penalty <= 0:
        return total("Hindrance", whole, rule=rule_id)
    if psi <= 2:
        return total("Hindrance", whole, less("Sense Mastery", 1), at_least(0), rule=rule_id)
    if psi <= 4:
        return total("Hindrance", whole, divided("Sense Mastery", 2), rounded_down(), rule=rule_id)
    return total("Hindrance", whole, less("Sense Mastery", penalty), rule=rule_id)


@rule("ore-5.04-effects-electrokinesis")
def warped(height: int = 6) -> Derived[int]:
    """Degrees of Refraction: 18 per Height. By id only."""
    return total("Degrees", term("per point of Height", 18), times("Height", height), rule="ore-5.04-effects-electrokinesis")


@rule("ore-5.04-effects-electrokinesis")
def bent_away(height: int = 6) -> int:
    """The Difficulty to attack a target with bent light, without psi: the Height; also the metres it seems off."""
    return height


@rule("ore-5.04-effects-electrokinesis")
def out_of_sight(height: int = 9) -> bool:
    """Whether light goes around the target: Height 9 or 10. Perception at 5 sees the ripple, at 3 when it moves."""
    return height >= 9
