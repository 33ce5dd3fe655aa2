"""The options of a game: presets, optional rules and rulings, chosen by a visitor."""

from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, game
from rulewright.web.pages.public import FORM, campaign_of, ensure_visit, render
from rulewright.web.pages.visitor_rules import BOOK, Campaign, list_presets, list_settings
from rulewright.web.params import FormFields, PathText, WebRequest

PREFIX = "s."
ROUTE = "/options/{system:str}"


@get(ROUTE, sync_to_thread=True, include_in_schema=False)
def options_page(request: WebRequest, system: PathText) -> Template:
    """Show all options of a game with their current values."""
    return _draw(request, game(system), campaign_of(request, system), {})


@post(ROUTE + "/choose", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def choose_options(request: WebRequest, system: PathText, form: FormFields) -> Template | Redirect:
    """Play by a preset, or by the chosen settings."""
    owner = game(system)
    fields = {key: value[:MAX_TEXT] for key, value in form.multi_items() if isinstance(value, str)}
    typed = {key.removeprefix(PREFIX): value for key, value in fields.items() if key.startswith(PREFIX)}
    before = campaign_of(request, system)
    try:
        if "preset" in fields:
            chosen = Campaign.of(owner, fields["preset"], {})
        else:
            chosen = Campaign.of(owner, before.preset, {**dict(before.settings), **typed})
    except UserError as error:
        return _draw(request, owner, before, typed, str(error))
    visit, cookies = ensure_visit(request)
    with visit.changing():
        if chosen == BOOK:
            visit.campaigns.pop(owner.id, None)
        else:
            visit.campaigns[owner.id] = chosen
    return Redirect(f"/options/{owner.id}", status_code=HTTP_303_SEE_OTHER, cookies=cookies)


def _draw(request: WebRequest, owner: System, campaign: Campaign, typed: dict[str, str], wrong: str = "") -> Template:
    known, groups = list_presets(owner, campaign), list_settings(owner, campaign, typed)
    return render(request, "options.html", system=owner, by=campaign, bundles=known, groups=groups, wrong=wrong)
