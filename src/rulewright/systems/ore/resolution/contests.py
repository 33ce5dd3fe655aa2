"""Multiple actions, contests, cooperation, opposition and projects (book lines 397-521)."""

from typing import Literal

from msgspec import Struct

from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Roll, Together, sub
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, at_least, at_most, divided, rounded, term, total
from rulewright.systems.ore.resolution.joint_readings import Countering, Fronts, Team
from rulewright.systems.ore.resolution.outcomes import Outcome, difficulty_of, outcome_of, without_dice
from rulewright.systems.ore.resolution.readings import Aim, BestFor, HowManySets, Thrown, countered
from rulewright.systems.ore.resolution.tests import MOST_DICE, NO_EDGE, Edge, Mod, Pool, make_test, ready_dice, special_dice, thrown

MOST_ROLLS = 60
"""The most rolls of a project."""
MOST_ACTIONS = 6
TWO = (Pool(7), Pool(6))
"""A default of two pools."""


# --- several actions in one roll ----------------------------------------------------------------------------------------------


@rule("ore-1.13-multiple-actions")
def dice_for_actions(rules: Ruleset, pools: tuple[int, ...] = (7, 5), penalty: int = 0) -> Derived[int]:
    """The dice for several actions: the smallest pool, -1d per action beyond the first. A view of pools in fights."""
    shared = shared_pool(rules, tuple([Pool(dice) for dice in pools])).plus(Mod("penalty", -abs(penalty)))
    terms = [term("the smallest pool", min(pools)), *[mod.reason() for mod in shared.mods], at_least(0), at_most(MOST_DICE)]
    return total("Dice", *terms, rule="ore-1.13-multiple-actions")


@rule("ore-1.13-multiple-actions")
def shared_pool(rules: Ruleset, pools: tuple[Pool, ...], free: int = 0, largest: bool = False, common: bool = False) -> Pool:
    """Several actions share the lowest pool, -1d per action beyond the first, and the penalties of all. Bonuses of that pool count
    (ruling: the setting can limit them to common ones); changes of a single action do not (ruling). With feats, `free` actions cost no
    die, and `largest` uses the largest pool; `common` keeps common bonuses only."""
    if not 1 <= len(pools) <= MOST_ACTIONS:
        raise UserError(f"one roll serves 1 to {MOST_ACTIONS} actions")
    if len(pools) == 1:
        return pools[0]
    common = common or only_common(rules)
    counted = counted_pool(rules, pools, largest, common)
    bonuses = [mod for mod in counted.mods if mod.dice > 0 and not (common and any(mod not in pool.mods for pool in pools))]
    penalties = dict.fromkeys(mod for pool in pools for mod in pool.mods if mod.dice < 0)
    bare = Pool(counted.dice, counted.expert, counted.master, (), counted.several, counted.beyond_ten, _shared_edge(pools))
    return bare.plus(*bonuses, *penalties, Mod("further actions", 1 - len(pools) + free, "ore-1.13-multiple-actions"))


def only_common(rules: Ruleset) -> bool:
    """Whether several actions keep only the bonuses that all of them have."""
    return rules.word("bonuses-of-several-actions") == "common to all"


def counted_pool(rules: Ruleset, pools: tuple[Pool, ...], largest: bool = False, common: bool = False) -> Pool:
    """The pool that several actions share: the lowest, before penalties, which count for all of them anyway."""
    common = common or only_common(rules)
    return (max if largest else min)(pools, key=lambda pool: pool.size if common else pool.size + pool.bonus)


def _shared_edge(pools: tuple[Pool, ...]) -> Edge:
    """The changes that all actions allow."""
    if all(pool.edge is NO_EDGE for pool in pools):
        return NO_EDGE
    return Edge(all(pool.edge.squash for pool in pools), all(pool.edge.squish for pool in pools))


@rule("ore-1.13-multiple-actions")
def set_count(rules: Ruleset, pool: Pool, difficulty: int = 1, by: str = "", what: str = "several actions") -> Play[int]:
    """Into how many sets a roll can be broken up."""
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        lucky = yield from without_dice(rules, by, what)
        return int(lucky.success)
    ready = ready_dice(rules, pool)
    wild = special_dice(rules, ready.expert, ready.master, pool.several).wild
    return (yield from Roll(HowManySets(dice, wild), by, what))


@rule("ore-1.13-multiple-actions")
def multiple_actions(rules: Ruleset, pools: tuple[Pool, ...] = TWO, difficulty: int = 1, by: str = "") -> Play[int]:
    """How many of several dependent actions succeed: each needs a set."""
    sets = yield from set_count(rules, shared_pool(rules, pools), difficulty, by)
    return min(sets, len(pools))


@rule("ore-1.13-multiple-actions")
def succeeding(sets: int, depends: tuple[int, ...] = (0, 1)) -> tuple[int, ...]:
    """The actions that get a set, earliest first; `depends` gives for each the number of the action it needs, or 0. A view of assigning
    dice in fights."""
    given: list[int] = []
    for number, needed in enumerate(depends, 1):
        if not 0 <= needed < number:
            raise UserError(f"action {number} can only depend on an earlier action, not on {needed}")
        if len(given) < sets and (needed == 0 or needed in given):
            given.append(number)
    return tuple(given)


# --- against each other -------------------------------------------------------------------------------------------------------


class CompareRow(TableRow, frozen=True):
    """What decides a contest, with examples."""

    compare: Literal["width", "height"]
    between: str
    examples: tuple[str, ...]


COMPARED = Table("ore-1.14-competitive", CompareRow)


class Contest(Struct, frozen=True):
    """The results of several sides, in order."""

    outcomes: tuple[Outcome, ...]
    by: Literal["width", "height"] = "width"

    @property
    def winner(self) -> int | None:
        """The index of the winner; None for a draw or if all fail."""
        keys = [(outcome.width, outcome.height) if self.by == "width" else (outcome.height, outcome.width) for outcome in self.outcomes]
        best = max(keys)
        return keys.index(best) if best > (0, 0) and keys.count(best) == 1 else None


@rule("ore-1.14-competitive")
def competitive(
    rules: Ruleset,
    sides: tuple[Pool, ...] = TWO,
    by: Literal["width", "height"] = "width",
    difficulty: int = 1,
    names: tuple[str, ...] = (),
    difficulties: tuple[int, ...] = (),
) -> Play[Contest]:
    """Everybody rolls; the widest set wins, or the highest if chosen; the other measure breaks ties (ruling). `difficulties` if they
    differ."""
    if len(sides) < 2 or any(given and len(given) != len(sides) for given in (names, difficulties)):
        raise UserError("a contest needs at least two sides, with one name and one Difficulty for each")
    aim: Aim = "widest" if by == "width" else "highest"
    dice = [thrown(rules, pool, need) for pool, need in zip(sides, difficulties or (difficulty,) * len(sides), strict=True)]
    called = names or tuple([""] * len(sides))
    rolls = [Roll(BestFor(outcome, aim), name, "contest") for outcome, name in zip(dice, called, strict=True) if outcome is not None]
    fell = list((yield from Together(tuple(rolls)))) if rolls else []
    outcomes = []
    for result, name in zip(dice, called, strict=True):
        outcomes.append((yield from without_dice(rules, name, "contest")) if result is None else outcome_of(fell.pop(0)))
    return Contest(tuple(outcomes), by)


@rule("ore-1.15-cooperative")
def cooperative(
    rules: Ruleset, helpers: tuple[Pool, ...] = TWO, difficulty: int = 1, by: str = "", what: str = "common task"
) -> Play[Outcome]:
    """All roll against the same Difficulty; the narrowest set is the base, and everybody else adds one matching die. Each uses the
    widest set, and of equal ones the lowest counts; helpers without a set can add a die (rulings)."""
    dice = [result for pool in helpers if (result := thrown(rules, pool, difficulty)) is not None]
    if not dice:
        return (yield from _common_luck(rules, len(helpers), by, what))
    bare = tuple([Thrown(die.dice, die.lent, die.difficulty) for die in dice])  # trades and Runs are for one person's roll
    return outcome_of((yield from Roll(Team(bare), by, what)))


def _common_luck(rules: Ruleset, helpers: int, by: str, what: str) -> Play[Outcome]:
    """Without dice everybody rolls a Luck die, if allowed; successes match."""
    fell = []
    for _ in range(helpers):
        fell.append((yield from without_dice(rules, by, what)))
    lucky = [outcome for outcome in fell if outcome.success]
    if lucky:
        return Outcome(sum([outcome.width for outcome in lucky]), lucky[0].height)
    return Outcome(catastrophe=any(outcome.catastrophe for outcome in fell))


@rule("ore-1.16-opposed")
def counter(rules: Ruleset, width: int = 3, height: int = 7, counter_width: int = 2, counter_height: int = 8) -> Outcome:
    """Each die of the opponent's set takes one from a set of the same or lower Height: the rest."""
    return outcome_of(countered((width, height), (counter_width, counter_height), spoiled_at(rules)))


@rule("ore-1.16-opposed")
def spoiled_at(rules: Ruleset) -> int:
    """The Width at which a countered set is spoiled: 1."""
    return 1


@rule("ore-1.17-opt-set-for-a-set")
def devalued(width: int = 3, height: int = 4, counter_width: int = 2, counter_height: int = 5) -> Outcome:
    """A countered set of one die is a Minimal Success. A view of that option."""
    return outcome_of(countered((width, height), (counter_width, counter_height), 0))


@rule("ore-1.17-opt-set-for-a-set")
@instead_of(spoiled_at, "set-for-a-set")
def spoiled_at_nothing(rules: Ruleset) -> int:
    """A set is spoiled only without dice."""
    return 0


@rule("ore-1.16-opposed")
def gobble(rules: Ruleset, sets: tuple[Set, ...], counters: tuple[int, ...], plan: tuple[int, ...] = ()) -> tuple[Outcome, ...]:
    """Counter dice with Heights go against any sets they reach; `plan` gives the set of each. Without a plan they spoil as many sets as
    possible, narrowest first. A view of counter dice in fights."""
    widths = [width for width, _ in sets]
    touched = [False] * len(sets)
    if not plan:
        plan = _spoiling(sets, counters, spoiled_at(rules))
    if len(plan) != len(counters):
        raise UserError(f"{count(len(counters), 'counter die', 'counter dice')} need {count(len(counters), 'target')}, not {len(plan)}")
    for height, target in zip(counters, plan, strict=True):
        if target < 0:
            continue
        if target >= len(sets):
            raise UserError(f"there is no set {target}, only {count(len(sets), 'set')}")
        if sets[target][1] > height:
            raise UserError(f"a counter die of Height {height} cannot reach a set of Height {sets[target][1]}")
        widths[target] = max(0, widths[target] - 1)
        touched[target] = True
    return tuple(
        Outcome() if touched[i] and widths[i] <= spoiled_at(rules) else Outcome(widths[i], height) for i, (_, height) in enumerate(sets)
    )


def _spoiling(sets: tuple[Set, ...], counters: tuple[int, ...], at: int) -> tuple[int, ...]:
    """A plan that spoils as many sets as possible."""
    plan = [-1] * len(counters)
    for place in sorted(range(len(sets)), key=lambda i: (sets[i][0], sets[i][1])):
        width, height = sets[place]
        free = sorted((i for i, die in enumerate(counters) if plan[i] < 0 and die >= height), key=lambda i: counters[i])
        needed = max(1, width - at)
        if len(free) >= needed:
            for i in free[:needed]:
                plan[i] = place
    for i, die in enumerate(counters):  # what is left narrows whatever it reaches
        if plan[i] < 0:
            reached = [p for p, (_, height) in enumerate(sets) if height <= die]
            open_sets = [p for p in reached if plan.count(p) < sets[p][0] - at]
            plan[i] = max(open_sets, key=lambda p: sets[p][0], default=-1)
    return tuple(plan)


@rule("ore-1.16-opposed")
def opposed(
    rules: Ruleset,
    active: Pool,
    opponent: Pool,
    difficulty: int = 1,
    opposing_difficulty: int = 1,
    aim: Aim = "widest",
    by: str = "",
    against: str = "",
    what: str = "test",
) -> Play[Outcome]:
    """An opposed test: the opponent's set takes dice from the first, if high enough. If the first fails, the opponent need not roll. The
    active side chooses its set knowing the counter, and the opponent counters with one set (rulings)."""
    dice, others = thrown(rules, active, difficulty), thrown(rules, opponent, opposing_difficulty)
    if dice is None:
        tried = yield from without_dice(rules, by, what)
        sets: tuple[Set, ...] = ((tried.width, tried.height),) if tried.success else ()
        if not sets:
            return tried
    else:
        sets = yield from Roll(Fronts(dice), by, what)
    if not sets:
        return Outcome()
    read = Countering(sets, Fronts(others), aim, spoiled_at(rules)) if others is not None else None
    if read is not None:
        return outcome_of((yield from Roll(read, against, "opposition")))
    stopped = yield from without_dice(rules, against, "opposition")
    counters = ((stopped.width, stopped.height),) if stopped.success else ()
    return outcome_of(Countering(sets, Fronts(Thrown(0)), aim, spoiled_at(rules)).left(counters))


@rule("ore-1.16-opposed")
def against_set(
    rules: Ruleset, pool: Pool, width: int = 2, height: int = 8, difficulty: int = 1, aim: Aim = "widest", by: str = ""
) -> Play[Outcome]:
    """A test against counter dice on the table: the best remaining set."""
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        tried = yield from without_dice(rules, by)
        return outcome_of(countered((tried.width, tried.height), (width, height), spoiled_at(rules))) if tried.success else tried
    return outcome_of((yield from Roll(BestFor(dice, aim, (width, height), spoiled_at(rules)), by, "test")))


class Beaten(Struct, frozen=True):
    """The rest of a set after a defence."""

    left: Outcome

    @property
    def beaten(self) -> bool:
        """Whether the set was spoiled."""
        return not self.left.success


@rule("ore-1.16-opposed")
def beat(rules: Ruleset, pool: Pool, width: int = 3, height: int = 7, difficulty: int = 1, by: str = "") -> Play[Beaten]:
    """A roll to stop a set on the table with the widest set that is high enough."""
    pair = (width, height)
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        tried = yield from without_dice(rules, by)
        used: Set | None = (tried.width, tried.height) if tried.success and tried.height >= height else None
    else:
        used = yield from Roll(BestFor(dice, "widest", at_least=height), by, "opposition")
    return Beaten(outcome_of(pair if used is None else countered(pair, used, spoiled_at(rules))))


# --- long tasks ---------------------------------------------------------------------------------------------------------------


class ComplexityRow(TableRow, frozen=True):
    """The complexity of a project: time per roll and Width needed."""

    complexity: str
    time: str
    completion: int


COMPLEXITIES = Table("ore-1.18-projects", ComplexityRow)


class Progress(Struct, frozen=True):
    """The state of a project: Width, rolls, and whether it is done."""

    width: int
    rolls: int
    done: bool

    def plus(self, outcome: Outcome, completion: int) -> "Progress":
        """The project after one more roll."""
        width = min(completion, self.width + outcome.width)
        return Progress(width, self.rolls + 1, width >= completion)


@rule("ore-1.18-projects")
def project(rules: Ruleset, pool: Pool, completion: int = 6, difficulty: int = 1, rolls: int = 10, by: str = "") -> Play[Progress]:
    """A project gathers Width over several rolls, each for a time set by the Game Master. A view of the activity."""
    if completion < 1 or not 1 <= rolls <= MOST_ROLLS:
        raise UserError(f"a project needs a Completion of at least 1 and a limit of 1 to {MOST_ROLLS} rolls")
    difficulty_of(rules, difficulty)
    return (yield from sub(_go_on, rules, pool, completion, difficulty, rolls, by, Progress(0, 0, done=False)))


def _go_on(rules: Ruleset, pool: Pool, completion: int, difficulty: int, rolls: int, by: str, progress: Progress) -> Play[Progress]:
    """One more roll. Only the sum matters, so exact odds solve each sum once."""
    now = progress.plus((yield from make_test(rules, pool, difficulty, "widest", by, "project")), completion)
    if now.done or now.rolls == rolls:
        return now
    return (yield from sub(_go_on, rules, pool, completion, difficulty, rolls, by, now))


@rule("ore-1.18-projects")
def quality(rules: Ruleset, heights: tuple[int, ...]) -> Derived[int]:
    """The quality of a project: the mean Height, rounded; 0 is a roll without a set, which a setting can leave out (ruling)."""
    if not heights:
        raise UserError("a project without rolls has no quality")
    left_out = rules.word("quality-of-failed-rolls") == "left out"
    terms = [term(f"roll {place}", height) for place, height in enumerate(heights, 1) if height or not left_out]
    if not terms:
        return total("Quality", term("no roll with a set", 0), rule="ore-1.18-projects")
    return total("Quality", *terms, divided("rolls", len(terms)), rounded(), rule="ore-1.18-projects")


@rule("ore-1.18-projects")
def complexity(rules: Ruleset, time: str = "involved", work: str = "involved") -> tuple[str, int]:
    """The time per roll and the Width needed; their names need not match."""
    return COMPLEXITIES.get(rules, time).time, COMPLEXITIES.get(rules, work).completion
