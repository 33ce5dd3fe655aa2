"""People come to a table: hosting, invitations, seats, and the links that lead to them."""

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.preload import make_ready
from rulewright.rules import SettingValue
from rulewright.system import find
from rulewright.table import limits, links
from rulewright.table.commands.people_and_notes import free_name
from rulewright.table.log import entries as e
from rulewright.table.log.entries import Role
from rulewright.table.open_tables import ATTEMPTS, BUSY, Held, NotHere, is_id, step_aside
from rulewright.table.permissions import Forbidden
from rulewright.table.state import HOST, Table
from rulewright.table.storage.store import Conflict, Link, Writing

NOTICED_SECONDS, MOST_NOTICED = 600.0, 20_000
"""How often it is written down that a device was seen, and of how many that is remembered."""
MOST_SEATS = 30
"""So many of a device's tables are listed."""


class Hosting(Struct, frozen=True):
    """A new table: where it is, as whom its host sits, and its two links, told this once."""

    table: str
    member: str
    gamemaster_link: str
    invitation: str


class Seat(Struct, frozen=True):
    """A device's place at a table."""

    table: str
    member: str
    name: str
    role: Role


class Seating(Held):
    """Who sits where."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._noticed: OrderedDict[tuple[str, str], float] = OrderedDict()

    def host(
        self,
        system: str,
        name: str,
        gamemaster: str,
        device: str,
        *,
        preset: str = "",
        settings: dict[str, SettingValue] | None = None,
        passphrase: str = "",
        demo: str = "",
    ) -> Hosting:
        """Open a table; the device sits as its gamemaster."""
        self.refuse_without_space()
        game = find(system)
        make_ready(game)
        game.book.ruleset(preset or None, settings or {})
        table_id, leading, inviting = links.table_id(), links.token(), links.token()
        hosted = e.Hosted(limits.name(name), game.id, limits.name(gamemaster), preset, settings or {}, demo)
        kept = {
            "gamemaster": Link(links.hashed(leading)),
            "invitation": Link(links.hashed(inviting), links.hashed_passphrase(passphrase) if passphrase else ""),
        }
        lines = self._lines(0, "", HOST, [hosted], None)
        self.store.create(table_id, game.id, Writing(lines, kept, ((links.hashed(device), HOST),)))
        return Hosting(table_id, HOST, leading, inviting)

    def invitation(self, table_id: str, token: str) -> tuple[str, bool]:
        """What somebody who holds an invitation may know before joining: the table's name, and whether a passphrase is asked for."""
        link = self._fitting(table_id, "invitation", token)
        with self.looking(table_id) as table:
            return table.name, bool(link.passphrase)

    def join(self, table_id: str, token: str, name: str, device: str, *, passphrase: str = "", role: Role = "player") -> Seat:
        """Sit down by invitation. A device that sits here already keeps its seat; whoever left comes back to it; whoever was sent away
        needs an invitation that was renewed since."""
        link = self._fitting(table_id, "invitation", token)
        if link.passphrase and not links.passphrase_fits(passphrase, link.passphrase):
            raise Forbidden("the passphrase is not right")
        if role not in ("player", "spectator"):
            raise UserError("one joins as a player or as a spectator")
        hashed = links.hashed(device)

        def joining(table: Table) -> tuple[str, list[e.Change]]:
            sitting = self.store.seat(table_id, hashed)
            known = table.members.get(sitting or "")
            if known is not None and not known.removed:
                return known.id, [] if known.here else [e.CameBack(known.id)]
            if known is not None and not _invited_since(table, known.id):
                raise Forbidden("you were sent away from this table: its gamemaster can renew the invitation and give it to you")
            if sum(member.here for member in table.members.values()) >= limits.MEMBERS:
                raise UserError(f"at most {limits.MEMBERS} people sit at a table")
            fresh = table.fresh_id("m")
            return fresh, [e.Joined(fresh, free_name(table, name), role)]

        return self._sit(table_id, hashed, joining)

    def lead(self, table_id: str, token: str, device: str) -> Seat:
        """Sit down as the gamemaster, by the gamemaster's link; the log says so, unless the device leads already."""
        self._fitting(table_id, "gamemaster", token)
        hashed = links.hashed(device)

        def leading(table: Table) -> tuple[str, list[e.Change]]:
            leads = self.store.seat(table_id, hashed) == table.gamemaster
            return table.gamemaster, [] if leads else [e.SatDown(table.gamemaster, "gamemaster")]

        return self._sit(table_id, hashed, leading)

    def take_seat(self, table_id: str, member_id: str, token: str, device: str) -> Seat:
        """Sit down as a member from another device, by the link to that seat. It can be used once."""
        link = f"seat:{member_id[:30]}"
        self._fitting(table_id, link, token)

        def sitting(table: Table) -> tuple[str, list[e.Change]]:
            member = table.members.get(member_id)
            if member is None or member.removed:
                raise NotHere("this link is not good, or not any more")
            back: list[e.Change] = [] if member.here else [e.CameBack(member.id)]
            return member.id, [*back, e.SatDown(member.id, link), e.LinkRevoked(link)]

        return self._sit(table_id, links.hashed(device), sitting, {link: None})

    def seat(self, table_id: str, device: str | None) -> Seat | None:
        """As whom a device sits at a table; None where it does not, or not any more."""
        if not device:
            return None
        member_id = self.store.seat(table_id, links.hashed(device))
        if member_id is None:
            return None
        with self._held(table_id, fresh=False) as (opened, table):
            member = table.members.get(member_id)
            if member is None or not member.here:
                member = self._caught_up(table_id, opened).members.get(member_id)
            return Seat(table_id, member.id, member.name, member.role) if member is not None and member.here else None

    def noticed(self, table_id: str, device: str, about: str) -> None:
        """Remember now and then that a device is used, and what it says of itself."""
        hashed, now = links.hashed(device), time.monotonic()
        with self._lock:
            last = self._noticed.get((table_id, hashed))
            if last is not None and now - last < NOTICED_SECONDS:
                return
            self._noticed[table_id, hashed] = now
            while len(self._noticed) > MOST_NOTICED:
                self._noticed.popitem(last=False)
        self.store.noticed(table_id, hashed, about)

    def exchange(self, device: str) -> str:
        """A new device in the place of another, at every table: whoever knew the old one knows nothing any more."""
        fresh = links.token()
        self.store.exchange(links.hashed(device), links.hashed(fresh))
        return fresh

    def seats(self, device: str | None) -> list[tuple[Seat, str]]:
        """The tables at which a device sits, the latest first, each with its name."""
        pairs = []
        for table_id, member_id in self.store.seats(links.hashed(device), MOST_SEATS) if device else []:
            with suppress(UserError), self._held(table_id, fresh=False) as (_, table):  # one that cannot be opened hides no other
                member = table.members.get(member_id)
                if member is not None and not member.removed:
                    pairs.append((Seat(table_id, member.id, member.name, member.role), table.name))
        return pairs

    def _fitting(self, table_id: str, name: str, token: str) -> Link:
        """The link, if this is its secret part. Whether the table or the link is missing or wrong is not told apart."""
        kept = self.store.link(table_id, name) if is_id(table_id) else None
        fits = links.fits(token, kept.hash if kept is not None else links.hashed(""))
        if kept is None or not fits:
            raise NotHere("this link is not good, or not any more")
        return kept

    def _sit(
        self,
        table_id: str,
        device: str,
        sitting: "Callable[[Table], tuple[str, list[e.Change]]]",
        new_links: "dict[str, Link | None] | None" = None,
    ) -> Seat:
        for attempt in range(ATTEMPTS):
            with self._held(table_id) as (opened, table):
                member_id, changes = sitting(table)
                if not changes:
                    self.store.sit(table_id, device, member_id)
                else:
                    lines = self._lines(table.seq, table.check, member_id, changes, None)
                    try:
                        self._append(opened, table, Writing(lines, new_links or {}, ((device, member_id),)))
                    except Conflict:
                        step_aside(attempt)
                        continue
                member = table.members[member_id]
                return Seat(table_id, member.id, member.name, member.role)
        raise UserError(BUSY)


def _invited_since(table: Table, member_id: str) -> bool:
    """Whether the invitation was renewed after a member was sent away."""
    for line in reversed(table.lines):
        if isinstance(line.change, e.LinkRenewed) and line.change.link == "invitation":
            return True
        if isinstance(line.change, e.Left) and line.change.member == member_id:
            return False
    return True
