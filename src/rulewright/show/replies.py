"""Answers of the commands and the HTTP API: rolls, odds, sheets and rules. `--json` and HTTP give the same shapes.

The caller passes the limits: budgets, the largest number of rolls, and dice. `rulewright roll` starts here, so modules that only odds and
rules need are imported inside the functions that use them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from rulewright.build.sheet_parts import Sheet, Test, Value
from rulewright.dice.reading import Faces
from rulewright.dice.sums import Sum, plain_dice
from rulewright.errors import UserError
from rulewright.play import Choice, Dice, Given, Play, Played, Roll, Rolled, ScriptedFaces, Sub, first_option, play, sub
from rulewright.rules import Book, RuleInfo, Ruleset
from rulewright.rules.reasons import Reason
from rulewright.rules.registry import alternatives, key_of
from rulewright.show.serialize import plain, reasons, rolled, sums_of, words
from rulewright.system import Shown, System

if TYPE_CHECKING:
    from rulewright.play.odds import Budget, Odds
    from rulewright.show.rule_calls import Call

MOST_COMPARED = 4
"""The largest number of tests in one comparison."""

VERDICTS = ("success", "draw", "failure")


def system(game: System) -> dict[str, Any]:
    """A game: its settings, presets and ready-made files."""
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
    """Parse `2,6,4/3,5` into the faces of each roll."""
    rolls = []
    for roll in text.split("/"):
        names = roll.replace(",", " ").split()
        if not names or not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in names):
            raise UserError(f"{text!r} are no faces of dice: write numbers with commas, and / between rolls, as in 2,6,4/3,5")
        rolls.append(tuple(int(part) for part in names))
    return rolls


class Counted(Struct):
    """Dice with a limit on the number of rolls."""

    dice: Dice
    most: int
    rolled: int = 0

    def faces(self, roll: Roll[Any]) -> Faces:
        """The faces of one roll."""
        self.rolled += 1
        if self.rolled > self.most:
            raise UserError(f"this takes more than {self.most:,} rolls: give smaller numbers")
        return self.dice.faces(roll)


def used_up(dice: Dice) -> None:
    """Raise UserError if given faces are left over."""
    if isinstance(dice, Counted):
        used_up(dice.dice)
    elif isinstance(dice, ScriptedFaces):
        dice.finish()


class Thrown(Struct, frozen=True):
    """A test that was rolled: its outcome, and why."""

    notation: str
    shown: Shown
    played: Played[Any]
    reasons: tuple[Reason, ...]

    @property
    def label(self) -> str:
        """The outcome in a few words."""
        return self.shown.label

    @property
    def verdict(self) -> str | None:
        """success, draw or failure; None if the game does not judge this test."""
        return self.shown.verdict

    @property
    def faces(self) -> tuple[Faces, ...]:
        """The faces of every roll."""
        return tuple(fell.faces for fell in self.played.rolls)


def plain_roll(dice: Sum, notation: str) -> Play[int]:
    """Roll plain dice and add them up."""
    return (yield from Roll(dice, what=notation))


def test_of(game: System, rules: Ruleset, notation: str) -> tuple[Sub[Any], Callable[[Any], Shown]]:
    """Parse a notation: plain dice, which work in every game, or a test of the game. Returns the test and how to show its outcome."""
    dice = plain_dice(notation)
    if dice is None:
        return game.test(rules, notation), game.show
    return sub(plain_roll, dice, notation), lambda total: Shown(str(total), str(total), {"total": total}, order=total)


def throw(game: System, rules: Ruleset, notation: str, dice: Dice) -> Thrown:
    """Roll one test."""
    test, show = test_of(game, rules, notation)
    played = play(test.start(), dice=dice)
    used_up(dice)
    explain = _plain_sum if test.procedure is plain_roll else game.explain
    return Thrown(notation, show(played.outcome), played, tuple(sums_of(played.rolls, explain)))


def _plain_sum(fell: Rolled) -> tuple[Reason, ...]:
    """The reasons of plain dice: the dice and the modifier."""
    reading = fell.roll.reading
    modifier = reading.modifier if isinstance(reading, Sum) else 0
    dice = tuple(Reason(label, value) for label, value in reading.explain(fell.faces))
    return (*dice, Reason("added", modifier)) if modifier else dice


def roll(game: System, thrown: Thrown) -> dict[str, Any]:
    """A rolled test. `success` and `draw` are None if the game does not judge the test."""
    verdict = thrown.shown.verdict
    return {
        "system": game.id,
        "notation": thrown.notation,
        "label": thrown.shown.label,
        "success": None if verdict is None else verdict == "success",
        "margin": None,
        "draw": None if verdict is None else verdict == "draw",
        **game.beside(thrown.played),
        **thrown.shown.fields,
        "value": thrown.shown.value,
        "rolls": [rolled(fell) for fell in thrown.played.rolls],
        "reasons": plain(thrown.reasons),
    }


# --- odds ---------------------------------------------------------------------------------------------------------------------


def odds(game: System, rules: Ruleset, notation: str, budget: "Budget") -> dict[str, Any]:
    """The exact odds of a test. Outcomes that are shown alike are merged; the order is that of the axis."""
    from rulewright.play.odds import exact

    test, show = test_of(game, rules, notation)
    result = exact(test, budget=budget)
    merged: dict[str, tuple[Shown, int]] = {}
    for outcome, weight in result:
        shown = show(outcome)
        key = repr(sorted(shown.value.items()))
        merged[key] = (shown, merged[key][1] + weight if key in merged else weight)
    outcomes = [
        {"label": shown.short, "value": shown.value, "verdict": shown.verdict, "order": shown.order, "weight": weight}
        for shown, weight in sorted(merged.values(), key=lambda entry: entry[0].order)
    ]
    remark = game.remark(rules, notation)
    return {"system": game.id, "notation": notation, **({"remark": remark} if remark else {}), **_with_totals(result, outcomes)}


def at_least(answer: dict[str, Any]) -> dict[str, Any]:
    """The same odds, cumulated: the chance of each outcome or a higher one. Outcomes at the same place of the axis are merged."""
    places: dict[float, list[dict[str, Any]]] = {}
    for outcome in answer["outcomes"]:
        places.setdefault(outcome["order"], []).append(outcome)
    result, reached = [], 0
    for order in sorted(places, reverse=True):
        here = places[order]
        reached += sum(outcome["weight"] for outcome in here)
        verdicts = {outcome["verdict"] for outcome in here}
        shortest = min(here, key=lambda outcome: len(outcome["label"]))
        result.append({**shortest, "verdict": verdicts.pop() if len(verdicts) == 1 else None, "weight": reached})
    return {**answer, "outcomes": result[::-1]}


def average(answer: dict[str, Any]) -> tuple[str, float, float] | None:
    """The name of the number on the axis (`total`, `margin`), its mean and its standard deviation; None if there is no number."""
    outcomes, total = answer["outcomes"], answer["total"]
    if answer["unsettled"] or not outcomes:
        return None
    name = next((name for name, number in outcomes[0]["value"].items() if _on_axis(number, outcomes[0])), None)
    if name is None or not all(_on_axis(outcome["value"].get(name), outcome) for outcome in outcomes):
        return None
    mean = sum(outcome["order"] * outcome["weight"] for outcome in outcomes) / total
    return name, mean, math.sqrt(sum((outcome["order"] - mean) ** 2 * outcome["weight"] for outcome in outcomes) / total)


def _on_axis(number: Any, outcome: dict[str, Any]) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number == outcome["order"]


def _with_totals(odds_found: "Odds[Any]", outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    """The outcomes with the total weight and the chance of each verdict, if there are verdicts."""
    verdicts = dict.fromkeys(VERDICTS, 0)
    judged = [outcome for outcome in outcomes if outcome["verdict"] is not None]
    for outcome in judged:
        verdicts[outcome["verdict"]] += outcome["weight"]
    return {
        "total": odds_found.total,
        "unsettled": odds_found.unsettled,
        "outcomes": outcomes,
        "chance": {verdict: weight / odds_found.total for verdict, weight in verdicts.items()} if judged else None,
    }


# --- sheets -------------------------------------------------------------------------------------------------------------------


def sheet(drawn: Sheet) -> dict[str, Any]:
    """A sheet's derived values and tests."""
    return {
        "system": drawn.system,
        "kind": drawn.kind,
        "name": drawn.name,
        "values": {
            key: {"value": value.value, "source": value.source, "reasons": to_builtins(value.reasons)}
            for key, value in drawn.values().items()
        },
        "tests": {key: {"name": test.name, "notation": test.notation} for key, test in drawn.tests().items()},
    }


def explainable(drawn: Sheet) -> dict[str, Value | Test]:
    """The values and tests of a sheet that have reasons, by key."""
    return {**drawn.tests(), **drawn.values()}


def root(piece: Value | Test) -> Reason:
    """A value or test as one reason, with its terms below it."""
    if isinstance(piece, Test):
        terms = tuple(Reason(part.label, part.value, "+", part.rule) for part in piece.parts)
        return Reason(piece.name, piece.notation, "=", piece.rule, "book", terms)
    if len(piece.reasons) == 1 and piece.reasons[0].op == "=":
        return piece.reasons[0]
    return Reason(piece.name, piece.value, "=", piece.rule, piece.source, piece.reasons)


def why(file: str, key: str, reason: Reason) -> dict[str, Any]:
    """The reasons of one value of a sheet."""
    return {"file": file, "key": key, "value": reason.value, "reasons": [to_builtins(reason)]}


# --- rules --------------------------------------------------------------------------------------------------------------------


def searched(rules: Iterable[RuleInfo], text: str, book: Book | None = None) -> list[RuleInfo]:
    """Search the rules in plain words, the best match first."""
    from rulewright.show import rule_index

    return rule_index.searched(rules, text, book)


def rule(info: RuleInfo) -> dict[str, Any]:
    """A rule, the parameters of its functions, and the number of rows of its table."""
    from rulewright.show import rule_calls

    return {
        **info.public(),
        "functions": [
            {
                "name": name,
                "text": " ".join((rule_calls.choose(info, name).__doc__ or "").split()),
                "asks": rule_calls.is_procedure(rule_calls.choose(info, name)),
                "parameters": plain(rule_calls.parameters(info, name)),
            }
            for name in rule_calls.names(info)
        ],
        "rows": len(info.table.rows) if info.table is not None else None,
    }


def rows(rules: Ruleset, info: RuleInfo) -> dict[str, Any]:
    """A rule's table."""
    from rulewright.show import rule_calls

    return {"id": info.id, "rows": rule_calls.rows(rules, info), "rolls": [], "reasons": []}


def table(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """The heads of a rule's table, and its cells as text."""
    heads = list(dict.fromkeys(key for row in rows for key in row))
    return heads, [[cell(row.get(head)) for head in heads] for row in rows]


def cell(value: Any) -> str:
    """A cell of a table as text; empty for None."""
    if value is None:
        return ""
    return ", ".join(words(part) for part in value) if isinstance(value, list) else words(value)


class Decided:
    """Given decisions: each answers the first question that it fits. Other questions go to `otherwise`.

    With `used_up`, each decision answers one question, and `finish` refuses decisions that no question used. For odds, which follow every
    path, a decision answers its question on all paths.
    """

    def __init__(self, given: Iterable[str], *, used_up: bool, otherwise: "Callable[[Choice[Any]], Given]" = first_option) -> None:
        self.left = list(given)
        self.used_up = used_up
        self.otherwise = otherwise

    def __call__(self, choice: Choice[Any]) -> Given:
        for key in self.left:
            answer = fitting(choice, key)
            if answer is not None:
                if self.used_up:
                    self.left.remove(key)
                return answer
        return self.otherwise(choice)

    def finish(self) -> None:
        """Raise UserError if a decision was not used."""
        if self.used_up and self.left:
            raise UserError(f"the decision {self.left[0]!r} answers no question that was asked")


def fitting(choice: Choice[Any], key: str) -> Given | None:
    """The answer to a choice that was typed; None if it is not an allowed answer."""
    allowed = choice.keys()
    if allowed:
        return key if key in allowed else None
    digits = key.removeprefix("-")
    number = int(key) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
    return number if number in choice.options else None


class Came(Struct, frozen=True):
    """A procedure that was played: its outcome and its reasons."""

    call: "Call"
    played: Played[Any]
    reasons: list[Reason]

    @property
    def label(self) -> str:
        """The outcome in a few words, for JSON."""
        return self.call.label(self.played.outcome)

    @property
    def description(self) -> str:
        """The outcome in words for people."""
        return self.call.describe(self.played.outcome)


def carry_out(game: System, call: "Call", dice: Dice, decide: Decided) -> Came:
    """Play a procedure. The reasons are those of its outcome and events, else those of its dice."""
    _refuse_formula(call)
    with call.fitting():
        played = play(call.start(), dice=dice, decide=decide)
    used_up(dice)
    decide.finish()
    result = reasons(played.outcome) + [reason for event in played.events for reason in event.reasons()]
    return Came(call, played, result or sums_of(played.rolls, game.explain))


def came(done: Came) -> dict[str, Any]:
    """The outcome of a procedure."""
    outcome = done.played.outcome
    return {
        "id": done.call.info.id,
        "label": done.label,
        "outcome": plain(outcome),
        "changes": done.call.changes(outcome),
        "rolls": [rolled(fell) for fell in done.played.rolls],
        "events": [event.headline() for event in done.played.events],
        "reasons": plain(done.reasons),
    }


def left_out(call: "Call") -> tuple[str, ...]:
    """The settings of this rule that are off; without them the rule may have no effect."""
    known = call.rules.book.settings.values()
    if any(key_of(call.function) == key_of(other) for others in alternatives.values() for _, _, other in others):
        return ()
    return tuple(
        [setting.name for setting in known if setting.rule == call.info.id and setting.default is False and not call.rules.on(setting.name)]
    )


def value(call: "Call") -> dict[str, Any]:
    """The value of a formula, with its reasons."""
    if call.asks:
        raise UserError(f"{call.info.id} is a procedure with rolls or decisions: play it, or ask for its odds")
    result = call.value()
    options = {"options_off": list(left_out(call))} if left_out(call) else {}
    return {"id": call.info.id, "value": plain(result), "rolls": [], "reasons": plain(reasons(result)), **options}


def weighed(call: "Call", choose: Iterable[str], budget: "Budget", label: Callable[[Any], str] | None = None) -> dict[str, Any]:
    """The exact odds of a procedure. Equal outcomes are merged; `label` puts an outcome in words, by default as JSON has it."""
    import json

    from rulewright.play.odds import exact

    _refuse_formula(call)
    seen: dict[str, Any] = {}

    def start() -> Play[str]:
        outcome = yield from call.start()
        key = json.dumps(plain(outcome), sort_keys=True)
        seen.setdefault(key, outcome)
        return key

    with call.fitting():
        result = exact(start, decide=Decided(choose, used_up=False), budget=budget)
    outcomes = []
    for key, weight in result:
        verdict = getattr(seen[key], "verdict", None)
        verdict = verdict if verdict in VERDICTS else None
        outcomes.append({"label": (label or call.label)(seen[key]), "value": plain(seen[key]), "verdict": verdict, "weight": weight})
    return {"id": call.info.id, **_with_totals(result, outcomes)}


def _refuse_formula(call: "Call") -> None:
    if not call.asks:
        raise UserError(f"{call.info.id} is a formula without rolls: ask for its value")
