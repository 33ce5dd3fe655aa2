"""Downtime in S.C.U.M.M.: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import AnyPiece
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.highest_die.downtime import MILESTONES, Bruises, Rehabilitation, body_pieces, wounds_in_words
from rulewright.highest_die.harm import body_left
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.scumm.downtime.exhaustion import Exhaustion
from rulewright.systems.scumm.downtime.healing import Coma, Dying, Recovery
from rulewright.systems.scumm.downtime.survivors import EXERTIONS, FIGURES, REHABILITATION, Survivor
from rulewright.systems.scumm.harm.healing import bruise_hours, rehabilitate
from rulewright.systems.scumm.people.characters import Character


class ScummDowntime(DowntimeRules[Survivor]):
    """Injuries heal, bruises fade, fatigue comes and goes."""

    life = Survivor
    effects = (
        Dying(),
        Recovery(),
        Coma(),
        Bruises("scumm-bruise-damage", bruise_hours),
        Rehabilitation(REHABILITATION, rehabilitate),
        Exhaustion(),
    )
    exertions = EXERTIONS
    figures = FIGURES
    milestones = MILESTONES

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        return body_left(life.body, "wound")

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        return body_pieces(life.body, life.body.fatigue, ("scumm-system-shock", "scumm-recovery", "scumm-fatigue"))

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        return (*wounds_in_words(life.body, "wound"), *super().in_words(rules, life)) or ("unhurt",)


DOWNTIME = ScummDowntime()
