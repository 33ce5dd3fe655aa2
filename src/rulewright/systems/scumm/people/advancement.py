"""What experience buys, what it costs, and the log of it (book lines 274-295)."""

from collections.abc import Iterable, Iterator

from rulewright.build.audit import Fault, near_to, short
from rulewright.build.experience import Standing as Log
from rulewright.build.experience import entered
from rulewright.errors import Wrong
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, less, term, times, total
from rulewright.systems.scumm.people.characters import ATTRIBUTE_LIMITS, ATTRIBUTES, SKILLS, Award, Character, Purchase, Spent
from rulewright.systems.scumm.resolution.tests import EMERGENCY_DICE, Figure, most_emergency_dice

ATTRIBUTE_XP = 50

Entry = Award | Purchase | Spent


class StepRow(TableRow, frozen=True):
    """What reaching a skill level costs in play."""

    level: int
    xp: int


IMPROVEMENT = Table("scumm-skill-improvement", StepRow)
AWARDS = Table("scumm-xp-award", Figure)


# --- prices -------------------------------------------------------------------------------------------------------------------


@rule("scumm-xp-award")
def experience_award(rules: Ruleset, sessions: int = 1) -> Derived[int]:
    """What so many sessions bring on average; the gamemaster hands out more or less as they see fit."""
    average = AWARDS.get(rules, "average per session").value
    return total("Experience Points", term("average of a session", average), times("sessions", sessions), rule="scumm-xp-award")


@rule("scumm-skill-improvement")
def improvement_cost(rules: Ruleset, level: int, from_level: int | None = None) -> Derived[int]:
    """What a skill level costs in Experience Points: each step up has its own price (ruling), and none is left out."""
    below = _below(rules, level, from_level)
    steps = [term(f"level {step}", IMPROVEMENT.get(rules, str(step)).xp) for step in range(below + 1, level + 1)]
    return total(f"Experience for level {level}", *steps, rule="scumm-skill-improvement")


@rule("scumm-skill-improvement")
def highest_level(rules: Ruleset) -> int:
    """The last skill level that has a price."""
    return max([row.level for row in IMPROVEMENT(rules).values()], default=0)


@instead_of(improvement_cost, "experience-costs", "totals")
def improvement_cost_by_totals(rules: Ruleset, level: int, from_level: int | None = None) -> Derived[int]:
    """What a skill level costs where the price is for the level as a whole, less what the level below was worth."""
    below = _below(rules, level, from_level)
    whole = IMPROVEMENT.get(rules, str(level)).xp
    paid = IMPROVEMENT.get(rules, str(below)).xp if below else 0
    terms = (term(f"level {level}", whole), less(f"level {below}", paid))
    return total(f"Experience for level {level}", *terms, rule="scumm-skill-improvement", source="house")


def _below(rules: Ruleset, level: int, from_level: int | None) -> int:
    if not 1 <= level <= highest_level(rules):
        raise Wrong(f"skill levels from 1 to {highest_level(rules)} can be bought, not {level}")
    below = level - 1 if from_level is None else from_level
    if not 0 <= below < level:
        raise Wrong(f"level {level} cannot be bought from level {below}")
    return below


@rule("scumm-attribute-improvement")
def attribute_cost(rules: Ruleset, to: int, from_value: int | None = None) -> Derived[int]:
    """Fifty Experience Points for every point of an attribute, as a rule not past +3."""
    below = to - 1 if from_value is None else from_value
    highest = max([row.highest for row in ATTRIBUTE_LIMITS(rules).values()], default=0)
    if not below < to <= highest:
        raise Wrong(f"an attribute is raised to {highest:+} at most, from less than that: not from {below:+} to {to:+}")
    points = term("a point", ATTRIBUTE_XP), times("points", to - below)
    return total(f"Experience for {to:+}", *points, rule="scumm-attribute-improvement")


@rule("scumm-specialization")
def specialization_cost(rules: Ruleset) -> Derived[int]:
    """What a specialization costs once play has begun; as much as at creation (ruling)."""
    price = term("each", rules.number("specialization-experience"), source=rules.source("specialization-experience"))
    return total("Experience for a specialization", price, rule="scumm-specialization", source=price.source)


@rule("scumm-emergency-dice")
def emergency_dice_cost(rules: Ruleset, dice: int = 1) -> Derived[int]:
    """One Experience Point buys one Emergency Die."""
    if dice < 1:
        raise Wrong(f"at least one Emergency Die is bought at a time, not {dice}")
    price = EMERGENCY_DICE.get(rules, "xp per die").value
    return total("Experience for Emergency Dice", term("a die", price), times("dice", dice), rule="scumm-emergency-dice")


# --- the log ------------------------------------------------------------------------------------------------------------------


class Standing(Log[Entry]):
    """Where a character stands at one point of the log."""

    awards_rule = "scumm-xp-award"

    def __init__(self, rules: Ruleset, character: Character) -> None:
        super().__init__(rules)
        self.attributes = {name: int(getattr(character.attributes, name)) for name in ATTRIBUTES}
        self.skills = {name: level for name, level in character.skills.items() if level > 0}
        self.specializations = {skill: {name.casefold() for name in names} for skill, names in character.specializations.items()}
        self.emergency_dice = max(0, character.emergency_dice)

    def carry_out(self, entry: Entry) -> Iterable[Fault]:
        if isinstance(entry, Award):
            return self.award(entry.xp)
        if isinstance(entry, Spent):
            return self._spend(entry)
        faults, price = _PURCHASES[entry.buy](self, entry)
        return [*faults, *self.pay(bought(entry), price, price if entry.xp is None else entry.xp)]

    def _spend(self, entry: Spent) -> list[Fault]:
        owned, most = self.emergency_dice, most_emergency_dice(self.rules)
        self.emergency_dice = max(0, owned - max(0, entry.dice))
        if entry.dice < 1:
            return [Fault("scumm-emergency-dice", f"{entry.dice} Emergency Dice cannot be spent", "leave the entry out")]
        if entry.dice > owned:
            over = entry.dice - owned
            message = f"{dice(entry.dice)} spent, {owned} owned"
            if owned:
                return [Fault("scumm-emergency-dice", message, f"spend {owned}", "dice", owned, over)]
            return [Fault("scumm-emergency-dice", message, "leave the entry out", over=over)]
        if entry.dice > most:
            over = entry.dice - most
            message = f"{dice(entry.dice)} spent at once; more than {most} on one roll need the gamemaster's leave"
            return [Fault("scumm-emergency-dice", message, f"spend {most}", "dice", most, over, warning=True)]
        return []

    def _buy_skill(self, entry: Purchase) -> tuple[list[Fault], int]:
        skill, to, top = entry.what, entry.to, highest_level(self.rules)
        faults = list(unknown(skill, SKILLS(self.rules), "skill", "scumm-skill-list"))
        now = self.skills.get(skill, 0)
        name, one_up = skill.capitalize(), now + 1
        if to <= now:
            already = f"{name} {'begins at level 1' if now == 0 else f'stands at level {now} already'}: level {to} cannot be bought"
            if now == 0:
                faults.append(Fault("scumm-skill-improvement", already, "buy level 1", "to", 1))
            else:
                faults.append(Fault("scumm-skill-improvement", already, "leave the purchase out"))
            return faults, 0
        self.skills[skill] = to
        if now >= top:
            message = f"{name} {to}: the book has no price beyond level {top}"
            faults.append(Fault("scumm-skill-improvement", message, "leave the purchase out", over=to - top))
            return faults, 0
        if to > one_up:
            begins = "a new skill begins at level 1" if now == 0 else f"from level {now} the next is {one_up}, and none can be skipped"
            faults.append(Fault("scumm-skill-improvement", f"{name} {to}: {begins}", f"buy level {one_up}", "to", one_up, to - one_up))
        return faults, improvement_cost(self.rules, min(to, top), now).value

    def _buy_attribute(self, entry: Purchase) -> tuple[list[Fault], int]:
        faults = list(unknown(entry.what, ATTRIBUTES, "attribute", "scumm-attribute-improvement"))
        if faults:
            return faults, 0
        name, now, to = entry.what.capitalize(), self.attributes[entry.what], entry.to
        highest = ATTRIBUTE_LIMITS.get(self.rules, entry.what).highest
        if to <= now:
            message = f"{name} stands at {now:+} already: {to:+} cannot be bought"
            return [Fault("scumm-attribute-improvement", message, "leave the purchase out")], 0
        self.attributes[entry.what] = to
        if now >= highest:
            message = f"{name} {to:+}: experience raises an attribute to {highest:+} at most"
            return [Fault("scumm-attribute-improvement", message, "leave the purchase out", over=to - highest)], ATTRIBUTE_XP * (to - now)
        if to > now + 1:
            message = f"{name} {to:+}: an attribute is raised by one point at a time, and stands at {now:+}"
            faults.append(Fault("scumm-attribute-improvement", message, f"buy {now + 1:+}", "to", now + 1, to - now - 1))
        return faults, attribute_cost(self.rules, min(to, highest), now).value

    def _buy_specialization(self, entry: Purchase) -> tuple[list[Fault], int]:
        rule_id = "scumm-specialization"
        faults = list(unknown(entry.what, SKILLS(self.rules), "skill", "scumm-skill-list"))
        owned = self.specializations.setdefault(entry.what, set())
        if not entry.name.strip():
            faults.append(Fault(rule_id, f"the specialization of {entry.what.capitalize()} has no name", "leave the purchase out"))
        elif entry.name.casefold() in owned:
            message = f"{entry.what.capitalize()} has the specialization {entry.name} already"
            faults.append(Fault(rule_id, message, "leave the purchase out"))
        if not faults and not self.skills.get(entry.what, 0):
            message = f"a specialization needs the skill: {entry.what.capitalize()} was never learnt"
            faults.append(Fault(rule_id, message, "leave the purchase out"))
        owned.add(entry.name.casefold())
        return faults, specialization_cost(self.rules).value

    def _buy_emergency_dice(self, entry: Purchase) -> tuple[list[Fault], int]:
        if entry.to < 1:
            message = f"{entry.to} Emergency Dice cannot be bought"
            return [Fault("scumm-emergency-dice", message, "leave the purchase out")], 0
        self.emergency_dice += entry.to
        return [], emergency_dice_cost(self.rules, entry.to).value


_PURCHASES = {
    "skill": Standing._buy_skill,
    "attribute": Standing._buy_attribute,
    "specialization": Standing._buy_specialization,
    "emergency dice": Standing._buy_emergency_dice,
}


def dice(number: int) -> str:
    """So many Emergency Dice, in words."""
    return "1 Emergency Die" if number == 1 else f"{number} Emergency Dice"


def bought(entry: Purchase) -> str:
    """What a purchase bought, in words."""
    if entry.buy == "emergency dice":
        return dice(entry.to)
    if entry.buy == "specialization":
        return f"{entry.what.capitalize()} ({entry.name})"
    return f"{entry.what.capitalize()} {entry.to:+}" if entry.buy == "attribute" else f"{entry.what.capitalize()} {entry.to}"


def unknown(name: str, known: Iterable[str], kind: str, rule_id: str) -> Iterator[Fault]:
    """A fault where the name is not among those known, with the nearest one to put in its place."""
    names = list(known)
    if name in names:
        return
    near = near_to(name, names)
    repair = f"write {near}" if near else "leave it out"
    yield Fault(rule_id, f"there is no {kind} {short(name)!r}", repair, "what" if near else "", near)


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
    """Buy the next level of a skill, or a new skill at level 1."""
    now = standing(rules, character)
    level = now.skills.get(skill, 0) + 1 if to is None else to
    return entered(character, now, Purchase("skill", skill, level, xp=xp, story=story), force=force)


@rule("scumm-attribute-improvement")
def buy_attribute(
    rules: Ruleset, character: Character, attribute: str, to: int | None = None, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Raise an attribute by one point."""
    now = standing(rules, character)
    value = now.attributes.get(attribute, 0) + 1 if to is None else to
    return entered(character, now, Purchase("attribute", attribute, value, xp=xp, story=story), force=force)


@rule("scumm-specialization")
def buy_specialization(
    rules: Ruleset, character: Character, skill: str, name: str, xp: int | None = None, story: str = "", force: bool = False
) -> Character:
    """Narrow a known skill to a field of its own."""
    entry = Purchase("specialization", skill, name=name, xp=xp, story=story)
    return entered(character, standing(rules, character), entry, force=force)


@rule("scumm-emergency-dice")
def buy_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, xp: int | None = None, force: bool = False) -> Character:
    """Turn Experience Points into Emergency Dice."""
    return entered(character, standing(rules, character), Purchase("emergency dice", to=dice, xp=xp), force=force)


@rule("scumm-emergency-dice")
def spend_emergency_dice(rules: Ruleset, character: Character, dice: int = 1, on: str = "", force: bool = False) -> Character:
    """Write down Emergency Dice that were used up."""
    return entered(character, standing(rules, character), Spent(dice, on), force=force)
