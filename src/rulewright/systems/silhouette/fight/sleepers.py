"""Sleepers at the start of a fight: who wakes, and who is never surprised asleep (book lines 8732-8735, 8910-8913)."""

from msgspec.structs import replace

from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.events import managed
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter
from rulewright.systems.silhouette.drama.traits_in_play import WAKING_THRESHOLD
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, attribute_pool, passes, skill_pool


def laid_down(fighter: Fighter) -> Fighter:
    """Returns a sleeper at the start of the fight: prone and unwary. A light sleeper is never surprised and is up when the first round
    begins."""
    return replace(fighter, unwary=not fighter.profile.light_sleeper, pace="prone")


def rouse(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Tests Notice or Perception for every sleeper at the start of a round; an attack wakes them (ruling)."""
    for fighter in [f for f in fight.fighters if f.asleep and f.body.able]:
        woken = not fighter.unwary
        if not woken:
            test = yield from action_test(rules, _pool(rules, fighter), WAKING_THRESHOLD, fighter.name, "waking")
            woken = passes(rules, test.total, test.threshold)
            how, mood = ("wakes up", "good") if woken else ("sleeps on", "bad")
            yield managed(fight, fighter.name, how, test, "sil-2.4.1-perk-list", mood)
        fight = fight.put(replace(fighter, asleep=not woken, unwary=not woken))
    return fight


def _pool(rules: Ruleset, fighter: Fighter) -> Pool:
    profile, trained = fighter.profile, fighter.profile.trained("notice")
    perception, wounds = profile.attribute("perception"), Mod("wounds", fighter.body.acting_penalty, "sil-3.5.2-action-penalties")
    if trained.level > 0:
        mods = (*trained.mods, *profile.waking, wounds)
        pool = skill_pool(rules, trained.level, perception, trained.complexity, 1, False, "Perception", mods)
    else:
        pool = attribute_pool(rules, perception, "Perception", (*profile.waking, wounds))
    return Pool(pool.dice, pool.mods, 0, profile.hero)
