"""A fight as the lab looks at it: what comes next by itself, and without what does not matter to a question."""

from typing import Any

from msgspec.structs import replace

from rulewright.play import Play, sub
from rulewright.scenes.walking import Luck, Walk
from rulewright.systems.scumm.combat.attacks import Struck
from rulewright.systems.scumm.combat.fighters import (
    Fight,
    Fighter,
)
from rulewright.systems.scumm.fight import scene
from rulewright.systems.scumm.fight.turns import Initiatives, ranked
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.lab_view.focus import focus
from rulewright.systems.scumm.lab_view.walk import Rounds


class FightScene(scene.FightScene):
    """The same fight, with what exists for the lab alone."""

    def lens(self, state: Fight, question: str) -> Fight:
        """Who wins does not depend on the number of the round, on initiative once the order stands, on how long somebody out of the
        fight sleeps, on which wounds put somebody out, nor on what the next round will take off everybody's shoulders."""
        if question == "all":
            return state
        waiting = {name for group in state.queue for name in group}
        if state.turn is not None:
            waiting.add(state.turn.name)
        over = not waiting
        acting = {moment.name for moment in state.frozen if moment.name in waiting}
        dangerous = [f.profile.name for f in state.fighters if f.body.able or f.profile.name in acting]
        fighters = [
            _levelled(f)
            if not f.body.able and f.profile.name not in acting
            else _blurred(f, f.profile.name in waiting, over, [name for name in dangerous if name != f.profile.name])
            for f in state.fighters
        ]
        able = {f.profile.name for f in state.fighters if f.body.able}
        frozen = tuple([moment for moment in state.frozen if moment.name in acting or moment.name in able])
        return replace(state, fighters=tuple(fighters), frozen=frozen, round=min(state.round, 1), zones=() if over else state.zones)

    def level(self, outcome: Any, question: str) -> Any:
        """Of initiative only the order matters, and of those whom a hit puts out of it not how."""
        if question == "all":
            return outcome
        if isinstance(outcome, Initiatives):
            return ranked(outcome)
        if isinstance(outcome, Struck) and not outcome.victim.able:
            return replace(outcome, victim=_put_out(outcome.victim))
        if isinstance(outcome, Patient) and not outcome.able:
            return _put_out(outcome)
        return outcome

    def focus(self, state: Fight) -> Play[Fight] | None:
        return focus(state, self._turn)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Rounds(self.rules, luck, self._turn)

    def _turn(self, state: Fight) -> Play[Fight]:
        """The rest of a turn between two, as long as both are in it."""
        before = state.fighters
        while True:
            state = yield from sub(self.step, state)
            if state.turn is None or not state.fighters[1].body.able:
                same = [old if old == new else new for old, new in zip(before, state.fighters, strict=True)]
                return replace(state, fighters=tuple(same))


def _blurred(fighter: Fighter, acts_still: bool, over: bool, dangerous: list[str]) -> Fighter:
    """Somebody in the fight without what does not matter: initiative, and what a new round takes away in any case.

    Earlier attackers count for those who attack after them, so the only one who can still attack counts for nobody; and who is out,
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
        changes["body"] = _put_out(fighter.body)
    return replace(fighter, **changes) if changes else fighter


def _put_out(body: Patient) -> Patient:
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


def _levelled(fighter: Fighter) -> Fighter:
    """Somebody out of the fight, with everything forgotten that cannot matter any more."""
    body = replace(_put_out(fighter.body), armor=0, covers=(), player=False, emergency_dice=0)
    count = len(fighter.ammo)
    return Fighter(fighter.profile, body, ammo=(0,) * count, jammed=(False,) * count, gone=fighter.gone)
