"""Log entries about hits, wounds, unconsciousness and death."""

from typing import Literal

from rulewright.dice.highest import Total
from rulewright.grammar import count
from rulewright.highest_die.harm import Knockout, Shock
from rulewright.play import Event
from rulewright.rules.reasons import Reason, term, total
from rulewright.systems.scumm.harm.body import Location, trauma_minutes
from rulewright.systems.scumm.resolution.tests import Pool, rolled_total

Wound = Literal["flesh", "deep", "death"]


class Unharmed(Event, frozen=True):
    """A hit that left no mark in the game."""

    name: str
    damage: int
    threshold: int
    armor: int = 0

    def headline(self) -> str:
        return f"{self.name} takes {self.damage} damage: only a scratch"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared("Flesh Wound Threshold", self.damage, self.threshold, self.armor)


class Wounded(Event, frozen=True):
    """A wound."""

    name: str
    wound: Wound
    damage: int
    threshold: int
    armor: int = 0
    location: Location = "torso"
    useless: bool = False
    severed: bool = False

    def headline(self) -> str:
        kind = "Flesh" if self.wound == "flesh" else "Deep"
        where = "" if self.location == "torso" else f" to the {self.location}"
        what = ", which is crushed or severed" if self.severed else ", which is useless now" if self.useless else ""
        return f"{self.name} suffers a {kind} wound{where}{what}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared(THRESHOLD_NAMES[self.wound], self.damage, self.threshold, self.armor)

    def tone(self) -> str:
        return "bad"


class Bruised(Event, frozen=True):
    """A bruise."""

    name: str
    bruise: Literal["flesh", "deep"]
    damage: int
    threshold: int
    armor: int
    boxes: int
    system_shock: int

    def headline(self) -> str:
        how = "lightly" if self.bruise == "flesh" else "badly"
        more = ": further blows cause wounds" if self.boxes > self.system_shock else ""
        return f"{self.name} is {how} bruised ({self.boxes} of {count(self.system_shock, 'box')}){more}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared(THRESHOLD_NAMES[self.bruise], self.damage, self.threshold, self.armor)

    def tone(self) -> str:
        return "bad"


class HeldOn(Event, frozen=True):
    """The outcome of a test to stay conscious."""

    name: str
    pool: Pool
    rolled: Total
    out: bool = False
    coma: bool = False

    def headline(self) -> str:
        if self.coma:
            return f"{self.name} falls into a coma"
        return f"{self.name} {'is knocked out' if self.out else 'stays conscious'}"

    def reasons(self) -> tuple[Reason, ...]:
        test = rolled_total("Health test", self.pool, self.rolled, "scumm-knockout")
        return (test.reason, Reason("Threshold", 1, "against", "scumm-knockout"))

    def tone(self) -> str:
        return "bad" if self.coma or self.out else "plain"


class OutFor(Knockout, frozen=True):
    """How long a person will be unconscious."""

    rule = "scumm-knockout"


class Dying(Shock, frozen=True):
    """Shock sets in."""

    def reasons(self) -> tuple[Reason, ...]:
        return (trauma_minutes(self.system_shock, self.penalty).reason,)


class Died(Event, frozen=True):
    """A person is dead."""

    name: str
    of: str
    damage: int = 0
    threshold: int = 0
    armor: int = 0

    def headline(self) -> str:
        return f"{self.name} dies of {self.of}"

    def reasons(self) -> tuple[Reason, ...]:
        return _compared(THRESHOLD_NAMES["death"], self.damage, self.threshold, self.armor) if self.threshold else ()

    def tone(self) -> str:
        return "bad"


THRESHOLD_NAMES = {"flesh": "Flesh Wound Threshold", "deep": "Deep Wound Threshold", "death": "Instant Death Threshold"}


def _compared(name: str, damage: int, threshold: int, armor: int) -> tuple[Reason, ...]:
    worn = (term("armor", armor, rule="scumm-armor"),) if armor else ()
    derived = total(name, term("natural", threshold, rule="scumm-derived-attributes"), *worn, rule="scumm-injuries")
    return (Reason("damage", damage, "=", "scumm-damage"), term(name, derived, "against"))
