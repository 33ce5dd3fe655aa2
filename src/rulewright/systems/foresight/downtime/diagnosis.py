"""Diagnoses between scenes, and the treatment that builds on them (book lines 2795-2817)."""

from typing import cast

from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure
from rulewright.play import Happened, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.survivors import Survivor, task_of
from rulewright.systems.foresight.harm.medicine import Knowledge, choose_treatment, diagnose

Now = Case[Survivor]
DIAGNOSED = "diagnosed"


class Diagnosed(Begun[Survivor]):
    """What a doctor has found, and how well the treatment is chosen. It is never due."""

    name = DIAGNOSED
    rules = ("fs-diagnosis-treatment",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"diagnosed: {effect.about} (QR{effect.data[0]}), treatment QR{effect.data[1]}"


class Diagnose(Activity[Survivor]):
    """Examining somebody: a Search roll with medical knowledge, and a Theory roll for the treatment that builds on it."""

    name = "diagnose"
    label = "examine and diagnose somebody"
    rules = ("fs-diagnosis-treatment",)
    patient = Figure("patient", "Patient", takes="people", needed=True, rule="fs-diagnosis-treatment")
    complaint = Figure("complaint", "What ails them", takes="text", needed=True)
    knowledge = Figure("knowledge", "Medical knowledge", ("standard", "basic", "specialized"), rule="fs-diagnosis-treatment")
    modifier = Figure("modifier", "Modifier", low=-20, high=20)
    time = Figure("time", "Time it takes (the book prints none)", takes="span", default=HOUR)
    arguments = (complaint, patient, knowledge, modifier, time)
    needs_partner = patient

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(self.time)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        patient = case.partners(self.patient)[0]
        knowledge, modifier = cast(Knowledge, case.argument(self.knowledge)), int(case.argument(self.modifier))
        seen = yield from sub(diagnose, rules, task_of(rules, case, "Search"), knowledge, modifier)
        if not seen.success:
            yield from Tell(Happened(case.name, f"cannot say what ails {patient.name} (QR{seen.qr})", "bad"))
            return Change(case.life)
        treatment = yield from sub(choose_treatment, rules, task_of(rules, case, "Theory"), seen.qr, 0)
        words = f"knows what ails {patient.name}: {effect.about} (QR{seen.qr}), treatment QR{treatment.qr}"
        yield from Tell(Happened(case.name, words, "good" if treatment.success else "plain"))
        noted = OngoingEffect(DIAGNOSED, effect.about, 0, (seen.qr, treatment.qr))
        return Change(case.life, partner=(patient.name, patient.life), partner_runs=(noted,))
