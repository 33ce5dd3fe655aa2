"""Bringing a database to the shape that this version knows, step by step; alembic carries the steps out."""

import threading
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from rulewright.errors import UserError

FOLDER = Path(__file__).parent.parent / "migrations"
LOCK = 7_285_193
"""The number under which PostgreSQL lets one process at a time migrate."""
_one_at_a_time = threading.Lock()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def head() -> str:
    """The shape that this version writes."""
    current_head = ScriptDirectory.from_config(_config()).get_current_head()
    assert current_head is not None
    return current_head


def known_shapes() -> frozenset[str]:
    """All shapes that a database may have for this version, its own and earlier ones."""
    return frozenset(revision.revision for revision in ScriptDirectory.from_config(_config()).walk_revisions())


def current(connection: Connection) -> str | None:
    """The shape that a database has; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring a database up to date, in one piece; refuses one that a later version has written."""
    script = ScriptDirectory.from_config(_config())
    with engine.connect().execution_options(reads=True) as connection:
        if current(connection) == (script.get_current_head() if to == "head" else to):
            return
    with _one_at_a_time, engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        text = current(connection)
        if text is not None and text not in known_shapes():
            raise UserError(f"the database has the shape {text} of a later version; use that version of Rulewright")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, to)
