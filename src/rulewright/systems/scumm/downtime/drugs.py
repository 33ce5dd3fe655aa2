"""Drugs between scenes: taking them, their onset, and how they wear off (book lines 650-690)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.campaign.calendar import MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, EffectKind, Figure, again
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.highest_die.harm import in_words
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.habits import ADDICTION, read_addiction, written_addiction
from rulewright.systems.scumm.downtime.survivors import Survivor
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.drugs import MOST_DOSES, known_drug, potency_of, relapse, resist, suffer, wear_off

Now = Case[Survivor]
DRUG = Figure("drug", "Drug of the table, such as alcohol", takes="text", needed=True, rule="scumm-sample-drugs")
DOSES = Figure("doses", "Doses", low=1, high=MOST_DOSES, default=1, rule="scumm-multiple-doses")
DRUGGED, WEARS_OFF = "drug", "wears off"


class Drug(Begun[Survivor]):
    """A drug in the body: a Health test at once, then its effects after the onset.

    Its data are the drug, the doses, and after the test the margin, whether it was a fumble, and the seconds of the onset.
    """

    name = DRUGGED
    label = "give a drug or poison"
    rules = ("scumm-drugs", "scumm-multiple-doses", "scumm-fatal-toxins", "scumm-sedatives", "scumm-hallucinogens", "scumm-stimulants")
    arguments = (DRUG, DOSES)
    hidden = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        known_drug(rules, str(given[DRUG.name]))
        return super().begun(rules, given)

    def shows(self, effect: OngoingEffect) -> bool:
        return len(effect.data) > 2

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(effect.data[4]) if len(effect.data) > 2 else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        drug, doses = known_drug(rules, str(effect.data[0])), int(effect.data[1])
        if len(effect.data) == 2:
            dosed = yield from resist(rules, drug, case.life.body, doses)
            life = case.life.with_body(dosed.patient)
            goes_on = again(effect, drug.drug, doses, dosed.margin, int(dosed.fumble), dosed.onset_seconds) if dosed.margin else None
            return Change(life, goes_on, runs=_relapsed(case, drug.drug))
        body, margin, fumble = case.life.body, int(effect.data[2]), bool(effect.data[3])
        worn, rest = yield from _up_to_now(rules, case)
        body, potency = worn.body, potency_of(rules, drug.potency, doses).value
        for kind in drug.effects:
            body = yield from suffer(rules, kind, potency, margin, fumble=fumble, user=body)
        yield from Tell(Recovers(case.name, f"feels the {drug.drug}: {state_of(body)}", "bad"))
        return Change(case.life.with_body(body), runs=rest)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.data[0]} takes effect" if len(effect.data) > 2 else f"a Health test against {effect.data[0]}"


def _relapsed(case: Now, drug: str) -> tuple[OngoingEffect, ...]:
    """An addiction to a drug after taking it: no symptoms, and no days without it."""
    addicted = [run for run in case.running(ADDICTION) if run.about == drug]
    return tuple(again(run, *written_addiction(relapse(read_addiction(run)))) for run in addicted)


def _up_to_now(rules: Ruleset, case: Now) -> Play[tuple[Survivor, tuple[OngoingEffect, ...]]]:
    """A body after the part of an hour that other drugs have run, so that new ones do not age with them."""
    running = case.running(WEARS_OFF)
    if not running or running[0].spent < MINUTE:
        return case.life, ()
    minutes, left = divmod(running[0].spent, MINUTE)
    body = yield from wear_off(rules, case.life.body, minutes)
    return case.life.with_body(body), (replace(running[0], spent=left),)


class WearsOff(EffectKind[Survivor]):
    """What drugs do fades by a point an hour; sleepers wake and the helpless rise when their minutes are over."""

    name = WEARS_OFF
    rules = ("scumm-drugs", "scumm-analgesics")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        runs = any(influence.effect != "withdrawal" for influence in body.influences) or body.unconscious > 0 or body.incapacitated > 0
        return ("",) if runs and not body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        body = case.life.body
        waits = [left for left in (body.unconscious, body.incapacitated) if left > 0]
        waits += [influence.after + 60 - influence.spent for influence in body.influences if influence.effect != "withdrawal"]
        waits += [influence.after for influence in body.influences if influence.after]
        return min(waits, default=60) * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        minutes, left = divmod(effect.spent, MINUTE)
        body = yield from wear_off(rules, case.life.body, minutes)
        before, after = state_of(case.life.body), state_of(body)
        if before != after:
            yield from Tell(Recovers(case.name, f"{after}, as the drugs wear off", "good"))
        return Change(case.life.with_body(body), replace(effect, spent=left))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"drugs wear off ({state_of(case.life.body)})"


def state_of(body: Patient) -> str:
    """What drugs do to a body now, in words."""
    parts = [f"{influence.effect} {influence.points}" for influence in body.influences if not influence.after]
    parts += [f"unconscious for {in_words(body.unconscious)}"] if body.unconscious > 0 else []
    parts += [f"helpless for {in_words(body.incapacitated)}"] if body.incapacitated > 0 else []
    return ", ".join(parts) or "sober"


class TakeDrug(Activity[Survivor]):
    """Taking a drug of one's own will; every dose is taken from the stock, if there is any."""

    name = "take a drug"
    label = "take a drug"
    rules = ("scumm-drugs", "scumm-sample-drugs", "scumm-multiple-doses")
    arguments = (DRUG, DOSES)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        known_drug(rules, str(given[DRUG.name]))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        drug = str(case.argument(DRUG))
        stocked, wanted = dict(case.means).get(drug), int(case.argument(DOSES))
        return f"{count(stocked, 'dose')} of {drug} left" if stocked is not None and stocked < wanted else ""

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        drug = str(case.argument(DRUG))
        return ((drug, int(case.argument(DOSES))),) if drug in dict(case.means) else ()

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        drug, doses = str(case.argument(DRUG)), int(case.argument(DOSES))
        yield from Tell(Recovers(case.name, f"takes {count(doses, 'dose')} of {drug}"))
        known = {run.about for run in case.running(DRUGGED)}
        about = next(name for name in (drug, *[f"{drug} {number}" for number in range(2, len(known) + 3)]) if name not in known)
        return Change(case.life, runs=(OngoingEffect(DRUGGED, about, 0, (drug, doses)),))
