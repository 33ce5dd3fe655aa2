"""Ongoing effects of injuries: dying, recovery and comas (book lines 545-567)."""

from typing import cast

from rulewright.campaign.calendar import DAY, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import CARE, EQUIPMENT, MEDICINE, Survivor
from rulewright.systems.scumm.harm.damage import die
from rulewright.systems.scumm.harm.events import Died
from rulewright.systems.scumm.harm.healing import (
    LONG_COMA,
    Care,
    Medic,
    days_for_next,
    lose_minute,
    recover,
    resuscitate,
)

Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]


class Dying(EffectKind[Survivor]):
    """Shock: every minute the best medic at hand tries to resuscitate; without one the minute is lost."""

    name = "dying"
    rules = ("scumm-trauma", "scumm-resuscitation")
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.trauma is not None and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        medic, body = best_medic(case), case.life.body
        if medic is None:
            body = yield from lose_minute(rules, body)
        else:
            body = yield from resuscitate(rules, medic, body)
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        medic = best_medic(case)
        left = count(case.life.body.trauma or 0, "minute")
        return f"dying, {left} left: {'nobody treats them' if medic is None else f'{medic.name} tries to resuscitate'}"


def best_medic(case: Now) -> Medic | None:
    """The best medic at the same place: one of the staff or a companion who is fit to act and knows Medicine; None if there is none."""
    equipment = int(case.figure(EQUIPMENT))
    medics = [
        Medic(other.name, other.life.medicine, other.life.intelligence, equipment, penalty=other.life.body.penalty)
        for other in case.company
        if other.life.medicine > 0 and other.life.body.able
    ]
    staff = int(case.figure(MEDICINE))
    if staff:
        medics.append(Medic("the staff", staff, 0, equipment))
    return max(medics, key=lambda medic: (medic.medicine, medic.intelligence + medic.penalty), default=None)


class Recovery(EffectKind[Survivor]):
    """Wounds heal one at a time, Flesh before Deep, after the rest that follows a resuscitation."""

    name = "recovery"
    rules = ("scumm-recovery",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        hurt = body.wounded or body.resuscitated
        return ("",) if hurt and not body.dead and body.trauma is None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return self._days(rules, case) * DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        recovered = recover(rules, case.life.body, self._days(rules, case), _care(case))
        what = recovered.reasons[-1].label
        if recovered.value.patient.dead:
            body = yield from die(rules, case.life.body, Died(case.name, "missing medical aid"))
            return case.life.with_body(body), again(effect)
        yield from Tell(Recovers(case.name, f"recovers: {what}", "good", (recovered.reason,)))
        return case.life.with_body(recovered.value.patient), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        body = case.life.body
        if body.resuscitated:
            return "dies without medical aid" if days_for_next(rules, body, _care(case)) is None else "has rested from the resuscitation"
        if body.flesh and not (body.bruised_flesh and body.flesh == 1):
            return "a Flesh wound heals"
        bruised = body.bruised_flesh or (body.bruised_deep and body.deep == 1)
        return "a bruise beside the wounds heals" if bruised else "a Deep wound heals"

    def _days(self, rules: Ruleset, case: Now) -> int:
        """Days until the next change; without aid a resuscitated person dies on the first."""
        return days_for_next(rules, case.life.body, _care(case)) or 1


class Coma(EffectKind[Survivor]):
    """A coma of more than a week kills without medical aid."""

    name = "coma"
    rules = ("scumm-recovery",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.coma and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if _care(case) == "constant" else (LONG_COMA + 1) * DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = yield from die(rules, case.life.body, Died(case.name, "a long coma without medical aid"))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "dies in the coma without medical aid"


def _care(case: Now) -> Care:
    return cast(Care, case.figure(CARE))
