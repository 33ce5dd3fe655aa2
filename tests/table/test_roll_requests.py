"""Roll requests: asked of several people, answered in any order, joined, hidden where they should be, and the same after a restart."""

import msgspec
import pytest
from msgspec.structs import astuple, replace

from rulewright.campaign.roll_request import JOINS, MANNERS, Consequence, WantedTest
from rulewright.errors import UserError
from rulewright.system import find, names
from rulewright.table.commands import messages as a
from rulewright.table.commands.campaign_messages import ForgetRequest, KeepRequest, SetTally, StartClock
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes.roll_requests import build_request, chances_of, repeated
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


# --- more time, several opponents, long tasks, and what follows -------------------------------------------------------------------


def as_detective(group, who="ana"):
    return group.act(who, a.AddCharacter(ready="detective")).made


def choose(group, who, number, key):
    question = asked(group, who, number)
    assert key in [option.key for option in question.options]
    group.act(who, a.Answer(number, key, question.at, question.mark))


def test_taking_the_time_is_certain_and_takes_long(group):
    group.act("bea", StartClock("3 March 1931 20:00"))
    detective = as_detective(group)
    number = int(group.act("bea", ask(group, "notice", "5", of=(detective,), seconds=600)).made)
    choose(group, "ana", number, "notice~Taking High")
    with group.tables.looking(group.table) as table:
        assert table.scenes[number].encounter.state.done[0].verdict == "success"
        assert table.campaign.now == 20 * 600


def test_one_roll_counts_against_every_opponent(group):
    """The roll of whoever is asked, and of each opponent, is made once; the chance is the exact one of beating all."""
    third = group.act("cleo", a.AddCharacter(of="character", name="Mirela")).made
    wanted = ask(group, of=(group.vesna,), against="", opponents=(group.teodor, third), opponent_test="body")
    with group.tables.looking(group.table) as table:
        best = chances_of(table, build_request(table, wanted).request).people[0].best
        alone = chances_of(table, build_request(table, replace(wanted, opponents=(group.teodor,))).request).people[0].best
    assert alone**2 < best < alone  # the same roll helps against both
    number = int(group.act("bea", wanted).made)
    play_on(group, number=number)
    rolls = [detail.who for line in group.log("bea") for detail in line.details if detail.sort == "roll"]
    assert sorted(rolls) == ["Mirela", "Teodor", "Vesna"]


def test_a_long_task_gathers_until_it_is_done(group):
    wanted = ask(group, of=(group.vesna,), goal=4, tries=30, seconds=3_600)
    with group.tables.looking(group.table) as table:
        assert 0.9 < chances_of(table, build_request(table, wanted).request).joint <= 1
    number = int(group.act("bea", wanted).made)
    assert play_on(group, number=number) >= 2
    with group.tables.looking(group.table) as table:
        state = table.scenes[number].encounter.state
        assert state.progress >= 4
        assert table.scenes[number].ended.took == 3_600 * state.tried


def test_what_follows_a_verdict_happens_with_the_roll(group):
    note = group.act("bea", a.WriteNote("The second ledger", "It was under the floor.", readers="gamemaster")).made
    tally = group.act("bea", SetTally("patience", 6)).made
    then = (Consequence("success", "reveal", note), Consequence("success", "tick", tally, 2), Consequence("success", "award", amount=3))
    group.act("bea", ask(group, of=(group.vesna,), against="1", then=(*then, Consequence("success", "suffer", "flesh", 1))))
    play_on(group, number=max(scene.number for scene in group.view("bea").scenes))
    assert [note.title for note in group.view("dan").notes] == ["The second ledger"]
    with group.tables.looking(group.table) as table:
        assert table.campaign.tallies[tally].count == 2
        assert table.characters[group.vesna].data["advancement"][-1]["xp"] == 3
        assert table.characters[group.vesna].carried["flesh"].value == 1


def test_another_try_costs_what_the_game_says(kept):
    group = _people(gather(kept, "foresight"))
    first = int(group.act("bea", ask(group, "DX", "", of=(group.vesna,), tests=(WantedTest("DX"),))).made)
    play_on(group, number=first)
    with kept.looking(group.table) as table:
        before = build_request(table, ask(group, "DX", "", of=(group.vesna,), tests=(WantedTest("DX"),))).request
        once = build_request(table, repeated(table, first)).request
        assert once.earlier == 1
        assert chances_of(table, once).people[0].best < chances_of(table, before).people[0].best
    second = int(group.act("bea", replace(ask(group, "DX", ""), of=(group.vesna,), tests=(WantedTest("DX"),), again=first)).made)
    with kept.looking(group.table) as table:
        assert table.scenes[second].encounter.state.earlier == 1


def test_a_fall_by_the_rule_of_the_book_hurts(group):
    wanted = a.AskForRoll((group.vesna,), rule="scumm-falling", function="fall", given={"metres": 5})
    number = int(group.act("bea", wanted).made)
    play_on(group, number=number)
    with group.tables.looking(group.table) as table:
        assert set(table.characters[group.vesna].carried) & {"flesh", "deep"}
    with pytest.raises(UserError, match="needs metres"):
        group.act("bea", replace(wanted, given={}))


@pytest.mark.parametrize("together", ["together", "race", "contest"])
def test_one_roll_engine_joins_people_in_one_test(kept, together):
    group = _people(gather(kept, "ore"))
    number = int(group.act("bea", replace(ask(group, "coordination", ""), group=together)).made)
    play_on(group, number=number)
    rolls = [detail.who for line in group.log("bea") for detail in line.details if detail.sort == "roll"]
    assert sorted(rolls) == (["Vesna"] if together == "together" else ["Teodor", "Vesna"])  # those who help join one roll


def test_requests_are_kept_by_name_for_the_gamemaster_alone(group):
    group.act("bea", KeepRequest("The door", ask(group, manner="blind")))
    assert any("keeps the roll request The door" in text for text in texts(group, "bea"))
    assert not any("The door" in text for text in texts(group, "ana"))
    with group.tables.looking(group.table) as table:
        assert msgspec.convert(table.campaign.requests["The door"], a.AskForRoll) == ask(group, manner="blind")
    group.act("bea", ForgetRequest("The door"))
    with group.tables.looking(group.table) as table:
        assert table.campaign.requests == {}
    with pytest.raises(UserError, match="no kept roll request"):
        group.act("bea", ForgetRequest("The door"))


@pytest.mark.parametrize("manner", ["open", "blind"])
def test_an_effect_that_follows_a_hidden_request_is_in_no_file(group, manner):
    then = (Consequence("success", "run", "award"),)
    number = int(group.act("bea", ask(group, of=(group.vesna,), against="1", then=then, manner=manner)).made)
    play_on(group, number=number)
    with group.tables.looking(group.table) as table:
        kept = [run["of"] for run in table.character(group.vesna).data["condition"].get("runs", [])]
        secret = [run.of for run in table.campaign.secrets.get(group.vesna, ())]
    assert (kept, secret) == (([], ["award"]) if manner == "blind" else (["award"], []))
    with pytest.raises(UserError, match="must be given"):
        group.act("bea", ask(group, of=(group.vesna,), then=(Consequence("success", "run", "drug"),)))
