"""The odds page: up to four tests of a game side by side. It opens with an example."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.response import Template
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.show import charts
from rulewright.show.replies import MOST_COMPARED, at_least, average
from rulewright.show.spreadsheet import csv_text
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, Missing, examples, game, games, parse_settings
from rulewright.web.pages.public import campaign_of, render
from rulewright.web.pages.visitor_rules import Campaign
from rulewright.web.params import PathText, WebRequest
from rulewright.web.server import bounded_replies
from rulewright.web.sheets import odds_bars

MAX_SETTINGS = 200


class Question(Struct, frozen=True):
    """What the address of the page asks for: a game, its options, up to four tests, and the odds of each that can be read."""

    system: System
    by: Campaign
    texts: list[str]
    answers: list[dict[str, Any]]
    wrong: list[str]
    least: bool
    opening: bool
    """Whether nobody asked: the test is an example."""


def _ask(request: WebRequest) -> Question:
    """Compute the odds that the address asks for; an address without a test shows an example."""
    system = game(request.query_params.get("system") or games()[0].id)
    texts = [text.strip() for text in request.query_params.getall("test", []) if text.strip()][:MOST_COMPARED]
    by = _odds_campaign(request, system, bool(texts))
    opening = not texts
    texts = texts or list(examples(system.id)[:1])
    answers, wrong = [], []
    for text in texts:
        try:
            answers.append(bounded_replies.odds(system, by.rules(system), text))
            wrong.append("")
        except UserError as refused:
            wrong.append(str(refused))
    return Question(system, by, texts, answers, wrong, request.query_params.get("show") == "least", opening)


@get("/odds", sync_to_thread=True, include_in_schema=False)
def odds_page(request: WebRequest) -> Template:
    """Compare up to four tests. The URL holds everything, including the options."""
    asked = _ask(request)
    system, by, texts, answers, least = asked.system, asked.by, asked.texts, asked.answers, asked.least
    link = _link(system.id, by, texts, least)
    return render(
        request,
        "odds.html",
        system=system,
        by=by,
        asked=list(zip(texts, asked.wrong, strict=True)),
        opening=asked.opening,
        without=[_link(system.id, by, texts[:at] + texts[at + 1 :], least) for at in range(len(texts))],
        free=len(texts) < MOST_COMPARED,
        found=answers,
        shares=[odds_bars.build_shares(answer) for answer in answers],
        chart=odds_bars.build_chart(answers, least) if answers else None,
        table=odds_bars.build_table(answers, least),
        least=least,
        averages=[average(answer) for answer in answers],
        examples=[(text, _link(system.id, by, [text] if asked.opening else [*texts, text], least)) for text in examples(system.id)],
        what_if=_what_if(system, by, texts, answers, least),
        link=link,
        other=_link(system.id, by, texts, not least),
        files=[(kind.upper(), link.replace("/odds?", f"/odds/chart.{kind}?", 1)) for kind in FILES],
    )


FILES = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv"}
"""The files of a chart, with their media types."""


@get("/odds/{name:str}", sync_to_thread=True, include_in_schema=False)
def odds_file(request: WebRequest, name: PathText) -> Response[bytes]:
    """The chart as SVG or PNG, in the theme of the page, or its numbers as CSV."""
    stem, _, kind = name.partition(".")
    if stem != "chart" or kind not in FILES:
        raise Missing("there is no such file; there are chart.svg, chart.png and chart.csv")
    asked = _ask(request)
    if not asked.answers:
        raise UserError(asked.wrong[0] if asked.wrong else "there is no test to draw")
    shown = [at_least(answer) for answer in asked.answers] if asked.least else asked.answers
    content = _table_file(shown) if kind == "csv" else charts.drawn(charts.odds(shown, request.cookies.get("theme", "light")), kind)
    return Response(content, media_type=FILES[kind], headers={"content-disposition": f'attachment; filename="odds.{kind}"'})


def _table_file(answers: list[dict[str, Any]]) -> bytes:
    """The outcomes and their chances as CSV."""
    chances: dict[str, list[float]] = {}
    for series, answer in enumerate(answers):
        for outcome in answer["outcomes"]:
            row = chances.setdefault(outcome["label"], [0.0] * len(answers))
            row[series] += outcome["weight"] / answer["total"]
    return csv_text(["outcome", *(answer["notation"] for answer in answers)], ([label, *row] for label, row in chances.items())).encode()


MODIFIERS = (-2, -1, 1, 2)


def _what_if(system: System, by: Campaign, texts: list[str], answers: list[dict[str, Any]], least: bool) -> list[tuple[str, float, str]]:
    """The change of the first test's chance with some modifiers: the modifier, the difference, and a link to compare."""
    if not answers or not answers[0]["chance"]:
        return []
    dice, _, threshold = answers[0]["notation"].partition(" vs ")
    result = []
    for modifier in MODIFIERS:
        text = system.compose(dice.strip(), modifier, threshold.strip())
        try:
            changed = bounded_replies.odds(system, by.rules(system), text)
        except UserError:
            continue
        if changed["chance"]:
            difference = changed["chance"]["success"] - answers[0]["chance"]["success"]
            result.append((f"{modifier:+d}".replace("-", "−"), difference, _link(system.id, by, [texts[0], text], least)))
    return result if any(abs(difference) > 1e-9 for _, difference, _ in result) else []


def _odds_campaign(request: WebRequest, system: System, asked: bool) -> Campaign:
    """The options of the URL, if it has some for this game (`of`) or has a test; the visitor's own otherwise."""
    query = request.query_params
    if query.get("of", system.id if asked else "") == system.id:
        return Campaign.of(system, query.get("preset", "")[:MAX_TEXT], parse_settings(query.getall("set", [])[:MAX_SETTINGS]))
    return campaign_of(request, system.id)


def _link(system: str, by: Campaign, texts: list[str], least: bool) -> str:
    shown = [("show", "least")] if least else []
    return f"/odds?{urlencode([('system', system), *by.query(), *(('test', text) for text in texts), *shown])}"
