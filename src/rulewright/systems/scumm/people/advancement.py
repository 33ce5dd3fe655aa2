"""Advancement: what experience buys, its costs and its log (book lines 274-295)."""

from collections.abc import Iterable

from rulewright.build.audit import Fault
from rulewright.build.experience import entered
from rulewright.errors import UserError
from rulewright.highest_die.experience import Growing, dice, unknown
from rulewright.rules import Column, Ruleset, Table, instead_of, rule
from rulewright.rules.reasons import Derived, less, term, times, total
from rulewright.systems.scumm.people.characters import ATTRIBUTE_LIMITS, ATTRIBUTES, SKILLS, Award, Character, Purchase, Spent
from rulewright.systems.scumm.resolution.tests import EMERGENCY_DICE, Figure, most_emergency_dice

ATTRIBUTE_XP = 50

Entry = Award | Purchase | Spent


IMPROVEMENT = Column("scumm-skill-improvement", "level", int, xp=int)
"""What reaching a skill level costs in play."""
AWARDS = Table("scumm-xp-award", Figure)


# --- prices -------------------------------------------------------------------------------------------------------------------


@rule("scumm-xp-award")
def experience_award(rules: Ruleset, sessions: int = 1) -> Derived[int]:
    """Returns the average award of so many sessions; the gamemaster hands out more or less as they see fit."""
    average = AWARDS.get(rules, "average per session").value
    return total("Experience Points", term("average of a session", average), times("sessions", sessions), rule="scumm-xp-award")


@rule("scumm-skill-improvement")
def improvement_cost(rules: Ruleset, level: int, from_level: int | None = None) -> Derived[int]:
    """Returns the cost of a skill level in Experience Points: each step up has its own price (ruling), and none is left out."""
    below = _below(rules, level, from_level)
    steps = [term(f"level {step}", IMPROVEMENT.of(rules, str(step))) for step in range(below + 1, level + 1)]
    return total(f"Experience for level {level}", *steps, rule="scumm-skill-improvement")


@rule("scumm-skill-improvement")
def highest_level(rules: Ruleset) -> int:
    """The last skill level that has a price."""
    return max(IMPROVEMENT.numbered(rules), default=0)


@instead_of(improvement_cost, "experience-costs", "totals")
def improvement_cost_by_totals(rules: Ruleset, level: int, from_level: int | None = None) -> Derived[int]:
    """Returns the cost of a skill level where the price is for the level as a whole, less what the level below was worth."""
    below = _below(rules, level, from_level)
    whole = IMPROVEMENT.of(rules, str(level))
    paid = IMPROVEMENT.of(rules, str(below)) if below else 0
    terms = (term(f"level {level}", whole), less(f"level {below}", paid))
    return total(f"Experience for level {level}", *terms, rule="scumm-skill-improvement", source="house")


def _below(rules: Ruleset, level: int, from_level: int | None) -> int:
    if not 1 <= level <= highest_level(rules):
        raise UserError(f"skill levels from 1 to {highest_level(rules)} can be bought, not {level}")
    below = level - 1 if from_level is None else from_level
    if not 0 <= below < level:
        raise UserError(f"level {level} cannot be bought from level {below}")
    return below


@rule("scumm-attribute-improvement")
def attribute_cost(rules: Ruleset, to: int, from_value: int | None = None) -> Derived[int]:
    """Fifty Experience Points for every point of an attribute, as a rule not past +3."""
    below = to - 1 if from_value is None else from_value
    highest = max([row.highest for row in ATTRIBUTE_LIMITS(rules).values()], default=0)
    if not below < to <= highest:
        raise UserError(f"an attribute is raised to {highest:+} at most, from less than that: not from {below:+} to {to:+}")
    points = term("a point", ATTRIBUTE_XP), times("points", to - below)
    return total(f"Experience for {to:+}", *points, rule="scumm-attribute-improvement")


@rule("scumm-specialization")
def specialization_cost(rules: Ruleset) -> Derived[int]:
    """Returns the cost of a specialization once play has begun; as much as at creation (ruling)."""
    price = term("each", rules.number("specialization-experience"), source=rules.source("specialization-experience"))
    return total("Experience for a specialization", price, rule="scumm-specialization", source=price.source)


@rule("scumm-emergency-dice")
def emergency_dice_cost(rules: Ruleset, dice: int = 1) -> Derived[int]:
    """One Experience Point buys one Emergency Die."""
    if dice < 1:
        raise UserError(f"at least one Emergency Die is bought at a time, not {dice}")
    price = EMERGENCY_DICE.get(rules, "xp per die").value
    return total("Experience for Emergency Dice", term("a die", price), times("dice", dice), rule="scumm-emergency-dice")


# --- the log ------------------------------------------------------------------------------------------------------------------


class Standing(Growing[Entry]):
    """Where a character stands at one point of the log."""

    awards_rule = "scumm-xp-award"
    skill_rule = "scumm-skill-improvement"
    special_rule = "scumm-specialization"
    dice_rule = "scumm-emergency-dice"

    def __init__(self, rules: Ruleset, character: Character) -> None:
        super().__init__(rules, character.skills, character.specializations, character.emergency_dice)
        self.attributes = {name: int(getattr(character.attributes, name)) for name in ATTRIBUTES}

    def carry_out(self, entry: Entry) -> Iterable[Fault]:
        if isinstance(entry, Award):
            return self.award(entry.xp)
        if isinstance(entry, Spent):
            return self.use_dice(entry.dice, most_emergency_dice(self.rules))
        faults, price = _PURCHASES[entry.buy](self, entry)
        return [*faults, *self.pay(bought(entry), price, price if entry.xp is None else entry.xp)]

    def _buy_skill(self, entry: Purchase) -> tuple[list[Fault], int]:
        strange = unknown(entry.what, SKILLS(self.rules), "skill", "scumm-skill-list")
        top = highest_level(self.rules)
        faults, now = self.learn(entry.what, entry.to, top)
        return [*strange, *faults], 0 if now is None else improvement_cost(self.rules, min(entry.to, top), now).value

    def _buy_attribute(self, entry: Purchase) -> tuple[list[Fault], int]:
        rule_id = "scumm-attribute-improvement"
        faults = list(unknown(entry.what, ATTRIBUTES, "attribute", rule_id))
        if faults:
            return faults, 0
        name, now, to = entry.what.capitalize(), self.attributes[entry.what], entry.to
        highest = ATTRIBUTE_LIMITS.get(self.rules, entry.what).highest
        if to <= now:
            return [Fault(rule_id, f"{name} is already {now:+}: {to:+} cannot be bought", self.without)], 0
        self.attributes[entry.what] = to
        if now >= highest:
            message = f"{name} {to:+}: experience raises an attribute to {highest:+} at most"
            return [Fault(rule_id, message, self.without, over=to - highest)], ATTRIBUTE_XP * (to - now)
        return self.one_more(rule_id, name, now, to), attribute_cost(self.rules, min(to, highest), now).value

    def _buy_specialization(self, entry: Purchase) -> tuple[list[Fault], int]:
        strange = list(unknown(entry.what, SKILLS(self.rules), "skill", "scumm-skill-list"))
        return self.narrow(entry.what, entry.name, strange), specialization_cost(self.rules).value

    def _buy_emergency_dice(self, entry: Purchase) -> tuple[list[Fault], int]:
        faults = self.gain_dice(entry.to)
        return faults, 0 if faults else emergency_dice_cost(self.rules, entry.to).value


_PURCHASES = {
    "skill": Standing._buy_skill,
    "attribute": Standing._buy_attribute,
    "specialization": Standing._buy_specialization,
    "emergency dice": Standing._buy_emergency_dice,
}


def bought(entry: Purchase) -> str:
    """Says in words what a purchase bought."""
    if entry.buy == "emergency dice":
        return dice(entry.to)
    if entry.buy == "specialization":
        return f"{entry.what.capitalize()} ({entry.name})"
    return f"{entry.what.capitalize()} {entry.to:+}" if entry.buy == "attribute" else f"{entry.what.capitalize()} {entry.to}"


# --- buying -------------------------------------------------------------------------------------------------------------------


def standing(rules: Ruleset, character: Character) -> Standing:
    """Where a character stands at the end of the log."""
    return Standing(rules, character).after(character.advancement)


@rule("scumm-xp-award")
def award(rules: Ruleset, character: Character, xp: int | None = None, session: str = "", force: bool = False) -> Character:
    """Write down what a session brought; the average where no number is given."""
    gained = experience_award(rules).value if xp is None else xp
    return entered(character, standing(rules, character), Award(gained, session), force=force)


@rule("scumm-skill-improvement")
def buy_skill(
    rules: Ruleset, character: Character, skill: str, to: int | None = None, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Buy the next level of a skill, or a new skill at level 1. A view of `Standing`."""
    now = standing(rules, character)
    level = now.skills.get(skill, 0) + 1 if to is None else to
    return entered(character, now, Purchase("skill", skill, level, xp=xp, story=story), force=force)


@rule("scumm-attribute-improvement")
def buy_attribute(
    rules: Ruleset, character: Character, attribute: str, to: int | None = None, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Raise an attribute by one point. A view of `Standing`."""
    now = standing(rules, character)
    value = now.attributes.get(attribute, 0) + 1 if to is None else to
    return entered(character, now, Purchase("attribute", attribute, value, xp=xp, story=story), force=force)


@rule("scumm-specialization")
def buy_specialization(
    rules: Ruleset, character: Character, skill: str, name: str, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Narrow a known skill to a field of its own. A view of `Standing`."""
    entry = Purchase("specialization", skill, name=name, xp=xp, story=story)
    return entered(character, standing(rules, character), entry, force=force)


@rule("scumm-emergency-dice")
def buy_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, xp: int | None = None, force: bool = False) -> Character:
    """Turn Experience Points into Emergency Dice. A view of `Standing`."""
    return entered(character, standing(rules, character), Purchase("emergency dice", to=dice, xp=xp), force=force)


@rule("scumm-emergency-dice")
def spend_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, on: str = "", force: bool = False) -> Character:
    """Write down Emergency Dice that were used up."""
    return entered(character, standing(rules, character), Spent(dice, on), force=force)
