"""Downtime in S.C.U.M.M.: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Mean
from rulewright.highest_die.downtime import MILESTONES, Bruises, Rehabilitation, body_pieces, wounds_in_words
from rulewright.highest_die.harm import body_left, in_words
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.systems.scumm.build.audit import gear_cost, starting_wealth
from rulewright.systems.scumm.downtime.drugs import Drug, TakeDrug, WearsOff, state_of
from rulewright.systems.scumm.downtime.exhaustion import Exhaustion
from rulewright.systems.scumm.downtime.growth import WEALTH, XP, Award, Buy, Labour, LearnSkill, March, RaiseAttribute
from rulewright.systems.scumm.downtime.habits import Addicted, KeepUsing
from rulewright.systems.scumm.downtime.healing import Coma, Dying, Recovery
from rulewright.systems.scumm.downtime.illness import Illness
from rulewright.systems.scumm.downtime.survivors import EXERTIONS, FIGURES, REHABILITATION, Survivor
from rulewright.systems.scumm.downtime.tasks import (
    CallOn,
    Deal,
    Disguise,
    Disguised,
    Forge,
    GadgetKind,
    HandleGadget,
    JuryRig,
    LongTask,
    TakeTime,
)
from rulewright.systems.scumm.harm.healing import bruise_hours, rehabilitate
from rulewright.systems.scumm.people.advancement import standing
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
        Drug(),
        WearsOff(),
        Addicted(),
        Illness(),
        GadgetKind(),
        Disguised(),
        Award(),
    )
    activities = (
        LongTask(),
        TakeTime(),
        TakeDrug(),
        KeepUsing(),
        JuryRig(),
        HandleGadget(),
        Forge(),
        Disguise(),
        Deal(),
        CallOn(),
        LearnSkill(),
        RaiseAttribute(),
        Buy(),
        Labour(),
        March(),
    )
    means = (Mean(WEALTH, "scumm-wealth"), Mean(XP, "scumm-xp-award"))
    dated: Mapping[str, str] = MappingProxyType({"purchase": "story", "award": "session"})
    exertions = EXERTIONS
    figures = FIGURES
    milestones = MILESTONES

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        body = life.body
        drugged = state_of(replace(body, influences=tuple(run for run in body.influences if not run.after)))
        return {
            **body_left(body, "wound"),
            "influences": Lasts([msgspec.to_builtins(influence) for influence in body.influences], drugged),
            "unconscious": Lasts(body.unconscious, f"unconscious for {in_words(max(0, body.unconscious))}"),
            "incapacitated": Lasts(body.incapacitated, f"helpless for {in_words(body.incapacitated)}"),
        }

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        if not isinstance(character, Character):
            return {}
        wealth = starting_wealth(rules) if character.gear.wealth is None else character.gear.wealth
        left = wealth - gear_cost(rules, character.gear).value
        return {WEALTH: max(0, left), XP: max(0, standing(rules, character).left)}

    def penalty(self, rules: Ruleset, life: Survivor) -> int:
        return life.body.penalty

    def can_act(self, life: Survivor) -> bool:
        return life.body.able

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        pieces = body_pieces(life.body, life.body.fatigue, ("scumm-system-shock", "scumm-recovery", "scumm-fatigue"))
        drugs = state_of(life.body)
        return pieces if drugs == "sober" else (*pieces, Tag(name=drugs, rule="scumm-drugs"))

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        return (*wounds_in_words(life.body, "wound"), *super().in_words(rules, life)) or ("unhurt",)


DOWNTIME = ScummDowntime()
