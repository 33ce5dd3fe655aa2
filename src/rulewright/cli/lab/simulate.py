"""The command `simulate`: solve or sample a scenario, compare two, find best play, or balance the opposition."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from rulewright import library
from rulewright.cli import completion
from rulewright.cli.lab import report as lab_lines
from rulewright.cli.options import By, as_json, campaign, emit, pairs, say
from rulewright.errors import UserError

if TYPE_CHECKING:
    from rulewright.lab import Progress, Sampled, Variant

QUESTIONS = ("win", "losses", "all")
EXACT_SECONDS, BEST_SECONDS = 120.0, 60.0
"""Default time limits of --exact and --best: some scenes have too many states to finish."""
THINKING = (40, 120)
"""Fights for each number of opponents if AI opponents play: each of their decisions takes many playouts."""
BESIDE, BESIDE_SECONDS = 0.02, 10.0
"""If more than this share is unsettled when the budget runs out, fights are sampled too, for so many seconds at most."""
AIMS = ("win", "last", "survive", "spare")
_PARTNERS = (
    ("aim", "--best", "--aim"),
    ("among", "--best", "--among"),
    ("qualities", "--balance", "--quality"),
    ("most", "--balance", "--most"),
)
"""Options that need another option."""


def share(given: str) -> float:
    """Parse a share: `0.001` or `0.1%`."""
    given = given.strip()
    try:
        return float(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
    except ValueError:
        raise UserError(f"write a share as 0.001 or 0.1%, not {given!r}") from None


@click.command()
@click.argument("scenario", shell_complete=completion.scenarios)
@click.option(
    "-n",
    "fights",
    type=int,
    default=None,
    metavar="N",
    help="Play so many fights; default 10,000 (with --play 100), or as many as --precision needs.",
)
@click.option("--exact", is_flag=True, help="Solve it exactly instead of playing it.")
@click.option("--question", type=click.Choice(QUESTIONS), default="losses", show_default=True, help="What to calculate; less is faster.")
@click.option("--states", type=int, default=None, metavar="N", help="With --exact or --best: explore at most so many states.")
@click.option("--seconds", type=float, default=None, metavar="S", help="With --exact or --best: time limit; default 120 and 60.")
@click.option("--precision", type=share, default=None, metavar="P", help="Play until every chance is known within ± P, such as 0.1%.")
@click.option("--workers", type=int, default=1, show_default=True, metavar="N", help="Use so many processes.")
@click.option("--cluster", metavar="ADDRESS", help="Use a Dask cluster; `local` starts one on this machine.")
@click.option("--seed", type=int, metavar="N", help="Repeat the same random fights.")
@click.option("--change", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a field of the scenario; repeatable.")
@click.option("--versus", metavar="SCENARIO", help="Compare with another scenario.")
@click.option("--versus-set", "versus_settings", multiple=True, metavar="NAME=VALUE", help="Compare with another setting; repeatable.")
@click.option("--versus-preset", metavar="NAME", help="Compare with another preset.")
@click.option("--versus-change", "versus_changes", multiple=True, metavar="FIELD=VALUE", help="Compare with a changed field; repeatable.")
@click.option("--best", "best_side", metavar="SIDE", help="Find the best play of this side and the value of each option.")
@click.option("--aim", type=click.Choice(AIMS), default=None, help="With --best: the goal; default win.")
@click.option(
    "--among", metavar="TACTICS", help="With --best: try the options of these tactics (a,b,c), or `all` options. Default: every tactic."
)
@click.option(
    "--balance", "balanced_side", metavar="SIDE", help="Find the number of opponents that gives this side a win chance in a range."
)
@click.option("--between", nargs=2, type=share, metavar="LOW HIGH", help="With --balance: the range, such as 60% 75%.")
@click.option("--quality", "qualities", multiple=True, metavar="CHARACTER", help="With --balance: try this opponent; repeatable.")
@click.option("--most", type=int, default=None, metavar="N", help="With --balance: try at most so many opponents; default 30.")
@click.option("--tournament", is_flag=True, help="Play every tactic against every other, -n fights a pair (default 100).")
@click.option("--play", "minds", multiple=True, metavar="SIDE=LEVEL", help="Use an AI opponent: easy, good or best; repeatable.")
@click.option("--plot", metavar="OUT", help="Save a chart as .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def simulate(json_wanted: bool, plot: str | None, **given: Any) -> None:
    """Calculate the win chances, rounds and losses of a scenario: play it -n times, or solve it with --exact.

    --versus, --versus-set and --versus-change compare two scenes. --best finds the best play of a side. --balance finds the number of
    opponents for a fair fight. --tournament compares tactics. Ctrl-C stops and prints the results so far.
    """
    _refuse(given)
    if plot is not None:
        from rulewright.show import charts

        charts.check(plot)
    by: By = given["by"]
    staged = library.stage(given["scenario"], by.preset, by.chosen, by.house, _changes(given["changes"], "--change"))
    modes: dict[str, Callable[..., tuple[str, dict[str, Any], list[str]]]] = {
        "best_side": _best,
        "balanced_side": _balance,
        "compared": _compare,
        "tournament": _tournament,
        "": _outlook,
    }
    with _progress() as report:
        chart, answer, lines = modes[_mode(given)](staged, given, report)
    if plot is not None:
        charts.save(getattr(charts, chart)(answer, staged.scenario.name), plot)
    if json_wanted:
        emit(answer)
        return
    say(lines)
    if plot is not None:
        click.echo(f"Saved {plot}", err=True)


def _mode(given: dict[str, Any]) -> str:
    """Returns the one of five modes that the options choose."""
    versus = any(given[name] not in (None, ()) for name in ("versus", "versus_settings", "versus_preset", "versus_changes"))
    asked = [name for name in ("best_side", "balanced_side") if given[name] is not None] + (["compared"] if versus else [])
    asked += ["tournament"] if given["tournament"] else []
    if len(asked) > 1:
        raise UserError("give only one of --best, --balance, --tournament and --versus")
    if given["minds"] and asked and asked[0] != "balanced_side":
        raise UserError("--play does not work with --best, --tournament and --versus")
    return asked[0] if asked else ""


def _refuse(given: dict[str, Any]) -> None:
    fights, states, seconds = given["fights"], given["states"], given["seconds"]
    best, balanced = given["best_side"] is not None, given["balanced_side"] is not None
    solved = given["exact"] or best
    for name, partner, option in _PARTNERS:
        if given[name] not in (None, ()) and not {"--best": best, "--balance": balanced}[partner]:
            raise UserError(f"{option} needs {partner}")
    if balanced and (given["exact"] or any(given[name] is not None for name in ("fights", "precision", "cluster"))):
        raise UserError("--balance plays as many fights as it needs: leave out --exact, -n, --precision and --cluster")
    if solved and any(given[name] is not None for name in ("fights", "precision", "seed", "cluster")):
        raise UserError("--exact and --best play no fights: leave out -n, --precision, --seed and --cluster")
    if not solved and (states is not None or seconds is not None):
        raise UserError("--states and --seconds need --exact or --best")
    if given["minds"] and (given["exact"] or given["precision"] is not None or given["cluster"] is not None):
        raise UserError("--play plays -n fights on this machine: leave out --exact, --precision and --cluster")
    if given["tournament"] and (solved or any(given[name] is not None for name in ("precision", "cluster"))):
        raise UserError("--tournament plays -n fights a pair on this machine: leave out --exact, --precision and --cluster")
    if balanced != bool(given["between"]):
        raise UserError("give both --balance SIDE and --between LOW HIGH")
    if fights is not None:
        from rulewright.lab.sampling.sample import MOST_FIGHTS

        if not 1 <= fights <= MOST_FIGHTS:
            raise UserError(f"-n takes a number from 1 to {MOST_FIGHTS:,}, not {fights}")
    if states is not None and states < 1:
        raise UserError(f"--states takes a number of at least 1, not {states}")
    if seconds is not None and not seconds > 0:
        raise UserError(f"--seconds takes a number above 0, not {seconds:g}")
    if given["most"] is not None and not 1 <= given["most"] <= library.MOST_MEMBERS:
        raise UserError(f"--most takes a number from 1 to {library.MOST_MEMBERS}, not {given['most']}")
    if given["cluster"] is not None and given["workers"] != 1:
        raise UserError("--cluster has its own workers: leave out --workers")


def _changes(given: tuple[str, ...], what: str) -> dict[str, Any]:
    """Parse changed fields of a scenario; values are written as in the file."""
    from rulewright.files import parse_value

    return {name: parse_value(value, f"{what} {name}") for name, value in pairs(given, what).items()}


# --- the five modes -----------------------------------------------------------------------------------------------------------


def _variant(staged: library.Staged) -> "Variant":
    from rulewright.lab import Variant

    return Variant(staged.scene, staged.state, staged.decide, staged.scenario.rounds)


def _budget(given: dict[str, Any], seconds: float | None) -> dict[str, Any]:
    """The budget of a solution: the given one, else this time limit."""
    limits = {name: given[name] for name in ("states", "seconds") if given[name] is not None}
    return limits or ({} if seconds is None else {"seconds": seconds})


def _outlook(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    scene, state, decide = staged.scene, staged.state, staged.decide
    asked: dict[str, Any] = {"question": given["question"], "rounds": staged.scenario.rounds, "progress": report}
    played = {"n": given["fights"], "seed": given["seed"], "workers": given["workers"]}
    result: Any
    if given["exact"]:
        result = lab.solve(scene, state, decide, **asked, **_budget(given, EXACT_SECONDS))
    elif given["minds"]:
        result = _ai_sampling(staged, given)(scene, state, decide, **played, **asked)
    else:
        with lab.Cluster(given["cluster"]) if given["cluster"] is not None else nullcontext() as cluster:
            result = lab.sample(scene, state, decide, precision=given["precision"], cluster=cluster, **played, **asked)
    answer = result.public()
    if answer["n"] == 0:
        raise click.Abort  # stopped before the first fight ended
    if given["exact"] and result.budget_reached and result.unsettled > BESIDE:
        beside = lab.sample(scene, state, decide, workers=given["workers"], **asked | {"progress": _for_a_while(report)})
        answer["sampled"] = {key: value for key, value in beside.public().items() if key != "stopped"}
    return "outlook", answer, lab_lines.outlook(staged.scenario.name, answer)


def _ai_sampling(staged: library.Staged, given: dict[str, Any]) -> "Callable[..., Sampled]":
    """A replacement for `lab.sample` in which AI opponents of the given levels decide."""
    from rulewright.lab import search

    tactics, levels = staged.system.staging(staged.scene.kind).tactics, pairs(given["minds"], "--play")
    search.who_plays(staged.scene.sides(staged.state), levels)  # fail before the first fight

    def play(scene: Any, state: Any, decide: Any, n: int | None, **asked: Any) -> "Sampled":
        return search.play(scene, state, decide, tactics, search.who_plays(scene.sides(state), levels), n, **asked)

    return play


def _tournament(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    result = lab.tournament(
        staged.scene,
        staged.state,
        staged.decide,
        staged.system.staging(staged.scene.kind).tactics,
        **({} if given["fights"] is None else {"n": given["fights"]}),
        rounds=staged.scenario.rounds,
        seed=1 if given["seed"] is None else given["seed"],
        workers=given["workers"],
        progress=report,
    )
    answer = result.public()
    if not answer["standings"]:
        raise click.Abort
    return "tournament", answer, lab_lines.tournament(staged.scenario.name, answer)


def _for_a_while(report: Any) -> Callable[[Any], bool]:
    """A progress report that stops the work after BESIDE_SECONDS."""
    until = monotonic() + BESIDE_SECONDS
    return lambda progress: (report is None or report(progress) is not False) and monotonic() < until


def _compare(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    by: By = given["by"]
    other = library.stage(
        given["versus"] or given["scenario"],
        given["versus_preset"] or by.preset,
        {**by.chosen, **pairs(given["versus_settings"], "--versus-set")},
        by.house,
        {**_changes(given["changes"], "--change"), **_changes(given["versus_changes"], "--versus-change")},
    )
    if given["cluster"] is not None:
        raise UserError("a comparison runs on this machine: use --workers instead of --cluster")
    result = lab.compare(
        _variant(staged),
        _variant(other),
        given["fights"],
        exact=True if given["exact"] else False if given["fights"] or given["precision"] else None,
        question=given["question"],
        seed=given["seed"],
        precision=given["precision"],
        workers=given["workers"],
        progress=report,
        **_budget(given, EXACT_SECONDS if given["exact"] else None),
    )
    answer = result.public()
    differs = [*given["versus_settings"], *given["versus_changes"], *([given["versus_preset"]] if given["versus_preset"] else [])]
    names = (staged.scenario.name, ", ".join([other.scenario.name, *differs]))
    answer["names"] = list(names)
    return "compared", answer, lab_lines.compared(names, answer)


def _best(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    known = staged.system.staging(staged.scene.kind).tactics
    wanted = given["among"]
    if wanted == "all" or not known:
        among = None
    else:
        names = list(known) if wanted is None else [name.strip() for name in wanted.split(",")]
        unknown = [name for name in names if name not in known]
        if unknown:
            raise UserError(f"{staged.system.id} has no tactic {unknown[0]!r}; there are {', '.join(known)}, or `all` for every option")
        among = [known[name] for name in names]
    result = lab.best(
        staged.scene,
        staged.state,
        staged.decide,
        side=given["best_side"],
        aim=given["aim"] or "win",
        among=among,
        rounds=staged.scenario.rounds,
        progress=report,
        **_budget(given, BEST_SECONDS),
    )
    answer = result.public()
    return "worths", answer, lab_lines.best(staged.scenario.name, answer)


def _balance(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    side = given["balanced_side"]
    others = [name for name in staged.scenario.sides if name != side]
    if side not in staged.scenario.sides:
        raise UserError(f"there is no side {side!r}; there are {', '.join(staged.scenario.sides)}")
    if len(others) != 1:
        raise UserError(f"--balance needs a scenario with two sides, not {len(others) + 1}")
    kind = staged.scenario.sides[others[0]][0]
    by, changes = given["by"], _changes(given["changes"], "--change")

    def make(quality: str, number: int) -> "Variant":
        member: dict[str, Any] = {"character": quality, "count": number, "tactic": kind.tactic}
        if quality == kind.character:
            member |= {"name": kind.name, "state": kind.state, "at": kind.at}
        opposed = {**changes, f"sides.{others[0]}": [member]}
        return _variant(library.stage(given["scenario"], by.preset, by.chosen, by.house, opposed))

    more: dict[str, Any] = {"play": _ai_sampling(staged, given), "fights": THINKING} if given["minds"] else {}
    result = lab.balance(
        make,
        given["qualities"] or (kind.character,),
        side=side,
        between=given["between"],
        **({} if given["most"] is None else {"most": given["most"]}),
        seed=1 if given["seed"] is None else given["seed"],
        workers=given["workers"],
        progress=report,
        **more,
    )
    answer = result.public()
    return "balance", answer, lab_lines.balanced(staged.scenario.name, answer)


# --- progress -----------------------------------------------------------------------------------------------------------------


@contextmanager
def _progress() -> "Iterator[Callable[[Progress], object] | None]":
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None, said="")

        def report(progress: "Progress") -> None:
            total = None if progress.share is None else 1.0
            bar.update(task, description=progress.what, total=total, completed=progress.share or 0.0, said=said(progress))

        yield report


def said(progress: "Progress") -> str:
    """Progress in words: number done, speed, and time left if it is known."""
    words = [f"{progress.done:,}"]
    rate = progress.done / progress.seconds if progress.seconds > 0 else 0.0
    if rate:
        words.append(f"{rate:,.0f} a second")
    if progress.of and rate:
        words.append(f"{_time(max(0.0, (progress.of - progress.done) / rate))} left at most")
    return ", ".join([*words, *progress.sure()])


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
