"""Downtime in the One Roll Engine: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Mean, Milestone
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.ore.build.advancement import standing
from rulewright.systems.ore.build.combat_sheet import health_pieces
from rulewright.systems.ore.downtime.companies import Found, Invest, Owns, Promote, UseQualities
from rulewright.systems.ore.downtime.growth import XP, Award, Learn
from rulewright.systems.ore.downtime.healing import Days, FastRecovery, Rousing, Treatment, Weeks
from rulewright.systems.ore.downtime.mortal_danger import Bleeding, Failing
from rulewright.systems.ore.downtime.patients import EXERTIONS, FIGURES, Patient, fails, hindering
from rulewright.systems.ore.downtime.powers import Active, Energy, NewSession, Treated, UsePower
from rulewright.systems.ore.downtime.projects import Project, TakeTime
from rulewright.systems.ore.downtime.sickness import Antitoxin, Sickness
from rulewright.systems.ore.downtime.ties import OWED, POUNDS, CallOnPeople, Strained
from rulewright.systems.ore.downtime.tiredness import Weariness
from rulewright.systems.ore.downtime.travel import March, Travel
from rulewright.systems.ore.downtime.wealth import Income, SellEstate, SoldEstate, Spend, starting_pounds
from rulewright.systems.ore.fight.aftermath import body_left, powers_left
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, legs
from rulewright.systems.ore.people.characters import Character, Person


class OreDowntime(DowntimeRules[Patient]):
    """Bodies heal, tire and fall ill; people work, call on others, earn, learn, travel and use powers."""

    life = Patient
    effects = (
        *(Bleeding(), Failing(), FastRecovery(), Days(), Weeks(), Treatment(), Rousing(), Weariness()),
        *(Antitoxin(), Sickness(), Strained(), SoldEstate(), Income(), Owns()),
        *(Active(), Treated(), Energy(), NewSession(), Award()),
    )
    activities = (
        *(Project(), TakeTime(), CallOnPeople(), Learn(), UsePower(), Travel(), March()),
        *(Spend(), SellEstate(), Found(), Invest(), UseQualities(), Promote()),
    )
    means = (Mean(POUNDS, "ore-2.41-wealth"), Mean(OWED, "ore-2.18-allies"), Mean(XP, "ore-3.02-advancement-discipline"))
    dated: Mapping[str, str] = MappingProxyType({"purchase": "story", "award": "session"})
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
        return {**body_left(life.body, life.stamina), **powers_left(life.reserve, life.limits)}

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        if not isinstance(character, Character):
            return {}
        return {POUNDS: starting_pounds(rules, Person.of(rules, character)), XP: max(0, standing(rules, character).left)}

    def penalty(self, rules: Ruleset, life: Patient) -> int:
        return sum(mod.dice for mod in hindering(rules, life))

    def can_act(self, life: Patient) -> bool:
        return life.body.able

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
