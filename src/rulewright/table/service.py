"""All tables of a server: hosting, joining, acting, looking, listening. What pages and programs speak to.

Everything here can be called from any thread and from several server processes on one database. A method that changes something
has the change on disk when it returns. `UserError` (and `Forbidden`, `NotHere`) carry one clear sentence for whoever asked.
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
from rulewright.table.commands.handlers import Asked, Done
from rulewright.table.commands.messages import Action
from rulewright.table.commands.scenes import tactic_of, thought
from rulewright.table.log import entries as e
from rulewright.table.log import text
from rulewright.table.log.lines import CHANGES_THE_PAST, Line
from rulewright.table.open_tables import ATTEMPTS, BUSY, NotHere, Open, step_aside
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import ai_players
from rulewright.table.seats import Seating
from rulewright.table.state import Member, Table
from rulewright.table.storage.store import Again, Conflict, Writing
from rulewright.table.views import CharacterShown, LogShown, SceneShown, TableShown


class Acted(Struct, frozen=True):
    """What came of an action: the number of its last line, the id of what was made, a new link (told this once), and whether the very same
    request had been carried out before."""

    seq: int
    made: str = ""
    secret: str = ""
    again: bool = False


class News(Struct, frozen=True):
    """What somebody hears of a table: how far they know it now, the new entries of the log, and what stands for all else they see."""

    mark: str
    lines: list[LogShown]
    look: str
    leads: bool = False
    """Whether it is the gamemaster who hears it."""
    drawn: str = ""
    """The new entries as a page shows them."""
    redraw: bool = False
    """Whether entries before the new ones read differently from now on."""


class SheetShown(Struct, frozen=True):
    """A character of a table, opened: how it stands in the list, its sheet, its audit, and the kept thing itself."""

    character: CharacterShown
    sheet: Sheet
    audit: Audit
    thing: Any


class DeviceShown(Struct, frozen=True):
    """A device that sits at a table: as whom, since when and when it was last seen (UTC, microseconds since 1970), and what it says of
    itself."""

    id: str
    member: str
    about: str
    since: int
    seen: int
    mine: bool
    """Whether it is the one that asks."""


DEVICE_SIGNS = 16
"""Signs of a device's hash that stand for it."""


def _turns(line: Line) -> bool:
    """Whether a line takes others back, or brings them back."""
    return isinstance(line.change, e.Played) and isinstance(line.change.entry, Undone | Redone)


def _refuse_full(table: Table, member_id: str, more: int) -> None:
    """Refuse lines for which a table, or one member of it, has no room."""
    role = table.members[member_id].role
    if table.closed:
        raise UserError("this table was closed by whoever runs the server: it can be looked at and exported")
    if table.went_on:
        raise UserError("this table has gone on in a new one: it can be looked at and exported")
    if table.seq + more > limits.LINES or table.bytes > limits.TABLE_BYTES:
        raise UserError("this table is full: its gamemaster goes on in a new one with a touch under People")
    if role != "gamemaster" and table.seq + more > limits.LINES - limits.LAST_LINES:
        raise UserError("this table is nearly full, and its last lines are the gamemaster's")
    if table.written[member_id] + more > limits.LINES_OF_ONE.get(role, limits.LINES):
        raise UserError("you have filled your share of this table's lines")


class Tables(Seating):
    """The service."""

    # acting

    def act(self, table_id: str, member_id: str, action: Action, key: str = "", device: str | None = None) -> Acted:
        """Do something at a table. `key` is made by the client, once for every wish: the same wish sent again is not carried out twice.
        `device` keeps its seat where the action takes the seats of a member's devices."""
        if len(key) > limits.KEY:
            raise UserError(f"the key of a request has at most {limits.KEY} characters")
        return self._acted(table_id, member_id, lambda table, member: do(table, member, action, self._dice), key, device)

    def _acted(self, table_id: str, member_id: str, carry_out: "Callable[[Table, Member], Done]", key: str, device: str | None) -> Acted:
        for attempt in range(ATTEMPTS):
            # At first the table is taken as it is in memory: if it is not the latest, what is written does not fit, and is thought over.
            with self._held(table_id, fresh=attempt > 0) as (opened, table):
                try:
                    done = self._do(opened, table, table.member(member_id), carry_out)
                    return self._done(opened, table, member_id, done, key, device)
                except Again:
                    return self._as_before(table_id, member_id, key)
                except Conflict:
                    pass
                except UserError:
                    if key and self.store.done(table_id, member_id, key) is not None:
                        return self._as_before(table_id, member_id, key)
                    if attempt > 0 or self.store.last(table_id) == table.seq:
                        raise
            step_aside(attempt)
        raise UserError(BUSY)

    def _done(self, opened: Open, table: Table, member_id: str, done: Done, key: str, device: str | None) -> Acted:
        """Write what an action came to."""
        if not done.changes:
            return Acted(table.seq, done.made)
        _refuse_full(table, member_id, len(done.changes))
        lines = self._lines(table.seq, table.check, member_id, done.changes, key or None)
        stays, gone = links.hashed(device) if device else "", self._signed_out(table.id, done)
        self._append(opened, table, Writing(lines, done.new_links, rises=done.rises, stays=stays, signs_out=gone))
        return Acted(table.seq, done.made, done.secret)

    def _signed_out(self, table_id: str, done: Done) -> tuple[str, ...]:
        """The devices that an action signs out, of the member it names."""
        if not done.signs_out:
            return ()
        member = next(change.member for change in done.changes if isinstance(change, e.SignedOut))
        names = [
            device.hash for device in self.store.devices(table_id) if device.member == member and device.hash.startswith(done.signs_out)
        ]
        if not names or len(done.signs_out[0]) < DEVICE_SIGNS:
            raise UserError("there is no such device, or not any more")
        return tuple(names)

    def _as_before(self, table_id: str, member_id: str, key: str) -> Acted:
        """The answer to a wish that was carried out before."""
        seq = self.store.done(table_id, member_id, key)
        assert seq is not None
        return Acted(seq, again=True)

    def _do(self, opened: Open, table: Table, member: Member, carry_out: "Callable[[Table, Member], Done]") -> Done:
        """Carry an action out. Where it fails half way, the table in memory is thrown away and read anew when next needed."""
        try:
            return carry_out(table, member)
        except BaseException as error:
            if not isinstance(error, UserError) or any(stage.ahead for stage in table.scenes.values()):
                opened.table = None
            raise

    # looking

    def view(self, table_id: str, member_id: str) -> TableShown:
        """Everything a member may see of a table, but for the log."""
        with self.looking(table_id) as table:
            member = table.member(member_id)
            return views.shown(table, member, self._marks(table_id, member_id)(text.reached(table, member)))

    def log(self, table_id: str, member_id: str, *, before: str = "", most: int = 100) -> list[LogShown]:
        """The latest lines of the log that a member may see, the oldest first; `before` is a mark to read on from, further back."""
        with self.looking(table_id) as table:
            last = self._number(table_id, member_id, before, table) if before else None
            return text.log(table, table.member(member_id), self._marks(table_id, member_id), before=last, most=most)

    def since(self, table_id: str, member_id: str, mark: str) -> tuple[str, list[LogShown]]:
        """What happened after a mark that a member may see, and the mark to ask with next time. Nothing is missed or comes twice.

        Without a mark nothing is told but the mark.
        """
        with self.looking(table_id) as table:
            member = table.member(member_id)
            marks = self._marks(table_id, member_id)
            after = self._number(table_id, member_id, mark, table) if mark else text.reached(table, member)
            return marks(max(after, text.reached(table, member))), text.log(table, member, marks, after)

    def heard(self, table_id: str, asked: "Collection[tuple[str, str]]") -> "dict[tuple[str, str], News]":
        """`since` for several (member, mark) at once; who does not sit here any more, or brings a mark of elsewhere, is left out."""
        news_by_pair = {}
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
                anew = any(isinstance(line.change, CHANGES_THE_PAST) or _turns(line) for line in table.lines[after:])
                news_by_pair[member_id, mark] = News(
                    marks(max(after, reached)), lines, views.look(table, member), permissions.leads(member), redraw=anew
                )
        return news_by_pair

    def devices(self, table_id: str, member_id: str, device: str | None = None) -> list[DeviceShown]:
        """The devices at a table, the latest seen first: the gamemaster sees all, everybody else their own."""
        with self.looking(table_id) as table:
            member = table.member(member_id)
            here = {candidate.id for candidate in table.members.values() if not candidate.removed}
        own = links.hashed(device) if device else ""
        device_showns = [
            DeviceShown(
                candidate.hash[:DEVICE_SIGNS],
                candidate.member,
                candidate.about,
                candidate.at,
                candidate.seen or candidate.at,
                candidate.hash == own,
            )
            for candidate in self.store.devices(table_id)
            if candidate.member in here and (permissions.leads(member) or candidate.member == member.id)
        ]
        return sorted(device_showns, key=lambda device_shown: -device_shown.seen)

    def look(self, table_id: str, member_id: str) -> str:
        """What stands for everything that a member sees of a table but for the log."""
        with self.looking(table_id) as table:
            return views.look(table, table.member(member_id))

    def scene(self, table_id: str, member_id: str, number: int) -> SceneShown:
        """One scene, also one that has ended, as a member may see it."""
        with self.looking(table_id) as table:
            return views.scene(table, table.scene(number), table.member(member_id))

    def chances(self, table_id: str, member_id: str, scene: int, at: int = 0, mark: str = "") -> tuple[Weighed, ...]:
        """The chances beside the options of a question, for whoever may answer it: exact, or an estimate that says so."""
        with self.looking(table_id) as table:
            member, stage = table.member(member_id), table.scene(scene)
            question = permissions.question(table, stage, member, at, mark)
            if not isinstance(question.request, Choice):
                return ()
            moment = stage.encounter.moment(at)
            looking, people = views.eyes(table, stage, member), table.people(stage)
            tactics = {who: tactic_of(stage, who, hand) for who, hand in table.tactics(stage).items()}
            usual = tactic_of(stage, "")
            hidden, options = views.unseen(table, stage, member), question.request.options
            unknown = {option.key for option in options if views.names(option, hidden)} if isinstance(options, tuple) else set()

        def decide(choice: Choice[Any]) -> Given:
            return tactics.get(choice.who, usual)(choice)

        weighed = estimates.weigh(chances.Asked(moment, looking, decide, people))
        return tuple(candidate for candidate in weighed if candidate.key not in unknown)

    # thinking

    def waiting(self, table_id: str) -> "ai_players.Waiting | None":
        """The first question at a table that waits for somebody who plays by themselves."""
        with self.looking(table_id) as table:
            return None if table.closed or table.went_on else ai_players.waiting(table)

    def thought(self, table_id: str, waiting: "ai_players.Waiting", given: Given, why: str = "") -> Acted:
        """Take what somebody who plays by themselves has thought of; refused where the question has changed meanwhile."""
        with self.looking(table_id) as table:
            leader = table.gamemaster

        def carry_out(table: Table, member: Member) -> Done:
            return thought(Asked(table, member, self._dice), waiting.scene, waiting.at, waiting.mark, given, why)

        return self._acted(table_id, leader, carry_out, "", None)

    def for_a_hint(self, table_id: str, member_id: str, scene: int, at: int, mark: str, level: str) -> "ai_players.Waiting | None":
        """A question that a member wants a hint for, as far as hints are allowed; None where there is nothing to decide."""
        with self.looking(table_id) as table:
            return ai_players.for_a_hint(table, table.scene(scene), table.member(member_id), at, mark, level)

    def sheet(self, table_id: str, member_id: str, character_id: str) -> SheetShown:
        """A character's sheet, its audit and its plain data, for whoever may open it."""
        with self.looking(table_id) as table:
            member, character = table.member(member_id), table.character(character_id)
            if not views.opens(character, member):
                raise (
                    Forbidden("this sheet is not yours to open")
                    if views.knows(character, member)
                    else NotHere("there is no such character")
                )
            system, rules, thing = table.system, table.rules, character.thing(table.system)
            shown = views.character_shown(character, member)
        return SheetShown(shown, system.sheet(rules, thing), system.audit(rules, thing), thing)

    def system(self, table_id: str) -> System:
        """The game that a table plays."""
        with self._held(table_id, fresh=False) as (_, table):
            return table.system

    def rules(self, table_id: str) -> Ruleset:
        """What a table plays by."""
        with self.looking(table_id) as table:
            return table.rules

    def _marks(self, table_id: str, member_id: str) -> Callable[[int], str]:
        about = f"{table_id} {member_id}"
        return lambda seq: self.signer.mark(seq, about)

    def _number(self, table_id: str, member_id: str, mark: str, table: Table) -> int:
        number = self.signer.number(mark, f"{table_id} {member_id}")
        if number > table.seq:
            raise UserError("this mark is none of this table's")
        return number
