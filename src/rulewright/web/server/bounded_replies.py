"""The replies of `rulewright.show.replies` with limits: on computing time, number of rolls, and length of text."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.play import Dice, Entropy, ScriptedFaces
from rulewright.play.odds import Budget
from rulewright.rules import RuleInfo, Ruleset
from rulewright.show import replies, rule_calls
from rulewright.show.replies import Counted, Decided, Thrown
from rulewright.system import System
from rulewright.web.pages.games import MAX_TEXT, find_ready_made
from rulewright.web.server.security import time_limited

PATHS = 200_000
PATH_SECONDS = 2.0
"""Of CPU time; in real time, `COSTLY_SECONDS` of the rate limiter is the limit."""
MAX_ROLLS = 10_000


def check_length(text: str) -> str:
    """Return a notation or a list of faces; refuse one that is too long."""
    if len(text) > MAX_TEXT:
        raise UserError(f"this text has {len(text):,} characters; the limit is {MAX_TEXT}")
    return text


def faces(text: str) -> list[Faces]:
    """Parse typed faces, one tuple for each roll."""
    return replies.faces(check_length(text))


def _dice(typed: Sequence[Faces] | None) -> Counted:
    """Dice that fall as typed, or random dice if no faces were typed."""
    dice: Dice = Entropy() if typed is None else ScriptedFaces(typed)
    return Counted(dice, MAX_ROLLS)


@time_limited
def throw(game: System, rules: Ruleset, notation: str, typed: Sequence[Faces] | None = None) -> Thrown:
    """Roll one test."""
    return replies.throw(game, rules, check_length(notation), _dice(typed))


@time_limited
def odds(game: System, rules: Ruleset, notation: str) -> dict[str, Any]:
    """Compute the exact odds of a test."""
    return replies.odds(game, rules, check_length(notation), Budget(PATHS, PATH_SECONDS))


@time_limited
def prepare(game: System, rules: Ruleset, info: RuleInfo, given: dict[str, Any], function: str | None = None) -> rule_calls.Call:
    """Prepare the call of a rule with these values. Only ready-made characters can be named as values."""
    return rule_calls.prepare(rules, info, given, function, lambda name: find_ready_made(game.id, name[:MAX_TEXT]).thing)


rows, value = time_limited(replies.rows), time_limited(replies.value)


@time_limited
def play(
    game: System,
    call: rule_calls.Call,
    typed: Sequence[Faces] | None = None,
    choose: Iterable[str] = (),
    label: Callable[[Any], str] | None = None,
) -> dict[str, Any]:
    """Play a procedure and return its result; `label` puts the outcome in words."""
    decide = Decided([key[:MAX_TEXT] for key in choose], used_up=True)
    done = replies.carry_out(game, call, _dice(typed), decide)
    answer = replies.came(done)
    return answer if label is None else {**answer, "label": label(done.played.outcome)}


@time_limited
def compute_odds(
    call: rule_calls.Call, choose: Iterable[str] = (), label: Callable[[Any], str] | None = None, budget: Budget | None = None
) -> dict[str, Any]:
    """Compute the exact odds of a procedure's outcomes; `label` puts them in words."""
    return replies.weighed(call, choose, budget or Budget(PATHS, PATH_SECONDS), label)
