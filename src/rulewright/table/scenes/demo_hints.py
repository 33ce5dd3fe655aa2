"""Hints on the way through a demo: the next one after some decisions of the guest."""

from msgspec import Struct

from rulewright import library
from rulewright.scenes.record import Answered
from rulewright.table.state import Table

AFTER = (0, 3, 8)
"""After how many decisions of the guest each hint is shown."""


class DemoHint(Struct, frozen=True):
    """A hint of a demo, its number, how many there are, and how to go on when the scene is over."""

    text: str
    number: int
    of: int
    over: bool = False
    """Whether the scene is over."""


def demo_hint(table: Table) -> DemoHint | None:
    """The current hint of a demo table; None if it is no demo or has no hints."""
    scenario = library.scenarios(table.system.id).get(table.demo) if table.demo else None
    stage = next(iter(table.scenes.values()), None)
    if scenario is None or stage is None:
        return None
    hints = scenario.demo.hints
    over = stage.ended is not None or (not stage.trouble() and stage.encounter.result is not None)
    if over:
        return DemoHint("", 0, len(hints), True)
    answers = sum(isinstance(entry, Answered) and not auto for entry, auto in zip(stage.entries, stage.auto, strict=True))
    number = sum(answers >= least for least in AFTER[: len(hints)])
    return DemoHint(hints[number - 1], number, len(hints)) if number else None
