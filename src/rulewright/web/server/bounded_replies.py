"""The replies of `rulewright.show.replies` with limits: on computing time, number of rolls, and length of text."""

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.play import Dice, Entropy, ScriptedFaces
from rulewright.play.odds import Budget
from rulewright.rules import RuleInfo, Ruleset
from rulewright.show import replies, rule_calls
from rulewright.show.replies import Counted, Decided, Thrown
from rulewright.system import System
from rulewright.web.pages.games import MOST_TEXT, ready_named
from rulewright.web.server.security import in_time

PATHS = 200_000
PATH_SECONDS = 2.0
"""Of CPU time; in real time, `COSTLY_SECONDS` of the rate limiter is the limit."""
MOST_ROLLS = 10_000


def fit(text: str) -> str:
    """Return a notation or a list of faces; refuse one that is too long."""
    if len(text) > MOST_TEXT:
        raise UserError(f"this text has {len(text):,} characters; the limit is {MOST_TEXT}")
    return text


def faces(text: str) -> list[Faces]:
    """Parse typed faces, one tuple for each roll."""
    return replies.faces(fit(text))


def _dice(typed: Sequence[Faces] | None) -> Counted:
    """Dice that fall as typed, or random dice if no faces were typed."""
    dice: Dice = Entropy() if typed is None else ScriptedFaces(typed)
    return Counted(dice, MOST_ROLLS)


@in_time
def throw(game: System, rules: Ruleset, notation: str, typed: Sequence[Faces] | None = None) -> Thrown:
    """Roll one test."""
    return replies.throw(game, rules, fit(notation), _dice(typed))


@in_time
def odds(game: System, rules: Ruleset, notation: str) -> dict[str, Any]:
    """Compute the exact odds of a test."""
    return replies.odds(game, rules, fit(notation), Budget(PATHS, PATH_SECONDS))


@in_time
def prepare(game: System, rules: Ruleset, info: RuleInfo, given: dict[str, Any], function: str | None = None) -> rule_calls.Call:
    """Prepare the call of a rule with these values. Only ready-made characters can be named as values."""
    return rule_calls.prepare(rules, info, given, function, lambda name: ready_named(game.id, name[:MOST_TEXT]).thing)


rows, value = in_time(replies.rows), in_time(replies.value)


@in_time
def played(game: System, call: rule_calls.Call, typed: Sequence[Faces] | None = None, choose: Iterable[str] = ()) -> dict[str, Any]:
    """Play a procedure and return its result."""
    decide = Decided([key[:MOST_TEXT] for key in choose], used_up=True)
    return replies.came(replies.carry_out(game, call, _dice(typed), decide))


@in_time
def weighed(call: rule_calls.Call, choose: Iterable[str] = ()) -> dict[str, Any]:
    """Compute the exact odds of a procedure's outcomes."""
    return replies.weighed(call, choose, Budget(PATHS, PATH_SECONDS))
