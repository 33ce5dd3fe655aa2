"""The fight scene: start, steps, ending, visibility, and the state that matters to a question."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Ladder, Place, Pool, SceneView, Tag, Timeline, Turn
from rulewright.errors import UserError
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.hidden_state import Draw
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Result
from rulewright.scenes.skirmish import Skirmish, as_described, as_spent, coming, lined_up, one_of, one_side_left, refuse_muddle, some_left
from rulewright.systems.foresight.combat.fighters import (
    COVERS,
    FIGHTER_LIMITS,
    LIGHTS,
    UNJAMMED,
    CoverSpot,
    Fight,
    Fighter,
    Ground,
    checked,
    direction,
    enter,
)
from rulewright.systems.foresight.fight.aftermath import FIGHTER, fighter_after
from rulewright.systems.foresight.fight.bonus_actions import KINDS
from rulewright.systems.foresight.fight.ground_effects import ground_effects
from rulewright.systems.foresight.fight.hidden_state import order_anew
from rulewright.systems.foresight.fight.tactics import TACTICS
from rulewright.systems.foresight.fight.turns import begin_round, begin_turn, declare_all, go_on, settle
from rulewright.systems.foresight.fight.wait_actions import interruption
from rulewright.systems.foresight.harm.body import WOUNDS
from rulewright.systems.foresight.people.attributes import ENVIRONMENTS
from rulewright.systems.foresight.resolution.situations import AWARENESS

__all__ = ["TACTICS", "FightScene", "begin"]


def ground_words(rules: Ruleset) -> GroundWords:
    """The words that a map of this game may use for its ground."""
    return GroundWords((), tuple(COVERS), tuple(LIGHTS))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight in which a scenario begins; sides without places stand ten meters apart, everybody facing the nearest enemy."""
    ground = scenario.ground(Ground)
    if not 1 <= ground.dimness <= 5:
        raise UserError(f"place.dimness goes from 1 to 5, not {ground.dimness}")
    area = scenario.map_understood(ground_words(rules))
    fighters: list[Fighter] = []
    given: dict[str, dict[str, Any]] = {}
    for member, at in lined_up(members, scenario.sides):
        fighters.append(_started(rules, enter(rules, member.character, member.name, member.side, at=at, ground=ground), member))
        given[member.name] = member.state
    _refuse_unclear(ground, fighters)
    faced = [fighter if "facing" in given[fighter.name] else facing_nearest(fighter, fighters) for fighter in fighters]
    fight = Fight(ground, tuple(faced), rounds=scenario.rounds, ends=scenario.ends, map=area)
    refuse_muddle(fight)
    return fight


def facing_nearest(fighter: Fighter, others: Iterable[Fighter]) -> Fighter:
    """A person who looks at the nearest enemy."""
    foes = [other for other in others if other.side != fighter.side]
    if not foes:
        return fighter
    foe = min(foes, key=fighter.distance)
    return replace(fighter, facing=direction(fighter.x, fighter.y, foe.x, foe.y))


def _refuse_unclear(ground: Ground, fighters: list[Fighter]) -> None:
    """Check that names of places and focuses are unambiguous."""
    people = [fighter.name for fighter in fighters]
    names = [*people, *[spot.name for spot in ground.covers], *[area.name for area in ground.areas]]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"place: {name!r} is the name of something else too; give it another")
    covers = [spot.name for spot in ground.covers]
    for fighter in fighters:
        if fighter.cover and fighter.cover not in covers:
            raise UserError(f"{fighter.name}: there is no cover {fighter.cover!r}{nearest(fighter.cover, covers)}")
        for name in fighter.unaware_of:
            if name not in people:
                raise UserError(f"{fighter.name}: unaware_of names nobody here: {name!r}{nearest(name, people)}")


def _started(rules: Ruleset, fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with what the scenario says is different.

    `weapon` and `off_weapon` name what is in hand, `cocked` readies weapons that need it, `awareness` may be a word of the
    table; names of the body's fields reach into it.
    """
    if not member.state:
        return fighter
    weapons = fighter.profile.weapons
    ready = [at for at, weapon in enumerate(weapons) if weapon.prepare]
    described = as_described(
        member,
        fighter,
        [weapon.name for weapon in weapons],
        lists=("ammo", "jams", "gone"),
        hands={"weapon": "hand", "off_weapon": "off"},
        own={
            "cocked": lambda value: ("ready", ready if value is True else []),
            "awareness": lambda value: ("awareness", AWARENESS.of(rules, value) if isinstance(value, str) else value),
        },
    )
    if "wounds" in member.state and "worst" not in member.state:
        described = replace(described, body=replace(described.body, worst=max(described.body.worst, described.body.wounds)))
    return checked(described)


class FightScene(Skirmish[Fight]):
    """ForeSight's rounds: initiative with focus is a step, so is the beginning of a turn, each of its actions, and each interruption."""

    state_type = Fight
    described = Ground

    def step(self, state: Fight) -> Play[Fight]:
        if not state.order and not state.turn and not state.deeds and (leaving := self.resolve(state)) is not None:
            return leaving
        if state.declaring:
            return declare_all(self.rules, state)
        if state.deeds:
            return _interrupted(self.rules, state)
        if state.turn:
            return go_on(self.rules, state)
        return begin_turn(self.rules, state) if state.order else begin_round(self.rules, state)

    def took(self, state: Fight) -> int:
        return state.round * self.rules.number("round-seconds")

    def result(self, state: Fight) -> Result | None:
        standing = {fighter.profile.side for fighter in state.fighters if not fighter.out}
        if len(standing) < 2:
            return one_side_left(standing)
        if state.round >= state.rounds and not state.order and not state.turn and not state.deeds:
            return Result(None, f"{count(state.rounds, 'round')} {'has' if state.rounds == 1 else 'have'} passed")
        return None

    def able(self, state: Fight, fighter: Fighter) -> bool:
        return not fighter.out

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        placed, at = coming(state, newcomer, side)
        fighter = _started(self.rules, enter(self.rules, placed.character, placed.name, side, at=at, ground=state.ground), placed)
        return replace(state, fighters=(*state.fighters, facing_nearest(fighter, state.fighters)))

    carries = FIGHTER
    limits = FIGHTER_LIMITS

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        return fighter_after(state.fighter(who))

    def checked(self, state: Fight) -> Fight:
        for fighter in state.fighters:
            if fighter.bonuses < 0 or (fighter.bonuses and fighter.bonus not in KINDS):
                raise UserError(f"{fighter.name}: bonuses are 0 or more, of the kind that bonus names: {', '.join(KINDS)}")
        return replace(state, fighters=tuple(map(checked, state.fighters)))

    def shelters(self, state: Fight) -> tuple[CoverSpot, ...]:
        return state.ground.covers

    def facing(self, fighter: Fighter) -> int:
        return fighter.facing

    def sees(self, state: Fight, who: str, other: str) -> bool:
        """Nobody sees an enemy whom they do not know of; else as the map lets them."""
        result, two = state.fighter(who), state.fighter(other)
        return other not in result.unaware_of and state.sees(result, two)

    def ground_words(self) -> GroundWords:
        return ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        return {"environment": tuple(ENVIRONMENTS(self.rules))}

    lurking: Mapping[str, Any] = MappingProxyType(
        {"stance": "standing", "cover": "", "aim": 0, "aim_at": "", "shouldered": False, "braced": False, "waiting": False}
    )

    def guessed(self, state: Fight, side: str, fighter: Fighter, draw: Draw) -> dict[str, Any]:
        """Enemies see neither magazines, jams, power and Stamina, nor whom a person aims at."""
        profile, body = fighter.profile, fighter.body
        ammo = tuple([some_left(profile.weapons[at].ammo, state.round, draw) for at in range(len(fighter.ammo))])
        foes = [candidate.name for candidate in state.fighters if candidate.side != fighter.side and not candidate.out]
        ours = [candidate.body for candidate in state.fighters if candidate.side == side and not candidate.out]
        stamina = max(1, as_spent(body.stamina_max, [(patient.stamina, patient.stamina_max) for patient in ours], draw))
        power = 1 + int(draw() * profile.power) if profile.power else fighter.power
        aim_at = one_of(foes, draw)
        if not body.unconscious and not body.dead and body.stamina > 0 and body.stamina != stamina:
            body = replace(body, stamina=stamina)
        jams = (UNJAMMED,) * len(fighter.jams)
        return {"ammo": ammo, "jams": jams, "aim_at": aim_at if fighter.aim else "", "body": body, "power": power}

    def reordered(self, state: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
        return order_anew(self.rules, state, unseen, draw)

    def view(self, state: Fight, who: str | None) -> SceneView:
        viewer = next((fighter for fighter in state.fighters if fighter.name == who), None)
        seen = [fighter for fighter in self.in_view(state, who) if who is None or _known(state, viewer, fighter)]
        names = {fighter.name for fighter in seen}
        turns = [Turn(name, f"QR{_rating(state.fighter(name))}") for name in state.order if name in names]
        if state.turn and state.turn in names:
            turns.insert(0, Turn(state.turn, f"QR{state.fighter(state.turn).qr}", now=True))
        for deed in state.deeds:
            turns[:0] = [Turn(name, "may respond", now=True) for name in deed.granted[:1] if name in names]
        cards = tuple([_card(self.rules, fighter, who is None or (viewer is not None and viewer.side == fighter.side)) for fighter in seen])
        places = tuple([Place(fighter.x, fighter.y, facing=fighter.facing, name=fighter.name) for fighter in seen])
        light = "" if state.ground.light == "normal" else f", {state.ground.light} light"
        headline = f"Round {state.round}" if state.round else "Before the first round"
        return SceneView(
            "Fight", headline + light, cards, Timeline(tuple(turns), name="Initiative"), places, field=self.field_shown(state, who)
        )


def _interrupted(rules: Ruleset, fight: Fight) -> Play[Fight]:
    fight = yield from interruption(rules, fight)
    return (yield from settle(fight))


def _known(state: Fight, viewer: Fighter | None, fighter: Fighter) -> bool:
    """Whether a person may know that another is there; spectators know of the people everybody knows of."""
    if viewer is None:
        return state.aware_of(fighter.name) is None
    return fighter.name not in viewer.unaware_of


def _rating(fighter: Fighter) -> int:
    return fighter.rolled or fighter.qr


# --- what is seen -------------------------------------------------------------------------------------------------------------


def _card(rules: Ruleset, fighter: Fighter, friend: bool) -> Card:
    """The state of a person, as far as the viewer may know it."""
    body = fighter.body
    levels = tuple([row.name for row in sorted(WOUNDS(rules).values(), key=lambda row: row.level)])
    most = len(levels) - 1
    pieces: list[AnyPiece] = [
        Ladder(levels, min(body.wounds, most), min(body.worst, most), name="Wounds", rule="fs-wound-levels"),
    ]
    weapon = fighter.weapon
    if friend and weapon.ammo > 1:
        pieces.append(Pool(fighter.ammo[fighter.hand], weapon.ammo, name=weapon.name))
    else:
        pieces.append(Tag(name=weapon.name))
    if friend and fighter.profile.power:
        pieces.append(Pool(fighter.power, fighter.profile.power, name="Power of the frame", rule="fs-exoskeletons"))
    elif friend:
        pieces.append(Pool(max(0, body.stamina), max(1, body.stamina_max), name="Stamina", rule="fs-stamina-pool"))
    return Card(fighter.name, fighter.side, (*pieces, *_tags(fighter, friend)), fighter.out)


def _tags(fighter: Fighter, friend: bool) -> list[AnyPiece]:
    """The visible state of a person, as tags; enemies see no jam and no target of an aim."""
    body = fighter.body
    steppers: list[AnyPiece] = []
    if body.wounds:
        steppers.append(Tag(f"-{body.wounds}", hurt=True, name="wounded", rule="fs-wound-levels"))
    if fighter.aim:
        steppers.append(Tag(f"at {fighter.aim_at}" if friend else "", name=f"aiming +{fighter.aim}", rule="fs-ranged-modifiers"))
    states = [
        ("dead", body.dead),
        ("unconscious", body.unconscious and not body.dead),
        ("stunned", body.stunned and not body.unconscious),
        ("cuffed", fighter.cuffed),
        ("out of power", fighter.stuck),
        ("has given up", fighter.given_up),
        ("entangled", fighter.entangled > 0),
        (fighter.stance, fighter.stance != "standing"),
        (f"behind {fighter.cover}", fighter.cover != ""),
        (f"bandaged {body.bandaged:+}", body.bandaged != 0),
        (f"helped {fighter.helped:+}", fighter.helped != 0),
        ("unbalanced", not fighter.balanced),
        ("waiting", fighter.waiting),
        ("frozen", fighter.frozen and not fighter.out),
        ("jammed", friend and fighter.jams[fighter.hand] != UNJAMMED),
        *[(f"holds {pin.of}'s {pin.limb}", True) for pin in fighter.pins],
    ]
    steppers.extend([Tag(name=name) for name, holds in states if holds])
    return steppers
