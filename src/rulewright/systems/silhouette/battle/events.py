"""Log entries of a battle besides attacks and damage."""

from rulewright.play import Event
from rulewright.rules.reasons import Reason


class Announced(Event, frozen=True):
    """A public announcement: a round, an initiative, a declaration."""

    who: str
    what: str
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        return f"{self.who} {self.what}" if self.who else self.what


class Moved(Announced, frozen=True):
    """A unit has moved."""
