"""Exports a map of ours as Universal VTT, as a picture or as a PDF."""

from pathlib import Path
from typing import Any

from rulewright import library
from rulewright.cli.backup import needs_web
from rulewright.errors import UserError
from rulewright.field.formats.vtt_export import ENDINGS, export_map
from rulewright.field.ground import BARE, UNCHANGED, Ground
from rulewright.field.placement import FieldShown
from rulewright.files import put
from rulewright.scenes.scenarios import MapFile, Scenario
from rulewright.system import System

DRAWN = (".svg", ".png", ".pdf")


def export_file(path: str, out: str | None, pixels: float, force: bool) -> dict[str, Any]:
    """Exports the map of a map file or scenario; returns the file and what it could not hold."""
    if out is None or Path(out).suffix.lower() not in (*ENDINGS, *DRAWN):
        raise UserError(f"name the file to save with -o; its ending says what it is: {', '.join((*ENDINGS, *DRAWN))}")
    if Path(out).exists() and not force:
        raise UserError(f"{out}: this file exists already; --force replaces it")
    kept = library.take(path)
    if not isinstance(kept.thing, MapFile | Scenario):
        raise UserError(f"{path} is a {kept.kind}; give a map or a scenario")
    ground = kept.thing.map if isinstance(kept.thing.map, Ground) else BARE
    if ground.size is None:
        raise UserError(f"{path}: its map has no size; give it one, such as size: [30, 20]")
    suffix = Path(out).suffix.lower()
    lost: tuple[str, ...] = ()
    if suffix in ENDINGS:
        exported = export_map(ground, round(pixels), _draw(kept.system, ground, "", ".png", round(pixels)))
        content, lost = exported.data, exported.lost
    else:
        content = _draw(kept.system, ground, kept.thing.name, suffix, pixels)
    put(Path(out), content)
    return {"file": out, "lost": list(lost)}


def _draw(system: System, ground: Ground, name: str, suffix: str, pixels: float) -> bytes:
    """The map as a picture; with a name, its name and scale are below it."""
    needs_web()
    from rulewright.web.maps.printed_map import map_pdf, map_png, map_svg

    looks = system.scene(system.book.ruleset()).looks
    svg = map_svg(FieldShown(ground, UNCHANGED, looks, whole=True), name, pixels, legend=bool(name))
    match suffix:
        case ".svg":
            return svg.encode()
        case ".png":
            return map_png(svg)
        case _:
            return map_pdf(svg)
