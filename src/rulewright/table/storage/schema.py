"""Upgrades a database to this version's schema, with alembic."""

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
"""The PostgreSQL advisory lock for migrations."""
_lock = threading.Lock()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def head() -> str:
    """The revision that this version writes."""
    current_head = ScriptDirectory.from_config(_config()).get_current_head()
    assert current_head is not None
    return current_head


def known_revisions() -> frozenset[str]:
    """All revisions that this version can open."""
    return frozenset(revision.revision for revision in ScriptDirectory.from_config(_config()).walk_revisions())


def current(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, to: str = "head") -> None:
    """Upgrades a database in one transaction; raises an error if a later version wrote it."""
    script = ScriptDirectory.from_config(_config())
    with engine.connect().execution_options(reads=True) as connection:
        if current(connection) == (script.get_current_head() if to == "head" else to):
            return
    with _lock, engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        revision = current(connection)
        if revision is not None and revision not in known_revisions():
            raise UserError(f"the database has schema {revision} of a later version; use that version of Rulewright")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, to)
