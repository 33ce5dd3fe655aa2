"""Getting free from a whip or bola (book lines 8076, 8123, 9475-9478)."""

from msgspec.structs import replace

from rulewright.play import Play, Scale, Tell, came_to
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.fighters import Fight, Profile
from rulewright.systems.silhouette.combat.stances import in_stance
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, attribute_pool, passes, skill_pool

_MELEE, _RANGED = "sil-a-melee-weapons", "sil-a-ranged-weapons"
FREEING = Scale(("held", "free"), ("free",), "gets free", "held")
WRENCH, HELD = Pool(2), replace(AVERAGE, snared=3)
"""Defaults for calls without a pool or a victim."""


@rule(_MELEE, _RANGED)
def break_loose(rules: Ruleset, pool: Pool = WRENCH, victim: Patient = HELD) -> Play[Patient]:
    """Tests to get free against the entanglement's Threshold; a draw is enough."""
    if victim.snared is None:
        return victim
    test = yield from action_test(rules, pool, victim.snared, victim.name, "getting free")
    free = passes(rules, test.total, test.threshold)
    yield from Tell(Managed(victim.name, "gets free" if free else "cannot get free", test, _MELEE, "good" if free else "bad"))
    yield came_to("free" if free else "held", FREEING, victim.name)
    return replace(victim, snared=None) if free else victim


@rule(_MELEE, _RANGED)
def pool_to_get_free(
    rules: Ruleset, athletics: int = 1, fitness: int = 0, agility: int = 0, complexity: int = 1, modifiers: tuple[Mod, ...] = ()
) -> Pool:
    """Returns the pool to get free, which the book does not name: Athletics with Fitness, or an attribute alone (ruling "getting-free")."""
    by = rules.word("getting-free")
    if by == "athletics":
        return skill_pool(rules, athletics, fitness, complexity, 1, False, "Fitness", modifiers)
    return attribute_pool(rules, fitness if by == "fitness" else agility, by.capitalize(), modifiers)


def get_free(rules: Ruleset, fight: Fight, name: str, penalty: int) -> Play[Fight]:
    """Plays a fighter's attempt to get free."""
    fighter = fight.fighter(name)
    if fight.swayed and rules.word("getting-free") == "athletics":
        fight, fighter = yield from mimicked(rules, fight, name, "athletics")
    mods = (
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("action penalty", fight.acting_body(fighter).physical_penalty, "sil-3.5.2-action-penalties"),
    )
    pool = in_stance(rules, _pool(rules, fighter.profile, mods), fighter.stance, "task", False)
    if fighter.flourish and rules.word("getting-free") == "athletics":
        pool = pool.with_dice(max(0, pool.dice) + fighter.flourish)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, "getting free")
    body = fight.fighter(name).body
    after = yield from break_loose(rules, pool, body)
    return fight.put(replace(fight.fighter(name), body=after))


def _pool(rules: Ruleset, profile: Profile, mods: tuple[Mod, ...]) -> Pool:
    trained = profile.trained("athletics")
    always = trained.mods if rules.word("getting-free") == "athletics" else ()
    mods = (*always, *profile.escaping, *mods)
    pool = pool_to_get_free(rules, trained.level, profile.attribute("fitness"), profile.attribute("agility"), trained.complexity, mods)
    return Pool(pool.dice, pool.mods, 0, profile.hero)
