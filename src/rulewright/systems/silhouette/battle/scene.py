"""The battle scene: steps, result, visibility and what lasts (book lines 4231-4358)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import SceneView
from rulewright.field.ground import Changes, Ground
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.field.placement import Standing
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, Imagine, out_of_sight
from rulewright.scenes.scenarios import Lasts, Placed, agrees
from rulewright.scenes.scene import Leaving, Result, state_limits
from rulewright.scenes.skirmish import Parting
from rulewright.systems.silhouette.battle.aftermath import lasting, settle
from rulewright.systems.silhouette.battle.ground_effects import ground_effects
from rulewright.systems.silhouette.battle.hidden_state import guessed, unfound
from rulewright.systems.silhouette.battle.lightning_strike import is_pass, tear_past
from rulewright.systems.silhouette.battle.morale import (
    is_badly_hurt,
    is_inside,
    is_part,
    left_field,
    out_of_reach,
    own_machines,
    why_it_stays,
    wise_answers,
)
from rulewright.systems.silhouette.battle.rounds import act, activate, begin_round, initiative, set_up
from rulewright.systems.silhouette.battle.sensors.sightings import in_sight, names_of, side_sees
from rulewright.systems.silhouette.battle.setup import setup
from rulewright.systems.silhouette.battle.stalemate import stalemate
from rulewright.systems.silhouette.battle.view import headline, person_card, place_of, rider_card, timeline, unit_card
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.harm.body import BODY_LIMITS, LASTING
from rulewright.systems.silhouette.maneuver.terrain import letters, terrains
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.setup import CARRIES
from rulewright.systems.silhouette.units.state import Battle, Conditions
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import ABSORBED

BATTLE_SCENE = "battle"


class BattleScene(Parting[Battle]):
    """A battle: set-up, declaration, initiative and every single action are steps."""

    state_type = Battle
    described = Conditions
    kind = BATTLE_SCENE
    event = "battle"
    endings = ("to the end", "by morale", "by objectives")

    def __init__(self, rules: Ruleset) -> None:
        super().__init__(rules)
        self.looks = tuple([(name, row.look) for name, row in terrains(rules).items() if name])
        self.letters = letters(rules)

    def step(self, state: Battle) -> Play[Battle]:
        if self._decided(state) is not None:
            return settle(self.rules, state)
        if state.phase == "set-up":
            return tear_past(self.rules, state) if is_pass(state) else set_up(self.rules, state)
        if state.phase == "declaration":
            leaving = self.resolve(state)
            return leaving if leaving is not None else begin_round(self.rules, state)
        if state.phase == "initiative":
            return initiative(self.rules, state)
        return act(self.rules, state) if state.active else activate(self.rules, state)

    def _decided(self, state: Battle) -> Result | None:
        """The result, before casualties are counted."""
        for aim in state.place.objectives:
            left = left_field(state, aim)
            if left >= aim.units:
                return Result(aim.side, f"{count(left, 'unit')} of {aim.side} {'has' if left == 1 else 'have'} left the field")
        if state.ends == "by objectives" and (failed := out_of_reach(state)) is not None:
            return failed
        first = next((unit.side for unit in state.units if unit.able), None)
        if first is None:
            return Result(None, "no unit can fight any more")
        if not any(unit.able for unit in reversed(state.units) if unit.side != first):  # from the end, where other sides are found first
            return Result(first, f"only {agrees(first, 'has', 'have')} units that can fight")
        if state.round > state.rounds:
            return Result(None, f"{count(state.rounds, 'round')} have passed")
        if state.quiet and (why := stalemate(self.rules, state)):
            return Result(None, why)
        return None

    def result(self, state: Battle) -> Result | None:
        return self._decided(state) if state.phase == "over" else None

    def sides(self, state: Battle) -> Mapping[str, tuple[str, ...]]:
        return {side: names_of(state, side) for side in state.sides}

    supplies = ("ammunition", "Command Points")

    def tally(self, state: Battle) -> Mapping[str, Mapping[str, int]]:
        result: dict[str, dict[str, int]] = {}
        for side in state.sides:
            units = [unit for unit in state.units if unit.side == side]
            result[side] = {
                "machines out of it": sum([not unit.able and not is_part(unit) for unit in units]),
                "Armor lost": sum([unit.wear.armor for unit in units]),
                "casualties": sum([unit.crew.lost + unit.crew.lost_passengers for unit in units]),
                "ammunition": sum([sum(arm.left) for unit in units for arm in unit.arms]),
                "Command Points": state.command(side).tactical,
            }
        return result

    def out(self, state: Battle) -> frozenset[str]:
        units = [
            unit.name
            for unit in state.units
            if unit.part is None and not unit.able and not (unit.split and _component_fights_on(state, unit))
        ]
        riders = [rider.name for unit in state.units for rider in unit.riders if not rider.body.able or unit.gone]
        return frozenset([*units, *riders])

    def round(self, state: Battle) -> int:
        """The present round, or the last there is."""
        return min(state.round, state.rounds)

    def took(self, state: Battle) -> int:
        return self.round(state) * state.place.seconds

    def join(self, state: Battle, newcomer: Any, side: str) -> Battle:
        return setup.join(self.rules, state, Placed.coming(newcomer, side))

    carries = (*CARRIES, *LASTING)
    limits = state_limits(
        **BODY_LIMITS,
        altitude=(-1000, 1000),
        facing=(-360, 360),
        vector=(-1000, 1000),
        load=(0, 1_000_000),
        burned=(0, 100_000),
        crew=(0, 1_000_000),
    )

    def lasting(self, state: Battle, who: str) -> Mapping[str, Lasts]:
        return lasting(state, who)

    def checked(self, state: Battle) -> Battle:
        return setup.fitting(self.rules, state)

    def move(self, state: Battle, who: str, x: float, y: float) -> Battle:
        return setup.put(self.rules, state, who, x, y)

    def members(self, state: Battle) -> list[Unit]:
        return own_machines(state)

    def member(self, state: Battle, who: str) -> Unit | None:
        there = any(unit.name == who or any(rider.name == who for rider in unit.riders) for unit in state.units)
        return state.bearer(state.asked(who)) if there else None

    def able(self, state: Battle, fighter: Unit) -> bool:
        return fighter.able

    def speaker(self, state: Battle, member: Unit) -> str:
        return member.voice

    def stays(self, state: Battle, member: Unit, how: Leaving) -> str:
        return why_it_stays(state, member, how)

    def departed(self, state: Battle, fighter: Unit, how: Leaving) -> Battle:
        """A machine leaves with everybody aboard, or a person on foot (ruling: at once, from anywhere)."""
        aboard = [other for other in state.units if other.name == fighter.name or state.bearer(other).name == fighter.name]
        for other in aboard:
            state = state.put(replace(other, gone=True, surrendered=how == "surrender"))
        return state

    def badly_hurt(self, state: Battle, fighter: Unit) -> bool:
        return super().badly_hurt(state, fighter) if is_person(fighter) else is_badly_hurt(state, fighter)

    def wise_answers(self, state: Battle, fighter: Unit) -> tuple[str, ...]:
        return wise_answers(state, fighter)

    # the ground

    takes_maps = True

    def ground_words(self) -> GroundWords:
        return setup.ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    def ground(self, state: Battle) -> tuple[Ground, Changes]:
        return state.map, state.changes

    def standing(self, state: Battle) -> Mapping[str, Standing]:
        standing_by_name = {}
        for unit in state.units:
            if unit.borne or unit.split or is_inside(unit) or unit.wear.destroyed == ABSORBED:
                continue
            where = Standing(unit.x, unit.y, unit.side, unit.altitude, unit.facing, float(unit.machine.size))
            standing_by_name[unit.name] = where
            standing_by_name |= {rider.name: where for rider in unit.riders}
        return standing_by_name

    def sees(self, state: Battle, who: str, other: str) -> bool:
        unit, two = state.asked(who), state.asked(other)
        return unit.side == two.side or sees(self.rules, state, unit, two)

    def in_sight(self, state: Battle, side: str) -> frozenset[str] | None:
        return in_sight(self.rules, state, side)

    def imagining(self, state: Battle, side: str) -> "Imagine[Battle] | None":
        """A sampler of battles as a side may imagine them: unseen units elsewhere, hidden values guessed."""
        foes = [unit.name for unit in state.units if unit.side != side]
        hidden = [unit.name for unit in state.units if unit.side != side and not side_sees(self.rules, state, side, unit)]

        def imagine(draw: Draw) -> Battle:
            battle = state
            for name in foes:
                battle = battle.put(guessed(battle.unit(name), draw))
            for name in hidden:
                if battle.unit(name).borne:
                    continue  # it is where its hull is
                battle = out_of_sight(self, unfound(battle, name), side, name, draw)
            return battle

        return imagine if foes else None

    def view(self, state: Battle, who: str | None) -> SceneView:
        mine = next((unit.side for unit in state.units if who in (unit.name, *[rider.name for rider in unit.riders])), None)
        seen = [unit for unit in state.units if who is None or (mine is not None and side_sees(self.rules, state, mine, unit))]
        if who is not None and mine is None:
            seen = [unit for unit in state.units if all(side_sees(self.rules, state, side, unit) for side in state.sides)]
        cards = []
        seen = [unit for unit in seen if not is_inside(unit)]
        for unit in seen:
            friend = who is None or unit.side == mine
            if is_person(unit):
                cards.append(person_card(self.rules, state, unit, friend))
                continue
            cards.append(unit_card(self.rules, state, unit, friend))
            cards.extend([rider_card(unit, rider) for rider in unit.riders if friend])
        places = tuple([place_of(state, unit) for unit in seen if not (unit.borne or unit.split or unit.wear.destroyed == ABSORBED)])
        names = {unit.name for unit in seen}
        return SceneView("Battle", headline(state), tuple(cards), timeline(state, names), places, self.field_shown(state, who))


def _component_fights_on(battle: Battle, unit: Unit) -> bool:
    """Whether any component of a split machine is still in the fight."""
    return any(candidate.able for candidate in battle.units if candidate.part is not None and candidate.part.of == unit.name)
