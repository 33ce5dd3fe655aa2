"""Drama Points: what heroes do when the dice will not (book lines 5481-5517)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sets import Set
from rulewright.encounter import GAMEMASTER
from rulewright.errors import Wrong
from rulewright.play import Choice, Option, Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.systems.ore.body import Dealt
from rulewright.systems.ore.readings import Aim, BestFor, Thrown, by_face
from rulewright.systems.ore.resolution import Outcome, Pool, outcome_of, sides, thrown, without_dice
from rulewright.systems.ore.weapons import SIX

Effect = Literal[
    "determined", "inspired", "lucky", "slip up", "unflinching", "blessed", "hell-bent", "unwavering", "editing", "the hand of god"
]
Gain = Literal["width", "height"]
STEP = 2
"""Points of Height that a point of Width is worth."""


class DramaRow(TableRow, frozen=True):
    """What Drama Points buy, what it costs, and when."""

    name: Effect
    cost: int
    when: Literal["before", "after", "hit", "opponent", "any"]
    effect: str


EFFECTS = Table("ore-4.21-drama-points", DramaRow)


# --- points -------------------------------------------------------------------------------------------------------------------


@rule("ore-4.21-drama-points")
def effects_allowed(rules: Ruleset) -> tuple[Effect, ...]:
    """What Drama Points buy in this campaign: nothing, unless it plays with them."""
    return ()


@instead_of(effects_allowed, "drama-points", "drama points")
def all_but_editing(rules: Ruleset) -> tuple[Effect, ...]:
    """Everything but Editing."""
    return tuple([row.name for row in EFFECTS(rules).values() if row.name != "editing"])


@rule("ore-4.21-opt-editing")
@instead_of(effects_allowed, "drama-points", "drama points and editing")
def everything(rules: Ruleset) -> tuple[Effect, ...]:
    """Everything, Editing too: for players with experience, who are trusted."""
    return tuple([row.name for row in EFFECTS(rules).values()])


@rule("ore-4.21-drama-points")
def spend(rules: Ruleset, points: int = 3, effect: Effect = "lucky", used: tuple[Effect, ...] = ()) -> int:
    """What is left after an effect is paid for; points are gone for good. Each effect serves a roll once, different ones may be used."""
    if effect not in effects_allowed(rules):
        raise Wrong(f"{effect} cannot be bought in this campaign (setting drama-points = {rules.word('drama-points')})")
    if effect in used:
        raise Wrong(f"{effect} was used on this roll already")
    cost = EFFECTS.get(rules, effect).cost
    if points < cost:
        raise Wrong(f"{effect} costs {cost} Drama {'Point' if cost == 1 else 'Points'}, and {points} are left")
    return points - cost


def can_spend(rules: Ruleset, points: int, effect: Effect, used: tuple[Effect, ...] = ()) -> bool:
    """Whether an effect can be had."""
    return effect in effects_allowed(rules) and effect not in used and points >= EFFECTS.get(rules, effect).cost


# --- effects ------------------------------------------------------------------------------------------------------------------


@rule("ore-4.21-drama-points")
def determined(pool: Pool = SIX, promote: Literal["expert die", "ordinary die"] = "expert die") -> Pool:
    """Before the roll an Expert Die becomes a Master Die, or an ordinary die an Expert Die; beyond what a roll may usually have.

    An Expert Die is promoted where there is one, unless somebody would rather promote an ordinary die.
    """
    if pool.expert and (promote == "expert die" or not pool.dice):
        return replace(pool, expert=pool.expert - 1, master=pool.master + 1, several=True)
    if pool.dice:
        return replace(pool, dice=pool.dice - 1, expert=pool.expert + 1, several=True)
    raise Wrong("there is no die to promote")


@rule("ore-4.21-drama-points")
def hell_bent(rules: Ruleset, width: int = 2, height: int = 5, gain: Gain = "width") -> Outcome:
    """A set gains a point of Width, or two of Height up to the highest face; declared before the roll. No set, no gain."""
    if width < 1:
        return Outcome()
    return Outcome(width + 1, height) if gain == "width" else Outcome(width, min(height + STEP, sides(rules)))


@rule("ore-4.21-drama-points")
def slip_up(width: int = 3, height: int = 5, loss: Gain = "width") -> Outcome:
    """After the roll an opponent's set loses a point of Width or two of Height; a single die, or a Height of nothing, is no set."""
    left = Outcome(width - 1, height) if loss == "width" else Outcome(width, height - STEP)
    return left if left.width >= 2 and left.height >= 1 else Outcome()


@rule("ore-4.21-drama-points")
def dice_lost(unflinching: bool = True) -> int:
    """How many dice of a set a hit costs: one, and none to the unflinching."""
    return 0 if unflinching else 1


@rule("ore-4.21-drama-points")
def ignored(kill: int = 3, shock: int = 2, unwavering: bool = False, hand_of_god: bool = False) -> Dealt:
    """What is left of an attack: the unwavering ignore all its Shock, and the hand of God takes all its Kill."""
    return Dealt(0 if hand_of_god else kill, 0 if unwavering else shock)


# --- a roll with Drama Points -------------------------------------------------------------------------------------------------


class Rerollable(Reading[tuple[Set | None, tuple[Set, ...]]], frozen=True):
    """The best set of a roll, and the rolled dice of all sets: what is needed to roll the dice again that stand in none."""

    best: BestFor

    def sides(self) -> tuple[int, ...]:
        return self.best.sides()

    def read(self, faces: Faces) -> tuple[Set | None, tuple[Set, ...]]:
        counts = self.best.thrown.counted(faces)
        sets = [(n, face) for face, n in enumerate(counts, self.best.thrown.difficulty) if self._stands(face, n)]
        best = self.best.read(faces)
        return best, self._with_best(best, tuple(sets))

    def _stands(self, face: int, rolled: int) -> bool:
        """Whether rolled dice of a face stand in a set, with an Expert Die that lies there."""
        lent = self.best.thrown.lent
        fixed = lent[face - 1] if sum(map(bool, lent)) == 1 else 0
        return rolled > 0 and rolled + fixed >= 2

    def _with_best(self, best: Set | None, sets: tuple[Set, ...]) -> tuple[Set, ...]:
        """A single die that a Special Die was set to match stands in the best set too."""
        if best is None or best[0] < 2 or self.best.thrown.trades or any(height == best[1] for _, height in sets):
            return sets
        rolled = best[0] - self.best.thrown.lent[best[1] - 1]
        return (*sets, (rolled, best[1])) if rolled > 0 else sets

    def weights(self) -> Weights[tuple[Set | None, tuple[Set, ...]]]:
        best, thrown = self.best, self.best.thrown
        State = tuple[Set | None, bool, tuple[Set, ...]]

        def go_on(state: State, face: int, rolled: int) -> State:
            now, below, sets = state
            more = (*sets, (rolled, face)) if self._stands(face, rolled) else sets
            return best.best(now, thrown.offers(face, rolled, below)), below or rolled >= 2, more

        found: dict[tuple[Set | None, tuple[Set, ...]], int] = {}
        begin: State = (None, False, ())
        for (now, _, sets), rolls in by_face(thrown, begin, go_on).items():
            key = (now, self._with_best(now, sets))
            found[key] = found.get(key, 0) + rolls
        if thrown.run and found.get((None, ())):
            for shown, rolls in thrown.no_set():
                ran = best.ran(shown)
                if ran is not None:
                    found[None, ()] -= rolls
                    found[ran, ()] = found.get((ran, ()), 0) + rolls
            if not found[None, ()]:
                del found[None, ()]
        return found

    def kept(self, faces: Faces) -> tuple[int, ...]:
        return self.best.kept(faces)


class Dramatic(Struct, frozen=True):
    """What came of a roll, and the Drama Points that are left."""

    outcome: Outcome
    points: int


@rule("ore-4.21-drama-points")
def dramatic_test(
    rules: Ruleset,
    pool: Pool = SIX,
    points: int = 3,
    difficulty: int = 1,
    aim: Aim = "widest",
    by: str = "",
    what: str = "test",
) -> Play[Dramatic]:
    """A test of somebody with Drama Points: asked before the roll for Determined and Hell-Bent, after it for Lucky and Blessed."""
    used: tuple[Effect, ...] = ()
    gain: Gain | None = None
    promotes = can_spend(rules, points, "determined") and pool.expert + pool.dice > 0
    if promotes and (yield from _wanted(by, "determined", what)):
        points, used, pool = spend(rules, points, "determined", used), (*used, "determined"), determined(pool)
    if can_spend(rules, points, "hell-bent"):
        gain = yield from Choice(by, f"Hell-Bent on this {what}?", _GAINS, topic="drama")
        if gain is not None:
            points, used = spend(rules, points, "hell-bent", used), (*used, "hell-bent")
    best, points = yield from _rolled(rules, pool, points, difficulty, aim, by, what, used)
    if gain is not None and best.success:
        best = hell_bent(rules, best.width, best.height, gain)
    return Dramatic(best, points)


def _rolled(
    rules: Ruleset, pool: Pool, points: int, difficulty: int, aim: Aim, by: str, what: str, used: tuple[Effect, ...]
) -> Play[tuple[Outcome, int]]:
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        return (yield from without_dice(rules, by, what)), points
    best, sets = yield from _fell(rules, dice, points, aim, by, what, used)
    if best is None and can_spend(rules, points, "lucky", used) and (yield from _wanted(by, "lucky", what)):
        points, used = spend(rules, points, "lucky", used), (*used, "lucky")
        best, sets = yield from _fell(rules, dice, points, aim, by, f"{what}, again", used)
    loose = dice.dice - sum([width for width, _ in sets])
    if loose and can_spend(rules, points, "blessed", used) and (yield from _wanted(by, "blessed", what)):
        points = spend(rules, points, "blessed", used)
        best = yield from Roll(BestFor(rerolled(dice, sets), aim), by, f"{what}, blessed")
    return outcome_of(best), points


def _fell(
    rules: Ruleset, dice: Thrown, points: int, aim: Aim, by: str, what: str, used: tuple[Effect, ...]
) -> Play[tuple[Set | None, tuple[Set, ...]]]:
    """The best set, and all sets if there are points to roll the rest again."""
    read = BestFor(dice, aim)
    if can_spend(rules, points, "blessed", used):
        return (yield from Roll(Rerollable(read), by, what))
    return (yield from Roll(read, by, what)), ()


@rule("ore-4.21-drama-points")
def rerolled(dice: Thrown, sets: tuple[Set, ...] = ()) -> Thrown:
    """The Blessed roll every die again that stands in no set; those that do stay where they lie, and may be joined."""
    lent = list(dice.lent)
    for width, height in sets:
        lent[height - 1] += width
    return replace(dice, dice=dice.dice - sum([width for width, _ in sets]), lent=tuple(lent))


_YES_NO: tuple[Option[bool], ...] = (Option("no", "No", False), Option("yes", "Yes", True))
_GAINS: tuple[Option[Gain | None], ...] = (
    Option("no", "No", None),
    Option("width", "For a point of Width", "width"),
    Option("height", "For two points of Height", "height"),
)


def _wanted(by: str, effect: Effect, what: str) -> Choice[bool]:
    return Choice(by, f"{effect.capitalize()} on this {what}?", _YES_NO, topic="drama")


# --- beyond the dice ----------------------------------------------------------------------------------------------------------


class Turned(Struct, frozen=True):
    """What came of a player's wish to turn events: granted, granted in another form, or refused; and the points left."""

    answer: Literal["granted", "changed", "refused"]
    points: int


_ANSWERS: tuple[Option[Literal["granted", "changed", "refused"]], ...] = (
    Option("granted", "It happens as proposed", "granted"),
    Option("changed", "It happens in a form that you both can live with", "changed"),
    Option("refused", "No form of it will do", "refused", "only if no alternative can be found"),
)


@rule("ore-4.21-opt-editing")
def editing(rules: Ruleset, points: int = 3, proposal: str = "help arrives", undoes_a_roll: bool = False, by: str = "") -> Play[Turned]:
    """A player turns events in a way that no character could, and the Game Master has the last word: an alternative before a refusal.

    It never undoes a roll. What is refused costs nothing (ruling).
    """
    left = spend(rules, points, "editing")
    if undoes_a_roll:
        raise Wrong("Editing cannot undo a roll; other effects are for that")
    answer = yield from Choice(GAMEMASTER, f"{by or 'A player'} would have it that {proposal}", _ANSWERS, topic="editing")
    return Turned(answer, points if answer == "refused" else left)


@rule("ore-4.21-opt-editing")
def inspired(rules: Ruleset, points: int = 1) -> int:
    """A hint from the Game Master when players are at a loss: it only costs its point; the points that are left."""
    return spend(rules, points, "inspired")
