"""Drama Points and their effects (book lines 5481-5517)."""

from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Reading
from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.grammar import a, count, join
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Reckoned, Roll, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.drama.rerolls import Turnable, again
from rulewright.systems.ore.gear.weapons import SIX
from rulewright.systems.ore.harm.body import B, Dealt
from rulewright.systems.ore.resolution.contests import spoiled_at
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.outcomes import Outcome, outcome_of, sides, without_dice
from rulewright.systems.ore.resolution.readings import Aim, BestFor, Thrown, dice_of
from rulewright.systems.ore.resolution.tests import Pool, thrown

Effect = Literal[
    "determined", "inspired", "lucky", "slip up", "unflinching", "blessed", "hell-bent", "unwavering", "editing", "the hand of god"
]
Gain = Literal["width", "height"]
STEP = 2
"""Height points worth one point of Width."""


class DramaRow(TableRow, frozen=True):
    """An effect of Drama Points: cost and timing."""

    name: Effect
    cost: int
    when: Literal["before", "after", "hit", "opponent", "any"]
    effect: str


EFFECTS = Table("ore-4.21-drama-points", DramaRow)


# --- points -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.21-drama-points")
def effects_allowed(rules: Ruleset) -> tuple[Effect, ...]:
    """The allowed effects: none without the option, otherwise all except Editing."""
    if rules.word("drama-points") == "none":
        return ()
    return tuple([name for name in _effects(rules) if name != "editing"])


@rule("ore-4.21-opt-editing")
@instead_of(effects_allowed, "drama-points", "drama points and editing")
def everything(rules: Ruleset) -> tuple[Effect, ...]:
    """All effects, including Editing."""
    return _effects(rules)


@cached(100)
def _effects(rules: Ruleset) -> tuple[Effect, ...]:
    return tuple([row.name for row in EFFECTS(rules).values()])


@rule("ore-4.21-drama-points")
def spend(rules: Ruleset, points: int = 3, effect: Effect = "lucky", used: tuple[Effect, ...] = ()) -> int:
    """The points left after paying for an effect. Each effect can be used once per roll."""
    if effect not in effects_allowed(rules):
        raise UserError(f"{effect.capitalize()} is not allowed in this campaign (setting drama-points = {rules.word('drama-points')})")
    if effect in used:
        raise UserError(f"{effect.capitalize()} was already used on this roll")
    cost = EFFECTS.get(rules, effect).cost
    if points < cost:
        raise UserError(
            f"{effect.capitalize()} costs {count(cost, 'Drama Point')}, but only {points} {'is' if points == 1 else 'are'} left"
        )
    return points - cost


@cached(4_000)
def can_spend(rules: Ruleset, points: int, effect: Effect, used: tuple[Effect, ...] = ()) -> bool:
    """Whether an effect is affordable and allowed."""
    return effect not in used and points >= EFFECTS.get(rules, effect).cost and effect in effects_allowed(rules)


# --- effects ------------------------------------------------------------------------------------------------------------------


@rule("ore-4.21-drama-points")
def determined(pool: Pool = SIX, promote: Literal["expert die", "ordinary die"] = "expert die") -> Pool:
    """Before the roll: promotes an Expert Die to a Master Die, or an ordinary die to an Expert Die, above the usual limits. An Expert
    Die goes first, unless chosen otherwise."""
    if pool.expert and (promote == "expert die" or not pool.dice):
        return replace(pool, expert=pool.expert - 1, master=pool.master + 1, several=True)
    if pool.dice:
        return replace(pool, dice=pool.dice - 1, expert=pool.expert + 1, several=True)
    raise UserError("there is no die to promote")


@rule("ore-4.21-drama-points")
def hell_bent(rules: Ruleset, width: int = 2, height: int = 5, gain: Gain = "width") -> Outcome:
    """Declared before the roll: a set gains 1 Width, or 2 Height up to the highest face. No set, no gain."""
    if width < 1:
        return Outcome()
    return Outcome(width + 1, height) if gain == "width" else Outcome(width, min(height + STEP, sides(rules)))


@rule("ore-4.21-drama-points")
def slip_up(rules: Ruleset, width: int = 3, height: int = 5, loss: Gain = "width", difficulty: int = 1) -> Outcome:
    """After the roll: an opponent's set loses 1 Width or 2 Height; it can be spoiled, also below its Difficulty (ruling)."""
    if loss == "width":
        return Outcome(width - 1, height) if width - 1 > spoiled_at(rules) else Outcome()
    return Outcome(width, height - STEP) if height - STEP >= difficulty else Outcome()


@rule("ore-4.21-drama-points")
def dice_lost(unflinching: bool = True) -> int:
    """Dice of a set lost to a hit: one, or none if unflinching."""
    return 0 if unflinching else 1


@rule("ore-4.21-drama-points")
def ignored(kill: int = 3, shock: int = 2, unwavering: bool = False, hand_of_god: bool = False) -> Dealt:
    """The rest of an attack: Unwavering ignores Shock, The Hand of God ignores Kill."""
    return Dealt(0 if hand_of_god else kill, 0 if unwavering else shock)


# --- a roll with Drama Points -------------------------------------------------------------------------------------------------


class Fortune(NamedTuple):
    """Luck and Drama Points left for rerolls."""

    luck: int = 0
    drama: int = 0


class Dramatic(Struct, frozen=True):
    """The result of a roll, with Drama Points and luck left."""

    outcome: Outcome
    points: int
    luck: int = 0


@rule("ore-4.21-drama-points", "ore-2.31-lucky")
def dramatic_test(
    rules: Ruleset,
    pool: Pool = SIX,
    points: int = 3,
    difficulty: int = 1,
    aim: Aim = "widest",
    by: str = "",
    what: str = "test",
    luck: int = 0,
    at_least: int = 1,
    height: int = 0,
) -> Play[Dramatic]:
    """A test with Drama Points: asks before the roll for Determined and Hell-Bent, afterwards for Lucky and Blessed. `luck` is the
    number of rerolls for Lucky; `at_least` is the minimum Height, and `height` the Height lost by every set."""
    gain, pool, fortune, used = yield from _beforehand(rules, pool, Fortune(luck, points), by, what)
    dice = thrown(rules, pool, difficulty)
    if height and dice is not None:
        if max(dice.difficulty, at_least) + height > dice.top:
            return Dramatic(Outcome(), fortune.drama, fortune.luck)
        dice, at_least = replace(dice, difficulty=dice.difficulty + height), at_least + height
    if dice is None:
        lucky = yield from without_dice(rules, by, what)
        catastrophe = lucky.catastrophe
        sets: tuple[Set, ...] = ((lucky.width, lucky.height),) if lucky.success else ()
    elif fortune == (0, 0) and gain is None:
        best = yield from Roll(BestFor(dice, aim, at_least=at_least), by, what)
        return Dramatic(_lowered(outcome_of(best), height), 0)
    else:
        catastrophe = False
        sets, fortune = yield from turned(rules, Fronts(dice), fortune, by, what=what, used=used)
    better = {(up.width, up.height): pair for pair in sets for up in [hell_bent(rules, *pair, gain)]} if gain is not None else {}
    best = BestFor(Thrown(0), aim, at_least=at_least).best(None, list(better or sets))
    if gain is not None and best:
        yield Tell(_hell_bent_told(by, better[best], best))
    outcome = _lowered(outcome_of(best), height) if best else Outcome(catastrophe=catastrophe)
    return Dramatic(outcome, fortune.drama, fortune.luck)


def _hell_bent_told(by: str, rolled: Set, best: Set) -> Reckoned:
    """The log entry of a set that Hell-Bent raised."""
    words = f"is Hell-Bent: the {rolled[0]}x{rolled[1]} becomes {a(f'{best[0]}x{best[1]}')}"
    raised = [
        (Reason(f"{label} rolled", before, "+"), Reason("Hell-Bent", after - before, "+", "ore-4.21-drama-points"))
        for label, before, after in (("Width", rolled[0], best[0]), ("Height", rolled[1], best[1]))
        if after != before
    ]
    return Reckoned(by, words, "good", sums=raised[0] if raised else ())


def _lowered(outcome: Outcome, height: int) -> Outcome:
    """A set with lost Height."""
    return replace(outcome, height=outcome.height - height) if outcome.success and height else outcome


def _beforehand(
    rules: Ruleset, pool: Pool, fortune: Fortune, by: str, what: str
) -> Play[tuple[Gain | None, Pool, Fortune, tuple[Effect, ...]]]:
    """Drama Points before the roll."""
    used: tuple[Effect, ...] = ()
    gain: Gain | None = None
    luck, points = fortune
    promotes = can_spend(rules, points, "determined") and pool.expert + pool.dice > 0
    if promotes and (yield from _wanted(by, "determined", what)):
        points, used, pool = spend(rules, points, "determined", used), (*used, "determined"), determined(pool)
    if can_spend(rules, points, "hell-bent"):
        gain = yield from Choice(by, f"Spend Drama Points on Hell-Bent for this {what}?", _GAINS, topic="drama")
        if gain is not None:
            points, used = spend(rules, points, "hell-bent", used), (*used, "hell-bent")
    return gain, pool, Fortune(luck, points), used


def turned(
    rules: Ruleset, reading: Reading[Any], fortune: Fortune, by: str = "", *, what: str = "test", used: tuple[Effect, ...] = ()
) -> Play[tuple[Any, Fortune]]:
    """A roll with rerolls: without a set by Lucky or a Drama Point; Blessed rerolls dice outside of sets."""
    luck, points = fortune
    fell, sets = yield from _fell(rules, reading, points, by, what=what, used=used)
    if luck and no_set(fell) and dice_of(reading).dice and (yield from luck_wanted(by)):
        luck -= 1
        yield Tell(Happened(by, "rolls no set, is Lucky, and rolls again", "good"))
        fell, sets = yield from _fell(rules, reading, points, by, what=f"{what}, once more", used=used)
    if no_set(fell) and can_spend(rules, points, "lucky", used) and (yield from _wanted(by, "lucky", what)):
        points, used = spend(rules, points, "lucky", used), (*used, "lucky")
        yield Tell(Happened(by, "rolls no set, spends Drama Points on Lucky, and rolls again", "good"))
        fell, sets = yield from _fell(rules, reading, points, by, what=f"{what}, again", used=used)
    loose = dice_of(reading).dice - sum([width for width, _ in sets])
    if loose and can_spend(rules, points, "blessed", used) and (yield from _wanted(by, "blessed", what)):
        points = spend(rules, points, "blessed", used)
        keeps = f"keeps {join([f'{width}x{height}' for width, height in sets])}" if sets else "has no set"
        yield Tell(Happened(by, f"{keeps}, is Blessed, and rolls {count(loose, 'die', 'dice')} again", "good"))
        fell = yield from Roll(again(reading, sets), by, f"{what}, blessed")
    return fell, Fortune(luck, points)


def no_set(fell: Any) -> bool:
    """Whether a reading has no set."""
    return not fell or fell == (0, 0)


def _fell(
    rules: Ruleset, reading: Reading[Any], points: int, by: str, *, what: str, used: tuple[Effect, ...]
) -> Play[tuple[Any, tuple[Set, ...]]]:
    """The result of a roll, and the dice in sets if there are points for a reroll."""
    if can_spend(rules, points, "blessed", used):
        return (yield from Roll(Turnable(reading), by, what))
    return (yield from Roll(reading, by, what)), ()


def luck_wanted(by: str, about: Any = None) -> Choice[bool]:
    """Asks about Lucky; the default is yes."""
    return Choice(by, "No set. Use Lucky to roll again?", YES_NO, about, "lucky")


def fortunate_test(
    rules: Ruleset, body: B, pool: Pool, difficulty: int = 1, by: str = "", what: str = "test", at_least: int = 1, height: int = 0
) -> Play[tuple[B, Outcome]]:
    """A test during a fight, with the luck and Drama Points left."""
    dramatic = yield from dramatic_test(rules, pool, body.drama, difficulty, "widest", by, what, body.luck, at_least, height)
    return with_fortune(body, Fortune(dramatic.luck, dramatic.points)), dramatic.outcome


def with_fortune(body: B, fortune: Fortune) -> B:
    """A body with so much luck and so many Drama Points."""
    if fortune == (body.luck, body.drama):
        return body
    return replace(body, luck=fortune.luck, drama=fortune.drama)


NO_YES: tuple[Option[bool], ...] = (Option("no", "No", value=False), Option("yes", "Yes", value=True))
YES_NO = NO_YES[::-1]
"""The same with yes as the default."""
_GAINS: tuple[Option[Gain | None], ...] = (
    Option("no", "No", None),
    Option("width", "+1 Width", "width"),
    Option("height", "+2 Height", "height"),
)


def _wanted(by: str, effect: Effect, what: str) -> Choice[bool]:
    return Choice(by, f"Spend Drama Points on {effect.title()} for this {what}?", NO_YES, topic="drama")


# --- beyond the dice ----------------------------------------------------------------------------------------------------------


class Turned(Struct, frozen=True):
    """The result of Editing: granted, changed or refused; and the points left."""

    answer: Literal["granted", "changed", "refused"]
    points: int


_ANSWERS: tuple[Option[Literal["granted", "changed", "refused"]], ...] = (
    Option("granted", "Accept as proposed", "granted"),
    Option("changed", "Accept with changes", "changed"),
    Option("refused", "Refuse", "refused", "Only if no alternative works."),
)


@rule("ore-4.21-opt-editing")
def editing(rules: Ruleset, points: int = 3, proposal: str = "help arrives", undoes_a_roll: bool = False, by: str = "") -> Play[Turned]:
    """Editing: a player introduces an event, and the Game Master decides; an alternative comes before a refusal. It never undoes a roll.
    A refusal costs nothing (ruling). By id only."""
    left = spend(rules, points, "editing")
    if undoes_a_roll:
        raise UserError("Editing cannot undo a roll; use another effect")
    answer = yield from Choice(GAMEMASTER, f"{by or 'A player'} proposes: {proposal}", _ANSWERS, topic="editing")
    return Turned(answer, points if answer == "refused" else left)


@rule("ore-4.21-opt-editing")
def inspired(rules: Ruleset, points: int = 1) -> int:
    """Inspired: a hint from the Game Master for its cost; returns the points left. By id only."""
    return spend(rules, points, "inspired")
