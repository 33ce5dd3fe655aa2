"""Illness between scenes: contact, incubation, outbreak, and the days of its course (book lines 5660-5684)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, Change, EffectKind, Figure, again
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.survivors import HYGIENE, Survivor, nursing_of
from rulewright.systems.silhouette.hazards.disease import ILLNESSES, break_out, catch, one_day
from rulewright.systems.silhouette.people.conditions import Infection

Now = Case[Survivor]
ILLNESS = Figure("illness", "Illness, such as mutant influenza", takes="text", needed=True, rule="sil-6.2.4-mutant-influenza")


def with_infection(life: Survivor, infection: Infection) -> Survivor:
    """The person with an illness changed; one that is over is left out. Its penalty counts after fever and days in bed."""
    before = next((known for known in life.taken.infections if known.illness == infection.illness), None)
    others = tuple(known for known in life.taken.infections if known.illness != infection.illness)
    listed = others if infection.over else (*others, infection)
    life = life.penalized(before.penalty if before is not None else 0, infection.penalty)
    return replace(life, taken=replace(life.taken, infections=listed))


class Exposure(Begun[Survivor]):
    """Contact with an illness: a secret test, and an incubation that nobody feels, until the illness breaks out.

    Its data are the illness, and after an infection the Virulence in this body and the seconds of incubation.
    """

    name = "exposure"
    label = "expose to an illness"
    rules = ("sil-6.2.4-disease", "sil-6.2.4-mutant-influenza")
    arguments = (ILLNESS,)
    hidden = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        ILLNESSES.get(rules, str(given[ILLNESS.name]))
        return super().begun(rules, given)

    def shows(self, effect: OngoingEffect) -> bool:
        return len(effect.data) > 1

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return int(effect.data[2]) if self.shows(effect) else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        illness, body = str(effect.data[0]), case.life.body
        if not self.shows(effect):
            if any(known.illness == illness for known in case.life.taken.infections):
                return Change(case.life)
            caught = yield from catch(rules, body, illness, int(case.figure(HYGIENE)))
            return Change(
                case.life, again(effect, illness, caught.virulence, round(caught.days_left * DAY)) if caught is not None else None
            )
        infection = yield from break_out(rules, body, Infection(illness, int(effect.data[1])))
        yield from Tell(Recovers(case.name, _course(infection), "plain" if infection.over else "bad"))
        return Change(with_infection(case.life, infection))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} breaks out" if self.shows(effect) else f"exposure to {effect.about}"


class Illness(EffectKind[Survivor]):
    """An illness that has broken out, day by day; without proper care a fever may kill."""

    name = "illness"
    rules = ("sil-6.2.4-disease", "sil-6.2.4-mutant-influenza")
    ailment = True
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return tuple(infection.illness for infection in case.life.taken.infections) if not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        before = _infection(case, effect.about)
        body, after = yield from one_day(rules, case.life.body, before, nursing_of(case))
        if not body.dead and (before.fever, before.in_bed, before.penalty) != (after.fever, after.in_bed, after.penalty):
            worse = (after.fever, after.in_bed, -after.penalty) > (before.fever, before.in_bed, -before.penalty)
            yield from Tell(Recovers(case.name, _course(after), "bad" if worse else "good"))
        return Change(with_infection(case.life.with_body(body), after), again(effect))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return _course(_infection(case, effect.about))


def _infection(case: Now, illness: str) -> Infection:
    return next(infection for infection in case.life.taken.infections if infection.illness == illness)


def _course(infection: Infection) -> str:
    """An illness in words."""
    if infection.over:
        return f"gets over {infection.illness}"
    if infection.fever:
        return f"has a life-threatening fever ({infection.illness})"
    if infection.in_bed:
        return f"must stay in bed ({infection.illness})"
    return f"feels ill ({infection.illness}, {infection.penalty})" if infection.penalty else f"carries {infection.illness}"
