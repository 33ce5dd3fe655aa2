"""Lasting results: what characters keep from one scene for the next.

They are offered when a scene has ended, stored in the log, and applied when the character enters another scene. The game's scene says what
lasts (`Scene.lasting`), and takes it as a member's state.
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
"""How many ended scenes are offered."""
Field = tuple[str, str]
"""A character's id, and a field of its state."""


# --- out of a scene -----------------------------------------------------------------------------------------------------------


class Offer(Struct, frozen=True):
    """An ended scene and the results that can be kept: its changes in words, and all lasting values after it."""

    scene: int
    name: str
    words: dict[str, tuple[str, ...]]
    after: dict[str, dict[str, Lasts]]


def offers(table: Table) -> list[Offer]:
    """The latest ended scenes whose results are neither kept nor discarded, latest first.

    A scene is not offered once one of its characters has entered another scene.
    """
    latest: list[Offer] = []
    entered: set[str] = set()
    settled = {carrying.scene for carrying in table.carryings}
    for stage in sorted(table.scenes.values(), key=lambda stage: -stage.number):
        people = _character_ids(stage)
        ended = stage.ended is not None and not stage.downtime
        if ended and stage.number not in settled and not people & entered and len(latest) < MOST_OFFERS:
            offer = offered(table, stage)
            if offer.words:
                latest.append(offer)
        entered |= people
    return latest


def offered(table: Table, stage: Stage) -> Offer:
    """The results of a scene that can be kept."""
    words, after = {}, {}
    for character, name in _single_combatants(table, stage):
        if name not in stage.changed:  # an ended scene does not change any more
            stage.changed[name] = _changed(stage, name)
        changed = stage.changed[name]
        if changed:
            words[character.id] = tuple(lasts.words for lasts in changed.values())
            after[character.id] = {**character.carried, **changed}
    return Offer(stage.number, stage.name, words, after)


def _character_ids(stage: Stage) -> set[str]:
    return set(stage.characters.values())


def _single_combatants(table: Table, stage: Stage) -> Iterator[tuple[Character, str]]:
    """The characters that are exactly one combatant of a scene, with the combatant's name."""
    for character in table.characters.values():
        names = [name for name, character_id in stage.characters.items() if character_id == character.id]
        if len(names) == 1:
            yield character, names[0]


def _changed(stage: Stage, name: str) -> dict[str, Lasts]:
    """Returns the changes of a combatant since they entered the scene; everything lasting if their first state cannot be read."""
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
        except Exception:  # this version cannot read the first state
            before = {}
    return {field: lasts for field, lasts in scene.lasting(state, name).items() if field not in before or before[field] != lasts.value}


def offer_of(table: Table, number: int) -> Offer:
    """The results of a scene that can be kept; raises an error if it is too early, too late, or done already."""
    stage = table.scene(number)
    if stage.ended is None:
        raise UserError("this scene has not ended yet")
    if stage.downtime:
        raise UserError("time that passes is kept at once; it can only be undone")
    if any(carrying.scene == number for carrying in table.carryings):
        raise UserError("the results of this scene were kept or discarded already; undo that first")
    if any(_character_ids(stage) & _character_ids(later) for later in table.scenes.values() if later.number > number):
        raise UserError("a character of this scene has entered another scene since; keep the results of that one")
    return offered(table, stage)


# --- into the next ------------------------------------------------------------------------------------------------------------


def fitting(character: Character, scene: Any) -> dict[str, Any]:
    """A character's lasting values that a kind of scene uses, as the state of a member."""
    return {field: lasts.value for field, lasts in character.carried.items() if field.partition(".")[0] in scene.carries}


def carried_into(table: Table, scenario: Scenario) -> dict[Field, Any]:
    """The lasting values that characters bring into a scenario. A state given in the scenario takes precedence."""
    if scenario.scene not in table.system.scenes:
        return {}
    scene = table.system.staging(scenario.scene).scene(table.rules)
    value_by_field: dict[Field, Any] = {}
    for member in (member for members in scenario.sides.values() for member in members):
        character = table.characters.get(member.character)
        if character is not None and member.count == 1:
            value_by_field |= {(character.id, field): value for field, value in fitting(character, scene).items()}
    return value_by_field


def with_carried(scenario: Scenario, carried: dict[Field, Any]) -> Scenario:
    """A scenario whose members start with their lasting values."""
    state_by_character: dict[str, dict[str, Any]] = {}
    for (character_id, field), value in carried.items():
        state_by_character.setdefault(character_id, {})[field] = value
    sides = {
        side: [
            replace(member, state={**state_by_character[member.character], **member.state})
            if member.count == 1 and member.character in state_by_character
            else member
            for member in members
        ]
        for side, members in scenario.sides.items()
    }
    return replace(scenario, sides=sides)


def unfit(table: Table, left: list[Field]) -> dict[str, tuple[str, ...]]:
    """Lasting results that did not fit, by character, in words."""
    words_by_character: dict[str, tuple[str, ...]] = {}
    for character_id, field in left:
        words_by_character[character_id] = (*words_by_character.get(character_id, ()), table.characters[character_id].carried[field].words)
    return words_by_character
