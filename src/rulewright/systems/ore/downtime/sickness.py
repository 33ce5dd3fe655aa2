"""Sickness and poison between scenes: Vigor against their strength (book lines 2181-2182, 7011-7032). What they do is the gamemaster's."""

from collections.abc import Mapping
from typing import NamedTuple, cast

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Change, Figure, again
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, hindering, person_of
from rulewright.systems.ore.harm.body import hurt
from rulewright.systems.ore.people.pools import skill_pool
from rulewright.systems.ore.powers.timed_effects import immunity, purged
from rulewright.systems.ore.resolution.tests import Mod, make_test

RULE, ANTITOXIN_RULE = "ore-3.05-vigor", "ore-5.04-effects-redaction"
SICK, IMMUNE = "sickness", "antitoxin"
VIRULENCE = Figure("virulence", "Virulence, the Difficulty of Vigor", low=1, high=10, default=3, rule=ANTITOXIN_RULE)


class Course(NamedTuple):
    """A sickness or poison: strength, spans in seconds, what a failure costs, the successes that end it, and how it has gone so far."""

    virulence: int
    onset: int
    interval: int
    shock: int
    kill: int
    needed: int
    tests: int
    passed: int = 0
    begun: int = 0


class Sickness(Begun[Patient]):
    """After its onset a test of Vigor, and another after every interval; a failure hurts, and enough successes end it."""

    name = SICK
    ailment = True
    label = "give a sickness or poison"
    rules = (RULE, ANTITOXIN_RULE)
    arguments = (
        Figure("name", "Sickness or poison", takes="text", needed=True),
        VIRULENCE,
        Figure("onset", "Onset", takes="span", default=DAY),
        Figure("interval", "Time between tests", takes="span", default=DAY, needed=True),
        Figure("shock", "Shock for a failure", low=0, high=10, default=1),
        Figure("kill", "Kill for a failure", low=0, high=10),
        Figure("needed", "Successes that end it", low=1, high=20, default=1),
        Figure("tests", "Tests at most (0: until it ends)", low=0, high=100),
    )
    hidden = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        data = tuple(given[argument.name] for argument in self.arguments[1:])
        return OngoingEffect(self.name, self.about(given), 0, (*data, 0, 0))

    def shows(self, effect: OngoingEffect) -> bool:
        return True  # the first test is the first symptom

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        course = course_of(effect)
        return None if case.life.body.dead else course.interval if course.begun else course.onset

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        course = course_of(effect)
        person = person_of(rules, case.life.sheet)
        immune = [Mod("Antitoxin", int(run.data[0]), ANTITOXIN_RULE) for run in case.running(IMMUNE)]
        pool = skill_pool(rules, person, "vigor", "body").plus(*hindering(rules, case.life), *immune)
        outcome = yield from make_test(rules, pool, course.virulence, "widest", case.name, f"Vigor against {effect.about}")
        course = course._replace(begun=course.begun + 1, passed=course.passed + outcome.success)
        over = course.passed >= course.needed or course.begun == course.tests
        said = "passes" if outcome.success and over else "holds out" if outcome.success else "gets worse"
        yield from Tell(Recovers(case.name, f"has {effect.about}: {outcome}, {said}", "good" if outcome.success else "bad"))
        life = case.life
        if not outcome.success and (course.shock or course.kill):
            body = yield from hurt(rules, life.body, "torso", course.shock, course.kill, case.name)
            life = life.with_body(body)
        return Change(life, None if over or life.body.dead else OngoingEffect(effect.of, effect.about, 0, tuple(course)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about}: a test of Vigor, Difficulty {course_of(effect).virulence}"


def course_of(effect: OngoingEffect) -> Course:
    """The course of a sickness so far."""
    return Course(*cast(tuple[int, ...], effect.data))


class Antitoxin(Begun[Patient]):
    """Antitoxin in a body: it weakens a sickness at once, or else protects for three hours a point of Psi. The data are the Width, the
    Psi, and then the seconds that it protects."""

    name = IMMUNE
    rules = (ANTITOXIN_RULE,)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(effect.data[2]) if len(effect.data) > 2 else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        width, psi = int(effect.data[0]), int(effect.data[1])
        if len(effect.data) > 2:
            yield from Tell(Recovers(case.name, "is no longer protected by Antitoxin"))
            return Change(case.life)
        sick = case.running(SICK)
        if not sick:
            bonus, hours = immunity(width, psi)
            yield from Tell(Recovers(case.name, f"is protected by Antitoxin, {bonus.dice:+}d for {count(hours.value, 'hour')}", "good"))
            return Change(case.life, again(effect, width, psi, hours.value * HOUR))
        course = course_of(sick[0])
        left = purged(course.virulence, width)
        said = f"has a Virulence of {left.value} left" if left.value else "is cured"
        yield from Tell(Recovers(case.name, f"{said} ({sick[0].about})", "good", (left.reason,)))
        if not left.value:
            return Change(case.life, ended=((SICK, sick[0].about),))
        weaker = OngoingEffect(SICK, sick[0].about, sick[0].spent, tuple(course._replace(virulence=left.value)), sick[0].known)
        return Change(case.life, runs=(weaker,))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "Antitoxin wears off" if len(effect.data) > 2 else "Antitoxin works"
