"""Consequences of a roll request: what follows its verdict at the table, carried out in the same step as the last roll."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.experience import advanced, log_of
from rulewright.campaign.activities.plan_text import read_effect
from rulewright.campaign.downtime import RUNS, OngoingEffect
from rulewright.campaign.roll_request import CONSEQUENCES, Consequence, RollRequest
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import nearest
from rulewright.scenes.scenarios import Lasts
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.scenes.downtime import rules_of
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Character, Table

MOST = 12
MOST_AMOUNT = 1_000
MEANS = "means"
"""The field of a condition with money, stock and favours by name."""


def checked_consequences(table: Table, then: tuple[Consequence, ...]) -> tuple[Consequence, ...]:
    """Refuse consequences that could not be carried out."""
    if len(then) > MOST:
        raise UserError(f"a roll request has at most {MOST} consequences")
    for consequence in then:
        if not -MOST_AMOUNT <= consequence.amount <= MOST_AMOUNT:
            raise UserError(f"a consequence counts from {-MOST_AMOUNT} to {MOST_AMOUNT}")
        _check(table, consequence)
    return then


def _check(table: Table, consequence: Consequence) -> None:
    what = consequence.what
    if consequence.do == "reveal" and what not in table.notes:
        raise UserError(f"there is no handout {what[:40]!r} at this table")
    if consequence.do == "tick" and what not in table.campaign.tallies:
        raise UserError(f"there is no tally {what[:40]!r} at this table")
    if consequence.do == "run":
        _begun(table, what, hidden=False)
    if consequence.do in ("suffer", "pay") and not what.strip():
        raise UserError(f"say what: {CONSEQUENCES[consequence.do]}")


def consequence_words(table: Table, consequence: Consequence) -> str:
    """A consequence in a few words."""
    what, amount = consequence.what, consequence.amount
    match consequence.do:
        case "reveal":
            return f"show {table.notes[what].title if what in table.notes else 'a handout'}"
        case "tick":
            return f"{table.campaign.tallies[what].name if what in table.campaign.tallies else 'a tally'} {amount:+d}"
        case "run":
            return f"{what} begins"
        case "suffer":
            return f"{what.replace('_', ' ')} {amount:+d}"
        case "pay":
            return f"pay {amount} {what}"
        case _:
            return f"{amount} experience"


def consequences(table: Table, stage: Stage) -> tuple[list[e.Change], dict[str, dict[str, Lasts]]]:
    """The changes that follow a finished request, and what changes in the conditions of characters."""
    state = stage.encounter.state
    if not isinstance(state, RollRequest) or not state.then:
        return [], {}
    changes: list[e.Change] = []
    conditions: dict[str, dict[str, Lasts]] = {}
    counts: dict[str, int] = {}
    secrets: dict[str, tuple[OngoingEffect, ...]] = {}
    for consequence, characters in _met(table, stage, state):
        match consequence.do:
            case "reveal" if consequence.what in table.notes:
                note = table.notes[consequence.what]
                changes.append(e.NoteWritten(note.id, note.title, note.text, "everyone"))
            case "tick" if consequence.what in table.campaign.tallies:
                counts[consequence.what] = counts.get(consequence.what, 0) + consequence.amount
            case "award":
                changes += [change for character in characters if (change := _award(table, character, consequence, state)) is not None]
            case "run" if state.manner != "open":
                effect = _begun(table, consequence.what, hidden=True)
                for character in characters:
                    others = secrets.get(character.id, table.campaign.secrets.get(character.id, ()))
                    kept = [run for run in others if (run.of, run.about) != (effect.of, effect.about)]
                    secrets[character.id] = (*kept, effect)
            case "run" | "suffer" | "pay":
                for character in characters:
                    before = {**character.carried, **conditions.get(character.id, {})}
                    conditions.setdefault(character.id, {}).update(_after(table, consequence, before))
    changes += [c.SecretEffects(character_id, runs) for character_id, runs in secrets.items()]
    for key, by in counts.items():
        tally = table.campaign.tallies[key]
        changes.append(c.TallySet(key, replace(tally, count=min(tally.of, max(0, tally.count + by)))))
    return changes, conditions


def _met(table: Table, stage: Stage, state: RollRequest) -> Iterator[tuple[Consequence, list[Character]]]:
    """The consequences whose verdict came, each with the characters whom it concerns."""
    for consequence in state.then:
        who = [result.name for result in state.done]
        if state.verdict is None:
            who = [result.name for result in state.done if result.verdict == consequence.on]
            met = bool(who)
        else:
            met = state.verdict == consequence.on
        if met:
            together = [name for attempt in state.attempts if attempt.name in who for name in attempt.together or (attempt.name,)]
            ids = [stage.characters[name] for name in together if name in stage.characters]
            yield consequence, [table.characters[key] for key in ids if key in table.characters]


def _begun(table: Table, what: str, *, hidden: bool) -> OngoingEffect:
    """An ongoing effect with its usual arguments; an error says why there is none."""
    game = rules_of(table)
    kinds = [kind.name for kind in game.effects]
    kind = game.kind(what)
    if kind is None:
        known = f"; there are {join(kinds)}" if kinds else f"; {table.system.name} has none"
        raise UserError(f"there is no ongoing effect {what[:40]!r}{nearest(what, kinds) or known}")
    if kind.label:
        return read_effect(table.rules, game, what, {}, hidden)
    return OngoingEffect(what, known=() if hidden else None)


def _after(table: Table, consequence: Consequence, before: dict[str, Lasts]) -> dict[str, Lasts]:
    """The fields of a condition after a consequence."""
    what, amount = consequence.what, consequence.amount
    if consequence.do == "run":
        effect = _begun(table, what, hidden=False)
        runs = [*(before[RUNS].value if RUNS in before else []), msgspec.to_builtins(effect)]
        return {RUNS: Lasts(runs, f"{len(runs)} ongoing effects" if len(runs) > 1 else "1 ongoing effect")}
    if consequence.do == "pay":
        means: dict[str, Any] = dict(before[MEANS].value) if MEANS in before else {}
        if what not in means:
            return {}
        means[what] = max(0, means[what] - amount)
        return {MEANS: Lasts(means, f"{what}: {means[what]} left")}
    value = before[what].value if what in before else 0
    if type(value) is not int:
        return {}
    return {what: Lasts(max(0, value + amount), f"{what.replace('_', ' ')}: {max(0, value + amount)}")}


def _award(table: Table, character: Character, consequence: Consequence, state: RollRequest) -> e.CharacterChanged | None:
    """Experience for a character; None if this kind of character gains none."""
    thing = character.thing(table.system)
    log = log_of(type(thing))
    if log is None or "award" not in log.entries:
        return None
    given = {log.fields("award")[0]: str(consequence.amount), "session": state.title}
    after = advanced(thing, "award", {name: value for name, value in given.items() if name in log.fields("award")})
    data = msgspec.to_builtins(after)
    return e.CharacterChanged(character.id, data, log.field, data[log.field], "", True, f"{consequence.amount} experience")
