"""Rules of the book as tests of a roll request: arguments that are read from the character who is asked.

What the gamemaster does not say comes from the character: structures that a game makes of a character (a body, a climber), pools of the
test that is rolled, and numbers of the sheet by their names. The rest has the rule's own defaults.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.build.sheet_parts import Sheet, Stepper, Test, Value
from rulewright.campaign.roll_request import Called, Way
from rulewright.errors import UserError
from rulewright.roll_requests import Person, find_test
from rulewright.rules import RuleInfo, Ruleset, nearest
from rulewright.show import rule_calls
from rulewright.show.rule_calls import Parameter
from rulewright.system import System

_PEOPLE = ("by", "name", "who")
"""Parameters that name the person: `by` always, the others in procedures; formulas use them for keys of tables."""
Given = Mapping[str, int | float | str | bool]


class PlayedRule(Struct, frozen=True):
    """A rule that a roll request plays: its id, one of its functions (the first if empty), and values by name."""

    rule: str
    function: str = ""
    given: Given = {}


def find_rule(system: System, rule: str) -> RuleInfo:
    """A rule of a game that can be played; an error if there is none, or if it is only to be read."""
    known = {info.id: info for info in system.book.rules()}
    if rule not in known:
        raise UserError(f"{system.name} has no rule {rule[:60]!r}{nearest(rule, known)}")
    return known[rule]


def playable_rules(system: System) -> tuple[RuleInfo, ...]:
    """The rules of a game that a roll request can play."""
    return tuple(info for info in system.book.rules() if info.functions)


def rule_way(system: System, rules: Ruleset, person: Person, wanted: PlayedRule, test: str = "") -> Way:
    """The way to play a rule for a person; `test` names the test of the sheet whose dice it takes."""
    info = find_rule(system, wanted.rule)
    function = rule_calls.choose(info, wanted.function) if wanted.function else rule_calls.fitting(info, wanted.given)
    filled = _Filled(system, rules, person, test)
    given: dict[str, Any] = dict(wanted.given)
    for name, value in filled.arguments(function, given):
        given[name] = value
    call = rule_calls.prepare(rules, info, given, inspect.unwrap(function).__name__, lambda _: person.thing)
    arguments = msgspec.json.encode(msgspec.to_builtins(call.arguments)).decode()
    called = Called(info.id, inspect.unwrap(function).__name__, arguments)
    label = info.title if len(info.functions) == 1 else f"{info.title}: {called.function.replace('_', ' ')}"
    return Way(info.id, label, called=called)


def open_parameters(system: System, rules: Ruleset, person: Person, wanted: PlayedRule, test: str = "") -> tuple[Parameter, ...]:
    """The parameters that the gamemaster may set: plain values which do not come from the character."""
    info = find_rule(system, wanted.rule)
    function = rule_calls.choose(info, wanted.function or None)
    filled = {name for name, _ in _Filled(system, rules, person, test).arguments(function, {})}
    known = rule_calls.parameters(info, inspect.unwrap(function).__name__)
    return tuple(parameter for parameter in known if parameter.name not in filled and not parameter.fields)


class _Filled:
    """Arguments that come from a character."""

    def __init__(self, system: System, rules: Ruleset, person: Person, test: str) -> None:
        self._system, self._rules, self._person = system, rules, person
        sheet = system.sheet(rules, person.thing)
        self._test = find_test(sheet, test) if test else None
        if test and self._test is None:
            raise UserError(f"{person.name} has no test {test[:60]!r}{nearest(test, [known.name for known in sheet.tests().values()])}")
        self._numbers = _numbers(sheet, self._test)

    def arguments(self, function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """The arguments of a function that the character gives."""
        said = {key.partition(".")[0] for key in given}
        for name, annotation, _ in rule_calls.signature_of(function):
            if name in said:
                continue
            named = name in _PEOPLE[: len(_PEOPLE) if rule_calls.is_procedure(function) else 1] and rule_calls.is_text(annotation)
            value = self._person.name if named else self._value(name, annotation)
            if value is not None:
                yield name, value

    def _value(self, name: str, annotation: Any) -> Any:
        structures = rule_calls.structures_of(annotation)
        if structures:
            made = self._structure(name, annotation, structures)
            return None if made is None else msgspec.json.encode(msgspec.to_builtins(made)).decode()
        if name in self._numbers and rule_calls.is_number(annotation):
            return self._numbers[name]
        return None

    def _structure(self, name: str, annotation: Any, structures: tuple[type[Struct], ...]) -> Any:
        """The first of several structures that the game makes of the character."""
        notation = self._test.notation if self._test is not None else ""
        for structure in structures:
            made = self._system.requests.argument(self._rules, self._person.thing, structure, notation)
            if made is not None:
                return made
        try:
            return rule_calls.made_of(self._rules, name, annotation, self._person.thing)
        except UserError:
            return None


def _numbers(sheet: Sheet, test: Test | None) -> dict[str, int | float]:
    """The numbers of a sheet by name, as parameters of rules are called; `level` and `attribute` are those of the test."""
    numbers: dict[str, int | float] = {}
    for section in sheet.sections:
        for piece in section.pieces:
            value = piece.levels[-1] if isinstance(piece, Stepper) else piece.value if isinstance(piece, Value) else None
            if isinstance(value, int | float) and not isinstance(value, bool):
                numbers.setdefault(piece.name.casefold().replace(" ", "_").replace("-", "_"), value)
    if test is not None:
        own = numbers.get(test.name.casefold().replace(" ", "_").replace("-", "_"))
        if own is not None:
            numbers.setdefault("level", own)
            numbers.setdefault("skill", own)
            numbers.setdefault("rank", own)
            numbers.setdefault("score", own)
        attributes = [part.value for part in test.parts if part.label.casefold().replace(" ", "_") in numbers]
        if attributes:
            numbers.setdefault("attribute", attributes[0])
    return numbers
