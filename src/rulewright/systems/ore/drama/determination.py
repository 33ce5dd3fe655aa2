"""Step two of a round: everybody rolls at once, and every set has a Speed (book lines 4210-4268)."""

from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Reading
from rulewright.dice.sets import Set
from rulewright.play import Choice, Option, Play, Roll, Together
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.systems.ore.drama.bargains import Arranged, Bargained
from rulewright.systems.ore.drama.falls import AimedSwiftly, AtNumber, EverySet, Swift, Swiftest
from rulewright.systems.ore.drama.fortune import Turnable
from rulewright.systems.ore.resolution.readings import Fronts, Thrown
from rulewright.systems.ore.resolution.salvos import Spread, Wasting, several
from rulewright.systems.ore.resolution.tests import Pool, sides, thrown, without_dice

Speed = tuple[int, ...]
"""Compared place by place; the higher resolves first."""


class Cast(Struct, frozen=True, cache_hash=True):
    """What somebody rolls in a round: the pool, how many actions it serves, and what stands against it."""

    who: str
    pool: Pool
    actions: int = 1
    difficulty: int = 1
    height: int = 0
    """Points that every set loses of its Height."""
    number: int = 0
    """The number that a die was set to for a called shot; 0 for none."""
    what: str = "action"
    waste: bool = False
    """Whether the lowest waste die matters, for bullets."""
    any_height: bool = False
    """Whether a lower set may be wanted, for the part of the body that it strikes."""
    blessed: bool = False
    """Whether dice that stand in no set might be rolled again."""


class Timed(NamedTuple):
    """A set with its Speed."""

    width: int
    height: int
    speed: Speed


class Determined(Struct, frozen=True):
    """The sets of everybody who rolled, in the order of the casts, one for each action that succeeds.

    `level` says how much of it can matter to those who do not look at the dice: see `scene.FightScene.level`.
    """

    sets: tuple[tuple[Timed, ...], ...]
    level: str = ""
    waste: tuple[int, ...] = ()
    """The lowest waste die of each, where it matters; 0 for none."""
    lying: tuple["Open | None", ...] = ()
    """What lies there of each who might roll some of it again, and has not yet said what it is used for."""


class Open(NamedTuple):
    """A roll that is not settled: what it was read for, and the rolled dice that stand in a set."""

    fell: Any
    sets: tuple[Set, ...]


# --- Speed --------------------------------------------------------------------------------------------------------------------


@rule("ore-4.03-determination")
def speed_of(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """The wider a set, the faster its action: Width is Speed. Sets of equal Speed resolve at the same time (ruling)."""
    return (width,)


@rule("ore-4.04-opt02-height-speed")
@instead_of(speed_of, "speed", "height")
def speed_by_height(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """The higher a set, the faster; Width breaks ties, and what is tied still happens at once."""
    return height, width


@rule("ore-4.04-opt03-waste-speed")
@instead_of(speed_of, "speed", "waste")
def speed_by_waste(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """The waste die that is given up for a set is its Speed; without one it is the slowest of all, at 0."""
    return (waste,)


@rule("ore-4.03-determination")
def waste_counts(rules: Ruleset) -> bool:
    """Whether waste dice decide Speed: they do not."""
    return False


@rule("ore-4.04-opt03-waste-speed")
@instead_of(waste_counts, "speed", "waste")
def waste_decides(rules: Ruleset) -> bool:
    """A die outside the sets that are used decides Speed; each serves one set only (ruling), and sets may be broken up for it."""
    return True


@rule("ore-4.04-no-reaction-to-faster")
def in_time(rules: Ruleset, own: Speed = (2,), other: Speed = (3,)) -> bool:
    """Nobody can react to an action that is faster; one exactly as fast can be answered (ruling, which a campaign can turn round)."""
    return own >= other if rules.on("defence-at-equal-speed") else own > other


# --- everybody rolls ----------------------------------------------------------------------------------------------------------


@rule("ore-4.03-determination")
def determine(rules: Ruleset, casts: tuple[Cast, ...], level: str = "") -> Play[Determined]:
    """Everybody rolls at the same time; then each says which set serves which action, and each set has its Speed."""
    readings = [reading_of(rules, cast) for cast in casts]
    rolls = [Roll(reading, cast.who, cast.what) for cast, reading in zip(casts, readings, strict=True) if reading is not None]
    fell = list((yield from Together(tuple(rolls)))) if rolls else []
    found, waste = [], []
    lying: list[Open | None] = []
    for cast, reading in zip(casts, readings, strict=True):
        if reading is None:
            found.append((yield from _without(rules, cast)))
            waste.append(0)
            lying.append(None)
        elif cast.blessed:
            found.append(())
            waste.append(0)
            lying.append(Open(*fell.pop(0)))
        else:
            dice = fell.pop(0)
            found.append((yield from used(rules, cast, dice)))
            waste.append(lowest_waste(rules, cast, dice))
            lying.append(None)
    return Determined(tuple(found), level, tuple(waste), tuple(lying))


def lowest_waste(rules: Ruleset, cast: Cast, fell: Any) -> int:
    """The lowest die outside the sets, where bullets are counted by it; 0 for none."""
    if not cast.waste or cast.number:
        return 0
    return int(fell[1])


def reading_of(rules: Ruleset, cast: Cast) -> Reading[Any] | None:
    """How somebody's dice are read, and which of them stand in a set where the others might be rolled again."""
    reading = plain_reading(rules, cast)
    return Turnable(reading) if cast.blessed and reading is not None else reading


def plain_reading(rules: Ruleset, cast: Cast) -> Reading[Any] | None:
    """How somebody's dice are read: for one set or for several, with waste dice where these count; None if there is nothing to roll."""
    dice = dice_of(rules, cast)
    if dice is None:
        return None
    if cast.number:
        aimed = AimedSwiftly if waste_counts(rules) else AtNumber
        return aimed(dice, cast.number) if cast.number >= dice.difficulty else None
    if cast.actions == 1 and not cast.waste:
        return Swiftest(dice, cast.any_height) if waste_counts(rules) else EverySet(dice) if cast.any_height else Fronts(dice)
    read = several(rules, cast.pool, cast.actions, cast.difficulty)
    if read is None:
        return None
    read = replace(read, thrown=dice)
    if bargains(rules, cast):
        return Bargained(read)
    return Spread(read) if waste_counts(rules) else Wasting(read) if cast.waste else read


def bargains(rules: Ruleset, cast: Cast) -> bool:
    """Whether the sets of a roll for several actions may be traded: not where dice outside them count too (ruling)."""
    if cast.actions == 1 or cast.number or cast.waste or waste_counts(rules):
        return False
    dice = thrown(rules, cast.pool, cast.difficulty)
    return dice is not None and bool(dice.trades)


def dice_of(rules: Ruleset, cast: Cast) -> Thrown | None:
    """The dice that are thrown; a loss of Height discards what would fall below the Difficulty, and a set die lies there already."""
    dice = thrown(rules, cast.pool, cast.difficulty)
    if dice is None:
        return None
    if cast.height:
        if dice.difficulty + cast.height > dice.top:
            return None
        dice = replace(dice, difficulty=dice.difficulty + cast.height)
    if not cast.number:
        return dice
    if dice.dice < 1:
        return None
    lent = tuple([lent + (face == cast.number) for face, lent in enumerate(dice.lent, 1)])
    return replace(dice, dice=dice.dice - 1, lent=lent)


def _without(rules: Ruleset, cast: Cast) -> Play[tuple[Timed, ...]]:
    """Nothing to roll: a Luck die where the campaign has one and no dice are left at all, else nothing."""
    if thrown(rules, cast.pool, cast.difficulty) is not None or cast.number:
        return ()
    lucky = yield from without_dice(rules, cast.who, cast.what)
    if not lucky.success or lucky.height - cast.height < 1:
        return ()
    return (Timed(lucky.width, lucky.height - cast.height, speed_of(rules, lucky.width, lucky.height - cast.height, 0)),)


def used(rules: Ruleset, cast: Cast, fell: Any) -> Play[tuple[Timed, ...]]:
    """The sets that somebody uses: chosen where there is something to choose between."""
    if cast.number:
        width, waste = fell if isinstance(fell, tuple) else (fell, 0)
        return (_timed(rules, cast, (int(width), cast.number, int(waste))),) if int(width) >= 2 else ()
    assert isinstance(fell, tuple)
    if bargains(rules, cast):
        fell = (yield from _traded(rules, cast, fell)) if len(fell) > 1 else fell[0] if fell else ()
    ways: tuple[Swift, ...] = tuple([(*way, 0)[:3] for way in (fell[0] if _with_waste(rules, cast) else fell)])
    if cast.height:  # a squashed set can have lost too much
        ways = tuple([way for way in ways if way[1] > cast.height])
    if cast.actions == 1 and len(ways) > 1:
        ways = ((yield from _chosen(rules, cast, ways)),)
    return tuple([_timed(rules, cast, way) for way in ways])


def has_set(rules: Ruleset, cast: Cast, fell: Any) -> bool:
    """Whether a roll holds a set for what it is used for; beside the number of a called shot there is none (ruling)."""
    if cast.number:
        return int(fell[0] if isinstance(fell, tuple) else fell) >= 2
    return bool(fell[0] if _with_waste(rules, cast) else fell)


def _with_waste(rules: Ruleset, cast: Cast) -> bool:
    """Whether a roll was read for sets and the lowest waste die."""
    return cast.waste or (waste_counts(rules) and cast.actions > 1)


class Lying(Struct, frozen=True, eq=False):
    """What a choice between sets is about."""

    rules: Ruleset
    cast: Cast
    ways: tuple[Swift, ...]


def _chosen(rules: Ruleset, cast: Cast, ways: tuple[Swift, ...]) -> Play[Swift]:
    """Which of the sets that lie on the table somebody uses."""
    waste = waste_counts(rules)
    options = tuple([Option(_key(way, waste), _words(way, waste), way) for way in ways])
    return (yield from Choice(cast.who, "Which set do you use?", options, Lying(rules, cast, ways), "set"))


class Dealing(Struct, frozen=True, eq=False):
    """What a choice between trades is about."""

    rules: Ruleset
    cast: Cast
    ways: tuple[Arranged, ...]


def _traded(rules: Ruleset, cast: Cast, ways: tuple[Arranged, ...]) -> Play[Arranged]:
    """Whether the sets of a roll for several actions are used as they lie, or one of them is traded."""
    words = [" and ".join([f"{width}x{height}" for width, height in way]) for way in ways]
    options = tuple([Option(each.replace(" and ", "+"), each, way) for each, way in zip(words, ways, strict=True)])
    return (yield from Choice(cast.who, "How do you use your sets?", options, Dealing(rules, cast, ways), "trade"))


def _key(way: Swift, waste: bool) -> str:
    return f"{way[0]}x{way[1]}" + (f"@{way[2]}" if waste else "")


def _words(way: Swift, waste: bool) -> str:
    return f"{way[0]}x{way[1]}" + (f" at Speed {way[2]}" if waste else "")


def _timed(rules: Ruleset, cast: Cast, way: Swift) -> Timed:
    width, height, waste = way
    return Timed(width, height - cast.height, speed_of(rules, width, height - cast.height, waste))


def as_set(timed: Timed) -> Set:
    """A set without its Speed."""
    return timed.width, timed.height


def highest(rules: Ruleset) -> int:
    """The highest face of a die."""
    return sides(rules)
