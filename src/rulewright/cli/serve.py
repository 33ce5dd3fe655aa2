"""`serve`: the table in the browser."""

from typing import Any

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import Wrong


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen at.")
@click.option("--db", metavar="URL", help="Where campaigns are kept: sqlite:///table.db, postgresql://...")
@as_json
def serve(host: str, port: int, db: str | None, json_wanted: bool) -> None:
    """The table in the browser; stop with Ctrl-C."""
    try:
        import litestar  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise Wrong(f"the table in the browser needs the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
    from rulewright.web import app

    arguments: dict[str, Any] = {} if db is None else {"db": db}
    try:
        application = app.create_app(**arguments)
    except TypeError:
        if db is None:
            raise
        raise Wrong("--db: this version keeps nothing in a database yet") from None
    if json_wanted:
        emit({"host": host, "port": port, "url": f"http://{host}:{port}"})
    else:
        click.echo(f"http://{host}:{port}   (stop with Ctrl-C)", err=True)
    uvicorn.run(application, host=host, port=port, log_level="warning")
