"""Powers that protect: what each is against, and how much it stops (book lines 6270-6278, 6356-6368, 6606-6648, 6848-6876, 7044-7052,
7216-7228, 7282-7284)."""

from msgspec import Struct

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, term, times, total
from rulewright.systems.ore.powers.catalogue import SPECTRUM, effect_named, rules_of
from rulewright.systems.ore.resolution.tests import Mod

BANDS = {"light": "visible light", "microwave": "microwave"}
SWEPT = "all of it, swept"
Against = str
"""What a ward is held against: a nature of powers, `bullet`, `impact`, or `detection`."""


class Ward(Struct, frozen=True, cache_hash=True):
    """A power that protects somebody: the effect, the Width it was raised with, and the band it is tuned to."""

    effect: str
    width: int
    band: str = ""


STATIC = (Ward("Static Shield", 3),)


@rule("ore-5.04-effects-electrokinesis", "ore-5.04-effects-psychokinesis")
def ward_armour(rules: Ruleset, wards: tuple[Ward, ...] = STATIC, against: Against = "electricity") -> Derived[int]:
    """The AR that wards give against something: the Width of each that is made for it. A shield of the spectrum stops its own band
    alone, and nothing while it is swept over all of it."""
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
    """The dice that wards take from somebody who uses an effect on whoever is behind them: as many as each was wide. A Static Shield
    takes them from what goes for nerves, and is armour against the rest."""
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
    """What a Psi Cloak takes from whoever looks for somebody by psi: a die for each point of Width; nothing where he can be seen.

    By id only.
    """
    return Mod("Psi Cloak", 0 if in_sight else -width, "ore-5.04-effects-clairsentience")


@rule("ore-5.04-effects-electrokinesis")
def scanner_dice(armour: int = 3) -> Mod:
    """What a Static Shield takes from scanners: a die for each point of its AR. By id only."""
    return Mod("Static Shield", -armour, "ore-5.04-effects-electrokinesis")


@rule("ore-5.04-effects-electrokinesis")
def contact_dice(width: int = 3, band: str = SWEPT) -> Mod:
    """What an E-M Shield that is swept over all bands takes from radio, radar and infra-red: a die for each point of Width. By id only."""
    return Mod("E-M Shield", -width if band == SWEPT else 0, "ore-5.04-effects-electrokinesis")


def bands() -> tuple[str, ...]:
    """What an E-M Shield can be tuned to; the swept one last."""
    return (*SPECTRUM, SWEPT)


@rule("ore-5.04-effects-clairsentience")
def hindered_senses(penalty: int = 2, psi: int = 3) -> Derived[int]:
    """What Sense Mastery leaves of a Difficulty or a penalty for darkness, glare, noise, silence, gravity or slick ground: one less at
    Psi 1 or 2, half of it (rounded down) at 3 or 4, nothing from 5 on."""
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
    """By how many degrees Refraction bends light: 18 for each point of Height. By id only."""
    return total("Degrees", term("per point of Height", 18), times("Height", height), rule="ore-5.04-effects-electrokinesis")


@rule("ore-5.04-effects-electrokinesis")
def bent_away(height: int = 6) -> int:
    """The Difficulty of attacks on somebody whose light is bent, for whoever knows of it and uses no psi: the Height. It also is how
    many metres off he seems to be."""
    return height


@rule("ore-5.04-effects-electrokinesis")
def out_of_sight(height: int = 9) -> bool:
    """Whether light goes all round what is inside: at a Height of 9 or 10. Perception at 5 sees the ripple, at 3 when it moves."""
    return height >= 9
