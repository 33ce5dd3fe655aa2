"""The notation of tests: `14 x 5-1+1`, `20+1 x 3-4`, `14 x 5 vs 12 x 4`, `14 x 5 blocked by 12 x 4`."""

import re
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.system import Shown
from rulewright.systems.foresight.resolution.tests import (
    BOTCH,
    LADDER,
    Blocked,
    Contest,
    Mod,
    Quality,
    Task,
    attempt,
    contest,
    label,
    oppose,
    reading,
)
from rulewright.systems.foresight.settings import BOOK

_TASK = re.compile(
    r"(?P<score>\d{1,3}(?:\.\d{1,4})?)(?:\s*\+\s*(?P<bonus>\d{1,2}))?\s*[x×*]\s*(?P<ease>\d{1,2}(?:\.\d{1,2})?|¼|½)(?P<mods>(?:\s*[+-]\s*\d{1,4})*)",
    re.ASCII,
)
_MOD = re.compile(r"([+-])\s*(\d+)")
_EASES = {"¼": 0.25, "½": 0.5}
_BETWEEN = re.compile(r"\s+(vs|against|blocked by)\s+", re.ASCII)
MOST_TEXT = 200
HELP = (
    "write score x base ease factor and modifiers: 14 x 5-1+1, 20+1 x 3-4 (20+1 is a score of 23); "
    "14 x 5 vs 12 x 4 compares two, 14 x 5 blocked by 12 x 4 weakens the first"
)

How = Literal["alone", "compared", "blocked"]


class Written(Struct, frozen=True):
    """A test as written: a task, and perhaps another that it is compared with or blocked by."""

    task: Task
    other: Task | None = None
    how: How = "alone"


def parse(text: str) -> Written:
    """Read a notation; refuses anything left over."""
    if len(text) > MOST_TEXT:
        raise UserError(f"a test of {len(text)} characters is too long: {HELP}")
    parts = _BETWEEN.split(text.strip().lower())
    if len(parts) == 1:
        return Written(_task(parts[0], text))
    if len(parts) != 3:
        raise UserError(f"cannot read {text!r}: {HELP}")
    how: How = "blocked" if parts[1] == "blocked by" else "compared"
    return Written(_task(parts[0], text), _task(parts[2], text), how)


def _task(text: str, whole: str) -> Task:
    match = _TASK.fullmatch(text)
    if match is None:
        raise UserError(f"cannot read {whole!r}: {HELP}")
    score = float(match["score"])
    if match["bonus"] is not None:
        if score != 20:
            raise UserError(f"cannot read {whole!r}: only a score of 20 has a bonus, as in 20+1")
        score += 3 * int(match["bonus"])
    ease = _EASES.get(match["ease"]) or float(match["ease"])
    if ease not in LADDER:
        raise UserError(f"cannot read {whole!r}: a base ease factor is one of 0, 0.25, 0.5, 1, 2 … 15, not {match['ease']}")
    modifier = sum([int(sign + number) for sign, number in _MOD.findall(match["mods"])])
    return Task(score, ease, (Mod("modifiers", modifier),) if modifier else ())


def spell(task: Task) -> str:
    """A task as people write it; `parse` reads it back."""
    bonus, rest = divmod(task.score - 20, 3)
    score = f"20+{bonus:g}" if bonus > 0 and rest == 0 else f"{task.score:g}"
    return f"{score} x {task.ease:g}{f'{task.modifier:+}' if task.modifier else ''}"


def spell_test(written: Written) -> str:
    """A whole test as people write it."""
    if written.other is None:
        return spell(written.task)
    return f"{spell(written.task)} {'vs' if written.how == 'compared' else 'blocked by'} {spell(written.other)}"


def check(rules: Ruleset, written: Written) -> None:
    """Refuse here and now what cannot be rolled."""
    for task in (written.task, written.other):
        if task is not None:
            reading(rules, task)


def written_test(rules: Ruleset, written: Written) -> Play[Quality | Contest | Blocked]:
    """The test that was written."""
    if written.other is None:
        return (yield from attempt(rules, written.task))
    if written.how == "compared":
        return (yield from contest(rules, written.task, written.other))
    return (yield from oppose(rules, written.task, written.other))


def show(outcome: Quality | Contest | Blocked) -> Shown:
    """An outcome in words."""
    if isinstance(outcome, Contest):
        return _compared(outcome)
    if isinstance(outcome, Blocked):
        shown = _rated(outcome.through)
        words = f"{shown.label} (QR{outcome.attack} against QR{outcome.defense})"
        value = {"quality": outcome.through, "attack": outcome.attack, "defense": outcome.defense}
        return Shown(words, shown.short, value, shown.verdict, shown.fields, order=shown.order)
    return _rated(outcome.qr)


def _rated(qr: int) -> Shown:
    word = label(BOOK.ruleset(), qr)
    words = word if qr > 4 else f"{word} success"
    fields = {"success": qr <= 4, "quality": qr, "botch": qr == BOTCH}
    return Shown(f"QR{qr}, {words}", f"QR{qr}", {"quality": qr}, "success" if qr <= 4 else "failure", fields, order=4 - qr)


def _compared(outcome: Contest) -> Shown:
    won = {0: "undecided", 1: "the first wins", 2: "the second wins"}[outcome.winner]
    words = f"{won} (QR{outcome.one} against QR{outcome.other})"
    value = {"quality": outcome.one, "against": outcome.other, "winner": outcome.winner}
    verdict: Literal["success", "draw", "failure"] = "draw" if not outcome.winner else "success" if outcome.winner == 1 else "failure"
    fields = {"success": outcome.winner == 1, "draw": not outcome.winner, "margin": outcome.margin}
    return Shown(words, f"QR{outcome.one}:QR{outcome.other}", value, verdict, fields, order=outcome.margin)
