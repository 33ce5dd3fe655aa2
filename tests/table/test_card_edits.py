"""The gamemaster edits values by clicking on a card: in every game, in its own words, with undo, and without field names."""

import re

import pytest

from rulewright.errors import UserError
from rulewright.system import names
from rulewright.table.commands import messages as a
from rulewright.table.commands.card_edits import touches
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from table.group import gather


def begun(kept, system, scenario=""):
    """A scene that has started and waits for its first dice."""
    group = gather(kept, system)
    group.act("bea", a.ChooseDice(True))
    group.act("bea", a.BeginScene(ready=scenario or next(iter(demos.scenarios(system)))))
    return group


def offered(group, who):
    with group.tables.looking(group.table) as table:
        return touches(table.scene(1), who)


@pytest.mark.parametrize("system", names())
def test_wounds_and_conditions_of_every_game_can_be_touched_and_each_does_what_it_says(kept, system):
    group = begun(kept, system)
    who = group.scene("bea").view.cards[0].name
    found = offered(group, who)
    assert found
    before = group.scene("bea").view
    for touch in found[:: max(1, len(found) // 6)]:
        group.act("bea", a.TouchCard(1, who, words=touch.words, why="so it is"))
        told = group.log("bea")[-1].text
        assert told.startswith("edits the scene (so it is): ")
        assert touch.words.split(";")[0] in told
        assert "fighters" not in told
        assert not re.search(r"\w\.\d+\.|_", told)
        group.act("bea", a.Undo(1))
        assert group.scene("bea").view == before


def test_a_box_on_a_card_is_marked_and_unmarked(kept):
    group = begun(kept, "scumm", "shootout")

    def marked():
        card = next(card for card in group.scene("bea").view.cards if card.name == "Adaeze")
        return card.fares()["System Shock"]

    assert marked() == "0 of 7 marked"
    group.act("bea", a.TouchCard(1, "Adaeze", "System Shock", "marked 2"))
    assert marked().startswith("2 of 7")
    group.act("bea", a.TouchCard(1, "Adaeze", "System Shock", "marked 0"))
    assert marked() == "0 of 7 marked"


def test_ammunition_is_set_to_any_number_there_is_room_for(kept):
    group = begun(kept, "scumm", "shootout")
    group.act("bea", a.TouchCard(1, "Adaeze", "assault rifle", "11 of 30"))
    card = next(card for card in group.scene("bea").view.cards if card.name == "Adaeze")
    assert card.fares()["assault rifle"] == "11 of 30"
    with pytest.raises(UserError):
        group.act("bea", a.TouchCard(1, "Adaeze", "assault rifle", "31 of 30"))


def test_a_condition_is_taken_away_by_a_touch(kept):
    group = begun(kept, "scumm", "shootout")
    group.act("bea", a.TouchCard(1, "Adaeze", "light cover", "off"))
    card = next(card for card in group.scene("bea").view.cards if card.name == "Adaeze")
    assert "light cover" not in card.fares()


def test_only_the_gamemaster_touches_and_only_somebody_who_is_there(kept):
    group = begun(kept, "scumm", "shootout")
    with pytest.raises(Forbidden):
        group.act("ana", a.TouchCard(1, "Adaeze", "light cover", "off"))
    for wrong in (a.TouchCard(1, "Nobody", "x", "y"), a.TouchCard(1, "Adaeze", "x", "y"), a.TouchCard(1, "Adaeze", words="flies")):
        with pytest.raises(UserError):
            group.act("bea", wrong)
