"""`systems`, `rules` and `rule`: the games, what is implemented of them, and calling one rule by its id."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rulewright.cli import completion, text
from rulewright.cli.options import By, as_json, campaign, dice_from, dice_given, emit, pairs, say
from rulewright.errors import UserError
from rulewright.play import Choice, Given, Range, first_option
from rulewright.rules import Book, RuleInfo, nearest
from rulewright.show import replies, rule_calls
from rulewright.show.serialize import plain, reasons, words
from rulewright.system import System, find, names

MOST_ROLLS = 100_000
PATHS = 300_000
SECONDS = 20.0
MOST_OUTCOMES = 25


@click.command()
@click.argument("system", required=False, shell_complete=completion.games)
@as_json
def systems(system: str | None, json_wanted: bool) -> None:
    """The games that can be played here; with a SYSTEM, its options, presets and beginnings too."""
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
                click.echo(f"  {len(game.book.settings)} settings: rulewright systems {game.id}")
            continue
        say(_details(game))


def _details(game: System) -> list[str]:
    lines: list[str] = []
    for kind in game.kinds:
        known = game.archetypes(kind)
        if known:
            lines += ["", click.style(f"To begin with ({kind})", bold=True), *text.columns(known.items(), indent="  ")]
    from rulewright import library

    staged = [(f"{game.id}/{name}", scenario.name) for name, scenario in library.scenarios(game.id).items()]
    if staged:
        lines += ["", click.style("Ready-made scenarios", bold=True), *text.columns(staged, indent="  ")]
    for source, title in (("book", "Options of the book"), ("ruling", "Rulings, where the book is unclear")):
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
@click.option("--search", metavar="WORDS", help="Only rules in which all these words occur.")
@as_json
def rules(system: str | None, words: tuple[str, ...], search: str | None, json_wanted: bool) -> None:
    """The rules that are implemented, in the order of the book; without SYSTEM, of all games; of one RULE-ID, where its code stands.

    Words after SYSTEM are searched for.
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
    result = [(game, replies.searched(game.book.rules(), search)) for game in games]
    if json_wanted:
        emit([info.public() for _, infos in result for info in infos])
        return
    for game, infos in result:
        if len(games) > 1:
            click.echo(click.style(f"{game.name}: {len(infos)} rules", bold=True))
        listed = [(i.id, f"{i.title} (advice)" if i.only_advice else i.title, i.heading or i.book) for i in infos]
        for line, info in zip(text.columns(listed), infos, strict=True):
            click.echo(line)
            if search:
                click.echo(text.paragraph(info.text, "    "))
    if not any(infos for _, infos in result):
        click.echo("no rule is like that", err=True)


def places(book: Book, info: RuleInfo) -> "Iterator[str]":
    """Where a rule stands in the code: file and line of each of its functions, and the file of its table."""
    for function in info.functions:
        code = inspect.unwrap(function).__code__
        yield f"{_from_the_package(code.co_filename)}:{code.co_firstlineno} {function.__qualname__}"
    if info.table is not None:
        yield f"{_from_the_package(book.file_of(info.id))} (table)"


def _from_the_package(path: str) -> str:
    """A file's path as it stands below the sources, wherever these lie."""
    parts = Path(path).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index("rulewright") :]) if "rulewright" in parts else Path(path).name


# --- one rule -----------------------------------------------------------------------------------------------------------------


@click.command(add_help_option=False)
@click.argument("rule_id", required=False, metavar="RULE-ID", shell_complete=completion.rule_ids)
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--odds", is_flag=True, help="The exact odds of its outcomes, for a rule that rolls.")
@click.option("--rows", is_flag=True, help="The rows of its table.")
@click.option("--choose", multiple=True, metavar="KEY", help="The answer to a decision it asks for; repeatable.")
@dice_given
@campaign
@as_json
@click.option("-h", "--help", "help_wanted", is_flag=True, help="What the rule says and takes.")
@click.pass_context
def rule(
    ctx: click.Context,
    rule_id: str | None,
    given: tuple[str, ...],
    odds: bool,
    rows: bool,
    choose: tuple[str, ...],
    dice: str | None,
    seed: int | None,
    by: By,
    json_wanted: bool,
    help_wanted: bool,
) -> None:
    """Call one rule by its id: a formula gives its value and why, a procedure is played or weighed, a table lists its rows.

    rulewright rule scumm-damage multiplier=15 margin=3

    A structure takes a file, dotted keys, or both (victim=ana.yaml victim.flesh=2), a scene takes a scenario (fight=scumm/brawl),
    a list has commas between its entries. ID:name calls another function of the same rule. `rulewright rule ID --help` shows
    what the rule takes.
    """
    if rule_id is None:
        if help_wanted:
            click.echo(ctx.get_help())
            return
        raise UserError("name a rule; `rulewright rules` lists them")
    bare, _, function = rule_id.partition(":")
    game, info = _rule(bare)
    if help_wanted and json_wanted:
        emit(replies.rule(info))
        return
    if help_wanted:
        say(_about(info, function or None))
        return
    if info.only_advice:
        _only(f"{rule_id} is advice, and there is nothing to compute", odds=odds, rows=rows, dice=dice, seed=seed, choose=choose or None)
        if given or function:
            raise UserError(f"{rule_id} is advice: it takes no parameters")
        emit({"id": info.id, "advice": info.text}) if json_wanted else click.echo("\n".join(_about(info, None)))
        return
    campaign_rules = by.rules(game)
    arguments = pairs(given, "a parameter")
    if rows or _only_rows(info, arguments, function):
        _only(f"{rule_id} is asked for its rows, and nothing is rolled", odds=odds, dice=dice, seed=seed, choose=choose or None)
        _show_rows(replies.rows(campaign_rules, info), json_wanted)
        return
    from rulewright import library

    call = rule_calls.prepare(campaign_rules, info, arguments, function or None, lambda reference: library.fetch_any(game, reference))
    if not call.asks:
        _only(f"{rule_id} rolls nothing: it is a formula, and has a value", odds=odds, dice=dice, seed=seed, choose=choose or None)
        _show_value(call, json_wanted)
    elif odds:
        _only("odds follow every roll", dice=dice, seed=seed)
        _show_odds(call, choose, json_wanted)
    else:
        _play(game, call, dice, seed, choose, json_wanted)


def _only(why: str, **given: object) -> None:
    """Refuse options that would say nothing here."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise UserError(f"{why}: --{name} does not go with it")


def _rule(rule_id: str) -> tuple[System, RuleInfo]:
    """The rule of this id and its game; games whose ids begin alike are looked through first, the others only if need be."""
    everything: list[str] = []
    for name in sorted(names(), key=lambda name: not rule_id.startswith(name[:3])):
        game = find(name)
        rule_info_by_name = {info.id: info for info in game.book.rules()}
        if rule_id in rule_info_by_name:
            return game, rule_info_by_name[rule_id]
        everything += rule_info_by_name
    raise UserError(f"there is no rule {rule_id!r}{nearest(rule_id, everything)}")


def _only_rows(info: RuleInfo, given: dict[str, str], function: str) -> bool:
    """Whether nothing but the table can be meant: there is nothing to call, or it needs what was not given."""
    if given or function:
        if not info.functions:
            raise UserError(f"{info.id} is a table: it takes no parameters; `rulewright rule {info.id}` lists its rows")
        return False
    return info.table is not None and (not info.functions or any(p.required for p in rule_calls.parameters(info)))


def _about(info: RuleInfo, function: str | None) -> list[str]:
    lines = [f"{click.style(info.id, bold=True)}   {info.title}" + (f"   ({info.book})" if info.book else ""), text.paragraph(info.text)]
    if info.only_advice:
        lines.append("  This is advice: there is nothing to compute.")
    if info.table is not None:
        lines.append(f"  It has a table of {len(info.table.rows)} rows.")
    for name in [function] if function is not None else rule_calls.names(info):
        called = rule_calls.choose(info, name)
        asks = "a procedure, played or asked for its odds" if rule_calls.is_procedure(called) else "a formula"
        first = name == rule_calls.names(info)[0]
        lines += ["", f"{click.style(info.id if first else f'{info.id}:{name}', bold=True)}   {asks}"]
        if (called.__doc__ or "").strip():
            lines.append(text.paragraph(called.__doc__ or ""))
        taken = rule_calls.parameters(info, name)
        lines += text.columns(_parameter_rows(taken), indent="    ") if taken else ["    takes nothing"]
    return lines


def _parameter_rows(taken: tuple[rule_calls.Parameter, ...], before: str = "") -> list[tuple[str, str, str]]:
    rows = []
    for parameter in taken:
        usual = "required" if parameter.required else f"{words(parameter.default)} unless given"
        rows.append((before + parameter.name, parameter.type, "" if parameter.fields and not parameter.required else usual))
        rows += _parameter_rows(parameter.fields, f"{before}{parameter.name}.")
    return rows


def _show_rows(answer: dict[str, Any], json_wanted: bool) -> None:
    if json_wanted:
        emit(answer)
        return
    rows = answer["rows"]
    heads = list(dict.fromkeys(key for row in rows for key in row))
    table = [[head.replace("_", " ") for head in heads], *([replies.cell(row.get(head)) for head in heads] for row in rows)]
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
    say(f"  the option {option} is off: --set {option}=true" for option in replies.left_out(call))


def _echo_plain(value: Any) -> None:
    if isinstance(value, dict) and value:
        say(text.columns([(str(name).replace("_", " "), words(part)) for name, part in value.items()]))
    else:
        click.echo(words(value))


def _play(game: System, call: rule_calls.Call, dice: str | None, seed: int | None, choose: tuple[str, ...], json_wanted: bool) -> None:
    asked = _asked if sys.stdin.isatty() and not json_wanted else first_option
    decide = replies.Decided(choose, used_up=True, otherwise=asked)
    done = replies.carry_out(game, call, replies.Counted(dice_from(dice, seed), MOST_ROLLS), decide)
    if json_wanted:
        emit(replies.came(done))
        return
    for fell in done.played.rolls:
        who = ", ".join(filter(None, (fell.roll.by, fell.roll.what))) or "roll"
        click.echo(f"{who}: {' '.join(map(str, fell.faces))} ({fell.roll.reading!s})")
    for event in done.played.events:
        click.echo(event.headline())
    click.echo(click.style(done.label, bold=True))
    say(text.tree(done.reasons, "  "))


def _asked(choice: Choice[Any]) -> Given:
    options = choice.options
    if isinstance(options, Range):
        said = f"{options.low} to {options.high}"
    else:
        said = ", ".join(f"{option.key} ({option.label})" if option.key != option.label else option.key for option in options)
    while True:
        answer = str(click.prompt(f"{choice.who}: {choice.ask_for} [{said}]"))
        result = replies.fitting(choice, answer.strip())
        if result is not None:
            return result
        click.echo("that is not allowed here")


def _show_odds(call: rule_calls.Call, choose: tuple[str, ...], json_wanted: bool) -> None:
    from rulewright.play.odds import Budget

    answer = replies.weighed(call, choose, Budget(PATHS, SECONDS))
    if json_wanted:
        emit(answer)
        return
    from rulewright.cli.rolls import bars

    shown = sorted(answer["outcomes"], key=lambda outcome: -int(outcome["weight"]))
    kept = shown[:MOST_OUTCOMES]
    if all(_is_number(outcome["label"]) for outcome in kept):
        kept.sort(key=lambda outcome: float(outcome["label"]))
    say(bars({**answer, "notation": call.info.title, "outcomes": kept}))
    if len(shown) > len(kept):
        click.echo(f"  and {len(shown) - len(kept)} less likely outcomes")


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True
