"""Figures recomputed from the book by rule id, as somebody from outside asks for them: at limits, and where halves fall."""

import pytest

from rulewright.errors import Wrong
from rulewright.rules.reasons import Derived
from rulewright.show import calls
from rulewright.system import find

GAME = find("silhouette")
RULES = GAME.book.ruleset()
INFOS = {info.id: info for info in GAME.book.rules()}


def asked(rule_id, /, **given):
    """The bare value that a rule answers."""
    bare, _, function = rule_id.partition(":")
    value = calls.prepare(RULES, INFOS[bare], given, function or None).value()
    return value.value if isinstance(value, Derived) else value


@pytest.mark.parametrize(
    ("location", "part", "change", "armor"),
    [
        ("room", "wall", "0.5", 23),
        ("room", "wall", "-0.5", 8),
        ("room", "bulkhead", "0.5", 38),
        ("room", "bulkhead", "-0.5", 13),
        ("airlock", "wall", "0.1", 17),
        ("station", "door", "-0.5", 175),
    ],
)
def test_half_a_point_of_a_changed_wall_goes_up_line_5513(location, part, change, armor):
    assert asked("sil-6.2.1-pressurized-areas:wall_armor", location=location, part=part, change=change) == armor


def test_forms_and_components_are_reckoned_by_id_lines_3945_and_3955():
    assert asked("sil-4.3.7-transformables:transformed", worths="100,80,40,40") == 160
    assert asked("sil-4.3.7-transformables:transformed", worths="80,100", one_way="true") == 120
    assert asked("sil-4.3.6-combiners:combined", own="100", components="60,70") == 130


def test_muscle_power_takes_a_person_for_each_point_of_size_squared_line_9358():
    assert asked("sil-e-movement-flaws:muscle_power", size="2", crew="16", strength="1", stamina="25") == {"top": 6, "deployment": 54}
    with pytest.raises(Wrong, match="takes 9 people, not 8"):
        asked("sil-e-movement-flaws:muscle_power", size="3", crew="8", strength="1", stamina="25")


def test_a_value_that_is_not_allowed_is_answered_with_those_that_are():
    with pytest.raises(Wrong, match="wound is one of death, deep, flesh, none, not 'x'"):
        asked("sil-6.4.5-genre-effects:lucky_break", wound="x")
    with pytest.raises(Wrong, match="angle is one of 15, 30, 45, not '20'"):
        asked("sil-5.2.1-jumping:jump_distance", speed="9", angle="20")


def test_names_are_found_whatever_the_case_of_their_letters():
    assert asked("sil-5.2.1-underwater:deep_cost", terrain="deep water") == 1
    assert asked("sil-5.2.1-jumping:jump_distance", speed="9", angle="45") == 9
    assert asked("sil-4.3.2-very-large:scale_factor", own="Gigantic", target="Very Large".lower()) == 100
