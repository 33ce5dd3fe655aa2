"""The connection to a server: cookies, errors, files and the stream of a table's events."""

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from msgspec import Struct

from rulewright_client import models
from rulewright_client.calls import Calls

COOKIES = ("__Host-device", "device")
"""The names of the device's cookie, with TLS and without."""


class Refused(Exception):
    """The server refused a request. `retry_after` is the number of seconds to wait if it was too busy."""

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class Event(Struct, frozen=True):
    """A change of a table: the mark to go on from, and the log entries that you may see."""

    mark: str
    lines: list[models.LogShown]


class Client(Calls):
    """A device at a server. The server knows it by a cookie: keep `device`, and give it again to take the same seats."""

    def __init__(self, address: str, device: str = "", timeout: float = 30.0) -> None:
        cookies = dict.fromkeys(COOKIES, device) if device else None
        self.http = httpx.Client(base_url=address.rstrip("/"), cookies=cookies, timeout=timeout, headers={"Accept": "application/json"})

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    @property
    def device(self) -> str:
        """The cookie that identifies this device; secret."""
        known = {cookie.name: cookie.value for cookie in self.http.cookies.jar}
        return next((value for name in COOKIES if (value := known.get(name))), "")

    def send(self, method: str, path: str, answer: Any, *, of: dict[str, Any], query: dict[str, Any], body: Any = None) -> Any:
        """Send a request and convert its JSON answer to a type. `of` fills the blanks of the path."""
        given = {key: value for key, value in query.items() if value is not None}
        content = None if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"} if content is not None else None
        reply = self.http.request(method, self._filled(path, of), params=given, content=content, headers=headers)
        self._check(reply)
        return msgspec.json.decode(reply.content, type=answer)

    def sheet_sent(self, system: str, text: str) -> dict[str, Any]:
        """Compute the sheet of a character file, as YAML or JSON."""
        return self._sent(f"/api/systems/{quote(system, safe='')}/sheet", text.encode())

    def audit_sent(self, system: str, text: str) -> dict[str, Any]:
        """Check whether a character file is legal."""
        return self._sent(f"/api/systems/{quote(system, safe='')}/audit", text.encode())

    def export_table(self, table: str) -> bytes:
        """Get the whole table as a file (gamemaster), or what you may see of it."""
        return self._file(f"/api/tables/{quote(table, safe='')}/export")

    def copy_table(self, table: str, kind: str) -> bytes:
        """Get a copy of a table for other programs: `journal`, `log` or `calendar`."""
        return self._file(f"/api/tables/{quote(table, safe='')}/copies/{quote(kind, safe='')}")

    def stream(self, table: str, after: str = "") -> Iterator[Event]:
        """Follow a table: one event for each change that you may see, from a mark on. It ends when the server closes the connection."""
        address = f"/api/tables/{quote(table, safe='')}/stream"
        timeout = httpx.Timeout(self.http.timeout.connect, read=None)
        with self.http.stream("GET", address, params={"after": after}, timeout=timeout) as reply:
            if reply.status_code >= 400:
                reply.read()
            self._check(reply)
            fields: dict[str, list[str]] = {}
            for line in reply.iter_lines():
                if line:
                    key, _, value = line.partition(":")
                    fields.setdefault(key, []).append(value.removeprefix(" "))
                elif "data" in fields:
                    event = _event(fields)
                    fields = {}
                    if event is not None:
                        yield event
                else:
                    fields = {}

    def _filled(self, path: str, of: dict[str, Any]) -> str:
        return path.format(**{key: quote(str(value), safe="") for key, value in of.items()})

    def _sent(self, path: str, content: bytes) -> dict[str, Any]:
        reply = self.http.post(path, content=content)
        self._check(reply)
        result: dict[str, Any] = msgspec.json.decode(reply.content)
        return result

    def _file(self, path: str) -> bytes:
        reply = self.http.get(path)
        self._check(reply)
        return reply.content

    def _check(self, reply: httpx.Response) -> None:
        if reply.status_code < 400:
            return
        try:
            said = json.loads(reply.content)
            message = said["error"]
        except (ValueError, KeyError, TypeError):
            message = reply.text
        wait = reply.headers.get("retry-after", "")
        raise Refused(reply.status_code, str(message)[:2000], float(wait) if wait.isdigit() else None)


def _event(fields: dict[str, list[str]]) -> Event | None:
    """An event of the stream; None for a sign of life."""
    said = json.loads("\n".join(fields["data"]) or "{}")
    if not isinstance(said, dict) or "lines" not in said:
        return None
    return Event("".join(fields.get("id", [""])), msgspec.convert(said["lines"], list[models.LogShown]))
