"""Reading dice: reality levels, bigger dice, and what adds to the highest die (book lines 563-616, 5924-5956, 7796-7930).

Two small rules determine everything: the sides of a die, and what adds to the highest die. Settings replace them, and every test of the
game follows.
"""

from fractions import Fraction
from math import ceil, floor
from typing import Literal

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.multiples import MOST_POOL, Adds, CountedPool
from rulewright.dice.reading import Reading, weights_of
from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, divided, rounded, term, times, total

# --- the two steps ------------------------------------------------------------------------------------------------------------


@rule("sil-1.2.3-reading-dice")
def sides_of_a_die(rules: Ruleset) -> int:
    """Returns the sides of a die: six."""
    return 6


@rule("sil-a-opt-d8-d10")
@instead_of(sides_of_a_die, "dice", "d8")
def eight_sides(rules: Ruleset) -> int:
    """Returns eight sides: higher results, more luck."""
    return 8


@rule("sil-a-opt-d8-d10")
@instead_of(sides_of_a_die, "dice", "d10")
def ten_sides(rules: Ruleset) -> int:
    """Returns ten sides: even higher."""
    return 10


@rule("sil-1.2.3-reading-dice")
def what_adds(rules: Ruleset, hero: bool = True, emergency: int = 0) -> Adds:
    """Every six after the first adds 1 to the highest die."""
    return "tops"


@rule("sil-6.4.1-rdf-dice")
@instead_of(what_adds, "reality", "gritty")
def gritty(rules: Ruleset, hero: bool = True, emergency: int = 0) -> Adds:
    """Gritty: own dice give at most six; only Emergency Dice exceed it, by their own sixes (ruling) or by all."""
    return "tops" if emergency and rules.word("gritty-emergency-dice") == "all sixes" else "extra tops"


@rule("sil-6.4.1-rdf-dice")
@instead_of(what_adds, "reality", "cinematic")
def cinematic(rules: Ruleset, hero: bool = True, emergency: int = 0) -> Adds:
    """Cinematic: further fives also add 1 for player characters and main villains; on bigger dice the two top faces (ruling)."""
    if not hero:
        return "tops"
    return "two tops" if rules.word("cinematic-dice") == "text" else "paired tops"


@rule("sil-a-opt-highest-multiples")
@instead_of(what_adds, "multiples", "highest")
def multiples_of_the_highest(rules: Ruleset, hero: bool = True, emergency: int = 0) -> Adds:
    """Every further die with the highest value adds 1; all ones are still a fumble."""
    return "highest"


@rule("sil-a-opt-any-multiples")
@instead_of(what_adds, "multiples", "any")
def multiples_of_any(rules: Ruleset, hero: bool = True, emergency: int = 0) -> Adds:
    """Each value counts 1 more for every further die that shows it, and the best counts; all ones are still a fumble."""
    return "any"


@rule("sil-1.2.3-reading-dice")
def dice_of(rules: Ruleset, dice: int, modifier: int = 0, emergency: int = 0, hero: bool = True) -> Reading[Total]:
    """Returns the reading of dice: the highest plus what adds to it, then modifiers, at least 0; all ones is a fumble."""
    die, adds = sides_of_a_die(rules), what_adds(rules, hero, emergency)
    if dice < 1:
        raise UserError("a skilled test needs at least one die")
    if adds == "tops":
        return HighestDie(dice + emergency, modifier, die)
    return CountedPool(dice, emergency, modifier, die, adds)


@rule("sil-1.2.4-unskilled-test")
def unskilled(rules: Ruleset, modifier: int = 0, emergency: int = 0, hero: bool = True) -> Reading[Total]:
    """Returns the reading of an unskilled test: two dice, the lower counts; a 1 on either is a fumble of 1 without modifiers. Emergency
    Dice join the lower die (ruling)."""
    if emergency and rules.word("unskilled-emergency-dice") == "none":
        raise UserError("Emergency Dice cannot be used on an unskilled test in this campaign (setting unskilled-emergency-dice)")
    die, adds = sides_of_a_die(rules), what_adds(rules, hero, emergency)
    return Unskilled(emergency, modifier, die) if adds == "tops" else CountedPool(0, emergency, modifier, die, adds)


# --- the printed chances ------------------------------------------------------------------------------------------------------


PRINTED_D6 = Column("sil-a-probabilities-d6", "result", printed=tuple[float, float, float, float, float, float])
PRINTED_CINEMATIC = Column("sil-a-probabilities-cinematic", "result", printed=tuple[float, float, float, float, float, float])
PRINTED_HIGHEST = Column("sil-a-opt-highest-multiples", "result", printed=tuple[float, float, float, float, float, float])
PRINTED_BIGGER = Column("sil-a-opt-d8-d10", "result", printed=tuple[float, float, float, float, float, float])
"""The printed chances of a result in percent, by skill level 0 to 5."""


class Chance(TableRow, frozen=True):
    """The chance of a result as a fraction."""

    result: int
    rolls: int
    of: int


def chances(skill: int, die: int = 6, adds: Adds = "tops") -> dict[int, Chance]:
    """Returns the exact chance of every result of a skill; 0 is unskilled."""
    weights = weights_of(CountedPool(skill, 0, 0, die, adds))
    of = sum(weights.values())
    return {total.total: Chance(result=total.total, rolls=rolls, of=of) for total, rolls in weights.items()}


def _chance(skill: int, result: int, die: int, adds: Adds, rule_id: str) -> Derived[float]:
    if not 0 <= skill <= MOST_POOL:
        raise UserError(f"the skill level must be 0 to {MOST_POOL}, not {skill}")
    outcome = chances(skill, die, adds).get(result, Chance(result=result, rolls=0, of=die ** max(2, skill)))
    name = f"percent chance of {result} at skill {skill}"
    return total(name, term("rolls", outcome.rolls), divided("of all rolls", outcome.of), times("percent", 100), rounded(0.1), rule=rule_id)


@rule("sil-a-probabilities-d6")
def chance(skill: int, result: int) -> Derived[float]:
    """Returns the chance of a result with standard dice, in percent; skill 0 is unskilled."""
    return _chance(skill, result, 6, "tops", "sil-a-probabilities-d6")


@rule("sil-a-probabilities-cinematic")
def cinematic_chance(skill: int, result: int, reading: Literal["table", "text"] = "table") -> Derived[float]:
    """Returns the chance of a result with cinematic dice, in percent, as in the table or as in the text. A view of `dice_of`."""
    return _chance(skill, result, 6, "paired tops" if reading == "table" else "two tops", "sil-a-probabilities-cinematic")


@rule("sil-a-opt-highest-multiples")
def highest_chance(skill: int, result: int) -> Derived[float]:
    """Returns the chance of a result if equal highest dice add up, in percent. A view of `dice_of`."""
    return _chance(skill, result, 6, "highest", "sil-a-opt-highest-multiples")


@rule("sil-a-opt-any-multiples")
def any_chance(skill: int, result: int) -> Derived[float]:
    """Returns the chance of a result if equal dice of any value add up, in percent; the book prints no table. A view of `dice_of`."""
    return _chance(skill, result, 6, "any", "sil-a-opt-any-multiples")


@rule("sil-a-opt-d8-d10")
def bigger_chance(skill: int, result: int, die: Literal[8, 10] = 8) -> Derived[float]:
    """Returns the chance of a result with eight- or ten-sided dice, in percent. A view of `dice_of`."""
    return _chance(skill, result, die, "tops", "sil-a-opt-d8-d10")


# --- what bigger dice ask for -------------------------------------------------------------------------------------------------


class ThresholdRow(TableRow, frozen=True):
    """A Threshold for six-, eight- and ten-sided dice."""

    d6: int
    name: str
    d8: int
    d10: int


THRESHOLDS = Table("sil-a-threshold-conversion", ThresholdRow)


@rule("sil-a-threshold-conversion")
def threshold_with(rules: Ruleset, threshold: int, die: Literal[6, 8, 10] = 8) -> int:
    """Converts a Threshold for six-sided dice to bigger ones; between two rows the middle, halves up, above the last 1 more each
    (ruling)."""
    if die == 6 or threshold < 1:
        return threshold
    rows = {row.d6: (row.d8 if die == 8 else row.d10) for row in THRESHOLDS(rules).values()}
    if threshold in rows:
        return rows[threshold]
    below = max((known for known in rows if known < threshold), default=0)
    above = min((known for known in rows if known > threshold), default=0)
    if not above:
        return rows.get(below, below) + threshold - below
    low, high = rows.get(below, below), rows[above]
    return floor(low + Fraction((high - low) * (threshold - below), above - below) + Fraction(1, 2))


def converted(rules: Ruleset, threshold: int) -> int:
    """Converts a Threshold for six-sided dice to the campaign's dice."""
    return threshold_with(rules, threshold, sides_of_a_die(rules)) if rules.on("convert-thresholds") else threshold  # type: ignore[arg-type]


@rule("sil-a-damage-tame")
def tamed_margin(rules: Ruleset, margin: int) -> int:
    """Returns a Margin of Success limited to the number of faces, if the campaign says so."""
    die = sides_of_a_die(rules)
    return min(margin, die) if die > 6 and rules.on("margin-limit") else margin


@rule("sil-a-damage-tame")
def tamed_multiplier(rules: Ruleset, multiplier: int) -> int:
    """Returns a Damage Multiplier reduced to three quarters (d8) or three fifths (d10), rounded up (ruling), if the campaign says so."""
    die = sides_of_a_die(rules)
    if die == 6 or not rules.on("weaker-weapons"):
        return multiplier
    return ceil(multiplier * (Fraction(3, 4) if die == 8 else Fraction(3, 5)))


# --- reality levels -----------------------------------------------------------------------------------------------------------


class RealityRow(TableRow, frozen=True):
    """What a reality level means."""

    reality: str
    dice: str
    bookkeeping: str
    experience: int
    """Experience of an average session."""
    flaws: int
    """Recommended limit of Flaw points."""
    fields: bool
    """Whether specific skills are limited to their field."""


REALITY = Table("sil-6.4.1-rdf", RealityRow)


@rule("sil-6.4.1-rdf")
def reality(rules: Ruleset) -> RealityRow:
    """Returns the campaign's reality level and its figures."""
    return REALITY.get(rules, rules.word("reality"))
