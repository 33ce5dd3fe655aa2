"""The kinds of scenes besides fights that a scenario can name."""

from collections.abc import Mapping

from rulewright.system import Staging
from rulewright.systems.silhouette import debate, pursuit, racers, speakers, travellers, wilderness
from rulewright.systems.silhouette.debate_tactics import DEBATE_TACTICS
from rulewright.systems.silhouette.hazards import ordeal

STAGINGS: Mapping[str, Staging] = {
    pursuit.CHASE_SCENE: Staging(pursuit.PursuitScene, racers.begin, pursuit.CHASE_TACTICS),
    debate.DEBATE_SCENE: Staging(debate.DebateScene, speakers.begin, DEBATE_TACTICS),
    wilderness.WILDERNESS_SCENE: Staging(wilderness.WildernessScene, travellers.begin, wilderness.WILDERNESS_TACTICS),
    ordeal.ORDEAL_SCENE: Staging(ordeal.OrdealScene, ordeal.begin, ordeal.ORDEAL_TACTICS),
}
