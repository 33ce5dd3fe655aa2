"""Building the people of downtime: from a character's file and a plan to a participant that the rules can play."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.campaign.activities.general import general_activities
from rulewright.campaign.activities.plan_text import Around
from rulewright.campaign.downtime import Assignment, Downtime, OngoingEffect, Participant, SheetTest, read_means, read_runs
from rulewright.campaign.downtime_rules import BODILESS, DowntimeRules
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.errors import UserError
from rulewright.roll_requests import find_test, known_sheet
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import CONDITION
from rulewright.system import System


def rules_of(system: System) -> DowntimeRules[Any]:
    """The downtime rules of a game."""
    return system.downtime or BODILESS


def participant(
    system: System,
    rules: Ruleset,
    thing: Any,
    name: str,
    doing: tuple[Assignment, ...] = (),
    hidden: tuple[OngoingEffect, ...] = (),
) -> Participant[Any] | None:
    """A person who lives through downtime, rested and nowhere in particular; None for machines and the like."""
    game = rules_of(system)
    try:
        life = game.of(rules, thing, name)
        condition = getattr(thing, CONDITION, {})
        runs, means = (*read_runs(condition), *hidden), read_means(condition)
    except UserError as error:
        raise UserError(f"time cannot pass for {name}: {error}") from None
    if life is None:
        return None
    owned = tuple(sorted(game.owned(rules, thing).items()))
    tests = sheet_tests(system, rules, thing, doing)
    return Participant(name, life, runs=runs, doing=doing, means=means, owned=owned, tests=tests)


def sheet_tests(system: System, rules: Ruleset, thing: Any, doing: Iterable[Assignment]) -> tuple[SheetTest, ...]:
    """The tests that a plan uses, from the sheet of the person in good health."""
    activities = {activity.name: activity for activity in (*rules_of(system).activities, *general_activities(rules_of(system), system))}
    wanted = []
    for line in doing:
        figures = [figure for figure in activities[line.do].arguments if figure.takes == "test"] if line.do in activities else []
        wanted += [key for figure in figures if (key := str(line.get(figure.name)))]
    if not wanted:
        return ()
    sheet = known_sheet(system, rules, _sound(thing))
    tests = [test for key in dict.fromkeys(wanted) if (test := find_test(sheet, key)) is not None]
    return tuple(SheetTest(test.key, test.name, test.notation, (test.against or "").strip()) for test in tests)


def around(system: System, rules: Ruleset, thing: Any, people: Iterable[str], locations: Iterable[str]) -> Around:
    """What the plan of a person may name."""
    tests: dict[str, str] = {}
    for key, test in known_sheet(system, rules, _sound(thing)).tests().items():
        tests |= {key.casefold(): key, test.name.casefold(): key}
    return Around(tuple(people), tuple(locations), tests)


def _sound(thing: Any) -> Any:
    """A character without what scenes left."""
    return replace(thing, **{CONDITION: {}}) if getattr(thing, CONDITION, None) else thing


def scene_of(system: System, rules: Ruleset) -> DowntimeScene:
    """The scene of downtime under a ruleset."""
    return DowntimeScene(rules, system.downtime, system)


def learnt_by(game: DowntimeRules[Any], person: Participant[Any], write: Mapping[int, str]) -> tuple[dict[str, Any], ...]:
    """What a person has learnt, as entries for the log of experience, with the date of each moment."""
    entries = []
    for learnt in person.learnt:
        entry: dict[str, Any] = {"entry": learnt.entry, **dict(learnt.fields)}
        if learnt.entry in game.dated:
            entry.setdefault(game.dated[learnt.entry], write[learnt.at])
        entries.append(entry)
    return tuple(entries)


def changed_plans(before: Downtime[Any], after: Downtime[Any]) -> list[Participant[Any]]:
    """The people whose plan, location or effects that not everybody knows of have changed."""
    return [
        new
        for old, new in zip(before.people, after.people, strict=True)
        if (old.doing, old.location, _hidden(old)) != (new.doing, new.location, _hidden(new))
    ]


def _hidden(person: Participant[Any]) -> tuple[OngoingEffect, ...]:
    return tuple(run for run in person.runs if run.known is not None)
