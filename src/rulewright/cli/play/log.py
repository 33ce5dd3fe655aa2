"""The log of a scene as text and as JSON."""

from typing import Any

import click

from rulewright.cli import text
from rulewright.grammar import agree, count
from rulewright.play import Event, Rolled
from rulewright.scenes.encounter import Decided, Encounter, Logged
from rulewright.scenes.record import Overruled
from rulewright.show.serialize import plain, rolled

TONES = {"good": "green", "bad": "red"}


def public(encounter: "Encounter[Any]") -> dict[str, Any]:
    """The state and log of a scene, as JSON has it."""
    scene, state, result = encounter.scene, encounter.state, encounter.result
    out = scene.out(state)
    return {
        "system": scene.rules.system,
        "name": getattr(encounter.entries[0], "name", ""),
        "result": None if result is None else {"winner": result.winner, "why": result.why},
        "rounds": scene.round(state),
        "sides": {
            side: {"members": list(members), "out": [name for name in members if name in out]}
            for side, members in scene.sides(state).items()
        },
        "log": [_public_line(line) for line in encounter.log if not line.hidden_from(None)],
    }


def _public_line(line: Logged) -> dict[str, Any]:
    what = line.what
    shown: dict[str, Any] = {"entry": line.entry, "undone": line.undone}
    if isinstance(what, Event):
        return {**shown, "kind": "event", "text": what.headline(), "tone": what.tone(), "reasons": plain(what.reasons())}
    if isinstance(what, Rolled):
        return {**shown, "kind": "roll", "text": roll_words(what), **rolled(what)}
    if isinstance(what, Decided):
        return {**shown, "kind": "decision", "text": f"{what.who}: {what.answer}", "who": what.who, "question": what.question}
    return {**shown, "kind": "overruled", "text": entry_words(what)}


def roll_words(fell: Rolled) -> str:
    """A roll in one line."""
    faces = f": {' '.join(map(str, fell.faces))}" if fell.faces else ""
    return f"{fell.roll.by or 'someone'} rolls {fell.roll.reading!s} for {fell.roll.what or 'a test'}{faces}"


def entry_words(entry: object) -> str:
    """An edit of the gamemaster in one line."""
    if isinstance(entry, Overruled):
        return entry.why or "the gamemaster edits: " + ", ".join(f"{field} = {value}" for field, value in entry.changes)
    return "the gamemaster edits values"


def log_lines(line: Logged, with_reasons: bool, with_rolls: bool) -> list[str]:
    """The text of one log entry."""
    what = line.what
    struck = click.style("undone  ", dim=True) if line.undone else ""
    if isinstance(what, Event):
        shown = [struck + click.style(what.headline(), fg=TONES.get(what.tone()), dim=line.undone)]
        return shown + (text.tree(what.reasons(), "    ") if with_reasons else [])
    if isinstance(what, Rolled):
        return [struck + click.style(f"  {roll_words(what)}", dim=True)] if with_rolls and what.faces else []
    if isinstance(what, Decided):
        number = f" ({what.question})" if what.answer.lstrip("-").isdecimal() else ""
        return [struck + click.style(f"  {what.who}: {what.answer}{number}", dim=True)] if with_rolls else []
    return [struck + entry_words(what)]


def ending(encounter: "Encounter[Any]") -> list[str]:
    """The result, and the members of each side."""
    scene, state, result = encounter.scene, encounter.state, encounter.result
    rounds = scene.round(state)
    if result is None:
        headline = f"not finished: round {rounds}"
    else:
        winner = agree(result.winner, "wins", "win") if result.winner is not None else "draw"
        headline = f"{winner} after {count(rounds, 'round')}: {result.why}"
    out = scene.out(state)
    rows = [
        (side, ", ".join(click.style(f"{name} (out)", dim=True) if name in out else name for name in members))
        for side, members in scene.sides(state).items()
    ]
    return ["", click.style(headline, bold=True), *text.columns(rows, indent="  ")]
