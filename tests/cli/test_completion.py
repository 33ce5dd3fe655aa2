"""What a tab offers, and that the help says how a shell learns of it."""

import pytest
from click.shell_completion import ShellComplete

from rulewright.cli import rulewright


def offered(*words: str) -> list[str]:
    """What a shell would offer for the last of these words."""
    *before, begun = words
    found = ShellComplete(rulewright, {}, "rulewright", "_RULEWRIGHT_COMPLETE").get_completions(before, begun)
    return [item.value for item in found if item.type == "plain"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sim",), "simulate"),
        (("roll", "scu"), "scumm"),
        (("fight", "scumm/sh"), "scumm/shootout"),
        (("sheet", "ore/zeph"), "ore/zephyrine_ash"),
        (("rule", "scumm-inj"), "scumm-injuries"),
    ],
)
def test_commands_games_scenarios_characters_and_rules_are_completed(words, expected):
    assert expected in offered(*words)


def test_the_help_says_how(run):
    assert "_RULEWRIGHT_COMPLETE=bash_source" in run("--help").out
