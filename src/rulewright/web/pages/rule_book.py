"""The rule book: chapters, search, and each rule in our own words with an example, its table, where it is used, and a form to call it."""

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_400_BAD_REQUEST
from msgspec import Struct, convert

from rulewright.build.sheet_parts import Test, Value
from rulewright.errors import UserError
from rulewright.play.odds import Budget
from rulewright.rules import RuleInfo, Ruleset
from rulewright.rules.reasons import Reason
from rulewright.show import prose, rule_calls, rule_index, rule_links
from rulewright.show.replies import table as table_of
from rulewright.show.serialize import words
from rulewright.show.spreadsheet import KINDS, file_of
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, Missing, game, games, get_rule, ready_made, rulebook, search_rules
from rulewright.web.pages.public import FORM, campaign_of, is_partial_request, render
from rulewright.web.pages.visitor_rules import Campaign
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
    """Show the chapters of a game's rule book, one chapter, or the rules that a search finds."""
    owner = game(system)
    name = "rule_list.html" if is_partial_request(request) and request.headers.get("hx-target") == "found" else "rules.html"
    return render(request, name, system=owner, by=campaign_of(request, owner.id), info=None, **_book(request, owner))


@get("/rules/{system:str}/{rule:str}", sync_to_thread=True, include_in_schema=False)
def rule_page(request: WebRequest, system: PathText, rule: PathText) -> Template:
    """Show one rule."""
    return _render_rule(request, game(system), get_rule(system, rule), {})


@get("/rules/{system:str}/{rule:str}/{name:str}", sync_to_thread=True, include_in_schema=False)
def table_file(request: WebRequest, system: PathText, rule: PathText, name: PathText) -> Response[bytes]:
    """The table of a rule as CSV or JSON, by the rules that the visitor chose."""
    owner, info = game(system), get_rule(system, rule)
    stem, _, kind = name.partition(".")
    if stem != "table" or kind not in KINDS or info.table is None:
        raise Missing(f"there is no such file; a rule with a table has table.{' and table.'.join(KINDS)}")
    rows = rule_calls.rows(campaign_of(request, owner.id).rules(owner), info)
    return Response(
        file_of(kind, *table_of(rows)), media_type=KINDS[kind], headers={"content-disposition": f'attachment; filename="{info.id}.{kind}"'}
    )


def _book(request: WebRequest, owner: System, rule: str = "") -> dict[str, Any]:
    """The rule book beside a rule: the search and what it finds, the chapters, and the chosen chapter."""
    query = request.query_params.get("q", "")[:MAX_TEXT]
    parts = rule_index.chapters(owner.book, rulebook(owner.id).values())
    key = request.query_params.get("chapter", "")
    chapter = next((part for part in parts if any(info.id == rule for info in part.rules) or (not rule and part.key == key)), None)
    matching = search_rules(owner.id, query) if query.strip() else list(rulebook(owner.id).values())
    names = {info.id: part.title for part in parts for info in part.rules}
    return {"query": query.strip(), "found": matching, "chapters": parts, "chapter": chapter, "chapter_of": names}


class Use(Struct, frozen=True):
    """Where a rule is used: by other rules, on sheets, and by which options it changes."""

    rules: tuple[RuleInfo, ...] = ()
    values: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def _users(system: str) -> dict[str, list[str]]:
    return rule_links.users(rulebook(system).values())


@lru_cache(maxsize=64)
def _sheet_uses(system: str) -> dict[str, list[str]]:
    """The values and tests on sheets by the rules that explain them, from one ready-made sheet of each kind."""
    owner = game(system)
    by_kind = {thing.kind: thing.thing for thing in ready_made(system).values()}
    names: dict[str, dict[str, None]] = {}
    for thing in by_kind.values():
        sheet = owner.sheet(owner.book.ruleset(), thing)
        pieces: list[Value | Test] = [*sheet.values().values(), *sheet.tests().values()]
        for piece in pieces:
            for rule in _rules_of(piece):
                names.setdefault(rule, {})[piece.name] = None
    return {rule: list(labels) for rule, labels in names.items()}


def _rules_of(piece: Value | Test) -> set[str]:
    """The rules of a value or test and of its terms."""
    terms = odds_bars.list_terms(piece.reasons, piece.rule) if isinstance(piece, Value) else ()
    parts = [part.rule for part in piece.parts] if isinstance(piece, Test) else []
    return {rule for rule in (piece.rule, *(term.rule for term in terms), *parts) if rule}


def find_uses(system: System, rule_id: str) -> Use:
    """Where a rule is used."""
    known = rulebook(system.id)
    return Use(
        tuple(known[user] for user in _users(system.id).get(rule_id, ())),
        tuple(_sheet_uses(system.id).get(rule_id, ())),
        tuple(setting.title for setting in system.book.settings.values() if setting.rule == rule_id),
    )


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
    heads, cells = table_of(table)
    beside = _book(request, owner, info.id)
    siblings = [sibling.id for sibling in beside["chapter"].rules] if beside["chapter"] is not None else [info.id]
    at = siblings.index(info.id)
    return render(
        request,
        "rules.html",
        HTTP_400_BAD_REQUEST if result is not None and result.wrong else HTTP_200_OK,
        system=owner,
        by=by,
        info=info,
        place=find_in_book(owner, info.id),
        forms=_forms(info, given, result.function if result is not None else ""),
        heads=heads,
        rows=cells,
        numeric=[all(isinstance(row.get(head), int | float | None) for row in table) for head in heads],
        ready=[thing.name for thing in ready_made(owner.id).values()],
        result=result,
        example=_example(owner.id, info.id, by),
        uses=find_uses(owner, info.id),
        before=get_rule(owner.id, siblings[at - 1]) if at else None,
        after=get_rule(owner.id, siblings[at + 1]) if at + 1 < len(siblings) else None,
        **beside,
    )


# --- an example ---------------------------------------------------------------------------------------------------------------

EXAMPLE_NUMBER = "3"
EXAMPLE_PATHS, EXAMPLE_SECONDS = 20_000, 0.3


class Example(Struct, frozen=True):
    """A rule at work: which function, with which values, and its result."""

    function: str
    given: tuple[tuple[str, str], ...]
    result: Result


@lru_cache(maxsize=1024)
def _example(system: str, rule_id: str, campaign: Campaign) -> Example | None:
    """The first function of a rule that works with its defaults, with its odds; None if there is none."""
    owner, info = game(system), get_rule(system, rule_id)
    names = sorted(rule_calls.names(info), key=lambda name: not rule_calls.is_procedure(rule_calls.choose(info, name)))
    for name in names:
        required = [parameter for parameter in rule_calls.parameters(info, name) if parameter.required]
        if any(parameter.fields for parameter in required):
            continue
        given = {parameter.name: parameter.choices[0] if parameter.choices else EXAMPLE_NUMBER for parameter in required}
        with suppress(Exception):  # an example is a gift: a rule that cannot work with these values has none
            call = bounded_replies.prepare(owner, campaign.rules(owner), info, dict(given), name)
            result = _odds_result(owner, call, name, Budget(EXAMPLE_PATHS, EXAMPLE_SECONDS)) if call.asks else _value_result(call, name)
            if result.shares or len(result.table) > 1 or (given and (result.headline or result.facts)):
                return Example(name, tuple((key.replace("_", " "), value) for key, value in given.items()), result)
    return None


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
        return _value_result(call, function)
    if typed.get("do") == "odds":
        return _odds_result(owner, call, function, choose=choose)
    faces = bounded_replies.faces(typed["faces"]) if typed.get("do") == "typed" and typed.get("faces", "").strip() else None
    answer = bounded_replies.play(owner, call, faces, choose, lambda outcome: describe_outcome(owner, call, outcome))
    told = bool(answer["events"]) and answer["changes"] is not None  # the events say what changed
    return Result(
        function,
        headline="" if told else _capitalized(answer["label"]),
        facts=_facts(answer["changes"] if answer["changes"] is not None else answer["outcome"]),
        terms=_terms(answer["reasons"]),
        rolls=tuple(answer["rolls"]),
        events=tuple(answer["events"]),
    )


def _value_result(call: rule_calls.Call, function: str) -> Result:
    answer = bounded_replies.value(call)
    return Result(function, headline=_headline(answer["value"]), facts=_facts(answer["value"]), terms=_terms(answer["reasons"]))


def _odds_result(owner: System, call: rule_calls.Call, function: str, budget: Budget | None = None, choose: tuple[str, ...] = ()) -> Result:
    answer = bounded_replies.compute_odds(call, choose, lambda outcome: describe_outcome(owner, call, outcome), budget)
    return Result(
        function,
        odds=answer,
        shares=odds_bars.build_shares(answer),
        chart=odds_bars.build_chart([answer]),
        table=odds_bars.build_table([answer]),
    )


def describe_outcome(owner: System, call: rule_calls.Call, outcome: Any) -> str:
    """An outcome in plain words: as the game shows a test, or as a sentence of what changed."""
    with suppress(Exception):  # a game shows the outcomes of tests only
        return owner.show(outcome).label
    return call.describe(outcome)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _headline(value: Any) -> str:
    return "" if isinstance(value, dict) and value else _capitalized(prose.describe(value))


def _facts(value: Any) -> tuple[tuple[str, str], ...]:
    """The fields of a result that say something, in words."""
    if not isinstance(value, dict):
        return ()
    return tuple((prose.heading(str(name)), prose.describe(part)) for name, part in prose.shown_fields(value).items() if name != "verdict")


def _terms(reasons: list[dict[str, Any]]) -> tuple[odds_bars.Term, ...]:
    return odds_bars.list_terms(convert(reasons, tuple[Reason, ...]))
