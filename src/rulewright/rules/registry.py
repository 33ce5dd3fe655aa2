"""The registry of rules: which function implements which rule, and which replaces it under a setting.

`@rule("id")` on a function registers it under its catalogue id. A function whose first parameter is `rules` is a *step*: calls go through
the given ruleset, so that a setting can replace it (`@instead_of`).
"""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from rulewright.rules.settings import SettingValue

P = ParamSpec("P")
R = TypeVar("R")

DISABLED = frozenset(filter(None, os.environ.get("RULEWRIGHT_DISABLE", "").split(",")))
"""Rule ids disabled for the mutation check: their code raises, their tables are empty."""

functions: dict[str, list[Callable[..., Any]]] = {}
"""The functions of every rule, by its id."""
alternatives: dict[str, list[tuple[str, SettingValue, Callable[..., Any]]]] = {}
"""Replacements of a step, by the step's key: the setting, its value, the function."""


class RuleIsOff(Exception):
    """Raised by a rule that the mutation check has disabled."""


def rule(*ids: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Registers a function as the implementation of one rule or more."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        step = function
        if DISABLED.intersection(ids):
            step = _disabled(function, ids)
            _update_replacements(function, step)
        elif function.__code__.co_argcount and function.__code__.co_varnames[0] == "rules":
            step = _replaceable(function)
        for rule_id in ids:
            functions.setdefault(rule_id, []).append(step)
        return step

    return register


def _disabled(function: Callable[P, R], ids: tuple[str, ...]) -> Callable[P, R]:
    @wraps(function)
    def off(*args: P.args, **kwargs: P.kwargs) -> R:
        raise RuleIsOff(", ".join(ids))

    off.__dict__["is_off"] = True
    return off


def _update_replacements(function: Callable[..., Any], other: Callable[..., Any]) -> None:
    """Updates replacements that were registered before the function became a rule."""
    for replacements in alternatives.values():
        replacements[:] = [(setting, value, other if known is function else known) for setting, value, known in replacements]


def key_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _replaceable(function: Callable[P, R]) -> Callable[P, R]:
    key = key_of(function)
    plain: Any = function

    @wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:  # called for every rule of every step, so arguments are passed on unchanged
        if not kwargs:
            return args[0].steps.get(key, plain)(*args)
        rules = args[0] if args else kwargs["rules"]
        return rules.steps.get(key, plain)(*args, **kwargs)

    return cast(Callable[P, R], step)


def instead_of(step: Callable[..., Any], setting: str, *values: SettingValue) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Replaces a step when the setting has one of these values; without values, when it is on."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        plain: Any = function
        if getattr(function, "__wrapped__", None) is not None and not hasattr(function, "is_off"):
            plain = plain.__wrapped__
        alternatives.setdefault(key_of(step), []).extend((setting, value, plain) for value in values or (True,))
        return cast(Callable[P, R], plain)

    return register


def belongs(function: Callable[..., Any], package: str) -> bool:
    """Whether a function belongs to a package."""
    return function.__module__ == package or function.__module__.startswith(package + ".")
