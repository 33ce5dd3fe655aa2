"""The simulation view of a fight: what cannot matter to a question is normalised."""

from collections.abc import Mapping
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
from rulewright.systems.silhouette.lab_view.position import position


class FightScene(scene.FightScene):
    """The fight scene with simulation support."""

    def position(self, state: Fight, side: str) -> Mapping[str, float]:
        return position(state, side)

    def lens(self, state: Fight, question: str) -> Fight:
        """Normalise a fight: the winner does not depend on the round number, on how a fighter was put out (unless luck or Genre
        Points matter: some of the fallen wake, and companions may be shaken), nor on what the next round resets anyway."""
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
                fighter = _simplified(fighter, name in waiting, over, alone)
                if fallen and name not in state.late:  # acts with its earlier body, and then is out
                    fighter = replace(fighter, body=_body_out(fighter))
            fighters.append(_normalised(fighter) if out else fighter)
        return replace(state, fighters=tuple(fighters), round=min(state.round, 1), zones=() if over else state.zones)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Rounds(self.rules, luck)

    def level(self, outcome: Any, question: str) -> Any:
        """Normalise an outcome: how an attack puts a fighter out does not matter, unless they act once more or fate can be bought."""
        if question == "all" or not isinstance(outcome, Struck | Hit) or self.rules.on("advanced-ties"):
            return outcome
        body = outcome.victim
        return outcome if body.able or body.genre else replace(outcome, victim=put_out(body))


def _simplified(fighter: Fighter, acts_still: bool, over: bool, alone: bool) -> Fighter:
    """A fighter without what does not matter: past confusion, what a new round resets anyway, and how
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


def _body_out(fighter: Fighter) -> Patient:
    """The body of a fighter out of the fight; how badly does not matter."""
    return Patient(fighter.body.name, unconscious=1)


def _normalised(fighter: Fighter) -> Fighter:
    """A fighter out of the fight, without everything that cannot matter any more."""
    count = len(fighter.ammo)
    return Fighter(fighter.profile, _body_out(fighter), ammo=(0,) * count, jammed=(False,) * count, unready=(0,) * count, gone=fighter.gone)
