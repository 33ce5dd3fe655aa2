"""What is told of a workshop."""

from rulewright.play import Event, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.breakage.repairs import MENDING, Attempt

_REPAIR = "sil-5.5.4-repairs"


class Labored(Event, frozen=True):
    """Somebody works on a damage, and it is not paid for yet."""

    name: str
    machine: str
    damage: str
    paid: int
    needed: int

    def headline(self) -> str:
        return f"{self.name} works on {self.damage} of {self.machine}: {self.paid} of {self.needed} Labor Points"


class Repaired(Event, frozen=True):
    """An attempt at a damage: the test, what was kept before, and what came of it."""

    name: str
    machine: str
    damage: str
    attempt: Attempt
    before: int
    needed: Reason

    def headline(self) -> str:
        if self.attempt.harmed:
            return f"{self.name} tries to mend {self.damage} of {self.machine}, and breaks something else"
        if self.attempt.mended:
            return f"{self.name} mends {self.damage} of {self.machine}"
        so_far = f"{self.attempt.kept} of {self.attempt.test.threshold}"
        return f"{self.name} does not get {self.damage} of {self.machine} done yet: {so_far} so far"

    def reasons(self) -> tuple[Reason, ...]:
        kept = (Reason("kept from before", self.before, "=", _REPAIR),) if self.before else ()
        return (self.needed, *self.attempt.test.sum("repair", _REPAIR), *kept)

    def tone(self) -> str:
        return "good" if self.attempt.mended else "bad" if self.attempt.harmed else "plain"

    def verdict(self) -> Verdict:
        name = "mended" if self.attempt.mended else "breaks more" if self.attempt.harmed else "not yet"
        return Verdict(name, MENDING, self.name, self.machine)


class Day(Event, frozen=True):
    """A new day in the workshop, with the Labor Points of everybody."""

    number: int
    points: tuple[tuple[str, Reason], ...]

    def headline(self) -> str:
        text = ", ".join([f"{name} has {reason.value} Labor Points" for name, reason in self.points])
        return f"Day {self.number}: {text}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([reason for _, reason in self.points])
