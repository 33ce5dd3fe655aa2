"""The command `convert`: a character to or from another game, by the conversion rules of a book."""

from pathlib import Path
from typing import Any

import click

from rulewright import files, library
from rulewright.cli.options import By, as_json, campaign, emit, pairs
from rulewright.errors import UserError
from rulewright.rules import nearest
from rulewright.show.serialize import plain
from rulewright.system import Crossing, find, names


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("said", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--to", "to", metavar="GAME", help="Convert to this game, such as d20.")
@click.option("--from", "other", metavar="GAME", help="Convert from this game; --to then names ours.")
@click.option("-o", "--out", metavar="FILE", help="Save the result as this file.")
@campaign
@as_json
def convert(
    path: str,
    said: tuple[str, ...],
    to: str | None,
    other: str | None,
    out: str | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Convert a character to or from another game; list what is lost and what is guessed.

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
        wanted = to or (game.bridges[0] if len(game.bridges) == 1 else "")
        if wanted not in game.bridges:
            known = f"; it converts to {', '.join(game.bridges)}" if game.bridges else ""
            target = repr(wanted) if wanted else "other games" if not game.bridges else "a game without --to"
            raise UserError(f"{game.name} does not convert to {target}{nearest(wanted, game.bridges) or known}")
        crossing = game.cross(by.rules(game), kept.thing, wanted, pairs(said, "an argument"))
    _show(crossing, out, json_wanted)


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
