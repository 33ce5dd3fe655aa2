"""The same for programs: JSON in the shapes that the command line prints, described by OpenAPI."""

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
from rulewright.rules import nearest
from rulewright.show import replies
from rulewright.system import System
from rulewright.web.pages.games import MOST_TEXT, Missing, game, games, played_by, ready_made, ready_named, rule_of, searched, short
from rulewright.web.params import Asking, Named
from rulewright.web.server import bounded_replies as bounded
from rulewright.web.server.security import within

Preset = Annotated[str | None, QueryParameter(description="A bundle of settings.", max_length=MOST_TEXT)]
Settings = Annotated[list[str] | None, QueryParameter(name="set", description="Settings, each as name=value.", max_items=50)]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]


class Answer(Response[Any]):
    """JSON from the standard library, since weights grow beyond what 64 bits hold."""

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        """The answer as bytes."""
        return json.dumps(content, ensure_ascii=False).encode()


def _answer(content: Any) -> Answer:
    return Answer(content, status_code=HTTP_200_OK, media_type=MediaType.JSON)


class ToRoll(Struct, forbid_unknown_fields=True):
    """A test to roll. `dice` are faces of real dice: 2,6,4 or, for two rolls, 2,6,4/3,5."""

    notation: Text
    dice: Text | None = None
    preset: Text | None = None
    settings: Annotated[list[Text], Meta(max_length=50)] = []


class ToCall(Struct, forbid_unknown_fields=True):
    """Values for a rule, by name (`victim`, `victim.flesh`); `odds` for its exact odds, `rows` for its table."""

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
    """The games that can be played here."""
    return _answer([replies.system(candidate) for candidate in games()])


@get("/systems/{system:str}", sync_to_thread=True, tags=["games"])
def system(system: Named) -> Response[dict[str, Any]]:
    """One game with its options."""
    return _answer(replies.system(game(system)))


@post("/systems/{system:str}/roll", sync_to_thread=True, tags=["dice"], status_code=HTTP_200_OK)
def roll(system: Named, data: JSONBody[ToRoll]) -> Response[dict[str, Any]]:
    """Roll one test, with fresh dice or with faces given."""
    owner = game(system)
    typed = bounded.faces(data.dice) if data.dice is not None else None
    thrown = bounded.throw(owner, played_by(owner, data.preset, data.settings), data.notation, typed)
    return _answer(replies.roll(owner, thrown))


@get("/systems/{system:str}/odds", sync_to_thread=True, tags=["dice"])
def odds(
    system: Named,
    notation: Annotated[
        list[str], QueryParameter(description="A test; up to four are answered as a list.", min_items=1, max_items=replies.MOST_COMPARED)
    ],
    preset: Preset = None,
    settings: Settings = None,
) -> Response[dict[str, Any] | list[dict[str, Any]]]:
    """The exact odds of a test, in whole numbers."""
    owner = game(system)
    rules = played_by(owner, preset, settings)
    result = [bounded.odds(owner, rules, text) for text in notation]
    return _answer(result[0] if len(result) == 1 else result)


@get("/systems/{system:str}/rules", sync_to_thread=True, tags=["rules"])
def rules(system: Named, search: Annotated[str, QueryParameter(max_length=MOST_TEXT)] = "") -> Response[list[dict[str, Any]]]:
    """The rules that are implemented; with `search`, those in which all these words occur."""
    return _answer([info.public() for info in searched(game(system).id, search)])


@get("/systems/{system:str}/rules/{rule:str}", sync_to_thread=True, tags=["rules"])
def rule(system: Named, rule: Named) -> Response[dict[str, Any]]:
    """One rule and what it takes."""
    return _answer(replies.rule(rule_of(system, rule)))


@post("/systems/{system:str}/rules/{rule:str}/call", sync_to_thread=True, tags=["rules"], status_code=HTTP_200_OK)
def call(system: Named, rule: Named, data: JSONBody[ToCall]) -> Response[dict[str, Any]]:
    """Call one rule: a formula gives its value, a procedure is played or weighed, a table lists its rows."""
    owner, info = game(system), rule_of(system, rule)
    by = played_by(owner, data.preset, data.settings)
    if data.rows or not info.functions:
        return _answer(bounded.rows(by, info))
    called = bounded.prepare(owner, by, info, data.given, data.function)
    if data.odds:
        return _answer(bounded.weighed(called, data.choose))
    if not called.asks:
        return _answer(bounded.value(called))
    return _answer(bounded.played(owner, called, bounded.faces(data.dice) if data.dice is not None else None, data.choose))


# --- sheets -------------------------------------------------------------------------------------------------------------------


@get("/systems/{system:str}/characters", sync_to_thread=True, tags=["sheets"])
def characters(system: Named) -> Response[list[dict[str, Any]]]:
    """What ships ready-made with a game."""
    return _answer(
        [
            {"id": f"{ready.folder}/{ready.name}", "kind": ready.kind, "name": ready.title, "about": ready.subtitle}
            for ready in ready_made(game(system).id).values()
        ]
    )


@get("/systems/{system:str}/characters/{name:str}", sync_to_thread=True, tags=["sheets"])
def character(system: Named, name: Named) -> Response[dict[str, Any]]:
    """A ready-made thing as it is kept in its file."""
    return _answer(msgspec.to_builtins(ready_named(system, name).thing))


@get("/systems/{system:str}/characters/{name:str}/sheet", sync_to_thread=True, tags=["sheets"])
def sheet_of(system: Named, name: Named, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """All derived values, each with its reasons, and all tests."""
    return _answer(_sheet(game(system), ready_named(system, name).thing, preset, settings))


@get("/systems/{system:str}/characters/{name:str}/audit", sync_to_thread=True, tags=["sheets"])
def audit_of(system: Named, name: Named, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """Is it legal?"""
    ready = ready_named(system, name)
    return _answer(_audit(game(system), ready.thing, f"{system}/{ready.name}", preset, settings))


@get("/systems/{system:str}/characters/{name:str}/why/{value:str}", sync_to_thread=True, tags=["sheets"])
def why(system: Named, name: Named, value: Named, preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """The reasons of one value."""
    owner, ready = game(system), ready_named(system, name)
    with within():
        sheet = owner.sheet(played_by(owner, preset, settings), ready.thing)
    known = replies.explainable(sheet)
    if value not in known:
        raise Missing(f"{ready.title} has no value {short(value)!r}{nearest(value[:MOST_TEXT], known)}")
    return _answer(replies.why(f"{system}/{ready.name}", value, replies.root(known[value])))


async def read_body(request: Asking) -> bytes:
    """What was sent, read before the work begins in a thread of its own."""
    return await request.body()


BODY = {"text": Provide(read_body)}


@post("/systems/{system:str}/sheet", sync_to_thread=True, tags=["sheets"], status_code=HTTP_200_OK, dependencies=BODY)
def sheet_sent(system: Named, text: NamedDependency[bytes], preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """All derived values of a file that is sent, as YAML or JSON."""
    kept = _sent(text, system)
    return _answer(_sheet(kept.system, kept.thing, preset, settings))


@post("/systems/{system:str}/audit", sync_to_thread=True, tags=["sheets"], status_code=HTTP_200_OK, dependencies=BODY)
def audit_sent(system: Named, text: NamedDependency[bytes], preset: Preset = None, settings: Settings = None) -> Response[dict[str, Any]]:
    """Is the file that is sent legal?"""
    kept = _sent(text, system)
    return _answer(_audit(kept.system, kept.thing, kept.path, preset, settings))


def _sent(body: bytes, system: str) -> library.Kept:
    owner = game(system)
    with within():
        kept = library.opened(files.parse(body, "what was sent"), "what was sent")
    if kept.system.id != owner.id:
        raise UserError(f"this file belongs to {kept.system.id}, not to {owner.id}")
    if kept.kind not in owner.kinds:
        raise UserError(f"a {kept.kind} has no sheet; send {' or '.join(owner.kinds)}")
    return kept


def _sheet(owner: System, thing: Any, preset: str | None, settings: list[str] | None) -> dict[str, Any]:
    rules = played_by(owner, preset, settings)
    with within():
        return replies.sheet(owner.sheet(rules, thing))


def _audit(owner: System, thing: Any, file: str, preset: str | None, settings: list[str] | None) -> dict[str, Any]:
    rules = played_by(owner, preset, settings)
    with within():
        return owner.audit(rules, thing).public(file)
