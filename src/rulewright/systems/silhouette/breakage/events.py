"""Log entries of damage to machines."""

from rulewright.grammar import the
from rulewright.play import Event, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.breakage.damage import DAMAGE, NAMES, Severity
from rulewright.systems.silhouette.harm.events import Managed

WOUNDS: dict[Severity, str] = {"none": "no wound", "light": "a Flesh Wound", "heavy": "a Deep Wound", "overkill": "a deadly wound"}
"""The names of hits on a person on foot."""


class Struck(Event, frozen=True):
    """The result of an attack on a machine: both totals, the damage and its severity."""

    by: str
    """The attacker's player, for the chances beside options."""
    attacker: str
    target: str
    """The target's player."""
    struck: str
    weapon: str
    hit: bool
    severity: Severity = "none"
    sums: tuple[Reason, ...] = ()
    where: str = ""
    person: bool = False
    """Whether the target is a person on foot, who takes wounds instead of damage."""

    def headline(self) -> str:
        how = f"{self.attacker} attacks {self.struck} with {the(self.weapon)}{self.where}"
        if not self.hit:
            return f"{how} and misses"
        return f"{how}: {(WOUNDS if self.person else NAMES)[self.severity]}"

    def tone(self) -> str:
        return "bad" if self.severity != "none" else "plain"

    def verdict(self) -> Verdict:
        name = NAMES[self.severity] if self.hit else "miss"
        return Verdict(name, DAMAGE, self.by, self.target)


_DOES = frozenset(
    (
        "breaks",
        "collapses",
        "collides",
        "does",
        "drags",
        "falls",
        "goes",
        "has",
        "holds",
        "is",
        "loses",
        "overheats",
        "runs",
        "shuts",
        "slips",
        "stays",
        "takes",
    )
)
"""Verbs whose subject is the machine itself."""


class Broken(Event, frozen=True):
    """Damage to a part of a machine, or a hit that it absorbed."""

    name: str
    what: str
    sums: tuple[Reason, ...] = ()
    mood: str = "bad"

    def headline(self) -> str:
        # A verb of the machine follows its name; what happens to a part follows a colon.
        between = " " if self.what.partition(" ")[0].rstrip(":") in _DOES else ": "
        return f"{self.name}{between}{self.what}"


class Tested(Managed, frozen=True):
    """A test of a person aboard, and its result."""

    label: str = "total"
