"""The command `campaign plan`: what somebody does while time passes."""

import click

from rulewright.cli import text
from rulewright.cli.campaign.local_table import LocalTable
from rulewright.cli.options import as_json, emit, pairs, say
from rulewright.play import Entropy
from rulewright.show.serialize import plain
from rulewright.table.commands.campaign_messages import DropActivity, MakePlan, PlanActivity
from rulewright.table.scenes.plan_view import PlanShown, plan_shown


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("who")
@click.argument("activity", required=False)
@click.argument("given", nargs=-1, metavar="NAME=VALUE...")
@click.option("--hours", type=int, help="Hours a day; 24 in one go.")
@click.option("--at", "location", help="Where the person is.")
@click.option("--exertion", help="What the person does otherwise, such as rest.")
@click.option("--drop", is_flag=True, help="Take the activity out of the plan; its progress is kept.")
@as_json
def plan(
    path: str,
    who: str,
    activity: str | None,
    given: tuple[str, ...],
    hours: int | None,
    location: str | None,
    exertion: str | None,
    drop: bool,
    json_wanted: bool,
) -> None:
    """Show somebody's plan, or add an activity to it, with its arguments by name.

    \b
      rulewright campaign drowned.yaml plan Bruno
      rulewright campaign drowned.yaml plan Bruno "long task" aim="decipher the ledger" test=business against=6 total=10 unit="1 day"
      rulewright campaign drowned.yaml plan Ana --at hospital
    """
    local = LocalTable(path, Entropy())
    character = local.character(who)
    if location is not None or exertion is not None:
        known = local.table.campaign.plan(character.id)
        usual = known.exertion if exertion is None else exertion
        local.act(MakePlan(character.id, usual, known.location if location is None else location))
    values = pairs(given, "an argument")
    if activity is not None and drop:
        local.act(DropActivity(character.id, activity, values.get("aim", "")))
    elif activity is not None:
        local.act(PlanActivity(character.id, activity, dict(values), hours))
    if local.table.seq > local.before:
        local.save()
    shown = plan_shown(local.table, local.table.character(character.id), leads=True)
    if json_wanted:
        emit(plain(shown))
    else:
        say(_lines(local, shown))


def _lines(local: LocalTable, shown: PlanShown) -> list[str]:
    known = local.table.campaign.plan(shown.character)
    where = f", {known.location}" if known.location else ""
    rows = [(line.activity, line.words, f"waits: {line.waits}" if line.waits else f"{line.next}; {line.likely}") for line in shown.lines]
    ahead = [(words, likely, "") for words, likely in shown.ahead if likely]
    means = [(f"{amount} {name}", "", "") for name, amount in shown.means]
    return [click.style(f"{shown.name}: {known.exertion or 'rest'}{where}", bold=True), *text.columns([*rows, *ahead, *means], indent="  ")]
