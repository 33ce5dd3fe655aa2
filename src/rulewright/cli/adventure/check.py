"""The commands `adventure check` and `adventure odds`."""

import click

from rulewright.campaign.calendar import write_span
from rulewright.cli import text
from rulewright.cli.options import as_json, emit, say
from rulewright.grammar import count, join
from rulewright.playthrough.check import WALKS, Checked, RequestChance
from rulewright.playthrough.check import check as run_check
from rulewright.playthrough.loader import open_adventure
from rulewright.playthrough.walks import Walks
from rulewright.show.serialize import plain


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="ADVENTURE...")
@click.option("--walks", type=click.IntRange(0, 100_000), default=WALKS, help="How many random walks; 0 leaves them out.")
@click.option("--seed", type=int, default=1, metavar="N", help="Repeat the same walks.")
@as_json
def check(paths: tuple[str, ...], walks: int, seed: int, json_wanted: bool) -> int:
    """Check adventures. The exit status is 1 if anything is wrong."""
    checked = [(path, run_check(open_adventure(path), walks, seed)) for path in paths]
    if json_wanted:
        emit([{"adventure": path, **plain(result)} for path, result in checked])
    else:
        for path, result in checked:
            say(_report(path, result))
    return 0 if all(result.good for _, result in checked) else 1


@click.command()
@click.argument("path", metavar="ADVENTURE")
@as_json
def odds(path: str, json_wanted: bool) -> None:
    """Show the exact chances of every roll request, for each ready-made character and for the party."""
    chances = run_check(open_adventure(path), walks=0).chances
    emit(plain(chances)) if json_wanted else say(_chance_lines(chances))


def _report(path: str, checked: Checked) -> list[str]:
    verdict = click.style(count(len(checked.problems), "problem"), fg="red") if checked.problems else click.style("good", fg="green")
    lines = [f"{path}: {verdict}", *[f"  {problem}" for problem in checked.problems]]
    lines += ["", *_chance_lines(checked.chances)] if checked.chances else []
    return lines + (["", *_walk_lines(checked.walks)] if checked.walks is not None else [])


def _chance_lines(chances: tuple[RequestChance, ...]) -> list[str]:
    rows = []
    for chance in chances:
        people = join([f"{name} {_percent(value)}" for name, value in chance.people.items()])
        rows.append((chance.node, chance.request, _percent(chance.party), people))
    return text.columns([("node", "request", "party", "one by one"), *rows])


def _walk_lines(walks: Walks) -> list[str]:
    lines = [f"{count(walks.number, 'walk')}"]
    lines += text.columns([(ending, text.percent(number / walks.number)) for ending, number in walks.endings.items()], indent="  ")
    least, middle, most = walks.steps
    lines.append(f"  steps: {least} to {most}, half of them at most {middle}")
    least, middle, most = walks.seconds
    lines.append(f"  time in the story: {write_span(least)} to {write_span(most)}, half of them at most {write_span(middle)}")
    for node, results in walks.fights.items():
        total = sum(results.values())
        shares = join([f"{outcome} {text.percent(number / total)}" for outcome, number in results.items()])
        lines.append(f"  fight in {node}, played {total} times by tactics: {shares}")
    return lines


def _percent(chance: float | None) -> str:
    return "–" if chance is None else text.percent(chance)
