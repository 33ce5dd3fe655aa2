"""Roll requests of a table: from the characters that are asked and the names of tests to a request that the rules can play."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.requests.rules import Again
from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import Attempt, RollRequest
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.errors import UserError
from rulewright.roll_requests import Circumstances, Opponent, Person, attempt_of, joined_attempt, title_of
from rulewright.scenes.scenarios import numbered
from rulewright.show.rule_attempts import PlayedRule, rule_way
from rulewright.table import limits
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.scenes.consequences import checked_consequences
from rulewright.table.state import Character, Table

MOST_PEOPLE = 24
MOST_TESTS = 6
MOST_OPPONENTS = 8
LONGEST = 366 * 86_400
"""The longest time that one attempt may take, in seconds."""


class Built(Struct, frozen=True):
    """A request, and which person of it is which character of the table."""

    request: RollRequest
    characters: dict[str, str]


def build_request(table: Table, wanted: AskForRoll) -> Built:
    """Build a request from what the gamemaster wants; an error names every person who cannot be asked."""
    _refuse_impossible(wanted)
    people = [table.character(character_id) for character_id in dict.fromkeys(wanted.of)]
    against = [table.character(character_id) for character_id in dict.fromkeys(_opponents(wanted))]
    everybody = [*people, *[opponent for opponent in against if opponent not in people]]
    names = dict(zip([person.id for person in everybody], numbered([person.name for person in everybody]), strict=True))
    earlier, again = _earlier(table, wanted)
    test = wanted.opponent_test or (wanted.tests[0].test if wanted.tests else "")
    opponents = tuple(Opponent(_person(table, opponent, names), test) for opponent in against)
    circumstances = Circumstances(opponents, wanted.seconds * again.times, wanted.unhurried, again)
    attempts = _attempts(table, wanted, [_person(table, person, names) for person in people], circumstances)
    title = limits.name(wanted.title, "title of the roll request", 120) if wanted.title else title_of(attempts)
    request = RollRequest(title, tuple(attempts), wanted.why[:500], wanted.joined, wanted.manner, wanted.seconds * again.times)
    request = replace(
        request,
        one_roll=bool(opponents),
        goal=wanted.goal,
        tries=wanted.tries if wanted.goal else 0,
        gathers=table.system.requests.gathers if wanted.goal else "",
        then=checked_consequences(table, wanted.then),
        wanted=wanted.tests,
        earlier=earlier,
        group=wanted.group,
    )
    return Built(request.checked(), {name: character_id for character_id, name in names.items()})


def chances_of(table: Table, request: RollRequest) -> RequestChances:
    """The exact chances of a request under the table's rules."""
    scene: Any = table.system.staging(ROLL_REQUEST).scene(table.rules)
    return request_chances(scene, request)


def repeated(table: Table, number: int) -> AskForRoll:
    """An earlier request of the table as it would be asked again."""
    stage = table.scene(number)
    if not stage.requested or not isinstance(stage.encounter.state, RollRequest):
        raise UserError("only a roll request can be asked again")
    state, characters = stage.encounter.state, stage.characters
    asked = [name for attempt in state.attempts for name in attempt.together or (attempt.name,)]
    against = tuple(dict.fromkeys(characters[name] for attempt in state.attempts for name in (attempt.against, *attempt.others) if name))
    if not state.wanted:
        raise UserError("this request cannot be asked again; make a new one")
    return AskForRoll(
        tuple(characters[name] for name in asked if name in characters),
        state.wanted,
        state.title,
        state.why,
        state.joined,
        state.manner,
        seconds=state.seconds,
        opponents=against,
        group=state.group,
        goal=state.goal,
        tries=state.tries,
        then=state.then,
        again=number,
    )


def price_of_another_try(table: Table, number: int) -> Again:
    """What another try of an earlier request costs by the rules of the game."""
    stage = table.scene(number)
    state = stage.encounter.state
    tries = state.earlier + 1 if isinstance(state, RollRequest) else 1
    return table.system.requests.again(table.rules, tries)


def _refuse_impossible(wanted: AskForRoll) -> None:
    if not wanted.of:
        raise UserError("choose who is asked for a roll")
    if len(wanted.of) > MOST_PEOPLE or not (wanted.rule or 1 <= len(wanted.tests) <= MOST_TESTS):
        raise UserError(f"a roll request asks 1 to {MOST_PEOPLE} people for one of 1 to {MOST_TESTS} tests")
    if not 0 <= wanted.seconds <= LONGEST:
        raise UserError("an attempt takes from 0 seconds to one year")
    if len(_opponents(wanted)) > MOST_OPPONENTS:
        raise UserError(f"at most {MOST_OPPONENTS} opponents can oppose a roll")
    if wanted.group and (wanted.opponent or wanted.opponents):
        raise UserError("a group test has no opponents; let them take part in it instead")


def _opponents(wanted: AskForRoll) -> tuple[str, ...]:
    return (*([wanted.opponent] if wanted.opponent else []), *wanted.opponents)


def _earlier(table: Table, wanted: AskForRoll) -> tuple[int, Again]:
    """How many times the same was tried before, and what another try costs."""
    if not wanted.again:
        return 0, Again()
    state = table.scene(wanted.again).encounter.state
    if not isinstance(state, RollRequest):
        raise UserError("only a roll request can be asked again")
    return state.earlier + 1, price_of_another_try(table, wanted.again)


def _attempts(table: Table, wanted: AskForRoll, people: list[Person], circumstances: Circumstances) -> list[Attempt]:
    """The attempts of everybody who is asked; an error names every person who cannot be asked."""
    if wanted.group:
        return [joined_attempt(table.system, table.rules, wanted.group, people, wanted.tests)]
    attempts, faults = [], []
    for person in people:
        try:
            if wanted.rule:
                played = PlayedRule(wanted.rule, wanted.function, wanted.given)
                test = wanted.tests[0].test if wanted.tests else ""
                attempts.append(Attempt(person.name, (rule_way(table.system, table.rules, person, played, test),)))
            else:
                attempts.append(attempt_of(table.system, table.rules, person, wanted.tests, circumstances))
        except UserError as error:
            faults.append(str(error))
    if faults:
        raise UserError("; ".join(faults))
    return attempts


def _person(table: Table, character: Character, names: dict[str, str]) -> Person:
    """A character of the table as a person of a request; hidden characters spend nothing."""
    return Person(names[character.id], character.thing(table.system), boosts=not character.hidden)
