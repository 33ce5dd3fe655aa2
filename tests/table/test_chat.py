"""Chat and dice at a table: for everybody, for one member, in secret, and with entered dice."""

import pytest
from msgspec.json import encode

from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from table.group import asked, duel, gather


def heard(group, who):
    """Everything that a member gets to know, as text."""
    return encode([group.view(who), group.log(who)]).decode()


def test_a_roll_to_one_person_is_seen_by_the_two_alone(kept):
    group = gather(kept)
    group.act("bea", a.Test("2d6+1", what="the old door", to=(group.ana,)))
    assert group.log("ana")[-1].to == ("Ana",)
    assert "the old door" in heard(group, "bea")
    for who in ("cleo", "dan"):
        assert "the old door" not in heard(group, who)
        assert group.log(who)[-1].text != group.log("ana")[-1].text
    group.act("ana", a.Test("d6", what="between us", to=(group.cleo,)))
    assert "between us" not in heard(group, "bea")


def test_a_whisper_says_to_whom(kept):
    group = gather(kept)
    group.act("bea", a.Say("the cook", (group.ana, group.cleo)))
    for who in ("bea", "ana", "cleo"):
        assert group.log(who)[-1].to == ("Ana", "Cleo")
    group.act("bea", a.Say("hello"))
    assert group.log("ana")[-1].to == ()


@pytest.mark.parametrize("system", ["silhouette", "scumm", "hybrid", "ore", "foresight"])
@pytest.mark.parametrize(
    ("written", "faces", "total"),
    [("2d6+1", "3,5", 9), ("d6", "4", 4), ("1d100", "77", 77), ("d%", "5", 5), ("1d20 + 5", "20", 25), ("2d6+1d8-2", "1,2,8", 9)],
)
def test_plain_dice_are_rolled_in_every_game(kept, system, written, faces, total):
    group = gather(kept, system)
    group.act("ana", a.Test(written, faces=faces))
    line = group.log("cleo")[-1]
    assert line.text == f"{written}: {total}"
    assert sum(reason.value for reason in line.details[0].reasons) == total


@pytest.mark.parametrize("written", ["2d0", "d", "2d6x", "0d6", "200d6", "2d6-d6", "d99999", "2d6+", "6"])
def test_what_is_no_dice_is_refused(kept, written):
    group = gather(kept)
    with pytest.raises(UserError):
        group.act("ana", a.Test(written))


def test_typed_dice_are_marked_for_everybody_and_rolled_ones_are_not(kept):
    group = gather(kept)
    group.act("ana", a.Test("3d+1 vs 5", faces="6,6,6"))
    assert [detail.typed for detail in group.log("dan")[-1].details] == [True]
    group.act("ana", a.Test("3d+1 vs 5"))
    assert [detail.typed for detail in group.log("dan")[-1].details] == [False]


def roll_asked_of_ana(group):
    """The first roll that Ana is asked for."""
    group.act("ana", a.ChooseDice(True))
    duel(group)
    for _ in range(50):
        for who in ("ana", "cleo"):
            question = asked(group, who)
            if question is None:
                continue
            if who == "ana" and question.sort == "roll":
                return question
            given = question.options[0].key if question.options else question.low
            action = a.RollDice(1, question.at) if question.sort == "roll" else a.Answer(1, given, question.at)
            group.act(who, action)
    raise AssertionError("Ana was never asked to roll")


def test_typed_dice_in_a_scene_are_marked_and_the_gamemaster_may_forbid_them(kept):
    group = gather(kept)
    question = roll_asked_of_ana(group)
    faces = tuple(1 for _ in question.sides)
    group.act("bea", a.AllowOwnDice(False))
    assert not group.view("ana").own_dice
    assert "no longer lets players enter" in group.log("ana")[-1].text
    with pytest.raises(Forbidden):
        group.act("ana", a.Answer(1, faces, question.at, question.mark))
    with pytest.raises(Forbidden):
        group.act("ana", a.Test("2d6", faces="1,1"))
    group.act("bea", a.AllowOwnDice(True))
    before = len(group.log("dan"))
    group.act("ana", a.Answer(1, faces, question.at, question.mark))
    fresh = [detail for line in group.log("dan")[before:] for detail in line.details if detail.sort == "roll"]
    assert [detail.typed for detail in fresh if detail.faces == faces and detail.who == question.who][:1] == [True]
    group.act("bea", a.Test("2d6", faces="1,1"))


def test_an_answer_that_the_gamemaster_gives_for_a_player_says_so(kept):
    group = gather(kept)
    duel(group)
    who, question = next((who, asked(group, who)) for who in ("ana", "cleo") if asked(group, who) is not None)
    assert question.asked == getattr(group, who)
    seen_by_bea = next(each for each in group.scene("bea").questions if each.at == question.at)
    assert seen_by_bea.asked == getattr(group, who) != group.bea
    given = question.options[0].key if question.options else question.low
    group.act("bea", a.Answer(1, given, question.at, question.mark))
    line = next(line for line in reversed(group.log("dan")) if line.sort == "play" and line.by == group.bea and line.for_name)
    assert line.for_name == who.capitalize()


def test_a_hidden_character_in_a_fight_is_seen_by_the_gamemaster_alone(kept):
    group = gather(kept)
    hidden = group.act("bea", a.AddCharacter(ready="hired-gun", name="The Spider", hidden=True)).made
    mine = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    other = group.act("bea", a.AddCharacter(ready="hired-gun", name="Teodor")).made
    sides = {"north": (a.Placing(mine),), "south": (a.Placing(hidden, at=(9.0, 0.0)), a.Placing(other, at=(9.0, 3.0)))}
    group.act("bea", a.BeginScene(name="A duel", sides=sides))
    for _ in range(40):
        for who in ("ana", "bea"):
            question = asked(group, who)
            if question is not None:
                break
        else:
            break
        if who == "ana":
            assert all("Spider" not in option.label for option in question.options)
            weighed = kept.chances(group.table, group.ana, 1, question.at, question.mark) if question.options else ()
            assert all("Spider" not in each.key for each in weighed)
        assert "Spider" not in heard(group, "ana")
        assert "Spider" in heard(group, "bea")
        given = question.options[0].key if question.options else question.low
        group.act(who, a.RollDice(1, question.at) if question.sort == "roll" else a.Answer(1, given, question.at))
    group.act("bea", a.ShowCharacter(hidden, False))
    assert "Spider" in heard(group, "ana")


# --- what need not be asked -----------------------------------------------------------------------------------------------------


def test_an_answer_given_once_for_all_is_not_asked_for_again_until_wanted(kept):
    group = gather(kept)
    group.act("bea", a.BeginScene(ready="ambush"))
    settled = ""
    for _ in range(60):
        question = asked(group, "bea")
        if question is None:
            break
        assert (question.who, question.topic) != (settled, "emergency dice")
        if not settled and question.topic == "emergency dice":
            settled = question.who
            group.act("bea", a.Answer(1, 0, question.at, question.mark, always=True))
            hand = next(hand for hand in group.scene("bea").hands if hand.who == settled)
            assert hand.settled == ("emergency dice",)
            assert all(not hand.settled for hand in group.scene("dan").hands)
            continue
        given = question.options[0].key if question.options else question.low
        group.act("bea", a.RollDice(1, question.at) if question.sort == "roll" else a.Answer(1, given, question.at))
    assert settled
    for who in ("ana", "dan"):
        with pytest.raises(Forbidden):
            group.act(who, a.AskAgain(1, settled))
    group.act("bea", a.AskAgain(1, settled))
    assert not any(hand.settled for hand in group.scene("bea").hands)


def test_what_has_one_answer_is_not_asked(kept):
    group = gather(kept, "silhouette")
    group.act("bea", a.BeginScene(ready="firefight"))
    for _ in range(40):
        question = asked(group, "bea")
        if question is None:
            break
        assert question.sort == "roll" or len(question.options) > 1 or question.low != question.high
        given = question.options[0].key if question.options else question.low
        group.act("bea", a.RollDice(1, question.at) if question.sort == "roll" else a.Answer(1, given, question.at))


@pytest.mark.parametrize("system", ["silhouette", "scumm", "hybrid", "ore", "foresight"])
def test_every_option_has_its_place_and_no_two_have_the_same(kept, system):
    """Verb, target and manner distinguish the options of every question, in every demo."""
    for scenario in demos.scenarios(system):
        group = gather(kept, system)
        group.act("bea", a.BeginScene(ready=scenario))
        for _ in range(12):
            question = asked(group, "bea")
            if question is None:
                break
            places = [(option.verb, option.target, option.manner) for option in question.options]
            assert len(set(places)) == len(places), [place for place in places if places.count(place) > 1]
            assert all(option.verb and option.manner for option in question.options)
            given = question.options[0].key if question.options else question.low
            group.act("bea", a.RollDice(1, question.at) if question.sort == "roll" else a.Answer(1, given, question.at))
