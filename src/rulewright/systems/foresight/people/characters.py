"""Characters: the saved file, and the person that follows from it (book lines 381-1336).

`Character` is what is saved: choices made at creation and the log of what happened since. `Person` is what follows from it now;
nothing of it is ever saved.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.foresight.people.attributes import (
    ATTRIBUTES,
    MOST_FAMILIAR,
    AttributeName,
    Attributes,
    adjacent_bands,
)
from rulewright.systems.foresight.people.backgrounds import MODIFIERS, PACKAGES, SPECIES, PackageRow, SpeciesRow
from rulewright.systems.foresight.people.skills import SKILLS, FieldLevel, as_listed, split_name
from rulewright.systems.foresight.people.traits import is_narrow
from rulewright.systems.foresight.resolution.locations import Location

HTH = "Hand-to-Hand Combat"
ARMORED = "Armor/Exoskeleton"
INSIGHT = "Unique Insight"

# --- what is saved ------------------------------------------------------------------------------------------------------------


class Background(Struct, frozen=True, forbid_unknown_fields=True):
    """A background factor: one of the list, or one of the player's own with its points."""

    factor: str
    called: str = ""
    """What the player calls it."""
    inherent: dict[AttributeName, int] = {}
    """Where its inherent points go, and the picks of factors that offer attributes."""
    insights: tuple[str, ...] = ()
    """Skills that its picks give a unique insight into."""
    general: int | None = None
    education: int | None = None
    """Points of a factor that is not on the list."""
    merit: int = 0
    """Merit points that it brings in the organization of the character."""


class OwnSpecies(Struct, frozen=True, forbid_unknown_fields=True):
    """A species of the campaign's own making."""

    general: int = 0
    education: int = 0
    ds: float = 1
    size: str = "human"
    ranges: dict[AttributeName, tuple[int, int]] = {}
    traits: tuple[str, ...] = ()
    other: int = 0
    """Points for abilities that the gamemaster priced."""


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of knowledge; a generic one, such as a language, has a name."""

    field: str
    level: FieldLevel = "standard"
    name: str = ""
    specializations: tuple[str, ...] = ()
    immersed: bool = False
    """Learnt by living among people who speak it."""
    travels: bool = False
    """A language paid with general points of Wide Travels, at half its cost."""
    free: bool = False
    """Part of the free package."""

    @property
    def title(self) -> str:
        """The field as people say it."""
        own = f": {self.name}" if self.name else ""
        return f"{self.field}{own}"


class Familiarity(Struct, frozen=True, forbid_unknown_fields=True):
    """A long-term familiarity: one ability with one thing or situation."""

    ability: str
    subject: str


class Unfamiliar(Struct, frozen=True, forbid_unknown_fields=True):
    """Something still strange, and what it costs until one gets used to it."""

    subject: str
    modifier: int


class Trait(Struct, frozen=True, forbid_unknown_fields=True):
    """A character modifier and what was chosen or rolled for it."""

    modifier: str
    skill: str = ""
    """The skill of a unique insight."""
    skills: tuple[str, ...] = ()
    """The skills of a unique gift."""
    inherent: dict[AttributeName, int] = {}
    """What aging took, or a unique gift gave and took."""
    deficit: str = ""
    """What a unique gift is paid with."""
    aid: bool = False
    """Whether a prosthetic leg, or gear adapted to one arm, makes up for some of a lost limb."""


class Arm(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of the book's tables with its modifications."""

    weapon: str
    modifications: tuple[str, ...] = ()
    improved: tuple[str, ...] = ()
    """The columns that Advanced and Custom modifications better."""
    worsened: tuple[str, ...] = ()
    """The columns that Custom modifications worsen."""
    name: str = ""
    carried: str = ""
    """The holster or place it is carried in."""
    loaded: int | None = None
    """Rounds in it, where it is not full."""
    ammunition: str = ""
    """Special rounds, where they are not the usual ones."""
    grip: Literal["", "1", "1-2", "2"] = ""
    """Hands that it was made for, where Heavy modifications made it another weapon than the table's."""
    metal: bool = False
    """Whether a shield is covered in metal."""


class Worn(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of armor: what it is made of and what it covers."""

    armor: str
    piece: str


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """Something owned that is neither weapon nor armor."""

    name: str
    kg: float = 0
    cost: float = 0
    modifications: tuple[str, ...] = ()
    worn: bool = False
    """Worn or well packed: its weight counts half."""


class Gear(Struct, frozen=True, forbid_unknown_fields=True):
    """What is owned."""

    ranged: tuple[Arm, ...] = ()
    melee: tuple[Arm, ...] = ()
    armor: tuple[Worn, ...] = ()
    exoskeleton: str | None = None
    clothing: str = ""
    things: tuple[Thing, ...] = ()


class Merit(Struct, frozen=True, forbid_unknown_fields=True):
    """Standing in an organization, and how much of another's merit counts there, in percent."""

    organization: str
    points: int
    counts: dict[str, int] = {}


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award", tag_field="entry"):
    """Character points given for a session or for time between adventures."""

    points: int
    session: str = ""
    months: int = 0
    """Months of down-time that it is for, where it is not for a session."""


class Study(Struct, frozen=True, forbid_unknown_fields=True, tag="study", tag_field="entry"):
    """Points of an award turned into education points by an intelligence roll."""

    points: int
    field: str
    qr: int


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """Something bought with character points since play began."""

    buy: Literal[
        "attribute",
        "skill",
        "field",
        "specialization",
        "environment",
        "gravity",
        "familiarity",
        "favor",
        "favored field",
        "insight",
        "ambidexterity",
        "wealth",
    ]
    what: str
    to: int = 0
    """The value or level reached."""
    level: FieldLevel = "standard"
    """The tier of a field."""
    name: str = ""
    """The specialization, or the subject of a familiarity."""
    points: int | None = None
    """What was paid, where it is an instalment or the gamemaster asked for another price."""
    done: bool = True
    """An instalment that buys nothing yet is not done."""
    immersed: bool = False
    """Whether a language was learnt by living among people who speak it, at half the price."""
    adventure: str = ""
    """Purchases of one adventure's end stand together: no ability rises twice among them."""
    like: str = ""
    """A known skill like a new one, which gives it a head start."""


class Loss(Struct, frozen=True, forbid_unknown_fields=True, tag="loss", tag_field="entry"):
    """Attribute points lost to a grave wound, or (negative) won back by therapy."""

    attribute: AttributeName
    inherent: int = 0
    trained: int = 0
    story: str = ""


class MeritGained(Struct, frozen=True, forbid_unknown_fields=True, tag="merit", tag_field="entry"):
    """Merit points gained or lost in play."""

    organization: str
    points: int
    story: str = ""


class Injuries(Struct, frozen=True, forbid_unknown_fields=True):
    """What is carried from scene to scene: wounds, where, the worst so far, and stamina."""

    wounds: int = 0
    worst: int | None = None
    """As deep as the wounds unless it is said; a surgeon may bring it below them."""
    hurt: tuple[Location, ...] = ()
    bandaged: int = 0
    operated: bool = False
    """Whether the next operation is a follow-up."""
    stamina: int | None = None
    exhausted: bool = False

    @property
    def deepest(self) -> int:
        """The worst wound level, as far as no surgeon has lowered it."""
        return self.wounds if self.worst is None else self.worst


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character file."""

    name: str
    system: Literal["foresight"] = "foresight"
    kind: Literal["character"] = "character"
    concept: str = ""
    template: str = ""
    age: int | None = None
    tl: float | None = None
    """The technology level of the setting, where it matters."""
    species: str = "Human"
    own_species: OwnSpecies | None = None
    factors: int = 4
    """How many background factors the gamemaster allows."""
    base_wealth: str = "Average"
    attributes: Attributes = Attributes()
    """The inherent values after 36 points were spread; what background and traits add comes on top."""
    trained: dict[AttributeName, int] = {}
    """Trained values that lie above the inherent ones."""
    background: tuple[Background, ...] = ()
    package: str = "Default"
    native_gravity: str = "NL"
    sold: tuple[str, ...] = ()
    """Free skills and fields given up for half their price."""
    exchanged: int = 0
    """General points turned into half as many education points; negative the other way."""
    skills: dict[str, int] = {}
    fields: tuple[Known, ...] = ()
    environments: dict[str, int] = {}
    gravities: dict[str, int] = {}
    favored_weapons: tuple[str, ...] = ()
    favored_fields: tuple[str, ...] = ()
    familiarities: tuple[Familiarity, ...] = ()
    unfamiliar: tuple[Unfamiliar, ...] = ()
    traits: tuple[Trait, ...] = ()
    handed: Literal["right", "left", "both"] = "right"
    wealth: int = 0
    """Wealth levels bought (or given up, negative)."""
    merit: tuple[Merit, ...] = ()
    gear: Gear = Gear()
    injuries: Injuries = Injuries()
    experience: tuple[Award | Study | Purchase | Loss | MeritGained, ...] = ()
    player: bool = True
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes left: fields of a member's state, on top of the injuries."""

    def __post_init__(self) -> None:
        """Skills may be named as the book prints them."""
        if any(as_listed(name) != name for name in self.skills):
            force_setattr(self, "skills", {as_listed(name): level for name, level in self.skills.items()})
        if any(as_listed(own.ability) != own.ability for own in self.familiarities):
            force_setattr(self, "familiarities", tuple([replace(own, ability=as_listed(own.ability)) for own in self.familiarities]))
        if any(isinstance(entry, Purchase) and as_listed(entry.what) != entry.what for entry in self.experience):
            listed = [replace(entry, what=as_listed(entry.what)) if isinstance(entry, Purchase) else entry for entry in self.experience]
            force_setattr(self, "experience", tuple(listed))


def carried(character: Character) -> Injuries:
    """Wounds and stamina as they are now: the injuries of the file, and what scenes left on top of them."""
    left = {"exhausted" if key == "was_exhausted" else key: value for key, value in character.condition.items()}
    now = {key: value for key, value in left.items() if key in Injuries.__struct_fields__}
    if not now:
        return character.injuries
    try:
        return msgspec.convert({**msgspec.to_builtins(character.injuries), **now}, Injuries)
    except msgspec.ValidationError:  # the audit says so
        return character.injuries


# --- what follows from it -----------------------------------------------------------------------------------------------------


def species_of(rules: Ruleset, character: Character) -> SpeciesRow:
    """The species, from the list or of the campaign's own making."""
    own = character.own_species
    if own is None:
        return SPECIES.get(rules, character.species)
    ranges = {**SPECIES.get(rules, "Human").ranges, **own.ranges}
    return SpeciesRow(
        species=character.species,
        general=own.general,
        education=own.education,
        ds=own.ds,
        size=own.size,
        ranges=ranges,
        traits=own.traits,
        source="house",
    )


@rule("fs-attributes")
def inherent(rules: Ruleset, character: Character) -> dict[str, Derived[int]]:
    """Inherent values: the points spread at creation, then background, traits and what grave wounds took."""
    derived_by_name: dict[str, Derived[int]] = {}
    for name in ATTRIBUTES:
        terms = [term("points spread", character.attributes.of(name), rule="fs-attribute-points")]
        for own in character.background:
            if name in own.inherent:
                terms.append(term(own.called or own.factor, own.inherent[name], rule="fs-background-factors"))
        for trait in character.traits:
            row = MODIFIERS(rules).get(trait.modifier)
            shift = (row.inherent.get(name, 0) if row else 0) + trait.inherent.get(name, 0)
            if shift:
                terms.append(term(trait.modifier, shift, rule="fs-character-modifiers"))
        lost = -sum([entry.inherent for entry in character.experience if isinstance(entry, Loss) and entry.attribute == name])
        if lost:
            terms.append(term("grave wounds", lost, rule="fs-major-injury"))
        derived_by_name[name] = total(f"inherent {name}", *terms, rule="fs-attributes")
    return derived_by_name


@rule("fs-attributes")
def trained(rules: Ruleset, character: Character) -> dict[str, Derived[int]]:
    """Trained values, which every formula uses: inherent ones until they are raised, less what grave wounds took."""
    derived_by_name: dict[str, Derived[int]] = {}
    base = inherent(rules, character)
    for name in ATTRIBUTES:
        lost = sum([entry.inherent for entry in character.experience if isinstance(entry, Loss) and entry.attribute == name])
        value = base[name].value + lost
        terms = [term("inherent before any wound", value) if lost else term("inherent", base[name])]
        if name in character.trained and character.trained[name] != value:
            terms.append(term("trained", character.trained[name] - value, rule="fs-spending-cps"))
            value = character.trained[name]
        for entry in character.experience:
            if isinstance(entry, Purchase) and entry.buy == "attribute" and entry.what == name and entry.done and entry.to > value:
                terms.append(term("experience", entry.to - value, rule="fs-spending-experience"))
                value = entry.to
            elif isinstance(entry, Loss) and entry.attribute == name and entry.trained:
                terms.append(term("grave wounds", -entry.trained, rule="fs-major-injury"))
                value -= entry.trained
        derived_by_name[name] = total(f"trained {name}", *terms, rule="fs-attributes")
    return derived_by_name


def package_of(rules: Ruleset, character: Character) -> PackageRow | None:
    """The free package, where the campaign gives any."""
    return PACKAGES.get(rules, character.package) if rules.on("free-packages") and character.package else None


@rule("fs-free-packages")
def free_skills(rules: Ruleset, character: Character) -> tuple[str, ...]:
    """Skills that came free at level 0: those that everybody has and those of the package, less what was sold."""
    package = package_of(rules, character)
    free = [row.skill for row in SKILLS(rules).values() if row.free] + list(package.skills if package else ())
    return tuple([skill for skill in dict.fromkeys(free) if skill not in character.sold])


@rule("fs-free-packages")
def free_gravities(rules: Ruleset, character: Character) -> dict[str, int]:
    """Familiarity with gravities from the package; "native" is that of the home world and "adjacent" the bands beside it."""
    package, result = package_of(rules, character), dict[str, int]()
    for band, value in (package.gravity if package else {}).items():
        names = (character.native_gravity,) if band == "native" else adjacent_bands(rules, character.native_gravity)
        for name in names if band in ("native", "adjacent") else (band,):
            result[name] = max(result.get(name, 0), value)
    return result


def damage_scale(rules: Ruleset, character: Character) -> Derived[float]:
    """How hard a person is to damage: the species' damage scale times what traits make of it."""
    row = species_of(rules, character)
    terms = [term(row.species, row.ds, rule="fs-species")]
    for trait in character.traits:
        modifier_row = MODIFIERS(rules).get(trait.modifier)
        if modifier_row and modifier_row.ds != 1:
            terms.append(term(trait.modifier, modifier_row.ds, "×", rule="fs-character-modifiers"))
    return total("damage scale", *terms, rule="fs-damage-scale")


class Person(Struct, frozen=True):
    """A character in its current state."""

    name: str
    inherent: Attributes
    attributes: Attributes
    """The trained values, which count."""
    ds: float
    skills: dict[str, int]
    fields: tuple[Known, ...] = ()
    environments: dict[str, int] = {}
    gravities: dict[str, int] = {}
    ease: dict[str, int] = {}
    """What unique insights and gifts add to base ease factors."""
    favored_weapons: tuple[str, ...] = ()
    favored_fields: tuple[str, ...] = ()
    familiarities: tuple[Familiarity, ...] = ()
    ambidextrous: bool = False
    traits: tuple[str, ...] = ()
    gear: Gear = Gear()
    injuries: Injuries = Injuries()
    player: bool = True
    size: str = "human"
    aided: tuple[str, ...] = ()
    """Lost limbs that something makes up for."""
    unfamiliar: tuple[Unfamiliar, ...] = ()
    narrow: tuple[str, ...] = ()
    """All that a person cares for whose unique gift left no other interest: skills, or an attribute; empty for everybody else."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Person":
        """The person that a character file describes today."""
        package = package_of(rules, character)
        environments = dict(package.environments) if package else {}
        person = cls(
            name=character.name,
            inherent=Attributes(**{name: value.value for name, value in inherent(rules, character).items()}),
            attributes=Attributes(**{name: value.value for name, value in trained(rules, character).items()}),
            ds=damage_scale(rules, character).value,
            skills={**dict.fromkeys(free_skills(rules, character), 0), **character.skills},
            fields=character.fields,
            environments=_better(environments, character.environments),
            gravities=_better(free_gravities(rules, character), character.gravities),
            ease=_insights(rules, character),
            favored_weapons=character.favored_weapons,
            favored_fields=character.favored_fields,
            familiarities=character.familiarities,
            ambidextrous=character.handed == "both",
            traits=(*species_of(rules, character).traits, *[trait.modifier for trait in character.traits]),
            gear=character.gear,
            injuries=carried(character),
            player=character.player,
            size=species_of(rules, character).size,
            aided=tuple([trait.modifier for trait in character.traits if trait.aid]),
            unfamiliar=character.unfamiliar,
            narrow=tuple([area for trait in character.traits if is_narrow(trait.deficit) for area in (*trait.skills, *_raised(trait))]),
        )
        for entry in character.experience:
            if isinstance(entry, Purchase) and entry.done:
                person = having_bought(person, entry)
        return person

    def attribute(self, name: str) -> int:
        """A trained attribute by its abbreviation."""
        return self.attributes.of(name)

    def level(self, skill: str) -> int | None:
        """A skill's level; None for one that was never learnt."""
        return self.skills.get(skill)

    def knows(self, field: str, level: FieldLevel = "basic") -> bool:
        """Whether a field is known at least so well."""
        return any(known.field == field and (level == "basic" or known.level == "standard") for known in self.fields)

    def of_favor(self, favored: str) -> tuple[Known, str] | None:
        """The field that a favored one is, or the field and specialization; None for what is not known."""
        for known in self.fields:
            if favored in (known.title, known.field):
                return known, ""
        return next(((known, favored) for known in self.fields if favored in known.specializations), None)

    def specialized(self, field: str, specialization: str) -> bool:
        """Whether a specialization of a field is known."""
        return any(known.field == field and specialization in known.specializations for known in self.fields)


def level_now(character: Character, skill: str) -> int | None:
    """A skill's level after everything bought in play; None for one that was never learnt."""
    bought = [e.to for e in character.experience if isinstance(e, Purchase) and e.done and (e.buy, e.what) == ("skill", skill)]
    levels = [*bought, character.skills[skill]] if skill in character.skills else bought
    return max(levels, default=None)


def _better(number_by_name: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: max(number_by_name.get(name, 0), other.get(name, 0)) for name in {**number_by_name, **other}}


def _raised(trait: Trait) -> tuple[str, ...]:
    return tuple([name for name, change in trait.inherent.items() if change > 0])


def insights_of(character: Character) -> tuple[str, ...]:
    """Skills that a person had a unique insight into when play began, by background or trait; there is one a skill."""
    bought = [trait.skill for trait in character.traits if trait.modifier == INSIGHT and trait.skill]
    return tuple(dict.fromkeys([*[skill for own in character.background for skill in own.insights], *bought]))


def _insights(rules: Ruleset, character: Character) -> dict[str, int]:
    listed = MODIFIERS(rules).get(INSIGHT)
    result = dict.fromkeys(insights_of(character), listed.base_ease if listed else 0)
    for trait in character.traits:
        row = MODIFIERS(rules).get(trait.modifier)
        if row and row.base_ease and trait.modifier != INSIGHT:
            for skill in (trait.skill, *trait.skills):
                if skill:
                    result[skill] = result.get(skill, 0) + row.base_ease
    return result


def having_bought(person: Person, entry: Purchase) -> Person:
    """The person after one purchase; attributes are in the trained values already."""
    match entry.buy:
        case "skill":
            return replace(person, skills={**person.skills, entry.what: max(entry.to, person.skills.get(entry.what, 0))})
        case "environment":
            return replace(person, environments=_better(person.environments, {entry.what: min(MOST_FAMILIAR, entry.to)}))
        case "gravity":
            return replace(person, gravities=_better(person.gravities, {entry.what: min(MOST_FAMILIAR, entry.to)}))
        case "familiarity":
            familiarity = Familiarity(entry.what, entry.name)
            return person if familiarity in person.familiarities else replace(person, familiarities=(*person.familiarities, familiarity))
        case "favor":
            return replace(person, favored_weapons=(*person.favored_weapons, entry.what))
        case "favored field":
            return replace(person, favored_fields=(*person.favored_fields, entry.what))
        case "insight":
            return replace(person, ease={**person.ease, entry.what: person.ease.get(entry.what, 0) + 1})
        case "ambidexterity":
            return replace(person, ambidextrous=True)
        case "field" | "specialization":
            return replace(person, fields=_learnt(person.fields, entry))
        case _:
            return person


def _learnt(fields: tuple[Known, ...], entry: Purchase) -> tuple[Known, ...]:
    field, own = split_name(entry.what)
    now = next((known for known in fields if known.field == field and known.name == own), Known(field, "basic", own))
    others = tuple([known for known in fields if known is not now])
    if entry.buy == "specialization":
        return (*others, replace(now, specializations=(*now.specializations, entry.name)))
    return (*others, replace(now, level=entry.level))
