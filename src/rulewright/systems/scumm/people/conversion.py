"""Conversion between Silhouette CORE and S.C.U.M.M. (book lines 718-722)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, rounded_up, term, times, total
from rulewright.systems.scumm.people.characters import SKILLS, Attributes

SCALE = 5


class TenAttributes(Struct, frozen=True, forbid_unknown_fields=True):
    """The attributes of a Silhouette character."""

    agility: int = 0
    appearance: int = 0
    build: int = 0
    creativity: int = 0
    fitness: int = 0
    influence: int = 0
    knowledge: int = 0
    perception: int = 0
    psyche: int = 0
    willpower: int = 0


class ConversionRow(TableRow, frozen=True, rename={"sources": "from"}):
    """An attribute and those it is the average of."""

    attribute: str
    sources: tuple[str, ...]


CONVERSION = Table("scumm-conversion", ConversionRow)
AVERAGE_TEN = TenAttributes()
AVERAGE_FOUR = Attributes()


@rule("scumm-conversion")
def from_silhouette(rules: Ruleset, attributes: TenAttributes = AVERAGE_TEN) -> dict[str, Derived[int]]:
    """Each of the four attributes is the average of those it stands for, rounded down."""
    derived_by_name = {}
    for row in CONVERSION(rules).values():
        terms = [term(name.capitalize(), int(getattr(attributes, name))) for name in row.sources]
        average = divided("the average", len(terms)), rounded_down()
        derived_by_name[row.attribute] = total(row.attribute.capitalize(), *terms, *average, rule="scumm-conversion")
    return derived_by_name


@rule("scumm-conversion")
def to_silhouette(rules: Ruleset, attributes: Attributes = AVERAGE_FOUR) -> dict[str, Derived[int]]:
    """The way back, which the book does not give (ruling): each Silhouette attribute is as high as the one that stands for it.

    By id only.
    """
    derived_by_name = {}
    for row in CONVERSION(rules).values():
        value = int(getattr(attributes, row.attribute))
        for name in row.sources:
            stands_for = term(row.attribute.capitalize(), value)
            derived_by_name[name] = total(name.capitalize(), stands_for, rule="scumm-conversion", source="ruling")
    return derived_by_name


@rule("scumm-conversion")
def damage_from_silhouette(points: int) -> Derived[int]:
    """Damage Multipliers and Armor Points become a fifth, rounded up. By id only."""
    _refuse_negative(points)
    return total("a fifth", term("in Silhouette", points), divided("scale", SCALE), rounded_up(), rule="scumm-conversion")


@rule("scumm-conversion")
def damage_to_silhouette(points: int) -> Derived[int]:
    """The way back (ruling): Damage Multipliers and Armor Points times five. By id only."""
    _refuse_negative(points)
    terms = term("in S.C.U.M.M.", points), times("scale", SCALE)
    return total("five times as much", *terms, rule="scumm-conversion", source="ruling")


def _refuse_negative(points: int) -> None:
    if points < 0:
        raise UserError(f"a Damage Multiplier or Armor is 0 or more, not {points}")


@rule("scumm-conversion")
def not_ported(rules: Ruleset, skills: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The skills that S.C.U.M.M. does not have: their points go to other skills, are dropped, or the skill is added. By id only."""
    known = SKILLS(rules)
    return tuple([name for name in skills if name.lower() not in known])
