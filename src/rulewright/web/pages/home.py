"""The front page: what this is, three ways in, the tables that this browser knows, and the games."""

from contextlib import suppress
from datetime import UTC, datetime
from threading import Lock

from litestar import get
from litestar.response import Template
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.scenes.scenarios import Scenario
from rulewright.system import System
from rulewright.table import permissions
from rulewright.table.scenes import demos
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.seats import Seat
from rulewright.table.state import Member, Table
from rulewright.web.adventures.cards import all_shipped
from rulewright.web.pages.games import ReadyMade, games, ready_made, rulebook
from rulewright.web.pages.public import render
from rulewright.web.params import WebRequest
from rulewright.web.table.seats import device_of, tables_of

MAX_CARDS = 3
"""How many tables the front page shows before "all tables"."""
MAX_LOOKED_INTO = 12
"""How many tables are searched for an open question; to open a long table takes a while."""
FIRST_GAME = "scumm"
"""The game of the large demo button: its fights are the shortest."""


class TableCard(Struct, frozen=True):
    """A table that this browser has a seat at."""

    url: str
    name: str
    game: str
    role: str
    me: str
    demo: bool
    asked: str = ""
    """The combatant of this member who is asked, if any."""
    scene: str = ""
    """The scene in progress."""
    players: int = 0
    at: int = 0
    """The time of the last line, in microseconds since 1970."""

    @property
    def days(self) -> int:
        """Days since the last line."""
        return (datetime.now(UTC).date() - self._date().date()).days

    @property
    def date(self) -> str:
        """The day of the last line."""
        return f"{self._date():%d %B}".lstrip("0")

    def _date(self) -> datetime:
        return datetime.fromtimestamp(self.at / 1e6, UTC)


class Tile(Struct, frozen=True):
    """A game on the front page, with its first demo."""

    system: System
    demos: dict[str, Scenario]
    rules: int

    @property
    def demo(self) -> tuple[str, Scenario] | None:
        """The first demo."""
        return next(iter(self.demos.items()), None)


@get("/", sync_to_thread=True, include_in_schema=False)
def home(request: WebRequest) -> Template:
    """Show the front page."""
    tiles = list_tiles()
    cards = list_cards(request)
    shown = cards if request.query_params.get("tables") == "all" else cards[:MAX_CARDS]
    main = next((tile for tile in tiles if tile.system.id == FIRST_GAME and tile.demos), None) or next((t for t in tiles if t.demos), None)
    adventures = all_shipped()
    return render(request, "home.html", adventures=adventures, tiles=tiles, cards=shown, number_of_tables=len(cards), main=main)


@get("/games", sync_to_thread=True, include_in_schema=False)
def games_page(request: WebRequest) -> Template:
    """Compare the games."""
    counts = {system.id: (len(ready), rules) for system, ready, rules in load_all_games()}
    return render(request, "games.html", tiles=list_tiles(), counts=counts)


_LOADING = Lock()


def load_all_games() -> list[tuple[System, list[ReadyMade], int]]:
    """All games with their ready-made characters and the number of their rules.

    Requests during the first load, which takes seconds, wait for it instead of loading again.
    """
    with _LOADING:
        return [(system, list(ready_made(system.id).values()), len(rulebook(system.id))) for system in games()]


def list_tiles() -> list[Tile]:
    """The games with their demos."""
    return [Tile(system, demos.scenarios(system.id) if system.fights else {}, rules) for system, _, rules in load_all_games()]


def list_cards(request: WebRequest) -> list[TableCard]:
    """The tables of this browser: those that ask something first, then the latest."""
    tables = tables_of(request)
    cards = []
    for place, (seat, _) in enumerate(tables.seats(device_of(request))):
        with suppress(UserError), tables.looking(seat.table) as table:
            cards.append(_card(table, seat, place < MAX_LOOKED_INTO))
    return sorted(cards, key=lambda card: (not card.asked, -card.at))


def _card(table: Table, seat: Seat, look_inside: bool) -> TableCard:
    stage = next(iter(table.open_scenes()), None)
    member = table.members[seat.member]
    players = sum(other.here and other.role == "player" for other in table.members.values())
    asked = _asked(table, stage, member) if stage is not None and look_inside else ""
    scene = stage.name if stage is not None else ""
    url, game, at = f"/tables/{seat.table}", table.system.name, table.lines[-1].at
    return TableCard(url, table.name, game, seat.role, seat.name, bool(table.demo), asked, scene, players, at)


def _asked(table: Table, stage: Stage, member: Member) -> str:
    """The combatant for whom this member must answer a question."""
    if stage.trouble():
        return ""
    for question in stage.questions():
        if question.who and table.decides(stage, question.who) == member.id and permissions.can_answer(table, stage, member, question):
            return question.who
    return ""
