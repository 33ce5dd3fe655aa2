"""Measures the strength of AI players: against every tactic, in every ready-made scenario between two sides.

`python -m benchmarks strength` takes at most 30 minutes on two idle cores and writes docs/strength.json and docs/strength.md. The order of
fights is fixed: every scenario as it is written, then all of them against one tactic after another, until the time is over. A later call
continues where this one stopped. Fights are kept until their scenario or the search algorithm changes.
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
from msgspec.structs import replace

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
# Strength of AI players

This page shows how much an AI player gains over a fixed tactic, in every ready-made scenario between two sides.

`python -m benchmarks strength` measures this in at most 30 minutes on two cores, and continues where it stopped.
`python -m benchmarks strength scumm/duel` measures one scenario and adds it.

| term | meaning |
|---|---|
| AI side | The side that the AI player controls. Each side of a scenario takes its turn. |
| against | How the other side plays: as the scenario is written, or by one of the game's tactics. The AI player does not know which. |
| AI wins | The share of fights that the AI side wins. A draw counts half. |
| tactic wins | The same for the same side under its own tactic. |
| gain | What the decisions of the AI player are worth, in percentage points, with a 95 percent interval. |

The gain is not the difference of the two win rates, because that is mostly luck. Whenever the AI player departs from the tactic, the
fight is continued from there by tactics alone: at least WEIGHED times with its answer, and as often with the tactic's answer. Both use the
same dice, and the AI player has not seen them. The difference in wins is the gain of that decision. The sum over a fight is, on average,
what the AI player wins above the tactic. (The gain of a policy is the sum of its advantages along its own path.)

The interval includes one imaginary fight that went the other way by as much as the largest gain. Among forty sides
for which an AI player makes no difference, chance alone makes one look better and one look worse.
"""
PLAN = (
    "The order of fights was fixed before the first one: every scenario as it is written, then all scenarios against one tactic after "
    "another, each side in turn, until the time of the measurement is over. This is the sixth search algorithm measured in this way. The "
    "one before was better in 29 of 46 scenarios and worse in none. The AI player has less time for a decision here than at its level."
)
COLUMNS = ("scenario", "AI side", "against", "level", "fights", "AI wins", "tactic wins", "gain", "departures", "time a decision")
POOLED = ("scenario", "AI side", "opponents", "fights", "AI wins", "tactic wins", "gain", "verdict")
TIMES = ("scenario", "level", "limit", "decisions", "mean", "longest")
DOCS = Path(__file__).resolve().parent.parent / "docs"
FIRST = 1
"""Fights of each row in the first pass; each later pass doubles them."""
PLAIN = 4
"""Fights by the tactic for each fight with an AI player; they are fast."""
WEIGHED = 24
"""Continuations that measure the gain of a departure. Their error is smaller than the spread between fights."""
MINUTES, SECONDS, LENT = 30.0, 0.15, 1.4
"""The time of a measurement, and that of a decision in it; and how many times as long a decision may take with time that was saved."""
BEYOND = 1.96
"""Standard errors of a 95 percent interval."""
ENOUGH, TOO_FEW = 10, "too few"
"""A side with fewer fights is listed without a verdict."""
NO_THOUGHT = "no decision"
"""A side that never had a question on which its tactics disagree. It plays by its tactic, so nothing was measured."""
SEARCH = 6
"""The version of the search algorithm. Raise it when the algorithm changes: the table then starts again with other dice."""
DUELS = ("silhouette/duel", "scumm/duel", "hybrid/duel", "foresight/gunslingers", "ore/duel")
"""One scenario of each game, in which decisions are timed."""
DECISIONS = 6

Row = dict[str, Any]


class Weighed(Match):
    """A match that counts the AI player's decisions, its departures from the tactic, and their gain."""

    thoughts: int = 0
    left: int = 0
    gain: float = 0.0
    weighing: float = 0.0
    """Seconds spent on measuring the gain, which do not count as decision time."""

    def thought(self, thought: Thought, moment: Moment) -> Given:
        self.thoughts += bool(thought.playouts)
        if thought.left_the_usual:
            began = time.process_time()
            self.left += 1
            self.gain += self._gained(thought, moment)
            self.weighing += time.process_time() - began
        return thought.answer

    def _gained(self, thought: Thought, moment: Moment) -> float:
        """How much more often the answer wins than the default one, if everybody plays by tactics from here on."""
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
    """Every ready-made scenario between two sides: first fights of people, then battles, chases and others."""
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
    """A hash of the scenario file, so that rows of an older file are dropped."""
    game, _, scenario = name.partition("/")
    return sha256(find(game).demos()[f"scenarios/{scenario}.yaml"].read_bytes()).hexdigest()[:12]


def won(end: End | None, side: str) -> str:
    """The result for a side: 1 won, h a draw, 0 lost."""
    return "h" if end is None or end.winner is None else "1" if end.winner == side else "0"


def worths(fights: str) -> list[float]:
    """The value of each fight of a row, from 0 to 1."""
    return [0.5 if result == "h" else float(result) for result in fights]


def blank(name: str, side: str, against: str, how: Level) -> Row:
    """A row without fights."""
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
    """All rows of the table: first all scenarios as written, then all of them against one tactic after another."""
    rows_by_turn: list[tuple[int, Row]] = []
    for name in names:
        staged = library.stage(name)
        sides = list(staged.scene.sides(staged.state))
        if len(sides) == 2:
            tactics = list(staged.system.staging(staged.scene.kind).tactics) if tactics_too else []
            rows_by_turn += [
                (turn, blank(name, side, against, how)) for turn, against in enumerate([AS_WRITTEN, *tactics]) for side in sides
            ]
    return [row for _, row in sorted(rows_by_turn, key=lambda entry: entry[0])]


@cache
def rows_in_all() -> int:
    """The number of rows of all scenarios."""
    return len(wanted(scenarios(), level("good"), True))


def key(row: Row) -> tuple[str, ...]:
    """The columns that identify a row."""
    return tuple([row[column] for column in ("scenario", "version", "side", "against", "level")])


def go_on(row: Row, how: Level, more: int, until: float) -> bool:
    """Play more fights of a row, with an AI player and by the tactic, with the same dice. False if time ran out."""
    name, side = row["scenario"], row["side"]
    staged = library.stage(name)
    tactics = staged.system.staging(staged.scene.kind).tactics
    sides = staged.scene.sides(staged.state)
    other = next(name for name in sides if name != side)
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
        row["usual"] += "".join([won(plain(fight), side) for fight in range(len(row["usual"]), PLAIN * (number + 1))])
    return True


class Gain(NamedTuple):
    """The gain of an AI player over the tactic, the number of fights, and the standard error."""

    n: int
    thinking: float
    usual: float
    gain: float
    error: float

    @property
    def word(self) -> str:
        """`better` or `worse` if the gain is beyond error, otherwise empty."""
        if self.n < ENOUGH:
            return TOO_FEW
        return "better" if self.gain > BEYOND * self.error else "worse" if self.gain < -BEYOND * self.error else ""

    def cells(self) -> list[str]:
        """The cells of a table row."""
        return [f"{self.thinking:.0%}", f"{self.usual:.0%}", f"{100 * self.gain:+.0f} ± {100 * BEYOND * self.error:.0f}"]


def gained(rows: Iterable[Row]) -> Gain:
    """The gain over several rows together."""
    several = list(rows)
    gains = [gain for row in several for gain in row["gains"]]
    n, gain = len(gains), fmean(gains)
    furthest = max(map(abs, gains))
    error = stdev([*gains, -furthest if gain > 0 else furthest]) / sqrt(n)
    thinking = fmean([worth for row in several for worth in worths(row["thinking"])])
    by_tactic = sum(len(row["gains"]) * fmean(worths(row["usual"])) for row in several) / n
    return Gain(n, thinking, by_tactic, gain, error)


def line(row: Row) -> str:
    """One row as a line of the Markdown table."""
    gain = gained([row])
    decision = f"{row['seconds'] / max(1, row['thoughts']):.2f} s"
    left = f"{row['left']} of {row['thoughts']}"
    return _cells([row["scenario"], row["side"], row["against"], row["level"], gain.n, *gain.cells(), left, decision])


def _cells(cells: Iterable[Any]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(columns: Iterable[str], lines: Iterable[str]) -> str:
    titles = tuple(columns)
    return "\n".join([_cells(titles), "|---" * len(titles) + "|", *lines])


def pooled(rows: list[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    """Rows grouped by some columns: by side over all opponents, or by scenario over both sides."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple([row[column] for column in columns]), []).append(row)
    return groups


SIDES, SCENARIOS = ("scenario", "side"), ("scenario",)


def said_of(rows: list[Row]) -> str:
    """The verdict on a side: better, worse, empty, or why it is not known."""
    return gained(rows).word or ("" if any(row["thoughts"] for row in rows) else NO_THOUGHT)


def judged(rows: list[Row], *columns: str) -> tuple[str, list[str]]:
    """A sentence that counts the verdicts, and a table line for each group."""
    words, lines = [], []
    for about, group in pooled(rows, *columns).items():
        gain, word = gained(group), said_of(group)
        words.append(word)
        opponents = len({(row["side"], row["against"]) for row in group})
        lines.append(_cells([*about, opponents, gain.n, *gain.cells(), word]))
    known = len(words) - words.count(TOO_FEW) - words.count(NO_THOUGHT)
    enough = f"{known} {columns[-1]}s with at least {ENOUGH} fights"
    return (
        f"better beyond error for {words.count('better')} of {enough}, worse for {words.count('worse')}, and neither for {words.count('')}",
        lines,
    )


def first_fights(rows: list[Row]) -> list[Row]:
    """The first fight of every side against every opponent: results that nobody saw before more were played."""
    first = {(row["scenario"], row["side"], row["against"]): row for row in reversed(rows)}
    return [{**row, "thinking": row["thinking"][:1], "gains": row["gains"][:1]} for row in first.values()]


def page(rows: list[Row], decisions: list[Row]) -> str:
    """The Markdown page: results by scenario and by side, decision times, and every row."""
    missing = [name for name in scenarios() if name not in {row["scenario"] for row in rows}]
    by_scenario, scenario_lines = judged(rows, *SCENARIOS)
    by_side, side_lines = judged(rows, *SIDES)
    at_first, _ = judged(first_fights(rows), *SCENARIOS)
    fight_count = sum(len(row["thinking"]) for row in rows)
    summary = "\n".join(
        [
            "## Summary\n",
            f"- By scenario, over both sides and all opponents: the AI player is {by_scenario}.",
            f"- By side, over all opponents: the AI player is {by_side}.",
            f"- By the first fight of each row alone: the AI player is {at_first}.",
            f"- {len(rows)} of {rows_in_all()} rows with {fight_count} fights were measured.",
            f"- Not measured: {', '.join(missing)}." if missing else "- Every ready-made scenario between two sides is included.",
            f"- {PLAN}",
        ]
    )
    parts = [
        *[ABOUT.replace("WEIGHED", str(WEIGHED)), summary + "\n"],
        *["## By scenario\n", _table([title for title in POOLED if title != "AI side"], scenario_lines) + "\n"],
        *["## By side\n", _table(POOLED, side_lines) + "\n"],
    ]
    if decisions:
        times = [
            _cells([row["scenario"], row["level"], f"{row['told']:g} s", row["n"], f"{row['mean']:.2f} s", f"{row['longest']:.2f} s"])
            for row in decisions
        ]
        about = "The processor time of a decision at each level, and the limit of the level.\n"
        parts += ["## Decision times\n", about, _table(TIMES, times) + "\n"]
    return "\n".join([*parts, "## All rows\n", _table(COLUMNS, [line(row) for row in rows])]) + "\n"


class Kept:
    """The rows measured so far, and their files."""

    def __init__(self, folder: Path = DOCS) -> None:
        self.folder = folder
        self.aside = folder / "strength-next.json"
        """Rows of a new search algorithm, until there are enough. Until then the table of the old one stays."""
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
        if self.older and not is_enough(rows):
            self.aside.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
            return
        self.aside.unlink(missing_ok=True)
        text = json.dumps({"rows": rows, "decisions": self.decisions}, indent=1) + "\n"
        self.folder.joinpath("strength.json").write_text(text, encoding="utf-8")
        self.folder.joinpath("strength.md").write_text(page(rows, self.decisions), encoding="utf-8")


def is_enough(rows: list[Row]) -> bool:
    """Whether every scenario has enough fights for a verdict, so that the table of the algorithm before can be replaced."""
    fights_by_scenario = dict.fromkeys(scenarios(), 0)
    for row in rows:
        fights_by_scenario[row["scenario"]] += len(row["thinking"])
    return all(number >= ENOUGH for number in fights_by_scenario.values())


def _read(file: Path) -> Row:
    data = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return data if isinstance(data, dict) else {}


def targets(n: int) -> Iterator[int]:
    """The number of fights each row should have after each pass."""
    target = FIRST
    while target < n:
        yield target
        target *= 2
    yield n


def decided(names: Iterable[str]) -> Iterator[Row]:
    """Times the first decisions of a fight at each level, in processor time."""
    for name in names:
        staged = library.stage(name)
        tactics = staged.system.staging(staged.scene.kind).tactics
        everybody = [who for names in staged.scene.sides(staged.state).values() for who in names]
        for how in LEVELS.values():
            taken: list[float] = field(default_factory=list)
            match = _Clocked(staged.scene, staged.state, staged.decide, tactics, dict.fromkeys(everybody, how), 1, staged.scenario.rounds)
            match.taken = taken
            match.began = time.process_time()
            with suppress(_Enough):
                match(0)
            if taken:
                row = {"scenario": name, "level": how.name, "told": how.most, "n": len(taken)}
                yield row | {"mean": sum(taken) / len(taken), "longest": max(taken)}


class _Enough(Exception):
    """Enough decisions were timed."""


class _Clocked(Match):
    """A match that times its decisions and ends after a few."""

    taken: list[float] = field(default_factory=list)
    began: float = 0.0

    def thought(self, thought: Thought, moment: Moment) -> Given:
        now = time.process_time()
        if thought.playouts:
            self.taken.append(now - self.began)
        if len(self.taken) >= DECISIONS:
            raise _Enough
        self.began = time.process_time()
        return thought.answer


def show(done: int, rows: int, target: int, row: Row) -> None:
    """Show progress: a bar at a terminal, otherwise the measured row."""
    if sys.stderr.isatty():
        about = f"{row['scenario']}, {row['side']} against {row['against']}"
        print(f"\r{bar(done / rows, 30):<30} {done}/{rows} rows to {target} fights  {about:<60.60}", end="", file=sys.stderr, flush=True)
    else:
        print(f"{done}/{rows} to {target}: {line(row)}", flush=True)


class Batches(Struct):
    """Rows to continue, each with a number of fights; a batch is a row."""

    rows: list[tuple[Row, int]]
    how: Level
    until: float

    def __call__(self, number: int) -> tuple[Row, bool]:
        row, more = self.rows[number]
        in_time = go_on(row, self.how, more, self.until)
        return row, in_time


def fights(kept: Kept, row: Row) -> int:
    """The number of fights of a side against an opponent, over all levels."""
    return sum(len(other["thinking"]) for other in kept.rows.values() if key(other)[:4] == key(row)[:4])


def measure(kept: Kept, rows: list[Row], how: Level, n: int, until: float, workers: int = 1) -> None:
    """Play all rows: a few fights each at first, then more. Results are saved after each row."""
    for row in rows:
        kept.rows.setdefault(key(row), row)
    for target in targets(n):
        short = [(kept.rows[key(row)], target - have) for row in rows if (have := fights(kept, row)) < target]
        for done, (row, in_time) in enumerate(in_order(Batches(short, how, until), len(short), workers), 1):
            kept.rows[key(row)] = row
            if row["thinking"]:
                kept.write()
                show(done, len(short), target, row)
            if not in_time:
                return


def main(arguments: list[str]) -> int:
    """Measure, print and write. Returns 1 if the AI player is worse beyond error for a scenario or a side."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("-n", type=int, default=100, help="fights for each row")
    parser.add_argument("--level", default="good", choices=list(LEVELS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time of a decision on average")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="total time limit; the next call continues")
    parser.add_argument("--workers", type=int, default=2, help="number of processes; each measures one row at a time")
    parser.add_argument("--as-written", action="store_true", help="only against the other side as the scenario is written")
    parser.add_argument("--times", action="store_true", help="only time decisions at each level")
    given = parser.parse_args(arguments)
    named = level(given.level)
    how = replace(named, name=f"{given.seconds:g} s a decision", seconds=given.seconds, most=LENT * given.seconds)
    kept = Kept()
    if given.times:
        timed = given.scenarios or DUELS
        kept.decisions = [row for row in kept.decisions if row["scenario"] not in timed] + list(decided(timed))
    else:
        rows = wanted(given.scenarios or scenarios(), how, not given.as_written)
        try:
            measure(kept, rows, how, given.n, time.monotonic() + 60 * given.minutes, given.workers)
        except KeyboardInterrupt:
            print("\nStopped. The next call continues from here.", file=sys.stderr)
    kept.write()
    measured = [row for row in kept.rows.values() if row["thinking"]]
    return 1 if any(gained(group).word == "worse" for by in (SIDES, SCENARIOS) for group in pooled(measured, *by).values()) else 0
