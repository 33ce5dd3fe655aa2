"""The log of experience in games with Emergency Dice: skills level by level, specializations, and dice bought and used."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

from msgspec import Struct

from rulewright.build.audit import Fault, near_to, short
from rulewright.build.experience import Standing
from rulewright.build.sheet_parts import AnyPiece, Rows, Value
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason

E = TypeVar("E")


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award", tag_field="entry"):
    """Experience Points given at the end of a session."""

    xp: int
    session: str = ""


class Spent(Struct, frozen=True, forbid_unknown_fields=True, tag="spent", tag_field="entry"):
    """Emergency Dice used in play, and the skill they were for."""

    dice: int
    on: str = ""


class Growing(Standing[E]):
    """The state of the log for a person with skills, specializations and Emergency Dice."""

    skill_rule: ClassVar[str]
    special_rule: ClassVar[str]
    dice_rule: ClassVar[str]

    def __init__(self, rules: Ruleset, skills: Mapping[str, int], specializations: Mapping[str, Iterable[str]], dice: int) -> None:
        super().__init__(rules)
        self.skills = {name: level for name, level in skills.items() if level > 0}
        self.specializations = {skill: {name.casefold() for name in names} for skill, names in specializations.items()}
        self.emergency_dice = max(0, dice)

    def use_dice(self, used: int, most: int) -> Iterator[Fault]:
        """Uses Emergency Dice. More than owned are an error, more than the maximum at once a warning."""
        owned = self.emergency_dice
        self.emergency_dice = max(0, owned - max(0, used))
        if used < 1:
            yield Fault(self.dice_rule, f"{used} Emergency Dice cannot be spent", "leave the entry out")
        elif used > owned:
            message = f"{dice(used)} spent, {owned} owned"
            if owned:
                yield Fault(self.dice_rule, message, f"spend {owned}", "dice", owned, used - owned)
            else:
                yield Fault(self.dice_rule, message, "leave the entry out", over=used)
        elif used > most:
            message = f"{dice(used)} spent at once; more than {most} on one roll need the gamemaster's permission"
            yield Fault(self.dice_rule, message, f"spend {most}", "dice", most, used - most, warning=True)

    def gain_dice(self, number: int) -> list[Fault]:
        """Buys Emergency Dice."""
        if number < 1:
            return [Fault(self.dice_rule, f"{number} Emergency Dice cannot be bought", self.without)]
        self.emergency_dice += number
        return []

    def learn(self, skill: str, to: int, top: int) -> tuple[list[Fault], int | None]:
        """Buys the next level of a skill; returns the faults and the level it is bought from, or None if it cannot be bought."""
        now, name = self.skills.get(skill, 0), skill.capitalize()
        if to <= now:
            message = f"{name} {'begins at level 1' if now == 0 else f'is at level {now} already'}: level {to} cannot be bought"
            return [Fault(self.skill_rule, message, self.without) if now else Fault(self.skill_rule, message, "buy level 1", "to", 1)], None
        if now >= top:
            message = f"{name} {to}: the book has no price beyond level {top}"
            return [Fault(self.skill_rule, message, self.without, over=to - top)], None
        self.skills[skill], one_up = to, now + 1
        if to == one_up:
            return [], now
        begins = "a new skill begins at level 1" if now == 0 else f"from level {now} the next is {one_up}, and none can be skipped"
        return [Fault(self.skill_rule, f"{name} {to}: {begins}", f"buy level {one_up}", "to", one_up, to - one_up)], now

    def narrow(self, skill: str, special: str, faults: list[Fault]) -> list[Fault]:
        """Buys a specialization: it needs a name, must be new, and needs its skill."""
        owned, name = self.specializations.setdefault(skill, set()), skill.capitalize()
        if not special.strip():
            faults.append(Fault(self.special_rule, f"the specialization of {name} has no name", self.without))
        elif special.casefold() in owned:
            faults.append(Fault(self.special_rule, f"{name} has the specialization {short(special)} already", self.without))
        if not faults and not self.skills.get(skill, 0):
            faults.append(Fault(self.special_rule, f"a specialization needs the skill: {name} was never learnt", self.without))
        owned.add(special.casefold())
        return faults

    def one_more(self, rule_id: str, name: str, now: int, to: int) -> list[Fault]:
        """Checks that an attribute is raised by one point at a time."""
        if to <= now + 1:
            return []
        message = f"{name} {to:+}: an attribute is raised by one point at a time, and is {now:+} now"
        return [Fault(rule_id, message, f"buy {now + 1:+}", "to", now + 1, to - now - 1)]

    def told(self, entries: Sequence[E], bought: Iterable[str], spending_rule: str) -> Iterator[AnyPiece]:
        """Experience and what it bought, for the sheet; `bought` has the words of every entry."""
        reasons = (Reason("earned", self.earned, "+", self.awards_rule), Reason("spent", self.spent, "−", spending_rule))
        yield Value(name="Experience left", rule=self.awards_rule, key="experience_left", value=self.left, reasons=reasons)
        rows = [_row(entry, words, paid) for entry, words, paid in zip(entries, bought, self.took, strict=True)]
        yield Rows(name="Log", rule=self.awards_rule, field="advancement", heads=("entry", "what", "XP"), rows=tuple(rows))


def _row(entry: object, words: str, paid: int) -> tuple[str, str, str]:
    if isinstance(entry, Award):
        return "award", entry.session, f"{entry.xp:+}"
    return ("Emergency Dice spent", entry.on, str(entry.dice)) if isinstance(entry, Spent) else ("bought", words, str(-paid))


def dice(number: int) -> str:
    """A number of Emergency Dice, in words."""
    return "1 Emergency Die" if number == 1 else f"{number} Emergency Dice"


def unknown(name: str, known: Iterable[str], kind: str, rule_id: str) -> Iterator[Fault]:
    """A fault if the name is unknown, with the nearest one as repair."""
    names = list(known)
    if name in names:
        return
    near = near_to(name, names)
    repair = f"write {near}" if near else "leave it out"
    yield Fault(rule_id, f"there is no {kind} {short(name)!r}", repair, "what" if near else "", near)
