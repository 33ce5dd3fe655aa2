"""The command `convert`: a person in another game, by equal odds between our games, by a book's rules to and from others."""

from pathlib import Path
from typing import Any

import click

from rulewright import files, library
from rulewright.cli.options import By, as_json, campaign, emit, pairs
from rulewright.cli.text import columns, percent
from rulewright.conversion import Converted, Row, described, side_of
from rulewright.conversion import convert as convert_person
from rulewright.errors import UserError
from rulewright.rules import nearest
from rulewright.show.serialize import plain
from rulewright.system import Crossing, System, find, names


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("said", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--to", "to", metavar="GAME", help="Convert to this game: one of ours, or d20.")
@click.option("--from", "other", metavar="GAME", help="Convert from this game; --to then names ours.")
@click.option("-o", "--out", metavar="FILE", help="Save the result as this file.")
@click.option("--fit", "fights", type=click.IntRange(20, 2000), metavar="FIGHTS", help="Fit the fighting skills by so many duels.")
@campaign
@as_json
def convert(
    path: str,
    said: tuple[str, ...],
    to: str | None,
    other: str | None,
    out: str | None,
    fights: int | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Convert a character to or from another game; list what is lost and what is assumed.

    Between our games every rating becomes the value whose odds lie nearest. --preset, --set and --house concern the game of the file.

    rulewright convert scumm/detective --to ore

    rulewright convert scumm/hired-gun --to silhouette --fit 200 -o gun.yaml

    rulewright convert ana.yaml --to d20 class=rogue

    rulewright convert sorcerer.yaml --from d20 --to silhouette -o sorcerer-silhouette.yaml
    """
    if out is not None and Path(out).exists():
        raise UserError(f"{out}: this file exists already; give another name")
    if other is not None:
        game = find(to) if to is not None else _only_bridge(other)
        crossing = game.cross_back(by.rules(game), _data(path), other)
    else:
        kept = library.take(path)
        game = kept.system
        ours = [name for name in names() if name != game.id and find(name).portrayal is not None] if game.portrayal is not None else []
        wanted = to or (game.bridges[0] if len(game.bridges) == 1 else "")
        if wanted not in (*game.bridges, *ours):
            targets = [*game.bridges, *ours]
            known = f"; it converts to {', '.join(targets)}" if targets else ""
            target = repr(wanted) if wanted else "a game without --to" if targets else "other games"
            raise UserError(f"{game.name} does not convert to {target}{nearest(wanted, targets) or known}")
        if wanted not in game.bridges:
            _show_converted(_converted(kept.thing, game, wanted, by, said, fights), out, json_wanted)
            return
        crossing = game.cross(by.rules(game), kept.thing, wanted, pairs(said, "an argument"))
    _show(crossing, out, json_wanted)


def _converted(thing: Any, game: System, to: str, by: By, said: tuple[str, ...], fights: int | None) -> Converted:
    """The person in another of our games; with `fights`, the fighting skills fitted by duels."""
    if said:
        raise UserError(f"a conversion by equal odds takes no arguments such as {said[0]!r}")
    target = find(to)
    sides = side_of(game, by.rules(game)), side_of(target, target.book.ruleset())
    if fights is None:
        return convert_person(thing, *sides)
    from rulewright.lab.conversion_fit import fit

    fitted = fit(thing, *sides, fights)
    shares = [percent(share.share) for share in (fitted.before, fitted.by_odds, fitted.after)]
    click.echo(f"Duels against an ordinary opponent: {shares[0]} before, {shares[1]} by odds, {shares[2]} fitted.", err=True)
    return fitted.converted


def _only_bridge(other: str) -> Any:
    """The only game that converts from another game."""
    systems = [find(name) for name in names() if other in find(name).bridges]
    if len(systems) != 1:
        raise UserError(f"no game converts from {other!r}" if not systems else "give the game to convert to with --to")
    return systems[0]


def _data(path: str) -> Any:
    """Read a file of another game as plain data."""
    file = Path(path)
    if not file.is_file():
        raise UserError(f"{path}: this file does not exist")
    return files.read_data(file)


def _show(crossing: Crossing, out: str | None, json_wanted: bool) -> None:
    result = files.ordered(crossing.result)
    if out is not None:
        files.write(out, result)
    if json_wanted:
        emit({"file": out, "result": plain(crossing.result), "lost": list(crossing.lost), "guessed": list(crossing.guessed)})
        return
    click.echo(files.stamped(files.render(result)) if out is None else f"Saved {out}", nl=out is not None)
    for title, lines in (("lost", crossing.lost), ("guessed", crossing.guessed)):
        for line in lines:
            click.echo(f"# {title}: {line}")


def _show_converted(converted: Converted, out: str | None, json_wanted: bool) -> None:
    result = files.ordered(converted.result)
    if out is not None:
        files.write(out, result)
    if json_wanted:
        emit({"file": out, **described(converted)})
        return
    if out is None:
        click.echo(files.stamped(files.render(result)), nl=False)
    else:
        click.echo(f"Saved {out}")
    rows = [(row.name, str(row.value), percent(row.chance), _sources(row)) for row in converted.rows]
    rows += [(swap.to, "", percent(swap.to_worth), f"{swap.name} {percent(swap.worth)}") for swap in converted.swaps]
    for line in columns([("", "now", "chance", "was"), *rows]):
        click.echo(f"# {line}")
    for title, lines in (("lost", converted.lost), ("assumed", converted.assumed), ("not legal for a beginner", converted.costs)):
        for line in lines:
            click.echo(f"# {title}: {line}")


def _sources(row: Row) -> str:
    told = ", ".join(f"{name} {value} {percent(chance)}" for name, value, chance in row.sources)
    return f"{told}{' (by the book)' if row.by_book else ' (fitted by duels)' if row.fitted else ''}"
