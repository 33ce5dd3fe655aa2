"""The registry: which function implements which rule, and which stands in its place where a setting says so.

`@rule("id")` on a function registers it under its catalogue id. A function whose first parameter is `rules` is a *step*: calling
it goes through the ruleset given, so that a setting can put another function in its place (`@instead_of`).
"""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from rulewright.rules.settings import SettingValue

P = ParamSpec("P")
R = TypeVar("R")

DISABLED = frozenset(filter(None, os.environ.get("RULEWRIGHT_DISABLE", "").split(",")))
"""Rule ids switched off for the mutation check: their code raises, their tables are empty."""

functions: dict[str, list[Callable[..., Any]]] = {}
"""The functions of every rule, by its id."""
alternatives: dict[str, list[tuple[str, SettingValue, Callable[..., Any]]]] = {}
"""What stands in a step's place, by the step's key: the setting, its value, the function."""


class RuleIsOff(Exception):
    """Raised by a rule that the mutation check has switched off."""


def rule(*ids: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function as the implementation of one rule or more."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        step = function
        if DISABLED.intersection(ids):
            step = _switched_off(function, ids)
            _put_in_place_of(function, step)
        elif function.__code__.co_argcount and function.__code__.co_varnames[0] == "rules":
            step = _replaceable(function)
        for rule_id in ids:
            functions.setdefault(rule_id, []).append(step)
        return step

    return register


def _switched_off(function: Callable[P, R], ids: tuple[str, ...]) -> Callable[P, R]:
    @wraps(function)
    def off(*args: P.args, **kwargs: P.kwargs) -> R:
        raise RuleIsOff(", ".join(ids))

    off.__dict__["is_off"] = True
    return off


def _put_in_place_of(function: Callable[..., Any], other: Callable[..., Any]) -> None:
    """Let an alternative that was registered before it became a rule follow the rule."""
    for standing_in in alternatives.values():
        standing_in[:] = [(setting, value, other if result is function else result) for setting, value, result in standing_in]


def key_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _replaceable(function: Callable[P, R]) -> Callable[P, R]:
    key = key_of(function)
    plain: Any = function

    @wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:  # called for every rule of every step: arguments go through as they came
        if not kwargs:
            return args[0].steps.get(key, plain)(*args)
        rules = args[0] if args else kwargs["rules"]
        return rules.steps.get(key, plain)(*args, **kwargs)

    return cast(Callable[P, R], step)


def instead_of(step: Callable[..., Any], setting: str, *values: SettingValue) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Put a function in a step's place wherever the setting has one of these values; none said means that it is on."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        plain: Any = function
        if getattr(function, "__wrapped__", None) is not None and not hasattr(function, "is_off"):
            plain = plain.__wrapped__
        alternatives.setdefault(key_of(step), []).extend((setting, value, plain) for value in values or (True,))
        return cast(Callable[P, R], plain)

    return register


def belongs(function: Callable[..., Any], package: str) -> bool:
    """Whether a function is a package's own."""
    return function.__module__ == package or function.__module__.startswith(package + ".")
