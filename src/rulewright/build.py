"""What every builder shares: budgets, the report of an audit, changing one field, and the log of what was bought with experience."""

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from rulewright.errors import Wrong
from rulewright.pieces import Budget

T = TypeVar("T")


class Repair(Struct, frozen=True):
    """The smallest change that puts a problem right: a field and its new value, in words and ready to be carried out."""

    text: str
    field: str = ""
    value: Any = None


class Problem(Struct, frozen=True):
    """A breach of a rule: where, by how much, and how to repair it. A warning breaks nothing but should be known."""

    rule: str
    field: str
    message: str
    over: int = 0
    repair: Repair | None = None
    warning: bool = False


class Audit(Struct, frozen=True):
    """Is it legal? Every problem, and what was spent of every budget."""

    problems: tuple[Problem, ...]
    budgets: tuple[Budget, ...]

    @property
    def legal(self) -> bool:
        """Whether nothing but warnings was found."""
        return all(problem.warning for problem in self.problems)

    def public(self, file: str) -> dict[str, object]:
        """What other programs get to see."""
        return {
            "file": file,
            "legal": self.legal,
            "problems": [
                {
                    "rule": p.rule,
                    "field": p.field,
                    "message": p.message,
                    "over": p.over,
                    "fix": p.repair.text if p.repair else "",
                    "warning": p.warning,
                }
                for p in self.problems
            ],
            "budgets": [{"name": b.name, "allowed": b.allowed, "spent": b.spent} for b in self.budgets],
        }


def change(thing: T, field: str, value: Any) -> T:
    """The same thing with one field changed; the value may be typed by hand."""
    from rulewright.files import set_at

    data = msgspec.to_builtins(thing)
    try:
        return msgspec.convert(set_at(data, field, value), type(thing), strict=False)
    except msgspec.ValidationError as error:
        raise Wrong(f"{field}: {error}") from None


def repair(thing: T, problem: Problem) -> T:
    """Carry out a problem's repair."""
    if problem.repair is None or not problem.repair.field:
        raise Wrong(f"{problem.message}: there is no single change that repairs this")
    return change(thing, problem.repair.field, problem.repair.value)
