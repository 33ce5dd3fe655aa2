"""The functions of `import rulewright`: find a game, load files, roll, calculate odds, fight, simulate, audit, and draw sheets.

Each function is a thin layer over the package that does the work. A game is given by its id (`"scumm"`). A file is given by its path
(`"ana.yaml"`) or, if it ships with a game, by `game/name` (`"scumm/detective"`). The keywords `preset`, `settings` and `house` choose the
rules, as the options of the command line do. Wrong input raises `UserError`.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from msgspec import Struct

from rulewright import library
from rulewright.build.audit import Audit
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.library import Kept
from rulewright.play import Dice, Entropy, Event, ScriptedFaces, Seeded
from rulewright.rules import SettingValue
from rulewright.scenes.encounter import Encounter
from rulewright.show import replies
from rulewright.show.replies import Thrown
from rulewright.system import System
from rulewright.system import find as find

if TYPE_CHECKING:
    from rulewright.lab import Sampled, Solved

Settings = Mapping[str, SettingValue]
Faces = str | Iterable[int] | Iterable[Sequence[int]]

ODDS_PATHS, ODDS_SECONDS = 1_000_000, 30.0
"""The default budget of `odds`: sequences of rolls to follow, and seconds."""
EXACT_SECONDS = 120.0
"""The default time limit of `simulate(..., exact=True)`."""


class Chances(Struct, frozen=True):
    """The exact odds of a test. Every number is a probability from 0 to 1."""

    notation: str
    outcomes: dict[str, float]
    """The probability of each outcome, by its label."""
    success: float | None
    """The probability to succeed; None if the game does not judge this test. So for `draw` and `failure`."""
    draw: float | None
    failure: float | None
    mean: float | None
    """The mean result; None if results are not numbers."""
    unsettled: float
    """The probability of rolls that the budget did not reach; 0 if the odds are exact."""


class Fought(Struct, frozen=True):
    """A fight that was played to its end."""

    winner: str | None
    """The side that won; None for a draw."""
    why: str
    """How it ended, in words."""
    rounds: int
    log: tuple[str, ...]
    """What happened, one line each."""
    encounter: Encounter[Any]
    """The whole fight: state, record, undo."""


def load(file: str | Path) -> Kept:
    """Load a file: a character, a vehicle, a scenario, house rules or a map.

    >>> detective = load("scumm/detective")
    >>> detective.kind, detective.system.name, detective.thing.name
    ('character', 'S.C.U.M.M.', 'Marisol Vantongeren')
    """
    return library.take(file)


def roll(
    game: str | System,
    notation: str,
    *,
    seed: int | None = None,
    dice: Faces | None = None,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
) -> Thrown:
    """Roll one test, written in the notation of the game, or plain dice such as `2d6+1`.

    The dice are random, or repeatable with a `seed`, or given as the faces of real `dice`: one list, or a list for each roll.

    >>> rolled = roll("scumm", "3d+1 vs 5", dice=[2, 6, 4])
    >>> rolled.verdict, rolled.faces, rolled.shown.value["total"]
    ('success', ((2, 6, 4),), 7)
    >>> roll("scumm", "3d+1 vs 5", seed=1).label == roll("scumm", "3d+1 vs 5", seed=1).label
    True
    """
    system = _game(game)
    return replies.throw(system, library.ruleset(system, preset, settings, house), notation, _dice(seed, dice))


def odds(
    game: str | System,
    notation: str,
    *,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
    seconds: float = ODDS_SECONDS,
) -> Chances:
    """Calculate the exact odds of a test.

    >>> chances = odds("scumm", "3d+1 vs 5")
    >>> f"{chances.success:.1%}", f"{chances.draw:.1%}", f"{chances.mean:.2f}"
    ('70.4%', '17.1%', '6.04')
    >>> f"{chances.outcomes['7']:.1%}"
    '34.7%'
    """
    from rulewright.play.odds import Budget

    system = _game(game)
    answer = replies.odds(system, library.ruleset(system, preset, settings, house), notation, Budget(ODDS_PATHS, seconds))
    total = answer["total"]
    outcomes: dict[str, float] = {}
    for outcome in answer["outcomes"]:
        outcomes[outcome["label"]] = outcomes.get(outcome["label"], 0.0) + outcome["weight"] / total
    chance, average = answer["chance"] or {}, replies.average(answer)
    return Chances(
        notation,
        outcomes,
        chance.get("success"),
        chance.get("draw"),
        chance.get("failure"),
        None if average is None else average[1],
        answer["unsettled"] / total,
    )


def fight(
    scenario: str | Path,
    *,
    seed: int | None = None,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Fought:
    """Play a scenario to its end. Each side follows its tactic.

    `changes` replaces fields of the scenario: `{"tactics.north": "marksman"}`.

    >>> duel = fight("scumm/duel", seed=5)
    >>> duel.winner, duel.rounds
    ('south', 4)
    >>> duel.log[0].partition(".")[0], len(duel.log) > 10
    ('Round 1', True)
    """
    staged = library.stage(scenario, preset, settings, house, changes)
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    result = encounter.play_out(_dice(seed, None), staged.decide)
    if result is None:
        raise UserError(f"{scenario}: the fight does not end; give it fewer rounds, as in changes={{'rounds': 30}}")
    events = [line.what for line in encounter.log if isinstance(line.what, Event) and not line.hidden_from(None)]
    rounds = staged.scene.round(encounter.state)
    return Fought(result.winner, result.why, rounds, tuple(event.headline() for event in events), encounter)


@overload
def simulate(
    scenario: str | Path,
    n: int | None = None,
    *,
    exact: Literal[False] = False,
    question: str = "losses",
    seed: int | None = None,
    workers: int = 1,
    seconds: float = EXACT_SECONDS,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> "Sampled": ...
@overload
def simulate(
    scenario: str | Path,
    n: None = None,
    *,
    exact: Literal[True],
    question: str = "losses",
    seed: None = None,
    workers: int = 1,
    seconds: float = EXACT_SECONDS,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> "Solved": ...
def simulate(
    scenario: str | Path,
    n: int | None = None,
    *,
    exact: bool = False,
    question: str = "losses",
    seed: int | None = None,
    workers: int = 1,
    seconds: float = EXACT_SECONDS,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> "Sampled | Solved":
    """Play a scenario `n` times (10,000 by default) and count, or solve it with `exact=True`.

    The result has the chance of each side, of a draw, the number of rounds, and the losses. `question` is "win", "losses" or "all"; a
    smaller question is faster. `seconds` limits an exact solution: if it is not enough, the result has bounds.

    >>> counted = simulate("scumm/duel", n=500, seed=1)
    >>> counted.n, sorted(counted.sides), counted.sides["north"].interval[0] < 0.48 < counted.sides["north"].interval[1]
    (500, ['north', 'south'], True)
    >>> solved = simulate("scumm/duel", exact=True, seconds=600)
    >>> f"{solved.sides['north'].chance:.1%}", solved.exact
    ('48.5%', True)
    """
    from rulewright import lab

    staged = library.stage(scenario, preset, settings, house, changes)
    scene, state, decide, rounds = staged.scene, staged.state, staged.decide, staged.scenario.rounds
    if exact:
        if n is not None or seed is not None:
            raise UserError("an exact solution plays no fights: leave out n and seed, or exact=True")
        return lab.solve(scene, state, decide, question=question, rounds=rounds, seconds=seconds)
    return lab.sample(scene, state, decide, n, question=question, rounds=rounds, seed=seed, workers=workers)


def audit(
    file: str | Path | Kept,
    *,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
) -> Audit:
    """Check a file against the rules: every problem with its rule and a repair, and every budget.

    >>> report = audit("scumm/detective")
    >>> report.legal, report.problems
    (True, ())
    >>> report.budgets[0].spent <= report.budgets[0].allowed
    True
    """
    return library.audit(_loaded(file), preset, settings, house)


def sheet(
    file: str | Path | Kept,
    *,
    preset: str | None = None,
    settings: Settings | None = None,
    house: str | Path | None = None,
) -> Sheet:
    """Draw the sheet of a character, a vehicle or a creature: every derived value and every test.

    >>> drawn = sheet("scumm/detective")
    >>> drawn.name, drawn.values()["flesh_wound_threshold"].value
    ('Marisol Vantongeren', 4)
    >>> drawn.tests()["investigation"].notation
    '3d+1'
    """
    kept = _loaded(file)
    return library.sheet(kept, library.ruleset(kept.system, preset, settings, house))


def _game(game: str | System) -> System:
    return game if isinstance(game, System) else find(game)


def _loaded(file: str | Path | Kept) -> Kept:
    return file if isinstance(file, Kept) else load(file)


def _dice(seed: int | None, faces: Faces | None) -> Dice:
    """Random dice, seeded dice, or given faces."""
    if faces is None:
        return Entropy() if seed is None else Seeded(seed)
    if seed is not None:
        raise UserError("give either seed or dice, not both")
    if isinstance(faces, str):
        return ScriptedFaces(replies.faces(faces))
    single: list[int] = []
    rolls: list[tuple[int, ...]] = []
    for face in faces:
        if isinstance(face, int):
            single.append(face)
        else:
            rolls.append(tuple(face))
    return ScriptedFaces([tuple(single), *rolls] if single else rolls)
