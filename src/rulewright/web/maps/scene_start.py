"""The start of a scene with AI players: it waits until the gamemaster has said who plays whom.

Until then the gamemaster controls everybody without a player, so that nothing moves. What was chosen for them is kept in memory.
"""

from typing import Any

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.table.commands.messages import Action, BeginScene, SetHand
from rulewright.table.commands.scenes import PLAYS
from rulewright.table.state import Table
from rulewright.table.views import SceneShown, TableShown
from rulewright.web.pages.games import MAX_TEXT
from rulewright.web.pages.public import FORM
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.table.seats import seat_of, tables_of

MAX_WAITING = 1_000
"""How many starts are kept in memory; the oldest are dropped, and the gamemaster then controls their unassigned characters."""


class Hand(Struct, frozen=True):
    """A combatant before the start: its side, and who is suggested to control it: `member:<id>`, `tactic:<name>`, or empty for you."""

    who: str
    side: str
    chosen: str
    tactic: str
    """The default tactic."""


def pause(action: Action) -> Action:
    """The action to carry out: a scene with AI players starts under the gamemaster's control."""
    return replace(action, npcs="gamemaster") if isinstance(action, BeginScene) and action.npcs != "gamemaster" else action


def remember(state: Any, table_id: str, action: Action) -> None:
    """Keep who was chosen to control unassigned characters until the gamemaster confirms it."""
    if isinstance(action, BeginScene):
        waiting: dict[str, str] = state.starting
        waiting.pop(table_id, None)
        if action.npcs != "gamemaster":
            waiting[table_id] = action.npcs
        while len(waiting) > MAX_WAITING:
            del waiting[next(iter(waiting))]


def list_hands(state: Any, seen: TableShown, scene: SceneShown | None, table: Table) -> tuple[Hand, ...]:
    """Everybody in a scene that waits for its start; empty if none does."""
    npcs = state.starting.get(seen.id, "")
    if not npcs or scene is None or scene.view is None or scene.result is not None:
        return ()
    stage = table.scene(scene.number)
    default = next(iter(stage.staging.tactics), "")
    members = {hand.who: hand.member for hand in scene.hands}
    hands = []
    for card in scene.view.cards:
        member, tactic = members.get(card.name, ""), stage.tactics.get(card.name, "") or default
        suggested = f"tactic:{npcs if npcs in PLAYS else tactic}" if member in ("", seen.me.id) else f"member:{member}"
        hands.append(Hand(card.name, card.side, suggested, tactic))
    return tuple(hands)


@post("/tables/{table:str}/hands", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def set_hands(request: WebRequest, table: FromPath[str], form: FormFields) -> Redirect:
    """Say who plays whom, and start: `hand.<combatant>` is `member:<id>`, `tactic:<name>`, or empty for the gamemaster."""
    seat, tables = seat_of(request, table), tables_of(request)
    number = str(form.get("scene", ""))
    if not number.isdecimal():
        raise UserError("scene is the number of a scene")
    chosen = [(name.removeprefix("hand."), str(value)) for name, value in form.multi_items() if name.startswith("hand.") and value]
    # Players first: as soon as AI players may act, they do, until a player has to decide.
    for who, value in sorted(chosen, key=lambda pair: pair[1].startswith("tactic:")):
        kind, _, name = value.partition(":")
        hand = SetHand(int(number), who[:MAX_TEXT], **{"member" if kind == "member" else "tactic": name[:MAX_TEXT]})
        tables.act(table, seat.member, hand)
    request.app.state.starting.pop(table, None)
    return Redirect(f"/tables/{table}", status_code=HTTP_303_SEE_OTHER)
