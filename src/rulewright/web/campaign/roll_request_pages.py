"""The page on which the gamemaster asks for a roll, with everybody's exact chance."""

from typing import Any

import msgspec
from litestar import get
from litestar.datastructures import MultiDict
from litestar.params import FromPath
from litestar.response import Template
from msgspec import Struct

from rulewright.campaign.requests.rules import GroupTest
from rulewright.campaign.roll_chances import RequestChances
from rulewright.campaign.roll_request import CONSEQUENCES, JOIN_WORDS, MANNER_WORDS, Difficulty
from rulewright.errors import UserError
from rulewright.roll_requests import known_sheet
from rulewright.show.rule_attempts import playable_rules
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.scenes.downtime import rules_of
from rulewright.table.scenes.roll_requests import build_request, chances_of, price_of_another_try, repeated
from rulewright.table.state import Table
from rulewright.web.campaign.roll_request_form import MOST_CONSEQUENCES, MOST_ROWS, form_of, parse_roll_request
from rulewright.web.params import WebRequest
from rulewright.web.server.security import time_limited
from rulewright.web.table.table_pages import ROUTE, require_gamemaster

MOST_RECENT = 4
"""How many earlier requests the page offers to ask again."""


class TestsKnown(Struct, frozen=True):
    """What the form offers: characters with a sheet of tests, the names of these tests, and what may follow a verdict."""

    people: dict[str, str]
    tests: tuple[str, ...]
    difficulties: tuple[Difficulty, ...]
    groups: tuple[GroupTest, ...]
    gathers: str
    rules: tuple[tuple[str, str], ...]
    """The rules that can be played, by id and title."""
    follows: tuple[tuple[str, str], ...]
    """What may follow a verdict, as the form sends it, and in words."""
    kept: tuple[str, ...]
    recent: tuple[tuple[int, str], ...] = ()
    """The latest requests that can be asked again, by number and name."""
    price: str = ""
    """What another try costs, if the form repeats an earlier request."""


@get(ROUTE + "/ask", sync_to_thread=True, include_in_schema=False)
def ask_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the form of a roll request."""
    return _show(request, table, "ask.html")


@get(ROUTE + "/ask/panel", sync_to_thread=True, include_in_schema=False)
def ask_panel(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the form of a roll request as a part of the party page."""
    return _show(request, table, "ask_panel.html")


@get(ROUTE + "/ask/chances", sync_to_thread=True, include_in_schema=False)
def ask_chances(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the chances of the request as the form stands."""
    return _show(request, table, "ask_chances.html")


def _show(request: WebRequest, table: str, template: str) -> Template:
    page = require_gamemaster(request, table, "asks for rolls")
    with page.tables.looking(table) as state:
        fields, wrong = _fields(request.query_params, state)
        known = _tests_known(state, fields)
        chances, fault = _preview(fields, state)
    words = {"joins": JOIN_WORDS, "manners": MANNER_WORDS, "rows": MOST_ROWS, "then_rows": MOST_CONSEQUENCES}
    return page.show(template, known=known, chances=chances, wrong=wrong or fault, form=fields, **words)


Fields = MultiDict[Any]


def _fields(query: Any, table: Table) -> tuple[Fields, str]:
    """The form as it is filled in: from a kept request, an earlier one, or as sent."""
    kept, again = query.get("kept", ""), query.get("repeat", "")
    try:
        if kept:
            if kept not in table.campaign.requests:
                raise UserError(f"there is no kept roll request {kept[:40]!r}")
            return form_of(msgspec.convert(table.campaign.requests[kept], AskForRoll)), ""
        if again:
            return form_of(repeated(table, int(again) if again.isdecimal() and len(again) < 9 else 0)), ""
    except (UserError, msgspec.ValidationError) as error:
        return MultiDict(), str(error)
    return query, ""


def _preview(fields: Fields, table: Table) -> tuple[RequestChances | None, str]:
    """The chances of the request so far, or what is missing; neither before anything is chosen."""
    if not fields.getall("of", []) or not (fields.get("test1") or fields.get("rule")):
        return None, ""
    try:
        return _chances(fields, table), ""
    except UserError as error:
        return None, str(error)


@time_limited
def _chances(fields: Fields, table: Table) -> RequestChances:
    return chances_of(table, build_request(table, parse_roll_request(fields)).request)


def _follows(table: Table) -> tuple[tuple[str, str], ...]:
    """What may follow a verdict at this table."""
    choices = [(f"reveal;{note.id}", f"show {note.title}") for note in table.notes.values()]
    choices += [(f"tick;{key}", f"count {tally.name}") for key, tally in table.campaign.tallies.items()]
    choices += [(f"run;{kind.name}", f"begin {kind.name.replace('-', ' ')}") for kind in rules_of(table).effects]
    choices += [(f"{do};", CONSEQUENCES[do]) for do in ("suffer", "pay", "award")]
    return tuple(choices)


def _tests_known(table: Table, fields: Fields) -> TestsKnown:
    people: dict[str, str] = {}
    tests: dict[str, None] = {}
    for character in table.characters.values():
        try:
            sheet = known_sheet(table.system, table.rules, character.thing(table.system))
        except UserError:
            continue  # a kind without a sheet cannot be asked
        if sheet.tests():
            people[character.id] = character.name
            tests |= dict.fromkeys(test.name for test in sheet.tests().values())
    requests = table.system.requests
    playable = tuple((info.id, info.title) for info in playable_rules(table.system))
    ended = [stage for stage in reversed(table.scenes.values()) if stage.requested and stage.ended is not None]
    again, price = str(fields.get("again", "")), ""
    if again.isdecimal() and int(again) in table.scenes:
        cost = price_of_another_try(table, int(again))
        price = f"{cost.words}{f' {cost.modifier:+d}' if cost.modifier else ''}{f', {cost.times} times as long' if cost.times > 1 else ''}"
    return TestsKnown(
        people,
        tuple(sorted(tests)),
        table.system.difficulties(table.rules),
        requests.groups,
        requests.gathers,
        playable,
        _follows(table),
        tuple(table.campaign.requests),
        tuple((stage.number, stage.name) for stage in ended[:MOST_RECENT]),
        price,
    )
