"""The command `tables`: list, close, open, export, import and delete the tables of a server."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.backup import database, needs_web
from rulewright.cli.options import as_json, emit
from rulewright.errors import UserError
from rulewright.grammar import count

if TYPE_CHECKING:
    from rulewright.table.service import Tables
    from rulewright.table.storage.admin import Kept

ACTIONS = ("list", "close", "open", "export", "import", "delete")


@click.command()
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("table", default="")
@database
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File for `export`.")
@click.option("--yes", is_flag=True, help="Confirm `delete`.")
@as_json
def tables(action: str, table: str, db: str | None, out: Path | None, yes: bool, json_wanted: bool) -> int:
    """List all tables, or close, open, export or delete the TABLE with this id. The server can keep running.

    `import` takes an exported file as TABLE and prints the links of the new table. A closed table can be viewed and exported, but not
    played. An export contains what the gamemaster sees, without players' private notes.
    """
    needs_web()
    from rulewright.table.service import Tables
    from rulewright.table.storage import admin
    from rulewright.table.storage.store import Store

    Store(db, must_exist=True).close()
    if action == "import" and not table:
        raise UserError("give the exported file to import")
    if action != "list" and not table:
        raise UserError(f"give the id of the table to {action}; `rulewright tables` lists the ids")
    service = Tables(db)
    try:
        match action:
            case "list":
                return _list(admin.listed(service), service.store.space(), json_wanted)
            case "close" | "open":
                admin.close(service, table, action == "close")
                said = f"table {table} is {'closed' if action == 'close' else 'open'}"
            case "export":
                said = _export(admin.taken(service, table), table, out)
            case "import":
                table, said = _import(service, Path(table))
            case _:
                if not yes:
                    kept = next((kept for kept in admin.listed(service) if kept.id == table), None)
                    if kept is None:
                        raise UserError(f"there is no table {table[:40]}; `rulewright tables` lists the ids")
                    raise UserError(f"{kept.name or table}: {count(kept.lines, 'line')} will be deleted; add --yes, or export it first")
                admin.delete(service, table)
                said = f"table {table} is gone"
    finally:
        service.close()
    emit({"table": table, "done": said}) if json_wanted else click.echo(said)
    return 0


def _export(content: bytes, table: str, out: Path | None) -> str:
    """Save an exported table as a new file."""
    path = out or Path(f"table-{table}.jsonl")
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise UserError(f"{path}: this file exists already; give another name with -o") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror})") from None
    return f"{path}: {len(content):,} bytes"


def _import(service: "Tables", path: Path) -> tuple[str, str]:
    """Import an exported file with a progress bar; return the id of the table and its links."""
    from rulewright.table.storage import admin

    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    with click.progressbar(length=1000, label="Importing", file=sys.stderr) as bar:
        made = admin.bring_in(service, content, lambda share: bar.update(round(1000 * share) - bar.pos))
        bar.update(1000 - bar.pos)
    links = f"/tables/{made.table}/lead/{made.gamemaster_link} (gamemaster), /tables/{made.table}/join/{made.invitation} (players)"
    return made.table, f"{path}: imported as table {made.table}. Links, after the address of the server: {links}"


def _list(tables: "list[Kept]", space: int, json_wanted: bool) -> int:
    """Print all tables, one a line. The exit status is 1 if one cannot be opened."""
    import msgspec

    if json_wanted:
        emit({"tables": msgspec.to_builtins(tables), "bytes": space})
    else:
        for kept in tables:
            about = (
                f"  {kept.trouble}"
                if kept.trouble
                else f"  {kept.name}{' (closed)' if kept.closed else ''}{' (demo)' if kept.demo else ''}"
            )
            sizes = f"{kept.people:>3} people {kept.lines:>7,} lines {_size(kept.bytes):>9}"
            click.echo(f"{kept.id}  {kept.system:<11} {sizes}  {_day(kept.used)}{about}")
        click.echo(f"{count(len(tables), 'table')}, {_size(space)} on disk")
    return 1 if any(kept.trouble for kept in tables) else 0


def _size(number: int) -> str:
    return f"{number / 1e6:.1f} MB" if number >= 100_000 else f"{number / 1e3:.1f} kB"


def _day(at: int) -> str:
    try:
        return datetime.fromtimestamp(at // 1_000_000, UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError):
        return "no date"
