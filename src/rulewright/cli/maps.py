"""Maps of other tools as files that scenarios can name."""

from pathlib import Path

import click
import msgspec

from rulewright import files
from rulewright.cli.options import as_json, emit
from rulewright.errors import Wrong
from rulewright.field.imports import read_map, stretches
from rulewright.system import find


@click.command("map")
@click.argument("path", metavar="FILE")
@click.option("--system", required=True, help="The game it is for.")
@click.option("-o", "--out", metavar="FILE", help="Where to write it; without it the file is printed.")
@click.option("--name", default=None, help="A name of its own.")
@click.option("--metres", default=1.5, show_default=True, help="Metres a square of a Universal VTT file.")
@click.option("--cover", default="", help="The game's word for furniture that one sees over.")
@click.option("--light", default="", help="The game's word for what lamps light; without it they are left out.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@as_json
def map(  # the command is called so
    path: str, system: str, out: str | None, name: str | None, metres: float, cover: str, light: str, force: bool, json_wanted: bool
) -> None:
    """A map of another tool (Universal VTT, a Foundry scene) as a file of the kind `map`, which a scenario names.

    rulewright map cellar.dd2vtt --system scumm -o cellar.yaml
    """
    game = find(system)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Wrong(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    found = read_map(data, path, metres, cover, light)
    kept = {"system": game.id, "kind": "map", "name": name or Path(path).stem, "map": msgspec.to_builtins(found.ground)}
    if json_wanted:
        emit({**kept, "told": found.told})
        return
    text = files.render(kept)
    for line in found.told:
        click.echo(line, err=True)
    if out is None:
        click.echo(text, nl=False)
        return
    if Path(out).exists() and not force:
        raise Wrong(f"{out} is there already; --force replaces it")
    Path(out).write_text(text, encoding="utf-8")
    click.echo(f"{out}: {stretches(found.ground)} stretches of wall, {sum(bool(wall.door) for wall in found.ground.walls)} doors")
