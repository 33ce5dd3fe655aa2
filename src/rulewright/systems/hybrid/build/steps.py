"""Character creation step by step, each step checked (lines 1236-1266, 2024-2046)."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from rulewright.build.audit import Problem
from rulewright.rules import Ruleset, rule
from rulewright.scenes.scenarios import counted
from rulewright.systems.hybrid.build.audit import audit
from rulewright.systems.hybrid.people.characters import Character
from rulewright.systems.hybrid.people.creation import sound
from rulewright.systems.hybrid.people.ties import USES

BLANK = Character("Somebody", culture="Merovan")


class Stage(Struct, frozen=True):
    """One step of creation: whose chapter has it, what stands in the file, and what is wrong with it."""

    step: str
    chapter: int
    chosen: str
    problems: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems


_STAGES = (
    ("primary statistics", 12, ("primary",)),
    ("race and gender", 12, ("race", "gender", "heritage")),
    ("culture", 12, ("culture", "cultural", "language")),
    ("trade-offs", 12, ("gifts", "enhanced", "heightened", "presence", "limitations")),
    ("calculated statistics", 12, ("height", "weight", "bought")),
    ("history", 9, ("careers",)),
    ("packages and skills", 12, ("skills", "related", "packages", "skill_pools")),
    ("friends, reputation, income", 12, ("friends", "reputation", "incomes")),
    ("points", 12, ("wealth", "status", "moved")),
    ("story and belongings", 9, ("concept", "notes", "gear", "worn", "condition", "advancement")),
)


def _traits(character: Character) -> Iterator[str]:
    """Everything inborn, in words."""
    yield from (gift.name for gift in character.gifts)
    yield from (f"{better.stat} {better.points:+} for {better.area}" for better in character.enhanced)
    yield from (f"{more.power} gift for {more.field} {more.points:+}" for more in character.heightened)
    yield from (f"{seen.of} presence {seen.steps:+}" for seen in character.presence)
    yield from (limit.name for limit in character.limitations)


@rule("hyb-9-process")
def creation_steps(rules: Ruleset, character: Character = BLANK) -> tuple[Stage, ...]:
    """The steps of creation in the one order ruled for all chapters, each checked: primary statistics with race and gender come before
    everything that is worked out from them; what was bought comes after that. A view of `checked_steps`."""
    return checked_steps(rules, character, audit(rules, character).problems)


def checked_steps(rules: Ruleset, character: Character, problems: Iterable[Problem]) -> tuple[Stage, ...]:
    """The steps of creation with what an audit has found."""
    names_by_name: dict[str, list[str]] = {}
    for problem in problems:
        if not problem.warning:
            names_by_name.setdefault(problem.field.partition(".")[0], []).append(problem.message)
    fair = sound(rules, character)
    chosen = {
        "primary statistics": f"{character.primary.total} points",
        "race and gender": " ".join(filter(None, (character.gender, character.race))),
        "culture": character.culture,
        "calculated statistics": ", ".join(f"{stat} {points:+}" for stat, points in fair.bought.items()),
        "trade-offs": ", ".join(_traits(character)),
        "history": ", ".join(career.career for career in character.careers),
        "packages and skills": f"{counted(len(character.packages), 'package')}, {counted(len(character.skills), 'skill')}",
        "friends, reputation, income": ", ".join(tie.name for kind in USES for tie in getattr(character, kind)),
        "points": f"wealth {character.wealth}, standing {character.status}",
        "story and belongings": character.concept,
    }
    return tuple(
        Stage(step, chapter, chosen[step], tuple(message for field in fields for message in names_by_name.get(field, ())))
        for step, chapter, fields in _STAGES
    )
