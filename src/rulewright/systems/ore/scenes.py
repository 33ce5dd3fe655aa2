"""The kinds of scenes besides fights that a scenario can name."""

from collections.abc import Mapping

from rulewright.system import Staging
from rulewright.systems.ore.battle import scene as battle
from rulewright.systems.ore.battle import setup
from rulewright.systems.ore.pursuit import scene as pursuit

STAGINGS: Mapping[str, Staging] = {
    battle.BATTLE_SCENE: Staging(battle.BattleScene, setup.begin, battle.TACTICS),
    pursuit.PURSUIT_SCENE: Staging(pursuit.PursuitScene, pursuit.begin, pursuit.PURSUIT_TACTICS),
}
