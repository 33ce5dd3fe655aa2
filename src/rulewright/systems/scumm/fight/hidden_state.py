"""The turn order of a round as a side with incomplete vision may imagine it."""

from math import inf

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, placed, rolled, without
from rulewright.systems.scumm.combat.fighters import Fight
from rulewright.systems.scumm.fight.turns import actions_by_initiative, rolled_for_initiative


def order_anew(rules: Ruleset, fight: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
    """A guess at unseen initiative: above the current one for people who have acted, below it for people still to act."""
    if not fight.round:
        return fight
    acting = fight.turn.name if fight.turn is not None else fight.queue[0][0] if fight.queue else ""
    moved = unseen - {acting}
    queue = without(fight.queue, moved)
    mark = fight.fighter(acting).initiative if acting else -inf
    for fighter in fight.fighters:
        if fighter.name not in moved or not fighter.body.able or fighter.unwary:
            continue
        result = rolled(rolled_for_initiative(rules, replace(fighter, initiative_modifier=0)).reading, draw)
        acts = actions_by_initiative(result.total, result.fumble)
        fight = fight.change(fighter.name, initiative=result.total, acts=acts, fumbled=result.fumble, initiative_modifier=0, sprayed=())
        if result.total < mark:
            queue = placed(queue, fighter.name, [candidate.name for candidate in fight.fighters if candidate.initiative < result.total])
    frozen = tuple([moment for moment in fight.frozen if moment.name not in moved])
    return replace(fight, queue=queue, frozen=frozen)
