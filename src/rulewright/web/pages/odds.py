"""The odds page: up to four tests of a game side by side. It opens with an example."""

from urllib.parse import urlencode

from litestar import get
from litestar.response import Template

from rulewright.errors import UserError
from rulewright.show.replies import MOST_COMPARED, average
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, examples, game, games, parse_settings
from rulewright.web.pages.public import campaign_of, render
from rulewright.web.pages.visitor_rules import Campaign
from rulewright.web.params import WebRequest
from rulewright.web.server import bounded_replies
from rulewright.web.sheets import odds_bars

MAX_SETTINGS = 200


@get("/odds", sync_to_thread=True, include_in_schema=False)
def odds_page(request: WebRequest) -> Template:
    """Compare up to four tests. The URL holds everything, including the options."""
    chosen = request.query_params.get("system") or games()[0].id
    system = game(chosen)
    texts = [text.strip() for text in request.query_params.getall("test", []) if text.strip()][:MOST_COMPARED]
    by = _odds_campaign(request, system, bool(texts))
    rules = by.rules(system)
    answers, wrong = [], []
    for text in texts:
        try:
            answers.append(bounded_replies.odds(system, rules, text))
            wrong.append("")
        except UserError as refused:
            wrong.append(str(refused))
    asked = list(zip(texts, wrong, strict=True))
    least = request.query_params.get("show") == "least"
    return render(
        request,
        "odds.html",
        system=system,
        by=by,
        asked=asked,
        without=[_link(system.id, by, texts[:at] + texts[at + 1 :], least) for at in range(len(texts))],
        free=len(texts) < MOST_COMPARED,
        found=answers,
        shares=[odds_bars.build_shares(answer) for answer in answers],
        chart=odds_bars.build_chart(answers, least) if answers else None,
        table=odds_bars.build_table(answers, least),
        least=least,
        averages=[average(answer) for answer in answers],
        examples=[(text, _link(system.id, by, [*texts, text], least)) for text in examples(system.id) if text not in texts],
        link=_link(system.id, by, texts, least),
        other=_link(system.id, by, texts, not least),
    )


def _odds_campaign(request: WebRequest, system: System, asked: bool) -> Campaign:
    """The options of the URL, if it has some for this game (`of`) or has a test; the visitor's own otherwise."""
    query = request.query_params
    if query.get("of", system.id if asked else "") == system.id:
        return Campaign.of(system, query.get("preset", "")[:MAX_TEXT], parse_settings(query.getall("set", [])[:MAX_SETTINGS]))
    return campaign_of(request, system.id)


def _link(system: str, by: Campaign, texts: list[str], least: bool) -> str:
    shown = [("show", "least")] if least else []
    return f"/odds?{urlencode([('system', system), *by.query(), *(('test', text) for text in texts), *shown])}"
