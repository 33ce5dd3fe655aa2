"""Genre Points, armor degradation and Existential Angst (book lines 5958-5988, 6114-6196)."""

from typing import Literal, TypeVar

from rulewright.errors import UserError
from rulewright.play import Option
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, less, term, total
from rulewright.systems.silhouette.people.secondary_attributes import Wound
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

A = TypeVar("A")


class Priced(Option[A], frozen=True, eq=False):
    """An option that costs Genre Points. The first option of such a question spends nothing."""

    price: int = 0


WOUNDS: tuple[Wound, ...] = ("none", "flesh", "deep", "death")


class GenreRow(TableRow, frozen=True):
    """A Genre Effect and its price."""

    effect: str
    low: int
    high: int
    does: str
    per: int = 0
    prices: tuple[int, ...] = ()
    all: bool = False
    """Whether it takes all points left."""


class EarningRow(TableRow, frozen=True):
    """A source of Genre Points."""

    name: str
    low: int
    high: int


class ArmorLossRow(TableRow, frozen=True):
    """Armor points destroyed by a damaging hit."""

    reality: str
    light: int
    heavy: int


EFFECTS = Table("sil-6.4.5-genre-effects", GenreRow)
EARNINGS = Table("sil-6.4.5-gp-earning", EarningRow)
ARMOR_LOSS = Table("sil-6.4.1-rdf-armor-loss", ArmorLossRow)


# --- Genre Points -------------------------------------------------------------------------------------------------------------


@rule("sil-6.4.5-genre-points")
def effects_in_play(rules: Ruleset, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Returns the campaign's effects: three to five from the list."""
    result = tuple([EFFECTS.get(rules, name).effect for name in dict.fromkeys(chosen)])
    if not 3 <= len(result) <= 5:
        raise UserError(f"a campaign uses three to five Genre Effects, not {len(result)}")
    return result


@rule("sil-6.4.5-gp-earning")
def starting_points(rules: Ruleset, lowest_attribute: int = 0, flaw_points: int = 0) -> Derived[int]:
    """Returns starting points: 3, +1 with any attribute below -1, +1 with more than 6 points of Flaws."""
    names = ["new character"]
    names += ["any attribute below -1"] if lowest_attribute < -1 else []
    names += ["more than 6 points of Flaws"] if flaw_points > 6 else []
    terms = [Reason(name, EARNINGS.get(rules, name).low, "+", EARNINGS.rule) for name in names]
    return total("Genre Points", *terms, rule=EARNINGS.rule)


@rule("sil-6.4.5-gp-earning")
def villain_points(
    rules: Ruleset, villain: Literal["main villain", "important villain", "thug"] = "main villain", characters: int = 4
) -> tuple[int, int]:
    """Returns a villain's points, from and to: a main one 3 to 5 plus one per character, an important one 1 to 3, thugs none."""
    row = EARNINGS.get(rules, villain)
    more = characters if villain == "main villain" else 0
    return row.low + more, row.high + more


@rule("sil-6.4.5-gp-earning")
def cost_against(cost: int, cancelled: int = 0) -> int:
    """Returns the cost of an effect when a villain spends against it: as many more."""
    return cost + cancelled


@rule("sil-6.4.5-gp-pool")
def drawn_freely(rules: Ruleset, pool: int, own_start: int = 3, approved: bool = False) -> int:
    """Returns what a character may draw from a shared pool for one effect: the starting points, or more if everybody agrees."""
    return pool if approved else min(pool, own_start)


@rule("sil-6.4.5-genre-effects")
def effect_cost(rules: Ruleset, effect: str, amount: int = 1, left: int = 0) -> int:
    """Returns the cost of an effect: its price, times `amount`, or all points left."""
    row = EFFECTS.get(rules, effect)
    if row.all:
        return max(row.low, left)
    cost = row.per * amount if row.per else max(row.low, min(row.high, amount))
    if not row.low <= cost <= row.high or (row.prices and cost not in row.prices):
        allowed = ", ".join(map(str, row.prices)) if row.prices else f"{row.low} to {row.high}"
        raise UserError(f"{effect} costs {allowed} Genre Points, not {cost}")
    return cost


@rule("sil-6.4.5-genre-effects")
def lucky_break(wound: Wound, points: int = 3) -> Wound:
    """Returns the wound after a Lucky Break: one step less per 3 points; 9 cancel an Instant Death."""
    return WOUNDS[max(0, WOUNDS.index(wound) - max(0, points) // 3)]


@rule("sil-6.4.5-genre-effects")
def rolled_again(first: int, second: int) -> int:
    """Returns the better of two rolls; if both are below 3 they count as 3 (before modifiers, ruling)."""
    return max(3, first, second)


@rule("sil-6.4.5-genre-effects")
def with_insight(pool: Pool, points: int = 1) -> Pool:
    """Returns a pool with one die per point, bought before the roll; the limit of Emergency Dice does not apply."""
    return pool.with_dice(max(0, pool.dice) + points)


@rule("sil-6.4.5-genre-effects")
def sweet_success(points: int = 1) -> Mod:
    """Returns the bonus of Sweet Success: 1 per point, even after the roll. A view of `Sway`."""
    return Mod("Sweet Success", points, "sil-6.4.5-genre-effects")


@rule("sil-6.4.5-genre-effects")
def mimicked_level(points: int = 1) -> int:
    """Returns the level of a mimicked skill: the points spent, at most 3."""
    if not 1 <= points <= 3:
        raise UserError(f"a mimicked skill has level 1 to 3, not {points}")
    return points


# --- reality levels -----------------------------------------------------------------------------------------------------------


@rule("sil-6.4.1-rdf-armor-loss")
def armor_loss(rules: Ruleset, damage: Literal["light", "heavy"] = "light") -> int:
    """Returns the armor or shield points destroyed by a damaging hit, by reality level."""
    row = ARMOR_LOSS.get(rules, rules.word("reality"))
    return row.light if damage == "light" else row.heavy


@rule("sil-6.4.1-existential-angst")
def angst(
    psyche: int, to: Literal["agility", "fitness", "perception", "strength", "willpower", "a fighting skill"], value: int, points: int = 1
) -> tuple[Derived[int], Derived[int]]:
    """Moves points from Psyche into a combat ability after a traumatic event; returns both values."""
    if points < 1:
        raise UserError(f"move at least one point, not {points}")
    lost = total("Psyche", term("Psyche", psyche), less("moved", points), rule="sil-6.4.1-existential-angst")
    gained = total(to.capitalize(), term(to, value), term("from Psyche", points), rule="sil-6.4.1-existential-angst")
    return lost, gained
