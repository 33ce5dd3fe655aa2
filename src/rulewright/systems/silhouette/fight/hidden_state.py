"""The order of a round as a side that does not see everybody may imagine it."""

from msgspec.structs import replace

from rulewright.scenes.hidden_state import Draw, placed, without
from rulewright.systems.silhouette.combat.fighters import Fight


def order_anew(fight: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
    """Returns possible orders: an unseen fighter may act before the current one, with the turn already taken, or after."""
    if not fight.round:
        return fight
    acting = fight.turn.name if fight.turn is not None else fight.queue[0][0] if fight.queue else ""
    moved = unseen - {acting}
    queue = without(fight.queue, moved)
    known = [fighter.name for fighter in fight.fighters if fighter.body.able and fighter.name not in moved]
    begun = 1 if fight.queue and fight.turn is None else 0
    for fighter in fight.fighters:
        if fighter.name not in moved or not fighter.body.able or fighter.unwary:
            continue
        fight = fight.change(fighter.name, confused=False, refocused=False)
        left = len([name for group in queue for name in group if name not in moved])
        place = int(draw() * (len(known) + 1)) - (len(known) - left) - begun
        if place >= 0 and acting:
            after = [name for group in queue[begun:] for name in group if name not in moved][place:]
            queue = placed(queue, fighter.name, after)
    frozen = tuple([moment for moment in fight.frozen if moment.name not in moved])
    late = tuple([name for name in fight.late if name not in moved])
    return replace(fight, queue=queue, frozen=frozen, late=late)
