"""Every derived value keeps the terms that it was computed from."""

import msgspec
import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from rulewright.rules.reasons import (
    Derived,
    Reason,
    at_least,
    at_most,
    derive,
    divided,
    holds,
    less,
    rounded,
    rounded_down,
    rounded_up,
    row,
    term,
    times,
    total,
)


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


def test_reasons_make_the_number():
    half = total("Threshold", term("Stamina", 9), divided("half", 2), rounded_up())
    assert half.value == 5
    assert isinstance(half.value, int)
    assert total("x", term("a", 9), divided("half", 2), rounded_down()).value == 4
    assert total("x", term("a", 5), divided("half", 2), rounded()).value == 3  # halves go up
    assert total("x", term("a", -5), divided("half", 2), rounded()).value == -2
    assert total("x", term("a", 7), rounded_up(5)).value == 10
    assert total("x", term("a", 0.1), term("b", 0.2)).value == 0.3
    assert total("x", term("a", 2), less("b", 5), at_least(0)).value == 0
    assert total("x", term("a", 12), at_most(10), times("twice", 2)).value == 20
    assert total("nothing").value == 0


def test_a_row_of_a_table_takes_the_place_of_what_stands_before_it():
    found = total("Speed", row("from the table", 45, term("Build", 5)), times("running", 2))
    assert found.value == 90
    assert holds(found.reason)


def test_a_sum_that_does_not_make_its_number_is_noticed_wherever_it_stands():
    wrong = derive(5, "wrong", term("a", 2), term("b", 2))
    assert not holds(wrong.reason)
    assert not holds(total("around it", term("wrong", wrong)).reason)
    assert not holds(row("looked up", 3, wrong.reason))
    assert holds(derive("3d+1", "words have no sum", term("dice", 3), term("more", 1)).reason)


@given(lists(integers(-1000, 1000)), integers(1, 50))
def test_every_total_holds(numbers, by):
    terms = [term(f"term {place}", number) for place, number in enumerate(numbers)]
    found = total("sum", *terms, divided("by", by), rounded_up(), at_least(-100))
    assert found.value == max(-100, -(-sum(numbers) // by))
    assert holds(found.reason)


def test_what_cannot_be_divided_says_so():
    with pytest.raises(ZeroDivisionError):
        total("x", term("a", 1), divided("nothing", 0))
