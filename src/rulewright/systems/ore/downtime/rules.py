"""Downtime in the One Roll Engine: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Milestone
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.ore.build.combat_sheet import health_pieces
from rulewright.systems.ore.downtime.healing import Days, FastRecovery, Rousing, Treatment, Weeks
from rulewright.systems.ore.downtime.mortal_danger import Bleeding, Failing
from rulewright.systems.ore.downtime.patients import EXERTIONS, FIGURES, Patient, fails
from rulewright.systems.ore.downtime.tiredness import Weariness
from rulewright.systems.ore.fight.aftermath import body_left
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, legs
from rulewright.systems.ore.people.characters import Character


class OreDowntime(DowntimeRules[Patient]):
    """Wounds bleed and heal under each damage system, medics treat them, and exertion tires."""

    life = Patient
    effects = (Bleeding(), Failing(), FastRecovery(), Days(), Weeks(), Treatment(), Rousing(), Weariness())
    exertions = EXERTIONS
    figures = FIGURES
    milestones = (
        Milestone("well", "is well again", lambda life: _is_unhurt(life.body) and not life.stamina.boxes and not life.stamina.body_lost),
        Milestone("walks", "can walk", lambda life: life.body.able and not legs(life.body).crawling),
        Milestone("no wounds", "has no injuries left", lambda life: _is_unhurt(life.body)),
        Milestone("stable", "neither bleeds nor fights for life", lambda life: not life.body.dead and not fails(life.body)),
        Milestone("rested", "is rested", lambda life: not life.body.dead and not life.stamina.boxes),
        Milestone("unconscious", "falls unconscious", lambda life: life.body.unconscious),
        Milestone("depleted", "is depleted", lambda life: life.stamina.state == "depleted"),
        Milestone("dead", "is dead", lambda life: life.body.dead, stops=True),
    )

    def of(self, rules: Ruleset, character: Any, name: str) -> Patient | None:
        return Patient.of(rules, character) if isinstance(character, Character) else None

    def lasting(self, life: Patient) -> Mapping[str, Lasts]:
        return body_left(life.body, life.stamina)

    def pieces(self, rules: Ruleset, life: Patient) -> tuple[AnyPiece, ...]:
        body = life.body
        states = (("dead", body.dead), ("unconscious", body.unconscious), ("down", body.down))
        tags = [Tag(name=name, hurt=True, rule="ore-4.07-health-boxes") for name, holds in states if holds]
        for wound in body.wounds:
            state = "bleeding" if wound.bleeding else "staunched"
            tags.append(Tag(state, hurt=True, name=f"Wound, {wound.location}", rule="ore-4.07-opt09-wounds"))
        if life.stamina.boxes:
            tags.append(Tag(life.stamina.state, hurt=True, name="weary", rule="ore-4.09b-opt19-endurance"))
        return (*health_pieces(rules, body), *tags)

    def in_words(self, rules: Ruleset, life: Patient) -> tuple[str, ...]:
        body = life.body
        wounds = [f"Wound in the {wound.location}{', bleeding' if wound.bleeding else ''}" for wound in body.wounds]
        return (body.record(), *wounds, *([life.stamina.state] if life.stamina.boxes else []))


def _is_unhurt(body: AnyBody) -> bool:
    if body.dead or body.wounds:
        return False
    if isinstance(body, Located):
        return not any(part.shock or part.kill for part in body.parts)
    if isinstance(body, Abstract):
        return not (body.injuries or body.down_boxes or body.out_boxes)
    return not (body.shock or body.kill_lost or body.vital_lost)


DOWNTIME = OreDowntime()
