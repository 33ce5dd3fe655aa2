"""The command `campaign`: new, ask, plan, pass, odds, calendar, log, undo and save."""

from importlib import import_module

import click

COMMANDS = {
    "new": ("new", "Write a campaign file."),
    "ask": ("ask", "Ask for a roll, with everybody's exact chance."),
    "plan": ("plan", "Show or change what somebody does while time passes."),
    "pass": ("time", "Let time pass."),
    "odds": ("time", "Calculate the chance of a milestone, and compare plans."),
    "calendar": ("calendar", "Show the date, the people, and what is to come."),
    "log": ("calendar", "Show what has happened."),
    "undo": ("calendar", "Undo the last command."),
    "save": ("new", "Save the present state as a new campaign file."),
}


class Commands(click.Group):
    """Imports only the command that runs. The file may stand before or after the command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"rulewright.cli.campaign.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, f"{name}_time" if name == "pass" else name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if len(args) > 1 and args[0] not in COMMANDS and args[1] in COMMANDS:
            args = [args[1], args[0], *args[2:]]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(cls=Commands)
def campaign() -> None:
    """Play the life between scenes: roll requests, plans, and time that passes.

    A campaign file is a beginning. What happens stands in the record beside it, FILE.jsonl, which a server can import as a table:

    \b
      rulewright campaign new scumm drowned.yaml ana.yaml --start "3 March 1931 20:00"
      rulewright campaign drowned.yaml ask Ana streetwise --against 5
      rulewright campaign drowned.yaml pass "3 weeks"
      rulewright campaign drowned.yaml odds "Ana walks" --by "1 May 1931"
    """
