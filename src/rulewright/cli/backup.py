"""`backup`, `restore` and `rescue`: all tables of a server in one file, while it runs or after an accident."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError

if TYPE_CHECKING:
    from rulewright.table.storage.backup import Kept

database = click.option("--db", metavar="URL", help="Where campaigns are kept: sqlite:///table.db, postgresql://...")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database
@as_json
def backup(file: Path, db: str | None, json_wanted: bool) -> int:
    """Write everything in the database to a new FILE; the server may go on running."""
    needs_web()
    from rulewright.table.storage.backup import backup_of

    kept = backup_of(db, file)
    return _tell(kept, f"{kept.file}: {kept.tables} tables, {kept.lines} lines", json_wanted)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database
@click.option("--replace", is_flag=True, help="Make the database what the backup is, whatever it holds now.")
@as_json
def restore(file: Path, db: str | None, replace: bool, json_wanted: bool) -> int:
    """Bring tables back from a backup FILE; those that are there already stay, unless --replace is given."""
    needs_web()
    from rulewright.table.storage.backup import restore as bring_back
    from rulewright.table.storage.store import Store

    store = Store(db)
    try:
        kept = bring_back(store, file, replace=replace)
    finally:
        store.close()
    return _tell(kept, f"{kept.tables} tables, {kept.lines} lines brought back from {kept.file}", json_wanted)


@click.command()
@click.argument("damaged", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def rescue(damaged: Path, file: Path, json_wanted: bool) -> int:
    """Bring every table that can be read out of a DAMAGED database or backup into a new FILE, which a server opens with --db.

    What cannot be brought out is named, with the line from which on it is lost; the damaged file stays as it is.
    """
    needs_web()
    from rulewright.table.storage.backup import rescue_of

    kept = rescue_of(damaged, file)
    return _tell(kept, f"{kept.file}: {kept.tables} tables, {kept.lines} lines", json_wanted)


def _tell(kept: "Kept", words: str, json_wanted: bool) -> int:
    """Say what was done; the exit status is 1 where a table is damaged."""
    if json_wanted:
        emit({"file": kept.file, "tables": kept.tables, "lines": kept.lines, "damaged": list(kept.damaged)})
    else:
        click.echo(words)
    for damage in kept.damaged:
        click.echo(f"rulewright: damaged: {damage}", err=True)
    return 1 if kept.damaged else 0


def needs_web() -> None:
    """Say which extra is missing, if it is."""
    try:
        import alembic  # noqa: F401
        import sqlalchemy  # noqa: F401
    except ImportError as error:
        raise UserError(f"tables are kept with the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
