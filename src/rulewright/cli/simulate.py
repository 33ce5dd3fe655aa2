"""`simulate`: a scenario solved exactly, or sampled many times, with everything that is known when it is stopped."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rulewright import shelf
from rulewright.cli import text
from rulewright.cli.options import as_json, campaign, emit, pairs
from rulewright.errors import Wrong

if TYPE_CHECKING:
    from rulewright.lab import Progress

MOST_FIGHTS = 1_000_000_000
QUESTIONS = ("win", "losses", "all")


@click.command()
@click.argument("scenario")
@click.option("-n", "fights", type=int, default=None, metavar="N", help="How many fights to play; 10,000 unless given.")
@click.option("--exact", is_flag=True, help="Solve it instead of playing it.")
@click.option("--question", type=click.Choice(QUESTIONS), default="losses", show_default=True, help="What is asked; less is faster.")
@click.option("--states", type=int, default=None, metavar="N", help="With --exact: at most so many states.")
@click.option("--seconds", type=float, default=None, metavar="S", help="With --exact: at most so long.")
@click.option("--precision", type=float, default=None, metavar="P", help="With -n: stop as soon as every chance is within ± P.")
@click.option("--workers", type=int, default=1, show_default=True, metavar="N", help="With -n: so many processes.")
@click.option("--seed", type=int, metavar="N", help="The same fights every time.")
@click.option("--plot", metavar="OUT", help="Also draw a chart: a file ending in .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def simulate(
    scenario: str,
    fights: int | None,
    exact: bool,
    question: str,
    states: int | None,
    seconds: float | None,
    precision: float | None,
    workers: int,
    seed: int | None,
    plot: str | None,
    preset: str | None,
    settings: tuple[str, ...],
    house: str | None,
    json_wanted: bool,
) -> None:
    """Who carries a scenario, in how many rounds, at what price: played -n times, or --exact.

    Ctrl-C stops it and prints what is known so far.
    """
    _refuse(fights, exact, states, seconds, precision, seed)
    if plot is not None:
        from rulewright import charts

        charts.check(plot)
    staged = shelf.stage(scenario, preset, pairs(settings, "--set"), house)
    from rulewright import lab

    with _progress() as report:
        found: Any
        if exact:
            budget = {} if states is None else {"states": states}
            found = lab.solve(
                staged.scene,
                staged.state,
                staged.decide,
                question=question,
                rounds=staged.scenario.rounds,
                seconds=seconds,
                progress=report,
                **budget,
            )
        else:
            found = lab.sample(
                staged.scene,
                staged.state,
                staged.decide,
                fights or 10_000,
                question=question,
                rounds=staged.scenario.rounds,
                seed=seed,
                precision=precision,
                workers=workers,
                progress=report,
            )
    answer = found.public()
    if answer["n"] == 0:
        raise click.Abort  # stopped before the first fight came to its end: nothing is known
    if plot is not None:
        charts.save(charts.outlook(answer, staged.scenario.name), plot)
    if json_wanted:
        emit(answer)
        return
    for line in _lines(staged.scenario.name, answer):
        click.echo(line)
    if plot is not None:
        click.echo(f"{plot} is written", err=True)


def _refuse(fights: int | None, exact: bool, states: int | None, seconds: float | None, precision: float | None, seed: int | None) -> None:
    if exact and (fights is not None or precision is not None or seed is not None):
        raise Wrong("--exact plays no fights: -n, --precision and --seed do not go with it")
    if not exact and (states is not None or seconds is not None):
        raise Wrong("--states and --seconds go with --exact")
    if fights is not None and not 1 <= fights <= MOST_FIGHTS:
        raise Wrong(f"-n takes a number from 1 to {MOST_FIGHTS}, not {fights}")
    if states is not None and states < 1:
        raise Wrong(f"--states takes a number from 1, not {states}")
    if seconds is not None and not seconds > 0:
        raise Wrong(f"--seconds takes a number above 0, not {seconds:g}")


@contextmanager
def _progress() -> "Iterator[Callable[[Progress], object] | None]":
    """A bar on standard error while the work goes on, where somebody is looking."""
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
            if progress.of is not None:
                total, done = float(progress.of), float(progress.done)
            else:
                total, done = 1.0, progress.settled or 0.0
            said = f"{progress.done:,}"
            if progress.settled is not None:
                said += f", {progress.settled:.1%} settled"
            if progress.precision is not None:
                said += f", ± {progress.precision:.2%}"
            bar.update(task, description=progress.what, total=total, completed=done, said=said)

        yield report


def _lines(name: str, answer: dict[str, Any]) -> list[str]:
    if answer["n"] is None:
        how = f"{'solved exactly' if answer['exact'] else 'solved as far as the budget went'}, {answer['states']:,} states"
        if answer["settled"] < 1:
            how += f", {answer['settled']:.2%} settled"
    else:
        how = f"{answer['n']:,} fights"
    lines = [f"{click.style(name, bold=True)}   {how}", ""]
    sides = {**answer["sides"], "nobody": answer["draw"]}
    longest = max(map(len, sides))
    for side, chance in sides.items():
        low, high = chance["interval"]
        spread = f"{text.percent(low)} to {text.percent(high)}" if high - low > 1e-9 else ""
        drawn = text.bar(chance["chance"], 30)
        lines.append(
            f"  {side:<{longest}}  {text.percent(chance['chance']):>7}  {click.style(f'{drawn:<30}', fg='cyan')}  {spread}".rstrip()
        )
    rounds = answer["rounds"]
    lines += ["", f"rounds   {rounds['mean']:.2f} on average"]
    listed = [(count, chance) for count, chance in rounds["chance"].items() if chance >= 0.0005][:20]
    most = max((chance for _, chance in listed), default=1.0)
    lines += [f"  {count:>4}  {text.percent(chance):>7}  {click.style(text.bar(chance / most, 30), fg='blue')}" for count, chance in listed]
    if answer.get("losses"):
        lines.append("losses")
        lines += text.columns(
            [
                (side, f"{spread['mean']:.2f} on average", "  ".join(f"{lost}: {text.percent(p)}" for lost, p in spread["chance"].items()))
                for side, spread in answer["losses"].items()
            ],
            indent="  ",
        )
    return lines
