"""The log of purchases with experience (book lines 1619-1744)."""

from collections.abc import Iterable, Iterator

from rulewright.build.audit import Fault, short
from rulewright.build.experience import entered
from rulewright.errors import UserError
from rulewright.highest_die.experience import Growing, dice, unknown
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.people.characters import Award, Character, Purchase, Spent, known, limits_of, names_of
from rulewright.systems.silhouette.people.experience import (
    MOST_RAISES,
    attribute_improvement,
    complexity_cost,
    emergency_dice_cost,
    experience_award,
    experience_unit,
    highest_bought,
    improvement_cost,
    practice_needed,
    replacement_cost,
    specialization_experience,
)
from rulewright.systems.silhouette.people.skills import SKILLS, named
from rulewright.systems.silhouette.people.traits import Trait, fault, flaw_value, perk_cost, price_row
from rulewright.systems.silhouette.resolution.tests import most_emergency_dice

Entry = Award | Purchase | Spent
_SKILL = "sil-2.5.2-skill-improvement"
_ATTRIBUTE = "sil-2.5.2-attribute-improvement"
_DICE = "sil-2.5.2-emergency-dice"
_AWARDS = "sil-2.5.1-xp-awards"
_TRAITS = "sil-2.4-perks-flaws-rules"
_OUT = "remove the purchase"


Faults = tuple[list[Fault], int]


class Standing(Growing[Entry]):
    """A character's values at one point of the log."""

    awards_rule = _AWARDS
    skill_rule = _SKILL
    special_rule = "sil-2.2.3-specialization"
    dice_rule = _DICE

    def __init__(self, rules: Ruleset, character: Character) -> None:
        skills = {known(rules, name): level for name, level in character.skills.items() if level > 0}
        special = {known(rules, skill): names for skill, names in character.specializations.items()}
        super().__init__(rules, skills, special, character.emergency_dice)
        self.character = character
        self.names = names_of(rules, character.attributes)
        self.attributes = {name: character.attributes.get(name, 0) for name in self.names}
        self.raises: dict[str, int] = {}
        self.complexity = {known(rules, name): value for name, value in character.complexity.items()}
        self.perks, self.flaws = list(character.perks), list(character.flaws)
        self.favored = {known(rules, skill) for skill in character.favored}
        self.practice: dict[str, int] = {}

    def carry_out(self, entry: Entry) -> Iterable[Fault]:
        if isinstance(entry, Award):
            return self.award(entry.xp)
        if isinstance(entry, Spent):
            return self._spend(entry)
        faults, price = _PURCHASES[entry.buy](self, entry)
        if entry.tutor and entry.xp is not None and entry.xp >= 0:
            return [*faults, *self._tutored(entry, entry.xp, price), *self.spend(bought(entry), entry.xp)]
        return [*faults, *self.pay(bought(entry), price, price if entry.xp is None else entry.xp)]

    def _spend(self, entry: Spent) -> Iterable[Fault]:
        skill = known(self.rules, entry.on)
        self.practice[skill] = self.practice.get(skill, 0) + min(max(0, entry.dice), self.emergency_dice)
        return self.use_dice(entry.dice, most_emergency_dice(self.rules))

    def _tutored(self, entry: Purchase, paid: int, price: int) -> Iterator[Fault]:
        least = min(price, entry.to * experience_unit(self.rules))
        if not least <= paid <= 2 * price:
            message = f"{bought(entry)} costs {least} to {2 * price} XP with a tutor, not {paid}"
            yield Fault("sil-2.5.3-tutors", message, f"pay {price}", "xp", None)

    def _buy_skill(self, entry: Purchase) -> Faults:
        skill, to, top = known(self.rules, entry.what), entry.to, highest_bought(self.rules)
        more, now = self.learn(skill, to, top)
        faults = [*unknown_skill(self.rules, entry.what), *more]
        if now is None:
            return faults, 0
        needed, used = practice_needed(self.rules, to) if now else 0, self.practice.pop(skill, 0)
        if used < needed:
            message = f"{skill.capitalize()} {to}: {dice(needed)} must be spent on it first; {used} spent so far"
            faults.append(Fault("sil-2.5.2-ed-prerequisite", message, _OUT, over=needed - used))
        return faults, improvement_cost(self.rules, min(to, top), now).value

    def _buy_complexity(self, entry: Purchase) -> Faults:
        skill, to, top = known(self.rules, entry.what), entry.to, highest_bought(self.rules, "Complexity")
        faults = list(unknown_skill(self.rules, entry.what))
        now, name = self.complexity.get(skill, 1), skill.capitalize()
        if not faults and not self.skills.get(skill, 0):
            faults.append(Fault(_SKILL, f"Complexity without the skill: buy {name} first", _OUT))
        if to <= now:
            faults.append(Fault(_SKILL, f"{name} already has Complexity {now}; {to} cannot be bought", _OUT))
            return faults, 0
        if now >= top:
            faults.append(Fault(_SKILL, f"{name}: the book has no price beyond Complexity {top}", _OUT, over=to - top))
            return faults, 0
        self.complexity[skill] = to
        if to > now + 1:
            message = f"{name}: after Complexity {now} buy {now + 1}; steps cannot be skipped"
            faults.append(Fault(_SKILL, message, f"buy Complexity {now + 1}", "to", now + 1, to - now - 1))
        return faults, complexity_cost(self.rules, min(to, top), now).value

    def _buy_attribute(self, entry: Purchase) -> Faults:
        faults = list(unknown(entry.what, self.names, "attribute", _ATTRIBUTE))
        if faults:
            return faults, 0
        name, now, to = entry.what.capitalize(), self.attributes[entry.what], entry.to
        highest, raised = limits_of(self.rules, self.character, entry.what)[1], self.raises.get(entry.what, 0)
        if to <= now:
            return [Fault(_ATTRIBUTE, f"{name} is already {now:+}; {to:+} cannot be bought", _OUT)], 0
        if raised >= MOST_RAISES:
            return [Fault(_ATTRIBUTE, f"{name} has already been raised {MOST_RAISES} times, the maximum", _OUT)], 0
        if now >= highest:
            return [Fault(_ATTRIBUTE, f"{name} {to:+} is above the human limit of {highest:+}", _OUT, over=to - highest)], 0
        self.attributes[entry.what], self.raises[entry.what] = to, raised + 1
        return self.one_more(_ATTRIBUTE, name, now, to), attribute_improvement(self.rules).value

    def _buy_specialization(self, entry: Purchase) -> Faults:
        strange = list(unknown_skill(self.rules, entry.what))
        return self.narrow(known(self.rules, entry.what), entry.name, strange), specialization_experience(self.rules).value

    def _buy_emergency_dice(self, entry: Purchase) -> Faults:
        faults = self.gain_dice(entry.to)
        return faults, 0 if faults else emergency_dice_cost(self.rules, entry.to).value

    def _buy_perk(self, entry: Purchase) -> Faults:
        if entry.trait is None:
            return [Fault(_TRAITS, "a purchase of a Perk does not name the Perk", _OUT)], 0
        try:
            row = price_row(self.rules, "perk", entry.trait.name)
        except UserError as error:
            return [Fault("sil-2.4.1-perk-list", str(error), _OUT)], 0
        wrong_with = fault(row, entry.trait)
        if wrong_with is not None:
            field, why, right = wrong_with
            return [Fault("sil-2.4.1-perk-list", f"{entry.trait.name} {why}", f"write {right}", f"trait.{field}", right)], 0
        self.perks.append(entry.trait)
        return [], perk_cost(self.rules, entry.trait).value * self._trait_point()

    def _buy_off(self, entry: Purchase) -> Faults:
        for place, flaw in enumerate(self.flaws):
            if flaw.name == entry.what and (not entry.name or entry.name in (flaw.about, flaw.variant)):
                del self.flaws[place]
                try:
                    return [], flaw_value(self.rules, flaw).value * self._trait_point()
                except UserError:  # the audit has already said what is wrong with it
                    return [], 0
        return [Fault(_TRAITS, f"there is no Flaw {short(entry.what)!r} to buy off", _OUT)], 0

    def _trait_point(self) -> int:
        return self.rules.number("experience-per-trait-point") * experience_unit(self.rules)

    def _replace_item(self, entry: Purchase) -> Faults:
        skill = known(self.rules, entry.what)
        if skill not in self.favored:
            return [Fault("sil-2.2-favored-item", f"{skill.capitalize()} has no favored item to replace", _OUT)], 0
        return [], replacement_cost(self.rules)


_PURCHASES = {
    "skill": Standing._buy_skill,
    "complexity": Standing._buy_complexity,
    "attribute": Standing._buy_attribute,
    "specialization": Standing._buy_specialization,
    "emergency dice": Standing._buy_emergency_dice,
    "perk": Standing._buy_perk,
    "flaw removal": Standing._buy_off,
    "favored item": Standing._replace_item,
}


def bought(entry: Purchase) -> str:
    """Describes a purchase."""
    what = short(entry.what).capitalize()
    if entry.buy == "emergency dice":
        return dice(entry.to)
    if entry.buy == "specialization":
        return f"{what} ({short(entry.name)})"
    if entry.buy == "perk":
        return entry.trait.label().capitalize() if entry.trait is not None else "a Perk"
    if entry.buy == "flaw removal":
        return f"removal of {what}"
    if entry.buy == "favored item":
        return f"a replacement for {short(entry.name)}"
    return (
        f"{what} {entry.to:+}"
        if entry.buy == "attribute"
        else f"{what} {entry.to}"
        if entry.buy == "skill"
        else f"{what} Complexity {entry.to}"
    )


def unknown_skill(rules: Ruleset, name: str) -> Iterator[Fault]:
    """Returns a fault if a skill is unknown."""
    try:
        named(rules, name)
    except UserError:
        yield from unknown(name, skill_names(rules), "skill", "sil-2.2.4-skill-list")


def skill_names(rules: Ruleset) -> list[str]:
    """Returns all names of skills."""
    return [*SKILLS(rules), *[also for row in SKILLS(rules).values() for also in row.also]]


# --- buying -------------------------------------------------------------------------------------------------------------------


def standing(rules: Ruleset, character: Character) -> Standing:
    """Returns a character's values at the end of the log."""
    return Standing(rules, character).after(character.advancement)


@rule(_AWARDS)
def award(rules: Ruleset, character: Character, xp: int | None = None, session: str = "", force: bool = False) -> Character:
    """Records a session's award; the average without a number."""
    gained = experience_award(rules).value if xp is None else xp
    return entered(character, standing(rules, character), Award(gained, session), force=force)


@rule(_SKILL)
def buy_skill(
    rules: Ruleset,
    character: Character,
    skill: str,
    to: int | None = None,
    xp: int | None = None,
    tutor: str = "",
    story: str = "",
    force: bool = False,
) -> Character:
    """Buy the next level of a skill, or a new skill at level 1. A view of `Standing`."""
    now = standing(rules, character)
    level = now.skills.get(known(rules, skill), 0) + 1 if to is None else to
    return entered(character, now, Purchase("skill", skill, level, xp=xp, tutor=tutor, story=story), force=force)


@rule(_SKILL)
def buy_complexity(
    rules: Ruleset, character: Character, skill: str, to: int | None = None, xp: int | None = None, tutor: str = "", force: bool = False
) -> Character:
    """Buy the next Complexity of a skill. A view of `Standing`."""
    now = standing(rules, character)
    value = now.complexity.get(known(rules, skill), 1) + 1 if to is None else to
    return entered(character, now, Purchase("complexity", skill, value, xp=xp, tutor=tutor), force=force)


@rule(_ATTRIBUTE)
def buy_attribute(
    rules: Ruleset, character: Character, attribute: str, to: int | None = None, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Raise an attribute by one point. A view of `Standing`."""
    now = standing(rules, character)
    value = now.attributes.get(attribute, 0) + 1 if to is None else to
    return entered(character, now, Purchase("attribute", attribute, value, xp=xp, story=story), force=force)


@rule("sil-2.2.3-specialization")
def buy_specialization(
    rules: Ruleset, character: Character, skill: str, name: str, xp: int | None = None, force: bool = False
) -> Character:
    """Buys a specialization of a known skill. A view of `Standing`."""
    return entered(character, standing(rules, character), Purchase("specialization", skill, name=name, xp=xp), force=force)


@rule(_DICE)
def buy_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, xp: int | None = None, force: bool = False) -> Character:
    """Buys Emergency Dice with experience. A view of `Standing`."""
    return entered(character, standing(rules, character), Purchase("emergency dice", to=dice, xp=xp), force=force)


@rule(_DICE)
def spend_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, on: str = "", force: bool = False) -> Character:
    """Records spent Emergency Dice and the skill they went into."""
    return entered(character, standing(rules, character), Spent(dice, on), force=force)


@rule(_TRAITS)
def gain_perk(rules: Ruleset, character: Character, perk: Trait, xp: int | None = None, force: bool = False) -> Character:
    """Buys a Perk in play, at one experience per point (ruling). A view of `Standing`."""
    return entered(character, standing(rules, character), Purchase("perk", perk.name, trait=perk, xp=xp), force=force)


@rule(_TRAITS)
def buy_off_flaw(rules: Ruleset, character: Character, flaw: str, xp: int | None = None, force: bool = False) -> Character:
    """Buys off a Flaw, at one experience per point (ruling). A view of `Standing`."""
    return entered(character, standing(rules, character), Purchase("flaw removal", flaw, xp=xp), force=force)
