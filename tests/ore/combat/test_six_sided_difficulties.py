"""With six-sided dice every Difficulty is halved, and once (lines 245-250)."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.attacks import IN_REACH, attempt, called_shot
from rulewright.systems.ore.combat.cover import Cover, shot_difficulty
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.drama.determination import dice_of
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.feat_tests import use_feat
from rulewright.systems.ore.resolution.tests import Pool, make_test, thrown
from rulewright.systems.ore.settings import BOOK

SIX = BOOK.ruleset(settings={"six-sided-dice": True, "cover-difficulty": True})
TEN = BOOK.ruleset(settings={"cover-difficulty": True})
SOMEBODY = Character("Ann", statistics=Statistics(body=3, coordination=3, insight=2, psyche=2), skills={"sight": 2})


def discards_below(rules, tried):
    return thrown(rules, tried.pool, tried.difficulty).difficulty


@pytest.mark.parametrize(("cover", "ten", "six"), [("25% right", 2, 1), ("50% right", 4, 2), ("complete", 8, 4)])
def test_a_shot_at_somebody_in_cover(cover, ten, six):
    gun = weapon_named(TEN, ".38 special")
    facts = replace(IN_REACH, cover=Cover(cover))
    assert discards_below(TEN, attempt(TEN, Pool(6), gun, facts)) == ten
    assert discards_below(SIX, attempt(SIX, Pool(6), gun, facts)) == six


def test_a_skill_at_a_difficulty_that_the_game_master_names():
    for rules, need in ((TEN, 7), (SIX, 4)):
        fight = Fight(Ground(), (enter(rules, SOMEBODY, "Ann", "us", 0),), round=1)
        cast = cast_of(rules, fight, fight.fighter("Ann"), (Act("skill", skill="sight", difficulty=7),))
        assert dice_of(rules, cast).difficulty == need


def test_a_called_shot():  # an arm is struck at 3 or 4 with six-sided dice: Difficulty 8 is 4, and leaves the 4 alone
    odds = exact(sub(called_shot, SIX, Pool(4), "right arm", 4, 8))
    assert sum(chance for outcome, chance in odds if outcome.success) / odds.total == pytest.approx(1 - (5 / 6) ** 2)
    assert not any(outcome.success for outcome, _ in exact(sub(called_shot, SIX, Pool(4), "right arm", 4, 9)))


def test_the_test_that_a_feat_has_of_its_own():  # seven is four: the sets of four dice that show 4, 5 or 6
    def success(difficulty):
        odds = exact(lambda: use_feat(SIX, SOMEBODY, "Locksmith's Hand 5", difficulty=difficulty))
        return Fraction(sum(weight for came, weight in odds if came.outcome.success), odds.total)

    plain = exact(sub(make_test, BOOK.ruleset(settings={"six-sided-dice": True}), Pool(5), 7))
    assert Fraction(sum(weight for came, weight in plain if came.success), plain.total) == sets_from(4, 5)
    assert success(7) == sets_from(4, dice_of_the_feat())


def dice_of_the_feat():
    return next(dice for dice in range(11) if sets_from(1, dice) == _at_difficulty_one())


def _at_difficulty_one():
    odds = exact(lambda: use_feat(SIX, SOMEBODY, "Locksmith's Hand 5", difficulty=1))
    return Fraction(sum(weight for came, weight in odds if came.outcome.success), odds.total)


def sets_from(lowest, dice):
    """The chance that so many d6 hold a set of this Height or more, face by face."""
    rolls = product(range(1, 7), repeat=dice)
    return Fraction(sum(any(roll.count(face) > 1 for face in range(lowest, 7)) for roll in rolls), 6**dice)


def test_no_difficulty_beyond_ten_and_none_below_one():
    for wrong in (0, 11):
        with pytest.raises(UserError, match="Difficulty"):
            shot_difficulty(SIX, difficulty=wrong)
        with pytest.raises(UserError, match="Difficulty"):
            attempt(SIX, Pool(4), difficulty=wrong)
