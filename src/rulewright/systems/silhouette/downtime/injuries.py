"""Ongoing effects of open wounds: dying, getting worse, treatment, reopening, unconsciousness (book lines 2489-2491, 2509-2546)."""

from typing import Literal, cast

from msgspec.structs import replace

from rulewright.campaign.calendar import MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.survivors import BREATHLESS, Survivor, activity_of, medics, skill_of
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.harm.healing import (
    AN_ATTEMPT,
    Kind,
    Medic,
    degenerate,
    degeneration_interval,
    exert,
    is_worth_treating,
    minutes_pass,
    next_to_treat,
    resuscitate,
    stabilize,
    untreated,
)

Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]
KINDS: tuple[Kind, ...] = ("flesh", "deep")
AN_ATTEMPT_TAKES = AN_ATTEMPT * MINUTE


def _or_now(seconds: int, effect: OngoingEffect) -> int:
    """The seconds of an effect that circumstances may shorten: what would have been due before is due now."""
    return max(seconds, effect.spent)


class Dying(EffectKind[Survivor]):
    """Trauma: every five minutes the best medic at hand tries to resuscitate, the last time when the time is over. Its datum says that the
    only attempt has failed, where the campaign allows one."""

    name = "dying"
    rules = ("sil-3.5.5-trauma",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.trauma is not None and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        left = (case.life.body.trauma or 0) * MINUTE
        return left if self._medic(case, effect) is None else _or_now(min(left, AN_ATTEMPT_TAKES), effect)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        medic, body = self._medic(case, effect), case.life.body
        if medic is None:
            body = yield from minutes_pass(rules, body, body.trauma or 0)
            return case.life.with_body(body), again(effect)
        begun = max(0, effect.spent - AN_ATTEMPT_TAKES) // MINUTE
        body = yield from minutes_pass(rules, body, begun)
        if body.dead:
            return case.life.with_body(body), again(effect)
        after = yield from resuscitate(rules, medic, body)
        failed = after == replace(body, trauma=after.trauma) and body.trauma == (after.trauma or 0) + AN_ATTEMPT
        only = failed and rules.word("resuscitation-attempts") == "one"
        return case.life.with_body(after), again(effect, 1) if only else again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        medic = self._medic(case, effect)
        left = count(case.life.body.trauma or 0, "minute")
        return f"dying, {left} left: {'nobody treats them' if medic is None else f'{medic.name} tries to resuscitate'}"

    def _medic(self, case: Now, effect: OngoingEffect) -> Medic | None:
        return None if effect.data else next(iter(medics(case)), None)


class Reopening(EffectKind[Survivor]):
    """Activity reopens stabilized wounds at once."""

    name = "reopening"
    rules = ("sil-3.5.4-stabilizing",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        stable = ((kind, body.stable_flesh if kind == "flesh" else body.stable_deep) for kind in KINDS)
        opens = any(number and not _stays_closed(case, kind) for kind, number in stable)
        return ("",) if opens and not body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = yield from exert(rules, case.life.body, activity_of(case))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "stabilized wounds reopen"


def _stays_closed(case: Now, kind: Kind) -> bool:
    """Whether a stabilized wound of a kind stays so with what a person does."""
    activity = activity_of(case)
    return activity != "heavy" if kind == "flesh" else activity == "bed rest"


class Degeneration(EffectKind[Survivor]):
    """Untreated wounds are tested, each kind by its own clock."""

    name = "degeneration"
    rules = ("sil-3.5.3-degeneration",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return tuple(kind for kind in KINDS if untreated(body, kind)) if not body.dead and not body.spared else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        kind = cast(Kind, effect.about)
        minutes = degeneration_interval(rules, max(1, untreated(case.life.body, kind)), kind).value
        return _or_now(minutes * MINUTE, effect)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = yield from degenerate(rules, case.life.body)
        body = yield from stay_out(rules, body)
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"untreated {'Flesh' if effect.about == 'flesh' else 'Deep'} Wounds may get worse"


class Treatment(EffectKind[Survivor]):
    """Every five minutes the best medic at hand, who may be the victim, tries to stabilize a wound, if it is worth it and stays closed."""

    name = "treatment"
    rules = ("sil-3.5.4-stabilizing",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if next_to_treat(body) and not body.dead and body.trauma is None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return _or_now(AN_ATTEMPT_TAKES, effect) if self._wound(case) and self._medic(rules, case) else None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        medic, wound = self._medic(rules, case), self._wound(case)
        if medic is None or wound is None:
            return case.life, again(effect)
        body = yield from stabilize(rules, medic, case.life.body, wound)
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        medic = self._medic(rules, case)
        return f"{'nobody' if medic is None else medic.name} tries to stabilize a wound"

    def _medic(self, rules: Ruleset, case: Now) -> Medic | None:
        """The best medic, if treatment helps more than it harms. People treat themselves where nobody is better."""
        life, able = case.life, medics(case)
        own = life.as_medic(able[0].modifier if able else 0).treating_oneself(life.body)
        if life.treats and (not able or skill_of(own) > skill_of(able[0])):
            able = (own, *able)
        return able[0] if able and is_worth_treating(rules, able[0], life.body.under(rules)) else None

    def _wound(self, case: Now) -> Literal["next", "flesh"] | None:
        """What is treated: nothing that would reopen at once (ruling)."""
        kind = next_to_treat(case.life.body)
        if kind is not None and _stays_closed(case, kind):
            return "next"
        return "flesh" if kind == "deep" and untreated(case.life.body, "flesh") and _stays_closed(case, "flesh") else None


class Unconsciousness(EffectKind[Survivor]):
    """People who were knocked out wake when their time is over."""

    name = "unconsciousness"
    rules = ("sil-3.5.2-knockout",)
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.unconscious and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if any(case.running(kind) for kind in BREATHLESS):
            return None
        return _or_now(max(0, case.life.body.unconscious) * MINUTE, effect)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = case.life.body
        yield from Tell(Recovers(case.name, "wakes", "good"))
        return case.life.with_body(replace(body, unconscious=0)), None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "wakes from unconsciousness"
