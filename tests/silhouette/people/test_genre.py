"""Genre Points, armor that wears away, and Existential Angst (book lines 5958-5988, 6114-6196)."""

import pytest

from rulewright.errors import UserError
from rulewright.systems.silhouette.people.genre import (
    ARMOR_LOSS,
    EARNINGS,
    EFFECTS,
    angst,
    armor_loss,
    cost_against,
    drawn_freely,
    effect_cost,
    effects_in_play,
    lucky_break,
    mimicked_level,
    rolled_again,
    starting_points,
    sweet_success,
    villain_points,
    with_insight,
)
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def test_points_to_start_with():  # lines 6174, 6182
    assert starting_points(PLAIN).value == 3
    assert starting_points(PLAIN, lowest_attribute=-2, flaw_points=7).value == 5
    assert starting_points(PLAIN, lowest_attribute=-1, flaw_points=6).value == 3
    assert villain_points(PLAIN, "main villain", 4) == (7, 9)
    assert villain_points(PLAIN, "important villain") == (1, 3)
    assert villain_points(PLAIN, "thug") == (0, 0)
    assert cost_against(3, 2) == 5
    assert len(EARNINGS(PLAIN)) == 9


def test_a_campaign_chooses_a_few_effects():  # line 6118
    assert effects_in_play(PLAIN, ("insight", "lucky break", "mimic skill")) == ("insight", "lucky break", "mimic skill")
    with pytest.raises(UserError, match="three to five"):
        effects_in_play(PLAIN, ("insight",))
    with pytest.raises(UserError, match="did you mean"):
        effects_in_play(PLAIN, ("insigt", "lucky break", "mimic skill"))


def test_what_effects_cost():
    assert len(EFFECTS(PLAIN)) == 20
    assert effect_cost(PLAIN, "mortal strike") == 6
    assert effect_cost(PLAIN, "insight", 4) == 4
    assert effect_cost(PLAIN, "lucky break", 3) == 9
    assert effect_cost(PLAIN, "creative stunt", 2) == 2
    assert effect_cost(PLAIN, "the return of", 9) == 9
    assert effect_cost(PLAIN, "last hurrah", left=5) == 5
    assert effect_cost(PLAIN, "group effort") == 0
    for effect, amount in (("lucky break", 4), ("the return of", 5), ("mimic skill", 4)):
        with pytest.raises(UserError, match="costs"):
            effect_cost(PLAIN, effect, amount)


def test_what_effects_do():  # lines 6128-6168
    assert [lucky_break("death", points) for points in (3, 6, 9)] == ["deep", "flesh", "none"]
    assert lucky_break("flesh", 3) == "none"
    assert lucky_break("deep", 2) == "deep"
    assert (rolled_again(1, 2), rolled_again(4, 2)) == (3, 4)
    assert with_insight(Pool(2, (), 5), 2) == Pool(4, (), 5)
    assert sweet_success(2).value == 2
    assert mimicked_level(3) == 3
    with pytest.raises(UserError, match="1 to 3"):
        mimicked_level(4)


def test_a_common_pool():  # line 6194
    assert drawn_freely(PLAIN, 12) == 3
    assert drawn_freely(PLAIN, 2) == 2
    assert drawn_freely(PLAIN, 12, 4, approved=True) == 12


def test_armor_wears_away_by_reality_level():  # lines 5962-5966
    assert [(armor_loss(BOOK.ruleset(level)), armor_loss(BOOK.ruleset(level), "heavy")) for level in ARMOR_LOSS(PLAIN)] == [
        (0, -1),
        (-1, -2),
        (-2, -4),
    ]


def test_angst_moves_psyche_into_what_fights():  # line 5986
    lost, gained = angst(1, "agility", 1, 2)
    assert (lost.value, gained.value) == (-1, 3)
    with pytest.raises(UserError, match="at least one"):
        angst(1, "agility", 1, 0)
