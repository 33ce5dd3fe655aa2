"""Chases, pursuits and races on foot (book lines 2079-2104, 2641-2645)."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import figure, the
from rulewright.play import Choice, Event, Happened, Option, Play, Roll, Scale, Tell, came_to, sub
from rulewright.rules import Column, Ruleset, rule
from rulewright.rules.reasons import Reason, at_least
from rulewright.systems.silhouette.action.movement import Gait, speed_of
from rulewright.systems.silhouette.people.characters import Person, skill_test
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.modifiers import CHASE, chase_modifier
from rulewright.systems.silhouette.resolution.tests import (
    DIE,
    Mod,
    Pool,
    Side,
    complexity_modifier,
    contest,
    contest_pools,
    passes,
    rolled,
    sum_of,
)

_ID = "sil-3.2.6-chase"


OBSTACLES = Column(_ID, "obstacle", threshold=int)
"""Obstacles that a runner may choose to take."""


class Runner(Struct, frozen=True, cache_hash=True):
    """A runner in a chase: Athletics with Fitness (Complexity separate), and speed in metres per round."""

    name: str = "runner"
    athletics: Pool = Pool(1)
    complexity: int = 1
    speed: float = 20
    level: int = 1
    fitness: int = 0
    conditions: tuple[str, ...] = ()
    """Conditions on this runner's own path, in addition to those for everybody."""

    @classmethod
    def of(cls, rules: Ruleset, person: Person, gait: Gait = "running", penalty: int = 0) -> "Runner":
        """Returns a person at a pace as a runner."""
        mods = (Mod("wounds", penalty),)
        pool = skill_test(rules, person, "athletics", "fitness", task=None, used=("running",), when=("moving",), modifiers=mods)
        best = person.best("athletics")
        return cls(
            person.name,
            pool,
            person.complexity.get(best, 1),
            float(speed_of(rules, person, gait)),
            person.level(best),
            person.attribute("fitness"),
        )

    def side(self, rules: Ruleset, conditions: tuple[str, ...] = ()) -> Side:
        """Returns this runner's side of the test."""
        ground = Mod("ground", chase_modifier(rules, (*conditions, *self.conditions)), "sil-3.2.6-chase-modifiers")
        return Side(self.athletics.plus(ground), "athletics", self.level, self.complexity, self.fitness)


PREY, PURSUER = Runner("prey"), Runner("pursuer")
CHASING = Scale(("falls behind", "keeps up", "gains"), ("gains",), "gains", "gets away")
"""Possible results of a pursuer's round against the prey."""
Change = Literal["open", "close", "leave"]


class Moved(Struct, frozen=True):
    """Change of the gap between the prey and one pursuer in a round, in metres."""

    pursuer: str
    margin: float
    """The prey's total and speed minus the pursuer's."""
    gap: float
    stumbled: int = 0
    """Metres that fumbles added (negative: removed)."""


class Ran(Event, frozen=True):
    """The tests of all runners in a round, with the metres added to each."""

    runners: tuple[tuple[str, Pool, Total, float], ...]

    def headline(self) -> str:
        said = ", ".join(
            f"{name} {figure(result.total + speed)}{' (fumble)' if result.fumble else ''}" for name, _, result, speed in self.runners
        )
        return f"Running: {said}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([_run(*runner) for runner in self.runners])


def _run(name: str, pool: Pool, item: Total, speed: float) -> Reason:
    rolled = sum_of("Athletics test", pool, item, "+", _ID)
    added = (Reason("metres per round", speed, "+", _ID),) if speed else ()
    return Reason(name, item.total + speed, "=", _ID, "book", (rolled, *added))


class ChaseRound(Event, frozen=True):
    """Result of a round of a chase."""

    prey: str
    moved: Moved
    before: float
    change: Change = "open"

    def headline(self) -> str:
        pursuer, gap = self.moved.pursuer, self.moved.gap
        if gap <= 0:
            return f"{pursuer} catches up with {self.prey}"
        change = gap - self.before
        words = "stays at" if not change else f"{'grows' if change > 0 else 'shrinks'} by {figure(abs(change))} m to"
        return f"The gap between {self.prey} and {pursuer} {words} {figure(gap)} m"

    def reasons(self) -> tuple[Reason, ...]:
        return (gap_sum(self.before, self.moved.margin, self.change, self.moved.stumbled),)


def gap_sum(gap: float, margin: float = 0, change: Change = "open", stumbled: float = 0) -> Reason:
    """Explains a gap: the previous gap, the winner's margin and fumbles; never below 0."""
    moved = {"open": 1, "close": -1, "leave": 0}[change] * abs(margin)
    terms = [Reason("gap before", gap), Reason("winner's margin", moved, "+", _ID), Reason("fumbles", stumbled, "+", _ID)]
    total = gap + moved + stumbled
    floor = [at_least(0, rule=_ID)] if total < 0 else []
    kept = [terms[0], *[term for term in terms[1:] if term.value]]
    return Reason("gap in metres", max(0.0, total), "=", _ID, "book", (*kept, *floor))


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule(_ID)
def chase_margin(rules: Ruleset, prey: int, pursuer: int, prey_speed: float = 0, pursuer_speed: float = 0) -> float:
    """Returns the prey's total minus the pursuer's, each with its metres per round added (ruling "speed-in-a-chase")."""
    difference = prey_speed - pursuer_speed if rules.word("speed-in-a-chase") == "added" else 0
    return prey - pursuer + difference


@rule(_ID)
def new_gap(gap: float, margin: float = 0, change: Change = "open", stumbled: int = 0) -> float:
    """Returns the gap after a round: the winner opens, closes or keeps it by the margin; fumbles count on top, and the gap is never
    below 0."""
    sign = {"open": 1, "close": -1, "leave": 0}[change]
    return max(0.0, gap + sign * abs(margin) + stumbled)


@rule(_ID)
def slalom_defense(rules: Ruleset, conditions: tuple[str, ...] = ("slalom",)) -> int:
    """Returns the defense modifier of a runner's path: dodging from side to side gives 1. By id only."""
    return sum([CHASE.get(rules, condition).defense for condition in conditions])


# --- a round ------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def chase_margins(
    rules: Ruleset, prey: Runner = PREY, pursuers: tuple[Runner, ...] = (PURSUER,), conditions: tuple[str, ...] = ()
) -> Play[tuple[tuple[float, int], ...]]:
    """Rolls Athletics once for everybody and adds the speed; returns the prey's margin over each pursuer and the metres from fumbles.

    A fumble of the prey closes every gap by 1d6 more; a fumble of a pursuer opens that pursuer's gap by 1d6.
    """
    everybody = (prey, *pursuers)
    sides = tuple([(runner.name, runner.side(rules, conditions)) for runner in everybody])
    result = yield from contest(rules, sides, prey.name, "chase")
    counted = [runner.speed if rules.word("speed-in-a-chase") == "added" else 0 for runner in everybody]
    ran = [(name, pool, result.total(name), speed) for (name, pool), speed in zip(contest_pools(sides), counted, strict=True)]
    yield from Tell(Ran(tuple(ran)))
    fled = result.total(prey.name)
    lost = (yield from _stumble(prey.name)) if fled.fumble else 0  # 2083
    pairs = []
    for pursuer in pursuers:
        total = result.total(pursuer.name)
        margin = chase_margin(rules, fled.total, total.total, prey.speed, pursuer.speed)
        stumbled = -lost + ((yield from _stumble(pursuer.name)) if total.fumble else 0)  # 2083
        better = margin + stumbled
        yield came_to("gains" if better < 0 else "falls behind" if better else "keeps up", CHASING, pursuer.name, prey.name)
        pairs.append((margin, stumbled))
    return tuple(pairs)


def _stumble(name: str) -> Play[int]:
    metres = yield from Roll(DIE, name, "stumbling")
    yield from Tell(Happened(name, f"stumbles and loses {metres} m", "bad"))
    return metres


@rule(_ID)
def chase_round(
    rules: Ruleset,
    prey: Runner = PREY,
    pursuers: tuple[Runner, ...] = (PURSUER,),
    gaps: tuple[float, ...] = (10.0,),
    conditions: tuple[str, ...] = (),
) -> Play[tuple[Moved, ...]]:
    """Plays a round of a chase: between the prey and each pursuer, the winner changes the gap by the margin."""
    if len(pursuers) != len(gaps) or not pursuers:
        raise UserError("a chase needs at least one pursuer, and a gap for each pursuer")
    margins = yield from sub(chase_margins, rules, prey, pursuers, conditions)
    moveds = []
    for pursuer, gap, (margin, stumbled) in zip(pursuers, gaps, margins, strict=True):
        change = yield from choose_change(prey.name, pursuer.name, margin)
        moved = Moved(pursuer.name, margin, new_gap(gap, margin, change, stumbled), stumbled)
        yield from Tell(ChaseRound(prey.name, moved, gap, change))
        moveds.append(moved)
    return tuple(moveds)


_OPEN: Option[Change] = Option("open", "Open the gap", "open")
_CLOSE: Option[Change] = Option("close", "Close the gap", "close")
_LEAVE: Option[Change] = Option("leave", "Keep the gap", "leave")


def choose_change(prey: str, pursuer: str, margin: float) -> Play[Change]:
    """Asks the winner whether to open, close or keep the gap; without a margin nothing changes."""
    if not margin:
        return "leave"
    winner, options = (prey, (_OPEN, _CLOSE, _LEAVE)) if margin > 0 else (pursuer, (_CLOSE, _OPEN, _LEAVE))
    ask = f"You outrun {pursuer if margin > 0 else prey} by {figure(abs(margin))} m. Change the gap?"
    return (yield from Choice(winner, ask, options, None, "gap"))


# --- obstacles ----------------------------------------------------------------------------------------------------------------


class Hurdled(Struct, frozen=True):
    """Result of an obstacle: the gap, whether the pursuer can still follow, who crashed, and whether the prey cleared it."""

    gap: float
    followed: bool
    prey_crashed: bool = False
    pursuer_crashed: bool = False
    prey_over: bool = True


class Hurdling(Event, frozen=True):
    """A runner's test to clear an obstacle."""

    name: str
    obstacle: str
    pool: Pool
    came: Total
    threshold: int
    over: bool

    def headline(self) -> str:
        if self.came.fumble:  # 2093: a crash
            return f"{self.name} crashes into {the(self.obstacle)}"
        return f"{self.name} {'clears' if self.over else 'does not clear'} {the(self.obstacle)}"

    def reasons(self) -> tuple[Reason, ...]:
        return sum_of("Athletics test", self.pool, self.came, "=", _ID), Reason("Threshold", self.threshold, "against", _ID)

    def tone(self) -> str:
        return "good" if self.over and not self.came.fumble else "bad"  # 2093


class Hurdle(Event, frozen=True):
    """Effect of an obstacle on the gap between the prey and one pursuer."""

    prey: str
    pursuer: str
    obstacle: str
    came: Hurdled
    why: Reason

    def headline(self) -> str:
        if not self.came.followed:
            return f"{self.pursuer} cannot get past {the(self.obstacle)} and is left behind"
        return f"At {the(self.obstacle)}, the gap between {self.prey} and {self.pursuer} is {figure(self.came.gap)} m"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.why,)


@rule(_ID)
def obstacle_threshold(rules: Ruleset, obstacle: str = "low fence") -> int:
    """Returns the Threshold of an obstacle."""
    return OBSTACLES.of(rules, obstacle)


HURDLING = Scale(("left behind", *CHASING.names), CHASING.good, "gains", "gets away")


@rule(_ID)
def hurdle(rules: Ruleset, runner: Runner = PREY, obstacle: str = "low fence") -> Play[Total]:
    """Tests whether a runner clears an obstacle: Athletics, with Complexity above 1, against its Threshold; a fumble is a crash."""
    pool = runner.athletics.plus(complexity_modifier(runner.complexity))
    result = yield from rolled(rules, pool, runner.name, obstacle)
    threshold = converted(rules, obstacle_threshold(rules, obstacle))
    yield from Tell(Hurdling(runner.name, obstacle, pool, result, threshold, passes(rules, result.total, threshold)))
    return result


@rule(_ID)
def take_obstacle(
    rules: Ruleset,
    prey: Runner = PREY,
    pursuer: Runner = PURSUER,
    gap: float = 10.0,
    obstacle: str = "low fence",
    follows: bool = True,
    taken: Total | None = None,
) -> Play[Hurdled]:
    """The prey takes an obstacle, and a pursuer who follows must pass the same Athletics test.

    The higher total changes the gap by the difference. A fumble is a crash: the other runner moves freely for a round, so the gap
    changes by that runner's speed. If both crash, nothing changes (ruling). A pursuer who fails where the prey passed is left behind; if
    both fail, both are delayed equally (ruling). `taken` is the prey's earlier roll: one test counts against all pursuers.
    """
    threshold = converted(rules, obstacle_threshold(rules, obstacle))
    mine: Total = taken if taken is not None else (yield from sub(hurdle, rules, prey, obstacle))
    over = passes(rules, mine.total, threshold) and not mine.fumble  # 2093: a fumble is a crash
    if not follows:
        return Hurdled(gap, False, mine.fumble, prey_over=over)
    theirs: Total = yield from sub(hurdle, rules, pursuer, obstacle)
    margin, crashed = float(mine.total - theirs.total), mine.fumble or theirs.fumble  # 2093
    change: Change = "open"
    lost = over and not crashed and not passes(rules, theirs.total, threshold)
    if crashed:
        margin = prey.speed if not mine.fumble else -pursuer.speed if not theirs.fumble else 0.0  # 2093
        change = "open" if margin > 0 else "close"
    elif not lost:
        change = yield from choose_change(prey.name, pursuer.name, margin)
    hurdled = Hurdled(new_gap(gap, margin, change), not lost, mine.fumble, theirs.fumble, over)
    yield from Tell(Hurdle(prey.name, pursuer.name, obstacle, hurdled, gap_sum(gap, margin, change)))
    nearer = "gains" if hurdled.gap < gap else "falls behind" if hurdled.gap > gap else "keeps up"
    yield came_to("left behind" if lost else nearer, HURDLING, pursuer.name, prey.name)
    return hurdled


# --- the end ------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def chase_ends(gap: float, sight: float = 100) -> Literal["caught", "lost", "goes on"]:
    """Returns how a chase stands: caught without a gap, lost out of sight, or still going on."""
    return "caught" if gap <= 0 else "lost" if gap >= sight else "goes on"
