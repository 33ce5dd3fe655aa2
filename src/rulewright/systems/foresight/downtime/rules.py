"""Downtime in ForeSight: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from math import floor
from types import MappingProxyType
from typing import Any

import msgspec

from rulewright.build.sheet_parts import AnyPiece, Pool, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Mean, Milestone
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.foresight.build.audit.wealth import gear_cost, worth_of
from rulewright.systems.foresight.downtime.diagnosis import Diagnose, Diagnosed
from rulewright.systems.foresight.downtime.experience import (
    POINTS,
    Awarded,
    Improve,
    LearnLanguage,
    LearnSimilar,
    Merited,
    Studying,
    Training,
)
from rulewright.systems.foresight.downtime.hazards import HAZARDS
from rulewright.systems.foresight.downtime.journeys import OnTheRoad, Travel, Walk
from rulewright.systems.foresight.downtime.lessons import TakeLessons, Taught, UseUnlearnt
from rulewright.systems.foresight.downtime.market import SVU, Buy, Labour
from rulewright.systems.foresight.downtime.poisons import Drinking, Poisoned, Sobering, describe_drink
from rulewright.systems.foresight.downtime.survivors import (
    DRUNK,
    EXERTIONS,
    FIGURES,
    NO_PULSE,
    SENSELESS,
    Survivor,
    in_crisis,
    sheet_condition,
)
from rulewright.systems.foresight.downtime.tiredness import Tiredness, is_rested
from rulewright.systems.foresight.downtime.workshop import Broken, Mend, Power, PowerUp, UseDevice
from rulewright.systems.foresight.downtime.wounds import Therapy, Treatment, Wounds
from rulewright.systems.foresight.fight.aftermath import body_after
from rulewright.systems.foresight.harm.body import INCAPACITATED, condition, exhaustion, wound_row
from rulewright.systems.foresight.people.advancement import standing
from rulewright.systems.foresight.people.characters import Character
from rulewright.systems.foresight.people.creation import sound
from rulewright.systems.foresight.ward.patients import DEEPEST, LOSSES, Bed, Cost
from rulewright.systems.foresight.ward.scene import cost_tag, pieces_of


class ForeSightDowntime(DowntimeRules[Survivor]):
    """Wounds heal or get worse, doctors treat them, therapy wins back lost points, stamina comes and goes."""

    life = Survivor
    effects = (
        Wounds(),
        Treatment(),
        Therapy(),
        Tiredness(),
        *HAZARDS,
        Poisoned(),
        Sobering(),
        Awarded(),
        Merited(),
        Diagnosed(),
        Taught(),
        OnTheRoad(),
        Broken(),
        Power(),
    )
    activities = (
        Travel(),
        Walk(),
        Studying(),
        Training(),
        Improve(),
        LearnSimilar(),
        LearnLanguage(),
        TakeLessons(),
        UseUnlearnt(),
        Diagnose(),
        Mend(),
        UseDevice(),
        PowerUp(),
        Buy(),
        Labour(),
        Drinking(),
    )
    means = (Mean(SVU, "fs-wealth"), Mean(POINTS, "fs-experience-awards"))
    dated: Mapping[str, str] = MappingProxyType({"award": "session", "merit": "story"})
    exertions = EXERTIONS
    figures = FIGURES
    milestones = (
        Milestone("well", "is well again", lambda life: _unhurt(life) and is_rested(life.body)),
        Milestone("walks", "can walk", lambda life: not life.body.helpless and life.body.wounds < INCAPACITATED),
        Milestone("no wounds", "has no wounds left", lambda life: _unhurt(life)),
        Milestone("rested", "is rested", lambda life: not life.body.dead and is_rested(life.body)),
        Milestone("stable", "is out of immediate danger", lambda life: not _in_danger(life)),
        Milestone("restored", "can win back no more", lambda life: _unhurt(life) and all(cost.over for cost in life.costs)),
        Milestone("dead", "is dead", lambda life: life.body.dead, stops=True),
    )

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        kept = body_after(life.body)
        if life.deepest is not None:
            kept[DEEPEST] = Lasts(life.deepest, f"worst wound level since healthy {life.deepest}")
        if life.costs:
            kept[LOSSES] = Lasts(msgspec.to_builtins(life.costs), ", ".join(map(_lost, life.costs)))
        body, passes = life.body, bool(life.senseless or life.body.drunk or life.body.heart_stopped)
        if life.passing or passes:
            kept[SENSELESS] = Lasts(life.senseless, life.senseless or "awake")
            kept[DRUNK] = Lasts(body.drunk, describe_drink(body))
            kept[NO_PULSE] = Lasts(body.heart_stopped, "no heartbeat" if body.heart_stopped else "a heartbeat")
        return kept

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        if not isinstance(character, Character):
            return {}
        whole, now = sound(rules, character), standing(rules, character)
        money = worth_of(rules, whole).value - gear_cost(rules, whole.gear).value
        education = {f"education points: {field}": points for field, points in now.education.items() if points > 0}
        return {SVU: max(0, floor(money)), POINTS: max(0, now.general), **education}

    def penalty(self, rules: Ruleset, life: Survivor) -> int:
        now, on_sheet = condition(rules, life.body), sheet_condition(rules, life.file)
        return sum(mod.value for mod in now) - sum(mod.value for mod in on_sheet)

    def can_act(self, life: Survivor) -> bool:
        return not life.body.helpless and not life.senseless and life.body.wounds < INCAPACITATED

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        body, tired = life.body, exhaustion(rules, life.body)
        stamina = Pool(body.stamina, body.stamina_max, name="stamina", rule="fs-stamina-pool")
        tags = [Tag(f"{tired.value:+d}", hurt=True, name=tired.label, rule="fs-stamina-pool")] if tired.value else []
        tags += [Tag(name=life.senseless, hurt=True, rule="fs-asphyxiation")] if life.senseless else []
        tags += [Tag(name="no heartbeat", hurt=True, rule="fs-burn")] if body.heart_stopped and not body.dead else []
        tags += [Tag(name=describe_drink(body), rule="fs-intoxication")] if body.drunk else []
        return (*pieces_of(rules, Bed("", body)), stamina, *tags, *map(cost_tag, life.costs))

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        body = life.body
        level = () if body.dead or not body.wounds else (wound_row(rules, body.wounds).name,)
        return (*level, *super().in_words(rules, life)) or ("unhurt",)


def _in_danger(life: Survivor) -> bool:
    return life.body.dead or life.body.heart_stopped or in_crisis(life.body)


def _unhurt(life: Survivor) -> bool:
    return not life.body.dead and not life.body.wounds


def _lost(cost: Cost) -> str:
    return f"{cost.trained} {cost.attribute} lost, {cost.regained} of {cost.inherent} inherent won back"


DOWNTIME = ForeSightDowntime()
