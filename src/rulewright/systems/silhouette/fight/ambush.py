"""Ambushes: who notices them (book lines 1981-1984, 2313-2314)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter
from rulewright.systems.silhouette.combat.ranged_attacks import notices, range_band
from rulewright.systems.silhouette.people.races import surprise_modifier
from rulewright.systems.silhouette.resolution.modifiers import RANGED
from rulewright.systems.silhouette.resolution.tests import Mod, Side, skill_pool


@rule("sil-3.1.2-surprise")
def unaware(noticed: bool = False) -> Literal["unwary", "wary"]:
    """Whether a target has not noticed the attacker: then it is unwary, and in close combat Stealth limits the attacker."""
    return "wary" if noticed else "unwary"


def spring_ambush(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Tests before the first round whether each target notices the ambush; those who fail are unwary.

    Once one of them notices, nobody is hidden any more, but the others stay unwary in the first round.
    """
    side = fight.ground.ambush
    lurking = [f for f in fight.fighters if f.side == side and f.body.able]
    knowing = tuple([f.name for f in lurking])
    betrayed = False
    for target in [f for f in fight.fighters if f.side != side and f.body.able and not f.asleep]:
        noticed = False
        for lurker in lurking:
            if not noticed:
                hides = lurker
                if fight.swayed:
                    fight, hides = yield from mimicked(rules, fight, lurker.name, "stealth")
                notice, stealth, band, light = _sides(rules, fight, target, hides)
                fight, pool = yield from spend_emergency_dice(rules, fight, lurker.name, stealth.pool, f"hiding from {target.name}")
                stealth = replace(stealth, pool=pool)  # nobody is asked about noticing: that would give the ambush away
                noticed = yield from sub(_notices, rules, notice, stealth, band, light, target.name, lurker.name)
        words = "notices the ambush" if noticed else "notices nothing"
        yield Tell(Happened(target.name, words, known_to=(*knowing, target.name) if noticed else knowing))
        fight = fight.put(replace(target, unwary=unaware(noticed) == "unwary"))
        betrayed = betrayed or noticed
    for lurker in lurking:
        fight = fight.change(lurker.name, hidden=not betrayed)
    return replace(fight, ambush_open=False)


def _sides(rules: Ruleset, fight: Fight, target: Fighter, lurker: Fighter) -> tuple[Side, Side, str, tuple[str, ...]]:
    def side(fighter: Fighter, skill: str, attribute: str) -> Side:
        trained = fighter.profile.trained(skill)
        value = fighter.profile.attribute(attribute)
        body = fighter.body  # keeping still and quiet is the body's work
        seen = surprise_modifier(target.profile.plan.sight) if skill == "stealth" else 0
        mods = (
            *trained.mods,
            Mod("seen from all round", seen, "sil-6.2.2-special-abilities"),
            Mod("wounds", body.physical_penalty if skill == "stealth" else body.acting_penalty, "sil-3.5.2-action-penalties"),
        )
        pool = skill_pool(rules, trained.level, value, 1, 1, False, attribute.capitalize(), mods)
        return Side(pool, skill, trained.level, trained.complexity, value)

    band = range_band(rules, min(target.distance(lurker), 79.0), 10)
    light = tuple([text for text in (fight.light_on(lurker),) if text in RANGED(rules)])
    return side(target, "notice", "perception"), side(lurker, "stealth", "agility"), band, light


def _notices(rules: Ruleset, notice: Side, stealth: Side, band: str, light: tuple[str, ...], target: str, lurker: str) -> Play[bool]:
    opposed = yield from notices(rules, notice, stealth, band, light, target, lurker)  # type: ignore[arg-type]
    return opposed.verdict == "success"
