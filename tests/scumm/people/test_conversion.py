"""From Silhouette and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.systems.scumm.people.characters import Attributes
from rulewright.systems.scumm.people.conversion import (
    TenAttributes,
    damage_from_silhouette,
    damage_to_silhouette,
    from_silhouette,
    not_ported,
    to_silhouette,
)
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()


def four_of(ten):
    return Attributes(**{name: value.value for name, value in from_silhouette(RULES, ten).items()})


def test_each_attribute_is_the_average_of_its_own_rounded_down():  # book, line 720
    soldier = TenAttributes(agility=2, perception=1, build=1, fitness=2, knowledge=-1, creativity=0, appearance=1, influence=0, willpower=2)
    assert four_of(soldier) == Attributes(alertness=1, body=1, intelligence=-1, spirit=0)
    assert [reason.label for reason in from_silhouette(RULES, soldier)["spirit"].reasons][:4] == [
        "Appearance",
        "Influence",
        "Willpower",
        "Psyche",
    ]


@pytest.mark.parametrize(("points", "fifth"), [(0, 0), (1, 1), (5, 1), (6, 2), (15, 3), (18, 4), (25, 5)])
def test_damage_and_armor_become_a_fifth_rounded_up(points: int, fifth: int):  # book, line 721
    assert damage_from_silhouette(points).value == fifth


attributes = st.builds(Attributes, *[st.integers(-3, 3)] * 4)


@given(attributes)
def test_the_way_back_and_here_again_changes_nothing(four: Attributes):
    ten = TenAttributes(**{name: value.value for name, value in to_silhouette(RULES, four).items()})
    assert four_of(ten) == four


@given(st.integers(0, 50))
def test_damage_there_and_back_again_changes_nothing(points: int):
    assert damage_from_silhouette(damage_to_silhouette(points).value).value == points


def test_the_way_back_is_a_ruling():
    back = to_silhouette(RULES, Attributes(spirit=2))
    assert len(back) == 10
    assert (back["psyche"].value, back["agility"].value) == (2, 0)
    assert back["psyche"].reason.source == damage_to_silhouette(3).reason.source == "ruling"


def test_negative_damage_is_refused():
    with pytest.raises(UserError, match="0 or more"):
        damage_from_silhouette(-1)
    with pytest.raises(UserError, match="0 or more"):
        damage_to_silhouette(-1)


def test_skills_without_a_counterpart_are_named():  # book, line 722
    assert not_ported(RULES, ("Melee", "Space Pilot", "swim")) == ("Space Pilot",)
