"""The party of an adventure at a table, and the requests and fights that they are in."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright import files
from rulewright.adventure.format import Fight, Request
from rulewright.adventure.story import span
from rulewright.errors import UserError
from rulewright.playthrough.loader import PARTY
from rulewright.roll_requests import find_test
from rulewright.scenes.scenarios import numbered
from rulewright.table.commands.messages import AskForRoll, BeginScene
from rulewright.table.scenes.roll_requests import build_request
from rulewright.table.scenes.roll_requests import chances_of as all_chances
from rulewright.table.state import Character, Table
from rulewright.table.story.state import TableStory


class PersonChance(Struct, frozen=True):
    """One of the party who can try a request, with the exact chance of the best test; None if it is not shown."""

    character: str
    name: str
    chance: float | None


def party_of(table: Table, story: TableStory) -> list[Character]:
    """The characters that members play; the ready-made ones if nobody has claimed any."""
    kinds = {table.characters[key].of for key in story.change.ready if key in table.characters}
    known = [character for character in table.characters.values() if not character.hidden and (not kinds or character.of in kinds)]
    claimed = [character for character in known if character.owner]
    return claimed or [table.characters[key] for key in story.change.ready if key in table.characters]


def wanted_roll(table: Table, story: TableStory, request: Request, who: str = "") -> AskForRoll:
    """A request as an action: of one of the party, or of all who have one of its tests."""
    party = [character for character in party_of(table, story) if _can_try(table, character, request)]
    if not party:
        raise UserError("nobody in the party has a test for this request; claim a character first")
    if request.of == "one" and who and who not in [character.id for character in party]:
        raise UserError("this character cannot try it; choose one of the party who has a test for it")
    asked = party
    if request.of == "one":
        asked = [character for character in party if character.id == who] or party[:1]
    return AskForRoll(
        tuple(character.id for character in asked),
        tuple(request.tests),
        title=request.request,
        why=request.text[:500],
        joined=request.joined if len(asked) > 1 else "any",
        manner=request.manner,
        seconds=span(request.takes, story.adventure.pace),
    )


def chances_of(table: Table, story: TableStory, request: Request, leads: bool) -> tuple[PersonChance, ...]:
    """Who can try a request, each with the exact chance. A chance that would give a hidden target away is for the gamemaster alone."""
    party = [character for character in party_of(table, story) if _can_try(table, character, request)]
    if not leads and request.manner != "open":
        return tuple(PersonChance(character.id, character.name, None) for character in party)
    shown = []
    for character in party:
        action = replace(wanted_roll(table, story, replace(request, of="one"), character.id), manner="open")
        built = build_request(table, action).request
        chances = all_chances(table, built)
        shown.append(PersonChance(character.id, character.name, chances.people[0].best))
    return tuple(shown)


def _can_try(table: Table, character: Character, request: Request) -> bool:
    sheet = table.system.sheet(table.rules, character.thing(table.system))
    return any(find_test(sheet, wanted.test) is not None for wanted in request.tests)


def fight_scene(table: Table, story: TableStory, fight: Fight) -> BeginScene:
    """A fight as an action: the scenario with the party in its places and the adventure's people as characters of the table."""
    data: dict[str, Any] = dict(story.change.scenarios[fight.scenario])
    party = party_of(table, story)
    names = numbered([character.name for character in party])
    sides: dict[str, list[dict[str, Any]]] = {}
    for side, members in data["sides"].items():
        places = [member for member in members if side == PARTY and member["character"] == PARTY]
        sides[side] = [{**member, "character": _reference(story, member["character"])} for member in members if member not in places]
        if side == PARTY:
            slots = [places[min(number, len(places) - 1)] for number in range(len(party))]
            sides[side] += [
                {**slot, "character": character.id, "name": name} for slot, character, name in zip(slots, party, names, strict=True)
            ]
    kept = {name: value for name, value in {**data, "sides": sides}.items() if value not in (None, "", {}) and name != "house"}
    return BeginScene(yaml=files.render(kept), npcs="plays good" if story.solo else "tactics")


def _reference(story: TableStory, reference: str) -> str:
    """The id of somebody of the adventure; a ready-made character of the game keeps its name."""
    named = [name for name, file in story.adventure.people.items() if reference in (name, file)]
    return story.change.people.get(named[0], reference) if named else reference
