"""A server on a free port for the browser, and a client without one for everything else."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from litestar import Litestar
from litestar.testing import TestClient
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from rulewright.web.app import attach_services, build_app, create_app
from rulewright.web.server.security import Rates

FREELY = Rates(1e6, 10**9, 1e6, 10**9)
"""Nobody is held back: tests are faster than people."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page that did not show something in time on a crowded machine is tried once more; the summary counts it."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError", "Locator expected"]))


PAGES = cache(build_app)
"""The application without anything kept, made once: to make it takes longer than most tests."""


def fresh(db: Path) -> Litestar:
    """The application as it is where nobody has been yet. One at a time: a test that needs two makes the second by `create_app`."""
    app = PAGES()
    attach_services(app, str(db), FREELY)
    return app


@pytest.fixture
def client(tmp_path) -> Iterator[TestClient]:
    with TestClient(fresh(tmp_path / "tables.db")) as client:
        yield client


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serves an application on a free port; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # A browser asks again where a connection that it had kept was closed at the very moment; the tests' own requests do not.
    lasting = {"timeout_keep_alive": 600}
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", **lasting))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < until, "the server took too long to start"
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    with served(create_app(str(tmp_path_factory.mktemp("tables") / "tables.db"), FREELY)) as where:
        yield where


PATIENCE = 30_000
"""Milliseconds for what a page shows at once where the machine does nothing else."""
expect.set_options(timeout=PATIENCE)

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        yield browser
        browser.close()


def complains(message: ConsoleMessage) -> bool:
    """Whether the browser found a fault. A refusal is an answer, as where of two people who act at the same moment one comes too late,
    or asks about a question that is somebody else's by now; and letters that were fetched early may be late all the same."""
    return message.type in ("error", "warning") and not re.search("status of 40[03]|was preloaded", message.text)


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens a page as a new visitor; whatever the browser complains about, or asks of another host, fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(path: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 960}, "base_url": address, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complaints.append(f"{message.text} {message.location}") if complains(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(address) else complaints.append(request.url))
        page.add_init_script("document.addEventListener('securitypolicyviolation', event => console.error(event.violatedDirective))")
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def to_demo(page: Page, system: str, scenario: str, role: str = "gamemaster") -> None:
    """Opens a demo; by default as the gamemaster, who sees and may do everything."""
    page.evaluate(
        """([system, fields]) => {
            const form = Object.assign(document.createElement("form"), { method: "post", action: `/demo/${system}` });
            for (const [name, value] of Object.entries(fields)) {
                form.append(Object.assign(document.createElement("input"), { name, value }));
            }
            document.body.append(form);
            form.submit();
        }""",
        [system, {"scenario": scenario, "role": role}],
    )
    page.wait_for_url("**/tables/*")
