"""The fight scene for simulation: relevance of state, and single declarations. No rules."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Walk
from rulewright.scenes.scene import Focus
from rulewright.systems.ore.combat.fighters import Fight, Fighter
from rulewright.systems.ore.drama.determination import Determined, Timed
from rulewright.systems.ore.fight import scene
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Injury, Located, Vital
from rulewright.systems.ore.harm.locations import anatomy
from rulewright.systems.ore.lab_view.batch_rounds import Rounds
from rulewright.systems.ore.lab_view.declaration_excerpt import focus
from rulewright.systems.ore.lab_view.position import position
from rulewright.systems.ore.resolution.contests import spoiled_at


class FightScene(scene.FightScene):
    """A fight scene with reduced states."""

    def position(self, state: Fight, side: str) -> Mapping[str, float]:
        return position(state, side)

    def focus(self, state: Fight) -> Focus[Fight] | None:
        return focus(self.rules, state)

    def walker(self, luck: Luck) -> Walk[Fight]:
        return Rounds(self.rules, luck)

    def lens(self, state: Fight, question: str) -> Fight:
        """The winner does not depend on the round number, on damage to fighters out of action, on which Injury a Down belongs to, or on
        Initiative after equal declarations."""
        if question == "all":
            return state
        fighters = tuple([_levelled(fighter) if not fighter.able else _blurred(fighter) for fighter in state.fighters])
        return replace(state, fighters=fighters, round=min(state.round, 1))

    def level(self, outcome: Any, question: str) -> Any:
        """Merges sets with Heights of the same location if nobody can counter them, and drops sets that a faster blow surely spoils."""
        if question == "all" or not isinstance(outcome, Determined) or not outcome.level:
            return outcome
        sets = tuple(
            [tuple([_placed(self.rules, timed, outcome.level) for timed in candidate if timed is not None]) for candidate in outcome.sets]
        )
        return replace(outcome, sets=_unspoiled(self.rules, sets) if outcome.level.endswith("mutual") else sets)


# --- what matters -------------------------------------------------------------------------------------------------------------


@cached(64)
def _representative(rules: Ruleset) -> dict[int, int]:
    return {height: part.heights[0] for part in anatomy(rules) for height in part.heights}


def _placed(rules: Ruleset, timed: Timed, level: str) -> Timed:
    height = _representative(rules).get(timed.height, timed.height) if level.startswith("places") else 1
    return timed if height == timed.height else Timed(timed.width, height, timed.speed)


def _unspoiled(rules: Ruleset, sets: tuple[tuple[Timed, ...], ...]) -> tuple[tuple[Timed, ...], ...]:
    """The reading for two who attack each other: any set counts the same if the faster blow spoils it. It stays a set, because without
    one Lucky may apply."""
    if not all(sets):
        return sets
    fastest = max([candidate[0].speed for candidate in sets])
    spoilt = [candidate[0].speed < fastest and candidate[0].width - 1 <= spoiled_at(rules) for candidate in sets]
    return tuple([(result[0]._replace(height=1),) if lost else result for result, lost in zip(sets, spoilt, strict=True)])


def _levelled(fighter: Fighter) -> Fighter:
    """A fighter out of action without irrelevant fields; they count as dead."""
    body = fighter.body
    dead: AnyBody
    if isinstance(body, Located):
        dead = Located(statistic=body.statistic, parts=tuple([replace(part, kill=part.boxes, shock=0) for part in body.parts]))
    elif isinstance(body, Vital):
        dead = Vital(statistic=body.statistic, vital_boxes=body.vital_boxes, vital_lost=body.vital_boxes)
    else:
        dead = Abstract(statistic=body.statistic, down_boxes=3)
    return Fighter(fighter.profile, dead, fighter.worn)


def _blurred(fighter: Fighter) -> Fighter:
    """A fighter with all Injuries merged."""
    body = fighter.body
    if not isinstance(body, Abstract) or len(body.injuries) < 2:
        return fighter
    whole = Injury(sum([injury.downs for injury in body.injuries]), sum([injury.outs for injury in body.injuries]), body.penalty)
    return replace(fighter, body=replace(body, injuries=(whole,)))
