"""Every reason on every sheet, in every log line and of every formula adds up to its value."""

import pytest

from conformance.games import NAMES, demos, seeds, taken, things
from conformance.random_play import played
from conformance.test_rules import rule_of
from rulewright.errors import UserError
from rulewright.play import Event, Rolled
from rulewright.rules.reasons import Derived, Reason, holds, reckoned
from rulewright.show import rule_calls
from rulewright.system import find

HELD = ("pebbles", "foresight", "hybrid", "ore", "scumm", "silhouette")
"""The games whose sums are all checked."""


def wrong(reason: Reason) -> list[str]:
    """The reasons in a tree that do not add up to their value, in words."""
    found = []
    for _, each in reason.walk():
        if not holds(Reason(each.label, each.value, each.op, terms=tuple(Reason(t.label, t.value, t.op) for t in each.terms))):
            sum_of = ", ".join(f"{t.op} {t.value} {t.label}" for t in each.terms)
            found.append(f"{each.label} is {each.value}, and its terms come to {reckoned(each.terms)}: {sum_of}")
    return found


@pytest.mark.parametrize("name", [one for one in things() if taken(one).system.id in HELD])
def test_every_sum_on_a_sheet_makes_its_number(name):
    kept = taken(name)
    sheet = kept.system.sheet(kept.system.book.ruleset(), kept.thing)
    whole = [Reason(key, shown.value, "=", terms=shown.reasons) for key, shown in sheet.values().items()]
    assert [words for reason in whole for words in wrong(reason)] == []


@seeds
@pytest.mark.parametrize("name", [one for one in demos("scenario") if taken(one).system.id in HELD])
def test_every_sum_in_a_log_makes_its_number(name, seed):
    entries = [entry for _, _, stream in played(name, seed) for entry in stream]
    told = [words for event in entries if isinstance(event, Event) for reason in event.reasons() for words in wrong(reason)]
    game = taken(name).system
    rolled = [words for roll in entries if isinstance(roll, Rolled) for reason in game.explain(roll) for words in wrong(reason)]
    assert entries
    assert (told, rolled) == ([], [])


@pytest.mark.parametrize(
    ("name", "rule_id"), [pytest.param(name, info.id, id=info.id) for name in NAMES if name in HELD for info in find(name).book.rules()]
)
def test_every_formula_makes_its_number(name, rule_id):
    rules, info = rule_of(name, rule_id)
    for function in info.functions:
        if rule_calls.is_procedure(function):
            continue
        for number in (1, 3, 7):
            given = {p.name: number for p in rule_calls.parameters(info, function.__name__) if p.type.startswith("a whole number")}
            try:
                value = rule_calls.prepare(rules, info, given, function.__name__).value()
            except UserError:
                continue
            if isinstance(value, Derived):
                assert wrong(value.reason) == []
