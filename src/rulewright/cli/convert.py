"""`convert`: over a bridge that a book describes, to another game's numbers or from them."""

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
@click.option("--to", "to", metavar="GAME", help="The other game: d20.")
@click.option("--from", "other", metavar="GAME", help="The other game that the file is from; --to then names ours.")
@click.option("-o", "--out", metavar="FILE", help="Write what comes out as a file.")
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
    """A character in the terms of another game, with a list of what was lost and what was guessed.

    rulewright convert ana.yaml --to d20 class=rogue

    rulewright convert sorcerer.yaml --from d20 --to silhouette -o sorcerer-silhouette.yaml
    """
    if out is not None and Path(out).exists():
        raise UserError(f"{out}: a file of this name is there already")
    if other is not None:
        game = find(to) if to is not None else _only_bridge(other)
        crossing = game.cross_back(by.rules(game), _data(path), other)
    else:
        kept = library.take(path)
        game = kept.system
        wanted = to or (game.bridges[0] if len(game.bridges) == 1 else "")
        if wanted not in game.bridges:
            there = f"; there is one to {', '.join(game.bridges)}" if game.bridges else ""
            raise UserError(f"{game.name} has no bridge to {wanted or 'anywhere'!r}{nearest(wanted, game.bridges) or there}")
        crossing = game.cross(by.rules(game), kept.thing, wanted, pairs(said, "what is said"))
    _show(crossing, out, json_wanted)


def _only_bridge(other: str) -> Any:
    """The one game that has a bridge from another."""
    systems = [find(name) for name in names() if other in find(name).bridges]
    if len(systems) != 1:
        raise UserError(f"no game here has a bridge from {other!r}" if not systems else "name the game with --to")
    return systems[0]


def _data(path: str) -> Any:
    """The plain data of a file of another game."""
    file = Path(path)
    if not file.is_file():
        raise UserError(f"{path}: no such file")
    return files.read_data(file)


def _show(crossing: Crossing, out: str | None, json_wanted: bool) -> None:
    result = files.ordered(crossing.result)
    if out is not None:
        files.write(out, result)
    if json_wanted:
        emit({"file": out, "result": plain(crossing.result), "lost": list(crossing.lost), "guessed": list(crossing.guessed)})
        return
    click.echo(files.stamped(files.render(result)) if out is None else f"{out} is written", nl=out is not None)
    for title, lines in (("lost", crossing.lost), ("guessed", crossing.guessed)):
        for line in lines:
            click.echo(f"# {title}: {line}")
