"""Tests as people write them, and outcomes in words."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from foresight.rules_for_tests import RULES
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.foresight import SYSTEM
from rulewright.systems.foresight.resolution.notation import Written, parse, show, spell, spell_test
from rulewright.systems.foresight.resolution.tests import LADDER, Blocked, Contest, Mod, Quality, Task


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("14 x 5-1+1", Task(14, 5)),
        ("14x5 - 2", Task(14, 5, (Mod("modifiers", -2),))),
        ("14 × 5+3", Task(14, 5, (Mod("modifiers", 3),))),
        ("20+1 x 3", Task(23, 3)),
        ("20 + 2 X 3-4", Task(26, 3, (Mod("modifiers", -4),))),
        ("13 x ¼", Task(13, 0.25)),
        ("13 x ½+1", Task(13, 0.5, (Mod("modifiers", 1),))),
        ("13 x 0.5", Task(13, 0.5)),
        ("7 * 0", Task(7, 0)),
    ],
)
def test_a_task_is_read_as_written(text, task):
    assert parse(text) == Written(task)


def test_two_tasks_are_compared_or_one_blocks_the_other():
    assert parse("14 x 5 vs 12 x 4") == Written(Task(14, 5), Task(12, 4), "compared")
    assert parse("14 x 5 blocked by 12 x 4") == Written(Task(14, 5), Task(12, 4), "blocked")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "14",
        "14 x",
        "x 5",
        "14 x 16",
        "14 x 1.5",
        "14 x 5 vs",
        "14 x 5 vs 3 vs 2 x 1",
        "19+1 x 5",
        "14 x 5 and more",
        "14 x 5" + "+1" * 200,
    ],
)
def test_nonsense_is_refused_with_help(text):
    with pytest.raises(UserError, match=r"14 x 5|characters|base ease factor|only a score of 20"):
        parse(text)


@given(score=integers(0, 90), ease=sampled_from(LADDER), modifier=integers(-50, 50))
def test_what_is_spelled_can_be_read_back(score, ease, modifier):
    task = Task(score, ease, (Mod("modifiers", modifier),) if modifier else ())
    assert parse(spell(task)).task == task
    both = Written(task, Task(12, 4), "blocked")
    assert parse(spell_test(both)) == both


def test_outcomes_are_said_in_words():
    assert show(Quality(3)).label == "QR3, competent success"
    assert show(Quality(10)).fields == {"success": False, "quality": 10, "botch": True}
    assert show(Quality(10)).verdict == "failure"
    assert show(Contest(3, 4, 1)).verdict == "success"
    assert show(Contest(4, 4, 0)).verdict == "draw"
    assert show(Contest(7, 4, 2)).label == "the second wins (QR7 against QR4)"
    assert show(Blocked(1, 2, 4)).label == "QR4, mediocre success (QR1 against QR2)"
    assert show(Quality(1)).order > show(Quality(7)).order


def test_the_game_tests_what_is_written():
    part = SYSTEM.test(RULES, "14 x 5-1+1")
    assert exact(part).chance(lambda outcome: outcome.success) == (0.7, 0.7)  # 304
    played = script(part.start(), [(32,)])
    assert SYSTEM.show(played.outcome).label == "QR3, competent success"  # 319
    rating, chance = SYSTEM.explain(played.rolls[0])
    assert (rating.value, [term.value for term in rating.terms[0].terms]) == (3, [32, 7, 14, 35, 70])
    assert (chance.value, [(term.op, term.value) for term in chance.terms]) == (70, [("+", 14), ("×", 5)])
    with pytest.raises(UserError, match="score"):
        SYSTEM.test(RULES, "999.5 x 5+9999999")


def test_a_roll_that_is_no_task_is_explained_by_its_dice():
    played = script(SYSTEM.test(RULES, "14 x 5 vs 12 x 4").start(), [(1,), (99,)])
    assert SYSTEM.show(played.outcome).fields["margin"] == 6
    from rulewright.systems.foresight.resolution.tests import roll_d10

    assert SYSTEM.explain(script(roll_d10(RULES), [(4,)]).rolls[0])[0].value == 4
