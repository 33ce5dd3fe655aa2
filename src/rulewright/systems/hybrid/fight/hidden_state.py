"""The counts of a fight as a side with incomplete vision may imagine them."""

from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, rolled
from rulewright.systems.hybrid.combat.fighters import Fight, speed_of
from rulewright.systems.hybrid.combat.initiative import initiative_dice, settle
from rulewright.systems.hybrid.fight.timeline import due_at


def counts_anew(rules: Ruleset, fight: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
    """A guess at unseen people: they decide on a later count, as initiative would give it; current actions take effect."""
    if any(not fighter.entered for fighter in fight.fighters):
        return fight
    now = due_at(rules, fight)
    moved = [
        fighter
        for fighter in fight.fighters
        if fighter.name in unseen and fighter.body.awake and not (fighter.at <= now and fighter.doing is not None)
    ]
    known = min([candidate.at for candidate in fight.fighters if candidate not in moved and candidate.body.awake], default=now)
    for fighter in moved:
        dice = initiative_dice(rules, speed_of(fight, fighter), perceived=True, ranked=fighter.arm.rank is not None, preset=False)
        counts = settle(rules, rolled(dice, draw)).count
        at = max(fight.count, known) + 1 + int(draw() * max(1, counts))
        fight = fight.change(fighter.name, at=at, doing=None, late=0, waiting=False, advancing=False, retreating=False)
    return fight
