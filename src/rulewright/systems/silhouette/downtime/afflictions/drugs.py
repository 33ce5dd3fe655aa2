"""Drugs and poisons between scenes: taking them, their onset, and how they wear off (book lines 5533-5613)."""

from collections.abc import Mapping
from typing import cast, get_args

from msgspec.structs import astuple, replace

from rulewright.campaign.calendar import HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, EffectKind, Figure, again
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.survivors import Survivor
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.hazards.addiction import takes_it_again
from rulewright.systems.silhouette.hazards.drugs import (
    DRUGS,
    MOST_DOSES,
    NOTHING,
    Effect,
    Kind,
    Toxin,
    effect_after,
    feel,
    wear_off,
    withstand_toxin,
)

Now = Case[Survivor]
DRUG = Figure("drug", "Drug, such as alcohol", takes="text", needed=True, rule="sil-6.2.2-sample-drugs")
DOSES = Figure("doses", "Doses", low=1, high=MOST_DOSES, default=1, rule="sil-6.2.2-multi-effect-doses")
POTENCY = Figure("potency", "Potency (0: of the table)", low=0, high=60, rule="sil-6.2.2-toxin-core")
EFFECT = Figure("effect", "Effect of a drug of your own", get_args(Kind), rule="sil-6.2.2-toxin-core")
ONSET = Figure("onset", "Onset Time of a drug of your own", takes="span", default=MINUTE, rule="sil-6.2.2-toxin-core")
DRUGGED, ABSTINENCE = "drug", "abstinence"
GIVEN = 5
"""The first data of a drug: what was given. After the test the seconds until it works follow (-1: it works), and the effect."""


def toxin_of(rules: Ruleset, drug: str, doses: int, *, potency: int = 0, effect: str = "fatal", onset: int = MINUTE) -> Toxin:
    """Returns a drug of the table, or one of the gamemaster's own."""
    if potency:
        return Toxin(potency, (cast(Kind, effect),), onset / MINUTE, doses, drug)
    row = DRUGS.get(rules, drug)
    return Toxin(row.potency, row.effects, row.onset, doses, row.name)


class Drug(Begun[Survivor]):
    """A drug in the body: a Health test at once, its effects after the onset, and then they fade by the hour."""

    name = DRUGGED
    label = "give a drug or poison"
    rules = (
        *("sil-6.2.2-toxin-core", "sil-6.2.2-fatal-toxins", "sil-6.2.2-sedatives", "sil-6.2.2-hallucinogens", "sil-6.2.2-euphorics"),
        *("sil-6.2.2-stimulants", "sil-6.2.2-analgesics", "sil-6.2.2-multi-effect-doses", "sil-6.2.2-sample-drugs"),
    )
    arguments = (DRUG, DOSES, POTENCY, EFFECT, ONSET)
    hidden = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        if not given[POTENCY.name]:
            DRUGS.get(rules, str(given[DRUG.name]))
        return super().begun(rules, given)

    def shows(self, effect: OngoingEffect) -> bool:
        return len(effect.data) > GIVEN

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        left = int(effect.data[GIVEN]) if self.shows(effect) else 0
        return HOUR if left < 0 else left

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        given = effect.data[:GIVEN]
        if not self.shows(effect):
            drug, doses, potency, kind, onset = given
            toxin = toxin_of(rules, str(drug), int(doses), potency=int(potency), effect=str(kind), onset=int(onset))
            dosed = yield from withstand_toxin(rules, case.life.body, toxin)
            seconds = round(dosed.minutes * MINUTE)
            return Change(case.life, again(effect, *given, seconds, *written(dosed.effect)) if dosed.margin else None)
        felt, body = read(effect.data[GIVEN + 1 :]), case.life.body
        if int(effect.data[GIVEN]) >= 0:
            body = yield from feel(rules, body, felt)
            body = yield from stay_out(rules, body)
            felt = replace(felt, penalty=min(felt.penalty, body.drugged), damage=0, coma=False)
        else:
            felt = effect_after(felt)
            body = yield from _faded(case, felt)
        goes_on = felt != NOTHING and not body.dead
        return Change(case.life.with_body(body), again(replace(effect, known=None), *given, -1, *written(felt)) if goes_on else None)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if not self.shows(effect):
            return f"a Health test against {effect.about}"
        return f"{effect.about} takes effect" if int(effect.data[GIVEN]) >= 0 else f"{effect.about} wears off ({state_of(case.life.body)})"


def written(felt: Effect) -> tuple[int, ...]:
    """An effect as data: whole numbers in the order of its fields; what asleep means is over once it is felt."""
    return tuple(int(value) for value in astuple(felt))


def read(data: tuple[Value, ...]) -> Effect:
    """The effect in these data."""
    penalty, out, asleep, initiative, rising, relief, damage, coma = (int(value) for value in data)
    return Effect(penalty, out, bool(asleep), initiative, bool(rising), relief, damage, bool(coma))


def _faded(case: Now, felt: Effect) -> Play[Patient]:
    """The body with this drug an hour later, and other drugs as they are."""
    others = [read(run.data[GIVEN + 1 :]) for run in case.running(DRUGGED) if len(run.data) > GIVEN and int(run.data[GIVEN]) < 0]
    drugs, body = (felt, *others), case.life.body
    after = replace(
        body,
        drugged=min(drug.penalty for drug in drugs) if not felt.out else body.drugged,
        alert=max(drug.initiative for drug in drugs),
        ignored=max(drug.relief for drug in drugs),
    )
    if state_of(after) != state_of(body):
        yield from Tell(Recovers(case.name, f"{state_of(after)}, as the drugs wear off", "good"))
    return after


def state_of(body: Patient) -> str:
    """What drugs do to a body now, in words."""
    parts = [f"drug penalty {body.drugged}"] if body.drugged else []
    parts += [f"initiative {body.alert:+}"] if body.alert else []
    parts += [f"{count(body.ignored, 'point')} of pain ignored"] if body.ignored else []
    return ", ".join(parts) or "sober"


class WearsOff(EffectKind[Survivor]):
    """What a scene has left of drugs fades by a point an hour."""

    name = "wears off"
    rules = ("sil-6.2.2-sedatives", "sil-6.2.2-analgesics")
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        explained = any(len(run.data) > GIVEN and int(run.data[GIVEN]) < 0 for run in case.running(DRUGGED))
        return ("",) if (body.drugged or body.alert or body.ignored) and not explained and not body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        body = yield from wear_off(case.life.body, 1)
        return Change(case.life.with_body(body), again(effect))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"drugs wear off ({state_of(case.life.body)})"


class TakeDrug(Activity[Survivor]):
    """Taking a drug of one's own will; every dose is taken from the stock, if there is any."""

    name = "take a drug"
    label = "take a drug"
    rules = ("sil-6.2.2-toxin-core", "sil-6.2.2-sample-drugs", "sil-6.2.2-multi-effect-doses")
    arguments = (DRUG, DOSES)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(DRUG.name):
            raise UserError("say which drug")
        DRUGS.get(rules, str(given[DRUG.name]))

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        drug = str(case.argument(DRUG))
        return ((drug, int(case.argument(DOSES))),) if drug in dict(case.means) else ()

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        drug, doses = str(case.argument(DRUG)), int(case.argument(DOSES))
        yield from Tell(Recovers(case.name, f"takes {count(doses, 'dose')} of {drug}"))
        return taken(case, drug, doses)


def taken(case: Now, drug: str, doses: int = 1) -> Change[Survivor]:
    """What taking a drug changes: its test comes, symptoms of withdrawal end, and clean days count anew."""
    habit, life = case.life.taken.habit(drug), case.life
    if habit.dependent or habit.addicted:
        again_taken = takes_it_again(habit)
        life = life.penalized(habit.bout.penalty, 0)
        life = replace(life, taken=life.taken.with_habit(again_taken))
    known = {run.about for run in case.running(DRUGGED)}
    about = next(name for name in (drug, *[f"{drug} {number}" for number in range(2, len(known) + 3)]) if name not in known)
    usual = (POTENCY.default, EFFECT.words[0], ONSET.default)
    clean = tuple(again(run) for run in case.running(ABSTINENCE) if run.about == drug)
    return Change(life, runs=(OngoingEffect(DRUGGED, about, 0, (drug, doses, *usual)), *clean))
