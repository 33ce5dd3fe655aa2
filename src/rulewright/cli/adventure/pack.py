"""The command `adventure pack`: a folder as one zip file."""

from collections.abc import Mapping
from pathlib import Path

import click

from rulewright import files
from rulewright.adventure.package import write_zip
from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.playthrough.loader import open_adventure


@click.command()
@click.argument("path", metavar="ADVENTURE")
@click.option("-o", "--out", metavar="FILE", help="The zip file; by default the name of the folder.")
@click.option("--folder", metavar="FOLDER", help="Write the files into a new folder instead, to change them.")
@click.option("--force", is_flag=True, help="Replace an existing zip file.")
@as_json
def pack(path: str, out: str | None, folder: str | None, force: bool, json_wanted: bool) -> None:
    """Pack an adventure as one zip file, after checking every name in it; or copy it to a folder.

    \b
      rulewright adventure pack my-adventure
      rulewright adventure pack scumm/glass-ferry --folder my-adventure
    """
    opened = open_adventure(path)
    if folder is not None:
        _unpack(opened.content, Path(folder))
        written = folder
    else:
        target = Path(out or f"{Path(path).resolve().name.removesuffix('.zip')}.zip")
        if target.exists() and not force:
            raise UserError(f"{target}: this file exists already; --force replaces it")
        files.put(target, write_zip(opened.content))
        written = str(target)
    if json_wanted:
        emit({"adventure": opened.adventure.name, "file": written, "files": sorted(opened.content)})
    else:
        click.echo(f"Saved {written}: {opened.adventure.name}, {count(len(opened.content), 'file')}")


def _unpack(content: Mapping[str, bytes], folder: Path) -> None:
    if folder.exists():
        raise UserError(f"{folder}: this folder exists already; give a new one")
    for name, body in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
