"""`serve`: the table in the browser."""

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError

MOST_WORKERS = 64


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen at.")
@click.option(
    "--db", metavar="URL", help="Where tables are kept: sqlite:///tables.db, postgresql://user@host/name; a file of yours by default."
)
@click.option("--public", metavar="URL", default="", help="The address under which people elsewhere reach it, for invitations.")
@click.option("--proxy", metavar="ADDRESS", help="Believe the forwarded headers of a proxy at this address (and of nobody else).")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), default=1, show_default=True, help="Server processes, on PostgreSQL.")
@click.option("--room", type=click.FloatRange(0.001), default=20.0, show_default=True, help="Gigabytes of tables, then no new ones.")
@click.option("--access-log", metavar="FILE", default="", help="Log every request, without secrets; - for standard error.")
@click.option("--metrics", type=click.IntRange(0, 65535), default=0, help="A port of this machine at which Prometheus finds numbers.")
@as_json
def serve(
    host: str,
    port: int,
    db: str | None,
    public: str,
    proxy: str | None,
    workers: int,
    room: float,
    access_log: str,
    metrics: int,
    json_wanted: bool,
) -> None:
    """The table in the browser; stop with Ctrl-C.

    Other devices reach it with --host 0.0.0.0; people outside your network through a port that your router forwards or a tunnel, whose
    address --public then names for the invitations. docs/hosting.md tells how to run it for others.
    """
    try:
        import litestar  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UserError(
            f"the table in the browser needs the extra `web` ({error.name} is missing): pip install 'rulewright[web]'"
        ) from None
    _refuse_taken(host, port)
    from rulewright.table.storage.store import Store
    from rulewright.web.server.addresses import ServerAddresses
    from rulewright.web.server.launch import ServerOptions, run

    reach = ServerAddresses(host, port, public)
    store = Store(db)  # said now, if it cannot be opened
    if workers > 1 and store.sqlite:
        raise UserError("several server processes need PostgreSQL: --db postgresql://user@host/name")
    if store.sqlite:
        store.serve_alone()
    store.close()
    if json_wanted:
        addresses = [{"url": address.url, "good_for": address.good_for} for address in reach.addresses()]
        emit({"host": host, "port": port, "url": f"http://{host}:{port}", "addresses": addresses})
    else:
        for address in reach.addresses():
            click.echo(f"{address.url}   {address.good_for}", err=True)
        if reach.alone:
            click.echo("For other devices in your network: --host 0.0.0.0", err=True)
        click.echo("(stop with Ctrl-C)", err=True)
    if not run(ServerOptions(host, port, db, public, proxy, workers, room, access_log, metrics)):
        raise SystemExit(3)


def _refuse_taken(host: str, port: int) -> None:
    """Say in our own words that somebody else listens there already."""
    import socket

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise UserError(f"cannot listen at {host}, port {port}: {(error.strerror or str(error)).lower()}; --port takes another") from None
