"""What people take from one scene into the next: offered when a scene has ended, kept in the log, used when they enter again.

No rule of any game stands here: the game's scene says what outlasts it (`Scene.lasting`), and takes it as a member's state.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.scenes.scenarios import Lasts, Scenario
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Character, Table

MOST_OFFERS = 3
"""So many scenes that have ended are offered to be carried on."""
Field = tuple[str, str]
"""A character's id, and a field of its state."""


# --- out of a scene -----------------------------------------------------------------------------------------------------------


class Offer(Struct, frozen=True):
    """A scene that has ended, and what its people would carry on: what it changed, in words, and everything together."""

    scene: int
    name: str
    words: dict[str, tuple[str, ...]]
    after: dict[str, dict[str, Lasts]]


def offers(table: Table) -> list[Offer]:
    """The latest scenes that have ended and are neither carried on nor left behind, the latest first.

    Where somebody has gone into another scene since, it is too late.
    """
    result: list[Offer] = []
    entered: set[str] = set()
    settled = {carrying.scene for carrying in table.carryings}
    for stage in sorted(table.scenes.values(), key=lambda stage: -stage.number):
        people = _people_of(stage)
        if stage.ended is not None and stage.number not in settled and not people & entered and len(result) < MOST_OFFERS:
            offer = offered(table, stage)
            if offer.words:
                result.append(offer)
        entered |= people
    return result


def offered(table: Table, stage: Stage) -> Offer:
    """What the people of a scene would carry on from it."""
    words, after = {}, {}
    for character, name in _people(table, stage):
        if name not in stage.changed:  # a scene that has ended does not change any more
            stage.changed[name] = _changed(stage, name)
        changed = stage.changed[name]
        if changed:
            words[character.id] = tuple(lasts.words for lasts in changed.values())
            after[character.id] = {**character.carried, **changed}
    return Offer(stage.number, stage.name, words, after)


def _people_of(stage: Stage) -> set[str]:
    return set(stage.characters.values())


def _people(table: Table, stage: Stage) -> Iterator[tuple[Character, str]]:
    """The characters of the table who are one combatant each of a scene, with the combatant's name."""
    for character in table.characters.values():
        names = [name for name, character_id in stage.characters.items() if character_id == character.id]
        if len(names) == 1:
            yield character, names[0]


def _changed(stage: Stage, name: str) -> dict[str, Lasts]:
    """What is otherwise with somebody than when they came into the scene; everything, where how they came is not known any more."""
    if stage.trouble():
        return {}
    scene, state = stage.encounter.scene, stage.encounter.state
    if all(name not in names for names in scene.sides(state).values()):
        return {}
    before = stage.entered.get(name)
    if before is None:
        try:
            start = msgspec.convert(stage.first.state, scene.state_type, strict=True)
            before = {field: lasts.value for field, lasts in scene.lasting(start, name).items()}
        except Exception:  # a beginning of an earlier version that this one cannot read
            before = {}
    return {field: lasts for field, lasts in scene.lasting(state, name).items() if field not in before or before[field] != lasts.value}


def offer_of(table: Table, number: int) -> Offer:
    """What can be carried on from a scene; refuses where it is too early, too late, or done already."""
    stage = table.scene(number)
    if stage.ended is None:
        raise UserError("this scene has not ended yet")
    if any(carrying.scene == number for carrying in table.carryings):
        raise UserError("this scene was carried on or left behind already: take that back first")
    if any(_people_of(stage) & _people_of(later) for later in table.scenes.values() if later.number > number):
        raise UserError("somebody of this scene has been in another one since: carry that one on")
    return offered(table, stage)


# --- into the next ------------------------------------------------------------------------------------------------------------


def fitting(character: Character, scene: Any) -> dict[str, Any]:
    """Of what a character carries, what a kind of scene knows, as the state of a member."""
    return {field: lasts.value for field, lasts in character.carried.items() if field.partition(".")[0] in scene.carries}


def carried_into(table: Table, scenario: Scenario) -> dict[Field, Any]:
    """What the characters of the table bring into a scenario. What a member's own state says goes before it."""
    if scenario.scene not in table.system.scenes:
        return {}
    scene = table.system.staging(scenario.scene).scene(table.rules)
    result: dict[Field, Any] = {}
    for member in (member for members in scenario.sides.values() for member in members):
        character = table.characters.get(member.character)
        if character is not None and member.count == 1:
            result |= {(character.id, field): value for field, value in fitting(character, scene).items()}
    return result


def with_carried(scenario: Scenario, carried: dict[Field, Any]) -> Scenario:
    """A scenario whose members begin with what they carry."""
    by_character: dict[str, dict[str, Any]] = {}
    for (character_id, field), value in carried.items():
        by_character.setdefault(character_id, {})[field] = value
    sides = {
        side: [
            replace(member, state={**by_character[member.character], **member.state})
            if member.count == 1 and member.character in by_character
            else member
            for member in members
        ]
        for side, members in scenario.sides.items()
    }
    return replace(scenario, sides=sides)


def unfit(table: Table, left: list[Field]) -> dict[str, tuple[str, ...]]:
    """What did not fit, by character, in words."""
    result: dict[str, tuple[str, ...]] = {}
    for character_id, field in left:
        result[character_id] = (*result.get(character_id, ()), table.characters[character_id].carried[field].words)
    return result
