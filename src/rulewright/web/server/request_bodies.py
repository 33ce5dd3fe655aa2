"""Reads the bodies of requests before they get a slot, so that a slow body keeps nobody else waiting.

Bodies of strangers are small and quick. Only members of a table send pictures to it, and only a few files are imported at once.
"""

import re
import time
from asyncio import wait_for
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from rulewright.files.images import MOST_BYTES as PICTURE_BYTES
from rulewright.table.storage import adventures, export
from rulewright.web.server.asgi import Receive, Scope
from rulewright.web.server.security import MAX_BYTES

PICTURES = re.compile(r"(?:/api)?/tables/[^/]+/(?:pictures|maps/new|maps/[^/]+/picture|notes/write|characters/[^/]+/picture)")
"""Paths to which members send pictures."""
IMPORTS = ("/import/read", "/api/import")
ADVENTURES = re.compile(r"/adventures/(?:import|mine/[^/]+/upload)")
"""Paths to which visitors send adventures and their pictures."""
FORM_BYTES = 100_000
"""The form around a file."""
MAX_PICTURE_BYTES, MAX_IMPORT_BYTES = PICTURE_BYTES + FORM_BYTES, export.MOST_BYTES + FORM_BYTES
MAX_ADVENTURE_BYTES = adventures.MOST_BYTES + FORM_BYTES
STRANGER_SECONDS, MEMBER_SECONDS = 10.0, 30.0
"""Time limit for the body of a stranger and of a member."""
FILE_SPEED = 50_000
"""A file gets one more second for every FILE_SPEED bytes received."""
LIMITS = {"forms": (400, 20), "files": (24, 2), "imports": (6, 1)}
"""How many bodies of a sort are read at once: in total, and of one member or address."""
IN_MEMORY = 300_000
"""A larger body is kept in a temporary file."""
CHUNK = 1 << 18


class TooManyBodies(Exception):
    """Too many bodies are being read; the message says of whom."""


class TooSlow(Exception):
    """A body did not arrive in time."""


class Body:
    """A body that was read completely."""

    def __init__(self, content: IO[bytes], size: int) -> None:
        self._content, self.size = content, size
        self._left = size
        content.seek(0)

    async def receive(self) -> Any:
        """The body as an application receives it, in parts; then nothing more."""
        part = self._content.read(CHUNK) if self._left else b""
        self._left -= len(part)
        return {"type": "http.request", "body": part, "more_body": self._left > 0}

    def all(self) -> bytes:
        """The whole body."""
        self._content.seek(0)
        return self._content.read()

    def close(self) -> None:
        """Drop the body."""
        self._content.close()


class BodyReader:
    """Reads bodies, a bounded number at a time."""

    def __init__(self) -> None:
        self._reading: Counter[str] = Counter()

    async def read(self, scope: Scope, receive: Receive, member: bool, who: str) -> Body:
        """Read the body of a request of `who`; of one that is too large, one byte more than allowed, so that the application refuses it."""
        sort, most = self._sort(scope["path"], member)
        with self._counted(sort, who):
            return await self._read(receive, most, MEMBER_SECONDS if member else STRANGER_SECONDS, sort != "forms")

    def _sort(self, path: str, member: bool) -> tuple[str, int]:
        if path in IMPORTS:
            return "imports", MAX_IMPORT_BYTES
        if ADVENTURES.fullmatch(path):
            return "files", MAX_ADVENTURE_BYTES
        return ("files", MAX_PICTURE_BYTES) if member and PICTURES.fullmatch(path) else ("forms", MAX_BYTES)

    @contextmanager
    def _counted(self, sort: str, who: str) -> Iterator[None]:
        most, of_one = LIMITS[sort]
        own = f"{sort} {who}"
        if self._reading[own] >= of_one:
            raise TooManyBodies("your last files are still being sent" if sort != "forms" else "you are sending too much at once")
        if self._reading[sort] >= most:
            raise TooManyBodies("others are sending files" if sort != "forms" else "the server has more visitors than it can serve")
        self._reading.update((own, sort))
        try:
            yield
        finally:
            self._reading.subtract((own, sort))
            self._reading += Counter()  # drops the zeros

    async def _read(self, receive: Receive, most: int, seconds: float, is_file: bool) -> Body:
        content: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 -- the body closes it
        begun, size, more = time.monotonic(), 0, True
        try:
            while more and size <= most:
                late = begun + seconds + (size / FILE_SPEED if is_file else 0.0)
                message = await wait_for(receive(), max(0.01, late - time.monotonic()))
                if message["type"] != "http.request":
                    raise TooSlow
                part = message.get("body", b"")[: most + 1 - size]
                size += len(part)
                content.write(part)
                more = message.get("more_body", False)
        except TimeoutError:
            content.close()
            raise TooSlow from None
        except BaseException:
            content.close()
            raise
        return Body(content, size)


def has_body(scope: Scope) -> bool:
    """Whether a request has a body."""
    heads = dict(scope["headers"])
    return b"transfer-encoding" in heads or heads.get(b"content-length", b"0").strip() not in (b"", b"0")


def is_declared_too_large(scope: Scope, member: bool) -> bool:
    """Whether the head of a request announces more than is allowed; such a body is not read."""
    path = scope["path"]
    most = MAX_IMPORT_BYTES if path in IMPORTS else MAX_PICTURE_BYTES if member and PICTURES.fullmatch(path) else MAX_BYTES
    most = MAX_ADVENTURE_BYTES if ADVENTURES.fullmatch(path) else most
    return any(name == b"content-length" and (not value.isdigit() or int(value) > most) for name, value in scope["headers"])
