"""A person behind a wall is in nothing that the other side receives: view, log, questions, reach, places, undo."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.scenes import places

from .group import asked, gather

UNSEEN = "Kolbe"


def raid(kept):
    """A raid: Ana plays both robbers, Cleo the guards; the gamemaster rolls for nobody."""
    group = gather(kept, "scumm")
    group.act("bea", a.BeginScene(ready="raid"))
    for who, name in (("ana", "Adaeze"), ("ana", "Ruben"), ("cleo", "Ferro"), ("cleo", "Ilse"), ("cleo", "Kolbe")):
        group.act("bea", a.SetHand(1, name, getattr(group, who)))
    return group


def sent(group, who):
    """Everything that a member can read of the table, as text."""
    tables, member = group.tables, getattr(group, who)
    read = [
        tables.view(group.table, member),
        tables.log(group.table, member, most=500),
        tables.scene(group.table, member, 1),
        tables.since(group.table, member, ""),
    ]
    question = asked(group, who)
    if question is not None and question.sort == "choice":
        read.append(tables.chances(group.table, member, 1, question.at, question.mark))
        if question.places:
            bands = places.reach(tables, group.table, member, 1, question.at, question.mark)
            read.append([(band.pace, band.outlines) for band in bands])
            for given in ("@12,12", "@27,10", "run@9,9"):
                read.append(places.place(tables, group.table, member, 1, question.at, question.mark, given))
    return msgspec.json.encode(read).decode()


def go_on(group):
    """Answers every question: rolls dice, stays in place, fires."""
    for who in ("ana", "cleo", "bea"):
        question = asked(group, who)
        if question is None:
            continue
        if question.sort == "roll":
            group.act(who, a.RollDice(1, question.at, question.mark))
        else:
            keys = [option.key for option in question.options] or [question.low]
            given = next((key for key in keys if str(key).startswith("shoot:")), keys[0])
            group.act(who, a.Answer(1, given, question.at, question.mark))
        return True
    return False


@pytest.mark.slow
def test_nothing_of_somebody_behind_a_wall_is_sent_to_the_other_side(kept):
    group = raid(kept)
    looked = 0
    for _ in range(20):
        scene = group.tables.scene(group.table, group.ana, 1)
        seen = {card.name for card in scene.view.cards}
        if UNSEEN in seen or scene.result is not None:
            break
        assert UNSEEN not in sent(group, "ana")
        assert UNSEEN in sent(group, "bea")
        assert UNSEEN in sent(group, "cleo")
        looked += 1
        if not go_on(group):
            break
    assert looked > 15


def test_what_was_undone_tells_nothing_either(kept):
    group = raid(kept)
    for _ in range(12):
        go_on(group)
    group.act("bea", a.Undo(1))
    assert UNSEEN not in sent(group, "ana")
    group.act("bea", a.Redo(1))
    assert UNSEEN not in sent(group, "ana")


def test_a_place_is_answered_at_the_table_and_refused_where_it_is_too_far(kept):
    group = raid(kept)
    for _ in range(40):
        question = asked(group, "ana")
        if question is not None and question.places:
            break
        go_on(group)
    assert question.places
    found = places.place(group.tables, group.table, group.ana, 1, question.at, question.mark, "@5,13")
    assert found.given.endswith("@5,13")
    assert found.tells
    refused = places.place(group.tables, group.table, group.ana, 1, question.at, question.mark, "@30,10")
    assert "no way" in refused.why_not
    with pytest.raises(UserError, match="away"):
        group.act("ana", a.Answer(1, "@30,10", question.at, question.mark))
    group.act("ana", a.Answer(1, found.given, question.at, question.mark))
    moved = {place.name: (place.x, place.y) for place in group.tables.scene(group.table, group.cleo, 1).view.places}
    assert moved[question.who] == (5, 13)


def test_places_are_nobody_elses_to_ask_for(kept):
    group = raid(kept)
    for _ in range(40):
        question = asked(group, "ana")
        if question is not None and question.places:
            break
        go_on(group)
    with pytest.raises(UserError):
        places.reach(group.tables, group.table, group.cleo, 1, question.at, question.mark)
    with pytest.raises(UserError):
        places.place(group.tables, group.table, group.dan, 1, question.at, question.mark, "@5,13")
