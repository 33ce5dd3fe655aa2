"""Figures recomputed from the book by rule id, as somebody from outside asks for them."""

import pytest

from rulewright.errors import UserError
from rulewright.rules.reasons import Derived
from rulewright.show import replies, rule_calls
from rulewright.system import find

GAME = find("ore")
RULES = GAME.book.ruleset()
INFOS = {info.id: info for info in GAME.book.rules()}


def called(rule_id, /, **given):
    bare, _, function = rule_id.partition(":")
    return rule_calls.prepare(RULES, INFOS[bare], given, function or None)


def asked(rule_id, /, **given):
    """The bare value that a rule answers."""
    value = called(rule_id, **given).value()
    return value.value if isinstance(value, Derived) else value


@pytest.mark.parametrize(
    ("rule_id", "given", "value"),
    [
        ("ore-4.08-opt16-penetration", {"rating": "3", "pen": "2"}, 1),  # line 4713
        ("ore-4.09b-opt17-melee-pen", {"style": "broad blade"}, 2),  # line 4809
        ("ore-4.09c-opt20-missile-pen", {"power": "4"}, 2),  # line 4954
        ("ore-4.11b-opt23-ballistic-pen", {"power": "3"}, 2),  # line 5181
    ],
)
def test_who_asks_for_an_option_by_its_id_means_the_option(rule_id, given, value):
    assert asked(rule_id, **given) == value
    assert "options_off" not in replies.value(called(rule_id, **given))


@pytest.mark.parametrize(
    ("effect", "far"),
    [("Mindscan", 150), ("Pilfer", 300), ("Control Illumination", 3), ("Heatburn", 30), ("Dowsing", 150), ("Network", 90)],
)
def test_how_far_an_effect_reaches_by_a_print_too_lines_7240_and_7280(effect, far):
    assert asked("ore-5.03-intensity:effect_range", effect=effect, statistic="3") == far


def test_a_rule_that_says_nothing_without_an_option_names_it():
    game = find("silhouette")
    info = next(info for info in game.book.rules() if info.id == "sil-6.4.2-stances")
    off = replies.value(rule_calls.prepare(game.book.ruleset(), info, {"stance": "offensive"}))
    assert (off["value"], off["options_off"]) == (0, ["stances"])
    on = replies.value(rule_calls.prepare(game.book.ruleset(settings={"stances": True}), info, {"stance": "offensive"}))
    assert (on["value"], "options_off" in on) == (1, False)


def test_a_structure_that_lacks_something_says_what():
    with pytest.raises(UserError, match=r"^piece needs a value for location$"):
        called("ore-4.08-opt15-ablative", piece={"rating": 3}, width="4")
