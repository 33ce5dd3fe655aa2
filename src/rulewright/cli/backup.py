"""The commands `backup`, `restore` and `rescue`: all tables of a server in one file."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.grammar import count

if TYPE_CHECKING:
    from rulewright.table.storage.backup import Kept

database = click.option("--db", metavar="URL", help="The database: sqlite:///table.db or postgresql://...")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database
@as_json
def backup(file: Path, db: str | None, json_wanted: bool) -> int:
    """Back up the whole database to a new FILE. The server can keep running."""
    needs_web()
    from rulewright.table.storage.backup import backup_of

    kept = backup_of(db, file)
    return _report(kept, f"Saved {kept.file}: {_amounts(kept)}", json_wanted)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database
@click.option("--replace", is_flag=True, help="Replace the content of the database with the backup.")
@click.option("--to", "to", metavar="TIME", help='Restore the tables as they were at this time, such as "2026-11-18 20:15".')
@as_json
def restore(file: Path, db: str | None, replace: bool, to: str | None, json_wanted: bool) -> int:
    """Restore tables from a backup FILE. Existing tables stay as they are, unless --replace is given."""
    needs_web()
    moment = None if to is None else _moment(to)
    from rulewright.table.storage.backup import restore as restore_tables
    from rulewright.table.storage.store import Store

    store = Store(db)
    try:
        kept = restore_tables(store, file, replace=replace, to=moment)
    finally:
        store.close()
    return _report(kept, f"Restored {_amounts(kept)} from {kept.file}", json_wanted)


@click.command()
@click.argument("damaged", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def rescue(damaged: Path, file: Path, json_wanted: bool) -> int:
    """Recover the readable tables of a DAMAGED database or backup into a new FILE, which `rulewright serve --db` opens.

    Tables that cannot be recovered completely are listed, with the first line that is lost. The damaged file is not changed.
    """
    needs_web()
    from rulewright.table.storage.backup import rescue_of

    kept = rescue_of(damaged, file)
    return _report(kept, f"Saved {kept.file}: {_amounts(kept)}", json_wanted)


def _moment(text: str) -> int:
    """A time as microseconds since 1970. Without a time zone it is local time."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UserError(f'--to: {text[:40]!r} is not a time; write it as in "2026-11-18 20:15", with +00:00 behind it for UTC') from None
    return int(moment.timestamp() * 1_000_000)


def _amounts(kept: "Kept") -> str:
    return f"{count(kept.tables, 'table')}, {count(kept.lines, 'line')}"


def _report(kept: "Kept", message: str, json_wanted: bool) -> int:
    """Print the result. The exit status is 1 if a table is damaged."""
    if json_wanted:
        emit({"file": kept.file, "tables": kept.tables, "lines": kept.lines, "damaged": list(kept.damaged)})
    else:
        click.echo(message)
    for damage in kept.damaged:
        click.echo(f"rulewright: damaged: {damage}", err=True)
    return 1 if kept.damaged else 0


def needs_web() -> None:
    """Raise UserError if the extra `web` is not installed."""
    try:
        import alembic  # noqa: F401
        import sqlalchemy  # noqa: F401
    except ImportError as error:
        raise UserError(f"tables need the extra `web` ({error.name} is missing): pip install 'rulewright[web]'") from None
