"""Links between rules: which rules use which, found in the code of their functions."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, ModuleType
from typing import Any

from rulewright.rules import RuleInfo


def users(rules: Iterable[RuleInfo]) -> dict[str, list[str]]:
    """For each rule, the ids of the rules whose functions call it or look up its table."""
    listed = list(rules)
    owner_by_function = {_key(function): info.id for info in listed for function in info.functions}
    known = {info.id for info in listed}
    result: dict[str, list[str]] = {}
    for info in listed:
        used = dict.fromkeys(rule for function in info.functions for rule in _used(function, owner_by_function, known))
        for rule in used:
            if rule != info.id:
                result.setdefault(rule, []).append(info.id)
    return result


def _used(function: Callable[..., Any], owner_by_function: Mapping[tuple[str, str], str], known: set[str]) -> Iterable[str]:
    """The rules that a function names: functions of rules among its globals, and ids of tables among its constants."""
    plain = inspect.unwrap(function)
    for code in _codes(plain.__code__):
        for name in code.co_names:
            target = plain.__globals__.get(name)
            if callable(target) and not isinstance(target, ModuleType) and _key(target) in owner_by_function:
                yield owner_by_function[_key(target)]
        yield from (constant for constant in code.co_consts if isinstance(constant, str) and constant in known)


def _codes(code: CodeType) -> Iterable[CodeType]:
    """A function's code and that of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _key(function: Any) -> tuple[str, str]:
    return getattr(function, "__module__", "") or "", getattr(function, "__qualname__", "")
