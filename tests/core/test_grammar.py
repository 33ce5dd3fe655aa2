"""Numbers, articles and verbs agree."""

import doctest

import pytest

from rulewright import grammar


def test_the_examples_are_true():
    results = doctest.testmod(grammar)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize(
    ("noun", "many"), [("box", "boxes"), ("injury", "injuries"), ("day", "days"), ("pass", "passes"), ("hex", "hexes")]
)
def test_plurals(noun, many):
    assert grammar.count(2, noun) == f"2 {many}"


@pytest.mark.parametrize(
    ("noun", "article"), [("uniform", "a"), ("unit", "a"), ("umbrella", "an"), ("European", "a"), ("axe", "an"), ("11 mm pistol", "an")]
)
def test_articles(noun, article):
    assert grammar.a(noun) == f"{article} {noun}"
