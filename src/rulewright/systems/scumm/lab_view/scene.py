"""The fight scene for simulation: forced steps are played on, and irrelevant state is dropped."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.play import Play, sub
from rulewright.scenes.batch_play import Luck, Walk
from rulewright.scenes.probability_flow import Currents, OddsOf
from rulewright.systems.scumm.combat.attacks import Struck
from rulewright.systems.scumm.combat.fighters import Fight
from rulewright.systems.scumm.fight import scene
from rulewright.systems.scumm.fight.turns import Initiatives, ranked
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.lab_view.batch_rounds import Rounds
from rulewright.systems.scumm.lab_view.position import position
from rulewright.systems.scumm.lab_view.probability_flow import Turns
from rulewright.systems.scumm.lab_view.state_reduction import blurred, levelled, put_out


class FightScene(scene.FightScene):
    """The same fight, with what exists for the simulator alone."""

    def position(self, state: Fight, side: str) -> Mapping[str, float]:
        return position(state, side)

    def lens(self, state: Fight, question: str) -> Fight:
        """Leaves out what does not decide who wins: the number of the round, initiative once the order is known, how long a person out of
        the fight sleeps, which wounds put a person out, and what the next round removes from everybody."""
        if question == "all":
            return state
        waiting = {name for group in state.queue for name in group}
        if state.turn is not None:
            waiting.add(state.turn.name)
        over = not waiting
        acting = {moment.name for moment in state.frozen if moment.name in waiting}
        dangerous = [f.profile.name for f in state.fighters if f.body.able or f.profile.name in acting]
        fighters = [
            levelled(f)
            if not f.body.able and f.profile.name not in acting
            else blurred(f, f.profile.name in waiting, over, [name for name in dangerous if name != f.profile.name])
            for f in state.fighters
        ]
        able = {f.profile.name for f in state.fighters if f.body.able}
        frozen = tuple([moment for moment in state.frozen if moment.name in acting or moment.name in able])
        return replace(state, fighters=tuple(fighters), frozen=frozen, round=min(state.round, 1), zones=() if over else state.zones)

    def level(self, outcome: Any, question: str) -> Any:
        """A reduced state: initiative by order only, and people out of the fight without the cause."""
        if question == "all":
            return outcome
        if isinstance(outcome, Initiatives):
            return ranked(outcome)
        if isinstance(outcome, Struck) and not outcome.victim.able:
            return replace(outcome, victim=put_out(outcome.victim))
        if isinstance(outcome, Patient) and not outcome.able:
            return put_out(outcome)
        return outcome

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Rounds(self.rules, luck, self._turn)

    def currents(self, odds: OddsOf) -> Currents[Fight]:
        return Turns(self.rules, odds, self._turn)

    def _turn(self, state: Fight) -> Play[Fight]:
        """The rest of a turn between two, as long as both are in it."""
        before = state.fighters
        while True:
            state = yield from sub(self.step, state)
            if state.turn is None or not state.fighters[1].body.able:
                same = [old if old == new else new for old, new in zip(before, state.fighters, strict=True)]
                return replace(state, fighters=tuple(same))
