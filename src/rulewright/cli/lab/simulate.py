"""`simulate`: a scenario solved or sampled, compared with another, played at its best, or balanced."""

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
"""How long a solution and best play are looked for where no budget is said: some scenes have no end of states."""
THINKING = (40, 120)
"""Fights that are played for each number of opponents where somebody thinks: each takes many others."""
BESIDE, BESIDE_SECONDS = 0.02, 10.0
"""Where more than this is not settled when the budget is spent, some fights are played as well, for so long at most."""
AIMS = ("win", "last", "survive", "spare")
_PARTNERS = (
    ("aim", "--best", "--aim"),
    ("among", "--best", "--among"),
    ("qualities", "--balance", "--quality"),
    ("most", "--balance", "--most"),
)
"""Options that say something only beside another."""


def share(given: str) -> float:
    """A share written as `0.001` or `0.1%`."""
    given = given.strip()
    try:
        return float(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
    except ValueError:
        raise UserError(f"a share is written such as 0.001 or 0.1%, not {given!r}") from None


@click.command()
@click.argument("scenario", shell_complete=completion.scenarios)
@click.option("-n", "fights", type=int, default=None, metavar="N", help="How many fights to play: 10,000, or what --precision takes.")
@click.option("--exact", is_flag=True, help="Solve it instead of playing it.")
@click.option("--question", type=click.Choice(QUESTIONS), default="losses", show_default=True, help="What is asked; less is faster.")
@click.option("--states", type=int, default=None, metavar="N", help="With --exact or --best: at most so many states.")
@click.option("--seconds", type=float, default=None, metavar="S", help="With --exact or --best: at most so long (120 and 60).")
@click.option("--precision", type=share, default=None, metavar="P", help="Play until every chance is within ± P, such as 0.1%.")
@click.option("--workers", type=int, default=1, show_default=True, metavar="N", help="Play on so many processes.")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster; `local` starts one here.")
@click.option("--seed", type=int, metavar="N", help="The same fights every time.")
@click.option("--change", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a field of the scenario; repeatable.")
@click.option("--versus", metavar="SCENARIO", help="Compare with another scenario.")
@click.option("--versus-set", "versus_settings", multiple=True, metavar="NAME=VALUE", help="Compare with another setting; repeatable.")
@click.option("--versus-preset", metavar="NAME", help="Compare with another bundle of settings.")
@click.option("--versus-change", "versus_changes", multiple=True, metavar="FIELD=VALUE", help="Compare with another field; repeatable.")
@click.option("--best", "best_side", metavar="SIDE", help="What this side does best, and what each option is worth.")
@click.option("--aim", type=click.Choice(AIMS), default=None, help="With --best: what for; win unless given.")
@click.option(
    "--among", metavar="TACTICS", help="With --best: try what these tactics do (a,b,c), or `all` options. All tactics unless given."
)
@click.option("--balance", "balanced_side", metavar="SIDE", help="How many opponents give this side a chance in a range.")
@click.option("--between", nargs=2, type=share, metavar="LOW HIGH", help="With --balance: the range, such as 60% 75%.")
@click.option("--quality", "qualities", multiple=True, metavar="CHARACTER", help="With --balance: opponents to try; repeatable.")
@click.option("--most", type=int, default=None, metavar="N", help="With --balance: at most so many opponents; 30 unless given.")
@click.option("--tournament", is_flag=True, help="The tactics of both sides each against each, -n fights a pair (100).")
@click.option("--play", "minds", multiple=True, metavar="SIDE=LEVEL", help="Who thinks before they act: easy, good or best; repeatable.")
@click.option("--plot", metavar="OUT", help="Also draw a chart: a file ending in .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def simulate(json_wanted: bool, plot: str | None, **given: Any) -> None:
    """Who carries a scenario, in how many rounds, at what price: played -n times, or --exact.

    With --versus (or --versus-set, --versus-change) two scenes side by side; with --best the best play of a side; with --balance
    the number of opponents that gives it a fair chance; with --tournament how each tactic does against each other. Ctrl-C stops it
    and prints what is known so far.
    """
    _refuse(given)
    if plot is not None:
        from rulewright.show import charts

        charts.check(plot)
    by: By = given["by"]
    staged = library.stage(given["scenario"], by.preset, by.chosen, by.house, _changes(given["changes"], "--change"))
    ways: dict[str, Callable[..., tuple[str, dict[str, Any], list[str]]]] = {
        "best_side": _best,
        "balanced_side": _balance,
        "compared": _compare,
        "tournament": _tournament,
        "": _outlook,
    }
    with _progress() as report:
        chart, answer, lines = ways[_asked(given)](staged, given, report)
    if plot is not None:
        charts.save(getattr(charts, chart)(answer, staged.scenario.name), plot)
    if json_wanted:
        emit(answer)
        return
    say(lines)
    if plot is not None:
        click.echo(f"{plot} is written", err=True)


def _asked(given: dict[str, Any]) -> str:
    """Which of the five things is asked for."""
    versus = any(given[name] not in (None, ()) for name in ("versus", "versus_settings", "versus_preset", "versus_changes"))
    asked = [name for name in ("best_side", "balanced_side") if given[name] is not None] + (["compared"] if versus else [])
    asked += ["tournament"] if given["tournament"] else []
    if len(asked) > 1:
        raise UserError("--best, --balance, --tournament and --versus each ask for something else: choose one")
    if given["minds"] and asked and asked[0] != "balanced_side":
        raise UserError("--play goes with fights that are played: not with --best, --tournament and --versus")
    return asked[0] if asked else ""


def _refuse(given: dict[str, Any]) -> None:
    fights, states, seconds = given["fights"], given["states"], given["seconds"]
    best, balanced = given["best_side"] is not None, given["balanced_side"] is not None
    solved = given["exact"] or best
    for name, goes_with, there in _PARTNERS:
        if given[name] not in (None, ()) and not {"--best": best, "--balance": balanced}[goes_with]:
            raise UserError(f"{there} goes with {goes_with}")
    if balanced and (given["exact"] or any(given[name] is not None for name in ("fights", "precision", "cluster"))):
        raise UserError("--balance plays as many fights as it needs: --exact, -n, --precision and --cluster do not go with it")
    if solved and any(given[name] is not None for name in ("fights", "precision", "seed", "cluster")):
        raise UserError("--exact and --best play no fights: -n, --precision, --seed and --cluster do not go with them")
    if not solved and (states is not None or seconds is not None):
        raise UserError("--states and --seconds go with --exact and --best")
    if given["minds"] and (given["exact"] or given["precision"] is not None or given["cluster"] is not None):
        raise UserError("--play plays -n fights on this machine: --exact, --precision and --cluster do not go with it")
    if given["tournament"] and (solved or any(given[name] is not None for name in ("precision", "cluster"))):
        raise UserError("--tournament plays -n fights a pair on this machine: --exact, --precision and --cluster do not go with it")
    if balanced != bool(given["between"]):
        raise UserError("--balance SIDE and --between LOW HIGH go together")
    if fights is not None:
        from rulewright.lab.sampling.sample import MOST_FIGHTS

        if not 1 <= fights <= MOST_FIGHTS:
            raise UserError(f"-n takes a number from 1 to {MOST_FIGHTS}, not {fights}")
    if states is not None and states < 1:
        raise UserError(f"--states takes a number from 1, not {states}")
    if seconds is not None and not seconds > 0:
        raise UserError(f"--seconds takes a number above 0, not {seconds:g}")
    if given["most"] is not None and not 1 <= given["most"] <= library.MOST_MEMBERS:
        raise UserError(f"--most takes a number from 1 to {library.MOST_MEMBERS}, not {given['most']}")
    if given["cluster"] is not None and given["workers"] != 1:
        raise UserError("--cluster brings its own workers: --workers does not go with it")


def _changes(given: tuple[str, ...], what: str) -> dict[str, Any]:
    """Fields of a scenario with their new values, written as in the file itself."""
    from rulewright.files import parse_value

    return {name: parse_value(value, f"{what} {name}") for name, value in pairs(given, what).items()}


# --- what is asked for --------------------------------------------------------------------------------------------------------


def _variant(staged: library.Staged) -> "Variant":
    from rulewright.lab import Variant

    return Variant(staged.scene, staged.state, staged.decide, staged.scenario.rounds)


def _budget(given: dict[str, Any], seconds: float | None) -> dict[str, Any]:
    """How many states and seconds a solution may take: what was said, else so many seconds, for a scene may have no end of states."""
    said = {name: given[name] for name in ("states", "seconds") if given[name] is not None}
    return said or ({} if seconds is None else {"seconds": seconds})


def _outlook(staged: library.Staged, given: dict[str, Any], report: Any) -> tuple[str, dict[str, Any], list[str]]:
    from rulewright import lab

    scene, state, decide = staged.scene, staged.state, staged.decide
    asked: dict[str, Any] = {"question": given["question"], "rounds": staged.scenario.rounds, "progress": report}
    played = {"n": given["fights"], "seed": given["seed"], "workers": given["workers"]}
    result: Any
    if given["exact"]:
        result = lab.solve(scene, state, decide, **asked, **_budget(given, EXACT_SECONDS))
    elif given["minds"]:
        result = _thinking(staged, given)(scene, state, decide, **played, **asked)
    else:
        with lab.Cluster(given["cluster"]) if given["cluster"] is not None else nullcontext() as cluster:
            result = lab.sample(scene, state, decide, precision=given["precision"], cluster=cluster, **played, **asked)
    answer = result.public()
    if answer["n"] == 0:
        raise click.Abort  # stopped before the first fight came to its end: nothing is known
    if given["exact"] and result.budget_reached and result.unsettled > BESIDE:
        beside = lab.sample(scene, state, decide, workers=given["workers"], **asked | {"progress": _for_a_while(report)})
        answer["sampled"] = {key: value for key, value in beside.public().items() if key != "stopped"}
    return "outlook", answer, lab_lines.outlook(staged.scenario.name, answer)


def _thinking(staged: library.Staged, given: dict[str, Any]) -> "Callable[..., Sampled]":
    """Plays fights as `lab.sample` does, with those who were given a level thinking before they act."""
    from rulewright.lab import search

    tactics, said = staged.system.staging(staged.scene.kind).tactics, pairs(given["minds"], "--play")
    search.who_plays(staged.scene.sides(staged.state), said)  # refused before anything is played

    def play(scene: Any, state: Any, decide: Any, n: int | None, **asked: Any) -> "Sampled":
        return search.play(scene, state, decide, tactics, search.who_plays(scene.sides(state), said), n, **asked)

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
    """The same report, that stops the work after a while."""
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
        raise UserError("a comparison is played here: --cluster does not go with it, --workers does")
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
            raise UserError(f"{staged.system.id} has no tactic {unknown[0]!r}; there are {', '.join(known)}, or say `all` for every option")
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
        raise UserError(f"a balance is sought between two sides, and there are {len(others) + 1}")
    kind = staged.scenario.sides[others[0]][0]
    by, changes = given["by"], _changes(given["changes"], "--change")

    def make(quality: str, number: int) -> "Variant":
        member: dict[str, Any] = {"character": quality, "count": number, "tactic": kind.tactic}
        if quality == kind.character:
            member |= {"name": kind.name, "state": kind.state, "at": kind.at}
        opposed = {**changes, f"sides.{others[0]}": [member]}
        return _variant(library.stage(given["scenario"], by.preset, by.chosen, by.house, opposed))

    more: dict[str, Any] = {"play": _thinking(staged, given), "fights": THINKING} if given["minds"] else {}
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
    """A bar on standard error while the work goes on, where somebody is looking: how far, how fast, how long still."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("begins", total=None, said="")

        def report(progress: "Progress") -> None:
            total = None if progress.share is None else 1.0
            bar.update(task, description=progress.what, total=total, completed=progress.share or 0.0, said=said(progress))

        yield report


def said(progress: "Progress") -> str:
    """How far the work is, how fast it goes, and how long it still takes where that can be told."""
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
