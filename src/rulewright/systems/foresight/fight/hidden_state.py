"""The turn order of a round as a side with incomplete vision may imagine it."""

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, Groups, placed, rolled
from rulewright.systems.foresight.combat.fighters import Fight
from rulewright.systems.foresight.fight.turns import initiative_task, refreshed
from rulewright.systems.foresight.resolution.tests import reading


def order_anew(rules: Ruleset, fight: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
    """A guess at unseen initiative: better than the current one for people who have acted, worse for people still to act."""
    if not fight.round:
        return fight
    acting = fight.turn or ("" if fight.declaring else next(iter(fight.order), ""))
    doing = {who for deed in fight.deeds for who in (deed.who, *deed.granted)}
    moved = unseen - {acting} - doing
    order: Groups = tuple([(name,) for name in fight.order if name not in moved])
    for fighter in fight.fighters:
        if fighter.name not in moved or fighter.out:
            continue
        qr = rolled(reading(rules, initiative_task(rules, fighter)), draw).qr
        fight = fight.put(replace(refreshed(rules, fighter, qr), focus="", motion=""))
        if fight.declaring or (acting and qr > fight.fighter(acting).qr):
            order = placed(order, fighter.name, [candidate.name for candidate in fight.fighters if candidate.qr > qr])
    return replace(fight, order=tuple([name for group in order for name in group]))
