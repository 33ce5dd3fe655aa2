"""Free fall between scenes: space sickness by the day, and what months without weight cost (book lines 5776-5828)."""

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, MONTH
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import RUNS_ON, Case, Change, EffectKind, again
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.survivors import EXERCISE, GRAVITY, MOTION_DRUGS, Survivor
from rulewright.systems.silhouette.hazards.gravity import (
    build_lost,
    exercise_needed,
    fitness_lost,
    recover_from_sickness,
    space_sickness,
)

Now = Case[Survivor]
TRAINING = "zero-g"
"""The skill that counts as training for free fall (ruling)."""


def is_weightless(case: Now) -> bool:
    """Whether a person is in free fall."""
    return case.figure(GRAVITY) == "free fall" and case.life.machine is None and not case.life.body.dead


class SpaceSickness(EffectKind[Survivor]):
    """A roll on entering free fall; then a Health test every day until it is over. Its datum is the penalty. It ends with weight."""

    name = "space sickness"
    rules = ("sil-6.2.7-sas",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if is_weightless(case) else RUNS_ON

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if not is_weightless(case) or not effect.data:
            return effect.spent if effect.data else 0
        return DAY if effect.data[0] else None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        life, penalty = case.life, int(effect.data[0]) if effect.data else 0
        if not is_weightless(case):
            if penalty:
                yield from Tell(Recovers(case.name, "is no longer space-sick under weight", "good"))
            return Change(life.penalized(penalty, 0))
        if not effect.data:
            trained, drugs = life.learning.level(TRAINING) > 0, case.figure(MOTION_DRUGS) == "at hand"
            penalty = yield from space_sickness(rules, drugs, trained, life.taken.weightless_before, case.name)
            felt = f"is space-sick ({penalty})" if penalty else "does not mind free fall"
            yield from Tell(Recovers(case.name, felt, "bad" if penalty else "good"))
            return Change(life.penalized(0, penalty), again(effect, penalty))
        if not (yield from recover_from_sickness(rules, life.body)):
            return Change(life, again(effect, penalty))
        yield from Tell(Recovers(case.name, "is no longer space-sick", "good"))
        used_to = replace(life.taken, weightless_before=life.taken.weightless_before + 1)
        return Change(replace(life.penalized(penalty, 0), taken=used_to), again(effect, 0))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "a Health test against space sickness" if effect.data else "gets used to free fall"


class MuscleLoss(EffectKind[Survivor]):
    """Months in free fall without enough exercise cost Fitness and Build. Its datum is the months so far.

    What is lost is told, and time stops: the sheet keeps attributes.
    """

    name = "muscle loss"
    rules = ("sil-6.2.7-gravity-health",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if is_weightless(case) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return MONTH

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        before = int(effect.data[0]) if effect.data else 0
        now, goes_on = before + 1, again(effect, before + 1)
        if int(case.figure(EXERCISE)) >= exercise_needed(now):
            return Change(case.life, goes_on)
        fitness, build = fitness_lost(now) - fitness_lost(before), build_lost(now) - build_lost(before)
        if not fitness:
            return Change(case.life, goes_on)
        lost = f"has lost {fitness} Fitness{f' and {build} Build' if build else ''} after {count(now, 'month')} in free fall"
        yield from Tell(Recovers(case.name, lost, "bad"))
        return Change(case.life, goes_on, stops=f"{case.name} {lost}: lower it on the sheet")

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        now = (int(effect.data[0]) if effect.data else 0) + 1
        return f"month {now} in free fall, {count(exercise_needed(now), 'hour')} of exercise a day needed"
