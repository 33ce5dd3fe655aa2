"""The page on which the gamemaster asks for a roll, with everybody's exact chance."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template
from msgspec import Struct

from rulewright.campaign.roll_chances import RequestChances
from rulewright.campaign.roll_request import JOIN_WORDS, MANNER_WORDS, Difficulty
from rulewright.errors import UserError
from rulewright.table.scenes.roll_requests import build_request, chances_of
from rulewright.table.state import Table
from rulewright.web.campaign.roll_request_form import MOST_ROWS, parse_roll_request
from rulewright.web.params import WebRequest
from rulewright.web.server.security import time_limited
from rulewright.web.table.table_pages import ROUTE, TablePage, require_gamemaster


class TestsKnown(Struct, frozen=True):
    """The characters with a sheet of tests, by id, and the names of all their tests."""

    people: dict[str, str]
    tests: tuple[str, ...]
    difficulties: tuple[Difficulty, ...]


@get(ROUTE + "/ask", sync_to_thread=True, include_in_schema=False)
def ask_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the form of a roll request."""
    return _show(request, table, "ask.html")


@get(ROUTE + "/ask/chances", sync_to_thread=True, include_in_schema=False)
def ask_chances(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the chances of the request as the form stands."""
    return _show(request, table, "ask_chances.html")


def _show(request: WebRequest, table: str, template: str) -> Template:
    page = require_gamemaster(request, table, "asks for rolls")
    with page.tables.looking(table) as state:
        known = _tests_known(state)
        chances, wrong = _preview(page, state)
    words = {"joins": JOIN_WORDS, "manners": MANNER_WORDS, "rows": MOST_ROWS}
    return page.show(template, known=known, chances=chances, wrong=wrong, form=request.query_params, **words)


def _preview(page: TablePage, table: Table) -> tuple[RequestChances | None, str]:
    """The chances of the request so far, or what is missing; neither before anything is chosen."""
    fields = page.request.query_params
    if not fields.getall("of", []) or not fields.get("test1"):
        return None, ""
    try:
        return _chances(page, table), ""
    except UserError as error:
        return None, str(error)


@time_limited
def _chances(page: TablePage, table: Table) -> RequestChances:
    return chances_of(table, build_request(table, parse_roll_request(page.request.query_params)).request)


def _tests_known(table: Table) -> TestsKnown:
    people: dict[str, str] = {}
    tests: dict[str, None] = {}
    for character in table.characters.values():
        try:
            sheet = table.system.sheet(table.rules, character.thing(table.system))
        except UserError:
            continue  # a kind without a sheet cannot be asked
        if sheet.tests():
            people[character.id] = character.name
            tests |= dict.fromkeys(test.name for test in sheet.tests().values())
    return TestsKnown(people, tuple(sorted(tests)), table.system.difficulties(table.rules))
