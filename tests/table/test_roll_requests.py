"""Roll requests: asked of several people, answered in any order, joined, hidden where they should be, and the same after a restart."""

import pytest
from msgspec.structs import astuple

from rulewright.campaign.roll_request import JOINS, MANNERS, WantedTest
from rulewright.errors import UserError
from rulewright.system import find, names
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes.roll_requests import build_request, chances_of
from table.group import Group, asked, gather, play_on

TESTS = {"silhouette": "agility", "scumm": "alertness", "hybrid": "DEX", "ore": "coordination", "foresight": "DX"}
TARGETS = {"silhouette": "4", "scumm": "4", "hybrid": "", "ore": "", "foresight": ""}


@pytest.fixture
def group(kept):
    return _people(gather(kept, "scumm"))


class Party(Group):
    """A group with a character of each player."""

    vesna: str = ""
    teodor: str = ""


def _people(group):
    party = Party(*astuple(group))
    party.vesna = group.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    party.teodor = group.act("cleo", a.AddCharacter(of="character", name="Teodor")).made
    return party


def ask(group, test="alertness", against="4", **options):
    of = options.pop("of", (group.vesna, group.teodor))
    tests = options.pop("tests", (WantedTest(test, against),))
    return a.AskForRoll(of, tests, **options)


def texts(group, who):
    return [line.text for line in group.log(who)] + [detail.text for line in group.log(who) for detail in line.details]


@pytest.mark.parametrize("system", [name for name in names() if name in TESTS])
def test_everybody_who_is_asked_rolls_and_the_result_is_told(kept, system):
    group = _people(gather(kept, system))
    number = int(group.act("bea", ask(group, TESTS[system], TARGETS[system], joined="any")).made)
    assert {question.who for question in group.scene("bea", number).questions} == {"Vesna", "Teodor"}
    assert play_on(group, number=number) == 2
    assert group.view("ana").scenes == ()
    told = texts(group, "ana")
    assert any(text.startswith("Vesna rolls") for text in told)
    assert any("one success is enough" in text for text in told)


@pytest.mark.parametrize("system", [name for name in names() if name in TESTS])
@pytest.mark.parametrize("joined", JOINS)
def test_the_chance_before_the_roll_is_the_share_of_successes(kept, system, joined):
    group = _people(gather(kept, system))
    with kept.looking(group.table) as table:
        request = build_request(table, ask(group, TESTS[system], TARGETS[system], joined=joined)).request
        chances = chances_of(table, request)
    first, second = (person.best for person in chances.people)
    joint = {"any": 1 - (1 - first) * (1 - second), "all": first * second, "most": first * second, "each": None}
    if joined in joint:
        assert chances.joint == pytest.approx(joint[joined])
    else:
        assert 0 < chances.joint < 1


@pytest.mark.parametrize("manner", MANNERS)
def test_a_player_learns_only_what_the_manner_allows(group, manner):
    number = int(group.act("bea", ask(group, manner=manner)).made)
    if manner != "gamemaster rolls":
        question = asked(group, "ana", number)
        assert question.sort == "choice"
        play_on(group, number=number)
    told, known = texts(group, "ana"), texts(group, "bea")
    rolls = [detail for line in group.log("ana") for detail in line.details if detail.sort == "roll"]
    assert any("against 4" in text for text in known)
    assert any("against 4" in text for text in told) == (manner == "open")
    assert bool(rolls) == (manner in ("open", "target hidden"))
    assert any("asks for a roll" in text for text in told) == (manner != "gamemaster rolls")


def test_a_player_chooses_one_of_several_tests(group):
    tests = (WantedTest("body", "5"), WantedTest("Spirit", "3"))
    number = int(group.act("bea", ask(group, tests=tests, of=(group.vesna,))).made)
    question = asked(group, "ana", number)
    assert [option.label for option in question.options if "with" not in option.label] == ["Roll Body against 5", "Roll Spirit against 3"]
    group.act("ana", a.Answer(number, "spirit", question.at, question.mark))
    play_on(group, number=number)
    assert any(text.startswith("Vesna rolls Spirit against 3") for text in texts(group, "cleo"))


def test_an_opposed_request_is_rolled_by_both(group):
    number = int(group.act("bea", ask(group, of=(group.vesna,), opponent=group.teodor, opponent_test="body")).made)
    play_on(group, number=number)
    assert group.view("bea").scenes == ()
    rolls = {detail.who for line in group.log("bea") for detail in line.details if detail.sort == "roll"}
    assert rolls == {"Vesna", "Teodor"}


def test_typed_dice_and_undo_work_before_the_last_roll(group):
    group.act("ana", a.ChooseDice(wait=True))
    number = int(group.act("bea", ask(group)).made)
    for faces in ((1, 1), (6, 6)):
        question = asked(group, "ana", number)
        group.act("ana", a.Answer(number, "alertness", question.at, question.mark))
        question = asked(group, "ana", number)
        group.act("ana", a.Answer(number, faces, question.at, question.mark))
        if faces == (1, 1):
            group.act("ana", a.Undo(number))
    play_on(group, number=number)
    assert any("Vesna rolls Alertness against 4: success" in text for text in texts(group, "dan"))


def test_emergency_dice_are_spent_and_stay_spent(group):
    number = int(group.act("bea", ask(group, of=(group.vesna,))).made)
    question = asked(group, "ana", number)
    group.act("ana", a.Answer(number, "alertness+2", question.at, question.mark))
    (carried,) = [character.carried for character in group.view("ana").characters if character.id == group.vesna]
    assert carried == ("Emergency Dice: 3 left",)
    number = int(group.act("bea", ask(group, of=(group.vesna,))).made)
    assert [option.key for option in asked(group, "ana", number).options] == ["alertness", "alertness+1", "alertness+2", "alertness+3"]


def test_a_player_proposes_a_roll_and_only_the_gamemaster_hears_of_it(group):
    group.act("ana", a.ProposeRoll(group.vesna, "Alertness", "to find the door"))
    assert any("asks to roll Alertness for Vesna: to find the door" in text for text in texts(group, "bea"))
    assert not any("asks to roll" in text for text in texts(group, "cleo"))
    with pytest.raises(Forbidden):
        group.act("cleo", a.ProposeRoll(group.vesna, "Alertness"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of": ()}, "choose who is asked"),
        ({"tests": (WantedTest("alertnes", "4"),)}, "Vesna has no test 'alertnes'; did you mean"),
        ({"tests": (WantedTest("alertness", "many"),)}, "cannot read"),
        ({"tests": ()}, "one of 1 to 6 tests"),
        ({"seconds": -1}, "from 0 seconds"),
        ({"opponent": "c999"}, "there is no character"),
    ],
)
def test_a_request_that_nobody_could_answer_is_refused(group, options, message):
    with pytest.raises(UserError, match=message):
        group.act("bea", ask(group, **options))


def test_players_may_not_ask(group):
    with pytest.raises(Forbidden):
        group.act("ana", ask(group))


def test_a_request_is_the_same_after_a_restart(opened):
    tables = opened()
    group = _people(gather(tables, "scumm"))
    number = int(group.act("bea", ask(group)).made)
    question = asked(group, "cleo", number)
    group.act("cleo", a.Answer(number, "alertness", question.at, question.mark))
    before = group.everything()
    assert group.everything(opened()) == before


def test_every_game_names_its_difficulties_in_a_form_that_it_can_read():
    for name in names():
        system = find(name)
        rules = system.book.ruleset()
        for difficulty in system.difficulties(rules):
            test = next(iter(system.sheet(rules, system.new(rules, "character")).tests().values()))
            system.test(rules, system.compose(test.notation, difficulty.modifier, difficulty.against))


def test_nobody_waits_for_the_others_and_the_chance_stands_beside_the_button(group):
    number = int(group.act("bea", ask(group)).made)
    question = asked(group, "cleo", number)
    chances = group.tables.chances(group.table, group.cleo, number, question.at, question.mark)
    assert all(weighed.unsettled == 0 and weighed.about is None for weighed in chances)
    with group.tables.looking(group.table) as table:
        request = table.scene(number).encounter.state
        expected = chances_of(table, request).people[1].best
    good = [outcome.chance for outcome in chances[0].outcomes if outcome.name == "success"]
    assert good == [pytest.approx(expected)]
    group.act("cleo", a.Answer(number, "alertness", question.at, question.mark))
    assert any(text.startswith("Teodor rolls Alertness") for text in texts(group, "dan"))
    assert asked(group, "ana", number) is not None
