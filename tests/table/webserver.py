"""The real server in a process of its own, to be killed. What every server does at its start is done once, before they fork."""

from tempfile import TemporaryDirectory

import uvicorn

from rulewright.preload import make_ready
from rulewright.system import find
from rulewright.table import open_tables
from rulewright.web.app import create_app
from rulewright.web.pages import games

with TemporaryDirectory() as folder:
    create_app(f"sqlite:///{folder}/tables.db").state.tables.close()
games.games()
make_ready(find("scumm"))


def serve(url: str, port: int, most_open: int = open_tables.MOST_OPEN) -> None:
    """Serves until killed, with so many tables in memory."""
    open_tables.MOST_OPEN = most_open
    uvicorn.run(create_app(url), host="127.0.0.1", port=port, log_level="error")
