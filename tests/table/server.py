"""A server process to be killed: it acts at tables as told through a pipe, and acknowledges what the database has stored."""

import resource
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from rulewright.errors import UserError
from rulewright.preload import make_ready
from rulewright.system import find
from rulewright.table.commands.all_actions import AnyAction
from rulewright.table.service import Tables
from rulewright.table.storage.store import outage

WORKERS = 6
make_ready(find("scumm"))  # once, in the process that all servers are forked from


class Wish(Struct):
    """A request of a client, under a key that stays the same however often it is sent."""

    table: str
    member: str
    key: str
    action: AnyAction


class Granted(Struct):
    """An acknowledgement: this is on disk. With the checksum of the last line and the marks of open questions."""

    table: str
    key: str
    seq: int
    last: int
    check: str
    questions: tuple[str, ...]
    refused: str = ""
    again: bool = False
    outage: bool = False
    """The database did not answer: the request may or may not be on disk, and is sent again."""


def standing(tables: Tables, table_id: str) -> tuple[int, str, tuple[str, ...]]:
    """The number and checksum of the last line, and the marks of all open questions."""
    with tables.looking(table_id) as table:
        marks = tuple(question.mark for stage in table.open_scenes() for question in stage.questions())
        return table.seq, table.check, marks


def serve(url: str, pipe: Connection, largest_file: int = 0) -> None:
    """Carries out requests, with several threads, until killed. With `largest_file` no file may grow beyond so many bytes."""
    tables = Tables(url)
    lock = threading.Lock()
    if largest_file:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    def grant(wish: Wish) -> None:
        seq, refused, again = 0, "", False
        try:
            try:
                acted = tables.act(wish.table, wish.member, wish.action, wish.key)
                seq, again = acted.seq, acted.again
            except UserError as error:
                refused = str(error)
            granted = Granted(wish.table, wish.key, seq, *standing(tables, wish.table), refused, again)
        except SQLAlchemyError as error:
            if not outage(error):
                raise
            granted = Granted(wish.table, wish.key, 0, 0, "", (), outage(error), outage=True)
        with lock:
            pipe.send(granted)

    with ThreadPoolExecutor(WORKERS) as pool:
        while True:
            pool.submit(grant, pipe.recv())
