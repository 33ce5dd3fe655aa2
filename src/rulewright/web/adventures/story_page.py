"""What the live page shows of an adventure besides the story itself: the last results, and the picture of the place."""

from collections.abc import Sequence
from typing import Any

from rulewright.table.views import LogShown, SceneShown, TableShown

MOST_RESULTS = 6
"""How many sentences of the last roll request or fight are shown."""


def story_context(seen: TableShown, scene: SceneShown | None, lines: Sequence[LogShown]) -> dict[str, Any]:
    """The variables of the template of the story."""
    return {"latest": latest_results(lines) if seen.story is not None and scene is None else ()}


def latest_results(lines: Sequence[LogShown]) -> tuple[str, ...]:
    """How the last roll request or fight ended, if it led to where the story is now."""
    number, results = 0, list[str]()
    for line in reversed(lines):
        if line.undone:
            continue
        if not number and line.sort in ("story", "story begun") and results == []:
            results.append("")  # the step of the story itself; what led to it comes before
            continue
        if line.sort == "story" or (number and line.scene != number):
            break
        if line.scene and line.sort != "scene begun":
            number = number or line.scene
            results += [detail.text for detail in reversed(line.details) if detail.sort == "event" and not detail.undone]
    return tuple(reversed([words for words in results[:MOST_RESULTS] if words]))
