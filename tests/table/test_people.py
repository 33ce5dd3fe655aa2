"""Members of a table: links, passphrases, seats of devices, roles, and permissions."""

import logging
from typing import get_args

import pytest

from rulewright.campaign.roll_request import WantedTest
from rulewright.errors import UserError
from rulewright.field.map_strokes import Stroke
from rulewright.table import links, permissions
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.commands.all_actions import AnyAction
from rulewright.table.links import Signer
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.story import messages as s
from table.group import asked, duel, gather


def test_a_group_sits_down(tables):
    group = gather(tables)
    view = group.view("ana")
    assert [(member.name, member.role, member.me) for member in view.members] == [
        ("Bea", "gamemaster", False),
        ("Ana", "player", True),
        ("Cleo", "player", False),
        ("Dan", "spectator", False),
    ]
    assert tables.seat(group.table, "device of Ana").member == group.ana
    assert tables.seat(group.table, "another device") is None
    assert [(seat.table, name) for seat, name in tables.seats("device of Dan")] == [(group.table, "Friday night")]


def test_only_the_right_link_opens(kept):
    group = gather(kept)
    other = gather(kept)
    for wrong in ("", "x", group.invitation[:-1], group.leading, other.invitation, group.invitation + "\0"):
        with pytest.raises(NotHere, match="not valid"):
            kept.join(group.table, wrong, "Eve", "device of Eve")
    for wrong in ("", group.invitation, other.leading):
        with pytest.raises(NotHere, match="not valid"):
            kept.lead(group.table, wrong, "device of Eve")
    with pytest.raises(NotHere, match="not valid"):
        kept.join("0" * 16, group.invitation, "Eve", "device of Eve")
    assert kept.seat(group.table, "device of Eve") is None


def test_no_link_and_no_passphrase_lies_in_the_database_or_the_log(tmp_path, caplog):
    from rulewright.table.service import Tables

    caplog.set_level(logging.DEBUG)
    tables = Tables(str(tmp_path / "tables.db"))
    group = gather(tables)
    seat = group.act("ana", a.RenewLink(f"seat:{group.ana}")).secret
    renewed = group.act("bea", a.RenewLink("invitation", "open sesame")).secret
    tables.join(group.table, renewed, "Eve", "device of Eve", passphrase="open sesame")
    tables.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (group.invitation, group.leading, seat, renewed, "open sesame", "device of Eve"):
        assert secret.encode() not in kept
        assert secret not in caplog.text


def test_a_passphrase_is_asked_for_where_one_was_set(kept):
    hosting = kept.host("scumm", "Behind a door", "Bea", "b", passphrase="hush")
    assert kept.invitation(hosting.table, hosting.invitation) == ("Behind a door", True)
    for wrong in ("", "Hush", "hush "):
        with pytest.raises(Forbidden, match="passphrase"):
            kept.join(hosting.table, hosting.invitation, "Ana", "a", passphrase=wrong)
    assert kept.join(hosting.table, hosting.invitation, "Ana", "a", passphrase="hush").role == "player"


def test_a_renewed_invitation_voids_the_old_one_and_a_revoked_one_is_void(kept):
    group = gather(kept)
    fresh = group.act("bea", a.RenewLink("invitation")).secret
    with pytest.raises(NotHere):
        kept.join(group.table, group.invitation, "Eve", "e")
    kept.join(group.table, fresh, "Eve", "e")
    group.act("bea", a.RevokeLink("invitation"))
    with pytest.raises(NotHere):
        kept.join(group.table, fresh, "Finn", "f")
    assert kept.store.links(group.table) == {"gamemaster": False}


def test_a_link_is_told_once_and_not_again_to_a_repeated_request(kept):
    group = gather(kept)
    first = group.act("bea", a.RenewLink("invitation"), "wish")
    again = group.act("bea", a.RenewLink("invitation"), "wish")
    assert first.secret
    assert not first.again
    assert again.secret == ""
    assert again.again
    kept.join(group.table, first.secret, "Eve", "e")


def test_whoever_joins_twice_keeps_one_seat_and_whoever_left_comes_back_to_it(kept):
    group = gather(kept)
    assert kept.join(group.table, group.invitation, "Ana again", "device of Ana").member == group.ana
    made = group.act("ana", a.AddCharacter(ready="hired-gun")).made
    group.act("ana", a.Leave())
    assert kept.seat(group.table, "device of Ana") is None
    with pytest.raises(UserError, match="not a member"):
        group.view("ana")
    assert group.view("bea").characters[0].owner == ""
    back = kept.join(group.table, group.invitation, "Somebody", "device of Ana")
    assert (back.member, back.name) == (group.ana, "Ana")
    group.act("ana", a.ClaimCharacter(made))


def test_who_was_sent_away_is_out_and_their_device_knows_the_table_no_more(kept):
    group = gather(kept)
    group.act("ana", a.AddCharacter(ready="hired-gun"))
    seat = group.act("ana", a.RenewLink(f"seat:{group.ana}")).secret
    group.act("bea", a.RemoveMember(group.ana))
    with pytest.raises(UserError, match="not a member"):
        group.act("ana", a.Say("hello?"))
    assert kept.seat(group.table, "device of Ana") is None
    with pytest.raises(NotHere):
        kept.take_seat(group.table, group.ana, seat, "device of Ana")
    assert kept.seats("device of Ana") == []


def test_who_was_sent_away_sits_down_again_only_by_an_invitation_renewed_since(kept):
    group = gather(kept)
    group.act("bea", a.RenewLink("invitation"))
    invitation = group.act("bea", a.RenewLink("invitation")).secret
    group.act("bea", a.RemoveMember(group.ana))
    assert group.log("bea")[-1].text == "Bea removes Ana from the table. The invite link is revoked; create a new one to let others in"
    assert group.log("cleo")[-1].text == "Bea removes Ana from the table"
    for device in ("device of Ana", "another device of Ana"):
        with pytest.raises(NotHere):
            kept.join(group.table, invitation, "Ana", device)
    invitation = group.act("bea", a.RenewLink("invitation")).secret
    back = kept.join(group.table, invitation, "Ana", "device of Ana")
    assert back.member != group.ana
    group.act("bea", a.RemoveMember(back.member))
    with pytest.raises(NotHere):
        kept.join(group.table, invitation, "Ana", "device of Ana")


def test_a_seat_link_brings_a_second_device_to_the_same_seat_once(kept):
    group = gather(kept)
    link = group.act("ana", a.RenewLink(f"seat:{group.ana}")).secret
    assert kept.take_seat(group.table, group.ana, link, "Ana's telephone").member == group.ana
    with pytest.raises(NotHere):
        kept.take_seat(group.table, group.ana, link, "a thief's telephone")
    assert kept.seat(group.table, "device of Ana").member == kept.seat(group.table, "Ana's telephone").member
    with pytest.raises(NotHere):
        kept.take_seat(group.table, group.bea, link, "a thief's telephone")


def test_sitting_down_by_a_link_is_a_line_of_the_log_for_everybody(kept):
    group = gather(kept)
    kept.lead(group.table, group.leading, "a thief's telephone")
    kept.lead(group.table, group.leading, "a thief's telephone")
    kept.lead(group.table, group.leading, "device of Bea")
    told = [line.text for line in group.log("cleo") if line.sort == "sat down"]
    assert told == ["Bea signs in on another device with the gamemaster link"]
    link = group.act("ana", a.RenewLink(f"seat:{group.ana}")).secret
    kept.take_seat(group.table, group.ana, link, "Ana's telephone")
    told = [line.text for line in group.log("cleo") if line.sort == "sat down"]
    assert len(told) == 2
    assert told[1].startswith("Ana signs in on another device")


def test_renewing_the_gamemasters_link_signs_their_other_devices_out(kept):
    group = gather(kept)
    kept.lead(group.table, group.leading, "a thief's telephone")
    assert kept.seat(group.table, "a thief's telephone").role == "gamemaster"
    kept.act(group.table, group.bea, a.RenewLink("invitation"), device="device of Bea")
    assert kept.seat(group.table, "a thief's telephone").role == "gamemaster"
    kept.act(group.table, group.bea, a.RenewLink("gamemaster"), device="device of Bea")
    assert kept.seat(group.table, "a thief's telephone") is None
    assert kept.seat(group.table, "device of Bea").role == "gamemaster"
    assert kept.seat(group.table, "device of Ana").role == "player"
    with pytest.raises(NotHere):
        kept.lead(group.table, group.leading, "a thief's telephone")


def test_the_gamemaster_hands_over_and_the_old_link_leads_nowhere(kept):
    group = gather(kept)
    group.act("bea", a.HandOver(group.ana))
    assert group.view("ana").me.role == "gamemaster"
    assert group.view("bea").me.role == "player"
    with pytest.raises(NotHere):
        kept.lead(group.table, group.leading, "device of Eve")
    with pytest.raises(Forbidden):
        group.act("bea", a.RemoveMember(group.cleo))
    link = group.act("ana", a.RenewLink("gamemaster")).secret
    assert kept.lead(group.table, link, "another device").member == group.ana
    group.act("bea", a.Leave())


def test_nobody_sits_twice_under_a_name_that_looks_the_same(kept):
    group = gather(kept)
    for name in ("Bea", "bea", " BEA ", "ｂｅａ"):
        with pytest.raises(UserError, match="choose another one"):
            kept.join(group.table, group.invitation, name, f"device {name}")
    with pytest.raises(UserError, match="choose another one"):
        group.act("ana", a.RenameMe("cleo"))
    group.act("ana", a.RenameMe("Anna"))
    assert group.view("bea").members[1].name == "Anna"


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "x" * 100_000, "a\x00b", "a\u202eb", "\u200b", "\ud800"])
def test_names_that_cannot_be_seen_or_said_are_refused(kept, name):
    group = gather(kept)
    with pytest.raises(UserError):
        kept.join(group.table, group.invitation, name, "e")
    with pytest.raises(UserError):
        kept.host("scumm", name, "Bea", "b")
    with pytest.raises(UserError):
        group.act("bea", a.Rename(name))


def test_a_name_with_markup_is_kept_as_it_is_for_pages_to_escape(kept):
    group = gather(kept)
    assert kept.join(group.table, group.invitation, "<script>alert(1)</script>", "e").name == "<script>alert(1)</script>"


# --- the matrix -----------------------------------------------------------------------------------------------------------------

ROLES = {"dan": "spectator", "ana": "player", "bea": "gamemaster"}


def actions_of(group, who):
    """One of every action, with arguments that would do if the role allowed it."""
    own = group.act("bea", a.AddCharacter(ready="hired-gun")).made
    if who == "ana":
        group.act("ana", a.ClaimCharacter(own))
    me = getattr(group, who)
    note = group.act(who, a.WriteNote("mine", "text")).made
    free = group.act("bea", a.AddCharacter(ready="hired-gun")).made
    token = group.act("ana" if who == "ana" else "bea", a.PlaceToken("stone", 1, 1)).made
    sheet = group.act("bea", a.KeepMap("mill")).made
    draft = group.act("bea", a.KeepDraft(a.BeginScene(name="ford"))).made
    return [
        a.Say("hello"),
        a.WriteNote("a", "b"),
        a.RemoveNote(note),
        a.Test("3d+1 vs 5"),
        a.AskForRoll((own,), (WantedTest("alertness", "5"),)),
        a.ProposeRoll(own, "alertness"),
        a.AddCharacter(ready="hired-gun"),
        a.ShowCharacter(free, True),
        a.ChangeCharacter(own, "name", "Vera"),
        a.ReplaceCharacter(own, data=own_data(group, own)),
        a.ClaimCharacter(free),
        a.ReleaseCharacter(own),
        a.BeginScene(ready="duel"),
        a.EndScene(1),
        a.GoOn(1),
        a.Overrule(1, (("fighters.0.x", 3.0),)),
        a.Move(1, "Vesna", 1, 1),
        a.TouchCard(1, "Vesna", "x", "y"),
        a.BringIn(1, free, "north"),
        a.SetHand(1, "Vesna"),
        a.CarryOn(1),
        a.LeaveBehind(1),
        a.MakeFresh(own),
        a.UndoCarry(),
        a.Rename("Saturday"),
        a.RenameMe("Somebody"),
        a.RenewLink(f"seat:{me}"),
        a.RevokeLink(f"seat:{me}"),
        a.SetRole(group.cleo, "spectator"),
        a.RemoveMember(group.cleo),
        a.SignOut(me, "0" * 16),
        a.ClearLeft(group.cleo),
        a.ChooseDice(True),
        a.AllowOwnDice(False),
        a.AllowHints(True),
        a.ChangeHouse(),
        a.ChangeMap("hex"),
        a.KeepMap("yard"),
        a.NameMap(sheet, "mill pond"),
        a.Draw(Stroke("walls", None, {"along": [[5, 0], [5, 3]]}), sheet),
        a.UndoDrawing(sheet),
        a.LayMap(1, sheet),
        a.TouchGround(1, "gate", "open"),
        a.RemoveMap(sheet),
        a.KeepDraft(a.BeginScene(name="gate")),
        a.CopyDraft(draft),
        a.NameDraft(draft, "the old ford"),
        a.UndoDrafts(),
        a.RemoveDraft(draft),
        a.PictureCharacter(own),
        a.PlaceToken("rock", 1, 2),
        a.RemoveToken(token),
        a.RemoveCharacter(own),
        c.StartClock("3 March 1931"),
        c.SetLocation("harbour", {"care": "constant"}),
        c.RemoveLocation("nowhere"),
        c.SetDate("28 March 1931", "the ferry is sold"),
        c.RemoveDate("e1"),
        c.SetTally("patience", 6),
        c.CountTally("y1"),
        c.RemoveTally("y1"),
        c.MakePlan(own, "hard work"),
        c.PassTime("1 day"),
        c.TurnBack(),
        c.BeginCampaign("no campaign"),
        c.PlanActivity(own, "something else", {"aim": "dig", "test": "athletics"}),
        c.DropActivity(own, "dig"),
        c.BeginEffect(own, "no such effect", {}),
        c.EndEffect(own, "no such effect"),
        c.GenerateNote("no such table"),
        c.KeepRequest("watch", a.AskForRoll((own,), (WantedTest("alertness", "5"),))),
        c.ForgetRequest("no such request"),
        s.StartStory("glass-ferry"),
        s.ChooseInStory("way:0"),
        s.FinishInStory("won"),
        s.UndoStory(),
        s.LeaveStory(),
        a.HandOver(group.ana),
        a.Leave(),
    ]


def own_data(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).data


EXPECTED = {
    a.Overrule: "between steps",
    a.Move: "between steps",
    a.TouchCard: "cannot be set to",
    a.BringIn: "between steps",
    a.CarryOn: "not ended yet",
    a.LeaveBehind: "not ended yet",
    a.MakeFresh: "no results of earlier scenes",
    a.UndoCarry: "no kept or discarded results",
    c.RemoveLocation: "no location",
    c.SetDate: "no clock",
    c.RemoveDate: "no such date",
    c.CountTally: "no such tally",
    c.RemoveTally: "no such tally",
    c.PassTime: "still in progress",
    c.TurnBack: "no time has passed",
    c.BeginCampaign: "expected named fields",
    c.DropActivity: "has no activity",
    c.BeginEffect: "there is no effect",
    c.EndEffect: "has no effect",
    c.GenerateNote: "there is no generator",
    c.ForgetRequest: "no kept roll request",
    s.ChooseInStory: "no adventure is in progress",
    s.FinishInStory: "no adventure is in progress",
    s.UndoStory: "no adventure is in progress",
    s.LeaveStory: "no adventure is in progress",
    a.SignOut: "there is no such device",
    a.Leave: "cannot leave",
    a.UndoDrawing: "no stroke",
    a.LayMap: "between steps",
    a.TouchGround: "gate",
}
"""Actions that are refused for other reasons than the role."""


def refusal(group, who, action):
    """The error of an action; None if it is carried out."""
    try:
        group.act(who, action)
    except UserError as error:
        return error


@pytest.mark.parametrize("who", list(ROLES))
def test_a_role_opens_exactly_what_the_matrix_says(kept, who):
    """Every action is carried out or refused: what the role does not allow is forbidden, and everything else is not."""
    order = ["spectator", "player", "gamemaster"]
    tried = {a.Answer, a.AskAgain, a.LeaveFight, a.RollDice, a.Decide, a.Undo, a.Redo}  # these hang on the scene; below
    group = gather(kept)
    for place in range(len(actions_of(group, who))):
        group = gather(kept)
        group.act("bea", a.BeginScene(ready="duel"))
        action = actions_of(group, who)[place]
        tried.add(type(action))
        said = refusal(group, who, action)
        if order.index(ROLES[who]) < order.index(permissions.LEAST.get(type(action), "gamemaster")):
            assert isinstance(said, Forbidden), action
        else:
            assert not isinstance(said, Forbidden), (action, said)
            assert said is None or EXPECTED.get(type(action), "never") in str(said), (action, said)
    assert tried == set(get_args(AnyAction))


def test_every_action_has_its_place_in_the_matrix_and_somebody_who_does_it():
    from rulewright.table.commands import dispatch

    assert set(get_args(AnyAction)) == set(dispatch.HANDLERS) > set(permissions.LEAST)


def test_questions_are_answered_by_whom_they_are_asked_of_and_by_the_gamemaster(kept):
    group = gather(kept)
    duel(group)
    asked_of = next(who for who in ("ana", "cleo") if asked(group, who) is not None)
    other = "cleo" if asked_of == "ana" else "ana"
    question = asked(group, asked_of)
    for who in (other, "dan"):
        for action in (a.Answer(1, question.options[0].key), a.Decide(1), a.RollDice(1), a.Undo(1), a.Redo(1), a.GoOn(1)):
            with pytest.raises(Forbidden):
                group.act(who, action)
    group.act("bea", a.Answer(1, question.options[0].key, question.at, question.mark))
    with pytest.raises(Forbidden, match="the last decision if it is yours"):
        group.act(asked_of, a.Undo(1))
    group.act("bea", a.Undo(1))
    group.act(asked_of, a.Answer(1, question.options[0].key, question.at, question.mark))
    with pytest.raises(Forbidden):
        group.act(other, a.Undo(1))
    group.act(asked_of, a.Undo(1))
    with pytest.raises(Forbidden):
        group.act(other, a.Redo(1))
    group.act(asked_of, a.Redo(1))
    with pytest.raises(Forbidden, match="only the gamemaster"):
        group.act(asked_of, a.Undo(1, 1))


def test_what_belongs_to_others_is_not_changed_or_opened(kept):
    group = gather(kept)
    made = group.act("ana", a.AddCharacter(ready="hired-gun")).made
    note = group.act("ana", a.WriteNote("plan", "run", "everyone")).made
    secret = group.act("ana", a.WriteNote("diary", "dear diary")).made
    stone = group.act("ana", a.PlaceToken("stone", 1, 1)).made
    for action in (
        a.ChangeCharacter(made, "name", "Mine"),
        a.ReleaseCharacter(made),
        a.RemoveCharacter(made),
        a.ClaimCharacter(made),
        a.Test("3d", character=made),
        a.WriteNote("plan", "stay", note=note),
        a.RemoveNote(note),
        a.PlaceToken("stone", 2, 2, stone),
        a.RemoveToken(stone),
        a.RenewLink(f"seat:{group.ana}"),
        a.RenewLink("invitation"),
        a.RevokeLink("gamemaster"),
    ):
        with pytest.raises(Forbidden):
            group.act("cleo", action)
    with pytest.raises(Forbidden):
        kept.sheet(group.table, group.cleo, made)
    for who in ("cleo", "bea"):
        with pytest.raises(UserError, match="there is no note"):
            group.act(who, a.RemoveNote(secret))
    with pytest.raises(Forbidden):
        group.act("bea", a.RemoveNote(note))
    with pytest.raises(Forbidden, match="seat is not yours"):
        group.act("cleo", a.RenewLink(f"seat:{group.bea}"))


# --- cookies and marks ----------------------------------------------------------------------------------------------------------


def test_a_cookie_that_was_not_signed_here_speaks_for_nobody():
    signer, other = Signer(b"k" * 32), Signer(b"o" * 32)
    device = links.token()
    cookie = signer.cookie(device)
    assert signer.read(cookie) == device
    forged = [None, "", ".", device, f"{device}.", other.cookie(device), cookie[:-1], f"x{cookie}", cookie + "é", "\ud800.x", "x" * 10_000]
    for one in forged:
        assert signer.read(one) is None


def small(signer, mark, about):
    """Whether a mark decodes to a possible line number."""
    try:
        return signer.number(mark, about) < 100_000
    except UserError:
        return False


def test_marks_turn_back_into_their_numbers_for_their_reader_only():
    signer = Signer(b"k" * 32)
    marks = [signer.mark(number, "table ana") for number in range(1000)]
    assert [signer.number(mark, "table ana") for mark in marks] == list(range(1000))
    assert len(set(marks)) == 1000
    assert marks != sorted(marks)
    assert not any(small(signer, mark, "table cleo") for mark in marks[:200])
    for wrong in ("", "x" * 16, "0" * 15, "0" * 17, "é" * 16):
        with pytest.raises(UserError):
            signer.number(wrong, "table ana")


def test_passphrases_are_salted_and_slow():
    first, second = links.hashed_passphrase("hush"), links.hashed_passphrase("hush")
    assert first != second
    assert first.startswith("scrypt$")
    assert links.passphrase_fits("hush", first)
    assert not links.passphrase_fits("hush!", first)
    with pytest.raises(UserError):
        links.hashed_passphrase("x" * 10_000)
