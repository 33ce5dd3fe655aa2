"""The table of strength: those who think against every tactic that ships, in every ready-made scenario between two sides.

`python -m benchmarks strength [-n N] [--level good] [--minutes M] [SCENARIO ...]` writes docs/strength.json and docs/strength.md after
every row. Called again, for the same scenarios or others, it goes on where it stopped: fights that were played are kept, until their
scenario or the way of thinking changes.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from msgspec import Struct, field

from rulewright import library
from rulewright.cli.text import bar
from rulewright.lab.results import End
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.sampling.processes import in_order
from rulewright.lab.search import LEVELS, Level, Match, Thought, level
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.determinization import Worlds, numbers
from rulewright.lab.search.playouts import Playing, Policy, carried
from rulewright.lab.tournament import AS_WRITTEN, _paired
from rulewright.play import Given
from rulewright.scenes.question_snapshot import Moment
from rulewright.system import HOUSE, find

ABOUT = """\
# Strength

Made by `python -m benchmarks strength`, which goes on where it stopped; `python -m benchmarks strength scumm/duel` measures one scenario
and adds it. Each side of a scenario thinks in turn, against the other side as the scenario has it and by each of the game's tactics; those
who think do not know by which. How often they win stands beside how often the same side wins by its own tactic; a draw counts half.

The gain is not the difference of these two, which is mostly luck. Whenever somebody who thought left what the tactic would have done, the
fight is played on from there by the tactics alone, at least WEIGHED times with what they did and as often with the usual, with the same
dice for both, which the thinking has not seen. What the one won more often than the other is what the decision gained, and the sum over a
fight is on the average just what thinking wins above the tactic (the gain of a policy is the sum of its advantages along its own way). The
interval is that of 95 percent, as if one fight more had gone the other way by as much as the one that went furthest. Of forty sides for
which thinking does nothing, luck alone makes one look better and one worse.
"""
PLAN = (
    "How many fights a row was to have was settled before the first was played: three in scenarios whose fights take few seconds to think "
    "through, two in all others. Rows are played opponent by opponent in all scenarios alike. It is the fifth way of thinking that was "
    "measured so; by the one before it, thinking was better in 25 of 46 scenarios and worse in one. Before it was settled, some seventy "
    "fights were tried by it and by others like it, with other dice, all of them in the scenario in which it had been worse."
)
COLUMNS = ("scenario", "side that thinks", "against", "level", "fights", "thinking", "by its tactic", "gain", "left", "a decision")
POOLED = ("scenario", "side that thinks", "opponents", "fights", "thinking", "by its tactic", "gain", "")
TIMES = ("scenario", "level", "told", "decisions", "on the average", "longest")
DOCS = Path(__file__).resolve().parent.parent / "docs"
FIRST = 1
"""So many fights every row gets at first; then twice as many, and so on."""
PLAIN = 4
"""So many fights by the tactic for each in which somebody thinks: they are quick."""
WEIGHED = 48
"""So often a fight is played on to tell what leaving the usual gained: fights differ by more than what this leaves open."""
BEYOND = 1.96
"""Standard errors that are beyond luck."""
ENOUGH, TOO_FEW = 10, "too few"
"""A side with fewer fights is listed, but nothing is said of it."""
NO_THOUGHT = "nothing to think about"
"""A side that was never asked anything its tactics disagree about: it plays by its tactic, and nothing was measured of thinking."""
SEARCH = 5
"""Which way of thinking was measured; raised when it changes, and then the table begins anew, with other dice."""
DUELS = ("silhouette/duel", "scumm/duel", "hybrid/duel", "foresight/gunslingers", "ore/duel")
"""Where the time of a decision is taken, a scenario of each game."""
DECISIONS = 6

Row = dict[str, Any]


class Weighed(Match):
    """A match that keeps how often those who think thought, how often they left the usual, and what that gained."""

    thoughts: int = 0
    left: int = 0
    gain: float = 0.0
    weighing: float = 0.0
    """The seconds that went into telling the gain, which are not the thinking's."""

    def thought(self, thought: Thought, moment: Moment) -> Given:
        self.thoughts += bool(thought.playouts)
        if thought.left_the_usual:
            began = time.process_time()
            self.left += 1
            self.gain += self._gained(thought, moment)
            self.weighing += time.process_time() - began
        return thought.answer

    def _gained(self, thought: Thought, moment: Moment) -> float:
        """How much more often the answer wins than the usual one, if from here on everybody goes by their tactics."""
        playing = Playing(self.scene, Policy(self.decide), self.rounds, Watch())
        worlds = Worlds(moment, None, playing, lambda number: numbers(self.seed, number).random)
        side = next(side for side, names in self.scene.sides(moment.state).items() if thought.who in names)
        gain = 0.0
        for number in range(WEIGHED):
            luck = seed_of(self.seed, f"weighed {self.thoughts}/{number}")
            answer, usual = [playing.fight(worlds.rest(worlds.world(0), key), side, luck) for key in (thought.answer, thought.usual)]
            gain += carried(answer) - carried(usual)
        return gain / WEIGHED


@cache
def scenarios() -> list[str]:
    """Every ready-made scenario between two sides: first the fights of people, then battles, chases and whatever else there is."""
    fights: list[str] = []
    others: list[str] = []
    for game in HOUSE:
        for path in [path for path in find(game).demos() if path.startswith("scenarios/")]:
            name = f"{game}/{path.removeprefix('scenarios/').removesuffix('.yaml')}"
            scenario = library.take(name, "scenario").thing
            if len(scenario.sides) == 2:
                (fights if scenario.scene == "fight" else others).append(name)
    return fights + others


def version(name: str) -> str:
    """A scenario's file in short, by which a row knows whether it is still about it."""
    game, _, scenario = name.partition("/")
    return sha256(find(game).demos()[f"scenarios/{scenario}.yaml"].read_bytes()).hexdigest()[:12]


def won(end: End | None, side: str) -> str:
    """What an end is to a side: 1 won, h a half, 0 lost."""
    return "h" if end is None or end.winner is None else "1" if end.winner == side else "0"


def worths(fights: str) -> list[float]:
    """What the fights of a row were worth."""
    return [0.5 if fight == "h" else float(fight) for fight in fights]


def blank(name: str, side: str, against: str, how: Level) -> Row:
    """A row of which nothing was played."""
    return {
        "scenario": name,
        "version": version(name),
        "side": side,
        "against": against,
        "level": how.name,
        "search": SEARCH,
        "thinking": "",
        "usual": "",
        "gains": [],
        "seconds": 0.0,
        "thoughts": 0,
        "left": 0,
    }


def wanted(names: Iterable[str], how: Level, tactics_too: bool) -> list[Row]:
    """All rows that the table is to have: as the scenarios are written first, then all of them against one opponent after the other."""
    pairs: list[tuple[int, Row]] = []
    for name in names:
        staged = library.stage(name)
        sides = list(staged.scene.sides(staged.state))
        if len(sides) == 2:
            tactics = list(staged.system.staging(staged.scene.kind).tactics) if tactics_too else []
            pairs += [(turn, blank(name, side, against, how)) for turn, against in enumerate([AS_WRITTEN, *tactics]) for side in sides]
    return [row for _, row in sorted(pairs, key=lambda pair: pair[0])]


@cache
def rows_in_all() -> int:
    """How many rows there are of all scenarios."""
    return len(wanted(scenarios(), level("good"), True))


def key(row: Row) -> tuple[str, ...]:
    """What a row is about."""
    return tuple([row[column] for column in ("scenario", "version", "side", "against", "level")])


def go_on(row: Row, how: Level, more: int, until: float) -> bool:
    """Play more fights of a row: a side that thinks, beside the same side by its tactic, with the same dice. Whether there was time."""
    name, side = row["scenario"], row["side"]
    staged = library.stage(name)
    tactics = staged.system.staging(staged.scene.kind).tactics
    sides = staged.scene.sides(staged.state)
    other = next(text for text in sides if text != side)
    decide = _paired(staged.decide, tactics, {other: (row["against"], sides[other])})
    rounds, seed = staged.scenario.rounds, seed_of(SEARCH, f"{name}/{side}/{row['against']}")
    match = Weighed(staged.scene, staged.state, decide, tactics, dict.fromkeys(sides[side], how), seed, rounds, "win", staged.decide)
    plain = Match(staged.scene, staged.state, decide, tactics, {}, seed, rounds, "win")
    for number in range(len(row["thinking"]), len(row["thinking"]) + more):
        if time.monotonic() > until:
            return False
        before, began = (match.thoughts, match.left), time.process_time()
        match.gain = match.weighing = 0.0
        thinking = won(match(number), side)
        row["seconds"] += time.process_time() - began - match.weighing
        row["thinking"] += thinking
        row["gains"].append(round(match.gain, 4))
        row["thoughts"] += match.thoughts - before[0]
        row["left"] += match.left - before[1]
        row["usual"] += "".join([won(plain(index), side) for index in range(len(row["usual"]), PLAIN * (number + 1))])
    return True


class Gain(NamedTuple):
    """What thinking came to above the tactic, in so many fights, and the standard error of that."""

    n: int
    thinking: float
    usual: float
    gain: float
    error: float

    @property
    def word(self) -> str:
        """Whether thinking is better, worse, or neither beyond error."""
        if self.n < ENOUGH:
            return TOO_FEW
        return "better" if self.gain > BEYOND * self.error else "worse" if self.gain < -BEYOND * self.error else ""

    def cells(self) -> list[str]:
        """As it stands in a table."""
        return [f"{self.thinking:.0%}", f"{self.usual:.0%}", f"{100 * self.gain:+.0f} ± {100 * BEYOND * self.error:.0f}"]


def gained(rows: Iterable[Row]) -> Gain:
    """What thinking gained in some rows together."""
    several = list(rows)
    gains = [gain for row in several for gain in row["gains"]]
    n, gain = len(gains), fmean(gains)
    furthest = max(map(abs, gains))
    error = stdev([*gains, -furthest if gain > 0 else furthest]) / sqrt(n)
    thinking = fmean([worth for row in several for worth in worths(row["thinking"])])
    by_tactic = sum(len(row["gains"]) * fmean(worths(row["usual"])) for row in several) / n
    return Gain(n, thinking, by_tactic, gain, error)


def line(row: Row) -> str:
    """A row of the table."""
    came_to = gained([row])
    decision = f"{row['seconds'] / max(1, row['thoughts']):.2f} s"
    left = f"{row['left']} of {row['thoughts']}"
    return _cells([row["scenario"], row["side"], row["against"], row["level"], came_to.n, *came_to.cells(), left, decision])


def _cells(cells: Iterable[Any]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(columns: Iterable[str], lines: Iterable[str]) -> str:
    titles = tuple(columns)
    return "\n".join([_cells(titles), "|---" * len(titles) + "|", *lines])


def pooled(rows: list[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    """The rows that agree in some columns: those of a side whoever it is against, or of a scenario whichever side thinks."""
    result: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        result.setdefault(tuple([row[column] for column in columns]), []).append(row)
    return result


SIDES, SCENARIOS = ("scenario", "side"), ("scenario",)


def said_of(rows: list[Row]) -> str:
    """What is said of a side: whether thinking is better or worse, or why that is not known."""
    return gained(rows).word or ("" if any(row["thoughts"] for row in rows) else NO_THOUGHT)


def judged(rows: list[Row], *columns: str) -> tuple[str, list[str]]:
    """In how many of these thinking is better, worse or neither, and a line of the table for each."""
    words, lines = [], []
    for about, result in pooled(rows, *columns).items():
        came_to, word = gained(result), said_of(result)
        words.append(word)
        opponents = len({(row["side"], row["against"]) for row in result})
        lines.append(_cells([*about, opponents, came_to.n, *came_to.cells(), word]))
    known = len(words) - words.count(TOO_FEW) - words.count(NO_THOUGHT)
    enough = f"{known} {columns[-1]}s with at least {ENOUGH} fights"
    return (
        f"better beyond error for {words.count('better')} of {enough}, worse for {words.count('worse')}, and neither for {words.count('')}",
        lines,
    )


def first_fights(rows: list[Row]) -> list[Row]:
    """The first fight of every side against every opponent: what nobody looked at before going on."""
    first = {(row["scenario"], row["side"], row["against"]): row for row in reversed(rows)}
    return [{**row, "thinking": row["thinking"][:1], "gains": row["gains"][:1]} for row in first.values()]


def page(rows: list[Row], decisions: list[Row]) -> str:
    """The page: the scenarios and their sides over all opponents, the time of a decision, and every row."""
    missing = [name for name in scenarios() if name not in {row["scenario"] for row in rows}]
    by_scenario, scenario_lines = judged(rows, *SCENARIOS)
    by_side, side_lines = judged(rows, *SIDES)
    at_first, _ = judged(first_fights(rows), *SCENARIOS)
    summary = (
        f"Over both sides and all opponents, thinking is {by_scenario}. Side by side, over all its opponents, it is {by_side}. "
        f"{len(rows)} of {rows_in_all()} rows with {sum(len(row['thinking']) for row in rows)} fights were measured. {PLAN} "
        f"By the first fight of each row alone, thinking is {at_first}. "
        + (f"Not measured: {', '.join(missing)}." if missing else "Every ready-made scenario between two sides is in it.")
    )
    parts = [
        *[ABOUT.replace("WEIGHED", str(WEIGHED)), summary + "\n"],
        *["## By scenarios\n", _table([title for title in POOLED if title != "side that thinks"], scenario_lines) + "\n"],
        *["## By sides\n", _table(POOLED, side_lines) + "\n"],
    ]
    if decisions:
        times = [
            _cells([row["scenario"], row["level"], f"{row['told']:g} s", row["n"], f"{row['mean']:.2f} s", f"{row['longest']:.2f} s"])
            for row in decisions
        ]
        about = "What a decision takes at each level, by the clock, beside what the level is told to take at most.\n"
        parts += ["## The time of a decision\n", about, _table(TIMES, times) + "\n"]
    return "\n".join([*parts, "## Every row\n", _table(COLUMNS, [line(row) for row in rows])]) + "\n"


class Kept:
    """What was measured so far, and the files it stands in."""

    def __init__(self, folder: Path = DOCS) -> None:
        self.folder = folder
        self.aside = folder / "strength-next.json"
        """Where rows stand while a new way of thinking is measured, until there are all of them: so long the table of the old one stays."""
        table, begun = _read(folder / "strength.json"), _read(self.aside)
        self.decisions: list[Row] = table.get("decisions", [])
        rows: list[Row] = [*table.get("rows", []), *begun.get("rows", [])]
        self.older = any(row.get("search") != SEARCH for row in table.get("rows", []))
        versions = {name: version(name) for name in scenarios()}
        now = [row for row in rows if row.get("search") == SEARCH and versions.get(row["scenario"]) == row["version"]]
        self.rows: dict[tuple[str, ...], Row] = {key(row): row for row in now}

    def write(self) -> None:
        """Write both files."""
        order = {name: at for at, name in enumerate(scenarios())}
        rows = sorted([row for row in self.rows.values() if row["thinking"]], key=lambda row: order[row["scenario"]])
        if self.older and len({key(row)[:4] for row in rows}) < rows_in_all():
            self.aside.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
            return
        self.aside.unlink(missing_ok=True)
        text = json.dumps({"rows": rows, "decisions": self.decisions}, indent=1) + "\n"
        self.folder.joinpath("strength.json").write_text(text, encoding="utf-8")
        self.folder.joinpath("strength.md").write_text(page(rows, self.decisions), encoding="utf-8")


def _read(file: Path) -> Row:
    result = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return result if isinstance(result, dict) else {}


def targets(n: int) -> Iterator[int]:
    """How many fights every row is to have, pass after pass."""
    target = FIRST
    while target < n:
        yield target
        target *= 2
    yield n


def decided(names: Iterable[str]) -> Iterator[Row]:
    """How long the first decisions of a fight take at each level, by the clock."""
    for name in names:
        staged = library.stage(name)
        tactics = staged.system.staging(staged.scene.kind).tactics
        everybody = [who for names in staged.scene.sides(staged.state).values() for who in names]
        for how in LEVELS.values():
            taken: list[float] = field(default_factory=list)
            match = _Clocked(staged.scene, staged.state, staged.decide, tactics, dict.fromkeys(everybody, how), 1, staged.scenario.rounds)
            match.taken = taken
            match.began = time.monotonic()
            with suppress(_Enough):
                match(0)
            if taken:
                row = {"scenario": name, "level": how.name, "told": how.seconds, "n": len(taken)}
                yield row | {"mean": sum(taken) / len(taken), "longest": max(taken)}


class _Enough(Exception):
    """As many decisions as were to be timed."""


class _Clocked(Match):
    """A match that takes the time of its thoughts, and ends after a few."""

    taken: list[float] = field(default_factory=list)
    began: float = 0.0

    def thought(self, thought: Thought, moment: Moment) -> Given:
        now = time.monotonic()
        if thought.playouts:
            self.taken.append(now - self.began)
        if len(self.taken) >= DECISIONS:
            raise _Enough
        self.began = time.monotonic()
        return thought.answer


def show(done: int, rows: int, target: int, row: Row) -> None:
    """How far the pass has come: a bar at a terminal, else the row that was measured."""
    if sys.stderr.isatty():
        about = f"{row['scenario']}, {row['side']} against {row['against']}"
        print(f"\r{bar(done / rows, 30):<30} {done}/{rows} rows to {target} fights  {about:<60.60}", end="", file=sys.stderr, flush=True)
    else:
        print(f"{done}/{rows} to {target}: {line(row)}", flush=True)


class Batches(Struct):
    """Rows to be played on, each by so many fights; a batch is a row."""

    rows: list[tuple[Row, int]]
    how: Level
    until: float

    def __call__(self, number: int) -> tuple[Row, bool]:
        row, more = self.rows[number]
        there = go_on(row, self.how, more, self.until)
        return row, there


def fights(kept: Kept, row: Row) -> int:
    """How many fights there are of a side against somebody, however long it thought."""
    return sum(len(other["thinking"]) for other in kept.rows.values() if key(other)[:4] == key(row)[:4])


def measure(kept: Kept, rows: list[Row], how: Level, n: int, until: float, workers: int = 1) -> None:
    """Play all rows on, few fights each at first, then more; what was measured is kept after each."""
    for row in rows:
        kept.rows.setdefault(key(row), row)
    for target in targets(n):
        short = [(kept.rows[key(row)], target - have) for row in rows if (have := fights(kept, row)) < target]
        for done, (row, there) in enumerate(in_order(Batches(short, how, until), len(short), workers), 1):
            kept.rows[key(row)] = row
            if row["thinking"]:
                kept.write()
                show(done, len(short), target, row)
            if not there:
                return


def main(arguments: list[str]) -> int:
    """Measure, print and write; 1 where thinking is worse beyond error for a scenario or a side over all opponents."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("-n", type=int, default=100, help="fights for each row")
    parser.add_argument("--level", default="good", choices=list(LEVELS))
    parser.add_argument("--playouts", type=int, default=None, help="so many fights played out for a decision, whatever the level says")
    parser.add_argument("--at-most", type=float, default=None, help="so many seconds for a decision, for scenes that take long to play out")
    parser.add_argument("--minutes", type=float, default=600.0, help="at most so long in all; the next call goes on")
    parser.add_argument("--workers", type=int, default=1, help="so many rows are measured at once, each on a process of its own")
    parser.add_argument("--as-written", action="store_true", help="only against the other side as the scenario has it")
    parser.add_argument("--times", action="store_true", help="take the time of a decision at each level, and nothing else")
    given = parser.parse_args(arguments)
    named = level(given.level)
    playouts = given.playouts or named.playouts
    how = Level(f"{playouts} playouts" + (f", {given.at_most:g} s" if given.at_most else ""), playouts, given.at_most, named.temperature)
    kept = Kept()
    if given.times:
        timed = given.scenarios or DUELS
        kept.decisions = [row for row in kept.decisions if row["scenario"] not in timed] + list(decided(timed))
    else:
        rows = wanted(given.scenarios or scenarios(), how, not given.as_written)
        try:
            measure(kept, rows, how, given.n, time.monotonic() + 60 * given.minutes, given.workers)
        except KeyboardInterrupt:
            print("\nstopped; the next call goes on from here", file=sys.stderr)
    kept.write()
    measured = [row for row in kept.rows.values() if row["thinking"]]
    return 1 if any(gained(candidate).word == "worse" for by in (SIDES, SCENARIOS) for candidate in pooled(measured, *by).values()) else 0
