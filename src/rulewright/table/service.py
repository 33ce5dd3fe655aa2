"""All tables of a server: hosting, joining, acting, looking, listening. What pages and programs speak to.

Everything here can be called from any thread and from several server processes on one database. A method that changes something
has the change on disk when it returns. `Wrong` (and `Forbidden`, `NotHere`) carry one clear sentence for whoever asked.
"""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct

from rulewright import weighing
from rulewright.build import Audit
from rulewright.errors import Wrong
from rulewright.pieces import Sheet
from rulewright.play import Choice, Dice, Entropy, first_option
from rulewright.rules import Ruleset, SettingValue
from rulewright.system import find
from rulewright.table import entries as e
from rulewright.table import limits, links, rights, store, telling, views
from rulewright.table.actions import AnyAction
from rulewright.table.doing import Done, do, free_name
from rulewright.table.entries import AnyChange, Line, Role, chained
from rulewright.table.links import Signer
from rulewright.table.rights import Forbidden
from rulewright.table.state import GAMEMASTER, Member, Table
from rulewright.table.store import Again, Conflict, Link, Store, Watch, Writing
from rulewright.table.views import CharacterShown, LogShown, SceneShown, TableShown
from rulewright.threads import make_ready
from rulewright.weighing import Weighed

MOST_OPEN = 1_000
"""So many tables are held in memory; the one longest untouched gives way."""
MOST_SEATS = 30
"""So many of a device's tables are listed."""
ATTEMPTS = 12
"""How often a lost race is run again before it is refused."""


class NotHere(Wrong):
    """There is no such table, or nothing of it for whoever asks."""


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


class Acted(Struct, frozen=True):
    """What came of an action: the number of its last line, the id of what was made, a new link (told this once), and whether the very same
    request had been carried out before."""

    seq: int
    made: str = ""
    secret: str = ""
    again: bool = False


class SheetShown(Struct, frozen=True):
    """A character of a table, opened: how it stands in the list, its sheet, its audit, and the kept thing itself."""

    character: CharacterShown
    sheet: Sheet
    audit: Audit
    thing: Any


class _Open:
    """A table in memory, with the lock under which it is looked at and changed."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.table: Table | None = None


Listener = Callable[[str, int], None]


class Tables:
    """The service. `dice` and `clock` are for tests; a server uses the operating system's entropy and time."""

    def __init__(self, url: str | None = None, *, dice: Dice | None = None, clock: Callable[[], int] = store.now) -> None:
        self.store = Store(url)
        self.signer = Signer(self.store.key("cookies"))
        self._dice: Dice = dice if dice is not None else Entropy()
        self._clock = clock
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self._told: OrderedDict[str, int] = OrderedDict()
        self._watching: Watch | None = None

    def close(self) -> None:
        """Let the database go."""
        if self._watching is not None:
            self._watching.stop()
        self.store.close()

    # people come in

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
        game = find(system)
        make_ready(game)
        game.book.ruleset(preset or None, settings or {})
        table_id, leading, inviting = links.table_id(), links.token(), links.token()
        hosted = e.Hosted(limits.name(name), game.id, limits.name(gamemaster), preset, settings or {}, demo)
        kept = {
            "gamemaster": Link(links.hashed(leading)),
            "invitation": Link(links.hashed(inviting), links.hashed_passphrase(passphrase) if passphrase else ""),
        }
        lines = self._lines(0, "", GAMEMASTER, [hosted], None)
        self.store.create(table_id, game.id, Writing(lines, kept, ((links.hashed(device), GAMEMASTER),)))
        return Hosting(table_id, GAMEMASTER, leading, inviting)

    def invitation(self, table_id: str, token: str) -> tuple[str, bool]:
        """What somebody who holds an invitation may know before joining: the table's name, and whether a passphrase is asked for."""
        link = self._fitting(table_id, "invitation", token)
        with self.looking(table_id) as table:
            return table.name, bool(link.passphrase)

    def join(self, table_id: str, token: str, name: str, device: str, *, passphrase: str = "", role: Role = "player") -> Seat:
        """Sit down by invitation. A device that sits here already keeps its seat; whoever left comes back to it."""
        link = self._fitting(table_id, "invitation", token)
        if link.passphrase and not links.passphrase_fits(passphrase, link.passphrase):
            raise Forbidden("the passphrase is not right")
        if role not in ("player", "spectator"):
            raise Wrong("one joins as a player or as a spectator")
        hashed = links.hashed(device)

        def joining(table: Table) -> tuple[str, str, list[AnyChange]]:
            sitting = self.store.seat(table_id, hashed)
            known = table.members.get(sitting or "")
            if known is not None and not known.removed:
                return known.id, known.id, [] if known.here else [e.CameBack(known.id)]
            if sum(member.here for member in table.members.values()) >= limits.MEMBERS:
                raise Wrong(f"at most {limits.MEMBERS} people sit at a table")
            fresh = table.fresh_id("m")
            return fresh, fresh, [e.Joined(fresh, free_name(table, name), role)]

        return self._sit(table_id, hashed, joining)

    def lead(self, table_id: str, token: str, device: str) -> Seat:
        """Sit down as the gamemaster, by the gamemaster's link."""
        self._fitting(table_id, "gamemaster", token)
        return self._sit(table_id, links.hashed(device), lambda table: (table.gamemaster, table.gamemaster, []))

    def take_seat(self, table_id: str, member_id: str, token: str, device: str) -> Seat:
        """Sit down as a member from another device, by the link to that seat. It can be used once."""
        link = f"seat:{member_id[:30]}"
        self._fitting(table_id, link, token)

        def sitting(table: Table) -> tuple[str, str, list[AnyChange]]:
            member = table.members.get(member_id)
            if member is None or member.removed:
                raise NotHere("this link is not good, or not any more")
            back: list[AnyChange] = [] if member.here else [e.CameBack(member.id)]
            return member.id, member.id, [*back, e.LinkRevoked(link)]

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

    def seats(self, device: str | None) -> list[tuple[Seat, str]]:
        """The tables at which a device sits, the latest first, each with its name."""
        found = []
        for table_id, member_id in self.store.seats(links.hashed(device), MOST_SEATS) if device else []:
            with suppress(Wrong), self._held(table_id, fresh=False) as (_, table):  # one that cannot be opened hides no other
                member = table.members.get(member_id)
                if member is not None and not member.removed:
                    found.append((Seat(table_id, member.id, member.name, member.role), table.name))
        return found

    def links(self, table_id: str) -> dict[str, bool]:
        """The links of a table that are good, and whether each asks for a passphrase."""
        return self.store.links(table_id)

    def _fitting(self, table_id: str, name: str, token: str) -> Link:
        """The link, if this is its secret part. Whether the table or the link is missing or wrong is not told apart."""
        kept = self.store.link(table_id, name) if _is_id(table_id) else None
        fits = links.fits(token, kept.hash if kept is not None else links.hashed(""))
        if kept is None or not fits:
            raise NotHere("this link is not good, or not any more")
        return kept

    def _sit(
        self,
        table_id: str,
        device: str,
        sitting: "Callable[[Table], tuple[str, str, list[AnyChange]]]",
        new_links: "dict[str, Link | None] | None" = None,
    ) -> Seat:
        for attempt in range(ATTEMPTS):
            with self._held(table_id) as (opened, table):
                member_id, who, changes = sitting(table)
                if not changes:
                    self.store.sit(table_id, device, member_id)
                else:
                    lines = self._lines(table.seq, table.check, who, changes, None)
                    try:
                        self._append(opened, table, Writing(lines, new_links or {}, ((device, member_id),)))
                    except Conflict:
                        _step_aside(attempt)
                        continue
                member = table.members[member_id]
                return Seat(table_id, member.id, member.name, member.role)
        raise Wrong(BUSY)

    # acting

    def act(self, table_id: str, member_id: str, action: AnyAction, key: str = "") -> Acted:
        """Do something at a table. `key` is made by the client, once for every wish: the same wish sent again is not carried out twice."""
        if len(key) > limits.KEY:
            raise Wrong(f"the key of a request has at most {limits.KEY} characters")
        for attempt in range(ATTEMPTS):
            # At first the table is taken as it is in memory: if it is not the latest, what is written does not fit, and is thought over.
            with self._held(table_id, fresh=attempt > 0) as (opened, table):
                try:
                    done = self._do(opened, table, table.member(member_id), action)
                    return self._done(opened, table, member_id, done, key)
                except Again:
                    return self._as_before(table_id, member_id, key)
                except Conflict:
                    pass
                except Wrong:
                    if key and self.store.done(table_id, member_id, key) is not None:
                        return self._as_before(table_id, member_id, key)
                    if attempt > 0 or self.store.last(table_id) == table.seq:
                        raise
            _step_aside(attempt)
        raise Wrong(BUSY)

    def _done(self, opened: _Open, table: Table, member_id: str, done: Done, key: str) -> Acted:
        """Write what an action came to."""
        if not done.changes:
            return Acted(table.seq, done.made)
        if table.seq + len(done.changes) > limits.LINES:
            raise Wrong(f"this table has reached its {limits.LINES} lines: export it and begin a new one")
        lines = self._lines(table.seq, table.check, member_id, done.changes, key or None)
        self._append(opened, table, Writing(lines, done.new_links, rises=done.rises))
        return Acted(table.seq, done.made, done.secret)

    def _as_before(self, table_id: str, member_id: str, key: str) -> Acted:
        """The answer to a wish that was carried out before."""
        seq = self.store.done(table_id, member_id, key)
        assert seq is not None
        return Acted(seq, again=True)

    def _do(self, opened: _Open, table: Table, member: Member, action: AnyAction) -> Done:
        """Carry an action out. Where it fails half way, the table in memory is thrown away and read anew when next needed."""
        try:
            return do(table, member, action, self._dice)
        except BaseException as error:
            if not isinstance(error, Wrong) or any(stage.ahead for stage in table.scenes.values()):
                opened.table = None
            raise

    def _append(self, opened: _Open, table: Table, writing: Writing) -> None:
        """Write, then take what was written; raises Conflict where somebody else was first."""
        opened.table = None
        try:
            self.store.append(table.id, writing, table.check)
        except Conflict:
            if not any(stage.ahead for stage in table.scenes.values()):
                opened.table = table  # nothing has happened in it yet
            raise
        for line in writing.lines:
            table.take(line)
        opened.table = table
        self._tell(table.id, writing.lines[-1].seq)

    def _lines(self, seq: int, check: str, who: str, changes: list[AnyChange], key: str | None) -> list[Line]:
        at = self._clock()
        lines = [Line(seq + place, at, who, change, key if place == 1 else None) for place, change in enumerate(changes, 1)]
        return chained(check, lines)

    # looking

    @contextmanager
    def looking(self, table_id: str) -> Iterator[Table]:
        """The table as it stands now, to look at and not to keep: it changes when the block is left."""
        with self._held(table_id) as (_, table):
            yield table

    @contextmanager
    def _held(self, table_id: str, fresh: bool = True) -> "Iterator[tuple[_Open, Table]]":
        """A table under its lock, with every line taken that the database has; or, not so fresh, as it is in memory."""
        if not _is_id(table_id):
            raise NotHere("there is no such table")
        with self._lock:
            opened = self._open.get(table_id)
            if opened is None:
                opened = self._open[table_id] = _Open()
                while len(self._open) > MOST_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(table_id)
        with opened.lock:
            table = opened.table
            yield opened, table if table is not None and not fresh else self._caught_up(table_id, opened)

    def _caught_up(self, table_id: str, opened: _Open) -> Table:
        table, opened.table = opened.table, None
        lines = self.store.lines_after(table_id, table.seq, table.check) if table is not None else None
        if table is not None and lines is not None:
            for line in lines:
                table.take(line)
        else:  # not read yet, or the database was put back to an earlier day
            table = self._read(table_id)
        opened.table = table
        return table

    def _read(self, table_id: str) -> Table:
        lines = self.store.lines(table_id)
        if not lines:
            with self._lock:
                self._open.pop(table_id, None)
            raise NotHere("there is no such table")
        return self._revived(Table(table_id, lines))

    def _revived(self, table: Table) -> Table:
        """A table whose open scenes replay; where one does not, it goes on from a snapshot, and the log says so."""
        for stage in table.open_scenes():
            trouble = stage.trouble()
            if trouble:
                lines = self._lines(table.seq, table.check, e.NOBODY, [stage.resumption(trouble, table.rules)], None)
                try:
                    self.store.append(table.id, Writing(lines), table.check)
                except Conflict:
                    return Table(table.id, self.store.lines(table.id))
                for line in lines:
                    table.take(line)
        return table

    def view(self, table_id: str, member_id: str) -> TableShown:
        """Everything a member may see of a table, but for the log."""
        with self.looking(table_id) as table:
            return views.shown(table, table.member(member_id), self._marks(table_id, member_id))

    def log(self, table_id: str, member_id: str, *, before: str = "", most: int = 100) -> list[LogShown]:
        """The latest lines of the log that a member may see, the oldest first; `before` is a mark to read on from, further back."""
        with self.looking(table_id) as table:
            last = self._number(table_id, member_id, before, table) if before else None
            return telling.log(table, table.member(member_id), self._marks(table_id, member_id), before=last, most=most)

    def since(self, table_id: str, member_id: str, mark: str) -> tuple[str, list[LogShown]]:
        """What happened after a mark that a member may see, and the mark to ask with next time. Nothing is missed or comes twice.

        Without a mark nothing is told but the mark.
        """
        with self.looking(table_id) as table:
            member = table.member(member_id)
            marks = self._marks(table_id, member_id)
            after = self._number(table_id, member_id, mark, table) if mark else views.reached(table, member)
            return marks(max(after, views.reached(table, member))), telling.log(table, member, marks, after)

    def heard(self, table_id: str, asked: "Collection[tuple[str, str]]") -> "dict[tuple[str, str], tuple[str, list[LogShown]]]":
        """`since` for several (member, mark) at once; who does not sit here any more, or brings a mark of elsewhere, is left out."""
        found = {}
        with self.looking(table_id) as table:
            for member_id, mark in asked:
                member = table.members.get(member_id)
                if member is None or not member.here:
                    continue
                marks = self._marks(table_id, member_id)
                try:
                    after = self._number(table_id, member_id, mark, table) if mark else views.reached(table, member)
                except Wrong:
                    continue
                found[member_id, mark] = marks(max(after, views.reached(table, member))), telling.log(table, member, marks, after)
        return found

    def scene(self, table_id: str, member_id: str, number: int) -> SceneShown:
        """One scene, also one that has ended, as a member may see it."""
        with self.looking(table_id) as table:
            return views.scene(table, table.scene(number), table.member(member_id))

    def chances(self, table_id: str, member_id: str, scene: int, at: int = 0, mark: str = "") -> tuple[Weighed, ...]:
        """The exact chances beside the options of a question, for whoever may answer it."""
        with self.looking(table_id) as table:
            member, stage = table.member(member_id), table.scene(scene)
            question = rights.question(table, stage, member, at, mark)
            if not isinstance(question.request, Choice):
                return ()
            usual = next(iter(stage.staging.tactics.values()), first_option)
            asked = weighing.prospects(question.request, views.eyes(table, stage, member), usual)
        return weighing.weigh(asked)

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
            raise Wrong("this mark is none of this table's")
        return number

    # listening

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Be told (table, number of its last line) after every change, in any thread; gives back how to stop.

        On PostgreSQL that includes the changes of other server processes; no table ("") stands for any, after the line to the
        database was broken.
        """
        with self._lock:
            self._listeners.append(listener)
            if self._watching is None and not self.store.sqlite:
                self._watching = Watch(self.store, self._tell, self._missed)
        return lambda: self._listeners.remove(listener)

    def _tell(self, table_id: str, seq: int) -> None:
        """Tell everybody once of every number; the database says again what this process has said already."""
        with self._lock:
            if self._told.get(table_id, 0) >= seq:
                return
            self._told[table_id] = seq
            self._told.move_to_end(table_id)
            while len(self._told) > MOST_OPEN:
                self._told.popitem(last=False)
            listeners = list(self._listeners)
        for listener in listeners:
            listener(table_id, seq)

    def _missed(self) -> None:
        """Tell everybody that any table may have changed."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener("", 0)


BUSY = "too many people act at this table at once: try again"


def _step_aside(attempt: int) -> None:
    """Let others go first for a moment, longer each time, so that two who collide do not collide for ever."""
    time.sleep(random.uniform(0, 0.002 * 2 ** min(attempt, 6)))


def _is_id(table_id: str) -> bool:
    return len(table_id) == 16 and all(sign in "0123456789abcdef" for sign in table_id)
