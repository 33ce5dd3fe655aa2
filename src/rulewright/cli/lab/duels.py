"""The command `duel`: designs fight each other, under chosen circumstances, compared with their worth."""

from typing import Any

import click
from msgspec import to_builtins

from rulewright import library
from rulewright.cli.options import By, as_json, campaign, emit, say
from rulewright.cli.text import bar, columns, percent
from rulewright.errors import UserError

FIGHTS = 200
MOST_FIGHTS = 1_000_000


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-n", "fights", type=int, default=FIGHTS, show_default=True, metavar="N", help="Fights for each pair in each case.")
@click.option("--over", "over", multiple=True, metavar="NAME=A,B", help="Try these circumstances, such as range=4,12; repeatable.")
@click.option("--seed", type=int, metavar="N", help="Repeat the same random fights.")
@click.option("--plot", metavar="OUT", help="Save a chart as .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def duel(
    files: tuple[str, ...],
    fights: int,
    over: tuple[str, ...],
    seed: int | None,
    plot: str | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Let every two designs fight each other, and compare the win chances with the worth of each design.

    rulewright duel silhouette/heron-walker silhouette/magpie-transformer --over range=4,12 --over terrain=clear,woodland
    """
    from rulewright.lab.duels import duels

    if not 1 <= fights <= MOST_FIGHTS:
        raise UserError(f"-n takes a number from 1 to {MOST_FIGHTS:,}, not {fights}")
    if plot is not None:
        from rulewright.show import charts

        charts.check(plot)
    taken = [library.take(file) for file in files]
    system = taken[0].system
    strange = next((file for file, kept in zip(files, taken, strict=True) if kept.system.id != system.id), None)
    if strange is not None:
        raise UserError(f"{strange} belongs to another game than {files[0]}; give designs of one game")
    rules = by.rules(system)
    pairs = [(kept.thing.name, kept.thing) for kept in taken]
    if len(pairs) == 2 and pairs[0][0] == pairs[1][0]:
        pairs[1] = (f"{pairs[1][0]} (the other)", pairs[1][1])
    result = duels(system, rules, pairs, _circumstances(over), fights, seed)
    answer = _plain(result, fights)
    if plot is not None:
        charts.save(charts.duels(answer, "Win chances of designs"), plot)
    if json_wanted:
        emit(answer)
        return
    say(_lines(answer))
    if plot is not None:
        click.echo(f"Saved {plot}", err=True)


def _circumstances(over: tuple[str, ...]) -> dict[str, list[str]]:
    """Parse the circumstances: the values to try, by name."""
    result: dict[str, list[str]] = {}
    for given in over:
        name, sign, values = given.partition("=")
        if not sign or not name.strip() or not values.strip():
            raise UserError(f"write --over as NAME=A,B, such as range=4,12, not {given!r}")
        result[name.strip()] = [value.strip() for value in values.split(",") if value.strip()]
    return result


def _plain(table: Any, fights: int) -> dict[str, Any]:
    """The table as plain data."""
    designs = []
    for name in table.names:
        against = {other: {"chance": round(table.chance(name, other), 6)} for other in table.names if other != name}
        designs.append({"name": name, "worth": table.worths.get(name), "average": round(table.average(name), 6), "against": against})
    cases = [{**to_builtins(met), "rounds": round(met.rounds, 3)} for met in table.met]
    for case in cases:
        del case["fights"]  # they are listed once, at the top
    return {"worth": table.worth, "fights": fights, "designs": designs, "cases": cases}


def _lines(answer: dict[str, Any]) -> list[str]:
    """The table: each design with its worth, its average win chance, and its win chance against each other design."""
    designs = answer["designs"]
    heads = ["", answer["worth"], "wins", *[f"vs {design['name']}" for design in designs]]
    rows = [heads]
    for design in designs:
        met = [percent(design["against"][other["name"]]["chance"]) if other["name"] in design["against"] else "·" for other in designs]
        worth = "" if design["worth"] is None else f"{design['worth']:,}"
        rows.append([design["name"], worth, percent(design["average"]), *met])
    lines = columns(rows)
    lines += [
        "",
        *columns([[candidate["name"], bar(candidate["average"], 30)] for candidate in sorted(designs, key=lambda item: -item["average"])]),
    ]
    if len(answer["cases"]) > len(designs) * (len(designs) - 1) / 2:
        lines.append("")
        for case in answer["cases"]:
            said = ", ".join(f"{name} {value}" for name, value in case["said"].items())
            low, high = case["interval"]
            lines.append(f"{case['one']} against {case['other']}, {said}: {percent(case['chance'])} ({percent(low)} to {percent(high)})")
    return lines
