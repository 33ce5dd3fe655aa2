"""Bringing a database to the shape that this version knows, step by step; alembic carries the steps out."""

from pathlib import Path

import sqlalchemy as sa
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from rulewright.errors import Wrong

FOLDER = Path(__file__).parent / "migrations"
LOCK = 7_285_193
"""The number under which PostgreSQL lets one process at a time migrate."""


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def head() -> str:
    """The shape that this version writes."""
    found = _script().get_current_head()
    assert found is not None
    return found


def current(connection: Connection) -> str | None:
    """The shape that a database has; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring a database up to date; refuses one that a later version has written."""
    script = _script()
    with engine.connect().execution_options(reads=True) as connection:
        if current(connection) == (script.get_current_head() if to == "head" else to):
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        found = current(connection)
        known = {revision.revision for revision in script.walk_revisions()}
        if found is not None and found not in known:
            raise Wrong(f"the database has the shape {found} of a later version; use that version of Rulewright")

        def steps(revision: object, _: object) -> object:
            return script._upgrade_revs(to, revision)  # type: ignore[arg-type]

        config = Config()
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        with EnvironmentContext(config, script, fn=steps, destination_rev=to) as environment:
            config.attributes["connection"] = connection
            environment.configure(connection=connection, target_metadata=None, fn=steps)
            environment.run_migrations()
