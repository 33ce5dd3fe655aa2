"""The simulation view of a battle: what cannot matter to a question is normalised."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.scenes.batch_play import Luck, Walk
from rulewright.systems.silhouette.battle import scene
from rulewright.systems.silhouette.battle.rounds import Opposed
from rulewright.systems.silhouette.lab_view.battle_position import position
from rulewright.systems.silhouette.lab_view.machine_duels import Bouts
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import Arm, Wear


class BattleScene(scene.BattleScene):
    """The battle scene with simulation support."""

    def position(self, state: Battle, side: str) -> Mapping[str, float]:
        return position(self.rules, state, side)

    def lens(self, state: Battle, question: str) -> Battle:
        """Normalise a battle: the winner does not depend on the round number, nor on the exact state of machines out of the fight."""
        if question == "all":
            return state
        units = tuple([unit if unit.able else _normalised(unit) for unit in state.units])
        return replace(state, units=units, round=min(state.round, 1))

    def walker(self, luck: Luck) -> Walk[Battle]:
        return Bouts(self, luck)

    def level(self, outcome: Any, question: str) -> Any:
        """Normalise an outcome: of an opposed roll only the order matters."""
        if question == "all" or not isinstance(outcome, Opposed):
            return outcome
        ranks = sorted({candidate.total for candidate in outcome.totals})
        return Opposed(tuple([Total(ranks.index(candidate.total)) for candidate in outcome.totals]))


def _normalised(unit: Unit) -> Unit:
    """A unit out of the fight, without everything that cannot matter any more."""
    if unit.part is not None or unit.machine.sections or unit.machine.components:
        return unit  # it may return to the fight, or its whole machine needs it
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
