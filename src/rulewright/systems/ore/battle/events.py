"""What the log of a battle tells, with the sums behind it."""

from typing import ClassVar

from rulewright.play import Event, Scale, Verdict
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.fight.events import many_dice, written

HITS = ("no set", "no shot", "countered", "armour holds", "damaged", "blasted", "crippled", "destroyed", "killed")
"""What an attack can come to, from nothing to worst."""
GOOD_HITS = HITS[4:]
TRIES = ("no set", "countered", "comes to nothing", "comes off")
"""What anything else can come to."""
GOOD_TRIES = TRIES[3:]
SCALE_OF_HITS = Scale(HITS, GOOD_HITS, "hits", "unhurt")
SCALE_OF_TRIES = Scale(TRIES, GOOD_TRIES, "comes off", "it fails")


class Attempt(Event, frozen=True):
    """The event that closes something that somebody tried: `who` tried it, and what it came to."""

    who: str

    def came_to(self) -> str:
        """A name on the scale of hits or tries."""
        raise NotImplementedError

    def verdict(self) -> Verdict:
        return Verdict(self.came_to(), SCALE_OF_HITS if self.of_attack() else SCALE_OF_TRIES, self.who, self.suffered_by())

    def suffered_by(self) -> str:
        """Who had it done to them."""
        return ""

    def of_attack(self) -> bool:
        """Whether it was an attack."""
        return False


class Closed(Attempt, frozen=True):
    """What an attack came to; the log has told it already."""

    logged: ClassVar[bool] = False
    came: str
    target: str = ""

    def headline(self) -> str:
        return f"{self.who}: {self.came}"

    def came_to(self) -> str:
        return self.came

    def of_attack(self) -> bool:
        return True

    def suffered_by(self) -> str:
        return self.target


class RoundBegins(Event, frozen=True):
    """A new round, with those who declare in it, the lowest Position first."""

    number: int
    order: tuple[str, ...]
    where: str = ""

    def headline(self) -> str:
        return f"Round {self.number}{f', {self.where}' if self.where else ''}: {', '.join(self.order) or 'nobody can act'}"


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


class NoSet(Attempt, frozen=True):
    """Something that did not come off, since no set was rolled for it."""

    what: str
    target: str = ""
    attack: bool = False
    name: str = ""
    """Who it is that rolls, where somebody else speaks for them."""

    def headline(self) -> str:
        return f"{self.name or self.who} rolls no set for {self.what}"

    def came_to(self) -> str:
        return "no set"

    def of_attack(self) -> bool:
        return self.attack


class PositionTaken(Attempt, frozen=True):
    """A new Position."""

    craft: str
    width: int
    height: int

    def headline(self) -> str:
        came = f"{self.width}x{self.height}" if self.width else "none"
        return f"{self.craft} takes a Position: {came}"

    def came_to(self) -> str:
        return "comes off" if self.width else "no set"


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


class CameOff(Attempt, frozen=True):
    """Something that is no attack, and what it came to."""

    what: str
    came: str = "comes off"
    target: str = ""
    name: str = ""
    """Who it is, where somebody else speaks for them."""

    def headline(self) -> str:
        return f"{self.name or self.who} {self.what}"

    def tone(self) -> str:
        return "plain" if self.came == "comes off" else "bad"

    def came_to(self) -> str:
        return self.came
