"""Outcomes of a roll: set, Difficulty, trades and degree of success."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.resolution.readings import STEP, Thrown


class Outcome(Struct, frozen=True, order=True, gc=False):
    """The set of a test: none is a failure, Width 1 a Minimal Success."""

    width: int = 0
    height: int = 0
    catastrophe: bool = False

    @property
    def success(self) -> bool:
        """Whether there is a set, or an option counts as one."""
        return self.width > 0

    @property
    def verdict(self) -> Literal["success", "failure"]:
        """Success or failure."""
        return "success" if self.width else "failure"

    def __str__(self) -> str:
        return f"{self.width}x{self.height}" if self.width else "catastrophe" if self.catastrophe else "no set"


def outcome_of(pair: Set | None) -> Outcome:
    """A set as the outcome of a test."""
    return Outcome(*pair) if pair else Outcome()


@rule("ore-1.01-dice-pool")
def sides(rules: Ruleset) -> int:
    """Every die has ten sides."""
    return 10


DIFFICULTIES = Column("ore-1.09-difficulty", "difficulty", int, rating=str)
"""A Difficulty and its name."""


@rule("ore-1.09-difficulty")
def difficulty_of(rules: Ruleset, difficulty: int = 1) -> int:
    """A Difficulty from 1 to 10: lower dice are discarded before sets are formed."""
    if difficulty != 1 and str(difficulty) not in DIFFICULTIES(rules):  # none at all needs no list, so that a plain roll reads no data
        raise UserError(f"a Difficulty goes from 1 to {len(DIFFICULTIES(rules))}, not {difficulty}")
    return difficulty


def printed_difficulty(rules: Ruleset, difficulty: int) -> int:
    """A Difficulty as printed; six-sided dice halve it when read."""
    if difficulty != 1:
        difficulty_of(rules, difficulty)
    return difficulty


@rule("ore-1.03-opt-d6")
@instead_of(difficulty_of, "six-sided-dice")
def halved_difficulty(rules: Ruleset, difficulty: int = 1) -> int:
    """With six-sided dice Difficulties are halved: rounded up (ruling), and never below 1."""
    if str(difficulty) not in DIFFICULTIES(rules):
        raise UserError(f"a Difficulty goes from 1 to {len(DIFFICULTIES(rules))}, not {difficulty}")
    return max(1, difficulty // 2) if rules.word("halved-difficulty") == "rounded down" else -(-difficulty // 2)


@rule("ore-1.03-opt-d6")
@instead_of(sides, "six-sided-dice")
def six_sides(rules: Ruleset) -> int:
    """Every die has six sides; what is 10 elsewhere is 6 (ruling)."""
    return 6


@rule("ore-1.07-opt-the-run")
def the_run(rules: Ruleset, faces: tuple[int, ...], difficulty: int = 1) -> Outcome:
    """Where no two dice match, three faces in a row are a Minimal Success: Width 1, and the highest of the three as Height.

    Dice below the Difficulty are discarded first, and of several Runs the highest counts (ruling).

    A view of how every roll is read with that option.
    """
    least = difficulty_of(rules, difficulty)
    left = [face for face in faces if face >= least]
    if len(set(left)) < len(left):
        return Outcome()
    top = Thrown(0, (0,) * sides(rules), least).run_of(frozenset(left))
    return Outcome(1, top) if top else Outcome()


@rule("ore-1.07-opt-the-run")
def a_run_counts(rules: Ruleset) -> bool:
    """Without a set there is nothing: faces in a row count for nothing. A Failsafe Die makes no set, so where it is used Runs count
    (ruling: it would do nothing otherwise)."""
    return rules.word("special-dice") == "failsafe"


@rule("ore-1.07-opt-the-run")
@instead_of(a_run_counts, "the-run")
def a_run_is_something(rules: Ruleset) -> bool:
    """Without a set three faces in a row still just succeed."""
    return True


@rule("ore-1.08-opt-full-house")
def full_house(rules: Ruleset, width: int = 2, height: int = 5, given_up: int = 2) -> Outcome:
    """Gives up a set to widen another of greater Height by 1; `given_up` is the Height of the first."""
    if not 1 <= given_up < height <= sides(rules) or width < 2:
        raise UserError("the widened set must be higher than the set given up")
    return Outcome(width + 1, height)


@rule("ore-1.08-opt-full-house")
def gives_sets_up(rules: Ruleset) -> bool:
    """Whether sets may be given up: no by default."""
    return False


@rule("ore-1.08-opt-full-house")
@instead_of(gives_sets_up, "full-house")
def may_give_sets_up(rules: Ruleset) -> bool:
    """Everybody may give a set up to widen a higher one."""
    return True


@rule("ore-1.19-squash-squish")
def squash(rules: Ruleset, width: int = 2, height: int = 5, difficulty: int = 1) -> Outcome:
    """Trades 2 Height for 1 Width; the set must still meet the Difficulty (ruling)."""
    lowest = difficulty_of(rules, difficulty) if rules.on("squash-keeps-difficulty") else 1
    if width < 2 or height > sides(rules) or height - STEP < lowest:
        raise UserError(f"a {width}x{height} cannot be squashed: its Height would fall below {lowest}")
    return Outcome(width + 1, height - STEP)


@rule("ore-1.19-squash-squish")
def squish(rules: Ruleset, width: int = 3, height: int = 5) -> Outcome:
    """Trades 1 Width for 2 Height, up to the highest face; a set must be left (ruling)."""
    if width - 1 < narrowest(rules) or height >= sides(rules):
        raise UserError(f"a {width}x{height} cannot be squished: it needs a spare die and a Height that can rise")
    return Outcome(width - 1, min(height + STEP, sides(rules)))


@rule("ore-1.19-squash-squish")
def narrowest(rules: Ruleset) -> int:
    """The dice that a narrowed set must keep: two."""
    return 2


@rule("ore-1.17-opt-set-for-a-set")
@instead_of(narrowest, "set-for-a-set")
def a_single_die(rules: Ruleset) -> int:
    """Where a single die is still a Minimal Success, one is enough (ruling)."""
    return 1


@rule("ore-1.19-squash-squish")
def may_trade(rules: Ruleset, expert: int = 0, master: int = 0) -> tuple[bool, bool]:
    """Whether squash and squish are allowed: by feats, or by the setting squash-and-squish."""
    allowed = rules.word("squash-and-squish")
    everybody, special = allowed == "everybody", allowed == "special dice"
    return everybody or (special and bool(master)), everybody or (special and bool(expert or master))


class DegreeRow(TableRow, frozen=True):
    """A Width and how well it is done."""

    width: int
    name: str
    grade: str = ""
    medal: str = ""


DEGREES = Table("ore-1.04-width-degrees", DegreeRow)


@rule("ore-1.04-width-degrees")
def degree(rules: Ruleset, width: int = 2) -> str:
    """The degree of success by Width; the last name counts for all wider sets. By id only."""
    rows = DEGREES(rules)
    return rows[str(min(width, len(rows)))].name if width > 0 else "Failure"


@rule("ore-1.01-dice-pool")
def without_dice(rules: Ruleset, by: str = "", what: str = "test") -> Play[Outcome]:
    """A test without dice fails (ruling)."""
    yield from ()
    return Outcome()
