"""The rule book: search, each rule in our own words, its table, and a form to call it."""

import re
from typing import Any

from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_400_BAD_REQUEST
from msgspec import Struct, convert

from rulewright.errors import UserError
from rulewright.rules import RuleInfo, Ruleset
from rulewright.rules.reasons import Reason
from rulewright.show import rule_calls
from rulewright.show.replies import cell
from rulewright.show.serialize import words
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, game, games, get_rule, ready_made, search_rules
from rulewright.web.pages.public import FORM, campaign_of, is_partial_request, render
from rulewright.web.params import FormFields, PathText, WebRequest
from rulewright.web.server import bounded_replies
from rulewright.web.sheets import odds_bars

PREFIX = "p."
MAX_VALUE = 2_000
DEEPEST = 2


class Field(Struct, frozen=True):
    """One input of a form."""

    name: str
    label: str
    type: str
    required: bool
    usual: str
    choices: tuple[str, ...]
    value: str
    ready: bool
    fields: "tuple[Field, ...]" = ()

    @property
    def filled(self) -> bool:
        """Whether something was typed in it or below it."""
        return bool(self.value) or any(field.filled for field in self.fields)


class Form(Struct, frozen=True):
    """A function of a rule with its inputs."""

    name: str
    text: str
    asks: bool
    fields: tuple[Field, ...]


class Result(Struct, frozen=True):
    """The result of a call, for the page."""

    function: str
    wrong: str = ""
    headline: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    terms: tuple[odds_bars.Term, ...] = ()
    rolls: tuple[dict[str, Any], ...] = ()
    events: tuple[str, ...] = ()
    odds: dict[str, Any] | None = None
    shares: tuple[odds_bars.Share, ...] = ()
    chart: odds_bars.Chart | None = None
    table: tuple[odds_bars.Line, ...] = ()


@get("/rules", sync_to_thread=True, include_in_schema=False)
def rules_home(request: WebRequest) -> Redirect:
    """Redirect to the rules of the first game."""
    return Redirect(f"/rules/{game(request.query_params.get('system') or games()[0].id).id}")


@get("/rules/{system:str}", sync_to_thread=True, include_in_schema=False)
def rules_page(request: WebRequest, system: PathText) -> Template:
    """Show all rules of a game, or those that contain some words."""
    owner = game(system)
    query = request.query_params.get("q", "")[:MAX_TEXT]
    matches = search_rules(owner.id, query)
    name = "rule_list.html" if is_partial_request(request) and request.headers.get("hx-target") == "found" else "rules.html"
    return render(request, name, system=owner, by=campaign_of(request, owner.id), query=query, found=matches, info=None)


@get("/rules/{system:str}/{rule:str}", sync_to_thread=True, include_in_schema=False)
def rule_page(request: WebRequest, system: PathText, rule: PathText) -> Template:
    """Show one rule."""
    return _render_rule(request, game(system), get_rule(system, rule), {})


@post("/rules/{system:str}/{rule:str}/call", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def call_page(request: WebRequest, system: PathText, rule: PathText, form: FormFields) -> Template:
    """Call a rule with the values of its form."""
    owner, info = game(system), get_rule(system, rule)
    typed = {key: value[:MAX_VALUE] for key, value in form.multi_items() if isinstance(value, str)}
    given = {key.removeprefix(PREFIX): value.strip() for key, value in typed.items() if key.startswith(PREFIX) and value.strip()}
    function = typed.get("function", "")
    try:
        result = _call_rule(owner, campaign_of(request, owner.id).rules(owner), info, given, function, typed)
    except UserError as error:
        result = Result(function, str(error))
    if is_partial_request(request):
        return render(request, "rule_result.html", system=owner, info=info, result=result)
    return _render_rule(request, owner, info, given, result)


def _render_rule(request: WebRequest, owner: System, info: RuleInfo, given: dict[str, str], result: Result | None = None) -> Template:
    by = campaign_of(request, owner.id)
    table = rule_calls.rows(by.rules(owner), info) if info.table is not None else []
    heads = list(dict.fromkeys(key for row in table for key in row))
    return render(
        request,
        "rules.html",
        HTTP_400_BAD_REQUEST if result is not None and result.wrong else HTTP_200_OK,
        system=owner,
        by=by,
        query=request.query_params.get("q", "")[:MAX_TEXT],
        found=search_rules(owner.id, request.query_params.get("q", "")),
        info=info,
        place=find_in_book(owner, info.id),
        forms=_forms(info, given, result.function if result is not None else ""),
        heads=heads,
        rows=[[cell(row.get(head)) for head in heads] for row in table],
        numeric=[all(isinstance(row.get(head), int | float | None) for row in table) for head in heads],
        ready=[thing.name for thing in ready_made(owner.id).values()],
        result=result,
    )


_NUMBERED = re.compile(r"[a-z]+-(\d+)((?:\.\d+)*)[a-z]?-")


def find_in_book(system: System, rule_id: str) -> str:
    """The place of a rule in its book: the heading, or chapter and section with the topic."""
    known = system.book.index().get(rule_id)
    if known is not None and known.heading:
        return known.heading
    about = known.area.replace("-", " ").replace("_", " ") if known is not None and known.area else ""
    numbered = _NUMBERED.match(rule_id)
    if numbered is None:
        return f"under {about}" if about else ""
    number = f"section {numbered[1]}{numbered[2]}" if numbered[2] else f"chapter {numbered[1]}"
    return f"{number}, under {about}" if about else number


def _forms(info: RuleInfo, given: dict[str, str], called: str) -> list[Form]:
    forms = []
    for name in rule_calls.names(info):
        function = rule_calls.choose(info, name)
        values = given if name == called else {}
        fields = tuple(_field(parameter, "", values) for parameter in rule_calls.parameters(info, name))
        text = " ".join((function.__doc__ or "").split())
        forms.append(Form(name, "" if text == info.text else text, rule_calls.is_procedure(function), fields))
    return forms


def _field(parameter: rule_calls.Parameter, before: str, values: dict[str, str], depth: int = 0) -> Field:
    name = before + parameter.name
    below = () if depth >= DEEPEST else tuple(_field(candidate, f"{name}.", values, depth + 1) for candidate in parameter.fields)
    usual = "" if parameter.required or parameter.fields else words(parameter.default)
    label = parameter.name.replace("_", " ")
    ready = bool(parameter.fields) and depth == 0
    return Field(PREFIX + name, label, parameter.type, parameter.required, usual, parameter.choices, values.get(name, ""), ready, below)


def _call_rule(owner: System, rules: Ruleset, info: RuleInfo, given: dict[str, str], function: str, typed: dict[str, str]) -> Result:
    call = bounded_replies.prepare(owner, rules, info, dict(given), function or None)
    choose = tuple(part.strip() for part in typed.get("choose", "").split(",") if part.strip())
    if not call.asks:
        answer = bounded_replies.value(call)
        return Result(function, headline=_headline(answer["value"]), facts=_facts(answer["value"]), terms=_terms(answer["reasons"]))
    if typed.get("do") == "odds":
        answer = bounded_replies.compute_odds(call, choose)
        return Result(
            function,
            odds=answer,
            shares=odds_bars.build_shares(answer),
            chart=odds_bars.build_chart([answer]),
            table=odds_bars.build_table([answer]),
            headline="Odds",
        )
    faces = bounded_replies.faces(typed["faces"]) if typed.get("do") == "typed" and typed.get("faces", "").strip() else None
    answer = bounded_replies.play(owner, call, faces, choose)
    return Result(
        function,
        headline=answer["label"],
        facts=_facts(answer["changes"] if answer["changes"] is not None else answer["outcome"]),
        terms=_terms(answer["reasons"]),
        rolls=tuple(answer["rolls"]),
        events=tuple(answer["events"]),
    )


def _headline(value: Any) -> str:
    return "" if isinstance(value, dict) and value else words(value)


def _facts(value: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(name).replace("_", " "), words(part)) for name, part in value.items()) if isinstance(value, dict) else ()


def _terms(reasons: list[dict[str, Any]]) -> tuple[odds_bars.Term, ...]:
    return odds_bars.list_terms(convert(reasons, tuple[Reason, ...]))
