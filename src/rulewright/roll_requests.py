"""Building roll requests: from sheets and the names of tests to attempts that the rules can play."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rulewright.build.sheet_parts import Sheet, Test
from rulewright.campaign.roll_request import Attempt, Boost, WantedTest, Way
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest
from rulewright.system import System


class Person(Struct, frozen=True):
    """Somebody who is asked, or the opponent: the name in the request and the character."""

    name: str
    thing: Any
    boosts: bool = True
    """Whether they may spend boosts."""


class Opponent(Struct, frozen=True):
    """The opponent of an opposed request, and the test that opposes."""

    person: Person
    test: str


def find_test(sheet: Sheet, wanted: str) -> Test | None:
    """A test of a sheet by its key or its name, without regard to case; None if there is none."""
    tests = sheet.tests()
    if wanted in tests:
        return tests[wanted]
    folded = wanted.strip().casefold()
    return next((test for key, test in tests.items() if folded in (key.casefold(), test.name.casefold())), None)


def attempt_of(system: System, rules: Ruleset, person: Person, wanted: Sequence[WantedTest], opponent: Opponent | None = None) -> Attempt:
    """Returns the tests that one person is asked for; an error if none of them is on their sheet."""
    sheet = system.sheet(rules, person.thing)
    against = "" if opponent is None else _opposing_notation(system, rules, opponent)
    boost = system.boost(rules, person.thing) if person.boosts else None
    ways = [_way(system, rules, test, option, against, boost) for option in wanted if (test := find_test(sheet, option.test)) is not None]
    if not ways:
        asked = join([repr(option.test[:60]) for option in wanted], "or")
        raise UserError(f"{person.name} has no test {asked}{_suggestion(sheet, wanted[0].test)}")
    return Attempt(person.name, tuple(ways), opponent.person.name if opponent is not None else "", boost=boost)


def title_of(attempts: Sequence[Attempt]) -> str:
    """A title for a request without one: the names of its tests."""
    return join(list(dict.fromkeys(way.label for attempt in attempts for way in attempt.ways)), "or")


def _suggestion(sheet: Sheet, wanted: str) -> str:
    return nearest(wanted, [test.name for test in sheet.tests().values()])


def _opposing_notation(system: System, rules: Ruleset, opponent: Opponent) -> str:
    sheet = system.sheet(rules, opponent.person.thing)
    test = find_test(sheet, opponent.test)
    if test is None:
        raise UserError(f"{opponent.person.name} has no test {opponent.test[:60]!r}{_suggestion(sheet, opponent.test)}")
    return system.compose(test.notation, _modifier_in_force(test), "")


def _modifier_in_force(test: Test) -> int:
    """The sum of the modifiers that the situation switches on; of a group only the first counts."""
    total, groups = 0, set()
    for modifier in test.modifiers:
        if modifier.on and modifier.group not in groups:
            total += modifier.value
            groups |= {modifier.group} if modifier.group else set()
    return total


def _way(system: System, rules: Ruleset, test: Test, option: WantedTest, against: str, boost: Boost | None) -> Way:
    target = against or (option.against or test.against).strip()
    modifier = _modifier_in_force(test) + option.modifier
    notations = [system.compose(test.notation, modifier, target)]
    system.test(rules, notations[0])  # refuses a target that the game cannot read
    for number in range(1, (min(boost.left, boost.most) if boost is not None else 0) + 1):
        notations.append(system.compose(system.boosted(rules, test.notation, number), modifier, target))
    return Way(test.key, test.name, tuple(notations), "" if against else target)
