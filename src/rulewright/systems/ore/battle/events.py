"""What the log of a battle tells, with the sums behind it."""

from typing import ClassVar

from rulewright.play import Event, Scale, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.events import many_dice, written

HITS = ("no set", "no shot", "countered", "armour holds", "damaged", "blasted", "crippled", "destroyed", "killed")
"""What an attack can come to, from nothing to worst."""
TRIES = ("no set", "countered", "comes to nothing", "comes off")
"""What anything else can come to."""
SCALE_OF_HITS = Scale(HITS, HITS[4:], "hits", "unhurt")
SCALE_OF_TRIES = Scale(TRIES, TRIES[3:], "comes off", "it fails")


class Closed(Event, frozen=True):
    """What an attack came to; the log has told it already."""

    logged: ClassVar[bool] = False
    who: str
    came: str
    target: str = ""

    def headline(self) -> str:
        return f"{self.who}: {self.came}"

    def verdict(self) -> Verdict:
        return Verdict(self.came, SCALE_OF_HITS, self.who, self.target)


class DiceReady(Event, frozen=True):
    """What somebody rolls, and against what Difficulty."""

    who: str
    what: str
    dice: Reason
    difficulty: Reason | None = None
    height: int = 0

    def headline(self) -> str:
        hard = f", Difficulty {self.difficulty.value}" if self.difficulty is not None else ""
        low = f", Height -{self.height}" if self.height else ""
        return f"{self.who} has {many_dice(int(self.dice.value))} for {self.what}{hard}{low}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.dice,) if self.difficulty is None else (self.dice, self.difficulty)


class SetWaits(Event, frozen=True):
    """A set that waits for its moment."""

    who: str
    what: str
    width: int
    height: int
    speed: Speed

    def headline(self) -> str:
        return f"{self.who}: {self.width}x{self.height} for {self.what}, Speed {written(self.speed)}"


class NoSet(Event, frozen=True):
    """Something that did not come off, since no set was rolled for it."""

    who: str
    what: str
    target: str = ""
    attack: bool = False
    name: str = ""
    """Who it is that rolls, where somebody else speaks for them."""

    def headline(self) -> str:
        return f"{self.name or self.who} rolls no set for {self.what}"

    def verdict(self) -> Verdict:
        return Verdict("no set", SCALE_OF_HITS if self.attack else SCALE_OF_TRIES, self.who)


class PositionTaken(Event, frozen=True):
    """A new Position."""

    who: str
    craft: str
    width: int
    height: int

    def headline(self) -> str:
        text = f"{self.width}x{self.height}" if self.width else "none"
        return f"{self.craft} takes a Position: {text}"

    def verdict(self) -> Verdict:
        return Verdict("comes off" if self.width else "no set", SCALE_OF_TRIES, self.who)


class RangeChanged(Event, frozen=True):
    """Two are nearer, or farther."""

    who: str
    craft: str
    other: str
    before: str
    after: str

    def headline(self) -> str:
        return f"{self.craft} and {self.other} are at {self.after} now, after {self.before}"


class CraftStruck(Event, frozen=True):
    """A vehicle was hit: what got through its armour, and what level that leaves it at."""

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
        level = f": {self.after}" if self.after != self.before else ""
        return f"{done}: {self.boxes.value} {'box' if self.boxes.value == 1 else 'boxes'} crossed off{level}"

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
        return f"{self.craft}: Height {self.height} strikes a system: {self.system} {what}"

    def tone(self) -> str:
        return "bad"


class FighterHit(Event, frozen=True):
    """A fighter of a wing was hit: what that takes from its Threat Rating."""

    by: str
    wing: str
    boxes: Reason
    left: int
    down: bool

    def headline(self) -> str:
        if not self.boxes.value:
            return f"{self.by} hits {self.wing}, whose armour holds"
        end = "one of them is shot down" if self.down else f"a Threat Rating of {self.left} is left of one"
        return f"{self.by} hits {self.wing}: {end}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.boxes,)


class Pressed(Event, frozen=True):
    """What a manoeuvre does to somebody aboard."""

    who: str
    lost: Reason
    out: bool

    def headline(self) -> str:
        black = ", and blacks out: no action in the next round" if self.out else ""
        return f"{self.who} is pressed into the seat: {many_dice(int(self.lost.value))} less{black}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.lost,)

    def tone(self) -> str:
        return "bad"


class CameOff(Event, frozen=True):
    """Something that is no attack, and what it came to."""

    who: str
    what: str
    came: str = "comes off"
    target: str = ""
    name: str = ""
    """Who it is, where somebody else speaks for them."""

    def headline(self) -> str:
        return f"{self.name or self.who} {self.what}"

    def tone(self) -> str:
        return "plain" if self.came == "comes off" else "bad"

    def verdict(self) -> Verdict:
        return Verdict(self.came, SCALE_OF_TRIES, self.who)
