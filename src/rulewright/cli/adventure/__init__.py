"""The command `adventure`: check, pack, odds and play."""

from importlib import import_module

import click

COMMANDS = {
    "check": ("check", "Check an adventure: names, people, ways, clues, chances, secrets, and random walks."),
    "odds": ("check", "Show the exact chances of every roll request."),
    "pack": ("pack", "Pack a folder as one zip file, or unpack it."),
    "play": ("play", "Play an adventure in the terminal, without a gamemaster."),
}


class Commands(click.Group):
    """Imports only the command that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"rulewright.cli.adventure.{COMMANDS[name][0]}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(cls=Commands)
def adventure() -> None:
    """Write, check and play adventures.

    An adventure is a folder with an adventure.yaml, the same folder as a zip file, or the name of one that ships with a game:

    \b
      rulewright adventure check scumm/glass-ferry
      rulewright adventure play scumm/glass-ferry
    """
