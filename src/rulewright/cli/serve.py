"""`serve`: the table in the browser."""

from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import Wrong

if TYPE_CHECKING:
    import socket


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen at.")
@click.option(
    "--db", metavar="URL", help="Where tables are kept: sqlite:///tables.db, postgresql://user@host/name; a file of yours by default."
)
@click.option("--public", metavar="URL", default="", help="The address under which people elsewhere reach it, for invitations.")
@click.option("--proxy", metavar="ADDRESS", help="Believe the forwarded headers of a proxy at this address (and of nobody else).")
@as_json
def serve(host: str, port: int, db: str | None, public: str, proxy: str | None, json_wanted: bool) -> None:
    """The table in the browser; stop with Ctrl-C.

    Other devices reach it with --host 0.0.0.0; people outside your network through a port that your router forwards or a tunnel, whose
    address --public then names for the invitations.
    """
    try:
        import litestar  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise Wrong(f"the table in the browser needs the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
    _refuse_taken(host, port)
    from rulewright.web.app import create_app
    from rulewright.web.reach import Reach

    reach = Reach(host, port, public)
    application = create_app(db, reach=reach)
    application.state.tables.store.serve_alone()
    if json_wanted:
        addresses = [{"url": each.url, "good_for": each.good_for} for each in reach.addresses()]
        emit({"host": host, "port": port, "url": f"http://{host}:{port}", "addresses": addresses})
    else:
        for each in reach.addresses():
            click.echo(f"{each.url}   {each.good_for}", err=True)
        if reach.alone:
            click.echo("For other devices in your network: --host 0.0.0.0", err=True)
        click.echo("(stop with Ctrl-C)", err=True)
    keep_what_stays()
    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        log_level="warning",
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy or "",
        timeout_graceful_shutdown=3,
    )

    class Server(uvicorn.Server):
        """Ends the open streams first when it stops: they would never end by themselves, and everybody would wait for them."""

        async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
            await application.state.live.close()
            await super().shutdown(sockets)

    server = Server(config)
    with _quietly():
        server.run()
    if not server.started:
        raise SystemExit(3)


@contextmanager
def _quietly() -> Iterator[None]:
    """Ctrl-C while people are connected is no fault: streams that are cut off then say nothing about it."""
    import logging

    class Stopping(logging.Filter):
        """Leaves out what a server says of streams that it cuts off when it stops."""

        def filter(self, record: logging.LogRecord) -> bool:
            told = record.getMessage()
            cut_off = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
            return not cut_off and "graceful shutdown" not in told and "CancelledError" not in told

    logger = logging.getLogger("uvicorn.error")
    stopping = Stopping()
    logger.addFilter(stopping)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        logger.removeFilter(stopping)


def keep_what_stays() -> None:
    """Games, rules and pages are there for as long as the server runs: looking through them for garbage again and again would make
    everybody wait."""
    import gc

    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _refuse_taken(host: str, port: int) -> None:
    """Say in our own words that somebody else listens there already."""
    import socket

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise Wrong(f"cannot listen at {host}, port {port}: {(error.strerror or str(error)).lower()}; --port takes another") from None
