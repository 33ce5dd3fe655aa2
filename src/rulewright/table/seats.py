"""Seats: hosting, invite links, joining, and signing in on other devices."""

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
from rulewright.table.open_tables import ATTEMPTS, BUSY, Held, NotHere, back_off, is_id
from rulewright.table.permissions import Forbidden
from rulewright.table.state import HOST, Table
from rulewright.table.storage.store import Conflict, Link, Writing

NOTICED_SECONDS, MOST_NOTICED = 600.0, 20_000
"""How often the last use of a device is stored, and for how many devices that time is cached."""
MOST_SEATS = 30
"""How many of a device's tables are listed."""


class Hosting(Struct, frozen=True):
    """A new table: its id, its host's member id, and its two links, shown once."""

    table: str
    member: str
    gamemaster_link: str
    invitation: str


class Seat(Struct, frozen=True):
    """A device's seat at a table."""

    table: str
    member: str
    name: str
    role: Role


class Seating(Held):
    """Tables with members and devices."""

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
        """Opens a table; the device becomes its gamemaster."""
        self.refuse_without_space()
        game = find(system)
        make_ready(game)
        game.book.ruleset(preset or None, settings or {})
        table_id, gamemaster_token, invite_token = links.table_id(), links.token(), links.token()
        hosted = e.Hosted(limits.name(name), game.id, limits.name(gamemaster), preset, settings or {}, demo)
        stored = {
            "gamemaster": Link(links.hashed(gamemaster_token)),
            "invitation": Link(links.hashed(invite_token), links.hashed_passphrase(passphrase) if passphrase else ""),
        }
        lines = self._lines(0, "", HOST, [hosted], None)
        self.store.create(table_id, game.id, Writing(lines, stored, ((links.hashed(device), HOST),)))
        return Hosting(table_id, HOST, gamemaster_token, invite_token)

    def invitation(self, table_id: str, token: str) -> tuple[str, bool]:
        """Returns what the holder of an invite link may know before joining: the table's name, and whether a passphrase is needed."""
        link = self._valid_link(table_id, "invitation", token)
        with self.looking(table_id) as table:
            return table.name, bool(link.passphrase)

    def join(self, table_id: str, token: str, name: str, device: str, *, passphrase: str = "", role: Role = "player") -> Seat:
        """Joins with an invite link.

        A device with a seat keeps it, and a member who left returns to it. A removed member needs an invite link renewed since.
        """
        link = self._valid_link(table_id, "invitation", token)
        if link.passphrase and not links.passphrase_fits(passphrase, link.passphrase):
            raise Forbidden("the passphrase is wrong")
        if role not in ("player", "spectator"):
            raise UserError(f"you can join as player or spectator, not as {role}")
        hashed = links.hashed(device)

        def join_table(table: Table) -> tuple[str, list[e.Change]]:
            member_id = self.store.seat(table_id, hashed)
            known = table.members.get(member_id or "")
            if known is not None and not known.removed:
                return known.id, [] if known.here else [e.CameBack(known.id)]
            if known is not None and not _invited_since(table, known.id):
                raise Forbidden("you were removed from this table; ask its gamemaster for a new invite link")
            return _joining(table, name, role)

        return self._sit(table_id, hashed, join_table)

    def join_as_program(self, table_id: str, name: str, device: str) -> Seat:
        """Joins a program of the gamemaster as a spectator, without an invite link."""
        return self._sit(table_id, links.hashed(device), lambda table: _joining(table, name, "spectator"))

    def lead(self, table_id: str, token: str, device: str) -> Seat:
        """Signs in as the gamemaster with the gamemaster link. It is logged, unless the device is the gamemaster's already."""
        self._valid_link(table_id, "gamemaster", token)
        hashed = links.hashed(device)

        def sign_in(table: Table) -> tuple[str, list[e.Change]]:
            is_signed_in = self.store.seat(table_id, hashed) == table.gamemaster
            return table.gamemaster, [] if is_signed_in else [e.SatDown(table.gamemaster, "gamemaster")]

        return self._sit(table_id, hashed, sign_in)

    def take_seat(self, table_id: str, member_id: str, token: str, device: str) -> Seat:
        """Signs in as a member on another device, with the link to that seat. The link works once."""
        link = f"seat:{member_id[:30]}"
        self._valid_link(table_id, link, token)

        def sign_in(table: Table) -> tuple[str, list[e.Change]]:
            member = table.members.get(member_id)
            if member is None or member.removed:
                raise NotHere("this link is not valid, or no longer valid")
            back: list[e.Change] = [] if member.here else [e.CameBack(member.id)]
            return member.id, [*back, e.SatDown(member.id, link), e.LinkRevoked(link)]

        return self._sit(table_id, links.hashed(device), sign_in, {link: None})

    def seat(self, table_id: str, device: str | None) -> Seat | None:
        """A device's seat at a table; None if it has none."""
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
        """Stores from time to time when a device was last used, and its description."""
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
        """Replaces a device's token at all tables, so that the old one is worthless."""
        fresh = links.token()
        self.store.exchange(links.hashed(device), links.hashed(fresh))
        return fresh

    def seats(self, device: str | None) -> list[tuple[Seat, str]]:
        """The tables where a device has a seat, latest first, each with its name."""
        seats = []
        for table_id, member_id in self.store.seats(links.hashed(device), MOST_SEATS) if device else []:
            with (
                suppress(UserError),
                self._held(table_id, fresh=False) as (_, table),
            ):  # a table that cannot be opened does not hide the others
                member = table.members.get(member_id)
                if member is not None and not member.removed:
                    seats.append((Seat(table_id, member.id, member.name, member.role), table.name))
        return seats

    def _valid_link(self, table_id: str, name: str, token: str) -> Link:
        """The link, if the token is right. The error is the same for a missing table, a missing link and a wrong token."""
        kept = self.store.link(table_id, name) if is_id(table_id) else None
        fits = links.fits(token, kept.hash if kept is not None else links.hashed(""))
        if kept is None or not fits:
            raise NotHere("this link is not valid, or no longer valid")
        return kept

    def _sit(
        self,
        table_id: str,
        device: str,
        sit_down: "Callable[[Table], tuple[str, list[e.Change]]]",
        new_links: "dict[str, Link | None] | None" = None,
    ) -> Seat:
        for attempt in range(ATTEMPTS):
            with self._held(table_id) as (opened, table):
                member_id, changes = sit_down(table)
                if not changes:
                    self.store.sit(table_id, device, member_id)
                else:
                    lines = self._lines(table.seq, table.check, member_id, changes, None)
                    try:
                        self._append(opened, table, Writing(lines, new_links or {}, ((device, member_id),)))
                    except Conflict:
                        back_off(attempt)
                        continue
                member = table.members[member_id]
                return Seat(table_id, member.id, member.name, member.role)
        raise UserError(BUSY)


def _joining(table: Table, name: str, role: Role) -> tuple[str, list[e.Change]]:
    """The id of a new member, and the entry of joining."""
    if sum(member.here for member in table.members.values()) >= limits.MEMBERS:
        raise UserError(f"this table is full: it has {limits.MEMBERS} members already")
    fresh = table.fresh_id("m")
    return fresh, [e.Joined(fresh, free_name(table, name), role)]


def _invited_since(table: Table, member_id: str) -> bool:
    """Whether the invite link was renewed after a member was removed."""
    for line in reversed(table.lines):
        if isinstance(line.change, e.LinkRenewed) and line.change.link == "invitation":
            return True
        if isinstance(line.change, e.Left) and line.change.member == member_id:
            return False
    return True
