"""A broken adventure is refused with all of its errors and where they are."""

import pytest

from adventure.small import MAIN, SCENE, content
from rulewright.errors import UserError
from rulewright.playthrough.check import check
from rulewright.playthrough.loader import open_content
from rulewright.playthrough.scenes import party_of, stage_fight


def parts(files: dict[str, bytes]) -> list[str]:
    with pytest.raises(UserError) as caught:
        open_content(files, "tea")
    return list(caught.value.parts)


def problems(main: str, **more: bytes) -> list[str]:
    return list(check(open_content(content(main, **more), "tea"), walks=0).problems)


def test_the_small_adventure_is_good():
    checked = check(open_content(content(), "tea"), walks=200, fights=4)
    assert checked.problems == ()
    assert checked.walks is not None
    assert set(checked.walks.endings) == {"A quiet birthday", "A loud birthday"}
    assert sum(checked.walks.endings.values()) == 200


def test_every_wrong_name_is_reported_with_line_and_column():
    main = (
        MAIN.replace("node: porch", "node: portch")
        .replace("{reveal: the latch}], failure", "{reveal: the lock}], failure")
        .replace("[{tick: noise}]}", "[{tick: noize}]}")
        .replace("needs: [the latch]", "needs: [the lach]")
        .replace("full: [{go: neighbours}]", "full: [{go: nowhere}]")
        .replace("takes: 10 min", "takes: ten minutes")
        .replace("text: handouts/card.md", "text: handouts/cart.md")
        .replace("3 March 1931, 20:00", "30 February 1931")
        .replace("scenario: scenes/door.yaml", "scenario: scenes/dor.yaml")
    )
    lines = main.splitlines()
    wrong = parts(content(main))
    named = ["portch", "the lock", "noize", "the lach", "nowhere", "ten minutes", "handouts/cart.md", "day 30", "scenes/dor.yaml"]
    for word in named:
        (message,) = [part for part in wrong if word in part]
        row, column = (int(number) for number in message.split(":")[1:3])
        assert message.startswith("tea/adventure.yaml:")
        assert row > 1
        assert lines[row - 1][column - 1 :].strip(), message
        if word != "day 30":
            assert word in lines[row - 1]
    assert len(wrong) == len(named)
    assert any("did you mean" in message for message in wrong)


def test_faults_of_other_files_are_reported_in_the_same_run():
    main = MAIN.replace("node: porch", "node: portch")
    wrong = parts(
        content(main, **{"scenes__door.yaml": SCENE.replace("rounds: 10", "round: 10").encode(), "ready__ana.yaml": b"system: scumm\n"})
    )
    assert [part.partition(":")[0] for part in wrong] == [
        "tea/adventure.yaml",
        "tea/ready/ana.yaml",
        "tea/ready/ana.yaml",
        "tea/scenes/door.yaml",
    ]


def test_a_missing_map_is_named():
    wrong = parts(content(scenes__door_yaml=b"") | {"scenes/door.yaml": (SCENE + "map: cellar\n").encode()})
    assert any("there is no map" in part and part.startswith("tea/scenes/door.yaml:8") for part in wrong)
    (message,) = parts(content(MAIN.replace("tallies:", "maps: {cellar: maps/cellar.yaml}\ntallies:")))
    assert "maps/cellar.yaml" in message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{reveal: the latch}, {show: card}", "{reveal: the latch, show: card}", "exactly one of"),
        ("then: {success:", "then: {succes:", "is no verdict"),
        ("{won: [{go: inside}], lost", "{won: [{go: inside}], lose", "say what follows if the fight is lost"),
        ("pass: 30 min", "pass: soon", "not a span of time"),
        ("of: 3", "of: 0", "a tally counts"),
        ("what: It is dark.", "what: It is " + 40 * "very " + "dark.", "in 1 to 120 characters"),
        ("    ending: A quiet birthday\n", "", "dead end"),
    ],
)
def test_what_makes_no_sense_is_refused(old, new, words):
    assert any(words in part for part in parts(content(MAIN.replace(old, new))))


def test_unknown_fields_are_all_reported():
    wrong = parts(content(MAIN.replace("about:", "abuot:").replace("otherwise:", "else:")))
    assert len(wrong) == 2
    assert "abuot" in wrong[0]
    assert "nodes.porch.else" in wrong[1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('test: notice, against: "4"', 'test: notise, against: "4"', "has no test 'notise'"),
        ('test: notice, against: "4"', 'test: notice, against: "14"', "from 5 to 95 %"),
        ('test: notice, against: "4"', "test: notice", "give each test an `against`"),
        ("{reveal: the latch}, {show: card}", "{show: card}", "only to be had by a roll"),
        (
            "ending: A quiet birthday",
            "ending: A quiet birthday\n  attic:\n    name: Attic\n    read: Dust.\n    ending: Dust",
            "no way leads here",
        ),
        ("{reveal: the latch}, {show: card}", "{reveal: the latch}", "no effect shows this handout"),
        ("players: 1-1", "players: 1-2", "2 players need as many"),
    ],
)
def test_what_the_check_finds(old, new, words):
    assert any(words in problem for problem in problems(MAIN.replace(old, new)))


def test_a_story_that_only_luck_can_end_is_refused():
    main = MAIN.replace(
        '  - {on: "3 March 1931, 20:00", what: It is dark., then: [{go: neighbours}]}', '  - {on: "3 March 1931, 20:00", what: It is dark.}'
    )
    main = main.replace("{reveal: the latch}, {show: card}", "{show: card}")
    assert any("no ending can be reached from here" in problem for problem in problems(main))


def test_an_illegal_character_and_a_fight_without_places():
    broke = content()["ready/ana.yaml"].replace(b"emergency_dice: 6", b"emergency_dice: 60")
    assert any("ready/ana.yaml" in problem and "of 40" in problem for problem in problems(MAIN, **{"ready__ana.yaml": broke}))
    scene = SCENE.replace("character: party", "character: street-tough").encode()
    assert any("tea/scenes/door.yaml:5" in problem and "places" in problem for problem in problems(MAIN, **{"scenes__door.yaml": scene}))


def test_the_party_may_have_allies_in_a_fight():
    scene = SCENE.replace("party: [{", "party: [{character: street-tough, name: An ally, at: [1, 0], state: {weapon: fists}}, {")
    opened = open_content(content(**{"scenes__door.yaml": scene.encode()}), "tea")
    assert check(opened, walks=0).problems == ()
    staged = stage_fight(opened, "scenes/door.yaml", party_of(opened.party))
    assert set(staged.scene.sides(staged.state)["party"]) == {"An ally", str(opened.party[0].name)}


def test_secrets_in_a_text_that_players_hear_are_found():
    main = MAIN.replace("read: Rain, and a locked door.", "read: Rain. Old Teshi hides from her own birthday.")
    checked = check(open_content(content(main), "tea"), walks=20, fights=1)
    assert any("players see" in problem for problem in checked.problems)
