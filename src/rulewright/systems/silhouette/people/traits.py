"""Perks and Flaws: prices and effects (book lines 1494-1614, 8651-9026)."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, nearest, rule
from rulewright.rules.reasons import Derived, Reason, Source, at_least, divided, less, rounded, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.resolution.dice_options import reality
from rulewright.systems.silhouette.resolution.tests import Mod

Kind = Literal["perk", "flaw"]


class Trait(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A Perk or Flaw of a character."""

    name: str
    variant: str = ""
    """The variant, if there are several: the sense, the rank, the severity."""
    points: int = 0
    """Its points, if the book gives a range."""
    rating: int = 0
    """Its rating, or the points of the person it concerns."""
    about: str = ""
    """The person or thing it concerns."""

    def label(self) -> str:
        """Returns the trait in a few words."""
        return f"{self.name} ({self.variant})" if self.variant else f"{self.name} {self.rating}" if self.rating else self.name


class PriceRow(TableRow, frozen=True):
    """How a Perk or Flaw is priced."""

    cost: int | None = None
    low: int = 0
    high: int = 0
    rates: dict[str, int] = field(default_factory=dict)
    """Points per rating, by variant."""
    most: int = 0
    """The highest rating."""
    divide: int = 0
    """Divisor of the rating, rounded up."""
    variants: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    each: bool = False
    """Whether it may be taken more than once."""
    counted: int = 0
    """How many of them give points; 0 for all."""
    excludes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """Variants with figures lost in the book and replaced by ours."""

    def choices(self) -> tuple[str, ...]:
        """Returns the variants."""
        return (*self.variants, *self.ranges, *[name for name in self.rates if name])


class PerkPrice(PriceRow, frozen=True, kw_only=True):
    """A Perk's price."""

    perk: str


class FlawPrice(PriceRow, frozen=True, kw_only=True):
    """Points of a Flaw."""

    flaw: str


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier of a trait."""

    on: tuple[str, ...]
    """Skills, attributes or ratings; `all` for every test."""
    value: int
    when: str = ""
    """The situation in which it counts; empty for always."""
    variant: str = ""
    by: Literal["fixed", "rating", "half points"] = "fixed"

    def worth(self, trait: "Trait") -> int:
        """Returns its value for a character with the trait."""
        return self.value * (trait.rating if self.by == "rating" else trait.points // 2 if self.by == "half points" else 1)


class Resistance(Struct, frozen=True, forbid_unknown_fields=True):
    """A test required by a Flaw; `or_on` is an alternative attribute."""

    on: str
    threshold: int
    to: str
    or_on: str = ""
    variant: str = ""
    harder_with: str = ""
    harder: int = 0


class Calling(Struct, frozen=True, forbid_unknown_fields=True):
    """Effect of a trait in a situation, good or bad."""

    when: str
    what: str
    variant: str = ""
    side: Literal["help", "trouble"] = "trouble"


class Forbidden(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a trait makes impossible."""

    what: str
    variant: str = ""


class EffectRow(TableRow, frozen=True):
    """What a Perk or Flaw does."""

    effect: str
    modifiers: tuple[Effect, ...] = ()
    tests: tuple[Resistance, ...] = ()
    stamina: int = 0
    healing: float = 1
    """Factor for healing times."""
    repair_complexity: int = 0
    machine_complexity: int = 0
    tutor_months: int = 0
    tutor_bonus: int = 0
    fastest: str = ""
    spares: tuple[str, ...] = ()
    """Situations whose penalty does not count."""
    calls: tuple[Calling, ...] = ()
    forbids: tuple[Forbidden, ...] = ()
    worth: tuple[int, ...] = ()
    """Credits by points."""


class PerkRow(EffectRow, frozen=True, kw_only=True):
    """What a Perk does and entails."""

    perk: str
    downside: str = ""


class FlawRow(EffectRow, frozen=True, kw_only=True):
    """What a Flaw does and what benefit it may bring."""

    flaw: str
    upside: str = ""


PERK_PRICES = Table("sil-2.4.1-perk-list", PerkPrice)
FLAW_PRICES = Table("sil-2.4.2-flaw-list", FlawPrice)
PERKS = Table("sil-b-perks", PerkRow)
FLAWS = Table("sil-c-flaws", FlawRow)


# --- prices -------------------------------------------------------------------------------------------------------------------


def price_row(rules: Ruleset, kind: Kind, name: str) -> PriceRow:
    """Returns the price row of a trait; refuses unknown names with a suggestion."""
    rows = PERK_PRICES(rules) if kind == "perk" else FLAW_PRICES(rules)
    if name not in rows:
        raise UserError(f"there is no {kind.capitalize()} {name[:60]!r}{nearest(name, rows)}")
    return rows[name]


def fault(row: PriceRow, trait: Trait) -> tuple[str, str, int | str] | None:
    """Returns why a trait has no price: the wrong field, the reason, and a valid value."""
    choices = row.choices()
    if choices and trait.variant not in choices:
        return "variant", f"must be one of {', '.join(choices)}" + (f", not {trait.variant[:40]}" if trait.variant else ""), choices[0]
    if not choices and trait.variant:
        return "variant", "has no variants", ""
    low, high = row.ranges.get(trait.variant, (row.low, row.high))
    if high and not low <= trait.points <= high:
        return "points", f"is worth {low} to {high} points, not {trait.points}", low if trait.points < low else high
    if not high and trait.points:
        return "points", "has a fixed price, so remove the points", 0
    if (row.rates or row.divide) and trait.rating < 1:
        return "rating", "needs a rating", 1
    if row.most and trait.rating > row.most:
        return "rating", f"goes up to {row.most}, not {trait.rating}", row.most
    if not row.rates and not row.divide and trait.rating:
        return "rating", "has no rating", 0
    return None


def _price(rules: Ruleset, kind: Kind, trait: Trait) -> Derived[int]:
    row, rule_id = price_row(rules, kind, trait.name), (PERK_PRICES if kind == "perk" else FLAW_PRICES).rule
    wrong = fault(row, trait)
    if wrong is not None:
        raise UserError(f"{trait.name} {wrong[1]}")
    terms: tuple[Reason, ...]
    source: Source = "stand-in" if row.source == "book" and trait.variant in row.lost else row.source
    if row.cost is not None:
        terms = (term("price", row.cost),)
    elif trait.variant in row.variants:
        terms = (term(trait.variant, row.variants[trait.variant]),)
    elif row.rates:
        terms = (term("rating", trait.rating), times("each", row.rates[trait.variant]))
    elif row.divide:
        terms = (term("points of the other person", trait.rating), divided("divided by", row.divide), _rounding(rules, row.divide))
        source = rules.source("addiction-rounding") if row.divide == 3 else source
    else:
        terms = (term("chosen points", trait.points),)
    return total(trait.label(), *terms, rule=rule_id, source=source)


def _rounding(rules: Ruleset, by: int) -> Reason:
    """Returns the rounding of a divided rating: up, except for an Addiction as the campaign decides."""
    how = rules.word("addiction-rounding") if by == 3 else "up"
    return rounded_down() if how == "down" else rounded_up() if how == "up" else rounded()


@rule("sil-2.4.1-perk-list")
def perk_cost(rules: Ruleset, trait: Trait) -> Derived[int]:
    """Returns the Skill Points of a Perk."""
    return _price(rules, "perk", trait)


@rule("sil-2.4.2-flaw-list")
def flaw_value(rules: Ruleset, trait: Trait) -> Derived[int]:
    """Returns the Skill Points that a Flaw gives back."""
    return _price(rules, "flaw", trait)


@rule("sil-2.4.1-perk-list")
def companion_cost(
    rules: Ruleset, size: Literal["small", "medium", "large"] = "medium", wits: Literal["none", "commands", "trained"] = "commands"
) -> int:
    """Returns the points of an Animal Companion by size and intelligence, 1, 2 or 4 each: the sum (ruling), or the product up to 8. By
    id only."""
    bulk = {"small": 1, "medium": 2, "large": 4}[size]
    mind = {"none": 1, "commands": 2, "trained": 4}[wits]
    return bulk + mind if rules.word("animal-companion") == "sum" else min(8, bulk * mind)


@rule("sil-2.4-perks-flaws-rules", "sil-a-perks-flaws-step")
def traits_balance(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> Derived[int]:
    """Returns the total Skill Points of Perks and Flaws; negative if they give points.

    A view of the sum of Skill Points, by `counted_flaws`.
    """
    terms = [term(trait.label(), perk_cost(rules, trait)) for trait in perks]
    seen: dict[str, int] = {}
    for trait in flaws:
        seen[trait.name] = seen.get(trait.name, 0) + 1
        most = price_row(rules, "flaw", trait.name).counted
        if not most or seen[trait.name] <= most:
            terms.append(term(trait.label(), flaw_value(rules, trait), "−"))
    return total("Perks and Flaws", *terms, rule="sil-2.4-perks-flaws-rules")


@rule("sil-2.4-perks-flaws-rules")
def most_flaw_points(rules: Ruleset) -> int:
    """Returns the recommended limit of Flaw points: 12, or 20 in a cinematic campaign."""
    return reality(rules).flaws


@rule("sil-2.4-min-max-limit")
def most_traits(rules: Ruleset) -> int | None:
    """Returns the maximum number of Perks and of Flaws: one of each if the campaign says so, otherwise no limit."""
    return 1 if rules.on("one-perk-one-flaw") else None


@rule("sil-2.4-perks-flaws-rules")
def contradictions(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Returns pairs of a Perk and a Flaw that exclude each other (ruling, except for an Obligation to the employer behind Authority or
    Rank)."""
    pairs: list[tuple[str, str]] = []
    names = {flaw.name for flaw in flaws}
    for perk in perks:
        row = PERK_PRICES(rules).get(perk.name)
        pairs += [(perk.name, other) for other in (row.excludes if row else ()) if other in names]
        if perk.name == "acute senses":
            gone = {"sight": "blind", "hearing": "deaf"}.get(perk.variant)
            pairs += [(perk.label(), flaw.label()) for flaw in flaws if flaw.name == "poor senses" and flaw.variant in (perk.variant, gone)]
        if perk.name in ("authority", "rank") and perk.about:
            pairs += [
                (perk.name, flaw.name) for flaw in flaws if flaw.name == "obligation" and flaw.about.casefold() == perk.about.casefold()
            ]
    return tuple(pairs)


@rule("sil-2.4-perks-flaws-rules")
def contradictory_flaws(rules: Ruleset, flaws: tuple[Trait, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Returns pairs of Flaws that exclude each other (ruling), and different ages."""
    names = [flaw.name for flaw in flaws]
    rows = FLAW_PRICES(rules)
    pairs = {tuple(sorted((name, other))) for name in names if name in rows for other in rows[name].excludes if other in names}
    return tuple(sorted((text, two) for text, two in pairs))


# --- at work ------------------------------------------------------------------------------------------------------------------


def effects(rules: Ruleset, perks: Iterable[Trait], flaws: Iterable[Trait]) -> tuple[tuple[Trait, EffectRow, str], ...]:
    """Returns the effects of all traits with their rules; unknown traits have none."""
    return _effects(rules, tuple(perks), tuple(flaws))


@cached(1024)
def _effects(rules: Ruleset, perks: tuple[Trait, ...], flaws: tuple[Trait, ...]) -> tuple[tuple[Trait, EffectRow, str], ...]:
    good, bad = PERKS(rules), FLAWS(rules)
    entries: list[tuple[Trait, EffectRow, str]] = [(trait, good[trait.name], PERKS.rule) for trait in perks if trait.name in good]
    return (*entries, *[(trait, bad[trait.name], FLAWS.rule) for trait in flaws if trait.name in bad])


@rule("sil-b-perks", "sil-c-flaws")
def trait_modifiers(
    rules: Ruleset, on: str, when: tuple[str, ...] = (), perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()
) -> tuple[Mod, ...]:
    """Returns the modifiers of Perks and Flaws on a test in these situations; several of one kind all count."""
    return tuple([mod for mod, situation in offered_modifiers(rules, on, perks, flaws) if not situation or situation in when])


@cached(4096)
def offered_modifiers(rules: Ruleset, on: str, perks: tuple[Trait, ...], flaws: tuple[Trait, ...]) -> tuple[tuple[Mod, str], ...]:
    """Returns every modifier that may apply to a test, with its situation."""
    pairs = []
    for trait, row, rule_id in effects(rules, perks, flaws):
        for effect in row.modifiers:
            if (on in effect.on or "all" in effect.on) and (not effect.variant or effect.variant == trait.variant):
                pairs.append((Mod(trait.label(), effect.worth(trait), rule_id), effect.when))
    return tuple(pairs)


@rule("sil-b-perks", "sil-c-flaws")
def stamina_from_traits(rules: Ruleset, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> int:
    """Returns the Stamina modifier of thick (+5) and thin (-5) skin."""
    return sum([row.stamina for _, row, _ in effects(rules, perks, flaws)])


@rule("sil-b-perks", "sil-c-flaws")
def healing_time(rules: Ruleset, days: float, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()) -> float:
    """Returns the factor for healing times: 0.75 for fast healers, 1.5 for slow ones. A view of `Patient`."""
    for _, row, _ in effects(rules, perks, flaws):
        days *= row.healing
    return days


@rule("sil-b-perks", "sil-c-flaws")
def machine_complexity(
    rules: Ruleset, complexity: int, repair: bool = True, perks: tuple[Trait, ...] = (), flaws: tuple[Trait, ...] = ()
) -> int:
    """Returns the Complexity of a task with a machine: 1 for every repair with machine-touch, 3 for everything with mechanical
    inaptitude."""
    for _, row, _ in effects(rules, perks, flaws):
        if row.repair_complexity and repair:
            complexity = row.repair_complexity
        if row.machine_complexity:
            complexity = row.machine_complexity
    return complexity


@rule("sil-b-perks", "sil-c-flaws")
def spared(rules: Ruleset, situation: str, perks: tuple[Trait, ...] = ()) -> bool:
    """Whether a Perk cancels the penalty of a situation: the off hand, being surprised asleep."""
    return any(situation in row.spares for _, row, _ in effects(rules, perks, ()))


@rule("sil-c-flaws")
def resistance_threshold(rules: Ruleset, flaw: Trait, perks: tuple[Trait, ...] = ()) -> int | None:
    """Returns the Threshold of Willpower to act against a Flaw, if it has one."""
    owned = {perk.name for perk in perks}
    for test in FLAWS.get(rules, flaw.name).tests:
        if not test.variant or test.variant == flaw.variant:
            return test.harder if test.harder_with in owned else test.threshold
    return None


@rule("sil-b-perks")
def wealth_left(rules: Ruleset, rating: int, uses: int = 1) -> Derived[int]:
    """Returns the credits of the next use of Wealthy within a week; each use lowers the rating by one.

    By id only.
    """
    return total(
        "credits within the hour",
        term("rating", rating),
        less("uses", uses),
        at_least(0),
        times("credits", 10_000),
        rule="sil-b-perks",
    )


@rule("sil-b-perks")
def lucky(modifier: int) -> int:
    """Flips the sign of one roll's modifier after the test, once per session."""
    return abs(modifier)


@rule("sil-c-flaws")
def age_limits(variant: Literal["young", "old"] = "young") -> dict[str, int]:
    """Returns the highest attributes of young and old characters; young ones have no skill above 3."""
    return {"build": 0, "knowledge": 0, "skill": 3} if variant == "young" else {"agility": 0, "fitness": 0}
