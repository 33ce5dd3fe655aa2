"""AI players at a table: computed in the background, answered like people, replayed without computing."""

import pytest
from tests.table.group import asked, duel, gather

from rulewright.errors import UserError
from rulewright.lab.search import LEVELS
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.commands.scenes import PLAYS
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.web.table import ai_players


@pytest.fixture
def group(tmp_path):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(3))
    yield gather(tables)
    tables.close()


def test_the_levels_of_a_table_are_those_of_the_lab():
    assert list(PLAYS.values()) == list(LEVELS)


def alone(group, level: str = "plays easy") -> int:
    """An AI plays Teodor."""
    number = duel(group)
    group.act("bea", a.SetHand(number, "Teodor", tactic=level))
    return number


def until_teodor(group) -> "object":
    """Answers for Vesna until Teodor is asked."""
    for _ in range(60):
        waiting = group.tables.waiting(group.table)
        if waiting is not None:
            return waiting
        question = asked(group, "ana") or asked(group, "bea")
        assert question is not None, "the fight was over before he was asked"
        given = question.options[0].key if question.options else question.low
        who = "ana" if asked(group, "ana") else "bea"
        if question.sort == "roll":
            group.act(who, a.RollDice(1, question.at, question.mark))
        else:
            group.act(who, a.Answer(1, given, question.at, question.mark))
    raise AssertionError("he was never asked")


def test_nobody_waits_where_nobody_plays_by_themselves(group):
    duel(group)
    assert group.tables.waiting(group.table) is None
    assert ai_players.think(group.tables, group.table) == 0


def test_his_question_waits_and_is_answered_in_the_background(group):
    alone(group)
    waiting = until_teodor(group)
    assert (waiting.who, waiting.level) == ("Teodor", "easy")
    assert ai_players.think(group.tables, group.table) > 0
    after = group.tables.waiting(group.table)
    assert after is None or after.moment.given != waiting.moment.given or after.moment.state != waiting.moment.state


def test_the_gamemaster_sees_why_and_nobody_else_does(group):
    alone(group)
    waiting = until_teodor(group)
    usual = waiting.decide(waiting.moment.requests[waiting.moment.at])
    group.tables.thought(group.table, waiting, usual, "worth 62 % ± 5")
    assert any("worth 62" in detail.text for line in group.log("bea") for detail in line.details)
    for who in ("ana", "cleo", "dan"):
        assert not any("worth 62" in detail.text for line in group.log(who) for detail in line.details)


def test_a_thought_about_a_question_that_has_changed_is_refused(group):
    alone(group)
    waiting = until_teodor(group)
    usual = waiting.decide(waiting.moment.requests[waiting.moment.at])
    group.act("bea", a.Answer(1, usual, waiting.at, waiting.mark))
    with pytest.raises(UserError):
        group.tables.thought(group.table, waiting, "no such thing", "")


def test_after_a_restart_everything_is_as_it_was_and_he_still_thinks(group, tmp_path):
    alone(group)
    until_teodor(group)
    ai_players.think(group.tables, group.table)
    before = group.everything()
    again = Tables(str(tmp_path / "tables.db"))
    try:
        assert group.everything(again) == before, "answers that were thought of are replayed, not thought of again"
        waits, waited = again.waiting(group.table), group.tables.waiting(group.table)
        assert (waits is None) == (waited is None)
    finally:
        again.close()


def test_the_gamemaster_may_go_on_at_once_by_the_tactic_and_others_do_not_see_who_plays_how(group):
    number = alone(group, "plays best")
    until_teodor(group)
    group.act("cleo", a.Decide(number, group.tables.waiting(group.table).at))
    assert {hand.tactic for hand in group.scene("bea").hands} == {"plays best", ""}
    assert all(not hand.tactic for hand in group.scene("ana").hands), "how well somebody plays is for the gamemaster"


def test_everybody_whom_nobody_plays_may_play_by_themselves_from_the_beginning(group):
    group.act("bea", a.BeginScene(ready="duel", npcs="plays good"))
    assert {hand.tactic for hand in group.scene("bea").hands} == {"plays good"}
    assert group.tables.waiting(group.table) is not None


def test_hints_are_off_until_the_gamemaster_allows_them(group):
    number = duel(group)
    who = "ana" if asked(group, "ana") else "cleo"
    question = asked(group, who)
    ask = (number, question.at, question.mark, "easy")
    with pytest.raises(Forbidden, match="hints are off"):
        group.tables.for_a_hint(group.table, getattr(group, who), *ask)
    assert group.tables.for_a_hint(group.table, group.bea, *ask) is not None
    with pytest.raises(Forbidden):
        group.act("ana", a.AllowHints(True))
    group.act("bea", a.AllowHints(True))
    assert group.view("ana").hints
    waiting = group.tables.for_a_hint(group.table, getattr(group, who), *ask)
    thought = ai_players.hint(waiting)
    assert thought.who == question.who
    other = "cleo" if who == "ana" else "ana"
    with pytest.raises(Forbidden):
        group.tables.for_a_hint(group.table, getattr(group, other), *ask)
    group.act("bea", a.AllowHints(False))
    assert not group.view("ana").hints


def test_why_is_told_in_a_line():
    from rulewright.lab.search import Thought, Valued

    shoot, usual = Valued("a", "Shoot Adaeze", 0.62, (0.57, 0.67), 100), Valued("r", "shoot Ruben", 0.23, (0.19, 0.27), 100)
    thought = Thought("Kolbe", "What do you do?", "a", "Shoot Adaeze", "r", (shoot, usual), 200)
    assert ai_players.explain(thought) == "Shoot Adaeze 62% ± 5; default: shoot Ruben 23% ± 4 (200 simulated fights)"
    assert ai_players.explain(Thought("Kolbe", "", "r", "shoot", "r", note="a small question")) == "a small question"
