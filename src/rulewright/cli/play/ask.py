"""The command `ask`: a roll request for one or several characters."""

import re
from typing import Any

import click

from rulewright import library
from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import JOINS, MANNERS, RollRequest, WantedTest
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.cli import text
from rulewright.cli.options import By, as_json, campaign, dice_from, dice_given, emit, say
from rulewright.cli.play.log import log_lines, public
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.roll_requests import Opponent, Person, attempt_of, title_of
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import numbered
from rulewright.show.serialize import plain
from rulewright.system import System

_TEST = re.compile(r"(?P<test>.+?)(?:\s+vs\s+(?P<against>.+?))?(?:\s+(?P<modifier>[+-]\d{1,3}))?")


@click.command()
@click.argument("test")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--or", "others", multiple=True, metavar="TEST", help="Another test that may be used; repeatable.")
@click.option("--against", metavar="FILE", help="The opponent's file: the test becomes opposed.")
@click.option("--with", "opposing", metavar="TEST", help="The opponent's test; by default the same.")
@click.option("--joined", type=click.Choice(JOINS), default="each", help="How the results are joined.")
@click.option("--manner", type=click.Choice(MANNERS), default="open", help="Who sees the target, the dice and the result.")
@click.option("--odds", "odds_only", is_flag=True, help="Show the chances and do not roll.")
@dice_given
@campaign
@as_json
def ask(
    test: str,
    paths: tuple[str, ...],
    others: tuple[str, ...],
    odds_only: bool,
    dice: str | None,
    seed: int | None,
    by: By,
    json_wanted: bool,
    **wanted: Any,
) -> None:
    """Ask characters for a roll: show everybody's exact chance, then roll.

    A test is its name on the sheet, with a target and a modifier if you like:

    \b
      rulewright ask "notice vs 5" ana.yaml bruno.yaml --joined any
      rulewright ask "stealth +1" ana.yaml --against guard.yaml --with notice
    """
    kept = [library.take(path) for path in paths]
    system = kept[0].system
    rules = by.rules(system)
    tests = tuple(map(_parse_test, (test, *others)))
    opponent = _opponent(system, wanted["against"], wanted["opposing"] or tests[0].test)
    people = [Person(name, _of(system, file).thing) for name, file in zip(numbered([file.thing.name for file in kept]), kept, strict=True)]
    attempts = [attempt_of(system, rules, person, tests, opponent) for person in people]
    request = RollRequest(title_of(attempts), tuple(attempts), joined=wanted["joined"], manner=wanted["manner"]).checked()
    chances = request_chances(request, rules, system.test, system.show)
    staging = system.staging(ROLL_REQUEST)
    encounter = Encounter.begin(staging.scene(rules), request, request.title)
    if not odds_only:
        encounter.play_out(dice_from(dice, seed), next(iter(staging.tactics.values())))
    if json_wanted:
        emit({"request": plain(request), "chances": plain(chances), **({} if odds_only else {"played": public(encounter)})})
        return
    say(_chance_lines(chances))
    for line in encounter.log:
        say(log_lines(line, with_reasons=True, with_rolls=True))


def _parse_test(written: str) -> WantedTest:
    match = _TEST.fullmatch(written.strip())
    if match is None:
        raise UserError("name a test of the sheet, as in notice, notice vs 5 or notice vs 5 +1")
    return WantedTest(match["test"], match["against"] or "", int(match["modifier"] or 0))


def _of(system: System, kept: library.Kept) -> library.Kept:
    if kept.system.id != system.id:
        raise UserError(f"{kept.thing.name} is a character of {kept.system.name}, not of {system.name}")
    return kept


def _opponent(system: System, path: str | None, test: str) -> Opponent | None:
    if path is None:
        return None
    kept = _of(system, library.take(path))
    return Opponent(Person(kept.thing.name, kept.thing), test)


def _chance_lines(chances: RequestChances) -> list[str]:
    rows = [(person.name, join([f"{way.label} {_percent(way.chance)}" for way in person.ways], "or")) for person in chances.people]
    joint = [("together", f"{_percent(chances.joint)} with everybody's best test")] if chances.joint is not None else []
    return [*text.columns([*rows, *joint]), ""]


def _percent(chance: float | None) -> str:
    return "no chance known" if chance is None else f"{100 * chance:.1f} %"
