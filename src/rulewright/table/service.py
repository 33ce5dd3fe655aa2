"""`Tables`: the service behind pages and programs. Hosting, joining, acting, viewing and listening.

All methods can be called from any thread and from several server processes on one database. A method that changes something returns after
the change is on disk. The message of a `UserError` (also `Forbidden` and `NotHere`) is one sentence for the person who asked.
"""

from collections.abc import Callable, Collection
from typing import Any

from msgspec import Struct

from rulewright.build.audit import Audit
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.play import Choice, Given
from rulewright.rules import Ruleset
from rulewright.scenes import chances, estimates
from rulewright.scenes.chances import Weighed
from rulewright.scenes.record import Redone, Undone
from rulewright.system import System
from rulewright.table import limits, links, permissions, views
from rulewright.table.commands.dispatch import do
from rulewright.table.commands.handlers import Context, Done
from rulewright.table.commands.messages import Action
from rulewright.table.commands.scenes import tactic_of, take_ai_answer
from rulewright.table.log import entries as e
from rulewright.table.log import text
from rulewright.table.log.lines import CHANGES_THE_PAST, Line
from rulewright.table.open_tables import ATTEMPTS, BUSY, NotHere, Open, back_off
from rulewright.table.permissions import Forbidden, check_role
from rulewright.table.picture_rights import refuse_unseen
from rulewright.table.scenes import ai_players
from rulewright.table.seats import Seating
from rulewright.table.state import Member, Table
from rulewright.table.storage.store import Again, Conflict, Writing
from rulewright.table.story.commands import follow_up
from rulewright.table.views import CharacterShown, LogShown, SceneShown, TableShown


class Acted(Struct, frozen=True):
    """The result of an action: its last line's number, the id of a new object, a new link (shown once), and whether it repeats an earlier
    request.
    """

    seq: int
    made: str = ""
    secret: str = ""
    again: bool = False


class News(Struct, frozen=True):
    """News for one listener: the mark of what they know now, the new log entries, and a hash of everything else they see."""

    mark: str
    lines: list[LogShown]
    look: str
    leads: bool = False
    """Whether the listener is the gamemaster."""
    drawn: str = ""
    """The new entries as HTML."""
    redraw: bool = False
    """Whether earlier entries read differently now."""


class SheetShown(Struct, frozen=True):
    """An open sheet: the character's list entry, its sheet, its audit, and the character itself."""

    character: CharacterShown
    sheet: Sheet
    audit: Audit
    thing: Any


class DeviceShown(Struct, frozen=True):
    """A device with a seat: its member, when it joined and was last seen (UTC, microseconds since 1970), and its description."""

    id: str
    member: str
    about: str
    since: int
    seen: int
    mine: bool
    """Whether this device made the request."""


DEVICE_ID_LENGTH = 16
"""Length of a device's id: the first characters of its hash."""


def _is_undo_or_redo(line: Line) -> bool:
    """Whether a line is an undo or redo."""
    return isinstance(line.change, e.Played) and isinstance(line.change.entry, Undone | Redone)


def _refuse_full(table: Table, member_id: str, more: int) -> None:
    """Raises an error if the table, or this member's share of it, is full."""
    role = table.members[member_id].role
    if table.closed:
        raise UserError("the server administrator closed this table; it can only be viewed and exported")
    if table.went_on:
        raise UserError("this table continues in a new one; the old one can only be viewed and exported")
    if table.seq + more > limits.LINES or table.bytes > limits.TABLE_BYTES:
        raise UserError("this table is full; its gamemaster can continue in a new one, under People")
    if role != "gamemaster" and table.seq + more > limits.LINES - limits.LAST_LINES:
        raise UserError("this table is nearly full; the last lines are reserved for the gamemaster")
    if table.written[member_id] + more > limits.LINES_OF_ONE.get(role, limits.LINES):
        raise UserError("you have used up your share of this table's log")


class Tables(Seating):
    """The tables of a server, with everything that members can do."""

    # --- actions

    def act(self, table_id: str, member_id: str, action: Action, key: str = "", device: str | None = None) -> Acted:
        """Carries out an action.

        `key` is a client-made idempotency key: a request sent again with the same key is not carried out twice. `device` keeps its seat if
        the action signs out the member's devices.
        """
        if len(key) > limits.KEY:
            raise UserError(f"the key of a request has at most {limits.KEY} characters")

        def carry_out(table: Table, member: Member) -> Done:
            check_role(member, action)
            refuse_unseen(table, member, action, lambda: self.store.picture_owners(table_id))
            return do(table, member, action, self._dice)

        return self._carry_out(table_id, member_id, carry_out, key, device)

    def _carry_out(self, table_id: str, member_id: str, handler: "Callable[[Table, Member], Done]", key: str, device: str | None) -> Acted:
        for attempt in range(ATTEMPTS):
            # First try the table in memory. If it is out of date, writing fails with a conflict and the action is tried again on the latest
            # state.
            with self._held(table_id, fresh=attempt > 0) as (opened, table):
                try:
                    done = self._do(opened, table, table.member(member_id), handler)
                    return self._write_result(opened, table, member_id, done, key, device)
                except Again:
                    return self._earlier_result(table_id, member_id, key)
                except Conflict:
                    pass
                except UserError:
                    if key and self.store.done(table_id, member_id, key) is not None:
                        return self._earlier_result(table_id, member_id, key)
                    if attempt > 0 or self.store.last(table_id) == table.seq:
                        raise
            back_off(attempt)
        raise UserError(BUSY)

    def _write_result(self, opened: Open, table: Table, member_id: str, done: Done, key: str, device: str | None) -> Acted:
        """Writes the result of an action."""
        if not done.changes:
            return Acted(table.seq, done.made)
        _refuse_full(table, member_id, len(done.changes))
        lines = self._lines(table.seq, table.check, member_id, done.changes, key or None)
        keeps, signed_out = links.hashed(device) if device else "", self._signed_out(table.id, done)
        self._append(
            opened,
            table,
            Writing(lines, done.new_links, members_signed_out=done.members_signed_out, keeps_device=keeps, devices_signed_out=signed_out),
        )
        return Acted(table.seq, done.made, done.secret)

    def _signed_out(self, table_id: str, done: Done) -> tuple[str, ...]:
        """The devices that an action signs out, of the member it names."""
        if not done.devices_signed_out:
            return ()
        member = next(change.member for change in done.changes if isinstance(change, e.SignedOut))
        hashes = [
            device.hash
            for device in self.store.devices(table_id)
            if device.member == member and device.hash.startswith(done.devices_signed_out)
        ]
        if not hashes or len(done.devices_signed_out[0]) < DEVICE_ID_LENGTH:
            raise UserError("there is no such device; it may be signed out already")
        return tuple(hashes)

    def _earlier_result(self, table_id: str, member_id: str, key: str) -> Acted:
        """The result of a request that was carried out before."""
        seq = self.store.done(table_id, member_id, key)
        assert seq is not None
        return Acted(seq, again=True)

    def _do(self, opened: Open, table: Table, member: Member, handler: "Callable[[Table, Member], Done]") -> Done:
        """Carries an action out. If it fails half way, the table in memory is dropped and read again when next needed."""
        try:
            return handler(table, member)
        except BaseException as error:
            if not isinstance(error, UserError) or any(stage.ahead for stage in table.scenes.values()):
                opened.table = None
            raise

    # --- views

    def view(self, table_id: str, member_id: str) -> TableShown:
        """Everything a member may see of a table, except the log."""
        with self.looking(table_id) as table:
            member = table.member(member_id)
            return views.shown(table, member, self._marks(table_id, member_id)(text.reached(table, member)))

    def log(self, table_id: str, member_id: str, *, before: str = "", most: int = 100) -> list[LogShown]:
        """The latest log entries that a member may see, oldest first; `before` is a mark to page back from."""
        with self.looking(table_id) as table:
            last = self._number(table_id, member_id, before, table) if before else None
            return text.log(table, table.member(member_id), self._marks(table_id, member_id), before=last, most=most)

    def since(self, table_id: str, member_id: str, mark: str) -> tuple[str, list[LogShown]]:
        """The log entries after a mark that a member may see, and the mark for the next call. No entry is missed or repeated.

        Without a mark, only the mark is returned.
        """
        with self.looking(table_id) as table:
            member = table.member(member_id)
            marks = self._marks(table_id, member_id)
            after = self._number(table_id, member_id, mark, table) if mark else text.reached(table, member)
            return marks(max(after, text.reached(table, member))), text.log(table, member, marks, after)

    def heard(self, table_id: str, asked: "Collection[tuple[str, str]]") -> "dict[tuple[str, str], News]":
        """`since` for several (member, mark) pairs at once. Former members and invalid marks are left out."""
        news_by_request = {}
        with self.looking(table_id) as table:
            for member_id, mark in asked:
                member = table.members.get(member_id)
                if member is None or not member.here:
                    continue
                marks = self._marks(table_id, member_id)
                try:
                    after = self._number(table_id, member_id, mark, table) if mark else text.reached(table, member)
                except UserError:
                    continue
                lines, reached = text.log(table, member, marks, after), text.reached(table, member)
                redraw = any(isinstance(line.change, CHANGES_THE_PAST) or _is_undo_or_redo(line) for line in table.lines[after:])
                news_by_request[member_id, mark] = News(
                    marks(max(after, reached)), lines, views.look(table, member), permissions.is_gamemaster(member), redraw=redraw
                )
        return news_by_request

    def devices(self, table_id: str, member_id: str, device: str | None = None) -> list[DeviceShown]:
        """The devices at a table, latest seen first: all for the gamemaster, otherwise the member's own."""
        with self.looking(table_id) as table:
            member = table.member(member_id)
            here = {candidate.id for candidate in table.members.values() if not candidate.removed}
        own = links.hashed(device) if device else ""
        devices = [
            DeviceShown(
                candidate.hash[:DEVICE_ID_LENGTH],
                candidate.member,
                candidate.about,
                candidate.at,
                candidate.seen or candidate.at,
                candidate.hash == own,
            )
            for candidate in self.store.devices(table_id)
            if candidate.member in here and (permissions.is_gamemaster(member) or candidate.member == member.id)
        ]
        return sorted(devices, key=lambda device: -device.seen)

    def look(self, table_id: str, member_id: str) -> str:
        """A hash of everything that a member sees of a table except the log."""
        with self.looking(table_id) as table:
            return views.look(table, table.member(member_id))

    def scene(self, table_id: str, member_id: str, number: int) -> SceneShown:
        """One scene, also an ended one, as a member may see it."""
        with self.looking(table_id) as table:
            return views.scene(table, table.scene(number), table.member(member_id))

    def chances(self, table_id: str, member_id: str, scene: int, at: int = 0, mark: str = "") -> tuple[Weighed, ...]:
        """The chances of a question's options, for the member who may answer it: exact, or marked as an estimate."""
        with self.looking(table_id) as table:
            member, stage = table.member(member_id), table.scene(scene)
            question = permissions.open_question(table, stage, member, at, mark)
            if not isinstance(question.request, Choice):
                return ()
            moment = stage.encounter.moment(at)
            viewers, people = views.viewers_of(table, stage, member), table.people(stage)
            tactics = {who: tactic_of(stage, who, name) for who, name in table.tactics(stage).items()}
            default = tactic_of(stage, "")
            hidden, options = views.hidden_combatants(table, stage, member), question.request.options
            unknown = {option.key for option in options if views.names_hidden(option, hidden)} if isinstance(options, tuple) else set()

        def decide(choice: Choice[Any]) -> Given:
            return tactics.get(choice.who, default)(choice)

        weighed = estimates.weigh(chances.Asked(moment, viewers, decide, people))
        return tuple(candidate for candidate in weighed if candidate.key not in unknown)

    # --- AI players

    def waiting(self, table_id: str) -> "ai_players.Waiting | None":
        """The first question at a table that waits for an AI player."""
        with self.looking(table_id) as table:
            return None if table.closed or table.went_on else ai_players.waiting(table)

    def thought(self, table_id: str, waiting: "ai_players.Waiting", given: Given, why: str = "") -> Acted:
        """Takes the answer of an AI player; raises an error if the question has changed meanwhile."""
        with self.looking(table_id) as table:
            leader = table.gamemaster

        def take_answer(table: Table, member: Member) -> Done:
            context = Context(table, member, self._dice)
            return follow_up(context, take_ai_answer(context, waiting.scene, waiting.at, waiting.mark, given, why))

        return self._carry_out(table_id, leader, take_answer, "", None)

    def for_a_hint(self, table_id: str, member_id: str, scene: int, at: int, mark: str, level: str) -> "ai_players.Waiting | None":
        """A question as the AI needs it for a hint; None if there is nothing to decide. Raises an error if hints are off."""
        with self.looking(table_id) as table:
            return ai_players.for_a_hint(table, table.scene(scene), table.member(member_id), at, mark, level)

    def for_a_review(self, table_id: str, member_id: str, scene: int) -> "ai_players.Played":
        """What a member decided in a scene that is over, as a look back needs it."""
        with self.looking(table_id) as table:
            return ai_players.for_a_review(table, table.scene(scene), table.member(member_id))

    def sheet(self, table_id: str, member_id: str, character_id: str) -> SheetShown:
        """A character's sheet, audit and data, for a member who may open it."""
        with self.looking(table_id) as table:
            member, character = table.member(member_id), table.character(character_id)
            if not views.may_open(character, member):
                raise (
                    Forbidden("you may not open this sheet; it belongs to another player")
                    if views.may_know(character, member)
                    else NotHere("there is no such character")
                )
            system, rules, thing = table.system, table.rules, character.thing(table.system)
            shown = views.character_shown(character, member)
        return SheetShown(shown, system.sheet(rules, thing), system.audit(rules, thing), thing)

    def system(self, table_id: str) -> System:
        """The game of a table."""
        with self._held(table_id, fresh=False) as (_, table):
            return table.system

    def rules(self, table_id: str) -> Ruleset:
        """The rules of a table."""
        with self.looking(table_id) as table:
            return table.rules

    def _marks(self, table_id: str, member_id: str) -> Callable[[int], str]:
        about = f"{table_id} {member_id}"
        return lambda seq: self.signer.mark(seq, about)

    def _number(self, table_id: str, member_id: str, mark: str, table: Table) -> int:
        number = self.signer.number(mark, f"{table_id} {member_id}")
        if number > table.seq:
            raise UserError("invalid mark: it does not belong to this table")
        return number
