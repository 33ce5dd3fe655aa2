"""The command `campaign ask`: a roll request, and what follows from it."""

from typing import Any

import click

from rulewright.campaign.roll_request import JOINS, MANNERS, WantedTest
from rulewright.cli.campaign.local_table import LocalTable, told_lines
from rulewright.cli.options import as_json, dice_from, dice_given, emit, say
from rulewright.cli.play.ask import chance_lines, parse_test, taking
from rulewright.show.serialize import plain
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.scenes.live_scene import Question
from rulewright.table.scenes.roll_requests import build_request, chances_of


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("who")
@click.argument("test")
@click.option("--against", default="", metavar="TARGET", help="The target.")
@click.option("--or", "others", multiple=True, metavar="TEST", help="Another test that may be used; repeatable.")
@click.option("--opponent", multiple=True, metavar="NAME", help="Somebody of the campaign who opposes it; repeatable.")
@click.option("--joined", type=click.Choice(JOINS), default="each", help="How the results are joined.")
@click.option("--manner", type=click.Choice(MANNERS), default="open", help="Who sees the target, the dice and the result.")
@click.option("--minutes", type=int, default=0, help="How long an attempt takes; the clock passes by it.")
@click.option("--take", metavar="NAME", help="Take the time: Taking Average, Extra Time …")
@click.option("--why", default="", help="What the players read.")
@click.option("--odds", "odds_only", is_flag=True, help="Show the chances and do not roll.")
@dice_given
@as_json
def ask(path: str, who: str, test: str, dice: str | None, seed: int | None, odds_only: bool, json_wanted: bool, **wanted: Any) -> None:
    """Ask for a roll. WHO is a name, several with commas, or everybody.

    \b
      rulewright campaign drowned.yaml ask Ana streetwise --against 5 --or "persuasion vs 7"
      rulewright campaign drowned.yaml ask Ana,Bruno notice --against 4 --joined any --dice 2,6/3,3
    """
    local = LocalTable(path, dice_from(dice, seed))
    request = _request(local, who, test, wanted)
    chances = chances_of(local.table, build_request(local.table, request).request)
    if not json_wanted:
        say(chance_lines(chances))
    if odds_only:
        if json_wanted:
            emit({"chances": plain(chances)})
        return
    scene = int(local.act(request).made)
    local.answer(scene, _chooser(wanted["take"]))
    local.save()
    told = told_lines(local.log())
    if json_wanted:
        emit({"chances": plain(chances), "log": [line for line, _ in told]})
    else:
        say([click.style(line, fg=colour or None) for line, colour in told])


def _request(local: LocalTable, who: str, test: str, wanted: dict[str, Any]) -> AskForRoll:
    names = [name for name in who.split(",") if name.strip()]
    everybody = who.strip().casefold() == "everybody"
    of = tuple(local.table.characters) if everybody else tuple(local.character(name).id for name in names)
    first = parse_test(test)
    first = WantedTest(first.test, wanted["against"] or first.against, first.modifier)
    opponents = tuple(local.character(name).id for name in wanted["opponent"])
    return AskForRoll(
        of,
        (first, *map(parse_test, wanted["others"])),
        why=wanted["why"],
        joined=wanted["joined"],
        manner=wanted["manner"],
        seconds=60 * wanted["minutes"],
        opponents=opponents,
    )


def _chooser(take: str | None) -> Any:
    if take is None:
        return None
    decide = taking(take)

    def choose(question: Question) -> Any:
        return decide(question.request)  # type: ignore[arg-type]

    return choose
