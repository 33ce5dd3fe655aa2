"""Every address answers with what its handler makes.

Litestar 2 registers the handlers of a path again when another handler comes to the same path, and does not know what it has wrapped for a
thread from what it has not: such a handler is wrapped twice, gives a coroutine instead of a response, and the page answers with 500. So a
handler that runs in a thread shares its path with no other, and has one path alone.
"""

from litestar.handlers import HTTPRouteHandler
from litestar.utils.sync import AsyncCallable

from rulewright.web.app import create_app


def wrapped(handler: HTTPRouteHandler) -> int:
    """How often a handler's function was put into a thread."""
    count, inner = 0, handler.fn
    while isinstance(inner, AsyncCallable):
        count += 1
        inner = inner.func
    return count


def test_no_handler_is_put_into_a_thread_twice(tmp_path):
    app = create_app(str(tmp_path / "tables.db"))
    handlers = {str(handler): handler for route in app.routes for handler in getattr(route, "route_handlers", ())}
    assert len(handlers) > 100
    assert [name for name, handler in handlers.items() if isinstance(handler, HTTPRouteHandler) and wrapped(handler) > 1] == []
