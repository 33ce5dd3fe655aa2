"""Step two of a round: everybody rolls, and every set gets a Speed (book lines 4210-4268)."""

from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Reading
from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play, Roll, Together
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.systems.ore.drama.rerolls import Turnable, TurnableOrFaces
from rulewright.systems.ore.drama.round_readings import AimedSwiftly, AtNumber, EverySet, Swift, Swiftest
from rulewright.systems.ore.log_phrases import action_phrase
from rulewright.systems.ore.resolution.burn_reading import Burning
from rulewright.systems.ore.resolution.dice_assignment import Left, OnTable, Way, ways
from rulewright.systems.ore.resolution.joint_readings import Fronts
from rulewright.systems.ore.resolution.outcomes import sides, without_dice
from rulewright.systems.ore.resolution.readings import OrFaces, Thrown
from rulewright.systems.ore.resolution.readings import dice_of as dice_of_reading
from rulewright.systems.ore.resolution.salvos import free_dice
from rulewright.systems.ore.resolution.tests import NO_EDGE, Edge, Pool, thrown

Speed = tuple[int, ...]
"""Compared element by element; the higher resolves first."""


class Cast(Struct, frozen=True, cache_hash=True, gc=False):
    """One roll of a round: pool, number of actions, and Difficulty."""

    who: str
    pool: Pool
    actions: int = 1
    """The number of sets it can use."""
    difficulty: int = 1
    height: int = 0
    """Height lost by every set."""
    number: int = 0
    """The number of the set die of a called shot; 0 for none."""
    what: str = "action"
    waste: bool = False
    """Whether the lowest waste die matters for bullets."""
    any_height: bool = False
    """Whether a lower set may be better because of its location."""
    blessed: bool = False
    """Whether dice outside of sets might be rerolled."""
    parts: tuple["ActionPart", ...] = ()
    """The purpose of each set, if there are several."""
    burns: int = 0
    """The face below which dice burn, with a power; 0 for none."""
    speed: int = 0
    """Speed bonus."""
    again: int = 0
    """Dice that a feat can reroll without a set; 0 for none."""

    def part(self, place: int) -> "ActionPart":
        """The purpose of one of several sets."""
        return self.parts[place] if self.parts else ActionPart(self.what if self.actions == 1 else f"action {place + 1}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of set dice for called shots among several actions."""
        return tuple([part.number for part in self.parts if part.number])

    @property
    def laid_out(self) -> bool:
        """Whether the whole roll is read, because dice are assigned or waste dice count."""
        return self.actions > 1 or (self.waste and not self.number)


class ActionPart(NamedTuple):
    """One of several actions of a roll: label, number of its called shot, and the earlier action (from 1) it depends on."""

    label: str
    number: int = 0
    needs: int = 0
    edge: Edge = NO_EDGE
    """Changes to its set besides the dice."""
    speed: int = 0


class Timed(NamedTuple):
    """A set with its Speed."""

    width: int
    height: int
    speed: Speed


class Determined(Struct, frozen=True, gc=False):
    """The sets of all rolls in order, one per action, or None without one. `level` limits what is read; see `scene.FightScene.level`."""

    sets: tuple[tuple["Timed | None", ...], ...]
    level: str = ""
    waste: tuple[int, ...] = ()
    """The lowest waste die of each roll, if it matters; 0 for none."""
    lying: tuple["Open | None", ...] = ()
    """Unsettled rolls that may be rerolled in part."""
    burnt: tuple[tuple[str, int], ...] = ()
    """Who has burning dice, and how many."""


class Open(NamedTuple):
    """An unsettled roll: its reading, and the dice in sets."""

    fell: Any
    sets: tuple[Set, ...]


# --- Speed --------------------------------------------------------------------------------------------------------------------


@rule("ore-4.03-determination")
def speed_of(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """Width is Speed. Sets of equal Speed resolve at the same time (ruling)."""
    return (width,)


@rule("ore-4.04-opt02-height-speed")
@instead_of(speed_of, "speed", "height")
def speed_by_height(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """Height is Speed; Width breaks ties, and remaining ties happen at the same time."""
    return height, width


@rule("ore-4.04-opt03-waste-speed")
@instead_of(speed_of, "speed", "waste")
def speed_by_waste(rules: Ruleset, width: int = 3, height: int = 5, waste: int = 0) -> Speed:
    """The waste die given up for a set is its Speed; without one it is 0, the slowest."""
    return (waste,)


@rule("ore-4.03-determination")
def waste_counts(rules: Ruleset) -> bool:
    """Whether waste dice decide Speed: no."""
    return False


@rule("ore-4.04-opt03-waste-speed")
@instead_of(waste_counts, "speed", "waste")
def waste_decides(rules: Ruleset) -> bool:
    """A die outside of used sets decides Speed; each serves one set (ruling), and sets may be broken up for it."""
    return True


@rule("ore-4.04-no-reaction-to-faster")
def in_time(rules: Ruleset, own: Speed = (2,), other: Speed = (3,)) -> bool:
    """Nobody can react to a faster action; equal Speed is in time (ruling; setting defence-at-equal-speed)."""
    return own >= other if rules.on("defence-at-equal-speed") else own > other


# --- everybody rolls ----------------------------------------------------------------------------------------------------------


@rule("ore-4.03-determination")
def determine(rules: Ruleset, casts: tuple[Cast, ...], level: str = "") -> Play[Determined]:
    """Everybody rolls at the same time; then each assigns sets to actions, and each set gets its Speed."""
    readings = [reading_of(rules, cast) for cast in casts]
    rolls = [
        Roll(reading, cast.who, action_phrase(cast.what)) for cast, reading in zip(casts, readings, strict=True) if reading is not None
    ]
    fell = list((yield from Together(tuple(rolls)))) if rolls else []
    burnt = _burnt(readings, casts, fell) if any(cast.burns for cast in casts) else ()
    result: list[tuple[Timed | None, ...]] = []
    waste, lying = [0] * len(casts), list[Open | None]([None] * len(casts))
    for place, (cast, reading) in enumerate(zip(casts, readings, strict=True)):
        if reading is None:
            result.append((yield from _roll_luck_die(rules, cast)))
        elif cast.blessed or cast.again:
            result.append(())
            lying[place] = Open(*fell.pop(0))
        else:
            dice = fell.pop(0)
            result.append((yield from used(rules, cast, dice)))
            waste[place] = lowest_waste(rules, cast, dice, result[-1])
    return Determined(tuple(result), level, tuple(waste), tuple(lying), burnt)


def _burnt(readings: list[Reading[Any] | None], casts: tuple[Cast, ...], fell: list[Any]) -> tuple[tuple[str, int], ...]:
    """The people whose dice burn, with the lowest die, as first rolled (ruling)."""
    rolled = [(cast, reading) for cast, reading in zip(casts, readings, strict=True) if reading is not None]
    pairs = []
    for place, (cast, reading) in enumerate(rolled):
        if isinstance(reading, Burning):
            fell[place], low = fell[place]
            pairs += [(cast.who, low)] if low else []
    return tuple(pairs)


def lowest_waste(rules: Ruleset, cast: Cast, fell: Any, sets: tuple[Timed | None, ...]) -> int:
    """The lowest die outside of sets, if bullets depend on it; 0 for none."""
    if not cast.waste or not cast.laid_out:
        return 0
    reading = plain_reading(rules, cast)
    assert isinstance(reading, OnTable)
    return reading.lowest_waste(fell, {timed.height + cast.height for timed in sets if timed is not None})


def reading_of(rules: Ruleset, cast: Cast) -> Reading[Any] | None:
    """The reading of a roll, with the dice in sets if the others might be rerolled."""
    reading = plain_reading(rules, cast)
    if reading is None:
        return None
    if cast.again:
        reading = TurnableOrFaces(reading) if cast.blessed else OrFaces(reading)
    elif cast.blessed:
        reading = Turnable(reading)
    return Burning(reading, min(cast.burns, dice_of_reading(reading).difficulty)) if cast.burns > 1 else reading


def plain_reading(rules: Ruleset, cast: Cast) -> Reading[Any] | None:
    """The reading of a roll: one set or several, with waste dice if they count; None without dice."""
    dice = dice_of(rules, cast)
    if dice is None:
        return None
    if cast.number:
        aimed = AimedSwiftly if waste_counts(rules) else AtNumber
        return aimed(dice, cast.number) if cast.number >= dice.difficulty else None
    if not cast.laid_out:
        return Swiftest(dice, cast.any_height) if waste_counts(rules) else EverySet(dice) if cast.any_height else Fronts(dice)
    keep: Literal["sets", "lowest", "all"] = "all" if waste_counts(rules) else "lowest" if cast.waste else "sets"
    return OnTable(dice, free_dice(rules, cast.pool), keep, cast.numbers)


@cached(4_000)
def dice_of(rules: Ruleset, cast: Cast) -> Thrown | None:
    """The dice that are rolled; lost Height discards low dice, and a set die is already on the table."""
    dice = thrown(rules, cast.pool, cast.difficulty)
    if dice is None:
        return None
    if cast.height:
        if dice.difficulty + cast.height > dice.top:
            return None
        dice = replace(dice, difficulty=dice.difficulty + cast.height)
    if dice.trades.gains and waste_counts(rules):  # these are counted once the set is chosen
        dice = replace(dice, trades=replace(dice.trades, wider=0, higher=0, floor=0, shift=0))
    if not cast.number:
        own = len(cast.numbers)
        return None if dice.dice < own else replace(dice, dice=dice.dice - own) if own else dice
    if dice.dice < 1:
        return None
    lent = tuple([lent + (face == cast.number) for face, lent in enumerate(dice.lent, 1)])
    return replace(dice, dice=dice.dice - 1, lent=lent)


def _roll_luck_die(rules: Ruleset, cast: Cast) -> Play[tuple[Timed, ...]]:
    """No dice to roll: a Luck die if the campaign allows it."""
    if thrown(rules, cast.pool, cast.difficulty) is not None or cast.number or cast.numbers:
        return ()
    lucky = yield from without_dice(rules, cast.who, cast.what)
    if not lucky.success or lucky.height - cast.height < 1:
        return ()
    return (Timed(lucky.width, lucky.height - cast.height, speed_of(rules, lucky.width, lucky.height - cast.height, 0)),)


def used(rules: Ruleset, cast: Cast, fell: Any) -> Play[tuple[Timed | None, ...]]:
    """The sets used: asked if there is a choice."""
    if cast.number:
        width, waste = fell if isinstance(fell, tuple) else (fell, 0)
        wider = int(width) + cast.pool.edge.width  # a called shot strikes where it was aimed, however high it counts
        return (_timed(rules, cast, (wider, cast.number, int(waste))),) if int(width) >= 2 else ()
    if cast.laid_out:
        return (yield from given_out(rules, cast, fell))
    entries: tuple[Swift, ...] = tuple([(*way, 0)[:3] for way in fell])
    if cast.pool.edge.gains and waste_counts(rules):
        entries = tuple([_with_gains(rules, way, cast.pool.edge) for way in entries])
    if cast.height:  # a squashed set can have lost too much
        entries = tuple([way for way in entries if way[1] > cast.height])
    if len(entries) > 1:
        entries = ((yield from _ask_which_set(rules, cast, entries)),)
    return tuple([_timed(rules, cast, way) for way in entries])


@rule("ore-1.06-breaking-up", "ore-1.13-multiple-actions")
def given_out(rules: Ruleset, cast: Cast, fell: tuple[Set, ...]) -> Play[tuple[Timed | None, ...]]:
    """Asks for each action which dice serve it: any set, whole or broken up, or none. An action that depends on an earlier one needs
    that one to have a set."""
    dice, left = dice_of(rules, cast), Left(fell, free_dice(rules, cast.pool))
    if dice is None:
        raise UserError(f"{cast.who} rolls no dice, so there are no sets to assign")
    given: list[Timed | None] = []
    for place in range(cast.actions):
        part, last = cast.part(place), place == cast.actions - 1
        result = ways(dice, left, part.number, last, waste_counts(rules))
        result = tuple([way for way in result if way.height > cast.height])
        if not result or (part.needs and given[part.needs - 1] is None):
            given.append(None)
            continue
        way: Way | None = result[0]
        if len(result) > 1 or not last:
            way = yield from _ask_which_dice(rules, cast, place, result, left)
        given.append(_for_part(rules, cast, part, way) if way is not None else None)
        left = way.left if way is not None else left
    return tuple(given)


class Arranging(Struct, frozen=True, eq=False):
    """The subject of a choice of dice for one of several actions."""

    rules: Ruleset
    cast: Cast
    place: int
    ways: tuple[Way, ...]
    left: Left
    dice: Thrown


def _ask_which_dice(rules: Ruleset, cast: Cast, place: int, item: tuple[Way, ...], left: Left) -> Play[Way | None]:
    """Asks which dice an action gets."""
    options = _dice_options(item, waste_counts(rules), last=place == cast.actions - 1)
    dice = dice_of(rules, cast)
    assert dice is not None
    about = Arranging(rules, cast, place, item, left, dice)
    return (yield from Choice(cast.who, f"Which dice for {action_phrase(cast.part(place).label)}?", options, about, "dice"))


@cached(2_000)
def _dice_options(item: tuple[Way, ...], waste: bool, *, last: bool) -> tuple[Option[Way | None], ...]:
    """The dice to choose from; none is possible except for the last action."""
    options: list[Option[Way | None]] = []
    for way in item:
        speed = f" at Speed {way.waste}" if waste else ""
        options.append(Option(way.key, way.key.partition("@")[0] + speed, way))
    if not last:
        options.append(Option("none", "No dice", None))
    return tuple(options)


def has_set(rules: Ruleset, cast: Cast, fell: Any) -> bool:
    """Whether a roll has a usable set; for a called shot only its number counts (ruling)."""
    if cast.number:
        return int(fell[0] if isinstance(fell, tuple) else fell) >= 2
    if not cast.laid_out:
        return bool(fell)
    dice, left = dice_of(rules, cast), Left(fell, free_dice(rules, cast.pool))
    return dice is not None and any(ways(dice, left, cast.part(place).number, last=True) for place in range(cast.actions))


class Lying(Struct, frozen=True, eq=False):
    """The subject of a choice between sets."""

    rules: Ruleset
    cast: Cast
    ways: tuple[Swift, ...]


def _ask_which_set(rules: Ruleset, cast: Cast, ways: tuple[Swift, ...]) -> Play[Swift]:
    """Asks which set to use."""
    options = _set_options(ways, waste_counts(rules))
    return (yield from Choice(cast.who, "Which set do you use?", options, Lying(rules, cast, ways), "set"))


@cached(2_000)
def _set_options(ways: tuple[Swift, ...], waste: bool) -> tuple[Option[Swift], ...]:
    """The sets to choose from, cached."""
    options = []
    for way in ways:
        lies = f"{way[0]}x{way[1]}"
        options.append(Option(f"{lies}@{way[2]}", f"{lies} at Speed {way[2]}", way) if waste else Option(lies, lies, way))
    return tuple(options)


def _for_part(rules: Ruleset, cast: Cast, part: ActionPart, way: Way) -> Timed:
    """The set of one of several actions with its changes; a called shot hits its target part."""
    used = (way.width, way.height, way.waste)
    if part.edge.gains:
        used = (way.width + part.edge.width, way.height, way.waste) if part.number else _with_gains(rules, used, part.edge)
    return _timed(rules, cast, used, part.speed)


def _with_gains(rules: Ruleset, way: Swift, edge: Edge) -> Swift:
    """A set with its changes; a shift moves it upwards."""
    width, height, waste = way
    return width + edge.width, min(sides(rules), max(height + edge.height + edge.shift, edge.floor)), waste


def _timed(rules: Ruleset, cast: Cast, way: Swift, speed: int = 0) -> Timed:
    width, height, waste = way
    when = speed_of(rules, width, height - cast.height, waste)
    more = cast.speed + speed
    return Timed(width, height - cast.height, (max(0, when[0] + more), *when[1:]) if more else when)
