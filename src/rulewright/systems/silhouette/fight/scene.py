"""A fight as a scene: start, steps, end, what each person sees, and what matters to a question."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import hypot
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Clock, Place, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.errors import UserError
from rulewright.field import ground as field_ground
from rulewright.field.ground import Changes, Region
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.grammar import figure
from rulewright.play import Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Result, state_limits
from rulewright.scenes.skirmish import Skirmish, as_described, coming, lined_up, one_of, one_side_left, refuse_muddle, some_left
from rulewright.systems.silhouette.action.confined_places import DEPTHS
from rulewright.systems.silhouette.action.rounds import SECONDS
from rulewright.systems.silhouette.attacks.special_effects import pain_to_come
from rulewright.systems.silhouette.combat.command import Command, Member, form_group
from rulewright.systems.silhouette.combat.entrants import checked, enter
from rulewright.systems.silhouette.combat.fighters import COVERS, LIGHTS, CoverSpot, Danger, Fight, Fighter, Ground
from rulewright.systems.silhouette.drama.luck_targets import genre_points_of
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY
from rulewright.systems.silhouette.fight.aftermath import FIGHTER, fighter_after
from rulewright.systems.silhouette.fight.ambush import spring_ambush
from rulewright.systems.silhouette.fight.ground_effects import ground_effects
from rulewright.systems.silhouette.fight.hidden_state import order_anew
from rulewright.systems.silhouette.fight.luck import swayed
from rulewright.systems.silhouette.fight.passive_events import out_of_the_air, seen_to_change
from rulewright.systems.silhouette.fight.sleepers import laid_down
from rulewright.systems.silhouette.fight.tactics import TACTICS
from rulewright.systems.silhouette.fight.turns import (
    ask_delayed,
    begin_round,
    carry_on,
    feel_the_wounds,
    go_on,
    next_turn,
    settle_health,
    settle_sleepers,
)
from rulewright.systems.silhouette.harm.body import BODY_LIMITS, OPEN_ENDED
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.genre import effects_in_play

__all__ = ["TACTICS", "FightScene", "begin"]


class Described(Ground, frozen=True, forbid_unknown_fields=True):
    """The `place` of a scenario file: terrain, and the leader of each side."""

    leaders: dict[str, str] = msgspec.field(default_factory=dict)
    genre: tuple[str, ...] = ()
    """The Genre Effects of the campaign: three to five, or none without Genre Points."""


def ground_words(rules: Ruleset) -> GroundWords:
    """Terrain words that maps of this game may use."""
    return GroundWords(tuple(DEPTHS), tuple(COVERS), tuple(LIGHTS))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """Starts the fight of a scenario; sides without places start ten metres apart."""
    place = scenario.ground(Described)
    if place.ambush and place.ambush not in scenario.sides:
        raise UserError(f"place.ambush: {place.ambush!r} is not a side; the sides are {', '.join(scenario.sides)}")
    area = scenario.map_understood(ground_words(rules))
    fighters: list[Fighter] = []
    everybody = tuple(members)
    characters = sum([member.character.role == "pc" for member in everybody])
    for member, at in lined_up(everybody, scenario.sides):
        fighter = enter(rules, member.character, member.name, member.side, at)
        fighter = _apply_state(rules, _with_genre_points(rules, fighter, place.genre, characters, member), member)
        fighters.append(replace(fighter, hidden=True) if member.side == place.ambush else fighter)
    ground = Ground(*[getattr(place, field) for field in Ground.__struct_fields__])
    groups = tuple([_form_side(rules, fighters, side, leader) for side, leader in place.leaders.items()])
    commands = groups if rules.on("command-points") else ()
    luck = bool(place.genre) or any(fighter.fortune != ORDINARY for fighter in fighters)
    fight = Fight(
        ground,
        tuple(fighters),
        rounds=scenario.rounds,
        ends=scenario.ends,
        ambush_open=bool(place.ambush),
        commands=commands,
        swayed=luck,
        map=area,
    )
    refuse_muddle(fight, [spot.name for spot in place.covers])
    return fight


def _with_genre_points(rules: Ruleset, fighter: Fighter, genre: tuple[str, ...], characters: int, member: Placed) -> Fighter:
    """Returns a fighter with starting Genre Points, if the campaign has them."""
    if not genre:
        return fighter
    points = genre_points_of(rules, Person.of(rules, member.character), characters)
    body = replace(fighter.body, genre=effects_in_play(rules, genre), genre_points=points)
    return replace(fighter, profile=replace(fighter.profile, genre_start=points), body=body)


def _form_side(rules: Ruleset, fighters: list[Fighter], side: str, leader: str) -> Command:
    """Returns a side as a combat group under its leader."""
    group = [fighter for fighter in fighters if fighter.side == side]
    chief = next((fighter for fighter in group if fighter.name == leader), None)
    if chief is None:
        raise UserError(f"place.leaders: {leader!r} is not on the side {side!r}")
    members = tuple([Member(fighter.name, fighter.profile.level("combat sense")) for fighter in group])
    sense, lead = chief.profile.trained("combat sense"), chief.profile.trained("leadership")
    return form_group(rules, leader, members, sense.complexity, lead.complexity)


def _apply_state(rules: Ruleset, fighter: Fighter, member: Placed) -> Fighter:
    """Applies the `state` of a scenario member; short names reach into the body, `weapon` names the one in hand."""
    if not member.state:
        return fighter
    carried = [weapon.name for weapon in fighter.profile.weapons]
    started = checked(rules, as_described(member, fighter, carried, lists=("ammo", "jammed", "unready", "gone")))
    return laid_down(started) if started.asleep else started


@cached(64)
def with_dangers(changes: Changes, dangers: tuple[Danger, ...]) -> Changes:
    """Returns the terrain with its dangers shown; they block nobody."""
    return replace(changes, clouds=(*changes.clouds, *[Region(circle=(d.x, d.y, d.radius), name=d.name) for d in dangers]))


def _late_fighters(state: Fight) -> Iterator[str]:
    """Returns fighters not yet stopped by a late wound whose turn is still to come or in progress."""
    if state.late:
        yield from [name for group in state.queue for name in group if name in state.late]
        if state.turn is not None and state.turn.name in state.late:
            yield state.turn.name


class FightScene(Skirmish[Fight]):
    """A Silhouette fight: initiative is a step, and so is every action of a turn."""

    state_type = Fight
    described = Described

    def step(self, state: Fight) -> Play[Fight]:
        after = yield from swayed(self.rules, state, self._step) if state.swayed else self._step(state)
        if after.fighters is not state.fighters:
            yield from seen_to_change(state, after)
            if any(fighter.height and not fighter.body.able for fighter in after.fighters):
                after = yield from out_of_the_air(self.rules, after)
        return after

    def _step(self, state: Fight) -> Play[Fight]:
        if _has_pain_to_come(state) and (ended := self._ended(state)) is not None:
            return feel_the_wounds(self.rules, state, ended.winner or "")
        if not state.queue and state.turn is None and not state.frozen and (leaving := self.resolve(state)) is not None:
            return leaving
        if state.ambush_open:
            return spring_ambush(self.rules, state)
        if state.todo:
            return carry_on(self.rules, state)
        if any(fighter.body.unconscious == OPEN_ENDED for fighter in state.fighters):
            return settle_sleepers(self.rules, state)
        if state.turn is not None:
            return go_on(self.rules, state, state.turn)
        if state.delayed:
            return ask_delayed(self.rules, state)
        if state.queue:
            return next_turn(self.rules, state)
        if any(fighter.body.shaken for fighter in state.fighters):
            return settle_health(self.rules, state)
        return begin_round(self.rules, state)

    def result(self, state: Fight) -> Result | None:
        """Returns the result after those who acted tough have felt their wounds, which does not change the winner."""
        ended = self._ended(state)
        return None if ended is not None and _has_pain_to_come(state) else ended

    def _ended(self, state: Fight) -> Result | None:
        if state.carried:
            return Result(state.carried, f"only {state.carried} could still act")
        if state.frozen:  # those of a shared moment act whatever befalls them in it
            return None
        standing = state.standing()
        if len(standing) < 2:
            standing |= {state.fighter(name).side for name in _late_fighters(state)}
        if len(standing) < 2:
            return one_side_left(standing)
        if state.round >= state.rounds and not state.queue and state.turn is None and not state.delayed:
            return Result(None, f"{state.rounds} rounds have passed")
        return None

    def able(self, state: Fight, fighter: Fighter) -> bool:
        return fighter.body.able

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        placed, at = coming(state, newcomer, side)
        genre = next((candidate.body.genre for candidate in state.fighters if candidate.body.genre), ())
        characters = sum([candidate.profile.hero and not candidate.profile.villain for candidate in state.fighters])
        fighter = enter(self.rules, placed.character, placed.name, side, at)
        fighter = _apply_state(self.rules, _with_genre_points(self.rules, fighter, genre, characters, placed), placed)
        luck = state.swayed or fighter.fortune != ORDINARY
        return replace(state, fighters=(*state.fighters, fighter), swayed=luck)

    carries = FIGHTER
    seconds_a_round = SECONDS
    limits = state_limits(**BODY_LIMITS, drift=(-1000, 1000))

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        return fighter_after(state.fighter(who))

    def checked(self, state: Fight) -> Fight:
        for name in chain(*state.queue):
            state.fighter(name)
        return replace(state, fighters=tuple([checked(self.rules, fighter) for fighter in state.fighters]))

    looks = (("shallow", "water"), ("hips", "water"), ("shoulders", "deep"), ("over the head", "deep"), ("dry", "open"))

    def ground(self, state: Fight) -> tuple[field_ground.Ground, Changes]:
        """Returns the terrain with covers, fires and live wires."""
        area, changes = super().ground(state)
        return area, with_dangers(changes, state.ground.dangers) if state.ground.dangers else changes

    def shelters(self, state: Fight) -> tuple[CoverSpot, ...]:
        return state.ground.covers

    def sees(self, state: Fight, who: str, other: str) -> bool:
        """Whether a fighter sees another: never an enemy in ambush, otherwise as the terrain allows."""
        result, two = state.fighter(who), state.fighter(other)
        return not (two.hidden and result.side != two.side) and state.sees(result, two)

    def ground_words(self) -> GroundWords:
        return ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    lurking: Mapping[str, Any] = MappingProxyType({"pace": "stationary", "cover": "", "aim": 0, "aim_at": "", "ready": None})

    def guessed(self, state: Fight, side: str, fighter: Fighter, draw: Draw) -> dict[str, Any]:
        """Hides from enemies: ammunition, jams, dice, points and spells left, and targets of aiming."""
        profile, body = fighter.profile, fighter.body
        ammo = tuple([some_left(profile.weapons[at].magazine, state.round, draw) for at in range(len(fighter.ammo))])
        foes = [candidate.name for candidate in state.fighters if candidate.side != fighter.side and candidate.body.able]
        dice, points = int(draw() * (profile.emergency_start + 1)), int(draw() * (profile.genre_start + 1))
        drained = int(draw() * (profile.magic + 1)) if profile.magic else 0
        aim_at = one_of(foes, draw)
        if (body.emergency_dice, body.genre_points) != (dice, points):
            body = replace(body, emergency_dice=dice, genre_points=points)
        jammed = (False,) * len(fighter.jammed)
        return {"ammo": ammo, "jammed": jammed, "aim_at": aim_at if fighter.aim else "", "body": body, "drained": drained}

    def reordered(self, state: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
        return order_anew(state, unseen, draw)

    def view(self, state: Fight, who: str | None) -> SceneView:
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), None)
        seen = [fighter for fighter in self.in_view(state, who) if who is None or not fighter.hidden or fighter.side == mine]
        names = {fighter.name for fighter in seen}
        turns = [Turn(name, _ordinal(at)) for at, group in enumerate(state.queue, 1) for name in group if name in names]
        if state.turn is not None and state.turn.name in names:
            turns.insert(0, Turn(state.turn.name, "now", now=True))
        in_the_know = who is None or (mine is not None and mine == state.ground.ambush)
        cards = tuple(_card(fighter, who is None or fighter.side == mine, in_the_know) for fighter in seen)
        places = tuple(Place(fighter.x, fighter.y, name=fighter.name) for fighter in seen)
        light = f", {state.ground.light}" if state.ground.light else ""
        headline = f"Round {state.round}" if state.round else "Before the first round"
        return SceneView("Fight", headline + light, cards, Timeline(tuple(turns), name="Initiative"), places, self.field_shown(state, who))


def _ordinal(at: int) -> str:
    """Returns an ordinal for a place in the round."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(at, f"{at}th")


def _has_pain_to_come(state: Fight) -> bool:
    """Whether somebody still has to feel their wounds or wake: acted tough, ignored wounds, or left for dead."""
    return any(f.body.acted_tough and f.body.awake for f in state.fighters) or (
        state.swayed and any(pain_to_come(f) for f in state.fighters)
    )


def _card(fighter: Fighter, friend: bool, in_the_know: bool) -> Card:
    """Returns the card of a fighter, as far as the viewer may know."""
    body = fighter.body
    wounds = ("d",) * (2 * body.deep) + ("f",) * body.flesh
    pieces: list[AnyPiece] = [
        Track(body.system_shock, (*wounds, *("b",) * body.bruise_boxes), name="System Shock", rule="sil-2.3.3-system-shock")
    ]
    if friend and fighter.weapon.magazine:
        pieces.append(Pool(fighter.ammo[fighter.in_hand], fighter.weapon.magazine, name=fighter.weapon.name))
    else:
        pieces.append(Tag(name=fighter.weapon.name))
    if friend and fighter.profile.magic:
        left = max(0, fighter.profile.magic - fighter.drained)
        pieces.append(Pool(left, fighter.profile.magic, name="Spell Points", rule="sil-7.5.7-magic-spells"))
    if friend and (body.emergency_dice or fighter.profile.emergency_start):
        most = max(body.emergency_dice, fighter.profile.emergency_start)
        pieces.append(Pool(body.emergency_dice, most, name="Emergency Dice"))
    if friend and body.genre_points:
        pieces.append(Pool(body.genre_points, body.genre_points, name="Genre Points"))
    if body.trauma is not None:
        pieces.append(Clock(body.trauma, "minute" if body.trauma == 1 else "minutes", name="dying", rule="sil-3.5.5-trauma"))
    pieces.extend(_tags(fighter, friend, in_the_know))
    return Card(fighter.name, fighter.side, tuple(pieces), not body.able)


def _tags(fighter: Fighter, friend: bool, in_the_know: bool) -> list[AnyPiece]:
    """Returns the visible states of a fighter. Only ambushers know who is unwary; enemies see no jam and no target of aiming."""
    body = fighter.body
    steppers: list[AnyPiece] = []
    if body.acting_penalty:
        steppers.append(Tag(str(body.acting_penalty), True, name="wounds", rule="sil-3.5.2-action-penalties"))
    if fighter.aim:
        steppers.append(Tag(f"at {fighter.aim_at}" if friend else "", name=f"aiming +{fighter.aim}", rule="sil-3.4.2-aiming"))
    states = [
        ("dead", body.dead),
        ("in a coma", body.coma),
        ("unconscious", body.unconscious != 0 and not body.dead),
        (fighter.pace, fighter.pace != "stationary"),
        (fighter.cover, bool(fighter.cover)),
        (f"{fighter.stance} stance", fighter.stance != "neutral"),
        ("shield up", fighter.shield_up),
        ("waiting", fighter.ready is not None),
        ("unwary", fighter.unwary and in_the_know),
        ("asleep", fighter.asleep),
        ("hidden", fighter.hidden),
        ("pinned", fighter.pinned > 0),
        ("entangled", body.snared is not None),
        (f"facing {fighter.faces}", bool(fighter.faces)),
        ("confused", fighter.confused),
        (f"{figure(fighter.height)} m above the ground", fighter.height > 0),
        (f"drifting at {hypot(*fighter.drift):.2g} m/s", fighter.loose and fighter.drift != (0.0, 0.0)),
        ("floating", fighter.loose and fighter.drift == (0.0, 0.0)),
        ("jammed", friend and bool(fighter.jammed) and fighter.jammed[fighter.in_hand]),
    ]
    steppers.extend(Tag(name=name) for name, holds in states if holds)
    return steppers
