"""Generated requests to every address: queries, forms, uploads, JSON, files and plain noise. Never a server error.

Every request is answered within bounded processor time, and all of them together within bounded memory. `make thorough` sends 50,000;
`RULEWRIGHT_FUZZ=N pytest tests/web/test_fuzz.py` sends so many.
"""

import json
import os
import re
import resource
import time
from random import Random
from urllib.parse import urlencode

import pytest
from litestar.testing import TestClient
from tests.table.test_pictures import drawn, huge
from tests.web.test_tables import Group, act, group, opened, sat  # noqa: F401

REQUESTS = int(os.environ.get("RULEWRIGHT_FUZZ", "1500"))
PARTS = [*[(part, REQUESTS // 3) for part in range(3)], *[pytest.param(3 + part, 10_000, marks=pytest.mark.thorough) for part in range(5)]]
MOST_SECONDS, MOST_MEMORY = 8.0, 400_000
"""Processor time of a request, and growth of the process in kB."""
SLOW = re.compile(r".*/(lab/.*|chances|hints|think|odds|call|paper|host/open|demo.*|go-on|leave|live|stream)$")
"""Requests that calculate or open a table."""
WORDS = [
    "",
    "0",
    "-1",
    "1e309",
    "9" * 40,
    "nan",
    "true",
    "x" * 300,
    "\0",
    "\u202e",
    "<b>",
    "../..",
    "scene:1",
    "hired-gun",
    "m1",
    "{}",
    "[[",
    "%s",
]
NAMES = [
    "do",
    "scene",
    "at",
    "text",
    "title",
    "name",
    "file",
    "readers",
    "to",
    "picture",
    "purpose",
    "key",
    "question",
    "given",
    "who",
    "on",
]
KINDS = ["", "text/plain", "image/png", "text/plain; charset=utf-16", "text/plain; charset=none", "application/json"]
ACTIONS = [
    "say",
    "write note",
    "test",
    "begin scene",
    "answer",
    "roll",
    "keep map",
    "draw",
    "keep draft",
    "add character",
    "place token",
    "undo",
]


def part(whim: Random, files: list[bytes]) -> bytes:
    """One part of a multipart form, well formed or not."""
    name = whim.choice([f'; name="{whim.choice(NAMES)}"', "", '; name=""', f"; name={whim.choice(NAMES)}"])
    file = whim.choice(["", "", '; filename="map.png"', '; filename=""', "; filename*=utf-8''%ff", '; filename="../../x.json"'])
    kind = whim.choice(KINDS)
    head = f"Content-Disposition: form-data{name}{file}" + (f"\r\nContent-Type: {kind}" if kind else "")
    content = whim.choice([whim.choice(files), whim.choice(WORDS).encode(), whim.randbytes(whim.randrange(40))])
    return head.encode("utf-8", "replace") + b"\r\n\r\n" + content


def mutated(whim: Random, content: bytes) -> bytes:
    """A file with a few bytes changed, cut off, or put twice."""
    data = bytearray(content)
    for _ in range(whim.randrange(4)):
        at = whim.randrange(max(1, len(data)))
        data[at : at + whim.randrange(3)] = whim.randbytes(whim.randrange(4))
    return bytes(data[: whim.randrange(len(data) + 1)] if whim.random() < 0.3 else data)


def value(whim: Random, depth: int = 0) -> object:
    sort = whim.randrange(8 if depth < 4 else 5)
    if sort == 5:
        return [value(whim, depth + 1) for _ in range(whim.randrange(4))]
    if sort >= 6:
        return {whim.choice(NAMES): value(whim, depth + 1) for _ in range(whim.randrange(4))}
    return whim.choice([None, True, whim.choice(WORDS), whim.randrange(-5, 5), 1e300])


def body(whim: Random, files: list[bytes]) -> tuple[bytes, str]:
    """A body and its content type."""
    sort = whim.randrange(5)
    if sort == 0:
        parts = b"".join(b"--x\r\n" + part(whim, files) + b"\r\n" for _ in range(whim.randrange(4)))
        return parts + whim.choice([b"--x--\r\n", b"--x", b""]), whim.choice(["multipart/form-data; boundary=x", "multipart/form-data"])
    if sort == 1:
        fields = "&".join(f"{whim.choice(NAMES)}={whim.choice([*WORDS, *ACTIONS])}" for _ in range(whim.randrange(6)))
        return fields.encode(), "application/x-www-form-urlencoded"
    if sort == 2:
        action = {"do": whim.choice(ACTIONS)} | {whim.choice(NAMES): value(whim) for _ in range(whim.randrange(4))}
        return json.dumps({"action": action, "key": whim.choice(WORDS)}).encode(), "application/json"
    if sort == 3:
        return json.dumps(value(whim)).encode(), "application/json"
    return mutated(whim, whim.choice(files)), whim.choice(["application/json", "application/octet-stream", "text/plain", "x"])


def addresses(client: TestClient, table: str, character: str) -> list[tuple[str, str]]:
    """Every method and address that neither calculates for long nor streams."""
    known = {"table": table, "character": character, "scene": "1", "system": "scumm", "member": "m2", "map_id": "g1", "picture": "0" * 32}
    found = []
    for route in client.app.routes:
        path = re.sub(r"\{(\w+):\w+\}", lambda name: known.get(name[1], "x"), route.path)
        if not SLOW.fullmatch(path):
            found += [(method, path) for method in getattr(route, "methods", ()) if method in ("GET", "POST", "PUT", "PATCH", "DELETE")]
    return sorted(found)


def query(whim: Random) -> str:
    """A query, mostly none."""
    names = [*NAMES, "before", "after", "most", "step", "q", "progress", "as", "seat", "text", "page"]
    return urlencode([(whim.choice(names), whim.choice(WORDS)) for _ in range(whim.choice((0, 0, 1, 3)))], errors="replace")


@pytest.mark.parametrize(("part_of_all", "requests"), PARTS)
def test_no_generated_request_breaks_the_server(group: Group, part_of_all: int, requests: int, caplog) -> None:  # noqa: F811
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made, "Ana")
    character = act(player, made, "add character", ready="hired-gun", name="Vesna").json()["made"]
    act(leader, made, "begin scene", ready="duel")
    exported = leader.get(f"/api/tables/{made['table']}/export").content
    files = [
        exported,
        drawn(),
        drawn(form="WEBP"),
        drawn(form="JPEG"),
        huge(),
        b'{"format": 0.3, "resolution": {}}',
        b"system: scumm\nkind: map\n",
    ]
    whim, where = Random(part_of_all), addresses(leader, made["table"], character)
    assert len(where) > 40
    memory = 0
    for number in range(requests):
        method, path = whim.choice(where)
        path = f"{path}?{query(whim)}"
        content, kind = (b"", "text/plain") if method == "GET" else body(whim, files)
        begun = time.process_time()
        answer = whim.choice([leader, player]).request(
            method, path, content=content, headers={"content-type": kind}, follow_redirects=False
        )
        assert answer.status_code < 500, (method, path, kind, content[:400])
        assert time.process_time() - begun < MOST_SECONDS, (method, path, kind, content[:400])
        if number == min(300, requests // 2):
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # every page was drawn once
        if answer.status_code >= 400:
            assert "Traceback" not in answer.text
    assert leader.get("/health").status_code == 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < MOST_MEMORY


@pytest.mark.parametrize("where", ["pictures", "maps/new", "notes/write", "act"])
def test_a_part_without_a_file_name_is_refused_with_a_sentence(group: Group, where: str) -> None:  # noqa: F811
    made = opened(group.server)
    for head in ("", "\r\nContent-Type: image/png", "\r\nContent-Type: text/plain; charset=none"):
        content = b'--x\r\nContent-Disposition: form-data; name="file"' + head.encode() + b"\r\n\r\n\x89PNG\xff\r\n--x--\r\n"
        path, kind = f"/tables/{made['table']}/{where}", {"content-type": "multipart/form-data; boundary=x"}
        answer = group.server.post(path, content=content, headers=kind)
        assert answer.status_code == 400
        assert "needs a file name" in answer.text


def test_json_that_is_no_text_is_refused_with_a_sentence(group: Group) -> None:  # noqa: F811
    made = opened(group.server)
    headers = {"content-type": "application/json"}
    answer = group.server.post(f"/api/tables/{made['table']}/act", content=b'{"action\xc7": 1}', headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": "the request is not text in UTF-8"})
