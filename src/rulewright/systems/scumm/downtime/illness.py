"""Illness between scenes: exposure, incubation and outbreak (book lines 710-716)."""

from rulewright.campaign.calendar import MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Begun, Case, Change, Figure, again
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import HYGIENE, Survivor
from rulewright.systems.scumm.harm.disease import Disease, Infection, catch, run_course

Now = Case[Survivor]
NAME = Figure("name", "Name of the illness", takes="text", needed=True)
CONTAGIOUSNESS = Figure("contagiousness", "Contagiousness", low=1, high=30, default=5, rule="scumm-disease")
VIRULENCE = Figure("virulence", "Virulence", low=1, high=30, default=4, rule="scumm-disease")
ONSET = Figure("onset", "Onset Time in hours", low=0, high=10_000, default=72, rule="scumm-disease")
EFFECT = Figure("effect", "What complications do", takes="text")


class Illness(Begun[Survivor]):
    """An illness: exposed, incubating, and ill with complications. The book prints no illness; the gamemaster gives its figures.

    Its data are these figures, and after the exposure the Virulence in this body and the seconds until the outbreak. Complications have
    -1 there, and stay until the gamemaster ends them.
    """

    name = "illness"
    label = "expose to an illness"
    ailment = True
    rules = ("scumm-disease",)
    arguments = (NAME, CONTAGIOUSNESS, VIRULENCE, ONSET, EFFECT)
    hidden = True

    def shows(self, effect: OngoingEffect) -> bool:
        return len(effect.data) > len(self.arguments)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead or (self.shows(effect) and int(effect.data[6]) < 0):
            return None
        return int(effect.data[6]) if self.shows(effect) else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        disease, figures = read_disease(effect), effect.data[: len(self.arguments)]
        if not self.shows(effect):
            infection = yield from catch(rules, disease, case.life.body, int(case.figure(HYGIENE)))
            if infection is None:
                return Change(case.life)
            return Change(case.life, again(effect, *figures, infection.virulence, infection.onset_minutes * MINUTE))
        infection = Infection(int(effect.data[5]), int(effect.data[6]) // MINUTE)
        bad = yield from run_course(rules, disease, infection, case.life.body)
        ill = OngoingEffect(effect.of, effect.about, 0, (*figures, infection.virulence, -1))
        return Change(case.life, ill if bad else None)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if not self.shows(effect):
            return f"exposure to {effect.about}"
        complications = f"{effect.about} with complications{f': {effect.data[4]}' if effect.data[4] else ''}"
        return complications if int(effect.data[6]) < 0 else f"{effect.about} breaks out"


def read_disease(effect: OngoingEffect) -> Disease:
    """The illness that an effect is about."""
    name, contagiousness, virulence, onset, words = effect.data[:5]
    return Disease(str(name), int(contagiousness), int(virulence), int(onset), str(words))
