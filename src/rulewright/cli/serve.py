"""The command `serve`: the table server for the browser."""

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError

MOST_WORKERS = 64


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option(
    "--db", metavar="URL", help="The database: sqlite:///tables.db or postgresql://user@host/name. Default: a file in your data folder."
)
@click.option("--public", metavar="URL", default="", help="Public address of the server, for invite links.")
@click.option("--proxy", metavar="ADDRESS", help="Trust forwarded headers of the proxy at this address only.")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), default=1, show_default=True, help="Server processes; needs PostgreSQL.")
@click.option("--room", type=click.FloatRange(0.001), default=20.0, show_default=True, help="Refuse new tables above so many gigabytes.")
@click.option("--access-log", metavar="FILE", default="", help="Log every request without secrets to this file; - for standard error.")
@click.option("--metrics", type=click.IntRange(0, 65535), default=0, help="Local port for Prometheus metrics; 0 for none.")
@click.option("--local-webhooks", is_flag=True, help="Let webhooks send events into this server's own network too.")
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
    local_webhooks: bool,
    json_wanted: bool,
) -> None:
    """Run the table server. Stop it with Ctrl-C.

    With --host 0.0.0.0 other devices in your network can join. For people outside, forward a port of your router or use a tunnel, and
    give its address as --public. See docs/hosting.md.
    """
    try:
        import litestar  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UserError(f"the table server needs the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
    _refuse_taken(host, port)
    from rulewright.table.storage.store import Store
    from rulewright.web.server.addresses import ServerAddresses
    from rulewright.web.server.launch import ServerOptions, run

    reach = ServerAddresses(host, port, public, local_webhooks)
    store = Store(db)  # fail early if it cannot be opened
    if workers > 1 and store.sqlite:
        raise UserError("--workers above 1 needs PostgreSQL: --db postgresql://user@host/name")
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
            click.echo("Use --host 0.0.0.0 to let other devices in your network join.", err=True)
        click.echo("Press Ctrl-C to stop.", err=True)
    if not run(ServerOptions(host, port, db, public, proxy, workers, room, access_log, metrics, local_webhooks)):
        raise SystemExit(3)


def _refuse_taken(host: str, port: int) -> None:
    """Raise UserError if the address cannot be used, such as a port that is in use."""
    import socket

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise UserError(f"cannot listen on {host}, port {port}: {(error.strerror or str(error)).lower()}; try another --port") from None
