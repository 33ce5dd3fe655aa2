"""Downtime in Hybrid: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Pool, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Mean, Milestone
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.hybrid.combat.fighters import condition_of
from rulewright.systems.hybrid.downtime.convalescents import EXERTIONS, FIGURES, Convalescent
from rulewright.systems.hybrid.downtime.growth import (
    MONEY,
    POINTS,
    Awarded,
    CareerYear,
    ContinuedCareer,
    Raise,
    Train,
    status_in,
)
from rulewright.systems.hybrid.downtime.journeys import Hurry, March, SendMind
from rulewright.systems.hybrid.downtime.ties import WEALTH, AskFriends, BeRecognized, LookAfterIncome
from rulewright.systems.hybrid.downtime.tiredness import Tiredness
from rulewright.systems.hybrid.downtime.wounds import Bleeding, Healing
from rulewright.systems.hybrid.fight.aftermath import body_left
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.people.advancement import experience_left
from rulewright.systems.hybrid.people.characters import Character
from rulewright.systems.hybrid.resolution.modifiers import conditions


class HybridDowntime(DowntimeRules[Convalescent]):
    """Bleeding stops or kills, wounds heal by rolls, energy comes and goes."""

    life = Convalescent
    effects = (Bleeding(), Healing(), Tiredness(), Awarded())
    activities = (
        March(),
        Hurry(),
        SendMind(),
        Train(),
        Raise(),
        CareerYear(),
        ContinuedCareer(),
        LookAfterIncome(),
        AskFriends(),
        BeRecognized(),
    )
    means = (Mean(WEALTH, "hyb-9-environmental-uses"), Mean(POINTS, "hyb-3-raising-skills"), Mean(MONEY, "hyb-11-careers"))
    dated: Mapping[str, str] = MappingProxyType({"award": "session", "raised": "story"})
    exertions = EXERTIONS
    figures = FIGURES
    milestones = (
        Milestone("well", "is well again", lambda life: _is_whole(life.body) and _is_rested(life.body)),
        Milestone("walks", "can walk", lambda life: life.body.awake),
        Milestone("no wounds", "has no wounds left", lambda life: _is_whole(life.body)),
        Milestone("rested", "is rested", lambda life: not life.body.dead and _is_rested(life.body)),
        Milestone("stable", "is not bleeding", lambda life: not life.body.dead and not life.body.bleeding),
        Milestone("dead", "is dead", lambda life: life.body.dead, stops=True),
    )

    def of(self, rules: Ruleset, character: Any, name: str) -> Convalescent | None:
        return Convalescent.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Convalescent) -> Mapping[str, Lasts]:
        return body_left(life.body)

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        if not isinstance(character, Character):
            return {}
        years = [(career.career, year) for career in character.careers for year in career.years]
        status: dict[str, int] = {}
        for career, year in years:
            status[status_in(career)] = status.get(status_in(career), 0) + year.status
        return {POINTS: max(0, experience_left(rules, character).value), MONEY: sum(year.money for _, year in years), **status}

    def can_act(self, life: Convalescent) -> bool:
        return life.body.awake

    def pieces(self, rules: Ruleset, life: Convalescent) -> tuple[AnyPiece, ...]:
        body = life.body
        pools = (
            Pool(body.pbd, body.pbd_full, name="PBD", rule="hyb-8-damage-application"),
            Pool(body.energy.fatigue, body.energy.most_fatigue, name="PFT", rule="hyb-5-fatigue-exhaustion"),
            Pool(body.energy.exhaustion, body.energy.most_exhaustion, name="PEX", rule="hyb-5-fatigue-exhaustion"),
            Pool(body.mbd, body.mbd_full, name="MBD", rule="hyb-8-damage-application"),
            Pool(body.mind.fatigue, body.mind.most_fatigue, name="MFT", rule="hyb-5-fatigue-exhaustion"),
            Pool(body.mind.exhaustion, body.mind.most_exhaustion, name="MEX", rule="hyb-5-fatigue-exhaustion"),
        )
        tags = [Tag(name=name, hurt=True, rule="hyb-2-condition-modifiers") for name in conditions(rules, condition_of(body))]
        tags += [Tag(name="bleeding", hurt=True, rule="hyb-8-bleeding")] if body.bleeding else []
        tags += [Tag(name="dead", hurt=True, rule="hyb-8-damage-application")] if body.dead else []
        return (*pools, *tags)


def _is_whole(body: Body) -> bool:
    return not body.dead and not body.bleeding and body.pbd >= body.pbd_full and body.mbd >= body.mbd_full


def _is_rested(body: Body) -> bool:
    return all(pool.fatigue >= pool.most_fatigue and pool.exhaustion >= pool.most_exhaustion for pool in (body.energy, body.mind))


DOWNTIME = HybridDowntime()
