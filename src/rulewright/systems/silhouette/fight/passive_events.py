"""Consequences without a decision, told after a step: falls, dropped weapons, coming into view."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.falls import MOST_DICE, falling_damage
from rulewright.systems.silhouette.action.movement import DOWN
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter
from rulewright.systems.silhouette.hazards.hazard_damage import harm
from rulewright.systems.silhouette.resolution.tests import Pool, rolled


def seen_to_change(before: Fight, after: Fight) -> Iterator[Tell]:
    """Yields the further consequences of a wound or attack."""
    for fighter, now in zip(before.fighters, after.fighters, strict=False):
        if fighter is not now and fighter.profile.name == now.profile.name:
            for what in _changes(fighter, now):
                yield happened(after, now.profile.name, what, "bad")


def _changes(fighter: Fighter, now: Fighter) -> Iterator[str]:
    if fighter.hidden and not now.hidden:
        yield "comes into view"
    if fighter.body is now.body or not now.body.able:
        return
    if fighter.pace not in DOWN and now.pace == "prone" and now.body.deep > fighter.body.deep:
        yield "cannot stand any longer and falls"
    at = fighter.in_hand
    if at and not now.in_hand and now.gone[at] == "dropped":
        yield f"drops {the(fighter.weapon.name)} from a useless hand"
    if fighter.shield_up and not now.shield_up and now.body.limbs != fighter.body.limbs:
        yield "drops the shield"


def out_of_the_air(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Plays the fall of a flier who can no longer act."""
    for fighter in fight.fighters:
        if fighter.height and not fighter.body.able:
            dice = yield from rolled(rules, Pool(min(int(fighter.height), MOST_DICE), hero=False), fighter.name, "damage of the fall")
            damage = falling_damage(dice.total, fighter.height, False, fight.ground.gravity)
            yield from Tell(Reckoned(fighter.name, f"falls to the ground and takes {damage.value} damage", "bad", (damage.reason,)))
            body = yield from sub(harm, rules, fighter.body, damage.value, rules.on("armor-against-falls"))
            fight = fight.put(replace(fighter.with_body(rules, body), height=0.0))
    return fight
