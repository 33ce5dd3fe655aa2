"""Secrets stay on the server: nothing that a player or spectator receives contains anything hidden from them."""

import re

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.play import Rolled, Seeded
from rulewright.table.commands import messages as a
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.storage.export import export
from table.group import asked, duel, gather, play_on


def received(group, who):
    """Everything that a member's browser can receive, as one text."""
    tables, table, member = group.tables, group.table, getattr(group, who)
    found = [tables.view(table, member), tables.log(table, member, most=100_000), tables.seats(f"device of {who.title()}")]
    found.append(tables.since(table, member, tables.signer.mark(0, f"{table} {member}")))
    with tables.looking(table) as live:
        scenes, characters = list(live.scenes), list(live.characters)
    found += [tables.scene(table, member, number) for number in scenes]
    for number in scenes:
        for question in tables.scene(table, member, number).questions:
            if question.mine:
                found.append(tables.chances(table, member, number, question.at))
    for one in characters:
        try:
            opened = tables.sheet(table, member, one)
        except (Forbidden, NotHere):
            continue
        found += [opened.sheet, opened.audit, opened.thing]
    return msgspec.json.encode(found).decode() + export(tables, table, member).decode()


@pytest.fixture
def group(kept):
    return gather(kept)


def test_private_notes_and_whispers_reach_only_whom_they_are_for(group):
    group.act("bea", a.WriteNote("The traitor", "It is the duchess."))
    group.act("ana", a.WriteNote("Diary", "I trust the duke."))
    group.act("ana", a.WriteNote("To the gamemaster", "I take the jewel.", "gamemaster"))
    group.act("cleo", a.WriteNote("Handout", "A map of the harbour.", "everyone"))
    group.act("bea", a.WriteNote("A letter", "Meet me at the mill.", "some", to=(group.ana,)))
    group.act("ana", a.WriteNote("Between us", "Cleo and Dan, not a word.", "some", to=(group.cleo, group.dan)))
    group.act("bea", a.Say("You hear a click.", (group.cleo,)))
    knows = {
        "It is the duchess": {"bea"},
        "The traitor": {"bea"},
        "I trust the duke": {"ana"},
        "Diary": {"ana"},
        "I take the jewel": {"ana", "bea"},
        "A map of the harbour": {"ana", "bea", "cleo", "dan"},
        "Meet me at the mill": {"ana", "bea"},
        "A letter": {"ana", "bea"},
        "Cleo and Dan, not a word": {"ana", "cleo", "dan"},
        "You hear a click": {"bea", "cleo"},
    }
    for text, readers in knows.items():
        assert {who for who in ("ana", "bea", "cleo", "dan") if text in received(group, who)} == readers


def test_a_note_that_was_shared_and_is_private_now_is_private(group):
    note = group.act("ana", a.WriteNote("Plan", "We go by night.", "everyone")).made
    group.act("ana", a.WriteNote("Plan", "We go by day.", "me", note))
    for who in ("cleo", "bea", "dan"):
        assert "by day" not in received(group, who)


def test_a_note_for_some_names_at_least_one_who_is_here(group):
    with pytest.raises(UserError, match="name at least one reader"):
        group.act("bea", a.WriteNote("A letter", "For nobody.", "some"))
    with pytest.raises(UserError, match="name at least one reader"):
        group.act("bea", a.WriteNote("A letter", "For myself.", "some", to=(group.bea,)))
    with pytest.raises(UserError):
        group.act("bea", a.WriteNote("A letter", "For a stranger.", "some", to=("m99",)))


def test_a_note_that_one_reader_less_has_is_gone_for_them(group):
    note = group.act("bea", a.WriteNote("A letter", "At the mill.", "some", to=(group.ana, group.cleo))).made
    group.act("bea", a.WriteNote("A letter", "At the ford.", "some", note, to=(group.cleo,)))
    assert {who for who in ("ana", "cleo", "dan") if "At the ford" in received(group, who)} == {"cleo"}


def test_a_secret_test_is_for_the_gamemaster_and_whoever_rolled(group):
    group.act("bea", a.Test("3d+1 vs 5", "listening at the door", faces="2,6,4", secret=True))
    group.act("ana", a.Test("3d+1 vs 5", "picking a pocket", faces="2,6,4", secret=True))
    for text, readers in {"listening at the door": {"bea"}, "picking a pocket": {"ana", "bea"}}.items():
        assert {who for who in ("ana", "bea", "cleo", "dan") if text in received(group, who)} == readers


def test_hidden_markers_and_characters_are_the_gamemasters(group):
    token = group.act("bea", a.PlaceToken("A trapdoor", 3, 4, hidden=True)).made
    made = group.act("bea", a.AddCharacter(ready="hired-gun", name="The Spider", hidden=True)).made
    for who in ("ana", "cleo", "dan"):
        text = received(group, who)
        assert "trapdoor" not in text
        assert "Spider" not in text
    for action in (a.RemoveToken(token), a.PlaceToken("x", 1, 1, token), a.ClaimCharacter(made), a.ChangeCharacter(made, "name", "Fly")):
        with pytest.raises(UserError, match="there is no"):
            group.act("ana", action)
    with pytest.raises(NotHere):
        group.tables.sheet(group.table, group.ana, made)
    group.act("bea", a.ShowCharacter(made))
    assert "The Spider" in received(group, "ana")
    group.act("bea", a.PlaceToken("A trapdoor", 3, 4, token))
    assert "trapdoor" in received(group, "ana")


def test_nobody_can_count_what_is_hidden_from_them(group):
    """The same visible things, with and without hidden ones between them: what is received differs in marks and times alone."""

    def bare(value):
        if isinstance(value, dict):
            return {name: bare(part) for name, part in value.items() if name not in ("mark", "at")}
        return [bare(part) for part in value] if isinstance(value, list) else value

    quiet, busy = gather(group.tables), gather(group.tables)
    for one in (quiet, busy):
        one.act("ana", a.Say("Is anybody there?"))
        if one is busy:
            for _ in range(5):
                one.act("bea", a.WriteNote("secret", "secret"))
                one.act("bea", a.Test("3d", secret=True))
                one.act("bea", a.Say("secret", (one.cleo,)))
                one.act("bea", a.RenewLink("invitation"))
        one.act("ana", a.Say("Nobody."))
    seen = []
    for one in (quiet, busy):
        member, table = one.ana, one.table
        mark = one.tables.signer.mark(0, f"{table} {member}")
        found = [one.view("ana"), one.log("ana"), one.tables.since(table, member, mark)[1]]
        seen.append(bare(msgspec.to_builtins(found)))
        seen[-1][0]["id"] = ""
    assert seen[0] == seen[1]
    marks = [line.mark for line in busy.log("ana")]
    assert len(marks) == len(set(marks))


def test_what_others_keep_to_themselves_is_not_even_noticed(group):
    """Neither the mark of the view changes nor does anything arrive, so that a stream stays silent."""
    hidden = group.act("bea", a.AddCharacter(ready="hired-gun", hidden=True)).made
    token = group.act("bea", a.PlaceToken("trap", 1, 1, hidden=True)).made
    note = group.act("bea", a.WriteNote("secret", "secret")).made
    before = {who: group.view(who) for who in ("ana", "cleo", "dan", "bea")}
    silent = [
        ("bea", a.WriteNote("secret", "more", note=note), {"bea"}),
        ("bea", a.RemoveNote(note), {"bea"}),
        ("ana", a.WriteNote("diary", "dear diary"), {"ana"}),
        ("ana", a.WriteNote("to you", "psst", "gamemaster"), {"ana", "bea"}),
        ("cleo", a.Say("psst", (group.ana,)), {"ana", "cleo"}),
        ("cleo", a.Test("3d", secret=True), {"bea", "cleo"}),
        ("bea", a.Test("3d", secret=True), {"bea"}),
        ("bea", a.RenewLink("invitation"), {"bea"}),
        ("ana", a.RenewLink(f"seat:{group.ana}"), {"ana", "bea"}),
        ("bea", a.PlaceToken("trap", 2, 2, token, hidden=True), {"bea"}),
        ("bea", a.RemoveToken(token), {"bea"}),
        ("bea", a.ChangeCharacter(hidden, "name", "Vera"), {"bea"}),
        ("bea", a.AddCharacter(ready="hired-gun", hidden=True), {"bea"}),
        ("bea", a.RemoveCharacter(hidden), {"bea"}),
    ]
    for who, action, noticed in silent:
        group.act(who, action)
        after = {one: group.view(one) for one in before}
        assert {one for one in before if after[one].mark != before[one].mark} == noticed, action
        for one in set(before) - noticed:
            assert after[one] == before[one]
            member = getattr(group, one)
            for mark in (before[one].mark, ""):
                assert group.tables.since(group.table, member, mark) == (before[one].mark, [])
        before = after


def test_marks_of_another_member_or_table_are_refused(group):
    other = gather(group.tables)
    mark = group.tables.view(group.table, group.ana).mark
    for table, member in ((group.table, group.cleo), (other.table, other.ana)):
        with pytest.raises(UserError, match="mark"):
            group.tables.since(table, member, mark)


# --- hidden in a scene ----------------------------------------------------------------------------------------------------------


def ambush(group, **options):
    """Ana's characters are ambushed by two hidden enemies of the gamemaster."""
    vesna = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    sides = {
        "ambushers": (a.Placing("hunter", "Sunniva", at=(0.0, 0.0)), a.Placing("burglar", "Pilar", at=(10.0, 16.0))),
        "carriers": (a.Placing(vesna, at=(16.0, 8.0)), a.Placing("street-tough", "Stubbs", at=(17.0, 9.0))),
    }
    group.act("bea", a.BeginScene(name="At the ford", sides=sides, place={"ambush": "ambushers"}, **options))


def test_who_lies_in_wait_is_in_nothing_that_the_waylaid_receive(group):
    group.act("bea", a.ChooseDice(True))
    ambush(group)
    everything = received(group, "bea")
    assert "Sunniva" in everything
    assert "Stealth" in everything
    for who in ("ana", "cleo", "dan"):
        text = received(group, who)
        for hidden in ("Sunniva", "Pilar", "ambushers", "hunter", "burglar"):
            assert hidden not in text, (who, hidden)


def test_moving_or_overruling_somebody_hidden_names_nobody_to_the_other_side(group):
    for who in ("bea", "ana"):
        group.act(who, a.ChooseDice(True))
    ambush(group)
    group.act("bea", a.Move(1, "Sunniva", 3, 4))
    group.act("bea", a.Overrule(1, (("fighters.1.x", 11.0),), "Pilar creeps closer"))
    group.act("bea", a.Overrule(1, (("ground.light", "very dimly lit"),), "the sun sets"))
    group.act("bea", a.Undo(1))
    group.act("bea", a.Undo(1))
    group.act("bea", a.Redo(1))
    leading = [line.text for line in group.log("bea")]
    assert any(re.fullmatch(r"edits the scene: Sunniva is moved [\d.]+ m", text) for text in leading)
    assert any(re.fullmatch(r"undoes: edits the scene \(Pilar creeps closer\): Pilar is moved [\d.]+ m", text) for text in leading)
    for who in ("ana", "cleo", "dan"):
        text = received(group, who)
        assert "the sun sets" in text
        for hidden in ("Sunniva", "Pilar", "11.0", "fighters"):
            assert hidden not in text, (who, hidden)


def test_refusals_name_nobody_hidden(group):
    made = group.act("bea", a.AddCharacter(ready="hired-gun", name="The Spider", hidden=True)).made
    group.act("bea", a.ChooseDice(True))
    ambush(group)
    attempts = [
        a.Test("3d", character=made),
        a.ReleaseCharacter(made),
        a.RemoveCharacter(made),
        a.ReplaceCharacter(made, data={}),
        *(a.Answer(1, "x", at) for at in range(5)),
        *(a.RollDice(1, at) for at in range(5)),
    ]
    said = set()
    for action in attempts:
        with pytest.raises(UserError) as refused:
            group.act("cleo", action)
        said.add(str(refused.value))
    assert said == {f"there is no character {made!r} at this table", "this question is not yours to answer, or it was answered already"}


@pytest.mark.parametrize("seed", range(4))
def test_a_hidden_roll_never_reaches_the_other_side_while_the_ambush_is_played_undone_and_redone(tmp_path, seed):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(seed))
    group = gather(tables)
    ambush(group, npcs="tactics")
    assert secret_rolls(group)
    assert hidden_in(group, "bea"), "the gamemaster sees them"
    play_on(group, 12)
    group.act("bea", a.Undo(1, 1))
    for who in ("ana", "cleo", "dan"):
        assert hidden_in(group, who) == []
    group.act("bea", a.Redo(1))
    play_on(group, 6)
    for who in ("ana", "cleo", "dan"):
        assert hidden_in(group, who) == []
    tables.close()


def secret_rolls(group):
    """The secret rolls that were made, from the scene's own record."""
    with group.tables.looking(group.table) as table:
        rolls = [line.what for line in table.scene(1).encounter.log if isinstance(line.what, Rolled) and line.what.roll.secret]
    return {(rolled.roll.by, rolled.roll.what, rolled.faces) for rolled in rolls}


def hidden_in(group, who):
    """Secret rolls of others in the log that a member received."""
    secret = {roll for roll in secret_rolls(group) if roll[0] != {"ana": "Vesna"}.get(who)}
    details = [detail for line in group.log(who) for detail in line.details if detail.sort == "roll"]
    return [
        detail
        for detail in details
        if any(detail.faces == faces and detail.who == by and what in detail.text for by, what, faces in secret)
    ]


def test_whoever_is_not_asked_learns_no_option_no_chance_and_no_mark(group):
    duel(group)
    first = next(who for who in ("ana", "cleo") if asked(group, who) is not None)
    question = asked(group, first)
    assert question.options
    for who in {"ana", "cleo", "dan"} - {first}:
        seen = group.scene(who)
        assert seen.waits_for_others
        assert len(seen.questions) == 1
        for other in seen.questions:
            assert not other.mine
            assert (other.mark, other.ask_for, other.options, other.dice) == ("", "", (), "")
        with pytest.raises(Forbidden):
            group.tables.chances(group.table, getattr(group, who), 1, question.at)
    theirs = group.tables.chances(group.table, getattr(group, first), 1, question.at)
    assert theirs == group.tables.chances(group.table, group.bea, 1, question.at)


def test_behind_the_screen_a_player_is_neither_asked_for_a_roll_nor_shown_it(tmp_path):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(1))
    group = gather(tables, "silhouette", settings={"running-tests": "behind the screen"})
    group.act("bea", a.BeginScene(ready="duel", npcs="tactics"))
    group.act("bea", a.SetHand(1, "Anselm", group.ana))
    group.act("ana", a.ChooseDice(True))
    play_on(group, 10)
    rolls = {who: [detail for line in group.log(who) for detail in line.details if detail.sort == "roll"] for who in ("bea", "ana")}
    assert any(detail.who == "Anselm" for detail in rolls["bea"])
    assert rolls["ana"] == []
    assert all(question.sort != "roll" for question in group.scene("ana").questions)
    tables.close()
