"""Rules of the book as tests of a roll request: a function of a rule with arguments that were read from a character."""

import inspect
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from rulewright.campaign.roll_request import Called, Verdict
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Event, Play, Tell
from rulewright.rules import Ruleset, registry
from rulewright.rules.reasons import Derived, Reason


class Calculated(Event, frozen=True):
    """The value of a rule, with its sum."""

    words: str
    sum: Reason

    def headline(self) -> str:
        return self.words

    def reasons(self) -> tuple[Reason, ...]:
        return (self.sum,)


def rule_function(called: Called) -> Callable[..., Any]:
    """The function of a rule that a roll request calls."""
    for function in registry.functions.get(called.rule, ()):
        if inspect.unwrap(function).__name__ == called.function:
            return function
    raise UserError(f"the rule {called.rule} has no {called.function.replace('_', ' ')} in this version")


def arguments_of(called: Called) -> dict[str, Any]:
    """The arguments of a rule in its own types."""
    hints = _hints(inspect.unwrap(rule_function(called)))
    given = msgspec.json.decode(called.arguments)
    return {name: msgspec.convert(value, hints.get(name, Any), strict=False) for name, value in given.items()}


def called_procedure(rules: Ruleset, called: Called) -> Play[Any]:
    """Plays the rule with its arguments. The value of a formula is told with its sum."""
    function, arguments = rule_function(called), arguments_of(called)
    first = [rules] if "rules" in inspect.signature(inspect.unwrap(function)).parameters else []
    try:
        if inspect.isgeneratorfunction(inspect.unwrap(function)):
            return (yield from function(*first, **arguments))
        value = function(*first, **arguments)
    except (LookupError, ArithmeticError, ValueError, AttributeError) as error:
        raise UserError(f"{called.rule} cannot work with these values ({type(error).__name__}: {error})") from error
    if isinstance(value, Derived):
        yield from Tell(Calculated(f"{value.reason.label}: {value.value}", value.reason))
    return value


def described(outcome: Any, show: Callable[[Any], Any]) -> tuple[str, Verdict | None]:
    """The outcome of a rule in words, and its verdict if it has one."""
    if isinstance(outcome, bool):
        return ("succeeds", "success") if outcome else ("fails", "failure")
    try:
        shown = show(outcome)
    except (UserError, AttributeError, TypeError, AssertionError, LookupError):
        shown = None
    if shown is not None and shown.verdict is not None:
        return shown.label, shown.verdict
    success = getattr(outcome, "success", None)
    verdict: Verdict | None = ("success" if success else "failure") if isinstance(success, bool) else None
    return _words(outcome), verdict


def _words(outcome: Any) -> str:
    """An outcome in a few words: its fields that say something."""
    match outcome:
        case None:
            return "nothing"
        case Derived():
            return f"{outcome.value}"
        case bool():
            return "yes" if outcome else "no"
        case float():
            return figure(outcome)
        case msgspec.Struct():
            shown = [(name, getattr(outcome, name)) for name in outcome.__struct_fields__]
            said = [f"{name.replace('_', ' ')} {_words(value)}" for name, value in shown if value not in (None, "", 0, False, ())]
            return ", ".join(said[:8]) or "nothing"
        case tuple() | list() | frozenset():
            return ", ".join(_words(item) for item in outcome) or "nothing"
        case dict():
            return ", ".join(f"{key} {_words(value)}" for key, value in outcome.items()) or "nothing"
        case Reason():
            return outcome.label
        case _:
            return str(outcome)


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters. The return type is left out: it may name types that only its module can resolve."""
    plain: Any = getattr(function, "__func__", function)
    shadow = types.FunctionType(plain.__code__, plain.__globals__)
    shadow.__annotations__ = {name: hint for name, hint in plain.__annotations__.items() if name != "return"}
    return typing.get_type_hints(shadow)
