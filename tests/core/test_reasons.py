"""Every derived value keeps the terms that made it."""

import msgspec

from rulewright.rules.reasons import Derived, Reason, derive, term, times


def stamina() -> Derived[int]:
    return derive(9, "Stamina", term("base", 5), term("Body", 3), term("Spirit", 1), rule="x-stamina")


def test_a_derived_value_keeps_its_terms_and_the_rule_that_says_so():
    found = stamina()
    assert found.value == 9
    assert found.reason == Reason("Stamina", 9, "=", "x-stamina", "book", (Reason("base", 5), Reason("Body", 3), Reason("Spirit", 1)))
    assert found.reasons == found.reason.terms


def test_a_derived_value_brings_its_own_terms_into_another():
    threshold = derive(5, "Threshold", term("Stamina", stamina()), times("half", 0.5), rule="x-threshold")
    assert [(depth, reason.label, reason.value, reason.op) for depth, reason in threshold.reason.walk()] == [
        (0, "Threshold", 5, "="),
        (1, "Stamina", 9, "+"),
        (2, "base", 5, "+"),
        (2, "Body", 3, "+"),
        (2, "Spirit", 1, "+"),
        (1, "half", 0.5, "×"),
    ]
    assert threshold.reasons[0].rule == "x-stamina"


def test_a_term_may_stand_under_another_rule_than_the_value_it_brings():
    assert term("Stamina", stamina(), rule="y").rule == "y"


def test_a_term_says_where_its_figure_comes_from_and_a_derived_one_hands_it_on():
    ruled = derive(2, "dice", source="ruling")
    assert term("dice", ruled).source == "ruling"
    assert term("house", 1, source="house").source == "house"
    assert times("lost page", 2, source="stand-in").source == "stand-in"


def test_a_value_that_is_no_number_is_shown_as_text():
    assert derive((1, 2), "sets").reason.value == "(1, 2)"
    assert derive((1, 2), "sets").value == (1, 2)
    assert derive("heavy", "load").reason.value == "heavy"


def test_reasons_are_plain_data_for_other_programs():
    data = msgspec.to_builtins(stamina().reason)
    assert data["terms"][1] == {"label": "Body", "value": 3, "op": "+", "rule": None, "source": "book", "terms": ()}
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(data)), Reason) == stamina().reason
