"""A battle as the lab looks at it: steps that come again are drawn from their odds, and what cannot matter to a question is levelled."""

from msgspec.structs import replace

from rulewright.scenes.scene import Focus
from rulewright.systems.silhouette.battle import scene
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import Arm, Wear

FEW = 6
"""In battles of so many units states come again often enough to be remembered as a whole."""


class BattleScene(scene.BattleScene):
    """The same battle, with what exists for the lab alone."""

    def lens(self, state: Battle, question: str) -> Battle:
        """Who wins does not depend on the number of the round, nor on what exactly is left of a machine that is out of the fight."""
        if question == "all":
            return state
        units = tuple([unit if unit.able else _levelled(unit) for unit in state.units])
        return replace(state, units=units, round=min(state.round, 1))

    def focus(self, state: Battle) -> Focus[Battle] | None:
        """The next step as it is: of few units the same state comes again and again, most of all at the beginning."""
        if len(state.units) > FEW:
            return None
        number = state.round
        small = replace(self.lens(state, "losses"), rounds=max(state.rounds, 2))
        late = number >= state.rounds
        if late:  # the last round ends otherwise than all others
            return None
        return Focus(small, self.step, lambda after: _again(after, state, number))


def _again(after: Battle, before: Battle, number: int) -> Battle:
    """What came of a levelled step, with the number of the round and what became of the fallen put back."""
    fallen = {unit.name: unit for unit in before.units if not unit.able}
    units = tuple([fallen.get(unit.name, unit) for unit in after.units])
    first = min(number, 1)
    return replace(after, units=units, round=number + after.round - first, rounds=before.rounds)


def _levelled(unit: Unit) -> Unit:
    """A unit out of the fight, with everything forgotten that cannot matter any more."""
    arms = tuple([Arm(left=(0,) * len(arm.left)) for arm in unit.arms])
    how = "gone" if unit.gone else "out of it"
    return Unit(
        name=unit.name,
        side=unit.side,
        group=unit.group,
        machine=unit.machine,
        crew=unit.crew,
        riders=unit.riders,
        arms=arms,
        wear=Wear(destroyed=how if unit.wear.destroyed or not unit.gone else ""),
        way=unit.way,
        gone=unit.gone,
        done=True,
        moved=True,
    )
