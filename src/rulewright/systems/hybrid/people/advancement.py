"""Advancement: what experience buys, its costs and its log (book lines 653-661, 1466, 1516)."""

from collections.abc import Iterable
from functools import cached_property, partial

from msgspec.structs import replace

from rulewright.build import audit
from rulewright.build.audit import Fault, short
from rulewright.build.experience import Standing as Log
from rulewright.build.experience import entered
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.hybrid.people.characters import Award, Character, Raised, Training, ranks_of, statistics_of
from rulewright.systems.hybrid.people.creation import sound
from rulewright.systems.hybrid.people.gifts import stat_price
from rulewright.systems.hybrid.people.skills import HIGHEST_RANK, SKILLS, Method, base_cost, known, raising_cost, skill_record, trained
from rulewright.systems.hybrid.people.statistics import STATISTICS, stat_name
from rulewright.systems.hybrid.people.traits import STAT_COSTS

Entry = Award | Training | Raised
SOMEBODY = Character("Somebody", culture="Merovan", advancement=(Award(20, "a first adventure"),))
near_to = partial(audit.near_to, alike=0.75)
"""The known name that was probably meant: among so many short names of skills it has to be quite near."""


def base_of(rules: Ruleset, character: Character, skill: str) -> Derived[int] | None:
    """The base cost of a skill: the book's, or that of the components in the file; None where neither says."""
    entry = character.skill(skill)
    if entry.type is not None:
        return base_cost(rules, entry.type, entry.interaction, entry.tools)
    return skill_record(rules, skill).base_cost if known(rules, skill) is not None else None


class Standing(Log[Entry]):
    """Where a character stands at one point of the log."""

    awards_rule = "hyb-3-raising-skills"
    points = "experience points"
    field = "eep"
    without = "leave it out"

    def __init__(self, rules: Ruleset, character: Character) -> None:
        super().__init__(rules)
        self.character = sound(rules, replace(character, advancement=()))
        self.ranks = {skill: int(rank.value) for skill, rank in ranks_of(rules, self.character).items()}
        self.hours: dict[Method, int] = {}
        """Hours of training so far: those that were too few for a point count on."""

    @cached_property
    def statistics(self) -> dict[str, int]:
        """Every statistic at this point of the log; few logs ask for them."""
        return {stat: int(figure.value) for stat, figure in statistics_of(self.rules, self.character).items()}

    def carry_out(self, entry: Entry) -> Iterable[Fault]:
        if isinstance(entry, Award):
            return self.award(entry.eep)
        if isinstance(entry, Training):
            return self._train(entry)
        faults, price = self._raise(entry)
        what, paid = f"{short(entry.what)} {entry.to}", price if entry.eep is None else entry.eep
        return [*faults, *(self.spend(what, paid) if faults and paid >= 0 else self.pay(what, price, paid))]

    def _train(self, entry: Training) -> list[Fault]:
        if entry.hours < 0:
            return [
                Fault("hyb-3-training", f"training takes 0 hours or more, not {entry.hours}", "leave the training out", over=-entry.hours)
            ]
        before = self.hours.get(entry.method, 0)
        self.hours[entry.method] = after = before + entry.hours
        self.earned += trained(self.rules, after, entry.method).value - trained(self.rules, before, entry.method).value
        return []

    def _raise(self, entry: Raised) -> tuple[list[Fault], int]:
        stat = stat_name(entry.what)
        return self._raise_statistic(entry, stat) if stat in STATISTICS else self._raise_skill(entry)

    def _raise_statistic(self, entry: Raised, stat: str) -> tuple[list[Fault], int]:
        if not self.rules.on("statistics-rise"):
            message = f"{stat} {entry.to}: statistics rise after creation only with the setting statistics-rise"
            return [Fault("hyb-9-stat-costs", message, "leave it out")], 0
        now = self.statistics[stat]
        if stat not in STAT_COSTS(self.rules):
            return [Fault("hyb-9-stat-costs", f"{stat} has no price and cannot be raised", "leave it out")], 0
        if entry.to <= now:
            return [Fault("hyb-9-stat-costs", f"{stat} is already {now}: {entry.to} cannot be bought", "leave it out")], 0
        self.character = replace(self.character, advancement=(*self.character.advancement, entry))
        self.statistics = {name: int(figure.value) for name, figure in statistics_of(self.rules, self.character).items()}
        return [], stat_price(self.rules, stat, entry.to - now).value

    def _raise_skill(self, entry: Raised) -> tuple[list[Fault], int]:
        skill, now = entry.what, self.ranks.get(entry.what)
        now = None if now is None else max(0, now)  # a file may claim less; that is a breach of its own
        base = base_of(self.rules, self.character, skill)
        if base is None:
            near = near_to(skill, tuple(SKILLS(self.rules)))
            message = f"{short(skill)!r} has no base cost: the book does not name it and the file does not give its type"
            return [Fault("hyb-3-skill-format", message, f"write {near}" if near else "leave it out", "what" if near else "", near)], 0
        if entry.to > HIGHEST_RANK:
            message = f"{short(skill)} {entry.to}: prices end at rank {HIGHEST_RANK}"
            if now is not None and now >= HIGHEST_RANK:
                return [Fault("hyb-3-raising-skills", message, "leave it out", over=entry.to - HIGHEST_RANK)], 0
            over = entry.to - HIGHEST_RANK
            return [Fault("hyb-3-raising-skills", message, f"raise it to {HIGHEST_RANK}", "to", HIGHEST_RANK, over=over)], 0
        if entry.to <= (-1 if now is None else now):
            stands = "begins at rank 0" if now is None else f"is already at rank {now}"
            return [Fault("hyb-3-raising-skills", f"{short(skill)} {stands}: {entry.to} cannot be bought", "leave it out")], 0
        self.ranks[skill] = entry.to
        return [], raising_cost(self.rules, base.value, now, entry.to).value


def standing(rules: Ruleset, character: Character) -> Standing:
    """Where a character stands at the end of the log."""
    return Standing(rules, character).after(character.advancement)


@rule("hyb-3-raising-skills")
def raise_skill(
    rules: Ruleset, character: Character = SOMEBODY, skill: str = "Haggling", to: int | None = None, force: bool = False
) -> Character:
    """Raise a skill with experience points, by one rank unless more is asked for; refused where they are not enough.

    By id only.
    """
    now = standing(rules, character)
    return entered(character, now, Raised(skill, now.ranks.get(skill, -1) + 1 if to is None else to), force=force)


@rule("hyb-3-training")
def train(
    rules: Ruleset, character: Character = SOMEBODY, hours: int = 40, method: Method = "teacher", skill: str = "", force: bool = False
) -> Character:
    """Write down hours of training. By id only."""
    return entered(character, standing(rules, character), Training(hours, method, skill), force=force)


@rule("hyb-3-raising-skills")
def experience_left(rules: Ruleset, character: Character = SOMEBODY) -> Derived[int]:
    """Experience points earned and not spent."""
    now = standing(rules, character)
    parts = (term("earned", now.earned), term("spent", now.spent, "−"))
    return total("experience points left", *parts, rule="hyb-3-raising-skills")
