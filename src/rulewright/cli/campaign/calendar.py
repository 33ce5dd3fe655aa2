"""The commands `campaign calendar`, `campaign log` and `campaign undo`."""

import click

from rulewright.cli import text
from rulewright.cli.campaign.local_table import LocalTable, told_lines
from rulewright.cli.options import as_json, emit, say
from rulewright.grammar import count
from rulewright.play import Entropy
from rulewright.show.serialize import plain
from rulewright.table.campaign_view import CampaignShown, campaign_shown


@click.command()
@click.argument("path", metavar="FILE")
@as_json
def calendar(path: str, json_wanted: bool) -> None:
    """Show the date, how everybody is and what is due for them, and the dates and tallies."""
    local = LocalTable(path, Entropy())
    shown = campaign_shown(local.table, local.member)
    if json_wanted:
        emit(plain(shown))
    else:
        say(_lines(shown))


def _lines(shown: CampaignShown) -> list[str]:
    people = []
    for person in shown.people:
        where = f"{person.exertion}, {person.location}" if person.location else person.exertion
        people.append((person.name, where, ", ".join(person.state), "; ".join(f"{words} {left}" for words, left in person.due)))
    dates = [(date.on, date.what, date.days, "hidden" if date.hidden else "") for date in shown.dates]
    tallies = [(tally.name, f"{tally.count} of {tally.of}", "hidden" if tally.hidden else "") for tally in shown.tallies]
    lines = [click.style(f"{shown.date}, {shown.time}", bold=True), *text.columns(people, indent="  ")]
    lines += ["", *text.columns(dates, indent="  ")] if dates else []
    lines += ["", *text.columns(tallies, indent="  ")] if tallies else []
    return [*lines, shown.trouble] if shown.trouble else lines


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N entries.")
@as_json
def log(path: str, last: int | None, json_wanted: bool) -> None:
    """Show what has happened in the campaign."""
    local = LocalTable(path, Entropy())
    entries = local.log(since=0)[-last if last else 0 :]
    if json_wanted:
        emit(plain(entries))
    else:
        say([click.style(line, fg=colour or None) for line, colour in told_lines(entries)])


@click.command()
@click.argument("path", metavar="FILE")
@as_json
def undo(path: str, json_wanted: bool) -> None:
    """Undo the last command that changed the campaign, with everything that followed from it. Repeat it to go further back."""
    local = LocalTable(path, Entropy())
    dropped = local.undo()
    local.save()
    shown = campaign_shown(local.table, local.member)
    if json_wanted:
        emit({"dropped": dropped, "date": f"{shown.date}, {shown.time}"})
    else:
        click.echo(f"Undone: {count(dropped, 'entry')} of the record. It is {shown.date}, {shown.time} again.")
