"""Resolves the pending parts of an action one by one."""

from msgspec.structs import replace

from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.close_attacks import land, offer_free_strikes, swing
from rulewright.systems.silhouette.attacks.shots import fire
from rulewright.systems.silhouette.combat.fighters import Fight, Firing, Landing, Opening, Swing, Todo


def resolve(rules: Ruleset, fight: Fight, item: Todo) -> Play[Fight]:
    """Resolves one part of an attack: the defense, the dice, or a Free Strike."""
    if isinstance(item, Landing):
        return land(rules, fight, item)
    if isinstance(item, Firing):
        return fire(rules, fight, item)
    if isinstance(item, Swing):
        return swing(rules, fight, item)
    assert isinstance(item, Opening)
    return offer_free_strikes(rules, fight, item)


def resolve_all(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Resolves all pending parts of an attack."""
    while fight.todo:
        item = fight.todo[0]
        fight = yield from resolve(rules, replace(fight, todo=fight.todo[1:]), item)
    return fight
