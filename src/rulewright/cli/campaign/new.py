"""The commands `campaign new` and `campaign save`: campaign files."""

from pathlib import Path

import click

from rulewright import files, library
from rulewright.campaign.campaign_file import CAMPAIGN, CampaignCalendar, CampaignFile
from rulewright.cli import completion
from rulewright.cli.campaign.local_table import LocalTable
from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Entropy
from rulewright.system import find
from rulewright.table.campaign_file import begun_from, campaign_data, new_table


@click.command()
@click.argument("system", shell_complete=completion.games)
@click.argument("path", metavar="FILE")
@click.argument("people", nargs=-1, metavar="CHARACTER...", shell_complete=completion.characters)
@click.option("--name", default="", help="The name of the campaign; by default that of the file.")
@click.option("--start", default="", metavar="DATE", help='When it begins, such as "3 March 1931 20:00"; without it, days are counted.')
@click.option("--force", is_flag=True, help="Replace an existing file and its record.")
@as_json
def new(system: str, path: str, people: tuple[str, ...], name: str, start: str, force: bool, json_wanted: bool) -> None:
    """Write a campaign file with these characters: files in its folder, or ready-made ones by name.

    \b
      rulewright campaign new scumm drowned.yaml ana.yaml detective --start "3 March 1931 20:00"
    """
    target, game = Path(path), find(system)
    record = target.with_suffix(".jsonl")
    if (target.exists() or record.exists()) and not force:
        raise UserError(f"{target if target.exists() else record}: this file exists already; --force replaces it")
    title = name or target.stem.replace("-", " ").replace("_", " ").capitalize()
    listed = [_reference(person, target.parent) for person in people]
    file = CampaignFile(game.id, "campaign", title, list(listed), calendar=CampaignCalendar(start))
    kept = library.opened(files.parse(files.render(files.ordered(file)), str(target)), str(target))
    begun_from(new_table(kept), kept, library.campaign_people(kept))
    files.write(target, files.ordered(file))
    record.unlink(missing_ok=True)
    if json_wanted:
        emit({"file": str(target), **files.ordered(file)})
    else:
        click.echo(f"Saved {target}: {title}, {game.name}, {count(len(people), 'character')}")


def _reference(person: str, folder: Path) -> str:
    """A character as the file names it: relative to its folder, if it lies there."""
    path = Path(person)
    if not path.is_file():
        return person
    try:
        return str(path.resolve().relative_to(folder.resolve()))
    except ValueError:
        return str(path.resolve())


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("out", metavar="NEW-FILE")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@as_json
def save(path: str, out: str, force: bool, json_wanted: bool) -> None:
    """Save the present state of a campaign as the beginning of a new one: a single file with all people in it."""
    if Path(out).exists() and not force:
        raise UserError(f"{out}: this file exists already; --force replaces it")
    local = LocalTable(path, Entropy())
    data = campaign_data(local.table)
    files.write(out, data)
    if json_wanted:
        emit({"file": out, "kind": CAMPAIGN, "people": [person["name"] for person in data["people"]]})
    else:
        click.echo(f"Saved {out}: {data['name']}, {count(len(data['people']), 'character')}")
