"""One answer for all who are asked the same at the same moment: a company of machines declares at once."""

import pytest

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.scenes.demos import demonstrate
from rulewright.table.service import Tables


@pytest.fixture
def company(tmp_path):
    """A table with the demo of twelve machines a side, and its member."""
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(3))
    yield tables, demonstrate(tables, "silhouette", "a device", "river-line", role="player")
    tables.close()


def mine(tables, made):
    return [question for question in tables.scene(made.table, made.member, 1).questions if question.mine]


def test_twelve_machines_declare_at_once_and_undo_asks_all_again(company):
    tables, made = company
    asked = mine(tables, made)
    declaring = [question.who for question in asked if question.topic == asked[0].topic]
    assert len(declaring) == 12
    key = asked[0].options[0].key
    tables.act(made.table, made.member, a.Answer(1, key, asked[0].at, asked[0].mark, alike=True))
    told = [detail for line in tables.log(made.table, made.member, most=1000) for detail in line.details if detail.sort == "decision"]
    assert {detail.who for detail in told} >= set(declaring)
    assert all(question.topic != asked[0].topic for question in mine(tables, made))
    tables.act(made.table, made.member, a.Undo(1))
    assert [question.who for question in mine(tables, made)] == [question.who for question in asked]


def test_without_the_mark_only_one_machine_declares(company):
    tables, made = company
    asked = mine(tables, made)
    tables.act(made.table, made.member, a.Answer(1, asked[0].options[0].key, asked[0].at, asked[0].mark))
    assert len(mine(tables, made)) == len(asked) - 1


def test_an_unknown_answer_changes_nothing(company):
    tables, made = company
    asked = mine(tables, made)
    with pytest.raises(UserError):
        tables.act(made.table, made.member, a.Answer(1, "no such option", asked[0].at, asked[0].mark, alike=True))
    assert mine(tables, made) == asked
