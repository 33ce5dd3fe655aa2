"""The command line. Each command lives in a room of its own and is imported only when it is asked for."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from rulewright import __version__
from rulewright.errors import UserError

COMMANDS = {
    "systems": ("rulebook", "The games and their options."),
    "roll": ("rolls", "One test, rolled."),
    "odds": ("rolls", "The exact odds of a test."),
    "new": ("files", "A starting character, as a file."),
    "npc": ("npc", "People made up by dice, one or many, as files or a page."),
    "convert": ("convert", "A character in the terms of another game, or from there."),
    "audit": ("files", "Is it legal? Every problem, each with its rule."),
    "sheet": ("files", "All derived values; --pdf for paper."),
    "why": ("files", "The reasons of one value."),
    "advance": ("advance", "Experience awarded and spent, written into the file."),
    "fight": ("play.fight", "Run a scenario, alone or with people choosing."),
    "simulate": ("lab.simulate", "A scenario many times, or solved exactly."),
    "duel": ("lab.duels", "Designs against each other, beside what they are worth."),
    "rule": ("rulebook", "Call one rule by its id."),
    "rules": ("rulebook", "The rules that are implemented."),
    "map": ("maps", "A map of another tool, as a file that scenarios name."),
    "schema": ("files", "The JSON Schema of a kind of file."),
    "serve": ("serve", "The table in the browser."),
    "backup": ("backup", "All tables of a server in one file, while it runs."),
    "restore": ("backup", "Tables brought back from a backup."),
    "rescue": ("backup", "Every table that can be read out of a damaged file."),
    "tables": ("tables", "List, close, export or delete the tables of a server."),
}

MOST_WORDS = 1000
"""So many characters of what is wrong are printed at most: one clear line, whatever was typed."""


class Commands(click.Group):
    """Knows its commands by name and imports only the one that is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"rulewright.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from rulewright.rules import nearest

            raise UserError(f"there is no command {args[0]!r}{nearest(args[0], COMMANDS) or '; rulewright --help lists them'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="rulewright %(version)s")
def rulewright() -> None:
    """Tabletop role-playing games: legal builds, exact odds, fights, and a reason behind every number.

    Every command takes --json. Exit status: 0 done, 1 the answer is no, 2 something given cannot be used.

    A tab completes commands, games, scenarios, characters and rule ids once your shell knows of it. In bash:

    \b
      eval "$(_RULEWRIGHT_COMPLETE=bash_source rulewright)"

    with zsh_source in zsh; in fish: _RULEWRIGHT_COMPLETE=fish_source rulewright | source
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, this process's own unless arguments are given; gives the exit status."""
    if arguments is not None:
        return _run(list(arguments))
    # A command makes little garbage and ends soon: collecting while it starts and when it ends took a fifth of the time of a roll.
    gc.set_threshold(100_000, 20, 20)
    try:
        return _run(None)
    finally:
        gc.freeze()


def _run(arguments: list[str] | None) -> int:
    _print_what_can_be_printed()
    try:
        status: Any = rulewright.main(args=arguments, prog_name="rulewright", standalone_mode=False)
    except UserError as wrong:
        return _refuse(str(wrong))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _refuse(_in_words(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("rulewright: stopped", err=True)
        return 130
    except BrokenPipeError:
        _let_go_of_output()
        return 0
    except OSError as error:  # a disk that is full, a name that is too long, a folder that is closed to us
        return _refuse(f"{str(error.filename or 'the output')[:200]}: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        return _own_mistake(error)
    return status if isinstance(status, int) else 0


def _refuse(message: str) -> int:
    words = " ".join(message.split())
    click.echo(f"rulewright: {words if len(words) <= MOST_WORDS else f'{words[:MOST_WORDS]}…'}", err=True)
    return 2


def _own_mistake(error: Exception) -> int:
    """Something that is nobody's fault but ours: one line all the same, and the whole story for those who ask for it."""
    if os.environ.get("RULEWRIGHT_DEBUG"):
        raise error
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    click.echo(f"rulewright: this is a mistake in Rulewright itself ({words}); RULEWRIGHT_DEBUG=1 tells the whole story", err=True)
    return 3


def _print_what_can_be_printed() -> None:
    """Where the output cannot show a sign of ours (× or a bar), print a question mark rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8":
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")


def _in_words(error: click.ClickException) -> str:
    if isinstance(error, click.MissingParameter) and error.param is not None:
        wanted = error.param.make_metavar(error.ctx) if error.ctx is not None else error.param.name
        return f"{wanted} is missing{_see_help(error)}"
    return error.format_message().rstrip(".") + (_see_help(error) if isinstance(error, click.UsageError) else "")


def _see_help(error: click.UsageError) -> str:
    return f"; see {error.ctx.command_path} --help" if error.ctx is not None else ""


def _let_go_of_output() -> None:
    """Whoever read the output has gone (`rulewright rules | head`): end quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
