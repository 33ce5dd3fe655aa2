"""The pursuit as a scene: rounds of a battle in which one side wants to escape (book lines 5879-5883)."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import agree, count, join
from rulewright.play import Tactic
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Leaving, Result
from rulewright.systems.ore.battle import setup
from rulewright.systems.ore.battle.combatants import Battle, Craft, Wing
from rulewright.systems.ore.battle.scene import BattleScene, fights_on
from rulewright.systems.ore.battle.tactics import TACTICS

PURSUIT_SCENE = "pursuit"
PURSUIT_TACTICS: Mapping[str, Tactic] = {"hunter": TACTICS["hunter"], "runner": TACTICS["runner"], "wary": TACTICS["wary"]}


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Battle:
    """Starts a pursuit like a battle; `quarry` names the chased side, by default the first."""
    battle = setup.begin(rules, scenario, members)
    quarry = battle.field.quarry or next(iter(scenario.sides))
    if quarry not in scenario.sides:
        raise UserError(f"place: there is no side {quarry!r} to chase; choose {join(tuple(scenario.sides), 'or')}")
    return replace(battle, field=replace(battle.field, quarry=quarry))


class PursuitScene(BattleScene):
    """A pursuit ends when the quarry escapes, or is stopped within sight of a hunter."""

    kind = PURSUIT_SCENE
    event = "pursuit"
    title = "Pursuit"

    def result(self, state: Battle) -> Result | None:
        quarry = state.field.quarry
        prey = [unit for unit in state.units if unit.side == quarry]
        hunters = [unit for unit in state.units if unit.side != quarry and fights_on(self.rules, state, unit)]
        free = [unit for unit in prey if unit.able]
        fled = [unit.name for unit in prey if unit.gone and not unit.surrendered]
        if not free:
            if fled:
                return Result(quarry, f"{join(fled)} got away")
            yielded = [unit.name for unit in prey if unit.surrendered]
            why = f"{join(yielded)} surrendered" if yielded else f"{agree(quarry, 'has', 'have')} no vehicle left to chase"
            return Result(hunters[0].side if hunters else None, why)
        if not hunters:
            return Result(quarry, f"nobody chases {quarry} any more")
        if state.phase == "begin" and state.round:
            caught = [unit for unit in free if isinstance(unit, Craft) and self._stopped(state, unit)]
            if len(caught) == len(free):
                near = next(hunter.side for hunter in hunters if state.range_of(hunter.name, caught[0].name) == "VR")
                return Result(near, f"{join([unit.name for unit in caught])} stopped within sight of {near}")
            if state.round >= state.rounds:
                return Result(None, f"{count(state.rounds, 'round')} {'has' if state.rounds == 1 else 'have'} passed")
        return None

    def stays(self, state: Battle, member: Craft | Wing, how: Leaving) -> str:
        """Who is chased gets away by escaping only."""
        chased = how == "withdraw" and member.side == state.field.quarry
        return f"{member.name} is chased: it gets away by escaping, or surrenders" if chased else ""

    def _stopped(self, state: Battle, craft: Craft) -> bool:
        """Whether a vehicle is stopped or without a driver, with a hunter in sight."""
        still = craft.speed == 0 or not fights_on(self.rules, state, craft)
        hunters = [unit for unit in state.units if unit.side != craft.side and fights_on(self.rules, state, unit)]
        return still and any(state.range_of(hunter.name, craft.name) == "VR" for hunter in hunters)

    def out(self, state: Battle) -> frozenset[str]:
        """As in a battle; an escaped quarry is not out."""
        away = {unit.name for unit in state.crafts if unit.gone and not unit.surrendered and unit.side == state.field.quarry}
        with_them = {person.name for person in state.people if person.craft in away and person.able}
        winged = {
            name for wing in state.wings if wing.gone and not wing.surrendered and wing.side == state.field.quarry for name in wing.members
        }
        return super().out(state) - away - with_them - winged
