"""The fight scene: start, steps, ending, visibility, and the state that matters to a question."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Clock, Place, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.errors import UserError
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Result, state_limits
from rulewright.scenes.skirmish import Skirmish, as_described, coming, lined_up, one_of, one_side_left, refuse_muddle, some_left
from rulewright.systems.scumm.action.movement import TERRAINS
from rulewright.systems.scumm.combat.fighters import (
    COVERS,
    LIGHTS,
    CoverSpot,
    Fight,
    Fighter,
    Surroundings,
    checked,
    enter,
    refuse_strangers,
)
from rulewright.systems.scumm.fight.aftermath import CARRIES, aftermath
from rulewright.systems.scumm.fight.ambushes import spring_ambush
from rulewright.systems.scumm.fight.ground_effects import ground_effects
from rulewright.systems.scumm.fight.hidden_state import order_anew
from rulewright.systems.scumm.fight.tactics import TACTICS
from rulewright.systems.scumm.fight.turns import begin_round, go_on, next_turn, settle_sleepers
from rulewright.systems.scumm.harm.body import OPEN_ENDED, in_shock
from rulewright.systems.scumm.resolution.tests import most_emergency_dice

__all__ = ["TACTICS", "FightScene", "begin"]


def ground_words(rules: Ruleset) -> GroundWords:
    """Returns the words that a map of this game may use for its ground."""
    return GroundWords(tuple(TERRAINS(rules)), tuple(COVERS[1:]), tuple(LIGHTS))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight in which a scenario begins; sides without places stand ten metres apart."""
    ground = scenario.ground(Surroundings)
    area = scenario.map_understood(ground_words(rules))
    if ground.ambush and ground.ambush not in scenario.sides:
        raise UserError(f"place.ambush: {ground.ambush!r} is no side; the sides are {', '.join(scenario.sides)}")
    fighters: list[Fighter] = []
    for member, at in lined_up(members, scenario.sides):
        fighter = _started(enter(rules, member.character, member.name, member.side, at), member)
        fighters.append(replace(fighter, hidden=True) if member.side == ground.ambush else fighter)
    fight = Fight(ground, tuple(fighters), rounds=scenario.rounds, ends=scenario.ends, ambush_open=bool(ground.ambush), map=area)
    refuse_muddle(fight, [spot.name for spot in ground.covers])
    return refuse_strangers(fight, fighters)


def _started(fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with what the scenario says is different; short names reach into the body, `weapon` names what is in hand."""
    carried = [weapon.name for weapon in fighter.profile.weapons]
    if not member.state:
        return fighter
    if "weapon" in member.state:
        named = member.state["weapon"]
        listed = next((weapon for weapon in carried if weapon.casefold() == str(named).casefold()), named)
        member = replace(member, state={**member.state, "weapon": listed})
    described = checked(as_described(member, fighter, carried, lists=("ammo", "jammed", "gone")))
    return described if _FATES & member.state.keys() else described.with_body(in_shock(described.body))


_FATES = {"trauma", "body.trauma", "body"}
"""Fields of a state that say themselves whether a person is dying."""


class FightScene(Skirmish[Fight]):
    """S.C.U.M.M.'s rounds: initiative is a step, and every turn is one."""

    state_type = Fight
    described = Surroundings

    def step(self, state: Fight) -> Play[Fight]:
        if not state.queue and state.turn is None and (leaving := self.resolve(state)) is not None:
            return leaving
        if state.ambush_open:
            return spring_ambush(self.rules, state)
        for fighter in state.fighters:
            if fighter.body.unconscious == OPEN_ENDED:
                return settle_sleepers(self.rules, state)
        if state.turn is not None:
            return go_on(self.rules, state, state.turn)
        return next_turn(self.rules, state) if state.queue else begin_round(self.rules, state)

    def result(self, state: Fight) -> Result | None:
        standing = state.standing()
        if len(standing) < 2 and state.frozen:  # unless a person out of the fight acts in this very moment
            standing |= _acting_still(state)
        if len(standing) < 2:
            return one_side_left(standing)
        if state.round >= state.rounds and not state.queue and state.turn is None:
            return Result(None, f"{count(state.rounds, 'round')} {'has' if state.rounds == 1 else 'have'} passed")
        return None

    supplies = ("ammunition", "Emergency Dice")

    def tally(self, state: Fight) -> Mapping[str, Mapping[str, int]]:
        result: dict[str, dict[str, int]] = {}
        for fighter in state.fighters:
            counts = result.setdefault(fighter.side, {"wounds": 0, "ammunition": 0, "Emergency Dice": 0})
            counts["wounds"] += fighter.body.flesh + fighter.body.deep
            counts["ammunition"] += sum(fighter.ammo)
            counts["Emergency Dice"] += fighter.body.emergency_dice
        return result

    def able(self, state: Fight, fighter: Fighter) -> bool:
        return fighter.body.able

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        placed, at = coming(state, newcomer, side)
        fighter = _started(enter(self.rules, placed.character, placed.name, side, at), placed)
        return refuse_strangers(replace(state, fighters=(*state.fighters, fighter)), (fighter,))

    carries = CARRIES
    limits = state_limits(
        **dict.fromkeys(("health", "initiative", "initiative_modifier", "special_attack", "special_defense", "fatigue"), (-100, 100)),
        **dict.fromkeys(("other_penalty", "stiffness"), (-100, 0)),
        unconscious=(-1, 100_000),
    )

    def took(self, state: Fight) -> int:
        """How long the rounds took, if as many as the ruling says make a minute."""
        return round(60 * state.round / self.rules.number("treatment-rounds"))

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        return aftermath(state.fighter(who))

    def checked(self, state: Fight) -> Fight:
        return refuse_strangers(replace(state, fighters=tuple(map(checked, state.fighters))), state.fighters)

    looks = (("good", "open"), ("rough", "rough"), ("slippery", "ice"), ("crumbling", "debris"))

    def shelters(self, state: Fight) -> tuple[CoverSpot, ...]:
        return state.ground.covers

    def sees(self, state: Fight, who: str, other: str) -> bool:
        """Nobody sees an enemy who lies in wait; else as the map lets them."""
        result, two = state.fighter(who), state.fighter(other)
        return not (two.hidden and result.side != two.side) and state.sees(result, two)

    def ground_words(self) -> GroundWords:
        return ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    lurking: Mapping[str, Any] = MappingProxyType({"mode": "normal", "cover": "none", "aim": 0, "aim_at": "", "ready": None})

    def guessed(self, state: Fight, side: str, fighter: Fighter, draw: Draw) -> dict[str, Any]:
        """Enemies see neither magazines, jams and Emergency Dice, nor whom a person aims at, nor who was caught unwary."""
        weapons = fighter.profile.weapons
        ammo = tuple([some_left(weapons[at].ammo, state.round, draw) for at in range(len(fighter.ammo))])
        foes = [candidate.name for candidate in state.fighters if candidate.side != fighter.side and candidate.body.able]
        dice = int(draw() * (most_emergency_dice(self.rules) + 1))
        aim_at = one_of(foes, draw)
        body = fighter.body if fighter.body.emergency_dice == dice else replace(fighter.body, emergency_dice=dice)
        return {"ammo": ammo, "jammed": (False,) * len(fighter.jammed), "aim_at": aim_at if fighter.aim else "", "body": body}

    def reordered(self, state: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
        return order_anew(self.rules, state, unseen, draw)

    def view(self, state: Fight, who: str | None) -> SceneView:
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), None)
        seen = [fighter for fighter in self.in_view(state, who) if who is None or not fighter.hidden or fighter.side == mine]
        names = {fighter.name for fighter in seen}
        turns = [Turn(name, str(state.fighter(name).initiative)) for group in state.queue for name in group if name in names]
        if state.turn is not None and state.turn.name in names:
            turns.insert(0, Turn(state.turn.name, str(state.fighter(state.turn.name).initiative), now=True))
        in_the_know = who is None or (mine is not None and mine == state.ground.ambush)
        cards = tuple(_card(fighter, who is None or fighter.side == mine, in_the_know) for fighter in seen)
        places = tuple(Place(fighter.x, fighter.y, name=fighter.name) for fighter in seen)
        light = "" if state.ground.light == "normal" else f", {state.ground.light}"
        headline = f"Round {state.round}" if state.round else "Before the first round"
        return SceneView("Fight", headline + light, cards, Timeline(tuple(turns), name="Initiative"), places, self.field_shown(state, who))


def _acting_still(state: Fight) -> set[str]:
    """The sides of people who are out of the fight but still act, at the same time as the person who took them out."""
    waiting = {name for group in state.queue[:1] for name in group}
    if state.turn is not None:
        waiting.add(state.turn.name)
    return {state.fighter(moment.name).side for moment in state.frozen if moment.body.able and moment.name in waiting}


def _card(fighter: Fighter, friend: bool, in_the_know: bool) -> Card:
    """The state of a person, as far as the viewer may know it."""
    body = fighter.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    bruises = ("b",) * body.bruise_boxes
    pieces: list[AnyPiece] = [Track(body.system_shock, (*wounds, *bruises), name="System Shock", rule="scumm-system-shock")]
    if friend and fighter.weapon.ammo:
        pieces.append(Pool(fighter.ammo[fighter.in_hand], fighter.weapon.ammo, name=fighter.weapon.name))
    else:
        pieces.append(Tag(name=fighter.weapon.name))
    if friend and body.emergency_dice:
        pieces.append(Pool(body.emergency_dice, body.emergency_dice, name="Emergency Dice"))
    if body.trauma is not None:
        pieces.append(Clock(body.trauma, "minute" if body.trauma == 1 else "minutes", name="dying", rule="scumm-trauma"))
    pieces.extend(_tags(fighter, friend, in_the_know))
    return Card(fighter.name, fighter.side, tuple(pieces), not body.able)


def _tags(fighter: Fighter, friend: bool, in_the_know: bool) -> list[AnyPiece]:
    """Lists the visible state of a person. Only people who lie in wait know who is unwary; enemies see no jam and no target of an aim."""
    body = fighter.body
    steppers: list[AnyPiece] = []
    if body.penalty:
        steppers.append(Tag(str(body.penalty), True, name="wounds", rule="scumm-injuries"))
    for what, special in (("attack", fighter.special_attack), ("defense", fighter.special_defense)):
        if special:
            steppers.append(Tag(f"{special:+d}", special < 0, name=f"special circumstances: {what}", rule="scumm-combat-modifiers"))
    if fighter.aim:
        steppers.append(Tag(f"at {fighter.aim_at}" if friend else "", name=f"aiming +{fighter.aim}", rule="scumm-aiming"))
    states = [
        ("dead", body.dead),
        ("in a coma", body.coma),
        ("unconscious", body.unconscious != 0 and not body.dead),
        (fighter.mode, fighter.mode != "normal"),
        (fighter.cover, fighter.cover != "none"),
        ("ready", fighter.ready is not None),
        ("unwary", fighter.unwary and in_the_know),
        ("hidden", fighter.hidden),
        ("pinned", fighter.pinned),
        (f"grappling {fighter.grappling}", fighter.grappling != ""),
        ("jammed", friend and bool(fighter.jammed) and fighter.jammed[fighter.in_hand]),
    ]
    steppers.extend(Tag(name=name) for name, holds in states if holds)
    return steppers
