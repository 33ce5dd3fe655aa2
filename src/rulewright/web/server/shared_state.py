"""State shared by several server processes through the database: rate limits and simulations."""

import threading
from collections import OrderedDict
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from rulewright.table.storage.columns import JOBS, RATES
from rulewright.table.storage.store import Store, now

FORGET_SECONDS = 3_600
"""An unused bucket is full again after this long, and a finished simulation is no longer needed."""
CLEAN_EVERY = 1_000
"""Old buckets are deleted once in this many calls."""
RESERVED_PART, RESERVED_SECONDS, MAX_RESERVED = 6, 10, 20_000
"""A process reserves a sixth of a full bucket at once, uses it up within GOOD_SECONDS, and does so for at most MAX_RESERVED buckets."""


class SharedBuckets:
    """Token buckets in the database. One SQL statement takes tokens, so two processes never take the same.

    A process reserves several tokens at once, so that not every request needs the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._calls = 0
        self._lock = threading.Lock()
        self._reserved: OrderedDict[str, tuple[int, int]] = OrderedDict()
        """Tokens reserved and not used yet, and until when they are valid."""

    def take(self, bucket: str, rate: float, most: int) -> bool:
        """Take one token from a bucket that gains `rate` tokens a second up to `most`; false if it is empty."""
        at = now()
        with self._lock:
            left, until = self._reserved.get(bucket, (0, 0))
            if left and at < until:
                self._reserved[bucket] = (left - 1, until)
                return True
        several = max(1, most // RESERVED_PART)
        for wanted in dict.fromkeys((several, 1)):
            if self._take_from_database(bucket, rate, most, wanted, at):
                self._reserve(bucket, wanted - 1, at)
                return True
        return False

    def _reserve(self, bucket: str, left: int, at: int) -> None:
        with self._lock:
            self._reserved[bucket] = (left, at + RESERVED_SECONDS * 1_000_000)
            self._reserved.move_to_end(bucket)
            while len(self._reserved) > MAX_RESERVED:
                self._reserved.popitem(last=False)

    def _take_from_database(self, bucket: str, rate: float, most: int, wanted: int, at: int) -> bool:
        """Take tokens from a bucket in the database; false if it has too few."""
        filled = RATES.c.level + sa.cast(at - RATES.c.at, sa.Float) * (rate / 1_000_000)
        level = sa.case((filled > float(most), float(most)), else_=filled)
        update = sa.update(RATES).where(RATES.c.bucket == bucket)
        self._delete_old()
        with self._store.writing() as connection:
            if connection.execute(update.where(filled >= float(wanted)).values(level=level - float(wanted), at=at)).rowcount:
                return True
            if connection.execute(sa.select(RATES.c.at).where(RATES.c.bucket == bucket)).scalar() is not None:
                return False
        try:
            with self._store.writing() as connection:
                connection.execute(sa.insert(RATES).values(bucket=bucket, level=float(most - wanted), at=at))
        except IntegrityError:
            return self._take_from_database(bucket, rate, most, wanted, at)  # another process created it meanwhile
        return True

    def _delete_old(self) -> None:
        self._calls += 1
        if self._calls % CLEAN_EVERY == 0:
            with self._store.writing() as connection:
                connection.execute(sa.delete(RATES).where(RATES.c.at < now() - FORGET_SECONDS * 1_000_000))


class JobStatus(Struct, frozen=True):
    """The status of a simulation, readable by every process."""

    id: str
    system: str
    scenario: str
    how: str
    title: str
    progress: dict[str, Any]
    answer: dict[str, Any] | None = None
    wrong: str = ""
    done: bool = False


class JobStore:
    """The simulations of all processes: one process runs each, and any process can show, keep alive and stop it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, job: JobStatus) -> None:
        """Write the status of a simulation."""
        body, at = msgspec.json.encode(job), now()
        with self._store.writing() as connection:
            update = sa.update(JOBS).where(JOBS.c.id == job.id).values(body=body, at=at, done=job.done)
            if not connection.execute(update).rowcount:
                connection.execute(sa.insert(JOBS).values(id=job.id, at=at, seen=at, done=job.done, stop=False, body=body))
                connection.execute(sa.delete(JOBS).where(JOBS.c.at < at - FORGET_SECONDS * 1_000_000))

    def look(self, job_id: str) -> JobStatus | None:
        """Read the status of a simulation; this keeps it alive."""
        with self._store.writing() as connection:
            connection.execute(sa.update(JOBS).where(JOBS.c.id == job_id).values(seen=now()))
            body = connection.execute(sa.select(JOBS.c.body).where(JOBS.c.id == job_id)).scalar()
        return None if body is None else msgspec.json.decode(bytes(body), type=JobStatus)

    def stop(self, job_id: str) -> None:
        """Ask the process that runs a simulation to stop it."""
        with self._store.writing() as connection:
            connection.execute(sa.update(JOBS).where(JOBS.c.id == job_id).values(stop=True))

    def read_requests(self, job_id: str) -> tuple[float, bool]:
        """How many seconds ago the status was last read, and whether the simulation is to stop."""
        row = next(iter(self._store.rows(sa.select(JOBS.c.seen, JOBS.c.stop).where(JOBS.c.id == job_id))), None)
        return (0.0, False) if row is None else (max(0.0, (now() - row.seen) / 1_000_000), bool(row.stop))

    def running(self, seconds: float) -> int:
        """How many simulations are running: not done, with a status newer than `seconds`, since a process may have died."""
        query = sa.select(sa.func.count()).where(sa.not_(JOBS.c.done), JOBS.c.at > now() - int(seconds * 1_000_000))
        return int(self._store.value(query) or 0)
