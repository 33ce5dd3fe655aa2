"""A fight as a scene: how it begins, steps, ends, what each person may see of it, and what matters to a question."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.encounter import Result, Scene
from rulewright.errors import Wrong
from rulewright.files import set_at
from rulewright.pieces import AnyPiece, Card, Clock, Place, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenarios import Placed, Scenario
from rulewright.systems.scumm.fighters import Fight, Fighter, Ground, enter
from rulewright.systems.scumm.patient import OPEN_ENDED, Patient
from rulewright.systems.scumm.tactics import TACTICS
from rulewright.systems.scumm.turns import begin_round, go_on, next_turn, settle_sleepers, spring_ambush

__all__ = ["TACTICS", "FightScene", "begin"]


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight in which a scenario begins; sides without places stand ten metres apart."""
    try:
        ground = msgspec.convert(scenario.place, Ground)
    except msgspec.ValidationError as error:
        raise Wrong(f"place: {error}") from None
    if ground.ambush and ground.ambush not in scenario.sides:
        raise Wrong(f"place.ambush: {ground.ambush!r} is no side; the sides are {', '.join(scenario.sides)}")
    fighters: list[Fighter] = []
    rows: dict[str, int] = {}
    for member in members:
        row = rows[member.side] = rows.get(member.side, -1) + 1
        at = member.at or (10.0 * list(scenario.sides).index(member.side), 2.0 * row)
        fighters.append(_started(enter(rules, member.character, member.name, member.side, at), member))
    return Fight(ground, tuple(fighters), rounds=scenario.rounds, ambush_open=bool(ground.ambush))


def _started(fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with what the scenario says is different; short names reach into the body, `weapon` names what is in hand."""
    if not member.state:
        return fighter
    data = msgspec.to_builtins(fighter)
    for field, value in member.state.items():
        if field == "weapon":
            names = [weapon.name for weapon in fighter.profile.weapons]
            if value not in names:
                raise Wrong(f"{member.name}: weapon {value!r} is not carried; there are {', '.join(names)}")
            data = set_at(data, "in_hand", names.index(value))
        else:
            data = set_at(data, f"body.{field}" if field in Patient.__struct_fields__ and field not in data else field, value)
    try:
        return msgspec.convert(data, Fighter)
    except msgspec.ValidationError as error:
        raise Wrong(f"{member.name}: state: {error}") from None


class FightScene(Scene[Fight]):
    """S.C.U.M.M.'s rounds: initiative is a step, and every turn is one."""

    state_type = Fight

    def step(self, state: Fight) -> Play[Fight]:
        if state.ambush_open:
            return spring_ambush(self.rules, state)
        if any(fighter.body.unconscious == OPEN_ENDED for fighter in state.fighters):
            return settle_sleepers(self.rules, state)
        if state.turn is not None:
            return go_on(self.rules, state)
        return next_turn(self.rules, state) if state.queue else begin_round(self.rules, state)

    def result(self, state: Fight) -> Result | None:
        standing = {fighter.profile.side for fighter in state.fighters if fighter.body.able}
        if not standing:
            return Result(None, "nobody is left standing")
        if len(standing) == 1:
            winner = next(iter(standing))
            return Result(winner, f"only {winner} can still act")
        if state.round >= state.rounds and not state.queue and state.turn is None:
            return Result(None, f"{state.rounds} rounds have passed")
        return None

    def sides(self, state: Fight) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for fighter in state.fighters:
            found[fighter.side] = (*found.get(fighter.side, ()), fighter.name)
        return found

    def out(self, state: Fight) -> frozenset[str]:
        return frozenset(fighter.name for fighter in state.fighters if not fighter.body.able)

    def round(self, state: Fight) -> int:
        return state.round

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        if any(fighter.name == newcomer.name for fighter in state.fighters):
            raise Wrong(f"there is a {newcomer.name} in this fight already: give the newcomer another name")
        return replace(state, fighters=(*state.fighters, enter(self.rules, newcomer, newcomer.name, side)))

    def lens(self, state: Fight, question: str) -> Fight:
        """Who wins does not depend on how long the loser sleeps, on initiative once the order stands, nor (for "win") on the round."""
        if question == "all":
            return state
        out = tuple([fighter.name for fighter in state.fighters if not fighter.body.able])
        fighters = []
        for fighter in state.fighters:
            if fighter.name in out and not any(name == fighter.name for name, _ in state.frozen):
                fighters.append(_levelled(fighter))
            elif fighter.initiative:
                fighters.append(replace(fighter, initiative=0))
            else:
                fighters.append(fighter)
        queue = tuple(
            [group for group in (tuple([n for n in names if n not in out or _acts_still(state, n)]) for names in state.queue) if group]
        )
        number = state.round if question == "rounds" else min(state.round, 1)
        frozen = state.frozen if any(name in group for name, _ in state.frozen for group in queue) else ()
        return replace(state, fighters=tuple(fighters), queue=queue, round=number, frozen=frozen)

    def view(self, state: Fight, who: str | None) -> SceneView:
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), None)
        seen = [fighter for fighter in state.fighters if who is None or not fighter.hidden or fighter.side == mine]
        to_come = [name for group in state.queue for name in group if any(fighter.name == name for fighter in seen)]
        turns = [Turn(name, str(state.fighter(name).initiative)) for name in to_come]
        if state.turn is not None and any(fighter.name == state.turn.name for fighter in seen):
            turns.insert(0, Turn(state.turn.name, str(state.fighter(state.turn.name).initiative), now=True))
        cards = tuple(_card(state, fighter, who is None or fighter.side == mine) for fighter in seen)
        places = tuple(Place(fighter.x, fighter.y, name=fighter.name) for fighter in seen)
        light = "" if state.ground.light == "normal" else f", {state.ground.light}"
        headline = f"Round {state.round}" if state.round else "Before the first round"
        return SceneView("Fight", headline + light, cards, Timeline(tuple(turns), name="Initiative"), places)


def _acts_still(state: Fight, name: str) -> bool:
    return any(kept == name and body.able for kept, body in state.frozen)


def _levelled(fighter: Fighter) -> Fighter:
    """Somebody out of the fight, with everything forgotten that cannot matter any more."""
    old = fighter.body
    body = Patient(
        old.name,
        old.health,
        old.flesh_threshold,
        old.deep_threshold,
        old.death_threshold,
        old.system_shock,
        unconscious=0 if old.dead else 1,
        dead=old.dead,
    )
    count = len(fighter.ammo)
    return Fighter(fighter.profile, body, ammo=(0,) * count, jammed=(False,) * count, gone=fighter.gone)


def _card(state: Fight, fighter: Fighter, friend: bool) -> Card:
    """How somebody fares, as far as the looker may know it."""
    body = fighter.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    bruises = ("b",) * (2 * body.bruised_deep + body.bruised_flesh)
    pieces: list[AnyPiece] = [Track(body.system_shock, (*wounds, *bruises), name="System Shock", rule="scumm-system-shock")]
    if friend and fighter.weapon.ammo:
        pieces.append(Pool(fighter.ammo[fighter.in_hand], fighter.weapon.ammo, name=fighter.weapon.name))
    else:
        pieces.append(Tag(name=fighter.weapon.name))
    if friend and body.emergency_dice:
        pieces.append(Pool(body.emergency_dice, body.emergency_dice, name="Emergency Dice"))
    if body.trauma is not None:
        pieces.append(Clock(body.trauma, "minutes", name="dying", rule="scumm-trauma"))
    pieces.extend(_tags(fighter))
    return Card(fighter.name, fighter.side, tuple(pieces), not body.able)


def _tags(fighter: Fighter) -> list[AnyPiece]:
    body = fighter.body
    found: list[AnyPiece] = []
    if body.penalty:
        found.append(Tag(str(body.penalty), True, name="wounds", rule="scumm-injuries"))
    states = [
        ("dead", body.dead),
        ("in a coma", body.coma),
        ("unconscious", body.unconscious != 0 and not body.dead),
        (fighter.mode, fighter.mode != "normal"),
        (fighter.cover, fighter.cover != "none"),
        (f"aiming +{fighter.aim}", fighter.aim > 0),
        ("ready", fighter.ready is not None),
        ("unwary", fighter.unwary),
        ("hidden", fighter.hidden),
        ("pinned", fighter.pinned),
        (f"grappling {fighter.grappling}", fighter.grappling != ""),
        ("jammed", fighter.jammed[fighter.in_hand] if fighter.jammed else False),
    ]
    found.extend(Tag(name=name) for name, holds in states if holds)
    return found
