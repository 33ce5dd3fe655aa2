"""Log entries of a battle with their sums."""

from typing import ClassVar

from rulewright.grammar import count
from rulewright.play import Event, Scale, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.events import many_dice, written
from rulewright.systems.ore.log_phrases import action_phrase, one_of

HITS = ("no set", "no shot", "countered", "armour holds", "damaged", "blasted", "crippled", "destroyed", "killed")
"""Outcomes of an attack, from nothing to worst."""
TRIES = ("no set", "countered", "comes to nothing", "comes off")
"""Outcomes of every other action."""
SCALE_OF_HITS = Scale(HITS, HITS[4:], "hits", "unhurt", harms=True)
SCALE_OF_TRIES = Scale(TRIES, TRIES[3:], "comes off", "it fails")


class Closed(Event, frozen=True):
    """The outcome of an attack; another entry has already logged it."""

    logged: ClassVar[bool] = False
    who: str
    came: str
    target: str = ""

    def headline(self) -> str:
        return f"{self.who}: {self.came}"

    def verdict(self) -> Verdict:
        return Verdict(self.came, SCALE_OF_HITS, self.who, self.target)


class DiceReady(Event, frozen=True):
    """The dice and Difficulty of a roll."""

    who: str
    what: str
    dice: Reason
    difficulty: Reason | None = None
    height: int = 0

    def headline(self) -> str:
        hard = f", Difficulty {self.difficulty.value}" if self.difficulty is not None else ""
        low = f", Height -{self.height}" if self.height else ""
        return f"{self.who} has {many_dice(int(self.dice.value))} for {action_phrase(self.what)}{hard}{low}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.dice,) if self.difficulty is None else (self.dice, self.difficulty)


class SetWaits(Event, frozen=True):
    """A set that waits to be applied."""

    who: str
    what: str
    width: int
    height: int
    speed: Speed
    lost: int = 0
    """The Height lost to injuries and to the facing of the target."""

    def headline(self) -> str:
        return f"{self.who}: {self.width}x{self.height} for {action_phrase(self.what)}, Speed {written(self.speed)}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("Height rolled", self.height + self.lost, "+"), Reason("Height lost", -self.lost, "+")) if self.lost else ()


class NoSet(Event, frozen=True):
    """An action that fails without a set."""

    who: str
    what: str
    target: str = ""
    attack: bool = False
    name: str = ""
    """The name to show, if another name decides."""

    def headline(self) -> str:
        return f"{self.name or self.who} rolls no set for {action_phrase(self.what)}"

    def verdict(self) -> Verdict:
        return Verdict("no set", SCALE_OF_HITS if self.attack else SCALE_OF_TRIES, self.who)


class PositionTaken(Event, frozen=True):
    """A new Position."""

    who: str
    craft: str
    width: int
    height: int

    def headline(self) -> str:
        if not self.width:
            return f"{self.craft} has no Position"
        return f"{self.craft} takes a Position of {self.width}x{self.height}"

    def verdict(self) -> Verdict:
        return Verdict("comes off" if self.width else "no set", SCALE_OF_TRIES, self.who)


class RangeChanged(Event, frozen=True):
    """The range between two units changes."""

    who: str
    craft: str
    other: str
    before: str
    after: str

    def headline(self) -> str:
        return f"The range between {self.craft} and {self.other} changes from {self.before} to {self.after}"


class CraftStruck(Event, frozen=True):
    """A hit on a vehicle: damage through its armour and the new damage level."""

    by: str
    target: str
    how: str
    boxes: Reason
    before: str
    after: str

    def headline(self) -> str:
        done = f"{self.by} {self.how.format(target=self.target)}"
        if not self.boxes.value:
            return f"{done}, but the armour holds"
        level = f": {self.target} is now {self.after.lower()}" if self.after != self.before else ""
        return f"{done} and crosses off {count(int(self.boxes.value), 'box')}{level}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.boxes,)

    def tone(self) -> str:
        return "bad" if self.boxes.value else "plain"


class SystemHit(Event, frozen=True):
    """A system was hit."""

    craft: str
    system: str
    height: int
    hits: int

    def headline(self) -> str:
        what = {1: "damaged", 2: "destroyed"}[self.hits]
        return f"A system of {self.craft} is hit at Height {self.height}: {self.system} {what}"

    def tone(self) -> str:
        return "bad"


class FighterHit(Event, frozen=True):
    """A hit on a fighter of a wing and the loss of Threat Rating."""

    by: str
    wing: str
    boxes: Reason
    left: int
    down: bool

    def headline(self) -> str:
        if not self.boxes.value:
            return f"{self.by} hits {one_of(self.wing)}, but the armour holds"
        end = "it is shot down" if self.down else f"Threat Rating {self.left} is left"
        return f"{self.by} hits {one_of(self.wing)}: {end}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.boxes,)


class Pressed(Event, frozen=True):
    """G-forces of a manoeuvre on somebody aboard."""

    who: str
    lost: Reason
    out: bool

    def headline(self) -> str:
        black = " and blacks out: no action next round" if self.out else ""
        return f"{self.who} has -{int(self.lost.value)}d from G-forces{black}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.lost,)

    def tone(self) -> str:
        return "bad"


class CameOff(Event, frozen=True):
    """The outcome of an action other than an attack."""

    who: str
    what: str
    came: str = "comes off"
    target: str = ""
    name: str = ""
    """The name to show, if another name decides."""

    def headline(self) -> str:
        return f"{self.name or self.who} {self.what}"

    def tone(self) -> str:
        return "plain" if self.came == "comes off" else "bad"

    def verdict(self) -> Verdict:
        return Verdict(self.came, SCALE_OF_TRIES, self.who)
