"""Base classes of a unit's actions."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from rulewright.play import Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class CostRow(TableRow, frozen=True):
    """The action cost of an activity; None if it depends on something."""

    activity: str
    actions: int | None = None


COSTS = Table("sil-5.1.1-action-costs", CostRow)


@cached(1024)
@rule("sil-5.1.1-action-costs")
def action_cost(rules: Ruleset, activity: str = "use one system") -> int:
    """The actions that an activity costs; evasion takes all of them."""
    return COSTS.get(rules, activity).actions or 0


class Deed(Struct, frozen=True, gc=False, kw_only=True):
    """A unit's decision: the kind of action and its parameters."""

    kind: str
    target: str = ""
    arm: int = -1
    what: str = ""
    number: int = 0
    spot: tuple[float, float] | None = None
    facing: int | None = None
    more: tuple[Any, ...] = ()


class About(Struct, frozen=True, gc=False):
    """The situation that a question in a battle is about."""

    rules: Ruleset
    battle: Battle
    unit: str


class Action:
    """A kind of action. `activity` is its row in the table of action costs; empty if it is free."""

    kind: str
    activity: str = ""

    def costs(self, rules: Ruleset) -> int:
        """The actions that it costs."""
        return action_cost(rules, self.activity) if self.activity else 0

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        """The options that it offers now; none if it cannot be done."""
        raise NotImplementedError

    def some(self, rules: Ruleset, battle: Battle, unit: Unit) -> bool:
        """Whether it offers any option now."""
        return next(iter(self.options(rules, battle, unit)), None) is not None

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        """Carry it out and pay its actions."""
        raise NotImplementedError

    def against(self, rules: Ruleset, battle: Battle, unit: Unit, target: Unit) -> Iterator[Option[Deed]]:
        """The options that it offers as an interrupt against a moving unit, from its present position."""
        return iter(())

    def may_interrupt(self, rules: Ruleset, unit: Unit) -> bool:
        """Whether a unit could interrupt with it now, wherever the mover is."""
        return True
