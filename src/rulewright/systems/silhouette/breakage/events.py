"""What is told of harm to machines."""

from rulewright.play import Event, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.breakage.damage import DAMAGE, NAMES, Severity
from rulewright.systems.silhouette.harm.events import Managed

WOUNDS: dict[Severity, str] = {"none": "no wound", "light": "a Flesh Wound", "heavy": "a Deep Wound", "overkill": "a deadly wound"}
"""What a hit on somebody on foot is called."""


class Struck(Event, frozen=True):
    """How an attack on a machine ended: the two totals, the damage, and what it came to."""

    by: str
    """Who is asked for the attacker, for the chances beside options."""
    attacker: str
    target: str
    """Who is asked for the target."""
    struck: str
    weapon: str
    hit: bool
    severity: Severity = "none"
    sums: tuple[Reason, ...] = ()
    where: str = ""
    person: bool = False
    """Whether somebody on foot is struck, who has wounds in place of damage."""

    def headline(self) -> str:
        how = f"{self.attacker} attacks {self.struck} with the {self.weapon}{self.where}"
        if not self.hit:
            return f"{how} and misses"
        return f"{how}: {(WOUNDS if self.person else NAMES)[self.severity]}"

    def tone(self) -> str:
        return "bad" if self.severity != "none" else "plain"

    def verdict(self) -> Verdict:
        name = NAMES[self.severity] if self.hit else "miss"
        return Verdict(name, DAMAGE, self.by, self.target)


_DOES = frozenset(("is", "has", "holds", "loses", "overheats", "goes", "shuts"))
"""Verbs with which a machine is the subject."""


class Broken(Event, frozen=True):
    """Something of a machine that a hit has broken or soaked up."""

    name: str
    what: str
    sums: tuple[Reason, ...] = ()
    mood: str = "bad"

    def headline(self) -> str:
        # What the machine does itself follows its name; what happens to a part of it stands after a colon.
        between = " " if self.what.partition(" ")[0].rstrip(":") in _DOES else ": "
        return f"{self.name}{between}{self.what}"


class Tested(Managed, frozen=True):
    """A test of somebody aboard, and what came of it."""

    label: str = "total"
