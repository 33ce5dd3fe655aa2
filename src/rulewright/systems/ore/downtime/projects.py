"""Work between scenes: projects, Extra Time, and tasks that need time but no roll (book lines 383-396, 487-521)."""

from collections.abc import Mapping
from typing import cast

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import DAY, HOUR, MINUTE, MONTH, WEEK, YEAR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Change, Figure, again
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, hindering, person_of
from rulewright.systems.ore.people.pools import rated
from rulewright.systems.ore.resolution.contests import MOST_ROLLS, Progress, complexity, quality
from rulewright.systems.ore.resolution.notation import parse
from rulewright.systems.ore.resolution.tests import Mod, Pool, extra_time, make_test, time_taken, without_a_roll

RULE = "ore-1.18-projects"
COMPLEXITIES = ("easy", "involved", "complicated", "intense", "exhaustive")
SPANS = {"hours": HOUR, "days": DAY, "weeks": WEEK, "months": MONTH, "years": YEAR}
"""The time of a roll, in seconds."""
EXTRA = ("the usual time", "Extra Time", "Double Extra Time")

TEST = Figure("test", "Test", takes="test", needed=True)
DIFFICULTY = Figure("difficulty", "Difficulty", low=1, high=10, default=1, rule="ore-1.09-difficulty")
MODIFIER = Figure("modifier", "Dice more or fewer", low=-10, high=10)
EXTRA_TIME = Figure("extra", "Time for a roll", EXTRA, rule="ore-1.11-extra-time")


def refuse_untested(given: Mapping[str, Value]) -> None:
    """Raises an error if an activity needs a test and none is given."""
    if not given.get(TEST.name):
        raise UserError("say which test of the sheet it takes")


def test_obstacle(case: Now) -> str:
    """Why a test of the sheet cannot be made."""
    return "" if case.tests else f"{case.name} has no test {case.argument(TEST)}"


def pool_of(rules: Ruleset, case: Now, *mods: Mod) -> Pool:
    """The pool of the test that an activity uses, as the body is now."""
    pool = parse(case.tests[0].notation).sides[0].pool
    return pool.plus(*hindering(rules, case.life), Mod("situation", int(case.argument(MODIFIER))), *mods)


def doublings_of(case: Now) -> int:
    """How often the time for a roll is doubled."""
    return EXTRA.index(str(case.argument(EXTRA_TIME)))


class Project(Activity[Patient]):
    """A long task: every roll adds its Width until it reaches the Completion, if need be before a deadline in rolls.

    Its data are the Width, the number of rolls, and the Height of each if the quality matters.
    """

    name = "project"
    label = "work on a project"
    rules = (RULE, "ore-1.11-extra-time")
    hours = 8
    time = Figure("time", "Time of a roll", COMPLEXITIES, rule=RULE)
    work = Figure("work", "Work to be done", COMPLEXITIES, rule=RULE)
    quality = Figure("quality", "Quality", ("does not matter", "matters"), rule=RULE)
    deadline = Figure("deadline", "Rolls before the deadline (0: none)", low=0, high=MOST_ROLLS, rule=RULE)
    width = Figure("completion", "Width needed (0: by the work)", low=0, high=200, rule=RULE)
    unit = Figure("unit", "Time of a roll, if it is none of these", takes="span", rule=RULE)
    arguments = (AIM, TEST, time, work, DIFFICULTY, MODIFIER, EXTRA_TIME, quality, deadline, width, unit)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        refuse_untested(given)

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return test_obstacle(case)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        unit, _ = complexity(rules, str(case.argument(self.time)))
        return time_taken(int(case.argument(self.unit)) or SPANS[unit], doublings_of(case))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        width, rolls, *heights = cast(tuple[int, ...], effect.data or (0, 0))
        completion = self.completion(rules, case)
        pool, difficulty = pool_of(rules, case, extra_time(doublings_of(case))), int(case.argument(DIFFICULTY))
        outcome = yield from make_test(rules, pool, difficulty, "widest", case.name, effect.about)
        progress = Progress(width, rolls, done=False).plus(outcome, completion)
        heights = [*heights, outcome.height] if case.argument(self.quality) == "matters" else []
        deadline = int(case.argument(self.deadline))
        said = f"works on {effect.about}: {outcome}; "
        if progress.done:
            made = quality(rules, tuple(heights)) if heights else None
            of_quality = f" with a quality of {made.value}" if made is not None else ""
            done = f"done after {count(progress.rolls, 'roll')}{of_quality}"
            yield from Tell(Recovers(case.name, said + done, "good", () if made is None else (made.reason,)))
            return Change(case.life)
        if progress.rolls == deadline:
            yield from Tell(Recovers(case.name, f"{said}the deadline has come at {progress.width} of {completion}", "bad"))
            return Change(case.life)
        yield from Tell(Recovers(case.name, f"{said}{progress.width} of {completion}", "good" if outcome.success else "bad"))
        return Change(case.life, again(effect, progress.width, progress.rolls, *heights))

    def completion(self, rules: Ruleset, case: Now) -> int:
        """The Width that is needed."""
        return int(case.argument(self.width)) or complexity(rules, work=str(case.argument(self.work)))[1]

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a roll for {effect.about}, {(effect.data or (0,))[0]} of {self.completion(rules, case)}"


class TakeTime(Activity[Patient]):
    """A task with a definite goal and no hurry, in its Difficulty times minutes, hours or days: a certain result, and no dice."""

    name = "take time"
    label = "take time instead of a roll"
    rules = ("ore-1.12-opt-auto-complete",)
    unit = Figure("unit", "It takes", ("hours", "minutes", "days"), rule="ore-1.12-opt-auto-complete")
    skill = Figure("skill", "Skill", takes="text", needed=True, rule="ore-1.12-opt-auto-complete")
    arguments = (AIM, skill, unit, DIFFICULTY)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not rules.on("auto-complete"):
            raise UserError("this campaign has no Auto Complete (setting auto-complete)")

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return "" if self.rating(rules, case) else f"{case.name} does not have the skill {case.argument(self.skill)}"

    def rating(self, rules: Ruleset, case: Now) -> int:
        """The rating of the skill."""
        return rated(rules, person_of(rules, case.life.sheet), str(case.argument(self.skill))).rating

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        unit = {"minutes": MINUTE, "hours": HOUR, "days": DAY}[str(case.argument(self.unit))]
        return case.worked(unit * int(case.argument(DIFFICULTY)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        done = without_a_roll(rules, self.rating(rules, case), int(case.argument(DIFFICULTY)), str(case.argument(self.unit)))
        assert done is not None
        said = f"takes {count(done.time, done.unit.removesuffix('s'))} for {effect.about}: {done.outcome}, success"
        yield from Tell(Recovers(case.name, said, "good"))
        return Change(case.life)
