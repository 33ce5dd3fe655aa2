"""Dodging shots, diving for cover, and cover in both ways of counting it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.ore.combat.cover import (
    HIDING,
    OPEN,
    SILHOUETTES,
    Cover,
    can_dodge,
    cover_armour,
    dive_dice,
    dive_for_cover,
    hidden_heights,
    shot_difficulty,
    stops_shot,
)
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


REMIX = rules(cover_difficulty=True)
WALL = Cover("complete", "2 inch wooden wall")


# --- dodging ------------------------------------------------------------------------------------------------------------------


def test_nobody_dodges_shots_by_the_book():  # line 5056
    assert can_dodge(RULES, "close")
    assert can_dodge(RULES, "unarmed")
    for kind in ("ballistic", "energy", "pull", "push", "thrown"):
        assert not can_dodge(RULES, kind, 9)


def test_projectiles_can_be_dodged_with_the_option():
    option = rules(dodge_projectiles=True)
    assert [can_dodge(option, kind) for kind in ("pull", "push", "thrown", "ballistic", "energy")] == [True, True, True, False, False]


def test_the_fast_dodge_bullets_with_the_option():  # lines 5064-5066
    option = rules(faster_than_bullets=True)
    assert [can_dodge(option, "ballistic", coordination) for coordination in (5, 6, 7)] == [False, True, True]
    assert not can_dodge(option, "pull", 6)
    both = rules(faster_than_bullets=True, dodge_projectiles=True)
    assert can_dodge(both, "pull", 2)
    assert can_dodge(both, "ballistic", 6)


def test_a_dive_loses_a_die_a_metre():  # line 5068
    assert dive_dice(3).dice == -3
    assert dive_dice(0).dice == 0
    with pytest.raises(UserError):
        dive_dice(-1)
    dived = script(dive_for_cover(RULES, Pool(5), 2, 3, 4), [(4, 4, 9)]).outcome
    assert dived.left == Outcome()  # 3x4 less two dice is a single die
    assert script(dive_for_cover(RULES, Pool(5), 2, 3, 4), [(3, 3, 9)]).outcome.left == Outcome(3, 4)
    near, far = (exact(sub(dive_for_cover, RULES, Pool(7), metres, 2, 5)).chance(lambda one: one.beaten) for metres in (0, 3))
    assert near > far


# --- cover with locations -----------------------------------------------------------------------------------------------------


def test_only_what_is_seen_can_be_hit():  # lines 5060-5070
    half = Cover("50% right")
    assert [height for height in range(1, 11) if stops_shot(RULES, half, height)] == [2, 5, 6, 7, 8]
    assert not stops_shot(RULES, OPEN, 7)
    assert all(stops_shot(RULES, Cover("complete"), height) for height in range(1, 11))


def test_ten_silhouettes_sized_to_their_names():  # lines 5072-5112
    assert len(SILHOUETTES(RULES)) == 11  # and one that hides everything
    for name, row in SILHOUETTES(RULES).items():
        assert row.source in ("stand-in", "ruling")
        if name != "complete":
            assert abs(len(row.heights) * 10 - int(name.split("%")[0])) <= 5
        assert hidden_heights(RULES, name) == row.heights
        assert hidden_heights(rules(six_sided_dice=True), name) == row.six


def test_where_width_decides_the_part_its_heights_say_whether_it_is_hidden():
    half = Cover("50% right")
    assert stops_shot(RULES, half, 1, "torso")  # two of three Heights
    assert stops_shot(RULES, half, 1, "right arm")
    assert not stops_shot(RULES, half, 7, "left arm")
    assert not stops_shot(RULES, half, 7, "head")
    slit = BOOK.ruleset(house=House(tables={"ore-4.11-cover": {"50% right": {"heights": [5, 7]}}}))
    assert not stops_shot(slit, half, 5, "right arm")  # one of two Heights is not most of them


def test_unknown_cover_is_refused():
    with pytest.raises(UserError, match="no cover '50%'"):
        stops_shot(RULES, Cover("50%"), 3)
    with pytest.raises(UserError, match="no material"):
        cover_armour(REMIX, Cover("complete", "light"))


# --- Combat Option 22 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cover", "difficulty"), [("25% left", 2), ("50% total", 4), ("60% right", 4), ("75% right", 6), ("complete", 8)])
def test_cover_is_a_difficulty_for_who_hunkers_down(cover, difficulty):  # lines 5122-5128
    assert shot_difficulty(REMIX, Cover(cover)) == difficulty
    assert shot_difficulty(RULES, Cover(cover)) == 1
    assert not stops_shot(REMIX, Cover(cover), 7)


def test_a_shot_at_one_part_counts_as_complete_cover():  # lines 5132-5134
    assert shot_difficulty(REMIX, Cover("25% left"), called=True) == 8
    assert cover_armour(REMIX, Cover("25% left", "1 inch wooden door"), called=True) == 2
    assert shot_difficulty(REMIX, OPEN, called=True) == 1


def test_fighting_back():  # lines 5118-5120
    out = Cover("75% left", hunkering=False)
    assert shot_difficulty(REMIX, out) == 1
    assert shot_difficulty(rules(cover_difficulty=True, fighting_back="two less"), out) == 4
    assert shot_difficulty(REMIX, out, called=True) == 8


def test_a_harder_shot_stays_harder():
    assert shot_difficulty(REMIX, Cover("25% left"), difficulty=5) == 5
    assert shot_difficulty(RULES, Cover("25% left"), difficulty=5) == 5


def test_what_complete_cover_is_made_of_is_armour():  # lines 5134-5138
    assert {row.name: row.armour for row in HIDING(RULES).values() if row.kind == "material"} == {
        "1 inch wooden door": 2,
        "2 inch wooden wall": 3,
        "bulletproof glass": 5,
        "8 inch concrete": 6,
        "1 inch steel plate": 6,
    }
    assert cover_armour(REMIX, WALL) == 3
    assert cover_armour(REMIX, Cover("complete", "2 inch wooden wall", hunkering=False)) == 0
    assert cover_armour(REMIX, Cover("75% left", "2 inch wooden wall")) == 0
    assert cover_armour(REMIX, Cover("complete")) == 0
    assert cover_armour(RULES, WALL) == 0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(SILHOUETTES(RULES))), st.booleans(), st.booleans(), st.integers(1, 10))
def test_cover_never_makes_a_shot_easier(name, hunkering, called, difficulty):
    for each in (RULES, REMIX):
        assert shot_difficulty(each, Cover(name, hunkering=hunkering), called, difficulty) >= difficulty
