"""Requests and fights of an adventure with the people who are in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright import library
from rulewright.adventure.format import Request
from rulewright.adventure.story import span
from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import RollRequest
from rulewright.campaign.roll_scene import RollScene
from rulewright.errors import UserError
from rulewright.playthrough.loader import PARTY, Opened
from rulewright.roll_requests import Person, attempt_of
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import CONDITION, Member, Scenario


class Companion(Struct, frozen=True):
    """One of the party: the name in scenes, and the character with the results of earlier scenes."""

    name: str
    thing: Any


def party_of(characters: Sequence[Any]) -> tuple[Companion, ...]:
    """A party of characters."""
    return tuple(Companion(str(thing.name), thing) for thing in characters)


def roll_request(opened: Opened, request: Request, party: Sequence[Companion]) -> RollRequest:
    """A request for those of the party who have one of its tests; an error if nobody has."""
    attempts, faults = [], []
    for companion in party:
        try:
            attempts.append(attempt_of(opened.system, opened.rules, Person(companion.name, companion.thing), request.tests))
        except UserError as error:
            faults.append(str(error))
    if not attempts:
        raise UserError("; ".join(faults))
    joined = request.joined if len(attempts) > 1 else "any"
    seconds = span(request.takes, opened.adventure.pace)
    return RollRequest(request.request, tuple(attempts), request.text, joined, request.manner, seconds).checked()


def chances_of(opened: Opened, request: Request, party: Sequence[Companion]) -> RequestChances:
    """The exact chances of a request for everybody in a party."""
    system = opened.system
    scene = RollScene(opened.rules, system.test, system.show, system.requests)
    return request_chances(scene, roll_request(opened, request, party))


def best_chance(request: Request, chances: RequestChances) -> float | None:
    """The chance of a request if the best tries it, or of the joint result if everybody rolls."""
    if request.of == "everybody" and chances.joint is not None:
        return chances.joint
    known = [person.best for person in chances.people if person.best is not None]
    return max(known) if known else None


def fight_scenario(opened: Opened, file: str, party: Sequence[Companion]) -> tuple[library.Kept, Mapping[str, Any]]:
    """A scenario with the party in its places, and all of its characters by reference. Allies and vehicles of the party stay."""
    kept = opened.scenarios[file]
    scenario: Scenario = kept.thing
    people_by_reference: dict[str, Any] = {f"{PARTY} {number}": companion.thing for number, companion in enumerate(party, 1)}
    sides: dict[str, list[Member]] = {}
    for side, members in scenario.sides.items():
        others = [member for member in members if side != PARTY or member.character != PARTY]
        for member in others:
            people_by_reference[member.character] = _character_of(opened, member.character)
        sides[side] = others
        if side == PARTY:
            places = [member for member in members if member.character == PARTY]
            slots = [places[min(number, len(places) - 1)] for number in range(len(party))]
            numbered = enumerate(zip(slots, party, strict=True), 1)
            sides[side] += [replace(slot, character=f"{PARTY} {number}", name=companion.name) for number, (slot, companion) in numbered]
    return replace(kept, thing=replace(scenario, sides=sides)), people_by_reference


def _character_of(opened: Opened, reference: str) -> Any:
    if reference in opened.people:
        return opened.people[reference]
    named = next((name for name, file in opened.adventure.people.items() if file == reference), None)
    return opened.people[named] if named is not None else library.fetch(opened.system, reference)


def stage_fight(opened: Opened, file: str, party: Sequence[Companion]) -> library.Staged:
    """A fight of the adventure, ready to be played."""
    kept, people_by_reference = fight_scenario(opened, file, party)

    def find_member(reference: str) -> Any:
        if reference not in people_by_reference:
            raise UserError(f"there is nobody called {reference[:60]!r} in `people`")
        return people_by_reference[reference]

    return library.staged(kept, None, find_member=find_member, rules=opened.rules)


def outcome_of(encounter: Encounter[Any], known: Sequence[str]) -> str:
    """How a fight ended for the party, as one of the outcomes that the adventure knows."""
    result = encounter.result
    if result is not None and result.winner == PARTY:
        return "won"
    out = encounter.scene.out(encounter.state)
    standing = [name for name in encounter.scene.sides(encounter.state).get(PARTY, ()) if name not in out]
    withdrew = any("withdraw" in getattr(entry, "why", "") for entry in encounter.entries)
    if result is not None and result.winner is None and standing and "drawn" in known:
        return "drawn"
    return "fled" if withdrew and not standing and "fled" in known else "lost"


def after_fight(encounter: Encounter[Any], party: Sequence[Companion]) -> tuple[Companion, ...]:
    """The party with the lasting results of a fight."""
    names = {name for side in encounter.scene.sides(encounter.state).values() for name in side}
    return tuple(_after(encounter, companion) if companion.name in names else companion for companion in party)


def _after(encounter: Encounter[Any], companion: Companion) -> Companion:
    lasting = encounter.scene.lasting(encounter.state, companion.name)
    condition = {**getattr(companion.thing, CONDITION, {}), **{field: lasts.value for field, lasts in lasting.items()}}
    return replace(companion, thing=replace(companion.thing, **{CONDITION: condition})) if lasting else companion
