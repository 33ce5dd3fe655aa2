"""Scenes at a table: started, answered, rolled with real dice, edited, undone; the same in every server process and after a restart."""

import re

import pytest

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.scenes.record import Answered
from rulewright.system import find, names
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.log.entries import Played, Snapshot
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from rulewright.table.service import Tables
from table.group import asked, duel, gather, play_on


def first_asked(group):
    """The person who is asked first, and the question."""
    who = next(who for who in ("ana", "cleo", "bea") if asked(group, who) is not None)
    return who, asked(group, who)


def answers(group):
    with group.tables.looking(group.table) as table:
        return [line.change.entry.given for line in table.lines if isinstance(line.change, Played)]


def test_a_fight_is_played_to_its_end_and_stands_the_same_after_a_restart(opened):
    tables = opened()
    group = gather(tables)
    duel(group)
    play_on(group)
    scene = group.scene("bea")
    assert scene.result is not None
    assert not scene.questions
    assert group.everything() == group.everything(opened())
    group.act("bea", a.EndScene(1))
    assert group.view("ana").scenes == ()
    assert group.log("ana")[-1].text == f"A duel ends: {scene.result.why}"
    with pytest.raises(UserError, match="has ended"):
        group.act("bea", a.Undo(1))
    assert group.everything() == group.everything(opened())


def test_a_restart_in_the_middle_stands_at_the_same_question(opened):
    tables = opened()
    group = gather(tables)
    group.act("ana", a.ChooseDice(True))
    duel(group)
    for _ in range(12):
        who, question = first_asked(group)
        again = opened()
        assert again.scene(group.table, getattr(group, who), 1) == group.scene(who)
        action = a.RollDice(1, question.at, question.mark) if question.sort == "roll" else a.Decide(1, question.at, question.mark)
        again.act(group.table, getattr(group, who), action)
        if group.scene("bea").result is not None:
            break
    assert group.everything() == group.everything(opened())


def test_two_server_processes_see_each_others_answers(opened):
    group = gather(opened())
    other = opened()
    duel(group)
    for turn in range(8):
        tables = (group.tables, other)[turn % 2]
        who, question = first_asked(group)
        tables.act(group.table, getattr(group, who), a.Decide(1, question.at, question.mark))
        assert group.everything(group.tables) == group.everything(other)
        if group.scene("bea").result is not None:
            break


def test_an_answer_to_a_question_that_changed_meanwhile_is_refused(opened):
    """Two devices of one player answer the same question: the second answer does not count for the next question."""
    group = gather(opened())
    other = opened()
    duel(group)
    who, question = first_asked(group)
    member, given = getattr(group, who), question.options[0].key
    assert other.scene(group.table, member, 1) == group.scene(who)
    group.act(who, a.Answer(1, given, question.at, question.mark), "one device")
    before = len(answers(group))
    with pytest.raises(UserError, match=r"changed meanwhile|answered already|not yours"):
        other.act(group.table, member, a.Answer(1, given, question.at, question.mark), "other device")
    assert len(answers(group)) == before


def test_a_repeated_request_is_carried_out_once_in_any_process(opened):
    group = gather(opened())
    duel(group)
    who, question = first_asked(group)
    action = a.Answer(1, question.options[0].key, question.at, question.mark)
    first = group.act(who, action, "wish")
    before = answers(group)
    for tables in (group.tables, opened()):
        again = tables.act(group.table, getattr(group, who), action, "wish")
        assert again.again
        assert again.seq <= first.seq
    assert answers(group) == before
    with pytest.raises(UserError, match="key"):
        group.act(who, action, "x" * (limits.KEY + 1))


def test_the_same_key_of_another_member_is_another_wish(kept):
    group = gather(kept)
    assert not group.act("ana", a.Say("hello"), "1").again
    assert not group.act("cleo", a.Say("hello"), "1").again


# --- dice -----------------------------------------------------------------------------------------------------------------------


def test_real_dice_are_typed_in_where_a_member_said_so(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    who, question = first_asked(group)
    assert question.sort == "roll"
    assert question.dice
    wrong = [(0,) * len(question.sides), (7,) * len(question.sides), (), (1,) * (len(question.sides) + 1), "6", 6]
    for faces in wrong:
        with pytest.raises(UserError):
            group.act(who, a.Answer(1, faces, question.at, question.mark))
    faces = tuple(question.sides)
    group.act(who, a.Answer(1, faces, question.at, question.mark))
    assert answers(group) == [faces]
    shown = [detail for line in group.log("dan") for detail in line.details if detail.sort == "roll"]
    assert [detail.faces for detail in shown] == [faces]
    assert shown[0].reasons


def test_dice_fall_at_once_unless_a_member_wants_to_roll(tmp_path):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(3))
    group = gather(tables)
    group.act("cleo", a.ChooseDice(True))
    duel(group)
    rolls = {question.who for who in ("ana", "cleo") for question in group.scene(who).questions if question.sort == "roll"}
    assert rolls == {"Teodor"}
    tables.close()


def test_dice_come_from_the_operating_system(kept, monkeypatch):
    import random

    called = []
    draw = random.SystemRandom.getrandbits
    monkeypatch.setattr(random.SystemRandom, "getrandbits", lambda self, k: called.append(k) or draw(self, k))
    group = gather(kept)
    group.act("ana", a.Test("3d+1 vs 5"))
    assert len(called) >= 3


def test_a_test_from_the_tray_is_kept_with_its_faces_and_reasons(kept):
    group = gather(kept)
    group.act("ana", a.Test("3d+1 vs 5", "Notice", faces="2,6,4"))
    line = group.log("dan")[-1]
    assert (line.sort, line.by_name, line.text) == ("test", "Ana", "Notice: success by 2")
    assert line.details[0].faces == (2, 6, 4)
    assert line.details[0].reasons
    for notation, faces in (("3d", "2,6"), ("3d", "2,6,7"), ("3d", "2,6,4/1"), ("3d", "x"), ("nonsense", ""), ("999999d", ""), ("", "")):
        with pytest.raises(UserError):
            group.act("ana", a.Test(notation, faces=faces))


# --- the gamemaster's hand ------------------------------------------------------------------------------------------------------


def test_the_gamemaster_overrules_any_value_and_the_log_says_so(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    group.act("bea", a.Overrule(1, (("fighters.0.body.flesh", 1), ("ground.light", "very dimly lit")), "it gets dark"))
    assert "very dimly lit" in group.scene("ana").view.headline
    told = group.log("ana")[-1].text
    assert told.startswith("edits the scene (it gets dark): ")
    assert "very dimly lit" in told
    assert re.search(r"Vesna: [^;]*1 of \d+ marked, was 0 of \d+ marked", told)
    assert "fighters" not in told
    for field, value in (("fighters.0.body.flesh", "many"), ("fighters.9.x", 1), ("nothing", 1), ("", 1), ("fighters.0.profile", None)):
        with pytest.raises(UserError):
            group.act("bea", a.Overrule(1, ((field, value),)))
    group.act("bea", a.Undo(1))
    assert "dimly" not in group.scene("ana").view.headline


def test_moving_somebody_on_the_map_is_an_overruling_and_distance_feeds_the_rules(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    assert {place.name: (place.x, place.y) for place in group.scene("dan").view.places} == {"Vesna": (0, 0), "Teodor": (6, 0)}
    group.act("bea", a.Move(1, "Teodor", 30, 40))
    assert {place.name: (place.x, place.y) for place in group.scene("dan").view.places}["Teodor"] == (30, 40)
    play_on_rolls(group)
    who, question = first_asked(group)
    assert any("50 m" in option.label for option in question.options)
    for x in (float("nan"), float("inf"), 1e300):
        with pytest.raises(UserError):
            group.act("bea", a.Move(1, "Teodor", x, 0))
    with pytest.raises(UserError):
        group.act("bea", a.Move(1, "Nobody", 1, 0))


def test_a_player_takes_only_their_own_combatant_out_of_a_fight(kept):
    group = gather(kept)
    duel(group)
    hands = {hand.who: hand.member for hand in group.scene("bea").hands}
    own = next(who for who, member in hands.items() if member == group.ana)
    with pytest.raises(UserError, match="do not control"):
        group.act("ana", a.LeaveFight(1, next(who for who in hands if who != own)))
    group.act("ana", a.LeaveFight(1, own, "withdraw"))
    assert {card.name for card in group.scene("bea").view.cards if card.out} == {own}


def play_on_rolls(group):
    """Rolls until a person has to decide."""
    for _ in range(20):
        who, question = first_asked(group)
        if question.sort == "choice":
            return
        group.act(who, a.RollDice(1, question.at))


def test_a_game_without_places_says_so(kept):
    group = gather(kept, "pebbles")
    group.act("bea", a.BeginScene(ready="on-the-beach"))
    with pytest.raises(UserError, match="this scene has no places"):
        group.act("bea", a.Move(1, "Wilma", 1, 1))


def test_a_newcomer_comes_in_and_is_played_by_whose_it_is(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    made = group.act("cleo", a.AddCharacter(ready="bouncer", name="Grigor")).made
    group.act("bea", a.BringIn(1, made, "south"))
    scene = group.scene("bea")
    assert [card.name for card in scene.view.cards] == ["Vesna", "Teodor", "Grigor"]
    assert {hand.who: hand.member for hand in scene.hands} == {"Vesna": group.ana, "Teodor": group.cleo, "Grigor": group.cleo}


def test_somebody_else_or_a_tactic_can_decide_for_a_combatant(kept):
    group = gather(kept)
    duel(group)
    group.act("bea", a.SetHand(1, "Vesna", tactic="shooter"))
    group.act("bea", a.SetHand(1, "Teodor", member=group.ana))
    hands = {hand.who: (hand.member, hand.tactic) for hand in group.scene("bea").hands}
    assert hands == {"Vesna": (group.ana, "shooter"), "Teodor": (group.ana, "")}
    assert asked(group, "cleo") is None
    for wrong in (a.SetHand(1, "Nobody"), a.SetHand(1, "Vesna", member=group.dan), a.SetHand(1, "Vesna", tactic="clairvoyance")):
        with pytest.raises(UserError):
            group.act("bea", wrong)


def test_undo_takes_back_a_persons_decision_with_all_that_followed_by_itself(tmp_path):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(1))
    group = gather(tables)
    made = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    sides = {"north": (a.Placing(made),), "south": (a.Placing("hired-gun", "Teodor"), a.Placing("street-tough", "Stubbs"))}
    group.act("bea", a.BeginScene(name="Three", sides=sides, npcs="tactics"))
    before = group.scene("ana")
    group.act("ana", a.Decide(1))
    group.act("ana", a.Undo(1))
    after = group.scene("ana")
    assert (after.view, after.questions, after.result) == (before.view, before.questions, before.result)
    assert after.may_redo
    line = group.log("cleo")[-1]
    assert line.sort == "undo"
    assert line.text.startswith("undoes: Vesna, ")
    undone = [one for one in group.log("cleo") if one.undone]
    assert undone
    group.act("ana", a.Redo(1))
    assert not any(one.undone for one in group.log("cleo"))
    with pytest.raises(UserError, match="nothing to redo"):
        group.act("bea", a.Redo(1))
    tables.close()


def test_the_gamemaster_goes_back_to_the_very_beginning_and_on_again(kept):
    group = gather(kept)
    duel(group)
    play_on(group, 4)
    stood = group.scene("bea")
    group.act("bea", a.Undo(1, 1))
    assert group.scene("bea").view.headline == "Before the first round"
    group.act("bea", a.Redo(1))
    after = group.scene("bea")
    assert (after.view, after.questions) == (stood.view, stood.questions)
    for to in (0, 10_000, -1):
        with pytest.raises(UserError):
            group.act("bea", a.Undo(1, to))


def test_nothing_is_undone_or_redone_where_there_is_nothing(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    with pytest.raises(UserError, match="nothing to undo"):
        group.act("bea", a.Undo(1))
    with pytest.raises(UserError, match="nothing to redo"):
        group.act("bea", a.Redo(1))
    with pytest.raises(UserError, match="there is no scene"):
        group.act("bea", a.Undo(7))


def test_a_scene_is_made_up_at_the_table_and_what_is_wrong_with_it_is_said(kept):
    group = gather(kept)
    for sides in (
        {},
        {"a": ()},
        {"a": (a.Placing("nobody-at-all"),)},
        {"a": (a.Placing("/etc/passwd"),)},
        {"a": (a.Placing("../../etc/passwd.yaml"),)},
        {"a": (a.Placing("hired-gun", count=100_000),)},
        {"a": (a.Placing("hired-gun", tactic="none"),)},
        {"a": (a.Placing("hired-gun", state={"no such": 1}),)},
        {"\u202e": (a.Placing("hired-gun"),)},
    ):
        with pytest.raises(UserError):
            group.act("bea", a.BeginScene(name="Wrong", sides=sides))
    for action in (a.BeginScene(), a.BeginScene(ready="none"), a.BeginScene(ready="characters/hired-gun")):
        with pytest.raises(UserError):
            group.act("bea", action)
    assert group.view("bea").scenes == ()


def test_what_is_too_large_is_refused_and_the_table_stands(kept):
    group = gather(kept)
    for who in ("ana", "cleo"):
        group.act(who, a.ChooseDice(True))
    duel(group)
    before = group.everything()
    huge = "x" * 300_000
    for who, action in (
        ("bea", a.Overrule(1, (("fighters.0.aim_at", huge),))),
        ("bea", a.Overrule(1, (("fighters.0.x", 1.0),) * 51)),
        ("bea", a.ChangeHouse(tables={"scumm-guns": {huge: None}})),
        ("ana", a.AddCharacter(yaml=huge)),
        ("ana", a.ChangeCharacter("c1", "name", huge)),
        ("ana", a.Say(huge)),
        ("ana", a.WriteNote("note", huge)),
        ("ana", a.Test(huge)),
        ("ana", a.Test("3d", faces=huge)),
        ("bea", a.BeginScene(name=huge, ready="duel")),
    ):
        with pytest.raises(UserError) as refused:
            group.act(who, action)
        assert len(str(refused.value)) < 1000
    assert group.everything() == before


def test_at_most_so_many_scenes_are_under_way(kept, monkeypatch):
    monkeypatch.setattr(limits, "OPEN_SCENES", 2)
    group = gather(kept)
    for _ in range(2):
        group.act("bea", a.BeginScene(ready="duel"))
    with pytest.raises(UserError, match="at most 2"):
        group.act("bea", a.BeginScene(ready="duel"))
    group.act("bea", a.EndScene(1))
    group.act("bea", a.BeginScene(ready="duel"))


def test_a_scene_keeps_the_rules_it_began_with(opened):
    group = gather(opened(), "pebbles")
    group.act("bea", a.BeginScene(ready="on-the-beach"))
    name = next(iter(find("pebbles").book.settings))
    setting = find("pebbles").book.settings[name]
    other = next(value for value in (not setting.default, 1, 2, *setting.values) if value != setting.default and _allowed(setting, value))
    group.act("bea", a.ChangeHouse(settings={name: other}))
    group.act("bea", a.BeginScene(ready="on-the-beach"))
    again = opened()
    with again.looking(group.table) as table:
        assert table.scene(1).encounter.scene.rules.settings[name] == setting.default
        assert table.scene(2).encounter.scene.rules.settings[name] == other
    with pytest.raises(UserError):
        group.act("bea", a.ChangeHouse(settings={"no such setting": 1}))
    with pytest.raises(UserError):
        group.act("bea", a.ChangeHouse(preset="no such preset"))


def _allowed(setting, value):
    try:
        return setting.check(value) == value and type(value) is type(setting.default)
    except UserError:
        return False


def test_long_scenes_leave_snapshots_on_the_way(tmp_path, monkeypatch):
    from rulewright.table.scenes import live_scene

    monkeypatch.setattr(live_scene, "SNAPSHOT_EVERY", 8)
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(5))
    group = gather(tables)
    group.act("bea", a.BeginScene(ready="brawl"))
    play_on(group, 60)
    with tables.looking(group.table) as table:
        kept = [line.change for line in table.lines if isinstance(line.change, Snapshot)]
        assert len(kept) >= 2
        assert all(isinstance(table.scene(1).entries[one.entries - 2], Answered) for one in kept)
    tables.close()


# --- every game -----------------------------------------------------------------------------------------------------------------

SHOWN = [(game.id, name) for game in demos.playable() for name in demos.scenarios(game.id)]


def test_there_is_a_demonstration_of_every_game_that_fights():
    assert {game for game, _ in SHOWN} == {name for name in names() if find(name).fights}


@pytest.mark.parametrize("game", [game.id for game in demos.playable()])
def test_a_guest_of_the_first_demonstration_is_always_asked_something(tmp_path, game):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(2))
    for guest in range(25):
        hosting = demos.demonstrate(tables, game, f"device {guest}")
        assert any(question.mine for question in tables.scene(hosting.table, hosting.member, 1).questions), guest
    tables.close()


@pytest.mark.parametrize(("game", "name"), SHOWN)
def test_every_demonstration_can_be_played_and_stands_the_same_when_opened_again(tmp_path, game, name):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(11))
    hosting = demos.demonstrate(tables, game, "a device", name)
    assert tables.seat(hosting.table, "a device").role == "gamemaster"
    for turn in range(25):
        scene = tables.scene(hosting.table, hosting.member, 1)
        question = next((one for one in scene.questions if one.mine), None)
        if question is None:
            assert scene.result is not None
            break
        action = a.RollDice(1, question.at) if question.sort == "roll" else a.Decide(1, question.at, question.mark)
        tables.act(hosting.table, hosting.member, action, f"turn {turn}")
    again = Tables(str(tmp_path / "tables.db"))
    assert again.view(hosting.table, hosting.member) == tables.view(hosting.table, hosting.member)
    assert again.log(hosting.table, hosting.member, most=9999) == tables.log(hosting.table, hosting.member, most=9999)
    tables.close()
    again.close()


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, name in SHOWN if demos.scenarios(game)[name].scene == "fight"])
def test_whoever_has_a_place_in_a_fight_can_be_moved_on_the_map(kept, game, name):
    group = gather(kept, game)
    for who in ("ana", "bea"):
        group.act(who, a.ChooseDice(True))
    group.act("bea", a.BeginScene(ready=name))
    scene = group.scene("bea")
    for place in scene.view.places:
        size = scene.view.field.ground.size if scene.view.field is not None else None
        to = (5, 20) if size is None else (4, min(20, size[1] - 2))
        group.act("bea", a.Move(1, place.name, *to))
        moved = {one.name: (one.x, one.y) for one in group.scene("bea").view.places}
        others = [one for one in scene.view.places if one.name.rstrip("0123456789") != place.name.rstrip("0123456789") or one is place]
        stood = {one.name: (one.x, one.y) for one in others}  # mooks of one group go together
        beside = 3 if place.name[-1].isdigit() else 0  # drawn next to each other
        assert moved[place.name] == pytest.approx(to, abs=beside)
        assert {name: moved[name] for name in stood if name != place.name} == {n: at for n, at in stood.items() if n != place.name}
        group.act("bea", a.Undo(1))
        assert group.scene("bea").view == scene.view


def test_a_demonstration_that_is_not_there_is_refused(kept):
    for game, name in (("nothing", ""), ("scumm", "no such"), ("scumm", "../x")):
        with pytest.raises(UserError):
            demos.demonstrate(kept, game, "a device", name)


def test_a_guest_answers_only_for_the_first_side_of_a_demonstration(kept):
    hosting = demos.demonstrate(kept, "scumm", "a device", "duel")
    hands = {hand.who: hand.tactic for hand in kept.scene(hosting.table, hosting.member, 1).hands}
    assert hands["Vesna"] == ""
    assert hands["Teodor"] != ""


def test_a_spectator_is_refused_in_words(kept):
    group = gather(kept)
    duel(group)
    with pytest.raises(Forbidden, match="only players"):
        group.act("dan", a.Decide(1))
