"""What the log of a fight tells, with the sums behind it: pools, sets and their Speed, dice that are lost, ways that are gone."""

from rulewright.play import Event, Scale
from rulewright.rules.reasons import Reason, at_least, at_most
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.resolution.tests import Mod, Pool

BLOWS = Scale(
    ("no set", "spoiled", "in vain", "stopped", "no harm", "hurt", "down", "unconscious", "dead"),
    ("hurt", "down", "unconscious", "dead"),
    "hurt or worse",
    "unhurt",
)
"""What an attack can come to, from nothing to worst."""
TRIES = Scale(("no set", "spoiled", "in vain", "stopped", "no effect", "comes off"), ("comes off",), "comes off", "withstood")
"""What anything else can come to that needs dice."""


def many_dice(number: int) -> str:
    """So many dice, in words."""
    return f"{number} {'die' if number == 1 else 'dice'}"


def written(speed: Speed) -> str:
    """A Speed as it is written."""
    return "/".join(map(str, speed))


def pool_terms(pool: Pool, dice: int) -> tuple[Reason, ...]:
    """The sum that makes a pool: what somebody has, what helps and hinders, and no more than may be rolled."""
    terms = [Reason("pool", pool.size, "+", "ore-1.01-dice-pool"), *[mod.reason() for mod in pool.mods]]
    total = pool.size + sum([mod.dice for mod in pool.mods])
    if total > dice:
        terms.append(at_most(dice, rule="ore-1.01-dice-pool"))
    elif total < dice:
        terms.append(at_least(dice, rule="ore-1.09-penalty"))
    return tuple(terms)


class RoundBegins(Event, frozen=True):
    """A new round, with those who declare in it, the lowest Initiative or Position first."""

    number: int
    order: tuple[str, ...]
    where: str = ""

    def headline(self) -> str:
        return f"Round {self.number}{f', {self.where}' if self.where else ''}: {', '.join(self.order) or 'nobody can act'}"


class Readied(Event, frozen=True):
    """What somebody rolls for what was declared."""

    who: str
    what: str
    pool: Pool
    dice: int
    difficulty: int = 1
    height: int = 0

    def headline(self) -> str:
        hard = f", Difficulty {self.difficulty}" if self.difficulty > 1 else ""
        low = f", Height -{self.height}" if self.height else ""
        return f"{self.who} has {many_dice(self.dice)} for {self.what}{hard}{low}"

    def reasons(self) -> tuple[Reason, ...]:
        return pool_terms(self.pool, self.dice)


class MooksReady(Event, frozen=True):
    """What a group of mooks rolls."""

    who: str
    threat: int
    range: Mod
    dice: int

    def headline(self) -> str:
        return f"{self.who} have {many_dice(self.dice)} to attack"

    def reasons(self) -> tuple[Reason, ...]:
        terms = [Reason("Threat Ratings that can attack", self.threat, "+", "ore-4.19-mooks")]
        terms += [self.range.reason()] if self.range.dice else []
        if self.threat + self.range.dice > self.dice:
            terms.append(at_most(self.dice, rule="ore-4.19-mooks"))
        return tuple(terms)


class SetReady(Event, frozen=True):
    """A set that waits for its moment: what it is for, and how fast it is."""

    who: str
    what: str
    width: int
    height: int
    speed: Speed
    by: str = "width"
    """What decides Speed."""
    faster: int = 0
    """What feats add to it."""
    wider: int = 0
    """What feats have added to the Width."""

    def headline(self) -> str:
        return f"{self.who}: {self.width}x{self.height} for {self.what}, Speed {written(self.speed)}"

    def reasons(self) -> tuple[Reason, ...]:
        rule = {"width": "ore-4.03-determination", "height": "ore-4.04-opt02-height-speed", "waste": "ore-4.04-opt03-waste-speed"}[self.by]
        label = {"width": "Width is Speed", "height": "Height is Speed", "waste": "the die given up"}[self.by]
        if not self.faster and not self.wider:
            return (Reason(label, self.speed[0], "+", rule),)
        own = "ore-3.10-feat-reading-rules"
        wider = self.wider if self.by == "width" else 0
        terms = [Reason(label, self.speed[0] - self.faster - wider, "+", rule)]
        terms += [Reason("Width by feats", wider, "+", own)] if wider else []
        terms += [Reason("Speed by feats", self.faster, "+", own)] if self.faster else []
        return tuple(terms)


class DieLost(Event, frozen=True):
    """A hit has cost a die of a set that waits, or spoiled it."""

    who: str
    what: str
    width: int
    height: int
    left: int
    """What is left of its Width; 0 for a set that is spoiled."""

    def headline(self) -> str:
        lost = f"{self.who} loses a die of the {self.width}x{self.height} for {self.what}"
        return f"{lost}: {self.left}x{self.height} is left" if self.left else f"{lost}, which is spoiled"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-4.05-resolution-order"
        return (Reason("Width", self.width, "+", rule), Reason("hit", -1, "+", rule))

    def tone(self) -> str:
        return "bad"


class Countered(Event, frozen=True):
    """Counter dice against a set."""

    who: str
    verb: str
    spent: int
    dice: int
    attack: tuple[int, int]
    left: int
    whole: bool = False
    """Whether any set at all spoils the attack."""

    def headline(self) -> str:
        if self.whole:
            return f"{self.who} {self.verb}: any set spoils the {self.attack[0]}x{self.attack[1]}"
        return f"{self.who} {self.verb} with {self.spent} of {self.dice} dice"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-1.16-opposed"
        return (
            Reason(f"Width of the {self.attack[0]}x{self.attack[1]}", self.attack[0], "+", rule),
            Reason("counter dice", -self.spent, "+", rule),
        )


class Moved(Event, frozen=True):
    """Somebody is somewhere else now."""

    who: str
    verb: str
    metres: int
    width: int = 0
    """The Width of a run's set."""
    to: str = ""

    def headline(self) -> str:
        return f"{self.who} {self.verb} {self.metres} m{f' {self.to}' if self.to else ''}"
