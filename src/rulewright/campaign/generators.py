"""Tables of the gamemaster: people, plots, encounters, rolled at a touch and kept as notes."""

from collections.abc import Mapping

from msgspec import Struct

from rulewright.campaign.downtime import Value
from rulewright.campaign.downtime_rules import Figure
from rulewright.play import Play
from rulewright.rules import Ruleset


class Draft(Struct, frozen=True):
    """What a generator makes: the title and the text of a note."""

    title: str
    text: str


class Generator:
    """A table of the gamemaster that makes notes. One object of a subclass for each; `DowntimeRules.generators` lists them."""

    name: str
    label: str
    """What the button says: Somebody at random."""
    rules: tuple[str, ...] = ()
    """The ids of its rules."""
    arguments: tuple[Figure, ...] = ()
    """What the gamemaster may choose; what is not chosen is rolled."""

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        """Rolls on the table, with every argument given or at its usual value."""
        raise NotImplementedError


RANDOM = "random"
"""The first word of an argument that is rolled unless the gamemaster chooses."""


def chosen(name: str, label: str, *words: str, rule: str = "") -> Figure:
    """An argument that is rolled unless the gamemaster chooses one of these words."""
    return Figure(name, label, (RANDOM, *words), rule=rule)
