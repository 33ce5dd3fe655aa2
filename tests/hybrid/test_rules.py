"""Every rule by its id, as the command line and the web call it."""

import pytest

from rulewright.play import Seeded, play
from rulewright.show.rule_calls import names, parameters, prepare
from rulewright.show.serialize import plain, words
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
CALLS = [(info, function) for info in BOOK.rules() for function in names(info)]


@pytest.mark.parametrize(("info", "function"), CALLS, ids=[f"{info.id}:{function}" for info, function in CALLS])
def test_every_rule_answers_without_being_told_anything(info, function):
    assert all(not parameter.required for parameter in parameters(info, function))
    call = prepare(RULES, info, {}, function)
    outcome = play(call.start(), dice=Seeded(1)).outcome if call.asks else call.value()
    assert words(plain(outcome))


@pytest.mark.parametrize(
    ("rule_id", "given", "expected"),
    [
        ("hyb-2-difficulty-factor", {"stats": "12,14", "rank": "none", "modifiers": "dark:-3"}, -5),
        ("hyb-2-success-table", {"df": "12", "percent": "5"}, 57),
        ("hyb-2-degrees", {"roll": "53"}, "Failure"),
        ("hyb-3-raising-skills", {"base_cost": "3", "rank": "4", "to": "6"}, 18),
        ("hyb-6-movement-rates", {"pmv": "10", "mode": "walk"}, 1.3),
        ("hyb-7-rushing", {"df": "12", "speed": "10", "within": "5"}, 26),
        ("hyb-9-calculated", {"stat": "PBD", "background.race": "Kurrock"}, 32),
        ("hyb-9-speed", {"awareness": "20"}, 6),
        ("hyb-10-pools", {"pool": "wealth"}, 10),
    ],
)
def test_rules_take_what_people_type(rule_id, given, expected):
    assert plain(prepare(RULES, BOOK.rule(rule_id), given).value()) == expected


def test_a_structure_takes_its_fields_by_name():
    given = {"activity": "dash", "seconds": "10", "energy.exhaustion": "50"}
    assert prepare(RULES, BOOK.rule("hyb-5-energy-use"), given).value().exhaustion == 30
