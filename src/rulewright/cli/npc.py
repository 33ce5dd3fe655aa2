"""The command `npc`: random characters."""

from pathlib import Path
from typing import Any

import click

from rulewright import files, library
from rulewright.cli.options import By, as_json, campaign, emit, pairs
from rulewright.errors import UserError
from rulewright.play import Entropy, Seeded
from rulewright.system import find

MOST = 1_000


@click.command()
@click.argument("system")
@click.argument("said", nargs=-1, metavar="[PART=VALUE]...")
@click.option("-n", "--number", default=1, show_default=True, metavar="N", help="How many to generate.")
@click.option("-o", "--out", metavar="FOLDER", help="Save each as a file in this folder instead of printing stat blocks.")
@click.option("--seed", type=int, metavar="N", help="Repeat the same random characters.")
@campaign
@as_json
def npc(
    system: str,
    said: tuple[str, ...],
    number: int,
    out: str | None,
    seed: int | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Generate legal random characters, as short stat blocks or as files. PART=VALUE sets a part instead of rolling it.

    rulewright npc silhouette level=veteran stereotype=rogue -n 5
    """
    game = find(system)
    if not 1 <= number <= MOST:
        raise UserError(f"-n takes a number from 1 to {MOST:,}, not {number}")
    rules = by.rules(game)
    people = library.made_up(game, rules, pairs(said, "a part"), number, Entropy() if seed is None else Seeded(seed))
    written = _save(people, out) if out is not None else []
    if json_wanted:
        emit([{**({"file": written[at]} if written else {}), **files.ordered(person)} for at, person in enumerate(people)])
    elif written:
        for name in written:
            click.echo(f"Saved {name}")
    else:
        click.echo("\n\n".join([game.in_short(rules, person) for person in people]))


def _save(people: list[Any], out: str) -> list[str]:
    """Save each character as a new file of the folder; existing files are not replaced."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for person in people:
        base = "-".join("".join([letter if letter.isalnum() else " " for letter in person.name.lower()]).split()) or "somebody"
        path, more = folder / f"{base}.yaml", 1
        while path.exists():
            more += 1
            path = folder / f"{base}-{more}.yaml"
        files.write(str(path), files.ordered(person))
        paths.append(str(path))
    return paths
