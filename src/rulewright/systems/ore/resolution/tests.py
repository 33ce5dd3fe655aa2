"""Pools, sets and tests (book lines 229-396).

The order: bonuses and penalties, which take Special Dice first; at most ten dice; the roll; dice below the Difficulty are discarded;
then sets are formed, with at most one trade.
"""

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Reading
from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, at_most, less, term, total
from rulewright.systems.ore.resolution.outcomes import (
    Outcome,
    a_run_counts,
    difficulty_of,
    gives_sets_up,
    may_trade,
    narrowest,
    outcome_of,
    sides,
    without_dice,
)
from rulewright.systems.ore.resolution.readings import Aim, BestFor, Luck, Thrown, Trades

MOST_DICE = 10
MOST_BEYOND = 15
"""The limit for rules that exceed ten dice, so that odds stay computable."""
MOST_WRITTEN = 60
"""The most dice of a pool before penalties."""


class Mod(Struct, frozen=True, array_like=True, gc=False):
    """Bonus or penalty dice with a label and a rule."""

    label: str
    dice: int
    rule: str | None = None

    def reason(self) -> Reason:
        """The modifier as a term of a sum."""
        return Reason(self.label, self.dice, "+", self.rule)


class Edge(Struct, frozen=True, cache_hash=True, gc=False):
    """Changes to a roll or its sets by feats and powers."""

    squash: bool = False
    squish: bool = False
    squash_width: int = 1
    """Points of Width that two of Height are traded for."""
    width: int = 0
    height: int = 0
    floor: int = 0
    """The Height to which lower sets are raised."""
    shift: int = 0
    """How far the Height of a set may be moved up or down."""

    @property
    def gains(self) -> bool:
        """Whether sets count for other than the dice that lie there."""
        return bool(self.width or self.height or self.floor or self.shift)

    def and_(self, other: "Edge") -> "Edge":
        """Both together: what is gained adds up, and of two floors the higher counts."""
        return Edge(
            self.squash or other.squash,
            self.squish or other.squish,
            max(self.squash_width, other.squash_width),
            self.width + other.width,
            self.height + other.height,
            max(self.floor, other.floor),
            self.shift + other.shift,
        )

    def words(self) -> str:
        """As people write it beside a pool."""
        names = ["squash" + (f"+{self.squash_width}" if self.squash_width > 1 else "")] if self.squash else []
        names += ["squish"] if self.squish else []
        names += [f"width{self.width:+}"] if self.width else []
        names += [f"height{self.height:+}"] if self.height else []
        names += [f"floor {self.floor}"] if self.floor else []
        names += [f"shift {self.shift}"] if self.shift else []
        return " ".join(names)


NO_EDGE = Edge()


class Pool(Struct, frozen=True, cache_hash=True, gc=False):
    """Dice before modifiers: ordinary, Expert and Master Dice; and the modifiers."""

    dice: int
    expert: int = 0
    master: int = 0
    mods: tuple[Mod, ...] = ()
    several: bool = False
    """Whether a rule allows more Special Dice than the campaign."""
    beyond_ten: bool = False
    """Whether a rule allows more than ten dice."""
    edge: Edge = NO_EDGE
    """What may be done with the roll, and what its sets count for."""

    def __post_init__(self) -> None:
        if min(self.dice, self.expert, self.master) < 0 or self.size > MOST_WRITTEN:
            raise UserError(f"a pool has 0 to {MOST_WRITTEN} dice of each kind")

    @property
    def size(self) -> int:
        """All dice, of every kind."""
        return self.dice + self.expert + self.master

    @property
    def bonus(self) -> int:
        """All dice that are given."""
        return sum([mod.dice for mod in self.mods if mod.dice > 0])

    @property
    def penalty(self) -> int:
        """All dice that are taken, as a positive number."""
        return -sum([mod.dice for mod in self.mods if mod.dice < 0])

    def plus(self, *mods: Mod) -> "Pool":
        """The same pool with more modifiers; those of nothing are left out."""
        more = self.mods + tuple([mod for mod in mods if mod.dice])
        return Pool(self.dice, self.expert, self.master, more, self.several, self.beyond_ten, self.edge)


class Ready(NamedTuple):
    """The dice that are left to roll, by kind."""

    dice: int
    expert: int = 0
    master: int = 0

    @property
    def size(self) -> int:
        """All dice, of every kind."""
        return self.dice + self.expert + self.master


# --- dice and Difficulty ------------------------------------------------------------------------------------------------------


@rule("ore-1.01-dice-pool", "ore-1.11-bonus")
def dice_rolled(
    rules: Ruleset, statistic: int = 2, skill: int = 2, bonus: int = 0, penalty: int = 0, expert: int = 0, master: int = 0
) -> Derived[int]:
    """Statistic plus skill, then modifiers, then at most ten dice. `expert` and `master` are promoted dice. A view of how every pool is
    counted."""
    promoted = expert + master
    if promoted > skill:
        raise UserError(f"a skill of {skill} has no {promoted} dice to promote")
    pool = Pool(statistic + skill - promoted, expert, master).plus(Mod("bonus", abs(bonus)), Mod("penalty", -abs(penalty)))
    left = after_modifiers(rules, pool)
    ready = at_most_ten(rules, *left)
    terms = [term("statistic", statistic), term("skill", skill)]
    terms += [Reason("bonus", bonus, "+", "ore-1.11-bonus")] if bonus else []
    terms += [Reason("penalty", -abs(penalty), "+", "ore-1.09-penalty")] if penalty else []
    terms += [at_least(0)] if penalty else []
    if left.size > ready.size:
        terms.append(at_most(ready.size, "at most ten dice", rule="ore-1.01-dice-pool"))
    used = ready.dice + special_lying(rules, ready.expert, ready.master)
    if used < ready.size:
        terms.append(less("Expert Dice outside the roll", ready.size - used, rule="ore-1.23-opt-extra-expert-dice"))
    return total("Dice", *terms, rule="ore-1.01-dice-pool")


PENALTIES = Column("ore-1.09-penalty", "penalty", int, rating=str)
"""A penalty and its name."""


@rule("ore-1.09-penalty")
def penalty_rating(rules: Ruleset, penalty: int = 1) -> str:
    """The name of a penalty of so many dice; the list ends at five. By id only."""
    rows = PENALTIES(rules)
    return str(rows[str(-min(max(abs(penalty), 1), len(rows)))].rating)


# --- from a pool to dice on the table -----------------------------------------------------------------------------------------


@rule("ore-1.09-penalty", "ore-1.21-special-dice")
def after_modifiers(rules: Ruleset, pool: Pool) -> Ready:
    """Bonuses add ordinary dice; penalties take Expert Dice, then Master Dice, then ordinary ones."""
    bonus, penalty = pool.bonus, pool.penalty
    if rules.on("bonuses-meet-penalties"):
        met = min(bonus, penalty)
        bonus, penalty = bonus - met, penalty - met
    ordinary = pool.dice + bonus
    if rules.word("penalties-take") == "ordinary dice first":
        taken = min(penalty, ordinary)
        ordinary, penalty = ordinary - taken, penalty - taken
    expert = max(0, pool.expert - penalty)
    penalty -= pool.expert - expert
    master = max(0, pool.master - penalty)
    penalty -= pool.master - master
    return Ready(max(0, ordinary - penalty), expert, master)


@cached(20_000)
def dice_in(rules: Ruleset, pool: Pool) -> int:
    """How many dice of a pool are left to roll or to lay down."""
    return ready_dice(rules, pool).size


@rule("ore-1.01-dice-pool")
def at_most_ten(rules: Ruleset, dice: int, expert: int = 0, master: int = 0, beyond_ten: bool = False) -> Ready:
    """At most ten dice; ordinary dice are left out first (ruling), then Expert and Master Dice."""
    over = max(0, dice + special_lying(rules, expert, master) - (MOST_BEYOND if beyond_ten else MOST_DICE))
    ordinary = max(0, dice - over)
    over -= dice - ordinary
    experts = max(0, expert - over)
    over -= expert - experts
    return Ready(ordinary, experts, master - over)


@rule("ore-1.01-dice-pool")
def special_lying(rules: Ruleset, expert: int = 0, master: int = 0) -> int:
    """How many Special Dice count towards the ten: all."""
    return expert + master


@rule("ore-1.23-opt-extra-expert-dice")
@instead_of(special_lying, "special-dice", "extra expert")
def one_expert_lies(rules: Ruleset, expert: int = 0, master: int = 0) -> int:
    """Only one Expert Die is part of the roll; the others nudge it. Beside a Master Die none is."""
    return master or min(1, expert)


@rule("ore-1.11-extra-time")
def extra_time(doublings: int = 1) -> Mod:
    """Twice the time gives a die, four times (ruling) two."""
    if not 0 <= doublings <= 2:
        raise UserError("Extra Time can be taken once or twice")
    return Mod(("no extra time", "Extra Time", "Double Extra Time")[doublings], doublings, "ore-1.11-extra-time")


@rule("ore-1.11-extra-time")
def time_taken(minutes: int, doublings: int = 1) -> int:
    """How long a task takes with Extra Time: twice, or four times as long."""
    extra_time(doublings)
    return minutes * (1, 2, 4)[doublings]


class Lent(NamedTuple):
    """What Special Dice do: ordinary dice beside them, where they could lie, how many could lie anywhere, and a Failsafe Die."""

    lent: tuple[int, ...]
    wild: int = 0
    failsafe: bool = False


@rule("ore-1.21-special-dice")
def special_dice(rules: Ruleset, expert: int = 0, master: int = 0, several: bool = False) -> Lent:
    """Special Dice are not rolled: an Expert Die shows the highest face, a Master Die any face after the roll. A skill has at most one;
    others from feats and advantages work alike."""
    return _all_of_them(sides(rules), expert, master)


def _all_of_them(top: int, expert: int, master: int) -> Lent:
    return Lent(tuple([master + (expert if face == top else 0) for face in range(1, top + 1)]), master)


@rule("ore-1.22-opt-failsafe-dice")
@instead_of(special_dice, "special-dice", "failsafe")
def failsafe_dice(rules: Ruleset, expert: int = 0, master: int = 0, several: bool = False) -> Lent:
    """At most one Expert Die and no Master Die, except for high powers; after the roll it shows a face that was not rolled. It makes no
    set, but can complete a Run."""
    if (expert > 1 or master) and not several:
        raise UserError(f"{expert} Expert and {master} Master Dice: only one Failsafe Die is allowed (setting special-dice = failsafe)")
    return Lent(_all_of_them(sides(rules), 0, master).lent, master, expert > 0)


@rule("ore-1.23-opt-extra-expert-dice")
@instead_of(special_dice, "special-dice", "extra expert")
def nudged_dice(rules: Ruleset, expert: int = 0, master: int = 0, several: bool = False) -> Lent:
    """One Expert Die shows the highest face; every other one lets it be lowered by 1 after the roll. Beside a Master Die they only
    protect it from penalties."""
    if master > 1 and not several:
        raise UserError(f"{master} Master Dice: a roll has at most one (setting special-dice = extra expert)")
    top = sides(rules)
    if master:
        return _all_of_them(top, 0, master)
    return Lent(tuple([int(top - expert < face) for face in range(1, top + 1)]))


@rule("ore-1.24-opt-extra-master-dice")
@instead_of(special_dice, "special-dice", "extra master")
def any_special_dice(rules: Ruleset, expert: int = 0, master: int = 0, several: bool = False) -> Lent:
    """Any number of Special Dice: Expert Dice show the highest face, Master Dice any."""
    return _all_of_them(sides(rules), expert, master)


# --- what may be done with a roll ---------------------------------------------------------------------------------------------


@rule("ore-1.19-one-manipulation")
def trades(rules: Ruleset, expert: int = 0, master: int = 0, squash: bool = False, squish: bool = False) -> Trades:
    """Allowed trades, at most one: give up a set, squash or squish; `squash` and `squish` come from feats."""
    squashes, squishes = may_trade(rules, expert, master)
    below = not rules.on("squash-keeps-difficulty")
    return Trades(gives_sets_up(rules), squash or squashes, squish or squishes, below, narrowest(rules) == 1)


def ready_dice(rules: Ruleset, pool: Pool) -> Ready:
    """The dice left after modifiers and the limit of ten."""
    return at_most_ten(rules, *after_modifiers(rules, pool), pool.beyond_ten)


@cached(20_000)
def thrown(rules: Ruleset, pool: Pool, difficulty: int = 1, squash: bool = False, squish: bool = False) -> Thrown | None:
    """The dice of a test; None without dice."""
    ready = ready_dice(rules, pool)
    if ready.size == 0:
        return None
    lent = special_dice(rules, ready.expert, ready.master, pool.several)
    edge = pool.edge
    allowed = trades(rules, ready.expert, ready.master, squash or edge.squash, squish or edge.squish)
    if edge is not NO_EDGE:
        more = {"wider": edge.width, "higher": edge.height, "floor": min(edge.floor, sides(rules)), "shift": edge.shift}
        allowed = replace(allowed, squash_width=edge.squash_width, **more)
    return Thrown(ready.dice, lent.lent, difficulty_of(rules, difficulty), a_run_counts(rules), lent.failsafe, allowed)


# --- a test -------------------------------------------------------------------------------------------------------------------


@rule("ore-1.05-height")
def leads(height: int = 7, other: int = 5) -> int:
    """Height says how easily, how fast or how well it went: by how much one is ahead of another (behind: negative)."""
    for number in (height, other):
        if not 1 <= number <= MOST_DICE:
            raise UserError(f"a Height goes from 1 to {MOST_DICE}, not {number}")
    return height - other


@rule("ore-1.10-opt-getting-lucky")
@instead_of(without_dice, "getting-lucky")
def luck(rules: Ruleset, by: str = "", what: str = "test") -> Play[Outcome]:
    """One Luck die is rolled where no dice are left: its highest face is a Minimal Success of that Height, a 1 is a catastrophe."""
    top = sides(rules)
    fell = yield from Roll(Luck(top), by, f"{what}, Luck die")
    return Outcome(1, top) if fell > 0 else Outcome(catastrophe=fell < 0)


@cached(20_000)
def reading(
    rules: Ruleset, pool: Pool, difficulty: int = 1, aim: Aim = "widest", squash: bool = False, squish: bool = False
) -> Reading[Set | None] | None:
    """How a pool is read for an aim; None if no die is left."""
    dice = thrown(rules, pool, difficulty, squash, squish)
    return None if dice is None else BestFor(dice, aim)


@rule("ore-1.02-sets-width-height")
def make_test(
    rules: Ruleset,
    pool: Pool,
    difficulty: int = 1,
    aim: Aim = "widest",
    by: str = "",
    what: str = "test",
    squash: bool = False,
    squish: bool = False,
    secret: bool = False,
) -> Play[Outcome]:
    """Dice that match are a set: how many is its Width, what they show its Height. No set is a failure.

    Of several sets the widest or the highest is used, as the aim says; the other measure settles ties.
    """
    read = reading(rules, pool, difficulty, aim, squash, squish)
    if read is None:
        return (yield from without_dice(rules, by, what))
    return outcome_of((yield from Roll(read, by, what, secret)))


class Completed(Struct, frozen=True):
    """A task done without a roll: as what set it counts, and how long it took."""

    outcome: Outcome
    time: int
    unit: str


@rule("ore-1.12-opt-auto-complete")
def auto_complete(rules: Ruleset, skill: int = 3, difficulty: int = 3, unit: Literal["minutes", "hours", "days"] = "hours") -> Completed:
    """A task without hurry takes its Difficulty in minutes, hours or days, and then succeeds without a roll: Width 2, Height the skill.

    It succeeds even where the skill is lower than the Difficulty (ruling).
    """
    if skill < 1:
        raise UserError("Auto Complete needs a skill")
    return Completed(Outcome(2, skill), difficulty_of(rules, difficulty), unit)


@rule("ore-1.12-opt-auto-complete")
def without_a_roll(rules: Ruleset, skill: int = 3, difficulty: int = 3, unit: str = "hours") -> Completed | None:
    """The result of a task that nobody rolls for: nothing, unless the campaign plays with Auto Complete."""
    return None


@instead_of(without_a_roll, "auto-complete")
def completed(rules: Ruleset, skill: int = 3, difficulty: int = 3, unit: str = "hours") -> Completed | None:
    """The result of a task without a roll: taking the time completes it."""
    return auto_complete(rules, skill, difficulty, unit) if skill > 0 else None  # type: ignore[arg-type]
