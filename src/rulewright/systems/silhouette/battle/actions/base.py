"""What an action of a unit is."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rulewright.play import Option, Play
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class CostRow(TableRow, frozen=True):
    """What an activity costs; None where that depends on something."""

    activity: str
    actions: int | None = None


COSTS = Table("sil-5.1.1-action-costs", CostRow)


@lru_cache(maxsize=1024)
@rule("sil-5.1.1-action-costs")
def action_cost(rules: Ruleset, activity: str = "use one system") -> int:
    """What an activity costs of a unit's actions; evasion takes all of them."""
    return COSTS.get(rules, activity).actions or 0


class Deed(Struct, frozen=True, gc=False, kw_only=True):
    """Something that a unit decides to do: the action's kind, and whatever it needs to know."""

    kind: str
    target: str = ""
    arm: int = -1
    what: str = ""
    number: int = 0
    spot: tuple[float, float] | None = None
    facing: int | None = None
    more: tuple[Any, ...] = ()


class About(Struct, frozen=True, gc=False):
    """What a question in a battle is about."""

    rules: Ruleset
    battle: Battle
    unit: str


class Action:
    """A kind of thing to do. `activity` is the row of the action costs that it is paid by; empty: it costs nothing."""

    kind: str
    activity: str = ""

    def costs(self, rules: Ruleset) -> int:
        """What it takes of a unit's actions."""
        return action_cost(rules, self.activity) if self.activity else 0

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        """What is offered of it now; nothing where it cannot be done."""
        raise NotImplementedError

    def some(self, rules: Ruleset, battle: Battle, unit: Unit) -> bool:
        """Whether anything is offered of it now."""
        return next(iter(self.options(rules, battle, unit)), None) is not None

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        """It is done; the actions that it costs are paid here."""
        raise NotImplementedError

    def against(self, rules: Ruleset, battle: Battle, unit: Unit, target: Unit) -> Iterator[Option[Deed]]:
        """What is offered of it as an interrupt against a unit that is on its way, from where that is now."""
        return iter(())

    def may_interrupt(self, rules: Ruleset, unit: Unit) -> bool:
        """Whether a unit could interrupt anybody with it now, wherever they are."""
        return True
