"""Downtime in Silhouette: bodies, ongoing effects, and the milestones that one can wait for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime_rules import DowntimeRules, Mean
from rulewright.highest_die.downtime import MILESTONES, Bruises, Rehabilitation, body_pieces, wounds_in_words
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, counted
from rulewright.systems.silhouette.action.recovery import bruise_hours, rehabilitate
from rulewright.systems.silhouette.downtime.activities.awards import CREDITS, XP, Award, CombatAward, GenrePoints, Payment
from rulewright.systems.silhouette.downtime.activities.growth import LearnSkill, RaiseAttribute, SaveDice, Specialize
from rulewright.systems.silhouette.downtime.activities.machines import BURN, RANGE, SelfRepair, bench_of, fuel_left
from rulewright.systems.silhouette.downtime.activities.tasks import LongTask, TakeTime
from rulewright.systems.silhouette.downtime.activities.trips import ClimbToOrbit, DimensionJump, Drive, March, Reentry, Refuel, StarVoyage
from rulewright.systems.silhouette.downtime.activities.tutors import Lessons
from rulewright.systems.silhouette.downtime.activities.workshop import Acquire, Repair
from rulewright.systems.silhouette.downtime.afflictions.air import FreshAir, Leak, Stifled, Vacuum
from rulewright.systems.silhouette.downtime.afflictions.drugs import Drug, TakeDrug, WearsOff
from rulewright.systems.silhouette.downtime.afflictions.energy import BurningClothes, Current, Fire
from rulewright.systems.silhouette.downtime.afflictions.free_fall import MuscleLoss, SpaceSickness
from rulewright.systems.silhouette.downtime.afflictions.habits import Abstinence, Craving, Hooked, KeepUsing, Temptation, Withdrawal
from rulewright.systems.silhouette.downtime.afflictions.illness import Exposure, Illness
from rulewright.systems.silhouette.downtime.afflictions.radiation import (
    Fallout,
    Irradiation,
    LateEffects,
    Lingering,
    Purging,
    RadSickness,
    RadStrike,
    RadTally,
    SecondSymptoms,
    TestedToday,
)
from rulewright.systems.silhouette.downtime.exhaustion import Exhaustion
from rulewright.systems.silhouette.downtime.injuries import Degeneration, Dying, Reopening, Treatment, Unconsciousness
from rulewright.systems.silhouette.downtime.recovery import Coma, Neglect, Recovery
from rulewright.systems.silhouette.downtime.survivors import EXERTIONS, FIGURES, REHABILITATION, Survivor
from rulewright.systems.silhouette.fight.aftermath import body_after
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.ordeal.scene import taken_in_after, weightless_after
from rulewright.systems.silhouette.people.advancement import standing
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.repairs.jobs import jobs_of


class SilhouetteDowntime(DowntimeRules[Survivor]):
    """Wounds get worse, are treated and heal; illness, habits and hazards run their course; people learn, work and travel."""

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
        *(FreshAir(), Stifled(), Leak(), Vacuum(), Current(), Fire(), BurningClothes()),
        *(Drug(), WearsOff(), Hooked(), Temptation(), Craving(), Withdrawal(), Abstinence(), Exposure(), Illness()),
        *(TestedToday(), Irradiation(), Fallout(), RadTally(), Purging(), RadStrike(), RadSickness(), SecondSymptoms(), Lingering()),
        *(LateEffects(), SpaceSickness(), MuscleLoss()),
        *(SelfRepair(), Award(), CombatAward(), GenrePoints(), Payment()),
    )
    activities = (
        *(LongTask(), TakeTime(), TakeDrug(), KeepUsing()),
        *(March(), Drive(), Refuel(), ClimbToOrbit(), Reentry(), StarVoyage(), DimensionJump(), Repair(), Acquire()),
        *(LearnSkill(), Lessons(), RaiseAttribute(), Specialize(), SaveDice()),
    )
    means = (Mean(CREDITS, "sil-2.5.3-tutors"), Mean(XP, "sil-2.5.1-xp-awards"))
    dated: Mapping[str, str] = MappingProxyType({"purchase": "story", "award": "session"})
    exertions = EXERTIONS
    figures = FIGURES
    milestones = MILESTONES

    def of(self, rules: Ruleset, character: Any, name: str) -> Survivor | None:
        if isinstance(character, Vehicle):
            return Survivor.of_machine(character, name)
        return Survivor.of(rules, character, name) if isinstance(character, Character) else None

    def lasting(self, life: Survivor) -> Mapping[str, Lasts]:
        if life.machine is not None:
            return {field: Lasts(life.machine.condition[field], words) for field, words in life.changed}
        minutes = life.body.unconscious
        out = Lasts(minutes, f"unconscious for {counted(minutes, 'minute')}" if minutes else "conscious")
        return {**body_after(life.body), "unconscious": out, **taken_in_after(life.taken), **weightless_after(life.taken)}

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        return {XP: max(0, standing(rules, character).left)} if isinstance(character, Character) else {}

    def penalty(self, rules: Ruleset, life: Survivor) -> int:
        return life.body.acting_penalty

    def can_act(self, life: Survivor) -> bool:
        return life.machine is None and life.body.able and not life.bedridden

    def pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        if life.machine is not None:
            return self._machine_pieces(rules, life)
        body = life.body
        names = ("sil-2.3.3-system-shock", "sil-3.5.6-recovery", "sil-3.5.8-fatigue")
        more = [Tag(name="unconscious", rule="sil-3.5.2-knockout")] if body.unconscious else []
        if body.drugged:
            more.append(Tag(f"{body.drugged:+d}", True, name="drugged", rule="sil-6.2.2-toxin-core"))
        if body.ill:
            more.append(Tag(f"{body.ill:+d}", True, name="ill", rule="sil-6.2.4-disease"))
        if life.bedridden and not body.dead:
            more.append(Tag(name="in bed", rule="sil-6.2.4-disease"))
        if body.trauma is not None:
            more.append(Tag(name="dying", rule="sil-3.5.5-trauma"))
        if body.wounded and body.stable_flesh + body.stable_deep:
            stable = f"{body.stable_flesh + body.stable_deep} of {body.flesh + body.deep}"
            more.append(Tag(stable, name="stabilized", rule="sil-3.5.4-stabilizing"))
        return (*body_pieces(body, body.fatigue_penalty, names), *more)

    def _machine_pieces(self, rules: Ruleset, life: Survivor) -> tuple[AnyPiece, ...]:
        """The damages of a machine, and what is left of its range."""
        assert life.machine is not None
        bench = bench_of(rules, life.machine, life.body.name)
        tags = [Tag("damaged", True, name=job.words, rule="sil-5.5.4-repairs") for job in jobs_of(bench.unit, bench.prices)]
        for kind, full in ((RANGE, int(life.machine.deployment)), (BURN, life.machine.burn_points)):
            left = fuel_left(life.machine, kind)
            tags += [Tag(f"{left:,} of {full:,}", name=kind, rule="sil-4.1.7-deployment-range")] if left < full else []
        return tuple(tags)

    def in_words(self, rules: Ruleset, life: Survivor) -> tuple[str, ...]:
        if life.machine is not None:
            return super().in_words(rules, life) or ("sound",)
        return (*wounds_in_words(life.body, "Wound"), *super().in_words(rules, life)) or ("unhurt",)


DOWNTIME = SilhouetteDowntime()
