"""Lessons between scenes: skills learnt by using them, and what others teach (book lines 1090-1092, 1939-1951)."""

from collections.abc import Mapping

from rulewright.campaign.calendar import HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Companion, Figure
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.experience import entered, valued
from rulewright.systems.foresight.downtime.survivors import Survivor, character_of, person_of, task_of
from rulewright.systems.foresight.people.advancement import standing
from rulewright.systems.foresight.people.characters import Purchase
from rulewright.systems.foresight.people.skills import skill_row
from rulewright.systems.foresight.people.social import teach, teaching_hours
from rulewright.systems.foresight.people.study import learn_in_play
from rulewright.systems.foresight.resolution.tests import Mod, attempt

Now = Case[Survivor]
SKILL = Figure("skill", "Skill", takes="text", needed=True, rule="fs-skill-list")
MODIFIER = Figure("modifier", "Modifier", low=-20, high=20)


class UseUnlearnt(Activity[Survivor]):
    """Using a skill that was never learnt: at QR3 or better it may be bought at level 0 on the spot."""

    name = "use an unlearnt skill"
    label = "use a skill that was never learnt"
    rules = ("fs-learn-skill-in-play",)
    time = Figure("time", "Time it takes", takes="span", default=10 * MINUTE)
    arguments = (SKILL, MODIFIER, time)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        skill_row(rules, str(given[SKILL.name]))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        skill = str(case.argument(SKILL))
        return f"{case.name} knows {skill} already" if person_of(rules, case.life.file).level(skill) is not None else ""

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.time))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        skill = str(case.argument(SKILL))
        task = task_of(rules, case, skill).plus(Mod("modifier", int(case.argument(MODIFIER))))
        rolled = yield from attempt(rules, task, case.name, skill)
        banked = standing(rules, character_of(case.life.file)).general
        said = f"uses {skill} unlearnt, QR{rolled.qr}"
        try:
            price = learn_in_play(rules, skill, rolled.qr, banked)
        except UserError as error:
            yield from Tell(Happened(case.name, f"{said}: {error}", "plain" if rolled.success else "bad"))
            return Change(case.life)
        yield from Tell(Happened(case.name, f"{said}, and learns it for {price.value} points", "good"))
        return entered(case.life, f"learns {skill} 0 for {price.value} points", Purchase("skill", skill))


TAUGHT = "taught"


class Taught(Begun[Survivor]):
    """Something that a teacher has made familiar, or explained for a task. It is never due."""

    name = TAUGHT
    rules = ("fs-teach",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[0]}: {effect.about}"


class TakeLessons(Activity[Survivor]):
    """Lessons by somebody at the same place: a Teach roll brings a skill at level 0, ends strangeness or passes on knowledge."""

    name = "take lessons"
    label = "take lessons from somebody"
    rules = ("fs-teach",)
    teacher = Figure("teacher", "Teacher", takes="person", needed=True, rule="fs-teach")
    kind = Figure("kind", "Kind", ("a skill at level 0", "no longer strange", "knowledge for a task"), rule="fs-teach")
    subject = Figure("subject", "Skill or subject", takes="text", needed=True, rule="fs-teach")
    time = Figure("time", "Time (empty: the skill's cost in hours, otherwise an hour)", takes="span", rule="fs-teach")
    arguments = (subject, teacher, kind, time)
    needs_partner = teacher
    hours = 8

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if given[self.kind.name] == self.kind.words[0]:
            skill_row(rules, str(given[self.subject.name]))

    def _is_skill(self, case: Now) -> bool:
        return case.argument(self.kind) == self.kind.words[0]

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        teacher, subject = case.partner(self.teacher), str(case.argument(self.subject))
        if not self._is_skill(case) or teacher is None:
            return ""
        if not _knows(rules, teacher, subject):
            return f"{teacher.name} does not know {subject}"
        return valued(rules, case.life.file, Purchase("skill", subject))[0]

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        usual = teaching_hours(rules, str(case.argument(self.subject))) if self._is_skill(case) else 1
        return case.worked(int(case.argument(self.time)) or usual * HOUR)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        teacher, subject = case.partner(self.teacher), str(case.argument(self.subject))
        assert teacher is not None
        passed = yield from sub(teach, rules, task_of(rules, case, "Teach", teacher.life))
        if not passed:
            yield from Tell(Happened(case.name, f"learns nothing of {subject} from {teacher.name}", "bad"))
            return Change(case.life)
        yield from Tell(Happened(case.name, f"learns {subject} from {teacher.name}", "good"))
        if self._is_skill(case):
            cost = valued(rules, case.life.file, Purchase("skill", subject))[1]
            return entered(case.life, f"learns {subject} 0 for {cost} points", Purchase("skill", subject))
        return Change(case.life, runs=(OngoingEffect(TAUGHT, subject, 0, (str(case.argument(self.kind)),)),))


def _knows(rules: Ruleset, teacher: Companion[Survivor], skill: str) -> bool:
    return person_of(rules, teacher.life.file).level(skill) is not None
