"""The order of a round as a side may imagine it that does not see everybody."""

from math import inf

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, placed, rolled, without
from rulewright.systems.scumm.combat.fighters import Fight
from rulewright.systems.scumm.fight.turns import actions_by_initiative, rolled_for_initiative


def order_anew(rules: Ruleset, fight: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
    """Whoever is not seen has rolled anything: more than whoever acts now, and has had a turn; or less, and is still to come."""
    if not fight.round:
        return fight
    acting = fight.turn.name if fight.turn is not None else fight.queue[0][0] if fight.queue else ""
    moved = unseen - {acting}
    queue = without(fight.queue, moved)
    mark = fight.fighter(acting).initiative if acting else -inf
    for fighter in fight.fighters:
        if fighter.name not in moved or not fighter.body.able or fighter.unwary:
            continue
        came = rolled(rolled_for_initiative(rules, replace(fighter, initiative_modifier=0)).reading, draw)
        acts = actions_by_initiative(came.total, came.fumble)
        fight = fight.change(fighter.name, initiative=came.total, acts=acts, fumbled=came.fumble, initiative_modifier=0, sprayed=())
        if came.total < mark:
            queue = placed(queue, fighter.name, [each.name for each in fight.fighters if each.initiative < came.total])
    frozen = tuple([moment for moment in fight.frozen if moment.name not in moved])
    return replace(fight, queue=queue, frozen=frozen)
