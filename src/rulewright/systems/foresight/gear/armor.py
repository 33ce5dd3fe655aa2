"""Armor: materials, coverage and hindrance (book lines 3875-3985)."""

from msgspec import Struct, field

from rulewright.dice.limits import bound
from rulewright.rules import Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_most, divided, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.characters import Worn
from rulewright.systems.foresight.resolution.damage_classes import Cover
from rulewright.systems.foresight.resolution.locations import ARMS, LEGS, Location
from rulewright.systems.foresight.resolution.tests import Mod, half_up


class ArmorRow(TableRow, frozen=True):
    """A kind of armor: protection by kind of damage, hindrance, base weight and base cost."""

    armor: str
    melee: str
    impact: str
    beam: str
    hinders: int
    kg: float
    cost: float
    tl: float


class PieceRow(TableRow, frozen=True):
    """A piece of armor: tenths covered of each location, and its factors for weight and cost."""

    piece: str
    kg: float
    cost: float
    covers: dict[Location, int] = field(default_factory=dict)
    side: int | None = None
    behind: int | None = None
    above: int | None = None
    perception: int = 0
    hinders: bool = True


class ExoskeletonRow(TableRow, frozen=True):
    """A powered frame."""

    exoskeleton: str
    armor: float
    move: int
    st: int
    dc: int
    stamina: int
    kwh: float
    kg: float
    tl: float
    cost: float


ARMOR = Table("fs-armor-list", ArmorRow)
PIECES = Table("fs-armor-locations", PieceRow)
EXOSKELETONS = Table("fs-exoskeletons", ExoskeletonRow)

WEAR = Figures("fs-armor-wear")
GLOVES = "Gloves"


def covers_of(rules: Ruleset, worn: tuple[Worn, ...]) -> tuple[Cover, ...]:
    """The cover of armor pieces; with sleeves that leave the hands bare, gloves cover the rest of the arms and are no second layer."""
    pieces = [(ARMOR.get(rules, candidate.armor), PIECES.get(rules, candidate.piece)) for candidate in worn]
    gloves = next((piece.covers for _, piece in pieces if piece.piece == GLOVES), {})
    sleeves = {arm: 10 - gloves[arm] for arm in ARMS if arm in gloves}
    gloved = any(piece.covers.get(arm) == tenths for _, piece in pieces for arm, tenths in sleeves.items())
    result = []
    for armor, piece in pieces:
        if gloved and piece.piece == GLOVES:
            continue
        for location, tenths in piece.covers.items():
            whole = 10 if tenths == sleeves.get(location) else tenths
            result.append(
                Cover(
                    location=location,
                    tenths=whole,
                    melee=armor.melee,
                    impact=armor.impact,
                    beam=armor.beam,
                    side=piece.side,
                    behind=piece.behind,
                    above=piece.above,
                )
            )
    return tuple(result)


@rule("fs-armor-wear")
def armor_weight(rules: Ruleset, armor: str = "Silkweave", piece: str = "Vest") -> Derived[float]:
    """The weight of a piece: the armor's base weight times the factor of what it covers. Worn, it counts half."""
    base, factor = ARMOR.get(rules, armor).kg, PIECES.get(rules, piece).kg
    return total(f"{armor} {piece}, kg", term("base weight", base), term(piece, factor, "×"), rule="fs-armor-wear")


@rule("fs-armor-wear")
def armor_cost(rules: Ruleset, armor: str = "Silkweave", piece: str = "Vest") -> Derived[float]:
    """The cost of a piece: the armor's base cost times the factor of what it covers."""
    base, factor = ARMOR.get(rules, armor).cost, PIECES.get(rules, piece).cost
    return total(f"{armor} {piece}, svu", term("base cost", base), term(piece, factor, "×"), rule="fs-armor-wear")


class Hindrance(Struct, frozen=True):
    """What armor costs on tasks of agility, dexterity and perception."""

    agility: int = 0
    dexterity: int = 0
    perception: int = 0

    def mods(self) -> tuple[Mod, Mod, Mod]:
        """The three as modifiers."""
        return (
            Mod("armor on the legs", self.agility, "fs-armor-wear"),
            Mod("armor on the arms", self.dexterity, "fs-armor-wear"),
            Mod("helmet", self.perception, "fs-armor-locations"),
        )


@rule("fs-armor-wear")
def hindrance(rules: Ruleset, worn: tuple[Worn, ...] = (), level: int = 0) -> Hindrance:
    """Armor hinders agility where it covers legs and dexterity where it covers arms, the worst piece counting (ruling).

    Every four levels of Armor/Exoskeleton, to the nearest, cancel a point.
    """
    bound("a skill level", level, 0, 100)
    agility = dexterity = perception = 0
    for candidate in worn:
        armor, piece = ARMOR.get(rules, candidate.armor), PIECES.get(rules, candidate.piece)
        perception = min(perception, piece.perception)
        if not piece.hinders:
            continue
        if any(leg in piece.covers for leg in LEGS):
            agility = min(agility, armor.hinders)
        if any(arm in piece.covers for arm in ARMS):
            dexterity = min(dexterity, armor.hinders)
    eased = half_up(level / levels_a_point(rules))
    return Hindrance(min(0, agility + eased), min(0, dexterity + eased), perception)


def levels_a_point(rules: Ruleset) -> int:
    """How many levels of Armor/Exoskeleton cancel a point of hindrance."""
    return WEAR.of(rules, "levels a point", least=1)


@rule("fs-armor-wear")
def eased_hindrance(rules: Ruleset, hinders: int = -5, level: int = 0) -> Derived[int]:
    """The armor's hindrance to one used to it: a quarter of the Armor/Exoskeleton level is cancelled.

    A view of `hindrance`.
    """
    eased = total("cancelled", term("Armor/Exoskeleton level", level), divided("levels a point", levels_a_point(rules)), rounded_off())
    return total("hindrance", term("armor", hinders), term("used to it", eased), at_most(0), rule="fs-armor-wear")


@rule("fs-exoskeletons")
def exoskeleton_armor(rules: Ruleset, exoskeleton: str = "Combat (TL6)", armor: str = "Impermasuit") -> Derived[float]:
    """The weight of armor on a powered frame: its base weight times the frame's figure. The wearer feels none of it.

    By id only.
    """
    frame, kind = EXOSKELETONS.get(rules, exoskeleton), ARMOR.get(rules, armor)
    return total(
        f"{armor} on {exoskeleton}, kg",
        term("base weight", kind.kg),
        term(exoskeleton, frame.armor, "×"),
        rule="fs-exoskeletons",
    )


@rule("fs-exoskeletons")
def exoskeleton_armor_cost(rules: Ruleset, exoskeleton: str = "Combat (TL6)", armor: str = "Impermasuit") -> Derived[float]:
    """The cost of armor on a powered frame: its base price times the frame's figure. By id only."""
    frame, kind = EXOSKELETONS.get(rules, exoskeleton), ARMOR.get(rules, armor)
    terms = (term("base price", kind.cost), term(exoskeleton, frame.armor, "×"))
    return total(f"{armor} on {exoskeleton}, svu", *terms, rule="fs-exoskeletons")


class Power(Struct, frozen=True):
    """What is left in a powered frame: stamina, whether it still moves, and the kilowatt-hours that fill it up again."""

    stamina: int
    moves: bool
    kwh: float


@rule("fs-exoskeletons")
def exoskeleton_power(rules: Ruleset, exoskeleton: str = "Combat (TL6)", spent: int = 0) -> Power:
    """A powered frame spends its own stamina. At 0 it is out of power, never below, and every point is recharged with so much energy.

    A view of `tire`, which a fight plays.
    """
    bound("stamina spent", spent, 0, 100_000)
    frame = EXOSKELETONS.get(rules, exoskeleton)
    left = max(0, frame.stamina - spent)
    return Power(left, left > 0, round((frame.stamina - left) * frame.kwh, 6))
