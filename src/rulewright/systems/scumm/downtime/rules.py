"""Downtime in S.C.U.M.M.: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Tag, Track
from rulewright.campaign.downtime_rules import DowntimeRules, Milestone
from rulewright.grammar import count
from rulewright.highest_die.harm import body_left
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.scumm.downtime.exhaustion import Exhaustion
from rulewright.systems.scumm.downtime.healing import Bruises, Coma, Dying, Recovery, Rehabilitation
from rulewright.systems.scumm.downtime.survivors import EXERTIONS, FIGURES, Survivor
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.people.characters import Character


class ScummDowntime(DowntimeRules[Survivor]):
    """Injuries heal, bruises fade, fatigue comes and goes."""

    life = Survivor
    effects = (Dying(), Recovery(), Coma(), Bruises(), Rehabilitation(), Exhaustion())
    exertions = EXERTIONS
    figures = FIGURES
    milestones = (
        Milestone("well", "is well again", lambda life: _is_well(life.body)),
        Milestone("walks", "can walk", lambda life: life.body.able and not life.body.useless_legs()),
        Milestone("no wounds", "has no wounds left", lambda life: not life.body.dead and not life.body.wounded),
        Milestone("stable", "is not dying", lambda life: not life.body.dead and life.body.trauma is None),
        Milestone("collapsed", "collapses from fatigue", lambda life: life.body.collapsed),
        Milestone("dead", "is dead", lambda life: life.body.dead, stops=True),
    )

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        return body_left(life.body, "wound")

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        body = life.body
        marks = ("d",) * (2 * body.deep) + ("f",) * body.flesh + ("b",) * body.bruise_boxes
        states = (
            ("dead", body.dead),
            ("in a coma", body.coma),
            ("collapsed", body.collapsed),
            ("rests from resuscitation", body.resuscitated),
        )
        tags = [Tag(name=name, rule="scumm-recovery") for name, holds in states if holds]
        if body.fatigue:
            tags.append(Tag(f"{body.fatigue:+d}", True, name="fatigue", rule="scumm-fatigue"))
        if body.stiffness:
            tags.append(Tag(f"{body.stiffness:+d} on physical actions", True, name="badly healed", rule="scumm-recovery"))
        return (Track(body.system_shock, marks, name="System Shock", rule="scumm-system-shock"), *tags)

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        body = life.body
        kinds = (
            (body.deep, "Deep wound"),
            (body.flesh, "Flesh wound"),
            (body.bruised_deep, "Deep bruise"),
            (body.bruised_flesh, "Flesh bruise"),
        )
        hurt = tuple(count(number, kind) for number, kind in kinds if number)
        return (*hurt, *super().in_words(rules, life)) or ("unhurt",)


def _is_well(body: Patient) -> bool:
    """Neither wounds nor bruises, fatigue or badly healed wounds are left."""
    hurt = body.wounded or body.bruise_boxes or body.trauma is not None or body.coma or body.resuscitated
    return not (hurt or body.dead or body.fatigue < 0 or body.collapsed or body.stiffness)


DOWNTIME = ScummDowntime()
