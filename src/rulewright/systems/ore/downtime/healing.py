"""Ongoing effects of rest and treatment under each damage system (lines 1183-1212, 4382-4394, 4465-4483, 4531, 4717-4727)."""

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import RUNS_ON, EffectKind, again
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import (
    NO_SLEEP,
    TREATMENT,
    After,
    Now,
    Patient,
    Recovers,
    changes_in_words,
    exertion_of,
    fails,
    healed_sums,
    medic_at_hand,
    rests,
)
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, Vital
from rulewright.systems.ore.people.advantages import recovered
from rulewright.systems.ore.recovery.healing import fast_day, fast_hour
from rulewright.systems.ore.recovery.medicine import (
    abstract_day,
    can_heal,
    catch_breath,
    day_for_kill,
    day_of_rest,
    medicine,
    medicine_width,
    night_of_sleep,
    penalty_heals,
    recovery_test,
    rest_needed,
    superficial,
    week_for_vital,
    week_of_rest,
    wounds_heal,
)

BREATH = MINUTE
"""How long it takes to catch one's breath after a fight, or to rest for a moment (ruling)."""
FIRST_TREATMENT = HOUR
"""When a medic first treats an injury (ruling)."""
A_DAY = 24


def _changed(rules: Ruleset, case: Now, after: AnyBody, rule: str) -> Play[None]:
    """Tells what has healed, if anything has."""
    before = case.life.body
    if sums := healed_sums(before, after, rule):
        yield from Tell(Recovers(case.name, f"recovers: {changes_in_words(before, after)}", "good", sums))


def _fast_rates(rules: Ruleset, case: Now) -> tuple[bool, int]:
    """Whether Shock heals by the hour, and how much Kill by the day of rest, with Fast Recovery."""
    points = case.life.fast_recovery
    if not points:
        return False, 0
    hour = recovered(rules, points, 1, rests(case))
    return bool(hour.shock or hour.all_shock), recovered(rules, points, A_DAY).kill


class FastRecovery(EffectKind[Patient]):
    """Shock heals by the hour with the advantage Fast Recovery."""

    name = "fast recovery"
    rules = ("ore-2.25-fast-recovery",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if not body.dead and _fast_rates(rules, case)[0] and _shock(body) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = yield from fast_hour(rules, case.life.body, case.life.fast_recovery, rests(case), case.name)
        yield from _changed(rules, case, body, self.rules[0])
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "Shock heals by the hour"


def _shock(body: AnyBody) -> int:
    """Shock that heals: marks, points, or Outs of Injuries that are not Wounds."""
    if isinstance(body, Located):
        return sum(part.shock for part in body.parts)
    return body.shock if isinstance(body, Vital) else sum(healed.mark == "outs" for healed in can_heal(body))


class Days(EffectKind[Patient]):
    """What heals by days of rest or nights of sleep, after a moment's rest that takes off what was superficial.

    The data are the Shock, or the Downs and Outs, that were left after the last time, so that only later ones are superficial, and the
    seconds of the present day.
    """

    name = "rest"
    rules = ("ore-4.09-recovery", "ore-4.07-opt06-vital-healing", "ore-4.07-opt07-healing", "ore-2.25-fast-recovery")
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        if body.dead or fails(body):
            return ()
        if isinstance(body, Located):
            kill = _fast_rates(rules, case)[1] and any(part.kill for part in body.parts)
            return ("",) if rests(case) and (kill if case.life.fast_recovery else _shock(body)) else ()
        if isinstance(body, Abstract):
            return ("",) if body.injuries and rests(case) else RUNS_ON if body.injuries else ()
        kill = body.kill_lost and (rests(case) or medic_at_hand(rules, case) is not None)
        return ("",) if body.shock or kill else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        _, today = _known(effect)
        if isinstance(case.life.body, Abstract) and not rests(case):
            return None
        return BREATH if self._takes_breath(case, effect) else DAY - today

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, (_, today) = case.life.body, _known(effect)
        if effect.spent > DAY - today:  # somebody who did other things rests again
            return case.life, again(effect, *effect.data)
        if self._takes_breath(case, effect):
            after: AnyBody = catch_breath(body) if isinstance(body, Vital) else body
            if isinstance(body, Abstract):
                after = yield from superficial(rules, body, case.name)
            today = (today + effect.spent) % DAY
        else:
            after, today = (yield from self._day(rules, case)), 0
        yield from _changed(rules, case, after, _rule(after))
        return case.life.with_body(after), again(effect, _fresh(after), today)

    def _takes_breath(self, case: Now, effect: OngoingEffect) -> bool:
        """Whether there is harm that a moment's rest takes off: new Shock, or Downs and Outs of somebody who rests."""
        body = case.life.body
        possible = bool(can_heal(body)) if isinstance(body, Abstract) else isinstance(body, Vital)
        return possible and _fresh(body) > _known(effect)[0]

    def _day(self, rules: Ruleset, case: Now) -> Play[AnyBody]:
        """A day and its night."""
        body, points = case.life.body, case.life.fast_recovery
        if isinstance(body, Vital):
            return (yield from self._day_of_vital(rules, case, body))
        if points:
            return (yield from fast_day(rules, body, points, case.name))
        if isinstance(body, Located):
            return day_of_rest(body)
        return (yield from abstract_day(rules, body, medic_at_hand(rules, case) is not None, case.name))

    def _day_of_vital(self, rules: Ruleset, case: Now, body: Vital) -> Play[AnyBody]:
        """A night's sleep for Shock and a day of rest for a Kill Box. A medicine roll adds to the sleep and allows activity."""
        medic, width = medic_at_hand(rules, case), 0
        if medic is not None:
            width = yield from medicine_width(rules, medic[1], medic[0], case.life.hard_to_kill)
        after: AnyBody = body
        if exertion_of(case) != NO_SLEEP.name and not _fast_rates(rules, case)[0]:
            after = night_of_sleep(body, width)
        if rests(case) and case.life.fast_recovery:
            return (yield from fast_day(rules, after, case.life.fast_recovery, case.name))
        assert isinstance(after, Vital)
        return day_for_kill(after, rests(case), width)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if self._takes_breath(case, effect):
            return "catches their breath" if isinstance(case.life.body, Vital) else "superficial Downs and Outs heal"
        return "a day of rest" if rests(case) else "a night"


def _known(effect: OngoingEffect) -> tuple[int, int]:
    """What was left after the last time, and the seconds of the present day."""
    return (int(effect.data[0]), int(effect.data[1])) if len(effect.data) == 2 else (0, 0)


def _fresh(body: AnyBody) -> int:
    """The harm of which a part may be superficial."""
    return body.shock if isinstance(body, Vital) else body.total if isinstance(body, Abstract) else 0


def _rule(body: AnyBody) -> str:
    """The rule of healing in the damage system of a body."""
    if isinstance(body, Located):
        return "ore-4.09-recovery"
    return "ore-4.07-opt06-vital-healing" if isinstance(body, Vital) else "ore-4.07-opt07-healing"


class Weeks(EffectKind[Patient]):
    """What heals by weeks of rest: Kill, Wounds, Vital Boxes, lost dice. The data are the Width of the medicine roll for this week.

    Who does not rest begins the week anew (ruling).
    """

    name = "weeks of rest"
    rules = ("ore-4.09-recovery", "ore-4.07-opt09-wounds", "ore-4.07-opt06-vital-healing", "ore-4.07-opt07-healing")
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        if body.dead or fails(body) or not rests(case):
            return ()
        kill = isinstance(body, Located) and any(part.kill for part in body.parts) and not _fast_rates(rules, case)[1]
        vital = isinstance(body, Vital) and body.vital_lost
        penalty = isinstance(body, Abstract) and body.penalty
        harm = (("Kill", kill), ("Wound", body.wounds), ("Vital Box", vital), ("lost die", penalty))
        return tuple([name for name, hurt in harm if hurt])

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0 if self._begins_with_medicine(rules, case, effect) else rest_needed(_width(effect)) * DAY

    def _begins_with_medicine(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> bool:
        """Whether a medic rolls now; Kill in locations has treatments of its own."""
        return effect.about != "Kill" and not effect.data and not effect.spent and medic_at_hand(rules, case) is not None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, width = case.life.body, _width(effect)
        medic = medic_at_hand(rules, case)
        if medic is not None and self._begins_with_medicine(rules, case, effect):
            width = yield from medicine_width(rules, medic[1], medic[0], case.life.hard_to_kill)
            shorter = f"so {case.name}'s {effect.about} heals in {rest_needed(width)} days of rest" if width else "without success"
            yield from Tell(Recovers(medic[0], f"treats {case.name}, {shorter}", "good" if width else "bad"))
            return case.life, again(effect, width)
        days, rule = rest_needed(width), _rule(body)
        after: AnyBody = body
        if effect.about == "Wound":
            after, rule = wounds_heal(body, days, width), "ore-4.07-opt09-wounds"
        elif isinstance(body, Located):
            after = week_of_rest(body)
        else:
            after = week_for_vital(body, days, width) if isinstance(body, Vital) else penalty_heals(body, days, width)
        yield from _changed(rules, case, after, rule)
        return case.life.with_body(after), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if self._begins_with_medicine(rules, case, effect):
            return f"a medicine roll for a {effect.about}"
        return "Kill becomes Shock" if effect.about == "Kill" else f"a {effect.about} heals"


def _width(effect: OngoingEffect) -> int:
    return int(effect.data[0]) if effect.data else 0


class Treatment(EffectKind[Patient]):
    """A medic treats every hurt location in turn, soon and then as often as the place says. The data are whether it has begun."""

    name = "treatment"
    rules = ("ore-4.09-medicine",)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        hurt = isinstance(body, Located) and not body.dead and any(part.shock or part.kill for part in body.parts)
        return ("",) if hurt and int(case.figure(TREATMENT)) and medic_at_hand(rules, case) is not None else RUNS_ON if hurt else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        days = int(case.figure(TREATMENT))
        if not days or medic_at_hand(rules, case) is None:
            return None
        return days * DAY if effect.data else FIRST_TREATMENT

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, medic = case.life.body, medic_at_hand(rules, case)
        assert isinstance(body, Located)
        assert medic is not None
        for part in body.parts:
            body = yield from medicine(rules, body, part.location, medic[1], medic[0], case.life.hard_to_kill)
        changed = changes_in_words(case.life.body, body)
        words = f"treats {case.name}: {changed or 'nothing heals'}"
        yield from Tell(Recovers(medic[0], words, "good" if changed else "bad", healed_sums(case.life.body, body, self.rules[0])))
        return case.life.with_body(body), again(effect, 1)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        medic = medic_at_hand(rules, case)
        return f"{medic[0] if medic is not None else 'nobody'} treats every injury"


class Rousing(EffectKind[Patient]):
    """Down Boxes and Out Boxes: a Recovery Test a day (ruling), once the body is stable. Who lies there rests."""

    name = "recovery test"
    rules = ("ore-4.07-opt07-healing",)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        marked = isinstance(body, Abstract) and (body.down_boxes or body.out_boxes)
        return ("",) if marked and not body.dead and not fails(body) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body, life = case.life.body, case.life
        assert isinstance(body, Abstract)
        after = yield from recovery_test(rules, body, case.name, life.hard_to_kill, life.feats)
        if after == body:
            yield from Tell(Happened(case.name, "makes no progress with a Recovery Test", "bad"))
        yield from _changed(rules, case, after, self.rules[0])
        return life.with_body(after), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "a Recovery Test"
