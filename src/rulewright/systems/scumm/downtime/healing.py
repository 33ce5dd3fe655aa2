"""Ongoing effects of injuries: dying, recovery, comas, bruises and rehabilitation (book lines 545-567)."""

from typing import Literal, cast

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import CARE, EQUIPMENT, MEDICINE, REHABILITATION, Recovers, Survivor
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.damage import die
from rulewright.systems.scumm.harm.events import Died
from rulewright.systems.scumm.harm.healing import (
    LONG_COMA,
    Care,
    Medic,
    bruise_hours,
    days_for_next,
    lose_minute,
    recover,
    rehabilitate,
    resuscitate,
)

Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]
Bruise = Literal["flesh", "deep"]


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


class Bruises(EffectKind[Survivor]):
    """Bruises alone fade after a die of hours or days; beside real wounds they heal like these. The data are the seconds of each."""

    name = "bruises"
    rules = ("scumm-bruise-damage",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        if body.wounded or body.dead:
            return ()
        return tuple(kind for kind in ("flesh", "deep") if _bruises(body, kind))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        known = cast(tuple[int, ...], effect.data)
        return min(known) if len(known) == _bruises(case.life.body, effect.about) else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, kind = case.life.body, cast(Bruise, effect.about)
        left = sorted(max(0, int(seconds) - effect.spent) for seconds in effect.data)[: _bruises(body, kind)]
        missing = _bruises(body, kind) - len(left)
        if missing:
            for _ in range(missing):
                left.append(HOUR * (yield from bruise_hours(rules, kind, case.name)))
            return case.life, again(effect, *left)
        if not left or left[0]:
            return case.life, again(effect, *left)  # there were more figures than bruises
        body = replace(body, **{f"bruised_{kind}": _bruises(body, kind) - 1})
        yield from Tell(Recovers(case.name, f"recovers: a {'bad bruise' if kind == 'deep' else 'bruise'} fades", "good"))
        return case.life.with_body(body), again(effect, *left[1:]) if left[1:] else None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if len(effect.data) != _bruises(case.life.body, effect.about):
            return "a roll for how long bruises stay"
        return "a bad bruise fades" if effect.about == "deep" else "a bruise fades"


class Rehabilitation(EffectKind[Survivor]):
    """Rehabilitation takes away what badly healed Deep wounds have left. The gamemaster says how long it takes."""

    name = "rehabilitation"
    rules = ("scumm-recovery",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.stiffness and not case.life.body.dead and case.figure(REHABILITATION) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.figure(REHABILITATION)) * DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        yield from Tell(Recovers(case.name, "has completed the rehabilitation: no more penalty on physical actions", "good"))
        return case.life.with_body(rehabilitate(case.life.body)), None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "rehabilitation ends"


def _care(case: Now) -> Care:
    return cast(Care, case.figure(CARE))


def _bruises(body: Patient, kind: str) -> int:
    return body.bruised_deep if kind == "deep" else body.bruised_flesh
