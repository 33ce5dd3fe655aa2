"""Log entries of a fight with their sums: pools, sets and their Speed, lost dice, movement."""

from rulewright.grammar import a, count, join
from rulewright.play import Event, Scale
from rulewright.play.cache import cached
from rulewright.rules.reasons import Reason, at_least, at_most
from rulewright.systems.ore.drama.determination import Speed
from rulewright.systems.ore.log_phrases import action_phrase, verb
from rulewright.systems.ore.resolution.tests import Mod, Pool

BLOWS = Scale(
    ("no set", "spoiled", "in vain", "stopped", "no harm", "hurt", "down", "unconscious", "dead"),
    ("hurt", "down", "unconscious", "dead"),
    "hurt or worse",
    "unhurt",
    harms=True,
)
"""Outcomes of an attack, from nothing to worst."""
COMES_OFF = "comes off"


@cached(100)
def tries(goal: str = COMES_OFF) -> Scale:
    """Outcomes of every other action with a roll; `goal` names what it is for."""
    return Scale(("no set", "spoiled", "in vain", "stopped", "no effect", goal), (goal,), goal, "withstood")


def many_dice(number: int) -> str:
    """A number of dice in words: no dice, 1 die, 2 dice."""
    return count(number, "die", "dice")


def written(speed: Speed) -> str:
    """A Speed as text."""
    return "/".join(map(str, speed))


def pool_terms(pool: Pool, dice: int) -> tuple[Reason, ...]:
    """The terms of a pool: its dice, bonuses, penalties and limits."""
    terms = [Reason("pool", pool.size, "+", "ore-1.01-dice-pool"), *[mod.reason() for mod in pool.mods]]
    total = pool.size + sum([mod.dice for mod in pool.mods])
    if total > dice:
        terms.append(at_most(dice, rule="ore-1.01-dice-pool"))
    elif total < dice:
        terms.append(at_least(dice, rule="ore-1.09-penalty"))
    return tuple(terms)


class RoundBegins(Event, frozen=True):
    """A new round and the order of declaration, lowest Initiative or Position first."""

    number: int
    order: tuple[str, ...]
    where: str = ""

    def headline(self) -> str:
        return f"Round {self.number}{f', {self.where}' if self.where else ''}: {', '.join(self.order) or 'nobody can act'}"


class Readied(Event, frozen=True):
    """The dice of a fighter for the declared actions."""

    who: str
    what: str
    pool: Pool
    dice: int
    difficulty: int = 1
    height: int = 0
    number: int = 0
    """The number to which a called shot sets one of the dice; 0 for none."""

    def headline(self) -> str:
        hard = f", Difficulty {self.difficulty}" if self.difficulty > 1 else ""
        low = f", sets lose {self.height} Height to injuries" if self.height else ""
        called = f", one of them set to {self.number}" if self.number and self.dice else ""
        return f"{self.who} has {many_dice(self.dice)} for {action_phrase(self.what)}{called}{hard}{low}"

    def reasons(self) -> tuple[Reason, ...]:
        return pool_terms(self.pool, self.dice)


class TestRolled(Event, frozen=True):
    """The result of a test that was not declared: a reaction, exertion, Initiative."""

    who: str
    what: str
    width: int
    height: int
    """After the Height lost to injuries."""
    lost: int = 0
    """The Height lost to injuries."""
    pool: Pool | None = None
    """The pool, if no earlier entry has its sum."""
    dice: int = 0

    def headline(self) -> str:
        rolled = a(f"{self.width}x{self.height}") if self.width else "no set"
        return f"{self.who} rolls {rolled} for {action_phrase(self.what)}"

    def reasons(self) -> tuple[Reason, ...]:
        terms = () if self.pool is None else pool_terms(self.pool, self.dice)
        if not self.width or not self.lost:
            return terms
        return (*terms, Reason("Height rolled", self.height + self.lost, "+"), Reason("injuries", -self.lost, "+"))

    def tone(self) -> str:
        return "plain" if self.width else "bad"


class MooksReady(Event, frozen=True):
    """The dice of a group of mooks."""

    who: str
    threat: int
    range: Mod
    dice: int

    def headline(self) -> str:
        return f"{self.who} {verb(self.who, 'has', 'have')} {many_dice(self.dice)} to attack"

    def reasons(self) -> tuple[Reason, ...]:
        terms = [Reason("Threat Ratings of the attackers", self.threat, "+", "ore-4.19-mooks")]
        terms += [self.range.reason()] if self.range.dice else []
        if self.threat + self.range.dice > self.dice:
            terms.append(at_most(self.dice, rule="ore-4.19-mooks"))
        return tuple(terms)


class SetReady(Event, frozen=True):
    """A set that waits to be applied: its action and its Speed."""

    who: str
    what: str
    width: int
    height: int
    speed: Speed
    by: str = "width"
    """The setting that decides Speed."""
    faster: int = 0
    """Speed added by feats."""
    wider: int = 0
    """Width added by feats."""
    feats: str = ""
    """The names of these feats."""

    def headline(self) -> str:
        return f"{self.who}: {self.width}x{self.height} for {action_phrase(self.what)}, Speed {written(self.speed)}"

    def reasons(self) -> tuple[Reason, ...]:
        if not self.faster and not self.wider:
            return (speed_reason(self.speed, self.by),)
        own = "ore-3.10-feat-reading-rules"
        wider = self.wider if self.by == "width" else 0
        terms = [speed_reason((self.speed[0] - self.faster - wider,), self.by)]
        terms += [Reason(f"Width from {self.feats or 'feats'}", wider, "+", own)] if wider else []
        terms += [Reason(f"Speed from {self.feats or 'feats'}", self.faster, "+", own)] if self.faster else []
        return tuple(terms)


def speed_reason(speed: Speed, by: str) -> Reason:
    """The reason for the Speed of a set, as a term."""
    rule = {"width": "ore-4.03-determination", "height": "ore-4.04-opt02-height-speed", "waste": "ore-4.04-opt03-waste-speed"}[by]
    label = {"width": "Width is Speed", "height": "Height is Speed", "waste": "waste die given up"}[by]
    return Reason(label, speed[0], "+", rule)


class FireReady(Event, frozen=True):
    """The dice of suppressive fire, all of which wait for people in the open."""

    who: str
    lying: tuple[tuple[int, int], ...]
    speed: Speed
    by: str = "width"

    def headline(self) -> str:
        dice = join([f"{width}x{height}" for width, height in self.lying])
        return f"{self.who}: {dice} for suppressive fire, Speed {written(self.speed)}"

    def reasons(self) -> tuple[Reason, ...]:
        return (speed_reason(self.speed, self.by),)


class UnderFire(Event, frozen=True):
    """A roll under suppressive fire: dice that match the fire join it and hit."""

    who: str
    dice: int
    hits: tuple[tuple[int, int], ...]
    crowd: bool = False
    """Whether the name is that of several people."""

    def headline(self) -> str:
        sets = join([a(f"{width}x{height}") for width, height in self.hits])
        words = f"{sets} of the fire {'hit' if len(self.hits) > 1 else 'hits'}" if self.hits else "no die matches the fire"
        return f"{self.who} {'roll' if self.crowd else 'rolls'} {many_dice(self.dice)} under fire: {words}"

    def reasons(self) -> tuple[Reason, ...]:
        return (Reason("Width of the widest set of the fire", self.dice, "+", "ore-4.09d-suppressive-fire"),)

    def tone(self) -> str:
        return "bad" if self.hits else "good"


class DieLost(Event, frozen=True):
    """A hit removes a die from a waiting set, or spoils it."""

    who: str
    what: str
    width: int
    height: int
    left: int
    """The Width that is left; 0 if the set is spoiled."""

    def headline(self) -> str:
        lost = f"A hit takes a die from {self.who}: the {self.width}x{self.height} for {self.what}"
        return f"{lost} becomes {a(f'{self.left}x{self.height}')}" if self.left else f"{lost} is spoiled"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-4.05-resolution-order"
        return (Reason("Width", self.width, "+", rule), Reason("hit", -1, "+", rule))

    def tone(self) -> str:
        return "bad"


class Countered(Event, frozen=True):
    """Counter dice spent against a set."""

    who: str
    verb: str
    spent: int
    dice: int
    attack: tuple[int, int]
    left: int
    whole: bool = False
    """Whether any set spoils the attack."""

    def headline(self) -> str:
        if self.whole:
            return f"{self.who} {self.verb}: any set spoils the {self.attack[0]}x{self.attack[1]}"
        return f"{self.who} {self.verb} with {self.spent} of {many_dice(self.dice)}"

    def reasons(self) -> tuple[Reason, ...]:
        rule = "ore-1.16-opposed"
        return (
            Reason(f"Width of the {self.attack[0]}x{self.attack[1]}", self.attack[0], "+", rule),
            Reason("counter dice", -self.spent, "+", rule),
        )


class Moved(Event, frozen=True):
    """A fighter or group changes its place."""

    who: str
    verb: str
    metres: int
    width: int = 0
    """The Width of the set of a run."""
    to: str = ""

    def headline(self) -> str:
        return f"{self.who} {self.verb} {self.metres} m{f' {self.to}' if self.to else ''}"
