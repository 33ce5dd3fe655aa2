"""The command `ask`: a roll request for one or several characters."""

import re
from typing import Any

import click
from msgspec.structs import replace

from rulewright import library
from rulewright.campaign.roll_chances import RequestChances, request_chances
from rulewright.campaign.roll_request import JOINS, MANNERS, Attempt, RollRequest, WantedTest
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.cli import text
from rulewright.cli.options import By, as_json, campaign, dice_from, dice_given, emit, say
from rulewright.cli.play.log import log_lines, public
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Tactic
from rulewright.roll_requests import Circumstances, Opponent, Person, attempt_of, joined_attempt, title_of
from rulewright.rules import Ruleset
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import numbered
from rulewright.show.rule_attempts import PlayedRule, rule_way
from rulewright.show.serialize import plain
from rulewright.system import System

_TEST = re.compile(r"(?P<test>.+?)(?:\s+vs\s+(?P<against>.+?))?(?:\s+(?P<modifier>[+-]\d{1,3}))?")


@click.command()
@click.argument("test")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--or", "others", multiple=True, metavar="TEST", help="Another test that may be used; repeatable.")
@click.option("--against", multiple=True, metavar="FILE", help="The opponent's file: the test becomes opposed; repeatable.")
@click.option("--with", "opposing", metavar="TEST", help="The opponent's test; by default the same.")
@click.option("--joined", type=click.Choice(JOINS), default="each", help="How the results are joined.")
@click.option("--manner", type=click.Choice(MANNERS), default="open", help="Who sees the target, the dice and the result.")
@click.option("--group", default="", help="The game's way to join people in one test, such as together.")
@click.option("--goal", type=int, default=0, help="An extended task: how much must be gathered.")
@click.option("--tries", type=int, default=10, show_default=True, help="How many tests an extended task allows.")
@click.option("--minutes", type=int, default=0, help="How long one attempt takes.")
@click.option("--take", "take", metavar="NAME", help="Take the time: Taking Average, Taking High, Extra Time …")
@click.option("--rule", "rule", default="", metavar="ID", help="Play a rule of the book with the dice of the test.")
@click.option("--given", multiple=True, metavar="NAME=VALUE", help="A value for the rule; repeatable.")
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
      rulewright ask "business vs 6" bruno.yaml --goal 10 --minutes 60
      rulewright ask climb ana.yaml --rule scumm-climbing --given metres=12
    """
    kept = [library.take(path) for path in paths]
    system = kept[0].system
    rules = by.rules(system)
    request = _request(system, rules, kept, tuple(map(_parse_test, (test, *others))), wanted)
    staging = system.staging(ROLL_REQUEST)
    scene: Any = staging.scene(rules)
    chances = request_chances(scene, request)
    encounter = Encounter.begin(scene, request, request.title)
    if not odds_only:
        tactic = next(iter(staging.tactics.values()))
        encounter.play_out(dice_from(dice, seed), tactic if wanted["take"] is None else _taking(wanted["take"]))
    if json_wanted:
        emit({"request": plain(request), "chances": plain(chances), **({} if odds_only else {"played": public(encounter)})})
        return
    say(_chance_lines(chances))
    for line in encounter.log:
        say(log_lines(line, with_reasons=True, with_rolls=True))


def _request(system: System, rules: Ruleset, kept: list[library.Kept], tests: tuple[WantedTest, ...], wanted: Any) -> RollRequest:
    """The roll request that the options describe."""
    characters = [_of(system, file).thing for file in kept]
    names = numbered([character.name for character in characters])
    people = [Person(name, character) for name, character in zip(names, characters, strict=True)]
    opponents = tuple(_opponent(system, path, wanted["opposing"] or tests[0].test) for path in wanted["against"])
    seconds = 60 * wanted["minutes"]
    if wanted["group"]:
        attempts = [joined_attempt(system, rules, wanted["group"], people, tests)]
    elif wanted["rule"]:
        played = PlayedRule(wanted["rule"], "", dict(map(_given, wanted["given"])))
        attempts = [Attempt(person.name, (rule_way(system, rules, person, played, tests[0].test),)) for person in people]
    else:
        circumstances = Circumstances(opponents, seconds, unhurried=True)
        attempts = [attempt_of(system, rules, person, tests, circumstances) for person in people]
    request = RollRequest(title_of(attempts), tuple(attempts), "", wanted["joined"], wanted["manner"], seconds)
    goal, gathers = wanted["goal"], system.requests.gathers
    extended = {"goal": goal, "tries": wanted["tries"], "gathers": gathers} if goal else {}
    return replace(request, one_roll=bool(opponents), group=wanted["group"], wanted=tests, **extended).checked()


def _given(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not equals or not name.strip():
        raise UserError(f"{written[:60]!r} is no value; write name=value, as in metres=12")
    return name.strip(), value.strip()


def _taking(name: str) -> Tactic:
    """A tactic that takes the time as far as the game allows it."""

    def decide(choice: Choice[Any]) -> str:
        options = choice.options if isinstance(choice.options, tuple) else ()
        for option in options:
            if option.key.casefold().endswith(f"~{name.strip().casefold()}"):
                return option.key
        known = join([option.label for option in options if "~" in option.key], "or")
        raise UserError(f"{choice.who} cannot use {name[:40]!r} here; there is {known or 'nothing like it for this test'}")

    return decide


def _parse_test(written: str) -> WantedTest:
    match = _TEST.fullmatch(written.strip())
    if match is None:
        raise UserError("name a test of the sheet, as in notice, notice vs 5 or notice vs 5 +1")
    return WantedTest(match["test"], match["against"] or "", int(match["modifier"] or 0))


def _of(system: System, kept: library.Kept) -> library.Kept:
    if kept.system.id != system.id:
        raise UserError(f"{kept.thing.name} is a character of {kept.system.name}, not of {system.name}")
    return kept


def _opponent(system: System, path: str, test: str) -> Opponent:
    kept = _of(system, library.take(path))
    return Opponent(Person(kept.thing.name, kept.thing), test)


def _chance_lines(chances: RequestChances) -> list[str]:
    rows = [(person.name, join([f"{way.label} {_percent(way.chance)}" for way in person.ways], "or")) for person in chances.people]
    joint = [("together", f"{_percent(chances.joint)} with everybody's best test")] if chances.joint is not None else []
    return [*text.columns([*rows, *joint]), ""]


def _percent(chance: float | None) -> str:
    return "no chance known" if chance is None else f"{100 * chance:.1f} %"
