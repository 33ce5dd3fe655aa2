"""Building roll requests: from sheets and the names of tests to attempts that the rules can play."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.build.sheet_parts import Sheet, Test
from rulewright.campaign.requests.rules import Again
from rulewright.campaign.roll_request import Attempt, Boost, Take, WantedTest, Way
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, nearest
from rulewright.system import System, find


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


def known_sheet(system: System, rules: Ruleset, thing: Any) -> Sheet:
    """The sheet of a character; the latest are kept, because the same people are asked again and again."""
    return _sheet(system.id, rules, type(thing), msgspec.json.encode(thing))


@cached(64)
def _sheet(system_id: str, rules: Ruleset, kind: type[Any], character: bytes) -> Sheet:
    return find(system_id).sheet(rules, msgspec.json.decode(character, type=kind))


class Circumstances(Struct, frozen=True):
    """What holds for everybody in a request: who opposes, how long it takes, and whether there is time to spare."""

    opponents: tuple[Opponent, ...] = ()
    seconds: int = 0
    unhurried: bool = False
    again: Again = Again()


ALONE = Circumstances()


def attempt_of(
    system: System, rules: Ruleset, person: Person, wanted: Sequence[WantedTest], circumstances: Circumstances = ALONE
) -> Attempt:
    """Returns the tests that one person is asked for; an error if none of them is on their sheet."""
    sheet = known_sheet(system, rules, person.thing)
    against = [_opposing_notation(system, rules, opponent) for opponent in circumstances.opponents]
    boost = system.boost(rules, person.thing) if person.boosts else None
    ways = []
    for option in wanted:
        test = find_test(sheet, option.test)
        if test is not None:
            ways.append(_way(_Making(system, rules, test, option, boost), against, circumstances))
    if not ways:
        asked = join([repr(option.test[:60]) for option in wanted], "or")
        raise UserError(f"{person.name} has no test {asked}{_suggestion(sheet, wanted[0].test)}")
    first, *others = [opponent.person.name for opponent in circumstances.opponents] or [""]
    return Attempt(person.name, tuple(ways), first, boost=boost, others=tuple(others))


def joined_attempt(system: System, rules: Ruleset, group: str, people: Sequence[Person], wanted: Sequence[WantedTest]) -> Attempt:
    """Returns one test of several people, joined by the game's own rule."""
    known = {candidate.name: candidate for candidate in system.requests.groups}
    if group not in known:
        there_is = f"; there is {join(list(known), 'or')}" if known else f"; {system.name} has none"
        raise UserError(f"there is no group test {group[:40]!r}{there_is}")
    if not known[group].least <= len(people) <= known[group].most:
        raise UserError(f"{known[group].words} takes {known[group].least} to {known[group].most} people")
    tests = []
    for person in people:
        sheet = known_sheet(system, rules, person.thing)
        suitable = next((test for option in wanted if (test := find_test(sheet, option.test)) is not None), None)
        if suitable is None:
            raise UserError(f"{person.name} has no test {wanted[0].test[:60]!r}{_suggestion(sheet, wanted[0].test)}")
        tests.append(suitable)
    option = wanted[0]
    notations = [system.compose(test.notation, _modifier_in_force(test) + option.modifier, "") for test in tests]
    target = (option.against or tests[0].against).strip()
    notation = system.requests.together(rules, group, notations, target)
    system.test(rules, notation)
    names = tuple(person.name for person in people)
    label = join(list(dict.fromkeys(test.name for test in tests)), "and")
    return Attempt(names[0], (Way(tests[0].key, f"{label} ({group})", (notation,), target),), together=names)


def title_of(attempts: Sequence[Attempt]) -> str:
    """A title for a request without one: the names of its tests."""
    return join(list(dict.fromkeys(way.label for attempt in attempts for way in attempt.ways)), "or")


def _suggestion(sheet: Sheet, wanted: str) -> str:
    return nearest(wanted, [test.name for test in sheet.tests().values()])


def _opposing_notation(system: System, rules: Ruleset, opponent: Opponent) -> str:
    sheet = known_sheet(system, rules, opponent.person.thing)
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


class _Making(Struct, frozen=True):
    """What one way of a person is made of."""

    system: System
    rules: Ruleset
    test: Test
    option: WantedTest
    boost: Boost | None

    def modifier(self, again: Again) -> int:
        """Everything that is added to the roll."""
        return _modifier_in_force(self.test) + self.option.modifier + again.modifier

    def notations(self, modifier: int, target: str) -> tuple[str, ...]:
        """The notation for each number of boosts."""
        notations = [self.system.compose(self.test.notation, modifier, target)]
        self.system.test(self.rules, notations[0])  # refuses a target that the game cannot read
        for number in range(1, (min(self.boost.left, self.boost.most) if self.boost is not None else 0) + 1):
            notations.append(self.system.compose(self.system.boosted(self.rules, self.test.notation, number), modifier, target))
        return tuple(notations)


def _way(making: _Making, against: list[str], circumstances: Circumstances) -> Way:
    target = (making.option.against or making.test.against).strip()
    modifier = making.modifier(circumstances.again)
    first, *further = [making.notations(modifier, opposing) for opposing in against] or [making.notations(modifier, target)]
    takes: tuple[Take, ...] = ()
    if circumstances.unhurried and not against:
        takes = making.system.requests.takes(making.rules, making.test, modifier, target, circumstances.seconds)
    return Way(making.test.key, making.test.name, first, "" if against else target, tuple(further), takes)
