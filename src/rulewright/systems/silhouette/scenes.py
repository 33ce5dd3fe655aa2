"""Kinds of scenes besides fights."""

from collections.abc import Mapping

from rulewright.system import Staging
from rulewright.systems.silhouette.battle.scene import BATTLE_SCENE
from rulewright.systems.silhouette.battle.setup import setup
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.debate import scene as debate
from rulewright.systems.silhouette.debate import speakers
from rulewright.systems.silhouette.debate.tactics import DEBATE_TACTICS
from rulewright.systems.silhouette.lab_view.battles import BattleScene
from rulewright.systems.silhouette.ordeal import scene as ordeal
from rulewright.systems.silhouette.pursuit import racers
from rulewright.systems.silhouette.pursuit import scene as pursuit
from rulewright.systems.silhouette.repairs import scene as repairs
from rulewright.systems.silhouette.wilderness import scene as wilderness
from rulewright.systems.silhouette.wilderness import travellers

STAGINGS: Mapping[str, Staging] = {
    BATTLE_SCENE: Staging(BattleScene, setup.begin, BATTLE_TACTICS),
    repairs.REPAIRS_SCENE: Staging(repairs.RepairsScene, repairs.begin, repairs.REPAIR_TACTICS),
    pursuit.CHASE_SCENE: Staging(pursuit.PursuitScene, racers.begin, pursuit.CHASE_TACTICS),
    debate.DEBATE_SCENE: Staging(debate.DebateScene, speakers.begin, DEBATE_TACTICS),
    wilderness.WILDERNESS_SCENE: Staging(wilderness.WildernessScene, travellers.begin, wilderness.WILDERNESS_TACTICS),
    ordeal.ORDEAL_SCENE: Staging(ordeal.OrdealScene, ordeal.begin, ordeal.ORDEAL_TACTICS),
}
