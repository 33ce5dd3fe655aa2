"""The fight scene for simulation: split into excerpts, without irrelevant state."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.scenes.batch_play import Luck, Walk
from rulewright.systems.foresight.combat.fighters import UNUSED, Fight, Fighter
from rulewright.systems.foresight.fight import scene
from rulewright.systems.foresight.lab_view.anonymised import felt, put_out
from rulewright.systems.foresight.lab_view.batch_rounds import Excerpts
from rulewright.systems.foresight.lab_view.position import position
from rulewright.systems.foresight.resolution.tests import BOTCH, FAILURE


class FightScene(scene.FightScene):
    """The same fight, with what exists for the simulator alone."""

    def position(self, state: Fight, side: str) -> Mapping[str, float]:
        return position(state, side)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Excerpts(self.rules, luck, self.step)

    def lens(self, state: Fight, question: str) -> Fight:
        """Removes what winning does not depend on: the number of the round, where the dead lie, wounds that hinder nothing, and what a
        new round resets."""
        if question == "all":
            return state
        over = not (state.order or state.turn or state.deeds)
        busy = {*state.order, state.turn, *[deed.who for deed in state.deeds], *[name for deed in state.deeds for name in deed.granted]}
        fighters = [put_out(f) if f.out and not f.senseless else _blurred(f, f.name in busy, over) for f in state.fighters]
        return replace(state, fighters=tuple(fighters), round=min(state.round, 1))


def _blurred(fighter: Fighter, busy: bool, over: bool) -> Fighter:
    """A person in the fight without what does not matter: wounds that hinder nothing, and what the next round takes away in any case."""
    changes: dict[str, Any] = {}
    body = felt(fighter)
    if body is not fighter.body:
        changes["body"] = body
    if over:
        changes.update(acts=0, bonus="", bonuses=0, tried=False, roused=False, sighted=False, engaged="", rolled=0, focus="")
        changes.update(dodges=0, parries=0, sudden=False, attacks=(0,) * len(fighter.attacks), last_used=UNUSED, acted=False)
        if not fighter.waiting:
            changes["qr"] = FAILURE
    elif not busy and not fighter.waiting:
        changes.update(acts=0, qr=BOTCH if fighter.qr == BOTCH else FAILURE, roused=False, tried=False, sighted=False)
        if fighter.bonus not in ("dodge", "parry"):
            changes.update(bonus="", bonuses=0)
    changes = {field: value for field, value in changes.items() if getattr(fighter, field) != value}
    return replace(fighter, **changes) if changes else fighter
