"""State reduction: removes what cannot change the winner of a fight any more."""

from typing import Any

from msgspec.structs import replace

from rulewright.systems.scumm.combat.fighters import Fighter
from rulewright.systems.scumm.harm.body import Patient


def blurred(fighter: Fighter, acts_still: bool, over: bool, dangerous: list[str]) -> Fighter:
    """A person in the fight without what does not matter: initiative, and what a new round takes away in any case.

    Earlier attackers count for people who attack after them, so the only one who can still attack counts for nobody; and who is out,
    but has still to act with the body of a moment ago, is out in one way only.
    """
    changes: dict[str, Any] = {"initiative": 0} if fighter.initiative else {}
    if not acts_still and (fighter.acts or fighter.fumbled):
        changes.update(acts=0, fumbled=False)
    if over:
        if fighter.attacked_by or fighter.free_strikes or fighter.pinned:
            changes.update(attacked_by=(), free_strikes=0, pinned=False)
        if fighter.shot_at or fighter.sprayed:
            changes.update(shot_at=(), sprayed=())
    elif len(dangerous) <= 1 and dangerous and dangerous[0] in fighter.attacked_by:
        changes["attacked_by"] = tuple([name for name in fighter.attacked_by if name != dangerous[0]])
    if not fighter.body.able:
        changes["body"] = put_out(fighter.body)
    return replace(fighter, **changes) if changes else fighter


def put_out(body: Patient) -> Patient:
    """A body that is out of the fight, in one way for all; what it can still spend in this very moment stays."""
    return Patient(
        body.name,
        body.health,
        body.flesh_threshold,
        body.deep_threshold,
        body.death_threshold,
        body.system_shock,
        body.armor,
        body.covers,
        body.player,
        body.emergency_dice,
        unconscious=1,
        weighs=body.weighs,
    )


def levelled(fighter: Fighter) -> Fighter:
    """A person out of the fight, with everything forgotten that cannot matter any more."""
    body = replace(put_out(fighter.body), armor=0, covers=(), player=False, emergency_dice=0)
    count = len(fighter.ammo)
    return Fighter(fighter.profile, body, ammo=(0,) * count, jammed=(False,) * count, gone=fighter.gone)
