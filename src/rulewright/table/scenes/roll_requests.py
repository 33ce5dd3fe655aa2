"""Roll requests of a table: from the characters that are asked and the names of tests to a request that the rules can play."""

from collections.abc import Sequence

from msgspec import Struct

from rulewright.build.sheet_parts import Sheet, Test
from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import Attempt, Boost, RollRequest, Way
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import nearest
from rulewright.table import limits
from rulewright.table.commands.messages import AskForRoll, TestWanted
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
    names = _unique_names([*people, *([opponent] if opponent is not None else [])])
    attempts, faults = [], []
    for person in people:
        try:
            attempts.append(_attempt(table, wanted, person, opponent, names))
        except UserError as error:
            faults.append(str(error))
    if faults:
        raise UserError("; ".join(faults))
    title = limits.name(wanted.title, "title of the roll request", 120) if wanted.title else _title(attempts)
    request = RollRequest(title, tuple(attempts), wanted.why[:500], wanted.joined, wanted.manner, wanted.seconds).checked()
    asked = {person.id for person in [*people, *([opponent] if opponent is not None else [])]}
    return Built(request, {name: character_id for character_id, name in names.items() if character_id in asked})


def chances_of(table: Table, request: RollRequest) -> RequestChances:
    """The exact chances of a request under the table's rules."""
    return request_chances(request, table.rules, table.system.test, table.system.show)


def find_test(sheet: Sheet, wanted: str) -> Test | None:
    """A test of a sheet by its key or its name, without regard to case; None if there is none."""
    tests = sheet.tests()
    if wanted in tests:
        return tests[wanted]
    folded = wanted.strip().casefold()
    return next((test for key, test in tests.items() if folded in (key.casefold(), test.name.casefold())), None)


def _unique_names(people: Sequence[Character]) -> dict[str, str]:
    """A name for each character, by id; characters with the same name are numbered."""
    names: dict[str, str] = {}
    for person in people:
        name, number = person.name, 1
        while name in names.values():
            number += 1
            name = f"{person.name} {number}"
        names[person.id] = name
    return names


def _attempt(table: Table, wanted: AskForRoll, person: Character, opponent: Character | None, names: dict[str, str]) -> Attempt:
    sheet = _sheet(table, person)
    against = ""
    if opponent is not None:
        against = _opposing_notation(table, wanted, opponent)
    boost = table.system.boost(table.rules, person.thing(table.system)) if not person.hidden else None
    ways = [_way(table, test, option, against, boost) for option in wanted.tests if (test := find_test(sheet, option.test)) is not None]
    if not ways:
        known = [test.name for test in sheet.tests().values()]
        asked = join([repr(option.test[:60]) for option in wanted.tests], "or")
        raise UserError(f"{person.name} has no test {asked}{nearest(wanted.tests[0].test, known)}")
    return Attempt(names[person.id], tuple(ways), names[opponent.id] if opponent is not None else "", boost=boost)


def _sheet(table: Table, person: Character) -> Sheet:
    return table.system.sheet(table.rules, person.thing(table.system))


def _opposing_notation(table: Table, wanted: AskForRoll, opponent: Character) -> str:
    name = wanted.opponent_test or wanted.tests[0].test
    test = find_test(_sheet(table, opponent), name)
    if test is None:
        known = [test.name for test in _sheet(table, opponent).tests().values()]
        raise UserError(f"{opponent.name} has no test {name[:60]!r}{nearest(name, known)}")
    return table.system.compose(test.notation, _modifier_in_force(test), "")


def _modifier_in_force(test: Test) -> int:
    """The sum of the modifiers that the situation switches on; of a group only the first counts."""
    total, groups = 0, set()
    for modifier in test.modifiers:
        if modifier.on and modifier.group not in groups:
            total += modifier.value
            groups |= {modifier.group} if modifier.group else set()
    return total


def _way(table: Table, test: Test, option: TestWanted, against: str, boost: Boost | None) -> Way:
    system, rules = table.system, table.rules
    target = against or (option.against or test.against).strip()
    modifier = _modifier_in_force(test) + option.modifier
    notations = [system.compose(test.notation, modifier, target)]
    system.test(rules, notations[0])  # refuses a target that the game cannot read
    for number in range(1, (min(boost.left, boost.most) if boost is not None else 0) + 1):
        notations.append(system.compose(system.boosted(rules, test.notation, number), modifier, target))
    return Way(test.key, test.name, tuple(notations), "" if against else target)


def _title(attempts: Sequence[Attempt]) -> str:
    return join(list(dict.fromkeys(way.label for attempt in attempts for way in attempt.ways)), "or")
