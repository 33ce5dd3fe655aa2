"""`npc`: people made up by dice, for a gamemaster who needs somebody now."""

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
@click.option("-n", "--number", default=1, show_default=True, metavar="N", help="How many.")
@click.option("-o", "--out", metavar="FOLDER", help="Write each as a file into this folder; without it they are printed as a page.")
@click.option("--seed", type=int, metavar="N", help="The same people every time.")
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
    """People made up by dice, all but what is said: legal characters, as files or as a page of short stat blocks.

    rulewright npc silhouette level=veteran stereotype=rogue -n 5
    """
    game = find(system)
    if not 1 <= number <= MOST:
        raise UserError(f"from 1 to {MOST} people can be made up at once, not {number}")
    rules, beforehand = by.rules(game), pairs(said, "a part")
    people = library.made_up(game, rules, beforehand, number, Entropy() if seed is None else Seeded(seed))
    written = _written(people, out) if out is not None else []
    if json_wanted:
        emit([{**({"file": written[at]} if written else {}), **files.ordered(result)} for at, result in enumerate(people)])
    elif written:
        for name in written:
            click.echo(f"{name} is written")
    else:
        click.echo("\n\n".join([game.in_short(rules, person) for person in people]))


def _written(people: list[Any], out: str) -> list[str]:
    """Each person as a file of the folder; nothing that is there is replaced."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    result = []
    for person in people:
        base = "-".join("".join([letter if letter.isalnum() else " " for letter in person.name.lower()]).split()) or "somebody"
        path, more = folder / f"{base}.yaml", 1
        while path.exists():
            more += 1
            path = folder / f"{base}-{more}.yaml"
        files.write(str(path), files.ordered(person))
        result.append(str(path))
    return result
