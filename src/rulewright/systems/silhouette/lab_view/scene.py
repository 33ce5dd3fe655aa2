"""A fight as the lab looks at it: what comes next by itself, and without what does not matter to a question."""

from typing import Any

from msgspec.structs import replace

from rulewright.scenes.batch_play import Luck, Walk
from rulewright.systems.silhouette.combat.close_combat import Struck
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter
from rulewright.systems.silhouette.combat.ranged_attacks import Struck as Hit
from rulewright.systems.silhouette.fight import scene
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.lab_view.attack_excerpt import put_out
from rulewright.systems.silhouette.lab_view.batch_rounds import Rounds


class FightScene(scene.FightScene):
    """The same fight, with what exists for the lab alone."""

    def lens(self, state: Fight, question: str) -> Fight:
        """Who wins does not depend on the number of the round, on how somebody was put out of the fight (unless luck or Genre Points have
        a say: some of the fallen wake, and companions may be shaken), nor on what the next round will take off everybody's shoulders."""
        if question == "all":
            return state
        waiting = {name for group in state.queue for name in group}
        if state.turn is not None:
            waiting.add(state.turn.name)
        over = not waiting and not state.delayed
        acting = {moment.name for moment in state.frozen} | set(state.late)
        fighters = []
        for fighter in state.fighters:
            name = fighter.profile.name
            fallen = not fighter.body.able and not state.swayed
            out = fallen and name not in acting
            alone = sum(1 for other in state.fighters if other.profile.side != fighter.profile.side and other.body.able) < 2
            if not out:
                fighter = _blurred(fighter, name in waiting, over, alone)
                if fallen and name not in state.late:  # acts with what it had, and then is out
                    fighter = replace(fighter, body=_out(fighter))
            fighters.append(_levelled(fighter) if out else fighter)
        return replace(state, fighters=tuple(fighters), round=min(state.round, 1), zones=() if over else state.zones)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Rounds(self.rules, luck)

    def level(self, outcome: Any, question: str) -> Any:
        """Of those whom a blow or shot puts out of the fight it does not matter how, unless they act once more or fate can be bought."""
        if question == "all" or not isinstance(outcome, Struck | Hit) or self.rules.on("advanced-ties"):
            return outcome
        body = outcome.victim
        return outcome if body.able or body.genre else replace(outcome, victim=put_out(body))


def _blurred(fighter: Fighter, acts_still: bool, over: bool, alone: bool) -> Fighter:
    """Somebody in the fight without what does not matter: confusion that has passed, what a new round takes away in any case, and how
    often the only opponent has attacked."""
    changes: dict[str, Any] = {}
    if alone and fighter.attacked_by:
        changes["attacked_by"] = ()
    if not acts_still and fighter.confused:
        changes["confused"] = False
    if over:
        if fighter.attacked_by or fighter.struck_freely or fighter.many or fighter.pinned:
            changes.update(attacked_by=(), struck_freely=False, many=0, pinned=0)
        if fighter.guarded or fighter.ordered or fighter.hurried:
            changes.update(guarded=False, ordered=0, hurried=0)
    return replace(fighter, **changes) if changes else fighter


def _out(fighter: Fighter) -> Patient:
    """The body of somebody out of the fight: how badly does not matter."""
    return Patient(fighter.body.name, unconscious=1)


def _levelled(fighter: Fighter) -> Fighter:
    """Somebody out of the fight, with everything forgotten that cannot matter any more."""
    count = len(fighter.ammo)
    return Fighter(fighter.profile, _out(fighter), ammo=(0,) * count, jammed=(False,) * count, unready=(0,) * count, gone=fighter.gone)
