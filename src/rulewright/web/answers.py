"""What the interface answers with: the shapes that `rulewright ... --json` prints. Everything here is bounded in time."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from rulewright import calls
from rulewright.dice.reading import Faces
from rulewright.errors import Wrong
from rulewright.odds import Budget, Odds, exact
from rulewright.pieces import Sheet
from rulewright.plain import plain, reasons, rolled, sums_of
from rulewright.play import Choice, Dice, Entropy, Given, Play, Played, Roll, ScriptedFaces, first_option, play
from rulewright.reasons import Reason
from rulewright.rules import RuleInfo, Ruleset
from rulewright.system import Shown, System
from rulewright.web.games import MOST_TEXT, ready_named, short
from rulewright.web.safety import in_time

PATHS = 200_000
PATH_SECONDS = 2.0
MOST_ROLLS = 10_000
MOST_COMPARED = 4


def system(game: System) -> dict[str, Any]:
    """A game, its options and what ships with it."""
    return {
        "id": game.id,
        "name": game.name,
        "about": game.about,
        "notation": game.notation,
        "kinds": {kind: dict(game.archetypes(kind)) for kind in game.kinds},
        "demos": list(game.demos()),
        "presets": game.book.presets,
        "settings": [
            {
                "name": setting.name,
                "title": setting.title,
                "text": setting.text,
                "rule": setting.rule,
                "default": setting.default,
                "allowed": setting.allowed(),
                "values": list(setting.values),
                "source": setting.source,
            }
            for setting in game.book.settings.values()
        ],
    }


# --- dice ---------------------------------------------------------------------------------------------------------------------


def faces(text: str) -> list[Faces]:
    """`2,6,4/3,5` as one tuple of faces a roll."""
    rolls = []
    for roll in text.split("/"):
        found = roll.replace(",", " ").split()
        if not found or len(found) > MOST_TEXT or not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in found):
            raise Wrong(f"{short(text)!r} are no faces: write numbers with commas between them and / between rolls, as in 2,6,4/3,5")
        rolls.append(tuple(int(part) for part in found))
    return rolls


class Counted:
    """Dice that are rolled a sane number of times: typed where faces were given, fresh from the operating system otherwise."""

    def __init__(self, typed: Sequence[Faces] | None = None) -> None:
        self._typed = ScriptedFaces(typed) if typed is not None else None
        self._dice: Dice = self._typed if self._typed is not None else Entropy()
        self._left = MOST_ROLLS

    def faces(self, roll: Roll[Any]) -> Faces:
        """The faces of one roll."""
        self._left -= 1
        if self._left < 0:
            raise Wrong(f"this takes more than {MOST_ROLLS} rolls: give smaller numbers")
        return self._dice.faces(roll)

    def finish(self) -> None:
        """Refuse typed faces that no roll asked for."""
        if self._typed is not None:
            self._typed.finish()


class Thrown(Struct, frozen=True):
    """A test that was rolled: what came of it, and why."""

    notation: str
    shown: Shown
    played: Played[Any]
    reasons: tuple[Reason, ...]


def fit(notation: str) -> str:
    """The notation, if it is not absurdly long."""
    if len(notation) > MOST_TEXT:
        raise Wrong(f"a test of {len(notation)} characters is too long; {MOST_TEXT} is the most")
    return notation


@in_time
def throw(game: System, rules: Ruleset, notation: str, typed: Sequence[Faces] | None = None) -> Thrown:
    """Roll one test."""
    dice = Counted(typed)
    played = play(game.test(rules, fit(notation)).start(), dice=dice)
    dice.finish()
    return Thrown(notation, game.show(played.outcome), played, tuple(sums_of(played.rolls, game.explain)))


def roll(game: System, thrown: Thrown) -> dict[str, Any]:
    """A rolled test, as `roll --json` prints it."""
    return {
        "system": game.id,
        "notation": thrown.notation,
        "label": thrown.shown.label,
        "success": None,
        "margin": None,
        "draw": None,
        **thrown.shown.fields,
        "value": thrown.shown.value,
        "rolls": [rolled(fell) for fell in thrown.played.rolls],
        "reasons": plain(thrown.reasons),
    }


# --- odds ---------------------------------------------------------------------------------------------------------------------


@in_time
def odds(game: System, rules: Ruleset, notation: str) -> dict[str, Any]:
    """The exact odds of a test: outcomes merged by what is shown of them, in the order of their axis."""
    found = exact(game.test(rules, fit(notation)), budget=Budget(PATHS, PATH_SECONDS))
    merged: dict[str, tuple[Shown, int]] = {}
    for outcome, weight in found:
        shown = game.show(outcome)
        key = repr(sorted(shown.value.items()))
        merged[key] = (shown, merged[key][1] + weight if key in merged else weight)
    ordered = sorted(merged.values(), key=lambda entry: entry[0].order)
    outcomes = [
        {"label": shown.short, "value": shown.value, "verdict": shown.verdict, "order": shown.order, "weight": weight}
        for shown, weight in ordered
    ]
    return {"system": game.id, "notation": notation, **_weighed(found, outcomes)}


def _weighed(found: Odds[Any], outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    verdicts = {"success": 0, "draw": 0, "failure": 0}
    for outcome in outcomes:
        if outcome["verdict"] in verdicts:
            verdicts[outcome["verdict"]] += outcome["weight"]
    judged = any(outcome["verdict"] in verdicts for outcome in outcomes)
    return {
        "total": found.total,
        "unsettled": found.unsettled,
        "outcomes": outcomes,
        "chance": {verdict: weight / found.total for verdict, weight in verdicts.items()} if judged else None,
    }


# --- sheets -------------------------------------------------------------------------------------------------------------------


def sheet(drawn: Sheet) -> dict[str, Any]:
    """A sheet's derived values and tests."""
    return {
        "system": drawn.system,
        "kind": drawn.kind,
        "name": drawn.name,
        "values": {
            key: {"value": value.value, "source": value.source, "reasons": msgspec.to_builtins(value.reasons)}
            for key, value in drawn.values().items()
        },
        "tests": {key: {"name": test.name, "notation": test.notation} for key, test in drawn.tests().items()},
    }


# --- rules --------------------------------------------------------------------------------------------------------------------


class Decided:
    """Decisions as given, each used for the first question that it answers; otherwise the first option."""

    def __init__(self, given: Iterable[str], *, used_up: bool) -> None:
        self.left = list(given)
        self.used_up = used_up

    def __call__(self, choice: Choice[Any]) -> Given:
        for key in self.left:
            fitting = _fitting(choice, key)
            if fitting is not None:
                if self.used_up:
                    self.left.remove(key)
                return fitting
        return first_option(choice)

    def finish(self) -> None:
        """Refuse decisions that nobody asked for."""
        if self.used_up and self.left:
            raise Wrong(f"{short(self.left[0])!r}: nothing was asked that this answers")


def _fitting(choice: Choice[Any], key: str) -> Given | None:
    allowed = choice.keys()
    if allowed:
        return key if key in allowed else None
    number = int(key) if key.lstrip("-").isascii() and key.lstrip("-").isdecimal() and len(key) < 10 else None
    return number if number in choice.options else None


def rule(info: RuleInfo) -> dict[str, Any]:
    """A rule, what each of its functions takes, and how many rows its table has."""
    return {
        **info.public(),
        "functions": [
            {
                "name": name,
                "text": " ".join((calls.choose(info, name).__doc__ or "").split()),
                "asks": calls.is_procedure(calls.choose(info, name)),
                "parameters": plain(calls.parameters(info, name)),
            }
            for name in calls.names(info)
        ],
        "rows": len(info.table.rows) if info.table is not None else None,
    }


@in_time
def prepare(game: System, rules: Ruleset, info: RuleInfo, given: dict[str, Any], function: str | None = None) -> calls.Call:
    """The call that these values stand for; a structure can be named only among the ready-made ones."""
    return calls.prepare(rules, info, given, function, lambda name: ready_named(game.id, name[:MOST_TEXT]).thing)


@in_time
def rows(rules: Ruleset, info: RuleInfo) -> dict[str, Any]:
    """A rule's table."""
    return {"id": info.id, "rows": calls.rows(rules, info), "rolls": [], "reasons": []}


@in_time
def value(call: calls.Call) -> dict[str, Any]:
    """What a formula gives, and why."""
    if call.asks:
        raise Wrong(f"{call.info.id} asks for dice or decisions: play it, or ask for its odds")
    found = call.value()
    return {"id": call.info.id, "value": plain(found), "rolls": [], "reasons": plain(reasons(found))}


@in_time
def played(game: System, call: calls.Call, typed: Sequence[Faces] | None = None, choose: Sequence[str] = ()) -> dict[str, Any]:
    """What came of a procedure."""
    _rolls_something(call)
    dice, decide = Counted(typed), Decided(choose, used_up=True)
    result = play(call.start(), dice=dice, decide=decide)
    dice.finish()
    decide.finish()
    why = reasons(result.outcome) + [reason for event in result.events for reason in event.reasons()]
    why = why or sums_of(result.rolls, game.explain)
    return {
        "id": call.info.id,
        "label": call.label(result.outcome),
        "outcome": plain(result.outcome),
        "changes": call.changes(result.outcome),
        "rolls": [rolled(fell) for fell in result.rolls],
        "events": [event.headline() for event in result.events],
        "reasons": plain(why),
    }


@in_time
def weighed(call: calls.Call, choose: Sequence[str] = ()) -> dict[str, Any]:
    """The exact odds of a procedure's outcomes, those that read alike taken together."""
    _rolls_something(call)
    seen: dict[str, Any] = {}

    def start() -> Play[str]:
        outcome = yield from call.start()
        key = json.dumps(plain(outcome), sort_keys=True)
        seen.setdefault(key, outcome)
        return key

    found = exact(start, decide=Decided(choose, used_up=False), budget=Budget(PATHS, PATH_SECONDS))
    outcomes = []
    for key, weight in found:
        verdict = getattr(seen[key], "verdict", None)
        verdict = verdict if verdict in ("success", "draw", "failure") else None
        outcomes.append({"label": call.label(seen[key]), "value": plain(seen[key]), "verdict": verdict, "weight": weight})
    return {"id": call.info.id, **_weighed(found, outcomes)}


def _rolls_something(call: calls.Call) -> None:
    if not call.asks:
        raise Wrong(f"{call.info.id} rolls nothing: it is a formula, and has a value")
