"""The API of games, dice, rules and sheets: JSON in the shapes that the command line prints, described by OpenAPI."""

import json
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK
from msgspec import Meta, Struct

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.rules import nearest
from rulewright.show import replies
from rulewright.system import System
from rulewright.web.pages.games import (
    MAX_TEXT,
    Missing,
    build_ruleset,
    find_ready_made,
    game,
    games,
    get_rule,
    ready_made,
    search_rules,
    shorten,
)
from rulewright.web.params import PathText, WebRequest
from rulewright.web.server import bounded_replies as bounded
from rulewright.web.server.security import time_limit

Preset = Annotated[str | None, QueryParameter(description="A preset: a named set of settings.", max_length=MAX_TEXT)]
Settings = Annotated[list[str] | None, QueryParameter(name="set", description="Settings, each as name=value.", max_items=50)]
Text = Annotated[str, Meta(max_length=MAX_TEXT)]


class BigIntResponse(Response[Any]):
    """A JSON response from the standard library, since weights exceed 64 bits."""

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        """Encode the response."""
        return json.dumps(content, ensure_ascii=False).encode()


def _json_response(content: Any) -> BigIntResponse:
    return BigIntResponse(content, status_code=HTTP_200_OK, media_type=MediaType.JSON)


class ToRoll(Struct, forbid_unknown_fields=True):
    """A test to roll. `dice` are the faces of real dice: 2,6,4 or, for two rolls, 2,6,4/3,5."""

    notation: Text
    dice: Text | None = None
    preset: Text | None = None
    settings: Annotated[list[Text], Meta(max_length=50)] = []


class ToCall(Struct, forbid_unknown_fields=True):
    """Values for a rule by name (`victim`, `victim.flesh`); set `odds` for its exact odds, `rows` for its table."""

    given: dict[str, Any] = {}
    function: Text | None = None
    odds: bool = False
    rows: bool = False
    dice: Text | None = None
    choose: Annotated[list[Text], Meta(max_length=100)] = []
    preset: Text | None = None
    settings: Annotated[list[Text], Meta(max_length=50)] = []


@get("/systems", sync_to_thread=True, tags=["games"])
def systems() -> Response[list[dict[str, Any]]]:
    """List the games."""
    return _json_response([replies.system(system) for system in games()])


@get("/systems/{system:str}", sync_to_thread=True, tags=["games"])
def system(system: PathText) -> Response[dict[str, Any]]:
    """Get one game with its options."""
    return _json_response(replies.system(game(system)))


@post("/systems/{system:str}/roll", sync_to_thread=True, tags=["dice"], status_code=HTTP_200_OK)
def roll(system: PathText, data: JSONBody[ToRoll]) -> Response[dict[str, Any]]:
    """Roll one test, with random dice or with given faces."""
    owner = game(system)
    typed = bounded.faces(data.dice) if data.dice is not None else None
    thrown = bounded.throw(owner, build_ruleset(owner, data.preset, data.settings), data.notation, typed)
    return _json_response(replies.roll(owner, thrown))


@get("/systems/{system:str}/odds", sync_to_thread=True, tags=["dice"])
def odds(
    system: PathText,
    notation: Annotated[
        list[str], QueryParameter(description="A test; up to four give a list.", min_items=1, max_items=replies.MOST_COMPARED)
    ],
    preset: Preset = None,
    settings: Settings = None,
) -> Response[dict[str, Any] | list[dict[str, Any]]]:
    """Compute the exact odds of a test, in whole numbers."""
    owner = game(system)
    rules = build_ruleset(owner, preset, settings)
    answers = [bounded.odds(owner, rules, text) for text in notation]
    return _json_response(answers[0] if len(answers) == 1 else answers)


@get("/systems/{system:str}/rules", sync_to_thread=True, tags=["rules"])
def rules(system: PathText, search: Annotated[str, QueryParameter(max_length=MAX_TEXT)] = "") -> Response[list[dict[str, Any]]]:
    """List the implemented rules; with `search`, those that contain all these words."""
    return _json_response([info.public() for info in search_rules(game(system).id, search)])


@get("/systems/{system:str}/rules/{rule:str}", sync_to_thread=True, tags=["rules"])
def rule(system: PathText, rule: PathText) -> Response[dict[str, Any]]:
    """Get one rule with its parameters."""
    return _json_response(replies.rule(get_rule(system, rule)))


@post("/systems/{system:str}/rules/{rule:str}/call", sync_to_thread=True, tags=["rules"], status_code=HTTP_200_OK)
def call(system: PathText, rule: PathText, data: JSONBody[ToCall]) -> Response[dict[str, Any]]:
    """Call one rule.

    A formula returns its value, a procedure is played (or returns its odds), a table lists its rows.
    """
    owner, info = game(system), get_rule(system, rule)
    ruleset = build_ruleset(owner, data.preset, data.settings)
    if data.rows or not info.functions:
        return _json_response(bounded.rows(ruleset, info))
    called = bounded.prepare(owner, ruleset, info, data.given, data.function)
    if data.odds:
        return _json_response(bounded.compute_odds(called, data.choose))
    if not called.asks:
        return _json_response(bounded.value(called))
    return _json_response(bounded.play(owner, called, bounded.faces(data.dice) if data.dice is not None else None, data.choose))


# --- sheets -------------------------------------------------------------------------------------------------------------------


@get("/systems/{system:str}/characters", sync_to_thread=True, tags=["sheets"])
def characters(system: PathText) -> Response[list[dict[str, Any]]]:
    """List the ready-made characters of a game."""
    return _json_response(
        [
            {"id": f"{ready.folder}/{ready.name}", "kind": ready.kind, "name": ready.title, "about": ready.subtitle}
            for ready in ready_made(game(system).id).values()
        ]
    )


@get("/systems/{system:str}/characters/{name:str}", sync_to_thread=True, tags=["sheets"])
def character(system: PathText, name: PathText) -> Response[dict[str, Any]]:
    """Get a ready-made character as it is saved in its file."""
    return _json_response(msgspec.to_builtins(find_ready_made(system, name).thing))


@get("/systems/{system:str}/characters/{name:str}/sheet", sync_to_thread=True, tags=["sheets"])
def sheet_of(system: PathText, name: PathText, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """Compute the sheet of a ready-made character: all derived values with their reasons, and all tests."""
    return _json_response(_sheet(game(system), find_ready_made(system, name).thing, preset, settings))


@get("/systems/{system:str}/characters/{name:str}/audit", sync_to_thread=True, tags=["sheets"])
def audit_of(system: PathText, name: PathText, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """Check whether a ready-made character is legal."""
    ready = find_ready_made(system, name)
    return _json_response(_audit(game(system), ready.thing, f"{system}/{ready.name}", preset, settings))


@get("/systems/{system:str}/characters/{name:str}/why/{value:str}", sync_to_thread=True, tags=["sheets"])
def why(system: PathText, name: PathText, value: PathText, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """Explain one value of a ready-made character's sheet."""
    owner, ready = game(system), find_ready_made(system, name)
    with time_limit():
        sheet = owner.sheet(build_ruleset(owner, preset, settings), ready.thing)
    known = replies.explainable(sheet)
    if value not in known:
        raise Missing(f"{ready.title} has no value {shorten(value)!r}{nearest(value[:MAX_TEXT], known)}")
    return _json_response(replies.why(f"{system}/{ready.name}", value, replies.root(known[value])))


async def read_body(request: WebRequest) -> bytes:
    """The body of a request, read before its handler starts in a thread."""
    return await request.body()


BODY = {"text": Provide(read_body)}


@post("/systems/{system:str}/sheet", sync_to_thread=True, tags=["sheets"], status_code=HTTP_200_OK, dependencies=BODY)
def sheet_sent(
    system: PathText, text: NamedDependency[bytes], preset: Preset = None, settings: Settings = None
) -> Response[dict[str, Any]]:
    """Compute the sheet of a character file in the body, as YAML or JSON."""
    kept = _read_file(text, system)
    return _json_response(_sheet(kept.system, kept.thing, preset, settings))


@post("/systems/{system:str}/audit", sync_to_thread=True, tags=["sheets"], status_code=HTTP_200_OK, dependencies=BODY)
def audit_sent(
    system: PathText, text: NamedDependency[bytes], preset: Preset = None, settings: Settings = None
) -> Response[dict[str, Any]]:
    """Check whether a character file in the body is legal."""
    kept = _read_file(text, system)
    return _json_response(_audit(kept.system, kept.thing, kept.path, preset, settings))


def _read_file(body: bytes, system: str) -> library.Kept:
    owner = game(system)
    with time_limit():
        kept = library.opened(files.parse(body, "the request body"), "the request body")
    if kept.system.id != owner.id:
        raise UserError(f"this file is for the game {kept.system.id}, not for {owner.id}")
    if kept.kind not in owner.kinds:
        raise UserError(f"{a(kept.kind)} has no sheet; send a file of kind {' or '.join(owner.kinds)}")
    return kept


def _sheet(owner: System, thing: Any, preset: str | None, settings: list[str] | None) -> dict[str, Any]:
    rules = build_ruleset(owner, preset, settings)
    with time_limit():
        return replies.sheet(owner.sheet(rules, thing))


def _audit(owner: System, thing: Any, file: str, preset: str | None, settings: list[str] | None) -> dict[str, Any]:
    rules = build_ruleset(owner, preset, settings)
    with time_limit():
        return owner.audit(rules, thing).public(file)
