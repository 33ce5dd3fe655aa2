"""Ways to fight a battle: advance, hold, skirmish, snipe, brawl. None of them needs a person, and none stops in front of a wall."""

from collections.abc import Mapping
from typing import Any

from rulewright.play import Choice, Given, Tactic, first_option


def advance(choice: Choice[Any]) -> Given:
    """Close in and fire."""
    keys = choice.keys()
    for word in ("fire ", "close in", "face ", "go "):
        found = next((key for key in keys if key.startswith(word)), None)
        if found is not None and choice.topic == "act":
            return found
    return "done" if "done" in keys else first_option(choice)


BATTLE_TACTICS: Mapping[str, Tactic] = {"advance": advance}
