"""The command `map`: import a map from another tool or a picture, or export one as Universal VTT, picture or PDF."""

from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from rulewright import files
from rulewright.cli.map_export import export_file
from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.field.formats.image_map import pictured
from rulewright.field.formats.vtt_import import Imported, picture_in, read_map, stretches
from rulewright.field.ground import Grid, Picture
from rulewright.files.images import available, looks_like_one, measured
from rulewright.grammar import count
from rulewright.system import find


@click.command("map")
@click.argument("path", metavar="FILE")
@click.option("--system", default="", help="The game of the map; needed for an import.")
@click.option("-o", "--out", metavar="FILE", help="Save it as this file instead of printing it.")
@click.option("--name", default=None, help="Set the name.")
@click.option("--metres", default=1.5, show_default=True, help="Metres per cell.")
@click.option("--cover", default="", help="The game's cover type for low furniture.")
@click.option("--light", default="", help="The game's light type for lamps; without it lamps are left out.")
@click.option(
    "--grid", type=click.Choice(["squares", "hexes", "open"]), default="squares", show_default=True, help="The grid of a picture."
)
@click.option("--pixels", default=70.0, show_default=True, help="Pixels per cell of a picture; for a hex, from flat side to flat side.")
@click.option("--offset", default="0,0", show_default=True, metavar="X,Y", help="The pixel where the first cell of a picture starts.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@as_json
def map(  # the name of the command
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
    """Import a Universal VTT file, a Foundry scene or a picture with a grid as a `map` file, which scenarios can use.

    A `map` file or scenario of ours is exported instead: as Universal VTT (.dd2vtt, .uvtt), as a picture (.png, .svg) or as a .pdf.

    The map file contains the name of the picture, not the picture itself.

    rulewright map cellar.dd2vtt --system scumm -o cellar.yaml

    rulewright map cellar.yaml -o cellar.dd2vtt

    rulewright map valley.png --system silhouette --grid hexes --pixels 64 --metres 50 -o valley.yaml
    """
    if Path(path).suffix.lower() in (".yaml", ".yml") or not Path(path).suffix:
        exported = export_file(path, out, pixels, force)
        emit(exported) if json_wanted else click.echo(
            "\n".join((f"Saved {exported['file']}", *(f"lost: {line}" for line in exported["lost"])))
        )
        return
    if not system:
        raise UserError("give the game of the map with --system, such as --system scumm")
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
        raise UserError(f"{out}: this file exists already; --force replaces it")
    Path(out).write_text(text, encoding="utf-8")
    doors = sum(bool(wall.door) for wall in imported.ground.walls)
    click.echo(f"Saved {out}: {count(stretches(imported.ground), 'wall segment')}, {count(doors, 'door')}")


def _pair(text: str) -> tuple[float, float]:
    """Parse two numbers with a comma between them."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise UserError(f"--offset takes two numbers, as in 12,8, not {text[:40]!r}") from None
    return x, y


def _with_picture(imported: Imported, data: bytes, path: str, out: str | None) -> Imported:
    """Save the picture inside the file next to the map, and name it in the map."""
    image = picture_in(data, path)
    if not image or out is None or imported.ground.size is None or not available():
        return imported
    measured(image, path)  # raises UserError if it is not a picture or too large
    kind = "png" if image.startswith(b"\x89PNG") else "webp" if image[8:12] == b"WEBP" else "jpg"
    beside = Path(out).with_suffix(f".{kind}")
    if not beside.exists():
        beside.write_bytes(image)
    told = (*imported.told, f"its picture is {beside}")
    return Imported(replace(imported.ground, picture=Picture(beside.name, (0.0, 0.0, *imported.ground.size))), told)
