"""Maps of other tools as files that scenarios can name."""

from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from rulewright import files
from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.field.formats.image_map import pictured
from rulewright.field.formats.vtt_import import Imported, picture_in, read_map, stretches
from rulewright.field.ground import Grid, Picture
from rulewright.files.images import available, looks_like_one, measured
from rulewright.system import find


@click.command("map")
@click.argument("path", metavar="FILE")
@click.option("--system", required=True, help="The game it is for.")
@click.option("-o", "--out", metavar="FILE", help="Where to write it; without it the file is printed.")
@click.option("--name", default=None, help="A name of its own.")
@click.option("--metres", default=1.5, show_default=True, help="Metres a square of a Universal VTT file.")
@click.option("--cover", default="", help="The game's word for furniture that one sees over.")
@click.option("--light", default="", help="The game's word for what lamps light; without it they are left out.")
@click.option(
    "--grid", type=click.Choice(["squares", "hexes", "open"]), default="squares", show_default=True, help="The grid of a picture."
)
@click.option("--pixels", default=70.0, show_default=True, help="Pixels a cell of a picture; of a hex from flat side to flat side.")
@click.option("--offset", default="0,0", show_default=True, metavar="X,Y", help="The pixel at which the first cell of a picture begins.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@as_json
def map(  # the command is called so
    path: str,
    system: str,
    out: str | None,
    name: str | None,
    metres: float,
    cover: str,
    light: str,
    grid: Grid,
    pixels: float,
    offset: str,
    force: bool,
    json_wanted: bool,
) -> None:
    """A map of another tool (Universal VTT, a Foundry scene) or a plain picture with a grid as a file of the kind `map`, which a
    scenario names. The picture is named in it; at a table it is sent along with it.

    rulewright map cellar.dd2vtt --system scumm -o cellar.yaml

    rulewright map valley.png --system silhouette --grid hexes --pixels 64 --metres 50 -o valley.yaml
    """
    game = find(system)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    if looks_like_one(data):
        ground = pictured(measured(data, path), Path(path).name, pixels, _pair(offset), grid, metres)
        imported = Imported(ground)
    else:
        imported = read_map(data, path, metres, cover, light)
        imported = _with_picture(imported, data, path, out)
    kept = {"system": game.id, "kind": "map", "name": name or Path(path).stem, "map": msgspec.to_builtins(imported.ground)}
    if json_wanted:
        emit({**kept, "told": imported.told})
        return
    text = files.render(kept)
    for line in imported.told:
        click.echo(line, err=True)
    if out is None:
        click.echo(text, nl=False)
        return
    if Path(out).exists() and not force:
        raise UserError(f"{out} is there already; --force replaces it")
    Path(out).write_text(text, encoding="utf-8")
    click.echo(f"{out}: {stretches(imported.ground)} stretches of wall, {sum(bool(wall.door) for wall in imported.ground.walls)} doors")


def _pair(text: str) -> tuple[float, float]:
    """Two numbers as people write them."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise UserError(f"--offset: two numbers are needed, as in 12,8, not {text[:40]!r}") from None
    return x, y


def _with_picture(imported: Imported, data: bytes, path: str, out: str | None) -> Imported:
    """The ground with the picture that the file brings along, which is written beside it."""
    image = picture_in(data, path)
    if not image or out is None or imported.ground.size is None or not available():
        return imported
    measured(image, path)  # refuses what is no picture, or too large a one
    kind = "png" if image.startswith(b"\x89PNG") else "webp" if image[8:12] == b"WEBP" else "jpg"
    beside = Path(out).with_suffix(f".{kind}")
    if not beside.exists():
        beside.write_bytes(image)
    told = (*imported.told, f"its picture is {beside}")
    return Imported(replace(imported.ground, picture=Picture(beside.name, (0.0, 0.0, *imported.ground.size))), told)
