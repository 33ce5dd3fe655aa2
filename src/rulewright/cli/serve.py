"""`serve`: the table in the browser."""

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import Wrong


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen at.")
@click.option(
    "--db", metavar="URL", help="Where tables are kept: sqlite:///tables.db, postgresql://user@host/name; a file of yours by default."
)
@click.option("--proxy", metavar="ADDRESS", help="Believe the forwarded headers of a proxy at this address (and of nobody else).")
@as_json
def serve(host: str, port: int, db: str | None, proxy: str | None, json_wanted: bool) -> None:
    """The table in the browser; stop with Ctrl-C."""
    try:
        import litestar  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise Wrong(f"the table in the browser needs the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
    _refuse_taken(host, port)
    from rulewright.web.app import create_app

    application = create_app(db)
    if json_wanted:
        emit({"host": host, "port": port, "url": f"http://{host}:{port}"})
    else:
        click.echo(f"http://{host}:{port}   (stop with Ctrl-C)", err=True)
    keep_what_stays()
    uvicorn.run(
        application,
        host=host,
        port=port,
        log_level="warning",
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy or "",
        timeout_graceful_shutdown=3,
    )


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
