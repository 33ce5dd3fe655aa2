"""The command `advance`: award or spend experience."""

from typing import Any

import click
import msgspec

from rulewright import files, library
from rulewright.build.experience import advanced, differences, log_of, newly_wrong
from rulewright.cli import text
from rulewright.cli.options import By, as_json, campaign, emit, pairs, say
from rulewright.errors import UserError
from rulewright.grammar import a


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("entry", required=False)
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-o", "--out", metavar="FILE", help="Save it as this file instead of changing FILE.")
@click.option("--try", "trying", is_flag=True, help="Show the changes without saving.")
@click.option("--anyway", is_flag=True, help="Save it even if it breaks the rules.")
@campaign
@as_json
def advance(
    path: str,
    entry: str | None,
    given: tuple[str, ...],
    out: str | None,
    trying: bool,
    anyway: bool,
    by: By,
    json_wanted: bool,
) -> int:
    """Award or spend experience, and show what changes. Without ENTRY, list the entries.

    rulewright advance ana.yaml award xp=5 session="the drowned accountant"

    rulewright advance ana.yaml purchase buy=skill what=streetwise to=1
    """
    kept = library.take(path)
    log = log_of(type(kept.thing))
    if log is None:
        raise UserError(f"{path}: {a(kept.kind)} has no experience; give a character")
    if entry is None:
        say(text.columns([(tag, ", ".join(log.fields(tag))) for tag in log.entries], indent="  "))
        return 0
    rules = by.rules(kept.system)
    after = advanced(kept.thing, entry, pairs(given, "a field"))
    audits = kept.system.audit(rules, kept.thing), kept.system.audit(rules, after)
    wrong = newly_wrong(*audits)
    changed = differences(kept.system.sheet(rules, kept.thing), kept.system.sheet(rules, after))
    writes = not trying and (anyway or not wrong)
    if writes:
        over = kept.document if out is None else None
        files.write(out or path, {**kept.document.data, log.field: msgspec.to_builtins(getattr(after, log.field))}, over=over)
    if json_wanted:
        emit({"file": (out or path) if writes else None, "changed": [_public(*candidate) for candidate in changed], "problems": wrong})
    else:
        _say(changed, wrong, (out or path) if writes else "")
    return 1 if wrong else 0


def _public(name: str, before: Any, after: Any) -> dict[str, Any]:
    return {"name": name, "before": before, "after": after}


def _say(changed: list[tuple[str, Any, Any]], wrong: list[str], written: str) -> None:
    say(text.columns([(name, f"{_shown(before)} → {_shown(after)}") for name, before, after in changed], indent="  "))
    for problem in wrong:
        click.echo(click.style(problem, fg="red"))
    if written:
        click.echo(f"Saved {written}")
    elif wrong:
        click.echo("Nothing is saved; --anyway saves it against the rules.")


def _shown(value: Any) -> str:
    return "-" if value is None else text.value(value)
