"""Log entries of damage to machines."""

from rulewright.grammar import count, figure, plural, the
from rulewright.play import Event, Verdict
from rulewright.rules.reasons import Derived, Reason, at_most, term, total
from rulewright.systems.silhouette.breakage.damage import DAMAGE, NAMES, Severity
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.machines.design.rounding import Figure

_TABLE = "sil-5.5.1-systems-damage"
LAST_ROW = 7
"""The last row of the subtables of fire control and structure."""
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
        return f"{how.removesuffix(',')}: {(WOUNDS if self.person else NAMES)[self.severity]}"

    def tone(self) -> str:
        return "bad" if self.severity != "none" else "plain"

    def verdict(self) -> Verdict:
        name = NAMES[self.severity] if self.hit else "miss"
        return Verdict(name, DAMAGE, self.by, self.target)


class Seeks(Event, frozen=True):
    """The first miss of a weapon that turns and tries once more. It decides nothing yet."""

    attacker: str
    struck: str
    weapon: str
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        return f"{self.attacker} attacks {self.struck} with {the(self.weapon)}, which misses and turns for another try"


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


class ArmorLost(Event, frozen=True):
    """Armor that a hit cost a machine, and how much of it is left."""

    name: str
    loss: Derived[int]
    lost: int
    left: Figure
    what: str = "Armor"

    def headline(self) -> str:
        return f"{self.name} loses {self.lost} {self.what}: {figure(self.left)} left"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.loss.reason,)

    def tone(self) -> str:
        return "bad"


class SystemHit(Event, frozen=True):
    """The location of a hit by the Systems Damage table, with the die of its subtable, if it has one."""

    name: str
    location: str
    die: int = 0
    """The die of the location; 0 if a called shot chose it."""
    table: str = ""
    rolled: int = 0
    """The die of the subtable."""
    more: tuple[tuple[str, int], ...] = ()
    """What is added to it."""
    times: int = 1

    def headline(self) -> str:
        return f"{self.name} is hit twice" if self.times > 1 else f"{self.name} is hit: {self.location}"

    def reasons(self) -> tuple[Reason, ...]:
        where = f"{self.times} hits" if self.times > 1 else self.location
        sums = (total("Systems Damage", term(f"die: {where}", self.die), rule=_TABLE).reason,) if self.die else ()
        if not self.table:
            return sums
        added = [term(label, value) for label, value in self.more]
        return (*sums, total(self.table, term("die", self.rolled), *added, at_most(LAST_ROW), rule=_TABLE).reason)


class PartPicked(Event, frozen=True):
    """Who chooses the part that is hit, by a die."""

    name: str
    what: str
    who: str
    die: int
    number: int = 0
    """The die of how many parts are hit; 0 if it is one."""

    def headline(self) -> str:
        parts = f"{count(self.number, self.what)} of {self.name} {'is' if self.number == 1 else 'are'} hit" if self.number else ""
        if not self.die:
            return parts
        where = f"its own {plural(self.what)}" if self.who == self.name else f"the {plural(self.what)} of {self.name}"
        return f"{parts}; {self.who} chooses" if parts else f"{self.who} chooses which of {where} is hit"

    def reasons(self) -> tuple[Reason, ...]:
        many = (total("parts hit", term("die", self.number), rule=_TABLE).reason,) if self.number else ()
        if not self.die:
            return many
        side = "odd: the target chooses" if self.die % 2 else "even: the attacker chooses"
        return (*many, total("who chooses", term(f"die, {side}", self.die), rule=_TABLE).reason)


class Tested(Managed, frozen=True):
    """A test of a person aboard, and its result."""

    label: str = "total"
