"""The commands `new`, `audit`, `sheet`, `why` and `schema`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rulewright import files, library
from rulewright.build.sheet_parts import Sheet, Test, Value
from rulewright.cli import completion, text
from rulewright.cli.options import By, as_json, campaign, emit, say
from rulewright.cli.play import cards
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.show import replies
from rulewright.system import find
from rulewright.system import names as system_names

if TYPE_CHECKING:
    from rulewright.build.audit import Audit


@click.command()
@click.argument("system", shell_complete=completion.games)
@click.argument("archetype", required=False)
@click.option("-o", "--out", metavar="FILE", help="Save it as this file instead of printing it.")
@click.option("--kind", default=None, help="Create another kind: machine, creature and so on, by game.")
@click.option("--name", default=None, help="Set the name.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@campaign
@as_json
def new(
    system: str,
    archetype: str | None,
    out: str | None,
    kind: str | None,
    name: str | None,
    force: bool,
    by: By,
    json_wanted: bool,
) -> None:
    """Create a legal starting character, or another --kind. `rulewright systems SYSTEM` lists the archetypes.

    rulewright new scumm scout -o ana.yaml
    """
    game = find(system)
    kind = kind if kind is not None else next(iter(game.kinds))
    if kind not in game.kinds:
        raise UserError(f"{game.id} has no kind {kind!r}{files.did_you_mean(kind, game.kinds)}")
    known = game.archetypes(kind)
    if archetype is not None and known and archetype not in known:
        near = files.did_you_mean(archetype, known) or f"; there are {', '.join(known)}"
        raise UserError(f"{game.id} has no {kind} {archetype!r}{near}")
    if out == "":
        raise UserError("give the name of a file after -o")
    if out is not None and not force and Path(out).exists():
        raise UserError(f"{out}: this file exists already; --force replaces it")
    ordered = files.ordered(game.new(by.rules(game), kind, archetype))
    if name is not None:
        ordered["name"] = name
    if out is not None:
        files.write(out, ordered)
    if json_wanted:
        emit({"file": out, **ordered})
    elif out is not None:
        click.echo(f"Saved {out}: {ordered.get('name', kind)}, {kind} of {game.name}")
    else:
        click.echo(files.stamped(files.render(ordered)), nl=False)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.characters)
@campaign
@as_json
def audit(paths: tuple[str, ...], by: By, json_wanted: bool) -> int:
    """Check whether files are legal: list every problem with its rule and the smallest repair. The exit status is 1 if any is illegal."""
    audits = [(path, _audited(path, by)) for path in paths]
    if json_wanted:
        shown = [outcome.public(path) for path, outcome in audits]
        emit(shown[0] if len(shown) == 1 else shown)
    else:
        for path, result in audits:
            say(_audit_lines(path, result))
    return 0 if all(outcome.legal for _, outcome in audits) else 1


def _audited(path: str, by: By) -> "Audit":
    return library.audit(library.take(path), by.preset, by.chosen, by.house)


def _audit_lines(path: str, report: "Audit") -> list[str]:
    wrong = [problem for problem in report.problems if not problem.warning]
    verdict = click.style(count(len(wrong), "problem"), fg="red") if wrong else click.style("legal", fg="green")
    lines = [f"{path}: {verdict}"]
    widest = max((len(problem.field) for problem in report.problems), default=0)
    for problem in report.problems:
        message = f"(warning) {problem.message}" if problem.warning else problem.message
        lines.append(f"  {problem.field:<{widest}}   {message:<60} {click.style(problem.rule, dim=True)}")
        if problem.repair is not None and problem.repair.text:
            lines.append(f"  {'':<{widest}}   {problem.repair.text}")
    for budget in report.budgets:
        lines.append(f"  {budget.name}: {budget.spent} of {budget.allowed} spent")
    return lines


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.characters)
@click.option("--pdf", metavar="OUT", help="Save the sheets as a PDF, one page each.")
@click.option("--page", default="a4", help="Paper size of the PDF: a4 or letter.")
@click.option("--markdown", is_flag=True, help="Print the sheets as Markdown.")
@campaign
@as_json
def sheet(paths: tuple[str, ...], pdf: str | None, page: str, markdown: bool, by: By, json_wanted: bool) -> None:
    """Show the sheets of characters, machines or creatures, print them as --markdown, or save them as --pdf."""
    sheets = [_sheet(path, by) for path in paths]
    if pdf is not None:
        from rulewright.show.pdf import save

        save(sheets, pdf, page)
    if json_wanted:
        shown = [replies.sheet(drawn) for drawn in sheets]
        emit(shown[0] if len(shown) == 1 else shown)
    elif markdown:
        from rulewright.show.markdown import sheet_page

        click.echo("\n".join(sheet_page(drawn, find(drawn.system).name) for drawn in sheets), nl=False)
    elif pdf is not None:
        click.echo(f"Saved {pdf}: {count(len(sheets), 'sheet')}")
    else:
        for place, drawn in enumerate(sheets):
            if place:
                click.echo()
            say(cards.sheet(drawn))


def _sheet(path: str, by: By) -> Sheet:
    kept = library.take(path)
    return library.sheet(kept, by.rules(kept.system))


@click.command()
@click.argument("path", metavar="FILE", shell_complete=completion.characters)
@click.argument("value", required=False)
@campaign
@as_json
def why(path: str, value: str | None, by: By, json_wanted: bool) -> None:
    """Explain one value of a sheet, or list all values.

    rulewright why ana.yaml flesh_wound_threshold
    """
    drawn = _sheet(path, by)
    known = replies.explainable(drawn)
    if value is None:
        _list_values(path, known, json_wanted)
        return
    key = value if value in known else _key_for(value, known)
    if key is None:
        raise UserError(f"{path}: the sheet has no value {value!r}{files.did_you_mean(value, known)}")
    reason = replies.root(known[key])
    if json_wanted:
        emit(replies.why(path, key, reason))
        return
    say(text.rooted(reason))


def _list_values(path: str, known: dict[str, Value | Test], json_wanted: bool) -> None:
    shown = {key: piece.notation if isinstance(piece, Test) else text.value(piece.value) for key, piece in known.items()}
    if json_wanted:
        emit({"file": path, "values": shown})
        return
    say(text.columns([(key, shown[key], piece.name) for key, piece in known.items()]))


def _key_for(said: str, known: dict[str, Value | Test]) -> str | None:
    """The key of a value that is given by its name."""
    bare = "".join(said.lower().replace("_", " ").split())
    return next((key for key, piece in known.items() if bare in (_bare(key), _bare(piece.name))), None)


def _bare(name: str) -> str:
    return "".join(name.lower().replace("_", " ").split())


@click.command()
@click.argument("system", required=False)
@click.argument("kind", required=False)
@click.option("--all", "everything", is_flag=True, help="Save the schemas of all kinds into the folder -o.")
@click.option("-o", "--out", metavar="FILE", help="Save it as this file; with --all, a folder.")
@as_json
def schema(system: str | None, kind: str | None, everything: bool, out: str | None, json_wanted: bool) -> None:
    """Print the JSON Schema of a kind of file, for editors and other programs."""
    if everything:
        _all_schemas(system, out)
        return
    if system is None or kind is None:
        raise UserError("give a game and a kind of file, as in `rulewright schema scumm character`, or --all -o FOLDER")
    game = find(system)
    known = library.kinds(game)
    if kind not in known:
        raise UserError(f"{game.id} has no kind {kind!r}{files.did_you_mean(kind, known)}")
    described = _schema(game.id, kind, known[kind])
    if out is None:
        emit(described)
    else:
        _write_json(Path(out), described)
        click.echo(f"Saved {out}", err=True)


def _all_schemas(system: str | None, out: str | None) -> None:
    if out is None:
        raise UserError("--all writes many files: give a folder with -o")
    folder = Path(out)
    if not folder.is_dir():
        raise UserError(f"{out}: this folder does not exist")
    written = 0
    for game in [find(name) for name in ([system] if system is not None else system_names())]:
        for kind, type_ in library.kinds(game).items():
            _write_json(folder / f"{game.id}-{kind}.schema.json", _schema(game.id, kind, type_))
            written += 1
    click.echo(f"Saved {count(written, 'schema')} in {out}", err=True)


def _schema(system: str, kind: str, type_: type[Any]) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A {kind} of {system}, as Rulewright keeps it",
        **msgspec.json.schema(type_),
    }


def _write_json(path: Path, data: object) -> None:
    import json

    files.put(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())
