"""Ongoing effects of treated wounds: healing, and what kills without medical aid (book lines 2547-2574)."""

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.action.recovery import (
    A_DAY,
    LONG_COMA,
    Care,
    Mending,
    heal_next,
    keeps_alive,
    next_to_heal,
    recovery_days,
)
from rulewright.systems.silhouette.downtime.survivors import Survivor, care_of
from rulewright.systems.silhouette.harm.events import Died

Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]


@cached(512)
def days_to_heal(rules: Ruleset, what: Mending, care: Care, healing: float) -> Derived[float]:
    """Returns the days of one wound, or of the rest after a resuscitation."""
    return recovery_days(rules, int(what == "flesh"), int(what == "deep"), care, what == "rest", healing)


class Recovery(EffectKind[Survivor]):
    """One wound heals at a time, Flesh before Deep, after the rest that follows a resuscitation. What heals next begins anew."""

    name = "recovery"
    rules = ("sil-3.5.6-recovery",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        what = next_to_heal(rules, case.life.body)
        return () if what == "none" or (what == "rest" and not keeps_alive(rules, care_of(case))) else (what,)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return round(self._days(rules, case).value * A_DAY) * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, what = heal_next(rules, case.life.body, care_of(case))
        yield from Tell(Recovers(case.name, what.replace("a ", "recovers: a ", 1), "good", (self._days(rules, case).reason,)))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if effect.about == "rest":
            return "has rested from the resuscitation"
        return f"a {'Flesh' if effect.about == 'flesh' else 'Deep'} Wound heals"

    def _days(self, rules: Ruleset, case: Now) -> Derived[float]:
        body = case.life.body
        return days_to_heal(rules, next_to_heal(rules, body), care_of(case), body.healing)


class Neglect(EffectKind[Survivor]):
    """The resuscitated die after a day without medical aid (ruling: the book gives no time)."""

    name = "neglect"
    rules = ("sil-3.5.6-recovery",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        lacks = body.resuscitated and body.trauma is None and not body.dead and not keeps_alive(rules, care_of(case))
        return ("",) if lacks else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        return (yield from _die(case, effect, "missing medical aid"))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "dies without medical aid"


class Coma(EffectKind[Survivor]):
    """A coma of more than a week kills without medical aid."""

    name = "coma"
    rules = ("sil-3.5.6-recovery",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.coma and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if keeps_alive(rules, care_of(case)) else max(LONG_COMA * DAY + MINUTE, effect.spent)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        return (yield from _die(case, effect, "a long coma without medical aid"))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "dies in the coma without medical aid"


def _die(case: Now, effect: OngoingEffect, of: str) -> Play[After]:
    yield from Tell(Died(case.name, of))
    return case.life.with_body(replace(case.life.body, dead=True, trauma=None)), again(effect)
