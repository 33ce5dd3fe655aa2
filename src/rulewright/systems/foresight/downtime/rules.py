"""Downtime in ForeSight: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rulewright.build.sheet_parts import AnyPiece, Pool, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Milestone
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.foresight.downtime.survivors import EXERTIONS, FIGURES, Survivor, in_crisis
from rulewright.systems.foresight.downtime.tiredness import Tiredness, is_rested
from rulewright.systems.foresight.downtime.wounds import Therapy, Treatment, Wounds
from rulewright.systems.foresight.fight.aftermath import body_after
from rulewright.systems.foresight.harm.body import INCAPACITATED, exhaustion, wound_row
from rulewright.systems.foresight.people.characters import Character
from rulewright.systems.foresight.ward.patients import DEEPEST, LOSSES, Bed, Cost
from rulewright.systems.foresight.ward.scene import cost_tag, pieces_of


class ForeSightDowntime(DowntimeRules[Survivor]):
    """Wounds heal or get worse, doctors treat them, therapy wins back lost points, stamina comes and goes."""

    life = Survivor
    effects = (Wounds(), Treatment(), Therapy(), Tiredness())
    exertions = EXERTIONS
    figures = FIGURES
    milestones = (
        Milestone("well", "is well again", lambda life: _unhurt(life) and is_rested(life.body)),
        Milestone("walks", "can walk", lambda life: not life.body.helpless and life.body.wounds < INCAPACITATED),
        Milestone("no wounds", "has no wounds left", lambda life: _unhurt(life)),
        Milestone("rested", "is rested", lambda life: not life.body.dead and is_rested(life.body)),
        Milestone("stable", "is out of immediate danger", lambda life: not life.body.dead and not in_crisis(life.body)),
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
        return kept

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        body, tired = life.body, exhaustion(rules, life.body)
        stamina = Pool(body.stamina, body.stamina_max, name="stamina", rule="fs-stamina-pool")
        tags = [Tag(f"{tired.value:+d}", hurt=True, name=tired.label, rule="fs-stamina-pool")] if tired.value else []
        return (*pieces_of(rules, Bed("", body)), stamina, *tags, *map(cost_tag, life.costs))

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        body = life.body
        level = () if body.dead or not body.wounds else (wound_row(rules, body.wounds).name,)
        return (*level, *super().in_words(rules, life)) or ("unhurt",)


def _unhurt(life: Survivor) -> bool:
    return not life.body.dead and not life.body.wounds


def _lost(cost: Cost) -> str:
    return f"{cost.trained} {cost.attribute} lost, {cost.regained} of {cost.inherent} inherent won back"


DOWNTIME = ForeSightDowntime()
