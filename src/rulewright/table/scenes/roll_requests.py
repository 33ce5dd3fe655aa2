"""Roll requests of a table: from the characters that are asked and the names of tests to a request that the rules can play."""

from msgspec import Struct

from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import RollRequest
from rulewright.errors import UserError
from rulewright.roll_requests import Opponent, Person, attempt_of, title_of
from rulewright.scenes.scenarios import numbered
from rulewright.table import limits
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.state import Character, Table

MOST_PEOPLE = 24
MOST_TESTS = 6
LONGEST = 366 * 86_400
"""The longest time that one attempt may take, in seconds."""


class Built(Struct, frozen=True):
    """A request, and which person of it is which character of the table."""

    request: RollRequest
    characters: dict[str, str]


def build_request(table: Table, wanted: AskForRoll) -> Built:
    """Build a request from what the gamemaster wants; an error names every person who cannot be asked."""
    if not wanted.of:
        raise UserError("choose who is asked for a roll")
    if len(wanted.of) > MOST_PEOPLE or not 1 <= len(wanted.tests) <= MOST_TESTS:
        raise UserError(f"a roll request asks 1 to {MOST_PEOPLE} people for one of 1 to {MOST_TESTS} tests")
    if not 0 <= wanted.seconds <= LONGEST:
        raise UserError("an attempt takes from 0 seconds to one year")
    people = [table.character(character_id) for character_id in dict.fromkeys(wanted.of)]
    opponent = table.character(wanted.opponent) if wanted.opponent else None
    everybody = [*people, *([opponent] if opponent is not None else [])]
    names = dict(zip([person.id for person in everybody], numbered([person.name for person in everybody]), strict=True))
    against = None
    if opponent is not None:
        against = Opponent(_person(table, opponent, names), wanted.opponent_test or wanted.tests[0].test)
    attempts, faults = [], []
    for person in people:
        try:
            attempts.append(attempt_of(table.system, table.rules, _person(table, person, names), wanted.tests, against))
        except UserError as error:
            faults.append(str(error))
    if faults:
        raise UserError("; ".join(faults))
    title = limits.name(wanted.title, "title of the roll request", 120) if wanted.title else title_of(attempts)
    request = RollRequest(title, tuple(attempts), wanted.why[:500], wanted.joined, wanted.manner, wanted.seconds).checked()
    return Built(request, {name: character_id for character_id, name in names.items()})


def chances_of(table: Table, request: RollRequest) -> RequestChances:
    """The exact chances of a request under the table's rules."""
    return request_chances(request, table.rules, table.system.test, table.system.show)


def _person(table: Table, character: Character, names: dict[str, str]) -> Person:
    """A character of the table as a person of a request; hidden characters spend nothing."""
    return Person(names[character.id], character.thing(table.system), boosts=not character.hidden)
