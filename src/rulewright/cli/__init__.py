"""The command line. Each command is a module of its own, imported when the command runs."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from rulewright.errors import UserError
from rulewright.version import __version__

COMMANDS = {
    "systems": ("rulebook", "List the games and their settings."),
    "roll": ("rolls", "Roll one test."),
    "odds": ("rolls", "Calculate the exact odds of a test."),
    "ask": ("play.ask", "Ask characters for a roll, with exact chances."),
    "new": ("files", "Create a starting character as a file."),
    "npc": ("npc", "Generate random characters."),
    "convert": ("convert", "Convert a character to or from another game."),
    "audit": ("files", "Check whether a file is legal; list every problem."),
    "sheet": ("files", "Show the sheet of a character, or save it as PDF."),
    "why": ("files", "Explain one value of a sheet."),
    "advance": ("advance", "Award or spend experience."),
    "fight": ("play.fight", "Play a scenario, automatically or by hand."),
    "campaign": ("campaign", "Play the life between scenes: rolls, plans, time."),
    "adventure": ("adventure", "Check, pack and play adventures."),
    "simulate": ("lab.simulate", "Play a scenario many times, or solve it exactly."),
    "duel": ("lab.duels", "Compare designs in fights against each other."),
    "rule": ("rulebook", "Call one rule by its id."),
    "rules": ("rulebook", "List or search the implemented rules."),
    "map": ("maps", "Import a map from another tool or a picture."),
    "schema": ("files", "Print the JSON Schema of a kind of file."),
    "serve": ("serve", "Run the table server for the browser."),
    "backup": ("backup", "Back up all tables of a server."),
    "restore": ("backup", "Restore tables from a backup."),
    "rescue": ("backup", "Recover the readable tables of a damaged file."),
    "tables": ("tables", "List, close, open, export or delete tables."),
}

MOST_WORDS = 1000
"""The longest error message, in characters."""


class Commands(click.Group):
    """Knows the commands by name and imports only the one that runs."""

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

    Every command takes --json. Exit status: 0 success, 1 the answer is no (such as an illegal character), 2 wrong input.

    To complete commands, games, files and rule ids with the Tab key, in bash:

    \b
      eval "$(_RULEWRIGHT_COMPLETE=bash_source rulewright)"

    In zsh, use zsh_source. In fish: _RULEWRIGHT_COMPLETE=fish_source rulewright | source
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, or with those of the process. Returns the exit status."""
    if arguments is not None:
        return _run(list(arguments))
    # A command is short and makes little garbage: garbage collection took a fifth of the time of a roll.
    gc.set_threshold(100_000, 20, 20)
    try:
        return _run(None)
    finally:
        gc.freeze()


def _run(arguments: list[str] | None) -> int:
    _replace_unprintable()
    try:
        status: Any = rulewright.main(args=arguments, prog_name="rulewright", standalone_mode=False)
    except UserError as wrong:
        return _refuse(*wrong.parts)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _refuse(_in_words(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("rulewright: stopped", err=True)
        return 130
    except BrokenPipeError:
        _discard_output()
        return 0
    except OSError as error:  # a full disk, a name that is too long, a folder without permission
        return _refuse(f"{str(error.filename or 'the output')[:200]}: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        return _report_bug(error)
    return status if isinstance(status, int) else 0


def _refuse(*messages: str) -> int:
    for message in messages:
        words = " ".join(message.split())
        click.echo(f"rulewright: {words if len(words) <= MOST_WORDS else f'{words[:MOST_WORDS]}…'}", err=True)
    return 2


def _report_bug(error: Exception) -> int:
    """Print a bug of Rulewright in one line, or raise it if RULEWRIGHT_DEBUG is set."""
    if os.environ.get("RULEWRIGHT_DEBUG"):
        raise error
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    click.echo(f"rulewright: this is a bug in Rulewright ({words}); set RULEWRIGHT_DEBUG=1 for the traceback", err=True)
    return 3


def _replace_unprintable() -> None:
    """Print question marks instead of failing if the output cannot encode a character such as ×."""
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


def _discard_output() -> None:
    """Discard output after the reader closed the pipe (`rulewright rules | head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
