"""Log entries for powers in a fight and their results."""

from rulewright.grammar import a, count
from rulewright.play import Event, Scale, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.fight.events import BLOWS

WORKS = Scale(("no set", "spoiled", "in vain", "stopped", "nothing", "resisted", "works"), ("works",), "works", "untouched")


class PowerCame(Event, frozen=True):
    """The result of a power: its target, its set and its effect."""

    who: str
    effect: str
    on: str
    width: int
    height: int
    came: str
    what: str = ""
    harm: bool = False

    def headline(self) -> str:
        at = f" on {self.on}" if self.on and self.on != self.who else ""
        words = self.what or self.came
        return f"{self.who} uses {self.effect}{at} with {a(f'{self.width}x{self.height}')}: {words}"

    def tone(self) -> str:
        return "plain" if self.came in ("no harm", "nothing", "resisted") else "good"

    def verdict(self) -> Verdict:
        return Verdict(self.came, BLOWS if self.harm else WORKS, self.who, self.on if self.on != self.who else "")


class PowerStrikes(Event, frozen=True):
    """A power that hits its target; its damage is told after it."""

    who: str
    effect: str
    on: str
    width: int
    height: int

    def headline(self) -> str:
        at = f" on {self.on}" if self.on != self.who else ""
        return f"{self.who} uses {self.effect}{at} with {a(f'{self.width}x{self.height}')}"


class Burnt(Event, frozen=True):
    """Burn: waste dice that deal Shock to the user of a power."""

    who: str
    effect: str
    points: int
    below: int
    where: str = ""
    later: bool = False
    """Whether it waits for the return to the body."""

    def headline(self) -> str:
        if self.later:
            return f"{self.who} will take {self.points} Shock from Burn when back in the body"
        return f"{self.who} takes {self.points} Shock from Burn{f': {self.where}' if self.where else ''}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason(f"waste dice below {self.below} ({self.effect})", self.points, "+", "ore-5.02-limit-rating"),)

    def tone(self) -> str:
        return "bad"


class UseSpent(Event, frozen=True):
    """The cost of a power: Energy Points, materials, or the one use of the session."""

    who: str
    effect: str
    level: int
    energy: int = 0
    each: int = 0
    """Pounds a level."""
    once: bool = False

    def headline(self) -> str:
        if self.energy:
            return f"{self.who} spends {count(self.energy, 'Energy Point')} on {self.effect}"
        if self.once:
            return f"{self.who} uses {self.effect}, its only use this session"
        return f"{self.who} uses up materials worth {count(self.each * self.level, 'pound')} on {self.effect}"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-5.02-limit-rating"
        if self.energy:
            return (Reason("level of the effect", self.energy, "+", rule),)
        return () if self.once else (Reason("pounds per level", self.each, "+", rule), Reason("level", self.level, "×", rule))
