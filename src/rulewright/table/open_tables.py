"""Tables in memory: loading, catching up with the database, writing, and notifying listeners.

Concurrency of threads and server processes is handled here.
"""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.errors import UserError
from rulewright.play import Dice, Entropy
from rulewright.table.links import Signer
from rulewright.table.log import entries as e
from rulewright.table.log.lines import Line, chained
from rulewright.table.state import Table
from rulewright.table.storage import store
from rulewright.table.storage.store import Conflict, Store, Watch, Writing

MOST_OPEN = 1_000
MOST_OPEN_BYTES = 160_000_000
"""How many tables are kept in memory, and their total size; the least recently used one is dropped first."""
MOST_SPACE = 20_000_000_000
"""Database size up to which new tables can be opened."""
SPACE_SECONDS = 15.0
"""How long the measured database size is cached."""
ATTEMPTS = 12
"""How often a conflicting write is retried."""
BUSY = "too many people act at this table at once; try again"


class NotHere(UserError):
    """There is no such table, or this person may not know of it."""


class Full(UserError):
    """There is no room for more."""


class Open:
    """A table in memory, with the lock that guards it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.table: Table | None = None
        self.depth = 0
        """How deep the lock's holder is nested; the database is read only on the first level."""


Listener = Callable[[str, int], None]


class Held:
    """The tables of a database. `dice` and `clock` are for tests; a server uses the operating system's entropy and time."""

    def __init__(self, url: str | None = None, *, dice: Dice | None = None, clock: Callable[[], int] = store.now) -> None:
        self.store = Store(url, copied=True)
        self.signer = Signer(self.store.key("cookies"))
        self._dice: Dice = dice if dice is not None else Entropy()
        self.now = clock
        """The clock for new lines."""
        self._open: OrderedDict[str, Open] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self._told: OrderedDict[str, int] = OrderedDict()
        self._watching: Watch | None = None
        self.most_space = MOST_SPACE
        self._space = (0.0, 0)

    def close(self) -> None:
        """Closes the database."""
        if self._watching is not None:
            self._watching.stop()
        self.store.close()

    # --- reading

    @contextmanager
    def looking(self, table_id: str) -> Iterator[Table]:
        """The current table, for use inside the block only."""
        with self._held(table_id) as (_, table):
            yield table

    @contextmanager
    def _held(self, table_id: str, fresh: bool = True) -> "Iterator[tuple[Open, Table]]":
        """A table under its lock, caught up with the database; without `fresh`, as it is in memory."""
        if not is_id(table_id):
            raise NotHere("there is no such table")
        with self._lock:
            opened = self._open.get(table_id)
            if opened is None:
                opened = self._open[table_id] = Open()
                self._make_room()
            self._open.move_to_end(table_id)
        with opened.lock:
            table, within = opened.table, opened.depth > 0
            opened.depth += 1
            try:
                yield opened, table if table is not None and (within or not fresh) else self._caught_up(table_id, opened)
            finally:
                opened.depth -= 1

    def _make_room(self) -> None:
        """Drops the least recently used tables while there are too many or they are too large together."""
        sizes = {table_id: opened.table.bytes if opened.table is not None else 0 for table_id, opened in self._open.items()}
        total = sum(sizes.values())
        for table_id in list(self._open)[:-1]:
            if len(self._open) <= MOST_OPEN and total <= MOST_OPEN_BYTES:
                return
            total -= sizes[table_id]
            del self._open[table_id]

    @property
    def held(self) -> int:
        """How many tables are in memory."""
        return len(self._open)

    def refuse_without_space(self) -> None:
        """Raises an error if the database is too large for a new table."""
        at, space = self._space
        if time.monotonic() - at > SPACE_SECONDS or not at:
            space = self.store.space()
            self._space = (time.monotonic(), space)
        if space >= self.most_space:
            raise Full("this server has no room for new tables; tell its administrator")

    def _caught_up(self, table_id: str, opened: Open) -> Table:
        table, opened.table = opened.table, None
        lines = self.store.lines_after(table_id, table.seq, table.check) if table is not None else None
        if table is not None and lines is not None:
            for line in lines:
                table.take(line)
        else:  # not read yet, or the database was restored to an earlier state
            table = self._read(table_id)
        opened.table = table
        return table

    def _read(self, table_id: str) -> Table:
        lines = self.store.lines(table_id)
        if not lines:
            with self._lock:
                self._open.pop(table_id, None)
            raise NotHere("there is no such table")
        self.store.complete_copy(table_id, lines[-1])
        return self._with_resumed_scenes(Table(table_id, lines, self.signer.key_for(table_id)))

    def _with_resumed_scenes(self, table: Table) -> Table:
        """A table whose open scenes replay. A scene that does not is resumed from a snapshot, and the log says so."""
        for stage in table.open_scenes():
            trouble = stage.trouble()
            if trouble:
                lines = self._lines(table.seq, table.check, e.NOBODY, [stage.resumption(trouble, table.rules)], None)
                try:
                    self.store.append(table.id, Writing(lines), table.check)
                except Conflict:
                    return Table(table.id, self.store.lines(table.id), table.secret)
                for line in lines:
                    table.take(line)
        return table

    # --- writing

    def _lines(self, seq: int, check: str, who: str, changes: list[e.Change], key: str | None) -> list[Line]:
        at = self.now()
        lines = [Line(seq + place, at, who, change, key if place == 1 else None) for place, change in enumerate(changes, 1)]
        return chained(check, lines)

    def write(self, table_id: str, who: str, changes: list[e.Change]) -> None:
        """Writes lines that no action made, without limits; raises Conflict if another write came first."""
        with self._held(table_id) as (opened, table):
            self._append(opened, table, Writing(self._lines(table.seq, table.check, who, changes, None)))

    def forget(self, table_id: str) -> None:
        """Drops a table from memory and notifies listeners."""
        with self._lock:
            opened = self._open.pop(table_id, None)
            seq = opened.table.seq + 1 if opened is not None and opened.table is not None else 1
        self._tell(table_id, seq)

    def _append(self, opened: Open, table: Table, writing: Writing) -> None:
        """Writes lines and applies them; raises Conflict if another write came first."""
        opened.table = None
        try:
            self.store.append(table.id, writing, table.check)
        except Conflict:
            if not any(stage.ahead for stage in table.scenes.values()):
                opened.table = table  # nothing has changed in it yet
            raise
        for line in writing.lines:
            table.take(line)
        opened.table = table
        self._tell(table.id, writing.lines[-1].seq)

    # --- listening

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with (table, number of its last line) after every change, in any thread; returns a function to stop.

        On PostgreSQL this includes the changes of other server processes. An empty table id means that any table may have changed, because
        the connection to the database was lost.
        """
        with self._lock:
            self._listeners.append(listener)
            if self._watching is None and not self.store.sqlite:
                self._watching = Watch(self.store, self._tell, self._missed)
        return lambda: self._listeners.remove(listener)

    def _tell(self, table_id: str, seq: int) -> None:
        """Notifies listeners once of every line number; the database repeats those of this process."""
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
        """Notifies listeners that any table may have changed."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener("", 0)


def back_off(attempt: int) -> None:
    """Waits a random time, longer with each attempt, so that colliding writers do not collide again."""
    time.sleep(random.uniform(0, 0.002 * 2 ** min(attempt, 6)))


def is_id(table_id: str) -> bool:
    return len(table_id) == 16 and all(digit in "0123456789abcdef" for digit in table_id)
