"""Table pages: hosting, joining, the live page, members, notes and house rules."""

import re
from contextlib import suppress
from typing import Any, Literal

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, ServerSentEvent, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.system import System
from rulewright.table.commands.card_edits import touches
from rulewright.table.commands.messages import Action, ChangeHouse
from rulewright.table.commands.scenes import PLAYS
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from rulewright.table.seats import Seat
from rulewright.table.service import Acted
from rulewright.table.storage import migrate_full
from rulewright.table.storage.store import now
from rulewright.table.views import LogShown, SceneShown, TableShown
from rulewright.web.adventures.story_page import story_context
from rulewright.web.campaign.digest import digest_details
from rulewright.web.maps import map_editor, scene_start, scene_summary
from rulewright.web.pages import import_character
from rulewright.web.pages.games import MAX_TEXT, examples, game, games, ready_made, rulebook
from rulewright.web.pages.import_character import BRING
from rulewright.web.pages.public import FORM, campaign_of, is_partial_request, render
from rulewright.web.pages.visitor_rules import Campaign, format_setting, list_presets, list_settings
from rulewright.web.params import FormFields, WebRequest, parse_question
from rulewright.web.server.addresses import TableLink
from rulewright.web.server.security import time_limit
from rulewright.web.table import ai_players, board, log_lines, questions
from rulewright.web.table import live_updates as live
from rulewright.web.table.action_forms import ChatContext, field, parse_action
from rulewright.web.table.seats import device_of, identify_device, open_listener, rotate_device, seat_of, tables_of

ROUTE = "/tables/{table:str}"
HOST_FIELDS = ("name", "gamemaster", "preset", "passphrase", BRING)
"""The fields of the form for hosting."""
LINES = 50
SUMMARY_LINES = 400
"""How much of the log the summary of a scene reads."""


# --- hosting and joining ------------------------------------------------------------------------------------------------------


@post("/demo/{system:str}", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def play_demo(request: WebRequest, system: FromPath[str], form: FormFields) -> Redirect:
    """Open a new table with a ready-made fight that has started; with `role=player`, in a player's seat."""
    device, cookies = identify_device(request)
    demos.scenarios(game(system).id)  # load all games before the time limit starts
    role: Literal["gamemaster", "player"] = "player" if field(form, "role") == "player" else "gamemaster"
    with time_limit():
        made = demos.demonstrate(tables_of(request), system, device, field(form, "scenario")[:MAX_TEXT], role=role)
    return Redirect(f"/tables/{made.table}", status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


def _host_page(request: WebRequest, system: System, typed: dict[str, str], wrong: str = "") -> Template:
    """The page for hosting a table, with the fields as typed and an error."""
    along = import_character.brought_name(request, system.id, typed[BRING])
    known = list_presets(system, Campaign(typed["preset"] or None))
    return render(request, "host.html", chosen=system, wrong=wrong, typed=typed, along=along, bundles=known)


@get("/host", sync_to_thread=True, include_in_schema=False)
def host_page(request: WebRequest) -> Template:
    """Show the page for hosting a table."""
    named, place = request.query_params.get("system", ""), request.query_params.get(BRING, "")[:MAX_TEXT]
    chosen = game(named) if named else games()[0]
    typed = {**dict.fromkeys(HOST_FIELDS, ""), BRING: place, "preset": campaign_of(request, chosen.id).preset or ""}
    return _host_page(request, chosen, typed)


@post("/host/open", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def host(request: WebRequest, form: FormFields) -> Template:
    """Host a table, and show its links this once."""
    system = game(field(form, "system")[:MAX_TEXT])
    typed = {name: field(form, name)[:MAX_TEXT] for name in HOST_FIELDS}
    device, cookies = identify_device(request)
    try:
        made = tables_of(request).host(
            system.id,
            typed["name"] or f"{system.name} table",
            typed["gamemaster"],
            device,
            preset=typed["preset"],
            passphrase=typed["passphrase"],
        )
    except UserError as error:
        return _host_page(request, system, typed, str(error))
    along = ""
    with suppress(UserError):
        if typed[BRING]:
            import_character.add_character(
                request, Seat(made.table, made.member, typed["gamemaster"], "gamemaster"), system.id, typed[BRING]
            )
            along = import_character.brought_name(request, system.id, typed[BRING])
    invite_link = TableLink(request, f"/tables/{made.table}/join/{made.invitation}")
    gamemaster_link = TableLink(request, f"/tables/{made.table}/lead/{made.gamemaster_link}")
    cookies = rotate_device(request, device, cookies)
    context = {"table": made.table, "inviting": invite_link, "leading": gamemaster_link, "system": system, "along": along}
    return render(request, "hosted.html", HTTP_200_OK, cookies, **context)


@get(ROUTE + "/join/{token:str}", sync_to_thread=True, include_in_schema=False)
def join_page(request: WebRequest, table: FromPath[str], token: FromPath[str]) -> Template | Redirect:
    """Show an invite link's page; members go straight to the table."""
    tables = tables_of(request)
    name, passphrase = tables.invitation(table, token)
    if tables.seat(table, device_of(request)) is not None:
        return Redirect(f"/tables/{table}", status_code=HTTP_303_SEE_OTHER)
    return _join_page(request, table, token, (name, passphrase), request.query_params.get(BRING, ""))


def _system_of(request: WebRequest, table_id: str) -> str:
    with tables_of(request).looking(table_id) as table:
        return table.system.id


def _join_page(
    request: WebRequest, table: str, token: str, told: tuple[str, bool], bring: str, wrong: str = "", typed: str = ""
) -> Template:
    along = import_character.brought_name(request, _system_of(request, table), bring[:MAX_TEXT])
    return render(
        request,
        "join.html",
        invited_to=told[0],
        passphrase=told[1],
        wrong=wrong,
        typed=typed,
        where=f"/tables/{table}/join/{token}",
        along=along,
        bring=bring[:MAX_TEXT],
    )


@post(ROUTE + "/join/{token:str}/sit", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def join(request: WebRequest, table: FromPath[str], token: FromPath[str], form: FormFields) -> Template | Redirect:
    """Join a table."""
    tables = tables_of(request)
    name, passphrase = tables.invitation(table, token)
    typed = field(form, "name")[:MAX_TEXT]
    device, cookies = identify_device(request)
    role: Any = "spectator" if field(form, "role") == "spectator" else "player"
    bring = field(form, BRING)[:MAX_TEXT]
    try:
        seat = tables.join(table, token, typed, device, passphrase=field(form, "passphrase")[:MAX_TEXT], role=role)
    except UserError as error:
        return _join_page(request, table, token, (name, passphrase), bring, str(error), typed)
    where = import_character.add_and_redirect(request, seat, _system_of(request, table), bring)
    return Redirect(where, status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


@get(ROUTE + "/lead/{token:str}", sync_to_thread=True, include_in_schema=False)
def lead_page(request: WebRequest, table: FromPath[str], token: FromPath[str]) -> Template:
    """Show the page of the gamemaster's link. A button joins, so that a browser's prefetch does not."""
    return render(request, "lead.html", where=request.url.path)


@get(ROUTE + "/seat/{member:str}/{token:str}", sync_to_thread=True, include_in_schema=False)
def seat_page(request: WebRequest, table: FromPath[str], member: FromPath[str], token: FromPath[str]) -> Template:
    """Show the page of the link to a seat, likewise with a button."""
    return render(request, "lead.html", where=request.url.path)


@post(ROUTE + "/lead/{token:str}/sit", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def lead(request: WebRequest, table: FromPath[str], token: FromPath[str]) -> Redirect:
    """Join as the gamemaster."""
    device, cookies = identify_device(request)
    tables_of(request).lead(table, token, device)
    return Redirect(f"/tables/{table}", status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


@post(ROUTE + "/seat/{member:str}/{token:str}/sit", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def take_seat(request: WebRequest, table: FromPath[str], member: FromPath[str], token: FromPath[str]) -> Redirect:
    """Take your seat on another device."""
    device, cookies = identify_device(request)
    tables_of(request).take_seat(table, member, token, device)
    return Redirect(f"/tables/{table}", status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


# --- the live page ------------------------------------------------------------------------------------------------------------


class TablePage:
    """A table as the member of a request sees it."""

    def __init__(self, request: WebRequest, table: str) -> None:
        self.request = request
        self.tables = tables_of(request)
        self.seat: Seat = seat_of(request, table)
        self.seen: TableShown = self.tables.view(table, self.seat.member)
        self.system: System = game(self.seen.system)
        self.leads = self.seen.me.role == "gamemaster"
        self.url = f"/tables/{table}"

    def scene(self) -> SceneShown | None:
        """The scene to show: the one named in the URL, or the latest."""
        wanted = self.request.query_params.get("scene", "")
        for scene in self.seen.scenes:
            if str(scene.number) == wanted:
                return scene
        return self.seen.scenes[-1] if self.seen.scenes else None

    def show(self, name: str, **more: Any) -> Template:
        """Render a page of the table."""
        context = {"room": self, "seen": self.seen, "system": self.system, "url": self.url, "leads": self.leads}
        return render(self.request, name, **{**context, "faces": log_lines.present_members(self.seen.members), **more})

    def live(self, name: str) -> Template:
        """Render the live page, or the part of it that changes."""
        with self.tables.looking(self.seen.id):  # open the table once for all of it
            return self._live(name)

    def _live(self, name: str) -> Template:
        scene = self.scene()
        before = self.request.query_params.get("before", "")[:16]
        has = (self.request.headers.get("x-ground") or "")[:16]  # the mark of the terrain that the browser has drawn already
        shown_map = board.board(self.seen, scene)
        lines = self.tables.log(self.seen.id, self.seat.member, before=before, most=LINES + 1)
        fighters = board.fighters(self.seen, scene) if scene is not None else ()
        return self.show(
            name,
            scene=scene,
            board=shown_map,
            ground_kept=shown_map is not None and shown_map.drawn is not None and has == shown_map.drawn.mark,
            fighters=fighters,
            ending=scene_summary.summarize(scene, fighters, self._scene_log(scene)),
            party=self._party() if scene is None else (),
            turns=board.turn_order(scene),
            asked=questions.find_prompt(self.seen, scene, lines) if scene is not None and not before else None,
            banner=questions.banner(lines, scene) if not before else None,
            waits=questions.list_waiting(self.seen, scene) if scene is not None else [],
            **self._start_of(scene),
            moment=questions.find_moment(lines, scene) if scene is not None and not before else self.seen.mark,
            log=log_lines.entries(lines[-LINES:]) if name != "table_body.html" else [],
            look=self.tables.look(self.seen.id, self.seat.member),
            earlier=lines[-LINES].mark if len(lines) > LINES else "",
            before=before,
            passed=digest_details(self.tables, self.seen) if scene is None else [],
            scenarios=demos.scenarios(self.system.id) if self.leads else {},
            tactics=self._tactics(scene) if self.leads else [],
            easel=map_editor.edit_scene_map(self.tables, self.seen.id, scene.number)
            if self.leads and scene is not None and scene.view
            else None,
            examples=examples(self.system.id),
            **story_context(self.seen, scene, lines),
        )

    def _start_of(self, scene: SceneShown | None) -> dict[str, Any]:
        """Who is to play whom in a scene that waits for its start, and the AI player that is thinking."""
        with self.tables.looking(self.seen.id) as table:
            hands = scene_start.list_hands(self.request.app.state, self.seen, scene, table) if self.leads else ()
            return {"starting": hands, "thinking": questions.find_thinker(scene, table) if scene is not None else ""}

    def _party(self) -> tuple[scene_summary.PartyMember, ...]:
        with self.tables.looking(self.seen.id) as table:
            return scene_summary.list_party(self.seen, table)

    def _scene_log(self, scene: SceneShown | None) -> list[LogShown]:
        """The log of a decided scene, for its summary."""
        if scene is None or scene.result is None:
            return []
        return self.tables.log(self.seen.id, self.seat.member, most=SUMMARY_LINES)

    def _tactics(self, scene: SceneShown | None) -> list[str]:
        """The tactics for the kind of scene."""
        if scene is None:
            return []
        with self.tables.looking(self.seen.id) as table:
            return [*PLAYS, *table.scene(scene.number).staging.tactics]


def require_gamemaster(request: WebRequest, table: str, does: str) -> TablePage:
    """The table for its gamemaster; refuses other members. `does` completes "only the gamemaster"."""
    page = TablePage(request, table)
    if not page.leads:
        raise Forbidden(f"only the gamemaster {does}")
    return page


@get(ROUTE, sync_to_thread=True, include_in_schema=False)
def table_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the live table."""
    return TablePage(request, table).live("table.html")


@get(ROUTE + "/body", sync_to_thread=True, include_in_schema=False)
def table_body(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the changing parts of the live table; without the log for a page that gets it from the stream."""
    return TablePage(request, table).live("table_body.html" if request.headers.get("x-log") == "kept" else "table_pieces.html")


@get(ROUTE + "/chances", sync_to_thread=True, include_in_schema=False)
def chances(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the chances of each option of a question."""
    seat = seat_of(request, table)
    weighed = tables_of(request).chances(table, seat.member, *parse_question(request))
    return render(request, "chances.html", prospects=questions.prospects(weighed))


@get(ROUTE + "/hints", sync_to_thread=True, include_in_schema=False)
def hints(request: WebRequest, table: FromPath[str]) -> Template:
    """Show hints: how good each option of a question is, for a member who may answer it."""
    seat = seat_of(request, table)
    waiting = tables_of(request).for_a_hint(table, seat.member, *parse_question(request), ai_players.HINT)
    return render(request, "hints.html", thought=ai_players.hint(waiting) if waiting is not None else None)


@get(ROUTE + "/think", sync_to_thread=True, include_in_schema=False)
def think(request: WebRequest, table: FromPath[str]) -> dict[str, int]:
    """Run the AI players of a table; only for requests of the server itself."""
    tables = tables_of(request)
    if request.query_params.get("token", "") != ai_players.token(tables, table):
        raise Forbidden(ai_players.SERVER_ONLY)
    return {"answered": ai_players.think(tables, table)}


@get(ROUTE + "/touches", sync_to_thread=True, include_in_schema=False)
def card_touches_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show what the gamemaster can edit on a card."""
    page = TablePage(request, table)
    scene = page.scene()
    if not page.leads or scene is None:
        raise UserError("only the gamemaster edits values, and only in a scene")
    who = request.query_params.get("who", "")[:MAX_TEXT]
    with page.tables.looking(page.seen.id) as opened:
        card_touches = touches(opened.scene(scene.number), who)
    return page.show("touches.html", scene=scene, who=who, touches=card_touches)


@get(ROUTE + "/asked", sync_to_thread=True, include_in_schema=False)
def current_question(request: WebRequest, table: FromPath[str]) -> dict[str, str]:
    """The question that the member is asked, in a few words; empty if there is none."""
    seen = TablePage(request, table).seen
    for scene in reversed(seen.scenes):
        prompt = questions.find_prompt(seen, scene, ())
        if prompt is not None and prompt.mine:
            return {"asked": f"{prompt.question.who}: {prompt.question.ask_for or 'roll'}"}
    return {"asked": ""}


@get(ROUTE + "/live", include_in_schema=False)
async def listen(request: WebRequest, table: FromPath[str]) -> ServerSentEvent:
    """Stream an event for every change with the new log entries; the page requests the rest if more changed."""
    mark = (request.headers.get("last-event-id") or request.query_params.get("after") or "")[:16]
    return ServerSentEvent(live.stream_events(request.app.state.live, await open_listener(request, table, mark, page=True), lines=False))


@post(ROUTE + "/act", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def act(request: WebRequest, table: FromPath[str], form: FormFields) -> Template | Redirect | Response[dict[str, str]]:
    """Carry out an action. It is saved before this responds. A page gets JSON, a browser without scripts a redirect."""
    seat, action = seat_of(request, table), _read_action(request, table, form)
    acted = tables_of(request).act(table, seat.member, scene_start.pause(action), field(form, "key")[:80], device_of(request))
    scene_start.remember(request.app.state, table, action)
    if is_partial_request(request):
        return Response({"made": acted.made})
    back = field(form, "back")
    if acted.secret or field(form, "do") == "renew link":
        return _people_page(request, table, field(form, "link"), acted)
    if field(form, "do") == "leave":
        return Redirect("/", status_code=HTTP_303_SEE_OTHER)
    if field(form, "do") == "add character" and acted.made:
        return Redirect(f"/tables/{table}/characters/{acted.made}", status_code=HTTP_303_SEE_OTHER)
    known = ("people", "notes", "options", "scene", "maps", "time", f"plan/{field(form, 'character')}")
    place = back if back in known and re.fullmatch(r"[\w/]+", back) else ""
    return Redirect(f"/tables/{table}/{place}".rstrip("/"), status_code=HTTP_303_SEE_OTHER)


def _read_action(request: WebRequest, table: str, form: FormFields) -> Action:
    """The action of a form; chat gets an example test and the members for its error messages."""
    if field(form, "do") != "say":
        return parse_action(form)
    seen = TablePage(request, table).seen
    people = {member.name: member.id for member in seen.members if member.here and not member.me}
    return parse_action(form, ChatContext(next(iter(examples(seen.system)), ""), people))


# --- members, notes, house rules, a new scene ---------------------------------------------------------------------------------


@get(ROUTE + "/people", sync_to_thread=True, include_in_schema=False)
def people_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the members, the characters and the links."""
    return _people_page(request, table)


def _people_page(request: WebRequest, table: str, renewed: str = "", acted: Acted | None = None) -> Template:
    page = TablePage(request, table)
    kinds = {kind: page.system.archetypes(kind) for kind in page.system.kinds}
    link: TableLink | None = None
    if acted is not None and acted.secret:
        kind = {"invitation": "join", "gamemaster": "lead"}.get(renewed, f"seat/{renewed.partition(':')[2]}")
        link = TableLink(request, f"/tables/{table}/{kind}/{acted.secret}")
    return page.show(
        "people.html",
        kinds=kinds,
        ready=list(ready_made(page.system.id).values()),
        own=import_character.list_own_characters(request, page.system.id),
        links=page.tables.store.links(table) if page.leads else {},
        names={member.id: member.name for member in page.seen.members},
        link=link,
        renewed=renewed,
        devices=[(device, _ago(device.seen)) for device in page.tables.devices(table, page.seat.member, device_of(request))],
    )


def _ago(at: int) -> str:
    """How long ago something was, roughly."""
    minutes = max(0, (now() - at) // 60_000_000)
    if minutes < 15:
        return "just now"
    hours, days = minutes // 60, minutes // 1440
    return f"{minutes} minutes ago" if hours < 2 else f"{hours} hours ago" if days < 2 else f"{days} days ago"


@post(ROUTE + "/go-on", sync_to_thread=True, include_in_schema=False, status_code=HTTP_200_OK)
def go_on_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Continue a full table in a new one, and show its links this once."""
    seat = seat_of(request, table)
    made = migrate_full.go_on(tables_of(request), table, seat.member)
    invite_link = TableLink(request, f"/tables/{made.table}/join/{made.invitation}")
    gamemaster_link = TableLink(request, f"/tables/{made.table}/lead/{made.gamemaster_link}")
    system = game(_system_of(request, made.table))
    context = {"table": made.table, "inviting": invite_link, "leading": gamemaster_link, "system": system, "along": ""}
    return render(request, "hosted.html", HTTP_200_OK, None, **context)


def _house_campaign(page: TablePage) -> Campaign:
    house = page.seen.house
    return Campaign.of(page.system, house.preset, {name: format_setting(value) for name, value in house.settings.items()})


@get(ROUTE + "/options", sync_to_thread=True, include_in_schema=False)
def house_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the house rules of the table."""
    return house_rules_page(TablePage(request, table), {})


def house_rules_page(page: TablePage, typed: dict[str, str], wrong: str = "") -> Template:
    """The page of the house rules; with an error and the fields as typed."""
    campaign = _house_campaign(page)
    return page.show(
        "options.html",
        by=campaign,
        bundles=list_presets(page.system, campaign),
        groups=list_settings(page.system, campaign, typed),
        wrong=wrong,
        where=f"{page.url}/options",
        about="These options apply to new scenes, to sheets and to tests of this table." if page.leads else "",
        may_choose=page.leads,
        own_rows=_changed_rows(page),
    )


def _changed_rows(page: TablePage) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The table rows that this table changed: the rule's id, its title, and each row with its values."""
    known = rulebook(page.system.id)
    entries = []
    for rule, rows in page.seen.house.tables.items():
        changed_rows = [
            (key, "removed" if row is None else ", ".join(f"{name} {value}" for name, value in row.items())) for key, row in rows.items()
        ]
        entries.append((rule, known[rule].title if rule in known else rule, changed_rows))
    return entries


@post(ROUTE + "/options/choose", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def choose_house(request: WebRequest, table: FromPath[str], form: FormFields) -> Template | Redirect:
    """Play by a preset, or by the chosen settings."""
    page = TablePage(request, table)
    fields = {key: value[:MAX_TEXT] for key, value in form.multi_items() if isinstance(value, str)}
    typed = {key.removeprefix("s."): value for key, value in fields.items() if key.startswith("s.")}
    before = _house_campaign(page)
    try:
        if "preset" in fields:
            chosen = Campaign.of(page.system, fields["preset"], {})
        else:
            chosen = Campaign.of(page.system, before.preset, {**dict(before.settings), **typed})
        settings = chosen.rules(page.system).settings
        kept = {name: settings[name] for name, _ in chosen.settings}
        page.tables.act(table, page.seat.member, ChangeHouse(chosen.preset or "", kept, page.seen.house.tables))
    except UserError as error:
        return house_rules_page(page, typed, str(error))
    return Redirect(f"{page.url}/options", status_code=HTTP_303_SEE_OTHER)
