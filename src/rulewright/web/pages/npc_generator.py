"""NPC generator: random characters, whose parts can be pinned and rerolled; one or many, downloaded or added to a table.

The URL holds the fixed parts and the seed of the dice, so that it always shows the same characters.
"""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from litestar import Response, get, post
from litestar.datastructures import FormMultiDict, MultiDict
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from msgspec import Struct

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.system import System
from rulewright.table.commands.messages import AddCharacter
from rulewright.web.pages.games import MAX_TEXT, Missing, game
from rulewright.web.pages.import_character import list_seats
from rulewright.web.pages.public import FORM, campaign_of, render
from rulewright.web.pages.visitor_rules import Campaign
from rulewright.web.params import FormFields, PathText, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.sheet_files import file_name, open_for_visitor, plain_name, to_file_text
from rulewright.web.table.seats import seat_of, tables_of

MOST = 50
SECONDS = 10.0
KEEP, AGAIN, WAS = "keep", "again", "was."
ROUTE = "/npc/{system:str}"


class NpcRequest(Struct, frozen=True):
    """A request to the generator: how many, which parts are fixed, which of these are pinned, and the seed; None for no roll yet."""

    said: dict[str, str]
    kept: tuple[str, ...] = ()
    number: int = 1
    seed: int | None = None

    def query(self) -> str:
        """The request as a query string."""
        seed = [] if self.seed is None else [("seed", str(self.seed))]
        number = [("number", str(self.number))] if self.number > 1 else []
        return urlencode([*number, *seed, *self.said.items(), *((KEEP, part) for part in self.kept)])


class Npc(Struct, frozen=True):
    """A random character: the parts that were rolled, the character, its short description, and the query of its own page."""

    parts: Mapping[str, str]
    thing: Any
    block: str
    alone: str

    @property
    def lines(self) -> list[str]:
        """The description below the name."""
        return [line.strip() for line in self.block.splitlines()[1:] if line.strip()]


def _read_request(system: System, fields: MultiDict[Any] | FormMultiDict) -> NpcRequest:
    """Read the request from a URL or a form."""
    texts = {part: str(fields.get(part, "")).strip()[:MAX_TEXT] for part in system.drafted}
    kept = [part for part in fields.getall(KEEP, []) if part in system.drafted]
    return NpcRequest(
        said={part: text for part, text in texts.items() if text},
        kept=tuple(dict.fromkeys(kept)),
        number=_parse_whole_number(fields.get("number", "1") or "1", "number", 1, MOST),
        seed=_parse_whole_number(fields["seed"], "seed", 0, 2**53) if fields.get("seed") else None,
    )


def _parse_whole_number(text: Any, what: str, least: int, most: int) -> int:
    """Parse a whole number."""
    with suppress(ValueError):
        if least <= (number := int(str(text)[:20])) <= most:
            return number
    raise UserError(f"{what}: write a whole number from {least} to {most}, not {str(text)[:20]!r}")


def _find_generator(name: str) -> System:
    """A game with an NPC generator; raises Missing for others."""
    system = game(name)
    if not system.drafted:
        raise Missing(f"{system.name} has no NPC generator yet")
    return system


def _generate(system: System, by: Campaign, wish: NpcRequest) -> list[Npc]:
    """Generate the characters of a request."""
    if wish.seed is None:
        return []
    rules = by.rules(system)
    with time_limit(SECONDS):
        people = library.made_up_in_parts(system, rules, wish.said, wish.number, Seeded(wish.seed))
        return [
            Npc(parts, thing, system.in_short(rules, thing), NpcRequest({**wish.said, **parts}, wish.kept, 1, wish.seed).query())
            for parts, thing in people
        ]


def _page(request: WebRequest, system: System, wish: NpcRequest, wrong: str = "") -> Template:
    by = campaign_of(request, system.id)
    people: list[Npc] = []
    try:
        people = _generate(system, by, wish)
    except UserError as refused:
        wrong = wrong or str(refused)
    made = people[0] if len(people) == 1 else None
    choices = system.draft_choices(by.rules(system))
    return render(
        request,
        "madeup.html",
        system=system,
        by=by,
        wish=wish,
        shown={**wish.said, **(made.parts if made is not None else {})},
        people=people,
        one=made,
        choices=choices,
        asked=[part for part in system.drafted if made is None or part not in made.parts],
        rolled=list(made.parts) if made is not None else [],
        query=wish.query(),
        seats=list_seats(request, system.id) if people else [],
        most=MOST,
        wrong=wrong,
    )


@get(ROUTE, sync_to_thread=True, include_in_schema=False)
def people_page(request: WebRequest, system: PathText) -> Template:
    """Show the characters of a URL; none if it has no seed."""
    owner = _find_generator(system)
    return _page(request, owner, _read_request(owner, request.query_params))


@post(ROUTE + "/roll", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def roll_people(request: WebRequest, system: PathText, form: FormFields) -> Template | Redirect:
    """Roll whatever is neither pinned nor typed; with `again`, only one part and what depends on it; with "nothing", nothing."""
    owner = _find_generator(system)
    try:
        wish = _read_request(owner, form)
    except UserError as error:
        return _page(request, owner, NpcRequest({}), str(error))
    typed = tuple(part for part in wish.said if WAS + part in form and form[WAS + part] != wish.said[part])
    kept = tuple(dict.fromkeys((*wish.kept, *typed)))
    again = str(form.get(AGAIN, ""))
    if again in owner.drafted:
        rerolled = {again, *(part for part in owner.draft_together.get(again, ()) if part not in kept)}
        kept = tuple(part for part in kept if part != again)
        said = {part: text for part, text in wish.said.items() if part not in rerolled}
    elif again == "nothing":
        said = wish.said
    else:
        said = {part: text for part, text in wish.said.items() if part in kept or WAS + part not in form}
    asked = NpcRequest(said, tuple(part for part in kept if part in said), wish.number, secrets.randbits(32))
    try:
        _generate(owner, campaign_of(request, system), asked)
    except UserError as error:
        return _page(request, owner, NpcRequest(wish.said, kept, wish.number), str(error))
    return Redirect(f"/npc/{owner.id}?{asked.query()}", status_code=HTTP_303_SEE_OTHER)


def _requested_npcs(request: WebRequest, system: str) -> tuple[System, list[Npc]]:
    """The characters of a URL, for download or a table."""
    owner = _find_generator(system)
    people = _generate(owner, campaign_of(request, system), _read_request(owner, request.query_params))
    if not people:
        raise UserError("there is nobody yet: roll first")
    return owner, people


@get(ROUTE + "/file", sync_to_thread=True, include_in_schema=False)
def download_people(request: WebRequest, system: PathText) -> Response[Any]:
    """Download one character as a file, or several as a ZIP archive."""
    _, people = _requested_npcs(request, system)
    if len(people) == 1:
        thing = people[0].thing
        return Response(to_file_text(thing), media_type="application/yaml; charset=utf-8", headers=file_name(thing.name, "yaml"))
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as folder:
        for number, made in enumerate(people, 1):
            folder.writestr(f"{number:02d}-{plain_name(made.thing.name) or 'npc'}.yaml", to_file_text(made.thing))
    return Response(packed.getvalue(), media_type="application/zip", headers=file_name(f"{system} people", "zip"))


@post(ROUTE + "/open", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def open_person(request: WebRequest, system: PathText) -> Redirect:
    """Open a character in the builder, or on the page for adding it to a table."""
    owner, people = _requested_npcs(request, system)
    thing = people[0].thing
    return open_for_visitor(request, owner, thing.kind, thing, "/table" if request.query_params.get("to") == "table" else "")


@post(ROUTE + "/bring", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def add_people(request: WebRequest, system: PathText, form: FormFields) -> Redirect:
    """Add all characters to a table with a seat of this device; a gamemaster can hide them."""
    owner, people = _requested_npcs(request, system)
    seat = seat_of(request, str(form.get("table", ""))[:MAX_TEXT])
    tables = tables_of(request)
    with tables.looking(seat.table) as table:
        if table.system.id != owner.id:
            raise UserError(f"that table plays {table.system.name}, but these characters are for {owner.name}")
    hidden = bool(form.get("hidden")) and seat.role == "gamemaster"
    for person in people:
        data: dict[str, Any] = msgspec.to_builtins(person.thing)
        tables.act(seat.table, seat.member, AddCharacter(of=person.thing.kind, data=data, hidden=hidden))
    return Redirect(f"/tables/{seat.table}/people", status_code=HTTP_303_SEE_OTHER)
