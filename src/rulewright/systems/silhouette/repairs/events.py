"""Log entries of a workshop."""

from rulewright.grammar import count, join
from rulewright.play import Event, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.breakage.repairs import MENDING, Attempt

_REPAIR = "sil-5.5.4-repairs"


class Labored(Event, frozen=True):
    """Work on a damage that is not fully paid yet."""

    name: str
    machine: str
    damage: str
    paid: int
    needed: int

    def headline(self) -> str:
        return f"{self.name} works on {self.damage} of {self.machine}: {self.paid} of {count(self.needed, 'Labor Point')}"


class Repaired(Event, frozen=True):
    """A repair attempt: the test, the earlier progress, and the result."""

    name: str
    machine: str
    damage: str
    attempt: Attempt
    before: int
    needed: Reason

    def headline(self) -> str:
        if self.attempt.harmed:
            return f"{self.name} fumbles the repair of {self.damage} of {self.machine} and breaks something else"
        if self.attempt.mended:
            return f"{self.name} repairs {self.damage} of {self.machine}"
        so_far = f"{self.attempt.kept} of {self.attempt.test.threshold}"
        return f"{self.name} makes progress on {self.damage} of {self.machine}: {so_far}"

    def reasons(self) -> tuple[Reason, ...]:
        kept = (Reason("earlier progress", self.before, "=", _REPAIR),) if self.before else ()
        return (self.needed, *self.attempt.test.sum("repair", _REPAIR), *kept)

    def tone(self) -> str:
        return "good" if self.attempt.mended else "bad" if self.attempt.harmed else "plain"

    def verdict(self) -> Verdict:
        name = "mended" if self.attempt.mended else "breaks more" if self.attempt.harmed else "not yet"
        return Verdict(name, MENDING, self.name, self.machine)


class Day(Event, frozen=True):
    """A new day in the workshop, with everyone's Labor Points."""

    number: int
    points: tuple[tuple[str, Reason], ...]

    def headline(self) -> str:
        text = join([f"{name} has {count(int(str(reason.value)), 'Labor Point')}" for name, reason in self.points])
        return f"Day {self.number}: {text}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([reason for _, reason in self.points])
