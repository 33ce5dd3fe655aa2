"""The commands `systems`, `rules` and `rule`."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rulewright.cli import completion, text
from rulewright.cli.options import By, as_json, campaign, dice_from, dice_given, emit, pairs, say
from rulewright.errors import UserError
from rulewright.grammar import count, plural
from rulewright.play import Choice, Given, Range, first_option
from rulewright.rules import Book, RuleInfo, nearest
from rulewright.show import prose, replies, rule_calls
from rulewright.show.serialize import plain, reasons, words
from rulewright.show.spreadsheet import csv_text
from rulewright.system import System, find, names

MOST_ROLLS = 100_000
PATHS = 300_000
SECONDS = 20.0
MOST_OUTCOMES = 25


@click.command()
@click.argument("system", required=False, shell_complete=completion.games)
@as_json
def systems(system: str | None, json_wanted: bool) -> None:
    """List the games, or show the settings, presets and ready-made files of one SYSTEM."""
    games = [find(name) for name in ([system] if system is not None else names())]
    if json_wanted:
        emit([replies.system(game) for game in games])
        return
    for place, game in enumerate(games):
        if place:
            click.echo()
        click.echo(f"{click.style(game.id, bold=True)}   {game.name}: {game.about}")
        click.echo(text.paragraph(f"tests: {game.notation}"))
        click.echo(f"  files: {', '.join(game.file_kinds())}")
        if game.book.presets:
            click.echo(text.paragraph(f"presets: {'; '.join(game.book.presets)}"))
        if system is None:
            if game.book.settings:
                click.echo(f"  {count(len(game.book.settings), 'setting')}: rulewright systems {game.id}")
            continue
        say(_details(game))


def _details(game: System) -> list[str]:
    lines: list[str] = []
    for kind in game.kinds:
        known = game.archetypes(kind)
        if known:
            lines += ["", click.style(f"Starting {plural(kind)}", bold=True), *text.columns(known.items(), indent="  ")]
    from rulewright import library

    staged = [(f"{game.id}/{name}", scenario.name) for name, scenario in library.scenarios(game.id).items()]
    if staged:
        lines += ["", click.style("Ready-made scenarios", bold=True), *text.columns(staged, indent="  ")]
    for source, title in (("book", "Optional rules of the book"), ("ruling", "Rulings where the book is unclear")):
        chosen = [setting for setting in game.book.settings.values() if setting.source == source]
        if chosen:
            lines += ["", click.style(f"{title} (--set NAME=VALUE)", bold=True)]
            rows = [
                (s.name, f"{words(s.default)}  ({s.allowed()})" if not isinstance(s.default, bool) else words(s.default)) for s in chosen
            ]
            for setting, line in zip(chosen, text.columns(rows, indent="  "), strict=True):
                lines += [line, text.paragraph(setting.text, "      ")]
    return lines


@click.command()
@click.argument("system", required=False, metavar="[SYSTEM | RULE-ID]")
@click.argument("words", nargs=-1)
@click.option("--search", metavar="WORDS", help="List only rules with all these words.")
@as_json
def rules(system: str | None, words: tuple[str, ...], search: str | None, json_wanted: bool) -> None:
    """List the implemented rules of all games or of one SYSTEM, or show the source files of one RULE-ID.

    Add words after SYSTEM to search for them: rulewright rules scumm falling
    """
    search = " ".join([*([search] if search else []), *words])
    if system is not None and "-" in system and system not in names():
        game, info = _rule(system)
        if json_wanted:
            emit({**info.public(), "places": list(places(game.book, info))})
        else:
            head = f"{info.id}   {info.title}   {info.heading or info.book}"
            click.echo("\n".join([head, text.paragraph(info.text), *places(game.book, info)]))
        return
    games = [find(name) for name in ([system] if system is not None else names())]
    matches = [(game, replies.searched(game.book.rules(), search, game.book)) for game in games]
    if json_wanted:
        emit([info.public() for _, infos in matches for info in infos])
        return
    for game, infos in matches:
        if len(games) > 1:
            click.echo(click.style(f"{game.name}: {count(len(infos), 'rule')}", bold=True))
        listed = [(i.id, f"{i.title} (advice)" if i.only_advice else i.title, i.heading or i.book) for i in infos]
        for line, info in zip(text.columns(listed), infos, strict=True):
            click.echo(line)
            if search:
                click.echo(text.paragraph(info.text, "    "))
    if not any(infos for _, infos in matches):
        click.echo("No rule matches.", err=True)


def places(book: Book, info: RuleInfo) -> "Iterator[str]":
    """The source of a rule: file and line of each function, and the file of its table."""
    for function in info.functions:
        code = inspect.unwrap(function).__code__
        yield f"{_from_the_package(code.co_filename)}:{code.co_firstlineno} {function.__qualname__}"
    if info.table is not None:
        yield f"{_from_the_package(book.file_of(info.id))} (table)"


def _from_the_package(path: str) -> str:
    """A path below the package, without the folders above it."""
    parts = Path(path).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index("rulewright") :]) if "rulewright" in parts else Path(path).name


# --- one rule -----------------------------------------------------------------------------------------------------------------


@click.command(add_help_option=False)
@click.argument("rule_id", required=False, metavar="RULE-ID", shell_complete=completion.rule_ids)
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--odds", is_flag=True, help="Calculate the exact odds of a rule that rolls.")
@click.option("--rows", is_flag=True, help="Show the rows of its table.")
@click.option("--csv", "csv_wanted", is_flag=True, help="Print the rows of its table as CSV, for spreadsheets.")
@click.option("--choose", multiple=True, metavar="KEY", help="Answer a decision; repeatable.")
@dice_given
@campaign
@as_json
@click.option("-h", "--help", "help_wanted", is_flag=True, help="Show the text and the parameters of the rule.")
@click.pass_context
def rule(
    ctx: click.Context,
    rule_id: str | None,
    given: tuple[str, ...],
    odds: bool,
    rows: bool,
    csv_wanted: bool,
    choose: tuple[str, ...],
    dice: str | None,
    seed: int | None,
    by: By,
    json_wanted: bool,
    help_wanted: bool,
) -> None:
    """Call one rule by its id. A formula prints its value and its reasons, a procedure is played, a table prints its rows.

    rulewright rule scumm-damage multiplier=15 margin=3

    A structure takes a file, fields, or both: victim=ana.yaml victim.flesh=2. A scene takes a scenario: fight=scumm/brawl. A list has
    commas. ID:name calls another function of the same rule. `rulewright rule ID --help` lists the parameters.
    """
    if rule_id is None:
        if help_wanted:
            click.echo(ctx.get_help())
            return
        raise UserError("give the id of a rule; `rulewright rules` lists them")
    bare, _, function = rule_id.partition(":")
    game, info = _rule(bare)
    if help_wanted and json_wanted:
        emit(replies.rule(info))
        return
    if help_wanted:
        say(_about(info, function or None))
        return
    if info.only_advice:
        _only(f"{rule_id} is advice without a calculation", odds=odds, rows=rows, dice=dice, seed=seed, choose=choose or None)
        if given or function:
            raise UserError(f"{rule_id} is advice: it has no parameters")
        emit({"id": info.id, "advice": info.text}) if json_wanted else click.echo("\n".join(_about(info, None)))
        return
    campaign_rules = by.rules(game)
    arguments = pairs(given, "a parameter")
    if rows or csv_wanted or _only_rows(info, arguments, function):
        _only(f"{rule_id} is shown as a table, without rolls", odds=odds, dice=dice, seed=seed, choose=choose or None)
        answer = replies.rows(campaign_rules, info)
        click.echo(csv_text(*replies.table(answer["rows"])), nl=False) if csv_wanted else _show_rows(answer, json_wanted)
        return
    from rulewright import library

    call = rule_calls.prepare(campaign_rules, info, arguments, function or None, lambda reference: library.fetch_any(game, reference))
    if not call.asks:
        _only(f"{rule_id} is a formula without rolls", odds=odds, dice=dice, seed=seed, choose=choose or None)
        _show_value(call, json_wanted)
    elif odds:
        _only("--odds follows every possible roll", dice=dice, seed=seed)
        _show_odds(call, choose, json_wanted)
    else:
        _play(game, call, dice, seed, choose, json_wanted)


def _only(why: str, **given: object) -> None:
    """Raise UserError for options that have no effect here."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise UserError(f"{why}: leave out --{name}")


def _rule(rule_id: str) -> tuple[System, RuleInfo]:
    """Find a rule and its game by the rule's id. Games with a similar id are searched first, which is faster."""
    known: list[str] = []
    for name in sorted(names(), key=lambda name: not rule_id.startswith(name[:3])):
        game = find(name)
        info_by_id = {info.id: info for info in game.book.rules()}
        if rule_id in info_by_id:
            return game, info_by_id[rule_id]
        known += info_by_id
    raise UserError(f"there is no rule {rule_id!r}{nearest(rule_id, known)}")


def _only_rows(info: RuleInfo, given: dict[str, str], function: str) -> bool:
    """Whether to show the table: the rule has no function, or its function needs parameters that are missing."""
    if given or function:
        if not info.functions:
            raise UserError(f"{info.id} is a table without parameters; `rulewright rule {info.id}` lists its rows")
        return False
    return info.table is not None and (not info.functions or any(p.required for p in rule_calls.parameters(info)))


def _about(info: RuleInfo, function: str | None) -> list[str]:
    lines = [f"{click.style(info.id, bold=True)}   {info.title}" + (f"   ({info.book})" if info.book else ""), text.paragraph(info.text)]
    if info.only_advice:
        lines.append("  This is advice without a calculation.")
    if info.table is not None:
        lines.append(f"  It has a table with {count(len(info.table.rows), 'row')}.")
    for name in [function] if function is not None else rule_calls.names(info):
        called = rule_calls.choose(info, name)
        asks = "procedure (rolls or decisions)" if rule_calls.is_procedure(called) else "formula"
        first = name == rule_calls.names(info)[0]
        lines += ["", f"{click.style(info.id if first else f'{info.id}:{name}', bold=True)}   {asks}"]
        if (called.__doc__ or "").strip():
            lines.append(text.paragraph(called.__doc__ or ""))
        taken = rule_calls.parameters(info, name)
        lines += text.columns(_parameter_rows(taken), indent="    ") if taken else ["    no parameters"]
    return lines


def _parameter_rows(taken: tuple[rule_calls.Parameter, ...], before: str = "") -> list[tuple[str, str, str]]:
    rows = []
    for parameter in taken:
        default = "required" if parameter.required else _default(parameter)
        rows.append((before + parameter.name, parameter.type, "" if parameter.fields and not parameter.required else default))
        rows += _parameter_rows(parameter.fields, f"{before}{parameter.name}.")
    return rows


def _default(parameter: rule_calls.Parameter) -> str:
    return "optional" if parameter.default in (None, "", []) else f"default {words(parameter.default)}"


def _show_rows(answer: dict[str, Any], json_wanted: bool) -> None:
    if json_wanted:
        emit(answer)
        return
    heads, rows = replies.table(answer["rows"])
    table = [[prose.heading(head) for head in heads], *rows]
    for place, line in enumerate(text.columns(table)):
        click.echo(click.style(line, bold=True) if place == 0 else line)


def _show_value(call: rule_calls.Call, json_wanted: bool) -> None:
    if json_wanted:
        emit(replies.value(call))
        return
    value = call.value()
    why = reasons(value)
    if not why:
        _echo_plain(plain(value))
    for reason in why:
        say(text.rooted(reason))
    say(f"  the setting {option} is off; turn it on with --set {option}=true" for option in replies.left_out(call))


def _echo_plain(value: Any) -> None:
    if isinstance(value, dict) and value:
        say(text.columns([(prose.heading(name), prose.describe(part)) for name, part in prose.shown_fields(value).items()]))
    else:
        click.echo(prose.describe(value))


def _play(game: System, call: rule_calls.Call, dice: str | None, seed: int | None, choose: tuple[str, ...], json_wanted: bool) -> None:
    ask = _ask if sys.stdin.isatty() and not json_wanted else first_option
    decide = replies.Decided(choose, used_up=True, otherwise=ask)
    done = replies.carry_out(game, call, replies.Counted(dice_from(dice, seed), MOST_ROLLS), decide)
    if json_wanted:
        emit(replies.came(done))
        return
    for fell in done.played.rolls:
        who = ", ".join(filter(None, (fell.roll.by, fell.roll.what))) or "roll"
        click.echo(f"{who}: {' '.join(map(str, fell.faces))} ({fell.roll.reading!s})")
    for event in done.played.events:
        click.echo(event.headline())
    click.echo(click.style(done.description, bold=True))
    say(text.tree(done.reasons, "  "))


def _ask(choice: Choice[Any]) -> Given:
    """Ask for a decision at the terminal until the answer is allowed."""
    options = choice.options
    if isinstance(options, Range):
        allowed = f"{options.low} to {options.high}"
    else:
        allowed = ", ".join(f"{option.key} ({option.label})" if option.key != option.label else option.key for option in options)
    while True:
        typed = str(click.prompt(f"{choice.who}: {choice.ask_for} [{allowed}]"))
        answer = replies.fitting(choice, typed.strip())
        if answer is not None:
            return answer
        click.echo("Choose one of the answers in brackets.")


def _show_odds(call: rule_calls.Call, choose: tuple[str, ...], json_wanted: bool) -> None:
    from rulewright.play.odds import Budget

    answer = replies.weighed(call, choose, Budget(PATHS, SECONDS), None if json_wanted else call.describe)
    if json_wanted:
        emit(answer)
        return
    from rulewright.cli.rolls import bars, by_label

    shown = sorted(by_label(answer["outcomes"]), key=lambda outcome: -int(outcome["weight"]))
    kept = shown[:MOST_OUTCOMES]
    if all(_is_number(outcome["label"]) for outcome in kept):
        kept.sort(key=lambda outcome: float(outcome["label"].replace(",", "")))
    say(bars({**answer, "notation": call.info.title, "outcomes": kept}))
    if len(shown) > len(kept):
        click.echo(f"  and {count(len(shown) - len(kept), 'less likely outcome')}")


def _is_number(label: str) -> bool:
    try:
        float(label.replace(",", ""))
    except ValueError:
        return False
    return True
