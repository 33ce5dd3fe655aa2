"""The default round: tactics answer for a person's combatants until the round ends; undo reverts all of it."""

import pytest

from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.scenes.demos import demonstrate
from rulewright.table.service import Tables
from table.group import duel, gather


def first_asked(scene):
    return next((question for question in scene.questions if question.mine), None)


def touches(tables: Tables, made) -> int:
    """How many clicks a demonstration takes to its end if every round is the default round."""
    for count in range(200):
        scene = tables.view(made.table, made.member).scenes[-1]
        if scene.result is not None:
            return count
        question = first_asked(scene)
        action = (
            a.RollDice(scene.number, question.at, question.mark)
            if question.sort == "roll"
            else a.Decide(scene.number, question.at, question.mark, round=True)
        )
        tables.act(made.table, made.member, action)
    raise AssertionError("it is not over after 200 touches")


def test_the_quarry_takes_at_most_25_touches_with_usual_choices(tmp_path):
    counted = []
    for seed in range(10):
        tables = Tables(f"sqlite:///{tmp_path / f'{seed}.db'}", dice=Seeded(seed))
        counted.append(touches(tables, demonstrate(tables, "silhouette", "a device", "firefight")))
        tables.close()
    assert max(counted) <= 25, counted
    assert min(counted) >= 3


def test_the_others_still_decide_for_themselves_and_undo_asks_again(kept):
    group = gather(kept)
    number = duel(group)
    asked = {who: first_asked(group.scene(who, number)) for who in ("ana", "cleo")}
    who = "ana" if asked["ana"] is not None else "cleo"
    other = "cleo" if who == "ana" else "ana"
    question = asked[who]
    before = len(group.log("bea"))
    group.act(who, a.Decide(number, question.at, question.mark, round=True))
    assert len(group.log("bea")) > before
    scene = group.scene(who, number)
    if scene.result is None:  # the round waits for the other, or the next one has begun
        assert first_asked(group.scene(other, number)) is not None or first_asked(scene) is not None
    group.act(who, a.Undo(number))
    again = first_asked(group.scene(who, number))
    assert (again.who, again.ask_for) == (question.who, question.ask_for)


def test_nobody_leaves_anothers_round_to_what_is_usual(kept):
    group = gather(kept)
    number = duel(group)
    who = "ana" if first_asked(group.scene("ana", number)) is not None else "cleo"
    question = first_asked(group.scene(who, number))
    with pytest.raises(Exception, match="not yours to answer"):
        group.act("cleo" if who == "ana" else "ana", a.Decide(number, question.at, question.mark, round=True))
