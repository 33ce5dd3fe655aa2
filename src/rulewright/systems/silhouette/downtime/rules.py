"""Downtime in Silhouette: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.highest_die.downtime import MILESTONES, Bruises, Rehabilitation, body_pieces, wounds_in_words
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, counted
from rulewright.systems.silhouette.action.recovery import bruise_hours, rehabilitate
from rulewright.systems.silhouette.downtime.exhaustion import Exhaustion
from rulewright.systems.silhouette.downtime.injuries import Degeneration, Dying, Reopening, Treatment, Unconsciousness
from rulewright.systems.silhouette.downtime.recovery import Coma, Neglect, Recovery
from rulewright.systems.silhouette.downtime.survivors import EXERTIONS, FIGURES, REHABILITATION, Survivor
from rulewright.systems.silhouette.fight.aftermath import body_after
from rulewright.systems.silhouette.people.characters import Character


class SilhouetteDowntime(DowntimeRules[Survivor]):
    """Open wounds get worse or are treated, treated ones heal, bruises fade, fatigue comes and goes."""

    life = Survivor
    effects = (
        Recovery(),
        Neglect(),
        Coma(),
        Dying(),
        Reopening(),
        Degeneration(),
        Treatment(),
        Unconsciousness(),
        Bruises("sil-3.5.2-bruise", bruise_hours),
        Rehabilitation(REHABILITATION, rehabilitate),
        Exhaustion(),
    )
    exertions = EXERTIONS
    figures = FIGURES
    milestones = MILESTONES

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        minutes = life.body.unconscious
        out = Lasts(minutes, f"unconscious for {counted(minutes, 'minute')}" if minutes else "conscious")
        return {**body_after(life.body), "unconscious": out}

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        body = life.body
        names = ("sil-2.3.3-system-shock", "sil-3.5.6-recovery", "sil-3.5.8-fatigue")
        more = [Tag(name="unconscious", rule="sil-3.5.2-knockout")] if body.unconscious else []
        if body.trauma is not None:
            more.append(Tag(name="dying", rule="sil-3.5.5-trauma"))
        if body.wounded and body.stable_flesh + body.stable_deep:
            stable = f"{body.stable_flesh + body.stable_deep} of {body.flesh + body.deep}"
            more.append(Tag(stable, name="stabilized", rule="sil-3.5.4-stabilizing"))
        return (*body_pieces(body, body.fatigue_penalty, names), *more)

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        return (*wounds_in_words(life.body, "Wound"), *super().in_words(rules, life)) or ("unhurt",)


DOWNTIME = SilhouetteDowntime()
