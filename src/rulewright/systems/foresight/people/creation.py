"""Character creation: points, packages, exchanges, sales (book lines 425-438, 473-481, 559-1059, 1105-1184)."""

from collections.abc import Iterator
from math import isfinite
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.dice.sums import Banded, Sum
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Figures, Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, less, rounded_down, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.abilities import points_given
from rulewright.systems.foresight.people.attributes import ATTRIBUTES, ENVIRONMENTS, GRAVITIES, AttributeName
from rulewright.systems.foresight.people.backgrounds import FACTORS, FEATURES, MODIFIERS, PACKAGES, SPECIES, WEALTH, FactorRow, PackageRow
from rulewright.systems.foresight.people.characters import (
    HTH,
    Background,
    Character,
    Known,
    free_gravities,
    free_skills,
    inherent,
    level_now,
    package_of,
    species_of,
)
from rulewright.systems.foresight.people.skills import (
    FIELDS,
    INSIGHT_SCORE,
    MOST_LEVEL,
    SKILLS,
    attribute_price,
    early_field,
    familiarity_price,
    favored_classes,
    field_price,
    highest_level,
    highest_trained,
    language_price,
    price,
    skill_price,
    skill_score,
    split_name,
)
from rulewright.systems.foresight.resolution.tests import half_up

SPREAD, FACTOR, LASTS = Figures("fs-attribute-points"), Figures("fs-custom-background-factor"), Figures("fs-background-duration")
PICK = 2
"""What a pick of Secret Conspiracy or Martial Arts Academy adds to an attribute."""
HUNDRED = Sum((100,))
COLONY = "Far Future Colony World"
COLONY_PRINTED = 8


def sound(rules: Ruleset, character: Character) -> Character:
    """The same character with nothing unknown in it, so that everything can be worked out; the audit reports what was unknown."""
    own = character.own_species
    if own is not None and not (isfinite(own.ds) and 0 < own.ds <= 100 and all(trait in FEATURES(rules) for trait in own.traits)):
        own = replace(own, ds=1, traits=tuple([trait for trait in own.traits if trait in FEATURES(rules)]))
    return replace(
        character,
        species=character.species if own is not None or character.species in SPECIES(rules) else "Human",
        own_species=own,
        package=character.package if not character.package or character.package in PACKAGES(rules) else "Default",
        native_gravity=character.native_gravity if character.native_gravity in GRAVITIES(rules) else "NL",
        base_wealth=character.base_wealth if character.base_wealth in WEALTH(rules) else "Average",
        background=tuple([candidate for candidate in character.background if candidate.factor in FACTORS(rules) or is_custom(candidate)]),
        factors=max(1, min(100, character.factors)),
        skills={
            skill: max(0, min(MOST_LEVEL, level)) for skill, level in character.skills.items() if split_name(skill)[0] in SKILLS(rules)
        },
        fields=tuple([known for known in character.fields if known.field in FIELDS(rules)]),
    )


def is_custom(own: Background) -> bool:
    """Whether a background factor brings points of its own."""
    return own.general is not None or own.education is not None


# --- attributes ---------------------------------------------------------------------------------------------------------------


@rule("fs-attribute-points")
def attribute_points(rules: Ruleset, species: str = "Human") -> Derived[int]:
    """The highest total of the nine attributes: the lowest of the species' ranges and 36 points more. A view of `spread_of`."""
    return spread_of(rules, SPECIES.get(rules, species).ranges)


def spread_of(rules: Ruleset, ranges: dict[AttributeName, tuple[int, int]]) -> Derived[int]:
    """The highest total of the nine attributes within such ranges."""
    least = sum([low for low, _ in ranges.values()])
    return total(
        "attribute points", term("lowest values", least), term("to spread", SPREAD.of(rules, "to spread")), rule="fs-attribute-points"
    )


@rule("fs-attribute-points")
def highest_inherent(rules: Ruleset, character: Character, attribute: AttributeName = "ST") -> Derived[int]:
    """How high background factors may take an inherent value: the end of the range, shifted with it by character modifiers.

    The book says so of Superior Specimen; that it holds for every background factor is a ruling.

    A view of the bound that the audit sets, before modifiers shift value and range alike.
    """
    top = species_of(rules, sound(rules, character)).ranges[attribute][1]
    terms = [term("end of the range", top, rule="fs-species")]
    for trait in character.traits:
        shift = _shift(rules, trait.modifier, attribute) + (trait.inherent.get(attribute, 0) if trait.modifier == "Aging" else 0)
        if shift:
            terms.append(term(trait.modifier, shift, rule="fs-character-modifiers"))
    capped_by = rules.source("background-attributes-capped")
    return total(f"highest inherent {attribute}", *terms, rule="fs-attribute-points", source=capped_by)


def _shift(rules: Ruleset, modifier: str, attribute: AttributeName) -> int:
    row = MODIFIERS(rules).get(modifier)
    return row.inherent.get(attribute, 0) if row else 0


def capped(rules: Ruleset, character: Character, attribute: AttributeName) -> bool:
    """Whether background points must stay inside the range: printed for Superior Specimen, ruled for all others."""
    specimen = any(own.factor == "Superior Specimen" and own.inherent.get(attribute, 0) > 0 for own in character.background)
    return specimen or rules.on("background-attributes-capped")


# --- background ---------------------------------------------------------------------------------------------------------------


@rule("fs-custom-background-factor")
def factor_worth(rules: Ruleset, factor: str = "Full-Time Education") -> Derived[int]:
    """The total worth of a background factor; 80 is the measure. Wealth counts as its price and a pick as 20 (both inferred).

    A view of the sum that the audit makes.
    """
    return _worth(rules, FACTORS.get(rules, factor))


def _worth(rules: Ruleset, row: FactorRow) -> Derived[int]:
    number = FACTOR.of(rules, "an inherent point")
    steps = [("general", row.general), ("education", row.education), ("inherent points", number * row.inherent)]
    steps.append(("wealth", price(rules, "wealth up") * row.wealth if row.wealth > 0 else -price(rules, "wealth down") * row.wealth))
    steps.append(("picks", PICK * number * row.picks))
    terms = [term(label, value) for label, value in steps if value]
    return total(row.factor, *terms, rule="fs-custom-background-factor")


@rule("fs-custom-background-factor")
def custom_factor(rules: Ruleset, general: int = 60, education: int = 20, inherent_points: int = 0) -> Derived[int]:
    """The worth of a background factor of one's own: general and education points, and 10 for a fixed inherent point.

    A view of the sum that the audit makes of such a factor.
    """
    if not rules.on("custom-background-factors"):
        raise UserError("custom background factors need the gamemaster's permission (setting custom-background-factors)")
    for label, points in (("general points", general), ("education points", education), ("inherent points", inherent_points)):
        bound(label, points, 0, 1000)
    inner, most = FACTOR.of(rules, "an inherent point") * inherent_points, FACTOR.of(rules, "worth")
    worth = general + education + inner
    if worth > most:
        raise UserError(f"a background factor is worth {most} points, not {worth}")
    return total(
        "worth",
        term("general", general),
        term("education", education),
        term("inherent", inner),
        rule="fs-custom-background-factor",
    )


class Ages(Struct, frozen=True):
    """How old a person of a background is likely to be."""

    youngest: int
    oldest: int


@rule("fs-background-duration")
def ages(rules: Ruleset, factors: int = 3) -> Ages:
    """So many background factors of grown-up life: each stands for one to five years after a childhood of about fifteen."""
    bound("the number of background factors", factors, 0, 100)
    grown = LASTS.of(rules, "childhood ends")
    return Ages(grown + LASTS.of(rules, "fewest years") * factors, grown + LASTS.of(rules, "most years") * factors)


def grown_up(rules: Ruleset, character: Character) -> int:
    """How many background factors are neither inborn nor part of childhood."""
    rows = [FACTORS(rules).get(own.factor) for own in character.background]
    return min(100, sum([row is None or row.group in ("general", "unusual") for row in rows]))


# --- what is free, sold, exchanged --------------------------------------------------------------------------------------------


@rule("fs-free-packages")
def free_environments(rules: Ruleset, package: str = "Default") -> int:
    """Environment points of a package that its owner may place; the colony's 8 are printed beside a list of 7 (ruling)."""
    row = PACKAGES.get(rules, package)
    return row.free - (COLONY_PRINTED - rules.number("colony-package-points") if package == COLONY else 0)


@rule("fs-cp-exchange")
def exchange(rules: Ruleset, points: int = 2) -> Derived[int]:
    """Points of one kind become half as many of the other; an odd one is lost."""
    bound("the points exchanged", points, 0, 100_000)
    return total("exchanged", term("points", points), divided("two for one", 2), rounded_down(), rule="fs-cp-exchange")


@rule("fs-sell-free-skills")
def sale(rules: Ruleset, ability: str = "Pain Resistance", level: Literal["basic", "standard"] = "standard") -> Derived[int]:
    """The points for a free skill or field that is given up during creation: half of its cost."""
    if split_name(ability)[0] in SKILLS(rules):
        whole = skill_price(rules, ability, 0)
    else:
        whole = field_price(rules, ability, level)
    return total(f"{ability} sold", term("price", whole), divided("half", 2), rounded_off(), rule="fs-sell-free-skills")


@rule("fs-reallocating-points")
def given_back(
    rules: Ruleset, skill: str = "Pain Resistance", level: int = 4, to: int | None = 0, in_play: bool = False, leave: bool = False
) -> Derived[int]:
    """The points given back when a skill is lowered, or given up (`to` none): all that the levels cost. In play only with leave.

    By id only.
    """
    if in_play and not leave:
        raise UserError("once a character is in play, points are moved only with the gamemaster's permission")
    if to is not None and to > level:
        raise UserError(f"{skill} is at {level}: giving back cannot raise it to {to}")
    paid, left = skill_price(rules, skill, level), 0 if to is None else skill_price(rules, skill, to).value
    return total(f"{skill} given back", term("it cost", paid), less("what stays costs", left), rule="fs-reallocating-points")


class Slots:
    """The fields of a package that nobody has claimed yet."""

    def __init__(self, package: PackageRow | None, sold: tuple[str, ...]) -> None:
        self.standard = list(package.fields) if package else []
        self.basic = list(package.basic) if package else []
        self.sales: list[tuple[str, Literal["basic", "standard"]]] = []
        for name in sold:
            field = split_name(name)[0]
            if field in self.standard:
                self.standard.remove(field)
                self.sales.append((field, "standard"))
            elif field in self.basic:
                self.basic.remove(field)
                self.sales.append((field, "basic"))

    def claim(self, known: Known) -> bool:
        """Whether a field that is said to be free is one of the package."""
        if known.field in self.standard:
            self.standard.remove(known.field)
            return True
        if known.level == "basic" and known.field in self.basic:
            self.basic.remove(known.field)
            return True
        return False

    def start(self, known: Known) -> str:
        """The tier that the package gives of a field that was bought further."""
        if known.field in self.basic:
            self.basic.remove(known.field)
            return "basic"
        return ""


def slots(rules: Ruleset, character: Character) -> Slots:
    """The free fields of a character, less those sold; a language of the family of languages counts as one."""
    return Slots(package_of(rules, character), character.sold)


def known_price(rules: Ruleset, character: Character, known: Known, start: str = "") -> int:
    """The cost of a field with its specializations, in education points; one that cannot be had costs nothing here. Living among people
    who speak a language halves its price, not that of what one specializes in (ruling)."""
    row = FIELDS(rules)[known.field]
    level = "standard" if row.basic is None else known.level
    number = len(known.specializations) if row.specialization is not None else 0
    if level == "basic" and not rules.on("specialize-from-basic"):
        number = 0
    whole = field_price(rules, known.field, level, number, start).value
    tl = character.tl
    if row.basic is not None and tl is not None and row.tl - 1 <= tl < row.tl and not start and rules.on("early-fields"):
        whole += early_field(rules, known.field, tl).value - row.basic
    if is_language(known.field) and (known.immersed or known.travels):
        tiers = field_price(rules, known.field, level, 0, start).value
        whole += (half_up(tiers / 2) if start else language_price(rules, known.field, level).value) - tiers
    return whole


def is_language(field: str) -> bool:
    """Whether a field is a tongue."""
    return field.startswith("Language")


# --- what was spent -----------------------------------------------------------------------------------------------------------


class Spent(Struct, frozen=True):
    """An item of a bill."""

    what: str
    points: int
    rule: str
    field: str = ""


def general_bill(rules: Ruleset, character: Character) -> Iterator[Spent]:
    """Yields the items on which general points were spent. The character is sound."""
    base = inherent(rules, replace(character, experience=()))
    for name in ATTRIBUTES:
        low, wanted = base[name].value, character.trained.get(name, base[name].value)
        cost = attribute_price(rules, low, max(low, min(wanted, highest_trained(rules, low).value))).value
        if cost:
            yield Spent(f"{name} trained to {wanted}", cost, "fs-spending-cps", f"trained.{name}")
    free = set(free_skills(rules, character))
    for skill, level in character.skills.items():
        yield Spent(skill, skill_price(rules, skill, level, 0 if skill in free else None).value, "fs-spending-cps", f"skills.{skill}")
    yield from _places(rules, character)
    for place, own in enumerate(character.familiarities):
        cost = familiarity_price(rules, own.ability).value
        yield Spent(f"long-term familiarity: {own.ability}, {own.subject}", cost, "fs-ltf", f"familiarities.{place}")
    extra = extra_favors(rules, character)
    if extra:
        yield Spent("further favored weapons", extra * price(rules, "favored weapon class"), "fs-favored-weapon", "favored_weapons")
    for place, trait in enumerate(character.traits):
        if trait.modifier == "Unique Insight" and split_name(trait.skill)[0] in SKILLS(rules):
            cost = price(rules, "unique insight") * SKILLS(rules)[split_name(trait.skill)[0]].cost
            yield Spent(f"unique insight: {trait.skill}", cost, "fs-character-modifiers", f"traits.{place}")
    if character.handed == "both":
        yield Spent("ambidexterity", price(rules, "ambidexterity"), "fs-spending-cps", "handed")
    if character.wealth:
        number = price(rules, "wealth up") if character.wealth > 0 else -price(rules, "wealth down")
        yield Spent("wealth", number * character.wealth, "fs-wealth", "wealth")
    for place, known in enumerate(character.fields):
        if known.travels and not known.free and is_language(known.field):
            yield Spent(f"{known.title}, on travels", known_price(rules, character, known), "fs-background-factors", f"fields.{place}")


def _places(rules: Ruleset, character: Character) -> Iterator[Spent]:
    over = environment_points(rules, character) - free_points(rules, character)
    if over > 0:
        cost = over * price(rules, "environment familiarity")
        yield Spent(f"{over} environment points", cost, "fs-environment-familiarity", "environments")
    free = free_gravities(rules, character)
    for band, value in character.gravities.items():
        more = min(3, value) - free.get(band, 0)
        if more > 0:
            yield Spent(f"gravity {band}", more * price(rules, "gravity familiarity"), "fs-gravity-familiarity", f"gravities.{band}")


def environment_points(rules: Ruleset, character: Character) -> int:
    """Environment points above what the package has placed already."""
    package = package_of(rules, character)
    placed = package.environments if package else {}
    known = ENVIRONMENTS(rules)
    return sum([max(0, min(3, value) - placed.get(name, 0)) for name, value in character.environments.items() if name in known])


def free_points(rules: Ruleset, character: Character) -> int:
    """Environment points that the package lets its owner place."""
    return free_environments(rules, character.package) if package_of(rules, character) else 0


def extra_favors(rules: Ruleset, character: Character) -> int:
    """Favored weapon classes beyond those that come with Hand-to-Hand Combat, at creation or since."""
    level = level_now(character, HTH)
    return max(0, len(character.favored_weapons) - favored_classes(rules, level).value) if level is not None else 0


def education_bill(rules: Ruleset, character: Character) -> Iterator[Spent]:
    """Yields the items on which education points were spent. The character is sound."""
    left = slots(rules, character)
    claimed = [known.free and left.claim(known) for known in character.fields]
    for place, known in enumerate(character.fields):
        if claimed[place]:
            plain = replace(known, specializations=())
            more = known_price(rules, character, known) - known_price(rules, character, plain) if known.specializations else 0
            if more > 0:
                yield Spent(f"{known.title}, specialized", more, "fs-fields-levels", f"fields.{place}")
        elif not (known.travels and is_language(known.field)):
            cost = known_price(rules, character, known, left.start(known))
            yield Spent(known.title, cost, "fs-fields-levels", f"fields.{place}")


class Account(Struct, frozen=True):
    """Points of a kind: given, and what they went into."""

    given: Derived[int]
    bill: tuple[Spent, ...]

    @property
    def spent(self) -> int:
        """The total of all items."""
        return sum([item.points for item in self.bill])

    @property
    def left(self) -> int:
        """The points left; negative where too much was spent."""
        return self.given.value - self.spent


KEPT = "kept for"


def accounts(rules: Ruleset, character: Character) -> dict[str, Account]:
    """General and education points: background factors, sales and exchange give them, abilities and fields take them."""
    whole = sound(rules, character)
    given = points_given(rules, whole)
    general, education = list(given["general"].reasons), list(given["education"].reasons)
    sellable = {*[row.skill for row in SKILLS(rules).values() if row.free], *(package_skills(rules, whole))}
    for name in dict.fromkeys(whole.sold):
        if name in sellable:
            general.append(term(f"{name} sold", sale(rules, name).value, rule="fs-sell-free-skills"))
    for field, level in slots(rules, whole).sales:
        education.append(term(f"{field} sold", sale(rules, field, level).value, rule="fs-sell-free-skills"))
    if whole.exchanged:
        taken, gained = abs(whole.exchanged), abs(whole.exchanged) // 2
        general.append(Reason("exchanged", -taken if whole.exchanged > 0 else gained, "+", "fs-cp-exchange"))
        education.append(Reason("exchanged", gained if whole.exchanged > 0 else -taken, "+", "fs-cp-exchange"))
    bills = (tuple(general_bill(rules, whole)), tuple(education_bill(rules, whole)))
    bound_points = languages_only(rules, whole, bills[1])
    if bound_points:
        education.append(Reason(f"{KEPT} languages ({whole.species})", -bound_points, "+", "fs-species"))
    account_by_name = {}
    for kind, terms, bill in (("general", general, bills[0]), ("education", education, bills[1])):
        account_by_name[kind] = Account(total(f"{kind} points", *terms, rule="fs-background-factors"), bill)
    return account_by_name


def package_skills(rules: Ruleset, character: Character) -> tuple[str, ...]:
    """The skills of the package."""
    package = package_of(rules, character)
    return package.skills if package else ()


def languages_only(rules: Ruleset, character: Character, bill: tuple[Spent, ...]) -> int:
    """Education points of a species that must go into languages and did not."""
    species = species_of(rules, character)
    if species.education_for != "Language":
        return 0
    spoken = sum([item.points for item in bill if is_language(item.what)])
    return max(0, species.education - spoken)


# --- character modifiers ------------------------------------------------------------------------------------------------------


@rule("fs-character-modifiers")
def insight_barred(rules: Ruleset, character: Character, skill: str = "Stealth") -> str:
    """Why a unique insight cannot be had yet: it takes the highest level and a score of 26. Empty where it can."""
    from rulewright.systems.foresight.people.characters import Person

    if split_name(skill)[0] not in SKILLS(rules):
        return f"there is no skill {skill!r}"
    person = Person.of(rules, sound(rules, character))
    level = person.level(skill)
    if level is None or level < highest_level(rules, skill, person.attributes).value:
        return f"{skill} is not at its highest level"
    score = skill_score(rules, skill, level, person.attributes).value
    return "" if score >= INSIGHT_SCORE else f"{skill} has a score of {score:g} and not {INSIGHT_SCORE}"


@rule("fs-character-modifiers")
def aging(rules: Ruleset) -> Play[tuple[AttributeName, ...]]:
    """The rolls of an aging modifier: for each attribute, the chance that its inherent value falls by one.

    By id only.
    """
    row, fallen = MODIFIERS.get(rules, "Aging"), list[AttributeName]()
    for name in ATTRIBUTES:
        chance = row.chance.get(name, 0)
        if 0 < chance < 100:
            reading = Banded(HUNDRED, ((1, chance, "falls"), (chance + 1, 100, "holds")))
            if (yield from Roll(reading, "", f"aging of {name}")) == "falls":
                fallen.append(name)
        elif chance:
            fallen.append(name)
    return tuple(fallen)


# --- the steps of creation ----------------------------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """A step of creation and how it stands."""

    step: str
    done: bool
    note: str = ""


NOBODY = Character("No name yet")


@rule("fs-creation-process")
def steps(rules: Ruleset, character: Character = NOBODY) -> tuple[Step, ...]:
    """Creation in the book's order: what the gamemaster names, then who it is, attributes, background, package and points."""
    whole = sound(rules, character)
    species, count = species_of(rules, whole), len(whole.background) + int(species_of(rules, whole).factor)
    allowed, spread = spread_of(rules, species.ranges).value, sum(whole.attributes.each().values())
    books = accounts(rules, character)
    package = whole.package if rules.on("free-packages") else "none in this campaign"
    return (
        Step(
            "the gamemaster names package, factors and wealth", done=True, note=f"{package}, {whole.factors} factors, {whole.base_wealth}"
        ),
        Step("who it is", bool(character.concept), character.concept),
        Step("species and character modifiers", done=True, note=", ".join([species.species, *[trait.modifier for trait in whole.traits]])),
        Step("spread attribute points", spread == allowed, f"{spread} of {allowed}"),
        Step("pick background factors", count == whole.factors, f"{count} of {whole.factors}"),
        Step("take the free package", bool(whole.package) or not rules.on("free-packages"), package),
        *[Step(f"spend {kind} points", books[kind].left == 0, f"{books[kind].left} left") for kind in books],
    )
